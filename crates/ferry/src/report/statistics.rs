//! How do the numbers of pairs and of answers read, of one loop and of all?

use super::model::TestsReport;
use std::fmt::Write;

/// What came of pairs of accesses.
const OUTCOMES: [(&str, &str); 11] = [
    ("reduction", "updates of a reduction"),
    ("other_storage", "never the same storage"),
    ("overlap_test", "apart if pointers are"),
    ("tests", "apart in different iterations"),
    ("rows", "apart if rows are"),
    ("copies", "each iteration its own copy"),
    ("atomic", "updates by one operation, made atomic"),
    ("section", "updates of a section, combined"),
    ("condition", "apart under a condition on values"),
    ("carried", "certainly dependent"),
    ("open", "not decided"),
];

/// The tests, in the order in which they are asked.
const TESTS: [(&str, &str); 9] = [
    ("constant", "by a constant distance"),
    ("common_divisor", "by a common divisor"),
    ("single_variable", "by the distance in iterations"),
    (
        "symbolic_coefficient",
        "by the distance in iterations of unknown length",
    ),
    ("subscripts", "by subscripts"),
    ("ranges", "by ranges of addresses"),
    ("strides", "by strides"),
    ("cases", "case by case"),
    ("integer_sets", "by integer sets"),
];

/// How the accesses of one loop were tested.
pub fn of_loop(tests: &TestsReport, out: &mut String) {
    if tests.pairs == 0 {
        out.push_str("    no pairs of accesses had to be compared\n");
        return;
    }
    let outcomes = OUTCOMES
        .iter()
        .filter_map(|(name, how)| Some(format!("{} {how}", tests.outcomes.get(name)?)));
    let outcomes: Vec<String> = outcomes.collect();
    let _ = writeln!(
        out,
        "    pairs of accesses that were compared: {}; {}",
        tests.pairs,
        outcomes.join(", ")
    );
    if tests.asked == 0 {
        return;
    }
    let mut decided = Vec::new();
    for (name, how) in TESTS {
        let (no, yes) = (tests.independent.get(name), tests.dependent.get(name));
        decided.extend(no.map(|count| format!("{count} {how}: no")));
        decided.extend(yes.map(|count| format!("{count} {how}: yes")));
    }
    if tests.undecided > 0 {
        decided.push(format!("{} not decided", tests.undecided));
    }
    let _ = writeln!(
        out,
        "    questions whether two meet in different iterations: {}; {}",
        tests.asked,
        decided.join(", ")
    );
}

/// How the accesses of all loops were tested, as two tables.
pub fn of_all(loops: usize, tests: &TestsReport) -> String {
    let mut out = format!(
        "\npairs of accesses that were compared in {loops} loops: {}\n",
        tests.pairs
    );
    for (name, how) in OUTCOMES {
        let _ = writeln!(out, "  {how:<48} {:>8}", tests.outcomes.get(name).unwrap_or(&0));
    }
    let _ = writeln!(
        out,
        "questions whether two meet in different iterations: {}",
        tests.asked
    );
    let _ = writeln!(out, "  {:<48} {:>8} {:>8}", "decided", "no", "yes");
    for (name, how) in TESTS {
        let count = |of: &std::collections::BTreeMap<&'static str, u64>| of.get(name).copied().unwrap_or(0);
        let (no, yes) = (count(&tests.independent), count(&tests.dependent));
        let _ = writeln!(out, "  {how:<48} {no:>8} {yes:>8}");
    }
    let _ = writeln!(out, "  {:<48} {:>8}", "not decided", tests.undecided);
    out
}
