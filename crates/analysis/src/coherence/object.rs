//! What happens to one object when host and device touch it, and when directives move it?
//!
//! The rules of mapping (OpenMP 5.0 §2.19.7; every exit counts down, in all versions): the first mapping of storage makes a device copy, nested ones count up,
//! the last exit copies back if it says so and ends the copy.

use super::construct::Section;
use super::copies::{Copy, Cover, Defined, Extent, Literal, Piece, Pieces, Ways, Why, Wrong, at_most, below};
use super::defect::{Confidence, Defect, Kind, Moved};
use super::history::Act;
use super::holes::Holes;
use super::ledger::{Ledger, Side};
use ferry_directive::Direction;
use ferry_ir::StmtId;
use ferry_source::Origin;
use ferry_symbolic::{Expr, Facts, Symbol};

/// How many times a section was mapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// So often at least.
    least: u32,
    /// And not more often.
    exact: bool,
}

impl Count {
    /// Nothing is known.
    const UNKNOWN: Count = Count::at_least(0);

    /// No `exit data` ends it.
    const FOREVER: Count = Count {
        least: u32::MAX,
        exact: true,
    };

    const fn exactly(least: u32) -> Count {
        Count { least, exact: true }
    }

    const fn at_least(least: u32) -> Count {
        Count { least, exact: false }
    }

    fn up(self) -> Count {
        Count {
            least: self.least.saturating_add(1),
            ..self
        }
    }

    fn down(self) -> Count {
        match self {
            Count::FOREVER => self,
            _ => Count {
                least: self.least.saturating_sub(1),
                ..self
            },
        }
    }

    fn known(self) -> Option<u32> {
        (self.exact && self != Count::FOREVER).then_some(self.least)
    }

    fn meet(self, other: Count) -> Count {
        match self == other {
            true => self,
            false => Count::at_least(self.least.min(other.least)),
        }
    }
}

/// A section that is on the device.
#[derive(Clone, PartialEq, Debug)]
pub struct Mapping {
    pub extent: Extent,
    /// How many times it was mapped.
    count: Count,
    /// How many times of these by OpenACC's directives without an end: only such an exit takes them back, and it takes back nothing else (OpenACC 3.3 §2.6.7: the dynamic and the
    /// structured reference counter).
    counted: Count,
    /// The directive that made it.
    pub by: Moved,
    /// What names the object there.
    pub named: Origin,
    /// How sure it is that it is there.
    pub confidence: Confidence,
    /// It was made by a directive without an end.
    pub unstructured: bool,
}

impl Mapping {
    /// Counts on, or back.
    fn counts(&mut self, motion: Motion, next: fn(Count) -> Count) {
        self.count = next(self.count);
        if motion.counts_apart {
            self.counted = next(self.counted);
        }
    }

    /// Nothing is known of how often it was mapped.
    fn lose_counts(&mut self) {
        (self.count, self.counted) = (Count::UNKNOWN, Count::UNKNOWN);
    }

    /// True if it is certainly there.
    pub fn is_certain(&self) -> bool {
        self.confidence == Confidence::Proven && (self.count.exact || self.count.least > 0)
    }
}

/// What is known of an object before the first directive names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Before {
    /// It is not on the device.
    Absent,
    /// The caller may have put it there.
    Unknown,
    /// It lives on both sides (`declare target`).
    Always,
    /// It lives on the device only.
    OnDevice,
}

/// One object.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    pub pieces: Pieces,
    pub mappings: Vec<Mapping>,
    pub before: Before,
    /// What came of transfers, if somebody asks.
    pub ledger: Ledger,
    /// What the device may have left unwritten, if it began with nothing.
    pub holes: Option<Holes>,
    /// Bytes whose pointers may lead into the memory of the device there, by a clause ([`super::unattached`]).
    pub set_there: Vec<Extent>,
}

/// What is touched.
#[derive(Clone)]
pub struct Touch {
    pub root: Symbol,
    pub extent: Extent,
    /// Every byte of the extent is touched if the confidence is *proven*; if it is *likely*, on a path through conditions that are not known.
    pub all: Confidence,
    /// How sure it is that some of it is touched, no less sure than that all is.
    pub some: Confidence,
    /// Both ends of the extent are touched.
    pub ends: bool,
    /// Some byte of the extent is certainly touched, but it is not known which.
    pub somewhere: bool,
    /// It happens whenever its statement is reached, or its extent is empty: the loops inside run, and no case of a switch decides.
    pub happens: bool,
    pub at: Origin,
    pub facts: Facts,
}

impl Touch {
    /// The same, with nothing sure of it.
    pub fn perhaps(&self) -> Touch {
        Touch {
            all: Confidence::Possible,
            some: Confidence::Possible,
            somewhere: false,
            ..self.clone()
        }
    }
}

