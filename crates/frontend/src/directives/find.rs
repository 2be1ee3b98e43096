//! Where are the OpenMP and OpenACC pragmas of a text? Lines `#pragma omp …` and `#pragma acc …` with their continuations, and
//! `_Pragma("omp …")` outside macro definitions.
//!
//! Nothing is evaluated, so pragmas in inactive branches are found too; a `_Pragma` that a macro makes is not. Those that stand in macro
//! definitions as they are have a list of their own.

use ferry_directive::Language;
use ferry_source::Preprocessor;
use std::ops::Range;

/// One pragma.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pragma {
    /// From the `#` or `_Pragma` to its last byte, line end not included.
    pub span: Range<u32>,
    /// Which language.
    pub language: Language,
    /// `omp` or `acc` and what is after it.
    pub content: Content,
}

/// The text of a directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// These bytes of the file.
    Bytes(Range<u32>),
    /// A string literal's value that is spelled otherwise in the file.
    Detached(String),
}

/// False if there is certainly no pragma of ours in the text (cheap, most files).
pub fn may_have_pragmas(bytes: &[u8]) -> bool {
    let word_at = |at: usize, word: &[u8]| {
        bytes[at..].starts_with(word)
            && !bytes.get(at + word.len()).is_some_and(|b| is_word(*b))
            && !at.checked_sub(1).is_some_and(|before| is_word(bytes[before]))
    };
    let mentions_language =
        |word: &[u8]| (0..bytes.len()).any(|at| bytes[at] == word[0] && word_at(at, word));
    // A word cut by a line continuation is the one spelling that this misses; then the whole text is looked at.
    let pragma = bytes.windows(6).any(|six| six == b"pragma" || six == b"Pragma");
    (pragma && (mentions_language(b"omp") || mentions_language(b"acc"))) || cut_word(bytes)
}

/// True if a line continuation stands inside a word.
fn cut_word(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().any(|(at, byte)| {
        let after = splice(bytes, at);
        *byte == b'\\'
            && after > 0
            && at > 0
            && is_word(bytes[at - 1])
            && bytes.get(at + after).is_some_and(|b| is_word(*b))
    })
}

/// True if the text has the operator `_Pragma` anywhere, in a macro definition too.
pub fn has_pragma_operator(bytes: &[u8]) -> bool {
    bytes.windows(7).any(|seven| seven == b"_Pragma")
}

/// All pragmas in the order of the text.
pub fn find(bytes: &[u8]) -> Vec<Pragma> {
    if !may_have_pragmas(bytes) {
        return Vec::new();
    }
    let preprocessor = Preprocessor::new(bytes);
    let with_operators = has_pragma_operator(bytes);
    let mut all = Vec::new();
    let mut at = 0;
    for line in preprocessor.lines() {
        if with_operators {
            operators(bytes, at as usize..line.hash as usize, &mut all);
        }
        at = line.end;
        if line.keyword == "pragma" {
            all.extend(pragma_line(bytes, line.hash..line.end));
        }
    }
    if with_operators {
        operators(bytes, at as usize..bytes.len(), &mut all);
    }
    all
}

/// Each `_Pragma("omp …")` in a macro definition, where other text may stand in its place: it is on one line, and its text has no
/// word that a parameter of the macro would replace there (in the string none does).
pub fn in_definitions(bytes: &[u8]) -> Vec<Pragma> {
    if !has_pragma_operator(bytes) || !may_have_pragmas(bytes) {
        return Vec::new();
    }
    let mut all = Vec::new();
    for line in Preprocessor::new(bytes).lines() {
        if line.keyword != "define" {
            continue;
        }
        let (parameters, body) = definition(bytes, line.hash as usize, line.end as usize);
        let mut found = Vec::new();
        operators(bytes, body..line.end as usize, &mut found);
        for mut pragma in found {
            let text = value(bytes, &pragma.content);
            let replaced = text
                .split(|c: char| !c.is_ascii() || !is_word(c as u8))
                .any(|word| parameters.iter().any(|parameter| parameter == word.as_bytes()));
            let span = pragma.span.start as usize..pragma.span.end as usize;
            if !replaced && !bytes[span].contains(&b'\n') {
                pragma.content = Content::Detached(text);
                all.push(pragma);
            }
        }
    }
    all
}

