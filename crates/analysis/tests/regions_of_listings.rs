//! Do the regions have the elements that the papers, read closely, say?
//!
//! Every listing of "Beyond do loops" (Guelton, Amini, Creusillet), its examples without number, and Juravle's §6.2 and
//! figure 8.9, each with the elements that enumeration by hand gives, at several sizes. What the papers themselves get
//! wrong is corrected (the sets here are the tight ones).

use crate::common;

use common::listed::{CONVOLUTION, Piece, Read, Region};
use ferry_analysis::regions::Touch;
use ferry_analysis::symbols::SymbolKind;
use ferry_symbolic::{Integer, Symbol};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn fir_with_its_kernel() {
    // Listing 1.1, the kernel and the loop over it with the call written out.
    let read = Read::new(
        "int kernel(int i, int n, int k, int src[n], int dst[n - k], int m[k]) {
           int v = 0;
           for (int j = 0; j < k; ++j) v += src[i + j] * m[j];
           dst[i] = v;
           return 0;
         }
         void fir(int n, int k, int src[n], int dst[n - k], int m[k]) {
           for (int i = 0; i < n - k + 1; ++i) {
             int v = 0;
             for (int j = 0; j < k; ++j) v += src[i + j] * m[j];
             dst[i] = v;
           }
         }",
    );
    for n in 0..7 {
        for k in -1..7 {
            let values: BTreeMap<&str, i128> = [("n", n), ("k", k), ("i", 3)].into();
            let one = read.region("kernel", &Piece::Whole);
            for touch in [&one.own.read, &one.own.in_] {
                one.exactly(touch, "src", &values, 3..3 + k);
                one.exactly(touch, "m", &values, 0..k);
            }
            one.exactly(&one.own.write, "dst", &values, [3]);
            one.exactly(&one.out, "dst", &values, [3]);
            for piece in [Piece::Whole, Piece::Loop(0)] {
                let all = read.region("fir", &piece);
                let runs = n - k + 1 > 0;
                for touch in [&all.own.read, &all.own.in_] {
                    let src = if runs && k > 0 { n } else { 0 };
                    all.exactly(touch, "src", &values, 0..src);
                    all.exactly(touch, "m", &values, 0..if runs { k } else { 0 });
                }
                all.exactly(&all.own.write, "dst", &values, 0..n - k + 1);
            }
        }
    }
}

#[test]
fn an_irregular_while_loop() {
    // Listing 1.2. The paper's hulls have every second element too many, and two at the ends.
    let read = Read::new(
        "void foo(int N, int a[N], int randv[N]) {
           int x = N / 4, y = 0;
           while (x <= N / 3) {
             a[x + y] = x + y;
             if (randv[x - y]) x = x + 2; else x++, y++;
           }
         }",
    );
    for piece in [Piece::Whole, Piece::Loop(0)] {
        let all = read.region("foo", &piece);
        for n in 1..60 {
            let values: BTreeMap<&str, i128> = [("N", n)].into();
            let (x, f) = (n / 4, n / 3);
            let every = |low: i128, high: i128| -> BTreeSet<i128> { (low..=high).step_by(2).collect() };
            all.bounds(&all.own.write, "a", &values, &every(x, 2 * f - x), &every(x, f));
            all.bounds(&all.own.read, "randv", &values, &every(x, f), &[x].into());
        }
    }
}

#[test]
fn the_test_that_fails_touches_too() {
    let read = Read::new("void f(int n, int *a) { for (int i = 0; a[i] += 1, i < n; i++) ; }");
    for n in -2..9 {
        let all = read.region("f", &Piece::Whole);
        let values: BTreeMap<&str, i128> = [("n", n)].into();
        for touch in [&all.own.read, &all.own.write, &all.own.in_] {
            all.exactly(touch, "a", &values, 0..=n.max(0));
        }
    }
}

#[test]
fn conditions_on_the_counter_are_exact() {
    // Section 2: the paper's convex sets close the hole.
    let read = Read::new("void f(int n, int *a) { for (int i = 0; i < n; i++) if (i != 3) a[i] = 0; }");
    let all = read.region("f", &Piece::Loop(0));
    for n in -2..12 {
        let values: BTreeMap<&str, i128> = [("n", n)].into();
        all.exactly(&all.own.write, "a", &values, (0..n).filter(|i| *i != 3));
    }
}

#[test]
fn conditions_on_memory_are_not() {
    // Section 2; the paper lists the writes of this example as reads.
    let read = Read::new(
        "void f(int i, int *a, int *b, int *c) { if (a[i] > 3) b[i] = 1; else c[i] = 1; }
         void g(int i, int *a, int *b) { if (a[i] > 3) b[i] = 1; else b[i] = 2; }",
    );
    let all = read.region("f", &Piece::Whole);
    let values: BTreeMap<&str, i128> = [("i", 5)].into();
    let (none, five) = (BTreeSet::new(), BTreeSet::from([5]));
    all.exactly(&all.own.read, "a", &values, [5]);
    all.bounds(&all.own.write, "b", &values, &five, &none);
    all.bounds(&all.own.write, "c", &values, &five, &none);
    // What both paths write is written.
    let both = read.region("g", &Piece::Whole);
    both.exactly(&both.own.write, "b", &values, [5]);
}

#[test]
fn conditions_that_are_not_followed() {
    // Floating point: nothing is known of the condition, and what both paths do is still done.
    let read = Read::new(
        "void f(int n, float *x, int *b, int *c, int *t) {
           for (int i = 0; i < n; i++) {
             if (x[i] > 0.5f) b[i] = 1; else { b[i] = 2; b[i + 40] = 2; c[i] = 1; }
             if (x[i] > 0.25f) t[i] = 0;
             c[i + 20] = t[i];
           }
         }",
    );
    let f = read.region("f", &Piece::Loop(0));
    for n in 0..6 {
        let values: BTreeMap<&str, i128> = [("n", n)].into();
        let (all, none): (BTreeSet<i128>, BTreeSet<i128>) = ((0..n).collect(), BTreeSet::new());
        let b: BTreeSet<i128> = (0..n).chain(40..40 + n).collect();
        f.bounds(&f.own.write, "b", &values, &b, &all);
        let c: BTreeSet<i128> = (0..n).chain(20..20 + n).collect();
        f.bounds(&f.own.write, "c", &values, &c, &(20..20 + n).collect());
        f.bounds(&f.own.write, "t", &values, &all, &none);
        f.bounds(&f.own.in_, "t", &values, &all, &none);
    }
}

