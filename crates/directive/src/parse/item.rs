//! Which object does a list item name, and which part of it?

use super::Reader;
use crate::clean::{Piece, is_word};
use crate::{Item, ListItem, Subscript, Text};

impl Reader<'_> {
    /// A list item. What cannot be taken apart soundly is kept raw, without an error: it may be right.
    pub(super) fn object(&mut self, piece: Piece) -> Item<Text> {
        match self.list_item(piece.clone()) {
            Some(item) => Item::Object(item),
            None => Item::Raw(self.clean.squeezed(&piece)),
        }
    }

    fn list_item(&self, piece: Piece) -> Option<ListItem<Text>> {
        let brackets = self.trailing_brackets(piece.clone())?;
        let base = self
            .clean
            .trim(piece.start..brackets.first().map_or(piece.end, |b| b.start - 1));
        if let Some((shape, inner)) = self.shaped(&base) {
            let subscripts = brackets
                .into_iter()
                .map(|b| self.subscript(b))
                .collect::<Option<_>>()?;
            return Some(ListItem {
                shape,
                base: self.clean.expression(inner),
                subscripts,
            });
        }
        if base.is_empty() || self.has_section(&base) {
            return None;
        }
        let sections = brackets.iter().any(|b| self.clean.colon(b.clone()).is_some());
        if !self.is_postfix(&base) {
            // `*p[0]`: the operator applies to the element, so nothing may be cut off.
            return (!sections).then(|| ListItem::whole(self.clean.expression(piece)));
        }
        let subscripts = brackets
            .into_iter()
            .map(|b| self.subscript(b))
            .collect::<Option<_>>()?;
        Some(ListItem {
            shape: Vec::new(),
            base: self.clean.expression(base),
            subscripts,
        })
    }

    /// The insides of the brackets at the end, outermost first. `None` if brackets do not match.
    fn trailing_brackets(&self, piece: Piece) -> Option<Vec<Piece>> {
        let bytes = self.clean.bytes();
        let mut found = Vec::new();
        for at in self.clean.top_level(piece.clone()) {
            match bytes[at] {
                b'[' => found.push(at + 1..self.clean.close(at).filter(|close| *close < piece.end)?),
                b' ' => {}
                _ => found.clear(),
            }
        }
        Some(found)
    }

    /// `([n][m]p)`: the dimensions and `p`.
    fn shaped(&self, base: &Piece) -> Option<(Vec<Text>, Piece)> {
        let bytes = self.clean.bytes();
        if base.is_empty() || bytes[base.start] != b'(' || self.clean.close(base.start) != Some(base.end - 1)
        {
            return None;
        }
        let mut at = self.clean.skip_blanks(base.start + 1);
        let mut shape = Vec::new();
        while bytes[at] == b'[' {
            let close = self.clean.close(at)?;
            let dimension = self.clean.trim(at + 1..close);
            if dimension.is_empty() {
                return None;
            }
            shape.push(self.clean.expression(dimension));
            at = self.clean.skip_blanks(close + 1);
        }
        let inner = self.clean.trim(at..base.end - 1);
        (!shape.is_empty() && !inner.is_empty()).then_some((shape, inner))
    }

    /// True if a bracket at any depth holds a section, or nothing: then the text is no C expression.
    fn has_section(&self, piece: &Piece) -> bool {
        let bytes = self.clean.bytes();
        // For each open bracket: whether it is `[`, whether anything is inside, and conditional operators that wait for their colon.
        let mut open: Vec<(bool, bool, usize)> = Vec::new();
        for at in self.clean.code(piece.clone()) {
            let scope = |at: usize| self.clean.cplusplus && bytes.get(at) == Some(&b':');
            match bytes[at] {
                b' ' => continue,
                b']' if open.last().is_some_and(|(_, filled, _)| !filled) => return true,
                b')' | b']' | b'}' => {
                    open.pop();
                }
                b'?' => open
                    .iter_mut()
                    .next_back()
                    .into_iter()
                    .for_each(|(_, _, questions)| *questions += 1),
                b':' if scope(at + 1) || (at > 0 && scope(at - 1)) => {}
                b':' => match open.last_mut() {
                    Some((_, _, questions)) if *questions > 0 => *questions -= 1,
                    Some((true, ..)) => return true,
                    _ => {}
                },
                _ => {}
            }
            if let Some((_, filled, _)) = open.last_mut() {
                *filled = true;
            }
            if matches!(bytes[at], b'(' | b'[' | b'{') {
                open.push((bytes[at] == b'[', false, 0));
            }
        }
        false
    }

    /// True if the piece is one primary expression with members, subscripts and calls: nothing that a subscript after it would not bind to.
    fn is_postfix(&self, piece: &Piece) -> bool {
        let bytes = self.clean.bytes();
        // Set after something that a subscript binds to.
        let mut complete = false;
        let mut skip = 0;
        for at in self.clean.top_level(piece.clone()) {
            if at < skip {
                continue;
            }
            match bytes[at] {
                b' ' => {}
                b'(' | b'[' if complete => {}
                b'(' => complete = true,
                b'.' if complete => complete = false,
                b'-' if complete && bytes.get(at + 1) == Some(&b'>') => {
                    complete = false;
                    skip = at + 2;
                }
                b':' if self.clean.cplusplus && bytes.get(at + 1) == Some(&b':') => {
                    complete = false;
                    skip = at + 2;
                }
                byte if is_word(byte) && !byte.is_ascii_digit() && !complete => {
                    skip = self.clean.word(at).end;
                    complete = true;
                }
                _ => return false,
            }
        }
        complete
    }

    fn subscript(&self, inside: Piece) -> Option<Subscript<Text>> {
        let parts = self.clean.between_colons(inside);
        let part = |number: usize| {
            let piece = parts.get(number).filter(|p| !p.is_empty())?;
            Some(self.clean.expression(piece.clone()))
        };
        match parts.len() {
            1 => Some(Subscript::Index(part(0)?)),
            2 | 3 => Some(Subscript::Section {
                lower: part(0),
                length: part(1),
                stride: part(2),
            }),
            _ => None,
        }
    }
}
