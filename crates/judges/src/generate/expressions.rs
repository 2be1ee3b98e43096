//! Integer expressions whose range is known, so that they can be subscripts and bounds.

use super::maker::Maker;
use super::scope::{Array, Scope};

/// An expression with the range of its values.
#[derive(Clone, Debug)]
pub struct Ranged {
    /// C text, safe as an operand of `*` if `simple`.
    pub text: String,
    /// Least value.
    pub low: i64,
    /// Greatest value.
    pub high: i64,
    /// Affine in parameters and loop variables.
    pub affine: bool,
    /// A single name or number.
    pub simple: bool,
}

impl Ranged {
    /// A number.
    pub fn number(value: i64) -> Ranged {
        Ranged {
            text: value.to_string(),
            low: value,
            high: value,
            affine: true,
            simple: value >= 0,
        }
    }

    /// As an operand.
    pub fn operand(&self) -> String {
        if self.simple {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    /// True if all its values lie between.
    pub fn fits(&self, low: i64, high: i64) -> bool {
        low <= self.low && self.high <= high
    }
}

/// Ends of a product of ranges.
fn product(a: (i64, i64), b: (i64, i64)) -> (i64, i64) {
    let all = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
    let low = all.iter().min().copied().unwrap_or(0);
    (low, all.iter().max().copied().unwrap_or(0))
}

impl Maker {
    /// A variable that is affine in others, a loop variable rather than another.
    pub fn variable(&mut self, scope: &Scope) -> Ranged {
        let counts: Vec<_> = scope.scalars.iter().filter(|scalar| scalar.counts).collect();
        let all: Vec<_> = scope.scalars.iter().filter(|scalar| scalar.affine).collect();
        let from = if !counts.is_empty() && self.random.percent(70) {
            counts
        } else {
            all
        };
        match self.random.pick(&from) {
            Some(scalar) => Ranged {
                text: scalar.name.clone(),
                low: scalar.low,
                high: scalar.high,
                affine: scalar.affine,
                simple: true,
            },
            None => Ranged::number(1),
        }
    }

    /// A sum of a few variables with small factors, and a number.
    pub fn affine(&mut self, scope: &Scope) -> Ranged {
        let mut text = String::new();
        let (mut low, mut high, mut affine) = (0, 0, true);
        let terms = [1, 1, 1, 2, 2, 3];
        for _ in 0..self.random.pick(&terms).copied().unwrap_or(1) {
            let factors: [i64; 9] = [1, 1, 1, 1, 1, -1, 2, 3, -2];
            let factor = self.random.pick(&factors).copied().unwrap_or(1);
            let variable = self.variable(scope);
            let sign = match (text.is_empty(), factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let one = match i64::abs(factor) {
                1 => variable.text.clone(),
                size => format!("{size} * {}", variable.text),
            };
            text = format!("{text}{sign}{one}");
            let ends = product((variable.low, variable.high), (factor, factor));
            low += ends.0;
            high += ends.1;
            affine &= variable.affine;
        }
        let simple = !text.contains([' ', '-']);
        let numbers: [i64; 9] = [0, 0, 0, 0, 1, -1, 2, -2, 3];
        let number = self.random.pick(&numbers).copied().unwrap_or(0);
        if number != 0 {
            text = format!("{text} {} {}", if number < 0 { '-' } else { '+' }, number.abs());
        }
        Ranged {
            simple: simple && number == 0,
            text,
            low: low + number,
            high: high + number,
            affine,
        }
    }

    /// Anything: mostly affine, else products, divisions, remainders, bits, choices, what is in memory.
    pub fn integer(&mut self, scope: &Scope) -> Ranged {
        if self.affine_only || self.random.percent(62) {
            return self.affine(scope);
        }
        let one = self.affine(scope);
        let text = one.operand();
        let not_affine = |text: String, low: i64, high: i64| Ranged {
            text,
            low,
            high,
            affine: false,
            simple: false,
        };
        match self.random.below(11) {
            0..=2 => {
                self.note("linearised or product");
                let (row, width) = (self.variable(scope), self.variable(scope));
                let ends = product((row.low, row.high), (width.low, width.high));
                let rest = self.variable(scope);
                let text = format!("{} * {} + {}", row.text, width.text, rest.text);
                not_affine(text, ends.0 + rest.low, ends.1 + rest.high)
            }
            3 => {
                self.note("linearised or product");
                let (i, n, j, m, k) = (
                    self.variable(scope),
                    self.variable(scope),
                    self.variable(scope),
                    self.variable(scope),
                    self.variable(scope),
                );
                let rows = product((i.low, i.high), (n.low, n.high));
                let rows = (rows.0 + j.low, rows.1 + j.high);
                let all = product(rows, (m.low, m.high));
                let text = format!("({} * {} + {}) * {} + {}", i.text, n.text, j.text, m.text, k.text);
                not_affine(text, all.0 + k.low, all.1 + k.high)
            }
            4 => {
                self.note("division");
                let by = self.random.between(2, 4);
                not_affine(format!("{text} / {by}"), one.low / by, one.high / by)
            }
            5 => {
                self.note("remainder");
                let by = self.random.between(2, 5);
                let low = if one.low >= 0 { 0 } else { 1 - by };
                let high = if one.high <= 0 { 0 } else { by - 1 };
                not_affine(format!("{text} % {by}"), low, high)
            }
            6 => {
                self.note("bits");
                let mask = self.random.pick(&[1, 3, 7, 15]).copied().unwrap_or(1);
                if one.low >= 0 && self.random.percent(40) {
                    return not_affine(format!("{text} >> 1"), one.low / 2, one.high / 2);
                }
                not_affine(format!("({text} & {mask})"), 0, mask)
            }
            7 => {
                self.note("choice");
                let other = self.affine(scope);
                let (a, b) = (text, other.operand());
                let sign = self.random.word(&["<", ">"]);
                not_affine(
                    format!("({a} {sign} {b} ? {a} : {b})"),
                    one.low.min(other.low),
                    one.high.max(other.high),
                )
            }
            8 => {
                self.note("narrow or unsigned");
                let (ty, low, high) = *self
                    .random
                    .pick(&[
                        ("unsigned char", 0, 255),
                        ("short", -32768, 32767),
                        ("signed char", -128, 127),
                    ])
                    .unwrap_or(&("short", -32768, 32767));
                let (low, high) = if one.fits(low, high) {
                    (one.low, one.high)
                } else {
                    (low, high)
                };
                not_affine(format!("({ty}){text}"), low, high)
            }
            9 => self.loaded(scope),
            _ => {
                let free: Vec<_> = scope
                    .scalars
                    .iter()
                    .filter(|scalar| !scalar.affine)
                    .cloned()
                    .collect();
                match self.random.pick(&free) {
                    Some(scalar) => Ranged {
                        text: scalar.name.clone(),
                        low: scalar.low,
                        high: scalar.high,
                        affine: false,
                        simple: true,
                    },
                    None => one,
                }
            }
        }
    }

    /// What an array of bounded elements holds, or any element made small.
    pub fn loaded(&mut self, scope: &Scope) -> Ranged {
        let integers: Vec<Array> = scope
            .arrays
            .iter()
            .filter(|array| !array.element.floats())
            .cloned()
            .collect();
        let known: Vec<Array> = integers
            .iter()
            .filter(|array| array.values.is_some())
            .cloned()
            .collect();
        self.note("indirect");
        let from = if self.random.percent(60) && !known.is_empty() {
            known
        } else {
            integers
        };
        let Some(array) = self.random.pick(&from).cloned() else {
            return Ranged::number(2);
        };
        let text = self.element(scope, &array, true);
        match array.values {
            Some((low, high)) => Ranged {
                text,
                low,
                high,
                affine: false,
                simple: true,
            },
            None => Ranged {
                text: format!("({text} & 7)"),
                low: 0,
                high: 7,
                affine: false,
                simple: true,
            },
        }
    }

    /// A subscript between the ends.
    pub fn index(&mut self, scope: &Scope, low: i64, high: i64, plain: bool) -> Ranged {
        for _ in 0..8 {
            let tried = if plain {
                self.affine(scope)
            } else {
                self.integer(scope)
            };
            if tried.fits(low, high) {
                if !tried.affine {
                    self.note("subscript not affine");
                }
                return tried;
            }
        }
        let tried = self.variable(scope);
        if tried.fits(low, high) {
            return tried;
        }
        Ranged::number(self.random.between(low.max(0), high.min(5)).clamp(low, high))
    }

    /// One element of an array, with simple subscripts if wanted.
    pub fn element(&mut self, scope: &Scope, array: &Array, plain: bool) -> String {
        if let Some(feature) = array.feature {
            self.note(feature);
        }
        let mut text = array.name.clone();
        for (low, high) in &array.reach {
            let index = self.index(scope, *low, *high, plain);
            text = format!("{text}[{}]", index.text);
        }
        if array.reach.len() > 1 {
            self.note("several dimensions");
        }
        format!("{text}{}", array.member)
    }

    /// A condition.
    pub fn condition(&mut self, scope: &Scope) -> String {
        let kind = if self.affine_only {
            0
        } else {
            self.random.below(12)
        };
        match kind {
            0..=4 => {
                let (one, other) = (self.affine(scope), self.affine(scope));
                let small = Ranged::number(self.random.between(0, 5));
                let other = if self.random.percent(50) { small } else { other };
                self.note(if one.affine && other.affine {
                    "guard affine"
                } else {
                    "guard not affine"
                });
                let sign = self.random.word(&["<", "<=", ">", ">=", "==", "!="]);
                format!("{} {sign} {}", one.text, other.text)
            }
            5 => {
                let (one, other) = (self.condition(scope), self.condition(scope));
                let sign = self.random.word(&["&&", "||"]);
                format!("({one}) {sign} ({other})")
            }
            6 | 7 => {
                self.note("guard on data");
                let value = self.value(scope, false);
                let sign = self.random.word(&["<", ">", "==", "!="]);
                format!("{value} {sign} {}", self.random.between(-2, 4))
            }
            8 => {
                self.note("guard on floating point");
                let value = self.value(scope, true);
                format!(
                    "{value} {} {}",
                    self.random.word(&["<", ">", ">="]),
                    self.random.word(&["0.5", "x", "1.0f"])
                )
            }
            9 => {
                self.note("guard not affine");
                let one = self.affine(scope).operand();
                let by = self.random.between(2, 4);
                format!("{one} % {by} == {}", self.random.between(0, by - 1))
            }
            10 => {
                self.note("guard not affine");
                format!(
                    "!({} & {})",
                    self.affine(scope).operand(),
                    self.random.word(&["1", "2", "3"])
                )
            }
            _ => {
                self.note("guard not affine");
                let (one, other) = (self.integer(scope), self.integer(scope));
                format!("{} < {}", one.text, other.text)
            }
        }
    }

    /// A value to store: an element, a number, an expression.
    pub fn value(&mut self, scope: &Scope, floats: bool) -> String {
        let kind = self.random.below(10);
        if kind < 7 {
            let fitting: Vec<Array> = scope
                .arrays
                .iter()
                .filter(|array| floats || !array.element.floats())
                .cloned()
                .collect();
            if let Some(array) = self.random.pick(&fitting).cloned() {
                return self.element(scope, &array, false);
            }
        }
        if kind == 7 && floats {
            return "x".to_owned();
        }
        let one = if kind == 8 {
            self.integer(scope)
        } else {
            self.affine(scope)
        };
        one.operand()
    }
}
