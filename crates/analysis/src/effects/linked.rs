//! What do functions of other files of the program do?
//!
//! A function that is declared here and defined in exactly one other file of the program does what that definition does.
//! Effects are composed over the whole program until nothing changes, so that files may call each other in any way.
//! Variables are the same in all files by their names, if they have external linkage; those that are private to a file,
//! or that a file does not declare, are storage of their own there ([`Hidden`]). Two files with a `main` are in two programs.
//!
//! What it cannot do: decide between several definitions of one name (two programs in one project), and look behind
//! names that the linker may bind to something else (`weak`, `alias`, `asm`): such functions may do anything.

use super::summary::Summary;
use super::{Effect, Hidden, Outline, Touch, at_exit, carried, composed, library, outlines, pointed_to};
use crate::beside::{self, Beside};
use crate::expansion::Bodies;
use crate::word::Words;
use ferry_ir::{Callee, Function, FunctionRef, GlobalId, Linkage, StmtKind, Unit};
use ferry_source::{FileId, Sources, layout, mentions, words};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a unit is told of the rest of the program.
#[derive(Clone, Debug, Default)]
pub struct Outside {
    /// What functions that are only declared in the unit do.
    pub functions: BTreeMap<FunctionRef, Effect>,
    /// What of that is known by its sections.
    pub summaries: BTreeMap<FunctionRef, Summary>,
    /// Functions that the unit only declares, with bodies that other files define, in its terms.
    pub bodies: Bodies,
    /// Functions that are defined in the unit, but that the linker may replace by others.
    pub replaceable: BTreeSet<FunctionRef>,
    /// What the user says of values and loops in functions of the unit.
    pub words: Words,
    /// Functions of the unit that run beside others, or before or after all others, by what any file of the program says.
    pub beside: Beside,
    /// Variables of other files that directives there declare for the device, or for each thread, by their names.
    pub declared: BTreeSet<String>,
    /// Another file moves data to the device by itself, which may be anything that can be reached from there.
    pub moves: bool,
    /// Another file takes the address of a variable with its own copy on the device, or for each thread: pointers may lead to it.
    pub points: bool,
}

/// What each unit of a program is told; a unit that was not read has no entry. `bodies` are those of other files that each unit has been given
/// ([`super::brought`]), if any; `unread` are the names of files that could not be read, with their texts.
pub fn link(
    units: &[Option<&Unit>],
    bodies: Vec<Bodies>,
    sources: &Sources,
    unread: &[(String, Vec<u8>)],
) -> Vec<Outside> {
    let definitions = Definitions::of(units, sources);
    let beside = beside::of_program(units, sources).into_iter();
    let mut outside: Vec<Outside> = units
        .iter()
        .zip(beside)
        .map(|(unit, beside)| Outside {
            replaceable: unit
                .map(|unit| replaceable(unit, &definitions.bound_elsewhere))
                .unwrap_or_default(),
            beside,
            ..Outside::default()
        })
        .collect();
    for ((unit, outside), bodies) in units.iter().zip(&mut outside).zip(bodies) {
        // A private function of another file is walked into or not called; its name says nothing.
        let private =
            |id: &&FunctionRef| unit.is_some_and(|unit| unit.function(**id).linkage == Linkage::Internal);
        for id in bodies.keys().filter(private) {
            outside.functions.insert(*id, Effect::unknown(&bodies[id].name));
        }
        outside.bodies = bodies;
    }
    let mut wanted: Vec<Vec<(FunctionRef, Definition)>> = vec![Vec::new(); units.len()];
    for (number, unit) in units.iter().enumerate() {
        let Some(unit) = unit else { continue };
        for id in called_without_body(unit) {
            let name = &unit.function(id).name;
            let refused = match definitions.of_call(number, id) {
                Ok(None) if library::effect(name).is_none() && !unit.function(id).pure => unread
                    .iter()
                    .find(|(_, text)| mentions(text, name))
                    .map(|(file, _)| format!("nothing is known of {name}: {file} could not be read")),
                Ok(None) => None,
                Ok(Some(one)) => {
                    wanted[number].push((id, one));
                    None
                }
                Err(why) => Some(why),
            };
            if let Some(why) = refused {
                let effect = Effect {
                    external: Some(why),
                    ..Effect::unknown(name)
                };
                outside[number].functions.insert(id, effect);
            }
        }
    }
    let ends = ends_elsewhere(units, sources);
    if wanted.iter().all(Vec::is_empty) && ends.is_empty() {
        return outside;
    }
    let asked = Asked {
        wanted: &wanted,
        ends: &ends,
    };
    compose(units, sources, asked, &mut outside);
    outside
}

