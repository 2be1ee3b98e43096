//! Where nobody can say which elements are touched, is what is said instead still right, and as tight as it may be?
//!
//! Functions that call themselves, subscripts that are read from memory, and `goto`: an upper bound, no lower one where nothing is certain, and why.

use crate::common;

use common::listed::{Piece, Read, Region};
use ferry_analysis::regions::{Part, Touch};
use ferry_symbolic::Integer;
use std::collections::{BTreeMap, BTreeSet};

/// Every element of an object may be touched, none certainly, for this reason.
fn is_whole(region: &Region<'_>, touch: &Touch, object: &str, why: &str) {
    let part = region.part(touch, object).unwrap();
    is_open(part, why);
    for n in [1, 3] {
        let values = [("n", n), ("m", n)].into();
        assert_eq!(
            region.elements(&part.may, &values),
            (-40..160).collect(),
            "{object}: {}",
            part.may
        );
    }
}

fn is_open(part: &Part, why: &str) {
    let cause = part.cause.as_ref().map(|cause| cause.why.as_ref());
    assert_eq!(cause, Some(why));
    assert!(!part.exact && part.must.is_plainly_empty(), "{part:?}");
}

#[test]
fn functions_that_call_themselves() {
    let read = Read::new(
        "static int table[16], beside[16];
         static void shrink(int *a, int first, int past) {
           if (first >= past) return;
           a[first] += past - first;
           table[first & 15] = past;
           shrink(a, first + 1, past - 1);
         }
         static void odd(int *a, int n);
         static void even(int *a, int n) {
           a[2 * n] = 0;
           if (n > 0) odd(a, n - 1);
         }
         static void odd(int *a, int n) {
           a[2 * n + 1] = 0;
           if (n > 0) even(a, n - 1);
         }
         static int sum(const int *a, int first, int past) {
           if (past - first < 2) return first < past ? a[first] : 0;
           int middle = (first + past) / 2;
           return sum(a, first, middle) + sum(a, middle, past);
         }
         void direct(int n, int *restrict a, int *restrict b) {
           a[0] = 1;
           beside[1] = 2;
           shrink(a, 0, n);
           b[0] = a[0] + beside[1];
         }
         void mutual(int n, int *restrict a, int *restrict b) {
           even(a, n);
           b[n] = 0;
         }
         void only_read(int n, const int *restrict a, int *restrict b) { b[n] = sum(a, 0, n); }",
    );
    let why = "a function that is called touches it";
    let f = read.region("direct", &Piece::Whole);
    for touch in [&f.own.read, &f.own.write, &f.own.in_, &f.out] {
        assert!(touch.elsewhere.is_none());
        if let Some(part) = f.part(touch, "table") {
            is_open(part, why);
            assert!(
                (0..16)
                    .collect::<BTreeSet<i128>>()
                    .is_subset(&f.elements(&part.may, &[("n", 5)].into()))
            );
        }
    }
    assert!(f.part(&f.own.write, "table").is_some() && f.part(&f.out, "table").is_some());
    is_whole(&f, &f.own.in_, "a", why);
    for n in [0, 5] {
        let values: BTreeMap<&str, i128> = [("n", n)].into();
        // What is certain beside the call is kept, and what it does not reach is as it was.
        f.bounds(&f.own.write, "a", &values, &(-40..160).collect(), &[0].into());
        f.exactly(&f.own.write, "b", &values, [0]);
        f.exactly(&f.own.write, "beside", &values, [1]);
        assert!(f.part(&f.own.in_, "beside").is_none());
    }
    let call = read.region("direct", &Piece::Statement("shrink("));
    for touch in [&call.own.read, &call.own.write] {
        is_whole(&call, touch, "a", why);
    }
    assert!(call.part(&call.own.write, "b").is_none() && call.part(&call.own.write, "beside").is_none());
    // The first of two functions that call each other is walked here; what the second does is no longer known.
    let f = read.region("mutual", &Piece::Whole);
    let part = f.part(&f.own.write, "a").unwrap();
    assert!(!part.exact);
    for n in -1..6i128 {
        let values: BTreeMap<&str, i128> = [("n", n)].into();
        let depth = |call: i128| 2 * (n - call) + call % 2;
        let touched: BTreeSet<i128> = (0..=n.max(0)).map(depth).collect();
        let seen: BTreeSet<i128> = touched.iter().copied().filter(|at| *at >= 2 * n - 1).collect();
        let may = f.elements(&part.may, &values);
        assert!(may.is_superset(&touched), "{n}: {}", part.may);
        assert_eq!(f.elements(&part.must, &values), seen, "{n}: {}", part.must);
        // Where the first call is the last one there is no other element.
        assert!(n > 0 || may == touched, "{n}: {}", part.may);
        f.exactly(&f.own.write, "b", &values, [n]);
    }
    let f = read.region("only_read", &Piece::Whole);
    is_whole(&f, &f.own.read, "a", why);
    assert!(f.part(&f.own.write, "a").is_none());
    f.bounds(&f.own.write, "b", &[("n", 4)].into(), &[4].into(), &[4].into());
    assert!(f.own.write.elsewhere.is_none());
}

