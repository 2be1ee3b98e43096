//! Which names can be written at one place of a function, and what do they hold there?
//!
//! Static variables of the function have no statement that declares them: where their names are written says in which block they are. One whose name
//! another variable of the function has, too, is not seen.

use ferry_analysis::scalar::Variables;
use ferry_ir::{Function, LocalId, Stmt, StmtId, StmtKind, Unit, VariableKind, VariableRef};
use ferry_source::Span;
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
        let mut on_the_way = Vec::new();
        if let Some(body) = &function.body
            && find(body, stmt, &mut on_the_way)
        {
            for local in on_the_way {
                scope.declare(function, local);
            }
        }
        scope.declare_statics(unit, function, stmt);
        scope
    }

    fn declare_statics(&mut self, unit: &Unit, function: &Function, stmt: StmtId) {
        let Some(body) = &function.body else { return };
        let own = |global: &ferry_ir::Global| {
            let inside = global.inside.map(|id| unit.function(id));
            inside.is_some_and(|inside| std::ptr::eq(inside, function)) && !global.string_literal
        };
        let statics: Vec<_> = unit
            .globals
            .iter()
            .enumerate()
            .filter(|(_, global)| own(global))
            .collect();
        for &(number, global) in &statics {
            let named = statics.iter().filter(|(_, other)| other.name == global.name);
            let unique = named.count() == 1 && function.locals.iter().all(|local| local.name != global.name);
            let is_before = global.origin.text().is_some_and(|at| is_in_scope(body, stmt, at));
            if unique && is_before {
                let variable = VariableRef::Global(ferry_ir::GlobalId(number as u32));
                self.names.insert(global.name.clone(), variable);
            }
        }
    }

    fn declare(&mut self, function: &Function, local: LocalId) {
        let declared = function.local(local);
        if matches!(declared.kind, VariableKind::Parameter | VariableKind::Local) && !declared.name.is_empty()
        {
            self.names
                .insert(declared.name.clone(), VariableRef::Local(local));
        }
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

/// True if a name that is declared at a place of the text can be written at a statement.
fn is_in_scope(body: &Stmt, target: StmtId, declared: Span) -> bool {
    let is_block = |stmt: &Stmt| {
        matches!(stmt.kind, StmtKind::Block { scope: true, .. })
            && stmt.origin.text().is_some_and(|block| block.contains(declared))
    };
    // Blocks lie in each other: the last one of the walk is the innermost.
    let mut innermost: Option<&Stmt> = None;
    body.walk(&mut |stmt| {
        if is_block(stmt) {
            innermost = Some(stmt);
        }
    });
    let mut found = None;
    if let Some(block) = innermost {
        block.walk(&mut |stmt| {
            if stmt.id == target {
                found = stmt.origin.span();
            }
        });
    }
    found.is_some_and(|at| at.file == declared.file && declared.end <= at.start)
}

/// Appends what is declared on the way to the statement and still visible there, outermost and first declared first;
/// nothing if it is not found (false).
fn find(at: &Stmt, target: StmtId, declared: &mut Vec<LocalId>) -> bool {
    if at.id == target {
        return true;
    }
    let outside = declared.len();
    for child in at.children() {
        if find(child, target, declared) {
            return true;
        }
        match &child.kind {
            StmtKind::Declare { local } => declared.push(*local),
            // Statements that one C declaration became.
            StmtKind::Block { body, scope: false } => {
                declared.extend(body.iter().filter_map(|inner| match &inner.kind {
                    StmtKind::Declare { local } => Some(*local),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    declared.truncate(outside);
    false
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
