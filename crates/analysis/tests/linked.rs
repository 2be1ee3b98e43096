//! What is known of functions of other files: where exactly one file of the program defines them, what that definition
//! does; otherwise nothing.

use crate::common::project;

use ferry_analysis::effects::Effects;
use ferry_analysis::effects::linked::link;
use ferry_analysis::verdict::Kind;
use ferry_frontend::{Job, Options, load};
use ferry_ir::Unit;
use ferry_source::Sources;

/// The verdict on the first loop of the function `kernel`, the causes, and what it rests on.
fn verdict(files: &[(&str, &str)]) -> (Kind, Vec<String>, Vec<String>) {
    let said = project::verdict(files).expect("no comments");
    (said.kind, said.causes, said.rests)
}

/// The same in every order of the files.
fn in_any_order(files: &[(&str, &str)]) -> (Kind, Vec<String>, Vec<String>) {
    let first = verdict(files);
    for turn in 1..files.len() {
        let mut turned = files.to_vec();
        turned.rotate_left(turn);
        assert_eq!(verdict(&turned), first, "{turn}");
        turned.reverse();
        assert_eq!(verdict(&turned), first, "{turn}, reversed");
    }
    first
}

const WEIGHED: &str = "int weigh(int x);
void kernel(int n, int *restrict a, const int *restrict b) { for (int i = 0; i < n; i++) a[i] = weigh(b[i]); }";

#[test]
fn a_function_of_another_file_does_what_is_written_there() {
    assert_eq!(verdict(&[("a.c", WEIGHED)]).0, Kind::Unknown);
    let (kind, _, rests) = in_any_order(&[
        ("a.c", WEIGHED),
        ("b.c", "int weigh(int x) { return 3 * x; }"),
        ("c.c", "int other(void) { return 3; }"),
    ]);
    assert_eq!(kind, Kind::Parallel);
    assert_eq!(rests, ["weigh is what /project/b.c defines"]);
}

/// Rows of one array, each handed to a function of another file, which hands it on to a third.
#[test]
fn sections_of_functions_of_other_files_are_known() {
    let rows = "void scale(int n, double *row, double by);
void kernel(int n, int m, double *a) { for (int i = 0; i < n; i++) scale(m, a + i * m, 2); }";
    let scale = "void step(double *at, double by);
void scale(int n, double *row, double by) { for (int j = 0; j < n; j++) step(row + j, by); }";
    let step = "int count; void step(double *at, double by) { *at = *at * by; }";
    let files = [("a.c", rows), ("b.c", scale), ("c.c", step)];
    let (kind, causes, rests) = in_any_order(&files);
    assert_eq!((kind, causes), (Kind::Parallel, Vec::new()));
    assert_eq!(
        rests,
        [
            "scale is what /project/b.c defines",
            "step is what /project/c.c defines"
        ]
    );
    // One element more is the next row's.
    let longer = scale.replace("j < n", "j <= n");
    let (kind, ..) = in_any_order(&[("a.c", rows), ("b.c", &longer), ("c.c", step)]);
    assert_eq!(kind, Kind::Unknown);
    // A variable of the file that all calls write.
    let counting = step.replace("{ *at", "{ count++; *at");
    let (kind, ..) = in_any_order(&[("a.c", rows), ("b.c", scale), ("c.c", &counting)]);
    assert_ne!(kind, Kind::Parallel);
    // Two functions that call each other are known by their objects.
    let around = step.replace("{ *at", "{ if (by > 9) scale(1, at, by / 2); *at");
    let around = format!("void scale(int, double *, double); {around}");
    let (kind, ..) = in_any_order(&[("a.c", rows), ("b.c", scale), ("c.c", &around)]);
    assert_eq!(kind, Kind::Unknown);
    // Declared with other parameters than it is defined with, nothing is known of what is passed.
    let other = rows.replace("void scale(int n,", "void scale(long n,");
    let (kind, ..) = in_any_order(&[("a.c", &other), ("b.c", scale), ("c.c", step)]);
    assert_eq!(kind, Kind::Unknown);
}

