//! Which variables does a kernel compute from the number of its iteration, and how is that written?
//!
//! `for (i = lo; i < hi; i++) { a[k] = …; k += 2; }` has iterations that may run in any order once each knows what the ones before it have made of `k`:
//! ```c
//! const int k_first = k;
//! #pragma omp target teams distribute parallel for private(k) …
//! for (i = lo; i < hi; i++) {
//!     k = k_first + 2 * (long)(i - lo);
//!     a[k] = …; k += 2;
//! }
//! k = …;
//! ```
//! The user's text stays: every iteration sets its own copy first. What is written must not overflow where the text does not: a product with the number of
//! the iteration is how far the variable has come, which C lets no signed variable and no pointer lose; for others it is proved to fit.
//!
//! Where the step grows by the same each time (`for (j = 0; j <= i; j++) a[k++] = …`), so does the number that it is multiplied by: `k_first + (long)i + (long)i * ((long)i - 1) / 2`.
//!
//! The same is done with variables that the loop's head moves (`i++, k += 2`, [`crate::several`]).
//!
//! What it cannot do: loops whose own variable is a pointer or has a step that is no number; steps that grow by what is no number.

use crate::c_text::{self, Names, Unsigned};
use crate::emit;
use crate::express::Place;
use crate::kernel::{self, Context, Kernel};
use crate::promoted;
use crate::unset;
use ferry_analysis::canonical::Canonical;
use ferry_analysis::loops::{self, Induction, LoopFacts, LoopIndex};
use ferry_analysis::scalar::Variables;
use ferry_analysis::state::State;
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_ir::visit::expression_variables;
use ferry_ir::{Stmt, StmtKind, Type, TypeId, VariableKind, VariableRef};
use ferry_source::Span;
use ferry_symbolic::{Expr, Facts, Integer, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// Longest text of a value, in bytes.
const MAX_TEXT: usize = 400;

/// The text of what a kernel computes so.
#[derive(Default)]
pub struct Text {
    /// Names that are declared in front of the kernel, with the whole declarations.
    pub declarations: Vec<(String, String)>,
    /// The first statements of each iteration.
    pub statements: Vec<String>,
    /// The names of the values from before of pointers that walk.
    pub walks: BTreeMap<VariableRef, String>,
    /// The values behind the kernel of the variables that are used there.
    pub last: BTreeMap<VariableRef, String>,
}

/// The variables that the iterations of a loop have to compute.
///
/// # Errors
/// Why one of them cannot be computed.
pub fn stepped(
    context: Context<'_>,
    stmt: &Stmt,
    index: LoopIndex,
    canonical: &Canonical,
) -> Result<Vec<Induction>, Cause> {
    let of = &context.facts.values.loops[index.0 as usize];
    let verdict = &context.facts.verdicts[index.0 as usize];
    let mut found = Vec::new();
    for induction in &verdict.inductions {
        let name = kernel::name_of(context, induction.variable);
        let wrong = |why: &str| {
            let why = format!(
                "{name} moves by {} and would have to be computed from the iteration number, {why}",
                match induction.step() {
                    Some(_) => "a fixed step",
                    None => "a step that grows",
                }
            );
            Cause::new(why, of.origin)
        };
        let own = matches!(induction.variable, VariableRef::Local(id)
            if context.function.local(id).kind != VariableKind::Temporary);
        let ty = kernel::type_of(context, induction.variable);
        let walks = match context.unit.types.get(ty) {
            Type::Int { bits: 8..=64, .. } => None,
            // A clause could name nothing by what leads to `void`.
            Type::Pointer(to) if !matches!(context.unit.types.get(*to), Type::Void) => {
                Some(context.unit.types.size(*to))
            }
            _ => return Err(wrong("which is not done for its type")),
        };
        if !own {
            return Err(wrong("which is not done for what is no variable of the function"));
        }
        let in_elements = |size, way| elements(way, size).is_some();
        let ways = [&induction.first_step, &induction.growth];
        if walks.is_some_and(|size| !ways.into_iter().all(|way| in_elements(size, way))) {
            return Err(wrong("but it does not move by whole elements of a known size"));
        }
        if body_of(stmt).is_none() {
            return Err(wrong(
                "for which the body of the loop has no place, as it comes out of a macro",
            ));
        }
        let counter = Counter::of(context, of, canonical).map_err(wrong)?;
        let several = verdict.several.as_ref();
        let is_set = several.is_some_and(|several| several.set_first.contains(&induction.variable));
        if !is_set && of.before.get(induction.variable) != Some(&induction.start) {
            return Err(wrong("from a value that it does not have before the loop"));
        }
        fits(context, of, &counter, induction).map_err(wrong)?;
        found.push(induction.clone());
    }
    Ok(found)
}

/// A number of bytes as elements of this size.
fn elements(bytes: &Expr, size: Option<u64>) -> Option<Expr> {
    bytes.divide_exactly(&Integer::from(size.filter(|size| *size > 0)?))
}

/// How far something has come, in what its variable counts by: a pointer counts by elements.
fn in_units(context: Context<'_>, variable: VariableRef, way: &Expr) -> Option<Expr> {
    match context.unit.types.get(kernel::type_of(context, variable)) {
        Type::Pointer(to) => elements(way, context.unit.types.size(*to)),
        _ => Some(way.clone()),
    }
}

/// Every pointer that walks leads to storage that a clause names by it.
///
/// # Errors
/// Which one does not.
pub fn lead_to_storage(context: Context<'_>, kernel: &Kernel) -> Result<(), Cause> {
    let at = context.facts.values.loops[kernel.index.0 as usize].origin;
    for one in &kernel.stepped {
        let ty = kernel::type_of(context, one.variable);
        let pointer = matches!(context.unit.types.get(ty), Type::Pointer(_));
        let own = |base: &&kernel::Base| base.variable == one.variable;
        let mut bases = kernel.bases.values().filter(own);
        let fine = match (bases.next(), bases.next()) {
            (None, _) => !pointer,
            (Some(base), None) => base.walks && base.member.is_none(),
            (Some(_), Some(_)) => false,
        };
        if !fine {
            let name = kernel::name_of(context, one.variable);
            let why = format!("{name} walks, and leads to nothing that the kernel could name by it");
            return Err(Cause::new(why, at));
        }
    }
    Ok(())
}

/// The text of a loop's body.
pub fn body_of(stmt: &Stmt) -> Option<(Span, bool)> {
    let StmtKind::Loop(inner) = &stmt.kind else {
        return None;
    };
    let span = inner
        .spans
        .map(|spans| spans.body)
        .or_else(|| inner.body.origin.text())?;
    let is_block = matches!(inner.body.kind, StmtKind::Block { scope: true, .. });
    let whole = stmt.origin.text()?;
    whole.contains(span).then_some((span, is_block))
}

/// The variable of a loop, as what numbers its iterations.
struct Counter<'a> {
    variable: VariableRef,
    start: &'a Expr,
    step: i128,
    bits: u16,
    signed: bool,
}

