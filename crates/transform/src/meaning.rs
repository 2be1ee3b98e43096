//! What are the directives of a data environment meant to say?
//!
//! Taken from what was decided (`environment`, `kernel`), not from the text that `emit` makes of it: the text is
//! compared with this after it has been read again. Nothing here belongs to the analysis any more, so that it may
//! leave the thread on which the function was analysed.

use crate::environment::{self, Environment, Mapping};
use crate::kernel::{self, Context, Kernel};
use crate::last_values::LastValues;
use crate::nested;
use crate::stepped;
use ferry_analysis::region;
use ferry_analysis::scalar::Variables;
use ferry_analysis::state::State;
use ferry_analysis::symbols::SymbolKind;
use ferry_directive::{Direction, Version};
use ferry_ir::{Type, VariableRef};
use ferry_source::Span;
use ferry_symbolic::{Condition, Expr, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// What the text of one environment must mean.
#[derive(Clone, Debug)]
pub struct Meaning {
    /// Name of the function.
    pub function: String,
    /// What holds where everything is evaluated.
    pub entry: Entry,
    /// What must hold for the kernels to run: the first parts of the condition.
    pub runs: Vec<Condition>,
    /// Pairs of byte ranges that must not overlap: the other parts.
    pub apart: Vec<Apart>,
    /// Values that must be in order, where all these hold.
    pub passes: Vec<PassMeaning>,
    /// The directive around all kernels.
    pub data: Option<Clauses>,
    /// The kernels' directives, in text order.
    pub kernels: Vec<KernelMeaning>,
    /// The updates between them.
    pub updates: Vec<UpdateMeaning>,
}

/// A kernel's directive, and what follows it.
#[derive(Clone, Debug)]
pub struct KernelMeaning {
    /// The clauses.
    pub clauses: Clauses,
    /// Variables that are set behind the loop.
    pub final_values: Vec<(VariableRef, Expr)>,
    /// What its last iteration leaves in variables that are used later.
    pub last: Option<LastValues>,
    /// Variables that each iteration sets first.
    pub stepped: Vec<(VariableRef, Expr)>,
    /// Variables that the loop's head sets no more.
    pub taken: Variables,
    /// Variables that each iteration sets first to 0.
    pub unset: Vec<VariableRef>,
    /// What holds where it does.
    pub inside: Option<Entry>,
    /// Elements that it reduces into.
    pub elements: Vec<ElementMeaning>,
    /// Scalars in the place of elements.
    pub scalars: Vec<ScalarMeaning>,
    /// Statements that are atomic updates, or writes, in the old text.
    pub atomics: BTreeMap<Span, &'static str>,
    /// What holds before the loop, if that is not where everything else is evaluated.
    pub before: Option<Entry>,
}

/// Elements that a kernel reduces into.
#[derive(Clone, Debug)]
pub struct ElementMeaning {
    /// The pointer that leads to them.
    pub pointer: VariableRef,
    /// The operator.
    pub op: &'static str,
    /// The subscript of the first.
    pub lower: Expr,
    /// How many there are.
    pub count: Expr,
}

/// A scalar that is loaded in front of a kernel, reduced by it, and stored behind it.
#[derive(Clone, Debug)]
pub struct ScalarMeaning {
    /// The operator.
    pub op: &'static str,
    /// The lvalues that it takes the place of, in the old text: all of one element.
    pub uses: BTreeSet<Span>,
}

/// What an `update` moves.
#[derive(Clone, Debug)]
pub struct UpdateMeaning {
    /// The element, in the old text.
    pub item: Span,
    /// The statement beside which it stands, in the old text.
    pub at: Span,
    /// Which way.
    pub direction: Direction,
}

/// The clauses of one directive.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    /// What is mapped.
    pub data: Vec<Mapped>,
    /// Private variables.
    pub private: BTreeSet<VariableRef>,
    /// Reduced variables, with the operator as it is spelled.
    pub reductions: BTreeMap<VariableRef, &'static str>,
    /// How many loops run together.
    pub collapse: usize,
}

