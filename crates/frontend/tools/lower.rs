//! Prints the structured program of C files, with `--load` as Ferry loads them (without: directives are ignored); with `--opaque` what was not understood instead, with `--verify` what the
//! verifier says, with `--run` what the program prints:
//! `cargo run -p ferry-frontend --example lower [--load|--opaque|--verify|--run] FILE… [-- FLAGS]`.

use ferry_frontend::clang::{Error, TranslationUnit, on_large_stack};
use ferry_frontend::lower::{self, probe::NoPragmas};
use ferry_frontend::{Job, Options};
use ferry_ir::interpret::{self, Silent};
use ferry_ir::{Expr, ExprKind, PrintOptions, Stmt, StmtKind, Unit, print_unit, verify};
use ferry_source::{Origin, Sources};
use std::path::Path;

struct Causes<'a> {
    sources: &'a Sources,
    function: &'a str,
}

impl Causes<'_> {
    fn say(&self, why: &str, origin: Origin) {
        let place = origin.span().map_or("?".to_owned(), |span| {
            let (line, column) = self.sources.line_column(span.file, span.start);
            format!("{}:{line}:{column}", self.sources.path(span.file).display())
        });
        println!("{place}: {}: {why}", self.function);
    }

    fn expression(&self, expr: &Expr) {
        expr.walk(&mut |inner| {
            if let ExprKind::Opaque { why, .. } = &inner.kind {
                self.say(why, inner.origin);
            }
        });
    }

    fn statement(&self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Opaque { why, .. } => self.say(why, stmt.origin),
            StmtKind::Block { body, .. } => body.iter().for_each(|inner| self.statement(inner)),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expression(condition);
                self.statement(then);
                otherwise.iter().for_each(|inner| self.statement(inner));
            }
            StmtKind::Loop(parts) => {
                if parts.spans.is_none() {
                    self.say("(a loop that cannot be edited)", stmt.origin);
                }
                let heads = parts.init.iter().chain(&parts.before_test).chain(&parts.step);
                heads.for_each(|inner| self.statement(inner));
                parts.condition.iter().for_each(|inner| self.expression(inner));
                self.statement(&parts.body);
            }
            StmtKind::Switch { value, body } => {
                self.expression(value);
                self.statement(body);
            }
            StmtKind::Directive { body: Some(body), .. } => self.statement(body),
            _ => {}
        }
    }
}

fn causes(unit: &Unit, sources: &Sources) {
    for (_, function) in unit.functions() {
        let causes = Causes {
            sources,
            function: &function.name,
        };
        function.body.iter().for_each(|body| causes.statement(body));
    }
    for global in &unit.globals {
        let causes = Causes {
            sources,
            function: &global.name,
        };
        global
            .initial
            .iter()
            .for_each(|(_, value)| causes.expression(value));
    }
}

/// As Ferry itself loads a file: flags translated, directives read.
fn load(path: &Path, flags: &[String]) {
    let mut sources = Sources::new();
    let loaded = ferry_frontend::load(&mut sources, &[Job::new(path, flags)], &Options::default());
    for loaded in loaded.units {
        for finding in loaded.all_findings() {
            println!("{finding:?}");
        }
        if let Ok(unit) = &loaded.unit {
            print!("{}", print_unit(unit, PrintOptions::default()));
            verify::verify_unit(unit)
                .iter()
                .for_each(|violation| println!("{violation}"));
        }
    }
}

fn lower(path: &Path, flags: &[String], mode: &str) -> Result<(), Error> {
    if mode == "--load" {
        load(path, flags);
        return Ok(());
    }
    let tu = TranslationUnit::parse(path, flags, &[])?;
    let mut sources = Sources::new();
    let main = sources
        .load(path)
        .map_err(|why| Error::NotParsed(why.to_string()))?;
    let unit = lower::unit(&tu, &mut sources, main, &NoPragmas);
    match mode {
        "--opaque" => causes(&unit, &sources),
        "--verify" => {
            for violation in verify::verify_unit(&unit) {
                println!("{}: {violation}", path.display());
            }
        }
        "--run" => {
            let outcome = interpret::run(&[unit], &interpret::Options::default(), &mut Silent);
            print!("{}", String::from_utf8_lossy(&outcome.stdout));
            eprint!("{}", String::from_utf8_lossy(&outcome.stderr));
            eprintln!("{:?}", outcome.exit);
        }
        _ => print!("{}", print_unit(&unit, PrintOptions::default())),
    }
    Ok(())
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let flags = match arguments.iter().position(|argument| argument == "--") {
        Some(at) => arguments.split_off(at).split_off(1),
        None => Vec::new(),
    };
    let mode = arguments
        .iter()
        .find(|argument| argument.starts_with("--"))
        .cloned();
    let mode = mode.unwrap_or_default();
    for file in arguments.iter().filter(|argument| !argument.starts_with("--")) {
        let outcome = on_large_stack(|| lower(Path::new(file), &flags, &mode));
        if let Ok(Err(why)) | Err(why) = outcome {
            eprintln!("{file}: {why}");
        }
    }
}
