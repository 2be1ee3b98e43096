//! A small C text through the whole path: parsed, analysed, planned, written, and read again.

use ferry_analysis::effects::Effects;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::verdict::Detail;
use ferry_directive::Version;
use ferry_frontend::{Job, Options, clang, load};
use ferry_ir::Unit;
use ferry_ir::visit::Statements;
use ferry_source::{Edit, Edits, FileId, Severity, Sources};
use ferry_transform::emit::{Style, edits};
use ferry_transform::hoist;
use ferry_transform::kernel::Context;
use ferry_transform::links::Links;
use ferry_transform::meaning;
use ferry_transform::plan::{Goals, Wanted, best};
use ferry_transform::reread::{Intended, verify};
use std::fmt::Write;

/// How a text is annotated.
#[derive(Clone, Copy)]
pub struct Wish {
    pub version: Version,
    pub all: bool,
    pub width: usize,
}

pub const PLAIN: Wish = Wish {
    version: Version::OpenMp50,
    all: true,
    width: 200,
};

pub const OPENACC: Wish = Wish {
    version: Version::OpenAcc27,
    ..PLAIN
};

struct Planned {
    edits: Edits,
    intended: Vec<Intended>,
    /// Why loops are not offloaded: function, line, reason.
    reasons: Vec<(String, u32, String)>,
}

pub fn parse(sources: &mut Sources, text: &[u8], folder: &str) -> (Unit, FileId) {
    let path = format!("/nowhere/{folder}/text.c");
    sources.insert(std::path::Path::new(&path), text.to_vec());
    let options = Options::default();
    let mut loaded = load(sources, &[Job::new(path, &[])], &options);
    let loaded = loaded.units.remove(0);
    for finding in loaded.all_findings() {
        assert!(finding.severity != Severity::Error, "{}", finding.message);
    }
    let file = loaded.file.expect("the file was read");
    (loaded.unit.expect("the text is C"), file)
}

fn plan(unit: &Unit, sources: &Sources, wish: Wish) -> Planned {
    let effects = Effects::of_unit(unit);
    let style = Style {
        version: wish.version,
        width: wish.width,
    };
    let mut planned = Planned {
        edits: Edits::new(),
        intended: Vec::new(),
        reasons: Vec::new(),
    };
    for (id, function) in unit.functions().filter(|(_, function)| function.body.is_some()) {
        let (facts, plan) = best(
            unit,
            id,
            &effects,
            sources,
            Wanted {
                goals: Goals {
                    all: wish.all,
                    bounded: true,
                    strict: false,
                },
                style: &style,
                links: &Links::default(),
            },
            Detail::First,
        );
        for (index, result) in &plan.offloaded {
            let of = &facts.values.loops[index.0 as usize];
            let line = of
                .keyword
                .map_or(0, |span| sources.line_column(span.file, span.start).0);
            if let Err(cause) = result {
                planned
                    .reasons
                    .push((function.name.clone(), line, cause.why.clone()));
            }
        }
        let context = Context {
            unit,
            function,
            facts: &facts,
        };
        for environment in &plan.environments {
            let own = edits(context, sources, environment, &style).expect("what is planned can be written");
            planned.edits.extend(own.clone()).expect("environments are apart");
            let keyword = |kernel: &ferry_transform::kernel::Kernel| {
                facts.values.loops[kernel.index.0 as usize]
                    .keyword
                    .expect("a keyword")
            };
            planned.intended.push(Intended {
                edits: own,
                kernels: environment.kernels.iter().map(keyword).collect(),
                conditional: environment.is_conditional(),
                meaning: meaning::of(context, environment, wish.version).expect("it has a meaning"),
            });
        }
    }
    planned
}

fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    clang::on_large_stack(work).expect("a thread")
}

/// The annotated text, which is proved to be the intended program.
pub fn annotated_bytes(text: &[u8], wish: Wish) -> Vec<u8> {
    on_large_stack(|| {
        let mut sources = Sources::new();
        let (unit, file) = parse(&mut sources, text, "old");
        let planned = plan(&unit, &sources, wish);
        let new = planned.edits.apply(file, sources.bytes(file)).expect("edits fit");
        let (again, _) = parse(&mut sources, &new, "new");
        verify(&unit, &again, &planned.edits, &planned.intended).expect("the intended program");
        new
    })
}

/// The annotated text.
pub fn annotated_as(text: &str, wish: Wish) -> String {
    String::from_utf8(annotated_bytes(text.as_bytes(), wish)).expect("text")
}

