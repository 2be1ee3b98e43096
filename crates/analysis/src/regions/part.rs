//! How are regions put together? Unions, what is left after a write, and conditions, for `may` and `must` at once.
//!
//! Creusillet and Irigoin, "Exact versus approximate array region analyses" (1996): an upper bound is made of upper
//! bounds, and of lower bounds where something is taken away. Where the sets become too large, an upper bound grows to
//! the whole object and a lower bound loses points.

use super::behind::{Family, Rows};
use super::gate::Gate;
use crate::symbols::Cause;
use ferry_symbolic::Symbol;
use ferry_symbolic::set::{Projected, Set, Unknown, with_piece_limit, with_work_limit};
use std::collections::{BTreeMap, BTreeSet};

/// Most pieces that are kept side by side before they are simplified, and that a set may have after that.
const PIECES: usize = 24;

/// Most pieces of a set that is exact: where it has fewer, nothing else is as good.
const EXACT_PIECES: usize = 400;

/// The points of either, if that is not too many pieces.
pub fn together(a: &Set, b: &Set) -> Option<Set> {
    at_most(PIECES, a, b)
}

fn at_most(most: usize, a: &Set, b: &Set) -> Option<Set> {
    limited(most, a.beside(b)?)
}

/// A set if it has not too many pieces, made simpler where it has many.
fn limited(most: usize, set: Set) -> Option<Set> {
    if set.pieces().len() <= PIECES {
        return Some(set);
    }
    let simpler = set.simplified().unwrap_or(set);
    (simpler.pieces().len() <= most).then_some(simpler)
}

/// Most pieces of a set that is made simpler only to be read, or to find a lower bound.
const SIMPLE: usize = 4;

/// Operations of isl for a question whose answer would be exact.
const MUCH_WORK: u64 = 300_000;

/// Asks once more, with more work, if that is why there was no answer.
pub fn patient<T>(ask: impl Fn() -> Result<T, Unknown>) -> Result<T, Unknown> {
    match ask() {
        Err(Unknown::TooMuchWork | Unknown::TooLarge) => {
            with_piece_limit(EXACT_PIECES, || with_work_limit(MUCH_WORK, ask))
        }
        answer => answer,
    }
}

/// Does something with the room that an exact answer is worth.
pub fn with_room<T>(exact: bool, work: impl FnOnce() -> T) -> T {
    match exact {
        true => with_piece_limit(EXACT_PIECES, work),
        false => work(),
    }
}

/// The points for which there are values of these symbols. Where that is not exact, because it was too much work for the integer set library and unknowns were taken away as
/// if they were no integers, and an exact answer is wanted, the library may do more.
pub fn projected(set: &Set, symbols: &[Symbol], exact: bool) -> Result<Projected, Unknown> {
    let first = patient(|| set.project(symbols))?;
    if first.exact || !exact || set.has_products_of(symbols) {
        return Ok(first);
    }
    let again = with_piece_limit(EXACT_PIECES, || {
        with_work_limit(MUCH_WORK, || set.project(symbols))
    });
    Ok(again.ok().filter(|again| again.exact).unwrap_or(first))
}

/// Most pieces of one set times those of the other for a difference that need not be exact.
const MANY: usize = 8;

/// Would a difference have too many pieces to be worth it where it need not be exact?
fn many(a: &Set, b: &Set) -> bool {
    a.pieces().len() * b.pieces().len() > MANY
}

/// The points that are there whatever these symbols are. Pieces that differ in a condition on them may be one together.
pub fn whatever(set: &Set, symbols: &[Symbol]) -> Set {
    let depends = (2..=SIMPLE).contains(&set.pieces().len())
        && !set.symbols().is_disjoint(&symbols.iter().copied().collect());
    match depends.then(|| set.simplified()) {
        Some(Ok(simplified)) => simplified.independent_of(symbols),
        _ => set.independent_of(symbols),
    }
}

/// What is touched of one object.
#[derive(Clone, Debug)]
pub struct Part {
    /// Contains everything that is touched.
    pub may: Set,
    /// Contains only what is touched.
    pub must: Set,
    /// If `may` has products of values that vary (`i * n`): another upper bound, without them, for loops in which they
    /// vary.
    pub bounded: Option<Set>,
    /// Both are the same points.
    pub exact: bool,
    /// Why they are not.
    pub cause: Option<Cause>,
    /// `must` holds if the storage of these roots does not overlap that of this one.
    pub apart: BTreeSet<Symbol>,
}

impl Part {
    /// Exactly these points.
    pub fn exactly(set: Set) -> Part {
        Part {
            must: set.clone(),
            may: set,
            bounded: None,
            exact: true,
            cause: None,
            apart: BTreeSet::new(),
        }
    }

