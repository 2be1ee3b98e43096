//! What does the JSON of a report hold? The schema in `docs/report.schema.json` says the same.

use ferry_source::Span;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Version of the format.
pub const VERSION: u32 = 1;
/// Where its schema is.
pub const SCHEMA: &str = "docs/report.schema.json";

/// A report.
#[derive(Serialize, Debug)]
pub struct Report {
    /// [`VERSION`].
    pub version: u32,
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// The files that were asked about, in order.
    pub files: Vec<FileReport>,
    /// Their loops, by file and place.
    pub loops: Vec<LoopReport>,
    /// The accesses in loops, by file and place.
    pub accesses: Vec<AccessReport>,
    /// How the accesses of these loops were tested, all together.
    pub tests: TestsReport,
    /// With `--verify-existing`: what came of the directives that are there.
    pub verification: Option<VerificationReport>,
    /// What could not be done and concerns no file.
    pub errors: Vec<String>,
}

/// What came of the loop directives that are there.
#[derive(Serialize, Debug)]
pub struct VerificationReport {
    /// How many there are.
    pub directives: usize,
    /// How many contradict a dependence that is proved.
    pub contradicted: usize,
    /// How many contradict nothing that is proved, but are not proved to be right.
    pub not_decided: usize,
    /// The contradictions.
    pub findings: Vec<FindingReport>,
}

/// One file.
#[derive(Serialize, Debug)]
pub struct FileReport {
    /// Its path, as it was given.
    pub file: String,
    /// False if it could not be read as C.
    pub read: bool,
    /// What is to be said about it.
    pub findings: Vec<FindingReport>,
}

/// One finding.
#[derive(Serialize, Debug)]
pub struct FindingReport {
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// The rule's name.
    pub rule: String,
    /// What.
    pub message: String,
    /// Where.
    #[serde(flatten)]
    pub place: Option<Place>,
    /// The other places involved.
    pub related: Vec<RelatedReport>,
    /// What else.
    pub notes: Vec<String>,
}

/// A place that a finding is about, too.
#[derive(Serialize, Debug)]
pub struct RelatedReport {
    /// Where.
    #[serde(flatten)]
    pub place: Place,
    /// What is there.
    pub message: String,
}

/// A place: file, and line and column from 1, the column in bytes.
#[derive(Serialize, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// One loop.
#[derive(Serialize, Debug)]
pub struct LoopReport {
    /// Of the keyword.
    #[serde(flatten)]
    pub place: Place,
    /// The function.
    pub function: String,
    /// `for`, `while` or `do`.
    pub keyword: &'static str,
    /// `parallel`, `parallel_if`, `parallel_assuming`, `sequential` or `unknown`.
    pub verdict: &'static str,
    /// Of `parallel_if`: when it is parallel.
    pub condition: Option<String>,
    /// What the answer rests on beyond the C standard and the program text.
    pub assumptions: Vec<String>,
    /// What stands in the way.
    pub causes: Vec<CauseReport>,
    /// How many iterations, if that is known before the loop.
    pub trip_count: Option<String>,
    /// Variables that every iteration needs for itself.
    pub private: Vec<String>,
    /// Those whose last value is used later; they are not among the private ones.
    pub lastprivate: Vec<String>,
    /// What is reduced.
    pub reductions: Vec<ReductionReport>,
    /// Objects in whose elements iterations may meet, if each update, or write of one value, is atomic.
    pub atomics: Vec<AtomicReport>,
    /// Sections of objects that are reduced.
    pub sections: Vec<SectionReductionReport>,
    /// Variables besides the loop variable that move by a fixed step.
    pub inductions: Vec<InductionReport>,
    /// Of a parallel loop: what goes in and out if it runs elsewhere.
    pub parameters: Option<Parameters>,
    /// Of a parallel loop: how well it suits a GPU.
    pub fitness: Option<FitnessReport>,
    /// Of the first loop of a kernel, or of a parallel loop that could be one: what its threads touch.
    pub kernel: Option<KernelReport>,
    /// Of `parallel_if`: what would make the test needless. Of atomic updates: what would take less time.
    pub remedy: Option<String>,
    /// How its accesses were tested.
    pub tests: TestsReport,
    /// Where it is as a whole.
    #[serde(skip)]
    pub whole: Option<Span>,
    /// The rest of what is known of it, if that was asked for.
    #[serde(skip)]
    pub story: Option<Story>,
    /// It is inside of a parallel loop.
    #[serde(skip)]
    pub inner: bool,
    /// It runs on the device, by directives around it that are there.
    pub on_device: bool,
    /// Annotated, it would run on the device.
    pub offloaded: bool,
    /// Why it would not.
    pub reason: Option<String>,
}

