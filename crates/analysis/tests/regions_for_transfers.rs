//! Are the regions what transfers can be made of, and the ranges of subscripts tight?
//!
//! The listings of "Beyond do loops" (Guelton, Amini, Creusillet), sections 3 to 5, that move data: isolated statements (1.3 to
//! 1.5), transfers that meet (1.6), iterations that share (1.7, 1.8, theorem 1), vectors (1.9) and boxes (1.10), each as what a
//! load and a store of it must have, computed from the regions by the equations of the paper; and the ranges of Juravle's §6.2 and figure 8.9.
//! The numbers are those of enumeration: the paper's own are wrong in places, which the tests say.

use crate::common;

use common::listed::{CONVOLUTION, Piece, Read, Region};
use ferry_analysis::regions::{Part, Touch};
use ferry_analysis::verdict::Kind;
use ferry_symbolic::set::{Rectangle, Set};
use ferry_symbolic::{Condition, Expr, Integer, Symbol};
use std::collections::{BTreeMap, BTreeSet};

type Values<'a> = BTreeMap<&'a str, i128>;

fn value<'a>(region: &'a Region<'_>, values: &'a Values<'a>) -> impl Fn(Symbol) -> Option<Integer> + 'a {
    move |symbol| {
        let name = region.name(symbol)?;
        values.get(name.as_str()).map(|value| Integer::from(*value))
    }
}

/// The first element of a box in one coordinate, and past the last.
fn ends(region: &Region<'_>, hull: &Rectangle, values: &Values<'_>) -> (i128, i128) {
    let [(low, high)] = hull.bounds.as_slice() else {
        panic!("{hull:?}");
    };
    let at = |end: &Expr| {
        let found = end.evaluate(&value(region, values));
        found
            .and_then(|found| found.to_i128())
            .unwrap_or_else(|| panic!("{end:?} {values:?}"))
    };
    (at(low), at(high))
}

/// The points that some earlier iteration of a loop has too; those of some later one, of so many.
fn of_others(set: &Set, counter: Symbol, before: Option<&Expr>) -> Set {
    let other = Symbol(u32::MAX);
    let renamed = set.substitute(&|symbol| (symbol == counter).then(|| Expr::symbol(other)));
    let (here, there) = (Expr::symbol(counter), Expr::symbol(other));
    let order = match before {
        None => Condition::nonnegative(&there).and(&Condition::less(&there, &here)),
        Some(trip) => Condition::less(&here, &there).and(&Condition::less(&there, trip)),
    };
    let renamed = renamed.constrain(&order);
    let all = renamed.set.project(&[other]).unwrap();
    assert!(renamed.exact && all.exact, "{set}");
    all.set
}

/// Load and store of one iteration (theorem 1), where the regions of one iteration are exact.
fn transfers(one: &Region<'_>, number: usize, object: &str) -> (Set, Set) {
    let of = &one.facts.values.loops[number];
    let exact = |touch: &Touch| {
        let part = one
            .part(touch, object)
            .cloned()
            .unwrap_or_else(|| Part::nothing(1));
        assert!(part.exact, "{object}: {:?}", part.cause);
        part.may
    };
    let (read, write) = (exact(&one.own.read), exact(&one.own.write));
    let trip = of.trip.as_ref().unwrap();
    let known = of_others(&read, of.counter, None)
        .union(&of_others(&write, of.counter, None))
        .unwrap();
    let load = read.subtract(&known).unwrap();
    let store = write
        .subtract(&of_others(&write, of.counter, Some(trip)))
        .unwrap();
    (load, store)
}

fn elements(from: i128, to: i128) -> BTreeSet<i128> {
    (from..to).collect()
}

