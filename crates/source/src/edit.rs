//! How does a text change? Replacements of byte ranges, collected in any order and applied at once.
//!
//! All places are those of the text before any edit. Text that no edit names stays byte for byte. Whether an edit is at a
//! sensible place (not in a macro definition, not across an `#if`) is asked with [`Edits::check`].

use crate::{DirectiveLine, FileId, Preprocessor, Span};

/// Replaces the bytes of `at` by `text`; an empty span inserts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What is replaced.
    pub at: Span,
    /// By what.
    pub text: Vec<u8>,
}

/// Edits of one or more files, free of overlaps.
///
/// Several insertions at one offset stay in the order in which they were added. An insertion at the first byte of a
/// replaced range comes before the replacement, one at its end after it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Edits {
    /// Sorted by file and start; at equal starts insertions first, in order of arrival.
    list: Vec<Edit>,
}

/// Why edits cannot be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EditError {
    /// Two edits change the same bytes, or one inserts inside what the other replaces.
    Overlap {
        /// The edit that was there before.
        first: Span,
        /// The edit that was refused.
        second: Span,
    },
    /// The span ends past the end of the text, or before its own start.
    OutOfBounds {
        /// The edit.
        at: Span,
        /// Length of the text in bytes.
        length: usize,
    },
    /// The edit would change the inside of a preprocessor line, such as a macro definition.
    InDirective {
        /// The edit.
        at: Span,
        /// The line.
        line: DirectiveLine,
    },
    /// The edit begins and ends in different branches of an `#if`, or contains one.
    AcrossConditional {
        /// The edit.
        at: Span,
    },
}

impl std::fmt::Display for EditError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EditError::Overlap { first, second } => write!(
                f,
                "edit of bytes {}..{} overlaps the edit of bytes {}..{}",
                second.start, second.end, first.start, first.end
            ),
            EditError::OutOfBounds { at, length } => {
                write!(
                    f,
                    "edit of bytes {}..{} in a text of {length} bytes",
                    at.start, at.end
                )
            }
            EditError::InDirective { at, line } => {
                write!(
                    f,
                    "edit of bytes {}..{} inside a #{} line",
                    at.start, at.end, line.keyword
                )
            }
            EditError::AcrossConditional { at } => {
                write!(f, "edit of bytes {}..{} across an #if", at.start, at.end)
            }
        }
    }
}

impl std::error::Error for EditError {}

/// Where an offset goes if something is inserted exactly there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Before the inserted text.
    Before,
    /// After the inserted text.
    After,
}

fn is_insertion(edit: &Edit) -> bool {
    edit.at.start == edit.at.end
}

fn overlap(a: Span, b: Span) -> bool {
    match (a.start == a.end, b.start == b.end) {
        (true, true) => false,
        (true, false) => b.start < a.start && a.start < b.end,
        (false, true) => a.start < b.start && b.start < a.end,
        (false, false) => a.start < b.end && b.start < a.end,
    }
}

impl Edits {
    /// No edits.
    pub fn new() -> Edits {
        Edits::default()
    }

    /// Adds an edit.
    ///
    /// # Errors
    /// [`EditError::Overlap`]; the edit is not added then.
    pub fn add(&mut self, edit: Edit) -> Result<(), EditError> {
        if edit.at.start > edit.at.end {
            return Err(EditError::OutOfBounds {
                at: edit.at,
                length: 0,
            });
        }
        let key = (edit.at.file, edit.at.start, !is_insertion(&edit));
        let position = self
            .list
            .partition_point(|e| (e.at.file, e.at.start, !is_insertion(e)) <= key);
        let same_file = |e: &&Edit| e.at.file == edit.at.file;
        // Before the position, only the last replacement can reach here, as replacements do not overlap.
        let before = self.list[..position]
            .iter()
            .rev()
            .take_while(same_file)
            .find(|e| !is_insertion(e))
            .into_iter();
        let after = self.list[position..]
            .iter()
            .take_while(same_file)
            .take_while(|e| e.at.start < edit.at.end);
        if let Some(other) = before.chain(after).find(|e| overlap(e.at, edit.at)) {
            return Err(EditError::Overlap {
                first: other.at,
                second: edit.at,
            });
        }
        self.list.insert(position, edit);
        Ok(())
    }

