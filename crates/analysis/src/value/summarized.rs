//! What does a call touch, if the function is known by its sections?
//!
//! Each section becomes one access in a loop of its own, which counts the elements of the section: whatever understands
//! loops and accesses understands such a call. That an element is touched is never certain.

use super::Walker;
use crate::access::{Access, Guard};
use crate::effects::summary::{Base, Section, Summary};
use crate::loops::{LoopFacts, LoopIndex};
use crate::quotient::exact_quotient;
use crate::state::State;
use crate::symbols::SymbolKind;
use ferry_ir::{FunctionRef, Stmt, StmtId, VariableRef};
use ferry_symbolic::{Condition, Expr, Symbol};
use std::rc::Rc;

/// A section at a call, in terms of the caller.
pub(super) struct Placed<'a> {
    section: &'a Section,
    root: Symbol,
    /// Its first byte.
    address: Expr,
    bytes: Expr,
    happens: Condition,
}

impl Walker<'_> {
    /// The sections of a summary at a call with these arguments; `None` if one of them cannot be said there.
    pub(super) fn placed<'a>(
        &mut self,
        summary: &'a Summary,
        arguments: &[Option<Expr>],
    ) -> Option<Vec<Placed<'a>>> {
        let argument = |symbol: Symbol| {
            let number = summary.parameters.get(&symbol)?;
            arguments.get(*number)?.clone()
        };
        let mut placed = Vec::new();
        for section in &summary.sections {
            let (low, high) = &section.hull;
            let mut symbols = low.symbols();
            symbols.extend(high.symbols());
            symbols.extend(section.happens.symbols());
            if symbols.into_iter().any(|symbol| argument(symbol).is_none()) {
                return None;
            }
            let start = match section.base {
                Base::Argument(number) => arguments.get(number)?.clone()?,
                Base::Global(id) => Expr::symbol(self.address_of(VariableRef::Global(id))),
            };
            let root = self.root(&start)?;
            let low = low.substitute_all(&argument);
            let high = high.substitute_all(&argument);
            let happens = section.happens.substitute_all(&argument);
            let address = &start + &low;
            let bytes = &high - &low;
            if address.is_oversize() || bytes.is_oversize() || happens.is_oversize() {
                return None;
            }
            placed.push(Placed {
                section,
                root,
                address,
                bytes,
                happens,
            });
        }
        Some(placed)
    }

    /// Records one access for each section.
    pub(super) fn touch_sections(
        &mut self,
        stmt: &Stmt,
        function: FunctionRef,
        placed: Vec<Placed<'_>>,
        state: &State,
    ) {
        if !self.recording() {
            return;
        }
        for one in placed {
            let whole = Expr::int(i128::from(one.section.size));
            let (size, count) = match exact_quotient(&one.bytes, &whole) {
                Some(count) => (one.section.size, count),
                None => (1, one.bytes.clone()),
            };
            let mut facts = state.facts.clone();
            facts.assume(&one.happens);
            let trip = Expr::max(&Expr::zero(), &count);
            let index = self.open_section(stmt, trip, state);
            let of = &self.loops[index.0 as usize];
            let (depth, k) = (of.depth, Expr::symbol(of.counter));
            facts.assume_nonnegative(&k);
            facts.assume_positive(&(&count - &k));
            self.loops[index.0 as usize].facts_inside = facts.clone();
            let mut loops = self.open_loops();
            loops.push(index);
            let mut guards = self.guards.clone();
            guards.push(Guard {
                condition: Some(one.happens),
                exact: false,
                loops: depth,
                point: None,
            });
            self.order += 1;
            self.accesses.push(Access {
                kind: one.section.kind,
                stmt: self.statement_in_text(stmt.id),
                within: stmt.id,
                origin: stmt.origin,
                root: Some(one.root),
                address: Some(&one.address + &(&k * &Expr::int(i128::from(size)))),
                size,
                // That is what is said of bytes of which only some are touched.
                partial: true,
                ty: one.section.ty,
                subscripts: Vec::new(),
                facts,
                loops,
                conditional_depth: depth + 1,
                guards,
                guards_outside: self.guards_outside,
                order: self.order,
                volatile: false,
                called: Some(function),
                irregular: Default::default(),
                choice: None,
                summary: Some(Rc::from(one.section.origins.as_slice())),
            });
        }
    }

    /// A loop over the elements of a section.
    fn open_section(&mut self, stmt: &Stmt, trip: Expr, state: &State) -> LoopIndex {
        let id = StmtId(self.free_statement);
        self.free_statement = self.free_statement.saturating_add(1);
        let counter = self.fresh(SymbolKind::Counter(id), None, stmt.origin);
        self.symbols.add_loop(counter, id);
        let index = LoopIndex(self.loops.len() as u32);
        self.loops.push(LoopFacts {
            stmt: id,
            keyword: None,
            origin: stmt.origin,
            parent: self.frames.last().map(|frame| frame.index),
            depth: self.frames.len(),
            counter,
            trip: Ok(trip),
            inductions: Vec::new(),
            open: Vec::new(),
            early_exits: Vec::new(),
            opaque: Vec::new(),
            calls: Vec::new(),
            facts_inside: state.facts.clone(),
            before: State {
                variables: Rc::default(),
                ..state.clone()
            },
            call: Some(self.statement_in_text(stmt.id)),
        });
        index
    }
}
