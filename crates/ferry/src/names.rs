//! How do symbolic values read in a report? By the names of the program, without the conversions that C needs.

use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::FunctionFacts;
use ferry_ir::{Function, Type, TypeId, Unit, VariableRef};
use ferry_source::{Origin, Sources};
use ferry_symbolic::{Expr, Facts, Symbol};
use ferry_transform::c_text;
use std::collections::BTreeMap;

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

impl Names<'_> {
    /// Name of a variable.
    pub fn variable(&self, variable: VariableRef) -> String {
        match variable {
            VariableRef::Global(id) => self.unit.global(id).name.clone(),
            VariableRef::Local(id) => self.function.local(id).name.clone(),
        }
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
            SymbolKind::Named { name, .. } => name.clone(),
            SymbolKind::Counter(stmt) => self.counter(symbol, *stmt),
            SymbolKind::Loaded { address, .. } => {
                let variable = address.as_symbol().and_then(|symbol| {
                    match self.facts.values.symbols.info(symbol).kind {
                        SymbolKind::Address(variable) => Some(variable),
                        _ => None,
                    }
                });
                match variable {
                    Some(variable) if self.unit.types.is_scalar(self.type_of(variable)) => self.variable(variable),
                    _ => self.text(info.at).unwrap_or_else(|| "a value in memory".to_owned()),
                }
            }
            SymbolKind::Allocated(_) | SymbolKind::Result(_) => self
                .holder(symbol)
                .or_else(|| self.text(info.at))
                .unwrap_or_else(|| "the result of a call".to_owned()),
            SymbolKind::Unknown(_) => self
                .holder(symbol)
                .or_else(|| self.text(info.at))
                .unwrap_or_else(|| "an unknown value".to_owned()),
        }
    }

    /// The variable that holds the value before some loop.
    fn holder(&self, symbol: Symbol) -> Option<String> {
        let target = Expr::symbol(symbol);
        let states = self.facts.values.loops.iter().map(|of| &of.before);
        let mut found = states.flat_map(|state| state.variables.iter());
        let (variable, _) = found.find(|(variable, value)| **value == target && !self.is_made(**variable))?;
        Some(self.variable(*variable))
    }

    fn is_made(&self, variable: VariableRef) -> bool {
        match variable {
            VariableRef::Global(_) => false,
            VariableRef::Local(id) => matches!(
                self.function.local(id).kind,
                ferry_ir::VariableKind::Temporary | ferry_ir::VariableKind::Extent
            ),
        }
    }

    /// The iteration's number, named after the loop variable.
    fn counter(&self, symbol: Symbol, stmt: ferry_ir::StmtId) -> String {
        let of = self.facts.values.loops.iter().find(|of| of.counter == symbol || of.stmt == stmt);
        let line = of.and_then(|of| of.keyword).map(|at| self.sources.line_column(at.file, at.start).0);
        match line {
            Some(line) => format!("iteration_of_line_{line}"),
            None => "iteration".to_owned(),
        }
    }

    /// The text at a place, on one line.
    pub fn text(&self, at: Origin) -> Option<String> {
        let text = std::str::from_utf8(self.sources.text(at.text()?)).ok()?;
        (!text.is_empty() && text.len() <= 60 && !text.contains('\n')).then(|| text.to_owned())
    }

    /// A value as people write it.
    pub fn value(&self, value: &Expr, facts: &Facts) -> String {
        let names: BTreeMap<Symbol, String> =
            value.symbols().iter().map(|symbol| (*symbol, self.symbol(*symbol))).collect();
        c_text::expression(value, facts, &names).replace("(long)", "")
    }

    /// A type as people write it.
    pub fn type_name(&self, ty: TypeId) -> String {
        ferry_ir::print_type(self.unit, Some(self.function), ty)
    }

    /// What a pointer to storage points to, or what an array is made of: the declared element of a root.
    pub fn element(&self, root: Symbol) -> Option<TypeId> {
        let info = self.facts.values.symbols.info(root);
        let types = &self.unit.types;
        match &info.kind {
            SymbolKind::Address(variable) => match types.get(self.type_of(*variable)) {
                Type::Array { element, .. } => Some(*element),
                _ => Some(self.type_of(*variable)),
            },
            SymbolKind::Entry(variable) => types.pointee(self.type_of(*variable)),
            _ => types.pointee(info.ty?),
        }
    }
}
