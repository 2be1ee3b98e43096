//! What does a macro stand for, as far as a reader sees at once: one token, or just its argument? No expander: a few
//! shapes of `#define` lines, and "no" for all others.

use super::{Lower, lex};
use crate::clang::{Cursor, File};
use clang_sys::*;

/// Nested macros that are followed.
const DEPTH: usize = 8;

/// Predefined macros of one token; they are in no file.
const ONE_TOKEN: &[&[u8]] = &[
    b"__INT_MAX__",
    b"__LONG_MAX__",
    b"__LONG_LONG_MAX__",
    b"__SCHAR_MAX__",
    b"__SHRT_MAX__",
];

/// A macro's `#define` line, taken apart.
struct Definition<'a> {
    /// Names of the parameters; `None` for a macro that is no function.
    parameters: Option<Vec<&'a [u8]>>,
    /// The replacement list: its tokens.
    tokens: Vec<&'a [u8]>,
}

fn tokens(text: &[u8], mut at: usize, end: usize) -> Vec<&[u8]> {
    let mut all = Vec::new();
    loop {
        at = lex::skip_blanks(text, at);
        if at >= end {
            return all;
        }
        let next = lex::token_end(text, at).max(at + 1).min(text.len());
        all.push(&text[at..next]);
        at = next;
    }
}

/// The arguments of a use whose `(` is at `open`, as ranges of the text; `None` if it does not close.
fn arguments(text: &[u8], open: usize) -> Option<Vec<(usize, usize)>> {
    let end = lex::closing(text, open)? - 1;
    let mut all = Vec::new();
    let mut start = lex::skip_blanks(text, open + 1);
    let mut last = start;
    let mut at = start;
    while at < end {
        match text[at] {
            b'(' | b'[' | b'{' => {
                at = lex::closing(text, at)?;
                last = at;
            }
            b',' => {
                all.push((start, last));
                at = lex::skip_blanks(text, at + 1);
                start = at;
                last = at;
                continue;
            }
            _ => {
                at = lex::token_end(text, at);
                last = at;
            }
        }
        at = lex::skip_blanks(text, at);
    }
    all.push((start, last));
    Some(all)
}

impl<'tu> Lower<'tu, '_> {
    /// The definition of a macro that is defined once in the translation unit.
    fn macro_definition(&mut self, name: &[u8]) -> Option<Definition<'tu>> {
        if self.macro_definitions.is_none() {
            let mut all = std::collections::HashMap::new();
            for cursor in self.tu.cursor().children() {
                if cursor.kind() == CXCursor_MacroDefinition {
                    all.entry(cursor.spelling_bytes())
                        .or_insert_with(Vec::new)
                        .push(cursor);
                }
            }
            self.macro_definitions = Some(all);
        }
        let [only] = self.macro_definitions.as_ref()?.get(name)?.as_slice() else {
            return None;
        };
        let (start, end) = Cursor::extent(*only);
        let ((file, start), (_, end)) = (start.spelling()?, end.spelling()?);
        let text = self.tu.contents(file);
        let (mut at, end) = (start as usize, (end as usize).min(text.len()));
        if lex::word(text, at) != name {
            return None;
        }
        at += name.len();
        let mut parameters = None;
        if text.get(at) == Some(&b'(') {
            let close = lex::closing(text, at)?;
            parameters = Some(
                tokens(text, at + 1, close - 1)
                    .into_iter()
                    .filter(|word| *word != b",")
                    .collect(),
            );
            at = close;
        }
        Some(Definition {
            parameters,
            tokens: tokens(text, at, end),
        })
    }

    /// True if a macro that is no function stands for one token.
    fn is_one_token(&mut self, name: &[u8], depth: usize) -> bool {
        if ONE_TOKEN.contains(&name) {
            return true;
        }
        let Some(definition) = self.macro_definition(name) else {
            return false;
        };
        if definition.parameters.is_some() || depth == 0 {
            return false;
        }
        match definition.tokens.as_slice() {
            [token] => self.stands_for_one(token, depth),
            [function, b"(", .., b")"] => {
                let Some(parameter) = self.only_parameter(function) else {
                    return false;
                };
                let inside = &definition.tokens[2..definition.tokens.len() - 1];
                // Arguments of one token each, with commas between.
                if inside.iter().skip(1).step_by(2).any(|comma| *comma != b",")
                    || inside.len().is_multiple_of(2)
                {
                    return false;
                }
                match inside.get(parameter * 2) {
                    Some(token) => self.stands_for_one(token, depth),
                    None => false,
                }
            }
            _ => false,
        }
    }

    fn stands_for_one(&mut self, token: &[u8], depth: usize) -> bool {
        let is_name = token
            .first()
            .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
        if !is_name || ONE_TOKEN.contains(&token) {
            return true;
        }
        let known = self
            .macro_definitions
            .as_ref()
            .is_some_and(|all| all.contains_key(token));
        !known || self.is_one_token(token, depth - 1)
    }

    /// For a macro that stands for one of its arguments: the number of that argument.
    fn only_parameter(&mut self, name: &[u8]) -> Option<usize> {
        let definition = self.macro_definition(name)?;
        let [token] = definition.tokens.as_slice() else {
            return None;
        };
        definition
            .parameters?
            .iter()
            .position(|parameter| parameter == token)
    }

    /// True if the macro use at `start` stands for one token.
    pub(super) fn use_is_one_token(&mut self, file: File, start: u32) -> bool {
        let text = self.tu.contents(file);
        let name = lex::word(text, start as usize);
        self.is_one_token(name, DEPTH)
    }

    /// True if the macro use at `start` stands for exactly the bytes from `first` to `last`, one of its arguments.
    pub(super) fn use_is_argument(&mut self, file: File, start: u32, first: u32, last: u32) -> bool {
        let text = self.tu.contents(file);
        let name = lex::word(text, start as usize);
        let Some(parameter) = self.only_parameter(name) else {
            return false;
        };
        let open = lex::skip_blanks(text, start as usize + name.len());
        if text.get(open) != Some(&b'(') {
            return false;
        }
        let Some(arguments) = arguments(text, open) else {
            return false;
        };
        arguments.get(parameter) == Some(&(first as usize, last as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_cut_at_their_commas() {
        let text = b"F(a, (b, c) , g[1,2] )";
        let parts: Vec<&[u8]> = arguments(text, 1)
            .unwrap()
            .into_iter()
            .map(|(a, b)| &text[a..b])
            .collect();
        assert_eq!(parts, [&b"a"[..], b"(b, c)", b"g[1,2]"]);
        assert_eq!(arguments(b"F(a", 1), None);
    }
}
