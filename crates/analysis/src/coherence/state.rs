//! What is known of all objects at one point of the program.
//!
//! Paths share what they have in common: an object is copied when something happens to it on one of them. A program that calls many functions has thousands of
//! objects, of which a path touches a few: they lie in blocks of neighbours, which are shared as well, and of which is known whether there is anything but plain objects.

use super::copies::Ways;
use super::object::Object;
use ferry_symbolic::Symbol;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Symbols with neighbouring numbers whose objects are in one block.
const BLOCK: u32 = 128;

/// Some objects, in the order of their symbols.
#[derive(Clone, Default)]
struct Block {
    objects: Vec<(Symbol, Rc<Object>)>,
    /// Whether all of them are plain, if that was asked since something happened to one.
    plain: Cell<Option<bool>>,
}

impl Block {
    fn place(&self, root: Symbol) -> Result<usize, usize> {
        self.objects.binary_search_by_key(&root, |one| one.0)
    }

    fn get(&self, root: Symbol) -> Option<&Rc<Object>> {
        let place = self.place(root).ok()?;
        Some(&self.objects[place].1)
    }

    /// Its objects, to which something happens.
    fn changed(block: &mut Rc<Block>) -> &mut Vec<(Symbol, Rc<Object>)> {
        let block = Rc::make_mut(block);
        block.plain.set(None);
        &mut block.objects
    }

    /// True if all objects are plain ([`Object::is_plain`]).
    fn is_plain(&self) -> bool {
        self.plain.get().unwrap_or_else(|| {
            let plain = self.objects.iter().all(|(_, object)| object.is_plain());
            self.plain.set(Some(plain));
            plain
        })
    }
}

/// The objects that something is known of. Where paths part, nothing is copied before something happens on one of them.
#[derive(Clone, Default)]
pub struct State(Rc<BTreeMap<u32, Rc<Block>>>);

impl State {
    pub fn new() -> State {
        State::default()
    }

    fn shared(&self, root: Symbol) -> Option<&Rc<Object>> {
        self.0.get(&(root.0 / BLOCK))?.get(root)
    }

    pub fn get(&self, root: &Symbol) -> Option<&Object> {
        self.shared(*root).map(Rc::as_ref)
    }

    /// An object that something happens to.
    pub fn get_mut(&mut self, root: &Symbol) -> Option<&mut Object> {
        let place = self.0.get(&(root.0 / BLOCK))?.place(*root).ok()?;
        let block = Rc::make_mut(&mut self.0).get_mut(&(root.0 / BLOCK))?;
        Some(Rc::make_mut(&mut Block::changed(block)[place].1))
    }

    /// An object that is looked at; `first` is what is known of one that nothing has touched yet.
    pub fn seen(&mut self, root: Symbol, first: impl FnOnce() -> Object) -> &Object {
        if self.shared(root).is_none() {
            self.insert(root, first());
        }
        let block = &self.0[&(root.0 / BLOCK)];
        let place = block.place(root).unwrap_or_else(|place| place);
        &block.objects[place].1
    }

    /// An object that something happens to; `first` is what is known of one that nothing has touched yet.
    pub fn touched(&mut self, root: Symbol, first: impl FnOnce() -> Object) -> &mut Object {
        let block = Rc::make_mut(&mut self.0).entry(root.0 / BLOCK).or_default();
        let place = block.place(root);
        let objects = Block::changed(block);
        let place = place.unwrap_or_else(|place| {
            objects.insert(place, (root, Rc::new(first())));
            place
        });
        Rc::make_mut(&mut objects[place].1)
    }

    pub fn insert(&mut self, root: Symbol, object: Object) {
        let block = Rc::make_mut(&mut self.0).entry(root.0 / BLOCK).or_default();
        let place = block.place(root);
        let objects = Block::changed(block);
        match place {
            Ok(place) => objects[place].1 = Rc::new(object),
            Err(place) => objects.insert(place, (root, Rc::new(object))),
        }
    }

    pub fn remove(&mut self, root: &Symbol) -> Option<Object> {
        let number = root.0 / BLOCK;
        let place = self.0.get(&number)?.place(*root).ok()?;
        let blocks = Rc::make_mut(&mut self.0);
        let objects = Block::changed(blocks.get_mut(&number)?);
        let (_, object) = objects.remove(place);
        // States without this object are equal, whatever was removed from them.
        if objects.is_empty() {
            blocks.remove(&number);
        }
        Some(Rc::unwrap_or_clone(object))
    }