/// Which definition a call of a function means that the caller's file only declares.
pub(super) struct Definitions<'a> {
    units: &'a [Option<&'a Unit>],
    by_name: BTreeMap<&'a str, Vec<Definition>>,
    /// The units with a `main`.
    main: BTreeSet<usize>,
    /// Names that the linker may bind to something else.
    bound_elsewhere: BTreeSet<Vec<u8>>,
}

impl<'a> Definitions<'a> {
    /// Of a program.
    pub fn of(units: &'a [Option<&'a Unit>], sources: &Sources) -> Definitions<'a> {
        let by_name = definitions(units);
        let main = by_name.get("main").into_iter().flatten();
        Definitions {
            units,
            main: main.map(|(number, _)| *number).collect(),
            by_name,
            bound_elsewhere: bound_elsewhere(sources),
        }
    }

    /// True if the linker may take something else for a function than the definition that is seen.
    pub fn may_be_another(&self, function: &Function) -> bool {
        function.linkage == Linkage::External && self.bound_elsewhere.contains(function.name.as_bytes())
    }

    /// The definition of a function that a unit declares; `None` if no file has one.
    ///
    /// # Errors
    /// Why it is not clear which one is meant.
    pub fn of_call(&self, number: usize, id: FunctionRef) -> Result<Option<Definition>, String> {
        let Some(unit) = self.units.get(number).copied().flatten() else {
            return Ok(None);
        };
        let name = &unit.function(id).name;
        let found = self.by_name.get(name.as_str());
        let found = found.map(Vec::as_slice).unwrap_or_default();
        let other_program =
            |one: &&Definition| one.0 != number && self.main.contains(&one.0) && self.main.contains(&number);
        let found: Vec<Definition> = found.iter().filter(|one| !other_program(one)).copied().collect();
        match found.as_slice() {
            [] => Ok(None),
            [_] if self.may_be_another(unit.function(id)) => Err(format!(
                "nothing is known of {name}: the linker may bind the name to something else"
            )),
            [one] => Ok(Some(*one)),
            _ => Err(format!("nothing is known of {name}: several files define it")),
        }
    }
}

/// The names of functions that units call and none of them defines, and of which the table of the library does not know:
/// other files of the project may define them.
pub fn missing(units: &[Option<&Unit>]) -> BTreeSet<String> {
    let definitions = definitions(units);
    let mut found = BTreeSet::new();
    for unit in units.iter().flatten() {
        for id in called_without_body(unit) {
            let name = &unit.function(id).name;
            if !definitions.contains_key(name.as_str()) && library::effect(name).is_none() {
                found.insert(name.clone());
            }
        }
    }
    found
}

/// The other units that define what a unit calls, directly or through others, in order; none where it is not clear which definitions are meant.
pub fn called_units(units: &[Option<&Unit>], number: usize, is_bound: &dyn Fn(&str) -> bool) -> Vec<usize> {
    let definitions = definitions(units);
    let has_main = |other: usize| {
        definitions
            .get("main")
            .is_some_and(|all| all.iter().any(|one| one.0 == other))
    };
    let mut found = BTreeSet::from([number]);
    let mut open = vec![number];
    while let Some(unit) = open.pop() {
        let Some(unit) = units.get(unit).copied().flatten() else {
            continue;
        };
        for id in called_without_body(unit) {
            let name = unit.function(id).name.as_str();
            let all = definitions.get(name).map(Vec::as_slice).unwrap_or_default();
            let others: Vec<usize> = all
                .iter()
                .map(|one| one.0)
                .filter(|other| *other == number || !has_main(*other))
                .collect();
            if let [one] = others[..]
                && is_bound(name)
                && found.insert(one)
            {
                open.push(one);
            }
        }
    }
    // Two definitions of one name, though one be in a file that nothing else speaks for: which one is meant is not known.
    let twice = definitions.iter().any(|(name, all)| {
        let mut here = all.iter().filter(|one| found.contains(&one.0));
        let may_be = all
            .iter()
            .filter(|one| one.0 == number || !has_main(one.0))
            .count();
        *name != "main" && here.next().is_some() && may_be > 1
    });
    found.remove(&number);
    match twice {
        true => Vec::new(),
        false => found.into_iter().collect(),
    }
}

