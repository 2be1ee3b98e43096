//! Nothing false is ever proved, bounds hold and are attained where they say so, simplification keeps values: for random facts,
//! against all points of a small box. And the proofs that array sections and dependence tests need are found.

use crate::common;

use common::*;
use ferry_symbolic::{Condition, Expr, Facts, Integer, Range, Symbol};
use proptest::prelude::*;

fn s(index: u32) -> Expr {
    Expr::symbol(Symbol(index))
}

/// The points of the box at which all facts hold.
fn models(facts: &[Test], vars: usize) -> Vec<Vec<i64>> {
    points(vars, -4, 4)
        .into_iter()
        .filter(|point| facts.iter().all(|fact| fact.value(point) == Some(true)))
        .collect()
}

fn assumed(tests: &[Test]) -> Facts {
    let mut facts = Facts::new();
    for (index, test) in tests.iter().enumerate() {
        facts.assume_tagged(&test.condition(), index as u32);
    }
    facts
}

fn fact_sets() -> impl Strategy<Value = Vec<Test>> {
    prop::collection::vec(
        prop_oneof![
            3 => (linear(3), linear(3)).prop_map(|(a, b)| Test::LessEqual(a, b)),
            2 => (mild(3), linear(3)).prop_map(|(a, b)| Test::LessEqual(a, b)),
            1 => (mild(3), linear(3)).prop_map(|(a, b)| Test::Equal(a, b)),
            1 => (linear(3), linear(3)).prop_map(|(a, b)| Test::NotEqual(a, b)),
            1 => mild_tests(3),
        ],
        1..6,
    )
}

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn nothing_false_is_proved(tests in fact_sets(), goal in mild_tests(3), value in mild(3)) {
        let facts = assumed(&tests);
        let models = models(&tests, 3);
        let (condition, e) = (goal.condition(), value.expr());
        if facts.infeasible() {
            prop_assert!(models.is_empty(), "{:?} have {:?}", facts.conditions(), models);
        }
        let proved = facts.prove(&condition);
        let (nonnegative, zero, nonzero) = (facts.prove_nonnegative(&e), facts.prove_zero(&e), facts.prove_nonzero(&e));
        for point in &models {
            if proved && goal.value(point).is_some() {
                prop_assert_eq!(goal.value(point), Some(true), "{:?} from {:?}", condition, facts.conditions());
            }
            if let Some(value) = value.value(point) {
                prop_assert!(!nonnegative || value >= 0, "{:?} >= 0 from {:?} at {:?}", e, facts.conditions(), point);
                prop_assert!(!zero || value == 0, "{:?} == 0 from {:?} at {:?}", e, facts.conditions(), point);
                prop_assert!(!nonzero || value != 0, "{:?} != 0 from {:?} at {:?}", e, facts.conditions(), point);
            }
        }
    }

    #[test]
    fn a_proof_rests_on_its_tags(tests in fact_sets(), goal in mild_tests(3)) {
        let facts = assumed(&tests);
        let condition = goal.condition();
        if let Some(tags) = facts.explain(&condition) {
            let used: Vec<Test> = tags.iter().map(|tag| tests[*tag as usize].clone()).collect();
            for point in models(&used, 3) {
                prop_assert_ne!(goal.value(&point), Some(false), "{:?} from {:?} of {:?}", condition, tags, facts.conditions());
            }
        }
    }

    #[test]
    fn simplification_keeps_the_value(tests in fact_sets(), tree in trees(3), test in mild_tests(3)) {
        let facts = assumed(&tests);
        let simple = facts.simplify(&tree.expr());
        let condition = facts.simplify_condition(&test.condition());
        for point in models(&tests, 3) {
            if let Some(expected) = tree.value(&point) && !simple.is_oversize() && !tree.expr().is_oversize() {
                prop_assert_eq!(simple.evaluate(&valuation(&point)), Some(Integer::new(expected)), "{:?} -> {:?} under {:?}", tree.expr(), simple, facts.conditions());
            }
            if let Some(expected) = test.value(&point) {
                prop_assert_eq!(condition.evaluate(&valuation(&point)), Some(expected), "{:?} -> {:?} under {:?}", test.condition(), condition, facts.conditions());
            }
        }
    }

    #[test]
    fn bounds_hold_and_exact_ones_are_attained(tests in fact_sets(), tree in mild(3)) {
        // The ends of the eliminated symbols are inside the box, so that the box has all models for the parameter.
        let mut all = tests.clone();
        for var in 0..2 {
            all.push(Test::LessEqual(Tree::Int(-4), Tree::Var(var)));
            all.push(Test::LessEqual(Tree::Var(var), Tree::Int(4)));
        }
        let facts = assumed(&all);
        let models = models(&all, 3);
        let e = tree.expr();
        for highest in [true, false] {
            let order = [Symbol(0), Symbol(1)];
            let bound = if highest { facts.maximum(&e, &order) } else { facts.minimum(&e, &order) };
            let Some(bound) = bound else { continue };
            prop_assert!(!bound.value.mentions(Symbol(0)) && !bound.value.mentions(Symbol(1)));
            for parameter in -4..=4 {
                let values: Option<Vec<i128>> =
                    models.iter().filter(|point| point[2] == parameter).map(|point| tree.value(point)).collect();
                let Some(values) = values else { continue };
                let extreme = if highest { values.iter().max() } else { values.iter().min() };
                let Some(extreme) = extreme else { continue };
                let Some(given) = bound.value.evaluate(&valuation(&[0, 0, parameter])) else { continue };
                let extreme = Integer::new(*extreme);
                if highest { prop_assert!(given >= extreme, "max of {:?} is not {:?} under {:?} at {}", e, bound, facts.conditions(), parameter); }
                else { prop_assert!(given <= extreme, "min of {:?} is not {:?} under {:?} at {}", e, bound, facts.conditions(), parameter); }
                if bound.exact {
                    prop_assert_eq!(given, extreme, "{:?} has bound {:?} under {:?} at {}", e, bound, facts.conditions(), parameter);
                }
            }
        }
        let (condition, exact) = facts.nonempty(&[Symbol(0), Symbol(1)]);
        for parameter in -4i64..=4 {
            let solvable = models.iter().any(|point| point[2] == parameter);
            let point = [0, 0, parameter];
            let others = tests.iter().filter(|test| {
                let condition = test.condition();
                !condition.mentions(Symbol(0)) && !condition.mentions(Symbol(1))
            }).all(|test| test.value(&point) == Some(true));
            let given = condition.evaluate(&valuation(&point));
            if solvable { prop_assert_ne!(given, Some(false), "{:?} of {:?}", condition, facts.conditions()); }
            if exact && others && given == Some(true) { prop_assert!(solvable, "{:?} of {:?} at {}", condition, facts.conditions(), parameter); }
        }
    }
}

