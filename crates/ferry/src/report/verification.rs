//! `--verify-existing`: which directives that are in the source contradict what is proved, and how is that said?

use super::{described, model};
use crate::arguments::Report;
use crate::input::Files;
use crate::{terminal, units};
use ferry_analysis::verify::{self, Verification};
use ferry_source::Finding;
use std::fmt::Write;

/// What came of all files.
pub struct Verified {
    directives: usize,
    contradicted: usize,
    undecided: usize,
    /// The contradictions, each once.
    pub findings: Vec<Finding>,
}

/// Verifies the directives of all files.
pub fn verify(arguments: &Report, files: &Files) -> Verified {
    let made = units::map(&files.loaded.units, arguments.input.threads, |number, unit| {
        let Ok(program) = &unit.unit else {
            return Verification::default();
        };
        verify::verify(
            program,
            files.outside(number),
            &unit.declared(),
            &files.sources,
            true,
        )
    });
    let mut verified = Verified {
        directives: 0,
        contradicted: 0,
        undecided: 0,
        findings: Vec::new(),
    };
    // A unit of which the analysis failed is said to have failed by the report itself.
    for one in made.into_iter().flatten() {
        verified.directives += one.directives;
        verified.contradicted += one.contradicted;
        verified.undecided += one.undecided.unwrap_or(0);
        verified.findings.extend(one.findings);
    }
    verified.findings.sort_by(|a, b| a.order().cmp(&b.order()));
    verified.findings.dedup();
    verified
}

impl Verified {
    /// For programs.
    pub fn report(&self, files: &Files) -> model::VerificationReport {
        model::VerificationReport {
            directives: self.directives,
            contradicted: self.contradicted,
            not_decided: self.undecided,
            findings: self
                .findings
                .iter()
                .map(|finding| described(files, finding))
                .collect(),
        }
    }

    /// For people.
    pub fn text(&self, files: &Files) -> String {
        let mut out = String::from("\n");
        for finding in &self.findings {
            let _ = writeln!(out, "{}", terminal::finding(&files.sources, finding).trim_end());
        }
        let _ = writeln!(
            out,
            "loop directives: {}; contradicting a proved dependence: {}; not decided: {}",
            self.directives, self.contradicted, self.undecided
        );
        out
    }
}
