//! Which names can be written at one place of a function, and what do they hold there?

use ferry_analysis::scalar::Variables;
use ferry_ir::{Function, LocalId, Stmt, StmtId, StmtKind, Unit, VariableKind, VariableRef};
use std::collections::BTreeMap;

/// The variables that a name means at one statement.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: BTreeMap<String, VariableRef>,
}

impl Scope {
    /// The names that are visible just before a statement.
    pub fn at(unit: &Unit, function: &Function, stmt: StmtId) -> Scope {
        let mut scope = Scope::default();
        for (number, global) in unit.globals.iter().enumerate() {
            if global.inside.is_none() && !global.string_literal {
                let variable = VariableRef::Global(ferry_ir::GlobalId(number as u32));
                scope.names.insert(global.name.clone(), variable);
            }
        }
        for number in 0..function.parameters {
            scope.declare(function, LocalId(number));
        }
        if let Some(body) = &function.body {
            scope.descend(function, body, stmt);
        }
        scope
    }

    fn declare(&mut self, function: &Function, local: LocalId) {
        let declared = function.local(local);
        if matches!(declared.kind, VariableKind::Parameter | VariableKind::Local) && !declared.name.is_empty()
        {
            self.names
                .insert(declared.name.clone(), VariableRef::Local(local));
        }
    }

    /// Adds what is declared on the way to the statement; true if it was found.
    fn descend(&mut self, function: &Function, at: &Stmt, target: StmtId) -> bool {
        if at.id == target {
            return true;
        }
        let outer = self.names.clone();
        let body: Vec<&Stmt> = at.children();
        for child in body {
            if self.descend(function, child, target) {
                return true;
            }
            match &child.kind {
                StmtKind::Declare { local } => self.declare(function, *local),
                // Statements that one C declaration became.
                StmtKind::Block { body, scope: false } => {
                    for inner in body {
                        if let StmtKind::Declare { local } = &inner.kind {
                            self.declare(function, *local);
                        }
                    }
                }
                _ => {}
            }
        }
        self.names = outer;
        false
    }

    /// What a name means.
    pub fn get(&self, name: &str) -> Option<VariableRef> {
        self.names.get(name).copied()
    }

    /// True if the variable can be written by its own name.
    pub fn sees(&self, variable: VariableRef) -> bool {
        self.names.values().any(|seen| *seen == variable)
    }

    /// The name of a variable, if it can be written.
    pub fn name(&self, variable: VariableRef) -> Option<&str> {
        self.names
            .iter()
            .find(|(_, seen)| **seen == variable)
            .map(|(name, _)| name.as_str())
    }

    /// The visible variables with their names.
    pub fn variables(&self) -> impl Iterator<Item = (&str, VariableRef)> {
        self.names
            .iter()
            .map(|(name, variable)| (name.as_str(), *variable))
    }
}

/// The locals that a statement declares in the block in which it stands.
pub fn declared_by(stmt: &Stmt) -> Variables {
    let mut found = Variables::new();
    match &stmt.kind {
        StmtKind::Declare { local } => {
            found.insert(VariableRef::Local(*local));
        }
        StmtKind::Block { body, scope: false } => {
            for inner in body {
                found.extend(declared_by(inner));
            }
        }
        _ => {}
    }
    found
}
