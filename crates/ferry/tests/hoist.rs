//! `annotate --hoist`: what a loop finds in memory is loaded before it, where the loop runs on the device then, and only what is there and stays the same.
//!
//! That the programs do what they did is seen in `programs.rs`, of which `tests/programs/hoisted` are written for this.

use crate::common;

use common::{ferry_in, status, stderr, stdout, valid_json, with};
use serde_json::Value;

/// The new text, or the old one, and what was said.
fn hoisted(text: &str, flags: &[&str]) -> (String, String) {
    let folder = with(text);
    let mut arguments = vec!["annotate", "--hoist", "a.c", "--"];
    arguments.extend(flags);
    let output = ferry_in(folder.path(), arguments);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    (stdout(&output), stderr(&output))
}

const SIMULATION: &str = "struct atoms { int count; double *f; int *kind; char *name; };
struct boxes { int count; int *number; };
typedef struct { struct atoms *atoms; struct boxes *boxes; } simulation;
";

fn in_simulation(text: &str) -> String {
    format!("{SIMULATION}{text}")
}

#[test]
fn loads_stand_under_the_first_test() {
    let (text, said) = hoisted(
        &in_simulation(
            "void f(simulation *s) {
    for (int i = 0; i < s->boxes->count; i++)
        s->atoms->f[i] = 0;
}
",
        ),
        &[],
    );
    for line in [
        "    if (0 < s->boxes->count) {\n",
        "    int s_boxes_count = s->boxes->count;\n",
        "    __typeof__(*s->atoms->f) *s_atoms_f = s->atoms->f;\n",
        "map(from: s_atoms_f[0:s_boxes_count])\n",
        "    for (int i = 0; i < s_boxes_count; i++)\n        s_atoms_f[i] = 0;\n    }\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(
        said.contains(
            "a.c: line 5: loaded before the loop: s->boxes->count as s_boxes_count, s->atoms->f as s_atoms_f\n"
        ),
        "{said}"
    );
    assert!(
        said.contains("assuming that stores of another type do not change s->atoms->f\n"),
        "{said}"
    );
    // Every iteration reads it, and the test is there: nothing is assumed of that.
    assert!(!said.contains("can be read before"), "{said}");
}

#[test]
fn what_only_an_inner_loop_reads_is_an_assumption() {
    let (text, said) = hoisted(
        &in_simulation(
            "void f(simulation *s, int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s->atoms->f[i * 8 + j % 8] += i;
}
",
        ),
        &[],
    );
    assert!(text.contains("s_atoms_f[i * 8 + j % 8] += i;"), "{text}{said}");
    assert!(
        said.contains(
            "assuming that s->atoms->f can be read before the loop, also where the loop does not read it\n"
        ),
        "{said}"
    );
}

/// What was read before is there, and nothing is tested or assumed.
#[test]
fn what_was_read_before_is_there() {
    let (text, said) = hoisted(
        &in_simulation(
            "double f(simulation *s, int n) {
    double first = s->atoms->f[0];
    for (int i = 0; i < n; i++)
        s->atoms->f[i] = 0;
    return first;
}
",
        ),
        &[],
    );
    assert!(
        text.contains("    {\n    __typeof__(*s->atoms->f) *s_atoms_f = s->atoms->f;\n"),
        "{text}{said}"
    );
    assert!(!said.contains("can be read before"), "{said}");
}

/// What an earlier loop has read, or a member of what may be the head of it only, shows nothing: the first test stands around it.
#[test]
fn what_may_not_have_been_read_is_not_there() {
    let twice = "void f(simulation *s, int n) {
    for (int i = 0; i < n; i++)
        s->atoms->f[i] = i;
    for (int i = 0; i < n; i++)
        s->atoms->f[i] += 1;
}
";
    let (text, said) = hoisted(&in_simulation(twice), &[]);
    assert_eq!(text.matches("    if (0 < n) {\n").count(), 2, "{text}{said}");
    let searched = "void f(simulation *s, int n, int m) {
    for (int k = 0; k < m; k++)
        if (s->atoms->f[k] > 3)
            break;
    for (int i = 0; i < n; i++)
        s->atoms->f[i] = 1;
}
";
    let (text, said) = hoisted(&in_simulation(searched), &[]);
    assert!(text.contains("    if (0 < n) {\n    __typeof__"), "{text}{said}");
    let tagged = "struct head { int kind; };
