//! Where are the loops of a C text, and where do their parts begin and end?
//!
//! A scanner of tokens, not a parser: it knows comments, literals, preprocessor lines, brackets and the shape of
//! statements. It shares nothing with the front end, so that the two can disagree. Loops that come out of macros, and
//! those whose braces are split over an `#if`, are not found.

use super::{Claim, Role};
use std::ops::Range;

/// The keyword that begins a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyword {
    /// `for`
    For,
    /// `while`
    While,
    /// `do … while`
    Do,
}

/// One loop of a text. Ranges are byte offsets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopText {
    /// How it begins.
    pub keyword: Keyword,
    /// The whole statement.
    pub whole: Range<usize>,
    /// What stands between the parentheses.
    pub header: Range<usize>,
    /// The body statement, braces included.
    pub body: Range<usize>,
    /// Line of the keyword, from 1.
    pub line: u32,
    /// Column of the keyword in bytes, from 1.
    pub column: u32,
    /// Line of the last byte.
    pub last_line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Punctuation(u8),
    Other,
}

#[derive(Debug, Clone, Copy)]
struct Token {
    kind: Kind,
    start: usize,
    end: usize,
}

/// All loops of `text`, in the order of their keywords.
pub fn loops(text: &[u8]) -> Vec<LoopText> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let keyword = match word(text, token) {
            b"for" => Keyword::For,
            b"while" if !closes_do(text, &tokens, index) => Keyword::While,
            b"do" => Keyword::Do,
            _ => continue,
        };
        if let Some(parts) = parts(text, &tokens, index, keyword) {
            found.push(parts);
        }
    }
    found
}

/// The names that the third part of a `for` header changes and its first part does not declare.
pub fn induction_variables(text: &[u8], found: &LoopText) -> Vec<String> {
    if found.keyword != Keyword::For {
        return Vec::new();
    }
    let header = text.get(found.header.clone()).unwrap_or_default();
    let tokens = tokens(header);
    let mut parts = tokens.split(|token| token.kind == Kind::Punctuation(b';'));
    let first = parts.next().unwrap_or_default();
    let step = parts.nth(1).unwrap_or_default();
    // `int i = 0`, `struct s *p = q`: a word followed by a word or by a star and a word, before any `=`.
    let declares = matches!(first, [a, b, ..] if a.kind == Kind::Word
        && (b.kind == Kind::Word || b.kind == Kind::Punctuation(b'*')));
    if declares {
        Vec::new()
    } else {
        changed(header, step)
    }
}

/// The names that `text` steps by `++`, `--`, `+= word` or `-= word` and changes in no other way.
///
/// Whether the steps are the same in every iteration is not looked at: a conditional `k++` is among them. Members (`s->k++`) are no names.
pub fn stepped_names(text: &[u8]) -> Vec<String> {
    let tokens = tokens(text);
    let is_mark = |index: Option<usize>, mark: u8| {
        let token = index.and_then(|index| tokens.get(index));
        token.is_some_and(|token| token.kind == Kind::Punctuation(mark))
    };
    let is_member = |index: usize| {
        let (before, second) = (index.checked_sub(1), index.checked_sub(2));
        is_mark(before, b'.') || is_mark(before, b'>') && is_mark(second, b'-')
    };
    // `*p = 1`, `*--p = 1`: what it points to is set. Nothing that is set is a product; behind a word it is declared, `int *p = 0`.
    let points = |index: usize| {
        let steps = |mark: u8| is_mark(index.checked_sub(1), mark) && is_mark(index.checked_sub(2), mark);
        let before = if steps(b'-') || steps(b'+') { 3 } else { 1 };
        let star = index.checked_sub(before);
        let behind = star.and_then(|star| tokens.get(star.checked_sub(1)?));
        is_mark(star, b'*') && behind.is_none_or(|token| token.kind != Kind::Word)
    };
    let mut names = changed(text, &tokens);
    names.retain(|name| {
        let of_name = tokens
            .iter()
            .enumerate()
            .filter(|(index, token)| word(text, token) == name.as_bytes() && !is_member(*index));
        let is_variable = of_name.clone().next().is_some();
        is_variable
            && of_name.clone().all(|(index, _)| {
                let shape = |offset: usize| tokens.get(index + offset).map(|token| token.kind);
                let steps = matches!(shape(1), Some(Kind::Punctuation(b'+' | b'-')))
                    && shape(2) == Some(Kind::Punctuation(b'='));
                let by_a_word = shape(3) == Some(Kind::Word)
                    && matches!(shape(4), Some(Kind::Punctuation(b';' | b',' | b')')) | None);
                let is_set = shape(1) == Some(Kind::Punctuation(b'='))
                    && shape(2) != Some(Kind::Punctuation(b'='))
                    && !points(index);
                let other = shape(2) == Some(Kind::Punctuation(b'='))
                    && matches!(
                        shape(1),
                        Some(Kind::Punctuation(b'*' | b'/' | b'%' | b'&' | b'|' | b'^'))
                    );
                !is_set && !other && (!steps || by_a_word)
            })
    });
    names
}

