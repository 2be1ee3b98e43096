//! Are the verdicts (and, through [`sections`], the sections) of `ferry report --format json` true in a
//! run?
//!
//! Reads the `loops` of the report: `file`, `line`, `column`, `verdict`, `private`, `reductions` (and `firstprivate`,
//! `lastprivate`, `inductions`, if they are there) and asks the trace about every loop that is called parallel. A list's
//! elements are names, or objects with a `name`, `variable` or `object`; a reduction has an `operator` beside, or is
//! written `+:sum`. Where a loop has no `inductions`, the names that its text steps by a fixed amount count as such.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::claims::against_parallel;
use super::sections::{self, Compared};
use super::{Claim, LoopRequest, Role, Running, TracedLoop, Updates, conditions, scan, trace_run};
use crate::process::Exit;
use crate::{Error, Program};

/// Which verdicts are judged as parallel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Circumstances {
    /// Those without a condition.
    Unconditional,
    /// All: every call in this run makes the conditions of `parallel_if` true, and the assumptions hold.
    ConditionsHold,
    /// All, and of those with a condition the executions in which it holds. Those whose condition cannot be asked are left out.
    ConditionsAsked,
    /// The same, but a condition that cannot be asked is taken to hold.
    ConditionsAskedOrHold,
}

/// What a run shows about a report.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    /// A line for each disagreement, with its place.
    pub against: Vec<String>,
    /// Loops that ran and were called parallel.
    pub parallel: usize,
    /// The sections that were compared.
    pub sections: Compared,
    /// The loops that were called parallel, in the order of the report, and others that were asked about.
    pub loops: Vec<JudgedLoop>,
    /// How the run ended; absent if it was ended after the accesses that were allowed.
    pub exit: Option<Exit>,
    /// Loads and stores that were seen.
    pub accesses: u64,
    /// What could not be asked.
    pub dropped: Vec<String>,
}

/// One loop that was called parallel.
#[derive(Debug, Clone)]
pub struct JudgedLoop {
    /// Its file, as the program names it.
    pub file: PathBuf,
    /// The line of its keyword.
    pub line: u32,
    /// It is called so under a condition.
    pub conditional: bool,
    /// The condition was asked at every entry.
    pub asked: bool,
    /// Executions that were followed; 0 if it did not run, or comes out of a macro.
    pub executions: u64,
    /// Their iterations.
    pub iterations: u64,
    /// Executions that were not followed, because the condition did not hold.
    pub refused: u64,
    /// Executions that were not followed, because enough had been.
    pub passed: u64,
    /// What speaks against it.
    pub against: Vec<String>,
}

/// What the run of `program` with `arguments` shows against the verdicts and the sections of the report.
///
/// Loops that did not run, or that come out of macros, are not judged.
pub fn against_report(
    program: &Program,
    arguments: &[String],
    report: &Value,
    circumstances: Circumstances,
) -> Result<Judged, Error> {
    against_report_and(program, arguments, report, circumstances, &[])
}

/// The same, and of loops that the report does not call parallel though somebody else does.
pub fn against_report_and(
    program: &Program,
    arguments: &[String],
    report: &Value,
    circumstances: Circumstances,
    also: &[LoopRequest],
) -> Result<Judged, Error> {
    let running = Running {
        arguments: arguments.to_vec(),
        ..Running::default()
    };
    let mut parallel = requests(program, report, circumstances)?;
    for one in also {
        let is_same = |known: &LoopRequest| known.file == one.file && known.line == one.line;
        if !parallel.iter().any(is_same) {
            parallel.push(one.clone());
        }
    }
    let nests = sections::nests(program, report, circumstances == Circumstances::ConditionsHold)?;
    run_of(program, &running, circumstances, &parallel, &nests)
}

/// The same of a run with limits; sections are compared only if they are wanted (their ends are evaluated before loops that may not run).
pub fn against_report_of(
    program: &Program,
    running: &Running,
    report: &Value,
    circumstances: Circumstances,
    with_sections: bool,
) -> Result<Judged, Error> {
    let parallel = requests(program, report, circumstances)?;
    let nests = match with_sections {
        true => sections::nests(program, report, circumstances == Circumstances::ConditionsHold)?,
        false => Vec::new(),
    };
    run_of(program, running, circumstances, &parallel, &nests)
}

