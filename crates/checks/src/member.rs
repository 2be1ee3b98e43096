//! Which part of a structure does a path of members name (`x.w`, `p->in.w`)?
//!
//! What it cannot do: paths that lead through pointers or subscripts in between.

use ferry_ir::{Function, Type, TypeId, Unit};

/// A member of a structure, or of one in it.
pub struct Member {
    /// Its type.
    pub ty: TypeId,
    /// Bytes from the structure's first byte to its own.
    pub first: u64,
    /// The structure is a variable, not what one leads to.
    pub of_variable: bool,
}

/// The type of the variable that has a name in a function.
pub fn type_by_name(unit: &Unit, function: &Function, name: &str) -> Option<TypeId> {
    let mut locals = function.locals.iter().filter(|local| local.name == name);
    match (locals.next(), locals.next()) {
        (Some(local), None) => Some(local.ty),
        (None, _) => {
            let mut globals = unit.globals.iter().filter(|global| global.name == name);
            globals.next().map(|global| global.ty)
        }
        // Two of one name: which one is meant there is not known here.
        (Some(_), Some(_)) => None,
    }
}

/// The member that a text names in a function; of one that is a pointer, or a part of a byte, none is found.
pub fn named(unit: &Unit, function: &Function, text: &str) -> Option<Member> {
    let behind = text.find(['.', '-'])?;
    let (name, path) = text.split_at(behind);
    let ty = type_by_name(unit, function, name)?;
    let (mut ty, path) = match path.strip_prefix("->") {
        Some(path) => (unit.types.pointee(ty)?, path),
        None => (ty, path.strip_prefix('.')?),
    };
    let mut first = 0;
    for name in path.split('.') {
        let Type::Record(record) = unit.types.get(ty) else {
            return None;
        };
        let field = unit
            .types
            .record(*record)
            .fields
            .iter()
            .find(|field| field.name == name)?;
        if field.width.is_some() || !field.offset_bits.is_multiple_of(8) {
            return None;
        }
        first += field.offset_bits / 8;
        ty = field.ty;
    }
    let of_variable = !text[behind..].starts_with("->");
    unit.types.pointee(ty).is_none().then_some(Member {
        ty,
        first,
        of_variable,
    })
}
