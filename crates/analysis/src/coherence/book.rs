//! What became of every transfer that a program does, on all paths, in all calls, in all iterations together?
//!
//! One entry for each clause item and direction. It is needed if one of its transfers was, anywhere; advice is given about the others. What is moved in
//! every iteration of a loop is in [`super::around`].

use super::around::Around;
use super::construct::Section;
use super::copies::Extent;
use super::defect::{Confidence, Defect, Kind};
use super::history::Act;
use super::lent::Lent;
use crate::loops::LoopIndex;
use crate::value::Values;
use ferry_source::{Origin, Span};
use ferry_symbolic::{Expr, Facts, Symbol};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What happens to an object besides transfers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    HostRead,
    HostWritten,
    DeviceRead,
    DeviceWritten,
    /// Something that is not understood.
    Unclear,
}

/// What makes two transfers of two calls the same one for a reader: the place in the text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Key {
    /// The clause, or the directive: file, first and last byte.
    at: (u32, u32, u32),
    /// The item in the clause.
    item: Option<(u32, u32, u32)>,
    /// The variable, where no clause names it.
    variable: String,
    act: Act,
    to_device: bool,
}

/// A transfer, or a transfer in every iteration of the loop at this place.
type InLoop = (Key, Option<(u32, u32, u32)>);

/// One transfer of the text.
pub struct Transfer {
    pub key: Key,
    pub section: Section,
    pub act: Act,
    pub to_device: bool,
    /// Values that it brought are used, or may be.
    pub needed: bool,
    /// It does not always find both copies the same.
    pub differs: bool,
    /// Where something is written over what it brought.
    pub overwritten: Option<Origin>,
}

/// A piece of advice, with what decides whether it is one in other calls, too.
pub struct Advice {
    pub key: InLoop,
    pub defect: Defect,
}

/// What one walk knows of transfers.
#[derive(Default)]
pub struct Judged {
    /// What can be left out, as far as this walk goes.
    pub advice: Vec<Advice>,
    /// What cannot.
    pub needed: BTreeSet<InLoop>,
    /// What is lent to the device, with advice where a shorter section would do.
    pub lent: Vec<JudgedSection>,
}

/// A section that is lent to the device.
pub struct JudgedSection {
    /// The clauses that would change together, that which copies it first.
    keys: Vec<Key>,
    /// What to say; `None` if all of it is needed.
    advice: Option<Defect>,
}

#[derive(Default)]
struct Book {
    transfers: Vec<Transfer>,
    known: BTreeMap<(Key, Symbol), Vec<usize>>,
    /// The loops that are walked again around the place that is reached, with the number of conditions around each.
    loops: Vec<(LoopIndex, usize)>,
    /// The number of conditions around the place that is reached.
    conditions: usize,
    around: BTreeMap<(Symbol, u32), Around>,
    lent: Vec<Lent>,
}

/// A book into which the ledgers of all objects write.
#[derive(Default)]
pub struct SharedBook(RefCell<Book>);

fn place(span: Span) -> (u32, u32, u32) {
    (span.file.0, span.start, span.end)
}

impl SharedBook {
    /// A transfer takes place; gives its number.
    pub fn happens(&self, section: &Section, act: Act, to_device: bool, differs: bool) -> usize {
        let mut book = self.0.borrow_mut();
        let number = book.number(section, act, to_device);
        book.transfers[number].differs |= differs;
        let conditions = book.conditions;
        for (index, outside) in book.loops.clone() {
            let around = book.around.entry((section.root, index.0)).or_default();
            around.transferred(number, act, conditions > outside);
        }
        number
    }

    /// A transfer perhaps takes place.
    pub fn unclear(&self, section: &Section, act: Act, to_device: bool) {
        let number = self.0.borrow_mut().number(section, act, to_device);
        self.needed(number);
        self.note(section.root, Event::Unclear);
    }

    /// A transfer brought what is used.
    pub fn needed(&self, number: usize) {
        self.0.borrow_mut().transfers[number].needed = true;
    }

    /// What a transfer brought is overwritten.
    pub fn overwritten(&self, number: usize, at: Origin) {
        self.0.borrow_mut().transfers[number]
            .overwritten
            .get_or_insert(at);
    }

    /// A section is mapped.
    pub fn mapped(&self, root: Symbol, section: &Section) {
        self.each_around(root, |around| around.mapped(section));
    }

    /// Something happens to an object.
    pub fn note(&self, root: Symbol, event: Event) {
        self.each_around(root, |around| around.note(event));
    }

    fn each_around(&self, root: Symbol, f: impl Fn(&mut Around)) {
        let mut book = self.0.borrow_mut();
        for (index, _) in book.loops.clone() {
            f(book.around.entry((root, index.0)).or_default());
        }
    }

