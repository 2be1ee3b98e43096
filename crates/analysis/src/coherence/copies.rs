//! Which bytes of an object are up to date on the host, and which on the device?
//!
//! An object is cut into pieces at bytes whose order is proved. For each piece both copies are compared with the newest value, the one of the sequential
//! program: a copy has it, or lacks it for a reason. What is done to a range of bytes is done to the pieces inside it; pieces of which it is not known
//! whether they are inside are changed *perhaps*, and are never the ground of an error.

use super::asked::Asked;
use super::defect::{Confidence, Moved};
use super::ledger::Side;
use ferry_ir::StmtId;
use ferry_source::Origin;
use ferry_symbolic::{Condition, Expr, Facts};

/// Why a copy is not the newest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The other side wrote.
    Written,
    /// Device memory to which nothing was copied.
    NeverCopied,
    /// The device wrote, and its copy is gone.
    Ended,
    /// Device memory to which nothing was written came over it.
    Unwritten,
    /// Old values of the device came back over newer ones of the host.
    Overwritten,
    /// Old values of the host came over newer ones of the device.
    DeviceOverwritten,
    /// A copy was changed that only one construct has.
    OwnCopy,
}

/// One of the ways in which a path came here.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// This holds, and it speaks of nothing but what callers choose: there may be a call with which it does.
    Known(Condition),
    /// This holds. It speaks of what the program has computed: whether it ever can hold is not known.
    Computed(Condition),
    /// A loop ran at least once, whose number of iterations callers choose.
    Ran(Condition),
    /// The condition of this statement, of which nothing is known, was true or false.
    Statement(StmtId, bool),
}

/// On which of two paths that meet something was so.
#[derive(Clone, Copy)]
pub enum Way<'a> {
    /// On one on which all of these came out so.
    Under(&'a [Literal]),
    /// On one that jumped here, or on one that did not.
    Jump,
    /// On one through a loop, with what is known of the loop then.
    Loop(Option<&'a Literal>),
    /// On one past a loop that does not run.
    Past,
}

/// The ways on which two paths came that meet.
pub type Ways<'a> = [Way<'a>; 2];

/// A copy that lacks the newest value.
#[derive(Clone, PartialEq, Debug)]
pub struct Wrong {
    /// For which reason.
    pub why: Why,
    /// How sure.
    pub confidence: Confidence,
    /// Not all bytes of the piece are concerned.
    pub in_parts: bool,
    /// Where the newest value was written.
    pub written: Option<Origin>,
    /// The clause that did not move it, or moved something else.
    pub moved: Option<Moved>,
    /// On the paths of which all this holds.
    pub when: Vec<Literal>,
    /// It was so at the end of an earlier iteration of a loop.
    pub around: bool,
    /// Conditions that have come out in one way since, while it was so on some of the paths only: they may exclude those paths.
    pub crossed: Vec<StmtId>,
}

/// A copy of a piece.
#[derive(Clone, PartialEq, Debug)]
pub enum Copy {
    /// It has the newest value.
    Newest,
    /// It has not.
    Wrong(Wrong),
    /// There is none.
    Absent,
}

/// Whether there is a value at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Defined {
    /// Nothing was written yet.
    No,
    /// Perhaps something was.
    Perhaps,
    /// Something was.
    Yes,
}

/// What is known of the bytes between two cuts.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    pub defined: Defined,
    pub host: Copy,
    pub device: Copy,
}

/// How a range lies over a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cover {
    /// All of the piece is in the range.
    Whole,
    /// It is not known which part is.
    Perhaps,
}

/// Bytes of an object, counted from its root; `None` is without end.
#[derive(Clone, PartialEq, Debug)]
pub struct Extent {
    pub low: Option<Expr>,
    pub high: Option<Expr>,
}

impl Extent {
    pub fn everything() -> Extent {
        Extent {
            low: None,
            high: None,
        }
    }

    pub fn new(low: Expr, high: Expr) -> Extent {
        Extent {
            low: Some(low),
            high: Some(high),
        }
    }

    pub fn bytes(&self) -> Option<(Expr, Expr)> {
        Some((self.low.clone()?, self.high.clone()?))
    }

