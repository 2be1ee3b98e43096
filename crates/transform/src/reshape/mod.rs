//! In which order, and how many together, should the loops of a nest run on a GPU?
//!
//! Sources: IPDA §7, Juravle §5.1 (*what if*). A nest is a chain of loops with nothing between their heads (`nest`). Moving loops outwards is legal if every
//! dependence vector stays lexicographically non-negative (`legal`; IPDA §7.2.1 asks for less and is wrong), and the heads mean the same in any order
//! (`heads`); a directive that is there must not mind (`written`). Every legal order and depth is weighed by the requests of its warps and by its
//! threads (`choose`). The change itself exchanges the heads of loops in the user's text (`apply`), and what was written is read again and compared with
//! the program whose loops were exchanged. For a processor, fewer loops may run together (`processor`).
//!
//! Before, bodies of nests may be split in two (`distribute`), so that perfect nests are left.
//!
//! What it cannot do: bounds that depend on a loop further out (triangles), tiles.

mod apply;
mod choose;
mod clause;
mod distribute;
mod heads;
mod legal;
mod mapped;
mod nest;
mod processor;
mod written;

pub use apply::{Exchange, exchange, is_intended};
pub use choose::{Alternative, Alternatives, LESS, Profit, alternatives, cost, shared_accesses};
pub use clause::collapse as with_collapse;
pub use distribute::{Split, is_split, may_split, parts, split};
pub use heads::have_sums;
pub use legal::Legality;
pub use mapped::{Mapped, mapped, on_device};
pub use nest::{Nest, NestLoop};
pub use processor::{Processor, Shallower, collapsed, shallower};
pub use written::{fits, may_shrink};
