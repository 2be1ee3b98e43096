//! Where does an access go whose pointer is one of several?
//!
//! `p = c ? a : b`, or `if (c) p = a; else p = b;`: the value is one symbol, as that of every variable of which two paths do not agree, and what the two values
//! are is kept (Juravle §5.1, conditional pointers). An access through it becomes one access for each pointer, with its own root, under the condition on
//! which it is made: whoever asks which storage is touched, where and when (dependences, regions, sections, requests) sees accesses as those in the branches of
//! an `if`. Alternatives that what is known excludes are left out, and so is the null pointer, through which nothing is accessed; one that is left alone is no
//! alternative any more.
//!
//! What it cannot do: more than four pointers, pointers that were chosen in an earlier iteration, and pointers of which one is not known: such
//! accesses stay as they are, through a pointer of which it is not known where it leads. Whole programs with their directives (`check`) are walked without
//! alternatives, as what clauses name is not taken apart.

use super::Walker;
use super::place::Target;
use crate::access::{Access, AccessKind, Choice, Guard, Subscript};
use crate::quotient::exact_quotient;
use crate::state::State;
use ferry_ir::{Place, TypeId};
use ferry_source::Origin;
use ferry_symbolic::{Atom, Condition, Expr, Facts, Operation, Symbol};
use std::rc::Rc;

/// Most alternatives of one access.
const MOST: usize = 4;

/// A pointer that is one of two.
#[derive(Clone, Debug)]
pub(crate) struct OneOfTwo {
    /// Holds exactly where it is the first, if that is known.
    pub condition: Option<Condition>,
    /// The two.
    pub values: [Expr; 2],
}

/// One of the places to which an access may go.
#[derive(Clone)]
pub(crate) struct Alternative {
    pub root: Symbol,
    pub address: Expr,
    /// What the pointer is there, less its root, in bytes.
    shift: Expr,
    facts: Facts,
    /// Holds wherever the access goes there.
    condition: Condition,
    /// It goes there wherever the condition holds, too.
    exact: bool,
    /// The pointers that were one of several.
    through: Vec<Symbol>,
}

