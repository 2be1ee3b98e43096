//! Which bytes belong to preprocessor lines, and which branch of which `#if` is a byte in?
//!
//! A scan of the raw text that knows comments, literals, raw strings, line continuations and the digraph `%:`; trigraphs are not
//! replaced. Nothing is evaluated: all branches are seen alike.

use crate::{EditError, Span};

/// One preprocessor line with its continuation lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DirectiveLine {
    /// Offset of the first byte of the physical line that has the `#` (of the byte after a comment's end, if a comment of several lines
    /// ends on it).
    pub start: u32,
    /// Offset of the `#`.
    pub hash: u32,
    /// Offset past the last byte, the line end not counted.
    pub end: u32,
    /// The word after the `#`; empty for a null directive. Bytes that are no UTF-8 are replaced.
    pub keyword: String,
}

impl DirectiveLine {
    /// What stands behind the keyword, continuations and comments with it; nothing where the keyword itself is continued in the next line.
    pub fn behind_keyword<'a>(&self, bytes: &'a [u8]) -> &'a [u8] {
        let text = bytes
            .get(self.hash as usize..self.end as usize)
            .unwrap_or_default();
        let keyword = self.keyword.as_bytes();
        let place = text
            .windows(keyword.len().max(1))
            .position(|window| window == keyword);
        place.map_or(&[], |at| &text[at + keyword.len()..])
    }
}

/// The preprocessor lines of one text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Preprocessor {
    lines: Vec<DirectiveLine>,
    /// Number of the branch that the bytes after the line with the same index are in.
    branch_after: Vec<u32>,
    /// For each branch by its number, the one around its `#if` group.
    around: Vec<u32>,
}

/// Length of a line continuation at `at` (a backslash, blanks as gcc and clang allow them, a line end); 0 if there is none.
pub(crate) fn splice_length(bytes: &[u8], at: usize) -> usize {
    if bytes.get(at) != Some(&b'\\') {
        return 0;
    }
    let blanks = bytes[at + 1..]
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | 0x0B | 0x0C))
        .count();
    if bytes.get(at + 1 + blanks) == Some(&b'\n') {
        blanks + 2
    } else {
        0
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&mut self) -> Option<u8> {
        loop {
            match splice_length(self.bytes, self.at) {
                0 => return self.bytes.get(self.at).copied(),
                length => self.at += length,
            }
        }
    }

    /// The byte after the present one, continuations skipped.
    fn second(&mut self) -> Option<u8> {
        let here = self.at;
        self.peek()?;
        self.at += 1;
        let second = self.peek();
        self.at = here;
        second
    }

    /// Skips one comment, literal or byte; stops before a line end that ends the logical line.
    fn step(&mut self) {
        let Some(byte) = self.peek() else { return };
        let second = self.second();
        match byte {
            b'/' if second == Some(b'*') => self.block_comment(),
            b'/' if second == Some(b'/') => {
                while self.peek().is_some_and(|b| b != b'\n') {
                    self.at += 1;
                }
            }
            b'"' if self.raw_string() => {}
            b'"' | b'\'' => self.literal(byte),
            _ if is_word(byte) => {
                // A whole word, so that `1'000` of C++ opens no literal but `L'x'` does.
                let number = byte.is_ascii_digit();
                while let Some(b) = self.peek() {
                    let digit_separator = number && b == b'\'' && self.second().is_some_and(is_word);
                    if !is_word(b) && !digit_separator {
                        break;
                    }
                    self.at += 1;
                }
            }
            _ => self.at += 1,
        }
    }

    fn block_comment(&mut self) {
        self.at += 1;
        self.peek();
        self.at += 1;
        while let Some(byte) = self.peek() {
            if byte == b'*' && self.second() == Some(b'/') {
                self.at += 1;
                self.peek();
                self.at += 1;
                return;
            }
            self.at += 1;
        }
    }

    /// A literal ends at its quote, or where the line ends (an apostrophe in disabled text).
    fn literal(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            if byte == b'\n' {
                return;
            }
            self.at += 1;
            if byte == quote {
                return;
            }
            if byte == b'\\' && self.peek().is_some_and(|b| b != b'\n') {
                self.at += 1;
            }
        }
    }

    /// Skips `"delimiter( … )delimiter"` after `R`, `LR`, `uR`, `UR`, `u8R`.
    fn raw_string(&mut self) -> bool {
        let before = &self.bytes[..self.at];
        let word = before.len() - before.iter().rev().take_while(|b| is_word(**b)).count();
        if ![&b"R"[..], b"LR", b"uR", b"UR", b"u8R"].contains(&&before[word..]) {
            return false;
        }
        let rest = &self.bytes[self.at + 1..];
        let Some(open) = rest.iter().take(17).position(|b| *b == b'(') else {
            return false;
        };
        let mut end = vec![b')'];
        end.extend(&rest[..open]);
        end.push(b'"');
        if rest[..open]
            .iter()
            .any(|b| matches!(b, b' ' | b')' | b'\\' | b'"' | b'\n' | b'\t'))
        {
            return false;
        }
        let Some(close) = rest.windows(end.len()).position(|w| w == end) else {
            return false;
        };
        self.at += 1 + close + end.len();
        true
    }

    /// Skips white space and comments, line ends not. True if the line begins after a comment with a line end in it.
    fn blanks(&mut self, line: &mut usize) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\r' | 0x0B | 0x0C => self.at += 1,
                b'/' if self.second() == Some(b'*') => {
                    let from = self.at;
                    self.block_comment();
                    if self.bytes[from..self.at].contains(&b'\n') {
                        *line = self.at;
                    }
                }
                _ => return,
            }
        }
    }
}

