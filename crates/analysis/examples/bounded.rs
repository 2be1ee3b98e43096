//! How many accesses in the loops of kernels have sections? Prints a table with one line for each file: accesses,
//! those that are bounded, those whose bounds are exact, and why the others are not.

use ferry_analysis::{effects::Effects, region, verdict};
use ferry_frontend::{Job, Options, load};
use ferry_source::Sources;

fn main() {
    let mut sources = Sources::new();
    let jobs: Vec<Job> = std::env::args().skip(1).map(|path| Job::new(path, &[])).collect();
    let loaded = load(&mut sources, &jobs, &Options::default());
    println!("| file | accesses | bounded | exact |");
    println!("|---|---|---|---|");
    for unit in &loaded.units {
        let name = unit
            .path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        match &unit.unit {
            Ok(unit) => ferry_frontend::clang::on_large_stack(|| show(&name, unit, &sources)).unwrap(),
            Err(findings) => println!("{name}: {findings:?}"),
        }
    }
}

fn show(name: &str, unit: &ferry_ir::Unit, sources: &Sources) {
    let effects = Effects::of_unit(unit);
    let (mut accesses, mut bounded, mut exact) = (0, 0, 0);
    let mut causes = Vec::new();
    for (id, function) in unit.functions() {
        if function.body.is_none() || !function.name.starts_with("kernel_") {
            continue;
        }
        let facts = verdict::analyse_named(unit, id, &effects, Some(sources), verdict::Detail::Every);
        for access in &facts.values.accesses {
            let Some(outermost) = access.loops.first() else {
                continue;
            };
            accesses += 1;
            match region::hull(access, &facts.values.varying(&[*outermost])) {
                Ok(hull) => {
                    bounded += 1;
                    exact += usize::from(hull.exact);
                }
                Err(cause) => {
                    let line = cause
                        .at
                        .span()
                        .map_or(0, |span| sources.line_column(span.file, span.start).0);
                    causes.push(format!("{name}:{line}: {}", cause.why));
                }
            }
        }
    }
    println!("| {name} | {accesses} | {bounded} | {exact} |");
    for cause in causes {
        eprintln!("{cause}");
    }
}
