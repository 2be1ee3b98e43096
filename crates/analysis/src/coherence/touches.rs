//! What does a statement without directives touch, object by object, and which of its reads need values from before it?
//!
//! Bounds are those of the loops inside the statement; what varies in loops around it stays as it is. A read that follows a write of the same bytes on the
//! same path of the same iteration needs nothing from before; where that is not plain, the regions are asked ([`crate::regions`]).

use super::asked::Asked;
use super::bound::{Bound, moved};
use super::copies::Extent;
use super::defect::Confidence;
use super::followed::Followed;
use super::object::Touch;
use super::recurrence::from_before;
use crate::access::{Access, AccessKind, Guard};
use crate::loops::LoopIndex;
use crate::region::{certain_within, covers};
use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_ir::{Stmt, StmtId, Types};
use ferry_symbolic::{Condition, Expr, Symbol};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Accesses and effects by the statement in whose text, or in whose copy of a function's text, they are.
pub struct Index {
    accesses: BTreeMap<StmtId, Vec<usize>>,
    effects: BTreeMap<StmtId, Vec<usize>>,
    /// The accesses that write to each storage.
    writes: BTreeMap<Symbol, Vec<usize>>,
    /// What accesses touch with so many loops around left as they are, of those that were asked: a walk over loops asks again and again.
    parts: RefCell<BTreeMap<(usize, usize), Rc<Part>>>,
    /// The same of statements, all together, by how many there are, and so many loops around.
    touches: RefCell<BTreeMap<(StmtId, usize, usize), Vec<Known>>>,
    trees: RefCell<BTreeMap<StmtId, Rc<[StmtId]>>>,
    /// Which bytes are touched is asked of these objects only.
    pub followed: Followed,
    pub asked: Asked,
}

/// What statements touch, where this is left out and pointers stand for that.
struct Known {
    skip: BTreeSet<Symbol>,
    bound: Bound,
    touches: Rc<Vec<Touched>>,
}

/// What an access touches of its storage, whichever that is; see [`Touch`].
struct Part {
    extent: Extent,
    all: Confidence,
    some: Confidence,
    ends: bool,
    somewhere: bool,
    happens: bool,
}

/// One touch of an object.
#[derive(Clone)]
pub struct Touched {
    pub kind: AccessKind,
    /// The object; `None` if it is not known which.
    pub root: Option<Symbol>,
    /// How far the pointer of the access is behind the root, if that is not what it is counted from.
    offset: Option<Expr>,
    /// So many loops around are left as they are.
    around: usize,
    /// Which bytes, if that was asked ([`Index::touch`]): of most reads nobody does, as nothing is wrong with what they read.
    touch: OnceCell<Touch>,
    /// The access, by its place in the list of accesses.
    pub access: usize,
    /// Where: needed for what is not known.
    pub at: ferry_source::Origin,
    /// Something in the same statement writes the object before.
    pub written_before: bool,
}

impl Index {
    pub fn of(values: &Values, followed: Followed) -> Index {
        let mut index = Index {
            accesses: BTreeMap::new(),
            effects: BTreeMap::new(),
            writes: BTreeMap::new(),
            parts: RefCell::default(),
            touches: RefCell::default(),
            trees: RefCell::default(),
            followed,
            asked: Asked::default(),
        };
        for (number, access) in values.accesses.iter().enumerate() {
            index.accesses.entry(access.within).or_default().push(number);
            if let Some(root) = access.root.filter(|_| access.is_write()) {
                index.writes.entry(root).or_default().push(number);
            }
        }
        for (number, effect) in values.effects.iter().enumerate() {
            index.effects.entry(effect.within).or_default().push(number);
        }
        index
    }

    /// What an access touches that happens. It goes by the access and the loops around that are left as they are, by nothing else.
    fn part(&self, values: &Values, number: usize, around: usize) -> Rc<Part> {
        let question = (number, around);
        if let Some(known) = self.parts.borrow().get(&question) {
            return known.clone();
        }
        let access = &values.accesses[number];
        let writes = access.root.and_then(|root| self.writes.get(&root));
        let first = from_before(values, access, writes.map_or(&[], Vec::as_slice), around);
        let found = Rc::new(part(
            values,
            &self.asked,
            first.as_ref().unwrap_or(access),
            around,
        ));
        self.parts.borrow_mut().insert(question, found.clone());
        found
    }

