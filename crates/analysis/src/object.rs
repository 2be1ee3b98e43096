//! How many bytes does an object have, and does what an access may touch lie inside it?
//!
//! The bound of last resort: a subscript of which little is known (`x[col[j]]`, the convex-array-regions paper's
//! indirections; `x[k % m]`, which C lets be negative) stays inside its object, because C says so. Declared arrays have the
//! size of their type, variable-length ones that of their declaration, storage that was allocated what was asked for, and what pointers lead to the size that the
//! user says.
//! Where the size is not known, an end that is certainly touched shows that the object reaches that far.
//!
//! What it cannot do: what parameters and pointers from memory point to, unless it is said; parts of structures, whose arrays may be
//! flexible; storage that may have been released before, because a loop that does not run may still be entered.

use crate::access::Access;
use crate::loops::LoopIndex;
use crate::quotient::exact_quotient;
use crate::region::Hull;
use crate::symbols::{Cause, SymbolKind};
use crate::value::{StatementEffect, Values};
use ferry_ir::VariableRef;
use ferry_symbolic::{Condition, Expr, Facts, Relation, Symbol};

impl Values {
    /// The size in bytes of the object in which an access lies, seen from before the loops in which the symbols `varying`
    /// take their values; `None` if it is not known there.
    pub fn object_size<'a>(&'a self, access: &'a Access, varying: &[Symbol]) -> Option<&'a Expr> {
        self.certain_size(access, varying).or_else(|| {
            let said = access.extent.as_ref()?;
            self.size_there(access, &said.bytes, said.since, varying)
        })
    }

    /// The same, where that holds also if the access does not happen.
    pub fn certain_size<'a>(&'a self, access: &'a Access, varying: &[Symbol]) -> Option<&'a Expr> {
        self.size_there(access, self.extents.get(&access.root?)?, 0, varying)
    }

