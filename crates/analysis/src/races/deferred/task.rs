//! A `task` construct: when may it run, what does it have for itself, and what does making it read?
//!
//! A copy is made when the task is made (`firstprivate`, said or not), whatever the task depends on.

use super::super::depend::Dependence;
use super::Walk;
use super::team::{Branch, Mine, Running, Task, Team};
use crate::value::decided;
use crate::verify::sharing::own_of;
use ferry_directive::{Clause, Directive, Item};
use ferry_ir::visit::{expression_variables, mentioned_variables};
use ferry_ir::{Expr as Code, ExprKind, Stmt, Unit, VariableRef, join};
use ferry_symbolic::Symbol;
use std::collections::BTreeSet;

/// The clauses of `task` that are followed; not `detach`, `transparent` and what comes after them.
const CLAUSES: [&str; 13] = [
    "affinity",
    "allocate",
    "default",
    "depend",
    "final",
    "firstprivate",
    "if",
    "in_reduction",
    "mergeable",
    "priority",
    "private",
    "shared",
    "untied",
];

/// What a constant of the file is defined as.
fn constant(unit: &Unit, value: &Code) -> Option<i128> {
    let mut value = value;
    while let ExprKind::Cast(inner) = &value.kind {
        value = inner;
    }
    join::constant(unit, value)?.1.as_int()
}

/// Which variables a task has for itself.
struct Sharing {
    /// Those of its clauses.
    own: BTreeSet<VariableRef>,
    /// Those of them that begin with the value from before.
    copied: BTreeSet<VariableRef>,
    shared: BTreeSet<VariableRef>,
    /// `default(shared)`.
    all: bool,
}

impl Sharing {
    /// `None` if the clauses were not understood.
    fn new(directive: &Directive<Code>, body: &Stmt) -> Option<Sharing> {
        let own = own_of(directive)?;
        let named = |clause: &str| {
            let mut found = BTreeSet::new();
            for object in directive.objects(clause) {
                expression_variables(&object?.base, &mut found);
            }
            Some(found)
        };
        let (copied, mut shared) = (named("firstprivate")?, named("shared")?);
        let by_default = directive
            .clauses_named("default")
            .flat_map(|clause| clause.items());
        let words: Vec<&str> = by_default
            .filter_map(|item| match item {
                Item::Word(word) => Some(word.as_str()),
                _ => None,
            })
            .collect();
        match words.as_slice() {
            [] | ["shared"] => {}
            // What is mentioned must be named, but for what is declared inside.
            ["none"] => shared.extend(mentioned_variables(body).difference(&own)),
            _ => return None,
        }
        Some(Sharing {
            own,
            copied,
            shared,
            all: words == ["shared"],
        })
    }

    /// Whether the task has a variable for itself, and then whether it begins with the value from before; `is_of_one` if not all threads share it
    /// (OpenMP 5.0 §2.19.1.1).
    fn of(&self, variable: VariableRef, is_of_one: bool) -> Option<bool> {
        if self.own.contains(&variable) {
            return Some(self.copied.contains(&variable));
        }
        (!self.all && is_of_one && !self.shared.contains(&variable)).then_some(true)
    }
}

impl<'a> Walk<'a> {
    /// A task with its statements; `dependences` are those of its clauses.
    pub(super) fn task(
        &mut self,
        stmt: &'a Stmt,
        directive: &'a Directive<Code>,
        body: &'a Stmt,
        dependences: Vec<Dependence>,
    ) {
        let after = self.before(&dependences);
        let parent = self.current();
        self.numbers += 1;
        let number = self.numbers;
        let Some(at) = self.program.values.directives.get(&stmt.id) else {
            return self.with_team(Team::order_by_hand);
        };
        // `None`: it is not known whether it may run later than where it is made.
        let mut deferred = match at.conditions.as_slice() {
            [] => Some(true),
            [(_, outcomes)] => decided(outcomes, &at.facts).or_else(|| {
                let value = constant(self.program.unit, directive.value("if")?)?;
                Some(value != 0)
            }),
            _ => None,
        };
        let is_final = at.is_final.as_ref();
        let mut is_final = is_final.map_or(Some(false), |outcomes| decided(outcomes, &at.facts));
        let Some(own) = Sharing::new(directive, body) else {
            return self.with_team(Team::order_by_hand);
        };
        let Some(team) = &mut self.team else { return };
        let is_known = |clause: &Clause<Code>| CLAUSES.contains(&clause.name.as_str());
        if !directive.clauses.iter().all(is_known) {
            team.by_hand = true;
            return;
        }
        let mut done = after.clone();
        if let Some(outer) = team.running.last() {
            if outer.silent {
                return;
            }
            done.extend(&outer.done);
            if is_final != Some(true) && outer.is_final != Some(false) {
                is_final = outer.is_final;
            }
            deferred = match outer.is_final {
                Some(true) => Some(false),
                Some(false) => deferred,
                None => deferred.filter(|deferred| !deferred),
            };
        }
        let outside = team.homes.clone();
        let mut copies = BTreeSet::new();
        for variable in mentioned_variables(body) {
            let Some(root) = self.program.values.addresses.get(&variable) else {
                continue;
            };
            if let Some(copied) = own.of(variable, team.homes.contains_key(root)) {
                team.homes.insert(*root, number);
                copies.extend(copied.then_some(*root));
            }
        }
        team.running.push(Running {
            number,
            touches: Vec::new(),
            done,
            is_final,
            silent: false,
        });
        let held = std::mem::take(&mut team.held);
        let of_one = team.of_one;
        if deferred.is_none() {
            self.pass(stmt.id, Branch::Deferred);
        }
        self.statement(body);
        if deferred.is_none() {
            self.conditions.pop();
        }
        let Some(team) = &mut self.team else { return };
        team.held = held;
        team.of_one = of_one;
        self.end_of_task(number, body);
        // Who made it goes on.
        self.unreached = false;
        let Some(team) = &mut self.team else { return };
        team.homes = outside;
        let Some(ran) = team.running.pop() else { return };
        self.copied(stmt, &copies, &ran);
        let Some(team) = &mut self.team else { return };
        if deferred == Some(false)
            && let Some(outer) = team.running.last_mut()
        {
            outer.touches.extend(ran.touches.iter().cloned());
        }
        if deferred != Some(true) {
            self.with_team(|team| team.remove(|task| after.contains(&task.number)));
        }
        if deferred == Some(false) {
            return;
        }
        let task = Task {
            number,
            parent,
            stmt: stmt.id,
            touches: ran.touches,
            dependences,
            after,
        };
        self.beside_itself(&task);
        self.with_team(|team| team.push(task));
    }

    /// Making a task reads what the task then reads of its copies before it sets them.
    fn copied(&mut self, stmt: &Stmt, copies: &BTreeSet<Symbol>, ran: &Running) {
        for root in copies {
            let first = ran
                .touches
                .iter()
                .find(|one| one.touch.root == *root && one.home == Some(ran.number));
            let Some(first) = first.filter(|first| !first.touch.write && first.touch.loops.is_empty()) else {
                continue;
            };
            let Some(team) = &mut self.team else { return };
            let mine = Mine {
                touch: first.touch.clone(),
                home: team.homes.get(root).copied(),
                held: team.held.clone(),
                constant: None,
                stmt: stmt.id,
                conditions: first.conditions.clone(),
            };
            self.against_pending(&mine);
            if let Some(task) = self.team.as_mut().and_then(|team| team.running.last_mut()) {
                task.touches.push(mine);
            }
        }
    }
}