/// A pragma's text as the compiler sees it.
fn value(bytes: &[u8], content: &Content) -> String {
    match content {
        Content::Bytes(range) => {
            String::from_utf8_lossy(&bytes[range.start as usize..range.end as usize]).into_owned()
        }
        Content::Detached(text) => text.clone(),
    }
}

/// The parameters of the macro that a line defines, and where its replacement begins.
fn definition(bytes: &[u8], hash: usize, end: usize) -> (Vec<Vec<u8>>, usize) {
    let after_hash = hash + if bytes[hash] == b'#' { 1 } else { 2 };
    let (_, at) = word(bytes, skip_blanks(bytes, after_hash, end), end);
    let (_, at) = word(bytes, skip_blanks(bytes, at, end), end);
    if at >= end || bytes[at] != b'(' {
        return (Vec::new(), at);
    }
    let close = bytes[at..end].iter().position(|byte| *byte == b')');
    let close = close.map_or(end, |close| at + close);
    let mut parameters: Vec<Vec<u8>> = bytes[at..close]
        .split(|byte| !is_word(*byte))
        .filter(|word| !word.is_empty())
        .map(<[u8]>::to_vec)
        .collect();
    parameters.push(b"__VA_ARGS__".to_vec());
    (parameters, close)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Length of a line continuation at `at`, 0 if there is none.
fn splice(bytes: &[u8], at: usize) -> usize {
    match (bytes.get(at), bytes.get(at + 1), bytes.get(at + 2)) {
        (Some(b'\\'), Some(b'\n'), _) => 2,
        (Some(b'\\'), Some(b'\r'), Some(b'\n')) => 3,
        _ => 0,
    }
}

/// Skips blanks, comments and continuations inside `..end`.
fn skip_blanks(bytes: &[u8], mut at: usize, end: usize) -> usize {
    while at < end {
        match bytes[at] {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0B | 0x0C => at += 1,
            b'\\' if splice(bytes, at) > 0 => at += splice(bytes, at),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let close = bytes[at + 2..end].windows(2).position(|two| two == b"*/");
                at = close.map_or(end, |close| at + 2 + close + 2);
            }
            _ => break,
        }
    }
    at.min(end)
}

/// The word at `at`, continuations removed, and the offset after it.
fn word(bytes: &[u8], mut at: usize, end: usize) -> (Vec<u8>, usize) {
    let mut word = Vec::new();
    while at < end {
        match splice(bytes, at) {
            0 if is_word(bytes[at]) => {
                word.push(bytes[at]);
                at += 1;
            }
            0 => break,
            length => at += length,
        }
    }
    (word, at)
}

fn language(word: &[u8]) -> Option<Language> {
    match word {
        b"omp" => Some(Language::OpenMp),
        b"acc" => Some(Language::OpenAcc),
        _ => None,
    }
}

fn pragma_line(bytes: &[u8], span: Range<u32>) -> Option<Pragma> {
    let end = span.end as usize;
    let after_hash = span.start as usize + if bytes[span.start as usize] == b'#' { 1 } else { 2 };
    let (_, at) = word(bytes, skip_blanks(bytes, after_hash, end), end);
    let start = skip_blanks(bytes, at, end);
    let language = language(&word(bytes, start, end).0)?;
    let content = Content::Bytes(start as u32..end as u32);
    Some(Pragma {
        span,
        language,
        content,
    })
}

