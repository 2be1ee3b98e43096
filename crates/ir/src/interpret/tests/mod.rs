//! Programs built by hand: control, memory, traps, observers.

mod build;

use super::observers::{DependenceKind, Dependences, Touched};
use super::*;
use crate::{BinaryOp::*, Callee, ExprKind, LogicalOp, Loop, LoopKind, StmtKind, Type, VariableKind};
use build::Build;

fn result(b: Build) -> Outcome {
    let plain = run(std::slice::from_ref(&b.unit), &Options::default(), &mut Silent);
    // With an observer every variable is in memory: the meaning is the same.
    let observed = run(
        std::slice::from_ref(&b.unit),
        &Options::default(),
        &mut Dependences::new(),
    );
    assert_eq!((&plain.stdout, &plain.exit), (&observed.stdout, &observed.exit));
    plain
}

fn status(b: Build) -> Exit {
    result(b).exit
}

fn why(b: Build) -> String {
    match status(b) {
        Exit::Trap(trap) => trap.why,
        other => panic!("{other:?}"),
    }
}

/// A program whose main has this body.
fn main_of(body: impl FnOnce(&mut Build) -> Vec<crate::Stmt>) -> Build {
    let mut b = Build::new();
    let body = body(&mut b);
    b.function("main", b.int, false, Some(body));
    b
}

#[test]
fn loops_and_arrays_compute() {
    let b = main_of(|b| {
        let (i, sum) = (b.local(b.int), b.local(b.int));
        let array = b.array(b.int, 10);
        let a = b.local(array);
        let square = b.bin(Mul, b.v(i), b.v(i));
        let body = vec![b.set(b.at(a, vec![b.v(i)]), square)];
        let fill = b.for_(i, b.i(0), b.i(10), body);
        let more = b.bin(Add, b.v(sum), b.load(b.at(a, vec![b.v(i)])));
        let body = vec![b.let_(sum, more)];
        let start = b.let_(sum, b.i(0));
        let add = b.for_(i, b.i(0), b.i(10), body);
        let rest = b.bin(Rem, b.v(sum), b.i(256));
        vec![
            b.s(StmtKind::Declare { local: a }),
            fill,
            start,
            add,
            b.return_(rest),
        ]
    });
    assert_eq!(status(b), Exit::Code(285 % 256));
}

#[test]
fn recursion_is_as_deep_as_the_limit() {
    let mut b = Build::new();
    let n = b.parameter(b.long);
    let temporary = b.local(b.long);
    let myself = crate::FunctionRef(0);
    let (zero, one) = (Expr::int(0, b.long), Expr::int(1, b.long));
    let condition = b.bin(Eq, b.v(n), zero.clone());
    let body = vec![b.return_(zero)];
    let stop = b.if_(condition, body);
    let less = b.bin(Sub, b.v(n), one.clone());
    let recur = b.call(Some(temporary), myself, vec![less]);
    let more = b.bin(Add, b.v(temporary), one);
    let back = b.return_(more);
    b.function("depth", b.long, false, Some(vec![stop, recur, back]));
    let units = [b.unit];
    let call = |depth| {
        super::call(
            &units,
            "depth",
            &[Argument::Int(depth)],
            &mut [],
            &Options::default(),
            &mut Silent,
        )
    };
    assert_eq!(call(90_000).returned, Some(90_000));
    assert!(matches!(call(200_000).exit, Exit::Trap(_)));
}

use crate::Expr;

#[test]
fn printf_takes_registers() {
    let mut b = Build::new();
    let format = b.text("%d %.2f %s|%5.1e|%c\n");
    let pointer = format.ty;
    b.parameter(pointer);
    let printf = b.function("printf", b.int, true, None);
    let word = b.text("word");
    let call = b.call(
        None,
        printf,
        vec![format, b.i(-7), b.f(2.5), word, b.f(12345.0), b.i(65)],
    );
    let end = b.return_(b.i(0));
    b.function("main", b.int, false, Some(vec![call, end]));
    let outcome = result(b);
    assert_eq!(
        String::from_utf8_lossy(&outcome.stdout),
        "-7 2.50 word|1.2e+04|A\n"
    );
    assert_eq!(outcome.exit, Exit::Code(0));
}

