//! What does the user say of values at a statement?
//!
//! An assumption becomes facts of the state, in terms of the values that variables have there. What the facts contradict
//! already is kept, to be said. How much storage a pointer leads to is kept for its root: from the function's beginning on for everything that asks for
//! sizes, else for the accesses to which the state comes. Members are looked up in memory as they are there (`s->atoms->r`): what is said holds for the pointer that is found, and ends to hold for
//! the text where the state forgets what is there. A function that is walked where it is called brings no assumptions with it.

use super::Walker;
use crate::promised::Promised;
use crate::state::{Cell, Said, State};
use crate::symbols::SymbolKind;
use crate::word::{Assumption, Named};
use ferry_ir::{LocalId, Place, PlaceBase, StmtId, Type, TypeId, VariableRef};
use ferry_symbolic::{Expr, Symbol};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What is known where an assumption is made, and is not what it says.
const CONTRADICTS: &str = "what is known here contradicts it";

impl<'a> Walker<'a> {
    /// What is said of the beginning of the function.
    pub fn assume_at_entry(&mut self, state: &mut State) {
        // C11 5.1.2.2.1: the number of a program's arguments is not negative.
        if self.function.name == "main"
            && let Some(number) = state.get(VariableRef::Local(LocalId(0))).cloned()
            && self.function.parameters > 0
        {
            state.facts.assume_nonnegative(number);
        }
        if let Some(word) = self.word {
            for assumption in &word.entry {
                self.believe(assumption, state, true);
            }
        }
    }

    /// What is said of the place before a statement.
    pub fn assume_before(&mut self, stmt: StmtId, state: &mut State) {
        let Some(word) = self.word.filter(|_| self.inside.is_empty()) else {
            return;
        };
        for assumption in word.before.get(&stmt).into_iter().flatten() {
            self.believe(assumption, state, false);
        }
        // What is promised is there for what is written before the statement, too.
        if let Some(noted) = self.states.get_mut(&stmt).filter(|_| !state.promised.is_empty()) {
            noted.cells = state.cells.clone();
            noted.promised = state.promised.clone();
        }
    }

    fn believe(&mut self, assumption: &'a Assumption, state: &mut State, at_entry: bool) {
        let conditions = assumption.conditions(&|variable| state.get(variable).cloned());
        for condition in conditions {
            // Where nothing can be, everything is proved.
            if self.recording() && state.facts.prove(&condition.not()) && !state.facts.infeasible() {
                self.contradicted
                    .push((assumption.clone(), CONTRADICTS.to_owned()));
                return;
            }
            state.facts.assume(&condition);
            self.said.insert(assumption.rests.clone());
            self.rests.insert(assumption.rests.clone());
        }
        let mut values: BTreeMap<&str, Expr> = BTreeMap::new();
        for (text, way) in assumption.ways() {
            if let Some(value) = self.value_unseen(way, state) {
                values.insert(text, value);
            }
        }
        for (pointer, length) in assumption.extents(&|text| values.get(text).cloned()) {
            let ty = assumption.ways().get(pointer).and_then(|way| way.last());
            let Some(ty) = ty.map(|named| named.place.ty) else {
                return;
            };
            let storage = self.storage_behind(ty, values.get(pointer), length, state);
            match storage {
                Ok((root, bytes)) => {
                    self.said.insert(assumption.rests.clone());
                    self.rests.insert(assumption.rests.clone());
                    if at_entry {
                        self.extents.entry(root).or_insert(bytes);
                    } else {
                        self.order += 1;
                        let since = self.order;
                        Rc::make_mut(&mut state.extents).insert(root, Said { bytes, since });
                    }
                }
                Err(why) if self.recording() => {
                    self.contradicted.push((assumption.clone(), why));
                    return;
                }
                Err(_) => return,
            }
        }
    }

    /// The value of a variable or a member, without an access of the program's. What is read in memory on the way is promised to be there.
    fn value_unseen(&mut self, way: &[Named], state: &mut State) -> Option<Expr> {
        let PlaceBase::Variable(variable) = way.first()?.place.base else {
            return None;
        };
        let held = state.get(variable).cloned();
        let mut cells: Vec<(Cell, Expr)> = Vec::new();
        let mut last = None;
        for named in way {
            if named
                .place
                .as_variable()
                .is_some_and(|variable| self.tracked(variable))
            {
                last = held.clone();
                continue;
            }
            let first_new = self.symbols.len() as u32;
            let (address, value) = self.looked_up(&named.place, state);
            let (address, value) = (address?, value?);
            let size = self.size_of_place(&named.place);
            let cell = Cell::new(&self.unit.types, address, size, named.place.ty);
            cells.push((cell.clone(), value.clone()));
            if let Some(symbol) = value.as_symbol()
                && matches!(&self.symbols.info(symbol).kind, SymbolKind::Loaded { address, .. } if *address == cell.address)
            {
                Rc::make_mut(&mut state.cells)
                    .entry(cell)
                    .or_insert_with(|| value.clone());
                let promised = Promised {
                    text: named.text.clone(),
                    variable,
                    held: held.clone(),
                    way: cells.clone(),
                    first: symbol.0 >= first_new,
                };
                self.symbols.set_promised(symbol, promised);
                Rc::make_mut(&mut state.promised).insert(symbol);
            }
            last = Some(value);
        }
        last
    }

    /// The address of a place, and what is there.
    fn looked_up(&mut self, place: &Place, state: &mut State) -> (Option<Expr>, Option<Expr>) {
        let before = std::mem::replace(&mut self.unseen, true);
        self.scanning += 1;
        let address = self.place(place, state).address;
        let value = self.read(place, state);
        self.scanning -= 1;
        self.unseen = before;
        (address, value)
    }

    /// The storage that a pointer with this value leads to, and how many bytes it has if it goes on for so many elements.
    fn storage_behind(
        &self,
        pointer: TypeId,
        value: Option<&Expr>,
        length: Option<Expr>,
        state: &State,
    ) -> Result<(Symbol, Expr), String> {
        let types = &self.unit.types;
        let not_known = || "what the pointer leads to is not known here".to_owned();
        let value = value.ok_or_else(not_known)?;
        let length = length.ok_or("the length is not known here")?;
        let Type::Pointer(element) = *types.get(pointer) else {
            return Err(not_known());
        };
        let size = types.size(element).ok_or_else(not_known)?;
        let root = self.root(value).ok_or_else(not_known)?;
        if self.choices.contains_key(&root) {
            return Err("the pointer is one of several here".to_owned());
        }
        let before = value - &Expr::symbol(root);
        let known = self.extents.get(&root);
        // Where it begins decides how lengths are written, which could overflow.
        if !(before.is_zero() || known.is_some() && state.facts.prove_nonnegative(&before)) {
            return Err("the pointer may lead to the middle of its storage here".to_owned());
        }
        let bytes = &before + &(&length * &Expr::int(i128::from(size)));
        let is_longer = known.is_some_and(|known| state.facts.prove_positive(&(&bytes - known)));
        if (is_longer || state.facts.prove_positive(&-&length)) && !state.facts.infeasible() {
            return Err(CONTRADICTS.to_owned());
        }
        Ok((root, bytes))
    }
}
