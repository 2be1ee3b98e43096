//! Through which pointers does an access get to its bytes, and which of them may it be, while a loop runs?
//!
//! Storage that is found anew in each iteration (`w[i][j]`, `A->rows[i].values[j]`) has no one root that a section could
//! count from. It has a path: a root that stays, and for each pointer on the way the bytes in which it lies, counted from
//! where the one before points to (Juravle §4.2: nested data, by its way from what the caller sees). Which pointer leads to which bytes
//! is not said: every pointer of the path, and behind each the same interval.
//!
//! What it cannot do: pointers that no memory holds (`p = p->next` in a variable), and that nothing changes the pointers while
//! the loop runs: a path is about the pointers as the access finds them.

use crate::access::Access;
use crate::loops::LoopIndex;
use crate::region::{self, Hull};
use crate::state::POINTER;
use crate::symbols::{Cause, SymbolKind};
use crate::value::Values;
use ferry_symbolic::{Expr, Symbol};

/// The way to what an access touches.
#[derive(Clone, PartialEq, Debug)]
pub struct Path {
    /// What stays while the loop runs.
    pub root: Symbol,
    /// The pointers that are followed from there, in this order.
    pub pointers: Vec<Pointer>,
    /// What is touched behind the last one, in bytes from where it points.
    pub bytes: Hull,
}

/// A pointer on the way, as each iteration finds one.
#[derive(Clone, PartialEq, Debug)]
pub struct Pointer {
    /// Its value.
    pub symbol: Symbol,
    /// Where it lies: bytes from the root, or from where the pointer before it points.
    pub hull: Hull,
}

/// Most pointers that are followed.
const MOST_POINTERS: usize = 4;

impl Values {
    /// The path of an access whose own root changes while the loops `inside` run.
    pub fn path(&self, access: &Access, inside: &[LoopIndex]) -> Result<Path, Cause> {
        let unknown = |why: &str| Cause::new(why, access.origin);
        let eliminate = self.varying(inside);
        let within =
            |offset: &Expr, size: u64| region::within(access, &self.defined(offset), size, &eliminate);
        let offset = access.offset();
        let offset = offset.ok_or_else(|| unknown("it is not known what the pointer points to"))?;
        let bytes = within(&offset, access.size)?;
        let changes = || unknown("the pointer changes in the loop");
        let mut root = access.root.ok_or_else(changes)?;
        let mut pointers = Vec::new();
        while eliminate.contains(&root) {
            let SymbolKind::Loaded { address, size } = &self.symbols.info(root).kind else {
                return Err(changes());
            };
            let table = self.root_read_at(address).ok_or_else(changes)?;
            if *size != POINTER || pointers.len() == MOST_POINTERS {
                return Err(changes());
            }
            let place = address - &Expr::symbol(table);
            let hull = within(&place, POINTER).map_err(|cause| {
                let why = format!("{}: of the pointer that it follows", cause.why);
                Cause::new(why, cause.at)
            })?;
            pointers.push(Pointer { symbol: root, hull });
            root = table;
        }
        pointers.reverse();
        Ok(Path {
            root,
            pointers,
            bytes,
        })
    }
}
