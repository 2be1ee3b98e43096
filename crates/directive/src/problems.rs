//! Does a directive take the clauses that it has, in this version of its language?
//!
//! It does not count clauses, and knows no rules between clauses, on nesting or on types.

use crate::table::{self, Specification};
use crate::{Directive, Modifier, Version};

/// What is wrong with a directive in a version.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Problem {
    /// The version is one of the other language, or the name is unknown.
    UnknownDirective,
    /// The directive came later.
    DirectiveSince(Version),
    /// The directive has no such clause in any version.
    ClauseNotAllowed {
        /// Index of the clause.
        clause: usize,
    },
    /// The clause came later.
    ClauseSince {
        /// Index of the clause.
        clause: usize,
        /// When it came.
        since: Version,
    },
    /// A modifier came later than its clause.
    ModifierSince {
        /// Index of the clause.
        clause: usize,
        /// The modifier.
        modifier: String,
        /// When it came.
        since: Version,
    },
}

/// Clauses, modifiers, and the version that brought these modifiers, where it is not that of the clause.
const MODIFIERS: &[(&str, &str, Version)] = &[
    ("map", "close mapper", Version::OpenMp50),
    ("map", "present iterator", Version::OpenMp51),
    (
        "map",
        "self storage ref_ptr ref_ptee ref_ptr_ptee",
        Version::OpenMp60,
    ),
    ("to from", "mapper", Version::OpenMp50),
    ("to from", "present iterator", Version::OpenMp51),
    ("lastprivate", "conditional", Version::OpenMp50),
    ("firstprivate", "saved", Version::OpenMp60),
    ("enter", "automap", Version::OpenMp60),
    ("reduction", "inscan task default", Version::OpenMp50),
    ("depend", "mutexinoutset depobj iterator", Version::OpenMp50),
    ("depend", "inoutset", Version::OpenMp51),
    ("device", "ancestor device_num", Version::OpenMp50),
    ("order", "reproducible unconstrained", Version::OpenMp51),
    ("grainsize num_tasks", "strict", Version::OpenMp51),
    ("num_threads", "strict", Version::OpenMp60),
    ("copyout create", "zero", Version::OpenAcc30),
    ("collapse", "force", Version::OpenAcc33),
    (
        "copy copyin copyout create",
        "always alwaysin alwaysout capture",
        Version::OpenAcc34,
    ),
];

fn modifier_since(clause: &str, modifier: &str, version: Version) -> Option<Version> {
    let among = |words: &str, word: &str| words.split(' ').any(|w| w == word);
    MODIFIERS
        .iter()
        .find(|(clauses, modifiers, since)| {
            since.language() == version.language() && among(clauses, clause) && among(modifiers, modifier)
        })
        .map(|(.., since)| *since)
}

/// Everything that is wrong with the directive in a version, the directive itself first.
pub fn problems<E>(directive: &Directive<E>, version: Version) -> Vec<Problem> {
    let specification: Option<Specification> = table::specification(directive.language, &directive.name)
        .filter(|_| directive.language == version.language());
    let Some(specification) = specification else {
        return vec![Problem::UnknownDirective];
    };
    let mut problems = Vec::new();
    if specification.since > version {
        problems.push(Problem::DirectiveSince(specification.since));
    }
    for (number, clause) in directive.clauses.iter().enumerate() {
        match specification.clause_since(&clause.name) {
            None if clause.name.starts_with("ompx_") => {}
            None => problems.push(Problem::ClauseNotAllowed { clause: number }),
            Some(since) if since > version => problems.push(Problem::ClauseSince {
                clause: number,
                since,
            }),
            Some(_) => {}
        }
        for modifier in clause.modifiers() {
            let name = match modifier {
                Modifier::Word(word) => word,
                Modifier::Mapper(_) => "mapper",
                Modifier::Iterator(_) => "iterator",
                _ => continue,
            };
            if let Some(since) = modifier_since(&clause.name, name, version).filter(|since| *since > version)
            {
                problems.push(Problem::ModifierSince {
                    clause: number,
                    modifier: name.to_owned(),
                    since,
                });
            }
        }
        let num_teams_range = clause.name == "num_teams" && !clause.modifiers().is_empty();
        if num_teams_range && version < Version::OpenMp51 {
            let modifier = "lower bound".to_owned();
            problems.push(Problem::ModifierSince {
                clause: number,
                modifier,
                since: Version::OpenMp51,
            });
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, parse};

    fn of(text: &str, version: Version) -> Vec<Problem> {
        problems(&parse(text.as_bytes(), 0, Dialect::C).unwrap(), version)
    }

    #[test]
    fn versions_are_told() {
        use Version::*;
        let text = "omp target teams loop map(present, to: x) collapse(2) has_device_addr(y)";
        assert_eq!(of(text, OpenMp52), []);
        assert_eq!(
            of(text, OpenMp45),
            [
                Problem::DirectiveSince(OpenMp50),
                Problem::ModifierSince {
                    clause: 0,
                    modifier: "present".to_owned(),
                    since: OpenMp51
                },
                Problem::ClauseSince {
                    clause: 1,
                    since: OpenMp50
                },
                Problem::ClauseSince {
                    clause: 2,
                    since: OpenMp51
                },
            ]
        );
        assert_eq!(
            of("omp parallel map(x)", OpenMp60),
            [Problem::ClauseNotAllowed { clause: 0 }]
        );
        assert_eq!(
            of("acc kernels private(x)", OpenAcc34),
            [Problem::ClauseNotAllowed { clause: 0 }]
        );
        assert_eq!(
            of("acc kernels loop private(x) copyin(readonly: y)", OpenAcc27),
            []
        );
        assert_eq!(of("acc kernels", OpenMp60), [Problem::UnknownDirective]);
        assert_eq!(of("omp parallel ompx_x(1)", OpenMp45), []);
    }
}
