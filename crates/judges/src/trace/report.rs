//! What the trace reports about each loop: as it comes out of the program, and in terms of the source.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::LoopRequest;
use super::instrument::Copy;
use super::symbols::Symbols;

#[derive(Debug, Deserialize)]
pub(super) struct Raw {
    pub incomplete: Option<String>,
    pub stopped: bool,
    pub accesses: u64,
    loops: Vec<RawLoop>,
    instances: Vec<RawInstance>,
    pub dependences: Vec<RawDependence>,
    pub live: Vec<RawLive>,
    pub touched: Vec<RawTouched>,
}

#[derive(Debug, Deserialize)]
struct RawLoop {
    r#loop: usize,
    instances: u64,
    iterations: u64,
    least: u64,
    most: u64,
    refused: u64,
    passed: u64,
}

#[derive(Debug, Deserialize)]
struct RawInstance {
    r#loop: usize,
    number: u64,
    iterations: u64,
    values: Vec<i64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RawObject {
    Global(String),
    Heap { number: u64, code: u64 },
    Frame(u64),
    Claim(usize),
    Other,
}

#[derive(Debug, Deserialize)]
pub(super) struct Subject {
    r#loop: usize,
    claim: Option<usize>,
    pub object: RawObject,
    offset: i64,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawDependence {
    #[serde(flatten)]
    pub subject: Subject,
    kind: DependenceKind,
    pub from: u64,
    pub to: u64,
    count: u64,
    example: i64,
    shortest: u64,
    longest: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawLive {
    #[serde(flatten)]
    pub subject: Subject,
    enters: bool,
    leaves: bool,
    leaves_not_last: bool,
}

#[derive(Debug, Deserialize)]
pub(super) struct RawTouched {
    r#loop: usize,
    instance: Option<u64>,
    pub object: RawObject,
    base: i64,
    size: u64,
    reads: Vec<(i64, i64)>,
    writes: Vec<(i64, i64)>,
    pub read_codes: Vec<u64>,
    pub write_codes: Vec<u64>,
}

/// Kinds of dependence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DependenceKind {
    /// Written, then read.
    Flow,
    /// Read, then written.
    Anti,
    /// Written, then written.
    Output,
}

/// A place in the source. Line and column are those of the original text, from 1; 0 if not known.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file as the program named it.
    pub file: PathBuf,
    /// Line.
    pub line: u32,
    /// Column in bytes.
    pub column: u32,
}

/// An object that a loop touches.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    /// A variable with static storage.
    Global(String),
    /// A block that the program allocated: its number in order of allocation, and the line that asked for it.
    Heap {
        /// From 1.
        number: u64,
        /// The line of the allocation.
        line: u32,
    },
    /// A local variable.
    Variable {
        /// Its name.
        name: String,
        /// Its function.
        function: String,
        /// The line of its declaration.
        line: u32,
        /// Whether it is declared inside the loop in question (or in its header).
        inside: bool,
    },
    /// Stack memory without a name: a variable-length array, or a temporary of the compiler.
    Unnamed {
        /// The function whose frame it belongs to.
        function: String,
    },
    /// Memory that belongs to a library.
    Other,
}

impl fmt::Display for Object {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Object::Global(name) => write!(formatter, "`{name}`"),
            Object::Heap { number, line } => {
                write!(formatter, "heap block {number} (allocated on line {line})")
            }
            Object::Variable { name, .. } => write!(formatter, "`{name}`"),
            Object::Unnamed { function } => write!(formatter, "unnamed stack memory of `{function}`"),
            Object::Other => write!(formatter, "a library's memory"),
        }
    }
}

/// A dependence that a loop carried: two accesses of the same memory in different iterations of the same instance.
#[derive(Debug, Clone)]
pub struct Dependence {
    /// Its kind.
    pub kind: DependenceKind,
    /// The object.
    pub object: Object,
    /// The claim of the loop that covers it, if one does.
    pub claim: Option<usize>,
    /// The earlier access.
    pub from: Place,
    /// The later access.
    pub to: Place,
    /// How often it was seen (once for each piece of memory).
    pub count: u64,
    /// Byte offset in the object of the first one seen.
    pub example: i64,
    /// The shortest distance in iterations (0: from a body to the loop's own step or condition after it).
    pub shortest: u64,
    /// The longest distance.
    pub longest: u64,
}

/// How values pass between a loop and its surroundings through an object.
#[derive(Debug, Clone)]
pub struct Live {
    /// The object.
    pub object: Object,
    /// The claim of the loop that covers it, if one does.
    pub claim: Option<usize>,
    /// A value from before the loop is read inside.
    pub enters: bool,
    /// A value written inside is read after the loop.
    pub leaves: bool,
    /// And it was not written by the last iteration.
    pub leaves_not_last: bool,
}