/// What a write leaves of the other copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lost {
    /// It is not the newest, if there is one.
    Perhaps,
    /// There is none.
    Absent,
}

/// Where and under what it happens.
pub struct Now<'a> {
    pub path: &'a [(StmtId, bool)],
    pub defects: &'a mut Vec<Defect>,
}

/// How a clause moves its data at the beginning and at the end of a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Motion {
    pub copy_in: bool,
    pub copy_out: bool,
    pub always: bool,
    /// It must be on the device already.
    pub present: bool,
    /// Ends the copy whatever the count.
    pub delete: bool,
    /// The directive has no end of its own.
    pub unstructured: bool,
    /// It has no end of its own, and a counter of its own ([`Mapping::counted`]).
    pub counts_apart: bool,
}

impl Object {
    pub fn new(before: Before, defined: Defined) -> Object {
        Object {
            pieces: Pieces::all(Piece {
                defined,
                host: Copy::Newest,
                device: match before {
                    Before::Absent => Copy::Absent,
                    _ => Copy::Newest,
                },
            }),
            mappings: Vec::new(),
            before,
            ledger: Ledger::default(),
            holes: None,
            set_there: Vec::new(),
        }
    }

    /// True if some of it may be on the device.
    pub fn is_mapped(&self) -> bool {
        self.before != Before::Absent || !self.mappings.is_empty()
    }

    /// True if something of a copy is not the newest.
    pub fn is_wrong(&self, side: Side) -> bool {
        let wrong = |(_, piece): (Extent, &Piece)| matches!(piece.copy(side), Copy::Wrong(_));
        self.pieces.iter().any(wrong)
    }

    /// True if all of it is alike, both copies are what they should be, and nothing of it is on the device: it looks the same from every iteration.
    pub fn is_plain(&self) -> bool {
        self.mappings.is_empty()
            && self.set_there.is_empty()
            && self.ledger.is_empty()
            && self.pieces.is_uncut()
            && !self.pieces.is_wrong_somewhere()
    }

    pub fn host_read(&mut self, touch: &Touch, exposed: &dyn Fn() -> Option<bool>, now: &mut Now<'_>) {
        if self.before == Before::OnDevice {
            return;
        }
        self.read(touch, exposed, now, Side::Host, host_kind);
    }

    /// `repeats`: it writes the same values whenever it runs, on whichever side ([`super::repeated`]).
    pub fn host_write(&mut self, touch: &Touch, repeats: &dyn Fn() -> bool) {
        self.holes = None;
        self.ledger.write(Side::Host, touch);
        let lost = match self.is_mapped() {
            true => Lost::Perhaps,
            false => Lost::Absent,
        };
        self.write(touch, lost, repeats, |piece| (&mut piece.host, &mut piece.device));
    }

    /// `repeats` as for the host.
    pub fn device_write(&mut self, touch: &Touch, repeats: &dyn Fn() -> bool) {
        self.holes = None;
        self.ledger.write(Side::Device, touch);
        self.write(touch, Lost::Perhaps, repeats, |piece| {
            (&mut piece.device, &mut piece.host)
        });
    }

    /// The device sets a pointer. The host's is another address of the same, or means nothing there: neither is to be copied.
    pub fn device_sets_pointer(&mut self, touch: &Touch) {
        self.ledger.write(Side::Device, touch);
        self.pieces.change(&touch.extent, &touch.facts, |piece, cover| {
            if let Copy::Wrong(wrong) = &mut piece.device {
                match touch.all == Confidence::Proven && cover == Cover::Whole {
                    true => piece.device = Copy::Newest,
                    false => wrong.confidence = Confidence::Possible,
                }
            }
        });
    }

    /// A write on the device of which nothing is sure; nothing of the object is, behind it.
    pub fn perhaps_device_write(&mut self, touch: &Touch) {
        self.device_write(&touch.perhaps(), &|| false);
        self.doubt_all();
    }

