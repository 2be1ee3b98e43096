//! Which pointers and values that a loop finds in memory can be loaded before it, into variables of its own?
//!
//! `for (…) s->atoms->f[i] = 0;` becomes
//! ```c
//! __typeof__(*s->atoms->f) *s_atoms_f = s->atoms->f;
//! for (…) s_atoms_f[i] = 0;
//! ```
//! which is what people write by hand when they port such a loop: no clause names data behind two pointers in a way that compilers agree on (`nested`), and every one
//! knows a pointer variable. What is hoisted here is a load whose address and value are the same in all iterations: nothing in the loop may write what it reads, and
//! the variables in its text are not assigned.
//!
//! Before the loop it must be there, too. It is if the function has read it in any case, or the loop's first test reads it. Else it must be read in every iteration, and is loaded under
//! the loop's first test (`if (0 < n) { … }`), where that can be written. Where it stands in an inner loop, or the test cannot be written, it is an assumption, which is listed.
//!
//! What it cannot do: loads under conditions; those whose text is in a macro or names a variable that the loop declares; pointers that change in the loop; loads in functions that the loop calls.

use crate::kernel::Context;
use crate::promoted::{keeps, name_from, spelled};
use crate::reread;
use crate::scope::Scope;
use crate::{emit, loads};
use ferry_analysis::access::Access;
use ferry_analysis::joined::at_least_one;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::reduction::same_place;
use ferry_analysis::state::Cell;
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_ir::{Expr as Code, ExprKind, Place, PlaceBase, Projection, Stmt, StmtKind, Type};
use ferry_source::{Edits, Origin, Sources, Span};
use ferry_symbolic::Expr;
use std::collections::BTreeSet;

/// A loop with what is loaded before it.
#[derive(Clone, Debug)]
pub struct Hoist {
    /// The keyword of the loop.
    pub keyword: Span,
    /// Where the loop ends in the text.
    pub end: u32,
    /// The declarations in front of it, and the names in the place of what they hold.
    pub edits: Edits,
    /// What is loaded, as it is written, and the name that it gets.
    pub loads: Vec<(String, String)>,
    /// What it rests on that nothing in the program shows.
    pub assumptions: Vec<String>,
    /// The same without the loop's first test around it, if that is there.
    pub untested: Option<Box<Hoist>>,
}

/// A load that can be hoisted.
struct Load<'a> {
    place: &'a Place,
    uses: BTreeSet<Span>,
    text: String,
    /// Where it is known that what it reads is there.
    there: There,
    /// It stays the same for no other reason than the types of what is stored.
    by_type: bool,
}

/// When what a load reads certainly exists before a loop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum There {
    /// It may not be there: it is read under a condition.
    Perhaps,
    /// Nothing shows it: an inner loop reads it.
    Assumed,
    /// If the loop has an iteration.
    IfRun,
    /// In any case.
    Always,
}

/// What one loop finds in memory and could have before it; `None` if there is nothing. The names are new in the file, and belong to the loop: another one may have the same.
///
/// # Errors
/// Why nothing can be written before the loop.
pub fn of_loop(
    context: Context<'_>,
    sources: &Sources,
    stmt: &Stmt,
    index: LoopIndex,
) -> Result<Option<Hoist>, Cause> {
    let of = &context.facts.values.loops[index.0 as usize];
    let (Some(span), Some(keyword)) = (stmt.origin.text(), of.keyword) else {
        return Err(Cause::new("the loop comes out of a macro", stmt.origin));
    };
    let Some(place) = place_before(sources.bytes(span.file), span.start as usize) else {
        let why = "a pragma or a comment stands before the loop, where its declarations would have to be";
        return Err(Cause::new(why, Origin::Text(span)));
    };
    let finder = Finder {
        context,
        sources,
        index,
        span,
        place: place as u32,
        scope: Scope::at(context.unit, context.function, stmt.id),
        before: loads::Before::of(context),
        accesses: context
            .facts
            .values
            .accesses
            .iter()
            .filter(|access| access.loops.contains(&index))
            .collect(),
    };
    let loads = finder.loads(stmt);
    if loads.is_empty() {
        return Ok(None);
    }
    let mut names: Vec<String> = Vec::new();
    for load in &loads {
        let wanted = match name_from(&load.text) {
            // What reductions are called for want of better.
            wanted if wanted == "reduced_value" => "loaded_value".to_owned(),
            wanted => wanted,
        };
        let is_taken = |name: &str| names.iter().any(|own| own == name);
        let name = emit::unused_name(sources, span.file, &wanted, &is_taken);
        names.push(name);
    }
    let guard = match loads.iter().all(|load| load.there == There::Always) {
        true => None,
        false => finder.first_test(stmt),
    };
    let mut hoist = finder.written(stmt, keyword, &loads, &names, guard.as_deref())?;
    if guard.is_some() {
        let untested = finder.written(stmt, keyword, &loads, &names, None)?;
        hoist.untested = Some(Box::new(untested));
    }
    Ok(Some(hoist))
}

