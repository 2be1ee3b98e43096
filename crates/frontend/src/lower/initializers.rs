//! What does an initializer store? C11 6.7.9: lists with designators, and with braces left out.
//!
//! libclang shows lists as they are written, so the walk through the object is made here.

use super::node::Node;
use super::statements::is_expression;
use super::{Lower, Lowered};
use crate::clang::Constant;
use clang_sys::*;
use ferry_ir::*;
use ferry_source::Origin;

/// Longest `[a ... b]` that is written out.
const LONGEST_RANGE: i128 = 1 << 16;

/// How much of an object was stored.
#[derive(Default)]
struct Filled {
    scalars: u64,
    /// Designators were used: some may be stored twice, others never.
    out_of_order: bool,
}

impl<'tu> Lower<'tu, '_> {
    /// Stores the value of an initializer into a fresh object.
    pub(super) fn initialize(&mut self, place: Place, node: &Node<'tu>) -> Lowered<()> {
        let mut filled = Filled::default();
        let all = self.scalars(place.ty);
        let target = place.clone();
        let (done, mut stores) = self.capture(|lower| lower.initial(place, node, &mut filled));
        done?;
        if filled.out_of_order || filled.scalars < all {
            self.emit(StmtKind::Zero { place: target });
        }
        self.body.sink.append(&mut stores);
        Ok(())
    }

    /// The stores of a constant initializer; an all-zero start is assumed.
    pub(super) fn constant_stores(&mut self, place: Place, node: &Node<'tu>) -> Lowered<Vec<(Place, Expr)>> {
        let mut filled = Filled::default();
        let outer = std::mem::replace(&mut self.constant, true);
        let (done, stores) = self.capture(|lower| lower.initial(place, node, &mut filled));
        self.constant = outer;
        done?;
        stores
            .into_iter()
            .map(|stmt| match stmt.kind {
                StmtKind::Assign { place, value }
                    if matches!(place.base, PlaceBase::Variable(VariableRef::Global(_))) =>
                {
                    Ok((place, value))
                }
                _ => Err("an initializer that is not constant".to_owned()),
            })
            .collect()
    }

    /// How many scalars an object holds; `u64::MAX` where that has no answer (unions, unknown lengths).
    fn scalars(&self, ty: TypeId) -> u64 {
        match self.types.get(ty) {
            Type::Array {
                element,
                length: Length::Constant(length),
            } => self.scalars(*element).saturating_mul(*length),
            Type::Array { .. } => u64::MAX,
            Type::Record(record) => {
                let record = self.types.record(*record);
                if record.union {
                    return u64::MAX;
                }
                record
                    .fields
                    .iter()
                    .fold(0, |sum: u64, field| sum.saturating_add(self.scalars(field.ty)))
            }
            _ => 1,
        }
    }

    fn initial(&mut self, place: Place, node: &Node<'tu>, filled: &mut Filled) -> Lowered<()> {
        let inner = node.without_parentheses();
        let is_array = matches!(self.types.get(place.ty), Type::Array { .. });
        let is_record = matches!(self.types.get(place.ty), Type::Record(_));
        if is_array && let Some(literal) = self.string_for(place.ty, inner) {
            return self.store_string(place, literal, filled);
        }
        if inner.kind == CXCursor_InitListExpr {
            if is_array || is_record {
                let mut items = inner.children.iter().peekable();
                self.fill(place, &mut items, true, filled)?;
                return if items.next().is_some() {
                    Err("too many initializers".into())
                } else {
                    Ok(())
                };
            }
            return match inner.children.as_slice() {
                [] => {
                    filled.out_of_order = true;
                    Ok(())
                }
                [only] => self.initial(place, only, filled),
                [_, _] if matches!(self.types.get(place.ty), Type::Complex { .. }) => {
                    filled.scalars = filled.scalars.saturating_add(1);
                    let value = self.rvalue(inner)?;
                    self.store(place, value, false)?;
                    Ok(())
                }
                _ => Err("several initializers for one scalar".into()),
            };
        }
        if is_array || (is_record && self.constant) {
            let literal = inner.stripped();
            if literal.kind == CXCursor_CompoundLiteralExpr
                && let Some(list) = literal
                    .children
                    .iter()
                    .find(|child| child.kind == CXCursor_InitListExpr)
            {
                return self.initial(place, list, filled);
            }
            return Err("an initializer that is no list".into());
        }
        filled.scalars = filled.scalars.saturating_add(self.scalars(place.ty));
        if self.call_into(inner, &place)?.is_some() {
            return Ok(());
        }
        let mut value = self.rvalue(inner)?;
        if self.constant && reads(&value) {
            // `static const int n = 5; static int m = n;`
            value = self.constant(inner)?;
        }
        self.store(place, value, false)?;
        Ok(())
    }

    /// Fills an aggregate from the items of a list. Without braces of its own it takes as many as it needs.
    fn fill(
        &mut self,
        place: Place,
        items: &mut std::iter::Peekable<std::slice::Iter<'_, Node<'tu>>>,
        braced: bool,
        filled: &mut Filled,
    ) -> Lowered<()> {
        let (members, union) = match self.types.get(place.ty) {
            Type::Array {
                length: Length::Constant(length),
                ..
            } => (*length, false),
            Type::Array { .. } => return Err("an initializer of an array of unknown length".into()),
            Type::Record(record) => {
                let record = self.types.record(*record);
                (record.fields.len() as u64, record.union)
            }
            _ => return Err("an initializer list for a scalar".into()),
        };
        let mut next = 0;
        while let Some(item) = items.peek() {
            if is_designated(item) {
                if !braced {
                    return Ok(());
                }
                let Some(item) = items.next() else { return Ok(()) };
                filled.out_of_order = true;
                let deep;
                (next, deep) = self.designated(&place, item, filled)?;
                if deep && items.peek().is_some_and(|item| !is_designated(item)) {
                    return Err("an initializer after a designator of several steps".into());
                }
                continue;
            }
            if next >= members || (union && next > 0) {
                return Ok(());
            }
            let member = self.member(&place, next)?;
            next += 1;
            self.fill_member(member, items, filled)?;
        }
        Ok(())
    }

    fn member(&mut self, place: &Place, number: u64) -> Lowered<Place> {
        let mut member = place.clone();
        if matches!(self.types.get(place.ty), Type::Array { .. }) {
            let long = self.long();
            self.subscript(&mut member, Expr::int(i128::from(number), long))?;
        } else {
            let number = u32::try_from(number).map_err(|_| "too many members")?;
            let field = self.field_of(place.ty, number)?;
            member.path.push(Projection::Field(number));
            member.ty = field.ty;
            member.volatile |= field.volatile;
        }
        Ok(member)
    }

    fn fill_member(
        &mut self,
        member: Place,
        items: &mut std::iter::Peekable<std::slice::Iter<'_, Node<'tu>>>,
        filled: &mut Filled,
    ) -> Lowered<()> {
        let Some(item) = items.peek() else { return Ok(()) };
        let item: &Node<'tu> = item;
        let aggregate = matches!(self.types.get(member.ty), Type::Array { .. } | Type::Record(_));
        let inner = item.without_parentheses();
        let whole = !aggregate
            || inner.kind == CXCursor_InitListExpr
            || self.string_for(member.ty, inner).is_some()
            || self.type_of(inner).ok() == Some(member.ty);
        if whole {
            items.next();
            return self.initial(member, item, filled);
        }
        self.fill(member, items, false, filled)
    }

    /// `.a.b[1] = value`: the number of the member after the first designator, and whether there were several.
    fn designated(&mut self, place: &Place, item: &Node<'tu>, filled: &mut Filled) -> Lowered<(u64, bool)> {
        let Some((value, designators)) = item.children.split_last() else {
            return Err("a designator without value".into());
        };
        let mut targets = vec![place.clone()];
        let mut first = None;
        let mut number = 0;
        let mut steps = 0;
        while let Some(designator) = designators.get(number) {
            number += 1;
            steps += 1;
            let mut last_member = 0;
            if designator.kind == CXCursor_MemberRef {
                let member = designator
                    .cursor
                    .referenced()
                    .ok_or("a designator without member")?;
                for target in &mut targets {
                    let Type::Record(record) = *self.types.get(target.ty) else {
                        return Err("a member designator of something that is no record".into());
                    };
                    for field in self.field_path(record, member)? {
                        last_member = if target.path.len() == place.path.len() {
                            u64::from(field)
                        } else {
                            last_member
                        };
                        *target = self.member(target, u64::from(field))?;
                    }
                }
            } else {
                let low = index(designator)?;
                let high = match designators.get(number) {
                    Some(next) if is_expression(next.kind) && self.is_range(designator, next) => {
                        number += 1;
                        index(next)?
                    }
                    _ => low,
                };
                if low < 0 || high < low || high - low > LONGEST_RANGE || targets.len() > 1 && high > low {
                    return Err("a designator range that is not written out".into());
                }
                let mut all = Vec::new();
                for target in &targets {
                    for number in low..=high {
                        all.push(self.member(target, number as u64)?);
                    }
                }
                targets = all;
                last_member = high as u64;
            }
            first.get_or_insert(last_member);
        }
        if targets.len() > 1 && value.effects > 0 {
            return Err("a designator range with effects".into());
        }
        for target in targets {
            self.initial(target, value, filled)?;
        }
        Ok((first.ok_or("an item without designator")? + 1, steps > 1))
    }

    /// True if `...` is written between two designators.
    fn is_range(&self, low: &Node<'tu>, high: &Node<'tu>) -> bool {
        let (Some((file, start)), Some((other, end))) = (
            low.cursor.extent().1.spelling(),
            high.cursor.extent().0.spelling(),
        ) else {
            return false;
        };
        let text = self
            .tu
            .contents(file)
            .get(start as usize..end as usize)
            .unwrap_or_default();
        file == other && text.windows(3).any(|window| window == b"...")
    }

    /// The string literal that initializes a character array.
    fn string_for<'n>(&self, ty: TypeId, node: &'n Node<'tu>) -> Option<&'n Node<'tu>> {
        let Type::Array { element, .. } = self.types.get(ty) else {
            return None;
        };
        if !self.types.is_integer(*element) {
            return None;
        }
        let mut node = node.stripped();
        if node.kind == CXCursor_InitListExpr
            && let [only] = node.children.as_slice()
        {
            node = only.stripped();
        }
        (node.kind == CXCursor_StringLiteral).then_some(node)
    }

    fn store_string(&mut self, place: Place, literal: &Node<'tu>, filled: &mut Filled) -> Lowered<()> {
        let Type::Array {
            element,
            length: Length::Constant(length),
        } = *self.types.get(place.ty)
        else {
            return Err("a string in an array of unknown length".into());
        };
        let units = self.string_units(literal, element)?;
        let terminated = units.into_iter().chain(std::iter::once(0)).take(length as usize);
        for (number, unit) in terminated.enumerate() {
            let member = self.member(&place, number as u64)?;
            filled.scalars = filled.scalars.saturating_add(1);
            let value = Expr::int(self.wrap(unit, element), element);
            self.emit(StmtKind::Assign { place: member, value });
        }
        Ok(())
    }

    /// `(type){ … }`: an object without name.
    pub(super) fn compound_literal(&mut self, node: &Node<'tu>) -> Lowered<Place> {
        let ty = self.type_of(node)?;
        let list = node
            .children
            .iter()
            .rev()
            .find(|child| is_expression(child.kind))
            .ok_or("a compound literal without value")?;
        if self.constant {
            let id = GlobalId(self.globals.len() as u32);
            self.globals.push(Global {
                name: format!("%literal{}", id.0),
                ty,
                linkage: Linkage::Internal,
                inside: None,
                defined: true,
                thread_local: false,
                renamed: false,
                qualifiers: Qualifiers::default(),
                string_literal: false,
                initial: Vec::new(),
                origin: Origin::New,
            });
            let place = Place::variable(VariableRef::Global(id), ty, Origin::New);
            let initial = self.constant_stores(place.clone(), list)?;
            self.globals[id.0 as usize].initial = initial;
            return Ok(place);
        }
        let place = self.fresh(ty, VariableKind::Local, "literal");
        if let Some(VariableRef::Local(local)) = place.as_variable() {
            self.emit(StmtKind::Declare { local });
        }
        self.initialize(place.clone(), list)?;
        Ok(place)
    }
}

fn reads(value: &Expr) -> bool {
    let mut reads = false;
    value.walk(&mut |inner| reads |= matches!(inner.kind, ExprKind::Load(_)));
    reads
}

fn is_designated(node: &Node<'_>) -> bool {
    node.kind == CXCursor_UnexposedExpr && node.children.len() >= 2 && node.cursor.ty().kind() == CXType_Void
}

fn index(node: &Node<'_>) -> Lowered<i128> {
    match node.cursor.evaluate() {
        Some(Constant::Int(value)) => Ok(value),
        _ => Err("a designator whose value the compiler does not tell".into()),
    }
}
