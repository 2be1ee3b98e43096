//! How many blocks of threads does a multiprocessor hold?
//!
//! The smallest of what its shared memory, its threads and its slots for blocks allow (Juravle §5: 32 KB of 48 KB leave room for one block, 16 KB
//! for three). Registers count, too, but how many a kernel takes is the compiler's secret: what is said here is an upper bound.

use crate::Gpu;

/// What limits the number of blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// The shared memory.
    SharedMemory,
    /// The threads.
    Threads,
    /// The slots for blocks.
    Blocks,
    /// One block needs more than there is.
    DoesNotFit,
}

/// The blocks that are on one multiprocessor at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupancy {
    /// How many.
    pub blocks: u64,
    /// Their threads, of those that the multiprocessor could hold.
    pub threads: u64,
    /// Why not more.
    pub limit: Limit,
}

/// The occupancy with blocks of so many threads that need so many bytes of shared memory each.
pub fn occupancy(gpu: &Gpu, threads: u64, shared: u64) -> Occupancy {
    if threads == 0 || threads > gpu.threads_per_block || shared > gpu.shared_per_block {
        return Occupancy {
            blocks: 0,
            threads: 0,
            limit: Limit::DoesNotFit,
        };
    }
    // Threads come in whole warps.
    let held = threads.div_ceil(u64::from(gpu.warp)) * u64::from(gpu.warp);
    let mut found = (gpu.blocks_per_multiprocessor, Limit::Blocks);
    let by_threads = gpu.threads_per_multiprocessor / held;
    if by_threads < found.0 {
        found = (by_threads, Limit::Threads);
    }
    if let Some(by_memory) = gpu.shared_per_multiprocessor.checked_div(shared)
        && by_memory < found.0
    {
        found = (by_memory, Limit::SharedMemory);
    }
    Occupancy {
        blocks: found.0,
        threads: found.0 * held,
        limit: found.1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    /// Juravle's arithmetic, §5: the GPU of the thesis has 48 KB for each multiprocessor.
    #[test]
    fn shared_memory_limits_the_blocks() {
        let mut gpu = builtin().clone();
        gpu.shared_per_multiprocessor = 48 << 10;
        gpu.shared_per_block = 48 << 10;
        let blocks = |shared: u64| occupancy(&gpu, 128, shared).blocks;
        assert_eq!((blocks(32 << 10), blocks(16 << 10), blocks(8 << 10)), (1, 3, 6));
        assert_eq!(occupancy(&gpu, 128, 16 << 10).limit, Limit::SharedMemory);
        assert_eq!(
            occupancy(&gpu, 128, 0),
            Occupancy {
                blocks: 16,
                threads: 2048,
                limit: Limit::Threads
            }
        );
        assert_eq!(occupancy(&gpu, 32, 0).limit, Limit::Blocks);
        assert_eq!(occupancy(&gpu, 128, 49 << 10).limit, Limit::DoesNotFit);
        assert_eq!(occupancy(&gpu, 1_025, 0).blocks, 0);
        // Of 65 threads, one has a warp for itself: 21 blocks of 96, not 31 of 65.
        let alone = occupancy(&gpu, 65, 0);
        assert_eq!((alone.blocks, alone.threads), (21, 2_016));
    }
}
