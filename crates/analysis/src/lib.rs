//! Facts about a program: values, accesses, sections, aliases, dependences, verdicts.
//!
//! One file per question. Nothing here changes the program or prints.

pub mod access;
pub mod alias;
pub mod beside;
pub mod bounded;
pub mod canonical;
pub mod coalescing;
pub mod coherence;
pub mod cover;
pub mod declared;
pub mod dependence;
pub mod effects;
pub mod expansion;
pub mod forward;
pub mod joined;
pub mod loops;
mod object;
pub mod path;
pub mod promised;
pub mod quotient;
pub mod races;
pub mod reduction;
pub mod region;
pub mod regions;
pub mod rows;
pub mod scalar;
pub mod shape;
pub mod sharing;
pub mod sorted;
pub mod state;
pub mod symbols;
mod trip;
pub mod value;
pub mod verdict;
pub mod verify;
pub mod word;
