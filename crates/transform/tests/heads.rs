//! Which sums is a program known to compute at a statement?

use crate::common::parse;
use ferry_ir::{LocalId, StmtKind, VariableRef};
use ferry_source::Sources;
use ferry_symbolic::{Expr, Symbol};
use ferry_transform::heads::computed;
use std::collections::{BTreeMap, BTreeSet};

/// What is computed where the first loop of the function begins: for each pair of parameters whose sum it is, their names.
fn sums(parameters: &str, body: &str) -> Vec<String> {
    let text = format!("void g(void);\nvoid f({parameters}) {{\n{body}\n}}\n");
    let mut sources = Sources::new();
    let (unit, _) = parse(&mut sources, text.as_bytes(), "heads");
    let function = unit
        .functions
        .iter()
        .find(|function| function.name == "f")
        .unwrap();
    let body = function.body.as_ref().unwrap();
    let mut first = None;
    body.walk(&mut |stmt| {
        if matches!(stmt.kind, StmtKind::Loop(_)) {
            first.get_or_insert(stmt.id);
        }
    });
    let values: BTreeMap<VariableRef, Expr> = (0..function.locals.len() as u32)
        .map(|local| (VariableRef::Local(LocalId(local)), Expr::symbol(Symbol(local))))
        .collect();
    let conditions = computed(&unit, body, first.unwrap(), &values);
    let names = |symbols: BTreeSet<Symbol>| {
        let names = symbols
            .iter()
            .map(|symbol| function.locals[symbol.0 as usize].name.as_str());
        names.collect::<Vec<&str>>().join(" ")
    };
    let found: BTreeSet<String> = conditions.iter().map(|one| names(one.symbols())).collect();
    found.into_iter().collect()
}

#[test]
fn what_tests_compute_first_is_known() {
    let all = "int n, int m, int k, int *a";
    assert_eq!(sums(all, "for (int i = 0; i < n + m; i++) a[i] = 0;"), ["n m"]);
    assert_eq!(
        sums(
            all,
            "for (int i = 0; i < n + m; i++) a[i] = 0; for (int i = k - n; i < n * k; i++) a[i] = 0;"
        ),
        ["n k", "n m"]
    );
    // Only where the first operand does not decide.
    assert_eq!(
        sums(all, "for (int i = 0; i < k && n + m; i++) a[i] = 0;"),
        [""; 0]
    );
    // In types that have no end, or whose end is no error.
    assert_eq!(
        sums(
            "unsigned n, unsigned m, int *a",
            "for (unsigned i = 0; i < n + m; i++) a[i] = 0;"
        ),
        [""; 0]
    );
}

/// A sum in a signed type of what may have wrapped around.
#[test]
fn what_wraps_around_is_no_sum() {
    let parameters = "unsigned n, unsigned m, long k, int *a";
    let body = "for (long i = 0; i < (long)(n + m) + k; i++) a[i] = 0;";
    assert_eq!(sums(parameters, body), [""; 0]);
}

#[test]
fn what_may_not_be_reached_is_not() {
    let all = "int n, int m, int k, int *a";
    for between in ["g();", "if (k) return;", "if (k) n = 1;"] {
        let body = format!(
            "for (int i = 0; i < k; i++) a[i] = 0; {between} for (int i = 0; i < n + m; i++) a[i] = 0;"
        );
        assert_eq!(sums(all, &body), [""; 0], "{between}");
    }
    let left = "for (int i = 0; i < k; i++) if (a[i]) return; for (int i = 0; i < n + m; i++) a[i] = 0;";
    assert_eq!(sums(all, left), [""; 0]);
}

#[test]
fn what_is_made_of_changed_variables_is_not() {
    let all = "int n, int m, int k, int *a";
    for change in ["n = 3;", "for (n = 0; n < 4; n++) ;"] {
        let body = format!(
            "for (int i = 0; i < k; i++) a[i] = 0; {change} for (int i = 0; i < n + m; i++) a[i] = 0;"
        );
        assert_eq!(sums(all, &body), [""; 0], "{change}");
    }
    assert_eq!(sums(all, "for (k = 0; k + n < m; k++) a[k] = 0;"), [""; 0]);
    assert_eq!(sums(all, "do { n = a[k++]; } while (n + m > 3);"), [""; 0]);
    assert_eq!(
        sums(all, "for (int i = 0; i < n + m; i++) { m = 3; a[i] = n; }"),
        ["n m"]
    );
}
