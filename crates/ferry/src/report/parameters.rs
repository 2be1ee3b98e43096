//! What goes into a loop and comes out of it, if it runs elsewhere?
//!
//! The kernel parameters of Juravle (§4.2): *inbound* is what the loop reads that it has not certainly written before,
//! *outbound* what it may write, whoever uses it later; *nested* is what lies behind a pointer that it finds in memory. Each
//! object has its way from a variable that is seen outside the loop. Storage and scalars that every iteration has for itself
//! are no parameters. What it cannot do: say that nobody uses later what is written.

use super::model::{ObjectReport, Parameters};
use crate::names::Names;
use crate::sections;
use ferry_analysis::access::Access;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::Object;
use ferry_ir::{Type, VariableRef};
use ferry_symbolic::{Expr, Symbol};
use ferry_transform::environment::written_before;
use std::collections::{BTreeMap, BTreeSet};

/// Longest way that is followed from one pointer to the next.
const LONGEST: usize = 8;

/// The parameters of one loop. `of_rows` is asked for what it needs and writes behind tables ([`super::rows::of_loop`]) if it follows their pointers.
pub fn of_loop(
    names: Names<'_>,
    of_rows: &dyn Fn() -> Option<(Vec<ObjectReport>, Vec<ObjectReport>)>,
    index: LoopIndex,
) -> Parameters {
    let context = names.context();
    let mut found = Parameters::default();
    let mut scalars: BTreeSet<String> = BTreeSet::new();
    let mut results: BTreeSet<String> = BTreeSet::new();
    let mut objects: BTreeMap<Symbol, Vec<&Access>> = BTreeMap::new();
    let mut unknown: Vec<&Access> = Vec::new();
    for access in context.accesses(index) {
        match access.root {
            Some(root) => match context.is_scalar_object(root) {
                Some(variable) if access.is_write() => drop(results.insert(names.variable(variable))),
                Some(variable) => drop(scalars.insert(names.variable(variable))),
                None => objects.entry(root).or_default().push(access),
            },
            None => unknown.push(access),
        }
    }
    let of = &names.facts.values.loops[index.0 as usize];
    let outside = of.depth;
    let symbols = &names.facts.values.symbols;
    let in_table = |root: &Symbol| is_nested(names, *root) && symbols.varies_in(*root, of.stmt);
    if objects.keys().any(in_table)
        && let Some((needed, written)) = of_rows()
    {
        objects.retain(|root, _| !in_table(root));
        found.nested_inbound.extend(needed);
        found.nested_outbound.extend(written);
    }
    for (root, accesses) in &objects {
        let writes: Vec<&Access> = accesses
            .iter()
            .copied()
            .filter(|access| access.is_write())
            .collect();
        let covered = |read: &Access| {
            writes
                .iter()
                .any(|write| written_before(context, outside, write, read))
        };
        let reads: Vec<&Access> = accesses
            .iter()
            .copied()
            .filter(|access| !access.is_write() && !covered(access))
            .collect();
        let nested = is_nested(names, *root);
        let add = |accesses: &[&Access], plain: &mut Vec<_>, behind: &mut Vec<_>| {
            if !accesses.is_empty() {
                let list = if nested { behind } else { plain };
                list.push(object(names, *root, accesses, index));
            }
        };
        add(&reads, &mut found.inbound, &mut found.nested_inbound);
        add(&writes, &mut found.outbound, &mut found.nested_outbound);
    }
    for (root, writes) in last_values(names, index) {
        found.outbound.push(object(names, root, &writes, index));
    }
    for access in unknown {
        let list = if access.is_write() {
            &mut found.outbound
        } else {
            &mut found.inbound
        };
        let object = names.text(access.origin).unwrap_or_else(|| "memory".to_owned());
        if list.iter().all(|known: &ObjectReport| known.object != object) {
            list.push(ObjectReport {
                object,
                section: None,
                bytes: None,
                members: Vec::new(),
                exact: false,
                cause: Some("it is not known what the pointer points to".to_owned()),
            });
        }
    }
    variables(names, index, &mut scalars, &mut results);
    found.scalars = scalars.into_iter().collect();
    found.results = results.into_iter().collect();
    for list in [
        &mut found.inbound,
        &mut found.outbound,
        &mut found.nested_inbound,
        &mut found.nested_outbound,
    ] {
        list.sort_by(|a, b| a.object.cmp(&b.object));
    }
    found
}

/// What is written of the arrays and structures that every iteration has for itself and whose last values are used.
fn last_values(names: Names<'_>, index: LoopIndex) -> BTreeMap<Symbol, Vec<&Access>> {
    let values = &names.facts.values;
    let last = &names.facts.verdicts[index.0 as usize].last_private;
    let mut found: BTreeMap<Symbol, Vec<&Access>> = BTreeMap::new();
    let writes = values.accesses.iter().filter(|access| access.is_write());
    for access in writes.filter(|access| access.loops.contains(&index)) {
        if let Some(root) = access.root
            && let SymbolKind::Address(variable) = values.symbols.info(root).kind
            && last.contains(&variable)
            && !names.unit.types.is_scalar(names.type_of(variable))
        {
            found.entry(root).or_default().push(access);
        }
    }
    found
}