#[test]
fn an_isolated_while_loop() {
    // Listing 1.3 is made of listing 1.2. Its buffers are too small for their loop, which begins at N / 4, not at zero, and reads
    // at x - y: here is what they must hold.
    let read = Read::new(
        "void foo(int N, int a[N], int randv[N]) {
           int x = N / 4, y = 0;
           while (x <= N / 3) {
             a[x + y] = x + y;
             if (randv[x - y]) x = x + 2; else x++, y++;
           }
         }",
    );
    let all = read.region("foo", &Piece::Loop(0));
    let whole = read.region("foo", &Piece::Whole);
    let written = all.part(&all.own.write, "a").unwrap();
    let store = written.may.hull().unwrap().unwrap();
    let randv = all.part(&all.own.read, "randv").unwrap();
    let load = randv.may.hull().unwrap().unwrap();
    // Every second element is left out.
    assert!(!store.exact && !load.exact);
    // What may be stored and is not certainly written must be loaded before.
    let kept = store_set(&store)
        .subtract(&written.must)
        .unwrap()
        .hull()
        .unwrap()
        .unwrap();
    for n in 1..60 {
        let values: Values<'_> = [("N", n)].into();
        let (x, f) = (n / 4, n / 3);
        assert_eq!(ends(&all, &store, &values), (x, 2 * f - x + 1));
        // Only every second element: the section N/4 to N/3 is one longer than the hull where F - x is odd.
        assert_eq!(ends(&all, &load, &values), (x, x + 2 * ((f - x) / 2) + 1));
        if f > x {
            assert_eq!(ends(&all, &kept, &values), (x + 1, 2 * f - x + 1));
        }
    }
    let values: Values<'_> = [("N", 24)].into();
    for region in [&all, &whole] {
        region.bounds(
            &region.own.write,
            "a",
            &values,
            &[6, 8, 10].into(),
            &[6, 8].into(),
        );
        region.bounds(&region.own.read, "randv", &values, &[6, 8].into(), &[6].into());
    }
}

fn store_set(hull: &Rectangle) -> Set {
    Set::rectangle(&hull.bounds)
}

#[test]
fn statements_by_themselves() {
    // Section 2: what line 6 of listing 1.1 reads, and the loop around it, in terms of the values before each.
    let read = Read::new(
        "int kernel(int i, int n, int k, int src[n], int dst[n - k], int m[k]) {
           int v = 0;
           for (int j = 0; j < k; ++j) v += src[i + j] * m[j];
           dst[i] = v;
           return 0;
         }",
    );
    let line = read.region("kernel", &Piece::Statement("v += src"));
    let around = read.region("kernel", &Piece::Statement("for"));
    let last = read.region("kernel", &Piece::Statement("dst[i]"));
    for (i, j, k) in [(0, 0, 1), (3, 2, 5), (7, 4, 0)] {
        let values: Values<'_> = [("i", i), ("j", j), ("k", k), ("n", 20)].into();
        for touch in [&line.own.read, &line.own.in_] {
            line.exactly(touch, "src", &values, [i + j]);
            line.exactly(touch, "m", &values, [j]);
        }
        for touch in [&around.own.read, &around.own.in_] {
            around.exactly(touch, "src", &values, i..i + k);
            around.exactly(touch, "m", &values, 0..k);
        }
        last.exactly(&last.own.write, "dst", &values, [i]);
        last.exactly(&last.out, "dst", &values, [i]);
    }
    assert!(line.own.write.is_nothing() && around.own.write.is_nothing() && last.own.read.is_nothing());
}

