//! Where are the threads of a warp? A row of threads, a row of lines of memory, and from each thread a line to the bytes that it touches.
//!
//! Only accesses with a stride are drawn, each kind once; with a large stride the lines of memory between those that are touched are left out. A stride that is no
//! number is drawn as a long one, with its formula between the places of two neighbours.

use super::kernel::at_most;
use super::model::{KernelAccess, SharingReport};
use std::fmt::Write;

/// A drawing with what is said under it.
pub struct Drawing {
    /// The picture, an `svg` element.
    pub svg: String,
    /// What it shows.
    pub caption: String,
}

/// Width of one thread and of the row of lines, in pixels.
const THREAD: f64 = 22.0;
const HEIGHT: f64 = 74.0;
/// What a formula adds to the height.
const FORMULA: f64 = 22.0;
/// Most drawings of one kernel.
const MOST: usize = 4;
/// Bytes of a sector and of a line in drawings.
const SECTOR: i64 = 32;
const LINE: i64 = 128;

/// One drawing for each kind of access.
pub fn of_accesses(warp: u32, accesses: &[KernelAccess]) -> Vec<Drawing> {
    let mut seen: Vec<(&str, u64)> = Vec::new();
    let mut found = Vec::new();
    for access in accesses {
        let stride = match access.pattern {
            "uniform" => Some("0"),
            _ => access.stride.as_deref(),
        };
        let Some(stride) = stride else {
            continue;
        };
        let bytes = stride.parse::<i64>().ok();
        if bytes.is_some_and(|bytes| bytes.unsigned_abs() >= 1 << 32)
            || seen.contains(&(stride, access.size))
            || found.len() == MOST
        {
            continue;
        }
        seen.push((stride, access.size));
        let same = accesses
            .iter()
            .filter(|other| other.stride == access.stride && other.size == access.size);
        let (threads, size) = (warp.min(32), i64::try_from(access.size).unwrap_or(1));
        found.push(Drawing {
            svg: match bytes {
                Some(bytes) => draw(threads, bytes, size, None),
                None => draw(threads, 2 * LINE, size, Some(stride)),
            },
            caption: caption(access, same.count(), stride),
        });
    }
    found
}

fn caption(access: &KernelAccess, same: usize, stride: &str) -> String {
    let what = access
        .text
        .as_deref()
        .or(access.object.as_deref())
        .unwrap_or("memory");
    let more = match same {
        0 | 1 => String::new(),
        same => format!(" and {} more", same - 1),
    };
    let lines = format!("{}{}", at_most(access.lines.exact), access.lines.usual);
    match stride {
        "0" => format!("{what}{more}: all threads read the same bytes, lines {lines}"),
        stride => format!("{what}{more}: {stride} bytes from thread to thread, lines {lines}"),
    }
}

