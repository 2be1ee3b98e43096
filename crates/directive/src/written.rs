//! Which directive stands at a place of a text, and where does it end?

use crate::parse::{Dialect, parse};
use crate::{Directive, Text};

/// The directive whose `#` is at this offset, with the offset past its last byte (its line end not counted; lines that are continued are part of it). `None`
/// if it is no `#pragma`, or not understood.
pub fn written(bytes: &[u8], hash: u32) -> Option<(Directive<Text>, u32)> {
    let start = usize::try_from(hash).ok()?;
    let rest = bytes.get(start..)?.strip_prefix(b"#")?.trim_ascii_start();
    let content = rest.strip_prefix(b"pragma")?;
    let after = bytes.len() - content.len();
    let mut end = after;
    loop {
        let line = bytes.get(end..).unwrap_or_default();
        let length = line.iter().position(|byte| *byte == b'\n').unwrap_or(line.len());
        end += length;
        let continued = bytes[after..end].trim_ascii_end().ends_with(b"\\") && end < bytes.len();
        if !continued {
            break;
        }
        end += 1;
    }
    if bytes[after..end].ends_with(b"\r") {
        end -= 1;
    }
    let directive = parse(&bytes[after..end], u32::try_from(after).ok()?, Dialect::C).ok()?;
    Some((directive, u32::try_from(end).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn continued_lines_belong_to_it() {
        let text = b"x;\n# pragma omp target map(to: a) \\\r\n  nowait\r\ny;\n#pragma once\n";
        let (directive, end) = written(text, 3).unwrap();
        assert_eq!(directive.name, "target");
        assert_eq!(directive.clauses.len(), 2);
        assert_eq!(&text[end as usize..end as usize + 4], b"\r\ny;");
        let (start, past) = directive.clauses[1].place.unwrap();
        assert_eq!(&text[start as usize..past as usize], b"nowait");
        assert!(written(text, 0).is_none());
        assert!(written(text, 52).is_none());
        assert!(written(text, 5_000).is_none());
    }
}