/// `0 <= i < n` and the like.
fn within(facts: &mut Facts, low: &Expr, e: &Expr, high: &Expr) {
    facts.assume(&Condition::less_equal(low, e));
    facts.assume(&Condition::less(e, high));
}

#[test]
fn saxpy_touches_0_to_n_minus_1() {
    let (i, n) = (s(0), s(1));
    let mut facts = Facts::new();
    within(&mut facts, &Expr::zero(), &i, &n);
    let high = facts.maximum(&i, &[Symbol(0)]).unwrap();
    assert_eq!((high.value, high.exact), (&n - 1, true));
    let low = facts.minimum(&i, &[Symbol(0)]).unwrap();
    assert_eq!((low.value, low.exact), (Expr::zero(), true));
    let (condition, exact) = facts.nonempty(&[Symbol(0)]);
    assert_eq!((condition, exact), (Condition::positive(&n), true));
}

#[test]
fn matrix_in_one_dimension() {
    let (i, j, m, n) = (s(0), s(1), s(2), s(3));
    let mut facts = Facts::new();
    within(&mut facts, &Expr::zero(), &i, &m);
    within(&mut facts, &Expr::zero(), &j, &n);
    let index = &i * &n + &j;
    let order = [Symbol(1), Symbol(0)];
    let high = facts.maximum(&index, &order).unwrap();
    assert_eq!((high.value, high.exact), (&m * &n - 1, true));
    let low = facts.minimum(&index, &order).unwrap();
    assert_eq!((low.value, low.exact), (Expr::zero(), true));
    assert!(facts.prove_less(&index, &(&m * &n)));
    // fdtd_2d: (i-1)*n + j from i = 1.
    let before = (&i - 1) * &n + &j;
    let mut later = facts.clone();
    later.assume(&Condition::positive(&i));
    assert_eq!(later.minimum(&before, &order).unwrap().value, Expr::zero());
    assert_eq!(later.maximum(&before, &order).unwrap().value, (&m - 1) * &n - 1);
}

