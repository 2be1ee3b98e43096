//! Is the short answer the long one? Whether a loop needs anything of an object from before is asked without most of what regions say ([`Regions::needs_nothing_of`]): without what is
//! read, often without lower bounds, and with the sums over iterations that were found for other objects. IN with all of that must say the same, for every loop of every test program.

use crate::common;

use common::{Analysed, in_parallel, programs, with_sizes};
use ferry_analysis::regions::Regions;
use ferry_ir::StmtKind;

#[derive(Default, Debug)]
struct Answers {
    nothing: usize,
    something: usize,
}

fn differences(program: &Analysed) -> (Answers, Vec<String>) {
    let mut answers = Answers::default();
    let mut found = Vec::new();
    for ((unit, function), facts) in &program.facts {
        let own = &program.units[*unit as usize];
        let effects = &program.effects[*unit as usize];
        let whole = Regions::asked_for(own, *function, effects, &facts.values);
        let asked = Regions::asked_for(own, *function, effects, &facts.values);
        let Some(body) = &own.function(*function).body else {
            continue;
        };
        body.walk(&mut |stmt| {
            let is_loop = matches!(stmt.kind, StmtKind::Loop(_));
            let Some(regions) = is_loop.then(|| whole.of_statement(stmt)).flatten() else {
                return;
            };
            for root in regions.read.objects.keys() {
                let needed = regions.in_.objects.get(root);
                let nothing = needed.is_none_or(|part| part.is_nothing());
                match nothing {
                    true => answers.nothing += 1,
                    false => answers.something += 1,
                }
                if asked.needs_nothing_of(stmt, *root) != nothing {
                    let place = program.place(stmt.origin);
                    found.push(format!("{place}: {root:?}: nothing is needed: {nothing}"));
                }
            }
        });
    }
    (answers, found)
}

/// Objects that are alike but for one thing: what is known of one says nothing of the others.
#[test]
fn what_differs_in_one_thing_is_asked_anew() {
    let text = "static double a[64], b[64], c[64], d[64], e[64][8], f[64][8], g[64], h[64];
         double out;
         static void kernel(int n, int m) {
           for (int k = 0; k < n; k++) {
             for (int i = 0; i < 16; i++) a[i] = i;
             for (int i = 0; i < 16; i++) b[i] = i;
             for (int i = 0; i < 15; i++) c[i] = i;
             for (int i = 0; i < 16; i++) d[i + 1] = i;
             for (int i = 0; i < 16; i++) { e[i][1] = i; f[i][1] = i; }
             for (int i = 0; i < 16; i++) { out += g[i]; g[i] = 0; h[i] = 0; out += h[i]; }
             for (int i = 0; i < 16; i++) out += a[i] + b[i] + c[i] + d[i] + e[i][1] + f[i][2];
           }
         }
         void first(int n) { kernel(n, n); }
         void second(int n) { kernel(n, 2); kernel(n, 3); }";
    let analysed = Analysed::of_text(text.to_owned()).unwrap();
    let (answers, found) = differences(&analysed);
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(answers.nothing > 3 && answers.something > 8, "{answers:?}");
}

#[test]
fn whether_anything_is_needed_is_what_the_regions_say() {
    let mut work = with_sizes(programs());
    work.retain(|(_, setting)| setting.names);
    let shown = in_parallel(&work, |(program, setting)| {
        let analysed = Analysed::new(program, setting).map_err(|why| format!("{}: {why}", program.name));
        analysed.map(|analysed| differences(&analysed))
    });
    let (mut all, mut wrong) = (Answers::default(), Vec::new());
    for one in shown {
        match one {
            Ok((answers, found)) => {
                all.nothing += answers.nothing;
                all.something += answers.something;
                wrong.extend(found);
            }
            Err(why) => wrong.push(why),
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    if std::env::var("FERRY_PROGRAMS").is_err() {
        assert!(all.nothing > 100 && all.something > 1_000, "{all:?}");
    }
}