    /// At most these points.
    pub fn at_most(set: Set, cause: Cause) -> Part {
        Part {
            must: Set::empty(set.dimensions()),
            exact: set.is_plainly_empty(),
            may: set,
            bounded: None,
            cause: Some(cause),
            apart: BTreeSet::new(),
        }
    }

    /// No points.
    pub fn nothing(dimensions: usize) -> Part {
        Part::exactly(Set::empty(dimensions))
    }

    /// True if it certainly has no points.
    pub fn is_nothing(&self) -> bool {
        self.may.is_plainly_empty()
    }

    /// The points of either.
    pub fn or(&self, other: &Part) -> Part {
        if self.is_nothing() {
            return other.clone();
        }
        if other.is_nothing() {
            return self.clone();
        }
        let bounded = (self.bounded.is_some() || other.bounded.is_some()).then(|| {
            let (a, b) = (self.bounded.as_ref(), other.bounded.as_ref());
            together(a.unwrap_or(&self.may), b.unwrap_or(&other.may))
                .unwrap_or_else(|| Set::universe(self.may.dimensions()))
        });
        let both = self.exact && other.exact;
        let may = at_most(if both { EXACT_PIECES } else { PIECES }, &self.may, &other.may);
        let exact = both && may.is_some();
        let may = may.unwrap_or_else(|| Set::universe(self.may.dimensions()));
        let must = match exact {
            true => may.clone(),
            false => together(&self.must, &other.must).unwrap_or_else(|| self.must.clone()),
        };
        Part {
            may,
            must,
            bounded,
            exact,
            cause: self.cause.clone().or_else(|| other.cause.clone()),
            apart: self.apart.union(&other.apart).copied().collect(),
        }
    }

    /// The points of any. Exact ones are put together at once: made simpler one after the other, many would cost their square.
    fn any(parts: &[Part]) -> Option<Part> {
        if parts.len() > 2
            && parts.iter().all(|part| part.exact)
            && let Some(all) = Set::side_by_side(parts.iter().map(|part| &part.may))
            && let Some(all) = limited(EXACT_PIECES, all)
        {
            let bounded = parts.iter().any(|part| part.bounded.is_some()).then(|| {
                let bounds = parts
                    .iter()
                    .map(|part| part.bounded.as_ref().unwrap_or(&part.may));
                let bounds = Set::side_by_side(bounds).and_then(|all| limited(PIECES, all));
                bounds.unwrap_or_else(|| Set::universe(all.dimensions()))
            });
            return Some(Part {
                bounded,
                cause: parts.iter().find_map(|part| part.cause.clone()),
                apart: parts.iter().flat_map(|part| part.apart.iter().copied()).collect(),
                ..Part::exactly(all)
            });
        }
        parts.iter().cloned().reduce(|all, part| all.or(&part))
    }

    /// Only where a gate is open.
    pub fn gated(&self, gate: &Gate) -> Part {
        if gate.is_always() {
            return self.clone();
        }
        let empty = Set::empty(self.may.dimensions());
        if gate.is_never() {
            return Part::exactly(empty);
        }
        let (may, said) = match &gate.condition {
            Some(condition) => {
                let constrained = with_room(self.exact && gate.exact, || self.may.constrain(condition));
                (constrained.set, constrained.exact)
            }
            None => (self.may.clone(), false),
        };
        let bounded = self.bounded.as_ref().map(|bounded| match &gate.condition {
            Some(condition) => bounded.constrain(condition).set,
            None => bounded.clone(),
        });
        if self.exact && gate.exact && said {
            return Part {
                must: may.clone(),
                may,
                bounded,
                ..self.clone()
            };
        }
        let must = match &gate.condition {
            Some(condition) if gate.exact => {
                let constrained = self.must.constrain(condition);
                if constrained.exact { constrained.set } else { empty }
            }
            _ => empty,
        };
        Part {
            exact: may.is_plainly_empty(),
            may,
            must,
            bounded,
            cause: self.cause.clone(),
            apart: self.apart.clone(),
        }
    }

