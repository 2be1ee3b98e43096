//! What is known only when a function is complete? Statement numbers in text order, and whose address is taken.

use ferry_ir::*;

/// Numbers the statements and marks the variables whose address is taken.
pub fn function(function: &mut Function) {
    let mut pass = Pass {
        next: 0,
        locals: &mut function.locals,
    };
    if let Some(body) = &mut function.body {
        pass.stmt(body);
    }
    function.statements = pass.next;
}

struct Pass<'a> {
    next: u32,
    locals: &'a mut [Local],
}

impl Pass<'_> {
    fn all(&mut self, statements: &mut [Stmt]) {
        for statement in statements {
            self.stmt(statement);
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        stmt.id = StmtId(self.next);
        self.next += 1;
        match &mut stmt.kind {
            StmtKind::Assign { place, value } => {
                self.place(place);
                self.expr(value);
            }
            StmtKind::Zero { place } => self.place(place),
            StmtKind::Call {
                result,
                callee,
                arguments,
            } => {
                if let Some(result) = result {
                    self.place(result);
                }
                if let Callee::Pointer(pointer) = callee {
                    self.expr(pointer);
                }
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            StmtKind::Block { body, .. } => self.all(body),
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.expr(condition);
                self.stmt(then);
                if let Some(otherwise) = otherwise {
                    self.stmt(otherwise);
                }
            }
            StmtKind::Loop(parts) => {
                self.all(&mut parts.init);
                if parts.kind == LoopKind::Do {
                    self.stmt(&mut parts.body);
                }
                self.all(&mut parts.before_test);
                if let Some(condition) = &parts.condition {
                    self.expr(condition);
                }
                self.all(&mut parts.step);
                if parts.kind != LoopKind::Do {
                    self.stmt(&mut parts.body);
                }
            }
            StmtKind::Switch { value, body } => {
                self.expr(value);
                self.stmt(body);
            }
            StmtKind::Return(Some(value)) => self.expr(value),
            StmtKind::Directive { body, .. } => {
                if let Some(body) = body {
                    self.stmt(body);
                }
            }
            StmtKind::Opaque { mentions, .. } => mentions.iter().for_each(|mention| self.mention(mention)),
            StmtKind::Declare { .. }
            | StmtKind::Case { .. }
            | StmtKind::Default
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Goto(_)
            | StmtKind::Label(_)
            | StmtKind::Empty => {}
        }
    }

    fn take_address(&mut self, place: &Place) {
        if let PlaceBase::Variable(VariableRef::Local(local)) = place.base
            && let Some(local) = self.locals.get_mut(local.0 as usize)
        {
            local.address_taken = true;
        }
    }

    fn place(&mut self, place: &Place) {
        place.for_each_child(&mut |child| self.expr(child));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::AddressOf(place) => self.take_address(place),
            ExprKind::Opaque { mentions, .. } => mentions.iter().for_each(|mention| self.mention(mention)),
            _ => {}
        }
        expr.for_each_child(&mut |child| self.expr(child));
    }

    /// What is not understood may take the address of what it mentions.
    fn mention(&mut self, mention: &Expr) {
        if let ExprKind::Load(place) = &mention.kind {
            self.take_address(place);
        }
        self.expr(mention);
    }
}