    /// Inserts `text` before the byte at `offset`.
    ///
    /// # Errors
    /// As [`Edits::add`].
    pub fn insert(&mut self, file: FileId, offset: u32, text: impl Into<Vec<u8>>) -> Result<(), EditError> {
        self.add(Edit {
            at: Span::new(file, offset, offset),
            text: text.into(),
        })
    }

    /// Replaces the bytes of a span.
    ///
    /// # Errors
    /// As [`Edits::add`].
    pub fn replace(&mut self, at: Span, text: impl Into<Vec<u8>>) -> Result<(), EditError> {
        self.add(Edit {
            at,
            text: text.into(),
        })
    }

    /// Adds all edits of another collection, all or none.
    ///
    /// # Errors
    /// As [`Edits::add`].
    pub fn extend(&mut self, other: Edits) -> Result<(), EditError> {
        let mut joined = self.clone();
        for edit in other.list {
            joined.add(edit)?;
        }
        *self = joined;
        Ok(())
    }

    /// True if there is nothing to change.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All edits, by file and place.
    pub fn iter(&self) -> impl Iterator<Item = &Edit> {
        self.list.iter()
    }

    /// The files that change, in order of their numbers.
    pub fn files(&self) -> Vec<FileId> {
        let mut files: Vec<FileId> = self.list.iter().map(|e| e.at.file).collect();
        files.dedup();
        files
    }

    fn of(&self, file: FileId) -> &[Edit] {
        let start = self.list.partition_point(|e| e.at.file < file);
        let end = self.list.partition_point(|e| e.at.file <= file);
        &self.list[start..end]
    }

    /// The new bytes of `file`, whose present bytes are `bytes`.
    ///
    /// # Errors
    /// [`EditError::OutOfBounds`].
    pub fn apply(&self, file: FileId, bytes: &[u8]) -> Result<Vec<u8>, EditError> {
        let edits = self.of(file);
        let mut out = Vec::with_capacity(bytes.len() + edits.iter().map(|e| e.text.len()).sum::<usize>());
        let mut done = 0;
        for edit in edits {
            let (start, end) = (edit.at.start as usize, edit.at.end as usize);
            let kept = bytes.get(done..start).filter(|_| end <= bytes.len());
            out.extend(kept.ok_or(EditError::OutOfBounds {
                at: edit.at,
                length: bytes.len(),
            })?);
            out.extend(&edit.text);
            done = end;
        }
        out.extend(&bytes[done..]);
        Ok(out)
    }

    /// Where the byte at an offset of the old text is in the new text; `None` if it was replaced. The start and the end of a replaced
    /// range have places (before and after the replacement).
    pub fn new_offset(&self, file: FileId, offset: u32, side: Side) -> Option<u32> {
        let mut shift: i64 = 0;
        for edit in self.of(file) {
            let goes_before = match side {
                _ if is_insertion(edit) && edit.at.start == offset => side == Side::After,
                _ => edit.at.end <= offset,
            };
            if goes_before {
                shift += edit.text.len() as i64 - i64::from(edit.at.end - edit.at.start);
            } else if edit.at.start < offset {
                return None;
            }
        }
        u32::try_from(i64::from(offset) + shift).ok()
    }

