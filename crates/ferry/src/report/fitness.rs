//! How does it read whether a parallel loop suits a GPU?

use super::collect::place_of;
use super::model::{FitnessReason, FitnessReport, Place};
use crate::names::Names;
use ferry_analysis::joined::at_least_one;
use ferry_analysis::loops::LoopIndex;
use ferry_ir::Stmt;
use ferry_source::Origin;
use ferry_symbolic::{Expr, Facts};
use ferry_transform::fitness::{self, Alone, Divergence, Fork, Launches, Reason, Suits, Varies, WhyAlone};
use ferry_transform::plan::Plan;

/// What speaks for and against a kernel that begins with a parallel loop.
pub fn of_loop(
    names: Names<'_>,
    plan: &Plan,
    stmt: &Stmt,
    index: LoopIndex,
    place: &Place,
) -> Option<FitnessReport> {
    let mut environments = plan.environments.iter();
    let environment = environments.find(|one| one.kernels.iter().any(|kernel| kernel.index == index));
    let found = fitness::of_loop(names.context(), stmt, index, environment)?;
    let writer = Writer { names, place };
    Some(FitnessReport {
        suits: word(found.suits()),
        reasons: found.reasons.iter().map(|reason| writer.reason(reason)).collect(),
    })
}

fn word(suits: Suits) -> &'static str {
    match suits {
        Suits::Well => "well",
        Suits::Depends => "depends",
        Suits::Poorly => "poorly",
    }
}

struct Writer<'a> {
    names: Names<'a>,
    place: &'a Place,
}

impl Writer<'_> {
    fn reason(&self, reason: &Reason) -> FitnessReason {
        let here = || self.place.clone();
        let (subject, message, place) = match reason {
            Reason::Threads { count, loops } => {
                let together = match loops.len() {
                    0 | 1 => String::new(),
                    several => format!(", those of {several} loops together"),
                };
                let message = match count {
                    Some(count) => {
                        let number = number(self.names, count, loops);
                        let few = match reason.suits() {
                            Suits::Well => "",
                            _ => {
                                "; that is few for a GPU, which wants thousands for each of its multiprocessors"
                            }
                        };
                        format!("{number} iterations may run at a time{together}{few}")
                    }
                    None => "how many iterations may run at a time is not known before the loop".to_owned(),
                };
                ("threads", message, here())
            }
            Reason::Alone(alone) => ("nest", self.alone(alone), self.loop_place(alone.inner)),
            Reason::Diverges(one) => ("divergence", divergence(*one), self.at(one.at)),
            Reason::LittleWork => {
                let message = "it uses each element that it touches a few times: to copy them costs more than the loop, unless they are on \
                               the device for other kernels, too";
                ("work", message.to_owned(), here())
            }
            Reason::Launches(launches) => ("launches", started(self.names, launches), here()),
        };
        FitnessReason {
            subject,
            suits: word(reason.suits()),
            message,
            place,
        }
    }

    fn at(&self, at: Origin) -> Place {
        let span = at.span();
        span.map_or_else(|| self.place.clone(), |span| place_of(self.names.sources, span))
    }

    fn loop_place(&self, index: LoopIndex) -> Place {
        let of = &self.names.facts.values.loops[index.0 as usize];
        of.keyword
            .map_or_else(|| self.at(of.origin), |span| place_of(self.names.sources, span))
    }

    fn alone(&self, alone: &Alone) -> String {
        let line = self.loop_place(alone.inner).line;
        let first = format!("each thread runs the loop in line {line} alone, though it is parallel");
        let why = match &alone.why {
            WhyAlone::Reduces => {
                return format!("each thread runs the loop in line {line} alone: it sums up");
            }
            WhyAlone::Bounds => "how often it runs differs from one iteration to the next".to_owned(),
            WhyAlone::Several => "there are several loops side by side".to_owned(),
            WhyAlone::Other => "it needs a condition, or what it leaves is used".to_owned(),
            WhyAlone::Between(between) => {
                let fixed = between.iter().find(|one| !one.movable);
                match (fixed, between.first()) {
                    (Some(fixed), _) => format!(
                        "what stands in line {} must be done once for each iteration around it",
                        self.at(fixed.at).line
                    ),
                    (None, Some(one)) => format!(
                        "both would run together if what stands in line {} were computed inside it",
                        self.at(one.at).line
                    ),
                    (None, None) => "something stands between their heads".to_owned(),
                }
            }
        };
        format!("{first}: {why}")
    }
}

/// Where threads part, and why.
pub fn divergence(one: Divergence) -> String {
    let on = match one.varies {
        Varies::Not | Varies::Rows => {
            "on an outer loop only: threads of one warp part where it runs the ends of rows"
        }
        Varies::Iteration => "on which iteration it is",
        Varies::Data => "on data",
    };
    match one.fork {
        Fork::Branch => format!("neighbouring threads may take different branches here, which depends {on}"),
        Fork::Loop => format!(
            "neighbouring threads may run this loop for different numbers of iterations, which depends {on}"
        ),
    }
}

/// How often a kernel is started, and what is copied each time.
pub fn started(names: Names<'_>, launches: &Launches) -> String {
    let line = |index: LoopIndex| -> String {
        let of = &names.facts.values.loops[index.0 as usize];
        let span = of.keyword.or_else(|| of.origin.span());
        let line = span.map(|span| place_of(names.sources, span).line);
        line.map_or_else(|| "of a macro".to_owned(), |line| format!("in line {line}"))
    };
    let times = |index: LoopIndex| {
        let of = &names.facts.values.loops[index.0 as usize];
        match &of.trip {
            Ok(trip) => {
                let most = if of.early_exits.is_empty() { "" } else { "at most " };
                format!("{most}{} iterations", number(names, trip, &[index]))
            }
            Err(_) => "it is not known how many".to_owned(),
        }
    };
    let around: Vec<String> = launches
        .around
        .iter()
        .map(|index| format!("the loop {} ({})", line(*index), times(*index)))
        .collect();
    let copied = match launches.around[..launches.outside].last() {
        None => "its data stay on the device all the time".to_owned(),
        Some(_) if launches.copies == 0 => "no arrays are copied for it".to_owned(),
        Some(inner) => format!(
            "{} copies of arrays are made in each iteration of the loop {}",
            launches.copies,
            line(*inner)
        ),
    };
    format!(
        "it is started in each iteration of {}; {copied}",
        around.join(", in ")
    )
}

/// A number of iterations of loops, if each of them runs at all: what a kernel that has nothing to do takes is of no interest.
fn number(names: Names<'_>, count: &Expr, loops: &[LoopIndex]) -> String {
    let all = &names.facts.values.loops;
    let mut facts = loops
        .first()
        .map_or_else(Facts::default, |index| all[index.0 as usize].before.facts.clone());
    for index in loops {
        if let Ok(trip) = &all[index.0 as usize].trip {
            facts.assume(&at_least_one(trip));
        }
    }
    names.value(&count.simplify(&facts), &facts)
}