/// The bytes of one object that a loop touched.
#[derive(Debug, Clone)]
pub struct Touched {
    /// The instance of the loop, or none for all together. (The first few instances are kept apart.)
    pub instance: Option<u64>,
    /// The object. For stack memory one entry per variable.
    pub object: Object,
    /// Address of the object's first byte in that run.
    pub base: i64,
    /// Size of the object in bytes; 0 if not known.
    pub size: u64,
    /// Runs of bytes that were read: offset of the first and past the last, sorted, disjoint.
    pub reads: Vec<(i64, i64)>,
    /// The same for bytes that were written.
    pub writes: Vec<(i64, i64)>,
    /// Places that read (the first few dozen). Of a local variable those outside of the loop's text that read anything of its function.
    pub read_at: Vec<Place>,
    /// Places that wrote, likewise.
    pub written_at: Vec<Place>,
}

/// One execution of a loop, from entry to exit.
#[derive(Debug, Clone)]
pub struct Instance {
    /// From 0.
    pub number: u64,
    /// Iterations begun.
    pub iterations: u64,
    /// The values at entry: two for each section claim (start, bytes), then those wanted.
    pub values: Vec<i64>,
}

/// Where the object of a claim is read and written inside the loop.
#[derive(Debug, Clone)]
pub struct Claimed {
    /// Index of the claim.
    pub claim: usize,
    /// Places that read (the first few dozen).
    pub read_at: Vec<Place>,
    /// Places that wrote.
    pub written_at: Vec<Place>,
}

/// What one loop did in all its instances.
#[derive(Debug, Clone)]
pub struct TracedLoop {
    /// The file, as the program names it.
    pub file: PathBuf,
    /// Line of the keyword.
    pub line: u32,
    /// Column of the keyword.
    pub column: u32,
    /// How many instances were followed.
    pub instances: u64,
    /// How many were not, because the condition of the request did not hold.
    pub refused: u64,
    /// How many were not, because enough had been.
    pub passed: u64,
    /// Iterations of all instances together.
    pub iterations: u64,
    /// The fewest and the most iterations of an instance.
    pub range: (u64, u64),
    /// The first few instances.
    pub entries: Vec<Instance>,
    /// Dependences that the loop carried.
    pub dependences: Vec<Dependence>,
    /// Values that entered or left.
    pub live: Vec<Live>,
    /// What it touched.
    pub touched: Vec<Touched>,
    /// Who touched the objects of the claims.
    pub claimed: Vec<Claimed>,
    /// What was asked, with the loop's own induction variables added to the claims.
    pub request: LoopRequest,
}

struct Context<'a> {
    sources: &'a [PathBuf],
    copies: &'a [Copy],
    symbols: &'a Symbols,
}

impl Context<'_> {
    fn place(&self, code: u64) -> Place {
        let code = self.symbols.code(code);
        let named = Path::new(&code.file);
        let source = self
            .sources
            .iter()
            .position(|source| source == named || named.ends_with(source));
        match source.and_then(|index| Some((self.sources.get(index)?, self.copies.get(index)?))) {
            Some((source, copy)) => Place {
                file: source.clone(),
                line: code.line,
                column: copy.original(code.line, code.column),
            },
            None => Place {
                file: named.to_path_buf(),
                line: code.line,
                column: code.column,
            },
        }
    }

    fn object(
        &self,
        raw: &RawObject,
        offset: i64,
        around: &TracedLoop,
        text: &super::scan::LoopText,
    ) -> Object {
        match raw {
            RawObject::Global(name) => Object::Global(name.clone()),
            RawObject::Heap { number, code } => Object::Heap {
                number: *number,
                line: self.symbols.code(*code).line,
            },
            RawObject::Frame(frame) => {
                let code = self.symbols.code(*frame);
                match self.symbols.variable(*frame, offset) {
                    Some(variable) => {
                        // The frame's code address is the loop's own marker when the variable is the loop's function's.
                        let own = code.line == around.line;
                        let lines = text.line..=text.last_line;
                        Object::Variable {
                            name: variable.name.clone(),
                            function: code.function,
                            line: variable.line,
                            inside: own && lines.contains(&variable.line),
                        }
                    }
                    None => Object::Unnamed {
                        function: code.function,
                    },
                }
            }
            RawObject::Claim(_) | RawObject::Other => Object::Other,
        }
    }
}

fn is_marker(object: &Object) -> bool {
    matches!(object, Object::Variable { name, .. } if name.starts_with("ferry_"))
}

/// Puts the raw report in terms of the source. Loops that did not run are absent.
pub(super) fn assemble(raw: Raw, sources: &[PathBuf], copies: &[Copy], symbols: &Symbols) -> Vec<TracedLoop> {
    let context = Context {
        sources,
        copies,
        symbols,
    };
    let mut loops = Vec::new();
    let mut first = 1;
    for (source, copy) in sources.iter().zip(copies) {
        for (index, (text, request)) in copy.loops.iter().zip(&copy.requests).enumerate() {
            let number = first + index;
            if let Some(total) = raw.loops.iter().find(|total| total.r#loop == number) {
                loops.push(one_loop(&context, &raw, total, source, text, request));
            }
        }
        first += copy.loops.len();
    }
    loops
}