impl Walker<'_> {
    /// A value that is one of two, the first where the condition holds, if there is one.
    pub fn one_of(
        &mut self,
        condition: Option<&Condition>,
        values: [&Expr; 2],
        ty: TypeId,
        state: &mut State,
        at: Origin,
    ) -> Expr {
        let [one, two] = values;
        if let (Some(condition), Some(distance)) = (condition, (one - two).as_constant()) {
            return two + &Expr::select(condition, &Expr::constant(distance), &Expr::zero());
        }
        let chosen = self.either(one, two, ty, state, at);
        let Some(symbol) = chosen.as_symbol() else {
            return chosen;
        };
        if let Some(condition) = condition {
            self.definitions.insert(symbol, Expr::select(condition, one, two));
        }
        if self.unit.types.pointee(ty).is_some() {
            let condition = condition.cloned();
            let values = [one.clone(), two.clone()];
            self.choices.insert(symbol, OneOfTwo { condition, values });
        }
        chosen
    }

    /// The places to which an access may go whose pointer is one of several, each known by its root; `None` where there is no choice, or one is not known.
    pub fn alternatives(&self, target: &Target, state: &State) -> Option<Vec<Alternative>> {
        if self.with_directives {
            return None;
        }
        let (root, address) = (target.root?, target.address.as_ref()?);
        self.cases_of(root)?;
        let mut open = vec![Alternative {
            root,
            address: address.clone(),
            shift: Expr::zero(),
            facts: state.facts.clone(),
            condition: Condition::always(),
            exact: true,
            through: Vec::new(),
        }];
        let mut found: Vec<Alternative> = Vec::new();
        while let Some(one) = open.pop() {
            if found.len() + open.len() >= MOST {
                return None;
            }
            let Some(cases) = self.cases_of(one.root) else {
                found.push(one);
                continue;
            };
            let through: Vec<Symbol> = one.through.iter().copied().chain([one.root]).collect();
            // What comes first is taken first.
            for (condition, value) in cases.into_iter().rev() {
                if value.is_zero() {
                    continue;
                }
                let root = self.root(&value)?;
                let mut next = Alternative {
                    root,
                    address: one.address.substitute(one.root, &value),
                    shift: &one.shift + &(&value - &Expr::symbol(root)),
                    exact: one.exact && condition.is_some(),
                    through: through.clone(),
                    ..one.clone()
                };
                if let Some(condition) = condition {
                    next.facts.assume(&condition);
                    next.condition = next.condition.and(&condition);
                    if next.facts.infeasible() {
                        continue;
                    }
                }
                if next.address.is_oversize() || next.condition.is_oversize() || !self.is_of_now(&next) {
                    return None;
                }
                open.push(next);
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// What a pointer may be, each with the condition on which it is that, if known; `None` for one that is itself.
    fn cases_of(&self, root: Symbol) -> Option<Vec<(Option<Condition>, Expr)>> {
        // What is returned from several places has its definition from the call.
        if let Some(definition) = self.definitions.get(&root)
            && let Some(Operation::Guarded(cases)) = definition.as_atom().and_then(Atom::operation)
        {
            let known = cases
                .iter()
                .map(|(condition, value)| (Some(condition.clone()), value.clone()));
            return Some(known.collect());
        }
        let OneOfTwo { condition, values } = self.choices.get(&root)?;
        let [one, two] = values.clone();
        let opposite = condition.as_ref().map(Condition::not);
        Some(vec![(condition.clone(), one), (opposite, two)])
    }

    /// True if nothing in it belongs to an iteration of a loop that has ended.
    fn is_of_now(&self, one: &Alternative) -> bool {
        let mut symbols = one.address.symbols();
        symbols.extend(one.condition.symbols());
        symbols.into_iter().all(|symbol| {
            let mut loops = self.symbols.info(symbol).loops.iter();
            loops.all(|of| self.frames.iter().any(|frame| frame.stmt == *of))
        })
    }

    /// Records an access as its alternatives.
    pub fn record_alternatives(
        &mut self,
        kind: AccessKind,
        place: &Place,
        target: &Target,
        size: u64,
        state: &State,
        mut all: Vec<Alternative>,
    ) {
        let several = all.len() > 1;
        all.retain(|one| !self.is_callee_variable(Some(one.root)));
        let of = all.len();
        for (number, one) in all.into_iter().enumerate() {
            self.order += 1;
            let access = self.access(kind, place, target, size, state);
            let through = one.through;
            let mut access = Access {
                root: Some(one.root),
                subscripts: shifted(&access.subscripts, &one.shift),
                address: Some(one.address),
                facts: one.facts,
                choice: Some(Rc::new(Choice { number, of, through })),
                extent: state.extents.get(&one.root).cloned(),
                ..access
            };
            if several {
                access.conditional_depth = self.frames.len();
                access.guards.push(Guard {
                    condition: (!one.condition.is_always()).then_some(one.condition),
                    exact: one.exact,
                    loops: self.frames.len(),
                    point: Some(self.points),
                });
                self.points = self.points.saturating_add(1);
            }
            self.accesses.push(access);
        }
    }
}

/// The subscripts, the first counted from a root that lies so many bytes before the pointer.
fn shifted(subscripts: &[Subscript], shift: &Expr) -> Vec<Subscript> {
    let mut subscripts = subscripts.to_vec();
    if let Some(first) = subscripts.first_mut() {
        let elements = first
            .stride
            .as_ref()
            .and_then(|stride| exact_quotient(shift, stride));
        first.index = first
            .index
            .as_ref()
            .zip(elements)
            .map(|(index, elements)| index + &elements);
    }
    subscripts
}