/// Scalar variables that only their names reach. Pointers go by what they point to.
fn variables(
    names: Names<'_>,
    index: LoopIndex,
    scalars: &mut BTreeSet<String>,
    results: &mut BTreeSet<String>,
) {
    let facts = &names.facts.values.loops[index.0 as usize];
    let verdict = &names.facts.verdicts[index.0 as usize];
    let Some(own) = names.facts.scalars.get(&facts.stmt) else {
        return;
    };
    let is_pointer =
        |variable: VariableRef| matches!(names.unit.types.get(names.type_of(variable)), Type::Pointer(_));
    let set = verdict.atomics.iter().filter_map(|one| match one.object {
        Object::Variable(variable) => Some(variable),
        Object::Root(_) => None,
    });
    let reduced: BTreeSet<VariableRef> = verdict
        .reductions
        .iter()
        .filter_map(|reduction| reduction.variable)
        .chain(set)
        .collect();
    let counted: BTreeSet<VariableRef> = facts.inductions.iter().map(|found| found.variable).collect();
    for variable in &own.exposed {
        let inside = own.declared.contains(variable) || verdict.inside.contains(variable);
        let plain = names.unit.types.is_scalar(names.type_of(*variable)) && !is_pointer(*variable);
        if !inside && !counted.contains(variable) && plain && !names.is_made(*variable) {
            scalars.insert(names.variable(*variable));
        }
    }
    // Where the loop begins.
    for induction in facts.inductions.iter() {
        for symbol in induction.start.symbols() {
            if let SymbolKind::Entry(variable) = names.facts.values.symbols.info(symbol).kind
                && !is_pointer(variable)
            {
                scalars.insert(names.variable(variable));
            }
        }
    }
    let is_scalar = |variable: &&VariableRef| names.unit.types.is_scalar(names.type_of(**variable));
    for variable in reduced
        .iter()
        .chain(verdict.last_private.iter().filter(is_scalar))
        .chain(
            counted
                .intersection(&own.live_after)
                .filter(|variable| !own.declared.contains(variable)),
        )
    {
        if !names.is_made(*variable) {
            results.insert(names.variable(*variable));
        }
    }
}

fn object(names: Names<'_>, root: Symbol, accesses: &[&Access], index: LoopIndex) -> ObjectReport {
    let path = path(names, root, 0);
    let mut members = BTreeSet::new();
    for access in accesses {
        members.extend(member(names, root, access, &path));
    }
    let described = sections::of_object(names, accesses.iter().copied(), root, index);
    let (section, bytes, exact, cause) = match described {
        Ok(described) => {
            let behind = described
                .text
                .strip_prefix(&names.symbol(root))
                .map(str::to_owned);
            let section = behind.map_or(described.text, |behind| format!("{path}{behind}"));
            let certain = accesses.iter().any(|access| {
                let depth = access.loops.iter().position(|of| *of == index);
                depth.is_some_and(|depth| access.conditional_depth <= depth)
            });
            (
                Some(section),
                Some(described.bytes),
                described.exact && certain,
                None,
            )
        }
        Err(cause) => (None, None, false, Some(cause.why)),
    };
    ObjectReport {
        object: path,
        section,
        bytes,
        members: members.into_iter().collect(),
        exact,
        cause,
    }
}

/// True for storage behind a pointer that is found in memory, in something else than a variable.
fn is_nested(names: Names<'_>, root: Symbol) -> bool {
    match &names.facts.values.symbols.info(root).kind {
        SymbolKind::Loaded { address, .. } => variable_at(names, address).is_none(),
        _ => false,
    }
}

/// The scalar variable whose address this is.
fn variable_at(names: Names<'_>, address: &Expr) -> Option<VariableRef> {
    match names.facts.values.symbols.info(address.as_symbol()?).kind {
        SymbolKind::Address(variable) if names.unit.types.is_scalar(names.type_of(variable)) => {
            Some(variable)
        }
        _ => None,
    }
}

/// The way to storage, from a variable on.
fn path(names: Names<'_>, root: Symbol, depth: usize) -> String {
    let named = || names.symbol(root);
    let SymbolKind::Loaded { address, .. } = &names.facts.values.symbols.info(root).kind else {
        return named();
    };
    if variable_at(names, address).is_some() || depth > LONGEST {
        return named();
    }
    let pointers = address.symbols();
    let mut roots = pointers.iter().filter(|symbol| is_root(names, **symbol));
    let (Some(parent), None) = (roots.next(), roots.next()) else {
        return named();
    };
    let offset = (address - &Expr::symbol(*parent))
        .as_constant()
        .and_then(|offset| offset.to_i64())
        .and_then(|offset| u64::try_from(offset).ok());
    let (Some(offset), Some(ty)) = (offset, names.element(*parent)) else {
        return named();
    };
    let is_object = matches!(
        names.facts.values.symbols.info(*parent).kind,
        SymbolKind::Address(_)
    );
    let base = path(names, *parent, depth + 1);
    match names.unit.types.get(ty) {
        Type::Record(record) => match (names.member(*record, offset, true), is_object) {
            (Some(field), true) => format!("{base}.{field}"),
            (Some(field), false) => format!("{base}->{field}"),
            (None, _) => named(),
        },
        Type::Pointer(_) => format!("{base}[{}]", offset / 8),
        _ => named(),
    }
}

fn is_root(names: Names<'_>, symbol: Symbol) -> bool {
    let info = names.facts.values.symbols.info(symbol);
    info.is_pointer(&names.unit.types)
}

/// The member of a structure that an access uses.
fn member(names: Names<'_>, root: Symbol, access: &Access, path: &str) -> Option<String> {
    let Type::Record(record) = names.unit.types.get(names.element(root)?) else {
        return None;
    };
    let offset = access
        .offset()?
        .as_constant()
        .and_then(|offset| offset.to_i64())
        .and_then(|offset| u64::try_from(offset).ok())?;
    let way = match names.facts.values.symbols.info(root).kind {
        SymbolKind::Address(_) => ".",
        _ => "->",
    };
    let field = names.member(*record, offset, false)?;
    Some(format!("{path}{way}{field}"))
}
