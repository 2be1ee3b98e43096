//! Do the directives of one environment, as they were read again, say what was meant?
//!
//! Clause by clause: the same items in the same directions, the same private and reduced variables, as many loops
//! together. Variables are those that the names mean at that place. Bounds and conditions are computed, as C computes
//! them, for the values of [`crate::sample`], and must give the intended values: a wrong name, precedence, width or
//! macro gives others. It is a test, not a proof: two expressions that agree on all those values are taken for equal.

mod last_values;
mod passes;

use crate::computed::{Computer, Failure, Store};
use crate::meaning::{Apart, Clauses, ElementMeaning, Entry, KernelMeaning, Mapped, Meaning, UpdateMeaning};
use crate::sample::{Purpose, Sample, samples};
use crate::unset;
use ferry_analysis::reduction::same_place;
use ferry_directive::{Direction, Directive, ListItem, Reduction, Subscript};
use ferry_ir::compare::Comparison;
use ferry_ir::{
    Expr as Code, ExprKind, Function, LogicalOp, Loop, Place, PlaceBase, Projection, Stmt, StmtKind, Type,
    TypeId, Unit, VariableRef,
};
use ferry_symbolic::{Condition, Expr, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// What was inserted for one environment, as it was read.
#[derive(Default)]
pub struct Written<'a> {
    /// Directives around several kernels.
    pub data: Vec<&'a Directive<Code>>,
    /// Directives of loops, with the place of the loop's keyword.
    pub kernels: Vec<(u32, &'a Directive<Code>)>,
    /// Updates, with the beginnings of the statements before and behind.
    pub updates: Vec<(&'a Directive<Code>, Option<u32>, Option<u32>)>,
    /// Atomic updates, with the statement that each governs.
    pub atomics: Vec<(&'a Directive<Code>, &'a Stmt)>,
    /// Directives that are none of these.
    pub others: Vec<&'a Directive<Code>>,
    /// Conditions.
    pub conditions: Vec<&'a Code>,
    /// Where they stand.
    pub tested_at: Vec<u32>,
    /// Loops that are no kernels, with their places.
    pub passes: Vec<(u32, &'a Loop)>,
    /// Where names are declared.
    pub declared_at: BTreeMap<VariableRef, u32>,
    /// Declared names with their values.
    pub constants: BTreeMap<VariableRef, &'a Code>,
    /// Values that are set behind loops: where, which variable, which value.
    pub assigned: Vec<(u32, VariableRef, &'a Code)>,
    /// What the iterations of kernels set first: the place of the loop's keyword, which variable, which value.
    pub first: Vec<(u32, VariableRef, &'a Code)>,
    /// What iterations keep under a condition: the place of the loop's keyword, the condition, the variable that gets it, the variable that it is of.
    pub kept: Vec<(Option<u32>, &'a Code, VariableRef, VariableRef)>,
    /// The variables that they declare first.
    pub declared_first: BTreeSet<VariableRef>,
    /// Memory that is set to the value of a variable.
    pub stored: Vec<(&'a Place, VariableRef)>,
    /// What stands beside each kernel in its block, by the place of the loop's keyword.
    pub beside: BTreeMap<u32, Beside<'a>>,
    /// Where the text that was not inserted names what the inserted text declares.
    pub mentions: BTreeMap<VariableRef, BTreeSet<Option<u32>>>,
}

/// The inserted statements directly in front of a kernel and behind it.
#[derive(Default)]
pub struct Beside<'a> {
    /// Variables that are set in front of it, in order.
    pub loaded: Vec<VariableRef>,
    /// Memory that is set behind it to the value of a variable.
    pub stored: Vec<(&'a Place, VariableRef)>,
}

/// The scalars that are declared in front of a kernel and mapped: one that stands for an element, with the operator, or that holds a last value.
type Scalars = Vec<(VariableRef, Option<&'static str>)>;

/// Where things of the old text are in the new one.
pub trait Places {
    /// The beginning of an old statement or keyword.
    fn new_start(&self, old: u32) -> Option<u32>;
}

/// The two programs.
#[derive(Clone, Copy)]
pub struct Programs<'a> {
    /// The unit before.
    pub old: &'a Unit,
    /// The function before.
    pub old_function: &'a Function,
    /// The unit that was read again.
    pub new: &'a Unit,
    /// The function that was read again.
    pub function: &'a Function,
}

/// Compares what is written with what was meant. `kernels` are the places of the keywords in the new text.
///
/// # Errors
/// The first difference, in words.
pub fn check(
    programs: Programs<'_>,
    comparison: &mut Comparison<'_>,
    written: &Written<'_>,
    meaning: &Meaning,
    kernels: &[u32],
    places: &dyn Places,
) -> Result<(), String> {
    let reader = Reader {
        programs,
        constants: &written.constants,
        variables: correspondence(programs, comparison, written),
    };
    if !written.others.is_empty() {
        return Err("a directive that was not meant".to_owned());
    }
    let symbols = reader.symbols(&meaning.entry, written, meaning);
    let none = BTreeSet::new();
    let known = |runs: &[Condition]| Known {
        reader: &reader,
        entry: &meaning.entry,
        declared: &meaning.entry,
        samples: samples(&meaning.entry, &symbols, runs, Purpose::Bounds, &none),
    };
    // Nothing is evaluated where the kernels do not run.
    let at_entry = known(&meaning.runs);
    match (written.data.as_slice(), &meaning.data) {
        ([], None) => {}
        ([one], Some(clauses)) => at_entry.clauses(one, clauses, &Vec::new())?,
        _ => return Err("another number of data environments than was meant".to_owned()),
    }
    if written.kernels.len() != meaning.kernels.len() || kernels.len() != meaning.kernels.len() {
        return Err("another number of kernels than was meant".to_owned());
    }
    let mut scalars = scalars(programs, written, &meaning.kernels, kernels, places)?;
    last_values::check(
        &reader,
        written,
        (&meaning.kernels, &meaning.runs),
        kernels,
        &mut scalars,
    )?;
    let mut scalars = scalars.into_iter();
    for (kernel, keyword) in meaning.kernels.iter().zip(kernels) {
        let mut governing = written.kernels.iter().filter(|(start, _)| start == keyword);
        let Some((_, directive)) = governing.next() else {
            return Err("a kernel's directive does not govern its loop".to_owned());
        };
        at_entry.clauses(directive, &kernel.clauses, &scalars.next().unwrap_or_default())?;
        match &kernel.before {
            Some(before) if meaning.data.is_some() && !kernel.elements.is_empty() => {
                let mut symbols = BTreeSet::new();
                for element in &kernel.elements {
                    symbols.extend(element.lower.symbols());
                }
                for item in directive.reductions() {
                    reader.mentioned_in(before, item.object, &mut symbols);
                }
                let at_kernel = Known {
                    reader: &reader,
                    entry: before,
                    declared: before,
                    samples: samples(before, &symbols, &[], Purpose::Bounds, &none),
                };
                at_kernel.elements(directive, &kernel.elements)?;
            }
            _ => at_entry.elements(directive, &kernel.elements)?,
        }
    }
    let tested = passes::check(&at_entry, written, &meaning.passes)?;
    match (tested.as_slice(), (&*meaning.runs, &*meaning.apart)) {
        ([], ([], [])) => {}
        ([_], ([], [])) | ([], _) | ([_, _, ..], _) => {
            return Err("another number of conditions than was meant".to_owned());
        }
        ([one], (runs, apart)) => {
            let mut parts = Vec::new();
            conjuncts(one, &mut parts);
            if parts.len() != runs.len() + apart.len() {
                return Err("a condition of other parts than was meant".to_owned());
            }
            let (first, others) = parts.split_at(runs.len());
            known(&[]).runs(first, runs)?;
            for (part, pair) in others.iter().zip(apart) {
                let close = pair.symbols();
                let known = Known {
                    reader: &reader,
                    entry: &meaning.entry,
                    declared: &meaning.entry,
                    samples: samples(&meaning.entry, &symbols, runs, Purpose::Overlap, &close),
                };
                known.apart(part, pair)?;
            }
        }
    }
    atomics(written, &meaning.kernels, places)?;
    first_values(&reader, written, &meaning.kernels, kernels)?;
    final_values(&reader, written, &meaning.kernels, kernels)?;
    updates(&reader, comparison, written, &meaning.updates, places)
}

/// Which variables are the scalars of each kernel: each is loaded in front of it, stands where it was meant to and nowhere else, and is stored behind the kernel
/// where it was loaded from. That it was loaded from the element that is meant is known when it is read as that, and the program is the old one.
fn scalars(
    programs: Programs<'_>,
    written: &Written<'_>,
    meant: &[KernelMeaning],
    keywords: &[u32],
    places: &dyn Places,
) -> Result<Vec<Scalars>, String> {
    let all = meant.iter().map(|kernel| kernel.scalars.len()).sum::<usize>();
    if written.stored.len() != all || written.mentions.len() != all {
        return Err("another number of scalars in the place of elements than was meant".to_owned());
    }
    let none = Beside::default();
    let mut found = Vec::new();
    for (kernel, keyword) in meant.iter().zip(keywords) {
        let beside = written.beside.get(keyword).unwrap_or(&none);
        let mut own = Scalars::new();
        for scalar in &kernel.scalars {
            let uses = scalar.uses.iter().map(|span| places.new_start(span.start));
            let uses: BTreeSet<Option<u32>> = uses.collect();
            let is_it = |variable: &&VariableRef| written.mentions.get(variable) == Some(&uses);
            let Some(variable) = beside.loaded.iter().find(is_it).filter(|_| !uses.contains(&None)) else {
                return Err("a scalar does not stand where it was meant to".to_owned());
            };
            let value = written.constants.get(variable).map(|value| &value.kind);
            let Some(ExprKind::Load(element)) = value else {
                return Err("a scalar does not begin with the value of an element".to_owned());
            };
            let ty = match variable {
                VariableRef::Local(id) => programs.function.locals.get(id.0 as usize).map(|local| local.ty),
                VariableRef::Global(_) => None,
            };
            if ty != Some(element.ty) {
                return Err("a scalar has another type than its element".to_owned());
            }
            let mut stored = beside.stored.iter().filter(|(_, from)| from == variable);
            match (stored.next(), stored.next()) {
                (Some((place, _)), None) if same_place(place, element) => {}
                _ => return Err("a scalar is not stored where it was loaded from".to_owned()),
            }
            own.push((*variable, Some(scalar.op)));
        }
        found.push(own);
    }
    Ok(found)
}

/// The statements that are meant to be atomic updates or writes are, and no others.
fn atomics(written: &Written<'_>, meant: &[KernelMeaning], places: &dyn Places) -> Result<(), String> {
    let starts = meant.iter().flat_map(|kernel| &kernel.atomics);
    let starts = starts.map(|(span, how)| Some((places.new_start(span.start)?, *how)));
    let starts: Option<BTreeMap<u32, &str>> = starts.collect();
    let starts = starts.ok_or("an atomic statement has no place")?;
    let mut found = BTreeMap::new();
    for (directive, stmt) in &written.atomics {
        let how = match directive.clauses.as_slice() {
            [clause] => Some(clause.name.as_str()),
            _ => None,
        };
        let is_one = matches!(stmt.kind, StmtKind::Assign { .. });
        let start = stmt.origin.text().map(|span| span.start).filter(|_| is_one);
        match start.zip(how) {
            Some((start, how)) if found.insert(start, how).is_none() => {}
            _ => return Err("an atomic directive that was not meant".to_owned()),
        }
    }
    match found == starts {
        true => Ok(()),
        false => Err("other statements are atomic than were meant".to_owned()),
    }
}

/// A variable is set to the intended value, wherever its type holds that and some conditions hold. It is set at the first of two places, and names are declared at the second.
fn is_set_to(
    reader: &Reader<'_>,
    (entry, declared): (&Entry, &Entry),
    code: &Code,
    (variable, value): (VariableRef, &Expr),
    what: &str,
    runs: &[Condition],
) -> Result<(), String> {
    let none = BTreeSet::new();
    let mut symbols = value.symbols();
    reader.mentioned(declared, code, &mut symbols);
    reader.mentioned(entry, code, &mut symbols);
    let mut known = Known {
        reader,
        entry,
        declared,
        samples: samples(entry, &symbols, runs, Purpose::Bounds, &none),
    };
    known
        .samples
        .retain(|sample| reader.can_be(variable, value, *sample));
    known.same(code, value, what)
}

/// The iterations of every kernel set first what they were meant to, to the intended values, and nothing else.
fn first_values(
    reader: &Reader<'_>,
    written: &Written<'_>,
    meant: &[KernelMeaning],
    keywords: &[u32],
) -> Result<(), String> {
    let number = |kernel: &KernelMeaning| kernel.stepped.len() + kernel.unset.len();
    let all = meant.iter().map(number).sum::<usize>();
    if written.first.len() != all {
        return Err("another number of variables is set in iterations than was meant".to_owned());
    }
    for (kernel, keyword) in meant.iter().zip(keywords) {
        for variable in &kernel.unset {
            let is_it = |(at, place, code): &(u32, VariableRef, &Code)| {
                at == keyword && reader.old_of(*place) == Some(*variable) && unset::is_zero(code)
            };
            if !written.first.iter().any(is_it) {
                return Err("a variable that nothing reads is not set first in an iteration".to_owned());
            }
        }
        let (Some(before), Some(inside)) = (&kernel.before, &kernel.inside) else {
            continue;
        };
        for (variable, value) in &kernel.stepped {
            let is_it = |(at, place, _): &&(u32, VariableRef, &Code)| {
                at == keyword && reader.old_of(*place) == Some(*variable)
            };
            let Some((.., code)) = written.first.iter().find(is_it) else {
                return Err("another variable is set in iterations than was meant".to_owned());
            };
            // What it has of before the loop must have been taken directly in front of it.
            let taken = written.beside.get(keyword).map(|beside| &beside.loaded);
            let mut fine = true;
            code.walk(&mut |inner| {
                if let ExprKind::Load(place) = &inner.kind
                    && let Some(name) = place.as_variable()
                    && written.constants.contains_key(&name)
                {
                    fine &= taken.is_some_and(|taken| taken.contains(&name));
                }
            });
            if !fine {
                return Err("a value is not taken in front of the loop that it was meant for".to_owned());
            }
            // An iteration in which the variable would be more than its type holds does not come.
            is_set_to(
                reader,
                (inside, before),
                code,
                (*variable, value),
                "a variable of an iteration",
                &[],
            )?;
        }
    }
    Ok(())
}

/// Every variable that is set behind a loop gets the intended value, and no other is set.
fn final_values(
    reader: &Reader<'_>,
    written: &Written<'_>,
    meant: &[KernelMeaning],
    keywords: &[u32],
) -> Result<(), String> {
    let mut open: Vec<&(u32, VariableRef, &Code)> = written.assigned.iter().collect();
    // From the last kernel back: what is behind a kernel and not behind a later one is its own.
    for (kernel, keyword) in meant.iter().zip(keywords).rev() {
        let own: Vec<_> = open.iter().copied().filter(|(at, ..)| at > keyword).collect();
        open.retain(|(at, ..)| at <= keyword);
        let held = kernel.last.as_ref().map_or(0, |last| last.variables.len());
        if own.len() != kernel.final_values.len() + held {
            return Err("another number of values behind a loop than was meant".to_owned());
        }
        let Some(before) = &kernel.before else { continue };
        for (variable, value) in &kernel.final_values {
            let found = own
                .iter()
                .find(|(_, place, _)| reader.old_of(*place) == Some(*variable));
            let Some((at, _, code)) = found else {
                return Err("another variable is set behind a loop than was meant".to_owned());
            };
            let is_set = |place: &Place| {
                own.iter()
                    .any(|(set, variable, _)| set < at && place.as_variable() == Some(*variable))
            };
            let is_changed = |place: &Place| {
                let old = place.as_variable().and_then(|variable| reader.old_of(variable));
                old.is_some_and(|old| {
                    kernel.clauses.private.contains(&old) || kernel.clauses.reductions.contains_key(&old)
                })
            };
            let mut why = None;
            code.walk(&mut |inner| {
                if let ExprKind::Load(place) = &inner.kind {
                    if is_set(place) {
                        why = Some("a value behind a loop is made of one that was set there already");
                    } else if is_changed(place) {
                        why = Some("a value behind a loop is made of one that the loop changes");
                    }
                }
            });
            if let Some(why) = why {
                return Err(why.to_owned());
            }
            // Where the variable would be more than its type holds, the loop does not get to its end.
            is_set_to(
                reader,
                (before, before),
                code,
                (*variable, value),
                "a value behind a loop",
                &[],
            )?;
        }
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err("a variable is set that was not meant to be".to_owned())
    }
}

/// Every update moves the intended element in the intended direction, beside the intended statement.
fn updates(
    reader: &Reader<'_>,
    comparison: &mut Comparison<'_>,
    written: &Written<'_>,
    meant: &[UpdateMeaning],
    places: &dyn Places,
) -> Result<(), String> {
    if written.updates.len() != meant.len() {
        return Err("another number of updates than was meant".to_owned());
    }
    let mut open: Vec<_> = written.updates.iter().collect();
    for update in meant {
        let at = places.new_start(update.at.start);
        let Some((variable, subscripts)) = element(reader.programs.old_function, update) else {
            return Err("an update of something that is no element of an array".to_owned());
        };
        let found = open.iter().position(|(directive, before, behind)| {
            let beside = match update.direction {
                Direction::To => *before,
                _ => *behind,
            };
            let data = directive.data();
            let [item] = data.as_slice() else { return false };
            beside.is_some()
                && beside == at
                && item.direction == update.direction
                && directive.clauses.len() == 1
                && item
                    .object
                    .is_some_and(|object| reader.is_element(comparison, object, variable, &subscripts))
        });
        match found {
            Some(number) => drop(open.remove(number)),
            None => return Err("an update is not the one that was meant".to_owned()),
        }
    }
    Ok(())
}

/// The variable and the subscripts of an element that the old text names.
fn element<'a>(function: &'a Function, update: &UpdateMeaning) -> Option<(VariableRef, Vec<&'a Code>)> {
    let mut found = None;
    let mut look = |place: &'a Place| {
        if found.is_none() && place.origin.text() == Some(update.item) {
            found = Some(place);
        }
    };
    function.body.as_ref()?.walk(&mut |stmt| {
        if let Some(place) = stmt.written_place() {
            look(place);
        }
        stmt.for_each_expression(&mut |expr| {
            expr.walk(&mut |inner| {
                if let ExprKind::Load(place) = &inner.kind {
                    look(place);
                }
            });
        });
    });
    let place = found?;
    let mut subscripts = Vec::new();
    let variable = match &place.base {
        PlaceBase::Variable(variable) => *variable,
        PlaceBase::Deref(pointer) => {
            let ExprKind::Offset(pointer, index) = &pointer.kind else {
                return None;
            };
            subscripts.push(&**index);
            pointer.as_variable()?
        }
    };
    for projection in &place.path {
        match projection {
            Projection::Index(index) => subscripts.push(index),
            Projection::Field(_) => return None,
        }
    }
    Some((variable, subscripts))
}

/// The variables of the old program that those in the inserted text are.
fn correspondence(
    programs: Programs<'_>,
    comparison: &Comparison<'_>,
    written: &Written<'_>,
) -> BTreeMap<VariableRef, VariableRef> {
    let mut found = BTreeMap::new();
    let locals =
        (0..programs.function.locals.len() as u32).map(|id| VariableRef::Local(ferry_ir::LocalId(id)));
    let globals =
        (0..programs.new.globals.len() as u32).map(|id| VariableRef::Global(ferry_ir::GlobalId(id)));
    for variable in locals.chain(globals) {
        if written.constants.contains_key(&variable) {
            continue;
        }
        if let Some(old) = comparison
            .first_of(variable)
            .or_else(|| by_name(programs, variable))
        {
            found.insert(variable, old);
        }
    }
    found
}

/// A global that the function's own text does not mention.
fn by_name(programs: Programs<'_>, variable: VariableRef) -> Option<VariableRef> {
    let VariableRef::Global(id) = variable else {
        return None;
    };
    let global = programs.new.globals.get(id.0 as usize)?;
    let same = |other: &ferry_ir::Global| {
        other.inside.is_none() && !other.string_literal && other.name == global.name
    };
    let plain = global.inside.is_none() && !global.string_literal;
    let position = programs.old.globals.iter().position(same).filter(|_| plain)?;
    Some(VariableRef::Global(ferry_ir::GlobalId(position as u32)))
}

struct Reader<'a> {
    programs: Programs<'a>,
    constants: &'a BTreeMap<VariableRef, &'a Code>,
    variables: BTreeMap<VariableRef, VariableRef>,
}

impl Reader<'_> {
    /// True if a variable of the old program can hold a value: its type does.
    fn can_be(&self, variable: VariableRef, value: &Expr, sample: Sample<'_>) -> bool {
        let ty = match variable {
            VariableRef::Local(id) => self.programs.old_function.local(id).ty,
            VariableRef::Global(id) => self.programs.old.global(id).ty,
        };
        let Some(value) = sample.value(value) else {
            return false;
        };
        let (low, high) = match *self.programs.old.types.get(ty) {
            Type::Int { bits, signed: true } if bits <= 64 => {
                (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
            }
            Type::Int { bits, signed: false } if bits <= 64 => (0, (1i128 << bits) - 1),
            _ => return true,
        };
        (low..=high).contains(&value)
    }

    /// The type of a variable of the new program.
    fn type_of(&self, variable: VariableRef) -> Option<TypeId> {
        let programs = self.programs;
        match variable {
            VariableRef::Local(id) => programs.function.locals.get(id.0 as usize).map(|local| local.ty),
            VariableRef::Global(id) => programs.new.globals.get(id.0 as usize).map(|global| global.ty),
        }
    }

    fn old_of(&self, variable: VariableRef) -> Option<VariableRef> {
        self.variables.get(&variable).copied()
    }

    /// The variable that an item of a clause names.
    fn named(&self, code: &Code) -> Option<VariableRef> {
        let zero = |projection: &Projection| matches!(projection, Projection::Index(index) if index.as_int() == Some(0));
        let variable = match &code.kind {
            ExprKind::Load(place) => place.as_variable()?,
            ExprKind::AddressOf(place) => match place.base {
                PlaceBase::Variable(variable) if place.path.iter().all(zero) => variable,
                _ => return None,
            },
            ExprKind::Cast(inner) => return self.named(inner),
            _ => return None,
        };
        self.old_of(variable)
    }

    /// The variable whose value a declared name has that an item goes by.
    fn named_before(&self, code: &Code) -> Option<VariableRef> {
        let mut code = code;
        while let ExprKind::Cast(inner) = &code.kind {
            code = inner;
        }
        let value = self.constants.get(&code.as_variable()?)?;
        self.old_of(value.as_variable()?)
    }

    /// The variable itself that an item names as a whole.
    fn own(item: &ListItem<Code>) -> Option<VariableRef> {
        let mut code = &item.base;
        while let ExprKind::Cast(inner) = &code.kind {
            code = inner;
        }
        code.as_variable()
            .filter(|_| item.subscripts.is_empty() && item.shape.is_empty())
    }

    /// The variable that an item names, or the member of the structure that it is or points to.
    fn named_object(&self, code: &Code) -> Option<(VariableRef, Option<u32>)> {
        let place = match &code.kind {
            ExprKind::Load(place) => place,
            ExprKind::Cast(inner) => return self.named_object(inner),
            _ => return Some((self.named(code)?, None)),
        };
        let [Projection::Field(field)] = place.path.as_slice() else {
            return Some((self.named(code)?, None));
        };
        let variable = match &place.base {
            PlaceBase::Variable(variable) => self.old_of(*variable)?,
            PlaceBase::Deref(pointer) => self.named(pointer)?,
        };
        Some((variable, Some(*field)))
    }

    fn objects(&self, items: Vec<Option<&ListItem<Code>>>) -> Option<BTreeSet<VariableRef>> {
        let mut found = BTreeSet::new();
        for item in items {
            let item = item.filter(|item| item.subscripts.is_empty() && item.shape.is_empty())?;
            // Nothing is listed twice.
            found.insert(self.named(&item.base)?).then_some(())?;
        }
        Some(found)
    }

    /// True if an item is one element: `a[i:1]`, `a[i][j:1]`.
    fn is_element(
        &self,
        comparison: &mut Comparison<'_>,
        object: &ListItem<Code>,
        variable: VariableRef,
        subscripts: &[&Code],
    ) -> bool {
        let mut indices = Vec::new();
        for subscript in &object.subscripts {
            match subscript {
                Subscript::Index(index) => indices.push(index),
                Subscript::Section {
                    lower: Some(lower),
                    length: Some(length),
                    stride: None,
                } if length.as_int() == Some(1) => indices.push(lower),
                _ => return false,
            }
        }
        object.shape.is_empty()
            && self.named(&object.base) == Some(variable)
            && indices.len() == subscripts.len()
            && matches!(object.subscripts.last(), Some(Subscript::Section { .. }))
            && subscripts
                .iter()
                .zip(indices)
                .all(|(old, new)| comparison.expression(old, new).is_ok())
    }

    /// The symbols of what an expression mentions.
    fn mentioned(&self, entry: &Entry, code: &Code, symbols: &mut BTreeSet<Symbol>) {
        code.walk(&mut |inner| {
            let place = match &inner.kind {
                ExprKind::Load(place) | ExprKind::AddressOf(place) => place,
                _ => return,
            };
            let PlaceBase::Variable(variable) = place.base else {
                return;
            };
            match self.constants.get(&variable) {
                Some(value) => self.mentioned(entry, value, symbols),
                None => {
                    let old = self.old_of(variable);
                    let value = old.and_then(|old| entry.variables.get(&old));
                    symbols.extend(value.into_iter().flat_map(Expr::symbols));
                }
            }
        });
    }

    /// The same for the sections of an item.
    fn mentioned_in(&self, entry: &Entry, object: Option<&ListItem<Code>>, symbols: &mut BTreeSet<Symbol>) {
        for subscript in object.iter().flat_map(|object| &object.subscripts) {
            if let Subscript::Section { lower, length, .. } = subscript {
                for code in lower.iter().chain(length) {
                    self.mentioned(entry, code, symbols);
                }
            }
        }
    }

    /// The symbols of all that the environment's text and its meaning mention.
    fn symbols(&self, entry: &Entry, written: &Written<'_>, meaning: &Meaning) -> BTreeSet<Symbol> {
        let mut symbols = BTreeSet::new();
        let clauses = meaning
            .data
            .iter()
            .chain(meaning.kernels.iter().map(|one| &one.clauses));
        for (lower, length) in clauses.flat_map(|one| &one.data).flat_map(|item| &item.sections) {
            symbols.extend(lower.symbols());
            symbols.extend(length.symbols());
        }
        for element in meaning.kernels.iter().flat_map(|one| &one.elements) {
            symbols.extend(element.lower.symbols());
        }
        for condition in &meaning.runs {
            symbols.extend(condition.symbols());
        }
        symbols.extend(meaning.apart.iter().flat_map(Apart::symbols));
        for pass in &meaning.passes {
            symbols.extend(pass.first.symbols());
            symbols.extend(pass.count.symbols());
        }
        let directives = written
            .data
            .iter()
            .chain(written.kernels.iter().map(|(_, one)| one));
        for directive in directives {
            for item in directive.data() {
                self.mentioned_in(entry, item.object, &mut symbols);
            }
            for item in directive.reductions() {
                self.mentioned_in(entry, item.object, &mut symbols);
            }
        }
        for condition in &written.conditions {
            self.mentioned(entry, condition, &mut symbols);
        }
        for (_, pass) in &written.passes {
            for stmt in pass.init.iter().chain([&pass.body]) {
                stmt.walk(&mut |inner| {
                    inner.for_each_expression(&mut |code| self.mentioned(entry, code, &mut symbols));
                });
            }
        }
        symbols
    }
}

/// What is known at a place, and the assignments that fit it.
struct Known<'a> {
    reader: &'a Reader<'a>,
    entry: &'a Entry,
    /// What is known where names are declared.
    declared: &'a Entry,
    samples: Vec<Sample<'a>>,
}

/// Fewest values for which two expressions must have been compared.
const FEWEST: usize = 5;

impl Known<'_> {
    /// The clauses of a directive.
    fn clauses(&self, directive: &Directive<Code>, meant: &Clauses, scalars: &Scalars) -> Result<(), String> {
        let reader = self.reader;
        let data = directive.data();
        let mapping: BTreeSet<usize> = data.iter().map(|item| item.clause).collect();
        for (number, clause) in directive.clauses.iter().enumerate() {
            let known = matches!(clause.name.as_str(), "private" | "reduction" | "collapse");
            if !known && !mapping.contains(&number) {
                return Err(format!("a clause `{}` that was not meant", clause.name));
            }
        }
        if data.len() != meant.data.len() + scalars.len() {
            return Err("another number of mapped objects than was meant".to_owned());
        }
        let is_scalar = |object: &ListItem<Code>| {
            Reader::own(object).and_then(|own| scalars.iter().find(|(scalar, _)| *scalar == own))
        };
        for (scalar, _) in scalars {
            let own = |object: &ListItem<Code>| is_scalar(object).is_some_and(|(own, _)| own == scalar);
            let mut found = data.iter().filter(|found| found.object.is_some_and(own));
            let (Some(found), None) = (found.next(), found.next()) else {
                return Err("a scalar is not mapped as it was meant".to_owned());
            };
            if found.direction != Direction::ToFrom || !found.understood || found.always {
                return Err("a scalar is mapped in another direction than was meant".to_owned());
            }
        }
        for item in &meant.data {
            let named = |object: &ListItem<Code>| match item.walks {
                true => reader.named_before(&object.base) == Some(item.variable),
                false => reader.named_object(&object.base) == Some((item.variable, item.member)),
            };
            let mut found = data.iter().filter(|found| found.object.is_some_and(named));
            let (Some(found), None) = (found.next(), found.next()) else {
                return Err("an object is not mapped as it was meant".to_owned());
            };
            if found.direction != item.direction || !found.understood || found.always {
                return Err("an object is mapped in another direction than was meant".to_owned());
            }
            if let Some(object) = found.object {
                self.sections(object, item)?;
            }
        }
        if reader.objects(directive.objects("private")).as_ref() != Some(&meant.private) {
            return Err("other private variables than were meant".to_owned());
        }
        let mut reductions = BTreeMap::new();
        let mut reduced = BTreeMap::new();
        let promoted = scalars.iter().filter(|(_, op)| op.is_some()).copied();
        for reduction in directive.reductions() {
            // Elements have their own comparison.
            if reduction
                .object
                .is_none_or(|object| !object.subscripts.is_empty())
            {
                continue;
            }
            if let Some((scalar, _)) = reduction.object.and_then(is_scalar) {
                match reduced.insert(*scalar, Some(reduction.operator)) {
                    None => continue,
                    Some(_) => return Err("a reduction that was not meant".to_owned()),
                }
            }
            let variable = reduction.object.and_then(|object| reader.named(&object.base));
            match variable {
                Some(variable) if reductions.insert(variable, reduction.operator).is_none() => {}
                _ => return Err("a reduction that was not meant".to_owned()),
            }
        }
        if reductions != meant.reductions || reduced != promoted.collect() {
            return Err("other reductions than were meant".to_owned());
        }
        let collapse = match directive.value("collapse") {
            Some(code) => code.as_int().and_then(|value| usize::try_from(value).ok()),
            None => Some(1),
        };
        match collapse == Some(meant.collapse) {
            true => Ok(()),
            false => Err("another number of loops together than was meant".to_owned()),
        }
    }

    fn sections(&self, object: &ListItem<Code>, meant: &Mapped) -> Result<(), String> {
        if !object.shape.is_empty() || object.subscripts.len() != meant.sections.len() {
            return Err("a section of another shape than was meant".to_owned());
        }
        for (subscript, (lower, length)) in object.subscripts.iter().zip(&meant.sections) {
            let Subscript::Section {
                lower: Some(first),
                length: Some(count),
                stride: None,
            } = subscript
            else {
                return Err("a section of another shape than was meant".to_owned());
            };
            self.same_of(first, (lower, length), "the first element of a section")?;
            self.same(count, length, "the length of a section")?;
        }
        Ok(())
    }

    /// The two have the same value, wherever the intended one has one.
    fn same(&self, code: &Code, meant: &Expr, what: &str) -> Result<(), String> {
        self.same_of(code, (meant, &Expr::zero()), what)
    }

    /// The same of the first of so many elements, where there can be as many: of a section that no object has room for, the kernel cannot run whatever its beginning comes to.
    fn same_of(&self, code: &Code, (meant, length): (&Expr, &Expr), what: &str) -> Result<(), String> {
        let computed = |sample: &Sample<'_>| {
            sample.count(length)?;
            let value = sample.count(meant)?;
            Some((self.compute(code, *sample), value))
        };
        compare(self.samples.iter().filter_map(computed), what).map_err(|why| {
            let usual = self.samples.iter().filter(|sample| !sample.is_extreme());
            match compare(usual.filter_map(computed), what) {
                Ok(()) => format!("{why}, if a variable is the least or the greatest of its type"),
                Err(why) => why,
            }
        })
    }

    /// Parts of the condition say that the kernels run.
    fn runs(&self, parts: &[&Code], runs: &[Condition]) -> Result<(), String> {
        for (number, (part, condition)) in parts.iter().zip(runs).enumerate() {
            let computed = self.samples.iter().filter_map(|sample| {
                // `&&` computes no part where one before it does not hold.
                if runs[..number]
                    .iter()
                    .any(|before| sample.holds(before) == Some(false))
                {
                    return None;
                }
                let holds = sample.holds(condition)?;
                let truth = self.truth(part, *sample);
                // Computed in `long`: what leaves that leaves every address space, and there is no such object.
                let beyond = sample.is_extreme() && matches!(truth, Err(Failure::Wrong(_)));
                (!beyond).then_some((truth, i128::from(holds)))
            });
            compare(computed, "the condition")?;
        }
        Ok(())
    }

    /// A part of the condition says that a pair is apart.
    fn apart(&self, part: &Code, pair: &Apart) -> Result<(), String> {
        let (a, b) = (&pair.first, &pair.second);
        let computed = self.samples.iter().filter_map(|sample| {
            let ends = [&a.low, &a.high, &b.low, &b.high].map(|end| sample.value(end));
            let [Some(a_low), Some(a_high), Some(b_low), Some(b_high)] = ends else {
                return None;
            };
            let holds = a_high <= b_low || b_high <= a_low || (pair.or_equal && a_low == b_low);
            Some((self.truth(part, *sample), i128::from(holds)))
        });
        compare(computed, "the condition")
    }

    /// The directive reduces into these elements, and no others.
    fn elements(&self, directive: &Directive<Code>, meant: &[ElementMeaning]) -> Result<(), String> {
        let reductions = directive.reductions();
        let is_element = |reduction: &&Reduction<'_, Code>| {
            reduction
                .object
                .is_none_or(|object| !object.subscripts.is_empty())
        };
        let found: Vec<_> = reductions.iter().filter(is_element).collect();
        if found.len() != meant.len() {
            return Err("another number of reduced elements than was meant".to_owned());
        }
        for element in meant {
            let own = |reduction: &&&Reduction<'_, Code>| {
                let base = reduction
                    .object
                    .and_then(|object| self.reader.named(&object.base));
                base == Some(element.pointer) && reduction.operator == element.op
            };
            let object = found.iter().find(own).and_then(|reduction| reduction.object);
            let Some(
                [
                    Subscript::Section {
                        lower: Some(lower),
                        length: Some(length),
                        stride: None,
                    },
                ],
            ) = object.map(|object| &object.subscripts[..])
            else {
                return Err("another element is reduced than was meant".to_owned());
            };
            self.same(lower, &element.lower, "the subscript of a reduced element")?;
            self.same(length, &element.count, "the number of reduced elements")?;
        }
        Ok(())
    }

    fn truth(&self, code: &Code, sample: Sample<'_>) -> Result<i128, Failure> {
        self.compute(code, sample).map(|value| i128::from(value != 0))
    }

    fn compute(&self, code: &Code, sample: Sample<'_>) -> Result<i128, Failure> {
        let store = At {
            reader: self.reader,
            entry: self.entry,
            declared: self.declared,
            sample,
        };
        let unit = self.reader.programs.new;
        Computer { unit, store: &store }.value(code)
    }
}