impl Preprocessor {
    /// Scans a text.
    pub fn new(bytes: &[u8]) -> Preprocessor {
        let mut scanner = Scanner {
            bytes,
            at: if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 },
        };
        let mut lines = Vec::new();
        while scanner.at < bytes.len() {
            let mut start = scanner.at;
            scanner.blanks(&mut start);
            let hash = scanner.at;
            let is_directive = match scanner.peek() {
                Some(b'#') => true,
                Some(b'%') if scanner.second() == Some(b':') => {
                    scanner.at += 1;
                    scanner.peek();
                    true
                }
                _ => false,
            };
            let mut keyword = Vec::new();
            if is_directive {
                scanner.at += 1;
                scanner.blanks(&mut 0);
                while let Some(byte) = scanner.peek().filter(|b| is_word(*b)) {
                    keyword.push(byte);
                    scanner.at += 1;
                }
            }
            while scanner.peek().is_some_and(|b| b != b'\n') {
                scanner.step();
            }
            if is_directive {
                let end = if bytes[..scanner.at].ends_with(b"\r") && scanner.at < bytes.len() {
                    scanner.at - 1
                } else {
                    scanner.at
                };
                lines.push(DirectiveLine {
                    start: start as u32,
                    hash: hash as u32,
                    end: end as u32,
                    keyword: String::from_utf8_lossy(&keyword).into_owned(),
                });
            }
            scanner.at += 1;
        }
        let (branch_after, around) = branches(&lines);
        Preprocessor {
            lines,
            branch_after,
            around,
        }
    }

    /// All preprocessor lines in text order.
    pub fn lines(&self) -> &[DirectiveLine] {
        &self.lines
    }

    /// The line whose inside `offset` is: after the first byte of its physical line, and not past its end. (Inserting whole lines at
    /// `start` or after the line end disturbs nothing.)
    pub fn inside(&self, offset: u32) -> Option<&DirectiveLine> {
        let next = self.lines.partition_point(|line| line.start < offset);
        self.lines[..next].last().filter(|line| offset <= line.end)
    }

    /// The number of the conditional branch that a byte is in: equal for two bytes exactly if they are in the same branches of the same
    /// `#if` groups; 0 outside all.
    pub fn branch(&self, offset: u32) -> u32 {
        let next = self.lines.partition_point(|line| line.start < offset);
        next.checked_sub(1).map_or(0, |last| self.branch_after[last])
    }

    /// True if the branch that a byte is in goes on at another byte, or holds it in a branch inside: where that one is compiled, the first is.
    pub fn is_compiled_with(&self, offset: u32, inner: u32) -> bool {
        let wanted = self.branch(offset);
        let around = |branch: &u32| (*branch != 0).then(|| self.around.get(*branch as usize).copied())?;
        std::iter::successors(Some(self.branch(inner)), around).any(|branch| branch == wanted)
    }

    /// True if `start..end` begins and ends in different branches: it holds part of an `#if` group only.
    pub fn crosses(&self, start: u32, end: u32) -> bool {
        self.branch(start) != self.branch(end)
    }

    /// The preprocessor lines that have a byte in `start..end`.
    pub fn lines_within(&self, start: u32, end: u32) -> &[DirectiveLine] {
        let first = self.lines.partition_point(|line| line.end <= start);
        let last = self.lines.partition_point(|line| line.hash < end);
        &self.lines[first.min(last)..last]
    }

    /// Refuses an edit inside a preprocessor line or across a conditional group. Whole `#pragma` lines may be replaced.
    ///
    /// # Errors
    /// [`EditError::InDirective`], [`EditError::AcrossConditional`].
    pub fn check_edit(&self, at: Span) -> Result<(), EditError> {
        if self.crosses(at.start, at.end) {
            return Err(EditError::AcrossConditional { at });
        }
        let whole =
            |line: &&DirectiveLine| at.start <= line.hash && line.end <= at.end && line.keyword == "pragma";
        let in_line = if at.start == at.end {
            self.inside(at.start)
        } else {
            self.lines_within(at.start, at.end)
                .iter()
                .find(|line| !whole(line))
                .or(self.inside(at.start).filter(|line| !whole(line)))
        };
        match in_line {
            Some(line) if is_conditional(&line.keyword) && at.start <= line.hash && line.end <= at.end => {
                Err(EditError::AcrossConditional { at })
            }
            Some(line) => Err(EditError::InDirective {
                at,
                line: line.clone(),
            }),
            None => Ok(()),
        }
    }
}