#[test]
fn a_loop_that_changes_what_it_counts_by() {
    // Listing 1.6, and the `a[i++] = 1` of section 3: in terms of the store before.
    let read = Read::new(
        "void bar(int i, int j[2], int k[2]) {
           while (i-- >= 0) { j[0] = k[0]; k[0]++; }
         }
         void inc(int i, int *a) { a[i++] = 1; a[i] = 2; }
         void walk(int n, int *p) { int s = 0; while (n-- > 0) s += *p++; *p = s; }",
    );
    let bar = read.region("bar", &Piece::Whole);
    for i in -3..4 {
        let values: BTreeMap<&str, i128> = [("i", i)].into();
        let elements = || (0..1).filter(|_| i >= 0);
        bar.exactly(&bar.own.read, "k", &values, elements());
        bar.exactly(&bar.own.in_, "k", &values, elements());
        bar.exactly(&bar.own.write, "k", &values, elements());
        bar.exactly(&bar.own.write, "j", &values, elements());
        let inc = read.region("inc", &Piece::Whole);
        inc.exactly(&inc.own.write, "a", &values, [i, i + 1]);
        let walk = read.region("walk", &Piece::Whole);
        let values: BTreeMap<&str, i128> = [("n", i)].into();
        walk.exactly(&walk.own.read, "p", &values, 0..i);
        walk.exactly(&walk.own.write, "p", &values, [i.max(0)]);
    }
}

#[test]
fn what_an_iteration_needs_beyond_the_earlier_ones() {
    // Section 4.3: of src each iteration but the first loads one new element. As IN: what is written in the loop
    // before it is read is not needed.
    let read = Read::new(
        "void f(int n, int k, int *t, int *a) {
           for (int i = 0; i < n; i++) {
             t[i] = 2 * i;
             for (int j = 0; j < k; j++) a[i] += t[i + j];
           }
         }
         void g(int n, int *t) { for (int i = 0; i < n; i++) t[i + 1] = t[i]; }
         void h(int n, int *t) { for (int i = 0; i < n; i++) t[i] = t[i + 1]; }
         void own(int n, int *t) { for (int i = 0; i < n; i++) t[i] = t[i] + 1; }",
    );
    for n in 0..6 {
        for k in 0..6 {
            let values: BTreeMap<&str, i128> = [("n", n), ("k", k)].into();
            let f = read.region("f", &Piece::Loop(0));
            // Element i + j > i is written later, in iteration i + j, so it is read as it was before.
            let needed: BTreeSet<i128> = (0..n).flat_map(|i| i + 1..i + k).collect();
            f.exactly(&f.own.in_, "t", &values, needed);
            let g = read.region("g", &Piece::Loop(0));
            g.exactly(&g.own.in_, "t", &values, 0..n.min(1));
            let h = read.region("h", &Piece::Loop(0));
            h.exactly(&h.own.in_, "t", &values, 1..n + 1);
            let own = read.region("own", &Piece::Loop(0));
            own.exactly(&own.own.in_, "t", &values, 0..n);
        }
    }
}

#[test]
fn shifted_copies() {
    // Juravle §6.2: three shifts of one array.
    let read = Read::new(
        "void f(int size, int slice, int *in, int *out) {
           for (int i = 0; i < slice; i++) {
             out[i] = in[slice + i];
           }
         }
         void g(int size, int slice, int *in, int *out) {
           for (int i = 0; i < size; i++) out[i] = in[i + slice];
           for (int i = 0; i < slice; i++) out[i] += in[size - slice + i];
           for (int i = 0; i + 1 < slice; i++) out[i] += in[2 * size + i];
         }",
    );
    for size in 0..9 {
        for slice in 0..9 {
            let values: BTreeMap<&str, i128> = [("size", size), ("slice", slice)].into();
            let g = read.region("g", &Piece::Whole);
            let expected: BTreeSet<i128> = (slice..slice + size)
                .chain(size - slice..size)
                .chain(2 * size..2 * size + slice - 1)
                .collect();
            g.exactly(&g.own.read, "in", &values, expected);
        }
    }
}

#[test]
fn accumulated_values() {
    // Juravle, figure 8.9: a value that grows by a varying step, conditions on the counter, `out[0]` read back.
    let read = Read::new(
        "void f(int n, int m, int *in, int *out) {
           for (int i = 0; i < n; i++) {
             if (i < m) out[i] = in[i]; else out[i] = out[0];
           }
         }",
    );
    for n in 1..8 {
        for m in -1..9 {
            let values: BTreeMap<&str, i128> = [("n", n), ("m", m)].into();
            let f = read.region("f", &Piece::Loop(0));
            f.exactly(&f.own.write, "out", &values, 0..n);
            f.exactly(&f.own.read, "in", &values, 0..n.min(m.max(0)));
            f.exactly(&f.own.read, "out", &values, (0..1).filter(|_| n > m.max(0)));
            // out[0] is needed from before only if the first iteration reads it.
            f.exactly(&f.own.in_, "out", &values, (0..1).filter(|_| m <= 0));
        }
    }
}

#[test]
fn a_convolution_with_its_ends_stored_apart() {
    // Juravle §6.2: a value that is chosen by a condition on the counters.
    let read = Read::new(CONVOLUTION);
    let f = read.region("f", &Piece::Loop(0));
    for size in 0..12 {
        for slice in 0..12 {
            let values: BTreeMap<&str, i128> = [("size", size), ("slice", slice)].into();
            let expected: BTreeSet<i128> = (0..size)
                .flat_map(|i| i - slice..i + slice)
                .map(|k| {
                    if (0..size).contains(&k) {
                        slice + k
                    } else {
                        size + k
                    }
                })
                .collect();
            f.exactly(&f.own.read, "in", &values, expected.clone());
            f.exactly(&f.own.in_, "in", &values, expected);
            f.exactly(&f.own.write, "out", &values, 0..size);
        }
    }
}

