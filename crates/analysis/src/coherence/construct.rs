//! What does a directive do to the data of the device: which sections it maps, which variables it copies, what it updates?
//!
//! Clauses first, then the rules for what no clause names (OpenMP 5.0 §2.19.7, OpenACC 2.7 §2.6.1): arrays and structures are mapped `tofrom`, scalars and
//! pointers are copied (`firstprivate`), a variable of a reduction on the construct itself is mapped. In OpenACC, a scalar that a data construct around
//! names in a clause is no copy: it is the one that is there (§2.5.1; around means in the text, not in a function that calls).
//!
//! What it cannot do: mappers, iterators, several devices; those make everything after them *possible* at most.

use super::Reading;
use super::copies::Extent;
use super::defect::{Confidence, Defect, Kind, Moved};
use super::object::Motion;
use crate::state::POINTER;
use crate::value::{AtDirective, Values};
use ferry_directive::{Clause, Direction, Directive, Item, Language, Modifier, Version};
use ferry_ir::{Expr as Code, Stmt, StmtKind, Type, Unit, VariableRef};
use ferry_source::{Origin, Span};
use ferry_symbolic::{Expr, Facts, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// A section that a directive maps or moves.
#[derive(Clone)]
pub struct Section {
    pub root: Symbol,
    pub extent: Extent,
    pub direction: Direction,
    pub motion: Motion,
    pub by: Moved,
    /// The clause, or the directive.
    pub at: Origin,
    /// Of an update: not all of the bytes are moved.
    pub holes: bool,
    /// The item.
    pub named: Origin,
    /// The variable, where no clause names it.
    pub variable: String,
}

impl Section {
    /// A defect of the section; `there` is what is on the device instead, or what the object is.
    pub fn defect(&self, kind: Kind, confidence: Confidence, there: Option<&Extent>) -> Defect {
        Defect {
            kind,
            confidence,
            root: self.root,
            named: self.named,
            at: self.at,
            written: None,
            directive: Some(self.by),
            bytes: self.extent.bytes(),
            there: there.and_then(Extent::bytes),
            around: false,
        }
    }
}

/// A directive as what it does.
pub struct Construct {
    /// What is mapped, in order.
    pub sections: Vec<Section>,
    /// Variables of which the construct, or one inside it, has a copy that does not come back, with the clause.
    pub copies: BTreeMap<Symbol, Moved>,
    /// Of these, those that begin without a value.
    pub private: BTreeSet<Symbol>,
    /// Variables that mean nothing outside: declared inside, and those that count iterations.
    pub inner: BTreeSet<Symbol>,
    /// What pointers point to that are mapped as they are.
    pub bare_pointers: BTreeMap<Symbol, (Moved, Origin)>,
    /// What loops inside reduce, in OpenACC.
    pub reduced: BTreeSet<Symbol>,
    /// Storage with pointers through which sections are named.
    pub attached: BTreeSet<Symbol>,
    /// The pointers through which sections are named: the storage that holds each, its bytes, and the clause.
    pub pointers: Vec<(Symbol, Extent, Moved)>,
    /// Pointers that are set on the device: those through which sections or members are named, and those that a clause attaches. The storage, and their bytes.
    pub led: Vec<(Symbol, Extent)>,
    /// Structures of which members are named: parts of them come and go.
    pub in_parts: BTreeSet<Symbol>,
    /// Storage that is named by a device address.
    pub device_addresses: BTreeSet<Symbol>,
    /// Of these, what a region takes for an address of the device, with the clause.
    pub taken_as_addresses: BTreeMap<Symbol, Moved>,
    /// Something in the clauses was not understood.
    pub not_understood: bool,
    pub is_openacc: bool,
    pub facts: Facts,
    /// The whole directive.
    pub whole: Moved,
    /// Its place, with the statement that it governs.
    pub at: Origin,
}

/// Clauses that take the value of a pointer for an address of the device.
const TAKE_ADDRESSES: [&str; 2] = ["is_device_ptr", "deviceptr"];

/// The bytes of a pointer in the storage that holds it.
pub fn pointer_at(holder: Symbol, address: &Expr) -> Extent {
    let offset = address - &Expr::symbol(holder);
    let end = &offset + &Expr::int(POINTER.into());
    Extent::new(offset, end)
}

/// The text of the directive itself, without the statement that it governs.
fn line_of(stmt: &Stmt) -> Option<Span> {
    let span = stmt.origin.span()?;
    match &stmt.kind {
        StmtKind::Directive { body: Some(body), .. } => {
            let end = body
                .origin
                .span()
                .filter(|body| body.file == span.file && body.start > span.start);
            Some(Span::new(
                span.file,
                span.start,
                end.map_or(span.end, |body| body.start),
            ))
        }
        _ => Some(span),
    }
}

impl Construct {
    /// A call that does what a directive does.
    pub fn of_call(section: Section, facts: &Facts) -> Construct {
        Construct {
            copies: BTreeMap::new(),
            private: BTreeSet::new(),
            inner: BTreeSet::new(),
            bare_pointers: BTreeMap::new(),
            reduced: BTreeSet::new(),
            attached: BTreeSet::new(),
            pointers: Vec::new(),
            led: Vec::new(),
            in_parts: BTreeSet::new(),
            device_addresses: BTreeSet::new(),
            taken_as_addresses: BTreeMap::new(),
            not_understood: false,
            is_openacc: true,
            facts: facts.clone(),
            whole: section.by,
            at: section.at,
            sections: vec![section],
        }
    }

    /// Takes a directive apart. `touched` are the roots that its statement touches on the device, `always` the variables that live there, `around` the
    /// variables that data constructs around it name ([`named_by`]).
    pub fn of(
        (unit, values, reading): (&Unit, &Values, Reading),
        stmt: &Stmt,
        directive: &Directive<Code>,
        at: &AtDirective,
        touched: &BTreeSet<Symbol>,
        (always, around): (&BTreeSet<ferry_ir::GlobalId>, &BTreeSet<Symbol>),
    ) -> Construct {
        let file = stmt.origin.span().map(|span| span.file);
        let moved = |clause: Option<usize>| Moved {
            stmt: stmt.id,
            at: match clause
                .and_then(|clause| directive.clauses.get(clause)?.place)
                .zip(file)
            {
                Some(((start, end), file)) => Some(Span::new(file, start, end)),
                None => line_of(stmt),
            },
            clause,
        };
        let mut found = Construct {
            sections: Vec::new(),
            copies: BTreeMap::new(),
            private: BTreeSet::new(),
            inner: BTreeSet::new(),
            bare_pointers: BTreeMap::new(),
            reduced: BTreeSet::new(),
            attached: BTreeSet::new(),
            pointers: Vec::new(),
            led: Vec::new(),
            in_parts: BTreeSet::new(),
            device_addresses: BTreeSet::new(),
            taken_as_addresses: BTreeMap::new(),
            not_understood: false,
            is_openacc: directive.language == Language::OpenAcc,
            facts: at.facts.clone(),
            whole: moved(None),
            at: stmt.origin,
        };
        let is_target = directive.is_target_construct();
        let mut named: BTreeSet<Symbol> = BTreeSet::new();
        for data in directive.data() {
            let storage = at.item(data.clause, data.item);
            let Some((storage, root)) = storage.and_then(|storage| Some((storage, storage.root?))) else {
                found.not_understood = true;
                continue;
            };
            named.insert(root);
            let by = moved(Some(data.clause));
            // The pointer through which a section is named points to the section on the device.
            if let Some((holder, address)) = &storage.pointer {
                named.insert(*holder);
                found.attached.insert(*holder);
                found.pointers.push((*holder, pointer_at(*holder, address), by));
            }
            let led = storage.on_the_way.iter();
            let led = led.map(|(holder, address)| (*holder, pointer_at(*holder, address)));
            found.led.extend(led);
            if let (Direction::Attach, Some((low, _))) = (data.direction, &storage.bytes) {
                let own = pointer_at(root, &(low + &Expr::symbol(root)));
                found.led.push((root, own));
            }
            let at = by.at.map_or(stmt.origin, Origin::Text);
            match data.direction {
                Direction::DeviceAddress => {
                    found.device_addresses.insert(root);
                    found.device_addresses.extend(storage.points_to);
                    let takes = directive.clauses.get(data.clause);
                    let takes = takes.is_some_and(|clause| TAKE_ADDRESSES.contains(&clause.name.as_str()));
                    // Where the region may run on the host, an address of the host may be meant.
                    if takes && !directive.has_clause("if") && !directive.has_clause("device") {
                        let taken = storage.points_to.into_iter();
                        found
                            .taken_as_addresses
                            .extend(taken.map(|pointee| (pointee, by)));
                    }
                    continue;
                }
                Direction::Attach | Direction::Detach | Direction::IfPresent => continue,
                _ => {}
            }
            found.not_understood |= !data.understood;
            match (directive.language, storage.points_to) {
                // OpenACC means what the pointer points to, however much there is. `present(p)` moves nothing: what is touched has to be there.
                (Language::OpenAcc, Some(pointee)) => {
                    found.attached.insert(root);
                    if data.direction != Direction::Present {
                        found.device_addresses.insert(pointee);
                    }
                    continue;
                }
                (Language::OpenMp, Some(pointee)) if !directive.is_exit_data() && !directive.is_update() => {
                    let named = data.object.map_or(at, |object| object.base.origin);
                    found.bare_pointers.insert(pointee, (by, named));
                }
                _ => {}
            }
            // Members of a structure come and go by themselves; what a pointer among them holds there is not followed. An update moves no more than the member.
            if storage.member && storage.pointer.is_none() && !directive.is_update() {
                found.in_parts.insert(root);
                if storage.points_to.is_some() {
                    found.attached.insert(root);
                    continue;
                }
            }
            let holes = storage.with_holes.as_ref().filter(|_| directive.is_update());
            let extent = match holes.or(storage.bytes.as_ref()) {
                Some((low, high)) => Extent::new(low.clone(), high.clone()),
                None => {
                    found.not_understood = true;
                    continue;
                }
            };
            found.sections.push(Section {
                root,
                extent,
                direction: data.direction,
                motion: motion(
                    data.direction,
                    data.always,
                    data.must_be_present,
                    data.finalize,
                    directive,
                ),
                by,
                at,
                holes: holes.is_some(),
                named: data.object.map_or(at, |object| object.base.origin),
                variable: String::new(),
            });
        }
        if directive.language == Language::OpenMp && reading.openmp >= Version::OpenMp50 {
            found.sections = in_order(found.sections);
        }
        if is_target {
            let mut copied = |name: &str, private: bool| {
                for (number, clause) in directive
                    .clauses
                    .iter()
                    .enumerate()
                    .filter(|(_, one)| one.name == name)
                {
                    for item in 0..clause.items().len() {
                        let storage = at.item(number, item);
                        if let Some(root) = storage.and_then(|storage| storage.root) {
                            named.insert(root);
                            found.copies.insert(root, moved(Some(number)));
                            if private {
                                found.private.insert(root);
                            }
                        }
                    }
                }
            };
            copied("firstprivate", false);
            copied("private", true);
            // Variables that live on the device are meant there.
            let declared = always
                .iter()
                .filter_map(|id| values.addresses.get(&VariableRef::Global(*id)));
            named.extend(declared.copied());
            found.inside(values, stmt);
            found.implicit((unit, values, reading), directive, at, touched, (&named, around));
        }
        found
    }

    /// Variables that constructs inside have copies of, that are declared inside, or count iterations.
    fn inside(&mut self, values: &Values, stmt: &Stmt) {
        let address = |variable: VariableRef| values.addresses.get(&variable).copied();
        let mut bodies = Vec::new();
        stmt.walk(&mut |inner| {
            match &inner.kind {
                StmtKind::Declare { local } => self.inner.extend(address(VariableRef::Local(*local))),
                StmtKind::Loop(of) => {
                    let mut assigned = BTreeSet::new();
                    for first in &of.init {
                        crate::scalar::assigned_variables(first, &mut assigned);
                    }
                    self.inner.extend(assigned.into_iter().filter_map(address));
                }
                StmtKind::Directive { directive, .. } => {
                    let Some(at) = values.directives.get(&inner.id) else {
                        return;
                    };
                    for (number, clause) in directive.clauses.iter().enumerate() {
                        // OpenACC: the sum of a loop is one of the construct around it.
                        if directive.language == Language::OpenAcc && clause.name == "reduction" {
                            let items = at.items.iter().filter(|one| one.clause == number);
                            self.reduced.extend(items.filter_map(|one| one.root));
                        }
                        let loses = matches!(clause.name.as_str(), "private" | "firstprivate" | "linear");
                        if !loses || inner.id == stmt.id {
                            continue;
                        }
                        let items = at.items.iter().filter(|one| one.clause == number);
                        for root in items.filter_map(|one| one.root) {
                            self.inner.insert(root);
                        }
                    }
                }
                _ => {}
            }
            bodies.extend(values.bodies.get(&inner.id).cloned());
        });
        for body in bodies {
            self.inside(values, &body.stmt);
            // The variables of a called function are on the device with it, its parameters too.
            let own = values.locals.len() as u32;
            let end = values
                .bodies
                .values()
                .map(|other| other.base)
                .filter(|base| *base > body.base)
                .min();
            for number in body.base..end.unwrap_or(own) {
                self.inner
                    .extend(address(VariableRef::Local(ferry_ir::LocalId(number))));
            }
        }
    }

    /// What no clause names.
    fn implicit(
        &mut self,
        (unit, values, reading): (&Unit, &Values, Reading),
        directive: &Directive<Code>,
        at: &AtDirective,
        touched: &BTreeSet<Symbol>,
        (named, around): (&BTreeSet<Symbol>, &BTreeSet<Symbol>),
    ) {
        let mut mapped_back = self.reduced.clone();
        let mut in_reduction: BTreeSet<Symbol> = BTreeSet::new();
        let by_clause = directive.language == Language::OpenAcc || reading.openmp >= Version::OpenMp50;
        for (number, clause) in directive.clauses.iter().enumerate() {
            // OpenMP 5.0 §2.19.7: so do the variables of `linear` on a combined construct.
            let comes_back = matches!(
                clause.name.as_str(),
                "reduction" | "lastprivate" | "linear" | "induction"
            );
            // OpenMP 5.0 §2.19.5.6: the task of the region takes part in a reduction outside of it.
            if by_clause && comes_back || clause.name == "in_reduction" {
                let items = at.items.iter().filter(|one| one.clause == number);
                mapped_back.extend(items.clone().filter_map(|one| one.root));
                if clause.name == "in_reduction" {
                    in_reduction.extend(items.filter_map(|one| one.root));
                }
            }
        }
        let is_openacc = directive.language == Language::OpenAcc;
        let scalars_come_back =
            |root: &Symbol| is_openacc && (directive.has_leaf("kernels") || around.contains(root));
        for root in touched {
            if named.contains(root) || self.inner.contains(root) {
                continue;
            }
            let Some(variable) = values.variable_at(*root) else {
                continue;
            };
            let ty = &values.type_of(unit, variable);
            let pointer = unit.types.pointee(*ty).is_some();
            // OpenACC 3.3 §1.6: pointers are scalars, too. What they are changed to comes back, and where they lead to is found by clauses on that; a bare pointer in a
            // clause of a construct around (`present(p)`, `deviceptr(p)`) is meant for what it leads to.
            if pointer && scalars_come_back(root) {
                self.inner.insert(*root);
                continue;
            }
            let aggregate = matches!(unit.types.get(*ty), Type::Array { .. } | Type::Record(_));
            let category = match (aggregate, pointer) {
                (true, _) => "aggregate",
                (false, true) => "pointer",
                (false, false) => "scalar",
            };
            let back = aggregate || mapped_back.contains(root) || scalars_come_back(root);
            let usual = if back {
                Default::Mapped(Direction::ToFrom)
            } else {
                Default::Copy
            };
            let default = match default_of(directive, category) {
                _ if mapped_back.contains(root) => usual,
                // The pointer itself, or the host's address: neither is followed.
                Some(Default::Mapped(_) | Default::Copy | Default::Private) if pointer => {
                    self.not_understood = true;
                    usual
                }
                Some(default) => default,
                None => usual,
            };
            let direction = match default {
                Default::Mapped(direction) => direction,
                Default::Copy | Default::Private => {
                    self.copies.insert(*root, self.whole);
                    if default == Default::Private {
                        self.private.insert(*root);
                    }
                    continue;
                }
                Default::Unknown => {
                    self.not_understood = true;
                    continue;
                }
            };
            let size = values
                .extents
                .get(root)
                .cloned()
                .or_else(|| Some(Expr::int(i128::from(unit.types.size(*ty)?))));
            let Some(size) = size else {
                self.not_understood = true;
                continue;
            };
            self.sections.push(Section {
                root: *root,
                extent: Extent::new(Expr::zero(), size),
                direction,
                motion: motion(
                    direction,
                    in_reduction.contains(root),
                    direction == Direction::Present,
                    false,
                    directive,
                ),
                by: self.whole,
                at: self.whole.at.map_or(Origin::New, Origin::Text),
                holes: false,
                named: self.whole.at.map_or(Origin::New, Origin::Text),
                variable: values.name_of(unit, variable).to_owned(),
            });
        }
    }
}

/// The variables that a directive names in clauses on data, as they are.
pub fn named_by<'a>(
    directive: &'a Directive<Code>,
    at: &'a AtDirective,
) -> impl Iterator<Item = Symbol> + 'a {
    directive.data().into_iter().filter_map(|data| {
        let storage = at.item(data.clause, data.item)?;
        storage
            .root
            .filter(|_| storage.pointer.is_none() && !storage.member)
    })
}