impl<'a> Counter<'a> {
    fn of(
        context: Context<'_>,
        of: &'a LoopFacts,
        canonical: &Canonical,
    ) -> Result<Counter<'a>, &'static str> {
        let own = of
            .inductions
            .iter()
            .find(|one| one.variable == canonical.variable);
        let ty = kernel::type_of(context, canonical.variable);
        let Type::Int { bits, signed } = *context.unit.types.get(ty) else {
            return Err("but the loop counts with a pointer");
        };
        let own = own.ok_or("but it is not known how the loop counts")?;
        let step = own.step().and_then(Expr::as_constant);
        let step = step.and_then(|step| step.to_i128());
        let step = step.filter(|step| *step != 0 && bits <= 64);
        Ok(Counter {
            variable: canonical.variable,
            start: &own.start,
            step: step.ok_or("but the loop's step is no number")?,
            bits,
            signed,
        })
    }

    /// How far the variable has come, in a type that holds it; true where that has to be a wider one.
    fn widens(&self, of: &LoopFacts) -> bool {
        let number = Expr::symbol(of.counter);
        let now = self.start + &number.scale(&Integer::from(self.step));
        let begins = match self.step > 0 {
            true => self.start.clone(),
            false => now,
        };
        let most = Expr::int((1 << (self.bits.max(32) - 1)) - 1);
        let far = number.scale(&Integer::from(self.step.abs()));
        let facts = &of.facts_inside;
        self.signed && !facts.prove_nonnegative(&begins) && !facts.prove_nonnegative(&(&most - &far))
    }
}

