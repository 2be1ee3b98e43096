//! What does a check or a refused change say? Data only; how it looks is the command's business.

use crate::Span;

/// How bad it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Something to know.
    Note,
    /// Something that is likely wrong, or cannot be shown to be right.
    Warning,
    /// Something wrong.
    Error,
}

/// A place with what is to be said about it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    /// Where; an empty span is a place between two bytes.
    pub at: Span,
    /// What; may be empty for the primary place.
    pub message: String,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Finding {
    /// How bad.
    pub severity: Severity,
    /// Name of the rule, in lower case with `-` between words: `stale-host-read`.
    pub rule: String,
    /// One sentence without full stop.
    pub message: String,
    /// The place that it is about; `None` if there is none (a file that cannot be read).
    pub primary: Option<Label>,
    /// Other places involved.
    pub related: Vec<Label>,
    /// What else to know, one sentence each: causes, assumptions.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Finding {
    /// A finding at no place.
    pub fn new(severity: Severity, rule: &str, message: impl Into<String>) -> Finding {
        Finding {
            severity,
            rule: rule.to_owned(),
            message: message.into(),
            primary: None,
            related: Vec::new(),
            notes: Vec::new(),
            help: None,
        }
    }

    /// The finding with its primary place.
    #[must_use]
    pub fn at(mut self, at: Span, message: impl Into<String>) -> Finding {
        self.primary = Some(Label {
            at,
            message: message.into(),
        });
        self
    }

    /// The finding with one more place.
    #[must_use]
    pub fn related(mut self, at: Span, message: impl Into<String>) -> Finding {
        self.related.push(Label {
            at,
            message: message.into(),
        });
        self
    }

    /// The finding with one more note.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Finding {
        self.notes.push(note.into());
        self
    }

    /// The finding with what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }

    /// The key by which findings are listed: place first (those without a place before all), then rule and message.
    pub fn order(&self) -> (Option<Span>, &str, &str) {
        (self.primary.as_ref().map(|l| l.at), &self.rule, &self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    #[test]
    fn findings_are_listed_by_place() {
        let at = |start| Span::new(FileId(0), start, start + 1);
        let mut findings = [
            Finding::new(Severity::Error, "b", "late").at(at(9), ""),
            Finding::new(Severity::Note, "b", "early")
                .at(at(1), "here")
                .related(at(5), "there"),
            Finding::new(Severity::Warning, "a", "early too")
                .at(at(1), "")
                .help("do this"),
            Finding::new(Severity::Error, "z", "nowhere"),
        ];
        findings.sort_by(|a, b| a.order().cmp(&b.order()));
        let messages: Vec<_> = findings.iter().map(|f| f.message.as_str()).collect();
        assert_eq!(messages, ["nowhere", "early too", "early", "late"]);
        assert!(Severity::Error > Severity::Warning);
    }
}
