//! Which storage do the iterations of a loop under a directive certainly share?
//!
//! Not what clauses of the directives around make private or reduce, what is declared inside the region or made there without a name, what is `threadprivate`, and, where the
//! region is in a caller, nothing but variables of the file. Values that came up inside the region may differ between threads.

use super::OfThreads;
use super::nest::{Nest, Way};
use crate::state::State;
use crate::symbols::{SymbolKind, Symbols};
use crate::value::Values;
use ferry_directive::{Directive, Language};
use ferry_ir::visit::{directive_expressions, expression_variables};
use ferry_ir::{Expr as Code, Function, Place, Stmt, StmtKind, VariableRef};
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeSet;

/// Clauses whose variables are not shared.
const OWN: [&str; 10] = [
    "private",
    "firstprivate",
    "lastprivate",
    "linear",
    "induction",
    "reduction",
    "in_reduction",
    "task_reduction",
    "copyprivate",
    "allocate",
];

/// Those of them by which what a thread's copy begins with can be any code (`declare reduction`'s `initializer`), storage of its own behind a pointer with it.
const REDUCED: [&str; 3] = ["reduction", "in_reduction", "task_reduction"];

/// What is shared in one nest.
pub struct Sharing<'a> {
    values: &'a Values,
    /// The region, if it is in this function.
    region: Option<&'a Stmt>,
    /// Variables with a copy for each thread or iteration.
    own: BTreeSet<VariableRef>,
    /// Those of them that are reduced.
    reduced: BTreeSet<VariableRef>,
    /// Variables of the file with a copy for each thread, and where they are set.
    of_threads: &'a OfThreads,
    way: Way,
}

impl<'a> Sharing<'a> {
    /// What is shared in a nest; `None` if a clause was not understood.
    pub fn of(
        function: &Function,
        values: &'a Values,
        nest: &Nest<'a>,
        of_threads: &'a OfThreads,
    ) -> Option<Sharing<'a>> {
        let region = nest.region();
        let (mut own, mut reduced) = (BTreeSet::new(), BTreeSet::new());
        // What a thread has for itself its lanes share.
        let around: &[_] = match nest.way() {
            Way::Threads => &nest.around,
            Way::Lanes => &[],
        };
        for directive in around
            .iter()
            .map(|(directive, _)| *directive)
            .chain([nest.directive])
        {
            own.extend(own_of(directive)?);
            reduced.extend(named_in(directive, &REDUCED)?);
        }
        if let Some((region, _)) = region {
            let is_unnamed = |variable: &VariableRef| matches!(variable, VariableRef::Local(id) if function.local(*id).kind.is_made());
            region.walk(&mut |stmt| {
                if let StmtKind::Declare { local } = &stmt.kind {
                    own.insert(VariableRef::Local(*local));
                }
                // The structure that a call returns inside an expression has no declaration.
                own.extend(
                    stmt.written_place()
                        .and_then(Place::as_variable)
                        .filter(is_unnamed),
                );
            });
        }
        Some(Sharing {
            values,
            region: region.map(|(stmt, _)| stmt),
            own,
            reduced,
            of_threads,
            way: nest.way(),
        })
    }

    /// True for a variable of which there is certainly one for all iterations.
    pub fn variable(&self, variable: VariableRef) -> bool {
        if self.own.contains(&variable) {
            return false;
        }
        match variable {
            VariableRef::Global(id) => self.way == Way::Lanes || !self.of_threads.has(id),
            // Each thread that calls the function has its own.
            VariableRef::Local(_) => self.region.is_some(),
        }
    }

    /// True if a value is certainly the same for all threads in corresponding iterations.
    pub fn value(&self, expr: &Expr) -> bool {
        expr.symbols().into_iter().all(|symbol| self.symbol(symbol, 0))
    }

    fn symbol(&self, symbol: Symbol, depth: usize) -> bool {
        let symbols: &Symbols = &self.values.symbols;
        let info = symbols.info(symbol);
        match &info.kind {
            SymbolKind::Named { .. } | SymbolKind::Counter(_) => true,
            SymbolKind::Address(variable) => self.variable(*variable),
            // Storage that a thread has allocated for its `threadprivate` pointer.
            _ if self.way != Way::Lanes && self.of_threads.is_set_at(info.at) => false,
            SymbolKind::Entry(variable) => {
                let own =
                    self.way != Way::Lanes && variable.as_global().is_some_and(|id| self.of_threads.has(id));
                !own && self.region.is_some()
            }
            SymbolKind::Loaded { address, .. } => {
                let inner = address.symbols();
                depth < 8 && inner.into_iter().all(|inner| self.symbol(inner, depth + 1))
            }
            SymbolKind::CalleeVariable { .. } | SymbolKind::Elsewhere(_) => false,
            SymbolKind::Varying { .. }
            | SymbolKind::Allocated(_)
            | SymbolKind::Result(_)
            | SymbolKind::Unknown(_) => self.is_from_before(symbol),
        }
    }

    /// True for a symbol that came up before the region.
    fn is_from_before(&self, symbol: Symbol) -> bool {
        let Some(region) = self.region else { return false };
        let info = self.values.symbols.info(symbol);
        let (Some(at), Some(start)) = (info.at.span(), region.origin.span()) else {
            return false;
        };
        // The walk goes by what the region governs: directives are not in the program that was walked.
        let first = governed(region).and_then(|stmt| self.values.first_symbols.get(&stmt.id));
        at.file == start.file && at.start < start.start && first.is_some_and(|first| symbol.0 < *first)
    }

    /// True if a reduction, or another clause, may give each thread a copy of what a pointer variable, or a pointer in a structure that is reduced, points to.
    pub fn is_copied(&self, root: Symbol, before: &State) -> bool {
        let of_a_variable = self
            .own
            .iter()
            .any(|variable| before.get(*variable).is_some_and(|value| value.mentions(root)));
        of_a_variable
            || before
                .cells
                .iter()
                .any(|(cell, value)| value.mentions(root) && self.is_in_reduced(&cell.address))
    }

    /// True for memory in a variable that is reduced.
    fn is_in_reduced(&self, address: &Expr) -> bool {
        address.symbols().into_iter().any(|symbol| {
            matches!(self.values.symbols.info(symbol).kind, SymbolKind::Address(variable) if self.reduced.contains(&variable))
        })
    }
}

