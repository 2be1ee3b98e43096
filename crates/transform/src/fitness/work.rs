//! Is what goes to the device used often enough to pay for the way?
//!
//! By orders of magnitude, as sizes are symbols: an access happens as often as the product of the trip counts of the loops around it says; it touches as many
//! elements as the product of those loops in which its address moves. A matrix product does `n³` multiplications on `n²` elements; `y[i] += a * x[i]` does
//! `n` on `n`, and copying them costs more than computing, unless they are on the device for other kernels, too. Where all trip counts are numbers, these
//! are compared.

use crate::kernel::Context;
use ferry_analysis::access::Access;
use ferry_analysis::loops::{LoopFacts, LoopIndex};
use ferry_analysis::value::Values;
use ferry_symbolic::Expr;

/// So often must an element be used, where that is a number, to pay for its way: a copy moves some ten gigabytes a second, a core reads as many.
const USES: f64 = 8.0;

/// How large: a power of the sizes that are symbols, and a number.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Size {
    degree: u32,
    number: f64,
}

impl Size {
    const ONE: Size = Size {
        degree: 0,
        number: 1.0,
    };

    fn of(trip: Option<&Expr>) -> Size {
        let Some(trip) = trip else {
            return Size {
                degree: 1,
                number: 1.0,
            };
        };
        match trip.as_constant().and_then(|count| count.to_i64()) {
            Some(count) => Size {
                degree: 0,
                number: (count as f64).max(1.0),
            },
            None => Size {
                degree: trip
                    .terms()
                    .map(|term| term.monomial.degree())
                    .max()
                    .unwrap_or(1)
                    .max(1),
                number: 1.0,
            },
        }
    }

    fn times(self, other: Size) -> Size {
        Size {
            degree: self.degree + other.degree,
            number: self.number * other.number,
        }
    }

    fn larger(self, other: Size) -> Size {
        if other.degree > self.degree || (other.degree == self.degree && other.number > self.number) {
            other
        } else {
            self
        }
    }
}

/// How many accesses a start of a kernel pays for, where that is a number: it takes some ten microseconds, in which a core makes as many.
const START: f64 = 10_000.0;

/// The loops around a kernel in each iteration of whose nest it would be started, for little each time, outermost first; `None` if it may be worth that.
///
/// Where the data have two dimensions or more, and two loops over them are outside, what one start works on is one line at most: `n` elements, `n²` times. Loops that no subscript of the kernel depends on are steps in time, of which
/// there may be few.
pub fn not_worth_its_starts(
    context: Context<'_>,
    index: LoopIndex,
    outside: &[LoopIndex],
) -> Option<Vec<LoopIndex>> {
    let values = &context.facts.values;
    let moves = |of: &LoopIndex| {
        let of = &values.loops[of.0 as usize];
        let mut addresses = context
            .accesses(index)
            .filter_map(|access| access.address.as_ref());
        addresses.any(|address| {
            address
                .symbols()
                .into_iter()
                .any(|symbol| values.moves(symbol, of))
        })
    };
    let over_data: Vec<LoopIndex> = outside.iter().copied().filter(moves).collect();
    let work = context
        .accesses(index)
        .map(|access| inside(values, access, index).fold(Size::ONE, |all, (_, size)| all.times(size)));
    let work = work.fold(Size::ONE, Size::larger);
    let is_little = match work.degree {
        0 => work.number < START,
        degree => degree == 1,
    };
    (over_data.len() >= 2 && is_little).then_some(over_data)
}

/// The loops around an access from one of them on, outermost first, with their lengths.
fn inside<'a>(
    values: &'a Values,
    access: &'a Access,
    index: LoopIndex,
) -> impl Iterator<Item = (&'a LoopFacts, Size)> {
    let inside = access.loops.iter().skip_while(move |one| **one != index);
    inside.map(|one| {
        let of = &values.loops[one.0 as usize];
        (of, Size::of(of.trip.as_ref().ok()))
    })
}

/// True if the loop does little with each element that it touches. A loop that touches no arrays does not.
pub fn is_little(context: Context<'_>, index: LoopIndex) -> bool {
    let values = &context.facts.values;
    let (mut work, mut data) = (Size::ONE, None);
    for access in context.accesses(index) {
        let (mut times, mut elements, mut moves) = (Size::ONE, Size::ONE, false);
        let mentioned = access.address.as_ref().map(Expr::symbols);
        // The address is another one in other iterations of a loop.
        let moves_in = |of: &LoopFacts| {
            let mut symbols = mentioned.iter().flatten();
            mentioned.is_none() || symbols.any(|symbol| values.moves(*symbol, of))
        };
        for (of, size) in inside(values, access, index) {
            times = times.times(size);
            if moves_in(of) {
                elements = elements.times(size);
                moves = true;
            }
        }
        work = work.larger(times);
        if moves {
            data = Some(data.map_or(elements, |old: Size| old.larger(elements)));
        }
    }
    data.is_some_and(|data| {
        work.degree < data.degree || (work.degree == data.degree && work.number < USES * data.number)
    })
}
