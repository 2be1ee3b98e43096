//! Which directive stands at a place of a text, where does it end, and which lines are directives?

use crate::parse::{Dialect, language_of, parse};
use crate::{Directive, Text};
use ferry_source::Preprocessor;

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

/// The lines of a text that are directives of either language, with those that continue them, each from the first byte of the line of its `#` to its last (the
/// line end not counted).
pub fn lines(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let preprocessor = Preprocessor::new(bytes);
    let pragmas = preprocessor
        .lines()
        .iter()
        .filter(|line| line.keyword == "pragma");
    let directives = pragmas.filter(|line| language_of(line.behind_keyword(bytes)).is_some());
    directives
        .map(|line| line.start as usize..line.end as usize)
        .collect()
}

/// Where a text writes a directive of OpenMP as an attribute (`[[omp::directive(…)]]`, OpenMP 5.1 §2.1), which is not read: the offset of the first one. One in a comment or a
/// literal counts, too.
pub fn attribute(bytes: &[u8]) -> Option<u32> {
    let is_one = |at: &usize| {
        let Some(inside) = bytes[*at..].strip_prefix(b"[[") else {
            return false;
        };
        let mut words = ferry_source::words(&inside[..inside.len().min(64)]);
        let first = match inside.trim_ascii_start().first() {
            Some(byte) if ferry_source::is_word(*byte) => words.next(),
            _ => None,
        };
        first == Some(b"omp") || first == Some(b"using") && words.next() == Some(b"omp")
    };
    (0..bytes.len()).find(is_one)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_pragmas_are_no_directives() {
        let text = b"#pragma unroll\n#  pragma  acc loop\n/*\n#pragma omp for\n*/\nx;\n#pragma omp simd \\\n  safelen(4)\n#pragma ompx for\n";
        let found: Vec<&[u8]> = lines(text).into_iter().map(|line| &text[line]).collect();
        assert_eq!(
            found,
            [&b"#  pragma  acc loop"[..], b"#pragma omp simd \\\n  safelen(4)"]
        );
    }

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

    #[test]
    fn attributes_of_openmp_are_found() {
        for (text, place) in [
            ("int a; [[omp::directive(parallel for)]] for (;;);", Some(7)),
            ("[[ using omp : directive(target) ]]", Some(0)),
            ("[[ omp :: sequence(directive(target))]]", Some(0)),
            ("a[[]]; [[maybe_unused]] int omp; b[x[omp]]", None),
            ("a[b[0]] = [[", None),
        ] {
            assert_eq!(attribute(text.as_bytes()), place, "{text}");
        }
    }
}
