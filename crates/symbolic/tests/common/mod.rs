//! Expression trees with their own evaluator, against which the canonical forms are tested.

use ferry_symbolic::{Condition, Expr, Integer, Symbol};
use proptest::prelude::*;

/// So many random cases, or as many as `PROPTEST_CASES` says.
pub fn config(cases: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(cases);
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    }
}

/// An operation as its creator meant it; nothing is simplified.
#[derive(Clone, Debug)]
pub enum Tree {
    Int(i64),
    Var(u32),
    Add(Box<Tree>, Box<Tree>),
    Sub(Box<Tree>, Box<Tree>),
    Mul(Box<Tree>, Box<Tree>),
    Neg(Box<Tree>),
    Min(Box<Tree>, Box<Tree>),
    Max(Box<Tree>, Box<Tree>),
    FloorDiv(Box<Tree>, Box<Tree>),
    FloorMod(Box<Tree>, Box<Tree>),
    TruncDiv(Box<Tree>, Box<Tree>),
    TruncRem(Box<Tree>, Box<Tree>),
    And(Box<Tree>, Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Xor(Box<Tree>, Box<Tree>),
    Not(Box<Tree>),
    Shl(Box<Tree>, Box<Tree>),
    Shr(Box<Tree>, Box<Tree>),
    Select(Box<Test>, Box<Tree>, Box<Tree>),
}

/// A condition as its creator meant it.
#[derive(Clone, Debug)]
pub enum Test {
    Less(Tree, Tree),
    LessEqual(Tree, Tree),
    Equal(Tree, Tree),
    NotEqual(Tree, Tree),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
    Not(Box<Test>),
}

impl Tree {
    pub fn value(&self, vars: &[i64]) -> Option<i128> {
        use Tree::*;
        Some(match self {
            Int(v) => i128::from(*v),
            Var(i) => i128::from(vars[*i as usize]),
            Add(a, b) => a.value(vars)?.checked_add(b.value(vars)?)?,
            Sub(a, b) => a.value(vars)?.checked_sub(b.value(vars)?)?,
            Mul(a, b) => a.value(vars)?.checked_mul(b.value(vars)?)?,
            Neg(a) => -a.value(vars)?,
            Min(a, b) => a.value(vars)?.min(b.value(vars)?),
            Max(a, b) => a.value(vars)?.max(b.value(vars)?),
            FloorDiv(a, b) => floor(a.value(vars)?, b.value(vars)?)?,
            FloorMod(a, b) => {
                let (x, y) = (a.value(vars)?, b.value(vars)?);
                x - y * floor(x, y)?
            }
            TruncDiv(a, b) => a.value(vars)?.checked_div(b.value(vars)?)?,
            TruncRem(a, b) => a.value(vars)?.checked_rem(b.value(vars)?)?,
            And(a, b) => a.value(vars)? & b.value(vars)?,
            Or(a, b) => a.value(vars)? | b.value(vars)?,
            Xor(a, b) => a.value(vars)? ^ b.value(vars)?,
            Not(a) => !a.value(vars)?,
            Shl(a, b) => {
                let (x, y) = (a.value(vars)?, b.value(vars)?);
                if !(0..=40).contains(&y) {
                    return None;
                }
                x.checked_mul(1 << y)?
            }
            Shr(a, b) => {
                let (x, y) = (a.value(vars)?, b.value(vars)?);
                if !(0..=40).contains(&y) {
                    return None;
                }
                x >> y
            }
            Select(c, a, b) => {
                if c.value(vars)? {
                    a.value(vars)?
                } else {
                    b.value(vars)?
                }
            }
        })
    }

