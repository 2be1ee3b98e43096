//! Is the text that is about to be written, read again, the program that was meant?
//!
//! Directives are ignored by whoever does not know them, and conditions choose between two texts: with every inserted
//! directive taken away, every inserted condition resolved one way and the other, and every inserted scalar read as the
//! element that it was loaded from, the program must be the original,
//! function by function, node by node (`ferry_ir::compare`). Every inserted directive must have been read as one, in
//! the number in which it was written, and each kernel's must govern the loop that was meant. Counters that are taken out of a kernel's
//! head (`several`) are taken out of the original's, too; that every iteration sets them first is for `said`. What its clauses and
//! conditions say must be what was meant (`said`). Whether what was meant is right is for the judges.

use crate::meaning::Meaning;
use crate::promoted::demoted;
use crate::said::{self, Places, Programs, Written, kept_by};
use ferry_analysis::canonical::{canonical, leave_out, several};
use ferry_analysis::reduction::same_but_origin;
use ferry_analysis::scalar::Variables;
use ferry_directive::Directive;
use ferry_ir::compare::{Comparison, Difference, equal_modulo_origins, equal_units_and_then};
use ferry_ir::visit::{expression_variables, mentioned_variables, replace};
use ferry_ir::{Expr, ExprKind, Function, LocalId, Place, Stmt, StmtKind, Unit, VariableRef};
use ferry_source::{Edits, FileId, Side, Span};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What one data environment is meant to become.
#[derive(Clone, Debug)]
pub struct Intended {
    /// Its edits.
    pub edits: Edits,
    /// The keywords of its kernels' loops, in the old text.
    pub kernels: Vec<Span>,
    /// It is written under a condition, with the old text as the other branch.
    pub conditional: bool,
    /// What its directives and its condition are meant to say.
    pub meaning: Meaning,
}

/// In what the new text is not the intended program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// Number of the environment, if one is to blame.
    pub environment: Option<usize>,
    /// Name of the function, if one is to blame.
    pub function: Option<String>,
    /// What is wrong.
    pub why: String,
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.why)
    }
}

/// The ranges of the new text that edits inserted, in order. Names in the place of lvalues are no statements of their own.
pub fn inserted(edits: &Edits, file: FileId) -> Vec<(u32, u32)> {
    let mut shift: i64 = 0;
    let mut ranges = Vec::new();
    for edit in edits.iter().filter(|edit| edit.at.file == file) {
        let start = i64::from(edit.at.start) + shift;
        let length = edit.text.len() as i64;
        if edit.at.start == edit.at.end {
            ranges.push((start as u32, (start + length) as u32));
        }
        shift += length - i64::from(edit.at.end - edit.at.start);
    }
    ranges
}

/// Which of two branches of an inserted condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Branch {
    Then,
    Otherwise,
}

/// Compares the program of the new text with the old one.
///
/// # Errors
/// The first thing that is not as it was meant.
pub fn verify(old: &Unit, new: &Unit, edits: &Edits, intended: &[Intended]) -> Result<(), Mismatch> {
    let file = old.file;
    let ranges = inserted(edits, file);
    let known = Inserted {
        file: new.file,
        ranges: &ranges,
    };
    kernels(new, edits, intended, &known)?;
    counts(new, intended, &known)?;
    let whole = plain(old);
    for branch in [Branch::Then, Branch::Otherwise] {
        if branch == Branch::Otherwise && !intended.iter().any(|one| one.conditional) {
            break;
        }
        // Where a condition chooses the user's text, heads are as they were.
        let has_kernels = |one: &&Intended| branch == Branch::Then || !one.conditional;
        let old = &*with_short_heads(&whole, intended.iter().filter(has_kernels));
        let resolved = known.resolve(new, branch)?;
        let mut said = Ok(());
        let mut then = |comparison: &mut Comparison<'_>, before: &Function, after: &Function| {
            if branch == Branch::Then && said.is_ok() {
                let programs = Programs {
                    old,
                    old_function: before,
                    new,
                    function: after,
                };
                said = known.says(programs, comparison, edits, intended);
            }
        };
        let mut clause = |comparison: &mut Comparison<'_>, a: &Expr, b: &Expr| comparison.expression(a, b);
        equal_units_and_then(old, &resolved, &mut clause, &mut then)
            .map_err(|difference| blame(old, &difference))?;
        said?;
    }
    Ok(())
}