    /// A loop is walked again from here on, so many conditions deep.
    pub fn enter_loop(&self, index: LoopIndex, conditions: usize) {
        self.0.borrow_mut().loops.push((index, conditions));
    }

    /// The end of that.
    pub fn leave_loop(&self) {
        self.0.borrow_mut().loops.pop();
    }

    /// So many conditions are around what happens next.
    pub fn under(&self, conditions: usize) {
        self.0.borrow_mut().conditions = conditions;
    }

    /// A section is put on the device; gives the number under which what is touched of it is kept.
    pub fn lend(&self, section: &Section, facts: &Facts) -> usize {
        let mut book = self.0.borrow_mut();
        let key = Key::of(section, Act::Enter, true);
        let same = |one: &Lent| {
            one.keys[0] == key
                && one.section.by.stmt == section.by.stmt
                && one.section.root == section.root
                && one.section.extent == section.extent
        };
        if let Some(known) = book.lent.iter().position(same) {
            return known;
        }
        let loops = book.loops.iter().map(|(index, _)| *index).collect();
        book.lent.push(Lent::new(key, section, facts, loops));
        book.lent.len() - 1
    }

    /// The loops that were walked again around the place where it was put there.
    pub fn lent_in(&self, number: usize) -> Vec<LoopIndex> {
        self.0.borrow().lent[number].loops.clone()
    }

    /// True if this section of a clause is what was lent.
    pub fn is_lent_by(&self, number: usize, section: &Section) -> bool {
        self.0.borrow().lent[number].keys[0] == Key::of(section, Act::Enter, true)
    }

    /// A part of what was lent is touched.
    pub fn part(&self, number: usize, part: &Extent, facts: &Facts) {
        self.0.borrow_mut().lent[number].touched(part, facts);
    }

    /// The same, by a construct that finds it by the pointer: its first byte has to be there.
    pub fn part_from_first(&self, number: usize, part: &Extent, facts: &Facts) {
        let mut book = self.0.borrow_mut();
        let low = book.lent[number].section.extent.low.clone();
        let high = part.high.clone();
        book.lent[number].touched(&Extent { low, high }, facts);
    }

    /// All of it may be.
    pub fn whole(&self, number: usize) {
        self.0.borrow_mut().lent[number].whole = true;
    }

    /// It is taken off the device.
    pub fn taken_off(&self, number: usize, section: &Section, certain: bool, facts: &Facts) {
        let key = Key::of(section, Act::Enter, true);
        self.0.borrow_mut().lent[number].taken_off(key, section, certain, facts);
    }

    /// What can be left out, and what cannot.
    pub fn judge(&self, values: &Values, varies: &dyn Fn(&Extent, LoopIndex) -> bool) -> Judged {
        let book = self.0.borrow();
        let mut judged = Judged::default();
        for transfer in &book.transfers {
            let key = (transfer.key.clone(), None);
            match transfer.needed {
                true => drop(judged.needed.insert(key)),
                false => judged.advice.push(Advice {
                    key,
                    defect: transfer.defect(transfer.kind(), transfer.overwritten),
                }),
            }
        }
        for ((_, index), around) in &book.around {
            let index = LoopIndex(*index);
            let of = &values.loops[index.0 as usize];
            let trip = of.trip.as_ref().ok().and_then(Expr::as_constant);
            let often = trip.is_none_or(|trip| trip.to_i64().is_none_or(|trip| trip > 1));
            for (number, conditional) in around.transfers() {
                let transfer = &book.transfers[*number];
                let at = of.origin.span().map(place);
                let key = (transfer.key.clone(), at);
                let moves = varies(&transfer.section.extent, index);
                let sound = at.is_some() && !moves && around.may_move_out(transfer);
                match sound && often && !conditional {
                    true => judged.advice.push(Advice {
                        key,
                        defect: transfer.defect(Kind::TransferInLoop, Some(of.origin)),
                    }),
                    false => drop(judged.needed.insert(key)),
                }
            }
        }
        judged.lent = book
            .lent
            .iter()
            .map(|lent| JudgedSection::of(lent, values))
            .collect();
        judged
    }
}

impl JudgedSection {
    fn of(lent: &Lent, values: &Values) -> JudgedSection {
        JudgedSection {
            keys: lent.keys.clone(),
            advice: lent.shorter(values).map(|(section, used)| {
                section.defect(Kind::SectionLongerThanUsed, Confidence::Proven, Some(used))
            }),
        }
    }
}