    /// Which bytes of its object a touch is about; `None` if it is not known of which object it is.
    pub fn touch<'t>(&self, values: &Values, touched: &'t Touched) -> Option<&'t Touch> {
        let root = touched.root?;
        Some(touched.touch.get_or_init(|| {
            let access = &values.accesses[touched.access];
            let part = self.part(values, touched.access, touched.around);
            let extent = match &touched.offset {
                Some(offset) => moved(&part.extent, offset),
                None => part.extent.clone(),
            };
            Touch {
                root,
                extent,
                all: part.all,
                some: part.some,
                ends: part.ends,
                somewhere: part.somewhere,
                happens: part.happens,
                at: access.origin,
                facts: access.facts.clone(),
            }
        }))
    }

    /// The touches of a switch that is not followed case by case: any may happen or not.
    pub fn under_a_switch(&self, values: &Values, touches: &mut Rc<Vec<Touched>>) {
        for touched in Rc::make_mut(touches) {
            self.touch(values, touched);
            let Some(touch) = touched.touch.get_mut() else {
                continue;
            };
            *touch = Touch {
                happens: false,
                ..touch.perhaps()
            };
        }
    }

    /// The statements of a tree, bodies of functions that are walked at its calls included.
    pub fn statements(values: &Values, stmt: &Stmt) -> Vec<StmtId> {
        let mut found = Vec::new();
        let mut calls = Vec::new();
        stmt.walk(&mut |inner| {
            found.push(inner.id);
            if values.bodies.contains_key(&inner.id) {
                calls.push(inner.id);
            }
        });
        for call in calls {
            if let Some(body) = values.bodies.get(&call) {
                found.extend(Index::statements(values, &body.stmt));
            }
        }
        found
    }

    /// The same, of one that is asked for again and again.
    pub fn tree(&self, values: &Values, stmt: &Stmt) -> Rc<[StmtId]> {
        let mut trees = self.trees.borrow_mut();
        trees
            .entry(stmt.id)
            .or_insert_with(|| Index::statements(values, stmt).into())
            .clone()
    }

    /// The storage that these statements name.
    pub fn roots(&self, values: &Values, statements: &[StmtId]) -> BTreeSet<Symbol> {
        let accesses = statements
            .iter()
            .filter_map(|stmt| self.accesses.get(stmt))
            .flatten();
        accesses
            .filter_map(|number| values.accesses[*number].root)
            .collect()
    }

    /// What calls in these statements touch beside the accesses, by their place in the list.
    pub fn effects(&self, statements: &[StmtId]) -> Vec<usize> {
        let mut found: Vec<usize> = statements
            .iter()
            .filter_map(|stmt| self.effects.get(stmt))
            .flatten()
            .copied()
            .collect();
        found.sort_unstable();
        found
    }

    /// What these statements touch together, with the loops around them left as they are: reads that may need values from before, then writes. They are those
    /// of a statement, all of them or itself alone.
    pub fn touches(
        &self,
        values: &Values,
        (stmt, statements): (&Stmt, &[StmtId]),
        around: usize,
        skip: &BTreeSet<Symbol>,
        bound: (&Bound, &Types),
    ) -> Rc<Vec<Touched>> {
        let question = (stmt.id, statements.len(), around);
        let is_it = |known: &&Known| known.skip == *skip && known.bound == *bound.0;
        if let Some(known) = self.touches.borrow().get(&question)
            && let Some(known) = known.iter().find(is_it)
        {
            return known.touches.clone();
        }
        let touches = Rc::new(self.find_touches(values, statements, around, skip, bound));
        let known = Known {
            skip: skip.clone(),
            bound: bound.0.clone(),
            touches: touches.clone(),
        };
        self.touches.borrow_mut().entry(question).or_default().push(known);
        touches
    }

    fn find_touches(
        &self,
        values: &Values,
        statements: &[StmtId],
        around: usize,
        skip: &BTreeSet<Symbol>,
        bound: (&Bound, &Types),
    ) -> Vec<Touched> {
        let mut numbers: Vec<usize> = statements
            .iter()
            .filter_map(|stmt| self.accesses.get(stmt))
            .flatten()
            .copied()
            .collect();
        numbers.sort_unstable();
        let mut reads = Vec::new();
        let mut writes: Vec<usize> = Vec::new();
        let mut written = Vec::new();
        for number in numbers {
            let access = &values.accesses[number];
            if access.root.is_some_and(|root| skip.contains(&root)) {
                continue;
            }
            let is_followed = access.root.is_none_or(|root| self.followed.contains(root));
            // Its copy is always the newest.
            if access.kind == AccessKind::Read && !is_followed {
                continue;
            }
            let own = writes.iter().map(|write| &values.accesses[*write]);
            let mut own = own.filter(|write| write.root == access.root);
            // Seen by the addresses alone, before what it touches is computed.
            let written_before = access.kind == AccessKind::Read && own.clone().next().is_some();
            if written_before && own.any(|write| is_covered(access, write)) {
                continue;
            }
            // What contradicts itself where it stands never happens: a loop that does not run, a path that is not taken.
            if self.asked.contradict(&access.facts) {
                continue;
            }
            let touched = touched(values, (number, around), written_before, bound);
            match access.kind {
                AccessKind::Read => reads.push(touched),
                AccessKind::Write => {
                    if is_followed {
                        self.touch(values, &touched);
                    }
                    writes.push(number);
                    written.push(touched);
                }
            }
        }
        reads.extend(doubted(joined(written)));
        reads
    }
}

