//! How many sectors and lines does one access of a warp take whose stride is no number?
//!
//! The count is a formula: the counts for all strides up to a line are tabulated, and the simplest formula that agrees with the whole table is taken (for
//! matrix addition, `min(32, N)`; Juravle §5.1 has N/4 there). Where none does, the pieces from the first thread to the last are counted: as long as the
//! stride is no longer than a piece, none between them is left out. Many accesses of a kernel have one table, so that tables are kept.

use super::lanes::Start;
use super::numbers::gcd;
use super::requests::{self, Amount, Requests, ends, starts};
use ferry_gpu::{Blocks, Gpu};
use ferry_symbolic::{Expr, Integer};
use std::cell::RefCell;
use std::collections::HashMap;

/// What a table is about: `times` something whose greatest factor is `factor` (both in bytes, together the stride), `size` bytes for each of so many threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Strided {
    /// Threads.
    pub lanes: u32,
    /// The number in the stride, in bytes.
    pub factor: i128,
    /// Bytes of one thread.
    pub size: u64,
    /// Where the first warp begins.
    pub first: Start,
    /// Where any warp does.
    pub any: Start,
}

impl Strided {
    /// True if no element lies across the end of a piece: such elements take one or two, by a rule that has no short form.
    fn is_whole(&self, gpu: &Gpu) -> bool {
        let whole = |bytes: i128| bytes.rem_euclid(i128::from(self.size.max(1))) == 0;
        gpu.sector.is_multiple_of(self.size.max(1))
            && whole(self.factor)
            && whole(self.first.constant)
            && whole(self.any.constant)
            && whole(self.any.multiple)
    }
}

/// The formulas of sectors and of lines, each usual, best and worst.
type Table = [[Formula; 3]; 2];

/// A question about a GPU with sectors and lines of so many bytes.
type Asked = (u64, u64, Strided);

/// The tables that were made.
#[derive(Default)]
pub struct Tables {
    made: RefCell<HashMap<Asked, Table>>,
    /// The formulas with what was put into them.
    said: RefCell<HashMap<(Asked, Expr), Requests>>,
    /// What was counted for strides that are numbers.
    counted: RefCell<HashMap<Asked, Requests>>,
    /// The lesser one of numbers and amounts.
    lesser: RefCell<HashMap<(u64, Expr), Expr>>,
}

impl Tables {
    /// Not more than so many.
    pub fn at_most(&self, most: u64, amount: &Expr) -> Expr {
        let mut known = self.lesser.borrow_mut();
        let lesser = || Expr::min(&Expr::int(i128::from(most)), amount);
        known.entry((most, amount.clone())).or_insert_with(lesser).clone()
    }

    /// The requests where the stride is the factor that is asked about, 0 too.
    pub fn counted(&self, gpu: &Gpu, asked: Strided) -> Requests {
        let count = || {
            let offsets: Vec<i128> = (0..i128::from(asked.lanes))
                .map(|lane| lane * asked.factor)
                .collect();
            requests::of_offsets(gpu, &offsets, asked.size, asked.first, asked.any)
        };
        let mut counted = self.counted.borrow_mut();
        let requests = counted.entry((gpu.sector, gpu.line, asked)).or_insert_with(count);
        requests.clone()
    }

    /// The requests where the stride is `times` the factor that is asked about. It is taken not to be 0.
    pub fn requests(&self, gpu: &Gpu, asked: Strided, times: &Expr) -> Requests {
        let key = (gpu.sector, gpu.line, asked);
        let mut said = self.said.borrow_mut();
        let requests = said.entry((key, times.clone()));
        let requests = requests.or_insert_with(|| self.formulas(gpu, asked, times));
        requests.clone()
    }

    fn formulas(&self, gpu: &Gpu, asked: Strided, times: &Expr) -> Requests {
        let mut made = self.made.borrow_mut();
        let [sectors, lines] = *made
            .entry((gpu.sector, gpu.line, asked))
            .or_insert_with(|| table(gpu, asked));
        let amount = |[usual, best, worst]: [Formula; 3]| Amount {
            usual: usual.of(times),
            best: best.of(times),
            worst: worst.of(times),
        };
        Requests {
            sectors: amount(sectors),
            lines: amount(lines),
            exact: asked.is_whole(gpu),
        }
    }
}