/// The old program without what is taken out of the heads of kernels, if something is.
fn with_short_heads<'u, 'i>(old: &'u Unit, intended: impl Iterator<Item = &'i Intended>) -> Cow<'u, Unit> {
    let mut unit = Cow::Borrowed(old);
    for one in intended {
        let taken = one.kernels.iter().zip(&one.meaning.kernels);
        for (keyword, kernel) in taken.filter(|(_, kernel)| !kernel.taken.is_empty()) {
            let mut named = unit.to_mut().functions.iter_mut();
            let function = named.find(|own| own.body.is_some() && own.name == one.meaning.function);
            if let Some(body) = function.and_then(|function| function.body.as_mut()) {
                shorten(body, *keyword, &kernel.taken);
            }
        }
    }
    unit
}

fn shorten(stmt: &mut Stmt, keyword: Span, taken: &Variables) {
    stmt.walk_mut(&mut |stmt| {
        if let StmtKind::Loop(inner) = &mut stmt.kind
            && inner.keyword == Some(keyword)
        {
            leave_out(inner, taken);
        }
    });
}

/// Where old statements begin in the new text.
struct Moved<'a> {
    edits: &'a Edits,
    file: FileId,
}

impl Places for Moved<'_> {
    fn new_start(&self, old: u32) -> Option<u32> {
        self.edits.new_offset(self.file, old, Side::After)
    }
}

fn blame(old: &Unit, difference: &Difference) -> Mismatch {
    let function = difference.first.span().and_then(|at| {
        let around = |function: &&Function| function.origin.span().is_some_and(|span| span.contains(at));
        old.functions
            .iter()
            .find(|function| function.body.is_some() && around(function))
    });
    Mismatch {
        environment: None,
        function: function.map(|function| function.name.clone()),
        why: difference.what.clone(),
    }
}

/// Without what an inserted condition changes about variables: that their address is taken in it.
fn plain(unit: &Unit) -> Unit {
    let mut unit = unit.clone();
    for local in unit
        .functions
        .iter_mut()
        .flat_map(|function| &mut function.locals)
    {
        local.address_taken = false;
    }
    unit
}

/// Every kernel's directive governs the loop that was meant, and nothing is between them.
fn kernels(new: &Unit, edits: &Edits, intended: &[Intended], known: &Inserted<'_>) -> Result<(), Mismatch> {
    let mut governed: Vec<(u32, &Directive<Expr>, bool)> = Vec::new();
    for function in &new.functions {
        let Some(body) = &function.body else { continue };
        body.walk(&mut |stmt| {
            if let StmtKind::Directive {
                directive,
                body: Some(body),
            } = &stmt.kind
                && known.starts_inside(stmt)
                && let StmtKind::Loop(inner) = &body.kind
                && let Some(keyword) = inner.keyword.filter(|keyword| keyword.file == known.file)
            {
                governed.push((
                    keyword.start,
                    directive,
                    canonical(new, function, body, inner).is_ok(),
                ));
            }
        });
    }
    for (number, one) in intended.iter().enumerate() {
        for keyword in &one.kernels {
            let wrong = |why: &str| Mismatch {
                environment: Some(number),
                function: None,
                why: why.to_owned(),
            };
            let at = edits.new_offset(keyword.file, keyword.start, Side::After);
            let mut found = governed.iter().filter(|(start, ..)| Some(*start) == at);
            let Some((_, directive, is_canonical)) = found.next() else {
                return Err(wrong("a kernel's directive does not govern its loop"));
            };
            if !is_canonical {
                return Err(wrong("a kernel's loop is not in the form that directives demand"));
            }
            if found.next().is_some() || !is_loop_directive(directive) {
                return Err(wrong("a kernel's loop has another directive than was meant"));
            }
        }
    }
    Ok(())
}

