//! Prints the verdict of every loop of the files, beside the marker `// loop: …` on its line, if there is one.

use ferry_analysis::{effects::Effects, verdict};
use ferry_frontend::{Job, Options, load};
use ferry_source::Sources;

fn main() {
    let mut sources = Sources::new();
    let jobs: Vec<Job> = std::env::args().skip(1).map(|path| Job::new(path, &[])).collect();
    let loaded = load(&mut sources, &jobs, &Options::default());
    for unit in &loaded.units {
        for finding in unit.all_findings() {
            println!("{}: {finding:?}", unit.path.display());
        }
        let Ok(unit) = &unit.unit else { continue };
        ferry_frontend::clang::on_large_stack(|| show(unit, &sources)).unwrap();
    }
}

fn show(unit: &ferry_ir::Unit, sources: &Sources) {
    let effects = Effects::of_unit(unit);
    for (id, function) in unit.functions() {
        if function.body.is_none() {
            continue;
        }
        let start = std::time::Instant::now();
        let facts = verdict::analyse_named(
            unit,
            id,
            &effects,
            std::env::var_os("NAMES").map(|_| sources),
            verdict::Detail::Every,
        );
        let elapsed = start.elapsed();
        for (facts_of, verdict) in facts.values.loops.iter().zip(&facts.verdicts) {
            let Some(span) = facts_of.keyword.filter(|_| facts_of.is_own()) else {
                continue;
            };
            let (line, _) = sources.line_column(span.file, span.start);
            let start = sources.line_start(span.file, line).unwrap();
            let end = sources.line_start(span.file, line + 1).unwrap_or(u32::MAX);
            let text =
                String::from_utf8_lossy(sources.text(ferry_source::Span { start, end, ..span })).into_owned();
            let marker = text.split("// loop: ").nth(1).unwrap_or("-").trim().to_owned();
            let word = marker.split([',', ' ']).next().unwrap_or("");
            let said = match verdict.kind {
                verdict::Kind::Parallel => "parallel",
                verdict::Kind::ParallelIf => "parallel_if",
                verdict::Kind::Sequential => "sequential",
                verdict::Kind::Unknown => "unknown",
            };
            let ok = if word == said { "ok  " } else { "DIFF" };
            println!(
                "{ok} {}:{line}: {said} [{marker}]",
                sources.path(span.file).display()
            );
            if word != said {
                for obstacle in &verdict.obstacles {
                    let place = obstacle
                        .cause
                        .at
                        .span()
                        .map(|span| sources.line_column(span.file, span.start));
                    let other = obstacle
                        .other
                        .and_then(|at| at.span())
                        .map(|span| sources.line_column(span.file, span.start));
                    println!("       {} at {place:?} and {other:?}", obstacle.cause.why);
                }
                for condition in &verdict.conditions {
                    println!("       if {condition:?}");
                }
                for sorted in &verdict.sorted {
                    println!("       in order {sorted:?}");
                }
                for (a, b) in &verdict.disjoint {
                    println!(
                        "       disjoint {:?} {:?}",
                        facts.values.symbols.info(*a).kind,
                        facts.values.symbols.info(*b).kind
                    );
                }
            }
        }
        println!("     {} in {elapsed:?}", function.name);
    }
}
