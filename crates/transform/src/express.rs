//! How is a symbolic value written in C at one place of the program?
//!
//! A symbol is written as a variable that holds it there, or as the text of the load that found it in memory, if
//! nothing has changed it in between. What cannot be written so has no text, and whoever asks must do without.

use crate::c_text::{Names, Unsigned};
use crate::parts;
use crate::scope::Scope;
use ferry_analysis::bounded::Size;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::scalar::Variables;
use ferry_analysis::state::State;
use ferry_analysis::symbols::{Cause, SymbolKind, Symbols};
use ferry_analysis::value::Values;
use ferry_ir::{Function, LocalId, StmtId, Type, TypeId, Unit, VariableRef};
use ferry_source::{Origin, Sources};
use ferry_symbolic::{Condition, Expr, Operation, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// How many bytes the text of a bound may have: who has to read it must be able to.
const MAX_TEXT: usize = 400;

/// One place, and everything that writing there needs.
#[derive(Clone)]
pub struct Place<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// The function.
    pub function: &'a Function,
    /// Its symbols.
    pub symbols: &'a Symbols,
    /// The files.
    pub sources: &'a Sources,
    /// What is visible.
    pub scope: Scope,
    /// What variables hold.
    pub state: &'a State,
    /// Loads whose text may be written here.
    pub loads: BTreeSet<Symbol>,
    /// Variables that kernels before this place may have left with an old value.
    pub stale: Variables,
    /// Memory can be read by the names of variables: not so in a kernel, for which the device would have to have them.
    pub reads_memory: bool,
}

/// The variables that a loop elsewhere in the function assigns and that nothing reads here any more: if that loop runs on
/// the device, they are private there, and the host keeps an old value.
pub fn stale(context: crate::kernel::Context<'_>, stmt: StmtId) -> Variables {
    let facts = context.facts;
    let loops = &facts.values.loops;
    let own = loops.iter().position(|of| of.stmt == stmt);
    let enclosing = own.map(|number| facts.values.enclosing(LoopIndex(number as u32)).skip(1));
    let enclosing = enclosing.into_iter().flatten();
    let around: BTreeSet<StmtId> = enclosing.map(|index| loops[index.0 as usize].stmt).collect();
    let mut found = Variables::new();
    for (id, scalars) in &facts.scalars {
        if !around.contains(id) {
            found.extend(scalars.assigned.iter().copied());
        }
    }
    if let Some(own) = facts.scalars.get(&stmt) {
        found.retain(|variable| !own.live_before.contains(variable));
    }
    found
}