    /// What is left of it where `written` was written before.
    pub fn without(&self, written: &Part) -> Part {
        if self.is_nothing() || written.is_nothing() {
            return self.clone();
        }
        let bounded = self.bounded.as_ref().map(|bounded| {
            let left = bounded.subtract(&written.must);
            left.unwrap_or_else(|_| bounded.clone())
        });
        // Of an object that may be read all over, what is left is not worth its many pieces.
        let left = match !self.exact && self.may.is_plainly_everything() {
            true => Ok(self.may.clone()),
            false if !(self.exact && written.exact) && many(&self.may, &written.must) => {
                Ok(self.may.outside(&written.must))
            }
            false if self.exact && written.exact => patient(|| self.may.subtract(&written.must)),
            false => self.may.subtract(&written.must),
        };
        let exact = self.exact && written.exact && left.is_ok();
        let may = left.unwrap_or_else(|_| self.may.clone());
        let must = match exact {
            true => may.clone(),
            false if self.must.is_plainly_empty() => self.must.clone(),
            false if many(&self.must, &written.may) => self.must.apart_from(&written.may),
            false => self
                .must
                .subtract(&written.may)
                .unwrap_or_else(|_| Set::empty(self.may.dimensions())),
        };
        Part {
            may,
            must,
            bounded,
            exact,
            cause: self.cause.clone().or_else(|| written.cause.clone()),
            apart: self.apart.union(&written.apart).copied().collect(),
        }
    }

    /// Says so if both bounds turn out to be the same.
    pub fn settled(mut self) -> Part {
        let asked = !self.must.is_plainly_empty() || self.may.pieces().len() <= SIMPLE;
        if !self.exact && asked && self.may.is_subset(&self.must) == Ok(true) {
            self.exact = true;
        }
        let simple = |set: &Set| match (2..=SIMPLE).contains(&set.pieces().len()) {
            true => set.simplified().unwrap_or_else(|_| set.clone()),
            false => set.clone(),
        };
        self.may = simple(&self.may);
        if self.exact {
            self.cause = None;
            self.must = self.may.clone();
        } else {
            self.must = simple(&self.must);
        }
        self
    }
}

/// What is touched of all objects.
#[derive(Clone, Debug, Default)]
pub struct Touch {
    /// By root.
    pub objects: BTreeMap<Symbol, Part>,
    /// What is touched through pointers of tables that are others in each iteration, by the table.
    pub rows: BTreeMap<Family, Rows>,
    /// Storage of which no more is known may be touched too; why.
    pub elsewhere: Option<Cause>,
}

impl Touch {
    /// One object.
    pub fn one(root: Symbol, part: Part) -> Touch {
        Touch {
            objects: [(root, part)].into(),
            ..Touch::default()
        }
    }

    /// Something that is not known.
    pub fn unknown(cause: Cause) -> Touch {
        Touch {
            elsewhere: Some(cause),
            ..Touch::default()
        }
    }

    /// Something that is not known may be touched, too; the first cause is kept.
    pub fn may_be_elsewhere(&mut self, cause: Cause) {
        self.elsewhere.get_or_insert(cause);
    }

    /// True if nothing is touched.
    pub fn is_nothing(&self) -> bool {
        self.objects.is_empty() && self.rows.is_empty() && self.elsewhere.is_none()
    }

    /// What either touches.
    pub fn or(mut self, other: &Touch) -> Touch {
        for (root, part) in &other.objects {
            match self.objects.get_mut(root) {
                Some(own) => *own = own.or(part),
                None => {
                    self.objects.insert(*root, part.clone());
                }
            }
        }
        for (family, rows) in &other.rows {
            self.add_rows(*family, rows);
        }
        self.elsewhere = self.elsewhere.or_else(|| other.elsewhere.clone());
        self
    }

    /// What any of them touches.
    pub fn any(touches: Vec<Touch>) -> Touch {
        let mut parts: BTreeMap<Symbol, Vec<Part>> = BTreeMap::new();
        let mut all = Touch::default();
        for mut touch in touches {
            for (root, part) in std::mem::take(&mut touch.objects) {
                parts.entry(root).or_default().push(part);
            }
            all = all.or(&touch);
        }
        let together = parts
            .iter()
            .filter_map(|(root, parts)| Some((*root, Part::any(parts)?)));
        all.objects = together.collect();
        all
    }

    /// Only where a gate is open.
    pub fn gated(&self, gate: &Gate) -> Touch {
        if gate.is_always() {
            return self.clone();
        }
        if gate.is_never() {
            return Touch::default();
        }
        self.map(|part| part.gated(gate))
    }

    /// Every part changed; those without points are dropped.
    pub fn map(&self, mut change: impl FnMut(&Part) -> Part) -> Touch {
        let parts = self.objects.iter().map(|(root, part)| (*root, change(part)));
        let objects = parts.filter(|(_, part)| !part.is_nothing()).collect();
        let rows = self
            .rows
            .iter()
            .map(|(family, rows)| (*family, rows.with(change(&rows.part))));
        Touch {
            objects,
            rows: rows.filter(|(_, rows)| !rows.part.is_nothing()).collect(),
            elsewhere: self.elsewhere.clone(),
        }
    }
}
