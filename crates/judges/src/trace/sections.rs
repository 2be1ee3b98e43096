//! Are the sections of `ferry report --format json` true in a run?
//!
//! Reads the `accesses` of the report: `file`, `line`, `object`, `kind`, `bounded`, `exact` and `bytes`, the first byte and
//! past the last byte relative to the object, as C expressions in terms of the values before the outermost loop. They
//! are evaluated there in the run; then, for each piece of storage and direction, the bytes that the loop touched must lie
//! inside the union of the sections, and if all of them are exact, must begin and end where the union does (for affine
//! accesses nothing of a section is superfluous).
//!
//! A section is *exact* where the loops around its access run. Where a loop inside does not, the access never happens: only accesses
//! that happened, or that would in every iteration, count when ends are compared.
//!
//! Not judged: loops that come out of macros; storage that is also touched by functions called in the loop (those of the library included), by what the
//! outermost loop begins with (which is before its first iteration), or by an access without bounds; sections with names that the function sets
//! before the loop, since they mean the old values; instances after the first few.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::verdicts::same_file;
use super::{LoopRequest, Touched, Trace, TracedLoop, scan};
use crate::{Error, Program};

/// One access of the report, as far as it is looked at.
struct Access {
    line: u32,
    object: String,
    writes: bool,
    exact: bool,
    /// The object is a variable, all of which is touched: a pointer stands for itself.
    whole: bool,
    /// The object is another one in each iteration.
    varies: bool,
    /// A loop inside the outermost one is around it: it may not run.
    inner: bool,
    /// First byte and past the last, if bounded.
    bytes: Option<(String, String)>,
    /// Which of the values of the nest these are, as addresses.
    ends: [usize; 2],
}

/// An outermost loop of a file with the accesses in it.
pub(super) struct Nest {
    request: LoopRequest,
    last_line: u32,
    accesses: Vec<Access>,
    /// Line and column of where the loop's first part begins and ends.
    begins_with: ((u32, u32), (u32, u32)),
    /// First and last lines of the loops inside.
    inner: Vec<(u32, u32)>,
    /// Lines with calls of functions that touch memory without being traced as accesses of the program.
    library: Vec<u32>,
    /// Names that the function sets before the loop.
    changed: Vec<String>,
    /// Names that are set in the loop.
    varying: Vec<String>,
}

impl Nest {
    /// The values that are wanted before the loop: the addresses of the ends of each access, each once.
    pub(super) fn request(&self) -> &LoopRequest {
        &self.request
    }
}

/// The value of an expression that could not be read where it was asked for (`FERRY_NO_VALUE` of the run time).
const NO_VALUE: i64 = i64::MIN;

/// What was compared, so that a judge that saw nothing does not pass for one that agreed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Compared {
    /// Pieces of storage, in one direction and one instance of a loop, whose touched bytes were compared.
    pub sets: usize,
    /// Those that had to be equal at both ends.
    pub exact: usize,
}

/// What the trace shows against the sections: a line for each disagreement, and what was compared.
pub(super) fn against(program: &Program, nests: &[Nest], trace: &Trace) -> (Vec<String>, Compared) {
    let (mut against, mut compared) = (Vec::new(), Compared::default());
    for nest in nests {
        let Some(found) = loop_of(trace, program, &nest.request) else {
            continue;
        };
        // Values that are not visible before the loop were dropped: then nothing can be told apart.
        if found.request.values.len() == nest.request.values.len() {
            compare(nest, found, &mut against, &mut compared);
        }
    }
    against.sort();
    against.dedup();
    (against, compared)
}

fn loop_of<'a>(trace: &'a Trace, program: &Program, request: &LoopRequest) -> Option<&'a TracedLoop> {
    let source = program.sources.get(request.file)?;
    trace.loops.iter().find(|found| {
        found.file == *source && found.line == request.line && Some(found.column) == request.column
    })
}

