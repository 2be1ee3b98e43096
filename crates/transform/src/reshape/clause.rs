//! How does a directive that is there get another `collapse`?

use ferry_ir::{Stmt, StmtKind};
use ferry_source::{Edit, Sources, Span};

/// The edit that makes a directive collapse so many loops; `None` if its text is not one pragma.
pub fn collapse(stmt: &Stmt, count: usize, sources: &Sources) -> Option<Edit> {
    let StmtKind::Directive { .. } = &stmt.kind else {
        return None;
    };
    let span = stmt.origin.text()?;
    let bytes = sources.bytes(span.file);
    let (directive, end) = ferry_directive::written(bytes, span.start)?;
    let end = end as usize;
    let text = format!("collapse({count})");
    let at = |start: usize, end: usize| {
        Some(Span::new(
            span.file,
            u32::try_from(start).ok()?,
            u32::try_from(end).ok()?,
        ))
    };
    if let Some(old) = directive.clauses.iter().find(|clause| clause.name == "collapse") {
        let (first, past) = old.place?;
        if count > 1 {
            return Some(Edit {
                at: at(first as usize, past as usize)?,
                text: text.into_bytes(),
            });
        }
        // With the space before it.
        let blank = bytes
            .get((first as usize).checked_sub(1)?)
            .is_some_and(|byte| *byte == b' ' || *byte == b',');
        return Some(Edit {
            at: at(first as usize - usize::from(blank), past as usize)?,
            text: Vec::new(),
        });
    }
    let behind = match directive.clauses.last() {
        Some(last) => last.place?.1 as usize,
        None => {
            // Before a comment at the end of the line.
            let after = span.start as usize;
            let line = bytes[after..end].trim_ascii_end();
            let one_line = line.windows(2).position(|two| two == b"//");
            let last = line
                .ends_with(b"*/")
                .then(|| line.windows(2).rposition(|two| two == b"/*"))
                .flatten();
            let length = one_line.or(last).unwrap_or(line.len());
            after + line[..length].trim_ascii_end().len()
        }
    };
    Some(Edit {
        at: at(behind, behind)?,
        text: format!(" {text}").into_bytes(),
    })
}
