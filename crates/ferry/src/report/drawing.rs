//! Where are the threads of a warp? A row of threads, a row of lines of memory, and from each thread a line to the bytes that it touches.
//!
//! Only accesses with a stride are drawn, each kind once; with a large stride the lines of memory between those that are touched are left out. A stride that is no
//! number is drawn as a long one, with its formula between the places of two neighbours.

use super::kernel::at_most;
use super::model::{KernelAccess, SharingReport, TileShape};
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

/// Most pixels of a tile along each side, and the side of a thread where there is room.
const WIDEST: f64 = 480.0;
const HIGHEST: f64 = 240.0;
const CELL: f64 = 5.0;

/// A block of threads on the tile that it touches: to scale where all is numbers, else with the formulas of its sides.
pub fn tile(of: &SharingReport) -> String {
    match &of.shape {
        Some(shape) if shape.whole.iter().all(|extent| *extent > 0) => scaled(shape, &of.block),
        _ => labelled(&of.tile, &of.block),
    }
}

/// One unit across is a byte, one unit down is a row.
fn scaled(shape: &TileShape, block: &[u64]) -> String {
    let [rows, bytes] = shape.whole;
    // What one thread more adds, along the axis that goes this way.
    let step = |way: usize| {
        let steps = shape.steps.iter().map(|step| step[way].abs());
        steps.filter(|step| *step > 0).min().unwrap_or(1)
    };
    let side = |whole: i64, way: usize, most: f64| (whole as f64 * CELL / step(way) as f64).clamp(10.0, most);
    let mut svg = format!(
        "<svg class=\"tile\" role=\"img\" aria-label=\"{rows} rows of {bytes} bytes, and the threads of a block on them\" width=\"{:.0}\" height=\"{:.0}\" viewBox=\"0 0 {bytes} {rows}\" preserveAspectRatio=\"none\"><rect class=\"taken\" width=\"{bytes}\" height=\"{rows}\"/>",
        side(bytes, 1, WIDEST),
        side(rows, 0, HIGHEST)
    );
    let mut threads = vec![shape.first];
    for (axis, [down, across]) in shape.steps.iter().enumerate() {
        if (*down, *across) == (0, 0) {
            continue;
        }
        let many = block
            .get(axis)
            .map_or(1, |many| i64::try_from(*many).unwrap_or(1));
        threads = threads
            .iter()
            .flat_map(|[row, byte]| {
                (0..many).map(move |thread| [row + thread * down, byte + thread * across])
            })
            .collect();
    }
    // Where all threads are at one place, there is no block to be drawn.
    for [row, byte] in threads.iter().filter(|_| threads.len() > 1) {
        let (width, height) = (step(1).min(bytes - byte), step(0).min(rows - row));
        if *row >= 0 && *byte >= 0 && width > 0 && height > 0 {
            let _ = write!(
                svg,
                "<rect class=\"piece\" x=\"{byte}\" y=\"{row}\" width=\"{width}\" height=\"{height}\"/>"
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

/// A block with something around it, not to scale, and under it the formulas of the tile's sides.
fn labelled(tile: &[String], block: &[u64]) -> String {
    let side = |axis: usize| block.get(axis).map_or(1, |threads| (*threads).min(16)) as f64 * CELL;
    let (x, y, margin) = (side(0), side(1), 14.0);
    let text = match tile {
        [bytes] => format!("{bytes} bytes"),
        sides => format!("{} bytes", sides.join(" x ")),
    };
    let width = (x + 2.0 * margin).max(6.0 * text.chars().count() as f64);
    let (wide, high) = (x + 2.0 * margin, y + 2.0 * margin);
    let mut svg = format!(
        "<svg class=\"tile\" role=\"img\" aria-label=\"a block of threads on its tile, not to scale\" width=\"{:.0}\" height=\"{:.0}\">",
        width + 2.0,
        high + 20.0
    );
    let _ = write!(
        svg,
        "<rect class=\"taken\" x=\"1\" y=\"1\" width=\"{wide:.0}\" height=\"{high:.0}\"/><rect class=\"piece\" x=\"{margin:.0}\" y=\"{margin:.0}\" width=\"{x:.0}\" height=\"{y:.0}\"/><text x=\"1\" y=\"{:.0}\">{}</text></svg>",
        high + 14.0,
        escaped(&text)
    );
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

    /// What is drawn of a tile: its box, and how many threads in which boxes.
    fn drawn(shape: &TileShape, block: &[u64]) -> (String, usize) {
        let svg = scaled(shape, block);
        let from = svg.split("viewBox=\"").nth(1).unwrap();
        let view = from.split('"').next().unwrap().to_owned();
        (view, svg.matches("class=\"piece\"").count())
    }

    /// A filter of 3 x 3 pixels of three bytes over blocks of 16 x 16: 18 rows of 54 bytes, one pixel and one row around the block.
    #[test]
    fn a_tile_is_drawn_to_scale() {
        let convolution = TileShape {
            whole: [18, 54],
            first: [1, 3],
            steps: vec![[0, 3], [1, 0]],
        };
        assert_eq!(drawn(&convolution, &[16, 16]), ("0 0 54 18".to_owned(), 256));
        let svg = scaled(&convolution, &[16, 16]);
        assert!(
            svg.contains("<rect class=\"taken\" width=\"54\" height=\"18\"/>"),
            "{svg}"
        );
        // The first thread, and the last.
        for (x, y) in [(3, 1), (48, 16)] {
            let own = format!("<rect class=\"piece\" x=\"{x}\" y=\"{y}\" width=\"3\" height=\"1\"/>");
            assert!(svg.contains(&own), "{own} is not in {svg}");
        }
        assert!(
            svg.contains("width=\"90\" height=\"90\""),
            "threads are squares: {svg}"
        );
        // Three neighbours of a row of elements of 4 bytes: 4*BX + 8 of them.
        let line = TileShape {
            whole: [1, 520],
            first: [0, 4],
            steps: vec![[0, 4]],
        };
        assert_eq!(drawn(&line, &[128]), ("0 0 520 1".to_owned(), 128));
        assert!(scaled(&line, &[128]).contains("x=\"512\" y=\"0\" width=\"4\" height=\"1\""));
        // What all threads share has no threads on it.
        let table = TileShape {
            whole: [1, 36],
            first: [0, 0],
            steps: vec![[0, 0], [0, 0]],
        };
        assert_eq!(drawn(&table, &[16, 16]), ("0 0 36 1".to_owned(), 0));
        // Formulas are written.
        let svg = labelled(
            &["fh + BY - 1".to_owned(), "3*fw + 3*BX - 3".to_owned()],
            &[16, 16],
        );
        assert!(
            svg.contains(">fh + BY - 1 x 3*fw + 3*BX - 3 bytes</text>"),
            "{svg}"
        );
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