/// Finds `_Pragma ( "…" )` among the tokens of a piece of text without preprocessor lines.
fn operators(bytes: &[u8], range: Range<usize>, all: &mut Vec<Pragma>) {
    let (mut at, end) = (range.start, range.end.min(bytes.len()));
    while at < end {
        match bytes[at] {
            quote @ (b'"' | b'\'') => at = literal_end(bytes, at, end, quote),
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                while at < end && bytes[at] != b'\n' {
                    at += splice(bytes, at).max(1);
                }
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => at = skip_blanks(bytes, at, end),
            byte if is_word(byte) => {
                let start = at;
                let (name, after) = word(bytes, at, end);
                at = after.max(start + 1);
                if name == b"_Pragma"
                    && let Some(pragma) = operator(bytes, start, after, end)
                {
                    at = pragma.span.end as usize;
                    all.push(pragma);
                }
            }
            _ => at += 1,
        }
    }
}

/// Offset past a literal that starts at `at`.
fn literal_end(bytes: &[u8], at: usize, end: usize, quote: u8) -> usize {
    let mut at = at + 1;
    while at < end && bytes[at] != quote {
        at += match (splice(bytes, at), bytes[at]) {
            (0, b'\\') => 2,
            (0, b'\n') => return at, // an open quote: not C, libclang will say so
            (length, _) => length.max(1),
        };
    }
    (at + 1).min(end)
}

fn operator(bytes: &[u8], start: usize, after: usize, end: usize) -> Option<Pragma> {
    let open = skip_blanks(bytes, after, end);
    (bytes.get(open) == Some(&b'(')).then_some(())?;
    let quote = skip_blanks(bytes, open + 1, end);
    (quote < end && bytes[quote] == b'"').then_some(())?;
    let literal = literal_end(bytes, quote, end, b'"');
    let close = skip_blanks(bytes, literal, end);
    (close < end && bytes[close] == b')').then_some(())?;
    let inside = quote + 1..literal.saturating_sub(1).max(quote + 1);
    let span = start as u32..close as u32 + 1;
    let text = &bytes[inside.clone()];
    if text.contains(&b'\\') {
        let content = unescape(text);
        let language = language_of(&content)?;
        return Some(Pragma {
            span,
            language,
            content: Content::Detached(content),
        });
    }
    let start = skip_blanks(bytes, inside.start, inside.end);
    let language = language(&word(bytes, start, inside.end).0)?;
    let content = Content::Bytes(start as u32..inside.end as u32);
    Some(Pragma {
        span,
        language,
        content,
    })
}

