//! How are the parentheses of each clause read?
//!
//! One form covers nearly all: `modifiers : items : trailing`, where each clause says which of the three it has. Every
//! clause may also begin with a directive-name modifier (OpenMP 4.5 has it for `if`, 6.0 for all).

use crate::Language;
use Items::*;
use Parentheses::*;

/// Whether a clause has parentheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Parentheses {
    Required,
    Optional,
    Forbidden,
}

pub(super) const OPTIONAL: Parentheses = Optional;

/// What the items are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Items {
    /// List of objects and their sections.
    Objects,
    /// Exactly one object.
    OneObject,
    /// Exactly one expression.
    OneValue,
    /// List of expressions, or `*`.
    Values,
    /// List of keywords or names or string literals, or `*`. If the string is not empty: only these.
    Words(&'static str),
    /// A keyword of these, then expressions: `schedule(static, 4)`.
    WordThenValues(&'static str),
    /// List of expressions each of which may have one of these keywords: `gang(num: 4, static: *)`.
    Named(&'static str),
    /// Like `Values`, but `devnum: e : queues :` may come before.
    WaitList,
    /// `source` alone or `sink:` with expressions or a dependence type with objects.
    Dependence,
    /// Not taken apart.
    Unparsed,
}

/// What may be before the items.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Before {
    /// Keywords.
    pub words: &'static str,
    /// Keywords with one expression in parentheses.
    pub named: &'static str,
    /// Keywords with anything in parentheses, kept raw.
    pub raw: &'static str,
    /// A reduction operator or the name of a user-defined one, as the last modifier.
    pub operator: bool,
    /// An expression.
    pub value: bool,
    /// `iterator(…)` and `mapper(…)`
    pub iterator: bool,
    /// `mapper(…)`
    pub mapper: bool,
}

/// What may be after the items.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum After {
    Nothing,
    /// One expression, or modifiers of these: keywords, and keywords with one expression.
    Value {
        words: &'static str,
        named: &'static str,
    },
    /// One of these keywords.
    Word(&'static str),
}

/// The grammar of one clause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Syntax {
    pub parentheses: Parentheses,
    pub before: Before,
    pub items: Items,
    pub after: After,
}

const NOTHING: Before = Before {
    words: "",
    named: "",
    raw: "",
    operator: false,
    value: false,
    iterator: false,
    mapper: false,
};

const fn plain(items: Items) -> Syntax {
    Syntax {
        parentheses: Required,
        before: NOTHING,
        items,
        after: After::Nothing,
    }
}

const fn words(words: &'static str, syntax: Syntax) -> Syntax {
    Syntax {
        before: Before {
            words,
            ..syntax.before
        },
        ..syntax
    }
}

const fn optional(syntax: Syntax) -> Syntax {
    Syntax {
        parentheses: Optional,
        ..syntax
    }
}

const fn before(before: Before, syntax: Syntax) -> Syntax {
    Syntax { before, ..syntax }
}

const fn after(after: After, syntax: Syntax) -> Syntax {
    Syntax { after, ..syntax }
}

const fn keyword(words: &'static str) -> Syntax {
    plain(Words(words))
}

pub(super) const OBJECTS: Syntax = optional(plain(Objects));
pub(super) const ONE_OBJECT: Syntax = optional(plain(OneObject));
pub(super) const NAME: Syntax = optional(plain(Words("")));
pub(super) const RAW: Syntax = plain(Unparsed);
pub(super) const READ_ONLY_OBJECTS: Syntax = words("readonly", plain(Objects));
pub(super) const WAIT: Syntax = optional(plain(WaitList));

const LIST: Syntax = plain(Objects);
const VALUE: Syntax = plain(OneValue);
/// A clause that older versions have without parentheses and newer ones with an optional expression.
const FLAG: Syntax = optional(VALUE);
const BARE: Syntax = Syntax {
    parentheses: Forbidden,
    ..VALUE
};
const REDUCTION: Syntax = before(
    Before {
        words: "inscan task default",
        raw: "original",
        operator: true,
        ..NOTHING
    },
    LIST,
);
const MEMORY_ORDERS: &str = "seq_cst acq_rel release acquire relaxed";
const DEPENDENCES: &str = "in out inout mutexinoutset inoutset depobj sink source";

