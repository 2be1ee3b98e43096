//! Which of a compiler's flags does libclang get, and what do they say about the language?
//!
//! A command line written for gcc, clang, nvc or icx becomes arguments for libclang: what changes the meaning of the
//! text stays, what writes files or makes code goes, `-fopenmp` and `-fopenacc` become the macros that they define
//! (with `-fopenmp` libclang hides the bodies of directives). Old C that gcc 12 accepts is accepted.

mod response;
mod table;

use ferry_directive::Language;
use ferry_ir::Dialect;
use std::path::Path;
use table::{Action, TABLE, Value};

/// A command line, ready for libclang.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Flags {
    /// For libclang, the source file not among them.
    pub arguments: Vec<String>,
    /// What the flags change about the language.
    pub dialect: Dialect,
    /// The value of `_OPENMP`, if the flags turn OpenMP on.
    pub openmp: Option<u32>,
    /// `_OPENACC` is defined.
    pub openacc: bool,
    /// The language that `-x` names, if any.
    pub language: Option<String>,
    /// Flags that were dropped although the user may care, each with the reason.
    pub notes: Vec<FlagNote>,
}

/// Something to say about one flag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlagNote {
    /// The flag with its value, as it was written.
    pub flag: String,
    /// The reason.
    pub text: String,
}

/// The value of `_OPENACC` for gcc 12 and nvc: OpenACC 2.6.
const OPENACC: u32 = 201_711;

/// Diagnostics of clang 19 that are warnings in gcc 12.
const TOLERATED: &str = "-Wno-error=implicit-function-declaration,implicit-int,int-conversion,\
incompatible-function-pointer-types,incompatible-pointer-types,return-type,return-mismatch,strict-prototypes,\
deprecated-non-prototype";

/// Translates the arguments of a compiler, without the compiler's own name. `openmp_macro` is the value of `_OPENMP`
/// where the flags turn OpenMP on without a version.
///
/// # Errors
/// The flag that makes the command one that cannot be understood, and why.
pub fn translate(arguments: &[String], directory: &Path, openmp_macro: u32) -> Result<Flags, FlagNote> {
    let arguments = response::expand(arguments, directory).map_err(|text| FlagNote {
        flag: "@file".to_owned(),
        text,
    })?;
    let mut translation = Translation {
        flags: Flags::default(),
        openmp: false,
        openmp_macro,
        standard: None,
        optimize: false,
    };
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        if argument == "--" {
            break; // only paths follow
        }
        translation.argument(argument, &mut rest)?;
    }
    Ok(translation.finish())
}

/// The macro that a compiler defines that reads directives of a language.
pub fn macro_of(language: Language, openmp_macro: u32) -> String {
    match language {
        Language::OpenMp => format!("-D_OPENMP={openmp_macro}"),
        Language::OpenAcc => format!("-D_OPENACC={OPENACC}"),
    }
}

struct Translation {
    flags: Flags,
    openmp: bool,
    openmp_macro: u32,
    standard: Option<String>,
    optimize: bool,
}

/// The row that fits best, and the value inside the argument.
fn find(argument: &str) -> Option<(&'static str, Value, Action, &str)> {
    TABLE
        .iter()
        .filter_map(|&(name, value, action)| {
            let inside = argument.strip_prefix(name)?;
            let prefix = match value {
                Value::None => false,
                Value::Next => name.ends_with(['_', '-', '=']),
                Value::Joined | Value::Either => true,
            };
            (prefix || inside.is_empty()).then_some((name, value, action, inside))
        })
        .max_by_key(|(name, value, _, _)| (name.len(), *value == Value::None))
}

/// True for `-f`, `-fno-` flags of gcc's optimizer, which clang may not know.
fn is_gcc_optimizer(argument: &str) -> bool {
    let name = argument.split('=').next().unwrap_or(argument);
    let positive = name.strip_prefix("-fno-").map(|rest| format!("-f{rest}"));
    include_str!("gcc_optimizers.txt")
        .lines()
        .any(|known| known == name || Some(known) == positive.as_deref())
}

impl Translation {
    fn argument(&mut self, argument: String, rest: &mut dyn Iterator<Item = String>) -> Result<(), FlagNote> {
        if !argument.starts_with('-') || argument == "-" {
            return Ok(()); // a source file, object or library: the job says which file is read
        }
        let Some((_, value, action, inside)) = find(&argument) else {
            self.unlisted(argument);
            return Ok(());
        };
        let next = match value {
            Value::Next => true,
            Value::Either => inside.is_empty(),
            Value::None | Value::Joined => false,
        };
        let mut inside = inside.to_owned();
        let mut written = vec![argument];
        if next {
            let Some(following) = rest.next() else {
                return Err(FlagNote {
                    flag: written.remove(0),
                    text: "its value is missing".to_owned(),
                });
            };
            inside.clone_from(&following);
            written.push(following);
        }
        self.act(action, written, inside, rest)
    }

