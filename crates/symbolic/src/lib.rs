//! Integer mathematics: canonical symbolic expressions, ranges and proofs. Knows no programs.

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
mod expr;
mod extremum;
mod facts;
mod guarded;
mod integer;
mod interval;
mod layout;
mod print;
mod prove;
mod query;
mod range;
mod simplex;
mod simplify;

pub use atom::{Atom, Compound, Monomial, Operation, Symbol};
pub use bound::Bound;
pub use c_text::{COptions, c_condition, c_text};
pub use common::name_common;
pub use condition::{Comparison, Condition, ConditionKind, Relation};
pub use expr::{Expr, MAX_DEGREE, MAX_DEPTH, MAX_NODES, MAX_TERMS, Term};
pub use facts::Facts;
pub use guarded::MAX_CASES;
pub use integer::Integer;
pub use print::{condition_text, text};
pub use prove::{Order, Sign};
pub use range::{Comparator, Range, Step};
