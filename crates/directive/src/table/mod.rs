//! Which directives and clauses are there, since which version, and what may go with what?
//!
//! The rows are in `openmp.rs`, `openacc.rs` (directives and the clauses that they take) and `clauses.rs` (how the parentheses of each
//! clause are read). Compound constructs (`target teams distribute parallel for`) are made of their leaf constructs and take the
//! clauses of all of them, except where the specifications say otherwise. Fortran-only directives are not known.
//!
//! Sources: OpenMP 4.5, 5.0, 5.1, 5.2, 6.0 and OpenACC 2.7 to 3.4, the sections of each directive. Limits on the *number* of clauses and on
//! nesting are not in the table.

mod clauses;
mod openacc;
mod openmp;

pub(crate) use clauses::{
    After, Before, Items, Parentheses, Syntax, canonical_clause, clause_syntax, known_clauses,
};

use crate::{Language, Version};

/// What a directive is written before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Association {
    /// Nothing: it is a statement of its own (`barrier`, `target update`).
    StandAlone,
    /// The structured block (statement) after it.
    Block,
    /// The loop nest after it.
    Loops,
    /// A declaration or definition, or nothing, among declarations.
    Declarative,
    /// The text up to its `end` directive.
    Delimited,
    /// The `end` of a delimited one.
    End,
    /// It separates statements inside the block of another directive (`section`, `scan`).
    Separating,
    /// Nothing: it informs the compiler (`requires`, `assumes`).
    Informational,
    /// It depends on the arguments (`metadirective`).
    Varies,
}

/// One row: a directive that is not made of others.
#[derive(Debug)]
pub(crate) struct Row {
    pub name: &'static str,
    pub since: Version,
    pub association: Association,
    /// How the parentheses after the name are read; `None`: no parentheses.
    pub argument: Option<Syntax>,
    /// Clauses with the version that brought them, blanks between.
    pub clauses: &'static [(Version, &'static str)],
}

/// What the table says about one directive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Specification {
    /// Canonical name.
    pub name: String,
    /// The version that brought it, 4.5 and 2.7 standing for all before.
    pub since: Version,
    /// What it is written before.
    pub association: Association,
    rows: Vec<usize>,
    language: Language,
}

fn rows(language: Language) -> &'static [Row] {
    match language {
        Language::OpenMp => openmp::ROWS,
        Language::OpenAcc => openacc::ROWS,
    }
}

fn compounds(language: Language) -> &'static [(&'static str, Version)] {
    match language {
        Language::OpenMp => openmp::COMPOUNDS,
        Language::OpenAcc => openacc::COMPOUNDS,
    }
}

fn row(language: Language, name: &str) -> Option<usize> {
    rows(language).iter().position(|row| row.name == name)
}

/// The leaf constructs of a directive in order: `for`, `simd` of `for simd`; the name itself if it is not compound. Empty if a word is unknown.
pub fn leaves(language: Language, name: &str) -> Vec<&'static str> {
    match row(language, name) {
        Some(at) => vec![rows(language)[at].name],
        None => {
            let leaves: Option<Vec<_>> = name
                .split(' ')
                .map(|word| Some(rows(language)[row(language, word)?].name))
                .collect();
            leaves.unwrap_or_default()
        }
    }
}

/// OpenMP 6.0 §5.1 allows compounds beyond the listed ones: leaves in the order of their nesting.
fn is_free_compound(language: Language, name: &str) -> bool {
    const ORDER: &[&[&str]] = &[
        &["target"],
        &["teams"],
        &["distribute"],
        &["parallel"],
        &["masked"],
        &["for", "loop", "sections", "single", "taskloop", "task", "scope"],
        &["simd"],
    ];
    let mut last = None;
    let ordered = name.split(' ').all(|word| {
        let rank = ORDER.iter().position(|words| words.contains(&word));
        let rises = rank.is_some() && rank > last;
        last = rank;
        rises
    });
    // `simd` nests in loop constructs only; the rest follows from the order.
    let before_simd = name
        .strip_suffix(" simd")
        .and_then(|before| before.split(' ').next_back());
    language == Language::OpenMp
        && ordered
        && before_simd.is_none_or(|word| !matches!(word, "sections" | "single" | "task" | "scope" | "loop"))
}

/// What the table says about a directive; `None` if there is none with this canonical name.
pub fn specification(language: Language, name: &str) -> Option<Specification> {
    let made = |since, association, rows| Specification {
        name: name.to_owned(),
        since,
        association,
        rows,
        language,
    };
    if let Some(at) = row(language, name) {
        let row = &rows(language)[at];
        return Some(made(row.since, row.association, vec![at]));
    }
    let listed = compounds(language)
        .iter()
        .find(|(compound, _)| *compound == name)
        .map(|(_, since)| *since);
    let since = listed.or(is_free_compound(language, name).then_some(Version::OpenMp60))?;
    let parts: Vec<usize> = name
        .split(' ')
        .map(|word| row(language, word))
        .collect::<Option<_>>()?;
    let association = rows(language)[*parts.last()?].association;
    Some(made(since, association, parts))
}

