//! Does `ferry check --fix` mend the programs of `tests/checks`, and does what it writes do what the program does without directives?
//!
//! Every program with a marker, and every wrong one of the rules' pages, is mended in a copy. What was mended is compiled by gcc and clang without a warning and
//! runs on the second memory; it has to print what the sequential program prints. What is not mended is listed here with the reason, and has to stay so: who
//! mends it takes it off the list.
//!
//! `FERRY_PROGRAMS` takes words; only programs whose names contain one of them are mended.

use crate::common;

use common::{check_programs, ferry_in, flag, folder, status, stderr, stdout, valid_json, with};
use ferry_judges::compare::difference;
use ferry_judges::compilers::Language;
use ferry_judges::gcc_memory::{DeviceCode, GccMemory};
use ferry_judges::races::{Races, SHAPES};
use ferry_judges::second_memory::Settings;
use ferry_judges::sequential::{Compiler, Sequential};
use ferry_judges::together::Together;
use ferry_judges::{Program, on_two_threads};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is found and not mended: program, why.
const NOT_MENDED: &[(&str, &str)] = &[
    ("not-on-the-device/address_of_the_host", WHICH_ADDRESS),
    ("not-on-the-device/array_of_the_host", WHICH_ADDRESS),
    ("not-on-the-device/acc_address_of_the_host", WHICH_ADDRESS),
    (
        "directive-contradicts-dependence/regions_that_nest",
        "no clause is proposed in a region inside of another one",
    ),
    (
        "stale-device-read/pointer_mapped_by_another_name",
        "another clause would have to name what the pointer leads to",
    ),
    (
        "unattached-pointer/between_functions",
        "what `enter data` puts there by one more clause would have to be counted down again",
    ),
    (
        "stale-device-read/pointer_member",
        "the value of a pointer means nothing in the other memory: what it leads to now has to be mapped through it",
    ),
    (
        "shallow-struct/array_on_the_heap",
        "each structure would need a section of its own",
    ),
    (
        "unattached-pointer/rows",
        "each row would need a section of its own",
    ),
    (
        "scalar-change-lost/acc_scalar_of_the_caller",
        "the caller has put it on the device: `copy` in the region brings nothing back, an `update` would be needed, too",
    ),
    (
        "directive-contradicts-dependence/scratch_under_conditions",
        "a function that is called through a pointer may do anything: it is not shown that the clause is enough",
    ),
    (
        "directive-contradicts-dependence/diagonal",
        "the loop is not parallel",
    ),
    (
        "directive-contradicts-dependence/another_operator",
        "a clause that is there gets no other operator",
    ),
    (
        "directive-contradicts-dependence/appended",
        "`atomic capture` is not tried",
    ),
    (
        "directive-contradicts-dependence/place_of_the_greatest",
        "a critical region is not tried",
    ),
    (
        "directive-contradicts-dependence/spreads_where_data_let",
        "the loop is not parallel",
    ),
    (
        "directive-contradicts-dependence/counts_of_threads",
        "it is not known that the elements are counts to be added up",
    ),
    (
        "directive-contradicts-dependence/reduction_of_the_loop_inside",
        "the sum is reduced by a loop inside already",
    ),
    (
        "directive-contradicts-dependence/distance_of_the_caller",
        "the loop is not parallel",
    ),
    (
        "directive-contradicts-dependence/first_element",
        "the loop is not parallel",
    ),
    (
        "directive-contradicts-dependence/histogram",
        "updates of elements by atomic operations are not written",
    ),
    (
        "page directive-contradicts-dependence",
        "updates of elements by atomic operations are not written",
    ),
    (
        "directive-contradicts-dependence/symbolic_distance",
        "the loop is not parallel",
    ),
    (
        "directive-contradicts-dependence/one_value_by_all",
        "the variable is read behind the loop, and `lastprivate` is not tried",
    ),
    (
        "directive-contradicts-dependence/threadprivate_pointers_to_one_array",
        "an array of its own for each thread is not tried",
    ),
    (
        "directive-contradicts-dependence/reset_and_filled",
        "an array of its own for each iteration is not tried",
    ),
    (
        "directive-contradicts-dependence/set_and_looked_at",
        "the loop is not parallel",
    ),
    (
        "directive-contradicts-dependence/outer_loop_of_a_matrix",
        "the loop is not parallel",
    ),
    (
        "directive-contradicts-dependence/prefix_sum",
        "the loop is not parallel",
    ),
    ("enter-without-exit/early_return", "one exit is not enough"),
    (
        "freed-while-mapped/destroy_function",
        "the section has no name where it is freed",
    ),
    (
        "host-write-overwritten/boundary_rows",
        "two sections have to be updated at once",
    ),
    ("host-write-overwritten/struct_member", ONE_CALL),
    ("not-on-the-device/array_of_pointers", EACH_ITS_OWN),
    ("shallow-struct/array_of_structs", EACH_ITS_OWN),
    (
        "missing-barrier/between_teams",
        "teams cannot wait for one another",
    ),
    (
        "missing-barrier/set_by_the_master",
        "no clause says that nobody waits",
    ),
    (
        "missing-barrier/two_sections",
        "which of the sections is meant is not known",
    ),
    ("page missing-barrier", "no clause says that nobody waits"),
    (
        "present-missing/acc_shorter_in_a_queue",
        "what is there is too short, and a call brought it",
    ),
    (
        "present-missing/longer_than_mapped",
        "what is there is too short, and was mapped elsewhere",
    ),
    (
        "paper/pips_1_1_result_too_small",
        "the loop itself runs over the end",
    ),
    (
        "present-missing/left_before",
        "present of update has nothing that could map",
    ),
    (
        "present-missing/update_of_absent_data",
        "present of update has nothing that could map",
    ),
    (
        "section-beyond-object/result_one_past_the_end",
        "the loop itself runs over the end",
    ),
    (
        "unordered-tasks/children_of_children",
        "a `taskwait` there would not wait for it, and a `taskgroup` has to stand around several statements",
    ),
    (
        "unordered-tasks/tasks_in_a_loop",
        "whether an atomic update, a reduction or a task after the other is meant is not known",
    ),
    (
        "directive-contradicts-dependence/taskloop",
        "no clause is proposed for `taskloop`",
    ),
    ("partial-overlap/shifted_windows", ONE_CALL),
    ("pointer-without-section/global_pointer", ONE_CALL),
    ("section-beyond-object/whole_pitch", ONE_CALL),
    ("section-too-short/neighbours_of_a_stencil", ONE_CALL),
    ("section-too-short/rows_instead_of_elements", ONE_CALL),
];