#[test]
fn a_cube_in_one_dimension() {
    let (i, j, k, a, b, c) = (s(0), s(1), s(2), s(3), s(4), s(5));
    let mut facts = Facts::new();
    within(&mut facts, &Expr::zero(), &i, &a);
    within(&mut facts, &Expr::zero(), &j, &b);
    within(&mut facts, &Expr::zero(), &k, &c);
    let index = &i * &b * &c + &j * &c + &k;
    assert!(facts.prove_less(&index, &(&a * &b * &c)));
    assert!(facts.prove_nonnegative(&index));
    let high = facts.maximum(&index, &[Symbol(2), Symbol(1), Symbol(0)]).unwrap();
    assert_eq!((high.value, high.exact), (&a * &b * &c - 1, true));
}

#[test]
fn a_triangle() {
    let (i, j, n) = (s(0), s(1), s(2));
    let mut facts = Facts::new();
    within(&mut facts, &Expr::zero(), &i, &n);
    within(&mut facts, &(&i + 1), &j, &n);
    let order = [Symbol(1), Symbol(0)];
    // The last row has no element right of the diagonal.
    let rows = facts.maximum(&i, &order).unwrap();
    assert_eq!((rows.value, rows.exact), (&n - 2, true));
    let columns = facts.minimum(&j, &order).unwrap();
    assert_eq!((columns.value, columns.exact), (Expr::one(), true));
    let high = facts.maximum(&(&i * &n + &j), &order).unwrap();
    assert_eq!((high.value, high.exact), ((&n - 1) * &n - 1, true));
    assert!(facts.prove_nonzero(&(&i * &n + &j - (&j * &n + &i))));
}

#[test]
fn other_subscripts() {
    let (i, n, m, k) = (s(0), s(1), s(2), s(3));
    let mut facts = Facts::new();
    within(&mut facts, &Expr::zero(), &i, &n);
    let high = facts.maximum(&(&i * &i), &[Symbol(0)]).unwrap();
    assert_eq!((high.value, high.exact), ((&n - 1) * (&n - 1), true));
    // Step 2: i = 2t.
    let mut steps = Facts::new();
    steps.assume_nonnegative(&i);
    steps.assume(&Condition::less(&(&i * 2), &n));
    let high = steps.maximum(&(&i * 2 + 1), &[Symbol(0)]).unwrap();
    assert!(high.exact);
    assert_eq!(high.value, Expr::floor_div(&(&n - 1), &Expr::int(2)) * 2 + 1);
    assert!(steps.prove_less_equal(&high.value, &n));
    // (k % n) * m
    let mut modulo = Facts::new();
    modulo.assume_nonnegative(&k);
    modulo.assume_positive(&n);
    modulo.assume_nonnegative(&m);
    let index = Expr::trunc_rem(&k, &n) * &m;
    let high = modulo.maximum(&index, &[Symbol(3)]).unwrap();
    assert_eq!(high.value, (&n - 1) * &m);
    assert_eq!(modulo.minimum(&index, &[Symbol(3)]).unwrap().value, Expr::zero());
    assert!(modulo.prove_less_equal(&index, &(&n * &m - &m)));
    // i / 2 and i % 2.
    let half = Expr::trunc_div(&i, &Expr::int(2));
    let high = facts.maximum(&half, &[Symbol(0)]).unwrap();
    assert_eq!(high.value, Expr::floor_div(&(&n - 1), &Expr::int(2)));
    assert!(facts.prove_equal(&(&half * 2 + Expr::trunc_rem(&i, &Expr::int(2))), &i));
}

