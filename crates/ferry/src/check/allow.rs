//! Which findings does the text allow? `// ferry: allow(rule) reason`, on the line of a place of the finding or on the line before it.

use ferry_analysis::word::comments;
use ferry_checks::Checked;
use ferry_source::{FileId, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What the texts allow, read when it is asked for.
pub struct Allowed<'a> {
    sources: &'a Sources,
    files: BTreeMap<FileId, BTreeSet<(u32, String)>>,
}

impl<'a> Allowed<'a> {
    /// Nothing is read yet.
    pub fn new(sources: &'a Sources) -> Allowed<'a> {
        Allowed {
            sources,
            files: BTreeMap::new(),
        }
    }

    /// True if a comment allows the finding at one of its places.
    pub fn covers(&mut self, checked: &Checked) -> bool {
        let finding = &checked.finding;
        let places: Vec<_> = finding
            .primary
            .iter()
            .chain(&finding.related)
            .map(|label| label.at)
            .collect();
        places.into_iter().any(|at| {
            let (line, _) = self.sources.line_column(at.file, at.start);
            let rules = self.in_file(at.file);
            rules.contains(&(line, finding.rule.clone()))
        })
    }

    /// The comments of a file that allow what is no rule: each place with the name.
    pub fn unknown(&self, file: FileId) -> Vec<(Span, String)> {
        let mut found = Vec::new();
        for comment in comments(self.sources.bytes(file)) {
            let named = comment
                .words
                .strip_prefix("allow(")
                .and_then(|rest| rest.split_once(')'));
            for rule in named.into_iter().flat_map(|(rules, _)| rules.split(',')) {
                let rule = rule.trim();
                if ferry_checks::named(rule).is_none() {
                    let (start, end) = (comment.span.start as u32, comment.span.end as u32);
                    found.push((Span::new(file, start, end), rule.to_owned()));
                }
            }
        }
        found
    }

    fn in_file(&mut self, file: FileId) -> &BTreeSet<(u32, String)> {
        let sources = self.sources;
        self.files.entry(file).or_insert_with(|| {
            let mut found = BTreeSet::new();
            for comment in comments(sources.bytes(file)) {
                let Some(rules) = comment
                    .words
                    .strip_prefix("allow(")
                    .and_then(|rest| rest.split_once(')'))
                else {
                    continue;
                };
                let (line, _) = sources.line_column(file, comment.span.start as u32);
                for rule in rules.0.split(',') {
                    let rule = rule.trim().to_owned();
                    if comment.own_line {
                        found.insert((line + 1, rule));
                    } else {
                        found.insert((line, rule));
                    }
                }
            }
            found
        })
    }
}
