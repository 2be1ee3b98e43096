//! How is the text of a directive changed: another direction for one item, another section, an item less, a clause more?
//!
//! The pragma is read again as text; a clause that changes is printed anew as a whole, everything else stays byte for byte.

use ferry_directive::{Arguments, Clause, Direction, Directive, Item, Language, ListItem, Modifier, Text};
use ferry_ir::{Stmt, StmtKind};
use ferry_source::layout::{line_begin, next_line};
use ferry_source::{Edit, FileId, Sources, Span};

/// A directive as it stands in the text.
pub struct Line {
    pub directive: Directive<Text>,
    /// From the `#` to the end of its last line.
    pub at: Span,
}

/// An item of a data clause.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub clause: usize,
    pub item: usize,
}

impl Line {
    /// The pragma of a statement; `None` if it is none in plain text.
    pub fn of(stmt: &Stmt, sources: &Sources) -> Option<Line> {
        let StmtKind::Directive { .. } = &stmt.kind else {
            return None;
        };
        let span = stmt.origin.text()?;
        let (directive, end) = ferry_directive::written(sources.bytes(span.file), span.start)?;
        Some(Line {
            directive,
            at: Span::new(span.file, span.start, end),
        })
    }

    fn file(&self) -> FileId {
        self.at.file
    }

    /// The items that name the object itself or a section of it, with their texts and directions.
    pub fn items_of(&self, object: &str) -> Vec<(Place, Direction, String)> {
        let mut found = Vec::new();
        for data in self.directive.data() {
            if let Some(item) = data.object
                && item.base.text.trim() == object
            {
                let place = Place {
                    clause: data.clause,
                    item: data.item,
                };
                found.push((place, data.direction, item.to_string()));
            }
        }
        found
    }

    /// The item that a clause has; with several, the one that names the object.
    pub fn item(&self, clause: usize, object: &str) -> Option<Place> {
        let items = self.directive.clauses.get(clause)?.items();
        let named = |item: &Item<Text>| matches!(item, Item::Object(one) if one.base.text.trim() == object);
        let item = match items.len() {
            1 => 0,
            _ => items.iter().position(named)?,
        };
        Some(Place { clause, item })
    }

    /// The item with another text.
    pub fn with_item(&self, place: Place, text: &str) -> Option<Vec<Edit>> {
        let mut clause = self.directive.clauses.get(place.clause)?.clone();
        let item = clause.arguments.as_mut()?.items.get_mut(place.item)?;
        *item = object(text);
        Some(vec![self.replaced(&clause, clause.place?, String::new())])
    }

    /// The item in a clause of another direction.
    pub fn with_direction(&self, place: Place, to: Direction) -> Option<Vec<Edit>> {
        let old = self.directive.clauses.get(place.clause)?;
        self.item_alone_in(place, directed(old, self.directive.language, to)?)
    }

    /// An update in the other direction.
    pub fn turned(&self, place: Place, to_device: bool) -> Option<Vec<Edit>> {
        let old = self.directive.clauses.get(place.clause)?;
        let mut new = old.clone();
        new.name = match (self.directive.language, to_device) {
            (Language::OpenMp, true) => "to",
            (Language::OpenMp, false) => "from",
            (Language::OpenAcc, true) => "device",
            (Language::OpenAcc, false) => "self",
        }
        .to_owned();
        self.item_alone_in(place, new)
    }

    /// The item need not be on the device before.
    pub fn not_present(&self, place: Place) -> Option<Vec<Edit>> {
        let old = self.directive.clauses.get(place.clause)?;
        match self.directive.language {
            Language::OpenAcc if old.name == "present" => self.with_direction(place, Direction::ToFrom),
            Language::OpenMp if old.name == "map" && old.items().len() == 1 => {
                let mut new = old.clone();
                let modifiers = &mut new.arguments.as_mut()?.modifiers;
                modifiers.retain(|one| !matches!(one, Modifier::Word(word) if word == "present"));
                Some(vec![self.replaced(&new, old.place?, String::new())])
            }
            _ => None,
        }
    }

    /// Without the item: without its clause if that has no other, without the directive if that has no other clause and does nothing else.
    pub fn without_item(&self, place: Place, sources: &Sources) -> Option<Vec<Edit>> {
        let old = self.directive.clauses.get(place.clause)?;
        if old.items().len() > 1 {
            let rest = without(old, place.item)?;
            return Some(vec![self.replaced(&rest, old.place?, String::new())]);
        }
        let bytes = sources.bytes(self.file());
        let data = self.directive.data();
        let mut clauses: Vec<usize> = data.iter().map(|one| one.clause).collect();
        clauses.dedup();
        let alone = clauses == [place.clause];
        if alone
            && (self.directive.is_enter_data() || self.directive.is_exit_data() || self.directive.is_update())
        {
            let start = line_begin(bytes, self.at.start as usize);
            let end = next_line(bytes, self.at.end as usize);
            let at = Span::new(self.file(), u32::try_from(start).ok()?, u32::try_from(end).ok()?);
            return Some(vec![Edit { at, text: Vec::new() }]);
        }
        self.cut_out(old, sources)
    }