    /// A write to the first of two copies, by which the second is not the newest any more.
    fn write(
        &mut self,
        touch: &Touch,
        lost: Lost,
        repeats: &dyn Fn() -> bool,
        copies: impl Fn(&mut Piece) -> (&mut Copy, &mut Copy),
    ) {
        let wrong = |in_parts, confidence| {
            Copy::Wrong(Wrong {
                written: Some(touch.at),
                ..Wrong::because(Why::Written, confidence, in_parts)
            })
        };
        let is_meant = |(extent, _): &(Extent, &Piece)| !extent.is_apart(&touch.extent, &touch.facts);
        let somewhere = touch.somewhere && self.pieces.iter().filter(is_meant).count() == 1;
        self.pieces.change(&touch.extent, &touch.facts, |piece, cover| {
            let all = touch.all == Confidence::Proven && cover == Cover::Whole;
            piece.defined = match all {
                true => Defined::Yes,
                false => piece.defined.max(Defined::Perhaps),
            };
            let (own, other) = copies(piece);
            let is_known_there = matches!(own, Copy::Wrong(lacking) if lacking.why == Why::Written && lacking.written == Some(touch.at))
                && repeats();
            if all {
                *own = Copy::Newest;
                *other = match lost {
                    Lost::Perhaps if is_known_there => wrong(false, Confidence::Possible),
                    Lost::Perhaps => wrong(false, Confidence::Proven),
                    Lost::Absent => Copy::Absent,
                };
                return;
            }
            if let Copy::Wrong(wrong) = own {
                wrong.confidence = wrong.confidence.max(perhaps(touch.all, cover));
                wrong.in_parts = true;
            }
            if lost == Lost::Perhaps && *other == Copy::Newest {
                let sure = match somewhere && cover == Cover::Whole {
                    _ if is_known_there => Confidence::Possible,
                    true => Confidence::Proven,
                    false => in_parts(touch, cover),
                };
                *other = wrong(true, sure);
            }
        });
    }

    /// A read on the device of data that are on it.
    pub fn device_read(&mut self, touch: &Touch, exposed: &dyn Fn() -> Option<bool>, now: &mut Now<'_>) {
        if self.before == Before::OnDevice {
            return;
        }
        self.read(touch, exposed, now, Side::Device, device_kind);
    }

    fn read(
        &mut self,
        touch: &Touch,
        exposed: &dyn Fn() -> Option<bool>,
        now: &mut Now<'_>,
        side: Side,
        kind: impl Fn(&Wrong) -> Kind,
    ) {
        let mut found: Vec<(Extent, Wrong, Confidence)> = Vec::new();
        for (extent, piece) in self.pieces.iter() {
            let defined = piece.defined;
            let Copy::Wrong(wrong) = piece.copy(side) else {
                continue;
            };
            if defined == Defined::No || extent.is_apart(&touch.extent, &touch.facts) {
                continue;
            }
            let Some(confidence) = wrong.confidence_at(&touch.facts, now.path) else {
                continue;
            };
            let mut confidence = confidence.max(certainly_meets(touch, &extent, wrong.in_parts));
            if defined == Defined::Perhaps && wrong.why == Why::NeverCopied {
                confidence = Confidence::Possible;
            }
            found.push((extent, wrong.clone(), confidence));
        }
        found.sort_by_key(|(_, _, confidence)| *confidence);
        let Some((extent, wrong, confidence)) = found.first() else {
            return;
        };
        let confidence = match exposed() {
            Some(false) => return,
            Some(true) => *confidence,
            None => Confidence::Possible,
        };
        now.defects.push(Defect {
            kind: kind(wrong),
            confidence,
            root: touch.root,
            named: touch.at,
            at: touch.at,
            written: wrong.written,
            directive: wrong.moved,
            bytes: touch.extent.bytes(),
            there: extent.bytes(),
            around: wrong.around,
        });
        // Said once: what follows takes the value for right.
        self.pieces.change(&touch.extent, &touch.facts, |piece, _| {
            let copy = piece.copy_mut(side);
            if matches!(copy, Copy::Wrong(_)) {
                *copy = Copy::Newest;
            }
        });
    }

    /// The mapping that certainly holds the range, one that perhaps does, or none.
    pub fn present(&self, range: &Extent, facts: &Facts) -> Presence {
        if matches!(self.before, Before::Always | Before::OnDevice) {
            return Presence::There(Confidence::Proven);
        }
        let mut perhaps = None;
        for mapping in &self.mappings {
            if mapping.extent.contains(range, facts) {
                return Presence::There(mapping.confidence);
            }
            if !mapping.extent.is_apart(range, facts) {
                perhaps = Some(mapping);
            }
        }
        match perhaps {
            Some(mapping) => {
                let beyond = |one: &Option<Expr>, two: &Option<Expr>| {
                    one.as_ref()
                        .zip(two.as_ref())
                        .is_some_and(|(one, two)| below(one, two, facts))
                };
                let outside =
                    beyond(&range.low, &mapping.extent.low) || beyond(&mapping.extent.high, &range.high);
                match outside {
                    true => Presence::Partly(mapping.extent.clone(), mapping.confidence, mapping.by),
                    false => Presence::Unknown,
                }
            }
            None if self.before == Before::Unknown => Presence::Unknown,
            None => match self.mappings.first() {
                Some(other) => Presence::Partly(other.extent.clone(), other.confidence, other.by),
                None => Presence::Absent,
            },
        }
    }