fn is_loop_directive(directive: &Directive<Expr>) -> bool {
    matches!(
        directive.name.as_str(),
        "target teams distribute parallel for" | "parallel loop" | "kernels loop"
    )
}

/// As many directives and conditions were read as were written.
fn counts(new: &Unit, intended: &[Intended], known: &Inserted<'_>) -> Result<(), Mismatch> {
    let (mut directives, mut conditions) = (0, 0);
    for body in new.functions.iter().filter_map(|function| function.body.as_ref()) {
        count(body, known, &mut directives, &mut conditions);
    }
    let written: usize = intended
        .iter()
        .flat_map(|one| one.edits.iter())
        // Other pragmas, in a copy of the user's text (`#pragma unroll`), are none.
        .map(|edit| ferry_directive::lines(&edit.text).len())
        .sum();
    let conditional = intended.iter().filter(|one| one.conditional).count();
    let wrong = |why: &str| {
        Err(Mismatch {
            environment: None,
            function: None,
            why: why.to_owned(),
        })
    };
    if directives != written {
        return wrong("not every directive was read as one");
    }
    if conditions != conditional {
        return wrong("not every condition was read as one");
    }
    Ok(())
}

/// Counts what was inserted; the copies of the user's text are only looked through for directives.
fn count(stmt: &Stmt, known: &Inserted<'_>, directives: &mut usize, conditions: &mut usize) {
    let inside = known.starts_inside(stmt);
    if inside && matches!(stmt.kind, StmtKind::Directive { .. }) {
        *directives += 1;
    }
    if inside
        && let StmtKind::If {
            then,
            otherwise: Some(copy),
            ..
        } = &stmt.kind
    {
        *conditions += 1;
        count(then, known, directives, conditions);
        copy.walk(&mut |inner| {
            if matches!(inner.kind, StmtKind::Directive { .. }) {
                *directives += 1;
            }
        });
        return;
    }
    stmt.for_each_child(&mut |child| count(child, known, directives, conditions));
}

/// What was inserted into the file of a unit.
struct Inserted<'a> {
    file: FileId,
    ranges: &'a [(u32, u32)],
}