/// The variables of which each thread of a construct of the host has a copy that nothing comes back from.
pub fn copied_by_threads<'a>(
    directive: &'a Directive<Code>,
    at: &'a AtDirective,
) -> impl Iterator<Item = Symbol> + 'a {
    let name = |clause: usize| directive.clauses[clause].name.as_str();
    let copies = at
        .items
        .iter()
        .filter(move |item| matches!(name(item.clause), "private" | "firstprivate"));
    copies.filter_map(|item| item.root)
}

/// The sections of a construct in the order in which they are mapped (OpenMP 5.0 §2.19.7.1): `alloc`, `release` and `delete` come last, and a construct
/// counts what it maps once, so that they say nothing new of a section that another clause maps.
fn in_order(sections: Vec<Section>) -> Vec<Section> {
    let is_last = |section: &Section| {
        matches!(
            section.direction,
            Direction::Alloc | Direction::Release | Direction::Delete
        )
    };
    let (last, mut first): (Vec<Section>, Vec<Section>) = sections.into_iter().partition(is_last);
    let is_same = |a: &Section, b: &Section| a.root == b.root && a.extent.bytes() == b.extent.bytes();
    for section in last {
        let again =
            section.direction == Direction::Alloc && first.iter().any(|other| is_same(other, &section));
        if !again {
            first.push(section);
        }
    }
    first
}