fn one_loop(
    context: &Context<'_>,
    raw: &Raw,
    total: &RawLoop,
    source: &Path,
    text: &super::scan::LoopText,
    request: &LoopRequest,
) -> TracedLoop {
    let number = total.r#loop;
    let entries = raw
        .instances
        .iter()
        .filter(|instance| instance.r#loop == number)
        .map(|instance| Instance {
            number: instance.number,
            iterations: instance.iterations,
            values: instance.values.clone(),
        });
    let mut result = TracedLoop {
        file: source.to_path_buf(),
        line: text.line,
        column: text.column,
        instances: total.instances,
        refused: total.refused,
        passed: total.passed,
        iterations: total.iterations,
        range: (total.least, total.most),
        entries: entries.collect(),
        dependences: Vec::new(),
        live: Vec::new(),
        touched: Vec::new(),
        claimed: Vec::new(),
        request: request.clone(),
    };
    for found in raw
        .dependences
        .iter()
        .filter(|found| found.subject.r#loop == number)
    {
        let object = context.object(&found.subject.object, found.subject.offset, &result, text);
        if is_marker(&object) {
            continue;
        }
        result.dependences.push(Dependence {
            kind: found.kind,
            object,
            claim: found.subject.claim,
            from: context.place(found.from),
            to: context.place(found.to),
            count: found.count,
            example: found.example,
            shortest: found.shortest,
            longest: found.longest,
        });
    }
    for found in raw.live.iter().filter(|found| found.subject.r#loop == number) {
        let object = context.object(&found.subject.object, found.subject.offset, &result, text);
        if is_marker(&object) {
            continue;
        }
        result.live.push(Live {
            object,
            claim: found.subject.claim,
            enters: found.enters,
            leaves: found.leaves,
            leaves_not_last: found.leaves_not_last,
        });
    }
    for found in raw.touched.iter().filter(|found| found.r#loop == number) {
        touched(context, found, &mut result, text);
    }
    // The run time's tables are hashed: an order that does not depend on addresses.
    result.dependences.sort_by(|left, right| {
        let key = |found: &Dependence| {
            (
                found.object.clone(),
                found.kind,
                found.from.clone(),
                found.to.clone(),
            )
        };
        key(left).cmp(&key(right))
    });
    result.live.sort_by(|left, right| left.object.cmp(&right.object));
    result
        .touched
        .sort_by(|left, right| (left.instance, &left.object).cmp(&(right.instance, &right.object)));
    result
}

fn touched(context: &Context<'_>, found: &RawTouched, result: &mut TracedLoop, text: &super::scan::LoopText) {
    let places = |codes: &[u64]| codes.iter().map(|&code| context.place(code)).collect::<Vec<_>>();
    let (read_at, written_at) = (places(&found.read_codes), places(&found.write_codes));
    if let RawObject::Claim(claim) = found.object {
        result.claimed.push(Claimed {
            claim,
            read_at,
            written_at,
        });
        return;
    }
    let RawObject::Frame(frame) = found.object else {
        let object = context.object(&found.object, 0, result, text);
        result.touched.push(Touched {
            instance: found.instance,
            object,
            base: found.base,
            size: found.size,
            reads: found.reads.clone(),
            writes: found.writes.clone(),
            read_at,
            written_at,
        });
        return;
    };
    // A frame is many objects: cut it into its variables. Which place touched which is not known then; of each it may be the places in
    // functions that the loop calls.
    let elsewhere = |places: &[Place]| -> Vec<Place> {
        let inside =
            |place: &Place| place.file == result.file && (text.line..=text.last_line).contains(&place.line);
        let outside = |place: &&Place| place.line > 0 && !inside(place);
        places.iter().filter(outside).cloned().collect()
    };
    let (read_at, written_at) = (elsewhere(&read_at), elsewhere(&written_at));
    for variable in context.symbols.variables(frame) {
        let cut = |runs: &[(i64, i64)]| -> Vec<(i64, i64)> {
            let end = variable.offset + variable.size;
            runs.iter()
                .map(|&(first, past)| (first.max(variable.offset), past.min(end)))
                .filter(|(first, past)| first < past)
                .map(|(first, past)| (first - variable.offset, past - variable.offset))
                .collect()
        };
        let (reads, writes) = (cut(&found.reads), cut(&found.writes));
        let object = context.object(&found.object, variable.offset, result, text);
        if (reads.is_empty() && writes.is_empty()) || is_marker(&object) {
            continue;
        }
        result.touched.push(Touched {
            instance: found.instance,
            object,
            base: found.base + variable.offset,
            size: u64::try_from(variable.size).unwrap_or(0),
            reads,
            writes,
            read_at: read_at.clone(),
            written_at: written_at.clone(),
        });
    }
}
