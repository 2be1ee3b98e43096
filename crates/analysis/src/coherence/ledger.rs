//! Of one object: which transfers have brought values that nobody has used yet, and of which bytes are both copies the same?
//!
//! This looks at copies as they are, not at what the sequential program has: a transfer is *pending* while the values that it brought lie in the copy to which it brought them.
//! A read of any of them, for certain or perhaps, makes it needed; so does everything that is not understood. Where all of them are certainly overwritten, or
//! the copy ends, it is forgotten: on this path it brought nothing. A transfer between copies that are the same brings nothing either; it rests on
//! what made them the same, which therefore counts as used.
//!
//! It cannot put together several writes that only together cover a section: the transfer is needed then.

use super::book::{Event, SharedBook};
use super::construct::Section;
use super::copies::Extent;
use super::defect::Confidence;
use super::history::Act;
use super::object::Touch;
use ferry_symbolic::{Expr, Facts, Symbol};
use std::rc::Rc;

/// One of the two copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Host,
    Device,
}

/// A transfer of which nobody has used what it brought.
#[derive(Clone, PartialEq, Debug)]
struct Pending {
    /// Its number in the book.
    transfer: usize,
    /// Where the values lie.
    side: Side,
    extent: Extent,
}

/// What is known of the transfers of one object.
#[derive(Clone, Default)]
pub struct Ledger {
    /// Where outcomes go, and which object this is; `None` if nobody asks.
    book: Option<(Rc<SharedBook>, Symbol)>,
    pending: Vec<Pending>,
    /// Bytes of which both copies are the same.
    same: Vec<Extent>,
    /// What is on the device, by its number in the book, with its bytes.
    lent: Vec<(usize, Extent)>,
}

impl PartialEq for Ledger {
    fn eq(&self, other: &Ledger) -> bool {
        self.pending == other.pending
            && self.same == other.same
            && self.lent == other.lent
            && self.book.is_some() == other.book.is_some()
    }
}

impl std::fmt::Debug for Ledger {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.debug_struct("Ledger")
            .field("pending", &self.pending)
            .field("same", &self.same)
            .field("lent", &self.lent)
            .finish_non_exhaustive()
    }
}

impl Ledger {
    /// The ledger of an object whose outcomes go into a book.
    pub fn of(book: Rc<SharedBook>, root: Symbol) -> Ledger {
        Ledger {
            book: Some((book, root)),
            ..Ledger::default()
        }
    }