/// The outermost loops of the program's text with the accesses of the report. What rests on ranges of sizes counts only where `conditions_hold`.
pub(super) fn nests(program: &Program, report: &Value, conditions_hold: bool) -> Result<Vec<Nest>, Error> {
    let bad = |what: &str| Error::Log {
        why: format!("the report has no {what}"),
    };
    let accesses = report
        .get("accesses")
        .and_then(Value::as_array)
        .ok_or_else(|| bad("list of accesses"))?;
    let mut nests: Vec<Nest> = Vec::new();
    for (file, source) in program.sources.iter().enumerate() {
        let text = std::fs::read(source).map_err(|error| Error::file(source, error))?;
        let mut end = 0;
        for found in scan::loops(&text) {
            if found.whole.start < end {
                // inside the one before
                if let Some(outer) = nests.last_mut() {
                    outer.inner.push((found.line, found.last_line));
                }
                continue;
            }
            end = found.whole.end;
            let request = LoopRequest {
                file,
                line: found.line,
                column: Some(found.column),
                ..LoopRequest::default()
            };
            let first = scan::initialization(&text, &found);
            nests.push(Nest {
                request,
                last_line: found.last_line,
                accesses: Vec::new(),
                begins_with: (
                    scan::position(&text, first.start),
                    scan::position(&text, first.end),
                ),
                inner: Vec::new(),
                library: library_lines(&text, &found),
                changed: scan::changed_before(&text, found.whole.start),
                varying: scan::assigned_names(text.get(found.whole.clone()).unwrap_or_default()),
            });
        }
    }
    for one in accesses {
        let text = |key: &str| one.get(key).and_then(Value::as_str);
        let flag = |key: &str| one.get(key).and_then(Value::as_bool).unwrap_or(false);
        let file = text("file").ok_or_else(|| bad("file of an access"))?;
        let line = one
            .get("line")
            .and_then(Value::as_u64)
            .ok_or_else(|| bad("line of an access"))?;
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let Some(file) = program
            .sources
            .iter()
            .position(|source| same_file(source, file.as_ref()))
        else {
            continue;
        };
        let bytes = one.get("bytes").and_then(Value::as_array).map(Vec::as_slice);
        // Rows of a pointer that changes in the loop begin where it leads then.
        let dimensions = |key: &str| text(key).map_or(0, |text| text.matches('[').count());
        let fixed = dimensions("section") <= dimensions("text").max(1) || text("text").is_none();
        let bounded = flag("bounded") && fixed && (conditions_hold || text("holds_if").is_none());
        let bytes = match bytes {
            Some([first, past]) if bounded => first.as_str().zip(past.as_str()),
            _ => None,
        };
        let of_line = |nest: &&mut Nest| {
            nest.request.file == file && (nest.request.line..=nest.last_line).contains(&line)
        };
        if let Some(nest) = nests.iter_mut().find(of_line) {
            let stale = |(first, past): &(&str, &str)| {
                let mut names = scan::names(first.as_bytes());
                names.extend(scan::names(past.as_bytes()));
                names.iter().any(|name| nest.changed.contains(name))
            };
            // `rows[i]` is another object in each iteration, and what it is before the loop is none of them.
            let object = text("object").unwrap_or_default();
            let names = scan::names(object.as_bytes());
            let varies = names
                .iter()
                .any(|name| name != object && nest.varying.contains(name));
            let bytes = bytes.filter(|ends| !stale(ends));
            let inner = nest
                .inner
                .iter()
                .any(|(first, last)| (*first..=*last).contains(&line));
            nest.accesses.push(Access {
                line,
                object: object.to_owned(),
                varies,
                writes: text("kind") == Some("write"),
                exact: flag("exact"),
                whole: text("section").is_some() && text("section") == text("object"),
                inner,
                bytes: bytes.map(|(first, past)| (first.to_owned(), past.to_owned())),
                ends: [0, 0],
            });
        }
    }
    for nest in &mut nests {
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for access in &mut nest.accesses {
            // An array or a pointer stands for its address; an access without bounds is found by it all the same.
            let (first, past) = access.bytes.clone().unwrap_or(("0".to_owned(), "0".to_owned()));
            access.ends = [first, past].map(|end| {
                let base = if access.whole { "(char *)&" } else { "ferry_base" };
                let value = format!("{base}({}) + ({end})", access.object);
                let values = &mut nest.request.values;
                *known.entry(value).or_insert_with_key(|value| {
                    values.push(value.clone());
                    values.len() - 1
                })
            });
        }
    }
    nests.retain(|nest| !nest.accesses.is_empty());
    Ok(nests)
}

