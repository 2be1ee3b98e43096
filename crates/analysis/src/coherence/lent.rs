//! Which part of a section does the device touch while it is there?
//!
//! For each clause item that puts a section on the device: the bytes between the first and the last one that anything touches before the mapping ends, on all paths, in all
//! iterations together. An end of them of which it is not known where it lies is the section's own. What another directive names of it in the
//! meantime (a nested `map`, an `update`) has to be there, too, touched or not; so has the first byte where another construct finds the
//! data by the pointer alone.
//!
//! It says nothing of sections with holes: what suffices is one section.

use super::book::Key;
use super::construct::Section;
use super::copies::{Extent, at_most};
use crate::loops::LoopIndex;
use crate::symbols::SymbolKind;
use crate::value::Values;
use ferry_symbolic::{Expr, Facts, Symbol};
use std::collections::BTreeSet;

/// Fewer bytes than this take no time.
const FEW: i128 = 64;

/// A section that is lent to the device.
#[derive(Clone)]
pub struct Lent {
    /// The clauses that would change together: the one that puts it there, and those without which it does not end.
    pub keys: Vec<Key>,
    pub section: Section,
    facts: Facts,
    /// The loops around the place where it is mapped.
    pub loops: Vec<LoopIndex>,
    /// What is touched.
    used: Option<Extent>,
    /// All of it is, perhaps.
    pub whole: bool,
    /// It was seen to end.
    ended: bool,
    /// The clause that copies it: at the beginning, or at the end.
    copied: Option<Section>,
}

impl Lent {
    pub fn new(key: Key, section: &Section, facts: &Facts, loops: Vec<LoopIndex>) -> Lent {
        let mut facts = facts.clone();
        if let Some((low, high)) = section.extent.bytes() {
            // The length of a section is not negative.
            facts.assume_nonnegative(&high - &low);
        }
        let copies = section.motion.copy_in || section.motion.copy_out;
        Lent {
            keys: vec![key],
            section: section.clone(),
            facts,
            loops,
            used: None,
            whole: false,
            ended: false,
            copied: copies.then(|| section.clone()),
        }
    }

    /// A part of it is touched, or named, where these facts hold.
    pub fn touched(&mut self, part: &Extent, facts: &Facts) {
        if self.section.extent.is_apart(part, facts) {
            return;
        }
        let (Some((first, end)), Some((low, high))) = (self.section.extent.bytes(), part.bytes()) else {
            self.whole = true;
            return;
        };
        let Some((own_low, own_high)) = self.used.as_ref().and_then(Extent::bytes) else {
            self.used = Some(Extent::new(low, high));
            return;
        };
        let joined_low = match () {
            () if at_most(&own_low, &low, facts) || at_most(&own_low, &low, &self.facts) => own_low,
            () if at_most(&low, &own_low, &self.facts) => low,
            () => first,
        };
        let joined_high = match () {
            () if at_most(&high, &own_high, facts) || at_most(&high, &own_high, &self.facts) => own_high,
            () if at_most(&own_high, &high, &self.facts) => high,
            () => end,
        };
        self.used = Some(Extent::new(joined_low, joined_high));
    }

    /// The mapping ends by this section.
    pub fn taken_off(&mut self, key: Key, section: &Section, certain: bool, facts: &Facts) {
        self.whole |= !certain;
        self.ended = true;
        // What names a part of it needs that part, and stays as it is.
        if section.extent != self.section.extent {
            self.touched(&section.extent, facts);
            return;
        }
        if section.motion.copy_out && self.copied.is_none() {
            self.copied = Some(section.clone());
        }
        if !self.keys.contains(&key) {
            self.keys.push(key);
        }
    }

    /// The clause that copies too much, with the section that suffices; `None` if that is all of it, or not known.
    pub fn shorter(&self, values: &Values) -> Option<(&Section, &Extent)> {
        let copied = self.copied.as_ref()?;
        let used = self.used.as_ref()?;
        let (first, end) = self.section.extent.bytes()?;
        let (low, high) = used.bytes()?;
        if self.whole || !self.ended {
            return None;
        }
        if !self.section.extent.contains(used, &self.facts) {
            return None;
        }
        // What is not known yet where the section is mapped says nothing there.
        let known: BTreeSet<Symbol> = [&first, &end].into_iter().flat_map(|end| end.symbols()).collect();
        let is_known = |symbol: &Symbol| {
            known.contains(symbol)
                || matches!(
                    values.symbols.info(*symbol).kind,
                    SymbolKind::Entry(_) | SymbolKind::Named { .. }
                )
        };
        if ![&low, &high]
            .into_iter()
            .flat_map(|end| end.symbols())
            .all(|symbol| is_known(&symbol))
        {
            return None;
        }
        let (all, some) = (&end - &first, &high - &low);
        // Where nothing is touched, the section is of no use at all: another rule says so.
        if self.facts.prove_nonnegative(&-&some) {
            return None;
        }
        let left = &all - &some;
        if left
            .as_constant()
            .is_some_and(|left| left.to_i64().is_some_and(|left| i128::from(left) < FEW))
        {
            return None;
        }
        // A quarter of it at least.
        let quarter = &(&all * &Expr::int(3)) - &(&some * &Expr::int(4));
        self.facts.prove_nonnegative(&quarter).then_some((copied, used))
    }
}
