//! How do new texts get to the disk without harm? Each file is replaced atomically, and only if it still is what was read.
//!
//! First every new text is written to a temporary file beside its target, then all are renamed. An error in the first phase leaves every
//! target untouched; one in the second (rare: the folder changed in between) restores those that were already renamed, and says which
//! could not be. Permissions are kept; a symbolic link is followed; of several hard links only the named one gets the new text. Between the last
//! comparison and the rename another program may still write: no file system that Ferry meets offers more.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file to replace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// Which.
    pub path: PathBuf,
    /// The bytes that it had when it was read.
    pub old: Vec<u8>,
    /// The bytes that it shall have.
    pub new: Vec<u8>,
}

/// Why nothing, or not everything, was written.
#[derive(Debug)]
pub enum WriteError {
    /// The file is not there any more, or cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// The file's bytes are not those that were read.
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// The file is marked as read-only.
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// No temporary file could be made beside it (read-only folder, full disk).
    NotWritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
    },
    /// A rename failed after the preparation. All other files are as they were, except those in `not_restored`.
    NotRenamed {
        /// The file.
        path: PathBuf,
        /// What the system says.
        cause: io::Error,
        /// Files that have their new text and could not be set back.
        not_restored: Vec<PathBuf>,
    },
    /// Two replacements name one file.
    Twice {
        /// The file.
        path: PathBuf,
    },
}

impl WriteError {
    /// The file that it is about.
    pub fn path(&self) -> &Path {
        match self {
            WriteError::Unreadable { path, .. }
            | WriteError::Changed { path }
            | WriteError::ReadOnly { path }
            | WriteError::NotWritable { path, .. }
            | WriteError::NotRenamed { path, .. }
            | WriteError::Twice { path } => path,
        }
    }
}

impl std::fmt::Display for WriteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let path = self.path().display();
        match self {
            WriteError::Unreadable { cause, .. } => write!(f, "cannot read {path} again: {cause}"),
            WriteError::Changed { .. } => write!(f, "{path} changed since it was read; nothing was written"),
            WriteError::ReadOnly { .. } => write!(f, "{path} is read-only; nothing was written"),
            WriteError::NotWritable { cause, .. } => {
                write!(f, "cannot write beside {path}: {cause}; nothing was written")
            }
            WriteError::NotRenamed {
                cause, not_restored, ..
            } => {
                write!(f, "cannot replace {path}: {cause}")?;
                if not_restored.is_empty() {
                    return f.write_str("; nothing was written");
                }
                f.write_str("; already written, and not set back:")?;
                not_restored
                    .iter()
                    .try_for_each(|p| write!(f, " {}", p.display()))
            }
            WriteError::Twice { .. } => write!(f, "{path} was to be written twice; nothing was written"),
        }
    }
}

impl std::error::Error for WriteError {}

/// A temporary file that goes away unless it is renamed.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        // After the rename there is none; otherwise a failure to remove it has no one to tell.
        let _ = fs::remove_file(&self.0);
    }
}

