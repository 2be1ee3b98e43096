//! Where is the newest copy of every byte, at every point of a program from one function on?
//!
//! An abstract interpretation over the structured program: statements in order, both paths of a condition, loops that hold directives again until nothing
//! changes, calls where they stand. The first two passes over a loop are exact about its first two iterations, and so are all of a loop that runs a known number of times, at
//! most six; otherwise everything that is found from the third on holds for some iteration only. Loops without directives are one step: what they need from before, then what they write.
//!
//! What it cannot do: `goto`, and labels of a `switch` deep inside its statements, with directives between them; behind those nothing is sure. Nor is it where the walk has taken too many steps, which are counted: it ends there.

use super::Reading;
use super::asked::Asked;
use super::book::{self, Judged, SharedBook};
use super::bound::Bound;
use super::construct::{Construct, Section, copied_by_threads, named_by};
use super::copies::{Defined, Extent, Literal, Way, Ways};
use super::defect::{Confidence, Defect, Kind, Moved};
use super::followed::Followed;
use super::history::{Act, History};
use super::holes::Holes;
use super::ledger::{Ledger, Side};
use super::object::{Before, Now, Object, Presence, Touch};
use super::repeated::repeats;
use super::runtime;
use super::state::State;
use super::touches::{Index, Touched, is_one_object, varies};
use super::unattached::ADDRESSES;
use crate::access::AccessKind;
use crate::alias::{Reach, may_overlap};
use crate::effects::Effects;
use crate::loops::LoopIndex;
use crate::regions::Regions;
use crate::symbols::{Cause, SymbolKind};
use crate::value::{AtDirective, Values};
use ferry_directive::{Directive, Language, Role};
use ferry_ir::visit::mentioned_variables;
use ferry_ir::{
    Callee, Expr as Code, ExprKind, FunctionRef, GlobalId, LocalId, PlaceBase, Stmt, StmtId, StmtKind, Unit,
    VariableRef,
};
use ferry_source::{Origin, Span};
use ferry_symbolic::{Condition, Expr, Facts, Symbol, work_done};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Most passes over a loop.
const PASSES: usize = 6;

/// Most work of one walk, in the units of [`work_done`]; the largest program that was looked at takes a quarter of it.
const MOST_WORK: u64 = 8_000_000_000;

/// The work of one touch of an object, or of a statement, beside what is proved for it.
const TOUCH: u64 = 20_000;

/// Where control goes behind a statement.
#[derive(Default)]
pub(super) struct Flow {
    pub(super) falls: Option<State>,
    pub(super) breaks: Vec<State>,
    continues: Vec<State>,
    /// With the conditions on the path to each.
    returns: Vec<(State, Vec<Literal>)>,
}

/// What runs on the device.
pub(super) struct OnDevice {
    pub(super) construct: Construct,
    /// It asks for its thread or team: what it does under a condition one of them may do for all.
    by_hand: bool,
    /// Copies of variables that were changed, with what was written.
    changed: BTreeMap<Symbol, Touch>,
}

/// How regions of one kind are made of a function.
type MakeRegions<'a> = fn(&'a Unit, FunctionRef, &'a Effects, &'a Values) -> Regions<'a>;

/// One walk.
pub struct Walk<'a> {
    pub(super) unit: &'a Unit,
    pub(super) function: FunctionRef,
    pub(super) values: &'a Values,
    pub(super) index: Index,
    effects: &'a Effects,
    /// Of each symbol, whether it may be the root of storage that has another name, too.
    vague: Vec<bool>,
    /// Statements of which was asked whether something in them puts data on the device, moves them, or runs there.
    with_directives: RefCell<BTreeMap<StmtId, bool>>,
    regions: OnceCell<Regions<'a>>,
    /// The same of what is written alone.
    writes: OnceCell<Regions<'a>>,
    /// The same of objects that are written, for what is read before.
    exposures: OnceCell<Regions<'a>>,
    /// The program begins here.
    is_main: bool,
    /// Variables that live on both sides.
    always: &'a BTreeSet<GlobalId>,
    reading: Reading,
    /// Functions that move data, themselves or by what they call.
    moving: &'a BTreeSet<FunctionRef>,
    pub(super) path: Vec<(StmtId, bool)>,
    /// Conditions that have come out in one way for all that is reached, those of branches that others have left by a jump included.
    open: Vec<StmtId>,
    /// Conditions under which the rest of an iteration is left out.
    skips: Vec<StmtId>,
    pub(super) loops: Vec<LoopIndex>,
    /// Where pointers point that move on in the loops around.
    bound: Bound,
    pub(super) device: Option<OnDevice>,
    /// Something was called of which nothing is known.
    pub(super) opaque: bool,
    /// Number of the pass over the innermost loop that is walked again.
    later: bool,
    /// Nothing is sure from here on.
    pub blind: Option<Cause>,
    /// The devices, where clauses say them, of the environments around and of data that were put there.
    environments: Vec<Option<Expr>>,
    /// The call that has chosen the device for directives without a number.
    pub(super) chosen: Option<StmtId>,
    /// What is supposed of the conditions of the directives around.
    pub(super) supposed: Vec<Condition>,
    /// Which labels the values of the switches around fit, and which they do not.
    pub(super) fits: Vec<Condition>,
    pub defects: Vec<Defect>,
    /// Where it is not known whether data are on the device, with the data.
    pub unsure: BTreeSet<(Option<Span>, Symbol)>,
    /// What the directive that is asked for does.
    pub history: History,
    /// The functions that were walked into.
    pub entered: BTreeSet<FunctionRef>,
    /// What pointers point to that are mapped as they are, with the clause and the item.
    bare: BTreeMap<Symbol, (Moved, Origin)>,
    /// What clauses name in ways that are not followed piece by piece: members, device addresses, what pointers are attached to.
    perhaps_there: BTreeSet<Symbol>,
    /// A section was mapped, and it is not clear of which object.
    pub(super) unclear_mapping: bool,
    /// Calls that give memory of the device.
    pub(super) device_memory: BTreeSet<StmtId>,
    /// Memory of the device that was made the copy of data of the host.
    pub(super) associations: BTreeMap<Symbol, Symbol>,
    /// Structures of which clauses map single members, by which parts of them may be on the device.
    pub(super) by_members: BTreeSet<Symbol>,
    /// A clause gives addresses of the device to the host, which may have put them anywhere.
    pub(super) gives_addresses: bool,
    /// Whether a directive of the unit gives the host addresses of the device (`use_device_ptr`), if that was asked.
    gets_addresses: OnceCell<bool>,
    /// A call of a function of the run time that moves data, of which it is not clear what it does.
    pub not_followed: Option<Origin>,
    /// What is done is left out where the `if` of a directive around does not hold, and whether it holds is not known: the place is come to all the same.
    perhaps_done: bool,
    /// What clauses of OpenACC's data constructs around name, in the text of the function that is walked.
    named_around: BTreeSet<Symbol>,
    /// What each thread of a construct of the host has a copy of: other storage under the same name, which is not followed.
    pub(super) threads_own: BTreeSet<Symbol>,
    /// What names mean a device address around the place that is reached.
    pub(super) at_device_address: BTreeSet<Symbol>,
    pub(super) allocations: BTreeMap<StmtId, Symbol>,
    results: BTreeMap<StmtId, Symbol>,
    /// What came of transfers, if that is asked.
    book: Option<Rc<SharedBook>>,
    /// Something orders transfers otherwise than the text does, or passes device addresses on: no advice is given.
    pub(super) unordered: bool,
    /// The statement is a call of `free`, which reads nothing.
    frees: bool,
    /// How many statements and touches of objects were looked at.
    steps: u64,
    /// What proofs had taken when the walk began.
    began: u64,
    /// The work that a walk may do is done: what follows is not looked at.
    worn_out: bool,
}

