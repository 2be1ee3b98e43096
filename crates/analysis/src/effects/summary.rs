//! Which bytes does a function touch, in terms of what it is given?
//!
//! A function that is not walked where it is called is walked once by itself. Each access becomes a section: the hull of
//! the bytes that it may touch while the function runs, counted from a parameter or a global, in terms of the values of
//! the parameters at the call, with the condition without which nothing is touched (summary regions of Creusillet,
//! bottom-up over the call graph; here hulls, not sets). Where all of a hull is touched whenever the condition holds the
//! section says so. Sections that lie in others are left out. What has no such bounds is known by its object as a whole.
//!
//! What it cannot do: functions that call themselves, however indirectly; bounds that the function reads from memory;
//! storage behind pointers in memory; gaps in what is touched.

use super::{Effects, Touch};
use crate::access::{Access, AccessKind};
use crate::region::{self, Hull};
use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_ir::{Callee, Function, FunctionRef, GlobalId, Stmt, StmtKind, TypeId, Unit, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// Most sections of one function; with more, objects are taken as wholes.
const MOST: usize = 32;

/// Most that are compared with one another while they are collected.
const MOST_COLLECTED: usize = 256;

/// What a section is counted from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Base {
    /// What this argument (from 0) points to.
    Argument(usize),
    /// A global.
    Global(GlobalId),
}

/// Bytes that a function may touch.
#[derive(Clone, Debug)]
pub struct Section {
    /// From where they are counted.
    pub base: Base,
    /// Read or written.
    pub kind: AccessKind,
    /// First byte, and past the last.
    pub hull: (Expr, Expr),
    /// Bytes of one access.
    pub size: u64,
    /// The type of what is read or written.
    pub ty: TypeId,
    /// Nothing is touched where it does not hold.
    pub happens: Condition,
    /// All of these bytes are touched where it holds, by every call that returns.
    pub certain: bool,
    /// The accesses that it stands for.
    pub origins: Vec<Origin>,
}

/// What a function touches.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The parameters that the symbols of sections stand for.
    pub parameters: BTreeMap<Symbol, usize>,
    /// What is known by its bytes.
    pub sections: Vec<Section>,
    /// What else it reads.
    pub reads: Touch,
    /// What else it writes.
    pub writes: Touch,
}

/// The functions that are called without being walked there, and those that they call, in the order in which they are summarized; `only_in_loops`: those that are called
/// in loops.
pub(super) fn in_order(unit: &Unit, effects: &Effects, only_in_loops: bool) -> Vec<FunctionRef> {
    let open: Vec<FunctionRef> = wanted(unit, effects, only_in_loops).into_iter().collect();
    let callees = |id| callees(unit, id).into_iter().collect();
    let mut order = Vec::new();
    callees_first(&open, &callees, &mut |id| order.push(id));
    order
}

/// Visits functions and all that they call, callees first; not those that call themselves, of which of several that call each other the first is visited.
pub(super) fn callees_first<F: Copy + Ord>(
    roots: &[F],
    callees: &dyn Fn(F) -> Vec<F>,
    visit: &mut dyn FnMut(F),
) {
    // A function is entered, then left when all that it calls is done.
    let mut seen = BTreeSet::new();
    let mut done = BTreeSet::new();
    let mut steps: Vec<(F, bool)> = roots.iter().rev().map(|id| (*id, false)).collect();
    while let Some((id, leaves)) = steps.pop() {
        if leaves {
            // One that calls itself meets a callee that is not done.
            if callees(id).iter().all(|callee| done.contains(callee)) {
                visit(id);
            }
            done.insert(id);
        } else if seen.insert(id) {
            steps.push((id, true));
            steps.extend(callees(id).into_iter().rev().map(|callee| (callee, false)));
        }
    }
}

/// The functions with a body that a function calls by name.
pub(super) fn callees(unit: &Unit, id: FunctionRef) -> BTreeSet<FunctionRef> {
    named(unit, id, true)
}

