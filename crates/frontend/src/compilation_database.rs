//! How is each file of a project compiled? Reads `compile_commands.json` (JSON Compilation Database, clang's
//! documentation), with `command` or `arguments`, relative paths, and files that are compiled more than once.
//!
//! Compilers are not run, and no flags are guessed for files that the database does not name.

use crate::input::normalise;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// One way in which one file is compiled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileCommand {
    /// Where the compiler runs; relative paths in the arguments start here.
    pub directory: PathBuf,
    /// The file, absolute if the directory is.
    pub file: PathBuf,
    /// The compiler's arguments without its name, quotes and escapes resolved. The file is among them.
    pub arguments: Vec<String>,
}

/// All entries of a database, in its order, entries that say the same only once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CompilationDatabase {
    /// The entries.
    pub commands: Vec<CompileCommand>,
}

/// Why a database cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DatabaseError {
    /// The JSON file.
    pub path: PathBuf,
    /// Line and column in bytes, both from 1, if the error has a place.
    pub place: Option<(u32, u32)>,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for DatabaseError {}

#[derive(Deserialize)]
struct RawEntry {
    directory: Option<String>,
    file: String,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// An entry whose words are known; a conversion that serde does, so that its errors have a place.
#[derive(Deserialize)]
#[serde(try_from = "RawEntry")]
struct Entry {
    directory: Option<String>,
    file: String,
    words: Vec<String>,
}

impl TryFrom<RawEntry> for Entry {
    type Error = String;

    fn try_from(raw: RawEntry) -> Result<Entry, String> {
        let RawEntry {
            directory,
            file,
            command,
            arguments,
        } = raw;
        if file.is_empty() {
            return Err("the entry has an empty `file`".to_owned());
        }
        let words = match (arguments, command) {
            (Some(arguments), _) => arguments,
            (None, Some(command)) => shlex::split(&command)
                .ok_or_else(|| format!("the `command` of {file} has an open quote or a lone backslash"))?,
            (None, None) => {
                return Err(format!(
                    "the entry for {file} has neither `command` nor `arguments`"
                ));
            }
        };
        if words.is_empty() {
            return Err(format!("the entry for {file} has an empty command"));
        }
        Ok(Entry {
            directory,
            file,
            words,
        })
    }
}

impl CompilationDatabase {
    /// Reads `path`, or `path/compile_commands.json` if `path` is a directory.
    ///
    /// # Errors
    /// The file cannot be read, is not JSON, or has an entry that makes no sense (with its place).
    pub fn read(path: &Path) -> Result<CompilationDatabase, DatabaseError> {
        let file = if path.is_dir() {
            path.join("compile_commands.json")
        } else {
            path.to_owned()
        };
        let fail = |place, message| DatabaseError {
            path: file.clone(),
            place,
            message,
        };
        let bytes = std::fs::read(&file).map_err(|why| fail(None, why.to_string()))?;
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        let entries: Vec<Entry> = serde_json::from_slice(bytes).map_err(|why| {
            let message = why.to_string();
            let message = message
                .rsplit_once(" at line ")
                .map_or(message.as_str(), |(text, _)| text)
                .to_owned();
            fail(
                Some((line_number(why.line()), line_number(why.column()))),
                message,
            )
        })?;
        let base = file.parent().unwrap_or(Path::new(""));
        let base = std::path::absolute(base).unwrap_or_else(|_| base.to_owned());
        let mut commands: Vec<CompileCommand> = Vec::with_capacity(entries.len());
        let mut seen = std::collections::HashSet::new();
        for entry in entries {
            let directory = normalise(&base.join(entry.directory.unwrap_or_default()));
            let file = normalise(&directory.join(&entry.file));
            let arguments = entry.words.into_iter().skip(1).collect();
            let command = CompileCommand {
                directory,
                file,
                arguments,
            };
            if seen.insert((
                command.directory.clone(),
                command.file.clone(),
                command.arguments.clone(),
            )) {
                commands.push(command);
            }
        }
        Ok(CompilationDatabase { commands })
    }

