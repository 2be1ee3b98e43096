//! Data of pointers that a loop exchanges stay on the device around it, and those of others do not.

use crate::common;

use common::{PLAIN, Wish, added, reasons};

/// What is below a sequential loop and cannot keep its data on the device stays on the host.
const WISH: Wish = Wish { all: false, ..PLAIN };

/// A function with this loop body over `t`, and these parameters.
fn stepping(parameters: &str, before: &str, body: &str) -> String {
    format!(
        "#include <stdint.h>\nvoid f({parameters}, int n, int steps) {{\n{before}    for (int t = 0; t < steps; t++) {{\n{body}    }}\n}}\n"
    )
}

const STEP: &str = "        for (int i = 2; i < n; i++)\n            next[i] = now[i - 1] + now[i];\n";
const EXCHANGE: &str = "        int *swap = now;\n        now = next;\n        next = swap;\n";

fn directives(text: &str) -> Vec<String> {
    let text = added(text, WISH).join("\n").replace(" \\\n", " ");
    let lines = text.lines().filter(|line| line.starts_with("#pragma"));
    lines.map(str::to_owned).collect()
}

#[test]
fn two_buffers_stay_on_the_device() {
    let text = stepping("int *now, int *next", "", &format!("{STEP}{EXCHANGE}"));
    let expected = [
        "#pragma omp target data map(tofrom: now[1:now_length], next[1:now_length])",
        "#pragma omp target teams distribute parallel for map(alloc: now[1:now_length], next[1:now_length])",
    ];
    assert_eq!(directives(&text), expected);
    // With one step, the second buffer need not have the elements that are read of the first.
    let all = added(&text, WISH).join("\n");
    assert!(
        all.contains("if ((steps >= 2)\n&& ((uintptr_t)(now + 1 + now_length) <= (uintptr_t)(next + 1) || (uintptr_t)(next + 1 + now_length) <= (uintptr_t)(now + 1))) {"),
        "{all}"
    );
}

/// What an inner loop skips has nothing to do with the exchange.
#[test]
fn kernels_may_go_on() {
    let step = "        for (int i = 2; i < n; i++) {\n            if (i == t)\n                continue;\n            next[i] = now[i - 1] + now[i];\n        }\n";
    let text = stepping("int *now, int *next", "", &format!("{step}{EXCHANGE}"));
    assert_eq!(directives(&text).len(), 2, "{}", reasons(&text, WISH));
}

#[test]
fn a_macro_may_exchange_them() {
    let text = stepping(
        "int *now, int *next",
        "",
        &format!("{STEP}        EXCHANGE(now, next);\n"),
    );
    let text = format!("#define EXCHANGE(a, b) do {{ int *c = (a); (a) = (b); (b) = c; }} while (0)\n{text}");
    assert_eq!(directives(&text).len(), 2, "{}", reasons(&text, WISH));
    // Not as often as something says.
    let text = text.replace("while (0)", "while (t == n)");
    assert_eq!(directives(&text).len(), 0);
}

/// The third has its turn later; no kernel names it before.
#[test]
fn all_buffers_that_have_a_turn_are_mapped() {
    let exchange =
        "        int *swap = now;\n        now = next;\n        next = third;\n        third = swap;\n";
    let text = stepping(
        "int *now, int *next, int *third",
        "",
        &format!("{STEP}{exchange}"),
    );
    let expected = [
        "#pragma omp target data map(tofrom: now[1:now_length], next[1:now_length], third[1:now_length])",
        "#pragma omp target teams distribute parallel for map(alloc: now[1:now_length], next[1:now_length], third[1:now_length])",
    ];
    assert_eq!(directives(&text), expected);
    assert!(added(&text, WISH).join("\n").contains("if ((steps >= 3)"));
    // Each pair is tested.
    let all = added(&text, WISH).join("\n");
    assert_eq!(all.matches("<= (uintptr_t)(third + 1)").count(), 2, "{all}");
}

/// In the text `next` is written as a whole before `now` is read; in a run the buffers come in with what was in them.
#[test]
fn buffers_move_both_ways() {
    let body = "        for (int i = 0; i < 900; i++)\n            next[i] = force[i] + t;\n        \
                for (int i = 0; i < 900; i++)\n            force[i] = now[i];\n";
    let text = format!(
        "int a[900], b[900], force[900];\nvoid f(void) {{\n    int *now = a, *next = b;\n    for (int t = 0; t < 5; t++) {{\n{body}{EXCHANGE}    }}\n}}\n"
    );
    let first = directives(&text).remove(0);
    let expected = "#pragma omp target data map(tofrom: now[0:900], next[0:900], force[0:900])";
    assert_eq!(first, expected);
    // What is only read moves in only.
    let body = "        long s = 0;\n        for (int i = 0; i < n; i++)\n            s += now[i] * t;\n        total += s;\n";
    let text = stepping(
        "int *now, int *next",
        "    long total = 0;\n",
        &format!("{body}{EXCHANGE}"),
    );
    let first = directives(&text).remove(0);
    assert!(
        first.contains("map(to: now[0:now_length], next[0:now_length])"),
        "{first}"
    );
}

