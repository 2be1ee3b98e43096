//! From where to where does control go? One node before and one behind every statement, and edges as the
//! meaning of loops, switches and jumps in `SPECIFICATION.md` has them. Nothing else in Ferry knows this.

use super::{constant_truth, does_not_return};
use crate::{Callee, LabelId, Loop, LoopKind, Stmt, StmtKind, Unit};
use std::collections::{HashMap, HashSet};

/// A statement by its place in the walk of the function, parents first. Unlike [`crate::StmtId`], never twice the same.
pub(super) type Position = usize;

/// A point of the program.
pub(super) type Node = usize;

/// What is known of one statement.
pub(super) struct Entry<'a> {
    pub(super) statement: &'a Stmt,
    /// Positions from its own to this (excluded) are in it.
    pub(super) end: Position,
    /// The loop or switch that a `break` leaves; the loop of a `continue`; the switch of a `case`.
    pub(super) target: Option<Position>,
}

/// The statements and the edges between their points.
pub(super) struct Graph<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) labels: HashMap<LabelId, Position>,
    edges: Vec<Vec<Node>>,
}

/// Where jumps without a label go to, at some place of the program.
#[derive(Clone, Copy, Default)]
struct Around {
    break_to: Option<(Position, Node)>,
    continue_to: Option<(Position, Node)>,
    switch: Option<Position>,
}

/// The point before a statement.
pub(super) fn before(position: Position) -> Node {
    2 * position
}

/// The point behind a statement.
pub(super) fn behind(position: Position) -> Node {
    2 * position + 1
}

impl<'a> Graph<'a> {
    pub(super) fn new(unit: &Unit, body: &'a Stmt) -> Graph<'a> {
        let mut graph = Graph {
            entries: Vec::new(),
            labels: HashMap::new(),
            edges: Vec::new(),
        };
        graph.list(body);
        graph.edges = vec![Vec::new(); 2 * graph.entries.len()];
        let mut builder = Builder {
            unit,
            graph,
            next: 0,
            switches_with_default: HashSet::new(),
            undefined: Vec::new(),
        };
        builder.statement(Around::default());
        builder.unknown_jumps();
        builder.graph
    }

    fn list(&mut self, statement: &'a Stmt) {
        let position = self.entries.len();
        self.entries.push(Entry {
            statement,
            end: position + 1,
            target: None,
        });
        if let StmtKind::Label(label) = statement.kind {
            self.labels.entry(label).or_insert(position);
        }
        statement.for_each_child(&mut |child| self.list(child));
        let end = self.entries.len();
        self.entries[position].end = end;
    }

    /// Which points control can reach from the start.
    pub(super) fn reachable(&self) -> Vec<bool> {
        self.reachable_without(None)
    }

    /// The same if control ends where it comes to a point, which is reached itself.
    pub(super) fn reachable_without(&self, end: Option<Node>) -> Vec<bool> {
        let mut reached = vec![false; self.edges.len()];
        let mut work = vec![before(0)];
        while let Some(node) = work.pop() {
            if let Some(mark) = reached.get_mut(node)
                && !*mark
            {
                *mark = true;
                if Some(node) != end {
                    work.extend(&self.edges[node]);
                }
            }
        }
        reached
    }

    fn edge(&mut self, from: Node, to: Node) {
        self.edges[from].push(to);
    }

    fn point(&mut self) -> Node {
        self.edges.push(Vec::new());
        self.edges.len() - 1
    }
}

/// Goes through the statements in the order in which [`Graph::list`] numbered them.
struct Builder<'u, 'a> {
    unit: &'u Unit,
    graph: Graph<'a>,
    next: Position,
    switches_with_default: HashSet<Position>,
    /// `goto`s to labels that are nowhere.
    undefined: Vec<Position>,
}

impl<'a> Builder<'_, 'a> {
    /// The next statement with everything in it; returns its position.
    fn statement(&mut self, around: Around) -> Position {
        let position = self.next;
        self.next += 1;
        let statement = self.graph.entries[position].statement;
        let (from, to) = (before(position), behind(position));
        match &statement.kind {
            StmtKind::Block { body, .. } => self.sequence(body.len(), from, to, around),
            StmtKind::If {
                condition, otherwise, ..
            } => {
                let truth = constant_truth(condition);
                let then = self.statement(around);
                if truth != Some(false) {
                    self.graph.edge(from, before(then));
                }
                self.graph.edge(behind(then), to);
                let on_false = match otherwise {
                    Some(_) => {
                        let otherwise = self.statement(around);
                        self.graph.edge(behind(otherwise), to);
                        before(otherwise)
                    }
                    None => to,
                };
                if truth != Some(true) {
                    self.graph.edge(from, on_false);
                }
            }
            StmtKind::Loop(l) => self.loop_(position, l, around),
            StmtKind::Switch { .. } => {
                let inside = Around {
                    break_to: Some((position, to)),
                    switch: Some(position),
                    ..around
                };
                let body = self.statement(inside);
                self.graph.edge(behind(body), to);
                if !self.switches_with_default.contains(&position) {
                    self.graph.edge(from, to);
                }
            }
            StmtKind::Case { .. } | StmtKind::Default => {
                self.graph.edge(from, to);
                self.graph.entries[position].target = around.switch;
                if let Some(switch) = around.switch {
                    self.graph.edge(before(switch), from);
                    if statement.kind == StmtKind::Default {
                        self.switches_with_default.insert(switch);
                    }
                }
            }
            StmtKind::Break => self.jump(position, around.break_to),
            StmtKind::Continue => self.jump(position, around.continue_to),
            StmtKind::Return(_) => {}
            StmtKind::Goto(label) => match self.graph.labels.get(label).copied() {
                Some(target) => self.graph.edge(from, before(target)),
                None => self.undefined.push(position),
            },
            StmtKind::Call {
                callee: Callee::Function(callee),
                ..
            } if does_not_return(self.unit, *callee) => {}
            StmtKind::Directive { body: Some(_), .. } => {
                let body = self.statement(around);
                self.graph.edge(from, before(body));
                self.graph.edge(behind(body), to);
            }
            StmtKind::Opaque { jumps: true, .. } => {
                self.graph.edge(from, to);
                for (_, target) in [around.break_to, around.continue_to].into_iter().flatten() {
                    self.graph.edge(from, target);
                }
            }
            StmtKind::Assign { .. }
            | StmtKind::Zero { .. }
            | StmtKind::Call { .. }
            | StmtKind::Declare { .. }
            | StmtKind::Label(_)
            | StmtKind::Directive { body: None, .. }
            | StmtKind::Opaque { .. }
            | StmtKind::Empty => self.graph.edge(from, to),
        }
        position
    }

