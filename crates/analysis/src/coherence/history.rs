//! What does a directive do to the data of the device, each time that it is reached?
//!
//! The map of data of OmpSan §6.2, kept for one directive that is asked for: for each section what was there, what is copied, how often it is mapped afterwards.

use super::construct::Section;
use super::defect::Confidence;
use super::object::{Object, Presence};
use ferry_ir::StmtId;
use ferry_source::{Origin, Span};
use ferry_symbolic::{Expr, Facts, Symbol};

/// What a directive does with its sections.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Act {
    /// At its beginning, or as `enter data`.
    Enter,
    /// At its end, or as `exit data`.
    Exit,
    /// As an update.
    Update,
}

/// Whether data are on the device.
#[derive(Clone, PartialEq, Debug)]
pub enum There {
    /// All of the section.
    Present,
    /// All of it, if a caller or something unknown has put it there.
    Perhaps,
    /// Other parts of the object only, or a part of the section: the bytes that are there.
    Partly(Option<(Expr, Expr)>),
    /// Nothing of it.
    Absent,
    /// It lives on both sides.
    Always,
}

/// What happens to one section.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The directive.
    pub stmt: StmtId,
    /// When.
    pub act: Act,
    /// The storage.
    pub root: Symbol,
    /// What names it: the item, or the directive.
    pub named: Origin,
    /// Its bytes.
    pub bytes: Option<(Expr, Expr)>,
    /// No clause names it.
    pub implicit: bool,
    /// What was there before.
    pub before: There,
    /// How often it was mapped before and is mapped after; `None` is not known.
    pub counts: (Option<u32>, Option<u32>),
    /// Values are copied to the device; `None` is not known.
    pub to_device: Option<bool>,
    /// Values are copied to the host; `None` is not known.
    pub to_host: Option<bool>,
}

/// The directive that is asked for, with what was seen of it.
#[derive(Default)]
pub struct History {
    /// A place in it; nothing is kept without.
    pub wanted: Option<Span>,
    /// What was seen, in the order in which it happens; the same step once.
    pub steps: Vec<Step>,
    /// The variables of which it has copies.
    pub copies: Vec<(StmtId, Symbol)>,
}

impl History {
    /// True if the directive at this place is asked for.
    pub fn wants(&self, at: Origin) -> bool {
        let directive = at.span();
        let same = |(wanted, at): (Span, Span)| wanted.file == at.file && wanted.start == at.start;
        self.wanted.zip(directive).is_some_and(same)
    }

    /// Keeps what happens to a section of an object.
    pub fn keep(&mut self, act: Act, section: &Section, before: &Object, after: &Object, facts: &Facts) {
        let (range, motion) = (&section.extent, section.motion);
        let presence = before.present(range, facts);
        let always = before.is_always();
        let (old, new) = (before.count(range, facts), after.count(range, facts));
        let was_there = match &presence {
            _ if always => There::Always,
            Presence::There(Confidence::Proven) => There::Present,
            Presence::There(_) | Presence::Unknown => There::Perhaps,
            Presence::Partly(there, ..) => There::Partly(there.bytes()),
            Presence::Absent => There::Absent,
        };
        let begins = match &was_there {
            There::Absent => Some(true),
            There::Present | There::Always => Some(false),
            There::Perhaps => None,
            // Other parts of the object are there.
            There::Partly(_) => (old == Some(0) && new == Some(1)).then_some(true),
        };
        let ends = match (old, new) {
            _ if always => Some(false),
            (Some(_), Some(count)) => Some(count == 0),
            _ => None,
        };
        let if_so = |copies: bool, happens: Option<bool>| match copies {
            true if motion.always => Some(was_there != There::Absent || act == Act::Enter),
            true => happens,
            false => Some(false),
        };
        let to_device_now = section.direction == ferry_directive::Direction::To;
        let (to_device, to_host) = match act {
            Act::Enter => (if_so(motion.copy_in, begins), Some(false)),
            Act::Exit => (
                Some(false),
                if_so(motion.copy_out && was_there != There::Absent, ends),
            ),
            Act::Update => {
                let moves = match was_there {
                    // Some of the bytes are.
                    There::Present | There::Always if section.holes => None,
                    There::Present | There::Always => Some(true),
                    There::Absent => Some(false),
                    There::Perhaps | There::Partly(_) => None,
                };
                match to_device_now {
                    true => (moves, Some(false)),
                    false => (Some(false), moves),
                }
            }
        };
        let step = Step {
            stmt: section.by.stmt,
            act,
            root: section.root,
            named: section.named,
            bytes: range.bytes(),
            implicit: section.by.clause.is_none(),
            before: was_there,
            counts: (old, new),
            to_device,
            to_host,
        };
        if !self.steps.contains(&step) {
            self.steps.push(step);
        }
    }
}
