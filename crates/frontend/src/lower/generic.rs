//! Which association does `_Generic` select? libclang does not tell, so the written types are compared with that of
//! the controlling expression: sure for types that are written in keywords and stars, else unknown.

use super::node::Node;
use super::{Lower, Lowered, lex};

/// A type in keywords, in a form that is equal for equal types: sorted words, then the stars with their qualifiers.
fn normal(text: &[u8]) -> Option<Vec<String>> {
    let mut base: Vec<&str> = Vec::new();
    let mut levels: Vec<Vec<&str>> = Vec::new();
    let mut at = lex::skip_blanks(text, 0);
    while at < text.len() {
        let end = lex::token_end(text, at);
        let word = std::str::from_utf8(&text[at..end]).ok()?;
        match word {
            "*" => levels.push(Vec::new()),
            "const" | "volatile" | "restrict" => match levels.last_mut() {
                Some(level) => level.push(word),
                None => base.push(word),
            },
            "signed" | "int" | "char" | "short" | "long" | "unsigned" | "float" | "double" | "_Bool"
            | "bool" | "void"
                if levels.is_empty() =>
            {
                base.push(if word == "bool" { "_Bool" } else { word });
            }
            _ => return None,
        }
        at = lex::skip_blanks(text, end);
    }
    let has = |base: &[&str], word: &str| base.contains(&word);
    if !has(&base, "char") {
        base.retain(|word| *word != "signed");
    }
    if has(&base, "short") || has(&base, "long") || has(&base, "unsigned") || base.is_empty() {
        base.retain(|word| *word != "int");
    }
    let only_qualifiers = base.iter().all(|word| matches!(*word, "const" | "volatile"));
    if only_qualifiers {
        base.push("int"); // `signed`
    }
    base.sort_unstable();
    let mut parts = vec![base.join(" ")];
    for mut level in levels {
        level.sort_unstable();
        parts.push(format!("*{}", level.join(" ")));
    }
    Some(parts)
}

impl<'tu> Lower<'tu, '_> {
    /// The association of `_Generic` that the type of its first operand selects.
    pub(super) fn generic_choice<'n>(&mut self, node: &'n Node<'tu>) -> Lowered<&'n Node<'tu>> {
        const UNKNOWN: &str = "a generic selection whose choice libclang does not tell";
        let expressions: Vec<&Node<'tu>> = node
            .children
            .iter()
            .filter(|c| (100..200).contains(&c.kind))
            .collect();
        let [control, results @ ..] = expressions.as_slice() else {
            return Err(self.not_understood(node.kind));
        };
        let wanted = normal(control.cursor.ty().canonical().spelling().as_bytes()).ok_or(UNKNOWN)?;
        let mut default = None;
        let mut unknown = false;
        let mut before = control.cursor.extent().1.spelling();
        for result in results {
            let (start, end) = result.cursor.extent();
            let (Some((file, from)), Some((other, to))) = (before, start.spelling()) else {
                return Err(UNKNOWN.into());
            };
            let text = self
                .tu
                .contents(file)
                .get(from as usize..to as usize)
                .filter(|_| file == other)
                .ok_or(UNKNOWN)?;
            let text = text
                .trim_ascii()
                .strip_prefix(b",")
                .and_then(|text| text.strip_suffix(b":"))
                .ok_or(UNKNOWN)?;
            match normal(text) {
                _ if text.trim_ascii() == b"default" => default = Some(*result),
                Some(ty) if ty == wanted => return Ok(result),
                Some(_) => {}
                None => unknown = true,
            }
            before = end.spelling();
        }
        default.filter(|_| !unknown).ok_or_else(|| UNKNOWN.into())
    }
}

#[cfg(test)]
mod tests {
    use super::normal;

    #[test]
    fn equal_types_have_one_form() {
        assert_eq!(normal(b"unsigned"), normal(b"unsigned int"));
        assert_eq!(normal(b"long int"), normal(b"signed long"));
        assert_eq!(normal(b"char const *"), normal(b"const char*"));
        assert_ne!(normal(b"char *const"), normal(b"const char *"));
        assert_ne!(normal(b"signed char"), normal(b"char"));
        assert_eq!(normal(b"signed"), normal(b"int"));
        assert_eq!(normal(b"struct s"), None);
    }
}
