//! Are there numbers for which no choice of iterations makes two accesses meet?
//!
//! Most pairs never meet, and that is the dear answer: all choices are tried in vain. With values for which all facts hold, the addresses are numbers and multiples of the
//! counters, and the same choices are tried with numbers. Where none of them makes the accesses meet, there is no proof that one does.
//!
//! What it cannot do: say so of addresses that are not linear in all counters together, or where the length of a loop depends on the iteration of another.

use super::{Apart, Free, Pair};
use ferry_symbolic::{Example, Expr, Symbol};

/// Numbers larger than this are not looked at, so that nothing overflows.
const MOST: i128 = 1 << 60;

/// A number and multiples of the counters.
struct Linear {
    constant: i128,
    slopes: Vec<i128>,
}

impl Linear {
    fn of(expr: &Expr, free: &[Free], example: &Example) -> Option<Linear> {
        let is_free = |of: &Expr| free.iter().any(|one| of.mentions(one.symbol));
        let mut rest = expr.clone();
        let mut slopes = Vec::new();
        for one in free {
            let (slope, left) = rest.linear_in(one.symbol)?;
            if is_free(&slope) {
                return None;
            }
            slopes.push(number(&slope, example)?);
            rest = left;
        }
        let constant = number(&rest, example)?;
        Some(Linear { constant, slopes })
    }

    /// The value in these iterations; but for the counter that is left out, if one is.
    fn at(&self, chosen: &[i128], without: Option<usize>) -> Option<i128> {
        let mut value = self.constant;
        for (number, (slope, chosen)) in self.slopes.iter().zip(chosen).enumerate() {
            if Some(number) != without {
                value = value.checked_add(slope.checked_mul(*chosen)?)?;
            }
        }
        Some(value)
    }
}

fn number(expr: &Expr, example: &Example) -> Option<i128> {
    let value = example.value_of(expr)?.to_i128()?;
    (-MOST..=MOST).contains(&value).then_some(value)
}

/// Two accesses with numbers for all that is not chosen.
struct Numbers {
    difference: Linear,
    trips: Vec<i128>,
    work: [Vec<Linear>; 2],
}

impl Pair {
    /// True if there are numbers for which no choice that is tried makes them meet.
    pub(super) fn never_meets(&self, apart: Apart) -> bool {
        let Some(numbers) = self.numbers() else {
            return false;
        };
        let meets = |last| numbers.meet_for(last, apart) != Some(false);
        !meets(None) && !self.solvable().any(|last| meets(Some(last)))
    }

    fn numbers(&self) -> Option<Numbers> {
        let is_chosen = |symbol: &Symbol| self.free.iter().any(|one| one.symbol == *symbol);
        let mut strides = self.difference.symbols();
        strides.retain(|symbol| !is_chosen(symbol));
        let example = &self.facts.example(strides)?;
        let is_free = |of: &Expr| self.free.iter().any(|one| of.mentions(one.symbol));
        let trip = |one: &Free| match is_free(&one.trip) {
            true => None,
            false => number(&one.trip, example),
        };
        let linear = |expr: &Expr| Linear::of(expr, &self.free, example);
        let all = |side: &[Expr]| side.iter().map(linear).collect::<Option<Vec<Linear>>>();
        Some(Numbers {
            difference: linear(&self.difference)?,
            trips: self.free.iter().map(trip).collect::<Option<Vec<i128>>>()?,
            work: [all(&self.work[0])?, all(&self.work[1])?],
        })
    }
}