/// Rules whose findings are not mended, and why.
const NOT_MENDED_RULES: &[(&str, &str)] = &[
    (
        "atomic-and-plain",
        "whether the plain access or the atomic one is meant is not known",
    ),
    ("different-locks", "which of the locks is meant is not known"),
    (
        "unprotected-update",
        "whether an atomic update, a reduction or a lock is meant is not known",
    ),
    (
        "host-access-through-device-pointer",
        "whether a copy or a region of the device is meant is not known",
    ),
];

/// Programs of these rules whose findings are mended all the same: what nothing outside of a region knows is `private`.
const MENDED: &[&str] = &["unprotected-update/scratch_of_all_threads"];

const WHICH_ADDRESS: &str = "whether a mapping is meant, or an address on the device, is not known";

const ONE_CALL: &str = "only numbers that hold for one call would say the section";

const EACH_ITS_OWN: &str = "each pointer needs a mapping of its own";

/// Programs linked together.
const GROUP: usize = 12;

/// The programs with a defect: name and text.
fn defects() -> Vec<(String, String)> {
    let programs = check_programs().into_iter();
    let mut found: Vec<(String, String)> = programs
        .map(|(name, file)| (name, fs::read_to_string(file).unwrap()))
        .collect();
    for page in fs::read_dir(folder("crates/checks/pages")).unwrap() {
        let page = page.unwrap().path();
        let text = fs::read_to_string(&page).unwrap();
        let wrong = text
            .split("```c\n")
            .nth(1)
            .and_then(|block| block.split("```").next());
        let name = format!("page {}", page.file_stem().unwrap().display());
        found.push((name, wrong.unwrap().to_owned()));
    }
    found.retain(|(_, text)| text.contains("// finds:"));
    found.sort();
    if let Ok(words) = std::env::var("FERRY_PROGRAMS") {
        found.retain(|(name, _)| words.split_whitespace().any(|word| name.contains(word)));
    }
    found
}

/// A mended program.
struct Mended {
    name: String,
    old: PathBuf,
    new: PathBuf,
    openacc: bool,
    only_clang: bool,
    races: bool,
}

