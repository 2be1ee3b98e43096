//! What does the front end make of small pieces of C? The printed body of the function `f`, compared with the expected text;
//! and what it must not understand, with the cause.

use ferry_frontend::clang::{TranslationUnit, on_large_stack};
use ferry_frontend::lower::{self, probe::NoPragmas};
use ferry_ir::{PrintOptions, Unit, print_function, verify};
use ferry_source::Sources;
use std::path::PathBuf;

fn unit<T: Send>(text: &str, work: impl FnOnce(&Unit) -> T + Send) -> T {
    unit_with(&[], text, work)
}

fn unit_with<T: Send>(flags: &[String], text: &str, work: impl FnOnce(&Unit) -> T + Send) -> T {
    let path = PathBuf::from("/nowhere/lowering.c");
    on_large_stack(|| {
        let text = text.as_bytes().to_vec();
        let tu = TranslationUnit::parse(&path, flags, &[(path.clone(), text.clone())]).unwrap();
        let mut sources = Sources::new();
        let main = sources.insert(&path, text);
        let unit = lower::unit(&tu, &mut sources, main, &NoPragmas);
        assert_eq!(verify::verify_unit(&unit), [], "{path:?}");
        work(&unit)
    })
    .unwrap()
}

/// Which parameters of the only function are `restrict`?
fn restrict_of(flags: &[String], text: &str) -> Vec<bool> {
    unit_with(flags, text, |unit| {
        let function = &unit.functions[0];
        let parameters = &function.locals[..function.parameters as usize];
        parameters.iter().map(|local| local.qualifiers.restrict).collect()
    })
}

/// The statements of `f`, one per line, without indentation.
fn body(text: &str) -> Vec<String> {
    unit(text, |unit| {
        let function = unit
            .functions
            .iter()
            .find(|function| function.name == "f")
            .unwrap();
        let printed = print_function(unit, function, PrintOptions::default());
        let inside = printed
            .split("body {")
            .nth(1)
            .unwrap()
            .trim()
            .trim_end_matches('}')
            .trim();
        let inside = inside.trim_end_matches('}').trim();
        inside.lines().map(|line| line.trim().to_owned()).collect()
    })
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(body(text), expected, "{text}");
}

#[test]
fn simple_effects_need_no_temporaries() {
    check(
        "int g(int); void f(int i, int *a, char c) { i++; a[i] += 2; --c; i = g(i); a[i] = g(1); }",
        &[
            "i = i + 1;",
            "a[i] = a[i] + 2;",
            "c = (i8)((i32)c - 1);",
            "i = call g(i);",
            "a[i] = call g(1);",
        ],
    );
}

#[test]
fn effects_inside_are_hoisted_in_order() {
    check(
        "void f(int *p, int *q, int i, int *a) { *p++ = *q++; a[i++] = 3; }",
        &[
            "sequence {",
            "%t4 = p;",
            "p = %t4 + 1i64;",
            "%t5 = q;",
            "q = %t5 + 1i64;",
            "*%t4 = *%t5;",
            "}",
            "sequence {",
            "%t6 = i;",
            "i = %t6 + 1;",
            "a[%t6] = 3;",
            "}",
        ],
    );
}

#[test]
fn conditions_with_effects_are_tested_after_them() {
    check(
        "int g(void); void f(int n, int c) { while (n-- > 0) c++; while ((c = g()) != -1 && n) n = c; }",
        &[
            "while ({ %t2 = n; n = %t2 - 1; } %t2 > 0)",
            "c = c + 1;",
            "while ({ c = call g(); } c != -1 && n)",
            "n = c;",
        ],
    );
}

#[test]
fn only_effects_make_short_circuits_into_ifs() {
    check(
        "int g(int); void f(int a, int b) { a = a && b || !a; b = a && g(b); b = a ? g(1) : b; }",
        &[
            "a = a && b || !a;",
            "sequence {",
            "if (a) sequence {",
            "%t2 = call g(b);",
            "%t3 = %t2 != 0;",
            "} else",
            "%t3 = 0;",
            "b = %t3;",
            "}",
            "sequence {",
            "if (a) sequence {",
            "%t4 = call g(1);",
            "%t5 = %t4;",
            "} else",
            "%t5 = b;",
            "b = %t5;",
            "}",
        ],
    );
}

