//! The text form reads back as what was printed.

use ferry_ir::verify::verify_unit;
use ferry_ir::{PrintOptions, parse_unit, print_unit};

const EVERYTHING: &str = include_str!("text/everything.ir");

#[test]
fn every_form_is_read_and_printed_alike() {
    let unit = parse_unit(EVERYTHING).unwrap();
    let text = print_unit(&unit, PrintOptions::default());
    for (line, (got, wanted)) in text.lines().zip(EVERYTHING.lines()).enumerate() {
        assert_eq!(got, wanted, "line {}", line + 1);
    }
    assert_eq!(text, EVERYTHING);
}

#[test]
fn numbers_and_origins_are_kept() {
    let unit = parse_unit(EVERYTHING).unwrap();
    for bits in 0..8 {
        let options = PrintOptions {
            origins: bits & 1 != 0,
            statement_ids: bits & 2 != 0,
            normalise_temporaries: bits & 4 != 0,
        };
        let text = print_unit(&unit, options);
        let again = parse_unit(&text).unwrap_or_else(|error| {
            panic!(
                "{error}: {}",
                &text[error.offset.saturating_sub(80)..error.offset + 40]
            )
        });
        assert_eq!(print_unit(&again, options), text);
        if bits & 4 == 0 {
            assert_eq!(print_unit(&again, PrintOptions::default()), EVERYTHING);
        }
    }
}

#[test]
fn the_example_is_a_program() {
    let unit = parse_unit(EVERYTHING).unwrap();
    let violations: Vec<String> = verify_unit(&unit).iter().map(ToString::to_string).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}
