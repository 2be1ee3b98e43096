//! Which storage does a loop find through the pointers of a table (`w[i][j]`), and when do its iterations keep apart?
//!
//! A *row* is what one pointer of a table points to. Two accesses in different iterations touch different bytes if they
//! touch different elements of one row, or different rows, and no two rows overlap. The first is asked as for a
//! two-dimensional array: the place of the pointer in the table is the first subscript, what is added to the pointer the
//! second. The second nothing in the program says; it is a condition on the pointers, which can be tested before the
//! loop where the loop certainly reads them all and does not change them (Juravle §4.2 has the regions, not the test).
//!
//! What it cannot do: tables that are found in tables inside the loop, rows whose ends are found in memory inside the loop,
//! tables that the loop may change.

use crate::access::Access;
use crate::alias::{Reach, may_overlap};
use crate::joined::at_least_one;
use crate::loops::LoopIndex;
use crate::quotient::exact_quotient;
use crate::region::{self, StridedBox};
use crate::symbols::{Cause, SymbolKind};
use crate::value::Values;
use ferry_ir::{TypeId, Unit};
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// Size of a pointer in bytes.
const POINTER: i128 = crate::state::POINTER as i128;

/// The pointers of one table that a loop follows, and what it touches behind each.
#[derive(Clone, PartialEq, Debug)]
pub struct Rows {
    /// Root of the table's storage.
    pub table: Symbol,
    /// What the pointers point to, as their type says.
    pub element: Option<TypeId>,
    /// The pointers that are read: bytes from the root, of the first and past the last.
    pub pointers: (Expr, Expr),
    /// What is touched behind each pointer: bytes from where it points, of the first and past the last.
    pub bytes: (Expr, Expr),
    /// Where this holds, all these pointers are read; each part is evaluated only where those before it hold.
    pub runs: Vec<Condition>,
    /// That the loop does not change the pointers rests on the types of what it stores.
    pub by_type: bool,
}

/// What the rows of a table must be apart from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Other {
    /// The storage of a root.
    Object(Symbol),
    /// The rows of another table, by its root.
    Rows(Symbol),
}

/// Conditions on rows under which a loop is parallel.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Apart {
    /// The tables, by their roots.
    pub tables: BTreeMap<Symbol, Rows>,
    /// Those of which no two rows may overlap.
    pub each: BTreeSet<Symbol>,
    /// What else rows may not overlap.
    pub others: BTreeSet<(Symbol, Other)>,
}

impl Apart {
    /// True if there is no condition.
    pub fn is_empty(&self) -> bool {
        self.each.is_empty() && self.others.is_empty()
    }
}

/// One access to a row.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Root of the table.
    pub table: Symbol,
    /// Where the pointer is.
    pub cell: Expr,
}

/// Rows as one loop sees them.
#[derive(Clone, Copy)]
pub struct Tables<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// What aliases are asked.
    pub reach: &'a Reach<'a>,
    /// The values of the function.
    pub values: &'a Values,
    /// The loop.
    pub index: LoopIndex,
}