/// A cause with its place.
#[derive(Serialize, Debug)]
pub struct CauseReport {
    /// In plain words.
    pub message: String,
    /// Where; the loop itself if there is no better place.
    #[serde(flatten)]
    pub place: Place,
    /// The other place involved.
    pub other: Option<Place>,
    /// More places at which the same stands in the way.
    pub also: Vec<Place>,
    /// It certainly keeps the iterations in order.
    pub proved: bool,
    /// Loops inside, each of which must run at least once for it to come up, and may not.
    pub where_runs: Vec<Place>,
    /// Of accesses to memory: which of an earlier iteration meets which of a later one.
    pub dependences: Vec<DependenceReport>,
    /// What would remove it.
    pub remedy: Option<String>,
}

/// A dependence that the loop carries, or may carry. Some hundred places and a few vectors may make ten thousand dependences, which share them.
#[derive(Serialize, Debug)]
pub struct DependenceReport {
    /// `flow`, `anti` or `output`.
    pub kind: &'static str,
    /// The access of the earlier iteration.
    #[serde(serialize_with = "shared")]
    pub source: Arc<Place>,
    /// The access of the later iteration.
    #[serde(serialize_with = "shared")]
    pub sink: Arc<Place>,
    /// How many iterations the later one is ahead in this loop and the loops in it around both: a number, or `<`, `<=`, `=`, `>=`, `>`, `!=`, `*`.
    #[serde(serialize_with = "shared")]
    pub vector: Arc<Vec<String>>,
}

fn shared<T: Serialize, S: Serializer>(value: &Arc<T>, serializer: S) -> Result<S::Ok, S::Error> {
    value.as_ref().serialize(serializer)
}

impl DependenceReport {
    /// `flow (1, 0)`
    pub fn text(&self) -> String {
        format!("{} ({})", self.kind, self.vector.join(", "))
    }
}

/// What was asked about the accesses of a loop, or of all loops.
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct TestsReport {
    /// Pairs of accesses, one of them a write.
    pub pairs: u64,
    /// How many pairs came to what; they are `pairs` together.
    pub outcomes: BTreeMap<&'static str, u64>,
    /// Questions whether two meet that may reach one storage, one for each order.
    pub asked: u64,
    /// How many questions each test answered by no.
    pub independent: BTreeMap<&'static str, u64>,
    /// How many questions each test answered by yes.
    pub dependent: BTreeMap<&'static str, u64>,
    /// How many none of them decided; with the others they are `asked`.
    pub undecided: u64,
}

/// How well a parallel loop suits a GPU.
#[derive(Serialize, Debug)]
pub struct FitnessReport {
    /// `well`, `depends` or `poorly`: the worst of the reasons.
    pub suits: &'static str,
    /// What speaks for and against it.
    pub reasons: Vec<FitnessReason>,
}