#[test]
fn figure_8_9() {
    // Juravle, figure 8.9: bytes at i*i, conditions on the counter, values that are chosen.
    let read = Read::new(
        "void f(int n, int m, int *in, int *out) {
           for (int i = 0; i < n; i++) {
             char *aux = (char *)in;
             int k = i * i;
             out[i] = aux[k];
             if (i < m) out[i] += 1; else { int j = i * out[0]; int l = j * aux[i]; out[i] += l; }
             int mux = m > 10 ? n : m;
             int w = mux + i;
             out[i] += w;
           }
         }",
    );
    let f = read.region("f", &Piece::Loop(0));
    for n in 1..7 {
        for m in -1..8 {
            let values: BTreeMap<&str, i128> = [("n", n), ("m", m)].into();
            f.exactly(&f.own.write, "out", &values, 0..n);
            // Every element is written before it is read.
            f.exactly(&f.own.in_, "out", &values, []);
            let part = f.part(&f.own.read, "in").unwrap();
            assert!(!part.exact);
            let may = f.elements(&part.may, &values);
            let touched = (0..n).map(|i| i * i).chain(m.max(0)..n);
            assert!(may.is_superset(&touched.collect()), "{may:?}");
            // As an interval it is tight.
            assert!(
                may.iter().all(|at| (0..=(n - 1) * (n - 1)).contains(at)),
                "{may:?}"
            );
        }
    }
}

#[test]
fn jumps() {
    let read = Read::new(
        "void skip(int n, int m, int *a) { for (int i = 0; i < n; i++) { if (i == m) continue; a[i] = 0; } }
         void stop(int n, int m, int *a) { for (int i = 0; i < n; i++) { if (i == m) break; a[i] = 0; } }
         void leave(int n, int m, int *a, int *b) {
           if (n < m) return;
           a[n] = 0;
         }
         void search(int n, int *a, int *b) {
           for (int i = 0; i < n; i++) { if (a[i] == 0) break; b[i] = 1; }
         }
         void last(int n, int *a) { do { a[n] = 0; n--; } while (n > 0); }
         void choose(int n, int m, int *a) {
           switch (n) { case 0: a[0] = 0; case 1: a[1] = 1; break; case 2: case 3: a[2] = 0; break; default: a[m] = 0; }
           a[10] = 0;
         }
         void both(int n, int m, int *a) {
           for (int i = 0; i < n; i++)
             switch (i) { case 2: continue; case 4: if (m) break; a[20] = 0; default: a[i] = 0; }
         }",
    );
    for n in -1..7 {
        for m in -1..7 {
            let values: BTreeMap<&str, i128> = [("n", n), ("m", m)].into();
            let f = read.region("skip", &Piece::Loop(0));
            f.exactly(&f.own.write, "a", &values, (0..n).filter(|i| *i != m));
            let f = read.region("stop", &Piece::Loop(0));
            let end = if m >= 0 { m.min(n) } else { n };
            f.exactly(&f.own.write, "a", &values, 0..end);
            let f = read.region("leave", &Piece::Whole);
            f.exactly(&f.own.write, "a", &values, (n..n + 1).filter(|_| n >= m));
            let f = read.region("search", &Piece::Loop(0));
            let all: BTreeSet<i128> = (0..n).collect();
            let first: BTreeSet<i128> = (0..n.min(1)).collect();
            f.bounds(&f.own.read, "a", &values, &all, &first);
            f.bounds(&f.own.write, "b", &values, &all, &BTreeSet::new());
            let f = read.region("last", &Piece::Loop(0));
            f.exactly(
                &f.own.write,
                "a",
                &values,
                if n > 0 { 1..n + 1 } else { n..n + 1 },
            );
            let f = read.region("choose", &Piece::Whole);
            let chosen = match n {
                0 => vec![0, 1],
                1 => vec![1],
                2 | 3 => vec![2],
                _ => vec![m],
            };
            f.exactly(&f.own.write, "a", &values, chosen.into_iter().chain([10]));
            let f = read.region("both", &Piece::Loop(0));
            let own = (0..n).filter(|i| *i != 2 && (*i != 4 || m == 0));
            f.exactly(
                &f.own.write,
                "a",
                &values,
                own.chain((20..21).filter(|_| n > 4 && m == 0)),
            );
        }
    }
}

#[test]
fn steps_and_shapes() {
    let read = Read::new(
        "void down(int n, int *a) { for (int i = n; i >= 0; i -= 3) a[i] = 0; }
         void halves(int n, int *a) { for (int i = 0; i < n; i++) a[i / 2] += 1; }
         void turns(int n, int *a) { for (int i = 0; i < n; i++) a[i % 4] += 1; }
         void skew(int n, int m, int *a) { for (int i = 0; i < n; i++) for (int j = 2 * i; j < m; j += 2) a[i + j] = 0; }
         void pack(int n, int *a, int *b) { int k = 0; for (int i = 0; i < n; i++) if (a[i]) b[k++] = a[i]; }
         void gather(int n, int *x, int *col, int *y) { for (int i = 0; i < n; i++) y[i] = x[col[i]]; }
         void until(int *n, int *a) { for (int i = 0; i < *n; i++) a[i] = 0; }",
    );
    for n in -1..9 {
        for m in -1..9 {
            let values: BTreeMap<&str, i128> = [("n", n), ("m", m)].into();
            let f = read.region("down", &Piece::Loop(0));
            f.exactly(&f.own.write, "a", &values, (0..=n).rev().step_by(3));
            let f = read.region("halves", &Piece::Loop(0));
            f.exactly(&f.own.write, "a", &values, 0..(n + 1) / 2);
            let f = read.region("turns", &Piece::Loop(0));
            f.exactly(&f.own.write, "a", &values, 0..n.clamp(0, 4));
            f.exactly(&f.own.in_, "a", &values, 0..n.clamp(0, 4));
            let f = read.region("skew", &Piece::Loop(0));
            let touched: BTreeSet<i128> = (0..n)
                .flat_map(|i| (2 * i..m).step_by(2).map(move |j| i + j))
                .collect();
            f.exactly(&f.own.write, "a", &values, touched);
            let f = read.region("pack", &Piece::Loop(0));
            f.exactly(&f.own.read, "a", &values, 0..n);
            f.bounds(&f.own.write, "b", &values, &(0..n).collect(), &BTreeSet::new());
            let f = read.region("gather", &Piece::Loop(0));
            f.exactly(&f.own.read, "col", &values, 0..n);
            f.exactly(&f.own.write, "y", &values, 0..n);
            let x = f.part(&f.own.read, "x").unwrap();
            assert!(!x.exact && x.must.is_plainly_empty());
        }
    }
    // The bound may lie in the array: not even the first element is certain.
    let f = read.region("until", &Piece::Loop(0));
    assert!(f.part(&f.own.write, "a").unwrap().must.is_plainly_empty());
}

