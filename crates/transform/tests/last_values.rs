//! What the last iteration leaves in variables: how it comes back, and which loops stay on the host for it.

use crate::common;
use common::{OPENACC, PLAIN, annotated, annotated_as, reasons};

use crate::reread::wrong;

fn with(head: &str, body: &str) -> String {
    format!(
        "int f(int n, unsigned m, int *restrict a, const int *restrict b) {{
    int t = 5, i;
    for ({head}){body}
    return t;
}}
"
    )
}

/// The number of the last iteration has a name, but where it is a number; no value is computed where the loop does not run.
#[test]
fn the_last_iteration_keeps_its_value() {
    for (head, declared, test, runs) in [
        (
            "i = 0; i < n; i++",
            "const int i_last = (long)n - 1;",
            "i == i_last",
            true,
        ),
        ("i = n; i > 1; i -= 2", "const int i_last = ", "i == i_last", true),
        ("i = 0; i < 10; i += 3", "int t_last = 0;", "i == 9", false),
        (
            "unsigned j = 0; j < m; j++",
            "const unsigned j_last = (long)m - 1;",
            "j == j_last",
            true,
        ),
    ] {
        let own = head
            .split(" = ")
            .next()
            .and_then(|name| name.split(' ').next_back());
        let own = own.unwrap_or_default();
        let text = with(
            head,
            &format!(" {{\n        t = b[{own}] * 3;\n        a[{own}] = t;\n    }}"),
        );
        for wish in [PLAIN, OPENACC] {
            let found = annotated_as(&text, wish);
            for part in [
                "int t_last = 0;",
                declared,
                &format!("        if ({test})\n            t_last = t;\n    }}\n    t = t_last;"),
                "private(t)",
                "t_last)",
            ] {
                assert!(found.contains(part), "{part}: {found}");
            }
            let is_tested = found.contains("    if (") && found.contains("} else {");
            assert_eq!(is_tested, runs, "{found}");
        }
    }
}

/// Wherever the body ends, the value is kept at its end.
#[test]
fn bodies_of_every_shape_have_an_end() {
    for (body, kept) in [
        (
            " t = b[i];",
            "{\n        t = b[i];\n        if (i == i_last)\n            t_last = t;\n    }\n",
        ),
        (
            "\n        t = b[i];",
            "\n    {\n        t = b[i];\n        if (i == i_last)\n            t_last = t;\n    }\n",
        ),
        (
            " { t = b[i]; a[i] = t; }",
            "{ t = b[i]; a[i] = t; \n        if (i == i_last)\n            t_last = t;\n    }\n",
        ),
        (
            "\n    {\n        t = b[i]; // it\n    } // end",
            "\n    {\n        t = b[i]; // it\n        if (i == i_last)\n            t_last = t;\n    } // end\n",
        ),
    ] {
        let found = annotated(&with("i = 0; i < n; i++", body));
        assert!(found.contains(kept), "{body}: {found}");
    }
}

#[test]
fn several_values_are_kept_together() {
    let text = with("i = 0; i < n; i++", " { t = b[i]; u = t + i; a[i] = u; }");
    let text = text.replace("int t = 5, i;", "int t = 5, i, u;");
    let text = text.replace("return t;", "return t + u;");
    let whole = "        if (i == i_last) {
            t_last = t;
            u_last = u;
        }
";
    assert!(annotated(&text).contains(whole), "{}", annotated(&text));
    for (from, to, why) in [
        ("            u_last = u;\n", "", "another number of last values"),
        (
            "            u_last = u;",
            "            u_last = t;",
            "another last value",
        ),
        (
            "            t_last = t;",
            "            u_last = u;",
            "another last value",
        ),
        ("    u = u_last;", "    u = t_last;", "not set behind"),
    ] {
        wrong(&text, from, to, why);
    }
}

#[test]
fn loops_with_other_last_values_stay() {
    for (declared, body, why) in [
        (
            "",
            "{ t = b[i]; if (t > 3) continue; a[i] = t; }",
            "and with `continue` the last iteration",
        ),
        (
            "",
            "{ t = b[i]; int t = 3; a[i] = t; }",
            "and the body declares another t",
        ),
        ("", "{ t = b[i]; int i = 3; a[i] = 1; }", ""),
        (
            "const int *p = b;",
            "{ p = b + i; a[i] = *p; t = *p; }",
            "an address of the device's is none of the host's",
        ),
        (
            "int w[2] = {0, 0};",
            "{ w[0] = b[i]; w[1] = i; a[i] = w[0] + w[1]; t = 3; }",
            "is more than one number",
        ),
    ] {
        let text = with("i = 0; i < n; i++", &format!(" {body}"));
        let text = text.replace("int t = 5, i;", &format!("int t = 5, i; {declared}"));
        let text = match declared {
            "" => text,
            "int w[2] = {0, 0};" => text.replace("return t;", "return t + w[0];"),
            _ => text.replace("return t;", "return t + *p;"),
        };
        assert!(!annotated(&text).contains("#pragma"), "{}", annotated(&text));
        let found = reasons(&text, PLAIN);
        assert!(found.contains(why), "{body}: {found}");
    }
    let nested = "{ t = b[i]; for (int j = 0; j < 4; j++) { if (t > j) continue; a[4 * i + j] = t; } }";
    let nested = annotated(&with("i = 0; i < n; i++", &format!(" {nested}")));
    assert!(nested.contains("t = t_last;"), "{nested}");
}

