//! Is a text taken for the exchanged program only if it is that program?

use ferry_analysis::effects::Effects;
use ferry_analysis::verdict::analyse;
use ferry_frontend::{Job, Options, load};
use ferry_ir::{FunctionRef, Stmt, StmtKind, Unit};
use ferry_source::Sources;
use ferry_transform::kernel::Context;
use ferry_transform::reshape::{Legality, Nest, exchange, is_intended};
use std::path::Path;

fn read(text: &str) -> (Sources, Unit) {
    let mut sources = Sources::new();
    let path = Path::new("/given/a.c");
    sources.insert(path, text.as_bytes().to_vec());
    let options = Options {
        threads: 1,
        ..Options::default()
    };
    let loaded = load(&mut sources, &[Job::new(path, &[])], &options)
        .units
        .pop()
        .unwrap();
    (sources, loaded.unit.unwrap())
}

fn first_loop(stmt: &Stmt) -> Option<&Stmt> {
    let mut found = None;
    stmt.walk(&mut |inner| {
        if found.is_none() && matches!(inner.kind, StmtKind::Loop(_)) {
            found = Some(inner);
        }
    });
    found
}

#[test]
fn only_the_exchanged_program_is_the_intended_one() {
    let old_text = "int a[9][9]; void f(int n, int m) { for (int i = 0; i < n; i++) { for (int j = 1; j < m; j++) { a[j][i] = i; } } }";
    let (sources, old) = read(old_text);
    let function = FunctionRef(old.functions.iter().position(|one| one.name == "f").unwrap() as u32);
    let effects = Effects::of_unit(&old);
    let facts = analyse(&old, function, &effects);
    let context = Context {
        unit: &old,
        function: old.function(function),
        facts: &facts,
    };
    let body = old.function(function).body.as_ref().unwrap();
    let nest = Nest::of(context, first_loop(body).unwrap());
    let mut order = nest.indices();
    assert_eq!(order.len(), 2);
    order.reverse();
    let exchange = exchange(&old, function, &nest, &order, &sources).unwrap();
    let new_text = exchange.edits.apply(old.file, sources.bytes(old.file)).unwrap();
    let new_text = String::from_utf8(new_text).unwrap();
    assert_eq!(
        new_text,
        "int a[9][9]; void f(int n, int m) { for (int j = 1; j < m; j++) { for (int i = 0; i < n; i++) { a[j][i] = i; } } }"
    );
    let is_it = |text: &str| is_intended(&old, &read(text).1, std::slice::from_ref(&exchange)).is_ok();
    assert!(is_it(&new_text));
    assert!(!is_it(old_text), "the loops stand as before");
    assert!(!is_it(&new_text.replace("j = 1", "j = 0")), "another first value");
    assert!(!is_it(&new_text.replace("i < n", "i < m")), "another bound");
    assert!(
        !is_it(&new_text.replace("a[j][i] = i", "a[i][j] = i")),
        "another body"
    );
    assert!(
        !is_it(&new_text.replace("a[j][i] = i;", "a[j][i] = i; m--;")),
        "a statement more"
    );
}

/// The sums of a section are one order of operations: another one is another program.
#[test]
fn loops_that_update_a_section_keep_their_dependences() {
    let text = "void f(int n, int m, double (*restrict a)[60], double *restrict y) {
        for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) { y[j] += a[i][j]; } } }";
    let (_, unit) = read(text);
    let function = FunctionRef(unit.functions.iter().position(|one| one.name == "f").unwrap() as u32);
    let effects = Effects::of_unit(&unit);
    let facts = analyse(&unit, function, &effects);
    assert_eq!(facts.verdicts[0].sections.len(), 1);
    let context = Context {
        unit: &unit,
        function: unit.function(function),
        facts: &facts,
    };
    let body = unit.function(function).body.as_ref().unwrap();
    let nest = Nest::of(context, first_loop(body).unwrap());
    let legality = Legality::of(context, &nest);
    let proved = |order: &[usize], together| legality.prove(context, &nest, order, together).is_ok();
    assert!(!proved(&[0, 1], 1), "the outer loop's iterations meet");
    assert!(!proved(&[0, 1], 2), "the outer loop's iterations meet");
    assert!(proved(&[1, 0], 1), "each sum is made by one iteration, in order");
    assert!(!proved(&[1, 0], 2), "the inner loop's iterations meet");
}