/// A number of requests for each stride.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Formula {
    /// The same for all.
    Number(u64),
    /// The rounded-up `(times · share + more) / of`, but not above `limit`, nor below 1 if `positive`.
    Share {
        limit: u64,
        share: i128,
        more: i128,
        of: i128,
        positive: bool,
    },
    /// One more than the rounded-down `(times · share + more) / of`, but not above `limit`.
    FromFirstToLast {
        limit: u64,
        share: i128,
        more: i128,
        of: i128,
    },
}

impl Formula {
    fn of(self, times: &Expr) -> Expr {
        match self {
            Formula::Number(number) => Expr::int(i128::from(number)),
            Formula::Share {
                limit,
                share,
                more,
                of,
                positive,
            } => {
                let covered = &times.scale(&Integer::from(share)) + &Expr::int(more);
                let stepped = Expr::ceil_div(&covered, &Expr::int(of));
                let limited = Expr::min(&Expr::int(i128::from(limit)), &stepped);
                match positive {
                    true => Expr::max(&Expr::one(), &limited),
                    false => limited,
                }
            }
            Formula::FromFirstToLast {
                limit,
                share,
                more,
                of,
            } => {
                let last = &times.scale(&Integer::from(share)) + &Expr::int(more);
                let pieces = &Expr::floor_div(&last, &Expr::int(of)) + &Expr::one();
                Expr::min(&Expr::int(i128::from(limit)), &pieces)
            }
        }
    }
}

fn table(gpu: &Gpu, asked: Strided) -> Table {
    let Strided {
        lanes,
        factor,
        size,
        first,
        any,
    } = asked;
    let any = Start {
        constant: any.constant,
        multiple: gcd(any.multiple, factor * i128::from(lanes)),
    };
    if !asked.is_whole(gpu) {
        let most = requests::most(gpu, lanes, size);
        let three = |most| [Formula::Number(most), Formula::Number(1), Formula::Number(most)];
        return [three(most.sectors), three(most.lines)];
    }
    // Past one line every further stride touches as many pieces.
    let last = i128::from(gpu.line) / factor.abs().max(1) + 1;
    let counts: Vec<[Blocks; 3]> = (1..=last)
        .map(|times| {
            let at = |start: i128| Blocks::strided(gpu, lanes, start, times * factor, size);
            let usual = at(first.constant);
            let (best, worst) = ends(starts(gpu, any).map(at)).unwrap_or((usual, usual));
            [usual, best.min(usual), worst.max(usual)]
        })
        .collect();
    let fit = |case: usize, of: fn(&Blocks) -> u64, unit: u64| {
        let counts: Vec<u64> = counts.iter().map(|row| of(&row[case])).collect();
        let span = i128::from(lanes) * factor.abs();
        // The usual one is what it is; the least must not be said to be more than it is, the most not less.
        match case {
            0 => exact(&counts, span, unit).unwrap_or_else(|| from_first_to_last(asked, unit)),
            _ => fit(&counts, span, unit, case == 1),
        }
    };
    let amount = |of: fn(&Blocks) -> u64, unit: u64| [fit(0, of, unit), fit(1, of, unit), fit(2, of, unit)];
    [
        amount(|blocks| blocks.sectors, gpu.sector),
        amount(|blocks| blocks.lines, gpu.line),
    ]
}

/// The pieces from the one with the first thread to the one with the last. Elements lie whole in pieces, so that these are all pieces if the stride is no
/// longer than a piece; if it is, each thread has one for itself, and there are not less of them than threads.
fn from_first_to_last(asked: Strided, unit: u64) -> Formula {
    let unit = i128::from(unit);
    let span = (i128::from(asked.lanes) - 1) * asked.factor.abs();
    let begin = asked.first.constant.rem_euclid(unit);
    let common = gcd(span, unit).max(1);
    let (of, begin) = (unit / common, begin.div_euclid(common));
    Formula::FromFirstToLast {
        limit: u64::from(asked.lanes),
        share: span / common,
        // Downwards, what lies before the first thread in its piece is stepped over first.
        more: match asked.factor < 0 {
            false => begin,
            true => of - 1 - begin,
        },
        of,
    }
}

