//! Is something that the user says proved to be false?
//!
//! Each function of which something is said is analysed once: an assumption that contradicts what is known at its
//! place, and a loop called independent that certainly is not.
//!
//! What it cannot do: find what is false, but not proved to be.

use crate::effects::Effects;
use crate::verdict::analyse;
use ferry_ir::Unit;
use ferry_source::{Finding, Severity};

/// What is wrong with the words that a unit was told, which its effects hold.
pub fn contradictions(unit: &Unit, effects: &Effects) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (id, word) in effects.words() {
        let function = unit.function(*id);
        let facts = analyse(unit, *id, effects);
        for (assumption, why) in &facts.values.contradicted {
            let message = "an assumption cannot hold where it is made";
            let finding = Finding::new(Severity::Error, "assumption-contradicted", message);
            let place = assumption
                .at
                .or_else(|| function.name_span.or(function.origin.span()));
            findings.push(match place {
                Some(at) if assumption.at.is_some() => finding.at(at, why.clone()),
                Some(at) => finding.at(at, format!("not here: {}", assumption.rests)),
                None => finding.note(assumption.rests.clone()),
            });
        }
        for (number, verdict) in facts.verdicts.iter().enumerate() {
            let Some(said) = word.independent.get(&facts.values.loops[number].stmt) else {
                continue;
            };
            for obstacle in &verdict.against {
                let message = "a loop is called independent, and its iterations certainly are not";
                let mut finding = Finding::new(Severity::Error, "independent-contradicted", message)
                    .at(said.at, "this was said");
                if let Some(at) = obstacle.cause.at.span() {
                    finding = finding.related(at, obstacle.cause.why.clone());
                }
                if let Some(at) = obstacle.other.and_then(ferry_source::Origin::span) {
                    finding = finding.related(at, "the other access");
                }
                findings.push(finding.note(
                    "if the loop never runs that long, an assumption about its number of iterations says so",
                ));
            }
        }
    }
    findings
}