/// The statements of a block, with those that one C statement became.
fn flatten<'a>(body: &'a [Stmt], into: &mut Vec<&'a Stmt>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Block { body, scope: false } => flatten(body, into),
            _ => into.push(stmt),
        }
    }
}

/// The statements of a loop's body.
fn flat_body(body: &Stmt) -> Vec<&Stmt> {
    let mut flat = Vec::new();
    match &body.kind {
        StmtKind::Block { body, .. } => flatten(body, &mut flat),
        _ => flat.push(body),
    }
    flat
}

/// What an iteration keeps: the condition, and the variables of `to = from;`.
type Kept<'a> = (&'a Code, Vec<(VariableRef, VariableRef)>);

/// What `if (i == i_last) to = from;` keeps, or a block of several of these; `None` for any other statement.
pub fn kept_by(stmt: &Stmt) -> Option<Kept<'_>> {
    fn pairs(stmt: &Stmt) -> Option<Vec<(VariableRef, VariableRef)>> {
        match &stmt.kind {
            StmtKind::Assign { place, value } => Some(vec![place.as_variable().zip(value.as_variable())?]),
            StmtKind::Block { body, .. } => {
                let all: Option<Vec<_>> = body.iter().map(pairs).collect();
                Some(all?.concat())
            }
            _ => None,
        }
    }
    match &stmt.kind {
        StmtKind::If {
            condition,
            then,
            otherwise: None,
        } => Some((condition, pairs(then)?)),
        _ => None,
    }
}

