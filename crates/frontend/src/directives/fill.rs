//! From a directive whose expressions are text to one whose expressions are something else: which expressions are
//! there, in which order, and what stands where one has no meaning that we know.
//!
//! An item or modifier with such an expression becomes raw text, which its readers must treat as unknown.

use ferry_directive::{
    Arguments, Clause, Directive, Item, IteratorSpecifier, ListItem, Modifier, Subscript, Text,
};

/// Gives the new expression for each text, in the order of the text; `None` if there is none.
pub type Fill<'a, E> = dyn FnMut(&Text) -> Option<E> + 'a;

/// Locators that OpenMP reserves: no compiler's header declares them.
const RESERVED: [&str; 2] = ["omp_all_memory", "omp_cur_iteration"];

fn is_reserved(text: &Text) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.text
        .split(|c| !is_word(c))
        .any(|word| RESERVED.contains(&word))
}

/// The directive with its expressions replaced. Expressions of a clause with an `iterator` are not asked for: its
/// variables are declared nowhere, so the clause's items are raw.
pub fn fill<E>(directive: &Directive<Text>, f: &mut Fill<E>) -> Directive<E> {
    let f: &mut Fill<E> = &mut |text: &Text| if is_reserved(text) { None } else { f(text) };
    Directive {
        language: directive.language,
        name: directive.name.clone(),
        arguments: directive.arguments.as_ref().map(|a| arguments(a, f)),
        clauses: directive
            .clauses
            .iter()
            .map(|clause| Clause {
                name: clause.name.clone(),
                arguments: clause.arguments.as_ref().map(|a| arguments(a, f)),
                place: clause.place,
            })
            .collect(),
    }
}

/// The expressions that [`fill`] asks for, in its order.
pub fn expressions(directive: &Directive<Text>) -> Vec<Text> {
    let mut all = Vec::new();
    fill(directive, &mut |text| {
        all.push(text.clone());
        Some(())
    });
    all
}

/// The same directive with no expression understood.
pub fn raw<E>(directive: &Directive<Text>) -> Directive<E> {
    fill(directive, &mut |_| None)
}

fn arguments<E>(of: &Arguments<Text>, f: &mut Fill<E>) -> Arguments<E> {
    let iterates = of.modifiers.iter().any(|m| matches!(m, Modifier::Iterator(_)));
    let nothing: &mut Fill<E> = &mut |_| None;
    let f = if iterates { nothing } else { f };
    Arguments {
        modifiers: of.modifiers.iter().map(|m| modifier(m, f)).collect(),
        items: of.items.iter().map(|i| item(i, f)).collect(),
        trailing: of.trailing.iter().map(|m| modifier(m, f)).collect(),
    }
}

fn modifier<E>(of: &Modifier<Text>, f: &mut Fill<E>) -> Modifier<E> {
    let raw = || Modifier::Raw(modifier_text(of));
    match of {
        Modifier::Word(word) => Modifier::Word(word.clone()),
        Modifier::Mapper(name) => Modifier::Mapper(name.clone()),
        Modifier::Raw(text) => Modifier::Raw(text.clone()),
        Modifier::Named { name, value } => match f(value) {
            Some(value) => Modifier::Named {
                name: name.clone(),
                value,
            },
            None => raw(),
        },
        Modifier::Value(value) => f(value).map_or_else(raw, Modifier::Value),
        Modifier::Iterator(specifiers) => {
            let mut all = Vec::with_capacity(specifiers.len());
            for specifier in specifiers {
                let (begin, end) = (f(&specifier.begin), f(&specifier.end));
                let step = specifier.step.as_ref().map(&mut *f);
                let (Some(begin), Some(end)) = (begin, end) else {
                    return raw();
                };
                let step = match step {
                    None => None,
                    Some(Some(step)) => Some(step),
                    Some(None) => return raw(),
                };
                let (type_name, name) = (specifier.type_name.clone(), specifier.name.clone());
                all.push(IteratorSpecifier {
                    type_name,
                    name,
                    begin,
                    end,
                    step,
                });
            }
            Modifier::Iterator(all)
        }
    }
}

fn item<E>(of: &Item<Text>, f: &mut Fill<E>) -> Item<E> {
    let raw = || Item::Raw(item_text(of));
    match of {
        Item::Object(object) => list_item(object, f).map_or_else(raw, Item::Object),
        Item::Value(value) => f(value).map_or_else(raw, Item::Value),
        Item::Named { name, value: None } => Item::Named {
            name: name.clone(),
            value: None,
        },
        Item::Named {
            name,
            value: Some(value),
        } => match f(value) {
            Some(value) => Item::Named {
                name: name.clone(),
                value: Some(value),
            },
            None => raw(),
        },
        Item::Word(word) => Item::Word(word.clone()),
        Item::Raw(text) => Item::Raw(text.clone()),
    }
}

/// Asks for every expression of the item, also after one that has no meaning, so that the order stays.
fn list_item<E>(of: &ListItem<Text>, f: &mut Fill<E>) -> Option<ListItem<E>> {
    let shape: Vec<Option<E>> = of.shape.iter().map(&mut *f).collect();
    let base = f(&of.base);
    let mut part = |text: &Option<Text>| match text {
        None => Some(None),
        Some(text) => f(text).map(Some),
    };
    let subscripts: Vec<Option<Subscript<E>>> = of
        .subscripts
        .iter()
        .map(|subscript| match subscript {
            Subscript::Index(index) => part(&Some(index.clone()))?.map(Subscript::Index),
            Subscript::Section {
                lower,
                length,
                stride,
            } => {
                let (lower, length, stride) = (part(lower), part(length), part(stride));
                Some(Subscript::Section {
                    lower: lower?,
                    length: length?,
                    stride: stride?,
                })
            }
        })
        .collect();
    Some(ListItem {
        shape: shape.into_iter().collect::<Option<_>>()?,
        base: base?,
        subscripts: subscripts.into_iter().collect::<Option<_>>()?,
    })
}

