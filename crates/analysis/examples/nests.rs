//! Does the analysis hold on programs that nobody wrote? `./dev nests N [--seed S]`: judges N generated nests in the
//! interpreter (sections, values, trip counts, dependences) on all cores, prints the distribution, the causes of what is
//! unknown, and every violation with the smallest nest that still shows it. Exit status 1 if there is one. With
//! `--regions M`, the regions of the first M are judged too (they take far longer than all else). With `--affine` only
//! those of the N nests that are affine in everything are judged.
#![allow(missing_docs)]

#[path = "../tests/common/mod.rs"]
#[allow(dead_code)] // The tests use the rest of it.
mod common;

use common::nests::{Figures, Shares, judge};
use ferry_judges::generate::{Nest, nest};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Nests in one file.
const TOGETHER: u64 = 60;

struct Arguments {
    count: u64,
    seed: u64,
    threads: usize,
    show: bool,
    shrink: usize,
    regions: u64,
    affine: bool,
}

fn arguments() -> Option<Arguments> {
    let mut found = Arguments {
        count: 0,
        seed: 1,
        threads: std::thread::available_parallelism().map_or(2, usize::from),
        show: false,
        shrink: 5,
        regions: 0,
        affine: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--seed" => found.seed = words.next()?.parse().ok()?,
            "--threads" => found.threads = words.next()?.parse().ok()?,
            "--shrink" => found.shrink = words.next()?.parse().ok()?,
            "--regions" => found.regions = words.next()?.parse().ok()?,
            "--show" => found.show = true,
            "--affine" => found.affine = true,
            _ => found.count = word.parse().ok()?,
        }
    }
    Some(found)
}

fn main() {
    let Some(arguments) = arguments() else {
        eprintln!(
            "usage: nests COUNT [--seed S] [--threads T] [--shrink MOST] [--regions N] [--affine] [--show]"
        );
        std::process::exit(2);
    };
    if arguments.show {
        let nests: Vec<Nest> = (arguments.seed..arguments.seed + arguments.count)
            .map(nest)
            .filter(|nest| nest.affine || !arguments.affine)
            .collect();
        print!("{}", ferry_judges::generate::program(&nests).text);
        return;
    }
    let total = Mutex::new((Figures::default(), Vec::new(), Vec::new()));
    let next = AtomicU64::new(0);
    let worker = || loop {
        let first = next.fetch_add(TOGETHER, Ordering::Relaxed);
        if first >= arguments.count {
            return;
        }
        let last = (first + TOGETHER).min(arguments.count);
        let nests: Vec<Nest> = (first..last)
            .map(|number| nest(arguments.seed + number))
            .filter(|nest| nest.affine || !arguments.affine)
            .collect();
        if nests.is_empty() {
            continue;
        }
        let result = judge(&nests, first < arguments.regions);
        let Ok(mut total) = total.lock() else { return };
        match result {
            Ok((figures, violations)) => {
                total.0 += &figures;
                for one in violations {
                    total.1.push((nests[one.nest].clone(), one.what));
                }
            }
            Err(why) => total.2.push(format!(
                "seeds {} to {}: {why}",
                arguments.seed + first,
                arguments.seed + last - 1
            )),
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            let spawned = std::thread::Builder::new()
                .stack_size(256 << 20)
                .spawn_scoped(scope, worker);
            spawned.expect("a thread");
        }
    });
    let (figures, mut violations, errors) = total.into_inner().unwrap_or_default();
    violations.sort_by(|one, other| (one.0.seed, &one.1).cmp(&(other.0.seed, &other.1)));
    print(&figures);
    for error in &errors {
        println!("not judged: {error}");
    }
    tell(&violations, arguments.shrink);
    std::process::exit(i32::from(!violations.is_empty() || !errors.is_empty()));
}

