//! What does a call touch, if the function is known by its sections?
//!
//! Each section becomes one access in a loop of its own, which counts the elements of the section: whatever understands
//! loops and accesses understands such a call. Where the section is certain each of them is touched under its condition.

use super::Walker;
use super::bytes::Elements;
use crate::access::{Access, AccessKind, Guard};
use crate::alias::may_overlap;
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
    /// All of it is touched where that holds, and before anything that may be the same storage is written.
    certain: bool,
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
                certain: section.certain,
            });
        }
        // The order in which the function does all this is not known: what it reads may come before what it writes, and what it
        // reads it may have written itself.
        placed.sort_by_key(|one| one.section.kind);
        let written: Vec<Symbol> = placed
            .iter()
            .filter(|one| one.section.kind == AccessKind::Write)
            .map(|one| one.root)
            .collect();
        let others = self.reached(&summary.writes, arguments);
        let reach = self.reach();
        for one in placed
            .iter_mut()
            .filter(|one| one.section.kind == AccessKind::Read)
        {
            let meets = |other: &Symbol| may_overlap(&reach, one.root, *other);
            one.certain &=
                !written.iter().any(meets) && others.as_ref().is_some_and(|others| !others.iter().any(meets));
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
            // What a called function keeps in its own variables is gone when it returns.
            if !self.with_directives && self.is_callee_variable(Some(one.root)) {
                continue;
            }
            let Elements {
                size,
                count,
                mut subscripts,
            } = self
                .elements_of(&one.address, one.root, &one.bytes)
                .unwrap_or_else(|| in_sizes(one.section.size, &one.bytes));
            let mut facts = state.facts.clone();
            let trip = Expr::max(&Expr::zero(), &count);
            let index = self.open_section(stmt, trip, state);
            let of = &self.loops[index.0 as usize];
            let (depth, k) = (of.depth, Expr::symbol(of.counter));
            facts.assume_nonnegative(&k);
            facts.assume_positive(&(&count - &k));
            // Where it has bytes it is touched, mostly.
            let always = one.certain && facts.prove(&one.happens);
            facts.assume(&one.happens);
            self.loops[index.0 as usize].facts_inside = facts.clone();
            // A single element does not move.
            let k = match count == Expr::one() {
                true => Expr::zero(),
                false => k,
            };
            if let Some(last) = subscripts.last_mut() {
                last.index = last.index.as_ref().map(|index| index + &k);
            }
            let mut loops = self.open_loops();
            loops.push(index);
            let mut guards = self.guards.clone();
            if !always {
                let point = one.certain.then_some(self.points);
                self.points = self.points.saturating_add(1);
                guards.push(Guard {
                    condition: Some(one.happens),
                    exact: one.certain,
                    loops: depth,
                    point,
                });
            }
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
                partial: !one.certain,
                ty: one.section.ty,
                subscripts,
                facts,
                loops,
                conditional_depth: match (one.certain, always) {
                    (true, true) => self.conditional_depth,
                    (true, false) => depth,
                    (false, _) => depth + 1,
                },
                guards,
                guards_outside: self.guards_outside,
                order: self.order,
                volatile: false,
                called: Some(function),
                irregular: Default::default(),
                pointer: None,
                choice: None,
                extent: state.extents.get(&one.root).cloned(),
                summary: Some(Rc::from(one.section.origins.as_slice())),
            });
        }
    }

    /// A loop over the elements of a section.
    pub(super) fn open_section(&mut self, stmt: &Stmt, trip: Expr, state: &State) -> LoopIndex {
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
            section: true,
        });
        index
    }
}

/// Bytes as elements of the size that the called function has, which no text of the caller has.
fn in_sizes(size: u64, bytes: &Expr) -> Elements {
    let (size, count) = match exact_quotient(bytes, &Expr::int(i128::from(size))) {
        Some(count) => (size, count),
        None => (1, bytes.clone()),
    };
    Elements {
        size,
        count,
        subscripts: Vec::new(),
    }
}