/// The functions without a body that a function calls by name.
pub(super) fn declared_callees(unit: &Unit, id: FunctionRef) -> BTreeSet<FunctionRef> {
    named(unit, id, false)
}

fn named(unit: &Unit, id: FunctionRef, with_body: bool) -> BTreeSet<FunctionRef> {
    let mut found = BTreeSet::new();
    if let Some(body) = &unit.function(id).body {
        called(body, &mut |callee, _| {
            if unit.function(callee).body.is_some() == with_body {
                found.insert(callee);
            }
        });
    }
    found
}

fn called(body: &Stmt, f: &mut dyn FnMut(FunctionRef, &Stmt)) {
    body.walk(&mut |stmt| {
        if let StmtKind::Call {
            callee: Callee::Function(id),
            ..
        } = &stmt.kind
        {
            f(*id, stmt);
        }
    });
}

/// The functions that are called somewhere, or somewhere in a loop, and not walked there.
fn wanted(unit: &Unit, effects: &Effects, only_in_loops: bool) -> BTreeSet<FunctionRef> {
    let mut found = BTreeSet::new();
    let mut called_here = BTreeSet::new();
    for (id, _) in unit.functions() {
        called_here.extend(callees(unit, id));
    }
    for (id, function) in unit.functions() {
        let Some(body) = &function.body else { continue };
        found.extend(super::callback::called_back(unit, body));
        let chosen = effects.expansions.chosen(function);
        let mut note = |stmt: &Stmt| {
            called(stmt, &mut |callee, call| {
                if unit.function(callee).body.is_some() && !chosen.contains(&call.id) {
                    found.insert(callee);
                }
            });
        };
        if !only_in_loops || effects.expansions.is_possible(id) && called_here.contains(&id) {
            // It may be walked in a loop of its caller.
            note(body);
        } else {
            body.walk(&mut |stmt| {
                if matches!(stmt.kind, StmtKind::Loop(_)) {
                    note(stmt);
                }
            });
        }
    }
    found
}

/// `None` if nothing is known beyond the function's effect.
pub(super) fn of_function(unit: &Unit, id: FunctionRef, effects: &Effects) -> Option<Summary> {
    let effect = effects.get(id);
    let function = unit.function(id);
    let nothing = effect.reads.is_empty() && effect.writes.is_empty();
    if nothing || !function.labels.is_empty() || function.body.as_ref().is_none_or(has_opaque) {
        return None;
    }
    let values = crate::value::walk(unit, id, effects, None);
    let mut found = Found {
        unit,
        function,
        values: &values,
        summary: Summary {
            parameters: parameters(&values),
            sections: Vec::new(),
            reads: Touch::default(),
            writes: Touch::default(),
        },
    };
    for access in &values.accesses {
        found.access(access)?;
    }
    for effect in &values.effects {
        for root in effect.reads.as_ref()? {
            found.whole(*root, AccessKind::Read)?;
        }
        for root in effect.writes.as_ref()? {
            found.whole(*root, AccessKind::Write)?;
        }
    }
    let mut summary = found.summary;
    summary.leave_out_contained();
    summary.limit();
    Some(summary)
}

/// True if something was not understood.
fn has_opaque(body: &Stmt) -> bool {
    let mut found = false;
    body.walk(&mut |stmt| {
        found |= matches!(stmt.kind, StmtKind::Opaque { .. } | StmtKind::Goto(_))
            || crate::shape::is_unknown(stmt);
    });
    found
}

/// The integer and pointer parameters, by the symbols of their values at the call.
fn parameters(values: &Values) -> BTreeMap<Symbol, usize> {
    let mut found = BTreeMap::new();
    for (number, info) in values.symbols.iter().enumerate() {
        if let SymbolKind::Entry(VariableRef::Local(local)) = info.kind {
            found.insert(Symbol(number as u32), local.0 as usize);
        }
    }
    found
}

struct Found<'a> {
    unit: &'a Unit,
    function: &'a Function,
    values: &'a Values,
    summary: Summary,
}