#[test]
fn what_is_undefined_traps() {
    let overflow = main_of(|b| {
        let sum = b.bin(Add, b.i(i128::from(i32::MAX)), b.i(1));
        vec![b.return_(sum)]
    });
    assert!(why(overflow).contains("overflow"));
    let division = main_of(|b| {
        let quotient = b.bin(Div, b.i(1), b.i(0));
        vec![b.return_(quotient)]
    });
    assert!(why(division).contains("division by zero"));
    let shift = main_of(|b| {
        let shifted = b.bin(Shl, b.i(1), b.i(32));
        vec![b.return_(shifted)]
    });
    assert!(why(shift).contains("shift"));
    let bounds = main_of(|b| {
        let array = b.array(b.int, 4);
        let a = b.local(array);
        vec![
            b.s(StmtKind::Declare { local: a }),
            b.set(b.at(a, vec![b.i(4)]), b.i(1)),
        ]
    });
    assert!(why(bounds).contains("offset 16 of an object of 16 bytes"));
    // Far enough to be in another object.
    let far = main_of(|b| {
        let array = b.array(b.int, 4);
        let a = b.local(array);
        let x = b.local(b.int);
        vec![
            b.s(StmtKind::Declare { local: a }),
            b.s(StmtKind::Declare { local: x }),
            b.set(b.at(x, Vec::new()), b.i(1 << 30)),
            b.set(b.at(a, vec![b.v(x)]), b.i(1)),
        ]
    });
    assert!(why(far).contains("out of its object"));
    let uninitialised = main_of(|b| {
        let x = b.local(b.int);
        vec![b.s(StmtKind::Declare { local: x }), b.return_(b.v(x))]
    });
    assert!(why(uninitialised).contains("no value"));
    let null = main_of(|b| {
        let pointer = b.pointer(b.int);
        let null = Expr::int(0, pointer);
        let value = b.load(b.element(null, b.i(0)));
        vec![b.return_(value)]
    });
    assert!(why(null).contains("null"));
    let opaque = main_of(|b| {
        vec![b.s(StmtKind::Opaque {
            why: "asm".into(),
            mentions: Vec::new(),
            escapes: true,
            jumps: false,
        })]
    });
    assert!(why(opaque).contains("asm"));
    let unknown = {
        let mut b = Build::new();
        let f = b.function("no_such_function", b.int, false, None);
        let call = b.call(None, f, Vec::new());
        b.function("main", b.int, false, Some(vec![call]));
        b
    };
    assert!(why(unknown).contains("no_such_function"));
}

#[test]
fn freed_memory_is_not_there() {
    let mut b = Build::new();
    let void_pointer = b.pointer(b.void);
    b.parameter(b.long);
    let malloc = b.function("malloc", void_pointer, false, None);
    b.parameter(void_pointer);
    let free = b.function("free", b.void, false, None);
    let int_pointer = b.pointer(b.int);
    let (p, raw) = (
        b.local(int_pointer),
        b.any_local(void_pointer, VariableKind::Temporary),
    );
    let make = b.call(Some(raw), malloc, vec![Expr::int(8, b.long)]);
    let convert = b.let_(p, b.cast(b.v(raw), int_pointer));
    let store = b.set(b.element(b.v(p), b.i(1)), b.i(3));
    let end = b.call(None, free, vec![b.cast(b.v(p), void_pointer)]);
    let load = b.return_(b.load(b.element(b.v(p), b.i(1))));
    b.function("main", b.int, false, Some(vec![make, convert, store, end, load]));
    assert!(why(b).contains("life has ended"));
}

#[test]
fn wrapping_is_an_option() {
    let b = main_of(|b| {
        let sum = b.bin(Add, b.i(i128::from(i32::MAX)), b.i(1));
        let negative = b.bin(Lt, sum, b.i(0));
        vec![b.return_(negative)]
    });
    let options = Options {
        wrapping: true,
        ..Options::default()
    };
    assert_eq!(run(&[b.unit], &options, &mut Silent).exit, Exit::Code(1));
}

/// `switch (n % 4) { case 0: do { x += 1; case 3: x += 1; case 2: x += 1; case 1: x += 1; } while (--m > 0); }`
fn duff(n: i128) -> Build {
    main_of(|b| {
        let (x, m) = (b.local(b.int), b.local(b.int));
        let start = vec![b.let_(x, b.i(0)), b.let_(m, b.i((n + 3) / 4))];
        let mut body = Vec::new();
        for case in [0, 3, 2, 1] {
            if case != 0 {
                body.push(b.s(StmtKind::Case {
                    low: case,
                    high: case,
                }));
            }
            let more = b.bin(Add, b.v(x), b.i(1));
            body.push(b.let_(x, more));
        }
        let less = b.bin(Sub, b.v(m), b.i(1));
        let before_test = vec![b.let_(m, less)];
        let condition = Some(b.bin(Gt, b.v(m), b.i(0)));
        let body = b.s(StmtKind::Block { body, scope: true });
        let do_ = b.s(StmtKind::Loop(Box::new(Loop {
            kind: LoopKind::Do,
            init: Vec::new(),
            before_test,
            condition,
            step: Vec::new(),
            refused: None,
            body,
            spans: None,
            keyword: None,
        })));
        let zero = b.s(StmtKind::Case { low: 0, high: 0 });
        let body = Box::new(b.s(StmtKind::Block {
            body: vec![zero, do_],
            scope: true,
        }));
        let value = b.bin(Rem, b.i(n), b.i(4));
        let switch = b.s(StmtKind::Switch { value, body });
        let end = b.return_(b.v(x));
        start.into_iter().chain([switch, end]).collect()
    })
}