impl Inserted<'_> {
    /// Compares what the directives and conditions of one function say with what was meant. `programs.function` has no
    /// directives any more; its variables are those of the function that was read.
    fn says(
        &self,
        programs: Programs<'_>,
        comparison: &mut Comparison<'_>,
        edits: &Edits,
        intended: &[Intended],
    ) -> Result<(), Mismatch> {
        let name = &programs.function.name;
        let same = |function: &&Function| function.body.is_some() && function.name == *name;
        let Some(body) = programs
            .new
            .functions
            .iter()
            .find(same)
            .and_then(|function| function.body.as_ref())
        else {
            return Ok(());
        };
        let moved = Moved {
            edits,
            file: programs.old.file,
        };
        for (number, one) in intended.iter().enumerate() {
            if one.meaning.function != *name {
                continue;
            }
            let wrong = |why: String| Mismatch {
                environment: Some(number),
                function: Some(name.clone()),
                why,
            };
            let first = one.edits.iter().map(|edit| edit.at.start).min().unwrap_or(0);
            let last = one.edits.iter().map(|edit| edit.at.end).max().unwrap_or(0);
            let place = |old, side| edits.new_offset(programs.old.file, old, side);
            let (Some(first), Some(last)) = (place(first, Side::Before), place(last, Side::After)) else {
                return Err(wrong("its text has no place".to_owned()));
            };
            let own = |stmt: &Stmt| {
                let at = stmt.origin.text().map(|span| span.start);
                at.is_some_and(|at| (first..last).contains(&at)) && self.starts_inside(stmt)
            };
            let written = Written::collect(body, &own);
            let keywords: Option<Vec<u32>> = one.kernels.iter().map(|at| moved.new_start(at.start)).collect();
            let keywords = keywords.ok_or_else(|| wrong("a loop has no place".to_owned()))?;
            said::check(programs, comparison, &written, &one.meaning, &keywords, &moved).map_err(wrong)?;
        }
        Ok(())
    }

    /// True if the statement begins in inserted text.
    fn starts_inside(&self, stmt: &Stmt) -> bool {
        let Some(at) = stmt.origin.text().filter(|span| span.file == self.file) else {
            return false;
        };
        let next = self.ranges.partition_point(|(start, _)| *start <= at.start);
        self.ranges[..next].last().is_some_and(|(_, end)| at.start < *end)
    }

    /// The unit without what was inserted.
    fn resolve(&self, unit: &Unit, branch: Branch) -> Result<Unit, Mismatch> {
        let mut unit = plain(unit);
        for function in &mut unit.functions {
            let Some(body) = function.body.take() else {
                continue;
            };
            let wrong = |why: &str| Mismatch {
                environment: None,
                function: Some(function.name.clone()),
                why: why.to_owned(),
            };
            let own = self.declared(&body);
            let mut scalars = Vec::new();
            self.scalars(&body, &own, &mut scalars);
            self.guards(&body, &scalars).map_err(wrong)?;
            let mut out = Vec::new();
            self.statement(body, branch, &mut out).map_err(wrong)?;
            let mut body = single(out);
            // A scalar stands for what it was loaded from. That this is meant, and stored again, is for `said`.
            for (local, place) in scalars {
                replace(&mut body, local, &place);
            }
            // A name that was inserted must not hide one that the text used.
            if !own.is_empty()
                && mentioned_variables(&body)
                    .iter()
                    .any(|variable| own.contains(variable))
            {
                return Err(wrong("the text uses a name that was inserted"));
            }
            function.body = Some(body);
        }
        Ok(unit)
    }

    /// The variables that inserted text declares, but for those of copied text, and those that iterations declare first: what follows names these, as the head of the
    /// old text declared them.
    fn declared(&self, body: &Stmt) -> BTreeSet<VariableRef> {
        fn collect(known: &Inserted<'_>, stmt: &Stmt, found: &mut BTreeSet<VariableRef>) {
            let inside = known.starts_inside(stmt);
            match &stmt.kind {
                StmtKind::Declare { local } if inside => {
                    found.insert(VariableRef::Local(*local));
                }
                StmtKind::If { then, .. } if inside => collect(known, then, found),
                StmtKind::Directive { body: Some(body), .. } if inside => match &body.kind {
                    StmtKind::Loop(kernel) => {
                        let list = match &kernel.body.kind {
                            StmtKind::Block { body, .. } => body.as_slice(),
                            _ => std::slice::from_ref(&kernel.body),
                        };
                        let rest = list.iter().skip_while(|stmt| known.starts_inside(stmt));
                        rest.for_each(|child| collect(known, child, found));
                    }
                    _ => collect(known, body, found),
                },
                _ => stmt.for_each_child(&mut |child| collect(known, child, found)),
            }
        }
        let mut found = BTreeSet::new();
        collect(self, body, &mut found);
        found
    }

    /// The variables that inserted text declares and loads from memory, with the places.
    fn scalars(&self, stmt: &Stmt, own: &BTreeSet<VariableRef>, found: &mut Vec<(LocalId, Place)>) {
        match &stmt.kind {
            StmtKind::Assign { place, value } if self.starts_inside(stmt) => {
                if let (Some(variable @ VariableRef::Local(local)), ExprKind::Load(element)) =
                    (place.as_variable(), &value.kind)
                    && own.contains(&variable)
                    && element.as_variable().is_none()
                {
                    found.push((local, (**element).clone()));
                }
            }
            StmtKind::If { then, .. } if self.starts_inside(stmt) => self.scalars(then, own, found),
            _ => stmt.for_each_child(&mut |child| self.scalars(child, own, found)),
        }
    }

    /// Inserted conditions without another branch are the first tests of the loops under them: where they do not hold, the loops do nothing. Copies of the user's text have
    /// conditions of their own.
    fn guards(&self, stmt: &Stmt, scalars: &[(LocalId, Place)]) -> Result<(), &'static str> {
        let mut result = Ok(());
        if let StmtKind::If {
            condition,
            then,
            otherwise,
        } = &stmt.kind
            && self.starts_inside(stmt)
        {
            let mut guarded = (**then).clone();
            for (local, place) in scalars {
                replace(&mut guarded, *local, place);
            }
            // What a last iteration keeps is for `said`.
            if self.starts_inside(then) && kept_by(stmt).is_some() {
                return Ok(());
            }
            let is_tested = |first: FirstTest<'_>| same_but_origin(condition, &first.value());
            let inner = self.only_loop(&guarded);
            if otherwise.is_none() && !inner.and_then(first_test).is_some_and(is_tested) {
                return Err("a condition is not the first test of the loop under it");
            }
            return self.guards(then, scalars);
        }
        stmt.for_each_child(&mut |child| {
            if result.is_ok() {
                result = self.guards(child, scalars);
            }
        });
        result
    }

    /// The one statement in a block that was not inserted, if it is a loop.
    fn only_loop<'s>(&self, stmt: &'s Stmt) -> Option<&'s Stmt> {
        match &stmt.kind {
            StmtKind::Loop(_) => Some(stmt),
            StmtKind::Block { body, .. } => {
                let mut own = body.iter().filter(|inner| !self.starts_inside(inner));
                let one = own.next()?;
                own.next().is_none().then(|| self.only_loop(one))?
            }
            _ => None,
        }
    }

    fn boxed(&self, stmt: Stmt, branch: Branch) -> Result<Stmt, &'static str> {
        let mut out = Vec::new();
        self.statement(stmt, branch, &mut out)?;
        Ok(single(out))
    }

    fn list(&self, body: Vec<Stmt>, branch: Branch) -> Result<Vec<Stmt>, &'static str> {
        let mut out = Vec::new();
        for stmt in body {
            self.statement(stmt, branch, &mut out)?;
        }
        Ok(out)
    }

    fn statement(&self, mut stmt: Stmt, branch: Branch, out: &mut Vec<Stmt>) -> Result<(), &'static str> {
        if self.starts_inside(&stmt) {
            return self.remove(stmt, branch, out);
        }
        stmt.kind = match stmt.kind {
            StmtKind::Block { body, scope } => StmtKind::Block {
                body: self.list(body, branch)?,
                scope,
            },
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => StmtKind::If {
                condition,
                then: Box::new(self.boxed(*then, branch)?),
                otherwise: match otherwise {
                    Some(otherwise) => Some(Box::new(self.boxed(*otherwise, branch)?)),
                    None => None,
                },
            },
            StmtKind::Loop(mut inner) => {
                inner.body = self.boxed(inner.body, branch)?;
                StmtKind::Loop(inner)
            }
            StmtKind::Switch { value, body } => StmtKind::Switch {
                value,
                body: Box::new(self.boxed(*body, branch)?),
            },
            StmtKind::Directive {
                directive,
                body: Some(body),
            } => StmtKind::Directive {
                directive,
                body: Some(Box::new(self.boxed(*body, branch)?)),
            },
            other => other,
        };
        out.push(stmt);
        Ok(())
    }

    /// What an inserted statement stands for in the original.
    fn remove(&self, stmt: Stmt, branch: Branch, out: &mut Vec<Stmt>) -> Result<(), &'static str> {
        match stmt.kind {
            StmtKind::Directive { body: Some(body), .. } => self.statement(*body, branch, out),
            StmtKind::Directive { body: None, .. } => Ok(()),
            StmtKind::Block { body, .. } => {
                for inner in body {
                    self.statement(inner, branch, out)?;
                }
                Ok(())
            }
            StmtKind::If {
                then,
                otherwise: Some(copy),
                ..
            } => match (branch, copy.kind) {
                (Branch::Then, _) => self.statement(*then, branch, out),
                (Branch::Otherwise, StmtKind::Block { body, .. }) => {
                    out.extend(body);
                    Ok(())
                }
                (Branch::Otherwise, _) => Err("the other branch of a condition is no block"),
            },
            // The first test of the loop under it, as `guards` has seen, or what the last iteration keeps.
            StmtKind::If {
                then,
                otherwise: None,
                ..
            } => self.statement(*then, branch, out),
            // A value that is written more than once has a name.
            StmtKind::Declare { .. } => Ok(()),
            // A pass over values in memory: that it is meant, and changes nothing, is for `said`.
            StmtKind::Loop(_) => Ok(()),
            // Its value, or that which a loop variable has anyway after its loop.
            StmtKind::Assign { place, .. } if place.as_variable().is_some() => Ok(()),
            // An element gets what the scalar holds that stood for it.
            StmtKind::Assign { value, .. } if value.as_variable().is_some() => Ok(()),
            _ => Err("a statement that was not meant to be written"),
        }
    }
}

