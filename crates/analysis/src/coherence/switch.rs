//! Which paths are there through a `switch`?
//!
//! As through a chain of conditions: for each label, or labels one behind the other, the statements from there on until something leaves, beside the path on which
//! none of these labels fits; `default` is where no label fits. Statements that are also entered from the case above are walked once for each way in.
//!
//! What it cannot do: labels inside of other statements, and very many of them. Such a switch is one step whose every part may happen or not, and nothing is sure
//! behind it if it holds directives.

use super::copies::Way;
use super::state::State;
use super::walk::{Flow, Walk};
use crate::shape::cases;
use ferry_ir::{Stmt, StmtId, StmtKind};
use ferry_symbolic::{Condition, Expr};

/// Most ways into a switch.
const MOST_ENTRIES: usize = 48;

/// A way into a switch.
struct Entry<'s> {
    /// The first of its labels.
    stmt: StmtId,
    /// First and last values. Beside `default` they say nothing.
    labels: Vec<(i128, i128)>,
    default: bool,
    /// From the labels to the end of the switch.
    body: &'s [Stmt],
}

impl<'a> Walk<'a> {
    pub(super) fn switch(&mut self, stmt: &Stmt, body: &Stmt, state: State) -> Flow {
        let Some(entries) = entries(body) else {
            if self.has_directives(stmt) {
                self.lose_sight(
                    "directives inside a switch with labels in its statements, or very many, are not followed",
                    stmt.origin,
                );
                return Flow::at(state);
            }
            return self.whole(stmt, state);
        };
        let state = self.step(stmt, &[stmt.id], state);
        let value = self.values.switched.get(&stmt.id).cloned();
        self.entered(value.as_ref(), &entries, state)
    }

    /// The paths through the first of these, and past it.
    fn entered(&mut self, value: Option<&Expr>, entries: &[Entry<'_>], state: State) -> Flow {
        let Some((first, others)) = entries.split_first() else {
            return Flow::at(state);
        };
        if first.default {
            return self.until_break(first.body, state);
        }
        let fits = value.map(|value| {
            let labels = first.labels.iter();
            Condition::any(labels.map(|(low, high)| Condition::in_range(value, *low, *high)))
        });
        let not = fits.as_ref().map(Condition::not);
        self.fork(
            first.stmt,
            fits.as_ref(),
            |walk, state| walk.knowing(fits.clone(), |walk| walk.until_break(first.body, state)),
            |walk, state| walk.knowing(not, |walk| walk.entered(value, others, state)),
            state,
        )
    }

    /// Walks on where the value of the switch fits some labels, or does not.
    fn knowing(&mut self, fits: Option<Condition>, walk: impl FnOnce(&mut Self) -> Flow) -> Flow {
        let before = self.fits.len();
        self.fits.extend(fits);
        let flow = walk(self);
        self.fits.truncate(before);
        flow
    }

    /// Behind the switch control goes on after `break`, too.
    fn until_break(&mut self, body: &[Stmt], state: State) -> Flow {
        let mut flow = self.statements(body, state);
        let ends = flow
            .falls
            .take()
            .into_iter()
            .chain(std::mem::take(&mut flow.breaks));
        flow.falls = self.meet_all(ends, Way::Jump);
        flow
    }
}

/// The ways into a switch, that of `default` last; `None` if they are not all seen.
fn entries(body: &Stmt) -> Option<Vec<Entry<'_>>> {
    let body = cases(body)?;
    let mut entries: Vec<Entry<'_>> = Vec::new();
    let mut behind_label = false;
    for (place, stmt) in body.iter().enumerate() {
        let label = match &stmt.kind {
            StmtKind::Case { low, high } => Some((*low, *high)),
            StmtKind::Default => None,
            _ => {
                behind_label = false;
                continue;
            }
        };
        if !behind_label {
            entries.push(Entry {
                stmt: stmt.id,
                labels: Vec::new(),
                default: false,
                body: &[],
            });
        }
        let entry = entries.last_mut()?;
        entry.labels.extend(label);
        entry.default |= label.is_none();
        entry.body = body.get(place + 1..).unwrap_or_default();
        behind_label = true;
    }
    entries.sort_by_key(|entry| entry.default);
    (entries.len() <= MOST_ENTRIES).then_some(entries)
}
