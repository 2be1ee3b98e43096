//! Which calls of generated nests does C define? Found by the interpreter, which nobody watches: a call that stores a value that overflows, say, is left out.

use ferry_ir::Unit;
use ferry_ir::interpret::{Exit, Options, Silent, run};
use std::collections::BTreeSet;

/// Operations of one run.
const STEPS: u64 = 400_000_000;

/// How the program is run, with a letter for each call.
pub fn options(go: String) -> Options {
    Options {
        arguments: vec!["nests".into(), go],
        step_limit: STEPS,
        ..Options::default()
    }
}

/// Which of `count` calls are defined, a letter for each, and how many are not.
pub fn defined_calls(units: &[Unit], count: usize) -> Result<(String, u64), String> {
    let mut bad = BTreeSet::new();
    let mut from = 0;
    loop {
        let go: String = (0..count)
            .map(|call| if call < from { '0' } else { '1' })
            .collect();
        let outcome = run(units, &options(go), &mut Silent);
        if outcome.exit == Exit::Code(0) {
            break;
        }
        // The line of a call begins before it runs.
        let output = String::from_utf8_lossy(&outcome.stdout).into_owned();
        let last = output.lines().last().and_then(|line| line.split(' ').next());
        let Some(at) = last.and_then(|word| word.parse::<usize>().ok()) else {
            return Err(format!("it does not run: {:?}", outcome.exit));
        };
        if !bad.insert(at) {
            return Err(format!("call {at} is tried again: {:?}", outcome.exit));
        }
        if std::env::var("FERRY_NESTS_TRAPS").is_ok() {
            eprintln!("call {at}: {:?}", outcome.exit);
        }
        from = at + 1;
        if from >= count {
            break;
        }
    }
    let go = (0..count).map(|call| if bad.contains(&call) { '0' } else { '1' });
    Ok((go.collect(), bad.len() as u64))
}
