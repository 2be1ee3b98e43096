//! Can a reduction into memory be made in a scalar beside the loop, and where is the element written that the scalar stands for?
//!
//! `for (…) s->sum += a[i];` becomes
//! ```c
//! double s_sum = s->sum;
//! #pragma omp target teams distribute parallel for reduction(+: s_sum) map(tofrom: s_sum) …
//! for (…) s_sum += a[i];
//! s->sum = s_sum;
//! ```
//! which is scalar promotion by hand: compilers take no members in `reduction`, clang 19 links no elements of array objects, gcc 12 on NVIDIA no elements at all, and
//! an atomic update makes all threads wait for one place. The verdict proves that nothing in the loop touches the element but updates by one operation. Here
//! is looked for what the text needs besides: that the element is written in the loop's own text by one lvalue, which denotes it before the loop already, and
//! that it is there whenever it is read and written beside the loop: the loop certainly touches it, or it is a part of a variable.
//!
//! What it cannot do: elements whose lvalue is found through other memory (`t->s->sum`, `q[k[0]]`), or written in different ways; a loop whose inner loops, around
//! the update, may not run for reasons that change from iteration to iteration.

use crate::kernel::{self, Context, Kernel};
use crate::loads;
use crate::scope::Scope;
use ferry_analysis::access::Access;
use ferry_analysis::joined::at_least_one;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::reduction::{ReductionOp, same_place};
use ferry_analysis::symbols::{Cause, SymbolKind};
use ferry_analysis::verdict::Reduction;
use ferry_ir::visit::replace;
use ferry_ir::{
    Expr as Code, ExprKind, LocalId, Place, PlaceBase, Stmt, StmtKind, Type, TypeId, VariableRef,
};
use ferry_source::Span;
use ferry_symbolic::{Condition, Expr, Symbol};
use std::collections::BTreeSet;

/// An element that a kernel reduces through a scalar.
#[derive(Clone, PartialEq, Debug)]
pub struct Promoted {
    /// How.
    pub op: ReductionOp,
    /// The storage that it lies in.
    pub root: Symbol,
    /// Bytes from the root.
    pub offset: Expr,
    /// Its size in bytes.
    pub size: u64,
    /// Its type.
    pub ty: TypeId,
    /// Where the loop's text names it, each of which the scalar's name takes the place of.
    pub uses: BTreeSet<Span>,
}

impl Promoted {
    /// True if an access is to the element.
    pub fn is(&self, access: &Access) -> bool {
        access.root == Some(self.root) && access.offset().as_ref() == Some(&self.offset)
    }

    /// The lvalue that is copied: the first one.
    pub fn item(&self) -> Option<Span> {
        self.uses.first().copied()
    }
}

