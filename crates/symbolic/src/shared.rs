//! A sorted map of which copies share what they have in common.
//!
//! Facts are copied whenever one more is assumed, and each copy has the bounds of all atoms that are known: hundreds in a long program. They lie in pieces of neighbours,
//! and only the piece is copied in which something changes.

use std::sync::Arc;

/// Most entries of a piece.
const MOST: usize = 16;

/// Entries by their keys, in order.
#[derive(Clone)]
pub(crate) struct SharedMap<K, V>(Vec<Arc<Vec<(K, V)>>>);

impl<K, V> Default for SharedMap<K, V> {
    fn default() -> SharedMap<K, V> {
        SharedMap(Vec::new())
    }
}

impl<K: Ord + Clone, V: Clone> SharedMap<K, V> {
    /// The piece in which a key is, if it is there: the last one that begins at it or before it.
    fn piece(&self, key: &K) -> Option<usize> {
        let behind = self.0.partition_point(|piece| piece[0].0 <= *key);
        behind.checked_sub(1)
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        let piece = &self.0[self.piece(key)?];
        let place = piece.binary_search_by(|one| one.0.cmp(key)).ok()?;
        Some(&piece[place].1)
    }

    pub(crate) fn contains_key(&self, key: &K) -> bool {
        self.get(key).is_some()
    }

    /// The value of a key, which is about to change.
    pub(crate) fn entry(&mut self, key: &K, first: impl FnOnce() -> V) -> &mut V {
        if self.0.is_empty() {
            self.0.push(Arc::new(vec![(key.clone(), first())]));
            return &mut Arc::make_mut(&mut self.0[0])[0].1;
        }
        let mut number = self.piece(key).unwrap_or(0);
        let mut place = match self.0[number].binary_search_by(|one| one.0.cmp(key)) {
            Ok(place) => place,
            Err(place) => {
                let piece = Arc::make_mut(&mut self.0[number]);
                piece.insert(place, (key.clone(), first()));
                place
            }
        };
        if self.0[number].len() > MOST {
            let behind = Arc::make_mut(&mut self.0[number]).split_off(MOST / 2);
            self.0.insert(number + 1, Arc::new(behind));
            if place >= MOST / 2 {
                (number, place) = (number + 1, place - MOST / 2);
            }
        }
        &mut Arc::make_mut(&mut self.0[number])[place].1
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.0
            .iter()
            .flat_map(|piece| piece.iter().map(|(key, value)| (key, value)))
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &K> {
        self.iter().map(|(key, _)| key)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|(_, value)| value)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|piece| piece.len()).sum()
    }

    /// Those entries whose keys are wanted.
    pub(crate) fn filtered(&self, wanted: impl Fn(&K) -> bool) -> SharedMap<K, V> {
        let mut kept = Vec::with_capacity(self.0.len());
        for piece in &self.0 {
            if piece.iter().all(|(key, _)| wanted(key)) {
                kept.push(piece.clone());
                continue;
            }
            let left: Vec<_> = piece.iter().filter(|(key, _)| wanted(key)).cloned().collect();
            if !left.is_empty() {
                kept.push(Arc::new(left));
            }
        }
        SharedMap(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::SharedMap;
    use std::collections::BTreeMap;

    fn same(map: &SharedMap<u32, u32>, model: &BTreeMap<u32, u32>) {
        assert!(map.iter().eq(model.iter()));
        assert!(map.keys().eq(model.keys()) && map.values().eq(model.values()));
        assert_eq!(map.len(), model.len());
        for key in 0..210 {
            assert_eq!(map.get(&key), model.get(&key));
            assert_eq!(map.contains_key(&key), model.contains_key(&key));
        }
    }

    #[test]
    fn it_holds_what_was_put_in_and_copies_stay_as_they_were() {
        let (mut map, mut model) = (SharedMap::default(), BTreeMap::new());
        let mut copies = Vec::new();
        for number in 0..400u32 {
            let key = number * 73 % 200;
            *map.entry(&key, || 1) += number;
            *model.entry(key).or_insert(1) += number;
            if number % 20 == 0 {
                copies.push((map.clone(), model.clone()));
            }
        }
        same(&map, &model);
        copies.iter().for_each(|(map, model)| same(map, model));
    }

    #[test]
    fn what_is_not_wanted_is_left_out() {
        let (mut map, mut model) = (SharedMap::default(), BTreeMap::new());
        for key in (0..200u32).rev() {
            *map.entry(&key, || key) += 1;
            model.insert(key, key + 1);
        }
        let wanted = |key: &u32| *key < 100 && !key.is_multiple_of(3);
        let mut left = map.filtered(wanted);
        model.retain(|key, _| wanted(key));
        same(&left, &model);
        // What is put in later finds its place.
        for key in [0, 99, 205] {
            *left.entry(&key, || 5) += 1;
            model.insert(key, 6);
        }
        same(&left, &model);
        same(&map.filtered(|_| false), &BTreeMap::new());
    }
}
