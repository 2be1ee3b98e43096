//! What does a symbol of the mathematics stand for in the program?
//!
//! Every value that cannot be written in terms of others gets a symbol. A symbol never changes its value: a variable
//! that changes gets a new one. A symbol that is made inside a loop has one value for each iteration of that loop
//! (and of those around it); [`Symbols::varies_in`] tells.

use crate::promised::Promised;
use ferry_ir::{GlobalId, StmtId, TypeId, Types, VariableRef};
use ferry_source::Origin;
use ferry_symbolic::{Expr, Symbol};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Why a value is not known better.
#[derive(Clone, PartialEq, Debug)]
pub struct Cause {
    /// In plain words, without a full stop.
    pub why: String,
    /// The place that is to blame.
    pub at: Origin,
}

/// Why the value of an expression is not that of its text: it is put into a signed type that may be too narrow for it.
pub const MAY_CHANGE: &str = "a conversion that may change the value";

impl Cause {
    /// A cause at a place.
    pub fn new(why: impl Into<String>, at: Origin) -> Cause {
        Cause { why: why.into(), at }
    }
}

/// What a symbol is.
#[derive(Clone, PartialEq, Debug)]
pub enum SymbolKind {
    /// Value of a scalar variable when the function is entered. Pointers count in bytes.
    Entry(VariableRef),
    /// Address of a variable, in bytes.
    Address(VariableRef),
    /// A constant that the source writes by a name (a macro), kept by that name so that what is written from it stays
    /// right when the name means another value. Only its sign is used.
    Named {
        /// The name.
        name: String,
        /// Its value in this build.
        value: i128,
    },
    /// Number of the current iteration of a loop, from 0.
    Counter(StmtId),
    /// Value of a variable at the start of an iteration, where no closed form is known.
    Varying {
        /// The variable.
        variable: VariableRef,
        /// The loop.
        of: StmtId,
    },
    /// What was found in memory at an address (in bytes).
    Loaded {
        /// Where.
        address: Expr,
        /// How many bytes.
        size: u64,
    },
    /// Fresh storage: the result of a call to an allocation function.
    Allocated(StmtId),
    /// Result of another call.
    Result(StmtId),
    /// Address of a variable of a function that is called here.
    CalleeVariable {
        /// Its name.
        name: String,
        /// Its address is taken, so that pointers may lead to it.
        escapes: bool,
    },
    /// Address of a variable of another file.
    Elsewhere(crate::effects::Hidden),
    /// Anything else.
    Unknown(Cause),
}

/// Description of one symbol.
#[derive(Clone, PartialEq, Debug)]
pub struct SymbolInfo {
    /// What it is.
    pub kind: SymbolKind,
    /// The C type of the value.
    pub ty: Option<TypeId>,
    /// The loops, outermost first, in whose iterations it may take different values.
    pub loops: Vec<StmtId>,
    /// Where it came up.
    pub at: Origin,
    /// Position in the order of evaluation at which it came up.
    pub order: usize,
}

impl SymbolInfo {
    /// True for addresses of variables, fresh storage, and values of pointer type.
    pub fn is_pointer(&self, types: &Types) -> bool {
        matches!(
            self.kind,
            SymbolKind::Address(_) | SymbolKind::Allocated(_) | SymbolKind::Elsewhere(_)
        ) || self.ty.is_some_and(|ty| types.pointee(ty).is_some())
    }
}

/// All symbols of one function.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    infos: Vec<SymbolInfo>,
    fresh: BTreeMap<Symbol, StmtId>,
    /// The constants that are kept by name: each loop asks for them, among thousands of symbols.
    named: Vec<Symbol>,
    promised: BTreeMap<Symbol, Promised>,
    pointed_to: Arc<BTreeSet<GlobalId>>,
}

impl Symbols {
    /// No symbols yet, in a unit that takes the addresses of these variables.
    pub fn of_unit(pointed_to: Arc<BTreeSet<GlobalId>>) -> Symbols {
        Symbols {
            pointed_to,
            ..Symbols::default()
        }
    }

    /// True if the address of a variable is taken anywhere in the unit other than for subscripting it.
    pub fn is_pointed_to(&self, global: GlobalId) -> bool {
        self.pointed_to.contains(&global)
    }

    /// A new symbol.
    pub fn make(&mut self, info: SymbolInfo) -> Symbol {
        let symbol = Symbol(self.infos.len() as u32);
        if matches!(info.kind, SymbolKind::Named { .. }) {
            self.named.push(symbol);
        }
        self.infos.push(info);
        symbol
    }

    /// What a symbol is.
    pub fn info(&self, symbol: Symbol) -> &SymbolInfo {
        &self.infos[symbol.0 as usize]
    }