    /// How often the range is mapped; `None` is not known.
    pub fn count(&self, range: &Extent, facts: &Facts) -> Option<u32> {
        let holding = self
            .mappings
            .iter()
            .find(|mapping| mapping.extent.contains(range, facts));
        match holding {
            Some(mapping) => mapping.count.known(),
            None if self.before == Before::Unknown => None,
            None => Some(0),
        }
    }

    /// True if it lives on both sides, or on the device.
    pub fn is_always(&self) -> bool {
        matches!(self.before, Before::Always | Before::OnDevice)
    }

    /// True if what is on the device of it is just these sections, each mapped by itself.
    pub fn has_just(&self, named: &[&Extent], facts: &Facts) -> bool {
        self.mappings.iter().all(|mapping| {
            let same =
                |own: &&Extent| mapping.extent.contains(own, facts) && own.contains(&mapping.extent, facts);
            named.iter().any(same)
        })
    }

    /// Data come to the device, or are there already.
    pub fn enter(&mut self, section: &Section, facts: &Facts, now: &mut Now<'_>) {
        let (range, motion, by) = (&section.extent, section.motion, section.by);
        if self.before == Before::Always || self.before == Before::OnDevice {
            if motion.always && motion.copy_in {
                self.ledger.perhaps(section, Act::Enter, true);
                self.copy_in(range, facts, by);
            }
            return;
        }
        if let Some(mapping) = self
            .mappings
            .iter_mut()
            .find(|mapping| mapping.extent.contains(range, facts))
        {
            if mapping.confidence == Confidence::Proven {
                mapping.counts(motion, Count::up);
                if motion.unstructured {
                    (mapping.by, mapping.named) = (by, section.named);
                }
                if motion.always && motion.copy_in {
                    self.moved(section, Act::Update, true, facts);
                    self.copy_in(range, facts, by);
                }
            } else {
                mapping.confidence = Confidence::Possible;
                mapping.lose_counts();
                self.ledger.perhaps(section, Act::Enter, true);
                self.doubt_device();
            }
            return;
        }
        let near = self
            .mappings
            .iter()
            .position(|mapping| !mapping.extent.is_apart(range, facts));
        if let Some(near) = near {
            let mapping = &mut self.mappings[near];
            // What no clause names is the part that is there.
            if by.clause.is_none() {
                mapping.count = mapping.count.up();
                return;
            }
            self.ledger.perhaps(section, Act::Enter, true);
            if motion.present {
                // What is empty need not be there.
                if let Some((facts, sure)) = range.not_empty(facts)
                    && let Presence::Partly(there, confidence, _) = self.present(range, &facts)
                {
                    let confidence = confidence.max(sure);
                    now.defects
                        .push(section.defect(Kind::PresentMissing, confidence, Some(&there)));
                }
                self.lose();
                return;
            }
            let mapping = &self.mappings[near];
            if let Some((facts, sure)) = range.not_empty(facts)
                && let Presence::Partly(there, confidence, _) = self.present(range, &facts)
                && overlaps(&mapping.extent, range, &facts)
            {
                let confidence = confidence.max(sure);
                now.defects
                    .push(section.defect(Kind::PartialOverlap, confidence, Some(&there)));
            }
            let mapping = &mut self.mappings[near];
            mapping.confidence = Confidence::Possible;
            mapping.lose_counts();
            self.doubt_device();
            return;
        }
        if motion.present
            && self.before == Before::Absent
            && let Some((_, sure)) = range.not_empty(facts)
        {
            let there = self.mappings.first().map(|mapping| mapping.extent.clone());
            now.defects
                .push(section.defect(Kind::PresentMissing, sure, there.as_ref()));
        }
        self.holes = None;
        self.ledger.mapped(section);
        let assumed =
            self.before == Before::Unknown && (motion.present || !motion.copy_in && !motion.copy_out);
        self.mappings.push(Mapping {
            extent: range.clone(),
            count: match assumed {
                true => Count::UNKNOWN,
                false => Count::exactly(1),
            },
            counted: match assumed {
                true => Count::UNKNOWN,
                false => Count::exactly(u32::from(motion.counts_apart)),
            },
            by,
            named: section.named,
            confidence: match assumed || motion.present {
                true => Confidence::Possible,
                false => Confidence::Proven,
            },
            unstructured: motion.unstructured,
        });
        if assumed || motion.present {
            return;
        }
        self.ledger.lend(section, facts);
        if motion.copy_in {
            self.moved(section, Act::Enter, true, facts);
            self.copy_in(range, facts, by);
            return;
        }
        // A caller that is not seen may have brought the values.
        let is_seen = self.before != Before::Unknown;
        self.pieces.change(range, facts, |piece, cover| {
            let sure = match is_seen {
                true => perhaps_certain(cover),
                false => Confidence::Possible,
            };
            let wrong = Wrong::because(Why::NeverCopied, sure, cover == Cover::Perhaps);
            piece.device = Copy::Wrong(Wrong {
                moved: Some(by),
                ..wrong
            });
        });
    }