fn run_of(
    program: &Program,
    running: &Running,
    circumstances: Circumstances,
    parallel: &[LoopRequest],
    nests: &[sections::Nest],
) -> Result<Judged, Error> {
    // One run for both: the values that the sections need are asked for beside the claims.
    let mut all = parallel.to_vec();
    for wanted in nests.iter().map(sections::Nest::request) {
        let same = |request: &&mut LoopRequest| {
            request.file == wanted.file && request.line == wanted.line && request.column == wanted.column
        };
        match all.iter_mut().find(same) {
            Some(request) => request.values.clone_from(&wanted.values),
            None => all.push(wanted.clone()),
        }
    }
    let trace = trace_run(program, running, &all)?;
    let mut judged = Judged {
        against: trace.incomplete.iter().cloned().collect(),
        exit: (!trace.stopped).then_some(trace.outcome.exit),
        accesses: trace.accesses,
        dropped: trace.dropped.clone(),
        ..Judged::default()
    };
    for request in parallel {
        let Some(source) = program.sources.get(request.file) else {
            continue;
        };
        let found = trace.loops.iter().find(|found| {
            found.file == *source
                && found.line == request.line
                && request.column.is_none_or(|at| at == found.column)
        });
        let is_asked = found.is_some_and(|found| found.request.condition.is_some());
        if request.conditional && !is_asked && circumstances == Circumstances::ConditionsAsked {
            continue;
        }
        let against = found.map(against_parallel).unwrap_or_default();
        let count = |of: fn(&TracedLoop) -> u64| found.map_or(0, of);
        judged.parallel += usize::from(found.is_some_and(|found| found.instances > 0));
        let lines = against
            .iter()
            .map(|why| format!("{}:{}: {why}", source.display(), request.line));
        judged.against.extend(lines);
        judged.loops.push(JudgedLoop {
            file: source.clone(),
            line: request.line,
            conditional: request.conditional,
            asked: is_asked,
            executions: count(|found| found.instances),
            iterations: count(|found| found.iterations),
            refused: count(|found| found.refused),
            passed: count(|found| found.passed),
            against,
        });
    }
    let (against, compared) = sections::against(program, nests, &trace);
    judged.against.extend(against);
    judged.sections = compared;
    Ok(judged)
}

