//! What do jumps mean? For every statement: how control may leave it, whether it can be reached, whether a loop may be left
//! before its condition says so, and whether control can come into a statement other than at its top.
//!
//! The answers are may-answers over all inputs: conditions are taken to go both ways unless they are integer constants
//! (`do … while (0)`, `while (1)`, `if (0 && …)`). A call is taken to return unless the callee is known not to; whether an
//! unknown callee ends the program is a question to the analysis of effects.

mod graph;

use crate::{
    Callee, Expr, ExprKind, Function, FunctionRef, LabelId, LogicalOp, Stmt, StmtId, StmtKind, UnaryOp, Unit,
};
use graph::{Graph, Position, before, behind};
use std::collections::{BTreeSet, HashMap};

/// How control may leave a statement. A statement that cannot be reached has no exits.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Exits {
    /// At its end, on to what follows.
    pub falls: bool,
    /// By a `break` for a loop or switch around it.
    pub breaks: bool,
    /// By a `continue` for a loop around it.
    pub continues: bool,
    /// Out of the function.
    pub returns: bool,
    /// To labels outside of it.
    pub gotos: BTreeSet<LabelId>,
    /// Not at all: the program ends in a callee that does not return, or control stays inside for ever.
    pub never: bool,
    /// In a way that was not understood: to any label, out of any loop, out of the function.
    pub unknown: bool,
}

impl Exits {
    /// True if control can only go on to what follows.
    pub fn only_falls(&self) -> bool {
        *self
            == Exits {
                falls: true,
                ..Exits::default()
            }
    }

    /// True if there is no way out and no way to stay: the statement is not reached.
    pub fn is_empty(&self) -> bool {
        *self == Exits::default()
    }

    fn add(&mut self, other: &Exits) {
        self.breaks |= other.breaks;
        self.continues |= other.continues;
        self.returns |= other.returns;
        self.gotos.extend(&other.gotos);
        self.never |= other.never;
        self.unknown |= other.unknown;
    }
}

/// How a loop is left before its condition ends it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leaving {
    /// `break`
    Break,
    /// `return`
    Return,
    /// `goto` to a label outside.
    Goto(LabelId),
    /// A call that does not return.
    Call,
    /// Something that was not understood and may jump.
    Opaque,
}

/// A statement in a loop that may leave it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EarlyExit {
    /// The statement that jumps.
    pub at: StmtId,
    /// How.
    pub how: Leaving,
}

/// A way into a statement that does not go through its top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SideEntry {
    /// The label, `case` or call inside at which control arrives.
    pub at: StmtId,
    /// The `goto`, `switch` or opaque statement outside from which it comes; for a call that returns twice, the call.
    pub from: StmtId,
}

/// What the jumps of one function mean.
pub struct Flow<'a> {
    unit: &'a Unit,
    graph: Option<Graph<'a>>,
    positions: HashMap<StmtId, Position>,
    /// By position: whether control can be at the top of the statement or anywhere in it.
    reachable: Vec<bool>,
    exits: Vec<Exits>,
    /// The reachable statements that can bring control somewhere else than to what follows, or take it up.
    jumps: Vec<Position>,
    nothing: Exits,
}