/// The operands of `&&`.
fn conjuncts<'a>(code: &'a Code, into: &mut Vec<&'a Code>) {
    match &code.kind {
        ExprKind::Logical(LogicalOp::And, left, right) => {
            conjuncts(left, into);
            conjuncts(right, into);
        }
        _ => into.push(code),
    }
}

/// Pairs of what is computed and what was meant.
fn compare(pairs: impl Iterator<Item = (Result<i128, Failure>, i128)>, what: &str) -> Result<(), String> {
    let mut compared = 0;
    for (computed, meant) in pairs {
        match computed {
            Ok(value) if value == meant => compared += 1,
            Ok(value) => return Err(format!("{what} can be {value} where {meant} was meant")),
            Err(Failure::Impossible) => {}
            Err(Failure::Wrong(why)) => return Err(format!("{what} has no value: {why}")),
        }
    }
    match compared >= FEWEST {
        true => Ok(()),
        false => Err(format!("{what} could not be compared with what was meant")),
    }
}

/// One assignment of values.
#[derive(Clone, Copy)]
struct At<'a> {
    reader: &'a Reader<'a>,
    entry: &'a Entry,
    declared: &'a Entry,
    sample: Sample<'a>,
}

impl At<'_> {
    /// The value, if its type holds it.
    fn fits(&self, value: i128, ty: TypeId) -> Result<i128, Failure> {
        let (low, high) = match *self.reader.programs.new.types.get(ty) {
            Type::Bool => (0, 1),
            Type::Int { bits, signed: true } if bits <= 64 => {
                (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
            }
            Type::Int { bits, signed: false } if bits <= 64 => (0, (1i128 << bits) - 1),
            Type::Pointer(_) => (0, 1i128 << 63),
            _ => return Err(Failure::Wrong("it holds something that is not followed")),
        };
        match (low..=high).contains(&value) {
            true => Ok(value),
            false => Err(Failure::Impossible),
        }
    }
}

