//! Canonical expressions have the value of the operations that they were built from, for all values of the symbols.

use crate::common;

use common::*;
use ferry_symbolic::{Condition, Expr, Integer, Symbol};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config(250))]

    #[test]
    fn construction_keeps_the_value(tree in trees(3)) {
        let expr = tree.expr();
        for point in points(3, -3, 3) {
            if let Some(expected) = tree.value(&point) {
                let got = expr.evaluate(&valuation(&point));
                if expr.is_oversize() {
                    prop_assert!(got.is_none() || got == Some(Integer::new(expected)));
                } else {
                    prop_assert_eq!(got, Some(Integer::new(expected)), "{:?} at {:?}", expr, point);
                }
            }
        }
    }

    #[test]
    fn conditions_keep_their_truth(test in tests_of(trees(2))) {
        let condition = test.condition();
        let opposite = condition.not();
        for point in points(2, -4, 4) {
            if let Some(expected) = test.value(&point) && !condition.is_oversize() {
                prop_assert_eq!(condition.evaluate(&valuation(&point)), Some(expected), "{:?} at {:?}", condition, point);
                prop_assert_eq!(opposite.evaluate(&valuation(&point)), Some(!expected));
            }
        }
    }

    #[test]
    fn symbols_are_found_one_by_one(tree in trees(3), test in tests_of(trees(2))) {
        let (expr, condition) = (tree.expr(), test.condition());
        let (symbols, others) = (expr.symbols(), condition.symbols());
        for number in 0..4 {
            let is_it = |symbol| symbol == Symbol(number);
            prop_assert_eq!(expr.any_symbol(&is_it), symbols.contains(&Symbol(number)), "{:?}", expr);
            prop_assert_eq!(condition.any_symbol(&is_it), others.contains(&Symbol(number)), "{:?}", condition);
        }
    }

    #[test]
    fn substitution_is_evaluation_with_another_value(tree in trees(2), value in trees(2)) {
        let (expr, inner) = (tree.expr(), value.expr());
        let substituted = expr.substitute(Symbol(0), &inner);
        for point in points(2, -3, 3) {
            if let Some(replacement) = value.value(&point) && let Ok(replacement) = i64::try_from(replacement)
                && replacement.abs() < 1 << 20
                && let Some(expected) = tree.value(&[replacement, point[1]])
                && !substituted.is_oversize() && !expr.is_oversize()
            {
                prop_assert_eq!(substituted.evaluate(&valuation(&point)), Some(Integer::new(expected)), "{:?} -> {:?} at {:?}", expr, substituted, point);
            }
        }
        if !inner.mentions(Symbol(0)) {
            prop_assert!(!substituted.mentions(Symbol(0)));
        }
    }

    #[test]
    fn sums_of_products_are_equal_if_their_values_are(a in sums(2), b in sums(2)) {
        let (x, y) = (a.expr(), b.expr());
        // Polynomials of degree below 8 in each variable that agree on a grid of this size are the same.
        let agree = points(2, -4, 4).iter().all(|point| a.value(point) == b.value(point));
        prop_assert_eq!(x == y, agree);
        prop_assert_eq!(x.cmp(&y) == std::cmp::Ordering::Equal, x == y);
        prop_assert_eq!((&x + &y) * &x, &x * &x + &x * &y);
        prop_assert_eq!(&(&x - &y) + &y, x);
    }

    #[test]
    fn linear_form_is_what_it_says(tree in mild(3)) {
        let expr = tree.expr();
        if let Some((slope, rest)) = expr.linear_in(Symbol(1)) {
            prop_assert!(!slope.mentions(Symbol(1)) && !rest.mentions(Symbol(1)));
            prop_assert_eq!(slope * Expr::symbol(Symbol(1)) + rest, expr);
        } else {
            prop_assert!(expr.mentions(Symbol(1)));
        }
    }
}