/// Writes of the same bytes are one, the surest.
fn joined(written: Vec<Touched>) -> Vec<Touched> {
    let mut found: Vec<Touched> = Vec::new();
    for one in written {
        let same = found
            .iter_mut()
            .find(|other| match (one.touch.get(), other.touch.get()) {
                (Some(one), Some(other)) => one.root == other.root && one.extent == other.extent,
                _ => false,
            });
        match (same.and_then(|other| other.touch.get_mut()), one.touch.get()) {
            (Some(other), Some(touch)) => {
                let certain = |one: &Touch| one.happens && one.all == Confidence::Proven;
                other.happens = certain(other) || certain(touch);
                other.all = other.all.min(touch.all);
                other.some = other.some.min(touch.some);
                other.somewhere |= touch.somewhere;
            }
            _ => found.push(one),
        }
    }
    found
}

/// Several writes of one object, none of which writes all for certain, may do so together: `if (c) a[i] = 0; else a[i] = 1;`.
fn doubted(mut written: Vec<Touched>) -> Vec<Touched> {
    let uncertain = |one: &Touched| {
        let touch = one.touch.get()?;
        (touch.all != Confidence::Proven).then_some(touch.root)
    };
    let roots: Vec<Symbol> = written.iter().filter_map(uncertain).collect();
    for one in &mut written {
        let Some(touch) = one.touch.get_mut() else {
            continue;
        };
        let others = roots.iter().filter(|root| **root == touch.root).count();
        if touch.all != Confidence::Proven && others > 1 {
            touch.all = Confidence::Possible;
        }
    }
    written
}

fn touched(
    values: &Values,
    (number, around): (usize, usize),
    written_before: bool,
    (bound, types): (&Bound, &Types),
) -> Touched {
    let access = &values.accesses[number];
    let known = access.root.and_then(|root| bound.root(values, types, root));
    let (root, offset) = match known {
        Some((root, offset)) => (Some(root), Some(offset)),
        None => (access.root, None),
    };
    Touched {
        kind: access.kind,
        root: root.filter(|root| is_one_object(values, *root, &access.loops)),
        offset,
        around,
        touch: OnceCell::new(),
        access: number,
        at: access.origin,
        written_before,
    }
}

