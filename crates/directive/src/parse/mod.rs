//! What does the text of a pragma say? From raw bytes to a directive whose expressions are [`Text`].
//!
//! Nothing is expanded: a macro name where a clause is expected is an unknown clause. Everything that was read is kept, also
//! around errors, but only text without errors may be trusted. Whether a directive takes a clause, and since when, is another question
//! ([`crate::problems`]).

mod arguments;
mod item;

use crate::clean::{Clean, Piece};
use crate::suggest::nearest;
use crate::table::{self, Parentheses, Syntax};
use crate::{Arguments, Clause, Directive, Item, Language, Text};

/// Which C the pragma is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Dialect {
    /// C: `::` is two colons.
    #[default]
    C,
    /// C++: `::` before a name joins names.
    Cplusplus,
}

/// Something in a directive that is not understood.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ParseError {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset past the last byte.
    pub end: u32,
    /// One sentence without full stop.
    pub message: String,
    /// A known name that is nearly the same.
    pub suggestion: Option<String>,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        match &self.suggestion {
            Some(name) => write!(f, "; did you mean `{name}`?"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for ParseError {}

/// What was read, as far as it was understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The directive; `None` if its name is unknown. Clauses that were not understood are in it as [`Item::Raw`].
    pub directive: Option<Directive<Text>>,
    /// In text order.
    pub errors: Vec<ParseError>,
}

/// The language of a pragma, if it is a directive of one. `bytes` is what follows `#pragma`.
pub fn language_of(bytes: &[u8]) -> Option<Language> {
    let clean = match Clean::new(bytes, 0, false) {
        Ok(clean) => clean,
        // The word before the bad byte decides.
        Err(at) => Clean::new(&bytes[..at as usize], 0, false).ok()?,
    };
    sentinel(&clean).map(|(language, _)| language)
}

fn sentinel(clean: &Clean) -> Option<(Language, usize)> {
    let word = clean.word(clean.skip_blanks(0));
    let language = match clean.str(&word) {
        "omp" => Language::OpenMp,
        "acc" => Language::OpenAcc,
        _ => return None,
    };
    Some((language, word.end))
}

/// Reads a directive. `bytes` is what follows `#pragma` (up to the end of the line or further), `start` the offset of its first byte.
///
/// # Errors
/// Everything that was not understood, in text order. For what was understood nevertheless see [`read`].
pub fn parse(bytes: &[u8], start: u32, dialect: Dialect) -> Result<Directive<Text>, Vec<ParseError>> {
    match read(bytes, start, dialect) {
        Some(Parsed {
            directive: Some(directive),
            errors,
        }) if errors.is_empty() => Ok(directive),
        Some(Parsed { errors, .. }) => Err(errors),
        None => Err(vec![ParseError {
            start,
            end: start,
            message: "neither an OpenMP nor an OpenACC directive".to_owned(),
            suggestion: None,
        }]),
    }
}

/// Like [`parse`], but keeps what was understood; `None` if the pragma is of neither language.
pub fn read(bytes: &[u8], start: u32, dialect: Dialect) -> Option<Parsed> {
    let language = language_of(bytes)?;
    let clean = match Clean::new(bytes, start, dialect == Dialect::Cplusplus) {
        Ok(clean) => clean,
        Err(at) => {
            let message = "a byte that is not UTF-8 in a directive".to_owned();
            let error = ParseError {
                start: at,
                end: at.saturating_add(1),
                message,
                suggestion: None,
            };
            return Some(Parsed {
                directive: None,
                errors: vec![error],
            });
        }
    };
    let (_, after) = sentinel(&clean)?;
    let mut reader = Reader {
        clean: &clean,
        language,
        errors: Vec::new(),
    };
    let directive = reader.directive(after);
    Some(Parsed {
        directive,
        errors: reader.errors,
    })
}

struct Reader<'a> {
    clean: &'a Clean,
    language: Language,
    errors: Vec<ParseError>,
}

