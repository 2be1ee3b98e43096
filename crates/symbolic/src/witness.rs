//! Are there values for which all facts hold, and what is asked does not?
//!
//! Most questions end with "not shown", and that is the dear answer: every case distinction is tried in vain. Values that refute a question say at once that there is no
//! proof, so that none is missed. Values for which all facts hold are kept with the facts: they also say that the facts do not contradict each other. Facts come one after the
//! other, and most hold already for the values that there were: these are followed from fact to fact, with a few of them moved where a new fact does not hold. Where that does not
//! lead to values, they are looked for once, from the beginning, when somebody asks.
//! A question that they do not refute is looked at from there on: something that does not hold is chosen, and one of its symbols moved until it does, a few times.
//!
//! What is found depends on nothing but the facts, in the order in which they came, and the question, so that what rests on the count of work is the same whoever asked before.
//!
//! What it cannot do: find values where no symbol alone mends anything (`x * y = 12`).

use crate::atom::{Atom, Operation, Symbol, symbol_bit};
use crate::condition::{Condition, ConditionKind, Relation};
use crate::expr::{Expr, Mentioned};
use crate::facts::Store;
use crate::integer::Integer;
use crate::interval::Bounds;
use crate::prover::count_work;
use std::sync::Arc;

/// Most symbols that are moved, one after the other.
const MOVES: usize = 24;

/// The same where several conditions are to hold together, and more of them for each.
const MOVES_TOGETHER: usize = 16;
const MOVES_EACH: usize = 4;

/// Most facts that are looked at: more are dearer than the proofs that they save.
const MOST: usize = 160;

/// How far a symbol is moved to see a change, as a power of two.
const FAR: u32 = 8;

/// Most binary digits of a value. Where two products pull one against the other, each move may square what the last one led to: after twenty the numbers fill memory.
const DIGITS: u64 = 96;

/// The work of looking at one that is wanted.
const LOOK: u64 = 60;

/// Values of all symbols that are mentioned, by symbol.
#[derive(Clone, Debug)]
pub(crate) struct Values(Vec<(Symbol, Integer)>);

impl Values {
    fn place(&self, symbol: Symbol) -> Result<usize, usize> {
        self.0.binary_search_by_key(&symbol, |one| one.0)
    }

    pub(crate) fn of(&self, symbol: Symbol) -> Option<Integer> {
        self.place(symbol).ok().map(|at| self.0[at].1.clone())
    }

    fn set(&mut self, symbol: Symbol, value: Integer) {
        match self.place(symbol) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (symbol, value)),
        }
    }

    fn evaluate(&self, expr: &Expr) -> Option<Integer> {
        expr.evaluate(&|symbol| self.of(symbol))
    }

    /// The value with another one for a symbol.
    fn evaluate_with(&self, expr: &Expr, symbol: Symbol, value: &Integer) -> Option<Integer> {
        expr.evaluate(&|own| match own == symbol {
            true => Some(value.clone()),
            false => self.of(own),
        })
    }
}

/// Values that are followed while facts come.
#[derive(Clone, Default)]
pub(crate) enum Followed {
    /// There are no facts yet: any values do.
    #[default]
    Any,
    /// All facts hold for these.
    Values(Arc<Values>),
    /// There are none.
    Lost,
}

impl Followed {
    pub(crate) fn values(&self) -> Option<&Values> {
        match self {
            Followed::Values(values) => Some(values),
            Followed::Any | Followed::Lost => None,
        }
    }
}

/// A condition is among the facts now: the values that are followed go on as they are, or moved.
pub(crate) fn follow(store: &mut Store, condition: &Condition) {
    let before = match std::mem::replace(&mut store.followed, Followed::Lost) {
        Followed::Any => Arc::new(Values(Vec::new())),
        Followed::Values(values) => values,
        Followed::Lost => return,
    };
    if !store.is_case
        && let Some(values) = next(store, before, condition)
    {
        store.followed = Followed::Values(values);
    }
}

