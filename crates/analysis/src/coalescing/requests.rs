//! How many sectors and lines does one access of a warp take, from the distances of its threads?
//!
//! Three figures for each: where the warp begins as the first one does (*usual*), and the least and the most over all places where a warp may begin.
//! Storage is taken to begin at a multiple of a line, as device memory is given out; what is then known of an address modulo a line comes from its
//! terms. With a stride that is no number the count is a formula: the counts for all strides up to a line are tabulated, and the simplest formula that
//! agrees with the whole table is taken (for matrix addition, `min(32, N)`; Juravle §5.1 has N/4 there).

use super::lanes::Start;
use super::numbers::gcd;
use ferry_gpu::{Blocks, Gpu};
use ferry_symbolic::{Expr, Integer};

/// A count in three cases.
#[derive(Clone, PartialEq, Debug)]
pub struct Amount {
    /// For the first warp, with rows that begin on a line.
    pub usual: Expr,
    /// The least of any full warp.
    pub best: Expr,
    /// The most of any full warp.
    pub worst: Expr,
}

impl Amount {
    fn numbers(usual: u64, best: u64, worst: u64) -> Amount {
        let number = |count: u64| Expr::int(i128::from(count));
        Amount {
            usual: number(usual),
            best: number(best),
            worst: number(worst),
        }
    }

    fn each(&self, other: &Amount, join: impl Fn(&Expr, &Expr) -> Expr) -> Amount {
        Amount {
            usual: join(&self.usual, &other.usual),
            best: join(&self.best, &other.best),
            worst: join(&self.worst, &other.worst),
        }
    }
}

/// What one access of one warp takes.
#[derive(Clone, PartialEq, Debug)]
pub struct Requests {
    /// Sectors.
    pub sectors: Amount,
    /// Lines.
    pub lines: Amount,
}

impl Requests {
    /// From three counts.
    pub fn numbers(usual: Blocks, best: Blocks, worst: Blocks) -> Requests {
        Requests {
            sectors: Amount::numbers(usual.sectors, best.sectors, worst.sectors),
            lines: Amount::numbers(usual.lines, best.lines, worst.lines),
        }
    }

    /// Of threads of which some go one way and some the other: what they take together is not more than the sum.
    pub fn of_either_thread(&self, other: &Requests) -> Requests {
        self.each(other, |one, two| Amount {
            usual: &one.usual + &two.usual,
            best: Expr::min(&one.best, &two.best),
            worst: &one.worst + &two.worst,
        })
    }

    /// Of warps of which each goes one way or the other.
    pub fn of_either_warp(&self, other: &Requests) -> Requests {
        self.each(other, |one, two| Amount {
            usual: Expr::max(&one.usual, &two.usual),
            best: Expr::min(&one.best, &two.best),
            worst: Expr::max(&one.worst, &two.worst),
        })
    }

    /// With other kinds of warps: the usual one stays, the least and the most of both count.
    pub fn widened(&self, other: &Requests) -> Requests {
        self.each(other, |one, two| Amount {
            usual: one.usual.clone(),
            best: Expr::min(&one.best, &two.best),
            worst: Expr::max(&one.worst, &two.worst),
        })
    }

    /// With warps that are not full: their most counts, not their least.
    pub fn at_worst(&self, other: &Requests) -> Requests {
        self.each(other, |one, two| Amount {
            worst: Expr::max(&one.worst, &two.worst),
            ..one.clone()
        })
    }

    /// Of warps in some of which not all threads take part.
    pub fn in_part(&self) -> Requests {
        self.map(|amount| Amount {
            best: Expr::min(&amount.best, &Expr::one()),
            ..amount.clone()
        })
    }

    /// Not more than these, whatever was found.
    pub fn at_most(&self, most: Blocks) -> Requests {
        let most = Requests::numbers(most, most, most);
        self.each(&most, |one, most| one.each(most, Expr::min))
    }

