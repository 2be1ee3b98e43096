//! What does the text of an assumption say? Comparisons of sums and products of whole numbers and variables, joined by
//! `&&`, as C writes them; beside them `extent(p[0:n])`, how much storage a pointer leads to, where pointers and lengths may be members (`s->r[0:s->n]`).
//!
//! Read as in mathematics, where nothing wraps. Where C could mean something else by the same text (unsigned operands of
//! arithmetic, or beside signed ones; arithmetic under `-fwrapv`), it is refused.
//!
//! What it cannot do: `||`, `!`, division, macros, and names of constants; members and elements in comparisons; extents in front of what a pointer points to.

use super::path::Path;
use crate::value::comparison;
use ferry_ir::{BinaryOp, Type, TypeId, Types};
use ferry_symbolic::{Condition, Expr};

/// Deepest nesting of parentheses and signs.
const DEEPEST: usize = 32;

/// Longest text.
const LONGEST: usize = 1000;

/// An assumption as it is spelled; its names are not looked up.
#[derive(Clone, PartialEq, Debug)]
pub struct Spoken {
    /// The text.
    pub text: String,
    comparisons: Vec<Comparison>,
    extents: Vec<Extent>,
}

/// That a pointer leads to so many elements.
#[derive(Clone, PartialEq, Debug)]
struct Extent {
    pointer: Path,
    length: Term,
}

/// One comparison.
#[derive(Clone, PartialEq, Debug)]
struct Comparison {
    op: BinaryOp,
    left: Term,
    right: Term,
}

/// A value.
#[derive(Clone, PartialEq, Debug)]
enum Term {
    Number(i128),
    Name(Path),
    Negative(Box<Term>),
    Sum(Box<Term>, Box<Term>),
    Difference(Box<Term>, Box<Term>),
    Product(Box<Term>, Box<Term>),
}

impl Term {
    fn names<'a>(&'a self, found: &mut Vec<&'a Path>) {
        match self {
            Term::Number(_) => {}
            Term::Name(name) => found.push(name),
            Term::Negative(one) => one.names(found),
            Term::Sum(a, b) | Term::Difference(a, b) | Term::Product(a, b) => {
                a.names(found);
                b.names(found);
            }
        }
    }

    /// A name or a number that is not negative.
    fn is_plain(&self) -> bool {
        matches!(self, Term::Number(_) | Term::Name(_))
    }

    fn value(&self, of: &dyn Fn(&str) -> Option<Expr>) -> Option<Expr> {
        Some(match self {
            Term::Number(number) => Expr::int(*number),
            Term::Name(path) => of(&path.text)?,
            Term::Negative(one) => -&one.value(of)?,
            Term::Sum(a, b) => &a.value(of)? + &b.value(of)?,
            Term::Difference(a, b) => &a.value(of)? - &b.value(of)?,
            Term::Product(a, b) => &a.value(of)? * &b.value(of)?,
        })
    }
}

impl Spoken {
    /// Reads the text of a condition.
    ///
    /// # Errors
    /// Why it is not one.
    pub fn read(text: &str) -> Result<Spoken, String> {
        let text = text.trim();
        if text.len() > LONGEST {
            return Err("it is too long".to_owned());
        }
        let tokens = tokens(text)?;
        let mut reader = Reader {
            tokens: &tokens,
            at: 0,
            members: false,
        };
        let mut spoken = Spoken {
            text: text.to_owned(),
            comparisons: Vec::new(),
            extents: Vec::new(),
        };
        reader.all(&mut spoken, 0)?;
        match reader.peek() {
            None => Ok(spoken),
            Some(token) => Err(format!(
                "`{token}` is not expected; comparisons are joined by `&&`"
            )),
        }
    }

    /// The names of variables in it, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut found = self.names_in_comparisons();
        found.extend(self.paths_in_extents().iter().map(|path| path.variable.as_str()));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The names that it compares.
    pub fn names_in_comparisons(&self) -> Vec<&str> {
        let mut found = Vec::new();
        for comparison in &self.comparisons {
            comparison.left.names(&mut found);
            comparison.right.names(&mut found);
        }
        found.iter().map(|path| path.text.as_str()).collect()
    }

    /// The variables and members of which it says how much storage they lead to, and those that the lengths are made of; each once.
    pub fn paths_in_extents(&self) -> Vec<&Path> {
        let mut found = Vec::new();
        for extent in &self.extents {
            found.push(&extent.pointer);
            extent.length.names(&mut found);
        }
        found.sort_unstable_by_key(|path| &path.text);
        found.dedup();
        found
    }

