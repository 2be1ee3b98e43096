//! How is a program checked whose directives are in several files?
//!
//! A file that calls functions of other files which put data on the device, move them, or run there is followed together with these files, as one unit, as if
//! the text of all stood in one. What is not clear (several definitions of one name, other flags) is not joined; then everything in the file is only possible.

use ferry_analysis::declared;
use ferry_analysis::effects::Effect;
use ferry_analysis::effects::linked::{self, Outside};
use ferry_directive::Language;
use ferry_ir::join::join;
use ferry_ir::{GlobalId, Unit};
use ferry_source::{Sources, Span};
use std::collections::BTreeSet;

/// Most statements of a program that is followed as one.
const MOST: usize = 200_000;

/// One of the files that are given together.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// What it is.
    pub unit: &'a Unit,
    /// The directives at no statement's place, with their names.
    pub declarations: &'a [(Span, &'a str)],
    /// What is known of other files.
    pub outside: &'a Outside,
    /// The language whose directives are compiled, if it is one of them.
    pub language: Option<Language>,
}

/// A file with those that it calls.
pub struct Together<'a> {
    /// All of them.
    pub unit: Unit,
    /// The directives at no statement's place, with their names.
    pub declarations: Vec<(Span, &'a str)>,
    /// What is known of the rest of the program.
    pub outside: Outside,
    /// Variables that live on both sides.
    pub always: BTreeSet<GlobalId>,
}

/// The files that one of them is followed with; `None` if it calls nothing elsewhere that moves data, it is not clear what, or it is followed with another one.
pub fn together<'a>(
    parts: &[Option<Part<'a>>],
    number: usize,
    elsewhere: &BTreeSet<String>,
    sources: &Sources,
) -> Option<Together<'a>> {
    let first = parts.get(number).copied().flatten()?;
    first.unit.first_call(&|name| elsewhere.contains(name))?;
    let bound_otherwise = linked::bound_otherwise(sources);
    let is_bound = |name: &str| !bound_otherwise.contains(name.as_bytes());
    let units: Vec<Option<&Unit>> = parts.iter().map(|part| part.map(|part| part.unit)).collect();
    // What a program reaches from its `main` is followed from there, once.
    let reaches = |main: usize| linked::called_units(&units, main, &is_bound).contains(&number);
    if !has_main(first.unit)
        && (0..units.len()).any(|main| units[main].is_some_and(has_main) && reaches(main))
    {
        return None;
    }
    let numbers = linked::called_units(&units, number, &is_bound);
    let others: Vec<Part<'a>> = numbers.iter().filter_map(|number| parts[*number]).collect();
    let alike = |part: &Part<'_>| part.unit.dialect == first.unit.dialect && part.language == first.language;
    let size = |part: &Part<'_>| -> usize {
        part.unit
            .functions
            .iter()
            .map(|function| function.statements as usize)
            .sum()
    };
    let all: usize = others.iter().map(size).sum();
    if others.is_empty() || !others.iter().all(alike) || all + size(&first) > MOST {
        return None;
    }
    let joined = join(
        first.unit,
        &others.iter().map(|part| part.unit).collect::<Vec<_>>(),
        &is_bound,
    );
    let mut declarations = first.declarations.to_vec();
    let mut always: BTreeSet<GlobalId> = BTreeSet::new();
    let mut outside = Outside {
        words: first.outside.words.clone(),
        replaceable: first.outside.replaceable.clone(),
        ..Outside::default()
    };
    let is_open = |id: ferry_ir::FunctionRef| joined.unit.function(id).body.is_none();
    for (id, effect) in &first.outside.functions {
        if is_open(*id) {
            outside.functions.insert(*id, effect.clone());
        }
    }
    for ((part, functions), globals) in others.iter().zip(&joined.functions).zip(&joined.globals) {
        declarations.extend_from_slice(part.declarations);
        let declared = declared::all(part.unit, part.declarations, sources);
        let own = declared.into_iter().flat_map(|one| one.always);
        always.extend(own.map(|id| globals[id.0 as usize]));
        outside
            .replaceable
            .extend(part.outside.replaceable.iter().map(|id| functions[id.0 as usize]));
        for id in part.outside.functions.keys() {
            let own = functions[id.0 as usize];
            if is_open(own) {
                let name = &joined.unit.function(own).name;
                outside
                    .functions
                    .entry(own)
                    .or_insert_with(|| Effect::unknown(name));
            }
        }
    }
    Some(Together {
        unit: joined.unit,
        declarations,
        outside,
        always,
    })
}

fn has_main(unit: &Unit) -> bool {
    unit.functions
        .iter()
        .any(|one| one.name == "main" && one.body.is_some())
}
