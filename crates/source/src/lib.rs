//! Source files as bytes: spans, overlays, edits and findings.

mod edit;
mod files;
mod finding;
pub mod layout;
mod patch;
mod preprocessor;
mod span;
mod write;

pub use edit::{Edit, EditError, Edits, Side};
pub use files::{Sources, is_word, mentions, words};
pub use finding::{Finding, Label, Severity};
pub use layout::LineEnd;
pub use patch::unified_diff;
pub use preprocessor::{DirectiveLine, Preprocessor};
pub use span::{FileId, Origin, Span};
pub use write::{Replacement, WriteError, write_all};
