//! Which words is the text form made of?

use ferry_source::{FileId, Origin, Span};

/// A word of the text form.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A name or keyword, with the number that tells it from others of that name.
    Word {
        /// Without the quotes.
        name: String,
        /// It stood in backquotes, so it is no keyword.
        quoted: bool,
        /// Behind `#`.
        number: Option<u32>,
    },
    /// `12`, `12u64`, `0x1f`; the suffix may be empty.
    Int(u128, String),
    /// `1.5`, `1e300`, `1.5f32`; the suffix may be empty.
    Real(f64, String),
    /// In double quotes.
    Text(String),
    /// An operator or bracket.
    Mark(&'static str),
    /// `@0:12-15`, `@!0:12-15`, `@-`
    Origin(Origin),
    /// `@12-15`
    Place(u32, u32),
    /// After the last word.
    End,
}

/// A text that is not in the text form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Offset in bytes of the word that does not fit.
    pub offset: usize,
    /// What was expected.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Longest first, so that the first that fits is the right one.
const MARKS: &[&str] = &[
    "...", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "->", "(", ")", "{", "}", "[", "]", "<", ">", "=",
    "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "?", ":", ";", ",", ".", "@",
];

/// The words of `text`, each with the offset at which it begins; the last is [`Token::End`].
pub(super) fn lex(text: &str) -> Result<Vec<(Token, usize)>, ParseError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.take_while(|c| c.is_whitespace());
        let start = lexer.at;
        let token = lexer.token().map_err(|error| ParseError {
            offset: start,
            ..error
        })?;
        let end = token == Token::End;
        tokens.push((token, start));
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        self.at += if found { text.len() } else { 0 };
        found
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn error<T>(&self, message: &str) -> Result<T, ParseError> {
        Err(ParseError {
            offset: self.at,
            message: message.to_owned(),
        })
    }

    fn token(&mut self) -> Result<Token, ParseError> {
        let rest = self.rest();
        let mut next = rest.chars();
        let (Some(first), second) = (next.next(), next.next()) else {
            return Ok(Token::End);
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        match first {
            '"' => Ok(Token::Text(self.quoted('"')?)),
            '`' => {
                let name = self.quoted('`')?;
                Ok(Token::Word {
                    name,
                    quoted: true,
                    number: self.number_sign()?,
                })
            }
            '#' => Ok(Token::Word {
                name: String::new(),
                quoted: true,
                number: self.number_sign()?,
            }),
            '@' if second.is_some_and(|c| c.is_ascii_digit() || c == '-' || c == '!') => self.origin(),
            '0'..='9' => self.number(),
            _ if first.is_ascii_alphabetic()
                || first == '_'
                || (first == '%' && second.is_some_and(is_name)) =>
            {
                let start = self.at;
                self.at += 1;
                self.take_while(is_name);
                let name = self.text.get(start..self.at).unwrap_or("").to_owned();
                Ok(Token::Word {
                    name,
                    quoted: false,
                    number: self.number_sign()?,
                })
            }
            _ => match MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                Some(mark) => {
                    self.at += mark.len();
                    Ok(Token::Mark(mark))
                }
                None => self.error("no word of the text form"),
            },
        }
    }

    fn digits(&mut self) -> Result<u32, ParseError> {
        match self.take_while(|c| c.is_ascii_digit()).parse() {
            Ok(number) => Ok(number),
            Err(_) => self.error("a number below 2^32 was expected"),
        }
    }

    fn number_sign(&mut self) -> Result<Option<u32>, ParseError> {
        if self.take("#") {
            self.digits().map(Some)
        } else {
            Ok(None)
        }
    }

    fn quoted(&mut self, delimiter: char) -> Result<String, ParseError> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(c) = self.peek() else {
                return self.error("a quote is not closed");
            };
            self.at += c.len_utf8();
            if c == delimiter {
                return Ok(text);
            }
            if c != '\\' {
                text.push(c);
            } else if self.take("n") {
                text.push('\n');
            } else if self.take("u{") {
                let code = u32::from_str_radix(self.take_while(|c| c.is_ascii_hexdigit()), 16).ok();
                match code.and_then(char::from_u32) {
                    Some(c) if self.take("}") => text.push(c),
                    _ => return self.error("no character has this number"),
                }
            } else if let Some(c) = self.peek().filter(|c| *c == '\\' || *c == delimiter) {
                self.at += c.len_utf8();
                text.push(c);
            } else {
                return self.error("`\\\\`, `\\n`, `\\u{…}` or an escaped quote was expected");
            }
        }
    }

    fn origin(&mut self) -> Result<Token, ParseError> {
        self.at += 1;
        if self.take("-") {
            return Ok(Token::Origin(Origin::New));
        }
        let expanded = self.take("!");
        let first = self.digits()?;
        if !self.take(":") {
            return if self.take("-") {
                Ok(Token::Place(first, self.digits()?))
            } else {
                self.error("`:` or `-`")
            };
        }
        let start = self.digits()?;
        if !self.take("-") {
            return self.error("`-` was expected");
        }
        let end = self.digits()?;
        if start > end {
            return self.error("the span ends before it starts");
        }
        let span = Span::new(FileId(first), start, end);
        Ok(Token::Origin(if expanded {
            Origin::Expanded(span)
        } else {
            Origin::Text(span)
        }))
    }

    fn number(&mut self) -> Result<Token, ParseError> {
        if self.take("0x") {
            let digits = self.take_while(|c| c.is_ascii_hexdigit());
            return match u128::from_str_radix(digits, 16) {
                Ok(value) => Ok(Token::Int(value, String::new())),
                Err(_) => self.error("no number"),
            };
        }
        let start = self.at;
        self.take_while(|c| c.is_ascii_digit());
        let mut real = false;
        let digit_at = |rest: &str, at: usize| rest[at..].starts_with(|c: char| c.is_ascii_digit());
        if self.rest().starts_with('.') && digit_at(self.rest(), 1) {
            self.at += 1;
            self.take_while(|c| c.is_ascii_digit());
            real = true;
        }
        let signed = self.rest().starts_with("e-");
        if self.rest().starts_with('e') && digit_at(self.rest(), if signed { 2 } else { 1 }) {
            self.at += if signed { 2 } else { 1 };
            self.take_while(|c| c.is_ascii_digit());
            real = true;
        }
        let digits = self.text.get(start..self.at).unwrap_or("");
        let suffix = self.take_while(|c| c.is_ascii_alphanumeric()).to_owned();
        if real {
            digits
                .parse()
                .map(|value| Token::Real(value, suffix))
                .or_else(|_| self.error("no number"))
        } else {
            digits
                .parse()
                .map(|value| Token::Int(value, suffix))
                .or_else(|_| self.error("a number too big"))
        }
    }
}
