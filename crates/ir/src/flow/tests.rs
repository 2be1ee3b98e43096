//! Jumps of all kinds, with what they mean, by statement number.

use super::*;
use crate::parse_unit;

fn unit(body: &str) -> Unit {
    let text = format!(
        "unit 0
        function exit: fn<void(i32)> external {{}}
        function stop: fn<void()> external noreturn {{}}
        function setjmp: fn<i32(i64*)> external {{}}
        function f: fn<void(i32, i64*)> external {{
            parameter n: i32;
            parameter p: i64*;
            local i: i32;
            label A;
            label B;
            body {{ [1] declare i; {body} [99] empty; }}
        }}"
    );
    parse_unit(&text).unwrap_or_else(|error| panic!("{error}: {}", &text[error.offset..]))
}

/// The exits of a statement as words.
fn exits(body: &str, number: u32) -> String {
    let unit = unit(body);
    let flow = Flow::of(&unit, &unit.functions[3]);
    let exits = flow.exits(StmtId(number));
    let mut words: Vec<String> = Vec::new();
    for (set, word) in [
        (exits.falls, "falls"),
        (exits.breaks, "breaks"),
        (exits.continues, "continues"),
        (exits.returns, "returns"),
        (exits.never, "never"),
        (exits.unknown, "unknown"),
    ] {
        words.extend(set.then(|| word.to_owned()));
    }
    words.extend(
        exits
            .gotos
            .iter()
            .map(|label| unit.functions[3].labels[label.0 as usize].clone()),
    );
    words.join(" ")
}

fn reachable(body: &str) -> Vec<u32> {
    let unit = unit(body);
    let flow = Flow::of(&unit, &unit.functions[3]);
    (0..100)
        .filter(|number| flow.reachable(StmtId(*number)))
        .collect()
}

#[test]
fn simple_statements_fall() {
    for body in [
        "[5] i = 1;",
        "[5] zero i;",
        "[5] opaque \"?\" () escapes;",
        "[5] case_free = 1;",
    ] {
        assert_eq!(exits(&body.replace("case_free", "i"), 5), "falls", "{body}");
    }
    let unit = unit("[5] i = 1;");
    let flow = Flow::of(&unit, &unit.functions[3]);
    assert!(flow.exits(StmtId(5)).only_falls());
    assert!(flow.exits(StmtId(7)).is_empty(), "no such statement");
}

#[test]
fn jumps_are_exits_up_to_where_they_go() {
    let body = "[5] while (n) [6] { [7] if (i) [8] break; [9] if (n > 1) [10] continue; [11] return; }";
    assert_eq!(exits(body, 8), "breaks");
    assert_eq!(exits(body, 7), "falls breaks");
    assert_eq!(exits(body, 6), "breaks continues returns");
    assert_eq!(exits(body, 5), "falls returns");
    let body = "[5] while (n) [6] switch (i) { [7] case 1: [8] break; [9] default: [10] continue; }";
    assert_eq!(exits(body, 6), "falls continues");
    assert_eq!(exits(body, 5), "falls");
    let body = "[5] { [6] goto A; [7] label A; [8] if (n) [9] goto B; } [10] label B;";
    assert_eq!(exits(body, 6), "A");
    assert_eq!(exits(body, 5), "falls B");
}

#[test]
fn loops_without_end_never_leave() {
    assert_eq!(exits("[5] for (;;) i = 1;", 5), "never");
    assert_eq!(exits("[5] while (1) i = 1;", 5), "never");
    assert_eq!(exits("[5] do i = 1; while (!0);", 5), "never");
    assert_eq!(exits("[5] for (;;) if (n) return;", 5), "returns");
    assert_eq!(exits("[5] for (;;) if (n) break;", 5), "falls");
    assert_eq!(exits("[5] while (n) i = 1;", 5), "falls");
    assert_eq!(exits("[5] if (n) for (;;) i = 1;", 5), "falls never");
    assert_eq!(exits("[5] { label A; i = 1; goto A; }", 5), "never");
    assert_eq!(exits("[5] call exit(1);", 5), "never");
    assert_eq!(exits("[5] if (n) call stop();", 5), "falls never");
    assert_eq!(exits("[5] opaque \"asm\" () jumps;", 5), "falls unknown");
}