    /// The symbol is a pointer that was found in a table, each of whose pointers has storage of its own that the statement
    /// allocated in this call.
    pub fn set_fresh(&mut self, symbol: Symbol, allocation: StmtId) {
        self.fresh.insert(symbol, allocation);
    }

    /// The statement that allocated what the symbol points to, if it was found in such a table.
    pub fn fresh(&self, symbol: Symbol) -> Option<StmtId> {
        self.fresh.get(&symbol).copied()
    }

    /// The user says that this value in memory is there; what is said first counts.
    pub fn set_promised(&mut self, symbol: Symbol, promised: Promised) {
        self.promised.entry(symbol).or_insert(promised);
    }

    /// What the user says of a value in memory, somewhere in the function.
    pub fn promise(&self, symbol: Symbol) -> Option<&Promised> {
        self.promised.get(&symbol)
    }

    /// The symbol takes different values in the iterations of this loop too.
    pub fn add_loop(&mut self, symbol: Symbol, of: StmtId) {
        self.infos[symbol.0 as usize].loops.push(of);
    }

    /// True if the symbol may have different values in different iterations of the loop.
    pub fn varies_in(&self, symbol: Symbol, of: StmtId) -> bool {
        self.info(symbol).loops.contains(&of)
    }

    /// The one pointer in a sum: the symbol of pointer kind that occurs by itself with coefficient one.
    pub fn root(&self, types: &Types, address: &Expr) -> Option<Symbol> {
        let is_pointer = |symbol: Symbol| match self.info(symbol).kind {
            SymbolKind::CalleeVariable { .. } => true,
            SymbolKind::Counter(_) => false,
            _ => self.info(symbol).is_pointer(types),
        };
        if address.is_plain() {
            return root_of_plain(address, is_pointer);
        }
        let mut found = None;
        for symbol in address.symbols().into_iter().filter(|symbol| is_pointer(*symbol)) {
            match address.linear_in(symbol) {
                Some((coefficient, _)) if coefficient == Expr::one() && found.is_none() => {
                    found = Some(symbol)
                }
                _ => return None,
            }
        }
        found
    }

    /// True if no symbol of the expression varies in the loop.
    pub fn invariant_in(&self, expr: &Expr, of: StmtId) -> bool {
        !expr.any_symbol(&|symbol| self.varies_in(symbol, of))
    }

    /// Adds what is true of constants that are kept by name: they are positive.
    pub fn assume_named(&self, facts: &mut ferry_symbolic::Facts) {
        for symbol in &self.named {
            facts.assume_positive(Expr::symbol(*symbol));
        }
    }

    /// All of them, in the order in which they were made.
    pub fn iter(&self) -> impl Iterator<Item = &SymbolInfo> {
        self.infos.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.infos.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.infos.is_empty()
    }
}

/// [`Symbols::root`] of a sum of products of symbols: most addresses are one, and are asked about again and again.
fn root_of_plain(address: &Expr, is_pointer: impl Fn(Symbol) -> bool) -> Option<Symbol> {
    let mut found = None;
    for term in address.terms() {
        let factors = term.monomial.factors();
        let symbols = factors.iter().filter_map(|(atom, _)| atom.as_symbol());
        for symbol in symbols.filter(|symbol| is_pointer(*symbol)) {
            let is_alone = matches!(factors, [(_, 1)]) && term.coefficient.is_one();
            if !is_alone || found.is_some() {
                return None;
            }
            found = Some(symbol);
        }
    }
    found
}

#[cfg(test)]
impl Symbols {
    /// Counters of a loop, one for each list of the loops in which it changes.
    pub(crate) fn of_counters(of: StmtId, loops: impl IntoIterator<Item = Vec<StmtId>>) -> Symbols {
        let mut symbols = Symbols::default();
        for loops in loops {
            symbols.make(SymbolInfo {
                kind: SymbolKind::Counter(of),
                ty: None,
                loops,
                at: Origin::New,
                order: 0,
            });
        }
        symbols
    }
}

#[cfg(test)]
mod tests {
    use super::root_of_plain;
    use ferry_symbolic::{Expr, Symbol};

    #[test]
    fn the_root_stands_alone() {
        let [p, q, i] = [0, 1, 2].map(|number| Expr::symbol(Symbol(number)));
        let offset = &(&Expr::int(8) * &i) + &Expr::int(4);
        let root = |address: &Expr| root_of_plain(address, |symbol| symbol.0 < 2);
        assert_eq!(root(&(&p + &offset)), Some(Symbol(0)));
        assert_eq!(root(&q), Some(Symbol(1)));
        let others = [
            offset.clone(),
            &p + &q,
            &Expr::int(2) * &p,
            &p - &(&q + &offset),
            &p * &i,
            &p + &(&p * &i),
            &(&q * &q) + &offset,
        ];
        for address in &others {
            assert_eq!(root(address), None, "{address:?}");
        }
    }
}