/// One item of a data clause.
#[derive(Clone, Debug)]
pub struct Mapped {
    /// The variable.
    pub variable: VariableRef,
    /// The member of the structure that the variable is or points to.
    pub member: Option<u32>,
    /// It is a pointer that walks, and the item names the value that it had before.
    pub walks: bool,
    /// Which way it moves.
    pub direction: Direction,
    /// First element and number of elements of every dimension; none for a whole object.
    pub sections: Vec<(Expr, Expr)>,
}

/// Two ranges of bytes that must not overlap.
#[derive(Clone, Debug)]
pub struct Apart {
    /// One.
    pub first: Bytes,
    /// The other.
    pub second: Bytes,
    /// They may also begin at the same byte.
    pub or_equal: bool,
}

impl Apart {
    /// The symbols of its ends.
    pub fn symbols(&self) -> BTreeSet<Symbol> {
        let (a, b) = (&self.first, &self.second);
        let ends = [&a.low, &a.high, &b.low, &b.high];
        ends.into_iter().flat_map(Expr::symbols).collect()
    }
}

/// Values in memory that must be in order.
#[derive(Clone, Debug)]
pub struct PassMeaning {
    /// The address of the first.
    pub first: Expr,
    /// Bytes of each.
    pub size: u64,
    /// How many there are.
    pub count: Expr,
    /// Each must be greater than the one before it; else none may be less.
    pub strictly: bool,
}

/// A range of bytes, as addresses.
#[derive(Clone, Debug)]
pub struct Bytes {
    /// The first.
    pub low: Expr,
    /// Past the last.
    pub high: Expr,
}

/// What is known at one place of a function.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The values of variables that only their names can change.
    pub variables: BTreeMap<VariableRef, Expr>,
    /// The addresses of variables.
    pub addresses: BTreeMap<VariableRef, Symbol>,
    /// What may be read in memory: address, bytes, value.
    pub memory: Vec<(Expr, u64, Expr)>,
    /// Symbols that are the value of another one, because both were found at one place in memory.
    pub same: BTreeMap<Symbol, Symbol>,
    /// What each symbol can be.
    pub symbols: Vec<Values>,
    /// What holds.
    pub known: Vec<Condition>,
    /// Symbols that what holds divides by numbers, with these: few other values fulfil `n % 32 == 0`.
    pub divided: BTreeMap<Symbol, i128>,
}

/// The values that a symbol may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    /// One value in this build.
    One(i128),
    /// The integers of a type.
    Range(i128, i128),
    /// Addresses.
    Address,
}

