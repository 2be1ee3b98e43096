//! Which storage do the clauses of a directive name, where the directive stands?
//!
//! Asked for whole programs ([`super::walk_program`]): there a directive is a comment on the sequential program, its statement runs once as it is written,
//! and every object or section in its clauses is bytes of the storage of one root. Elsewhere nothing is kept of clauses, and what the body of a directive
//! writes may be a private copy.
//!
//! What it cannot do: sections with strides that are no positive numbers, shapes, iterators and mappers; they have no bytes.

use super::workers::Workers;
use super::{Outcomes, Walker};
use crate::loops::LoopIndex;
use crate::state::{AskedThreads, State};
use ferry_directive::{Directive, Item, ListItem, Subscript};
use ferry_ir::{Expr as Code, ExprKind, Place, PlaceBase, Projection, Stmt, Type, TypeId, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Facts, Symbol};

/// A directive where it stands.
#[derive(Clone)]
pub struct AtDirective {
    /// The items of its clauses that are objects.
    pub items: Vec<NamedStorage>,
    /// What its `if` clauses say, each with the directive name before the colon.
    pub conditions: Vec<(Option<String>, Outcomes)>,
    /// What its `final` clause says.
    pub is_final: Option<Outcomes>,
    /// Who runs what it governs.
    pub workers: Workers,
    /// The device that its `device` clause says; `None` in it if that is not known.
    pub device: Option<Option<Expr>>,
    /// What is known there.
    pub facts: Facts,
    /// The loops around it, outermost first.
    pub loops: Vec<LoopIndex>,
    /// How many conditions are on the path to it.
    pub guards: usize,
    /// The directive, with the statement that it governs.
    pub origin: Origin,
}

impl AtDirective {
    /// An item of a clause, if it is an object.
    pub fn item(&self, clause: usize, item: usize) -> Option<&NamedStorage> {
        let mut items = self.items.iter();
        items.find(|one| (one.clause, one.item) == (clause, item))
    }
}

/// An item of a clause as storage: bytes `low .. high` counted from the root.
#[derive(Clone)]
pub struct NamedStorage {
    /// Index of the clause in the directive.
    pub clause: usize,
    /// Index of the item in the clause.
    pub item: usize,
    /// The storage that is meant; `None` if it is not known.
    pub root: Option<Symbol>,
    /// First byte and past the last byte; `None` where the length is not known.
    pub bytes: Option<(Expr, Expr)>,
    /// The same of a section with holes: one with a stride, or of parts of rows. Not all of these bytes are meant, but the first and the last one.
    pub with_holes: Option<(Expr, Expr)>,
    /// The variable with which the item begins.
    pub variable: Option<VariableRef>,
    /// The item is a member of a structure, or a section behind one.
    pub member: bool,
    /// The item is the whole of a variable, without subscripts.
    pub whole: bool,
    /// The type of the item: of one element if there are subscripts.
    pub ty: TypeId,
    /// The root of the storage that holds the pointer through which the section is reached, if it is reached through one, and the bytes of that pointer.
    pub pointer: Option<(Symbol, Expr)>,
    /// Of a whole variable that is a pointer: what it points to.
    pub points_to: Option<Symbol>,
    /// The pointers that are followed on the way to it, that one included: the storage that holds each, and its address.
    pub on_the_way: Vec<(Symbol, Expr)>,
}

/// Clauses that use the address that a pointer holds.
const TAKE_ADDRESSES: [&str; 6] = [
    "use_device_ptr",
    "use_device",
    "is_device_ptr",
    "deviceptr",
    "attach",
    "present",
];

/// Directives that make tasks, implicit ones among them: each has its own number of threads to ask for.
const MAKE_TASKS: [&str; 5] = ["parallel", "teams", "target", "task", "taskloop"];

/// Directives whose statement one of the threads runs.
const OF_ONE_THREAD: [&str; 4] = ["single", "master", "masked", "section"];