/// Lines of the loop on which functions of the library write or read memory.
fn library_lines(text: &[u8], found: &scan::LoopText) -> Vec<u32> {
    const FUNCTIONS: [&str; 3] = ["memset", "memcpy", "memmove"];
    let whole = text.get(found.whole.clone()).unwrap_or_default();
    let mut lines = Vec::new();
    for (line, words) in (found.line..).zip(whole.split(|&byte| byte == b'\n')) {
        if scan::names(words)
            .iter()
            .any(|name| FUNCTIONS.contains(&name.as_str()))
        {
            lines.push(line);
        }
    }
    lines
}

/// The union of the sections in one piece of storage and direction.
struct Union {
    first: i64,
    past: i64,
    exact: bool,
    bounded: bool,
    /// Where the accesses stand.
    lines: BTreeSet<u32>,
}

fn compare(nest: &Nest, found: &TracedLoop, against: &mut Vec<String>, compared: &mut Compared) {
    for entry in &found.entries {
        let touched: Vec<&Touched> = found
            .touched
            .iter()
            .filter(|touched| touched.instance == Some(entry.number))
            .collect();
        let mut unions: BTreeMap<(usize, bool), Union> = BTreeMap::new();
        let mut unread: Vec<&Access> = Vec::new();
        for access in &nest.accesses {
            let [Some(first), Some(past)] = access.ends.map(|end| entry.values.get(end).copied()) else {
                continue;
            };
            if access.varies || [first, past].contains(&NO_VALUE) {
                unread.push(access);
                continue;
            }
            let Some(index) = touched.iter().position(|touched| holds(touched, first, past)) else {
                continue;
            };
            let union = unions.entry((index, access.writes)).or_insert(Union {
                first: i64::MAX,
                past: i64::MIN,
                exact: true,
                bounded: true,
                lines: BTreeSet::new(),
            });
            union.lines.insert(access.line);
            union.bounded &= access.bytes.is_some();
            let places = touched
                .get(index)
                .map_or(&[][..], |touched| places(touched, access.writes));
            let happened = places.iter().any(|place| place.line == access.line);
            let in_every_iteration = !access.inner && entry.iterations > 0;
            union.exact &= access.exact && (happened || in_every_iteration);
            if first < past {
                union.first = union.first.min(first);
                union.past = union.past.max(past);
            }
        }
        for ((index, writes), union) in unions {
            let Some(touched) = touched.get(index) else {
                continue;
            };
            let places = places(touched, writes);
            let elsewhere =
                |place: &super::Place| !(nest.request.line..=nest.last_line).contains(&place.line);
            let otherwise = |place: &super::Place| {
                let (from, to) = nest.begins_with;
                (from..to).contains(&(place.line, place.column)) || nest.library.contains(&place.line)
            };
            // An access without bounds came here, too, or one whose bounds could not be read.
            let beside = |place: &super::Place| {
                let unbounded = |access: &Access| {
                    access.bytes.is_none() && access.writes == writes && access.line == place.line
                };
                let lost = |access: &&Access| access.writes == writes && access.line == place.line;
                !union.lines.contains(&place.line) && nest.accesses.iter().any(unbounded)
                    || unread.iter().any(lost)
            };
            let left_out = |place: &super::Place| elsewhere(place) || otherwise(place) || beside(place);
            if !union.bounded || places.iter().any(left_out) {
                continue;
            }
            compared.sets += 1;
            let runs = if writes { &touched.writes } else { &touched.reads };
            let (Some(low), Some(high)) = (runs.first(), runs.last()) else {
                if union.exact && union.first < union.past {
                    against.push(say(nest, found, touched, writes, "nothing is touched"));
                }
                continue;
            };
            let (low, high) = (touched.base + low.0, touched.base + high.1);
            let offset = |address: i64| address.saturating_sub(touched.base);
            let spans = format!(
                "bytes {}..{} are touched, the sections span {}..{}",
                offset(low),
                offset(high),
                offset(union.first),
                offset(union.past)
            );
            if low < union.first || high > union.past {
                against.push(say(nest, found, touched, writes, &spans));
            } else if union.exact {
                compared.exact += 1;
                if (low, high) != (union.first, union.past) {
                    against.push(say(
                        nest,
                        found,
                        touched,
                        writes,
                        &format!("called exact, but {spans}"),
                    ));
                }
            }
        }
    }
}