fn create_beside(target: &Path) -> io::Result<(File, Temporary)> {
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut number = 0u32;
    loop {
        let path = folder.join(format!(".ferry-{}-{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, Temporary(path))),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && number < 10_000 => number += 1,
            Err(e) => return Err(e),
        }
    }
}

fn prepare_bytes(target: &Path, bytes: &[u8]) -> io::Result<Temporary> {
    let permissions = fs::metadata(target)?.permissions();
    let (mut file, temporary) = create_beside(target)?;
    file.write_all(bytes)?;
    file.set_permissions(permissions)?;
    file.sync_all()?;
    Ok(temporary)
}

fn still_old(target: &Path, replacement: &Replacement) -> Result<(), WriteError> {
    let path = || replacement.path.clone();
    let present = fs::read(target).map_err(|cause| WriteError::Unreadable { path: path(), cause })?;
    if present == replacement.old {
        Ok(())
    } else {
        Err(WriteError::Changed { path: path() })
    }
}

/// Replaces all files, or none.
///
/// # Errors
/// See [`WriteError`]; only [`WriteError::NotRenamed`] with a list that is not empty leaves anything changed.
pub fn write_all(replacements: &[Replacement]) -> Result<(), WriteError> {
    let mut prepared: Vec<(PathBuf, Temporary, &Replacement)> = Vec::new();
    for replacement in replacements {
        let path = || replacement.path.clone();
        let target = fs::canonicalize(&replacement.path)
            .map_err(|cause| WriteError::Unreadable { path: path(), cause })?;
        if prepared.iter().any(|(other, ..)| *other == target) {
            return Err(WriteError::Twice { path: path() });
        }
        still_old(&target, replacement)?;
        let metadata =
            fs::metadata(&target).map_err(|cause| WriteError::Unreadable { path: path(), cause })?;
        if metadata.permissions().readonly() {
            return Err(WriteError::ReadOnly { path: path() });
        }
        let temporary = prepare_bytes(&target, &replacement.new)
            .map_err(|cause| WriteError::NotWritable { path: path(), cause })?;
        prepared.push((target, temporary, replacement));
    }
    for (target, _, replacement) in &prepared {
        still_old(target, replacement)?;
    }
    for (done, (target, temporary, replacement)) in prepared.iter().enumerate() {
        if let Err(cause) = fs::rename(&temporary.0, target) {
            let not_restored = prepared[..done].iter().filter(|(target, _, replacement)| {
                let back = prepare_bytes(target, &replacement.old).and_then(|old| fs::rename(&old.0, target));
                back.is_err()
            });
            let not_restored = not_restored
                .map(|(_, _, replacement)| replacement.path.clone())
                .collect();
            return Err(WriteError::NotRenamed {
                path: replacement.path.clone(),
                cause,
                not_restored,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn replacement(path: &Path, old: &str, new: &str) -> Replacement {
        Replacement {
            path: path.to_owned(),
            old: old.into(),
            new: new.into(),
        }
    }

    fn entries(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_replaced_with_their_permissions_through_links() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b, link) = (
            folder.path().join("a.c"),
            folder.path().join("b.c"),
            folder.path().join("link.c"),
        );
        fs::write(&a, "a").unwrap();
        fs::write(&b, "b").unwrap();
        fs::set_permissions(&a, fs::Permissions::from_mode(0o750)).unwrap();
        symlink("b.c", &link).unwrap();
        write_all(&[replacement(&a, "a", "A"), replacement(&link, "b", "B")]).unwrap();
        assert_eq!(fs::read(&a).unwrap(), b"A");
        assert_eq!(fs::read(&b).unwrap(), b"B");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&a).unwrap().permissions().mode() & 0o777, 0o750);
        assert_eq!(entries(folder.path()), ["a.c", "b.c", "link.c"]);
    }

    #[test]
    fn one_changed_file_stops_all() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a.c"), folder.path().join("b.c"));
        fs::write(&a, "a").unwrap();
        fs::write(&b, "changed").unwrap();
        let error = write_all(&[replacement(&a, "a", "A"), replacement(&b, "b", "B")]).unwrap_err();
        assert!(
            matches!(&error, WriteError::Changed { path } if *path == b),
            "{error}"
        );
        assert_eq!(fs::read(&a).unwrap(), b"a");
        assert_eq!(entries(folder.path()), ["a.c", "b.c"]);
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let a = folder.path().join("a.c");
        let missing = write_all(&[replacement(&a, "a", "A")]).unwrap_err();
        assert!(matches!(missing, WriteError::Unreadable { .. }));
        fs::write(&a, "a").unwrap();
        let twice = write_all(&[replacement(&a, "a", "A"), replacement(&a, "a", "B")]).unwrap_err();
        assert!(matches!(twice, WriteError::Twice { .. }));
        fs::set_permissions(&a, fs::Permissions::from_mode(0o440)).unwrap();
        let read_only = write_all(&[replacement(&a, "a", "A")]).unwrap_err();
        assert!(matches!(read_only, WriteError::ReadOnly { .. }));
        assert_eq!(fs::read(&a).unwrap(), b"a");
    }

    #[test]
    fn a_folder_that_takes_no_files_is_an_error() {
        // No one, not even root, makes files in /proc.
        let path = Path::new("/proc/self/comm");
        let old = String::from_utf8(fs::read(path).unwrap()).unwrap();
        let error = write_all(&[replacement(path, &old, "ferry")]).unwrap_err();
        assert!(matches!(error, WriteError::NotWritable { .. }), "{error}");
        assert_eq!(fs::read(path).unwrap(), old.as_bytes());
    }
}
