//! Do jumps have somewhere to go: labels once, cases in a switch, breaks in a loop?

use super::{Rule, Verifier};
use crate::{Function, LabelId, Stmt, StmtKind, TypeId};
use ferry_source::Origin;
use std::collections::{HashMap, HashSet};

/// The statements around: what a jump may refer to.
#[derive(Clone, Copy, Default)]
struct Around {
    breaks: bool,
    continues: bool,
    /// Index into the cases that are collected.
    switch: Option<usize>,
}

/// The cases of one switch.
struct Cases {
    ty: TypeId,
    ranges: Vec<(i128, i128, Origin)>,
    default: bool,
}

/// What a walk over the function collects.
#[derive(Default)]
struct Found {
    labels: HashMap<LabelId, u32>,
    gotos: HashSet<LabelId>,
    jumps_opaque: bool,
    switches: Vec<Cases>,
}

impl<'a> Verifier<'a> {
    pub(super) fn labels(&mut self, function: &Function, body: &'a Stmt) {
        let mut found = Found::default();
        self.jumps(function, body, Around::default(), &mut found);
        self.statement = None;
        for (label, times) in &found.labels {
            if *times > 1 {
                self.wrong(
                    Rule::Label,
                    function.origin,
                    format!("label {} is {times} times", label.0),
                );
            }
        }
        if !found.jumps_opaque {
            for label in found
                .gotos
                .iter()
                .filter(|label| !found.labels.contains_key(label))
            {
                self.wrong(
                    Rule::Label,
                    function.origin,
                    format!("label {} is nowhere", label.0),
                );
            }
        }
        // Output must not depend on the order of hashing.
        self.violations
            .sort_by(|a, b| (a.statement, a.rule, &a.message).cmp(&(b.statement, b.rule, &b.message)));
        for switch in found.switches {
            self.overlaps(switch);
        }
    }

    fn label(&mut self, function: &Function, label: LabelId, origin: Origin) {
        if function.labels.get(label.0 as usize).is_none() {
            self.wrong(Rule::Reference, origin, format!("there is no label {}", label.0));
        }
    }

    fn jumps(&mut self, function: &Function, statement: &'a Stmt, around: Around, found: &mut Found) {
        self.statement = Some(statement);
        let origin = statement.origin;
        let mut inside = around;
        match &statement.kind {
            StmtKind::Break if !around.breaks => self.wrong(Rule::Jump, origin, "`break` of nothing"),
            StmtKind::Continue if !around.continues => {
                self.wrong(Rule::Jump, origin, "`continue` of nothing")
            }
            StmtKind::Goto(label) => {
                self.label(function, *label, origin);
                found.gotos.insert(*label);
            }
            StmtKind::Label(label) => {
                self.label(function, *label, origin);
                *found.labels.entry(*label).or_insert(0) += 1;
            }
            StmtKind::Opaque { jumps: true, .. } => found.jumps_opaque = true,
            StmtKind::Loop(_) => {
                inside = Around {
                    breaks: true,
                    continues: true,
                    ..around
                }
            }
            StmtKind::Switch { value, .. } => {
                inside = Around {
                    breaks: true,
                    switch: Some(found.switches.len()),
                    ..around
                };
                found.switches.push(Cases {
                    ty: value.ty,
                    ranges: Vec::new(),
                    default: false,
                });
            }
            StmtKind::Case { low, high } => {
                match around.switch.and_then(|number| found.switches.get_mut(number)) {
                    None => self.wrong(Rule::Case, origin, "`case` of nothing"),
                    Some(switch) => {
                        switch.ranges.push((*low, *high, origin));
                        if low > high {
                            self.wrong(Rule::Case, origin, format!("from {low} to {high}"));
                        }
                    }
                }
            }
            StmtKind::Default => match around.switch.and_then(|number| found.switches.get_mut(number)) {
                None => self.wrong(Rule::Case, origin, "`default` of nothing"),
                Some(Cases { default: true, .. }) => self.wrong(Rule::Case, origin, "a second `default`"),
                Some(switch) => switch.default = true,
            },
            _ => {}
        }
        statement.for_each_child(&mut |child| self.jumps(function, child, inside, found));
    }

    fn overlaps(&mut self, mut switch: Cases) {
        let range = match self.get(switch.ty) {
            Some(crate::Type::Int {
                bits: bits @ ..=64,
                signed: true,
            }) => -(1i128 << bits >> 1)..=(1i128 << bits >> 1) - 1,
            Some(crate::Type::Int {
                bits: bits @ ..=64,
                signed: false,
            }) => 0..=(1i128 << bits) - 1,
            _ => i128::MIN..=i128::MAX,
        };
        switch.ranges.sort_unstable_by_key(|(low, high, _)| (*low, *high));
        for (low, high, origin) in &switch.ranges {
            if !range.contains(low) || !range.contains(high) {
                self.wrong(
                    Rule::Case,
                    *origin,
                    format!("{low} is no value of {}", self.name_of(switch.ty)),
                );
            }
        }
        for pair in switch.ranges.windows(2) {
            if let [(_, high, _), (low, _, origin)] = pair
                && low <= high
            {
                self.wrong(Rule::Case, *origin, format!("`case {low}` is there twice"));
            }
        }
    }
}
