//! Which bytes are in which file? Every file that a run reads or overlays, held once, as bytes.
//!
//! Nothing here decodes: byte order marks, CR LF, Latin-1 and broken UTF-8 stay as they are, and every offset is
//! one of the physical file.

use crate::{FileId, Preprocessor};
use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The files of one run.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<File>,
    by_path: HashMap<PathBuf, FileId>,
}

#[derive(Clone, Debug)]
struct File {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Offset of the first byte of every line.
    lines: Vec<u32>,
    /// The words of its text, once somebody asked.
    words: OnceLock<HashSet<Box<[u8]>>>,
    /// Its preprocessor lines, once somebody asked.
    preprocessor: OnceLock<Preprocessor>,
}

/// True for what names are made of: letters, digits, `_`, and, as compilers take them too, `$` and letters beyond ASCII.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// The words of a text in order: what [`is_word`] is true for, with nothing of that kind beside it.
pub fn words(text: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    text.split(|byte| !is_word(*byte)).filter(|word| !word.is_empty())
}

/// True if a text has a word.
pub fn mentions(text: &[u8], word: &str) -> bool {
    words(text).any(|own| own == word.as_bytes())
}

fn line_starts(bytes: &[u8]) -> Vec<u32> {
    let after_newlines = bytes
        .iter()
        .enumerate()
        .filter(|(_, b)| **b == b'\n')
        .map(|(at, _)| at as u32 + 1);
    std::iter::once(0).chain(after_newlines).collect()
}

impl Sources {
    /// No files.
    pub fn new() -> Sources {
        Sources::default()
    }

    /// Reads a file from disk, or gives the number it has already.
    pub fn load(&mut self, path: &Path) -> io::Result<FileId> {
        if let Some(id) = self.find(path) {
            return Ok(id);
        }
        let bytes = std::fs::read(path)?;
        if bytes.len() >= u32::MAX as usize {
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                "file of 4 GiB or more",
            ));
        }
        Ok(self.insert(path, bytes))
    }

    /// Adds a file with these bytes, or replaces the bytes that it has (an overlay: the disk is not touched).
    pub fn insert(&mut self, path: &Path, bytes: Vec<u8>) -> FileId {
        let lines = line_starts(&bytes);
        if let Some(id) = self.find(path) {
            let file = &mut self.files[id.0 as usize];
            file.bytes = bytes;
            file.lines = lines;
            file.words = OnceLock::new();
            return id;
        }
        let id = FileId(self.files.len() as u32);
        self.files.push(File {
            path: path.to_owned(),
            bytes,
            lines,
            words: OnceLock::new(),
            preprocessor: OnceLock::new(),
        });
        self.by_path.insert(path.to_owned(), id);
        id
    }

    /// The file that was added under exactly this path.
    pub fn find(&self, path: &Path) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    /// The path under which it was added.
    pub fn path(&self, file: FileId) -> &Path {
        &self.files[file.0 as usize].path
    }

    /// All its bytes.
    pub fn bytes(&self, file: FileId) -> &[u8] {
        &self.files[file.0 as usize].bytes
    }

    /// True if the text has this word anywhere ([`words`]). The words of a file
    /// are collected once: asking again and again costs no search.
    pub fn has_word(&self, file: FileId, word: &str) -> bool {
        let file = &self.files[file.0 as usize];
        file.words
            .get_or_init(|| words(&file.bytes).map(Box::from).collect())
            .contains(word.as_bytes())
    }

    /// Its preprocessor lines, which are looked for once.
    pub fn preprocessor(&self, file: FileId) -> &Preprocessor {
        let file = &self.files[file.0 as usize];
        file.preprocessor.get_or_init(|| Preprocessor::new(&file.bytes))
    }

    /// The bytes of a span, cut at the end of the file.
    pub fn text(&self, span: crate::Span) -> &[u8] {
        let bytes = self.bytes(span.file);
        let end = (span.end as usize).min(bytes.len());
        &bytes[(span.start as usize).min(end)..end]
    }

    /// Line and column of an offset, both from 1, the column in bytes.
    pub fn line_column(&self, file: FileId, offset: u32) -> (u32, u32) {
        let lines = &self.files[file.0 as usize].lines;
        let line = lines.partition_point(|start| *start <= offset);
        (line as u32, offset - lines[line - 1] + 1)
    }

    /// Offset of the first byte of a line, counted from 1; `None` past the last line.
    pub fn line_start(&self, file: FileId, line: u32) -> Option<u32> {
        self.files[file.0 as usize]
            .lines
            .get(line.checked_sub(1)? as usize)
            .copied()
    }

    /// All files, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_and_follow_the_text() {
        let mut sources = Sources::new();
        let path = Path::new("words.c");
        let file = sources.insert(path, b"int count_2 = n+1; /* last */".to_vec());
        assert!(
            sources.has_word(file, "count_2")
                && sources.has_word(file, "n")
                && sources.has_word(file, "last")
        );
        assert!(
            !sources.has_word(file, "count")
                && !sources.has_word(file, "ount_2")
                && !sources.has_word(file, "")
        );
        sources.insert(path, b"m".to_vec());
        assert!(sources.has_word(file, "m") && !sources.has_word(file, "n"));
    }

    #[test]
    fn places_are_bytes_from_one() {
        let mut sources = Sources::new();
        let file = sources.insert(Path::new("a.c"), b"\xEF\xBB\xBFint\r\n\xE9x\n".to_vec());
        assert_eq!(sources.line_column(file, 0), (1, 1));
        assert_eq!(sources.line_column(file, 7), (1, 8));
        assert_eq!(sources.line_column(file, 8), (2, 1));
        assert_eq!(sources.line_column(file, 9), (2, 2));
        assert_eq!(sources.line_column(file, 11), (3, 1));
        assert_eq!(sources.line_start(file, 3), Some(11));
        assert_eq!(sources.line_start(file, 4), None);
    }

    #[test]
    fn an_overlay_keeps_the_number() {
        let mut sources = Sources::new();
        let file = sources.insert(Path::new("a.c"), b"1".to_vec());
        assert_eq!(sources.insert(Path::new("a.c"), b"22".to_vec()), file);
        assert_eq!(sources.bytes(file), b"22");
    }
}
