//! `// ferry: extent(s->d->data[0:s->d->n])`: how much storage a pointer in a member leads to, as it is where that is said. Is it used there, does it end where anything on the
//! way may be another one, and is it refused where it cannot be used or cannot be?
//!
//! That programs do what they did is seen in `programs.rs`, of which `tests/programs/hoisted/boxes.c` is written for this.

use crate::common;

use common::{ferry_in, status, stderr, stdout, valid_json, with};
use serde_json::Value;

const TYPES: &str = "#include <stdlib.h>
struct data { double *data; int n; unsigned u; double *fixed[4]; double in[8]; };
union both { double *first; long second; };
struct outer { union both *either; struct data *d; struct data in; struct data two[2]; union { double *a; long b; }; int bits : 3; volatile int changing; struct unknown *hidden; };
void other(void);
";

const SECTION: &str = "s->d->data[0:s->d->n > 0 ? s->d->n : 0]";

/// A function that gathers once for each of the texts, which stand between.
fn gathers(before: &[&str]) -> String {
    let each = |text: &&str| {
        format!("    {text}\n    for (int i = 0; i < n; i++)\n        y[i] = s->d->data[k[i]];\n")
    };
    let body: String = before.iter().map(each).collect();
    format!(
        "{TYPES}void f(struct outer *s, struct outer *t, struct data *q, const int *restrict k, int n, int m, double *restrict y)\n{{\n{body}}}\n"
    )
}

fn report(text: &str, more: &[&str]) -> Value {
    let folder = with(text);
    let output = ferry_in(
        folder.path(),
        ["report", "--all", "--format", "json", "a.c"].iter().chain(more),
    );
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    valid_json(&stdout(&output))
}

/// The section of each gathered element.
fn sections(text: &str) -> Vec<String> {
    let report = report(text, &[]);
    let accesses = report["accesses"].as_array().unwrap().iter();
    let gathered = accesses.filter(|one| one["text"].as_str().unwrap().ends_with("[k[i]]"));
    gathered
        .map(|one| one["section"].as_str().unwrap_or("unknown").to_owned())
        .collect()
}

/// The new text and what was said.
fn annotated(text: &str, more: &[&str]) -> (String, String) {
    let folder = with(text);
    let output = ferry_in(folder.path(), ["annotate", "--all", "a.c"].iter().chain(more));
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(
        !stderr(&output).contains("not the intended program"),
        "{}",
        stderr(&output)
    );
    (stdout(&output), stderr(&output))
}

const SAID: &str = "// ferry: extent(s->d->data[0:s->d->n])";

#[test]
fn a_member_has_the_extent_that_is_said() {
    assert_eq!(sections(&gathers(&[""])), ["unknown"]);
    assert_eq!(sections(&gathers(&[SAID])), [SECTION]);
    let text = gathers(&[SAID]);
    let report = report(&text, &[]);
    let listed = report["loops"][0]["assumptions"].to_string();
    assert!(
        listed.contains("extent(s->d->data[0:s->d->n]), as the comment in line 8 of a.c says"),
        "{listed}"
    );
    // Through members, elements by numbers, and variables of the file.
    for (path, length) in [
        ("s->in.data", "s->in.n"),
        ("s->two[1].data", "s->two[0].n * 2"),
        ("s->d->fixed[3]", "m"),
        ("own.in.data", "shared->d->n + 1"),
        ("shared[0].d->data", "own.two[1].n"),
    ] {
        let text = gathers(&[&format!("// ferry: extent({path}[0:{length}])")])
            .replace("s->d->data[k", &format!("{path}[k"))
            .replace("void f(", "struct outer own, *shared;\nvoid f(");
        let found = sections(&text);
        assert!(found[0].starts_with(&format!("{path}[0:")), "{found:?}");
        let (new, said) = annotated(&text, &["--hoist"]);
        assert!(new.contains("#pragma omp target"), "{new}\n{said}");
        assert!(said.contains(&format!("extent({path}[0:{length}])")), "{said}");
    }
}

