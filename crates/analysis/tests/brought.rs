//! Which functions of other files are walked into, and what is known of loops that call them?

use super::common::project::verdict_walked;
use ferry_analysis::verdict::Kind;

const STRIP: &str = "struct strip { int n; double *from; double *to; };\n";

/// The verdict on a loop that calls what another file defines.
fn kind(a: &str, b: &str) -> Kind {
    verdict_walked(&[("a.c", a), ("b.c", b)]).kind
}

#[test]
fn what_a_structure_leads_to_is_what_the_caller_has_put_there() {
    let call = |row: &str| {
        format!(
            "{STRIP}void halve(struct strip *s);
            void kernel(int rows, int n, double *restrict a, double *restrict b)
            {{
                for (int r = 0; r < rows; r++) {{
                    struct strip s = {{n, a + r * n, {row}}};
                    halve(&s);
                }}
            }}"
        )
    };
    let halve = format!(
        "{STRIP}void halve(struct strip *s) {{ for (int i = 0; i < s->n; i++) s->to[i] = s->from[i] / 2; }}"
    );
    let said = verdict_walked(&[("a.c", &call("b + r * n")), ("b.c", &halve)]);
    assert_eq!((said.kind, said.causes), (Kind::Parallel, Vec::new()));
    assert_eq!(said.rests, ["halve is what /project/b.c defines"]);
    assert_eq!(kind(&call("b"), &halve), Kind::Sequential);
}

/// Two functions may reach one variable of their file, of which only one is walked into.
#[test]
fn functions_with_variables_of_their_own_file_are_not_walked_into() {
    let a = "void put(int i, int v); int get(int i); static int out[400];
        void kernel(int n)
        {
            for (int i = 0; i < n; i++) { put(i, i + 1); out[i] = get(i); }
        }";
    // It is known by its sections: this file does not declare `one`.
    let get = "int one = 1; int get(int i) { return buffer[i] * one; }";
    for put in [
        "static int buffer[400]; void put(int i, int v) { buffer[i + 1] = v; }",
        "static int buffer[400]; static int *const p = buffer; void put(int i, int v) { p[i + 1] = v; }",
        "int buffer[400]; void put(int i, int v) { buffer[i + 1] = v; }",
    ] {
        assert_eq!(kind(a, &format!("{put}\n{get}")), Kind::Unknown, "{put}");
    }
}

/// Members lie where the file of the function has them.
#[test]
fn one_header_may_declare_other_structures_in_each_file() {
    let header = "struct trio { A a; B b; C c; };\n";
    let a = "#define A double\n#define B int\n#define C int\n#include \"h.h\"
        void work(void *p, int i);
        void kernel(int n, int *buffer)
        {
            for (int i = 1; i < n; i++) work(buffer, i);
        }
        struct trio unused;";
    let b = |second: &str| {
        format!(
            "#define A int\n#define B int\n#define C double\n#include \"h.h\"
            void work(void *p, int i) {{ struct trio *q = p; int *r = p; q[i].b = r[4 * (i - 1) + {second}] + i; }}"
        )
    };
    let of = |b: &str| verdict_walked(&[("a.c", a), ("b.c", b), ("h.h", header)]).kind;
    assert_eq!(of(&b("1")), Kind::Sequential);
    assert_eq!(of(&b("0")), Kind::Parallel);
}

/// A structure that only the other file knows, and a function that is declared with other parameters.
#[test]
fn declarations_need_not_say_what_a_pointer_leads_to() {
    let a = "struct strip; void set(struct strip *s, int i);
        void kernel(int n, struct strip *s) { for (int i = 0; i < n; i++) set(s, i); }";
    let b = format!("{STRIP}void set(struct strip *s, int i) {{ s[i].n = i; }}");
    assert_eq!(kind(a, &b), Kind::Parallel);
    let a = "void set(int *v, long i);
        void kernel(int n, int *v) { for (int i = 0; i < n; i++) set(v, i); }";
    let b = "void set(int *v, int i) { v[i] = i; }";
    assert_eq!(kind(a, b), Kind::Unknown);
}

