//! Which facts may matter for a goal? Those that share atoms with it, what its atoms say of themselves, and products of facts.
//!
//! Every monomial is one variable of a linear problem. Products of two facts, and of a fact with a product of known sign, bring
//! in what is known of monomials of higher degree (Handelman's theorem, to the degree that index expressions like `i*n + j` need);
//! only products that contain a monomial in question are made.

use crate::atom::{Atom, Monomial, Operation};
use crate::congruence;
use crate::expr::Expr;
use crate::facts::{Rests, Store};
use crate::integer::Integer;

/// Most constraints taken from the facts and atoms.
const MAX_CONSTRAINTS: usize = 56;
/// Most products.
const MAX_PRODUCTS: usize = 64;
/// Most monomials of degree 2 and more for which products are made.
const MAX_MONOMIALS: usize = 12;

/// `expr >= 0`, or `expr == 0`.
#[derive(Clone)]
pub(crate) struct Constraint {
    pub(crate) expr: Expr,
    pub(crate) equality: bool,
    pub(crate) rests: Rests,
}

/// Tells the sign of an expression by simple means.
pub(crate) type SignOracle<'a> = dyn Fn(&Expr) -> Option<Rests> + 'a;

/// The constraints that may matter for a goal with these atoms. `nonnegative` is asked for the signs of operands.
pub(crate) fn relevant(store: &Store, goal: &Expr, nonnegative: &SignOracle<'_>) -> Vec<Constraint> {
    let mut constraints: Vec<Constraint> = Vec::new();
    let mut atoms: Vec<Atom> = Vec::new();
    let mut taken = vec![false; store.nonnegative.len() + store.zero.len()];
    add_atoms(&mut atoms, goal);
    let everything = goal.variable_terms().is_empty();
    let mut seen = 0;
    loop {
        // What new atoms say of themselves.
        let before = (atoms.len(), constraints.len());
        while seen < atoms.len() && constraints.len() < MAX_CONSTRAINTS {
            let atom = atoms[seen].clone();
            seen += 1;
            if let Some(operation) = atom.operation() {
                let start = constraints.len();
                describe(store, &atom, operation, &atoms, nonnegative, &mut constraints);
                for constraint in &constraints[start..] {
                    add_atoms(&mut atoms, &constraint.expr);
                }
            }
        }
        let mask = atoms.iter().fold(0, |mask, atom| mask | atom.mask());
        for (index, fact) in store.nonnegative.iter().chain(&store.zero).enumerate() {
            if taken[index] || constraints.len() >= MAX_CONSTRAINTS {
                continue;
            }
            let shares = fact.expr.mask() & mask != 0
                && fact.expr.terms().any(|term| {
                    term.monomial
                        .factors()
                        .iter()
                        .any(|(atom, _)| atoms.contains(atom))
                });
            if !shares && !everything {
                continue;
            }
            taken[index] = true;
            let equality = index >= store.nonnegative.len();
            let (mut expr, mut rests) = (fact.expr.clone(), fact.rests);
            if !equality && !store.congruences.is_empty() {
                (expr, rests) = round_down(store, expr, rests);
            }
            add_atoms(&mut atoms, &expr);
            constraints.push(Constraint {
                expr,
                equality,
                rests,
            });
        }
        if before == (atoms.len(), constraints.len()) || constraints.len() >= MAX_CONSTRAINTS {
            break;
        }
    }
    // Constant bounds that are not facts themselves.
    for atom in &atoms {
        let bounds = store.atom_bounds(atom);
        let own = Expr::atom(atom.clone());
        if let Some((low, rests)) = bounds.low {
            add_unless_known(&mut constraints, own.add_constant(&-low), rests);
        }
        if let Some((high, rests)) = bounds.high {
            add_unless_known(&mut constraints, (-own).add_constant(&high), rests);
        }
    }
    constraints
}

/// `f >= 0` with `f = r (mod m)`, `0 <= r < m`, gives `f >= r`.
fn round_down(store: &Store, expr: Expr, rests: Rests) -> (Expr, Rests) {
    for known in &store.congruences {
        if let Some((residue, used)) = congruence::residue(&store.congruences, &expr, &known.modulus)
            && !residue.is_zero()
        {
            return (expr.add_constant(&-residue), rests.union(used));
        }
    }
    (expr, rests)
}

fn add_unless_known(constraints: &mut Vec<Constraint>, expr: Expr, rests: Rests) {
    let known = constraints.iter().any(|old| !old.equality && old.expr == expr);
    if !known {
        constraints.push(Constraint {
            expr,
            equality: false,
            rests,
        });
    }
}

fn add_atoms(atoms: &mut Vec<Atom>, expr: &Expr) {
    for term in expr.terms() {
        for (atom, _) in term.monomial.factors() {
            if !atoms.contains(atom) {
                atoms.push(atom.clone());
            }
        }
    }
}

