//! Do two accesses touch the same memory in different iterations of a loop?
//!
//! A ladder of tests, cheap to dear, each counted: constant, SIV, GCD, then the range test (Blume and Eigenmann) with
//! symbolic bounds, first on each subscript of the declared shape, then on the whole address (which includes
//! Banerjee's inequalities; before that on the digits of an address of which all are known, `digits`), then on the address taken apart into a quotient and a remainder of a symbolic stride
//! (delinearisation, a view for the proof), then on each case of addresses that depend on conditions (`cases`), and last the
//! integer sets are asked whether the two meet anywhere (`exact`). That two certainly meet in the same iterations of the loops inside is found by `fixed`, and by `chosen` where their addresses depend on conditions. Where none of them decides, `in_order` adds what follows if values that the iterations read are in order, and `condition` says what would have to hold of values
//! that the loop does not change; where the two may meet, `direction` says how their iterations lie to each other. Every test asks for `source` in iteration `k` and `sink` in a later
//! iteration `k' > k`; everything that varies in the loop is renamed on one side.

mod alike;
mod asked;
mod both;
mod cases;
mod chosen;
mod condition;
mod digits;
mod direction;
mod exact;
mod fixed;
pub(crate) mod in_order;
mod ladder;
mod likely;
mod missing;
mod prepared;
mod view;

pub(crate) use view::splits;

pub use alike::Tested;
pub use asked::Asked;
pub use both::Both;
pub use cases::Question;
pub use chosen::chosen_distance;
pub use condition::{apart_if, simplest};
pub use direction::{Direction, anything, is_same_where_they_meet, join, vector};
pub use fixed::fixed_distances;
pub use ladder::{Counters, Outcome, Rung, carried, carried_where};
pub use likely::is_likely;
pub use prepared::Prepared;

use ferry_symbolic::Expr;

/// What is known of a pair in one direction.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// No later iteration touches what an earlier one touched.
    Independent(Rung),
    /// There are such iterations, whenever the loop runs long enough.
    Carried {
        /// The test that shows it.
        rung: Rung,
        /// How many iterations apart, if that is one number.
        distance: Option<Expr>,
    },
    /// Cannot be said.
    Unknown,
}