/// Values for which a condition holds and all other facts, from values on for which these hold.
fn next(store: &Store, mut values: Arc<Values>, condition: &Condition) -> Option<Arc<Values>> {
    if store.contradiction.is_some() || has_too_many(store) {
        return None;
    }
    for symbol in condition.symbols() {
        if values.of(symbol).is_none() {
            let first = inside(store.bounds.get(&Atom::Symbol(symbol)), Integer::ONE);
            Arc::make_mut(&mut values).set(symbol, first);
        }
    }
    count_work(LOOK);
    if condition.evaluate(&|symbol| values.of(symbol)) == Some(true) {
        return Some(values);
    }
    let mut wanted = Vec::new();
    add_condition(condition, &mut wanted);
    let mut held = vec![Held::Unknown; wanted.len()];
    wanted.extend(wanted_of(store));
    held.resize(wanted.len(), Held::Before);
    settle(store, &wanted, held, Arc::make_mut(&mut values), Some(0), MOVES).then_some(values)
}

/// What is to hold.
enum Wanted<'a> {
    /// A comparison.
    Compared(&'a Expr, Relation),
    /// The expression is a multiple.
    Multiple(&'a Expr, &'a Integer),
    /// One of these holds, or more.
    Either(&'a Condition),
}

impl Wanted<'_> {
    fn mask(&self) -> u64 {
        match self {
            Wanted::Compared(expr, _) | Wanted::Multiple(expr, _) => expr.mask(),
            Wanted::Either(condition) => condition.mask(),
        }
    }

    /// `None` where it is undefined.
    fn holds(&self, values: &Values) -> Option<bool> {
        match self {
            Wanted::Compared(expr, relation) => {
                let value = values.evaluate(expr)?;
                Some(match relation {
                    Relation::NonNegative => !value.is_negative(),
                    Relation::Zero => value.is_zero(),
                    Relation::NonZero => !value.is_zero(),
                })
            }
            Wanted::Multiple(expr, modulus) => Some(values.evaluate(expr)?.floor_mod(modulus)?.is_zero()),
            Wanted::Either(condition) => condition.evaluate(&|symbol| values.of(symbol)),
        }
    }
}

/// Values for which all facts hold, if some are found.
pub(crate) fn find(store: &Store) -> Option<Values> {
    if store.contradiction.is_some() || has_too_many(store) {
        return None;
    }
    let wanted = wanted_of(store);
    let mut values = Values(Vec::new());
    let mut symbols = Mentioned::default();
    add_symbols(&wanted, &mut symbols);
    for atom in store.bounds.keys() {
        atom.add_symbols(&mut symbols);
    }
    for symbol in symbols.into_set() {
        // Most symbols are sizes and counters: 1 is in the midst of what they may be.
        let first = inside(store.bounds.get(&Atom::Symbol(symbol)), Integer::ONE);
        values.set(symbol, first);
    }
    let held = vec![Held::Unknown; wanted.len()];
    settle(store, &wanted, held, &mut values, None, MOVES).then_some(values)
}

/// True for more facts than are looked at.
pub(crate) fn has_too_many(store: &Store) -> bool {
    store.nonnegative.len() + store.zero.len() > MOST
}

/// True if these values, for which all facts hold, make a condition false.
pub(crate) fn is_counterexample(values: &Values, condition: &Condition) -> bool {
    let value_of = |symbol| Some(values.of(symbol).unwrap_or(Integer::ZERO));
    condition.evaluate(&value_of) == Some(false)
}

/// Gives a symbol another value, if all facts hold with it.
pub(crate) fn set_if_all_hold(store: &Store, values: &mut Values, symbol: Symbol, value: Integer) {
    let before = values.of(symbol);
    values.set(symbol, value);
    let bit = symbol_bit(symbol);
    let mut wanted = wanted_of(store).into_iter().filter(|one| one.mask() & bit != 0);
    let hold = wanted.all(|one| one.holds(values) == Some(true)) && are_inside(store, values, Some(bit));
    if !hold {
        values.set(symbol, before.unwrap_or(Integer::ZERO));
    }
}

/// True if there are values for which all facts hold and a condition does not; they are looked for from others on for which the facts hold.
pub(crate) fn refutes(store: &Store, from: &Values, condition: &Condition) -> bool {
    if is_counterexample(from, condition) {
        return true;
    }
    let opposite = condition.not();
    reaches(store, from, std::slice::from_ref(&opposite), MOVES)
}

/// True if there are values for which all facts hold, and these conditions, too; they are looked for from others on for which the facts hold.
pub(crate) fn hold_together(store: &Store, from: &Values, conditions: &[Condition]) -> bool {
    reaches(
        store,
        from,
        conditions,
        MOVES_TOGETHER + MOVES_EACH * conditions.len(),
    )
}