    pub fn roots(&self) -> impl Iterator<Item = Symbol> {
        let all = self.0.values().flat_map(|block| &block.objects);
        all.map(|(root, _)| *root)
    }

    pub fn into_objects(self) -> impl Iterator<Item = (Symbol, Object)> {
        let blocks = Rc::unwrap_or_clone(self.0).into_values();
        let objects = blocks.flat_map(|block| Rc::unwrap_or_clone(block).objects);
        objects.map(|(root, object)| (root, Rc::unwrap_or_clone(object)))
    }

    /// Something happens to the objects for which it holds.
    pub fn change(&mut self, holds: impl Fn(Symbol, &Object) -> bool, how: impl FnMut(Symbol, &mut Object)) {
        self.change_in(|_| true, holds, how);
    }

    /// Something happens to the objects for which it holds, which it does for no plain one ([`Object::is_plain`]).
    pub fn change_striking(&mut self, holds: impl Fn(&Object) -> bool, mut how: impl FnMut(&mut Object)) {
        self.change_in(
            |block| !block.is_plain(),
            |_, object| holds(object),
            |_, object| how(object),
        );
    }

    fn change_in(
        &mut self,
        may_hold: impl Fn(&Block) -> bool,
        holds: impl Fn(Symbol, &Object) -> bool,
        mut how: impl FnMut(Symbol, &mut Object),
    ) {
        let is_meant = |block: &Rc<Block>| {
            may_hold(block) && block.objects.iter().any(|(root, object)| holds(*root, object))
        };
        let meant = self.0.iter().filter(|(_, block)| is_meant(block));
        let meant: Vec<u32> = meant.map(|(number, _)| *number).collect();
        if meant.is_empty() {
            return;
        }
        let blocks = Rc::make_mut(&mut self.0);
        for number in meant {
            let Some(block) = blocks.get_mut(&number) else {
                continue;
            };
            for (root, object) in Block::changed(block) {
                if holds(*root, object) {
                    how(*root, Rc::make_mut(object));
                }
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
        for (number, block) in &mut met {
            let theirs = other.0.get(number);
            if theirs.is_some_and(|theirs| Rc::ptr_eq(theirs, block)) {
                continue;
            }
            for (root, object) in Block::changed(block) {
                let theirs = match theirs.and_then(|theirs| theirs.get(*root)) {
                    // Nothing has happened to it on either path, or the same on both: what is met with itself stays as it is.
                    Some(same) if Rc::ptr_eq(same, object) || same == object => continue,
                    Some(theirs) => theirs.clone(),
                    None => Rc::new(first(*root)),
                };
                let own = std::mem::replace(object, theirs.clone());
                *object = Rc::new(Rc::unwrap_or_clone(own).meet(Object::clone(&theirs), ways));
            }
        }
        let mut met = State(Rc::new(met));
        for (number, block) in other.0.iter() {
            if met.0.get(number).is_some_and(|own| Rc::ptr_eq(own, block)) {
                continue;
            }
            for (root, object) in &block.objects {
                if met.shared(*root).is_none() {
                    met.insert(*root, first(*root).meet(Object::clone(object), ways));
                }
            }
        }
        met
    }
}

impl PartialEq for Block {
    fn eq(&self, other: &Block) -> bool {
        let mut both = self.objects.iter().zip(&other.objects);
        self.objects.len() == other.objects.len()
            && both.all(|(own, other)| own.0 == other.0 && (Rc::ptr_eq(&own.1, &other.1) || own.1 == other.1))
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        let mut both = self.0.iter().zip(other.0.iter());
        Rc::ptr_eq(&self.0, &other.0)
            || self.0.len() == other.0.len()
                && both
                    .all(|(own, other)| own.0 == other.0 && (Rc::ptr_eq(own.1, other.1) || own.1 == other.1))
    }
}

#[cfg(test)]
mod tests {
    use super::super::copies::{Defined, Extent, Way};
    use super::super::defect::Confidence;
    use super::super::holes::Holes;
    use super::super::object::{Before, Object, Touch};
    use super::{BLOCK, State};
    use ferry_source::Origin;
    use ferry_symbolic::{Expr, Facts, Symbol};

    fn object() -> Object {
        Object::new(Before::Unknown, Defined::Yes)
    }

    /// The roots, some of which are in one block.
    fn roots() -> [Symbol; 4] {
        [1, 7, BLOCK + 3, 5 * BLOCK].map(Symbol)
    }

    fn state() -> State {
        let mut state = State::new();
        for root in roots().iter().rev() {
            state.insert(*root, object());
        }
        state
    }

    fn write(state: &mut State, root: Symbol) {
        let touch = Touch {
            root,
            extent: Extent::everything(),
            all: Confidence::Proven,
            some: Confidence::Proven,
            ends: true,
            somewhere: true,
            happens: true,
            at: Origin::New,
            facts: Facts::new(),
        };
        state.touched(root, object).device_write(&touch, &|| false);
    }

    /// The roots of the objects that are not plain, as a look at each of them says.
    fn struck(state: &mut State) -> Vec<Symbol> {
        let roots: Vec<Symbol> = state.roots().collect();
        let is_struck = |root: &Symbol| state.get(root).is_some_and(|object| !object.is_plain());
        roots.into_iter().filter(is_struck).collect()
    }

    #[test]
    fn objects_come_in_the_order_of_their_symbols() {
        assert_eq!(state().roots().collect::<Vec<_>>(), roots());
        assert_eq!(
            state().into_objects().map(|(root, _)| root).collect::<Vec<_>>(),
            roots()
        );
    }

    #[test]
    fn what_happens_to_an_object_is_seen_by_those_who_look_for_it() {
        let mut state = state();
        let look = |state: &mut State| {
            let mut found = 0;
            state.change_striking(|object| !object.is_plain(), |_| found += 1);
            found
        };
        // All blocks are known to be plain from here on.
        assert_eq!(look(&mut state), 0);
        write(&mut state, Symbol(7));
        assert_eq!((look(&mut state), struck(&mut state)), (1, vec![Symbol(7)]));
        state.insert(Symbol(7), object());
        assert_eq!(look(&mut state), 0);
        let later = state.clone();
        if let Some(object) = state.get_mut(&Symbol(5 * BLOCK)) {
            object.doubt_all();
        }
        write(&mut state, Symbol(2));
        assert_eq!(look(&mut state), struck(&mut state).len());
        assert!(state.get(&Symbol(2)).is_some() && later.get(&Symbol(2)).is_none());
    }

    #[test]
    fn paths_meet_in_what_either_of_them_has() {
        let (mut one, mut two) = (state(), state());
        write(&mut one, Symbol(7));
        write(&mut two, Symbol(9));
        write(&mut two, Symbol(9 * BLOCK));
        let met = one.meet(two, [Way::Jump; 2], |_| object());
        let all: Vec<Symbol> = met.roots().collect();
        let wanted = [1, 7, 9, BLOCK + 3, 5 * BLOCK, 9 * BLOCK].map(Symbol);
        assert_eq!(all, wanted);
        let changed: Vec<bool> = wanted
            .iter()
            .map(|root| met.get(root).is_some_and(|one| !one.is_plain()))
            .collect();
        assert_eq!(changed, [false, true, true, false, false, true]);
    }

    #[test]
    fn what_is_the_same_on_both_paths_stays_as_it_is() {
        let (mut one, mut two) = (state(), state());
        for state in [&mut one, &mut two] {
            write(state, Symbol(7));
        }
        let whole = Extent::new(Expr::zero(), Expr::int(8));
        two.touched(Symbol(1), object).holes = Holes::of(&whole, Some(&Expr::int(8)));
        assert!(one != two && two.get(&Symbol(1)).is_some_and(|one| one.holes.is_some()));
        let before = one.clone();
        // What only one of the paths knows of elements that stay unwritten is not known behind both.
        let met = two.meet(one, [Way::Jump; 2], |_| object());
        assert!(met == before);
    }

    #[test]
    fn equal_states_may_have_come_about_in_other_ways() {
        let (one, mut two) = (state(), state());
        assert!(one == two);
        write(&mut two, Symbol(8 * BLOCK));
        assert!(one != two);
        assert!(two.remove(&Symbol(8 * BLOCK)).is_some() && two.remove(&Symbol(8 * BLOCK)).is_none());
        assert!(one == two);
        write(&mut two, Symbol(1));
        assert!(one != two);
    }
}
