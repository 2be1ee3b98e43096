//! What does an expression do besides having a value? Assignments, increments and conditional evaluation, as statements.

use super::node::Node;
use super::{Lower, Lowered, load};
use clang_sys::*;
use ferry_ir::*;
use ferry_source::Origin;

impl<'tu> Lower<'tu, '_> {
    /// Evaluates an expression for its effects alone.
    pub(super) fn effect(&mut self, node: &Node<'tu>) -> Lowered<()> {
        match (node.kind, node.children.as_slice()) {
            (CXCursor_ParenExpr, [inner]) => self.effect(inner),
            (CXCursor_UnaryOperator, [operand]) => match node.cursor.unary_operator() {
                CXUnaryOperator_Extension => self.effect(operand),
                CXUnaryOperator_PostInc | CXUnaryOperator_PreInc => {
                    self.increment(operand, 1, false, false).map(|_| ())
                }
                CXUnaryOperator_PostDec | CXUnaryOperator_PreDec => {
                    self.increment(operand, -1, false, false).map(|_| ())
                }
                _ => self.discard(node),
            },
            (CXCursor_BinaryOperator, [a, b]) => match node.cursor.binary_operator() {
                CXBinaryOperator_Assign => self.assignment(a, b, false).map(|_| ()),
                CXBinaryOperator_Comma => {
                    self.effect(a)?;
                    self.effect(b)
                }
                CXBinaryOperator_LAnd if b.effects > 0 => {
                    let condition = self.scalar(a)?;
                    let (done, then) = self.capture(|lower| lower.effect(b));
                    done?;
                    self.branch(condition, then, Vec::new());
                    Ok(())
                }
                CXBinaryOperator_LOr if b.effects > 0 => {
                    let condition = self.scalar(a)?;
                    let (done, otherwise) = self.capture(|lower| lower.effect(b));
                    done?;
                    self.branch(condition, Vec::new(), otherwise);
                    Ok(())
                }
                _ => self.discard(node),
            },
            (CXCursor_CompoundAssignOperator, [target, operand]) => {
                self.compound_assignment(node, target, operand, false).map(|_| ())
            }
            (CXCursor_ConditionalOperator, [condition, a, b]) if a.effects + b.effects > 0 => {
                let condition = self.scalar(condition)?;
                let (a_done, then) = self.capture(|lower| lower.effect(a));
                let (b_done, otherwise) = self.capture(|lower| lower.effect(b));
                a_done?;
                b_done?;
                self.branch(condition, then, otherwise);
                Ok(())
            }
            (CXCursor_CStyleCastExpr | CXCursor_UnexposedExpr, [operand])
                if node.cursor.ty().canonical().kind() == CXType_Void =>
            {
                self.effect(operand)
            }
            (CXCursor_UnexposedExpr, [operand]) if node.is_conversion() => self.effect(operand),
            (CXCursor_CallExpr, _) => self.call(node, None).map(|_| ()),
            (CXCursor_StmtExpr, _) => self.statement_expression(node, false).map(|_| ()),
            _ => self.discard(node),
        }
    }

    /// A value that nobody uses. Reads of volatile objects stay, as assignments to a temporary.
    fn discard(&mut self, node: &Node<'tu>) -> Lowered<()> {
        if node.cursor.ty().canonical().kind() == CXType_Void {
            // A void expression that was not taken apart above.
            return match (node.effects, node.children.is_empty()) {
                (0, true) => Ok(()),
                _ => Err(self.not_understood(node.kind)),
            };
        }
        let value = self.rvalue(node)?;
        let mut volatile = false;
        value.walk(&mut |inner| {
            if let ExprKind::Load(place) = &inner.kind {
                volatile |= place.volatile;
            }
        });
        if volatile {
            let place = self.temporary(value.ty);
            self.emit(StmtKind::Assign { place, value });
        }
        Ok(())
    }

    fn branch(&mut self, condition: Expr, then: Vec<Stmt>, otherwise: Vec<Stmt>) {
        let origin = self.body.origin.unwrap_or(Origin::New);
        if then.is_empty() && otherwise.is_empty() {
            return;
        }
        let then = Box::new(self.block(then, origin));
        let otherwise = (!otherwise.is_empty()).then(|| Box::new(self.block(otherwise, origin)));
        self.emit(StmtKind::If {
            condition,
            then,
            otherwise,
        });
    }

    /// `target = operand`; its value if `wanted`.
    pub(super) fn assignment(
        &mut self,
        target: &Node<'tu>,
        operand: &Node<'tu>,
        wanted: bool,
    ) -> Lowered<Option<Expr>> {
        let place = self.place(target)?;
        if let Some(value) = self.call_into(operand, &place)? {
            return Ok(wanted.then_some(value));
        }
        let value = self.rvalue(operand)?;
        self.store(place, value, wanted)
    }

    /// Stores a value, converted; the value of the assignment if `wanted`.
    pub(super) fn store(&mut self, place: Place, value: Expr, wanted: bool) -> Lowered<Option<Expr>> {
        let value = self.convert(value, place.ty)?;
        let bit_field = self.bit_width(&place).is_some();
        if !wanted {
            self.emit(StmtKind::Assign { place, value });
            return Ok(None);
        }
        let constant = matches!(value.kind, ExprKind::Int(_) | ExprKind::Float(_));
        if constant && !bit_field {
            self.emit(StmtKind::Assign {
                place,
                value: value.clone(),
            });
            return Ok(Some(value));
        }
        let whole_local = matches!(place.as_variable(), Some(VariableRef::Local(_))) && !place.volatile;
        if whole_local || bit_field {
            self.emit(StmtKind::Assign {
                place: place.clone(),
                value,
            });
            return Ok(Some(load(place)));
        }
        let kept = self.temporary(value.ty);
        self.emit(StmtKind::Assign {
            place: kept.clone(),
            value,
        });
        self.emit(StmtKind::Assign {
            place,
            value: load(kept.clone()),
        });
        Ok(Some(load(kept)))
    }

    /// `target op= operand`, computed in the type of the usual arithmetic conversions, which libclang gives the operand.
    pub(super) fn compound_assignment(
        &mut self,
        node: &Node<'tu>,
        target: &Node<'tu>,
        operand: &Node<'tu>,
        wanted: bool,
    ) -> Lowered<Expr> {
        let operator = super::expressions::binary_operator(node.cursor.binary_operator())
            .ok_or("a compound assignment that is not modelled")?;
        let place = self.place(target)?;
        let right = self.rvalue(operand)?;
        let old = load(place.clone());
        if !self.types.is_scalar(old.ty) {
            return Err("a compound assignment to a type that is not modelled".into());
        }
        let pointer = matches!(self.types.get(old.ty), Type::Pointer(_));
        let left = if pointer {
            old
        } else if matches!(operator, BinaryOp::Shl | BinaryOp::Shr) {
            let width = self.bit_width(&place);
            let ty = self.promoted(old.ty, width);
            self.convert(old, ty)?
        } else {
            let ty = self.common_with_complex(old.ty, right.ty);
            self.convert(old, ty)?
        };
        // The sum is in no text.
        let value = self.combine(operator, left, right, Origin::New)?;
        let ty = value.ty;
        Ok(self
            .store(place, value, wanted)?
            .unwrap_or_else(|| Expr::int(0, ty)))
    }

    /// `++` and `--`: the old value if `old`, else the new one, if it is `wanted` at all.
    pub(super) fn increment(
        &mut self,
        operand: &Node<'tu>,
        by: i128,
        old: bool,
        wanted: bool,
    ) -> Lowered<Expr> {
        let place = self.place(operand)?;
        let before = load(place.clone());
        let origin = Origin::New; // the new value is in no text
        let width = self.bit_width(&place);
        let value_before = if old && wanted {
            let kept = self.temporary(place.ty);
            self.emit(StmtKind::Assign {
                place: kept.clone(),
                value: before,
            });
            load(kept)
        } else {
            before
        };
        let after = match *self.types.get(place.ty) {
            Type::Pointer(_) => {
                let ty = self.long();
                self.offset(value_before.clone(), Expr::int(by, ty), false, origin)?
            }
            Type::Float { .. } | Type::Complex { .. } => {
                let one = Expr::int(1, self.int());
                let one = self.convert(one, place.ty)?;
                let operator = if by > 0 { BinaryOp::Add } else { BinaryOp::Sub };
                self.combine(operator, value_before.clone(), one, origin)?
            }
            Type::Int { .. } | Type::Bool => {
                let ty = self.promoted(place.ty, width);
                let left = self.convert(value_before.clone(), ty)?;
                let operator = if by > 0 { BinaryOp::Add } else { BinaryOp::Sub };
                self.combine(operator, left, Expr::int(1, ty), origin)?
            }
            _ => return Err("an increment of a type that is not modelled".into()),
        };
        let stored = self.store(place, after, wanted && !old)?;
        Ok(if old {
            value_before
        } else {
            stored.unwrap_or(value_before)
        })
    }

    /// `a && b`, `a || b`
    pub(super) fn logical(
        &mut self,
        operator: LogicalOp,
        node: &Node<'tu>,
        a: &Node<'tu>,
        b: &Node<'tu>,
    ) -> Lowered<Expr> {
        let int = self.int();
        let left = self.scalar(a)?;
        let (right, effects) = self.capture(|lower| lower.scalar(b));
        let right = right?;
        if effects.is_empty() {
            let origin = self.origin_of(node);
            let kind = ExprKind::Logical(operator, Box::new(left), Box::new(right));
            return Ok(Expr {
                kind,
                ty: int,
                origin,
            });
        }
        let result = self.temporary(int);
        let decided = Expr::int(i128::from(operator == LogicalOp::Or), int);
        let (done, mut evaluated) = self.capture(|lower| {
            let value = lower.truth(right)?;
            lower.emit(StmtKind::Assign {
                place: result.clone(),
                value,
            });
            Ok::<(), super::Cause>(())
        });
        done?;
        let mut evaluating = effects;
        evaluating.append(&mut evaluated);
        let (_, skipped) = self.capture(|lower| {
            lower.emit(StmtKind::Assign {
                place: result.clone(),
                value: decided,
            });
        });
        match operator {
            LogicalOp::And => self.branch(left, evaluating, skipped),
            LogicalOp::Or => self.branch(left, skipped, evaluating),
        }
        Ok(load(result))
    }

    /// `condition ? a : b`
    pub(super) fn conditional(
        &mut self,
        node: &Node<'tu>,
        condition: &Node<'tu>,
        a: &Node<'tu>,
        b: &Node<'tu>,
    ) -> Lowered<Expr> {
        let condition = self.scalar(condition)?;
        let (then, then_effects) = self.capture(|lower| lower.rvalue(a));
        let (otherwise, else_effects) = self.capture(|lower| lower.rvalue(b));
        let (then, otherwise) = (then?, otherwise?);
        self.select(node, condition, (then, then_effects), (otherwise, else_effects))
    }

    /// GNU `common ?: otherwise`: `common` is evaluated once.
    pub(super) fn elvis(
        &mut self,
        node: &Node<'tu>,
        common: &Node<'tu>,
        otherwise: &Node<'tu>,
    ) -> Lowered<Expr> {
        let value = self.scalar(common)?;
        let kept = self.temporary(value.ty);
        self.emit(StmtKind::Assign {
            place: kept.clone(),
            value,
        });
        let ty = self.type_of(node)?;
        let then = self.convert(load(kept.clone()), ty)?;
        let (otherwise, effects) = self.capture(|lower| lower.rvalue(otherwise));
        self.select(node, load(kept), (then, Vec::new()), (otherwise?, effects))
    }

    fn select(
        &mut self,
        node: &Node<'tu>,
        condition: Expr,
        (then, mut then_effects): (Expr, Vec<Stmt>),
        (otherwise, mut else_effects): (Expr, Vec<Stmt>),
    ) -> Lowered<Expr> {
        let ty = then.ty;
        let otherwise = self.convert(otherwise, ty)?;
        let scalar = self.types.is_scalar(ty);
        if then_effects.is_empty() && else_effects.is_empty() && scalar {
            let origin = self.origin_of(node);
            let kind = ExprKind::Select(Box::new(condition), Box::new(then), Box::new(otherwise));
            return Ok(Expr { kind, ty, origin });
        }
        let result = self.temporary(ty);
        for (effects, value) in [(&mut then_effects, then), (&mut else_effects, otherwise)] {
            let place = result.clone();
            let (_, mut made) = self.capture(|lower| lower.emit(StmtKind::Assign { place, value }));
            effects.append(&mut made);
        }
        self.branch(condition, then_effects, else_effects);
        Ok(load(result))
    }

    /// GNU `({ …; value; })`: its statements, and the value of the last if `wanted`.
    pub(super) fn statement_expression(&mut self, node: &Node<'tu>, wanted: bool) -> Lowered<Option<Expr>> {
        let body = node.cursor.children();
        let [body] = body.as_slice() else {
            return Err("a statement expression without body".into());
        };
        let statements = body.children();
        let Some((last, before)) = statements.split_last() else {
            return Ok(None);
        };
        let outer = self.body.origin;
        for statement in before {
            self.statement(*statement);
        }
        let value = if wanted && (100..200).contains(&last.kind()) {
            self.body.origin = Some(self.statement_origin(*last));
            let last = self.node(*last);
            let value = self.rvalue(&last);
            self.body.origin = outer;
            // The value outlives the variables of the block.
            let value = value?;
            match value.kind {
                ExprKind::Int(_) | ExprKind::Float(_) => Some(value),
                _ => {
                    let kept = self.temporary(value.ty);
                    self.emit(StmtKind::Assign {
                        place: kept.clone(),
                        value,
                    });
                    Some(load(kept))
                }
            }
        } else {
            self.statement(*last);
            None
        };
        self.body.origin = outer;
        Ok(value)
    }

    /// The origin of an expression; one with effects is not the text of its value.
    pub(super) fn origin_of(&mut self, node: &Node<'tu>) -> Origin {
        match self.origin(node.at) {
            Origin::Text(span) if node.effects > 0 => Origin::Expanded(span),
            origin => origin,
        }
    }
}
