//! The C parts of the judges (`runtime/`): compiled once per text and kept in the build folder.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use crate::process::compile;
use crate::{Error, Toolchain};

/// One C part: its files with their text, and how it is compiled.
struct Part {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    flags: &'static [&'static str],
}

macro_rules! files {
    ($($path:literal),* $(,)?) => { &[$(($path, include_str!(concat!("../runtime/", $path)))),*] };
}

const GUARD: Part = Part {
    name: "guard.so",
    files: files![
        "common/symbols.h",
        "common/symbols.c",
        "second_memory/guard.h",
        "second_memory/device.c",
        "second_memory/globals.c",
        "second_memory/heap.c",
        "second_memory/kernel.c",
        "second_memory/log.c",
        "second_memory/stack.c",
        "second_memory/stretch.c",
    ],
    // stack.c reads its own frame pointer.
    flags: &["-shared", "-fPIC", "-O2", "-g", "-fno-omit-frame-pointer"],
};

// libgomp looks for the plug-in by this name, and finds the preloaded library by it.
const GCC_MEMORY: Part = Part {
    name: "libgomp-plugin-nvptx.so.1",
    files: files![
        "common/symbols.h",
        "common/symbols.c",
        "second_memory/guard.h",
        "second_memory/device.c",
        "second_memory/globals.c",
        "second_memory/heap.c",
        "second_memory/log.c",
        "second_memory/stretch.c",
        "gcc_memory/plugin.c",
    ],
    flags: &[
        "-shared",
        "-fPIC",
        "-O2",
        "-g",
        "-fno-omit-frame-pointer",
        "-Wl,-soname,libgomp-plugin-nvptx.so.1",
    ],
};

const GCC_IMAGE: Part = Part {
    name: "image.o",
    files: files!["gcc_memory/image.c"],
    flags: &["-c", "-O1"],
};

const TEAMS_JOIN: Part = Part {
    name: "teams_join.o",
    files: files!["races/teams_join.c"],
    flags: &["-c", "-O1", "-g"],
};

// A shared library, so that the linker's `--wrap` does not reach its own calls of memcpy.
const TRACE: Part = Part {
    name: "trace.so",
    files: files![
        "common/symbols.h",
        "common/symbols.c",
        "trace/trace.h",
        "trace/markers.h",
        "trace/findings.c",
        "trace/hooks.c",
        "trace/loops.c",
        "trace/objects.c",
        "trace/shadow.c",
    ],
    flags: &["-shared", "-fPIC", "-O2", "-g", "-fno-omit-frame-pointer"],
};

/// The trace's run time.
#[derive(Debug, Clone)]
pub struct TraceRuntime {
    /// To be linked with the instrumented program.
    pub library: PathBuf,
    /// To be included before the instrumented text.
    pub markers: PathBuf,
}

/// What an instrumented program needs.
pub fn trace() -> Result<TraceRuntime, Error> {
    let library = built(&TRACE)?;
    let markers = library.with_file_name("markers.h");
    Ok(TraceRuntime { library, markers })
}

/// The guard: to be preloaded, and the OpenMP tool at once.
pub fn guard() -> Result<PathBuf, Error> {
    built(&GUARD)
}

/// The plug-in of libgomp: to be preloaded.
pub fn gcc_memory() -> Result<PathBuf, Error> {
    built(&GCC_MEMORY)
}

/// A folder for gcc's `-B`, with which it compiles no code for devices.
pub fn without_device_code() -> Result<PathBuf, Error> {
    const TOOL: &str = include_str!("../runtime/gcc_memory/mkoffload");
    let image = built(&GCC_IMAGE)?;
    let mut hasher = DefaultHasher::new();
    (TOOL, &image).hash(&mut hasher);
    let folder = cache_folder().join(format!("{:016x}", hasher.finish()));
    let tools = folder.join("accel/nvptx-none");
    let tool = tools.join("mkoffload");
    if !tool.exists() {
        std::fs::create_dir_all(&tools).map_err(|error| Error::file(&tools, error))?;
        std::fs::copy(&image, tools.join("image.o")).map_err(|error| Error::file(&image, error))?;
        // It is there, or all of it is: other processes may make the same.
        let scratch = tempfile::Builder::new()
            .permissions(std::fs::Permissions::from_mode(0o755))
            .tempfile_in(&tools)
            .and_then(|mut file| file.write_all(TOOL.as_bytes()).map(|()| file))
            .map_err(|error| Error::file(&tools, error))?;
        scratch
            .into_temp_path()
            .persist(&tool)
            .map_err(|error| Error::file(&tool, error.error))?;
    }
    Ok(folder)
}

/// The object that tells ThreadSanitizer of the join of teams.
pub fn teams_join() -> Result<PathBuf, Error> {
    built(&TEAMS_JOIN)
}

fn built(part: &Part) -> Result<PathBuf, Error> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let tools = Toolchain::find()?;
    let mut hasher = DefaultHasher::new();
    (part.files, part.flags, &tools.clang).hash(&mut hasher);
    let folder = cache_folder().join(format!("{:016x}", hasher.finish()));
    let result = folder.join(part.name);
    // Other threads wait here; other processes may build the same file beside, and the last rename wins.
    let _guard = ONE_AT_A_TIME.lock();
    if result.exists() {
        return Ok(result);
    }
    std::fs::create_dir_all(&folder).map_err(|error| Error::file(&folder, error))?;
    let scratch = tempfile::tempdir_in(&folder).map_err(|error| Error::file(&folder, error))?;
    let mut command = Command::new(&tools.clang);
    command.args(["-Wall", "-Wextra", "-Werror"]).args(part.flags);
    for (path, text) in part.files {
        let file = scratch.path().join(path);
        let parent = file.parent().unwrap_or(scratch.path());
        std::fs::create_dir_all(parent).map_err(|error| Error::file(parent, error))?;
        std::fs::write(&file, text).map_err(|error| Error::file(&file, error))?;
        if path.ends_with(".c") {
            command.arg(&file);
        }
    }
    let fresh = scratch.path().join(part.name);
    compile(command.arg("-o").arg(&fresh))?;
    // Headers that programs include stay beside the result.
    for (path, text) in part.files.iter().filter(|(path, _)| path.ends_with("markers.h")) {
        let header = folder.join("markers.h");
        let staged = scratch.path().join("staged.h");
        std::fs::write(&staged, text).map_err(|error| Error::file(*path, error))?;
        std::fs::rename(&staged, &header).map_err(|error| Error::file(&header, error))?;
    }
    std::fs::rename(&fresh, &result).map_err(|error| Error::file(&result, error))?;
    Ok(result)
}

/// `judges` in the build folder.
fn cache_folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"))
        .join("judges")
}