/// The annotated text with the defaults.
pub fn annotated(text: &str) -> String {
    annotated_as(text, PLAIN)
}

/// The lines that annotation adds, without their indentation.
pub fn added(text: &str, wish: Wish) -> Vec<String> {
    let new = String::from_utf8(annotated_bytes(text.as_bytes(), wish)).expect("text");
    let mut old = text.lines().peekable();
    let mut lines = Vec::new();
    for line in new.lines() {
        match old.peek() {
            Some(same) if *same == line => drop(old.next()),
            _ => lines.push(line.trim().to_owned()),
        }
    }
    lines
}

/// Why loops are not offloaded, a line each: `function:line: reason`.
pub fn reasons(text: &str, wish: Wish) -> String {
    on_large_stack(|| {
        let mut sources = Sources::new();
        let (unit, _) = parse(&mut sources, text.as_bytes(), "old");
        let mut all = String::new();
        for (function, line, why) in plan(&unit, &sources, wish).reasons {
            writeln!(all, "{function}:{line}: {why}").expect("a string");
        }
        all
    })
}

/// What the re-read says of a text in which everything was loaded before the first loop, and the inserted text `from` was replaced by `to`.
pub fn hoisted(text: &str, from: &str, to: &str) -> Result<(), String> {
    on_large_stack(|| {
        let mut sources = Sources::new();
        let (unit, file) = parse(&mut sources, text.as_bytes(), "old");
        let effects = Effects::of_unit(&unit);
        let (id, function) = unit
            .functions()
            .find(|(_, function)| function.body.is_some())
            .expect("a function");
        let facts = ferry_analysis::verdict::analyse(&unit, id, &effects);
        let context = Context {
            unit: &unit,
            function,
            facts: &facts,
        };
        let statements = Statements::of(function);
        let stmt = statements.get(facts.values.loops[0].stmt).expect("a loop");
        let found = hoist::of_loop(context, &sources, stmt, LoopIndex(0));
        let found = found
            .map_err(|cause| cause.why)?
            .ok_or("there is nothing to load")?;
        let mut edits = Edits::new();
        let mut replaced = 0;
        for edit in found.edits.iter() {
            let own = String::from_utf8(edit.text.clone()).expect("text");
            replaced += own.matches(from).count();
            let text = own.replacen(from, to, 1).into_bytes();
            edits.add(Edit { at: edit.at, text }).expect("edits fit");
        }
        assert!(replaced > 0, "`{from}` is not in the inserted text");
        let new = edits.apply(file, sources.bytes(file)).expect("edits fit");
        let (again, _) = parse(&mut sources, &new, "new");
        verify(&unit, &again, &edits, &[]).map_err(|mismatch| mismatch.why)
    })
}

/// What the re-read says of a text in which the inserted text `from` was replaced by `to`.
pub fn reread(text: &str, from: &str, to: &str, wish: Wish) -> Result<(), String> {
    reread_but(text, (from, to), &[], wish)
}

/// The same, where some of the replacements (by their numbers) of the user's own text are not made at all.
pub fn reread_but(text: &str, (from, to): (&str, &str), left: &[usize], wish: Wish) -> Result<(), String> {
    on_large_stack(|| {
        let mut sources = Sources::new();
        let (unit, file) = parse(&mut sources, text.as_bytes(), "old");
        let planned = plan(&unit, &sources, wish);
        let mut edits = Edits::new();
        let mut replaced = 0;
        let mut own = 0..;
        for edit in planned.edits.iter() {
            if edit.at.start < edit.at.end && own.next().is_some_and(|number| left.contains(&number)) {
                continue;
            }
            let own = String::from_utf8(edit.text.clone()).expect("text");
            replaced += own.matches(from).count();
            let changed = Edit {
                at: edit.at,
                text: own.replacen(from, to, 1).into_bytes(),
            };
            edits.add(changed).expect("edits fit");
        }
        let all: String = planned
            .edits
            .iter()
            .map(|edit| String::from_utf8_lossy(&edit.text))
            .collect();
        assert!(replaced > 0, "`{from}` is not in the inserted text:\n{all}");
        let new = edits.apply(file, sources.bytes(file)).expect("edits fit");
        let (again, _) = parse(&mut sources, &new, "new");
        verify(&unit, &again, &edits, &planned.intended).map_err(|mismatch| mismatch.why)
    })
}
