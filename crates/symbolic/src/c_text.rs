//! How is an expression written in C? With the fewest parentheses that keep its value and draw no warning.
//!
//! C has no `min` and `max`: they become `(a < b ? a : b)`. Its division truncates: a floor division is printed as `/` only where
//! the facts show that it makes no difference. The text computes the mathematical value as long as the C types of its
//! names hold all intermediate values; whether they do is not known here.

use crate::atom::{Atom, Operation, Symbol};
use crate::condition::{Condition, ConditionKind};
use crate::defined::evaluation_order;
use crate::expr::Expr;
use crate::facts::Facts;
use crate::integer::Integer;
use crate::layout::{Tree, arrange, cases_in_order, constants_last, sides, strict_sides};
use crate::prover::Prover;

/// How C text is printed.
#[derive(Clone, Default)]
pub struct COptions {
    /// What is known where the text will stand.
    pub facts: Facts,
}

impl COptions {
    /// Options with these facts.
    pub fn with_facts(facts: &Facts) -> COptions {
        COptions { facts: facts.clone() }
    }
}

/// Texts longer than this are of no use to a reader.
const MAX_LENGTH: usize = 4000;

/// The C text of an expression. `None` if there is none: a constant that no C type holds, something too large to keep, or a
/// text that nobody would read. `name` gives the C text of a symbol; what is not a name, member, element or call is put in parentheses.
pub fn c_text(expr: &Expr, name: &dyn Fn(Symbol) -> String, options: &COptions) -> Option<String> {
    if let Some(value) = expr
        .as_constant()
        .and_then(|value| u64::try_from(value.to_i128()?).ok())
        && i64::try_from(value).is_err()
    {
        return Some(format!("{value}u"));
    }
    let (text, _) = Printer { name, options }.expr(expr)?;
    Some(text)
}

/// The C text of a condition; 1 and 0 for what always and never holds.
pub fn c_condition(
    condition: &Condition,
    name: &dyn Fn(Symbol) -> String,
    options: &COptions,
) -> Option<String> {
    let (text, _) = Printer { name, options }.condition(condition)?;
    Some(text)
}

/// How tightly the outermost operator binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Compare,
    Shift,
    Sum,
    Product,
    Unary,
    Primary,
}

type Printed = Option<(String, Binding)>;

struct Printer<'a> {
    name: &'a dyn Fn(Symbol) -> String,
    options: &'a COptions,
}

