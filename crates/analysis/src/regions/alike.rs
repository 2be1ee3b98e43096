//! Was the same asked of another object, or in another copy of the statement?
//!
//! A kernel often treats arrays in pairs (real and imaginary parts), and functions are walked at each of their calls: whether the values from before are needed is asked anew of each
//! object in each copy. All that the answer rests on is written down here, with the symbols numbered in the order in which they came up. Where that is the same, so is the
//! answer: nothing in the computation goes by the number of a symbol but its place among the others.
//!
//! What it cannot do: statements that call or jump, and objects that are not variables of the file: of them nothing is written down, and each question is answered by itself.

use super::Context;
use super::view::View;
use crate::access::Access;
use crate::alias::may_overlap;
use crate::symbols::SymbolKind;
use ferry_ir::{Loop, LoopKind, Stmt, StmtId, StmtKind, VariableRef};
use ferry_symbolic::{Condition, Expr, Facts, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// All that an answer rests on.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) struct Form(Vec<Item>);

/// A piece of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Item {
    Is(&'static str),
    Number(u64),
    Value(Expr),
    Holds(Condition),
}

impl Context<'_> {
    /// All on which it rests what a statement needs of an object; `None` if that is not written down.
    pub(super) fn form(&self, stmt: &Stmt, root: Symbol) -> Option<Form> {
        let kind = &self.values.symbols.info(root).kind;
        if !matches!(kind, SymbolKind::Address(VariableRef::Global(_))) || self.blocked.is_some() {
            return None;
        }
        let mut writer = Writer {
            context: self,
            root,
            items: vec![Item::Number(self.wanted as u64), Item::Value(Expr::symbol(root))],
            loops: Vec::new(),
            facts: Vec::new(),
        };
        writer.view(self.views.get(&root)?);
        writer.statement(stmt)?;
        let symbols = writer.symbols(stmt.id)?;
        Some(Form(numbered(writer.items, &symbols)))
    }
}

/// The same with each symbol as its place among all of them.
fn numbered(items: Vec<Item>, symbols: &BTreeSet<Symbol>) -> Vec<Item> {
    let places: BTreeMap<Symbol, Symbol> = symbols.iter().copied().zip((0..).map(Symbol)).collect();
    let place = |symbol: Symbol| places.get(&symbol).map(|place| Expr::symbol(*place));
    let renamed = |item| match item {
        Item::Value(value) => Item::Value(value.substitute_all(&place)),
        Item::Holds(condition) => Item::Holds(condition.substitute_all(&place)),
        other => other,
    };
    items.into_iter().map(renamed).collect()
}

struct Writer<'a> {
    context: &'a Context<'a>,
    root: Symbol,
    items: Vec<Item>,
    /// The loops that were met, in the order in which they were.
    loops: Vec<StmtId>,
    /// What is known at accesses, the same once.
    facts: Vec<&'a Facts>,
}

impl<'a> Writer<'a> {
    fn is(&mut self, what: &'static str) {
        self.items.push(Item::Is(what));
    }

    fn number(&mut self, number: u64) {
        self.items.push(Item::Number(number));
    }

    fn value(&mut self, value: &Expr) {
        self.items.push(Item::Value(value.clone()));
    }

    fn perhaps(&mut self, value: Option<&Expr>) {
        match value {
            Some(value) => self.value(value),
            None => self.is("unknown"),
        }
    }

    fn holds(&mut self, condition: Option<&Condition>) {
        match condition {
            Some(condition) => self.items.push(Item::Holds(condition.clone())),
            None => self.is("unknown"),
        }
    }

    fn view(&mut self, view: &View) {
        self.value(&view.origin);
        for stride in &view.strides {
            self.is("stride");
            self.value(stride);
        }
        for extent in &view.extents {
            self.is("extent");
            self.perhaps(extent.as_ref());
        }
        if let Some((first, count)) = view.part {
            self.is("part");
            self.number(first);
            self.number(count);
        }
        self.is("element");
        let flags = u64::from(view.bytes) + 2 * u64::from(view.declared);
        self.number(flags);
        self.number(view.element);
    }

