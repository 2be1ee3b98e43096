//! Which values are said again and again, and are made and kept once?

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Values, each once with its number, by what they are made of: several of these may make the same value.
pub struct Interned<K, V> {
    by_key: FxHashMap<K, usize>,
    by_value: FxHashMap<Arc<V>, usize>,
    values: Vec<Arc<V>>,
}

impl<K, V> Default for Interned<K, V> {
    fn default() -> Interned<K, V> {
        Interned {
            by_key: FxHashMap::default(),
            by_value: FxHashMap::default(),
            values: Vec::new(),
        }
    }
}

impl<K: Hash + Eq, V: Hash + Eq> Interned<K, V> {
    /// The value that is made of a key, and its number.
    pub fn of(&mut self, key: K, make: impl FnOnce() -> V) -> (usize, Arc<V>) {
        let (values, by_value) = (&mut self.values, &mut self.by_value);
        let number = *self.by_key.entry(key).or_insert_with(|| {
            let value = Arc::new(make());
            *by_value.entry(Arc::clone(&value)).or_insert_with(|| {
                values.push(value);
                values.len() - 1
            })
        });
        (number, Arc::clone(&values[number]))
    }
}

#[cfg(test)]
mod tests {
    use super::Interned;
    use std::sync::Arc;

    #[test]
    fn what_is_equal_has_one_number_whatever_it_is_made_of() {
        let mut words: Interned<u32, String> = Interned::default();
        let mut word = |key: u32, value: &str| words.of(key, || value.to_owned());
        let first = word(3, "three");
        assert_eq!((first.0, first.1.as_str()), (0, "three"));
        assert_eq!(word(4, "four").0, 1);
        let again = word(5, "three");
        assert!(again.0 == 0 && Arc::ptr_eq(&first.1, &again.1));
        // A key that is known is not asked again.
        assert_eq!(word(4, "another").1.as_str(), "four");
    }
}