/// What an atom says of itself, linear in it.
fn describe(
    store: &Store,
    atom: &Atom,
    operation: &Operation,
    atoms: &[Atom],
    nonnegative: &SignOracle<'_>,
    constraints: &mut Vec<Constraint>,
) {
    let own = Expr::atom(atom.clone());
    let mut at_least_zero = |expr: Expr, rests: Rests| {
        constraints.push(Constraint {
            expr,
            equality: false,
            rests,
        })
    };
    let sign = |e: &Expr| store.bounds_of(e).low_at_least(0).or_else(|| nonnegative(e));
    let positive = |e: &Expr| sign(&e.add_constant(&Integer::MINUS_ONE));
    match operation {
        Operation::Max(operands) => {
            for operand in operands {
                at_least_zero(&own - operand, Rests::NONE);
            }
        }
        Operation::FloorDiv(a, d) => {
            if let Some(rests) = positive(d) {
                let product = d * &own;
                at_least_zero(a - &product, rests);
                at_least_zero((d - a).add_constant(&Integer::MINUS_ONE) + product, rests);
            }
        }
        Operation::FloorMod(a, d) => {
            if let Some(rests) = positive(d) {
                at_least_zero(own.clone(), rests);
                at_least_zero((d - &own).add_constant(&Integer::MINUS_ONE), rests);
                if let Some(more) = sign(a) {
                    at_least_zero(a - &own, rests.union(more));
                }
            }
            let quotient = Expr::floor_div(a, d);
            if quotient.atoms().iter().any(|part| atoms.contains(part)) {
                let expr = a - &(d * &quotient) - &own;
                constraints.push(Constraint {
                    expr,
                    equality: true,
                    rests: Rests::NONE,
                });
            }
        }
        Operation::TruncDiv(a, d) => {
            if let Some(rests) = positive(d) {
                let product = d * &own;
                let (lower, upper) = (sign(a), sign(&-a));
                let slack = d.add_constant(&Integer::MINUS_ONE);
                if let Some(more) = lower {
                    let rests = rests.union(more);
                    at_least_zero(own.clone(), rests);
                    at_least_zero(a - &product, rests);
                    at_least_zero(&slack - a + &product, rests);
                } else if let Some(more) = upper {
                    let rests = rests.union(more);
                    at_least_zero(-&own, rests);
                    at_least_zero(&product - a, rests);
                    at_least_zero(&slack + a - &product, rests);
                } else {
                    at_least_zero(&slack - a + &product, rests);
                    at_least_zero(&slack + a - &product, rests);
                }
            }
        }
        Operation::TruncRem(a, d) => {
            if let Some(rests) = positive(d) {
                let most = d.add_constant(&Integer::MINUS_ONE);
                if let Some(more) = sign(a) {
                    let rests = rests.union(more);
                    at_least_zero(own.clone(), rests);
                    at_least_zero(a - &own, rests);
                } else if let Some(more) = sign(&-a) {
                    let rests = rests.union(more);
                    at_least_zero(-&own, rests);
                    at_least_zero(&own - a, rests);
                }
                at_least_zero(&most - &own, rests);
                at_least_zero(&most + &own, rests);
            }
            let quotient = Expr::trunc_div(a, d);
            if quotient.atoms().iter().any(|part| atoms.contains(part)) {
                let expr = a - &(d * &quotient) - &own;
                constraints.push(Constraint {
                    expr,
                    equality: true,
                    rests: Rests::NONE,
                });
            }
        }
        Operation::And(a, b) => {
            for side in [a, b] {
                if let Some(rests) = sign(side) {
                    at_least_zero(own.clone(), rests);
                    at_least_zero(side - &own, rests);
                }
            }
        }
        Operation::Or(a, b) | Operation::Xor(a, b) => {
            if let (Some(p), Some(q)) = (sign(a), sign(b)) {
                let rests = p.union(q);
                at_least_zero(own.clone(), rests);
                at_least_zero(a + b - &own, rests);
                if matches!(operation, Operation::Or(..)) {
                    at_least_zero(&own - a, rests);
                    at_least_zero(&own - b, rests);
                }
            }
        }
        Operation::ShiftLeft(a, _) => {
            if let Some(rests) = sign(a) {
                at_least_zero(&own - a, rests);
            }
        }
        Operation::ShiftRight(a, _) => {
            if let Some(rests) = sign(a) {
                at_least_zero(own.clone(), rests);
                at_least_zero(a - &own, rests);
            }
        }
        Operation::Guarded(_) | Operation::Oversize { .. } => {}
    }
}