#[test]
fn c_idioms_resolve() {
    let (n, i) = (Expr::symbol(Symbol(0)), Expr::symbol(Symbol(1)));
    assert_eq!(Expr::shl(&n, &Expr::int(3)), &n * 8);
    assert_eq!(Expr::shr(&(&n * 8), &Expr::int(2)), &n * 2);
    assert_eq!(Expr::bit_xor(&n, &Expr::int(-1)), -&n - 1);
    assert_eq!(Expr::bit_not(&Expr::bit_not(&n)), n);
    assert_eq!(
        Expr::bit_and(&n, &Expr::int(15)),
        Expr::floor_mod(&n, &Expr::int(16))
    );
    assert_eq!(
        Expr::bit_and(&n, &Expr::int(-16)),
        &n - Expr::floor_mod(&n, &Expr::int(16))
    );
    assert_eq!(Expr::trunc_div(&(&n * &i), &n), i);
    assert_eq!(Expr::trunc_rem(&(&n * &i), &n), Expr::zero());
    assert_eq!(
        Expr::floor_div(&(&n * &i + 1), &n),
        &i + Expr::floor_div(&Expr::one(), &n)
    );
    assert_eq!(
        Expr::floor_div(&Expr::floor_div(&n, &Expr::int(4)), &Expr::int(4)),
        Expr::floor_div(&n, &Expr::int(16))
    );
    assert_eq!(Expr::trunc_div(&(&n * 4 + 8), &Expr::int(4)), &n + 2);
    assert_eq!(
        Expr::trunc_rem(&n, &Expr::int(-3)),
        Expr::trunc_rem(&n, &Expr::int(3))
    );
    // DawnCC §4: a conditional that is a minimum or maximum.
    let greater = Condition::less(&i, &n);
    assert_eq!(Expr::select(&greater, &n, &i), Expr::max(&n, &i));
    assert_eq!(Expr::select(&greater, &i, &n), Expr::min(&n, &i));
    assert_eq!(
        Expr::select(&Condition::positive(&n), &n, &Expr::zero()),
        Expr::max(&n, &Expr::zero())
    );
    assert_eq!(Expr::select(&Condition::nonnegative(&n), &n, &-&n), n.abs());
}

#[test]
fn bounds_of_a_floor_are_bounds_of_what_is_divided() {
    let n = Expr::symbol(Symbol(0));
    let half = Expr::floor_div(&(&n + 1), &Expr::int(2));
    assert_eq!(Condition::positive(&half), Condition::positive(&n));
    let quarter = Expr::floor_div(&n, &Expr::int(4));
    assert_eq!(
        Condition::less_equal(&quarter, &Expr::int(2)),
        Condition::less_equal(&n, &Expr::int(11))
    );
    for value in -30..30 {
        for (a, c, k) in [(1, 2, 0), (3, 4, -2), (-1, 3, 1), (2, 5, 2)] {
            let floor = Expr::floor_div(&(&n * a + 1), &Expr::int(c));
            let (above, below) = (
                Condition::nonnegative(&(&floor + k)),
                Condition::nonnegative(&(-&floor + k)),
            );
            let real = (a * value + 1i128).div_euclid(c);
            let holds = |condition: &Condition| condition.evaluate(&|_| Some(value.into()));
            assert_eq!(
                (holds(&above), holds(&below)),
                (Some(real + k >= 0), Some(k - real >= 0))
            );
        }
    }
}

#[test]
fn large_operands_never_blow_up() {
    // 100,000 terms, as a generated program may have.
    let mut sum = Expr::zero();
    for index in 0..100_000 {
        sum = sum + Expr::symbol(Symbol(index));
    }
    assert!(sum.is_oversize());
    assert!(sum.mentions(Symbol(0)) && sum.mentions(Symbol(99_999)));
    let many = |count: u32| (0..count).map(|index| Expr::symbol(Symbol(index))).sum::<Expr>();
    assert_eq!(many(2000), many(2000));
    assert_ne!(many(2000), many(2001));
    let mut power = Expr::symbol(Symbol(0)) + Expr::symbol(Symbol(1)) + 1;
    let mut deep = Expr::symbol(Symbol(0));
    let mut condition = Condition::always();
    for index in 0..2000 {
        power = &power * &power;
        deep = Expr::max(&(&deep * 3), &Expr::trunc_rem(&deep, &Expr::symbol(Symbol(1))));
        let part = Condition::less(&deep, &Expr::symbol(Symbol(index + 2)));
        condition = if index % 2 == 0 {
            condition.and(&part)
        } else {
            condition.or(&part)
        };
    }
    assert!(power.is_oversize() && deep.is_oversize());
    assert!(deep.mentions(Symbol(1)) && condition.mentions(Symbol(2001)));
}