/// What the threads of a kernel touch, and what it costs.
#[derive(Serialize, Debug)]
pub struct KernelReport {
    /// The GPU that is meant.
    pub gpu: String,
    /// Threads that run in step on it.
    pub warp: u32,
    /// One thread of each warp is at work: the directives share iterations among teams only.
    pub alone: bool,
    /// Its threads are those of one team (gang), which runs it for its share of the iterations around it.
    pub in_team: bool,
    /// Directives that are there write it.
    pub by_directive: bool,
    /// `annotate` would write it. If neither, this is what it would be.
    pub planned: bool,
    /// The loops whose iterations are numbered through, outermost first: neighbouring threads run consecutive ones.
    pub lanes: Vec<LaneReport>,
    /// How many threads have an iteration.
    pub threads: Option<String>,
    /// Lines that a warp takes in an iteration of the innermost loop.
    pub lines: Option<String>,
    /// Sectors that it takes then.
    pub sectors: Option<String>,
    /// All of these are counts; else they are more than the first warp may take.
    pub exact: bool,
    /// The accesses to memory that threads share.
    pub accesses: Vec<KernelAccess>,
    /// The present way to run the nest, then others, the cheapest first, those that would be other programs last.
    pub mappings: Vec<MappingReport>,
    /// The cheapest, if it is cheaper than the present one.
    pub advice: Option<String>,
    /// The accesses as they would be then, in the same order.
    pub after: Vec<KernelAccess>,
    /// Where threads of a warp part, and what would keep them together.
    pub divergence: Vec<DivergenceReport>,
    /// What threads of a block could copy to their shared memory, the most worthwhile first.
    pub sharing: Vec<SharingReport>,
    /// What the counts rest on.
    pub assumptions: Vec<String>,
}

/// A place at which threads of a warp part.
#[derive(Serialize, Debug)]
pub struct DivergenceReport {
    /// The statement.
    #[serde(flatten)]
    pub place: Place,
    /// `branch` or `loop`.
    pub what: &'static str,
    /// On what it depends: `rows` (which row of the innermost loop it is), `iteration` or `data`.
    pub depends_on: &'static str,
    /// The cheapest legal mapping in which threads of one row go together.
    pub avoided_by: Option<String>,
}

/// A loop that runs in parallel.
#[derive(Serialize, Debug)]
pub struct LaneReport {
    /// Its variable.
    pub variable: String,
    /// Its keyword.
    pub place: Option<Place>,
}

/// One access of a kernel.
#[derive(Serialize, Debug)]
pub struct KernelAccess {
    /// Of the access.
    #[serde(flatten)]
    pub place: Place,
    /// The object that it touches.
    pub object: Option<String>,
    /// `read` or `write`.
    pub kind: &'static str,
    /// Its text.
    pub text: Option<String>,
    /// `uniform`, `unit_stride`, `array_of_structures`, `strided`, `scattered`, `conditional` or `irregular`.
    pub pattern: &'static str,
    /// Bytes that each thread touches.
    pub size: u64,
    /// Bytes from one thread to the next.
    pub stride: Option<String>,
    /// Sectors that a warp takes.
    pub sectors: AmountReport,
    /// Lines that it takes.
    pub lines: AmountReport,
    /// The least and the most requests that figure 7 of the IPDA paper counts, to compare with it.
    pub ipda_figure_7: [usize; 2],
    /// How often a thread makes it.
    pub times: Option<String>,
    /// In some warps not all threads make it.
    pub in_part: bool,
    /// Some warps run iterations of two rows.
    pub straddles: bool,
    /// What is to be said about it.
    pub advice: Option<String>,
}

/// Memory that the threads of a block could share.
#[derive(Serialize, Debug)]
pub struct SharingReport {
    /// The object.
    pub object: String,
    /// The reads that would use the copy.
    pub reads: Vec<Place>,
    /// Threads of a block, x first.
    pub block: Vec<u64>,
    /// Rows, and last the bytes of each, in terms of the block's sizes `BX`, `BY`, `BZ`.
    pub tile: Vec<String>,
    /// Where it begins in each dimension, counted from where the block's first thread is.
    pub from: Vec<String>,
    /// Its bytes for this block.
    pub bytes: String,
    /// The tile and the threads on it, to draw them: `None` if something of that is no number.
    #[serde(skip)]
    pub shape: Option<TileShape>,
    /// What neighbours share along each axis, x first: bytes.
    pub overlaps: Vec<String>,
    /// All threads read the same.
    pub uniform: bool,
    /// Threads of a row do not read memory one next to the other.
    pub uncoalesced: bool,
    /// Requests of lines that a block makes now.
    pub requests: Option<String>,
    /// Requests of lines to load the copy once.
    pub requests_once: String,
    /// Blocks that a multiprocessor holds then.
    pub blocks: Option<u64>,
    /// Turns that the banks take for one access of a warp, and with rows so many bytes longer.
    pub bank_turns: Option<u64>,
    /// Bytes to be added to each row so that fewer wait.
    pub padding: Option<u64>,
    /// The directive of OpenACC that asks for it, at the top of the body of a loop in this place.
    pub cache: Option<CacheReport>,
    /// What was not proved.
    pub assumptions: Vec<String>,
}