/// What one environment is meant to say. `None` if that cannot be said: the size of an element is not known.
pub fn of(context: Context<'_>, environment: &Environment, version: Version) -> Option<Meaning> {
    let values = &context.facts.values;
    let state = environment::state_before(values, environment.at)?;
    let loads = crate::loads::allowed(context, environment, state);
    let mut entry = entry(context, state, &loads);
    if let Some(body) = &context.function.body {
        let computed = crate::heads::computed(context.unit, body, environment.at, &entry.variables);
        entry.known.extend(computed);
    }
    let mut apart = Vec::new();
    for (a, b) in &environment.disjoint {
        apart.push(Apart {
            first: bytes(context, a, state)?,
            second: bytes(context, b, state)?,
            or_equal: environment.equal.contains(&(a.root, b.root)),
        });
    }
    let mut passes = Vec::new();
    for pass in &environment.passes {
        let start = start_of(context, pass.root, &pass.base, state)?;
        let size = Expr::int(i128::from(pass.size));
        passes.push(PassMeaning {
            first: &start + &(&pass.section.lower * &size),
            size: pass.size,
            count: pass.section.length.clone(),
            strictly: pass.strictly,
        });
    }
    let alone = environment.single;
    let data = (!alone && !environment.mappings.is_empty()).then(|| Clauses {
        data: environment
            .mappings
            .iter()
            .map(|mapping| mapped(mapping, mapping.direction))
            .collect(),
        collapse: 1,
        ..Clauses::default()
    });
    let mut kernels = Vec::new();
    for kernel in &environment.kernels {
        let mut clauses = clauses(context, kernel, version);
        for mapping in &environment.mappings {
            if alone {
                clauses.data.push(mapped(mapping, mapping.direction));
            } else if mapping.named_in_kernels && kernel.bases.contains_key(&mapping.root) {
                clauses.data.push(mapped(mapping, Direction::Alloc));
            }
        }
        let before = &values.loops.get(kernel.index.0 as usize)?.before;
        let inside = !alone && !kernel.elements.is_empty();
        let behind = !kernel.final_values.is_empty() || kernel.last.is_some();
        let own = behind || !kernel.stepped.is_empty() || inside;
        let number = Expr::symbol(values.loops.get(kernel.index.0 as usize)?.counter);
        let stepped = kernel.stepped.iter();
        let stepped = stepped.map(|one| (one.variable, one.after(&number)));
        let state_inside = match kernel.stepped.is_empty() {
            true => None,
            false => Some(stepped::state_inside(context, kernel)?),
        };
        let mut elements = Vec::new();
        for (root, element) in &kernel.elements {
            let base = kernel.bases.get(root)?;
            let size = Expr::int(i128::from(element.size));
            let section = region::section(&element.hull(&base.shift), &size, &state.facts);
            elements.push(ElementMeaning {
                pointer: base.variable,
                op: element.op.spelling(),
                lower: section.lower,
                count: Expr::int(i128::from(element.count)),
            });
        }
        kernels.push(KernelMeaning {
            clauses,
            final_values: kernel.final_values.clone(),
            last: kernel.last.clone(),
            stepped: stepped.collect(),
            taken: kernel
                .head
                .iter()
                .flat_map(|head| head.others.iter().copied())
                .collect(),
            unset: kernel.unset.clone(),
            inside: state_inside.map(|state| self::entry(context, &state, &BTreeSet::new())),
            elements,
            scalars: kernel
                .promoted
                .iter()
                .map(|one| ScalarMeaning {
                    op: one.op.spelling(),
                    uses: one.uses.clone(),
                })
                .collect(),
            atomics: kernel
                .atomics
                .iter()
                .map(|one| (one.span, if one.is_write() { "write" } else { "update" }))
                .collect(),
            before: own.then(|| self::entry(context, before, &loads)),
        });
    }
    let updates = environment.updates.iter().map(|update| UpdateMeaning {
        item: update.item,
        at: update.at,
        direction: update.direction,
    });
    Some(Meaning {
        function: context.function.name.clone(),
        entry,
        runs: environment.runs.iter().flat_map(Condition::conjuncts).collect(),
        apart,
        passes,
        data,
        kernels,
        updates: updates.collect(),
    })
}

fn clauses(context: Context<'_>, kernel: &Kernel, version: Version) -> Clauses {
    let own = kernel::collapsed_variables(context, kernel, version);
    let mut clauses = Clauses {
        collapse: kernel::collapsed(context, kernel, version),
        ..Clauses::default()
    };
    for variable in &kernel.private {
        if !own.contains(variable) && !kernel::is_temporary(context, *variable) {
            clauses.private.insert(*variable);
        }
    }
    for (variable, op) in kernel.operations() {
        clauses.reductions.insert(variable, op.spelling());
    }
    let scalar = |variable: &VariableRef, direction: Direction| Mapped {
        variable: *variable,
        member: None,
        walks: false,
        direction,
        sections: Vec::new(),
    };
    // The host's value of a reduced variable, or of one that is set, is the start, and gets the result.
    let reduced = kernel.results.keys();
    clauses
        .data
        .extend(reduced.map(|variable| scalar(variable, Direction::ToFrom)));
    let linked = kernel.scalars.iter();
    clauses
        .data
        .extend(linked.map(|variable| scalar(variable, Direction::To)));
    clauses
}

fn mapped(mapping: &Mapping, direction: Direction) -> Mapped {
    let outer = mapping
        .section
        .as_ref()
        .map(|section| (section.lower.clone(), section.length.clone()));
    let inner = outer
        .is_some()
        .then(|| mapping.inner.iter().map(|extent| (Expr::zero(), extent.clone())));
    Mapped {
        variable: mapping.base.variable,
        member: mapping.base.member.as_ref().map(|member| member.field),
        walks: mapping.base.walks,
        direction,
        sections: outer.into_iter().chain(inner.into_iter().flatten()).collect(),
    }
}