    pub fn expr(&self) -> Expr {
        use Tree::*;
        match self {
            Int(v) => Expr::int(i128::from(*v)),
            Var(i) => Expr::symbol(Symbol(*i)),
            Add(a, b) => a.expr() + b.expr(),
            Sub(a, b) => a.expr() - b.expr(),
            Mul(a, b) => a.expr() * b.expr(),
            Neg(a) => -a.expr(),
            Min(a, b) => Expr::min(&a.expr(), &b.expr()),
            Max(a, b) => Expr::max(&a.expr(), &b.expr()),
            FloorDiv(a, b) => Expr::floor_div(&a.expr(), &b.expr()),
            FloorMod(a, b) => Expr::floor_mod(&a.expr(), &b.expr()),
            TruncDiv(a, b) => Expr::trunc_div(&a.expr(), &b.expr()),
            TruncRem(a, b) => Expr::trunc_rem(&a.expr(), &b.expr()),
            And(a, b) => Expr::bit_and(&a.expr(), &b.expr()),
            Or(a, b) => Expr::bit_or(&a.expr(), &b.expr()),
            Xor(a, b) => Expr::bit_xor(&a.expr(), &b.expr()),
            Not(a) => Expr::bit_not(&a.expr()),
            Shl(a, b) => Expr::shl(&a.expr(), &b.expr()),
            Shr(a, b) => Expr::shr(&a.expr(), &b.expr()),
            Select(c, a, b) => Expr::select(&c.condition(), &a.expr(), &b.expr()),
        }
    }
}

fn floor(a: i128, b: i128) -> Option<i128> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    })
}

impl Test {
    pub fn value(&self, vars: &[i64]) -> Option<bool> {
        Some(match self {
            Test::Less(a, b) => a.value(vars)? < b.value(vars)?,
            Test::LessEqual(a, b) => a.value(vars)? <= b.value(vars)?,
            Test::Equal(a, b) => a.value(vars)? == b.value(vars)?,
            Test::NotEqual(a, b) => a.value(vars)? != b.value(vars)?,
            Test::And(a, b) => {
                let (x, y) = (a.value(vars), b.value(vars));
                if x == Some(false) || y == Some(false) {
                    false
                } else {
                    x? && y?
                }
            }
            Test::Or(a, b) => {
                let (x, y) = (a.value(vars), b.value(vars));
                if x == Some(true) || y == Some(true) {
                    true
                } else {
                    x? || y?
                }
            }
            Test::Not(a) => !a.value(vars)?,
        })
    }

    pub fn condition(&self) -> Condition {
        match self {
            Test::Less(a, b) => Condition::less(&a.expr(), &b.expr()),
            Test::LessEqual(a, b) => Condition::less_equal(&a.expr(), &b.expr()),
            Test::Equal(a, b) => Condition::equal(&a.expr(), &b.expr()),
            Test::NotEqual(a, b) => Condition::not_equal(&a.expr(), &b.expr()),
            Test::And(a, b) => a.condition().and(&b.condition()),
            Test::Or(a, b) => a.condition().or(&b.condition()),
            Test::Not(a) => a.condition().not(),
        }
    }
}

pub fn valuation(vars: &[i64]) -> impl Fn(Symbol) -> Option<Integer> + '_ {
    move |symbol| vars.get(symbol.0 as usize).map(|value| Integer::from(*value))
}

/// All points of a box.
pub fn points(count: usize, low: i64, high: i64) -> Vec<Vec<i64>> {
    let mut all = vec![vec![]];
    for _ in 0..count {
        all = all
            .into_iter()
            .flat_map(|point| {
                (low..=high).map(move |value| {
                    let mut longer = point.clone();
                    longer.push(value);
                    longer
                })
            })
            .collect();
    }
    all
}

pub fn sums(vars: u32) -> BoxedStrategy<Tree> {
    let leaf = prop_oneof![2 => (-4i64..=6).prop_map(Tree::Int), 3 => (0..vars).prop_map(Tree::Var)];
    leaf.prop_recursive(3, 10, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            two.clone().prop_map(|(a, b)| Tree::Add(Box::new(a), Box::new(b))),
            two.clone().prop_map(|(a, b)| Tree::Sub(Box::new(a), Box::new(b))),
            two.prop_map(|(a, b)| Tree::Mul(Box::new(a), Box::new(b))),
        ]
    })
    .boxed()
}

pub fn linear(vars: u32) -> BoxedStrategy<Tree> {
    prop::collection::vec((-3i64..=3, 0..vars), 1..4)
        .prop_flat_map(|terms| ((-6i64..=6), Just(terms)))
        .prop_map(|(constant, terms)| {
            terms.into_iter().fold(Tree::Int(constant), |sum, (factor, var)| {
                let term = Tree::Mul(Box::new(Tree::Int(factor)), Box::new(Tree::Var(var)));
                Tree::Add(Box::new(sum), Box::new(term))
            })
        })
        .boxed()
}

