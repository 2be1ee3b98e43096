//! Which directives are already in the source, and what do their expressions mean?

pub mod copy;
pub mod fill;
pub mod find;
pub mod read;

use crate::lower::probe::{Pragmas, Probe};
use copy::Form;
use ferry_directive::{Directive, Text};
use ferry_ir::Expr;
use ferry_source::{FileId, Span};
use read::FileDirectives;
use std::collections::BTreeMap;

/// The directives of the files of one translation unit.
#[derive(Clone, Debug, Default)]
pub struct Directives {
    files: BTreeMap<FileId, FileDirectives>,
    /// All pragmas by number.
    probes: Vec<Probe>,
    /// Number of the first pragma of each file.
    first: BTreeMap<FileId, usize>,
}

/// A directive that governs no statement and stands at no statement's place: `declare target`, `requires`, `acc routine`.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    /// From the `#` to its last byte.
    pub span: Span,
    /// The directive; its expressions (names of functions and variables, mostly) are text.
    pub directive: Directive<Text>,
}

impl Directives {
    /// Adds a file. Files are added before the pragmas are asked for.
    pub fn add(&mut self, file: FileId, directives: FileDirectives) {
        self.first.insert(file, self.probes.len());
        for pragma in &directives.pragmas {
            self.probes.push(Probe {
                number: self.probes.len(),
                span: Span::new(file, pragma.span.start, pragma.span.end),
                governs: pragma.form == Form::Governs,
                expressions: pragma.expressions,
            });
        }
        self.files.insert(file, directives);
    }

    /// What was read in a file, if it has pragmas.
    pub fn file(&self, file: FileId) -> Option<&FileDirectives> {
        self.files.get(&file)
    }

    /// The files with pragmas.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &FileDirectives)> {
        self.files.iter().map(|(file, directives)| (*file, directives))
    }

    /// The directives of a file that are at no statement's place and in active text.
    pub fn declarations(&self, file: FileId, active: impl Fn(u32) -> bool) -> Vec<Declaration> {
        let pragmas = self
            .files
            .get(&file)
            .map_or(&[][..], |directives| &directives.pragmas);
        let blank = pragmas
            .iter()
            .filter(|pragma| pragma.form == Form::Blank && active(pragma.span.start));
        blank
            .filter_map(|pragma| {
                let directive = pragma.directive.clone().ok()?;
                Some(Declaration {
                    span: Span::new(file, pragma.span.start, pragma.span.end),
                    directive,
                })
            })
            .collect()
    }

    fn pragma(&self, number: usize) -> Option<&read::ReadPragma> {
        let file = self.probes.get(number)?.span.file;
        self.files
            .get(&file)?
            .pragmas
            .get(number.checked_sub(*self.first.get(&file)?)?)
    }
}

impl Pragmas for Directives {
    fn physical(&self, file: FileId, parsed: u32) -> u32 {
        self.files
            .get(&file)
            .map_or(parsed, |directives| directives.copy.physical(parsed))
    }

    fn probe(&self, file: FileId, parsed: u32) -> Option<&Probe> {
        let directives = self.files.get(&file)?;
        let index = directives.copy.probe_at(parsed)?;
        let form = directives.pragmas.get(index)?.form;
        matches!(form, Form::Governs | Form::StandAlone).then_some(())?;
        self.probes.get(self.first.get(&file)? + index)
    }

    fn defined(&self, tag: usize, index: usize) -> Option<&Probe> {
        let (file, directives) = self.files().find(|(_, directives)| directives.tag == tag)?;
        directives.pragmas.get(index)?;
        self.probes.get(self.first.get(&file)? + index)
    }

    fn directive(&self, number: usize, expressions: Vec<Expr>) -> Option<Directive<Expr>> {
        let pragma = self.pragma(number)?;
        let directive = pragma.directive.as_ref().ok()?;
        if expressions.len() != pragma.expressions || pragma.untyped.is_some() {
            return Some(fill::raw(directive));
        }
        let mut expressions = expressions.into_iter();
        Some(fill::fill(directive, &mut |_| expressions.next()))
    }
}
