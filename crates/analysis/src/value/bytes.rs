//! What does a call touch, if the function is one of the library that is known by its bytes?
//!
//! `memcpy(b + i * m, a + i * m, m * sizeof *b)` touches `m` elements of each array: one access in a loop of its own, like the
//! sections of a function of the file, but certain. The elements are of the type that the program's pointer has, if the bytes are
//! a whole number of them, with the subscripts that the text has.
//!
//! A length is a `size_t`, and a number of elements that is negative becomes a very large one. No object has so many bytes:
//! where the length as mathematics lies within 2^63 on either side, a call that is defined has exactly so many, and it
//! is not negative.
//!
//! What it cannot do: lengths of which that is not known (a product of two `long`) are the value that may have wrapped around.

use super::{Kills, Store, Walker};
use crate::access::{Access, AccessKind, Guard, Subscript};
use crate::effects::bytes::{Bytes, Count};
use crate::quotient::exact_quotient;
use crate::state::State;
use crate::symbols::SymbolKind;
use ferry_ir::{Expr as Code, ExprKind, FunctionRef, Stmt, Type, TypeId};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Integer, Symbol};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Bytes at a call, in terms of the caller.
pub(super) struct PlacedBytes {
    kind: AccessKind,
    certain: bool,
    root: Symbol,
    /// The first byte.
    address: Expr,
    bytes: Expr,
    elements: Elements,
    /// What the function's parameter points to: bytes of any type for most.
    ty: TypeId,
}

/// Bytes as elements of one size.
pub(super) struct Elements {
    /// Bytes of one.
    pub size: u64,
    /// How many.
    pub count: Expr,
    /// The subscripts of the first one; none if the program's text has no such elements.
    pub subscripts: Vec<Subscript>,
}

/// How deep conversions lie in one another.
const DEPTH: usize = 8;

