//! Tests that what is printed reads back as the same directive, for every directive and clause of the table.

use crate::table::{After, Items, Parentheses, Syntax, clause_syntax, directive_names, specification};
use crate::{
    Arguments, Clause, Dialect, Directive, Item, IteratorSpecifier, Language, Layout, ListItem, Modifier,
    Subscript, Version, parse,
};
use proptest::prelude::*;

/// Choices, so that proptest can make them fewer and smaller.
struct Choices(std::vec::IntoIter<u16>);

const EXPRESSIONS: &[&str] = &[
    "n",
    "2 * i + 1",
    "a ? b : c",
    "f(x, y)",
    "(int)(n / 2)",
    "s->n",
    "sizeof(int[3])",
    "m[i][j]",
    "'('",
    "':' + ','",
    "c ? d ? 1 : 2 : 3",
    "-1",
    "(x, y)",
];
const BASES: &[&str] = &["a", "s->p", "s.t[3].q", "(*p)", "x[f(1, 2)].y", "(s + 1)->p", "a"];

impl Choices {
    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.0.next().unwrap_or(0)) % limit.max(1)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn word(&mut self, words: &str) -> String {
        let words: Vec<&str> = words.split_whitespace().collect();
        self.one(&words).to_owned()
    }

    fn expression(&mut self) -> String {
        self.one(EXPRESSIONS).to_owned()
    }

    fn some_expression(&mut self) -> Option<String> {
        (self.below(3) > 0).then(|| self.expression())
    }

    fn object(&mut self) -> Item<String> {
        let shape: Vec<String> = (0..self.below(4) / 3).map(|_| self.expression()).collect();
        let base = self.one(BASES).to_owned();
        let mut subscripts = Vec::new();
        for _ in 0..self.below(4) {
            subscripts.push(match self.below(3) {
                0 => Subscript::Index(self.expression()),
                1 => Subscript::Section {
                    lower: self.some_expression(),
                    length: self.some_expression(),
                    stride: None,
                },
                _ => Subscript::Section {
                    lower: self.some_expression(),
                    length: self.some_expression(),
                    stride: Some(self.expression()),
                },
            });
        }
        Item::Object(ListItem {
            shape,
            base,
            subscripts,
        })
    }

    fn value(&mut self) -> Item<String> {
        Item::Value(self.expression())
    }

    fn keyword(&mut self, words: &str) -> Item<String> {
        match words {
            "" => Item::Word(self.one(&["name", "*", "\"a, b\"", "two words"]).to_owned()),
            words => Item::Word(self.word(words)),
        }
    }

    fn items(&mut self, one: impl Fn(&mut Choices) -> Item<String>) -> Vec<Item<String>> {
        (0..1 + self.below(3)).map(|_| one(self)).collect()
    }

    fn modifiers(&mut self, syntax: &Syntax) -> Vec<Modifier<String>> {
        let before = &syntax.before;
        let mut modifiers = Vec::new();
        for _ in 0..self.below(3) {
            match self.below(5) {
                0 if !before.words.is_empty() => modifiers.push(Modifier::Word(self.word(before.words))),
                1 if !before.named.is_empty() => {
                    modifiers.push(Modifier::Named {
                        name: self.word(before.named),
                        value: self.expression(),
                    });
                }
                2 if before.iterator => {
                    let iterator = |c: &mut Choices| IteratorSpecifier {
                        type_name: (c.below(2) > 0).then(|| "unsigned long".to_owned()),
                        name: "i".to_owned(),
                        begin: c.expression(),
                        end: c.expression(),
                        step: c.some_expression(),
                    };
                    modifiers.push(Modifier::Iterator(
                        (0..1 + self.below(2)).map(|_| iterator(self)).collect(),
                    ));
                }
                3 if before.mapper => modifiers.push(Modifier::Mapper("m".to_owned())),
                4 if !before.raw.is_empty() => {
                    modifiers.push(Modifier::Raw(format!("{}(\"x\", y : z)", self.word(before.raw))));
                }
                _ => {}
            }
        }
        if before.value && modifiers.is_empty() && self.below(2) > 0 {
            modifiers.push(Modifier::Value(self.expression()));
        }
        if before.operator {
            modifiers.push(Modifier::Word(
                self.one(&["+", "-", "&&", "max", "mine"]).to_owned(),
            ));
        }
        modifiers
    }

    fn arguments(&mut self, syntax: &Syntax) -> Arguments<String> {
        let mut arguments = Arguments::items(Vec::new());
        match syntax.after {
            After::Nothing
                if !matches!(syntax.items, Items::WaitList | Items::Unparsed | Items::Named(_)) =>
            {
                arguments.modifiers = self.modifiers(syntax);
            }
            After::Nothing => {}
            After::Word(words) => {
                arguments.trailing = (0..self.below(2))
                    .map(|_| Modifier::Word(self.word(words)))
                    .collect();
            }
            After::Value { words, named } => {
                if !syntax.before.words.is_empty() && self.below(2) > 0 {
                    arguments
                        .modifiers
                        .push(Modifier::Word(self.word(syntax.before.words)));
                }
                arguments.trailing = match self.below(3) {
                    0 => vec![],
                    1 => vec![Modifier::Value(self.expression())],
                    _ if words.is_empty() => vec![],
                    _ => vec![
                        Modifier::Word(self.word(words)),
                        Modifier::Named {
                            name: self.word(named),
                            value: self.expression(),
                        },
                    ],
                };
            }
        }
        arguments.items = match syntax.items {
            Items::Objects => self.items(Choices::object),
            Items::OneObject => vec![self.object()],
            Items::OneValue => vec![self.value()],
            Items::Values => self.items(|c| {
                if c.below(3) == 0 {
                    Item::Word("*".to_owned())
                } else {
                    c.value()
                }
            }),
            Items::Words(words) => self.items(|c| c.keyword(words)),
            Items::WordThenValues(words) => {
                let mut items = vec![self.keyword(words)];
                items.extend((0..self.below(2)).map(|_| self.value()));
                items
            }
            Items::Named(words) => self.items(|c| match c.below(3) {
                0 => c.value(),
                1 => Item::Named {
                    name: c.word(words),
                    value: Some(c.expression()),
                },
                _ => Item::Named {
                    name: c.word(words),
                    value: None,
                },
            }),
            Items::WaitList => {
                if self.below(2) > 0 {
                    let value = self.expression();
                    arguments.modifiers.push(Modifier::Named {
                        name: "devnum".to_owned(),
                        value,
                    });
                }
                if self.below(2) > 0 {
                    arguments.modifiers.push(Modifier::Word("queues".to_owned()));
                }
                self.items(Choices::value)
            }
            Items::Dependence => match arguments.modifiers.last() {
                Some(Modifier::Word(word)) if word == "source" && self.below(2) > 0 => vec![],
                Some(Modifier::Word(word)) if word == "sink" || word == "source" => {
                    self.items(Choices::value)
                }
                None => vec![Item::Word("source".to_owned())],
                Some(_) => self.items(Choices::object),
            },
            Items::Unparsed => vec![Item::Raw("x(1, 2) : y = {z}".to_owned())],
        };
        arguments
    }

    fn optional_arguments(&mut self, syntax: &Syntax) -> Option<Arguments<String>> {
        match syntax.parentheses {
            Parentheses::Forbidden => None,
            Parentheses::Optional if self.below(2) == 0 => None,
            _ => Some(self.arguments(syntax)),
        }
    }

    fn directive(&mut self) -> Directive<String> {
        let language = self.one(&[Language::OpenMp, Language::OpenAcc]);
        let names: Vec<&str> = directive_names(language).collect();
        let mut directive = Directive::new(language, self.one(&names));
        let specification = specification(language, &directive.name).unwrap();
        if let Some(syntax) = specification.argument() {
            directive.arguments = self.optional_arguments(syntax);
        }
        let clauses = specification.clauses(Version::newest(language));
        for _ in 0..self.below(5).min(clauses.len()) {
            let name = self.one(&clauses);
            let syntax = clause_syntax(language, &directive.name, name).unwrap();
            let arguments = self.optional_arguments(&syntax);
            directive.clauses.push(Clause {
                name: name.to_owned(),
                arguments,
                place: None,
            });
        }
        directive
    }
}

fn read_back(text: &str, dialect: Dialect) -> Directive<String> {
    match parse(
        text.trim_start().strip_prefix("#pragma").unwrap().as_bytes(),
        0,
        dialect,
    ) {
        Ok(directive) => directive.without_places().map_expressions(|e, _| e.text.clone()),
        Err(errors) => panic!("{text}: {errors:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn what_is_printed_reads_back(choices in proptest::collection::vec(any::<u16>(), 0..80), width in 0usize..120) {
        let directive = Choices(choices.into_iter()).directive();
        for dialect in [Dialect::C, Dialect::Cplusplus] {
            prop_assert_eq!(&read_back(&directive.to_string(), dialect), &directive, "{}", &directive);
            let layout = Layout { indentation: "\t ", width, line_end: "\r\n" };
            let wrapped = directive.print(&layout, String::clone);
            prop_assert_eq!(&read_back(&wrapped, dialect), &directive, "{}", &wrapped);
        }
    }
}
