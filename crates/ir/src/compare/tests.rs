//! What counts and what does not when programs are compared.

use super::*;
use crate::{PrintOptions, parse_unit, print_unit};
use ferry_source::{FileId, Span};

const PROGRAM: &str = "unit 0
record struct list size 16 align 8 { v: i32 at 0; next: struct list* at 64; }
global s: i8[3] internal string_literal text \"hi\";
global other: i8[3] internal string_literal text \"ho\";
global g: i32 external { @g = 3; }
function callee: fn<i32(i32)> external {}
function f: fn<i32(i32, f64[%e]*)> external {
    parameter n: i32;
    parameter a: f64[%e]*;
    local i: i32;
    local j: i32;
    local p: struct list*;
    local c: i8*;
    temporary %t: i32;
    temporary %u: i32;
    extent %e: i64;
    label L;
    body {
        %e = (i64)n;
        declare i; declare j; declare p; declare c;
        for (i = 0; i < n; i = i + 1) { a[i][j] = a[i][j] * 2.0 + -a[0][0]; }
        %t = call callee(n);
        if (%t && !i) i = p->next->v; else return (i32)(i64)&fn callee;
        goto L;
        label L;
        switch (n) { case 1: break; default: i = n ? 1 : 2; }
        directive omp \"for\" \"reduction\"(\"+\"; object j) \"map\"(object a {0 : n}) : while (i) i = i - 1;
        c = &@s[0i64];
        opaque \"asm\" (i) escapes;
        j = @g + (i32)opaque<i64>(\"?\", i);
        return i;
    }
}
";

fn unit(text: &str) -> Unit {
    parse_unit(text).unwrap_or_else(|error| panic!("{error}: {}", &text[error.offset..]))
}

fn compare(a: &str, b: &str) -> Equal {
    equal_units_modulo_origins(&unit(a), &unit(b), &mut |comparison, a, b| {
        comparison.expression(a, b)
    })
}

#[test]
fn a_program_is_equal_to_itself() {
    assert_eq!(compare(PROGRAM, PROGRAM), Ok(()));
}

#[test]
fn what_does_not_count() {
    for (from, to) in [
        // Names and order of what has no name of its own.
        ("%u", "%other"),
        (
            "temporary %t: i32;\n    temporary %u: i32;",
            "temporary %u: i32;\n    temporary %t: i32;",
        ),
        ("global s", "global strange"),
        // Blocks that are no scopes, empty statements.
        ("goto L;", "sequence { empty; sequence { goto L; } }"),
        ("while (i) i = i - 1;", "while (i) sequence { i = i - 1; empty; }"),
        // Declarations that are not used, and the order of everything in the unit.
        (
            "function callee",
            "function unused: fn<void()> external {}\nfunction callee",
        ),
        (
            "global g: i32 external { @g = 3; }\nfunction",
            "global x: i64 external undefined; global g: i32 external { @g = 3; } function",
        ),
        (
            "record struct list",
            "record struct before size 0 align 1 {}\nrecord struct list",
        ),
    ] {
        let other = PROGRAM.replace(from, to).replace(
            "&@s[",
            if to == "global strange" {
                "&@strange["
            } else {
                "&@s["
            },
        );
        assert_ne!(other, PROGRAM, "{from}");
        assert_eq!(compare(PROGRAM, &other), Ok(()), "{to}");
        assert_eq!(compare(&other, PROGRAM), Ok(()), "{to}");
    }
}

#[test]
fn what_counts() {
    for (from, to) in [
        ("i = i + 1", "i = i + 2"),
        ("i = i + 1", "i = i - 1"),
        ("i = i + 1", "j = i + 1"),
        ("i < n", "i < j"),
        ("i < n", "i <= n"),
        ("for (i = 0;", "for (;"),
        ("for (i = 0; i < n", "for (i = 0; "),
        (
            "{ a[i][j] = a[i][j] * 2.0 + -a[0][0]; }",
            "a[i][j] = a[i][j] * 2.0 + -a[0][0];",
        ),
        ("a[i][j] =", "a[j][i] ="),
        ("* 2.0", "* 2.5"),
        ("-a[0][0]", "a[0][0]"),
        ("%t = call callee(n)", "%t = call callee(i)"),
        ("%t = call callee(n)", "call callee(n)"),
        ("%t = call callee(n)", "%u = call callee(n)"),
        ("%t && !i", "%t || !i"),
        ("%t && !i", "%u && !i"),
        ("p->next->v", "p->v"),
        ("else return", "else empty; return"),
        ("(i32)(i64)&fn callee", "(i32)(u64)&fn callee"),
        ("goto L;", ""),
        ("case 1:", "case 1 ... 2:"),
        ("break;", "empty;"),
        ("default:", "case 3:"),
        ("? 1 : 2", "? 2 : 1"),
        ("\"for\"", "\"simd\""),
        ("\"reduction\"(\"+\"", "\"reduction\"(\"*\""),
        ("object j", "object i"),
        ("\"map\"", "\"private\""),
        ("{0 : n}", "{1 : n}"),
        ("{0 : n}", "{0 : }"),
        ("{0 : n}", "{n}"),
        ("omp", "acc"),
        (" : while (i) i = i - 1;", "; while (i) i = i - 1;"),
        ("while (i) i = i - 1;", "do i = i - 1; while (i);"),
        ("&@s[0i64]", "&@other[0i64]"),
        ("\"hi\"", "\"ha\""),
        ("\"asm\" (i)", "\"asm\" (j)"),
        ("escapes", "jumps"),
        ("@g + ", "n + "),
        ("@g = 3", "@g = 4"),
        ("global g: i32 external", "global g: i32 internal"),
        ("return i;", "return volatile(i);"),
        ("return i;", ""),
        ("return i;", "return i; empty; return i;"),
        ("parameter n: i32", "parameter m: i32"),
        ("local j: i32", "local k: i32"),
        ("local j: i32", "local j: i32 restrict"),
        ("local j: i32", "local j: i32 address_taken"),
        ("fn<i32(i32)> external {}", "fn<i32(i32)> external noreturn {}"),
        ("fn<i32(i32)> external {}", "fn<i32(i32, ...)> external {}"),
        ("v: i32 at 0", "v: i32 at 32"),
        ("v: i32", "v: u32"),
        ("next: struct list*", "next: void*"),
        ("local c: i8*", "local c: u8*"),
        ("label L;\n    body", "label M; body"),
        (
            "function f: fn<i32(i32, f64[%e]*)> external",
            "function f: fn<i32(i32, f64[%e]*)> internal",
        ),
        ("function f", "function h"),
        (
            "function callee: fn<i32(i32)> external {}",
            "function callee: fn<i32(i32)> external { parameter x: i32; body { return x; } }",
        ),
        ("f64[%e]", "f64[7]"),
        ("global g", "global extra: i32 external; global g"),
    ] {
        let mut other = PROGRAM.replace(from, to);
        assert_ne!(other, PROGRAM, "{from}");
        for (word, renamed) in [
            ("parameter m", ("n", "m")),
            ("local k", ("j", "k")),
            ("label M", ("L", "M")),
        ] {
            if to.contains(word) {
                other = rename(&other, renamed.0, renamed.1);
            }
        }
        if to.starts_with("next: void*") {
            other = other.replace("p->next->v", "p->v");
        }
        if to.contains("u8*") {
            other = other.replace("c = &@s[0i64]", "c = (u8*)&@s[0i64]");
        }
        assert!(compare(PROGRAM, &other).is_err(), "{from} and {to} should differ");
        assert!(compare(&other, PROGRAM).is_err(), "{to} and {from} should differ");
    }
}

/// Replaces a whole word.
fn rename(text: &str, from: &str, to: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' || c == '%' {
            word.push(c);
        } else {
            out.push_str(if word == from { to } else { &word });
            word.clear();
            out.push(c);
        }
    }
    out
}

