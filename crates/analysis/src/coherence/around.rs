//! What is done with one object in one loop that holds directives, and can its transfers take place once, around the loop?
//!
//! They can if nothing but the device touches the object in the loop, and one section is mapped, always the same. Then the copy that would stay on the device has the values
//! that the next iteration copies there. Where one mapping is `to` only, a write of the device would not be undone by the next copy; so there must be none.
//!
//! It says nothing of loops in which the object is also put on the device without a copy, or by a directive without an end.

use super::book::{Event, Transfer};
use super::construct::Section;
use super::copies::Extent;
use super::history::Act;

/// What is done with an object in a loop.
#[derive(Default)]
pub struct Around {
    host_read: bool,
    host_written: bool,
    device_written: bool,
    unclear: bool,
    /// It is mapped without being copied back.
    in_only: bool,
    sections: Vec<Extent>,
    /// Something of it is copied while it is mapped.
    updated: bool,
    /// The transfers by their numbers, and whether each is under a condition in the loop.
    transfers: Vec<(usize, bool)>,
}

impl Around {
    /// A transfer takes place in the loop.
    pub fn transferred(&mut self, number: usize, act: Act, conditional: bool) {
        self.updated |= act == Act::Update;
        match self.transfers.iter_mut().find(|one| one.0 == number) {
            Some(known) => known.1 |= conditional,
            None => self.transfers.push((number, conditional)),
        }
    }

    /// A section is mapped in the loop.
    pub fn mapped(&mut self, section: &Section) {
        let motion = section.motion;
        let copies = motion.copy_in || motion.copy_out;
        self.unclear |= motion.unstructured || motion.delete || motion.always || !copies;
        self.in_only |= !motion.copy_out;
        if !self.sections.contains(&section.extent) {
            self.sections.push(section.extent.clone());
        }
    }

    /// Something else happens to it in the loop.
    pub fn note(&mut self, event: Event) {
        match event {
            Event::HostRead => self.host_read = true,
            Event::HostWritten => self.host_written = true,
            Event::DeviceRead => {}
            Event::DeviceWritten => self.device_written = true,
            Event::Unclear => self.unclear = true,
        }
    }

    /// The transfers in the loop.
    pub fn transfers(&self) -> &[(usize, bool)] {
        &self.transfers
    }

    /// True if one transfer around the loop does what this one does in every iteration.
    pub fn may_move_out(&self, transfer: &Transfer) -> bool {
        if self.unclear || self.host_written {
            return false;
        }
        match transfer.act {
            Act::Update => self.sections.is_empty() && !self.device_written,
            Act::Enter | Act::Exit => {
                let changed = self.in_only && self.device_written;
                !self.host_read
                    && !self.updated
                    && !changed
                    && self.sections == [transfer.section.extent.clone()]
            }
        }
    }
}
