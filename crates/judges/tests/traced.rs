//! The trace sees the dependences, live values and touched bytes of small loops, and condemns false claims.

use std::path::{Path, PathBuf};

use ferry_judges::Program;
use ferry_judges::trace::claims::{against_parallel, against_sections};
use ferry_judges::trace::{
    Bound, Claim, DependenceKind, LoopRequest, Object, Role, SectionClaim, Trace, TracedLoop, trace,
};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/loops.c")
}

/// The line of the loop that is marked with this comment.
fn line(mark: &str) -> u32 {
    let text = std::fs::read_to_string(source()).unwrap();
    let mark = format!("// {mark}");
    let index = text
        .lines()
        .position(|line| line.ends_with(&mark))
        .expect("the mark exists");
    u32::try_from(index + 1).unwrap()
}

fn run(requests: &[LoopRequest]) -> Trace {
    let trace = trace(&Program::new(source()), &[], requests).unwrap();
    assert!(trace.outcome.success(), "{:?}", trace.outcome);
    assert_eq!(trace.incomplete, None);
    trace
}

fn at<'a>(trace: &'a Trace, mark: &str) -> &'a TracedLoop {
    trace.loop_at(&source(), line(mark)).expect("the loop ran")
}

fn request(mark: &str, claims: &[(&str, Role)]) -> LoopRequest {
    let claims = claims.iter().map(|(object, role)| Claim {
        object: (*object).to_owned(),
        role: role.clone(),
    });
    LoopRequest {
        line: line(mark),
        claims: claims.collect(),
        ..LoopRequest::default()
    }
}