fn places(touched: &Touched, writes: bool) -> &[super::Place] {
    if writes {
        &touched.written_at
    } else {
        &touched.read_at
    }
}

fn say(nest: &Nest, found: &TracedLoop, touched: &Touched, writes: bool, why: &str) -> String {
    let names: Vec<_> = nest
        .accesses
        .iter()
        .filter(|access| access.writes == writes)
        .map(|access| format!("{} on line {}", access.object, access.line))
        .collect();
    let what = if writes { "writes" } else { "reads" };
    format!(
        "{}:{}: {what} of {} (among {}): {why}",
        found.file.display(),
        found.line,
        touched.object,
        names.join(", ")
    )
}

/// Whether a section lies in this storage; an empty one may stand at its end.
fn holds(touched: &Touched, first: i64, past: i64) -> bool {
    let end = touched
        .base
        .saturating_add(i64::try_from(touched.size).unwrap_or(i64::MAX));
    (touched.base <= first && first < end) || (past <= first && first == end)
        // A section that begins outside its storage is found by its end, and condemned.
        || (first < past && touched.base < past && past <= end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#include <stdlib.h>\nint main(void) {\n  int n = 20, *a = malloc(20 * sizeof(int));\n  \
        for (int i = 0; i < n; i++) a[i] = i;\n  for (int i = 2; i < n - 1; i++)\n    a[i - 2] = a[i];\n  return 0;\n}\n";

    fn judged(write: [&str; 2], exact: bool) -> (Vec<String>, Compared) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        std::fs::write(&path, TEXT).unwrap();
        let file = path.display().to_string();
        let report = serde_json::json!({"accesses": [
            {"file": file, "line": 6, "object": "a", "kind": "write", "bounded": true, "exact": exact, "bytes": write},
            {"file": file, "line": 6, "object": "a", "kind": "read", "bounded": true, "exact": true,
             "bytes": ["8", "4 * n - 4"]},
        ]});
        let nests = nests(&Program::new(&path), &report, true).unwrap();
        let requests: Vec<_> = nests.iter().map(|nest| nest.request.clone()).collect();
        let trace = crate::trace::trace(&Program::new(&path), &[], &requests).unwrap();
        super::against(&Program::new(&path), &nests, &trace)
    }

    #[test]
    fn right_sections_pass_and_wrong_ones_do_not() {
        let (against, compared) = judged(["0", "4 * n - 12"], true);
        assert_eq!((against, compared), (Vec::new(), Compared { sets: 2, exact: 2 }));
        let (against, compared) = judged(["0", "4 * n"], false);
        assert_eq!((against, compared), (Vec::new(), Compared { sets: 2, exact: 1 }));
        let (against, _) = judged(["0", "4 * n"], true);
        assert!(
            against.len() == 1 && against[0].contains("called exact, but bytes 0..68"),
            "{against:?}"
        );
        let (against, _) = judged(["4", "4 * n - 12"], false);
        assert!(
            against.len() == 1 && against[0].contains("the sections span 4..68"),
            "{against:?}"
        );
    }

    /// What is found against a report with these accesses, which are all called exact.
    fn said(text: &str, accesses: &serde_json::Value) -> (Vec<String>, Compared) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        std::fs::write(&path, text).unwrap();
        let mut report = serde_json::json!({ "accesses": accesses });
        for access in report["accesses"].as_array_mut().unwrap() {
            access["file"] = path.display().to_string().into();
            access["bounded"] = true.into();
            access["exact"] = true.into();
        }
        let nests = nests(&Program::new(&path), &report, true).unwrap();
        let requests: Vec<_> = nests.iter().map(|nest| nest.request.clone()).collect();
        let trace = crate::trace::trace(&Program::new(&path), &[], &requests).unwrap();
        super::against(&Program::new(&path), &nests, &trace)
    }

    #[test]
    fn what_cannot_be_compared_is_not() {
        let text = "#include <stdlib.h>\n#include <string.h>\nint a[40], b[40];\nvoid f(int n, int m) {\n  for (int i = b[30]; i < n; i++) {\n    a[i] = b[i];\n    \
            for (int j = 0; j < m; j++)\n      a[20 + j] = 1;\n  }\n}\nvoid g(int n) {\n  n -= 2;\n  for (int i = 0; i < n; i++)\n    a[i] = 1;\n  \
            for (int i = 0; i < 3; i++)\n    { a[i] = 0;\n    memset(a + i, 0, 9 * sizeof a[0]); }\n}\nint main(void) { f(9, 0); g(9); return 0; }\n";
        let write = |line: u32, first: &str, past: &str| serde_json::json!({"line": line, "object": "a", "kind": "write", "bytes": [first, past]});
        // The inner loop does not run, b[30] is read before the loop, n was 9, and memset writes more.
        let all = serde_json::json!([
            write(6, "0", "4 * n"),
            write(8, "80", "4 * m + 80"),
            {"line": 6, "object": "b", "kind": "read", "bytes": ["0", "4 * n"]},
            write(14, "0", "4 * n - 8"),
            write(16, "0", "12"),
        ]);
        let (against, compared) = said(text, &all);
        assert_eq!((against, compared), (Vec::new(), Compared { sets: 1, exact: 0 }));
        // But what lies outside is seen, and so are ends in a loop that runs.
        let (against, _) = said(text, &serde_json::json!([write(6, "4", "4 * n")]));
        assert!(
            against.len() == 1 && against[0].contains("bytes 0..36"),
            "{against:?}"
        );
        let (against, _) = said(text, &serde_json::json!([write(6, "0", "4 * n + 4")]));
        assert!(
            against.len() == 1 && against[0].contains("called exact"),
            "{against:?}"
        );
    }

    #[test]
    fn what_a_pointer_without_bounds_touches_is_left_out() {
        let text = "int a[9], b[9];\nint main(void) {\n  int *p = b;\n  for (int i = 0; i < 9; i++) {\n    p[i] = 2;\n    a[0] = 1;\n    p = a; }\n  return 0;\n}\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        std::fs::write(&path, text).unwrap();
        let file = path.display().to_string();
        let judged = |line: u32| {
            let report = serde_json::json!({"accesses": [
                {"file": file, "line": line, "object": "p", "kind": "write", "bounded": false, "exact": false},
                {"file": file, "line": 6, "object": "a", "kind": "write", "bounded": true, "exact": true, "bytes": ["0", "4"]},
            ]});
            let nests = nests(&Program::new(&path), &report, true).unwrap();
            let requests: Vec<_> = nests.iter().map(|nest| nest.request.clone()).collect();
            let trace = crate::trace::trace(&Program::new(&path), &[], &requests).unwrap();
            super::against(&Program::new(&path), &nests, &trace).0.len()
        };
        // Line 5 writes into `a`, too, and says that it may write anywhere; line 7 does not.
        assert_eq!((judged(5), judged(7)), (0, 1));
    }
}