#[test]
fn different_iterations_touch_different_elements() {
    let (i1, i2, j1, j2, n) = (s(0), s(1), s(2), s(3), s(4));
    let mut facts = Facts::new();
    within(&mut facts, &Expr::zero(), &j1, &n);
    within(&mut facts, &Expr::zero(), &j2, &n);
    let difference = &i1 * &n + &j1 - (&i2 * &n + &j2);
    assert!(!facts.prove_nonzero(&difference));
    let mut ordered = facts.clone();
    ordered.assume_tagged(&Condition::less(&i1, &i2), 7);
    assert!(ordered.prove_nonzero(&difference));
    assert_eq!(ordered.explain_nonzero(&difference), Some(vec![7]));
    facts.assume(&Condition::not_equal(&i1, &i2));
    assert!(facts.prove_nonzero(&difference));
    let mut rows = Facts::new();
    rows.assume(&Condition::less(&i1, &i2));
    rows.assume_nonnegative(&n);
    assert!(rows.prove_nonnegative(&(&i2 * &n - &i1 * &n - &n)));
    assert!(!rows.prove_positive(&(&i2 * &n - &i1 * &n)));
}

#[test]
fn congruences_separate_even_and_odd() {
    let (i, k, base) = (s(0), s(1), s(2));
    let mut facts = Facts::new();
    facts.congruent(&i - &base, 2, 0);
    facts.congruent(&k - &base, 2, 1);
    assert!(facts.prove_nonzero(&(&i - &k)));
    assert!(!facts.prove_nonzero(&(&i - &base)));
    assert!(Facts::new().prove_nonzero(&(&i * 2 - &k * 4 + 1)));
    // Even and at least -1 is at least 0.
    let mut even = Facts::new();
    even.congruent(&i, 2, 0);
    even.assume_nonnegative(&i + 1);
    assert!(even.prove_nonnegative(&i));
}

#[test]
fn extrema_are_resolved_by_cases() {
    let (a, b, c) = (s(0), s(1), s(2));
    let mut facts = Facts::new();
    facts.assume(&Condition::less_equal(&a, &c));
    facts.assume(&Condition::less_equal(&b, &c));
    assert!(facts.prove_less_equal(&Expr::max(&a, &b), &c));
    assert!(facts.prove_less_equal(&Expr::min(&a, &b), &a));
    let mut bounded = Facts::new();
    bounded.assume_nonnegative(&a);
    bounded.assume(&Condition::less(&a, &Expr::max(&Expr::zero(), &b)));
    assert!(bounded.prove_less(&a, &b));
    assert_eq!(bounded.simplify(&Expr::max(&Expr::zero(), &b)), b);
    let chosen = Expr::select(&Condition::nonzero(&c), &a, &(&a + 1));
    assert!(Facts::new().prove_less_equal(&a, &chosen));
}

