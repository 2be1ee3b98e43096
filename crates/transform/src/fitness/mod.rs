//! Does a loop that may run in any order suit a GPU, and why?
//!
//! Juravle §4.1 asks four questions: no carried dependence, a loop that can be counted, no writes to variables of the file, calls that a device has.
//! The first two and the last are the verdict's and `kernel`'s; they refuse. Here is what does not refuse but decides whether it pays: how many iterations
//! run at a time (`threads`), what of the nest each thread runs alone (`nest`), where neighbouring threads part (`divergence`), how often what is copied
//! is used (`work`), and how often the kernel is started (`launches`). No times are estimated: each reason is a fact that can be looked up in the text.
//! What happens inside called functions is not looked at.

mod divergence;
mod launches;
mod nest;
mod work;

use crate::environment::Environment;
use crate::kernel::{self, Context, collapse};
pub use divergence::{Divergence, Fork, Varies, of_body as divergence};
use ferry_analysis::loops::{LoopFacts, LoopIndex};
use ferry_analysis::symbols::Cause;
use ferry_ir::{Stmt, StmtKind};
use ferry_symbolic::Expr;
pub use launches::{Launches, of_kernel as launches};
pub use nest::{Alone, Between, WhyAlone};

/// Least number of iterations of a nest, where it is known: below, the launch alone (some ten microseconds, and ten more for each copy) costs more than
/// the loop.
pub const LEAST_ITERATIONS: i64 = 32;

/// Below this number of threads most of a GPU stands idle: a hundred multiprocessors want some thousand threads each to hide the latency of their memory;
/// with fewer than one warp for each of their four schedulers not even every arithmetic unit is used (100 · 4 · 32).
pub const FEW_THREADS: i64 = 12_800;

/// How well a loop suits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Suits {
    /// Nothing speaks against it.
    Well,
    /// Something does, and whether it counts depends on what is not in the text.
    Depends,
    /// It would rather be slower.
    Poorly,
}

/// One thing that speaks for or against a kernel.
#[derive(Clone, Debug)]
pub enum Reason {
    /// So many iterations may run at a time: those of the loops that run together, outermost first.
    Threads {
        /// Their number, if it is known before the loop.
        count: Option<Expr>,
        /// The loops.
        loops: Vec<LoopIndex>,
    },
    /// A parallel loop inside that each thread runs alone.
    Alone(Alone),
    /// A place at which neighbouring threads may do different things.
    Diverges(Divergence),
    /// The iterations grow in number like the data that are copied, or more slowly: each element is used a few times.
    LittleWork,
    /// The kernel is inside loops that stay on the host.
    Launches(Launches),
}

impl Reason {
    /// How well a loop suits of which nothing else is known.
    pub fn suits(&self) -> Suits {
        match self {
            Reason::Threads { count, .. } => match count.as_ref().and_then(constant) {
                Some(count) if count < LEAST_ITERATIONS => Suits::Poorly,
                Some(count) if count < FEW_THREADS => Suits::Depends,
                _ => Suits::Well,
            },
            Reason::Alone(alone) if alone.is_by_choice() => Suits::Well,
            Reason::Diverges(one) if one.varies <= Varies::Rows => Suits::Well,
            Reason::Launches(launches) if launches.copies > 0 => Suits::Poorly,
            Reason::Alone(_) | Reason::Diverges(_) | Reason::LittleWork | Reason::Launches(_) => {
                Suits::Depends
            }
        }
    }
}

/// What is known of one parallel loop.
#[derive(Clone, Debug)]
pub struct Fitness {
    /// In the order of the questions above.
    pub reasons: Vec<Reason>,
}

impl Fitness {
    /// As well as its worst reason.
    pub fn suits(&self) -> Suits {
        let all = self.reasons.iter().map(Reason::suits);
        all.max().unwrap_or(Suits::Well)
    }
}

