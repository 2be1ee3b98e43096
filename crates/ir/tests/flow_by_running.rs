//! What jumps mean, judged by running: generated control flow is walked along random paths by a small executor that
//! follows the specification and shares nothing with `flow`. Whatever happens must be among what `flow` says may happen.

use ferry_ir::flow::{Flow, Leaving};
use ferry_ir::{Callee, ExprKind, Function, LabelId, LoopKind, Stmt, StmtId, StmtKind, Unit, parse_unit};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Writes a function out of bytes.
struct Writer<'b> {
    bytes: std::slice::Iter<'b, u8>,
    labels: Vec<bool>,
}

const LABELS: usize = 4;

impl Writer<'_> {
    fn pick(&mut self, end: u8) -> u8 {
        self.bytes.next().copied().unwrap_or(0) % end
    }

    fn condition(&mut self) -> &'static str {
        ["n", "n", "n", "n", "n && 0", "1", "0", "n || 1", "!0"][usize::from(self.pick(9))]
    }

    fn statement(&mut self, depth: u8, breaks: bool, continues: bool, cases: bool) -> String {
        let inner = depth.saturating_sub(1);
        match self.pick(if depth == 0 { 11 } else { 20 }) {
            0 => "n = 1;".to_owned(),
            1 if breaks => "break;".to_owned(),
            2 if continues => "continue;".to_owned(),
            3 => "return;".to_owned(),
            4 | 5 => format!("goto L{};", self.pick(LABELS as u8)),
            6 | 7 => {
                let label = usize::from(self.pick(LABELS as u8));
                if std::mem::replace(&mut self.labels[label], true) {
                    return "empty;".to_owned();
                }
                format!("label L{label};")
            }
            8 => ["call exit(1);", "call other(1);"][usize::from(self.pick(2))].to_owned(),
            9 if cases => ["case 1:", "case 2:", "default:"][usize::from(self.pick(3))].to_owned(),
            10 => ["opaque \"?\" () jumps;", "opaque \"?\" () escapes;", "empty;"][usize::from(self.pick(3))]
                .to_owned(),
            11..=14 => {
                let mut text = "{".to_owned();
                for _ in 0..self.pick(5) {
                    text += &self.statement(inner, breaks, continues, cases);
                }
                text + "}"
            }
            15 | 16 => {
                let condition = self.condition();
                let then = self.statement(inner, breaks, continues, cases);
                match self.pick(2) {
                    0 => format!("if ({condition}) {{ {then} }}"),
                    _ => {
                        let otherwise = self.statement(inner, breaks, continues, cases);
                        format!("if ({condition}) {{ {then} }} else {otherwise}")
                    }
                }
            }
            17 => {
                let (condition, body) = (self.condition(), self.statement(inner, true, true, cases));
                match self.pick(4) {
                    0 => format!("for (n = 2; {condition}; n = 3) {body}"),
                    1 => format!("for (n = 2; ; n = 3) {body}"),
                    2 => format!("while ({{ n = 4; }} {condition}) {body}"),
                    _ => format!("do {body} while ({{ n = 4; }} {condition});"),
                }
            }
            18 => format!(
                "switch (n) {{ case 7: {} }}",
                self.statement(inner, true, continues, true)
            ),
            19 => format!(
                "directive omp \"for\" : {}",
                self.statement(inner, breaks, continues, cases)
            ),
            _ => "empty;".to_owned(),
        }
    }
}

fn write(bytes: &[u8]) -> String {
    let mut writer = Writer {
        bytes: bytes.iter(),
        labels: vec![false; LABELS],
    };
    let body: String = (0..6).map(|_| writer.statement(4, false, false, false)).collect();
    let rest: String = (0..LABELS)
        .filter(|label| !writer.labels[*label])
        .map(|label| format!("label L{label};"))
        .collect();
    let labels: String = (0..LABELS).map(|label| format!("label L{label};")).collect();
    format!(
        "unit 0
        function exit: fn<void(i32)> external noreturn {{}}
        function other: fn<void(i32)> external {{}}
        function f: fn<void(i32)> external {{ parameter n: i32; {labels} body {{ {body} {rest} }} }}"
    )
}

/// How a statement was left, by which statement.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Signal {
    Falls,
    Breaks(StmtId),
    Continues(StmtId),
    Returns(StmtId),
    Goes(LabelId, StmtId),
    Never(StmtId),
    /// The walk is given up.
    Tired,
}

/// Where in a statement control comes in, instead of at its top, and from where.
#[derive(Clone, Copy)]
struct Entry<'a> {
    at: &'a Stmt,
    from: StmtId,
}

