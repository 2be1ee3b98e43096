//! Are the directives that are there right? Rules, each with its page, over the facts of `analysis`.
//!
//! A finding is *proven*, *likely* or *possible* ([`Confidence`]). Only the first two are errors or warnings; the last is for those who ask.

mod case;
pub mod data;
mod fixes;
mod member;
mod rules;
mod shorter;
mod together;

pub use ferry_analysis::coherence::Confidence;
pub use fixes::Fix;
pub use rules::{ALL, Rule, named};
pub use together::{Part, Together, together};

use case::{Case, Names};
use ferry_analysis::coherence::{self, Defect, Found, Kind, Reading};
use ferry_analysis::declared;
use ferry_analysis::effects::{OfProgram, linked::Outside};
use ferry_analysis::races;
use ferry_analysis::verify;
use ferry_directive::{Directive, Language, Version};
use ferry_ir::{Callee, Declaring, Expr as Code, GlobalId, Linkage, Stmt, StmtId, StmtKind, Unit};
use ferry_source::{Finding, Origin, Severity, Sources, Span, mentions};
use std::collections::{BTreeMap, BTreeSet};

/// One finding of a rule.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// What to say.
    pub finding: Finding,
    /// How sure.
    pub confidence: Confidence,
    /// The object, as the program names it; empty if there is none.
    pub object: String,
    /// The function in which it is, or from which it was followed.
    pub function: String,
    /// What may mend it, the best first; whether one does is not known before the program that it makes is checked.
    pub candidates: Vec<Fix>,
    /// It is advice on performance: nothing is wrong.
    pub performance: bool,
}

/// What came of a unit.
#[derive(Default, Debug)]
pub struct Result {
    /// The findings by place.
    pub findings: Vec<Checked>,
    /// What was not followed, each place once.
    pub unknown: Vec<(String, Option<Span>)>,
    /// At how many places it is not known whether data are on the device; nothing is said of them.
    pub unsure: usize,
}

/// What a unit is checked with, besides its text.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// What is known of other files.
    pub outside: &'a Outside,
    /// The directives at no statement's place, with their names.
    pub declarations: &'a [(Span, &'a str)],
    /// Functions of other files that put data on the device, move them, or run there.
    pub elsewhere: &'a BTreeSet<String>,
    /// Variables that live on both sides, beside those that the declarations name.
    pub always: &'a BTreeSet<GlobalId>,
    /// The language whose directives are compiled, if it is one of them.
    pub language: Option<Language>,
    /// The edition of OpenMP by which they are read.
    pub openmp: Version,
    /// Look for what may mend a defect.
    pub mend: bool,
    /// Give advice on performance, too.
    pub performance: bool,
}

