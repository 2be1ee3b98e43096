//! Which values does a loop read one after the other, so that its iterations keep apart if the values increase?
//!
//! `a[idx[i]] = …` writes another element in each iteration if the values of `idx` all differ, and they do if each is greater than the one before it. Nothing
//! in the program says so; but one pass over the values before the loop can test it, without memory of its own. The same pass tells that the rows of
//! `begin[i] … begin[i + 1]` keep apart, where the values never decrease. The pass reads what the loop certainly reads, and what the loop leaves as it is.
//!
//! What it cannot do: values that differ in another order, are read at other distances than one after the other, or are found through pointers that the loop
//! changes.

use crate::access::Access;
use crate::alias::{Reach, may_overlap};
use crate::joined::at_least_one;
use crate::loops::LoopIndex;
use crate::quotient::exact_quotient;
use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_ir::{Type, TypeId, Unit};
use ferry_symbolic::{Condition, Expr, Symbol};

/// Values in memory, one behind the other, that must be in order.
#[derive(Clone, PartialEq, Debug)]
pub struct Sorted {
    /// Root of their storage.
    pub root: Symbol,
    /// The type of each, an integer.
    pub ty: TypeId,
    /// Bytes of each.
    pub size: u64,
    /// Bytes from the root to the first.
    pub first: Expr,
    /// How many there are, where the loop runs.
    pub count: Expr,
    /// Each must be greater than the one before it; else none may be less.
    pub strictly: bool,
}

/// Where one place of the text reads such a value, an element further (or back) in each iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Lane {
    /// Root of the storage.
    pub root: Symbol,
    /// The type of the value.
    pub ty: TypeId,
    /// Bytes of the value.
    pub size: u64,
    /// The address in the first iteration.
    pub start: Expr,
    /// The loop goes from the last value to the first.
    pub backwards: bool,
    /// Where these hold, each iteration certainly reads it.
    pub runs: Vec<Condition>,
}

impl Lane {
    /// How many elements behind this lane's place the place of another one is in the same iteration, if that is a number and both are of one kind.
    pub fn ahead(&self, other: &Lane) -> Option<i64> {
        let alike = self.root == other.root
            && self.ty == other.ty
            && self.size == other.size
            && self.backwards == other.backwards;
        let elements = exact_quotient(&(&other.start - &self.start), &Expr::int(i128::from(self.size)));
        elements.filter(|_| alike)?.as_constant()?.to_i64()
    }
}

/// Values as one loop sees them.
#[derive(Clone, Copy)]
pub struct Lanes<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// What aliases are asked.
    pub reach: &'a Reach<'a>,
    /// The values of the function.
    pub values: &'a Values,
    /// The loop.
    pub index: LoopIndex,
    /// True for an access to storage that each iteration has for itself.
    pub is_private: &'a dyn Fn(&Access) -> bool,
}

