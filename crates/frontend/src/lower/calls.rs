//! What does a call become? A statement of its own; its value, if it is used, goes to a place or a temporary.

use super::node::Node;
use super::{Lower, Lowered, load};
use clang_sys::*;
use ferry_ir::*;
use ferry_source::Origin;

/// Library functions that compilers also offer as `__builtin_NAME`, with the same meaning.
const LIBRARY: &[&str] = &[
    "abort",
    "abs",
    "acos",
    "acosf",
    "asin",
    "asinf",
    "atan",
    "atan2",
    "atan2f",
    "atanf",
    "calloc",
    "cbrt",
    "cbrtf",
    "ceil",
    "ceilf",
    "copysign",
    "copysignf",
    "cos",
    "cosf",
    "cosh",
    "coshf",
    "exit",
    "exp",
    "exp2",
    "exp2f",
    "expf",
    "fabs",
    "fabsf",
    "fabsl",
    "floor",
    "floorf",
    "fma",
    "fmaf",
    "fmax",
    "fmaxf",
    "fmin",
    "fminf",
    "fmod",
    "fmodf",
    "fprintf",
    "free",
    "hypot",
    "hypotf",
    "labs",
    "llabs",
    "log",
    "log10",
    "log10f",
    "log2",
    "log2f",
    "logf",
    "lround",
    "lroundf",
    "malloc",
    "memchr",
    "memcmp",
    "memcpy",
    "memmove",
    "memset",
    "pow",
    "powf",
    "printf",
    "putchar",
    "puts",
    "realloc",
    "rint",
    "rintf",
    "round",
    "roundf",
    "sin",
    "sinf",
    "sinh",
    "sinhf",
    "snprintf",
    "sprintf",
    "sqrt",
    "sqrtf",
    "strcat",
    "strchr",
    "strcmp",
    "strcpy",
    "strlen",
    "strncmp",
    "strncpy",
    "strrchr",
    "tan",
    "tanf",
    "tanh",
    "tanhf",
    "trunc",
    "truncf",
];

/// Functions after which the program may go on a second time.
const RETURNS_TWICE: &[&str] = &[
    "setjmp",
    "_setjmp",
    "__setjmp",
    "sigsetjmp",
    "__sigsetjmp",
    "getcontext",
    "vfork",
    "__builtin_setjmp",
];

/// The name under which a function is known: builtin twins of library functions have the library's name.
pub fn library_name(name: &str) -> &str {
    match name.strip_prefix("__builtin_") {
        Some(plain) if LIBRARY.binary_search(&plain).is_ok() => plain,
        _ => name,
    }
}

/// A call with everything but its result.
struct Prepared {
    callee: Callee,
    arguments: Vec<Expr>,
    /// Type of the returned value.
    result: TypeId,
}