impl Printer<'_> {
    fn shows(&self, e: &Expr) -> bool {
        Prover::new()
            .nonnegative(self.options.facts.store(), e, 1)
            .is_some()
    }

    fn expr(&self, e: &Expr) -> Printed {
        self.tree(&arrange(e))
    }

    fn tree(&self, tree: &Tree) -> Printed {
        let (text, binding) = match tree {
            Tree::Number(value) => (number(value)?, Binding::Primary),
            Tree::Atom(atom) => self.atom(atom)?,
            Tree::Sum(parts) => {
                let mut out = String::new();
                for (index, (minus, part)) in parts.iter().enumerate() {
                    let printed = match part {
                        // The least 64-bit value has no literal of its own.
                        Tree::Number(value) if *minus && *value == Integer::power_of_two(63) => {
                            let separator = if index == 0 { "-" } else { " - " };
                            out.push_str(&format!("{separator}{} - 1", i64::MAX));
                            continue;
                        }
                        part => self.tree(part)?,
                    };
                    if index == 0 {
                        if *minus {
                            // `-i / n` would be right, but a reader has to think about it.
                            let product = matches!(part, Tree::Product(_));
                            let needed = if product { Binding::Product } else { Binding::Unary };
                            out.push('-');
                            out.push_str(&within(printed, needed, false));
                        } else {
                            out.push_str(&within(printed, Binding::Sum, true));
                        }
                    } else {
                        out.push_str(if *minus { " - " } else { " + " });
                        out.push_str(&within(printed, Binding::Product, false));
                    }
                }
                let binding = if parts.len() == 1 {
                    Binding::Unary
                } else {
                    Binding::Sum
                };
                (out, binding)
            }
            Tree::Product(factors) => {
                let mut out = String::new();
                for (index, factor) in factors.iter().enumerate() {
                    if index > 0 {
                        out.push('*');
                    }
                    out.push_str(&within(self.tree(factor)?, Binding::Primary, false));
                }
                (out, Binding::Product)
            }
            Tree::Extremum { greatest, operands } => self.extremum(*greatest, &constants_last(operands))?,
        };
        (text.len() <= MAX_LENGTH).then_some((text, binding))
    }

    /// `(a > b ? a : b)`; of more operands the others together are the second.
    fn extremum(&self, greatest: bool, operands: &[Expr]) -> Printed {
        let (first, others) = operands.split_first()?;
        let (first_text, _) = self.expr(first)?;
        if others.is_empty() {
            return self.expr(first);
        }
        let (condition, (second, _)) = match others {
            [second] => {
                let (left, operator, right) = if greatest {
                    strict_sides(first, second)
                } else {
                    strict_sides(second, first)
                };
                (self.comparison(&left, operator, &right)?.0, self.expr(second)?)
            }
            _ => {
                let rest = self.extremum(greatest, others)?;
                let beats = Condition::all(others.iter().map(|other| {
                    if greatest {
                        Condition::less_equal(other, first)
                    } else {
                        Condition::less_equal(first, other)
                    }
                }));
                (self.condition(&beats)?.0, rest)
            }
        };
        let text = format!("({condition} ? {first_text} : {second})");
        (text.len() <= MAX_LENGTH).then_some((text, Binding::Primary))
    }

    fn binary(&self, a: &Expr, operator: &str, b: &Expr, binding: Binding) -> Printed {
        let (left, right) = (self.expr(a)?, self.expr(b)?);
        // Compilers warn where sums meet shifts and bit operations without parentheses.
        let needed = if binding == Binding::Product {
            Binding::Unary
        } else {
            Binding::Primary
        };
        let left = within(left, needed, binding == Binding::Product);
        Some((
            format!("{left} {operator} {}", within(right, Binding::Primary, false)),
            binding,
        ))
    }

    fn atom(&self, atom: &Atom) -> Printed {
        let Some(operation) = atom.operation() else {
            let text = (self.name)(atom.as_symbol()?);
            let text = if is_postfix(&text) {
                text
            } else {
                format!("({text})")
            };
            return Some((text, Binding::Primary));
        };
        match operation {
            Operation::Max(_) => self.expr(&Expr::atom(atom.clone())),
            Operation::TruncDiv(a, b) => self.binary(a, "/", b, Binding::Product),
            Operation::TruncRem(a, b) => self.binary(a, "%", b, Binding::Product),
            Operation::FloorDiv(a, b) => self.floor_div(a, b),
            Operation::FloorMod(a, b) => self.floor_mod(a, b),
            Operation::And(a, b) => self.binary(a, "&", b, Binding::BitAnd),
            Operation::Or(a, b) => self.binary(a, "|", b, Binding::BitOr),
            Operation::Xor(a, b) => self.binary(a, "^", b, Binding::BitXor),
            Operation::ShiftLeft(a, b) => {
                // The shift of a negative value is undefined in C.
                if !self.shows(a) {
                    return None;
                }
                self.binary(a, "<<", b, Binding::Shift)
            }
            Operation::ShiftRight(a, b) => self.binary(a, ">>", b, Binding::Shift),
            Operation::Guarded(cases) => {
                let mut cases = cases_in_order(cases);
                let (_, last) = cases.pop()?;
                let mut out = String::from("(");
                for (condition, value) in &cases {
                    let (condition, _) = self.condition(condition)?;
                    let (value, _) = self.expr(value)?;
                    out.push_str(&format!("{condition} ? {value} : "));
                }
                out.push_str(&self.expr(&last)?.0);
                out.push(')');
                Some((out, Binding::Primary))
            }
            Operation::Oversize { .. } => None,
        }
    }

    fn floor_div(&self, a: &Expr, b: &Expr) -> Printed {
        let positive = self.shows(&b.add_constant(&Integer::MINUS_ONE));
        if positive && self.shows(a) {
            return self.binary(a, "/", b, Binding::Product);
        }
        let (quotient, _) = self.binary(a, "/", b, Binding::Product)?;
        let (remainder, _) = self.binary(a, "%", b, Binding::Product)?;
        if positive {
            return Some((format!("{quotient} - ({remainder} < 0)"), Binding::Sum));
        }
        let divisor = within(self.expr(b)?, Binding::Shift, true);
        let correction = format!("({remainder} != 0 && ({remainder} < 0) != ({divisor} < 0))");
        Some((format!("{quotient} - {correction}"), Binding::Sum))
    }

    fn floor_mod(&self, a: &Expr, b: &Expr) -> Printed {
        let positive = self.shows(&b.add_constant(&Integer::MINUS_ONE));
        if positive && self.shows(a) {
            return self.binary(a, "%", b, Binding::Product);
        }
        if let Some(modulus) = b.as_constant()
            && modulus.exponent_of_two().is_some()
        {
            return self.binary(a, "&", &Expr::constant(modulus - Integer::ONE), Binding::BitAnd);
        }
        let (remainder, _) = self.binary(a, "%", b, Binding::Product)?;
        let divisor = within(self.expr(b)?, Binding::Primary, false);
        Some((format!("({remainder} + {divisor}) % {divisor}"), Binding::Product))
    }

    fn condition(&self, condition: &Condition) -> Printed {
        match condition.kind() {
            ConditionKind::True => Some(("1".to_string(), Binding::Primary)),
            ConditionKind::False => Some(("0".to_string(), Binding::Primary)),
            ConditionKind::Comparison(comparison) => {
                let (left, operator, right) = sides(&comparison.expr, comparison.relation);
                self.comparison(&left, operator, &right)
            }
            ConditionKind::And(operands) => self.join(operands, " && ", Binding::And),
            ConditionKind::Or(operands) => self.join(operands, " || ", Binding::Or),
        }
    }

    fn comparison(&self, left: &Expr, operator: &str, right: &Expr) -> Printed {
        let left = within(self.expr(left)?, Binding::Shift, true);
        let right = within(self.expr(right)?, Binding::Shift, true);
        Some((format!("{left} {operator} {right}"), Binding::Compare))
    }

    fn join(&self, operands: &[Condition], operator: &str, binding: Binding) -> Printed {
        let mut parts = Vec::with_capacity(operands.len());
        // C evaluates from left to right: what protects a division comes before it.
        let (ordered, _) = evaluation_order(&self.options.facts, operands, binding == Binding::And)?;
        for operand in &ordered {
            parts.push(within(self.condition(operand)?, Binding::BitOr, true));
        }
        let text = parts.join(operator);
        (text.len() <= MAX_LENGTH).then_some((text, binding))
    }
}