/// All directives that have a row or are listed compounds.
pub fn directive_names(language: Language) -> impl Iterator<Item = &'static str> {
    let single = rows(language).iter().map(|row| row.name);
    single.chain(compounds(language).iter().map(|(name, _)| *name))
}

impl Specification {
    /// The version that brought this clause to this directive; `None` if it does not take it.
    pub fn clause_since(&self, clause: &str) -> Option<Version> {
        if self.excludes(clause) {
            return None;
        }
        let listed = self.rows.iter().flat_map(|at| rows(self.language)[*at].clauses);
        listed
            .filter(|(_, names)| names.split_whitespace().any(|n| n == clause))
            .map(|(since, _)| *since)
            .min()
    }

    /// The clauses that it takes in a version, in the order of the table.
    pub fn clauses(&self, version: Version) -> Vec<&'static str> {
        let listed = self.rows.iter().flat_map(|at| rows(self.language)[*at].clauses);
        let mut names: Vec<&'static str> = listed
            .filter(|(since, _)| *since <= version)
            .flat_map(|(_, names)| names.split_whitespace())
            .filter(|name| !self.excludes(name))
            .collect();
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(*name));
        names
    }

    /// Clauses of a leaf that a compound does not take (OpenMP 5.0 §2.13, 5.2 §17.2).
    fn excludes(&self, clause: &str) -> bool {
        let has = |leaf: &str| self.name.split(' ').any(|word| word == leaf);
        if self.language != Language::OpenMp || self.rows.len() < 2 {
            return false;
        }
        match clause {
            // A construct that ends with its parallel or teams region cannot leave it earlier.
            "nowait" => !has("target") && (has("parallel") || has("teams")),
            "copyin" => has("target"),
            "in_reduction" => has("parallel") && has("taskloop"),
            // Ordered regions bind to one worksharing loop over all iterations, which `distribute` cuts.
            "ordered" => has("distribute"),
            "linear" => has("distribute") && has("parallel") && !has("simd"),
            _ => false,
        }
    }

    pub(crate) fn argument(&self) -> Option<&'static Syntax> {
        match self.rows[..] {
            [at] => rows(self.language)[at].argument.as_ref(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Version::*;

    #[test]
    fn every_clause_of_the_table_can_be_read() {
        for language in [Language::OpenMp, Language::OpenAcc] {
            for row in rows(language) {
                for (since, names) in row.clauses {
                    assert!(*since >= row.since, "{}: {names}", row.name);
                    for clause in names.split_whitespace() {
                        assert!(
                            clause_syntax(language, row.name, clause).is_some(),
                            "{}: {clause}",
                            row.name
                        );
                    }
                }
            }
            for (name, since) in compounds(language) {
                let parts = leaves(language, name);
                assert!(parts.len() > 1, "{name}");
                let known = specification(language, name).map(|s| s.since);
                assert_eq!(known, Some(*since), "{name}");
            }
        }
    }

    #[test]
    fn no_name_is_listed_twice() {
        for language in [Language::OpenMp, Language::OpenAcc] {
            let mut names: Vec<_> = directive_names(language).collect();
            names.sort();
            let all = names.len();
            names.dedup();
            assert_eq!(names.len(), all);
        }
    }

    #[test]
    fn compounds_take_the_clauses_of_their_leaves() {
        let full = specification(Language::OpenMp, "target teams distribute parallel for").unwrap();
        assert_eq!(full.association, Association::Loops);
        assert_eq!(full.clause_since("map"), Some(OpenMp45));
        assert_eq!(full.clause_since("num_teams"), Some(OpenMp45));
        assert_eq!(full.clause_since("has_device_addr"), Some(OpenMp51));
        assert_eq!(full.clause_since("nowait"), Some(OpenMp45));
        assert_eq!(full.clause_since("copyin"), None);
        assert_eq!(full.clause_since("ordered"), None);
        let parallel_for = specification(Language::OpenMp, "parallel for").unwrap();
        assert_eq!(parallel_for.clause_since("nowait"), None);
        assert_eq!(parallel_for.clause_since("allocate"), Some(OpenMp50));
        assert!(!parallel_for.clauses(OpenMp45).contains(&"allocate"));
        assert!(parallel_for.clauses(OpenMp50).contains(&"allocate"));
        let acc = specification(Language::OpenAcc, "kernels loop").unwrap();
        assert!(acc.clause_since("reduction").is_some() && acc.clause_since("copy").is_some());
        assert_eq!(
            specification(Language::OpenAcc, "kernels")
                .unwrap()
                .clause_since("private"),
            None
        );
    }

    #[test]
    fn free_compounds_are_of_6_0() {
        assert_eq!(
            specification(Language::OpenMp, "target loop").unwrap().since,
            OpenMp60
        );
        assert_eq!(specification(Language::OpenMp, "teams target"), None);
        assert_eq!(specification(Language::OpenMp, "parallel single simd"), None);
        assert_eq!(specification(Language::OpenMp, "parallel parallel"), None);
        assert_eq!(specification(Language::OpenAcc, "target loop"), None);
    }
}