#[test]
fn a_loop_with_a_body_once_continues_to_its_test() {
    // `continue` in `do … while (0)` leaves the loop, by its test.
    assert_eq!(
        exits("[5] do [6] { if (n) continue; i = 1; } while (0);", 5),
        "falls"
    );
    assert_eq!(
        reachable("[5] do [9] { [6] continue; [7] i = 1; } while (0); [8] i = 2;"),
        [0, 1, 5, 6, 8, 9, 99]
    );
}

/// Statement 0 is the body of the function.
#[test]
fn what_follows_a_jump_cannot_be_reached() {
    assert_eq!(reachable("[5] return; [6] i = 1;"), [0, 1, 5]);
    assert_eq!(reachable("[5] return; [6] label A; [7] i = 1;"), [0, 1, 5]);
    assert_eq!(
        reachable("[5] if (n) [6] goto A; [7] return; [8] label A;"),
        [0, 1, 5, 6, 7, 8, 99]
    );
    assert_eq!(reachable("[5] call exit(1); [6] i = 1;"), [0, 1, 5]);
    assert_eq!(reachable("[5] for (;;) [6] i = 1; [7] i = 2;"), [0, 1, 5, 6]);
    assert_eq!(reachable("[5] while (0) [6] i = 1;"), [0, 1, 5, 99]);
    assert_eq!(
        reachable("[5] if (0 && n) [6] i = 1; else [7] i = 2;"),
        [0, 1, 5, 7, 99]
    );
    assert_eq!(
        reachable("[5] if (n || 1) [6] i = 1; else [7] i = 2;"),
        [0, 1, 5, 6, 99]
    );
    assert_eq!(
        reachable("[5] if (n && 1) [6] i = 1; else [7] i = 2;"),
        [0, 1, 5, 6, 7, 99]
    );
    assert_eq!(
        reachable("[5] while (0) [6] { [7] label A; [8] i = 1; } [9] goto A;"),
        [0, 1, 5, 6, 7, 8, 9]
    );
    assert_eq!(
        reachable(
            "[5] switch (n) [6] { [7] i = 1; [8] case 1: [9] return; [10] i = 3; [11] default: [12] break; }"
        ),
        [0, 1, 5, 6, 8, 9, 11, 12, 99]
    );
    assert_eq!(
        reachable("[5] switch (n) [6] { [7] default: [8] return; }"),
        [0, 1, 5, 6, 7, 8]
    );
    assert_eq!(
        reachable("[5] switch (n) [6] { [7] case 1: [8] return; }"),
        [0, 1, 5, 6, 7, 8, 99]
    );
}

#[test]
fn a_jump_to_a_step_or_test_makes_it_reachable() {
    let body = "[5] for (; n; [6] i = 1) [7] break;";
    assert_eq!(reachable(body), [0, 1, 5, 7, 99]);
    let body = "[5] for (; n; [6] i = 1) [7] continue;";
    assert_eq!(reachable(body), [0, 1, 5, 6, 7, 99]);
    let body = "[5] while ({ [6] i = 1; } n) [7] i = 2;";
    assert_eq!(reachable(body), [0, 1, 5, 6, 7, 99]);
    let body = "[5] do [6] return; while ({ [7] i = 1; } n);";
    assert_eq!(reachable(body), [0, 1, 5, 6]);
}

fn early(body: &str, number: u32) -> Vec<(u32, Leaving)> {
    let unit = unit(body);
    let flow = Flow::of(&unit, &unit.functions[3]);
    flow.early_exits(StmtId(number))
        .into_iter()
        .map(|exit| (exit.at.0, exit.how))
        .collect()
}

/// The statements that control has come by whenever it comes to another one.
fn always_before(body: &str, then: u32) -> Vec<u32> {
    let unit = unit(body);
    let flow = Flow::of(&unit, &unit.functions[3]);
    (0..100)
        .filter(|first| flow.is_always_before(StmtId(*first), StmtId(then)))
        .collect()
}

