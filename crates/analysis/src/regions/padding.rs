//! Which bytes of a structure does nobody need, though a copy of the whole structure reads them?
//!
//! What lies between its members: C gives these bytes no value of their own when a member is stored (6.2.6.1). An iteration that
//! sets every member and then copies the structure needs nothing of what was there before.
//!
//! What it cannot do: unions, whose bytes all count; a program that looks at such bytes by themselves, for which they count, too.

use super::Context;
use crate::access::Access;
use crate::loops::LoopFacts;
use crate::symbols::SymbolKind;
use ferry_ir::{Type, TypeId, Types};
use ferry_symbolic::set::Set;
use ferry_symbolic::{Expr, Symbol};

/// Larger structures are taken to have none.
const MOST: u64 = 4096;

impl Context<'_> {
    /// The points of an object of structures that lie between members, as far as a loop reads them only with a whole structure.
    pub fn between_members(&self, of: &LoopFacts, root: Symbol) -> Option<Set> {
        let SymbolKind::Address(variable) = self.values.symbols.info(root).kind else {
            return None;
        };
        let types = &self.unit.types;
        let view = self.views.get(&root)?;
        let mut element = self.values.type_of(self.unit, variable);
        while let Type::Array { element: inner, .. } = types.get(element) {
            element = *inner;
        }
        if !view.declared || !view.bytes || types.size(element) != Some(view.element) {
            return None;
        }
        let gaps = gaps(types, element)?;
        let inside = |loops: &[crate::loops::LoopIndex]| {
            let mut loops = loops.iter();
            loops.any(|index| self.values.loops.get(index.0 as usize).map(|of| of.stmt) == Some(of.stmt))
        };
        let mut accesses = self.values.accesses.iter();
        let looked_at = accesses.any(|access| {
            let reads = !access.is_write() && access.root == Some(root) && inside(&access.loops);
            reads && !is_record(types, access.ty) && !is_beside(access, view.element, &gaps)
        });
        let mut effects = self.values.effects.iter();
        let given_away = effects.any(|effect| {
            let reads = effect.reads.as_ref().is_none_or(|roots| roots.contains(&root));
            reads && inside(&effect.loops)
        });
        if looked_at || given_away {
            return None;
        }
        let elements = Set::universe(view.dimensions().checked_sub(1)?);
        let mut all = Set::empty(view.dimensions());
        for (first, end) in gaps {
            let bytes = Set::interval(&Expr::int(i128::from(first)), &Expr::int(i128::from(end)));
            all = all.union(&elements.product(&bytes).ok()?).ok()?;
        }
        Some(all)
    }
}

fn is_record(types: &Types, ty: TypeId) -> bool {
    match types.get(ty) {
        Type::Record(_) => true,
        Type::Array { element, .. } => is_record(types, *element),
        _ => false,
    }
}

/// True if an access reads no byte between the members of its element.
fn is_beside(access: &Access, element: u64, gaps: &[(u64, u64)]) -> bool {
    let Some(mut rest) = access.offset() else {
        return false;
    };
    for subscript in &access.subscripts {
        let (Some(index), Some(stride)) = (&subscript.index, &subscript.stride) else {
            return false;
        };
        rest = &rest - &(index * stride);
    }
    let rest = rest.as_constant().and_then(|rest| rest.to_i128());
    let Some(first) = rest.and_then(|rest| u64::try_from(rest).ok()) else {
        return false;
    };
    let end = first.saturating_add(access.size);
    end <= element && gaps.iter().all(|(low, high)| end <= *low || *high <= first)
}

/// The bytes between the members of a structure: first, and past the last; `None` if there are none.
fn gaps(types: &Types, ty: TypeId) -> Option<Vec<(u64, u64)>> {
    let size = types.size(ty).filter(|size| *size <= MOST)?;
    let mut used = vec![false; usize::try_from(size).ok()?];
    mark(types, ty, 0, &mut used);
    let mut found: Vec<(u64, u64)> = Vec::new();
    for (at, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
        let at = at as u64;
        match found.last_mut() {
            Some((_, end)) if *end == at => *end = at + 1,
            _ => found.push((at, at + 1)),
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Marks the bytes that have a value, of an object of a type that begins at a byte.
fn mark(types: &Types, ty: TypeId, start: u64, used: &mut [bool]) {
    let size = types.size(ty).unwrap_or(u64::MAX);
    match types.get(ty) {
        Type::Record(id) if !types.record(*id).union => {
            for field in &types.record(*id).fields {
                match field.width {
                    Some(width) => {
                        let first = start + field.offset_bits / 8;
                        let end = start + (field.offset_bits + u64::from(width)).div_ceil(8);
                        fill(used, first, end);
                    }
                    None => mark(types, field.ty, start + field.offset_bits / 8, used),
                }
            }
        }
        Type::Array { element, .. } if is_record(types, *element) => {
            let step = types.size(*element).unwrap_or(0).max(1);
            for at in (0..size.min(used.len() as u64)).step_by(step as usize) {
                mark(types, *element, start + at, used);
            }
        }
        _ => fill(used, start, start.saturating_add(size)),
    }
}

fn fill(used: &mut [bool], first: u64, end: u64) {
    let limit = used.len() as u64;
    let (first, end) = (first.min(limit) as usize, end.min(limit) as usize);
    if let Some(bytes) = used.get_mut(first..end) {
        bytes.fill(true);
    }
}