    /// Each figure by itself.
    pub fn map(&self, change: impl Fn(&Amount) -> Amount) -> Requests {
        Requests {
            sectors: change(&self.sectors),
            lines: change(&self.lines),
        }
    }

    fn each(&self, other: &Requests, join: impl Fn(&Amount, &Amount) -> Amount) -> Requests {
        Requests {
            sectors: join(&self.sectors, &other.sectors),
            lines: join(&self.lines, &other.lines),
        }
    }
}

/// The first bytes that are possible, modulo a line.
fn starts(gpu: &Gpu, start: Start) -> impl Iterator<Item = i128> + Clone {
    let line = i128::from(gpu.line);
    let step = match start.multiple {
        0 => line,
        multiple => gcd(multiple, line),
    };
    let first = start.constant.rem_euclid(step);
    (0..line / step).map(move |number| match start.multiple {
        0 => start.constant.rem_euclid(line),
        _ => first + number * step,
    })
}

/// The requests of threads at these distances from the first one. `first` is where the first warp begins, `any` where any warp does.
pub fn of_offsets(gpu: &Gpu, offsets: &[i128], size: u64, first: Start, any: Start) -> Requests {
    let at = |start: i128| {
        let touched: Vec<_> = offsets
            .iter()
            .map(|offset| ferry_gpu::Bytes {
                start: start + offset,
                size,
            })
            .collect();
        Blocks::of(gpu, &touched)
    };
    let usual = at(first.constant);
    let (best, worst) = ends(starts(gpu, any).map(at)).unwrap_or((usual, usual));
    Requests::numbers(usual, best.min(usual), worst.max(usual))
}

/// The least and the greatest, each figure by itself.
pub fn ends(mut all: impl Iterator<Item = Blocks>) -> Option<(Blocks, Blocks)> {
    let one = all.next()?;
    Some(all.fold((one, one), |(least, most), next| {
        (least.min(next), most.max(next))
    }))
}

/// The least that any thread can take.
pub const LEAST: Blocks = Blocks { sectors: 1, lines: 1 };

/// The most that so many threads can take.
pub fn most(gpu: &Gpu, lanes: u32, size: u64) -> Blocks {
    let pieces = |unit: u64| (size.saturating_sub(1)).div_ceil(unit) + 1;
    Blocks {
        sectors: u64::from(lanes) * pieces(gpu.sector),
        lines: u64::from(lanes) * pieces(gpu.line),
    }
}

