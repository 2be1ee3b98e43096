//! What does a generated function look like, and what is smaller than it? Statements as a tree of text, so that parts of
//! it can be left out without knowing C.

use std::fmt::Write;

/// A statement, or several that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// One line, complete.
    Line(String),
    /// Statements between braces: each part has the text that opens it (`for (…) {`, `} else {`, `case 1:`).
    Nest(Vec<(String, Vec<Node>)>),
}

impl Node {
    /// A line.
    pub fn line(text: impl Into<String>) -> Node {
        Node::Line(text.into())
    }

    /// `head {` body `}`.
    pub fn block(head: impl Into<String>, body: Vec<Node>) -> Node {
        Node::Nest(vec![(format!("{} {{", head.into()), body)])
    }
}

/// The C text of statements.
pub fn text(nodes: &[Node], depth: usize, out: &mut String) {
    let space = "    ".repeat(depth);
    for node in nodes {
        match node {
            Node::Line(line) => {
                let _ = writeln!(out, "{space}{line}");
            }
            Node::Nest(parts) => {
                for (open, body) in parts {
                    let _ = writeln!(out, "{space}{open}");
                    text(body, depth + 1, out);
                }
                let _ = writeln!(out, "{space}}}");
            }
        }
    }
}

/// Everything that is smaller by one step: a statement left out, a statement replaced by what is inside it, a branch
/// left out. Larger steps first.
pub fn smaller(nodes: &[Node]) -> Vec<Vec<Node>> {
    let mut found = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let with = |new: Vec<Node>| {
            let mut copy = nodes.to_vec();
            copy.splice(at..=at, new);
            copy
        };
        found.push(with(Vec::new()));
        let Node::Nest(parts) = node else { continue };
        for (number, (_, body)) in parts.iter().enumerate() {
            found.push(with(body.clone()));
            if number > 0 {
                let mut fewer = parts.clone();
                fewer.remove(number);
                found.push(with(vec![Node::Nest(fewer)]));
            }
        }
        for (number, (_, body)) in parts.iter().enumerate() {
            for less in smaller(body) {
                let mut changed = parts.clone();
                if let Some(part) = changed.get_mut(number) {
                    part.1 = less;
                }
                found.push(with(vec![Node::Nest(changed)]));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Node, smaller, text};

    #[test]
    fn statements_are_left_out_and_blocks_are_opened() {
        let tree = vec![
            Node::line("x = 0;"),
            Node::block("if (n > 0)", vec![Node::line("x = 1;")]),
        ];
        let texts: Vec<String> = smaller(&tree)
            .iter()
            .map(|nodes| {
                let mut out = String::new();
                text(nodes, 0, &mut out);
                out
            })
            .collect();
        assert_eq!(
            texts,
            [
                "if (n > 0) {\n    x = 1;\n}\n",
                "x = 0;\n",
                "x = 0;\nx = 1;\n",
                "x = 0;\nif (n > 0) {\n}\n"
            ]
        );
    }
}
