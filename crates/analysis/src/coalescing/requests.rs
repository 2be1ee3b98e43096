//! How many sectors and lines does one access of a warp take, from the distances of its threads?
//!
//! Three figures for each: where the warp begins as the first one does (*usual*), and the least and the most over all places where a warp may begin.
//! Storage is taken to begin at a multiple of a line, as device memory is given out, or, if that is asked, at any multiple of what the type of an element asks
//! for (`lanes::Base`); what is then known of an address modulo a line comes from its terms. Strides that are no numbers are for `strides`.

use super::lanes::Start;
use super::numbers::gcd;
use ferry_gpu::{Blocks, Gpu};
use ferry_symbolic::Expr;

/// A count in three cases.
#[derive(Clone, PartialEq, Debug)]
pub struct Amount {
    /// For the first warp, with rows that begin on a line: a count or, without [`Requests::exact`], what it does not exceed.
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
    /// The usual figures are counts; else the first warp takes as many at most.
    pub exact: bool,
}

impl Requests {
    /// From three counts.
    pub fn numbers(usual: Blocks, best: Blocks, worst: Blocks) -> Requests {
        Requests {
            sectors: Amount::numbers(usual.sectors, best.sectors, worst.sectors),
            lines: Amount::numbers(usual.lines, best.lines, worst.lines),
            exact: true,
        }
    }

    /// The same, if nothing is known of where the warps begin: the usual one takes what any may.
    pub fn anywhere(self) -> Requests {
        self.map(|amount| Amount {
            usual: amount.worst.clone(),
            ..amount.clone()
        })
    }

    /// The same, if the usual figures are no more than a bound.
    pub fn bounded(self) -> Requests {
        Requests { exact: false, ..self }
    }

    /// Of threads of which some go one way and some the other: what they take together is not more than the sum.
    pub fn of_either_thread(&self, other: &Requests) -> Requests {
        self.each(other, |one, two| Amount {
            usual: &one.usual + &two.usual,
            best: Expr::min(&one.best, &two.best),
            worst: &one.worst + &two.worst,
        })
        .bounded()
    }

    /// Of warps of which each goes one way or the other.
    pub fn of_either_warp(&self, other: &Requests) -> Requests {
        let alike = self.exact
            && other.exact
            && self.sectors.usual == other.sectors.usual
            && self.lines.usual == other.lines.usual;
        let found = self.each(other, |one, two| Amount {
            usual: Expr::max(&one.usual, &two.usual),
            best: Expr::min(&one.best, &two.best),
            worst: Expr::max(&one.worst, &two.worst),
        });
        Requests {
            exact: alike,
            ..found
        }
    }

    /// Of threads that go one way and threads that go the other, in each warp: the sum if the two lie `apart`, else that is the most.
    pub fn and(&self, other: &Requests, apart: bool) -> Requests {
        let found = self.each(other, |one, two| Amount {
            usual: &one.usual + &two.usual,
            best: match apart {
                true => &one.best + &two.best,
                false => Expr::max(&one.best, &two.best),
            },
            worst: &one.worst + &two.worst,
        });
        Requests {
            exact: self.exact && other.exact && apart,
            ..found
        }
    }

    /// With other kinds of warps: the usual one stays, the least and the most of both count.
    pub fn widened(&self, other: &Requests) -> Requests {
        self.each(other, |one, two| Amount {
            usual: one.usual.clone(),
            best: Expr::min(&one.best, &two.best),
            worst: Expr::max(&one.worst, &two.worst),
        })
    }

    /// The same usual figures, with the least of one and the most of another.
    pub fn between(&self, least: &Requests, most: &Requests) -> Requests {
        let ends = |own: &Amount, least: &Amount, most: &Amount| Amount {
            usual: own.usual.clone(),
            best: least.best.clone(),
            worst: most.worst.clone(),
        };
        Requests {
            sectors: ends(&self.sectors, &least.sectors, &most.sectors),
            lines: ends(&self.lines, &least.lines, &most.lines),
            exact: self.exact,
        }
    }

    /// With warps that are not full: their most counts, not their least.
    pub fn at_worst(&self, other: &Requests) -> Requests {
        self.each(other, |one, two| Amount {
            worst: Expr::max(&one.worst, &two.worst),
            ..one.clone()
        })
    }

    /// Of warps in some of which not all threads take part: of the first one, too.
    pub fn in_part(&self) -> Requests {
        self.map(|amount| Amount {
            best: Expr::min(&amount.best, &Expr::one()),
            ..amount.clone()
        })
        .bounded()
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
            exact: self.exact,
        }
    }

    fn each(&self, other: &Requests, join: impl Fn(&Amount, &Amount) -> Amount) -> Requests {
        Requests {
            sectors: join(&self.sectors, &other.sectors),
            lines: join(&self.lines, &other.lines),
            exact: self.exact,
        }
    }
}

/// The first bytes that are possible, modulo a line.
pub(super) fn starts(gpu: &Gpu, start: Start) -> impl Iterator<Item = i128> + Clone {
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
