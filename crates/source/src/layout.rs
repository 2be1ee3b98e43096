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
