//! Which bytes does a function of the C library touch?
//!
//! `memcpy(b, a, n)` touches `n` bytes from each of its pointers on, and certainly all of them; `fread` at most as many as
//! it is asked for; `frexp` one value of the type that its parameter points to. At a call each such section becomes an access
//! in a loop of its own (`value/bytes`).
//!
//! What it cannot do: lengths that the function finds in memory (strings).

use crate::access::AccessKind;

/// How many bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// As many as this argument (from 0) says.
    Argument(usize),
    /// As many as two arguments say together: the number of elements, and the size of one.
    Product(usize, usize),
    /// One value of the type that the parameter points to.
    Value,
}

/// Bytes that a function touches, from where one of its arguments points to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bytes {
    /// The argument, from 0.
    pub argument: usize,
    /// Read or written.
    pub kind: AccessKind,
    /// How many.
    pub count: Count,
    /// All of them are touched whenever the function returns; else some of them may be.
    pub certain: bool,
}

impl Bytes {
    /// All of them are read.
    pub const fn read(argument: usize, count: Count) -> Bytes {
        Bytes {
            argument,
            kind: AccessKind::Read,
            count,
            certain: true,
        }
    }

    /// All of them are written.
    pub const fn written(argument: usize, count: Count) -> Bytes {
        Bytes {
            kind: AccessKind::Write,
            ..Bytes::read(argument, count)
        }
    }

    /// Some of them may be touched.
    pub const fn perhaps(self) -> Bytes {
        Bytes {
            certain: false,
            ..self
        }
    }
}