fn tell(violations: &[(Nest, String)], most: usize) {
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    for (_, what) in violations {
        let kind: Vec<&str> = what.split(": ").take(2).collect();
        *kinds.entry(kind.join(": ")).or_default() += 1;
    }
    println!("{} violations", violations.len());
    let mut shrunk: BTreeMap<&str, usize> = BTreeMap::new();
    let mut last = 0;
    for (nest, what) in violations {
        println!("seed {}: {what}", nest.seed);
        let kind = what.split(": ").next().unwrap_or_default();
        let count = shrunk.entry(kind).or_default();
        if *count < most && last != nest.seed {
            *count += 1;
            last = nest.seed;
            let small = shrink(nest, what);
            println!(
                "--- smallest, called with ({})\n{}---",
                small.calls.join(") ("),
                small.text()
            );
            if let Ok((_, left)) = judge(std::slice::from_ref(&small), kind == "regions") {
                left.iter().for_each(|one| println!("    {}", one.what));
            }
        }
    }
}

fn share(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

fn print(figures: &Figures) {
    let count = figures.nests;
    println!(
        "{count} nests, {} calls judged, {} left out (not defined in C)",
        figures.calls, figures.left_out
    );
    println!("{:<28} {:>8} {:>8}", "nests with", "", "share");
    println!(
        "{:<28} {:>8} {:>8}",
        "nothing but affine",
        figures.affine,
        share(figures.affine, count)
    );
    for (feature, number) in ranked(&figures.features) {
        println!("{feature:<28} {number:>8} {:>8}", share(number, count));
    }
    for (name, shares) in [
        ("accesses", figures.all),
        ("accesses in affine nests", figures.of_affine),
        ("regions of loops", figures.regions_of_all),
        ("regions of loops in affine nests", figures.regions_of_affine),
    ] {
        let Shares { exact, may, unknown } = shares;
        let all = exact + may + unknown;
        println!(
            "{name}: {all}, exact {}, may {}, unknown {}",
            share(exact, all),
            share(may, all),
            share(unknown, all)
        );
    }
    println!("causes of unknown:");
    for (cause, number) in ranked(&figures.causes) {
        println!("    {number:>8} {cause}");
    }
    if !figures.inexact.is_empty() {
        println!("not exact in affine nests, some:");
        figures.inexact.iter().for_each(|one| println!("    {one}"));
    }
    println!("loops: {:?}", figures.verdicts);
    if !figures.region_causes.is_empty() {
        println!("causes of regions that are not exact:");
        let mut causes: Vec<_> = figures.region_causes.iter().collect();
        causes.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        for (why, count) in causes {
            println!("    {count:8} {why}");
        }
    }
    if !figures.inexact_regions.is_empty() {
        println!("regions in affine nests that are not exact:");
        figures
            .inexact_regions
            .iter()
            .for_each(|one| println!("    {one}"));
    }
    println!(
        "{:?}\n{:?}\n{:?}",
        figures.sections, figures.dependences, figures.regions
    );
}

fn ranked<K: Clone + Ord>(counts: &BTreeMap<K, u64>) -> Vec<(K, u64)> {
    let mut all: Vec<(K, u64)> = counts.iter().map(|(key, count)| (key.clone(), *count)).collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all
}

/// The smallest nest that is still wrong in the same way: statements are left out one by one.
fn shrink(nest: &Nest, what: &str) -> Nest {
    let kind = |text: &str| text.split(": ").take(2).map(str::to_owned).collect::<Vec<_>>();
    let wanted = kind(what);
    let wrong = |candidate: &Nest| {
        judge(std::slice::from_ref(candidate), what.starts_with("regions"))
            .is_ok_and(|(_, violations)| violations.iter().any(|one| kind(&one.what)[..1] == wanted[..1]))
    };
    let mut best = nest.clone();
    let mut budget = 400;
    'again: loop {
        for candidate in best.smaller() {
            budget -= 1;
            if budget == 0 {
                return best;
            }
            if wrong(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}
