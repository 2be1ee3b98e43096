//! All tests of this crate in one program: it is linked once, and long ones run beside each other.

mod brought;
mod coalescing_holds;
mod common;
mod conditions;
mod dependences_hold;
mod in_order;
mod lent;
mod linked;
mod nests_hold;
mod not_certain;
mod pairs_marked;
mod regions_bounded;
mod regions_exact;
mod regions_for_transfers;
mod regions_hold;
mod regions_needed;
mod regions_of_listings;
mod sections_hold;
mod sharing_of_kernels;
mod vectors_hold;
mod vouched;
