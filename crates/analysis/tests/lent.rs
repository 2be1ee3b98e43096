//! What callers of a static function leave unread of the storage that they give it. The judge of OUT regions (`regions_hold`) runs the same
//! in tests/programs/regions/lent.c.

use crate::common::listed::{Piece, Read};

use ferry_analysis::effects::{Effects, Lent};
use ferry_ir::LocalId;

/// How the first parameter of `fill` is lent to it by `use`, a body after `int use(int n, int *out, int **keep)`.
fn lent(caller: &str) -> Option<Lent> {
    lent_in(&format!("int use(int n, int *out, int **keep) {{ {caller} }}"))
}

fn lent_in(callers: &str) -> Option<Lent> {
    let text = format!(
        "#include <stdlib.h>
         #include <string.h>
         int *kept;
         static int sum(int n, int *a) {{ int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }}
         static void hide(int *a) {{ kept = a; }}
         static int seen(void) {{ return kept[0]; }}
         static int fill(int *t, int n, int *out) {{
           for (int i = 0; i < n; i++) t[i] = i * i;
           for (int i = 0; i < n; i++) out[i] += t[n - 1 - i];
           return n;
         }}
         {callers}
         int uses(int n, int *a) {{ return sum(n, a) + seen() + (hide(a), 0); }}"
    );
    let read = Read::new(&text);
    let (unit, fill, _) = read.function("fill");
    Effects::of_unit(unit).lent(unit, fill, LocalId(0))
}

/// What is lent is dead when the function ends; if it is lent again, only where the function reads nothing that it has not written.
#[test]
fn what_is_lent_is_not_left_behind() {
    let left = |function: &str| {
        let text = format!(
            "static void own(int *t, int n, int *out) {{ {function} }}
             void use(int n, int *out) {{ int t[64] = {{0}}; for (int i = 0; i < n; i++) own(t, i, out); }}"
        );
        let read = Read::new(&text);
        let own = read.region("own", &Piece::Whole);
        let has = |name: &str| own.part(&own.out, name).is_some();
        (has("t"), has("out"))
    };
    let fills = "for (int i = 0; i < n; i++) t[i] = i;";
    let reads = "for (int i = 0; i < n; i++) out[i] += t[i];";
    assert_eq!(left(&format!("{fills} {reads}")), (false, true));
    assert_eq!(left(&format!("{reads} {fills}")), (true, true));
}

#[test]
fn storage_of_the_caller_that_it_does_not_read_again() {
    let once = Some(Lent::Once);
    assert_eq!(lent("int t[n]; return fill(t, n, out);"), once);
    assert_eq!(
        lent("int t[64]; t[0] = 1; if (n > t[0]) fill(t + 1, n, out); return 0;"),
        once
    );
    assert_eq!(
        lent("int *t = malloc(n * sizeof *t); fill(t, n, out); free(t); return out[0];"),
        once
    );
    // Read before, or in a loop that is over; written behind it.
    assert_eq!(
        lent(
            "int t[64]; memset(t, 0, 64 * sizeof *t); int s = sum(n, t); fill(t, n, out); t[0] = s; return 0;"
        ),
        once
    );
    // Another array is read.
    assert_eq!(lent("int t[64], u[64]; fill(t, n, out); return sum(n, u);"), once);
    // Each time of a loop, and twice: only it reads what it left.
    let again = Some(Lent::Again);
    assert_eq!(
        lent("int t[64]; for (int i = 0; i < n; i++) fill(t, i, out); return 0;"),
        again
    );
    assert_eq!(
        lent("int t[64]; fill(t, 3, out); fill(t, n, out + 3); return 0;"),
        again
    );
    assert_eq!(
        lent_in(
            "int one(int n, int *out) { int t[64]; return fill(t, n, out); }
             int two(int n, int *out) { int t[64]; fill(t, n, out); return fill(t, n, out); }"
        ),
        again
    );
    // What a caller was lent itself.
    assert_eq!(
        lent_in(
            "static void pass(int *t, int n, int *out) { fill(t, n, out); }
             void use(int n, int *out) { int t[64]; pass(t, n, out); }"
        ),
        once
    );
}

#[test]
fn storage_that_somebody_may_read() {
    let read = [
        // Behind the call, in the same loop, in a call, as bytes.
        "int t[64]; fill(t, n, out); return t[1];",
        "int t[64]; int s = 0; for (int i = 0; i < n; i++) { s += t[i]; fill(t, n, out); } return s;",
        "int t[64]; fill(t, n, out); return sum(n, t);",
        "int t[64]; fill(t, n, out); memcpy(out, t, 8); return 0;",
        "int t[64]; for (int i = 0; i < n; i++) fill(t, t[i], out); return 0;",
        // Through a pointer that leads there.
        "int t[64]; keep[0] = t; fill(t, n, out); return keep[0][2];",
        "int t[64]; hide(t); fill(t, n, out); return seen();",
        // Through its other parameter, in the next call.
        "int t[64], u[64]; fill(t, n, u); return fill(u, n, t);",
        // Not the caller's own, or not released, or not surely.
        "return fill(out, n, keep[0]);",
        "int *t = malloc(64 * sizeof *t); fill(t, n, out); return 0;",
        "int *t = malloc(64 * sizeof *t); fill(t, n, out); *keep = t; if (n < 0) free(t); return 0;",
        "int *t = malloc(64 * sizeof *t); fill(t, n, out); if (n > 3) { *keep = t; return 1; } free(t); return 0;",
        "int *t = malloc(64 * sizeof *t); fill(t, n, out); t = realloc(t, 99 * sizeof *t); *keep = t; return 0;",
        "int *t = malloc(64 * sizeof *t); fill(t, n, out); int *u = realloc(t, 512); int s = u[0]; free(u); return s;",
        // Jumps backwards.
        "int t[64]; again: if (sum(n, t)) return 0; fill(t, n, out); goto again;",
    ];
    for caller in read {
        assert_eq!(lent(caller), None, "{caller}");
    }
    // One caller of two reads it; it is not a call that passes it on; a function that may be called from elsewhere.
    let others = [
        "int one(int n, int *out) { int t[64]; return fill(t, n, out); }
         int two(int n, int *out) { int t[64]; fill(t, n, out); return t[0]; }",
        "static void pass(int *t, int n, int *out) { fill(t, n, out); }
         int use(int n, int *out) { int t[64]; pass(t, n, out); return t[0]; }",
        "void pass(int *t, int n, int *out) { fill(t, n, out); }",
        "int (*later)(int *, int, int *) = fill;
         int use(int n, int *out) { int t[64]; return fill(t, n, out); }",
        "int use(int n, int *out) { static int t[64]; return fill(t, n, out) + t[0]; }",
    ];
    for callers in others {
        assert_eq!(lent_in(callers), None, "{callers}");
    }
}