#[test]
fn compound_assignments_compute_in_the_common_type() {
    check(
        "void f(int i, double d, unsigned char c, long l) { i *= d; c >>= l; l -= i; c += c; d /= 3; }",
        &[
            "i = (i32)((f64)i * d);",
            "c = (u8)((i32)c >> l);",
            "l = l - (i64)i;",
            "c = (u8)((i32)c + (i32)c);",
            "d = d / 3.0;",
        ],
    );
}

#[test]
fn places_keep_their_shape() {
    check(
        "struct s { int n; double v[4][3]; struct { int k; }; }; double m[5][6];\n\
         void f(struct s *s, struct s t, double (*a)[6], int i) { s->v[i][1] = t.v[0][i]; a[i][2] = m[i][i + 1]; (*s).k = s[2].n; *(&t.n) = *(*(a + 1) + 2); }",
        &[
            "s->v[i][1] = t.v[0][i];",
            "a[i][2] = @m[i][i + 1];",
            "s->#2.k = s[2].n;",
            "t.n = (i32)a[1][2];",
        ],
    );
}

#[test]
fn lengths_of_parameters_are_fixed_at_entry() {
    check(
        "void f(int n, double a[n][n], double b[n][n]) { a[1][2] = b[n - 1][0]; }",
        &["%extent3 = (i64)n;", "a[1][2] = b[n - 1][0];"],
    );
}

#[test]
fn restrict_is_a_word_of_the_declaration() {
    let text = "#define R restrict\n#define D(a) a[restrict 5]\n#define V(a, n) a[R static n + 1][n]\nint z[8];\n\
        void f(int *restrict a, int b[restrict 4], int restrict_c[4], int d[R 4], int D(e), int g[__restrict const 3],\
        int *restrict h[2], int n, int V(i, n), int j[z[n]][n], int k[volatile restrict z[n]]) { *a = 1; }";
    let restrict = restrict_of(&[], text);
    assert_eq!(
        restrict,
        [
            true, true, false, true, true, true, false, false, true, false, true
        ]
    );
    // A name like any other before C99.
    let text = "enum { restrict = 2 };\nvoid f(int a[restrict], int b[restrict + 1], int c[__restrict 4]) { *a = 1; }";
    assert_eq!(restrict_of(&["-std=gnu89".into()], text), [false, false, true]);
}

fn cause(statement: &str) -> String {
    let text = format!(
        "#include <stdarg.h>\nint g(int); void v(int, ...); int k; void c(int *); typedef long jb[32]; jb b; int setjmp(jb);\nvoid f(int i, int j, int *a, va_list l) {{ {statement} }}"
    );
    let lines = body(&text);
    let opaque = lines.iter().find(|line| line.contains("opaque"));
    opaque
        .map(|line| line.split('"').nth(1).unwrap().to_owned())
        .unwrap_or_default()
}

/// C11 6.3.1.8: a real operand beside a complex one stays real in the text; here every operation has operands of one type.
#[test]
fn complex_numbers_are_values() {
    check(
        "void f(double _Complex z, float _Complex w, double x, int n) { z = n * z; w *= x; x *= w; z = 3 + 2.0i; z++; n = z != x; }",
        &[
            "z = (c64)(f64)n * z;",
            "w = (c32)((c64)w * (c64)x);",
            "x = (f64)((c64)x * (c64)w);",
            "z = (c64)3.0 + times_unit(c64, 2.0);",
            "z = z + (c64)1.0;",
            "n = z != (c64)x;",
        ],
    );
    check(
        "double cimag(double _Complex); double _Complex conj(double _Complex);
         void f(double _Complex z, double x) { x = cimag(conj(z)) + __real__ z; z = ~z; if (!z) x = z; }",
        &[
            "x = imaginary(f64, ~z) + (f64)z;",
            "z = ~z;",
            "if (!z)",
            "x = (f64)z;",
        ],
    );
    // A function of the program is called, whatever its name.
    check(
        "static double cimag(double _Complex z) { return 1; } void f(double _Complex z, double x) { x = cimag(z); }",
        &["x = call cimag(z);"],
    );
}

