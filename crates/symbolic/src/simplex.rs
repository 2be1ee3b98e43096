//! Is a linear form a nonnegative combination of others, and how large is what remains? Exact, with a work limit.
//!
//! Farkas' lemma in its affine form: `g >= 0` follows from `f_1 >= 0, …` over the rationals iff `g = Σ λ_j f_j + c` with
//! `λ_j >= 0` and `c >= 0`. The simplex method finds the largest `c`; over the integers a `c` above -1 is enough, and the
//! caller may ask for another threshold. The tableau holds integers with one common denominator, in 64 bits, then in 128 bits;
//! where that overflows the answer is "not shown".

use std::cell::Cell;

/// A column: its coefficients by row (row number, value), and its constant.
pub(crate) struct Column {
    pub(crate) entries: Vec<(usize, i128)>,
    pub(crate) constant: i128,
}

/// Shows that `goal + goal_constant > threshold` follows from the columns being nonnegative. `Some`: the columns used.
/// `work` counts down tableau cells.
pub(crate) fn combination(
    columns: &[Column],
    goal: &[i128],
    goal_constant: i128,
    threshold: i128,
    work: &Cell<u64>,
) -> Option<Vec<usize>> {
    match Tableau::<i64>::new(columns, goal, goal_constant).map(|mut tableau| tableau.solve(threshold, work))
    {
        Some(Some(answer)) => answer,
        _ => Tableau::<i128>::new(columns, goal, goal_constant)?.solve(threshold, work)?,
    }
}

trait Number: Copy + Ord {
    const ZERO: Self;
    const ONE: Self;
    fn from_wide(value: i128) -> Option<Self>;
    fn plus(self, other: Self) -> Option<Self>;
    fn negated(self) -> Option<Self>;
    fn product(self, other: Self) -> Option<Self>;
    /// `(a*b - c*d) / e`, which is exact.
    fn cross(a: Self, b: Self, c: Self, d: Self, e: Self) -> Option<Self>;
}

macro_rules! number {
    ($type:ty) => {
        impl Number for $type {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            fn from_wide(value: i128) -> Option<Self> {
                <$type>::try_from(value).ok()
            }
            #[inline]
            fn plus(self, other: Self) -> Option<Self> {
                self.checked_add(other)
            }
            #[inline]
            fn negated(self) -> Option<Self> {
                self.checked_neg()
            }
            #[inline]
            fn product(self, other: Self) -> Option<Self> {
                self.checked_mul(other)
            }
            #[inline]
            fn cross(a: Self, b: Self, c: Self, d: Self, e: Self) -> Option<Self> {
                let left = if a == 0 { 0 } else { a.checked_mul(b)? };
                let right = if c == 0 || d == 0 {
                    0
                } else {
                    c.checked_mul(d)?
                };
                let difference = left.checked_sub(right)?;
                if e == 1 {
                    Some(difference)
                } else {
                    difference.checked_div(e)
                }
            }
        }
    };
}
number!(i64);
number!(i128);

/// Rows `0..rows` are equations, then the sum of artificial variables, then the objective. The last column is the right side.
struct Tableau<N> {
    cells: Vec<N>,
    rows: usize,
    columns: usize,
    /// The variable of each row: a column, or `columns + row` for the artificial one.
    basis: Vec<usize>,
    denominator: N,
}

impl<N: Number> Tableau<N> {
    fn new(columns: &[Column], goal: &[i128], goal_constant: i128) -> Option<Tableau<N>> {
        let rows = goal.len();
        let width = columns.len() + 1;
        let mut cells = vec![N::ZERO; (rows + 2) * width];
        for (index, column) in columns.iter().enumerate() {
            for (row, value) in &column.entries {
                let flipped = if goal[*row] < 0 {
                    value.checked_neg()?
                } else {
                    *value
                };
                cells[row * width + index] = N::from_wide(flipped)?;
            }
            cells[(rows + 1) * width + index] = N::from_wide(column.constant.checked_neg()?)?;
        }
        for (row, value) in goal.iter().enumerate() {
            cells[row * width + columns.len()] = N::from_wide(value.checked_abs()?)?;
        }
        cells[(rows + 1) * width + columns.len()] = N::from_wide(goal_constant.checked_neg()?)?;
        for column in 0..width {
            let mut sum = N::ZERO;
            for row in 0..rows {
                sum = sum.plus(cells[row * width + column])?;
            }
            cells[rows * width + column] = sum;
        }
        let basis = (0..rows).map(|row| columns.len() + row).collect();
        Some(Tableau {
            cells,
            rows,
            columns: columns.len(),
            basis,
            denominator: N::ONE,
        })
    }

    #[inline]
    fn at(&self, row: usize, column: usize) -> N {
        self.cells[row * (self.columns + 1) + column]
    }