impl Reader<'_> {
    fn error(&mut self, piece: &Piece, message: impl Into<String>, suggestion: Option<String>) {
        let (start, end) = self.clean.place(piece);
        self.errors.push(ParseError {
            start,
            end,
            message: message.into(),
            suggestion,
        });
    }

    fn directive(&mut self, after: usize) -> Option<Directive<Text>> {
        let (name, mut at) = self.name(after)?;
        let specification = table::specification(self.language, &name)?;
        let mut directive = Directive::new(self.language, &name);
        let next = self.clean.skip_blanks(at);
        let opens = self.clean.bytes().get(next) == Some(&b'(');
        match (specification.argument(), opens) {
            (Some(syntax), true) => {
                let Some(close) = self.closing(next) else {
                    return Some(directive);
                };
                directive.arguments = Some(self.arguments(syntax, &name, next + 1..close));
                at = close + 1;
            }
            (None, true) => {
                let Some(close) = self.closing(next) else {
                    return Some(directive);
                };
                self.error(
                    &(next..close + 1),
                    format!("`{name}` takes no argument in parentheses"),
                    None,
                );
                directive.arguments = Some(self.raw(next + 1..close));
                at = close + 1;
            }
            (
                Some(Syntax {
                    parentheses: Parentheses::Required,
                    ..
                }),
                false,
            ) => {
                self.error(
                    &(next..next),
                    format!("`{name}` needs an argument in parentheses"),
                    None,
                );
            }
            _ => {}
        }
        while let Some((clause, next)) = self.clause(&name, at, directive.clauses.is_empty()) {
            directive.clauses.push(clause);
            at = next;
        }
        Some(directive)
    }

    /// The longest known name, and the index past it.
    fn name(&mut self, after: usize) -> Option<(String, usize)> {
        let mut words: Vec<Piece> = Vec::new();
        let mut at = self.clean.skip_blanks(after);
        // Names have at most seven words.
        while words.len() < 7 {
            let word = self.clean.word(at);
            if word.is_empty() {
                break;
            }
            at = self.clean.skip_blanks(word.end);
            words.push(word);
        }
        for count in (1..=words.len()).rev() {
            let name = self.canonical_name(&words[..count]);
            if table::specification(self.language, &name).is_some() {
                return Some((name, words[count - 1].end));
            }
        }
        let Some(first) = words.first() else {
            self.error(
                &(at..at),
                format!("a directive name must follow `{}`", self.language.sentinel()),
                None,
            );
            return None;
        };
        let suggestion = self.similar_name(&words);
        let written = self.clean.str(first).to_owned();
        self.error(
            first,
            format!("`{written}` is no {} directive", self.language),
            suggestion,
        );
        None
    }

    /// OpenMP 6.0 also joins the words of some names by `_`.
    fn canonical_name(&self, words: &[Piece]) -> String {
        let words: Vec<String> = words
            .iter()
            .map(|word| match self.language {
                Language::OpenMp => self.clean.str(word).replace('_', " "),
                Language::OpenAcc => self.clean.str(word).to_owned(),
            })
            .collect();
        words.join(" ")
    }

    fn similar_name(&self, words: &[Piece]) -> Option<String> {
        (1..=words.len()).rev().find_map(|count| {
            let name = self.canonical_name(&words[..count]);
            let same_length = |known: &&str| known.split(' ').count() == name.split(' ').count();
            let begins = |known: &&str| {
                known
                    .strip_prefix(&name)
                    .is_some_and(|rest| rest.starts_with(' '))
            };
            nearest(&name, table::directive_names(self.language).filter(same_length)).or_else(|| {
                table::directive_names(self.language)
                    .find(begins)
                    .map(str::to_owned)
            })
        })
    }

    /// The closing parenthesis, or an error.
    fn closing(&mut self, open: usize) -> Option<usize> {
        let close = self.clean.close(open);
        if close.is_none() {
            self.error(
                &(open..open + 1),
                "this parenthesis is not closed, or brackets inside do not match",
                None,
            );
        }
        close
    }

    fn raw(&self, piece: Piece) -> Arguments<Text> {
        Arguments::items(vec![Item::Raw(self.clean.squeezed(&piece))])
    }

    /// The next clause and the index past it; `None` at the end, or where nothing can be read any more.
    fn clause(&mut self, directive: &str, at: usize, first: bool) -> Option<(Clause<Text>, usize)> {
        let bytes = self.clean.bytes();
        let mut at = self.clean.skip_blanks(at);
        if bytes.get(at) == Some(&b',') {
            at = self.clean.skip_blanks(at + 1);
        }
        if at >= bytes.len() {
            return None;
        }
        let word = self.clean.word(at);
        if word.is_empty() {
            self.error(
                &self.clean.trim(at..bytes.len()),
                "a clause is expected here",
                None,
            );
            return None;
        }
        let written = self.clean.str(&word).to_owned();
        let name = table::canonical_clause(self.language, &written).to_owned();
        let open = self.clean.skip_blanks(word.end);
        let content = match bytes.get(open) {
            Some(b'(') => Some(open + 1..self.closing(open)?),
            _ => None,
        };
        let end = content.as_ref().map_or(word.end, |content| content.end + 1);
        let syntax = table::clause_syntax(self.language, directive, &name);
        let arguments = match (syntax, content) {
            (Some(syntax), content) => self.clause_arguments(&syntax, &name, &word, content),
            (None, content) => {
                // Implementations have clauses of their own (OpenMP 5.2 §5.1.1).
                if !(self.language == Language::OpenMp && written.starts_with("ompx_")) {
                    let suggestion = self.similar_clause(directive, &written, first);
                    self.error(
                        &word,
                        format!("`{written}` is no clause of {}", self.language),
                        suggestion,
                    );
                }
                content.map(|content| self.raw(content))
            }
        };
        let place = Some(self.clean.place(&(word.start..end)));
        Some((
            Clause {
                name,
                arguments,
                place,
            },
            end,
        ))
    }

    fn clause_arguments(
        &mut self,
        syntax: &Syntax,
        name: &str,
        word: &Piece,
        content: Option<Piece>,
    ) -> Option<Arguments<Text>> {
        match (syntax.parentheses, content) {
            (Parentheses::Forbidden, Some(content)) => {
                self.error(
                    &(content.start - 1..content.end + 1),
                    format!("`{name}` takes no argument"),
                    None,
                );
                Some(self.raw(content))
            }
            (Parentheses::Required, None) => {
                self.error(word, format!("`{name}` needs an argument in parentheses"), None);
                None
            }
            (_, Some(content)) => Some(self.arguments(syntax, name, content)),
            (_, None) => None,
        }
    }

    /// A clause of the directive is likelier meant than another; after the name, also a longer name.
    fn similar_clause(&self, directive: &str, written: &str, first: bool) -> Option<String> {
        let own = table::specification(self.language, directive)
            .map(|s| s.clauses(crate::Version::newest(self.language)))
            .unwrap_or_default();
        let longer = format!("{directive} {written}");
        let extends = |known: &&str| known.starts_with(directive) && known.len() > directive.len();
        nearest(written, own.into_iter())
            .or_else(|| {
                nearest(&longer, table::directive_names(self.language).filter(extends)).filter(|_| first)
            })
            .or_else(|| nearest(written, table::known_clauses(self.language)))
    }
}

#[cfg(test)]
mod tests;
