//! How is a section said that is a part of the one in a clause?
//!
//! In the words of the item: `a[0:n / 2]` for `a[0:n]`. It is said only if its ends are whole elements, or rows, counted from where the item counts.

use crate::case::Case;
use crate::fixes;
use ferry_analysis::quotient::exact_quotient;
use ferry_directive::{ListItem, Subscript};
use ferry_ir::{Expr as Code, Type, TypeId};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Symbol};

/// The section of the clause, as it is written; the variable where no clause names it.
pub fn copied(case: &Case<'_>) -> String {
    fixes::written(case).unwrap_or_else(|| case.object.clone())
}

/// The part of it that is touched; `None` if that cannot be said.
pub fn sufficient(case: &Case<'_>) -> Option<String> {
    let (first, end) = case.defect.bytes.as_ref()?;
    let (low, high) = case.defect.there.as_ref()?;
    let item = item(case);
    let subscripts = item.map_or(&[][..], |item| &item.subscripts);
    let types = &case.names.unit.types;
    let object = match item {
        Some(item) => item.base.ty,
        None if case.is_implicit() => case.variable_type()?,
        None => return None,
    };
    let element = match types.get(object) {
        Type::Array { element, .. } => *element,
        _ => types.pointee(object)?,
    };
    let (lower, length) = match subscripts.first() {
        None => (None, None),
        Some(Subscript::Section {
            lower,
            length,
            stride: None,
        }) => (lower.as_ref(), length.as_ref()),
        Some(_) => return None,
    };
    // OpenACC wants the other dimensions, too.
    let rest = match (is_array(case, element), subscripts.len()) {
        (true, 0 | 1) => String::new(),
        (true, _) => subscripts[1..]
            .iter()
            .map(|one| said_subscript(case, one))
            .collect::<Option<String>>()?,
        (false, 0 | 1) => String::new(),
        (false, _) => return None,
    };
    let size = Expr::int(i128::from(types.size(element)?));
    let whole = |bytes: &Expr| exact_quotient(bytes, &size);
    // The length of the section, if it has a name, keeps that name.
    let named = length
        .and_then(|length| said(case, length.origin))
        .filter(|name| is_name(name));
    let symbol = whole(&(end - first)).and_then(|length| as_symbol(&length));
    let name = symbol.zip(named);
    let text = |value: &Expr| case.names.said_with(value, name.as_ref());
    let lower_text = match lower {
        _ if low == first => lower.map_or(Some("0".to_owned()), |lower| said(case, lower.origin))?,
        None => text(&whole(&(low - first))?)?,
        Some(lower) => {
            let from = Expr::int(i128::from(
                lower.as_int().and_then(|value| i64::try_from(value).ok())?,
            ));
            text(&(&from + &whole(&(low - first))?))?
        }
    };
    let length = text(&whole(&(high - low))?)?;
    Some(format!("{}[{lower_text}:{length}]{rest}", case.object))
}

/// The item of the clause.
fn item<'a>(case: &Case<'a>) -> Option<&'a ListItem<Code>> {
    let directive = case.directive?;
    let clause = case.defect.directive?.clause?;
    let data = directive.data();
    let one = data.iter().find(|one| {
        one.clause == clause
            && one
                .object
                .is_some_and(|object| object.base.origin == case.defect.named)
    })?;
    one.object
}

fn is_array(case: &Case<'_>, ty: TypeId) -> bool {
    matches!(case.names.unit.types.get(ty), Type::Array { .. })
}

fn said(case: &Case<'_>, at: Origin) -> Option<String> {
    let text = case.names.sources.text(at.text()?);
    Some(String::from_utf8_lossy(text).trim().to_owned()).filter(|text| !text.contains('\n'))
}

fn said_subscript(case: &Case<'_>, one: &Subscript<Code>) -> Option<String> {
    let Subscript::Section {
        lower,
        length,
        stride: None,
    } = one
    else {
        return None;
    };
    let end = |end: &Option<Code>| {
        end.as_ref()
            .map_or(Some(String::new()), |end| said(case, end.origin))
    };
    Some(format!("[{}:{}]", end(lower)?, end(length)?))
}

fn is_name(text: &str) -> bool {
    text.chars()
        .all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// The symbol that an expression is.
fn as_symbol(value: &Expr) -> Option<Symbol> {
    let symbols = value.symbols();
    let first = symbols.iter().next().copied()?;
    (symbols.len() == 1 && *value == Expr::symbol(first)).then_some(first)
}
