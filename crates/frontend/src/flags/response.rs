//! What is in `@file`? Response files as gcc and clang read them: words split at white space, with quotes and
//! backslashes, nested files allowed. A response file that cannot be read stays a plain argument, as in gcc.

use std::path::Path;

/// Response files may name response files; past this depth (or in a cycle) the argument is an error.
const DEPTH: usize = 16;

/// Replaces every `@file` by the words of the file, relative to `directory`.
///
/// # Errors
/// A message, if response files nest too deeply (or name themselves).
pub fn expand(arguments: &[String], directory: &Path) -> Result<Vec<String>, String> {
    let mut out = Vec::with_capacity(arguments.len());
    expand_into(arguments, directory, 0, &mut out)?;
    Ok(out)
}

fn expand_into(
    arguments: &[String],
    directory: &Path,
    depth: usize,
    out: &mut Vec<String>,
) -> Result<(), String> {
    for argument in arguments {
        let text = argument
            .strip_prefix('@')
            .filter(|name| !name.is_empty())
            .and_then(|name| std::fs::read(directory.join(name)).ok());
        match text {
            None => out.push(argument.clone()),
            Some(_) if depth >= DEPTH => {
                return Err(format!(
                    "response files nest more than {DEPTH} deep at `{argument}`; is one of them naming itself?"
                ));
            }
            Some(text) => {
                expand_into(&words(&String::from_utf8_lossy(&text)), directory, depth + 1, out)?;
            }
        }
    }
    Ok(())
}

/// Splits as libiberty's `buildargv`: white space separates, quotes of both kinds group, a backslash takes the next
/// character as it is (inside quotes too).
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(characters.next()),
            (c, Some(q)) if c == q => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_ascii_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_as_gcc_does() {
        assert_eq!(
            words(" -Ia  '-DX=a b'\n\"-DY=\\\"s\\\"\" -I\\ c ''"),
            ["-Ia", "-DX=a b", "-DY=\"s\"", "-I c", ""]
        );
        assert_eq!(words("'open"), ["open"]);
        assert!(words(" \n").is_empty());
    }

    #[test]
    fn nested_files_are_read_and_cycles_are_errors() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.rsp"), "-DA @b.rsp").unwrap();
        std::fs::write(dir.path().join("b.rsp"), "-DB").unwrap();
        std::fs::write(dir.path().join("c.rsp"), "@c.rsp").unwrap();
        let args = ["@a.rsp".to_owned(), "@none".to_owned(), "@".to_owned()];
        assert_eq!(expand(&args, dir.path()).unwrap(), ["-DA", "-DB", "@none", "@"]);
        assert!(
            expand(&["@c.rsp".to_owned()], dir.path())
                .unwrap_err()
                .contains("@c.rsp")
        );
    }
}