/// How C spells a type of which a scalar can be reduced.
pub fn spelled(context: Context<'_>, ty: TypeId) -> Option<&'static str> {
    Some(match *context.unit.types.get(ty) {
        Type::Bool => "_Bool",
        Type::Float { bits: 32 } => "float",
        Type::Float { bits: 64 } => "double",
        Type::Complex { bits: 32 } => "float _Complex",
        Type::Complex { bits: 64 } => "double _Complex",
        Type::Int {
            bits: 8,
            signed: true,
        } => "signed char",
        Type::Int {
            bits: 8,
            signed: false,
        } => "unsigned char",
        Type::Int {
            bits: 16,
            signed: true,
        } => "short",
        Type::Int {
            bits: 16,
            signed: false,
        } => "unsigned short",
        Type::Int {
            bits: 32,
            signed: true,
        } => "int",
        Type::Int {
            bits: 32,
            signed: false,
        } => "unsigned",
        Type::Int {
            bits: 64,
            signed: true,
        } => "long",
        Type::Int {
            bits: 64,
            signed: false,
        } => "unsigned long",
        _ => return None,
    })
}

/// The element that a loop reduces into, if a scalar can take its place, and what must hold beside that the loop runs.
pub fn promotion(
    context: Context<'_>,
    kernel: &Kernel,
    stmt: &Stmt,
    reduction: &Reduction,
) -> Result<(Promoted, Vec<Condition>), Cause> {
    let wrong = |why: &str| Cause::new(why, reduction.at);
    let values = &context.facts.values;
    let of = &values.loops[kernel.index.0 as usize];
    let unknown = "it reduces into an element whose place is not known";
    let root = reduction.root.ok_or_else(|| wrong(unknown))?;
    if kernel.bases.get(&root).is_none_or(|base| base.member.is_some()) {
        return Err(wrong(
            "it reduces into storage that is reached through a pointer in memory",
        ));
    }
    let in_loop: Vec<&Access> = context.accesses(kernel.index).collect();
    let first = in_loop.iter().find(|access| {
        access.root == Some(root) && access.is_write() && reduction.updates.contains(&access.stmt)
    });
    let Some((first, offset)) = first.and_then(|first| Some((*first, first.offset()?))) else {
        return Err(wrong(unknown));
    };
    if kernel::is_logical(reduction.op) && !matches!(context.unit.types.get(first.ty), Type::Bool) {
        return Err(wrong(&kernel::not_a_truth_value("the element")));
    }
    let is_complex = matches!(context.unit.types.get(first.ty), Type::Complex { .. });
    if is_complex || spelled(context, first.ty).is_none() {
        return Err(wrong(kernel::not_reduced(context, first.ty)));
    }
    let mut found = Promoted {
        op: reduction.op,
        root,
        offset,
        size: first.size,
        ty: first.ty,
        uses: BTreeSet::new(),
    };
    let own: Vec<&Access> = in_loop
        .iter()
        .copied()
        .filter(|access| found.is(access))
        .collect();
    for access in &own {
        let plain = access.called.is_none()
            && access.summary.is_none()
            && access.within == access.stmt
            && !access.volatile
            && !access.partial
            && access.size == found.size
            && reduction.updates.contains(&access.stmt);
        let Some(span) = access.origin.text().filter(|_| plain) else {
            return Err(wrong(
                "it reduces into an element that it names in a macro or in a called function",
            ));
        };
        found.uses.insert(span);
    }
    lvalue(context, kernel, stmt, &found, &in_loop).map_err(wrong)?;
    if is_in_variable(context, &found) {
        return Ok((found, Vec::new()));
    }
    // What the loop certainly reads or writes is there.
    let certain = own.iter().find_map(|access| {
        let position = access.loops.iter().position(|index| *index == kernel.index)?;
        if access.conditional_depth > position {
            return None;
        }
        let mut runs = Vec::new();
        for index in &access.loops[position + 1..] {
            let trip = values.loops[index.0 as usize].trip.as_ref().ok()?;
            let condition = at_least_one(trip);
            let varies = |symbol: &Symbol| values.symbols.varies_in(*symbol, of.stmt);
            if condition.symbols().iter().any(varies) {
                return None;
            }
            runs.push(condition);
        }
        Some(runs)
    });
    match certain {
        Some(runs) => Ok((found, runs)),
        None => Err(wrong(
            "it reduces into an element that it touches under a condition, and that may not be there before the loop",
        )),
    }
}

/// Why the lvalue cannot be written beside the loop, if so: it is one, and denotes the element there.
fn lvalue(
    context: Context<'_>,
    kernel: &Kernel,
    stmt: &Stmt,
    promoted: &Promoted,
    accesses: &[&Access],
) -> Result<(), &'static str> {
    let mut places: Vec<&Place> = Vec::new();
    let mut addresses = false;
    let look = |place: &Place| {
        place
            .origin
            .text()
            .is_some_and(|span| promoted.uses.contains(&span))
    };
    stmt.walk(&mut |inner| {
        if let Some(place) = inner.written_place().filter(|place| look(place)) {
            places.push(place);
        }
        inner.for_each_expression(&mut |expr| {
            expr.walk(&mut |part| match &part.kind {
                ExprKind::Load(place) if look(place) => places.push(place),
                ExprKind::AddressOf(place) if look(place) => addresses = true,
                _ => {}
            });
        });
    });
    let Some(first) = places.first() else {
        return Err("it reduces into an element that its text does not name");
    };
    let alike = |place: &&Place| same_place(place, first) && place.ty == promoted.ty && !place.volatile;
    let named: BTreeSet<Span> = places.iter().filter_map(|place| place.origin.text()).collect();
    if addresses || named != promoted.uses || !places.iter().all(alike) {
        return Err("it reduces into an element that it names in different ways");
    }
    let mut fine = true;
    let scope = Scope::at(context.unit, context.function, stmt.id);
    let mut variables = BTreeSet::new();
    first.for_each_child(&mut |child| {
        child.walk(&mut |part: &Code| match &part.kind {
            ExprKind::Load(place) => match place.as_variable() {
                Some(variable) => drop(variables.insert(variable)),
                None => fine = false,
            },
            ExprKind::AddressOf(place) => match &place.base {
                PlaceBase::Variable(variable) => fine &= scope.sees(*variable),
                PlaceBase::Deref(_) => {}
            },
            ExprKind::Opaque { .. } => fine = false,
            _ => {}
        });
    });
    if let PlaceBase::Variable(variable) = first.base {
        fine &= scope.sees(variable);
    }
    let stays = |variable: &VariableRef| {
        scope.sees(*variable) && keeps(context, kernel.index, *variable, accesses) == Some(false)
    };
    match fine && variables.iter().all(stays) {
        true => Ok(()),
        false => Err(
            "it reduces into an element whose place is found through what may be another value before the loop",
        ),
    }
}