    /// `None`: overflow. `Some(None)`: not shown. `Some(Some(columns))`: shown by these.
    fn solve(&mut self, threshold: i128, work: &Cell<u64>) -> Option<Option<Vec<usize>>> {
        let (first, second) = (self.rows, self.rows + 1);
        let threshold = N::from_wide(threshold)?;
        // Phase 1: make the artificial variables 0.
        let mut steps = 0;
        while self.at(first, self.columns) > N::ZERO {
            let Some(entering) = self.entering(first, steps) else {
                return Some(None);
            };
            let Some(leaving) = self.leaving(entering)? else {
                return Some(None);
            };
            if !self.pivot(leaving, entering, work)? {
                return Some(None);
            }
            steps += 1;
        }
        for row in 0..self.rows {
            if self.basis[row] < self.columns {
                continue;
            }
            if let Some(column) = (0..self.columns).find(|column| self.at(row, *column) != N::ZERO) {
                if self.at(row, column) < N::ZERO {
                    for cell in 0..=self.columns {
                        let index = row * (self.columns + 1) + cell;
                        self.cells[index] = self.cells[index].negated()?;
                    }
                }
                if !self.pivot(row, column, work)? {
                    return Some(None);
                }
            }
        }
        // Phase 2: raise the constant.
        let mut steps = 0;
        loop {
            // The right side of the objective is minus the constant, times the denominator.
            let constant = self.at(second, self.columns).negated()?;
            if constant > threshold.product(self.denominator)? {
                return Some(Some(self.used(None)));
            }
            let Some(entering) = self.entering(second, steps) else {
                return Some(None);
            };
            let Some(leaving) = self.leaving(entering)? else {
                // The constant can be raised without limit: the columns contradict each other.
                return Some(Some(self.used(Some(entering))));
            };
            if !self.pivot(leaving, entering, work)? {
                return Some(None);
            }
            steps += 1;
        }
    }

    fn entering(&self, objective: usize, steps: usize) -> Option<usize> {
        let candidates = (0..self.columns).filter(|column| self.at(objective, *column) > N::ZERO);
        // The largest coefficient is quick; the first one never cycles.
        if steps < 40 {
            candidates.max_by(|a, b| self.at(objective, *a).cmp(&self.at(objective, *b)).then(b.cmp(a)))
        } else {
            let mut candidates = candidates;
            candidates.next()
        }
    }

    fn leaving(&self, entering: usize) -> Option<Option<usize>> {
        let mut best: Option<usize> = None;
        for row in 0..self.rows {
            let value = self.at(row, entering);
            if value <= N::ZERO {
                continue;
            }
            best = Some(match best {
                None => row,
                Some(other) => {
                    let left = self.at(row, self.columns).product(self.at(other, entering))?;
                    let right = self.at(other, self.columns).product(value)?;
                    if left < right || (left == right && self.basis[row] < self.basis[other]) {
                        row
                    } else {
                        other
                    }
                }
            });
        }
        Some(best)
    }

    /// `None`: overflow. `Some(false)`: the work limit.
    fn pivot(&mut self, pivot_row: usize, pivot_column: usize, work: &Cell<u64>) -> Option<bool> {
        let width = self.columns + 1;
        let cost = ((self.rows + 2) * width) as u64;
        if work.get() < cost {
            work.set(0);
            return Some(false);
        }
        work.set(work.get() - cost);
        let pivot = self.at(pivot_row, pivot_column);
        let (denominator, start) = (self.denominator, pivot_row * width);
        for row in 0..self.rows + 2 {
            if row == pivot_row {
                continue;
            }
            let factor = self.at(row, pivot_column);
            if factor == N::ZERO && pivot == denominator {
                continue;
            }
            for column in 0..width {
                let index = row * width + column;
                self.cells[index] = N::cross(
                    self.cells[index],
                    pivot,
                    factor,
                    self.cells[start + column],
                    denominator,
                )?;
            }
        }
        self.basis[pivot_row] = pivot_column;
        self.denominator = pivot;
        Some(true)
    }

    fn used(&self, ray: Option<usize>) -> Vec<usize> {
        let mut used: Vec<usize> = (0..self.rows)
            .filter(|row| self.basis[*row] < self.columns)
            .filter(|row| {
                self.at(*row, self.columns) != N::ZERO
                    || ray.is_some_and(|column| self.at(*row, column) != N::ZERO)
            })
            .map(|row| self.basis[row])
            .collect();
        used.extend(ray);
        used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(entries: &[(usize, i128)], constant: i128) -> Column {
        Column {
            entries: entries.to_vec(),
            constant,
        }
    }

    #[test]
    fn adds_up_facts() {
        // x - y >= 0, y - 3 >= 0 give x - 3 >= 0 but not x - 4 >= 0.
        let columns = [column(&[(0, 1), (1, -1)], 0), column(&[(1, 1)], -3)];
        let work = Cell::new(10_000);
        assert_eq!(combination(&columns, &[1, 0], -3, -1, &work), Some(vec![0, 1]));
        assert_eq!(combination(&columns, &[1, 0], -4, -1, &work), None);
        assert_eq!(combination(&columns, &[-1, 0], 0, -1, &work), None);
    }

    #[test]
    fn rounds_and_finds_contradictions() {
        let work = Cell::new(10_000);
        // 2x - 1 >= 0 gives x >= 1/2, so x - 1 > -1.
        assert!(combination(&[column(&[(0, 2)], -1)], &[1], -1, -1, &work).is_some());
        // x >= 1 and -x >= 0 give anything about x.
        let columns = [column(&[(0, 1)], -1), column(&[(0, -1)], 0)];
        assert!(combination(&columns, &[1], -1000, -1, &work).is_some());
        assert!(combination(&columns, &[0], -1, -1, &work).is_some());
        // Out of work.
        assert!(combination(&columns, &[1], -1000, -1, &Cell::new(1)).is_none());
    }
}
