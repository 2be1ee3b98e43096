//! Which values are tried when two expressions are compared by computing them?
//!
//! A fixed list of assignments for each environment: small values of both signs, where sections become empty and bounds
//! meet; large ones, where a product leaves 32 bits; the ends of types, which programs use for "no limit"; pointers far
//! apart and pointers into one place; multiples of what a size is divided by. Only assignments for which everything holds
//! that is known count. The same text gives the same assignments in every run.

use crate::meaning::{Entry, Values};
use ferry_symbolic::{
    Atom, Comparison, Condition, ConditionKind, Expr, Integer, Operation, Relation, Symbol,
};
use std::collections::{BTreeMap, BTreeSet};

/// What the assignments are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Bounds: pointers are far apart, so that it is known what each load finds.
    Bounds,
    /// Whether ranges of bytes overlap: everything is small and close, so that ranges meet exactly. Addresses of others are
    /// mostly far, so that it is known what each load finds; some texts want one between two that are close.
    Overlap,
}

/// Most assignments that are tried to find them.
const TRIALS: u64 = 3000;

impl Purpose {
    /// Most assignments that are used.
    fn enough(self) -> usize {
        match self {
            Purpose::Bounds => 60,
            Purpose::Overlap => 120,
        }
    }
}

/// An assignment of values to all symbols.
#[derive(Clone, Copy)]
pub struct Sample<'a> {
    entry: &'a Entry,
    purpose: Purpose,
    /// The addresses that are close for [`Purpose::Overlap`].
    close: &'a BTreeSet<Symbol>,
    /// Numbers that are far from 0 for [`Purpose::Overlap`], and that what is known compares something with; 0 where there are fewer.
    far: [i128; FAR],
    trial: u64,
}

/// How many numbers count that something is compared with.
const FAR: usize = 4;

/// The assignments for which everything holds that is known of these symbols, and `also`. Of the addresses, `close` are
/// close to each other for [`Purpose::Overlap`].
pub fn samples<'a>(
    entry: &'a Entry,
    symbols: &BTreeSet<Symbol>,
    also: &[Condition],
    purpose: Purpose,
    close: &'a BTreeSet<Symbol>,
) -> Vec<Sample<'a>> {
    let known = || entry.known.iter().chain(also);
    let own: Vec<&Condition> = known()
        .filter(|condition| condition.symbols().is_subset(symbols))
        .collect();
    // What is known together with other symbols (`k < m`, of which only `m` counts) decides, too, if enough is left then.
    let linked: Vec<&Condition> = known()
        .filter(|condition| !condition.symbols().is_disjoint(symbols))
        .collect();
    let far = far_numbers(&linked);
    let all = |known: &[&Condition]| -> Vec<Sample<'a>> {
        let trials = (0..TRIALS).map(|trial| Sample {
            entry,
            purpose,
            close,
            far,
            trial,
        });
        let holds = |sample: &Sample<'_>| {
            known.iter().all(|condition| match sample.holds(condition) {
                Some(holds) => holds,
                None => !condition.symbols().is_subset(symbols),
            })
        };
        trials.filter(holds).take(purpose.enough()).collect()
    };
    let found = all(&linked);
    match found.len() < purpose.enough() / 2 && linked.len() > own.len() {
        true => all(&own),
        false => found,
    }
}

/// What something is compared with, if small values are never as large: `n >= 100` holds for none of them.
fn far_numbers(known: &[&Condition]) -> [i128; FAR] {
    let mut found = BTreeSet::new();
    for condition in known {
        add_constants(condition, &mut found);
    }
    let mut far = [0; FAR];
    far.iter_mut()
        .zip(found)
        .for_each(|(place, number)| *place = number);
    far
}

fn add_constants(condition: &Condition, found: &mut BTreeSet<i128>) {
    for_each_comparison(condition, &mut |comparison| {
        let constant = comparison.expr.constant_term().to_i128();
        let constant = constant.map(|constant| constant.abs());
        found.extend(constant.filter(|constant| (LARGEST_OF_NEAR..LARGEST_OF_FAR).contains(constant)));
    });
}

fn for_each_comparison(condition: &Condition, f: &mut dyn FnMut(&Comparison)) {
    match condition.kind() {
        ConditionKind::True | ConditionKind::False => {}
        ConditionKind::Comparison(comparison) => f(comparison),
        ConditionKind::And(parts) | ConditionKind::Or(parts) => {
            parts.iter().for_each(|part| for_each_comparison(part, f));
        }
    }
}

/// The symbol that the condition leaves one value, and that.
pub fn only_value(known: &Condition) -> Option<(Symbol, i128)> {
    let comparison = known
        .as_comparison()
        .filter(|one| one.relation == Relation::Zero)?;
    let own = comparison.expr.without_constant();
    let constant = comparison.expr.constant_term();
    let (symbol, value) = match own.as_symbol() {
        Some(symbol) => (symbol, -&constant),
        None => ((-&own).as_symbol()?, constant),
    };
    Some((symbol, value.to_i128()?))
}

/// The symbols that these conditions divide by numbers, with the least number that all of these divide.
pub fn divided(known: &[Condition]) -> BTreeMap<Symbol, i128> {
    let mut found = BTreeMap::new();
    for condition in known {
        for_each_comparison(condition, &mut |comparison| {
            comparison
                .expr
                .atoms()
                .iter()
                .filter_map(divisor)
                .for_each(|one| add_divisor(one, &mut found));
        });
    }
    found
}

/// The symbol that a quotient or a remainder by a number is of, and the number.
fn divisor(atom: &Atom) -> Option<(Symbol, Integer)> {
    let (Operation::FloorDiv(value, by)
    | Operation::FloorMod(value, by)
    | Operation::TruncDiv(value, by)
    | Operation::TruncRem(value, by)) = atom.operation()?
    else {
        return None;
    };
    let by = by.as_constant().filter(|by| *by > Integer::ONE)?;
    Some((value.as_symbol()?, by))
}

