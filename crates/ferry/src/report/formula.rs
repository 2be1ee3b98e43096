//! How is the cost of a kernel written in terms of its sizes, so that one sees where it comes from?
//!
//! `ceil(n/32)*(n*2*min(n, 32) + n*n*(3*min(n, 32) + 1))`: so many warps, and of each what it takes, access by access that is made equally often. Multiplied
//! out, nobody could read it. It holds where the loops run, with every warp as the first full one.

use crate::names::Names;
use ferry_analysis::coalescing::{Amount, Cost, Requests, number};
use ferry_analysis::loops::LoopIndex;
use ferry_gpu::Gpu;
use ferry_symbolic::Expr;

/// Lines or sectors of an access.
pub type Which = fn(&Requests) -> &Amount;

/// Threads that have an iteration, where the loops run.
pub fn threads(names: Names<'_>, cost: &Cost) -> Option<Expr> {
    let values = &names.facts.values;
    let inside = cost.accesses.iter().filter_map(|one| {
        let access = &values.accesses[one.access];
        Some(&values.loops[access.loops.last()?.0 as usize].facts_inside)
    });
    let threads = cost.threads.as_ref()?;
    Some(inside.fold(threads.clone(), |threads, facts| threads.simplify(facts)))
}

/// What all warps of the kernel that begins with a loop take; `None` if a loop cannot be counted, or not runs equally often for all threads.
pub fn of_all(names: Names<'_>, first: LoopIndex, cost: &Cost, gpu: &Gpu, which: Which) -> Option<String> {
    let threads = threads(names, cost)?;
    let mut groups: Vec<(Expr, Vec<&Expr>)> = Vec::new();
    for one in &cost.accesses {
        let values = &names.facts.values;
        let inside = values.accesses[one.access].loops.last()?;
        let times = one
            .times
            .as_ref()?
            .simplify(&values.loops[inside.0 as usize].facts_inside);
        let usual = &which(&one.coalescing.requests).usual;
        match groups.iter_mut().find(|(known, _)| *known == times) {
            Some((_, amounts)) => amounts.push(usual),
            None => groups.push((times, vec![usual])),
        }
    }
    let whole = names.facts.values.loops[first.0 as usize].stmt;
    let used = groups
        .iter()
        .flat_map(|(times, amounts)| amounts.iter().copied().chain([times]));
    let symbols = &names.facts.values.symbols;
    if !used
        .chain([&threads])
        .all(|expr| symbols.invariant_in(expr, whole))
    {
        return None;
    }
    let warps = Expr::ceil_div(&threads, &Expr::int(i128::from(gpu.warp)));
    if let (Some(warps), Some(each)) = (number(&warps), all_numbers(&groups)) {
        return warps.checked_mul(each).map(|all| all.to_string());
    }
    let warps = match number(&warps) {
        Some(warps) => warps.to_string(),
        None => format!("ceil({}/{})", factor(names.mathematics(&threads)), gpu.warp),
    };
    let of_a_warp: Vec<String> = groups
        .iter()
        .filter_map(|(times, amounts)| {
            let amounts = sum(names, amounts.iter().copied())?;
            Some(product([names.mathematics(times), amounts]))
        })
        .collect();
    Some(product([warps, of_a_warp.join(" + ")]))
}

fn all_numbers(groups: &[(Expr, Vec<&Expr>)]) -> Option<i128> {
    groups.iter().try_fold(0i128, |all, (times, amounts)| {
        let each = amounts
            .iter()
            .try_fold(0i128, |all, one| all.checked_add(number(one)?))?;
        all.checked_add(number(times)?.checked_mul(each)?)
    })
}

/// `3*min(32, n) + 5`: equal summands are counted, and nothing else is simplified. `None` for a sum of nothing.
pub fn sum<'e>(names: Names<'_>, summands: impl Iterator<Item = &'e Expr>) -> Option<String> {
    let (mut total, mut formulas): (i128, Vec<(String, u32)>) = (0, Vec::new());
    let mut any = false;
    for summand in summands {
        any = true;
        match number(summand) {
            Some(value) => total += value,
            None => {
                let text = names.mathematics(summand);
                match formulas.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, count)) => *count += 1,
                    None => formulas.push((text, 1)),
                }
            }
        }
    }
    let several = formulas.iter().map(|(text, count)| match count {
        1 => text.clone(),
        count => product([count.to_string(), text.clone()]),
    });
    let rest = (total > 0 || formulas.is_empty()).then(|| total.to_string());
    any.then(|| several.chain(rest).collect::<Vec<_>>().join(" + "))
}

/// The factors but those that are 1.
fn product(factors: [String; 2]) -> String {
    let [one, two] = factors;
    match (one.as_str(), two.as_str()) {
        ("1", _) => two,
        (_, "1") => one,
        _ => format!("{}*{}", factor(one), factor(two)),
    }
}

/// A sum in brackets, if it is one.
fn factor(text: String) -> String {
    let mut open = 0;
    let is_sum = text.char_indices().any(|(at, one)| {
        match one {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        open == 0 && [" + ", " - "].iter().any(|sign| text[at..].starts_with(sign))
    });
    match is_sum || text.starts_with('-') {
        true => format!("({text})"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sums_get_brackets() {
        let of = |one: &str, two: &str| product([one.to_owned(), two.to_owned()]);
        assert_eq!(of("n", "3*min(n - 1, 32)"), "n*3*min(n - 1, 32)");
        assert_eq!(of("n - 1", "min(n, 32) + 1"), "(n - 1)*(min(n, 32) + 1)");
        assert_eq!(of("1", "n + 1"), "n + 1");
        assert_eq!(of("-n", "2"), "(-n)*2");
    }
}