pub fn trees(vars: u32) -> BoxedStrategy<Tree> {
    let leaf = prop_oneof![2 => (-5i64..=8).prop_map(Tree::Int), 3 => (0..vars).prop_map(Tree::Var)];
    leaf.prop_recursive(4, 20, 3, move |inner| {
        let two = (inner.clone(), inner.clone());
        let b = |build: fn(Box<Tree>, Box<Tree>) -> Tree| {
            two.clone()
                .prop_map(move |(x, y)| build(Box::new(x), Box::new(y)))
                .boxed()
        };
        prop_oneof![
            3 => b(Tree::Add),
            3 => b(Tree::Sub),
            2 => b(Tree::Mul),
            1 => inner.clone().prop_map(|x| Tree::Neg(Box::new(x))),
            2 => b(Tree::Min),
            2 => b(Tree::Max),
            1 => b(Tree::FloorDiv),
            1 => b(Tree::FloorMod),
            1 => b(Tree::TruncDiv),
            1 => b(Tree::TruncRem),
            1 => b(Tree::And),
            1 => b(Tree::Or),
            1 => b(Tree::Xor),
            1 => inner.clone().prop_map(|x| Tree::Not(Box::new(x))),
            1 => b(Tree::Shl),
            1 => b(Tree::Shr),
            2 => (tests_of(inner.clone()), inner.clone(), inner.clone())
                .prop_map(|(c, x, y)| Tree::Select(Box::new(c), Box::new(x), Box::new(y))),
        ]
    })
    .boxed()
}

pub fn tests_of(inner: BoxedStrategy<Tree>) -> BoxedStrategy<Test> {
    let leaf = (0..4, inner.clone(), inner).prop_map(|(kind, a, b)| match kind {
        0 => Test::Less(a, b),
        1 => Test::LessEqual(a, b),
        2 => Test::Equal(a, b),
        _ => Test::NotEqual(a, b),
    });
    leaf.prop_recursive(2, 6, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            two.clone().prop_map(|(a, b)| Test::And(Box::new(a), Box::new(b))),
            two.prop_map(|(a, b)| Test::Or(Box::new(a), Box::new(b))),
            inner.prop_map(|a| Test::Not(Box::new(a))),
        ]
    })
    .boxed()
}

/// Trees with one operation that is not a sum or product, as they occur in programs.
pub fn mild(vars: u32) -> BoxedStrategy<Tree> {
    let inner = linear(vars);
    let positive = (1i64..=4).prop_map(Tree::Int).boxed();
    let special = (
        0..9,
        inner.clone(),
        inner.clone(),
        positive,
        (0..vars).prop_map(Tree::Var),
    )
        .prop_map(|(kind, a, b, d, v)| {
            let (a, b, d, v) = (Box::new(a), Box::new(b), Box::new(d), Box::new(v));
            match kind {
                0 => Tree::Min(a, b),
                1 => Tree::Max(a, b),
                2 => Tree::FloorDiv(a, d),
                3 => Tree::FloorMod(a, d),
                4 => Tree::TruncDiv(a, d),
                5 => Tree::TruncRem(a, d),
                6 => Tree::Select(Box::new(Test::LessEqual((*v).clone(), (*d).clone())), a, b),
                7 => Tree::TruncRem(a, v),
                _ => Tree::And(a, d),
            }
        });
    let special = special.boxed();
    prop_oneof![
        3 => inner.clone(),
        3 => sums(vars),
        2 => special.clone(),
        2 => (special.clone(), inner.clone()).prop_map(|(a, b)| Tree::Add(Box::new(a), Box::new(b))),
        1 => (special.clone(), inner).prop_map(|(a, b)| Tree::Sub(Box::new(b), Box::new(a))),
        1 => (special, (0..vars)).prop_map(|(a, v)| Tree::Mul(Box::new(a), Box::new(Tree::Var(v)))),
    ]
    .boxed()
}

pub fn mild_tests(vars: u32) -> BoxedStrategy<Test> {
    tests_of(mild(vars))
}