/// Kinds, objects and distances of what a loop carried on objects that are not its own.
fn carried(found: &TracedLoop) -> Vec<(DependenceKind, String, u64, u64)> {
    let outside = found.dependences.iter().filter(|dependence| {
        dependence.claim.is_none() && !matches!(dependence.object, Object::Variable { inside: true, .. })
    });
    let mut all: Vec<_> = outside
        .map(|dependence| {
            (
                dependence.kind,
                dependence.object.to_string(),
                dependence.shortest,
                dependence.longest,
            )
        })
        .collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn each_kind_of_dependence_is_seen_with_its_distance() {
    use DependenceKind::{Anti, Flow, Output};
    let trace = run(&[]);
    let heap = |number: u32| format!("heap block {number} (allocated on line {})", line("blocks"));
    assert_eq!(carried(at(&trace, "clean")), []);
    assert_eq!(carried(at(&trace, "flow 3")), [(Flow, heap(1), 3, 3)]);
    assert_eq!(carried(at(&trace, "anti")), [(Anti, heap(2), 1, 1)]);
    assert_eq!(
        carried(at(&trace, "output")),
        [(Output, "`small`".to_owned(), 7, 7)]
    );
    let structs = carried(at(&trace, "structs"));
    assert_eq!(structs, [(Flow, "`pairs`".to_owned(), 1, 1)]);
    assert_eq!(carried(at(&trace, "bytes")), []);
    let library = carried(at(&trace, "library"));
    assert_eq!(library.len(), 2, "{library:?}");
    assert!(
        library.iter().any(|found| found.0 == Output && found.2 == 1),
        "{library:?}"
    );
}

#[test]
fn places_are_those_of_the_original_text() {
    let trace = run(&[]);
    let found = at(&trace, "flow 3");
    let dependence = &found
        .dependences
        .iter()
        .find(|found| matches!(found.object, Object::Heap { .. }))
        .unwrap();
    assert_eq!(
        (dependence.from.line, dependence.from.column),
        (line("flow 3") + 1, 14)
    );
    assert_eq!(
        (dependence.to.line, dependence.to.column),
        (line("flow 3") + 1, 16)
    );
    assert_eq!((found.column, found.instances, found.iterations), (5, 1, 37));
}

#[test]
fn a_dependence_belongs_to_the_loop_that_carries_it() {
    let trace = run(&[]);
    assert_eq!(carried(at(&trace, "outer")), []);
    assert_eq!(
        carried(at(&trace, "inner")),
        [(DependenceKind::Flow, "`table`".to_owned(), 1, 1)]
    );
    assert_eq!(at(&trace, "inner").instances, 5);
    assert_eq!(carried(at(&trace, "each")), []);
    let again = carried(at(&trace, "again"));
    assert!(
        again.contains(&(DependenceKind::Flow, "`small`".to_owned(), 1, 1)),
        "{again:?}"
    );
}

#[test]
fn right_claims_hold() {
    let right = [
        ("t", Role::Private),
        ("sum", Role::Reduction("+".to_owned())),
        ("last", Role::LastPrivate),
    ];
    let trace = run(&[request("scalars", &right)]);
    assert_eq!(against_parallel(at(&trace, "scalars")), Vec::<String>::new());
    assert_eq!(against_parallel(at(&trace, "clean")), Vec::<String>::new());
    assert_eq!(against_parallel(at(&trace, "outer")), Vec::<String>::new());
    assert_eq!(against_parallel(at(&trace, "bytes")), Vec::<String>::new());
}

#[test]
fn a_loop_that_carries_a_dependence_is_not_parallel() {
    let trace = run(&[]);
    for mark in [
        "flow 3", "anti", "output", "inner", "calls", "structs", "library", "bound", "until", "scalars",
    ] {
        assert!(!against_parallel(at(&trace, mark)).is_empty(), "{mark}");
    }
}

#[test]
fn wrong_claims_are_condemned() {
    let condemned = |mark: &str, claims: &[(&str, Role)], because: &str| {
        let trace = run(&[request(mark, claims)]);
        let against = against_parallel(at(&trace, mark)).join("\n");
        assert!(against.contains(because), "{mark}: {against}");
    };
    let plus = || Role::Reduction("+".to_owned());
    let others = |wrong: (&'static str, Role)| {
        let mut claims = vec![("t", Role::Private), ("sum", plus()), ("last", Role::LastPrivate)];
        claims.retain(|claim| claim.0 != wrong.0);
        claims.push(wrong);
        claims
    };
    condemned(
        "scalars",
        &others(("sum", Role::Private)),
        "`sum` is private, but flow dependence",
    );
    condemned(
        "scalars",
        &others(("last", Role::Private)),
        "`last` is private, but its value is read after",
    );
    condemned(
        "scalars",
        &others(("sum", Role::LastPrivate)),
        "`sum` is lastprivate, but its value from before",
    );
    condemned(
        "used",
        &[("sum", plus())],
        "`sum` is a reduction variable, but line",
    );
    condemned(
        "scalars",
        &[("sum", plus()), ("last", Role::LastPrivate)],
        "dependence on `t`",
    );
}

#[test]
fn a_bound_that_the_body_changes_is_a_dependence() {
    let trace = run(&[]);
    let found = carried(at(&trace, "bound"));
    assert!(
        found
            .iter()
            .any(|found| found.0 == DependenceKind::Flow && found.1 == "`n`" && found.2 == 0),
        "{found:?}"
    );
}

#[test]
fn sections_are_compared_with_touched_bytes() {
    let section = |bytes: &str, writes: bool, bound: Bound| SectionClaim {
        start: if writes { "&a[3]" } else { "&a[0]" }.to_owned(),
        bytes: bytes.to_owned(),
        writes,
        bound,
    };
    let against = |section: SectionClaim| {
        let request = LoopRequest {
            line: line("flow 3"),
            sections: vec![section],
            ..LoopRequest::default()
        };
        against_sections(at(&run(&[request]), "flow 3")).join("\n")
    };
    assert_eq!(against(section("4 * (n - 3)", false, Bound::Exact)), "");
    assert_eq!(against(section("4 * (n - 3)", true, Bound::Hull)), "");
    assert_eq!(against(section("4 * n", false, Bound::May)), "");
    assert!(against(section("4 * (n - 4)", false, Bound::May)).contains("are touched too"));
    assert!(against(section("4 * n", false, Bound::Must)).contains("only 148 of 160 bytes"));
    assert!(against(section("4 * n", false, Bound::Hull)).contains("the touched bytes span"));
    assert!(against(section("4 * (n - 4)", true, Bound::Exact)).contains("are touched too"));
}

#[test]
fn a_claim_about_nothing_visible_is_dropped_and_said() {
    let wrong = request(
        "scalars",
        &[("no_such_name", Role::Private), ("t", Role::Private)],
    );
    let trace = trace(&Program::new(source()), &[], &[wrong]).unwrap();
    assert_eq!(trace.dropped.len(), 1, "{:?}", trace.dropped);
    assert!(
        trace.dropped[0].contains("`no_such_name` is not visible before the loop"),
        "{:?}",
        trace.dropped
    );
    assert_eq!(at(&trace, "scalars").request.claims[0].object, "t");
}

#[test]
fn a_claim_that_is_no_c_is_an_error() {
    let wrong = request("scalars", &[("t +* 3", Role::Private)]);
    let error = trace(&Program::new(source()), &[], &[wrong])
        .unwrap_err()
        .to_string();
    assert!(error.contains("error:"), "{error}");
}

#[test]
fn a_report_is_judged_as_a_whole() {
    use ferry_judges::trace::verdicts::{Circumstances, against_report};
    let file = source().display().to_string();
    let report = |verdict: &str| {
        serde_json::json!({"loops": [
            {"file": file, "line": line("clean"), "column": 5, "verdict": "parallel"},
            {"file": file, "line": line("flow 3"), "column": 5, "verdict": verdict},
            {"file": file, "line": line("scalars"), "column": 5, "verdict": "parallel", "private": ["t"],
             "lastprivate": ["last"], "reductions": [{"operator": "+", "name": "sum"}]},
        ], "accesses": []})
    };
    let against = |verdict: &str, conditions_hold: bool| {
        let circumstances = match conditions_hold {
            true => Circumstances::ConditionsHold,
            false => Circumstances::Unconditional,
        };
        against_report(&Program::new(source()), &[], &report(verdict), circumstances)
            .unwrap()
            .against
    };
    assert_eq!(against("sequential", true), Vec::<String>::new());
    assert_eq!(against("parallel_if", false), Vec::<String>::new());
    for (verdict, conditions_hold) in [("parallel", false), ("parallel_if", true)] {
        let against = against(verdict, conditions_hold);
        assert_eq!(against.len(), 1, "{against:?}");
        assert!(
            against[0].contains(&format!(":{}: flow dependence on heap block 1", line("flow 3"))),
            "{against:?}"
        );
    }
}