/// In front of the function, by the command line, and from a member that no loop reads otherwise; the length is written as it was said.
#[test]
fn kernels_are_written_with_it() {
    let plain = gathers(&[""]);
    let before = plain.replace("void f(", "// ferry: extent(s->d->data[0:s->d->n])\nvoid f(");
    let kernel = |text: &str, more: &[&str]| {
        let (new, said) = annotated(text, more);
        assert!(
            new.contains("s->d->n") && new.contains("s_d_data[0:s_d_data_length]"),
            "{new}\n{said}"
        );
        assert!(
            said.contains("assuming that extent(s->d->data[0:s->d->n])"),
            "{said}"
        );
        // Who says it says that it can be read.
        assert!(!said.contains("can be read before the loop"), "{said}");
    };
    kernel(&before, &["--hoist"]);
    kernel(&gathers(&[SAID]), &["--hoist"]);
    kernel(&plain, &["--hoist", "--assume", "extent(s->d->data[0:s->d->n])"]);
    let nested = plain.replace("s->d->data", "q->data");
    let (new, said) = annotated(&nested, &["--assume", "extent(q->data[0:q->n])"]);
    assert!(new.contains("map(to: q[0:1], q->data[0:"), "{new}\n{said}");
    // Of a structure of another kind nothing is said.
    let folder = with(&plain);
    let output = ferry_in(
        folder.path(),
        ["report", "a.c", "--assume", "extent(s->e->data[0:s->d->n])"],
    );
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("s->d has no member e") || stderr(&output).contains("s has no member e"),
        "{}",
        stderr(&output)
    );
}

/// Everything that may set the pointer, a pointer on the way, or a value of the length.
#[test]
fn it_ends_where_something_on_the_way_may_change() {
    for change in [
        "s->d = q;",
        "t->d = q;",
        "q->data = y;",
        "s = t;",
        "other();",
        "s->d->data = realloc(s->d->data, m);",
        "free(s->d->data);",
        "free(t->d->data);",
        "free(q->data);",
        "free(q);",
        "*(void **)q = y;",
        "again: if (m-- > 3) goto again;",
    ] {
        let found = sections(&gathers(&[SAID, change]));
        assert_eq!(found[0], SECTION, "{change}");
        assert!(found[1] == "unknown", "{change}: {found:?}");
        // Said again, it holds again, whatever was released before.
        let again = sections(&gathers(&[SAID, change, SAID]));
        assert_eq!(again[2], SECTION, "{change}");
    }
    // What does not touch it.
    for other in ["m++;", "y[0] = 1;", "t->in.n = 3;"] {
        let found = sections(&gathers(&[SAID, other]));
        assert_eq!(found[1], SECTION, "{other}");
    }
    // Where a value of the length changes, the storage has its extent, but nothing in the text holds that any more.
    let text = gathers(&[SAID, "q->n = m;"]);
    assert_eq!(sections(&text)[1], SECTION);
    let (new, said) = annotated(&text, &["--hoist"]);
    assert_eq!(new.matches("#pragma omp").count(), 1, "{new}\n{said}");
    // Other members of the same kind do not count for it.
    let text = gathers(&[SAID, "t->d = q;"]).replace("y[i] = s->d->data", "y[i] = t->d->data");
    assert_eq!(sections(&text), ["unknown", "unknown"]);
}

#[test]
fn it_is_of_the_paths_that_come_by() {
    let one = gathers(&["if (m > 3) {\n// ferry: extent(s->d->data[0:s->d->n])\ny[0] = 1; }"]);
    assert_eq!(sections(&one), ["unknown"]);
    let both = gathers(&[
        "if (m > 3) {\n// ferry: extent(s->d->data[0:s->d->n])\ny[0] = 1; } else {\n// ferry: extent(s->d->data[0:s->d->n])\ny[0] = 2; }",
    ]);
    // Two looks at memory are two values, for all that is known.
    assert_eq!(sections(&both), ["unknown"]);
    // What only one path promises is not loaded on both, though a loop that may not run has read it.
    let text = format!(
        "{TYPES}void f(struct outer *s, const int *restrict k, int n, int m, double *restrict y)
{{
    for (int i = 0; i < m; i++)
        y[i] += s->d->data[0];
    if (n > m) {{
        // ferry: extent(s->d->data[0:s->d->n])
        y[0] = 1;
    }}
    for (int i = 0; i < n; i++)
        if (k[i] > 0)
            y[i] = s->d->data[i];
}}
"
    );
    let (new, said) = annotated(&text, &["--hoist"]);
    assert!(new.contains("            y[i] = s->d->data[i];"), "{new}\n{said}");
    // What is said in a loop is no news behind it.
    let text = format!(
        "{TYPES}void f(struct outer *s, struct data *q, const int *restrict k, int n, int m, double *restrict y)
{{
    for (int t = 0; t < m; t++) {{
        if (t > 3)
            // ferry: extent(q->data[0:q->n])
            y[t] = 1;
    }}
    for (int i = 0; i < q->n; i++)
        y[i] = i;
}}
"
    );
    let (new, said) = annotated(&text, &[]);
    assert!(new.contains("map(from: y[0:q->n "), "{new}\n{said}");
}

