//! What comments say of functions that cannot be seen: believed, listed, and refused where they are wrong.

use crate::common::project;

use ferry_analysis::verdict::Kind;

/// The verdict on the first loop of `kernel` with what it rests on, or what is wrong.
fn verdict(files: &[(&str, &str)]) -> Result<(Kind, Vec<String>), Vec<String>> {
    project::verdict(files).map(|said| (said.kind, said.rests))
}

const SQUARE: &str = "int f(int x);
void kernel(int n, const int *restrict a, int *restrict b)
{
    for (int i = 0; i < n; i++)
        b[i] = f(a[i]);
}
";

#[test]
fn a_function_without_effects_is_no_obstacle_and_is_listed() {
    let (kind, rests) = verdict(&[("a.c", SQUARE)]).unwrap();
    assert_eq!(kind, Kind::Unknown);
    assert!(rests.is_empty(), "{rests:?}");
    let said = format!("// ferry: const\n{SQUARE}");
    let (kind, rests) = verdict(&[("a.c", &said)]).unwrap();
    assert_eq!(kind, Kind::Parallel);
    assert_eq!(
        rests,
        ["f has no effects and depends on its arguments alone, as the comment in line 1 of a.c says"]
    );
    // A function that may read anything may read what other iterations write.
    let pure = format!("// ferry: pure\n{SQUARE}");
    assert_ne!(verdict(&[("a.c", &pure)]).unwrap().0, Kind::Parallel);
}

#[test]
fn what_pointers_lead_to_is_read_and_written_as_said() {
    let text = |words: &str| {
        format!(
            "int table[9];
{words}
int g(int n, const int *from, /* not used */ int to[], int (*last)[3]);
void kernel(int n, const int *restrict a, int *restrict b, int *restrict c)
{{
    int last[3];
    for (int i = 0; i < n; i++)
        b[i] = g(4, a, c, &last) + table[i % 9];
}}
"
        )
    };
    let kind = |words: &str| verdict(&[("a.c", &text(words))]);
    assert_eq!(kind("").unwrap().0, Kind::Unknown);
    let (good, rests) = kind("// ferry: reads(from, table)").unwrap();
    assert_eq!(good, Kind::Parallel, "{rests:?}");
    assert_eq!(
        rests,
        [
            "g reads from, table and writes nothing, and does nothing else, as the comment in line 2 of a.c says"
        ]
    );
    for more in ["to", "table", "last"] {
        let words = format!("// ferry: reads(from) writes({more})");
        assert_ne!(kind(&words).unwrap().0, Kind::Parallel, "{more}");
    }
}

#[test]
fn wrong_words_are_refused() {
    let why = |words: &str, behind: &str| {
        let text = format!("{words}\n{behind}{SQUARE}");
        verdict(&[("a.c", &text)]).unwrap_err().join("; ")
    };
    assert_eq!(why("// ferry: pur", ""), "these words are not known");
    assert_eq!(why("// ferry: pure const", ""), "these words are not known");
    assert_eq!(why("// ferry:", ""), "these words are not known");
    assert_eq!(why("// ferry: reads(x", ""), "a `)` is missing");
    assert_eq!(why("// ferry: reads(x) reads(x)", ""), "a list is there twice");
    assert_eq!(
        why("// ferry: writes(y)", ""),
        "y is no parameter of f, and no variable of the file"
    );
    assert_eq!(
        why("// ferry: pure", "int other;\n"),
        "no declaration of a function follows"
    );
    assert_eq!(
        why("// ferry: pure\nint f(int x);\n// ferry: const", ""),
        "f was said to do something else"
    );
}

#[test]
fn a_definition_is_believed_instead() {
    let said = format!("// ferry: const\n{SQUARE}");
    let (kind, rests) = verdict(&[("a.c", &said), ("b.c", "int f(int x) { return x * x; }\n")]).unwrap();
    assert_eq!(kind, Kind::Parallel);
    assert_eq!(rests, ["f is what /project/b.c defines"]);
    let state = "static int calls;\nint f(int x) { return x + calls++; }\n";
    let wrong = verdict(&[("a.c", &said), ("b.c", state)]).unwrap_err();
    assert_eq!(wrong, ["its definition writes something else, too"]);
    // What the definition calls cannot be seen: the comment says it.
    let unknown = "int h(int x);\nint f(int x) { return h(x); }\n";
    let (kind, _) = verdict(&[("a.c", &said), ("b.c", unknown)]).unwrap();
    assert_eq!(kind, Kind::Parallel);
    // In the file itself the body counts.
    let here = format!("{said}static int state;\nint f(int x) {{ return state += x; }}\n");
    assert_ne!(verdict(&[("a.c", &here)]).unwrap().0, Kind::Parallel);
}
