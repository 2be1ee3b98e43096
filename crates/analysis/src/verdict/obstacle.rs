//! What is an obstacle, and which of several does a reader need?
//!
//! Pairs of accesses that keep iterations in order for one reason are one obstacle: those to one object, those through one pointer that may lead to
//! the storage of others, those of one access of which nothing is known. Where a pair could be dealt with at either of two pointers, it belongs to one of the fewest
//! that have a part in all such pairs ([`cover`]). The pair that is named is one that is proved, if one is, and of several the nearest; all pairs are kept
//! with it, each with its direction vector. What is the same at several places, as the calls of one function are, is one obstacle, too.
//!
//! What it cannot do: find the fewest changes to a program that would make a loop parallel, as one change may deal with several obstacles.

use crate::access::Access;
use crate::cover;
use crate::dependence::{Direction, Outcome};
use crate::reduction::ReductionOp;
use crate::symbols::Cause;
use ferry_ir::{StmtId, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::Symbol;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An obstacle.
#[derive(Clone, PartialEq, Debug)]
pub struct Obstacle {
    /// In plain words.
    pub cause: Cause,
    /// The other place involved, if there is one.
    pub other: Option<Origin>,
    /// More places at which the same stands in the way.
    pub also: Vec<Origin>,
    /// It certainly keeps the iterations in order (else: it could not be excluded).
    pub proved: bool,
    /// Of what is proved: loops inside of this one, each of which must run at least once for it to come up, and may not.
    pub runs: Vec<Origin>,
    /// Of accesses to memory: which depend on which, those at the two places first. Empty for other obstacles, and where the first obstacle was enough.
    pub dependences: Vec<Dependence>,
    /// What would remove it, if something is known that would.
    pub remedy: Option<Remedy>,
}

impl Obstacle {
    /// An obstacle at one place.
    pub fn new(cause: Cause, proved: bool) -> Obstacle {
        Obstacle {
            cause,
            other: None,
            also: Vec::new(),
            proved,
            runs: Vec::new(),
            dependences: Vec::new(),
            remedy: None,
        }
    }

    /// The same, with what would remove it.
    pub fn with(self, remedy: Option<Remedy>) -> Obstacle {
        Obstacle { remedy, ..self }
    }
}

/// What the earlier and the later access do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DependenceKind {
    /// Written, then read.
    Flow,
    /// Read, then written.
    Anti,
    /// Written twice.
    Output,
}

impl DependenceKind {
    /// As the books call it.
    pub fn name(self) -> &'static str {
        match self {
            DependenceKind::Flow => "flow",
            DependenceKind::Anti => "anti",
            DependenceKind::Output => "output",
        }
    }
}

/// A dependence that a loop carries, or may carry.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Dependence {
    /// What the two do.
    pub kind: DependenceKind,
    /// The access of the earlier iteration: its statement, and where it is written.
    pub source: (StmtId, Origin),
    /// The access of the later iteration.
    pub sink: (StmtId, Origin),
    /// How many iterations the sink is ahead, in each loop around both, the loop itself first: all that can be, perhaps more.
    pub vector: Rc<[Direction]>,
}

/// What would remove an obstacle. Each is true of the program that it is said of; whether something else must hold for it, it says.
#[derive(Clone, PartialEq, Debug)]
pub enum Remedy {
    /// What the function does can be said before its declaration.
    SayWhatItDoes(String),
    /// All iterations run, and the first that would have left is kept, if those after it may run.
    RunAll,
    /// The bound is copied before the loop, if the loop does not change it.
    CopyBound(Origin),
    /// The variable is copied in each iteration: it has the same value at the beginning of all.
    CopyInside(VariableRef),
    /// With the value goes the number of the iteration that set it: the last one counts.
    KeepLast(VariableRef),
    /// The greatest (or least) value first, then where it is.
    FindThenPlace(VariableRef),
    /// A prefix sum (or product, …).
    PrefixSum(VariableRef, ReductionOp),
    /// A scan of a linear recurrence.
    Scan,
    /// What is read was there before the loop: it can be read from a copy.
    ReadCopy,
    /// So many iterations in a row may run at once, as far as this pair goes.
    Groups(i64),
    /// No dependence if what is read here is another value in every iteration; with the operation, an atomic update would do as well.
    Distinct(Origin, Option<ReductionOp>),
}

