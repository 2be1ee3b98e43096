//! The C text of an expression has its value: read by an evaluator of C expressions that knows nothing of the printer.

use crate::common;

use common::*;
use ferry_symbolic::{COptions, Expr, Facts, Symbol, c_condition, c_text, condition_text, name_common, text};
use proptest::prelude::*;

/// Evaluates C expressions over `long`, with C's precedence, truncation and laziness. `None`: undefined, or not C.
struct Reader<'a> {
    tokens: Vec<String>,
    position: usize,
    vars: &'a [i64],
    /// Inside an operand that C does not evaluate.
    skipping: u32,
    /// The divisions by zero, overflows and bad shifts that were evaluated.
    undefined: bool,
}

fn tokens(text: &str) -> Option<Vec<String>> {
    let chars: Vec<char> = text.chars().collect();
    let mut all = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let c = chars[at];
        if c.is_whitespace() {
            at += 1;
        } else if c.is_alphanumeric() || c == '_' {
            let start = at;
            while at < chars.len() && (chars[at].is_alphanumeric() || chars[at] == '_') {
                at += 1;
            }
            all.push(chars[start..at].iter().collect());
        } else {
            let two: String = chars[at..(at + 2).min(chars.len())].iter().collect();
            // C reads the longest token; -- and ++ and comments must never appear.
            if ["--", "++", "/*", "//"].contains(&two.as_str()) {
                return None;
            }
            if ["<<", ">>", "<=", ">=", "==", "!=", "&&", "||"].contains(&two.as_str()) {
                all.push(two);
                at += 2;
            } else {
                all.push(c.to_string());
                at += 1;
            }
        }
    }
    Some(all)
}

const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Reader<'_> {
    fn peek(&self) -> &str {
        self.tokens.get(self.position).map_or("", String::as_str)
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.position += usize::from(found);
        found
    }

    fn bad(&mut self) -> i128 {
        if self.skipping == 0 {
            self.undefined = true;
        }
        1
    }

    fn ternary(&mut self) -> Option<i128> {
        let condition = self.binary(0)?;
        if !self.take("?") {
            return Some(condition);
        }
        let skip = u32::from(condition == 0);
        self.skipping += skip;
        let a = self.ternary()?;
        self.skipping -= skip;
        if !self.take(":") {
            return None;
        }
        let skip = u32::from(condition != 0);
        self.skipping += skip;
        let b = self.ternary()?;
        self.skipping -= skip;
        Some(if condition != 0 { a } else { b })
    }

    fn binary(&mut self, level: usize) -> Option<i128> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        while operators.contains(&self.peek()) {
            let operator = self.peek().to_string();
            self.position += 1;
            let skip = u32::from((operator == "&&" && left == 0) || (operator == "||" && left != 0));
            self.skipping += skip;
            let right = self.binary(level + 1)?;
            self.skipping -= skip;
            left = match operator.as_str() {
                "||" => i128::from(left != 0 || right != 0),
                "&&" => i128::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i128::from(left == right),
                "!=" => i128::from(left != right),
                "<" => i128::from(left < right),
                ">" => i128::from(left > right),
                "<=" => i128::from(left <= right),
                ">=" => i128::from(left >= right),
                "<<" if (0..40).contains(&right) && left >= 0 => left.checked_shl(right as u32)?,
                ">>" if (0..100).contains(&right) => left >> right,
                "+" => left.checked_add(right)?,
                "-" => left.checked_sub(right)?,
                "*" => left.checked_mul(right)?,
                "/" if right != 0 => left / right,
                "%" if right != 0 => left % right,
                _ => self.bad(),
            };
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<i128> {
        if self.take("-") {
            return Some(-self.unary()?);
        }
        if self.take("*") {
            // The pointer p points to the second variable.
            return self.take("p").then(|| i128::from(self.vars[1]));
        }
        if self.take("(") {
            let value = self.ternary()?;
            return self.take(")").then_some(value);
        }
        let token = self.peek().to_string();
        self.position += 1;
        match token.as_str() {
            "a" => Some(i128::from(self.vars[0])),
            "c" => Some(i128::from(self.vars[2])),
            number => number.parse().ok(),
        }
    }
}

enum Outcome {
    NotC,
    Undefined,
    Value(i128),
}

