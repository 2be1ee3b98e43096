//! Where does an access that happens in a called function stand in the functions that call it?

use ferry_ir::interpret::Site;
use ferry_ir::{FunctionRef, StmtId};

/// The functions that run, outermost first, each with the statement that called it.
#[derive(Default)]
pub struct Stack {
    running: Vec<(u32, FunctionRef, StmtId)>,
}

impl Stack {
    /// A function begins.
    pub fn call(&mut self, unit: u32, function: FunctionRef, site: &Site) {
        self.running.push((unit, function, site.statement));
    }

    /// It ends.
    pub fn leave(&mut self) {
        self.running.pop();
    }

    /// For each function that runs, from the outermost: its place among those that run, which it is, and the statement
    /// in it at which the program is, if that is a call. The innermost one is left out.
    pub fn callers(&self) -> impl Iterator<Item = (usize, u32, FunctionRef, StmtId)> + '_ {
        self.running
            .windows(2)
            .enumerate()
            .map(|(place, two)| (place, two[0].0, two[0].1, two[1].2))
    }
}
