//! Is this a file that can be read at all? Everything that can be said before libclang sees it.

use ferry_source::{FileId, Finding, Severity, Sources, Span};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// The rule of findings about files that cannot be read.
pub const RULE: &str = "cannot-read";

/// Reads a main file, or takes the overlay that is there.
///
/// # Errors
/// One clear message: no such file, a directory, not readable, not text, not C.
pub fn read(sources: &mut Sources, path: &Path) -> Result<FileId, Box<Finding>> {
    let shown = path.display();
    let fail = |message: String| Err(Box::new(Finding::new(Severity::Error, RULE, message)));
    if path.to_str().is_none() {
        return fail(format!(
            "cannot read {shown}: its name is not UTF-8, which libclang's answers need"
        ));
    }
    if let Some(language) = other_language(path) {
        return fail(format!(
            "cannot read {shown}: it is {language}, and Ferry reads C"
        ));
    }
    if sources.find(path).is_none() && path.is_dir() {
        return fail(format!("cannot read {shown}: it is a directory"));
    }
    let file = match sources.load(path) {
        Ok(file) => file,
        Err(why) if why.kind() == ErrorKind::NotFound => {
            return fail(format!("cannot read {shown}: there is no such file"));
        }
        Err(why) => return fail(format!("cannot read {shown}: {why}")),
    };
    if let Some(at) = sources.bytes(file).iter().position(|byte| *byte == 0) {
        let at = Span::new(file, at as u32, at as u32 + 1);
        let finding = Finding::new(Severity::Error, RULE, format!("{shown} is a binary file, not C"));
        return Err(Box::new(finding.at(at, "the first zero byte")));
    }
    Ok(file)
}

/// The number of a file that libclang names. One file has one number, however the includes led to it: without `.` and `..`, and
/// relative to where Ferry runs if it is below.
pub fn file_id(sources: &mut Sources, path: &Path) -> Option<FileId> {
    if let Some(known) = sources.find(path) {
        return Some(known);
    }
    let mut short = normalise(path);
    if let Ok(here) = std::env::current_dir()
        && let Ok(below) = short.strip_prefix(&here)
    {
        short = below.to_owned();
    }
    // `..` after a symbolic link leads elsewhere.
    let same = short == path
        || matches!((std::fs::canonicalize(&short), std::fs::canonicalize(path)), (Ok(a), Ok(b)) if a == b);
    sources.load(if same { &short } else { path }).ok()
}

/// Resolves `.` and `..` in the text of a path, as compilers' own output does.
pub fn normalise(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            Component::ParentDir if out.has_root() => {}
            other => out.push(other),
        }
    }
    out
}

/// The language that a file's name stands for, if it is surely not C.
fn other_language(path: &Path) -> Option<&'static str> {
    Some(match path.extension()?.to_str()? {
        "cc" | "cpp" | "cxx" | "c++" | "C" | "CPP" | "cp" | "hpp" | "hxx" | "hh" | "H" | "ii" => "C++",
        "cu" | "cuh" => "CUDA",
        "m" | "mm" | "M" => "Objective-C",
        "f" | "for" | "f77" | "f90" | "f95" | "f03" | "f08" | "F" | "F90" => "Fortran",
        "s" | "S" | "asm" => "assembly",
        "cl" => "OpenCL",
        "hip" => "HIP",
        "o" | "a" | "so" | "obj" | "lib" => "compiled code",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(path: &Path) -> String {
        read(&mut Sources::new(), path).unwrap_err().message
    }

    #[test]
    fn a_header_has_one_number() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("src")).unwrap();
        std::fs::create_dir_all(base.join("elsewhere/sub")).unwrap();
        std::fs::write(base.join("a.h"), "").unwrap();
        std::fs::write(base.join("elsewhere/a.h"), "x").unwrap();
        std::os::unix::fs::symlink(base.join("elsewhere/sub"), base.join("link")).unwrap();
        let mut sources = Sources::new();
        let first = file_id(&mut sources, &base.join("src/../a.h")).unwrap();
        assert_eq!(file_id(&mut sources, &base.join("./a.h")), Some(first));
        assert_eq!(sources.path(first), base.join("a.h"));
        assert_ne!(file_id(&mut sources, &base.join("link/../a.h")), Some(first));
        assert_eq!(file_id(&mut sources, &base.join("none.h")), None);
    }

    #[test]
    fn each_bad_file_has_its_message() {
        let dir = tempfile::tempdir().unwrap();
        assert!(message(&dir.path().join("none.c")).ends_with("there is no such file"));
        assert!(message(dir.path()).ends_with("it is a directory"));
        assert!(message(Path::new("x.cpp")).ends_with("it is C++, and Ferry reads C"));
        let binary = dir.path().join("binary.c");
        std::fs::write(&binary, b"int x;\0\x7fELF").unwrap();
        let mut sources = Sources::new();
        let finding = read(&mut sources, &binary).unwrap_err();
        assert!(finding.message.ends_with("is a binary file, not C"));
        assert_eq!(finding.primary.unwrap().at.start, 6);
        use std::os::unix::ffi::OsStrExt;
        let name = Path::new(std::ffi::OsStr::from_bytes(b"/tmp/\xFF.c"));
        assert!(message(name).contains("not UTF-8"));
        let empty = dir.path().join("empty.c");
        std::fs::write(&empty, b"").unwrap();
        assert!(read(&mut sources, &empty).is_ok());
    }
}
