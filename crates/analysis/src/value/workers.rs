//! Do several threads, teams or lanes run what a directive governs, or is there only one?
//!
//! By its own clauses and those of the directives around it, also in callers: `if`, `num_threads`, `thread_limit` and `num_teams`. Where nothing says
//! otherwise there are several.
//!
//! What it cannot do: what the run time is told (`omp_set_num_threads(1)`), environment variables, and worksharing that no directive makes threads for.

use super::{Outcomes, Walker};
use crate::state::State;
use ferry_directive::{Directive, Language};
use ferry_ir::Expr as Code;
use ferry_symbolic::{Expr, Facts};

/// Who runs a statement. Of each: `Some(true)` if there are several, `Some(false)` if there is one, `None` if that is not decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Workers {
    /// Threads of the innermost `parallel`.
    pub threads: Option<bool>,
    /// Teams of the `teams` around it.
    pub teams: Option<bool>,
    /// Anything among which the directive itself shares out work, or makes.
    pub any: Option<bool>,
    /// A `thread_limit` leaves one thread to each team.
    limited: Option<bool>,
}

impl Workers {
    /// Where no directive is around.
    pub const UNSAID: Workers = Workers {
        threads: Some(true),
        teams: Some(true),
        any: Some(true),
        limited: Some(true),
    };
}

impl Walker<'_> {
    /// Who runs what a directive governs whose `if` clauses say this.
    pub(super) fn workers_of(
        &mut self,
        directive: &Directive<Code>,
        conditions: &[(Option<String>, Outcomes)],
        state: &mut State,
    ) -> Workers {
        let mut number = |clause: &str| match directive.value(clause) {
            None => (!directive.has_clause(clause)).then_some(true),
            Some(value) => {
                let value = self.value(value, state)?;
                more_than_one(&value, &state.facts)
            }
        };
        let (threads, limit, teams) = (number("num_threads"), number("thread_limit"), number("num_teams"));
        let holds = |concerned: &dyn Fn(Option<&str>) -> bool| {
            let concerned = conditions.iter().filter(|(name, _)| concerned(name.as_deref()));
            let parts = concerned.map(|(_, outcomes)| decided(outcomes, &state.facts));
            all(&parts.collect::<Vec<_>>())
        };
        if directive.language == Language::OpenAcc {
            let any = holds(&|_| true);
            return Workers { any, ..self.workers };
        }
        let has = |leaf: &str| directive.has_leaf(leaf);
        let of = |leaf: &'static str| holds(&move |name| name.is_none_or(|name| name == leaf));
        let mut found = self.workers;
        found.limited = all(&[found.limited, limit]);
        let mut shared = Vec::new();
        if has("teams") {
            found.teams = teams;
            shared.push(teams);
        } else if has("distribute") {
            shared.push(found.teams);
        }
        if has("parallel") {
            found.threads = all(&[of("parallel"), threads, found.limited]);
            shared.push(found.threads);
        } else if ["for", "sections", "single", "scope"]
            .iter()
            .any(|leaf| has(leaf))
        {
            shared.push(found.threads);
        }
        if has("loop") {
            shared.extend([found.threads, found.teams]);
        }
        if has("simd") {
            shared.push(of("simd"));
        }
        found.any = match shared.is_empty() {
            true => holds(&|name| name != Some("target")),
            false => one_of(&shared),
        };
        found
    }
}

/// Whether a condition holds.
fn decided(outcomes: &Outcomes, facts: &Facts) -> Option<bool> {
    let condition = outcomes.exact()?;
    let never = || facts.prove(&condition.not()).then_some(false);
    facts.prove(&condition).then_some(true).or_else(never)
}

fn more_than_one(value: &Expr, facts: &Facts) -> Option<bool> {
    let one = || facts.prove_nonnegative(&(&Expr::one() - value)).then_some(false);
    facts
        .prove_nonnegative(&(value - &Expr::int(2)))
        .then_some(true)
        .or_else(one)
}

/// True if all are, false if one is not.
fn all(parts: &[Option<bool>]) -> Option<bool> {
    together(parts, false)
}

/// True if one is, false if none is.
fn one_of(parts: &[Option<bool>]) -> Option<bool> {
    together(parts, true)
}

/// One of the parts that is `decisive` decides, else all of them do.
fn together(parts: &[Option<bool>], decisive: bool) -> Option<bool> {
    match parts.contains(&Some(decisive)) {
        true => Some(decisive),
        false => parts.iter().all(Option::is_some).then_some(!decisive),
    }
}
