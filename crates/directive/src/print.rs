//! How is a directive written? One pragma, on one line or continued with `\`, that reads back as the same directive.
//!
//! Expressions are printed by the caller. The text of an expression must not have a comma, a colon or an unmatched bracket outside
//! brackets and literals (conditional expressions may have their colon).

use crate::{Arguments, Clause, Directive, Item, ListItem, Modifier, Subscript};

/// How the pragma is laid out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout<'a> {
    /// Before `#pragma`, and before continuation lines (which have four blanks more).
    pub indentation: &'a str,
    /// Number of bytes of a line, past which it is continued if it can be cut; 0: one line.
    pub width: usize,
    /// The bytes between lines.
    pub line_end: &'a str,
}

impl Layout<'static> {
    /// One line without indentation.
    pub const ONE_LINE: Layout<'static> = Layout {
        indentation: "",
        width: 0,
        line_end: "\n",
    };
}

impl<E> Directive<E> {
    /// The pragma, without a line end after it.
    pub fn print(&self, layout: &Layout<'_>, mut expression: impl FnMut(&E) -> String) -> String {
        // Pieces that may stand at the beginning of a line, each with the blank that separates it from the piece before.
        let mut pieces = Vec::new();
        pieces.push(format!("#pragma {} {}", self.language.sentinel(), self.name));
        if let Some(arguments) = &self.arguments {
            attach(
                &mut pieces,
                arguments_pieces(&self.name, arguments, &mut expression),
            );
        }
        for clause in &self.clauses {
            pieces.push(format!(" {}", clause.name));
            if let Some(arguments) = &clause.arguments {
                attach(
                    &mut pieces,
                    arguments_pieces(&clause.name, arguments, &mut expression),
                );
            }
        }
        wrap(&pieces, layout)
    }
}

impl<E: std::fmt::Display> std::fmt::Display for Directive<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.print(&Layout::ONE_LINE, E::to_string))
    }
}

impl<E: std::fmt::Display> std::fmt::Display for Clause<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        match &self.arguments {
            Some(arguments) => {
                f.write_str(&arguments_pieces(&self.name, arguments, &mut E::to_string).concat())
            }
            None => Ok(()),
        }
    }
}

impl<E: std::fmt::Display> std::fmt::Display for ListItem<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&object(self, &mut E::to_string))
    }
}

/// The first piece belongs to the last one.
fn attach(pieces: &mut Vec<String>, more: Vec<String>) {
    let mut more = more.into_iter();
    if let (Some(last), Some(first)) = (pieces.last_mut(), more.next()) {
        last.push_str(&first);
    }
    pieces.extend(more);
}

fn wrap(pieces: &[String], layout: &Layout<'_>) -> String {
    let mut out = layout.indentation.to_owned();
    let mut length = out.len();
    for (number, piece) in pieces.iter().enumerate() {
        // Two bytes are for the ` \` that may have to follow.
        let reserve = if number + 1 < pieces.len() { 2 } else { 0 };
        if number > 0 && layout.width > 0 && length + piece.len() + reserve > layout.width {
            out.push_str(" \\");
            out.push_str(layout.line_end);
            out.push_str(layout.indentation);
            out.push_str("    ");
            out.push_str(piece.trim_start());
            length = layout.indentation.len() + 4 + piece.trim_start().len();
        } else {
            out.push_str(piece);
            length += piece.len();
        }
    }
    out
}

fn arguments_pieces<E>(
    name: &str,
    arguments: &Arguments<E>,
    expression: &mut impl FnMut(&E) -> String,
) -> Vec<String> {
    let modifiers: Vec<String> = arguments
        .modifiers
        .iter()
        .map(|m| modifier(m, matches!(name, "wait"), expression))
        .collect();
    let trailing: Vec<String> = arguments
        .trailing
        .iter()
        .map(|m| modifier(m, false, expression))
        .collect();
    let mut pieces = Vec::new();
    let mut open = "(".to_owned();
    let mut close = ")".to_owned();
    if name == "linear" && !modifiers.is_empty() {
        open = format!("({}(", modifiers.join(", "));
        close.insert(0, ')');
        if !trailing.is_empty() {
            close = format!("): {})", trailing.join(", "));
        }
    } else {
        if !modifiers.is_empty() {
            // `wait(devnum: 1: queues: 2)` has a colon after each.
            let between = if name == "wait" { ": " } else { ", " };
            open = format!("({}:", modifiers.join(between));
            if !arguments.items.is_empty() {
                open.push(' ');
            }
        }
        if !trailing.is_empty() {
            close = format!(": {})", trailing.join(", "));
        }
    }
    if arguments.items.is_empty() {
        return vec![open + &close];
    }
    let last = arguments.items.len() - 1;
    for (number, item) in arguments.items.iter().enumerate() {
        let before = if number == 0 { open.as_str() } else { " " };
        let after = if number == last { close.as_str() } else { "," };
        let text = match item {
            Item::Object(item) => object(item, expression),
            Item::Value(e) => expression(e),
            Item::Named { name, value } => {
                format!(
                    "{name}: {}",
                    value.as_ref().map_or_else(|| "*".to_owned(), &mut *expression)
                )
            }
            Item::Word(text) | Item::Raw(text) => text.clone(),
        };
        pieces.push(format!("{before}{text}{after}"));
    }
    pieces
}

fn modifier<E>(modifier: &Modifier<E>, colon: bool, expression: &mut impl FnMut(&E) -> String) -> String {
    match modifier {
        Modifier::Word(word) => word.clone(),
        Modifier::Named { name, value } if colon => format!("{name}: {}", expression(value)),
        Modifier::Named { name, value } => format!("{name}({})", expression(value)),
        Modifier::Mapper(name) => format!("mapper({name})"),
        Modifier::Iterator(iterators) => {
            let iterators: Vec<String> = iterators
                .iter()
                .map(|i| {
                    let type_name = i.type_name.as_ref().map(|t| format!("{t} ")).unwrap_or_default();
                    let step = i
                        .step
                        .as_ref()
                        .map(|s| format!(":{}", expression(s)))
                        .unwrap_or_default();
                    format!(
                        "{type_name}{} = {}:{}{step}",
                        i.name,
                        expression(&i.begin),
                        expression(&i.end)
                    )
                })
                .collect();
            format!("iterator({})", iterators.join(", "))
        }
        Modifier::Value(e) => expression(e),
        Modifier::Raw(text) => text.clone(),
    }
}

fn object<E>(item: &ListItem<E>, expression: &mut impl FnMut(&E) -> String) -> String {
    let mut out = String::new();
    if !item.shape.is_empty() {
        out.push('(');
        for dimension in &item.shape {
            out.push_str(&format!("[{}]", expression(dimension)));
        }
    }
    out.push_str(&expression(&item.base));
    if !item.shape.is_empty() {
        out.push(')');
    }
    for subscript in &item.subscripts {
        out.push('[');
        match subscript {
            Subscript::Index(e) => out.push_str(&expression(e)),
            Subscript::Section {
                lower,
                length,
                stride,
            } => {
                let mut part = |e: &Option<E>| e.as_ref().map_or_else(String::new, &mut *expression);
                let (lower, length) = (part(lower), part(length));
                out.push_str(&format!("{lower}:{length}"));
                if stride.is_some() {
                    // In C++ two colons before a name would join names.
                    out.push_str(if length.is_empty() { " :" } else { ":" });
                    out.push_str(&part(stride));
                }
            }
        }
        out.push(']');
    }
    out
}
