//! How does a finding look on a terminal, and how does text leave the program? Findings look like rustc's.
//!
//! Files are bytes, terminals want text: bytes that are no UTF-8 are shown as replacement characters.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use ferry_source::{Finding, Label, Severity, Sources, Span};
use std::io::{ErrorKind, Write};

/// Most lines of one piece of source that is shown with several places in it.
const LINES: u32 = 60;

/// Writes one message to standard error. Nobody can be told if that fails.
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Writes to standard output. A reader that went away (`| head`) is no error.
///
/// # Errors
/// Any other failure.
pub fn print(bytes: &[u8]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    printed(out.write_all(bytes).and_then(|()| out.flush()))
}

/// What came of writing to standard output, where a reader that went away is no error.
///
/// # Errors
/// Any other failure.
pub fn printed(result: std::io::Result<()>) -> std::io::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// The text of one finding, with the source lines that it is about.
pub fn finding(sources: &Sources, finding: &Finding) -> String {
    rendered(sources, finding, None)
}

/// The same, with the name of its rule: `error[stale-host-read]`.
pub fn finding_of_rule(sources: &Sources, finding: &Finding) -> String {
    rendered(sources, finding, Some(&finding.rule))
}

fn rendered(sources: &Sources, finding: &Finding, rule: Option<&str>) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let labels: Vec<(&Label, AnnotationKind)> = finding
        .primary
        .iter()
        .map(|label| (label, AnnotationKind::Primary))
        .chain(
            finding
                .related
                .iter()
                .map(|label| (label, AnnotationKind::Context)),
        )
        .collect();
    let pieces = pieces(sources, &labels);
    let title = level.primary_title(finding.message.as_str());
    let mut group = match rule {
        Some(rule) => title.id(rule),
        None => title,
    }
    .element_none();
    for piece in &pieces {
        let mut snippet = Snippet::source(piece.text.as_str())
            .path(piece.path.as_str())
            .line_start(piece.line as usize);
        for (range, text, kind) in &piece.labels {
            let label = (!text.is_empty()).then_some(text.as_str());
            snippet = snippet.annotation(kind.span(range.clone()).label(label));
        }
        group = group.element(snippet);
    }
    for note in &finding.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    Renderer::plain().render(&[group])
}

/// Turns a title into a group without anything in it.
trait Alone<'a> {
    fn element_none(self) -> Group<'a>;
}

impl<'a> Alone<'a> for annotate_snippets::Title<'a> {
    fn element_none(self) -> Group<'a> {
        Group::with_title(self)
    }
}

/// A piece of one file with the places in it.
struct Piece {
    path: String,
    text: String,
    line: u32,
    labels: Vec<(std::ops::Range<usize>, String, AnnotationKind)>,
}

fn pieces(sources: &Sources, labels: &[(&Label, AnnotationKind)]) -> Vec<Piece> {
    let lines = |span: Span| {
        let (first, _) = sources.line_column(span.file, span.start);
        let (last, _) = sources.line_column(span.file, span.end.max(span.start));
        // A whole loop is shown by its first line.
        (first, last.min(first))
    };
    let mut pieces: Vec<(Span, u32, u32, Vec<usize>)> = Vec::new();
    for (number, (label, _)) in labels.iter().enumerate() {
        let (first, last) = lines(label.at);
        let known = pieces.iter_mut().find(|(span, low, high, _)| {
            span.file == label.at.file && (*high).max(last) - (*low).min(first) < LINES
        });
        match known {
            Some((_, low, high, inside)) => {
                *low = (*low).min(first);
                *high = (*high).max(last);
                inside.push(number);
            }
            None => pieces.push((label.at, first, last, vec![number])),
        }
    }
    let made = pieces.into_iter().map(|(span, first, last, inside)| {
        let file = span.file;
        let begin = sources.line_start(file, first).unwrap_or(0);
        let end = sources
            .line_start(file, last + 1)
            .unwrap_or(sources.bytes(file).len() as u32);
        // How far a byte is from the beginning in the text that is shown.
        let shown = |offset: u32| {
            let part = Span {
                file,
                start: begin,
                end: offset.clamp(begin, end),
            };
            String::from_utf8_lossy(sources.text(part)).len()
        };
        let text = String::from_utf8_lossy(sources.text(Span {
            file,
            start: begin,
            end,
        }))
        .into_owned();
        let labels = inside.into_iter().map(|number| {
            let (label, kind) = labels[number];
            let (line, _) = sources.line_column(file, label.at.start);
            let line_end = sources
                .line_start(file, line + 1)
                .map_or(end, |next| next.saturating_sub(1));
            let start = shown(label.at.start);
            let stop = shown(label.at.end.min(line_end)).max(start);
            (start..stop, label.message.clone(), kind)
        });
        Piece {
            path: sources.path(file).display().to_string(),
            labels: labels.collect(),
            text,
            line: first,
        }
    });
    made.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_finding_shows_its_lines() {
        let mut sources = Sources::new();
        let file = sources.insert(
            Path::new("a.c"),
            b"int a;\r\nfor (;;) { // \xE9\n  x = y;\n}\n".to_vec(),
        );
        let one = Finding::new(Severity::Warning, "rule", "a loop")
            .at(Span::new(file, 8, 31), "this one")
            .related(Span::new(file, 27, 33), "writes")
            .note("a note")
            .help("do something");
        let text = finding(&sources, &one);
        for part in [
            "warning: a loop",
            "a.c:2:1",
            "this one",
            "writes",
            "note: a note",
            "help: do something",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn places_at_the_end_of_the_file_are_fine() {
        let mut sources = Sources::new();
        let file = sources.insert(Path::new("a.c"), b"int a".to_vec());
        let one = Finding::new(Severity::Error, "rule", "the end").at(Span::new(file, 5, 5), "");
        assert!(finding(&sources, &one).contains("a.c:1:6"));
        let empty = sources.insert(Path::new("b.c"), Vec::new());
        let one = Finding::new(Severity::Error, "rule", "nothing").at(Span::new(empty, 0, 0), "");
        assert!(finding(&sources, &one).contains("nothing"));
    }
}