impl Found<'_> {
    fn access(&mut self, access: &Access) -> Option<()> {
        let Some(base) = self.base(access.root?)? else {
            return Some(());
        };
        if access.volatile {
            return None;
        }
        let Some(section) = self.section(base, access) else {
            self.touch(base, access.kind);
            return Some(());
        };
        self.summary.sections.push(section);
        Some(())
    }

    /// What storage is counted from; `Some(None)` for storage that no caller sees. `None`: it is not known.
    fn base(&self, root: Symbol) -> Option<Option<Base>> {
        match &self.values.symbols.info(root).kind {
            SymbolKind::Entry(VariableRef::Local(local)) if local.0 < self.function.parameters => {
                Some(Some(Base::Argument(local.0 as usize)))
            }
            // A constant table is no state.
            SymbolKind::Address(VariableRef::Global(id)) if self.unit.global(*id).qualifiers.constant => {
                Some(None)
            }
            SymbolKind::Address(VariableRef::Global(id)) => Some(Some(Base::Global(*id))),
            SymbolKind::Address(VariableRef::Local(_)) | SymbolKind::CalleeVariable { .. } => Some(None),
            _ => None,
        }
    }

    fn whole(&mut self, root: Symbol, kind: AccessKind) -> Option<()> {
        if let SymbolKind::Elsewhere(hidden) = &self.values.symbols.info(root).kind {
            self.touched(kind).hidden.insert(hidden.clone());
        } else if let Some(base) = self.base(root)? {
            self.touch(base, kind);
        }
        Some(())
    }

    fn touched(&mut self, kind: AccessKind) -> &mut Touch {
        match kind {
            AccessKind::Read => &mut self.summary.reads,
            AccessKind::Write => &mut self.summary.writes,
        }
    }

    fn touch(&mut self, base: Base, kind: AccessKind) {
        touch(self.touched(kind), base);
    }

    fn section(&self, base: Base, access: &Access) -> Option<Section> {
        let hull = self.values.hull(access, &access.loops).ok()?;
        let known = |symbols: BTreeSet<Symbol>| {
            symbols
                .iter()
                .all(|symbol| self.summary.parameters.contains_key(symbol))
        };
        if !known(hull.low.symbols()) || !known(hull.high.symbols()) {
            return None;
        }
        let (low, high) = (hull.low.clone(), hull.high.clone());
        let entry = Facts::default();
        let part = self
            .values
            .part(&self.unit.types, access, hull, &access.loops, &entry);
        // Without one of its parts a condition still holds wherever something is touched.
        let all = part.happens.conjuncts();
        let happens = Condition::all(all.iter().filter(|one| known(one.symbols())).cloned());
        let whole = all.iter().all(|one| known(one.symbols()));
        let certain = whole && self.is_certain(access, &part.hull, &happens);
        Some(Section {
            base,
            kind: access.kind,
            hull: (low, high),
            size: access.size,
            ty: access.ty,
            happens,
            certain,
            origins: match &access.summary {
                Some(origins) => origins.to_vec(),
                None => vec![access.origin],
            },
        })
    }
}

impl Found<'_> {
    /// True if all of a hull is touched where a condition holds before the function begins.
    fn is_certain(&self, access: &Access, hull: &Hull, happens: &Condition) -> bool {
        // A condition on the path that is none of a loop's own, or a jump before it.
        let always = access.conditional_depth == 0 && access.guards.iter().all(|guard| guard.loops > 0);
        if !always {
            return false;
        }
        let loops = &self.values.loops;
        let entry = Facts::default().with(happens);
        // Where one of several loops does not run the ends of the hull mean nothing.
        let run = |index: &crate::loops::LoopIndex| {
            let trip = loops.get(index.0 as usize).and_then(|of| of.trip.as_ref().ok());
            trip.is_some_and(|trip| entry.prove(&crate::joined::at_least_one(trip)))
        };
        let touched = region::certain_within(&self.values.symbols, loops, access, &access.loops);
        access.loops.iter().all(run)
            && touched.is_some_and(|touched| region::covers(&touched, hull, &access.facts))
    }
}

