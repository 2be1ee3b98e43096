//! Which compiler command reads each file?

use crate::arguments::Input;
use ferry_frontend::compilation_database::{CompilationDatabase, DatabaseError};
use ferry_frontend::{Job, Loaded, Options, load};
use ferry_source::{Finding, Severity, Sources};

/// What was loaded, and what is to be said besides.
pub struct Files {
    /// The files' bytes.
    pub sources: Sources,
    /// One job for each file that could be looked up.
    pub jobs: Vec<Job>,
    /// One unit for each job.
    pub loaded: Loaded,
    /// About files for which there is no job, and about jobs that had to be chosen.
    pub findings: Vec<Finding>,
}

/// The front end's options for this input.
pub fn options(input: &Input) -> Options {
    Options {
        ignore_directives: input.ignore_directives,
        threads: input.threads,
        ..Options::default()
    }
}

/// Loads everything. Files come in the order of the command line, each once.
pub fn load_files(input: &Input) -> Files {
    let mut findings = Vec::new();
    let jobs = jobs(input, &mut findings);
    let mut sources = Sources::new();
    let loaded = load(&mut sources, &jobs, &options(input));
    Files { sources, jobs, loaded, findings }
}

fn jobs(input: &Input, findings: &mut Vec<Finding>) -> Vec<Job> {
    let mut files = input.files.clone();
    let mut seen = std::collections::BTreeSet::new();
    files.retain(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    let Some(database) = &input.database else {
        return files.into_iter().map(|file| Job::new(file, &input.flags)).collect();
    };
    let database = match CompilationDatabase::read(database) {
        Ok(read) => read,
        Err(error) => {
            findings.push(Finding::new(Severity::Error, "compilation-database", described(&error)));
            return Vec::new();
        }
    };
    let mut jobs = Vec::new();
    for file in files {
        let commands = database.commands_for(&file);
        let Some(first) = commands.first() else {
            let message = if file.exists() {
                format!("{} is not in the compilation database", file.display())
            } else {
                format!("cannot read {}: there is no such file", file.display())
            };
            findings.push(Finding::new(Severity::Error, "compilation-database", message));
            continue;
        };
        if commands.iter().any(|other| other != first) {
            let message = format!(
                "{} is compiled in {} ways; it is read as in the first",
                file.display(),
                commands.len()
            );
            findings.push(Finding::new(Severity::Warning, "compilation-database", message));
        }
        let mut job = Job::from_command(file, first);
        job.arguments.extend(input.flags.iter().cloned());
        jobs.push(job);
    }
    jobs
}

fn described(error: &DatabaseError) -> String {
    match error.place {
        Some((line, column)) => format!("{}:{line}:{column}: {}", error.path.display(), error.message),
        None => format!("{}: {}", error.path.display(), error.message),
    }
}