/// The names that the linker may bind to something else than their definitions.
pub fn bound_otherwise(sources: &Sources) -> BTreeSet<Vec<u8>> {
    bound_elsewhere(sources)
}

/// What units ask of one another.
struct Asked<'a> {
    /// The definitions of the functions that each unit calls.
    wanted: &'a [Vec<(FunctionRef, Definition)>],
    ends: &'a [End],
}

/// A function by which a unit ends the program, and one that another unit has registered to be called then.
struct End {
    unit: usize,
    function: FunctionRef,
    file: usize,
    /// `None`: it is not known which.
    registered: Option<FunctionRef>,
}

/// What programs do when they end, as far as it is in another file, or where a text speaks of functions that are called then.
fn ends_elsewhere(units: &[Option<&Unit>], sources: &Sources) -> Vec<End> {
    let mut found = Vec::new();
    let ending = |unit: &Option<&Unit>| {
        unit.map(|unit| at_exit::ending(unit).collect())
            .unwrap_or_default()
    };
    let endings: Vec<Vec<FunctionRef>> = units.iter().map(ending).collect();
    if at_exit::ATTRIBUTES.iter().any(|word| has_word(sources, word)) {
        for (unit, ends) in endings.iter().enumerate() {
            found.extend(ends.iter().map(|function| End {
                unit,
                function: *function,
                file: unit,
                registered: None,
            }));
        }
    }
    for (file, from) in units.iter().enumerate() {
        let others = endings.iter().enumerate().filter(|(unit, _)| *unit != file);
        let others = others.flat_map(|(unit, ends)| ends.iter().map(move |function| (unit, *function)));
        let others: Vec<(usize, FunctionRef)> = others.collect();
        if others.is_empty() {
            continue;
        }
        for registered in from.map(at_exit::registered).unwrap_or_default() {
            found.extend(others.iter().map(|(unit, function)| End {
                unit: *unit,
                function: *function,
                file,
                registered,
            }));
        }
    }
    found
}

/// A definition: the unit's number, and the function.
pub(crate) type Definition = (usize, FunctionRef);

/// The definitions with external linkage, by name.
pub(crate) fn definitions<'a>(units: &[Option<&'a Unit>]) -> BTreeMap<&'a str, Vec<Definition>> {
    let mut found: BTreeMap<&str, Vec<Definition>> = BTreeMap::new();
    for (number, unit) in units.iter().enumerate() {
        let Some(unit) = unit else { continue };
        for (id, function) in unit.functions() {
            if function.body.is_some() && function.linkage == Linkage::External {
                found.entry(&function.name).or_default().push((number, id));
            }
        }
    }
    found
}

/// The functions that a unit calls by name and does not define.
pub(super) fn called_without_body(unit: &Unit) -> BTreeSet<FunctionRef> {
    let mut found = BTreeSet::new();
    for body in unit
        .functions
        .iter()
        .filter_map(|function| function.body.as_ref())
    {
        body.walk(&mut |stmt| {
            if let StmtKind::Call {
                callee: Callee::Function(id),
                ..
            } = &stmt.kind
                && unit.function(*id).body.is_none()
            {
                found.insert(*id);
            }
        });
    }
    found
}