    /// What is known of elements that stay unwritten, where a first mapping has just made a copy of the whole object without its values.
    pub fn begins_with_nothing(
        &self,
        section: &Section,
        size: Option<&Expr>,
        facts: &Facts,
    ) -> Option<Holes> {
        let is_meant = |extent: &Extent| !extent.is_apart(&section.extent, facts);
        let mut pieces = self.pieces.iter().filter(|(extent, _)| is_meant(extent));
        let defined = pieces.all(|(_, piece)| piece.defined == Defined::Yes);
        let certain = self.mappings.iter().all(Mapping::is_certain);
        let nothing = !section.motion.copy_in && !section.holes && section.by.clause.is_some();
        (self.before == Before::Absent && self.mappings.len() == 1 && defined && certain && nothing)
            .then(|| Holes::of(&section.extent, size))?
    }

    /// A mapping ends, or counts down.
    pub fn exit(&mut self, section: &Section, facts: &Facts, now: &mut Now<'_>) {
        let holes = self.holes.take();
        let (range, motion, by) = (&section.extent, section.motion, section.by);
        if self.before == Before::Always || self.before == Before::OnDevice {
            if motion.always && motion.copy_out {
                self.ledger.perhaps(section, Act::Exit, false);
                self.copy_out(range, facts, by);
            }
            return;
        }
        let position = self
            .mappings
            .iter()
            .position(|mapping| mapping.extent.contains(range, facts));
        let near = || {
            self.mappings
                .iter()
                .position(|mapping| !mapping.extent.is_apart(range, facts))
        };
        let Some(position) = position.or_else(near) else {
            if motion.unstructured && self.before == Before::Absent {
                let kind = match motion.copy_out {
                    true => Kind::ExitWithoutEnter,
                    false => Kind::ExitOfNothing,
                };
                now.defects.push(section.defect(kind, Confidence::Proven, None));
            }
            return;
        };
        let mapping = &mut self.mappings[position];
        let certain = mapping.confidence == Confidence::Proven && mapping.extent.contains(range, facts);
        let apart = motion.counts_apart.then(|| mapping.counted.known()).flatten();
        if apart == Some(0) {
            // What constructs around have brought stays until their ends.
            self.holes = holes;
            return;
        }
        // It may stand for several that loops have made, of which one ends.
        if motion.unstructured && mapping.confidence != Confidence::Proven {
            mapping.lose_counts();
        } else if motion.delete && mapping.count != Count::FOREVER {
            let of_constructs = apart.zip(mapping.count.known());
            let of_constructs = of_constructs.map_or(0, |(own, all)| all.saturating_sub(own));
            // By the specification the data stay for the constructs around; programs that copy results back so, in a construct that
            // has the data `present`, are written for compilers that end it all.
            let count = match of_constructs {
                0 => Count::exactly(0),
                _ => Count::UNKNOWN,
            };
            (mapping.count, mapping.counted) = (count, count);
        } else {
            mapping.counts(motion, Count::down);
        }
        let stays = mapping.count.least > 0;
        let left = match (mapping.count.known(), stays) {
            (None, true) => Some(mapping.count.least),
            (left, _) => left,
        };
        let extent = mapping.extent.clone();
        if left != Some(0) && motion.unstructured {
            self.ledger.named(range, facts);
        }
        match left {
            Some(0) => {
                if motion.copy_out {
                    match certain {
                        true => self.moved(section, Act::Exit, false, facts),
                        false => self.ledger.perhaps(section, Act::Exit, false),
                    }
                    if certain && self.before == Before::Absent && extent == *range {
                        self.holes = holes.map(|holes| holes.came_back(by));
                    }
                    self.copy_out(range, facts, by);
                }
                self.ledger.taken_off(section, &extent, certain, facts);
                self.ledger.ended(&extent, facts);
                self.mappings.remove(position);
                self.forget_pointers();
                self.end(&extent, facts, by, certain);
            }
            Some(_) if motion.always && motion.copy_out => {
                self.ledger.perhaps(section, Act::Exit, false);
                self.copy_out(range, facts, by);
            }
            Some(_) => self.holes = holes,
            None => {
                if motion.copy_out {
                    self.ledger.perhaps(section, Act::Exit, false);
                    self.doubt_all();
                }
            }
        }
    }

