//! Do several threads, teams or lanes run what a directive governs, or is there only one?
//!
//! By its own clauses and those of the directives around it, also in callers: `if`, `num_threads`, `thread_limit` and `num_teams`, and by the number that the
//! program has asked for before ([`super::asked`]). Where nothing says otherwise there are several. A `parallel` region inside of another one with several threads has one, as long as the run time is not told otherwise
//! (max-active-levels-var, which gcc's and clang's run times begin with as 1): by a call of the program, which makes it several here, or by the environment.
//!
//! What it cannot do: what the run time is told else (`omp_set_num_teams(1)`, `omp_set_dynamic(1)`), environment variables, and worksharing that no directive makes threads for.

use super::{Outcomes, Walker};
use crate::state::State;
use ferry_directive::{Directive, Language};
use ferry_ir::visit::calls;
use ferry_ir::{Callee, Expr as Code};
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
    /// A `parallel` with several threads is around.
    active: Option<bool>,
    /// Threads are undecided since that region is inside of another one with several threads: they are one unless the environment says otherwise.
    pub nested: bool,
}

/// Functions that may let regions inside of regions have threads, with the greatest argument that does not.
const NESTING: [(&str, i128); 2] = [("omp_set_nested", 0), ("omp_set_max_active_levels", 1)];

impl Workers {
    /// Where no directive is around.
    pub const UNSAID: Workers = Workers {
        threads: Some(true),
        teams: Some(true),
        any: Some(true),
        limited: Some(true),
        active: Some(false),
        nested: false,
    };

    /// True if other threads may run beside the one that is followed.
    pub(super) fn may_be_among_others(&self) -> bool {
        self.active != Some(false)
    }
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
        let threads = match directive.has_clause("num_threads") {
            true => threads,
            false => state.threads.several(),
        };
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
        // Threads on the device are counted from there.
        if has("target") || has("teams") {
            (found.active, found.nested) = (Some(false), false);
        }
        if has("teams") {
            found.teams = teams;
            shared.push(teams);
        } else if has("distribute") {
            shared.push(found.teams);
        }
        if has("parallel") {
            let own = all(&[of("parallel"), threads, found.limited]);
            let inside = found.active != Some(false) && own != Some(false) && !self.nests();
            found.nested = inside && found.active == Some(true);
            found.threads = if inside { None } else { own };
            found.active = one_of(&[found.active, own]);
            shared.push(found.threads);
        } else if ["for", "sections", "single", "scope", "taskloop"]
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

    /// True if the program may let regions inside of regions have threads.
    fn nests(&self) -> bool {
        let bodies = self
            .unit
            .functions
            .iter()
            .filter_map(|function| function.body.as_ref());
        bodies.flat_map(calls).any(|call| {
            let Callee::Function(id) = call.callee else {
                return false;
            };
            let name = &self.unit.function(*id).name;
            let level = call.arguments.first().and_then(Code::as_int);
            let known = NESTING.iter().find(|(one, _)| one == name);
            known.is_some_and(|(_, most)| level.is_none_or(|level| level > *most))
        })
    }
}

/// Whether a condition holds.
pub(crate) fn decided(outcomes: &Outcomes, facts: &Facts) -> Option<bool> {
    let condition = outcomes.exact()?;
    let never = || facts.prove(&condition.not()).then_some(false);
    facts.prove(&condition).then_some(true).or_else(never)
}

pub(super) fn more_than_one(value: &Expr, facts: &Facts) -> Option<bool> {
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
