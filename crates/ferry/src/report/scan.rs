//! Which loops does the text of a function have? For functions that were not understood: keywords of the raw text.
//!
//! Comments, literals and preprocessor lines are left out, and so are branches of `#if` in which nothing was compiled.

use ferry_source::Preprocessor;
use std::collections::BTreeSet;

/// A loop keyword in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Keyword {
    /// Offset of its first byte.
    pub start: u32,
    /// The word.
    pub word: &'static str,
}

/// The loop keywords between two offsets, in the branches that are compiled. The `while` of a `do` is none.
pub fn keywords(
    bytes: &[u8],
    range: std::ops::Range<u32>,
    preprocessor: &Preprocessor,
    branches: &BTreeSet<u32>,
) -> Vec<Keyword> {
    let mut found = Vec::new();
    let end = (range.end as usize).min(bytes.len());
    let mut at = range.start as usize;
    // Brace depths of the `do`s whose `while` has not come yet.
    let mut open: Vec<i64> = Vec::new();
    let mut depth = 0i64;
    while at < end {
        let offset = at as u32;
        if let Some(line) = preprocessor.inside(offset).filter(|line| line.end > offset) {
            at = line.end as usize;
            continue;
        }
        let rest = &bytes[at..end];
        match rest[0] {
            b'/' if rest.starts_with(b"//") => {
                at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            }
            b'/' if rest.starts_with(b"/*") => {
                at += rest
                    .windows(2)
                    .skip(2)
                    .position(|pair| pair == b"*/")
                    .map_or(rest.len(), |to| to + 4);
            }
            quote @ (b'"' | b'\'') => at += literal(rest, quote),
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let length = rest
                    .iter()
                    .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
                    .count();
                let branch = preprocessor.branch(offset);
                if branches.contains(&branch) || branch == 0 {
                    let word = match &rest[..length] {
                        b"for" => Some("for"),
                        b"do" => Some("do"),
                        b"while" => Some("while"),
                        _ => None,
                    };
                    match word {
                        Some("while") if open.last() == Some(&depth) => {
                            open.pop();
                        }
                        Some(word) => {
                            if word == "do" {
                                open.push(depth);
                            }
                            found.push(Keyword { start: offset, word });
                        }
                        None => {}
                    }
                }
                at += length;
            }
            byte => {
                depth += i64::from(byte == b'{') - i64::from(byte == b'}');
                at += 1;
            }
        }
    }
    found
}

fn literal(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(byte) = rest.get(at) {
        at += match byte {
            b'\\' => 2,
            b'\n' => return at,
            byte if *byte == quote => return at + 1,
            _ => 1,
        };
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&'static str> {
        let preprocessor = Preprocessor::new(text.as_bytes());
        let all = keywords(
            text.as_bytes(),
            0..text.len() as u32,
            &preprocessor,
            &BTreeSet::from([0]),
        );
        all.into_iter().map(|keyword| keyword.word).collect()
    }

    #[test]
    fn keywords_are_found_outside_of_comments_and_literals() {
        assert_eq!(
            words("for (;;) { /* for */ x(\"while (\\\" for\"); } // do\nforty = 'f'; while (1);"),
            ["for", "while"]
        );
    }

    #[test]
    fn the_while_of_a_do_is_no_loop() {
        assert_eq!(
            words("do { while (a) b(); } while (c); while (d) e();"),
            ["do", "while", "while"]
        );
        assert_eq!(words("do do x(); while (a); while (b);"), ["do", "do"]);
    }

    #[test]
    fn preprocessor_lines_and_other_branches_are_left_out() {
        assert_eq!(
            words("#define LOOP for (;;) \\\n while (1)\n#if 0\nfor (;;);\n#endif\ndo ; while (0);"),
            ["do"]
        );
    }
}