fn reaches(store: &Store, from: &Values, conditions: &[Condition], moves: usize) -> bool {
    let mut wanted = Vec::new();
    for condition in conditions {
        add_condition(condition, &mut wanted);
    }
    let mut values = from.clone();
    let mut symbols = Mentioned::default();
    add_symbols(&wanted, &mut symbols);
    for symbol in symbols.into_set() {
        if values.of(symbol).is_none() {
            values.set(symbol, Integer::ZERO);
        }
    }
    let mut held = vec![Held::Unknown; wanted.len()];
    wanted.extend(wanted_of(store));
    held.resize(wanted.len(), Held::Before);
    settle(store, &wanted, held, &mut values, Some(0), moves)
}

fn wanted_of(store: &Store) -> Vec<Wanted<'_>> {
    let mut wanted = Vec::with_capacity(store.nonnegative.len() + store.zero.len() + store.nonzero.len());
    for (facts, relation) in [
        (&store.zero, Relation::Zero),
        (&store.nonnegative, Relation::NonNegative),
        (&store.nonzero, Relation::NonZero),
    ] {
        wanted.extend(facts.iter().map(|fact| Wanted::Compared(&fact.expr, relation)));
    }
    let congruences = store.congruences.iter();
    wanted.extend(congruences.map(|one| Wanted::Multiple(&one.expr, &one.modulus)));
    for (condition, _) in &store.disjunctions {
        add_condition(condition, &mut wanted);
    }
    wanted
}

fn add_condition<'a>(condition: &'a Condition, wanted: &mut Vec<Wanted<'a>>) {
    match condition.kind() {
        ConditionKind::True => {}
        ConditionKind::Comparison(comparison) => {
            wanted.push(Wanted::Compared(&comparison.expr, comparison.relation));
        }
        ConditionKind::And(operands) => {
            for operand in operands {
                add_condition(operand, wanted);
            }
        }
        ConditionKind::Or(_) | ConditionKind::False => wanted.push(Wanted::Either(condition)),
    }
}

fn add_symbols(wanted: &[Wanted<'_>], symbols: &mut Mentioned) {
    for one in wanted {
        match one {
            Wanted::Compared(expr, _) | Wanted::Multiple(expr, _) => expr.add_symbols(symbols),
            Wanted::Either(condition) => condition.add_symbols(symbols),
        }
    }
}

/// Whether something that is wanted holds with the values as they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Held {
    /// It is to be evaluated.
    Unknown,
    /// It held with the values that the search began with, and none that it mentions was moved. It counts as a look at it, as if it were evaluated.
    Before,
    /// It was looked at, and holds.
    Yes,
}

