//! Where are the compilers, and what do they need to run?
//!
//! The judges rest on one clang (19: its x86-64 offload plugin and OMPT) and one gcc (12); a second clang (22) is used
//! where it is found, as an OpenACC checker.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::Error;
use crate::process::{RUN_LIMIT, run};

/// The compilers and tools of this machine.
#[derive(Debug, Clone)]
pub struct Toolchain {
    /// clang 19.
    pub clang: PathBuf,
    /// gcc 12.
    pub gcc: PathBuf,
    /// clang 22, if installed: it checks OpenACC.
    pub clang_openacc: Option<PathBuf>,
    /// The folder of clang's run-time libraries (`libomp`, `libomptarget`, its plugins).
    pub library_folder: PathBuf,
    /// llvm-symbolizer 19.
    pub symbolizer: PathBuf,
    /// What makes the compilers link with gold, if it is installed: linking takes the judges most of their time, and
    /// gold takes a quarter of what GNU ld takes for an offloaded program.
    pub linker: Option<&'static str>,
}

impl Toolchain {
    /// Finds the tools; looks only once per process.
    ///
    /// # Errors
    /// [`Error::Missing`] names what is not there and the command that installs it.
    pub fn find() -> Result<&'static Toolchain, Error> {
        static FOUND: OnceLock<Result<Toolchain, Error>> = OnceLock::new();
        FOUND.get_or_init(look).as_ref().map_err(Clone::clone)
    }
}

fn look() -> Result<Toolchain, Error> {
    let clang = need("clang-19", "clang-19 clang-tools-19 libclang-rt-19-dev")?;
    let gcc = need("gcc-12", "gcc-12")?;
    let config = need("llvm-config-19", "llvm-19")?;
    let symbolizer = need("llvm-symbolizer-19", "llvm-19")?;
    need("clang-linker-wrapper-19", "clang-tools-19")?;
    let folder = run(Command::new(&config).arg("--libdir"), RUN_LIMIT)?;
    let library_folder = PathBuf::from(String::from_utf8_lossy(&folder.stdout).trim());
    for library in ["libomp.so", "libomptarget.so", "libarcher.so"] {
        if !library_folder.join(library).exists() {
            return Err(missing(&format!("{library} of LLVM 19"), "libomp-19-dev"));
        }
    }
    Ok(Toolchain {
        clang,
        gcc,
        clang_openacc: on_path("clang-22"),
        library_folder,
        symbolizer,
        linker: on_path("ld.gold").map(|_| "-fuse-ld=gold"),
    })
}

fn need(program: &str, packages: &str) -> Result<PathBuf, Error> {
    on_path(program).ok_or_else(|| missing(program, packages))
}

fn missing(what: &str, packages: &str) -> Error {
    Error::Missing {
        what: what.to_owned(),
        install: format!("apt-get install -y --no-install-recommends {packages}"),
    }
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| is_file(file))
}

fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_comes_with_the_command_that_installs_it() {
        let error = need("no-such-compiler", "some-package").unwrap_err().to_string();
        assert_eq!(
            error,
            "no-such-compiler is not installed; install it with: apt-get install -y --no-install-recommends some-package"
        );
    }

    #[test]
    fn this_machine_has_what_the_judges_need() {
        let tools = Toolchain::find().unwrap();
        assert!(is_file(&tools.clang) && is_file(&tools.gcc));
    }
}
