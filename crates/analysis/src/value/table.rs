//! Which pointers does a loop put into a table, one in each iteration, and which are found there later?
//!
//! A loop that ends each iteration with a pointer in the element of its number, and changes no other element, leaves a table
//! behind: `w[i] = base + i * m`, `w[i] = w[i - 1] + m` with a known first one, or `w[i] = malloc(…)`. What is read from the
//! table is a value in terms of the number, or storage that no other element points to. Any store that may reach the table
//! makes it unknown again.
//!
//! What it cannot do: loops inside loops, elements that are set by several statements or under conditions, tables whose
//! pointers are not side by side.

use super::{Kills, Walker};
use crate::loops::LoopIndex;
use crate::quotient::exact_quotient;
use crate::state::{Cell, Filled, POINTER, State, Table};
use crate::symbols::SymbolKind;
use ferry_symbolic::{Expr, Facts, Symbol};
use std::rc::Rc;

/// How much was recorded when a loop began.
#[derive(Clone, Copy)]
pub(crate) struct Recorded {
    pub accesses: usize,
    pub effects: usize,
}

impl Walker<'_> {
    /// The tables that a loop leaves behind which runs `trip` times. `end` is the end of an iteration, `before` the state
    /// before the loop.
    pub(super) fn filled_tables(
        &self,
        index: LoopIndex,
        trip: &Expr,
        end: Option<&State>,
        before: &State,
        recorded: Recorded,
    ) -> Vec<Table> {
        let facts = &self.loops[index.0 as usize];
        let Some(end) = end.filter(|_| facts.early_exits.is_empty() && facts.opaque.is_empty()) else {
            return Vec::new();
        };
        let (of, counter) = (facts.stmt, facts.counter);
        let mut found = Vec::new();
        for (cell, value) in end.cells.iter() {
            if cell.signed.is_some() || cell.size != POINTER {
                continue;
            }
            let Some((step, start)) = cell.address.linear_in(counter) else {
                continue;
            };
            let in_order = step == Expr::int(i128::from(POINTER));
            if !in_order || !self.symbols.invariant_in(&start, of) || !self.symbols.invariant_in(trip, of) {
                continue;
            }
            let Some(root) = self.root(&start) else { continue };
            if !self.is_only_store(cell, root, index, recorded) {
                continue;
            }
            let fixed = |value: &Expr| {
                let mut symbols = value.symbols().into_iter();
                symbols.all(|symbol| symbol == counter || !self.symbols.varies_in(symbol, of))
            };
            let table = |start: Expr, count: Expr, value: Filled| Table {
                start,
                count,
                number: counter,
                value,
            };
            if let Some(symbol) = value.as_symbol()
                && let info = self.symbols.info(symbol)
                && let SymbolKind::Allocated(allocation) = info.kind
            {
                // Once in each iteration of this loop, and of none inside it.
                if info.loops.last() == Some(&of) {
                    found.push(table(start, trip.clone(), Filled::Fresh(allocation)));
                }
            } else if fixed(value) {
                found.push(table(start, trip.clone(), Filled::Known(value.clone())));
            } else if let Some((first, step)) = self.next_to_the_one_before(cell, value, &start, before)
                && fixed(&step)
                && !step.mentions(counter)
            {
                let start = &start - &Expr::int(i128::from(POINTER));
                let value = &first + &(&step * &Expr::symbol(counter));
                found.push(table(start, trip + &Expr::one(), Filled::Known(value)));
            }
        }
        found
    }

    /// `w[i] = w[i - 1] + step`: what is in the element before the first one, and the step.
    fn next_to_the_one_before(
        &self,
        cell: &Cell,
        value: &Expr,
        start: &Expr,
        before: &State,
    ) -> Option<(Expr, Expr)> {
        let size = Expr::int(i128::from(POINTER));
        let earlier = &cell.address - &size;
        let pointer = self.root(value)?;
        let is_it = matches!(&self.symbols.info(pointer).kind,
            SymbolKind::Loaded { address, size } if *address == earlier && *size == POINTER);
        let first = Cell {
            address: start - &size,
            ..cell.clone()
        };
        let first = before.cells.get(&first)?;
        is_it.then(|| (first.clone(), value - &Expr::symbol(pointer)))
    }

    /// True if the loop stores nothing into the table but into the element of each iteration.
    fn is_only_store(&self, cell: &Cell, root: Symbol, index: LoopIndex, recorded: Recorded) -> bool {
        let stored = self.accesses.get(recorded.accesses..).unwrap_or_default();
        let effects = self.effects_found.get(recorded.effects..).unwrap_or_default();
        let reach = self.reach();
        let by_calls = effects.iter().any(|effect| {
            let meets = |other: &Symbol| crate::alias::may_overlap(&reach, root, *other);
            effect.writes.as_ref().is_none_or(|roots| roots.iter().any(meets))
        });
        let others = stored.iter().filter(|access| access.is_write()).any(|write| {
            let own = write.address.as_ref() == Some(&cell.address)
                && write.size == cell.size
                && write.loops.last() == Some(&index);
            let meets = write
                .root
                .is_none_or(|other| crate::alias::may_overlap(&reach, root, other));
            !own && meets && self.cell_may_be(cell, write.ty)
        });
        let own = stored.iter().any(|access| {
            access.is_write() && access.address.as_ref() == Some(&cell.address) && access.size == cell.size
        });
        own && !by_calls && !others
    }

    /// What a table says of a pointer in memory.
    pub(super) fn held_by_tables(
        &self,
        cell: &Cell,
        root: Option<Symbol>,
        tables: &[Table],
        facts: &Facts,
    ) -> Option<Filled> {
        if tables.is_empty() || cell.signed.is_some() || cell.size != POINTER {
            return None;
        }
        let root = root?;
        tables.iter().rev().find_map(|table| {
            if self.root(&table.start) != Some(root) {
                return None;
            }
            let number = exact_quotient(&(&cell.address - &table.start), &Expr::int(i128::from(POINTER)))?;
            let last = &table.count - &Expr::one();
            let inside = facts.prove_nonnegative(&number) && facts.prove_nonnegative(&(&last - &number));
            inside.then(|| match &table.value {
                Filled::Known(value) => Filled::Known(value.substitute(table.number, &number)),
                fresh => fresh.clone(),
            })
        })
    }

    /// Forgets the tables that may have changed.
    pub(super) fn forget_tables(&self, kills: &Kills, state: &mut State) {
        if state.tables.is_empty() {
            return;
        }
        let stays = |table: &Table| {
            let root = self.root(&table.start);
            let pointer = Cell {
                address: table.start.clone(),
                size: POINTER,
                signed: None,
            };
            let reach = self.reach();
            let stored = |store: &super::Store| {
                let meets = match (root, store.root) {
                    (Some(root), Some(other)) => crate::alias::may_overlap(&reach, root, other),
                    _ => true,
                };
                meets && self.cell_may_be(&pointer, store.ty)
            };
            !self.reached_by_calls(root, kills) && !kills.stores.iter().any(stored)
        };
        if !state.tables.iter().all(stays) {
            let kept = state.tables.iter().filter(|table| stays(table)).cloned();
            state.tables = Rc::new(kept.collect());
        }
    }
}
