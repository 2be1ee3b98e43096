//! Small texts, and what the sets that are found for them have: how tests ask for the elements of a region.

use super::{Analysed, Program, Setting};
use ferry_analysis::effects::Effects;
use ferry_analysis::loops::Induction;
use ferry_analysis::regions::{Part, RegionSet, Regions, Touch, View};
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::FunctionFacts;
use ferry_ir::{FunctionRef, LocalId, StmtId, Unit, VariableRef};
use ferry_symbolic::set::Set;
use ferry_symbolic::{Expr, Integer, Symbol};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The convolution of Juravle §6.2: a value that is chosen by a condition on the counters.
pub const CONVOLUTION: &str = "void f(int size, int slice, int *in, int *out) {
           for (int i = 0; i < size; i++) {
             int x = 0;
             for (int k = i - slice; k < i + slice; k++) {
               int idx = 0;
               if (k >= 0 && k < size) idx = slice + k; else idx = size + k;
               x += in[idx];
             }
             out[i] = x;
           }
         }";

/// A text, analysed.
pub struct Read {
    analysed: Analysed,
}

/// A piece of it.
pub enum Piece {
    Whole,
    /// The loop with this number, in text order.
    Loop(usize),
    /// One iteration of the loop with this number, in terms of the values before it.
    Iteration(usize),
    /// The shortest statement whose text begins so.
    Statement(&'static str),
}

impl Read {
    pub fn new(text: &str) -> Read {
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

    pub fn function(&self, name: &str) -> (&Unit, FunctionRef, &FunctionFacts) {
        let unit = &self.analysed.units[0];
        let (id, _) = unit
            .functions()
            .find(|(_, function)| function.name == name)
            .unwrap();
        (unit, id, &self.analysed.facts[&(0, id)])
    }

    fn statement(&self, function: FunctionRef, text: &str) -> StmtId {
        let mut found = Vec::new();
        self.analysed.statements(0, function, &mut |stmt| {
            if let Some(span) = stmt.origin.span() {
                let own = String::from_utf8_lossy(self.analysed.sources.text(span));
                if own.starts_with(text) {
                    found.push((own.len(), stmt.id));
                }
            }
        });
        found.into_iter().min().unwrap().1
    }

    pub fn region(&self, function: &str, piece: &Piece) -> Region<'_> {
        let (unit, id, facts) = self.function(function);
        let effects = Effects::of_unit(unit);
        let regions = Regions::of_function(unit, id, &effects, &facts.values);
        let stmt = match piece {
            Piece::Whole => unit.function(id).body.as_ref().unwrap().id,
            Piece::Loop(number) => facts.values.loops[*number].stmt,
            Piece::Iteration(number) => {
                let of = facts.values.loops[*number].stmt;
                self.analysed.loop_statements(0, id)[&of].body.id
            }
            Piece::Statement(text) => self.statement(id, text),
        };
        let own = regions.of(stmt).unwrap();
        let touched = own.read.objects.keys().chain(own.write.objects.keys());
        let views = touched.filter_map(|root| Some((*root, regions.view(*root)?.clone())));
        let views = views.collect();
        Region {
            own,
            views,
            out: regions.out(stmt).unwrap_or_default(),
            unit,
            facts,
        }
    }
}

/// The regions of one piece.
pub struct Region<'a> {
    pub own: RegionSet,
    pub out: Touch,
    pub unit: &'a Unit,
    pub facts: &'a FunctionFacts,
    /// How the points of each object are counted.
    pub views: BTreeMap<Symbol, View>,
}