/// The text would mean another member, though the variable and the value are the same ones.
#[test]
fn a_length_is_written_by_its_text_while_that_means_it() {
    let text = format!(
        "{TYPES}void f(struct outer *s, const double *restrict x, const int *restrict k, int n, double *restrict y)
{{
    // ferry: extent(x[0:s->d->n])
    struct data *held = s->d;
    s->d = NULL;
    for (int i = 0; i < n; i++)
        y[i] = x[k[i]];
    y[0] = held->n;
}}
"
    );
    let folder = with(&text);
    let output = ferry_in(folder.path(), ["annotate", "--all", "a.c"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert!(!stdout(&output).contains("#pragma"), "{}", stdout(&output));
    assert!(
        !stderr(&output).contains("not the intended program"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn what_cannot_be_used_or_cannot_be_is_an_error() {
    let refused = |before: &str, said: &str, why: &str| {
        let text = gathers(&[&format!("{before}\n    // ferry: extent({said})")]);
        let folder = with(&text);
        for command in [["report", "a.c"], ["annotate", "a.c"]] {
            let output = ferry_in(folder.path(), command);
            assert_eq!(status(&output), 2, "{said}: {}", stderr(&output));
            assert!(stderr(&output).contains(why), "{said}: {}", stderr(&output));
            assert_eq!(stderr(&output).matches("error").count(), 1, "{}", stderr(&output));
        }
    };
    for (said, why) in [
        ("s->d->n[0:4]", "s->d->n is not a pointer"),
        ("s->d->data[0:s->d->data]", "s->d->data is not an integer"),
        ("s->d->nothing[0:4]", "s->d has no member nothing"),
        ("s.d->data[0:4]", "s is no structure"),
        ("s->in->data[0:4]", "s->in is not a pointer"),
        ("n->data[0:4]", "n is not a pointer"),
        ("nobody->data[0:4]", "nobody is no variable of f here"),
        ("s->two[m].data[0:4]", "the subscript `m` of s->two is no number"),
        ("s->two[2].data[0:4]", "s->two has no element 2"),
        (
            "s->d->data[0:s->two[m].n]",
            "the subscript `m` of s->two is no number",
        ),
        ("s->either->first[0:4]", "first is a member of a union"),
        ("s->a[0:4]", "a is a member of a union"),
        ("s->d->data[0:s->bits]", "bits is a bit-field, or volatile"),
        (
            "s->d->data[0:s->changing]",
            "changing is a bit-field, or volatile",
        ),
        ("s->d->data[0:s->d->u + 1]", "s->d->u is unsigned"),
        ("s->d->in[0:8]", "s->d->in is not a pointer"),
        (
            "s->hidden[0:3]",
            "the size of what s->hidden points to is not known",
        ),
        ("s->hidden->data[0:3]", "s->hidden has no member data"),
        ("s->d->[0:3]", "a member is missing behind s->d"),
        ("s->d->data[1:3]", "like a section that begins at 0"),
        ("s->d->data[0:other()]", "`(` behind other"),
    ] {
        refused("", said, why);
    }
    let cannot = "an assumption cannot hold where it is made";
    for (before, said) in [
        ("s->in.data = malloc(8 * 10);", "s->in.data[0:11]"),
        ("s->in.data = s->in.in;", "s->in.data[0:-1]"),
        ("s->in.n = -3;", "s->in.data[0:s->in.n]"),
        ("static double own[7]; s->in.data = own;", "s->in.data[0:8]"),
        ("s->in.data = m > 3 ? y : y + 7;", "s->in.data[0:9]"),
        ("s->in.data += 2;", "s->in.data[0:9]"),
        ("s->in.data = NULL;", "s->in.data[0:9]"),
    ] {
        refused(before, said, cannot);
    }
    let fine = gathers(&["s->in.data = malloc(8 * 10);\n    // ferry: extent(s->in.data[0:10])"])
        .replace("s->d->data[k", "s->in.data[k");
    assert!(sections(&fine)[0].contains("[0:10]"), "{:?}", sections(&fine));
    // Comparisons are of variables.
    let text = gathers(&["// ferry: assume(s->d->n > 0)"]);
    let output = ferry_in(with(&text).path(), ["report", "a.c"]);
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("only variables and numbers are understood"),
        "{}",
        stderr(&output)
    );
}
