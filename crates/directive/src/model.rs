//! What does a directive say? One data model for both languages, with the expressions left open.
//!
//! Order is kept everywhere. Names are canonical: old aliases become the present name (`pcopy` is `copy`), and words
//! are separated by one space (`declare_target` of OpenMP 6.0 is `declare target`). What the model does not take apart
//! (context selectors, user-defined reductions, mappers' declarations) is kept as [`Item::Raw`], and whoever asks for
//! data or expressions must treat it as unknown.

use crate::Language;

/// A directive whose expressions are of type `E` (text spans, or typed expressions of the program).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Directive<E> {
    /// OpenMP or OpenACC.
    pub language: Language,
    /// Canonical words with one space between: `target teams distribute parallel for`, `enter data`.
    pub name: String,
    /// What is in parentheses right after the name: `critical(name)`, `wait(1, 2)`, `threadprivate(x)`, `cache(a[0:n])`.
    pub arguments: Option<Arguments<E>>,
    /// The clauses in the order of the text.
    pub clauses: Vec<Clause<E>>,
}

/// One clause.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Clause<E> {
    /// Canonical name: `map`, `copyin`, `num_teams`.
    pub name: String,
    /// What is in its parentheses; `None` without parentheses.
    pub arguments: Option<Arguments<E>>,
    /// Offsets of its first byte and past its last byte; `None` if it was not in a text. See [`Directive::without_places`].
    pub place: Option<(u32, u32)>,
}

/// The content of a pair of parentheses: `modifiers : items : trailing`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Arguments<E> {
    /// What is before the items and their colon: map types and their modifiers, the reduction operator (last), depend types, schedule
    /// modifiers, the directive name of `if(target: c)`, the lower bound of `num_teams(lo: hi)`.
    pub modifiers: Vec<Modifier<E>>,
    /// The list, or the single value.
    pub items: Vec<Item<E>>,
    /// What is after the items and a colon: the step of `linear(x: 2)`, the alignment of `aligned(p: 64)`, the category of
    /// `defaultmap(tofrom: scalar)`.
    pub trailing: Vec<Modifier<E>>,
}

/// One modifier.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Modifier<E> {
    /// A keyword, operator or directive name: `always`, `tofrom`, `+`, `monotonic`, `target enter data`, `readonly`.
    Word(String),
    /// A keyword with one expression or name in parentheses, or before its own colon: `align(64)`, `step(2)`, `devnum: 1`.
    Named {
        /// The keyword.
        name: String,
        /// The value.
        value: E,
    },
    /// `mapper(name)`; the name is no expression.
    Mapper(String),
    /// `iterator(int i = 0:n:2, j = 0:m)`
    Iterator(Vec<IteratorSpecifier<E>>),
    /// An expression without keyword: `num_teams(lo: hi)`, `linear(x: 2)`, `allocate(my_allocator: x)`.
    Value(E),
    /// Not taken apart: `prefer_type(…)`.
    Raw(String),
}

/// One iterator of an `iterator` modifier: `name` runs over `begin, begin + step, …` below (above) `end`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IteratorSpecifier<E> {
    /// The type as written, if it is written (`int` otherwise).
    pub type_name: Option<String>,
    /// The variable.
    pub name: String,
    /// First value.
    pub begin: E,
    /// The end, excluded.
    pub end: E,
    /// The step; 1 if absent.
    pub step: Option<E>,
}

/// One element of a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Item<E> {
    /// An object or a part of one: a variable, a member, an array section.
    Object(ListItem<E>),
    /// An expression that is evaluated: `num_threads(n)`, `collapse(2)`, `depend(sink: i - 1)`.
    Value(E),
    /// A value with its keyword, of OpenACC: `gang(num: 4)`, `gang(static: *)` (`None` is `*`), `vector(length: 32)`.
    Named {
        /// The keyword.
        name: String,
        /// The value; `None` is `*`.
        value: Option<E>,
    },
    /// A keyword, a name that is no expression, or `*`: `default(none)`, `schedule(static, 4)`, `critical(name)`, `tile(*, 4)`.
    Word(String),
    /// Not taken apart: the text with white space made single.
    Raw(String),
}

