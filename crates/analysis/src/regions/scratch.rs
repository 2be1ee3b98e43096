//! Can every iteration of a loop have an object for itself?
//!
//! Array privatisation by regions (Creusillet 1996; Guelton, Amini and Creusillet, section 5): if IN of one iteration has
//! nothing of an object, the iterations hand nothing to each other through it. What is read later must be what the last
//! iteration leaves there, which is sure only of what every iteration certainly writes.
//!
//! What it cannot do: say that an iteration which begins by reading an object has no part in it where the loops inside never run; objects of which a part comes from before the loop (they would need a copy of it), and those reached
//! through pointers, which no clause makes copies of.

use super::about::Wanted;
use super::{Context, Regions};
use crate::access::Access;
use crate::loops::LoopFacts;
use crate::symbols::SymbolKind;
use ferry_ir::Stmt;
use ferry_symbolic::set::{Set, with_work_limit};
use ferry_symbolic::{Condition, Expr, Facts, Symbol};

/// What of an object that every iteration has for itself is read after the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Later {
    /// Nothing that the loop writes.
    Nothing,
    /// What the last iteration writes.
    Last,
}

/// How every iteration of a loop can have an object for itself.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// What is read after the loop.
    pub later: Later,
    /// What must hold before the loop: that no iteration reads more than it has written.
    pub needs: Condition,
}

impl Regions<'_> {
    /// How every iteration of a loop of the function can have an object that the loop writes for itself; `facts` hold before the loop. `None` if an iteration needs what
    /// another one wrote, or the value after the loop is not certainly the last iteration's.
    pub fn scratch(&self, of_loop: &Stmt, root: Symbol, facts: &Facts) -> Option<Scratch> {
        let values = self.context.values;
        let of = |of: &&LoopFacts| of.stmt == of_loop.id && of.is_own();
        let of = values.loops.iter().find(of)?;
        if !matches!(values.symbols.info(root).kind, SymbolKind::Address(_)) {
            return None;
        }
        if self.context.begins_by_reading(of, root) {
            return None;
        }
        self.about(root, Wanted::Everything, |context| {
            context.scratch(of_loop, of, root, facts)
        })
    }
}

impl Context<'_> {
    fn scratch(&self, of_loop: &Stmt, of: &LoopFacts, root: Symbol, facts: &Facts) -> Option<Scratch> {
        with_work_limit(super::WORK, || self.statement(of_loop));
        let (needed, written) = {
            let iterations = self.found.iterations.borrow();
            let one = iterations.get(&of_loop.id)?;
            if one.exposed.goes_beyond() && self.reach().escapes(root) {
                return None;
            }
            let needed = one.exposed.objects.get(&root).cloned();
            (needed, one.write.objects.get(&root).cloned()?)
        };
        let needs = match needed {
            Some(part) => with_work_limit(super::WORK, || {
                let may = match self.between_members(of, root) {
                    Some(gaps) => part.may.subtract(&gaps).unwrap_or(part.may),
                    None => part.may,
                };
                self.never(of_loop, of, &may.given(facts))
            })?,
            None => Condition::always(),
        };
        let Some(later) = self.out_of(of_loop.id, root)? else {
            let later = Later::Nothing;
            return Some(Scratch { later, needs });
        };
        let trip = of.trip.as_ref().ok()?;
        let k = Expr::symbol(of.counter);
        let runs = Condition::nonnegative(&k)
            .and(&Condition::less(&k, trip))
            .and(&needs);
        let wanted = later.may.given(facts).constrain(&runs).set;
        let certain = with_work_limit(super::WORK, || wanted.is_subset(&written.must)) == Ok(true);
        (written.apart.is_empty() && certain).then_some(Scratch {
            later: Later::Last,
            needs,
        })
    }

    /// True if the first access of an iteration to an object, in whatever element, is a read on no condition. It finds what was there before, so that nothing need be
    /// computed, unless the loops inside do not run at all, where no copy is of use.
    fn begins_by_reading(&self, of: &LoopFacts, root: Symbol) -> bool {
        let values = self.values;
        let inside = |access: &&Access| {
            let mut loops = access.loops.iter();
            access.root == Some(root) && loops.any(|index| values.loops[index.0 as usize].stmt == of.stmt)
        };
        let own = values.accesses.iter().filter(inside);
        own.min_by_key(|access| access.order)
            .is_some_and(|first| !first.is_write() && first.conditional_depth <= of.depth)
    }

    /// The condition before a loop under which a set has no points in any iteration; `None` if there is none, or none on values that are known there.
    fn never(&self, of_loop: &Stmt, of: &LoopFacts, set: &Set) -> Option<Condition> {
        if set.is_empty() == Ok(true) {
            return Some(Condition::always());
        }
        let writes = self.found.summaries.borrow().get(&of_loop.id)?.write.clone();
        let mut inside = self.varying_in(of);
        let comes_up = |symbol: &Symbol| self.comes_up_inside(of_loop.id, *symbol, &writes);
        inside.extend(set.symbols().into_iter().filter(comes_up));
        let never = self.without_symbols(set, &inside, false).0.nonempty().ok()?.not();
        (!never.is_oversize() && !never.is_never()).then_some(never)
    }
}