/// Checks a unit.
pub fn check(unit: &Unit, with: Surroundings<'_>, sources: &Sources) -> Result {
    let Surroundings {
        outside,
        declarations,
        always: also,
        language,
        openmp,
        mend,
        performance,
        ..
    } = with;
    if let Some(at) = shares_memory(declarations, sources) {
        return Result {
            unknown: vec![(ONE_MEMORY.to_owned(), Some(at))],
            ..Result::default()
        };
    }
    let declared = declared::all(unit, declarations, sources);
    let mut always: BTreeSet<GlobalId> = declared.into_iter().flat_map(|one| one.always).collect();
    always.extend(also);
    let reading = Reading { language, openmp };
    let effects = OfProgram::new(unit, outside);
    let found = coherence::follow(unit, &effects, &always, reading, None);
    let moves = found.iter().find_map(|one| one.not_followed);
    let doubts = doubts(unit, with, sources, moves);
    // What a program does that asks where it runs is meant to differ.
    let sure = doubts.is_empty() && !asks_where_it_runs(unit);
    let mut result = Result::default();
    for one in &found {
        let names = Names {
            unit,
            found: one,
            sources,
        };
        let directives = directives(unit, one);
        for defect in &one.defects {
            let mut defect = defect.clone();
            if !sure {
                defect.confidence = Confidence::Possible;
            }
            let by = defect
                .directive
                .and_then(|moved| directives.get(&moved.stmt))
                .copied();
            result.findings.extend(checked(names, &defect, by, mend));
        }
        result.unsure += one.unsure;
        if let Some(cause) = &one.blind {
            result.unknown.push((cause.why.clone(), cause.at.span()));
        }
    }
    // Attributes may be all that the program moves data by.
    let is_asked = |(why, _): &(String, Option<Span>)| !found.is_empty() || why == ATTRIBUTES;
    result.unknown.extend(doubts.into_iter().filter(is_asked));
    let raced = races::find(unit, &effects, &found, (declarations, sources), &always, reading);
    let more = raced.more.iter().map(|one| (one, &one.defects));
    for (one, defects) in found.iter().zip(&raced.followed).chain(more) {
        let names = Names {
            unit,
            found: one,
            sources,
        };
        let directives = directives(unit, one);
        for defect in defects {
            let by = defect
                .directive
                .and_then(|moved| directives.get(&moved.stmt))
                .copied();
            result.findings.extend(checked(names, defect, by, mend));
        }
    }
    let cut_short = raced.cut_short.iter();
    result
        .unknown
        .extend(cut_short.map(|at| (races::CUT_SHORT.to_owned(), Some(*at))));
    // Where anything is only possible, no advice is sure.
    if performance && sure {
        for one in &coherence::advise(unit, &effects, &always, reading) {
            let names = Names {
                unit,
                found: one,
                sources,
            };
            let directives = directives(unit, one);
            for defect in &one.advice {
                let by = defect
                    .directive
                    .and_then(|moved| directives.get(&moved.stmt))
                    .copied();
                result.findings.extend(checked(names, defect, by, false));
            }
        }
    }
    let verified = verify::verify(unit, outside, declarations, sources, false);
    let proven = verified.findings.into_iter().map(|one| (one, Confidence::Proven));
    let likely = verified.likely.into_iter().map(|one| (one, Confidence::Likely));
    for (mut finding, surest) in proven.chain(likely) {
        let place = finding.primary.as_ref().map(|label| label.at);
        let Some(confidence) = place.map_or(Some(Confidence::Proven), |at| {
            runs_in_parallel(unit, found.iter().chain(&raced.more), at)
        }) else {
            continue;
        };
        let confidence = confidence.max(surest);
        if confidence == Confidence::Possible {
            finding.notes.push(NESTED.to_owned());
        }
        let is_it = |one: &Checked| {
            let same = one.finding.primary.as_ref().map(|label| label.at) == place;
            same && one.finding.rule == finding.rule
        };
        if surest == Confidence::Likely && result.findings.iter().any(is_it) {
            continue;
        }
        // What the loop itself shows is said better, and may be mended.
        result
            .findings
            .retain(|one| !is_it(one) || one.function.is_empty());
        let clauses = place.and_then(|at| verified.clauses.get(&at)).filter(|_| mend);
        let candidates = clauses.and_then(|clauses| fixes::with_clauses(unit, sources, place?, clauses));
        result.findings.push(Checked {
            finding,
            confidence,
            object: String::new(),
            function: String::new(),
            performance: false,
            candidates: candidates.into_iter().collect(),
        });
    }
    let place = |one: &Checked| one.finding.primary.as_ref().map(|label| label.at);
    result.findings.sort_by(|a, b| {
        let key = |one: &Checked| {
            (
                place(one),
                one.finding.rule.clone(),
                one.object.clone(),
                one.confidence,
            )
        };
        key(a).cmp(&key(b))
    });
    // What is found on several ways to one place is one finding, the surest.
    result
        .findings
        .dedup_by(|b, a| place(a) == place(b) && a.finding.rule == b.finding.rule && a.object == b.object);
    result
}

const ATTRIBUTES: &str = "directives that are written as attributes (`[[omp::…]]`) are not read";

/// Why nothing that is found can be sure, each with its place; `moves` is a call of the run time that is not followed.
fn doubts(
    unit: &Unit,
    with: Surroundings<'_>,
    sources: &Sources,
    moves: Option<Origin>,
) -> Vec<(String, Option<Span>)> {
    let declarations = with.declarations;
    let mut found = Vec::new();
    let mut doubt = |why: &str, at: Option<Span>| found.push((why.to_owned(), at));
    let declares = |is_it: &dyn Fn(&str) -> bool, how: Declaring| {
        let by_text = declarations.iter().find(|(_, name)| is_it(name));
        let by_compiler = || unit.declared.iter().flatten().find(|one| one.how == how);
        let compiled = || by_compiler().map(|one| one.at.unwrap_or(Span::new(unit.file, 0, 0)));
        by_text.map(|(at, _)| *at).or_else(compiled)
    };
    if let Some(at) = declares(&|name| name == "declare mapper", Declaring::Mapper) {
        doubt("mappers are not followed", Some(at));
    }
    // Which function a call calls goes by the context, and what a variant is given may be made a device address.
    if let Some(at) = declares(&|name| name.ends_with("declare variant"), Declaring::Variant) {
        doubt("declared variants are not followed", Some(at));
    }
    if let Some(at) = unit.directive(&Directive::may_become_target) {
        doubt("what a `metadirective` becomes is not followed", at.span());
    }
    if let Some(at) = ferry_directive::attribute(sources.bytes(unit.file)) {
        doubt(ATTRIBUTES, Some(Span::new(unit.file, at, at + 2)));
    }
    if let Some(at) = declared::made_by_a_macro(unit.file, sources) {
        let why = "what macros may declare for the device, or for each thread, is not followed";
        doubt(why, Some(at));
    }
    if let Some(at) = moves {
        let why = "what this function of the run time does to the data of the device is not followed";
        doubt(why, at.span());
    }
    if let Err(refused) = &unit.declared {
        let why = format!("what directives declare could not be read: {}", refused.why);
        doubt(&why, refused.at);
    }
    // OpenACC: a `declare` inside of a function maps its variables up to the end of the block.
    let mut local = declarations.iter().filter(|(_, name)| *name == "declare");
    if let Some((at, _)) = local.find(|(at, _)| unit.function_at(*at).is_some()) {
        doubt("`declare` inside of a function is not followed", Some(*at));
    }
    let defines = |name: &str| {
        unit.functions
            .iter()
            .any(|one| one.name == name && one.body.is_some())
    };
    if let Some(at) = unit.first_call(&|name| with.elsewhere.contains(name) && !defines(name)) {
        let why = "directives in functions of other files are not followed";
        doubt(why, at.span());
    }
    found
}

