//! Where do new texts go? Nothing is written before everything is computed.

use crate::arguments::{Format, Input, Output};
use crate::input::Files;
use crate::{Status, terminal};
use ferry_source::{Replacement, unified_diff, write_all};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What becomes of one file.
#[derive(Clone, Copy)]
pub struct NewText<'a> {
    /// The new text, if it differs.
    pub new: Option<&'a [u8]>,
    /// Nothing could be done with the file.
    pub failed: bool,
}

/// Says so, and gives false, if the arguments do not say what becomes of the texts of several files.
pub fn is_clear(input: &Input, output: &Output) -> bool {
    let clear = input.files.len() <= 1 || output.takes_several();
    if !clear {
        terminal::complain(
            "error: with several files, say what to write: --diff, --in-place, -o DIR or --check",
        );
    }
    clear
}

/// What was done with the results.
pub struct Written {
    /// How it went.
    pub status: Status,
    /// What could not be done.
    pub errors: Vec<String>,
    /// The patch of each file, in the files' order; empty without `--diff`.
    pub patches: Vec<Vec<u8>>,
}

/// Writes, prints or compares, as the arguments say.
pub fn write(output: &Output, format: Format, files: &Files, texts: &[NewText<'_>]) -> Written {
    let mut written = Written {
        status: Status::Done,
        errors: Vec::new(),
        patches: Vec::new(),
    };
    let result = if output.diff {
        written.patches = patches(files, texts);
        match format {
            Format::Text => print(&written.patches.concat()),
            Format::Json => Ok(()),
        }
    } else if output.check {
        if texts.iter().any(|one| one.new.is_some()) {
            written.status = Status::Found;
        }
        Ok(())
    } else if output.in_place {
        in_place(files, texts)
    } else if let Some(folder) = &output.folder {
        into_folder(folder, files, texts)
    } else if format == Format::Text {
        texts.iter().enumerate().try_for_each(|(number, one)| {
            if one.failed {
                Ok(())
            } else {
                print(text(files, number, *one))
            }
        })
    } else {
        Ok(())
    };
    if let Err(message) = result {
        written.errors.push(message);
        written.status = Status::Failed;
    }
    written
}

fn print(bytes: &[u8]) -> Result<(), String> {
    terminal::print(bytes).map_err(|error| format!("cannot write to standard output: {error}"))
}

/// The bytes that the file has or shall have.
fn text<'a>(files: &'a Files, number: usize, one: NewText<'a>) -> &'a [u8] {
    let old = files
        .loaded
        .units
        .get(number)
        .and_then(|unit| unit.file)
        .map(|file| files.original(file));
    one.new.or(old).unwrap_or_default()
}

/// The patch of each file.
pub fn patches(files: &Files, texts: &[NewText<'_>]) -> Vec<Vec<u8>> {
    let one = |(number, text): (usize, &NewText<'_>)| {
        let unit = files.loaded.units.get(number)?;
        let (file, new) = (unit.file?, text.new?);
        Some(unified_diff(&relative(&unit.path), files.original(file), new))
    };
    texts
        .iter()
        .enumerate()
        .map(|one_of| one(one_of).unwrap_or_default())
        .collect()
}

/// The path as it stands in a patch.
pub fn relative(path: &Path) -> Vec<u8> {
    let here = std::env::current_dir().ok();
    let path = here
        .and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned))
        .unwrap_or(path.to_owned());
    let text = path.to_string_lossy();
    let text = text.strip_prefix("./").unwrap_or(&text);
    text.trim_start_matches('/').as_bytes().to_vec()
}

fn in_place(files: &Files, texts: &[NewText<'_>]) -> Result<(), String> {
    let mut replacements = Vec::new();
    for (unit, one) in files.loaded.units.iter().zip(texts) {
        let (Some(file), Some(new)) = (unit.file, one.new) else {
            continue;
        };
        replacements.push(Replacement {
            path: unit.path.clone(),
            old: files.original(file).to_vec(),
            new: new.to_vec(),
        });
    }
    write_all(&replacements).map_err(|error| error.to_string())
}

/// Every file that could be read goes to the folder, changed or not.
fn into_folder(folder: &Path, files: &Files, texts: &[NewText<'_>]) -> Result<(), String> {
    let mut names: BTreeMap<PathBuf, &Path> = BTreeMap::new();
    let mut replacements = Vec::new();
    let mut new_files = Vec::new();
    for (number, (unit, one)) in files.loaded.units.iter().zip(texts).enumerate() {
        if one.failed {
            continue;
        }
        let Some(name) = unit.path.file_name() else {
            continue;
        };
        let target = folder.join(name);
        if let Some(other) = names.insert(target.clone(), &unit.path) {
            return Err(format!(
                "{} and {} would both be {}; nothing was written",
                other.display(),
                unit.path.display(),
                target.display()
            ));
        }
        let new = text(files, number, *one).to_vec();
        match std::fs::read(&target) {
            Ok(present) => {
                let is_source = target.canonicalize().ok() == unit.path.canonicalize().ok();
                let read = unit.file.map(|file| files.original(file).to_vec());
                let old = read.filter(|_| is_source).unwrap_or(present);
                replacements.push(Replacement {
                    path: target,
                    old,
                    new,
                });
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => new_files.push((target, new)),
            Err(error) => {
                return Err(format!(
                    "cannot read {}: {error}; nothing was written",
                    target.display()
                ));
            }
        }
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let made = create(folder, &new_files)?;
    if let Err(error) = write_all(&replacements) {
        for path in made {
            let _ = std::fs::remove_file(path);
        }
        return Err(error.to_string());
    }
    Ok(())
}

/// Makes all new files, or none.
fn create(folder: &Path, files: &[(PathBuf, Vec<u8>)]) -> Result<Vec<PathBuf>, String> {
    let mut made: Vec<PathBuf> = Vec::new();
    for (path, bytes) in files {
        let written = tempfile::NamedTempFile::new_in(folder).and_then(|mut temporary| {
            std::io::Write::write_all(&mut temporary, bytes)?;
            use std::os::unix::fs::PermissionsExt;
            temporary
                .as_file()
                .set_permissions(std::fs::Permissions::from_mode(0o644))?;
            temporary.persist_noclobber(path).map_err(|error| error.error)
        });
        match written {
            Ok(_) => made.push(path.clone()),
            Err(error) => {
                for path in made {
                    let _ = std::fs::remove_file(path);
                }
                return Err(format!(
                    "cannot write {}: {error}; nothing was written",
                    path.display()
                ));
            }
        }
    }
    Ok(made)
}