/// A private function with the name of one of the library is another one.
#[test]
fn names_of_private_functions_say_nothing() {
    let a = "int next(int *v, int i);
        void kernel(int n, int *restrict v, int *restrict w) { for (int i = 0; i < n; i++) w[i] = next(v, i); }";
    let b = "static int abs(int *v) { return ++*v; } int next(int *v, int i) { return i + abs(v); }";
    assert_eq!(kind(a, b), Kind::Sequential);
    let b = "static int twice(int *v) { return 2 * *v; } int next(int *v, int i) { return i + twice(v); }";
    assert_eq!(kind(a, b), Kind::Parallel);
}

/// A parameter is a new variable in each call, also where it is not known what its members hold.
#[test]
fn structures_with_unions_hold_what_is_not_known() {
    let a = "struct one { union { double *to; long bits; } of; };
        static void set(struct one s, int i) { s.of.to[i] = i; }
        void kernel(int n, double *restrict b)
        {
            for (int r = 0; r < n; r++) { struct one s = {{b + r}}; set(s, r); }
        }";
    assert_eq!(kind(a, ""), Kind::Unknown);
    let a = a.replace(
        "union { double *to; long bits; } of",
        "struct { double *to; long bits; } of",
    );
    assert_eq!(kind(&a, ""), Kind::Parallel);
}

/// The linker may take another definition of a weak function, also where only its own file calls it.
#[test]
fn weak_functions_are_not_walked_into() {
    let a = "int next(int i); int v[100];
        void kernel(int n) { for (int i = 1; i < n; i++) v[i] = next(i); }";
    let b =
        |weak: &str| format!("{weak} int hook(int i) {{ return i; }} int next(int i) {{ return hook(i); }}");
    let c = "extern int v[100]; int hook(int i) { return v[i - 1] + 1; }";
    let weak = b("__attribute__((weak))");
    let said = verdict_walked(&[("a.c", a), ("b.c", &weak), ("c.c", c)]);
    assert_eq!(said.kind, Kind::Unknown);
    assert_eq!(kind(a, &weak), Kind::Unknown);
    assert_eq!(kind(a, &b("")), Kind::Parallel);
}

/// All that is walked into is compiled with the flags of the file.
#[test]
fn files_with_other_flags_are_not_walked_into() {
    let a = format!(
        "{STRIP}void set(struct strip *s, int i);
        void kernel(int n, double *restrict b) {{ struct strip s = {{n, 0, b}}; for (int i = 0; i < n; i++) set(&s, i); }}"
    );
    let b =
        format!("{STRIP}void put(struct strip *s, int i); void set(struct strip *s, int i) {{ put(s, i); }}");
    let c = format!("{STRIP}void put(struct strip *s, int i) {{ s->to[i] = i; }}");
    let of = |name: &str| verdict_walked(&[("a.c", &a), ("b.c", &b), (name, &c)]).kind;
    assert_eq!(of("c.c"), Kind::Parallel);
    assert_eq!(of("wrapping.c"), Kind::Unknown);
}

/// No name leads to a string, and a constant that holds a number is that number, also where the calling file calls something else so.
#[test]
fn strings_and_constants_are_no_variables_of_a_file() {
    let a = |bound: &str| {
        format!(
            "{STRIP}void put(struct strip *s, int i, const char *why); enum {{ width = 3 }};
            void kernel(int n, double *restrict b)
            {{ for (int i = 0; i < n; i++) {{ struct strip s = {{n, 0, b + {bound} * i}}; put(&s, i, \"the caller's\"); }} }}"
        )
    };
    let put = |declared: &str| {
        format!(
            "{STRIP}#include <string.h>
            {declared};
            void put(struct strip *s, int i, const char *why)
            {{ for (int k = 0; k < width; k++) s->to[k] = s->n > 0 ? i : strlen(\"too few\") + strlen(why); }}"
        )
    };
    let constant = put("static const int width = 8");
    assert_eq!(kind(&a("8"), &constant), Kind::Parallel);
    assert_eq!(kind(&a("0"), &constant), Kind::Sequential);
    assert_eq!(kind(&a("width"), &constant), Kind::Unknown);
    // Files may change it, or not know it.
    for declared in [
        "static int width = 8; void widen(void) { width++; }",
        "static const volatile int width = 8",
        "extern const int width",
        "static const int width[1] = {8}; \n#define width width[0]\n",
    ] {
        assert_eq!(kind(&a("8"), &put(declared)), Kind::Unknown, "{declared}");
    }
}