/// What speaks for and against a kernel that begins with this parallel loop. `environment` is the one that its kernel has, if it is one.
pub fn of_loop(
    context: Context<'_>,
    stmt: &Stmt,
    index: LoopIndex,
    environment: Option<&Environment>,
) -> Option<Fitness> {
    let StmtKind::Loop(_) = &stmt.kind else {
        return None;
    };
    let mut together = collapse(context, stmt, index);
    let kernel = environment.and_then(|one| one.kernels.iter().find(|kernel| kernel.index == index));
    if let Some(kernel) = kernel {
        together.truncate(kernel.collapse);
    }
    let count = product(context, &together);
    // Of sizes that are symbols, a product of two is taken for many.
    let enough = match count.as_ref().and_then(constant) {
        Some(count) => count >= FEW_THREADS,
        None => together.len() > 1,
    };
    let mut reasons = vec![Reason::Threads {
        count,
        loops: together.clone(),
    }];
    let innermost = together.last().copied().unwrap_or(index);
    if let Some(body) = body_of(context, stmt, innermost) {
        reasons.extend(nest::alone(context, body, innermost, enough).map(Reason::Alone));
        let found = divergence::of_body(context, body, &together, 1);
        reasons.extend(found.into_iter().map(Reason::Diverges));
    }
    if work::is_little(context, index) {
        reasons.push(Reason::LittleWork);
    }
    if let Some(environment) = environment
        && let Some(launches) = launches::of_kernel(context, index, environment)
    {
        reasons.push(Reason::Launches(launches));
    }
    Some(Fitness { reasons })
}

/// The number of iterations of loops that run together.
fn product(context: Context<'_>, loops: &[LoopIndex]) -> Option<Expr> {
    loops.iter().try_fold(Expr::one(), |all, index| {
        let trip = context.facts.values.loops[index.0 as usize].trip.as_ref().ok()?;
        Some(all.times(trip))
    })
}

/// The body of a loop that is somewhere in a statement.
fn body_of<'a>(context: Context<'_>, stmt: &'a Stmt, index: LoopIndex) -> Option<&'a Stmt> {
    let id = context.facts.values.loops[index.0 as usize].stmt;
    let mut found = None;
    stmt.walk(&mut |inner| {
        if let StmtKind::Loop(of) = &inner.kind
            && inner.id == id
        {
            found = Some(&of.body);
        }
    });
    found
}

/// Why the loop nest is not worth a kernel, judged by its own trip counts (those of the loops inside multiply).
pub fn too_small(facts: &LoopFacts, inside: &[&LoopFacts]) -> Option<Cause> {
    let mut total = known(facts)?;
    for inner in inside {
        total = total.saturating_mul(known(inner)?.max(1));
    }
    (total < LEAST_ITERATIONS).then(|| {
        Cause::new(
            format!("it has {total} iterations, too few to be worth a kernel"),
            facts.origin,
        )
    })
}

/// Why a loop is not worth a kernel below loops that stay on the host: it would be started in each iteration of a nest over the data, and work on a line of them.
pub fn started_too_often(context: Context<'_>, index: LoopIndex, outside: &[LoopIndex]) -> Option<Cause> {
    let around = work::not_worth_its_starts(context, index, outside)?;
    let loops = &context.facts.values.loops;
    let names: Vec<String> = around
        .iter()
        .filter_map(|of| loops[of.0 as usize].inductions.first())
        .map(|induction| kernel::name_of(context, induction.variable))
        .collect();
    let why = format!(
        "it would be started in each iteration of the loops over {}, and do little each time: a start takes longer",
        names.join(" and ")
    );
    Some(Cause::new(why, loops[index.0 as usize].origin))
}

/// Why a loop is not worth a pass over the values in whose order its iterations are independent, just before it: it does next to nothing with each of them.
pub fn only_a_pass(context: Context<'_>, index: LoopIndex) -> Option<Cause> {
    let values = &context.facts.values;
    let facts = &values.loops[index.0 as usize];
    context.facts.verdicts[index.0 as usize].sorted.first()?;
    let does_more = !facts.calls.is_empty() || values.loops.iter().any(|inner| inner.parent == Some(index));
    (!does_more).then(|| {
        let why = "to find out whether the values that keep its iterations apart are in order takes a pass over them, which costs about as much as the loop: it has no loop and no call inside, and is in no other loop";
        Cause::new(why, facts.origin)
    })
}

fn known(facts: &LoopFacts) -> Option<i64> {
    facts.trip.as_ref().ok().and_then(constant)
}

fn constant(count: &Expr) -> Option<i64> {
    count.as_constant().and_then(|count| count.to_i64())
}