impl Lanes<'_> {
    /// Where a value was read that a symbol stands for, if each iteration reads the next one, and the loop leaves them as they are.
    pub fn of(&self, symbol: Symbol) -> Option<Lane> {
        let values = self.values;
        let of = values.loops.get(self.index.0 as usize)?;
        let info = values.symbols.info(symbol);
        let SymbolKind::Loaded { address, size } = &info.kind else {
            return None;
        };
        let ty = info.ty.filter(|ty| {
            matches!(self.unit.types.get(*ty), Type::Int { bits: 8..=64, .. })
                && self.unit.types.size(*ty) == Some(*size)
        })?;
        let (step, start) = address.linear_in(of.counter)?;
        let step = step.as_constant()?.to_i64()?;
        let fixed = |expr: &Expr| values.symbols.invariant_in(expr, of.stmt);
        if step.unsigned_abs() != *size || !fixed(&start) {
            return None;
        }
        let reads = values.accesses.iter().filter(|read| {
            !read.is_write()
                && read.address.as_ref() == Some(address)
                && read.size == *size
                && self.unit.types.get(read.ty) == self.unit.types.get(ty)
        });
        let (root, runs) = reads
            .clone()
            .find_map(|read| Some((read.root?, self.certainly_read(read)?)))?;
        let is_whole = |read: &Access| {
            !read.volatile && !read.partial && read.choice.is_none() && !(self.is_private)(read)
        };
        // Reads of this address that are something else than what is tested.
        if !reads
            .clone()
            .all(|read| read.root == Some(root) && is_whole(read))
        {
            return None;
        }
        let start_of_values = &start - &Expr::symbol(root);
        exact_quotient(&start_of_values, &Expr::int(i128::from(*size)))?;
        if values.symbols.varies_in(root, of.stmt) || !self.stays(root) {
            return None;
        }
        Some(Lane {
            root,
            ty,
            size: *size,
            start,
            backwards: step < 0,
            runs,
        })
    }

    /// Where these hold, a read happens in every iteration; `None` if there is always a doubt.
    fn certainly_read(&self, read: &Access) -> Option<Vec<Condition>> {
        let values = self.values;
        let of = values.loops.get(self.index.0 as usize)?;
        let position = read.loops.iter().position(|index| *index == self.index)?;
        if read.conditional_depth > position || read.summary.is_some() {
            return None;
        }
        let mut runs = Vec::new();
        for index in &read.loops[position + 1..] {
            let inner = values.loops.get(index.0 as usize)?;
            // The test of a loop is made once, even if its body never runs.
            if read.stmt == inner.stmt && inner.early_exits.is_empty() {
                continue;
            }
            let once = at_least_one(inner.trip.as_ref().ok()?);
            if inner.before.facts.prove(&once) {
                continue;
            }
            let mut symbols = once.symbols().into_iter();
            if symbols.any(|symbol| values.symbols.varies_in(symbol, of.stmt)) {
                return None;
            }
            runs.push(once);
        }
        Some(runs)
    }

    /// True if nothing in the loop writes the storage of a root, as far as it is known by that root. Where other storage may overlap, the verdict has that as a
    /// condition, as the loop reads the one and writes the other.
    fn stays(&self, root: Symbol) -> bool {
        let inside = |loops: &[LoopIndex]| loops.contains(&self.index);
        let of = &self.values.loops[self.index.0 as usize];
        let mut effects = self.values.effects.iter().filter(|effect| inside(&effect.loops));
        let touches = |other: &Symbol| may_overlap(self.reach, *other, root);
        if effects.any(|effect| {
            effect
                .writes
                .as_ref()
                .is_none_or(|roots| roots.iter().any(touches))
        }) {
            return false;
        }
        let mut writes = self.values.accesses.iter();
        writes.all(|write| {
            let is_compared =
                |other: Symbol| !self.values.symbols.varies_in(other, of.stmt) && !(self.is_private)(write);
            let apart = |other: Symbol| {
                other != root && (!may_overlap(self.reach, other, root) || is_compared(other))
            };
            !write.is_write() || !inside(&write.loops) || write.root.is_some_and(apart)
        })
    }
}

/// The values that must be in order where iterations are told apart by what was read in these lanes, which are of one root.
pub fn together(lanes: &[Lane], strictly: bool, trip: &Expr) -> Option<Sorted> {
    let first = lanes.first()?;
    let mut ends = (0, 0);
    for lane in lanes {
        let ahead = first.ahead(lane)?;
        ends = (ends.0.min(ahead), ends.1.max(ahead));
    }
    let spread = ends.1 - ends.0;
    // Those between two places that are farther apart are not all read where the loop has one iteration.
    if spread > 1 {
        return None;
    }
    let size = Expr::int(i128::from(first.size));
    let lowest = match first.backwards {
        false => first.start.clone(),
        true => &first.start - &(&size * &(trip - &Expr::one())),
    };
    let lowest = &lowest + &(&size * &Expr::int(i128::from(ends.0)));
    Some(Sorted {
        root: first.root,
        ty: first.ty,
        size: first.size,
        first: &lowest - &Expr::symbol(first.root),
        count: trip + &Expr::int(i128::from(spread)),
        strictly,
    })
}