    /// The size, if nothing has been released that it is of, from the point `since` of the order of evaluation on.
    fn size_there<'a>(
        &self,
        access: &Access,
        size: &'a Expr,
        since: usize,
        varying: &[Symbol],
    ) -> Option<&'a Expr> {
        let root = access.root?;
        if varying.contains(&root) || size.symbols().iter().any(|symbol| varying.contains(symbol)) {
            return None;
        }
        let stays = matches!(self.symbols.info(root).kind, SymbolKind::Address(_));
        let gone = |effect: &StatementEffect| {
            let may_be = |released: &Symbol| *released == root || self.goes_with(root, *released);
            effect.order >= since
                && releases_before(effect, access)
                && effect.writes.as_ref().is_none_or(|all| all.iter().any(may_be))
        };
        (stays || !self.effects.iter().any(gone)).then_some(size)
    }

    /// True if what a pointer leads to that comes from elsewhere may be gone where something that `released` leads to is released: the same by another name, or found through it.
    fn goes_with(&self, root: Symbol, released: Symbol) -> bool {
        let kind = |symbol: Symbol| &self.symbols.info(symbol).kind;
        match (kind(root), kind(released)) {
            (SymbolKind::Address(_) | SymbolKind::Allocated(_) | SymbolKind::Elsewhere(_), _) => false,
            // What is allocated is nothing that was known before.
            (_, SymbolKind::Allocated(_)) => root.0 > released.0 || !self.symbols.info(root).loops.is_empty(),
            (SymbolKind::Entry(VariableRef::Local(a)), SymbolKind::Entry(VariableRef::Local(b))) => {
                !self.passed.are_apart(*a, *b)
            }
            _ => true,
        }
    }

    /// How many bytes of the object such an access can touch: of 12 bytes, eight at a time, the first eight.
    fn room(&self, access: &Access, varying: &[Symbol]) -> Option<Expr> {
        let size = self.object_size(access, varying)?;
        let each = Expr::int(i128::from(access.size.max(1)));
        let steps = access
            .offset()
            .is_some_and(|offset| exact_quotient(&offset, &each).is_some());
        Some(match steps && exact_quotient(size, &each).is_none() {
            true => &Expr::floor_div(size, &each) * &each,
            false => size.clone(),
        })
    }

    /// All bytes of the object in which an access lies.
    pub(crate) fn whole_object(&self, access: &Access, varying: &[Symbol]) -> Option<Hull> {
        let size = self.room(access, varying)?;
        Some(Hull {
            low: Expr::zero(),
            whole: size.as_constant().is_some(),
            high: size,
            exact: false,
        })
    }

    /// Bounds cut off where the object ends. If its size is not known and they may begin before its first byte, where no iteration needs it,
    /// there are none.
    pub(crate) fn inside_object(
        &self,
        access: &Access,
        hull: Hull,
        varying: &[Symbol],
    ) -> Result<Hull, Cause> {
        if hull.exact && self.reaches_its_ends(access, varying) {
            return Ok(hull);
        }
        // A bound that no iteration takes may be far from all that do: `(i - 5) * (i - 5)` is not below `35 - 10 * n`.
        let loose =
            || !access.facts.prove_nonnegative(&hull.low) && !self.begins_there(access, &hull.low, varying);
        match self.room(access, varying) {
            Some(size) => Ok(
                match (
                    cut(&hull.low, &hull.high, &size, &access.facts),
                    size.as_constant(),
                ) {
                    (None, _) => hull,
                    // The text may have a name for the constant, which would not be in what is cut off by it.
                    (Some(_), Some(_)) => self.whole_object(access, varying).unwrap_or(hull),
                    (Some((low, high)), None) => Hull { low, high, ..hull },
                },
            ),
            None if loose()
                || access
                    .facts
                    .prove_nonnegative(&(-&hull.low).add_constant(&(-1).into())) =>
            {
                let why = "as far as is known, it may be before what the pointer points to";
                Err(Cause::new(why, access.origin))
            }
            None => Ok(hull),
        }
    }

    /// True if some iteration would touch the least byte, were it not for tests on data.
    fn begins_there(&self, access: &Access, low: &Expr, varying: &[Symbol]) -> bool {
        let Some(offset) = access.offset() else {
            return false;
        };
        [self.defined(&offset), offset].iter().any(|offset| {
            let least = access.facts.minimum(offset, varying);
            least.is_some_and(|least| least.exact && least.value == *low)
        })
    }

    /// The same for the first subscript, from the least to the greatest; `None` if the object's end is a constant.
    pub(crate) fn rows_of_object(
        &self,
        access: &Access,
        (low, high): (Expr, Expr),
        varying: &[Symbol],
    ) -> Option<(Expr, Expr)> {
        let stride = access.subscripts.first().and_then(|first| first.stride.as_ref());
        let size = self.object_size(access, varying);
        let rows = stride.and_then(|stride| exact_quotient(size?, stride));
        let end = &high + &Expr::one();
        match rows {
            Some(rows) if !self.reaches_its_ends(access, varying) => {
                match (cut(&low, &end, &rows, &access.facts), rows.as_constant()) {
                    (None, _) => Some((low, high)),
                    (Some(_), Some(_)) => None,
                    (Some((low, end)), None) => Some((low, &end - &Expr::one())),
                }
            }
            _ => Some((low, high)),
        }
    }

    /// True if nothing but the loops' own counters decides whether the access happens, and only by ends: then the ends
    /// of exact bounds are touched.
    pub fn reaches_its_ends(&self, access: &Access, varying: &[Symbol]) -> bool {
        let fixed = |symbol: &Symbol| !varying.contains(symbol);
        let of_counter = |symbol: &Symbol| matches!(self.symbols.info(*symbol).kind, SymbolKind::Counter(_));
        let simple = |condition: &Condition| {
            condition.conjuncts().iter().all(|one| {
                let moving: Vec<Symbol> = one
                    .symbols()
                    .into_iter()
                    .filter(|symbol| !fixed(symbol))
                    .collect();
                let is_end = |expr: &Expr| {
                    let mut atoms = expr.terms().flat_map(|term| term.monomial.factors());
                    atoms.all(|(atom, _)| {
                        atom.as_symbol().is_some() || !moving.iter().any(|symbol| atom.mentions(*symbol))
                    })
                };
                let comparison = one.as_comparison();
                let ends = comparison.filter(|comparison| comparison.relation == Relation::NonNegative);
                moving.is_empty()
                    || moving.iter().all(of_counter) && ends.is_some_and(|ends| is_end(&ends.expr))
            })
        };
        access.guards.iter().all(|guard| {
            // A test outside the loops has been passed where they run.
            guard
                .known()
                .map_or_else(|| guard.loops < self.depth_of(access, varying), simple)
        })
    }

    /// How many of the loops around an access have counters that do not vary.
    fn depth_of(&self, access: &Access, varying: &[Symbol]) -> usize {
        let varies = |index: &LoopIndex| {
            let of = self.loops.get(index.0 as usize);
            of.is_some_and(|of| varying.contains(&of.counter))
        };
        access
            .loops
            .iter()
            .position(varies)
            .map_or(usize::MAX, |at| at + 1)
    }
}

/// `low .. high` without what is not in `0 .. size`; `None` if that is nothing.
fn cut(low: &Expr, high: &Expr, size: &Expr, facts: &Facts) -> Option<(Expr, Expr)> {
    let (below, above) = (
        !facts.prove_nonnegative(low),
        !facts.prove_nonnegative(&(size - high)),
    );
    let least = |low: &Expr| Expr::max(&Expr::zero(), low).simplify(facts);
    let greatest = |high: &Expr| Expr::min(size, high).simplify(facts);
    (below || above).then(|| {
        let low = if below { least(low) } else { low.clone() };
        let high = if above { greatest(high) } else { high.clone() };
        (low, high)
    })
}

/// True if it may release storage before the access is reached.
fn releases_before(effect: &StatementEffect, access: &Access) -> bool {
    let again = |index: &LoopIndex| access.loops.contains(index);
    effect.may_release && (effect.order < access.order || effect.loops.iter().any(again))
}
