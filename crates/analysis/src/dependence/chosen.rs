//! Do two accesses whose addresses depend on conditions certainly meet?
//!
//! `at = i < 32 ? 64 + i : i; b[at] = i;`: iteration 0 takes one way, iteration 64 the other, and both write one element (figure 1 of IPDA). One of the first iterations
//! is put in the place of the earlier access, and of each pair of ways the distance is computed at which the addresses are the same. The two meet if both conditions
//! hold there, and the loop runs that long, by what is known before it.
//!
//! What it cannot do: accesses in loops inside, conditions on what varies beside the counter, and meetings that only later iterations have.

use crate::access::Access;
use crate::loops::{LoopFacts, LoopIndex};
use crate::quotient::exact_quotient;
use crate::symbols::Symbols;
use ferry_symbolic::{Atom, Condition, Expr, Operation, Symbol};
use std::collections::BTreeMap;

/// The iterations that are tried for the earlier access.
const FIRST: i128 = 2;

/// Most ways to an address.
const MOST_WAYS: usize = 4;

/// By how many iterations `sink` is ahead of `source` where the two certainly meet.
pub fn chosen_distance(
    symbols: &Symbols,
    definitions: &BTreeMap<Symbol, Expr>,
    (index, own): (LoopIndex, &LoopFacts),
    source: &Access,
    sink: &Access,
) -> Option<i64> {
    let plain = |access: &Access| {
        access.loops.last() == Some(&index) && access.conditional_depth <= own.depth && !access.partial
    };
    let trip = own.trip.as_ref().ok()?;
    if !plain(source) || !plain(sink) || source.size != sink.size || !own.early_exits.is_empty() {
        return None;
    }
    let (sources, sinks) = (ways(definitions, source)?, ways(definitions, sink)?);
    if sources.len() < 2 && sinks.len() < 2 {
        return None;
    }
    let facts = &own.before.facts;
    // What varies in another way is not what it is in the iteration that is tried.
    let is_fixed = |symbol: Symbol| !symbols.varies_in(symbol, own.stmt);
    let holds = |condition: &Condition, at: &Expr| {
        let condition = condition.substitute(own.counter, at);
        condition.symbols().into_iter().all(is_fixed) && facts.prove(&condition)
    };
    let ahead = Symbol(2 * symbols.len() as u32);
    for number in 0..FIRST {
        let first = Expr::int(number);
        let later = &first + &Expr::symbol(ahead);
        for (address, conditions) in &sources {
            let address = address.substitute(own.counter, &first);
            if !address.symbols().into_iter().all(is_fixed)
                || !conditions.iter().all(|one| holds(one, &first))
            {
                continue;
            }
            for (other, conditions) in &sinks {
                let distance = &other.substitute(own.counter, &later) - &address;
                let Some((slope, rest)) = distance.linear_in(ahead) else {
                    continue;
                };
                let ahead = exact_quotient(&-&rest, &slope).and_then(|by| by.as_constant()?.to_i64());
                let Some(by) = ahead.filter(|by| *by >= 1) else {
                    continue;
                };
                let at = Expr::int(number + i128::from(by));
                let runs = Condition::positive(&(trip - &at));
                if conditions.iter().all(|one| holds(one, &at)) && facts.prove(&runs) {
                    return Some(by);
                }
            }
        }
    }
    None
}

/// The addresses of an access, each with the conditions under which it is that one.
fn ways(definitions: &BTreeMap<Symbol, Expr>, access: &Access) -> Option<Vec<(Expr, Vec<Condition>)>> {
    let mut open = vec![(access.address.clone()?, Vec::new())];
    let mut found = Vec::new();
    while let Some((address, conditions)) = open.pop() {
        if found.len() + open.len() >= MOST_WAYS {
            return None;
        }
        let mut symbols = address.symbols().into_iter().rev();
        let defined = symbols.find_map(|symbol| Some((symbol, definitions.get(&symbol)?)));
        let Some((symbol, definition)) = defined else {
            found.push((address, conditions));
            continue;
        };
        if definition.mentions(symbol) {
            return None;
        }
        match definition.as_atom().and_then(Atom::operation) {
            Some(Operation::Guarded(guarded)) => {
                for (condition, value) in guarded.iter() {
                    let mut conditions = conditions.clone();
                    conditions.push(condition.clone());
                    open.push((address.substitute(symbol, value), conditions));
                }
            }
            _ => open.push((address.substitute(symbol, definition), conditions)),
        }
    }
    Some(found)
}
