//! Where is a piece of text? Files by number, places by byte.

/// A file among the [`crate::Sources`] of one run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// Half-open range of bytes `start..end` in one physical file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// Offset in bytes of the first byte.
    pub start: u32,
    /// Offset in bytes past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        debug_assert!(start <= end);
        Span { file, start, end }
    }

    /// True if `other` lies in this span (the same file, no byte outside).
    pub fn contains(&self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The smallest span that holds both; `None` if they are in different files.
    pub fn join(self, other: Span) -> Option<Span> {
        (self.file == other.file).then(|| Span {
            file: self.file,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        })
    }
}

/// Where a node of the program comes from, and so whether its text may be copied or edited.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Origin {
    /// Exactly these bytes of the file spell the node, outside any macro expansion.
    Text(Span),
    /// The node comes (in part) out of a macro; the span is that of the expansion in the physical file.
    /// Nothing may be edited inside it.
    Expanded(Span),
    /// Not in any text: made by the front end (a temporary) or by a transformation.
    New,
}

impl Origin {
    /// The place in the physical file, if there is one.
    pub fn span(self) -> Option<Span> {
        match self {
            Origin::Text(span) | Origin::Expanded(span) => Some(span),
            Origin::New => None,
        }
    }

    /// The span only if the node is spelled there byte for byte.
    pub fn text(self) -> Option<Span> {
        match self {
            Origin::Text(span) => Some(span),
            _ => None,
        }
    }
}
