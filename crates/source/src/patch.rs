//! What changed between two versions of a file, as a patch? Unified format for `patch -p1` and `git apply`.
//!
//! Lines end with LF alone: a CR before it belongs to the line, and bytes need not be UTF-8. A last line without line end is marked.
//! (The line splitter of the `similar` crate also splits at a lone CR, which neither tool does.)

use similar::{Algorithm, DiffOp, DiffTag};

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// The patch that turns `old` into `new`; empty if they are equal. `path` is relative, with `/` between its parts.
pub fn unified_diff(path: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    if old == new {
        return Vec::new();
    }
    let old_lines: Vec<&[u8]> = old.split_inclusive(|b| *b == b'\n').collect();
    let new_lines: Vec<&[u8]> = new.split_inclusive(|b| *b == b'\n').collect();
    let operations = similar::capture_diff_slices(Algorithm::Myers, &old_lines, &new_lines);
    let mut out = Vec::new();
    for (marker, side) in [("---", b'a'), ("+++", b'b')] {
        out.extend(marker.as_bytes());
        out.push(b' ');
        out.extend(quoted(side, path));
        out.push(b'\n');
    }
    for hunk in similar::group_diff_ops(operations, CONTEXT) {
        write_hunk(&mut out, &hunk, &old_lines, &new_lines);
    }
    out
}

fn write_hunk(out: &mut Vec<u8>, hunk: &[DiffOp], old: &[&[u8]], new: &[&[u8]]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return;
    };
    let old_range = first.old_range().start..last.old_range().end;
    let new_range = first.new_range().start..last.new_range().end;
    out.extend(format!("@@ -{} +{} @@\n", place(old_range), place(new_range)).as_bytes());
    for operation in hunk {
        let (tag, from, to) = operation.as_tag_tuple();
        let context = tag == DiffTag::Equal;
        old[from]
            .iter()
            .for_each(|line| write_line(out, if context { b' ' } else { b'-' }, line));
        if !context {
            new[to].iter().for_each(|line| write_line(out, b'+', line));
        }
    }
}

/// `start,length`; an empty range names the line before it.
fn place(range: std::ops::Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        length => format!("{},{length}", range.start + 1),
    }
}

fn write_line(out: &mut Vec<u8>, marker: u8, line: &[u8]) {
    out.push(marker);
    out.extend(line);
    if !line.ends_with(b"\n") {
        out.extend(b"\n\\ No newline at end of file\n");
    }
}

/// The name as git writes it: C-quoted if it has control bytes, quotes, backslashes or bytes beyond ASCII, followed by a tab if it has blanks.
fn quoted(side: u8, path: &[u8]) -> Vec<u8> {
    let special = |b: &u8| b.is_ascii_control() || matches!(b, b'"' | b'\\') || *b >= 0x80;
    let mut name = vec![side, b'/'];
    if !path.iter().any(special) {
        name.extend(path);
        if path.contains(&b' ') {
            name.push(b'\t');
        }
        return name;
    }
    name.insert(0, b'"');
    for byte in path {
        match byte {
            b'"' | b'\\' => name.extend([b'\\', *byte]),
            b'\n' => name.extend(b"\\n"),
            b'\t' => name.extend(b"\\t"),
            _ if special(byte) => name.extend(format!("\\{byte:03o}").as_bytes()),
            _ => name.push(*byte),
        }
    }
    name.push(b'"');
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Write;
    use std::process::{Command, Stdio};

    fn diff(old: &str, new: &str) -> String {
        String::from_utf8(unified_diff(b"a.c", old.as_bytes(), new.as_bytes())).unwrap()
    }

    #[test]
    fn hunks_and_their_places() {
        assert_eq!(diff("a\n", "a\n"), "");
        assert_eq!(diff("", "a\n"), "--- a/a.c\n+++ b/a.c\n@@ -0,0 +1 @@\n+a\n");
        assert_eq!(
            diff("1\n2\n3\n4\n5\n", "1\n2\n3\n4\nx\n5\n"),
            "--- a/a.c\n+++ b/a.c\n@@ -2,4 +2,5 @@\n 2\n 3\n 4\n+x\n 5\n"
        );
        assert_eq!(
            diff("a\nb", "a\nb\n"),
            "--- a/a.c\n+++ b/a.c\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"
        );
    }

    fn git_applies(path: &str, old: &[u8], new: &[u8]) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, old).unwrap();
        // Without a repository above it, git takes the folder as the root of the paths.
        let mut git = Command::new("git")
            .args(["apply", "--whitespace=nowarn", "-"])
            .current_dir(folder.path())
            .env("GIT_CEILING_DIRECTORIES", folder.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        git.stdin
            .take()
            .unwrap()
            .write_all(&unified_diff(path.as_bytes(), old, new))
            .unwrap();
        assert!(git.wait().unwrap().success());
        assert_eq!(std::fs::read(&file).unwrap(), new);
    }

    #[test]
    fn git_applies_awkward_patches() {
        git_applies("a.c", b"x\r\ny\r\n", b"x\r\n#pragma\r\ny\r\n");
        git_applies("src/two words.c", b"\xE9\n\xFF\rz\n", b"\xE9\nnew\n\xFF\rz");
        git_applies("q\"\\\u{e9}.c", b"1", b"1\n2");
        git_applies("empty.c", b"", b"1\n");
        git_applies("b.c", b"a\n\n\nb\n", b"\n\n\n");
    }

    /// Applies a patch by its definition, strictly.
    fn apply(old: &[u8], patch: &[u8]) -> Vec<u8> {
        let old: Vec<&[u8]> = old.split_inclusive(|b| *b == b'\n').collect();
        let mut out = Vec::new();
        let mut done = 0;
        let lines: Vec<&[u8]> = patch.split_inclusive(|b| *b == b'\n').collect();
        for (number, line) in lines.iter().enumerate().skip(2) {
            let unended = lines.get(number + 1).is_some_and(|l| l.starts_with(b"\\"));
            let text = if unended {
                &line[1..line.len() - 1]
            } else {
                &line[1..]
            };
            match line[0] {
                b'@' => {
                    let place = std::str::from_utf8(line)
                        .unwrap()
                        .split(['-', ',', ' '])
                        .nth(2)
                        .unwrap();
                    let empty = std::str::from_utf8(line)
                        .unwrap()
                        .split(' ')
                        .nth(1)
                        .unwrap()
                        .ends_with(",0");
                    let start: usize = place.parse::<usize>().unwrap() - usize::from(!empty);
                    out.extend(old[done..start].concat());
                    done = start;
                }
                b' ' | b'-' => {
                    assert_eq!(old[done], text);
                    done += 1;
                    if line[0] == b' ' {
                        out.extend(text);
                    }
                }
                b'+' => out.extend(text),
                _ => {}
            }
        }
        out.extend(old[done..].concat());
        out
    }

    proptest! {
        #[test]
        fn a_patch_says_the_change(old in "[ab\n\r]{0,60}", new in "[ab\n\r]{0,60}") {
            let patch = unified_diff(b"f", old.as_bytes(), new.as_bytes());
            prop_assert_eq!(apply(old.as_bytes(), &patch), new.as_bytes());
        }
    }
}