#[test]
fn linear_subscripts_are_taken_apart() {
    // `a[(i*n + j)*m + k]` has three coordinates, also where the row is a pointer of its own or the pointer walks.
    let read = Read::new(
        "void cube(int l, int n, int m, int *a) {
           for (int i = 0; i < l; i++) for (int j = 0; j < n; j++) for (int k = 0; k < m; k++)
             a[(i * n + j) * m + k] = 0;
         }
         void rows(int l, int n, int *a) {
           for (int i = 0; i < l; i++) { int *row = a + i * n; for (int j = 1; j < n; j++) row[j - 1] = row[j]; }
         }
         void walk(int l, int n, int *a) {
           int *p = a;
           for (int i = 0; i < l; i++) { for (int j = 0; j < n; j++) p[j] = 0; p += n; }
         }
         void over(int l, int n, int m, int *a) {
           for (int i = 0; i < l; i++) for (int j = 0; j < m; j++) a[i * n + j] = 0;
         }",
    );
    let f = read.region("cube", &Piece::Loop(0));
    let part = f.part(&f.own.write, "a").unwrap();
    assert!(part.exact && part.may.dimensions() == 3, "{}", part.may);
    let value = |symbol: Symbol| {
        let sizes: BTreeMap<String, i128> = [("l".into(), 2), ("n".into(), 3), ("m".into(), 4)].into();
        sizes.get(&f.name(symbol)?).map(|value| Integer::from(*value))
    };
    for i in -1..4 {
        for j in -1..5 {
            for k in -1..6 {
                let inside = (0..2).contains(&i) && (0..3).contains(&j) && (0..4).contains(&k);
                let point = [i, j, k].map(Integer::from);
                assert_eq!(part.may.contains(&point, &value), Some(inside), "{}", part.may);
            }
        }
    }
    for name in ["rows", "walk"] {
        let f = read.region(name, &Piece::Loop(0));
        let part = f.part(&f.own.write, "a").unwrap();
        assert!(part.exact && part.may.dimensions() == 2, "{name}: {}", part.may);
    }
    // Where rows may overlap they are not taken apart: an interval, and what the first row certainly is.
    let f = read.region("over", &Piece::Loop(0));
    let part = f.part(&f.own.write, "a").unwrap();
    assert!(!part.exact && part.may.dimensions() == 1, "{}", part.may);
    for (l, n, m) in [(3, 2, 5), (1, 4, 2), (4, 1, 1), (0, 3, 3), (3, 6, 2)] {
        let values: BTreeMap<&str, i128> = [("l", l), ("n", n), ("m", m)].into();
        let may = f.elements(&part.may, &values);
        let touched = (0..l).flat_map(|i| (0..m).map(move |j| i * n + j)).collect();
        assert!(may.is_superset(&touched), "{may:?}");
        let first = (0..m).filter(|_| l > 0).collect();
        assert_eq!(f.elements(&part.must, &values), first, "{}", part.must);
    }
}

/// One member is not another, and one element of an array of structures not the next.
#[test]
fn members_of_structures() {
    let read = Read::new(
        "struct pair { int left[4]; int right; };
         static struct pair pairs[6];
         int other_member(int n, struct pair *p) {
           int s = 0;
           for (int i = 0; i < n; i++) { p[i].right = 1; s += p[i].left[2]; }
           return s;
         }
         int same_member(int n, struct pair *p) {
           int s = 0;
           for (int i = 0; i < n; i++) { p[i].right = 1; s += p[i].right; }
           return s;
         }
         int declared(int n) {
           int s = 0;
           for (int i = 0; i < n; i++) { pairs[i].left[1] = 1; s += pairs[i + 1].left[1] + pairs[i].right; }
           return s;
         }
         void through_a_pointer(int n, struct pair *p) {
           for (int i = 0; i < n; i++) { int *here = &p[i].right; *here = 0; }
         }",
    );
    for n in 0..5 {
        let values: BTreeMap<&str, i128> = [("n", n)].into();
        // Where something is needed that was not written before, in bytes of the structure.
        let touched = |name: &str, object: &str, which: usize| -> BTreeSet<i128> {
            let f = read.region(name, &Piece::Loop(0));
            let touch = [&f.own.read, &f.own.write, &f.own.in_][which];
            let Some(part) = f.part(touch, object) else {
                return BTreeSet::new();
            };
            assert!(part.exact, "{name}: {:?}", part.cause);
            f.bytes_of(object, &part.may, &values)
        };
        let member = |at: i128, from: i128, past: i128| -> BTreeSet<i128> {
            (from..past).flat_map(|i| 20 * i + at..20 * i + at + 4).collect()
        };
        assert_eq!(touched("other_member", "p", 0), member(8, 0, n));
        assert_eq!(touched("other_member", "p", 1), member(16, 0, n));
        assert_eq!(touched("other_member", "p", 2), member(8, 0, n));
        assert_eq!(touched("same_member", "p", 2), BTreeSet::new());
        let needed: BTreeSet<i128> = &member(4, 1, n + 1) | &member(16, 0, n);
        assert_eq!(
            touched("declared", "pairs", 2),
            if n > 0 { needed } else { BTreeSet::new() }
        );
        assert_eq!(touched("through_a_pointer", "p", 1), member(16, 0, n));
    }
}

#[test]
fn what_is_left_behind() {
    let read = Read::new(
        "#include <stdlib.h>
         int sum(int n, int *a) {
           int t[16]; int *p = malloc(64); int s = 0;
           for (int i = 0; i < 16; i++) { t[i] = a[i]; p[i] = a[i]; a[i] = 0; }
           for (int i = 0; i < 8; i++) s += t[i] + p[i];
           for (int i = 0; i < 4; i++) a[i] = t[i];
           free(p);
           for (int i = 0; i < 16; i++) t[i] = s;
           return s;
         }",
    );
    let values: BTreeMap<&str, i128> = [("n", 0)].into();
    let first = read.region("sum", &Piece::Loop(0));
    let t = first.part(&first.out, "t").unwrap();
    assert_eq!(first.elements(&t.may, &values), (0..8).collect());
    let a = first.part(&first.out, "a").unwrap();
    assert_eq!(first.elements(&a.may, &values), (4..16).collect());
    let last = read.region("sum", &Piece::Loop(3));
    assert!(last.part(&last.out, "t").is_none());
    // Storage that is released is not left behind.
    assert_eq!(first.out.objects.len(), 3, "{:?}", first.out.objects.keys());
}

