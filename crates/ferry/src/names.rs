//! How do symbolic values read in a report? By the names of the program, without the conversions that C needs.

use ferry_analysis::loops::Induction;
use ferry_analysis::symbols::{MAY_CHANGE, SymbolKind};
use ferry_analysis::verdict::FunctionFacts;
use ferry_ir::{Function, RecordId, Type, TypeId, Unit, VariableRef};
use ferry_source::{Origin, Sources, is_word};
use ferry_symbolic::set::Set;
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use ferry_transform::c_text;
use ferry_transform::kernel::Context;
use ferry_transform::parts;
use ferry_transform::promoted;
use std::collections::{BTreeMap, BTreeSet};

/// Most bytes of the text of one value.
const LONGEST: usize = 8_000;

/// The names of one function's symbols.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// The unit.
    pub unit: &'a Unit,
    /// The function.
    pub function: &'a Function,
    /// Its facts.
    pub facts: &'a FunctionFacts,
    /// The files.
    pub sources: &'a Sources,
}

impl<'a> Names<'a> {
    /// What decisions about kernels look at.
    pub fn context(&self) -> Context<'a> {
        Context {
            unit: self.unit,
            function: self.function,
            facts: self.facts,
        }
    }

    /// Name of a variable.
    pub fn variable(&self, variable: VariableRef) -> String {
        self.unit.name_of(self.function, variable).to_owned()
    }

    /// Type of a variable.
    pub fn type_of(&self, variable: VariableRef) -> TypeId {
        match variable {
            VariableRef::Global(id) => self.unit.global(id).ty,
            VariableRef::Local(id) => self.function.local(id).ty,
        }
    }

    /// What a symbol is called.
    pub fn symbol(&self, symbol: Symbol) -> String {
        let info = self.facts.values.symbols.info(symbol);
        match &info.kind {
            SymbolKind::Entry(variable) | SymbolKind::Address(variable) => self.variable(*variable),
            SymbolKind::Varying { variable, .. } => self.variable(*variable),
            SymbolKind::Named { name, .. } | SymbolKind::CalleeVariable { name, .. } => name.clone(),
            SymbolKind::Elsewhere(hidden) => hidden.name.clone(),
            SymbolKind::Counter(_) => self.counter(symbol),
            SymbolKind::Loaded { address, .. } => {
                let variable = address.as_symbol().and_then(|symbol| {
                    match self.facts.values.symbols.info(symbol).kind {
                        SymbolKind::Address(variable) => Some(variable),
                        _ => None,
                    }
                });
                match variable {
                    Some(variable) if self.unit.types.is_scalar(self.type_of(variable)) => {
                        self.variable(variable)
                    }
                    _ => self
                        .said(info.at)
                        .or_else(|| {
                            let promised = self.facts.values.symbols.promise(symbol)?;
                            Some(promised.text.clone())
                        })
                        .or_else(|| self.structural(symbol))
                        .unwrap_or_else(|| "a value in memory".to_owned()),
                }
            }
            SymbolKind::Allocated(_) | SymbolKind::Result(_) => self
                .holder(symbol)
                .map(|variable| self.variable(variable))
                .or_else(|| self.said(info.at).map(assigned))
                .unwrap_or_else(|| "the result of a call".to_owned()),
            SymbolKind::Unknown(cause) => self
                .holder(symbol)
                .map(|variable| self.variable(variable))
                .or_else(|| {
                    let text = self.said(info.at)?;
                    // The text has the value before it is put into a narrower type.
                    let narrowed = info.ty.filter(|_| cause.why == MAY_CHANGE);
                    let ty = narrowed.and_then(|ty| promoted::spelled(self.context(), ty));
                    Some(match ty {
                        Some(ty) if text.bytes().all(is_word) => format!("({ty}){text}"),
                        Some(ty) => format!("({ty})({text})"),
                        None => text,
                    })
                })
                .unwrap_or_else(|| "an unknown value".to_owned()),
        }
    }

    /// The text of a load that comes out of a macro, made of the names of what leads to it.
    fn structural(&self, symbol: Symbol) -> Option<String> {
        let info = self.facts.values.symbols.info(symbol);
        let SymbolKind::Loaded { address, size } = &info.kind else {
            return None;
        };
        let named = |variable: VariableRef| Some((self.variable(variable), self.type_of(variable)));
        let pointer = |base: Symbol| {
            let info = self.facts.values.symbols.info(base);
            match &info.kind {
                SymbolKind::Entry(_) | SymbolKind::Varying { .. } | SymbolKind::Loaded { .. } => {
                    Some((self.symbol(base), info.ty?))
                }
                _ => {
                    let variable = self.holder(base)?;
                    Some((self.variable(variable), self.type_of(variable)))
                }
            }
        };
        let symbols = &self.facts.values.symbols;
        parts::at_address(self.unit, symbols, (address, *size, info.ty?), &named, &pointer)
    }

    /// The text at a place; names of another function are said to be of that function.
    fn said(&self, at: Origin) -> Option<String> {
        let text = self.text(at)?;
        let holds = |function: &&Function| {
            let whole = function.origin.span();
            whole.zip(at.span()).is_some_and(|(whole, at)| whole.contains(at))
        };
        if holds(&self.function) {
            return Some(text);
        }
        match self.unit.functions.iter().find(holds) {
            Some(other) => Some(format!("{text} (of {})", other.name)),
            None => Some(text),
        }
    }

    /// The variable that holds the value before some loop.
    fn holder(&self, symbol: Symbol) -> Option<VariableRef> {
        let target = Expr::symbol(symbol);
        let states = self.facts.values.loops.iter().map(|of| &of.before);
        let mut found = states.flat_map(|state| state.variables.iter());
        let (variable, _) = found.find(|(variable, value)| **value == target && !self.is_made(**variable))?;
        Some(*variable)
    }

    /// True for what the front end made.
    pub fn is_made(&self, variable: VariableRef) -> bool {
        match variable {
            VariableRef::Global(_) => false,
            VariableRef::Local(id) => self.function.local(id).kind.is_made(),
        }
    }

    /// The iteration's number, where no loop variable says it.
    fn counter(&self, symbol: Symbol) -> String {
        let of = self.facts.values.loops.iter().find(|of| of.counter == symbol);
        let line = of
            .and_then(|of| of.keyword)
            .map(|at| self.sources.line_column(at.file, at.start).0);
        match line {
            Some(line) => format!("iteration_of_line_{line}"),
            None => "iteration".to_owned(),
        }
    }

    /// The counters that can be said by a loop variable: `i` starts at `a` and steps by one, so the counter is `i - a`.
    /// The variables are symbols past those of the function. From the inside out: the start of an inner loop may depend
    /// on an outer one.
    fn counters(&self) -> Vec<(Symbol, Expr, Symbol, String)> {
        let first = self.facts.values.symbols.len() as u32;
        let mut found = Vec::new();
        for (number, of) in self.facts.values.loops.iter().enumerate().rev() {
            let step = |induction: &&Induction| {
                let step = induction.step().and_then(Expr::as_constant);
                let step = step.and_then(|step| step.to_i64());
                matches!(step, Some(1 | -1))
                    && !self.is_made(induction.variable)
                    && self.unit.types.is_integer(self.type_of(induction.variable))
            };
            let Some(induction) = of.inductions.iter().find(step) else {
                continue;
            };
            let own = Symbol(first + number as u32);
            let moved = &Expr::symbol(own) - &induction.start;
            let counter = if induction.first_step == Expr::one() {
                moved
            } else {
                -&moved
            };
            found.push((of.counter, counter, own, self.variable(induction.variable)));
        }
        found
    }

    /// The counters for a text that mentions these symbols: none, unless one of them is a counter.
    fn counters_in(&self, mentioned: &BTreeSet<Symbol>) -> Vec<(Symbol, Expr, Symbol, String)> {
        match mentioned.iter().any(|symbol| self.is_counter(*symbol)) {
            true => self.counters(),
            false => Vec::new(),
        }
    }

    /// The text at a place, on one line.
    pub fn text(&self, at: Origin) -> Option<String> {
        let text = std::str::from_utf8(self.sources.text(at.text()?)).ok()?;
        (!text.is_empty() && text.len() <= 60 && !text.contains('\n')).then(|| text.to_owned())
    }

    /// The object that a place with subscripts is an element of, as the place names it: `s->bins` of `s->bins[k]`.
    pub fn object_of(&self, at: Origin, root: Symbol) -> String {
        let root = self.symbol(root);
        let text = self.text(at);
        let object = text.as_deref().and_then(|text| text.split('[').next());
        // Only a way from the root by members: in `key[i][h]` the object is `h`, and a macro has another name.
        let is_way = |object: &str| {
            let rest = object.strip_prefix(root.as_str());
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.->".contains(&byte);
            !root.contains('[')
                && rest.is_some_and(|rest| {
                    rest.bytes().all(plain)
                        && !rest.starts_with(|first: char| first.is_alphanumeric() || first == '_')
                })
        };
        let object = object.map(str::trim).filter(|object| is_way(object));
        object.map_or_else(|| root.clone(), str::to_owned)
    }

    /// A value as people write it.
    pub fn value(&self, value: &Expr, facts: &Facts) -> String {
        let too_long = || "a value that is too long to be read".to_owned();
        self.short_value(value, facts).unwrap_or_else(too_long)
    }

    /// A value as people write it, if it is not too long. Of constants that the source names no more is known than their signs, so the ends of many sections stay side
    /// by side, each maximum in the next; where that is too long, the constants have their values.
    pub fn short_value(&self, value: &Expr, facts: &Facts) -> Option<String> {
        self.written(value, facts).or_else(|| {
            let valued = self.with_constants(value);
            self.written(&valued.filter(|valued| valued != value)?, facts)
        })
    }

    /// With the values of constants for their names; `None` if that is too large.
    fn with_constants(&self, value: &Expr) -> Option<Expr> {
        let symbols = &self.facts.values.symbols;
        let valued =
            value
                .symbols()
                .iter()
                .fold(value.clone(), |valued, symbol| match symbols.info(*symbol).kind {
                    SymbolKind::Named { value, .. } => valued.substitute(*symbol, &Expr::int(value)),
                    _ => valued,
                });
        (!valued.is_oversize()).then_some(valued)
    }

    fn written(&self, value: &Expr, facts: &Facts) -> Option<String> {
        let mut names = BTreeMap::new();
        let mut value = value.clone();
        let counters = self.counters_in(&value.symbols());
        if !counters.is_empty() {
            let find = |symbol: Symbol| counters.iter().find(|(counter, ..)| *counter == symbol);
            // Where no loop starts at the counter of another one, all are put in at once.
            let starts_at = |(_, by, ..): &(Symbol, Expr, Symbol, String)| {
                by.symbols().into_iter().any(|symbol| find(symbol).is_some())
            };
            match counters.iter().any(starts_at) {
                true => {
                    for (counter, by, ..) in &counters {
                        value = value.substitute(*counter, by);
                    }
                }
                false => value = value.substitute_all(&|symbol| Some(find(symbol)?.1.clone())),
            }
            names.extend(counters.into_iter().map(|(_, _, own, name)| (own, name)));
        }
        for symbol in value.symbols() {
            names.entry(symbol).or_insert_with(|| self.symbol(symbol));
        }
        let text = c_text::expression(&value, facts, &names, &c_text::Unsigned::new(), LONGEST)?;
        Some(readable(&text))
    }

    /// A value as mathematics writes it: `min(32, n)`.
    pub fn mathematics(&self, value: &Expr) -> String {
        let mut names = BTreeMap::new();
        let mut value = value.clone();
        for (counter, by, own, name) in self.counters_in(&value.symbols()) {
            if value.mentions(counter) {
                value = value.substitute(counter, &by);
                names.insert(own, name);
            }
        }
        let name = |symbol: Symbol| names.get(&symbol).cloned().unwrap_or_else(|| self.symbol(symbol));
        ferry_symbolic::text(&value, &name)
    }

    /// A condition as people write it.
    pub fn condition(&self, condition: &Condition, facts: &Facts) -> String {
        let mut names = BTreeMap::new();
        let mut condition = condition.clone();
        for (counter, by, own, name) in self.counters_in(&condition.symbols()) {
            condition = condition.substitute(counter, &by);
            names.insert(own, name);
        }
        for symbol in condition.symbols() {
            names.entry(symbol).or_insert_with(|| self.symbol(symbol));
        }
        readable(&c_text::condition(
            &condition,
            facts,
            &names,
            &c_text::Unsigned::new(),
        ))
    }

    /// What all facts of the function rest on, and is tested before its kernels.
    pub fn taken(&self) -> Vec<String> {
        let taken = self.facts.values.taken.iter();
        taken
            .map(|condition| self.condition(condition, &Facts::new()))
            .collect()
    }

    /// A set as people write it.
    pub fn set(&self, set: &Set) -> String {
        let mut names = BTreeMap::new();
        let mut set = set.clone();
        for (counter, by, own, name) in self.counters() {
            if set.mentions(counter) {
                set = set.substitute(&|symbol| (symbol == counter).then(|| by.clone()));
                names.insert(own, name);
            }
        }
        set.text(&|symbol| names.get(&symbol).cloned().unwrap_or_else(|| self.symbol(symbol)))
    }

    fn is_counter(&self, symbol: Symbol) -> bool {
        matches!(
            self.facts.values.symbols.info(symbol).kind,
            SymbolKind::Counter(_)
        )
    }

    /// What a pointer to storage points to, or what an array is made of: the declared element of a root.
    pub fn element(&self, root: Symbol) -> Option<TypeId> {
        let info = self.facts.values.symbols.info(root);
        let types = &self.unit.types;
        let known = |ty: &TypeId| !matches!(types.get(*ty), Type::Void);
        let declared = match &info.kind {
            SymbolKind::Address(variable) => match types.get(self.type_of(*variable)) {
                Type::Array { element, .. } => Some(*element),
                _ => Some(self.type_of(*variable)),
            },
            SymbolKind::Entry(variable) => types.pointee(self.type_of(*variable)),
            _ => info.ty.and_then(|ty| types.pointee(ty)),
        };
        // Fresh storage is what the variable that holds it points to.
        let held = || {
            self.holder(root)
                .and_then(|variable| types.pointee(self.type_of(variable)))
        };
        declared.filter(known).or_else(held).filter(known)
    }

    /// The member that begins at a byte of a structure, through members that are structures; of an array as a whole, or the
    /// element.
    pub fn member(&self, record: RecordId, offset: u64, elements: bool) -> Option<String> {
        let types = &self.unit.types;
        let record = types.record(record);
        if record.union || offset >= record.size {
            return None;
        }
        let field = record
            .fields
            .iter()
            .rev()
            .find(|field| field.offset_bits / 8 <= offset)?;
        let rest = offset - field.offset_bits / 8;
        if field.name.is_empty() || field.width.is_some() {
            return None;
        }
        match types.get(field.ty) {
            Type::Record(inner) => Some(format!("{}.{}", field.name, self.member(*inner, rest, elements)?)),
            Type::Array { element, .. } if elements => {
                let size = types
                    .size(*element)
                    .filter(|size| *size > 0 && rest.is_multiple_of(*size))?;
                Some(format!("{}[{}]", field.name, rest / size))
            }
            Type::Array { .. } => Some(field.name.clone()),
            _ => (rest == 0).then(|| field.name.clone()),
        }
    }
}

