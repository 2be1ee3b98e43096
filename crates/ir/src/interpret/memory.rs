//! What is memory? A flat 64-bit address space of separate objects, each byte of which knows whether it was ever written.
//!
//! An address is `number << 32 | offset`: objects are never neighbours, so that an access past an end is always seen.
//! Numbers of dead objects are used again only after a long quarantine. An object is smaller than 4 GiB.

use super::code::Object;
use std::collections::VecDeque;

/// Dead objects that are kept apart before their addresses are used again.
const QUARANTINE: usize = 1 << 16;

/// Addresses from here on are functions, 16 bytes apart.
pub(super) const FUNCTION_BASE: u64 = 0x7f00_0000_0000_0000;

/// One object.
#[derive(Debug)]
pub(super) struct Allocation {
    bytes: Vec<u8>,
    /// One byte per byte, `0xff` if it has a value; empty: all have.
    shadow: Vec<u8>,
    /// Never used twice.
    pub(super) serial: u64,
    pub(super) object: Object,
    live: bool,
    read_only: bool,
}

impl Allocation {
    /// Bytes from an address in it to its end.
    pub(super) fn left(&self, address: u64) -> u64 {
        (self.bytes.len() as u64).saturating_sub(address & 0xffff_ffff)
    }
}

/// Why an access is not allowed.
pub(super) type Fault = String;

/// `number` elements of `size` bytes, by which a pointer moves. So far that it would be in another object, it has left its own.
#[inline]
pub(super) fn step(number: i64, size: u16) -> Result<i64, Fault> {
    match number.checked_mul(i64::from(size)) {
        Some(bytes) if bytes.unsigned_abs() < 1 << 31 => Ok(bytes),
        _ => Err(format!(
            "a pointer moves by {number} elements of {size} bytes, out of its object"
        )),
    }
}

/// All objects.
#[derive(Debug)]
pub(super) struct Memory {
    allocations: Vec<Allocation>,
    dead: VecDeque<u32>,
    serial: u64,
    used: u64,
    limit: u64,
    track: bool,
}

impl Memory {
    /// `limit`: bytes alive at once. `track`: reading bytes that were never written is a fault.
    pub(super) fn new(limit: u64, track: bool) -> Memory {
        let null = Allocation {
            bytes: Vec::new(),
            shadow: Vec::new(),
            serial: 0,
            object: Object::Environment,
            live: false,
            read_only: true,
        };
        Memory {
            allocations: vec![null],
            dead: VecDeque::new(),
            serial: 0,
            used: 0,
            limit,
            track,
        }
    }

    /// A new object; `defined` if its bytes are zeros, else they have no value. `None` if memory is exhausted.
    pub(super) fn allocate(&mut self, size: u64, defined: bool, object: Object) -> Option<u64> {
        let length = u32::try_from(size).ok().filter(|&size| size < u32::MAX)? as usize;
        if self.used.checked_add(size)? > self.limit {
            return None;
        }
        self.used += size;
        self.serial += 1;
        let allocation = Allocation {
            bytes: vec![0; length],
            shadow: if defined || !self.track {
                Vec::new()
            } else {
                vec![0; length]
            },
            serial: self.serial,
            object,
            live: true,
            read_only: false,
        };
        let index = if self.dead.len() > QUARANTINE {
            let index = self.dead.pop_front()?;
            self.allocations[index as usize] = allocation;
            index
        } else if self.allocations.len() < (FUNCTION_BASE >> 32) as usize {
            self.allocations.push(allocation);
            (self.allocations.len() - 1) as u32
        } else {
            return None;
        };
        Some(u64::from(index) << 32)
    }