    /// `None` for statements of which nothing is written down.
    fn statement(&mut self, stmt: &'a Stmt) -> Option<()> {
        if self.context.is_beside(stmt) {
            return Some(());
        }
        match &stmt.kind {
            StmtKind::Block { body, .. } => {
                self.is("block");
                self.statements(body)?;
                self.is("end");
            }
            StmtKind::If { then, otherwise, .. } => {
                self.is("if");
                self.outcomes(stmt.id);
                self.own(stmt.id)?;
                self.statement(then)?;
                self.is("else");
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise)?;
                }
                self.is("end");
            }
            StmtKind::Loop(inner) => self.loop_statement(stmt.id, inner)?,
            StmtKind::Directive { body, .. } => {
                self.is("directive");
                self.own(stmt.id)?;
                if let Some(body) = body {
                    self.statement(body)?;
                }
                self.is("end");
            }
            StmtKind::Assign { .. } | StmtKind::Zero { .. } | StmtKind::Declare { .. } | StmtKind::Empty => {
                self.is("own");
                self.own(stmt.id)?;
            }
            _ => return None,
        }
        Some(())
    }

    fn statements(&mut self, body: &'a [Stmt]) -> Option<()> {
        body.iter().try_for_each(|stmt| self.statement(stmt))
    }

    fn loop_statement(&mut self, stmt: StmtId, inner: &'a Loop) -> Option<()> {
        self.is("loop");
        let flags = u64::from(inner.kind == LoopKind::Do) + 2 * u64::from(inner.condition.is_none());
        self.number(flags);
        self.outcomes(stmt);
        self.statements(&inner.init)?;
        self.is("before the test");
        self.statements(&inner.before_test)?;
        self.own(stmt)?;
        self.is("body");
        self.statement(&inner.body)?;
        self.is("step");
        self.statements(&inner.step)?;
        let values = self.context.values;
        if let Some(of) = values.loops.iter().find(|of| of.stmt == stmt) {
            self.meet(stmt);
            self.value(&Expr::symbol(of.counter));
            self.perhaps(of.trip.as_ref().ok());
            self.number(u64::from(of.section));
            for open in &of.open {
                self.is("open");
                self.value(&open.value);
                self.value(&open.start);
                self.perhaps(open.next.as_ref());
                for fact in &open.facts {
                    self.is("fact");
                    self.value(fact);
                }
            }
        }
        self.is("end");
        Some(())
    }

    fn meet(&mut self, stmt: StmtId) {
        if !self.loops.contains(&stmt) {
            self.loops.push(stmt);
        }
    }

    /// How a condition may come out.
    fn outcomes(&mut self, stmt: StmtId) {
        match self.context.conditions_of(stmt) {
            Some(outcomes) => {
                self.holds(outcomes.when_true.as_ref());
                self.holds(outcomes.when_false.as_ref());
                self.number(u64::from(outcomes.exact));
            }
            None => self.is("no outcomes"),
        }
    }

    /// The accesses of a statement itself.
    fn own(&mut self, stmt: StmtId) -> Option<()> {
        if self.context.own_effects.contains_key(&stmt) {
            return None;
        }
        let numbers = self.context.own_accesses.get(&stmt);
        for number in numbers.into_iter().flatten() {
            self.access(self.context.values.accesses.get(*number)?)?;
        }
        Some(())
    }

    fn access(&mut self, access: &'a Access) -> Option<()> {
        let is_usual = access.root == Some(self.root)
            && access.choice.is_none()
            && access.summary.is_none()
            && access.extent.is_none();
        if !is_usual {
            return None;
        }
        self.is(if access.is_write() { "write" } else { "read" });
        self.value(access.address.as_ref()?);
        self.number(access.size);
        self.number(u64::from(access.partial));
        self.number(u64::from(access.ty.0));
        for subscript in &access.subscripts {
            self.is("subscript");
            let all = [&subscript.index, &subscript.extent, &subscript.stride];
            all.into_iter().for_each(|one| self.perhaps(one.as_ref()));
        }
        for guard in access.guards.get(access.guards_outside..)? {
            self.is("guard");
            self.holds(guard.condition.as_ref());
            self.number(u64::from(guard.exact));
        }
        for index in &access.loops {
            let of = self.context.values.loops.get(index.0 as usize)?;
            self.is("in");
            self.meet(of.stmt);
            self.value(&Expr::symbol(of.counter));
        }
        let alike = self.facts.iter().position(|known| known.is_same(&access.facts));
        let place = alike.unwrap_or_else(|| {
            self.facts.push(&access.facts);
            self.facts.len() - 1
        });
        self.number(place as u64);
        Some(())
    }

    /// Writes down what is known of the symbols, of those that this mentions, and of all that facts link to them; gives them.
    fn symbols(&mut self, stmt: StmtId) -> Option<BTreeSet<Symbol>> {
        let values = self.context.values;
        let mut found: BTreeSet<Symbol> = BTreeSet::new();
        for item in &self.items {
            match item {
                Item::Value(value) => found.extend(value.symbols()),
                Item::Holds(condition) => found.extend(condition.symbols()),
                Item::Is(_) | Item::Number(_) => {}
            }
        }
        let conditions = |facts: &&Facts| -> Vec<(Condition, BTreeSet<Symbol>)> {
            let all = facts.conditions().into_iter().map(|(condition, _)| condition);
            all.map(|condition| {
                let symbols = condition.symbols();
                (condition, symbols)
            })
            .collect()
        };
        let known: Vec<_> = self.facts.iter().map(conditions).collect();
        loop {
            let before = found.len();
            for (_, symbols) in known.iter().flatten() {
                if !symbols.is_disjoint(&found) {
                    found.extend(symbols);
                }
            }
            for symbol in found.clone() {
                if symbol.0 as usize >= values.symbols.len() {
                    return None;
                }
                if let SymbolKind::Loaded { address, .. } = &values.symbols.info(symbol).kind {
                    found.extend(address.symbols());
                }
                found.extend(
                    values
                        .definitions
                        .get(&symbol)
                        .into_iter()
                        .flat_map(Expr::symbols),
                );
            }
            if found.len() == before {
                break;
            }
        }
        for facts in known {
            self.is("facts");
            for (condition, symbols) in facts {
                // What holds of no value at all says that all of it never happens.
                if symbols.is_empty() {
                    return None;
                }
                if !symbols.is_disjoint(&found) {
                    self.holds(Some(&condition));
                }
            }
        }
        for symbol in &found {
            self.symbol(*symbol)?;
        }
        // What came up before the statement is known before it.
        match values.first_symbols.get(&stmt) {
            Some(first) => self.number(found.range(..Symbol(*first)).count() as u64),
            None => self.is("no first symbol"),
        }
        Some(found)
    }

    fn symbol(&mut self, symbol: Symbol) -> Option<()> {
        let values = self.context.values;
        let info = values.symbols.info(symbol);
        match &info.kind {
            SymbolKind::Counter(of) => {
                self.is("counter");
                let place = self.loops.iter().position(|own| own == of);
                self.number(place.map_or(u64::MAX, |place| place as u64));
            }
            SymbolKind::Loaded { address, size } => {
                // It may be written here: whether it is would have to be known, too.
                let reach = self.context.reach();
                let is_root = |own: &Symbol| *own == self.root || may_overlap(&reach, *own, self.root);
                if self.context.storage_of(address).iter().any(is_root) {
                    return None;
                }
                self.is("loaded");
                self.value(address);
                self.number(*size);
            }
            SymbolKind::Named { .. } | SymbolKind::Address(_) | SymbolKind::Entry(_) => self.is("given"),
            _ => self.is("made"),
        }
        self.number(info.ty.map_or(u64::MAX, |ty| u64::from(ty.0)));
        for of in self.loops.clone() {
            self.number(u64::from(values.symbols.varies_in(symbol, of)));
        }
        self.perhaps(values.definitions.get(&symbol));
        Some(())
    }
}
