//! Each judge is seen failing on a planted bug, and the same program without the bug passes.
//!
//! The programs in `programs/` are original and annotated text in one: compiled without directives they are the
//! original. A bug is planted with a `-D` flag.

use std::path::Path;

use ferry_judges::compilers::Language;
use ferry_judges::second_memory::Moved;
use ferry_judges::{Expectations, ExpectedRun, Judge, Program, Verdict, judge};

fn program(name: &str) -> Program {
    Program::new(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/programs")
            .join(name),
    )
}

fn verdict(name: &str, flags: &[&str], expectations: &Expectations) -> Verdict {
    let annotated = program(name).with_flags(flags.iter().copied());
    judge(&annotated, &annotated, expectations).unwrap()
}

/// The judge that must complain, and no judge before it in rank says the original is broken.
fn red(name: &str, flags: &[&str], by: Judge) -> Verdict {
    let verdict = verdict(name, flags, &Expectations::default());
    assert!(
        verdict.complains(by),
        "{name} {flags:?}: {by:?} should complain, but: {verdict}"
    );
    assert!(!verdict.complains(Judge::Original), "{name} {flags:?}: {verdict}");
    verdict
}

fn green(name: &str, flags: &[&str], kernels: u64) -> Verdict {
    let verdict = verdict(name, flags, &Expectations::kernels(kernels));
    assert!(verdict.passed(), "{name} {flags:?}: {verdict}");
    verdict
}

#[test]
fn right_programs_pass() {
    let verdict = green("vector.c", &[], 1);
    let bytes = 1001 * 4;
    use ferry_judges::second_memory::DataKind::{FromDevice, ToDevice};
    assert_eq!(
        verdict.observed[0].moved(ToDevice),
        Moved {
            count: 2,
            bytes: 2 * bytes
        }
    );
    assert_eq!(verdict.observed[0].moved(FromDevice), Moved { count: 1, bytes });
    assert!(verdict.observed[0].kernels[0].stack_hidden);
    assert_eq!(verdict.observed[0].kernels[0].line, 10);
    green("structure.c", &[], 1);
    green("storage.c", &[], 1);
    green("storage.c", &["-DSTACK"], 1);
    green("storage.c", &["-DSTACK", "-DWRITES"], 1);
    green("environment.c", &[], 2);
    green("sum.c", &[], 1);
    green("sum.c", &["-DTEAMS"], 1);
    green("sum.c", &["-DHOST"], 0);
    green("halves.c", &[], 1);
    green("bounds.c", &[], 1);
}

#[test]
fn an_array_allocated_instead_of_copied_in_is_seen() {
    red(
        "vector.c",
        &["-DMAP=map(alloc:x[0:n]) map(tofrom:y[0:n])"],
        Judge::SecondMemory,
    );
}

#[test]
fn an_array_that_is_not_copied_back_is_seen() {
    red("vector.c", &["-DMAP=map(to:x[0:n],y[0:n])"], Judge::SecondMemory);
}

#[test]
fn an_array_that_is_only_copied_back_is_seen() {
    red(
        "vector.c",
        &["-DMAP=map(to:x[0:n]) map(from:y[0:n])"],
        Judge::SecondMemory,
    );
}

#[test]
fn a_section_too_short_is_seen() {
    red(
        "vector.c",
        &["-DMAP=map(to:x[0:n-1]) map(tofrom:y[0:n])"],
        Judge::SecondMemory,
    );
    red(
        "vector.c",
        &["-DMAP=map(to:x[1:n-1]) map(tofrom:y[0:n])"],
        Judge::SecondMemory,
    );
    let verdict = red(
        "vector.c",
        &["-DMAP=map(to:x[0:n]) map(tofrom:y[0:n-1])"],
        Judge::SecondMemory,
    );
    assert!(
        verdict
            .to_string()
            .contains("wrote outside a mapped section of 4000 bytes"),
        "{verdict}"
    );
}

#[test]
fn an_unmapped_pointer_is_seen() {
    red("vector.c", &["-DMAP=map(tofrom:y[0:n])"], Judge::SecondMemory);
    let verdict = red("vector.c", &["-DMAP=map(to:x[0:n])"], Judge::SecondMemory);
    assert!(
        verdict.to_string().contains("of host memory, in heap block 2"),
        "{verdict}"
    );
}

#[test]
fn variables_that_functions_find_through_pointers_are_seen_if_they_are_not_mapped() {
    green("link.c", &[], 6);
    for unmapped in [
        "-DMAP=map(to:shift) map(from:seen)",
        "-DMAP=map(to:table) map(from:seen)",
        "-DMAP=map(to:table,shift)",
    ] {
        let verdict = red("link.c", &[unmapped], Judge::SecondMemory);
        assert!(verdict.complains(Judge::GccMemory), "{unmapped}: {verdict}");
    }
    // gcc takes the beginning of the section for that of the array, clang does not.
    for part in [
        "-DMAP=map(to:table[2:1],shift) map(from:seen)",
        "-DALSO=map(to:table[2:1])",
    ] {
        let verdict = red("link.c", &[part], Judge::GccMemory);
        assert!(!verdict.complains(Judge::SecondMemory), "{part}: {verdict}");
    }
}

#[test]
fn a_shallow_struct_is_seen() {
    let verdict = red("structure.c", &["-DSHALLOW"], Judge::SecondMemory);
    assert!(
        verdict.to_string().contains("of host memory, in heap block 1"),
        "{verdict}"
    );
}