#[test]
fn a_switch_enters_a_loop() {
    for n in [1, 4, 7, 10] {
        assert_eq!(status(duff(n)), Exit::Code(n as i32));
    }
}

#[test]
fn goto_enters_and_leaves_blocks() {
    let b = main_of(|b| {
        let x = b.local(b.int);
        let (inside, outside) = (b.label(), b.label());
        let start = b.let_(x, b.i(1));
        let enter = b.s(StmtKind::Goto(inside));
        let never = b.let_(x, b.i(100));
        let label = b.s(StmtKind::Label(inside));
        let double = b.bin(Mul, b.v(x), b.i(2));
        let double = b.let_(x, double);
        let enough = b.bin(Gt, b.v(x), b.i(20));
        let leave = vec![b.s(StmtKind::Goto(outside))];
        let leave = b.if_(enough, leave);
        let looped = b.for_(x, b.i(50), b.i(90), vec![never, label, double, leave]);
        let after = b.s(StmtKind::Label(outside));
        let end = b.return_(b.v(x));
        vec![start, enter, looped, after, end]
    });
    // 1 -> 2 -> 3 -> 100 -> 200: the loop's own way back does `x = 100`.
    assert_eq!(status(b), Exit::Code(200));
}

#[test]
fn short_circuits_do_not_evaluate() {
    let b = main_of(|b| {
        let bad = b.bin(Div, b.i(1), b.i(0));
        let and = Expr {
            kind: ExprKind::Logical(LogicalOp::And, Box::new(b.i(0)), Box::new(bad.clone())),
            ty: b.int,
            origin: Origin::New,
        };
        let choice = ExprKind::Select(Box::new(and), Box::new(bad), Box::new(b.i(7)));
        vec![b.return_(Expr {
            kind: choice,
            ty: b.int,
            origin: Origin::New,
        })]
    });
    assert_eq!(status(b), Exit::Code(7));
}

