//! What can be asked of Ferry on its command line?

use crate::check::{Baseline, baseline};
use crate::report::{Wanted, wanted};
use clap::{Args, Parser, Subcommand, ValueEnum};
use ferry_analysis::word::Spoken;
use ferry_directive::{Language, Version};
use ferry_gpu::Gpu;
use ferry_transform::emit::Style;
use ferry_transform::plan::Goals;
use std::path::PathBuf;

/// Reads C, finds the loops that a GPU can run, and writes OpenMP or OpenACC directives into the source.
#[derive(Parser, Debug)]
#[command(name = "ferry", version, about, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Write directives with exact data movement into the source
    Annotate(Annotate),
    /// Verify the target directives that are there: does the program mean the same with them as without?
    Check(Check),
    /// Print the page of a rule of `check`
    Explain {
        /// The rule
        rule: String,
    },
    /// Explain every loop and every access in a loop
    Report(Report),
    /// Exchange and collapse loops of kernels, so that their threads take fewer requests
    Reshape(Reshape),
    /// Show what Ferry makes of a file
    Show(Show),
}

impl Command {
    /// Says to the input in which language directives are written: the text is compiled with the macro of that language defined (`_OPENMP`), so that is the text to look
    /// at. What `check` looks at is compiled with the flags that it is given.
    pub fn tell_language(&mut self) {
        let (input, spelling) = match self {
            Command::Annotate(one) => (&mut one.input, &one.spelling),
            Command::Report(one) => (&mut one.input, &one.spelling),
            Command::Reshape(one) => (&mut one.input, &one.spelling),
            Command::Check(_) | Command::Explain { .. } | Command::Show(_) => return,
        };
        input.written_in = Some(spelling.version().language());
    }
}

/// What all commands take.
#[derive(Args, Clone, Debug)]
pub struct Input {
    /// C files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Folder with compile_commands.json, or that file
    #[arg(short = 'p', value_name = "DIR")]
    pub database: Option<PathBuf>,
    /// As if the source had no OpenMP and OpenACC directives
    #[arg(long)]
    pub ignore_directives: bool,
    /// What to assume of parameters at the beginning of every function that has them, as in --assume 'n > 0' (repeatable)
    #[arg(long, value_name = "CONDITION", value_parser = Spoken::read)]
    pub assume: Vec<Spoken>,
    /// How many threads to use (0: as many as there are cores); the output is the same for any number
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Flags as the compiler takes them
    #[arg(last = true, value_name = "COMPILER FLAGS")]
    pub flags: Vec<String>,
    /// The language of what is written into these files, or is spoken of as if it were.
    #[arg(skip)]
    pub written_in: Option<Language>,
}

/// In which language directives are written.
#[derive(Args, Clone, Debug)]
pub struct Spelling {
    /// Write OpenMP of this edition (the default: 5.0)
    #[arg(long, value_name = "VERSION", value_parser = openmp, conflicts_with = "openacc")]
    pub openmp: Option<Version>,
    /// Write OpenACC
    #[arg(long)]
    pub openacc: bool,
    /// Offload also what does not seem worth it
    #[arg(long)]
    pub all: bool,
    /// What may become of floating-point results
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    pub fp: FloatingPoint,
}

/// What may become of floating-point results.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FloatingPoint {
    /// Sums and products may be done in another order, which is listed
    #[default]
    Reorder,
    /// Results stay the same bit for bit: loops that combine floating-point numbers of several iterations stay on the host
    Strict,
}

/// Bytes of a line, past which directives are continued.
const WIDTH: usize = 100;

impl Spelling {
    /// The edition to write.
    pub fn version(&self) -> Version {
        match self.openmp {
            Some(version) => version,
            None if self.openacc => Version::OpenAcc27,
            None => Version::OpenMp50,
        }
    }

    /// How directives are spelt.
    pub fn style(&self) -> Style {
        Style {
            version: self.version(),
            width: WIDTH,
        }
    }

    /// What is offloaded.
    pub fn goals(&self) -> Goals {
        Goals {
            all: self.all,
            bounded: true,
            strict: self.fp == FloatingPoint::Strict,
        }
    }
}

