//! Which bytes of an object are up to date on the host, and which on the device?
//!
//! An object is cut into pieces at bytes whose order is proved. For each piece both copies are compared with the newest value, the one of the sequential
//! program: a copy has it, or lacks it for a reason. What is done to a range of bytes is done to the pieces inside it; pieces of which it is not known
//! whether they are inside are changed *perhaps*, and are never the ground of an error.

use super::defect::{Confidence, Moved};
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
    /// Old values came back over newer ones.
    Overwritten,
    /// A copy was changed that only one construct has.
    OwnCopy,
}

/// One of the ways in which a path came here.
#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// This holds.
    Known(Condition),
    /// The condition of this statement, of which nothing is known, was true or false.
    Statement(StmtId, bool),
}

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
    pub fn meet(mut self, mut other: Pieces, own: Option<&Literal>, others: Option<&Literal>) -> Pieces {
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
            pieces: pairs.map(|(one, two)| one.meet(two, own, others)).collect(),
        };
        met.simplify();
        met
    }

    /// What is left where a condition is known to have come out so.
    pub fn assume(&mut self, literal: &Literal) {
        let against = literal.not();
        for piece in &mut self.pieces {
            for copy in [&mut piece.host, &mut piece.device] {
                let Copy::Wrong(wrong) = copy else { continue };
                if wrong.when.contains(&against) {
                    *copy = Copy::Newest;
                } else {
                    wrong.when.retain(|one| one != literal);
                }
            }
        }
        self.simplify();
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
            all = all.meet(piece, None, None);
            all.doubt(Confidence::Possible);
        }
        all
    }

    /// The pieces as they are seen from another iteration: without cuts and conditions for which `varies` is true.
    pub fn without(&mut self, varies: &dyn Fn(&Expr) -> bool, lost: &dyn Fn(&Literal) -> bool) {
        while let Some(at) = self.cuts.iter().position(varies) {
            self.cuts.remove(at);
            let next = self.pieces.remove(at + 1);
            let mut both = self.pieces[at].clone().meet(next, None, None);
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
    fn meet(self, other: Piece, own: Option<&Literal>, others: Option<&Literal>) -> Piece {
        Piece {
            defined: match self.defined == other.defined {
                true => self.defined,
                false => Defined::Perhaps,
            },
            host: self.host.meet(other.host, own, others),
            device: self.device.meet(other.device, own, others),
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
    fn meet(self, other: Copy, own: Option<&Literal>, others: Option<&Literal>) -> Copy {
        let on_one_path = |mut wrong: Wrong, literal: Option<&Literal>| {
            match literal {
                Some(literal) if !wrong.when.contains(literal) => wrong.when.push(literal.clone()),
                Some(_) => {}
                None => wrong.confidence = wrong.confidence.max(Confidence::Likely),
            }
            Copy::Wrong(wrong)
        };
        match (self, other) {
            (Copy::Wrong(one), Copy::Wrong(two)) => {
                let mut when = one.when.clone();
                when.retain(|literal| two.when.contains(literal));
                // On either path it is wrong; each under conditions of its own.
                let dropped = when.len() != one.when.len() || when.len() != two.when.len();
                let confidence = one.confidence.max(two.confidence);
                Copy::Wrong(Wrong {
                    // Conditions that differ may leave no path on which it is so later.
                    confidence: match dropped {
                        true => Confidence::Possible,
                        false => confidence,
                    },
                    in_parts: one.in_parts || two.in_parts,
                    around: one.around && two.around,
                    when,
                    ..one
                })
            }
            (Copy::Wrong(wrong), _) => on_one_path(wrong, own),
            (_, Copy::Wrong(wrong)) => on_one_path(wrong, others),
            (Copy::Absent, Copy::Absent) => Copy::Absent,
            _ => Copy::Newest,
        }
    }
}

impl Literal {
    fn not(&self) -> Literal {
        match self {
            Literal::Known(condition) => Literal::Known(condition.not()),
            Literal::Statement(stmt, outcome) => Literal::Statement(*stmt, !outcome),
        }
    }
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
        }
    }

    /// How sure it is where these facts hold, on a path with these outcomes of conditions; `None` if it cannot be.
    pub fn confidence_at(&self, facts: &Facts, path: &[(StmtId, bool)]) -> Option<Confidence> {
        let mut confidence = self.confidence;
        let mut open = 0;
        for literal in &self.when {
            let holds = match literal {
                Literal::Known(condition) => {
                    if facts.prove(&condition.not()) {
                        return None;
                    }
                    facts.prove(condition)
                }
                Literal::Statement(stmt, outcome) => {
                    if path.contains(&(*stmt, !outcome)) {
                        return None;
                    }
                    path.contains(&(*stmt, *outcome))
                }
            };
            if !holds {
                open += 1;
                // Of a condition that is not known it is not known either which others go with it.
                confidence = confidence.max(match literal {
                    Literal::Known(_) => Confidence::Likely,
                    Literal::Statement(..) => Confidence::Possible,
                });
            }
        }
        // Whether several conditions can hold together is not asked.
        if open > 1 {
            confidence = Confidence::Possible;
        }
        Some(confidence)
    }
}
