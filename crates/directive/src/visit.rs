//! Which expressions does a directive hold, in which role, and how do they become others?

use crate::{Arguments, Clause, Directive, Item, IteratorSpecifier, ListItem, Modifier, Subscript};
use std::convert::Infallible;

/// What an expression is in its directive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Role {
    /// The object of a list item: an lvalue (or a function in a declaration), not evaluated as a whole.
    Base,
    /// A dimension of an array-shaping operator.
    Shape,
    /// A subscript.
    Index,
    /// The first element of an array section.
    Lower,
    /// The number of elements of an array section.
    Length,
    /// The stride of an array section.
    Stride,
    /// A value of the clause.
    Value,
    /// A value of a modifier.
    Modifier,
    /// The begin, end or step of an iterator.
    Iterator,
}

/// Where an expression is in its directive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// Index of the clause; `None` in the arguments of the directive itself.
    pub clause: Option<usize>,
    /// Index of the item in its clause; `None` in a modifier.
    pub item: Option<usize>,
    /// What it is.
    pub role: Role,
}

impl<E> Directive<E> {
    /// Calls `visit` for every expression in the order of the text.
    pub fn for_each_expression<'a>(&'a self, mut visit: impl FnMut(&'a E, Site)) {
        let taken: Result<Directive<()>, Infallible> = self.try_map_expressions(|e, site| {
            visit(e, site);
            Ok(())
        });
        match taken {
            Ok(_) => {}
            Err(never) => match never {},
        }
    }

    /// All expressions in the order of the text.
    pub fn expressions(&self) -> Vec<(&E, Site)> {
        let mut all = Vec::new();
        self.for_each_expression(|e, site| all.push((e, site)));
        all
    }

    /// The same directive with other expressions.
    pub fn map_expressions<'a, F>(&'a self, mut map: impl FnMut(&'a E, Site) -> F) -> Directive<F> {
        let mapped: Result<_, Infallible> = self.try_map_expressions(|e, site| Ok(map(e, site)));
        match mapped {
            Ok(directive) => directive,
            Err(never) => match never {},
        }
    }

    /// The same directive with other expressions, or the first error.
    ///
    /// # Errors
    /// The first one of `map`.
    pub fn try_map_expressions<'a, F, X>(
        &'a self,
        mut map: impl FnMut(&'a E, Site) -> Result<F, X>,
    ) -> Result<Directive<F>, X> {
        let arguments = match &self.arguments {
            Some(arguments) => Some(map_arguments(arguments, None, &mut map)?),
            None => None,
        };
        let mut clauses = Vec::with_capacity(self.clauses.len());
        for (number, clause) in self.clauses.iter().enumerate() {
            let arguments = match &clause.arguments {
                Some(arguments) => Some(map_arguments(arguments, Some(number), &mut map)?),
                None => None,
            };
            clauses.push(Clause {
                name: clause.name.clone(),
                arguments,
                place: clause.place,
            });
        }
        Ok(Directive {
            language: self.language,
            name: self.name.clone(),
            arguments,
            clauses,
        })
    }
}

fn map_arguments<'a, E, F, X>(
    arguments: &'a Arguments<E>,
    clause: Option<usize>,
    map: &mut impl FnMut(&'a E, Site) -> Result<F, X>,
) -> Result<Arguments<F>, X> {
    let mut modifiers = Vec::with_capacity(arguments.modifiers.len());
    for modifier in &arguments.modifiers {
        modifiers.push(map_modifier(modifier, clause, map)?);
    }
    let mut items = Vec::with_capacity(arguments.items.len());
    for (number, item) in arguments.items.iter().enumerate() {
        let mut at = |e, role| {
            map(
                e,
                Site {
                    clause,
                    item: Some(number),
                    role,
                },
            )
        };
        items.push(match item {
            Item::Object(object) => Item::Object(map_object(object, &mut at)?),
            Item::Value(e) => Item::Value(at(e, Role::Value)?),
            Item::Named { name, value } => {
                let value = value.as_ref().map(|e| at(e, Role::Value)).transpose()?;
                Item::Named {
                    name: name.clone(),
                    value,
                }
            }
            Item::Word(word) => Item::Word(word.clone()),
            Item::Raw(text) => Item::Raw(text.clone()),
        });
    }
    let mut trailing = Vec::with_capacity(arguments.trailing.len());
    for modifier in &arguments.trailing {
        trailing.push(map_modifier(modifier, clause, map)?);
    }
    Ok(Arguments {
        modifiers,
        items,
        trailing,
    })
}

fn map_modifier<'a, E, F, X>(
    modifier: &'a Modifier<E>,
    clause: Option<usize>,
    map: &mut impl FnMut(&'a E, Site) -> Result<F, X>,
) -> Result<Modifier<F>, X> {
    let mut at = |e, role| {
        map(
            e,
            Site {
                clause,
                item: None,
                role,
            },
        )
    };
    Ok(match modifier {
        Modifier::Word(word) => Modifier::Word(word.clone()),
        Modifier::Named { name, value } => Modifier::Named {
            name: name.clone(),
            value: at(value, Role::Modifier)?,
        },
        Modifier::Mapper(name) => Modifier::Mapper(name.clone()),
        Modifier::Iterator(iterators) => {
            let mut mapped = Vec::with_capacity(iterators.len());
            for iterator in iterators {
                mapped.push(IteratorSpecifier {
                    type_name: iterator.type_name.clone(),
                    name: iterator.name.clone(),
                    begin: at(&iterator.begin, Role::Iterator)?,
                    end: at(&iterator.end, Role::Iterator)?,
                    step: iterator
                        .step
                        .as_ref()
                        .map(|step| at(step, Role::Iterator))
                        .transpose()?,
                });
            }
            Modifier::Iterator(mapped)
        }
        Modifier::Value(e) => Modifier::Value(at(e, Role::Modifier)?),
        Modifier::Raw(text) => Modifier::Raw(text.clone()),
    })
}

fn map_object<'a, E, F, X>(
    object: &'a ListItem<E>,
    at: &mut impl FnMut(&'a E, Role) -> Result<F, X>,
) -> Result<ListItem<F>, X> {
    let shape = object
        .shape
        .iter()
        .map(|e| at(e, Role::Shape))
        .collect::<Result<_, X>>()?;
    let base = at(&object.base, Role::Base)?;
    let mut subscripts = Vec::with_capacity(object.subscripts.len());
    for subscript in &object.subscripts {
        subscripts.push(match subscript {
            Subscript::Index(e) => Subscript::Index(at(e, Role::Index)?),
            Subscript::Section {
                lower,
                length,
                stride,
            } => Subscript::Section {
                lower: lower.as_ref().map(|e| at(e, Role::Lower)).transpose()?,
                length: length.as_ref().map(|e| at(e, Role::Length)).transpose()?,
                stride: stride.as_ref().map(|e| at(e, Role::Stride)).transpose()?,
            },
        });
    }
    Ok(ListItem {
        shape,
        base,
        subscripts,
    })
}
