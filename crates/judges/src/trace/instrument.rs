//! Writes a copy of a C file in which every loop announces its entry, its iterations and its exit.
//!
//! ```text
//! for (…) body   →   { ferry_scope_loop(3, …) for (…) { ferry_scope_iteration(3) body } }
//! ```
//!
//! Nothing moves to another line; [`Copy::original`] maps columns back.

use std::fmt::Write as _;
use std::path::Path;

use super::LoopRequest;
use super::scan::{self, Keyword, LoopText, position};

/// An instrumented copy.
#[derive(Debug)]
pub struct Copy {
    /// The text.
    pub text: Vec<u8>,
    /// The loops, in order; the marker number of the first is `first`.
    pub loops: Vec<LoopText>,
    /// For each loop its claims: those requested, then its induction variables.
    pub requests: Vec<LoopRequest>,
    /// Insertions: line, column in the original, length; sorted.
    insertions: Vec<(u32, u32, u32)>,
}

impl Copy {
    /// The column in the original of a line and column in the copy.
    pub fn original(&self, line: u32, column: u32) -> u32 {
        let first = self.insertions.partition_point(|insertion| insertion.0 < line);
        let mut shift = 0;
        for &(at, original, length) in self.insertions.iter().skip(first) {
            if at != line || column < original + shift + length {
                break;
            }
            shift += length;
        }
        column.saturating_sub(shift).max(1)
    }
}

/// Instruments `text`; loops are numbered from `first`. `requests` belong to loops by line (and column, if given).
pub fn instrument(text: &[u8], path: &Path, first: usize, requests: &[LoopRequest]) -> Copy {
    let loops = scan::loops(text);
    let mut pieces: Vec<(usize, String)> = Vec::new();
    let mut own = Vec::new();
    for (index, found) in loops.iter().enumerate() {
        let mut request = requests
            .iter()
            .find(|request| {
                request.line == found.line && request.column.is_none_or(|column| column == found.column)
            })
            .cloned()
            .unwrap_or_default();
        request.line = found.line;
        request.column = Some(found.column);
        for name in scan::induction_variables(text, found) {
            if !request.claims.iter().any(|claim| claim.object == name) {
                request.claims.push(super::Claim {
                    object: name,
                    role: super::Role::Induction,
                });
            }
        }
        let number = first + index;
        let values = request.all_values();
        let condition = request.condition.as_deref().unwrap_or("1");
        let mut entry = format!(
            "{{ ferry_scope_loop({number}, ferry_holds({condition}), {}, {}",
            request.claims.len(),
            values.len()
        );
        for claim in &request.claims {
            let _ = write!(entry, ", ferry_claim({})", claim.object);
        }
        for value in &values {
            let _ = write!(entry, ", ferry_value({value})");
        }
        entry.push_str(") ");
        pieces.push((found.whole.start, entry));
        let after_do = if found.keyword == Keyword::Do { " " } else { "" };
        pieces.push((
            found.body.start,
            format!("{after_do}{{ ferry_scope_iteration({number}) "),
        ));
        pieces.push((found.body.end, " } ".to_owned()));
        pieces.push((found.whole.end, " }".to_owned()));
        own.push(request);
    }
    // Outer loops come first in `pieces`: at one offset their openings must precede, their closings follow. Openings
    // and closings never share an offset with one another (a body has at least one byte).
    let mut numbered: Vec<(usize, usize, bool, String)> = pieces
        .into_iter()
        .enumerate()
        .map(|(order, (offset, piece))| (offset, order, piece.trim_start().starts_with('}'), piece))
        .collect();
    numbered.sort_by(|left, right| {
        let closings = right.2.cmp(&left.2); // what closes at an offset comes before what opens there
        let order = if left.2 && right.2 {
            closing_order(left, right)
        } else {
            left.1.cmp(&right.1)
        };
        left.0.cmp(&right.0).then(closings).then(order)
    });
    // Line and file of the original, so that debug information speaks of it.
    let mut copy = Vec::new();
    let name = path
        .display()
        .to_string()
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    copy.extend_from_slice(format!("#line 1 \"{name}\"\n").as_bytes());
    let mut insertions = Vec::new();
    let mut done = 0;
    for (offset, _, _, piece) in &numbered {
        copy.extend_from_slice(text.get(done..*offset).unwrap_or_default());
        copy.extend_from_slice(piece.as_bytes());
        let (line, column) = position(text, *offset);
        insertions.push((line, column, u32::try_from(piece.len()).unwrap_or(0)));
        done = *offset;
    }
    copy.extend_from_slice(text.get(done..).unwrap_or_default());
    Copy {
        text: copy,
        loops,
        requests: own,
        insertions,
    }
}

/// Inner loops close first: they are the later ones; a body's end closes before its own loop's end.
fn closing_order(
    left: &(usize, usize, bool, String),
    right: &(usize, usize, bool, String),
) -> std::cmp::Ordering {
    let key = |piece: &(usize, usize, bool, String)| (std::cmp::Reverse(piece.1 / 4), piece.1 % 4);
    key(left).cmp(&key(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_loops_close_inside_out() {
        let text = b"for (;;) for (;;) x();\n";
        let copy = instrument(text, Path::new("a.c"), 1, &[]);
        let expected = "#line 1 \"a.c\"\n{ ferry_scope_loop(1, ferry_holds(1), 0, 0) for (;;) { ferry_scope_iteration(1) \
            { ferry_scope_loop(2, ferry_holds(1), 0, 0) for (;;) { ferry_scope_iteration(2) x(); }  } }  }\n";
        assert_eq!(String::from_utf8(copy.text).unwrap(), expected);
    }

    #[test]
    fn columns_are_mapped_back() {
        let text = b"for (;;) x(1);\ny();\n";
        let copy = instrument(text, Path::new("a.c"), 1, &[]);
        let line = copy.text.split(|&byte| byte == b'\n').nth(1).unwrap();
        let column = line.windows(4).position(|part| part == b"x(1)").unwrap() as u32 + 1;
        assert_eq!(copy.original(1, column), 10);
        assert_eq!(copy.original(2, 3), 3);
    }
}