/// A list item: `base` followed by subscripts, the last of which are array sections.
///
/// All subscripts at the end of the item are taken off the base: `a[i][0:n]` has the base `a`, `s->p[0:n]` the base
/// `s->p`, `s.t[3].p[0:n]` the base `s.t[3].p`. An item that cannot be cut so (`*p[0:n]`, `a[0:n].x`) is [`Item::Raw`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ListItem<E> {
    /// Dimensions of an array-shaping operator, `([n][m]p)[0:n][0:m]`; empty without it.
    pub shape: Vec<E>,
    /// The lvalue expression before the subscripts (a function name in `declare target(f)`).
    pub base: E,
    /// The subscripts, outermost first.
    pub subscripts: Vec<Subscript<E>>,
}

/// One subscript of a list item.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Subscript<E> {
    /// `[i]`
    Index(E),
    /// `[lower : length : stride]`, in elements; `[:]` has none of them.
    Section {
        /// First element; 0 if absent.
        lower: Option<E>,
        /// Number of elements (of OpenMP and OpenACC in C alike, not the end); if absent, up to the end of the declared dimension.
        length: Option<E>,
        /// Distance between elements; 1 if absent.
        stride: Option<E>,
    },
}

/// An expression as the parser finds it: its exact bytes, and the same without line continuations and comments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Text {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset past the last byte.
    pub end: u32,
    /// The text; continuations are removed, comments are one space.
    pub text: String,
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl<E> Arguments<E> {
    /// Only items.
    pub fn items(items: Vec<Item<E>>) -> Arguments<E> {
        Arguments {
            modifiers: Vec::new(),
            items,
            trailing: Vec::new(),
        }
    }
}

impl<E> ListItem<E> {
    /// The whole object.
    pub fn whole(base: E) -> ListItem<E> {
        ListItem {
            shape: Vec::new(),
            base,
            subscripts: Vec::new(),
        }
    }

    /// `base[lower : length]`
    pub fn section(base: E, lower: E, length: E) -> ListItem<E> {
        ListItem::whole(base).dimension(lower, length)
    }

    /// The item with one more subscript `[lower : length]`.
    pub fn dimension(mut self, lower: E, length: E) -> ListItem<E> {
        self.subscripts.push(Subscript::Section {
            lower: Some(lower),
            length: Some(length),
            stride: None,
        });
        self
    }

    /// The item with one more subscript `[index]`.
    pub fn index(mut self, index: E) -> ListItem<E> {
        self.subscripts.push(Subscript::Index(index));
        self
    }
}

impl<E> Clause<E> {
    /// A clause without parentheses.
    pub fn bare(name: &str) -> Clause<E> {
        Clause {
            name: name.to_owned(),
            arguments: None,
            place: None,
        }
    }

    /// A clause with items only.
    pub fn with(name: &str, items: Vec<Item<E>>) -> Clause<E> {
        Clause {
            name: name.to_owned(),
            arguments: Some(Arguments::items(items)),
            place: None,
        }
    }

    /// The modifiers; none without parentheses.
    pub fn modifiers(&self) -> &[Modifier<E>] {
        self.arguments.as_ref().map_or(&[], |a| &a.modifiers)
    }

    /// The items; none without parentheses.
    pub fn items(&self) -> &[Item<E>] {
        self.arguments.as_ref().map_or(&[], |a| &a.items)
    }

    /// True if this keyword is among the modifiers.
    pub fn has_modifier(&self, word: &str) -> bool {
        self.modifiers()
            .iter()
            .any(|m| matches!(m, Modifier::Word(w) if w == word))
    }
}

impl<E> Directive<E> {
    /// A directive without clauses. The name must be a canonical one.
    pub fn new(language: Language, name: &str) -> Directive<E> {
        Directive {
            language,
            name: name.to_owned(),
            arguments: None,
            clauses: Vec::new(),
        }
    }

    /// The clauses with this canonical name.
    pub fn clauses_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Clause<E>> {
        self.clauses.iter().filter(move |c| c.name == name)
    }

    /// True if the clause occurs.
    pub fn has_clause(&self, name: &str) -> bool {
        self.clauses_named(name).next().is_some()
    }

    /// The same directive with no clause place, to compare what two directives say.
    pub fn without_places(mut self) -> Directive<E> {
        for clause in &mut self.clauses {
            clause.place = None;
        }
        self
    }
}