/// Composes effects over the files until nothing changes.
fn compose(
    units: &[Option<&Unit>],
    sources: &Sources,
    Asked { wanted, ends }: Asked<'_>,
    outside: &mut [Outside],
) {
    let path = |number: usize| {
        units
            .get(number)
            .copied()
            .flatten()
            .map(|unit| sources.path(unit.file))
    };
    // Of several causes the first is kept: which one that is must not depend on the order of the command line.
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|number| path(*number));
    for (number, list) in wanted.iter().enumerate() {
        for (id, _) in list {
            outside[number].functions.insert(*id, Effect::default());
        }
    }
    for end in ends {
        let known = outside[end.unit].functions.entry(end.function).or_default();
        let name = units[end.unit].map(|unit| unit.function(end.function).name.as_str());
        *known = name.and_then(library::effect).unwrap_or_default();
    }
    let taken: Vec<BTreeSet<GlobalId>> = units
        .iter()
        .map(|unit| unit.map(pointed_to).unwrap_or_default())
        .collect();
    let carrier = Carrier { taken: &taken };
    let outlines: Vec<Vec<Option<Outline>>> = units
        .iter()
        .zip(outside.iter())
        .map(|(unit, outside)| unit.map(|unit| outlines(unit, outside)).unwrap_or_default())
        .collect();
    let mut effects: Vec<Vec<Effect>> = vec![Vec::new(); units.len()];
    let mut stale: Vec<bool> = units.iter().map(Option::is_some).collect();
    // Effects only grow, and there are finitely many.
    loop {
        for number in &order {
            if let (Some(unit), true) = (units[*number], stale[*number]) {
                effects[*number] = composed(unit, &outlines[*number], &outside[*number], false);
                stale[*number] = false;
            }
        }
        for number in &order {
            let Some(unit) = units[*number] else { continue };
            for (id, (other, definition)) in &wanted[*number] {
                let (Some(from), Some(file)) = (units[*other], path(*other)) else {
                    continue;
                };
                let Some(effect) = effects[*other].get(definition.0 as usize) else {
                    continue;
                };
                let named = Named {
                    name: &unit.function(*id).name,
                    file,
                };
                let mut carried = carried_over(effect, (*other, from), (*number, unit), &carrier, &named);
                let known = outside[*number].functions.entry(*id).or_default();
                // The first cause stays: files that call each other would hand theirs around for ever.
                if known.external.is_some() {
                    carried.external.clone_from(&known.external);
                }
                if *known != carried {
                    *known = carried;
                    stale[*number] = true;
                }
            }
        }
        for end in ends {
            let (Some(unit), Some(from), Some(file)) = (units[end.unit], units[end.file], path(end.file))
            else {
                continue;
            };
            let registered = match end.registered {
                Some(id) => effects[end.file].get(id.0 as usize).map(|effect| {
                    let name = &from.function(id).name;
                    carried_over(
                        effect,
                        (end.file, from),
                        (end.unit, unit),
                        &carrier,
                        &Named { name, file },
                    )
                }),
                // The cause that `exit` has stays.
                None => Some(Effect::unknown("a function that is registered")),
            };
            let known = outside[end.unit].functions.entry(end.function).or_default();
            let before = known.clone();
            if let Some(registered) = registered {
                // No device can end the program, whatever it calls then.
                let registered = Effect {
                    elsewhere: None,
                    ..registered
                };
                known.called(&registered, &[]);
            }
            stale[end.unit] |= *known != before;
        }
        if !stale.contains(&true) {
            break;
        }
    }
    carried::carry(units, wanted, &carrier, outside);
}

struct Named<'a> {
    name: &'a str,
    file: &'a Path,
}

/// Puts what functions of one file touch in terms of another.
pub(super) struct Carrier<'a> {
    /// The variables of each unit whose addresses are taken.
    taken: &'a [BTreeSet<GlobalId>],
}

impl Carrier<'_> {
    /// The same storage, seen from another unit.
    pub(super) fn touch(&self, touch: &Touch, from: (usize, &Unit), to: (usize, &Unit)) -> Touch {
        let mut carried = Touch {
            globals: BTreeSet::new(),
            hidden: BTreeSet::new(),
            ..touch.clone()
        };
        for global in &touch.globals {
            let own = from.1.global(*global);
            let private = (own.linkage == Linkage::Internal).then_some((from.0, *global));
            let taken = self.taken.get(from.0).is_none_or(|taken| taken.contains(global));
            let hidden = Hidden {
                name: own.name.clone(),
                private,
                escapes: private.is_none() || taken,
            };
            put(hidden, to, &mut carried);
        }
        for hidden in &touch.hidden {
            put(hidden.clone(), to, &mut carried);
        }
        carried
    }
}

/// The effect of a function of one file, in terms of another.
fn carried_over(
    effect: &Effect,
    from: (usize, &Unit),
    to: (usize, &Unit),
    carrier: &Carrier<'_>,
    named: &Named<'_>,
) -> Effect {
    let mut rests = effect.rests.clone();
    rests.insert(format!("{} is what {} defines", named.name, named.file.display()));
    Effect {
        reads: carrier.touch(&effect.reads, from, to),
        writes: carrier.touch(&effect.writes, from, to),
        on_device: false,
        elsewhere: Some(named.name.to_owned()),
        rests,
        ..effect.clone()
    }
}

