//! What is said of accesses through a pointer that is one of several: which objects, which parts of them, and whether a kernel can name them.

use crate::common;

use common::{ferry, programs_folder, status, stderr, stdout, valid_json, with};
use serde_json::Value;

fn report() -> Value {
    let path = programs_folder().join("regions/chosen_pointers.c");
    let output = ferry(["report", "--format", "json", path.to_str().unwrap()]);
    assert_eq!(status(&output), 0);
    valid_json(&stdout(&output))
}

/// The sections of a function's accesses, in the order of the text.
fn sections(report: &Value, function: &str) -> Vec<String> {
    let all = report["accesses"].as_array().unwrap().iter();
    let own = all.filter(|one| one["function"] == function);
    own.map(|one| one["section"].as_str().unwrap_or("unknown").to_owned())
        .collect()
}

#[test]
fn each_object_has_its_own_section() {
    let report = report();
    let mut parts = sections(&report, "kernel_parts");
    parts.sort();
    assert_eq!(
        parts,
        [
            "a[0:n < m ? n : m]",
            "b[m > 0 ? m : 0:n + (0 < m ? (-m) : 0)]",
            "out[0:n]"
        ]
    );
    // The null pointer is no object.
    assert_eq!(
        sections(&report, "kernel_none"),
        ["out[0:n]", "a[0:n < c ? n : c]"]
    );
    let halves = sections(&report, "kernel_halves");
    assert!(
        halves.contains(&"a[0:n]".to_owned()) && halves.contains(&"a[n:n]".to_owned()),
        "{halves:?}"
    );
    let data = sections(&report, "kernel_data");
    assert_eq!(
        data.len(),
        6,
        "three objects, the key twice, and the result: {data:?}"
    );
}

/// A pointer of outside would keep the address of the host, whatever names what it leads to.
#[test]
fn a_pointer_that_was_chosen_before_the_loop_keeps_it_on_the_host() {
    let report = report();
    let offloaded = |function: &str| {
        let loops = report["loops"].as_array().unwrap().iter();
        let one = loops.clone().find(|one| one["function"] == function).unwrap();
        (
            one["offloaded"].as_bool().unwrap(),
            one["reason"].as_str().unwrap_or("").to_owned(),
        )
    };
    for function in ["kernel_before", "kernel_beside"] {
        let (runs, reason) = offloaded(function);
        assert!(!runs, "{function}");
        assert_eq!(
            reason, "a pointer leads to one object or another, and was chosen before the loop",
            "{function}"
        );
    }
    let text = "struct s { double *p; };
        void f(int n, int c, double *restrict a, double *restrict b, double *restrict o) {
            struct s s;
            s.p = c ? a : b;
            for (int i = 0; i < n; i++)
                o[i] = s.p[i] + a[i] + b[i];
        }";
    let folder = with(text);
    let path = folder.path().join("a.c");
    let output = ferry(["annotate", "--all", "--diff", path.to_str().unwrap()]);
    let (patch, said) = (stdout(&output), stderr(&output));
    assert!(said.contains("was chosen before the loop"), "{said}");
    assert!(!patch.contains("#pragma"), "{patch}");
}

/// Where a value has been asked for before, its condition is known again: `off` is 0 inside of the picture.
#[test]
fn a_condition_that_was_kept_bounds_what_it_guards() {
    let text = "void f(int w, int h, int fw, int fh, const unsigned char *restrict in, int *restrict out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int red = 0;
            for (int fy = 0; fy < fh; fy++)
                for (int fx = 0; fx < fw; fx++) {
                    int py = y + fy - fh / 2, px = x + fx - fw / 2;
                    int off = px < 0 || px >= w || py < 0 || py >= h;
                    red += off ? 0 : in[py * w + px];
                }
            out[y * w + x] = red;
        }
}
";
    let folder = with(text);
    let path = folder.path().join("a.c");
    let report = valid_json(&stdout(&ferry([
        "report",
        "--format",
        "json",
        path.to_str().unwrap(),
    ])));
    assert_eq!(sections(&report, "f"), ["in[0:w * h]", "out[0:w * h]"]);
}