#[test]
fn subscripts_from_memory() {
    let read = Read::new(
        "static int table[9];
         static const int known[4] = {3, 1, 0, 2};
         void remainders(int n, int m, const int *restrict which, const unsigned *restrict some,
                         const int *restrict x, int *restrict y, int *restrict z, int *restrict u) {
           for (int i = 0; i < n; i++) {
             y[i] = x[which[i] % 7];
             z[some[i] % 7] = 1;
             if (which[i] >= 0 && m > 0) u[which[i] % m] = 1;
             table[which[i]] = 2;
           }
         }
         void filled_here(int n, int *restrict col, const int *restrict x, int *restrict y) {
           for (int i = 0; i < n; i++) {
             col[i] = 3 * i % 7;
             y[i] = x[col[i]];
           }
         }
         void filled_before(int n, int *restrict col, const int *restrict x, int *restrict y) {
           for (int i = 0; i < n; i++) col[i] = 3 * i % 7;
           for (int i = 0; i < n; i++) y[i] = x[col[i]];
         }
         void constants(const int *restrict x, int *restrict y) {
           for (int i = 0; i < 4; i++) y[i] = x[known[i]];
         }
         void small(int n, const unsigned char *restrict bytes, const signed char *restrict around, const short *restrict words,
                    int *restrict x, int *restrict y, int *restrict z) {
           for (int i = 0; i < n; i++) {
             x[bytes[i] / 4]++;
             y[around[i] / 8]++;
             z[words[i]]++;
           }
         }",
    );
    let from_memory = "it depends on a value in memory";
    let f = read.region("remainders", &Piece::Whole);
    for (n, m) in [(0, 3), (4, 5), (3, 1), (4, -2), (2, 0)] {
        let values: BTreeMap<&str, i128> = [("n", n), ("m", m)].into();
        let range =
            |low: i128, high: i128| -> BTreeSet<i128> { (low..if n > 0 { high } else { low }).collect() };
        // A remainder in C has the sign of what is divided.
        for (touch, object, why, may) in [
            (&f.own.read, "x", from_memory, range(-6, 7)),
            (&f.own.write, "z", from_memory, range(0, 7)),
            (&f.own.write, "u", "its subscript is not affine", range(0, m)),
            (&f.own.write, "table", from_memory, range(0, 9)),
        ] {
            let part = f.part(touch, object).unwrap();
            is_open(part, why);
            assert_eq!(
                f.elements(&part.may, &values),
                may,
                "{object} {values:?} {}",
                part.may
            );
        }
        f.exactly(&f.own.write, "y", &values, 0..n);
    }
    // What was written in the same iteration is known by its value.
    let f = read.region("filled_here", &Piece::Whole);
    for n in 0..12 {
        let values: BTreeMap<&str, i128> = [("n", n)].into();
        f.exactly(&f.own.read, "x", &values, (0..n).map(|i| 3 * i % 7));
        f.exactly(&f.own.in_, "col", &values, []);
    }
    // What another loop has written, and tables of constants, are not followed: the whole object.
    let f = read.region("filled_before", &Piece::Whole);
    is_whole(&f, &f.own.read, "x", from_memory);
    let f = read.region("constants", &Piece::Whole);
    is_whole(&f, &f.own.read, "x", from_memory);
    f.exactly(&f.own.read, "known", &BTreeMap::new(), 0..4);
    // Small integers have few values.
    let f = read.region("small", &Piece::Whole);
    for n in [0, 2] {
        let values: BTreeMap<&str, i128> = [("n", n)].into();
        for (object, low, high) in [("x", 0, 64), ("y", -16, 16)] {
            for touch in [&f.own.read, &f.own.write] {
                let part = f.part(touch, object).unwrap();
                is_open(part, from_memory);
                let may = f.elements(&part.may, &values);
                assert_eq!(
                    may,
                    (low..if n > 0 { high } else { low }).collect(),
                    "{object} {}",
                    part.may
                );
            }
        }
    }
    let part = f.part(&f.own.write, "z").unwrap();
    let inside = |at: i128| {
        let value = |symbol| f.name(symbol).map(|_| Integer::from(2));
        part.may.contains(&[Integer::from(at)], &value)
    };
    let ends = [-32769, -32768, 32767, 32768].map(inside);
    assert_eq!(ends, [false, true, true, false].map(Some), "{}", part.may);
}

