//! The directives of OpenMP for C and C++, 4.5 to 6.0.

use super::Association::*;
use super::clauses::{NAME, OBJECTS, ONE_OBJECT, OPTIONAL, RAW};
use super::{Association, Row, Syntax};
use crate::Version::{
    self, OpenMp45 as V45, OpenMp50 as V50, OpenMp51 as V51, OpenMp52 as V52, OpenMp60 as V60,
};

type Clauses = &'static [(Version, &'static str)];

const fn row(name: &'static str, since: Version, association: Association, clauses: Clauses) -> Row {
    Row {
        name,
        since,
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

const ASSUMPTIONS: Clauses = &[
    (
        V51,
        "absent contains holds no_openmp no_openmp_routines no_parallelism",
    ),
    (V60, "no_openmp_constructs"),
];

/// One row per directive.
#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    // Parallelism and work sharing
    row("parallel", V45, Block, &[
        (V45, "if num_threads default private firstprivate shared copyin reduction proc_bind"),
        (V50, "allocate"), (V60, "message severity safesync")]),
    row("teams", V45, Block, &[
        (V45, "num_teams thread_limit default private firstprivate shared reduction"), (V50, "allocate"), (V52, "if")]),
    row("simd", V45, Loops, &[
        (V45, "safelen simdlen linear aligned private lastprivate reduction collapse"),
        (V50, "if nontemporal order"), (V60, "induction")]),
    row("master", V45, Block, &[]),
    row("masked", V51, Block, &[(V51, "filter")]),
    row("scope", V51, Block, &[(V51, "private reduction nowait"), (V52, "allocate firstprivate")]),
    row("sections", V45, Block, &[(V45, "private firstprivate lastprivate reduction nowait"), (V50, "allocate")]),
    row("section", V45, Separating, &[]),
    row("single", V45, Block, &[(V45, "private firstprivate copyprivate nowait"), (V50, "allocate")]),
    row("for", V45, Loops, &[
        (V45, "private firstprivate lastprivate linear reduction schedule collapse ordered nowait"),
        (V50, "allocate order"), (V60, "induction")]),
    row("distribute", V45, Loops, &[
        (V45, "private firstprivate lastprivate collapse dist_schedule"), (V50, "allocate"), (V51, "order"),
        (V60, "induction")]),
    row("loop", V50, Loops, &[(V50, "bind collapse order private lastprivate reduction")]),
    // Tasks
    row("task", V45, Block, &[
        (V45, "if final untied default mergeable private firstprivate shared depend priority"),
        (V50, "allocate in_reduction affinity detach"), (V60, "threadset transparent replayable")]),
    row("taskloop", V45, Loops, &[
        (V45, "if shared private firstprivate lastprivate default grainsize num_tasks collapse final priority untied \
               mergeable nogroup"),
        (V50, "allocate reduction in_reduction"), (V60, "induction threadset transparent replayable")]),
    row("task iteration", V60, Separating, &[(V60, "affinity depend if")]),
    row("taskgraph", V60, Block, &[(V60, "graph_id graph_reset if nogroup")]),
    row("taskgroup", V45, Block, &[(V50, "task_reduction allocate")]),
    row("taskwait", V45, StandAlone, &[(V50, "depend"), (V51, "nowait"), (V60, "replayable")]),
    row("taskyield", V45, StandAlone, &[]),
    // Synchronisation
    row("barrier", V45, StandAlone, &[]),
    with(NAME, row("critical", V45, Block, &[(V45, "hint")])),
    row("atomic", V45, Block, &[
        (V45, "read write update capture seq_cst"), (V50, "acq_rel acquire release relaxed hint"),
        (V51, "compare fail weak"), (V60, "memscope")]),
    with(OBJECTS, row("flush", V45, StandAlone, &[
        (V50, "acq_rel acquire release"), (V51, "seq_cst"), (V60, "memscope")])),
    row("ordered", V45, Varies, &[(V45, "threads simd depend"), (V52, "doacross")]),
    with(ONE_OBJECT, row("depobj", V50, StandAlone, &[(V50, "depend destroy update"), (V60, "init")])),
    row("cancel", V45, StandAlone, &[(V45, "parallel sections for taskgroup if")]),
    row("cancellation point", V45, StandAlone, &[(V45, "parallel sections for taskgroup")]),
    row("scan", V50, Separating, &[(V50, "inclusive exclusive"), (V60, "init_complete")]),
    // Devices
    row("target", V45, Block, &[
        (V45, "if device private firstprivate map is_device_ptr defaultmap nowait depend"),
        (V50, "in_reduction allocate uses_allocators"), (V51, "has_device_addr thread_limit"),
        (V60, "default device_type priority replayable")]),
    row("target data", V45, Block, &[
        (V45, "if device map use_device_ptr"), (V50, "use_device_addr"),
        (V60, "affinity allocate default depend detach firstprivate in_reduction mergeable nogroup nowait priority \
               private shared transparent")]),
    row("target enter data", V45, StandAlone, &[(V45, "if device map depend nowait"), (V60, "priority replayable")]),
    row("target exit data", V45, StandAlone, &[(V45, "if device map depend nowait"), (V60, "priority replayable")]),
    row("target update", V45, StandAlone, &[(V45, "if device to from depend nowait"), (V60, "priority replayable")]),
    with(OBJECTS, row("declare target", V45, Declarative, &[
        (V45, "to link"), (V50, "device_type"), (V51, "indirect"), (V52, "enter"), (V60, "local")])),
    row("begin declare target", V51, Delimited, &[(V51, "device_type indirect")]),
    row("end declare target", V45, End, &[]),
    row("interop", V51, StandAlone, &[(V51, "init use destroy device depend nowait")]),
    row("dispatch", V51, Block, &[
        (V51, "device depend nowait novariants nocontext is_device_ptr"), (V52, "has_device_addr"), (V60, "interop")]),
    // Declarations
    with(OPTIONAL_RAW, row("declare simd", V45, Declarative, &[
        (V45, "simdlen linear aligned uniform inbranch notinbranch")])),
    with(RAW, row("declare reduction", V45, Declarative, &[(V45, "initializer"), (V60, "combiner")])),
    with(RAW, row("declare mapper", V50, Declarative, &[(V50, "map")])),
    with(OPTIONAL_RAW, row("declare variant", V50, Declarative, &[(V50, "match"), (V51, "adjust_args append_args")])),
    row("begin declare variant", V51, Delimited, &[(V51, "match")]),
    row("end declare variant", V51, End, &[]),
    with(RAW, row("declare induction", V60, Declarative, &[(V60, "inductor collector")])),
    with(OBJECTS, row("threadprivate", V45, Declarative, &[])),
    with(OBJECTS, row("groupprivate", V60, Declarative, &[(V60, "device_type")])),
    with(OBJECTS, row("allocate", V50, Declarative, &[(V50, "allocator"), (V51, "align")])),
    // Information
    row("requires", V50, Informational, &[
        (V50, "reverse_offload unified_address unified_shared_memory atomic_default_mem_order dynamic_allocators"),
        (V60, "self_maps device_safesync")]),
    row("assume", V51, Block, ASSUMPTIONS),
    row("assumes", V51, Informational, ASSUMPTIONS),
    row("begin assumes", V51, Delimited, ASSUMPTIONS),
    row("end assumes", V51, End, &[]),
    row("nothing", V51, StandAlone, &[(V60, "apply")]),
    row("error", V51, StandAlone, &[(V51, "at severity message")]),
    row("metadirective", V50, Varies, &[(V50, "when default"), (V52, "otherwise")]),
    row("begin metadirective", V50, Delimited, &[(V50, "when default"), (V52, "otherwise")]),
    row("end metadirective", V50, End, &[]),
    // Loop transformations
    row("tile", V51, Loops, &[(V51, "sizes"), (V60, "apply")]),
    row("unroll", V51, Loops, &[(V51, "full partial"), (V60, "apply")]),
    row("fuse", V60, Loops, &[(V60, "looprange apply")]),
    row("interchange", V60, Loops, &[(V60, "permutation apply")]),
    row("reverse", V60, Loops, &[(V60, "apply")]),
    row("split", V60, Loops, &[(V60, "counts apply")]),
    row("stripe", V60, Loops, &[(V60, "sizes apply")]),
];

const OPTIONAL_RAW: Syntax = Syntax {
    parentheses: OPTIONAL,
    ..RAW
};

/// The compound constructs that the specifications up to 5.2 list.
pub(super) const COMPOUNDS: &[(&str, Version)] = &[
    ("parallel for", V45),
    ("for simd", V45),
    ("parallel for simd", V45),
    ("parallel sections", V45),
    ("distribute simd", V45),
    ("distribute parallel for", V45),
    ("distribute parallel for simd", V45),
    ("taskloop simd", V45),
    ("target parallel", V45),
    ("target parallel for", V45),
    ("target parallel for simd", V45),
    ("target simd", V45),
    ("target teams", V45),
    ("teams distribute", V45),
    ("teams distribute simd", V45),
    ("teams distribute parallel for", V45),
    ("teams distribute parallel for simd", V45),
    ("target teams distribute", V45),
    ("target teams distribute simd", V45),
    ("target teams distribute parallel for", V45),
    ("target teams distribute parallel for simd", V45),
    ("parallel loop", V50),
    ("teams loop", V50),
    ("target parallel loop", V50),
    ("target teams loop", V50),
    ("parallel master", V50),
    ("master taskloop", V50),
    ("master taskloop simd", V50),
    ("parallel master taskloop", V50),
    ("parallel master taskloop simd", V50),
    ("parallel masked", V51),
    ("masked taskloop", V51),
    ("masked taskloop simd", V51),
    ("parallel masked taskloop", V51),
    ("parallel masked taskloop simd", V51),
];
