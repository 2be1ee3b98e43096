//! Where are the pieces of a pragma? Its bytes without line continuations and comments, each with its offset in the file, and cuts at
//! brackets, commas and colons.
//!
//! Literals are skipped, brackets must match. Angle brackets of C++ templates are not known: a comma inside them cuts.

use crate::Text;
use std::ops::Range;

/// Range of indices in [`Clean::text`].
pub(crate) type Piece = Range<usize>;

/// A pragma without continuations, its comments replaced by one blank.
pub(crate) struct Clean {
    pub text: String,
    /// Offset of each byte in the file, and one more for the end.
    offsets: Vec<u32>,
    /// `::` joins names.
    pub cplusplus: bool,
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn splice_length(bytes: &[u8], at: usize) -> usize {
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

impl Clean {
    /// Reads up to the first line end that is not continued. On a byte that is no UTF-8 outside comments, gives its offset.
    pub fn new(bytes: &[u8], start: u32, cplusplus: bool) -> Result<Clean, u32> {
        let offset = |at: usize| start.saturating_add(at as u32);
        // The byte at an index or after continuations there, with its index: continuations go before anything else is seen.
        let visible = |mut at: usize| {
            loop {
                match splice_length(bytes, at) {
                    0 => return bytes.get(at).map(|byte| (*byte, at)),
                    length => at += length,
                }
            }
        };
        let mut out: Vec<u8> = Vec::new();
        let mut offsets = Vec::new();
        let mut quote = None;
        let mut at = 0;
        let end = loop {
            let Some((byte, here)) = visible(at) else {
                break bytes.len();
            };
            let second = visible(here + 1);
            match (byte, second.map(|(byte, _)| byte), quote) {
                (b'\n', ..) | (b'\r', Some(b'\n') | None, _) | (b'/', Some(b'/'), None) => break here,
                (b'/', Some(b'*'), None) => {
                    out.push(b' ');
                    offsets.push(offset(here));
                    at = second.map_or(bytes.len(), |(_, star)| star + 1);
                    let mut star = false;
                    while let Some((byte, here)) = visible(at) {
                        at = here + 1;
                        if star && byte == b'/' {
                            break;
                        }
                        star = byte == b'*';
                    }
                    continue;
                }
                (b'\\', Some(next), Some(_)) if next != b'\n' => {
                    out.push(byte);
                    offsets.push(offset(here));
                    let (next, place) = second.unwrap_or((byte, here));
                    out.push(next);
                    offsets.push(offset(place));
                    at = place + 1;
                    continue;
                }
                (_, _, Some(open)) if byte == open => quote = None,
                (b'"', _, None) => quote = Some(byte),
                (b'\'', _, None) if !ends_in_number(&out) => quote = Some(byte),
                _ => {}
            }
            out.push(if matches!(byte, b'\t' | 0x0B | 0x0C) && quote.is_none() {
                b' '
            } else {
                byte
            });
            offsets.push(offset(here));
            at = here + 1;
        };
        offsets.push(offset(end));
        match String::from_utf8(out) {
            Ok(text) => Ok(Clean {
                text,
                offsets,
                cplusplus,
            }),
            Err(error) => Err(offsets[error.utf8_error().valid_up_to()]),
        }
    }

    pub fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    pub fn str(&self, piece: &Piece) -> &str {
        self.text.get(piece.clone()).unwrap_or("")
    }

    /// The piece without blanks at its ends.
    pub fn trim(&self, piece: Piece) -> Piece {
        let bytes = &self.bytes()[piece.clone()];
        let front = bytes.iter().take_while(|b| **b == b' ').count();
        let back = bytes[front..].iter().rev().take_while(|b| **b == b' ').count();
        piece.start + front..piece.end - back
    }

    /// Offsets in the file of a trimmed piece; an empty one is where it is looked for.
    pub fn place(&self, piece: &Piece) -> (u32, u32) {
        let start = self.offsets[piece.start];
        let end = if piece.is_empty() {
            start
        } else {
            self.offsets[piece.end - 1].saturating_add(1)
        };
        (start, end)
    }

    /// An expression.
    pub fn expression(&self, piece: Piece) -> Text {
        let piece = self.trim(piece);
        let (start, end) = self.place(&piece);
        Text {
            start,
            end,
            text: self.str(&piece).to_owned(),
        }
    }

    /// The text with single blanks.
    pub fn squeezed(&self, piece: &Piece) -> String {
        self.str(piece).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub fn skip_blanks(&self, at: usize) -> usize {
        at + self.bytes()[at..].iter().take_while(|b| **b == b' ').count()
    }

    /// The identifier that begins at `at`; empty if there is none.
    pub fn word(&self, at: usize) -> Piece {
        let bytes = self.bytes();
        if bytes.get(at).is_none_or(|b| b.is_ascii_digit()) {
            return at..at;
        }
        at..at + bytes[at..].iter().take_while(|b| is_word(**b)).count()
    }

    /// Index past a literal that begins at `at`, or past one byte.
    fn past(&self, at: usize) -> usize {
        let bytes = self.bytes();
        let quote = bytes[at];
        if quote != b'"' && (quote != b'\'' || ends_in_number(&bytes[..at])) {
            return at + 1;
        }
        let mut at = at + 1;
        while at < bytes.len() && bytes[at] != quote {
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        (at + 1).min(bytes.len())
    }

    /// The index of the bracket that closes the one at `open`; `None` if brackets do not match.
    pub fn close(&self, open: usize) -> Option<usize> {
        let bytes = self.bytes();
        let mut expected = Vec::new();
        let mut at = open;
        while at < bytes.len() {
            match bytes[at] {
                b'(' => expected.push(b')'),
                b'[' => expected.push(b']'),
                b'{' => expected.push(b'}'),
                close @ (b')' | b']' | b'}') => {
                    if expected.pop() != Some(close) {
                        return None;
                    }
                    if expected.is_empty() {
                        return Some(at);
                    }
                }
                _ => {}
            }
            at = self.past(at);
        }
        None
    }

    /// Indices in the piece that are in no literal (its quotes included; the first one is given).
    pub fn code(&self, piece: Piece) -> impl Iterator<Item = usize> {
        let mut at = piece.start;
        std::iter::from_fn(move || {
            let here = at;
            (here < piece.end).then(|| {
                at = self.past(here);
                here
            })
        })
    }

    /// Indices in the piece that are in no bracket and no literal. The piece must have matching brackets.
    pub fn top_level(&self, piece: Piece) -> impl Iterator<Item = usize> {
        let mut at = piece.start;
        std::iter::from_fn(move || {
            if at >= piece.end {
                return None;
            }
            let here = at;
            at = match self.bytes()[at] {
                b'(' | b'[' | b'{' => self.close(at).map_or(piece.end, |close| close + 1),
                _ => self.past(at),
            };
            Some(here)
        })
    }

    /// The pieces between commas, trimmed. An empty piece gives no pieces.
    pub fn list(&self, piece: Piece) -> Vec<Piece> {
        if self.trim(piece.clone()).is_empty() {
            return Vec::new();
        }
        let commas = self
            .top_level(piece.clone())
            .filter(|at| self.bytes()[*at] == b',');
        self.cut(piece.clone(), commas.collect())
    }

    /// The first colon that belongs to no conditional expression (and, in C++, to no `::`).
    pub fn colon(&self, piece: Piece) -> Option<usize> {
        self.colons(piece).first().copied()
    }

    /// The pieces between colons, trimmed; the piece itself without any.
    pub fn between_colons(&self, piece: Piece) -> Vec<Piece> {
        self.cut(piece.clone(), self.colons(piece))
    }

    fn cut(&self, piece: Piece, at: Vec<usize>) -> Vec<Piece> {
        let starts = std::iter::once(piece.start).chain(at.iter().map(|at| at + 1));
        let ends = at.iter().copied().chain(std::iter::once(piece.end));
        starts
            .zip(ends)
            .map(|(start, end)| self.trim(start..end))
            .collect()
    }

    fn colons(&self, piece: Piece) -> Vec<usize> {
        let bytes = self.bytes();
        let mut found = Vec::new();
        let mut questions = 0usize;
        let mut scope_end = 0;
        for at in self.top_level(piece.clone()) {
            match bytes[at] {
                b'?' => questions += 1,
                b':' if at < scope_end => {}
                b':' if self.cplusplus && self.is_scope(at, piece.end) => scope_end = at + 2,
                b':' if questions > 0 => questions -= 1,
                b':' => found.push(at),
                _ => {}
            }
        }
        found
    }

    /// `::` before a name joins names in C++ (`a[0::n]` means `a[0::(n)]` in C only, as OpenMP says).
    fn is_scope(&self, at: usize, end: usize) -> bool {
        let bytes = &self.bytes()[..end];
        bytes.get(at + 1) == Some(&b':')
            && bytes
                .get(at + 2)
                .is_some_and(|b| is_word(*b) && !b.is_ascii_digit())
    }
}

/// True if the bytes end in a number, so that an apostrophe separates digits.
fn ends_in_number(bytes: &[u8]) -> bool {
    let word = bytes
        .iter()
        .rev()
        .take_while(|b| is_word(**b) || **b == b'\'')
        .count();
    bytes[bytes.len() - word..]
        .first()
        .is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str) -> Clean {
        Clean::new(text.as_bytes(), 100, false).ok().unwrap()
    }

    fn pieces(clean: &Clean, pieces: Vec<Piece>) -> Vec<&str> {
        pieces.iter().map(|p| clean.str(p)).collect()
    }

    #[test]
    fn continuations_and_comments_go_and_offsets_stay() {
        let text = "a /* x */ b\\\r\nc // d\nnot";
        let clean = clean(text);
        assert_eq!(clean.text, "a   bc ");
        let piece = clean.trim(2..clean.text.len());
        assert_eq!(clean.str(&piece), "bc");
        let (start, end) = clean.place(&piece);
        assert_eq!(&text[start as usize - 100..end as usize - 100], "b\\\r\nc");
    }

    #[test]
    fn literals_hide_everything() {
        let text = r#"f("a,\"(", ',', '\'', 1'000, "/*"), x"#;
        let clean = clean(text);
        assert_eq!(clean.text, text);
        assert_eq!(pieces(&clean, clean.list(0..clean.text.len())).len(), 2);
    }

    #[test]
    fn colons_of_conditional_expressions_do_not_cut() {
        let clean = clean("a ? b ? c : d : e : (f ? g : h) : i");
        assert_eq!(
            pieces(&clean, clean.between_colons(0..clean.text.len())),
            ["a ? b ? c : d : e", "(f ? g : h)", "i"]
        );
    }

    #[test]
    fn scopes_are_of_cplusplus() {
        let mut clean = clean("x::y : 0::2 :: z");
        assert_eq!(pieces(&clean, clean.between_colons(0..clean.text.len())).len(), 8);
        clean.cplusplus = true;
        assert_eq!(
            pieces(&clean, clean.between_colons(0..clean.text.len())),
            ["x::y", "0", "", "2", "", "z"]
        );
    }

    #[test]
    fn brackets_must_match() {
        for (text, close) in [
            ("(a[0])", Some(5)),
            ("(a]", None),
            ("((", None),
            ("(\")\")", Some(4)),
            ("([)]", None),
        ] {
            assert_eq!(clean(text).close(0), close, "{text}");
        }
        assert!(Clean::new(b"omp \xFF", 0, false).is_err_and(|at| at == 4));
        assert!(Clean::new(b"omp /* \xFF */", 0, false).is_ok());
    }
}
