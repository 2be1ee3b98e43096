//! Which loops are meant by `--loop FILE:LINE`?
//!
//! Those that begin on the line, else the innermost one around it. The file may be given by the end of its path, as long as only one file of the report
//! ends so. What it cannot do: tell loops on one line apart.

use super::model::LoopReport;
use crate::input::Files;
use ferry_source::{FileId, Span};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A place as it is given on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// A file, or the end of its path.
    pub file: PathBuf,
    /// A line, from 1.
    pub line: u32,
}

/// Reads `FILE:LINE`.
///
/// # Errors
/// What it should look like, if it does not.
pub fn wanted(text: &str) -> Result<Wanted, String> {
    let malformed = || "a place is given as FILE:LINE, with lines counted from 1".to_owned();
    let (file, line) = text.rsplit_once(':').ok_or_else(malformed)?;
    let line: u32 = line.parse().map_err(|_| malformed())?;
    if file.is_empty() || line == 0 {
        return Err(malformed());
    }
    Ok(Wanted {
        file: PathBuf::from(file),
        line,
    })
}

/// The numbers of the loops that are meant.
///
/// # Errors
/// Why there are none.
pub fn chosen(wanted: &Wanted, loops: &[LoopReport], files: &Files) -> Result<Vec<usize>, String> {
    let file = file(wanted, loops, files)?;
    let of_file: Vec<(usize, &LoopReport)> = loops
        .iter()
        .enumerate()
        .filter(|(_, one)| one.place.file == file)
        .collect();
    let beginning: Vec<usize> = of_file
        .iter()
        .filter(|(_, one)| one.place.line == wanted.line)
        .map(|(number, _)| *number)
        .collect();
    if !beginning.is_empty() {
        return Ok(beginning);
    }
    let around = of_file.iter().filter_map(|(number, one)| {
        let whole = one.whole?;
        let lines = lines(files, whole);
        (lines.0 <= wanted.line && wanted.line <= lines.1).then_some((whole.end - whole.start, *number))
    });
    match around.min() {
        Some((_, number)) => Ok(vec![number]),
        None => Err(format!("{file} has no loop at or around line {}", wanted.line)),
    }
}

/// The first and the last line of a span.
fn lines(files: &Files, span: Span) -> (u32, u32) {
    let line = |at: u32| files.sources.line_column(span.file, at).0;
    (line(span.start), line(span.end.saturating_sub(1).max(span.start)))
}

/// The one file that is meant.
fn file(wanted: &Wanted, loops: &[LoopReport], files: &Files) -> Result<String, String> {
    let units = files
        .loaded
        .units
        .iter()
        .map(|unit| unit.path.display().to_string());
    let all: BTreeSet<String> = units
        .chain(loops.iter().map(|one| one.place.file.clone()))
        .collect();
    // The same file, however it is called; one that cannot be found is looked for by its name.
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let meant = real(&wanted.file);
    let exact = all
        .iter()
        .find(|path| Path::new(path) == wanted.file || (meant.is_some() && real(Path::new(path)) == meant));
    if let Some(exact) = exact {
        return Ok(exact.clone());
    }
    let ending: Vec<&String> = all
        .iter()
        .filter(|path| Path::new(path).ends_with(&wanted.file))
        .collect();
    match ending.as_slice() {
        [only] => Ok((*only).clone()),
        [] => Err(format!(
            "{}: no file of this report ends so",
            wanted.file.display()
        )),
        [first, second, ..] => Err(format!(
            "{}: that may be {first} or {second}; give more of the path",
            wanted.file.display()
        )),
    }
}

/// The loops around one, outermost first, and those in it, in the order of the text.
pub fn neighbours(loops: &[LoopReport], number: usize) -> (Vec<usize>, Vec<usize>) {
    let holds = |outer: Option<Span>, inner: Option<Span>| match (outer, inner) {
        (Some(outer), Some(inner)) => outer != inner && outer.contains(inner),
        _ => false,
    };
    let Some(own) = loops.get(number) else {
        return (Vec::new(), Vec::new());
    };
    let others = || loops.iter().enumerate().filter(|(other, _)| *other != number);
    let around = others().filter(|(_, other)| holds(other.whole, own.whole));
    let inside = others().filter(|(_, other)| holds(own.whole, other.whole));
    let mut around: Vec<(FileId, u32, usize)> = around
        .filter_map(|(other, one)| one.whole.map(|whole| (whole.file, whole.start, other)))
        .collect();
    around.sort_unstable();
    (
        around.into_iter().map(|(.., number)| number).collect(),
        inside.map(|(number, _)| number).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::wanted;
    use std::path::Path;

    #[test]
    fn a_place_is_a_file_and_a_line() {
        let place = wanted("src/a:b.c:12").unwrap();
        assert_eq!((place.file.as_path(), place.line), (Path::new("src/a:b.c"), 12));
        for text in [
            "a.c",
            "a.c:",
            ":3",
            "a.c:0",
            "a.c:-1",
            "a.c:x",
            "12",
            "a.c:99999999999",
        ] {
            assert!(wanted(text).unwrap_err().contains("FILE:LINE"), "{text}");
        }
    }
}