impl Walker<'_> {
    /// Walks a directive with the statement that it governs; `None` if control does not go on behind it.
    pub fn directive(
        &mut self,
        stmt: &Stmt,
        directive: &Directive<Code>,
        body: Option<&Stmt>,
        mut state: State,
    ) -> Option<State> {
        if self.with_directives {
            let (outside, threads) = (self.workers, state.threads);
            if directive.has_leaf("target") {
                // A device has been asked for nothing.
                state.threads = AskedThreads::Several;
            }
            self.workers = self.note_directive(stmt, directive, &mut state);
            let after = match body {
                Some(body) => self.statement(body, state),
                None => Some(state),
            };
            self.workers = outside;
            // What tasks inside ask for is forgotten with them.
            let has_one_of = |leaves: &[&str]| leaves.iter().any(|leaf| directive.has_leaf(leaf));
            let kept = |after: &State| match has_one_of(&MAKE_TASKS) {
                true => threads,
                // One thread asks for itself, and the others do not.
                false if has_one_of(&OF_ONE_THREAD) && outside.may_be_among_others() => {
                    threads.join(after.threads)
                }
                false => after.threads,
            };
            return after.map(|after| State {
                threads: kept(&after),
                ..after
            });
        }
        match body {
            // What the body writes may be a private copy, and then the old value is there again behind it.
            Some(body) => {
                let before = state.clone();
                let after = self.statement(body, state)?;
                let mut joined = self.join(&before.clone(), before, after, stmt.origin);
                let assigned = self.assigned(body);
                for reduced in directive.reductions() {
                    let variable = reduced.object.and_then(|object| object.base.as_variable());
                    if let Some(variable) =
                        variable.filter(|one| assigned.contains(one) && self.tracked(*one))
                    {
                        let why = "the copies of several threads are combined to it";
                        let value = self.unknown(&mut joined, self.type_of(variable), why, stmt.origin);
                        joined.set(variable, value);
                    }
                }
                Some(joined)
            }
            None => Some(state),
        }
    }

    /// Who runs what it governs.
    fn note_directive(&mut self, stmt: &Stmt, directive: &Directive<Code>, state: &mut State) -> Workers {
        let mut items = Vec::new();
        for (clause, one) in directive.clauses.iter().enumerate() {
            for (item, object) in one.items().iter().enumerate() {
                if let Item::Object(object) = object {
                    let first = self.accesses.len();
                    let uses_address = TAKE_ADDRESSES.contains(&one.name.as_str());
                    let named = self.named_storage((clause, item), object, uses_address, state);
                    items.extend(named.map(|named| NamedStorage {
                        on_the_way: self.pointers_read_since(first),
                        ..named
                    }));
                }
            }
        }
        let conditions = directive.conditions();
        let conditions: Vec<(Option<String>, Outcomes)> = conditions
            .into_iter()
            .map(|(name, value)| (name.map(str::to_owned), self.condition(value, state)))
            .collect();
        let is_final = directive.value("final");
        let is_final = is_final.map(|value| self.condition(value, state));
        let workers = self.workers_of(directive, &conditions, state);
        let is_number = directive
            .clauses_named("device")
            .all(|clause| !clause.has_modifier("ancestor"));
        let device = directive.value("device").filter(|_| is_number);
        let device = device.map(|device| self.value(device, state));
        if self.recording() {
            let found = AtDirective {
                items,
                conditions,
                is_final,
                workers,
                device,
                facts: state.facts.clone(),
                loops: self.open_loops(),
                guards: self.guards.len(),
                origin: stmt.origin,
            };
            self.directives.insert(stmt.id, found);
        }
        workers
    }

    /// The pointers in memory that were read since there were so many accesses.
    fn pointers_read_since(&self, first: usize) -> Vec<(Symbol, Expr)> {
        let new = self.accesses.get(first..).unwrap_or_default().iter();
        let pointers =
            new.filter(|access| !access.is_write() && self.unit.types.pointee(access.ty).is_some());
        pointers
            .filter_map(|access| Some((access.root?, access.address.clone()?)))
            .collect()
    }

    fn named_storage(
        &mut self,
        (clause, item): (usize, usize),
        object: &ListItem<Code>,
        uses_address: bool,
        state: &mut State,
    ) -> Option<NamedStorage> {
        let place = named_place(&object.base)?;
        let variable = match place.base {
            PlaceBase::Variable(variable) => Some(variable),
            PlaceBase::Deref(_) => variable_of(&object.base),
        };
        let whole = object.subscripts.is_empty() && place.path.is_empty();
        let mut found = NamedStorage {
            clause,
            item,
            root: None,
            bytes: None,
            with_holes: None,
            variable,
            member: place.path.iter().any(|step| matches!(step, Projection::Field(_))),
            whole: whole && matches!(place.base, PlaceBase::Variable(_)),
            ty: self.type_along(&place, &place.path)?,
            pointer: None,
            points_to: None,
            on_the_way: Vec::new(),
        };
        let target = self.place(&place, state);
        if found.whole && self.unit.types.pointee(found.ty).is_some() {
            // Most clauses move the pointer, or make another one: they do not read where it leads to.
            self.scanning += usize::from(!uses_address);
            let value = self.value(&object.base, state);
            self.scanning -= usize::from(!uses_address);
            found.points_to = value.and_then(|value| self.root(&value));
        }
        let mut first = target.address.clone();
        // The last byte that is meant begins here, where it is known.
        let mut last = first.clone();
        let plain = object.shape.is_empty();
        // Whether more than one element of a dimension is meant already, and whether they have gaps.
        let (mut several, mut holes, mut strided) = (false, false, false);
        for (number, subscript) in object.subscripts.iter().enumerate() {
            let (element, extent) = match self.unit.types.get(found.ty).clone() {
                Type::Array { element, length } => (element, self.length(&length, state)),
                Type::Pointer(to) if number == 0 => {
                    found.pointer = target.root.zip(target.address.clone());
                    let value = self.value(&object.base, state);
                    first.clone_from(&value);
                    last = value;
                    (to, None)
                }
                _ => return Some(found),
            };
            let size = self.size_of(element, state);
            let (lower, length) = match subscript {
                Subscript::Index(index) => (self.value(index, state), Some(Expr::one())),
                Subscript::Section {
                    lower,
                    length,
                    stride,
                } => {
                    let all = length.is_none();
                    let lower = match lower {
                        Some(lower) => self.value(lower, state),
                        None => Some(Expr::zero()),
                    };
                    let length = match length {
                        Some(length) => self.value(length, state),
                        None => extent
                            .as_ref()
                            .zip(lower.as_ref())
                            .map(|(extent, lower)| extent - lower),
                    };
                    let is_row = lower.as_ref().is_some_and(Expr::is_zero) && (all || length == extent);
                    holes |= several && !is_row;
                    several |= length.as_ref().is_none_or(|length| *length != Expr::one());
                    match stride.as_ref().map(|stride| stride.as_int()) {
                        None | Some(Some(1)) => (lower, length),
                        // Without a length it is not clear which element is the last one.
                        Some(Some(step)) if step > 1 && !all => {
                            strided = true;
                            let last = length.map(|length| &(&length - &Expr::one()) * &Expr::int(step));
                            (lower, last.map(|last| &last + &Expr::one()))
                        }
                        Some(_) => (lower, None),
                    }
                }
            };
            if let Subscript::Index(_) = subscript {
                holes |= several;
            }
            let moved =
                |from: &Option<Expr>, by: Option<Expr>| Some(from.as_ref()? + &(&by? * size.as_ref()?));
            let end = lower
                .as_ref()
                .zip(length)
                .map(|(lower, length)| &(lower + &length) - &Expr::one());
            last = moved(&last, end);
            first = moved(&first, lower);
            found.ty = element;
        }
        let root = first.as_ref().and_then(|first| self.root(first));
        found.root = root;
        if let (Some(root), Some(first), Some(last), Some(size), true) =
            (root, first, last, self.size_of(found.ty, state), plain)
        {
            let root = Expr::symbol(root);
            let bytes = (&first - &root, &(&last + &size) - &root);
            found.with_holes = (holes || strided).then(|| bytes.clone());
            found.bytes = (!strided).then_some(bytes);
        }
        Some(found)
    }
}

/// The place that an expression in a clause names: `x` as it is, an array by its decay.
fn named_place(code: &Code) -> Option<Place> {
    match &code.kind {
        ExprKind::Load(place) => Some((**place).clone()),
        ExprKind::AddressOf(place) => {
            let mut place = (**place).clone();
            match place.path.last() {
                Some(Projection::Index(index)) if index.as_int() == Some(0) => {
                    place.path.pop();
                    Some(place)
                }
                _ => None,
            }
        }
        ExprKind::Cast(inner) => named_place(inner),
        _ => None,
    }
}

/// The variable with which an expression begins: `c` of `c->data`.
fn variable_of(code: &Code) -> Option<VariableRef> {
    let of_place = |place: &Place| match &place.base {
        PlaceBase::Variable(variable) => Some(*variable),
        PlaceBase::Deref(pointer) => variable_of(pointer),
    };
    match &code.kind {
        ExprKind::Load(place) | ExprKind::AddressOf(place) => of_place(place),
        ExprKind::Cast(inner) | ExprKind::Offset(inner, _) => variable_of(inner),
        _ => None,
    }
}
