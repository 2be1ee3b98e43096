//! Are the types, records, variables and signatures possible?

use super::{Rule, Verifier};
use crate::{
    Expr, ExprKind, Field, Function, Length, Place, PlaceBase, Record, RecordId, Type, TypeId, VariableKind,
    VariableRef,
};
use ferry_source::Origin;

impl Verifier<'_> {
    pub(super) fn types(&mut self) {
        let unit = self.unit;
        for (id, ty) in unit.types.iter() {
            self.type_form(id, ty);
        }
        for (number, record) in unit.types.records.iter().enumerate() {
            self.record(RecordId(number as u32), record);
        }
    }

    /// Types are interned parts first, so a part with a later number is not there or makes a circle.
    fn type_form(&mut self, id: TypeId, ty: &Type) {
        let parts: Vec<TypeId> = match ty {
            Type::Pointer(to) => vec![*to],
            Type::Array { element, .. } => vec![*element],
            Type::Function {
                result, parameters, ..
            } => parameters
                .iter()
                .copied()
                .chain(std::iter::once(*result))
                .collect(),
            _ => Vec::new(),
        };
        for part in parts {
            if part.0 >= id.0 {
                let rule = if self.get(part).is_none() {
                    Rule::Reference
                } else {
                    Rule::TypeForm
                };
                return self.wrong(
                    rule,
                    Origin::New,
                    format!("type {} is made of type {}", id.0, part.0),
                );
            }
        }
        let problem = match ty {
            Type::Int {
                bits: 8 | 16 | 32 | 64 | 128,
                ..
            }
            | Type::Float {
                bits: 16 | 32 | 64 | 80 | 128,
            }
            | Type::Complex {
                bits: 16 | 32 | 64 | 80 | 128,
            } => None,
            Type::Int { bits, .. } | Type::Float { bits } | Type::Complex { bits } => {
                Some(format!("{bits} bits"))
            }
            Type::Array { element, .. } => match self.get(*element) {
                Some(Type::Void | Type::Function { .. }) => {
                    Some(format!("an array of {}", self.name_of(*element)))
                }
                _ => None,
            },
            Type::Record(record) if self.unit.types.try_record(*record).is_none() => {
                return self.wrong(
                    Rule::Reference,
                    Origin::New,
                    format!("there is no record {}", record.0),
                );
            }
            Type::Function {
                result, parameters, ..
            } => {
                let bad = |ty: &Type| matches!(ty, Type::Array { .. } | Type::Function { .. });
                let returns = self.get(*result).is_some_and(bad);
                let takes = |ty: &TypeId| self.get(*ty).is_some_and(|ty| bad(ty) || *ty == Type::Void);
                match parameters.iter().find(|ty| takes(ty)) {
                    Some(parameter) => Some(format!("a parameter of type {}", self.name_of(*parameter))),
                    None => returns.then(|| format!("a function that returns {}", self.name_of(*result))),
                }
            }
            _ => None,
        };
        if let Some(problem) = problem {
            self.wrong(Rule::TypeForm, Origin::New, format!("type {}: {problem}", id.0));
        }
    }

    fn record(&mut self, id: RecordId, record: &Record) {
        if !record.complete && !record.fields.is_empty() {
            self.wrong(
                Rule::RecordLayout,
                record.origin,
                format!("`{}` is incomplete and has members", record.name),
            );
        }
        for (number, field) in record.fields.iter().enumerate() {
            if self.get(field.ty).is_none() {
                self.wrong(
                    Rule::Reference,
                    record.origin,
                    format!("member `{}` has no type", field.name),
                );
            } else if let Some(problem) =
                self.field_problem(id, record, number + 1 == record.fields.len(), field)
            {
                let message = format!("member `{}` of `{}` {problem}", field.name, record.name);
                self.wrong(Rule::RecordLayout, record.origin, message);
            }
        }
    }

    fn field_problem(&self, id: RecordId, record: &Record, last: bool, field: &Field) -> Option<String> {
        let types = &self.unit.types;
        if types.try_get(field.ty) == Some(&Type::Record(id)) {
            return Some("is the record itself".to_owned());
        }
        if matches!(types.try_get(field.ty), Some(Type::Void | Type::Function { .. })) {
            return Some(format!("has type {}", self.name_of(field.ty)));
        }
        if record.union && field.offset_bits != 0 {
            return Some("of a union is not at its start".to_owned());
        }
        let size = match types.try_get(field.ty) {
            Some(Type::Array {
                length: Length::Unknown,
                ..
            }) if last || record.union => Some(0),
            // A size of nested records is asked for only where it cannot be circular.
            _ => self.size(field.ty, 0),
        };
        let bits = match field.width {
            Some(width) => {
                if !self.is_integer(field.ty) {
                    return Some("is a bit-field that is no integer".to_owned());
                }
                if size.is_some_and(|size| u64::from(width) > size.saturating_mul(8)) {
                    return Some("is a bit-field wider than its type".to_owned());
                }
                Some(u64::from(width))
            }
            None => size.map(|size| size.saturating_mul(8)),
        };
        if field.width.is_none() && !field.offset_bits.is_multiple_of(8) {
            return Some("is not at a byte".to_owned());
        }
        match bits {
            Some(bits) if field.offset_bits.saturating_add(bits) > record.size.saturating_mul(8) => {
                Some("reaches past the end".to_owned())
            }
            _ => None,
        }
    }

    /// Like [`crate::Types::size`], for types that may be circular.
    fn size(&self, ty: TypeId, depth: u32) -> Option<u64> {
        if depth > 100 {
            return None;
        }
        match self.get(ty)? {
            Type::Array {
                element,
                length: Length::Constant(length),
            } => self.size(*element, depth + 1)?.checked_mul(*length),
            Type::Record(record) => self
                .unit
                .types
                .try_record(*record)
                .filter(|record| record.complete)
                .map(|record| record.size),
            Type::Array { .. } => None,
            _ => self.unit.types.size(ty),
        }
    }

    pub(super) fn globals(&mut self) {
        let unit = self.unit;
        for (number, global) in unit.globals.iter().enumerate() {
            self.variable_type(global.ty, &global.name, global.origin);
            if global
                .inside
                .is_some_and(|function| unit.functions.get(function.0 as usize).is_none())
            {
                self.wrong(
                    Rule::Reference,
                    global.origin,
                    format!("`{}` is in no function", global.name),
                );
            }
            for (place, value) in &global.initial {
                let own = PlaceBase::Variable(VariableRef::Global(crate::GlobalId(number as u32)));
                // The store is made before the program runs, so nobody sees it happen.
                self.place(&Place {
                    volatile: true,
                    ..place.clone()
                });
                if matches!(value.kind, ExprKind::Opaque { .. }) {
                    self.mention(value);
                } else {
                    self.stored(place);
                    self.expression(value);
                }
                if place.base != own || !is_constant(value) {
                    let message = format!("`{}` does not start as a constant", global.name);
                    self.wrong(Rule::InitialValue, value.origin, message);
                } else if place.ty != value.ty {
                    let message = format!("{} into {}", self.name_of(value.ty), self.name_of(place.ty));
                    self.wrong(Rule::Assignment, value.origin, message);
                }
            }
        }
    }

    /// A variable cannot be `void` or a function. Returns whether the type exists.
    fn variable_type(&mut self, ty: TypeId, name: &str, origin: Origin) {
        match self.get(ty) {
            None => self.wrong(Rule::Reference, origin, format!("`{name}` has no type")),
            Some(Type::Void | Type::Function { .. }) => {
                self.wrong(
                    Rule::VariableType,
                    origin,
                    format!("`{name}` has type {}", self.name_of(ty)),
                );
            }
            Some(_) => {}
        }
    }

    pub(super) fn signature(&mut self, function: &Function) {
        let Some(Type::Function {
            parameters, variadic, ..
        }) = self.get(function.ty)
        else {
            return self.wrong(Rule::Signature, function.origin, "its type is no function type");
        };
        let count = function.parameters as usize;
        for (number, local) in function.locals.iter().enumerate() {
            self.variable_type(local.ty, &local.name, local.origin);
            self.extents_in(local.ty, local.origin, 0);
            if (number < count) != (local.kind == VariableKind::Parameter) {
                let message = format!("`{}` is number {number} of {count} parameters", local.name);
                self.wrong(Rule::Signature, local.origin, message);
            }
            if local.kind == VariableKind::Extent
                && self.get(local.ty)
                    != Some(&Type::Int {
                        bits: 64,
                        signed: true,
                    })
            {
                self.wrong(
                    Rule::ExtentLength,
                    local.origin,
                    format!("extent `{}` is not i64", local.name),
                );
            }
            if local.address_taken && local.kind.is_made() {
                self.wrong(
                    Rule::Address,
                    local.origin,
                    format!("the address of `{}` is taken", local.name),
                );
            }
        }
        if function.body.is_none() && count == 0 {
            return; // only declared: its parameters have no names
        }
        // A definition without prototype has parameters that its type does not list.
        let unlisted = *variadic && parameters.is_empty();
        if !unlisted && parameters.len() != count {
            let message = format!("{count} parameters, but {} in its type", parameters.len());
            self.wrong(Rule::Signature, function.origin, message);
        }
        if count > function.locals.len() {
            self.wrong(Rule::Signature, function.origin, "more parameters than variables");
        }
        for (parameter, local) in parameters.iter().zip(&function.locals) {
            // Sizes of variable-length arrays in types are said once with and once without the function's own variables.
            if *parameter != local.ty && !self.has_extent(local.ty, 0) && !self.has_extent(*parameter, 0) {
                let message = format!(
                    "`{}` is {}, not {}",
                    local.name,
                    self.name_of(local.ty),
                    self.name_of(*parameter)
                );
                self.wrong(Rule::Signature, local.origin, message);
            }
        }
    }

    fn has_extent(&self, ty: TypeId, depth: u32) -> bool {
        depth < 100
            && match self.get(ty) {
                Some(Type::Array {
                    length: Length::Variable(_),
                    ..
                }) => true,
                Some(Type::Array { element, .. }) => self.has_extent(*element, depth + 1),
                Some(Type::Pointer(to)) => self.has_extent(*to, depth + 1),
                Some(Type::Function {
                    result, parameters, ..
                }) => {
                    self.has_extent(*result, depth + 1)
                        || parameters
                            .iter()
                            .any(|parameter| self.has_extent(*parameter, depth + 1))
                }
                _ => false,
            }
    }

    /// Every variable length in a type is an extent of this function.
    pub(super) fn extents_in(&mut self, ty: TypeId, origin: Origin, depth: u32) {
        if depth > 100 {
            return;
        }
        match self.get(ty) {
            Some(Type::Array { element, length }) => {
                if let Length::Variable(local) = length
                    && self
                        .local(*local)
                        .is_none_or(|local| local.kind != VariableKind::Extent)
                {
                    self.wrong(
                        Rule::ExtentLength,
                        origin,
                        format!("variable {} is no extent", local.0),
                    );
                }
                self.extents_in(*element, origin, depth + 1);
            }
            Some(Type::Pointer(to)) => self.extents_in(*to, origin, depth + 1),
            _ => {}
        }
    }
}

/// True if nothing in memory is needed to know the value. What was not understood is believed to be a constant.
fn is_constant(value: &Expr) -> bool {
    let mut constant = true;
    value.walk(&mut |inner| {
        constant &= !matches!(inner.kind, ExprKind::Load(_));
    });
    constant
}