/// The names that a text increments, decrements or assigns.
pub fn assigned_names(text: &[u8]) -> Vec<String> {
    changed(text, &tokens(text))
}

/// The names that the text of the function around `offset` sets before it, other than where it declares them.
pub fn changed_before(text: &[u8], offset: usize) -> Vec<String> {
    let mut own = tokens(text);
    own.retain(|token| token.end <= offset);
    let mut depth = 0_usize;
    let mut begin = 0;
    for (index, token) in own.iter().enumerate() {
        match token.kind {
            Kind::Punctuation(b'{') => {
                if depth == 0 {
                    begin = index;
                }
                depth += 1;
            }
            Kind::Punctuation(b'}') => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    let own = own.get(begin..).unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    for (index, token) in own.iter().enumerate() {
        // `int n = 1`, `int *p = a`, and `*p = 1`, which sets something else.
        let before = index.checked_sub(1).and_then(|at| own.get(at));
        let declared = before.is_some_and(|before| match before.kind {
            Kind::Word => !matches!(word(text, before), b"else" | b"do"),
            kind => kind == Kind::Punctuation(b'*'),
        });
        let name = String::from_utf8_lossy(word(text, token)).into_owned();
        if !name.is_empty() && !declared && !names.contains(&name) && assigned(own, index) {
            names.push(name);
        }
    }
    names
}

/// From where to where the first part of a `for` header stands; empty for other loops.
pub fn initialization(text: &[u8], found: &LoopText) -> Range<usize> {
    let header = text.get(found.header.clone()).unwrap_or_default();
    let length = match found.keyword {
        Keyword::For => tokens(header)
            .iter()
            .find(|token| token.kind == Kind::Punctuation(b';'))
            .map_or(0, |token| token.start),
        Keyword::While | Keyword::Do => 0,
    };
    found.header.start..found.header.start + length
}

/// The words of a text that could be names.
pub fn names(text: &[u8]) -> Vec<String> {
    let is_name = |name: &&[u8]| name.first().is_some_and(|first| !first.is_ascii_digit());
    tokens(text)
        .iter()
        .map(|token| word(text, token))
        .filter(is_name)
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .collect()
}

/// Claims that the names which the loop's text steps are induction variables, where nothing else is said of them.
pub fn claim_secondary_inductions(text: &[u8], found: &LoopText, claims: &mut Vec<Claim>) {
    for object in secondary_inductions(text, found) {
        if !claims.iter().any(|claim| claim.object == object) {
            let role = Role::Induction;
            claims.push(Claim { object, role });
        }
    }
}

/// The names that the loop's text steps and does not seem to declare.
fn secondary_inductions(text: &[u8], found: &LoopText) -> Vec<String> {
    const TYPES: [&[u8]; 9] = [
        b"int",
        b"long",
        b"unsigned",
        b"size_t",
        b"char",
        b"short",
        b"double",
        b"float",
        b"uint64_t",
    ];
    let whole = text.get(found.whole.clone()).unwrap_or_default();
    let tokens = tokens(whole);
    // A type and a name with nothing but `*` in between; not `(double)(k + 1)`.
    let words: Vec<&[u8]> = tokens
        .iter()
        .filter(|token| token.kind != Kind::Punctuation(b'*'))
        .map(|token| word(whole, token))
        .collect();
    let mut names = stepped_names(whole);
    names.retain(|name| {
        !words
            .windows(2)
            .any(|pair| TYPES.contains(&pair[0]) && pair[1] == name.as_bytes())
    });
    names
}

/// The names that are incremented, decremented or assigned, each once.
fn changed(text: &[u8], tokens: &[Token]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let name = String::from_utf8_lossy(word(text, token)).into_owned();
        // `s.k`, `s->k`: members are no names.
        let before = |back: usize| {
            let token = index.checked_sub(back).and_then(|at| tokens.get(at));
            token.map(|token| token.kind)
        };
        let is_member = before(1) == Some(Kind::Punctuation(b'.'))
            || before(1) == Some(Kind::Punctuation(b'>')) && before(2) == Some(Kind::Punctuation(b'-'));
        let is_name =
            !is_member && !name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit());
        if is_name && !names.contains(&name) && assigned(tokens, index) {
            names.push(name);
        }
    }
    names
}