/// What becomes of a variable that no clause names.
#[derive(Clone, Copy, PartialEq)]
enum Default {
    Mapped(Direction),
    /// A copy with its value, which does not come back.
    Copy,
    /// One without.
    Private,
    Unknown,
}

/// What `defaultmap` says of the variables of a category; `None` if it leaves them what they are, or nothing (`none`).
fn default_of(directive: &Directive<Code>, category: &str) -> Option<Default> {
    let speaks = |clause: &&Clause<Code>| {
        let categories = clause.arguments.as_ref().map_or(&[][..], |all| &all.trailing);
        categories.is_empty()
            || categories
                .iter()
                .any(|one| matches!(one, Modifier::Word(word) if word == category || word == "all"))
    };
    let clause = directive.clauses_named("defaultmap").find(speaks)?;
    let [Item::Word(behavior)] = clause.items() else {
        return Some(Default::Unknown);
    };
    match behavior.as_str() {
        "default" | "none" => None,
        "tofrom" => Some(Default::Mapped(Direction::ToFrom)),
        "to" => Some(Default::Mapped(Direction::To)),
        "from" => Some(Default::Mapped(Direction::From)),
        "alloc" | "storage" => Some(Default::Mapped(Direction::Alloc)),
        "present" => Some(Default::Mapped(Direction::Present)),
        "firstprivate" => Some(Default::Copy),
        "private" => Some(Default::Private),
        _ => Some(Default::Unknown),
    }
}

fn motion(
    direction: Direction,
    always: bool,
    present: bool,
    finalize: bool,
    directive: &Directive<Code>,
) -> Motion {
    let unstructured = directive.is_enter_data() || directive.is_exit_data();
    Motion {
        copy_in: matches!(direction, Direction::To | Direction::ToFrom),
        copy_out: matches!(direction, Direction::From | Direction::ToFrom),
        always,
        present,
        delete: direction == Direction::Delete || finalize,
        unstructured,
        counts_apart: unstructured && directive.language == Language::OpenAcc,
    }
}
