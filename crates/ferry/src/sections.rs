//! Which elements does an access touch while the whole loop nest around it runs, in words of the program?
//!
//! In the declared shape: several dimensions are given one by one, anything else as one range of elements of what the
//! object is made of. Where loops do not run at all nothing is touched: lengths are those of loops that run.

use crate::names::Names;
use ferry_analysis::access::Access;
use ferry_analysis::joined::{self, Part};
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::region::{self, Hull};
use ferry_analysis::rows::Rows;
use ferry_analysis::sorted::Sorted;
use ferry_analysis::state::State;
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_ir::{Length, Type, TypeId, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Facts, Symbol};

/// A section in words.
#[derive(Clone, PartialEq, Debug)]
pub struct Described {
    /// `x[3:n - 3]`
    pub text: String,
    /// First and past the last byte, from the root.
    pub bytes: [String; 2],
    /// Both ends are touched whenever the loops run.
    pub exact: bool,
}

/// The section of one access over the loop `of`, seen from before it.
pub fn of_access(names: Names<'_>, access: &Access, of: LoopIndex) -> Result<Described, Cause> {
    of_hull(names, access, &names.facts.values.hull(access, &[of])?, of)
}

fn of_hull(names: Names<'_>, access: &Access, hull: &Hull, of: LoopIndex) -> Result<Described, Cause> {
    let values = &names.facts.values;
    let facts = &values.loops[of.0 as usize];
    let Some(root) = access.root else {
        return Err(Cause::new(
            "it is not known what the pointer points to",
            access.origin,
        ));
    };
    let text = dimensions(names, access, root, of, &facts.before)
        .or_else(|| linear(names, root, hull, access, &facts.before, &access.facts));
    described(names, text, hull, &access.facts).ok_or_else(|| too_long(access.origin))
}

/// What all accesses of one kind to one object touch together.
pub fn of_object<'a>(
    names: Names<'_>,
    accesses: impl Iterator<Item = &'a Access>,
    root: Symbol,
    of: LoopIndex,
) -> Result<Described, Cause> {
    let values = &names.facts.values;
    let facts = &values.loops[of.0 as usize];
    let hulls = accesses.map(|access| Ok((access, values.hull(access, &[of])?)));
    let hulls: Vec<(&Access, Hull)> = hulls.collect::<Result<_, Cause>>()?;
    let all = one_text(names, &hulls, of);
    if let Some((same, true)) = all {
        return Ok(same);
    }
    let Some((first, _)) = hulls.first() else {
        return Err(Cause::new("it is not accessed", facts.origin));
    };
    let (first, before) = (*first, &facts.before.facts);
    let part = |(access, hull): (&Access, Hull)| {
        let depth = access.loops.iter().position(|index| *index == of);
        let inside = access.loops.get(depth.unwrap_or(0)..).unwrap_or_default();
        values.part(&names.unit.types, access, hull, inside, before)
    };
    let parts: Vec<Part> = hulls.into_iter().map(part).collect();
    let Some(Part { hull, happens }) = joined::join_all(&parts, before) else {
        return Err(Cause::new("it is not accessed", facts.origin));
    };
    let known = &before.with(&happens);
    // Members of the structures of one array read the same, and are other bytes of them.
    let text = all
        .map(|(same, _)| same.text)
        .or_else(|| linear(names, root, &hull, first, &facts.before, known));
    described(names, text, &hull, known).ok_or_else(|| too_long(first.origin))
}

/// The section of one of the accesses, if it reads the same for each of them, and whether these are the same bytes, too.
fn one_text(names: Names<'_>, accesses: &[(&Access, Hull)], of: LoopIndex) -> Option<(Described, bool)> {
    let mut all: Option<(Described, bool)> = None;
    let mut described: Vec<(&Access, &Hull)> = Vec::new();
    for (access, hull) in accesses {
        if described
            .iter()
            .any(|(known, same)| *same == hull && reads_alike(known, access))
        {
            continue;
        }
        described.push((access, hull));
        let own = of_hull(names, access, hull, of).ok()?;
        match &mut all {
            None => all = Some((own, true)),
            Some((all, same)) if all.text == own.text => {
                all.exact &= own.exact;
                *same &= all.bytes == own.bytes;
            }
            Some(_) => return None,
        }
    }
    all
}

/// True if all that a section with the same bytes is written by is the same for two accesses to one object.
fn reads_alike<'a>(one: &'a Access, two: &'a Access) -> bool {
    let indices = |access: &'a Access| access.subscripts.iter().map(|subscript| &subscript.index);
    one.root == two.root && one.ty == two.ty && indices(one).eq(indices(two)) && one.facts.is_same(&two.facts)
}

fn too_long(at: Origin) -> Cause {
    Cause::new("its bounds are too long to be read", at)
}

fn described(names: Names<'_>, text: Option<String>, hull: &Hull, facts: &Facts) -> Option<Described> {
    let value = |value: &Expr| names.short_value(&value.simplify(facts), facts);
    Some(Described {
        text: text?,
        bytes: [value(&hull.low)?, value(&hull.high)?],
        exact: hull.exact,
    })
}