/// What a loop tests before its first iteration.
pub struct FirstTest<'a> {
    /// Its condition.
    pub test: &'a Expr,
    /// The variable that it declares.
    variable: LocalId,
    /// What that is set to.
    pub start: &'a Expr,
}

impl FirstTest<'_> {
    /// The name of the variable.
    pub fn name<'f>(&self, function: &'f Function) -> &'f str {
        &function.local(self.variable).name
    }

    /// The condition with the value in the place of the variable.
    fn value(&self) -> Expr {
        with_value(self.test, self.variable, self.start)
    }
}

fn with_value(expr: &Expr, variable: LocalId, value: &Expr) -> Expr {
    if expr.as_variable() == Some(VariableRef::Local(variable)) {
        return value.clone();
    }
    let part = |inner: &Expr| Box::new(with_value(inner, variable, value));
    let kind = match &expr.kind {
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, part(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, part(a), part(b)),
        ExprKind::Logical(op, a, b) => ExprKind::Logical(*op, part(a), part(b)),
        ExprKind::Cast(a) => ExprKind::Cast(part(a)),
        other => other.clone(),
    };
    Expr { kind, ..expr.clone() }
}

/// What a loop tests first: one that declares one variable, sets it to a value of its type, and only compares. The variable occurs in arithmetic alone.
pub fn first_test(stmt: &Stmt) -> Option<FirstTest<'_>> {
    let StmtKind::Loop(inner) = &stmt.kind else {
        return None;
    };
    let test = inner
        .condition
        .as_ref()
        .filter(|_| inner.before_test.is_empty())?;
    let mut declared = None;
    let mut start = None;
    for part in &inner.init {
        match &part.kind {
            StmtKind::Declare { local } if declared.is_none() => declared = Some(*local),
            StmtKind::Assign { place, value }
                if start.is_none()
                    && place.as_variable() == declared.map(VariableRef::Local)
                    && place.ty == value.ty =>
            {
                start = Some(value);
            }
            _ => return None,
        }
    }
    let (variable, start) = (declared?, start?);
    let first = FirstTest {
        test,
        variable,
        start,
    };
    let mut left = BTreeSet::new();
    expression_variables(&first.value(), &mut left);
    let opaque = |expr: &Expr| {
        let mut found = false;
        expr.walk(&mut |part| found |= matches!(part.kind, ExprKind::Opaque { .. }));
        found
    };
    (!left.contains(&VariableRef::Local(variable)) && !opaque(test) && !opaque(start)).then_some(first)
}