/// A pair of accesses that stands in the way.
pub(super) struct Found<'a> {
    pub write: &'a Access,
    pub other: &'a Access,
    pub why: Cow<'static, str>,
    pub proved: bool,
    /// The write in an earlier iteration than the other access; the other way round.
    pub ways: [bool; 2],
    /// The two lie in the same storage, in terms of one root.
    pub same_storage: bool,
    /// What it has in common with others from which it does not differ for a reader.
    pub about: About,
    /// How much is known.
    pub known: Known,
}

impl Found<'_> {
    /// What came of the pair.
    pub fn outcome(&self) -> Outcome {
        match self.proved {
            true => Outcome::Carried,
            false => Outcome::Open,
        }
    }
}

/// How much is known of a pair of accesses that stands in the way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Known {
    /// They meet so many iterations apart.
    Away(i64),
    /// They meet in all iterations.
    Always,
    /// They meet in some.
    Somewhere,
    /// One access touches the same elements again in every iteration.
    Again,
    /// Not that they are apart.
    Little,
}

/// What several pairs of accesses have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum About {
    /// One object.
    Object(Symbol),
    /// Two pointers, of which one changes: it is enough to know more of either. The one that changes first.
    Pointers(Symbol, Symbol),
    /// An access of which it is not known where it goes.
    Nowhere(StmtId),
}

/// The pairs by what they are about, in the order in which they came up; in each group the one first that says most.
pub(super) fn grouped(found: Vec<Found<'_>>) -> Vec<Vec<Found<'_>>> {
    let pointers = found.iter().filter_map(|one| match one.about {
        About::Pointers(one, two) => Some((one, two)),
        _ => None,
    });
    let pointers = cover::fewest(&pointers.collect::<Vec<_>>());
    let about = |one: &Found<'_>| match one.about {
        About::Pointers(first, second) => match pointers.contains(&first) {
            true => About::Pointers(first, first),
            false => About::Pointers(second, second),
        },
        about => about,
    };
    let mut places: BTreeMap<About, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<Found<'_>>> = Vec::new();
    for one in found {
        let place = *places.entry(about(&one)).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    for group in &mut groups {
        group.sort_by_key(|one| (!one.proved, one.known, one.other.is_write()));
    }
    groups
}

/// True where an obstacle that is known says what another one does.
fn says_again(known: &Obstacle, obstacle: &Obstacle) -> bool {
    let same = known.cause.why == obstacle.cause.why;
    let in_place = known.cause.at == obstacle.cause.at && known.other == obstacle.other;
    // Calls of one function, ways out of the loop.
    let alike = known.proved == obstacle.proved
        && known.remedy == obstacle.remedy
        && [known, obstacle]
            .into_iter()
            .all(|one| one.other.is_none() && one.dependences.is_empty());
    // The place of a greatest value is carried because the value is.
    let follows = matches!(obstacle.remedy, Some(Remedy::FindThenPlace(_)))
        && known.remedy == obstacle.remedy
        && known.proved;
    same && (in_place || alike) || follows
}

/// Keeps what is known of an obstacle that says again what another one says.
fn take(known: &mut Obstacle, obstacle: Obstacle) {
    if known.cause.why == obstacle.cause.why {
        let places = std::iter::once(obstacle.cause.at).chain(obstacle.also);
        for place in places {
            if place != known.cause.at && !known.also.contains(&place) {
                known.also.push(place);
            }
        }
    }
    for dependence in obstacle.dependences {
        if !known.dependences.contains(&dependence) {
            known.dependences.push(dependence);
        }
    }
}

/// Obstacles without those that say again what another one says: proved ones first, else in the order in which they came up.
pub(super) fn smallest(mut obstacles: Vec<Obstacle>) -> Vec<Obstacle> {
    obstacles.sort_by_key(|obstacle| !obstacle.proved);
    let mut kept: Vec<Obstacle> = Vec::new();
    for obstacle in obstacles {
        match kept.iter_mut().find(|known| says_again(known, &obstacle)) {
            Some(known) => take(known, obstacle),
            None => kept.push(obstacle),
        }
    }
    // Which iteration is the last that sets a variable can be found only if nothing else keeps them in order.
    let is_last = |obstacle: &Obstacle| matches!(obstacle.remedy, Some(Remedy::KeepLast(_)));
    if !kept.iter().all(is_last) {
        for obstacle in kept.iter_mut().filter(|obstacle| is_last(obstacle)) {
            obstacle.remedy = None;
        }
    }
    kept
}
