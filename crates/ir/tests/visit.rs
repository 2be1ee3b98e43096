//! The walks over a program: what is touched, in which order, under which conditions.

use ferry_ir::visit::{
    Statements, all_accesses, assigned_variables, calls, directive_expressions, expression_variables,
    mentioned_variables, statement_accesses,
};
use ferry_ir::{
    Function, PrintOptions, Stmt, StmtId, StmtKind, Unit, VariableRef, parse_unit, print_expression,
    print_place,
};
use std::collections::BTreeSet;

fn unit(body: &str) -> Unit {
    let text = format!(
        "unit 0
        record struct s size 8 align 4 {{ x: i32 at 0; y: i32 at 32; }}
        global g: i32 external;
        function callee: fn<i32(i32, i32*)> external {{}}
        function f: fn<void(i32, i32*)> external {{
            parameter n: i32;
            parameter p: i32*;
            local i: i32;
            local j: i32 address_taken;
            local a: i32[10];
            local r: struct s;
            local h: fn<i32(i32, i32*)>*;
            label L;
            body {{ {body} }}
        }}"
    );
    parse_unit(&text).unwrap_or_else(|error| panic!("{error}: {}", &text[error.offset..]))
}

fn body(unit: &Unit) -> &Stmt {
    unit.functions[1].body.as_ref().unwrap()
}

/// The accesses as text: kind, place, and guards.
fn accesses(text: &str) -> Vec<String> {
    let unit = unit(text);
    let function = Some(&unit.functions[1]);
    let mut found = Vec::new();
    let options = PrintOptions::default();
    all_accesses(body(&unit), &mut |_, place, kind, guards| {
        let mut line = format!("{kind:?} {}", print_place(&unit, function, place, options));
        for guard in guards {
            let condition = print_expression(&unit, function, guard.condition, options);
            line += &format!(" {} {condition}", if guard.holds { "if" } else { "unless" });
        }
        found.push(line);
    });
    found
}

#[test]
fn the_value_comes_before_the_place() {
    assert_eq!(
        accesses("a[i] = *p + @g;"),
        ["Load p", "Load *p", "Load @g", "Load i", "Store a[i]"]
    );
    assert_eq!(
        accesses("p[i] = n;"),
        ["Load n", "Load p", "Load i", "Store p[i]"]
    );
    assert_eq!(accesses("zero a[i];"), ["Load i", "Zero a[i]"]);
}

#[test]
fn calls_compute_callee_arguments_and_then_the_place_of_the_result() {
    assert_eq!(
        accesses("a[i] = call *(h)(n, &j);"),
        ["Load h", "Load n", "Address j", "Load i", "Store a[i]"]
    );
    assert_eq!(
        accesses("call callee(r.y, &a[n]);"),
        ["Load r.y", "Load n", "Address a[n]"]
    );
}

#[test]
fn lazy_parts_are_guarded() {
    assert_eq!(
        accesses("i = n && (j || a[0]) ? @g : r.x;"),
        [
            "Load n",
            "Load j if n",
            "Load a[0] if n unless j",
            "Load @g if n && (j || a[0])",
            "Load r.x unless n && (j || a[0])",
            "Store i",
        ]
    );
    // A guard does not reach beyond its operand.
    assert_eq!(
        accesses("i = (n || j) + @g;"),
        ["Load n", "Load j unless n", "Load @g", "Store i"]
    );
}

#[test]
fn each_statement_has_its_own_accesses() {
    assert_eq!(
        accesses("for (i = 0; i < n; i = i + 1) if (j) a[i] = 1; else return;"),
        [
            "Load i",
            "Load n",
            "Store i",
            "Load j",
            "Load i",
            "Store a[i]",
            "Load i",
            "Store i"
        ]
    );
    assert_eq!(
        accesses("do { i = 1; } while ({ j = n; } j);"),
        ["Load j", "Store i", "Load n", "Store j"]
    );
    assert_eq!(
        accesses("switch (n) { case 1: break; default: goto L; } label L; declare i;"),
        ["Load n"]
    );
    assert_eq!(
        accesses("directive omp \"for\" \"if\"(n) : i = j;"),
        ["Load j", "Store i"]
    );
}

