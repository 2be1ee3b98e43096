//! Are loops that are parallel if values in memory are in order parallel where these are?
//!
//! Small loops over `a` with subscripts from `x`, with what each iteration touches computed here by itself. For all small lengths and all values of a short `x`: where
//! the values are in the order that the condition asks for, no two iterations meet, and all that is tested is read.

use crate::common;

use common::Analysed;
use ferry_analysis::sorted::Sorted;
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::{FunctionFacts, Kind};
use ferry_ir::VariableRef;
use ferry_symbolic::{Expr, Integer};
use std::collections::{BTreeMap, BTreeSet};

/// How many values there are.
const VALUES: usize = 4;

/// The values, each less than this.
const MOST: i64 = 5;

/// What an iteration reads of `x`, by the number of the value.
type Read<'a> = &'a mut dyn FnMut(i64) -> i64;

struct Case {
    body: &'static str,
    /// What the loop touches of `a` for a length and a width, by iteration.
    touches: fn(i64, i64, Read<'_>) -> Vec<Vec<i64>>,
    /// Each value must be greater than the one before it.
    strictly: bool,
}

fn each(count: i64, of: &mut dyn FnMut(i64) -> Vec<i64>) -> Vec<Vec<i64>> {
    (0..count.max(0)).map(of).collect()
}

const CASES: &[Case] = &[
    Case {
        body: "for (int i = 0; i < n; i++) a[x[i]] = i;",
        touches: |n, _, x| each(n, &mut |i| vec![x(i)]),
        strictly: true,
    },
    Case {
        body: "for (int i = n - 1; i >= 0; i--) a[x[i] + 3] = i;",
        touches: |n, _, x| each(n, &mut |k| vec![x(n - 1 - k) + 3]),
        strictly: true,
    },
    Case {
        body: "for (int i = 1; i < n; i++) a[20 - x[i]] = a[20 - x[i]] / 2 + i;",
        touches: |n, _, x| each(n - 1, &mut |k| vec![20 - x(k + 1)]),
        strictly: true,
    },
    Case {
        body: "for (int i = 0; i < n; i++) for (int j = 0; j < w; j++) a[x[i] * w + j] = i;",
        touches: |n, w, x| each(n, &mut |i| (0..w).map(|j| x(i) * w + j).collect()),
        strictly: true,
    },
    Case {
        body: "for (int i = 0; i < n; i++) for (int j = 0; j < 2; j++) a[x[i] * w + j] = i;",
        touches: |n, w, x| each(n, &mut |i| (0..2).map(|j| x(i) * w + j).collect()),
        strictly: true,
    },
    Case {
        body: "for (int i = 0; i < n; i++) for (int k = x[i]; k < x[i + 1]; k++) a[k] = i;",
        touches: |n, _, x| each(n, &mut |i| (x(i)..x(i + 1)).collect()),
        strictly: false,
    },
    Case {
        body: "for (int i = n - 1; i >= 0; i--) for (int k = x[i + 1] - 1; k >= x[i]; k--) a[k] = i;",
        touches: |n, _, x| each(n, &mut |k| (x(n - 1 - k)..x(n - k)).collect()),
        strictly: false,
    },
    // Two that may follow each other at once.
    Case {
        body: "for (int i = 0; i < n; i++) for (int k = 2 * x[i]; k < x[i] + x[i + 1]; k++) a[k] = i;",
        touches: |n, _, x| each(n, &mut |i| (2 * x(i)..x(i) + x(i + 1)).collect()),
        strictly: false,
    },
    Case {
        body: "for (int i = 0; i < n; i++) a[x[i] + i] = i;",
        touches: |n, _, x| each(n, &mut |i| vec![x(i) + i]),
        strictly: false,
    },
];

fn facts(body: &str) -> (Analysed, FunctionFacts) {
    let text =
        format!("void f(int n, int w, double *restrict a, const int *restrict x)\n{{\n    {body}\n}}\n");
    let mut analysed = Analysed::of_text(text).unwrap();
    let (_, facts) = analysed.facts.pop_first().unwrap();
    (analysed, facts)
}

/// The numbers of the values that must be in order; `None` where the loop does not run or another condition does not hold.
fn tested(facts: &FunctionFacts, sorted: &Sorted, n: i64, w: i64) -> Option<std::ops::Range<i64>> {
    let value = |symbol| match facts.values.symbols.info(symbol).kind {
        SymbolKind::Entry(VariableRef::Local(id)) => {
            [n, w].get(id.0 as usize).map(|value| Integer::from(*value))
        }
        _ => None,
    };
    let number = |expr: &Expr| expr.evaluate(&value).and_then(|value| value.to_i64()).unwrap();
    let conditions = facts.verdicts[0].conditions.iter();
    let hold = conditions.map(|condition| condition.evaluate(&value).unwrap());
    let runs = number(facts.values.loops[0].trip.as_ref().unwrap()) > 0;
    let first = number(&sorted.first) / 4;
    (hold.fold(runs, |all, one| all && one)).then(|| first..first + number(&sorted.count))
}

fn meet(touched: &[Vec<i64>]) -> bool {
    let mut seen: BTreeMap<i64, usize> = BTreeMap::new();
    let mut all = touched
        .iter()
        .enumerate()
        .flat_map(|(number, all)| all.iter().map(move |at| (*at, number)));
    all.any(|(at, number)| *seen.entry(at).or_insert(number) != number)
}

#[test]
fn iterations_keep_apart_where_values_are_in_order() {
    for case in CASES {
        let (_, facts) = facts(case.body);
        let verdict = &facts.verdicts[0];
        assert_eq!(verdict.kind, Kind::ParallelIf, "{}", case.body);
        let [sorted] = verdict.sorted.as_slice() else {
            panic!("{}: {:?}", case.body, verdict.sorted)
        };
        assert_eq!(sorted.strictly, case.strictly, "{}", case.body);
        let (mut held, mut failed) = (0, 0);
        for n in 0..VALUES as i64 {
            for w in 0..=4 {
                for number in 0..MOST.pow(VALUES as u32) {
                    let x: Vec<i64> = (0..VALUES as u32)
                        .map(|at| number / MOST.pow(at) % MOST)
                        .collect();
                    let mut read = BTreeSet::new();
                    let touched = (case.touches)(n, w, &mut |at| {
                        read.insert(at);
                        x[at as usize]
                    });
                    let Some(range) = tested(&facts, sorted, n, w) else {
                        continue;
                    };
                    assert_eq!(
                        range.clone().collect::<BTreeSet<_>>(),
                        read,
                        "{}: n {n}, w {w}",
                        case.body
                    );
                    let in_order = x[range.start as usize..range.end as usize]
                        .windows(2)
                        .all(|two| two[0] < two[1] || !sorted.strictly && two[0] == two[1]);
                    let meet = meet(&touched);
                    assert!(!(in_order && meet), "{}: n {n}, w {w}, {x:?}", case.body);
                    held += u32::from(in_order && n >= 2);
                    failed += u32::from(!in_order && meet);
                }
            }
        }
        assert!(
            held > 10 && failed > 10,
            "{}: {held} held, {failed} failed",
            case.body
        );
    }
}
