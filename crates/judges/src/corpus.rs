//! The test programs of `tests/programs`: which there are, and what their header comments say (see the README there).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::{Error, Program};

/// One test program.
#[derive(Debug, Clone)]
pub struct TestProgram {
    /// Folder and name without ending: `dawncc/saxpy`.
    pub name: String,
    /// How it is compiled, with its default sizes.
    pub program: Program,
    /// Flags for a second set of sizes; empty if there is none.
    pub sizes: Vec<String>,
}

/// All programs below `root` (the folder `tests/programs`) but those of `wrong/`, sorted by name.
pub fn programs(root: &Path) -> Result<Vec<TestProgram>, Error> {
    let mut found = Vec::new();
    for folder in entries(root)? {
        if !folder.is_dir() || folder.file_name() == Some(OsStr::new("wrong")) {
            continue;
        }
        for path in entries(&folder)? {
            if path.extension() == Some(OsStr::new("c")) {
                found.extend(read(&path)?);
            }
        }
    }
    Ok(found)
}

/// Those of them whose name contains one of the words of `FERRY_PROGRAMS`; all, if that is not set.
pub fn wanted(root: &Path) -> Result<Vec<TestProgram>, Error> {
    let mut found = programs(root)?;
    if let Ok(words) = std::env::var("FERRY_PROGRAMS") {
        let words: Vec<&str> = words.split_whitespace().collect();
        found.retain(|one| words.iter().any(|word| one.name.contains(word)));
    }
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let listing = std::fs::read_dir(folder).map_err(|error| Error::file(folder, error))?;
    let mut paths: Vec<PathBuf> = listing.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

/// Reads one file's header; none if the file is only a part of a program.
pub fn read(path: &Path) -> Result<Option<TestProgram>, Error> {
    let text = std::fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
    let header = |key: &str| -> Vec<String> {
        let lines = text.lines().take_while(|line| line.starts_with("//"));
        let values = lines.filter_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(':'));
        values
            .flat_map(str::split_whitespace)
            .map(str::to_owned)
            .collect()
    };
    if !header("part of").is_empty() {
        return Ok(None);
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut program = Program::new(path).with_flags(header("flags"));
    let include = |name: &String| format!("-I{}", folder.join(name).display());
    program.flags.extend(header("include").iter().map(include));
    program
        .sources
        .extend(header("files").iter().skip(1).map(|name| folder.join(name)));
    program.libraries = header("libraries");
    let stem = path.with_extension("");
    let name = [folder.file_name(), stem.file_name()].into_iter().flatten();
    let name = name
        .map(|part| part.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join("/");
    Ok(Some(TestProgram {
        name,
        program,
        sizes: header("sizes"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("two.c");
        let text = "// two: of two files\n// files: two.c more.c\n// sizes: -DN=5 -DM=7\n// libraries: m\nint x; // flags: -no\n";
        std::fs::write(&path, text).unwrap();
        let found = read(&path).unwrap().unwrap();
        assert!(found.name.ends_with("/two"));
        assert_eq!(
            found.program.sources,
            [path.clone(), folder.path().join("more.c")]
        );
        assert_eq!(found.sizes, ["-DN=5", "-DM=7"]);
        assert!(found.program.flags.is_empty());
        std::fs::write(&path, "// part of: one.c\n").unwrap();
        assert!(read(&path).unwrap().is_none());
    }
}
