//! The directives of OpenACC for C and C++, 2.7 to 3.4.

use super::Association::*;
use super::clauses::{NAME, OPTIONAL, READ_ONLY_OBJECTS, WAIT};
use super::{Association, Row, Syntax};
use crate::Version::{self, OpenAcc27 as V27, OpenAcc30 as V30, OpenAcc32 as V32, OpenAcc34 as V34};

type Clauses = &'static [(Version, &'static str)];

const fn row(name: &'static str, association: Association, clauses: Clauses) -> Row {
    Row {
        name,
        since: V27,
        association,
        argument: None,
        clauses,
    }
}

const fn with(argument: Syntax, row: Row) -> Row {
    Row {
        argument: Some(argument),
        ..row
    }
}

/// One row per directive.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row("parallel", Block, &[
        (V27, "async wait num_gangs num_workers vector_length device_type if self reduction copy copyin copyout create \
               no_create present deviceptr attach private firstprivate default")]),
    row("serial", Block, &[
        (V27, "async wait device_type if self reduction copy copyin copyout create no_create present deviceptr attach \
               private firstprivate default")]),
    row("kernels", Block, &[
        (V27, "async wait num_gangs num_workers vector_length device_type if self copy copyin copyout create no_create \
               present deviceptr attach default")]),
    row("data", Block, &[
        (V27, "if copy copyin copyout create no_create present deviceptr attach default"),
        (V32, "async wait device_type")]),
    row("enter data", StandAlone, &[(V27, "if async wait copyin create attach")]),
    row("exit data", StandAlone, &[(V27, "if async wait copyout delete detach finalize")]),
    row("host_data", Block, &[(V27, "use_device if if_present")]),
    row("loop", Loops, &[
        (V27, "collapse gang worker vector seq independent auto tile device_type private reduction")]),
    with(READ_ONLY_OBJECTS, row("cache", StandAlone, &[])),
    row("atomic", Block, &[(V27, "read write update capture"), (V34, "if")]),
    row("declare", Declarative, &[(V27, "copy copyin copyout create present deviceptr device_resident link")]),
    row("init", StandAlone, &[(V27, "device_type device_num"), (V30, "if")]),
    row("shutdown", StandAlone, &[(V27, "device_type device_num"), (V30, "if")]),
    row("set", StandAlone, &[(V27, "default_async device_num device_type"), (V30, "if")]),
    row("update", StandAlone, &[(V27, "async wait device_type if if_present self host device")]),
    with(Syntax { parentheses: OPTIONAL, ..WAIT }, row("wait", StandAlone, &[(V27, "async"), (V30, "if")])),
    with(NAME, row("routine", Declarative, &[(V27, "gang worker vector seq bind device_type nohost")])),
];

/// The combined constructs.
pub(super) const COMPOUNDS: &[(&str, Version)] = &[
    ("parallel loop", V27),
    ("serial loop", V27),
    ("kernels loop", V27),
];
