//! What is inside one pair of parentheses: modifiers, items, trailing modifiers.

use super::Reader;
use crate::clean::Piece;
use crate::suggest::nearest;
use crate::table::{self, After, Before, Items, Syntax};
use crate::{Arguments, Item, IteratorSpecifier, Modifier, Text};

fn among(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|w| w == word)
}

impl Reader<'_> {
    pub(super) fn arguments(&mut self, syntax: &Syntax, clause: &str, content: Piece) -> Arguments<Text> {
        let content = self.clean.trim(content);
        let mut arguments = Arguments::items(Vec::new());
        match (syntax.items, syntax.after) {
            (Items::Unparsed, _) => return self.raw(content),
            (Items::WaitList, _) => return self.wait_list(content),
            // A colon inside has its own meaning there.
            (Items::Named(_), _) => {}
            (_, After::Nothing) => {
                let mut rest = content.clone();
                if let Some(colon) = self.clean.colon(rest.clone()) {
                    arguments.modifiers = self.modifiers(&syntax.before, clause, rest.start..colon);
                    rest = self.clean.trim(colon + 1..rest.end);
                } else if syntax.before.operator {
                    self.error(
                        &content,
                        format!("`{clause}` needs an operator and a colon before the list"),
                        None,
                    );
                }
                self.items(syntax, clause, rest, &mut arguments);
                return arguments;
            }
            (_, after) => {
                let mut rest = content.clone();
                if let Some(colon) = self.clean.colon(rest.clone()) {
                    arguments.trailing = self.trailing(after, clause, colon + 1..rest.end);
                    rest = self.clean.trim(rest.start..colon);
                }
                // `linear(val(x, y): 2)`
                let word = self.clean.word(rest.start);
                let open = self.clean.skip_blanks(word.end);
                if among(syntax.before.words, self.clean.str(&word))
                    && open < rest.end
                    && self.clean.bytes()[open] == b'('
                    && self.clean.close(open) == Some(rest.end - 1)
                {
                    arguments.modifiers = vec![Modifier::Word(self.clean.str(&word).to_owned())];
                    rest = open + 1..rest.end - 1;
                }
                self.items(syntax, clause, rest, &mut arguments);
                return arguments;
            }
        }
        self.items(syntax, clause, content, &mut arguments);
        arguments
    }

    fn items(&mut self, syntax: &Syntax, clause: &str, content: Piece, arguments: &mut Arguments<Text>) {
        let pieces = self.clean.list(content.clone());
        let dependence = arguments.modifiers.last();
        let is_dependence = |kind: &str| matches!(dependence, Some(Modifier::Word(word)) if word == kind);
        if pieces.is_empty() {
            // `doacross(source:)`
            if !(syntax.items == Items::Dependence && is_dependence("source")) {
                self.error(&content, format!("`{clause}` has an empty argument"), None);
            }
            return;
        }
        if pieces.len() > 1 && matches!(syntax.items, Items::OneObject | Items::OneValue) {
            self.error(&pieces[1], format!("`{clause}` takes one argument"), None);
        }
        let kind = match syntax.items {
            Items::Dependence if is_dependence("sink") || is_dependence("source") => Items::Values,
            Items::Dependence if dependence.is_none() && pieces.len() == 1 => Items::Words("source"),
            Items::Dependence => Items::Objects,
            kind => kind,
        };
        for (number, piece) in pieces.into_iter().enumerate() {
            if piece.is_empty() {
                self.error(&piece, format!("`{clause}` has an empty argument"), None);
                continue;
            }
            let item = match kind {
                Items::Objects | Items::OneObject => self.object(piece),
                Items::Words(words) => self.keyword(words, clause, piece),
                Items::WordThenValues(words) if number == 0 => self.keyword(words, clause, piece),
                Items::Named(words) => self.named(words, clause, piece),
                _ if self.clean.str(&piece) == "*" => Item::Word("*".to_owned()),
                _ => Item::Value(self.clean.expression(piece)),
            };
            arguments.items.push(item);
        }
    }

    fn keyword(&mut self, words: &str, clause: &str, piece: Piece) -> Item<Text> {
        let text = self.clean.squeezed(&piece);
        if !words.is_empty() && !among(words, &text) {
            let suggestion = nearest(&text, words.split_whitespace());
            self.error(
                &piece,
                format!("`{text}` is no argument of `{clause}`"),
                suggestion,
            );
            return Item::Raw(text);
        }
        let first = text.as_bytes().first().copied().unwrap_or(0);
        let name = |b: u8| crate::clean::is_word(b) || b == b' ' || (b == b':' && self.clean.cplusplus);
        if text == "*" || first == b'"' || (!first.is_ascii_digit() && text.bytes().all(name)) {
            return Item::Word(text);
        }
        self.error(&piece, format!("`{clause}` takes names only"), None);
        Item::Raw(text)
    }

    fn named(&mut self, words: &str, clause: &str, piece: Piece) -> Item<Text> {
        let Some(colon) = self.clean.colon(piece.clone()) else {
            return match self.clean.str(&piece) {
                "*" => Item::Word("*".to_owned()),
                _ => Item::Value(self.clean.expression(piece)),
            };
        };
        let word = self.clean.trim(piece.start..colon);
        let name = self.clean.str(&word).to_owned();
        let value = self.clean.trim(colon + 1..piece.end);
        if !among(words, &name) {
            self.error(
                &word,
                format!("`{name}` is no keyword of `{clause}`"),
                nearest(&name, words.split_whitespace()),
            );
            return Item::Raw(self.clean.squeezed(&piece));
        }
        if value.is_empty() {
            self.error(&value, format!("`{name}` needs a value"), None);
            return Item::Raw(self.clean.squeezed(&piece));
        }
        let value = (self.clean.str(&value) != "*").then(|| self.clean.expression(value));
        Item::Named { name, value }
    }

    /// `wait([devnum: e:] [queues:] list)`
    fn wait_list(&mut self, content: Piece) -> Arguments<Text> {
        let mut arguments = Arguments::items(Vec::new());
        let mut pieces = self.clean.between_colons(content.clone());
        let Some(list) = pieces.pop() else {
            return arguments;
        };
        let words: Vec<&str> = pieces.iter().map(|p| self.clean.str(p)).collect();
        let queues = words.last() == Some(&"queues");
        match (&words[..words.len() - usize::from(queues)], pieces.get(1)) {
            ([], _) => {}
            (["devnum", number], Some(piece)) if !number.is_empty() => {
                arguments.modifiers.push(Modifier::Named {
                    name: "devnum".to_owned(),
                    value: self.clean.expression(piece.clone()),
                })
            }
            _ => {
                self.error(&content, "`wait` takes `devnum: number: queues: list`", None);
                return self.raw(content);
            }
        }
        if queues {
            arguments.modifiers.push(Modifier::Word("queues".to_owned()));
        }
        let values = self.clean.list(list.clone());
        if values.is_empty() || values.iter().any(Piece::is_empty) {
            self.error(&list, "`wait` has an empty argument", None);
        }
        let values = values.into_iter().filter(|v| !v.is_empty());
        arguments.items = values.map(|v| Item::Value(self.clean.expression(v))).collect();
        arguments
    }

    fn modifiers(&mut self, before: &Before, clause: &str, content: Piece) -> Vec<Modifier<Text>> {
        let mut pieces = Vec::new();
        for piece in self.clean.list(content.clone()) {
            // OpenMP 4.5 needs no comma in `map(always to: x)`.
            let words: Vec<&str> = self.clean.str(&piece).split_whitespace().collect();
            if words.len() > 1 && words.iter().all(|word| among(before.words, word)) {
                let mut at = piece.start;
                for word in words {
                    let start = self.clean.skip_blanks(at);
                    at = start + word.len();
                    pieces.push(start..at);
                }
            } else {
                pieces.push(piece);
            }
        }
        if pieces.is_empty() {
            self.error(
                &content,
                format!("nothing is before the colon of `{clause}`"),
                None,
            );
        }
        let last = pieces.len();
        let parsed: Vec<_> = pieces
            .into_iter()
            .enumerate()
            .map(|(number, piece)| self.modifier(before, clause, piece, number + 1 == last))
            .collect();
        if before.operator && !matches!(parsed.last(), Some(Modifier::Word(_))) && !parsed.is_empty() {
            self.error(
                &content,
                format!("`{clause}` needs an operator as its last modifier"),
                None,
            );
        }
        parsed
    }

    fn modifier(&mut self, before: &Before, clause: &str, piece: Piece, last: bool) -> Modifier<Text> {
        let text = self.clean.squeezed(&piece);
        if among(before.words, &text) {
            return Modifier::Word(text);
        }
        let word = self.clean.word(piece.start);
        let name = self.clean.str(&word).to_owned();
        let open = self.clean.skip_blanks(word.end);
        let in_parentheses = !word.is_empty()
            && open < piece.end
            && self.clean.bytes()[open] == b'('
            && self.clean.close(open) == Some(piece.end - 1);
        let inner = if in_parentheses {
            self.clean.trim(open + 1..piece.end - 1)
        } else {
            piece.end..piece.end
        };
        if in_parentheses && !inner.is_empty() {
            match name.as_str() {
                "mapper" if before.mapper => return Modifier::Mapper(self.clean.squeezed(&inner)),
                "iterator" if before.iterator => {
                    return match self.iterators(inner) {
                        Some(iterators) => Modifier::Iterator(iterators),
                        None => {
                            self.error(
                                &piece,
                                "an iterator is written `name = begin : end [: step]`",
                                None,
                            );
                            Modifier::Raw(text)
                        }
                    };
                }
                _ if among(before.named, &name) => {
                    return Modifier::Named {
                        name,
                        value: self.clean.expression(inner),
                    };
                }
                _ => {}
            }
        }
        if among(before.raw, &name) {
            return Modifier::Raw(text);
        }
        if before.operator && last && is_reduction_operator(&text, self.clean.cplusplus) {
            return Modifier::Word(text);
        }
        let words: Vec<Piece> = {
            let mut at = piece.start;
            let mut words = Vec::new();
            while at < piece.end {
                let word = self.clean.word(at);
                if word.is_empty() {
                    words.clear();
                    break;
                }
                at = self.clean.skip_blanks(word.end);
                words.push(word);
            }
            words
        };
        let directive = self.canonical_name(&words);
        if !words.is_empty() && table::specification(self.language, &directive).is_some() {
            return Modifier::Word(directive);
        }
        if before.value && !text.is_empty() {
            return Modifier::Value(self.clean.expression(piece));
        }
        let known = [before.words, before.named, before.raw];
        let suggestion = nearest(&name, known.iter().flat_map(|words| words.split_whitespace()));
        self.error(
            &piece,
            format!("`{text}` is no modifier of `{clause}`"),
            suggestion,
        );
        Modifier::Raw(text)
    }

    fn iterators(&self, content: Piece) -> Option<Vec<IteratorSpecifier<Text>>> {
        let one = |piece: Piece| {
            let equals = self
                .clean
                .top_level(piece.clone())
                .find(|at| self.clean.bytes()[*at] == b'=')?;
            let left = self.clean.trim(piece.start..equals);
            let written = self.clean.str(&left);
            let name_length = written
                .bytes()
                .rev()
                .take_while(|b| crate::clean::is_word(*b))
                .count();
            let (type_name, name) = written.split_at(written.len() - name_length);
            let type_name = type_name.split_whitespace().collect::<Vec<_>>().join(" ");
            let parts = self.clean.between_colons(equals + 1..piece.end);
            if name.is_empty() || !(2..=3).contains(&parts.len()) || parts.iter().any(Piece::is_empty) {
                return None;
            }
            Some(IteratorSpecifier {
                type_name: (!type_name.is_empty()).then_some(type_name),
                name: name.to_owned(),
                begin: self.clean.expression(parts[0].clone()),
                end: self.clean.expression(parts[1].clone()),
                step: parts.get(2).map(|step| self.clean.expression(step.clone())),
            })
        };
        self.clean.list(content).into_iter().map(one).collect()
    }

    fn trailing(&mut self, after: After, clause: &str, content: Piece) -> Vec<Modifier<Text>> {
        let pieces = self.clean.list(content.clone());
        let single = pieces.len() == 1;
        let mut parsed = Vec::new();
        for piece in pieces {
            let text = self.clean.squeezed(&piece);
            let modifier = match after {
                After::Word(words) if among(words, &text) => Modifier::Word(text),
                After::Value { words, .. } if among(words, &text) => Modifier::Word(text),
                After::Value { named, .. } => {
                    let before = Before {
                        named,
                        value: single,
                        ..Before::default()
                    };
                    self.modifier(&before, clause, piece, true)
                }
                _ => {
                    self.error(
                        &piece,
                        format!("`{text}` is not understood after the colon of `{clause}`"),
                        None,
                    );
                    Modifier::Raw(text)
                }
            };
            parsed.push(modifier);
        }
        if parsed.is_empty() {
            self.error(
                &self.clean.trim(content),
                format!("nothing is after the colon of `{clause}`"),
                None,
            );
        }
        parsed
    }
}

/// An operator of the languages, or the name of a user-defined one.
fn is_reduction_operator(text: &str, cplusplus: bool) -> bool {
    let name = |b: u8| crate::clean::is_word(b) || (cplusplus && b == b':');
    matches!(text, "+" | "-" | "*" | "&" | "|" | "^" | "&&" | "||")
        || (!text.is_empty() && !text.as_bytes()[0].is_ascii_digit() && text.bytes().all(name))
        || (cplusplus && text.starts_with("operator"))
}
