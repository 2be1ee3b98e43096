//! What do the symbols of the analysis stand for at one moment of a run?
//!
//! A symbol never changes its value, and one that varies in a loop has one value in each iteration. Values are found
//! by asking the run: variables whose predicted value is a symbol (or leaves one unknown), counters from the iteration
//! numbers, memory that is loaded and not changed, addresses. What cannot be found has no value, and who asks counts
//! that.

use ferry_analysis::loops::LoopFacts;
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::FunctionFacts;
use ferry_ir::interpret::View;
use ferry_ir::{StmtId, Type, TypeId, Unit, VariableRef};
use ferry_symbolic::{Expr, Integer, Symbol};
use std::collections::{BTreeSet, HashMap};

/// Values of symbols.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    values: HashMap<Symbol, Integer>,
}

/// Where and when to ask.
pub struct Moment<'a> {
    pub unit: &'a Unit,
    pub facts: &'a FunctionFacts,
    pub of: &'a LoopFacts,
    /// The loops that run around it and itself, outermost first.
    pub running: &'a [StmtId],
    /// Variables that the loop's first part has assigned since.
    pub changed: &'a BTreeSet<VariableRef>,
    pub view: &'a View<'a>,
}

impl Bindings {
    /// The value of a symbol, if it is known.
    pub fn get(&self, symbol: Symbol) -> Option<Integer> {
        self.values.get(&symbol).cloned()
    }

    /// The symbol has this value.
    pub fn set(&mut self, symbol: Symbol, value: i128) {
        self.values.insert(symbol, Integer::from(value));
    }

    /// The value of an expression, if all its symbols are known.
    pub fn evaluate(&self, expr: &Expr) -> Option<i128> {
        expr.evaluate(&|symbol| self.get(symbol))?.to_i128()
    }

    /// Forgets what has another value in another iteration of a loop.
    pub fn next_iteration(&mut self, facts: &FunctionFacts, of: StmtId) {
        self.values
            .retain(|symbol, _| !facts.values.symbols.varies_in(*symbol, of));
    }

    /// Finds values just before the loop of the moment.
    pub fn bind(&mut self, moment: &Moment<'_>) {
        let symbols = &moment.facts.values.symbols;
        for (number, info) in symbols.iter().enumerate() {
            let symbol = Symbol(number as u32);
            match &info.kind {
                SymbolKind::Named { value, .. } => self.set(symbol, *value),
                SymbolKind::Address(variable) if info.loops.is_empty() => {
                    if let Some(address) = moment.view.address(*variable) {
                        self.set(symbol, i128::from(address));
                    }
                }
                _ => {}
            }
        }
        // Values depend on each other; the chains are short.
        for _ in 0..4 {
            let before = self.values.len();
            self.bind_variables(moment);
            self.bind_memory(moment);
            if self.values.len() == before {
                break;
            }
        }
    }

    fn bind_variables(&mut self, moment: &Moment<'_>) {
        for (variable, expr) in moment.of.before.variables.iter() {
            if moment.changed.contains(variable) {
                continue;
            }
            let mut unknown = expr.symbols();
            unknown.retain(|symbol| !self.values.contains_key(symbol));
            let (Some(symbol), true) = (unknown.first().copied(), unknown.len() == 1) else {
                continue;
            };
            let Some(actual) = variable_value(moment, *variable) else {
                continue;
            };
            let Some((slope, rest)) = expr.linear_in(symbol) else {
                continue;
            };
            let (Some(slope), Some(rest)) = (self.evaluate(&slope), self.evaluate(&rest)) else {
                continue;
            };
            if slope != 0 && (actual - rest) % slope == 0 {
                self.set(symbol, (actual - rest) / slope);
            }
        }
    }

    fn bind_memory(&mut self, moment: &Moment<'_>) {
        let symbols = &moment.facts.values.symbols;
        for (number, info) in symbols.iter().enumerate() {
            let symbol = Symbol(number as u32);
            if self.values.contains_key(&symbol) {
                continue;
            }
            let SymbolKind::Loaded { address, size } = &info.kind else {
                continue;
            };
            // It is where it was loaded if the analysis says so (a swap may have brought it to another place), or if it was
            // loaded in a loop that does not change it: not by the loop's first part, which comes before its counter.
            let cells = &moment.of.before.cells;
            let held = cells
                .iter()
                .any(|(cell, value)| value.as_symbol() == Some(symbol) && cell.address == *address);
            let kept = moment.running.iter().any(|of| {
                let facts = moment.facts.values.loops.iter().find(|one| one.stmt == *of);
                let inside = facts.is_some_and(|facts| {
                    let around = facts.origin.span().zip(info.at.span());
                    facts.counter < symbol && around.is_some_and(|(around, at)| around.contains(at))
                });
                inside && !symbols.varies_in(symbol, *of)
            });
            if !held && !kept {
                continue;
            }
            let Some(address) = self
                .evaluate(address)
                .and_then(|address| u64::try_from(address).ok())
            else {
                continue;
            };
            if let Some(bits) = moment.view.bits(address, *size) {
                self.set(symbol, extended(moment.unit, info.ty, bits, *size));
            }
        }
    }
}

/// The value of a scalar variable, pointers as addresses.
pub fn variable_value(moment: &Moment<'_>, variable: VariableRef) -> Option<i128> {
    let ty = match variable {
        VariableRef::Global(id) => moment.unit.global(id).ty,
        VariableRef::Local(id) => moment.unit.function(moment.facts.function).local(id).ty,
    };
    if matches!(moment.unit.types.get(ty), Type::Float { .. }) {
        return None;
    }
    let size = moment.unit.types.size(ty)?;
    let bits = moment.view.scalar(variable)?;
    Some(extended(moment.unit, Some(ty), bits, size))
}

/// Bits of `size` bytes as a number of a type.
pub fn extended(unit: &Unit, ty: Option<TypeId>, bits: u64, size: u64) -> i128 {
    let signed = matches!(
        ty.map(|ty| unit.types.get(ty)),
        Some(Type::Int { signed: true, .. })
    );
    if signed && size <= 8 && size > 0 {
        let shift = 64 - 8 * size as u32;
        return i128::from((bits << shift) as i64 >> shift);
    }
    i128::from(bits)
}
