//! Are the directives that are there right? Rules, each with its page, over the facts of `analysis`.
//!
//! A finding is *proven*, *likely* or *possible* ([`Confidence`]). Only the first two are errors or warnings; the last is for those who ask.

mod case;
mod rules;

pub use ferry_analysis::coherence::Confidence;
pub use rules::{ALL, Rule, named};

use case::{Case, Names};
use ferry_analysis::coherence::{self, Defect, Found};
use ferry_analysis::effects::linked::Outside;
use ferry_analysis::verify;
use ferry_directive::Directive;
use ferry_ir::{Expr as Code, GlobalId, Stmt, StmtId, StmtKind, Unit};
use ferry_source::{Edit, Finding, Origin, Sources, Span};
use std::collections::{BTreeMap, BTreeSet};

/// One finding of a rule.
#[derive(Clone, PartialEq, Debug)]
pub struct Checked {
    /// What to say.
    pub finding: Finding,
    /// How sure.
    pub confidence: Confidence,
    /// The object, as the program names it; empty if there is none.
    pub object: String,
    /// The function in which it is, or from which it was followed.
    pub function: String,
    /// What would mend it: all of these together.
    pub fixes: Vec<Edit>,
}

/// What came of a unit.
#[derive(Default, Debug)]
pub struct Result {
    /// The findings by place.
    pub findings: Vec<Checked>,
    /// What was not followed, each place once.
    pub unknown: Vec<(String, Option<Span>)>,
}

/// Checks a unit; `declarations` are the directives at no statement's place, with their names.
pub fn check(unit: &Unit, outside: &Outside, declarations: &[(Span, &str)], sources: &Sources) -> Result {
    let always = BTreeSet::<GlobalId>::new();
    let found = coherence::follow(unit, outside, &always);
    let mut result = Result::default();
    for one in &found {
        let names = Names {
            unit,
            found: one,
            sources,
        };
        let directives = directives(unit, one);
        for defect in &one.defects {
            let by = defect
                .directive
                .and_then(|moved| directives.get(&moved.stmt))
                .copied();
            result.findings.extend(checked(names, defect, by));
        }
        if let Some(cause) = &one.blind {
            result.unknown.push((cause.why.clone(), cause.at.span()));
        }
    }
    let verified = verify::verify(unit, outside, declarations, sources);
    result
        .findings
        .extend(verified.findings.into_iter().map(|finding| Checked {
            finding,
            confidence: Confidence::Proven,
            object: String::new(),
            function: String::new(),
            fixes: Vec::new(),
        }));
    let place = |one: &Checked| one.finding.primary.as_ref().map(|label| label.at);
    result.findings.sort_by(|a, b| {
        let key = |one: &Checked| {
            (
                place(one),
                one.finding.rule.clone(),
                one.object.clone(),
                one.confidence,
            )
        };
        key(a).cmp(&key(b))
    });
    // What is found on several ways to one place is one finding, the surest.
    result
        .findings
        .dedup_by(|b, a| place(a) == place(b) && a.finding.rule == b.finding.rule && a.object == b.object);
    result
}

/// The directives of the function that was followed, and of the copies of those that it calls.
fn directives<'a>(unit: &'a Unit, found: &'a Found) -> BTreeMap<StmtId, &'a Directive<Code>> {
    let mut all = BTreeMap::new();
    let mut collect = |body: &'a Stmt| {
        body.walk(&mut |stmt| {
            if let StmtKind::Directive { directive, .. } = &stmt.kind {
                all.insert(stmt.id, &**directive);
            }
        });
    };
    if let Some(body) = &unit.function(found.function).body {
        collect(body);
    }
    for body in found.values.bodies.values() {
        collect(&body.stmt);
    }
    all
}

fn checked(names: Names<'_>, defect: &Defect, directive: Option<&Directive<Code>>) -> Option<Checked> {
    let rule = rules::of(defect.kind)?;
    let case = Case::new(names, defect, directive);
    let words = (rule.say)(&case);
    let mut finding = Finding::new(rule.severity, rule.name, words.message);
    let at = defect.at.span()?;
    finding = finding.at(at, words.here);
    let related = |finding: Finding, at: Option<Span>, message: &str| match at.filter(|_| !message.is_empty())
    {
        Some(at) => finding.related(at, message),
        None => finding,
    };
    finding = related(finding, defect.written.and_then(Origin::span), words.written);
    finding = related(
        finding,
        defect.directive.and_then(|moved| moved.at),
        words.directive,
    );
    if defect.around {
        finding = finding.note("in a later iteration of the loop around it");
    }
    if !words.help.is_empty() {
        finding = finding.help(words.help);
    }
    Some(Checked {
        finding,
        confidence: defect.confidence,
        object: case.object,
        function: names.unit.function(names.found.function).name.clone(),
        fixes: Vec::new(),
    })
}
