//! Where a call between two kernels may end the program, are the data of the second one mapped behind it?

use crate::common::{ferry, folder, status, stderr, stdout};

#[test]
fn nothing_is_mapped_before_a_loop_that_may_end_the_program() {
    let path = folder("tests/programs/hostile/ends_between_kernels.c");
    let output = ferry(["annotate", "--all", path.to_str().unwrap()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    let of = |name: &str| {
        let (_, rest) = text.split_once(name).unwrap();
        rest.split_once("\n}\n").unwrap().0
    };
    // Each kernel for itself: a loop around the call, or one in the function that is called.
    for name in ["kernel_around_a_loop(", "kernel_around_a_call("] {
        assert!(!of(name).contains("target data"), "{}", of(name));
        assert_eq!(of(name).matches("target teams").count(), 2, "{}", of(name));
    }
}