/// Moves symbols until all that is wanted holds, if a few moves do. `moved` is given where the bounds of all atoms hold at first: what of symbols was moved, as a mask.
fn settle(
    store: &Store,
    wanted: &[Wanted<'_>],
    mut held: Vec<Held>,
    values: &mut Values,
    mut moved: Option<u64>,
    moves: usize,
) -> bool {
    let mut looks = 0;
    let mut last = None;
    for round in 0..=moves {
        let mut missed = None;
        for (one, held) in wanted.iter().zip(&mut held) {
            if *held == Held::Yes {
                continue;
            }
            looks += 1;
            if *held == Held::Unknown && one.holds(values) != Some(true) {
                missed = Some(one);
                break;
            }
            *held = Held::Yes;
        }
        let Some(missed) = missed else {
            count_work(LOOK * looks);
            return are_inside(store, values, moved);
        };
        let moved_to = mended(store, missed, values, round, last).filter(|(_, value)| value.bits() <= DIGITS);
        let Some((symbol, value)) = moved_to else {
            break;
        };
        let bit = symbol_bit(symbol);
        for (one, held) in wanted.iter().zip(&mut held) {
            if one.mask() & bit != 0 {
                *held = Held::Unknown;
            }
        }
        moved = moved.map(|moved| moved | bit);
        values.set(symbol, value);
        last = Some(symbol);
    }
    count_work(LOOK * looks);
    false
}

/// True if all atoms are in their bounds, which may have stayed when the facts that they came from went. Those that mention nothing that was moved are known to be.
fn are_inside(store: &Store, values: &Values, moved: Option<u64>) -> bool {
    let is_asked = |atom: &Atom| moved.is_none_or(|moved| atom.mask() & moved != 0);
    let mut asked = store.bounds.iter().filter(|(atom, _)| is_asked(atom));
    asked.all(|(atom, bounds)| {
        let value = match atom {
            Atom::Symbol(symbol) => values.of(*symbol),
            Atom::Compound(_) => values.evaluate(&Expr::atom(atom.clone())),
        };
        let low = bounds.low.as_ref().map(|(low, _)| low);
        let high = bounds.high.as_ref().map(|(high, _)| high);
        value.is_some_and(|value| {
            low.is_none_or(|low| *low <= value) && high.is_none_or(|high| value <= *high)
        })
    })
}

/// The value that is nearest to another one inside of bounds.
fn inside(bounds: Option<&Bounds>, wanted: Integer) -> Integer {
    let low = bounds.and_then(|bounds| bounds.low.as_ref());
    let high = bounds.and_then(|bounds| bounds.high.as_ref());
    match (low, high) {
        (Some((low, _)), _) if wanted < *low => low.clone(),
        (_, Some((high, _))) if *high < wanted => high.clone(),
        _ => wanted,
    }
}

/// A symbol with the value that mends what does not hold, or brings it as near as bounds allow. Which one it is goes by the round.
fn mended(
    store: &Store,
    missed: &Wanted<'_>,
    values: &Values,
    round: usize,
    last: Option<Symbol>,
) -> Option<(Symbol, Integer)> {
    let mover = Mover {
        store,
        values,
        round,
        last,
    };
    match missed {
        Wanted::Compared(expr, relation) => mover.compared(expr, *relation),
        Wanted::Multiple(expr, modulus) => match values.evaluate(expr) {
            Some(value) => mover.moved(expr, &value, &Goal::Exactly(-value.floor_mod(modulus)?)),
            None => mover.defined(expr),
        },
        Wanted::Either(condition) => {
            let ConditionKind::Or(operands) = condition.kind() else {
                return None;
            };
            let chosen = operands.get(round % operands.len().max(1))?;
            let mut wanted = Vec::new();
            add_condition(chosen, &mut wanted);
            let missed = wanted.iter().find(|one| one.holds(values) != Some(true))?;
            mended(store, missed, values, round, last)
        }
    }
}

/// By how much a sum is to change.
enum Goal {
    Exactly(Integer),
    AtLeast(Integer),
}

impl Goal {
    fn is_reached_by(&self, change: &Integer) -> bool {
        match self {
            Goal::Exactly(wanted) => change == wanted,
            Goal::AtLeast(wanted) => change >= wanted,
        }
    }
}

/// Looks for the next move.
struct Mover<'a> {
    store: &'a Store,
    values: &'a Values,
    round: usize,
    last: Option<Symbol>,
}

