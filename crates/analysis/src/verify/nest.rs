//! Which loops does a directive speak of, and what lies around each statement inside them?
//!
//! Only directives that say that iterations may run at the same time: worksharing loops, `simd`, `distribute`, `loop` and `taskloop`, of OpenACC
//! `loop` where it is not left to the compiler.
//!
//! What it cannot do: a `taskloop` whose threads a caller makes, or that says how many iterations a task has; `tile` and its like, doacross loops, metadirectives: they are not looked at.

use ferry_directive::{Directive, Language};
use ferry_ir::{Expr, LoopKind, Stmt, StmtId, StmtKind, VariableRef};
use std::collections::{BTreeMap, BTreeSet};

/// A directive with its loops.
pub struct Nest<'a> {
    /// The statement of the directive.
    pub stmt: &'a Stmt,
    /// The directive.
    pub directive: &'a Directive<Expr>,
    /// The directives around it in its function, outermost first.
    pub around: Vec<(&'a Directive<Expr>, &'a Stmt)>,
    /// The loops, outermost first; empty where they are not understood.
    pub loops: Vec<&'a Stmt>,
    /// Something in it orders iterations by hand: `flush`, `barrier`, `depend`, a loop that waits for what is atomic.
    pub by_hand: bool,
}

/// How the iterations of a nest run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// By several threads.
    Threads,
    /// By the lanes of one thread's vectors.
    Lanes,
}

impl<'a> Nest<'a> {
    /// How its iterations run.
    pub fn way(&self) -> Way {
        let threads = ["for", "distribute", "loop", "taskloop"]
            .iter()
            .any(|word| says(self.directive, word));
        if threads { Way::Threads } else { Way::Lanes }
    }

    /// The statement in which threads are made that run the iterations, with the directives from there on; `None` if that is in a caller.
    pub fn region(&self) -> Option<(&'a Stmt, usize)> {
        let makes = |directive: &Directive<Expr>| match directive.language {
            Language::OpenMp => says(directive, "parallel") || says(directive, "teams"),
            Language::OpenAcc => ["parallel", "kernels", "serial"]
                .iter()
                .any(|word| says(directive, word)),
        };
        if makes(self.directive) || self.way() == Way::Lanes {
            return Some((self.stmt, self.around.len()));
        }
        let number = self.around.iter().rposition(|(directive, _)| makes(directive))?;
        Some((self.around[number].1, number))
    }
}

/// True if the word is in the directive's name.
pub fn says(directive: &Directive<Expr>, word: &str) -> bool {
    directive.name.split(' ').any(|own| own == word)
}

/// The nests of a function.
pub fn nests(body: &Stmt) -> Vec<Nest<'_>> {
    let mut found = Vec::new();
    collect(body, &mut Vec::new(), &mut found);
    found
}

fn collect<'a>(stmt: &'a Stmt, around: &mut Vec<(&'a Directive<Expr>, &'a Stmt)>, found: &mut Vec<Nest<'a>>) {
    if let StmtKind::Directive {
        directive,
        body: Some(body),
    } = &stmt.kind
    {
        if speaks(directive, around) {
            found.push(Nest {
                stmt,
                directive,
                around: around.clone(),
                loops: loops(directive, body),
                by_hand: is_by_hand(body),
            });
        }
        around.push((directive, stmt));
        collect(body, around, found);
        around.pop();
        return;
    }
    for child in stmt.children() {
        collect(child, around, found);
    }
}

fn speaks(directive: &Directive<Expr>, around: &[(&Directive<Expr>, &Stmt)]) -> bool {
    match directive.language {
        Language::OpenMp => {
            let loops = ["for", "simd", "distribute", "loop"]
                .iter()
                .any(|word| says(directive, word));
            let tasks = says(directive, "taskloop");
            (loops && !tasks || tasks && is_of_several_tasks(directive, around))
                && !says(directive, "declare")
        }
        Language::OpenAcc => {
            let left = directive.has_clause("seq") || directive.has_clause("auto");
            let kernels = says(directive, "kernels")
                || around
                    .iter()
                    .rev()
                    .find(|(outer, _)| {
                        ["kernels", "parallel", "serial"]
                            .iter()
                            .any(|word| says(outer, word))
                    })
                    .is_some_and(|(outer, _)| says(outer, "kernels"));
            // In `kernels` a loop is the compiler's business, unless it is said to be independent.
            says(directive, "loop") && !left && (!kernels || directive.has_clause("independent"))
        }
    }
}

/// True for a `taskloop` in a region of threads of its function whose iterations are divided into several tasks, for all that its clauses say.
fn is_of_several_tasks(directive: &Directive<Expr>, around: &[(&Directive<Expr>, &Stmt)]) -> bool {
    let number = |clause: &str| directive.value(clause).and_then(Expr::as_int);
    let mut all = around.iter().map(|(outer, _)| *outer).chain([directive]);
    // What a final task makes runs at once.
    let is_included = around.iter().any(|(outer, _)| outer.has_clause("final"));
    let several = match (
        directive.has_clause("num_tasks"),
        directive.has_clause("grainsize"),
    ) {
        (true, _) => number("num_tasks").is_some_and(|tasks| tasks > 1),
        (_, true) => number("grainsize") == Some(1),
        _ => true,
    };
    several && !is_included && all.any(|outer| says(outer, "parallel"))
}