#[test]
fn what_is_kept_is_compared() {
    let text = with(
        "i = 0; i < n; i++",
        " {\n        t = b[i];\n        a[i] = t;\n    }",
    );
    let text = text.replace("return t;", "return t + i;");
    let text = text.as_str();
    let whole = "if (i == i_last)\n            t_last = t;";
    for (from, to, why) in [
        ("i == i_last", "i <= i_last", "under another condition"),
        ("i == i_last", "n == i_last", "under another condition"),
        ("i == i_last", "(short)i == i_last", "under another condition"),
        ("i == i_last", "i == n", "the number of the last iteration"),
        (
            "i_last = (long)n - 1",
            "i_last = (long)n",
            "the number of the last iteration",
        ),
        (
            "            t_last = t;",
            "            t_last = n;",
            "another last value",
        ),
        (
            "            t_last = t;",
            "            t = t_last;",
            "another last value",
        ),
        (whole, "t_last = t;", ""),
        (whole, "", "another number of last values"),
        (
            "int t_last = 0;",
            "int t_last = 3;",
            "not set in front of the loop",
        ),
        (
            "int t_last = 0;",
            "long t_last = 0;",
            "a condition is not the first test",
        ),
        ("    t = t_last;", "    t = n;", "a last value is not set behind"),
        (
            "    t = t_last;",
            "    i = t_last;",
            "a last value is not set behind",
        ),
        ("    t = t_last;", "", "a last value is not set behind"),
        (" map(tofrom: t_last)", "", "mapped objects"),
        ("map(tofrom: t_last)", "map(to: t_last)", "another direction"),
        ("if (n > 0)", "if (n > -1)", "the condition"),
        (" private(t)", "", "private"),
    ] {
        wrong(text, from, to, why);
    }
}

/// Each kernel has its own name for it; the second one begins with what the first one left.
#[test]
fn kernels_in_turn_keep_their_own() {
    let text = "int f(int n, int *restrict a, int *restrict b) {
    int t = 1;
    for (int i = 0; i < n; i++) {
        t = a[i];
        b[i] = t;
    }
    b[0] += t;
    for (int i = 0; i < n; i++) {
        t = b[i];
        a[i] = t;
    }
    return t;
}
";
    let found = annotated(text);
    assert!(
        found.contains("t = t_last;") && found.contains("t = t_last_2;"),
        "{found}"
    );
    assert!(
        found.contains("i == i_last") && found.contains("i == i_last_2"),
        "{found}"
    );
}

/// Nothing of the copies is a kernel again.
#[test]
fn annotated_text_stays() {
    let text = with(
        "i = 0; i < n; i++",
        " {\n        t = b[i];\n        a[i] = t;\n    }",
    );
    let once = annotated(&text);
    assert_eq!(annotated(&once), once);
}

/// The host sets a variable in memory behind the first kernel, so that nothing of the second one can be computed in front of both.
#[test]
fn variables_in_memory_have_no_kernels_beside_them() {
    let text = "static int g = 2;
int f(int n, const int *restrict a, int *restrict b, int *restrict c) {
    for (int i = 0; i < n; i++) {
        g = a[i];
        b[i] = g;
    }
    for (int j = 0; j < g; j++)
        c[j] = b[j] + 1;
    return g;
}
";
    let found = annotated(text);
    assert!(
        found.contains("g = g_last;") && !found.contains("target data"),
        "{found}"
    );
    let second = found.split("g = g_last;").nth(1).unwrap_or_default();
    assert!(second.contains("c[0:"), "{found}");
}

/// No clause makes copies of them.
#[test]
fn variables_of_each_thread_stay() {
    let text = "static _Thread_local int t;
int f(int n, int *restrict a, const int *restrict b) {
    for (int i = 0; i < n; i++) {
        t = b[i];
        a[i] = t;
    }
    return t;
}
";
    assert!(!annotated(text).contains("#pragma"), "{}", annotated(text));
    assert!(
        reasons(text, PLAIN).contains("thread"),
        "{}",
        reasons(text, PLAIN)
    );
}
