//! Where does a piece of C text end? A few scans over bytes: blanks and comments, matching brackets, one token.
//!
//! These look only at text that libclang has accepted, to find what libclang does not tell: the `;` of a statement, the
//! parts of a `for`. They know no macros and no directives: a scan that meets a directive line gives up.

use ferry_source::is_word;

/// The first byte at or after `at` that is not blank, comment or line continuation.
pub fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    loop {
        match text.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c) => at += 1,
            Some(b'\\') if matches!(text.get(at + 1), Some(b'\n' | b'\r')) => at += 2,
            Some(b'/') if text.get(at + 1) == Some(&b'*') => {
                let rest = text.get(at + 2..).unwrap_or_default();
                match rest.windows(2).position(|pair| pair == b"*/") {
                    Some(length) => at += length + 4,
                    None => return text.len(),
                }
            }
            Some(b'/') if text.get(at + 1) == Some(&b'/') => {
                while at < text.len() && (text[at] != b'\n' || text.get(at.wrapping_sub(1)) == Some(&b'\\')) {
                    at += 1;
                }
            }
            _ => return at.min(text.len()),
        }
    }
}

/// The offset past the token that begins at `at` (a word, a number, a literal, or one byte of punctuation).
pub fn token_end(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        None => text.len(),
        Some(quote @ (b'"' | b'\'')) => {
            let mut end = at + 1;
            while let Some(byte) = text.get(end) {
                match byte {
                    b'\\' => end += 2,
                    b'\n' => return end,
                    byte if byte == quote => return end + 1,
                    _ => end += 1,
                }
            }
            text.len()
        }
        Some(byte) if byte.is_ascii_digit() => {
            let mut end = at + 1;
            while let Some(&byte) = text.get(end) {
                let exponent =
                    matches!(byte, b'+' | b'-') && matches!(text[end - 1], b'e' | b'E' | b'p' | b'P');
                if !is_word(byte) && byte != b'.' && !exponent {
                    break;
                }
                end += 1;
            }
            end
        }
        Some(&byte) if is_word(byte) => {
            let mut end = at + 1;
            while text.get(end).is_some_and(|&byte| is_word(byte)) {
                end += 1;
            }
            end
        }
        Some(_) => at + 1,
    }
}

/// The word that begins at `at`, empty if none does.
pub fn word(text: &[u8], at: usize) -> &[u8] {
    match text.get(at) {
        Some(&byte) if is_word(byte) && !byte.is_ascii_digit() => &text[at..token_end(text, at)],
        _ => &[],
    }
}

/// The offset past the bracket that closes the one at `open`; `None` if there is none, or a directive line is between.
pub fn closing(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = open;
    loop {
        at = skip_blanks(text, at);
        match *text.get(at)? {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'#' => return None,
            _ => {}
        }
        at = token_end(text, at);
    }
}

/// The head of a `for` whose keyword is at `at`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForHead {
    /// Are the three parts written (not empty)?
    pub parts: [bool; 3],
    /// Past the closing parenthesis.
    pub end: usize,
}

/// Takes the head of a `for` apart; `None` if its parentheses are not spelled here.
pub fn for_head(text: &[u8], at: usize) -> Option<ForHead> {
    if word(text, at) != b"for" {
        return None;
    }
    let mut at = skip_blanks(text, at + 3);
    if text.get(at) != Some(&b'(') {
        return None;
    }
    at += 1;
    let mut parts = [false; 3];
    let mut part = 0;
    loop {
        at = skip_blanks(text, at);
        match *text.get(at)? {
            b'(' | b'[' | b'{' => {
                parts[part] = true;
                at = closing(text, at)?;
                continue;
            }
            b';' => {
                part += 1;
                if part > 2 {
                    return None;
                }
            }
            b')' => return (part == 2).then_some(ForHead { parts, end: at + 1 }),
            b']' | b'}' | b'#' => return None,
            _ => parts[part] = true,
        }
        at = token_end(text, at);
    }
}