fn single(mut out: Vec<Stmt>) -> Stmt {
    if out.len() == 1
        && let Some(one) = out.pop()
    {
        return one;
    }
    Stmt {
        id: ferry_ir::StmtId(0),
        kind: StmtKind::Block {
            body: out,
            scope: false,
        },
        origin: ferry_source::Origin::New,
    }
}

/// The text of the branches in a function that run the same program as another branch, which has directives: what a
/// condition written earlier left for the case that it does not hold. Nothing needs to be done there.
pub fn fallbacks(unit: &Unit, function: &Function) -> Vec<Span> {
    let mut found = Vec::new();
    let Some(body) = &function.body else { return found };
    body.walk(&mut |stmt| {
        let StmtKind::If {
            then,
            otherwise: Some(copy),
            ..
        } = &stmt.kind
        else {
            return;
        };
        let Some(span) = copy.origin.span() else { return };
        let mut directives = false;
        then.walk(&mut |inner| directives |= matches!(inner.kind, StmtKind::Directive { .. }));
        if directives && is_same_program(unit, function, then, copy) {
            found.push(span);
        }
    });
    found
}

/// True if two branches are the same but for directives, braces and assignments of loop variables behind loops.
fn is_same_program(unit: &Unit, function: &Function, a: &Stmt, b: &Stmt) -> bool {
    let with = |body: Vec<Stmt>| {
        let mut whole = function.clone();
        for local in &mut whole.locals {
            local.address_taken = false;
        }
        let kind = StmtKind::Block { body, scope: true };
        whole.body = Some(Stmt {
            id: ferry_ir::StmtId(0),
            kind,
            origin: ferry_source::Origin::New,
        });
        whole
    };
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let mut lengths = Lengths::default();
    bare(short(unit, function, b), &mut lengths, &mut second);
    let mut wanted = Lengths {
        wanted: lengths.found,
        found: Vec::new(),
        kept: kept(a, &mentioned_variables(b)),
    };
    bare(short(unit, function, a), &mut wanted, &mut first);
    let first = demoted(first);
    // Values set behind a loop are in one branch only, and so are names that are declared in front of it.
    let count = second.len();
    let without = |other: &dyn Fn(&Stmt) -> bool| -> Vec<Stmt> {
        first.iter().filter(|stmt| !other(stmt)).cloned().collect()
    };
    let rest = without(&is_plain_assignment);
    let unnamed = without(&|stmt| is_plain_assignment(stmt) || matches!(stmt.kind, StmtKind::Declare { .. }));
    let same = |list: Vec<Stmt>| equal_modulo_origins(&with(list), unit, &with(second.clone()), unit).is_ok();
    same(first.clone())
        || [rest, unnamed]
            .into_iter()
            .any(|list| list.len() == count && same(list))
}