impl Numbers {
    /// Whether one of the choices for all counters but one, for which the equation is solved, makes them meet; `None` is not known.
    fn meet_for(&self, last: Option<usize>, apart: Apart) -> Option<bool> {
        let count = self.trips.len();
        let chosen: Vec<usize> = (0..count).filter(|number| Some(*number) != last).collect();
        let mut values = vec![0; count];
        for choice in 0..3_usize.pow(chosen.len() as u32) {
            let mut left = choice;
            for number in &chosen {
                values[*number] = [0, 1, self.trips[*number] - 1][left % 3];
                left /= 3;
            }
            let difference = self.difference.at(&values, last)?;
            match last {
                None if difference != 0 => continue,
                None => {}
                Some(last) => match self.difference.slopes[last] {
                    0 if difference != 0 => continue,
                    // Any iteration will do.
                    0 => return None,
                    slope if difference % slope != 0 => continue,
                    slope => values[last] = -difference / slope,
                },
            }
            let run = values.iter().zip(&self.trips);
            let mut run = run.map(|(value, trip)| (0..*trip).contains(value));
            if run.all(|runs| runs) && self.is_apart(&values, apart)? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn is_apart(&self, values: &[i128], apart: Apart) -> Option<bool> {
        let of =
            |side: &[Linear]| -> Option<Vec<i128>> { side.iter().map(|one| one.at(values, None)).collect() };
        let [one, other] = [of(&self.work[0])?, of(&self.work[1])?];
        Some(match apart {
            Apart::Always => true,
            Apart::OtherIteration => one.len() == other.len() && one != other,
            Apart::NotTheFirst => one.iter().chain(&other).any(|own| *own != 0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Apart, Free, Pair};
    use ferry_symbolic::{Expr, Facts, Symbol};

    fn x(number: u32) -> Expr {
        Expr::symbol(Symbol(number))
    }

    /// Accesses at `strides * iteration` of one nest of two loops in two iterations, so far apart; `n` is not known.
    fn pair(strides: [&Expr; 2], trips: [&Expr; 2], distance: &Expr) -> Pair {
        let n = x(9);
        let mut facts = Facts::new();
        facts.assume_nonnegative(&n - &Expr::int(8));
        let mut difference = distance.clone();
        for (number, stride) in (0..).zip(strides) {
            difference = &difference + &(stride * &(&x(number) - &x(number + 2)));
        }
        let free = (0..4).map(|number| Free {
            symbol: Symbol(number),
            trip: trips[number as usize % 2].clone(),
        });
        Pair {
            difference,
            also: Vec::new(),
            free: free.collect(),
            facts,
            work: [vec![x(0)], vec![x(2)]],
            common: Vec::new(),
            later: [Vec::new(), Vec::new()],
        }
    }

    /// The search alone, and with a look at numbers before it: the same answer, and as many choices.
    fn both(pair: &Pair, apart: Apart) -> bool {
        let (mut alone, mut left) = (500, 500);
        let searched = pair.search(apart, &mut alone);
        assert_eq!(pair.meets(apart, &mut left), searched);
        assert_eq!(left, alone);
        searched
    }

    #[test]
    fn numbers_say_what_the_search_says() {
        let n = x(9);
        let less = |by: i128| &n - &Expr::int(by);
        let (mut met, mut refuted) = (0, 0);
        let eight = Expr::int(8);
        for apart in [Apart::Always, Apart::OtherIteration, Apart::NotTheFirst] {
            for outer in [n.clone(), less(2), less(-2), Expr::zero(), eight.clone()] {
                for trip in [less(0), less(2), eight.clone(), Expr::int(2)] {
                    for distance in [
                        Expr::zero(),
                        Expr::one(),
                        less(1),
                        less(3),
                        Expr::int(7),
                        Expr::int(-1),
                        &n * &n,
                    ] {
                        let pair = pair([&outer, &Expr::one()], [&n, &trip], &distance);
                        met += u32::from(both(&pair, apart));
                        refuted += u32::from(pair.never_meets(apart));
                    }
                }
            }
        }
        assert!(met > 100 && refuted > 100, "{met} met, {refuted} refuted");
    }

    /// They meet in the last iteration of the inner loop alone.
    #[test]
    fn the_last_iteration_counts() {
        let n = x(9);
        let pair = pair(
            [&n, &Expr::one()],
            [&n, &n],
            &(&n - &Expr::one()).scale(&2.into()),
        );
        assert!(!pair.never_meets(Apart::OtherIteration));
        assert!(both(&pair, Apart::OtherIteration));
    }

    #[test]
    fn what_is_not_linear_is_left_to_the_search() {
        let n = x(9);
        let mut triangle = pair([&n, &Expr::one()], [&n, &x(0)], &Expr::one());
        assert!(!triangle.never_meets(Apart::OtherIteration));
        triangle.free[1].trip = n.clone();
        triangle.free[3].trip = n.clone();
        triangle.difference = &triangle.difference + &(&x(0) * &x(1));
        assert!(!triangle.never_meets(Apart::OtherIteration));
    }
}
