//! What do all iterations of a loop touch together?
//!
//! One iteration is a summary in terms of the counter `k`. Iteration `k` is reached if `0 <= k`, `k` is not past the
//! trip count, and no earlier iteration was the last: where the trip count is not known, or `break` leaves the loop,
//! the iterations that follow one which may (must) be the last are taken away from those that are (may be) reached.
//! IN takes away from each iteration what earlier ones have certainly written (Creusillet 1996).
//!
//! What it cannot do: more than the first iteration, for certain, of what depends on values that have no closed form.

use super::Context;
use super::about::Wanted;
use super::gate::Gate;
use super::part::{Part, Touch, projected, together, whatever, with_room};
use crate::loops::LoopFacts;
use crate::symbols::{Cause, SymbolKind};
use ferry_ir::StmtId;
use ferry_symbolic::set::{Constrained, Set};
use ferry_symbolic::{Condition, Expr, Symbol};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Which iterations are reached.
pub struct Reached<'a> {
    /// The loop.
    pub of: &'a LoopFacts,
    /// The last iteration that may begin, if that is known.
    pub last: Option<Expr>,
    /// An iteration is the last where this is open.
    pub ends: Gate,
    /// Of an iteration that begins nothing is counted where this is open (the test that fails).
    pub stops: Gate,
    /// Everything that varies in the loop, its counter included.
    pub varying: BTreeSet<Symbol>,
    /// The iterations past the end, by the number of coordinates and by whether they are certain.
    pub past: RefCell<BTreeMap<(usize, bool), Option<Set>>>,
}

/// What is touched in one iteration of a loop, and which iterations there are.
#[derive(PartialEq, Eq, Hash)]
struct SumOf {
    of: StmtId,
    last: Option<Expr>,
    gates: [(Option<Condition>, bool); 2],
    may: Set,
    must: Set,
    bounded: Option<Set>,
    exact: bool,
    with_must: bool,
}

/// What all iterations of loops touch together, by what one of them touches.
#[derive(Default)]
pub struct Sums {
    known: RefCell<HashMap<SumOf, Part>>,
}

/// One iteration.
#[derive(Clone)]
pub struct Iteration {
    /// What it reads.
    pub read: Touch,
    /// What it writes.
    pub write: Touch,
    /// What it reads before it writes it.
    pub exposed: Touch,
}