#[test]
fn chains_through_several_files_are_followed() {
    let step = "int next(int); int weigh(int x) { return x > 0 ? next(x) : 0; }";
    let next = "int weigh(int); int next(int x) { return weigh(x - 1) + 1; }";
    let files = [("a.c", WEIGHED), ("b.c", step), ("c.c", next)];
    let (kind, _, rests) = in_any_order(&files);
    assert_eq!(kind, Kind::Parallel);
    assert_eq!(
        rests,
        [
            "next is what /project/c.c defines",
            "weigh is what /project/b.c defines"
        ]
    );
    let printing = "#include <stdio.h>\nint weigh(int); int next(int x) { puts(\"\"); return weigh(x - 1); }";
    let (kind, causes, _) = in_any_order(&[("a.c", WEIGHED), ("b.c", step), ("c.c", printing)]);
    assert_eq!(
        (kind, &*causes),
        (Kind::Sequential, &["puts does output".to_owned()][..])
    );
}

#[test]
fn files_that_call_each_other_with_causes_of_their_own_come_to_an_end() {
    let one =
        "#include <stdio.h>\nint next(int); int weigh(int x) { int y = next(x); puts(\"\"); return y; }";
    let two =
        "#include <stdlib.h>\nint weigh(int); int next(int x) { int y = weigh(x); srand(1); return y; }";
    let (kind, ..) = in_any_order(&[("a.c", WEIGHED), ("b.c", one), ("c.c", two)]);
    assert_eq!(kind, Kind::Sequential);
}

#[test]
fn what_a_declaration_promises_is_listed() {
    let promised = "int weigh(int x) __attribute__((pure));
void kernel(int n, int *restrict a) { for (int i = 0; i < n; i++) weigh(i); }";
    let (kind, _, rests) = verdict(&[("a.c", promised)]);
    assert_eq!(kind, Kind::Parallel);
    assert_eq!(rests, ["weigh has no effects, as its declaration says"]);
    // What is written in another file is believed more.
    let (kind, _, rests) = in_any_order(&[
        ("a.c", promised),
        ("b.c", "int calls; int weigh(int x) { return calls += x; }"),
    ]);
    assert_ne!(kind, Kind::Parallel);
    assert_eq!(rests, ["weigh is what /project/b.c defines"]);
}

#[test]
fn two_definitions_are_none() {
    let (kind, causes, _) = in_any_order(&[
        ("a.c", WEIGHED),
        ("b.c", "int weigh(int x) { return 3 * x; }"),
        ("c.c", "static int calls; int weigh(int x) { return calls += x; }"),
    ]);
    assert_eq!(kind, Kind::Unknown);
    assert_eq!(causes, ["nothing is known of weigh: several files define it"]);
}

#[test]
fn what_the_linker_may_replace_is_not_known() {
    for weak in [
        "__attribute__((weak)) int weigh(int x) { return x; }",
        "int weigh(int x) __attribute__((__weak__));\nint weigh(int x) { return x; }",
        "#pragma weak weigh\nint weigh(int x) { return x; }",
        "#define MAYBE __attribute__((weak))\n#define PERHAPS \\\n MAYBE\nPERHAPS int weigh(int x) { return x; }",
    ] {
        let (kind, causes, _) = in_any_order(&[("a.c", WEIGHED), ("b.c", weak)]);
        assert_eq!(kind, Kind::Unknown, "{weak}");
        assert!(causes[0].contains("linker"), "{causes:?}");
        let same_file = format!("{weak}\n{WEIGHED}");
        let (kind, causes, _) = verdict(&[("a.c", &same_file)]);
        assert_eq!(kind, Kind::Unknown, "{weak}");
        assert!(causes[0].contains("weak"), "{causes:?}");
    }
    let renamed = "int weigh(int x) __asm__(\"heavy\");
void kernel(int n, int *a) { for (int i = 0; i < n; i++) a[i] = weigh(i); }";
    let (kind, ..) = in_any_order(&[("a.c", renamed), ("b.c", "int weigh(int x) { return x; }")]);
    assert_eq!(kind, Kind::Unknown);
    // Names may have more in them than letters of ASCII, digits and `_`.
    for name in ["gr\u{f6}\u{df}e", "weigh$1"] {
        let caller = WEIGHED.replace("weigh", name);
        let plain = format!("int {name}(int x) {{ return x; }}");
        let weak = format!("__attribute__((weak)) {plain}");
        assert_eq!(
            verdict(&[("a.c", &caller), ("b.c", &plain)]).0,
            Kind::Parallel,
            "{name}"
        );
        assert_eq!(
            verdict(&[("a.c", &caller), ("b.c", &weak)]).0,
            Kind::Unknown,
            "{name}"
        );
    }
    // A comment binds nothing.
    let comment = "/* weak */ int weigh(int x) { return x; } // alias";
    assert_eq!(verdict(&[("a.c", WEIGHED), ("b.c", comment)]).0, Kind::Parallel);
}