#[test]
fn unsequenced_effects_are_opaque() {
    for statement in [
        "a[i] = i++;",
        "i = i++;",
        "i = i++ + 1;",
        "j = i++ + i;",
        "j = i++ + i++;",
        "v(i, i++);",
        "a[i++] += i;",
        "*a++ = *a;",
        "j = (i = 2) * i;",
        "if (i++ == i) j = 1;",
        "a[j] = a[j]++;",
        "j = ({ i++; 1; }) + i;",
        "int x = i++ + i;",
    ] {
        assert_eq!(cause(statement), "unsequenced effects", "{statement}");
    }
}

#[test]
fn sequenced_effects_are_not() {
    for statement in [
        "i = g(i++);",
        "i = (i++, i);",
        "j = i++ && i;",
        "j = i++ ? i : 0;",
        "a[i++] = j++;",
        "i = i + 1;",
        "a[i] = a[i] + g(i);",
        "i = j = i + 1;",
        "j = g(i++) + g(j);",
        "a[j] = (i++, 3);",
        "j = ({ int t = i; t++; t; }) + i;",
    ] {
        assert_eq!(cause(statement), "", "{statement}");
    }
}

#[test]
fn what_is_not_understood_says_why() {
    for (statement, why) in [
        ("asm(\"nop\");", "inline assembly"),
        ("void *p = &&here; goto *p; here: ;", "the address of a label"),
        ("i = va_arg(l, int);", "variable arguments"),
        (
            "__attribute__((cleanup(c))) int x = 1;",
            "a variable whose end calls a function",
        ),
        ("if (setjmp(b)) i = 1;", "a function that may return twice"),
        (
            "while (({ if (i) break; i; })) i++;",
            "a jump in the head of a loop",
        ),
        ("_Atomic int x = 1; x++;", "a conversion between types"),
        ("_Complex int z = 1; i = z;", "a conversion between types"),
    ] {
        let cause = cause(statement);
        assert!(cause.starts_with(why), "{statement}: {cause:?}");
    }
}

#[test]
fn a_function_with_an_error_inside_is_opaque_as_a_whole() {
    let text = "int h(void) { return 1; }\nvoid f(int i) { i = unknown; i = 2; }\n";
    assert_eq!(
        body(&text.replace("void f", "void k").replace("int h", "int f")),
        ["return 1;"]
    );
    let printed = unit(text, |unit| {
        let function = unit
            .functions
            .iter()
            .find(|function| function.name == "f")
            .unwrap();
        print_function(unit, function, PrintOptions::default())
    });
    assert!(printed.contains("the compiler reports an error inside: use of undeclared identifier 'unknown'"));
    assert!(!printed.contains("i = 2"));
}

/// Clang's `overloadable` (its `<tgmath.h>` rests on it): functions of one name, each with its own body.
#[test]
fn functions_of_one_name_are_told_apart_by_their_parameters() {
    for linkage in ["static", ""] {
        let text = format!(
            "{linkage} int __attribute__((overloadable)) g(int x) {{ return x + 1; }}
{linkage} double __attribute__((overloadable)) g(double x) {{ return x * 2; }}
double f(int n, double w) {{ return g(n) + g(w); }}"
        );
        unit(&text, |unit| {
            let of_name = unit.functions.iter().filter(|function| function.name == "g");
            let printed: Vec<String> = of_name
                .map(|function| print_function(unit, function, PrintOptions::default()))
                .collect();
            assert_eq!(printed.len(), 2, "{linkage}: {printed:?}");
            for part in ["x + 1", "x * 2.0"] {
                let with = printed.iter().filter(|body| body.contains(part)).count();
                assert_eq!(with, 1, "{linkage}: {printed:?}");
            }
        });
    }
}
