//! Which variables, labels, functions and types of two programs correspond?

use super::{Comparison, Difference, Equal};
use crate::{
    ExprKind, FunctionRef, Global, GlobalId, LabelId, Length, LocalId, RecordId, Type, TypeId, VariableKind,
    VariableRef,
};

impl Comparison<'_> {
    /// Two variables.
    ///
    /// # Errors
    /// If they do not correspond.
    pub fn variable(&mut self, a: VariableRef, b: VariableRef) -> Equal {
        match (a, b) {
            (VariableRef::Local(a), VariableRef::Local(b)) => self.local(a, b),
            (VariableRef::Global(a), VariableRef::Global(b)) => self.global(a, b),
            _ => self.differ("a local and a global variable"),
        }
    }

    /// The variable of the first program that a variable of the second is known to be.
    pub fn first_of(&self, second: VariableRef) -> Option<VariableRef> {
        match second {
            VariableRef::Local(id) => self.locals.back.get(&id).copied().map(VariableRef::Local),
            VariableRef::Global(id) => self.globals.back.get(&id).copied().map(VariableRef::Global),
        }
    }

    pub(super) fn local(&mut self, a: LocalId, b: LocalId) -> Equal {
        if let Some(same) = self.locals.get(a, b) {
            return self.demand(same, "different variables");
        }
        let [first, second] = self.functions;
        let local = |function: Option<&'_ crate::Function>, id: LocalId| {
            function
                .and_then(|function| function.locals.get(id.0 as usize))
                .cloned()
        };
        let (Some(first), Some(second)) = (local(first, a), local(second, b)) else {
            return self.differ("a variable that does not exist");
        };
        // No text gives names like `%literal3`: they have the variable's number.
        let made = first.kind.is_made() || first.name.starts_with('%') && second.name.starts_with('%');
        let same = first.kind == second.kind
            && first.qualifiers == second.qualifiers
            && first.address_taken == second.address_taken
            && (made || first.name == second.name);
        if !same {
            return self.differ(format!("variables `{}` and `{}`", first.name, second.name));
        }
        self.locals.add(a, b);
        self.inside(first.origin, second.origin, |comparison| {
            comparison.same_type(first.ty, second.ty)
        })
    }

    pub(super) fn label(&mut self, a: LabelId, b: LabelId) -> Equal {
        if let Some(same) = self.labels.get(a, b) {
            return self.demand(same, "different labels");
        }
        let name = |which: usize, label: LabelId| self.functions[which]?.labels.get(label.0 as usize);
        let same = name(0, a).is_some() && name(0, a) == name(1, b);
        self.demand(same, "labels of different names")?;
        self.labels.add(a, b);
        Ok(())
    }

    pub(super) fn function_name(&mut self, a: FunctionRef, b: FunctionRef) -> Equal {
        let get = |which: usize, function: FunctionRef| self.units[which].functions.get(function.0 as usize);
        let (Some(a), Some(b)) = (get(0, a), get(1, b)) else {
            return self.differ("a function that does not exist");
        };
        if a.name != b.name || a.linkage != b.linkage || a.noreturn != b.noreturn || a.pure != b.pure {
            return self.differ(format!("functions `{}` and `{}`", a.name, b.name));
        }
        self.same_type(a.ty, b.ty)
    }

    pub(super) fn global(&mut self, a: GlobalId, b: GlobalId) -> Equal {
        if let Some(same) = self.globals.get(a, b) {
            return self.demand(same, "different variables");
        }
        let [first, second] = self.units;
        let (Some(first), Some(second)) = (first.globals.get(a.0 as usize), second.globals.get(b.0 as usize))
        else {
            return self.differ("a variable that does not exist");
        };
        let inside = |which: usize, global: &Global| {
            let function = self.units[which].functions.get(global.inside?.0 as usize);
            function.map(|function| function.name.clone())
        };
        let same = first.string_literal == second.string_literal
            && (first.string_literal || first.name == second.name)
            && (first.linkage, first.qualifiers, first.thread_local, first.renamed)
                == (
                    second.linkage,
                    second.qualifiers,
                    second.thread_local,
                    second.renamed,
                )
            && inside(0, first) == inside(1, second);
        if !same {
            return self.differ(format!("variables `{}` and `{}`", first.name, second.name));
        }
        self.globals.add(a, b);
        self.same_type(first.ty, second.ty)?;
        self.demand(
            first.initial.len() == second.initial.len(),
            "variables with different initial values",
        )?;
        for ((place, value), (other_place, other)) in first.initial.iter().zip(&second.initial) {
            // The name of another global in an initial value may lead back here.
            if !matches!((&value.kind, &other.kind), (ExprKind::Int(a), ExprKind::Int(b)) if a == b) {
                self.expression(value, other)?;
            }
            self.place(place, other_place)?;
        }
        Ok(())
    }

    /// The globals that are defined, by their names.
    pub(super) fn globals(&mut self) -> Equal {
        let counts = |global: &&Global| global.defined && !global.string_literal;
        let [first, second] = self.units;
        let inside = |which: usize, global: &Global| {
            let function = self.units[which].functions.get(global.inside?.0 as usize);
            function.map(|function| function.name.as_str())
        };
        let mut taken = std::collections::HashSet::new();
        let mut pairs = Vec::new();
        for (number, global) in first
            .globals
            .iter()
            .enumerate()
            .filter(|(_, global)| counts(global))
        {
            let other = second.globals.iter().enumerate().position(|(at, other)| {
                counts(&other)
                    && other.name == global.name
                    && inside(0, global) == inside(1, other)
                    && !taken.contains(&at)
            });
            let Some(other) = other else {
                let what = format!("`{}` is missing", global.name);
                return Err(Difference {
                    what,
                    first: global.origin,
                    second: ferry_source::Origin::New,
                });
            };
            taken.insert(other);
            pairs.push((number, other));
        }
        if second.globals.iter().filter(counts).count() != pairs.len() {
            return self.differ("there are more variables in the second program");
        }
        for (a, b) in pairs {
            let origins = (first.globals[a].origin, second.globals[b].origin);
            let (a, b) = (GlobalId(a as u32), GlobalId(b as u32));
            self.inside(origins.0, origins.1, |comparison| comparison.global(a, b))?;
        }
        Ok(())
    }

    pub(super) fn same_type(&mut self, a: TypeId, b: TypeId) -> Equal {
        if self.types_equal(a, b) {
            return Ok(());
        }
        let name = |which: usize, ty| crate::print_type(self.units[which], self.functions[which], ty);
        self.differ(format!("types {} and {}", name(0, a), name(1, b)))
    }

    /// Types are equal by structure; records that contain pointers to themselves are taken to be equal while they are compared.
    fn types_equal(&mut self, a: TypeId, b: TypeId) -> bool {
        if let Some(known) = self.types.get(&(a, b)) {
            return *known;
        }
        self.types.insert((a, b), true);
        let [first, second] = self.units;
        let equal = match (first.types.try_get(a), second.types.try_get(b)) {
            (Some(Type::Pointer(a)), Some(Type::Pointer(b))) => self.types_equal(*a, *b),
            (
                Some(Type::Array {
                    element: a,
                    length: length_a,
                }),
                Some(Type::Array {
                    element: b,
                    length: length_b,
                }),
            ) => {
                let lengths = match (length_a, length_b) {
                    (Length::Variable(a), Length::Variable(b)) => self.lengths_equal(*a, *b),
                    _ => length_a == length_b,
                };
                lengths && self.types_equal(*a, *b)
            }
            (Some(Type::Record(a)), Some(Type::Record(b))) => self.records_equal(*a, *b),
            (
                Some(Type::Function {
                    result: a,
                    parameters: parameters_a,
                    variadic: variadic_a,
                }),
                Some(Type::Function {
                    result: b,
                    parameters: parameters_b,
                    variadic: variadic_b,
                }),
            ) => {
                variadic_a == variadic_b
                    && parameters_a.len() == parameters_b.len()
                    && self.types_equal(*a, *b)
                    && parameters_a
                        .iter()
                        .zip(parameters_b)
                        .all(|(a, b)| self.types_equal(*a, *b))
            }
            (Some(a), Some(b)) => a == b,
            _ => false,
        };
        self.types.insert((a, b), equal);
        equal
    }

    /// Extents of the functions that are compared correspond like all variables; in types of other functions
    /// and of globals there is nothing to compare them by but that they are extents.
    fn lengths_equal(&mut self, a: LocalId, b: LocalId) -> bool {
        let is_extent = |which: usize, id: LocalId| {
            self.functions[which]
                .and_then(|function| function.locals.get(id.0 as usize))
                .is_some_and(|local| local.kind == VariableKind::Extent)
        };
        match (is_extent(0, a), is_extent(1, b)) {
            (true, true) => self.local(a, b).is_ok(),
            (false, false) => true,
            _ => false,
        }
    }

    fn records_equal(&mut self, a: RecordId, b: RecordId) -> bool {
        let [first, second] = self.units;
        let (Some(a), Some(b)) = (first.types.try_record(a), second.types.try_record(b)) else {
            return false;
        };
        let head = |record: &crate::Record| (record.union, record.size, record.align, record.complete);
        a.name == b.name
            && head(a) == head(b)
            && a.fields.len() == b.fields.len()
            && a.fields.iter().zip(&b.fields).all(|(a, b)| {
                (&a.name, a.offset_bits, a.width, a.volatile) == (&b.name, b.offset_bits, b.width, b.volatile)
                    && self.types_equal(a.ty, b.ty)
            })
    }
}
