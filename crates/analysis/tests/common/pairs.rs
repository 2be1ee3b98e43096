//! Which pairs of places does Ferry name of the loops that are not parallel, which of them does a run show, and how does a marker say that?
//!
//! Obstacles name two places: of two accesses to memory, or where a variable is written and where it is read. A marker (`pair(+1 a[i], +1 a[i - 1])`, see
//! `tests/programs/README.md`) says both by their lines, counted from the loop's, and their texts; a place in a called function by its text alone, so that what stands
//! between the two may grow.
//!
//! What it cannot do: obstacles that name one place only, or none (a call, a way out of the loop), and loops that no run enters.

use super::Analysed;
use ferry_ir::interpret::LoopKey;
use ferry_source::{Origin, Span};
use std::collections::BTreeMap;

/// A pair of places that is named of a loop.
pub struct Named {
    pub of: LoopKey,
    pub places: [Origin; 2],
    /// In the run, one of the two touched in a later iteration what the other one had touched.
    pub met: bool,
}

/// A loop that is marked, and is not parallel.
pub struct Marked {
    /// `file.c:12`
    pub place: String,
    /// What its marker says of a pair.
    pub pair: Option<String>,
    /// The markers of the pairs that are named of it, and whether they met.
    pub named: Vec<(String, bool)>,
}

/// The loops that are marked sequential or unknown, with the pairs that are named of them; those that cannot be written in a marker are left out.
pub fn marked(program: &Analysed, named: &[Named]) -> Vec<Marked> {
    let mut found = BTreeMap::new();
    for (key, (facts, index)) in program.loops() {
        let of = &facts.values.loops[index.0 as usize];
        let (Some(keyword), Some(whole)) = (of.keyword, of.origin.span()) else {
            continue;
        };
        let line = program.line(keyword);
        let said = line.split_once("// loop:").map(|(_, said)| said.trim());
        let Some(said) = said.filter(|said| said.starts_with("sequential") || said.starts_with("unknown"))
        else {
            continue;
        };
        let number = program.sources.line_column(keyword.file, keyword.start).0;
        let file = program.sources.path(keyword.file).file_name().unwrap_or_default();
        let one = Marked {
            place: format!("{}:{number}", file.to_string_lossy()),
            pair: pair_of(said),
            named: Vec::new(),
        };
        found.insert(key, (whole, one));
    }
    for one in named {
        if let Some((whole, marked)) = found.get_mut(&one.of) {
            let places = one.places.map(|place| written(program, *whole, place));
            if let [Some(first), Some(second)] = places {
                marked.named.push((format!("pair({first}, {second})"), one.met));
            }
        }
    }
    found.into_values().map(|(_, marked)| marked).collect()
}

/// `+1 a[i]`, for a place one line below the line in which the loop `whole` begins; `None` for a text that would end the marker.
fn written(program: &Analysed, whole: Span, place: Origin) -> Option<String> {
    let span = place.span()?;
    let text = String::from_utf8_lossy(program.sources.text(span)).into_owned();
    let text = text.trim_end_matches(';');
    let is_short = !text.is_empty() && !text.contains('\n') && text.len() <= 60;
    let is_plain = !text.contains("//") && !text.contains("because") && is_closed(text);
    let line = |at: u32| i64::from(program.sources.line_column(whole.file, at).0);
    let is_inside = span.file == whole.file && whole.start <= span.start && span.end <= whole.end;
    let below = line(span.start) - line(whole.start);
    (is_short && is_plain).then(|| match is_inside {
        true => format!("{below:+} {text}"),
        false => text.to_owned(),
    })
}

/// True if brackets are closed in the text, and none that it has not opened.
fn is_closed(text: &str) -> bool {
    let mut depth = 0;
    let mut ever = true;
    for letter in text.chars() {
        depth += i32::from(matches!(letter, '(' | '[')) - i32::from(matches!(letter, ')' | ']'));
        ever &= depth >= 0;
    }
    ever && depth == 0
}

/// The pair of a marker, as it is written.
fn pair_of(said: &str) -> Option<String> {
    let facts = said.split(" // ").next()?.split("because").next()?;
    let rest = &facts[facts.find("pair(")?..];
    let mut depth = 0;
    let end = rest.char_indices().find(|(_, letter)| {
        depth += i32::from(*letter == '(') - i32::from(*letter == ')');
        *letter == ')' && depth == 0
    });
    Some(rest[..=end?.0].to_owned())
}

#[test]
fn a_pair_ends_where_its_brackets_are_closed() {
    let said = "sequential, pair(+1 a[f(i)], +2 a[(i)]), because f(i) is read // stronger: pair(no)";
    assert_eq!(pair_of(said).as_deref(), Some("pair(+1 a[f(i)], +2 a[(i)])"));
    assert_eq!(pair_of("sequential, because of pair(+1 a, +1 b)"), None);
    assert!(is_closed("a[(i)]") && !is_closed("a)(") && !is_closed("f("));
}
