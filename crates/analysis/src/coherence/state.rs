//! What is known of all objects at one point of the program.
//!
//! Paths share what they have in common: an object is copied when something happens to it on one of them.

use super::copies::Ways;
use super::object::Object;
use ferry_symbolic::Symbol;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

/// The objects that something is known of.
#[derive(Clone, Default)]
pub struct State(BTreeMap<Symbol, Rc<Object>>);

impl State {
    pub fn new() -> State {
        State::default()
    }

    pub fn get(&self, root: &Symbol) -> Option<&Object> {
        self.0.get(root).map(Rc::as_ref)
    }

    /// An object that something happens to.
    pub fn get_mut(&mut self, root: &Symbol) -> Option<&mut Object> {
        self.0.get_mut(root).map(Rc::make_mut)
    }

    /// An object that is looked at; `first` is what is known of one that nothing has touched yet.
    pub fn seen(&mut self, root: Symbol, first: impl FnOnce() -> Object) -> &Object {
        self.shared(root, first)
    }

    /// An object that something happens to; `first` is what is known of one that nothing has touched yet.
    pub fn touched(&mut self, root: Symbol, first: impl FnOnce() -> Object) -> &mut Object {
        Rc::make_mut(self.shared(root, first))
    }

    fn shared(&mut self, root: Symbol, first: impl FnOnce() -> Object) -> &mut Rc<Object> {
        match self.0.entry(root) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(Rc::new(first())),
        }
    }

    pub fn insert(&mut self, root: Symbol, object: Object) {
        self.0.insert(root, Rc::new(object));
    }

    pub fn remove(&mut self, root: &Symbol) -> Option<Object> {
        self.0.remove(root).map(Rc::unwrap_or_clone)
    }

    pub fn roots(&self) -> impl Iterator<Item = Symbol> {
        self.0.keys().copied()
    }

    pub fn into_objects(self) -> impl Iterator<Item = (Symbol, Object)> {
        let objects = self.0.into_iter();
        objects.map(|(root, object)| (root, Rc::unwrap_or_clone(object)))
    }

    /// Something happens to the objects for which it holds.
    pub fn change(
        &mut self,
        holds: impl Fn(Symbol, &Object) -> bool,
        mut how: impl FnMut(Symbol, &mut Object),
    ) {
        for (root, object) in &mut self.0 {
            if holds(*root, object) {
                how(*root, Rc::make_mut(object));
            }
        }
    }

    /// Something happens to all of them.
    pub fn change_all(&mut self, mut how: impl FnMut(&mut Object)) {
        self.change(|_, _| true, |_, object| how(object));
    }

    /// What may be so where two paths meet; `first` is what is known of an object that nothing has touched yet.
    pub fn meet(self, mut other: State, ways: Ways<'_>, first: impl Fn(Symbol) -> Object) -> State {
        let mut met = BTreeMap::new();
        for (root, object) in self.0 {
            let both = match other.0.remove(&root) {
                // Nothing has happened to it on either path.
                Some(same) if Rc::ptr_eq(&same, &object) => object,
                Some(other) => Rc::new(Rc::unwrap_or_clone(object).meet(Rc::unwrap_or_clone(other), ways)),
                None => Rc::new(Rc::unwrap_or_clone(object).meet(first(root), ways)),
            };
            met.insert(root, both);
        }
        for (root, object) in other.0 {
            met.insert(root, Rc::new(first(root).meet(Rc::unwrap_or_clone(object), ways)));
        }
        State(met)
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let same = |(root, object): (&Symbol, &Rc<Object>)| {
            let theirs = other.0.get(root);
            theirs.is_some_and(|theirs| Rc::ptr_eq(object, theirs) || object == theirs)
        };
        self.0.len() == other.0.len() && self.0.iter().all(same)
    }
}
