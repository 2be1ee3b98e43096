//! Arrays behind pointers that are variables of the file: are they mapped by these names, and kept on the device only while the pointers stay?

use crate::common::{ferry, programs_folder, status, stderr, stdout};

#[test]
fn global_pointers_name_what_they_lead_to() {
    let path = programs_folder().join("globals/pointers.c");
    let output = ferry(["annotate", &path.display().to_string()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(
        said.contains("11 kernels in 10 data environments, of 16 loops"),
        "{said}"
    );
    // Around the steps only, where nothing sets a pointer.
    assert_eq!(
        said.matches("its data stay on the device all the time").count(),
        2,
        "{said}"
    );
    let text = stdout(&output);
    for section in ["field[0:", "next[1:", "weights[0:", "length[0:"] {
        assert!(text.contains(section), "{section}");
    }
    // What is read behind `field = other` is mapped there, anew.
    let between = text
        .split("field = other;")
        .nth(1)
        .and_then(|rest| rest.split("void").next());
    assert!(
        between.is_some_and(|rest| rest.contains("#pragma") && rest.contains("field[0:")),
        "{text}"
    );
}
