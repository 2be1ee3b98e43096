//! Reads every OpenMP and OpenACC pragma of the given C and C++ files, and prints those that are not understood, those that do not come back
//! as the same directive after printing, and counts.
//!
//! `cargo run -p ferry-directive --example pragmas -- FILE…`

use ferry_directive::{Dialect, Directive, Item, Problem, Text, Version, language_of, parse, problems, read};
use ferry_source::{FileId, Preprocessor, Sources, Span};
use std::path::Path;

fn plain(directive: &Directive<Text>) -> Directive<String> {
    directive
        .map_expressions(|e, _| e.text.split_whitespace().collect::<Vec<_>>().join(" "))
        .without_places()
}

fn main() {
    let mut sources = Sources::new();
    let (mut all, mut bad, mut raw, mut changed, mut odd) = (0, 0, 0, 0, 0);
    for path in std::env::args_os().skip(1) {
        let Ok(file) = sources.load(Path::new(&path)) else {
            println!("cannot read {}", path.display());
            continue;
        };
        let c = path.as_encoded_bytes().ends_with(b".c");
        let dialect = if c { Dialect::C } else { Dialect::Cplusplus };
        let bytes = sources.bytes(file).to_vec();
        for line in Preprocessor::new(&bytes)
            .lines()
            .iter()
            .filter(|line| line.keyword == "pragma")
        {
            let text = sources.text(Span::new(FileId(file.0), line.hash, line.end));
            let Some(at) = text.windows(6).position(|w| w == b"pragma") else {
                continue;
            };
            let after = line.hash + at as u32 + 6;
            let inner = sources.text(Span::new(file, after, line.end));
            if language_of(inner).is_none() {
                continue;
            }
            all += 1;
            let place = |offset| {
                let (line, column) = sources.line_column(file, offset);
                format!("{}:{line}:{column}", path.display())
            };
            let Some(parsed) = read(inner, after, dialect) else {
                continue;
            };
            bad += usize::from(!parsed.errors.is_empty());
            for error in &parsed.errors {
                println!(
                    "{}: {error}\n    {}",
                    place(error.start),
                    String::from_utf8_lossy(inner)
                );
            }
            let Some(directive) = parsed.directive.filter(|_| parsed.errors.is_empty()) else {
                continue;
            };
            for (expression, _) in directive.expressions() {
                let there = sources.text(Span::new(file, expression.start, expression.end));
                let there = String::from_utf8_lossy(there);
                if there != expression.text && !there.contains(['\\', '/', '\t']) {
                    println!("{}: `{there}` is not `{expression}`", place(expression.start));
                }
            }
            for clause in &directive.clauses {
                let unparsed = clause.items().iter().any(|item| matches!(item, Item::Raw(_)));
                let expected = [
                    "match",
                    "when",
                    "otherwise",
                    "initializer",
                    "append_args",
                    "apply",
                    "default",
                ];
                if unparsed && !expected.contains(&clause.name.as_str()) {
                    raw += 1;
                    println!(
                        "{}: kept raw: {clause}",
                        place(clause.place.map_or(after, |p| p.0))
                    );
                }
            }
            for problem in problems(&directive, Version::newest(directive.language)) {
                odd += 1;
                let clause = match problem {
                    Problem::ClauseNotAllowed { clause } => directive.clauses[clause].to_string(),
                    _ => String::new(),
                };
                println!("{}: {problem:?} {clause} in `{}`", place(after), directive.name);
            }
            let text = directive.to_string();
            match parse(&text.as_bytes()["#pragma".len()..], 0, dialect) {
                Ok(again) if plain(&again) == plain(&directive) => {}
                other => {
                    changed += 1;
                    println!("{}: printed as {text}, read as {other:?}", place(after));
                }
            }
        }
    }
    println!(
        "{all} pragmas, {bad} with errors, {raw} clauses raw, {changed} not the same again, {odd} problems"
    );
}
