//! Prints the annotated text of one file, and why loops are not offloaded.

use ferry_analysis::effects::Effects;
use ferry_analysis::verdict::Detail;
use ferry_frontend::{Job, Options, load};
use ferry_source::{Edits, Sources};
use ferry_transform::emit::{Style, edits};
use ferry_transform::kernel::Context;
use ferry_transform::links::Links;
use ferry_transform::plan::{Goals, Wanted, best};

fn main() {
    let mut sources = Sources::new();
    let all = std::env::args().any(|argument| argument == "--all");
    let path = std::env::args().nth(1).unwrap();
    let loaded = load(&mut sources, &[Job::new(path, &[])], &Options::default());
    let loaded = &loaded.units[0];
    let Ok(unit) = &loaded.unit else { return };
    let file = loaded.file.unwrap();
    ferry_frontend::clang::on_large_stack(|| {
        let effects = Effects::of_unit(unit);
        let style = Style {
            version: ferry_directive::Version::OpenMp50,
            width: 110,
        };
        let mut all_edits = Edits::new();
        for (id, function) in unit.functions() {
            if function.body.is_none() {
                continue;
            }
            let (facts, plan) = best(
                unit,
                id,
                &effects,
                &sources,
                Wanted {
                    goals: Goals {
                        all,
                        bounded: true,
                        strict: false,
                    },
                    style: &style,
                    links: &Links::default(),
                },
                Detail::First,
            );
            for (index, result) in &plan.offloaded {
                if let Err(cause) = result {
                    let of = &facts.values.loops[index.0 as usize];
                    let line = of
                        .keyword
                        .map(|span| sources.line_column(span.file, span.start).0);
                    eprintln!("{}: line {line:?}: {}", function.name, cause.why);
                }
            }
            for environment in &plan.environments {
                let context = Context {
                    unit,
                    function,
                    facts: &facts,
                };
                match edits(context, &sources, environment, &style) {
                    Ok(edits) => all_edits.extend(edits).unwrap(),
                    Err(cause) => eprintln!("not written: {}", cause.why),
                }
            }
        }
        let text = all_edits.apply(file, sources.bytes(file)).unwrap();
        println!("{}", String::from_utf8_lossy(&text));
    })
    .unwrap();
}