impl<'a> Flow<'a> {
    /// Looks at the body of `function`, which belongs to `unit`.
    pub fn of(unit: &'a Unit, function: &'a Function) -> Flow<'a> {
        let mut flow = Flow {
            unit,
            graph: function.body.as_ref().map(|body| Graph::new(unit, body)),
            positions: HashMap::new(),
            reachable: Vec::new(),
            exits: Vec::new(),
            jumps: Vec::new(),
            nothing: Exits::default(),
        };
        if let Some(graph) = &flow.graph {
            for (position, entry) in graph.entries.iter().enumerate() {
                flow.positions.entry(entry.statement.id).or_insert(position);
            }
            let points = graph.reachable();
            flow.reachable = vec![false; graph.entries.len()];
            flow.exits = vec![Exits::default(); graph.entries.len()];
            // Parts come after the whole, so backwards they are done first.
            for position in (0..graph.entries.len()).rev() {
                let inside = children(graph, position).any(|child| flow.reachable[child]);
                flow.reachable[position] = inside || points[before(position)];
                if flow.reachable[position] {
                    flow.exits[position] = flow.exits_at(graph, position, points[behind(position)]);
                }
            }
            let is_jump = |position: &Position| {
                flow.reachable[*position]
                    && match &graph.entries[*position].statement.kind {
                        StmtKind::Goto(_) | StmtKind::Case { .. } | StmtKind::Default => true,
                        StmtKind::Opaque { jumps, .. } => *jumps,
                        StmtKind::Call {
                            callee: Callee::Function(callee),
                            ..
                        } => returns_twice(unit, *callee),
                        _ => false,
                    }
            };
            flow.jumps = (0..graph.entries.len()).filter(is_jump).collect();
        }
        flow
    }

    fn exits_at(&self, graph: &Graph<'a>, position: Position, falls: bool) -> Exits {
        let statement = graph.entries[position].statement;
        let mut exits = Exits::default();
        for child in children(graph, position) {
            exits.add(&self.exits[child]);
        }
        let within = |label: &LabelId| {
            graph
                .labels
                .get(label)
                .is_some_and(|at| (position..graph.entries[position].end).contains(at))
        };
        exits.gotos.retain(|label| !within(label));
        match &statement.kind {
            StmtKind::Loop(_) => {
                exits.breaks = self.escaping(graph, position, |kind| *kind == StmtKind::Break);
                exits.continues = self.escaping(graph, position, |kind| *kind == StmtKind::Continue);
            }
            StmtKind::Switch { .. } => exits.breaks = false,
            StmtKind::Break => exits.breaks = true,
            StmtKind::Continue => exits.continues = true,
            StmtKind::Return(_) => exits.returns = true,
            StmtKind::Goto(label) => {
                exits.gotos.insert(*label);
            }
            StmtKind::Opaque { jumps, .. } => exits.unknown = *jumps,
            StmtKind::Call {
                callee: Callee::Function(callee),
                ..
            } => {
                exits.never = does_not_return(self.unit, *callee);
            }
            _ => {}
        }
        exits.falls = falls;
        exits.never |= exits.is_empty();
        exits
    }

    /// Only jumps in the first part of a loop get past the loop. (None in C, where it holds no statements that jump.)
    fn escaping(&self, graph: &Graph<'a>, position: Position, is_jump: impl Fn(&StmtKind) -> bool) -> bool {
        let StmtKind::Loop(l) = &graph.entries[position].statement.kind else {
            return false;
        };
        children(graph, position).take(l.init.len()).any(|init| {
            let inside = init..graph.entries[init].end;
            graph.entries[inside.clone()]
                .iter()
                .zip(inside.clone())
                .any(|(entry, at)| {
                    is_jump(&entry.statement.kind)
                        && self.reachable[at]
                        && entry.target.is_none_or(|target| !inside.contains(&target))
                })
        })
    }

    /// The position of a statement and the range of positions in it.
    fn find(&self, id: StmtId) -> Option<(&Graph<'a>, std::ops::Range<Position>)> {
        let graph = self.graph.as_ref()?;
        let position = *self.positions.get(&id)?;
        Some((graph, position..graph.entries[position].end))
    }

    /// True if control that comes to the top of `then` has come to the top of `first` before, or these are one statement; also for what is never reached.
    pub fn is_always_before(&self, first: StmtId, then: StmtId) -> bool {
        let (Some((graph, own)), Some((_, other))) = (self.find(first), self.find(then)) else {
            return false;
        };
        own.start == other.start || !graph.reachable_without(Some(before(own.start)))[before(other.start)]
    }

    /// How control may leave the statement.
    pub fn exits(&self, id: StmtId) -> &Exits {
        self.positions
            .get(&id)
            .and_then(|position| self.exits.get(*position))
            .unwrap_or(&self.nothing)
    }

    /// Whether control can come to the statement, or to anything in it.
    pub fn reachable(&self, id: StmtId) -> bool {
        self.positions
            .get(&id)
            .is_some_and(|position| self.reachable[*position])
    }

    /// The statements in the loop that may leave it other than by its condition, in text order. Empty for what is no loop.
    pub fn early_exits(&self, loop_statement: StmtId) -> Vec<EarlyExit> {
        let Some((graph, inside)) = self.find(loop_statement) else {
            return Vec::new();
        };
        if !matches!(graph.entries[inside.start].statement.kind, StmtKind::Loop(_)) {
            return Vec::new();
        }
        let exit = |at: Position| {
            let entry = &graph.entries[at];
            let how = match &entry.statement.kind {
                StmtKind::Break if entry.target == Some(inside.start) => Leaving::Break,
                StmtKind::Return(_) => Leaving::Return,
                StmtKind::Goto(label) if graph.labels.get(label).is_none_or(|to| !inside.contains(to)) => {
                    Leaving::Goto(*label)
                }
                StmtKind::Call {
                    callee: Callee::Function(callee),
                    ..
                } if does_not_return(self.unit, *callee) => Leaving::Call,
                StmtKind::Opaque { jumps: true, .. } => Leaving::Opaque,
                _ => return None,
            };
            Some(EarlyExit {
                at: entry.statement.id,
                how,
            })
        };
        inside
            .clone()
            .filter(|at| self.reachable[*at])
            .filter_map(exit)
            .collect()
    }

    /// The ways into the statement other than at its top, in text order of where they arrive.
    pub fn side_entries(&self, id: StmtId) -> Vec<SideEntry> {
        let Some((graph, inside)) = self.find(id) else {
            return Vec::new();
        };
        let mut entries = Vec::new();
        let mut enter = |at: Position, from: Position| {
            if at != inside.start {
                entries.push((at, from));
            }
        };
        let has_label = graph.labels.values().any(|at| inside.contains(at));
        for &position in &self.jumps {
            let entry = &graph.entries[position];
            let here = inside.contains(&position);
            match &entry.statement.kind {
                StmtKind::Goto(label) if !here => match graph.labels.get(label) {
                    Some(at) if inside.contains(at) => enter(*at, position),
                    Some(_) => {}
                    // The label may be in something that was not understood.
                    None => {
                        for at in inside
                            .clone()
                            .filter(|at| jumps_unknown(graph.entries[*at].statement))
                        {
                            enter(at, position);
                        }
                    }
                },
                StmtKind::Opaque { jumps: true, .. } if !here && has_label => {
                    graph
                        .labels
                        .values()
                        .filter(|at| inside.contains(at))
                        .for_each(|at| enter(*at, position));
                }
                StmtKind::Case { .. } | StmtKind::Default if here => {
                    if let Some(switch) = entry.target.filter(|switch| !inside.contains(switch)) {
                        enter(position, switch);
                    }
                }
                StmtKind::Call {
                    callee: Callee::Function(callee),
                    ..
                } if here && returns_twice(self.unit, *callee) => {
                    enter(position, position);
                }
                _ => {}
            }
        }
        entries.sort_unstable();
        let id_at = |position: Position| graph.entries[position].statement.id;
        entries
            .into_iter()
            .map(|(at, from)| SideEntry {
                at: id_at(at),
                from: id_at(from),
            })
            .collect()
    }

    /// The `goto`s in the statement whose label is in it too: the statement may go in circles, or in another order than its text.
    pub fn inner_gotos(&self, id: StmtId) -> Vec<StmtId> {
        let Some((graph, inside)) = self.find(id) else {
            return Vec::new();
        };
        let is_inner = |at: &Position| match &graph.entries[*at].statement.kind {
            StmtKind::Goto(label) => {
                self.reachable[*at] && graph.labels.get(label).is_some_and(|to| inside.contains(to))
            }
            _ => false,
        };
        inside
            .clone()
            .filter(is_inner)
            .map(|at| graph.entries[at].statement.id)
            .collect()
    }

    /// The loop or switch that a `break` leaves, the loop that a `continue` goes on with, the switch of a `case` or `default`.
    pub fn target(&self, id: StmtId) -> Option<StmtId> {
        let (graph, inside) = self.find(id)?;
        let target = graph.entries[inside.start].target?;
        Some(graph.entries[target].statement.id)
    }
}