/// A GPU by its name or by the file that describes it.
fn gpu(name: &str) -> Result<Gpu, String> {
    if let Some(known) = ferry_gpu::all().iter().find(|gpu| gpu.name == name) {
        return Ok(known.clone());
    }
    let text = std::fs::read_to_string(name).map_err(|error| {
        let known: Vec<&str> = ferry_gpu::all().iter().map(|gpu| gpu.name.as_str()).collect();
        format!(
            "no GPU of that name is known ({}), and it is no file: {error}",
            known.join(", ")
        )
    })?;
    ferry_gpu::read(&text).map_err(|wrong| wrong.to_string())
}

fn openmp(number: &str) -> Result<Version, String> {
    Version::parse(Language::OpenMp, number).ok_or_else(|| {
        let known: Vec<&str> = Version::ALL
            .into_iter()
            .filter(|version| version.language() == Language::OpenMp)
            .map(Version::number)
            .collect();
        format!("there is no OpenMP {number} here; known are {}", known.join(", "))
    })
}

/// How results are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// For programs; see the schemas in docs/
    Json,
}

/// `ferry annotate`
#[derive(Args, Clone, Debug)]
pub struct Annotate {
    /// Files and flags.
    #[command(flatten)]
    pub input: Input,
    /// Language.
    #[command(flatten)]
    pub spelling: Spelling,
    /// First put the loops of nests into the order in which a GPU takes the fewest requests, where that is the same program
    #[arg(long, conflicts_with = "ignore_directives")]
    pub reshape: bool,
    /// First load pointers and values that a loop finds in memory before it (`s->atoms->f`), where the loop can run on the device then
    #[arg(long, conflicts_with_all = ["ignore_directives", "reshape"])]
    pub hoist: bool,
    /// The GPU for which loops are put into order (see `ferry report --help`)
    #[arg(long, value_name = "GPU", value_parser = gpu, default_value = "h200")]
    pub gpu: Gpu,
    /// Where the result goes.
    #[command(flatten)]
    pub output: Output,
    /// How the summary is written
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Where annotated text goes.
#[derive(Args, Clone, Debug)]
#[group(multiple = false)]
pub struct Output {
    /// Print a patch and write nothing
    #[arg(long)]
    pub diff: bool,
    /// Replace the files
    #[arg(long)]
    pub in_place: bool,
    /// Write the annotated files into a folder
    #[arg(short = 'o', value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// Write nothing; exit status 1 if something would change
    #[arg(long)]
    pub check: bool,
}

impl Output {
    /// True if it says what becomes of the texts of several files.
    pub fn takes_several(&self) -> bool {
        self.diff || self.in_place || self.check || self.folder.is_some()
    }
}

/// `ferry check`
#[derive(Args, Clone, Debug)]
pub struct Check {
    /// Files and flags.
    #[command(flatten)]
    pub input: Input,
    /// Read directives by this edition of OpenMP
    #[arg(long, value_name = "VERSION", value_parser = openmp, default_value = "5.0")]
    pub openmp: Version,
    /// Say also what is only possible: what depends on something that is not known
    #[arg(long)]
    pub pedantic: bool,
    /// Say also which transfers could be left out or done less often: advice, nothing that is wrong
    #[arg(long)]
    pub performance: bool,
    /// Leave out the findings of an earlier run, of which this is the JSON
    #[arg(long, value_name = "FILE", value_parser = baseline)]
    pub baseline: Option<Baseline>,
    /// Mend what can be mended in the files, and say what is left
    #[arg(long, conflicts_with_all = ["diff", "ignore_directives"])]
    pub fix: bool,
    /// Print a patch that mends what can be mended, and write nothing
    #[arg(long, conflicts_with_all = ["format", "ignore_directives"])]
    pub diff: bool,
    /// Say what the directive on this line does to the data of the device, instead of what is wrong
    #[arg(long, value_name = "FILE:LINE", value_parser = wanted, conflicts_with_all = ["fix", "diff", "format", "baseline", "pedantic"])]
    pub explain_data: Option<Wanted>,
    /// How the findings are written
    #[arg(long, value_enum, default_value_t)]
    pub format: CheckFormat,
}

/// How findings are written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CheckFormat {
    /// For people
    #[default]
    Text,
    /// For programs; see docs/check.schema.json
    Json,
    /// For code review tools: SARIF 2.1.0
    Sarif,
}