    fn act(
        &mut self,
        action: Action,
        written: Vec<String>,
        value: String,
        rest: &mut dyn Iterator<Item = String>,
    ) -> Result<(), FlagNote> {
        match action {
            Action::Drop => {}
            Action::Pass => self.flags.arguments.extend(written),
            Action::Note(why) => self.note(&written, why),
            Action::Refuse(why) => return Err(refusal(&written, why)),
            Action::OpenMp => self.openmp = true,
            Action::NoOpenMp => self.openmp = false,
            Action::OpenMpVersion => match openmp_date(&value) {
                Some(date) => self.openmp_macro = date,
                None => self.note(&written, "no such version of OpenMP"),
            },
            Action::OpenAcc => self.flags.openacc = true,
            Action::NoOpenAcc => self.flags.openacc = false,
            Action::Optimize => {
                self.optimize = value != "0";
                if value == "fast" {
                    self.flags.arguments.push("-ffast-math".to_owned());
                }
            }
            Action::Define if value.split('=').next() == Some("_FORTIFY_SOURCE") => {}
            Action::Define => self.flags.arguments.extend(written),
            Action::Standard => self.standard = Some(value),
            Action::Target if !["x86_64", "amd64"].iter().any(|name| value.starts_with(name)) => {
                return Err(refusal(&written, table::TARGET));
            }
            Action::Target => {}
            Action::Language => match value.as_str() {
                "none" => self.flags.language = None,
                arch if arch.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    if let Action::Note(why) = table::FOREIGN {
                        self.note(&written, why);
                    }
                }
                _ => self.flags.language = Some(value),
            },
            Action::Preprocessor => {
                let mut parts = value
                    .split(',')
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
                    .into_iter();
                while let Some(part) = parts.next() {
                    // `-MD` and `-MMD` take the file as a value here, unlike in the driver.
                    if part == "-MD" || part == "-MMD" {
                        parts.next();
                    } else {
                        self.argument(part, &mut parts)?;
                    }
                }
            }
            Action::NextIsFlag => self.argument(value, rest)?,
        }
        Ok(())
    }

    /// A flag without a row: meant for libclang, which refuses what it does not know.
    fn unlisted(&mut self, argument: String) {
        let dialect = &mut self.flags.dialect;
        match argument.as_str() {
            "-fwrapv" => dialect.wrapping = true,
            "-fno-wrapv" => dialect.wrapping = false,
            // gcc: the same as `-fwrapv -fwrapv-pointer`, and its opposite says nothing about `-fwrapv`.
            "-fno-strict-overflow" => dialect.wrapping = true,
            "-fno-strict-aliasing" => dialect.no_strict_aliasing = true,
            "-fstrict-aliasing" => dialect.no_strict_aliasing = false,
            "-funsigned-char" | "-fno-signed-char" => dialect.unsigned_char = true,
            "-fsigned-char" | "-fno-unsigned-char" => dialect.unsigned_char = false,
            _ => {}
        }
        if !is_gcc_optimizer(&argument) {
            self.flags.arguments.push(argument);
        }
    }

    fn note(&mut self, written: &[String], why: &str) {
        let note = FlagNote {
            flag: written.join(" "),
            text: why.to_owned(),
        };
        if !self.flags.notes.contains(&note) {
            self.flags.notes.push(note);
        }
    }

    fn finish(self) -> Flags {
        let mut flags = self.flags;
        let standard = self.standard.as_deref().unwrap_or("gnu17");
        if !flags.arguments.iter().any(|a| a == "-ansi") || self.standard.is_some() {
            flags.arguments.push(format!("-std={standard}"));
        }
        // Before what `-D` and `-U` say of them, as compilers have it.
        let mut macros = Vec::new();
        if self.openmp {
            flags.openmp = Some(self.openmp_macro);
            macros.push(macro_of(Language::OpenMp, self.openmp_macro));
        }
        if flags.openacc {
            macros.push(macro_of(Language::OpenAcc, self.openmp_macro));
        }
        flags.arguments.splice(0..0, macros);
        if self.optimize {
            // Not `-O`: glibc would give library functions bodies.
            flags.arguments.push("-D__OPTIMIZE__=1".to_owned());
        }
        let tolerated = TOLERATED.strip_prefix("-Wno-error=").unwrap_or_default();
        for name in tolerated.split(',') {
            flags.arguments.push(format!("-Wno-error={name}"));
        }
        // Each error makes one function opaque, so all of them are wanted; nesting is limited by the stack alone.
        flags
            .arguments
            .extend(["-w", "-ferror-limit=0", "-fbracket-depth=1000000"].map(str::to_owned));
        flags
    }
}

fn refusal(written: &[String], why: &str) -> FlagNote {
    FlagNote {
        flag: written.join(" "),
        text: why.to_owned(),
    }
}

/// `_OPENMP` for a version as `-fopenmp-version=` gives it: `45`, `50`, ….
fn openmp_date(version: &str) -> Option<u32> {
    Some(match version {
        "31" => 201_107,
        "40" => 201_307,
        "45" => 201_511,
        "50" => 201_811,
        "51" => 202_011,
        "52" => 202_111,
        "60" => 202_411,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