fn add_divisor((symbol, by): (Symbol, Integer), found: &mut BTreeMap<Symbol, i128>) {
    let before = found.get(&symbol).copied().unwrap_or(1);
    let both = by.lcm(&Integer::new(before)).to_i128();
    if let Some(both) = both.filter(|both| *both <= LARGEST_DIVISOR) {
        found.insert(symbol, both);
    }
}

impl Sample<'_> {
    /// The value of an expression; `None` where it has none, or where nothing that large exists.
    pub fn value(&self, expr: &Expr) -> Option<i128> {
        let value = |symbol| self.of(symbol).map(Integer::new);
        let value = expr.evaluate(&value)?.to_i128()?;
        (self.is_extreme() || value.unsigned_abs() < LARGEST).then_some(value)
    }

    /// As [`Sample::value`], of something that is counted in elements; `None` also where a loop would have to get to the end
    /// of an `int` for it: texts are not written for objects with as many elements.
    pub fn count(&self, expr: &Expr) -> Option<i128> {
        let value = self.value(expr)?;
        (!self.is_extreme() || value.unsigned_abs() < LARGEST_OF_ENDS).then_some(value)
    }

    /// Some symbols are at an end of their type, at most one in four: what is multiplied by each other is not.
    pub fn is_extreme(&self) -> bool {
        self.purpose == Purpose::Bounds && self.trial % 3 == 2
    }

    /// Whether a condition holds; `None` where it has no value.
    pub fn holds(&self, condition: &Condition) -> Option<bool> {
        condition.evaluate(&|symbol| self.of(symbol).map(Integer::new))
    }

    /// In every other trial a number that something is compared with, else nothing.
    fn far(&self, random: u64) -> i128 {
        match self.trial % 2 {
            0 => 0,
            _ => self.far[mix(random) as usize % FAR],
        }
    }

    fn of(&self, symbol: Symbol) -> Option<i128> {
        let symbol = *self.entry.same.get(&symbol).unwrap_or(&symbol);
        let random = mix(u64::from(symbol.0) << 32 | self.trial);
        let pick = |low: i128, high: i128| low + i128::from(random >> 8) % (high - low + 1);
        Some(match *self.entry.symbols.get(symbol.0 as usize)? {
            Values::One(value) => value,
            Values::Address
                if self.purpose == Purpose::Overlap
                    && (self.close.contains(&symbol) || self.trial % 8 == 7) =>
            {
                let unit = [4, 8, 1][self.trial as usize % 3];
                // In the midst of those that are far, which may come before or behind.
                FIRST_ADDRESS
                    + (i128::from(PLACES) << 35)
                    + (1 << 35)
                    + (pick(0, 12) + self.far(random)) * unit
            }
            Values::Address => {
                // Which of two comes first differs between assignments: texts stand behind comparisons of pointers (`if (q < p)`).
                let order = mix(!self.trial);
                let place = u64::from(symbol.0)
                    .wrapping_mul(order | 1)
                    .wrapping_add(order >> 32)
                    % PLACES;
                FIRST_ADDRESS + (i128::from(place) << 36) + pick(0, 60) * 8
            }
            Values::Range(low, high)
                if self.is_extreme() && mix(self.trial) % 4 == u64::from(symbol.0 % 4) =>
            {
                let end = [high, high - 1, low, low + 1][(random >> 8) as usize % 4];
                self.multiple(symbol, end).max(low)
            }
            Values::Range(low, high) => {
                let value = match (self.trial % 5, random % 4) {
                    _ if self.purpose == Purpose::Overlap => pick(-2, LARGEST_OF_NEAR - 1) + self.far(random),
                    (0, _) => pick(-4, 9),
                    (1, _) | (4, 0 | 1) => pick(1, 12),
                    (2, _) => pick(60_000, 100_000),
                    (3, 0) => pick(-70_000, 70_000),
                    (3, 1) | (4, _) => pick(0, 300),
                    _ => pick(-4, 40),
                };
                let value = self.multiple(symbol, value);
                if (low..=high).contains(&value) {
                    value
                } else {
                    low + value.rem_euclid(high - low + 1)
                }
            }
        })
    }

    /// In three of four trials a multiple of what the symbol is divided by: of a large value the next one below, so that it stays as large.
    fn multiple(&self, symbol: Symbol, value: i128) -> i128 {
        match self.entry.divided.get(&symbol) {
            Some(by) if self.trial % 4 != 3 => match value.abs() < *by * LARGEST_OF_NEAR {
                true => value * by,
                false => value - value.rem_euclid(*by),
            },
            _ => value,
        }
    }
}

/// No address is less.
const FIRST_ADDRESS: i128 = 1 << 40;

/// So many addresses can be far apart; a power of two, so that an odd factor brings no two numbers to one place.
const PLACES: u64 = 512;

/// What lies close to 0, or to a far number, is less than this away.
const LARGEST_OF_NEAR: i128 = 7;

/// A divisor beyond is left alone: hardly any value that is tried is a multiple of it.
const LARGEST_DIVISOR: i128 = 4096;

/// Far numbers are less than this: beyond, nothing would meet any more.
const LARGEST_OF_FAR: i128 = 1 << 20;

/// No object has as many bytes, and no pointer as many bits.
const LARGEST: u128 = 1 << 50;

/// The greatest `int`.
const LARGEST_OF_ENDS: u128 = (1 << 31) - 1;

/// A permutation of 64 bits (splitmix64, Steele, Lea and Flood 2014).
fn mix(seed: u64) -> u64 {
    let mut value = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