/// What a jump in one case says does not hold in the next case for who comes from the head of the switch.
#[test]
fn a_case_is_entered_from_the_head_too() {
    let read = Read::new(
        "static void below(int *w, int y, int z) {
           for (int i = 0; i < y; i++)
             switch (z & 3) {
             case 0:
               if (i <= 2) return;
             default:
               w[z + i] = 0;
             }
         }
         void all(int n, int *b) {
           int v = n;
           while (v-- > 0) below(&b[v + v + 1], v, v);
         }",
    );
    let all = read.region("all", &Piece::Whole);
    let part = all.part(&all.own.write, "b").unwrap();
    for n in 0..14i128 {
        let may = all.elements(&part.may, &[("n", n)].into());
        let rows = (0..n).filter(|v| v % 4 != 0);
        let touched = rows.flat_map(|v| (0..v).map(move |i| 3 * v + 1 + i)).collect();
        assert!(may.is_superset(&touched), "{n}: {may:?}");
    }
}

/// What is touched through a pointer that is another one in each iteration is said by which pointer of the table it is (Juravle §4.2).
#[test]
fn rows_of_a_table() {
    let read = Read::new(
        "void rows(int n, int m, double **w, double *a) {
           for (int i = 0; i < n; i++)
             for (int j = 0; j < m; j++)
               w[i][j] = a[i] + w[i][j];
         }
         void cube(int n, int m, int ***c) {
           for (int i = 0; i < n; i++)
             for (int j = 0; j < m; j++)
               for (int k = 0; k < 5; k++)
                 c[i][j][k] = 0;
         }
         struct box { double *data; int *other; };
         void members(int n, struct box *s) {
           for (int i = 0; i < n; i++)
             s[i].other[0] = s[i].data[1] > 0;
         }
         void changed(int n, int **w) {
           for (int i = 0; i < n; i++) {
             w[i][0] = 1;
             w[i] = w[i] + 1;
             w[i][0] = 1;
           }
         }
         void changed_in_between(int n, int m, int ***c, int *p) {
           c[0][0] = p;
           for (int i = 0; i < n; i++)
             for (int j = 0; j < m; j++)
               c[i][j][0] = 0;
         }
         void changed_below(int n, int m, int ***restrict c, int **q, int *p) {
           q[0] = p;
           for (int i = 0; i < n; i++)
             for (int j = 0; j < m; j++)
               c[i][j][0] = 0;
         }
         void through_a_char(int n, int **w, char *bytes) {
           for (int i = 0; i < n; i++) {
             w[i][0] = 1;
             bytes[i] = 0;
           }
         }
         void own_table(int *p, int *q) {
           int *w[4];
           for (int i = 0; i < 4; i++) if (p[i]) w[i] = p; else w[i] = q;
           for (int i = 0; i < 4; i++) w[(i * i) % 4][0] = 1;
         }
         void counted_in_two_ways(int n, struct box *s) {
           for (int i = 0; i < n; i++) s[i].other[0] = 1;
           for (int i = 0; i < n; i++) s[i].data[0] = 1;
         }",
    );
    for (n, m) in [(3, 4), (0, 3), (5, 1)] {
        let values: BTreeMap<&str, i128> = [("n", n), ("m", m)].into();
        let f = read.region("rows", &Piece::Whole);
        for touch in [&f.own.read, &f.own.write, &f.out] {
            let part = f.rows(touch, "w", 1).unwrap();
            assert!(part.exact && touch.elsewhere.is_none());
            f.is_box(&part.may, &values, &[n, m]);
        }
        // Another row may be the same storage, and written before: nothing is certainly needed.
        let needed = f.rows(&f.own.in_, "w", 1).unwrap();
        f.is_box(&needed.may, &values, &[n, m]);
        assert!(!needed.exact && needed.must.is_plainly_empty());
        // a may be one of the rows.
        let part = f.part(&f.own.in_, "a").unwrap();
        assert!(!part.exact || !part.apart.is_empty(), "{part:?}");
        let f = read.region("cube", &Piece::Whole);
        f.is_box(&f.rows(&f.own.read, "c", 1).unwrap().may, &values, &[n, m]);
        let part = f.rows(&f.own.write, "c", 2).unwrap();
        assert!(part.exact && f.own.write.elsewhere.is_none());
        f.is_box(&part.may, &values, &[n, m, 5]);
    }
    // The members of a structure are pointers with different numbers: s[i].data is 2 * i, s[i].other is 2 * i + 1.
    let f = read.region("members", &Piece::Whole);
    assert!(f.own.read.elsewhere.is_none() && f.own.write.elsewhere.is_none());
    let value = |symbol: Symbol| (f.name(symbol)? == "n").then(|| Integer::from(3));
    for (touch, first, element) in [(&f.own.read, 0, 1), (&f.own.write, 1, 0)] {
        let part = f.rows(touch, "s", 1).unwrap();
        for (x, y) in (-1..8).flat_map(|x| (-1..3).map(move |y| (x, y))) {
            let inside = y == element && (0..3).any(|i| x == 2 * i + first);
            let point = [Integer::from(x), Integer::from(y)];
            assert_eq!(part.may.contains(&point, &value), Some(inside), "{}", part.may);
        }
    }
    for name in [
        "changed",
        "changed_in_between",
        "changed_below",
        "through_a_char",
        "own_table",
    ] {
        let f = read.region(name, &Piece::Whole);
        assert!(
            f.own.write.rows.is_empty() && f.own.write.elsewhere.is_some(),
            "{name}: {:?}",
            f.own.write
        );
    }
    // The loop by itself does not change what is in between.
    let f = read.region("changed_in_between", &Piece::Loop(0));
    assert!(f.rows(&f.own.write, "c", 2).is_some() && f.own.write.elsewhere.is_none());
    let f = read.region("counted_in_two_ways", &Piece::Whole);
    assert!(f.own.write.elsewhere.is_some(), "{:?}", f.own.write);
}

