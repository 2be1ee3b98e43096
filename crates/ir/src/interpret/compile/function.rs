//! One function: homes of its locals, how its parameters arrive, its body.

use super::*;
use crate::{FunctionRef, LocalId, Stmt, StmtKind, VariableRef};

/// Compiles one function that has a body.
pub(super) fn compile(
    linked: &Linked<'_>,
    tables: &mut Tables,
    unit_number: u32,
    reference: FunctionRef,
    observe: bool,
    wrapping: bool,
) -> Code {
    let unit = &linked.units[unit_number as usize];
    let function = unit.function(reference);
    let mut compiler = Compiler::new(linked, tables, unit_number, Some((reference, function)));
    compiler.observe = observe;
    compiler.wrapping = wrapping || unit.dialect.wrapping;
    compiler.origin = function.origin;
    compiler.set_site(function.origin);
    compiler.body(reference, function);
    compiler.code
}

impl<'a> Compiler<'a> {
    fn new(
        linked: &'a Linked<'a>,
        tables: &'a mut Tables,
        unit_number: u32,
        function: Option<(FunctionRef, &'a Function)>,
    ) -> Compiler<'a> {
        Compiler {
            linked,
            tables,
            unit_number,
            unit: &linked.units[unit_number as usize],
            function,
            observe: false,
            wrapping: false,
            code: Code::default(),
            homes: Vec::new(),
            constants: HashMap::new(),
            constant_base: 0,
            next_register: 0,
            labels: Vec::new(),
            statement: StmtId(0),
            origin: Origin::New,
            site: 0,
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            loops: Vec::new(),
            gotos: HashMap::new(),
            label_loops: HashMap::new(),
        }
    }

    /// Code that stores the initial values of one unit's globals.
    pub(super) fn initial_values(linked: &Linked<'_>, tables: &mut Tables, unit_number: u32) -> Code {
        let mut compiler = Compiler::new(linked, tables, unit_number, None);
        compiler.set_site(Origin::New);
        compiler.next_register = CONSTANTS;
        compiler.code.registers = CONSTANTS;
        let unit = compiler.unit;
        for (number, global) in unit.globals.iter().enumerate() {
            let address = linked.globals[unit_number as usize][number];
            // Of several tentative definitions, the one that was chosen has the values.
            if address == 0 || !global.defined {
                continue;
            }
            for (place, value) in &global.initial {
                compiler.set_site(value.origin);
                compiler.assign(place, value);
                compiler.next_register = CONSTANTS;
            }
        }
        compiler.emit(Op::Return);
        compiler.finish(Vec::new());
        compiler.code
    }

    fn body(&mut self, reference: FunctionRef, function: &'a Function) {
        let unit = self.unit;
        let memory = if self.observe {
            vec![true; function.locals.len()]
        } else {
            let scalar = |local: LocalId| scalar_of(unit, function.local(local).ty).is_some();
            homes::in_memory(function, &scalar)
        };
        for (local, in_memory) in function.locals.iter().zip(memory) {
            let home = match self.scalar(local.ty) {
                Some(kind) if !in_memory => Home::Register(self.temporary(kind.registers()), kind),
                _ => {
                    let slot = self.temporary(1);
                    self.code.slots.push(slot);
                    Home::Memory(slot)
                }
            };
            self.homes.push(home);
            self.code.homes.push(match home {
                Home::Memory(slot) => slot,
                Home::Register(..) => Reg::MAX,
            });
        }
        self.constant_base = self.temporary(CONSTANTS);
        self.code.variadic = matches!(unit.types.get(function.ty), Type::Function { variadic: true, .. });
        for number in 0..(function.parameters as usize).min(function.locals.len()) {
            let local = &function.locals[number];
            let object = self.local_object(reference, number);
            let parameter = match (self.homes[number], self.scalar(local.ty)) {
                (Home::Register(register, kind), _) => Parameter::Register { register, kind },
                (Home::Memory(slot), Some(kind)) => Parameter::Memory {
                    slot,
                    kind,
                    local: object,
                },
                (Home::Memory(slot), None) => {
                    let size = unit.types.size(local.ty).unwrap_or(0);
                    Parameter::Record {
                        slot,
                        size,
                        local: object,
                    }
                }
            };
            self.code.parameters.push(parameter);
        }
        let Some(body) = &function.body else { return };
        let mut survey = Survey::default();
        survey.visit(body, &mut Vec::new());
        for (label, loops) in survey.labels {
            let number = self.new_label();
            self.gotos.insert(label, number);
            let loops = loops
                .iter()
                .map(|&statement| self.loop_number(statement))
                .collect();
            self.label_loops.insert(label, loops);
        }
        // Jumps may enter a scope behind its declarations: then its objects exist from the start.
        let jumps = !self.gotos.is_empty() || survey.switches;
        let mut early = Vec::new();
        for number in function.parameters as usize..function.locals.len() {
            let constant_size = unit.types.size(function.locals[number].ty).is_some();
            if matches!(self.homes[number], Home::Memory(_))
                && constant_size
                && (jumps || !survey.declared.contains(&(number as u32)))
            {
                early.push(LocalId(number as u32));
            }
        }
        self.stmt(body);
        self.emit(Op::Return);
        let end = self.code.ops.len();
        for local in early {
            self.declare(local);
        }
        let prologue = self.code.ops.split_off(end);
        self.code.sites.truncate(end);
        self.finish(prologue);
    }

