//! Functions that do something besides touching memory: input, output, time, randomness, a state.

use super::Known;
use crate::effects::bytes::{Bytes, Count};

/// Functions whose effect besides memory is on the world.
const EXTERNAL: &[(&str, &str)] = &[
    ("printf", "printf does output"),
    ("fprintf", "fprintf does output"),
    ("dprintf", "dprintf does output"),
    ("puts", "puts does output"),
    ("putchar", "putchar does output"),
    ("fputs", "fputs does output"),
    ("fputc", "fputc does output"),
    ("fflush", "fflush does output"),
    ("perror", "perror does output"),
    ("putc", "putc does output"),
    ("putchar_unlocked", "putchar_unlocked does output"),
    ("puts_unlocked", "puts_unlocked does output"),
    ("remove", "remove changes files"),
    ("rename", "rename changes files"),
    ("system", "system runs another program"),
    ("feof", "feof asks for the state of a file"),
    ("ferror", "ferror asks for the state of a file"),
    ("fileno", "fileno asks for the state of a file"),
    ("clock", "clock reads the time"),
    ("difftime", "difftime reads the time"),
    ("usleep", "usleep waits"),
    ("sleep", "sleep waits"),
];

/// Functions that keep a state or read the world and write through their pointer arguments.
const STATEFUL: &[(&str, &str)] = &[
    ("rand", "rand changes the state of the random number generator"),
    ("srand", "srand changes the state of the random number generator"),
    (
        "random",
        "random changes the state of the random number generator",
    ),
    (
        "srandom",
        "srandom changes the state of the random number generator",
    ),
    (
        "srand48",
        "srand48 changes the state of the random number generator",
    ),
    (
        "lrand48",
        "lrand48 changes the state of the random number generator",
    ),
    (
        "mrand48",
        "mrand48 changes the state of the random number generator",
    ),
    (
        "erand48",
        "erand48 changes the state of the random number generator",
    ),
    (
        "drand48",
        "drand48 changes the state of the random number generator",
    ),
    ("gettimeofday", "gettimeofday reads the time"),
    ("time", "time reads the time"),
    ("clock_gettime", "clock_gettime reads the time"),
    ("scanf", "scanf does input"),
    ("fscanf", "fscanf does input"),
    ("sscanf", "sscanf writes its arguments"),
    ("fgets", "fgets does input"),
    ("fgetc", "fgetc does input"),
    ("getc", "getc does input"),
    ("getchar", "getchar does input"),
    ("ungetc", "ungetc does input"),
    ("fseek", "fseek moves in a file"),
    ("ftell", "ftell moves in a file"),
    ("rewind", "rewind moves in a file"),
    ("clearerr", "clearerr changes the state of a file"),
    ("setvbuf", "setvbuf changes the state of a file"),
    ("setbuf", "setbuf changes the state of a file"),
    ("getenv", "getenv reads the environment"),
    ("fopen", "fopen opens a file"),
    ("fclose", "fclose closes a file"),
    ("sprintf", "sprintf writes its arguments"),
    ("snprintf", "snprintf writes its arguments"),
];

/// Functions that keep a pointer which they were given, or touch what one in memory points to.
const KEEPING: &[(&str, &str)] = &[
    ("strtok", "strtok keeps the text that it is given"),
    ("strtok_r", "strtok_r keeps the text that it is given"),
    ("strerror", "strerror changes a text of its own"),
    ("getline", "getline does input"),
    ("getdelim", "getdelim does input"),
];

/// Functions that move so many bytes between a file and memory.
const OF_FILES: &[(&str, &str, Known)] = &[
    (
        "fread",
        "fread does input",
        Known::bytes(&[Bytes::written(0, Count::Product(1, 2)).perhaps()]).also(&[3], &[3]),
    ),
    (
        "fwrite",
        "fwrite does output",
        Known::bytes(&[Bytes::read(0, Count::Product(1, 2)).perhaps()]).also(&[3], &[3]),
    ),
];

/// Why a function that writes nothing is no function of values.
pub fn why_external(name: &str) -> Option<&'static str> {
    let (_, why) = EXTERNAL.iter().find(|(known, _)| *known == name)?;
    Some(why)
}

/// The same of one that also writes through its pointers.
pub fn why_stateful(name: &str) -> Option<&'static str> {
    let (_, why) = STATEFUL.iter().find(|(known, _)| *known == name)?;
    Some(why)
}

/// The same of one that may write what no argument of this call points to.
pub fn why_keeping(name: &str) -> Option<&'static str> {
    let (_, why) = KEEPING.iter().find(|(known, _)| *known == name)?;
    Some(why)
}

/// A function that moves bytes, and why that is not all it does.
pub fn of_files(name: &str) -> Option<(Known, &'static str)> {
    let (_, why, known) = OF_FILES.iter().find(|(known, ..)| *known == name)?;
    Some((*known, why))
}
