//! What do `depend` clauses order?
//!
//! Tasks of one parent are in order if both name the same storage, but for two `in`, and two `inoutset`. Two `mutexinoutset` count as in order, as they do not run at a time. What may be
//! the same storage counts as the same.
//!
//! What it cannot do: dependences of other kinds than `in`, `out`, `inout`, `inoutset` and `mutexinoutset` (`depobj`, `source`, `sink`), and iterators.

use super::Program;
use super::touch::in_later;
use crate::symbols::SymbolKind;
use ferry_directive::{Clause, Directive, Modifier};
use ferry_ir::{Expr as Code, StmtId};
use ferry_symbolic::{Expr, Symbol};

/// A storage that `depend` names.
#[derive(Clone)]
pub(super) struct Dependence {
    /// `in` or `inoutset`: not in order with others of its kind.
    beside: Option<Beside>,
    /// `None`: it may be any.
    root: Option<Symbol>,
    bytes: Option<(Expr, Expr)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Beside {
    In,
    Set,
}

/// The `depend` clauses of a directive, one iteration further on in the loops that are said; false if one says more than is followed.
pub(super) fn dependences(
    program: &Program<'_>,
    stmt: StmtId,
    directive: &Directive<Code>,
    later: &[Symbol],
) -> (Vec<Dependence>, bool) {
    let mut found = Vec::new();
    let mut understood = true;
    let at = program.values.directives.get(&stmt);
    let word = |clause: &Clause<Code>| match clause.modifiers() {
        [Modifier::Word(word)] => Some(word.clone()),
        _ => None,
    };
    for (number, clause) in directive.clauses.iter().enumerate() {
        if clause.name != "depend" {
            continue;
        }
        let word = word(clause);
        let kinds = ["in", "out", "inout", "mutexinoutset", "inoutset"];
        understood &= word.as_deref().is_some_and(|word| kinds.contains(&word));
        for item in 0..clause.items().len() {
            let storage = at.and_then(|at| at.item(number, item));
            let shifted = |value: &Expr| in_later(value, later);
            found.push(Dependence {
                beside: match word.as_deref() {
                    Some("in") => Some(Beside::In),
                    Some("inoutset") => Some(Beside::Set),
                    _ => None,
                },
                root: storage.and_then(|storage| storage.root),
                bytes: storage
                    .and_then(|storage| storage.bytes.as_ref())
                    .map(|(low, high)| (shifted(low), shifted(high))),
            });
        }
    }
    (found, understood)
}

/// True if two tasks with these dependences may be in order by them; the first is made by the directive that is said.
pub(super) fn in_order(
    program: &Program<'_>,
    task: StmtId,
    first: &[Dependence],
    second: &[Dependence],
) -> bool {
    first
        .iter()
        .any(|one| second.iter().any(|other| one.orders(other, program, task)))
}

impl Dependence {
    fn orders(&self, other: &Dependence, program: &Program<'_>, task: StmtId) -> bool {
        if self.beside.is_some() && self.beside == other.beside {
            return false;
        }
        let (Some(a), Some(b)) = (self.root, other.root) else {
            return true;
        };
        let is_object = |root: Symbol| {
            matches!(
                program.values.symbols.info(root).kind,
                SymbolKind::Address(_) | SymbolKind::Allocated(_) | SymbolKind::CalleeVariable { .. }
            )
        };
        if a != b {
            return !is_object(a) || !is_object(b);
        }
        let facts = program.values.directives.get(&task).map(|at| &at.facts);
        match (&self.bytes, &other.bytes, facts) {
            (Some((low, high)), Some((start, end)), Some(facts)) => {
                !facts.prove_less_equal(high, start) && !facts.prove_less_equal(end, low)
            }
            _ => true,
        }
    }
}
