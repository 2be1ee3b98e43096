//! What is not called sequential, because nothing shows that an iteration needs another one?

use super::common::project::verdict_walked;
use ferry_analysis::verdict::Kind;

fn kind(text: &str) -> Kind {
    verdict_walked(&[("a.c", text)]).kind
}

/// A `goto` to a label in the same iteration leaves no loop; one to a label behind the loop does.
#[test]
fn jumps_in_an_iteration_leave_no_loop() {
    let jumping = |inside: &str, behind: &str| {
        format!(
            "int kernel(int n, int *a)
            {{
                for (int i = 0; i < n; i++) {{ if (a[i] < 0) goto next; a[i] /= 2; {inside} }}
                {behind}
                return 0;
            }}"
        )
    };
    assert_eq!(kind(&jumping("next:;", "")), Kind::Unknown);
    assert_eq!(kind(&jumping("", "next:;")), Kind::Sequential);
}

/// A function whose jumps all go on ends.
#[test]
fn functions_that_jump_on_return() {
    let calling = |body: &str| {
        format!(
            "static int f(int x) {{ {body} }}
            void kernel(int n, int *a) {{ for (int i = 0; i < n; i++) a[i] = f(a[i]); }}"
        )
    };
    let on = "if (x < 0) goto negative; return x / 2; negative: return -x;";
    assert_eq!(kind(&calling(on)), Kind::Parallel);
    assert_eq!(
        kind(&calling("again: if (x < 0) goto again; return x;")),
        Kind::Sequential
    );
}

/// The counter of a loop that may wrap around, for all that is known.
#[test]
fn counters_of_loops_are_no_dependences() {
    let counting = |step: &str, inside: &str| {
        format!(
            "void kernel(unsigned n, int *a)
            {{ for (unsigned i = 1; i + 1 < n; {step}) {{ {inside} a[i] += 7; }} }}"
        )
    };
    assert_eq!(kind(&counting("i++", "")), Kind::Unknown);
    assert_eq!(kind(&counting("i += 2", "")), Kind::Unknown);
    assert_eq!(kind(&counting("i++", "i += a[i];")), Kind::Sequential);
}
