//! How many regions of loops and functions are exact? Prints a table with one line for each file: regions of one
//! object, of them exact ones, those with a lower bound that is not the upper one, and how many accesses are
//! elsewhere; then why the others are not exact. `--only=kernel_`: functions whose names begin so. `--time`: how long the
//! sets took.

use ferry_analysis::{effects::Effects, regions::Regions, verdict};
use ferry_frontend::{Job, Options, load};
use ferry_source::Sources;
use std::collections::BTreeMap;

fn main() {
    let mut sources = Sources::new();
    let (flags, paths): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|argument| argument.starts_with('-'));
    let timed = flags.iter().any(|flag| flag == "--time");
    let only = flags
        .iter()
        .find_map(|flag| flag.strip_prefix("--only="))
        .unwrap_or_default();
    let only = only.to_owned();
    let flags: Vec<String> = flags.into_iter().filter(|flag| !flag.starts_with("--")).collect();
    let jobs: Vec<Job> = paths.iter().map(|path| Job::new(path, &flags)).collect();
    let loaded = load(&mut sources, &jobs, &Options::default());
    println!("| file | regions | exact | with a lower bound | no lower bound | elsewhere |");
    println!("|---|---|---|---|---|---|");
    let mut causes: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = [0; 5];
    for unit in &loaded.units {
        let name = unit
            .path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match &unit.unit {
            Ok(unit) => {
                let work = || show(&name, unit, &sources, timed, &only);
                let (counts, own) = ferry_frontend::clang::on_large_stack(work).unwrap();
                for (sum, own) in all.iter_mut().zip(counts) {
                    *sum += own;
                }
                for (why, count) in own {
                    *causes.entry(why).or_default() += count;
                }
            }
            Err(findings) => println!("{name}: {findings:?}"),
        }
    }
    line("all", all);
    println!();
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (why, count) in causes {
        println!("{count:6} {why}");
    }
}

fn line(name: &str, counts: [usize; 5]) {
    let [regions, exact, some, none, elsewhere] = counts;
    println!("| {name} | {regions} | {exact} | {some} | {none} | {elsewhere} |");
}

fn show(
    name: &str,
    unit: &ferry_ir::Unit,
    sources: &Sources,
    timed: bool,
    only: &str,
) -> ([usize; 5], BTreeMap<String, usize>) {
    let effects = Effects::of_unit(unit);
    let mut counts = [0; 5];
    let mut causes: BTreeMap<String, usize> = BTreeMap::new();
    for (id, function) in unit.functions() {
        let here = function.origin.span().is_some_and(|span| span.file == unit.file);
        let wanted = here && function.name.starts_with(only);
        let Some(body) = function.body.as_ref().filter(|_| wanted) else {
            continue;
        };
        let facts = verdict::analyse_named(unit, id, &effects, Some(sources), verdict::Detail::First);
        let start = std::time::Instant::now();
        let regions = Regions::of_function(unit, id, &effects, &facts.values);
        if timed {
            eprintln!("{name} {} {:?}", function.name, start.elapsed());
        }
        let mut pieces = vec![body.id];
        pieces.extend(facts.values.loops.iter().map(|of| of.stmt));
        for piece in pieces {
            let Some(own) = regions.of(piece) else { continue };
            for touch in [&own.read, &own.write, &own.in_] {
                let rows = touch.rows.values().map(|rows| &rows.part);
                for part in touch.objects.values().chain(rows) {
                    counts[0] += 1;
                    let Some(cause) = part.cause.as_ref().filter(|_| !part.exact) else {
                        counts[1] += 1;
                        continue;
                    };
                    counts[if part.must.is_plainly_empty() { 3 } else { 2 }] += 1;
                    let line = cause
                        .at
                        .span()
                        .map_or(0, |span| sources.line_column(span.file, span.start).0);
                    *causes
                        .entry(format!("{} ({name}:{line})", cause.why))
                        .or_default() += 1;
                }
                counts[4] += usize::from(touch.elsewhere.is_some());
            }
        }
    }
    line(name, counts);
    (counts, causes)
}
