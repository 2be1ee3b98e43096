//! Which storage is certainly one for all threads of a region, and which values are the same for all of them?
//!
//! What is declared inside the region or in a function that it calls, what clauses copy, variables of loops, and `threadprivate` variables are not shared. The
//! clauses are read as [`crate::verify`] reads them.
//!
//! What it cannot do: values that each thread asks for (`omp_get_thread_num`) are not followed; an address that rests on one is not looked at.

use super::Program;
use crate::symbols::SymbolKind;
use crate::verify::sharing::own_of;
use ferry_directive::Directive;
use ferry_ir::{Expr as Code, LocalId, StmtId, VariableKind, VariableRef};
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeSet;

/// What threads have for themselves, as a walk through a region comes to know it.
pub(super) struct Own {
    /// The first symbol that came up inside the region.
    first: u32,
    /// Addresses of variables, and roots of sections, of which each thread has its own.
    roots: BTreeSet<Symbol>,
}

impl Own {
    /// At the beginning of a region.
    pub fn of(program: &Program<'_>, region: StmtId) -> Own {
        let mut roots = BTreeSet::new();
        for (variable, symbol) in &program.values.addresses {
            if let VariableRef::Global(id) = variable
                && program.of_threads.has(*id)
            {
                roots.insert(*symbol);
            }
            // What a call gives, on its way into an expression, is nobody else's.
            if let VariableRef::Local(id) = variable
                && program
                    .values
                    .locals
                    .get(id.0 as usize)
                    .is_some_and(|local| local.kind == VariableKind::Temporary)
            {
                roots.insert(*symbol);
            }
        }
        Own {
            first: program.values.first_symbols.get(&region).copied().unwrap_or(0),
            roots,
        }
    }

    /// A variable that belongs to each thread.
    pub fn add(&mut self, program: &Program<'_>, variable: VariableRef) {
        self.roots
            .extend(program.values.addresses.get(&variable).copied());
    }

    /// The variables of a function that is called inside the region.
    pub fn add_function(&mut self, program: &Program<'_>, base: u32, number: usize) {
        for local in base..=base + number as u32 {
            self.add(program, VariableRef::Local(LocalId(local)));
        }
    }

    /// What the clauses of a directive copy; false if they were not understood. Copies are never shared again: behind the directive a variable is the
    /// shared one, but a reduction has changed it.
    pub fn add_clauses(
        &mut self,
        program: &Program<'_>,
        stmt: StmtId,
        directive: &Directive<Code>,
    ) -> Option<BTreeSet<Symbol>> {
        let variables = own_of(directive)?;
        let mut added: BTreeSet<Symbol> = variables
            .iter()
            .filter_map(|variable| program.values.addresses.get(variable).copied())
            .collect();
        if let Some(at) = program.values.directives.get(&stmt) {
            for item in &at.items {
                let name = directive.clauses[item.clause].name.as_str();
                if matches!(name, "reduction" | "in_reduction" | "task_reduction") {
                    added.extend(item.root);
                    added.extend(item.points_to);
                }
            }
        }
        added.retain(|root| self.roots.insert(*root));
        Some(added)
    }

    /// The clauses end.
    pub fn remove(&mut self, added: &BTreeSet<Symbol>) {
        self.roots.retain(|root| !added.contains(root));
    }

    /// True for storage of which there is certainly one for all threads.
    pub fn is_shared(&self, program: &Program<'_>, root: Symbol) -> bool {
        !self.roots.contains(&root) && self.is_same(program, &Expr::symbol(root))
    }

    /// True if a value is the same for all threads in corresponding iterations.
    pub fn is_same(&self, program: &Program<'_>, value: &Expr) -> bool {
        value
            .symbols()
            .into_iter()
            .all(|symbol| self.symbol(program, symbol, 0))
    }

    fn symbol(&self, program: &Program<'_>, symbol: Symbol, depth: usize) -> bool {
        let info = program.values.symbols.info(symbol);
        match &info.kind {
            SymbolKind::Entry(VariableRef::Global(id)) if program.of_threads.has(*id) => false,
            SymbolKind::Named { .. } | SymbolKind::Counter(_) | SymbolKind::Entry(_) => true,
            SymbolKind::Address(_) => !self.roots.contains(&symbol),
            // Storage that a thread has allocated for its `threadprivate` pointer.
            _ if program.of_threads.is_set_at(info.at) => false,
            _ if symbol.0 < self.first => true,
            SymbolKind::Loaded { address, .. } => {
                let inner = address.symbols();
                depth < 8
                    && info.loops.is_empty()
                    && inner
                        .into_iter()
                        .all(|inner| self.symbol(program, inner, depth + 1))
            }
            _ => false,
        }
    }
}
