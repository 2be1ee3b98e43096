//! Do the regions have the elements that the papers, read closely, say?
//!
//! Every listing of "Beyond do loops" (Guelton, Amini, Creusillet), its examples without number, and Juravle's §6.2 and
//! figure 8.9, each with the elements that enumeration by hand gives, at several sizes. What the papers themselves get
//! wrong is corrected (the sets here are the tight ones).

mod common;

use common::{Analysed, Program, Setting};
use ferry_analysis::effects::Effects;
use ferry_analysis::regions::{Part, RegionSet, Regions, Touch};
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::FunctionFacts;
use ferry_ir::{FunctionRef, Unit, VariableRef};
use ferry_symbolic::{Integer, Symbol};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A text, analysed.
struct Read {
    analysed: Analysed,
}

/// A piece of it.
enum Piece {
    Whole,
    /// The loop with this number, in text order.
    Loop(usize),
}

impl Read {
    fn new(text: &str) -> Read {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("ferry-regions-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("listing.c");
        std::fs::write(&path, text).unwrap();
        let program = Program {
            name: "listing".into(),
            files: vec![path],
            flags: Vec::new(),
            sizes: None,
        };
        let analysed = Analysed::new(&program, &Setting::plain()).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        Read { analysed }
    }

    fn function(&self, name: &str) -> (&Unit, FunctionRef, &FunctionFacts) {
        let unit = &self.analysed.units[0];
        let (id, _) = unit
            .functions()
            .find(|(_, function)| function.name == name)
            .unwrap();
        (unit, id, &self.analysed.facts[&(0, id)])
    }

    fn region(&self, function: &str, piece: &Piece) -> Region<'_> {
        let (unit, id, facts) = self.function(function);
        let regions = Regions::of_function(unit, id, &Effects::of_unit(unit), &facts.values);
        let stmt = match piece {
            Piece::Whole => unit.function(id).body.as_ref().unwrap().id,
            Piece::Loop(number) => facts.values.loops[*number].stmt,
        };
        Region {
            own: regions.of(stmt).unwrap().clone(),
            unit,
            id,
            facts,
        }
    }
}

/// The regions of one piece.
struct Region<'a> {
    own: RegionSet,
    unit: &'a Unit,
    id: FunctionRef,
    facts: &'a FunctionFacts,
}

impl Region<'_> {
    fn name(&self, symbol: Symbol) -> Option<String> {
        match self.facts.values.symbols.info(symbol).kind {
            SymbolKind::Entry(variable) | SymbolKind::Address(variable) => Some(match variable {
                VariableRef::Local(local) => self.unit.function(self.id).local(local).name.clone(),
                VariableRef::Global(global) => self.unit.global(global).name.clone(),
            }),
            _ => None,
        }
    }

    fn part<'a>(&self, touch: &'a Touch, object: &str) -> Option<&'a Part> {
        assert!(touch.elsewhere.is_none(), "{:?}", touch.elsewhere);
        let mut found = touch.objects.iter();
        found
            .find(|(root, _)| self.name(**root).as_deref() == Some(object))
            .map(|(_, part)| part)
    }

    /// All elements of a set of one coordinate for these values of variables.
    fn elements(&self, set: &ferry_symbolic::set::Set, values: &BTreeMap<&str, i128>) -> BTreeSet<i128> {
        let value = |symbol: Symbol| {
            let name = self.name(symbol)?;
            values.get(name.as_str()).map(|value| Integer::from(*value))
        };
        (-40..160)
            .filter(|at| {
                let inside = set.contains(&[Integer::from(*at)], &value);
                inside.unwrap_or_else(|| panic!("{set} depends on more than {values:?}"))
            })
            .collect()
    }

    /// The upper and the lower bound have these elements.
    fn bounds(
        &self,
        touch: &Touch,
        object: &str,
        values: &BTreeMap<&str, i128>,
        may: &BTreeSet<i128>,
        must: &BTreeSet<i128>,
    ) {
        let Some(part) = self.part(touch, object) else {
            assert!(may.is_empty(), "{object} is not there: {values:?}");
            return;
        };
        assert_eq!(
            self.elements(&part.may, values),
            *may,
            "may {object} {values:?} {}",
            part.may
        );
        assert_eq!(
            self.elements(&part.must, values),
            *must,
            "must {object} {values:?} {}",
            part.must
        );
    }

    /// Exactly these elements, and the analysis knows it.
    fn exactly(
        &self,
        touch: &Touch,
        object: &str,
        values: &BTreeMap<&str, i128>,
        elements: impl IntoIterator<Item = i128>,
    ) {
        let elements: BTreeSet<i128> = elements.into_iter().collect();
        if let Some(part) = self.part(touch, object) {
            assert!(part.exact, "{object}: {:?}", part.cause);
        }
        self.bounds(touch, object, values, &elements, &elements);
    }
}

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
            one.exactly(&one.own.out, "dst", &values, [3]);
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
         void h(int n, int *t) { for (int i = 0; i < n; i++) t[i] = t[i + 1]; }",
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
    let read = Read::new(
        "void f(int size, int slice, int *in, int *out) {
           for (int i = 0; i < size; i++) {
             int x = 0;
             for (int k = i - slice; k < i + slice; k++) {
               int idx = 0;
               if (k >= 0 && k < size) idx = slice + k; else idx = size + k;
               x += in[idx];
             }
             out[i] = x;
           }
         }",
    );
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
