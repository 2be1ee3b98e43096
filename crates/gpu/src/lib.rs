//! What does a GPU look like, and what does one request of a warp cost on it? Knows no programs and no symbols.
//!
//! - [`Gpu`]: the facts about one GPU, read from a file. The ones that Ferry comes with are in `devices`; a user's file has the same form.
//! - [`Blocks`]: how many pieces of memory (sectors, lines) the bytes lie in that the threads of a warp touch together.
//! - [`occupancy`]: how many blocks of threads a multiprocessor holds, if each needs so much shared memory.
//! - [`banks`]: how often the threads of a warp wait for a bank of the shared memory.
//!
//! The counts are those of the hardware's rules, not times: a request is as dear as the number of sectors that it moves.

mod blocks;
mod descriptor;

pub mod banks;
pub mod occupancy;

pub use blocks::{Blocks, Bytes};
pub use descriptor::{Gpu, Wrong, all, builtin, read};
