//! How is a set read? `{ [x] : 0 <= x < n and x mod 2 = 0 }`, one conjunction for each piece.
//!
//! Each constraint is written about its first coordinate (or else its first parameter), with the rest on the other side.

use super::Set;
use super::piece::{Column, Floor, Piece, Sum};
use crate::atom::Symbol;
use crate::integer::Integer;
use std::fmt;

/// Names of everything in a piece.
struct Names<'a> {
    coordinates: &'a [String],
    floors: &'a [Floor],
    symbol: &'a dyn Fn(Symbol) -> String,
}

impl Set {
    /// The text of the set, with names for symbols. Coordinates are `x`, `y`, `z`, or `x1`, `x2`, … where there are more.
    pub fn text(&self, name: &dyn Fn(Symbol) -> String) -> String {
        let names: Vec<String> = (0..self.dimensions)
            .map(|at| match (self.dimensions, at) {
                (..=3, 0) => "x".to_string(),
                (..=3, 1) => "y".to_string(),
                (..=3, _) => "z".to_string(),
                _ => format!("x{}", at + 1),
            })
            .collect();
        let pieces: Vec<String> = self
            .pieces
            .iter()
            .map(|piece| {
                piece.text(&Names {
                    coordinates: &names,
                    floors: &piece.floors,
                    symbol: name,
                })
            })
            .collect();
        let point = format!("[{}]", names.join(", "));
        match &pieces[..] {
            [] => format!("{{ {point} : false }}"),
            [only] if only.is_empty() => format!("{{ {point} }}"),
            _ => format!("{{ {point} : {} }}", pieces.join(" or ")),
        }
    }
}

/// Constraints about the same subject: what is not above it, and what is not below it.
struct Bounded {
    subject: Sum,
    low: Vec<Sum>,
    high: Vec<Sum>,
}

impl Piece {
    fn text(&self, names: &Names<'_>) -> String {
        let mut parts: Vec<String> = Vec::new();
        for sum in &self.equalities {
            parts.push(equality_text(sum, names));
        }
        let mut bounded: Vec<Bounded> = Vec::new();
        for sum in &self.inequalities {
            let Some((column, coefficient)) = sum.terms().first() else {
                continue;
            };
            let subject = Sum::column(column.clone()).times(&coefficient.abs());
            let below = coefficient.is_negative();
            // subject >= rest, or subject <= rest
            let rest = if below {
                sum.add_scaled(&subject, &Integer::ONE)
            } else {
                subject.add_scaled(sum, &Integer::MINUS_ONE)
            };
            let at = match bounded.iter().position(|own| own.subject == subject) {
                Some(at) => at,
                None => {
                    bounded.push(Bounded {
                        subject,
                        low: Vec::new(),
                        high: Vec::new(),
                    });
                    bounded.len() - 1
                }
            };
            if below {
                bounded[at].high.push(rest);
            } else {
                bounded[at].low.push(rest);
            }
        }
        for group in &bounded {
            let subject = names.sum(&group.subject);
            let (mut low, mut high) = (group.low.iter(), group.high.iter());
            loop {
                let below = low.next().map(|low| match one_off(low, &Integer::ONE) {
                    Some(less) => format!("{} < ", names.sum(&less)),
                    None => format!("{} <= ", names.sum(low)),
                });
                let above = high.next().map(|high| match one_off(high, &Integer::MINUS_ONE) {
                    Some(more) => format!(" < {}", names.sum(&more)),
                    None => format!(" <= {}", names.sum(high)),
                });
                match (below, above) {
                    (None, None) => break,
                    (Some(below), above) => {
                        parts.push(format!("{below}{subject}{}", above.unwrap_or_default()))
                    }
                    (None, Some(above)) => parts.push(format!("{subject}{above}")),
                }
            }
        }
        parts.join(" and ")
    }
}

/// `n` for `n - 1` (or `n + 1`): bounds that are better written without equality.
fn one_off(sum: &Sum, off: &Integer) -> Option<Sum> {
    (!sum.terms().is_empty() && sum.constant_term() == off).then(|| sum.add_constant(&-off))
}

fn equality_text(sum: &Sum, names: &Names<'_>) -> String {
    // numerator - divisor * floor(numerator / divisor) is a remainder.
    for (column, coefficient) in sum.terms() {
        if let Column::Floor(at) = column
            && let Some(floor) = names.floors.get(*at)
            && coefficient.abs() == floor.divisor
        {
            let negated = if coefficient.is_negative() {
                sum.clone()
            } else {
                sum.negated()
            };
            let remainder = floor
                .numerator
                .add_scaled(&Sum::column(column.clone()), &-&floor.divisor);
            let rest = remainder.add_scaled(&negated, &Integer::MINUS_ONE);
            // Only where what is left is simpler than what was there.
            if rest.terms().len() < sum.terms().len()
                && rest
                    .terms()
                    .iter()
                    .all(|(own, _)| matches!(own, Column::Parameter(_)))
            {
                return format!(
                    "{} mod {} = {}",
                    names.operand(&floor.numerator),
                    floor.divisor,
                    names.sum(&rest)
                );
            }
        }
    }
    match sum.terms().first() {
        Some((column, coefficient)) => {
            let subject = Sum::column(column.clone()).times(&coefficient.abs());
            let rest = if coefficient.is_negative() {
                sum.add_scaled(&subject, &Integer::ONE)
            } else {
                subject.add_scaled(sum, &Integer::MINUS_ONE)
            };
            format!("{} = {}", names.sum(&subject), names.sum(&rest))
        }
        None => format!("0 = {}", sum.constant_term()),
    }
}

impl Names<'_> {
    fn operand(&self, sum: &Sum) -> String {
        let text = self.sum(sum);
        if sum.terms().len() + usize::from(!sum.constant_term().is_zero()) > 1 {
            format!("({text})")
        } else {
            text
        }
    }

    fn sum(&self, sum: &Sum) -> String {
        let mut text = String::new();
        // What is added before what is subtracted.
        let (minus, plus): (Vec<_>, Vec<_>) = sum
            .terms()
            .iter()
            .partition(|(_, coefficient)| coefficient.is_negative());
        let constant = sum.constant_term();
        if plus.is_empty() && constant.is_positive() && !minus.is_empty() {
            text = constant.to_string();
        }
        let constant_first = !text.is_empty();
        for (column, coefficient) in plus.into_iter().chain(minus) {
            text.push_str(match (text.is_empty(), coefficient.is_negative()) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            });
            let size = coefficient.abs();
            if !size.is_one() {
                text.push_str(&format!("{size}*"));
            }
            text.push_str(&self.column(column));
        }
        if text.is_empty() {
            return constant.to_string();
        }
        if constant.is_negative() {
            text.push_str(&format!(" - {}", constant.abs()));
        } else if constant.is_positive() && !constant_first {
            text.push_str(&format!(" + {constant}"));
        }
        text
    }

    fn column(&self, column: &Column) -> String {
        match column {
            Column::Coordinate(at) => self.coordinates.get(*at).cloned().unwrap_or_default(),
            Column::Parameter(expr) => crate::print::text(expr, &self.symbol),
            Column::Floor(at) => match self.floors.get(*at) {
                Some(floor) => format!("floor({}/{})", self.operand(&floor.numerator), floor.divisor),
                None => String::new(),
            },
        }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&|symbol| format!("s{}", symbol.0)))
    }
}
