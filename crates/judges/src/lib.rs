//! The judges: does the annotated program do what the original did, and is what was said of it true?
//!
//! No result of Ferry counts because the code looks right; it counts because these judges, which share no code with
//! the analyses, found nothing. Each answers one question about C programs that exist as files and can be run:
//!
//! | module | question |
//! |---|---|
//! | [`sequential`] | what does the program print as the language says, one statement after the other? |
//! | [`second_memory`] | what does it print when kernels have a memory of their own, and what was moved? |
//! | [`together`] | the same for many small programs, linked into one |
//! | [`races`] | do two threads or two teams touch the same element without order? |
//! | [`trace`] | which dependences did each loop really carry, which elements did it really touch? |
//! | [`compilers`] | do the compilers take it, without a warning that the original did not have? |
//! | [`gcc_memory`] | the same where gcc compiled it, OpenMP and OpenACC |
//! | [`openacc`] | does the OpenACC text print the same? |
//!
//! [`judge`](judge::judge) asks all but the trace about one program, [`trace::verdicts`] asks the trace about a report;
//! [`corpus`] reads the test programs; [`toolchain`] finds the compilers, [`process`] runs them
//! under a time limit, [`runtime`] builds the C parts in `runtime/` once and keeps them.
//!
//! What the judges cannot do: they see one run on given data. A program that is wrong only at sizes nobody ran passes.

pub mod compare;
pub mod compilers;
pub mod corpus;
mod error;
pub mod gcc_memory;
pub mod generate;
pub mod judge;
pub mod openacc;
pub mod process;
mod program;
pub mod races;
pub mod runtime;
pub mod second_memory;
pub mod sequential;
pub mod together;
pub mod toolchain;
pub mod trace;

pub use error::Error;
pub use judge::{Expectations, ExpectedRun, Finding, Judge, Verdict, judge};
pub use program::Program;
pub use toolchain::Toolchain;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Runs `jobs` on two threads and returns their results in the order of the jobs.
///
/// Two, because the judges' steps are compilers and programs that take a whole core each.
pub fn on_two_threads<'a, T: Send>(jobs: Vec<Box<dyn FnOnce() -> T + Send + 'a>>) -> Vec<T> {
    let count = jobs.len();
    let jobs: Vec<_> = jobs.into_iter().map(|job| Mutex::new(Some(job))).collect();
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(slot) = jobs.get(index) else { break };
            let job = slot.lock().ok().and_then(|mut job| job.take());
            if let (Some(job), Some(result)) = (job, results.get(index)) {
                let value = job();
                if let Ok(mut result) = result.lock() {
                    *result = Some(value);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    results
        .into_iter()
        .filter_map(|result| result.into_inner().ok().flatten())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::on_two_threads;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let jobs = (0..20)
            .map(|k| Box::new(move || k * k) as Box<dyn FnOnce() -> i32 + Send>)
            .collect();
        assert_eq!(on_two_threads(jobs), (0..20).map(|k| k * k).collect::<Vec<_>>());
    }
}
