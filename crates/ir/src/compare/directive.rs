//! Do two directives say the same? Everything counts, in its order, but for the places of the clauses.

use super::{CompareClause, Comparison, Equal};
use crate::Expr;
use ferry_directive::{Arguments, Directive, Item, IteratorSpecifier, ListItem, Modifier, Subscript};

impl Comparison<'_> {
    pub(super) fn directive(
        &mut self,
        a: &Directive<Expr>,
        b: &Directive<Expr>,
        clause: CompareClause<'_>,
    ) -> Equal {
        let same = a.language == b.language && a.name == b.name && a.clauses.len() == b.clauses.len();
        self.demand(same, "different directives")?;
        self.arguments(a.arguments.as_ref(), b.arguments.as_ref(), clause)?;
        for (a, b) in a.clauses.iter().zip(&b.clauses) {
            self.demand(a.name == b.name, "different clauses")?;
            self.arguments(a.arguments.as_ref(), b.arguments.as_ref(), clause)?;
        }
        Ok(())
    }

    fn arguments(
        &mut self,
        a: Option<&Arguments<Expr>>,
        b: Option<&Arguments<Expr>>,
        clause: CompareClause<'_>,
    ) -> Equal {
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (None, None) => return Ok(()),
            _ => return self.differ("a clause with arguments in only one program"),
        };
        self.modifiers(&a.modifiers, &b.modifiers, clause)?;
        self.demand(
            a.items.len() == b.items.len(),
            "a clause with more items in one program",
        )?;
        for (a, b) in a.items.iter().zip(&b.items) {
            self.item(a, b, clause)?;
        }
        self.modifiers(&a.trailing, &b.trailing, clause)
    }

    fn modifiers(&mut self, a: &[Modifier<Expr>], b: &[Modifier<Expr>], clause: CompareClause<'_>) -> Equal {
        self.demand(a.len() == b.len(), "a clause with more modifiers in one program")?;
        for pair in a.iter().zip(b) {
            match pair {
                (
                    Modifier::Named { name, value },
                    Modifier::Named {
                        name: other_name,
                        value: other,
                    },
                ) => {
                    self.demand(name == other_name, "different modifiers")?;
                    clause(self, value, other)?;
                }
                (Modifier::Value(a), Modifier::Value(b)) => clause(self, a, b)?,
                (Modifier::Iterator(a), Modifier::Iterator(b)) => {
                    self.demand(a.len() == b.len(), "different iterators")?;
                    for (a, b) in a.iter().zip(b) {
                        self.iterator(a, b, clause)?;
                    }
                }
                (Modifier::Word(a), Modifier::Word(b))
                | (Modifier::Mapper(a), Modifier::Mapper(b))
                | (Modifier::Raw(a), Modifier::Raw(b)) => self.demand(a == b, "different modifiers")?,
                _ => return self.differ("different modifiers"),
            }
        }
        Ok(())
    }

    fn iterator(
        &mut self,
        a: &IteratorSpecifier<Expr>,
        b: &IteratorSpecifier<Expr>,
        clause: CompareClause<'_>,
    ) -> Equal {
        self.demand(
            a.type_name == b.type_name && a.name == b.name,
            "different iterators",
        )?;
        clause(self, &a.begin, &b.begin)?;
        clause(self, &a.end, &b.end)?;
        self.optional(a.step.as_ref(), b.step.as_ref(), clause)
    }

    fn optional(&mut self, a: Option<&Expr>, b: Option<&Expr>, clause: CompareClause<'_>) -> Equal {
        match (a, b) {
            (Some(a), Some(b)) => clause(self, a, b),
            (None, None) => Ok(()),
            _ => self.differ("an expression of a clause in only one program"),
        }
    }

    fn item(&mut self, a: &Item<Expr>, b: &Item<Expr>, clause: CompareClause<'_>) -> Equal {
        match (a, b) {
            (Item::Object(a), Item::Object(b)) => self.object(a, b, clause),
            (Item::Value(a), Item::Value(b)) => clause(self, a, b),
            (
                Item::Named { name, value },
                Item::Named {
                    name: other_name,
                    value: other,
                },
            ) => {
                self.demand(name == other_name, "different items")?;
                self.optional(value.as_ref(), other.as_ref(), clause)
            }
            (Item::Word(a), Item::Word(b)) | (Item::Raw(a), Item::Raw(b)) => {
                self.demand(a == b, "different items")
            }
            _ => self.differ("different items"),
        }
    }

    fn object(&mut self, a: &ListItem<Expr>, b: &ListItem<Expr>, clause: CompareClause<'_>) -> Equal {
        let same = a.shape.len() == b.shape.len() && a.subscripts.len() == b.subscripts.len();
        self.demand(same, "different sections")?;
        for (a, b) in a.shape.iter().zip(&b.shape) {
            clause(self, a, b)?;
        }
        clause(self, &a.base, &b.base)?;
        for pair in a.subscripts.iter().zip(&b.subscripts) {
            match pair {
                (Subscript::Index(a), Subscript::Index(b)) => clause(self, a, b)?,
                (
                    Subscript::Section {
                        lower: lower_a,
                        length: length_a,
                        stride: stride_a,
                    },
                    Subscript::Section {
                        lower: lower_b,
                        length: length_b,
                        stride: stride_b,
                    },
                ) => {
                    for (a, b) in [(lower_a, lower_b), (length_a, length_b), (stride_a, stride_b)] {
                        self.optional(a.as_ref(), b.as_ref(), clause)?;
                    }
                }
                _ => return self.differ("an element and a section"),
            }
        }
        Ok(())
    }
}
