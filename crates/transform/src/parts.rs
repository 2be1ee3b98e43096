//! Which variable in memory, or part of one, holds a value, and how is a place in memory written whose own text is none?
//!
//! `s.n = atoi(text)` puts into memory what no other variable holds: where a bound is that value, `s.n` is its text. A variable and its parts can be read wherever the variable is
//! visible, and that the memory holds the value is known of the program on the host. What a kernel
//! before wrote into a copy of its own is not read by mistake: behind a loop nothing is known of the memory that it writes.

use crate::express::Place;
use ferry_analysis::state::Cell;
use ferry_analysis::symbols::{SymbolKind, Symbols};
use ferry_ir::{Length, Type, TypeId, Unit, VariableRef};
use ferry_symbolic::{Expr, Symbol};

/// The shortest text of a visible variable in memory, or of a part of one, that holds a value, and its type.
pub fn holding(place: &Place<'_>, value: &Expr) -> Option<(String, TypeId)> {
    let unit = place.unit;
    let cells = place.state.cells.iter().filter(|(_, held)| *held == value);
    let named = cells.filter_map(|(cell, _)| {
        let (root, offset) = root_and_offset(&cell.address)?;
        let SymbolKind::Address(variable) = place.symbols.info(root).kind else {
            return None;
        };
        let name = place.scope.name(variable)?;
        let (ty, qualifiers) = match variable {
            VariableRef::Local(id) => (place.function.local(id).ty, place.function.local(id).qualifiers),
            VariableRef::Global(id) => (unit.global(id).ty, unit.global(id).qualifiers),
        };
        let (path, ty) = path(unit, ty, offset, cell).filter(|_| !qualifiers.volatile)?;
        Some((format!("{name}{path}"), ty))
    });
    named.min_by_key(|(text, _)| (text.len(), text.clone()))
}

/// The text of what lies at an address, from the names and types of what leads there: a part of a variable, or of what a pointer points to (`g->n`).
/// `variable` and `pointer` give the texts of variables, and of pointers that are symbols, with their types.
pub fn at_address(
    unit: &Unit,
    symbols: &Symbols,
    (address, size, ty): (&Expr, u64, TypeId),
    variable: &dyn Fn(VariableRef) -> Option<(String, TypeId)>,
    pointer: &dyn Fn(Symbol) -> Option<(String, TypeId)>,
) -> Option<String> {
    let cell = Cell::new(&unit.types, address.clone(), size, ty);
    let (root, offset) = root_and_offset(address)?;
    if let SymbolKind::Address(found) = symbols.info(root).kind {
        let (name, ty) = variable(found)?;
        let (path, _) = path(unit, ty, offset, &cell)?;
        return Some(format!("{name}{path}"));
    }
    let (name, ty) = pointer(root)?;
    let pointee = unit.types.pointee(ty)?;
    let (path, _) = path(unit, pointee, offset, &cell)?;
    match path.strip_prefix('.') {
        Some(member) => Some(format!("{name}->{member}")),
        None if path.is_empty() => Some(format!("*{name}")),
        None => None,
    }
}

/// An address as a symbol and so many bytes behind it.
fn root_and_offset(address: &Expr) -> Option<(Symbol, u64)> {
    let root = address.without_constant().as_symbol()?;
    Some((root, u64::try_from(address.constant_term().to_i64()?).ok()?))
}

/// What stands behind the name of a variable of a type, for the part that a cell is, and the part's type. `None` where no part is read as the cell is.
fn path(unit: &Unit, ty: TypeId, offset: u64, cell: &Cell) -> Option<(String, TypeId)> {
    match unit.types.get(ty) {
        Type::Record(record) => {
            let fields = unit.types.record(*record).fields.iter();
            let usable = |field: &&ferry_ir::Field| {
                field.width.is_none() && !field.volatile && field.offset_bits / 8 <= offset
            };
            let mut found = fields.filter(usable).filter_map(|field| {
                let (rest, ty) = path(unit, field.ty, offset - field.offset_bits / 8, cell)?;
                match field.name.as_str() {
                    "" => Some((rest, ty)),
                    name => Some((format!(".{name}{rest}"), ty)),
                }
            });
            found.next()
        }
        Type::Array { element, length } => {
            let size = unit.types.size(*element).filter(|size| *size > 0)?;
            let number = offset / size;
            let Length::Constant(length) = length else {
                return None;
            };
            (number < *length).then_some(())?;
            let (rest, ty) = path(unit, *element, offset % size, cell)?;
            Some((format!("[{number}]{rest}"), ty))
        }
        _ => {
            let own = Cell::new(&unit.types, cell.address.clone(), unit.types.size(ty)?, ty);
            (offset == 0 && own == *cell).then(|| (String::new(), ty))
        }
    }
}
