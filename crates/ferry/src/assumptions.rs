//! What does a result rest on beyond the C standard and the program text, and on which of the standard's promises does
//! it rest that programs break?
//!
//! Floating-point operations in another order, and minima without NaN; the sign of constants that are kept by their names; the values of
//! constants that are not; that stores of one type do not change objects of another (C11 6.5p7), where nothing else says
//! that they are apart; that what a section names exists where nothing in the program shows it.

use crate::names::Names;
use ferry_analysis::access::Access;
use ferry_analysis::alias::may_overlap;
use ferry_analysis::beside;
use ferry_analysis::effects;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::reduction::ReductionOp;
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::value::End;
use ferry_analysis::verdict::{Object, Whole};
use ferry_directive::Direction;
use ferry_ir::TypeId;
use ferry_source::{DirectiveLine, FileId, Sources, is_word, words};
use ferry_symbolic::{Expr, Symbol};
use ferry_transform::environment::{Environment, Mapping};
use ferry_transform::nested;
use std::collections::{BTreeMap, BTreeSet};

/// What the verdict on a parallel loop rests on.
pub fn of_loop(names: Names<'_>, index: LoopIndex) -> Vec<String> {
    let mut found = floating(names, index);
    let used = symbols_of_loop(names, index);
    found.extend(positive(names, &used));
    found.extend(apart_by_type(names, index, &used));
    found.extend(tables_by_type(names, index));
    found.extend(names.facts.values.rests.iter().cloned());
    let verdict = &names.facts.verdicts[index.0 as usize];
    found.extend(verdict.assuming.iter().cloned());
    let taken = &names.facts.values.taken;
    if !taken.iter().any(|taken| verdict.conditions.contains(taken)) {
        found.extend(tested(names));
    }
    once(&mut found);
    found
}

/// What all that is said of the function rests on, and is tested before each kernel.
fn tested(names: Names<'_>) -> impl Iterator<Item = String> {
    let taken = names.taken().into_iter();
    taken.map(|condition| format!("{condition}, which is tested before the kernels of its function"))
}

/// What is said of a loop that is not parallel rests on, beyond the program: how often it runs, and what it touches.
pub fn of_other_loop(names: Names<'_>) -> Vec<String> {
    let said = names.facts.values.said.iter().cloned();
    said.chain(tested(names)).collect()
}

/// Keeps the first of what is there several times.
fn once(found: &mut Vec<String>) {
    let mut seen = BTreeSet::new();
    found.retain(|one| seen.insert(one.clone()));
}

/// What the user says of the loops of a kernel: all of them may run together.
fn of_users(names: Names<'_>, kernel: LoopIndex) -> Vec<String> {
    let values = &names.facts.values;
    let inside = |number: usize| {
        values
            .enclosing(LoopIndex(number as u32))
            .any(|one| one == kernel)
    };
    let own = (0..values.loops.len()).filter(|number| inside(*number));
    own.flat_map(|number| names.facts.verdicts[number].assuming.iter().cloned())
        .collect()
}

/// Pointers of tables that stay the same in the loop for no other reason than the types of what is stored.
fn tables_by_type(names: Names<'_>, index: LoopIndex) -> impl Iterator<Item = String> {
    let tables = &names.facts.verdicts[index.0 as usize].rows.tables;
    let kept = tables.values().filter(|rows| rows.by_type);
    kept.map(move |rows| {
        let name = names.symbol(rows.table);
        format!("stores of another type do not change the pointers in {name}")
    })
}