impl<'a> Walk<'a> {
    pub fn new(
        unit: &'a Unit,
        function: FunctionRef,
        effects: &'a Effects,
        values: &'a Values,
        always: &'a BTreeSet<GlobalId>,
        reading: Reading,
        moving: &'a BTreeSet<FunctionRef>,
    ) -> Walk<'a> {
        let mut allocations = BTreeMap::new();
        let mut results = BTreeMap::new();
        let mut vague = Vec::with_capacity(values.symbols.len());
        for number in 0..values.symbols.len() as u32 {
            let kind = &values.symbols.info(Symbol(number)).kind;
            vague.push(!matches!(
                kind,
                SymbolKind::Address(_)
                    | SymbolKind::CalleeVariable { .. }
                    | SymbolKind::Allocated(_)
                    | SymbolKind::Entry(_)
            ));
            match *kind {
                SymbolKind::Allocated(stmt) => {
                    allocations.insert(stmt, Symbol(number));
                }
                SymbolKind::Result(stmt) => {
                    results.insert(stmt, Symbol(number));
                }
                _ => {}
            }
        }
        Walk {
            unit,
            function,
            values,
            index: Index::of(values, Followed::of(unit, function, values)),
            vague,
            effects,
            regions: OnceCell::new(),
            with_directives: RefCell::default(),
            writes: OnceCell::new(),
            exposures: OnceCell::new(),
            is_main: unit.function(function).name == "main",
            always,
            reading,
            moving,
            path: Vec::new(),
            open: Vec::new(),
            skips: Vec::new(),
            loops: Vec::new(),
            bound: Bound::default(),
            device: None,
            opaque: false,
            later: false,
            environments: Vec::new(),
            chosen: None,
            supposed: Vec::new(),
            fits: Vec::new(),
            blind: None,
            defects: Vec::new(),
            unsure: BTreeSet::new(),
            history: History::default(),
            entered: BTreeSet::from([function]),
            bare: BTreeMap::new(),
            perhaps_there: BTreeSet::new(),
            unclear_mapping: false,
            device_memory: device_memory(unit, function, values),
            associations: BTreeMap::new(),
            by_members: BTreeSet::new(),
            gives_addresses: false,
            gets_addresses: OnceCell::new(),
            not_followed: None,
            perhaps_done: false,
            named_around: BTreeSet::new(),
            threads_own: BTreeSet::new(),
            at_device_address: BTreeSet::new(),
            allocations,
            results,
            book: None,
            unordered: false,
            frees: false,
            steps: 0,
            began: work_done(),
            worn_out: false,
        }
    }

    /// The same walk, with a book of its transfers.
    pub fn with_book(mut self) -> Walk<'a> {
        self.book = Some(Rc::default());
        // Transfers of one object are doubted by what is done to others.
        self.index.followed = Followed::everything();
        self
    }

    /// Something was called of which nothing is known.
    pub fn is_opaque(&self) -> bool {
        self.opaque
    }

    /// What became of the transfers; `None` if nothing can be said of them.
    pub fn judged(&self) -> Option<Judged> {
        let varies_in = |extent: &Extent, index: LoopIndex| {
            let of = self.values.loops[index.0 as usize].stmt;
            let ends = [&extent.low, &extent.high];
            ends.into_iter().flatten().any(|end| varies(self.values, end, of))
        };
        let judged = self.book.as_ref()?.judge(self.values, &varies_in);
        (!self.unordered && self.blind.is_none()).then_some(judged)
    }

    /// Walks the whole function.
    pub fn run(&mut self) {
        let Some(body) = &self.unit.function(self.function).body else {
            return;
        };
        let flow = self.statement(body, State::new());
        let Some(mut end) = self.returned(flow) else {
            return;
        };
        self.leave(&mut end);
        // What would still have ended a mapping was not looked at.
        if !self.is_main || self.worn_out {
            return;
        }
        for (root, object) in end.into_objects() {
            for mapping in object.mappings {
                if mapping.unstructured && mapping.is_certain() {
                    // What is not seen may have taken it off.
                    let confidence = match self.opaque && self.reach().escapes(root) {
                        true => Confidence::Possible,
                        false => Confidence::Proven,
                    };
                    self.defects.push(Defect {
                        kind: Kind::EnterWithoutExit,
                        confidence,
                        root,
                        named: mapping.named,
                        at: mapping.by.at.map_or(Origin::New, Origin::Text),
                        written: None,
                        directive: Some(mapping.by),
                        bytes: mapping.extent.bytes(),
                        there: None,
                        around: false,
                    });
                }
            }
        }
    }

    /// What a function leaves behind may be used, but for its own variables.
    fn leave(&self, end: &mut State) {
        let last = |root: Symbol, object: &mut Object| {
            let kind = &self.values.symbols.info(root).kind;
            let own = matches!(
                kind,
                SymbolKind::Address(VariableRef::Local(_)) | SymbolKind::CalleeVariable { .. }
            );
            // What functions of other files have registered may run behind `main`.
            let gone = own || self.is_main && !self.opaque;
            let stays = !self.is_main && !object.mappings.is_empty();
            object.ledger.finish(!gone, stays);
        };
        end.change(|_, _| true, last);
    }

    /// An object comes into being, or is met for the first time.
    pub(super) fn opened(&self, root: Symbol, mut object: Object) -> Object {
        if let Some(book) = &self.book {
            object.ledger = Ledger::of(book.clone(), root);
        }
        object
    }

    pub(super) fn object<'s>(&self, state: &'s mut State, root: Symbol) -> &'s mut Object {
        state.touched(root, || self.first(root))
    }

    /// An object that is put back when something has happened to it.
    fn taken(&self, state: &mut State, root: Symbol) -> Object {
        state.remove(&root).unwrap_or_else(|| self.first(root))
    }

    /// What is known of an object that nothing has touched yet.
    fn first(&self, root: Symbol) -> Object {
        self.opened(root, self.unopened(root))
    }

    fn unopened(&self, root: Symbol) -> Object {
        let callers = match self.is_main && !self.opaque {
            true => Before::Absent,
            false => Before::Unknown,
        };
        // Something that is not known may have mapped what it can reach.
        let own = match self.opaque && self.reach().escapes(root) {
            true => Before::Unknown,
            false => Before::Absent,
        };
        match &self.values.symbols.info(root).kind {
            SymbolKind::Address(VariableRef::Global(id)) if self.always.contains(id) => {
                Object::new(Before::Always, Defined::Yes)
            }
            SymbolKind::Address(VariableRef::Global(_)) | SymbolKind::Entry(_) => {
                Object::new(callers, Defined::Yes)
            }
            SymbolKind::Address(VariableRef::Local(id)) => {
                let parameter = id.0 < self.unit.function(self.function).parameters;
                Object::new(own, if parameter { Defined::Yes } else { Defined::No })
            }
            SymbolKind::CalleeVariable { .. } | SymbolKind::Allocated(_) => Object::new(own, Defined::No),
            SymbolKind::Result(stmt) if self.device_memory.contains(stmt) => {
                Object::new(Before::OnDevice, Defined::No)
            }
            _ => Object::new(Before::Unknown, Defined::Yes),
        }
    }

    fn meet(&self, one: State, two: State, ways: Ways<'_>) -> State {
        one.meet(two, ways, |root| self.first(root))
    }

    pub(super) fn meet_all(&self, states: impl IntoIterator<Item = State>, way: Way<'_>) -> Option<State> {
        states
            .into_iter()
            .reduce(|one, two| self.meet(one, two, [way, way]))
    }

    /// Where a function is left: at its end, and by each `return`.
    fn returned(&self, flow: Flow) -> Option<State> {
        let mut end = flow.falls;
        // The last one first: it is met by the paths on which the earlier ones did not return.
        for (state, literals) in flow.returns.into_iter().rev() {
            let Some(others) = end.take() else {
                end = Some(state);
                continue;
            };
            // The other path is that of everything else; of one condition that is not known nothing is said there.
            let not = match literals.as_slice() {
                [Literal::Known(condition)] => Some(Literal::Known(condition.not())),
                _ => None,
            };
            let other = not
                .as_ref()
                .map_or(Way::Jump, |not| Way::Under(std::slice::from_ref(not)));
            let own = match literals.is_empty() {
                true => Way::Jump,
                false => Way::Under(&literals),
            };
            end = Some(self.meet(others, state, [other, own]));
        }
        end
    }

    /// Conditions behind which all paths have met again are not asked any more.
    fn settle(&self, state: &mut State) {
        state.change_striking(
            |object| !object.pieces.is_settled(&self.open),
            |object| object.pieces.settle(&self.open),
        );
    }

    /// Notes what was found, no surer than it can be here.
    pub(super) fn note(&mut self, found: Vec<Defect>) {
        for mut defect in found {
            if self.later || self.perhaps_done {
                defect.confidence = defect.confidence.max(Confidence::Likely);
            }
            if self.blind.is_some() || self.is_under_iteration() {
                defect.confidence = Confidence::Possible;
            }
            self.defects.push(defect);
        }
    }

    /// True if a condition comes out otherwise in other iterations of the loops that are walked again.
    fn varies_around(&self, condition: &Condition) -> bool {
        self.loops.iter().any(|index| {
            let of = self.values.loops[index.0 as usize].stmt;
            condition.any_symbol(&|symbol| self.values.symbols.varies_in(symbol, of))
        })
    }

    /// True on a path that is taken in some iterations only of a loop that is walked again: in which is not known.
    fn is_under_iteration(&self) -> bool {
        let varying = |stmt: &StmtId| {
            let known = self.values.conditions.get(stmt).and_then(|known| known.exact());
            known.is_none_or(|condition| self.varies_around(&condition))
        };
        let around = self.path.iter().map(|(stmt, _)| stmt);
        !self.loops.is_empty() && around.chain(&self.skips).any(varying)
    }

    fn statement(&mut self, stmt: &Stmt, state: State) -> Flow {
        if self.is_worn_out(stmt, 1) {
            return Flow::at(state);
        }
        match &stmt.kind {
            StmtKind::Block { body, .. } => self.statements(body, state),
            StmtKind::If { then, otherwise, .. } => self.branch(stmt, then, otherwise.as_deref(), state),
            StmtKind::Loop(_) if self.has_directives(stmt) => self.again(stmt, state),
            StmtKind::Loop(_) => self.whole(stmt, state),
            StmtKind::Switch { body, .. } => self.switch(stmt, body, state),
            StmtKind::Return(_) => {
                let state = self.step(stmt, &[stmt.id], state);
                Flow {
                    returns: vec![(state, Vec::new())],
                    ..Flow::default()
                }
            }
            StmtKind::Break => Flow {
                breaks: vec![state],
                ..Flow::default()
            },
            StmtKind::Continue => Flow {
                continues: vec![state],
                ..Flow::default()
            },
            StmtKind::Goto(_) | StmtKind::Label(_) => {
                self.lose_sight("goto is not followed", stmt.origin);
                Flow::at(state)
            }
            StmtKind::Directive { directive, body } => {
                self.directive(stmt, directive, body.as_deref(), state)
            }
            StmtKind::Call { callee, .. } => self.call(stmt, callee, state),
            StmtKind::Opaque { why, .. } => {
                self.lose_sight(why, stmt.origin);
                Flow::at(state)
            }
            StmtKind::Declare { local } => {
                let mut state = state;
                if let Some(root) = self.values.addresses.get(&VariableRef::Local(*local)) {
                    // A new life of a variable: nothing of the last one is left.
                    self.forget(*root, &mut state, false);
                }
                Flow::at(state)
            }
            _ => Flow::at(self.step(stmt, &[stmt.id], state)),
        }
    }

    /// The storage that a name meant before is not followed any more; it may be in use.
    pub(super) fn forget(&self, root: Symbol, state: &mut State, in_use: bool) {
        if let Some(mut object) = state.remove(&root)
            && (in_use || !object.mappings.is_empty())
        {
            object.ledger.doubt();
        }
        // In each iteration it is another one.
        if let Some(book) = &self.book {
            book.note(root, book::Event::Unclear);
        }
    }

    /// Counts steps. True if there were too many: loops in loops that hold directives are walked again and again, and the walk has to end.
    fn is_worn_out(&mut self, stmt: &Stmt, steps: usize) -> bool {
        self.steps += steps as u64;
        let work = work_done()
            .wrapping_sub(self.began)
            .saturating_add(TOUCH * self.steps);
        if !self.worn_out && work > MOST_WORK {
            self.worn_out = true;
            self.opaque = true;
            self.lose_sight(
                "following the program any further takes too many steps",
                stmt.origin,
            );
        }
        self.worn_out
    }

    pub(super) fn lose_sight(&mut self, why: &str, at: Origin) {
        self.blind.get_or_insert_with(|| Cause::new(why, at));
    }

    pub(super) fn statements(&mut self, body: &[Stmt], state: State) -> Flow {
        let mut flow = Flow::at(state);
        for stmt in body {
            let Some(state) = flow.falls.take() else { break };
            let next = self.statement(stmt, state);
            flow.falls = next.falls;
            flow.breaks.extend(next.breaks);
            flow.continues.extend(next.continues);
            flow.returns.extend(next.returns);
        }
        flow
    }

    /// A statement without directives inside, as one step.
    pub(super) fn whole(&mut self, stmt: &Stmt, state: State) -> Flow {
        let statements = self.index.tree(self.values, stmt);
        let mut leaves = false;
        stmt.walk(&mut |inner| leaves |= matches!(inner.kind, StmtKind::Return(_) | StmtKind::Goto(_)));
        let state = self.step(stmt, &statements, state);
        Flow {
            returns: leaves.then(|| (state.clone(), Vec::new())).into_iter().collect(),
            falls: Some(state),
            ..Flow::default()
        }
    }

    /// The literal of a condition, as far as it is known, that was true or false in this statement; and how it comes out, if that is decided.
    fn outcome(&self, stmt: StmtId, known: Option<&Condition>, outcome: bool) -> (Literal, Option<bool>) {
        let supposed = known
            .filter(|_| !self.supposed.is_empty() || !self.fits.is_empty())
            .and_then(|condition| self.decided(&Facts::default(), condition));
        let supposed = supposed.map(|holds| holds == outcome);
        match known {
            // What comes out otherwise in another iteration is not compared.
            Some(condition) if self.varies_around(condition) => (Literal::Statement(stmt, outcome), supposed),
            Some(condition) => {
                let condition = if outcome {
                    condition.clone()
                } else {
                    condition.not()
                };
                let decided = if condition.is_always() {
                    Some(true)
                } else if condition.is_never() {
                    Some(false)
                } else {
                    supposed
                };
                (self.literal(condition), decided)
            }
            None => (Literal::Statement(stmt, outcome), None),
        }
    }

    fn literal(&self, condition: Condition) -> Literal {
        match self.is_chosen(&condition) {
            true => Literal::Known(condition),
            false => Literal::Computed(condition),
        }
    }

    /// True if a condition speaks of nothing but what callers and the system choose.
    fn is_chosen(&self, condition: &Condition) -> bool {
        !condition.any_symbol(&|symbol| !self.is_input(symbol, 0))
    }

    fn is_input(&self, symbol: Symbol, depth: usize) -> bool {
        let info = self.values.symbols.info(symbol);
        match &info.kind {
            SymbolKind::Entry(_) | SymbolKind::Named { .. } | SymbolKind::Allocated(_) => true,
            SymbolKind::Loaded { address, .. } => {
                let inner = address.symbols();
                depth < 4
                    && info.loops.is_empty()
                    && inner.into_iter().all(|inner| self.is_input(inner, depth + 1))
            }
            _ => false,
        }
    }

    /// Whether a condition holds, with what is supposed of the conditions of directives around, and known of the switches.
    fn decided(&self, facts: &Facts, condition: &Condition) -> Option<bool> {
        let mut facts = facts.clone();
        let known = self.supposed.iter().chain(&self.fits);
        known.for_each(|known| facts.assume(known));
        if facts.prove(condition) {
            return Some(true);
        }
        facts.prove(&condition.not()).then_some(false)
    }

    /// Walks on where the condition of a directive has come out so: the same condition inside comes out alike.
    fn supposing(&mut self, literal: Option<&Literal>, walk: impl FnOnce(&mut Self) -> Flow) -> Flow {
        let before = self.supposed.len();
        if let Some(Literal::Known(condition) | Literal::Computed(condition)) = literal {
            self.supposed.push(condition.clone());
        }
        let flow = walk(self);
        self.supposed.truncate(before);
        flow
    }

    fn branch(&mut self, stmt: &Stmt, then: &Stmt, otherwise: Option<&Stmt>, state: State) -> Flow {
        let state = self.step(stmt, &[stmt.id], state);
        let known = self
            .values
            .conditions
            .get(&stmt.id)
            .and_then(|known| known.exact());
        self.fork(
            stmt.id,
            known.as_ref(),
            |walk, state| walk.statement(then, state),
            |walk, state| match otherwise {
                Some(otherwise) => walk.statement(otherwise, state),
                None => Flow::at(state),
            },
            state,
        )
    }

    /// Two paths, by a condition that comes out in this statement, as far as it is known.
    pub(super) fn fork(
        &mut self,
        of: StmtId,
        known: Option<&Condition>,
        then: impl FnOnce(&mut Walk<'a>, State) -> Flow,
        otherwise: impl FnOnce(&mut Walk<'a>, State) -> Flow,
        state: State,
    ) -> Flow {
        let ((yes, certain), (no, _)) = (self.outcome(of, known, true), self.outcome(of, known, false));
        let mut flow = Flow::default();
        let open = self.open.len();
        if certain.is_none() {
            self.open.push(of);
        }
        let before = |walk: &mut Walk<'a>, outcome: bool, state: State| {
            walk.path.push((of, outcome));
            match certain {
                Some(_) => state,
                None => assumed(state, if outcome { &yes } else { &no }, of, &walk.index.asked),
            }
        };
        let behind = |walk: &mut Walk<'a>, flow: &mut Flow, outcome: bool, inside: usize, mut one: Flow| {
            walk.open.truncate(inside);
            walk.path.pop();
            if certain.is_none() {
                let literal = if outcome { &yes } else { &no };
                let returns = one.returns.iter_mut();
                returns.for_each(|(_, literals)| literals.push(literal.clone()));
            }
            flow.breaks.append(&mut one.breaks);
            flow.continues.append(&mut one.continues);
            flow.returns.append(&mut one.returns);
            one.falls
        };
        let inside = self.open.len();
        let one = match certain {
            Some(false) => None,
            _ => {
                let state = before(self, true, state.clone());
                let one = then(self, state);
                behind(self, &mut flow, true, inside, one)
            }
        };
        let two = match certain {
            Some(true) => None,
            _ => {
                let state = before(self, false, state);
                let two = otherwise(self, state);
                behind(self, &mut flow, false, inside, two)
            }
        };
        let jumps = !flow.breaks.is_empty() || !flow.continues.is_empty() || !flow.returns.is_empty();
        if !flow.continues.is_empty() && certain.is_none() {
            self.skips.push(of);
        }
        // Paths that were left do not meet the others here.
        if !jumps {
            self.open.truncate(open);
        }
        let both = one.is_some() && two.is_some();
        flow.falls = match (one, two) {
            (Some(one), Some(two)) => {
                let ways = [&yes, &no].map(|literal| Way::Under(std::slice::from_ref(literal)));
                Some(self.meet(one, two, ways))
            }
            (one, two) => one.or(two),
        };
        if let (true, Some(state)) = (both, &mut flow.falls) {
            self.settle(state);
        }
        flow
    }

    /// A loop that holds directives.
    fn again(&mut self, stmt: &Stmt, state: State) -> Flow {
        let StmtKind::Loop(of) = &stmt.kind else {
            return Flow::at(state);
        };
        let number = self.values.loops.iter().position(|facts| facts.stmt == stmt.id);
        let Some(number) = number else {
            // Never reached, or not understood.
            return Flow::at(state);
        };
        let facts = &self.values.loops[number];
        let runs_so_often = |times: i128| {
            let asked = &self.index.asked;
            asked.runs(self.values, LoopIndex(number as u32), times)
        };
        let (runs, runs_again) = (runs_so_often(1), runs_so_often(2));
        let mut flow = Flow::default();
        let first = self.statements(&of.init, state);
        let mut head = first.falls;
        let (mut past, mut ends): (Option<State>, Vec<State>) = (None, Vec::new());
        let mut breaks: Vec<State> = Vec::new();
        let mut settled = false;
        // A loop without a condition is only left by a jump.
        let endless = match &of.condition {
            None => true,
            Some(condition) => condition.as_int().is_some_and(|value| value != 0),
        };
        let times = facts.trip.as_ref().ok().and_then(Expr::as_constant);
        let times = times.and_then(|times| usize::try_from(times.to_i64()?).ok());
        let once = matches!(of.kind, ferry_ir::LoopKind::Do)
            && of
                .condition
                .as_ref()
                .is_some_and(|condition| condition.as_int() == Some(0));
        let most = match once {
            true => 1,
            false => times.map_or(PASSES, |times| times.clamp(1, PASSES)),
        };
        // Few iterations, of a number that is known, are followed one by one.
        let unrolled = times.is_some_and(|times| (1..=PASSES).contains(&times));
        let was_later = self.later;
        let ran = facts.trip.as_ref().ok().and_then(|trip| {
            let ran = Condition::positive(trip);
            let fixed = self.is_chosen(&ran) && !self.varies_around(&ran);
            fixed.then_some(Literal::Ran(ran))
        });
        let (open, skips) = (self.open.len(), self.skips.len());
        self.loops.push(LoopIndex(number as u32));
        if let Some(book) = &self.book {
            book.enter_loop(LoopIndex(number as u32), self.path.len());
        }
        for pass in 0..most {
            let Some(before) = head.take() else { break };
            // Which iteration it is is known of the first ones only.
            match pass {
                0 => self.bound.enter(self.values, &self.unit.types, facts),
                1 => self.bound.go_on(self.values, &self.unit.types, facts),
                _ if unrolled => self.bound.go_on(self.values, &self.unit.types, facts),
                _ => self.bound.leave(facts),
            }
            if pass >= 2 && !unrolled || pass == 1 && !runs_again {
                self.later = true;
            }
            let mut tested = before.clone();
            if !matches!(of.kind, ferry_ir::LoopKind::Do) {
                tested = self.tested(stmt, of, tested);
                let goes_on = match pass {
                    0 => runs,
                    1 => runs_again,
                    _ => unrolled,
                };
                match (!goes_on && !endless, pass) {
                    (true, 0) => past = Some(tested.clone()),
                    (true, _) => ends.push(tested.clone()),
                    (false, _) => {}
                }
            }
            let mut one = self.statement(&of.body, tested);
            breaks.append(&mut one.breaks);
            flow.returns.append(&mut one.returns);
            let back = self.meet_all(one.falls.into_iter().chain(one.continues), Way::Jump);
            self.open.truncate(open);
            self.skips.truncate(skips);
            let Some(mut back) = back else { break };
            self.settle(&mut back);
            let Some(mut back) = self.statements(&of.step, back).falls else {
                break;
            };
            if matches!(of.kind, ferry_ir::LoopKind::Do) {
                back = self.tested(stmt, of, back);
                if !endless {
                    ends.push(back.clone());
                }
            }
            self.forget_iteration(&mut back, stmt.id);
            // The second iteration begins with what comes out of the first.
            let next = match pass {
                0 => back,
                1 if runs_again => back,
                _ if unrolled => back,
                _ => self.meet(before.clone(), back, [Way::Loop(None); 2]),
            };
            let same = pass > 0 && next == before;
            head = Some(next);
            if same {
                settled = true;
                break;
            }
        }
        // What goes on changing is not known.
        if !settled
            && !unrolled
            && most == PASSES
            && let Some(head) = &mut head
        {
            head.change_all(Object::lose);
        }
        // What is left when the condition fails, in the last state that was reached.
        self.loops.pop();
        self.bound.leave(facts);
        if let Some(book) = &self.book {
            book.leave_loop();
        }
        self.later = was_later;
        for end in past.iter_mut().chain(&mut ends).chain(&mut breaks) {
            self.forget_iteration(end, stmt.id);
        }
        ends.extend(head.filter(|_| !endless));
        let through = self.meet_all(ends, Way::Loop(None));
        // The passes over the loop leave it by the same jumps.
        let jumped = self.meet_all(breaks, Way::Loop(None));
        let through = self.meet_all(through.into_iter().chain(jumped), Way::Jump);
        flow.falls = match (past, through) {
            (Some(past), Some(through)) => {
                Some(self.meet(past, through, [Way::Past, Way::Loop(ran.as_ref())]))
            }
            (past, through) => past.or(through),
        };
        if let Some(state) = &mut flow.falls {
            self.settle(state);
            // Paths on which the function was left in the loop do not come here.
            if !flow.returns.is_empty() {
                self.open.push(stmt.id);
                state.change_striking(
                    |object| object.pieces.is_wrong_on_some_paths(),
                    |object| object.pieces.cross(stmt.id),
                );
            }
        }
        flow
    }

    fn tested(&mut self, stmt: &Stmt, of: &ferry_ir::Loop, state: State) -> State {
        let mut state = Some(state);
        for before in &of.before_test {
            let Some(now) = state.take() else { break };
            state = self.statement(before, now).falls;
        }
        self.step(stmt, &[stmt.id], state.unwrap_or_default())
    }

    /// As things are seen from the next iteration.
    fn forget_iteration(&self, state: &mut State, of: StmtId) {
        let varying = |expr: &Expr| varies(self.values, expr, of);
        let lost = |literal: &Literal| match literal {
            Literal::Known(condition) | Literal::Computed(condition) | Literal::Ran(condition) => {
                condition.any_symbol(&|symbol| self.values.symbols.varies_in(symbol, of))
            }
            Literal::Statement(..) => true,
        };
        state.change_striking(
            |object| !object.is_plain(),
            |object| object.without(&varying, &lost),
        );
    }

    /// True if something in a statement puts data on the device, moves them, or runs there. What is on the device already does none of this.
    pub(super) fn has_directives(&self, stmt: &Stmt) -> bool {
        if self.device.is_some() {
            return false;
        }
        if let Some(known) = self.with_directives.borrow().get(&stmt.id) {
            return *known;
        }
        let found = self.any_inside(stmt, &|inner| {
            matches!(&inner.kind, StmtKind::Directive { directive, .. } if moves(directive))
                || runtime::of_call(self.unit, inner).is_some()
        });
        self.with_directives.borrow_mut().insert(stmt.id, found);
        found
    }

    /// True if a statement asks for its thread, team or device.
    fn asks_for_itself(&self, stmt: &Stmt) -> bool {
        let asks = |name: &str| {
            name.starts_with("omp_get_") || name.starts_with("omp_is_") || name.starts_with("acc_on_")
        };
        self.any_inside(stmt, &|inner| {
            matches!(&inner.kind, StmtKind::Call { callee: Callee::Function(id), .. } if asks(&self.unit.function(*id).name))
        })
    }

    /// True if something holds for one of the statements inside, bodies of functions that are walked at calls included.
    fn any_inside(&self, stmt: &Stmt, holds: &dyn Fn(&Stmt) -> bool) -> bool {
        let mut found = false;
        stmt.walk(&mut |inner| {
            found = found
                || holds(inner)
                || self
                    .values
                    .bodies
                    .get(&inner.id)
                    .is_some_and(|body| self.any_inside(&body.stmt, holds));
        });
        found
    }

    fn call(&mut self, stmt: &Stmt, callee: &Callee, state: State) -> Flow {
        if let Some(verb) = runtime::of_call(self.unit, stmt) {
            let mut state = self.at_run_time(stmt, verb, state);
            if let Some(root) = self.results.get(&stmt.id) {
                self.forget(*root, &mut state, true);
            }
            return Flow::at(state);
        }
        self.frees = matches!(callee, Callee::Function(id) if self.unit.function(*id).name == "free");
        let mut state = self.step(stmt, &[stmt.id], state);
        self.frees = false;
        if let Some(root) = self.allocations.get(&stmt.id) {
            let zeroed = matches!(callee, Callee::Function(id) if self.unit.function(*id).name == "calloc");
            let defined = if zeroed { Defined::Yes } else { Defined::No };
            let before = match self.device {
                Some(_) => Before::OnDevice,
                None => Before::Absent,
            };
            self.forget(*root, &mut state, true);
            state.insert(*root, self.opened(*root, Object::new(before, defined)));
        }
        if let Some(root) = self.results.get(&stmt.id) {
            self.forget(*root, &mut state, true);
        }
        if let Callee::Function(id) = callee {
            self.chooses_device(stmt, *id);
        }
        let Some(body) = self.values.bodies.get(&stmt.id).cloned() else {
            // Functions that call themselves, or are too large, are not walked; what they do to memory is known, not what their directives do.
            match callee {
                Callee::Function(id) if self.moving.contains(id) => {
                    let name = &self.unit.function(*id).name;
                    self.lose_sight(&format!("directives in {name} are not followed"), stmt.origin);
                }
                Callee::Pointer(_) if !self.moving.is_empty() => {
                    self.lose_sight("a function is called through a pointer", stmt.origin);
                }
                _ => {}
            }
            return Flow::at(state);
        };
        if let Callee::Function(id) = callee {
            self.entered.insert(*id);
        }
        let (open, skips) = (self.open.len(), self.skips.len());
        let named_around = std::mem::take(&mut self.named_around);
        let flow = self.statement(&body.stmt, state);
        self.named_around = named_around;
        self.open.truncate(open);
        self.skips.truncate(skips);
        let mut falls = self.returned(flow);
        if let (Some(state), Callee::Function(id)) = (&mut falls, callee) {
            self.end_variables(body.base, *id, state);
        }
        falls.iter_mut().for_each(|state| self.settle(state));
        Flow {
            falls,
            ..Flow::default()
        }
    }

    /// A function that was walked at a call has returned: its variables are gone, and the next call begins with others. Those of them that are still mapped are kept,
    /// as who maps the same storage later meets that.
    fn end_variables(&self, base: u32, function: FunctionRef, state: &mut State) {
        if self.book.is_some() {
            return;
        }
        for number in 0..self.unit.function(function).locals.len() as u32 {
            let variable = VariableRef::Local(LocalId(base + number));
            if let Some(root) = self.values.addresses.get(&variable)
                && state.get(root).is_some_and(|object| object.mappings.is_empty())
            {
                state.remove(root);
            }
        }
    }

    /// A device that is chosen once is the one of the program; one that is chosen again may be another.
    fn chooses_device(&mut self, stmt: &Stmt, callee: FunctionRef) {
        let name = self.unit.function(callee).name.as_str();
        if !matches!(
            name,
            "omp_set_default_device" | "acc_set_device_num" | "acc_set_device_type"
        ) {
            return;
        }
        let initial = ["omp_get_initial_device"];
        if name == "omp_set_default_device"
            && !calls_of(self.unit, self.function, self.values, &initial).is_empty()
        {
            self.lose_sight("the device may be the host itself", stmt.origin);
        }
        let before = self.chosen.replace(stmt.id);
        if !self.loops.is_empty() || before.is_some_and(|before| before != stmt.id) {
            self.lose_sight("devices that differ are not followed", stmt.origin);
        }
    }

    /// What the statements do themselves, without directives: accesses in order, then what calls may do.
    pub(super) fn step(&mut self, stmt: &Stmt, statements: &[StmtId], state: State) -> State {
        let mut state = self.touched_by(stmt, statements, state);
        for number in self.index.effects(statements) {
            self.effect(number, &mut state);
        }
        state
    }

    /// The accesses of the statements.
    pub(super) fn touched_by(&mut self, stmt: &Stmt, statements: &[StmtId], mut state: State) -> State {
        let nothing = BTreeSet::new();
        let skip = self
            .device
            .as_ref()
            .map_or(&nothing, |device| &device.construct.inner);
        let around = self.loops.len();
        let bound = (&self.bound, &self.unit.types);
        let mut touches = self
            .index
            .touches(self.values, (stmt, statements), around, skip, bound);
        // Which case is taken goes with conditions elsewhere.
        if matches!(stmt.kind, StmtKind::Switch { .. }) && statements.len() > 1 {
            self.index.under_a_switch(self.values, &mut touches);
        }
        if self.is_worn_out(stmt, touches.len()) {
            return state;
        }
        for touched in touches.iter() {
            self.touch(stmt, touched, &mut state);
        }
        state
    }

    fn touch(&mut self, stmt: &Stmt, touched: &Touched, state: &mut State) {
        let Some(object) = touched.root else {
            let root = self.values.accesses[touched.access].root;
            if let Some(root) = root {
                self.leads_nowhere(touched, root, state);
            }
            match touched.kind {
                AccessKind::Read => self.perhaps_read(root, state),
                AccessKind::Write => self.perhaps_written(root, touched.at, state),
            }
            return;
        };
        // What a region maps of it is the copy of the thread that has come to the region.
        if self.threads_own.contains(&object) {
            return;
        }
        if self.device.is_some() {
            self.touch_on_device(stmt, touched, object, state);
            self.doubt_associated(object, state);
            return;
        }
        if !self.index.followed.contains(object) {
            if touched.kind == AccessKind::Write {
                self.doubt_others(object, state);
            }
            return;
        }
        if touched.kind == AccessKind::Read && !self.is_asked_about(object, state) {
            return;
        }
        let Some(touch) = self.index.touch(self.values, touched) else {
            return;
        };
        if self.is_device_memory(object, state) {
            self.host_on_device_memory(touch);
            return;
        }
        if touched.kind == AccessKind::Read {
            self.used(stmt, touched, Side::Host, touch, state);
        }
        let mut found = Vec::new();
        let path = self.path.clone();
        let root = self.values.accesses[touched.access].root.unwrap_or(object);
        let exposed = || self.is_exposed(stmt, touched, root);
        let mut now = Now {
            path: &path,
            defects: &mut found,
        };
        match touched.kind {
            AccessKind::Read => {
                let seen = state.seen(touch.root, || self.first(touch.root));
                if seen.is_wrong(Side::Host) || seen.holes.is_some() {
                    let mut object = self.taken(state, touch.root);
                    object.host_read(touch, &exposed, &mut now);
                    found.extend(self.reads_a_hole(stmt, touched, touch, &mut object));
                    state.insert(touch.root, object);
                }
            }
            AccessKind::Write => {
                let object = self.object(state, touch.root);
                object.host_write(touch, &|| self.repeats(touched));
                self.doubt_others(touch.root, state);
            }
        }
        self.note(found);
    }

    /// True if host and device agree on what is written, once both have run the statement.
    fn repeats(&self, touched: &Touched) -> bool {
        repeats(self.unit, self.effects, &self.values.accesses[touched.access])
    }

    /// True if it matters which bytes of an object the host reads: not where its copy is the newest all over and nobody follows transfers, which is most often.
    fn is_asked_about(&self, root: Symbol, state: &mut State) -> bool {
        if self.book.is_some() || self.is_device_memory(root, state) {
            return true;
        }
        let seen = state.seen(root, || self.first(root));
        seen.is_wrong(Side::Host) || seen.holes.is_some()
    }

    /// Regions of a kind that is made where it is asked for first: most functions need none.
    fn made<'w>(&self, kept: &'w OnceCell<Regions<'a>>, make: MakeRegions<'a>) -> &'w Regions<'a> {
        kept.get_or_init(|| make(self.unit, self.function, self.effects, self.values))
    }

    /// What is known of elements that the device leaves unwritten, behind a statement that runs there.
    fn holes_behind(&self, stmt: &Stmt, root: Symbol, holes: Option<Holes>) -> Option<Holes> {
        let holes = holes?;
        let regions = self.made(&self.writes, Regions::asked_for_writes);
        holes.with(self.values, root, &regions.of_statement(stmt)?.write)
    }

    /// The host reads an element that the device left unwritten, and that came back all the same.
    fn reads_a_hole(
        &self,
        stmt: &Stmt,
        touched: &Touched,
        touch: &Touch,
        object: &mut Object,
    ) -> Option<Defect> {
        let by = object.holes.as_ref()?.back()?;
        let own = self.values.accesses[touched.access].root == Some(touch.root);
        if !own || touched.written_before {
            return None;
        }
        let regions = self.made(&self.regions, Regions::asked_for);
        let read = regions.of_statement(stmt)?.read;
        let missed = object.holes.as_ref()?.are_read(self.values, touch.root, &read);
        missed.then(|| {
            object.holes = None;
            Defect {
                kind: Kind::CopiedBackUnwritten,
                confidence: Confidence::Proven,
                root: touch.root,
                named: touch.at,
                at: touch.at,
                written: None,
                directive: Some(by),
                bytes: touch.extent.bytes(),
                there: None,
                around: false,
            }
        })
    }

    /// What transfers brought to one of the copies is read.
    fn used(&self, stmt: &Stmt, touched: &Touched, side: Side, touch: &Touch, state: &mut State) {
        if self.book.is_none() {
            return;
        }
        for other in self.others(touch.root, state) {
            if let Some(object) = state.get_mut(&other) {
                object.ledger.doubt();
            }
        }
        let ledger = &mut self.object(state, touch.root).ledger;
        if !ledger.is_pending(side, touch) || self.is_exposed(stmt, touched, touch.root) != Some(false) {
            ledger.read(side, &touch.extent, &touch.facts);
        }
    }

    /// A part of what is on the device is touched there.
    fn part_is_used(&self, touched: &Touched, touch: &Touch, construct: &Construct, state: &State) {
        let (Some(book), Some(object)) = (&self.book, state.get(&touch.root)) else {
            return;
        };
        let access = &self.values.accesses[touched.access];
        for number in object.ledger.lent() {
            // What happens in loops that begin behind the mapping happens in all of their iterations.
            let around = book.lent_in(number);
            let common = around
                .iter()
                .zip(&access.loops)
                .take_while(|(one, two)| one == two)
                .count();
            let inside = &access.loops[common..];
            let part = match self.values.hull(access, inside) {
                Ok(hull) => Extent::new(hull.low, hull.high),
                Err(_) => Extent::everything(),
            };
            let moves = |end: &Expr| {
                let differs =
                    |index: &LoopIndex| varies(self.values, end, self.values.loops[index.0 as usize].stmt);
                inside.iter().any(differs)
            };
            let own = construct.sections.iter().any(|section| {
                section.root == touch.root && section.by.clause.is_some() && book.is_lent_by(number, section)
            });
            match [&part.low, &part.high].into_iter().flatten().any(moves) {
                true => book.whole(number),
                false if own => book.part(number, &part, &touch.facts),
                false => book.part_from_first(number, &part, &touch.facts),
            }
        }
    }

    /// Something is read, and it is not known where.
    pub(super) fn perhaps_read(&self, root: Option<Symbol>, state: &mut State) {
        if self.book.is_none() {
            return;
        }
        let reach = self.reach();
        let reached = |other: Symbol, _: &Object| match root {
            Some(root) => root == other || may_overlap(&reach, root, other),
            None => reach.escapes(other),
        };
        state.change(reached, |_, object| object.ledger.doubt());
    }

    /// Whether the statement needs the value of an object from before it; `None` is not known.
    fn is_exposed(&self, stmt: &Stmt, touched: &Touched, root: Symbol) -> Option<bool> {
        if !touched.written_before {
            return Some(true);
        }
        let regions = self.made(&self.exposures, Regions::asked_of_written);
        regions.needs_nothing_of(stmt, root).then_some(false)
    }

    fn touch_on_device(&mut self, stmt: &Stmt, touched: &Touched, root: Symbol, state: &mut State) {
        if touched.kind == AccessKind::Write {
            self.wrote_pointers(touched, root);
        }
        let Some(device) = &self.device else { return };
        let construct = &device.construct;
        let is_copy = construct.copies.contains_key(&root);
        let own = construct.private.contains(&root) || device.changed.contains_key(&root);
        if is_copy && touched.kind == AccessKind::Read && (own || !self.is_asked_about(root, state)) {
            return;
        }
        let Some(touch) = self.index.touch(self.values, touched) else {
            return;
        };
        let touch = &match device.by_hand && touch.all == Confidence::Likely {
            true => touch.perhaps(),
            false => touch.clone(),
        };
        let path = self.path.clone();
        if is_copy {
            match touched.kind {
                AccessKind::Read => {
                    self.used(stmt, touched, Side::Host, touch, state);
                    if !state.seen(root, || self.first(root)).is_wrong(Side::Host) {
                        return;
                    }
                    let mut found = Vec::new();
                    let exposed = || (!touched.written_before).then_some(true);
                    let mut object = self.taken(state, root);
                    object.host_read(
                        touch,
                        &exposed,
                        &mut Now {
                            path: &path,
                            defects: &mut found,
                        },
                    );
                    state.insert(root, object);
                    self.note(found);
                }
                AccessKind::Write => {
                    if let Some(device) = &mut self.device {
                        device.changed.insert(root, touch.clone());
                    }
                }
            }
            return;
        }
        if touched.kind == AccessKind::Read {
            self.used(stmt, touched, Side::Device, touch, state);
        }
        self.part_is_used(touched, touch, construct, state);
        // In a function that the region calls; the region itself may be in a called function, too.
        let called = self.values.accesses[touched.access].called.is_some_and(|id| {
            let whole = self.unit.function(id).origin.span();
            !whole
                .zip(construct.whole.at)
                .is_some_and(|(whole, at)| whole.contains(at))
        });
        let is_variable = matches!(
            self.values.symbols.info(root).kind,
            SymbolKind::Address(VariableRef::Global(_))
        );
        let bare = self.bare.get(&root).copied();
        let whole = construct.whole;
        let attached = construct.attached.contains(&root)
            && construct.sections.iter().all(|section| section.root != root);
        let defect = |kind, confidence, directive, there: Option<Extent>| Defect {
            kind,
            confidence,
            root,
            named: touch.at,
            at: touch.at,
            written: None,
            directive,
            bytes: touch.extent.bytes(),
            there: there.and_then(|there| there.bytes()),
            around: false,
        };
        let taken = construct.taken_as_addresses.get(&root).copied();
        if attached || construct.device_addresses.contains(&root) {
            if let Some(by) = taken.filter(|_| self.is_address_of_host(touched, root, state)) {
                self.note(vec![defect(
                    Kind::NotOnTheDevice,
                    Confidence::Proven,
                    Some(by),
                    None,
                )]);
            }
            if touched.kind == AccessKind::Write {
                self.object(state, root).perhaps_device_write(touch);
            }
            return;
        }
        let object = state.seen(root, || self.first(root));
        let presence = object.present(&touch.extent, &touch.facts);
        let is_mapped = !object.mappings.is_empty();
        if !presence.is_clear() {
            self.unsure.insert((touch.at.span(), root));
        }
        // Variables that functions on the device name live there, too (implicit `declare target`); those that are declared are followed, but for
        // pointers, which are set there where what they lead to is mapped.
        let is_pointer = self
            .unit
            .types
            .pointee(self.values.accesses[touched.access].ty)
            .is_some();
        let is_followed = object.is_always() && !is_pointer;
        if called && is_variable && !is_mapped && !is_followed {
            return;
        }
        if let (Some((by, named)), Presence::Absent | Presence::Unknown) = (bare, &presence) {
            let mut defect = defect(Kind::PointerWithoutSection, Confidence::Proven, Some(by), None);
            // The clause is wrong, the access shows it.
            defect.written = Some(touch.at);
            defect.at = by.at.map_or(touch.at, Origin::Text);
            defect.named = named;
            self.note(vec![defect]);
            return;
        }
        match presence {
            // Its other members may be.
            Presence::Absent | Presence::Partly(..) if self.by_members.contains(&root) => {
                if touched.kind == AccessKind::Write {
                    self.object(state, root).perhaps_device_write(touch);
                }
                return;
            }
            Presence::Absent => {
                let kind = match self.values.symbols.info(root).kind {
                    SymbolKind::Loaded { .. } => Kind::ShallowStruct,
                    _ => Kind::NotOnTheDevice,
                };
                self.note(vec![defect(kind, Confidence::Proven, Some(whole), None)]);
                return;
            }
            Presence::Partly(there, confidence, by) => {
                // The hull of what may be touched is longer than what is where the ends are not certain.
                let sure = match touch.ends || touch.all == Confidence::Proven {
                    true => confidence,
                    // Where a condition decides, it may leave out just what is not there.
                    false => Confidence::Possible,
                };
                self.note(vec![defect(Kind::SectionTooShort, sure, Some(by), Some(there))]);
                // What is there may be written all the same.
                if touched.kind == AccessKind::Write {
                    self.object(state, root).perhaps_device_write(touch);
                }
                return;
            }
            Presence::Unknown => {
                self.leads_nowhere(touched, root, state);
                if touched.kind == AccessKind::Write {
                    self.object(state, root).perhaps_device_write(touch);
                }
                return;
            }
            Presence::There(confidence) => {
                if confidence == Confidence::Proven {
                    self.unattached(touched, root, state);
                }
                let mut object = self.taken(state, root);
                let mut found = Vec::new();
                match touched.kind {
                    AccessKind::Read => {
                        let own = self.values.accesses[touched.access].root.unwrap_or(root);
                        let exposed = || self.is_exposed(stmt, touched, own);
                        object.device_read(
                            touch,
                            &exposed,
                            &mut Now {
                                path: &path,
                                defects: &mut found,
                            },
                        );
                    }
                    AccessKind::Write => {
                        let touch = Touch {
                            all: touch.all.max(confidence),
                            some: touch.some.max(confidence),
                            somewhere: touch.somewhere && confidence == Confidence::Proven,
                            ..touch.clone()
                        };
                        let holes = object.holes.take();
                        match is_pointer {
                            true => object.device_sets_pointer(&touch),
                            false => object.device_write(&touch, &|| self.repeats(touched)),
                        }
                        object.holes = self.holes_behind(stmt, root, holes);
                    }
                }
                for defect in &mut found {
                    defect.confidence = defect.confidence.max(confidence);
                    defect.directive = defect.directive.or(Some(whole));
                }
                state.insert(root, object);
                self.note(found);
            }
        }
        if touched.kind == AccessKind::Write {
            self.doubt_others(root, state);
        }
    }

    /// True for storage of the host, of which no clause of the program has given an address on the device: then a pointer to it holds an address of the host.
    fn is_address_of_host(&mut self, touched: &Touched, root: Symbol, state: &mut State) -> bool {
        let has_choice = self.values.accesses[touched.access].choice.is_some();
        if has_choice || self.opaque || !is_one_object(self.values, root, &self.loops) {
            return false;
        }
        let object = state.seen(root, || self.first(root));
        let is_of_host = object.before == Before::Absent;
        is_of_host && !*self.gets_addresses.get_or_init(|| gets_addresses(self.unit))
    }

    /// A pointer that came out of memory is followed on the device, and nothing to which it may lead is there.
    fn leads_nowhere(&mut self, touched: &Touched, root: Symbol, state: &State) {
        let Some(device) = &self.device else { return };
        let by = device.construct.whole;
        let access = &self.values.accesses[touched.access];
        let Some(at) = self.values.directives.get(&by.stmt) else {
            return;
        };
        let info = self.values.symbols.info(root);
        // Loops inside have a test each; what else is asked may be whether the pointer leads anywhere.
        let tests = access.loops.len().saturating_sub(at.loops.len());
        let asked = access.guards.len().saturating_sub(at.guards) > tests;
        if asked
            || device.by_hand
            || !matches!(info.kind, SymbolKind::Loaded { .. })
            || !self.is_main
            || self.opaque
            || self.unclear_mapping
            || self.blind.is_some()
            || !self.supposed.is_empty()
            || !self.device_memory.is_empty()
            || self.index.asked.contradict(&access.facts)
        {
            return;
        }
        let construct = &device.construct;
        let (types, reach) = (&self.unit.types, self.reach());
        let is_there = |other: Symbol| {
            let object = state.get(&other);
            let mapped = object.is_some_and(|object| !object.mappings.is_empty());
            let vague = self.is_vague(other);
            mapped
                || self.perhaps_there.contains(&other)
                || construct.inner.contains(&other)
                || construct.copies.contains_key(&other)
                || !vague
                    && object.map_or_else(|| self.unopened(other).before, |object| object.before)
                        != Before::Absent
        };
        // Where the pointer itself is not there, that is the defect, and said of the access that reads it.
        let table = match &info.kind {
            SymbolKind::Loaded { address, .. } => self.values.root_read_at(address),
            _ => None,
        };
        let table = table.filter(|table| !self.is_vague(*table));
        if table.is_some_and(|table| !is_there(table)) {
            return;
        }
        // Into its own storage it does not lead there, if nothing has set it.
        let unset = table.filter(|table| self.has_no_pointers(*table, state));
        let count = self.values.symbols.len() as u32;
        let mut pointers = (0..count).map(Symbol).filter(|other| {
            let info = self.values.symbols.info(*other);
            info.is_pointer(types) || matches!(info.kind, SymbolKind::CalleeVariable { .. })
        });
        let is_other = |other: Symbol| other != root && Some(other) != unset;
        if pointers.any(|other| is_other(other) && may_overlap(&reach, root, other) && is_there(other)) {
            return;
        }
        let defect = Defect {
            kind: Kind::NotOnTheDevice,
            confidence: Confidence::Proven,
            root,
            named: touched.at,
            at: touched.at,
            written: None,
            directive: Some(by),
            bytes: self
                .index
                .touch(self.values, touched)
                .and_then(|touch| touch.extent.bytes()),
            there: None,
            around: false,
        };
        self.note(vec![defect]);
    }

    /// Other storage that may be the same under another name.
    pub(super) fn others(&self, root: Symbol, state: &State) -> Vec<Symbol> {
        let vague = self.is_vague(root);
        let all = state.roots();
        all.filter(|other| *other != root && (vague || self.is_vague(*other)) && self.may_be(root, *other))
            .collect()
    }

    /// Storage that may be the same under another name is not known for sure any more.
    pub(super) fn doubt_others(&self, root: Symbol, state: &mut State) {
        for other in self.others(root, state) {
            if let Some(object) = state.get_mut(&other) {
                object.doubt_all();
            }
        }
    }

    /// A section is mapped, or its mapping ends, under a name that may mean other storage, too.
    pub(super) fn doubt_mappings(&mut self, root: Symbol, state: &mut State) {
        if !self.is_vague(root) {
            return;
        }
        self.opaque = true;
        for other in self.others(root, state) {
            if let Some(object) = state.get_mut(&other) {
                object.lose();
                if object.before == Before::Absent {
                    object.before = Before::Unknown;
                }
            }
        }
    }

    fn is_vague(&self, root: Symbol) -> bool {
        self.vague[root.0 as usize]
    }

    fn may_be(&self, one: Symbol, two: Symbol) -> bool {
        if !self.is_vague(one) && !self.is_vague(two) {
            return false;
        }
        may_overlap(&self.reach(), one, two)
    }

    fn reach(&self) -> Reach<'a> {
        Reach {
            unit: self.unit,
            function: self.unit.function(self.function),
            symbols: &self.values.symbols,
            passed: &self.values.passed,
        }
    }

    /// Something was written, and it is not known where.
    fn perhaps_written(&mut self, root: Option<Symbol>, at: Origin, state: &mut State) {
        let reach = self.reach();
        let reached = |other: Symbol, _: &Object| match root {
            Some(root) => root == other || may_overlap(&reach, root, other),
            None => reach.escapes(other),
        };
        let on_device = self.device.is_some();
        self.gives_addresses |= on_device;
        state.change(reached, |other, object| {
            let touch = Touch {
                root: other,
                extent: Extent::everything(),
                all: Confidence::Possible,
                some: Confidence::Possible,
                ends: false,
                somewhere: false,
                happens: false,
                at,
                facts: Facts::new(),
            };
            match on_device {
                true => object.device_write(&touch, &|| false),
                false => object.host_write(&touch, &|| false),
            }
            object.doubt_all();
        });
    }

    /// What a call may do to memory.
    fn effect(&mut self, number: usize, state: &mut State) {
        let effect = &self.values.effects[number];
        let at = effect.cause.at;
        match &effect.reads {
            // What is freed is not read any more.
            Some(_) if self.frees => {}
            None => self.perhaps_read(None, state),
            Some(roots) => roots
                .iter()
                .for_each(|root| self.perhaps_read(Some(*root), state)),
        }
        match &effect.writes {
            None => self.anything_done(at, state),
            Some(roots) => {
                for root in roots.clone() {
                    if effect.releases {
                        self.release(root, at, state);
                    } else if effect.may_release
                        && let Some(object) = state.get_mut(&root)
                    {
                        object.lose();
                        object.ledger.doubt();
                    }
                    // What is freed is not read any more: its ledger stays as it is.
                    let freed = match self.frees {
                        true => state
                            .get_mut(&root)
                            .map(|object| std::mem::take(&mut object.ledger)),
                        false => None,
                    };
                    self.perhaps_written(Some(root), at, state);
                    if let (Some(ledger), Some(object)) = (freed, state.get_mut(&root)) {
                        object.ledger = ledger;
                    }
                }
            }
        }
    }

    /// Something may have done anything, to what is on the device, too.
    pub(super) fn anything_done(&mut self, at: Origin, state: &mut State) {
        self.perhaps_written(None, at, state);
        // What is not known may have directives, too.
        self.opaque = true;
        let reach = self.reach();
        state.change(
            |root, object| object.before == Before::Absent && reach.escapes(root),
            |_, object| object.before = Before::Unknown,
        );
    }

    fn release(&mut self, root: Symbol, at: Origin, state: &mut State) {
        let Some(object) = state.get_mut(&root) else {
            return;
        };
        let certain = object.mappings.iter().find(|mapping| mapping.is_certain());
        let found = certain.map(|mapping| Defect {
            kind: Kind::FreedWhileMapped,
            confidence: Confidence::Proven,
            root,
            named: mapping.named,
            at,
            written: None,
            directive: Some(mapping.by),
            bytes: mapping.extent.bytes(),
            there: None,
            around: false,
        });
        if !object.mappings.is_empty() {
            object.ledger.doubt();
        }
        object.mappings.clear();
        object.before = Before::Unknown;
        self.note(found.into_iter().collect());
    }

    fn directive(
        &mut self,
        stmt: &Stmt,
        directive: &Directive<Code>,
        body: Option<&Stmt>,
        state: State,
    ) -> Flow {
        let mut state = self.step(stmt, &[stmt.id], state);
        self.notes_addresses(directive);
        if self.book.is_some() {
            self.values_of_clauses(directive, &mut state);
        }
        let at = self.values.directives.get(&stmt.id);
        // What is known there contradicts itself: no path leads there.
        if at.is_some_and(|at| self.index.asked.contradict(&at.facts)) {
            return Flow::default();
        }
        let Some(at) = at else {
            return match body {
                Some(body) => self.statement(body, state),
                None => Flow::at(state),
            };
        };
        let spoken = self
            .reading
            .language
            .is_none_or(|language| language == directive.language);
        // On the device, only a region that goes back to the host moves data.
        self.unordered |= match self.device {
            None => self.is_unordered(stmt, directive),
            Some(_) => moves(directive),
        };
        let goes_back = directive
            .clauses_named("device")
            .any(|clause| clause.has_modifier("ancestor"));
        if self.device.is_some() && goes_back {
            self.lose_sight("regions that go back to the host are not followed", stmt.origin);
        }
        if !spoken || !moves(directive) || self.device.is_some() {
            let own_before = self.threads_own.clone();
            if self.device.is_none() {
                self.threads_own.extend(copied_by_threads(directive, at));
            }
            let flow = match body {
                Some(body) => self.statement(body, state),
                None => Flow::at(state),
            };
            self.threads_own = own_before;
            return flow;
        }
        let named_before = self.named_around.clone();
        if directive.language == Language::OpenAcc && directive.is_data_environment() {
            self.named_around.extend(named_by(directive, at));
        }
        let flow = self.performed_or_not((stmt, directive, at), body, state);
        self.named_around = named_before;
        flow
    }

    /// What a directive does that moves data, and what is under it, if its `if` holds, and if not.
    fn performed_or_not(
        &mut self,
        (stmt, directive, at): (&Stmt, &Directive<Code>, &AtDirective),
        body: Option<&Stmt>,
        state: State,
    ) -> Flow {
        // An `if` that does not hold leaves the construct to the host.
        let condition = at.conditions.iter().find(|(name, _)| {
            name.as_deref()
                .is_none_or(|name| name.starts_with("target") || name == directive.name)
        });
        let (mut literals, mut with, mut without) = ((None, None), true, false);
        if self.is_the_host(at) {
            (with, without) = (false, true);
        } else if let Some((_, outcomes)) = condition {
            without = true;
            match outcomes.exact() {
                Some(condition) => match self.decided(&at.facts, &condition) {
                    Some(holds) => (with, without) = (holds, !holds),
                    None => {
                        literals = (
                            Some(self.literal(condition.clone())),
                            Some(self.literal(condition.not())),
                        );
                    }
                },
                None => {
                    literals = (
                        Some(Literal::Statement(stmt.id, true)),
                        Some(Literal::Statement(stmt.id, false)),
                    )
                }
            }
        }
        let under = |literal: &Option<Literal>| match literal {
            Some(literal) => assumed(state.clone(), literal, stmt.id, &self.index.asked),
            None => state.clone(),
        };
        let (with_state, without_state) = (under(&literals.0), under(&literals.1));
        let other = without.then(|| {
            self.supposing(literals.1.as_ref(), |walk| match body {
                Some(body) => walk.statement(body, without_state),
                None => Flow::at(without_state),
            })
        });
        let one = with.then(|| {
            let before = self.perhaps_done;
            self.perhaps_done |= without;
            let flow = self.supposing(literals.0.as_ref(), |walk| {
                walk.performed(stmt, directive, body, with_state)
            });
            self.perhaps_done = before;
            flow
        });
        match (one, other) {
            (Some(mut one), Some(other)) => {
                one.falls = match (one.falls, other.falls) {
                    (Some(one), Some(two)) => {
                        let ways = [&literals.0, &literals.1].map(|literal| Way::Under(literal.as_slice()));
                        let mut met = self.meet(one, two, ways);
                        self.settle(&mut met);
                        Some(met)
                    }
                    (one, two) => one.or(two),
                };
                one.returns.extend(other.returns);
                one.breaks.extend(other.breaks);
                one.continues.extend(other.continues);
                one
            }
            (one, other) => one.or(other).unwrap_or_default(),
        }
    }

    /// True if the `device` clause names the host itself, by what the function of the run time gives.
    fn is_the_host(&self, at: &AtDirective) -> bool {
        let device = at.device.as_ref().and_then(Option::as_ref);
        let Some(symbol) = device.and_then(Expr::as_symbol) else {
            return false;
        };
        let SymbolKind::Result(call) = self.values.symbols.info(symbol).kind else {
            return false;
        };
        calls_of(self.unit, self.function, self.values, &["omp_get_initial_device"]).contains(&call)
    }

    /// What clauses evaluate is read: `num_teams(n)`.
    fn values_of_clauses(&self, directive: &Directive<Code>, state: &mut State) {
        for (value, _) in directive
            .expressions()
            .into_iter()
            .filter(|(_, site)| matches!(site.role, Role::Value | Role::Modifier))
        {
            value.walk(&mut |inner| {
                let ExprKind::Load(place) = &inner.kind else {
                    return;
                };
                match place.base {
                    PlaceBase::Variable(variable) => {
                        let root = self.values.addresses.get(&variable).copied();
                        let object = root.and_then(|root| state.get_mut(&root));
                        object.into_iter().for_each(|object| object.ledger.doubt());
                    }
                    _ => state.change_all(|object| object.ledger.doubt()),
                }
            });
        }
    }

    /// True for directives that let transfers take place at another time than where they stand, or elsewhere.
    fn is_unordered(&self, stmt: &Stmt, directive: &Directive<Code>) -> bool {
        let clauses = ["nowait", "async", "depend", "device"];
        let mut clauses = clauses.iter().chain(&ADDRESSES);
        // `device` of an OpenACC update names data.
        let names = |name: &str| name != "device" || directive.language == Language::OpenMp;
        if moves(directive) || directive.has_clause("use_device") {
            return clauses.any(|name| names(name) && directive.has_clause(name));
        }
        let forks = ["parallel", "task", "taskloop", "sections", "teams"];
        directive.language == Language::OpenMp
            && forks.iter().any(|leaf| directive.has_leaf(leaf))
            && self.has_directives(stmt)
    }

    fn performed(
        &mut self,
        stmt: &Stmt,
        directive: &Directive<Code>,
        body: Option<&Stmt>,
        state: State,
    ) -> Flow {
        let mut state = state;
        let at = &self.values.directives[&stmt.id];
        let is_target = directive.is_target_construct();
        let mut touched = BTreeSet::new();
        if let (true, Some(body)) = (is_target, body) {
            let statements = Index::statements(self.values, body);
            touched = self.index.roots(self.values, &statements);
            // What a pointer leads to is no variable of the construct.
            let named: BTreeSet<Symbol> = mentioned_variables(body)
                .into_iter()
                .filter_map(|variable| self.values.addresses.get(&variable).copied())
                .collect();
            touched.retain(|root| named.contains(root));
        }
        let mut construct = Construct::of(
            (self.unit, self.values, self.reading),
            stmt,
            directive,
            at,
            &touched,
            (self.always, &self.named_around),
        );
        self.bound.resolve(self.values, &self.unit.types, &mut construct);
        if construct.not_understood {
            self.lose_sight("a clause of this directive is not followed", stmt.origin);
        }
        if self.is_another_device(directive, at) {
            self.lose_sight("devices that differ are not followed", stmt.origin);
        }
        let environments = self.environments.len();
        if directive.is_data_environment() || directive.is_enter_data() {
            self.environments.extend(at.device.clone());
        }
        self.bare
            .extend(construct.bare_pointers.iter().map(|(root, by)| (*root, *by)));
        let others = [
            &construct.attached,
            &construct.in_parts,
            &construct.device_addresses,
            &construct.reduced,
        ];
        self.perhaps_there.extend(others.into_iter().flatten());
        self.by_members.extend(&construct.in_parts);
        self.perhaps_there.extend(construct.bare_pointers.keys());
        for section in construct.sections.iter().filter(|section| !section.holes) {
            self.beyond(section, &construct.facts);
        }
        if directive.is_update() {
            self.each_section(&construct, &mut state, Act::Update);
            return Flow::at(state);
        }
        if directive.is_exit_data() {
            // Members that one clause maps are counted together (OpenMP 5.1 §2.21.7.1), and a structure that is mapped as a whole goes with its member: what of
            // it is there behind an exit that does not name all of it is not followed.
            for root in &construct.in_parts {
                let of_root = construct.sections.iter().filter(|section| section.root == *root);
                let named: Vec<&Extent> = of_root.map(|section| &section.extent).collect();
                if let Some(object) = state.get_mut(root)
                    && !object.has_just(&named, &construct.facts)
                {
                    object.lose();
                }
            }
            self.each_section(&construct, &mut state, Act::Exit);
            return Flow::at(state);
        }
        self.each_section(&construct, &mut state, Act::Enter);
        self.attach(&construct, &mut state);
        self.sets_pointers(&construct, &mut state);
        let Some(body) = body else { return Flow::at(state) };
        if !is_target {
            let named_before = self.at_device_address.clone();
            self.at_device_address.extend(&construct.device_addresses);
            let mut flow = self.statement(body, state);
            self.at_device_address = named_before;
            if let Some(state) = &mut flow.falls {
                self.each_section(&construct, state, Act::Exit);
                self.forgets_pointers(&construct, state);
            }
            self.environments.truncate(environments);
            return flow;
        }
        let by_hand = self.asks_for_itself(body);
        self.unordered |= by_hand;
        self.used_by_clauses(stmt, &state);
        self.device = Some(OnDevice {
            construct,
            by_hand,
            changed: BTreeMap::new(),
        });
        let flow = self.statement(body, state);
        let Some(device) = self.device.take() else {
            return flow;
        };
        let mut flow = Flow {
            falls: self.returned(flow),
            ..Flow::default()
        };
        if let Some(state) = &mut flow.falls {
            for (root, touch) in &device.changed {
                if let Some(by) = device.construct.copies.get(root) {
                    self.object(state, *root).change_lost(touch, *by);
                }
            }
            if device.by_hand {
                state.change_all(|object| object.pieces.doubt_conditional());
            }
            self.each_section(&device.construct, state, Act::Exit);
            self.forgets_pointers(&device.construct, state);
        }
        flow
    }

    /// What clauses of a region name besides its data, they use as a whole: `reduction(+: a[0:n])` sums all of it up.
    fn used_by_clauses(&self, stmt: &Stmt, state: &State) {
        if self.book.is_none() {
            return;
        }
        let named: std::cell::RefCell<BTreeSet<Symbol>> = Default::default();
        self.any_inside(stmt, &|inner| {
            if let (StmtKind::Directive { directive, .. }, Some(at)) =
                (&inner.kind, self.values.directives.get(&inner.id))
            {
                let data = directive.data();
                let is_data = |clause, item| data.iter().any(|one| (one.clause, one.item) == (clause, item));
                let others = at.items.iter().filter(|one| !is_data(one.clause, one.item));
                named.borrow_mut().extend(others.filter_map(|one| one.root));
            }
            false
        });
        for root in named.into_inner() {
            if let Some(object) = state.get(&root) {
                object.ledger.all_is_used();
            }
        }
    }

    /// True if data are perhaps not on the device of a directive, but on another: its number differs from that of an environment around or before, or
    /// what it begins or ends to be there does so on another device in each iteration.
    fn is_another_device(&self, directive: &Directive<Code>, at: &AtDirective) -> bool {
        let Some(device) = &at.device else { return false };
        let stays = directive.is_enter_data() || directive.is_exit_data() || directive.is_update();
        let differs = |other: &Option<Expr>| match (device, other) {
            (Some(device), Some(other)) => !at.facts.prove_equal(device, other),
            _ => true,
        };
        let varying = |device: &Expr| {
            self.loops
                .iter()
                .any(|index| varies(self.values, device, self.values.loops[index.0 as usize].stmt))
        };
        // A function that the clause calls may give the host's own number.
        let is_called = directive
            .value("device")
            .is_some_and(|value| matches!(value.kind, ExprKind::Opaque { .. }));
        is_called || stays && device.as_ref().is_none_or(varying) || self.environments.iter().any(differs)
    }

    /// A pointer that is on the device itself (`declare target`, a clause of its own) leads to the section there that is mapped through it (OpenMP 5.0 2.19.7.1,
    /// OpenACC 2.7 2.7.2). That it stays as it is where both were there before is not followed: implementations differ.
    fn attach(&mut self, construct: &Construct, state: &mut State) {
        for (holder, bytes, by) in &construct.pointers {
            if !is_one_object(self.values, *holder, &self.loops) {
                continue;
            }
            let there = state.seen(*holder, || self.first(*holder));
            match there.present(bytes, &construct.facts) {
                Presence::Absent => {}
                Presence::There(_) => self.object(state, *holder).copy_in(bytes, &construct.facts, *by),
                Presence::Partly(..) | Presence::Unknown => self.object(state, *holder).lose(),
            }
        }
    }

    /// Maps, unmaps or updates each section of a construct whose object is clear.
    pub(super) fn each_section(&mut self, construct: &Construct, state: &mut State, act: Act) {
        let path = self.path.clone();
        let wanted = self.history.wants(construct.at);
        if wanted {
            let copies = construct.copies.keys().map(|root| (construct.whole.stmt, *root));
            self.history.copies.extend(copies);
        }
        for section in &construct.sections {
            if let Some(book) = &self.book {
                book.under(self.path.len());
            }
            // A pointer that is attached on the device is set there by no copy.
            let attached = construct.attached.contains(&section.root);
            // A scalar that no clause names is copied by the compiler, which knows better.
            let own = section.by.clause.is_none() && self.is_scalar(section.root);
            let unclear = self.is_unclear(section, state);
            if let (Some(book), true) = (&self.book, attached || own || unclear) {
                for to_device in [true, false] {
                    for act in [Act::Enter, Act::Exit, Act::Update] {
                        book.unclear(section, act, to_device);
                    }
                }
                let number = book.lend(section, &construct.facts);
                book.whole(number);
            }
            if unclear {
                self.unclear_mapping |= act != Act::Update;
                self.unsure.insert((section.at.span(), section.root));
                continue;
            }
            let before = self.object(state, section.root);
            let presence = before.present(&section.extent, &construct.facts);
            let other = matches!(presence, Presence::Partly(..)) && act != Act::Enter;
            if !presence.is_clear() || other {
                self.unsure.insert((section.at.span(), section.root));
            }
            // The copy reads what may be known by another name.
            if self.book.is_some() {
                for other in self.others(section.root, state) {
                    if let Some(object) = state.get_mut(&other) {
                        object.ledger.doubt();
                    }
                }
            }
            let mut found = Vec::new();
            let mut now = Now {
                path: &path,
                defects: &mut found,
            };
            let object = self.object(state, section.root);
            // What no clause names is what is there; OpenACC wants all of it.
            if act != Act::Exit && (section.by.clause.is_some() || construct.is_openacc) {
                object.ledger.named(&section.extent, &construct.facts);
            }
            let before = wanted.then(|| object.clone());
            match act {
                Act::Enter => {
                    let began = object.holes.is_none() && object.mappings.is_empty();
                    object.enter(section, &construct.facts, &mut now);
                    if began {
                        object.holes = object.begins_with_nothing(
                            section,
                            self.values.extents.get(&section.root),
                            &construct.facts,
                        );
                    }
                }
                Act::Exit => object.exit(section, &construct.facts, &mut now),
                Act::Update => object.update(section, &construct.facts, &mut now),
            }
            if let Some(before) = before {
                self.history.keep(act, section, &before, object, &construct.facts);
            }
            // What else of the structure is there is not followed.
            if self.by_members.contains(&section.root) {
                found.retain(|defect| !matches!(defect.kind, Kind::PartialOverlap | Kind::PresentMissing));
            }
            if act != Act::Enter {
                self.doubt_others(section.root, state);
            }
            if act != Act::Update {
                self.doubt_mappings(section.root, state);
            }
            self.note(found);
        }
    }

    fn is_scalar(&self, root: Symbol) -> bool {
        let variable = self.values.variable_at(root);
        variable.is_some_and(|variable| {
            let ty = self.values.type_of(self.unit, variable);
            self.unit.types.is_scalar(ty)
        })
    }

    /// True if it is not clear of which object a section is; then nothing is sure of all that it may be.
    pub(super) fn is_unclear(&self, section: &Section, state: &mut State) -> bool {
        if self.threads_own.contains(&section.root) {
            self.object(state, section.root).lose();
            return true;
        }
        if is_one_object(self.values, section.root, &self.loops) {
            return false;
        }
        let reach = self.reach();
        state.change(
            |root, _| may_overlap(&reach, section.root, root),
            |_, object| object.lose(),
        );
        true
    }

    /// A section that reaches outside its object.
    pub(super) fn beyond(&mut self, section: &Section, facts: &Facts) {
        let Some(size) = self.values.extents.get(&section.root) else {
            return;
        };
        let Some((low, high)) = section.extent.bytes() else {
            return;
        };
        // An empty section reaches nowhere.
        let Some((facts, confidence)) = section.extent.not_empty(facts) else {
            return;
        };
        let outside = facts.prove_nonnegative(&(&(&high - size) - &Expr::one()))
            || facts.prove_nonnegative(&(&-&low - &Expr::one()));
        if !outside {
            return;
        }
        let object = Extent::new(Expr::zero(), size.clone());
        self.note(vec![section.defect(
            Kind::SectionBeyondObject,
            confidence,
            Some(&object),
        )]);
    }
}

