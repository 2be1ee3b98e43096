//! The program under judgement: its files, how it is compiled, how it is called.

use crate::Toolchain;
use std::ffi::OsString;
use std::path::PathBuf;

/// A C program.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// The files that are compiled and linked together.
    pub sources: Vec<PathBuf>,
    /// Flags for the compilation of every file: `-D`, `-I`, `-std`, `-f…`.
    pub flags: Vec<String>,
    /// What to link with besides the mathematical library.
    pub libraries: Vec<String>,
}

impl Program {
    /// The program of one file, without flags.
    pub fn new(source: impl Into<PathBuf>) -> Program {
        Program {
            sources: vec![source.into()],
            ..Program::default()
        }
    }

    /// The same with these flags added.
    pub fn with_flags<S: Into<String>>(mut self, flags: impl IntoIterator<Item = S>) -> Program {
        self.flags.extend(flags.into_iter().map(Into::into));
        self
    }

    /// The same with another file.
    pub fn with_source(mut self, source: impl Into<PathBuf>) -> Program {
        self.sources.push(source.into());
        self
    }

    /// Flags and files, in the order in which a compiler takes them.
    pub(crate) fn words(&self) -> Vec<OsString> {
        let flags = self.flags.iter().map(OsString::from);
        flags
            .chain(self.sources.iter().map(|source| source.clone().into_os_string()))
            .collect()
    }

    /// The linker and the libraries as flags, the mathematical library last.
    pub(crate) fn link(&self, tools: &Toolchain) -> Vec<String> {
        let linker = tools.linker.map(str::to_owned);
        let libraries = self.libraries.iter().map(|name| format!("-l{name}"));
        linker
            .into_iter()
            .chain(libraries)
            .chain(["-lm".to_owned()])
            .collect()
    }
}