struct Walk<'a> {
    flow: Flow<'a>,
    choices: std::vec::IntoIter<u8>,
    fuel: u32,
    labels: Vec<LabelId>,
    /// What came out of something opaque is not asked of `exits`, but for that it says so.
    opaque: BTreeSet<StmtId>,
    problems: Vec<String>,
}

fn contains(statement: &Stmt, other: &Stmt) -> bool {
    let mut found = false;
    statement.walk(&mut |inner| found |= std::ptr::eq(inner, other));
    found
}

fn find_label(statement: &Stmt, label: LabelId) -> Option<&Stmt> {
    let mut found = None;
    statement.walk(&mut |inner| {
        if inner.kind == StmtKind::Label(label) {
            found = Some(inner);
        }
    });
    found
}

impl<'a> Walk<'a> {
    fn choose(&mut self, end: usize) -> usize {
        usize::from(self.choices.next().unwrap_or(0)) % end
    }

    fn holds(&mut self, condition: &ferry_ir::Expr) -> bool {
        match &condition.kind {
            ExprKind::Int(value) => *value != 0,
            ExprKind::Unary(_, a) => !self.holds(a),
            ExprKind::Logical(ferry_ir::LogicalOp::And, a, b) => self.holds(a) && self.holds(b),
            ExprKind::Logical(_, a, b) => self.holds(a) || self.holds(b),
            _ => self.choose(2) == 1,
        }
    }

    fn check(&mut self, fine: bool, what: &str, statement: &Stmt) {
        if !fine {
            self.problems
                .push(format!("{what} at statement {}", statement.id.0));
        }
    }

    /// Runs a statement, from its top or from somewhere inside.
    fn run(&mut self, statement: &'a Stmt, entry: Option<Entry<'a>>) -> Signal {
        let id = statement.id;
        if self.fuel == 0 {
            return Signal::Tired;
        }
        self.fuel -= 1;
        self.check(self.flow.reachable(id), "unreachable", statement);
        if let Some(entry) = entry.filter(|entry| !std::ptr::eq(entry.at, statement)) {
            let told = self.flow.side_entries(id);
            // A jump from inside to inside is no entry.
            let told = told
                .iter()
                .any(|told| told.at == entry.at.id && told.from == entry.from);
            let mut from_inside = false;
            statement.walk(&mut |other| from_inside |= other.id == entry.from);
            self.check(told || from_inside, "side entry", statement);
        }
        let mut signal = self.inside(statement, entry);
        // Jumps to a label inside do not leave the statement.
        while let Signal::Goes(label, from) = signal
            && let Some(at) = find_label(statement, label)
            && !std::ptr::eq(at, statement)
            && self.fuel > 0
        {
            self.fuel -= 1;
            signal = self.inside(statement, Some(Entry { at, from }));
        }
        if self.fuel == 0 {
            return Signal::Tired;
        }
        let exits = self.flow.exits(id).clone();
        let fine = match signal {
            Signal::Tired => true,
            Signal::Falls => exits.falls,
            Signal::Breaks(by) => exits.breaks || (exits.unknown && self.opaque.contains(&by)),
            Signal::Continues(by) => exits.continues || (exits.unknown && self.opaque.contains(&by)),
            Signal::Returns(by) => exits.returns || (exits.unknown && self.opaque.contains(&by)),
            Signal::Goes(label, by) => {
                exits.gotos.contains(&label) || (exits.unknown && self.opaque.contains(&by))
            }
            Signal::Never(_) => exits.never,
        };
        self.check(fine, &format!("{signal:?} is not among {exits:?}"), statement);
        signal
    }

    fn sequence(&mut self, body: &'a [Stmt], entry: Option<Entry<'a>>) -> Signal {
        let start = entry.map_or(0, |entry| {
            body.iter().position(|inner| contains(inner, entry.at)).unwrap()
        });
        for (number, inner) in body.iter().enumerate().skip(start) {
            let signal = self.run(inner, entry.filter(|_| number == start));
            if signal != Signal::Falls {
                return signal;
            }
        }
        Signal::Falls
    }

