//! Which comments of a text speak to Ferry? `// ferry: …` and `/* ferry: … */`, wherever they stand.
//!
//! What it cannot do: comments whose `//` is cut by a line continuation.

use ferry_source::layout;
use std::ops::Range;

/// One comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comment {
    /// From its `/` to its last byte, the line end not counted.
    pub span: Range<usize>,
    /// What stands behind `ferry:`.
    pub words: String,
    /// `// …` on a line of its own.
    pub own_line: bool,
}

/// The comments that begin with `ferry:`, in the order of the text.
pub fn comments(text: &[u8]) -> Vec<Comment> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut line = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with(b"//") {
            let end = layout::line_comment(rest);
            let own_line = text[line..at].trim_ascii().is_empty();
            push(&mut found, at..at + end, &rest[2..end], own_line);
            at += end;
        } else if rest.starts_with(b"/*") {
            let close = rest[2..].windows(2).position(|two| two == b"*/");
            let inner = close.map_or(rest.len(), |close| close + 2);
            let end = close.map_or(rest.len(), |close| close + 4);
            push(&mut found, at..at + end, &rest[2..inner], false);
            at += end;
        } else if matches!(rest[0], b'"' | b'\'') {
            at += layout::literal(rest);
        } else {
            at += 1;
            if rest[0] == b'\n' {
                line = at;
            }
        }
    }
    found
}

fn push(found: &mut Vec<Comment>, span: Range<usize>, inner: &[u8], own_line: bool) {
    let words = std::str::from_utf8(inner).ok();
    let words = words.and_then(|inner| inner.trim().strip_prefix("ferry:"));
    if let Some(words) = words {
        let length = span.len() - (inner.len() - inner.trim_ascii_end().len());
        // The `*/` belongs to its comment.
        let end = if own_line { span.start + length } else { span.end };
        found.push(Comment {
            span: span.start..end,
            words: words.trim().to_owned(),
            own_line,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_found_where_they_are_comments() {
        let text = b"  // ferry: assume(n > 0)  \r\nx = 1; // ferry: independent\n/* ferry: assume(a > 1) */ y;\n\
            s = \"// ferry: no\"; c = '\"'; // ferry:last\n/* // ferry: no */ // ferries: no\n// ferry: a \\\n b";
        let all = comments(text);
        let words: Vec<&str> = all.iter().map(|one| one.words.as_str()).collect();
        assert_eq!(
            words,
            [
                "assume(n > 0)",
                "independent",
                "assume(a > 1)",
                "last",
                "a \\\n b"
            ]
        );
        let own: Vec<bool> = all.iter().map(|one| one.own_line).collect();
        assert_eq!(own, [true, false, false, false, true]);
        assert_eq!(&text[all[0].span.clone()], b"// ferry: assume(n > 0)");
        assert_eq!(&text[all[2].span.clone()], b"/* ferry: assume(a > 1) */");
    }

    #[test]
    fn cut_texts_end() {
        let text = b"/* ferry: a */ 'x\\' \"a // ferry: b \\\n c\\\r\n";
        for start in 0..text.len() {
            for end in start..=text.len() {
                comments(&text[start..end]);
            }
        }
    }
}
