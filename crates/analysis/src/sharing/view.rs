//! Of an address that is one sum, which terms choose the row and which the place in it?
//!
//! Juravle §5.2.1 tries all assignments of counters to the roles of one pattern. Here an address is taken apart stride by stride, as dependence tests do:
//! bytes from one row to the next (a *pitch*) are steps of counters; each counter whose step is a multiple of a pitch belongs to its dimension, all others
//! to smaller ones, down to bytes. That works for any number of dimensions, with steps that are sizes of the program or numbers.
//!
//! Any such split is right: the address is always `row * pitch + column`. It is of use only if columns do not reach into the next row, which `rows_fit`
//! asks of a block's tile; for pitches that are no numbers that may be assumed.
//!
//! What it cannot do: a counter that moves in two dimensions at once (a diagonal), whose access stays in one dimension.

use super::kernel::Kernel;
use crate::access::Access;
use crate::quotient::exact_quotient;
use ferry_symbolic::{Expr, Integer, Symbol, Term};

/// An address as rows and bytes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct View {
    /// Bytes from one row to the next, the greatest first.
    pub pitches: Vec<Expr>,
    /// For each pitch the number of the row, and last the place in it in bytes.
    pub positions: Vec<Expr>,
}

/// The counters of the loops around an access that run in the kernel, with the bytes of one step; `None` if the offset is no straight line in all.
pub(super) fn steps(kernel: &Kernel<'_>, access: &Access, offset: &Expr) -> Option<Vec<(Symbol, Expr)>> {
    let loops = [kernel.mapping.lanes.clone(), kernel.inner(access)].concat();
    let mut found = Vec::new();
    let mut rest = offset.clone();
    for index in loops {
        let counter = kernel.facts_of(index).counter;
        let (step, left) = rest.linear_in(counter)?;
        if kernel.moves(&step, access) {
            return None;
        }
        rest = left;
        if !step.is_zero() {
            found.push((counter, step));
        }
    }
    (!kernel.moves(&rest, access)).then_some(found)
}

/// The pitches that the steps of an access suggest: all that are no numbers, and numbers unless they are the least step and within a line.
pub(super) fn candidates(kernel: &Kernel<'_>, access: &Access, offset: &Expr) -> Vec<Expr> {
    let steps = steps(kernel, access, offset).unwrap_or_default();
    let mut found: Vec<Expr> = steps.iter().map(|(_, step)| without_sign(step)).collect();
    sort(&mut found);
    found.dedup();
    // A step over more than a line leaves whole lines out that nobody needs.
    let within_line = |step: &Expr| {
        let step = step.as_constant().and_then(|step| step.to_i128());
        step.is_some_and(|step| step <= i128::from(kernel.gpu.line))
    };
    if found.last().is_some_and(within_line) {
        found.pop();
    }
    found
}

/// Puts pitches in order, the greatest first; of sums of products those of the highest degree are taken to be the greatest.
pub(super) fn sort(pitches: &mut [Expr]) {
    pitches.sort_by(|x, y| {
        degree(y)
            .cmp(&degree(x))
            .then_with(|| y.as_constant().cmp(&x.as_constant()))
            .then_with(|| x.cmp(y))
    });
}

/// The address of an access with these pitches, the greatest first; `None` if a counter moves in two dimensions.
pub(super) fn split(kernel: &Kernel<'_>, access: &Access, offset: &Expr, pitches: &[Expr]) -> Option<View> {
    let mut left = steps(kernel, access, offset)?;
    let mut rest = offset.clone();
    let mut positions = Vec::new();
    for pitch in pitches {
        let mut position = Expr::zero();
        left.retain(|(counter, step)| {
            let Some(rows) = exact_quotient(step, pitch) else {
                return true;
            };
            position = &position + &rows.times(&Expr::symbol(*counter));
            rest = &rest - &step.times(&Expr::symbol(*counter));
            false
        });
        // What does not move says where the first row is.
        let moving = left.iter().fold(Expr::zero(), |sum, (counter, step)| {
            &sum + &step.times(&Expr::symbol(*counter))
        });
        let rows = whole_rows(&(&rest - &moving), pitch);
        rest = &rest - &rows.times(pitch);
        positions.push(&position + &rows);
    }
    // Between rows, or on a diagonal.
    if !pitches.is_empty() && left.iter().any(|(_, step)| step.as_constant().is_none()) {
        return None;
    }
    positions.push(rest);
    Some(View {
        pitches: pitches.to_vec(),
        positions,
    })
}

/// How often a pitch is in an offset: all terms that it divides, and of numbers the nearest multiple, so that `i + 1` rows less one byte are that.
fn whole_rows(offset: &Expr, pitch: &Expr) -> Expr {
    let mut found = Expr::zero();
    let Some(number) = pitch.as_constant() else {
        let Some(first) = pitch
            .terms()
            .max_by_key(|term| term.monomial.degree())
            .map(product)
        else {
            return found;
        };
        let mut rest = offset.clone();
        // A pitch that is a sum is taken out by its leading term, as in `j * (m + 1)`.
        for _ in 0..16 {
            let Some(rows) = rest
                .terms()
                .find_map(|term| exact_quotient(&product(term), &first))
            else {
                break;
            };
            rest = &rest - &rows.times(pitch);
            found = &found + &rows;
        }
        return found;
    };
    for term in offset.terms() {
        let term = product(term);
        let rows = match term.as_constant() {
            Some(constant) => {
                let doubled = &(&constant + &constant) + &number;
                let nearest = doubled.floor_div(&(&number + &number));
                nearest.map_or_else(Expr::zero, Expr::constant)
            }
            None => exact_quotient(&term, pitch).unwrap_or_else(Expr::zero),
        };
        found = &found + &rows;
    }
    found
}

fn product(term: &Term) -> Expr {
    Expr::monomial(&term.monomial, term.coefficient.clone())
}

/// The step of a loop that counts up: the leading term is taken to be positive.
fn without_sign(step: &Expr) -> Expr {
    let leading = step.terms().max_by_key(|term| term.monomial.degree());
    match leading {
        Some(term) if term.coefficient.is_negative() => step.scale(&Integer::from(-1)),
        _ => step.clone(),
    }
}

fn degree(expr: &Expr) -> u32 {
    expr.terms().map(|term| term.monomial.degree()).max().unwrap_or(0)
}

/// Leaves out pitches of which it is not plain that one has room for the next: of the same degree, and no multiples.
pub(super) fn keep_nested(pitches: &mut Vec<Expr>) {
    let nested = pitches.windows(2).all(|two| {
        degree(&two[0]) > degree(&two[1])
            || two[0].as_constant().is_some()
            || exact_quotient(&two[0], &two[1]).is_some()
    });
    if !nested {
        pitches.clear();
    }
}
