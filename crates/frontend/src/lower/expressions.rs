//! What does an expression compute? Values and conditions; effects inside are emitted before.

use super::complex::conjugate;
use super::node::{Node, Unexposed};
use super::{Lower, Lowered, lex};
use crate::clang::Constant;
use clang_sys::*;
use ferry_ir::*;

impl<'tu> Lower<'tu, '_> {
    /// The value of an expression that is not `void`. Arrays and functions decay; lvalues are read.
    pub(super) fn rvalue(&mut self, node: &Node<'tu>) -> Lowered<Expr> {
        let origin = self.origin_of(node);
        let mut value = self.value(node)?;
        value.origin = origin;
        Ok(value)
    }

    fn value(&mut self, node: &Node<'tu>) -> Lowered<Expr> {
        match (node.kind, node.children.as_slice()) {
            (CXCursor_ParenExpr, [inner]) => self.value(inner),
            (CXCursor_UnexposedExpr, _) => self.unexposed(node),
            (CXCursor_ImaginaryLiteral, [number]) => {
                let number = self.rvalue(number)?;
                self.imaginary(number)
            }
            (CXCursor_IntegerLiteral | CXCursor_CharacterLiteral | CXCursor_FloatingLiteral, _) => {
                self.constant(node)
            }
            (CXCursor_DeclRefExpr, _) => self.name(node),
            (CXCursor_StringLiteral, _) => {
                let place = self.place(node)?;
                self.value_of(place)
            }
            (CXCursor_ArraySubscriptExpr | CXCursor_MemberRefExpr | CXCursor_CompoundLiteralExpr, _) => {
                let place = self.place(node)?;
                self.value_of(place)
            }
            (CXCursor_UnaryOperator, [operand]) => self.unary(node, operand),
            (CXCursor_BinaryOperator, [a, b]) => self.binary(node, a, b),
            (CXCursor_CompoundAssignOperator, [target, operand]) => {
                self.compound_assignment(node, target, operand, true)
            }
            (CXCursor_ConditionalOperator, [condition, a, b]) => self.conditional(node, condition, a, b),
            (CXCursor_CStyleCastExpr, [.., operand]) => self.cast(node, operand),
            (CXCursor_CallExpr, _) => self.call(node, None)?.ok_or_else(|| "a void value".into()),
            (CXCursor_UnaryExpr, _) => self.size_of(node),
            (CXCursor_StmtExpr, _) => self
                .statement_expression(node, true)?
                .ok_or_else(|| "a void value".into()),
            (CXCursor_GenericSelectionExpr, _) => {
                let chosen = self.generic_choice(node)?;
                self.rvalue(chosen)
            }
            (CXCursor_InitListExpr, [real, imaginary]) => {
                let (real, imaginary) = (self.rvalue(real)?, self.rvalue(imaginary)?);
                self.complex_of(real, imaginary)
            }
            (CXCursor_InitListExpr, [single]) => {
                let value = self.rvalue(single)?;
                let ty = self.type_of(node)?;
                self.convert(value, ty)
            }
            (kind, _) => Err(self.not_understood(kind)),
        }
    }

    pub(super) fn not_understood(&self, kind: CXCursorKind) -> String {
        let form = match kind {
            CXCursor_AddrLabelExpr => "the address of a label",
            CXCursor_InitListExpr => "an initializer list",
            CXCursor_GenericSelectionExpr => "a generic selection",
            CXCursor_CallExpr => "a call",
            other => {
                return format!("an expression of a form that is not modelled (libclang's kind {other})");
            }
        };
        form.into()
    }

    fn unexposed(&mut self, node: &Node<'tu>) -> Lowered<Expr> {
        match (node.unexposed(), node.children.as_slice()) {
            (Unexposed::Conversion, [inner]) => {
                let value = self.value(inner)?;
                if self.is_variably_modified(node.cursor.ty()) {
                    return Ok(value); // converted to the type of its destination there
                }
                let ty = self.type_of(node)?;
                if matches!(self.types.get(ty), Type::Array { .. } | Type::Function { .. }) {
                    return Ok(value); // a parameter shown with its unadjusted type, or `__func__`: it has decayed
                }
                self.convert(value, ty)
            }
            (Unexposed::Elvis, [common, _, _, otherwise]) => self.elvis(node, common, otherwise),
            (Unexposed::OffsetOf, _) => self.constant(node),
            (Unexposed::Choose, [condition, a, b]) if self.written_word(node) == b"__builtin_choose_expr" => {
                match condition.cursor.evaluate() {
                    Some(Constant::Int(0)) => self.rvalue(b),
                    Some(Constant::Int(_)) => self.rvalue(a),
                    _ => Err("a choice that the compiler does not tell".into()),
                }
            }
            _ => match self.written_word(node) {
                b"__builtin_va_arg" => Err("variable arguments".into()),
                word => Err(format!(
                    "an expression that libclang does not expose ({})",
                    String::from_utf8_lossy(word)
                )),
            },
        }
    }

    /// The word with which a node begins, where its letters are.
    pub(super) fn written_word(&self, node: &Node<'tu>) -> &'tu [u8] {
        match node.cursor.extent().0.spelling() {
            Some((file, at)) => lex::word(self.tu.contents(file), at as usize),
            None => &[],
        }
    }

    fn name(&mut self, node: &Node<'tu>) -> Lowered<Expr> {
        let declaration = node.cursor.referenced().ok_or("a name without declaration")?;
        match declaration.kind() {
            CXCursor_EnumConstantDecl => {
                let ty = self.type_of(node)?;
                let origin = self.origin(node.at);
                Ok(Expr {
                    kind: ExprKind::Int(self.wrap(declaration.enum_value(), ty)),
                    ty,
                    origin,
                })
            }
            CXCursor_FunctionDecl => {
                let function = self.function_reference(declaration)?;
                let ty = self.functions[function.0 as usize].ty;
                let ty = self.pointer_to(ty);
                let origin = self.origin(node.at);
                Ok(Expr {
                    kind: ExprKind::Function(function),
                    ty,
                    origin,
                })
            }
            _ => {
                let place = self.place(node)?;
                self.value_of(place)
            }
        }
    }

    fn unary(&mut self, node: &Node<'tu>, operand: &Node<'tu>) -> Lowered<Expr> {
        let origin = self.origin(node.at);
        let int = self.int();
        match node.cursor.unary_operator() {
            CXUnaryOperator_PostInc => self.increment(operand, 1, true, true),
            CXUnaryOperator_PostDec => self.increment(operand, -1, true, true),
            CXUnaryOperator_PreInc => self.increment(operand, 1, false, true),
            CXUnaryOperator_PreDec => self.increment(operand, -1, false, true),
            CXUnaryOperator_AddrOf => {
                let inner = operand.without_parentheses();
                let kind = inner.cursor.ty().canonical().kind();
                if matches!(kind, CXType_FunctionProto | CXType_FunctionNoProto) {
                    return self.value(inner);
                }
                let place = self.place(inner)?;
                if self.bit_width(&place).is_some() {
                    return Err("the address of a bit-field".into());
                }
                Ok(self.address_of(place, origin))
            }
            CXUnaryOperator_Deref => {
                let kind = node.cursor.ty().canonical().kind();
                if matches!(kind, CXType_FunctionProto | CXType_FunctionNoProto) {
                    return self.rvalue(operand);
                }
                let place = self.place(node)?;
                self.value_of(place)
            }
            CXUnaryOperator_Plus | CXUnaryOperator_Extension => self.value(operand),
            CXUnaryOperator_Minus => {
                let value = self.arithmetic(operand)?;
                self.negated(value, origin)
            }
            CXUnaryOperator_Not => {
                let value = self.arithmetic(operand)?;
                if matches!(self.types.get(value.ty), Type::Float { .. }) {
                    return Err("a complement of something that is no integer".into());
                }
                Ok(conjugate(value, origin))
            }
            CXUnaryOperator_Real | CXUnaryOperator_Imag => {
                let value = self.arithmetic(operand)?;
                let real = node.cursor.unary_operator() == CXUnaryOperator_Real;
                self.part_of(value, real, origin)
            }
            CXUnaryOperator_LNot => {
                let value = self.scalar(operand)?;
                Ok(Expr {
                    kind: ExprKind::Unary(UnaryOp::Not, Box::new(value)),
                    ty: int,
                    origin,
                })
            }
            _ => Err("a unary operator that is not modelled".into()),
        }
    }

    fn negated(&mut self, value: Expr, origin: ferry_source::Origin) -> Lowered<Expr> {
        let ty = value.ty;
        let kind = match value.kind {
            // Constants: the minimum of a type, which has no positive literal, and fewer nodes.
            ExprKind::Int(number) if self.wrap(-number, ty) == -number => ExprKind::Int(-number),
            ExprKind::Float(bits) => ExprKind::Float((-f64::from_bits(bits)).to_bits()),
            _ => ExprKind::Unary(UnaryOp::Negate, Box::new(value)),
        };
        Ok(Expr { kind, ty, origin })
    }

    /// A value of arithmetic type.
    pub(super) fn arithmetic(&mut self, node: &Node<'tu>) -> Lowered<Expr> {
        let value = self.rvalue(node)?;
        match self.types.get(value.ty) {
            Type::Int { .. } | Type::Bool | Type::Float { .. } | Type::Complex { .. } => Ok(value),
            other => Err(format!("arithmetic on a type that is not modelled: {other:?}")),
        }
    }

    /// A value of scalar type.
    pub(super) fn scalar(&mut self, node: &Node<'tu>) -> Lowered<Expr> {
        let value = self.rvalue(node)?;
        if self.types.is_scalar(value.ty) {
            Ok(value)
        } else {
            Err("a condition that is not scalar".into())
        }
    }

    fn binary(&mut self, node: &Node<'tu>, a: &Node<'tu>, b: &Node<'tu>) -> Lowered<Expr> {
        let operator = node.cursor.binary_operator();
        match operator {
            CXBinaryOperator_Assign => {
                return self.assignment(a, b, true)?.ok_or_else(|| "a void value".into());
            }
            CXBinaryOperator_Comma => {
                self.effect(a)?;
                return self.rvalue(b);
            }
            CXBinaryOperator_LAnd => return self.logical(LogicalOp::And, node, a, b),
            CXBinaryOperator_LOr => return self.logical(LogicalOp::Or, node, a, b),
            _ => {}
        }
        let origin = self.origin(node.at);
        let operator = binary_operator(operator).ok_or("a binary operator that is not modelled")?;
        let left = self.rvalue(a)?;
        let right = self.rvalue(b)?;
        self.combine(operator, left, right, origin)
    }

    /// `left operator right`, as C's operators on values that are converted already.
    pub(super) fn combine(
        &mut self,
        operator: BinaryOp,
        left: Expr,
        right: Expr,
        origin: ferry_source::Origin,
    ) -> Lowered<Expr> {
        let (left, right) = self.both_complex(left, right)?;
        let left_pointer = matches!(self.types.get(left.ty), Type::Pointer(_));
        let right_pointer = matches!(self.types.get(right.ty), Type::Pointer(_));
        let int = self.int();
        let (kind, ty) = match (operator, left_pointer, right_pointer) {
            (BinaryOp::Add, true, false) => return self.offset(left, right, false, origin),
            (BinaryOp::Add, false, true) => return self.offset(right, left, false, origin),
            (BinaryOp::Sub, true, false) => return self.offset(left, right, true, origin),
            (BinaryOp::Sub, true, true) => {
                let right = self.convert(right, left.ty)?;
                (ExprKind::Difference(Box::new(left), Box::new(right)), self.long())
            }
            (operator, ..) if operator.is_comparison() => {
                let right = if left.ty == right.ty {
                    right
                } else {
                    self.convert(right, left.ty)?
                };
                (ExprKind::Binary(operator, Box::new(left), Box::new(right)), int)
            }
            (BinaryOp::Shl | BinaryOp::Shr, false, false) => {
                let ty = left.ty;
                (ExprKind::Binary(operator, Box::new(left), Box::new(right)), ty)
            }
            (_, false, false) if left.ty == right.ty => {
                let ty = left.ty;
                (ExprKind::Binary(operator, Box::new(left), Box::new(right)), ty)
            }
            _ => return Err("operands of different types".into()),
        };
        if let ExprKind::Binary(operator, left, _) = &kind {
            let fits = match self.types.get(left.ty) {
                Type::Int { .. } | Type::Bool => true,
                Type::Float { .. } => {
                    operator.is_comparison()
                        || matches!(
                            operator,
                            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div
                        )
                }
                Type::Complex { .. } => matches!(
                    operator,
                    BinaryOp::Add
                        | BinaryOp::Sub
                        | BinaryOp::Mul
                        | BinaryOp::Div
                        | BinaryOp::Eq
                        | BinaryOp::Ne
                ),
                Type::Pointer(_) => operator.is_comparison(),
                _ => false,
            };
            if !fits {
                return Err("arithmetic on a type that is not modelled".into());
            }
        }
        Ok(Expr { kind, ty, origin })
    }

    fn cast(&mut self, node: &Node<'tu>, operand: &Node<'tu>) -> Lowered<Expr> {
        let sizes: Vec<_> = node.children[..node.children.len() - 1]
            .iter()
            .filter(|child| (100..200).contains(&child.kind))
            .map(|child| child.cursor)
            .collect();
        let ty = node.cursor.ty();
        let ty = if self.is_variably_modified(ty) {
            self.declared_type(ty, &sizes)?
        } else {
            self.ty(ty)?
        };
        if *self.types.get(ty) == Type::Void {
            return Err("a void value".into());
        }
        let value = self.rvalue(operand)?;
        self.convert(value, ty)
    }

    fn size_of(&mut self, node: &Node<'tu>) -> Lowered<Expr> {
        if let Some(Constant::Int(_)) = node.cursor.evaluate() {
            return self.constant(node);
        }
        if self.written_word(node) != b"sizeof" {
            return Err("a property of a type of variable length".into());
        }
        let origin = self.origin(node.at);
        let mut size = match node.children.as_slice() {
            [operand] if self.is_lvalue(operand.without_parentheses()) => {
                let place = self.place(operand.without_parentheses())?;
                self.byte_size(place.ty)?
            }
            children => self.size_of_written_type(node, children)?,
        };
        size.origin = origin;
        Ok(size)
    }

    /// `sizeof (type[n][m])`: libclang lists the lengths twice, the second time outermost first, and names the element's type
    /// only if it is a typedef or tag.
    fn size_of_written_type(&mut self, node: &Node<'tu>, children: &[Node<'tu>]) -> Lowered<Expr> {
        const UNKNOWN: &str = "the size of a type of variable length";
        let lengths: Vec<&Node<'tu>> = children.iter().filter(|c| (100..200).contains(&c.kind)).collect();
        let lengths = &lengths[lengths.len() / 2..];
        let first = lengths.first().ok_or(UNKNOWN)?;
        let (Some((file, start)), Some((other, end))) = (
            node.cursor.extent().0.spelling(),
            first.cursor.extent().0.spelling(),
        ) else {
            return Err(UNKNOWN.into());
        };
        let text = self
            .tu
            .contents(file)
            .get(start as usize..end as usize)
            .filter(|_| file == other)
            .ok_or(UNKNOWN)?;
        let mut at = lex::skip_blanks(text, b"sizeof".len());
        let mut words = Vec::new();
        while at < text.len() {
            let end = lex::token_end(text, at);
            words.push(&text[at..end]);
            at = lex::skip_blanks(text, end);
        }
        let [b"(", words @ .., b"["] = words.as_slice() else {
            return Err(UNKNOWN.into());
        };
        let named = children.iter().find(|child| child.kind == CXCursor_TypeRef);
        let element = match (words.split_last(), named) {
            (Some((&b"*", _)), _) => 8,
            (Some(_), Some(named)) => {
                let ty = self.ty(named.cursor.ty())?;
                self.types.size(ty).ok_or(UNKNOWN)?
            }
            (Some(_), None) => size_of_words(words).ok_or(UNKNOWN)?,
            (None, _) => return Err(UNKNOWN.into()),
        };
        let unsigned_long = self.unsigned_long();
        let mut size = Expr::int(i128::from(element), unsigned_long);
        for length in lengths {
            let length = self.arithmetic(length)?;
            let length = self.convert(length, unsigned_long)?;
            size = self.combine(BinaryOp::Mul, length, size, ferry_source::Origin::New)?;
        }
        Ok(size)
    }

    /// The size of a type in bytes, of type `unsigned long`.
    pub(super) fn byte_size(&mut self, ty: TypeId) -> Lowered<Expr> {
        let unsigned_long = self.unsigned_long();
        if let Some(size) = self.types.size(ty) {
            return Ok(Expr::int(i128::from(size), unsigned_long));
        }
        let Type::Array { element, length } = self.types.get(ty).clone() else {
            return Err("the size of an incomplete type".into());
        };
        let length = match length {
            Length::Constant(length) => Expr::int(i128::from(length), unsigned_long),
            Length::Variable(extent) => {
                let long = self.long();
                let value = Expr::variable(VariableRef::Local(extent), long, ferry_source::Origin::New);
                self.convert(value, unsigned_long)?
            }
            Length::Unknown => return Err("the size of an incomplete type".into()),
        };
        let element = self.byte_size(element)?;
        self.combine(BinaryOp::Mul, length, element, ferry_source::Origin::New)
    }
}

