//! Builds the instrumented program; takes back requests that the text does not allow.

use std::path::Path;
use std::process::Command;

use super::{LoopRequest, instrument};
use crate::process::compile;
use crate::{Error, Program, Toolchain, runtime};

/// The functions that the linker sends to the run time.
const WRAPPED: [&str; 10] = [
    "memcpy",
    "memmove",
    "memset",
    "strcpy",
    "malloc",
    "calloc",
    "realloc",
    "aligned_alloc",
    "posix_memalign",
    "free",
];

/// What stands for a value that cannot be asked for (`markers.h`).
const NO_VALUE: &str = "FERRY_NO_VALUE";

/// Compiles instrumented copies into `folder/program`. What names something invisible is dropped from `requests` and
/// described in `dropped`.
pub(super) fn build(
    program: &Program,
    folder: &Path,
    requests: &mut [LoopRequest],
    dropped: &mut Vec<String>,
) -> Result<Vec<instrument::Copy>, Error> {
    let tools = Toolchain::find()?;
    let runtime = runtime::trace()?;
    loop {
        let copies = write_copies(program, requests, folder)?;
        let mut command = compiler(tools, program, &runtime, copies.len(), folder);
        match compile(
            command
                .arg("-o")
                .arg(folder.join("program"))
                .args(program.link(tools)),
        ) {
            Ok(_) => return Ok(copies),
            Err(Error::Compile { command, messages }) => {
                if !drop_invisible(program, &messages, requests, dropped) {
                    return Err(Error::Compile { command, messages });
                }
            }
            Err(error) => return Err(error),
        }
    }
}

/// Writes `copyN.c` for each file.
fn write_copies(
    program: &Program,
    requests: &[LoopRequest],
    folder: &Path,
) -> Result<Vec<instrument::Copy>, Error> {
    let mut copies = Vec::new();
    let mut first = 1;
    for (index, source) in program.sources.iter().enumerate() {
        let text = std::fs::read(source).map_err(|error| Error::file(source, error))?;
        let of_file: Vec<_> = requests
            .iter()
            .filter(|request| request.file == index)
            .cloned()
            .collect();
        let copy = instrument::instrument(&text, source, first, &of_file);
        first += copy.loops.len();
        let file = folder.join(format!("copy{index}.c"));
        std::fs::write(&file, &copy.text).map_err(|error| Error::file(&file, error))?;
        copies.push(copy);
    }
    Ok(copies)
}

fn compiler(
    tools: &Toolchain,
    program: &Program,
    runtime: &runtime::TraceRuntime,
    copies: usize,
    folder: &Path,
) -> Command {
    let mut command = Command::new(&tools.clang);
    command
        .args([
            "-w",
            "-O0",
            "-g",
            "-fno-builtin",
            "-fno-omit-frame-pointer",
            "-fno-inline",
            "-Dregister=",
        ])
        .args(["-ferror-limit=0", "-fno-caret-diagnostics"])
        // Given to the compiler proper: the driver would link run-time libraries that define the same functions. Of
        // ThreadSanitizer only its treatment of memory intrinsics is used, which makes copies of structs visible, and of the ends of functions.
        .args([
            "-Xclang",
            "-fsanitize-coverage-type=3",
            "-Xclang",
            "-fsanitize-coverage-trace-loads",
        ])
        .args([
            "-Xclang",
            "-fsanitize-coverage-trace-stores",
            "-Xclang",
            "-fsanitize-coverage-trace-pc-guard",
        ])
        .args(["-Xclang", "-fsanitize=thread"]);
    for option in ["memory-accesses", "atomics"] {
        command.args(["-mllvm", &format!("-tsan-instrument-{option}=0")]);
    }
    if program.sources.iter().any(|source| names_alignment(source)) {
        command.arg("-mstack-alignment=64");
    }
    command.arg("-include").arg(&runtime.markers).args(&program.flags);
    for parent in program.sources.iter().filter_map(|source| source.parent()) {
        command.arg("-iquote").arg(if parent.as_os_str().is_empty() {
            Path::new(".")
        } else {
            parent
        });
    }
    command
        .args((0..copies).map(|index| folder.join(format!("copy{index}.c"))))
        .arg(&runtime.library);
    command.args(WRAPPED.map(|name| format!("-Wl,--wrap={name}")));
    command
}

/// A function with an array that is aligned more than the stack aligns its frame by itself, and no place of its variables is known then; on
/// a stack that is aligned as much it does not. (Only where the text asks for it: `main` aligns its frame on such a stack.)
fn names_alignment(source: &Path) -> bool {
    std::fs::read_to_string(source).is_ok_and(|text| text.contains("aligned"))
}

/// Drops what the compiler calls undeclared, on the lines where it does; false if there is nothing to drop.
///
/// Such a name is declared inside the loop. Dropping is safe: without a claim the trace judges more strictly.
fn drop_invisible(
    program: &Program,
    messages: &str,
    requests: &mut [LoopRequest],
    dropped: &mut Vec<String>,
) -> bool {
    let before = dropped.len();
    for message in messages.lines() {
        let Some((place, why)) = message.split_once(": error: ") else {
            continue;
        };
        let name = why
            .strip_prefix("use of undeclared identifier '")
            .and_then(|rest| rest.split('\'').next());
        let mut parts = place.rsplitn(3, ':').skip(1);
        let line = parts.next().and_then(|line| line.parse::<u32>().ok());
        let file = parts.next().unwrap_or_default();
        for request in requests.iter_mut() {
            let source = program.sources.get(request.file);
            if Some(request.line) != line || source.is_none_or(|source| source.as_os_str() != file) {
                continue;
            }
            let place = format!("{file}:{}", request.line);
            let Some(name) = name else {
                // Of other mistakes the condition is the first suspect: it was made from words for people.
                if let Some(condition) = request.condition.take() {
                    dropped.push(format!("{place}: `{condition}`: {why}"));
                    continue;
                }
                // Which of the values it is, is not said.
                for value in request.values.iter_mut().filter(|value| *value != NO_VALUE) {
                    dropped.push(format!("{place}: `{value}`: {why}"));
                    NO_VALUE.clone_into(value);
                }
                continue;
            };
            let mut keep = |text: &str| {
                let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                let is_visible = !words.any(|word| word == name);
                if !is_visible {
                    dropped.push(format!(
                        "{place}: `{text}`: `{name}` is not visible before the loop"
                    ));
                }
                is_visible
            };
            request.claims.retain(|claim| keep(&claim.object));
            request
                .sections
                .retain(|section| keep(&section.start) && keep(&section.bytes));
            for value in &mut request.values {
                if !keep(value) {
                    NO_VALUE.clone_into(value);
                }
            }
            request.condition = request.condition.take().filter(|condition| keep(condition));
        }
    }
    dropped.len() > before
}