/// What is written for a data environment rests on.
pub fn of_environment(names: Names<'_>, environment: &Environment) -> Vec<String> {
    let mut found = Vec::new();
    let mut used = BTreeSet::new();
    for kernel in &environment.kernels {
        found.extend(floating(names, kernel.index));
        used.extend(symbols_of_loop(names, kernel.index));
    }
    for mapping in &environment.mappings {
        let section = mapping.section.iter();
        let outer = section.flat_map(|section| [&section.lower, &section.length]);
        for bound in outer.chain(&mapping.inner) {
            used.extend(bound.symbols());
        }
    }
    found.extend(positive(names, &used));
    for kernel in &environment.kernels {
        found.extend(apart_by_type(names, kernel.index, &used));
    }
    found.extend(far(names, environment));
    found.extend(values_of_this_build(names, environment));
    found.extend(existence(names, environment));
    found.extend(ends_of_the_program(names, environment));
    found.extend(other_threads(names, environment));
    found.extend(numbers_of_lines(names));
    found.extend(editions(names));
    found.extend(names.facts.values.rests.iter().cloned());
    for kernel in &environment.kernels {
        found.extend(of_users(names, kernel.index));
    }
    once(&mut found);
    found
}

/// Lines are inserted, and the function or another one behind asks for the number of its line.
fn numbers_of_lines(names: Names<'_>) -> Option<String> {
    let unit = names.context().unit;
    let asks = unit.lines.keys().any(|span| span.file == unit.file);
    asks.then(|| {
        "numbers of lines (`__LINE__`, as in `assert`), which change where lines are inserted, do not matter"
            .to_owned()
    })
}

/// The text hangs on the edition of the language that its compiler has.
fn editions(names: Names<'_>) -> Option<String> {
    let compares = |line: &DirectiveLine, bytes: &[u8], name: &str| {
        let text = &bytes[line.hash as usize..line.end as usize];
        matches!(line.keyword.as_str(), "if" | "elif")
            && words(text).any(|word| word == name.as_bytes())
            && text.iter().any(|byte| matches!(byte, b'<' | b'>' | b'='))
    };
    let is_in = |name: &str| {
        effects::linked::files(names.sources).any(|file| {
            let bytes = names.sources.bytes(file);
            names.sources.has_word(file, name)
                && names
                    .sources
                    .preprocessor(file)
                    .lines()
                    .iter()
                    .any(|line| compares(line, bytes, name))
        })
    };
    let found: Vec<&str> = ["_OPENMP", "_OPENACC"]
        .into_iter()
        .filter(|name| is_in(name))
        .collect();
    (!found.is_empty()).then(|| {
        format!(
            "comparisons of {} come out for the compiler that is used as they do here (without a word in the flags, 201811 and 201711; gcc 12 has 201511, clang 19 202011)",
            found.join(" and ")
        )
    })
}

/// Sections that follow from the loops' bounds, though tests on data may keep the loops from their ends.
fn existence(names: Names<'_>, environment: &Environment) -> Option<String> {
    let assumed = environment.mappings.iter().filter(|mapping| mapping.assumed);
    let objects = objects(names, assumed)?;
    Some(format!(
        "all elements of the sections of {objects} exist, though some of them may not be used"
    ))
}

/// The program may end between the kernels. What it has registered for its end is seen in the files that are read, and in no others.
fn ends_of_the_program(names: Names<'_>, environment: &Environment) -> Option<String> {
    let values = &names.facts.values;
    let inside = |end: &End| end.at.span().is_some_and(|span| environment.span.contains(span));
    if !values.ends.iter().any(inside) || !effects::at_exit::ends(names.unit) {
        return None;
    }
    let reach = names.context().reach();
    // Nobody else reaches a variable of this function whose address is not taken.
    let seen = environment.mappings.iter().filter(|mapping| {
        matches!(mapping.direction, Direction::From | Direction::ToFrom) && reach.escapes(mapping.root)
    });
    let objects = objects(names, seen)?;
    Some(format!(
        "where `exit` ends the program between kernels, no function that a file beside those that are read has registered (`atexit`) uses {objects}"
    ))
}

/// Compilers count iterations in the type of the loop variable.
fn far(names: Names<'_>, environment: &Environment) -> Vec<String> {
    let variables = environment.kernels.iter().flat_map(|kernel| &kernel.far);
    let said = variables.map(|variable| {
        let name = names.variable(*variable);
        format!("the bounds of the loop over {name} are no farther apart than its type can say, in which compilers count iterations")
    });
    said.collect()
}

