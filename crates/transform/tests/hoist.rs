//! Texts with loads before loops that are not the old program must be found.

use crate::common::hoisted;

const LOOP: &str = "struct atoms { double *f, *g; int kind, other; };
struct simulation { struct atoms *atoms, *more; int count, length; };
void f(struct simulation *s, int n, int m) {
    for (int i = m; i < n; i++)
        s->atoms->f[i] = s->count;
}
";

fn wrong(from: &str, to: &str, why: &str) {
    assert_eq!(hoisted(LOOP, from, from), Ok(()), "the intended text");
    let found = hoisted(LOOP, from, to).expect_err(&format!("`{to}` instead of `{from}`"));
    assert!(found.contains(why), "`{to}` instead of `{from}`: {found}");
}

#[test]
fn the_guard_is_the_first_test() {
    let why = "a condition is not the first test of the loop under it";
    for other in [
        "if (m <= n) {",
        "if (m < n - 1) {",
        "if (n < m) {",
        "if (0 < n) {",
        "if (m < s->count) {",
        "if (m < n && s->count) {",
    ] {
        wrong("if (m < n) {", other, why);
    }
}

#[test]
fn a_name_stands_for_what_was_there() {
    let differs = "differ";
    wrong("= s->atoms->f;", "= s->atoms->g;", differs);
    wrong("= s->atoms->f;", "= s->more->f;", differs);
    wrong("= s->count;", "= s->length;", differs);
    wrong("int s_count", "short s_count", "a name that was inserted");
    wrong("int s_count", "unsigned s_count", "a name that was inserted");
    // What is no load is no other name for anything.
    wrong("= s->atoms->f;", "= s->atoms->f + 1;", "a name that was inserted");
    wrong("= s->count;", "= n;", "a name that was inserted");
}

/// Nothing else comes with it.
#[test]
fn nothing_else_is_written() {
    wrong(
        "if (m < n) {",
        "s->count = 0; if (m < n) {",
        "a statement that was not meant to be written",
    );
}