/// Mends a copy of a program; `None` if nothing is found in it, an error if something is wrong with what is left.
fn mend(scratch: &Path, number: usize, name: &str, text: &str) -> Result<Option<Mended>, String> {
    let file = |kind: &str| scratch.join(format!("p{number}_{kind}.c"));
    let (old, new) = (file("old"), file("new"));
    fs::write(&old, text).unwrap();
    fs::write(&new, text).unwrap();
    let path = new.file_name().unwrap().to_str().unwrap();
    let run = |arguments: &[&str]| {
        let after = ["--threads", "1", path, "--", flag(text)];
        ferry_in(scratch, [&["check"][..], arguments, &after[..]].concat())
    };
    if status(&run(&[])) == 0 {
        return Ok(None);
    }
    let output = run(&["--fix"]);
    let of_rule = |rule: &str| name.starts_with(&format!("{rule}/")) || name == format!("page {rule}");
    let by_rule = NOT_MENDED_RULES.iter().any(|one| of_rule(one.0)) && !MENDED.contains(&name);
    let is_listed = by_rule || NOT_MENDED.iter().any(|one| one.0 == name);
    match (status(&output), is_listed) {
        (0, true) => return Err(format!("{name} is mended now; take it off the list")),
        (1, true) => return Ok(None),
        (0, false) => {}
        _ => {
            return Err(format!(
                "{name} is not mended:\n{}{}",
                stderr(&output),
                stdout(&output)
            ));
        }
    }
    // Again there is nothing to do.
    let again = run(&["--diff"]);
    if status(&again) != 0 || !again.stdout.is_empty() {
        return Err(format!("{name}: mended again, there is more to do"));
    }
    Ok(Some(Mended {
        name: name.to_owned(),
        old,
        new,
        openacc: text.contains("#pragma acc"),
        only_clang: text.contains("// compiler: clang"),
        races: text.contains("// judge: race"),
    }))
}