#[test]
fn an_isolated_kernel() {
    // Listings 1.4 and 1.5: one iteration on copies that begin where its sections do. As printed the copy of m is taken from m + i,
    // and every result is put to dst[0].
    let read = Read::new(
        "#include <string.h>
         static void kernel(int i, int n, int k, int *SRC, int *DST, int *M, int of_src, int of_dst, int of_m) {
           int v = 0;
           for (int j = 0; j < k; ++j) v += SRC[i + j - of_src] * M[j - of_m];
           DST[i - of_dst] = v;
         }
         void fir(int n, int k, int *restrict src, int *restrict dst, int *restrict m) {
           int N = n - k + 1;
           for (int i = 0; i < N; ++i) {
             int DST[1], SRC[k], M[k];
             memcpy(SRC, src + i, k * sizeof(int));
             memcpy(M, m, k * sizeof(int));
             kernel(i, n, k, SRC, DST, M, i, i, 0);
             memcpy(dst + i, DST, 1 * sizeof(int));
           }
         }
         void printed(int n, int k, int *restrict src, int *restrict dst, int *restrict m) {
           int N = n - k + 1;
           for (int i = 0; i < N; ++i) {
             int DST[1], SRC[k], M[k];
             memcpy(SRC, src + i, k * sizeof(int));
             memcpy(M, m + i, k * sizeof(int));
             kernel(i, n, k, SRC, DST, M, i, i, 0);
             memcpy(dst, DST + 0, 1 * sizeof(int));
           }
         }",
    );
    let alone = read.region("kernel", &Piece::Whole);
    let inside = read.region("fir", &Piece::Statement("kernel("));
    let all = read.region("fir", &Piece::Whole);
    let printed = read.region("printed", &Piece::Whole);
    for (n, k) in [(5, 1), (10, 3), (4, 4), (2, 4), (6, 2)] {
        let offsets = [("i", 9), ("of_src", 4), ("of_dst", 7), ("of_m", 1)];
        let values: Values<'_> = [("n", n), ("k", k)].into_iter().chain(offsets).collect();
        alone.exactly(&alone.own.read, "SRC", &values, 5..5 + k);
        alone.exactly(&alone.own.read, "M", &values, -1..k - 1);
        alone.exactly(&alone.own.write, "DST", &values, [2]);
        // Each copy is used from its first element to its last.
        let values: Values<'_> = [("n", n), ("k", k), ("i", 2)].into();
        inside.exactly(&inside.own.in_, "SRC", &values, 0..k);
        inside.exactly(&inside.own.in_, "M", &values, 0..k);
        inside.exactly(&inside.own.write, "DST", &values, [0]);
        let runs = (n - k + 1).max(0);
        for touch in [&all.own.read, &all.own.in_] {
            all.exactly(touch, "src", &values, 0..if runs > 0 { n } else { 0 });
            all.exactly(touch, "m", &values, 0..if runs > 0 { k } else { 0 });
        }
        all.exactly(&all.own.write, "dst", &values, 0..runs);
        printed.exactly(&printed.own.read, "m", &values, 0..if runs > 0 { n } else { 0 });
        printed.exactly(&printed.own.write, "dst", &values, 0..runs.min(1));
    }
}

#[test]
fn iterations_that_share() {
    // Theorem 1 for listing 1.1: the first iteration loads all that it reads, each later one a single new element of src and none of m;
    // each stores its own result. Naively 2k(n - k + 1) elements are loaded, so n + k.
    let read = Read::new(
        "void fir(int n, int k, int *restrict src, int *restrict dst, int *restrict m) {
           for (int i = 0; i < n - k + 1; ++i) {
             int v = 0;
             for (int j = 0; j < k; ++j) v += src[i + j] * m[j];
             dst[i] = v;
           }
         }
         void spread(int n, int k, int *restrict src, int *restrict dst, int *restrict m) {
           for (int i = 0; i < n; ++i)
             for (int j = 0; j < k; ++j) dst[i + j] += src[i] * m[j];
         }",
    );
    let one = read.region("fir", &Piece::Iteration(0));
    let (load_src, store_src) = transfers(&one, 0, "src");
    let (load_m, _) = transfers(&one, 0, "m");
    let (load_dst, store_dst) = transfers(&one, 0, "dst");
    assert!(store_src.is_empty() == Ok(true) && load_dst.is_empty() == Ok(true));
    for (n, k) in [(10, 3), (6, 1), (5, 5), (9, 4)] {
        let (mut naive, mut loaded) = (0, 0);
        for i in 0..n - k + 1 {
            let values: Values<'_> = [("n", n), ("k", k), ("i", i)].into();
            one.exactly(&one.own.read, "src", &values, i..i + k);
            one.exactly(&one.own.read, "m", &values, 0..k);
            one.exactly(&one.own.write, "dst", &values, [i]);
            let first = if i == 0 { 0 } else { k - 1 };
            assert_eq!(one.elements(&load_src, &values), elements(i + first, i + k));
            assert_eq!(
                one.elements(&load_m, &values),
                elements(0, if i == 0 { k } else { 0 })
            );
            assert_eq!(one.elements(&store_dst, &values), elements(i, i + 1));
            naive += 2 * k;
            loaded += one.elements(&load_src, &values).len() + one.elements(&load_m, &values).len();
        }
        assert_eq!(naive, 2 * k * (n - k + 1));
        assert_eq!(loaded as i128, n + k);
        if (n, k) == (10, 3) {
            assert_eq!((naive, loaded), (48, 13));
        }
    }
    // Where iterations write what later ones write again, only the last of them stores it.
    let one = read.region("spread", &Piece::Iteration(0));
    let (load, store) = transfers(&one, 0, "dst");
    for (n, k) in [(7, 3), (4, 1), (1, 5), (3, 6)] {
        for i in 0..n {
            let values: Values<'_> = [("n", n), ("k", k), ("i", i)].into();
            let first = if i == 0 { 0 } else { k - 1 };
            assert_eq!(one.elements(&load, &values), elements(i + first, i + k));
            let last = if i == n - 1 { k } else { 1 };
            assert_eq!(one.elements(&store, &values), elements(i, i + last));
        }
    }
}