impl Walker<'_> {
    /// The bytes that a call touches; `None` if one of the pointers or lengths is not known.
    pub(super) fn placed_bytes(
        &mut self,
        all: &[Bytes],
        arguments: &[Code],
        values: &[Option<Expr>],
        state: &mut State,
    ) -> Option<Vec<PlacedBytes>> {
        let mut placed = Vec::new();
        for one in all {
            let (code, address) = (arguments.get(one.argument)?, values.get(one.argument)?.clone()?);
            // Nothing is there: `strtol(text, NULL, 10)`, `memset(NULL, 0, 0)`.
            if address.is_zero() {
                continue;
            }
            let ty = self.unit.types.pointee(code.ty)?;
            let bytes = match one.count {
                Count::Argument(number) => self.bytes_of(values.get(number)?.as_ref()?, state),
                Count::Product(number, size) => {
                    let number = self.bytes_of(values.get(number)?.as_ref()?, state);
                    let size = self.bytes_of(values.get(size)?.as_ref()?, state);
                    &number * &size
                }
                Count::Value => Expr::int(i128::from(self.unit.types.size(ty)?)),
            };
            let root = self.root(&address)?;
            let elements = self.elements(code, &address, root, &bytes, state);
            if bytes.is_oversize() || address.is_oversize() {
                return None;
            }
            placed.push(PlacedBytes {
                kind: one.kind,
                certain: one.certain,
                root,
                address,
                bytes,
                elements,
                ty,
            });
        }
        Some(placed)
    }

    /// A number of bytes as it is where the call is defined.
    fn bytes_of(&mut self, value: &Expr, state: &mut State) -> Expr {
        let exact = self.before_wrapping(value);
        let end = Integer::power_of_two(63);
        let low = -end.clone();
        if !self.lies_between(&exact, low, end - Integer::from(1), state) {
            return value.clone();
        }
        if exact.as_constant().is_none() {
            state.facts.assume_nonnegative(exact.clone());
        }
        exact
    }

    /// A value that is the same modulo 2^64, without the conversions to 64 bits in it.
    fn before_wrapping(&self, value: &Expr) -> Expr {
        let wide = |ty: TypeId| matches!(self.unit.types.get(ty), Type::Int { bits: 64, .. });
        let mut value = value.clone();
        for _ in 0..DEPTH {
            let own = value.symbols();
            let converted: BTreeMap<Symbol, &Expr> = self
                .conversions
                .iter()
                .filter(|((_, ty), symbol)| wide(*ty) && own.contains(symbol))
                .map(|((from, _), symbol)| (*symbol, from))
                .collect();
            // Sums and products only: a quotient of what has wrapped around is another number.
            let inside = |atom: &ferry_symbolic::Atom| {
                let inside = Expr::atom(atom.clone()).symbols();
                atom.as_symbol().is_none() && inside.iter().any(|symbol| converted.contains_key(symbol))
            };
            let hidden = value
                .terms()
                .any(|term| term.monomial.factors().iter().any(|(atom, _)| inside(atom)));
            if converted.is_empty() || hidden {
                break;
            }
            let next = value.substitute_all(&|symbol| converted.get(&symbol).map(|from| (*from).clone()));
            if next.is_oversize() {
                break;
            }
            value = next;
        }
        value
    }

    /// The bytes from an address on as elements, by the type that the program's pointer has.
    fn elements(
        &mut self,
        code: &Code,
        address: &Expr,
        root: Symbol,
        bytes: &Expr,
        state: &mut State,
    ) -> Elements {
        let mut code = code;
        while let ExprKind::Cast(inner) = &code.kind
            && self.unit.types.pointee(inner.ty).is_some()
        {
            code = inner;
        }
        let own = self.unit.types.pointee(code.ty);
        let mut open = own;
        while let Some(ty) = open {
            // Rows, and then what they are made of.
            open = match self.unit.types.get(ty) {
                Type::Array { element, .. } => Some(*element),
                _ => None,
            };
            let Some((size, count)) = self.counted(bytes, ty) else {
                continue;
            };
            if let (ExprKind::AddressOf(place), true) = (&code.kind, own == Some(ty)) {
                // It was evaluated once already: what it loads is not kept a second time.
                let before = (self.accesses.len(), self.order);
                let subscripts = self.place(place, state).subscripts;
                self.accesses.truncate(before.0);
                self.order = before.1;
                let whole = Expr::int(i128::from(size));
                if count == Expr::one() || self.fit_in_row(&subscripts, &count, &whole, state) {
                    return Elements {
                        size,
                        count,
                        subscripts,
                    };
                }
            }
            if let Some(found) = self.counted_from(address, root, bytes, ty) {
                return found;
            }
        }
        self.elements_of(address, root, bytes).unwrap_or(Elements {
            size: 1,
            count: bytes.clone(),
            subscripts: Vec::new(),
        })
    }

    /// Bytes as elements of what a root is declared to point to, if they are a whole number of them.
    pub(super) fn elements_of(&self, address: &Expr, root: Symbol, bytes: &Expr) -> Option<Elements> {
        let info = self.symbols.info(root);
        let mut open = match info.kind {
            SymbolKind::Address(variable) => match self.unit.types.get(self.type_of(variable)) {
                Type::Array { element, .. } => Some(*element),
                _ => None,
            },
            _ => self.unit.types.pointee(info.ty?),
        };
        while let Some(ty) = open {
            if let Some(found) = self.counted_from(address, root, bytes, ty) {
                return Some(found);
            }
            open = match self.unit.types.get(ty) {
                Type::Array { element, .. } => Some(*element),
                _ => None,
            };
        }
        None
    }

    /// Bytes as elements of a type that are counted from the root.
    fn counted_from(&self, address: &Expr, root: Symbol, bytes: &Expr, ty: TypeId) -> Option<Elements> {
        let (size, count) = self.counted(bytes, ty)?;
        let whole = Expr::int(i128::from(size));
        let index = exact_quotient(&(address - &Expr::symbol(root)), &whole)?;
        Some(Elements {
            size,
            count,
            subscripts: vec![Subscript {
                index: Some(index),
                extent: None,
                stride: Some(whole),
            }],
        })
    }

    /// The size of a type, and how many such elements bytes are, if they are a whole number of them.
    fn counted(&self, bytes: &Expr, ty: TypeId) -> Option<(u64, Expr)> {
        let size = self.unit.types.size(ty).filter(|size| *size > 1)?;
        let count = exact_quotient(bytes, &Expr::int(i128::from(size)))?;
        Some((size, count))
    }

    /// True if so many elements from these subscripts on are in one row of what they subscript.
    fn fit_in_row(&self, subscripts: &[Subscript], count: &Expr, size: &Expr, state: &State) -> bool {
        let Some((last, around)) = subscripts.split_last() else {
            return false;
        };
        let (Some(index), Some(stride)) = (&last.index, &last.stride) else {
            return false;
        };
        let ends_in_it = || {
            let left = last.extent.as_ref().map(|extent| &(extent - index) - count);
            left.is_some_and(|left| {
                state.facts.prove_nonnegative(&left) && state.facts.prove_nonnegative(index)
            })
        };
        stride == size && (around.is_empty() || ends_in_it())
    }

    /// Records one access for each of them; `origins` is where the call is, and what it calls back.
    pub(super) fn touch_bytes(
        &mut self,
        stmt: &Stmt,
        function: FunctionRef,
        placed: &[PlacedBytes],
        origins: &[Origin],
        state: &State,
    ) {
        for one in placed {
            self.order += 1;
            // What a called function keeps in its own variables is gone when it returns.
            let own = !self.with_directives && self.is_callee_variable(Some(one.root));
            if !self.recording() || own {
                continue;
            }
            let Elements {
                size,
                count,
                subscripts,
            } = &one.elements;
            let trip = Expr::max(&Expr::zero(), count);
            let index = self.open_section(stmt, trip, state);
            let of = &self.loops[index.0 as usize];
            let (depth, counter) = (of.depth, Expr::symbol(of.counter));
            let mut facts = state.facts.clone();
            facts.assume_nonnegative(&counter);
            facts.assume_positive(&(count - &counter));
            self.loops[index.0 as usize].facts_inside = facts.clone();
            // A single element does not move.
            let k = match *count == Expr::one() {
                true => Expr::zero(),
                false => counter,
            };
            let mut subscripts = subscripts.clone();
            if let Some(last) = subscripts.last_mut() {
                last.index = last.index.as_ref().map(|index| index + &k);
            }
            let mut loops = self.open_loops();
            loops.push(index);
            let mut guards = self.guards.clone();
            if !one.certain {
                guards.push(Guard::unknown(depth));
            }
            self.accesses.push(Access {
                kind: one.kind,
                stmt: self.statement_in_text(stmt.id),
                within: stmt.id,
                origin: stmt.origin,
                root: Some(one.root),
                address: Some(&one.address + &(&k * &Expr::int(i128::from(*size)))),
                size: *size,
                partial: !one.certain,
                ty: one.ty,
                subscripts,
                facts,
                loops,
                conditional_depth: match one.certain {
                    true => self.conditional_depth,
                    false => depth + 1,
                },
                guards,
                guards_outside: self.guards_outside,
                order: self.order,
                volatile: false,
                called: Some(function),
                irregular: Default::default(),
                pointer: None,
                summary: Some(Rc::from(origins)),
                choice: None,
                extent: state.extents.get(&one.root).cloned(),
            });
        }
    }

    /// What they change of what is known of memory. A copy of structures copies the pointers in them: what it brings is not known.
    pub(super) fn killed_bytes(&self, placed: &[PlacedBytes]) -> Kills {
        let mut kills = Kills::default();
        for one in placed.iter().filter(|one| one.kind == AccessKind::Write) {
            let size = one.bytes.as_constant().and_then(|bytes| bytes.to_i128());
            match size.and_then(|size| u64::try_from(size).ok()) {
                Some(size) => kills.stores.push(Store {
                    root: Some(one.root),
                    address: Some(one.address.clone()),
                    size,
                    ty: one.ty,
                }),
                None => {
                    kills.roots.insert(one.root);
                }
            }
        }
        kills
    }
}
