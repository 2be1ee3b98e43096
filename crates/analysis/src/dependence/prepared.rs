//! What do the tests ask of one access again and again?
//!
//! An access of a body meets many others. Where it is in the later iteration, and whether its subscripts say all of its address, goes by the access and the loop
//! alone: it is computed when it is first needed, and kept.

use super::digits::{self, Digits};
use super::ladder::rename;
use super::view::inside_elements;
use crate::access::Access;
use crate::symbols::Symbols;
use ferry_ir::StmtId;
use ferry_symbolic::Expr;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// Most strides to which the digits of one access are kept.
const MOST: usize = 6;

/// Digits to some strides, if the access has any.
type ToStrides = (Rc<[Expr]>, Option<Rc<Digits>>);

/// An access, seen from a loop.
pub struct Prepared<'a> {
    symbols: &'a Symbols,
    of: StmtId,
    access: &'a Access,
    later: OnceCell<Option<Expr>>,
    subscripts_later: OnceCell<Vec<Option<Expr>>>,
    is_inside: OnceCell<bool>,
    strides: OnceCell<Option<Rc<[Expr]>>>,
    digits: RefCell<Vec<ToStrides>>,
}

impl<'a> Prepared<'a> {
    /// An access in the loop `of`.
    pub fn new(symbols: &'a Symbols, of: StmtId, access: &'a Access) -> Prepared<'a> {
        Prepared {
            symbols,
            of,
            access,
            later: OnceCell::new(),
            subscripts_later: OnceCell::new(),
            is_inside: OnceCell::new(),
            strides: OnceCell::new(),
            digits: RefCell::default(),
        }
    }

    /// The access.
    pub fn access(&self) -> &'a Access {
        self.access
    }

    /// The symbols, and the loop.
    pub(super) fn asked(&self) -> (&'a Symbols, StmtId) {
        (self.symbols, self.of)
    }

    /// Its address in the later iteration.
    pub(super) fn later(&self) -> Option<&Expr> {
        let find = || Some(self.renamed(self.access.address.as_ref()?));
        self.later.get_or_init(find).as_ref()
    }

    /// Its subscripts in the later iteration.
    pub(super) fn subscripts_later(&self) -> &[Option<Expr>] {
        self.subscripts_later.get_or_init(|| {
            let subscripts = self.access.subscripts.iter();
            let later = subscripts.map(|one| Some(self.renamed(one.index.as_ref()?)));
            later.collect()
        })
    }

    /// See [`inside_elements`].
    pub(super) fn is_inside_elements(&self) -> bool {
        *self.is_inside.get_or_init(|| inside_elements(self.access))
    }

    /// See [`digits::strides`].
    pub(super) fn strides(&self) -> Option<&Rc<[Expr]>> {
        let find = || digits::strides(self.symbols, self.of, self.access);
        self.strides.get_or_init(find).as_ref()
    }

    /// See [`digits::digits`].
    pub(super) fn digits(&self, strides: &Rc<[Expr]>) -> Option<Rc<Digits>> {
        let mut kept = self.digits.borrow_mut();
        if let Some((_, digits)) = kept.iter().find(|(of, _)| of == strides) {
            return digits.clone();
        }
        let found = digits::digits(self.symbols, self.of, self.access, strides).map(Rc::new);
        if kept.len() < MOST {
            kept.push((Rc::clone(strides), found.clone()));
        }
        found
    }

    fn renamed(&self, expr: &Expr) -> Expr {
        rename(self.symbols, self.of, expr)
    }
}

#[cfg(test)]
mod tests {
    use super::Prepared;
    use crate::access::{Access, Subscript};
    use crate::symbols::Symbols;
    use ferry_ir::StmtId;
    use ferry_symbolic::{Expr, Symbol};

    #[test]
    fn what_varies_is_another_symbol_in_the_later_iteration() {
        let of = StmtId(3);
        let symbols = Symbols::of_counters(of, [vec![], vec![of], vec![StmtId(2)]]);
        let [root, counter, outer] = [0, 1, 2].map(|number| Expr::symbol(Symbol(number)));
        let later = Expr::symbol(Symbol(1 + 3));
        let element = Expr::int(8);
        let subscript = |index: &Expr, stride: i128| Subscript {
            index: Some(index.clone()),
            extent: None,
            stride: Some(Expr::int(stride)),
        };
        let address = &root + &(&element * &(&counter + &(&Expr::int(10) * &outer)));
        let access = Access {
            subscripts: vec![subscript(&outer, 80), subscript(&counter, 8)],
            ..Access::read_at(address, 8)
        };
        let prepared = Prepared::new(&symbols, of, &access);
        let address = &root + &(&element * &(&later + &(&Expr::int(10) * &outer)));
        for _ in 0..2 {
            assert_eq!(prepared.later(), Some(&address));
            assert_eq!(
                prepared.subscripts_later(),
                [Some(outer.clone()), Some(later.clone())]
            );
            assert!(prepared.is_inside_elements());
        }
        let member = Access {
            size: 16,
            ..access.clone()
        };
        assert!(!Prepared::new(&symbols, of, &member).is_inside_elements());
    }
}
