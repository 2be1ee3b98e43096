//! Do the loops that test values in memory, as they were read again, test what was meant?
//!
//! Piece by piece: the variable that a condition asks begins with all that must hold besides, and is set by nothing but the loops between its declaration and the
//! condition, which are those of the form that `emit::passes` writes, over the intended values, in the intended order.

use super::{At, Code, Failure, Known, Store, Written, compare, flatten};
use crate::computed::Computer;
use crate::meaning::PassMeaning;
use ferry_ir::{BinaryOp, ExprKind, LogicalOp, Loop, LoopKind, Place, Stmt, StmtKind, TypeId, VariableRef};

/// The conditions that must hold besides the order of values: those that are written, or where values are tested what the variable begins with that is asked.
///
/// # Errors
/// The first difference, in words.
pub(super) fn check<'a>(
    known: &Known<'_>,
    written: &Written<'a>,
    meant: &[PassMeaning],
) -> Result<Vec<&'a Code>, String> {
    if meant.len() != written.passes.len() {
        return Err("another number of loops over values than was meant".to_owned());
    }
    if meant.is_empty() {
        return Ok(written.conditions.clone());
    }
    let asked = match written.conditions.as_slice() {
        [one] => one.as_variable(),
        _ => None,
    };
    let wrong = || "a condition does not ask what the loops over values have found".to_owned();
    let flag = asked.ok_or_else(wrong)?;
    let before = *written.constants.get(&flag).ok_or_else(wrong)?;
    let (from, to) = match (written.declared_at.get(&flag), written.tested_at.as_slice()) {
        (Some(from), [to]) => (*from, *to),
        _ => return Err(wrong()),
    };
    for ((at, pass), meaning) in written.passes.iter().zip(meant) {
        if !(from..to).contains(at) {
            return Err("a loop over values is not where its result is asked".to_owned());
        }
        let parts = parts(pass, flag).ok_or("a loop over values of another form than was meant")?;
        known.tests(&parts, meaning)?;
    }
    // Without anything else to hold it begins with 1.
    Ok(match before.as_int() {
        Some(1) => Vec::new(),
        _ => vec![before],
    })
}

/// The parts of a loop over values that say which these are.
struct Parts<'a> {
    /// The variable that counts.
    at: VariableRef,
    /// How many values there are.
    end: &'a Code,
    /// The two values that are compared.
    first: &'a Place,
    second: &'a Place,
    /// Which must be less.
    strictly: bool,
}

/// `for (long at = 1, end = …; flag && at < end; at++) flag = p[at - 1] < p[at];`
fn parts<'a>(pass: &'a Loop, flag: VariableRef) -> Option<Parts<'a>> {
    let mut init = Vec::new();
    flatten(&pass.init, &mut init);
    let [one, set_one, two, set_two] = init.as_slice() else {
        return None;
    };
    let ((at, first), (bound, end)) = (declared(one, set_one)?, declared(two, set_two)?);
    let is_known = first.as_int() == Some(1) && at != bound && pass.before_test.is_empty();
    let ExprKind::Logical(LogicalOp::And, asked, below) = &pass.condition.as_ref()?.kind else {
        return None;
    };
    let ExprKind::Binary(BinaryOp::Lt, left, right) = &below.kind else {
        return None;
    };
    let tests = asked.as_variable() == Some(flag)
        && left.as_variable() == Some(at)
        && right.as_variable() == Some(bound);
    let mut step = Vec::new();
    flatten(&pass.step, &mut step);
    let [next] = step.as_slice() else { return None };
    let (counted, value) = assigned(next)?;
    let ExprKind::Binary(BinaryOp::Add, old, more) = &value.kind else {
        return None;
    };
    let counts = counted == at && old.as_variable() == Some(at) && more.as_int() == Some(1);
    let mut body = Vec::new();
    flatten(std::slice::from_ref(&pass.body), &mut body);
    let [only] = body.as_slice() else { return None };
    let (result, compared) = assigned(only)?;
    let (order, one, two) = match &compared.kind {
        ExprKind::Binary(order @ (BinaryOp::Lt | BinaryOp::Le), one, two) => (*order, one, two),
        _ => return None,
    };
    let is_plain = is_known && tests && counts && result == flag && pass.kind == LoopKind::For;
    is_plain.then_some(Parts {
        at,
        end,
        first: loaded(one)?,
        second: loaded(two)?,
        strictly: order == BinaryOp::Lt,
    })
}

fn declared<'a>(declares: &Stmt, sets: &'a Stmt) -> Option<(VariableRef, &'a Code)> {
    let StmtKind::Declare { local } = &declares.kind else {
        return None;
    };
    assigned(sets).filter(|(variable, _)| *variable == VariableRef::Local(*local))
}

fn assigned(stmt: &Stmt) -> Option<(VariableRef, &Code)> {
    match &stmt.kind {
        StmtKind::Assign { place, value } => Some((place.as_variable()?, value)),
        _ => None,
    }
}

/// What is loaded, promoted or not.
fn loaded(code: &Code) -> Option<&Place> {
    match &code.kind {
        ExprKind::Load(place) => Some(place),
        ExprKind::Cast(inner) => loaded(inner),
        _ => None,
    }
}

impl Known<'_> {
    /// A loop goes over the values that are meant, and asks for the order that is meant.
    fn tests(&self, parts: &Parts<'_>, meant: &PassMeaning) -> Result<(), String> {
        if parts.strictly != meant.strictly {
            return Err("a loop over values asks for another order than was meant".to_owned());
        }
        let types = &self.reader.programs.new.types;
        let alike = parts.first.ty == parts.second.ty && types.size(parts.first.ty) == Some(meant.size);
        if !alike || parts.first.volatile || parts.second.volatile {
            return Err("a loop over values reads others than were meant".to_owned());
        }
        self.same(parts.end, &meant.count, "the number of values")?;
        let size = i128::from(meant.size);
        for (place, behind) in [(parts.first, -1), (parts.second, 0)] {
            for number in [1, 2, 5] {
                // A short array has no values behind its last one.
                let mut counts = self
                    .samples
                    .iter()
                    .filter_map(|sample| sample.count(&meant.count));
                if number > 1 && !counts.any(|count| count > number) {
                    continue;
                }
                let computed = self.samples.iter().filter_map(|sample| {
                    let first = sample.value(&meant.first)?;
                    // Nothing is computed behind the last value.
                    if number >= sample.count(&meant.count)? {
                        return None;
                    }
                    let store = Counting {
                        around: At {
                            reader: self.reader,
                            entry: self.entry,
                            declared: self.declared,
                            sample: *sample,
                        },
                        at: parts.at,
                        number,
                    };
                    let unit = self.reader.programs.new;
                    let address = Computer { unit, store: &store }.address(place);
                    Some((address, first + (number + behind) * size))
                });
                compare(computed, "the place of a value")?;
            }
        }
        Ok(())
    }
}

/// One assignment of values, in which a variable counts.
struct Counting<'a> {
    around: At<'a>,
    at: VariableRef,
    number: i128,
}

impl Store for Counting<'_> {
    fn variable(&self, variable: VariableRef) -> Result<i128, Failure> {
        match variable == self.at {
            true => Ok(self.number),
            false => self.around.variable(variable),
        }
    }

    fn address(&self, variable: VariableRef) -> Result<i128, Failure> {
        self.around.address(variable)
    }

    fn memory(&self, address: i128, size: u64) -> Result<i128, Failure> {
        self.around.memory(address, size)
    }

    fn type_of(&self, variable: VariableRef) -> Option<TypeId> {
        self.around.type_of(variable)
    }
}