/// Products of constraints that contain monomials of degree 2 or more of the goal or of the constraints. `pairwise`: of two
/// constraints too, not only of one with a product of known sign.
pub(crate) fn products(
    store: &Store,
    goal: &Expr,
    constraints: &[Constraint],
    pairwise: bool,
) -> Vec<Constraint> {
    let mut monomials: Vec<Monomial> = Vec::new();
    for expr in std::iter::once(goal).chain(constraints.iter().map(|constraint| &constraint.expr)) {
        for term in expr.terms() {
            if monomials.len() < MAX_MONOMIALS
                && (term.monomial.factors().len() > 1 || term.monomial.degree() > 1)
                && !monomials.contains(&term.monomial)
            {
                monomials.push(term.monomial.clone());
            }
        }
    }
    let mut found: Vec<Constraint> = Vec::new();
    let mut made: Vec<(usize, Monomial)> = Vec::new();
    let mut paired = vec![false; if pairwise { constraints.len().pow(2) } else { 0 }];
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut second: Vec<(usize, usize)> = Vec::new();
    for monomial in &monomials {
        let bounds = store.monomial_bounds(monomial);
        let own = crate::divide::unit(monomial);
        if let Some((low, rests)) = bounds.low {
            found.push(Constraint {
                expr: own.add_constant(&-low),
                equality: false,
                rests,
            });
        }
        if let Some((high, rests)) = bounds.high {
            found.push(Constraint {
                expr: (-&own).add_constant(&high),
                equality: false,
                rests,
            });
        }
        if let [(atom, 2)] = monomial.factors() {
            // x*x >= x and x*x >= -x for all integers.
            let root = Expr::atom(atom.clone());
            found.push(Constraint {
                expr: &own - &root,
                equality: false,
                rests: Rests::NONE,
            });
            found.push(Constraint {
                expr: &own + &root,
                equality: false,
                rests: Rests::NONE,
            });
        }
        for (atom, _) in monomial.factors() {
            let single = Monomial::atom(atom.clone());
            let Some(rest) = monomial.divided_by(&single) else {
                continue;
            };
            let sign = store.monomial_bounds(&rest);
            let (nonnegative, nonpositive) = (sign.low_at_least(0), sign.high_at_most(0));
            let is_partner =
                |(_, partner): &(usize, &Constraint)| !partner.equality && has_monomial(&partner.expr, &rest);
            let partners: Vec<(usize, &Constraint)> = match pairwise {
                true => constraints.iter().enumerate().filter(is_partner).collect(),
                false => Vec::new(),
            };
            for (index, constraint) in constraints.iter().enumerate() {
                if !has_monomial(&constraint.expr, &single) {
                    continue;
                }
                let is_made = || made.iter().any(|(one, by)| *one == index && *by == rest);
                if found.len() < MAX_PRODUCTS && !is_made() {
                    if constraint.equality || nonnegative.is_some() {
                        let rests = if constraint.equality {
                            Rests::NONE
                        } else {
                            nonnegative.unwrap_or(Rests::NONE)
                        };
                        made.push((index, rest.clone()));
                        found.push(Constraint {
                            expr: constraint.expr.times_monomial(&rest),
                            equality: constraint.equality,
                            rests: rests.union(constraint.rests),
                        });
                    } else if let Some(rests) = nonpositive {
                        made.push((index, rest.clone()));
                        found.push(Constraint {
                            expr: -constraint.expr.times_monomial(&rest),
                            equality: false,
                            rests: rests.union(constraint.rests),
                        });
                    }
                }
                // Of pairs that bring in no new monomials there may be enough already.
                if constraint.equality || pairs.len() + found.len() >= MAX_PRODUCTS {
                    continue;
                }
                for &(other, partner) in &partners {
                    let pair = (index.min(other), index.max(other));
                    let known = &mut paired[pair.0 * constraints.len() + pair.1];
                    if std::mem::replace(known, true) {
                        continue;
                    }
                    // Products that bring in no new monomials come first.
                    if introduces(&constraint.expr, &partner.expr, &monomials) {
                        &mut second
                    } else {
                        &mut pairs
                    }
                    .push(pair);
                }
            }
        }
    }
    second.truncate(MAX_PRODUCTS / 4);
    for (left, right) in pairs.into_iter().chain(second) {
        if found.len() >= MAX_PRODUCTS {
            break;
        }
        let expr = constraints[left].expr.times(&constraints[right].expr);
        found.push(Constraint {
            expr,
            equality: false,
            rests: constraints[left].rests.union(constraints[right].rests),
        });
    }
    found
}

fn has_monomial(expr: &Expr, monomial: &Monomial) -> bool {
    expr.term_slice()
        .binary_search_by(|term| term.monomial.cmp(monomial))
        .is_ok()
}

/// Would the product have monomials of degree 2 or more that are not among the known ones?
fn introduces(a: &Expr, b: &Expr, known: &[Monomial]) -> bool {
    a.variable_terms().iter().any(|left| {
        b.variable_terms()
            .iter()
            .any(|right| !known.contains(&left.monomial.times(&right.monomial)))
    })
}