#[test]
fn what_is_always_before() {
    assert_eq!(always_before("[5] i = 1; [6] i = 2; [7] i = 3;", 6), [0, 1, 5, 6]);
    // What stands in a branch, or in a loop, may not run; the whole did.
    assert_eq!(always_before("[5] if (n) [6] i = 1; [7] i = 2;", 7), [0, 1, 5, 7]);
    assert_eq!(
        always_before("[5] while (n) [6] i = 1; [7] i = 2;", 7),
        [0, 1, 5, 7]
    );
    assert_eq!(
        always_before("[5] do [6] i = 1; while (n); [7] i = 2;", 7),
        [0, 1, 5, 6, 7]
    );
    // In one branch with it.
    let body = "[5] if (n) [6] { [7] i = 1; [8] i = 2; [9] i = 3; } else [10] i = 4;";
    assert_eq!(always_before(body, 8), [0, 1, 5, 6, 7, 8]);
    // Jumps over it, and into what follows it.
    let body = "[5] if (n) [6] goto A; [7] i = 1; [8] label A; [9] i = 2;";
    assert_eq!(always_before(body, 9), [0, 1, 5, 8, 9]);
    let body = "[5] switch (n) [6] { [7] case 1: [8] i = 1; [9] case 2: [10] i = 2; }";
    assert_eq!(always_before(body, 10), [0, 1, 5, 9, 10]);
    let body = "[5] if (n) [6] return; [7] i = 1; [8] i = 2;";
    assert_eq!(always_before(body, 8), [0, 1, 5, 7, 8]);
}

#[test]
fn loops_that_are_left_early_say_by_what() {
    assert_eq!(early("[5] while (n) { [6] i = 1; [7] continue; }", 5), []);
    assert_eq!(
        early("[5] while (n) [6] if (i) [7] break;", 5),
        [(7, Leaving::Break)]
    );
    // The break of the switch, and that of the inner loop, are not this loop's.
    let body = "[5] while (n) { [6] switch (i) { [7] case 1: [8] break; } [9] for (;;) [10] break; }";
    assert_eq!(early(body, 5), []);
    assert_eq!(early(body, 9), [(10, Leaving::Break)]);
    assert_eq!(early(body, 6), [], "no loop");
    let body = "[5] while (n) { [6] if (i) [7] return; [8] if (i > 1) [9] call exit(1); \
                [10] if (i > 2) [11] goto A; [12] goto B; [13] label B; [14] opaque \"?\" () jumps; } [15] label A;";
    let unit = unit(body);
    let (a, _) = (LabelId(0), unit);
    assert_eq!(
        early(body, 5),
        [
            (7, Leaving::Return),
            (9, Leaving::Call),
            (11, Leaving::Goto(a)),
            (14, Leaving::Opaque)
        ]
    );
    // What cannot be reached leaves nothing.
    assert_eq!(early("[5] while (n) { [6] continue; [7] return; }", 5), []);
    assert_eq!(early("[5] while (n) [6] if (0) [7] return;", 5), []);
    // A return in an inner loop leaves the outer one too.
    assert_eq!(
        early("[5] while (n) [6] while (i) [7] return;", 5),
        [(7, Leaving::Return)]
    );
}

fn entries(body: &str, number: u32) -> Vec<(u32, u32)> {
    let unit = unit(body);
    let flow = Flow::of(&unit, &unit.functions[3]);
    flow.side_entries(StmtId(number))
        .into_iter()
        .map(|entry| (entry.at.0, entry.from.0))
        .collect()
}