fn is_conditional(keyword: &str) -> bool {
    matches!(
        keyword,
        "if" | "ifdef" | "ifndef" | "elif" | "elifdef" | "elifndef" | "else" | "endif"
    )
}

/// The branch behind each line, and for each branch the one around its group.
fn branches(lines: &[DirectiveLine]) -> (Vec<u32>, Vec<u32>) {
    let mut open = Vec::new();
    let mut current = 0;
    let mut around = vec![0];
    let mut fresh = |outside: Option<&u32>| {
        around.push(outside.copied().unwrap_or(0));
        around.len() as u32 - 1
    };
    let mut after = Vec::with_capacity(lines.len());
    for line in lines {
        match line.keyword.as_str() {
            "if" | "ifdef" | "ifndef" => {
                open.push(current);
                current = fresh(open.last());
            }
            "elif" | "elifdef" | "elifndef" | "else" => current = fresh(open.last()),
            // An `#endif` without `#if` still separates: the text is broken, and nothing may be said across it.
            "endif" => current = open.pop().unwrap_or_else(|| fresh(None)),
            _ => {}
        }
        after.push(current);
    }
    (after, around)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    fn find(text: &str, what: &str) -> u32 {
        text.find(what).unwrap() as u32
    }

    fn check(text: &str, from: &str, to: &str) -> Result<(), EditError> {
        let preprocessor = Preprocessor::new(text.as_bytes());
        preprocessor.check_edit(Span::new(FileId(0), find(text, from), find(text, to)))
    }

    #[test]
    fn lines_with_comments_literals_and_continuations() {
        let text = "int a; // #if not\n/* #if\n not */ #define X(a) \\\r\n  a + /* more\n lines */ b\n\
                    char *s = \"#if \\\" \\\n#if\";\n  # \\\n  pragma omp\n#\n%:include <x>\nR\"(\n#if\n)\" '\"' #no\n";
        let preprocessor = Preprocessor::new(text.as_bytes());
        let keywords: Vec<_> = preprocessor.lines().iter().map(|l| l.keyword.as_str()).collect();
        assert_eq!(keywords, ["define", "pragma", "", "include"]);
        assert!(preprocessor.inside(find(text, "more")).is_some());
        assert!(preprocessor.inside(find(text, "char")).is_none());
        assert!(preprocessor.inside(find(text, "  # \\")).is_none());
        let define = &preprocessor.lines()[0];
        assert_eq!(
            &text[define.hash as usize..define.end as usize],
            "#define X(a) \\\r\n  a + /* more\n lines */ b"
        );
    }

    #[test]
    fn branches_are_told_apart() {
        let text = "a\n#if X\nb\n#ifdef Y\nc\n#endif\nd\n#elif Z\ne\n#else\nlast\n#endif\ng\n";
        let preprocessor = Preprocessor::new(text.as_bytes());
        let branch = |what| preprocessor.branch(find(text, what));
        assert_eq!(branch("a\n"), branch("g\n"));
        assert_eq!(branch("b\n"), branch("d\n"));
        let all = ["a\n", "b\n", "c\n", "e\n", "last\n"];
        for (n, one) in all.iter().enumerate() {
            for other in &all[..n] {
                assert_ne!(branch(one), branch(other));
            }
        }
        let with = |what, inner| preprocessor.is_compiled_with(find(text, what), find(text, inner));
        for (what, inner) in [
            ("a\n", "g\n"),
            ("a\n", "c\n"),
            ("b\n", "c\n"),
            ("b\n", "d\n"),
            ("c\n", "c\n"),
        ] {
            assert!(with(what, inner), "{what}{inner}");
        }
        for (what, inner) in [
            ("c\n", "d\n"),
            ("b\n", "e\n"),
            ("e\n", "last\n"),
            ("last\n", "g\n"),
            ("b\n", "a\n"),
        ] {
            assert!(!with(what, inner), "{what}{inner}");
        }
    }

    #[test]
    fn edits_in_definitions_and_across_conditionals_are_refused() {
        let text = "one\n#define M \\\n two\nthree\n#pragma acc\nfour\n#if X\nfive\n#endif\nsix\n";
        assert!(matches!(
            check(text, "two", "two"),
            Err(EditError::InDirective { .. })
        ));
        assert!(matches!(
            check(text, "one", "two"),
            Err(EditError::InDirective { .. })
        ));
        assert!(matches!(
            check(text, "one", "three"),
            Err(EditError::InDirective { .. })
        ));
        assert!(matches!(
            check(text, "pragma", "four"),
            Err(EditError::InDirective { .. })
        ));
        assert!(matches!(
            check(text, "four", "five"),
            Err(EditError::AcrossConditional { .. })
        ));
        assert!(matches!(
            check(text, "four", "six"),
            Err(EditError::AcrossConditional { .. })
        ));
        assert!(matches!(
            check(text, "#if", "six"),
            Err(EditError::AcrossConditional { .. })
        ));
        for whole in [
            "one", "#define", "three", "#pragma", "four", "#if", "five", "#endif", "six",
        ] {
            assert_eq!(check(text, whole, whole), Ok(()), "{whole}");
        }
        assert_eq!(check(text, "three", "four"), Ok(()));
        assert_eq!(check(text, "#pragma", "four"), Ok(()));
        assert_eq!(check(text, "five", "#endif"), Ok(()));
    }

    #[test]
    fn broken_text_does_not_stop_it() {
        for text in [
            "\"",
            "/*",
            "#",
            "#if\n#endif\n#endif",
            "R\"(",
            "\\",
            "#define \\",
            "'\n#x",
            "\\\n",
            "%",
        ] {
            Preprocessor::new(text.as_bytes());
        }
        assert_eq!(Preprocessor::new(b"don't\n#if X").lines().len(), 1);
    }
}
