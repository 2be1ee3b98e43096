//! Which functions of other files are walked into where they are called, as if they stood in the file?
//!
//! What a function does behind the pointers of a structure that it is given depends on the structure: its sections ([`super::summary`]) cannot say it, its body,
//! walked where it is called, can. So the bodies of small functions are put in terms of the units that call them, with all that they call.
//!
//! What it cannot do: functions that name variables of their file alone, or variables that the calling file does not declare: no unit has a variable of
//! another one, which could be reached in two ways then, of which one does not know the other. Strings are no such variables, and for constants that hold a number
//! the number stands. Nor what [`crate::expansion`] does not walk into. The sections of such functions are known as before.

use super::library;
use super::linked::{Definition, Definitions};
use crate::expansion::{self, Bodies};
use ferry_ir::join::{Known, constant_number, in_terms_of, type_in_terms_of};
use ferry_ir::visit::{Call, calls};
use ferry_ir::{
    Callee, ExprKind, Function, FunctionRef, GlobalId, Length, Linkage, PlaceBase, Stmt, StmtKind, Type,
    TypeId, Unit, VariableRef,
};
use ferry_source::Sources;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Most statements of a function together with all that it calls.
const MOST: u32 = 200;

/// Puts the bodies of functions that other units define in terms of each unit that calls them. The units get declarations and types that the bodies name.
/// A unit that was not read has no bodies.
pub fn bring(units: &mut [Option<Unit>], sources: &Sources) -> Vec<Bodies> {
    let wanted: Vec<Vec<Group>> = {
        let all: Vec<Option<&Unit>> = units.iter().map(Option::as_ref).collect();
        let definitions = Definitions::of(&all, sources);
        let mut groups = Groups {
            units: &all,
            definitions: &definitions,
            known: BTreeMap::new(),
        };
        (0..all.len()).map(|number| groups.called_by(number)).collect()
    };
    let bring = |(number, groups): (usize, Vec<Group>)| {
        // The unit is taken out, so that the others can be read beside it.
        let Some(mut unit) = units.get_mut(number).and_then(Option::take) else {
            return Bodies::default();
        };
        let bodies = bodies(&mut unit, units, &groups);
        units[number] = Some(unit);
        Arc::new(bodies)
    };
    wanted.into_iter().enumerate().map(bring).collect()
}

/// A function that is declared in a unit, and all bodies that walking into it takes: its own is the first.
struct Group {
    declared: FunctionRef,
    bodies: Vec<Definition>,
}

/// What was found of a function and all that it calls.
#[derive(Clone)]
struct Found {
    bodies: Vec<Definition>,
    statements: u32,
}

struct Groups<'a> {
    units: &'a [Option<&'a Unit>],
    definitions: &'a Definitions<'a>,
    /// `None`: it cannot be walked into, or is being looked at.
    known: BTreeMap<Definition, Option<Found>>,
}

impl Groups<'_> {
    /// What can be walked into of all that a unit calls and does not define.
    fn called_by(&mut self, number: usize) -> Vec<Group> {
        let Some(unit) = self.units[number] else {
            return Vec::new();
        };
        let mut groups = Vec::new();
        for declared in super::linked::called_without_body(unit) {
            let Ok(Some(definition)) = self.definitions.of_call(number, declared) else {
                continue;
            };
            if let Some(found) = self.found(definition)
                && self.mean_the_same(&found.bodies, unit, number)
            {
                groups.push(Group {
                    declared,
                    bodies: found.bodies,
                });
            }
        }
        groups
    }

    fn found(&mut self, definition: Definition) -> Option<Found> {
        if let Some(known) = self.known.get(&definition) {
            return known.clone();
        }
        // One that is met again calls itself.
        self.known.insert(definition, None);
        let found = self.look(definition);
        self.known.insert(definition, found.clone());
        found
    }

    fn look(&mut self, definition: Definition) -> Option<Found> {
        let (number, id) = definition;
        let unit = self.units[number]?;
        let function = unit.function(id);
        let body = function.body.as_ref()?;
        if function.statements > MOST || !expansion::has_prototype(unit, function) {
            return None;
        }
        let mut fine = true;
        body.walk(&mut |stmt| {
            fine &= expansion::is_followed(stmt) && !matches!(stmt.kind, StmtKind::Directive { .. });
            stmt.for_each_expression(&mut |expr| {
                expr.walk(&mut |inner| fine &= !matches!(inner.kind, ExprKind::Function(_)));
            });
        });
        if !fine {
            return None;
        }
        let mut found = Found {
            bodies: vec![definition],
            statements: function.statements,
        };
        for callee in called(body) {
            let called = unit.function(callee);
            let definition = match called.body {
                Some(_) if self.definitions.may_be_another(called) => return None,
                Some(_) => (number, callee),
                None => match self.definitions.of_call(number, callee) {
                    Ok(Some(definition)) => definition,
                    Ok(None) if library::effect(&called.name).is_some() => continue,
                    _ => return None,
                },
            };
            let more = self.found(definition)?;
            found.statements = found.statements.saturating_add(more.statements);
            if found.statements > MOST {
                return None;
            }
            for one in more.bodies {
                if !found.bodies.contains(&one) {
                    found.bodies.push(one);
                }
            }
        }
        Some(found)
    }

    /// True if the bodies of other units name no variables but what a unit declares itself, and are compiled alike: types are what the flags say, and so is what
    /// happens where numbers overflow.
    fn mean_the_same(&self, bodies: &[Definition], unit: &Unit, own: usize) -> bool {
        let others = bodies.iter().filter(|(number, _)| *number != own);
        others.into_iter().all(|(number, id)| {
            let Some(from) = self.units[*number].filter(|from| from.dialect == unit.dialect) else {
                return false;
            };
            globals(from, *id).into_iter().all(|id| {
                let global = from.global(id);
                let own = |one: &ferry_ir::Global| {
                    one.linkage == Linkage::External && one.name == global.name && !one.renamed
                };
                let plain = !global.thread_local && !global.qualifiers.volatile && !global.renamed;
                // Nobody can write a string, and no name leads to it.
                global.string_literal
                    || plain && global.linkage == Linkage::External && unit.globals.iter().any(own)
            })
        })
    }
}