/// A statement in which the heads of loops set their own variables only.
fn short(unit: &Unit, function: &Function, stmt: &Stmt) -> Stmt {
    let mut stmt = stmt.clone();
    stmt.walk_mut(&mut |inner| {
        let StmtKind::Loop(of) = &inner.kind else { return };
        if let Some(Ok(several)) = several(unit, function, inner, of)
            && let StmtKind::Loop(of) = &mut inner.kind
        {
            leave_out(of, &several.others);
        }
    });
    stmt
}

/// How many statements the bodies of loops have, in the order of the loops.
#[derive(Default)]
struct Lengths {
    /// Those of the branch without directives: what a kernel's iterations set first is in the other one only.
    wanted: Vec<usize>,
    found: Vec<usize>,
    /// What holds the values that last iterations keep, and the numbers of these.
    kept: BTreeSet<VariableRef>,
}

impl Lengths {
    /// Notes the length of a body, and takes away what the iterations of a kernel set first.
    fn note(&mut self, number: usize, is_kernel: bool, list: &mut Vec<Stmt>) {
        if let Some(wanted) = self.wanted.get(number).filter(|_| is_kernel)
            && let Some(more) = list.len().checked_sub(*wanted)
            && list[..more].iter().all(is_set_first)
        {
            list.drain(..more);
        }
        self.found[number] = list.len();
    }