/// Whether the word at `index` is incremented, decremented or assigned.
fn assigned(step: &[Token], index: usize) -> bool {
    let byte = |at: Option<usize>| {
        at.and_then(|at| step.get(at)).and_then(|token| match token.kind {
            Kind::Punctuation(byte) => Some(byte),
            _ => None,
        })
    };
    let twice = |a: Option<u8>, b: Option<u8>| a == b && matches!(a, Some(b'+' | b'-'));
    let after = (
        byte(Some(index + 1)),
        byte(Some(index + 2)),
        byte(Some(index + 3)),
    );
    let before = (byte(index.checked_sub(2)), byte(index.checked_sub(1)));
    twice(after.0, after.1)
        || twice(before.0, before.1)
        || (after.0 == Some(b'=') && after.1 != Some(b'='))
        || (matches!(
            after.0,
            Some(b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^')
        ) && after.1 == Some(b'='))
        || (matches!(after.0, Some(b'<' | b'>')) && after.0 == after.1 && after.2 == Some(b'='))
}

fn word<'a>(text: &'a [u8], token: &Token) -> &'a [u8] {
    if token.kind == Kind::Word {
        text.get(token.start..token.end).unwrap_or_default()
    } else {
        b""
    }
}

/// Whether the `while` at `index` ends a `do` statement: found by scanning that statement from its `do`.
fn closes_do(text: &[u8], tokens: &[Token], index: usize) -> bool {
    (0..index)
        .rev()
        .filter(|&at| tokens.get(at).is_some_and(|token| word(text, token) == b"do"))
        .any(|at| statement_end(text, tokens, at + 1, 0) == Some(index))
}

fn parts(text: &[u8], tokens: &[Token], index: usize, keyword: Keyword) -> Option<LoopText> {
    let start = tokens.get(index)?;
    let (header, body_first, body_end, end);
    if keyword == Keyword::Do {
        body_first = index + 1;
        body_end = statement_end(text, tokens, body_first, 0)?;
        let open = body_end + 1;
        let close = bracket_end(tokens, open)?;
        header = tokens.get(open)?.end..tokens.get(close - 1)?.start;
        end = close + 1; // the semicolon
    } else {
        let close = bracket_end(tokens, index + 1)?;
        header = tokens.get(index + 1)?.end..tokens.get(close - 1)?.start;
        body_first = close;
        body_end = statement_end(text, tokens, body_first, 0)?;
        end = body_end;
    }
    let whole = start.start..tokens.get(end - 1)?.end;
    let body = tokens.get(body_first)?.start..tokens.get(body_end - 1)?.end;
    let (line, column) = position(text, whole.start);
    let (last_line, _) = position(text, whole.end.saturating_sub(1));
    Some(LoopText {
        keyword,
        whole,
        header,
        body,
        line,
        column,
        last_line,
    })
}

