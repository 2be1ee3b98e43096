//! Is a parallel loop worth a kernel?
//!
//! Few and simple rules, each with its reason; `--all` overrides them. The costs behind them: a launch takes about ten
//! microseconds, a transfer ten more and its bytes, and a GPU wants thousands of iterations.

use ferry_analysis::loops::LoopFacts;
use ferry_analysis::symbols::Cause;
use ferry_symbolic::Expr;

/// Least number of iterations of a nest, where it is known.
pub const LEAST_ITERATIONS: i64 = 32;

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

fn known(facts: &LoopFacts) -> Option<i64> {
    facts
        .trip
        .as_ref()
        .ok()
        .and_then(Expr::as_constant)
        .and_then(|count| count.to_i64())
}