impl Tables<'_> {
    /// The row that an access lies in, if its pointer is found in a table while the loop runs.
    pub fn row(&self, access: &Access) -> Option<Row> {
        let symbols = &self.values.symbols;
        let of = self.values.loops.get(self.index.0 as usize)?;
        let root = access.root?;
        let SymbolKind::Loaded { address, size } = &symbols.info(root).kind else {
            return None;
        };
        if i128::from(*size) != POINTER || !symbols.varies_in(root, of.stmt) {
            return None;
        }
        let table = self.values.root_read_at(address)?;
        // Pointers lie side by side: two of them are the same or apart.
        let place = address - &Expr::symbol(table);
        exact_quotient(&place, &Expr::int(POINTER))?;
        (!symbols.varies_in(table, of.stmt)).then(|| Row {
            table,
            cell: address.clone(),
        })
    }

    /// An access to a row as an access to an object in which all offsets are those in the row.
    pub fn in_row(&self, access: &Access, row: &Row) -> Option<Access> {
        Some(Access {
            root: Some(row.table),
            address: Some(&Expr::symbol(row.table) + &access.offset()?),
            ..access.clone()
        })
    }

    /// True if two accesses to rows of one table are to the same row or to storage apart, because this call has allocated
    /// each row by itself.
    pub fn are_fresh(&self, one: &Access, two: &Access, table: Symbol) -> bool {
        let fresh = |access: &Access| access.root.and_then(|root| self.values.symbols.fresh(root));
        // Where the table stays as it is only by the types of stores, the condition finds out.
        fresh(one).is_some() && fresh(one) == fresh(two) && self.unchanged(table) == Ok(false)
    }

    /// Whether the loop leaves the table's pointers as they are, and if that rests on the types of its stores.
    fn unchanged(&self, table: Symbol) -> Result<bool, Cause> {
        let inside = |loops: &[LoopIndex]| loops.contains(&self.index);
        unchanged(self.unit, self.reach, self.values, &inside, table)
    }

    /// What can be tested of a table before the loop.
    pub fn rows(&self, table: Symbol) -> Result<Rows, Cause> {
        let of = &self.values.loops[self.index.0 as usize];
        let by_type = self.unchanged(table)?;
        let mut facts = of.before.facts.clone();
        self.values.symbols.assume_named(&mut facts);
        let mut runs: Vec<Condition> = Vec::new();
        let mut boxes: Vec<StridedBox> = Vec::new();
        let mut bytes: Option<(Expr, Expr)> = None;
        let mut cells: Vec<Expr> = Vec::new();
        let mut element = None;
        let accesses = self.values.accesses.iter();
        for access in accesses.filter(|access| access.loops.contains(&self.index)) {
            let Some(row) = self.row(access).filter(|row| row.table == table) else {
                continue;
            };
            let touched = self
                .in_row(access, &row)
                .ok_or_else(|| Cause::new("it is not known where in a row it lies", access.origin))?;
            let pointer = access.root.and_then(|root| self.values.symbols.info(root).ty);
            element = element.or_else(|| self.unit.types.pointee(pointer?));
            let hull = region::hull(&touched, &self.values.varying(&[self.index]))?;
            if !cells.contains(&row.cell) {
                boxes.push(self.certain_pointers(&row, access, &mut runs)?);
                cells.push(row.cell);
            }
            let known = runs.iter().fold(facts.clone(), |known, runs| known.with(runs));
            bytes = Some(match bytes {
                None => (hull.low, hull.high),
                Some((low, high)) => (
                    Expr::min(&low, &hull.low).simplify(&known),
                    Expr::max(&high, &hull.high).simplify(&known),
                ),
            });
        }
        let known = runs.iter().fold(facts, |known, runs| known.with(runs));
        let pointers = side_by_side(boxes, &known)
            .ok_or_else(|| Cause::new("not all pointers of the table in between are read", of.origin))?;
        let Some(bytes) = bytes else {
            return Err(Cause::new("no row of the table is touched", of.origin));
        };
        Ok(Rows {
            table,
            element,
            pointers,
            bytes,
            runs,
            by_type,
        })
    }

    /// The pointers that are read at one place, all of which are read whenever the loop and those in it run.
    fn certain_pointers(
        &self,
        row: &Row,
        access: &Access,
        runs: &mut Vec<Condition>,
    ) -> Result<StridedBox, Cause> {
        let values = self.values;
        let of = &values.loops[self.index.0 as usize];
        let conditional =
            "a pointer of the table is read under a condition, and may not be there before the loop";
        let mut cause = Cause::new(conditional, access.origin);
        let reads = values.accesses.iter().filter(|read| {
            !read.is_write() && read.loops.contains(&self.index) && read.address.as_ref() == Some(&row.cell)
        });
        for read in reads {
            let position = read
                .loops
                .iter()
                .position(|index| *index == self.index)
                .unwrap_or(0);
            if read.conditional_depth > position {
                continue;
            }
            // Loops that do not move through the table only have to run.
            let mut through = Vec::new();
            let mut needed: Vec<Condition> = Vec::new();
            // Loops of which only some iterations of those around run: each pointer in the hull needs one of them.
            let mut partly: Vec<Condition> = Vec::new();
            let mut known = true;
            for index in &read.loops[position..] {
                let inner = &values.loops[index.0 as usize];
                let Ok(trip) = &inner.trip else {
                    known = false;
                    break;
                };
                let moves = row.cell.mentions(inner.counter);
                if moves {
                    through.push(*index);
                }
                let once = at_least_one(trip);
                let fixed = once
                    .symbols()
                    .iter()
                    .all(|symbol| !values.symbols.varies_in(*symbol, of.stmt));
                if fixed {
                    needed.push(once);
                } else if !moves && !inner.before.facts.prove(&once) {
                    partly.push(once);
                }
            }
            if !known {
                cause = Cause::new("a loop that reads pointers of the table may not run", read.origin);
                continue;
            }
            let certain = region::certain_within(&values.symbols, &values.loops, read, &through);
            let fixed = |expr: &Expr| values.symbols.invariant_in(expr, of.stmt);
            let outside = |certain: &StridedBox| {
                let mut dimensions = certain.dimensions.iter();
                fixed(&certain.start)
                    && fixed(&certain.size)
                    && dimensions.all(|(stride, count)| fixed(stride) && fixed(count))
            };
            let mut certain = certain.filter(outside);
            if !partly.is_empty() {
                certain = certain.and_then(|all| self.where_all_run(read, &all, &through, &needed, &partly));
            }
            if let Some(certain) = certain {
                for one in needed {
                    if !of.before.facts.prove(&one) && !runs.contains(&one) {
                        runs.push(one);
                    }
                }
                return Ok(certain);
            }
            cause = Cause::new("not all pointers of the table in between are read", read.origin);
        }
        Err(cause)
    }
}

