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

/// The example of the specification is what the printer writes, and a program.
#[test]
fn the_specification_shows_a_program() {
    let page = include_str!("../SPECIFICATION.md");
    let (_, rest) = page.split_once("```ir\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let unit = parse_unit(example).unwrap();
    assert_eq!(print_unit(&unit, PrintOptions::default()), example);
    assert_eq!(verify_unit(&unit), []);
}

#[test]
fn texts_that_are_wrong_are_refused_with_the_place() {
    for (text, offset, message) in [
        ("", 0, "`unit` was expected"),
        (
            "unit 0 global x: i32 external; global x: i32 external;",
            38,
            "this name is there twice",
        ),
        (
            "unit 0 global x: struct s external;",
            24,
            "there is no record of this name",
        ),
        (
            "unit 0 function f: fn<void()> external { body x = 1; }",
            46,
            "there is no variable of this name",
        ),
        (
            "unit 0 function f: fn<void()> external { local x: i32; body *x = 1; }",
            63,
            "this is no pointer",
        ),
        (
            "unit 0 function f: fn<void()> external { body goto L; }",
            51,
            "there is no label of this name",
        ),
        (
            "unit 0 function f: fn<void()> external { body { }",
            49,
            "`}` was expected",
        ),
        (
            "unit 0 global x: i32 external { @x = 999999999999999999999999999999999999999999; }",
            37,
            "a number too big",
        ),
        (
            "unit 0 global x: i32 external { @x = $; }",
            37,
            "no word of the text form",
        ),
        ("unit 0 global x: \"", 17, "a quote is not closed"),
    ] {
        let error = parse_unit(text).expect_err(text);
        assert!(error.message.contains(message), "{text}: {error}");
        assert_eq!(error.offset, offset, "{text}: {error}");
    }
}

#[test]
fn deep_nesting_is_refused_before_the_stack_ends() {
    for (open, close) in [
        ("(", ")"),
        ("-(", ")"),
        ("(i64)", ""),
        ("1 ? ", " : 1"),
        ("~", ""),
        ("@x[", "]"),
    ] {
        let text = format!(
            "unit 0 global x: i64[2] external {{ @x[0] = {}1i64{}; }}",
            open.repeat(20_000),
            close.repeat(20_000)
        );
        assert!(parse_unit(&text).is_err());
    }
    for open in [
        "{",
        "if (1) ",
        "while (1) ",
        "switch (1) ",
        "do ",
        "sequence {",
        "directive omp \"x\" : ",
    ] {
        let text = format!(
            "unit 0 function f: fn<void()> external {{ body {}",
            open.repeat(20_000)
        );
        assert!(parse_unit(&text).is_err());
    }
    let text = format!("unit 0 global x: {}i32", "fn<".repeat(20_000));
    assert!(parse_unit(&text).is_err());
}

/// A program that breaks the rules of typing can be shown too: types that do not follow are written.
#[test]
fn types_that_do_not_follow_are_written() {
    for statement in [
        "x = (*(p + 1 : i32*));",
        "x = p!i32*[1];",
        "x = (y + 1i64 : i32);",
        "y = (&x : i64);",
        "(*p)!i32 = (x : i32);",
        "x!i64 = *(p : i64**);",
    ] {
        let program = |statement: &str| {
            format!(
                "unit 0\n\nfunction f: fn<void(i64*, i64)> external {{\n    parameter p: i64*;\n    parameter y: i64;\n    \
                 local x: i32;\n    body {{\n        {statement}\n    }}\n}}\n"
            )
        };
        let unit = parse_unit(&program(statement)).unwrap_or_else(|error| panic!("{statement}: {error}"));
        let text = print_unit(&unit, PrintOptions::default());
        let again = parse_unit(&text).unwrap();
        assert_eq!(print_unit(&again, PrintOptions::default()), text);
        let kinds = |unit: &ferry_ir::Unit| {
            format!(
                "{:?}",
                verify_unit(unit).iter().map(|v| v.rule).collect::<Vec<_>>()
            )
        };
        assert_eq!(kinds(&unit), kinds(&again), "{statement} became {text}");
        assert_ne!(kinds(&unit), "[]", "{statement}");
    }
}