#[test]
fn what_is_opaque_may_touch_what_it_mentions() {
    assert_eq!(
        accesses("i = n + opaque<i32>(\"?\", a[j], &r.x);"),
        ["Load n", "MayRead j", "MayRead a[j]", "MayRead r.x", "Store i"]
    );
    assert_eq!(
        accesses("opaque \"asm\" (a[j], opaque<i32>(\"?\", n));"),
        ["MayTouch j", "MayTouch a[j]", "MayTouch n"]
    );
}

fn names(function: &Function, variables: &BTreeSet<VariableRef>) -> String {
    let name = |variable: &VariableRef| match variable {
        VariableRef::Local(local) => function.local(*local).name.clone(),
        VariableRef::Global(_) => "@g".to_owned(),
    };
    variables.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn assigned_and_mentioned_variables() {
    let unit = unit(
        "{ declare i; a[n] = *p; r.x = 1; @g = 2; *p = 3; j = call callee(1, null(i32*)); } \
         directive omp \"for\" \"private\"(object h) : empty;",
    );
    let function = &unit.functions[1];
    assert_eq!(names(function, &assigned_variables(body(&unit))), "@g i j a r");
    assert_eq!(
        names(function, &mentioned_variables(body(&unit))),
        "@g n p i j a r h"
    );
    let other = self::unit("opaque \"asm\" (i, p[j]); *p = i;");
    assert_eq!(names(function, &assigned_variables(body(&other))), "p i j");
    let last = self::unit("i = n ? &j == p : a[2];");
    let mut found = BTreeSet::new();
    let StmtKind::Block { body, .. } = &body(&last).kind else {
        panic!()
    };
    body[0].for_each_expression(&mut |expr| expression_variables(expr, &mut found));
    assert_eq!(names(function, &found), "n p j a");
}

#[test]
fn calls_and_statements_by_number() {
    let unit = unit(
        "[5] while ({ [6] i = call callee(n, p); } i) [7] { [8] for (; n; [9] call callee(1, p)) [10] call *(h)(2, p); }",
    );
    let found: Vec<u32> = calls(body(&unit))
        .iter()
        .map(|call| call.statement.id.0)
        .collect();
    assert_eq!(found, [6, 10, 9]);
    assert_eq!(calls(body(&unit))[1].arguments[0].as_int(), Some(2));
    let statements = Statements::of(&unit.functions[1]);
    assert_eq!(statements.get(StmtId(8)).unwrap().id, StmtId(8));
    assert!(statements.get(StmtId(77)).is_none());
    assert_eq!(statements.parent(StmtId(0)), None);
    assert_eq!(
        statements.ancestors(StmtId(9)).collect::<Vec<_>>(),
        [8, 7, 5, 0].map(StmtId)
    );
    assert_eq!(
        statements
            .loops_around(StmtId(10))
            .map(|(id, _)| id.0)
            .collect::<Vec<_>>(),
        [8, 5]
    );
    assert!(statements.contains(StmtId(5), StmtId(10)) && statements.contains(StmtId(5), StmtId(5)));
    assert!(!statements.contains(StmtId(8), StmtId(6)));
}

#[test]
fn clause_expressions_come_in_order() {
    let unit = unit(
        "directive omp \"x\"(1) \"a\"(\"w\", \"k\" = 2, iterator (\"i\" = 3 : 4 : 5), 6; object {7} p {8} {9 : 10 : 11}, 12, \"v\" = 13, \"u\" = none; 14);",
    );
    let StmtKind::Block { body, .. } = &body(&unit).kind else {
        panic!()
    };
    let StmtKind::Directive { directive, .. } = &body[0].kind else {
        panic!()
    };
    let mut found = Vec::new();
    directive_expressions(directive, &mut |expr| found.push(expr.as_int().unwrap_or(0)));
    assert_eq!(found, [1, 2, 3, 4, 5, 6, 7, 0, 8, 9, 10, 11, 12, 13, 14]);
}

#[test]
fn a_statement_alone_has_no_accesses_of_its_parts() {
    let unit = unit("{ i = 1; }");
    let mut count = 0;
    statement_accesses(body(&unit), &mut |_, _, _| count += 1);
    assert_eq!(count, 0);
}