/// `formula` stands for the stride where that is no number.
fn draw(threads: u32, stride: i64, size: i64, formula: Option<&str>) -> String {
    let starts: Vec<i64> = (0..i64::from(threads)).map(|lane| lane * stride).collect();
    let mut lines: Vec<i64> = starts
        .iter()
        .flat_map(|start| start.div_euclid(LINE)..=(start + size - 1).div_euclid(LINE))
        .collect();
    lines.sort_unstable();
    lines.dedup();
    let width = f64::from(threads) * THREAD;
    let height = HEIGHT + formula.map_or(0.0, |_| FORMULA);
    let each = (width / lines.len() as f64).min(8.0 * THREAD);
    let place = |byte: i64| {
        let line = lines.partition_point(|line| *line < byte.div_euclid(LINE));
        (line as f64 + byte.rem_euclid(LINE) as f64 / LINE as f64) * each
    };
    let mut svg = format!(
        "<svg role=\"img\" aria-label=\"threads and the lines of memory that they touch\" width=\"{:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {:.0} {height:.0}\">",
        width + 2.0,
        width + 2.0
    );
    for (number, line) in lines.iter().enumerate() {
        for sector in 0..LINE / SECTOR {
            let first = line * LINE + sector * SECTOR;
            let taken = starts
                .iter()
                .any(|start| *start < first + SECTOR && start + size > first);
            let _ = write!(
                svg,
                "<rect class=\"{}\" x=\"{:.1}\" y=\"54\" width=\"{:.1}\" height=\"14\"/>",
                if taken { "taken" } else { "piece" },
                number as f64 * each + sector as f64 * each / 4.0 + 1.0,
                each / 4.0 - if sector == LINE / SECTOR - 1 { 1.5 } else { 0.0 }
            );
        }
    }
    for (lane, start) in starts.iter().enumerate() {
        let x = (lane as f64 + 0.5) * THREAD;
        let _ = write!(
            svg,
            "<line class=\"way\" x1=\"{x:.1}\" y1=\"16\" x2=\"{:.1}\" y2=\"54\"/><circle class=\"thread\" cx=\"{x:.1}\" cy=\"12\" r=\"3.5\"/>",
            place(*start) + 1.0 + each * size.min(LINE) as f64 / LINE as f64 / 2.0
        );
    }
    if let (Some(formula), [one, two, ..]) = (formula, starts.as_slice()) {
        let (from, to) = (place(*one) + 1.0, place(*two) + 1.0);
        let _ = write!(
            svg,
            "<path class=\"stride\" d=\"M{from:.1} 72v6H{to:.1}v-6\"/><text x=\"{from:.1}\" y=\"90\">{} bytes from each thread to the next, how many is not known</text>",
            escaped(formula)
        );
    }
    svg.push_str("</svg>");
    svg
}

/// As text of a page.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// A block of threads, one square each, on the tile that it touches; nothing if the tile has one dimension or its size is no number.
pub fn tile(of: &SharingReport) -> String {
    let (Some(x), Some(y)) = (of.block.first(), of.block.get(1)) else {
        return String::new();
    };
    let (x, y) = (*x as f64, *y as f64);
    let (margin, cell) = (14.0, 5.0);
    let mut svg = format!(
        "<svg role=\"img\" aria-label=\"a block of threads on its tile\" width=\"{0:.0}\" height=\"{1:.0}\"><rect class=\"taken\" x=\"1\" y=\"1\" width=\"{2:.0}\" height=\"{3:.0}\"/>",
        x * cell + 2.0 * margin + 2.0,
        y * cell + 2.0 * margin + 2.0,
        x * cell + 2.0 * margin,
        y * cell + 2.0 * margin
    );
    for row in 0..y as u32 {
        for column in 0..x as u32 {
            let _ = write!(
                svg,
                "<rect class=\"piece\" x=\"{:.0}\" y=\"{:.0}\" width=\"{cell}\" height=\"{cell}\"/>",
                margin + f64::from(column) * cell + 1.0,
                margin + f64::from(row) * cell + 1.0
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

/// A bar as long as a share of the present cost, at most as long as that.
pub fn bar(share: f64) -> String {
    let width = (share.clamp(0.0, 1.0) * 120.0).max(1.0);
    format!(
        "<svg width=\"122\" height=\"12\" aria-hidden=\"true\"><rect class=\"bar\" x=\"1\" y=\"2\" width=\"{width:.1}\" height=\"8\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_sectors_are_marked_as_are_taken() {
        let taken = |stride: i64, size: i64| draw(32, stride, size, None).matches("\"taken\"").count();
        assert_eq!(taken(4, 4), 4);
        assert_eq!(taken(0, 4), 1);
        assert_eq!(taken(12, 4), 12);
        assert_eq!(taken(4096, 4), 32);
        assert_eq!(taken(-4, 4), 5);
    }

    #[test]
    fn a_stride_that_is_no_number_is_a_formula() {
        let drawn = draw(32, 2 * LINE, 4, Some("4*(n < m ? n : m)"));
        assert_eq!(drawn.matches("\"taken\"").count(), 32);
        assert!(
            drawn.contains(">4*(n &lt; m ? n : m) bytes from each thread to the next"),
            "{drawn}"
        );
        assert!(!draw(32, 256, 4, None).contains("<text"));
    }
}