/// Where declarations can stand before a loop that begins at an offset: in front of the user's comments that speak of the loop, which stay directly before it. What they say of values and
/// storage is as true there. `None` if a pragma of a compiler, or a comment that is not on lines of its own, speaks of the loop.
fn place_before(bytes: &[u8], offset: usize) -> Option<usize> {
    let has = |line: &[u8], word: &[u8]| line.windows(word.len()).any(|part| part == word);
    let start_of_line = |offset: usize| {
        let newline = bytes[..offset].iter().rposition(|byte| *byte == b'\n');
        newline.map_or(0, |newline| newline + 1)
    };
    let mut place = offset;
    let mut line_start = start_of_line(offset);
    if has(&bytes[line_start..offset], b"_Pragma") {
        return None;
    }
    while let Some(end) = line_start.checked_sub(1) {
        line_start = start_of_line(end);
        let line = bytes[line_start..end].trim_ascii();
        let is_pragma = line.starts_with(b"#") && has(line, b"pragma") || has(line, b"_Pragma");
        let is_ours = has(line, b"ferry") && (line.starts_with(b"//") || line.ends_with(b"*/"));
        if is_pragma || is_ours && !line.starts_with(b"//") {
            return None;
        }
        if is_ours {
            let blanks = bytes[line_start..end].len() - bytes[line_start..end].trim_ascii_start().len();
            place = line_start + blanks;
        } else if !line.is_empty() {
            break;
        }
    }
    Some(place)
}

struct Finder<'a> {
    context: Context<'a>,
    sources: &'a Sources,
    index: LoopIndex,
    span: Span,
    /// Where declarations stand before it.
    place: u32,
    scope: Scope,
    before: loads::Before<'a>,
    /// All accesses in the loop, also to what every iteration has for itself.
    accesses: Vec<&'a Access>,
}

/// What is known of a load that stays the same.
#[derive(Clone, Copy)]
struct Same {
    there: There,
    by_type: bool,
}

