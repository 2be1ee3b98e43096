//! Which points are left when some unknowns may have any value? Elimination in plain code: one conjunction gives one conjunction, never cases.
//!
//! Equalities first: an unknown with coefficient 1 is replaced, one with another coefficient becomes a quotient that must be exact, several are made fewer by
//! Euclid's algorithm (Pugh, "The Omega Test", 1991, section 2.2). Then Fourier and Motzkin: `-L/a <= v <= U/b` has an integer for `v` exactly if each lower end, rounded up, is not
//! above each upper end, rounded down. That is `a*U + b*L >= 0` where one of the coefficients is 1, and otherwise `U + b*floor(L/a) >= 0`, with a new floor
//! (Cooper, "Theorem proving in arithmetic without multiplication", 1972, has it with cases). A floor whose numerator mentions an unknown is one more unknown, between its bounds.
//!
//! Two unknowns that bound each other with coefficients other than 1 on both sides leave the points of rational numbers, and it says so. Mostly one of them is a floor of
//! the other: cases by the remainder of that one are then exact (`by_remainders`).
//!
//! What it cannot do: those in which both are unknowns of their own.

use super::MAX_FLOORS;
use super::piece::{Column, Floor, Piece, Sum};
use crate::integer::Integer;
use std::collections::{BTreeMap, BTreeSet};

/// Most inequalities of a conjunction that is worked on.
const MAX_ROWS: usize = 60;
/// Most steps for one piece.
const MAX_STEPS: usize = 120;
/// Most cases of remainders.
const MAX_REMAINDERS: usize = 24;
/// Largest coefficient that is worked with: products of two must not overflow.
const LARGEST: i128 = 1 << 60;

/// A piece without the unknowns.
pub(super) struct Eliminated {
    /// The points for which there are values; `None` if there are none.
    pub(super) piece: Option<Piece>,
    /// No other points.
    pub(super) exact: bool,
}

/// Why it stopped.
enum Stop {
    /// There are no points.
    Empty,
    /// Numbers or conjunctions would be too large.
    TooLarge,
}

/// `constant` and variables with their coefficients, none of which is 0, sorted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Row {
    terms: Vec<(usize, i128)>,
    constant: i128,
}

/// What a number of a variable stands for.
#[derive(Clone, Debug)]
enum Variable {
    /// A coordinate or a parameter that stays.
    Fixed(Column),
    /// An unknown.
    Open,
    /// `floor(numerator / divisor)`, of variables with smaller numbers.
    Floor(Row, i128),
}

struct System {
    variables: Vec<Variable>,
    equalities: Vec<Row>,
    inequalities: Vec<Row>,
    exact: bool,
}

impl Piece {
    /// The points for which there are values of the hidden columns. `None` if that would be too large.
    pub(super) fn eliminated(&self, is_hidden: &dyn Fn(&Column) -> bool) -> Option<Eliminated> {
        let mut system = System::new(self, is_hidden)?;
        match system.solve() {
            Ok(()) => Some(Eliminated {
                piece: system.piece()?.canonical(),
                exact: system.exact,
            }),
            // An empty set of rational or larger sets is empty, too.
            Err(Stop::Empty) => Some(Eliminated {
                piece: None,
                exact: true,
            }),
            Err(Stop::TooLarge) => None,
        }
    }

