//! Where does `#include <stdint.h>` go, if the written conditions need `uintptr_t`?

use ferry_analysis::word::comments;
use ferry_source::{DirectiveLine, LineEnd, Preprocessor};

/// Offset and text of the line, or nothing if the file has such a header already. `before` is where it is needed first.
pub fn stdint(bytes: &[u8], preprocessor: &Preprocessor, before: u32) -> Option<(u32, Vec<u8>)> {
    let includes: Vec<&DirectiveLine> = preprocessor
        .lines()
        .iter()
        .filter(|line| {
            line.keyword == "include" && line.end <= before && preprocessor.branch(line.start) == 0
        })
        .collect();
    let names = |line: &DirectiveLine, header: &[u8]| {
        bytes
            .get(line.hash as usize..line.end as usize)
            .is_some_and(|text| text.windows(header.len()).any(|window| window == header))
    };
    if includes
        .iter()
        .any(|line| names(line, b"<stdint.h>") || names(line, b"<inttypes.h>"))
    {
        return None;
    }
    let end = LineEnd::of(bytes).as_str();
    match includes.last() {
        Some(line) => Some((line.end, format!("{end}#include <stdint.h>").into_bytes())),
        None => {
            let at = after_comments(bytes) as u32;
            Some((at, format!("#include <stdint.h>{end}").into_bytes()))
        }
    }
}

/// The beginning of the first line that is not blank and not part of a comment, or is one of those that speak of what follows (`// ferry: …`).
fn after_comments(bytes: &[u8]) -> usize {
    let start = if bytes.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
    let speaks = comments(bytes).first().map(|comment| comment.span.start);
    let mut line = start;
    loop {
        let rest = &bytes[line..];
        let blanks = rest
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        let text = &rest[blanks..];
        if speaks == Some(line + blanks) {
            return line;
        }
        let length = if text.starts_with(b"//") {
            line_length(text)
        } else if text.starts_with(b"/*") {
            let Some(close) = text.windows(2).skip(2).position(|pair| pair == b"*/") else {
                return line;
            };
            let close = close + 4;
            let behind = line_length(&text[close..]);
            // Code behind the comment stays where it is.
            if !text[close..close + behind].trim_ascii().is_empty() {
                return line;
            }
            close + behind
        } else {
            return line;
        };
        let next = line + blanks + length;
        if next == line || next >= bytes.len() {
            return next.min(bytes.len());
        }
        line = next;
    }
}

/// Bytes up to and with the line end.
fn line_length(text: &[u8]) -> usize {
    text.iter()
        .position(|byte| *byte == b'\n')
        .map_or(text.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(text: &str) -> String {
        let preprocessor = Preprocessor::new(text.as_bytes());
        let mut result = text.as_bytes().to_vec();
        if let Some((at, line)) = stdint(text.as_bytes(), &preprocessor, text.len() as u32) {
            result.splice(at as usize..at as usize, line);
        }
        String::from_utf8(result).unwrap()
    }

    #[test]
    fn it_goes_behind_the_last_include() {
        assert_eq!(
            with("#include <stdio.h>\r\nint a;\r\n"),
            "#include <stdio.h>\r\n#include <stdint.h>\r\nint a;\r\n"
        );
        let conditional = "#include <a.h>\n#if X\n#include <b.h>\n#endif\nint a;\n";
        assert_eq!(
            with(conditional),
            conditional.replace("<a.h>\n", "<a.h>\n#include <stdint.h>\n")
        );
    }

    #[test]
    fn it_goes_behind_the_first_comments() {
        assert_eq!(
            with("// a\n/* b\n c */\nint a;\n"),
            "// a\n/* b\n c */\n#include <stdint.h>\nint a;\n"
        );
        assert_eq!(
            with("// a\n\n// ferry: extent(x[0:n])\nvoid f();\n"),
            "// a\n#include <stdint.h>\n\n// ferry: extent(x[0:n])\nvoid f();\n"
        );
        assert_eq!(with("/* b */ int a;\n"), "#include <stdint.h>\n/* b */ int a;\n");
        assert_eq!(with("\u{FEFF}int a;"), "\u{FEFF}#include <stdint.h>\nint a;");
    }

    #[test]
    fn it_is_not_written_twice() {
        for text in ["#include <stdint.h>\n", "# include <inttypes.h>\n"] {
            assert_eq!(with(text), text);
        }
    }
}
