//! Why a judge could not give an answer. (An answer that condemns the program is a [`Finding`](crate::Finding), not this.)

use std::fmt;
use std::path::PathBuf;

/// A judge could not do its work.
#[derive(Debug, Clone)]
pub enum Error {
    /// A program that the judges need is not on this machine.
    Missing {
        /// The program or library.
        what: String,
        /// The command that installs it on Debian.
        install: String,
    },
    /// A file could not be read or written, or a program not be started.
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        why: String,
    },
    /// A compiler refused a program that it had to accept.
    Compile {
        /// The command line.
        command: String,
        /// The compiler's messages.
        messages: String,
    },
    /// Something a run left behind could not be understood.
    Log {
        /// What could not be understood.
        why: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Missing { what, install } => {
                write!(formatter, "{what} is not installed; install it with: {install}")
            }
            Error::File { path, why } => write!(formatter, "{}: {why}", path.display()),
            Error::Compile { command, messages } => write!(formatter, "`{command}` failed:\n{messages}"),
            Error::Log { why } => write!(formatter, "{why}"),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    pub(crate) fn file(path: impl Into<PathBuf>, why: impl fmt::Display) -> Error {
        Error::File {
            path: path.into(),
            why: why.to_string(),
        }
    }
}