impl Place<'_> {
    /// The visible variables that hold here what the program says they hold.
    fn variables(&self) -> impl Iterator<Item = (&str, VariableRef)> {
        let right = |(_, variable): &(&str, VariableRef)| !self.stale.contains(variable);
        self.scope.variables().filter(right)
    }

    /// A C expression with this value; `Err` names what cannot be written.
    pub fn expression(&self, value: &Expr) -> Result<String, Cause> {
        self.written(value, false)
    }

    /// The same, in which every difference is computed in `long`: no address depends on it, and two that are far apart may be more than an `int` holds.
    pub fn wide_expression(&self, value: &Expr) -> Result<String, Cause> {
        self.written(value, true)
    }

    fn written(&self, value: &Expr, wide: bool) -> Result<String, Cause> {
        let held = self
            .variables()
            .find(|(_, variable)| self.state.get(*variable) == Some(value));
        if let Some((name, _)) = held.filter(|_| value.as_constant().is_none()) {
            return Ok(name.to_owned());
        }
        // What is computed from several values, or would be computed again, may lie in memory whole.
        let is_computed = value.as_constant().is_none() && value.as_symbol().is_none();
        if is_computed && let Some((text, _)) = self.in_memory(value) {
            return Ok(text);
        }
        let mut names = BTreeMap::new();
        let mut value = match self.held_in_maximum(value) {
            Some((value, stand_in, text)) => {
                names.insert(stand_in, text);
                value
            }
            None => value.clone(),
        };
        for symbol in value.symbols() {
            if names.contains_key(&symbol) {
                continue;
            }
            match self.symbol(symbol) {
                Ok(name) => {
                    names.insert(symbol, name);
                }
                Err(cause) => {
                    // A variable that holds the symbol and more: i = k + 1 gives k = i - 1.
                    let (solution, stand_in, name) = self.solve(symbol).ok_or(cause)?;
                    value = value.substitute(symbol, &solution);
                    names.insert(stand_in, name);
                }
            }
        }
        for symbol in value.symbols() {
            if let std::collections::btree_map::Entry::Vacant(entry) = names.entry(symbol) {
                entry.insert(self.symbol(symbol)?);
            }
        }
        if !crate::c_text::is_printable(&value) {
            return Err(Cause::new("a bound is too large to be written", Origin::New));
        }
        let unsigned = self.unsigned(&names);
        if wide {
            let signed = names
                .iter_mut()
                .filter(|(symbol, _)| !unsigned.contains_key(symbol));
            signed.for_each(|(_, name)| *name = format!("(long){name}"));
        }
        crate::c_text::expression(&value, &self.state.facts, &names, &unsigned, MAX_TEXT)
            .ok_or_else(|| Cause::new("a bound would be too long to be read", Origin::New))
    }

    /// A condition in C, to be used as an operand of `&&` in parentheses.
    pub fn condition(&self, condition: &Condition) -> Result<String, Cause> {
        let mut names = BTreeMap::new();
        let mut condition = condition.clone();
        for symbol in condition.symbols() {
            match self.symbol(symbol) {
                Ok(name) => {
                    names.insert(symbol, name);
                }
                Err(cause) => {
                    let (solution, stand_in, name) = self.solve(symbol).ok_or(cause)?;
                    condition = condition.substitute(symbol, &solution);
                    names.insert(stand_in, name);
                }
            }
        }
        for symbol in condition.symbols() {
            if let std::collections::btree_map::Entry::Vacant(entry) = names.entry(symbol) {
                entry.insert(self.symbol(symbol)?);
            }
        }
        Ok(self.named(&condition, &names))
    }

    fn named(&self, condition: &Condition, names: &Names) -> String {
        crate::c_text::condition(condition, &self.state.facts, names, &self.unsigned(names))
    }

    /// A condition on sizes that all facts of the function rest on, in C before the statement `at`.
    ///
    /// By these facts a variable may hold a size only because that lies in its range (`unsigned k = n` with a larger `n`), and memory keep it only
    /// because of where others are stored. So a size is written as a variable that holds it in any case, or as a load that comes later.
    pub fn taken(&self, condition: &Condition, values: &Values, at: StmtId) -> Result<String, Cause> {
        let mut names = BTreeMap::new();
        for symbol in condition.symbols() {
            let info = self.symbols.info(symbol);
            let size = Size::of(info);
            let held = values.held.get(&at).into_iter().flatten();
            let holders: BTreeSet<VariableRef> = held
                .filter(|(own, _)| Some(*own) == size)
                .map(|(_, variable)| *variable)
                .collect();
            let mut visible = self.variables();
            let is_later = values
                .first_symbols
                .get(&at)
                .is_some_and(|first| symbol.0 >= *first);
            let name = match visible.find(|(_, variable)| holders.contains(variable)) {
                Some((name, _)) => name.to_owned(),
                None if is_later => self.symbol(symbol)?,
                None => {
                    let why = "a size that would have to be tested before the loop is in no variable there";
                    return Err(Cause::new(why, info.at));
                }
            };
            names.insert(symbol, name);
        }
        Ok(self.named(condition, &names))
    }

    /// Of the symbols that have names, those whose text is of an unsigned type that C does not make an `int` of.
    fn unsigned(&self, names: &Names) -> Unsigned {
        let of_type = |ty: TypeId| match *self.unit.types.get(ty) {
            Type::Int { bits, signed: false } if bits >= 32 => Some(u32::from(bits)),
            _ => None,
        };
        let first_stand_in = self.symbols.len() as u32;
        let bits = |symbol: &Symbol| {
            // What stands for a value is signed (`held_in_maximum`).
            if *symbol == self.stand_in_of_a_value() {
                return None;
            }
            // A stand-in is a local variable (`solve`); a symbol may be written as any variable that holds it.
            let local = match symbol.0.checked_sub(first_stand_in) {
                Some(number) => Some(VariableRef::Local(LocalId(number))),
                None => self.holder(*symbol).map(|(_, variable)| variable),
            };
            let ty = match local {
                Some(variable) => Some(self.type_of(variable)),
                None if self.symbol_elsewhere(*symbol).is_ok() => self.symbols.info(*symbol).ty,
                None => self.in_memory(&Expr::symbol(*symbol)).map(|(_, ty)| ty),
            };
            Some((*symbol, of_type(ty?)?))
        };
        names.keys().filter_map(bits).collect()
    }

    /// A symbol in terms of a visible variable: its value, the symbol that stands for the variable, and its name.
    fn solve(&self, symbol: Symbol) -> Option<(Expr, Symbol, String)> {
        self.variables().find_map(|(name, variable)| {
            let held = self.state.get(variable)?;
            let (coefficient, rest) = held.linear_in(symbol)?;
            let expressible = rest.symbols().iter().all(|other| self.symbol(*other).is_ok());
            let number = match variable {
                VariableRef::Local(id) => id.0,
                VariableRef::Global(_) => return None,
            };
            let stand_in = Symbol(self.symbols.len() as u32 + number);
            let difference = &Expr::symbol(stand_in) - &rest;
            let unit = coefficient == Expr::one();
            let negative = coefficient == Expr::int(-1);
            let solution = if negative { -&difference } else { difference };
            ((unit || negative) && expressible).then(|| (solution, stand_in, name.to_owned()))
        })
    }

    /// A product with a maximum, of which an operand times all else is held whole: the maximum of such products, with a symbol that stands for the held one, and its text. A length is `max(0, n * m) * 8`
    /// where the bound of a loop, `size`, is `n * m * 8`: `size` is shorter, and does not overflow.
    fn held_in_maximum(&self, value: &Expr) -> Option<(Expr, Symbol, String)> {
        let mut terms = value.terms();
        let (Some(term), None) = (terms.next(), terms.next()) else {
            return None;
        };
        let maxima = || {
            let factors = term.monomial.factors().iter();
            factors.filter_map(|(atom, power)| match atom.operation() {
                Some(Operation::Max(operands)) => Some((atom, *power, operands)),
                _ => None,
            })
        };
        let (Some((maximum, 1, operands)), 1) = (maxima().next(), maxima().count()) else {
            return None;
        };
        let others = term.monomial.factors().iter().filter(|(atom, _)| atom != maximum);
        let others = others.fold(
            Expr::constant(term.coefficient.clone()),
            |product, (atom, power)| {
                (0..*power).fold(product, |product, _| &product * &Expr::atom(atom.clone()))
            },
        );
        if !self.state.facts.prove_nonnegative(&others) {
            return None;
        }
        let mut operands: Vec<Expr> = operands.iter().map(|operand| operand * &others).collect();
        let is_computed = |operand: &Expr| operand.as_constant().is_none() && operand.as_symbol().is_none();
        let mut held = operands
            .iter()
            .enumerate()
            .filter(|(_, operand)| is_computed(operand));
        let (number, text) = held.find_map(|(number, operand)| Some((number, self.held_signed(operand)?)))?;
        let stand_in = self.stand_in_of_a_value();
        operands[number] = Expr::symbol(stand_in);
        Some((Expr::maximum_of(&operands), stand_in, text))
    }

    /// The variable, or the part of one in memory, that holds a value, if its type is signed.
    fn held_signed(&self, value: &Expr) -> Option<String> {
        let is_signed = |ty: TypeId| matches!(self.unit.types.get(ty), Type::Int { signed: true, .. });
        let mut visible = self.variables();
        let whole = visible.find(|(_, variable)| self.state.get(*variable) == Some(value));
        if let Some((name, variable)) = whole {
            return is_signed(self.type_of(variable)).then(|| name.to_owned());
        }
        let (text, ty) = self.in_memory(value)?;
        is_signed(ty).then_some(text)
    }

    /// A symbol that no value and no variable has.
    fn stand_in_of_a_value(&self) -> Symbol {
        Symbol((self.symbols.len() + self.function.locals.len()) as u32)
    }

    /// The first visible variable that holds a symbol.
    fn holder(&self, symbol: Symbol) -> Option<(&str, VariableRef)> {
        let target = Expr::symbol(symbol);
        let mut visible = self.variables();
        visible.find(|(_, variable)| self.state.get(*variable) == Some(&target))
    }

    /// The variable in memory, or the part of one, that holds a value, and its type.
    fn in_memory(&self, value: &Expr) -> Option<(String, TypeId)> {
        self.reads_memory.then(|| parts::holding(self, value))?
    }

    /// The text of one symbol.
    pub fn symbol(&self, symbol: Symbol) -> Result<String, Cause> {
        if let Some((name, _)) = self.holder(symbol) {
            return Ok(name.to_owned());
        }
        self.symbol_elsewhere(symbol).or_else(|cause| {
            let held = self.in_memory(&Expr::symbol(symbol));
            held.map(|(text, _)| text).ok_or(cause)
        })
    }

    /// The text of a symbol that no variable holds of which only its own name can reach.
    fn symbol_elsewhere(&self, symbol: Symbol) -> Result<String, Cause> {
        let info = self.symbols.info(symbol);
        let unknown = |why: String| Err(Cause::new(why, info.at));
        match &info.kind {
            SymbolKind::Named { name, .. } => Ok(name.clone()),
            SymbolKind::Address(variable) => match self.scope.name(*variable) {
                Some(name) => Ok(name.to_owned()),
                None => unknown("a variable that is not visible before the loop".to_owned()),
            },
            SymbolKind::Loaded { address, .. } if self.loads.contains(&symbol) => {
                self.loaded(symbol, address, info.at)
            }
            SymbolKind::Loaded { .. } => self.member_that_holds(symbol).map_or_else(
                || {
                    unknown(
                        "a value in memory that may be another one, or not be there, before the loop"
                            .to_owned(),
                    )
                },
                Ok,
            ),
            SymbolKind::Entry(variable) => {
                let name = self.variable_name(*variable);
                unknown(format!(
                    "{name} has another value here than at the beginning of the function"
                ))
            }
            SymbolKind::Unknown(cause) => Err(Cause::new(
                format!("a bound is not known before the loop: {}", cause.why),
                cause.at,
            )),
            SymbolKind::CalleeVariable { name, .. } => unknown(format!(
                "the address of {name}, a variable of a function that is called"
            )),
            SymbolKind::Elsewhere(hidden) => unknown(format!(
                "the address of {}, a variable of another file",
                hidden.name
            )),
            SymbolKind::Counter(_) | SymbolKind::Varying { .. } => {
                unknown("a bound that changes in a loop around it".to_owned())
            }
            SymbolKind::Allocated(_) | SymbolKind::Result(_) => {
                unknown("the result of a call that no variable holds here".to_owned())
            }
        }
    }

    fn type_of(&self, variable: VariableRef) -> TypeId {
        match variable {
            VariableRef::Global(id) => self.unit.global(id).ty,
            VariableRef::Local(id) => self.function.local(id).ty,
        }
    }

    fn variable_name(&self, variable: VariableRef) -> String {
        self.unit.name_of(self.function, variable).to_owned()
    }

    /// The text of a load: a variable by its name, anything else as it is written in the source, if the variables in
    /// that text mean the same here.
    fn loaded(&self, symbol: Symbol, address: &Expr, at: Origin) -> Result<String, Cause> {
        if let Some(symbol) = address.as_symbol()
            && let SymbolKind::Address(variable) = self.symbols.info(symbol).kind
            && let Some(name) = self.scope.name(variable)
            && self.unit.types.is_scalar(self.type_of(variable))
        {
            return Ok(name.to_owned());
        }
        // Every symbol of the address must be one that can be written here too, so that the text means the same.
        for symbol in address.symbols() {
            if self.holder(symbol).is_none() {
                self.symbol_elsewhere(symbol)?;
            }
        }
        if let Some(promised) = self.symbols.promised(symbol, self.state) {
            return match self.scope.name(promised.variable) {
                Some(_) => Ok(promised.text.clone()),
                None => Err(Cause::new("a variable that is not visible before the loop", at)),
            };
        }
        let Some(span) = at.text() else {
            let text = self.structural(symbol, address);
            return text.ok_or_else(|| Cause::new("a value in memory that comes out of a macro", at));
        };
        match std::str::from_utf8(self.sources.text(span)) {
            Ok(text) if !text.contains('\n') && !text.contains("/*") && !text.contains("//") => {
                Ok(text.to_owned())
            }
            _ => Err(Cause::new("a value in memory whose text cannot be copied", at)),
        }
    }

    /// The member of a variable that a value was copied to, with the structure that it was read from.
    fn member_that_holds(&self, symbol: Symbol) -> Option<String> {
        let info = self.symbols.info(symbol);
        let SymbolKind::Loaded {
            address: original, ..
        } = &info.kind
        else {
            return None;
        };
        let value = Expr::symbol(symbol);
        let is_member = |address: &Expr| {
            let [root] = address.symbols().iter().copied().collect::<Vec<_>>()[..] else {
                return false;
            };
            let SymbolKind::Address(variable) = self.symbols.info(root).kind else {
                return false;
            };
            let whole = self.type_of(variable);
            self.scope.name(variable).is_some() && matches!(self.unit.types.get(whole), Type::Record(_))
        };
        let mut cells = self.state.cells.iter();
        let (cell, _) = cells
            .find(|(cell, held)| **held == value && cell.address != *original && is_member(&cell.address))?;
        self.text_at(&cell.address, cell.size, info.ty?)
    }

    /// The text of a load that has none of its own, made of the names of what leads to it.
    fn structural(&self, symbol: Symbol, address: &Expr) -> Option<String> {
        let info = self.symbols.info(symbol);
        let SymbolKind::Loaded { size, .. } = info.kind else {
            return None;
        };
        self.text_at(address, size, info.ty?)
    }

    /// The text of what is at an address, made of the names of what leads to it.
    fn text_at(&self, address: &Expr, size: u64, ty: TypeId) -> Option<String> {
        let named = |variable: VariableRef| {
            let name = self.scope.name(variable)?;
            Some((name.to_owned(), self.type_of(variable)))
        };
        let pointer = |base: Symbol| match self.holder(base) {
            Some((name, variable)) => Some((name.to_owned(), self.type_of(variable))),
            None => Some((self.symbol_elsewhere(base).ok()?, self.symbols.info(base).ty?)),
        };
        parts::at_address(self.unit, self.symbols, (address, size, ty), &named, &pointer)
    }

    /// Name of the pointee of a type, for messages.
    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.unit.types.get(ty), Type::Pointer(_))
    }
}
