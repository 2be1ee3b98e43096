//! How is an expression over named values written in C so that it has the same value?
//!
//! Mathematics does not overflow, C does. A product of two named values is computed in `long`, and so is every sum
//! beside it: then it overflows only where an address of the loop would have overflowed too. There is no minimum in C:
//! `(a < b ? a : b)`. The printer of `ferry_symbolic::c_text` does not care for the widths of C's types; this one does.
//!
//! A sum of unsigned values is computed modulo 2ⁿ: where it is not proved to be one of their type, each of them becomes a `long` first (`(long)n - 2`).
//!
//! A limit that no address depends on may be the greatest value of its type (`if (i <= limit)`), and `limit + 1` is nothing
//! then. So a comparison has no `+ 1` where it can do without: the smaller of `limit + 1` and `n` is
//! `(limit < n ? limit + 1 : n)`. What is left of this is found where the text is read again (`said`), and not written.

use ferry_symbolic::{
    Atom, Comparison, Condition, ConditionKind, Expr, Facts, Integer, Monomial, Operation, Relation, Symbol,
    Term,
};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Names of symbols.
pub type Names = BTreeMap<Symbol, String>;

/// The symbols that stand for values of unsigned types that C does not make an `int` of, with the bits of these.
pub type Unsigned = BTreeMap<Symbol, u32>;

const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const PRIMARY: u8 = 3;

/// The text of an expression; `None` if it has more than `longest` bytes. Each maximum in a maximum doubles the text, so one that is too long is not written to its end.
pub fn expression(
    value: &Expr,
    facts: &Facts,
    names: &Names,
    unsigned: &Unsigned,
    longest: usize,
) -> Option<String> {
    let writer = Writer::new(facts, names, unsigned, longest);
    let text = writer.expr(value, 0);
    (text.len() <= longest && !writer.too_long.get()).then_some(text)
}

/// False for what C has no text for: constants that no type holds, and values that were too large to keep.
pub fn is_printable(value: &Expr) -> bool {
    !value.is_oversize()
        && value.terms().all(|term| {
            let factors = term.monomial.factors().iter();
            term.coefficient.to_i64().is_some()
                && factors
                    .filter_map(|(atom, _)| atom.operation())
                    .all(is_printable_operation)
        })
}

fn is_printable_operation(operation: &Operation) -> bool {
    let conditions = match operation {
        Operation::Oversize { .. } => return false,
        Operation::Guarded(cases) => &cases[..],
        _ => &[],
    };
    conditions
        .iter()
        .all(|(condition, _)| is_printable_condition(condition))
        && operation.operands().into_iter().all(is_printable)
}

fn is_printable_condition(condition: &Condition) -> bool {
    match condition.kind() {
        ConditionKind::True | ConditionKind::False => true,
        ConditionKind::Comparison(comparison) => is_printable(&comparison.expr),
        ConditionKind::And(parts) | ConditionKind::Or(parts) => parts.iter().all(is_printable_condition),
    }
}

/// The text of a condition, to be used as an operand of `&&`.
pub fn condition(condition: &Condition, facts: &Facts, names: &Names, unsigned: &Unsigned) -> String {
    Writer::new(facts, names, unsigned, usize::MAX).condition(condition, true)
}

#[derive(Clone)]
struct Writer<'a> {
    facts: &'a Facts,
    names: &'a Names,
    unsigned: &'a Unsigned,
    longest: usize,
    /// In a sum whose unsigned values become `long`.
    widening: Cell<bool>,
    /// In an operand of a maximum or minimum, where a comparison keeps `limit + 1` from being nothing.
    compared: Cell<bool>,
    /// A part is longer than the whole may be: what is written from here on is of no use.
    too_long: Cell<bool>,
}