/// The calls of functions of the run time that give device memory.
fn device_memory(unit: &Unit, function: FunctionRef, values: &Values) -> BTreeSet<StmtId> {
    let names = [
        "omp_target_alloc",
        "acc_malloc",
        "omp_get_mapped_ptr",
        "acc_deviceptr",
    ];
    calls_of(unit, function, values, &names)
}

/// The calls of functions with these names.
pub(super) fn calls_of(
    unit: &Unit,
    function: FunctionRef,
    values: &Values,
    names: &[&str],
) -> BTreeSet<StmtId> {
    let mut found = BTreeSet::new();
    let bodies = values.bodies.values().map(|body| &body.stmt);
    for body in unit.function(function).body.iter().chain(bodies) {
        body.walk(&mut |inner| {
            if let StmtKind::Call {
                callee: Callee::Function(id),
                ..
            } = &inner.kind
                && names.contains(&unit.function(*id).name.as_str())
            {
                found.insert(inner.id);
            }
        });
    }
    found
}

/// What is left of a state where a condition has come out so.
fn assumed(mut state: State, literal: &Literal, of: StmtId, asked: &Asked) -> State {
    state.change_striking(
        |object| object.pieces.is_wrong_on_some_paths(),
        |object| object.pieces.assume(literal, of, asked),
    );
    state
}

/// True for directives that put data on a device, move them, or run there.
pub fn moves(directive: &Directive<Code>) -> bool {
    directive.is_target_construct()
        || directive.is_data_environment()
        || directive.is_enter_data()
        || directive.is_exit_data()
        || directive.is_update()
}

impl Flow {
    pub(super) fn at(state: State) -> Flow {
        Flow {
            falls: Some(state),
            ..Flow::default()
        }
    }
}

/// True if a directive of the unit gives the host an address of the device, which the program may keep.
fn gets_addresses(unit: &Unit) -> bool {
    let gives = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Directive { directive, .. } => {
            let mut clauses = ["use_device_ptr", "use_device_addr", "use_device"].into_iter();
            clauses.any(|name| directive.has_clause(name))
        }
        _ => false,
    };
    let mut bodies = unit
        .functions()
        .filter_map(|(_, function)| function.body.as_ref());
    bodies.any(|body| crate::shape::any(body, &mut |stmt| gives(stmt)))
}