    /// The ways in which `path` is compiled: several if the database has several, none if it does not name the file.
    pub fn commands_for<'a>(&'a self, path: &Path) -> Vec<&'a CompileCommand> {
        let wanted = std::path::absolute(path).map_or_else(|_| path.to_owned(), |path| normalise(&path));
        let exact: Vec<_> = self
            .commands
            .iter()
            .filter(|command| command.file == wanted)
            .collect();
        if !exact.is_empty() {
            return exact;
        }
        // Reached through a symbolic link.
        let Ok(real) = std::fs::canonicalize(&wanted) else {
            return exact;
        };
        let same = |command: &&CompileCommand| {
            command.file.file_name() == real.file_name()
                && std::fs::canonicalize(&command.file).is_ok_and(|file| file == real)
        };
        self.commands.iter().filter(same).collect()
    }
}

fn line_number(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(text: &str) -> (tempfile::TempDir, Result<CompilationDatabase, DatabaseError>) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("compile_commands.json"), text).unwrap();
        let read = CompilationDatabase::read(dir.path());
        (dir, read)
    }

    #[test]
    fn command_and_arguments_say_the_same() {
        let (dir, read) = database(
            r#"[{"directory": "sub", "file": "../a.c", "command": "gcc -DX='a b' -I\"i j\" -c ../a.c", "output": "a.o"},
                {"directory": "sub", "file": "../a.c", "arguments": ["cc", "-DX=a b", "-Ii j", "-c", "../a.c"]},
                {"directory": "/abs/./x/..", "file": "b.c", "arguments": ["cc", "b.c"]}]"#,
        );
        let database = read.unwrap();
        assert_eq!(database.commands.len(), 2);
        let here = std::path::absolute(dir.path()).unwrap();
        assert_eq!(database.commands[0].directory, here.join("sub"));
        assert_eq!(database.commands[0].file, here.join("a.c"));
        assert_eq!(
            database.commands[0].arguments,
            ["-DX=a b", "-Ii j", "-c", "../a.c"]
        );
        assert_eq!(database.commands[1].file, Path::new("/abs/b.c"));
        assert_eq!(database.commands_for(Path::new("/abs/b.c")).len(), 1);
        assert!(database.commands_for(Path::new("/abs/c.c")).is_empty());
    }

    #[test]
    fn a_file_may_be_compiled_in_several_ways() {
        let (dir, read) = database(
            r#"[{"directory": ".", "file": "a.c", "arguments": ["cc", "-DN=1", "a.c"]},
                {"directory": ".", "file": "./a.c", "arguments": ["cc", "-DN=2", "a.c"]}]"#,
        );
        let database = read.unwrap();
        std::fs::write(dir.path().join("a.c"), "").unwrap();
        assert_eq!(database.commands_for(&dir.path().join("a.c")).len(), 2);
        std::os::unix::fs::symlink(dir.path(), dir.path().join("link")).unwrap();
        assert_eq!(database.commands_for(&dir.path().join("link/a.c")).len(), 2);
    }

    #[test]
    fn errors_have_a_place() {
        let place = |text: &str| database(text).1.unwrap_err();
        assert_eq!(place("[\n  {\"file\": ]").place, Some((2, 12)));
        let missing = place("[\n{\"directory\": \".\", \"command\": \"cc a.c\"}]");
        assert_eq!(
            (missing.place.map(|p| p.0), missing.message.as_str()),
            (Some(2), "missing field `file`")
        );
        let nothing = place("[\n\n{\"file\": \"a.c\"}]");
        assert_eq!(nothing.place.map(|p| p.0), Some(3));
        assert!(
            nothing.message.contains("neither `command` nor `arguments`"),
            "{nothing}"
        );
        assert!(
            place("[{\"file\": \"a.c\", \"command\": \"cc 'a.c\"}]")
                .message
                .contains("open quote")
        );
        assert!(
            place("").to_string().contains("compile_commands.json:1:1: EOF"),
            "{}",
            place("")
        );
        assert!(place("{}").message.contains("expected a sequence"));
        let none = CompilationDatabase::read(Path::new("/nowhere/at/all")).unwrap_err();
        assert_eq!(none.place, None);
    }
}