    /// Memory of the device becomes its copy (OpenMP 5.0 §3.6.6); `empty` if nothing was written there.
    pub fn associate(&mut self, section: &Section, empty: bool, facts: &Facts) {
        self.holes = None;
        let (range, by) = (&section.extent, section.by);
        if self.is_always() {
            return;
        }
        if self
            .mappings
            .iter()
            .any(|mapping| !mapping.extent.is_apart(range, facts))
        {
            self.lose();
            return;
        }
        let confidence = match self.before {
            Before::Absent => Confidence::Proven,
            _ => Confidence::Possible,
        };
        self.mappings.push(Mapping {
            extent: range.clone(),
            count: Count::FOREVER,
            counted: Count::exactly(0),
            by,
            named: section.named,
            confidence,
            unstructured: false,
        });
        self.pieces.change(range, facts, |piece, cover| {
            // What is there may be anything, the newest values, too.
            let sure = match empty && confidence == Confidence::Proven {
                true => perhaps_certain(cover),
                false => Confidence::Possible,
            };
            piece.device = Copy::Wrong(Wrong {
                moved: Some(by),
                ..Wrong::because(Why::NeverCopied, sure, cover == Cover::Perhaps)
            });
        });
    }

    /// The memory of the device that holds these bytes is not its copy any more.
    pub fn disassociate(&mut self, range: &Extent, facts: &Facts, by: Moved) {
        let holds = |mapping: &Mapping| mapping.extent.contains(range, facts);
        let Some(position) = self.mappings.iter().position(holds) else {
            self.lose();
            return;
        };
        let mapping = self.mappings.remove(position);
        self.forget_pointers();
        let certain = mapping.confidence == Confidence::Proven && mapping.count == Count::FOREVER;
        self.end(&mapping.extent, facts, by, certain);
    }

    /// The device copy of a section is gone.
    fn end(&mut self, extent: &Extent, facts: &Facts, by: Moved, certain: bool) {
        self.pieces.change(extent, facts, |piece, cover| {
            if let Copy::Wrong(wrong) = &mut piece.host
                && wrong.why == Why::Written
            {
                wrong.why = Why::Ended;
                wrong.moved = Some(by);
                if !certain || cover == Cover::Perhaps {
                    wrong.confidence = Confidence::Possible;
                }
            }
            if cover == Cover::Whole {
                piece.device = Copy::Absent;
            }
        });
    }

    /// What is on the host comes to the device.
    pub fn copy_in(&mut self, range: &Extent, facts: &Facts, by: Moved) {
        self.holes = None;
        self.pieces.change(range, facts, |piece, cover| {
            let mut copied = piece.host.clone();
            if let Copy::Wrong(wrong) = &mut copied {
                wrong.moved.get_or_insert(by);
                // What the device wrote is lost there, too, and this is what lost it.
                if wrong.why == Why::Written {
                    wrong.why = Why::DeviceOverwritten;
                    wrong.moved = Some(by);
                }
            }
            match cover {
                Cover::Whole => piece.device = copied,
                Cover::Perhaps => {
                    if piece.device == Copy::Absent {
                        piece.device = copied;
                    }
                    piece.doubt(Confidence::Possible);
                }
            }
        });
    }

    /// What is on the device comes to the host.
    pub fn copy_out(&mut self, range: &Extent, facts: &Facts, by: Moved) {
        self.pieces.change(range, facts, |piece, cover| {
            if cover == Cover::Perhaps {
                piece.doubt(Confidence::Possible);
                return;
            }
            match &piece.device {
                Copy::Newest => piece.host = Copy::Newest,
                Copy::Wrong(wrong) => {
                    let lost = match wrong.why {
                        Why::NeverCopied if piece.defined == Defined::Yes => Why::Unwritten,
                        Why::NeverCopied => {
                            piece.host = Copy::Newest;
                            return;
                        }
                        Why::Written => Why::Overwritten,
                        other => other,
                    };
                    // What came over the device's own values before, or ended their mapping, did the harm, not this copy.
                    let moved = match lost {
                        Why::DeviceOverwritten | Why::Ended | Why::OwnCopy => wrong.moved.or(Some(by)),
                        _ => Some(by),
                    };
                    piece.host = Copy::Wrong(Wrong {
                        why: lost,
                        moved,
                        ..wrong.clone()
                    });
                }
                Copy::Absent => piece.doubt(Confidence::Possible),
            }
        });
    }

    /// `update`: moves what is there.
    pub fn update(&mut self, section: &Section, facts: &Facts, now: &mut Now<'_>) {
        self.holes = None;
        let (range, by) = (&section.extent, section.by);
        let to_device = section.direction == Direction::To;
        let presence = self.present(range, facts);
        let must_be_there = section.motion.present && !section.holes;
        if let (true, Presence::Absent | Presence::Partly(..)) = (must_be_there, &presence) {
            now.defects
                .push(section.defect(Kind::PresentMissing, Confidence::Proven, None));
        }
        match presence {
            Presence::There(Confidence::Proven) => {}
            Presence::Absent => return,
            Presence::There(_) | Presence::Unknown | Presence::Partly(..) => {
                self.ledger.perhaps(section, Act::Update, to_device);
                self.doubt_all();
                return;
            }
        }
        if section.holes {
            self.update_parts(section, to_device, facts);
            return;
        }
        self.moved(section, Act::Update, to_device, facts);
        match to_device {
            true => self.copy_in(range, facts, by),
            false => self.copy_out(range, facts, by),
        }
    }

