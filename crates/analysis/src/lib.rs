//! Facts about a program: values, accesses, sections, aliases, dependences, verdicts.