fn evaluate(text: &str, vars: &[i64]) -> Outcome {
    let Some(tokens) = tokens(text) else {
        return Outcome::NotC;
    };
    let mut reader = Reader {
        tokens,
        position: 0,
        vars,
        skipping: 0,
        undefined: false,
    };
    match reader.ternary() {
        Some(value) if reader.position == reader.tokens.len() => {
            if reader.undefined {
                Outcome::Undefined
            } else {
                Outcome::Value(value)
            }
        }
        _ => Outcome::NotC,
    }
}

fn name(symbol: Symbol) -> String {
    ["a", "*p", "c"][symbol.0 as usize].to_string()
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn text_has_the_value(tree in prop_oneof![trees(3), mild(3), sums(3)], least in prop_oneof![Just(None), (-1i64..=2).prop_map(Some)]) {
        let expr = tree.expr();
        let mut options = COptions::default();
        if let Some(least) = least {
            for var in 0..3 {
                options.facts.assume_nonnegative(Expr::symbol(Symbol(var)) - i128::from(least));
            }
        }
        if let Some(text) = c_text(&expr, &name, &options) {
            for point in points(3, least.unwrap_or(-3), 4) {
                let Some(expected) = tree.value(&point) else { continue };
                match evaluate(&text, &point) {
                    Outcome::Value(value) => prop_assert_eq!(value, expected, "{} for {:?} at {:?}", text, expr, point),
                    Outcome::Undefined => prop_assert!(false, "{} is undefined at {:?}", text, point),
                    Outcome::NotC => prop_assert!(false, "{} is not C", text),
                }
            }
        }
        prop_assert!(!text(&expr, &name).is_empty());
    }

    #[test]
    fn condition_text_has_the_truth(test in mild_tests(3)) {
        let condition = test.condition();
        prop_assert!(!condition_text(&condition, &name).is_empty());
        if let Some(text) = c_condition(&condition, &name, &COptions::default()) {
            for point in points(3, -3, 3) {
                let Some(expected) = test.value(&point) else { continue };
                match evaluate(&text, &point) {
                    Outcome::Value(value) => prop_assert_eq!(value != 0, expected, "{} for {:?} at {:?}", text, condition, point),
                    // C evaluates from left to right, the condition decides where any part does.
                    Outcome::Undefined => {}
                    Outcome::NotC => prop_assert!(false, "{} is not C", text),
                }
            }
        }
    }

    #[test]
    fn naming_keeps_the_value(a in trees(3), b in mild(3)) {
        let given = [a.expr(), b.expr(), a.expr() + b.expr()];
        let mut next = 100;
        let (definitions, mut renamed) = name_common(&given, &mut || { next += 1; Symbol(next) });
        for (symbol, value) in definitions.iter().rev() {
            prop_assert!(definitions.iter().skip_while(|(own, _)| own != symbol).all(|(own, _)| !value.mentions(*own)));
            renamed = renamed.iter().map(|e| e.substitute(*symbol, value)).collect();
        }
        for point in points(3, -2, 3) {
            for (before, after) in given.iter().zip(&renamed) {
                if let Some(value) = before.evaluate(&valuation(&point)) {
                    prop_assert_eq!(after.evaluate(&valuation(&point)), Some(value));
                }
            }
        }
    }
}

#[test]
fn sections_read_as_in_the_paper() {
    let names = |symbol: Symbol| ["i", "j", "n", "m"][symbol.0 as usize].to_string();
    let [i, _, n, m] = [0, 1, 2, 3].map(|index| Expr::symbol(Symbol(index)));
    let c = |e: &Expr| c_text(e, &names, &COptions::default()).unwrap();
    // saxpy, saxpy_3off, fdtd_2d (ANSWERS §1.3 and §2.5).
    assert_eq!(c(&Expr::max(&Expr::zero(), &n)), "(n > 0 ? n : 0)");
    assert_eq!(c(&Expr::max(&Expr::zero(), &(&n - 3))), "(n > 3 ? n - 3 : 0)");
    assert_eq!(c(&((&i - 1) * &n)), "(i - 1)*n");
    assert_eq!(c(&(&n * 2)), "2*n");
    assert_eq!(c(&(&i * &n + 1)), "i*n + 1");
    assert_eq!(c(&(&m * &n - &n)), "(m - 1)*n");
    assert_eq!(
        text(&Expr::max(&Expr::zero(), &(&n - 3)), &names),
        "max(0, n - 3)"
    );
    let mut facts = Facts::new();
    facts.assume_positive(&n);
    assert_eq!(c(&facts.simplify(&Expr::max(&Expr::zero(), &n))), "n");
}
