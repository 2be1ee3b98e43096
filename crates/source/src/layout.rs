//! How is a text laid out? Line ends, indentation, beginnings and ends of lines.

/// The bytes that end a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LineEnd {
    /// LF
    Lf,
    /// CR LF
    CrLf,
}

impl LineEnd {
    /// What most lines of the text end with; LF if there is none.
    pub fn of(bytes: &[u8]) -> LineEnd {
        let ends = bytes.iter().filter(|b| **b == b'\n').count();
        let with_cr = bytes.windows(2).filter(|w| w == b"\r\n").count();
        if 2 * with_cr > ends {
            LineEnd::CrLf
        } else {
            LineEnd::Lf
        }
    }

    /// The bytes.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            LineEnd::Lf => b"\n",
            LineEnd::CrLf => b"\r\n",
        }
    }

    /// The same as text.
    pub fn as_str(self) -> &'static str {
        match self {
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
        }
    }
}

/// Offset of the last byte before `offset` that is neither white space nor in a comment. A comment or a literal that begins before `offset` must end before it, too.
pub fn last_code_before(bytes: &[u8], offset: usize) -> Option<usize> {
    let bytes = &bytes[..offset.min(bytes.len())];
    let (mut last, mut at) = (None, 0);
    while let Some(byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let length = if rest.starts_with(b"//") {
            line_comment(rest)
        } else if rest.starts_with(b"/*") {
            let close = rest[2..].windows(2).position(|two| two == b"*/");
            close.map_or(rest.len(), |close| close + 4)
        } else if matches!(byte, b'"' | b'\'') {
            let length = literal(rest);
            last = Some(at + length - 1);
            length
        } else {
            if !byte.is_ascii_whitespace() {
                last = Some(at);
            }
            1
        };
        at += length;
    }
    last
}

/// The length of a `//` comment, without the line end; a line that ends with a backslash goes on.
pub fn line_comment(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(length) = bytes[at..].iter().position(|byte| *byte == b'\n') {
        let line = &bytes[at..at + length];
        if !line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\") {
            return at + length;
        }
        at += length + 1;
    }
    bytes.len()
}

/// The length of a string or character constant; one that is not closed ends with its line (an apostrophe in text that is not compiled).
pub fn literal(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if *byte == bytes[0] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Offset of the first byte of the physical line that holds `offset` (an offset past the end counts as the end). A byte order mark
/// belongs to no line.
pub fn line_begin(bytes: &[u8], offset: usize) -> usize {
    let offset = offset.min(bytes.len());
    let begin = bytes[..offset]
        .iter()
        .rposition(|b| *b == b'\n')
        .map_or(0, |at| at + 1);
    if begin == 0 && bytes.starts_with(b"\xEF\xBB\xBF") {
        offset.min(3)
    } else {
        begin
    }
}

/// Offset past the last byte of the line that holds `offset`, its line end (LF or CR LF) not counted.
pub fn line_end(bytes: &[u8], offset: usize) -> usize {
    let offset = offset.min(bytes.len());
    let end = bytes[offset..]
        .iter()
        .position(|b| *b == b'\n')
        .map_or(bytes.len(), |at| offset + at);
    if end > offset && end < bytes.len() && bytes[end - 1] == b'\r' {
        end - 1
    } else {
        end
    }
}

/// Offset of the first byte of the line after the one that holds `offset`; the end of the text if there is none.
pub fn next_line(bytes: &[u8], offset: usize) -> usize {
    let offset = offset.min(bytes.len());
    bytes[offset..]
        .iter()
        .position(|b| *b == b'\n')
        .map_or(bytes.len(), |at| offset + at + 1)
}

/// The blanks and tabs at the beginning of the line that holds `offset`.
pub fn indentation(bytes: &[u8], offset: usize) -> &[u8] {
    let begin = line_begin(bytes, offset);
    let length = bytes[begin..]
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count();
    &bytes[begin..begin + length]
}

/// True if only blanks and tabs are between the beginning of the line and `offset`.
pub fn is_first_on_line(bytes: &[u8], offset: usize) -> bool {
    let offset = offset.min(bytes.len());
    bytes[line_begin(bytes, offset)..offset]
        .iter()
        .all(|b| matches!(b, b' ' | b'\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_white_space_are_no_code() {
        let last = |text: &str| last_code_before(text.as_bytes(), text.len());
        assert_eq!(last("int a; // b;\n/* c; */ \n"), Some(5));
        assert_eq!(last("int a; // b \\\n c;\n"), Some(5));
        assert_eq!(last("char a = '\"'; /* \" */"), Some(12));
        assert_eq!(last("puts(\"/* \\\" // \") "), Some(16));
        assert_eq!(last("#if 0\ndon't\n#endif\n"), Some(17));
        assert_eq!(last("  /* open"), None);
        assert_eq!(last_code_before(b"a b c", 3), Some(2));
    }

    #[test]
    fn the_majority_of_line_ends_wins() {
        assert_eq!(LineEnd::of(b""), LineEnd::Lf);
        assert_eq!(LineEnd::of(b"a\r\nb\r\nc\n"), LineEnd::CrLf);
        assert_eq!(LineEnd::of(b"a\r\nb\nc\n"), LineEnd::Lf);
        assert_eq!(LineEnd::of(b"a\rb\r"), LineEnd::Lf);
    }

    #[test]
    fn lines_and_their_indentation() {
        let text = b"\xEF\xBB\xBF x\r\n\t  y;\r\nz";
        assert_eq!(line_begin(text, 4), 3);
        assert_eq!(line_end(text, 4), 5);
        assert_eq!(next_line(text, 4), 7);
        assert_eq!(indentation(text, 10), b"\t  ");
        assert_eq!(indentation(text, 3), b" ");
        assert!(is_first_on_line(text, 10));
        assert!(!is_first_on_line(text, 11));
        assert_eq!(line_end(text, 99), text.len());
        assert_eq!(line_begin(text, 99), 14);
    }
}
