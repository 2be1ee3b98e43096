//! Which `cache` directive of OpenACC asks for the memory that threads of a block could share?
//!
//! OpenACC (3.3, section 2.10) lets it stand at the top of a loop's body, lets it name sections that begin at a constant, at a value that does not change in the
//! loop or so far from its variable, and whose lengths are constants; and an iteration must not touch anything else of these objects. So it is for
//! stencils on arrays with declared dimensions, rows of neighbours, and small tables. For rows of a linearised array it has no words.

use crate::names::Names;
use ferry_analysis::access::Access;
use ferry_analysis::coalescing::{Mapping, number};
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::sharing::Opportunity;
use ferry_analysis::state::State;
use ferry_ir::{StmtId, StmtKind, Type, VariableRef};
use ferry_symbolic::{Expr, Symbol};
use ferry_transform::express::{Place, stale};
use ferry_transform::scope::Scope;
use std::rc::Rc;

/// The directive, and the loop at the top of whose body it belongs. `None` if OpenACC cannot say it.
pub fn directive(names: Names<'_>, mapping: &Mapping, one: &Opportunity) -> Option<(String, LoopIndex)> {
    let lane = mapping.innermost()?;
    // What does not fit would be fetched again and again.
    if one.occupancy.is_none_or(|occupancy| occupancy.blocks == 0) {
        return None;
    }
    let section = section(names, mapping, lane, one.root)?;
    Some((format!("#pragma acc cache({section})"), lane))
}

/// What an iteration of the innermost parallel loop touches of an object, as that loop's body would write it.
fn section(names: Names<'_>, mapping: &Mapping, lane: LoopIndex, root: Symbol) -> Option<String> {
    let values = &names.facts.values;
    let mut touching = values
        .effects
        .iter()
        .filter(|effect| effect.loops.contains(&lane));
    if touching.any(|effect| effect.reads.as_ref().is_none_or(|roots| roots.contains(&root))) {
        return None;
    }
    let inside = |access: &&Access| access.loops.contains(&lane);
    let accesses: Vec<&Access> = values.accesses.iter().filter(inside).collect();
    // Another pointer may lead to the same object, but an access of which nothing is known may be one by this name.
    if accesses.iter().any(|access| access.root.is_none()) {
        return None;
    }
    let own: Vec<&Access> = accesses
        .into_iter()
        .filter(|access| access.root == Some(root))
        .collect();
    let dimensions = dimensions(names, root)?;
    let state = state_in(names, lane)?;
    let place = place(names, lane, &state)?;
    // Subscripts count from there: it must be a variable that still holds it.
    let mut text = place.symbol(root).ok()?;
    for dimension in 0..dimensions {
        let (low, length) = range(names, lane, &own, dimensions, dimension)?;
        if !is_allowed(names, mapping, &state, &low) {
            return None;
        }
        text += &format!("[{}:{length}]", place.expression(&low).ok()?);
    }
    Some(text)
}

/// The dimensions in which the program declares an object.
fn dimensions(names: Names<'_>, root: Symbol) -> Option<usize> {
    let mut current = names.element(root)?;
    let mut found = 1;
    while let Type::Array { element, .. } = names.unit.types.get(current) {
        found += 1;
        current = *element;
    }
    Some(found)
}

/// The first index of all accesses in one dimension while inner loops run, and how many there are from there on.
fn range(
    names: Names<'_>,
    lane: LoopIndex,
    accesses: &[&Access],
    dimensions: usize,
    dimension: usize,
) -> Option<(Expr, i128)> {
    let mut found: Option<(Expr, i128)> = None;
    for access in accesses {
        let subscript = access.subscripts.get(dimension)?;
        let index = subscript
            .index
            .as_ref()
            .filter(|_| access.subscripts.len() == dimensions)?;
        let depth = access.loops.iter().position(|of| *of == lane)?;
        // What is not read may lie outside of the object, and is fetched all the same.
        if access.conditional_depth > depth {
            return None;
        }
        let eliminate = names.facts.values.varying(&access.loops[depth + 1..]);
        let low = access
            .facts
            .minimum(index, &eliminate)?
            .value
            .simplify(&access.facts);
        let high = access.facts.maximum(index, &eliminate)?.value;
        let length = number(&(&high - &low).simplify(&access.facts))? + 1;
        found = Some(match found {
            None => (low, length),
            Some((first, many)) => {
                let from = number(&(&low - &first))?;
                let end = many.max(from + length);
                match from < 0 {
                    true => (low, end - from),
                    false => (first, end),
                }
            }
        });
    }
    found
}

/// A value that does not change in the parallel loops, or that is so far from the variable of one.
fn is_allowed(names: Names<'_>, mapping: &Mapping, state: &State, low: &Expr) -> bool {
    let loops = &names.facts.values.loops;
    let lanes: Vec<Symbol> = mapping
        .lanes
        .iter()
        .map(|lane| loops[lane.0 as usize].counter)
        .collect();
    let is_invariant = |value: &Expr| !value.symbols().iter().any(|symbol| lanes.contains(symbol));
    let variables = mapping.lanes.iter().filter_map(|lane| {
        let canonical = names.facts.verdicts[lane.0 as usize].canonical.as_ref().ok()?;
        state.get(canonical.variable)
    });
    is_invariant(low)
        || variables
            .into_iter()
            .any(|variable| is_invariant(&(low - variable)))
}

/// What variables hold at the top of a loop's body.
fn state_in(names: Names<'_>, lane: LoopIndex) -> Option<State> {
    let of = &names.facts.values.loops[lane.0 as usize];
    let assigned = &names.facts.scalars.get(&of.stmt)?.assigned;
    let mut state = State {
        facts: of.facts_inside.clone(),
        ..of.before.clone()
    };
    Rc::make_mut(&mut state.variables).retain(|variable, _| !assigned.contains(variable));
    for induction in &of.inductions {
        let value = induction.after(&Expr::symbol(of.counter));
        state.set(induction.variable, value);
    }
    Some(state)
}

/// The top of a loop's body.
fn place<'a>(names: Names<'a>, lane: LoopIndex, state: &'a State) -> Option<Place<'a>> {
    let of = &names.facts.values.loops[lane.0 as usize];
    let top = top(names, of.stmt)?;
    // The variables of inner loops are others there.
    let mut stale = stale(names.context(), of.stmt);
    let own = |variable: &VariableRef| of.inductions.iter().any(|one| one.variable == *variable);
    stale.retain(|variable| !own(variable));
    Some(Place {
        unit: names.unit,
        function: names.function,
        symbols: &names.facts.values.symbols,
        sources: names.sources,
        scope: Scope::at(names.unit, names.function, top),
        state,
        loads: Default::default(),
        stale,
        reads_memory: false,
    })
}

/// The first statement of a loop's body.
fn top(names: Names<'_>, stmt: StmtId) -> Option<StmtId> {
    let mut found = None;
    names.function.body.as_ref()?.walk(&mut |one| {
        if let (StmtKind::Loop(of), true) = (&one.kind, one.id == stmt) {
            found = Some(match &of.body.kind {
                StmtKind::Block { body, .. } => body.first().map_or(of.body.id, |first| first.id),
                _ => of.body.id,
            });
        }
    });
    found
}