    /// Moves some of the bytes of a section: what was wrong with a copy may be mended, or not.
    fn update_parts(&mut self, section: &Section, to_device: bool, facts: &Facts) {
        self.ledger.perhaps(section, Act::Update, to_device);
        self.pieces.change(&section.extent, facts, |piece, _| {
            piece.doubt(Confidence::Possible);
        });
    }

    /// The copy that one construct had of a variable was changed, and is gone.
    pub fn change_lost(&mut self, touch: &Touch, by: Moved) {
        self.holes = None;
        self.pieces.change(&touch.extent, &touch.facts, |piece, cover| {
            let confidence = match cover {
                Cover::Whole if touch.all == Confidence::Proven => Confidence::Proven,
                Cover::Whole => touch.some.max(Confidence::Likely),
                Cover::Perhaps => Confidence::Possible,
            };
            piece.defined = piece.defined.max(Defined::Perhaps);
            if touch.all == Confidence::Proven && cover == Cover::Whole {
                piece.defined = Defined::Yes;
            }
            // Nor has the device the value, where the variable is on it: the construct did not take that one.
            for copy in [&mut piece.host, &mut piece.device] {
                if *copy == Copy::Newest || *copy != Copy::Absent && confidence == Confidence::Proven {
                    *copy = Copy::Wrong(Wrong {
                        written: Some(touch.at),
                        moved: Some(by),
                        ..Wrong::because(Why::OwnCopy, confidence, confidence != Confidence::Proven)
                    });
                }
            }
        });
    }

    /// A transfer takes place. While a caller may have put the object on the device, only what the outermost mapping copies is clear.
    fn moved(&mut self, section: &Section, act: Act, to_device: bool, facts: &Facts) {
        let always = act == Act::Update || section.motion.always;
        match self.before != Before::Absent && always {
            true => self.ledger.perhaps(section, act, to_device),
            false => self.ledger.transfer(section, act, to_device, facts),
        }
    }

    /// Nothing is sure any more, nor what of it is on the device.
    pub fn lose(&mut self) {
        for mapping in &mut self.mappings {
            mapping.confidence = Confidence::Possible;
            mapping.lose_counts();
        }
        self.doubt_all();
    }

    /// Nothing of it is sure any more.
    pub fn doubt_all(&mut self) {
        self.holes = None;
        self.ledger.doubt();
        let everything = Extent::everything();
        self.pieces.change(&everything, &Facts::new(), |piece, _| {
            piece.doubt(Confidence::Possible)
        });
    }

    fn doubt_device(&mut self) {
        self.holes = None;
        self.ledger.doubt();
        let everything = Extent::everything();
        self.pieces.change(&everything, &Facts::new(), |piece, _| {
            if let Copy::Wrong(wrong) = &mut piece.device {
                wrong.confidence = Confidence::Possible;
            }
        });
    }

    /// What may be so where two paths meet.
    pub fn meet(self, other: Object, ways: Ways<'_>) -> Object {
        let mut mappings = Vec::new();
        let mut theirs = other.mappings;
        for mut mapping in self.mappings {
            match theirs.iter().position(|one| one.extent == mapping.extent) {
                Some(at) => {
                    let twin = theirs.remove(at);
                    mapping.confidence = mapping.confidence.max(twin.confidence);
                    mapping.count = mapping.count.meet(twin.count);
                    mapping.counted = mapping.counted.meet(twin.counted);
                }
                None => {
                    mapping.confidence = Confidence::Possible;
                }
            }
            mappings.push(mapping);
        }
        for mut mapping in theirs {
            mapping.confidence = Confidence::Possible;
            mappings.push(mapping);
        }
        Object {
            pieces: self.pieces.meet(other.pieces, ways),
            mappings,
            before: self.before,
            ledger: self.ledger.meet(other.ledger),
            holes: self.holes.filter(|holes| other.holes.as_ref() == Some(holes)),
            set_there: {
                let mut both = self.set_there;
                let new = other.set_there.into_iter().filter(|one| !both.contains(one));
                let new: Vec<Extent> = new.collect();
                both.extend(new);
                both
            },
        }
    }