#[test]
fn storage_that_is_apart_needs_no_test() {
    let before = "    int x[40], y[40];\n    for (int i = 0; i < 40; i++)\n        x[i] = y[i] = from[i];\n    int *now = x, *next = y;\n";
    let body = "        for (int i = 1; i < 39; i++)\n            next[i] = now[i - 1] + now[i + 1];\n";
    let after = "    for (int i = 0; i < 40; i++)\n        from[i] = now[i] + next[i];\n}\n";
    let text = stepping("int *from", before, &format!("{body}{EXCHANGE}"));
    let text = text.strip_suffix("}\n").unwrap_or_default().to_owned() + after;
    let all = added(&text, WISH).join("\n");
    let (before, _) = all
        .split_once("#pragma omp target data map(tofrom: now[0:now_length], next[0:now_length])")
        .unwrap_or_default();
    assert!(
        before.contains("now_length = ") && !before.contains("if ("),
        "{all}"
    );
}

#[test]
fn what_is_not_only_exchanged_has_a_reason() {
    let other =
        "a pointer changes in the loop, and not only by being exchanged with others in every iteration";
    let alike = "the pointers that the loop exchanges do not lead to storage of their own before it";
    let named = "storage of which the loop exchanges the pointers is reached by another name in it";
    let cases = [
        (String::new(), format!("{STEP}        now = next;\n"), other),
        (
            String::new(),
            format!("{STEP}        if (t > 2) {{\n{EXCHANGE}        }}\n"),
            other,
        ),
        (
            String::new(),
            format!(
                "{STEP}        int *swap = now;\n        now = next;\n        if (t == 2)\n            continue;\n        next = swap;\n"
            ),
            other,
        ),
        (
            String::new(),
            format!("{STEP}        int *swap = now;\n        now = next + 1;\n        next = swap;\n"),
            other,
        ),
        (
            "    now = next + n;\n".to_owned(),
            format!("{STEP}{EXCHANGE}"),
            alike,
        ),
        (
            String::new(),
            format!(
                "        const int *in = now;\n        int *out = next;\n{}{EXCHANGE}",
                STEP.replace("next", "out").replace("now", "in")
            ),
            "a kernel reaches a buffer by a copy of a pointer that the loop exchanges",
        ),
        (
            "    int *other = now;\n".to_owned(),
            format!("{STEP}{EXCHANGE}        other[2] = t;\n"),
            named,
        ),
    ];
    for (before, body, why) in cases {
        let text = stepping("int *now, int *next", &before, &body);
        let said = reasons(&text, WISH);
        assert!(said.contains(why), "{text}\n{said}");
        assert_eq!(directives(&text), Vec::<String>::new(), "{text}");
    }
}

/// A `do` loop runs once in any case.
#[test]
fn loops_that_run_once_at_least_are_asked_in_short() {
    let text = format!(
        "#include <stdint.h>\nvoid f(int *restrict now, int *restrict next, int n, int steps) {{\n    int t = 0;\n    do {{\n{STEP}{EXCHANGE}        t++;\n    }} while (t < steps);\n}}\n"
    );
    let all = added(&text, WISH).join("\n");
    assert!(all.contains("if (steps >= 2) {"), "{all}");
}

#[test]
fn a_buffer_may_begin_inside_its_array() {
    let before = "    int *now = a + 5, *next = b;\n";
    let text = stepping("int *a, int *b", before, &format!("{STEP}{EXCHANGE}"));
    let first = directives(&text).remove(0);
    let expected = "#pragma omp target data map(tofrom: now[1:now_length], next[1:now_length])";
    assert_eq!(first, expected);
}

/// An array that only moves out may not be a buffer, which moves in: what is mapped first decides for both.
#[test]
fn other_arrays_are_no_buffers() {
    let body = "        for (int i = 0; i < 900; i++)\n            next[i] = t;\n        \
                for (int i = 0; i < 900; i++)\n            x[i] = i;\n        \
                long s = 0;\n        for (int i = 0; i < 900; i++)\n            s += now[i];\n        total += s;\n";
    let text = format!(
        "#include <stdint.h>\nvoid f(int *now, int *next, int *x) {{\n    long total = 0;\n    for (int t = 0; t < 5; t++) {{\n{body}{EXCHANGE}    }}\n}}\n"
    );
    let all = added(&text, WISH).join("\n");
    assert!(all.contains("map(from: x[0:900])"), "{all}");
    assert!(all.contains("(uintptr_t)x") && !all.contains("=="), "{all}");
}