#[test]
fn copies_that_iterations_share() {
    // Listings 1.7 and 1.8, with the copy of m given to the kernel of both: what the naive transfers and the few of them bring is the same,
    // and nothing of a copy is read before it is there.
    let read = Read::new(
        "#include <string.h>
         static void kernel(int i, int n, int k, int *SRC, int *DST, int *M) {
           int v = 0;
           for (int j = 0; j < k; ++j) v += SRC[i + j] * M[j];
           DST[i] = v;
         }
         void naive(int n, int k, int N, int *restrict src, int *restrict dst, int *restrict m,
                    int *restrict SRC, int *restrict DST, int *restrict M) {
           for (int i = 0; i < N; ++i) {
             memcpy(M, m, k * sizeof(int));
             memcpy(&SRC[i], &src[i], k * sizeof(int));
             kernel(i, n, k, SRC, DST, M);
             memcpy(&dst[i], &DST[i], 1 * sizeof(int));
           }
         }
         void few(int n, int k, int N, int *restrict src, int *restrict dst, int *restrict m,
                  int *restrict SRC, int *restrict DST, int *restrict M) {
           for (int i = 0; i < N; ++i) {
             if (i == 0) {
               memcpy(SRC, src, k * sizeof(int));
               memcpy(M, m, k * sizeof(int));
             } else {
               memcpy(&SRC[i + k - 1], &src[i + k - 1], 1 * sizeof(int));
             }
             kernel(i, n, k, SRC, DST, M);
             memcpy(&dst[i], &DST[i], 1 * sizeof(int));
           }
         }",
    );
    for name in ["naive", "few"] {
        let all = read.region(name, &Piece::Loop(0));
        for (n, k) in [(10, 3), (6, 1), (5, 5), (3, 4)] {
            let runs = (n - k + 1).max(0);
            let values: Values<'_> = [("n", n), ("k", k), ("N", runs)].into();
            let (src, m) = if runs > 0 { (n, k) } else { (0, 0) };
            for touch in [&all.own.read, &all.own.in_] {
                all.exactly(touch, "src", &values, 0..src);
                all.exactly(touch, "m", &values, 0..m);
            }
            all.exactly(&all.own.read, "SRC", &values, 0..src);
            all.exactly(&all.own.write, "SRC", &values, 0..src);
            for copy in ["SRC", "DST", "M"] {
                all.exactly(&all.own.in_, copy, &values, []);
            }
            all.exactly(&all.own.write, "dst", &values, 0..runs);
        }
    }
}