    /// True for what is written so that the last iteration of a kernel keeps a value.
    fn is_for_last_value(&self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Declare { local } => self.kept.contains(&VariableRef::Local(*local)),
            StmtKind::Assign { place, value } => {
                let mut both = place.as_variable().into_iter().chain(value.as_variable());
                both.any(|variable| self.kept.contains(&variable))
            }
            _ => kept_by(stmt).is_some_and(|(_, kept)| kept.iter().all(|(to, _)| self.kept.contains(to))),
        }
    }
}

/// The variables by which last iterations of a statement keep values, none of which is among the mentioned ones.
fn kept(stmt: &Stmt, mentioned: &BTreeSet<VariableRef>) -> BTreeSet<VariableRef> {
    let mut found = BTreeSet::new();
    stmt.walk(&mut |inner| {
        let Some((condition, kept)) = kept_by(inner) else {
            return;
        };
        if kept.iter().all(|(to, _)| !mentioned.contains(to)) {
            found.extend(kept.into_iter().map(|(to, _)| to));
            expression_variables(condition, &mut found);
        }
    });
    found.retain(|variable| !mentioned.contains(variable));
    found
}

/// True for what an iteration may set first, or declare.
fn is_set_first(stmt: &Stmt) -> bool {
    is_plain_assignment(stmt) || matches!(stmt.kind, StmtKind::Declare { .. })
}

fn is_plain_assignment(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Assign { place, .. } if place.as_variable().is_some())
}

/// A statement without directives, and without braces outside of loops and conditions.
fn bare(stmt: Stmt, lengths: &mut Lengths, out: &mut Vec<Stmt>) {
    bare_under(stmt, false, lengths, out);
}

fn whole(part: Stmt, lengths: &mut Lengths) -> Box<Stmt> {
    let mut list = Vec::new();
    bare(part, lengths, &mut list);
    Box::new(single(demoted(list)))
}

/// The same; a loop directly under a directive is a kernel.
fn bare_under(mut stmt: Stmt, under: bool, lengths: &mut Lengths, out: &mut Vec<Stmt>) {
    if lengths.is_for_last_value(&stmt) {
        return;
    }
    match stmt.kind {
        StmtKind::Directive { body: Some(body), .. } => bare_under(*body, true, lengths, out),
        StmtKind::Directive { body: None, .. } | StmtKind::Empty => {}
        StmtKind::Block { body, .. } => body.into_iter().for_each(|inner| bare(inner, lengths, out)),
        StmtKind::Loop(mut inner) => {
            let number = lengths.found.len();
            lengths.found.push(0);
            let mut list = Vec::new();
            bare(inner.body, lengths, &mut list);
            lengths.note(number, under, &mut list);
            inner.body = single(demoted(list));
            stmt.kind = StmtKind::Loop(inner);
            out.push(stmt);
        }
        // Atomic updates stand deep inside.
        StmtKind::If {
            condition,
            then,
            otherwise,
        } => {
            stmt.kind = StmtKind::If {
                condition,
                then: whole(*then, lengths),
                otherwise: otherwise.map(|part| whole(*part, lengths)),
            };
            out.push(stmt);
        }
        StmtKind::Switch { value, body } => {
            let body = whole(*body, lengths);
            stmt.kind = StmtKind::Switch { value, body };
            out.push(stmt);
        }
        other => {
            stmt.kind = other;
            out.push(stmt);
        }
    }
}
