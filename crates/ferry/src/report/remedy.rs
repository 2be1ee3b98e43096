//! How does it read what would remove an obstacle?
//!
//! Each text says what must hold for it, where the analysis does not know that. What it cannot do: give the new text of the program.

use super::text::in_words;
use crate::names::Names;
use ferry_analysis::cover;
use ferry_analysis::reduction::ReductionOp;
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::{Kind, Object, Remedy, Verdict, Whole};
use ferry_ir::{VariableKind, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::Symbol;
use std::collections::BTreeSet;

/// What would remove an obstacle.
pub fn of_obstacle(names: Names<'_>, remedy: &Remedy) -> Option<String> {
    let text = |at: Origin| names.text(at);
    Some(match remedy {
        // What a library function does is for Ferry to know.
        Remedy::SayWhatItDoes(name) if is_of_the_system(names, name) => return None,
        Remedy::SayWhatItDoes(name) => format!(
            "a comment before the declaration of {name} can say what it does: `// ferry: const` if it only computes with its arguments, `// ferry: pure` if it also reads memory, else `// ferry: reads(…) writes(…)`"
        ),
        Remedy::RunAll => {
            "if the iterations behind the exit may run, too (they change nothing that counts, and all that they read exists), let all run and keep the first that would have left: a reduction by minimum".to_owned()
        }
        Remedy::CopyBound(at) => format!(
            "if the loop does not change {}, copy it to a local variable before the loop and compare with that",
            text(*at)?
        ),
        Remedy::CopyInside(variable) => {
            let name = names.variable(*variable);
            format!("let each iteration change a copy of {name} that it declares itself")
        }
        Remedy::KeepLast(variable) => {
            let name = names.variable(*variable);
            format!(
                "find the last iteration that sets {name}, by a reduction by maximum over the iterations' numbers, and compute {name} from that one after the loop"
            )
        }
        Remedy::ReadCopy => {
            "the values that are read there are those from before the loop: read them from a copy that is made before it".to_owned()
        }
        Remedy::FindThenPlace(variable) => {
            let name = names.variable(*variable);
            format!(
                "two loops: one that finds the value that {name} has in the end (a reduction), and one that finds the first iteration that has it (a reduction by minimum over the iterations' numbers)"
            )
        }
        Remedy::PrefixSum(variable, op) => {
            let name = names.variable(*variable);
            let what = match op {
                ReductionOp::Sum => "a prefix sum".to_owned(),
                _ => format!("a scan with `{}`", op.spelling()),
            };
            format!("the values of {name} are {what}, which can be computed in parallel before the rest (in OpenMP: `scan`)")
        }
        Remedy::Scan => {
            "this is a linear recurrence: a scan over pairs of factor and summand computes it in parallel (floating-point results are rounded differently)".to_owned()
        }
        Remedy::Groups(count) => format!(
            "as far as this goes, groups of {count} iterations in a row may each run at once: one loop over the groups in order, and a parallel one inside"
        ),
        Remedy::Distinct(at, op) => {
            let value = text(*at)?;
            let atomic = match op {
                Some(op) => format!("; an atomic update (`{}`) would do without that", op.spelling()),
                None => String::new(),
            };
            format!("the iterations do not meet if {value} has another value in each, which only you can know{atomic}")
        }
    })
}

/// Of a parallel loop with atomic updates: they wait for each other where iterations meet, which may take longer than the loop did in order.
pub fn of_atomics(names: Names<'_>, verdict: &Verdict) -> Option<String> {
    let objects = verdict.atomics.iter();
    let mut objects: Vec<String> = objects
        .filter_map(|object| match (object.how, object.object) {
            (Whole::Update(_), Object::Root(root)) => Some(names.object_of(object.at, root)),
            _ => None,
        })
        .collect();
    objects.dedup();
    (!objects.is_empty() && verdict.is_parallel()).then(|| {
        let objects = objects.join(", ");
        format!(
            "atomic updates of one element wait for each other: where many iterations meet in few elements of {objects}, copies for groups of iterations that are added up afterwards take less time"
        )
    })
}

/// True for functions that a header of the system declares.
fn is_of_the_system(names: Names<'_>, name: &str) -> bool {
    let mut functions = names.unit.functions.iter();
    let declared = functions.find(|function| function.name == name);
    let file = declared
        .and_then(|function| function.origin.span())
        .map(|span| span.file);
    file.is_none_or(|file| is_of_the_system_file(names, file))
}

fn is_of_the_system_file(names: Names<'_>, file: ferry_source::FileId) -> bool {
    let path = names.sources.path(file);
    path.starts_with("/usr") || path.starts_with("/opt")
}

/// What would make a test before the loop needless: the user's word, if values are tested one by one; `restrict` on the fewest parameters that will do, if nothing
/// but pointers is tested. Of two parameters one is enough, as what is modified may then be reached through no other (C11 6.7.3.1).
pub fn of_condition(names: Names<'_>, verdict: &Verdict) -> Option<String> {
    if let Some(sorted) = verdict
        .sorted
        .first()
        .filter(|_| verdict.kind == Kind::ParallelIf)
    {
        let values = names.symbol(sorted.root);
        return Some(format!(
            "the order of {values} is tested by a pass over these values before the loop; where it is known that the iterations do not meet, `// ferry: independent` says so, and no pass is needed"
        ));
    }
    let only_pointers =
        verdict.kind == Kind::ParallelIf && verdict.rows.is_empty() && verdict.conditions.is_empty();
    if !only_pointers {
        return None;
    }
    let kind = |symbol: Symbol| &names.facts.values.symbols.info(symbol).kind;
    let parameter = |symbol: Symbol| match kind(symbol) {
        SymbolKind::Entry(VariableRef::Local(local)) => {
            let is_parameter = names.function.local(*local).kind == VariableKind::Parameter;
            is_parameter.then_some(VariableRef::Local(*local))
        }
        _ => None,
    };
    // Of a pointer from memory it is not known whether it was computed from the parameter.
    let is_other = |symbol: Symbol| {
        matches!(
            kind(symbol),
            SymbolKind::Entry(_)
                | SymbolKind::Address(_)
                | SymbolKind::Allocated(_)
                | SymbolKind::CalleeVariable { .. }
        )
    };
    let accesses = &names.facts.values.accesses;
    let writes = accesses.iter().filter(|access| access.is_write());
    let written: BTreeSet<Symbol> = writes.filter_map(|access| access.root).collect();
    let mut pairs = Vec::new();
    for (a, b) in &verdict.disjoint {
        // Of two that would do, the one that is written is where a reader looks for it.
        let (first, second) = match written.contains(a) {
            true => (*a, *b),
            false => (*b, *a),
        };
        if !is_other(first) || !is_other(second) {
            return None;
        }
        pairs.push(match (parameter(first), parameter(second)) {
            (Some(one), Some(two)) => (one, two),
            (Some(one), None) | (None, Some(one)) => (one, one),
            (None, None) => return None,
        });
    }
    let names: Vec<String> = cover::fewest(&pairs)
        .into_iter()
        .map(|variable| names.variable(variable))
        .collect();
    let all = in_words(&names)?;
    Some(format!(
        "if they never overlap, `restrict` on {all} says so, and no test is needed"
    ))
}
