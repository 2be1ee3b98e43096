//! Functions of string.h and stdlib.h that touch what they are given pointers to, and nothing else.

use super::Known;
use crate::effects::bytes::{Bytes, Count};

const fn n(argument: usize) -> Count {
    Count::Argument(argument)
}

/// Functions on so many bytes, all of which are there, or the call is undefined (C11 7.1.4, 7.24.1), also where it looks only at the first of them. `strncmp`
/// and its like are not among them: their length may be any.
const OF_BYTES: &[(&str, Known)] = &[
    ("memset", Known::bytes(&[Bytes::written(0, n(2))]).returning(0)),
    (
        "memcpy",
        Known::bytes(&[Bytes::read(1, n(2)), Bytes::written(0, n(2))]).returning(0),
    ),
    (
        "memmove",
        Known::bytes(&[Bytes::read(1, n(2)), Bytes::written(0, n(2))]).returning(0),
    ),
    (
        "mempcpy",
        Known::bytes(&[Bytes::read(1, n(2)), Bytes::written(0, n(2))]),
    ),
    ("bzero", Known::bytes(&[Bytes::written(0, n(1))])),
    (
        "bcopy",
        Known::bytes(&[Bytes::read(0, n(2)), Bytes::written(1, n(2))]),
    ),
    (
        "memcmp",
        Known::bytes(&[Bytes::read(0, n(2)).perhaps(), Bytes::read(1, n(2)).perhaps()]),
    ),
    (
        "bcmp",
        Known::bytes(&[Bytes::read(0, n(2)).perhaps(), Bytes::read(1, n(2)).perhaps()]),
    ),
    // It fills what it does not copy; of the text it reads only up to the end.
    (
        "strncpy",
        Known::bytes(&[Bytes::read(1, n(2)).perhaps(), Bytes::written(0, n(2))]).returning(0),
    ),
    // Where the text ends is written if the caller asks for it.
    ("strtol", Known::number()),
    ("strtoll", Known::number()),
    ("strtoul", Known::number()),
    ("strtoull", Known::number()),
    ("strtod", Known::number()),
    ("strtof", Known::number()),
    ("strtold", Known::number()),
    (
        "rand_r",
        Known::bytes(&[Bytes::read(0, Count::Value), Bytes::written(0, Count::Value)]),
    ),
];

/// Functions that write through some arguments and read through others, by position.
const MEMORY: &[(&str, &[usize], &[usize])] = &[
    ("memchr", &[], &[0]),
    ("strlen", &[], &[0]),
    ("strnlen", &[], &[0]),
    ("strcmp", &[], &[0, 1]),
    ("strncmp", &[], &[0, 1]),
    ("strncasecmp", &[], &[0, 1]),
    ("strcasecmp", &[], &[0, 1]),
    ("strcoll", &[], &[0, 1]),
    ("strcpy", &[0], &[1]),
    ("stpcpy", &[0], &[1]),
    ("strcat", &[0], &[0, 1]),
    ("strncat", &[0], &[0, 1]),
    ("strchr", &[], &[0]),
    ("strrchr", &[], &[0]),
    ("strstr", &[], &[0, 1]),
    ("strpbrk", &[], &[0, 1]),
    ("strspn", &[], &[0, 1]),
    ("strcspn", &[], &[0, 1]),
    ("atoi", &[], &[0]),
    ("atol", &[], &[0]),
    ("atoll", &[], &[0]),
    ("atof", &[], &[0]),
    ("nan", &[], &[0]),
    ("nanf", &[], &[0]),
];

/// The function of this name.
pub fn find(name: &str) -> Option<Known> {
    let (_, known) = OF_BYTES.iter().find(|(known, _)| *known == name)?;
    Some(*known)
}

/// The arguments that a function writes and reads through, as far as they lead.
pub fn of_objects(name: &str) -> Option<(&'static [usize], &'static [usize])> {
    let (_, writes, reads) = MEMORY.iter().find(|(known, ..)| *known == name)?;
    Some((writes, reads))
}