    /// What is known if it is not empty, and how sure that is; `None` if it is certainly empty.
    pub fn not_empty(&self, facts: &Facts) -> Option<(Facts, Confidence)> {
        let Some((low, high)) = self.bytes() else {
            return Some((facts.clone(), Confidence::Proven));
        };
        if below(&low, &high, facts) {
            return Some((facts.clone(), Confidence::Proven));
        }
        if at_most(&high, &low, facts) {
            return None;
        }
        let mut facts = facts.clone();
        facts.assume_nonnegative(&(&high - &low) - &Expr::one());
        (!facts.infeasible()).then_some((facts, Confidence::Likely))
    }

    /// True if the other one lies in this one.
    pub fn contains(&self, other: &Extent, facts: &Facts) -> bool {
        let low = match (&self.low, &other.low) {
            (None, _) => true,
            (Some(own), Some(low)) => at_most(own, low, facts),
            (Some(_), None) => false,
        };
        low && match (&self.high, &other.high) {
            (None, _) => true,
            (Some(own), Some(high)) => at_most(high, own, facts),
            (Some(_), None) => false,
        }
    }

    /// True if no byte is in both.
    pub fn is_apart(&self, other: &Extent, facts: &Facts) -> bool {
        let before = |one: &Extent, two: &Extent| {
            let ends = one.high.as_ref().zip(two.low.as_ref());
            ends.is_some_and(|(high, low)| at_most(high, low, facts))
        };
        before(self, other) || before(other, self)
    }
}

/// True if it is proved that one is not greater than the other.
pub fn at_most(one: &Expr, other: &Expr, facts: &Facts) -> bool {
    one == other || facts.prove_nonnegative(&(other - one))
}

/// True if it is proved that one is less than the other.
pub fn below(one: &Expr, other: &Expr, facts: &Facts) -> bool {
    facts.prove_nonnegative(&(&(other - one) - &Expr::one()))
}

/// The pieces of one object.
#[derive(Clone, PartialEq, Debug)]
pub struct Pieces {
    /// In order; each is proved to be not less than the one before.
    cuts: Vec<Expr>,
    /// One more than cuts.
    pieces: Vec<Piece>,
}

impl Pieces {
    pub fn all(piece: Piece) -> Pieces {
        Pieces {
            cuts: Vec::new(),
            pieces: vec![piece],
        }
    }

    /// The pieces with the bytes between their cuts.
    pub fn iter(&self) -> impl Iterator<Item = (Extent, &Piece)> {
        self.pieces
            .iter()
            .enumerate()
            .map(|(at, piece)| (self.extent(at), piece))
    }

    /// True if nothing was written to any of it.
    pub fn is_nowhere_defined(&self) -> bool {
        self.pieces.iter().all(|piece| piece.defined == Defined::No)
    }

    fn extent(&self, at: usize) -> Extent {
        Extent {
            low: at.checked_sub(1).map(|before| self.cuts[before].clone()),
            high: self.cuts.get(at).cloned(),
        }
    }

    /// Cuts at a byte that is proved to lie before or behind each cut from `from` on; gives the number of the piece that begins there.
    fn cut(&mut self, at: &Expr, from: usize, facts: &Facts) -> Option<usize> {
        if let Some(known) = self.cuts.iter().position(|cut| cut == at) {
            return Some(known + 1);
        }
        let mut place = from;
        while let Some(cut) = self.cuts.get(place) {
            if at_most(at, cut, facts) {
                if at_most(cut, at, facts) {
                    return Some(place + 1);
                }
                break;
            }
            if !at_most(cut, at, facts) {
                return None;
            }
            place += 1;
        }
        self.cuts.insert(place, at.clone());
        let piece = self.pieces[place].clone();
        self.pieces.insert(place, piece);
        Some(place + 1)
    }

    /// Changes the bytes of a range.
    pub fn change(&mut self, range: &Extent, facts: &Facts, mut f: impl FnMut(&mut Piece, Cover)) {
        let first = match &range.low {
            None => Some(0),
            Some(low) => self.cut(low, 0, facts),
        };
        let end = match (&range.high, first) {
            (None, _) => Some(self.pieces.len()),
            // A range is not empty: what lies before its beginning lies before its end.
            (Some(high), first) => self.cut(high, first.unwrap_or(0), facts),
        };
        match (first, end) {
            (Some(first), Some(end)) => {
                let end = end.min(self.pieces.len());
                for piece in self.pieces.get_mut(first..end).unwrap_or_default() {
                    f(piece, Cover::Whole);
                }
            }
            _ => {
                for at in 0..self.pieces.len() {
                    let extent = self.extent(at);
                    if extent.is_apart(range, facts) {
                        continue;
                    }
                    let cover = match range.contains(&extent, facts) {
                        true => Cover::Whole,
                        false => Cover::Perhaps,
                    };
                    f(&mut self.pieces[at], cover);
                }
            }
        }
        self.simplify();
    }