impl<'tu> Lower<'tu, '_> {
    /// A call; its value, if it has one, from a temporary. With `into`, the value goes there if the types agree.
    pub(super) fn call(&mut self, node: &Node<'tu>, into: Option<&Place>) -> Lowered<Option<Expr>> {
        if let Some(value) = self.builtin(node)? {
            return Ok(Some(value));
        }
        let Prepared {
            callee,
            arguments,
            result,
        } = self.prepare(node)?;
        if *self.types.get(result) == Type::Void {
            self.emit(StmtKind::Call {
                result: None,
                callee,
                arguments,
            });
            return Ok(None);
        }
        if matches!(self.types.get(result), Type::Opaque { .. }) {
            return Err("a call that returns a type that is not modelled".into());
        }
        let place = match into {
            Some(place) if place.ty == result => place.clone(),
            _ => self.temporary(result),
        };
        self.emit(StmtKind::Call {
            result: Some(place.clone()),
            callee,
            arguments,
        });
        Ok(Some(load(place)))
    }

    /// If the operand is a call (maybe converted) whose value can go straight to `place`, makes it and gives the value.
    pub(super) fn call_into(&mut self, operand: &Node<'tu>, place: &Place) -> Lowered<Option<Expr>> {
        let call = operand.without_parentheses();
        // Conversions that change nothing are between.
        let call = match (call.kind, call.children.as_slice()) {
            (CXCursor_UnexposedExpr, [inner]) if call.is_conversion() => {
                let inner = inner.without_parentheses();
                if inner.kind != CXCursor_CallExpr || self.type_of(call).ok() != self.type_of(inner).ok() {
                    return Ok(None);
                }
                inner
            }
            _ => call,
        };
        if call.kind != CXCursor_CallExpr || self.bit_width(place).is_some() || place.volatile {
            return Ok(None);
        }
        if self.type_of(call)? != place.ty || self.is_builtin_value(call) {
            return Ok(None);
        }
        // A call that turns out to be no call (a builtin) is handled by the general way, before anything is emitted.
        self.call(call, Some(place))
    }

    fn callee_name(&self, node: &Node<'tu>) -> Option<String> {
        let callee = node.children.first()?.stripped();
        (callee.kind == CXCursor_DeclRefExpr).then(|| callee.cursor.spelling())
    }

    fn is_builtin_value(&self, node: &Node<'tu>) -> bool {
        self.callee_name(node).is_some_and(|name| {
            let builtin = name.strip_prefix("__builtin_");
            let is_value = builtin.is_some_and(|builtin| !counts_bits(builtin));
            self.is_part_function(node, &name) || library_name(&name) == name && is_value
        })
    }

    /// Builtins that are values, not calls.
    fn builtin(&mut self, node: &Node<'tu>) -> Lowered<Option<Expr>> {
        let Some(name) = self.callee_name(node) else {
            return Ok(None);
        };
        if self.is_part_function(node, &name) {
            return self.part_function(node, &name).map(Some);
        }
        let Some(builtin) = name.strip_prefix("__builtin_") else {
            return Ok(None);
        };
        // Those that count bits are calls of functions that everybody has.
        if library_name(&name) != name || matches!(builtin, "unreachable" | "trap") || counts_bits(builtin) {
            return Ok(None);
        }
        let origin = self.origin(node.at);
        let arguments = node.children.get(1..).unwrap_or_default();
        let mut value = match (builtin, arguments) {
            ("expect" | "expect_with_probability" | "assume_aligned", [value, others @ ..]) => {
                let value = self.rvalue(value)?;
                for other in others {
                    self.effect(other)?;
                }
                value
            }
            ("complex", [real, imaginary]) => {
                let (real, imaginary) = (self.rvalue(real)?, self.rvalue(imaginary)?);
                self.complex_of(real, imaginary)?
            }
            ("isnan", [value]) => {
                let value = self.arithmetic(value)?;
                self.combine(BinaryOp::Ne, value.clone(), value, origin)?
            }
            ("isinf_sign" | "isinf", [value]) => {
                let value = self.arithmetic(value)?;
                let (ty, int) = (value.ty, self.int());
                let infinite = |lower: &mut Self, sign: f64| {
                    let infinity = ExprKind::Float((sign * f64::INFINITY).to_bits());
                    let infinity = Expr {
                        kind: infinity,
                        ty,
                        origin: Origin::New,
                    };
                    lower.combine(BinaryOp::Eq, value.clone(), infinity, origin)
                };
                let (above, below) = (infinite(self, 1.0)?, infinite(self, -1.0)?);
                self.combine(BinaryOp::Sub, above, below, origin)
                    .map(|sign| Expr { ty: int, ..sign })?
            }
            ("prefetch", [address, ..]) => {
                self.effect(address)?;
                let int = self.int();
                return Ok(Some(Expr::int(0, int)));
            }
            (name, _) if name.starts_with("va_") => return Err("variable arguments".into()),
            _ => match self.constant(node) {
                Ok(value) => value,
                Err(_) => return Err(format!("the builtin function {name}")),
            },
        };
        value.origin = origin;
        Ok(Some(value))
    }

    fn prepare(&mut self, node: &Node<'tu>) -> Lowered<Prepared> {
        let [callee, arguments @ ..] = node.children.as_slice() else {
            return Err("a call without callee".into());
        };
        if node.cursor.argument_count() != Some(arguments.len()) {
            return Err("a call whose arguments libclang does not show".into());
        }
        let result = self.ty(node.cursor.ty())?;
        let function_node = callee.stripped();
        let direct = (function_node.kind == CXCursor_DeclRefExpr)
            .then(|| function_node.cursor.referenced())
            .flatten()
            .filter(|declaration| declaration.kind() == CXCursor_FunctionDecl);
        let (callee, function_type) = match direct {
            Some(declaration) if RETURNS_TWICE.contains(&declaration.spelling().as_str()) => {
                return Err(MAY_RETURN_TWICE.into());
            }
            Some(declaration) => {
                let function = self.function_reference(declaration)?;
                (
                    Callee::Function(function),
                    Some(self.functions[function.0 as usize].ty),
                )
            }
            None => {
                let pointer = self.rvalue(callee)?;
                let function_type = self.types.pointee(pointer.ty);
                (Callee::Pointer(pointer), function_type)
            }
        };
        let Some(Type::Function { parameters, .. }) = function_type.map(|ty| self.types.get(ty).clone())
        else {
            return Err("a call of something that is no function".into());
        };
        let mut lowered = Vec::with_capacity(arguments.len());
        for (number, argument) in arguments.iter().enumerate() {
            let value = self.rvalue(argument)?;
            lowered.push(match parameters.get(number) {
                Some(&ty) => self.convert(value, ty)?,
                None => value,
            });
        }
        if lowered.len() < parameters.len() {
            return Err("a call with fewer arguments than parameters".into());
        }
        Ok(Prepared {
            callee,
            arguments: lowered,
            result,
        })
    }
}

/// True for `popcount`, `clz`, `ctz`, `ffs` and `parity`, of `int`, `long` and `long long`.
fn counts_bits(builtin: &str) -> bool {
    let stem = builtin
        .strip_suffix("ll")
        .or(builtin.strip_suffix('l'))
        .unwrap_or(builtin);
    matches!(stem, "popcount" | "clz" | "ctz" | "ffs" | "parity")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_sorted() {
        assert!(LIBRARY.is_sorted());
        assert_eq!(library_name("__builtin_memcpy"), "memcpy");
        assert_eq!(library_name("__builtin_expect"), "__builtin_expect");
    }
}