impl Region<'_> {
    fn local(&self, local: LocalId) -> Option<String> {
        self.facts
            .values
            .locals
            .get(local.0 as usize)
            .map(|local| local.name.clone())
    }

    pub fn name(&self, symbol: Symbol) -> Option<String> {
        match self.facts.values.symbols.info(symbol).kind {
            SymbolKind::Entry(variable) | SymbolKind::Address(variable) => match variable {
                VariableRef::Local(local) => self.local(local),
                VariableRef::Global(global) => Some(self.unit.global(global).name.clone()),
            },
            SymbolKind::Counter(of) => {
                let of = self.facts.values.loops.iter().find(|one| one.stmt == of)?;
                let is_counter = |one: &&Induction| one.start.is_zero() && one.step() == Some(&Expr::one());
                match of.inductions.iter().find(is_counter)?.variable {
                    VariableRef::Local(local) => self.local(local),
                    VariableRef::Global(_) => None,
                }
            }
            _ => None,
        }
    }

    fn value(&self, symbol: Symbol, values: &BTreeMap<&str, i128>) -> Option<Integer> {
        let name = self.name(symbol)?;
        values.get(name.as_str()).map(|value| Integer::from(*value))
    }

    pub fn part<'a>(&self, touch: &'a Touch, object: &str) -> Option<&'a Part> {
        assert!(touch.elsewhere.is_none(), "{:?}", touch.elsewhere);
        let mut found = touch.objects.iter();
        found
            .find(|(root, _)| self.name(**root).as_deref() == Some(object))
            .map(|(_, part)| part)
    }

    /// What is touched through so many pointers from a table.
    pub fn rows<'a>(&self, touch: &'a Touch, table: &str, pointers: usize) -> Option<&'a Part> {
        let mut found = touch.rows.iter();
        found
            .find(|(family, _)| {
                family.pointers == pointers && self.name(family.table).as_deref() == Some(table)
            })
            .map(|(_, rows)| &rows.part)
    }

    /// Exactly the points of a box are in a set, for these values of variables.
    pub fn is_box(&self, set: &Set, values: &BTreeMap<&str, i128>, sizes: &[i128]) {
        let value = |symbol| self.value(symbol, values);
        let mut points: Vec<Vec<i128>> = vec![Vec::new()];
        for _ in sizes {
            let with = |point: Vec<i128>| (-1..7).map(move |at| [point.clone(), vec![at]].concat());
            points = points.into_iter().flat_map(with).collect();
        }
        for point in points {
            let inside = point.iter().zip(sizes).all(|(at, size)| (0..*size).contains(at));
            let integers: Vec<Integer> = point.iter().copied().map(Integer::from).collect();
            assert_eq!(
                set.contains(&integers, &value),
                Some(inside),
                "{point:?} {values:?} {set}"
            );
        }
    }

    /// All elements of a set of one coordinate for these values of variables.
    pub fn elements(&self, set: &Set, values: &BTreeMap<&str, i128>) -> BTreeSet<i128> {
        let value = |symbol| self.value(symbol, values);
        (-40..160)
            .filter(|at| {
                let inside = set.contains(&[Integer::from(*at)], &value);
                inside.unwrap_or_else(|| panic!("{set} depends on more than {values:?}"))
            })
            .collect()
    }

    /// The bytes of an object that a set stands for, as its view counts them.
    pub fn bytes_of(&self, object: &str, set: &Set, values: &BTreeMap<&str, i128>) -> BTreeSet<i128> {
        let number = |expr: &Expr| expr.as_constant().and_then(|number| number.to_i128()).unwrap();
        let mut views = self.views.iter();
        let (_, view) = views
            .find(|(root, _)| self.name(**root).as_deref() == Some(object))
            .unwrap();
        let value = |symbol| self.value(symbol, values);
        let mut points: Vec<(Vec<Integer>, i128)> = vec![(Vec::new(), number(&view.origin))];
        for dimension in 0..view.dimensions() {
            // The last coordinate may be the byte in an element.
            let stride = view.strides.get(dimension).map_or(1, &number);
            let all = if dimension < view.strides.len() {
                -2..30
            } else {
                -1..i128::from(view.element) + 1
            };
            let with = |(point, at): (Vec<Integer>, i128)| {
                all.clone().map(move |next| {
                    (
                        [point.clone(), vec![Integer::from(next)]].concat(),
                        at + next * stride,
                    )
                })
            };
            points = points.into_iter().flat_map(with).collect();
        }
        points.retain(|(point, _)| set.contains(point, &value).unwrap());
        let (first, size) = match (view.part, view.bytes) {
            (Some((first, size)), _) => (i128::from(first), i128::from(size)),
            (None, true) => (0, 1),
            (None, false) => (0, i128::from(view.element)),
        };
        points
            .into_iter()
            .flat_map(|(_, at)| at + first..at + first + size)
            .collect()
    }

    /// The upper and the lower bound have these elements.
    pub fn bounds(
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
    pub fn exactly(
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