    /// Takes out cuts between pieces that are alike.
    fn simplify(&mut self) {
        let mut at = 0;
        while at < self.cuts.len() {
            if self.pieces[at] == self.pieces[at + 1] {
                self.cuts.remove(at);
                self.pieces.remove(at + 1);
            } else {
                at += 1;
            }
        }
    }

    /// What may be so where two paths meet, each under its own condition.
    pub fn meet(mut self, mut other: Pieces, ways: Ways<'_>) -> Pieces {
        let facts = Facts::new();
        for cut in other.cuts.clone() {
            self.cut(&cut, 0, &facts);
        }
        for cut in self.cuts.clone() {
            other.cut(&cut, 0, &facts);
        }
        if self.cuts != other.cuts {
            self = Pieces::all(self.blurred());
            other = Pieces::all(other.blurred());
        }
        let pairs = self.pieces.into_iter().zip(other.pieces);
        let mut met = Pieces {
            cuts: self.cuts,
            pieces: pairs.map(|(one, two)| one.meet(two, ways)).collect(),
        };
        met.simplify();
        met
    }

    /// What is left where the condition of a statement is known to have come out so.
    pub fn assume(&mut self, literal: &Literal, of: StmtId, asked: &Asked) {
        for wrong in self.wrong_copies() {
            let Copy::Wrong(found) = wrong else { continue };
            if found.when.iter().any(|one| one.excludes(literal, asked)) {
                *wrong = Copy::Newest;
                continue;
            }
            found.when.retain(|one| !literal.implies(one, asked));
            if found.is_on_some_paths() && !found.goes_with(literal) && !found.crossed.contains(&of) {
                found.crossed.push(of);
            }
        }
        self.simplify();
    }

    /// A loop, or another statement that some paths leave by a jump, is behind what was so on some of the paths only.
    pub fn cross(&mut self, of: StmtId) {
        for wrong in self.wrong_copies() {
            if let Copy::Wrong(found) = wrong
                && found.is_on_some_paths()
                && !found.crossed.contains(&of)
            {
                found.crossed.push(of);
            }
        }
        self.simplify();
    }

    /// True if one of the copies of a piece is not the newest on some of the paths only: what comes out in one way here may exclude these.
    pub fn is_wrong_on_some_paths(&self) -> bool {
        self.wrong().any(Wrong::is_on_some_paths)
    }

    /// True if one of the copies of a piece is not the newest.
    pub fn is_wrong_somewhere(&self) -> bool {
        self.wrong().next().is_some()
    }

    /// True if [`Pieces::settle`] changes nothing.
    pub fn is_settled(&self, open: &[StmtId]) -> bool {
        self.wrong()
            .all(|wrong| wrong.crossed.iter().all(|one| open.contains(one)))
    }

    fn wrong(&self) -> impl Iterator<Item = &Wrong> {
        let copies = self.pieces.iter().flat_map(|piece| [&piece.host, &piece.device]);
        copies.filter_map(|copy| match copy {
            Copy::Wrong(wrong) => Some(wrong),
            Copy::Newest | Copy::Absent => None,
        })
    }

    /// True if it is one piece.
    pub fn is_uncut(&self) -> bool {
        self.cuts.is_empty()
    }

    /// The paths have met again, but for those that these conditions keep apart.
    pub fn settle(&mut self, open: &[StmtId]) {
        for wrong in self.wrong_copies() {
            if let Copy::Wrong(found) = wrong {
                found.crossed.retain(|one| open.contains(one));
            }
        }
        self.simplify();
    }

    fn wrong_copies(&mut self) -> impl Iterator<Item = &mut Copy> {
        let copies = self
            .pieces
            .iter_mut()
            .flat_map(|piece| [&mut piece.host, &mut piece.device]);
        copies.filter(|copy| matches!(copy, Copy::Wrong(_)))
    }

    /// What is wrong under a condition is no more than possible.
    pub fn doubt_conditional(&mut self) {
        for piece in &mut self.pieces {
            for copy in [&mut piece.host, &mut piece.device] {
                if let Copy::Wrong(wrong) = copy
                    && (!wrong.when.is_empty() || wrong.confidence == Confidence::Likely)
                {
                    wrong.confidence = Confidence::Possible;
                }
            }
        }
        self.simplify();
    }