    /// Refuses edits inside preprocessor lines and across conditional groups of `file`. A `#pragma` line may be replaced as a whole.
    ///
    /// # Errors
    /// [`EditError::InDirective`], [`EditError::AcrossConditional`].
    pub fn check(&self, file: FileId, preprocessor: &Preprocessor) -> Result<(), EditError> {
        self.of(file)
            .iter()
            .try_for_each(|edit| preprocessor.check_edit(edit.at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FILE: FileId = FileId(0);

    fn at(start: u32, end: u32) -> Span {
        Span::new(FILE, start, end)
    }

    #[test]
    fn insertions_keep_their_order_and_surround_replacements() {
        let mut edits = Edits::new();
        edits.replace(at(2, 4), "XY").unwrap();
        edits.insert(FILE, 2, "a").unwrap();
        edits.insert(FILE, 2, "b").unwrap();
        edits.insert(FILE, 4, "c").unwrap();
        edits.insert(FILE, 0, "<").unwrap();
        edits.insert(FILE, 6, ">").unwrap();
        assert_eq!(edits.apply(FILE, b"012345").unwrap(), b"<01abXYc45>");
        assert_eq!(edits.new_offset(FILE, 2, Side::Before), Some(3));
        assert_eq!(edits.new_offset(FILE, 2, Side::After), Some(5));
        assert_eq!(edits.new_offset(FILE, 3, Side::Before), None);
        assert_eq!(edits.new_offset(FILE, 4, Side::After), Some(8));
        assert_eq!(edits.new_offset(FILE, 5, Side::Before), Some(9));
    }

    #[test]
    fn overlaps_are_refused_and_change_nothing() {
        let mut edits = Edits::new();
        edits.replace(at(2, 6), "x").unwrap();
        for bad in [at(3, 3), at(5, 7), at(0, 3), at(2, 6), at(0, 9), at(3, 4)] {
            assert!(
                matches!(edits.replace(bad, "y"), Err(EditError::Overlap { .. })),
                "{bad:?}"
            );
        }
        edits.insert(FILE, 9, "z").unwrap();
        assert!(edits.replace(at(8, 10), "").is_err());
        edits.replace(at(6, 8), "ok").unwrap();
        assert_eq!(edits.apply(FILE, b"0123456789").unwrap(), b"01xok8z9");
    }

    #[test]
    fn spans_past_the_end_are_an_error() {
        let mut edits = Edits::new();
        edits.insert(FILE, 4, "x").unwrap();
        assert!(matches!(
            edits.apply(FILE, b"abc"),
            Err(EditError::OutOfBounds { .. })
        ));
    }

    #[test]
    fn files_are_kept_apart() {
        let mut edits = Edits::new();
        edits.replace(Span::new(FileId(1), 0, 3), "one").unwrap();
        edits.insert(FileId(0), 1, "!").unwrap();
        edits.replace(Span::new(FileId(2), 0, 1), "two").unwrap();
        assert_eq!(edits.files(), [FileId(0), FileId(1), FileId(2)]);
        assert_eq!(edits.apply(FileId(0), b"abc").unwrap(), b"a!bc");
        assert_eq!(edits.apply(FileId(1), b"abcd").unwrap(), b"oned");
    }

    proptest! {
        /// Against the slow definition: mark every byte of the old text and every gap.
        #[test]
        fn agrees_with_marking(spans in proptest::collection::vec((0u32..20, 0u32..5), 0..12)) {
            let old: Vec<u8> = (b'a'..=b'y').collect();
            let mut edits = Edits::new();
            let mut gaps: Vec<Vec<u8>> = vec![Vec::new(); old.len() + 1];
            let mut replaced: Vec<Option<Vec<u8>>> = vec![None; old.len()];
            for (number, (start, length)) in spans.iter().enumerate() {
                let (start, end) = (*start as usize, (*start + *length) as usize);
                let text = format!("[{number}]").into_bytes();
                let free = if start == end {
                    start == 0 || start >= old.len() || replaced[start].is_none()
                        || replaced[start] != Some(Vec::new())
                } else {
                    replaced[start..end].iter().all(Option::is_none) && gaps[start + 1..end].iter().all(Vec::is_empty)
                };
                let added = edits.replace(at(start as u32, end as u32), text.clone());
                prop_assert_eq!(added.is_ok(), free);
                if !free { continue; }
                if start == end {
                    gaps[start].extend(&text);
                } else {
                    replaced[start..end].fill(Some(Vec::new()));
                    replaced[start] = Some(text);
                }
            }
            let mut new = Vec::new();
            for at in 0..=old.len() {
                new.extend(&gaps[at]);
                if at < old.len() {
                    match &replaced[at] { Some(text) => new.extend(text), None => new.push(old[at]) }
                }
            }
            prop_assert_eq!(edits.apply(FILE, &old).unwrap(), new.clone());
            for (offset, byte) in old.iter().enumerate() {
                if replaced[offset].is_none() {
                    let to = edits.new_offset(FILE, offset as u32, Side::After).unwrap();
                    prop_assert_eq!(new[to as usize], *byte);
                }
            }
        }
    }
}