#[test]
fn swapped_variables_are_not_equal() {
    let body = |a: &str, b: &str| {
        format!(
            "unit 0 function f: fn<void(i32)> external {{ parameter n: i32; temporary %a: i32; temporary %b: i32;
             body {{ {a} = n; {b} = n + 1; n = %a - %b; }} }}"
        )
    };
    assert_eq!(compare(&body("%a", "%b"), &body("%a", "%b")), Ok(()));
    assert!(compare(&body("%a", "%b"), &body("%b", "%a")).is_err());
    // A compound literal has no name either.
    let literal = |name: &str| {
        format!(
            "unit 0 function f: fn<void(i32)> external {{ parameter n: i32; local {name}: i32;
             body {{ declare {name}; {name} = n; }} }}"
        )
    };
    assert_eq!(compare(&literal("%literal1"), &literal("%literal2")), Ok(()));
    assert!(compare(&literal("x"), &literal("y")).is_err());
    // Two variables of one name in scopes of their own.
    let scopes = |first: &str, second: &str| {
        format!(
            "unit 0 function f: fn<void(i32)> external {{ parameter n: i32; local x#1: i32; local x#2: i32;
             body {{ {{ declare x#1; declare x#2; x{first} = n; x{second} = 2; n = x#1; }} }} }}"
        )
    };
    assert_eq!(compare(&scopes("#1", "#2"), &scopes("#1", "#2")), Ok(()));
    assert!(compare(&scopes("#1", "#2"), &scopes("#1", "#1")).is_err());
}

#[test]
fn a_difference_has_both_places() {
    let options = PrintOptions {
        origins: true,
        ..PrintOptions::default()
    };
    let text = "unit 0 function f: fn<void(i32)> external { parameter n: i32; body [@0:0-90] { [@0:10-20] n = 1@0:14-15; } }";
    let first = unit(text);
    let second = unit(&print_unit(&first, options).replace("1@0:14-15", "2@1:24-25"));
    let difference = equal_modulo_origins(&first.functions[0], &first, &second.functions[0], &second)
        .expect_err("1 is not 2");
    assert_eq!(difference.first, Origin::Text(Span::new(FileId(0), 14, 15)));
    assert_eq!(difference.second, Origin::Text(Span::new(FileId(1), 24, 25)));
    assert_eq!(difference.to_string(), "different numbers");
    // Without a place of its own: that of the statement.
    let third = unit(&print_unit(&first, options).replace("1@0:14-15", "3@-"));
    let difference = equal_modulo_origins(&first.functions[0], &first, &third.functions[0], &third)
        .expect_err("1 is not 3");
    assert_eq!(difference.second, Origin::Text(Span::new(FileId(0), 10, 20)));
}

#[test]
fn clauses_are_compared_as_the_caller_likes() {
    let other = PROGRAM.replace("{0 : n}", "{0i64 : (i64)n}");
    assert!(compare(PROGRAM, &other).is_err());
    let mut asked = Vec::new();
    let (a, b) = (unit(PROGRAM), unit(&other));
    let equal = equal_units_modulo_origins(&a, &b, &mut |_, first, second| {
        asked.push((first.as_int(), second.as_int()));
        Ok(())
    });
    assert_eq!(equal, Ok(()));
    // `j`, `a`, the lower bound, the length.
    assert_eq!(
        asked,
        [(None, None), (None, None), (Some(0), Some(0)), (None, None)]
    );
}