    /// True if nothing is known of any transfer.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty() && self.same.is_empty() && self.lent.is_empty()
    }

    /// True if a read of this copy may use what a transfer brought.
    pub fn is_pending(&self, side: Side, touch: &Touch) -> bool {
        let meets = |one: &&Pending| one.side == side && !one.extent.is_apart(&touch.extent, &touch.facts);
        self.pending.iter().any(|one| meets(&one))
    }

    /// Something is read, perhaps.
    pub fn read(&mut self, side: Side, extent: &Extent, facts: &Facts) {
        self.note(match side {
            Side::Host => Event::HostRead,
            Side::Device => Event::DeviceRead,
        });
        self.used(|one| one.side == side && !one.extent.is_apart(extent, facts));
    }

    /// Something is written, perhaps.
    pub fn write(&mut self, side: Side, touch: &Touch) {
        self.note(match side {
            Side::Host => Event::HostWritten,
            Side::Device => Event::DeviceWritten,
        });
        self.same
            .retain(|same| same.is_apart(&touch.extent, &touch.facts));
        if touch.all != Confidence::Proven || !touch.happens {
            return;
        }
        let Some((book, _)) = &self.book else { return };
        self.pending.retain(|one| {
            let dead = one.side == side && touch.extent.contains(&one.extent, &touch.facts);
            if dead {
                book.overwritten(one.transfer, touch.at);
            }
            !dead
        });
    }

    /// A transfer that certainly takes place.
    pub fn transfer(&mut self, section: &Section, act: Act, to_device: bool, facts: &Facts) {
        let Some((book, _)) = self.book.clone() else {
            return;
        };
        let (from, to) = match to_device {
            true => (Side::Host, Side::Device),
            false => (Side::Device, Side::Host),
        };
        let extent = &section.extent;
        let same = self.same.iter().any(|same| same.contains(extent, facts));
        let transfer = book.happens(section, act, to_device, !same);
        let meets = |one: &Pending| !one.extent.is_apart(extent, facts);
        if same {
            self.used(meets);
            return;
        }
        self.used(|one| one.side == from && meets(one));
        self.pending
            .retain(|one| one.side != to || !extent.contains(&one.extent, facts));
        self.pending.push(Pending {
            transfer,
            side: to,
            extent: extent.clone(),
        });
        self.same.push(extent.clone());
    }

    /// A transfer that perhaps takes place, or of bytes that are not clear.
    pub fn perhaps(&mut self, section: &Section, act: Act, to_device: bool) {
        let Some((book, _)) = self.book.clone() else {
            return;
        };
        book.unclear(section, act, to_device);
        self.doubt();
    }

    /// A section is put on the device, or stays there once more.
    pub fn mapped(&mut self, section: &Section) {
        if let Some((book, root)) = &self.book {
            book.mapped(*root, section);
        }
    }

    /// A section is put on the device: what is touched of it from now on is what it is there for.
    pub fn lend(&mut self, section: &Section, facts: &Facts) {
        let Some((book, _)) = &self.book else { return };
        let number = book.lend(section, facts);
        if !self.lent.iter().any(|one| one.0 == number) {
            self.lent.push((number, section.extent.clone()));
        }
    }

    /// What is on the device, by its number in the book.
    pub fn lent(&self) -> impl Iterator<Item = usize> {
        self.lent.iter().map(|one| one.0)
    }

    /// A directive names a part of what is on the device, which has to be there.
    pub fn named(&self, extent: &Extent, facts: &Facts) {
        let Some((book, _)) = &self.book else { return };
        for number in self.lent() {
            book.part(number, extent, facts);
        }
    }

    /// What was lent is taken off the device by a section.
    pub fn taken_off(&mut self, section: &Section, extent: &Extent, certain: bool, facts: &Facts) {
        let Some((book, _)) = &self.book else { return };
        self.lent.retain(|(number, lent)| {
            if lent == extent {
                book.taken_off(*number, section, certain, facts);
            }
            lent != extent
        });
    }

    /// All that is on the device may be touched.
    pub fn all_is_used(&self) {
        let Some((book, _)) = &self.book else { return };
        self.lent().for_each(|number| book.whole(number));
    }

    /// The device copy of a section is given up.
    pub fn ended(&mut self, extent: &Extent, facts: &Facts) {
        self.pending
            .retain(|one| one.side != Side::Device || !extent.contains(&one.extent, facts));
        self.used(|one| one.side == Side::Device && !one.extent.is_apart(extent, facts));
        self.same.retain(|same| same.is_apart(extent, facts));
    }

    /// Anything may have happened: all that is pending is needed.
    pub fn doubt(&mut self) {
        self.note(Event::Unclear);
        self.all_is_used();
        self.used(|_| true);
        self.same.clear();
    }

    /// The program ends, or what is asked about: what the host copy holds may still be wanted, and what is on the device.
    pub fn finish(&mut self, host: bool, device: bool) {
        self.all_is_used();
        self.used(|one| match one.side {
            Side::Host => host,
            Side::Device => device,
        });
    }

    /// What may be so where two paths meet.
    pub fn meet(mut self, other: Ledger) -> Ledger {
        for one in other.pending {
            if !self.pending.contains(&one) {
                self.pending.push(one);
            }
        }
        self.same.retain(|same| other.same.contains(same));
        for one in other.lent {
            if !self.lent.contains(&one) {
                self.lent.push(one);
            }
        }
        self.book = self.book.or(other.book);
        self
    }

    /// As it is seen from another iteration: sections that lie elsewhere there are needed here.
    pub fn without(&mut self, varies: &dyn Fn(&Expr) -> bool) {
        let moves = |extent: &Extent| [&extent.low, &extent.high].into_iter().flatten().any(varies);
        self.used(|one| moves(&one.extent));
        self.same.retain(|same| !moves(same));
        if let Some((book, _)) = &self.book {
            self.lent.retain(|(number, extent)| {
                let moves = moves(extent);
                if moves {
                    book.whole(*number);
                }
                !moves
            });
        }
    }

    fn note(&self, event: Event) {
        if let Some((book, root)) = &self.book {
            book.note(*root, event);
        }
    }

    fn used(&mut self, is_used: impl Fn(&Pending) -> bool) {
        let Some((book, _)) = &self.book else { return };
        self.pending.retain(|one| {
            let used = is_used(one);
            if used {
                book.needed(one.transfer);
            }
            !used
        });
    }
}