impl<'a> Writer<'a> {
    fn new(facts: &'a Facts, names: &'a Names, unsigned: &'a Unsigned, longest: usize) -> Writer<'a> {
        Writer {
            facts,
            names,
            unsigned,
            longest,
            widening: Cell::new(false),
            compared: Cell::new(false),
            too_long: Cell::new(false),
        }
    }

    /// Text with parentheses if it binds less than `level`.
    fn expr(&self, value: &Expr, level: u8) -> String {
        if self.too_long.get() {
            return String::new();
        }
        let text = self.sum(value, level);
        self.note_length(&text);
        text
    }

    /// True if C may compute a sum of unsigned values to another one.
    fn may_wrap(&self, value: &Expr) -> bool {
        if value.terms().count() < 2 {
            return false;
        }
        let factors = || value.terms().flat_map(|term| term.monomial.factors());
        let bits: Vec<Option<u32>> = factors()
            .map(|(atom, _)| self.unsigned.get(&atom.as_symbol()?).copied())
            .collect();
        let Some(narrowest) = bits.iter().flatten().min() else {
            return false;
        };
        if !self.facts.prove_nonnegative(value) {
            return true;
        }
        // What is there only while it is computed counts where not all have one type.
        let takes_away = value.terms().any(|term| term.coefficient.is_negative());
        let is_mixed = bits.iter().any(|bits| *bits != Some(*narrowest))
            || value.terms().any(|term| term.monomial.degree() > 1);
        let added = value.terms().filter(|term| {
            let is_kept = term.monomial.is_one() && self.compared.get();
            !(term.coefficient.is_negative() || is_kept)
        });
        let adds = added.count() > 1;
        let most = &Expr::constant(Integer::power_of_two(*narrowest)) - &Expr::one();
        (takes_away && is_mixed)
            || (adds && *narrowest < 64 && !self.facts.prove_nonnegative(&(&most - value)))
    }

    fn note_length(&self, text: &str) {
        if text.len() > self.longest {
            self.too_long.set(true);
        }
    }

    fn sum(&self, value: &Expr, level: u8) -> String {
        if let Some(text) = self.folded(value) {
            return text;
        }
        if let Some(text) = self.factored(value) {
            return parenthesize(text, level > SUM);
        }
        let fixed = Expr::constant(value.constant_term());
        if !fixed.is_zero()
            && let Some(text) = self.folded(&(value - &fixed))
        {
            let (sign, size) = match value.constant_term().is_negative() {
                true => ("-", constant(&value.constant_term().abs())),
                false => ("+", constant(&value.constant_term())),
            };
            return parenthesize(format!("{text} {sign} {size}"), level > SUM);
        }
        let outside = self.widening.get();
        self.widening.set(outside || self.may_wrap(value));
        let text = self.terms(value, level);
        self.widening.set(outside);
        text
    }

    fn terms(&self, value: &Expr, level: u8) -> String {
        let terms: Vec<&Term> = ordered(value);
        match terms.as_slice() {
            [] => "0".to_owned(),
            [one] => self.term(one, level),
            _ => {
                let mut text = String::new();
                for term in terms {
                    let negative = term.coefficient.is_negative() && self.minimum(term).is_none();
                    if text.is_empty() {
                        text = self.term(term, SUM);
                    } else if negative {
                        let positive = Term {
                            monomial: term.monomial.clone(),
                            coefficient: term.coefficient.abs(),
                        };
                        text.push_str(" - ");
                        text.push_str(&self.term(&positive, PRODUCT));
                    } else {
                        text.push_str(" + ");
                        text.push_str(&self.term(term, PRODUCT));
                    }
                }
                // Two that are added before something is taken away may be too much for their type, and the difference not.
                let named = |negative: bool| {
                    let own = value.without_constant();
                    own.terms()
                        .filter(|term| term.coefficient.is_negative() == negative)
                        .count()
                };
                let leaves_first = named(false) > 1 && named(true) > 0;
                if (leaves_first || self.takes_unknown_away(value)) && starts_with_name(&text) {
                    text = format!("(long){text}");
                }
                parenthesize(text, level > SUM)
            }
        }
    }

    /// True if two values or more are taken away of which one may be negative: `a - b` may then be too much for its type where `a - b - c` is not.
    fn takes_unknown_away(&self, value: &Expr) -> bool {
        let own = value.without_constant();
        let taken: Vec<&Term> = own
            .terms()
            .filter(|term| term.coefficient.is_negative())
            .collect();
        let is_known = |term: &&Term| {
            let mut factors = term
                .monomial
                .factors()
                .iter()
                .map(|(atom, _)| Expr::atom(atom.clone()));
            factors.all(|factor| self.is_nonnegative(&factor))
        };
        taken.len() > 1 && !taken.iter().all(is_known)
    }

    /// A sum with a maximum or minimum in it that is shorter inside: `b + max(0, a - b)` is the maximum of `a` and `b`.
    fn folded(&self, value: &Expr) -> Option<String> {
        let count = |expr: &Expr| expr.terms().count();
        value.terms().find_map(|term| {
            let [(atom, 1)] = term.monomial.factors() else {
                return None;
            };
            let Some(Operation::Max(operands)) = atom.operation() else {
                return None;
            };
            let maximum = Expr::atom(atom.clone());
            let (rest, comparison) = if term.coefficient == Integer::from(1) {
                (value - &maximum, ">")
            } else if term.coefficient == Integer::from(-1) {
                (value + &maximum, "<")
            } else {
                return None;
            };
            let inside: Vec<Expr> = operands
                .iter()
                .map(|operand| {
                    if comparison == ">" {
                        &rest + operand
                    } else {
                        &rest - operand
                    }
                })
                .collect();
            let before = count(&rest) + operands.iter().map(count).sum::<usize>();
            let after = inside.iter().map(count).sum::<usize>();
            (!rest.is_zero() && after < before).then(|| self.extremum(&inside, comparison))
        })
    }

    /// A sum with a product of an extremum that is shorter inside: `m * m - m * max(0, m - n)` is the minimum of `m` and `n`, `m` times. The difference of the two may be so large that
    /// its product with another size leaves every type, where the minimum is negative, and the loop does not run.
    fn factored(&self, value: &Expr) -> Option<String> {
        let one = Integer::from(1);
        let (own, operands, others) = value.terms().find_map(|term| {
            let mut factors = term.monomial.factors().iter();
            let (maximum, operands) = factors.find_map(|(atom, power)| match (power, atom.operation()) {
                (1, Some(Operation::Max(operands))) => Some((Expr::atom(atom.clone()), operands)),
                _ => None,
            })?;
            let own = maximum.terms().next()?.monomial.clone();
            let others = term.monomial.divided_by(&own)?;
            (!others.is_one() && term.coefficient.abs() == one).then_some((own, operands, others))
        })?;
        let is_inside = |monomial: &Monomial| {
            let mut terms = operands.iter().flat_map(Expr::terms);
            *monomial == own || (!monomial.is_one() && terms.any(|term| term.monomial == *monomial))
        };
        let (mut quotient, mut rest) = (Expr::zero(), value.clone());
        for term in value.terms() {
            if let Some(inside) = term.monomial.divided_by(&others).filter(is_inside) {
                quotient = &quotient + &Expr::monomial(&inside, term.coefficient.clone());
                rest = &rest - &Expr::monomial(&term.monomial, term.coefficient.clone());
            }
        }
        let extremum = self.folded(&quotient)?;
        let product = self.term(
            &Term {
                monomial: others,
                coefficient: one,
            },
            PRODUCT,
        );
        let mut text = format!("(long){extremum} * {product}");
        for term in ordered(&rest) {
            let size = Term {
                monomial: term.monomial.clone(),
                coefficient: term.coefficient.abs(),
            };
            let sign = if term.coefficient.is_negative() { '-' } else { '+' };
            text.push_str(&format!(" {sign} {}", self.term(&size, PRODUCT)));
        }
        Some(text)
    }

    fn term(&self, term: &Term, level: u8) -> String {
        if let Some(text) = self.minimum(term) {
            return text;
        }
        let mut factors: Vec<String> = Vec::new();
        let mut symbols = 0;
        for (atom, power) in term.monomial.factors() {
            for _ in 0..*power {
                symbols += 1;
                factors.push(self.atom(atom));
            }
        }
        let widened = |text: &String| match text.starts_with("(long)") {
            true => text.clone(),
            false => format!("(long){text}"),
        };
        if symbols >= 2 {
            factors[0] = widened(&factors[0]);
        }
        let coefficient = &term.coefficient;
        if factors.is_empty() {
            let text = constant(coefficient);
            return parenthesize(text, coefficient.is_negative() && level > 0);
        }
        let one = Integer::from(1);
        if *coefficient == Integer::from(-1) {
            return parenthesize(format!("-{}", factors.join(" * ")), level > 0);
        }
        if *coefficient != one {
            factors.insert(0, constant(coefficient));
            if symbols == 1 {
                factors[1] = widened(&factors[1]);
            }
        }
        let count = factors.len();
        let text = factors.join(" * ");
        parenthesize(
            text,
            (count > 1 && level > PRODUCT) || (coefficient.is_negative() && level > 0),
        )
    }

    fn atom(&self, atom: &Atom) -> String {
        if let Some(symbol) = atom.as_symbol() {
            let name = self
                .names
                .get(&symbol)
                .cloned()
                .unwrap_or_else(|| format!("s{}", symbol.0));
            let simple = name
                .strip_prefix("(long)")
                .unwrap_or(&name)
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_->.[]".contains(&byte));
            let text = parenthesize(name, !simple);
            return match self.widening.get() && self.unsigned.contains_key(&symbol) {
                true => format!("(long){text}"),
                false => text,
            };
        }
        match atom.operation() {
            Some(operation) => self.operation(operation),
            None => "0".to_owned(),
        }
    }

    fn operation(&self, operation: &Operation) -> String {
        match operation {
            Operation::Max(operands) => self.extremum(operands, ">"),
            Operation::FloorDiv(a, b) => self.floor_div(a, b),
            Operation::FloorMod(a, b) => {
                let quotient = Expr::floor_div(a, b);
                self.expr(&(a - &(&quotient * b)), PRIMARY)
            }
            Operation::TruncDiv(a, b) => {
                format!("({} / {})", self.expr(a, PRODUCT), self.expr(b, PRIMARY))
            }
            Operation::TruncRem(a, b) => {
                format!("({} % {})", self.expr(a, PRODUCT), self.expr(b, PRIMARY))
            }
            Operation::And(a, b) => format!("({} & {})", self.expr(a, PRIMARY), self.expr(b, PRIMARY)),
            Operation::Or(a, b) => format!("({} | {})", self.expr(a, PRIMARY), self.expr(b, PRIMARY)),
            Operation::Xor(a, b) => format!("({} ^ {})", self.expr(a, PRIMARY), self.expr(b, PRIMARY)),
            Operation::ShiftLeft(a, b) => {
                format!("((long){} << {})", self.expr(a, PRIMARY), self.expr(b, PRIMARY))
            }
            Operation::ShiftRight(a, b) => {
                format!("({} >> {})", self.expr(a, PRIMARY), self.expr(b, PRIMARY))
            }
            Operation::Guarded(cases) => {
                // The cases are all there are: the last needs no test.
                let Some((last, others)) = cases.split_last() else {
                    return "0".to_owned();
                };
                let mut text = self.in_case(last);
                for case in others.iter().rev() {
                    text = format!(
                        "({} ? {} : {text})",
                        self.condition(&without_extrema(&case.0), false),
                        self.in_case(case)
                    );
                }
                text
            }
            // Refused before anything is printed.
            Operation::Oversize { .. } => "0".to_owned(),
        }
    }

    /// The value of one case, where its condition holds.
    fn in_case(&self, (condition, value): &(Condition, Expr)) -> String {
        let mut facts = self.facts.clone();
        facts.assume(&without_extrema(condition));
        self.where_known(&facts, value)
    }

    /// The value where more is known.
    fn where_known(&self, facts: &Facts, value: &Expr) -> String {
        let writer = Writer {
            facts,
            ..self.clone()
        };
        let text = writer.expr(value, SUM);
        self.too_long.set(writer.too_long.get());
        text
    }

    fn extremum(&self, operands: &[Expr], comparison: &str) -> String {
        // The smaller of `limit + 1` and `n` is never nothing; the greater may be.
        let outside = self.compared.replace(comparison == "<");
        let text = self.greatest(operands, comparison);
        self.compared.set(outside);
        text
    }

    /// What is written of values that are compared with each other. C makes a negative value a large one where it compares it with an unsigned one: there, these become `long`.
    fn signed(&self, compared: &[&Expr], write: impl Fn() -> String) -> String {
        let is_unsigned = |symbol: &Symbol| self.unsigned.contains_key(symbol);
        let mixed = compared
            .iter()
            .any(|value| value.symbols().iter().any(is_unsigned))
            && !compared.iter().all(|value| self.is_nonnegative(value));
        let outside = self.widening.get();
        self.widening.set(outside || mixed);
        let text = write();
        self.widening.set(outside);
        text
    }

    /// What is unsigned is not negative, whatever else is known of it.
    fn is_nonnegative(&self, value: &Expr) -> bool {
        let is_unsigned = |symbol: Symbol| self.unsigned.contains_key(&symbol);
        value.as_symbol().is_some_and(is_unsigned) || self.facts.prove_nonnegative(value)
    }

    fn greatest(&self, operands: &[Expr], comparison: &str) -> String {
        // Zero last: (n > 0 ? n : 0).
        let mut operands: Vec<&Expr> = operands.iter().collect();
        operands.sort_by_key(|operand| (operand.as_constant().is_some(), (*operand).clone()));
        // max(0, e) tests e without computing it where it could overflow: (n > 3 ? n - 3 : 0).
        if let [first, zero] = operands.as_slice()
            && zero.is_zero()
        {
            let whole = || self.test_of_extremum(first, comparison);
            let product = || self.test_of_product(first, comparison);
            let short = product()
                .or_else(|| self.without_one(first, comparison))
                .or_else(whole);
            let test = short.unwrap_or_else(|| self.test(sides(first), comparison));
            // What is tested need not be widened, unless all is.
            let mut facts = self.facts.clone();
            if comparison == ">" {
                facts.assume_nonnegative((*first).clone());
            }
            return format!("({test} ? {} : 0)", self.where_known(&facts, first));
        }
        self.signed(&operands, || self.greatest_of(&operands, comparison))
    }

    /// The test of a value that is a maximum or minimum, and a number: apart (`m > (m > n ? m - n : 0)`), its parts may be too much for their type.
    fn test_of_extremum(&self, value: &Expr, comparison: &str) -> Option<String> {
        let own = value.without_constant();
        let text = self.folded(&own)?;
        let bound = constant(&-&value.constant_term());
        Some(format!("{text} {comparison} {bound}"))
    }

    /// The same of a value with a product of one.
    fn test_of_product(&self, value: &Expr, comparison: &str) -> Option<String> {
        let text = self.factored(&value.without_constant())?;
        let bound = constant(&-&value.constant_term());
        Some(format!("{text} {comparison} {bound}"))
    }

    fn greatest_of(&self, operands: &[&Expr], comparison: &str) -> String {
        let mut rest = operands.iter();
        let Some(first) = rest.next() else {
            return "0".to_owned();
        };
        let mut before = Some(first);
        rest.fold(self.operand(first), |text, operand| {
            self.note_length(&text);
            if self.too_long.get() {
                return String::new();
            }
            let other = self.operand(operand);
            let short = before
                .take()
                .and_then(|first| self.without_one(&(*first - *operand), comparison));
            let test = short.unwrap_or_else(|| format!("{text} {comparison} {other}"));
            format!("({test} ? {text} : {other})")
        })
    }

    /// An operand of a maximum of several. The difference of two of which nothing is known may leave its type where the loop does not run, and has not computed it.
    fn operand(&self, value: &Expr) -> String {
        let text = self.expr(value, SUM);
        let own = value.without_constant();
        let is_difference = own.terms().count() > 1 && own.terms().any(|term| term.coefficient.is_negative());
        let is_certain = || {
            let mut factors = own.terms().flat_map(|term| term.monomial.factors());
            self.facts.prove_nonnegative(value)
                || factors.all(|(atom, _)| self.facts.prove_nonnegative(&Expr::atom(atom.clone())))
        };
        match is_difference && starts_with_name(&text) && !is_certain() {
            true => format!("(long){text}"),
            false => text,
        }
    }

    /// `difference > 0` or `difference < 0` without its `+ 1` or `- 1`, true or false as one likes where the difference is zero. `None` if it has none.
    fn without_one(&self, difference: &Expr, comparison: &str) -> Option<String> {
        let constant = difference.constant_term();
        let above = constant == Integer::from(1);
        if !above && constant != Integer::from(-1) {
            return None;
        }
        let (left, right) = sides(&difference.without_constant());
        if left.is_zero() || right.is_zero() {
            return None;
        }
        let operator = match (comparison, above) {
            (">", true) => ">=",
            (">", false) => ">",
            (_, true) => "<",
            (_, false) => "<=",
        };
        Some(self.test((left, right), operator))
    }

    /// A test of what a loop computes, too: with a constant on the other side as the loop does, and else like a condition. What the program adds and takes away in another order
    /// (`n - m + 2` is tested as `n + 2 > m`) may be too much for its type.
    fn test(&self, (left, right): (Expr, Expr), operator: &str) -> String {
        if left.as_constant().is_none() && right.as_constant().is_none() {
            return self.compared(&left, operator, &right);
        }
        self.signed(&[&left, &right], || {
            format!("{} {operator} {}", self.expr(&left, SUM), self.expr(&right, SUM))
        })
    }

    /// A comparison of two sides, each of which may be a sum.
    fn compared(&self, left: &Expr, operator: &str, right: &Expr) -> String {
        self.signed(&[left, right], || {
            format!("{} {operator} {}", self.side(left), self.side(right))
        })
    }

    /// `-max(-a, -b)` is the minimum of `a` and `b`.
    fn minimum(&self, term: &Term) -> Option<String> {
        let [(atom, 1)] = term.monomial.factors() else {
            return None;
        };
        let Some(Operation::Max(operands)) = atom.operation() else {
            return None;
        };
        if term.coefficient != Integer::from(-1) {
            return None;
        }
        let negated: Vec<Expr> = operands.iter().map(|operand| -operand).collect();
        Some(self.extremum(&negated, "<"))
    }

    /// `/` truncates; it is the floor where both are not negative. Otherwise the remainder corrects it.
    fn floor_div(&self, a: &Expr, b: &Expr) -> String {
        let positive = self.facts.prove_nonnegative(&(b - &Expr::one()));
        // A sum may be more than the largest index before it is divided.
        let numerator = |level| match a.terms().count() > 1 {
            true => parenthesize(self.side(a), true),
            false => self.expr(a, level),
        };
        if positive && self.facts.prove_nonnegative(a) {
            return format!("({} / {})", numerator(PRODUCT), self.expr(b, PRIMARY));
        }
        let (a, b) = (numerator(PRIMARY), self.expr(b, PRIMARY));
        format!("({a} / {b} - ({a} % {b} != 0 && ({a} < 0) != ({b} < 0)))")
    }

    fn condition(&self, condition: &Condition, operand: bool) -> String {
        match condition.kind() {
            ConditionKind::True => "1".to_owned(),
            ConditionKind::False => "0".to_owned(),
            ConditionKind::Comparison(comparison) => self.comparison(comparison),
            ConditionKind::And(parts) => {
                let text: Vec<String> = parts.iter().map(|part| self.condition(part, true)).collect();
                parenthesize(text.join(" && "), operand)
            }
            ConditionKind::Or(parts) => {
                let text: Vec<String> = parts.iter().map(|part| self.condition(part, true)).collect();
                parenthesize(text.join(" || "), operand)
            }
        }
    }

    /// `a - b + c >= 0` as `a + c >= b`.
    fn comparison(&self, comparison: &Comparison) -> String {
        if comparison.relation == Relation::NonNegative
            && let Some(text) = self.test_of_product(&comparison.expr, ">=")
        {
            return text;
        }
        let (left, right) = sides(&comparison.expr);
        // n - 1 >= 0 is n > 0.
        let (operator, right) = match comparison.relation {
            Relation::NonNegative if right.constant_term() == Integer::from(1) => {
                (">", &right - &Expr::one())
            }
            Relation::NonNegative => (">=", right),
            Relation::Zero => ("==", right),
            Relation::NonZero => ("!=", right),
        };
        // 0 >= n is n <= 0.
        let (left, operator, right) = match (left.as_constant().is_some(), operator) {
            (true, ">") => (right, "<", left),
            (true, ">=") => (right, "<=", left),
            _ => (left, operator, right),
        };
        self.compared(&left, operator, &right)
    }

    /// One side of a comparison. A condition is computed also where the loop does not run, and where no address of it could overflow: a sum is computed in `long`.
    fn side(&self, side: &Expr) -> String {
        let text = self.expr(side, SUM);
        match side.terms().count() > 1 && starts_with_name(&text) {
            true => format!("(long){text}"),
            false => text,
        }
    }
}

/// `a >= max(b, c)` as `a >= b && a >= c`, and `max(a, b) >= c` as `a >= c || b >= c`: shorter, and nothing is computed for nothing.
fn without_extrema(condition: &Condition) -> Condition {
    match condition.kind() {
        ConditionKind::True | ConditionKind::False => condition.clone(),
        ConditionKind::And(parts) => Condition::all(parts.iter().map(without_extrema)),
        ConditionKind::Or(parts) => Condition::any(parts.iter().map(without_extrema)),
        ConditionKind::Comparison(comparison) => match cases(comparison) {
            Some(cases) => without_extrema(&cases),
            None => condition.clone(),
        },
    }
}

/// The cases of the first maximum in a comparison.
fn cases(comparison: &Comparison) -> Option<Condition> {
    if comparison.relation != Relation::NonNegative {
        return None;
    }
    comparison.expr.terms().find_map(|term| {
        let [(atom, 1)] = term.monomial.factors() else {
            return None;
        };
        let Some(Operation::Max(operands)) = atom.operation() else {
            return None;
        };
        let coefficient = Expr::constant(term.coefficient.clone());
        let rest = &comparison.expr - &(&coefficient * &Expr::atom(atom.clone()));
        let parts = operands
            .iter()
            .map(|operand| Condition::nonnegative(&(&rest + &(&coefficient * operand))));
        Some(match term.coefficient.is_negative() {
            true => Condition::all(parts),
            false => Condition::any(parts),
        })
    })
}

/// `left - right` with what is subtracted on the right.
fn sides(expr: &Expr) -> (Expr, Expr) {
    let mut left = Expr::zero();
    let mut right = Expr::zero();
    for term in expr.terms() {
        let mut product = Expr::constant(term.coefficient.abs());
        for (atom, power) in term.monomial.factors() {
            product = &product * &Expr::atom(atom.clone()).power(*power);
        }
        if term.coefficient.is_negative() {
            right = &right + &product;
        } else {
            left = &left + &product;
        }
    }
    (left, right)
}

/// Products before sums, positive terms first, the constant last: `hi - lo + 1` has a value where `hi + 1` has none.
fn ordered(value: &Expr) -> Vec<&Term> {
    let mut terms: Vec<&Term> = value.terms().collect();
    terms.sort_by_key(|term| {
        (
            term.monomial.degree() == 0,
            term.coefficient.is_negative(),
            std::cmp::Reverse(term.monomial.degree()),
        )
    });
    terms
}

fn starts_with_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

fn constant(value: &Integer) -> String {
    let fits = value.to_i64().is_some_and(|value| i32::try_from(value).is_ok());
    if fits {
        format!("{value}")
    } else {
        format!("{value}L")
    }
}

fn parenthesize(text: String, yes: bool) -> String {
    if yes { format!("({text})") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `n - m - k` with a negative `k`: `n - m` may be less than the least `int`.
    #[test]
    fn differences_are_widened_where_what_is_taken_away_may_be_negative() {
        let [n, m, k] = [0, 1, 2].map(|number| Expr::symbol(Symbol(number)));
        let named = [(0, "n"), (1, "m"), (2, "k")];
        let names = Names::from(named.map(|(number, name)| (Symbol(number), name.to_owned())));
        let difference = &(&n - &m) - &k;
        let text =
            |value: &Expr, facts: &Facts| expression(value, facts, &names, &Unsigned::new(), 100).unwrap();
        let mut facts = Facts::new();
        assert_eq!(text(&difference, &facts), "(long)n - m - k");
        assert_eq!(text(&(&n - &m), &facts), "n - m");
        facts.assume_nonnegative(m.clone());
        assert_eq!(text(&difference, &facts), "(long)n - m - k");
        facts.assume_nonnegative(k.clone());
        assert_eq!(text(&difference, &facts), "n - m - k");
    }

    /// Modulo 2³² a sum is another one where it is less than nothing, or more than the type holds.
    #[test]
    fn unsigned_sums_are_widened_where_they_may_wrap() {
        let (n, m) = (Expr::symbol(Symbol(0)), Expr::symbol(Symbol(1)));
        let names = Names::from([(Symbol(0), "n".to_owned()), (Symbol(1), "m".to_owned())]);
        let text = |value: &Expr, facts: &Facts, bits: u32| {
            let unsigned = Unsigned::from([(Symbol(0), bits), (Symbol(1), bits)]);
            expression(value, facts, &names, &unsigned, 100).unwrap()
        };
        let mut facts = Facts::new();
        facts.assume_nonnegative(n.clone());
        facts.assume_nonnegative(m.clone());
        let (less, sum) = (&n - &Expr::int(2), &n + &m);
        assert_eq!(text(&less, &facts, 32), "(long)n - 2");
        assert_eq!(text(&less, &facts, 64), "(long)n - 2");
        assert_eq!(text(&sum, &facts, 32), "(long)n + (long)m");
        assert_eq!(text(&sum, &facts, 64), "n + m");
        assert_eq!(text(&(&n + &Expr::one()), &facts, 32), "(long)n + 1");
        assert_eq!(text(&(&n + &Expr::one()), &facts, 64), "n + 1");
        assert_eq!(
            text(&Expr::max(&less, &Expr::zero()), &facts, 32),
            "(n > 2 ? n - 2 : 0)"
        );
        facts.assume_nonnegative(&n - &Expr::int(2));
        facts.assume_nonnegative(&Expr::int(1000) - &sum);
        assert_eq!(text(&less, &facts, 32), "n - 2");
        assert_eq!(text(&sum, &facts, 32), "n + m");
    }

    /// C compares `-1` with an `unsigned` as if it were 4294967295.
    #[test]
    fn what_is_compared_with_unsigned_values_stays_signed() {
        let (n, width) = (Expr::symbol(Symbol(0)), Expr::symbol(Symbol(1)));
        let names = Names::from([(Symbol(0), "n".to_owned()), (Symbol(1), "width".to_owned())]);
        let unsigned = Unsigned::from([(Symbol(1), 32)]);
        let mut facts = Facts::new();
        let text = |facts: &Facts| {
            let greatest = expression(&Expr::max(&n, &width), facts, &names, &unsigned, 100).unwrap();
            let test = condition(&Condition::nonnegative(&(&width - &n)), facts, &names, &unsigned);
            (greatest, test)
        };
        let widened = ("(n > (long)width ? n : (long)width)", "(long)width >= n");
        assert_eq!(text(&facts), (widened.0.to_owned(), widened.1.to_owned()));
        facts.assume_nonnegative(n.clone());
        let plain = ("(n > width ? n : width)", "width >= n");
        assert_eq!(text(&facts), (plain.0.to_owned(), plain.1.to_owned()));
    }

    /// `n - m + 2` has a value where `n + 2` may have none.
    #[test]
    fn differences_are_tested_as_sums_in_long() {
        let (n, m, k) = (
            Expr::symbol(Symbol(0)),
            Expr::symbol(Symbol(1)),
            Expr::symbol(Symbol(2)),
        );
        let names = ["n", "m", "k"].iter().zip(0..);
        let names: Names = names
            .map(|(name, number)| (Symbol(number), (*name).to_owned()))
            .collect();
        let length = |value: &Expr| {
            let length = Expr::max(value, &Expr::zero());
            expression(&length, &Facts::new(), &names, &Unsigned::new(), 100).unwrap()
        };
        let difference = &n - &m;
        assert_eq!(length(&difference), "(n > m ? n - m : 0)");
        assert_eq!(length(&(&difference + &Expr::one())), "(n >= m ? n - m + 1 : 0)");
        assert_eq!(
            length(&(&difference + &Expr::int(2))),
            "((long)n + 2 > m ? n - m + 2 : 0)"
        );
        assert_eq!(
            length(&(&(&difference - &k) + &Expr::one())),
            "(n >= (long)m + k ? (long)n - m - k + 1 : 0)"
        );
    }

    /// `hi - lo` may leave an `int` where the loop over it does not run.
    #[test]
    fn differences_beside_others_are_computed_in_long() {
        let (n, hi, lo) = (
            Expr::symbol(Symbol(0)),
            Expr::symbol(Symbol(1)),
            Expr::symbol(Symbol(2)),
        );
        let names = ["n", "hi", "lo"].iter().zip(0..);
        let names: Names = names
            .map(|(name, number)| (Symbol(number), (*name).to_owned()))
            .collect();
        let greatest = Expr::max(&n, &(&hi - &lo));
        let text = |facts: &Facts| expression(&greatest, facts, &names, &Unsigned::new(), 100).unwrap();
        let mut facts = Facts::new();
        assert_eq!(text(&facts), "(n > (long)hi - lo ? n : (long)hi - lo)");
        facts.assume_nonnegative(hi.clone());
        facts.assume_nonnegative(lo.clone());
        assert_eq!(text(&facts), "(n > hi - lo ? n : hi - lo)");
    }

    #[test]
    fn what_nobody_could_read_is_not_written() {
        // Each operand doubles the text.
        let greatest = |count: u32| {
            let operands = (0..count).map(|number| Expr::symbol(Symbol(number)));
            operands
                .reduce(|all, operand| Expr::max(&all, &operand))
                .unwrap_or_default()
        };
        let text = |count: u32, longest: usize| {
            expression(
                &greatest(count),
                &Facts::default(),
                &Names::new(),
                &Unsigned::new(),
                longest,
            )
        };
        assert_eq!(text(2, 100).as_deref(), Some("(s0 > s1 ? s0 : s1)"));
        assert_eq!(text(2, 18), None);
        assert_eq!(text(60, 1_000), None);
    }
}