    /// Everything as one piece.
    fn blurred(self) -> Piece {
        let mut pieces = self.pieces.into_iter();
        let Some(mut all) = pieces.next() else {
            return Piece {
                defined: Defined::Perhaps,
                host: Copy::Newest,
                device: Copy::Absent,
            };
        };
        for piece in pieces {
            all = all.meet(piece, [Way::Jump; 2]);
            all.doubt(Confidence::Possible);
        }
        all
    }

    /// The pieces as they are seen from another iteration: without cuts and conditions for which `varies` is true.
    pub fn without(&mut self, varies: &dyn Fn(&Expr) -> bool, lost: &dyn Fn(&Literal) -> bool) {
        while let Some(at) = self.cuts.iter().position(varies) {
            self.cuts.remove(at);
            let next = self.pieces.remove(at + 1);
            let mut both = self.pieces[at].clone().meet(next, [Way::Jump; 2]);
            both.doubt(Confidence::Possible);
            self.pieces[at] = both;
        }
        for piece in &mut self.pieces {
            for copy in [&mut piece.host, &mut piece.device] {
                if let Copy::Wrong(wrong) = copy {
                    let before = wrong.when.len();
                    wrong.when.retain(|literal| !lost(literal));
                    // Whether it can be so in another iteration, or behind the last one, is not known.
                    if wrong.when.len() != before {
                        wrong.confidence = Confidence::Possible;
                    }
                    wrong.around = true;
                }
            }
        }
        self.simplify();
    }
}

impl Piece {
    pub fn copy(&self, side: Side) -> &Copy {
        match side {
            Side::Host => &self.host,
            Side::Device => &self.device,
        }
    }

    pub fn copy_mut(&mut self, side: Side) -> &mut Copy {
        match side {
            Side::Host => &mut self.host,
            Side::Device => &mut self.device,
        }
    }

    fn meet(self, other: Piece, ways: Ways<'_>) -> Piece {
        Piece {
            defined: match self.defined == other.defined {
                true => self.defined,
                false => Defined::Perhaps,
            },
            host: self.host.meet(other.host, ways),
            device: self.device.meet(other.device, ways),
        }
    }

    /// Nothing of it is surer than this.
    pub fn doubt(&mut self, confidence: Confidence) {
        for copy in [&mut self.host, &mut self.device] {
            if let Copy::Wrong(wrong) = copy {
                wrong.confidence = wrong.confidence.max(confidence);
                wrong.in_parts = true;
            }
        }
    }
}

impl Copy {
    fn meet(self, other: Copy, ways: Ways<'_>) -> Copy {
        let on_one_path = |mut wrong: Wrong, way: Way<'_>| {
            let at_least = match way {
                Way::Under(literals) => {
                    let new = literals.iter().filter(|one| !wrong.when.contains(one));
                    let new: Vec<Literal> = new.cloned().collect();
                    wrong.when.extend(new);
                    // It was on some paths only before, and these may be just those that the condition excludes.
                    match wrong.confidence {
                        Confidence::Likely => Confidence::Possible,
                        other => other,
                    }
                }
                Way::Jump if wrong.is_on_some_paths() => Confidence::Possible,
                Way::Jump => Confidence::Likely,
                Way::Loop(Some(ran)) => {
                    if !wrong.when.contains(ran) {
                        wrong.when.push(ran.clone());
                    }
                    Confidence::Proven
                }
                Way::Loop(None) => Confidence::Likely,
                // That a loop does not run at all may be excluded by what is not seen.
                Way::Past => Confidence::Possible,
            };
            wrong.confidence = wrong.confidence.max(at_least);
            Copy::Wrong(wrong)
        };
        match (self, other) {
            (Copy::Wrong(one), Copy::Wrong(two)) => {
                let mut when = one.when.clone();
                when.retain(|literal| two.when.contains(literal));
                // On either path it is wrong; each under conditions of its own.
                let dropped = || {
                    let both = one.when.iter().chain(&two.when);
                    both.filter(|literal| !when.contains(literal))
                };
                // Conditions that differ may leave no path on which it is so later.
                let at_least = match dropped().next() {
                    None => Confidence::Proven,
                    Some(_) if dropped().all(|one| matches!(one, Literal::Ran(_))) => Confidence::Likely,
                    Some(_) => Confidence::Possible,
                };
                let mut crossed = one.crossed.clone();
                crossed.extend(two.crossed.iter().filter(|id| !one.crossed.contains(id)));
                Copy::Wrong(Wrong {
                    confidence: one.confidence.max(two.confidence).max(at_least),
                    crossed,
                    in_parts: one.in_parts || two.in_parts,
                    around: one.around && two.around,
                    when,
                    ..one
                })
            }
            (Copy::Wrong(wrong), _) => on_one_path(wrong, ways[0]),
            (_, Copy::Wrong(wrong)) => on_one_path(wrong, ways[1]),
            (Copy::Absent, Copy::Absent) => Copy::Absent,
            _ => Copy::Newest,
        }
    }
}