    /// The pointers of which it says how much storage they lead to.
    pub fn pointers(&self) -> Vec<&str> {
        let pointers = self.extents.iter();
        pointers.map(|extent| extent.pointer.text.as_str()).collect()
    }

    /// The number of elements that each pointer leads to, for these values of the names, as far as they are known.
    pub fn extents(&self, of: &dyn Fn(&str) -> Option<Expr>) -> Vec<(&str, Option<Expr>)> {
        let each = self.extents.iter();
        each.map(|extent| (extent.pointer.text.as_str(), extent.length.value(of)))
            .collect()
    }

    /// Refuses what C would read otherwise than mathematics; `of` gives the types of variables and members by their texts.
    ///
    /// # Errors
    /// What that is.
    pub fn check(
        &self,
        types: &Types,
        wrapping: bool,
        of: &dyn Fn(&str) -> Option<TypeId>,
    ) -> Result<(), String> {
        for pointer in self.pointers() {
            let to = of(pointer).map(|ty| types.get(ty));
            let Some(Type::Pointer(element)) = to else {
                return Err(format!("{pointer} is not a pointer"));
            };
            if matches!(types.get(*element), Type::Void | Type::Function { .. })
                || types.size(*element).is_none_or(|size| size == 0)
            {
                return Err(format!("the size of what {pointer} points to is not known"));
            }
        }
        let lengths = self.extents.iter().map(|extent| vec![&extent.length]);
        let compared = self.comparisons.iter().map(|one| vec![&one.left, &one.right]);
        for terms in compared.chain(lengths) {
            let mut names = Vec::new();
            terms.iter().for_each(|term| term.names(&mut names));
            let (mut wide, mut signed) = (None, None);
            for name in names.iter().map(|path| path.text.as_str()) {
                match of(name).map(|ty| types.get(ty)) {
                    Some(Type::Int {
                        signed: false,
                        bits: 32..,
                    }) => wide = wide.or(Some(name)),
                    Some(Type::Int { signed: true, .. }) => signed = signed.or(Some(name)),
                    Some(Type::Int { .. } | Type::Bool) => {}
                    _ => return Err(format!("{name} is not an integer")),
                }
            }
            let plain = terms.iter().all(|term| term.is_plain());
            match (wide, signed) {
                (Some(wide), Some(signed)) => {
                    return Err(format!(
                        "{wide} is unsigned and {signed} is not: C would convert one of them"
                    ));
                }
                (Some(wide), None) if !plain => {
                    return Err(format!("{wide} is unsigned: arithmetic with it may wrap in C"));
                }
                _ if wrapping && !plain && !names.is_empty() => {
                    return Err("with -fwrapv, arithmetic may wrap".to_owned());
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Its comparisons for these values of the names; one whose values are not all known says nothing.
    pub fn conditions(&self, of: &dyn Fn(&str) -> Option<Expr>) -> Vec<Condition> {
        let one = |one: &Comparison| {
            let (left, right) = (one.left.value(of)?, one.right.value(of)?);
            Some(comparison(one.op, &left, &right))
        };
        self.comparisons.iter().filter_map(one).collect()
    }
}

/// The words and signs of a text.
fn tokens(text: &str) -> Result<Vec<String>, String> {
    const SIGNS: [&str; 7] = ["&&", "||", "<=", ">=", "==", "!=", "->"];
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        let length = if is_word(first) {
            rest.find(|character| !is_word(character)).unwrap_or(rest.len())
        } else if SIGNS.iter().any(|sign| rest.starts_with(sign)) {
            2
        } else if first.is_ascii() {
            1
        } else {
            return Err(format!("`{first}` is not expected"));
        };
        let (token, behind) = rest.split_at(length);
        found.push(token.to_owned());
        rest = behind.trim_start();
    }
    Ok(found)
}

struct Reader<'t> {
    tokens: &'t [String],
    at: usize,
    /// Members may be named: in an extent.
    members: bool,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn take(&mut self, token: &str) -> bool {
        let there = self.peek() == Some(token);
        self.at += usize::from(there);
        there
    }

    fn all(&mut self, found: &mut Spoken, depth: usize) -> Result<(), String> {
        loop {
            self.one(found, depth)?;
            if !self.take("&&") {
                return Ok(());
            }
        }
    }

    /// A comparison, an extent, or several in parentheses.
    fn one(&mut self, found: &mut Spoken, depth: usize) -> Result<(), String> {
        if self.peek() == Some("extent") && self.tokens.get(self.at + 1).map(String::as_str) == Some("(") {
            return self.extents(&mut found.extents, depth);
        }
        let (start, before) = (self.at, (found.comparisons.len(), found.extents.len()));
        // `(` begins a value or a condition: the value is tried first.
        match self.comparison(depth) {
            Ok(comparison) => found.comparisons.push(comparison),
            Err(why) => {
                let failed = self.at;
                self.at = start;
                let inner =
                    depth < DEEPEST && self.take("(") && self.all(found, depth + 1).is_ok() && self.take(")");
                if !inner {
                    found.comparisons.truncate(before.0);
                    found.extents.truncate(before.1);
                    self.at = failed;
                    return Err(why);
                }
            }
        }
        Ok(())
    }

    /// `extent(p[0:n], q[0:m])`
    fn extents(&mut self, found: &mut Vec<Extent>, depth: usize) -> Result<(), String> {
        const SECTION: &str = "an extent is written like a section that begins at 0: `extent(p[0:n])`";
        self.at += 2;
        loop {
            let pointer = self.name().ok_or(SECTION)?;
            let pointer = self.path(pointer)?;
            let begins_at_0 = self.take("[") && self.take("0") && self.take(":");
            begins_at_0.then_some(()).ok_or(SECTION)?;
            let outside = std::mem::replace(&mut self.members, true);
            let length = self.sum(depth);
            self.members = outside;
            let length = length?;
            self.take("]").then_some(()).ok_or(SECTION)?;
            found.push(Extent { pointer, length });
            if self.take(")") {
                return Ok(());
            }
            self.take(",").then_some(()).ok_or(SECTION)?;
        }
    }

    /// An identifier, if one comes next.
    fn name(&mut self) -> Option<&'t str> {
        let begins = |first: u8| first.is_ascii_alphabetic() || first == b'_';
        let name = self
            .peek()
            .filter(|token| token.bytes().next().is_some_and(begins))?;
        self.at += 1;
        Some(name)
    }

    /// `->atoms->r` behind a variable, up to what is no step to a member.
    fn path(&mut self, variable: &str) -> Result<Path, String> {
        let mut path = Path::variable(variable);
        loop {
            let arrow = self.peek() == Some("->");
            if self.take("->") || self.take(".") {
                let behind = format!("a member is missing behind {}", path.text);
                let name = self.name().ok_or(behind)?;
                path.add_member(arrow, name)?;
                continue;
            }
            // `[0:` begins a section.
            let is_subscript = self.peek() == Some("[") && self.token(2) == Some("]");
            let Some(subscript) = self.token(1).filter(|_| is_subscript) else {
                return Ok(path);
            };
            let element = number(subscript).and_then(|number| u32::try_from(number).ok());
            let Some(element) = element.filter(|element| i32::try_from(*element).is_ok()) else {
                return Err(format!(
                    "the subscript `{subscript}` of {} is no number: an extent is that of one element's pointer",
                    path.text
                ));
            };
            path.add_element(element)?;
            self.at += 3;
        }
    }

    fn token(&self, ahead: usize) -> Option<&'t str> {
        self.tokens.get(self.at + ahead).map(String::as_str)
    }