#[test]
fn functions_with_internal_linkage_are_their_files_own() {
    let own = "static int weigh(int x) { return x; } int use(void) { return weigh(1); }";
    assert_eq!(in_any_order(&[("a.c", WEIGHED), ("b.c", own)]).0, Kind::Unknown);
    let (kind, ..) = in_any_order(&[
        ("a.c", WEIGHED),
        (
            "b.c",
            "static int calls; static int weigh(int x) { return calls += x; } int use(void) { return weigh(1); }",
        ),
        ("c.c", "int weigh(int x) { return 3 * x; }"),
    ]);
    assert_eq!(kind, Kind::Parallel);
}

#[test]
fn what_a_function_keeps_in_its_own_file_stands_in_the_way() {
    for state in [
        "static int calls; int weigh(int x) { return calls += x; }",
        "int calls; int weigh(int x) { return calls += x; }",
        "int weigh(int x) { static int calls; return calls += x; }",
    ] {
        let (kind, causes, _) = in_any_order(&[("a.c", WEIGHED), ("b.c", state)]);
        assert_ne!(kind, Kind::Parallel, "{state}");
        assert_eq!(causes[0], "weigh writes memory");
    }
    // What it only reads nobody else can write.
    let table = "static int table[4] = {1, 2, 3, 4}; int weigh(int x) { return table[x & 3]; }";
    assert_eq!(
        in_any_order(&[("a.c", WEIGHED), ("b.c", table)]).0,
        Kind::Parallel
    );
    // Unless its address is known elsewhere.
    let lent =
        "static int table[4]; int *lend(void) { return table; } int weigh(int x) { return table[x & 3]; }";
    let through_pointer = "int weigh(int x);
void kernel(int n, int *a, const int *b) { for (int i = 0; i < n; i++) a[i] = weigh(b[i]); }";
    assert_eq!(
        in_any_order(&[("a.c", through_pointer), ("b.c", lent)]).0,
        Kind::Unknown
    );
}

#[test]
fn variables_are_the_same_by_their_names_if_files_share_them() {
    let kernel = "extern int limit; void set(int);
void kernel(int n, int *restrict a) { for (int i = 0; i < limit; i++) { set(i); a[i] = 0; } }";
    let causes = |other: &str| in_any_order(&[("a.c", kernel), ("b.c", other)]).1;
    let changes = causes("int limit; void set(int x) { limit = x; }");
    assert!(
        changes.iter().any(|why| why.contains("number of iterations")),
        "{changes:?}"
    );
    let other = causes("static int limit; void set(int x) { limit = x; }");
    assert!(
        !other.iter().any(|why| why.contains("number of iterations")),
        "{other:?}"
    );
    // A callee of the same file reaches its caller's private variable.
    let back = "static int limit; void change(int x) { limit = x; } void set(int);
void kernel(int n, int *restrict a) { for (int i = 0; i < limit; i++) { set(i); a[i] = 0; } }";
    let there = "void change(int); void set(int x) { change(x); }";
    let (_, causes, _) = in_any_order(&[("a.c", back), ("b.c", there)]);
    assert!(
        causes.iter().any(|why| why.contains("number of iterations")),
        "{causes:?}"
    );
}