impl Literal {
    fn condition(&self) -> Option<&Condition> {
        match self {
            Literal::Known(condition) | Literal::Computed(condition) | Literal::Ran(condition) => {
                Some(condition)
            }
            Literal::Statement(..) => None,
        }
    }

    /// True if both cannot hold.
    fn excludes(&self, other: &Literal, asked: &Asked) -> bool {
        match (self, other) {
            (Literal::Statement(one, outcome), Literal::Statement(two, other)) => {
                one == two && outcome != other
            }
            _ => self.condition().zip(other.condition()).is_some_and(|(one, two)| {
                let not = one.not();
                not == *two || asked.follows(&not, two)
            }),
        }
    }

    /// True if the other one holds where this one does.
    fn implies(&self, other: &Literal, asked: &Asked) -> bool {
        let follows = |one: &Condition, two: &Condition| one == two || asked.follows(two, one);
        self == other
            || self
                .condition()
                .zip(other.condition())
                .is_some_and(|(one, two)| follows(one, two))
    }
}

fn assuming(condition: &Condition) -> Facts {
    let mut facts = Facts::new();
    facts.assume(condition);
    facts
}

impl Wrong {
    /// A copy that is not the newest, whatever the path.
    pub fn because(why: Why, confidence: Confidence, in_parts: bool) -> Wrong {
        Wrong {
            why,
            confidence,
            in_parts,
            written: None,
            moved: None,
            when: Vec::new(),
            around: false,
            crossed: Vec::new(),
        }
    }

    /// True if it is so on some of the paths that came here only.
    fn is_on_some_paths(&self) -> bool {
        !self.when.is_empty() || self.confidence == Confidence::Likely
    }

    /// True if callers may choose what makes it so and, beside that, what makes a condition come out so.
    fn goes_with(&self, literal: &Literal) -> bool {
        let Literal::Known(condition) = literal else {
            return false;
        };
        let mut facts = assuming(condition);
        for one in &self.when {
            match one {
                Literal::Known(condition) | Literal::Ran(condition) => facts.assume(condition),
                Literal::Computed(_) | Literal::Statement(..) => return false,
            }
        }
        self.confidence == Confidence::Proven && !facts.infeasible()
    }

    /// How sure it is where these facts hold, on a path with these outcomes of conditions; `None` if it cannot be.
    pub fn confidence_at(&self, facts: &Facts, path: &[(StmtId, bool)]) -> Option<Confidence> {
        let mut confidence = self.confidence;
        let mut open = 0;
        for literal in &self.when {
            let holds = match literal {
                Literal::Statement(stmt, outcome) => {
                    if path.contains(&(*stmt, !outcome)) {
                        return None;
                    }
                    path.contains(&(*stmt, *outcome))
                }
                Literal::Known(condition) | Literal::Computed(condition) | Literal::Ran(condition) => {
                    if facts.prove(&condition.not()) {
                        return None;
                    }
                    facts.prove(condition)
                }
            };
            if !holds {
                open += usize::from(!matches!(literal, Literal::Ran(_)));
                // Of a condition that is not known it is not known either which others go with it.
                confidence = confidence.max(match literal {
                    Literal::Known(_) | Literal::Ran(_) => Confidence::Likely,
                    Literal::Computed(_) | Literal::Statement(..) => Confidence::Possible,
                });
            }
        }
        if !self.crossed.is_empty() {
            confidence = Confidence::Possible;
        }
        // Whether several conditions can hold together is not asked.
        if open > 1 {
            confidence = Confidence::Possible;
        }
        Some(confidence)
    }
}