#[test]
fn transfers_that_meet() {
    // Listing 1.6, before and after: bar runs its loop i + 1 times, three times in all, and the regions of foo are the same.
    // Three loads and three stores become one and one: the store between the calls is dead, which the paper keeps.
    // Only in a loop is a function of this size walked where it is called.
    let read = Read::new(
        "#include <string.h>
         static void bar(int i, int *restrict j, int *restrict k) {
           while (i-- >= 0) {
             memcpy(k, j, sizeof(int) * 2);
             k[0]++;
             memcpy(j, k, sizeof(int) * 2);
           }
         }
         void foo(int *restrict j, int *restrict k) {
           bar(0, j, k);
           bar(1, j, k);
         }
         void foos(int times, int *restrict j, int *restrict k) {
           for (int t = 0; t < times; t++) {
             bar(0, j, k);
             bar(1, j, k);
           }
         }
         static void few(int i, int *j, int *k) { while (i-- >= 0) k[0]++; }
         void moved(int times, int *restrict j, int *restrict k) {
           for (int t = 0; t < times; t++) {
             memcpy(k, j, sizeof(int) * 2);
             few(0, j, k);
             memcpy(&j[0], k, sizeof(int) * 2);
             few(1, j, k);
             memcpy(j, &k[0], sizeof(int) * 2);
           }
         }",
    );
    let none: Values<'_> = [("t", 3)].into();
    for name in ["foos", "moved"] {
        let all = read.region(name, &Piece::Iteration(0));
        all.exactly(&all.own.in_, "j", &none, [0, 1]);
        all.exactly(&all.own.in_, "k", &none, []);
        for object in ["j", "k"] {
            all.exactly(&all.own.read, object, &none, [0, 1]);
            all.exactly(&all.own.write, object, &none, [0, 1]);
        }
        // How often k[0] grows, call by call.
        let (_, _, facts) = read.function(name);
        let calls = facts.values.loops.iter().skip(1).filter(|of| !of.section);
        let trips = calls.map(|of| of.trip.as_ref().unwrap().as_constant().unwrap());
        assert_eq!(trips.collect::<Vec<_>>(), [1, 2].map(Integer::from), "{name}");
    }
    // By their sections the calls touch the same, but in which order each does it is not known: of what is needed there is only an upper bound.
    let foo = read.region("foo", &Piece::Whole);
    for object in ["j", "k"] {
        foo.bounds(&foo.own.write, object, &none, &elements(0, 2), &elements(0, 2));
        foo.bounds(&foo.own.in_, object, &none, &elements(0, 2), &BTreeSet::new());
    }
    let first = read.region("moved", &Piece::Statement("memcpy(&j[0]"));
    first.exactly(&first.own.write, "j", &none, [0, 1]);
    // Nobody reads what the store between the calls has stored; what the others bring is read.
    assert!(first.part(&first.out, "j").is_none());
    let last = read.region("moved", &Piece::Statement("memcpy(j, &k"));
    let load = read.region("moved", &Piece::Statement("memcpy(k, j"));
    for (region, object) in [(&last, "j"), (&load, "k")] {
        let left = region.part(&region.out, object).unwrap();
        assert_eq!(region.elements(&left.may, &none), elements(0, 2));
    }
    let few = read.region("few", &Piece::Whole);
    for i in -3..4 {
        let values: Values<'_> = [("i", i)].into();
        few.exactly(&few.own.in_, "k", &values, 0..i128::from(i >= 0));
        few.exactly(&few.own.write, "k", &values, 0..i128::from(i >= 0));
    }
}