    pub(super) fn local_object(&mut self, function: FunctionRef, number: usize) -> u32 {
        let object = Object::Local(self.unit_number, function, LocalId(number as u32));
        let locals = &mut self.tables.program.locals;
        *self.tables.locals.entry(object).or_insert_with(|| {
            locals.push(object);
            (locals.len() - 1) as u32
        })
    }

    /// Begins the life of a local.
    pub(super) fn declare(&mut self, local: LocalId) {
        let Some((reference, function)) = self.function else {
            return;
        };
        let (Some(Home::Memory(slot)), Some(variable)) = (
            self.homes.get(local.0 as usize).copied(),
            function.locals.get(local.0 as usize),
        ) else {
            return;
        };
        let mark = self.next_register;
        match self.size(variable.ty) {
            Some(size) => {
                let size = self.size_register(size);
                let local = self.local_object(reference, local.0 as usize);
                self.emit(Op::Declare { slot, size, local });
            }
            None => self.trap(format!("the size of {} is not known", variable.name)),
        }
        self.next_register = mark;
    }

    pub(super) fn loop_number(&mut self, statement: StmtId) -> u32 {
        let function = self.function.map_or(FunctionRef(0), |(number, _)| number);
        let key = LoopKey {
            unit: self.unit_number,
            function,
            statement,
        };
        let loops = &mut self.tables.program.loops;
        *self.tables.loops.entry(key).or_insert_with(|| {
            loops.push(key);
            (loops.len() - 1) as u32
        })
    }

    /// True if a variable reference is a local that lives in a register.
    pub(super) fn register_home(&self, variable: VariableRef) -> Option<(Reg, Scalar)> {
        match variable {
            VariableRef::Local(local) => match self.homes.get(local.0 as usize)? {
                Home::Register(register, kind) => Some((*register, *kind)),
                Home::Memory(_) => None,
            },
            VariableRef::Global(_) => None,
        }
    }
}

/// What must be known before a body is compiled.
#[derive(Default)]
struct Survey {
    labels: Vec<(crate::LabelId, Vec<StmtId>)>,
    declared: std::collections::HashSet<u32>,
    switches: bool,
}

impl Survey {
    fn visit(&mut self, stmt: &Stmt, loops: &mut Vec<StmtId>) {
        match &stmt.kind {
            StmtKind::Label(label) => self.labels.push((*label, loops.clone())),
            StmtKind::Declare { local } => {
                self.declared.insert(local.0);
            }
            StmtKind::Block { body, .. } => body.iter().for_each(|stmt| self.visit(stmt, loops)),
            StmtKind::If { then, otherwise, .. } => {
                self.visit(then, loops);
                if let Some(otherwise) = otherwise {
                    self.visit(otherwise, loops);
                }
            }
            StmtKind::Loop(looped) => {
                looped.init.iter().for_each(|stmt| self.visit(stmt, loops));
                loops.push(stmt.id);
                looped.before_test.iter().for_each(|stmt| self.visit(stmt, loops));
                self.visit(&looped.body, loops);
                looped.step.iter().for_each(|stmt| self.visit(stmt, loops));
                loops.pop();
            }
            StmtKind::Switch { body, .. } => {
                self.switches = true;
                self.visit(body, loops);
            }
            StmtKind::Directive { body: Some(body), .. } => self.visit(body, loops),
            _ => {}
        }
    }
}