impl Store for At<'_> {
    fn variable(&self, variable: VariableRef) -> Result<i128, Failure> {
        let unknown = Failure::Wrong("it uses a name that means something else there");
        let ty = self.type_of(variable).ok_or(unknown)?;
        let value = if let Some(code) = self.reader.constants.get(&variable) {
            let unit = self.reader.programs.new;
            let store = At {
                entry: self.declared,
                ..*self
            };
            Computer { unit, store: &store }.value(code)?
        } else {
            let old = self.reader.old_of(variable).ok_or(unknown)?;
            match self.entry.variables.get(&old) {
                Some(value) => self.sample.value(value).ok_or(Failure::Impossible)?,
                None => {
                    let size = self.reader.programs.new.types.size(ty).ok_or(unknown)?;
                    self.memory(self.address(variable)?, size)?
                }
            }
        };
        self.fits(value, ty)
    }

    fn address(&self, variable: VariableRef) -> Result<i128, Failure> {
        let old = self.reader.old_of(variable);
        let symbol = old.and_then(|old| self.entry.addresses.get(&old));
        let symbol = symbol.ok_or(Failure::Wrong("it uses a variable whose address is not known"))?;
        self.sample
            .value(&Expr::symbol(*symbol))
            .ok_or(Failure::Impossible)
    }

    fn memory(&self, address: i128, size: u64) -> Result<i128, Failure> {
        let mut found = None;
        for (place, bytes, value) in &self.entry.memory {
            if *bytes != size || self.sample.value(place) != Some(address) {
                continue;
            }
            let value = self.sample.value(value).ok_or(Failure::Impossible)?;
            // Two values at one address: such an assignment is none.
            if found.is_some_and(|other| other != value) {
                return Err(Failure::Impossible);
            }
            found = Some(value);
        }
        found.ok_or(Failure::Wrong("it reads memory whose value is not known there"))
    }

    fn type_of(&self, variable: VariableRef) -> Option<TypeId> {
        self.reader.type_of(variable)
    }
}