/// Where storage begins that a base names, or where its pointer points.
fn start_of(context: Context<'_>, root: Symbol, base: &kernel::Base, state: &State) -> Option<Expr> {
    Some(if base.member.is_some() {
        &Expr::symbol(root) + &base.shift
    } else if base.pointer {
        kernel::value_before(context, state, base.variable)?
    } else {
        Expr::symbol(*context.facts.values.addresses.get(&base.variable)?)
    })
}

/// The bytes that a mapping holds on the device.
fn bytes(context: Context<'_>, mapping: &Mapping, state: &State) -> Option<Bytes> {
    let types = &context.unit.types;
    let ty = nested::type_of_base(context, &mapping.base);
    let element = match types.get(ty) {
        Type::Pointer(to) => Some(*to),
        Type::Array { element, .. } => Some(*element),
        _ => None,
    };
    let start = start_of(context, mapping.root, &mapping.base, state)?;
    let Some(section) = &mapping.section else {
        let size = Expr::int(i128::from(types.size(ty)?));
        return Some(Bytes {
            high: &start + &size,
            low: start,
        });
    };
    let size = environment::size_of(context, element?, state)?;
    let low = &start + &(&section.lower * &size);
    Some(Bytes {
        high: &low + &(&section.length * &size),
        low,
    })
}

fn entry(context: Context<'_>, state: &State, loads: &BTreeSet<Symbol>) -> Entry {
    let values = &context.facts.values;
    let cells = state.cells.iter();
    let mut memory: Vec<(Expr, u64, Expr)> = cells
        .map(|(cell, value)| (cell.address.clone(), cell.size, value.clone()))
        .collect();
    let mut same = BTreeMap::new();
    for symbol in loads {
        if let SymbolKind::Loaded { address, size } = &values.symbols.info(*symbol).kind {
            let found = |(at, bytes, _): &&(Expr, u64, Expr)| at == address && bytes == size;
            match memory.iter().find(found).map(|(_, _, value)| value.as_symbol()) {
                Some(Some(first)) => drop(same.insert(*symbol, first)),
                _ => memory.push((address.clone(), *size, Expr::symbol(*symbol))),
            }
        }
    }
    let types = &context.unit.types;
    let symbols = values.symbols.iter().map(|info| match (&info.kind, info.ty) {
        (SymbolKind::Named { value, .. }, _) => Values::One(*value),
        (SymbolKind::Address(_) | SymbolKind::Allocated(_) | SymbolKind::Elsewhere(_), _) => Values::Address,
        (_, Some(ty)) => match *types.get(ty) {
            Type::Pointer(_) => Values::Address,
            Type::Bool => Values::Range(0, 1),
            Type::Int { bits, signed } => range(bits, signed),
            _ => range(64, true),
        },
        (_, None) => range(64, true),
    });
    let known: Vec<Condition> = state
        .facts
        .conditions()
        .into_iter()
        .map(|(condition, _)| condition)
        // What is tested need not hold where it is tested.
        .filter(|condition| !values.taken.contains(condition))
        .collect();
    let mut symbols: Vec<Values> = symbols.collect();
    for (symbol, value) in known.iter().filter_map(crate::sample::only_value) {
        if let Some(values) = symbols.get_mut(symbol.0 as usize) {
            *values = Values::One(value);
        }
    }
    Entry {
        divided: crate::sample::divided(&known),
        variables: (*state.variables).clone(),
        addresses: values.addresses.clone(),
        memory,
        same,
        symbols,
        known,
    }
}

/// The least and the greatest value of an integer type, as far as 64 bits go.
fn range(bits: u16, signed: bool) -> Values {
    let bits = u32::from(bits.clamp(1, 64));
    match signed {
        true => Values::Range(-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => Values::Range(0, (1i128 << bits) - 1),
    }
}