/// The last two dimensions of a tile, with the block's threads on it: rows and bytes.
#[derive(PartialEq, Debug)]
pub struct TileShape {
    /// Of the whole tile.
    pub whole: [i64; 2],
    /// Where the block's first thread is.
    pub first: [i64; 2],
    /// From each thread to the next along each axis, x first.
    pub steps: Vec<[i64; 2]>,
}

/// A `cache` directive.
#[derive(Serialize, Debug)]
pub struct CacheReport {
    /// All of its line.
    pub directive: String,
    /// The loop in whose body it comes first.
    pub place: Option<Place>,
}

/// A number of requests of a full warp.
#[derive(Serialize, PartialEq, Debug)]
pub struct AmountReport {
    /// Of the first warp, with rows that begin on a line.
    pub usual: String,
    /// `usual` is a count; else the first warp takes as many at most.
    pub exact: bool,
    /// The least.
    pub best: String,
    /// The most.
    pub worst: String,
    /// The same two where arrays may begin anywhere.
    pub any_base: EndsReport,
}

/// The least and the most of a number of requests, for storage that begins at any place that is aligned for what is accessed.
#[derive(Serialize, PartialEq, Debug)]
pub struct EndsReport {
    /// The least.
    pub best: String,
    /// The most.
    pub worst: String,
}

/// One way to run a nest.
#[derive(Serialize, Debug)]
pub struct MappingReport {
    /// The variables of its loops, outermost first.
    pub order: Vec<String>,
    /// How many of them run together.
    pub together: usize,
    /// It is run so now.
    pub present: bool,
    /// The loops stand in that order.
    pub as_written: bool,
    /// It is the same program.
    pub legal: bool,
    /// Why it is not.
    pub reason: Option<String>,
    /// Lines that a warp takes in an innermost iteration.
    pub warp_lines: Option<String>,
    /// Sectors that it takes.
    pub warp_sectors: Option<String>,
    /// Lines that all warps take.
    pub lines: f64,
    /// Sectors that all warps take.
    pub sectors: f64,
    /// Threads.
    pub threads: f64,
    /// The lines in terms of the sizes.
    pub lines_formula: Option<String>,
    /// The sectors in terms of the sizes.
    pub sectors_formula: Option<String>,
    /// The threads in terms of the sizes.
    pub threads_formula: Option<String>,
}

/// One thing that speaks for or against a kernel.
#[derive(Serialize, Debug)]
pub struct FitnessReason {
    /// `threads`, `nest`, `divergence`, `work` or `launches`.
    pub subject: &'static str,
    /// `well`, `depends` or `poorly`.
    pub suits: &'static str,
    /// In plain words.
    pub message: String,
    /// Where.
    #[serde(flatten)]
    pub place: Place,
}

impl TestsReport {
    /// Counts pairs with one outcome, which are among `pairs` already.
    pub fn count(&mut self, outcome: &'static str, pairs: u64) {
        if pairs > 0 {
            *self.outcomes.entry(outcome).or_default() += pairs;
        }
    }

    /// Counts questions that one test answered, which are among `asked` already.
    pub fn count_questions(&mut self, test: &'static str, independent: u64, dependent: u64) {
        for (of, count) in [
            (&mut self.independent, independent),
            (&mut self.dependent, dependent),
        ] {
            if count > 0 {
                *of.entry(test).or_default() += count;
            }
        }
    }

    /// All of several loops.
    pub fn total<'a>(all: impl Iterator<Item = &'a TestsReport>) -> TestsReport {
        let mut total = TestsReport::default();
        for one in all {
            total.pairs += one.pairs;
            total.asked += one.asked;
            total.undecided += one.undecided;
            one.outcomes
                .iter()
                .for_each(|(name, count)| total.count(name, *count));
            one.independent
                .iter()
                .for_each(|(name, count)| total.count_questions(name, *count, 0));
            one.dependent
                .iter()
                .for_each(|(name, count)| total.count_questions(name, 0, *count));
        }
        total
    }
}