struct Row {
    names: &'static str,
    /// The directives where the row applies, separated by commas; everywhere if empty. Rows that name directives come first.
    on: &'static str,
    syntax: Syntax,
}

const fn row(names: &'static str, syntax: Syntax) -> Row {
    Row {
        names,
        on: "",
        syntax,
    }
}

const fn only(on: &'static str, names: &'static str, syntax: Syntax) -> Row {
    Row { names, on, syntax }
}

#[rustfmt::skip]
const OPENMP: &[Row] = &[
    only("metadirective,begin metadirective", "default", RAW),
    only("declare target", "to link", LIST),
    only("depobj", "update", keyword("in out inout mutexinoutset inoutset")),
    only("depobj", "init", before(Before { words: DEPENDENCES, iterator: true, ..NOTHING }, LIST)),
    // Data sharing and mapping
    row("private shared copyin copyprivate uniform nontemporal inclusive exclusive use interop local link", LIST),
    row("use_device_ptr use_device_addr is_device_ptr has_device_addr", LIST),
    row("firstprivate", words("saved", LIST)),
    row("lastprivate", words("conditional", LIST)),
    row("enter", words("automap", LIST)),
    row("map", before(Before {
        words: "always close present self to from tofrom alloc storage release delete ref_ptr ref_ptee ref_ptr_ptee \
                ompx_hold",
        iterator: true, mapper: true, ..NOTHING }, LIST)),
    row("to from", before(Before { words: "present", iterator: true, mapper: true, ..NOTHING }, LIST)),
    row("defaultmap", after(
        After::Word("scalar aggregate pointer all"),
        plain(Words("alloc storage to from tofrom firstprivate none default present private self")))),
    row("default", after(
        After::Word("scalar aggregate pointer all allocatable"), keyword("shared none private firstprivate"))),
    row("reduction in_reduction task_reduction", REDUCTION),
    row("induction", before(
        Before { words: "strict relaxed", named: "step", operator: true, ..NOTHING }, LIST)),
    row("linear", after(After::Value { words: "val ref uval", named: "step" }, words("val ref uval", LIST))),
    row("aligned", after(After::Value { words: "", named: "" }, LIST)),
    row("allocate", before(Before { named: "allocator align", value: true, ..NOTHING }, LIST)),
    row("uses_allocators", before(Before { named: "memspace traits", ..NOTHING }, LIST)),
    row("affinity", before(Before { iterator: true, ..NOTHING }, LIST)),
    row("adjust_args", words("nothing need_device_ptr need_device_addr", LIST)),
    // Dependences
    row("depend doacross", before(
        Before { words: DEPENDENCES, iterator: true, ..NOTHING }, plain(Dependence))),
    // Objects that are written
    row("detach", plain(OneObject)),
    row("destroy", optional(plain(OneObject))),
    row("init", before(Before {
        words: "target targetsync", raw: "prefer_type fr attr depinfo", ..NOTHING }, plain(OneObject))),
    // Values
    row("if final safelen simdlen collapse priority thread_limit hint allocator align filter message holds nocontext \
         novariants graph_id", VALUE),
    row("num_threads", words("strict", plain(Values))),
    row("num_teams", before(Before { value: true, ..NOTHING }, plain(Values))),
    row("sizes permutation counts looprange", plain(Values)),
    row("grainsize num_tasks", words("strict", VALUE)),
    row("device", words("ancestor device_num", VALUE)),
    row("schedule", words("monotonic nonmonotonic simd", plain(WordThenValues("static dynamic guided auto runtime")))),
    row("dist_schedule", plain(WordThenValues("static"))),
    // Keywords
    row("proc_bind", keyword("primary master close spread")),
    row("bind", keyword("teams parallel thread")),
    row("order", words("reproducible unconstrained", keyword("concurrent"))),
    row("device_type", keyword("any host nohost")),
    row("at", keyword("compilation execution")),
    row("severity", keyword("fatal warning")),
    row("atomic_default_mem_order fail", keyword(MEMORY_ORDERS)),
    row("memscope", keyword("all cgroup device")),
    row("threadset", keyword("omp_pool omp_team")),
    row("absent contains", keyword("")),
    // With or without an expression
    row("nowait untied mergeable nogroup ordered partial full threads simd inbranch notinbranch indirect transparent \
         replayable graph_reset safesync device_safesync init_complete", FLAG),
    row("seq_cst acq_rel acquire release relaxed read write update capture compare weak", FLAG),
    row("parallel sections for taskgroup", FLAG),
    row("reverse_offload unified_address unified_shared_memory dynamic_allocators self_maps", FLAG),
    row("no_openmp no_openmp_routines no_openmp_constructs no_parallelism", FLAG),
    // Not taken apart
    row("match when otherwise initializer combiner inductor collector append_args apply", RAW),
];