/// What gcc says of a mended program.
fn warnings(one: &Mended) -> String {
    if one.only_clang {
        return String::new();
    }
    let flag = if one.openacc { "-fopenacc" } else { "-fopenmp" };
    let gcc = &ferry_judges::Toolchain::find().unwrap().gcc;
    let output = Command::new(gcc)
        .args(["-Wall", "-fsyntax-only", flag])
        .arg(&one.new)
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A race that a mended program still has.
fn race(program: &Program) -> Result<Option<String>, ferry_judges::Error> {
    let built = Races::build(program)?;
    for shape in SHAPES {
        if let Some(race) = built.run(&[], shape)? {
            return Ok(Some(race));
        }
    }
    Ok(None)
}

/// What is wrong with the mended programs of one group.
fn judge(group: &[Mended]) -> Vec<String> {
    let programs: Vec<Program> = group
        .iter()
        .map(|one| Program::new(&one.new).with_flags(["-Wall"]))
        .collect();
    let openacc = group.first().is_some_and(|one| one.openacc);
    let together = (!openacc).then(|| Together::build(&programs));
    let together = match together.transpose() {
        Ok(together) => together,
        Err(error) => return vec![error.to_string()],
    };
    let mut wrong = Vec::new();
    for (index, one) in group.iter().enumerate() {
        let mut say = |what: String| {
            wrong.push(format!(
                "{}: {what}\n{}",
                one.name,
                fs::read_to_string(&one.new).unwrap()
            ))
        };
        let sequential =
            Sequential::build(&Program::new(&one.old), Compiler::Gcc).and_then(|built| built.run(&[]));
        let observed = match &together {
            Some(together) => together.run(index, &Settings::default()),
            None => GccMemory::build(&programs[index], Language::OpenAcc, DeviceCode::LeftOut)
                .and_then(|built| built.run(&[])),
        };
        let clang = together.as_ref().map_or("", |together| together.messages(index));
        for line in clang.lines().chain(warnings(one).lines()) {
            // A variable that bounded a section may have no other use.
            let is_meant = ["error:", "warning:"].iter().any(|kind| line.contains(kind));
            if is_meant && !line.contains("unused variable") {
                say(line.to_owned());
            }
        }
        if one.races {
            match race(&programs[index]) {
                Ok(None) => {}
                Ok(Some(race)) => say(race),
                Err(error) => say(error.to_string()),
            }
        }
        match (sequential, observed) {
            (Ok(sequential), Ok(observed)) => {
                let seen = difference(&sequential, &observed.outcome);
                if let Some(seen) = seen.or_else(|| observed.violations.first().cloned()) {
                    say(seen);
                }
            }
            (Err(error), _) | (_, Err(error)) => say(error.to_string()),
        }
    }
    wrong
}

#[test]
fn mended_programs_do_what_they_do_without_directives() {
    let scratch = tempfile::tempdir().unwrap();
    let defects = defects();
    let mut wrong = Vec::new();
    let mut mended = Vec::new();
    let jobs = defects.iter().enumerate().map(|(number, (name, text))| {
        let scratch = scratch.path();
        Box::new(move || mend(scratch, number, name, text))
            as Box<dyn FnOnce() -> Result<Option<Mended>, String> + Send>
    });
    for result in on_two_threads(jobs.collect()) {
        match result {
            Ok(one) => mended.extend(one),
            Err(why) => wrong.push(why),
        }
    }
    let count = mended.len();
    let (openacc, openmp): (Vec<Mended>, Vec<Mended>) = mended.into_iter().partition(|one| one.openacc);
    // Neighbours may define the same names.
    let several = openmp.len().div_ceil(GROUP);
    let mut groups: Vec<Vec<Mended>> = (0..several).map(|_| Vec::new()).collect();
    for (number, one) in openmp.into_iter().enumerate() {
        groups[number % several].push(one);
    }
    groups.push(openacc);
    let jobs = groups
        .iter()
        .map(|group| Box::new(move || judge(group)) as Box<dyn FnOnce() -> Vec<String> + Send>);
    wrong.extend(on_two_threads(jobs.collect()).into_iter().flatten());
    assert!(
        wrong.is_empty(),
        "{} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    if std::env::var_os("FERRY_PROGRAMS").is_none() {
        assert!(count > 98, "{count} programs were mended");
        let names: BTreeSet<&str> = defects.iter().map(|(name, _)| name.as_str()).collect();
        for (name, _) in NOT_MENDED {
            assert!(names.contains(name), "there is no {name}");
        }
    }
}

/// A program with two defects of one array.
const TWO: &str = "\
#include <stdio.h>

int main(void)
{
    int n = 64, a[64];
    for (int i = 0; i < n; i++)
        a[i] = i;
    #pragma omp target data map(alloc: a)
    {
        #pragma omp target teams distribute parallel for
        for (int i = 0; i < n; i++)
            a[i] += 1;
        printf(\"%d\\n\", a[9]);
    }
    return 0;
}
";

#[test]
fn a_patch_makes_what_fix_writes_and_writes_nothing() {
    let scratch = with(TWO);
    let patch = ferry_in(scratch.path(), ["check", "--diff", "a.c"]);
    assert_eq!(status(&patch), 1);
    assert_eq!(fs::read_to_string(scratch.path().join("a.c")).unwrap(), TWO);
    assert!(stderr(&patch).contains("2 of 2 fixed"), "{}", stderr(&patch));
    let fixed = with(TWO);
    let output = ferry_in(fixed.path(), ["check", "--fix", "a.c"]);
    assert_eq!(status(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let text = fs::read_to_string(fixed.path().join("a.c")).unwrap();
    assert!(text.contains("target data map(to: a)"), "{text}");
    assert!(
        text.contains("#pragma omp target update from(a[9:1])\n        printf"),
        "{text}"
    );
    fs::write(scratch.path().join("patch"), &patch.stdout).unwrap();
    let applied = Command::new("patch")
        .args(["-p1", "-s", "-i", "patch"])
        .current_dir(scratch.path())
        .status()
        .unwrap();
    assert!(applied.success());
    assert_eq!(fs::read_to_string(scratch.path().join("a.c")).unwrap(), text);
}

#[test]
fn json_has_the_edits_of_each_fix() {
    let scratch = with(TWO);
    let output = ferry_in(scratch.path(), ["check", "--format", "json", "a.c"]);
    let report = valid_json(&stdout(&output));
    let findings = report["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 2);
    let mut text = TWO.to_owned();
    // From behind, so that places stay.
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    for finding in findings {
        let fixes = finding["fixes"].as_array().unwrap();
        assert_eq!(fixes.len(), 1, "{finding}");
        let number = |name: &str| usize::try_from(fixes[0][name].as_u64().unwrap()).unwrap();
        edits.push((
            number("start"),
            number("end"),
            fixes[0]["text"].as_str().unwrap().to_owned(),
        ));
    }
    edits.sort();
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, &new);
    }
    fs::write(scratch.path().join("a.c"), &text).unwrap();
    let output = ferry_in(scratch.path(), ["check", "a.c"]);
    assert_eq!(status(&output), 0, "{text}\n{}", stdout(&output));
}

#[test]
fn what_is_allowed_or_known_is_not_mended() {
    let allowed = TWO.replace(
        "        printf",
        "        // ferry: allow(stale-host-read) the old value is wanted\n        printf",
    );
    let scratch = with(&allowed);
    let output = ferry_in(scratch.path(), ["check", "--fix", "a.c"]);
    assert_eq!(status(&output), 0, "{}", stdout(&output));
    let text = fs::read_to_string(scratch.path().join("a.c")).unwrap();
    assert!(text.contains("map(to: a)") && !text.contains("update"), "{text}");
    let known = ferry_in(scratch.path(), ["check", "--diff", "a.c"]);
    assert!(known.stdout.is_empty() && status(&known) == 0);
}

#[test]
fn nothing_is_written_without_need_or_with_an_error() {
    for text in [
        "int f(int n)\n{\n    return n;\n}\n",
        "int f(int n)\n{\n    return n +;\n}\n",
    ] {
        let scratch = with(text);
        let before = fs::metadata(scratch.path().join("a.c"))
            .unwrap()
            .modified()
            .unwrap();
        let output = ferry_in(scratch.path(), ["check", "--fix", "a.c"]);
        assert_eq!(status(&output) == 2, text.contains("+;"));
        assert_eq!(
            fs::metadata(scratch.path().join("a.c"))
                .unwrap()
                .modified()
                .unwrap(),
            before
        );
    }
    let scratch = with(TWO);
    let both = ferry_in(scratch.path(), ["check", "--fix", "--diff", "a.c"]);
    assert_eq!(status(&both), 2);
    let json = ferry_in(scratch.path(), ["check", "--diff", "--format", "json", "a.c"]);
    assert_eq!(status(&json), 2);
}

#[test]
fn lines_keep_their_ends_and_blanks() {
    let text = TWO.replace("    ", "\t").replace('\n', "\r\n");
    let scratch = with(&text);
    let output = ferry_in(scratch.path(), ["check", "--fix", "a.c"]);
    assert_eq!(status(&output), 0, "{}", stdout(&output));
    let new = fs::read_to_string(scratch.path().join("a.c")).unwrap();
    assert!(
        new.contains("\r\n\t\t#pragma omp target update from(a[9:1])\r\n\t\tprintf"),
        "{new:?}"
    );
    assert_eq!(new.matches('\n').count(), new.matches("\r\n").count());
}

#[test]
fn no_pointer_is_copied_to_the_other_memory() {
    // The device's `view` has to point to the device's table; the host's address would end the kernel.
    let text = "\
#include <stdio.h>
static int table[100];
#pragma omp declare target
static int *view;
#pragma omp end declare target

int main(void)
{
    view = table;
    #pragma omp target enter data map(to: table)
    #pragma omp target
    {
        view[3] = 1;
        table[2] = 2;
    }
    #pragma omp target exit data map(from: table)
    printf(\"%d\\n\", table[3]);
    return 0;
}
";
    let scratch = with(text);
    let output = ferry_in(scratch.path(), ["check", "--fix", "a.c"]);
    assert_eq!(status(&output), 1);
    assert!(
        stdout(&output).contains("error[stale-device-read]: `view`"),
        "{}",
        stdout(&output)
    );
    assert_eq!(fs::read_to_string(scratch.path().join("a.c")).unwrap(), text);
}

#[test]
fn the_end_of_a_pointers_mapping_is_not_taken_out() {
    // The section stays on the device for ever; that the directive does nothing is no reason to have none.
    let text = "\
void give(double *buf, unsigned long n)
{
    #pragma omp target enter data map(to: buf[0:n])
}
void take(double *buf)
{
    #pragma omp target exit data map(delete: buf)
}
";
    let scratch = with(text);
    let output = ferry_in(scratch.path(), ["check", "--fix", "a.c"]);
    assert_eq!(status(&output), 1);
    let said = stdout(&output);
    assert!(said.contains("warning[exit-without-enter]: `buf`"), "{said}");
    assert!(
        said.contains("what it points to is a section: `buf[…]`"),
        "{said}"
    );
    assert_eq!(fs::read_to_string(scratch.path().join("a.c")).unwrap(), text);
}
