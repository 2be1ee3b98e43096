//! What the judges of the analyses share: the test programs, their units with all facts, and a work list for two
//! threads.

pub mod apart;
pub mod behind;
pub mod bindings;
pub mod blocks;
pub mod defined;
pub mod dependences;
pub mod left;
pub mod listed;
pub mod nests;
pub mod pairs;
pub mod project;
pub mod regions;
pub mod scalars;
pub mod sections;
pub mod vectors;
pub mod warps;
pub mod watching;

use ferry_analysis::effects::{Effects, brought, linked};
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::verdict::{Detail, FunctionFacts, analyse_named};
use ferry_frontend::{Job, Options, load};
use ferry_ir::interpret::LoopKey;
use ferry_ir::{FunctionRef, Stmt, StmtId, StmtKind, Unit, VariableRef};
use ferry_judges::corpus;
use ferry_source::{Origin, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One program: its files, and what its header says.
#[derive(Clone, Debug)]
pub struct Program {
    /// `pairs/distance`
    pub name: String,
    /// The first one has the header.
    pub files: Vec<PathBuf>,
    /// What it needs to be compiled with.
    pub flags: Vec<String>,
    /// A second set of sizes.
    pub sizes: Option<Vec<String>>,
}

/// The folder with the test programs.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs")
}

/// Every program below a folder, in order; of them those whose name contains one of the words of `FERRY_PROGRAMS`,
/// if that is set.
pub fn programs_below(root: &Path) -> Vec<Program> {
    let found = corpus::wanted(root).unwrap();
    assert!(!found.is_empty(), "there are no programs in {}", root.display());
    let one = |one: corpus::TestProgram| Program {
        name: one.name,
        files: one.program.sources,
        flags: one.program.flags,
        sizes: Some(one.sizes).filter(|sizes| !sizes.is_empty()),
    };
    found.into_iter().map(one).collect()
}

/// The programs of `tests/programs`.
pub fn programs() -> Vec<Program> {
    programs_below(&folder())
}

/// The facts about every function with a body, by unit and function.
pub type AllFacts = BTreeMap<(u32, FunctionRef), FunctionFacts>;

/// A program that was read and analysed.
pub struct Analysed {
    pub sources: Sources,
    pub units: Vec<Unit>,
    pub facts: AllFacts,
    /// Of each unit.
    pub effects: Vec<Effects>,
}

impl Analysed {
    /// Reads and analyses a program.
    pub fn new(program: &Program, setting: &Setting) -> Result<Analysed, String> {
        let flags: Vec<String> = program.flags.iter().chain(&setting.flags).cloned().collect();
        let jobs: Vec<Job> = program.files.iter().map(|path| Job::new(path, &flags)).collect();
        let mut sources = Sources::new();
        let mut units = Analysed::read(&mut sources, &jobs)?;
        if setting.apart
            && let [unit] = units.as_slice()
        {
            units = apart::apart(unit).ok_or("it cannot be taken apart")?.into();
        }
        Ok(Analysed::of(sources, units, setting.names, Detail::Every))
    }

    /// Reads and analyses one C text.
    pub fn of_text(text: String) -> Result<Analysed, String> {
        let mut sources = Sources::new();
        let path = Path::new("/generated/nests.c");
        sources.insert(path, text.into_bytes());
        let units = Analysed::read(&mut sources, &[Job::new(path, &[])])?;
        Ok(Analysed::of(sources, units, true, Detail::First))
    }

    fn read(sources: &mut Sources, jobs: &[Job]) -> Result<Vec<Unit>, String> {
        let options = Options {
            threads: 1,
            ..Options::default()
        };
        let mut units = Vec::new();
        for loaded in load(sources, jobs, &options).units {
            if loaded.has_errors() {
                return Err(format!("{}: {:?}", loaded.path.display(), loaded.findings));
            }
            units.push(loaded.unit.map_err(|findings| format!("{findings:?}"))?);
        }
        Ok(units)
    }

    fn of(sources: Sources, units: Vec<Unit>, names: bool, detail: Detail) -> Analysed {
        let mut facts = AllFacts::new();
        let mut all_effects = Vec::new();
        let mut given: Vec<Option<Unit>> = units.into_iter().map(Some).collect();
        let bodies = brought::bring(&mut given, &sources);
        let units: Vec<Unit> = given.into_iter().flatten().collect();
        let all: Vec<Option<&Unit>> = units.iter().map(Some).collect();
        let outside = linked::link(&all, bodies, &sources, &[]);
        for (number, unit) in units.iter().enumerate() {
            let effects = Effects::of_linked(unit, &outside[number]);
            for (id, function) in unit.functions() {
                if function.body.is_some() {
                    facts.insert(
                        (number as u32, id),
                        analyse_named(unit, id, &effects, names.then_some(&sources), detail),
                    );
                }
            }
            all_effects.push(effects);
        }
        Analysed {
            sources,
            units,
            facts,
            effects: all_effects,
        }
    }

    /// All loop statements, with the facts about their functions and their numbers there.
    pub fn loops(&self) -> BTreeMap<LoopKey, (&FunctionFacts, LoopIndex)> {
        let mut found = BTreeMap::new();
        for ((unit, function), facts) in &self.facts {
            for (number, one) in facts
                .values
                .loops
                .iter()
                .enumerate()
                .filter(|(_, one)| one.is_own())
            {
                let key = LoopKey {
                    unit: *unit,
                    function: *function,
                    statement: one.stmt,
                };
                found.insert(key, (facts, LoopIndex(number as u32)));
            }
        }
        found
    }