    fn comparison(&mut self, depth: usize) -> Result<Comparison, String> {
        let left = self.sum(depth)?;
        let op = match self.peek() {
            Some("<") => BinaryOp::Lt,
            Some("<=") => BinaryOp::Le,
            Some(">") => BinaryOp::Gt,
            Some(">=") => BinaryOp::Ge,
            Some("==") => BinaryOp::Eq,
            Some("!=") => BinaryOp::Ne,
            Some(token) => {
                return Err(format!(
                    "`{token}` is not expected; comparisons are joined by `&&`"
                ));
            }
            None => return Err("a comparison is missing".to_owned()),
        };
        self.at += 1;
        let right = self.sum(depth)?;
        Ok(Comparison { op, left, right })
    }

    fn sum(&mut self, depth: usize) -> Result<Term, String> {
        let mut value = self.product(depth)?;
        loop {
            if self.take("+") {
                value = Term::Sum(Box::new(value), Box::new(self.product(depth)?));
            } else if self.take("-") {
                value = Term::Difference(Box::new(value), Box::new(self.product(depth)?));
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self, depth: usize) -> Result<Term, String> {
        let mut value = self.value(depth)?;
        while self.take("*") {
            value = Term::Product(Box::new(value), Box::new(self.value(depth)?));
        }
        Ok(value)
    }

    fn value(&mut self, depth: usize) -> Result<Term, String> {
        if depth > DEEPEST {
            return Err("it is nested too deeply".to_owned());
        }
        if self.take("-") {
            if self.peek() == Some("-") {
                return Err("`--` is not expected".to_owned());
            }
            return Ok(Term::Negative(Box::new(self.value(depth + 1)?)));
        }
        if self.take("(") {
            let inner = self.sum(depth + 1)?;
            return match self.take(")") {
                true => Ok(inner),
                false => Err("a `)` is missing".to_owned()),
            };
        }
        let Some(token) = self.peek() else {
            return Err("a value is missing at its end".to_owned());
        };
        let term = match token.bytes().next() {
            Some(b'0'..=b'9') => Term::Number(
                number(token).ok_or_else(|| format!("{token} is not a number that is understood"))?,
            ),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.at += 1;
                Term::Name(match self.members {
                    true => self.path(token)?,
                    false => Path::variable(token),
                })
            }
            _ => return Err(format!("`{token}` is not expected")),
        };
        self.at += usize::from(matches!(term, Term::Number(_)));
        if let Some(next @ ("." | "->" | "[" | "(")) = self.peek() {
            return Err(format!(
                "`{next}` behind {token}: only variables and numbers are understood"
            ));
        }
        Ok(term)
    }
}

/// A decimal or hexadecimal constant; what is unsigned by its suffix would make the comparison unsigned.
fn number(token: &str) -> Option<i128> {
    let digits = token.trim_end_matches(['l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => i128::from_str_radix(hexadecimal, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => None,
        None => digits.parse().ok(),
    }
    .filter(|value| *value <= i128::from(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditions(text: &str) -> usize {
        Spoken::read(text).unwrap().comparisons.len()
    }

    #[test]
    fn comparisons_are_read() {
        assert_eq!(conditions("n > 0"), 1);
        assert_eq!(
            conditions("(n > 0) && ((n + 1) * 2 <= m && -k != 0x1F) && 10L == q"),
            4
        );
        let spoken = Spoken::read("  ld >= m && m >= n ").unwrap();
        assert_eq!(spoken.names(), ["ld", "m", "n"]);
        assert_eq!(spoken.text, "ld >= m && m >= n");
    }

    #[test]
    fn extents_are_read() {
        let spoken =
            Spoken::read("n > 0 && extent(p[0:n], q[0 : 2 * m + 1]) && (extent(r[0:3]) && m > 1)").unwrap();
        assert_eq!(spoken.pointers(), ["p", "q", "r"]);
        assert_eq!(spoken.names(), ["m", "n", "p", "q", "r"]);
        assert_eq!(spoken.comparisons.len(), 2);
        let all = spoken.extents(&|name| (name == "m").then(|| Expr::int(4)));
        assert_eq!(
            all,
            [("p", None), ("q", Some(Expr::int(9))), ("r", Some(Expr::int(3)))]
        );
        // A variable may have that name.
        assert_eq!(Spoken::read("extent > 0").unwrap().names(), ["extent"]);
        for text in [
            "extent()",
            "extent(p)",
            "extent(p[n])",
            "extent(p[0:n]",
            "extent(p[0:])",
            "extent(p[0:n],)",
            "extent(3[0:n])",
            "extent(p[0:n]) > 0",
            "extent(p[0:--n])",
        ] {
            assert!(Spoken::read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn values_are_put_in() {
        let spoken = Spoken::read("2 * (n - 1) - -m >= 3").unwrap();
        let all = spoken.conditions(&|name| Some(Expr::int(if name == "n" { 1 } else { 3 })));
        assert_eq!(all, [Condition::always()]);
        let all = spoken.conditions(&|name| Some(Expr::int(if name == "n" { 1 } else { 2 })));
        assert_eq!(all, [Condition::never()]);
        assert!(spoken.conditions(&|_| None).is_empty());
    }

    #[test]
    fn what_is_not_a_condition_is_refused() {
        for text in [
            "",
            "n",
            "n >",
            "> 0",
            "n > 0 || m > 0",
            "n > 0 m",
            "!n",
            "0 < n < 9",
            "(n > 0",
            "n / 2 > 1",
            "p->n > 0",
            "a[0] > 1",
            "f(n) > 0",
            "n = 1",
            "n > 1.5",
            "n > 010",
            "n > 1u",
            "n > é",
            "n > 0 &&",
            "()",
        ] {
            assert!(Spoken::read(text).is_err(), "{text}");
        }
        let deep = format!("{}n{} > 0", "(".repeat(400), ")".repeat(400));
        assert!(Spoken::read(&deep).is_err());
        assert!(Spoken::read(&format!("{}n > 0", "- ".repeat(400))).is_err());
        assert!(Spoken::read(&"(".repeat(LONGEST)).is_err());
    }
}