#[test]
fn statements_are_entered_at_their_top_or_not() {
    assert_eq!(entries("[5] while (n) [6] { [7] goto A; [8] label A; }", 5), []);
    let body = "[4] if (n) [5] goto A; [6] while (i) [7] { [8] label A; [9] i = 1; }";
    assert_eq!(entries(body, 6), [(8, 5)]);
    assert_eq!(entries(body, 7), [(8, 5)]);
    assert_eq!(entries(body, 8), [], "its own top");
    assert_eq!(entries(body, 9), []);
    // A label before the loop makes a circle around it, not an entry into it.
    assert_eq!(
        entries("[5] label A; [6] while (i) [7] i = 1; [8] goto A;", 6),
        []
    );
    // Duff: the cases belong to the switch outside.
    let body =
        "[5] switch (n) [6] { [7] case 0: [8] while (i) [9] { [10] i = 1; [11] case 1: [12] i = 2; } }";
    assert_eq!(entries(body, 8), [(11, 5)]);
    assert_eq!(entries(body, 5), []);
    assert_eq!(
        entries("[5] goto A; [6] { [7] return; [8] label A; }", 6),
        [(8, 5)]
    );
    assert_eq!(
        entries("[4] return; [5] goto A; [6] { [7] i = 1; [8] label A; }", 6),
        [],
        "dead goto"
    );
    // Unknown jumps may go to every label, and unknown text may hold the labels that are nowhere.
    assert_eq!(
        entries("[5] opaque \"?\" () jumps; [6] { [7] i = 1; [8] label A; }", 6),
        [(8, 5)]
    );
    assert_eq!(
        entries(
            "[5] if (n) [6] goto A; [7] { [8] i = 1; [9] opaque \"?\" () jumps; }",
            7
        ),
        [(9, 6)]
    );
    assert_eq!(
        entries("[5] while (n) [6] { [7] i = call setjmp(p); }", 5),
        [(7, 7)]
    );
}

#[test]
fn unknown_jumps_reach_all_labels() {
    assert_eq!(
        reachable("[5] opaque \"?\" () jumps; [6] return; [7] label A; [8] i = 1;"),
        [0, 1, 5, 6, 7, 8, 99]
    );
    assert_eq!(
        reachable("[5] opaque \"?\" (); [6] return; [7] label A; [8] i = 1;"),
        [0, 1, 5, 6]
    );
    let body = "[5] while (1) [6] opaque \"?\" () jumps; [7] i = 1;";
    assert_eq!(reachable(body), [0, 1, 5, 6, 7, 99]);
    // A label in unknown text: control goes on behind that text.
    let body = "[5] goto A; [6] return; [7] opaque \"?\" () jumps; [8] i = 1;";
    assert_eq!(reachable(body), [0, 1, 5, 7, 8, 99]);
}

#[test]
fn inner_gotos_and_targets() {
    let unit = unit(
        "[5] while (n) [6] { [7] label A; [8] if (i) [9] goto A; [10] break; } [11] switch (n) [14] { [12] case 1: [13] break; }",
    );
    let flow = Flow::of(&unit, &unit.functions[3]);
    assert_eq!(flow.inner_gotos(StmtId(5)), [StmtId(9)]);
    assert_eq!(flow.inner_gotos(StmtId(11)), []);
    assert_eq!(flow.target(StmtId(10)), Some(StmtId(5)));
    assert_eq!(flow.target(StmtId(12)), Some(StmtId(11)));
    assert_eq!(flow.target(StmtId(13)), Some(StmtId(11)));
    assert_eq!(flow.target(StmtId(8)), None);
}

#[test]
fn declared_functions_have_no_flow() {
    let unit = unit("");
    let flow = Flow::of(&unit, &unit.functions[0]);
    assert!(!flow.reachable(StmtId(0)));
    assert!(flow.early_exits(StmtId(0)).is_empty());
    // A function of this name with a body is the program's own.
    let own = parse_unit(
        "unit 0
        function exit: fn<void(i32)> internal { parameter n: i32; body { return; } }
        function f: fn<void()> external { body { [1] call exit(1); [2] empty; } }",
    )
    .unwrap();
    assert!(Flow::of(&own, &own.functions[1]).reachable(StmtId(2)));
}

/// Many gotos that go backwards would be slow if each found its label by another walk.
#[test]
fn long_functions_take_linear_time() {
    let mut body = String::new();
    let count = 3000;
    for number in (0..count).rev() {
        body.push_str(&format!(
            "label L{number}; if (n) goto L{};",
            (number + 1) % count
        ));
    }
    let labels: String = (0..count).map(|number| format!("label L{number};")).collect();
    let text = format!(
        "unit 0 function f: fn<void(i32)> external {{ parameter n: i32; {labels} body {{ goto L0; {body} }} }}"
    );
    let unit = parse_unit(&text).unwrap();
    let flow = Flow::of(&unit, &unit.functions[0]);
    assert!((0..unit.functions[0].statements).all(|number| flow.reachable(StmtId(number))));
}
