//! Judge 5: do the warps of every loop nest of every test program touch as many sectors and lines as the analysis says?
//!
//! Each program runs in the interpreter with both its sizes. Its nests are taken as if one, two or three of their outer loops ran in parallel, on a GPU with
//! warps of 32 threads and on small ones, whose warps are full in short loops, too. The addresses that the threads of a warp touch together are counted,
//! sector by sector and line by line: the count must lie between the least and the most that is said for a full warp, and neighbours must be as far apart
//! as the stride says.

use crate::common;

use common::warps::Judge;
use common::{judged, programs, with_sizes};
use ferry_gpu::Gpu;
use ferry_ir::interpret::{Options, run};

fn gpus() -> Vec<Gpu> {
    let usual = ferry_gpu::builtin().clone();
    let small = |warp: u32, sector: u64, line: u64| Gpu {
        warp,
        sector,
        line,
        ..usual.clone()
    };
    vec![small(4, 8, 32), small(3, 16, 16), usual.clone()]
}

#[test]
fn warps_touch_what_is_said() {
    let gpus = gpus();
    let counts = judged(&with_sizes(programs()), |analysed, _| {
        let mut judge = Judge::new(analysed, &gpus);
        run(&analysed.units, &Options::default(), &mut judge);
        (judge.counts, judge.complaints.list)
    });
    if std::env::var("FERRY_PROGRAMS").is_err() {
        // The judge must not be empty.
        assert!(counts.full > 100_000 && counts.strides > 100_000, "{counts:?}");
        // Most counts are open only in where the warp begins.
        assert!(
            counts.exact + counts.from_start > counts.full * 9 / 10,
            "{counts:?}"
        );
        assert!(counts.skipped < counts.full / 2, "{counts:?}");
    }
}