#[test]
fn files_with_a_main_each_are_two_programs() {
    let kernel = format!("{WEIGHED}\nint main(void) {{ return 0; }}");
    let other = "int weigh(int x) { return x; } int main(void) { return 1; }";
    assert_eq!(in_any_order(&[("a.c", &kernel), ("b.c", other)]).0, Kind::Unknown);
}

#[test]
fn files_that_cannot_be_read_say_nothing() {
    let mut sources = Sources::new();
    sources.insert("/project/a.c".as_ref(), WEIGHED.as_bytes().to_vec());
    sources.insert(
        "/project/b.c".as_ref(),
        b"int weigh(int x) { return x; }".to_vec(),
    );
    let jobs = ["/project/a.c", "/project/none.c", "/project/b.c"].map(|path| Job::new(path, &[]));
    let loaded = load(&mut sources, &jobs, &Options::default());
    let units: Vec<Option<&Unit>> = loaded.units.iter().map(|unit| unit.unit.as_ref().ok()).collect();
    assert!(units[1].is_none());
    let outside = link(&units, Vec::new(), &sources, &[]);
    assert_eq!((outside[0].functions.len(), outside[2].functions.len()), (1, 0));
    // The file that could not be read may be the one that defines it.
    let unread = [("none.c".to_owned(), b"int weigh(int x) {".to_vec())];
    let outside = link(&units[..2], Vec::new(), &sources, &unread);
    let effect = outside[0].functions.values().next().unwrap();
    let why = "nothing is known of weigh: none.c could not be read";
    assert_eq!(effect.external.as_deref(), Some(why));
}

/// What a file has registered for the end of the program is what `exit` touches in all of them.
#[test]
fn what_is_registered_for_the_end_of_the_program_is_touched_by_exit() {
    let ends =
        "#include <stdlib.h>\nextern double field[8]; extern double other[8]; void stop(void) { exit(1); }";
    let effect = |registering: &str| {
        let mut sources = Sources::new();
        let texts = [("/project/a.c", ends), ("/project/b.c", registering)];
        for (path, text) in texts {
            sources.insert(path.as_ref(), text.as_bytes().to_vec());
        }
        let jobs = texts.map(|(path, _)| Job::new(path, &[]));
        let loaded = load(&mut sources, &jobs, &Options::default());
        let units: Vec<Option<&Unit>> = loaded.units.iter().map(|unit| unit.unit.as_ref().ok()).collect();
        let outside = link(&units, Vec::new(), &sources, &[]);
        let unit = units[0].unwrap();
        let stop = unit
            .functions()
            .find(|(_, function)| function.name == "stop")
            .unwrap()
            .0;
        let effect = Effects::of_linked(unit, &outside[0]).get(stop).clone();
        let names = effect
            .reads
            .globals
            .iter()
            .map(|id| unit.global(*id).name.clone());
        (names.collect::<Vec<_>>(), effect.reads.anything, effect.external)
    };
    let registers = |what: &str| {
        format!(
            "#include <stdlib.h>\ndouble field[8], other[8], sum; static void add(void) {{ for (int i = 0; i < 8; i++) sum += field[i]; }}
static void end(void) {{ add(); }} void begin(void (*given)(void)) {{ {what}; }}"
        )
    };
    let external = Some("exit ends the program".to_owned());
    assert_eq!(effect(&registers("given()")), (vec![], false, external.clone()));
    assert_eq!(
        effect(&registers("atexit(end)")),
        (vec!["field".to_owned()], false, external.clone())
    );
    // Any function, or one that the text does not name there.
    assert_eq!(
        effect(&registers("atexit(given)")),
        (vec![], true, external.clone())
    );
    let attribute = "double field[8], other[8]; __attribute__((destructor)) void end(void) {}";
    assert_eq!(effect(attribute), (vec![], true, external));
}

#[test]
fn a_definition_that_was_not_understood_may_do_anything() {
    let (kind, ..) = in_any_order(&[
        ("a.c", WEIGHED),
        ("b.c", "int weigh(int x) { return no_such_thing; }"),
    ]);
    assert_eq!(kind, Kind::Unknown);
}