/// Threads that the program starts itself may run beside the kernels of a function that none of them runs. A copy that comes back brings what it
/// has not written, too.
fn other_threads(names: Names<'_>, environment: &Environment) -> Option<String> {
    let starts = beside::starting().find(|name| effects::linked::has_word(names.sources, name))?;
    let objects = objects(names, environment.mappings.iter())?;
    Some(format!(
        "no other thread (`{starts}`) writes {objects} while kernels use it, or reads there what they write"
    ))
}

/// The names of mapped objects, if there are any.
fn objects<'a>(names: Names<'_>, mappings: impl Iterator<Item = &'a Mapping>) -> Option<String> {
    let context = names.context();
    let base = |mapping: &Mapping| {
        let name = names.variable(mapping.base.variable);
        format!("{name}{}", nested::suffix(context, &mapping.base))
    };
    let bases: Vec<String> = mappings.map(base).collect();
    (!bases.is_empty()).then(|| bases.join(", "))
}

fn floating(names: Names<'_>, index: LoopIndex) -> Vec<String> {
    let verdict = &names.facts.verdicts[index.0 as usize];
    let floating = verdict.reductions.iter().filter(|reduction| reduction.floating);
    let atomics = verdict.atomics.iter().filter(|object| object.floating);
    let atomics = atomics.filter_map(|object| match (object.how, object.object) {
        (Whole::Update(op), Object::Root(root)) => Some((op, names.object_of(object.at, root))),
        _ => None,
    });
    let sections = verdict.sections.iter().filter(|section| section.floating);
    let sections = sections.map(|section| (section.op, names.object_of(section.at, section.root)));
    let elements = atomics
        .chain(sections)
        .map(|(op, object)| reordered(op, &format!("the elements of {object}")));
    floating
        .map(|reduction| {
            let variable = reduction.variable.map(|variable| names.variable(variable));
            let what = variable
                .or_else(|| names.text(reduction.at))
                .or_else(|| reduction.root.map(|root| names.symbol(root)))
                .unwrap_or_else(|| "an element".to_owned());
            reordered(reduction.op, &what)
        })
        .chain(elements)
        .collect()
}

fn reordered(op: ReductionOp, what: &str) -> String {
    match op {
        // With NaN, `m = m > x ? m : x` gives what comes last.
        ReductionOp::Minimum | ReductionOp::Maximum => format!(
            "no value that {what} is compared with is NaN, nor {what} before the loop, and the sign of a zero in {what} does not matter"
        ),
        _ => format!("floating-point operations on {what} may be done in another order"),
    }
}

/// The symbols on which the iterations of a loop nest and what they touch depend.
fn symbols_of_loop(names: Names<'_>, index: LoopIndex) -> BTreeSet<Symbol> {
    let values = &names.facts.values;
    let inside = |one: LoopIndex| values.enclosing(one).any(|around| around == index);
    let mut found = BTreeSet::new();
    for (number, of) in values.loops.iter().enumerate() {
        if inside(LoopIndex(number as u32))
            && let Ok(trip) = &of.trip
        {
            found.extend(trip.symbols());
        }
    }
    for access in accesses(names, index) {
        found.extend(access.address.iter().flat_map(Expr::symbols));
    }
    found
}

fn accesses<'a>(names: Names<'a>, index: LoopIndex) -> impl Iterator<Item = &'a Access> {
    let all = names.facts.values.accesses.iter();
    all.filter(move |access| access.loops.contains(&index))
}

/// Constants that are kept by name are taken to be positive.
fn positive(names: Names<'_>, used: &BTreeSet<Symbol>) -> Option<String> {
    let mut constants: Vec<&str> = Vec::new();
    for symbol in used {
        if let SymbolKind::Named { name, .. } = &names.facts.values.symbols.info(*symbol).kind
            && !constants.contains(&name.as_str())
        {
            constants.push(name);
        }
    }
    let verb = if constants.len() == 1 { "is" } else { "are" };
    (!constants.is_empty()).then(|| format!("{} {verb} positive", constants.join(", ")))
}