    /// Without the clause of this name.
    pub fn without_clause(&self, name: &str, sources: &Sources) -> Option<Vec<Edit>> {
        let clause = self.directive.clauses.iter().find(|clause| clause.name == name)?;
        self.cut_out(clause, sources)
    }

    fn cut_out(&self, clause: &Clause<Text>, sources: &Sources) -> Option<Vec<Edit>> {
        let (start, end) = clause.place?;
        // With the blanks before it.
        let blanks = sources.bytes(self.file())[..start as usize]
            .iter()
            .rev()
            .take_while(|byte| **byte == b' ')
            .count();
        let at = Span::new(self.file(), start - u32::try_from(blanks).ok()?, end);
        Some(vec![Edit { at, text: Vec::new() }])
    }

    /// One more clause, behind the last.
    pub fn with_clause(&self, text: &str, sources: &Sources) -> Option<Vec<Edit>> {
        let last = self
            .directive
            .clauses
            .iter()
            .filter_map(|clause| clause.place)
            .map(|(_, end)| end)
            .max();
        let end = match last {
            Some(end) => end,
            None => {
                let line = sources.text(self.at);
                let words = line.trim_ascii_end().len();
                self.at.start + u32::try_from(words).ok()?
            }
        };
        let at = Span::new(self.file(), end, end);
        Some(vec![Edit {
            at,
            text: format!(" {text}").into_bytes(),
        }])
    }

    /// Another clause in the place of the item's.
    pub fn instead(&self, place: Place, text: &str) -> Option<Vec<Edit>> {
        let (start, end) = self.directive.clauses.get(place.clause)?.place?;
        Some(vec![Edit {
            at: Span::new(self.file(), start, end),
            text: text.as_bytes().to_vec(),
        }])
    }

    /// Another clause for the item, in the place of its own if that has no other.
    pub fn item_in(&self, place: Place, clause: &str) -> Option<Vec<Edit>> {
        let old = self.directive.clauses.get(place.clause)?;
        if old.items().len() == 1 {
            return self.instead(place, clause);
        }
        let rest = without(old, place.item)?;
        Some(vec![self.replaced(&rest, old.place?, format!(" {clause}"))])
    }

    /// The item, as it is, in another clause, which takes no other items along.
    fn item_alone_in(&self, place: Place, mut clause: Clause<Text>) -> Option<Vec<Edit>> {
        let old = self.directive.clauses.get(place.clause)?;
        let item = old.items().get(place.item)?.clone();
        clause.arguments.as_mut()?.items = vec![item];
        self.item_in(place, &clause.to_string())
    }

    fn replaced(&self, clause: &Clause<Text>, (start, end): (u32, u32), behind: String) -> Edit {
        Edit {
            at: Span::new(self.file(), start, end),
            text: format!("{clause}{behind}").into_bytes(),
        }
    }
}

/// An item that prints as this text.
fn object(text: &str) -> Item<Text> {
    Item::Object(ListItem::whole(Text {
        start: 0,
        end: 0,
        text: text.to_owned(),
    }))
}

/// The clause without one item.
fn without(clause: &Clause<Text>, item: usize) -> Option<Clause<Text>> {
    let mut rest = clause.clone();
    let items = &mut rest.arguments.as_mut()?.items;
    (item < items.len()).then(|| items.remove(item))?;
    Some(rest)
}

/// The clause with another direction, if it is a clause with a direction.
fn directed(clause: &Clause<Text>, language: Language, to: Direction) -> Option<Clause<Text>> {
    let mut clause = clause.clone();
    match language {
        Language::OpenMp if clause.name == "map" => {
            let word = match to {
                Direction::To => "to",
                Direction::From => "from",
                Direction::ToFrom => "tofrom",
                Direction::Alloc => "alloc",
                Direction::Release => "release",
                _ => return None,
            };
            let Arguments { modifiers, .. } = clause.arguments.as_mut()?;
            let types = ["to", "from", "tofrom", "alloc", "storage", "release", "delete"];
            modifiers.retain(|one| !matches!(one, Modifier::Word(word) if types.contains(&word.as_str())));
            modifiers.push(Modifier::Word(word.to_owned()));
        }
        Language::OpenAcc => {
            let known = ["copy", "copyin", "copyout", "create", "present", "delete"];
            if !known.contains(&clause.name.as_str()) {
                return None;
            }
            clause.name = match to {
                Direction::To => "copyin",
                Direction::From => "copyout",
                Direction::ToFrom => "copy",
                Direction::Alloc => "create",
                _ => return None,
            }
            .to_owned();
        }
        Language::OpenMp => return None,
    }
    Some(clause)
}