#[test]
fn buffers_are_changed_by_calls() {
    // void scale(double *a, int n) { for (i = 0; i < n; i++) a[i] = a[i] * 2.0; }
    let units = [scale(0)];
    let bytes = |values: &[f64]| {
        values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let mut buffers = [bytes(&[1.0, 2.0, 3.0])];
    let arguments = [Argument::Buffer(0, 8), Argument::Int(2)];
    let outcome = call(
        &units,
        "scale",
        &arguments,
        &mut buffers,
        &Options::default(),
        &mut Silent,
    );
    assert_eq!(outcome.exit, Exit::Code(0));
    assert_eq!(buffers[0], bytes(&[1.0, 4.0, 6.0]));
}

/// `void scale(double *a, int n) { for (i = distance; i < n; i++) a[i] = a[i - distance] * 2.0; }`
fn scale(distance: i128) -> Unit {
    let mut b = Build::new();
    let pointer = b.pointer(b.double);
    let (a, n, i) = (b.parameter(pointer), b.parameter(b.int), b.local(b.int));
    let from = b.bin(Sub, b.v(i), b.i(distance));
    let value = b.bin(Mul, b.load(b.element(b.v(a), from)), b.f(2.0));
    let body = vec![b.set(b.element(b.v(a), b.v(i)), value)];
    let looped = b.for_(i, b.i(distance), b.v(n), body);
    b.function("scale", b.void, false, Some(vec![looped]));
    b.unit
}

#[test]
fn dependences_are_seen_between_iterations() {
    let object = Object::Buffer(0);
    for distance in [0, 1, 2] {
        let mut seen = Dependences::new();
        let arguments = [Argument::Buffer(0, 0), Argument::Int(5)];
        let mut buffers = [vec![0; 40]];
        let units = [scale(distance)];
        let outcome = call(
            &units,
            "scale",
            &arguments,
            &mut buffers,
            &Options::default(),
            &mut seen,
        );
        assert_eq!(outcome.exit, Exit::Code(0));
        let report = seen.loops.values().next().unwrap();
        assert_eq!((report.executions, report.iterations), (1, 5 - distance as u64));
        let report = &report.objects[&object];
        let flow = report
            .dependences
            .iter()
            .find(|((kind, ..), _)| *kind == DependenceKind::Flow);
        assert_eq!(
            flow.map(|(_, found)| (found.least, found.greatest)),
            (distance > 0).then_some((distance as u64, distance as u64))
        );
        assert!(!report.carries(DependenceKind::Output, true));
        assert!(report.exposed);
    }
}

#[test]
fn a_temporary_is_privatisable_and_its_last_value_is_seen() {
    // t = 2 * i; a[i] = t; in a loop, then return t.
    let mut seen = Dependences::new();
    let b = main_of(|b| {
        let (i, t) = (b.local(b.int), b.local(b.int));
        let array = b.array(b.int, 4);
        let a = b.local(array);
        let twice = b.bin(Mul, b.v(i), b.i(2));
        let body = vec![b.let_(t, twice), b.set(b.at(a, vec![b.v(i)]), b.v(t))];
        let looped = b.for_(i, b.i(0), b.i(4), body);
        vec![looped, b.return_(b.v(t))]
    });
    assert_eq!(run(&[b.unit], &Options::default(), &mut seen).exit, Exit::Code(6));
    let report = seen.loops.values().next().unwrap();
    let local = |number| &report.objects[&Object::Local(0, FunctionRef(0), crate::LocalId(number))];
    assert!(local(1).carries(DependenceKind::Output, false));
    assert!(!local(1).carries(DependenceKind::Flow, true));
    assert!(!local(1).exposed && local(1).live_out && !local(1).live_out_of_earlier);
    assert!(local(2).dependences.is_empty() && !local(2).live_out);
    // The induction variable depends through the loop's head only.
    assert!(local(0).carries(DependenceKind::Flow, true) && !local(0).carries(DependenceKind::Flow, false));
}

#[test]
fn touched_bytes_are_sets() {
    let mut touched = Touched::of_loops([], 10);
    let arguments = [Argument::Buffer(0, 0), Argument::Int(5)];
    let units = [scale(2)];
    call(
        &units,
        "scale",
        &arguments,
        &mut [vec![0; 64]],
        &Options::default(),
        &mut touched,
    );
    let instance = &touched.instances[1];
    assert_eq!(instance.iterations, 3);
    let runs = |wanted: AccessKind| {
        let mut all = super::observers::ByteSet::default();
        for ((_, kind, allocation), set) in &instance.sets {
            if *kind == wanted && touched.allocations[allocation].0 == Object::Buffer(0) {
                all.union(set);
            }
        }
        all.runs()
    };
    assert_eq!(runs(AccessKind::Write), [(16, 40)]);
    assert_eq!(runs(AccessKind::Read), [(0, 24)]);
    let n = instance.variables[&crate::VariableRef::Local(crate::LocalId(1))];
    assert_eq!(n.bits, 5);
    let a = instance.variables[&crate::VariableRef::Local(crate::LocalId(0))];
    assert_eq!(a.points_to.map(|(_, offset)| offset), Some(0));
}

#[test]
fn steps_are_limited() {
    let b = main_of(|b| {
        let empty = b.s(StmtKind::Empty);
        vec![b.s(StmtKind::Loop(Box::new(Loop {
            kind: LoopKind::For,
            init: Vec::new(),
            before_test: Vec::new(),
            condition: None,
            step: Vec::new(),
            body: empty,
            refused: None,
            spans: None,
            keyword: None,
        })))]
    });
    let options = Options {
        step_limit: 1_000_000,
        ..Options::default()
    };
    assert_eq!(run(&[b.unit], &options, &mut Silent).exit, Exit::StepLimit);
}

#[test]
fn function_pointers_and_callbacks() {
    let mut b = Build::new();
    let (void_pointer, int_pointer) = (b.pointer(b.void), b.pointer(b.int));
    let (x, y) = (b.parameter(void_pointer), b.parameter(void_pointer));
    let read = |b: &Build, v| b.load(b.element(b.cast(b.v(v), int_pointer), b.i(0)));
    let difference = b.bin(Sub, read(&b, x), read(&b, y));
    let body = vec![b.return_(difference)];
    let compare = b.function("compare", b.int, false, Some(body));
    let function_type = b.unit.function(compare).ty;
    let function_pointer = b.pointer(function_type);
    for ty in [void_pointer, b.long, b.long, function_pointer] {
        b.parameter(ty);
    }
    let qsort = b.function("qsort", b.void, false, None);
    let array = b.array(b.int, 5);
    let a = b.local(array);
    let mut body = Vec::new();
    for (at, value) in [5, 3, 9, 1, 7].into_iter().enumerate() {
        body.push(b.set(b.at(a, vec![b.i(at as i128)]), b.i(value)));
    }
    let first = b.address(b.at(a, vec![b.i(0)]));
    let address = Expr {
        kind: ExprKind::Function(compare),
        ty: function_pointer,
        origin: Origin::New,
    };
    let arguments = vec![
        b.cast(first, void_pointer),
        Expr::int(5, b.long),
        Expr::int(4, b.long),
        address.clone(),
    ];
    body.push(b.call(None, qsort, arguments));
    // compare(&a[3], &a[1]) through a pointer: 7 - 3.
    let (result, pointer) = (b.local(b.int), b.local(function_pointer));
    body.push(b.let_(pointer, address));
    let (third, second) = (b.address(b.at(a, vec![b.i(3)])), b.address(b.at(a, vec![b.i(1)])));
    let arguments = vec![b.cast(third, void_pointer), b.cast(second, void_pointer)];
    let call = StmtKind::Call {
        result: Some(b.at(result, Vec::new())),
        callee: Callee::Pointer(b.v(pointer)),
        arguments,
    };
    body.push(b.s(call));
    body.push(b.return_(b.v(result)));
    b.function("main", b.int, false, Some(body));
    assert_eq!(status(b), Exit::Code(4));
}

#[test]
fn variable_length_arrays_have_their_size() {
    let mut b = Build::new();
    let n = b.parameter(b.int);
    let extent = b.any_local(b.long, VariableKind::Extent);
    let vla = b.unit.types.intern(Type::Array {
        element: b.int,
        length: crate::Length::Variable(extent),
    });
    let a = b.local(vla);
    let length = b.let_(extent, b.cast(b.v(n), b.long));
    let declare = b.s(StmtKind::Declare { local: a });
    let last = b.bin(Sub, b.v(n), b.i(1));
    let store = b.set(b.at(a, vec![last.clone()]), b.i(3));
    let load = b.return_(b.load(b.at(a, vec![last])));
    b.function("f", b.int, false, Some(vec![length, declare, store, load]));
    let units = [b.unit];
    let call = |n| {
        call(
            &units,
            "f",
            &[Argument::Int(n)],
            &mut [],
            &Options::default(),
            &mut Silent,
        )
    };
    assert_eq!(call(10).returned, Some(3));
    assert!(matches!(call(0).exit, Exit::Trap(_)));
}

#[test]
fn deep_expressions_are_compiled_on_a_large_stack() {
    let mut b = Build::new();
    let x = b.local(b.long);
    let mut sum = Expr::int(0, b.long);
    for _ in 0..100_000 {
        sum = b.bin(Add, sum, b.v(x));
    }
    let start = b.let_(x, Expr::int(1, b.long));
    let end = b.return_(sum);
    b.function("sum", b.long, false, Some(vec![start, end]));
    let units = [b.unit];
    let outcome = call(&units, "sum", &[], &mut [], &Options::default(), &mut Silent);
    assert_eq!(outcome.returned, Some(100_000));
    // Dropping it would be deep recursion on this thread's stack.
    std::mem::forget(units);
}

#[test]
fn a_run_that_ends_inside_a_loop_leaves_it() {
    // for (i = 0; i < 4; i++) { x = x + 1; if (i == 2) exit(0); }
    let mut b = Build::new();
    b.parameter(b.int);
    let exit = b.function("exit", b.void, false, None);
    let (i, x) = (b.local(b.int), b.local(b.int));
    let start = b.let_(x, b.i(0));
    let more = b.bin(Add, b.v(x), b.i(1));
    let more = b.let_(x, more);
    let last = b.bin(Eq, b.v(i), b.i(2));
    let end = vec![b.call(None, exit, vec![b.i(0)])];
    let end = b.if_(last, end);
    let looped = b.for_(i, b.i(0), b.i(4), vec![more, end]);
    b.function("main", b.int, false, Some(vec![start, looped]));
    let mut seen = Dependences::new();
    assert_eq!(run(&[b.unit], &Options::default(), &mut seen).exit, Exit::Code(0));
    let report = seen.loops.values().next().unwrap();
    assert_eq!((report.executions, report.iterations), (1, 3));
    let x = &report.objects[&Object::Local(0, FunctionRef(1), crate::LocalId(1))];
    assert!(x.carries(DependenceKind::Flow, false));
}