impl Mover<'_> {
    fn compared(&self, expr: &Expr, relation: Relation) -> Option<(Symbol, Integer)> {
        let Some(value) = self.values.evaluate(expr) else {
            return self.defined(expr);
        };
        let goal = match relation {
            Relation::NonZero if self.round.is_multiple_of(2) => Goal::Exactly(Integer::ONE),
            Relation::NonZero => Goal::Exactly(Integer::MINUS_ONE),
            Relation::Zero => Goal::Exactly(-&value),
            Relation::NonNegative => Goal::AtLeast(-&value),
        };
        self.moved(expr, &value, &goal)
    }

    /// A move by which an operation in an expression gets a value: one with a divisor that is 0, or a shift by less than nothing.
    fn defined(&self, expr: &Expr) -> Option<(Symbol, Integer)> {
        for atom in expr.atoms() {
            let Some(operation) = atom.operation() else {
                continue;
            };
            let operands = operation.operands();
            let undefined = operands.iter().find(|one| self.values.evaluate(one).is_none());
            if let Some(inner) = undefined {
                return self.defined(inner);
            }
            match operation {
                Operation::ShiftLeft(_, by) | Operation::ShiftRight(_, by)
                    if self.values.evaluate(by)?.is_negative() =>
                {
                    return self.compared(by, Relation::NonNegative);
                }
                Operation::FloorDiv(_, by)
                | Operation::FloorMod(_, by)
                | Operation::TruncDiv(_, by)
                | Operation::TruncRem(_, by)
                    if self.values.evaluate(by)?.is_zero() =>
                {
                    return self.compared(by, Relation::NonZero);
                }
                _ => {}
            }
        }
        None
    }

    /// A move by which an expression changes as wanted, or in the right direction.
    fn moved(&self, expr: &Expr, value: &Integer, goal: &Goal) -> Option<(Symbol, Integer)> {
        let symbols: Vec<Symbol> = expr.symbols().into_iter().collect();
        let mut partly = None;
        for at in 0..symbols.len() {
            let symbol = symbols[(at + self.round) % symbols.len()];
            let before = self.values.of(symbol)?;
            let Some(to) = self.target(expr, value, goal, symbol, &before) else {
                continue;
            };
            let after = inside(self.store.bounds.get(&Atom::Symbol(symbol)), to.clone());
            if after == before {
                continue;
            }
            // What was moved just now would only be moved back.
            if after == to && self.last != Some(symbol) {
                return Some((symbol, after));
            }
            partly.get_or_insert((symbol, after));
        }
        partly
    }

    /// The value of a symbol that reaches a goal: by the step from one value to the next, or, where that is none, far away.
    fn target(
        &self,
        expr: &Expr,
        value: &Integer,
        goal: &Goal,
        symbol: Symbol,
        before: &Integer,
    ) -> Option<Integer> {
        let next = self.values.evaluate_with(expr, symbol, &(before + &Integer::ONE));
        if let Some(next) = next {
            if let Some(steps) = steps(goal, &(&next - value)) {
                return Some(before + &steps);
            }
            // All steps are alike: what one of them does not bring nearer, many do not reach.
            if is_plain_factor(expr, symbol) {
                return None;
            }
        }
        (0..FAR).find_map(|power| {
            let far = Integer::power_of_two(power);
            [before + &far, before - &far].into_iter().find(|to| {
                let there = self.values.evaluate_with(expr, symbol, to);
                there.is_some_and(|there| goal.is_reached_by(&(&there - value)))
            })
        })
    }
}

/// True if a symbol is mentioned by the products of a sum alone, once in each, and by no operation: the sum changes by the same for each step of the symbol.
fn is_plain_factor(expr: &Expr, symbol: Symbol) -> bool {
    expr.terms().all(|term| {
        let mut factors = term.monomial.factors().iter();
        factors.all(|(atom, power)| match atom.as_symbol() {
            Some(own) => own != symbol || *power == 1,
            None => !atom.mentions(symbol),
        })
    })
}

/// How many steps of this size reach a goal.
fn steps(goal: &Goal, slope: &Integer) -> Option<Integer> {
    match goal {
        _ if slope.is_zero() => None,
        Goal::Exactly(change) if change.is_multiple_of(slope) => change.trunc_div(slope),
        Goal::Exactly(_) => None,
        Goal::AtLeast(change) if slope.is_negative() => (-change).floor_div(&-slope),
        Goal::AtLeast(change) => Some(-(-change).floor_div(slope)?),
    }
}

#[cfg(test)]
mod tests {
    use super::{Values, find, is_counterexample, is_plain_factor, refutes};
    use crate::prover::Prover;
    use crate::{Condition, Expr, Facts, Symbol};

    fn x(number: u32) -> Expr {
        Expr::symbol(Symbol(number))
    }