    /// The same, exactly, in one case for each remainder of an unknown: `v = 4*w + 3` leaves no floor of `v` by 4.
    /// `None` if there would be many cases, or one is not exact.
    pub(super) fn by_remainders(&self, is_hidden: &dyn Fn(&Column) -> bool) -> Option<Vec<Piece>> {
        // An unknown that an equality says needs no cases.
        let mut piece = self.clone();
        for unknown in self.moduli(is_hidden).into_keys() {
            match piece.eliminated(&|column| *column == unknown) {
                Some(Eliminated {
                    exact: true,
                    piece: None,
                }) => return Some(Vec::new()),
                Some(Eliminated {
                    exact: true,
                    piece: Some(without),
                }) => piece = without,
                _ => {}
            }
        }
        let moduli = piece.moduli(is_hidden);
        let mut cases = vec![piece];
        for (unknown, modulus) in moduli {
            let number = usize::try_from(modulus).ok()?;
            if cases.len().checked_mul(number)? > MAX_REMAINDERS {
                return None;
            }
            let each = |case: &Piece, remainder: i128| {
                case.map(&mut |column| {
                    (*column == unknown).then(|| {
                        Sum::constant(Integer::from(remainder))
                            .add_scaled(&Sum::column(unknown.clone()), &Integer::from(modulus))
                    })
                })
            };
            let split = |case: &Piece| (0..modulus).map(|remainder| each(case, remainder)).collect();
            cases = cases.iter().flat_map::<Vec<Piece>, _>(split).collect();
        }
        let mut found = Vec::with_capacity(cases.len());
        for case in &cases {
            let eliminated = case.eliminated(is_hidden)?;
            if !eliminated.exact {
                return None;
            }
            found.extend(eliminated.piece);
        }
        Some(found)
    }

    /// The unknowns of which there are floors, each with a common multiple of the divisors.
    fn moduli(&self, is_hidden: &dyn Fn(&Column) -> bool) -> BTreeMap<Column, i128> {
        let mut found: BTreeMap<Column, i128> = BTreeMap::new();
        // Of each floor: the unknowns in it, and what they are divided by there.
        let mut inside: Vec<BTreeMap<Column, i128>> = Vec::with_capacity(self.floors.len());
        for floor in &self.floors {
            let divisor = floor.divisor.to_i128().unwrap_or(LARGEST);
            let mut own: BTreeMap<Column, i128> = BTreeMap::new();
            for (column, _) in floor.numerator.terms() {
                match column {
                    Column::Floor(at) => {
                        for (unknown, modulus) in inside.get(*at).into_iter().flatten() {
                            multiply(&mut own, unknown, modulus.saturating_mul(divisor));
                        }
                    }
                    column if is_hidden(column) => multiply(&mut own, column, divisor),
                    _ => {}
                }
            }
            for (unknown, modulus) in &own {
                multiply(&mut found, unknown, *modulus);
            }
            inside.push(own);
        }
        found
    }
}

/// The least common multiple with what is there.
fn multiply(all: &mut BTreeMap<Column, i128>, unknown: &Column, modulus: i128) {
    let own = all.entry(unknown.clone()).or_insert(1);
    *own = (*own / gcd(*own, modulus)).saturating_mul(modulus);
}

impl Row {
    fn variable(variable: usize) -> Row {
        Row {
            terms: vec![(variable, 1)],
            constant: 0,
        }
    }

    fn coefficient(&self, variable: usize) -> i128 {
        let at = self.terms.binary_search_by(|(own, _)| own.cmp(&variable));
        at.map_or(0, |at| self.terms[at].1)
    }

    /// `own * self + its * other`
    fn combined(&self, own: i128, other: &Row, its: i128) -> Option<Row> {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (variable, coefficient) = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some((a, x)), Some((b, y))) if a == b => {
                    let both = (
                        *a,
                        small(own.checked_mul(*x)?.checked_add(its.checked_mul(*y)?)?)?,
                    );
                    left.next();
                    right.next();
                    both
                }
                (Some((a, x)), other) if other.is_none_or(|(b, _)| a < b) => {
                    let one = (*a, small(own.checked_mul(*x)?)?);
                    left.next();
                    one
                }
                (_, Some((b, y))) => {
                    let one = (*b, small(its.checked_mul(*y)?)?);
                    right.next();
                    one
                }
                (Some(_), None) => break,
            };
            if coefficient != 0 {
                terms.push((variable, coefficient));
            }
        }
        let constant = own
            .checked_mul(self.constant)?
            .checked_add(its.checked_mul(other.constant)?)?;
        Some(Row {
            terms,
            constant: small(constant)?,
        })
    }

    fn plus(&self, constant: i128) -> Row {
        Row {
            terms: self.terms.clone(),
            constant: self.constant + constant,
        }
    }

    fn negated(&self) -> Row {
        Row {
            terms: self.terms.iter().map(|(at, value)| (*at, -value)).collect(),
            constant: -self.constant,
        }
    }

    fn without(&self, variable: usize) -> Row {
        let others = self.terms.iter().filter(|(own, _)| *own != variable);
        Row {
            terms: others.copied().collect(),
            constant: self.constant,
        }
    }

    /// The greatest number that divides all coefficients.
    fn common(&self) -> i128 {
        self.terms.iter().fold(0, |all, (_, value)| gcd(all, *value))
    }

    /// With the coefficients divided, and another constant.
    fn divided(&self, by: i128, constant: i128) -> Row {
        Row {
            terms: self.terms.iter().map(|(at, value)| (*at, value / by)).collect(),
            constant,
        }
    }

    /// The row with rows for some variables.
    fn replaced(&self, with: &BTreeMap<usize, Row>) -> Option<Row> {
        let kept = self.terms.iter().filter(|(at, _)| !with.contains_key(at));
        let mut all = Row {
            terms: kept.copied().collect(),
            constant: self.constant,
        };
        for (at, coefficient) in &self.terms {
            if let Some(row) = with.get(at) {
                all = all.combined(1, row, *coefficient)?;
            }
        }
        Some(all)
    }
}