    /// Calls `f` on all statements of a function.
    pub fn statements<'a>(&'a self, unit: u32, function: FunctionRef, f: &mut dyn FnMut(&'a Stmt)) {
        if let Some(body) = &self.units[unit as usize].function(function).body {
            body.walk(f);
        }
    }

    /// The loop statements of a function.
    pub fn loop_statements(&self, unit: u32, function: FunctionRef) -> BTreeMap<StmtId, &ferry_ir::Loop> {
        let mut found = BTreeMap::new();
        self.statements(unit, function, &mut |stmt| {
            if let StmtKind::Loop(inner) = &stmt.kind {
                found.insert(stmt.id, &**inner);
            }
        });
        found
    }

    /// `file:line: text` of a place.
    pub fn place(&self, origin: Origin) -> String {
        let Some(span) = origin.span() else {
            return "a place in no text".into();
        };
        let (line, column) = self.sources.line_column(span.file, span.start);
        let name = self
            .sources
            .path(span.file)
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let text = String::from_utf8_lossy(self.sources.text(span)).into_owned();
        format!("{name}:{line}:{column}: {}", text.lines().next().unwrap_or(""))
    }

    /// The whole line in which a span begins.
    pub fn line(&self, span: Span) -> String {
        let (line, _) = self.sources.line_column(span.file, span.start);
        let start = self.sources.line_start(span.file, line).unwrap_or(0);
        let end = self.sources.line_start(span.file, line + 1);
        let end = end.unwrap_or(self.sources.bytes(span.file).len() as u32);
        String::from_utf8_lossy(self.sources.text(Span { start, end, ..span }))
            .trim_end()
            .to_owned()
    }
}

/// The variables that the first part of a loop assigns.
pub fn assigned_first(inner: &ferry_ir::Loop) -> BTreeSet<VariableRef> {
    let mut found = BTreeSet::new();
    for stmt in &inner.init {
        ferry_analysis::scalar::assigned_variables(stmt, &mut found);
    }
    found
}

/// Does the work for each item on two threads with large stacks; results in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let worker = || loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(item) = items.get(number) else { return };
        let result = work(item);
        results.lock().unwrap().push((number, result));
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            std::thread::Builder::new()
                .stack_size(256 << 20)
                .spawn_scoped(scope, worker)
                .unwrap();
        }
    });
    let mut results = results.into_inner().unwrap();
    assert_eq!(results.len(), items.len(), "a worker did not finish");
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// How a program is analysed.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Additional flags.
    pub flags: Vec<String>,
    /// Constants are kept by their names.
    pub names: bool,
    /// `main` is in a file of its own ([`apart`]).
    pub apart: bool,
}

impl Setting {
    /// As it is, with names.
    pub fn plain() -> Setting {
        Setting {
            flags: Vec::new(),
            names: true,
            apart: false,
        }
    }
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let values = if self.names { "" } else { "(values for names) " };
        let apart = if self.apart { "(in two files) " } else { "" };
        write!(f, "{values}{apart}{}", self.flags.join(" "))
    }
}

/// Each program with its sizes: as it is with names and with values, and with the second sizes if it has some.
pub fn with_sizes(programs: Vec<Program>) -> Vec<(Program, Setting)> {
    let all = programs.into_iter().flat_map(|program| {
        let mut settings = vec![Setting::plain()];
        settings.push(Setting {
            names: false,
            ..Setting::plain()
        });
        settings.extend(program.sizes.clone().map(|flags| Setting {
            flags,
            ..Setting::plain()
        }));
        settings
            .into_iter()
            .map(move |setting| (program.clone(), setting))
    });
    all.collect()
}

/// The programs that can be taken apart, in two files each.
pub fn in_two_files(programs: Vec<Program>) -> Vec<(Program, Setting)> {
    let setting = Setting {
        apart: true,
        ..Setting::plain()
    };
    let is_apart = |program: &Program| {
        let flags = &program.flags;
        let jobs: Vec<Job> = program.files.iter().map(|path| Job::new(path, flags)).collect();
        let units = Analysed::read(&mut Sources::new(), &jobs);
        matches!(units.as_deref(), Ok([unit]) if apart::apart(unit).is_some())
    };
    let kept = in_parallel(&programs, is_apart);
    let all = programs.into_iter().zip(kept).filter(|(_, kept)| *kept);
    all.map(|(program, _)| (program, setting.clone())).collect()
}

/// Analyses each program in its setting and judges it. Prints the sum of what was counted, and gives it if nothing was complained of.
pub fn judged<C: Default + std::ops::AddAssign + std::fmt::Debug + Send>(
    work: &[(Program, Setting)],
    judge: impl Fn(&Analysed, &Setting) -> (C, Vec<String>) + Sync,
) -> C {
    let results = in_parallel(work, |(program, setting)| match Analysed::new(program, setting) {
        Ok(analysed) => judge(&analysed, setting),
        Err(why) => (C::default(), vec![why]),
    });
    let mut counts = C::default();
    let mut failures = Vec::new();
    for ((program, setting), (own, complaints)) in work.iter().zip(results) {
        counts += own;
        if !complaints.is_empty() {
            let complaints = complaints.join("\n");
            failures.push(format!("== {} {setting}\n{complaints}", program.name));
        }
    }
    println!("{counts:#?}");
    let number = failures.len();
    assert!(failures.is_empty(), "{number} programs:\n{}", failures.join("\n"));
    counts
}