fn part(values: &Values, asked: &Asked, access: &Access, around: usize) -> Part {
    let inside = access.loops.get(around..).unwrap_or_default();
    let mut found = Part {
        extent: Extent::everything(),
        all: Confidence::Possible,
        some: Confidence::Possible,
        ends: false,
        somewhere: false,
        happens: false,
    };
    let Ok(hull) = values.hull(access, inside) else {
        return found;
    };
    found.extent = Extent::new(hull.low.clone(), hull.high.clone());
    found.happens = happens(values, asked, access, inside);
    found.ends = hull.exact && access.conditional_depth <= around;
    let dense = certain_within(&values.symbols, &values.loops, access, inside)
        .is_some_and(|certain| covers(&certain, &hull, &access.facts));
    let conditional = access.conditional_depth > around;
    found.somewhere = !conditional
        && inside.iter().all(|index| {
            asked.runs(values, *index, 1) && values.loops[index.0 as usize].early_exits.is_empty()
        });
    // Which case of a switch is taken goes with conditions elsewhere.
    if conditional && access.guards.iter().any(|guard| guard.point.is_none()) {
        return found;
    }
    // Conditions on the number of an iteration, other than those of the loops themselves, cut the extent; whether what is left has gaps is not asked.
    let counts = |symbol: Symbol| matches!(values.symbols.info(symbol).kind, SymbolKind::Counter(_));
    let of_loop = |condition: &Condition| {
        inside
            .iter()
            .any(|index| asked.holds_in(values, *index, condition))
    };
    let cut = access
        .guards
        .iter()
        .filter(|guard| guard.loops > around)
        .any(|guard| {
            let condition = guard.condition.as_ref();
            condition.is_some_and(|condition| condition.any_symbol(&counts) && !of_loop(condition))
        });
    // A condition that iterations decide which touch the same bytes: that it holds in none of them is nothing that a caller chooses.
    let is_by_iterations = |guard: &Guard| {
        let moves = |index: &&LoopIndex| {
            let counter = values.loops[index.0 as usize].counter;
            access
                .address
                .as_ref()
                .is_some_and(|address| address.mentions(counter))
        };
        let within = access.loops.get(around..guard.loops).unwrap_or_default();
        let within: Vec<&LoopIndex> = within.iter().filter(|index| !moves(index)).collect();
        let varies = |index: &LoopIndex, condition: &Condition| {
            let of = values.loops[index.0 as usize].stmt;
            condition.any_symbol(&|symbol| values.symbols.varies_in(symbol, of))
        };
        let condition = guard.condition.as_ref();
        !within.is_empty()
            && condition.is_none_or(|condition| {
                !of_loop(condition) && within.iter().any(|index| varies(index, condition))
            })
    };
    found.all = match (dense, conditional) {
        (true, false) => Confidence::Proven,
        (true, true) if !cut && !access.guards.iter().any(is_by_iterations) => Confidence::Likely,
        _ => Confidence::Possible,
    };
    found.some = match (conditional, dense || hull.exact) {
        (false, _) if found.ends || dense => Confidence::Proven,
        (true, true) => Confidence::Likely,
        _ => Confidence::Possible,
    };
    found
}

/// True if no case of a switch decides, and each of the loops inside runs, or gives the extent its length: if it does not run, that is empty.
fn happens(values: &Values, asked: &Asked, access: &Access, inside: &[LoopIndex]) -> bool {
    let decided = |guard: &Guard| guard.point.is_none();
    if access.guards.iter().any(decided) {
        return false;
    }
    inside.iter().all(|index| {
        if asked.runs(values, *index, 1) {
            return true;
        }
        let of = &values.loops[index.0 as usize];
        if of.trip.is_err() {
            return false;
        }
        let counts = |address: &Expr| address.mentions(of.counter);
        access.address.as_ref().is_some_and(counts)
    })
}

/// True if the symbol means the same storage wherever it is named: no pointer that moves on in a loop.
pub fn is_one_object(values: &Values, root: Symbol, loops: &[LoopIndex]) -> bool {
    let info = values.symbols.info(root);
    match info.kind {
        SymbolKind::Address(_)
        | SymbolKind::CalleeVariable { .. }
        | SymbolKind::Allocated(_)
        | SymbolKind::Entry(_)
        | SymbolKind::Elsewhere(_) => true,
        SymbolKind::Loaded { .. } | SymbolKind::Result(_) => {
            let varies = |index: &LoopIndex| {
                values
                    .symbols
                    .varies_in(root, values.loops[index.0 as usize].stmt)
            };
            info.loops.is_empty() && !loops.iter().any(varies)
        }
        _ => false,
    }
}

/// True if the write comes before the read wherever the read happens, in the same iteration of all loops around the write, and writes what is read.
fn is_covered(read: &Access, write: &Access) -> bool {
    let same = read.address.is_some() && read.address == write.address && write.size >= read.size;
    let on_path = write.guards.len() <= read.guards.len()
        && write
            .guards
            .iter()
            .zip(&read.guards)
            .all(|(own, other)| own.point.is_some() && own.point == other.point);
    same && !write.partial && write.order < read.order && read.loops.starts_with(&write.loops) && on_path
}

/// An expression that has other values in other iterations of a loop.
pub fn varies(values: &Values, expr: &Expr, stmt: StmtId) -> bool {
    expr.any_symbol(&|symbol| values.symbols.varies_in(symbol, stmt))
}
