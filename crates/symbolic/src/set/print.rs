//! How is a set read? `{ [x] : 0 <= x < n }`, one conjunction for each piece.

use super::Set;
use super::piece::{Column, Piece, Sum};
use crate::atom::Symbol;
use crate::integer::Integer;
use std::fmt;

impl Set {
    /// The text of the set, with names for symbols and coordinates.
    pub fn text(&self, name: &dyn Fn(Symbol) -> String) -> String {
        let names: Vec<String> = (0..self.dimensions)
            .map(|at| coordinate(at, self.dimensions))
            .collect();
        let pieces: Vec<String> = self
            .pieces
            .iter()
            .map(|piece| piece_text(piece, &names, name))
            .collect();
        let point = format!("[{}]", names.join(", "));
        match &pieces[..] {
            [] => format!("{{ {point} : false }}"),
            [only] if only.is_empty() => format!("{{ {point} }}"),
            _ => format!("{{ {point} : {} }}", pieces.join(" or ")),
        }
    }
}

fn coordinate(at: usize, dimensions: usize) -> String {
    match (dimensions, at) {
        (..=3, 0) => "x".to_string(),
        (..=3, 1) => "y".to_string(),
        (..=3, 2) => "z".to_string(),
        _ => format!("x{}", at + 1),
    }
}

fn piece_text(piece: &Piece, names: &[String], name: &dyn Fn(Symbol) -> String) -> String {
    let mut parts = Vec::new();
    for sum in &piece.equalities {
        parts.push(format!("{} = 0", sum_text(sum, piece, names, name)));
    }
    for sum in &piece.inequalities {
        parts.push(format!("{} >= 0", sum_text(sum, piece, names, name)));
    }
    parts.join(" and ")
}

fn sum_text(sum: &Sum, piece: &Piece, names: &[String], name: &dyn Fn(Symbol) -> String) -> String {
    let mut text = String::new();
    for (column, coefficient) in sum.terms() {
        let of = match column {
            Column::Coordinate(at) => names.get(*at).cloned().unwrap_or_default(),
            Column::Parameter(expr) => crate::print::text(expr, name),
            Column::Floor(at) => match piece.floors.get(*at) {
                Some(floor) => format!(
                    "floor(({})/{})",
                    sum_text(&floor.numerator, piece, names, name),
                    floor.divisor
                ),
                None => String::new(),
            },
        };
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
        text.push_str(&of);
    }
    let constant = sum.constant_term();
    if text.is_empty() {
        return constant.to_string();
    }
    if constant.is_negative() {
        text.push_str(&format!(" - {}", constant.abs()));
    } else if *constant != Integer::ZERO {
        text.push_str(&format!(" + {constant}"));
    }
    text
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(&|symbol| format!("s{}", symbol.0)))
    }
}