impl<'a> Finder<'a> {
    /// The edits, with the loop's first test around them if it is given.
    fn written(
        &self,
        stmt: &Stmt,
        keyword: Span,
        loads: &[Load<'_>],
        names: &[String],
        guard: Option<&str>,
    ) -> Result<Hoist, Cause> {
        let span = self.span;
        let mut hoist = Hoist {
            keyword,
            end: span.end,
            edits: Edits::new(),
            loads: Vec::new(),
            assumptions: Vec::new(),
            untested: None,
        };
        let (sources, file) = (self.sources, span.file);
        let line_end = emit::line_end(sources, file);
        let next = format!("{line_end}{}", emit::indentation(sources, file, self.place));
        let mut opening = match emit::starts_line(sources, file, self.place) {
            true => String::new(),
            false => next.clone(),
        };
        // An `if` in the place of a branch would take the `else` behind it.
        let (begin, end) = match (guard, self.is_in_block(stmt)) {
            (Some(test), true) => (format!("if ({test}) {{{next}"), format!("{next}}}")),
            (Some(test), false) => (
                format!("{{{next}if ({test}) {{{next}"),
                format!("{next}}}{next}}}"),
            ),
            (None, _) => (format!("{{{next}"), format!("{next}}}")),
        };
        opening.push_str(&begin);
        let wrong = |error: ferry_source::EditError| Cause::new(error.to_string(), Origin::Text(span));
        for (load, name) in loads.iter().zip(names) {
            let text = &load.text;
            // Of a pointer's own type only what it points to: a `restrict` of a member would be another promise here.
            let ty = spelled(self.context, load.place.ty)
                .map_or_else(|| format!("__typeof__(*{text}) *"), |ty| format!("{ty} "));
            opening.push_str(&format!("{ty}{name} = {text};{next}"));
            for at in &load.uses {
                hoist.edits.replace(*at, name.as_str()).map_err(wrong)?;
            }
            if load.there < There::Always && (load.there < There::IfRun || guard.is_none()) {
                hoist.assumptions.push(format!(
                    "{text} can be read before the loop, also where the loop does not read it"
                ));
            }
            if load.by_type {
                hoist
                    .assumptions
                    .push(format!("stores of another type do not change {text}"));
            }
            hoist.loads.push((text.clone(), name.clone()));
        }
        hoist.edits.insert(file, self.place, opening).map_err(wrong)?;
        let behind = emit::end_of_line(sources, span);
        hoist.edits.insert(file, behind, end).map_err(wrong)?;
        Ok(hoist)
    }

    /// The loads of a loop, the largest ones, in the order of their texts.
    fn loads(&self, stmt: &'a Stmt) -> Vec<Load<'a>> {
        let mut found: Vec<Load<'a>> = Vec::new();
        stmt.walk(&mut |inner| inner.for_each_expression(&mut |expr| self.look(expr, &mut found)));
        found.retain(|load| load.there > There::Perhaps);
        found.sort_by_key(|load| load.uses.first().copied());
        found
    }

    fn look(&self, expr: &'a Code, found: &mut Vec<Load<'a>>) {
        if let ExprKind::Load(place) = &expr.kind
            && let Some((span, text)) = self.wanted(place)
            && let Some(same) = self.same(place)
        {
            match found.iter_mut().find(|known| same_place(known.place, place)) {
                Some(known) => {
                    known.uses.insert(span);
                    known.there = known.there.max(same.there);
                    known.by_type |= same.by_type;
                }
                None => found.push(Load {
                    place,
                    uses: BTreeSet::from([span]),
                    text,
                    there: same.there,
                    by_type: same.by_type,
                }),
            }
            return;
        }
        expr.for_each_child(&mut |child| self.look(child, found));
    }

    /// The text of a load that would help, if a name can be written in its place: of a pointer in memory, or of a number in a structure that a pointer leads to.
    fn wanted(&self, place: &Place) -> Option<(Span, String)> {
        let types = &self.context.unit.types;
        let member = |step: &Projection| matches!(step, Projection::Field(_));
        let helps = match (types.get(place.ty), &place.base) {
            (Type::Pointer(to), _) if matches!(types.get(*to), Type::Void | Type::Function { .. }) => false,
            (Type::Pointer(_), PlaceBase::Deref(_)) => true,
            (Type::Pointer(_), PlaceBase::Variable(_)) => !place.path.is_empty(),
            (_, PlaceBase::Deref(_)) => {
                place.path.iter().any(member) && spelled(self.context, place.ty).is_some()
            }
            _ => false,
        };
        if !helps || place.volatile {
            return None;
        }
        let span = place.origin.text()?;
        let text = self.text(span)?;
        emit::is_replaceable(self.sources, self.span, span).then(|| (span, text.to_owned()))
    }

    /// What is known of a load if it gives the same before the loop and in all iterations.
    fn same(&self, place: &Place) -> Option<Same> {
        let mut same = self.in_memory(place)?;
        let mut fine = true;
        let mut look = |part: &Code| match &part.kind {
            ExprKind::Load(inner) => match inner.as_variable() {
                Some(variable) => match keeps(self.context, self.index, variable, &self.accesses) {
                    Some(by_type) if self.scope.sees(variable) => same.by_type |= by_type,
                    _ => fine = false,
                },
                None => match self.in_memory(inner) {
                    Some(known) => {
                        same.there = same.there.min(known.there);
                        same.by_type |= known.by_type;
                    }
                    None => fine = false,
                },
            },
            ExprKind::AddressOf(inner) => {
                if let PlaceBase::Variable(variable) = &inner.base {
                    fine &= self.scope.sees(*variable);
                }
            }
            ExprKind::Opaque { .. } => fine = false,
            _ => {}
        };
        place.for_each_child(&mut |child| child.walk(&mut look));
        if let PlaceBase::Variable(variable) = place.base {
            fine &= self.scope.sees(variable);
        }
        fine.then_some(same)
    }

    /// The same of a load from memory, of which the expressions in its place are asked by themselves.
    fn in_memory(&self, place: &Place) -> Option<Same> {
        let values = &self.context.facts.values;
        let of = &values.loops[self.index.0 as usize];
        let reads: Vec<&Access> = self
            .accesses
            .iter()
            .copied()
            .filter(|access| access.origin == place.origin && !access.is_write())
            .collect();
        if reads.is_empty() {
            return None;
        }
        let is_member = |step: &Projection| matches!(step, Projection::Field(_));
        let in_variable = matches!(place.base, PlaceBase::Variable(_)) && place.path.iter().all(is_member);
        let mut same = Same {
            there: There::Perhaps,
            by_type: false,
        };
        for read in reads {
            let (root, address) = (read.root?, read.address.as_ref()?);
            let plain = read.called.is_none()
                && read.summary.is_none()
                && !read.partial
                && !read.volatile
                && read.choice.is_none();
            if !plain || !values.symbols.invariant_in(address, of.stmt) {
                return None;
            }
            // What the analysis itself takes for several pointers.
            let varies = |other: &&Access| {
                other.root.is_some_and(|root| {
                    let is_it = matches!(&values.symbols.info(root).kind, SymbolKind::Loaded { address: own, .. } if own == address);
                    is_it && values.symbols.varies_in(root, of.stmt)
                })
            };
            if self.accesses.iter().any(varies) {
                return None;
            }
            for write in self.accesses.iter().filter(|access| access.is_write()) {
                same.by_type |= loads::left_alone(self.context, read.ty, root, write)?;
            }
            let there = match in_variable || self.is_there(read) {
                true => There::Always,
                false => self.in_iterations(read),
            };
            same.there = same.there.max(there);
        }
        Some(same)
    }

    /// When the loop certainly reads something.
    fn in_iterations(&self, read: &Access) -> There {
        let values = &self.context.facts.values;
        let of = &values.loops[self.index.0 as usize];
        let Some(position) = read.loops.iter().position(|index| *index == self.index) else {
            return There::Perhaps;
        };
        if read.conditional_depth > position {
            return There::Perhaps;
        }
        let mut inner = read.loops[position + 1..].iter();
        let runs = inner.all(|index| {
            let trip = values.loops[index.0 as usize].trip.as_ref();
            trip.is_ok_and(|trip| of.facts_inside.prove(&at_least_one(trip)))
        });
        match runs {
            true => There::IfRun,
            false => There::Assumed,
        }
    }

    /// The text of the test before the loop's first iteration, if it can be written: of a loop that declares its variable and tests it.
    fn first_test(&self, stmt: &Stmt) -> Option<String> {
        let head = reread::first_test(stmt)?;
        let test = self.text(head.test.origin.text()?)?;
        let start = self.text(head.start.origin.text()?)?;
        let bytes = test.as_bytes();
        let mut out = String::new();
        let mut at = 0;
        let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        while at < bytes.len() {
            let end = bytes[at..]
                .iter()
                .position(|byte| !is_in_word(byte))
                .map_or(bytes.len(), |length| at + length);
            let word = &test[at..end];
            // Not a member of that name.
            let member = out.trim_end().ends_with('.') || out.trim_end().ends_with("->");
            match word == head.name(self.context.function) && !member {
                true if start.bytes().all(|byte| is_in_word(&byte)) => out.push_str(start),
                true => out.push_str(&format!("({start})")),
                false => out.push_str(word),
            }
            at = end;
            if at < bytes.len() {
                out.push(char::from(bytes[at]));
                at += 1;
            }
        }
        Some(out)
    }

    /// Text that can be written again, and is looked through byte by byte.
    fn text(&self, span: Span) -> Option<&'a str> {
        emit::repeatable(self.sources, span).filter(|text| text.is_ascii())
    }

    /// True if the loop is a statement of a block.
    fn is_in_block(&self, stmt: &Stmt) -> bool {
        let mut found = false;
        if let Some(body) = &self.context.function.body {
            body.walk(&mut |around| {
                if let StmtKind::Block { body, scope: true } = &around.kind {
                    found |= body.iter().any(|child| child.id == stmt.id);
                }
            });
        }
        found
    }

    /// True if something shows that the storage is there before the loop: it is known, and was certainly touched, or the loop's first test does so, or the user says how much it leads to. Another member of the structure shows nothing: what
    /// was allocated may be the head of it only.
    fn is_there(&self, read: &Access) -> bool {
        let values = &self.context.facts.values;
        let of = &values.loops[self.index.0 as usize];
        let Some(own) = &read.address else { return false };
        let is_tested = |access: &&Access| {
            access.address.as_ref() == Some(own)
                && access.size >= read.size
                && loads::is_in_test(self.context, self.index, access)
        };
        let is_known = || of.before.cells.keys().any(|cell| cell.address == *own);
        let is_promised = |(cell, value): (&Cell, &Expr)| {
            cell.address == *own
                && cell.size >= read.size
                && value
                    .as_symbol()
                    .is_some_and(|symbol| of.before.promised.contains(&symbol))
        };
        if of.before.cells.iter().any(is_promised) {
            return true;
        }
        self.accesses.iter().any(is_tested) || is_known() && self.before.touches(own, read.size, of.stmt)
    }
}