    fn inside(&mut self, statement: &'a Stmt, entry: Option<Entry<'a>>) -> Signal {
        let id = statement.id;
        match &statement.kind {
            StmtKind::Block { body, .. } => self.sequence(body, entry),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                let yes = match entry {
                    Some(entry) => contains(then, entry.at),
                    None => self.holds(condition),
                };
                match otherwise {
                    _ if yes => self.run(then, entry),
                    Some(otherwise) => self.run(otherwise, entry),
                    None => Signal::Falls,
                }
            }
            StmtKind::Loop(l) => {
                let mut entry = entry;
                let mut in_body = entry.is_some() || l.kind == LoopKind::Do;
                if entry.is_none() {
                    self.sequence(&l.init, None);
                }
                loop {
                    if self.fuel == 0 {
                        return Signal::Tired;
                    }
                    self.fuel -= 1;
                    if !in_body {
                        self.sequence(&l.before_test, None);
                        let condition = l.condition.as_ref();
                        if condition.is_some_and(|condition| !self.holds(condition)) {
                            return Signal::Falls;
                        }
                    }
                    in_body = false;
                    let signal = self.run(&l.body, entry.take());
                    let early = match signal {
                        Signal::Falls | Signal::Continues(_) | Signal::Tired => None,
                        Signal::Breaks(by) => Some((by, Leaving::Break)),
                        Signal::Returns(by) => Some((by, Leaving::Return)),
                        Signal::Never(by) => Some((by, Leaving::Call)),
                        Signal::Goes(label, _) if find_label(statement, label).is_some() => None,
                        Signal::Goes(label, by) => Some((by, Leaving::Goto(label))),
                    };
                    if let Some((at, how)) = early {
                        let how = if self.opaque.contains(&at) {
                            Leaving::Opaque
                        } else {
                            how
                        };
                        let told = self.flow.early_exits(id);
                        let told = told.iter().any(|exit| exit.at == at && exit.how == how);
                        self.check(told, &format!("left early by {}", at.0), statement);
                    }
                    match signal {
                        Signal::Falls | Signal::Continues(_) => {}
                        Signal::Breaks(_) => return Signal::Falls,
                        other => return other,
                    }
                    self.sequence(&l.step, None);
                }
            }
            StmtKind::Switch { body, .. } => {
                let entry = match entry {
                    Some(entry) => Some(entry),
                    None => {
                        let mut cases = Vec::new();
                        own_cases(body, &mut cases);
                        let default = cases.iter().any(|case| case.kind == StmtKind::Default);
                        match self.choose(cases.len() + usize::from(!default)) {
                            number if number < cases.len() => Some(Entry {
                                at: cases[number],
                                from: id,
                            }),
                            _ => return Signal::Falls,
                        }
                    }
                };
                match self.run(body, entry) {
                    Signal::Breaks(_) => Signal::Falls,
                    other => other,
                }
            }
            StmtKind::Directive { body: Some(body), .. } => self.run(body, entry),
            StmtKind::Break => Signal::Breaks(id),
            StmtKind::Continue => Signal::Continues(id),
            StmtKind::Return(_) => Signal::Returns(id),
            StmtKind::Goto(label) => Signal::Goes(*label, id),
            StmtKind::Call {
                callee: Callee::Function(ferry_ir::FunctionRef(0)),
                ..
            } => Signal::Never(id),
            StmtKind::Opaque { jumps: true, .. } => {
                self.opaque.insert(id);
                match self.choose(4) {
                    0 => Signal::Falls,
                    1 => Signal::Returns(id),
                    _ => {
                        let label = self.choose(self.labels.len());
                        Signal::Goes(self.labels[label], id)
                    }
                }
            }
            _ => Signal::Falls,
        }
    }
}

/// The cases of a switch with this body, not those of switches inside.
fn own_cases<'a>(statement: &'a Stmt, into: &mut Vec<&'a Stmt>) {
    match &statement.kind {
        StmtKind::Case { .. } | StmtKind::Default => into.push(statement),
        StmtKind::Switch { .. } => {}
        _ => statement.for_each_child(&mut |child| own_cases(child, into)),
    }
}

fn walk(unit: &Unit, function: &Function, choices: Vec<u8>) -> Vec<String> {
    let body = function.body.as_ref().unwrap();
    let mut walk = Walk {
        flow: Flow::of(unit, function),
        choices: choices.into_iter(),
        fuel: 400,
        labels: (0..LABELS as u32).map(LabelId).collect(),
        opaque: BTreeSet::new(),
        problems: Vec::new(),
    };
    let signal = walk.run(body, None);
    if let Signal::Breaks(_) | Signal::Continues(_) | Signal::Goes(..) = signal {
        walk.problems.push(format!("{signal:?} leaves the function"));
    }
    walk.problems
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_happens_may_happen(
        bytes in prop::collection::vec(any::<u8>(), 0..120),
        paths in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 12),
    ) {
        let text = write(&bytes);
        let unit = parse_unit(&text).unwrap();
        for choices in paths {
            let problems = walk(&unit, &unit.functions[2], choices);
            prop_assert!(
                problems.is_empty(),
                "{problems:?}\n{}",
                ferry_ir::print_unit(&unit, ferry_ir::PrintOptions { statement_ids: true, ..Default::default() })
            );
        }
    }
}