/// Why what is computed may not fit the types that it is computed in.
fn fits(
    context: Context<'_>,
    of: &LoopFacts,
    counter: &Counter<'_>,
    induction: &Induction,
) -> Result<(), &'static str> {
    let facts = &of.facts_inside;
    if induction.step().is_none() {
        return fits_growing(context, of, counter, induction);
    }
    let number = Expr::symbol(of.counter);
    let most = Expr::int(i128::from(i64::MAX));
    let within =
        |value: &Expr| facts.prove_nonnegative(&(&most - value)) && facts.prove_nonnegative(&(&most + value));
    let step = &induction.first_step;
    let forward = facts.prove_nonnegative(&induction.start) && facts.prove_nonnegative(step);
    // What the variable's own type lets it come away from its start.
    let span = match *context
        .unit
        .types
        .get(kernel::type_of(context, induction.variable))
    {
        Type::Int { bits: ..=32, .. } => Some(1i128 << 32),
        Type::Int { signed: true, .. } if forward => Some(i128::from(i64::MAX)),
        // No object has more bytes.
        Type::Pointer(_) => Some(i128::from(i64::MAX)),
        _ => None,
    };
    let in_all = step * &number;
    let step = step.as_constant().and_then(|step| step.to_i128());
    // What the loop's own variable can number.
    let most_numbers = (counter.bits <= 32).then(|| (1i128 << 32) / counter.step.abs());
    let way = step
        .zip(most_numbers)
        .and_then(|(step, numbers)| step.abs().checked_mul(numbers));
    let is_short = way.is_some_and(|way| way <= i128::from(i64::MAX));
    if span.is_none() && !is_short && !within(&in_all) {
        return Err("which may be more than an integer of 64 bits holds");
    }
    let numbers = span.zip(step).map(|(span, step)| span / step.abs().max(1));
    let far = numbers.and_then(|most| most.checked_mul(counter.step.abs()));
    let short = far.is_some_and(|far| far <= i128::from(i64::MAX));
    let counts = counter.bits <= 32
        || short
        || within(&number.scale(&Integer::from(counter.step.abs())))
        || (counter.signed && !counter.widens(of));
    match counts {
        true => Ok(()),
        false => Err("which may be more than an integer of 64 bits holds"),
    }
}

/// The same, where the step grows.
///
/// Of `T` values whose steps grow by `g`, not 0, some two are more than `|g| * T * T / 8` apart: a type of 32 bits, which holds them all, lets an iteration's number come to `2^18`, and how far
/// the variable comes by its first step alone, or by what is added to that, to less than `2^36`. In a wider type, or behind a pointer, all parts lie between the first value
/// and the last one only where none of them is negative.
fn fits_growing(
    context: Context<'_>,
    of: &LoopFacts,
    counter: &Counter<'_>,
    induction: &Induction,
) -> Result<(), &'static str> {
    let growth = induction.growth.as_constant();
    let Some(growth) = growth.filter(|growth| !growth.is_zero()) else {
        return Err("by what is no number");
    };
    let facts = &of.facts_inside;
    let ty = kernel::type_of(context, induction.variable);
    let begins = match *context.unit.types.get(ty) {
        Type::Int { bits: ..=32, .. } => return Ok(()),
        Type::Int { signed: true, .. } => facts.prove_nonnegative(&induction.start),
        // The first value is no number there: how far the pointer walks is.
        Type::Pointer(_) => true,
        _ => false,
    };
    let forward = begins && !growth.is_negative() && facts.prove_nonnegative(&induction.first_step);
    match forward && counter.bits <= 32 && !counter.widens(of) {
        true => Ok(()),
        false => Err("which may be more than an integer of 64 bits holds"),
    }
}

