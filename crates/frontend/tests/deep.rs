//! Do programs that nest very deeply come through? Generators write such C: long sums, chains of `else if`, huge functions.

use ferry_frontend::clang::{TranslationUnit, on_large_stack};
use ferry_frontend::lower::{self, probe::NoPragmas};
use ferry_ir::Unit;
use ferry_source::Sources;
use std::path::PathBuf;

fn statements(text: String) -> u32 {
    let path = PathBuf::from("/nowhere/deep.c");
    on_large_stack(|| {
        let text = text.into_bytes();
        let tu = TranslationUnit::parse(&path, &[], &[(path.clone(), text.clone())]).unwrap();
        let mut sources = Sources::new();
        let main = sources.insert(&path, text);
        let unit: Unit = lower::unit(&tu, &mut sources, main, &NoPragmas);
        unit.functions[0].statements
    })
    .unwrap()
}

#[test]
fn a_hundred_thousand_terms() {
    let sum = vec!["x"; 100_000].join(" + ");
    assert_eq!(statements(format!("int f(int x) {{ return {sum}; }}")), 2);
}

#[test]
fn thousands_of_else_ifs() {
    // libclang itself takes the square of the length: 20,000 links are 10 seconds.
    let links: Vec<String> = (0..4000)
        .map(|number| format!("if (x == {number}) r = {number};"))
        .collect();
    let chain = links.join(" else ");
    assert_eq!(
        statements(format!("int f(int x) {{ int r = 0; {chain} return r; }}")),
        5 + 2 * 4000
    );
}

#[test]
fn a_long_function() {
    let lines = "a[x] += a[x + 1] * x;\n".repeat(20_000);
    assert_eq!(statements(format!("void f(int *a, int x) {{ {lines} }}")), 20_001);
}
