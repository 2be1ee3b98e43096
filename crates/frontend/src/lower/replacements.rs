//! What does a macro stand for, as far as a reader sees at once: one token, or just its argument? No expander: a few
//! shapes of `#define` lines, and "no" for all others.

use super::{Lower, lex};
use crate::clang::{Cursor, File};
use clang_sys::*;

/// Nested macros that are followed.
const DEPTH: usize = 8;

/// Heads of loops, and macros that stand for such, that one replacement list may have; and how deep they are followed.
const HEADS: usize = 8;
const HEAD_DEPTH: usize = 3;

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
    /// The file, and where in it the replacement list begins and ends.
    place: (File, usize, usize),
}

/// How a macro's replacement list is one statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct OneStatement {
    /// The `;` or `}` that ends it is in the replacement list; else a `;` has to follow the use.
    pub complete: bool,
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
            place: (file, lex::skip_blanks(text, at), end),
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

    /// True if the macro use at a place stands for a name with exactly `steps` subscripts, members and argument lists, where
    /// the name is an argument of one token, or the use of another macro is all that it stands for: `#define A(g, i) g->a[i]`,
    /// `#define H(i) A(grid, i)`. The letters of the name are at `spelled`.
    pub(super) fn use_is_postfix(
        &mut self,
        (mut file, mut start): (File, usize),
        spelled: (File, usize),
        steps: usize,
    ) -> bool {
        for _ in 0..DEPTH {
            let text = self.tu.contents(file);
            let name = lex::word(text, start);
            let Some(definition) = self.macro_definition(name) else {
                return false;
            };
            let (defined, begin, _) = definition.place;
            let list = self.tu.contents(defined);
            let is_postfix =
                || lex::postfix_end(list, begin, steps).is_some_and(|end| lex::ends_line(list, end));
            if spelled == (defined, begin) {
                return is_postfix();
            }
            let parameters = definition.parameters.unwrap_or_default();
            let first = definition.tokens.first();
            if let Some(number) = parameters.iter().position(|parameter| Some(parameter) == first) {
                let open = lex::skip_blanks(text, start + name.len());
                let given = (text.get(open) == Some(&b'('))
                    .then(|| arguments(text, open))
                    .flatten();
                let token = (spelled.1, lex::token_end(text, spelled.1));
                return spelled.0 == file
                    && given.is_some_and(|given| given.get(number) == Some(&token))
                    && is_postfix();
            }
            let after = lex::skip_blanks(list, begin + lex::word(list, begin).len());
            let end = match list.get(after) {
                Some(b'(') => lex::closing(list, after),
                _ => None,
            };
            if !end.is_some_and(|end| lex::ends_line(list, end)) {
                return false;
            }
            (file, start) = (defined, begin);
        }
        false
    }

    /// True if the first token of what the macro used at `start` stands for is the one whose letters are at `letters`:
    /// its definition begins there, or begins with the use of a macro whose definition does.
    pub(super) fn use_begins_at(&mut self, file: File, start: u32, defined: File, letters: u32) -> bool {
        let Some(inner) = lex::defined_name(self.tu.contents(defined), letters as usize) else {
            return false;
        };
        let mut name = lex::word(self.tu.contents(file), start as usize);
        for _ in 0..DEPTH {
            if name == inner {
                return true;
            }
            let Some(definition) = self.macro_definition(name) else {
                return false;
            };
            let parameters = definition.parameters.unwrap_or_default();
            match definition.tokens.as_slice() {
                [_, b"#", ..] => return false,
                [first, ..] if !parameters.contains(first) => name = first,
                _ => return false,
            }
        }
        false
    }

    /// True if what the macro use from `start` to `end` stands for is seen to have no end of a statement: no `;`, and each bracket is closed.
    pub(super) fn use_ends_no_statement(&mut self, file: File, start: u32, end: u32) -> bool {
        let text = self.tu.contents(file);
        let written = tokens(text, start as usize, end as usize);
        self.end_no_statement(&written)
    }

    fn end_no_statement(&mut self, written: &[&'tu [u8]]) -> bool {
        let is_end = |token: &&[u8]| matches!(*token, b"{" | b"}" | b";" | b"#");
        !written.iter().any(is_end) && self.are_neutral(written)
    }

    /// How the macro used at `start` stands for one loop and nothing else, if that is seen: heads of loops, spelled or
    /// by macros of their own, and then a block or an expression.
    pub(super) fn use_is_statement(&mut self, file: File, start: u32) -> Option<OneStatement> {
        let text = self.tu.contents(file);
        let name = lex::word(text, start as usize);
        let definition = self.macro_definition(name)?;
        if definition.parameters.is_some() {
            let open = lex::skip_blanks(text, start as usize + name.len());
            if text.get(open) != Some(&b'(') {
                return None;
            }
            let close = lex::closing(text, open)? - 1;
            let given = tokens(text, open + 1, close);
            if !self.end_no_statement(&given) {
                return None;
            }
        }
        if !self.are_neutral(&definition.tokens) {
            return None;
        }
        let (defined, first, end) = definition.place;
        let text = self.tu.contents(defined);
        let parameters = definition.parameters.unwrap_or_default();
        let body = self.behind_heads(text, first, &parameters, HEAD_DEPTH)?;
        let (at, complete) = if text.get(body) == Some(&b'{') {
            (lex::closing(text, body)?, true)
        } else {
            let word = lex::word(text, body);
            // Statements that do not end with their first `;`.
            if [&b"if"[..], b"while", b"do", b"switch", b"for", b"else"].contains(&word) {
                return None;
            }
            match self.semicolon(text, body, end) {
                Some(semicolon) => (semicolon + 1, true),
                None => (end, false),
            }
        };
        (at <= end && lex::skip_blanks(text, at) >= end).then_some(OneStatement { complete })
    }

    /// The first `;` outside brackets.
    fn semicolon(&self, text: &[u8], mut at: usize, end: usize) -> Option<usize> {
        loop {
            at = lex::skip_blanks(text, at);
            if at >= end {
                return None;
            }
            at = match text.get(at)? {
                b';' => return Some(at),
                b'(' | b'[' | b'{' => lex::closing(text, at)?,
                _ => lex::token_end(text, at),
            };
        }
    }

    /// Past the heads of loops that begin at `at`, in the replacement list of a macro with these parameters: at least
    /// one.
    fn behind_heads(
        &mut self,
        text: &[u8],
        mut at: usize,
        parameters: &[&[u8]],
        depth: usize,
    ) -> Option<usize> {
        let mut heads = 0;
        loop {
            let word = lex::word(text, at);
            let end = if word == b"for" {
                lex::for_head(text, at)?.end
            } else if !word.is_empty() && !parameters.contains(&word) && self.is_loop_head(word, depth) {
                let open = lex::skip_blanks(text, at + word.len());
                if text.get(open) != Some(&b'(') {
                    return None;
                }
                lex::closing(text, open)?
            } else {
                return (heads > 0).then_some(at);
            };
            heads += 1;
            if heads > HEADS {
                return None;
            }
            at = lex::skip_blanks(text, end);
        }
    }

    /// True for a macro with parameters that stands for heads of loops and nothing else.
    fn is_loop_head(&mut self, name: &[u8], depth: usize) -> bool {
        let Some(definition) = self.macro_definition(name) else {
            return false;
        };
        let (file, first, end) = definition.place;
        let text = self.tu.contents(file);
        let Some(parameters) = definition.parameters.filter(|_| depth > 0) else {
            return false;
        };
        self.behind_heads(text, first, &parameters, depth - 1)
            .is_some_and(|behind| behind >= end)
    }

    /// True if no macro among these tokens changes where the statements that they make up begin and end: brackets close
    /// in what each stands for, and a `;` is inside brackets.
    fn are_neutral(&mut self, words: &[&'tu [u8]]) -> bool {
        let mut open: Vec<&[u8]> = words.to_vec();
        let mut seen = std::collections::BTreeSet::new();
        while let Some(word) = open.pop() {
            let is_name = word
                .first()
                .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
            if word == b"#" || word == b"_Pragma" {
                return false;
            }
            if !is_name || ONE_TOKEN.contains(&word) || !seen.insert(word) {
                continue;
            }
            let known = self
                .macro_definitions
                .as_ref()
                .is_none_or(|all| all.contains_key(word));
            if !known {
                continue;
            }
            match self.macro_definition(word) {
                Some(definition) if is_closed(&definition.tokens) => open.extend(definition.tokens),
                _ => return false,
            }
        }
        true
    }
}

/// True if all brackets close, and every `;` is inside of some.
fn is_closed(tokens: &[&[u8]]) -> bool {
    let mut open: Vec<u8> = Vec::new();
    for token in tokens {
        match *token {
            b"(" => open.push(b')'),
            b"[" => open.push(b']'),
            b"{" => open.push(b'}'),
            b")" | b"]" | b"}" if open.pop() != token.first().copied() => return false,
            b";" if open.is_empty() => return false,
            _ => {}
        }
    }
    open.is_empty()
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