#[test]
fn rows_that_begin_behind_the_object() {
    // In two coordinates, whose zeros are where the first row begins.
    let read = Read::new(
        "void behind(int n, int m, int *a) {
           for (int i = 0; i < n; i++)
             for (int j = 0; j < m; j++) a[i * m + j + 1] = 0;
         }
         void before(int n, int m, int *a, int *b) {
           for (int i = 1; i <= n; i++)
             for (int j = 0; j < m; j++) { a[i * m + j - 1] = b[0]; b[i * m + j - 1] = 0; }
         }
         void both(int n, int m, int *a) {
           for (int i = 0; i < n; i++)
             for (int j = 0; j < m; j++) a[i * m + j] = a[i * m + j + 1];
         }",
    );
    let behind = read.region("behind", &Piece::Whole);
    for (n, m) in [(3, 4), (1, 1), (0, 5), (6, 2), (-2, 3)] {
        let values: BTreeMap<&str, i128> = [("n", n), ("m", m)].into();
        let part = behind.part(&behind.own.write, "a").unwrap();
        assert!(part.exact, "{:?}", part.cause);
        behind.is_box(&part.may, &values, &[n.max(0), m]);
        behind.is_box(&part.must, &values, &[n.max(0), m]);
    }
    let before = read.region("before", &Piece::Whole);
    let values: BTreeMap<&str, i128> = [("n", 3), ("m", 4)].into();
    let part = before.part(&before.own.write, "a").unwrap();
    assert!(part.exact, "{:?}", part.cause);
    // The element b[0] lies in no row of them.
    let part = before.part(&before.own.read, "b").unwrap();
    before.bounds(&before.own.read, "b", &values, &[0].into(), &[0].into());
    assert!(part.exact, "{:?}", part.cause);
    // No one beginning fits both; the elements are bounded all the same.
    let both = read.region("both", &Piece::Whole);
    let all: BTreeSet<i128> = (0..12).collect();
    let first: BTreeSet<i128> = (0..4).collect();
    both.bounds(&both.own.write, "a", &values, &all, &first);
}

/// Functions of the library that touch so many bytes touch exactly these, whatever the length is made of.
#[test]
fn bytes_of_the_library() {
    let read = Read::new(
        "#include <math.h>
         #include <stdlib.h>
         #include <string.h>
         void copied(int n, int m, double *restrict a, const double *restrict b) {
           memcpy(a + 1, &b[m], n * sizeof *a);
         }
         void moved(int n, double *a) {
           memmove(a, a + 1, n * sizeof *a);
         }
         void filled(int n, int m, double *a) {
           memset(a, 0, n * sizeof *a);
           for (int i = 0; i < n; i++) a[i] += m;
         }
         void part_of_it(int n, int m, double *a) {
           memset(a, 0, (n - 1) * sizeof *a);
           for (int i = 0; i < n; i++) a[i] += m;
         }
         int compared(int n, int m, const int *a, const int *b) {
           return memcmp(a, b + m, n * sizeof *a);
         }
         void perhaps(int n, int m, char *to, const char *from) {
           if (m) memcpy(to, from, n);
         }
         void stored(int n, double *a, int *e) {
           for (int i = 0; i < n; i++) a[i] = frexp(a[i], &e[2 * i]);
         }
         void rows(int n, double (*a)[3]) {
           for (int i = 0; i < n; i++) memset(a[i], 0, sizeof a[i]);
         }",
    );
    for (n, m) in [(0i128, 0i128), (1, 2), (4, 3)] {
        let values: BTreeMap<&str, i128> = [("n", n), ("m", m)].into();
        let exactly = |name: &str,
                       touch: for<'r> fn(&'r Region<'_>) -> &'r Touch,
                       object: &str,
                       all: BTreeSet<i128>| {
            let f = read.region(name, &Piece::Whole);
            let part = f.part(touch(&f), object);
            match part {
                Some(part) => {
                    assert!(part.exact, "{name}: {part:?}");
                    assert_eq!(
                        f.elements(&part.may, &values),
                        all,
                        "{name} of {object}, {n}, {m}"
                    );
                    assert_eq!(
                        f.elements(&part.must, &values),
                        all,
                        "{name} of {object}, {n}, {m}"
                    );
                }
                None => assert!(all.is_empty(), "{name} of {object}"),
            }
        };
        exactly("copied", |f| &f.own.write, "a", (1..1 + n).collect());
        exactly("copied", |f| &f.own.in_, "b", (m..m + n).collect());
        exactly("moved", |f| &f.own.write, "a", (0..n).collect());
        exactly("moved", |f| &f.own.in_, "a", (1..1 + n).collect());
        exactly("filled", |f| &f.own.write, "a", (0..n).collect());
        exactly("filled", |f| &f.own.in_, "a", BTreeSet::new());
        if n > 0 {
            exactly("part_of_it", |f| &f.own.in_, "a", (n - 1..n).collect());
        }
        exactly("stored", |f| &f.own.write, "e", (0..n).map(|i| 2 * i).collect());
        // What is compared is read up to the first difference.
        let f = read.region("compared", &Piece::Whole);
        let part = f.part(&f.own.read, "b").unwrap();
        assert_eq!(f.elements(&part.may, &values), (m..m + n).collect());
        assert!(part.must.is_plainly_empty() && !part.exact);
        let f = read.region("perhaps", &Piece::Whole);
        let part = f.part(&f.own.write, "to").unwrap();
        let all: BTreeSet<i128> = if m != 0 { (0..n).collect() } else { BTreeSet::new() };
        assert_eq!(f.elements(&part.may, &values), all);
        let f = read.region("rows", &Piece::Whole);
        let part = f.part(&f.own.write, "a").unwrap();
        assert!(part.exact);
        f.is_box(&part.may, &values, &[n, 3]);
    }
}

/// Of a set with more pieces than a condition is usually laid on, what later iterations write is not taken for written before.
#[test]
fn many_pieces_are_not_written_before() {
    let one = |at: usize| format!("a[{} + {} * i] = s;", 200 * at, at % 7 + 2);
    let body: String = (0..130).map(one).collect();
    let read = Read::new(&format!(
        "double all(double *a) {{
           double s = 0;
           for (int i = 0; i < 4; i++) {{ s += a[3 * i + 1]; {body} }}
           return s;
         }}"
    ));
    let f = read.region("all", &Piece::Loop(0));
    let needed = f.part(&f.own.in_, "a").unwrap();
    // None of them is one that an earlier iteration writes.
    let expected: BTreeSet<i128> = [1, 4, 7, 10].into();
    assert_eq!(f.elements(&needed.may, &BTreeMap::new()), expected);
    assert_eq!(f.elements(&needed.must, &BTreeMap::new()), expected);
}

