//! Are the conditions under which loops are parallel right, and do they ask for no more than is needed?
//!
//! Small loops over `a`, with what each iteration touches computed here by itself. For all small lengths, strides and offsets: where a condition holds, no
//! two iterations meet; and of the conditions that are marked as least, where it does not hold, two of them do.

use crate::common;

use common::Analysed;
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::{FunctionFacts, Kind};
use ferry_ir::VariableRef;
use ferry_symbolic::Integer;
use std::collections::BTreeMap;

/// The parameters of each function, in this order.
#[derive(Clone, Copy, Debug)]
struct Values {
    n: i64,
    m: i64,
    k: i64,
    s: i64,
    t: i64,
}

/// Element of `a`, and whether it is written.
type Touched = Vec<(i64, bool)>;

struct Case {
    body: &'static str,
    /// What iteration `i` of the outermost loop touches.
    touches: fn(i64, Values) -> Touched,
    /// Nothing less would do, where every loop has two iterations or more.
    least: bool,
}

fn row(length: i64, element: impl Fn(i64) -> i64, write: bool) -> Touched {
    (0..length.max(0)).map(|j| (element(j), write)).collect()
}

const CASES: &[Case] = &[
    Case {
        body: "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i * s + j] = i;",
        touches: |i, v| row(v.m, |j| i * v.s + j, true),
        least: false,
    },
    Case {
        body: "for (int j = 0; j < n; j++) for (int i = 0; i < m; i++) a[i + j * s] *= 2;",
        touches: |i, v| row(v.m, |j| i * v.s + j, true),
        least: false,
    },
    Case {
        body: "for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) a[i * s + j + k] = i;",
        touches: |i, v| row(3, |j| i * v.s + j + v.k, true),
        least: false,
    },
    Case {
        body: "for (int i = n - 1; i >= 0; i--) for (int j = m - 1; j >= 0; j--) a[i * s - j] = i;",
        touches: |i, v| row(v.m, |j| (v.n - 1 - i) * v.s - j, true),
        least: false,
    },
    Case {
        body: "for (int i = 0; i < n; i++) a[i + k] = a[i] + 1;",
        touches: |i, v| vec![(i + v.k, true), (i, false)],
        least: true,
    },
    Case {
        body: "for (int i = 0; i < n; i++) a[i] += a[k - i];",
        touches: |i, v| vec![(i, true), (v.k - i, false)],
        least: false,
    },
    Case {
        body: "for (int i = n - 1; i >= 0; i--) a[i + k] = a[i] + 1;",
        touches: |i, v| vec![(v.n - 1 - i + v.k, true), (v.n - 1 - i, false)],
        least: true,
    },
    Case {
        body: "for (int i = 0; i < n; i++) a[i * s] = i;",
        touches: |i, v| vec![(i * v.s, true)],
        least: true,
    },
    Case {
        body: "for (int i = 0; i < n; i++) a[i * s + k] = i;",
        touches: |i, v| vec![(i * v.s + v.k, true)],
        least: true,
    },
    Case {
        body: "for (int i = 0; i < n; i++) { a[i * s] += 1; a[i * s + 1] += 2; }",
        touches: |i, v| vec![(i * v.s, true), (i * v.s + 1, true)],
        least: false,
    },
    // Each pair of accesses has a condition; one of them is enough for all.
    Case {
        body: "for (int i = 0; i < n; i++) { a[i * s] = k; a[i * s + 1] = 1; a[i * s + 2] = 2; a[i * s + 3] = 3; a[i * s + 4] = 4; \
               a[i * s + 5] = 5; a[i * s + 6] = 6; a[i * s + 7] = 7; a[i * s + 8] = 8; }",
        touches: |i, v| row(9, |j| i * v.s + j, true),
        least: false,
    },
    Case {
        body: "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) a[i * s + j] = j;",
        touches: |i, v| row(i + 1, |j| i * v.s + j, true),
        least: false,
    },
    Case {
        body: "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[(i + k) * m + j + t] = a[i * m + j];",
        touches: |i, v| {
            let mut all = row(v.m, |j| (i + v.k) * v.m + j + v.t, true);
            all.extend(row(v.m, |j| i * v.m + j, false));
            all
        },
        least: false,
    },
    Case {
        body: "for (int p = 0; p < n; p++) for (int i = 0; i < 3; i++) for (int j = 0; j < m; j++) a[p * s + i * t + j] += p;",
        touches: |i, v| {
            (0..3)
                .flat_map(|r| row(v.m, |j| i * v.s + r * v.t + j, true))
                .collect()
        },
        least: false,
    },
    Case {
        body: "for (int i = 0; i < n; i++) { if (i < k) a[i] = 1; else a[i - s] = 2; }",
        touches: |i, v| vec![(if i < v.k { i } else { i - v.s }, true)],
        least: false,
    },
];

