//! Which definition does a name mean? Links units by external names and gives every global its address.

use super::super::code::{Callable, Object};
use super::super::memory::{FUNCTION_BASE, Memory};
use super::{Compiler, Tables, function};
use crate::{FunctionRef, GlobalId, Linkage, Unit};
use std::collections::HashMap;

/// Units with their names resolved.
pub(in crate::interpret) struct Linked<'a> {
    pub(super) units: &'a [Unit],
    /// Address of each global of each unit.
    pub(in crate::interpret) globals: Vec<Vec<u64>>,
    /// Number among the callable functions of each function of each unit.
    pub(in crate::interpret) functions: Vec<Vec<u32>>,
}

/// Gives addresses and numbers. Globals that no unit defines are left to `environment`, by name.
pub(in crate::interpret) fn link<'a>(
    units: &'a [Unit],
    memory: &mut Memory,
    tables: &mut Tables,
    environment: &mut dyn FnMut(&mut Memory, &str) -> Option<u64>,
) -> Result<Linked<'a>, String> {
    let mut functions = Vec::new();
    let mut external: HashMap<&str, u32> = HashMap::new();
    let callables = &mut tables.program.functions;
    for (number, unit) in units.iter().enumerate() {
        let mut of_unit = Vec::new();
        for (reference, function) in unit.functions() {
            let shared = function.linkage == Linkage::External || function.body.is_none();
            let known = if shared {
                external.get(function.name.as_str()).copied()
            } else {
                None
            };
            let index = match known {
                Some(index) => {
                    let callable = &mut callables[index as usize];
                    let current = units[callable.unit as usize].function(callable.function);
                    if current.body.is_none() && function.body.is_some() {
                        callable.unit = number as u32;
                        callable.function = reference;
                    }
                    index
                }
                None => {
                    let index = callables.len() as u32;
                    callables.push(Callable {
                        name: function.name.clone(),
                        unit: number as u32,
                        function: reference,
                        code: None,
                    });
                    if shared {
                        external.insert(&function.name, index);
                    }
                    index
                }
            };
            of_unit.push(index);
        }
        functions.push(of_unit);
    }
    tables.program.main = external.get("main").copied();

    let mut definitions: HashMap<&str, (usize, usize)> = HashMap::new();
    for (number, unit) in units.iter().enumerate() {
        for (index, global) in unit.globals.iter().enumerate() {
            if global.linkage != Linkage::External || !global.defined {
                continue;
            }
            let better = match definitions.get(global.name.as_str()) {
                None => true,
                Some(&(unit, other)) => units[unit].globals[other].initial.is_empty(),
            };
            if better {
                definitions.insert(&global.name, (number, index));
            }
        }
    }
    let mut globals: Vec<Vec<u64>> = units.iter().map(|unit| vec![0; unit.globals.len()]).collect();
    let mut named: HashMap<&str, u64> = HashMap::new();
    for pass in 0..2 {
        for (number, unit) in units.iter().enumerate() {
            for (index, global) in unit.globals.iter().enumerate() {
                let external = global.linkage == Linkage::External;
                let own = if external {
                    definitions.get(global.name.as_str()) == Some(&(number, index))
                } else {
                    true
                };
                if own != (pass == 0) {
                    continue;
                }
                let address = if own {
                    let size = unit.types.size(global.ty).unwrap_or(0);
                    let object = Object::Global(number as u32, GlobalId(index as u32));
                    memory
                        .allocate(size, true, object)
                        .ok_or("globals do not fit in memory")?
                } else if let Some(&address) = named.get(global.name.as_str()) {
                    address
                } else {
                    environment(memory, &global.name).unwrap_or(0)
                };
                if external {
                    named.insert(&global.name, address);
                }
                globals[number][index] = address;
            }
        }
    }
    Ok(Linked {
        units,
        globals,
        functions,
    })
}

impl Linked<'_> {
    /// The address that a function's name means.
    pub(super) fn function_address(&self, unit: u32, function: FunctionRef) -> Option<u64> {
        let index = *self.functions.get(unit as usize)?.get(function.0 as usize)?;
        Some(FUNCTION_BASE + 16 * u64::from(index))
    }

    /// Compiles every function and the initial values.
    pub(in crate::interpret) fn compile(&self, tables: &mut Tables, observe: bool, wrapping: bool) {
        tables.program.globals = self.globals.clone();
        for index in 0..tables.program.functions.len() {
            let callable = &tables.program.functions[index];
            let (unit, function) = (callable.unit, callable.function);
            if self.units[unit as usize].function(function).body.is_some() {
                let code = function::compile(self, tables, unit, function, observe, wrapping);
                tables.program.functions[index].code = Some(code);
            }
        }
        for unit in 0..self.units.len() as u32 {
            let code = Compiler::initial_values(self, tables, unit);
            tables.program.initial.push(code);
        }
    }

    /// Addresses of the objects that may not be written once they have their initial values.
    pub(in crate::interpret) fn constants(&self) -> Vec<u64> {
        let all = self
            .units
            .iter()
            .zip(&self.globals)
            .flat_map(|(unit, addresses)| unit.globals.iter().zip(addresses));
        all.filter(|(global, _)| global.defined && (global.string_literal || global.qualifiers.constant))
            .map(|(_, &address)| address)
            .collect()
    }
}
