//! How are many small programs run on the second memory at the cost of one link?
//!
//! Linking for two memories takes three times as long as compiling a small program. So each program is compiled by
//! itself, with another name for its `main`, and all are linked into one with a `main` that calls the one that its first
//! argument names. The program sees the arguments that it would see alone.
//!
//! Programs that define the same external names cannot be linked together; then each is built alone. What is different
//! for a program among others: their variables with static storage are there too, and are hidden from kernels as its own.

use std::path::Path;
use std::process::Command;

use crate::process::compile;
use crate::second_memory::{FLAGS, Observed, SecondMemory, Settings};
use crate::{Error, Program, Toolchain};

/// Programs that were compiled for the second memory at once.
#[derive(Debug)]
pub struct Together {
    built: Built,
    messages: Vec<String>,
}

#[derive(Debug)]
enum Built {
    /// One executable, which takes the number of the program first.
    InOne(SecondMemory),
    /// One for each program.
    Apart(Vec<SecondMemory>),
}

impl Together {
    /// Compiles the programs, each of one file.
    ///
    /// # Errors
    /// If a tool is missing, or clang refuses one of them: the first that it refuses.
    pub fn build(programs: &[Program]) -> Result<Together, Error> {
        let tools = Toolchain::find()?;
        let folder = tempfile::tempdir().map_err(|error| Error::file("temporary folder", error))?;
        let mut messages = Vec::new();
        let mut objects = Vec::new();
        for (index, program) in programs.iter().enumerate() {
            let object = folder.path().join(format!("{index}.o"));
            let mut command = Command::new(&tools.clang);
            command
                .args(FLAGS)
                .arg("-O0")
                .arg(format!("-Dmain={}", entry(index)))
                .args(program.words())
                .arg("-c")
                .arg("-o")
                .arg(&object);
            messages.push(compile(&mut command)?.stderr);
            objects.push(object);
        }
        let chooser = folder.path().join("main.c");
        std::fs::write(&chooser, choose(programs.len())).map_err(|error| Error::file(&chooser, error))?;
        let mut command = Command::new(&tools.clang);
        command
            .args(FLAGS)
            .args(["-w", "-std=gnu11"])
            .arg(&chooser)
            .args(&objects);
        command
            .arg("-o")
            .arg(folder.path().join("program"))
            .args(tools.linker)
            .arg("-lm");
        let built = match compile(&mut command) {
            Ok(_) => Built::InOne(SecondMemory::in_folder(folder)),
            Err(Error::Compile { .. }) => {
                let apart: Result<Vec<_>, _> = programs.iter().map(SecondMemory::build).collect();
                Built::Apart(apart?)
            }
            Err(error) => return Err(error),
        };
        Ok(Together { built, messages })
    }

    /// What clang said while compiling the program with this index.
    pub fn messages(&self, index: usize) -> &str {
        self.messages.get(index).map_or("", String::as_str)
    }

    /// Runs the program with this index under the guard, without arguments.
    ///
    /// # Errors
    /// If it cannot be run.
    pub fn run(&self, index: usize, settings: &Settings) -> Result<Observed, Error> {
        match &self.built {
            Built::InOne(memory) => memory.run(&[index.to_string()], settings),
            Built::Apart(all) => match all.get(index) {
                Some(memory) => memory.run(&[], settings),
                None => Err(Error::file(
                    Path::new("program"),
                    "there is no program with this index",
                )),
            },
        }
    }
}

/// What the `main` of the program with this index is called.
fn entry(index: usize) -> String {
    format!("main_of_program_{index}")
}

/// A `main` that calls the others; declared without parameters, as some take none.
fn choose(count: usize) -> String {
    let mut text = String::from("#include <stdlib.h>\n");
    for index in 0..count {
        text.push_str(&format!("int {}();\n", entry(index)));
    }
    text.push_str("int main(int count, char **words)\n{\n    switch (count > 1 ? atoi(words[1]) : -1) {\n");
    for index in 0..count {
        text.push_str(&format!(
            "    case {index}: return {}(count - 1, words + 1);\n",
            entry(index)
        ));
    }
    text.push_str("    }\n    return 99;\n}\n");
    text
}
