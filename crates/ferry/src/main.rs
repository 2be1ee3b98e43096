//! The command: arguments, files, reports.
fn main() {}
