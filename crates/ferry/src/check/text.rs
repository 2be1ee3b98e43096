//! How do findings read on a terminal? Like rustc's, with the rule, both places, how sure it is, and a line that counts them.

use super::{Outcome, confidence, severity};
use crate::input::Files;
use crate::terminal;
use ferry_source::{Finding, Severity};
use std::fmt::Write;

/// The text.
pub fn render(outcome: &Outcome, files: &Files) -> String {
    let mut out = String::new();
    let (mut errors, mut warnings, mut notes, mut advice) = (0, 0, 0, 0);
    for checked in &outcome.findings {
        let mut finding = checked.finding.clone();
        finding.severity = severity(checked);
        match finding.severity {
            _ if checked.performance => advice += 1,
            Severity::Error => errors += 1,
            Severity::Warning => warnings += 1,
            Severity::Note => notes += 1,
        }
        let from = match checked.function.is_empty() {
            true => String::new(),
            false => format!(", followed from {}", checked.function),
        };
        finding.notes.push(format!("{}{from}", confidence(checked)));
        let _ = writeln!(
            out,
            "{}\n",
            terminal::finding_of_rule(&files.sources, &finding).trim_end()
        );
    }
    for (why, at) in &outcome.unknown {
        let what = match why.as_str() {
            ferry_analysis::races::CUT_SHORT => "more races may be here",
            ferry_checks::ONE_MEMORY => "the file is not checked",
            _ => "from here on nothing is sure",
        };
        let finding = match at {
            Some(at) => Finding::new(Severity::Note, "unknown", what).at(*at, why.as_str()),
            None => Finding::new(Severity::Note, "unknown", format!("{what}: {why}")),
        };
        let _ = writeln!(
            out,
            "{}\n",
            terminal::finding(&files.sources, &finding).trim_end()
        );
    }
    let many = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    let mut parts = vec![many(errors, "error"), many(warnings, "warning")];
    if notes > 0 {
        parts.push(many(notes, "note"));
    }
    if advice > 0 {
        parts.push(format!("{advice} on performance"));
    }
    let mut rest = Vec::new();
    if outcome.allowed > 0 {
        rest.push(format!("{} allowed in the text", outcome.allowed));
    }
    if outcome.known > 0 {
        rest.push(format!("{} in the baseline", outcome.known));
    }
    if outcome.possible > 0 {
        rest.push(format!(
            "{} only possible (--pedantic says them)",
            outcome.possible
        ));
    }
    let _ = write!(out, "{}", parts.join(", "));
    if !rest.is_empty() {
        let _ = write!(out, "; not said: {}", rest.join(", "));
    }
    out.push('\n');
    out
}