fn small(value: i128) -> Option<i128> {
    (-LARGEST..=LARGEST).contains(&value).then_some(value)
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl System {
    fn new(piece: &Piece, is_hidden: &dyn Fn(&Column) -> bool) -> Option<System> {
        let mut columns: BTreeSet<&Column> = BTreeSet::new();
        for sum in piece.sums() {
            columns.extend(sum.terms().iter().map(|(column, _)| column));
        }
        let mut variables = Vec::new();
        let mut number: BTreeMap<Column, usize> = BTreeMap::new();
        for column in columns {
            if matches!(column, Column::Floor(_)) {
                continue;
            }
            number.insert(column.clone(), variables.len());
            variables.push(match is_hidden(column) {
                true => Variable::Open,
                false => Variable::Fixed(column.clone()),
            });
        }
        let mut system = System {
            variables,
            equalities: Vec::new(),
            inequalities: Vec::new(),
            exact: true,
        };
        // A floor may become a sum of others.
        let mut floors: Vec<Row> = Vec::with_capacity(piece.floors.len());
        for floor in &piece.floors {
            let numerator = row(&floor.numerator, &number, &floors)?;
            let divisor = small(floor.divisor.to_i128()?)?;
            floors.push(system.floor(&numerator, divisor)?);
        }
        for sum in &piece.equalities {
            system.equalities.push(row(sum, &number, &floors)?);
        }
        for sum in &piece.inequalities {
            system.inequalities.push(row(sum, &number, &floors)?);
        }
        Some(system)
    }

    /// A floor as a sum, of a floor of the smallest form.
    fn floor(&mut self, numerator: &Row, divisor: i128) -> Option<Row> {
        if divisor <= 0 {
            return None;
        }
        // Whole multiples of the divisor come out of it.
        let mut whole = Row::default();
        let mut rest = Row::default();
        for (variable, coefficient) in &numerator.terms {
            let mut quotient = coefficient.div_euclid(divisor);
            let mut left = coefficient.rem_euclid(divisor);
            if 2 * left > divisor {
                (quotient, left) = (quotient + 1, left - divisor);
            }
            if quotient != 0 {
                whole.terms.push((*variable, quotient));
            }
            if left != 0 {
                rest.terms.push((*variable, left));
            }
        }
        whole.constant = numerator.constant.div_euclid(divisor);
        rest.constant = numerator.constant.rem_euclid(divisor);
        if rest.terms.is_empty() {
            return Some(whole);
        }
        let common = gcd(rest.common(), divisor);
        let divisor = divisor / common;
        rest = rest.divided(common, rest.constant.div_euclid(common));
        if divisor == 1 {
            return whole.combined(1, &rest, 1);
        }
        let known = self.variables.iter().position(|variable| {
            matches!(variable, Variable::Floor(numerator, own) if *own == divisor && *numerator == rest)
        });
        let at = known.unwrap_or_else(|| {
            self.variables.push(Variable::Floor(rest, divisor));
            self.variables.len() - 1
        });
        whole.combined(1, &Row::variable(at), 1)
    }

    /// Which variables are unknowns, or floors that depend on one.
    fn depends(&self) -> Vec<bool> {
        let mut depends: Vec<bool> = Vec::with_capacity(self.variables.len());
        for variable in &self.variables {
            depends.push(match variable {
                Variable::Fixed(_) => false,
                Variable::Open => true,
                Variable::Floor(numerator, _) => numerator.terms.iter().any(|(at, _)| depends[*at]),
            });
        }
        depends
    }

    fn is_open(&self, variable: usize) -> bool {
        matches!(self.variables[variable], Variable::Open)
    }

    /// The variables of the constraints, and those that their floors mention.
    fn reached(&self) -> BTreeSet<usize> {
        let rows = self.equalities.iter().chain(&self.inequalities);
        let mut found: BTreeSet<usize> = rows.flat_map(|row| &row.terms).map(|(at, _)| *at).collect();
        let mut open: Vec<usize> = found.iter().copied().collect();
        while let Some(at) = open.pop() {
            if let Variable::Floor(numerator, _) = &self.variables[at] {
                open.extend(
                    numerator
                        .terms
                        .iter()
                        .map(|(at, _)| *at)
                        .filter(|at| found.insert(*at)),
                );
            }
        }
        found
    }

    fn solve(&mut self) -> Result<(), Stop> {
        for _ in 0..MAX_STEPS {
            self.tidy()?;
            if self.inequalities.len() > MAX_ROWS {
                return Err(Stop::TooLarge);
            }
            let reached = self.reached();
            if !reached.iter().any(|at| self.is_open(*at)) {
                self.drop_sums_of_two();
                return Ok(());
            }
            let depends = self.depends();
            if self.by_an_equality(&depends)? {
                continue;
            }
            self.by_inequalities(&reached, &depends)?;
        }
        Err(Stop::TooLarge)
    }

    /// Divides by common factors, drops what is looser, and finds equalities and contradictions of two.
    fn tidy(&mut self) -> Result<(), Stop> {
        let mut equalities = BTreeSet::new();
        for row in &self.equalities {
            let common = row.common();
            if common == 0 {
                if row.constant != 0 {
                    return Err(Stop::Empty);
                }
                continue;
            }
            if row.constant % common != 0 {
                return Err(Stop::Empty);
            }
            let sign = if row.terms[0].1 < 0 { -common } else { common };
            equalities.insert(row.divided(sign, row.constant / sign));
        }
        let mut least: BTreeMap<Vec<(usize, i128)>, i128> = BTreeMap::new();
        for row in &self.inequalities {
            let common = row.common();
            if common == 0 {
                if row.constant < 0 {
                    return Err(Stop::Empty);
                }
                continue;
            }
            let row = row.divided(common, row.constant.div_euclid(common));
            let constant = least.entry(row.terms).or_insert(row.constant);
            *constant = (*constant).min(row.constant);
        }
        let mut inequalities = Vec::with_capacity(least.len());
        for (terms, constant) in &least {
            let row = Row {
                terms: terms.clone(),
                constant: *constant,
            };
            let opposite = row.negated();
            if let Some(other) = least.get(&opposite.terms) {
                if constant + other < 0 {
                    return Err(Stop::Empty);
                }
                if constant + other == 0 {
                    // Both say that it is 0; the one whose first coefficient is positive is kept.
                    if terms[0].1 > 0 {
                        equalities.insert(row);
                    }
                    continue;
                }
            }
            inequalities.push(row);
        }
        self.equalities = equalities.into_iter().collect();
        self.inequalities = inequalities;
        Ok(())
    }

    /// Leaves out inequalities that are the sum of two others: elimination makes many.
    fn drop_sums_of_two(&mut self) {
        let mut at = self.inequalities.len();
        while at > 0 {
            at -= 1;
            let least: BTreeMap<&[(usize, i128)], i128> = self
                .inequalities
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .map(|(_, row)| (row.terms.as_slice(), row.constant))
                .collect();
            let own = &self.inequalities[at];
            let follows = self.inequalities.iter().enumerate().any(|(other, first)| {
                other != at
                    && shares(own, first)
                    && own.combined(1, first, -1).is_some_and(|rest| {
                        // own = first + rest
                        least
                            .get(rest.terms.as_slice())
                            .is_some_and(|constant| *constant <= rest.constant)
                    })
            });
            if follows {
                self.inequalities.remove(at);
            }
        }
    }

    /// Replaces a variable by a quotient everywhere, also in floors.
    fn replace(&mut self, variable: usize, value: &Row, divisor: i128) -> Result<(), Stop> {
        // Rows that mention the variable are multiplied by the divisor; in other rows only floors change.
        let scaled = |row: &Row| -> Option<(Row, i128)> {
            match row.coefficient(variable) {
                0 => Some((row.clone(), 1)),
                own => Some((row.without(variable).combined(divisor, value, own)?, divisor)),
            }
        };
        let mut with: BTreeMap<usize, Row> = BTreeMap::new();
        for at in 0..self.variables.len() {
            let Variable::Floor(numerator, own) = &self.variables[at] else {
                continue;
            };
            let changes = |(at, _): &(usize, i128)| *at == variable || with.contains_key(at);
            if !numerator.terms.iter().any(changes) {
                continue;
            }
            let (numerator, factor) = scaled(numerator).ok_or(Stop::TooLarge)?;
            let numerator = numerator.replaced(&with).ok_or(Stop::TooLarge)?;
            let own = own.checked_mul(factor).and_then(small).ok_or(Stop::TooLarge)?;
            let changed = self.floor(&numerator, own).ok_or(Stop::TooLarge)?;
            with.insert(at, changed);
        }
        for rows in [&mut self.equalities, &mut self.inequalities] {
            for row in rows {
                let (changed, _) = scaled(row).ok_or(Stop::TooLarge)?;
                *row = changed.replaced(&with).ok_or(Stop::TooLarge)?;
            }
        }
        Ok(())
    }

    /// A floor that depends on unknowns becomes an unknown between its bounds.
    fn open(&mut self, at: usize) -> Result<(), Stop> {
        let Variable::Floor(numerator, divisor) = &self.variables[at] else {
            return Err(Stop::TooLarge);
        };
        let above = numerator
            .combined(1, &Row::variable(at), -divisor)
            .ok_or(Stop::TooLarge)?;
        let below = above.negated().plus(divisor - 1);
        self.inequalities.extend([above, below]);
        self.variables[at] = Variable::Open;
        Ok(())
    }

    /// Uses an equality that mentions an unknown. False if there is none.
    fn by_an_equality(&mut self, depends: &[bool]) -> Result<bool, Stop> {
        let is_bound_floor = |at: usize| depends[at] && !self.is_open(at);
        // One that can be solved for an unknown at once.
        let mut best: Option<(usize, usize, usize)> = None;
        for (number, row) in self.equalities.iter().enumerate() {
            for (at, coefficient) in &row.terms {
                if coefficient.abs() == 1 && self.is_open(*at) && !self.mentioned_by_floors(row, *at) {
                    let cost = (row.terms.len(), number, *at);
                    best = Some(best.map_or(cost, |best| best.min(cost)));
                }
            }
        }
        if let Some((_, number, at)) = best {
            let row = self.equalities.swap_remove(number);
            let rest = row.without(at);
            let by = if row.coefficient(at) == 1 {
                rest.negated()
            } else {
                rest
            };
            self.replace(at, &by, 1)?;
            return Ok(true);
        }
        let Some(number) = self
            .equalities
            .iter()
            .position(|row| row.terms.iter().any(|(at, _)| depends[*at]))
        else {
            return Ok(false);
        };
        let row = self.equalities[number].clone();
        if let Some((at, _)) = row.terms.iter().find(|(at, _)| is_bound_floor(*at)) {
            self.open(*at)?;
            return Ok(true);
        }
        let mut unknowns: Vec<(i128, usize)> = row
            .terms
            .iter()
            .filter(|(at, _)| self.is_open(*at))
            .map(|(at, coefficient)| (coefficient.abs(), *at))
            .collect();
        unknowns.sort_unstable();
        let Some((_, least)) = unknowns.first().copied() else {
            return Ok(false);
        };
        let coefficient = row.coefficient(least);
        if unknowns.len() == 1 {
            // coefficient * v + rest = 0: the quotient must be exact.
            let rest = row.without(least);
            let value = if coefficient > 0 { rest.negated() } else { rest };
            let divisor = coefficient.abs();
            self.equalities.swap_remove(number);
            self.replace(least, &value, divisor)?;
            let quotient = self.floor(&value, divisor).ok_or(Stop::TooLarge)?;
            let divides = value.combined(1, &quotient, -divisor).ok_or(Stop::TooLarge)?;
            self.equalities.push(divides);
            return Ok(true);
        }
        // v = w - quotient * other …: the other coefficients become remainders.
        let fresh = self.variables.len();
        self.variables.push(Variable::Open);
        let mut by = Row::variable(fresh);
        for (_, other) in &unknowns[1..] {
            let quotient = row.coefficient(*other).div_euclid(coefficient);
            by = by
                .combined(1, &Row::variable(*other), -quotient)
                .ok_or(Stop::TooLarge)?;
        }
        self.replace(least, &by, 1)?;
        Ok(true)
    }

    /// Does a floor of the row depend on the variable?
    fn mentioned_by_floors(&self, row: &Row, variable: usize) -> bool {
        row.terms.iter().any(|(at, _)| {
            *at != variable
                && matches!(&self.variables[*at], Variable::Floor(numerator, _)
                    if self.mentions(numerator, variable))
        })
    }

    fn mentions(&self, row: &Row, variable: usize) -> bool {
        row.terms.iter().any(|(at, _)| {
            *at == variable
                || matches!(&self.variables[*at], Variable::Floor(numerator, _)
                    if self.mentions(numerator, variable))
        })
    }

    /// Takes away one unknown that no equality mentions, or opens a floor that is in the way.
    fn by_inequalities(&mut self, reached: &BTreeSet<usize>, depends: &[bool]) -> Result<(), Stop> {
        let bound_floors: Vec<usize> = reached
            .iter()
            .copied()
            .filter(|at| depends[*at] && !self.is_open(*at))
            .collect();
        let mut exact: Option<(isize, usize)> = None;
        let mut inexact: Option<(isize, usize)> = None;
        for at in reached.iter().copied().filter(|at| self.is_open(*at)) {
            let in_a_floor = bound_floors.iter().any(|floor| {
                matches!(&self.variables[*floor], Variable::Floor(numerator, _)
                    if self.mentions(numerator, at))
            });
            if in_a_floor {
                continue;
            }
            let (lower, upper) = self.bounds(at);
            let size = lower.len() as isize * upper.len() as isize - (lower.len() + upper.len()) as isize;
            let mut can = true;
            for low in &lower {
                for high in &upper {
                    can &= self.meets(at, low, high, depends);
                }
            }
            let best = if can { &mut exact } else { &mut inexact };
            *best = Some(best.map_or((size, at), |best| best.min((size, at))));
        }
        if let Some((_, at)) = exact {
            return self.shadow(at);
        }
        if let Some(floor) = bound_floors.last() {
            return self.open(*floor);
        }
        match inexact {
            Some((_, at)) => self.shadow(at),
            None => Err(Stop::TooLarge),
        }
    }

    /// The inequalities that bound a variable from below, and from above.
    fn bounds(&self, variable: usize) -> (Vec<Row>, Vec<Row>) {
        let about = |row: &&Row| row.coefficient(variable) != 0;
        self.inequalities
            .iter()
            .filter(about)
            .cloned()
            .partition(|row| row.coefficient(variable) > 0)
    }

    /// Can it be said exactly that there is an integer between these two?
    fn meets(&self, variable: usize, low: &Row, high: &Row, depends: &[bool]) -> bool {
        let (a, b) = (low.coefficient(variable), -high.coefficient(variable));
        if a == 1 || b == 1 || always_meets(variable, low, high) {
            return true;
        }
        // The numerator of the new floor is a side without unknowns.
        let free = |row: &Row| row.terms.iter().all(|(at, _)| *at == variable || !depends[*at]);
        free(low) || free(high)
    }

    /// Replaces the bounds of an unknown by what follows from them: exactly where that can be said, else as for rational numbers.
    fn shadow(&mut self, variable: usize) -> Result<(), Stop> {
        let (lower, upper) = self.bounds(variable);
        self.inequalities.retain(|row| row.coefficient(variable) == 0);
        let depends = self.depends();
        for low in &lower {
            for high in &upper {
                let (a, b) = (low.coefficient(variable), -high.coefficient(variable));
                if always_meets(variable, low, high) {
                    continue;
                }
                let (below, above) = (low.without(variable), high.without(variable));
                // a*v + L >= 0 and U - b*v >= 0
                let free = |row: &Row| !row.terms.iter().any(|(at, _)| depends[*at]);
                let row = if a == 1 || b == 1 || !free(&below) && !free(&above) {
                    self.exact &= a == 1 || b == 1;
                    above.combined(a, &below, b)
                } else if free(&below) && (!free(&above) || lower.len() <= upper.len()) {
                    let quotient = self.floor(&below, a).ok_or(Stop::TooLarge)?;
                    above.combined(1, &quotient, b)
                } else {
                    let quotient = self.floor(&above, b).ok_or(Stop::TooLarge)?;
                    below.combined(1, &quotient, a)
                };
                self.inequalities.push(row.ok_or(Stop::TooLarge)?);
            }
        }
        Ok(())
    }

    /// The system as a piece, without unknowns.
    fn piece(&self) -> Option<Piece> {
        let reached = self.reached();
        let mut columns: BTreeMap<usize, Column> = BTreeMap::new();
        let mut floors = Vec::new();
        for at in reached {
            match &self.variables[at] {
                Variable::Fixed(column) => {
                    columns.insert(at, column.clone());
                }
                Variable::Open => return None,
                Variable::Floor(numerator, divisor) => {
                    floors.push(Floor {
                        numerator: sum(numerator, &columns)?,
                        divisor: Integer::from(*divisor),
                    });
                    columns.insert(at, Column::Floor(floors.len() - 1));
                }
            }
        }
        if floors.len() > MAX_FLOORS {
            return None;
        }
        let all = |rows: &[Row]| {
            rows.iter()
                .map(|row| sum(row, &columns))
                .collect::<Option<Vec<_>>>()
        };
        Some(Piece {
            equalities: all(&self.equalities)?,
            inequalities: all(&self.inequalities)?,
            floors,
        })
    }
}

/// Do the rows have a variable in common?
fn shares(one: &Row, other: &Row) -> bool {
    one.terms.iter().any(|(at, _)| other.coefficient(*at) != 0)
}

/// Is there always an integer between two bounds with the same coefficient, since they are far enough apart?
fn always_meets(variable: usize, low: &Row, high: &Row) -> bool {
    let (a, b) = (low.coefficient(variable), -high.coefficient(variable));
    a == b
        && low
            .combined(1, high, 1)
            .is_some_and(|sum| sum.terms.is_empty() && sum.constant >= a - 1)
}

fn row(sum: &Sum, number: &BTreeMap<Column, usize>, floors: &[Row]) -> Option<Row> {
    let mut all = Row {
        terms: Vec::new(),
        constant: small(sum.constant_term().to_i128()?)?,
    };
    for (column, coefficient) in sum.terms() {
        let coefficient = small(coefficient.to_i128()?)?;
        all = match column {
            Column::Floor(at) => all.combined(1, floors.get(*at)?, coefficient)?,
            other => all.combined(1, &Row::variable(*number.get(other)?), coefficient)?,
        };
    }
    Some(all)
}

fn sum(row: &Row, columns: &BTreeMap<usize, Column>) -> Option<Sum> {
    let mut all = Sum::constant(Integer::from(row.constant));
    for (at, coefficient) in &row.terms {
        all = all.add_scaled(
            &Sum::column(columns.get(at)?.clone()),
            &Integer::from(*coefficient),
        );
    }
    Some(all)
}