/// A string literal's value as `_Pragma` sees it: `\"` and `\\` lose their backslash (C11 §6.10.9), continuations vanish.
fn unescape(text: &[u8]) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        match (splice(text, at), text[at]) {
            (0, b'\\') if matches!(text.get(at + 1), Some(b'"' | b'\\')) => {
                out.push(text[at + 1]);
                at += 2;
            }
            (0, byte) => {
                out.push(byte);
                at += 1;
            }
            (length, _) => at += length,
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// A pragma's text on one line: continuations removed, each comment one blank.
pub fn plain(bytes: &[u8]) -> String {
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match (splice(bytes, at), bytes[at]) {
            (0, quote @ (b'"' | b'\'')) => {
                let end = literal_end(bytes, at, bytes.len(), quote);
                out.extend_from_slice(&bytes[at..end]);
                at = end;
            }
            (0, b'/') if bytes.get(at + 1) == Some(&b'/') => break,
            (0, b'/') if bytes.get(at + 1) == Some(&b'*') => {
                let close = bytes[at + 2..].windows(2).position(|two| two == b"*/");
                at = close.map_or(bytes.len(), |close| at + 2 + close + 2);
                out.push(b' ');
            }
            (0, byte) => {
                out.push(if byte == b'\n' { b' ' } else { byte });
                at += 1;
            }
            (length, _) => at += length,
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// The language of a pragma's text: `omp barrier`.
pub fn language_of(text: &str) -> Option<Language> {
    let text = text.trim_start();
    let end = text.bytes().position(|byte| !is_word(byte)).unwrap_or(text.len());
    language(&text.as_bytes()[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, String)> {
        find(text.as_bytes())
            .into_iter()
            .map(|pragma| {
                let content = match pragma.content {
                    Content::Bytes(range) => text[range.start as usize..range.end as usize].to_owned(),
                    Content::Detached(text) => text,
                };
                (
                    &text[pragma.span.start as usize..pragma.span.end as usize],
                    content,
                )
            })
            .collect()
    }

    #[test]
    fn operators_in_definitions_are_found_where_other_text_may_stand_in_their_place() {
        let text = "#define A _Pragma(\"omp parallel\") { }\n\
                    #define B(n) _Pragma(\"omp target map(a[0:n])\") _Pragma(\"omp target map(a[0:m])\") ;\n\
                    # define C(x, ...) \\\n  f(x); \\\n  _Pragma(\"omp \\\"b\") _Pragma( \\\n \"omp barrier\")\n\
                    #define D(x) _Pragma(#x)\n#define E(...) _Pragma(\"GCC ivdep\")\n_Pragma(\"omp simd\")\n";
        let all = in_definitions(text.as_bytes());
        let contents: Vec<&Content> = all.iter().map(|pragma| &pragma.content).collect();
        let expected = ["omp parallel", "omp target map(a[0:m])", "omp \"b"];
        assert_eq!(
            contents,
            expected
                .map(|text| Content::Detached(text.to_owned()))
                .iter()
                .collect::<Vec<_>>()
        );
    }

    #[test]
    fn lines_in_every_spelling() {
        let text = "  # /* c */ pragma\tomp parallel \\\n  for\nx\n%:pragma acc data\n#pragma ompx y\n#pragma once\n\
                    // #pragma omp no\n/*\n#pragma omp no\n*/\nchar *s = \"\\\n#pragma omp no\\\n\";\n#pragma om\\\np barrier\n#pragma omp";
        let all = found(text);
        let contents: Vec<&str> = all.iter().map(|(_, content)| content.as_str()).collect();
        assert_eq!(
            contents,
            ["omp parallel \\\n  for", "acc data", "om\\\np barrier", "omp"]
        );
        assert_eq!(all[0].0, "# /* c */ pragma\tomp parallel \\\n  for");
    }

    #[test]
    fn operators_outside_definitions() {
        let text = "#define P _Pragma(\"omp no\")\nf() { _Pragma ( \"omp for if(a)\" ) ; _Pragma(\"acc x(\\\"s\\\")\") \
                    \"_Pragma(\\\"omp no\\\")\"; /* _Pragma(\"omp no\") */ _Pragma(\"GCC ivdep\") my_Pragma(\"omp no\") }";
        let all = found(text);
        assert_eq!(all.len(), 2);
        assert_eq!(
            all[0],
            ("_Pragma ( \"omp for if(a)\" )", "omp for if(a)".to_owned())
        );
        assert_eq!(all[1].1, "acc x(\"s\")");
    }

    #[test]
    fn a_plain_text_has_no_comments() {
        assert_eq!(
            plain(b"omp a \\\n b /* c */ \"//\" d // e"),
            "omp a  b   \"//\" d "
        );
        assert_eq!(plain(b"a /* b"), "a  ");
    }

    #[test]
    fn cut_texts_end_without_a_panic() {
        let text = "#pragma omp target map(to: a[0:n]) \\\n _Pragma(\"omp\\\\ \") /* */ 'x' _Pragma ( \"omp a\" /* */ ) \\\r\n x";
        for end in 0..=text.len() {
            find(&text.as_bytes()[..end]);
            for start in 0..end {
                find(&text.as_bytes()[start..end]);
            }
        }
    }

    #[test]
    fn most_files_are_not_scanned() {
        assert!(!may_have_pragmas(b"#pragma scop\nint accumulate, comp;\n"));
        assert!(may_have_pragmas(b"#pragma omp"));
        assert!(may_have_pragmas(b"#pragma o\\\nmp x"));
    }
}