impl Tables<'_> {
    /// The part of the pointers `all`, read if inner loops run, that the read is known to lie in: there they do run.
    fn where_all_run(
        &self,
        read: &Access,
        all: &StridedBox,
        through: &[LoopIndex],
        needed: &[Condition],
        partly: &[Condition],
    ) -> Option<StridedBox> {
        let values = self.values;
        let of = &values.loops[self.index.0 as usize];
        let (first, end) = all.contiguous()?;
        let hull = values.hull(read, &[self.index]).ok()?;
        let mut facts = of.before.facts.clone();
        values.symbols.assume_named(&mut facts);
        let mut facts = needed.iter().fold(facts, |known, runs| known.with(runs));
        for index in through {
            let around = &values.loops[index.0 as usize];
            let (counter, trip) = (Expr::symbol(around.counter), around.trip.as_ref().ok()?);
            facts.assume_nonnegative(counter.clone());
            facts.assume_nonnegative(&(trip - &Expr::one()) - &counter);
        }
        // Any pointer in the hull.
        let offset = read.offset()?;
        facts.assume_nonnegative(&offset - &hull.low);
        facts.assume_nonnegative(&(&hull.high - &offset) - &Expr::int(POINTER));
        // All of it is passed, in steps of one pointer.
        exact_quotient(&(&hull.low - &first), &Expr::int(POINTER))?;
        let mut not_empty = facts.clone();
        not_empty.assume_nonnegative(&(&hull.high - &hull.low) - &Expr::int(POINTER));
        let passed = not_empty.prove_nonnegative(&(&hull.low - &first))
            && not_empty.prove_nonnegative(&(&end - &hull.high));
        (passed && partly.iter().all(|runs| facts.prove(runs))).then(|| StridedBox {
            size: &hull.high - &hull.low,
            start: hull.low,
            dimensions: Vec::new(),
        })
    }
}

/// Whether what runs inside some loops leaves the pointers of a table as they are, and if that rests on the types of its stores.
pub(crate) fn unchanged(
    unit: &Unit,
    reach: &Reach<'_>,
    values: &Values,
    inside: &dyn Fn(&[LoopIndex]) -> bool,
    table: Symbol,
) -> Result<bool, Cause> {
    let mut by_type = false;
    for effect in values.effects.iter().filter(|effect| inside(&effect.loops)) {
        let touches = |root: &Symbol| may_overlap(reach, *root, table);
        if effect
            .writes
            .as_ref()
            .is_none_or(|roots| roots.iter().any(touches))
        {
            return Err(Cause::new(
                "a call may change the pointers of a table",
                effect.cause.at,
            ));
        }
    }
    let writes = values
        .accesses
        .iter()
        .filter(|access| access.is_write() && inside(&access.loops));
    for write in writes {
        if write.root.is_some_and(|root| !may_overlap(reach, root, table)) {
            continue;
        }
        if !unit.leaves_pointers(write.ty) {
            return Err(Cause::new(
                "the loop may change the pointers of a table",
                write.origin,
            ));
        }
        by_type = true;
    }
    Ok(by_type)
}

/// The bytes of all boxes together, if there is no gap in between.
fn side_by_side(mut boxes: Vec<StridedBox>, facts: &Facts) -> Option<(Expr, Expr)> {
    // Boxes with one step that fill each other's gaps are one: `w[2 * i]` and `w[2 * i + 1]`.
    while let Some((one, other)) = neighbours(&boxes) {
        let (second, first) = (boxes[other].clone(), &mut boxes[one]);
        first.size = &first.size + &second.size;
        while let Some(at) = first
            .dimensions
            .iter()
            .position(|(stride, _)| *stride == first.size)
        {
            let (_, count) = first.dimensions.remove(at);
            first.size = &first.size * &count;
        }
        boxes.remove(other);
    }
    let mut ends: Option<(Expr, Expr)> = None;
    for one in &boxes {
        let (low, high) = one.contiguous()?;
        let below = |a: &Expr, b: &Expr| facts.prove_nonnegative(&(b - a));
        ends = Some(match ends {
            None => (low, high),
            Some(known) if below(&low, &known.1) && below(&known.0, &high) => (
                Expr::min(&known.0, &low).simplify(facts),
                Expr::max(&known.1, &high).simplify(facts),
            ),
            Some(_) => return None,
        });
    }
    ends
}

/// Two boxes of the same steps, of which the second begins where an element of the first ends.
fn neighbours(boxes: &[StridedBox]) -> Option<(usize, usize)> {
    let pairs = (0..boxes.len()).flat_map(|one| (0..boxes.len()).map(move |other| (one, other)));
    pairs.filter(|(one, other)| one != other).find(|(one, other)| {
        let (first, second) = (&boxes[*one], &boxes[*other]);
        first.dimensions == second.dimensions && second.start == &first.start + &first.size
    })
}
