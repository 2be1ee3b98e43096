//! How often is a kernel started, and what moves each time?

use crate::environment::Environment;
use crate::kernel::Context;
use ferry_analysis::loops::LoopIndex;
use ferry_directive::Direction;

/// A kernel inside loops that stay on the host is started once for each of their iterations.
#[derive(Clone, Debug)]
pub struct Launches {
    /// These loops of the function, outermost first.
    pub around: Vec<LoopIndex>,
    /// How many of them, counted from the outermost, are around the data environment, too: its copies are made in each of their iterations.
    pub outside: usize,
    /// How many arrays are copied, one array in one direction, in each iteration of the loops around the environment; 0 if none is around it.
    pub copies: usize,
}

/// The launches of a kernel of an environment; `None` if no loop is around it.
pub fn of_kernel(context: Context<'_>, kernel: LoopIndex, environment: &Environment) -> Option<Launches> {
    let loops = &context.facts.values.loops;
    let around = context.facts.values.enclosing(kernel).skip(1);
    let mut around: Vec<LoopIndex> = around.filter(|index| loops[index.0 as usize].is_own()).collect();
    if around.is_empty() {
        return None;
    }
    around.reverse();
    let holds = |index: &LoopIndex| {
        let whole = loops[index.0 as usize].origin.span();
        whole.is_some_and(|whole| whole.contains(environment.span) && whole != environment.span)
    };
    let outside = around.iter().filter(|index| holds(index)).count();
    let arrays = environment.mappings.iter().filter(|one| one.section.is_some());
    let copies = arrays.map(|one| match one.direction {
        Direction::To | Direction::From => 1,
        Direction::ToFrom => 2,
        _ => 0,
    });
    Some(Launches {
        copies: if outside == 0 { 0 } else { copies.sum() },
        around,
        outside,
    })
}