/// The statements directly inside the one at `position`.
fn children<'g>(graph: &'g Graph<'_>, position: Position) -> impl Iterator<Item = Position> + 'g {
    let end = graph.entries[position].end;
    let first = Some(position + 1).filter(|first| *first < end);
    std::iter::successors(first, move |child| {
        Some(graph.entries[*child].end).filter(|next| *next < end)
    })
}

fn jumps_unknown(statement: &Stmt) -> bool {
    matches!(statement.kind, StmtKind::Opaque { jumps: true, .. })
}

/// Whether a condition is a constant, and which. Casts between integers are looked through only where the value cannot change.
pub fn constant_truth(condition: &Expr) -> Option<bool> {
    match &condition.kind {
        ExprKind::Int(value) => Some(*value != 0),
        ExprKind::Cast(inner) => match inner.kind {
            // Small enough for every integer type; the conversion keeps 0 and 1 as they are.
            ExprKind::Int(value @ 0..=127) => Some(value != 0),
            ExprKind::Logical(..) | ExprKind::Unary(UnaryOp::Not, _) => constant_truth(inner),
            _ => None,
        },
        ExprKind::Unary(UnaryOp::Not, inner) => constant_truth(inner).map(|truth| !truth),
        ExprKind::Logical(op, a, b) => {
            let deciding = *op == LogicalOp::Or;
            match (constant_truth(a), constant_truth(b)) {
                (Some(truth), _) | (_, Some(truth)) if truth == deciding => Some(deciding),
                (Some(_), Some(_)) => Some(!deciding),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Library functions that do not return, for programs without their headers' attributes.
const NORETURN: &[&str] = &[
    "exit",
    "_exit",
    "_Exit",
    "abort",
    "quick_exit",
    "longjmp",
    "_longjmp",
    "siglongjmp",
    "pthread_exit",
    "thrd_exit",
    "__assert_fail",
    "__builtin_unreachable",
    "__builtin_trap",
    "__builtin_abort",
    "__builtin_exit",
    "__builtin_longjmp",
];

/// Library functions that may return a second time.
const RETURNS_TWICE: &[&str] = &[
    "setjmp",
    "_setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "__builtin_setjmp",
    "savectx",
    "getcontext",
    "vfork",
];

/// True if a call of the function certainly does not come back.
pub fn does_not_return(unit: &Unit, function: FunctionRef) -> bool {
    unit.functions.get(function.0 as usize).is_some_and(|function| {
        function.noreturn || (function.body.is_none() && NORETURN.contains(&function.name.as_str()))
    })
}

/// True if a call of the function may come back more than once (`setjmp`).
pub fn returns_twice(unit: &Unit, function: FunctionRef) -> bool {
    unit.functions
        .get(function.0 as usize)
        .is_some_and(|function| function.body.is_none() && RETURNS_TWICE.contains(&function.name.as_str()))
}

#[cfg(test)]
mod tests;