/// The state in which the first statements of an iteration are run: variables that the loop changes hold nothing that is known, but for the loop's own.
pub fn state_inside(context: Context<'_>, kernel: &Kernel) -> Option<State> {
    let of = context.facts.values.loops.get(kernel.index.0 as usize)?;
    let canonical = context.facts.verdicts.get(kernel.index.0 as usize)?.form().ok()?;
    let own = of
        .inductions
        .iter()
        .find(|one| one.variable == canonical.variable)?;
    let mut state = of.before.clone();
    let assigned = &context.facts.scalars.get(&of.stmt)?.assigned;
    let kept = state
        .variables
        .iter()
        .filter(|(variable, _)| !assigned.contains(variable));
    state.variables = std::rc::Rc::new(kept.map(|(variable, value)| (*variable, value.clone())).collect());
    state.cells = Default::default();
    state.set(own.variable, own.after(&Expr::symbol(of.counter)));
    state.facts = of.facts_inside.clone();
    Some(state)
}

/// What is written for a kernel; `place` is in front of it, and `unused` gives a name that the file does not have, from the one that is wanted and those that were given.
pub fn text(
    context: Context<'_>,
    kernel: &Kernel,
    place: &Place<'_>,
    unused: &dyn Fn(&str, &BTreeSet<String>) -> String,
) -> Result<Text, Cause> {
    let facts = context.facts;
    let of = &facts.values.loops[kernel.index.0 as usize];
    let unset = kernel.unset.iter();
    let unset = unset.map(|variable| unset::statement(&kernel::name_of(context, *variable)));
    if kernel.stepped.is_empty() && kernel.final_values.is_empty() {
        return Ok(Text {
            statements: unset.collect(),
            ..Text::default()
        });
    }
    let wrong = |why: &str| Cause::new(why, of.origin);
    let canonical = facts.verdicts[kernel.index.0 as usize].form()?;
    let assigned = facts.scalars.get(&of.stmt).map(|scalars| &scalars.assigned);
    let assigned = assigned.ok_or_else(|| wrong("it is not known what the loop assigns"))?;
    let mut writer = Writer {
        context,
        place,
        behind: behind(context, place, assigned, canonical),
        of,
        hidden: canonical
            .declared_inside
            .then_some(canonical.variable)
            .into_iter()
            .chain(kernel.head.iter().flat_map(|head| head.declared.iter().copied()))
            .map(|variable| kernel::name_of(context, variable))
            .collect(),
        assigned,
        unused,
        given: BTreeSet::new(),
        names: Names::new(),
        unsigned: Unsigned::new(),
        facts: Facts::new(),
        text: Text::default(),
    };
    let is_used_later = |one: &&Induction| {
        let mut set = kernel.final_values.iter();
        set.any(|(variable, _)| *variable == one.variable)
    };
    let left_out = kernel.head.iter().flat_map(|head| &head.left_out);
    let left_out: Vec<&Induction> = left_out.filter(is_used_later).collect();
    if !kernel.stepped.is_empty() || !left_out.is_empty() {
        let counter = Counter::of(context, of, canonical).map_err(wrong)?;
        let mut begun = Vec::new();
        for one in kernel.stepped.iter().chain(left_out) {
            begun.push((one, writer.way(one)?));
        }
        for (one, way) in begun.iter().filter(|(one, _)| is_used_later(one)) {
            let value = writer.last(way, counter.widens(of))?;
            writer.text.last.insert(one.variable, value);
        }
        // What is left out has a value behind the loop only.
        begun.truncate(kernel.stepped.len());
        if !begun.is_empty() {
            let far = writer.distance(&counter)?;
            for (one, way) in begun {
                let value = writer.value(&way, &counter, &far)?;
                let mut name = kernel::name_of(context, one.variable);
                if kernel.declares(one.variable) {
                    let declared = declared_as(context, one.variable).ok_or_else(|| wrong(UNNAMED))?;
                    name = format!("{declared} {name}");
                }
                writer.text.statements.push(format!("{name} = {value};"));
            }
        }
    }
    for (variable, value) in &kernel.final_values {
        if writer.text.last.contains_key(variable) {
            continue;
        }
        let value = writer.last_value(*variable, value)?;
        writer.text.last.insert(*variable, value);
    }
    writer.text.statements.extend(unset);
    Ok(writer.text)
}