#[test]
fn vectors() {
    // Listing 1.9: a scalar product by vectors of four. Each iteration loads four new elements of b and c; of the partial sums only the
    // first one loads, and only the last one needs to store.
    let read = Read::new(
        "#include <string.h>
         static void load(float *to, const float *from) { memcpy(to, from, 4 * sizeof(float)); }
         static void times(float *to, const float *a, const float *b) {
           for (int l = 0; l < 4; l++) to[l] = a[l] * b[l];
         }
         static void plus(float *to, const float *a, const float *b) {
           for (int l = 0; l < 4; l++) to[l] = a[l] + b[l];
         }
         void product(const float *restrict b, const float *restrict c, float *restrict pdata0, float *restrict REDO) {
           float vec00[4], vec10[4], vec20[4], vec30[4];
           for (int i0 = 0; i0 <= 199; i0 += 4) {
             load(vec20, &c[i0]);
             load(vec10, &b[i0]);
             times(vec00, vec10, vec20);
             load(&pdata0[0], vec00);
             load(vec30, &REDO[0]);
             plus(vec30, vec30, vec00);
             load(&REDO[0], vec30);
           }
         }",
    );
    let all = read.region("product", &Piece::Loop(0));
    let none: Values<'_> = BTreeMap::new();
    for object in ["b", "c"] {
        for touch in [&all.own.read, &all.own.in_] {
            let part = all.part(touch, object).unwrap();
            assert!(part.exact, "{:?}", part.cause);
            let inside = |at: i128| part.may.contains(&[Integer::from(at)], &|_| None) == Some(true);
            assert!(
                (-5..210).all(|at| inside(at) == (0..200).contains(&at)),
                "{}",
                part.may
            );
        }
    }
    for touch in [&all.own.read, &all.own.write, &all.own.in_] {
        all.exactly(touch, "REDO", &none, 0..4);
    }
    all.exactly(&all.own.write, "pdata0", &none, 0..4);
    all.exactly(&all.own.in_, "pdata0", &none, []);
    let one = read.region("product", &Piece::Iteration(0));
    let counter = one.facts.values.loops[0].counter;
    for (object, stored) in [("b", false), ("c", false), ("REDO", true), ("pdata0", true)] {
        let (load, store) = transfers(&one, 0, object);
        for (at, first) in [(0, true), (49, false)] {
            let inside = |set: &Set| -> BTreeSet<i128> {
                let value = |symbol: Symbol| (symbol == counter).then(|| Integer::from(at));
                let contains = |x: &i128| set.contains(&[Integer::from(*x)], &value).unwrap();
                (-5..210).filter(contains).collect()
            };
            let loaded = match object {
                "b" | "c" => elements(4 * at, 4 * at + 4),
                "REDO" if first => elements(0, 4),
                _ => BTreeSet::new(),
            };
            assert_eq!(inside(&load), loaded, "{object}");
            let sums = if stored && !first {
                elements(0, 4)
            } else {
                BTreeSet::new()
            };
            assert_eq!(inside(&store), sums, "{object}");
        }
    }
}

#[test]
fn boxes() {
    // Listing 1.10: a box of 90 times 99 of pt goes and comes back, 20 of t go. Where only some elements are changed, all have to
    // go there before; where all are written first, none.
    let read = Read::new(
        "void some(double range, double pt[90][99], const double *restrict t) {
           for (int i = 0; i < 90; i++)
             for (int j = 0; j < 99; j++)
               for (int k = 0; k < 20; k++)
                 if (t[k] * i + j < range) pt[i][j] = t[k];
         }
         void all(double range, double pt[90][99], const double *restrict t) {
           for (int i = 0; i < 90; i++)
             for (int j = 0; j < 99; j++) {
               pt[i][j] = 0;
               for (int k = 0; k < 20; k++)
                 if (t[k] * i + j < range) pt[i][j] += t[k];
             }
         }",
    );
    let box_of = |set: &Set| -> Vec<(i128, i128)> {
        let hull = set.hull().unwrap().unwrap();
        let number = |end: &Expr| end.as_constant().unwrap().to_i128().unwrap();
        hull.bounds
            .iter()
            .map(|(low, high)| (number(low), number(high)))
            .collect()
    };
    for name in ["some", "all"] {
        let f = read.region(name, &Piece::Loop(0));
        let t = f.part(&f.own.read, "t").unwrap();
        assert!(t.exact, "{:?}", t.cause);
        assert_eq!(box_of(&t.may), [(0, 20)]);
        let pt = f.part(&f.own.write, "pt").unwrap();
        assert_eq!(box_of(&pt.may), [(0, 90), (0, 99)]);
        // Load = R + (Store - W), of what is certainly written.
        let store = Set::rectangle(&pt.may.hull().unwrap().unwrap().bounds);
        let kept = store.subtract(&pt.must).unwrap();
        if name == "all" {
            assert!(pt.exact && kept.is_empty() == Ok(true) && f.part(&f.own.in_, "pt").is_none());
        } else {
            assert!(pt.must.is_plainly_empty() && f.part(&f.own.read, "pt").is_none());
            assert_eq!(box_of(&kept), [(0, 90), (0, 99)]);
        }
    }
}