    /// As it is seen from another iteration.
    pub fn without(&mut self, varies: &dyn Fn(&Expr) -> bool, lost: &dyn Fn(&Literal) -> bool) {
        self.pieces.without(varies, lost);
        self.ledger.without(varies);
        for mapping in &mut self.mappings {
            let ends = [&mapping.extent.low, &mapping.extent.high];
            if ends.into_iter().flatten().any(varies) {
                mapping.extent = Extent::everything();
                mapping.confidence = Confidence::Possible;
                mapping.lose_counts();
            }
        }
        self.mappings.dedup();
        let moves = |extent: &Extent| [&extent.low, &extent.high].into_iter().flatten().any(varies);
        if self.set_there.iter().any(moves) {
            self.set_there = vec![Extent::everything()];
        }
    }

    /// Pointers in these bytes may lead into the memory of the device there.
    pub fn set_pointers(&mut self, bytes: &Extent) {
        if !self.set_there.contains(bytes) {
            self.set_there.push(bytes.clone());
        }
    }

    /// With the copy of an object its pointers are gone; which of them lay in a part of it is not asked.
    pub fn forget_pointers(&mut self) {
        if self.mappings.is_empty() {
            self.set_there.clear();
        }
    }
}

/// Whether data are on the device.
#[derive(Clone, PartialEq, Debug)]
pub enum Presence {
    There(Confidence),
    /// Something of the object is, and what is asked for reaches outside it.
    Partly(Extent, Confidence, Moved),
    Unknown,
    Absent,
}

impl Presence {
    /// True if it is certain what is on the device.
    pub fn is_clear(&self) -> bool {
        match self {
            Presence::There(confidence) | Presence::Partly(_, confidence, _) => {
                *confidence == Confidence::Proven
            }
            Presence::Absent => true,
            Presence::Unknown => false,
        }
    }
}

fn overlaps(one: &Extent, two: &Extent, facts: &Facts) -> bool {
    let before = |low: &Option<Expr>, high: &Option<Expr>| match (low, high) {
        (Some(low), Some(high)) => below(low, high, facts),
        _ => true,
    };
    before(&one.low, &two.high) && before(&two.low, &one.high)
}

/// How sure it is that some bytes of a piece are written.
fn in_parts(touch: &Touch, cover: Cover) -> Confidence {
    match cover {
        Cover::Whole => touch.some,
        Cover::Perhaps => Confidence::Possible,
    }
}

/// How sure it is that a byte of a piece is written, if not all are for certain.
fn perhaps(all: Confidence, cover: Cover) -> Confidence {
    match cover {
        Cover::Whole => all.max(Confidence::Likely),
        Cover::Perhaps => Confidence::Possible,
    }
}

fn perhaps_certain(cover: Cover) -> Confidence {
    match cover {
        Cover::Whole => Confidence::Proven,
        Cover::Perhaps => Confidence::Possible,
    }
}

/// How sure it is that a read meets a wrong byte of a piece.
fn certainly_meets(touch: &Touch, extent: &Extent, in_parts: bool) -> Confidence {
    let facts = &touch.facts;
    if extent.contains(&touch.extent, facts) && !in_parts {
        return Confidence::Proven;
    }
    if touch.extent.contains(extent, facts) {
        // The whole piece is read, if all between the ends of the read is.
        let some = match (&extent.low, &extent.high) {
            (Some(low), Some(high)) if !below(low, high, facts) => Confidence::Likely,
            _ => Confidence::Proven,
        };
        // What is read under a condition may be just what was written under it.
        if in_parts && touch.all != Confidence::Proven {
            return Confidence::Possible;
        }
        return touch.all.max(some);
    }
    let inside = |end: &Expr| {
        let low = extent.low.as_ref().is_none_or(|low| at_most(low, end, facts));
        low && extent.high.as_ref().is_none_or(|high| below(end, high, facts))
    };
    let last = |high: &Expr| high - &Expr::one();
    let low = touch.extent.low.as_ref().is_some_and(inside);
    let high = touch.extent.high.as_ref().is_some_and(|high| inside(&last(high)));
    match touch.ends && (low || high) && !in_parts {
        true => Confidence::Proven,
        false => Confidence::Possible,
    }
}

fn host_kind(wrong: &Wrong) -> Kind {
    match wrong.why {
        Why::Written | Why::NeverCopied => Kind::StaleHostRead,
        Why::Ended => Kind::NeverCopiedBack,
        Why::Unwritten => Kind::CopiedBackUnwritten,
        Why::Overwritten => Kind::HostWriteOverwritten,
        Why::DeviceOverwritten => Kind::DeviceWriteOverwritten,
        Why::OwnCopy => Kind::ChangeLost,
    }
}

fn device_kind(wrong: &Wrong) -> Kind {
    match wrong.why {
        Why::Written => Kind::StaleDeviceRead,
        Why::NeverCopied => Kind::NeverCopiedIn,
        _ => host_kind(wrong),
    }
}