/// Without the conversions, the suffixes of numbers and the outer parentheses that C needs.
fn readable(text: &str) -> String {
    let text = without_suffixes(&text.replace("(long)", ""));
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    match inner {
        Some(inner) if is_balanced(inner) => inner.to_owned(),
        _ => text,
    }
}

/// `2147483648L` without the `L`.
fn without_suffixes(text: &str) -> String {
    let mut found = String::new();
    let mut word = String::new();
    for sign in text.chars().chain(std::iter::once(' ')) {
        if sign.is_ascii_alphanumeric() || sign == '_' {
            word.push(sign);
            continue;
        }
        let digits = word
            .strip_suffix('L')
            .filter(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()));
        found.push_str(digits.unwrap_or(&word));
        found.push(sign);
        word.clear();
    }
    found.pop();
    found
}

/// True if no parenthesis closes one that is not open.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0i32;
    for byte in text.bytes() {
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Of a whole statement, what it gives a value to; of a declaration (`double *work = malloc(n)`), its name.
fn assigned(statement: String) -> String {
    let place = match statement.split_once(" = ") {
        Some((place, _)) => place.trim(),
        None => return statement.trim_end_matches(';').to_owned(),
    };
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let declares = place.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && place.contains([' ', '*'])
        && place.chars().all(|c| is_part(c) || c.is_whitespace() || c == '*');
    match place.rsplit(|c: char| !is_part(c)).next() {
        Some(name) if declares && !name.is_empty() => name.to_owned(),
        _ => place.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{assigned, readable};

    #[test]
    fn what_a_statement_sets_is_named() {
        let of = |statement: &str| assigned(statement.to_owned());
        assert_eq!(of("work = malloc(n)"), "work");
        assert_eq!(of("double *work = malloc(n)"), "work");
        assert_eq!(of("struct node *const restrict p = make(n)"), "p");
        assert_eq!(of("w[i * m] = malloc(n)"), "w[i * m]");
        assert_eq!(of("list->rows = calloc(n, 8)"), "list->rows");
        assert_eq!(of("*to = malloc(n)"), "*to");
        assert_eq!(of("make(n);"), "make(n)");
    }

    #[test]
    fn what_c_needs_is_left_out() {
        assert_eq!(readable("(n > 0 ? n : 0)"), "n > 0 ? n : 0");
        assert_eq!(readable("(a + b) * (c)"), "(a + b) * (c)");
        assert_eq!(readable("(long)n * m"), "n * m");
    }
}
