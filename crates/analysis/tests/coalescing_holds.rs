//! Judge 5: do the warps of every loop nest of every test program touch as many sectors and lines as the analysis says?
//!
//! Each program runs in the interpreter with its two sizes and a third. Its nests are taken as if one, two or three of their outer loops ran in parallel, on a GPU with
//! warps of 32 threads and on small ones, whose warps are full in short loops, too. The addresses that the threads of a warp touch together are counted,
//! sector by sector and line by line: the count must lie between the least and the most that is said for a full warp, that of the first warp must be the
//! usual one unless that is called a bound, and neighbours must be as far apart as the stride says. Where the address is a straight line in all counters, each thread
//! of a warp must touch just the bytes that its slopes say, also in warps of two rows, in the last one, and in called functions. With the objects
//! moved to other places the count must lie between the least and the most of any beginning, which a warp of neighbours in one row must attain.

use crate::common;

use common::warps::Judge;
use common::{Setting, judged, programs, with_sizes};
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

/// A third set of sizes, each three more than in the second. That a program has no use for such sizes only ends its run early.
fn more(flags: &[String]) -> Vec<String> {
    let grown = |flag: &String| {
        let (name, value) = flag.split_once('=')?;
        Some(format!("{name}={}", value.parse::<i64>().ok()? + 3))
    };
    flags
        .iter()
        .map(|flag| grown(flag).unwrap_or_else(|| flag.clone()))
        .collect()
}

#[test]
fn warps_touch_what_is_said() {
    let gpus = gpus();
    let third = programs().into_iter().filter_map(|program| {
        let flags = more(program.sizes.as_ref()?);
        let sizes = Setting {
            flags,
            ..Setting::plain()
        };
        Some((program, sizes))
    });
    let all: Vec<_> = with_sizes(programs()).into_iter().chain(third).collect();
    let counts = judged(&all, |analysed, _| {
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
        assert!(
            counts.moved > counts.full / 2 && counts.beyond > 10_000 && counts.attained > 10_000,
            "{counts:?}"
        );
        assert!(
            counts.followed > counts.full / 2
                && counts.crossing > 5_000
                && counts.partial > 5_000
                && counts.called > 1_000,
            "{counts:?}"
        );
        assert!(counts.skipped < counts.full / 2, "{counts:?}");
        assert!(
            counts.usual > 10_000 && counts.below < counts.usual / 4,
            "{counts:?}"
        );
    }
}
