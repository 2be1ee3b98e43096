//! What is touched through the pointers of a table, when each iteration follows another one (`rows[i][j]`, `s[i].data[j]`)?
//!
//! All that is reached through the pointers of one table is one family, and its points have one coordinate more, the first: which pointer of the table it is. Two
//! points of a family may be the same storage, since nothing says that rows do not overlap; what is said is "through this pointer, at this place".
//! Juravle §4.2 reports such nested data by its way from a name that the caller sees.
//!
//! Rows of rows are found through one pointer after the other: one coordinate for each.
//!
//! What it cannot do: tables that the statement may change, rows that are counted in different ways at different places.

use super::Context;
use super::iterate::Reached;
use super::part::{Part, Touch};
use super::view::View;
use crate::quotient::exact_quotient;
use crate::rows::unchanged;
use crate::state::POINTER;
use crate::symbols::{Cause, SymbolKind};
use ferry_ir::StmtId;
use ferry_source::Origin;
use ferry_symbolic::set::Set;
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeSet;

/// Which family: the rows of a table, or the rows of the rows of a table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Family {
    /// Root of the table's storage.
    pub table: Symbol,
    /// How many pointers are followed: one coordinate for each, which counts pointers from where the one before points to.
    pub pointers: usize,
}

/// What is touched through the pointers of one table.
#[derive(Clone, Debug)]
pub struct Rows {
    /// How what the last pointer points to is counted: the coordinates behind those of the pointers.
    pub view: View,
    /// What is touched.
    pub part: Part,
    /// Where a pointer is loaded.
    pub at: Origin,
    /// The roots of the tables that are found in others on the way.
    pub through: BTreeSet<Symbol>,
}

impl Rows {
    /// The same rows with another part.
    pub fn with(&self, part: Part) -> Rows {
        Rows {
            view: self.view.clone(),
            part,
            at: self.at,
            through: self.through.clone(),
        }
    }
}

impl Context<'_> {
    /// What is touched through a root, as a family behind no pointer yet.
    pub fn as_rows(&self, root: Symbol, part: &Part) -> Option<(Family, Rows)> {
        let rows = Rows {
            view: self.views.get(&root)?.clone(),
            part: part.clone(),
            at: self.values.symbols.info(root).at,
            through: BTreeSet::new(),
        };
        let family = Family {
            table: root,
            pointers: 0,
        };
        Some((family, rows))
    }

    /// A family as one of a table that is the same in all iterations: as long as its root is another one in each, it is found in a table. That nothing
    /// changes the tables is asked where the region is seen from before a statement ([`Context::rows_from_before`]).
    pub fn behind_one_table(
        &self,
        reached: &Reached<'_>,
        family: Family,
        rows: Rows,
    ) -> Option<(Family, Rows)> {
        if !reached.varying.contains(&family.table) {
            return Some((family, rows));
        }
        let SymbolKind::Loaded { address, .. } = &self.values.symbols.info(family.table).kind else {
            return None;
        };
        let table = self.table_of(family.table)?;
        let place = address - &Expr::symbol(table);
        let which = self.defined(&exact_quotient(&place, &Expr::int(i128::from(POINTER)))?);
        let which = Set::point(std::slice::from_ref(&which));
        let part = Part {
            may: which.product(&rows.part.may).ok()?,
            must: which.product(&rows.part.must).ok()?,
            bounded: match &rows.part.bounded {
                Some(bounded) => Some(which.product(bounded).ok()?),
                None => None,
            },
            ..rows.part.clone()
        };
        let passed = family.table;
        let family = Family {
            table,
            pointers: family.pointers + 1,
        };
        let mut rows = rows.with(part);
        if family.pointers > 1 {
            rows.through.insert(passed);
        }
        self.behind_one_table(reached, family, rows)
    }

    /// The root of the storage in which a pointer was found.
    pub fn table_of(&self, pointer: Symbol) -> Option<Symbol> {
        if let Some(known) = self.found.tables.borrow().get(&pointer) {
            return *known;
        }
        let found = match &self.values.symbols.info(pointer).kind {
            SymbolKind::Loaded { address, size } if *size == POINTER => self.values.root_read_at(address),
            _ => None,
        };
        self.found.tables.borrow_mut().insert(pointer, found);
        found
    }

    /// True if a loop, or the whole function if it is no loop, leaves the pointers of a table as they are.
    pub fn is_unchanged(&self, stmt: StmtId, table: Symbol) -> bool {
        let key = (stmt, table);
        if let Some(known) = self.found.unchanged.borrow().get(&key) {
            return *known;
        }
        let index = self.values.loops.iter().position(|of| of.stmt == stmt);
        let inside = |loops: &[crate::loops::LoopIndex]| match index {
            Some(index) => loops.iter().any(|own| own.0 as usize == index),
            None => true,
        };
        let found = unchanged(self.unit, &self.reach(), self.values, &inside, table).is_ok();
        self.found.unchanged.borrow_mut().insert(key, found);
        found
    }

    /// Rows of tables that are not the same in the store before the statement are something that is not known.
    pub fn rows_from_before(&self, stmt: StmtId, touch: &Touch, written: &Touch, result: &mut Touch) {
        for (family, rows) in &touch.rows {
            let table = family.table;
            let mut tables = rows.through.iter().chain([&table]);
            if self.comes_up_inside(stmt, table, written)
                || !tables.all(|table| self.is_unchanged(stmt, *table))
            {
                result.may_be_elsewhere(self.pointer_inside(table));
                continue;
            }
            let part = self.part_from_before(stmt, &rows.part, written);
            result.rows.insert(*family, rows.with(part));
        }
    }
}

impl Touch {
    /// True if storage that is not one of the objects may be touched.
    pub fn goes_beyond(&self) -> bool {
        self.elsewhere.is_some() || !self.rows.is_empty()
    }

    /// Why storage that is not one of the objects may be touched, if it may: through a pointer of a table, or something that is not known.
    pub fn beyond(&self) -> Option<Cause> {
        let through = || {
            let rows = self.rows.values().next()?;
            Some(Cause::new(
                "it is reached through the pointers of a table",
                rows.at,
            ))
        };
        self.elsewhere.clone().or_else(through)
    }

    /// What is touched through the pointers of a table, too.
    pub fn add_rows(&mut self, family: Family, more: &Rows) {
        match self.rows.get_mut(&family) {
            Some(own) if own.view == more.view => {
                own.part = own.part.or(&more.part);
                own.through.extend(&more.through);
            }
            Some(own) => {
                let cause = Cause::new("rows of one table are counted in different ways", own.at);
                self.rows.remove(&family);
                self.may_be_elsewhere(cause);
            }
            None => {
                self.rows.insert(family, more.clone());
            }
        }
    }

    /// What is certainly needed of rows is not said where anything is written: another row may be the same storage.
    pub fn rows_may_overlap(&mut self, written: &Touch) {
        if written.is_nothing() {
            return;
        }
        for rows in self.rows.values_mut() {
            let cause = Cause::new("rows of a table may overlap", rows.at);
            let cause = rows.part.cause.clone().unwrap_or(cause);
            rows.part = Part::at_most(rows.part.may.clone(), cause);
        }
    }
}
