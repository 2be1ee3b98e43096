//! Source files as bytes: spans, overlays, edits and findings.

mod files;
mod span;

pub use files::Sources;
pub use span::{FileId, Origin, Span};
