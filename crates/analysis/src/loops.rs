//! What is a loop, once values are known: its trip count, its induction variables, the ways out of it.

use crate::state::State;
use crate::symbols::Cause;
use ferry_ir::{StmtId, VariableRef};
use ferry_source::{Origin, Span};
use ferry_symbolic::{Expr, Facts, Integer, Symbol};

/// A loop of one function, in text order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopIndex(pub u32);

/// A variable whose value in iteration `k` is known by its number: `start + k * step`, or, where the step grows, too, by the same in each iteration,
/// `start + k * step + k * (k - 1) / 2 * growth`.
#[derive(Clone, PartialEq, Debug)]
pub struct Induction {
    /// The variable.
    pub variable: VariableRef,
    /// Value at the start of iteration 0. Pointers count in bytes.
    pub start: Expr,
    /// Difference from iteration 0 to the next.
    pub first_step: Expr,
    /// By how much that difference grows from one iteration to the next; mostly 0.
    pub growth: Expr,
}

impl Induction {
    /// Its value after so many iterations.
    pub fn after(&self, number: &Expr) -> Expr {
        after(&self.start, &self.first_step, &self.growth, number)
    }

    /// Difference from one iteration to the next, if that is the same in all of them.
    pub fn step(&self) -> Option<&Expr> {
        self.growth.is_zero().then_some(&self.first_step)
    }
}

/// What comes of a value in so many iterations by a step that grows.
pub fn after(start: &Expr, first_step: &Expr, growth: &Expr, number: &Expr) -> Expr {
    let fixed = start + &(first_step * number);
    if growth.is_zero() {
        return fixed;
    }
    // One of two neighbours is even.
    let pairs = &(number * number) - number;
    let grown = match growth.divide_exactly(&Integer::from(2)) {
        Some(half) => &half * &pairs,
        None => growth * &Expr::floor_div(&pairs, &Expr::int(2)),
    };
    &fixed + &grown
}

/// A variable of a loop that has no closed form.
#[derive(Clone, PartialEq, Debug)]
pub struct Open {
    /// The variable.
    pub variable: VariableRef,
    /// Its value at the start of each iteration: with symbols that count how often a path was taken in the iterations
    /// before, or a symbol of its own.
    pub value: Expr,
    /// Its value at the start of iteration 0.
    pub start: Expr,
    /// Its value at the end of an iteration, as far as that is known.
    pub next: Option<Expr>,
    /// Expressions that are not negative in every iteration.
    pub facts: Vec<Expr>,
}

/// A call inside a loop.
#[derive(Clone, PartialEq, Debug)]
pub struct CallSite {
    /// The statement.
    pub stmt: StmtId,
    /// Name of the function, `None` through a pointer.
    pub name: Option<String>,
    /// Why it is an obstacle in a parallel loop, if it is one.
    pub obstacle: Option<Cause>,
    /// The obstacle is that it touches memory, nothing else.
    pub only_memory: bool,
    /// Why it is one in a kernel, if only there.
    pub on_host: Option<Cause>,
    /// True for a function defined by the user.
    pub user: bool,
    /// Where.
    pub at: Origin,
}

/// What is known of one loop.
#[derive(Clone)]
pub struct LoopFacts {
    /// The statement.
    pub stmt: StmtId,
    /// Place of the keyword.
    pub keyword: Option<Span>,
    /// The whole statement.
    pub origin: Origin,
    /// The loop around it.
    pub parent: Option<LoopIndex>,
    /// Number of loops around it.
    pub depth: usize,
    /// Iterations are numbered from 0 by this symbol.
    pub counter: Symbol,
    /// How often the body runs if nothing leaves it early, never negative; with the cause if unknown.
    pub trip: Result<Expr, Cause>,
    /// Variables with a closed form.
    pub inductions: Vec<Induction>,
    /// Variables without a closed form.
    pub open: Vec<Open>,
    /// Ways out of the loop other than its condition.
    pub early_exits: Vec<Cause>,
    /// Code inside that was not understood.
    pub opaque: Vec<Cause>,
    /// Calls inside, at any depth.
    pub calls: Vec<CallSite>,
    /// Values of the variables just before the loop statement.
    pub before: State,
    /// What is known inside the body at its start.
    pub facts_inside: Facts,
    /// The call in whose function the loop is, if it is not a loop of the function itself. Such loops bound accesses;
    /// they have no verdict.
    pub call: Option<StmtId>,
    /// It is no loop of any text: it counts the elements that a call touches.
    pub section: bool,
}

impl LoopFacts {
    /// True for loops of the function's own text.
    pub fn is_own(&self) -> bool {
        self.call.is_none()
    }
}
