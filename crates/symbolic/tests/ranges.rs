//! Every operation on ranges gives a superset of the exact result, for all values in the operands and all values of the symbols.

use crate::common;

use common::*;
use ferry_symbolic::{Comparator, Expr, Facts, Integer, Range, Symbol};
use proptest::prelude::*;

/// A range with ends in one symbol.
#[derive(Clone, Debug)]
struct Sample {
    low: Option<(i64, i64)>,
    high: Option<(i64, i64)>,
    step: Option<(i64, i64)>,
}

impl Sample {
    fn range(&self) -> Range {
        let end = |(factor, constant): (i64, i64)| {
            Expr::symbol(Symbol(0)) * i128::from(factor) + i128::from(constant)
        };
        let range = Range::new(self.low.map(end), self.high.map(end));
        match self.step {
            Some((modulus, residue)) => {
                range.with_step(&Integer::from(modulus), &Expr::int(i128::from(residue)))
            }
            None => range,
        }
    }

    fn values(&self, n: i64) -> Vec<i64> {
        let end = |(factor, constant): (i64, i64)| factor * n + constant;
        (-12..=12)
            .filter(|value| self.low.is_none_or(|low| end(low) <= *value))
            .filter(|value| self.high.is_none_or(|high| *value <= end(high)))
            .filter(|value| {
                self.step
                    .is_none_or(|(modulus, residue)| (value - residue).rem_euclid(modulus) == 0)
            })
            .collect()
    }
}

fn samples() -> impl Strategy<Value = Sample> {
    let end = || prop_oneof![1 => Just(None), 5 => (prop_oneof![3 => Just(0i64), 2 => -1i64..=1], -6i64..=6).prop_map(Some)];
    let step = prop_oneof![3 => Just(None), 1 => (2i64..=4, -3i64..=3).prop_map(Some)];
    (end(), end(), step).prop_map(|(low, high, step)| Sample { low, high, step })
}

fn has(range: &Range, value: i64, n: i64) -> bool {
    let condition = range.contains_condition(&Expr::int(i128::from(value)));
    condition.evaluate(&valuation(&[n])) == Some(true)
}

