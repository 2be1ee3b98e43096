//! How data behind members of structures are mapped, and why they are not.

use crate::common;

use common::{OPENACC, PLAIN, added, annotated, reasons};

const TYPES: &str = "#include <stdint.h>\ntypedef struct { double *data; int n; double *aux; } series;\n";

fn text(parameters: &str, body: &str) -> String {
    format!("{TYPES}void f({parameters}) {{\n{body}}}\n")
}

fn clauses(text: &str, wish: common::Wish) -> String {
    let lines = added(text, wish);
    let pragmas = lines.iter().filter(|line| line.starts_with("#pragma"));
    let found: Vec<&str> = pragmas.map(String::as_str).collect();
    match found.is_empty() {
        true => format!("nothing is written: {}", reasons(text, wish)),
        false => found.join("\n"),
    }
}

fn stays(text: &str, why: &str) {
    assert_eq!(annotated(text), text);
    let said = reasons(text, PLAIN);
    assert!(said.contains(why), "{said}");
}

const ADD: &str = "    for (int i = 0; i < n; i++)\n        c->data[i] = a[i] + 1;\n";

#[test]
fn a_structure_is_mapped_with_what_its_member_points_to() {
    let text = text("series *c, const double *restrict a, int n", ADD);
    assert_eq!(
        clauses(&text, PLAIN),
        "#pragma omp target teams distribute parallel for map(to: c[0:1], a[0:n]) map(from: c->data[0:n])"
    );
    assert_eq!(
        clauses(&text, OPENACC),
        "#pragma acc parallel loop copyin(c[0:1], a[0:n]) copyout(c->data[0:n])"
    );
}

/// The member is read where the program reads it only: where the loop runs, the first part of the condition.
#[test]
fn the_pointer_is_read_only_where_the_loop_runs() {
    let text = text("series *c, const double *restrict a, int n", ADD);
    let lines = added(&text, PLAIN);
    let condition = lines.iter().find(|line| line.starts_with("if (")).unwrap();
    assert_eq!(condition, "if ((n > 0)");
    let first = lines.iter().position(|line| line.contains("c->data"));
    assert!(
        first > lines.iter().position(|line| line == condition),
        "{lines:?}"
    );
}

#[test]
fn a_structure_variable_keeps_its_data_on_the_device() {
    let body = "    for (int i = 0; i < n; i++)\n        s.data[i] = i;\n    for (int i = 0; i < n; i++)\n        s.aux[i] = s.data[i] * s.n;\n";
    let text = text("series s, int n", body);
    let said = clauses(&text, PLAIN);
    assert!(
        said.starts_with(
            "#pragma omp target data map(to: s) map(from: s.data[0:s_data_length], s.aux[0:s_data_length])\n"
        ),
        "{said}"
    );
    assert!(clauses(&text, OPENACC).contains("gcc 12 does not accept"));
}

/// gcc 12 dies of `target data` with `c->data`: each kernel has its own data.
#[test]
fn data_behind_a_pointer_are_not_shared_by_kernels() {
    let text = text("series *c, const double *restrict a, int n", &ADD.repeat(2));
    let said = clauses(&text, PLAIN);
    assert_eq!(said.matches("target teams").count(), 2, "{said}");
    assert!(!said.contains("target data"), "{said}");
}

#[test]
fn a_pointer_that_the_loop_may_not_read_stays() {
    let body = "    for (int i = 0; i < n; i++)\n        if (a[i] > 0)\n            c->data[i] = 1;\n";
    stays(
        &text("series *c, const double *restrict a, int n", body),
        "read under a condition",
    );
}

/// The device would follow the host's address in the structure.
#[test]
fn storage_with_two_names_stays() {
    let why = "reached through a pointer variable and through a pointer in memory";
    let stored = format!("    c->data = q;\n{}", ADD.replace("= a[i]", "= q[i]"));
    stays(&text("series *c, double *q, int n", &stored), why);
    let before = format!("    double *q = c->data;\n{}", ADD.replace("= a[i]", "= q[i]"));
    stays(&text("series *c, int n", &before), why);
}

#[test]
fn what_compilers_do_not_attach_stays() {
    let element = "    for (int i = 0; i < n; i++)\n        c[1].data[i] = 1;\n";
    stays(
        &text("series *c, int n", element),
        "of a member, of a union, or of an array",
    );
    let varying = "    for (int i = 0; i < n; i++)\n        c[k].data[i] = 1;\n";
    stays(&text("series *c, int k, int n", varying), "found in an array");
    let first = "    for (int i = 0; i < n; i++)\n        c[0].data[i] = c[1].n;\n";
    stays(&text("series *c, int n", first), "one of several");
    let rows = "    for (int i = 0; i < n; i++)\n        c[i].data[0] = 1;\n";
    stays(&text("series *restrict c, int n", rows), "it is not parallel");
    let global = "series *g;\nvoid f(int n) {\n    for (int i = 0; i < n; i++)\n        g->data[i] = 1;\n}\n";
    stays(&format!("{TYPES}{global}"), "a global pointer");
    let levels = "struct outer { series in; series *to; };\nvoid f(struct outer *o, int n) {\n    for (int i = 0; i < n; i++)\n        o->M[i] = 1;\n}\n";
    let levels = format!("{TYPES}{levels}");
    stays(&levels.replace('M', "in.data"), "a member of a member");
    stays(&levels.replace('M', "to->data"), "to which no variable points");
    let one = "union one { double *data; long n; };\nvoid f(union one *u, int n) {\n    for (int i = 0; i < n; i++)\n        u->data[i] = 1;\n}\n";
    stays(one, "of a union");
}

/// A pointer that is set on the device is no value.
#[test]
fn addresses_of_nested_data_are_no_values() {
    let body =
        "    for (int i = 0; i < n; i++) {\n        c->data[i] = 1;\n        p[i] = c->data + i;\n    }\n";
    stays(
        &text("series *restrict c, double **restrict p, int n", body),
        "uses addresses as values",
    );
}

/// Characters may be part of any object, the pointer too.
#[test]
fn a_pointer_that_a_store_may_change_stays() {
    let body = "    for (int i = 0; i < n; i++)\n        c->text[i] = 'a';\n";
    let text =
        format!("typedef struct {{ char *text; int n; }} line;\nvoid f(line *c, int n) {{\n{body}}}\n");
    stays(&text, "it is not parallel");
}

#[test]
fn a_pointer_that_the_function_sets_is_what_it_was_set_to() {
    let body = "    c->data = q + 1;\n    for (int i = 0; i < n; i++)\n        c->data[i] += c->n;\n";
    let said = added(&text("series *c, double *q, int n", body), PLAIN).join("\n");
    assert!(
        said.contains("map(to: c[0:1]) map(tofrom: c->data[0:n])"),
        "{said}"
    );
}
