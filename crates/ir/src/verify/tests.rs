//! Each rule has a broken program, and that program breaks no other rule.

use super::*;
use crate::{ExprKind, LabelId, Place};
use crate::{
    FunctionRef, GlobalId, Length, PlaceBase, Projection, RecordId, StmtKind, VariableRef, parse_unit,
};

const PROGRAM: &str = "unit 0
record struct s size 16 align 8 {
    x: i32 at 0;
    b: u32 at 32 width 3;
    v: i32 at 64 volatile;
    m: i16[2] at 96;
}
record struct unknown incomplete {}
global g: i32 external;
global w: i32 external volatile;
global u: struct unknown external undefined;
global o: i32[2] external volatile { @o = opaque<i32[2]>(\"?\"); @o[1] = opaque<i32>(\"?\"); @o[0] = 1; }
global z: i32[2] external { @z[1] = 5; }
function callee: fn<i32(i32)> external {}
function variadic: fn<i32(i8*, ...)> external {}
function nothing: fn<void()> external {}
function f: fn<i32(i32, f64*)> external {
    parameter n: i32;
    parameter p: f64*;
    local i: i32;
    local d: f64;
    local h: f32;
    local r: struct s address_taken;
    local a: i32[10];
    local q: i32*;
    local c: i8;
    local l: i64;
    local k: u64;
    local t: bool;
    local y: f64[%e];
    temporary %t: i32;
    temporary %u: i32;
    extent %e: i64;
    label L;
    body {
        %e = (i64)n;
        declare y;
        declare i; declare d; declare h; declare r; declare a; declare q; declare c; declare l; declare k; declare t;
        BODY
        return 0;
    }
}
";

fn unit_with(body: &str) -> Unit {
    let text = PROGRAM.replace("BODY", body);
    parse_unit(&text).unwrap_or_else(|error| panic!("{error}: {}", &text[error.offset..]))
}

fn rules(unit: &Unit) -> Vec<Rule> {
    let mut rules: Vec<Rule> = verify_unit(unit).iter().map(|violation| violation.rule).collect();
    rules.dedup();
    rules
}

#[test]
fn right_statements_are_accepted() {
    for body in [
        "i = n + 1; d = p[i] * 2.0; h = (f32)d; l = (i64)i; k = 18446744073709551615u64; t = 1bool;",
        "r.x = 1; volatile(r.v) = 2; r.b = 3u32; i = (i32)r.m[1]; r = r; zero r; zero a;",
        "q = &r.x + (i64)i; i = *q + q[3] + a[i]; l = q - q; t = (bool)(q == null(i32*));",
        "q = &r.x; i = !q; i = q && t || d; i = t ? 1 : 2; i = i << l; i = (i32)c % 3;",
        "i = call callee(i); call variadic(null(i8*), i, d, q); call nothing(); call *(&fn nothing)();",
        "while ({ %t = call callee(n); } %t != 0) i = 1; if (d) empty; else break_out = 1;",
        "switch (c) { case -128: case 127: break; default: i = 1; } goto L; label L;",
        "if (n) %t = 1; else %t = 2; i = %t; y[3] = 1.0; volatile(@w) = @g; @z[0] = 1;",
        "opaque \"asm\" (a, &r, opaque<struct s>(\"?\")) escapes; directive omp \"x\" \"map\"(object a, &y[0]);",
        "l = 9223372036854775807i64; if (n) return 1; else %u = 3; %t = %u; i = %t; do i = i - 1; while (i);",
    ] {
        let body = body.replace("break_out", "i");
        let violations = verify_unit(&unit_with(&body));
        assert!(violations.is_empty(), "{body}: {}", violations[0]);
    }
}

#[test]
fn broken_statements_are_found() {
    for (rule, body) in [
        (Rule::PlaceType, "i!i64 = 1i64;"),
        (Rule::Volatile, "@w = 1;"),
        (Rule::Volatile, "i = r.v;"),
        (Rule::Address, "q = &i;"),
        (Rule::Address, "q = &a[0];"),
        (Rule::Address, "%t = 1; q = &%t;"),
        (Rule::Address, "call variadic(null(i8*), &r.b);"),
        (Rule::ExpressionType, "l = (i + 1 : i64);"),
        (Rule::ExpressionType, "q = (&r.m[0] : i32*);"),
        (Rule::ExpressionType, "l = (i : i64);"),
        (Rule::Constant, "c = 128i8;"),
        (Rule::Constant, "c = -129i8;"),
        (Rule::Constant, "k = -1u64;"),
        (Rule::Constant, "k = 18446744073709551616u64;"),
        (Rule::Constant, "l = 9223372036854775808i64;"),
        (Rule::Constant, "q = const(i32*, 18446744073709551616);"),
        (Rule::Constant, "t = 2bool;"),
        (Rule::Constant, "h = 0.1f32;"),
        (Rule::Constant, "d = const(f64, 1);"),
        (Rule::Operand, "d = ~d;"),
        (Rule::Operand, "d = d % d;"),
        (Rule::Operand, "c = c + c;"),
        (Rule::Operand, "t = -t;"),
        (Rule::Operand, "q = q + d;"),
        (Rule::Operand, "i = a[d];"),
        (Rule::Operand, "i = q < i;"),
        (Rule::Operand, "i = !r;"),
        (Rule::Operand, "call variadic((i8*)(&@u + 1));"),
        (Rule::OperandsDiffer, "i = i + l;"),
        (Rule::OperandsDiffer, "i = i < k;"),
        (Rule::OperandsDiffer, "i = n ? i : l;"),
        (Rule::Cast, "q = (i32*)d;"),
        (Rule::Cast, "d = (f64)q;"),
        (Rule::Value, "a = a;"),
        (Rule::Value, "i = a;"),
        (Rule::Condition, "if (r) i = 1;"),
        (Rule::Condition, "while (r) i = 1;"),
        (Rule::Condition, "switch (d) { }"),
        (Rule::Condition, "i = r ? 1 : 2;"),
        (Rule::Assignment, "i = 1i64;"),
        (Rule::Assignment, "d = 1;"),
        (Rule::Call, "l = call callee(i);"),
        (Rule::Call, "i = call callee(l);"),
        (Rule::Call, "i = call callee();"),
        (Rule::Call, "i = call callee(1, 2);"),
        (Rule::Call, "call variadic(null(i8*), h);"),
        (Rule::Call, "call variadic(null(i8*), c);"),
        (Rule::Call, "i = call nothing();"),
        (Rule::Call, "call *(q)();"),
        (Rule::Return, "return 1i64;"),
        (Rule::Number, "[5] i = 1; [5] i = 2;"),
        (Rule::Label, "goto L;"),
        (Rule::Label, "label L; label L;"),
        (Rule::Case, "case 1:"),
        (Rule::Case, "default:"),
        (Rule::Case, "switch (n) { default: default: }"),
        (Rule::Case, "switch (n) { case 5 ... 4: }"),
        (Rule::Case, "switch (c) { case 200: }"),
        (Rule::Case, "switch (n) { case 1: case 0 ... 3: }"),
        (Rule::Case, "switch (n) { case 1: case 1: }"),
        (Rule::Case, "switch (n) { case 1 ... 3: case 3: }"),
        (Rule::Jump, "break;"),
        (Rule::Jump, "switch (n) { continue; }"),
        (Rule::Jump, "while ({ break; } n) i = 1;"),
        (Rule::Jump, "for (; n; return 1) i = 1;"),
        (Rule::Declaration, "declare i;"),
        (Rule::Declaration, "declare n;"),
        (Rule::Temporary, "i = %t;"),
        (Rule::Temporary, "if (n) %t = 1; i = %t;"),
        (Rule::Temporary, "if (n) empty; else %t = 1; i = %t;"),
        (Rule::Temporary, "if (n) %u = 1; else %t = 1; i = %t;"),
        (Rule::Temporary, "while (n) %t = 1; i = %t;"),
        (Rule::Temporary, "switch (n) { default: %t = 1; } i = %t;"),
        (Rule::Temporary, "%t = 1; %t = 2;"),
        (Rule::Temporary, "%t = 1; if (n) %t = 2;"),
        (Rule::Temporary, "%e = 3i64;"),
    ] {
        let unit = unit_with(body);
        let found: Vec<String> = verify_unit(&unit).iter().map(ToString::to_string).collect();
        assert!(
            rules(&unit).contains(&rule),
            "{body} should break {rule:?}, but: {found:#?}"
        );
        assert!(
            verify_unit(&unit).iter().all(|v| v.function == "f"),
            "{body}: {found:#?}"
        );
        // One mistake is not shown as many.
        let consequences = [
            Rule::ExpressionType,
            Rule::Assignment,
            Rule::Operand,
            Rule::OperandsDiffer,
            Rule::Value,
        ];
        let others = rules(&unit)
            .into_iter()
            .filter(|other| *other != rule && !consequences.contains(other))
            .count();
        assert_eq!(others, 0, "{body}: {found:#?}");
    }
}

#[test]
fn broken_declarations_are_found() {
    for (rule, from, to) in [
        (Rule::ExtentLength, "local y: f64[%e]", "local y: f64[n]"),
        (Rule::ExtentLength, "extent %e: i64", "extent %e: i32"),
        (Rule::Temporary, "        %e = (i64)n;\n", ""),
        (Rule::Signature, "fn<i32(i32, f64*)>", "fn<i32(i32)>"),
        (Rule::Signature, "fn<i32(i32, f64*)>", "fn<i32(i32, f32*)>"),
        (
            Rule::Signature,
            "function f: fn<i32(i32, f64*)>",
            "function f: i32",
        ),
        (Rule::Signature, "parameter p: f64*", "local p: f64*"),
        (Rule::VariableType, "local i: i32", "local i: void"),
        (Rule::VariableType, "global g: i32", "global g: fn<void()>"),
        (Rule::Declaration, "declare i;", ""),
        (
            Rule::Address,
            "temporary %t: i32",
            "temporary %t: i32 address_taken",
        ),
        (Rule::InitialValue, "@z[1] = 5", "@z[1] = @g"),
        (Rule::InitialValue, "@z[1] = 5", "@g = 5"),
        (Rule::Assignment, "@z[1] = 5", "@z[1] = 5i64"),
        (Rule::TypeForm, "local i: i32", "local i: int(24, 1)"),
        (Rule::TypeForm, "local d: f64", "local d: real(11)"),
        (Rule::TypeForm, "local q: i32*", "local q: void[2]*"),
        (Rule::TypeForm, "local q: i32*", "local q: fn<void(void)>*"),
        (Rule::TypeForm, "local q: i32*", "local q: fn<i32[2]()>*"),
        (Rule::RecordLayout, "m: i16[2] at 96", "m: i16[2] at 112"),
        (Rule::RecordLayout, "x: i32 at 0", "x: i32 at 3"),
        (Rule::RecordLayout, "x: i32 at 0", "x: void at 0"),
        (Rule::RecordLayout, "width 3", "width 33"),
        (Rule::RecordLayout, "b: u32 at 32", "b: f32 at 32"),
        (Rule::RecordLayout, "record struct s", "record union s"),
        (
            Rule::RecordLayout,
            "record struct unknown incomplete {}",
            "record struct unknown incomplete { x: i32 at 0; }",
        ),
        (Rule::Jump, "return 0;", "for (; n; label L) empty; return 0;"),
    ] {
        let text = PROGRAM.replace("BODY", "i = n;");
        assert!(text.contains(from), "{from}");
        let text = text
            .replace(from, to)
            .replace("struct s address_taken", "union s address_taken");
        let text = if text.contains("record union s") {
            text
        } else {
            text.replace("union s", "struct s")
        };
        let unit = parse_unit(&text).unwrap_or_else(|error| panic!("{error}: {}", &text[error.offset..]));
        let found: Vec<String> = verify_unit(&unit).iter().map(ToString::to_string).collect();
        assert!(
            rules(&unit).contains(&rule),
            "{to:?} should break {rule:?}, but: {found:#?}"
        );
    }
}

/// Changes the body of `f` and says what the verifier finds.
fn after(body: &str, change: impl FnOnce(&mut Unit)) -> Vec<Rule> {
    let mut unit = unit_with(body);
    assert_eq!(rules(&unit), [], "{body}");
    change(&mut unit);
    rules(&unit)
}

fn first_statement(unit: &mut Unit) -> &mut Stmt {
    let Some(Stmt {
        kind: StmtKind::Block { body, .. },
        ..
    }) = &mut unit.functions[3].body
    else {
        panic!()
    };
    let at = body.len() - 2;
    &mut body[at]
}

fn first_place(unit: &mut Unit) -> &mut Place {
    let StmtKind::Assign { place, .. } = &mut first_statement(unit).kind else {
        panic!()
    };
    place
}

#[test]
fn numbers_that_do_not_exist_are_found() {
    let far = 1_000_000;
    let variables = [
        VariableRef::Global(GlobalId(far)),
        VariableRef::Local(LocalId(far)),
    ];
    for variable in variables {
        let found = after("i = 1;", |unit| {
            first_place(unit).base = PlaceBase::Variable(variable)
        });
        assert!(found.contains(&Rule::Reference), "{found:?}");
    }
    let found = after("r.x = 1;", |unit| {
        first_place(unit).path[0] = Projection::Field(far)
    });
    assert!(found.contains(&Rule::PlaceType), "{found:?}");
    let found = after("i = 1;", |unit| first_place(unit).path.push(Projection::Field(0)));
    assert!(found.contains(&Rule::PlaceType), "{found:?}");
    let found = after("i = 1;", |unit| {
        let StmtKind::Assign { value, .. } = &mut first_statement(unit).kind else {
            panic!()
        };
        value.ty = TypeId(far);
    });
    assert!(found.contains(&Rule::Reference), "{found:?}");
    let found = after("i = (i32)(i64)&fn nothing;", |unit| {
        let StmtKind::Assign { value, .. } = &mut first_statement(unit).kind else {
            panic!()
        };
        value.kind = ExprKind::Function(FunctionRef(far));
    });
    assert!(found.contains(&Rule::ExpressionType), "{found:?}");
    let found = after("call nothing();", |unit| {
        let StmtKind::Call { callee, .. } = &mut first_statement(unit).kind else {
            panic!()
        };
        *callee = crate::Callee::Function(FunctionRef(far));
    });
    assert_eq!(found, [Rule::Reference]);
    let found = after("i = 1;", |unit| {
        first_statement(unit).kind = StmtKind::Goto(LabelId(far))
    });
    assert!(found.contains(&Rule::Reference), "{found:?}");
    let found = after("i = 1;", |unit| {
        first_statement(unit).kind = StmtKind::Declare { local: LocalId(far) }
    });
    assert!(found.contains(&Rule::Declaration), "{found:?}");
    let found = after("i = 1;", |unit| unit.globals[0].inside = Some(FunctionRef(far)));
    assert_eq!(found, [Rule::Reference]);
    let found = after("i = 1;", |unit| unit.globals[0].ty = TypeId(far));
    assert_eq!(found, [Rule::Reference]);
    let found = after("i = 1;", |unit| unit.types.records[0].fields[0].ty = TypeId(far));
    assert_eq!(found, [Rule::Reference]);
    let found = after("i = 1;", |unit| unit.functions[3].locals[2].ty = TypeId(far));
    assert!(found.contains(&Rule::Reference), "{found:?}");
}

#[test]
fn impossible_types_are_found() {
    for (ty, rule) in [
        (Type::Pointer(TypeId(1_000_000)), Rule::Reference),
        (Type::Record(RecordId(1_000_000)), Rule::Reference),
    ] {
        let found = after("i = 1;", |unit| {
            unit.types.intern(ty);
        });
        assert_eq!(found, [rule]);
    }
    // A circle of arrays: the type after this one is made of it.
    let found = after("i = 1;", |unit| {
        let next = unit.types.iter().count() as u32;
        let circle = unit.types.intern(Type::Array {
            element: TypeId(next),
            length: Length::Constant(2),
        });
        assert_eq!(circle, TypeId(next));
        unit.functions[3].locals[2].ty = circle;
    });
    assert!(found.contains(&Rule::TypeForm), "{found:?}");
    // A record in itself.
    let found = after("i = 1;", |unit| {
        let own = unit.types.intern(Type::Record(RecordId(0)));
        unit.types.records[0].fields[0].ty = own;
    });
    assert!(found.contains(&Rule::RecordLayout), "{found:?}");
}

#[test]
fn statement_numbers_and_loop_forms_are_checked() {
    let found = after("i = 1;", |unit| unit.functions[3].statements = 3);
    assert_eq!(found, [Rule::Number]);
    let found = after("while (n) i = 1;", |unit| {
        let statement = first_statement(unit);
        let extra = Stmt {
            id: StmtId(0),
            kind: StmtKind::Empty,
            origin: Origin::New,
        };
        let StmtKind::Loop(l) = &mut statement.kind else {
            panic!()
        };
        l.step.push(extra);
    });
    assert!(found.contains(&Rule::LoopForm), "{found:?}");
}

#[test]
fn a_violation_says_where() {
    let unit = parse_unit(&PROGRAM.replace("BODY", "[77@2:10-20] i = 1i64;")).unwrap();
    let violation = verify_unit(&unit).remove(0);
    assert_eq!(violation.statement, Some(StmtId(77)));
    assert_eq!(
        violation.to_string(),
        "Assignment: i64 into i32 (in f) [statement 77] at 2:10-20"
    );
}