/// The requests with a stride that is no number: `times` something, whose greatest factor is `factor` (both in bytes, together the stride); `size` bytes
/// for each of so many threads. The stride is taken not to be 0.
pub fn of_stride(
    gpu: &Gpu,
    lanes: u32,
    factor: i128,
    times: &Expr,
    size: u64,
    first: Start,
    any: Start,
) -> Requests {
    let any = Start {
        constant: any.constant,
        multiple: gcd(any.multiple, factor * i128::from(lanes)),
    };
    // Elements that may lie across the end of a piece take one or two, by a rule that has no short form.
    let whole = |bytes: i128| bytes.rem_euclid(i128::from(size.max(1))) == 0;
    if !(gpu.sector.is_multiple_of(size.max(1))
        && whole(factor)
        && whole(first.constant)
        && whole(any.constant)
        && whole(any.multiple))
    {
        let most = most(gpu, lanes, size);
        return Requests::numbers(most, LEAST, most);
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
    let table = |case: usize, of: fn(&Blocks) -> u64, unit: u64| {
        let counts: Vec<u64> = counts.iter().map(|row| of(&row[case])).collect();
        // The least must not be said to be more than it is, the others not less.
        formula(&counts, times, lanes, factor.abs(), unit, case == 1)
    };
    let amount = |of: fn(&Blocks) -> u64, unit: u64| Amount {
        usual: table(0, of, unit),
        best: table(1, of, unit),
        worst: table(2, of, unit),
    };
    Requests {
        sectors: amount(|blocks| blocks.sectors, gpu.sector),
        lines: amount(|blocks| blocks.lines, gpu.line),
    }
}

/// A formula in `times` that agrees with the counts for 1, 2, … and with the last of them for all greater values.
///
/// Tried are, each with the greatest count as its limit: the value itself, the rounded-up share of a line that the threads step over, the same with some
/// more; else of the latter the smallest that is nowhere too small, or the greatest that is nowhere too great.
fn formula(counts: &[u64], times: &Expr, lanes: u32, factor: i128, unit: u64, below: bool) -> Expr {
    let greatest = counts.iter().copied().max().unwrap_or(1);
    let limit = Expr::int(i128::from(greatest));
    if counts.iter().all(|count| *count == greatest) {
        return limit;
    }
    let (span, unit) = (i128::from(lanes) * factor, i128::from(unit));
    let common = gcd(span, unit);
    let (share, of) = (span / common, unit / common);
    let stepped = |more: i128| {
        let covered = &times.scale(&Integer::from(share)) + &Expr::int(more);
        Expr::min(&limit, &Expr::ceil_div(&covered, &Expr::int(of)))
    };
    let value = |times: i128, more: i128| {
        (times * share + more + of - 1)
            .div_euclid(of)
            .min(i128::from(greatest))
    };
    let all = |fits: &dyn Fn(i128, i128) -> bool| {
        (1i128..)
            .zip(counts)
            .all(|(times, count)| fits(times, i128::from(*count)))
    };
    for more in (0..=2 * of).chain((1..of).map(|less| -less)) {
        if all(&|times, count| value(times, more) == count) {
            return stepped(more);
        }
    }
    let reach = i128::from(greatest) * of;
    if below {
        let fits = |more: i128| all(&|times, count| value(times, more) <= count);
        return match (-reach..=0).rev().find(|more| fits(*more)) {
            Some(more) => Expr::max(&Expr::one(), &stepped(more)),
            None => Expr::one(),
        };
    }
    let fits = |more: i128| all(&|times, count| value(times, more) >= count);
    (0..=reach)
        .find(|more| fits(*more))
        .map_or_else(|| limit.clone(), stepped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferry_symbolic::{Symbol, text};

    const ALIGNED: Start = Start {
        constant: 0,
        multiple: 0,
    };

    fn lines(factor: i128, size: u64, any: i128) -> [String; 3] {
        let n = Expr::symbol(Symbol(0));
        let start = Start {
            constant: 0,
            multiple: any,
        };
        let found = of_stride(ferry_gpu::builtin(), 32, factor, &n, size, ALIGNED, start).lines;
        [found.usual, found.best, found.worst].map(|amount| text(&amount, &|_| "n".to_owned()))
    }

    /// Juravle §5.1 has N/4 for matrix addition, and 3w/4 for the convolution; `ANSWERS.md` §2.3.
    #[test]
    fn a_stride_that_is_no_number_gives_a_formula() {
        assert_eq!(lines(4, 4, 128)[0], "min(n, 32)");
        assert_eq!(lines(3, 1, 128)[0], "min(n - floor(n/4), 32)");
        assert_eq!(lines(4096, 4, 128)[0], "32");
    }

    /// Every formula against the counts that it stands for, for strides past the table, too.
    #[test]
    fn formulas_agree_with_the_counts() {
        let gpu = ferry_gpu::builtin();
        let n = Expr::symbol(Symbol(0));
        let (mut exact, mut whole) = (0, 0);
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
                let found = of_stride(gpu, 32, factor, &n, size, first, first);
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
                    whole += u32::from(is_whole);
                    exact += u32::from(is_whole && said == real);
                }
            }
        }
        // Not all: the first bytes that are left of a line before the first element have no short formula.
        println!("{exact} of {whole}");
        assert!(whole > 15_000 && exact > whole / 20 * 19, "{exact} of {whole}");
    }
}