/// Storage that is released on every path is gone: in cases, before early ends, in loops that leave; not that of another iteration.
#[test]
fn storage_released_on_every_path() {
    let read = Read::new(
        "#include <stdlib.h>
         static double *kept;
         int in_cases(int n, int how, double *a) {
           double *t = malloc(n * sizeof *t);
           for (int i = 0; i < n; i++) t[i] = a[i];
           switch (how) {
             case 0: free(t); return 1;
             case 1: a[0] = t[0];
             case 2: free(t); break;
             default: free(t);
           }
           return 0;
         }
         int early(int n, double *a) {
           double *t = malloc(n * sizeof *t);
           for (int i = 0; i < n; i++) {
             t[i] = a[i];
             if (a[i] > 3) { free(t); return 1; }
           }
           a[0] = t[n / 2];
           free(t);
           return 0;
         }
         void next_iteration(int n, double *a) {
           for (int i = 0; i < n; i++) {
             double *t = malloc(8 * sizeof *t);
             for (int j = 0; j < 8; j++) t[j] = a[i];
             if (t[3] > 2) { free(t); continue; }
             a[i] = t[3];
             free(t);
           }
         }
         void until(int n, double *a) {
           double *t = malloc(8 * sizeof *t);
           for (int i = 0;; i++) {
             t[i & 7] = a[i];
             if (a[i] < 0) { free(t); break; }
           }
         }
         int one_case_less(int n, int how, double *a) {
           double *t = malloc(n * sizeof *t);
           for (int i = 0; i < n; i++) t[i] = a[i];
           switch (how) {
             case 0: free(t); return 1;
             case 1: free(t); break;
           }
           return 0;
         }
         void breaks_out(int n, double *a) {
           double *t = malloc(8 * sizeof *t);
           for (int i = 0; i < n; i++) {
             t[i & 7] = a[i];
             if (a[i] < 0) break;
             if (a[i] > 3) { free(t); return; }
           }
         }
         void first_is_kept(int n, double *a) {
           for (int i = 0;; i++) {
             double *t = malloc(8 * sizeof *t);
             for (int j = 0; j < 8; j++) t[j] = a[j];
             if (i == 0) { kept = t; continue; }
             free(t);
             break;
           }
         }
         void one_of_two(int n, double *a) {
           double *t = malloc(8 * sizeof *t), *u = malloc(8 * sizeof *u);
           for (int j = 0; j < 8; j++) t[j] = u[j] = a[j];
           kept = a[0] > 1 ? u : t;
           free(a[0] > 1 ? t : u);
         }
         void goes_on(int n, double *a) {
           double *t = malloc(8 * sizeof *t);
           for (int i = 0; i < n; i++) {
             t[i & 7] = a[i];
             if (a[i] > 3) continue;
             free(t);
             return;
           }
         }
         void one_case_breaks(int n, int how, double *a) {
           double *t = malloc(n * sizeof *t);
           for (int i = 0; i < n; i++) t[i] = a[i];
           switch (how) {
             case 0: a[0] = 1; break;
             default: free(t);
           }
         }
         void label_inside(int n, int how, double *a) {
           double *t = malloc(n * sizeof *t);
           for (int i = 0; i < n; i++) t[i] = a[i];
           switch (how) {
             default:
               if (n > 3) { free(t); case 1: a[0] = 0; } else free(t);
           }
         }
         void each_case(int n, int how, double *a) {
           double *t = malloc(n * sizeof *t);
           for (int i = 0; i < n; i++) t[i] = a[i];
           switch (how) {
             case 0: a[0] = 1;
             default: free(t);
           }
         }
         void written_again(int n, double *a) {
           double *t = malloc(8 * sizeof *t);
           for (int j = 0; j < 8; j++) t[j] = a[j];
           if (n > 3) free(t); else t[0] = 3;
         }",
    );
    let allocated = |f: &Region<'_>, touch: &Touch| {
        let is = |root: &Symbol| matches!(f.facts.values.symbols.info(*root).kind, SymbolKind::Allocated(_));
        touch.objects.keys().any(is)
    };
    for name in ["in_cases", "early", "until"] {
        let f = read.region(name, &Piece::Whole);
        assert!(allocated(&f, &f.own.write), "{name}");
        assert!(!allocated(&f, &f.out), "{name}");
    }
    let f = read.region("next_iteration", &Piece::Whole);
    assert!(!allocated(&f, &f.own.write) && !allocated(&f, &f.out));
    for name in [
        "one_case_less",
        "breaks_out",
        "one_of_two",
        "written_again",
        "goes_on",
        "one_case_breaks",
        "label_inside",
    ] {
        let f = read.region(name, &Piece::Whole);
        assert!(allocated(&f, &f.out), "{name}");
    }
    // What a loop writes is live behind it unless every path from there releases it.
    for (name, left) in [
        ("one_case_less", true),
        ("one_case_breaks", true),
        ("label_inside", true),
        ("each_case", false),
    ] {
        let f = read.region(name, &Piece::Loop(0));
        assert_eq!(allocated(&f, &f.out), left, "{name}");
    }
    // What is another object in each iteration is known by no name behind the loop.
    let f = read.region("first_is_kept", &Piece::Whole);
    assert!(f.out.elsewhere.is_some());
}