#[test]
fn unmapped_static_storage_is_seen() {
    red("storage.c", &["-DUNMAPPED"], Judge::SecondMemory);
    let verdict = red("storage.c", &["-DUNMAPPED", "-DWRITES"], Judge::SecondMemory);
    assert!(
        verdict
            .to_string()
            .contains("wrote 308 bytes of host memory, in global table"),
        "{verdict}"
    );
}

#[test]
fn unmapped_automatic_storage_is_seen() {
    red("storage.c", &["-DSTACK", "-DUNMAPPED"], Judge::SecondMemory);
    let verdict = red(
        "storage.c",
        &["-DSTACK", "-DUNMAPPED", "-DWRITES"],
        Judge::SecondMemory,
    );
    assert!(
        verdict.to_string().contains("of host memory, in stack"),
        "{verdict}"
    );
}

#[test]
fn a_missing_update_is_seen() {
    red("environment.c", &["-DNO_UPDATE_FROM"], Judge::SecondMemory);
    red("environment.c", &["-DNO_UPDATE_TO"], Judge::SecondMemory);
}

#[test]
fn a_missing_reduction_is_a_race() {
    red("sum.c", &["-DNO_REDUCTION"], Judge::Races);
    red("sum.c", &["-DNO_REDUCTION", "-DHOST"], Judge::Races);
}

#[test]
fn a_race_across_teams_is_seen() {
    let verdict = red("sum.c", &["-DNO_REDUCTION", "-DTEAMS"], Judge::Races);
    assert!(
        verdict.to_string().contains("with 3 teams: data race"),
        "{verdict}"
    );
}

#[test]
fn two_iterations_that_write_one_element_are_a_race() {
    red("halves.c", &["-DBOTH"], Judge::Races);
}

#[test]
fn an_overflow_in_a_map_clause_is_seen() {
    let verdict = red("bounds.c", &["-DOVERFLOWS"], Judge::Undefined);
    assert!(
        verdict.to_string().contains("signed integer overflow"),
        "{verdict}"
    );
}

#[test]
fn a_condition_is_judged_both_ways_and_kernels_are_counted() {
    let both = Expectations::kernels(1).with_run(["overlap"], Some(0));
    let result = verdict("condition.c", &[], &both);
    assert!(result.passed(), "{result}");
    let wrong = Expectations::kernels(2).with_run(["overlap"], Some(1));
    let result = verdict("condition.c", &[], &wrong);
    assert_eq!(result.findings.len(), 2, "{result}");
    assert!(result.complains(Judge::Movement), "{result}");
}

#[test]
fn predicted_transfers_are_compared() {
    let bytes = 1001 * 4;
    let run = |to, from| ExpectedRun {
        transfers: Some((to, from)),
        ..ExpectedRun::default()
    };
    let right = run(
        Moved {
            count: 2,
            bytes: 2 * bytes,
        },
        Moved { count: 1, bytes },
    );
    let wrong = run(
        Moved {
            count: 2,
            bytes: 2 * bytes - 4,
        },
        Moved { count: 2, bytes },
    );
    let expect = |run| Expectations {
        runs: vec![run],
        ..Expectations::default()
    };
    let result = verdict("vector.c", &[], &expect(right));
    assert!(result.passed(), "{result}");
    let result = verdict("vector.c", &[], &expect(wrong));
    assert_eq!(
        result
            .findings
            .iter()
            .filter(|finding| finding.judge == Judge::Movement)
            .count(),
        2,
        "{result}"
    );
}

#[test]
fn openacc_is_run_on_the_host() {
    let acc = Expectations::default().in_language(Language::OpenAcc);
    let result = verdict("accelerator.c", &[], &acc);
    assert!(result.passed(), "{result}");
    let result = verdict("accelerator.c", &["-DLOST"], &acc);
    assert!(result.complains(Judge::OpenAcc), "{result}");
}

#[test]
fn an_annotated_program_that_does_not_compile_is_a_finding() {
    let annotated = program("vector.c").with_flags(["-DMAP=map(sideways:x)"]);
    let result = judge(&program("vector.c"), &annotated, &Expectations::default()).unwrap();
    assert!(
        result.complains(Judge::Compilers) && result.complains(Judge::SecondMemory),
        "{result}"
    );
}

#[test]
fn an_ill_defined_original_judges_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("who.c");
    let text = "#include <stdio.h>\nint main(void) {\n#ifdef __clang__\nputs(\"clang\");\n#else\nputs(\"gcc\");\n#endif\nreturn 0; }\n";
    std::fs::write(&source, text).unwrap();
    let program = Program::new(source);
    let result = judge(&program, &program, &Expectations::default()).unwrap();
    assert!(result.complains(Judge::Original), "{result}");
}

/// gcc's run time is another one: it sets pointers of whole structures only, and looks up other pointers first.
#[test]
fn what_only_gcc_gets_wrong_is_seen() {
    green("member.c", &[], 1);
    let verdict = red("member.c", &["-DPART"], Judge::GccMemory);
    assert!(!verdict.complains(Judge::SecondMemory), "{verdict}");
    let verdict = red("member.c", &["-DOTHER"], Judge::GccMemory);
    assert!(!verdict.complains(Judge::SecondMemory), "{verdict}");
}

#[test]
fn a_wrong_data_clause_of_openacc_is_seen() {
    let openacc = Expectations::default().in_language(Language::OpenAcc);
    let right = verdict("member.c", &[], &openacc);
    assert!(right.passed(), "{right}");
    for flag in ["-DPART", "-DALLOCATED"] {
        let wrong = verdict("member.c", &[flag], &openacc);
        assert!(wrong.complains(Judge::GccMemory), "{flag}: {wrong}");
        assert!(!wrong.complains(Judge::OpenAcc), "{flag}: {wrong}");
    }
}