/// A variable, by its number where the unit has one for it.
fn put(hidden: Hidden, to: (usize, &Unit), touch: &mut Touch) {
    let own: Vec<GlobalId> = match hidden.private {
        Some((file, global)) if file == to.0 => vec![global],
        Some(_) => Vec::new(),
        None => {
            let globals = to.1.globals.iter().enumerate();
            let same = globals
                .filter(|(_, global)| global.linkage == Linkage::External && global.name == hidden.name);
            same.map(|(number, _)| GlobalId(number as u32)).collect()
        }
    };
    if own.is_empty() {
        touch.hidden.insert(hidden);
    } else {
        touch.globals.extend(own);
    }
}

fn replaceable(unit: &Unit, elsewhere: &BTreeSet<Vec<u8>>) -> BTreeSet<FunctionRef> {
    let defined = unit.functions().filter(|(_, function)| {
        function.body.is_some()
            && function.linkage == Linkage::External
            && elsewhere.contains(function.name.as_bytes())
    });
    defined.map(|(id, _)| id).collect()
}

/// Words by which a name may come to mean something else when the program is linked.
const BINDING: [&str; 11] = [
    "redefine_extname",
    "weak",
    "__weak__",
    "weakref",
    "alias",
    "__alias__",
    "ifunc",
    "__ifunc__",
    "asm",
    "__asm",
    "__asm__",
];

/// All words that stand in one declaration, or on one preprocessor line, with a word of [`BINDING`] or a macro that has
/// one in it. More than the names that are really bound so, never fewer, as far as the text is the user's.
fn bound_elsewhere(sources: &Sources) -> BTreeSet<Vec<u8>> {
    declared_with(sources, &BINDING)
}

/// All words that stand in one declaration, or on one preprocessor line, with one of some words or a macro that has one in it.
pub fn declared_with(sources: &Sources, wanted: &[&str]) -> BTreeSet<Vec<u8>> {
    let mut found = BTreeSet::new();
    let concerns = |file: &FileId| wanted.iter().any(|word| sources.has_word(*file, word));
    if !files(sources).any(|file| concerns(&file)) {
        return found;
    }
    let mut binding: BTreeSet<Vec<u8>> = wanted.iter().map(|word| word.as_bytes().to_vec()).collect();
    let texts: Vec<Vec<u8>> = files(sources).map(|file| code(sources.bytes(file))).collect();
    // Macros that stand for such a word, and macros that stand for these.
    loop {
        let before = binding.len();
        for text in &texts {
            for line in text.split(|byte| *byte == b'\n') {
                let line = line.trim_ascii();
                let Some(define) = line.strip_prefix(b"#").map(<[u8]>::trim_ascii_start) else {
                    continue;
                };
                let mut words = words(define);
                if words.next() == Some(b"define")
                    && let Some(name) = words.next()
                    && words.any(|word| binding.contains(word))
                {
                    binding.insert(name.to_vec());
                }
            }
        }
        if binding.len() == before {
            break;
        }
    }
    for text in &texts {
        for part in text.split(|byte| matches!(byte, b';' | b'{' | b'}')) {
            let directives = part
                .split(|byte| *byte == b'\n')
                .filter(|line| line.trim_ascii().starts_with(b"#"));
            for piece in directives.chain(std::iter::once(part)) {
                if words(piece).any(|word| binding.contains(word)) {
                    found.extend(words(piece).map(<[u8]>::to_vec));
                }
            }
        }
    }
    found
}

/// The text without comments and what strings hold, continued lines joined.
pub(crate) fn code(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let rest = &text[at..];
        let length = if rest.starts_with(b"\\\n") {
            2
        } else if rest.starts_with(b"\\\r\n") {
            3
        } else if rest.starts_with(b"//") {
            rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            let end = rest.windows(2).skip(2).position(|end| end == b"*/");
            end.map_or(rest.len(), |end| end + 4)
        } else if matches!(byte, b'"' | b'\'') {
            layout::literal(rest)
        } else {
            out.push(*byte);
            at += 1;
            continue;
        };
        out.push(b' ');
        at += length;
    }
    out
}

/// True if some file that is not the system's has this word in its text.
pub fn has_word(sources: &Sources, word: &str) -> bool {
    files(sources).any(|file| sources.has_word(file, word))
}

/// The files that are not the system's.
pub fn files(sources: &Sources) -> impl Iterator<Item = FileId> + '_ {
    sources.files().filter(|file| {
        let path = sources.path(*file);
        !(path.starts_with("/usr") || path.starts_with("/opt"))
    })
}