/// Line and column of an offset, both from 1.
pub fn position(text: &[u8], offset: usize) -> (u32, u32) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&byte| byte != b'\n').count() + 1;
    (
        u32::try_from(line).unwrap_or(u32::MAX),
        u32::try_from(column).unwrap_or(u32::MAX),
    )
}

/// The index past the bracket that closes the one at `open`.
fn bracket_end(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Punctuation(b'(' | b'[' | b'{') => depth += 1,
            Kind::Punctuation(b')' | b']' | b'}') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The index past the statement that begins at `at`.
fn statement_end(text: &[u8], tokens: &[Token], mut at: usize, depth: usize) -> Option<usize> {
    if depth > 200 {
        return None;
    }
    loop {
        let token = tokens.get(at)?;
        if token.kind == Kind::Punctuation(b'{') {
            return bracket_end(tokens, at);
        }
        match word(text, token) {
            b"for" | b"while" | b"switch" => {
                return statement_end(text, tokens, bracket_end(tokens, at + 1)?, depth + 1);
            }
            b"if" => {
                let end = statement_end(text, tokens, bracket_end(tokens, at + 1)?, depth + 1)?;
                if tokens.get(end).is_some_and(|token| word(text, token) == b"else") {
                    at = end + 1;
                    continue;
                }
                return Some(end);
            }
            b"do" => {
                let end = statement_end(text, tokens, at + 1, depth + 1)?;
                return Some(bracket_end(tokens, end + 1)? + 1);
            }
            _ => {}
        }
        // A label, `case e:` or `default:` belongs to the statement after it.
        let is_case = matches!(word(text, token), b"case" | b"default");
        let is_label = token.kind == Kind::Word
            && tokens
                .get(at + 1)
                .is_some_and(|next| next.kind == Kind::Punctuation(b':'));
        if is_case || is_label {
            while tokens.get(at)?.kind != Kind::Punctuation(b':') {
                at += 1;
            }
            at += 1;
            continue;
        }
        // An expression statement: to its semicolon, over brackets.
        while tokens.get(at)?.kind != Kind::Punctuation(b';') {
            at = match tokens.get(at)?.kind {
                Kind::Punctuation(b'(' | b'[' | b'{') => bracket_end(tokens, at)?,
                Kind::Punctuation(b')' | b']' | b'}') => return None,
                _ => at + 1,
            };
        }
        return Some(at + 1);
    }
}

fn tokens(text: &[u8]) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line_start = true;
    let byte = |at: usize| text.get(at).copied();
    while let Some(now) = byte(at) {
        let start = at;
        match now {
            b'\n' => {
                line_start = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c' => {
                at += 1;
                continue;
            }
            b'\\' if matches!(byte(at + 1), Some(b'\n' | b'\r')) => {
                at += 2;
                continue;
            }
            b'/' if byte(at + 1) == Some(b'/') => {
                at = line_end(text, at);
                continue;
            }
            b'/' if byte(at + 1) == Some(b'*') => {
                at += 2;
                while byte(at).is_some() && !(byte(at) == Some(b'*') && byte(at + 1) == Some(b'/')) {
                    at += 1;
                }
                at += 2;
                continue;
            }
            b'#' if line_start => {
                at = line_end(text, at);
                continue;
            }
            b'"' | b'\'' => {
                at += 1;
                while byte(at).is_some_and(|byte| byte != now && byte != b'\n') {
                    at += if byte(at) == Some(b'\\') { 2 } else { 1 };
                }
                at += 1;
                tokens.push(Token {
                    kind: Kind::Other,
                    start,
                    end: at.min(text.len()),
                });
            }
            _ if is_word(now) => {
                while byte(at).is_some_and(is_word) {
                    at += 1;
                }
                tokens.push(Token {
                    kind: Kind::Word,
                    start,
                    end: at,
                });
            }
            _ => {
                at += 1;
                tokens.push(Token {
                    kind: Kind::Punctuation(now),
                    start,
                    end: at,
                });
            }
        }
        line_start = false;
    }
    tokens
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The offset of the line end that is not continued, or of the end of the text.
fn line_end(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        if byte == b'\n' && !matches!(text.get(..at), Some([.., b'\\'] | [.., b'\\', b'\r'])) {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(text: &str) -> Vec<(u32, u32, &str)> {
        let found = loops(text.as_bytes());
        found
            .iter()
            .map(|found| (found.line, found.column, &text[found.body.clone()]))
            .collect()
    }

    #[test]
    fn loops_of_every_kind_are_found_with_their_bodies() {
        let text = "void f(void) {\n  for (;;) { a(); }\n  while (x(1)) if (y) b(); else c();\n  do d(); while (0);\n}\n";
        assert_eq!(
            bodies(text),
            [
                (2, 3, "{ a(); }"),
                (3, 3, "if (y) b(); else c();"),
                (4, 3, "d();")
            ]
        );
    }

    #[test]
    fn a_while_that_ends_a_do_is_no_loop_of_its_own() {
        let text = "do { do x(); while (a); while (b) y(); } while (c);";
        assert_eq!(bodies(text).len(), 3);
    }

    #[test]
    fn comments_literals_and_macros_are_skipped() {
        let text = "#define L for (;;) \\\n  for (;;)\n// for (;;) x();\n/* while (1) */ char *s = \"for (;;) {\"; char c = '{';\nfor (i = 0; i < 3; i++) // for\n  p(\";\");\n";
        assert_eq!(bodies(text), [(5, 1, "p(\";\");")]);
    }

    #[test]
    fn labels_belong_to_their_statements() {
        let text = "for (;;) again: if (x) { y(); } z();";
        assert_eq!(bodies(text), [(1, 1, "again: if (x) { y(); }")]);
    }

    #[test]
    fn unbalanced_text_has_no_loops_and_does_not_fail() {
        for text in [
            "for (",
            "for () {",
            "while (1) }",
            "do",
            "do x(); while",
            "for",
            "case",
            "for (;;) case 1",
        ] {
            assert_eq!(bodies(text), [], "{text}");
        }
    }

    #[test]
    fn induction_variables_are_what_the_step_changes() {
        let names = |text: &str| induction_variables(text.as_bytes(), &loops(text.as_bytes())[0]);
        assert_eq!(names("for (i = 0; i < n; i++) x();"), ["i"]);
        assert_eq!(names("for (int i = 0; i < n; i++) x();"), Vec::<String>::new());
        assert_eq!(names("for (i = 0, j = n; i < j; i += s, --j) x();"), ["i", "j"]);
        assert_eq!(names("for (; i < n; i = i + step) x();"), ["i"]);
        assert_eq!(names("for (k = n; k > 0; k >>= 1) x();"), ["k"]);
        assert_eq!(names("for (s.k = 0; s.k < n; s.k++, p->j--, i++) x();"), ["i"]);
    }

    #[test]
    fn names_that_a_function_sets_before_a_loop_are_found() {
        let text = b"void f(int n) { n = 1; for (;;) n++; } void g(int n, int m, int k) { k %= 3; if (n > 2) m -= 2; else m = 3; int *p = 0; *p = 3; for (int i = m; i < n; i++) k = 0; }";
        let found = loops(text);
        assert_eq!(changed_before(text, found[0].whole.start), ["n"]);
        assert_eq!(changed_before(text, found[1].whole.start), ["k", "m"]);
        assert_eq!(&text[initialization(text, &found[1])], b"int i = m");
        assert_eq!(initialization(text, &found[0]).len(), 0);
        assert_eq!(names(b"4 * n + s->data[2]"), ["n", "s", "data"]);
    }

    #[test]
    fn stepped_names_are_changed_in_no_other_way() {
        let names = |text: &str| stepped_names(text.as_bytes());
        assert_eq!(
            names("*p++ = q[0]; q += N; s += a[i]; t++; t = 0; n--;"),
            ["p", "q", "n"]
        );
        assert_eq!(names("s->count++; v.size += n; k++; s->k = 0;"), ["k"]);
        assert_eq!(
            names("for (;;) *--p = 1; *q = 2; q++; r++; r = 0; int *s = 0; s++;"),
            ["p", "q"]
        );
    }
}