/// Formulas are tried each with the greatest count as its limit; `span` bytes lie from the first thread to the end of the last one where the stride is
/// the factor, and `unit` in a piece.
struct Shares {
    limit: u64,
    share: i128,
    of: i128,
}

impl Shares {
    fn new(counts: &[u64], span: i128, unit: u64) -> Shares {
        let unit = i128::from(unit);
        let common = gcd(span, unit);
        Shares {
            limit: counts.iter().copied().max().unwrap_or(1),
            share: span / common,
            of: unit / common,
        }
    }

    fn stepped(&self, more: i128, positive: bool) -> Formula {
        Formula::Share {
            limit: self.limit,
            share: self.share,
            more,
            of: self.of,
            positive,
        }
    }

    /// True if `fits` holds of the value and of the count for each of 1, 2, …
    fn all(&self, counts: &[u64], more: i128, fits: impl Fn(i128, i128) -> bool) -> bool {
        (1i128..).zip(counts).all(|(times, count)| {
            let value = (times * self.share + more + self.of - 1).div_euclid(self.of);
            fits(value.min(i128::from(self.limit)), i128::from(*count))
        })
    }
}

/// The simplest formula that agrees with the counts for 1, 2, … and with the last of them for all greater values: a number, the value itself, the
/// rounded-up share of a piece that the threads step over, the same with some more or less.
fn exact(counts: &[u64], span: i128, unit: u64) -> Option<Formula> {
    let shares = Shares::new(counts, span, unit);
    if counts.iter().all(|count| *count == shares.limit) {
        return Some(Formula::Number(shares.limit));
    }
    let mut tried = (0..=2 * shares.of).chain((1..shares.of).map(|less| -less));
    let found = tried.find(|more| shares.all(counts, *more, |value, count| value == count))?;
    Some(shares.stepped(found, false))
}

