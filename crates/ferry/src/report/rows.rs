//! Which rows of which tables go into a loop and come out of it (`w[0:n][0:m]`)?
//!
//! From the regions of the loop: what it reads and writes behind the pointers of a table, each another one in each iteration.
//! One interval of pointers, and one of elements behind each; the box around what is touched.
//! What it cannot do: tables of structures, rows with several subscripts.

use super::model::ObjectReport;
use crate::names::Names;
use crate::sections;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::regions::{Family, Regions, Rows, Touch};
use ferry_ir::Type;
use ferry_ir::visit::Statements;

/// What a loop needs and writes behind tables; `None` if not everything behind pointers that change in the loop can be said so.
pub fn of_loop(
    names: Names<'_>,
    regions: &Regions<'_>,
    index: LoopIndex,
) -> Option<(Vec<ObjectReport>, Vec<ObjectReport>)> {
    let of = names.facts.values.loops.get(index.0 as usize)?;
    let statements = Statements::of(names.function);
    let own = regions.of_statement(statements.get(of.stmt)?)?;
    let all = |touch: &Touch| -> Option<Vec<ObjectReport>> {
        if touch.elsewhere.is_some() {
            return None;
        }
        let each = touch
            .rows
            .iter()
            .map(|(family, rows)| one(names, *family, rows, index));
        each.collect()
    };
    Some((all(&own.in_)?, all(&own.write)?))
}

fn one(names: Names<'_>, family: Family, rows: &Rows, index: LoopIndex) -> Option<ObjectReport> {
    let types = &names.unit.types;
    let mut ty = names.element(family.table)?;
    for _ in 0..family.pointers {
        let Type::Pointer(_) = types.get(ty) else {
            return None;
        };
        ty = types.pointee(ty)?;
    }
    let [stride] = rows.view.strides.as_slice() else {
        return None;
    };
    let element = stride.as_constant()?.to_i128()?;
    let whole =
        types.size(ty).map(i128::from) == Some(element) && rows.view.part.is_none() && !rows.view.bytes;
    let hull = rows.part.may.hull().ok()??;
    if !whole || hull.bounds.len() != family.pointers + 1 {
        return None;
    }
    let facts = &names.facts.values.loops[index.0 as usize].before.facts;
    let object = names.symbol(family.table);
    let subscripts: Option<String> = hull
        .bounds
        .iter()
        .map(|(low, end)| {
            let length = (end - low).simplify(facts);
            sections::part(names, low, &length, facts)
        })
        .collect();
    let (low, end) = hull.bounds.last()?;
    let bytes = |at: &ferry_symbolic::Expr| names.short_value(&(at * stride), facts);
    Some(ObjectReport {
        section: Some(format!("{object}{}", subscripts?)),
        bytes: Some([bytes(low)?, bytes(end)?]),
        object,
        members: Vec::new(),
        exact: hull.exact && rows.part.exact,
        cause: None,
    })
}