#[test]
fn hulls_of_a_convolution() {
    // Juravle §6.2: the hull of the three shifts.
    let read = Read::new(CONVOLUTION);
    let f = read.region("f", &Piece::Loop(0));
    let hull = f.part(&f.own.read, "in").unwrap().may.hull().unwrap().unwrap();
    assert!(!hull.exact);
    for size in 1..12 {
        for slice in 1..12 {
            let values: Values<'_> = [("size", size), ("slice", slice)].into();
            let last = if slice >= 2 { 2 * size + slice - 2 } else { size };
            assert_eq!(ends(&f, &hull, &values), (slice.min(size - slice), last + 1));
        }
    }
}

#[test]
fn ranges_of_figure_8_9() {
    // Juravle, figure 8.9, each of its values as a subscript. Tighter than the figure: mux is one of two, not all between them, and k the squares' hull.
    let read = Read::new(
        "void values(int n, int m, int *restrict bytes, int *restrict then, int *restrict otherwise,
                     int *restrict chosen, int *restrict sums, int *restrict in, int *restrict out) {
           for (int i = 0; i < n; i++) {
             char *aux = (char *)in;
             int k = i * i;
             out[i] = aux[k];
             bytes[k] = 1;
             if (i < m) {
               then[i] = 1;
             } else {
               int j = i * out[0];
               int l = j * aux[i];
               otherwise[i] = l;
             }
             int mux = m > 10 ? n : m;
             chosen[mux] = 1;
             int w = mux + i;
             sums[w] = 1;
           }
         }",
    );
    let f = read.region("values", &Piece::Loop(0));
    for n in 1..13 {
        for m in -2..14 {
            let values: Values<'_> = [("n", n), ("m", m)].into();
            let k = f.part(&f.own.write, "bytes").unwrap();
            let (k, squares) = (f.elements(&k.may, &values), (0..n).map(|i| i * i));
            assert!(k.is_superset(&squares.collect()) && k.is_subset(&elements(0, (n - 1) * (n - 1) + 1)));
            f.exactly(&f.own.write, "then", &values, 0..m.min(n));
            f.exactly(&f.own.write, "otherwise", &values, m.max(0)..n);
            let mux = if m > 10 { n } else { m };
            f.exactly(&f.own.write, "chosen", &values, [mux]);
            f.exactly(&f.own.write, "sums", &values, mux..mux + n);
            assert!((m.min(n)..=m.max(n)).contains(&mux));
            f.exactly(&f.own.read, "out", &values, (0..1).filter(|_| n > m.max(0)));
        }
    }
    // The first iteration writes out[0], and those from max(1, m) on read it: if there are any. The read has a condition, and of such a one
    // the verdict does not say that it certainly happens, only that the two meet.
    let (may, meet) = (
        "an iteration may read what another one writes",
        "an iteration reads what another one writes",
    );
    for (parameters, values, expected) in [
        ("int n, int m, ", "", Some(may)),
        ("", "int n = 8, m = 3;", Some(meet)),
        ("", "int n = 2, m = 0;", Some(meet)),
        ("", "int n = 8, m = 8;", None),
        ("", "int n = 1, m = 0;", None),
    ] {
        let figure = Read::new(&format!(
            "int figure({parameters}int *restrict in, int *restrict out) {{
               {values}
               int sum = 0;
               for (int i = 0; i < n; i++) {{
                 char *aux = (char *)in;
                 int k = i * i;
                 out[i] = aux[k];
                 if (i < m) {{
                   sum += i;
                 }} else {{
                   int j = i * out[0];
                   int l = j * aux[i];
                   sum += l;
                 }}
                 int mux = m > 10 ? n : m;
                 int w = mux + i;
                 sum += w;
               }}
               return sum;
             }}"
        ));
        let verdict = &figure.function("figure").2.verdicts[0];
        let why: Vec<&str> = verdict
            .obstacles
            .iter()
            .map(|one| one.cause.why.as_ref())
            .collect();
        assert_eq!(why, Vec::from_iter(expected), "{values}");
        let kind = if expected.is_some() {
            Kind::Unknown
        } else {
            Kind::Parallel
        };
        assert_eq!(verdict.kind, kind, "{values}");
    }
}