/// True if a variable has one value before a loop and in it for no other reason than the types of what is stored; `None` if it may have several. `accesses` are those in the loop.
pub(crate) fn keeps(
    context: Context<'_>,
    index: LoopIndex,
    variable: VariableRef,
    accesses: &[&Access],
) -> Option<bool> {
    let values = &context.facts.values;
    let of = &values.loops[index.0 as usize];
    if context.facts.scalars.get(&of.stmt)?.assigned.contains(&variable) {
        return None;
    }
    let by_name = matches!(variable, VariableRef::Local(id) if !context.function.local(id).address_taken);
    if by_name {
        return Some(false);
    }
    let address = *values.addresses.get(&variable)?;
    let ty = kernel::type_of(context, variable);
    let mut by_type = false;
    for write in accesses.iter().filter(|access| access.is_write()) {
        by_type |= loads::left_alone(context, ty, address, write)?;
    }
    Some(by_type)
}

/// True for bytes that certainly lie in a variable: a member, an element with a constant subscript.
fn is_in_variable(context: Context<'_>, promoted: &Promoted) -> bool {
    let SymbolKind::Address(variable) = context.facts.values.symbols.info(promoted.root).kind else {
        return false;
    };
    let offset = promoted.offset.as_constant().and_then(|offset| offset.to_i64());
    let whole = context.unit.types.size(kernel::type_of(context, variable));
    match (offset.and_then(|offset| u64::try_from(offset).ok()), whole) {
        (Some(offset), Some(whole)) => offset.checked_add(promoted.size).is_some_and(|end| end <= whole),
        _ => false,
    }
}

/// A name for the scalar, from the lvalue's text.
pub fn name_from(lvalue: &str) -> String {
    let words: Vec<&str> = lvalue
        .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty())
        .collect();
    let name = words.join("_");
    let begins = name.bytes().next().is_some_and(|first| !first.is_ascii_digit());
    match words.len() {
        2.. if begins && name.len() <= 30 => name,
        1 if begins && name.len() <= 30 => format!("{name}_value"),
        _ => "reduced_value".to_owned(),
    }
}

/// A list of statements with each scalar that stands for an element in a part of it taken back: `d = L; … L = d;` around what names `d`, where `d` is declared
/// in the list, becomes what is between with `L`.
pub fn demoted(mut list: Vec<Stmt>) -> Vec<Stmt> {
    let mut from = 0;
    while let Some((first, last, local, place)) = next_scalar(&list, from) {
        from = first;
        for stmt in &mut list[first + 1..last] {
            replace(stmt, local, &place);
        }
        list.remove(last);
        list.remove(first);
        list.retain(|stmt| !matches!(stmt.kind, StmtKind::Declare { local: own } if own == local));
        from = from.saturating_sub(1);
    }
    list
}

fn next_scalar(list: &[Stmt], from: usize) -> Option<(usize, usize, LocalId, Place)> {
    let declares = |local: LocalId| {
        let is_it = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Declare { local: own } if own == local);
        list.iter().any(is_it)
    };
    list.iter().enumerate().skip(from).find_map(|(first, stmt)| {
        let StmtKind::Assign { place, value } = &stmt.kind else {
            return None;
        };
        let (Some(VariableRef::Local(local)), ExprKind::Load(element)) = (place.as_variable(), &value.kind)
        else {
            return None;
        };
        let stores = |stmt: &Stmt| {
            matches!(&stmt.kind, StmtKind::Assign { place, value }
                if same_place(place, element) && value.as_variable() == Some(VariableRef::Local(local)))
        };
        let last = first + 1 + list[first + 1..].iter().position(stores)?;
        (declares(local) && element.as_variable().is_none())
            .then(|| (first, last, local, (**element).clone()))
    })
}

#[cfg(test)]
mod tests {
    use super::name_from;

    #[test]
    fn names_come_from_the_words_of_the_lvalue() {
        for (lvalue, name) in [
            ("s->sum", "s_sum"),
            ("hist.total", "hist_total"),
            ("acc[2]", "acc_2"),
            ("q[2 * k + 1]", "q_2_k_1"),
            ("*sum", "sum_value"),
            ("(*sum)", "sum_value"),
            ("2[q]", "reduced_value"),
            ("a_structure_with_a_long_name->and_a_long_member", "reduced_value"),
        ] {
            assert_eq!(name_from(lvalue), name, "{lvalue}");
        }
    }
}
