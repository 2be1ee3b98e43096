//! Which loops form a nest, with nothing between their heads?

use crate::kernel::{Context, only_loop};
use ferry_analysis::canonical::Canonical;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::symbols::Cause;
use ferry_ir::{Loop, Stmt, StmtKind};

/// Loops of which each holds the next one and nothing else.
pub struct Nest<'a> {
    /// Outermost first.
    pub loops: Vec<NestLoop<'a>>,
}

/// One of them.
#[derive(Clone, Copy)]
pub struct NestLoop<'a> {
    /// Its facts.
    pub index: LoopIndex,
    /// The statement.
    pub stmt: &'a Stmt,
    /// Its parts.
    pub parts: &'a Loop,
}

impl NestLoop<'_> {
    /// How its counter runs; why that is not known, if it is not.
    pub fn canonical<'b>(&self, context: Context<'b>) -> Result<&'b Canonical, &'b Cause> {
        context.facts.verdicts[self.index.0 as usize].canonical.as_ref()
    }
}

impl<'a> Nest<'a> {
    /// The nest that begins with a loop, as deep as it goes.
    pub fn of(context: Context<'_>, stmt: &'a Stmt) -> Nest<'a> {
        let mut found = Nest { loops: Vec::new() };
        let mut next = Some(stmt);
        while let Some(stmt) = next {
            let StmtKind::Loop(parts) = &stmt.kind else { break };
            let all = &context.facts.values.loops;
            let Some(position) = all.iter().position(|of| of.is_own() && of.stmt == stmt.id) else {
                break;
            };
            found.loops.push(NestLoop {
                index: LoopIndex(position as u32),
                stmt,
                parts,
            });
            next = only_loop(&parts.body);
        }
        found
    }

    /// The loops, outermost first.
    pub fn indices(&self) -> Vec<LoopIndex> {
        self.loops.iter().map(|one| one.index).collect()
    }
}