/// Storage that is allocated and released inside is left behind by nobody; what may live on is.
#[test]
fn released_storage() {
    let read = Read::new(
        "#include <stdlib.h>
         static double *kept;
         void scratch(int n, double *a) {
           double *t = malloc(n * sizeof *t);
           for (int i = 0; i < n; i++) t[i] = a[i];
           for (int i = 0; i < n; i++) a[i] = t[n - 1 - i];
           free(t);
         }
         int checked(int n, double *a) {
           double *t = malloc(n * sizeof *t);
           if (!t) return 1;
           for (int i = 0; i < n; i++) t[i] = a[i];
           for (int i = 0; i < n; i++) a[i] = t[n - 1 - i];
           if (t) free(t);
           return 0;
         }
         void in_a_loop(int n, double *a) {
           for (int i = 0; i < n; i++) {
             double *t = malloc(8 * sizeof *t);
             for (int j = 0; j < 8; j++) t[j] = a[i];
             a[i] = t[3];
             free(t);
           }
         }
         int left(int n, double *a) {
           double *t = malloc(n * sizeof *t);
           for (int i = 0; i < n; i++) t[i] = a[i];
           if (a[0] > 3) return 1;
           free(t);
           return 0;
         }
         void kept_by_a_global(int n, double *a) {
           double *t = malloc(n * sizeof *t);
           for (int i = 0; i < n; i++) t[i] = a[i];
           kept = t;
         }
         void perhaps(int n, double *a) {
           double *t = malloc(n * sizeof *t);
           for (int i = 0; i < n; i++) t[i] = a[i];
           if (a[0] > 3) free(t);
         }
         double *moved(int n, double *a) {
           double *t = malloc(n * sizeof *t);
           for (int i = 0; i < n; i++) t[i] = a[i];
           return realloc(t, 2 * n * sizeof *t);
         }
         void given(int n, double *a) {
           for (int i = 0; i < n; i++) a[i] = 0;
           free(a);
         }",
    );
    let allocated = |f: &Region<'_>, touch: &Touch| {
        let is = |root: &Symbol| matches!(f.facts.values.symbols.info(*root).kind, SymbolKind::Allocated(_));
        touch.objects.keys().any(is)
    };
    for name in ["scratch", "checked"] {
        let f = read.region(name, &Piece::Whole);
        assert!(allocated(&f, &f.own.write), "{name}");
        assert!(!allocated(&f, &f.out), "{name}");
        assert!(f.part(&f.out, "a").is_some(), "{name}");
    }
    let f = read.region("in_a_loop", &Piece::Whole);
    assert!(f.own.write.elsewhere.is_none() && !allocated(&f, &f.own.write) && !allocated(&f, &f.out));
    let part = f.part(&f.own.write, "a").unwrap();
    assert_eq!(f.elements(&part.must, &[("n", 4)].into()), (0..4).collect());
    for name in ["left", "kept_by_a_global", "perhaps", "moved"] {
        let f = read.region(name, &Piece::Whole);
        assert!(allocated(&f, &f.out), "{name}");
    }
    let f = read.region("given", &Piece::Whole);
    assert!(f.part(&f.out, "a").is_none() && f.part(&f.own.write, "a").is_some());
}

/// Functions that are too large to be walked where they are called touch sections, not whole objects, also where no loop is around the call.
#[test]
fn sections_of_larger_functions() {
    let read = Read::new(
        "static void smooth(int n, double *to, const double *from) {
           double left = 2, right = 3, both = left + right;
           both = both * 2;
           left = both - 1;
           right = left + both;
           both = both + right;
           for (int i = 1; i < n - 1; i++) to[i] = (from[i - 1] + from[i + 1]) * both;
         }
         void calls(int n, int m, double *restrict a, double *restrict b) {
           smooth(m, a + n, b);
         }
         static double twice(int n, double *t, double s) {
           double left = 2, right = 3;
           left = left * s;
           right = right * left;
           s = left - right;
           for (int i = 0; i < n; i++) t[i] = s;
           for (int i = 0; i < n; i++) s += t[i];
           return s + left + right;
         }
         double writes_first(int n, double *t) { return twice(n, t, 1); }
         static double reads(int n, const double *t, double s) {
           double left = 2, right = 3;
           left = left * s;
           right = right * left;
           s = left - right;
           if (n > 2) s += t[0];
           for (int i = 3; i < n; i++) s += t[i];
           return s + left + right;
         }
         double reads_only(int n, double *t) { return reads(n, t, 1); }
         static void product(int n, int m, double *t) {
           double left = 2, right = 3;
           left = left * n;
           right = right * left;
           left = left - right;
           for (int i = 0; i < n; i++)
             for (int j = 0; j < m; j++)
               t[i * m + j] = left + right;
         }
         void two_loops(int n, int m, double *t) { product(n, m, t); }
         static double grid[6][5];
         void rows(int n, int m) {
           product(n, 5, grid[m]);
           grid[0][0] = 1;
         }",
    );
    for (n, m) in [(0i128, 1i128), (1, 4), (4, 5), (2, 0)] {
        let values: BTreeMap<&str, i128> = [("n", n), ("m", m)].into();
        let f = read.region("calls", &Piece::Whole);
        let part = f.part(&f.own.write, "a").unwrap();
        assert!(part.exact, "{part:?}");
        assert_eq!(f.elements(&part.may, &values), (n + 1..n + m - 1).collect());
        let part = f.part(&f.own.in_, "b").unwrap();
        let all: BTreeSet<i128> = (0..m - 2).chain(2..m).collect();
        assert_eq!(f.elements(&part.may, &values), all);
        assert_eq!(f.elements(&part.must, &values), all);
        let f = read.region("writes_first", &Piece::Whole);
        let part = f.part(&f.own.write, "t").unwrap();
        assert_eq!(f.elements(&part.must, &values), (0..n).collect());
        // It reads what it has written: in which order is not known at the call.
        let part = f.part(&f.own.in_, "t").unwrap();
        assert!(
            part.must.is_plainly_empty() && f.elements(&part.may, &values).is_superset(&(0..n).collect())
        );
        let f = read.region("reads_only", &Piece::Whole);
        let part = f.part(&f.own.in_, "t").unwrap();
        assert_eq!(f.elements(&part.must, &values), (3..n).collect(), "{part:?}");
        let f = read.region("two_loops", &Piece::Whole);
        let part = f.part(&f.own.write, "t").unwrap();
        assert_eq!(f.elements(&part.may, &values), (0..n * m).collect(), "{part:?}");
        assert_eq!(f.elements(&part.must, &values), (0..n * m).collect(), "{part:?}");
    }
    // Where both ends are negative nothing is written.
    let f = read.region("two_loops", &Piece::Whole);
    let part = f.part(&f.own.write, "t").unwrap();
    assert!(
        f.elements(&part.must, &[("n", -2), ("m", -3)].into()).is_empty(),
        "{part:?}"
    );
    // An object with two dimensions keeps them.
    let f = read.region("rows", &Piece::Whole);
    let part = f.part(&f.own.write, "grid").unwrap();
    let value = |symbol: Symbol| match f.name(symbol)?.as_str() {
        "n" => Some(Integer::from(2)),
        "m" => Some(Integer::from(3)),
        _ => None,
    };
    for (x, y) in (0..6i128).flat_map(|x| (0..5i128).map(move |y| (x, y))) {
        let inside = (3..5).contains(&x) || (x, y) == (0, 0);
        let point = [Integer::from(x), Integer::from(y)];
        assert_eq!(
            part.must.contains(&point, &value),
            Some(inside),
            "{x}, {y}: {part:?}"
        );
    }
}