/// The loops that are called parallel, with what is said of their objects.
pub fn requests(
    program: &Program,
    report: &Value,
    circumstances: Circumstances,
) -> Result<Vec<LoopRequest>, Error> {
    let bad = |what: &str| Error::Log {
        why: format!("the report has no {what}"),
    };
    let loops = report
        .get("loops")
        .and_then(Value::as_array)
        .ok_or_else(|| bad("list of loops"))?;
    let mut requests = Vec::new();
    for one in loops {
        let verdict = one
            .get("verdict")
            .and_then(Value::as_str)
            .ok_or_else(|| bad("verdict on a loop"))?;
        let judged = match verdict {
            "parallel" => true,
            "parallel_if" | "parallel_assuming" => circumstances != Circumstances::Unconditional,
            _ => false,
        };
        let file = one
            .get("file")
            .and_then(Value::as_str)
            .ok_or_else(|| bad("file of a loop"))?;
        let Some(file) = program
            .sources
            .iter()
            .position(|source| same_file(source, Path::new(file)))
        else {
            continue;
        };
        if !judged {
            continue;
        }
        let number = |key: &str| {
            one.get(key)
                .and_then(Value::as_u64)
                .and_then(|value| u32::try_from(value).ok())
        };
        let mut claims = Vec::new();
        for (key, role) in [
            ("private", Role::Private),
            ("firstprivate", Role::FirstPrivate),
            ("lastprivate", Role::LastPrivate),
            ("inductions", Role::Induction),
        ] {
            for object in elements(one, key).filter_map(name) {
                // A last value is private too, and may be listed as both; names of temporaries are not C.
                claims.retain(|claim: &Claim| role != Role::LastPrivate || claim.object != object);
                if !object.starts_with('%') {
                    claims.push(Claim {
                        object: object.to_owned(),
                        role: role.clone(),
                    });
                }
            }
        }
        for element in elements(one, "reductions") {
            let pair = match (element.get("operator").and_then(Value::as_str), name(element)) {
                (Some(operator), Some(object)) => Some((operator, object)),
                (None, Some(text)) => text.split_once(':'),
                _ => None,
            };
            let (operator, object) = pair.ok_or_else(|| bad("operator or object of a reduction"))?;
            claims.push(Claim {
                object: object.trim().to_owned(),
                role: Role::Reduction(operator.trim().to_owned()),
            });
        }
        let mut updates = Vec::new();
        for object in elements(one, "atomics").chain(elements(one, "sections")) {
            let text = |key: &str| object.get(key).and_then(Value::as_str).map(str::to_owned);
            let lines = elements(object, "updates").filter_map(|place| place.get("line")?.as_u64());
            updates.push(Updates {
                object: text("object").ok_or_else(|| bad("object of updates"))?,
                operator: text("operator").ok_or_else(|| bad("operator of updates"))?,
                lines: lines.filter_map(|line| u32::try_from(line).ok()).collect(),
            });
        }
        let line = number("line").ok_or_else(|| bad("line of a loop"))?;
        if one.get("inductions").is_none() {
            let source = program
                .sources
                .get(file)
                .and_then(|source| std::fs::read(source).ok())
                .unwrap_or_default();
            let here = scan::loops(&source).into_iter().find(|found| found.line == line);
            if let Some(here) = here {
                scan::claim_secondary_inductions(&source, &here, &mut claims);
            }
        }
        let condition = one.get("condition").and_then(Value::as_str);
        let asked = matches!(
            circumstances,
            Circumstances::ConditionsAsked | Circumstances::ConditionsAskedOrHold
        );
        requests.push(LoopRequest {
            file,
            line,
            column: number("column"),
            claims,
            updates,
            conditional: verdict != "parallel",
            condition: condition.filter(|_| asked).and_then(conditions::expression),
            ..LoopRequest::default()
        });
    }
    Ok(requests)
}

fn elements<'a>(one: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    one.get(key)
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default()
        .iter()
}

fn name(element: &Value) -> Option<&str> {
    let keys = ["name", "variable", "object"];
    element.as_str().or_else(|| {
        keys.iter()
            .find_map(|key| element.get(key))
            .and_then(Value::as_str)
    })
}

pub(super) fn same_file(left: &Path, right: &Path) -> bool {
    let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    left == right || full(left) == full(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_read_in_every_spelling() {
        let report = serde_json::json!({"loops": [
            {"file": "a.c", "line": 3, "column": 5, "verdict": "parallel", "private": ["t", "u", "%t4"], "lastprivate": ["u"],
             "reductions": [{"operator": "+", "name": "s"}, "max:m"]},
            {"file": "a.c", "line": 9, "verdict": "parallel_if"},
            {"file": "a.c", "line": 12, "verdict": "unknown"},
            {"file": "a.h", "line": 1, "verdict": "parallel"},
        ]});
        let program = Program::new("a.c");
        let found = requests(&program, &report, Circumstances::Unconditional).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].line, found[0].column), (3, Some(5)));
        let claims: Vec<_> = found[0]
            .claims
            .iter()
            .map(|claim| (claim.object.as_str(), claim.role.clone()))
            .collect();
        let expected = [
            ("t", Role::Private),
            ("u", Role::LastPrivate),
            ("s", Role::Reduction("+".into())),
            ("m", Role::Reduction("max".into())),
        ];
        assert_eq!(claims, expected);
        assert_eq!(
            requests(&program, &report, Circumstances::ConditionsHold)
                .unwrap()
                .len(),
            2
        );
        assert!(requests(&program, &serde_json::json!({}), Circumstances::ConditionsHold).is_err());
    }
}
