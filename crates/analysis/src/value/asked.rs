//! How many threads has the program asked the run time for where a region begins?
//!
//! `omp_set_num_threads(n)` is followed along the paths of the program ([`AskedThreads`]): it holds for the task that calls it, so that what is asked for inside of
//! a region is forgotten behind it, and a device has been asked for nothing.
//!
//! What it cannot do: functions of other files that are not walked into count as if they asked for nothing; of a loop in which the program asks, nothing is known
//! at the beginning of an iteration, nor behind the loop.

use super::Walker;
use super::workers::more_than_one;
use crate::state::{AskedThreads, State};
use ferry_ir::visit::calls;
use ferry_ir::{Callee, Expr as Code, FunctionRef, Stmt, Unit};
use ferry_symbolic::Expr;
use std::collections::BTreeSet;

/// The function that asks, with the number.
const ASKS: &str = "omp_set_num_threads";

/// Where a file asks.
pub(crate) struct Asking {
    /// Functions that ask, by themselves or by what they call.
    functions: BTreeSet<FunctionRef>,
    /// It may be for one thread.
    one: bool,
}

impl Asking {
    fn of(unit: &Unit) -> Asking {
        let asks = |id: FunctionRef| unit.function(id).name == ASKS;
        let all = unit.functions().map(|(id, _)| id);
        let mut functions: BTreeSet<FunctionRef> = all.filter(|id| asks(*id)).collect();
        let mut one = false;
        if functions.is_empty() {
            return Asking { functions, one };
        }
        let bodies = unit
            .functions()
            .filter_map(|(id, function)| Some((id, calls(function.body.as_ref()?))));
        let mut rest: Vec<_> = bodies.collect();
        for call in rest.iter().flat_map(|(_, calls)| calls) {
            if matches!(call.callee, Callee::Function(id) if asks(*id)) {
                let number = call.arguments.first().and_then(Code::as_int);
                one |= number.is_none_or(|number| number < 2);
            }
        }
        loop {
            let before = functions.len();
            rest.retain(|(id, calls)| {
                let asks = calls.iter().any(|call| asking(&functions, call.callee));
                if asks {
                    functions.insert(*id);
                }
                !asks
            });
            if functions.len() == before {
                return Asking { functions, one };
            }
        }
    }
}

/// True for calls of one of these functions, and through pointers, which may lead to one.
fn asking(functions: &BTreeSet<FunctionRef>, callee: &Callee) -> bool {
    match callee {
        Callee::Function(id) => functions.contains(id),
        Callee::Pointer(_) => !functions.is_empty(),
    }
}

impl Walker<'_> {
    fn asking(&self) -> &Asking {
        self.asking.get_or_init(|| Asking::of(self.unit))
    }

    /// What has been asked for where it is not known what ran before.
    pub(super) fn threads_from_elsewhere(&self) -> AskedThreads {
        match self.with_directives && self.asking().one {
            true => AskedThreads::Undecided,
            false => AskedThreads::default(),
        }
    }

    /// True if the program may ask in there for another number.
    pub(super) fn asks_for_threads(&self, stmt: &Stmt) -> bool {
        self.with_directives
            && !self.asking().functions.is_empty()
            && calls(stmt)
                .iter()
                .any(|call| asking(&self.asking().functions, call.callee))
    }

    /// What a call that is not walked into asks for.
    pub(super) fn ask_for_threads(&self, callee: &Callee, values: &[Option<Expr>], state: &mut State) {
        if !self.with_directives || !asking(&self.asking().functions, callee) {
            return;
        }
        let number = match callee {
            Callee::Function(id) if self.unit.function(*id).name == ASKS => values.first().cloned().flatten(),
            _ => None,
        };
        state.threads = match number.and_then(|number| more_than_one(&number, &state.facts)) {
            Some(true) => AskedThreads::Several,
            Some(false) => AskedThreads::One,
            None => AskedThreads::Undecided,
        };
    }
}