/// The place behind a kernel, as far as it is the place in front: variables that the kernel or what is written behind it sets do not hold what they did, nor may what pointers lead to, but for what
/// the loop's test reads, which would not be known to be the same in each iteration.
fn behind<'a>(
    context: Context<'_>,
    place: &Place<'a>,
    assigned: &Variables,
    canonical: &Canonical,
) -> Place<'a> {
    let mut behind = place.clone();
    behind.reads_memory = false;
    let mut tested = BTreeSet::new();
    expression_variables(&canonical.bound, &mut tested);
    let reached = place.scope.variables().map(|(_, variable)| variable);
    let reached = reached.filter(|variable| kernel::is_in_memory(context, *variable));
    behind
        .stale
        .extend(reached.filter(|variable| !tested.contains(variable)));
    behind.stale.extend(assigned);
    behind
}

/// A number of iterations, or how far one leads: what is added or taken away is computed in `long`, as no address depends on it.
pub(crate) fn written(place: &Place<'_>, value: &Expr) -> Result<String, Cause> {
    let text = place.expression(value)?;
    match text.contains(['+', '-']) {
        true => place.wide_expression(value),
        false => Ok(text),
    }
}

struct Writer<'a> {
    context: Context<'a>,
    place: &'a Place<'a>,
    /// The place behind the loop.
    behind: Place<'a>,
    of: &'a LoopFacts,
    /// The names of the variables that the loop declares.
    hidden: BTreeSet<String>,
    /// What the loop changes.
    assigned: &'a Variables,
    unused: &'a dyn Fn(&str, &BTreeSet<String>) -> String,
    given: BTreeSet<String>,
    /// Symbols that stand for pieces of text.
    names: Names,
    unsigned: Unsigned,
    facts: Facts,
    text: Text,
}