impl<'a> Written<'a> {
    /// Sorts what was inserted between two places of a function's body.
    pub fn collect(body: &'a Stmt, inserted: &dyn Fn(&Stmt) -> bool) -> Written<'a> {
        let mut written = Written::default();
        let mut declared = BTreeSet::new();
        written.statement(body, inserted, &mut declared);
        written
    }

    fn statement(
        &mut self,
        stmt: &'a Stmt,
        inserted: &dyn Fn(&Stmt) -> bool,
        declared: &mut BTreeSet<VariableRef>,
    ) {
        let start = stmt.origin.text().map(|span| span.start);
        if let Some(kept) = kept_by(stmt).filter(|_| inserted(stmt)) {
            // What is kept elsewhere than at the end of a kernel's iterations is not meant.
            if !self
                .kept
                .iter()
                .any(|(_, known, ..)| std::ptr::eq(*known, kept.0))
            {
                self.keep(None, kept);
            }
            return;
        }
        match &stmt.kind {
            StmtKind::Block { body, .. } => {
                self.list(body, inserted, declared);
                return;
            }
            StmtKind::Directive {
                directive,
                body: Some(body),
            } if inserted(stmt) => match &body.kind {
                StmtKind::Loop(inner) => match inner.keyword {
                    Some(keyword) => {
                        self.kernels.push((keyword.start, directive));
                        self.first_statements(keyword.start, &inner.body, inserted, declared);
                        self.last_statements(keyword.start, &inner.body, inserted);
                    }
                    None => self.others.push(directive),
                },
                _ if directive.is_data_environment() => self.data.push(directive),
                _ if directive.name == "atomic" => self.atomics.push((directive, body)),
                _ => self.others.push(directive),
            },
            // An update has neighbours, which its list knows.
            StmtKind::Directive {
                directive,
                body: None,
            } if inserted(stmt) => self.others.push(directive),
            // The other branch is the user's own text.
            StmtKind::If {
                condition,
                then,
                otherwise: Some(_),
            } if inserted(stmt) => {
                self.conditions.push(condition);
                self.tested_at.extend(start);
                self.statement(then, inserted, declared);
                return;
            }
            StmtKind::Loop(pass) if inserted(stmt) => {
                self.passes.extend(start.map(|start| (start, &**pass)));
                return;
            }
            StmtKind::Declare { local } if self.declared_first.contains(&VariableRef::Local(*local)) => {}
            StmtKind::Declare { local } if inserted(stmt) => {
                declared.insert(VariableRef::Local(*local));
                self.declared_at
                    .extend(start.map(|start| (VariableRef::Local(*local), start)));
            }
            StmtKind::Assign { place, value } if inserted(stmt) => {
                if let (None, Some(from)) = (place.as_variable(), value.as_variable()) {
                    self.stored.push((place, from));
                }
                let first = self.first.iter().any(|(.., code)| std::ptr::eq(*code, value));
                if let (Some(variable), Some(start)) = (place.as_variable(), start.filter(|_| !first)) {
                    match declared.contains(&variable) {
                        true => drop(self.constants.insert(variable, value)),
                        false => self.assigned.push((start, variable, value)),
                    }
                }
            }
            _ if !inserted(stmt) => self.mentioned(stmt, declared),
            _ => {}
        }
        stmt.for_each_child(&mut |child| self.statement(child, inserted, declared));
    }

    /// Notes what the iterations of a kernel set before anything else.
    fn first_statements(
        &mut self,
        keyword: u32,
        body: &'a Stmt,
        inserted: &dyn Fn(&Stmt) -> bool,
        declared: &BTreeSet<VariableRef>,
    ) {
        for stmt in flat_body(body).into_iter().take_while(|stmt| inserted(stmt)) {
            let (place, value) = match &stmt.kind {
                StmtKind::Assign { place, value } => (place, value),
                StmtKind::Declare { local } => {
                    self.declared_first.insert(VariableRef::Local(*local));
                    continue;
                }
                _ => return,
            };
            match place
                .as_variable()
                .filter(|variable| !declared.contains(variable))
            {
                Some(variable) => self.first.push((keyword, variable, value)),
                None => return,
            }
        }
    }

    /// Notes what the iterations of a kernel keep at their end.
    fn last_statements(&mut self, keyword: u32, body: &'a Stmt, inserted: &dyn Fn(&Stmt) -> bool) {
        let statements = flat_body(body).into_iter().rev();
        for kept in statements.take_while(|stmt| inserted(stmt)).map_while(kept_by) {
            self.keep(Some(keyword), kept);
        }
    }

    fn keep(&mut self, keyword: Option<u32>, (condition, kept): Kept<'a>) {
        let kept = kept.into_iter();
        self.kept
            .extend(kept.map(|(to, from)| (keyword, condition, to, from)));
    }

    /// Notes where a statement names what was declared.
    fn mentioned(&mut self, stmt: &'a Stmt, declared: &BTreeSet<VariableRef>) {
        let mut note = |place: &Place| {
            if let PlaceBase::Variable(variable) = place.base
                && declared.contains(&variable)
            {
                let start = place.origin.text().map(|span| span.start);
                self.mentions.entry(variable).or_default().insert(start);
            }
        };
        if let Some(place) = stmt.written_place() {
            note(place);
        }
        stmt.for_each_expression(&mut |expr| {
            expr.walk(&mut |inner| {
                if let ExprKind::Load(place) | ExprKind::AddressOf(place) = &inner.kind {
                    note(place);
                }
            });
        });
    }

    /// What stands beside the kernels among these statements.
    fn beside(&mut self, body: &'a [Stmt], inserted: &dyn Fn(&Stmt) -> bool) {
        let mut flat = Vec::new();
        flatten(body, &mut flat);
        for (number, stmt) in flat.iter().enumerate() {
            let StmtKind::Directive {
                body: Some(governed), ..
            } = &stmt.kind
            else {
                continue;
            };
            let StmtKind::Loop(inner) = &governed.kind else {
                continue;
            };
            let Some(keyword) = inner.keyword.filter(|_| inserted(stmt)) else {
                continue;
            };
            let mut beside = Beside::default();
            for before in flat[..number].iter().rev().take_while(|other| inserted(other)) {
                match &before.kind {
                    StmtKind::Assign { place, .. } => beside.loaded.extend(place.as_variable()),
                    StmtKind::Declare { .. } => {}
                    _ => break,
                }
            }
            for behind in flat[number + 1..].iter().take_while(|other| inserted(other)) {
                match &behind.kind {
                    StmtKind::Assign { place, value } => {
                        let from = value.as_variable().filter(|_| place.as_variable().is_none());
                        beside.stored.extend(from.map(|from| (place, from)));
                    }
                    _ => break,
                }
            }
            self.beside.insert(keyword.start, beside);
        }
    }

    fn list(
        &mut self,
        body: &'a [Stmt],
        inserted: &dyn Fn(&Stmt) -> bool,
        declared: &mut BTreeSet<VariableRef>,
    ) {
        let is_update = |stmt: &Stmt| {
            matches!(&stmt.kind, StmtKind::Directive { directive, body: None } if directive.is_update())
                && inserted(stmt)
        };
        let start = |stmt: &Stmt| stmt.origin.text().map(|span| span.start);
        self.beside(body, inserted);
        for (number, stmt) in body.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Directive { directive, .. } if is_update(stmt) => {
                    let before = body[..number].iter().rev().find(|other| !is_update(other));
                    let behind = body[number + 1..].iter().find(|other| !is_update(other));
                    self.updates
                        .push((directive, before.and_then(start), behind.and_then(start)));
                }
                _ => self.statement(stmt, inserted, declared),
            }
        }
    }
}