/// They may touch what they can reach: what they are given, what is known outside, and what else was ever given away; not what only this function knows.
#[test]
fn functions_of_which_nothing_is_known() {
    let read = Read::new(
        "void use(int *p);
         int everyones[8];
         static int own[8];
         void given_away(int n, int *restrict a, int *restrict b) {
           int kept[4], here[4], given[4];
           for (int i = 0; i < 4; i++) kept[i] = here[i] = given[i] = a[i];
           use(given);
           for (int i = 0; i < 4; i++) b[i] = kept[i] + given[i] + everyones[i];
         }
         void through_a_pointer(int n, int *restrict a, void (*what)(int *)) {
           a[0] = 1;
           what(a);
           everyones[0] = a[0] + own[0];
         }",
    );
    let f = read.region("given_away", &Piece::Whole);
    let nobody_knows = |touch: &Touch| {
        let cause = touch.elsewhere.as_ref().map(|cause| cause.why.to_string());
        assert!(
            cause
                .as_ref()
                .is_some_and(|why| why.starts_with("nothing is known of ")),
            "{cause:?}"
        );
    };
    for touch in [&f.own.read, &f.own.write, &f.own.in_] {
        nobody_knows(touch);
    }
    // What the function may have written is not certainly needed from before.
    let needed = &f.own.in_.objects;
    let everyones = needed
        .iter()
        .find(|(root, _)| f.name(**root).as_deref() == Some("everyones"));
    assert!(everyones.is_some_and(|(_, part)| part.must.is_plainly_empty() && !part.exact));
    let call = read.region("given_away", &Piece::Statement("use("));
    nobody_knows(&call.own.write);
    // It is known of this variable that nobody else has its address.
    let first = read.region("given_away", &Piece::Loop(0));
    let objects = |object: &str, touch: &Touch| -> BTreeSet<i128> {
        let mut found = touch.objects.iter();
        let part = found.find(|(root, _)| first.name(**root).as_deref() == Some(object));
        part.map_or_else(BTreeSet::new, |(_, part)| {
            first.elements(&part.may, &BTreeMap::new())
        })
    };
    assert_eq!(objects("kept", &first.out), (0..4).collect());
    assert_eq!(objects("here", &first.out), BTreeSet::new());
    assert!(objects("given", &first.out).is_superset(&(0..4).collect()));
    let f = read.region("through_a_pointer", &Piece::Whole);
    for touch in [&f.own.read, &f.own.write] {
        nobody_knows(touch);
    }
}

/// Nothing is certain in a function with a label, before it, behind it, or in a loop that has none.
#[test]
fn labels() {
    let read = Read::new(
        "void again(int n, int *restrict a) {
           int i = 0;
           a[n + 1] = 5;
           again: a[i] = 0;
           i++;
           if (i < n) goto again;
           a[n] = 1;
         }
         void leaves(int n, int m, int *restrict a, int *restrict b, int *restrict c) {
           for (int i = 0; i < n; i++) {
             for (int j = 0; j < m; j++) {
               if (b[j] < 0) goto end;
               a[i] = j;
             }
             c[i] = 0;
           }
           end: b[0] = 1;
         }
         static int grid[6][5];
         void in_a_grid(int n) {
           for (int i = 0; i < n; i++) {
             grid[i][1] = 0;
             if (grid[i][0] == n) goto end;
           }
           grid[n][2] = 0;
           end: ;
         }
         void beside(int n, int *restrict a) { for (int i = 0; i < n; i++) a[i] = 0; }",
    );
    let why = "the function has a goto";
    let f = read.region("again", &Piece::Whole);
    is_whole(&f, &f.own.write, "a", why);
    is_whole(&f, &f.out, "a", why);
    let f = read.region("leaves", &Piece::Loop(0));
    is_whole(&f, &f.own.write, "a", why);
    is_whole(&f, &f.own.write, "c", why);
    is_whole(&f, &f.own.in_, "b", why);
    let f = read.region("leaves", &Piece::Whole);
    is_whole(&f, &f.own.write, "a", why);
    // Parameters that no one assigns are what they were, wherever control comes from.
    is_whole(&f, &f.own.write, "b", why);
    let f = read.region("in_a_grid", &Piece::Whole);
    for touch in [&f.own.read, &f.own.write] {
        let part = f.part(touch, "grid").unwrap();
        is_open(part, why);
        let point = [5, 4].map(Integer::from);
        assert_eq!(part.may.contains(&point, &|_| None), Some(true), "{}", part.may);
    }
    // It is about the function that has one.
    let f = read.region("beside", &Piece::Whole);
    f.exactly(&f.own.write, "a", &[("n", 4)].into(), 0..4);
}
