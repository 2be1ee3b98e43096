//! What is said to be dead, and is it read all the same? Bytes that a loop has written and its OUT region does not contain,
//! until they are written again or their storage is gone.

use ferry_ir::interpret::{Access, AccessKind};
use std::collections::HashMap;
use std::hash::BuildHasher;

/// Bytes that nobody may read.
pub struct Dead<C, H> {
    bytes: HashMap<u64, (u64, C), H>,
}

impl<C, H: Default> Default for Dead<C, H> {
    fn default() -> Dead<C, H> {
        Dead {
            bytes: HashMap::default(),
        }
    }
}

impl<C, H: BuildHasher> Dead<C, H> {
    /// Nobody may read this byte of an allocation; `by` is who says so.
    pub fn claim(&mut self, byte: u64, allocation: u64, by: C) {
        self.bytes.insert(byte, (allocation, by));
    }

    /// Who was wrong to say that what is read here is dead. What is said of other storage, which is gone, that was at the same
    /// address does not count.
    pub fn access(&mut self, access: &Access<'_>) -> Option<C> {
        if self.bytes.is_empty() {
            return None;
        }
        let mut wrong = None;
        for byte in access.address..access.address + access.size {
            if let Some((allocation, by)) = self.bytes.remove(&byte)
                && allocation == access.allocation
                && access.kind == AccessKind::Read
            {
                wrong = wrong.or(Some(by));
            }
        }
        wrong
    }
}