pub(super) fn touch(touch: &mut Touch, base: Base) {
    match base {
        Base::Argument(number) => touch.arguments.insert(number),
        Base::Global(id) => touch.globals.insert(id),
    };
}

impl Summary {
    /// All objects that it writes, as wholes.
    pub fn written(&self) -> Touch {
        let mut all = self.writes.clone();
        for section in self.sections.iter().filter(|one| one.kind == AccessKind::Write) {
            touch(&mut all, section.base);
        }
        all
    }

    /// Takes out sections that lie in others, and those of objects that are touched as wholes.
    fn leave_out_contained(&mut self) {
        let mut kept: Vec<Section> = Vec::new();
        for mut section in std::mem::take(&mut self.sections) {
            if let Some(other) = kept.iter_mut().find(|other| section.lies_in(other)) {
                other.add_origins(&section.origins);
                continue;
            }
            kept.retain(|other| {
                let inside = other.lies_in(&section);
                if inside {
                    section.add_origins(&other.origins);
                }
                !inside
            });
            if kept.len() < MOST_COLLECTED {
                kept.push(section);
            } else {
                touch(
                    match section.kind {
                        AccessKind::Read => &mut self.reads,
                        AccessKind::Write => &mut self.writes,
                    },
                    section.base,
                );
            }
        }
        self.sections = kept;
    }

    /// Where there are too many sections those without a gap between them become one (an unrolled function has one for each element), and if there are still too many,
    /// objects are taken as wholes.
    fn limit(&mut self) {
        if self.sections.len() <= MOST {
            return;
        }
        let mut joined: Vec<Section> = Vec::new();
        for mut section in std::mem::take(&mut self.sections) {
            // It may close a gap between two others.
            while let Some(number) = joined.iter().position(|other| other.touches(&section)) {
                section.join(joined.swap_remove(number));
            }
            joined.push(section);
        }
        self.sections = joined;
        if self.sections.len() <= MOST {
            return;
        }
        for section in std::mem::take(&mut self.sections) {
            match section.kind {
                AccessKind::Read => touch(&mut self.reads, section.base),
                AccessKind::Write => touch(&mut self.writes, section.base),
            }
        }
    }
}

impl Section {
    fn lies_in(&self, other: &Section) -> bool {
        let same =
            (self.base, self.kind, self.size, self.ty) == (other.base, other.kind, other.size, other.ty);
        // What is certain is not lost in what is not.
        if !same || self.certain && !other.certain {
            return false;
        }
        let facts = Facts::default().with(&self.happens);
        (self.happens == other.happens || facts.prove(&other.happens))
            && facts.prove_nonnegative(&(&self.hull.0 - &other.hull.0))
            && facts.prove_nonnegative(&(&other.hull.1 - &self.hull.1))
    }

    /// True if there is no gap between two sections that are otherwise alike, and their ends are a known number of bytes apart.
    fn touches(&self, other: &Section) -> bool {
        let key = |section: &Section| (section.base, section.kind, section.size, section.ty);
        let not_positive = |expr: Expr| expr.as_constant().is_some_and(|value| !value.is_positive());
        key(self) == key(other)
            && self.happens == other.happens
            && (&self.hull.0 - &other.hull.0).as_constant().is_some()
            && (&self.hull.1 - &other.hull.1).as_constant().is_some()
            && not_positive(&self.hull.0 - &other.hull.1)
            && not_positive(&other.hull.0 - &self.hull.1)
    }

    /// What either of two sections that touch has.
    fn join(&mut self, other: Section) {
        self.certain &= other.certain;
        self.hull.0 = Expr::min(&self.hull.0, &other.hull.0);
        self.hull.1 = Expr::max(&self.hull.1, &other.hull.1);
        self.add_origins(&other.origins);
    }

    fn add_origins(&mut self, origins: &[Origin]) {
        for origin in origins {
            if !self.origins.contains(origin) {
                self.origins.push(*origin);
            }
        }
    }
}
