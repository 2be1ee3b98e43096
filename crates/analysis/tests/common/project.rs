//! What is said of the function `kernel` of a project of a few files that are made for a test.

use ferry_analysis::effects::linked::link;
use ferry_analysis::effects::vouched::tell;
use ferry_analysis::effects::{Effects, brought};
use ferry_analysis::verdict::{Kind, analyse};
use ferry_frontend::{Job, Options, load};
use ferry_ir::Unit;
use ferry_source::Sources;
use std::path::PathBuf;

/// What is said of a loop.
#[derive(PartialEq, Debug)]
pub struct Said {
    pub kind: Kind,
    /// Why it is not parallel.
    pub causes: Vec<String>,
    /// What that rests on besides the text of the file.
    pub rests: Vec<String>,
}

/// The verdict on the first loop of the function `kernel`, in whichever file it is; or what is wrong with comments. What other files do is known by summaries.
pub fn verdict(files: &[(&str, &str)]) -> Result<Said, Vec<String>> {
    said(files, false)
}

/// The same where small functions of other files are walked into.
pub fn verdict_walked(files: &[(&str, &str)]) -> Said {
    said(files, true).expect("no comment is wrong")
}

fn said(files: &[(&str, &str)], walks: bool) -> Result<Said, Vec<String>> {
    let mut sources = Sources::new();
    let mut jobs = Vec::new();
    for (name, text) in files {
        let path = PathBuf::from("/project").join(name);
        sources.insert(&path, text.as_bytes().to_vec());
        if name.ends_with(".c") {
            let flags: &[String] = match name.starts_with("wrapping") {
                true => &["-fwrapv".to_owned()],
                false => &[],
            };
            jobs.push(Job::new(path, flags));
        }
    }
    let options = Options {
        threads: 1,
        ..Options::default()
    };
    let loaded = load(&mut sources, &jobs, &options);
    let mut own: Vec<Option<Unit>> = loaded.units.iter().map(|one| one.unit.clone().ok()).collect();
    let bodies = match walks {
        true => brought::bring(&mut own, &sources),
        false => Vec::new(),
    };
    let units: Vec<Option<&Unit>> = own.iter().map(Option::as_ref).collect();
    let unread: Vec<(String, Vec<u8>)> = loaded
        .units
        .iter()
        .zip(files)
        .filter(|(unit, _)| unit.unit.is_err())
        .map(|(_, (name, text))| ((*name).to_owned(), text.as_bytes().to_vec()))
        .collect();
    let mut outside = link(&units, bodies, &sources, &unread);
    let wrong = tell(&units, &sources, &mut outside);
    if !wrong.is_empty() {
        let place = |finding: ferry_source::Finding| finding.primary.map(|label| label.message);
        return Err(wrong.into_iter().filter_map(place).collect());
    }
    for (unit, outside) in units.iter().zip(&outside) {
        let Some(unit) = unit else { continue };
        let effects = Effects::of_linked(unit, outside);
        for (id, function) in unit.functions() {
            if function.name == "kernel" && function.body.is_some() {
                let facts = analyse(unit, id, &effects);
                let verdict = &facts.verdicts[0];
                let causes = verdict.obstacles.iter().map(|one| one.cause.why.clone());
                return Ok(Said {
                    kind: verdict.kind,
                    causes: causes.collect(),
                    rests: facts.values.rests.iter().cloned().collect(),
                });
            }
        }
    }
    panic!("there is no kernel");
}