    /// Numbers that look random, the same in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, count: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % count
        }

        fn small(&mut self) -> Expr {
            Expr::int(i128::from(self.below(9)) - 4)
        }

        fn expr(&mut self, depth: u64) -> Expr {
            if depth == 0 {
                return match self.below(4) {
                    0 => self.small(),
                    _ => x(self.below(4) as u32),
                };
            }
            let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
            let divisor = Expr::int(i128::from(self.below(3)) + 1);
            match self.below(10) {
                0..=2 => &a + &b,
                3 | 4 => &a - &b,
                5 => &a * &b,
                6 => Expr::max(&a, &b),
                7 => Expr::floor_div(&a, &divisor),
                8 => Expr::floor_mod(&a, &divisor),
                _ => Expr::select(&Condition::less(&a, &b), &b, &divisor),
            }
        }

        fn condition(&mut self) -> Condition {
            let depth = self.below(3);
            let (a, b) = (self.expr(depth), self.expr(1));
            match self.below(8) {
                0..=4 => Condition::less_equal(&a, &b),
                5 => Condition::equal(&a, &b),
                6 => Condition::not_equal(&a, &b),
                _ => Condition::less(&a, &b).or(&self.condition()),
            }
        }

        fn facts(&mut self) -> Facts {
            let mut facts = Facts::new();
            for _ in 0..=self.below(6) {
                facts.assume(&self.condition());
            }
            if self.below(4) == 0 {
                facts.congruent(self.expr(1), 2, 1);
            }
            facts
        }
    }

    /// A proof for which no values are looked for.
    fn is_proved(facts: &Facts, condition: &Condition) -> bool {
        let mut store = facts.store().clone();
        store.is_case = true;
        Prover::new().condition(&store, condition, 3).is_some()
    }

    fn all_hold(facts: &Facts, values: &Values) -> bool {
        let mut conditions = facts.conditions().into_iter();
        conditions.all(|(condition, _)| condition.evaluate(&|symbol| values.of(symbol)) == Some(true))
    }

    #[test]
    fn what_is_proved_is_never_refuted() {
        let mut random = Random(1);
        let (mut proved, mut refuted, mut followed) = (0, 0, 0);
        for _ in 0..1500 {
            let facts = random.facts();
            let store = facts.store();
            // Those that were followed while the facts came are right as well, and go on without what is forgotten.
            for facts in [facts.clone(), facts.without_symbol(Symbol(1))] {
                if let Some(values) = facts.store().followed_example() {
                    assert!(all_hold(&facts, values), "{:?} at {values:?}", facts.conditions());
                    followed += 1;
                }
            }
            let Some(example) = find(store) else { continue };
            assert!(
                all_hold(&facts, &example),
                "{:?} at {example:?}",
                facts.conditions()
            );
            assert!(
                !is_proved(&facts, &Condition::never()),
                "{:?}",
                facts.conditions()
            );
            for _ in 0..3 {
                let condition = random.condition();
                let is_refuted = refutes(store, &example, &condition);
                let is_proved = is_proved(&facts, &condition);
                assert!(
                    !(is_refuted && is_proved),
                    "{condition:?} from {:?}",
                    facts.conditions()
                );
                // What is refuted early may leave room for more proofs.
                let answer = facts.prove(&condition);
                assert!(answer >= is_proved && !(answer && is_refuted), "{condition:?}");
                // Values for which it holds, too, with another condition or without one.
                let other = random.condition();
                for together in [vec![condition.clone()], vec![condition.clone(), other]] {
                    let is_excluded = facts.prove(&Condition::all(together.iter().cloned()).not());
                    assert!(!(is_excluded && facts.can_hold_with(&together)), "{together:?}");
                }
                proved += usize::from(is_proved);
                refuted += usize::from(is_refuted);
            }
        }
        assert!(
            proved > 100 && refuted > 1000 && followed > 1000,
            "{proved} proved, {refuted} refuted, {followed} followed"
        );
    }

    fn is_refuted(facts: &Facts, condition: &Condition) -> bool {
        find(facts.store()).is_some_and(|values| refutes(facts.store(), &values, condition))
    }

    #[test]
    fn values_are_found_where_there_are_some() {
        let mut facts = Facts::new();
        facts.assume_nonnegative(&(&x(1) - &x(0)) - &Expr::int(3));
        facts.assume_nonnegative(&Expr::int(100) - &x(1));
        facts.assume_nonnegative(x(2) - Expr::max(&x(0), &x(1)));
        facts.assume_zero(&(&x(3) - &x(2)) - &Expr::int(7));
        assert!(is_refuted(&facts, &Condition::less_equal(&x(3), &x(0))));
        assert!(is_refuted(&facts, &Condition::less_equal(&x(1), &Expr::int(90))));
        assert!(is_refuted(&facts, &Condition::never()));
        assert!(!is_refuted(&facts, &Condition::less_equal(&x(0), &x(3))));
        assert!(!is_refuted(&facts, &Condition::less_equal(&x(0), &Expr::int(97))));
    }

    #[test]
    fn what_held_at_first_is_looked_at_again_where_something_moved() {
        let mut facts = Facts::new();
        facts.assume_nonnegative(&x(1) - &x(0));
        facts.assume_nonnegative(&x(2) - &x(1));
        let store = facts.store();
        let example = find(store).expect("small numbers do");
        // What makes the first claim false breaks a fact that held with the example.
        assert!(!refutes(store, &example, &Condition::less_equal(&x(0), &x(2))));
        assert!(refutes(store, &example, &Condition::less_equal(&x(2), &x(0))));
    }

    #[test]
    fn symbols_in_operations_are_moved_far() {
        let plain = &(&x(0) * &x(1)) + &x(2);
        assert!(
            [0, 1, 2, 3]
                .map(Symbol)
                .iter()
                .all(|one| is_plain_factor(&plain, *one))
        );
        let others = [
            &x(0) * &x(0),
            Expr::max(&x(0), &x(1)),
            &x(0) + &Expr::floor_mod(&x(0), &x(1)),
        ];
        assert!(others.iter().all(|expr| !is_plain_factor(expr, Symbol(0))));
        // One step from 1 on changes nothing here, eight do.
        let mut facts = Facts::new();
        facts.assume_nonnegative(&Expr::max(&x(0), &Expr::int(5)) - &Expr::int(8));
        assert!(find(facts.store()).is_some_and(|values| all_hold(&facts, &values)));
    }

    #[test]
    fn operations_get_values_on_the_way() {
        let mut facts = Facts::new();
        let shifted = Expr::shl(&Expr::int(1), &(&x(0) - &x(1)));
        facts.assume_nonnegative(&(&x(2) - &shifted) - &Expr::int(5));
        facts.assume_nonnegative(Expr::floor_div(&x(2), &(&x(3) - &Expr::one())));
        let example = find(facts.store());
        assert!(example.is_some_and(|values| all_hold(&facts, &values)));
    }

    #[test]
    fn everything_that_is_known_counts() {
        let goal = Condition::nonnegative(&(&x(0) - &Expr::int(1)));
        let with = |condition: &Condition| {
            let mut facts = Facts::new();
            facts.assume_nonnegative(x(0));
            facts.assume_nonnegative(&Expr::int(1) - &x(0));
            facts.assume(condition);
            facts
        };
        assert!(is_refuted(&with(&Condition::always()), &goal));
        assert!(!is_refuted(&with(&Condition::nonzero(&x(0))), &goal));
        let product = &x(0) * &x(4);
        assert!(!is_refuted(&with(&Condition::nonzero(&product)), &goal));
        let either = Condition::equal(&x(0), &Expr::int(1)).or(&Condition::equal(&x(0), &Expr::int(5)));
        assert!(!is_refuted(&with(&either), &goal));
        let mut odd = with(&Condition::always());
        odd.congruent(x(0), 2, 1);
        assert!(!is_refuted(&odd, &goal));
        // Bounds stay when the fact that they came from is gone.
        let mut gone = with(&Condition::always());
        gone.assume_zero(&x(0) - &x(4));
        gone.assume_nonnegative(&x(4) - &Expr::int(1));
        assert!(!is_refuted(&gone.without_symbol(Symbol(4)), &goal));
    }

    /// Each of the two pushes the other one up to its square: without an end to that, the numbers had millions of digits.
    #[test]
    fn values_do_not_grow_without_end() {
        let mut facts = Facts::new();
        facts.assume_nonnegative(&(&x(0) - &(&x(1) * &x(1))) - &x(2));
        facts.assume_nonnegative(&(&x(1) - &(&x(0) * &x(0))) - &x(2));
        facts.assume_nonnegative(&x(2) - &Expr::int(2));
        assert!(find(facts.store()).is_none());
    }

    #[test]
    fn an_example_does_not_outlive_the_facts() {
        let mut facts = Facts::new();
        facts.assume_nonnegative(x(0));
        let goal = Condition::less_equal(&(&x(1) + &Expr::int(7)), &x(0));
        assert!(!facts.prove(&goal));
        assert!(
            facts
                .store()
                .example()
                .is_some_and(|values| is_counterexample(values, &goal))
        );
        facts.assume_nonnegative(&(&x(0) - &Expr::max(&x(1), &x(2))) - &Expr::int(7));
        assert!(facts.prove(&goal));
    }
}