struct full { int kind; double *x; };
void f(struct head *h, int n) {
    if (h->kind == 7)
        n = 0;
    for (int i = 0; i < n; i++)
        ((struct full *)h)->x[i] = i;
}
";
    let (text, said) = hoisted(tagged, &[]);
    assert!(text.contains("    if (0 < n) {\n    __typeof__"), "{text}{said}");
}

/// Where the first test cannot be written by the loop's text, the load stands without it, and that is said.
#[test]
fn a_counter_of_another_type_is_not_tested() {
    let (text, said) = hoisted(
        &in_simulation(
            "void f(simulation *s, int n) {
    for (unsigned i = 0; i < (unsigned)n; i++)
        s->atoms->f[i] = 1;
    for (long i = 0; i < n; i++)
        s->atoms->kind[i] = 1;
}
",
        ),
        &[],
    );
    assert!(text.contains("s_atoms_kind[i] = 1;"), "{text}{said}");
    assert!(!said.contains("would not be the intended"), "{said}");
    assert!(
        said.contains(
            "assuming that s->atoms->kind can be read before the loop, also where the loop does not read it\n"
        ),
        "{said}"
    );
}

/// Nothing is written between a loop and what speaks of it, and a pointer to void is no array.
#[test]
fn what_speaks_of_the_loop_stays_before_it() {
    for text in [
        "void f(simulation *s, int n) {
    #pragma GCC ivdep
    for (int i = 0; i < n; i++)
        s->atoms->f[i] = 0;
}
",
        "void f(simulation *s, int n) {
    /* ferry: independent */
    for (int i = 0; i < n; i++)
        s->atoms->f[i] = 0;
}
",
        "typedef struct { void *data; } bytes;
typedef struct { bytes *of; } holder;
void f(holder *h, int n) {
    for (int i = 0; i < n; i++)
        ((double *)h->of->data)[i] = 0;
}
void g(void *data, int n) {
    for (int i = 0; i < n; i++)
        ((double *)data)[i] = 0;
}
",
    ] {
        let old = in_simulation(text);
        let (new, said) = hoisted(&old, &[]);
        assert_eq!(new, old, "{said}");
    }
}

/// Comments of the user's on lines of their own stay directly before the loop, and what they say is listed.
#[test]
fn what_the_user_says_of_the_loop_stays_before_it() {
    let text = in_simulation(
        "void f(simulation *s, int n, int *order) {
    // ferry: extent(s->atoms->f[0:s->atoms->count])

    // ferry: independent
    for (int i = 0; i < n; i++)
        s->atoms->f[order[i]] += 1;
}
",
    );
    let (new, said) = hoisted(&text, &[]);
    let expected = "    {
    __typeof__(*s->atoms->f) *s_atoms_f = s->atoms->f;
    // ferry: extent(s->atoms->f[0:s->atoms->count])

    // ferry: independent
";
    assert!(
        new.contains(expected) && new.contains("#pragma omp target"),
        "{new}\n{said}"
    );
    assert!(!new.contains("atomic"), "{new}");
    for listed in [
        "the iterations of the loop in line 10 are independent",
        "extent(s->atoms->f[0:s->atoms->count])",
    ] {
        assert!(said.contains(listed), "{said}");
    }
    // Without it, who reads the summary is told what to say.
    let (_, said) = hoisted(
        &text.replace("// ferry: extent(s->atoms->f[0:s->atoms->count])", ""),
        &[],
    );
    assert!(
        said.contains("help: `// ferry: extent(s->atoms->f[0:n])` in front of the function"),
        "{said}"
    );
}

#[test]
fn what_may_not_be_there_or_not_stay_is_left() {
    let conditional = "void f(simulation *s, int n, const int *restrict flag) {
    for (int i = 0; i < n; i++)
        if (flag[i])
            s->atoms->f[i] = 1;
}
";
    let set = "void f(simulation *s, simulation *t, int n) {
    for (int i = 0; i < n; i++) {
        s->atoms->f[i] = 1;
        s = t;
    }
}
";
    let walked = "void f(simulation *s, int n) {
    for (int i = 0; i < n; i++, s++)
        s->atoms->f[i] = 1;
}
";
    let stored = "void f(simulation *s, int n, double *other) {
    for (int i = 0; i < n; i++) {
        s->atoms->f[i] = 1;
        s->atoms->f = other;
    }
}
";
    let declared_inside = "void f(simulation **all, int n, int m) {
    for (int k = 0; k < n; k++) {
        simulation *s = all[k];
        for (int j = 0; j < m; j++) {
            struct atoms *atoms = s->atoms;
            atoms->f[k * 4 + j % 4] = j;
        }
    }
}
";
    let volatile_pointer = "typedef struct { double *volatile f; } moving;