/// The operator of a binary expression or compound assignment on values.
pub(super) fn binary_operator(operator: CXBinaryOperatorKind) -> Option<BinaryOp> {
    Some(match operator {
        CXBinaryOperator_Mul | CXBinaryOperator_MulAssign => BinaryOp::Mul,
        CXBinaryOperator_Div | CXBinaryOperator_DivAssign => BinaryOp::Div,
        CXBinaryOperator_Rem | CXBinaryOperator_RemAssign => BinaryOp::Rem,
        CXBinaryOperator_Add | CXBinaryOperator_AddAssign => BinaryOp::Add,
        CXBinaryOperator_Sub | CXBinaryOperator_SubAssign => BinaryOp::Sub,
        CXBinaryOperator_Shl | CXBinaryOperator_ShlAssign => BinaryOp::Shl,
        CXBinaryOperator_Shr | CXBinaryOperator_ShrAssign => BinaryOp::Shr,
        CXBinaryOperator_And | CXBinaryOperator_AndAssign => BinaryOp::And,
        CXBinaryOperator_Xor | CXBinaryOperator_XorAssign => BinaryOp::Xor,
        CXBinaryOperator_Or | CXBinaryOperator_OrAssign => BinaryOp::Or,
        CXBinaryOperator_LT => BinaryOp::Lt,
        CXBinaryOperator_LE => BinaryOp::Le,
        CXBinaryOperator_GT => BinaryOp::Gt,
        CXBinaryOperator_GE => BinaryOp::Ge,
        CXBinaryOperator_EQ => BinaryOp::Eq,
        CXBinaryOperator_NE => BinaryOp::Ne,
        _ => return None,
    })
}

/// Size in bytes of an arithmetic type that is written in keywords.
fn size_of_words(words: &[&[u8]]) -> Option<u64> {
    let mut size = None;
    let mut long = 0;
    for word in words {
        match *word {
            b"const" | b"volatile" | b"signed" | b"unsigned" => {
                size = size.or(Some(4));
            }
            b"int" => size = size.filter(|&size| size != 4).or(Some(4)),
            b"char" | b"_Bool" => size = Some(1),
            b"short" => size = Some(2),
            b"float" => size = Some(4),
            b"double" => size = Some(8),
            b"long" => long += 1,
            _ => return None,
        }
    }
    match (long, size) {
        (0, size) => size,
        (1, Some(8)) => Some(16),
        (_, None | Some(4)) => Some(8),
        _ => None,
    }
}