/// The functions that a body calls by name, each once.
fn called(body: &Stmt) -> BTreeSet<FunctionRef> {
    let named = |call: Call<'_>| match call.callee {
        Callee::Function(id) => Some(*id),
        Callee::Pointer(_) => None,
    };
    calls(body).into_iter().filter_map(named).collect()
}

/// The variables with static storage that a function names, but constants for which numbers stand where it is walked into.
fn globals(unit: &Unit, function: FunctionRef) -> BTreeSet<GlobalId> {
    let mut found = BTreeSet::new();
    let Some(body) = &unit.function(function).body else {
        return found;
    };
    let mut named = |base: &PlaceBase| {
        if let PlaceBase::Variable(VariableRef::Global(id)) = base {
            found.insert(*id);
        }
    };
    body.walk(&mut |stmt| {
        if let Some(place) = stmt.written_place() {
            named(&place.base);
        }
        stmt.for_each_expression(&mut |expr| {
            expr.walk(&mut |part| match &part.kind {
                _ if constant_number(unit, part).is_some() => {}
                ExprKind::Load(place) | ExprKind::AddressOf(place) => named(&place.base),
                _ => {}
            });
        });
    });
    found
}

/// The bodies of groups in terms of a unit, by the numbers of their functions there.
fn bodies(unit: &mut Unit, units: &[Option<Unit>], groups: &[Group]) -> BTreeMap<FunctionRef, Function> {
    let mut known: BTreeMap<usize, Known> = BTreeMap::new();
    let mut brought: BTreeMap<Definition, (FunctionRef, Function)> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for group in groups {
        for definition in &group.bodies {
            let Some(from) = units.get(definition.0).and_then(Option::as_ref) else {
                // It is the unit's own: a function of another file calls back.
                continue;
            };
            brought.entry(*definition).or_insert_with(|| {
                in_terms_of(unit, from, definition.1, known.entry(definition.0).or_default())
            });
        }
        let of_group = || {
            group
                .bodies
                .iter()
                .filter_map(|definition| brought.get(definition))
        };
        // A function that the unit only declares is none of its own.
        let root = of_group().next();
        let is_declared_so = root.is_some_and(|(own, function)| {
            *own == group.declared && are_passed_alike(unit, unit.function(*own).ty, function.ty)
        });
        let same_variables = group.bodies.iter().all(|definition| {
            let from = units.get(definition.0).and_then(Option::as_ref);
            from.is_none_or(|from| {
                let known = known.entry(definition.0).or_default();
                same_types(unit, from, definition.1, known)
            })
        });
        if is_declared_so && same_variables {
            found.extend(of_group().cloned());
        }
    }
    found
}

/// True if a function is declared with the parameters and the result that it is defined with, as far as calls pass them alike: a pointer is passed like any other.
fn are_passed_alike(unit: &Unit, declared: TypeId, defined: TypeId) -> bool {
    let fixed = |ty: TypeId| match unit.types.get(ty) {
        Type::Function {
            result,
            parameters,
            variadic: false,
        } => Some((*result, parameters)),
        _ => None,
    };
    let (Some((result, one)), Some((other_result, other))) = (fixed(declared), fixed(defined)) else {
        return false;
    };
    let alike = |(one, other): (TypeId, TypeId)| {
        let pointers = unit.types.pointee(one).is_some() && unit.types.pointee(other).is_some();
        one == other || pointers
    };
    let pairs = one.iter().copied().zip(other.iter().copied());
    one.len() == other.len() && alike((result, other_result)) && pairs.into_iter().all(alike)
}

/// True if the variables that a function of another unit names have the same types in this one.
fn same_types(unit: &mut Unit, from: &Unit, function: FunctionRef, known: &mut Known) -> bool {
    globals(from, function).into_iter().all(|id| {
        let there = type_in_terms_of(unit, from, from.global(id).ty, known);
        known.global(id).is_none_or(|own| {
            let own = unit.global(own).ty;
            own == there || same_elements(unit, own, there)
        })
    })
}

/// True for arrays of the same elements of which one has an unknown length (`extern double a[]`).
fn same_elements(unit: &Unit, one: TypeId, other: TypeId) -> bool {
    match (unit.types.get(one), unit.types.get(other)) {
        (
            Type::Array {
                element,
                length: Length::Unknown,
            },
            Type::Array { element: other, .. },
        )
        | (
            Type::Array { element, .. },
            Type::Array {
                element: other,
                length: Length::Unknown,
            },
        ) => element == other,
        _ => false,
    }
}