/// The offset past a name, literal or parenthesis and exactly `steps` subscripts, members and argument lists.
pub fn postfix_end(text: &[u8], at: usize, steps: usize) -> Option<usize> {
    let mut end = if text.get(at) == Some(&b'(') {
        closing(text, at)?
    } else {
        token_end(text, at)
    };
    for _ in 0..steps {
        let next = skip_blanks(text, end);
        end = match text.get(next)? {
            b'(' | b'[' => closing(text, next)?,
            b'.' => token_end(text, skip_blanks(text, next + 1)),
            b'-' if text.get(next + 1) == Some(&b'>') => token_end(text, skip_blanks(text, next + 2)),
            _ => return None,
        };
    }
    Some(end)
}

/// The offset past `do { … } while (…)`, without a `;`.
pub fn do_end(text: &[u8], at: usize) -> Option<usize> {
    if word(text, at) != b"do" {
        return None;
    }
    let open = skip_blanks(text, at + 2);
    if text.get(open) != Some(&b'{') {
        return None;
    }
    let keyword = skip_blanks(text, closing(text, open)?);
    if word(text, keyword) != b"while" {
        return None;
    }
    let open = skip_blanks(text, keyword + 5);
    if text.get(open) == Some(&b'(') {
        closing(text, open)
    } else {
        None
    }
}

/// True if from `at` to the end of the (continued) line only blanks and comments follow.
pub fn ends_line(text: &[u8], mut at: usize) -> bool {
    loop {
        match text.get(at) {
            None | Some(b'\n') => return true,
            Some(b' ' | b'\t' | b'\r') => at += 1,
            Some(b'\\') if matches!(text.get(at + 1), Some(b'\n')) => at += 2,
            Some(b'\\') if text.get(at + 1) == Some(&b'\r') && text.get(at + 2) == Some(&b'\n') => at += 3,
            Some(b'/') if matches!(text.get(at + 1), Some(b'*')) => at = skip_blanks(text, at),
            Some(b'/') if matches!(text.get(at + 1), Some(b'/')) => return true,
            _ => return false,
        }
    }
}

/// If the replacement list of a `#define` begins exactly at `at`, the macro's name.
pub fn defined_name(text: &[u8], at: usize) -> Option<&[u8]> {
    let mut line = at;
    loop {
        line = text[..line]
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |newline| newline + 1);
        let before = text[..line].strip_suffix(b"\n").unwrap_or(&[]);
        let before = before.strip_suffix(b"\r").unwrap_or(before);
        if line == 0 || !before.ends_with(b"\\") {
            break;
        }
        line -= 1;
    }
    let mut here = skip_blanks(text, line);
    if text.get(here) != Some(&b'#') {
        return None;
    }
    here = skip_blanks(text, here + 1);
    if word(text, here) != b"define" {
        return None;
    }
    here = skip_blanks(text, here + 6);
    let name = word(text, here);
    here += name.len();
    if text.get(here) == Some(&b'(') {
        here = closing(text, here)?;
    }
    (!name.is_empty() && skip_blanks(text, here) == at).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_parts_of_a_for() {
        let head = |text: &str| for_head(text.as_bytes(), 0).map(|head| head.parts);
        assert_eq!(head("for (;;) x"), Some([false, false, false]));
        assert_eq!(
            head("for (i = f(';'); i < \")\"[0]; ) x"),
            Some([true, true, false])
        );
        assert_eq!(head("for (/* ; */ ; i < n; i++) x"), Some([false, true, true]));
        assert_eq!(head("for (\n#if A\n;;) x"), None);
        assert_eq!(head("FOR (;;)"), None);
    }

    #[test]
    fn finds_where_a_macro_body_begins() {
        let text = b"#define N 10\n#define F(a, b) \\\n  (a + b)\n";
        assert_eq!(defined_name(text, 10), Some(&b"N"[..]));
        assert_eq!(defined_name(text, 11), None);
        let body = text.windows(7).position(|w| w == b"(a + b)").unwrap();
        assert_eq!(defined_name(text, body), Some(&b"F"[..]));
        assert_eq!(closing(text, body), Some(body + 7));
        assert!(ends_line(text, body + 7));
    }
}
