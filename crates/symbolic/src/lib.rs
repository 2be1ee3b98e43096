//! Integer mathematics: canonical symbolic expressions, ranges and proofs. Knows no programs.
//!
//! - [`Integer`]: of any size. [`Expr`]: canonical sums of products; `==` compares canonical forms. [`Condition`]: comparisons of
//!   expressions with 0, joined by `and` and `or`.
//! - [`Facts`]: what is known, and queries: proofs ([`Facts::prove`], [`Facts::explain`]), simplification ([`Facts::simplify`]), bounds
//!   over loop counters ([`Facts::maximum`], [`Facts::minimum`], [`Facts::nonempty`]), definedness ([`Facts::prove_defined`]).
//! - [`Range`]: sets of integers between symbolic ends in steps, with the operations of C and refinement by comparisons.
//! - [`set::Set`]: integer points in terms of symbols, exactly, through isl.
//! - [`text`] and [`condition_text`] print mathematics, [`c_text`] and [`c_condition`] print C, [`name_common`] names what repeats.
//!
//! Everything is about mathematical integers: nothing wraps. Where an expression is undefined (division by 0), canonical forms and
//! simplified expressions may be defined, never the other way round, and statements are about defined values only. All operations are
//! total, deterministic and bounded: past the limits expressions become *oversize* atoms and proofs are "not shown".

mod atom;
mod bits;
mod bound;
mod c_text;
mod collect;
mod common;
mod condition;
mod congruence;
mod defined;
mod divide;
mod example;
mod expr;
mod extremum;
mod facts;
mod guarded;
mod integer;
mod interval;
mod layout;
mod linear;
mod linked;
mod memo;
mod print;
mod prove;
mod prover;
mod query;
mod range;
mod range_arithmetic;
mod recall;
pub mod set;
mod shared;
mod shifted;
mod simplex;
mod simplify;
mod witness;

pub use atom::{Atom, Compound, Monomial, Operation, Symbol};
pub use bound::Bound;
pub use c_text::{COptions, c_condition, c_text};
pub use common::name_common;
pub use condition::{Comparison, Condition, ConditionKind, Relation};
pub use example::Example;
pub use expr::{Expr, MAX_DEGREE, MAX_DEPTH, MAX_NODES, MAX_TERMS, Term};
pub use facts::Facts;
pub use guarded::MAX_CASES;
pub use integer::Integer;
pub use print::{condition_text, text};
pub use prove::{Order, Sign};
pub use prover::work_done;
pub use range::{Comparator, Range, Step};
