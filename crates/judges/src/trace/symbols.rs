//! From code addresses and frame offsets to source places and variables, through llvm-symbolizer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use super::report::{Raw, RawObject};
use crate::Error;
use crate::process::run;

/// A local variable of a function.
#[derive(Debug, Clone)]
pub(super) struct Variable {
    pub name: String,
    pub line: u32,
    pub offset: i64,
    pub size: i64,
}

/// What a code address stands for.
#[derive(Debug, Clone, Default)]
pub(super) struct Code {
    pub file: String,
    pub function: String,
    pub line: u32,
    pub column: u32,
}

/// Answers about one executable.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    codes: BTreeMap<u64, Code>,
    frames: BTreeMap<u64, Vec<Variable>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Answer {
    address: String,
    #[serde(default)]
    symbol: Vec<Symbol>,
    #[serde(default)]
    frame: Vec<Local>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Symbol {
    file_name: String,
    function_name: String,
    line: u32,
    column: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Local {
    #[serde(default)]
    name: String,
    #[serde(default)]
    decl_line: u32,
    frame_offset: Option<i64>,
    #[serde(default)]
    size: String,
}

/// Of a variable that is found through a pointer in the frame (a structure that a function returns) the place is that of the
/// pointer, and the size its own: it must not cover the variables behind it.
fn apart(variables: &mut [Variable]) {
    variables.sort_by_key(|variable| variable.offset);
    let mut next: Option<i64> = None;
    for variable in variables.iter_mut().rev() {
        if let Some(next) = next {
            variable.size = variable.size.min((next - variable.offset).max(0));
        }
        next = Some(variable.offset);
    }
}

impl Symbols {
    /// Asks about every address of the report in one call.
    pub(super) fn look_up(
        symbolizer: &Path,
        executable: &Path,
        raw: &Raw,
        limit: Duration,
    ) -> Result<Symbols, Error> {
        let mut codes = BTreeSet::new();
        let mut frames = BTreeSet::new();
        let objects = (raw.dependences.iter().map(|found| &found.subject.object))
            .chain(raw.live.iter().map(|found| &found.subject.object))
            .chain(raw.touched.iter().map(|found| &found.object));
        for object in objects {
            match object {
                RawObject::Frame(code) => {
                    frames.insert(*code);
                    codes.insert(*code);
                }
                RawObject::Heap { code, .. } => {
                    codes.insert(*code);
                }
                _ => {}
            }
        }
        codes.extend(raw.dependences.iter().flat_map(|found| [found.from, found.to]));
        codes.extend(
            raw.touched
                .iter()
                .flat_map(|found| found.read_codes.iter().chain(&found.write_codes)),
        );
        let mut command = Command::new(symbolizer);
        command
            .arg("--output-style=JSON")
            .arg("--no-inlines")
            .arg(format!("--obj={}", executable.display()));
        // Addresses go through a response file: there may be more than fit on a command line.
        let folder = tempfile::tempdir().map_err(|error| Error::file("temporary folder", error))?;
        let questions = folder.path().join("addresses");
        let mut text = String::new();
        for code in &codes {
            text.push_str(&format!("\"CODE 0x{code:x}\"\n"));
        }
        for frame in &frames {
            text.push_str(&format!("\"FRAME 0x{frame:x}\"\n"));
        }
        std::fs::write(&questions, text).map_err(|error| Error::file(&questions, error))?;
        let outcome = run(command.arg(format!("@{}", questions.display())), limit)?;
        let mut symbols = Symbols::default();
        let answers = serde_json::Deserializer::from_slice(&outcome.stdout).into_iter::<serde_json::Value>();
        for answer in answers {
            let unreadable = |error| Error::Log {
                why: format!("llvm-symbolizer's answer: {error}"),
            };
            // One address is answered by an object each, or all by one list, depending on how many there are.
            let answers = match answer.map_err(unreadable)? {
                serde_json::Value::Array(list) => list,
                single => vec![single],
            };
            for answer in answers {
                symbols.take(serde_json::from_value(answer).map_err(unreadable)?);
            }
        }
        Ok(symbols)
    }

    fn take(&mut self, answer: Answer) {
        let digits = answer.address.trim_start_matches("0x");
        let Ok(address) = u64::from_str_radix(digits, 16) else {
            return;
        };
        if let Some(symbol) = answer.symbol.into_iter().next() {
            let code = Code {
                file: symbol.file_name,
                function: symbol.function_name,
                line: symbol.line,
                column: symbol.column,
            };
            self.codes.insert(address, code);
        } else if !answer.frame.is_empty() {
            let variables = answer.frame.into_iter().filter_map(|local| {
                let size = i64::from_str_radix(local.size.trim_start_matches("0x"), 16).ok()?;
                Some(Variable {
                    name: local.name,
                    line: local.decl_line,
                    offset: local.frame_offset?,
                    size,
                })
            });
            let mut variables: Vec<Variable> = variables.collect();
            apart(&mut variables);
            self.frames.insert(address, variables);
        }
    }

    pub(super) fn code(&self, address: u64) -> Code {
        self.codes.get(&address).cloned().unwrap_or_default()
    }

    /// The variable that covers a frame offset.
    pub(super) fn variable(&self, frame: u64, offset: i64) -> Option<&Variable> {
        let variables = self.frames.get(&frame)?;
        variables
            .iter()
            .find(|variable| (variable.offset..variable.offset + variable.size).contains(&offset))
    }

    /// All variables of the function that holds a code address.
    pub(super) fn variables(&self, frame: u64) -> &[Variable] {
        self.frames.get(&frame).map_or(&[], Vec::as_slice)
    }
}