/// Why what is found in a region inside of another one is only possible.
const NESTED: &str = "a `parallel` inside of another one has one thread, unless the environment lets regions nest (OMP_MAX_ACTIVE_LEVELS)";

/// How sure it is that several threads, teams or lanes run what the directive at a place governs; `None` if it makes none wherever the program comes to it.
/// Only possible if it needs regions that nest.
fn runs_in_parallel<'a>(
    unit: &Unit,
    found: impl Iterator<Item = &'a Found>,
    place: Span,
) -> Option<Confidence> {
    let is_here = |origin: Origin| {
        let span = origin.span();
        span.is_some_and(|span| span.file == place.file && span.start == place.start)
    };
    let seen = found
        .flat_map(|one| one.values.directives.values())
        .filter(|at| is_here(at.origin));
    let outcomes: Vec<(Option<bool>, bool)> = seen.map(|at| (at.workers.any, at.workers.nested)).collect();
    if outcomes.is_empty() {
        // Nothing comes to it that was followed.
        let mut asks = false;
        for body in unit
            .functions
            .iter()
            .filter_map(|function| function.body.as_ref())
        {
            body.walk(&mut |stmt| {
                if let StmtKind::Directive { directive, .. } = &stmt.kind {
                    let mut values = directive.conditions().into_iter().map(|(_, value)| value);
                    asks |= is_here(stmt.origin) && values.any(|value| value.as_int().is_none());
                }
            });
        }
        return Some(if asks {
            Confidence::Likely
        } else {
            Confidence::Proven
        });
    }
    let grades = outcomes.iter().filter_map(|outcome| match outcome {
        (Some(true), _) => Some(Confidence::Proven),
        (Some(false), _) => None,
        (None, true) => Some(Confidence::Possible),
        (None, false) => Some(Confidence::Likely),
    });
    grades.min()
}

/// Where it is said that host and device have one memory, if so: then nothing has to be moved.
fn shares_memory(declarations: &[(Span, &str)], sources: &Sources) -> Option<Span> {
    let mut requires = declarations.iter().filter(|(_, name)| *name == "requires");
    let found = requires.find(
        |(span, _)| match ferry_directive::written(sources.text(*span), 0) {
            Some((directive, _)) => ONE_MEMORY_CLAUSES
                .iter()
                .any(|clause| directive.has_clause(clause)),
            None => ONE_MEMORY_CLAUSES
                .iter()
                .any(|clause| mentions(sources.text(*span), clause)),
        },
    );
    found.map(|(span, _)| *span)
}

/// Clauses of `requires`.
const ONE_MEMORY_CLAUSES: [&str; 2] = ["unified_shared_memory", "self_maps"];

/// Why a file is not checked.
pub const ONE_MEMORY: &str = "host and device have one memory";

/// True if the program asks where it runs: what it does then is meant to differ.
fn asks_where_it_runs(unit: &Unit) -> bool {
    let names = [
        "omp_is_initial_device",
        "omp_target_is_present",
        "acc_on_device",
        "acc_is_present",
    ];
    unit.first_call(&|name| names.contains(&name)).is_some()
}