#[test]
fn refinement_follows_the_right_rules() {
    let facts = Facts::new();
    let (five, ten) = (
        Range::exactly(&Expr::int(5)),
        Range::between(&Expr::zero(), &Expr::int(10)),
    );
    // Juravle figure 8.7 h loses a = 5, b in [0, 10]; DawnCC figure 4 has the rule of < under the name <=.
    use ferry_symbolic::Comparator::{Greater, GreaterEqual, Less, LessEqual, NotEqual};
    assert_eq!(five.refine(Less, &ten, &facts), five);
    assert_eq!(
        ten.refine(Greater, &five, &facts),
        Range::between(&Expr::int(6), &Expr::int(10))
    );
    assert_eq!(
        ten.refine(LessEqual, &five, &facts),
        Range::between(&Expr::zero(), &Expr::int(5))
    );
    assert_eq!(
        ten.refine(GreaterEqual, &five, &facts),
        Range::between(&Expr::int(5), &Expr::int(10))
    );
    assert_eq!(
        ten.refine(NotEqual, &Range::exactly(&Expr::int(10)), &facts),
        Range::between(&Expr::zero(), &Expr::int(9))
    );
}

/// `for (i = 0; i < n; i++) for (j = first; j < n; j += step)`: `j` is `first + step*t` for `0 <= t <= floor((n - 1 - first) / step)`.
fn end_of_steps(facts: &mut Facts, first: &Expr, step: &Expr) -> Option<Expr> {
    let (i, t, n) = (s(0), s(1), s(2));
    within(facts, &Expr::zero(), &i, &n);
    facts.assume(&Condition::nonnegative(&t));
    facts.assume(&Condition::less_equal(
        &t,
        &Expr::floor_div(&(&n - 1 - first), step),
    ));
    let last = facts.maximum(&(first + step * &t), &[Symbol(1), Symbol(0)])?;
    assert!(!last.exact || last.value == &n - 1);
    Some(last.value)
}

#[test]
fn steps_from_another_counter_end_within_the_array() {
    let (i, n, d) = (s(0), s(2), s(3));
    let end = Some(&n - 1);
    for step in 2..6 {
        assert_eq!(
            end_of_steps(&mut Facts::new(), &i, &Expr::int(step)),
            end,
            "step {step}"
        );
    }
    // A step that only the program knows, if it is known to go upwards.
    let mut facts = Facts::new();
    facts.assume(&Condition::positive(&d));
    assert_eq!(end_of_steps(&mut facts, &i, &d), end);
    let mut facts = Facts::new();
    facts.assume(&Condition::positive(&(&d + 1)));
    assert_eq!(end_of_steps(&mut facts, &i, &(&d + 1)), end);
    // From `2*i + 1` in steps of 4.
    assert_eq!(end_of_steps(&mut Facts::new(), &(&i * 2 + 1), &Expr::int(4)), end);
    // Downwards: `i - 2*t` for `t <= floor(i / 2)` does not go below 0.
    let t = s(1);
    let mut facts = Facts::new();
    within(&mut facts, &Expr::zero(), &i, &n);
    facts.assume(&Condition::nonnegative(&t));
    facts.assume(&Condition::less_equal(&t, &Expr::floor_div(&i, &Expr::int(2))));
    let least = facts.minimum(&(&i - &t * 2), &[Symbol(1), Symbol(0)]).unwrap();
    assert_eq!(least.value, Expr::zero());
    // A quotient that lowers: `i - 2*floor(i / 2)` is at most 1.
    let rest = facts.maximum(
        &(&i - Expr::floor_div(&i, &Expr::int(2)) * 2),
        &[Symbol(1), Symbol(0)],
    );
    assert_eq!(rest.unwrap().value, Expr::one());
    // A divisor below 0 rounds the other way: `i - d*(i / d)` as C divides is up to `-d - 1`.
    facts.assume(&Condition::positive(&-&d));
    let whole = &d * Expr::trunc_div(&i, &d);
    if let Some(rest) = facts.maximum(&(&i - whole), &[Symbol(1), Symbol(0)]) {
        let at = rest.value.evaluate(&valuation(&[0, 0, 5, -3]));
        assert!(at >= Some(Integer::from(2)), "{:?}", rest.value);
    }
}
