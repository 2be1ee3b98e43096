//! Did two runs print the same, bit for bit, and end in the same way?

use crate::process::{Exit, Outcome};

/// The first difference between an expected and an observed run, said in one or two lines; none if there is none.
pub fn difference(expected: &Outcome, observed: &Outcome) -> Option<String> {
    if expected.stdout != observed.stdout {
        return Some(first_difference(&expected.stdout, &observed.stdout) + &ending(expected, observed));
    }
    (expected.exit != observed.exit).then(|| format!("the output is the same{}", ending(expected, observed)))
}

fn ending(expected: &Outcome, observed: &Outcome) -> String {
    if expected.exit == observed.exit {
        return String::new();
    }
    let mut text = format!(
        ", but it was ended by {}, expected {}",
        say(observed.exit),
        say(expected.exit)
    );
    if let Some(line) = observed.stderr.lines().find(|line| !line.trim().is_empty()) {
        text.push_str(&format!(" ({})", clip(line)));
    }
    text
}

/// What ended a run, in words.
pub fn say(exit: Exit) -> String {
    match exit {
        Exit::Status(code) => format!("status {code}"),
        Exit::Signal(11) => "signal 11 (segmentation fault)".to_owned(),
        Exit::Signal(signal) => format!("signal {signal}"),
        Exit::TimedOut => "the time limit".to_owned(),
    }
}

fn first_difference(expected: &[u8], observed: &[u8]) -> String {
    let mut expected_lines = expected.split(|&byte| byte == b'\n');
    let mut observed_lines = observed.split(|&byte| byte == b'\n');
    let mut number = 1;
    loop {
        match (expected_lines.next(), observed_lines.next()) {
            (Some(left), Some(right)) if left == right => number += 1,
            (left, right) => {
                let show = |line: Option<&[u8]>| match line {
                    Some(line) => format!("`{}`", clip(&String::from_utf8_lossy(line))),
                    None => "the end".to_owned(),
                };
                return format!("output line {number} is {}, expected {}", show(right), show(left));
            }
        }
    }
}

fn clip(line: &str) -> String {
    let mut text: String = line.chars().take(120).collect();
    if text.len() < line.len() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(stdout: &str, exit: Exit) -> Outcome {
        Outcome {
            stdout: stdout.into(),
            stderr: String::new(),
            exit,
            seconds: 0.0,
        }
    }

    #[test]
    fn the_first_line_that_differs_is_named() {
        let expected = outcome("1\n2\n3\n", Exit::Status(0));
        assert_eq!(difference(&expected, &expected), None);
        let text = difference(&expected, &outcome("1\n7\n3\n", Exit::Status(0))).unwrap();
        assert_eq!(text, "output line 2 is `7`, expected `2`");
        let text = difference(&expected, &outcome("1\n2", Exit::Signal(11))).unwrap();
        assert!(
            text.starts_with("output line 3 is the end, expected `3`, but it was ended by signal 11"),
            "{text}"
        );
    }

    #[test]
    fn the_status_counts_too() {
        let text = difference(&outcome("", Exit::Status(0)), &outcome("", Exit::Status(1))).unwrap();
        assert_eq!(
            text,
            "the output is the same, but it was ended by status 1, expected status 0"
        );
    }
}