/// That formula, else of those with some more the smallest that is nowhere too small, or (`below`) the greatest that is nowhere too great.
fn fit(counts: &[u64], span: i128, unit: u64, below: bool) -> Formula {
    if let Some(found) = exact(counts, span, unit) {
        return found;
    }
    let shares = Shares::new(counts, span, unit);
    let reach = i128::from(shares.limit) * shares.of;
    if below {
        let fits = |more: i128| shares.all(counts, more, |value, count| value <= count);
        return match (-reach..=0).rev().find(|more| fits(*more)) {
            Some(more) => shares.stepped(more, true),
            None => Formula::Number(1),
        };
    }
    let fits = |more: i128| shares.all(counts, more, |value, count| value >= count);
    (0..=reach)
        .find(|more| fits(*more))
        .map_or(Formula::Number(shares.limit), |more| shares.stepped(more, false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferry_symbolic::{Symbol, text};

    const ALIGNED: Start = Start {
        constant: 0,
        multiple: 0,
    };

    fn requests_of(factor: i128, times: &Expr, size: u64, first: Start, any: Start) -> Requests {
        let asked = Strided {
            lanes: 32,
            factor,
            size,
            first,
            any,
        };
        Tables::default().requests(ferry_gpu::builtin(), asked, times)
    }

    fn lines(factor: i128, size: u64, any: i128) -> [String; 3] {
        let n = Expr::symbol(Symbol(0));
        let start = Start {
            constant: 0,
            multiple: any,
        };
        let found = requests_of(factor, &n, size, ALIGNED, start).lines;
        [found.usual, found.best, found.worst].map(|amount| text(&amount, &|_| "n".to_owned()))
    }

    /// Juravle §5.1 has N/4 for matrix addition, and 3w/4 for the convolution: `ANSWERS.md` §2.3 has 12 for 16, 24 for 32 and 32 from 43 on. For 42 it
    /// is 31, where 3w/4, rounded up, is 32.
    #[test]
    fn a_stride_that_is_no_number_gives_a_formula() {
        assert_eq!(lines(4, 4, 128)[0], "min(n, 32)");
        assert_eq!(lines(3, 1, 128)[0], "min(floor((93*n)/128), 31) + 1");
        assert_eq!(lines(4096, 4, 128)[0], "32");
    }

    /// The counts of strides that are numbers, which are kept by the numbers: a few by hand.
    #[test]
    fn strides_that_are_numbers_are_counted() {
        let gpu = ferry_gpu::builtin();
        let asked = |lanes, factor| Strided {
            lanes,
            factor,
            size: 4,
            first: ALIGNED,
            any: ALIGNED,
        };
        let tables = Tables::default();
        let lines = |lanes, factor| tables.counted(gpu, asked(lanes, factor)).lines.usual;
        for _ in 0..2 {
            assert_eq!(lines(32, 4), Expr::int(1));
            assert_eq!(lines(32, 8), Expr::int(2));
            assert_eq!(lines(16, 8), Expr::int(1));
            assert_eq!(lines(32, 0), Expr::int(1));
        }
    }

    /// Whatever was asked before, of whatever GPU, the answer is that of tables in which nothing is kept.
    #[test]
    fn kept_tables_answer_as_new_ones() {
        let n = Expr::symbol(Symbol(0));
        let starts =
            [(0, 0), (4, 0), (0, 128), (0, 4)].map(|(constant, multiple)| Start { constant, multiple });
        let questions = [4i128, 12, -8]
            .into_iter()
            .flat_map(|factor| [4u64, 8].map(|size| (factor, size)))
            .flat_map(|(factor, size)| [8u32, 32].map(|lanes| (factor, size, lanes)))
            .flat_map(|(factor, size, lanes)| {
                starts.into_iter().flat_map(move |first| {
                    starts.map(|any| Strided {
                        lanes,
                        factor,
                        size,
                        first,
                        any,
                    })
                })
            });
        let kept = Tables::default();
        let mut different = std::collections::HashSet::new();
        for asked in questions {
            for gpu in ferry_gpu::all() {
                let found = kept.requests(gpu, asked, &n);
                let of_number = kept.counted(gpu, asked);
                let fresh = Tables::default();
                let other = (fresh.requests(gpu, asked, &n), fresh.counted(gpu, asked));
                assert_eq!(
                    (&found, &of_number),
                    (&other.0, &other.1),
                    "{}: {asked:?}",
                    gpu.name
                );
                different.insert(format!("{found:?}"));
                different.insert(format!("{of_number:?}"));
            }
        }
        assert!(different.len() > 80, "{}", different.len());
    }

    /// Every formula against the counts that it stands for, for strides past the table, too.
    #[test]
    fn formulas_agree_with_the_counts() {
        let gpu = ferry_gpu::builtin();
        let n = Expr::symbol(Symbol(0));
        let mut whole = 0;
        let cases = [1i128, 2, 3, 4, 8, 12, 16, 24, 40, -4, -8, 100];
        for (factor, size) in cases
            .iter()
            .flat_map(|factor| [1u64, 2, 4, 8, 12].map(|size| (*factor, size)))
        {
            for start in [0, 4, 60] {
                let first = Start {
                    constant: start,
                    multiple: 0,
                };
                let found = requests_of(factor, &n, size, first, first);
                for times in 1..200i128 {
                    let counted = Blocks::strided(gpu, 32, start, times * factor, size);
                    let value = |amount: &Expr| {
                        let value = amount.evaluate(&|_| Some(Integer::from(times))).unwrap();
                        u64::try_from(value.to_i128().unwrap()).unwrap()
                    };
                    let said = (value(&found.sectors.usual), value(&found.lines.usual));
                    let real = (counted.sectors, counted.lines);
                    assert!(
                        said.0 >= real.0 && said.1 >= real.1,
                        "{factor}*{times}, {size} bytes at {start}: {said:?}, really {real:?}"
                    );
                    let is_whole =
                        [factor, start].iter().all(|bytes| bytes % i128::from(size) == 0) && size != 12;
                    if is_whole {
                        whole += 1;
                        assert_eq!(said, real, "{factor}*{times}, {size} bytes at {start}");
                    }
                    assert_eq!(found.exact, is_whole);
                }
            }
        }
        assert!(whole > 15_000, "{whole}");
    }
}