typedef struct { moving *of; } holder;
void f(holder *h, int n) {
    for (int i = 0; i < n; i++)
        h->of->f[i] = 1;
}
";
    let texts = [
        conditional,
        set,
        walked,
        stored,
        declared_inside,
        volatile_pointer,
    ];
    for body in texts {
        let old = in_simulation(body);
        let (text, said) = hoisted(&old, &[]);
        assert!(!said.contains("loaded before"), "{body}{said}");
        assert_eq!(text, old, "{said}");
    }
    // Only the types say that the store leaves the pointer alone.
    let by_type = in_simulation(
        "void f(simulation *s, int n) {
    for (int i = 0; i < n; i++)
        s->atoms->f[i] = 0;
}
",
    );
    let (text, said) = hoisted(&by_type, &["-fno-strict-aliasing"]);
    assert!(text == by_type && !said.contains("loaded before"), "{said}");
}

/// The use of a macro is as good as what it stands for.
#[test]
fn macros_are_loaded_by_their_uses() {
    let (text, said) = hoisted(
        &in_simulation(
            "#define FORCE(s) (s)->atoms->f
void f(simulation *s, int n) {
    for (int i = 0; i < n; i++)
        FORCE(s)[i] = 1;
}
",
        ),
        &[],
    );
    assert!(
        text.contains("__typeof__(*FORCE(s)) *FORCE_s = FORCE(s);\n"),
        "{text}{said}"
    );
    assert!(text.contains("FORCE_s[i] = 1;"), "{text}{said}");
}

/// A loop that stays on the host even so keeps its text, and the reason that is left is said.
#[test]
fn a_loop_that_gains_nothing_keeps_its_text() {
    let old = in_simulation(
        "void f(simulation *s, int n) {
    for (int i = 0; i < n; i++)
        s->atoms->f[s->boxes->number[i]] += 1;
}
",
    );
    let (text, said) = hoisted(&old, &[]);
    assert_eq!(text, old, "{said}");
    let reason = "a.c: line 5: left as it is: with what it finds in memory loaded before it, it stays on the host too: its subscript has no lower bound\n";
    assert!(said.contains(reason), "{said}");
    // Without the option it is said what would help.
    let folder = with(&in_simulation(
        "void f(simulation *s, int n) {
    for (int i = 0; i < n; i++)
        s->atoms->f[i] = 0;
}
",
    ));
    let output = ferry_in(folder.path(), ["annotate", "--diff", "a.c"]);
    assert!(
        stderr(&output).contains("help: `--hoist` loads such pointers"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn the_summary_has_it_as_json() {
    let folder = with(&in_simulation(
        "void f(simulation *s, int n) {
    for (int i = 0; i < n; i++)
        s->atoms->f[i] = 0;
}
",
    ));
    let output = ferry_in(
        folder.path(),
        ["annotate", "--hoist", "--check", "--format", "json", "a.c"],
    );
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let value: Value = valid_json(&stdout(&output));
    let file = &value["files"][0];
    assert_eq!(
        file["hoisted"][0],
        "line 5: loaded before the loop: s->atoms->f as s_atoms_f"
    );
    assert_eq!(file["kernels"], 1);
    let output = ferry_in(
        folder.path(),
        ["annotate", "--hoist", "--reshape", "--diff", "a.c"],
    );
    assert_eq!(status(&output), 2);
}

/// Nothing is done twice, and a name that the file has is not taken.
#[test]
fn names_are_new_and_a_second_run_does_nothing() {
    let (text, said) = hoisted(
        &in_simulation(
            "int s_atoms_f;
void f(simulation *s, int n) {
    for (int i = 0; i < n; i++)
        s->atoms->f[i] = s->atoms->f[i] + s_atoms_f;
}
",
        ),
        &[],
    );
    assert!(
        text.contains("s_atoms_f_2[i] = s_atoms_f_2[i] + s_atoms_f;"),
        "{text}{said}"
    );
    let (again, said) = hoisted(&text, &[]);
    assert_eq!(again, text, "{said}");
}