/// The text as an operand that must bind at least this tightly; a leading minus needs parentheses unless it may stand there.
fn within((text, binding): (String, Binding), needed: Binding, minus_allowed: bool) -> String {
    if binding < needed || (text.starts_with('-') && !minus_allowed) {
        format!("({text})")
    } else {
        text
    }
}

/// A constant of at least 0 that a signed C type holds: an unsigned one would turn the values beside it into unsigned ones.
fn number(value: &Integer) -> Option<String> {
    value.to_i64().map(|value| value.to_string())
}

/// A name, member, element or call: something that any operator may stand beside.
fn is_postfix(text: &str) -> bool {
    let mut depth = 0usize;
    let mut previous = ' ';
    let starts_well = text
        .chars()
        .next()
        .is_some_and(|first| first.is_alphanumeric() || first == '_');
    if !starts_well {
        // Already in parentheses as a whole.
        return text.starts_with('(') && closes_at_end(text);
    }
    for character in text.chars() {
        match character {
            '[' | '(' => depth += 1,
            ']' | ')' => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return false,
            },
            _ if depth > 0 => {}
            '_' | '.' => {}
            '-' => {}
            '>' if previous == '-' => {}
            other if other.is_alphanumeric() => {
                if matches!(previous, '-' | ')' | ']') {
                    return false;
                }
            }
            _ => return false,
        }
        previous = character;
    }
    depth == 0 && !matches!(previous, '-' | '>' | '.')
}

fn closes_at_end(text: &str) -> bool {
    let mut depth = 0i32;
    for (position, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return position + character.len_utf8() == text.len();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(symbol: Symbol) -> String {
        ["i", "j", "m", "n", "*p", "s->size"][symbol.0 as usize].to_string()
    }

    fn shown(e: &Expr) -> String {
        c_text(e, &name, &COptions::default()).unwrap()
    }

    #[test]
    fn prints_readable_c() {
        let [i, j, m, n, p, q] = [0, 1, 2, 3, 4, 5].map(|index| Expr::symbol(Symbol(index)));
        assert_eq!(shown(&Expr::max(&Expr::zero(), &n)), "(n > 0 ? n : 0)");
        assert_eq!(shown(&Expr::max(&Expr::zero(), &(&n - 1))), "(n > 1 ? n - 1 : 0)");
        assert_eq!(shown(&Expr::min(&n, &m)), "(n > m ? m : n)");
        assert_eq!(shown(&((&i - 1) * &n + &j)), "(i - 1)*n + j");
        assert_eq!(shown(&(&i * &p - &q)), "i*(*p) - s->size");
        assert_eq!(shown(&(Expr::trunc_div(&i, &p) * &n)), "n*(i / (*p))");
        assert_eq!(shown(&(-Expr::trunc_div(&i, &n))), "-(i / n)");
        assert_eq!(shown(&(&i - (&j + &n) * &m)), "i - (j + n)*m");
        assert_eq!(shown(&Expr::floor_div(&n, &Expr::int(2))), "n / 2 - (n % 2 < 0)");
        assert_eq!(shown(&Expr::floor_mod(&n, &Expr::int(8))), "n & 7");
        let mut facts = Facts::new();
        facts.assume_nonnegative(&n);
        let options = COptions::with_facts(&facts);
        assert_eq!(
            c_text(&Expr::floor_div(&n, &Expr::int(2)), &name, &options).unwrap(),
            "n / 2"
        );
        assert_eq!(
            shown(&Expr::int(i128::from(i64::MIN))),
            "-9223372036854775807 - 1"
        );
        assert_eq!(c_text(&Expr::int(1 << 70), &name, &COptions::default()), None);
    }

    #[test]
    fn knows_what_needs_parentheses() {
        for text in ["n", "a.b", "a->b", "a[i + 1]", "f(x, y)", "(a + b)", "a[i]->b.c"] {
            assert!(is_postfix(text), "{text}");
        }
        for text in [
            "*n",
            "a-b",
            "a - b",
            "(a) + (b)",
            "-1",
            "",
            "a->",
            "a ? b : c",
            "(int)x + 1",
        ] {
            assert!(!is_postfix(text), "{text}");
        }
    }
}