impl Context<'_> {
    /// Everything that varies in a loop.
    pub fn varying_in(&self, of: &LoopFacts) -> BTreeSet<Symbol> {
        self.values.varying_in_any([of.stmt])
    }

    /// All iterations together. `certain` is the iteration as it runs where the loop certainly goes on (without the
    /// test), if that is another; with its own account of which iterations are reached.
    pub fn all_iterations(
        &self,
        reached: &Reached<'_>,
        one: &Iteration,
        certain: Option<(&Reached<'_>, &Iteration)>,
    ) -> Iteration {
        let read = self.sum(
            reached,
            &one.read,
            certain.map(|(reached, one)| (reached, &one.read)),
            true,
        );
        let write = self.sum(
            reached,
            &one.write,
            certain.map(|(reached, one)| (reached, &one.write)),
            true,
        );
        let left = self.not_written_before(reached, one);
        let certainly = certain.map(|(reached, one)| (reached, self.not_written_before(reached, one)));
        let mut exposed = self.sum(
            reached,
            &left,
            certainly.as_ref().map(|(reached, left)| (*reached, left)),
            self.wanted != Wanted::PerhapsNeeded,
        );
        exposed.rows_may_overlap(&write);
        Iteration { read, write, exposed }
    }

    /// What all iterations touch that do not depend on one another.
    pub fn all_of(&self, reached: &Reached<'_>, touch: &Touch) -> Touch {
        self.sum(reached, touch, None, true)
    }

    /// `must`: lower bounds are wanted, too.
    fn sum(
        &self,
        reached: &Reached<'_>,
        touch: &Touch,
        certain: Option<(&Reached<'_>, &Touch)>,
        must: bool,
    ) -> Touch {
        let mut result = Touch {
            elsewhere: touch.elsewhere.clone(),
            ..Touch::default()
        };
        let moves = |root: &Symbol| reached.varying.contains(root);
        let moving = touch.objects.iter().filter(|(root, _)| moves(root));
        let known_families = touch
            .rows
            .iter()
            .map(|(family, rows)| Some((*family, rows.clone())));
        for found in known_families.chain(moving.map(|(root, part)| self.as_rows(*root, part))) {
            match found.and_then(|(family, rows)| self.behind_one_table(reached, family, rows)) {
                Some((family, rows)) => {
                    result.add_rows(family, &rows.with(self.sum_part(reached, &rows.part, must)));
                }
                None => {
                    let cause = Cause::new("the pointer changes in the loop", reached.of.origin);
                    result.may_be_elsewhere(cause);
                }
            }
        }
        for (root, part) in touch.objects.iter().filter(|(root, _)| !moves(root)) {
            let mut sum = self.sum_part(reached, part, must);
            if let Some((reached, touch)) = &certain
                && must
                && !sum.exact
                && let Some(part) = touch.objects.get(root)
            {
                let must = self.certain(reached, part);
                sum.must = together(&sum.must, &must).unwrap_or(sum.must);
            }
            result.objects.insert(*root, sum);
        }
        result
    }

    /// Most of what is read is needed, and arrays are often touched in pairs that are alike: what was asked before is not computed again.
    fn sum_part(&self, reached: &Reached<'_>, part: &Part, must: bool) -> Part {
        let question = SumOf {
            of: reached.of.stmt,
            last: reached.last.clone(),
            gates: [&reached.ends, &reached.stops].map(|gate| (gate.condition.clone(), gate.exact)),
            may: part.may.clone(),
            must: part.must.clone(),
            bounded: part.bounded.clone(),
            exact: part.exact,
            with_must: must,
        };
        let known = self.sums.known.borrow().get(&question).cloned();
        let sum = known.unwrap_or_else(|| {
            let sum = self.find_sum(reached, part, must);
            self.sums.known.borrow_mut().insert(question, sum.clone());
            sum
        });
        Part {
            cause: match sum.exact {
                true => None,
                false => part.cause.clone().or(sum.cause),
            },
            apart: part.apart.clone(),
            ..sum
        }
    }

    /// The same, with the cause that the loop adds, if it is the first.
    fn find_sum(&self, reached: &Reached<'_>, part: &Part, must: bool) -> Part {
        let (may, said) = with_room(part.exact, || self.within(reached, &part.may));
        let varying: Vec<Symbol> = may
            .symbols()
            .into_iter()
            .filter(|symbol| reached.varying.contains(symbol))
            .collect();
        let regular = self.is_regular(reached, &varying);
        let bounded = part.bounded.as_ref().map(|bounded| {
            let (bounded, _) = self.within(reached, bounded);
            self.without_symbols(&bounded, &reached.varying, false).0
        });
        let wanted = part.exact && said && regular;
        let (may, precise) = self.without_symbols(&may, &reached.varying, wanted);
        let (may, bounded) = match bounded {
            Some(bounded) if !precise => (bounded, None),
            bounded => (may, bounded),
        };
        let exact = wanted && precise;
        let must = match exact {
            true => may.clone(),
            false if must => self.certain(reached, part),
            false => Set::empty(may.dimensions()),
        };
        Part {
            must,
            bounded,
            exact,
            cause: (!exact).then(|| self.why_not(reached, part.exact, said, &varying)),
            apart: BTreeSet::new(),
            may,
        }
    }

    /// The points for which there are values of these symbols; true if no others. Much work is done for that where it is wanted.
    pub fn without_symbols(&self, set: &Set, symbols: &BTreeSet<Symbol>, exact: bool) -> (Set, bool) {
        let own: Vec<Symbol> = set.symbols().intersection(symbols).copied().collect();
        match projected(set, &own, exact) {
            Ok(projected) => (projected.set, projected.exact),
            Err(_) => (Set::universe(set.dimensions()), false),
        }
    }

    fn why_not(&self, reached: &Reached<'_>, was_exact: bool, said: bool, varying: &[Symbol]) -> Cause {
        let irregular = varying
            .iter()
            .find(|symbol| !self.is_regular(reached, std::slice::from_ref(symbol)));
        if let Some(symbol) = irregular {
            let info = self.values.symbols.info(*symbol);
            return match &info.kind {
                SymbolKind::Unknown(cause) => cause.clone(),
                SymbolKind::Loaded { .. } => Cause::new("it depends on a value in memory", info.at),
                _ => Cause::new("it depends on a value without a closed form", info.at),
            };
        }
        match (&reached.of.trip, said) {
            (Err(cause), false) => cause.clone(),
            (_, false) => match reached.of.early_exits.first() {
                Some(exit) => exit.clone(),
                None => Cause::new("which iterations run cannot be said exactly", reached.of.origin),
            },
            _ if !was_exact => Cause::new("the exact set has too many pieces", reached.of.origin),
            _ => Cause::new("it is not affine in the loop's iterations", reached.of.origin),
        }
    }

    /// True if among these symbols only the counter varies.
    fn is_regular(&self, reached: &Reached<'_>, varying: &[Symbol]) -> bool {
        varying.iter().all(|symbol| *symbol == reached.of.counter)
    }

    /// The points of the iterations that may be reached; true if all of them are.
    fn within(&self, reached: &Reached<'_>, set: &Set) -> (Set, bool) {
        let counter = reached.of.counter;
        let k = Expr::symbol(counter);
        let Constrained { mut set, mut exact } = set.constrain(&Condition::nonnegative(&k));
        if let Some(last) = &reached.last {
            let constrained = set.constrain(&Condition::less_equal(&k, last));
            set = constrained.set;
            exact &= constrained.exact;
        }
        for condition in self.open_facts(reached, &set.symbols()) {
            set = set.constrain(&condition).set;
        }
        if reached.ends.is_never() {
            return (set, exact);
        }
        let Some(past) = self.past_end(reached, set.dimensions(), true) else {
            return (set, false);
        };
        match set.subtract(&past) {
            Ok(left) => (left, exact),
            Err(_) => (set, false),
        }
    }

    /// The iterations (as a set of all points, in terms of the counter) that come after one that is the last: `certain`
    /// only those of which this is sure, otherwise all that may. `None` if nothing is sure.
    fn past_end(&self, reached: &Reached<'_>, dimensions: usize, certain: bool) -> Option<Set> {
        if let Some(known) = reached.past.borrow().get(&(dimensions, certain)) {
            return known.clone();
        }
        let found = self.find_past_end(reached, dimensions, certain);
        reached
            .past
            .borrow_mut()
            .insert((dimensions, certain), found.clone());
        found
    }

    fn find_past_end(&self, reached: &Reached<'_>, dimensions: usize, certain: bool) -> Option<Set> {
        let counter = reached.of.counter;
        let earlier = self.fresh();
        let (k, e) = (Expr::symbol(counter), Expr::symbol(earlier));
        let before = Condition::nonnegative(&e).and(&Condition::less(&e, &k));
        let all = Set::universe(dimensions).constrain(&before).set;
        let symbols = reached.ends.symbols();
        let irregular: Vec<Symbol> = symbols
            .iter()
            .copied()
            .filter(|symbol| *symbol != counter && reached.varying.contains(symbol))
            .collect();
        let renamed = |condition: &Condition| condition.substitute(counter, &e);
        if certain {
            let condition = reached.ends.condition.as_ref().filter(|_| reached.ends.exact)?;
            if !irregular.is_empty() {
                return None;
            }
            let constrained = all.constrain(&renamed(condition));
            if !constrained.exact {
                return None;
            }
            let projected = constrained.set.project(&[earlier]).ok()?;
            return projected.exact.then_some(projected.set);
        }
        let now = Condition::nonnegative(&e).and(&Condition::less_equal(&e, &k));
        let mut past = Set::empty(dimensions);
        for (gate, order) in [(&reached.ends, &before), (&reached.stops, &now)] {
            if gate.is_never() {
                continue;
            }
            let mut all = Set::universe(dimensions).constrain(order).set;
            if let Some(condition) = &gate.condition {
                all = all.constrain(&renamed(condition)).set;
                for fact in self.open_facts(reached, &gate.symbols()) {
                    all = all.constrain(&renamed(&fact)).set;
                }
            }
            let mut hidden = vec![earlier];
            hidden.extend(all.symbols().into_iter().filter(|symbol| {
                *symbol != counter && *symbol != earlier && reached.varying.contains(symbol)
            }));
            let Ok(projected) = all.project(&hidden) else {
                return Some(Set::universe(dimensions));
            };
            past = past
                .union(&projected.set)
                .unwrap_or_else(|_| Set::universe(dimensions));
        }
        Some(past)
    }

    /// What every iteration knows of the variables without a closed form.
    fn open_facts(&self, reached: &Reached<'_>, symbols: &BTreeSet<Symbol>) -> Vec<Condition> {
        let counter = reached.of.counter;
        let open = |symbol: &Symbol| *symbol != counter && reached.varying.contains(symbol);
        let mut about: BTreeSet<Symbol> = symbols.iter().copied().filter(open).collect();
        let mut found = Vec::new();
        for _ in 0..2 {
            for fact in reached.of.open.iter().flat_map(|open| &open.facts) {
                let own = fact.symbols();
                let condition = Condition::nonnegative(fact);
                if own.iter().any(|symbol| about.contains(symbol)) && !found.contains(&condition) {
                    about.extend(own.into_iter().filter(open));
                    found.push(condition);
                }
            }
        }
        found
    }

    /// What is certainly touched in the iterations that are certainly reached.
    fn certain(&self, reached: &Reached<'_>, part: &Part) -> Set {
        let dimensions = part.must.dimensions();
        let empty = Set::empty(dimensions);
        if part.must.is_plainly_empty() {
            return empty;
        }
        let counter = reached.of.counter;
        // Where the test was left out, it is not known to hold even once.
        let first = match reached.stops.is_never() {
            true => self.first_iteration(reached, &part.must),
            false => empty.clone(),
        };
        let irregular: Vec<Symbol> = reached
            .varying
            .iter()
            .copied()
            .filter(|symbol| *symbol != counter)
            .collect();
        let regular = whatever(&part.must, &irregular);
        let k = Expr::symbol(counter);
        let runs = match &reached.last {
            Some(last) => Condition::nonnegative(&k).and(&Condition::less_equal(&k, last)),
            None => Condition::nonnegative(&k),
        };
        let mut all = certainly(&regular, &runs);
        if !reached.ends.is_never() || !reached.stops.is_never() {
            let past = self.past_end(reached, dimensions, false);
            all = past
                .and_then(|past| all.subtract(&past).ok())
                .unwrap_or_else(|| empty.clone());
        }
        let all = match all.project(&[counter]) {
            Ok(projected) if projected.exact => projected.set,
            _ => empty,
        };
        together(&all, &first).unwrap_or(all)
    }

    /// The first iteration always begins; the values of all variables there are known.
    fn first_iteration(&self, reached: &Reached<'_>, must: &Set) -> Set {
        let counter = reached.of.counter;
        let value = |symbol: Symbol| -> Option<Expr> {
            if symbol == counter {
                return Some(Expr::zero());
            }
            if !reached.varying.contains(&symbol) {
                return None;
            }
            reached.of.open.iter().find_map(|open| {
                if open.value == Expr::symbol(symbol) {
                    return Some(open.start.clone());
                }
                // How often a path was taken before.
                let counts = open.value.symbols().contains(&symbol) && open.value.as_symbol().is_none();
                counts.then(Expr::zero)
            })
        };
        let varying: Vec<Symbol> = reached.varying.iter().copied().collect();
        let first = must.substitute(&value);
        match &reached.last {
            Some(last) => whatever(&certainly(&first, &Condition::nonnegative(last)), &varying),
            None => whatever(&first, &varying),
        }
    }

    /// What an iteration reads that no earlier one has written.
    fn not_written_before(&self, reached: &Reached<'_>, one: &Iteration) -> Touch {
        // What earlier iterations have written of rows is not taken away.
        let mut result = Touch {
            objects: BTreeMap::new(),
            rows: one.exposed.rows.clone(),
            elsewhere: one.exposed.elsewhere.clone(),
        };
        for (root, part) in &one.exposed.objects {
            let left = match one.write.objects.get(root) {
                Some(written) if !reached.varying.contains(root) => {
                    part.without(&self.written_before(reached, written))
                }
                _ => part.clone(),
            };
            let left = self.with_others(*root, left, &one.write);
            if !left.is_nothing() {
                result.objects.insert(*root, left);
            }
        }
        result
    }

    /// What the iterations before iteration `k` write: each of them ran to its end.
    fn written_before(&self, reached: &Reached<'_>, written: &Part) -> Part {
        let counter = reached.of.counter;
        let earlier = self.fresh();
        let (k, e) = (Expr::symbol(counter), Expr::symbol(earlier));
        let before = Condition::nonnegative(&e).and(&Condition::less(&e, &k));
        let rename = |symbol: Symbol| (symbol == counter).then(|| e.clone());
        let dimensions = written.may.dimensions();
        // The other symbols of that iteration are its own.
        let earlier_only = |set: &Set, wanted: bool| -> (Set, bool) {
            let mut set = set.clone();
            for fact in self.open_facts(reached, &set.symbols()) {
                set = set.constrain(&fact).set;
            }
            let Constrained { set, exact } = set.substitute(&rename).constrain(&before);
            let mut others = reached.varying.clone();
            others.remove(&counter);
            let regular = set.symbols().is_disjoint(&others);
            others.insert(earlier);
            let (set, precise) = self.without_symbols(&set, &others, wanted && regular);
            (set, exact && regular && precise)
        };
        let (may, precise) = with_room(written.exact, || earlier_only(&written.may, written.exact));
        let may = match &written.bounded {
            Some(bounded) if !precise => earlier_only(bounded, false).0,
            _ => may,
        };
        if written.exact && precise {
            return Part {
                must: may.clone(),
                may,
                bounded: None,
                ..written.clone()
            };
        }
        let irregular: Vec<Symbol> = reached
            .varying
            .iter()
            .copied()
            .filter(|symbol| *symbol != counter)
            .collect();
        let must =
            certainly(&whatever(&written.must, &irregular).substitute(&rename), &before).project(&[earlier]);
        let must = match must {
            Ok(projected) if projected.exact => projected.set,
            _ => Set::empty(dimensions),
        };
        Part {
            may,
            must,
            bounded: None,
            exact: false,
            cause: written.cause.clone(),
            apart: written.apart.clone(),
        }
    }
}

/// A lower bound of the points where a condition holds: none if it cannot be said.
fn certainly(set: &Set, condition: &Condition) -> Set {
    let constrained = set.constrain(condition);
    match constrained.exact {
        true => constrained.set,
        false => Set::empty(set.dimensions()),
    }
}