    /// The end of an object; `address` is its start.
    pub(super) fn release(&mut self, address: u64) -> Result<(), Fault> {
        let index = (address >> 32) as usize;
        match self.allocations.get_mut(index) {
            Some(allocation) if allocation.live && address as u32 == 0 => {
                self.used -= allocation.bytes.len() as u64;
                allocation.bytes = Vec::new();
                allocation.shadow = Vec::new();
                allocation.live = false;
                self.dead.push_back(index as u32);
                Ok(())
            }
            Some(allocation) if index != 0 && !allocation.live => Err("an object is released twice".into()),
            _ => Err(format!(
                "{address:#x} is released, which is not the start of an object"
            )),
        }
    }

    /// The object at an address, alive or dead.
    pub(super) fn find(&self, address: u64) -> Option<&Allocation> {
        self.allocations.get((address >> 32) as usize)
    }

    /// Size of the living object that starts at `address`.
    pub(super) fn size_of(&self, address: u64) -> Option<u64> {
        let allocation = self.find(address)?;
        (allocation.live && address as u32 == 0).then_some(allocation.bytes.len() as u64)
    }

    /// From now on nothing may be written there.
    pub(super) fn protect(&mut self, address: u64) {
        if let Some(allocation) = self.allocations.get_mut((address >> 32) as usize) {
            allocation.read_only = true;
        }
    }

    /// Little-endian bytes of `N`.
    #[inline(always)]
    pub(super) fn load<const N: usize>(&self, address: u64) -> Result<[u8; N], Fault> {
        let offset = address as u32 as usize;
        if let Some(allocation) = self.allocations.get((address >> 32) as usize)
            && let Some(bytes) = allocation.bytes.get(offset..offset + N)
        {
            if !allocation.shadow.is_empty() && allocation.shadow[offset..offset + N] != [0xff; N] {
                return Err(self.fault(address, N as u64, "read"));
            }
            let mut result = [0; N];
            result.copy_from_slice(bytes);
            return Ok(result);
        }
        Err(self.fault(address, N as u64, "read"))
    }

    /// Stores `N` bytes.
    #[inline(always)]
    pub(super) fn store<const N: usize>(&mut self, address: u64, value: [u8; N]) -> Result<(), Fault> {
        let offset = address as u32 as usize;
        if let Some(allocation) = self.allocations.get_mut((address >> 32) as usize)
            && !allocation.read_only
            && let Some(bytes) = allocation.bytes.get_mut(offset..offset + N)
        {
            bytes.copy_from_slice(&value);
            if !allocation.shadow.is_empty() {
                allocation.shadow[offset..offset + N].copy_from_slice(&[0xff; N]);
            }
            return Ok(());
        }
        Err(self.fault(address, N as u64, "write"))
    }

    /// Copies `N` bytes and whether they have a value.
    #[inline(always)]
    pub(super) fn copy_scalar<const N: usize>(&mut self, to: u64, from: u64) -> Result<(), Fault> {
        let defined = match self.find(from) {
            Some(allocation) if !allocation.shadow.is_empty() => {
                let offset = from as u32 as usize;
                allocation.shadow.get(offset..offset + N) == Some(&[0xff; N])
            }
            _ => true,
        };
        if defined {
            self.store(to, self.load::<N>(from)?)
        } else {
            self.copy(to, from, N as u64)
        }
    }

    /// Bytes that all have a value.
    pub(super) fn read(&self, address: u64, size: u64) -> Result<&[u8], Fault> {
        if size == 0 {
            return Ok(&[]);
        }
        let (bytes, shadow) = self.raw(address, size)?;
        if shadow.iter().any(|&byte| byte != 0xff) {
            return Err(self.fault(address, size, "read"));
        }
        Ok(bytes)
    }

    /// Bytes with their shadow (empty: all have a value).
    pub(super) fn raw(&self, address: u64, size: u64) -> Result<(&[u8], &[u8]), Fault> {
        if size == 0 {
            return Ok((&[], &[]));
        }
        let start = address as u32 as usize;
        if let Some(allocation) = self.find(address)
            && let Some(end) = usize::try_from(size)
                .ok()
                .and_then(|size| start.checked_add(size))
            && let Some(bytes) = allocation.bytes.get(start..end)
        {
            let shadow = if allocation.shadow.is_empty() {
                &[][..]
            } else {
                &allocation.shadow[start..end]
            };
            return Ok((bytes, shadow));
        }
        Err(self.fault(address, size, "read"))
    }