#[test]
fn kernels_do_not_reduce_into_buffers() {
    let step = "        for (int i = 2; i < n; i++)\n            now[0] += next[i];\n";
    let text = stepping("int *now, int *next", "", &format!("{step}{EXCHANGE}"));
    let why = "a kernel reduces into an element, and the loop exchanges pointers";
    assert!(reasons(&text, WISH).contains(why), "{}", reasons(&text, WISH));
}

/// An exchange in the head of the loop is no part of its body.
#[test]
fn heads_of_loops_exchange_nothing() {
    let text = stepping("int *now, int *next", "", &format!("{STEP}{EXCHANGE}"));
    let text = text.replace("t++", "t++, now = next");
    assert_eq!(directives(&text), Vec::<String>::new(), "{text}");
}

/// A buffer that comes late need only have what is left then.
#[test]
fn sections_that_shrink_need_sizes() {
    let step = "        for (int i = 2; i < n - t; i++)\n            next[i] = now[i - 1] + now[i];\n";
    let text = stepping("int *now, int *next", "", &format!("{step}{EXCHANGE}"));
    let why = "changes from step to step, and it is not known how long each of them is";
    assert!(reasons(&text, WISH).contains(why), "{}", reasons(&text, WISH));
    let step = step.replace("n - t", "40 - t");
    let before = "    int x[40], y[40];\n    for (int i = 0; i < 40; i++)\n        x[i] = y[i] = i;\n    int *now = x, *next = y;\n";
    let text = stepping("int *from", before, &format!("{step}{EXCHANGE}"));
    assert!(
        directives(&text).iter().any(|line| line.contains("target data")),
        "{}",
        reasons(&text, WISH)
    );
}

/// What the host does to the buffers is made alike on both sides, and what it cannot name keeps the loop on the host.
#[test]
fn the_host_may_touch_elements_of_buffers() {
    let text = stepping(
        "int *now, int *next",
        "",
        &format!("{STEP}        next[1] = next[2];\n{EXCHANGE}"),
    );
    let all = directives(&text).join("\n");
    assert!(
        all.contains("target update from(next[2:1])") && all.contains("target update to(next[1:1])"),
        "{all}"
    );
    let text = stepping(
        "int *now, int *next, void show(int *)",
        "",
        &format!("{STEP}        show(now);\n{EXCHANGE}"),
    );
    let why = "a call between the kernels may touch their data";
    assert!(reasons(&text, WISH).contains(why), "{}", reasons(&text, WISH));
}

/// What never takes the place of the others has a section of its own.
#[test]
fn two_pairs_have_their_own_sections() {
    let coarse = "        for (int i = 2; i < n / 2; i++)\n            y[i] = x[i - 1] + now[2 * i];\n";
    let other = "        swap = x;\n        x = y;\n        y = swap;\n";
    let text = stepping(
        "int *restrict now, int *restrict next, int *restrict x, int *restrict y",
        "",
        &format!("{STEP}{coarse}{EXCHANGE}{other}"),
    );
    let all = directives(&text);
    let first = all.first().map_or("", String::as_str);
    assert!(
        first.contains("now[1:now_length], next[1:now_length], x[1:x_length], y[1:x_length]"),
        "{all:?}\n{}",
        reasons(&text, WISH)
    );
    // One that the device only reads does not come back because the others do.
    let read = "        long sum = 0;\n        for (int i = 2; i < n; i++)\n            sum += x[i] + y[i];\n        total[t] = sum;\n";
    let text = stepping(
        "int *restrict now, int *restrict next, int *restrict x, int *restrict y, long *restrict total",
        "",
        &format!("{STEP}{read}{EXCHANGE}{other}"),
    );
    let all = directives(&text);
    let first = all.first().map_or("", String::as_str);
    assert!(
        first.contains("map(tofrom: now[1:") && first.contains("map(to: x[2:"),
        "{all:?}\n{}",
        reasons(&text, WISH)
    );
}

/// The second buffer has room for what is written into it, and not for what the kernel reads from the first one.
#[test]
fn a_buffer_may_be_smaller_than_the_others() {
    let step = "        for (int i = 0; i < 38; i++)\n            next[i] = now[i] + now[i + 2];\n";
    let program = |room: u32| {
        let text = stepping(
            "int *from",
            "    int *now = x, *next = y;\n",
            &format!("{step}{EXCHANGE}"),
        );
        format!("int x[40], y[{room}];\n{text}")
    };
    let text = program(40);
    assert_eq!(directives(&text).len(), 2, "{}", reasons(&text, WISH));
    let text = program(38);
    let said = reasons(&text, WISH);
    assert!(said.contains("is smaller than what kernels may touch"), "{said}");
    assert_eq!(directives(&text), Vec::<String>::new());
}