fn governed(stmt: &Stmt) -> Option<&Stmt> {
    match &stmt.kind {
        StmtKind::Directive { body, .. } => governed(body.as_deref()?),
        _ => Some(stmt),
    }
}

/// The variables in the clauses of a directive that give copies; `None` if one was not taken apart.
pub fn own_of(directive: &Directive<Code>) -> Option<BTreeSet<VariableRef>> {
    let words = |item: &ferry_directive::Item<Code>| matches!(item, ferry_directive::Item::Word(word) if word != "none" && word != "shared");
    let by_default = directive
        .clauses
        .iter()
        .any(|clause| clause.name == "default" && clause.items().iter().any(words));
    if by_default {
        return None;
    }
    named_in(directive, &OWN)
}

/// True if each thread of a construct inside of a loop may have its own of a variable, and nothing of it comes back to the one outside when the construct ends, as a sum
/// does: each iteration of the loop around adds it to that. How OpenACC's compilers add up such a sum is theirs.
pub fn has_own(directive: &Directive<Code>, variable: VariableRef) -> bool {
    let comes_back = directive.language == Language::OpenMp
        && named_in(directive, &REDUCED).is_some_and(|reduced| reduced.contains(&variable));
    own_of(directive).is_none_or(|own| own.contains(&variable)) && !comes_back
}

/// The variables in these clauses of a directive; `None` if one was not taken apart.
fn named_in(directive: &Directive<Code>, clauses: &[&str]) -> Option<BTreeSet<VariableRef>> {
    let mut found = BTreeSet::new();
    for clause in &directive.clauses {
        if !clauses.contains(&clause.name.as_str()) {
            continue;
        }
        if !clause
            .items()
            .iter()
            .all(|item| matches!(item, ferry_directive::Item::Object(_)))
        {
            return None;
        }
        let alone = Directive {
            clauses: vec![clause.clone()],
            arguments: None,
            ..directive.clone()
        };
        directive_expressions(&alone, &mut |expr| expression_variables(expr, &mut found));
    }
    Some(found)
}