#[rustfmt::skip]
const OPENACC: &[Row] = &[
    only("update", "self host device", LIST),
    row("copy", words("always alwaysin alwaysout capture", LIST)),
    row("copyin", words("readonly always alwaysin capture", LIST)),
    row("copyout", words("zero always alwaysout capture", LIST)),
    row("create", words("zero capture", LIST)),
    row("no_create present deviceptr attach detach delete use_device device_resident link private firstprivate", LIST),
    row("reduction", before(Before { operator: true, ..NOTHING }, LIST)),
    row("if vector_length num_workers default_async device_num", VALUE),
    row("num_gangs", plain(Values)),
    row("tile", plain(Values)),
    row("collapse", words("force", VALUE)),
    row("async self", optional(VALUE)),
    row("wait", WAIT),
    row("gang", optional(plain(Named("num static dim")))),
    row("worker", optional(plain(Named("num")))),
    row("vector", optional(plain(Named("length")))),
    row("default", keyword("none present")),
    row("device_type", keyword("")),
    row("bind", keyword("")),
    row("seq independent auto nohost if_present finalize read write update capture", BARE),
];

/// Present names of clauses that had others.
const OPENACC_ALIASES: &[(&str, &str)] = &[
    ("pcopy", "copy"),
    ("present_or_copy", "copy"),
    ("pcopyin", "copyin"),
    ("present_or_copyin", "copyin"),
    ("pcopyout", "copyout"),
    ("present_or_copyout", "copyout"),
    ("pcreate", "create"),
    ("present_or_create", "create"),
    ("dtype", "device_type"),
];

fn table(language: Language) -> &'static [Row] {
    match language {
        Language::OpenMp => OPENMP,
        Language::OpenAcc => OPENACC,
    }
}

/// The canonical name of a clause.
pub(crate) fn canonical_clause(language: Language, name: &str) -> &str {
    match language {
        Language::OpenMp => name,
        Language::OpenAcc => OPENACC_ALIASES
            .iter()
            .find(|(old, _)| *old == name)
            .map_or(name, |(_, present)| present),
    }
}

/// How a clause (canonical name) is read on a directive; `None` if no directive has a clause of this name.
pub(crate) fn clause_syntax(language: Language, directive: &str, clause: &str) -> Option<Syntax> {
    let fits = |row: &&Row| {
        row.names.split_whitespace().any(|n| n == clause)
            && (row.on.is_empty() || row.on.split(',').any(|d| d == directive))
    };
    table(language).iter().find(fits).map(|row| row.syntax)
}

/// All clause names of a language, canonical ones first.
pub(crate) fn known_clauses(language: Language) -> impl Iterator<Item = &'static str> {
    let canonical = table(language)
        .iter()
        .flat_map(|row| row.names.split_whitespace());
    let aliases = if language == Language::OpenAcc {
        OPENACC_ALIASES
    } else {
        &[]
    };
    canonical.chain(aliases.iter().map(|(old, _)| *old))
}
