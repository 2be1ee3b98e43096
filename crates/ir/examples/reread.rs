//! Reads units in the text form, and says what the verifier finds and whether they are printed as they were read:
//! `cargo run -p ferry-ir --example reread FILE…`. With `--flow`, also how every loop may be left early.

use ferry_ir::compare::equal_units_modulo_origins;
use ferry_ir::flow::Flow;
use ferry_ir::verify::verify_unit;
use ferry_ir::visit::Statements;
use ferry_ir::{PrintOptions, StmtKind, parse_unit, print_unit};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let flow = arguments.iter().any(|argument| argument == "--flow");
    // Deep programs need a deep stack.
    let work = std::thread::Builder::new().stack_size(1 << 30).spawn(move || {
        for file in arguments.iter().filter(|argument| !argument.starts_with("--")) {
            match std::fs::read_to_string(file) {
                Ok(text) => reread(file, &text, flow),
                Err(error) => println!("{file}: {error}"),
            }
        }
    });
    if work.is_ok_and(|work| work.join().is_err()) {
        println!("failed");
    }
}

fn reread(file: &str, text: &str, flow: bool) {
    let unit = match parse_unit(text) {
        Ok(unit) => unit,
        Err(error) => {
            let line = text[..error.offset.min(text.len())].lines().count();
            return println!("{file}:{line}: {error}");
        }
    };
    for violation in verify_unit(&unit) {
        println!("{file}: {violation}");
    }
    let again = print_unit(&unit, PrintOptions::default());
    if again != text {
        let line = again
            .lines()
            .zip(text.lines())
            .take_while(|(a, b)| a == b)
            .count()
            + 1;
        println!("{file}:{line}: is printed otherwise");
    }
    let options = PrintOptions {
        origins: true,
        statement_ids: true,
        normalise_temporaries: false,
    };
    let with_numbers = print_unit(&unit, options);
    match parse_unit(&with_numbers) {
        Ok(other) => {
            let equal =
                equal_units_modulo_origins(&unit, &other, &mut |compare, a, b| compare.expression(a, b));
            if let Err(difference) = equal {
                println!("{file}: {difference}");
            }
        }
        Err(error) => println!("{file}: with origins: {error}"),
    }
    for function in unit
        .functions
        .iter()
        .filter(|function| flow && function.body.is_some())
    {
        let meaning = Flow::of(&unit, function);
        let statements = Statements::of(function);
        for number in 0..function.statements {
            let id = ferry_ir::StmtId(number);
            if !meaning.reachable(id) {
                println!("{file}: {}: statement {number} cannot be reached", function.name);
            }
            if matches!(
                statements.get(id),
                Some(ferry_ir::Stmt {
                    kind: StmtKind::Loop(_),
                    ..
                })
            ) {
                let (early, side) = (meaning.early_exits(id), meaning.side_entries(id));
                println!("{file}: {}: loop {number}: {early:?} {side:?}", function.name);
            }
        }
    }
}