impl Writer<'_> {
    /// A symbol that stands for a text of this type.
    fn stand_in(&mut self, name: String, ty: Option<TypeId>) -> Expr {
        let first = self.place.symbols.len() + self.context.function.locals.len();
        let symbol = Symbol((first + self.names.len()) as u32);
        if let Some(Type::Int { bits, signed: false }) = ty.map(|ty| self.context.unit.types.get(ty))
            && *bits >= 32
        {
            self.unsigned.insert(symbol, u32::from(*bits));
        }
        self.names.insert(symbol, name);
        Expr::symbol(symbol)
    }

    fn print(&self, value: &Expr) -> Result<String, Cause> {
        let text = c_text::expression(value, &self.facts, &self.names, &self.unsigned, MAX_TEXT);
        text.filter(|_| c_text::is_printable(value)).ok_or_else(|| {
            Cause::new(
                "a value of the iteration is too large to be written",
                self.of.origin,
            )
        })
    }

    /// A value from before the loop as an operand of what each iteration computes: a number, the name of a constant, a variable that the loop leaves alone, or a
    /// name that is declared for it.
    fn operand(
        &mut self,
        value: &Expr,
        wanted: &str,
        ty: Option<TypeId>,
        text: Option<String>,
    ) -> Result<Expr, Cause> {
        if value.as_constant().is_some() {
            return Ok(value.clone());
        }
        if let Some(symbol) = value.as_symbol()
            && let SymbolKind::Named { name, .. } = &self.place.symbols.info(symbol).kind
        {
            return Ok(self.stand_in(name.clone(), None));
        }
        let context = self.context;
        // The loop's own variables may hide others of their names.
        let hides = |name: &str| self.hidden.contains(name);
        let stays = |variable: VariableRef| {
            matches!(variable, VariableRef::Local(id) if !context.function.local(id).address_taken)
                && !self.assigned.contains(&variable)
                && !self.place.stale.contains(&variable)
                && self.place.state.get(variable) == Some(value)
        };
        let found = self
            .place
            .scope
            .variables()
            .find(|(name, variable)| stays(*variable) && !hides(name));
        if let Some((name, variable)) = found.map(|(name, variable)| (name.to_owned(), variable)) {
            return Ok(self.stand_in(name, Some(kernel::type_of(context, variable))));
        }
        let spelled = match ty {
            Some(ty) => promoted::spelled(context, ty),
            None => Some("long"),
        };
        let spelled = spelled.ok_or_else(|| {
            Cause::new(
                "a value from before the loop has a type without a name",
                self.of.origin,
            )
        })?;
        let text = match text {
            Some(text) => text,
            None => emit::unwrap(&written(self.place, value)?),
        };
        let name = self.declare(spelled, wanted, &text);
        Ok(self.stand_in(name, ty))
    }

    /// A name for a value from before the loop.
    fn declare(&mut self, ty: &str, wanted: &str, text: &str) -> String {
        let name = (self.unused)(wanted, &self.given);
        self.given.insert(name.clone());
        let line = format!("const {ty} {name} = {text};");
        self.text.declarations.push((name.clone(), line));
        name
    }

    /// The value behind the loop of a variable that its iterations do not compute. It is computed in front of it where it cannot be written behind.
    fn last_value(&mut self, variable: VariableRef, value: &Expr) -> Result<String, Cause> {
        if let Ok(text) = self.behind.expression(value) {
            return Ok(text);
        }
        let text = emit::unwrap(&self.place.expression(value)?);
        let spelled = promoted::spelled(self.context, kernel::type_of(self.context, variable));
        let spelled = spelled.ok_or_else(|| {
            let why = "a value that is computed before the loop has a type without a name";
            Cause::new(why, self.of.origin)
        })?;
        let name = kernel::name_of(self.context, variable);
        Ok(self.declare(spelled, &format!("{name}_last"), &text))
    }

    /// The first value of a variable.
    fn first(&mut self, one: &Induction) -> Result<Expr, Cause> {
        let name = kernel::name_of(self.context, one.variable);
        let ty = kernel::type_of(self.context, one.variable);
        if matches!(self.context.unit.types.get(ty), Type::Pointer(_)) {
            let first = (self.unused)(&format!("{name}_first"), &self.given);
            self.given.insert(first.clone());
            // What it points to may be `const`, and have no name. Not `restrict`: the one that walks would get its values from a block inside of its own (C11 6.7.3.1).
            let line = format!("__typeof__(*{name}) *{first} = {name};");
            self.text.declarations.push((first.clone(), line));
            self.text.walks.insert(one.variable, first.clone());
            return Ok(self.stand_in(first, Some(ty)));
        }
        // The loop's head may set it first.
        let is_held = self.of.before.get(one.variable) == Some(&one.start);
        self.operand(
            &one.start,
            &format!("{name}_first"),
            Some(ty),
            is_held.then(|| name.clone()),
        )
    }

    /// How a variable comes from its first value to the others.
    fn way(&mut self, one: &Induction) -> Result<Way, Cause> {
        let first = self.first(one)?;
        let name = kernel::name_of(self.context, one.variable);
        let unknown = || Cause::new("it is not known how far a pointer walks", self.of.origin);
        let step = in_units(self.context, one.variable, &one.first_step).ok_or_else(unknown)?;
        let growth = in_units(self.context, one.variable, &one.growth).ok_or_else(unknown)?;
        let step = self.operand(&step, &format!("{name}_step"), None, None)?;
        Ok(Way { first, step, growth })
    }

    /// How often a step has grown in so many iterations, in all: of 4, `0 + 1 + 2 + 3` times. In `long`, as one of the two may be negative where they are unsigned.
    fn grown(&mut self, number: &str) -> Expr {
        let number = match number.starts_with("(long)") && !number.contains(' ') {
            true => number.to_owned(),
            false => format!("(long){}", wrapped(number)),
        };
        self.stand_in(format!("{number} * ({number} - 1) / 2"), None)
    }

    /// The value behind the loop. The way to it is made of the number of iterations as a whole: parts of it could be more than it is.
    fn last(&mut self, way: &Way, wide: bool) -> Result<String, Cause> {
        let trip = self.of.trip.as_ref().map_err(Clone::clone)?;
        let mut number = trip.clone();
        let mut in_text = None;
        if trip.as_constant().is_none() {
            let text = |place: &Place<'_>| match wide {
                true => place.wide_expression(trip),
                false => written(place, trip),
            };
            let text = match text(&self.behind) {
                Ok(text) => emit::unwrap(&text),
                Err(_) => {
                    let text = emit::unwrap(&text(self.place)?);
                    self.declare("long", "iterations", &text)
                }
            };
            number = self.stand_in(text.clone(), None);
            self.facts.assume_nonnegative(&number);
            in_text = Some(text);
        }
        let value = match in_text.filter(|_| !way.growth.is_zero()) {
            Some(text) => {
                let grown = self.grown(&text);
                &way.fixed(&number) + &(&way.growth * &grown)
            }
            None => loops::after(&way.first, &way.step, &way.growth, &number),
        };
        Ok(emit::unwrap(&self.print(&value)?))
    }

    /// How far the loop's variable is from its first value, which is not negative.
    fn distance(&mut self, counter: &Counter<'_>) -> Result<Distance, Cause> {
        let name = kernel::name_of(self.context, counter.variable);
        let ty = kernel::type_of(self.context, counter.variable);
        let first = self.operand(counter.start, &format!("{name}_first"), Some(ty), None)?;
        let text = match counter.widens(self.of) {
            true => format!("(long){name}"),
            false => name,
        };
        let now = self.stand_in(text, Some(ty));
        let far = match counter.step > 0 {
            true => &now - &first,
            false => &first - &now,
        };
        self.facts.assume_nonnegative(&far);
        let text = self.print(&far)?;
        if far.as_symbol().is_some() {
            return Ok(Distance { text, value: far });
        }
        let value = self.stand_in(text.clone(), Some(ty));
        self.facts.assume_nonnegative(&value);
        Ok(Distance { text, value })
    }

    /// The value of a variable in this iteration.
    fn value(&mut self, way: &Way, counter: &Counter<'_>, far: &Distance) -> Result<String, Cause> {
        let width = Integer::from(counter.step.abs());
        let number = || match width == Integer::from(1) {
            true => far.text.clone(),
            false => format!("{} / {width}", wrapped(&far.text)),
        };
        let fixed = match way.step.divide_exactly(&width) {
            Some(quotient) => &way.first + &(&quotient * &far.value),
            None => {
                let number = self.stand_in(number(), None);
                self.facts.assume_nonnegative(&number);
                way.fixed(&number)
            }
        };
        let value = match way.growth.is_zero() {
            true => fixed,
            false => &fixed + &(&way.growth * &self.grown(&number())),
        };
        Ok(emit::unwrap(&self.print(&value)?))
    }
}

/// What is said of a type of which C has no short name.
const UNNAMED: &str = "a value that each iteration computes has a type without a name";

/// How C declares a variable, up to its name.
pub fn declared_as(context: Context<'_>, variable: VariableRef) -> Option<String> {
    let is_register = match variable {
        VariableRef::Local(id) => context.function.local(id).qualifiers.register,
        VariableRef::Global(_) => false,
    };
    let spelled = promoted::spelled(context, kernel::type_of(context, variable))?;
    Some(format!("{}{spelled}", if is_register { "register " } else { "" }))
}

/// The text of an operand.
fn wrapped(text: &str) -> String {
    match text.contains(' ') {
        true => format!("({text})"),
        false => text.to_owned(),
    }
}

/// How a variable comes from its first value to the others.
struct Way {
    first: Expr,
    step: Expr,
    /// A number.
    growth: Expr,
}

impl Way {
    /// What comes of it in so many iterations by the first step alone.
    fn fixed(&self, number: &Expr) -> Expr {
        &self.first + &(&self.step * number)
    }
}

/// How far a loop's variable is from its first value.
struct Distance {
    text: String,
    /// What stands for the text.
    value: Expr,
}
