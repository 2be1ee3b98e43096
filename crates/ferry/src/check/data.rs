//! `ferry check --explain-data FILE:LINE`: what does this directive do to the data of the device?

use super::language;
use crate::arguments::Check;
use crate::input::{self, Files};
use crate::report::Wanted;
use crate::{Status, terminal, units};
use ferry_checks::Surroundings;
use ferry_checks::data::{DataMap, explain};
use ferry_source::{FileId, Severity};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Runs the command.
pub fn run(arguments: &Check, wanted: &Wanted) -> Status {
    let files = input::load_files(&arguments.input);
    let mut failed = false;
    let units = files.loaded.units.iter().flat_map(|unit| unit.all_findings());
    for finding in files.findings.iter().chain(units) {
        failed |= finding.severity == Severity::Error;
        terminal::complain(&terminal::finding(&files.sources, finding));
    }
    match maps(arguments, &files, wanted) {
        Ok(maps) => {
            let text: Vec<String> = maps.iter().map(|map| rendered(map, &files)).collect();
            failed |= terminal::print(text.join("\n").as_bytes()).is_err();
        }
        Err(why) => {
            terminal::complain(&format!("error: {why}"));
            failed = true;
        }
    }
    if failed { Status::Failed } else { Status::Done }
}

/// The file that is meant: the same, however it is called, or one whose path ends as the words do.
fn file(files: &Files, wanted: &Wanted) -> Result<FileId, String> {
    let meant = std::fs::canonicalize(&wanted.file).ok();
    let mut all = files.sources.files();
    let same = all.find(|file| {
        let real = std::fs::canonicalize(files.sources.path(*file)).ok();
        real.is_some() && real == meant
    });
    if let Some(same) = same {
        return Ok(same);
    }
    let all = files.sources.files();
    let fits: Vec<FileId> = all
        .filter(|file| files.sources.path(*file).ends_with(&wanted.file))
        .collect();
    match fits[..] {
        [one] => Ok(one),
        [] => Err(format!("{} is not one of the files", wanted.file.display())),
        _ => Err(format!("several files are called {}", wanted.file.display())),
    }
}

fn maps(arguments: &Check, files: &Files, wanted: &Wanted) -> Result<Vec<DataMap>, String> {
    let file = file(files, wanted)?;
    let nothing = BTreeSet::new();
    let made = units::map(&files.loaded.units, arguments.input.threads, |number, unit| {
        let program = unit.unit.as_ref().ok()?;
        let with = Surroundings {
            outside: files.outside(number),
            declarations: &unit.declared(),
            elsewhere: &nothing,
            always: &BTreeSet::new(),
            language: language(files, number),
            openmp: arguments.openmp,
            mend: false,
            performance: false,
        };
        Some(explain(program, with, &files.sources, file, wanted.line))
    });
    let mut found = Vec::new();
    let mut why = None;
    for one in made.into_iter().flatten().flatten() {
        match one {
            Ok(maps) => found.extend(maps),
            Err(error) => why = Some(error),
        }
    }
    match (found.is_empty(), why) {
        (true, why) => Err(why.unwrap_or_else(|| "no file could be read".to_owned())),
        (false, _) => Ok(found),
    }
}

fn rendered(map: &DataMap, files: &Files) -> String {
    let mut out = String::new();
    let (line, column) = files.sources.line_column(map.at.file, map.at.start);
    let path = files.sources.path(map.at.file).display();
    let _ = writeln!(
        out,
        "{path}:{line}:{column}: {}, followed from {}",
        map.directive, map.function
    );
    for row in &map.rows {
        let by = if row.implicit { " (no clause names it)" } else { "" };
        let _ = writeln!(out, "  {}{by}", row.section);
        for (when, list) in [("", &row.enter), ("at the end: ", &row.exit)] {
            // What has an end has a beginning, too.
            let when = match (when, row.exit.is_empty() || row.enter.is_empty()) {
                (_, true) => "",
                ("", false) => "at the beginning: ",
                (when, false) => when,
            };
            for (number, said) in list.iter().enumerate() {
                let again = if number > 0 { "or: " } else { "" };
                let _ = writeln!(out, "    {when}{again}{said}");
            }
        }
    }
    for name in &map.copies {
        let _ = writeln!(out, "  {name}\n    a copy of its own, which does not come back");
    }
    out
}