/// The rows of a table: which pointers, and which elements behind each: `w[0:n][0:m]`.
pub fn of_rows(names: Names<'_>, rows: &Rows, of: LoopIndex) -> String {
    let before = &names.facts.values.loops[of.0 as usize].before;
    let facts = rows
        .runs
        .iter()
        .fold(before.facts.clone(), |known, runs| known.with(runs));
    let one = |(low, high): &(Expr, Expr), size: &Expr| {
        let (low, high) = (low.clone(), high.clone());
        let hull = Hull {
            low,
            high,
            exact: false,
            whole: false,
        };
        let section = region::section(&hull, size, &facts);
        part(names, &section.lower, &section.length, &facts).unwrap_or_default()
    };
    let size = rows.element.and_then(|element| size_of(names, element, before));
    let (cast, size) = match size {
        Some(size) => ("", size),
        None => ("(char **)", Expr::one()),
    };
    format!(
        "{cast}{}{}{}",
        names.symbol(rows.table),
        one(&rows.pointers, &Expr::int(8)),
        one(&rows.bytes, &size)
    )
}

/// Values in memory that must be in order: `idx[0:n]`.
pub fn of_sorted(names: Names<'_>, sorted: &Sorted, of: LoopIndex) -> String {
    let facts = &names.facts.values.loops[of.0 as usize];
    let known = match &facts.trip {
        Ok(trip) => facts.before.facts.with(&joined::at_least_one(trip)),
        Err(_) => facts.before.facts.clone(),
    };
    let size = Expr::int(i128::from(sorted.size));
    let hull = Hull {
        high: &sorted.first + &(&sorted.count * &size),
        low: sorted.first.clone(),
        exact: true,
        whole: false,
    };
    let section = region::section(&hull, &size, &known);
    let name = names.symbol(sorted.root);
    let elements = part(names, &section.lower, &section.length, &known);
    format!("{name}{}", elements.unwrap_or_default())
}

/// Dimension by dimension, for storage that is declared with several.
fn dimensions(
    names: Names<'_>,
    access: &Access,
    root: Symbol,
    of: LoopIndex,
    before: &State,
) -> Option<String> {
    let element = names.element(root)?;
    let inner = extents(names, element, before)?;
    if inner.is_empty() || access.subscripts.len() != inner.len() + 1 {
        return None;
    }
    let mut text = names.symbol(root);
    for subscript in &access.subscripts {
        let index = subscript.index.as_ref()?;
        let (low, high) = names.facts.values.span(access, index, &[of])?;
        let length = (&(&high - &low) + &Expr::one()).simplify(&access.facts);
        text.push_str(&part(
            names,
            &low.simplify(&access.facts),
            &length,
            &access.facts,
        )?);
    }
    Some(text)
}

/// The brackets of a section: the first element and how many. `None` if nobody could read it, which is so for all text here.
pub fn part(names: Names<'_>, lower: &Expr, length: &Expr, facts: &Facts) -> Option<String> {
    let (lower, length) = (
        names.short_value(lower, facts)?,
        names.short_value(length, facts)?,
    );
    Some(format!("[{lower}:{length}]"))
}

/// As one range of elements of what the object is made of.
fn linear(
    names: Names<'_>,
    root: Symbol,
    hull: &Hull,
    access: &Access,
    before: &State,
    facts: &Facts,
) -> Option<String> {
    let name = names.symbol(root);
    if let SymbolKind::Address(variable) = names.facts.values.symbols.info(root).kind
        && !matches!(names.unit.types.get(names.type_of(variable)), Type::Array { .. })
    {
        return Some(name);
    }
    // Storage of no declared type is what it is used as.
    let element = names.element(root).or(Some(access.ty));
    let Some(size) = element.and_then(|element| size_of(names, element, before)) else {
        let length = (&hull.high - &hull.low).simplify(facts);
        let section = part(names, &hull.low, &length, facts)?;
        return Some(format!("(char *){name}{section}"));
    };
    let section = region::section(hull, &size, facts);
    let mut text = name + &part(names, &section.lower, &section.length, facts)?;
    for extent in element
        .and_then(|element| extents(names, element, before))
        .unwrap_or_default()
    {
        text.push_str(&part(names, &Expr::zero(), &extent, facts)?);
    }
    Some(text)
}

/// The extents of the dimensions inside an element.
fn extents(names: Names<'_>, element: TypeId, before: &State) -> Option<Vec<Expr>> {
    let mut found = Vec::new();
    let mut current = element;
    while let Type::Array { element, length } = names.unit.types.get(current) {
        found.push(match length {
            Length::Constant(length) => Expr::int(i128::from(*length)),
            Length::Variable(local) => before.get(VariableRef::Local(*local))?.clone(),
            Length::Unknown => return None,
        });
        current = *element;
    }
    Some(found)
}

fn size_of(names: Names<'_>, ty: TypeId, before: &State) -> Option<Expr> {
    if let Some(size) = names.unit.types.size(ty) {
        return Some(Expr::int(i128::from(size)));
    }
    match names.unit.types.get(ty) {
        Type::Array { element, length } => {
            let length = match length {
                Length::Constant(length) => Expr::int(i128::from(*length)),
                Length::Variable(local) => before.get(VariableRef::Local(*local))?.clone(),
                Length::Unknown => return None,
            };
            Some(&length * &size_of(names, *element, before)?)
        }
        _ => None,
    }
}