impl Key {
    fn of(section: &Section, act: Act, to_device: bool) -> Key {
        let at = section.at.span().map_or((u32::MAX, 0, 0), place);
        Key {
            at,
            item: section.named.span().map(place).filter(|item| *item != at),
            variable: section.variable.clone(),
            act,
            to_device,
        }
    }

    /// True if it is the same item of the same clause.
    fn is_of(&self, other: &Key) -> bool {
        (self.at, self.item, &self.variable) == (other.at, other.item, &other.variable)
    }
}

impl Book {
    fn number(&mut self, section: &Section, act: Act, to_device: bool) -> usize {
        let key = Key::of(section, act, to_device);
        let known = self.known.entry((key.clone(), section.root)).or_default();
        let same = known
            .iter()
            .find(|number| self.transfers[**number].section.extent == section.extent);
        if let Some(number) = same {
            return *number;
        }
        let number = self.transfers.len();
        known.push(number);
        self.transfers.push(Transfer {
            key,
            section: section.clone(),
            act,
            to_device,
            needed: false,
            differs: false,
            overwritten: None,
        });
        number
    }
}

impl Transfer {
    fn kind(&self) -> Kind {
        match (self.act, self.differs, self.to_device) {
            (Act::Exit, false, _) => Kind::UnchangedCopyBack,
            (_, false, _) => Kind::RedundantTransfer,
            (_, true, true) => Kind::DeadCopyIn,
            (_, true, false) => Kind::DeadCopyBack,
        }
    }

    fn defect(&self, kind: Kind, written: Option<Origin>) -> Defect {
        Defect {
            written,
            ..self.section.defect(kind, Confidence::Proven, None)
        }
    }
}

/// The advice that holds in all walks together.
pub fn agreed(walks: &mut [Judged]) -> Vec<Vec<Defect>> {
    let needed: BTreeSet<_> = walks
        .iter()
        .flat_map(|walk| walk.needed.iter().cloned())
        .collect();
    let mut useless = BTreeSet::new();
    let mut kept: Vec<Vec<Advice>> = Vec::new();
    for walk in walks.iter_mut() {
        let advice = std::mem::take(&mut walk.advice);
        let advice = advice.into_iter().filter(|one| !needed.contains(&one.key));
        let advice: Vec<Advice> = advice.collect();
        useless.extend(
            advice
                .iter()
                .filter(|one| one.key.1.is_none())
                .map(|one| one.key.0.clone()),
        );
        kept.push(advice);
    }
    // What can be left out need not be moved.
    let said = |one: &Advice| one.key.1.is_none() || !useless.contains(&one.key.0);
    let defects = |advice: Vec<Advice>| advice.into_iter().filter(said).map(|one| one.defect).collect();
    let mut found: Vec<Vec<Defect>> = kept.into_iter().map(defects).collect();
    let needed: Vec<&Key> = needed
        .iter()
        .filter(|one| one.1.is_none())
        .map(|one| &one.0)
        .collect();
    for (found, shorter) in found.iter_mut().zip(shortened(walks, &needed)) {
        found.extend(shorter);
    }
    found
}

/// The sections that may be shorter in all walks. A clause that is needed as it is for one of them keeps those that change with it; what copies nothing
/// that is needed is left to other advice.
fn shortened(walks: &mut [Judged], needed: &[&Key]) -> Vec<Vec<Defect>> {
    let mut kept: BTreeSet<Key> = BTreeSet::new();
    loop {
        let before = kept.len();
        for one in walks.iter().flat_map(|walk| &walk.lent) {
            if one.advice.is_none() || one.keys.iter().any(|key| kept.contains(key)) {
                kept.extend(one.keys.iter().cloned());
            }
        }
        if kept.len() == before {
            break;
        }
    }
    let is_needed = |one: &JudgedSection| {
        one.keys
            .iter()
            .any(|key| needed.iter().any(|other| key.is_of(other)))
    };
    let said = |one: &JudgedSection| !one.keys.iter().any(|key| kept.contains(key)) && is_needed(one);
    walks
        .iter_mut()
        .map(|walk| {
            let lent = std::mem::take(&mut walk.lent);
            let mut advice: Vec<Defect> = lent
                .into_iter()
                .filter(said)
                .filter_map(|one| one.advice)
                .collect();
            // One clause may lend several sections, one in each call: what suffices for one is not what suffices.
            let several: BTreeSet<usize> = (0..advice.len())
                .filter(|at| {
                    let same =
                        |other: &&Defect| other.named == advice[*at].named && other.at == advice[*at].at;
                    advice.iter().filter(same).count() > 1
                })
                .collect();
            for at in several {
                advice[at].kind = Kind::SectionsLongerThanUsed;
            }
            advice
        })
        .collect()
}