/// Values in memory that stay the same in the loop for no other reason than that what is stored there has another type.
fn apart_by_type(names: Names<'_>, index: LoopIndex, used: &BTreeSet<Symbol>) -> Vec<String> {
    let values = &names.facts.values;
    let reach = names.context().reach();
    let stores: BTreeMap<(Symbol, TypeId), ()> = accesses(names, index)
        .filter(|access| access.is_write())
        .filter_map(|access| Some(((access.root?, access.ty), ())))
        .collect();
    let mut found = Vec::new();
    for symbol in used {
        let info = values.symbols.info(*symbol);
        let SymbolKind::Loaded { address, .. } = &info.kind else {
            continue;
        };
        let varies = values
            .loops
            .get(index.0 as usize)
            .is_none_or(|of| values.symbols.varies_in(*symbol, of.stmt));
        let root = address
            .symbols()
            .into_iter()
            .find(|symbol| is_pointer(names, *symbol));
        let (Some(root), Some(ty), false) = (root, info.ty, varies) else {
            continue;
        };
        let decided = stores
            .keys()
            .any(|(other, stored)| *other != root && *stored != ty && may_overlap(&reach, root, *other));
        if decided {
            found.push(format!(
                "stores of another type do not change {}",
                names.symbol(*symbol)
            ));
        }
    }
    found
}

fn is_pointer(names: Names<'_>, symbol: Symbol) -> bool {
    let info = names.facts.values.symbols.info(symbol);
    info.is_pointer(&names.unit.types)
}

/// A macro of the file.
struct Macro<'a> {
    /// It has parameters.
    function: bool,
    /// It is an integer.
    constant: bool,
    /// The words of what it stands for.
    words: Vec<&'a [u8]>,
}

/// Constants that were taken by their values, though the text has names for them: all where values prove more than
/// names, and those that come out of macros with parameters. What is written is right for these values only.
fn values_of_this_build(names: Names<'_>, environment: &Environment) -> Option<String> {
    let macros = macros(names.sources, environment.span.file);
    let kept: BTreeSet<&str> = names
        .facts
        .values
        .symbols
        .iter()
        .filter_map(|info| match &info.kind {
            SymbolKind::Named { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let mut used: Vec<String> = Vec::new();
    let mut seen: BTreeSet<&[u8]> = BTreeSet::new();
    let mut open: Vec<(&[u8], bool)> = words(names.sources.text(environment.span))
        .map(|word| (word, false))
        .rev()
        .collect();
    while let Some((word, inside)) = open.pop() {
        let Some(one) = macros.get(word) else { continue };
        let name = String::from_utf8_lossy(word).into_owned();
        // What a macro stands for has values, too, whoever wrote the name.
        if one.function || !one.constant {
            if seen.insert(word) {
                open.extend(one.words.iter().rev().map(|word| (*word, true)));
            }
        } else if one.constant && (inside || !kept.contains(name.as_str())) && !used.contains(&name) {
            used.push(name);
        }
    }
    let verb = if used.len() == 1 {
        "has the value"
    } else {
        "have the values"
    };
    (!used.is_empty()).then(|| format!("{} {verb} of this build", used.join(", ")))
}

fn macros(sources: &Sources, file: FileId) -> BTreeMap<&[u8], Macro<'_>> {
    let bytes = sources.bytes(file);
    let mut found = BTreeMap::new();
    for line in sources
        .preprocessor(file)
        .lines()
        .iter()
        .filter(|line| line.keyword == "define")
    {
        let behind = line.behind_keyword(bytes).trim_ascii_start();
        let length = behind.iter().take_while(|byte| is_word(**byte)).count();
        let (name, rest) = behind.split_at(length);
        let value = rest.trim_ascii();
        let begins = value
            .first()
            .is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'(' | b'-'));
        let one = Macro {
            function: rest.starts_with(b"("),
            constant: begins && !value.contains(&b'.'),
            words: words(value).collect(),
        };
        found.insert(name, one);
    }
    found
}