/// How a report is written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReportFormat {
    /// For people
    #[default]
    Text,
    /// For programs; see docs/report.schema.json
    Json,
    /// For browsers: one file with the source, the kernels and drawings
    Html,
}

/// `ferry report`
#[derive(Args, Clone, Debug)]
pub struct Report {
    /// Files and flags.
    #[command(flatten)]
    pub input: Input,
    /// What offloading is judged by.
    #[command(flatten)]
    pub spelling: Spelling,
    /// Tell the whole story of the loops that begin on this line, or of the innermost one around it
    #[arg(long = "loop", value_name = "FILE:LINE", value_parser = wanted)]
    pub one_loop: Option<Wanted>,
    /// The GPU that requests are counted for: h200, h100, a100, v100, p100, mi250x, integrated, or a file that describes one
    #[arg(long, value_name = "GPU", value_parser = gpu, default_value = "h200")]
    pub gpu: Gpu,
    /// Look for loop directives that contradict a proved dependence; exit status 1 if there is one
    #[arg(long, conflicts_with = "ignore_directives")]
    pub verify_existing: bool,
    /// Say at the end of the text what came of the pairs of accesses, and how many questions each dependence test decided (the JSON always does)
    #[arg(long)]
    pub statistics: bool,
    /// How the report is written
    #[arg(long, value_enum, default_value_t)]
    pub format: ReportFormat,
}

/// What `ferry reshape` puts loops into order for.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Target {
    /// A GPU: few requests for each warp
    #[default]
    Gpu,
    /// A processor: no line of a cache for several threads
    Cpu,
}

/// `ferry reshape`
#[derive(Args, Clone, Debug)]
pub struct Reshape {
    /// Files and flags.
    #[command(flatten)]
    pub input: Input,
    /// What offloading is judged by.
    #[command(flatten)]
    pub spelling: Spelling,
    /// What runs the kernels; for `cpu`, a `collapse` of a directive that hurts there becomes shallower or goes, and nothing else is done
    #[arg(long, value_enum, default_value_t)]
    pub target: Target,
    /// With `--target cpu`: the cores for which there must be enough iterations (the default: 64)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub cores: Option<u64>,
    /// The GPU whose requests count (see `ferry report --help`; the default: h200)
    #[arg(long, value_name = "GPU", value_parser = gpu)]
    pub gpu: Option<Gpu>,
    /// Where the result goes.
    #[command(flatten)]
    pub output: Output,
}

/// What `ferry show` shows.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The structured program
    Ir,
    /// What is known of values: trip counts, induction variables, facts
    Values,
    /// What each loop nest reads and writes, object by object
    Sections,
    /// What each loop and function reads, writes, needs and leaves, as sets of elements
    Regions,
}

/// `ferry show`
#[derive(Args, Clone, Debug)]
pub struct Show {
    /// What
    #[arg(value_enum)]
    pub what: What,
    /// Files and flags.
    #[command(flatten)]
    pub input: Input,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn everything_after_two_dashes_is_for_the_compiler() {
        let arguments = [
            "ferry", "annotate", "a.c", "b.c", "--openmp", "4.5", "--", "-O2", "--diff",
        ];
        let Command::Annotate(annotate) = Arguments::try_parse_from(arguments).unwrap().command else {
            panic!("another command");
        };
        assert_eq!(annotate.input.flags, ["-O2", "--diff"]);
        assert_eq!(annotate.spelling.version(), Version::OpenMp45);
        assert!(!annotate.output.diff);
    }

    #[test]
    fn outputs_exclude_one_another() {
        let both = ["ferry", "annotate", "a.c", "--diff", "--check"];
        assert!(Arguments::try_parse_from(both).is_err());
        let unknown = ["ferry", "annotate", "a.c", "--openmp", "3.0"];
        assert!(
            Arguments::try_parse_from(unknown)
                .unwrap_err()
                .to_string()
                .contains("4.5, 5.0")
        );
    }
}