/// Loops for which no condition on the parameters is worth its test.
const NONE: &[&str] = &[
    "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i + j] = i - a[i + j];",
    "for (int i = 0; i < n; i++) a[i] = a[n - 1 - i];",
    "for (int i = 1; i < n; i++) a[i] = a[i - 1] + k;",
    "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) a[i * n + i] -= a[j * n + j];",
    "for (int i = 0; i < n; i++) a[i / 2] = i;",
    "for (int i = 0; i < n; i++) a[a[i]] = k;",
    "for (int i = 0; i < n; i++) a[k] = a[i] + a[k];",
];

fn facts(body: &str) -> (Analysed, FunctionFacts) {
    let text = format!("void f(int n, int m, int k, int s, int t, int *a)\n{{\n    {body}\n}}\n");
    let mut analysed = Analysed::of_text(text).unwrap();
    let (_, facts) = analysed.facts.pop_first().unwrap();
    (analysed, facts)
}

/// `None` for what cannot be evaluated.
fn holds(facts: &FunctionFacts, values: Values) -> Option<bool> {
    let value = |symbol| match facts.values.symbols.info(symbol).kind {
        SymbolKind::Entry(VariableRef::Local(id)) => {
            let all = [values.n, values.m, values.k, values.s, values.t];
            all.get(id.0 as usize).map(|value| Integer::from(*value))
        }
        _ => None,
    };
    let outcomes = facts.verdicts[0]
        .conditions
        .iter()
        .map(|condition| condition.evaluate(&value));
    outcomes
        .collect::<Option<Vec<bool>>>()
        .map(|all| all.into_iter().all(|one| one))
}

fn meet(case: &Case, values: Values) -> bool {
    let mut seen: BTreeMap<i64, (i64, bool)> = BTreeMap::new();
    for i in 0..values.n {
        let touched = (case.touches)(i, values);
        if touched
            .iter()
            .any(|(at, write)| seen.get(at).is_some_and(|(_, other)| *write || *other))
        {
            return true;
        }
        for (at, write) in touched {
            let (_, known) = seen.entry(at).or_insert((i, write));
            *known |= write;
        }
    }
    false
}

fn for_all_values(mut each: impl FnMut(Values)) {
    for n in [0, 1, 2, 3, 5] {
        for m in [-1, 0, 1, 2, 4] {
            for k in -6..=6 {
                for s in [-4, -1, 0, 1, 2, 3, 4, 5, 12, 20] {
                    for t in [-2, 0, 1, 3, 4] {
                        each(Values { n, m, k, s, t });
                    }
                }
            }
        }
    }
}

#[test]
fn conditions_are_enough_and_some_are_least() {
    for case in CASES {
        let (_, facts) = facts(case.body);
        let verdict = &facts.verdicts[0];
        assert_eq!(verdict.kind, Kind::ParallelIf, "{}", case.body);
        assert!(
            !verdict.conditions.is_empty() && verdict.obstacles.is_empty(),
            "{}",
            case.body
        );
        let (mut held, mut failed) = (0, 0);
        for_all_values(|values| {
            let condition = holds(&facts, values).unwrap_or_else(|| panic!("{}: {values:?}", case.body));
            let meet = meet(case, values);
            assert!(
                !(condition && meet),
                "{}: two iterations meet for {values:?}",
                case.body
            );
            if case.least && values.n >= 2 {
                assert_eq!(condition, !meet, "{}: {values:?}", case.body);
            }
            held += u32::from(condition && values.n >= 2);
            failed += u32::from(!condition && meet);
        });
        assert!(
            held > 10 && failed > 10,
            "{}: {held} held, {failed} failed",
            case.body
        );
    }
}

#[test]
fn some_loops_have_no_condition() {
    for body in NONE {
        let (_, facts) = facts(body);
        let verdict = &facts.verdicts[0];
        assert!(matches!(verdict.kind, Kind::Sequential | Kind::Unknown), "{body}");
        assert!(
            verdict.conditions.is_empty() && !verdict.obstacles.is_empty(),
            "{body}"
        );
    }
}
