//! What stands directly before the place of a directive, and would be torn from its loop?
//!
//! A pragma of a compiler, or `_Pragma`, by itself or out of a macro, must stand directly before its loop. Text of an `#if` group that ends directly before
//! the loop may belong to it in another build: a pragma, a directive, `if (n > 10)`. All branches are looked at, compiled or not.
//!
//! What it cannot do: macros that stand for other macros that have a `_Pragma`.

use ferry_source::{DirectiveLine, Preprocessor, Sources, Span, layout, words};

/// Pragmas that compilers want directly before a loop.
const OF_LOOPS: [&str; 6] = ["GCC", "clang", "unroll", "nounroll", "ivdep", "loop"];

const OF_COMPILER: &str =
    "a pragma of a compiler stands before the loop, where the directive would have to be";

/// Why no directive can stand at the beginning of a statement, if that is so; `from` is a place before it, in the same function.
pub(super) fn in_the_way(sources: &Sources, from: u32, statement: Span) -> Option<&'static str> {
    let bytes = sources.bytes(statement.file);
    let text = bytes.get(from as usize..statement.start as usize)?;
    if ends_a_statement(text) {
        return None;
    }
    let preprocessor = Preprocessor::new(text);
    let lines = preprocessor.lines();
    // How many groups end between the place that is looked at and the statement.
    let mut depth = 0;
    let mut at = text.len();
    loop {
        let last = layout::last_code_before(text, at)?;
        let line = lines
            .iter()
            .rposition(|line| line.hash as usize <= last && last < line.end as usize);
        if let Some(number) = line {
            let line = &lines[number];
            match line.keyword.as_str() {
                "endif" => depth += 1,
                // The statement is in this branch: what stands before the group is compiled with it.
                "if" | "ifdef" | "ifndef" if depth == 0 => return None,
                "if" | "ifdef" | "ifndef" => depth -= 1,
                "else" | "elif" if depth == 0 => return None,
                "pragma" => {
                    let rest = String::from_utf8_lossy(&text[line.hash as usize..line.end as usize]);
                    let parts: Vec<&str> = rest.split_whitespace().collect();
                    let first = parts.iter().position(|word| word.ends_with("pragma"));
                    let name = first
                        .and_then(|first| parts.get(first + 1))
                        .copied()
                        .unwrap_or_default();
                    if OF_LOOPS.iter().any(|word| name.starts_with(word)) {
                        return Some(OF_COMPILER);
                    }
                    if depth > 0 && matches!(name, "omp" | "acc") {
                        return Some(
                            "a directive of another build stands before the loop, where this one would have to be",
                        );
                    }
                    if depth == 0 {
                        return None;
                    }
                }
                _ => {}
            }
            at = line.start as usize;
            continue;
        }
        if depth == 0 {
            let is_pragma =
                !matches!(text[last], b';' | b'{' | b'}' | b':') && ends_in_pragma(sources, &text[..=last]);
            return is_pragma.then_some(OF_COMPILER);
        }
        if !matches!(text[last], b';' | b'{' | b'}') {
            return Some(
                "text that an #if takes in or leaves out stands directly before the loop, and may belong to it",
            );
        }
        at = beginning_of_branch(lines, last)?;
    }
}

/// True if the last line that is not empty plainly ends a statement or begins a block: nearly always, and functions are long.
fn ends_a_statement(text: &[u8]) -> bool {
    let text = text.trim_ascii_end();
    let mut lines = text.rsplit(|byte| *byte == b'\n');
    let last = lines.next().unwrap_or_default();
    let goes_on = lines
        .next()
        .is_some_and(|line| line.trim_ascii_end().ends_with(b"\\"));
    matches!(text.last(), Some(b';' | b'{' | b'}'))
        && !goes_on
        && !last.contains(&b'#')
        && !last
            .windows(2)
            .any(|two| two == b"//" || two == b"/*" || two == b"*/")
}

/// The place before the line that begins the branch in which a byte is.
fn beginning_of_branch(lines: &[DirectiveLine], byte: usize) -> Option<usize> {
    let mut inner = 0;
    for line in lines.iter().rev().filter(|line| (line.start as usize) < byte) {
        match line.keyword.as_str() {
            "endif" => inner += 1,
            "if" | "ifdef" | "ifndef" if inner > 0 => inner -= 1,
            // Looked at once more, for what it begins.
            "if" | "ifdef" | "ifndef" | "else" | "elif" if inner == 0 => return Some(line.end as usize),
            _ => {}
        }
    }
    None
}

/// True if the last word of a text, or the one before its last parentheses, is `_Pragma` or a macro with one.
fn ends_in_pragma(sources: &Sources, text: &[u8]) -> bool {
    let mut end = text.len();
    if text.last() == Some(&b')') {
        let mut open = 0;
        while let Some(byte) = end.checked_sub(1).map(|at| text[at]) {
            end -= 1;
            match byte {
                b')' => open += 1,
                b'(' => open -= 1,
                _ => {}
            }
            if open == 0 {
                break;
            }
        }
    }
    let Some(word) = words(text[..end].trim_ascii_end()).next_back() else {
        return false;
    };
    if word == b"_Pragma" {
        return true;
    }
    sources.files().any(|file| {
        let bytes = sources.bytes(file);
        let mut lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        sources.has_word(file, "_Pragma")
            && lines.any(|line| {
                let mut found = words(line);
                line.starts_with(b"#")
                    && found.next() == Some(b"define")
                    && found.next() == Some(word)
                    && found.any(|other| other == b"_Pragma")
            })
    })
}
