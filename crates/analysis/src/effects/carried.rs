//! Which bytes does a function of another file touch, in terms of this one?
//!
//! The sections of a function ([`super::summary`]) are found in the file that defines it, callees first, through all files
//! of the program, and carried over to each file that calls it: parameters keep their numbers, variables are the same by
//! their names, types by what they are. What has no name there, or a type that is not there, is touched as a whole.
//!
//! What it cannot do: functions that are declared with other parameters than they are defined with, and functions that
//! call themselves, through whichever files: they are known by their objects.

use super::Effects;
use super::linked::{Carrier, Definition, Outside};
use super::summary::{self, Base, Section, Summary, touch};
use crate::access::AccessKind;
use ferry_ir::{Function, FunctionRef, Type, TypeId, Types, Unit};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Puts the sections of functions that other files define beside their effects.
pub(super) fn carry(
    units: &[Option<&Unit>],
    wanted: &[Vec<(FunctionRef, Definition)>],
    carrier: &Carrier<'_>,
    outside: &mut [Outside],
) {
    let defined: Vec<BTreeMap<FunctionRef, Definition>> =
        wanted.iter().map(|list| list.iter().copied().collect()).collect();
    let mut callers: BTreeMap<Definition, Vec<Definition>> = BTreeMap::new();
    for (number, list) in wanted.iter().enumerate() {
        for (id, definition) in list {
            callers.entry(*definition).or_default().push((number, *id));
        }
    }
    let roots: Vec<Definition> = callers.keys().copied().collect();
    let callees = |(number, id): Definition| -> Vec<Definition> {
        let Some(unit) = units[number] else {
            return Vec::new();
        };
        let own = summary::callees(unit, id)
            .into_iter()
            .map(|callee| (number, callee));
        let others = summary::declared_callees(unit, id);
        let others = others
            .iter()
            .filter_map(|callee| defined[number].get(callee).copied());
        own.chain(others).collect()
    };
    let mut effects: Vec<Option<Effects>> = vec![None; units.len()];
    summary::callees_first(&roots, &callees, &mut |(number, id)| {
        let Some(unit) = units[number] else { return };
        let known = effects[number].get_or_insert_with(|| Effects {
            summaries: shared(&outside[number].summaries),
            ..Effects::unsummarized(unit, &outside[number], false)
        });
        let Some(found) = summary::of_function(unit, id, known) else {
            return;
        };
        for (caller, declared) in callers.get(&(number, id)).into_iter().flatten() {
            let Some(to) = units[*caller] else { continue };
            if !same_parameters((unit, unit.function(id)), (to, to.function(*declared))) {
                continue;
            }
            let carried = carried(&found, (number, unit), (*caller, to), carrier);
            if let Some(effects) = &mut effects[*caller] {
                effects.summaries.insert(*declared, Arc::new(carried.clone()));
            }
            outside[*caller].summaries.insert(*declared, carried);
        }
        if let Some(effects) = &mut effects[number] {
            effects.summaries.insert(id, Arc::new(found));
        }
    });
}

pub(super) fn shared(summaries: &BTreeMap<FunctionRef, Summary>) -> BTreeMap<FunctionRef, Arc<Summary>> {
    let each = summaries.iter();
    each.map(|(id, known)| (*id, Arc::new(known.clone()))).collect()
}

/// A summary in terms of another unit.
fn carried(summary: &Summary, from: (usize, &Unit), to: (usize, &Unit), carrier: &Carrier<'_>) -> Summary {
    let mut carried = Summary {
        parameters: summary.parameters.clone(),
        sections: Vec::new(),
        reads: carrier.touch(&summary.reads, from, to),
        writes: carrier.touch(&summary.writes, from, to),
    };
    for section in &summary.sections {
        let mut whole = super::Touch::default();
        touch(&mut whole, section.base);
        let whole = carrier.touch(&whole, from, to);
        let base = match section.base {
            Base::Argument(_) => Some(section.base),
            Base::Global(_) => match (
                whole.globals.first(),
                whole.globals.len(),
                whole.hidden.is_empty(),
            ) {
                (Some(own), 1, true) => Some(Base::Global(*own)),
                _ => None,
            },
        };
        let ty = same_type(&from.1.types, section.ty, &to.1.types);
        match (base, ty) {
            (Some(base), Some(ty)) => carried.sections.push(Section {
                base,
                ty,
                ..section.clone()
            }),
            _ => match section.kind {
                AccessKind::Read => carried.reads.add(&whole),
                AccessKind::Write => carried.writes.add(&whole),
            },
        }
    }
    carried
}

/// True if a function is declared with the parameters that it is defined with, as far as calls pass them alike.
fn same_parameters(defined: (&Unit, &Function), declared: (&Unit, &Function)) -> bool {
    let parameters = |(unit, function): (&Unit, &Function)| -> Option<Vec<Type>> {
        let Type::Function {
            parameters,
            variadic: false,
            ..
        } = unit.types.get(function.ty)
        else {
            return None;
        };
        // A pointer is passed like any other.
        let passed = |ty: &TypeId| match unit.types.get(*ty) {
            Type::Pointer(_) => Some(Type::Pointer(TypeId(0))),
            plain @ (Type::Bool | Type::Int { .. } | Type::Float { .. } | Type::Complex { .. }) => {
                Some(plain.clone())
            }
            _ => None,
        };
        parameters.iter().map(passed).collect()
    };
    let known = parameters(defined);
    known.is_some() && known == parameters(declared)
}

/// The number that a type of one unit has in another, if it is there. Structures and what is made of them are not looked for.
fn same_type(from: &Types, ty: TypeId, to: &Types) -> Option<TypeId> {
    match from.get(ty) {
        plain @ (Type::Void | Type::Bool | Type::Int { .. } | Type::Float { .. } | Type::Complex { .. }) => {
            to.find(plain)
        }
        Type::Pointer(pointee) => to.find(&Type::Pointer(same_type(from, *pointee, to)?)),
        _ => None,
    }
}