/// What only the whole story of a loop tells.
#[derive(Debug, Default)]
pub struct Story {
    /// The accesses in the loop, with their sections seen from before it.
    pub accesses: Vec<AccessReport>,
}

/// A reduction.
#[derive(Serialize, Debug)]
pub struct ReductionReport {
    /// The operator as directives write it.
    pub operator: String,
    /// The variable, or the text of the element.
    pub variable: String,
}

/// An object that is updated, or set to one value, atomically.
#[derive(Serialize, Debug)]
pub struct AtomicReport {
    /// The operator as reductions write it, or `write`.
    pub operator: String,
    /// The object, as its first update names it.
    pub object: String,
    /// The statements that update it: nothing else in the loop touches it.
    pub updates: Vec<Place>,
}

/// A section of an object that iterations update, each in a copy: the copies are combined afterwards.
#[derive(Serialize, Debug)]
pub struct SectionReductionReport {
    /// The operator as reductions write it.
    pub operator: String,
    /// The object, as its first update names it.
    pub object: String,
    /// The elements that are updated, if that is no text too long to be read.
    pub section: Option<String>,
    /// The statements that update it: nothing else in the loop touches the object.
    pub updates: Vec<Place>,
}

/// A variable that moves by a fixed step in every iteration, or by one that grows by the same each time.
#[derive(Serialize, Debug)]
pub struct InductionReport {
    /// The variable.
    pub variable: String,
    /// Its value in the first iteration; of a pointer, in bytes.
    pub start: String,
    /// By how much it moves in the first iteration; of a pointer, in bytes.
    pub step: String,
    /// By how much more it moves in each iteration than in the one before, where that is not 0; of a pointer, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<String>,
}

/// One access.
#[derive(Serialize, Debug)]
pub struct AccessReport {
    /// Of the access.
    #[serde(flatten)]
    pub place: Place,
    /// The function.
    pub function: String,
    /// The object that it touches, `null` if that is not known.
    pub object: Option<String>,
    /// `read` or `write`.
    pub kind: &'static str,
    /// The text of the access.
    pub text: Option<String>,
    /// The elements `object[first:count]` that it may touch while the whole loop nest around it runs.
    pub section: Option<String>,
    /// First and past the last byte of the section, from the object's start.
    pub bytes: Option<[String; 2]>,
    /// There is a section.
    pub bounded: bool,
    /// Both ends of the section are touched whenever the loops run.
    pub exact: bool,
    /// Why it is not bounded.
    pub cause: Option<String>,
    /// What the section rests on: ranges of sizes, which are tested before kernels.
    pub holds_if: Option<String>,
}

/// What goes into a kernel and comes out of it.
#[derive(Serialize, Debug, Default)]
pub struct Parameters {
    /// Storage that the caller sees, and that is read before the loop has written it.
    pub inbound: Vec<ObjectReport>,
    /// Storage that the caller sees, and that is written.
    pub outbound: Vec<ObjectReport>,
    /// Storage behind pointers that the loop finds in memory, read.
    pub nested_inbound: Vec<ObjectReport>,
    /// The same, written.
    pub nested_outbound: Vec<ObjectReport>,
    /// Scalars that are read.
    pub scalars: Vec<String>,
    /// Scalars whose value is used after the loop.
    pub results: Vec<String>,
}

/// A part of one object.
#[derive(Serialize, Debug)]
pub struct ObjectReport {
    /// The way to it from a variable: `c->data`.
    pub object: String,
    /// In elements: `c->data[0:n]`.
    pub section: Option<String>,
    /// First and past the last byte, from the object's start.
    pub bytes: Option<[String; 2]>,
    /// The members that are used, of a structure.
    pub members: Vec<String>,
    /// Both ends of the section are touched whenever the loops run.
    pub exact: bool,
    /// Why there is no section.
    pub cause: Option<String>,
}