    fn jump(&mut self, position: Position, target: Option<(Position, Node)>) {
        if let Some((position_of_target, node)) = target {
            self.graph.entries[position].target = Some(position_of_target);
            self.graph.edge(before(position), node);
        }
    }

    /// The next `count` statements one after the other.
    fn sequence(&mut self, count: usize, from: Node, to: Node, around: Around) {
        let mut at = from;
        for _ in 0..count {
            let position = self.statement(around);
            self.graph.edge(at, before(position));
            at = behind(position);
        }
        self.graph.edge(at, to);
    }

    fn loop_(&mut self, position: Position, l: &'a Loop, around: Around) {
        let (from, to) = (before(position), behind(position));
        let [start, test, tested, step] = [(); 4].map(|()| self.graph.point());
        self.sequence(l.init.len(), from, start, around);
        let inside = Around {
            break_to: Some((position, to)),
            continue_to: Some((position, step)),
            ..around
        };
        if l.kind != LoopKind::Do {
            self.sequence(l.before_test.len(), test, tested, inside);
        }
        let body = self.statement(inside);
        self.graph.edge(
            start,
            if l.kind == LoopKind::Do {
                before(body)
            } else {
                test
            },
        );
        self.graph.edge(behind(body), step);
        self.sequence(l.step.len(), step, test, inside);
        if l.kind == LoopKind::Do {
            self.sequence(l.before_test.len(), test, tested, inside);
        }
        let truth = l.condition.as_ref().map_or(Some(true), constant_truth);
        if truth != Some(false) {
            self.graph.edge(tested, before(body));
        }
        if truth != Some(true) {
            self.graph.edge(tested, to);
        }
    }

    /// What is opaque and jumps may go to any label, and may hold the labels that are nowhere else.
    fn unknown_jumps(&mut self) {
        let opaque: Vec<Position> = (0..self.graph.entries.len())
            .filter(|&position| {
                matches!(
                    self.graph.entries[position].statement.kind,
                    StmtKind::Opaque { jumps: true, .. }
                )
            })
            .collect();
        if opaque.is_empty() {
            return;
        }
        // One point in the middle keeps the number of edges linear.
        let middle = self.graph.point();
        for position in opaque {
            self.graph.edge(before(position), middle);
            for &goto in &self.undefined {
                self.graph.edges[before(goto)].push(before(position));
            }
        }
        let labels: Vec<Position> = self.graph.labels.values().copied().collect();
        for label in labels {
            self.graph.edge(middle, before(label));
        }
    }
}