    /// The defined bytes from an address up to and without the first zero.
    pub(super) fn c_string(&self, address: u64) -> Result<&[u8], Fault> {
        let start = address as u32 as usize;
        let Some(bytes) = self
            .find(address)
            .and_then(|allocation| allocation.bytes.get(start..))
        else {
            return Err(self.fault(address, 1, "read"));
        };
        match bytes.iter().position(|&byte| byte == 0) {
            Some(length) => {
                self.read(address, length as u64 + 1)?;
                Ok(&bytes[..length])
            }
            None => Err(self.fault(address, bytes.len() as u64 + 1, "read")),
        }
    }

    /// Stores bytes; `shadow` as [`Memory::raw`] gives it.
    pub(super) fn write_raw(&mut self, address: u64, bytes: &[u8], shadow: &[u8]) -> Result<(), Fault> {
        if bytes.is_empty() {
            return Ok(());
        }
        let start = address as u32 as usize;
        if let Some(allocation) = self.allocations.get_mut((address >> 32) as usize)
            && !allocation.read_only
            && let Some(to) = start
                .checked_add(bytes.len())
                .and_then(|end| allocation.bytes.get_mut(start..end))
        {
            to.copy_from_slice(bytes);
            if allocation.shadow.is_empty() && shadow.iter().any(|&byte| byte != 0xff) {
                allocation.shadow = vec![0xff; allocation.bytes.len()];
            }
            if !allocation.shadow.is_empty() {
                let to = &mut allocation.shadow[start..start + bytes.len()];
                if shadow.is_empty() {
                    to.fill(0xff)
                } else {
                    to.copy_from_slice(shadow)
                }
            }
            return Ok(());
        }
        Err(self.fault(address, bytes.len() as u64, "write"))
    }

    /// Stores defined bytes.
    pub(super) fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Fault> {
        self.write_raw(address, bytes, &[])
    }

    /// Stores `size` times the same byte.
    pub(super) fn fill(&mut self, address: u64, byte: u8, size: u64) -> Result<(), Fault> {
        if size == 0 {
            return Ok(());
        }
        self.raw(address, size)
            .map_err(|_| self.fault(address, size, "write"))?;
        self.write(address, &vec![byte; size as usize])
    }

    /// Copies bytes and whether they have a value, as `memmove`.
    pub(super) fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), Fault> {
        let (bytes, shadow) = self.raw(from, size)?;
        let (bytes, shadow) = (bytes.to_vec(), shadow.to_vec());
        self.write_raw(to, &bytes, &shadow)
    }

    /// Says what is wrong with an access.
    #[cold]
    #[inline(never)]
    pub(super) fn fault(&self, address: u64, size: u64, what: &str) -> Fault {
        let offset = address & 0xffff_ffff;
        if address >> 32 == 0 {
            return format!("{what} of {size} bytes through a null or invalid pointer ({address:#x})");
        }
        match self.find(address) {
            None => format!("{what} of {size} bytes at {address:#x}, where no object is"),
            Some(allocation) if !allocation.live => {
                format!("{what} of {size} bytes in an object whose life has ended")
            }
            Some(allocation) if offset.saturating_add(size) > allocation.bytes.len() as u64 => format!(
                "{what} of {size} bytes at offset {offset} of an object of {} bytes",
                allocation.bytes.len()
            ),
            Some(allocation) if allocation.read_only && what == "write" => {
                format!("write of {size} bytes to a constant object")
            }
            Some(_) => format!("read of {size} bytes, some of which have no value yet"),
        }
    }
}
