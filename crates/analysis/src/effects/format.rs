//! What does a call of `printf`, `scanf` and their like write through its arguments?
//!
//! The format says: `%n` stores how much was written so far. A format that is a constant text is read; one that is not
//! (`printf(message, …)`), or that has something this reader does not know (`%1$n`), may store through every pointer behind it.
//!
//! What it cannot do: forms with a `va_list`, which are unknown functions.

use super::{Effect, Touch};
use ferry_ir::{Expr, ExprKind, FunctionRef, Global, Place, PlaceBase, Projection, Unit, VariableRef};
use std::collections::BTreeSet;

/// A function that takes a format.
#[derive(Clone, Copy)]
struct Formatted {
    /// Its position among the arguments; those behind it are what it speaks of.
    format: usize,
    /// The position of the buffer that is filled.
    buffer: Option<usize>,
    /// Every argument behind the format is a place to store to.
    input: bool,
}

const FUNCTIONS: &[(&str, Formatted)] = &[
    ("printf", output(0, None)),
    ("fprintf", output(1, None)),
    ("dprintf", output(1, None)),
    ("sprintf", output(1, Some(0))),
    ("snprintf", output(2, Some(0))),
    ("scanf", input(0)),
    ("fscanf", input(1)),
    ("sscanf", input(1)),
];

const fn output(format: usize, buffer: Option<usize>) -> Formatted {
    Formatted {
        format,
        buffer,
        input: false,
    }
}

const fn input(format: usize) -> Formatted {
    Formatted {
        format,
        buffer: None,
        input: true,
    }
}

/// How a function takes a format, by its name.
fn of_function(name: &str) -> Option<Formatted> {
    let found = FUNCTIONS.iter().find(|(known, _)| *known == name);
    found.map(|(_, formatted)| *formatted)
}

/// True if a function of the library takes a format.
pub(super) fn takes_one(name: &str) -> bool {
    of_function(name).is_some()
}

impl Effect {
    /// The effect of a call for which [`writes`] says this.
    pub fn with_format(&self, writes: Option<Touch>) -> Effect {
        match writes {
            Some(writes) if self.formatted => Effect {
                writes,
                ..self.clone()
            },
            _ => self.clone(),
        }
    }
}

/// What a call writes if the function is the library's, and takes a format.
pub fn writes(unit: &Unit, function: FunctionRef, arguments: &[Expr]) -> Option<Touch> {
    let formatted = of_function(&unit.function(function).name)?;
    Some(formatted.writes(unit, arguments))
}

impl Formatted {
    fn writes(self, unit: &Unit, arguments: &[Expr]) -> Touch {
        let behind = arguments.get(self.format + 1..).unwrap_or_default();
        let stored = match arguments.get(self.format).and_then(|format| stores(unit, format)) {
            Some(stored) if !self.input => stored,
            _ => (0..behind.len()).collect(),
        };
        let may_be_written = |number: &usize| {
            behind.get(*number).is_some_and(|argument| {
                unit.types.pointee(argument.ty).is_some() && text(unit, argument).is_none()
            })
        };
        let stored = stored.into_iter().filter(may_be_written);
        let mut written: BTreeSet<usize> = stored.map(|number| self.format + 1 + number).collect();
        written.extend(self.buffer);
        Touch {
            arguments: written,
            ..Touch::default()
        }
    }
}

/// The arguments behind a format of output through which it stores, from 0; `None` if that is not known.
fn stores(unit: &Unit, format: &Expr) -> Option<BTreeSet<usize>> {
    match &format.kind {
        // Whichever is chosen.
        ExprKind::Select(_, first, second) => {
            let mut both = stores(unit, first)?;
            both.extend(stores(unit, second)?);
            Some(both)
        }
        ExprKind::Cast(inner) if text(unit, format).is_none() => stores(unit, inner),
        _ => stores_of_text(&text(unit, format)?),
    }
}

fn stores_of_text(text: &[u8]) -> Option<BTreeSet<usize>> {
    let mut found = BTreeSet::new();
    let mut next = 0;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            continue;
        }
        loop {
            match bytes.next()? {
                b'%' => break,
                // A width or a precision is an argument of its own.
                b'*' => next += 1,
                b'-' | b'+' | b' ' | b'#' | b'\'' | b'.' | b'0'..=b'9' => {}
                b'h' | b'l' | b'L' | b'q' | b'j' | b'z' | b't' => {}
                b'm' => break,
                letter if letter.is_ascii_alphabetic() => {
                    if letter == b'n' {
                        found.insert(next);
                    }
                    next += 1;
                    break;
                }
                _ => return None,
            }
        }
    }
    Some(found)
}

/// The constant text that an expression points to the beginning of, up to its end.
fn text(unit: &Unit, expr: &Expr) -> Option<Vec<u8>> {
    match &expr.kind {
        ExprKind::Cast(inner) => text(unit, inner),
        ExprKind::AddressOf(place) => {
            let PlaceBase::Variable(VariableRef::Global(id)) = &place.base else {
                return None;
            };
            let global = unit.global(*id);
            let constant = global.defined && global.qualifiers.constant && !global.qualifiers.volatile;
            let begins = place.path.iter().all(|step| element(step) == Some(0));
            (constant && begins && place.path.len() <= 1).then(|| characters(global))?
        }
        _ => None,
    }
}

fn characters(global: &Global) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    // What is not named is zero: the first gap is the end.
    for (place, value) in &global.initial {
        let (Some(number), ExprKind::Int(value)) = (only_element(place), &value.kind) else {
            return None;
        };
        match number.cmp(&(text.len() as i128)) {
            std::cmp::Ordering::Equal if *value != 0 => text.push(*value as u8),
            std::cmp::Ordering::Less => return None,
            _ => break,
        }
    }
    Some(text)
}

fn only_element(place: &Place) -> Option<i128> {
    match place.path.as_slice() {
        [step] => element(step),
        _ => None,
    }
}

fn element(step: &Projection) -> Option<i128> {
    match step {
        Projection::Index(index) => match index.kind {
            ExprKind::Int(number) => Some(number),
            _ => None,
        },
        Projection::Field(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_are_counted() {
        let stored = |text: &str| stores_of_text(text.as_bytes()).map(Vec::from_iter);
        assert_eq!(stored("%d of %5.2f, 100%%\n"), Some(vec![]));
        assert_eq!(stored("%d%n"), Some(vec![1]));
        assert_eq!(stored("%*d%-*.*s%hhn %lln"), Some(vec![5, 6]));
        assert_eq!(stored("%1$n"), None);
        assert_eq!(stored("100%"), None);
    }
}