/// The loops that the directive speaks of, if all of them are there.
pub fn loops<'a>(directive: &Directive<Expr>, body: &'a Stmt) -> Vec<&'a Stmt> {
    let wanted = match directive.value("collapse") {
        None if directive.has_clause("collapse") => return Vec::new(),
        None => 1,
        Some(value) => value.as_int().unwrap_or(0),
    };
    let mut found = Vec::new();
    let mut current = Some(body);
    while let Some(stmt) = current.and_then(only) {
        let StmtKind::Loop(inner) = &stmt.kind else { break };
        found.push(stmt);
        if found.len() as i128 == wanted {
            return found;
        }
        current = Some(&inner.body);
    }
    Vec::new()
}

/// The one statement that a block holds.
fn only(stmt: &Stmt) -> Option<&Stmt> {
    match &stmt.kind {
        StmtKind::Block { body, .. } => match body.as_slice() {
            [one] => only(one),
            _ => None,
        },
        _ => Some(stmt),
    }
}

fn is_by_hand(body: &Stmt) -> bool {
    let mut found = false;
    body.walk(&mut |stmt| {
        if let StmtKind::Directive { directive, body } = &stmt.kind {
            found |= body.is_none() || directive.has_clause("depend") || directive.has_clause("doacross");
        }
        found |= matches!(&stmt.kind, StmtKind::Loop(inner) if waits(inner) && has_atomic(stmt));
    });
    found
}

/// True for a loop that may wait for something: `while`, `do`, and `for (;;)`.
fn waits(inner: &ferry_ir::Loop) -> bool {
    inner.kind != LoopKind::For || inner.condition.is_none()
}

/// True if something in there is atomic.
fn has_atomic(stmt: &Stmt) -> bool {
    crate::shape::any(
        stmt,
        &mut |inner| matches!(&inner.kind, StmtKind::Directive { directive, .. } if says(directive, "atomic")),
    )
}

/// The directives between a loop and each statement inside it, outermost first.
pub fn inside(loop_statement: &Stmt) -> BTreeMap<StmtId, Vec<&Directive<Expr>>> {
    fn note<'a>(
        stmt: &'a Stmt,
        chain: &mut Vec<&'a Directive<Expr>>,
        found: &mut BTreeMap<StmtId, Vec<&'a Directive<Expr>>>,
    ) {
        if !chain.is_empty() {
            found.insert(stmt.id, chain.clone());
        }
        let directive = match &stmt.kind {
            StmtKind::Directive { directive, .. } => Some(&**directive),
            _ => None,
        };
        chain.extend(directive);
        for child in stmt.children() {
            note(child, chain, found);
        }
        if directive.is_some() {
            chain.pop();
        }
    }
    let mut found = BTreeMap::new();
    note(loop_statement, &mut Vec::new(), &mut found);
    found
}

/// The variables of the loops that a directive speaks of.
pub fn counters(directive: &Directive<Expr>, body: &Stmt) -> BTreeSet<VariableRef> {
    let mut found = BTreeSet::new();
    for one in loops(directive, body) {
        if let StmtKind::Loop(inner) = &one.kind {
            for part in &inner.init {
                crate::scalar::assigned_variables(part, &mut found);
            }
        }
    }
    found
}

/// The variables of loops that directives inside a loop share out, for each statement under them: their threads have copies.
pub fn counters_inside(loop_statement: &Stmt) -> BTreeMap<StmtId, BTreeSet<VariableRef>> {
    let mut found: BTreeMap<StmtId, BTreeSet<VariableRef>> = BTreeMap::new();
    loop_statement.walk(&mut |stmt| {
        let StmtKind::Directive {
            directive,
            body: Some(body),
        } = &stmt.kind
        else {
            return;
        };
        // The lanes of `simd` leave the last value in the one variable.
        if !["for", "distribute", "loop", "taskloop"]
            .iter()
            .any(|word| says(directive, word))
        {
            return;
        }
        let counters = counters(directive, body);
        body.walk(&mut |inner| {
            found
                .entry(inner.id)
                .or_default()
                .extend(counters.iter().copied())
        });
    });
    found
}

/// True if a directive inside a loop may keep what it governs apart from other iterations: `critical`, `atomic`, `ordered`, `task`, `single`.
pub fn keeps_apart(directive: &Directive<Expr>) -> bool {
    const ALONE: [&str; 9] = [
        "parallel",
        "for",
        "simd",
        "teams",
        "distribute",
        "loop",
        "target",
        "kernels",
        "nothing",
    ];
    !directive.name.split(' ').all(|word| ALONE.contains(&word))
}