fn modifier_text(of: &Modifier<Text>) -> String {
    match of {
        Modifier::Word(text) | Modifier::Raw(text) => text.clone(),
        Modifier::Mapper(name) => format!("mapper({name})"),
        Modifier::Named { name, value } => format!("{name}({value})"),
        Modifier::Value(value) => value.text.clone(),
        Modifier::Iterator(specifiers) => {
            let one = |s: &IteratorSpecifier<Text>| {
                let ty = s
                    .type_name
                    .as_ref()
                    .map(|ty| format!("{ty} "))
                    .unwrap_or_default();
                let step = s.step.as_ref().map(|step| format!(":{step}")).unwrap_or_default();
                format!("{ty}{} = {}:{}{step}", s.name, s.begin, s.end)
            };
            format!(
                "iterator({})",
                specifiers.iter().map(one).collect::<Vec<_>>().join(", ")
            )
        }
    }
}

fn item_text(of: &Item<Text>) -> String {
    match of {
        Item::Word(text) | Item::Raw(text) => text.clone(),
        Item::Value(value) => value.text.clone(),
        Item::Named { name, value } => {
            format!(
                "{name}: {}",
                value.as_ref().map_or("*", |value| value.text.as_str())
            )
        }
        Item::Object(object) => {
            let mut text = String::new();
            if object.shape.is_empty() {
                text.push_str(&object.base.text);
            } else {
                let shape: String = object.shape.iter().map(|extent| format!("[{extent}]")).collect();
                text.push_str(&format!("({shape}{})", object.base));
            }
            for subscript in &object.subscripts {
                let part =
                    |text: &Option<Text>| text.as_ref().map_or("", |text| text.text.as_str()).to_owned();
                text.push_str(&match subscript {
                    Subscript::Index(index) => format!("[{index}]"),
                    Subscript::Section {
                        lower,
                        length,
                        stride: None,
                    } => {
                        format!("[{}:{}]", part(lower), part(length))
                    }
                    Subscript::Section {
                        lower,
                        length,
                        stride,
                    } => {
                        format!("[{}:{}:{}]", part(lower), part(length), part(stride))
                    }
                });
            }
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferry_directive::Language;

    fn text(text: &str) -> Text {
        Text {
            start: 0,
            end: text.len() as u32,
            text: text.to_owned(),
        }
    }

    fn example() -> Directive<Text> {
        let mut directive = Directive::new(Language::OpenMp, "target");
        let section = ListItem::whole(text("a"))
            .index(text("i"))
            .dimension(text("0"), text("n"));
        let mut map = Clause::with(
            "map",
            vec![Item::Object(section), Item::Object(ListItem::whole(text("b")))],
        );
        if let Some(arguments) = &mut map.arguments {
            arguments.modifiers.push(Modifier::Word("to".into()));
        }
        directive.clauses.push(map);
        directive
            .clauses
            .push(Clause::with("device", vec![Item::Value(text("d"))]));
        directive
    }

    #[test]
    fn expressions_come_in_order() {
        let all: Vec<String> = expressions(&example()).into_iter().map(|t| t.text).collect();
        assert_eq!(all, ["a", "i", "0", "n", "b", "d"]);
    }

    #[test]
    fn an_unknown_expression_makes_its_item_raw_and_leaves_the_others() {
        let mut number = 0;
        let filled = fill(&example(), &mut |t| {
            number += 1;
            (t.text != "i").then_some(number)
        });
        assert_eq!(
            filled.clauses[0].items(),
            [Item::Raw("a[i][0:n]".into()), Item::Object(ListItem::whole(5))]
        );
        assert_eq!(filled.clauses[1].items(), [Item::Value(6)]);
        assert!(filled.clauses[0].has_modifier("to"));
        assert_eq!(raw::<()>(&example()).clauses[1].items(), [Item::Raw("d".into())]);
    }

    #[test]
    fn reserved_locators_are_no_expressions() {
        let value = Item::Value(text("omp_cur_iteration - 1"));
        let mut directive = example();
        directive
            .clauses
            .push(Clause::with("doacross", vec![value, Item::Value(text("i"))]));
        assert_eq!(expressions(&directive).len(), 7);
        let filled = fill(&directive, &mut |_| Some(()));
        assert_eq!(
            filled.clauses[2].items(),
            [Item::Raw("omp_cur_iteration - 1".into()), Item::Value(())]
        );
    }

    #[test]
    fn iterators_are_declared_nowhere() {
        let mut directive = example();
        if let Some(arguments) = &mut directive.clauses[0].arguments {
            arguments
                .modifiers
                .push(Modifier::Iterator(vec![IteratorSpecifier {
                    type_name: None,
                    name: "i".into(),
                    begin: text("0"),
                    end: text("n"),
                    step: None,
                }]));
        }
        let all: Vec<String> = expressions(&directive).into_iter().map(|t| t.text).collect();
        assert_eq!(all, ["d"]);
        let raw = raw::<()>(&directive);
        assert_eq!(
            raw.clauses[0].modifiers()[1],
            Modifier::Raw("iterator(i = 0:n)".into())
        );
    }
}