fn facts_about(n: Option<i64>) -> Facts {
    let mut facts = Facts::new();
    if let Some(low) = n {
        facts.assume_nonnegative(Expr::symbol(Symbol(0)) - i128::from(low));
    }
    facts
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn operations_contain_every_result(a in samples(), b in samples(), least in prop_oneof![Just(None), (-2i64..=2).prop_map(Some)]) {
        let facts = facts_about(least);
        let (x, y) = (a.range(), b.range());
        let negated = x.negate();
        let inverted = x.bit_not();
        let results = [
            x.add(&y), x.sub(&y), x.mul(&y, &facts), x.trunc_div(&y, &facts), x.trunc_rem(&y, &facts),
            x.bit_and(&y, &facts), x.bit_or(&y, &facts), x.bit_xor(&y, &facts), x.shl(&y, &facts), x.shr(&y, &facts),
            x.minimum(&y, &facts), x.maximum(&y, &facts), x.join(&y, &facts), x.widen(&y, &facts),
        ];
        let meet = x.meet(&y, &facts);
        for n in least.unwrap_or(-4)..=4 {
            let (p, q) = (a.values(n), b.values(n));
            for u in &p {
                prop_assert!(has(&x, *u, n) && has(&negated, -u, n) && has(&inverted, !u, n));
                prop_assert!(has(&results[12], *u, n) && has(&results[13], *u, n));
                prop_assert_eq!(has(&meet, *u, n) || !q.contains(u), true, "{:?}", meet);
                for v in &q {
                    let (u, v) = (*u, *v);
                    let expected = [
                        Some(u + v), Some(u - v), Some(u * v), u.checked_div(v), u.checked_rem(v),
                        Some(u & v), Some(u | v), Some(u ^ v),
                        (v >= 0).then(|| u << v), (v >= 0).then(|| u >> v),
                        Some(u.min(v)), Some(u.max(v)),
                    ];
                    for (index, value) in expected.iter().enumerate() {
                        if let Some(value) = value {
                            prop_assert!(has(&results[index], *value, n), "operation {} on {:?} and {:?}: {:?} lacks {} at n = {}", index, x, y, results[index], value, n);
                        }
                    }
                }
            }
            for v in &q {
                prop_assert!(has(&results[12], *v, n) && has(&results[13], *v, n));
            }
        }
    }

    #[test]
    fn refinement_keeps_what_fulfils_the_comparison(a in samples(), b in samples()) {
        let facts = Facts::new();
        let (x, y) = (a.range(), b.range());
        let comparators = [Comparator::Less, Comparator::LessEqual, Comparator::Greater, Comparator::GreaterEqual, Comparator::Equal, Comparator::NotEqual];
        for comparator in comparators {
            let refined = x.refine(comparator, &y, &facts);
            for n in -4..=4 {
                for u in a.values(n) {
                    let fulfils = b.values(n).iter().any(|v| match comparator {
                        Comparator::Less => u < *v,
                        Comparator::LessEqual => u <= *v,
                        Comparator::Greater => u > *v,
                        Comparator::GreaterEqual => u >= *v,
                        Comparator::Equal => u == *v,
                        Comparator::NotEqual => u != *v,
                    });
                    prop_assert!(!fulfils || has(&refined, u, n), "{:?} {:?} {:?} is {:?}", x, comparator, y, refined);
                }
            }
        }
    }

    #[test]
    fn inclusion_is_never_claimed_wrongly(a in samples(), b in samples(), least in -3i64..=3) {
        let facts = facts_about(Some(least));
        let (x, y) = (a.range(), b.range());
        if x.includes(&y, &facts) {
            for n in least..=5 {
                for value in b.values(n) {
                    prop_assert!(has(&x, value, n), "{:?} does not include {:?}", x, y);
                }
            }
        }
        let mut inside = facts.clone();
        x.assume_contains(&mut inside, &Expr::symbol(Symbol(1)));
        let contained = y.contains(&Expr::symbol(Symbol(1)), &inside);
        if contained {
            for n in least..=5 {
                prop_assert!(a.values(n).iter().all(|value| has(&y, *value, n)));
            }
        }
    }

    #[test]
    fn widening_ends(steps in prop::collection::vec(samples(), 1..12)) {
        let facts = Facts::new();
        let mut range = Range::none();
        let mut changes = 0;
        for sample in steps.iter().cycle().take(60) {
            let next = range.widen(&range.join(&sample.range(), &facts), &facts);
            changes += usize::from(next != range);
            range = next;
        }
        prop_assert!(changes < 12, "{} changes", changes);
    }
}

#[test]
fn a_loop_counter_ends_at_its_bound() {
    // for (i = 0; i < n; i += 2): widening to [0, inf), narrowed by the guard; after the loop i >= n.
    let (n, facts) = (Expr::symbol(Symbol(0)), Facts::new());
    let start = Range::exactly(&Expr::zero());
    let guard = Range::exactly(&n);
    let two = Range::exactly(&Expr::int(2));
    let mut head = start.clone();
    for _ in 0..4 {
        let body = head.refine(Comparator::Less, &guard, &facts);
        head = head.widen(&start.join(&body.add(&two), &facts), &facts);
    }
    let body = head.refine(Comparator::Less, &guard, &facts);
    assert_eq!(
        (body.low.clone(), body.high.clone()),
        (Some(Expr::zero()), Some(&n - 1))
    );
    assert_eq!(
        body.step.as_ref().map(|step| step.modulus.clone()),
        Some(Integer::from(2))
    );
    let after = head.refine(Comparator::GreaterEqual, &guard, &facts);
    assert_eq!(after.low, Some(Expr::max(&Expr::zero(), &n)));
}