/// The functions of units that put data on the device, move them, or run there, themselves or by what they call; by name, for each unit those of the others
/// that it can call: a `static` function of another file is not the one of that name here.
pub fn moving_elsewhere(units: &[Option<&Unit>]) -> Vec<BTreeSet<String>> {
    let bodies = |number: usize| {
        let unit: Option<&Unit> = units[number];
        let functions = unit.into_iter().flat_map(Unit::functions);
        functions.filter(|(_, function)| function.body.is_some())
    };
    let own: Vec<BTreeSet<&str>> = (0..units.len())
        .map(|number| {
            bodies(number)
                .map(|(_, function)| function.name.as_str())
                .collect()
        })
        .collect();
    let mut moving: BTreeSet<(usize, &str)> = BTreeSet::new();
    // Those that other files can call.
    let mut shared: BTreeSet<(usize, &str)> = BTreeSet::new();
    let mut calls: Vec<((usize, &str), &str)> = Vec::new();
    for (number, unit) in units.iter().enumerate() {
        let Some(unit) = unit else { continue };
        for (_, function) in bodies(number) {
            let Some(body) = &function.body else { continue };
            let caller = (number, function.name.as_str());
            if function.linkage == Linkage::External {
                shared.insert(caller);
            }
            if coherence::moves_data(unit, body) {
                moving.insert(caller);
            }
            body.walk(&mut |stmt| {
                if let StmtKind::Call {
                    callee: Callee::Function(id),
                    ..
                } = &stmt.kind
                {
                    calls.push((caller, unit.function(*id).name.as_str()));
                }
            });
        }
    }
    loop {
        let visible: BTreeSet<&str> = moving.intersection(&shared).map(|(_, name)| *name).collect();
        let moves = |caller: usize, callee: &str| match own[caller].contains(callee) {
            true => moving.contains(&(caller, callee)),
            false => visible.contains(callee),
        };
        let more = calls.iter().filter(|(caller, callee)| moves(caller.0, callee));
        let more: Vec<_> = more
            .map(|(caller, _)| *caller)
            .filter(|one| !moving.contains(one))
            .collect();
        if more.is_empty() {
            break;
        }
        moving.extend(more);
    }
    let others = |number: usize| {
        let elsewhere = moving
            .intersection(&shared)
            .filter(|(of, name)| *of != number && !own[number].contains(name));
        elsewhere.map(|(_, name)| (*name).to_owned()).collect()
    };
    (0..units.len()).map(others).collect()
}

/// The directives of the function that was followed, and of the copies of those that it calls.
fn directives<'a>(unit: &'a Unit, found: &'a Found) -> BTreeMap<StmtId, &'a Directive<Code>> {
    let mut all = BTreeMap::new();
    let mut collect = |body: &'a Stmt| {
        body.walk(&mut |stmt| {
            if let StmtKind::Directive { directive, .. } = &stmt.kind {
                all.insert(stmt.id, &**directive);
            }
        });
    };
    if let Some(body) = &unit.function(found.function).body {
        collect(body);
    }
    for body in found.values.bodies.values() {
        collect(&body.stmt);
    }
    all
}

fn checked(
    names: Names<'_>,
    defect: &Defect,
    directive: Option<&Directive<Code>>,
    mend: bool,
) -> Option<Checked> {
    let case = Case::new(names, defect, directive);
    let kind = match defect.kind {
        // A pointer that is a member: its structure may well be there.
        Kind::NotOnTheDevice
            if case.takes_an_address().is_none()
                && (case.object.contains("->") || case.object.contains('.')) =>
        {
            Kind::ShallowStruct
        }
        Kind::ExitOfNothing => Kind::ExitWithoutEnter,
        Kind::OneLock | Kind::SharedScratch => Kind::UnprotectedUpdate,
        Kind::UnchangedCopyBack => Kind::DeadCopyBack,
        Kind::SectionsLongerThanUsed => Kind::SectionLongerThanUsed,
        other => other,
    };
    // Without the section that suffices there is nothing to advise.
    if kind == Kind::SectionLongerThanUsed {
        shorter::sufficient(&case)?;
    }
    let rule = rules::of(kind)?;
    let candidates = match mend && defect.confidence != Confidence::Possible {
        true => fixes::candidates(&case, defect.kind),
        false => Vec::new(),
    };
    let words = (rule.say)(&case);
    let severity = match defect.kind {
        // Nothing is lost by it.
        Kind::ExitOfNothing => Severity::Warning,
        _ => rule.severity,
    };
    let mut finding = Finding::new(severity, rule.name, words.message);
    let at = defect.at.span()?;
    finding = finding.at(at, words.here);
    let related = |finding: Finding, at: Option<Span>, message: &str| match at.filter(|_| !message.is_empty())
    {
        Some(at) => finding.related(at, message),
        None => finding,
    };
    finding = related(finding, defect.written.and_then(Origin::span), words.written);
    finding = related(
        finding,
        defect.directive.and_then(|moved| moved.at),
        words.directive,
    );
    if defect.around {
        finding = finding.note("in a later iteration of the loop around it");
    }
    if !words.help.is_empty() {
        finding = finding.help(words.help);
    }
    Some(Checked {
        finding,
        confidence: defect.confidence,
        // It is said of the directive.
        object: match kind {
            Kind::IterationsDepend => String::new(),
            _ => case.object,
        },
        function: names.unit.function(names.found.function).name.clone(),
        candidates,
        performance: rule.is_performance(),
    })
}
