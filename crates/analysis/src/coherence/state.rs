//! What is known of all objects at one point of the program.
//!
//! Paths share what they have in common: an object is copied when something happens to it on one of them.

use super::copies::Ways;
use super::object::Object;
use ferry_symbolic::Symbol;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The objects that something is known of. Where paths part, nothing is copied before something happens on one of them.
#[derive(Clone, Default)]
pub struct State(Rc<BTreeMap<Symbol, Rc<Object>>>);

impl State {
    pub fn new() -> State {
        State::default()
    }

    pub fn get(&self, root: &Symbol) -> Option<&Object> {
        self.0.get(root).map(Rc::as_ref)
    }

    /// An object that something happens to.
    pub fn get_mut(&mut self, root: &Symbol) -> Option<&mut Object> {
        if !self.0.contains_key(root) {
            return None;
        }
        Rc::make_mut(&mut self.0).get_mut(root).map(Rc::make_mut)
    }

    /// An object that is looked at; `first` is what is known of one that nothing has touched yet.
    pub fn seen(&mut self, root: Symbol, first: impl FnOnce() -> Object) -> &Object {
        if !self.0.contains_key(&root) {
            self.insert(root, first());
        }
        &self.0[&root]
    }

    /// An object that something happens to; `first` is what is known of one that nothing has touched yet.
    pub fn touched(&mut self, root: Symbol, first: impl FnOnce() -> Object) -> &mut Object {
        let objects = Rc::make_mut(&mut self.0);
        Rc::make_mut(objects.entry(root).or_insert_with(|| Rc::new(first())))
    }

    pub fn insert(&mut self, root: Symbol, object: Object) {
        Rc::make_mut(&mut self.0).insert(root, Rc::new(object));
    }

    pub fn remove(&mut self, root: &Symbol) -> Option<Object> {
        if !self.0.contains_key(root) {
            return None;
        }
        Rc::make_mut(&mut self.0).remove(root).map(Rc::unwrap_or_clone)
    }

    pub fn roots(&self) -> impl Iterator<Item = Symbol> {
        self.0.keys().copied()
    }

    pub fn into_objects(self) -> impl Iterator<Item = (Symbol, Object)> {
        let objects = Rc::unwrap_or_clone(self.0).into_iter();
        objects.map(|(root, object)| (root, Rc::unwrap_or_clone(object)))
    }

    /// Something happens to the objects for which it holds.
    pub fn change(
        &mut self,
        holds: impl Fn(Symbol, &Object) -> bool,
        mut how: impl FnMut(Symbol, &mut Object),
    ) {
        if !self.0.iter().any(|(root, object)| holds(*root, object)) {
            return;
        }
        for (root, object) in Rc::make_mut(&mut self.0) {
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
    pub fn meet(self, other: State, ways: Ways<'_>, first: impl Fn(Symbol) -> Object) -> State {
        // Nothing has happened on either path.
        if Rc::ptr_eq(&self.0, &other.0) {
            return self;
        }
        let mut met = Rc::unwrap_or_clone(self.0);
        for (root, object) in &mut met {
            let theirs = match other.0.get(root) {
                // Nothing has happened to it on either path.
                Some(same) if Rc::ptr_eq(same, object) => continue,
                Some(theirs) => theirs.clone(),
                None => Rc::new(first(*root)),
            };
            let own = std::mem::replace(object, theirs.clone());
            *object = Rc::new(Rc::unwrap_or_clone(own).meet(Object::clone(&theirs), ways));
        }
        for (root, object) in other.0.iter() {
            met.entry(*root)
                .or_insert_with(|| Rc::new(first(*root).meet(Object::clone(object), ways)));
        }
        State(Rc::new(met))
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let same = |(root, object): (&Symbol, &Rc<Object>)| {
            let theirs = other.0.get(root);
            theirs.is_some_and(|theirs| Rc::ptr_eq(object, theirs) || object == theirs)
        };
        Rc::ptr_eq(&self.0, &other.0) || self.0.len() == other.0.len() && self.0.iter().all(same)
    }
}
