//! Does a directive that is in the source contradict a dependence that is proved?
//!
//! The loops are looked at as if they had no directives; then the clauses are applied, and the rules by which variables are shared. What is left of
//! dependences that certainly exist whenever the loops run long enough is a finding, and so is a clause that combines values by another operator than the loop
//! does (`operator`). What exists if data let iterations come to it (`conditional`) is likely. Everything that could not be decided is counted, not said:
//! accesses in called functions, in `critical`, `atomic` and their like, and loops that call what is not known, for example locks: of these, only what an
//! iteration sets and reads before it calls anything (`scratch`).
//!
//! What it cannot do: find that a directive is right. It finds directives that are certainly wrong.

mod conditional;
pub(crate) mod nest;
mod operator;
mod scratch;
pub(crate) mod sharing;
mod strip;

use crate::access::Access;
use crate::declared;
use crate::dependence::{Answer, Tested};
use crate::effects::{Effects, linked::Outside};
use crate::loops::{LoopFacts, LoopIndex};
use crate::races::meet::{Apart, Pair, Sides};
use crate::reduction::ReductionOp;
use crate::scalar::LoopScalars;
use crate::verdict::{FunctionFacts, Kind, OnDemand, Verdict};
use conditional::is_apart;
use ferry_directive::Directive;
use ferry_ir::visit::{expression_variables, mentioned_variables};
use ferry_ir::{
    BinaryOp, Expr as Code, ExprKind, Function, GlobalId, LoopKind, Place, PlaceBase, Stmt, StmtId, StmtKind,
    Unit, VariableKind, VariableRef,
};
use ferry_source::{Finding, Origin, Severity, Sources, Span};
use ferry_symbolic::{Expr, Symbol};
use nest::{Nest, Way};
use sharing::Sharing;
use std::collections::{BTreeMap, BTreeSet};

/// What came of the directives of a unit.
#[derive(Default, Debug)]
pub struct Verification {
    /// How many were looked at.
    pub directives: usize,
    /// Of these, how many contradict nothing that is proved, but are not proved to be right either, if that was asked.
    pub undecided: Option<usize>,
    /// What contradicts, by directive.
    pub findings: Vec<Finding>,
    /// What contradicts if data let two iterations meet a condition, of directives without anything surer.
    pub likely: Vec<Finding>,
    /// How many directives what certainly contradicts is about.
    pub contradicted: usize,
    /// For directives with findings, by the place of the findings: clauses with which its loops are proved to be parallel, where some are all that is missing.
    pub clauses: BTreeMap<Span, Vec<String>>,
}

/// Most findings about one directive.
const MOST: usize = 4;
/// Most choices of iterations that are tried for the pairs of one nest.
const CHOICES: usize = 3000;

/// Verifies the loop directives of a unit; `declarations` are those at no statement's place, with their names. With `decide` the directives are counted that are not
/// proved to be right, for which all that their loops touch is looked at.
pub fn verify(
    unit: &Unit,
    outside: &Outside,
    declarations: &[(Span, &str)],
    sources: &Sources,
    decide: bool,
) -> Verification {
    let mut result = Verification {
        undecided: decide.then_some(0),
        ..Verification::default()
    };
    let has_nests = |function: &Function| {
        function
            .body
            .as_ref()
            .is_some_and(|body| !nest::nests(body).is_empty())
    };
    if !unit.functions.iter().any(has_nests) {
        return result;
    }
    let of_threads = of_threads(unit, declarations, sources);
    let stripped = strip::without_directives(unit);
    let effects = Effects::of_linked(&stripped, outside);
    for (id, function) in unit.functions() {
        let Some(body) = &function.body else { continue };
        let nests = nest::nests(body);
        if nests.is_empty() {
            continue;
        }
        let facts = OnDemand::facts(&stripped, id, &effects);
        let verdicts = OnDemand::new(&stripped, &effects, &facts);
        for nest in &nests {
            result.directives += 1;
            let check = Check {
                unit: &stripped,
                function,
                facts: &facts,
                verdicts: &verdicts,
                nest,
                of_threads: &of_threads,
                decide,
            };
            let understood = check.findings();
            let is_understood = understood.is_some();
            let Found { certain, likely } = understood.unwrap_or_default();
            let first = certain.first().or(likely.as_ref());
            // A verdict is costly: it is asked for only where it may mend something.
            if let Some(label) = first.and_then(|one| one.primary.as_ref()) {
                let clauses = check.missing_clauses();
                result.clauses.extend(clauses.map(|clauses| (label.at, clauses)));
            }
            if !certain.is_empty() {
                result.contradicted += 1;
            } else if let Some(undecided) = &mut result.undecided
                && !(is_understood && check.is_decided())
            {
                *undecided += 1;
            }
            result.findings.extend(certain);
            result.likely.extend(likely);
        }
    }
    result.findings.sort_by(|a, b| a.order().cmp(&b.order()));
    result.likely.sort_by(|a, b| a.order().cmp(&b.order()));
    result
}

/// What `threadprivate` gives each thread.
pub(crate) struct OfThreads {
    /// The variables that it names.
    variables: BTreeSet<GlobalId>,
    /// Where one of them, or a part of it, is set: what comes up there is of the thread that is there, as storage that it allocates.
    set: Vec<Span>,
}

impl OfThreads {
    /// True for a variable of which each thread has its own.
    pub(crate) fn has(&self, variable: GlobalId) -> bool {
        self.variables.contains(&variable)
    }

    /// True for a place at which such a variable is set.
    pub(crate) fn is_set_at(&self, place: Origin) -> bool {
        let inside = |at: Span| self.set.iter().any(|one| one.contains(at));
        place.span().is_some_and(inside)
    }
}

/// The variables that `threadprivate` names, or that are declared `_Thread_local`, and where they are set.
pub(crate) fn of_threads(unit: &Unit, declarations: &[(Span, &str)], sources: &Sources) -> OfThreads {
    let declared = declared::all(unit, declarations, sources);
    let private = declared.into_iter().filter(|one| one.private);
    let mut variables: BTreeSet<GlobalId> = private.flat_map(|one| one.globals).collect();
    let all = unit.globals.iter().zip(0u32..);
    variables.extend(
        all.filter(|(global, _)| global.thread_local)
            .map(|(_, number)| GlobalId(number)),
    );
    let bodies = unit
        .functions
        .iter()
        .filter_map(|function| function.body.as_ref());
    let mut set = Vec::new();
    for body in bodies.filter(|_| !variables.is_empty()) {
        body.walk(&mut |stmt| {
            if let Some(PlaceBase::Variable(VariableRef::Global(id))) =
                stmt.written_place().map(|place| &place.base)
                && variables.contains(id)
            {
                set.extend(stmt.origin.span());
            }
        });
    }
    OfThreads { variables, set }
}

/// True if a loop may run in two iterations of one around it that has at least two: the first two or the last two, which is enough where the number of its own iterations
/// grows or falls with the number of the outer iteration. `for (k = i; k < 1; k++)` runs in the first one only. False if that number is not known.
fn may_run_in_two(outer: &LoopFacts, inner: &LoopFacts) -> bool {
    let (Ok(outer_trip), Ok(trip)) = (&outer.trip, &inner.trip) else {
        return false;
    };
    let mut known = inner.before.facts.without_symbol(outer.counter);
    let another = |behind: i128| outer_trip + &Expr::int(-behind);
    known.assume_nonnegative(another(2));
    let may_run = |iteration: &Expr| {
        let trip = trip.substitute(outer.counter, iteration);
        !known.prove_nonnegative(&-&trip)
    };
    if !trip.mentions(outer.counter) {
        return may_run(&Expr::zero());
    }
    let pairs = [[Expr::zero(), Expr::one()], [another(2), another(1)]];
    pairs.iter().any(|pair| pair.iter().all(may_run))
}

/// What is found of one directive.
#[derive(Default)]
struct Found {
    certain: Vec<Finding>,
    /// What data decide, where nothing is certain.
    likely: Option<Finding>,
}

struct Check<'a> {
    unit: &'a Unit,
    function: &'a Function,
    facts: &'a FunctionFacts,
    verdicts: &'a OnDemand<'a>,
    nest: &'a Nest<'a>,
    of_threads: &'a OfThreads,
    /// What is not decided is counted.
    decide: bool,
}

/// Which variables are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    All,
    /// Those that an iteration sets and reads before it calls anything.
    BeforeCalls,
}

/// One loop of a nest.
struct One<'a> {
    stmt: &'a Stmt,
    index: LoopIndex,
    facts: &'a LoopFacts,
    /// Its verdict as far as it is known without a look at memory.
    by_name: &'a Verdict,
    scalars: &'a LoopScalars,
}

impl One<'_> {
    /// False if the loop certainly has one iteration or none, or it is not known how many it has.
    fn may_run_twice(&self) -> bool {
        self.facts.trip.as_ref().is_ok_and(|trip| {
            let only = &Expr::one() - trip;
            !self.facts.before.facts.prove_nonnegative(&only)
        })
    }

    /// True if nobody knows how often it runs since its bound may change, for all that is known, which the bound of a loop with a directive does not.
    fn has_a_bound_for_all_that_is_known(&self) -> bool {
        let canonical = self.by_name.canonical.as_ref();
        self.facts.trip.is_err() && canonical.is_ok_and(|canonical| canonical.step.is_some())
    }
}

impl<'a> Check<'a> {
    /// True if iterations may wait for one another by what is volatile, as atomic variables are, too.
    fn may_wait(&self, outer: &One<'_>) -> bool {
        let volatile = |access: &Access| access.volatile && access.loops.contains(&outer.index);
        self.facts.values.accesses.iter().any(volatile)
    }

    fn loops(&self) -> Option<Vec<One<'a>>> {
        let one = |stmt: &&'a Stmt| {
            let number = self.facts.values.loops.iter().position(|of| of.stmt == stmt.id)?;
            let index = LoopIndex(number as u32);
            Some(One {
                stmt,
                index,
                facts: &self.facts.values.loops[number],
                by_name: self.verdicts.by_name(index)?,
                scalars: self.facts.scalars.get(&stmt.id)?,
            })
        };
        let all: Option<Vec<_>> = self.nest.loops.iter().map(one).collect();
        all.filter(|all| !all.is_empty())
    }

    /// What is wrong; `None` if the loops were not understood.
    fn findings(&self) -> Option<Found> {
        let loops = self.loops()?;
        let directive = self.nest.directive;
        let is_one = |directive: &Directive<Code>, clause: &str| {
            directive
                .value(clause)
                .is_some_and(|value| value.as_int() == Some(1))
        };
        let is_off = |directive: &Directive<Code>| {
            let conditions = directive.conditions();
            conditions.iter().any(|(_, value)| value.as_int() == Some(0))
        };
        // The threads may be made by a directive around.
        let around = self
            .nest
            .region()
            .map_or(&[][..], |(_, number)| &self.nest.around[number..]);
        let made = around
            .iter()
            .map(|(directive, _)| *directive)
            .filter(|directive| nest::says(directive, "parallel"));
        let serial = ["num_threads", "safelen", "simdlen"]
            .iter()
            .any(|clause| is_one(directive, clause))
            || is_off(directive)
            || made
                .clone()
                .any(|directive| is_off(directive) || is_one(directive, "num_threads"));
        let doacross = directive.value("ordered").is_some();
        // What the value of a condition is, whoever asks for all that is not decided wants to know.
        let conditional = self.decide
            && made
                .chain([directive])
                .flat_map(|directive| directive.conditions())
                .any(|(name, value)| name != Some("target") && value.as_int().is_none());
        if self.nest.by_hand || serial || doacross || conditional {
            return None;
        }
        let values = &self.facts.values;
        let sharing = Sharing::of(self.function, values, self.nest, self.of_threads)?;
        let outer = loops.first()?;
        if loops.iter().any(|one| one.by_name.canonical.is_err()) || self.may_wait(outer) {
            return None;
        }
        let inside = nest::inside(outer.stmt);
        // What a call does that is not known may be to take a lock.
        let calls = &outer.facts.calls;
        let is_seen = outer.facts.opaque.is_empty()
            && !calls
                .iter()
                .any(|call| call.obstacle.is_some() && !call.only_memory);
        if !is_seen && self.decide {
            return None;
        }
        let (looked_at, asked) = match is_seen {
            true => (&loops[..], Asked::All),
            false => (&loops[..1], Asked::BeforeCalls),
        };
        let (mut found, mut unsure) = (Vec::new(), Vec::new());
        for one in looked_at {
            // One iteration depends on nothing.
            if one.may_run_twice() {
                self.scalars(one, &loops, &sharing, &inside, asked, &mut found);
                if is_seen {
                    self.memory(one, &loops, &sharing, &inside, &mut found);
                }
            } else if one.has_a_bound_for_all_that_is_known() {
                self.scalars(one, &loops, &sharing, &inside, asked, &mut unsure);
            }
        }
        if is_seen {
            self.operators(outer, &mut found);
        }
        found.truncate(MOST);
        let mut likely = unsure.into_iter().next().filter(|_| found.is_empty());
        if found.is_empty() && likely.is_none() && is_seen {
            likely = self.under_conditions(outer, &loops, &sharing, &inside);
        }
        Some(Found {
            certain: found,
            likely,
        })
    }

    /// As it is called in its function, or the file.
    fn name(&self, variable: VariableRef) -> &str {
        match variable {
            VariableRef::Local(id) => &self.function.local(id).name,
            VariableRef::Global(id) => &self.unit.global(id).name,
        }
    }

    /// The clauses that its loops need besides those that are there; `None` if clauses are not enough, or all are there.
    fn missing_clauses(&self) -> Option<Vec<String>> {
        let loops = self.loops()?;
        let sharing = Sharing::of(self.function, &self.facts.values, self.nest, self.of_threads)?;
        let own = loop_variables(&loops);
        let (mut private, mut reduced) = (BTreeSet::new(), BTreeSet::new());
        for one in &loops {
            let verdict = self.verdicts.verdict(one.index)?;
            // That sections do not overlap, and the like, is what its author says with the directive.
            let clauses_are_enough = verdict.is_free()
                && verdict.inductions.is_empty()
                && verdict.atomics.is_empty()
                && verdict.assuming.is_empty()
                && verdict.last_private.iter().all(|variable| own.contains(variable));
            if !clauses_are_enough {
                return None;
            }
            private.extend(verdict.private.iter().copied());
            for reduction in &verdict.reductions {
                // `&&` and `||` make 1 of every other value, which the sequential loop leaves alone.
                if matches!(reduction.op, ReductionOp::And | ReductionOp::Or) {
                    return None;
                }
                reduced.insert((reduction.variable?, reduction.op.spelling()));
            }
        }
        let shared = |variable: &VariableRef| !own.contains(variable) && sharing.variable(*variable);
        let calls = loops
            .iter()
            .any(|one| !ferry_ir::visit::calls(one.stmt).is_empty());
        let name = |variable: VariableRef| match variable {
            // A function that is called would touch the one variable, not the copies.
            VariableRef::Global(_) if calls => None,
            _ => Some(self.name(variable).to_owned()),
        };
        let mut clauses = Vec::new();
        let names: Option<Vec<String>> = private
            .iter()
            .filter(|one| shared(one))
            .map(|one| name(*one))
            .collect();
        let names = names?;
        if !names.is_empty() {
            clauses.push(format!("private({})", names.join(", ")));
        }
        for (variable, operator) in reduced.iter().filter(|(variable, _)| shared(variable)) {
            clauses.push(format!("reduction({operator}: {})", name(*variable)?));
        }
        (!clauses.is_empty()).then_some(clauses)
    }

    /// True if all its loops are parallel without a condition, as far as clauses are concerned.
    fn is_decided(&self) -> bool {
        let Some(loops) = self.loops() else { return false };
        let sharing = Sharing::of(self.function, &self.facts.values, self.nest, self.of_threads);
        let Some(sharing) = sharing else { return false };
        let variables = loop_variables(&loops);
        loops.iter().all(|one| {
            let Some(verdict) = self.verdicts.verdict(one.index) else {
                return false;
            };
            let mut own = verdict.private.iter().chain(
                verdict
                    .reductions
                    .iter()
                    .filter_map(|reduction| reduction.variable.as_ref()),
            );
            verdict.kind == Kind::Parallel
                && verdict.is_free()
                && verdict.inductions.is_empty()
                && verdict.atomics.is_empty()
                && verdict
                    .reductions
                    .iter()
                    .all(|reduction| reduction.variable.is_some())
                && own.all(|variable| variables.contains(variable) || !sharing.variable(*variable))
        })
    }

    fn finding(&self, message: &str, at: Origin, what: &str, other: Option<(Origin, String)>) -> Finding {
        self.of_directive(message, at, what, other)
            .note("whenever the loop runs long enough")
    }

    /// The same, without a word on when it is so.
    fn of_directive(
        &self,
        message: &str,
        at: Origin,
        what: &str,
        other: Option<(Origin, String)>,
    ) -> Finding {
        let prefix = match self.nest.directive.language {
            ferry_directive::Language::OpenMp => "omp",
            ferry_directive::Language::OpenAcc => "acc",
        };
        let name = format!("`{prefix} {}`", self.nest.directive.name);
        let mut finding = Finding::new(
            Severity::Error,
            "directive-contradicts-dependence",
            format!("{name} runs iterations at a time that depend on one another: {message}"),
        );
        if let Some(span) = self.nest.stmt.origin.span() {
            // A directive's statement has what it governs, too: its first line is meant.
            finding = finding.at(Span::new(span.file, span.start, span.start + 1), "this directive");
        }
        if let Some(span) = at.span() {
            finding = finding.related(span, what);
        }
        if let Some((at, what)) = other
            && let Some(span) = at.span()
        {
            finding = finding.related(span, what);
        }
        finding
    }

    /// The variables in clauses on data of the compute construct and its loops; none in a `kernels` construct, whose loops a compiler may leave in order.
    fn named_on_data(&self) -> BTreeSet<VariableRef> {
        let around = self.nest.around.iter().map(|(directive, _)| *directive);
        let all: Vec<_> = around.chain([self.nest.directive]).collect();
        if all.iter().any(|directive| directive.has_leaf("kernels")) {
            return BTreeSet::new();
        }
        let data = all.iter().flat_map(|directive| directive.data());
        data.filter_map(|data| data.object?.base.as_variable()).collect()
    }

    /// Scalars that every iteration sets and all of them share, or that carry a value though each iteration has a copy.
    fn scalars(
        &self,
        one: &One<'_>,
        loops: &[One<'_>],
        sharing: &Sharing<'_>,
        inside: &BTreeMap<StmtId, Vec<&ferry_directive::Directive<ferry_ir::Expr>>>,
        asked: Asked,
        found: &mut Vec<Finding>,
    ) {
        let variables = loop_variables(loops);
        let mut written = one.scalars.written.clone();
        self.written_inside(one, one.stmt, &mut written);
        // A minimum or maximum is written in some iterations only, and read in all of them.
        let compared: BTreeSet<VariableRef> = one
            .by_name
            .reductions
            .iter()
            .filter(|reduction| matches!(reduction.op, ReductionOp::Minimum | ReductionOp::Maximum))
            .filter(|reduction| !reduction.is_only_set())
            .filter_map(|reduction| reduction.variable)
            .filter(|variable| !written.contains(variable))
            .collect();
        written.extend(&compared);
        // How scalars are shared is the compiler's business in OpenACC, but for those that a clause makes one on the device.
        if self.nest.directive.language == ferry_directive::Language::OpenAcc {
            let named = self.named_on_data();
            written.retain(|variable| named.contains(variable));
        }
        let counters = nest::counters_inside(one.stmt);
        for variable in &written {
            let VariableRef::Local(id) = *variable else {
                continue;
            };
            let local = self.function.local(id);
            let named = matches!(local.kind, VariableKind::Local | VariableKind::Parameter);
            if !named
                || local.address_taken
                || local.qualifiers.volatile
                || !self.unit.types.is_scalar(local.ty)
                || variables.contains(variable)
                || one.scalars.declared.contains(variable)
            {
                continue;
            }
            let writes = writes(one.stmt, *variable);
            let excused = writes
                .iter()
                .any(|store| is_apart(inside, &counters, store.id, *variable));
            let Some(first) = writes.first().filter(|_| !excused) else {
                continue;
            };
            if asked == Asked::BeforeCalls && !scratch::is_read_before_calls(one.stmt, *variable) {
                continue;
            }
            let carried = is_read_first(one.stmt, *variable);
            let name = &local.name;
            if sharing.variable(*variable) {
                let compared = compared.contains(variable);
                // Lanes that set the same variable, one after the other, leave the last value.
                if self.nest.way() == Way::Lanes && !carried && !compared {
                    continue;
                }
                let message = match carried {
                    _ if compared => {
                        format!("iterations compare {name} with their values and set it, and it is shared")
                    }
                    true => format!("every iteration reads and sets {name}, which is shared"),
                    false => format!("every iteration sets {name}, which is shared"),
                };
                let mut finding = self.finding(&message, first.origin, &format!("{name} is set here"), None);
                if !compared
                    && !is_read_beside(one.stmt, *variable, &writes)
                    && self.is_one_value(one, &writes)
                {
                    finding = same_value(finding);
                }
                found.push(finding);
            } else if carried && self.has_own_copy(*variable) {
                let message = format!(
                    "an iteration reads {name}, which an earlier one set, and each has a copy of its own"
                );
                found.push(self.finding(&message, first.origin, &format!("{name} is set here"), None));
            }
        }
    }

    /// True if nothing else in a loop touches what a statement writes: a value that is reset, and then changed or read, is another one for some time.
    fn is_all_of_it(&self, one: &One<'_>, write: &Access) -> bool {
        let inside = |access: &&Access| access.loops.contains(&one.index) && access.stmt != write.stmt;
        let mut others = self.facts.values.accesses.iter().filter(inside);
        others.all(|access| access.root.is_some() && access.root != write.root)
    }

    /// True if these statements of a loop store one value, whatever the iteration: a constant, or what the loop does not change; or set, or clear, the same bits of
    /// what is there.
    fn is_one_value(&self, one: &One<'_>, stores: &[&Stmt]) -> bool {
        let assigned = stores.iter().map(|stmt| match &stmt.kind {
            StmtKind::Assign { place, value } => Some((place, value)),
            _ => None,
        });
        let Some(stores) = assigned.collect::<Option<Vec<_>>>() else {
            return false;
        };
        let [(place, value)] = stores[..] else {
            let constants: BTreeSet<Option<i128>> = stores.iter().map(|(_, value)| value.as_int()).collect();
            return constants.len() == 1 && !constants.contains(&None);
        };
        let value = bits_of(place, value).unwrap_or(value);
        let mut fixed = true;
        value.walk(&mut |inner| match &inner.kind {
            ExprKind::Load(place) => {
                fixed &= match place.as_variable() {
                    Some(VariableRef::Local(id)) => {
                        !self.function.local(id).address_taken
                            && !one.scalars.declared.contains(&VariableRef::Local(id))
                            && writes(one.stmt, VariableRef::Local(id)).is_empty()
                    }
                    _ => false,
                };
            }
            ExprKind::Opaque { .. } => fixed = false,
            _ => {}
        });
        fixed
    }

    /// The variables that loops inside a loop write in each of their iterations, where two iterations of the outer one come to them.
    fn written_inside(&self, one: &One<'_>, stmt: &Stmt, found: &mut BTreeSet<VariableRef>) {
        let StmtKind::Loop(inner) = &stmt.kind else {
            let children = match &stmt.kind {
                StmtKind::Block { .. } | StmtKind::Directive { .. } => stmt.children(),
                _ => Vec::new(),
            };
            children
                .iter()
                .for_each(|child| self.written_inside(one, child, found));
            return;
        };
        let facts = self.facts.values.loops.iter().find(|one| one.stmt == stmt.id);
        if !facts.is_some_and(|facts| facts.early_exits.is_empty() && may_run_in_two(one.facts, facts)) {
            return;
        }
        if let Some(scalars) = self.facts.scalars.get(&stmt.id) {
            found.extend(scalars.written.difference(&scalars.declared).copied());
        }
        self.written_inside(one, &inner.body, found);
    }

    /// True if the directive itself gives each iteration a copy without a value.
    fn has_own_copy(&self, variable: VariableRef) -> bool {
        let mut named = BTreeSet::new();
        for clause in ["private", "lastprivate"] {
            for object in self.nest.directive.objects(clause).into_iter().flatten() {
                expression_variables(&object.base, &mut named);
            }
        }
        for clause in ["firstprivate", "reduction", "linear", "induction", "in_reduction"] {
            for object in self.nest.directive.objects(clause).into_iter().flatten() {
                let mut other = BTreeSet::new();
                expression_variables(&object.base, &mut other);
                named.retain(|variable| !other.contains(variable));
            }
        }
        named.contains(&variable)
    }

    /// Dependences through memory.
    fn memory(
        &self,
        one: &One<'_>,
        loops: &[One<'_>],
        sharing: &Sharing<'_>,
        inside: &BTreeMap<StmtId, Vec<&ferry_directive::Directive<ferry_ir::Expr>>>,
        found: &mut Vec<Finding>,
    ) {
        let values = &self.facts.values;
        let mut choices = CHOICES;
        let accesses = values.accesses.iter();
        let all: Vec<&Access> = accesses
            .filter(|access| access.conditional_depth <= one.facts.depth)
            .filter(|access| {
                access.loops.contains(&one.index) && !self.is_excused(one, sharing, inside, access)
            })
            .collect();
        let is_known = |access: &&&Access| {
            let address = access.address.as_ref();
            access.irregular.is_empty() && address.is_some_and(|address| sharing.value(address))
        };
        let own: Vec<&Access> = all.iter().filter(is_known).copied().collect();
        let mut reported: BTreeSet<Symbol> = BTreeSet::new();
        let mut tested = Tested::new(&values.symbols, one.facts.stmt, one.facts.counter);
        for write in own.iter().filter(|access| access.is_write()) {
            for other in own.iter().filter(|other| other.root == write.root) {
                let Some(root) = write.root.filter(|root| !reported.contains(root)) else {
                    break;
                };
                if other.is_write() && other.order < write.order {
                    continue;
                }
                let mut unknown = false;
                if let Some((distance, from, to)) =
                    self.dependence(one, [write, other], &mut tested, &mut unknown)
                {
                    reported.insert(root);
                    let mut finding = self.of_pair(write, other, distance, (from, to));
                    if std::ptr::eq(*write, *other)
                        && self.is_all_of_it(one, write)
                        && self.is_one_value(one, &at(one.stmt, write.stmt))
                    {
                        finding = same_value(finding);
                    }
                    found.push(finding);
                } else if unknown && self.meet(one, loops, sharing, [write, other], &mut choices) {
                    reported.insert(root);
                    let verb = if other.is_write() { "writes" } else { "reads" };
                    let message = format!("an iteration {verb} what another one writes");
                    found.push(self.of_two(&message, write, other));
                }
            }
        }
        for write in all.iter().filter(|access| access.is_write()) {
            for read in all
                .iter()
                .filter(|access| !access.is_write() && access.root == write.root)
            {
                if let Some(root) = write.root
                    && !reported.contains(&root)
                    && self.is_crowded(one, read, write)
                {
                    reported.insert(root);
                    let message = "each updates an element, and there are fewer elements than iterations";
                    found.push(self.of_two(message, write, read));
                }
            }
        }
    }

    /// True for an access that is not looked at, wherever it lies.
    fn is_excused(
        &self,
        one: &One<'_>,
        sharing: &Sharing<'_>,
        inside: &BTreeMap<StmtId, Vec<&Directive<Code>>>,
        access: &Access,
    ) -> bool {
        let Some(root) = access.root else { return true };
        let chain = inside.get(&access.stmt).map(Vec::as_slice).unwrap_or_default();
        let variable = match self.facts.values.symbols.info(root).kind {
            crate::symbols::SymbolKind::Address(variable) => Some(variable),
            _ => None,
        };
        // How scalars are shared is the compiler's business in OpenACC.
        let open = self.nest.directive.language == ferry_directive::Language::OpenAcc
            && variable.is_some_and(|variable| {
                ferry_ir::typing::variable_type(self.unit, Some(self.function), variable)
                    .is_some_and(|ty| self.unit.types.is_scalar(ty))
            });
        access.volatile
            || open
            || access.partial
            || access.called.is_some()
            || access.summary.is_some()
            || !sharing.value(&Expr::symbol(root))
            || sharing.is_copied(root, &one.facts.before)
            || chain.iter().any(|directive| {
                nest::keeps_apart(directive)
                    || sharing::own_of(directive).is_none_or(|own| {
                        variable.is_none_or(|variable| own.contains(&variable)) && !own.is_empty()
                    })
            })
    }

    /// True for an update of an element in each iteration, if there are more iterations than elements: whatever the subscripts are, two iterations update the same one.
    fn is_crowded(&self, one: &One<'_>, read: &Access, write: &Access) -> bool {
        let values = &self.facts.values;
        let once = write.loops.last() == Some(&one.index) && one.facts.early_exits.is_empty();
        let same = write.stmt == read.stmt
            && read.order < write.order
            && read.address.is_some()
            && read.address == write.address
            && read.size == write.size;
        let (Some(root), Ok(trip)) = (write.root, &one.facts.trip) else {
            return false;
        };
        if !same || !once || write.size == 0 || self.nest.way() == Way::Lanes {
            return false;
        }
        // The storage of a variable is one for all iterations.
        let is_variable = matches!(
            values.symbols.info(root).kind,
            crate::symbols::SymbolKind::Address(_)
        );
        let bytes = values.extents.get(&root).and_then(Expr::as_constant);
        let Some(bytes) = bytes.and_then(|bytes| bytes.to_i128()).filter(|_| is_variable) else {
            return false;
        };
        let elements = Expr::int(bytes / i128::from(write.size));
        let more = &(trip - &elements) - &Expr::one();
        one.facts.before.facts.prove_nonnegative(&more)
    }

    /// The distance of a dependence that certainly exists and that the directive does not allow: `None` inside if every iteration touches
    /// the same.
    fn dependence<'b>(
        &self,
        one: &One<'_>,
        [write, other]: [&'b Access; 2],
        tested: &mut Tested<'b>,
        unknown: &mut bool,
    ) -> Option<(Option<i128>, &'b Access, &'b Access)> {
        let safe = self.nest.directive.value("safelen");
        for (source, sink) in [(write, other), (other, write)] {
            let answer = tested.carried(source, sink);
            let same = std::ptr::eq(source, sink);
            // Their subscripts are equal that many iterations apart.
            let mut are_same = false;
            *unknown |= matches!(answer, Answer::Unknown);
            let distance = match answer {
                Answer::Carried { distance, .. } => match distance {
                    None => None,
                    Some(distance) => Some(distance.as_constant()?.to_i128()?),
                },
                Answer::Unknown if same && self.repeats(one, source) => None,
                Answer::Unknown
                    if let Some(distance) = self.fixed_distance(tested, one.index, source, sink) =>
                {
                    are_same = true;
                    Some(distance)
                }
                _ => {
                    if same {
                        break;
                    }
                    continue;
                }
            };
            if !same && !are_same && !same_element(one, source, sink, distance) {
                continue;
            }
            if self.nest.way() == Way::Lanes {
                // Lanes go from statement to statement together: what is touched later in the text is touched later.
                let backward = source.order >= sink.order;
                let short = match (distance, safe.map(ferry_ir::Expr::as_int)) {
                    (Some(distance), Some(Some(length))) => distance < length,
                    (_, Some(None)) => false,
                    _ => true,
                };
                // Lanes that write the same leave the last one.
                if !backward || !short || same {
                    if same {
                        break;
                    }
                    continue;
                }
            }
            return Some((distance, source, sink));
        }
        None
    }

    /// How many iterations apart two accesses certainly meet, wherever the loops inside run long enough.
    fn fixed_distance(
        &self,
        tested: &mut Tested<'_>,
        index: LoopIndex,
        source: &Access,
        sink: &Access,
    ) -> Option<i128> {
        let found = tested.fixed_distances(&self.facts.values.loops, index, source, sink)?;
        let (own, inner) = found.split_first()?;
        // Lanes run the iterations of a loop inside together.
        let in_order = self.nest.way() != Way::Lanes || inner.iter().all(|distance| *distance == 0);
        in_order.then_some(i128::from(*own))
    }

    /// True if two iterations of the nest that different threads run certainly touch the same element, at whatever distance.
    fn meet(
        &self,
        one: &One<'_>,
        loops: &[One<'_>],
        sharing: &Sharing<'_>,
        pair: [&Access; 2],
        choices: &mut usize,
    ) -> bool {
        let values = &self.facts.values;
        // All loops of a directive are asked at once.
        let Some(outer) = loops.first().filter(|outer| outer.index == one.index) else {
            return false;
        };
        let [Some(first), Some(second)] = pair.map(|access| access.address.as_ref()) else {
            return false;
        };
        let within = pair.map(|access| {
            let at = access.loops.iter().position(|index| *index == outer.index);
            at.and_then(|at| access.loops.get(at..)).unwrap_or_default()
        });
        let facts = |index: &LoopIndex| &values.loops[index.0 as usize];
        let own: BTreeSet<Symbol> = within
            .iter()
            .copied()
            .flatten()
            .map(|index| facts(index).counter)
            .collect();
        let is_same = |value: &Expr| {
            sharing.value(value)
                && value.symbols().iter().all(|symbol| {
                    own.contains(symbol) || !values.symbols.varies_in(*symbol, outer.facts.stmt)
                })
        };
        let counts = |index: &LoopIndex| facts(index).early_exits.is_empty();
        let indices = |access: &Access| -> Option<Vec<Expr>> {
            let all = access.subscripts.iter().map(|subscript| subscript.index.clone());
            all.collect()
        };
        let [Some(indices), Some(others)] = pair.map(indices) else {
            return false;
        };
        if self.nest.way() == Way::Lanes
            || pair[0].size != pair[1].size
            || indices.len() != others.len()
            || !within.iter().copied().flatten().all(counts)
            || ![first, second]
                .into_iter()
                .chain(&indices)
                .chain(&others)
                .all(is_same)
        {
            return false;
        }
        let shared: Vec<Symbol> = loops.iter().map(|one| one.facts.counter).collect();
        let sides = Sides {
            addresses: [first, second],
            subscripts: [&indices, &others],
            loops: within,
            shared: [Some(&shared), Some(&shared)],
            later: [&[], &[]],
        };
        let known = outer.facts.before.facts.clone();
        Pair::between(values, known, &sides, &is_same)
            .is_some_and(|pair| pair.meets(Apart::OtherIteration, choices))
    }

    /// True if every iteration touches the same elements: only loops inside, of a length that does not change, move it.
    fn repeats(&self, one: &One<'_>, access: &Access) -> bool {
        let values = &self.facts.values;
        let fixed = |expr: &Expr| values.symbols.invariant_in(expr, one.facts.stmt);
        access.address.as_ref().is_some_and(|address| {
            address.symbols().iter().all(|symbol| {
                !values.symbols.varies_in(*symbol, one.facts.stmt)
                    || values.loops.iter().any(|inner| {
                        inner.counter == *symbol
                            && inner.stmt != one.facts.stmt
                            && inner.trip.as_ref().is_ok_and(fixed)
                    })
            })
        })
    }

    fn of_pair(
        &self,
        write: &Access,
        other: &Access,
        distance: Option<i128>,
        (from, to): (&Access, &Access),
    ) -> Finding {
        let verb = if other.is_write() { "writes" } else { "reads" };
        let message = match distance {
            Some(distance) if std::ptr::eq(from, write) && !other.is_write() => {
                format!("an iteration reads what another one wrote, {distance} before it")
            }
            Some(distance) if std::ptr::eq(to, write) && !other.is_write() => {
                format!("an iteration writes what another one read, {distance} before it")
            }
            Some(distance) => format!("an iteration {verb} what another one, {distance} away, writes"),
            None => format!("every iteration {verb} what others write"),
        };
        self.of_two(&message, write, other)
    }

    fn of_two(&self, message: &str, write: &Access, other: &Access) -> Finding {
        let second = (!std::ptr::eq(write, other)).then(|| {
            let what = if other.is_write() {
                "and written here"
            } else {
                "and read here"
            };
            (other.origin, what.to_owned())
        });
        self.finding(message, write.origin, "written here", second)
    }
}

/// True if two accesses touch the same element in the shape in which the storage is declared: a subscript past the end of its dimension would reach
/// another row's element, which no right program does.
fn same_element(one: &One<'_>, source: &Access, sink: &Access, distance: Option<i128>) -> bool {
    let counter = one.facts.counter;
    let later = &Expr::symbol(counter) + &Expr::int(distance.unwrap_or(0));
    source.subscripts.len() == sink.subscripts.len()
        && source.subscripts.iter().zip(&sink.subscripts).all(|(a, b)| {
            let (Some(a), Some(b)) = (&a.index, &b.index) else {
                return false;
            };
            (&b.substitute(counter, &later) - a).is_zero()
        })
}

/// The variables of the loops themselves, of which each iteration has its own.
fn loop_variables(loops: &[One<'_>]) -> BTreeSet<VariableRef> {
    let canonical = loops.iter().filter_map(|one| one.by_name.canonical.as_ref().ok());
    canonical.map(|canonical| canonical.variable).collect()
}

/// The statements that set a variable.
fn writes(stmt: &Stmt, variable: VariableRef) -> Vec<&Stmt> {
    let mut found = Vec::new();
    stmt.walk(&mut |inner| {
        let place = inner.written_place();
        if place.is_some_and(|place| place.as_variable() == Some(variable)) {
            found.push(inner);
        }
    });
    found
}

/// True if something besides these statements mentions a variable.
fn is_read_beside(stmt: &Stmt, variable: VariableRef, stores: &[&Stmt]) -> bool {
    let mut found = false;
    stmt.walk(&mut |inner| {
        let mut mentioned = BTreeSet::new();
        inner.for_each_expression(&mut |expr| expression_variables(expr, &mut mentioned));
        found |= mentioned.contains(&variable) && !stores.iter().any(|store| store.id == inner.id);
    });
    found
}

/// The statement with a number inside another one.
fn at(stmt: &Stmt, id: StmtId) -> Vec<&Stmt> {
    let mut found = Vec::new();
    stmt.walk(&mut |inner| found.extend((inner.id == id).then_some(inner)));
    found
}

/// The bits that a store sets or clears in what is there (`x |= bits`): done twice, it leaves what it leaves when it is done once.
pub(crate) fn bits_of<'e>(place: &Place, value: &'e Code) -> Option<&'e Code> {
    match &value.kind {
        ExprKind::Cast(inner) => bits_of(place, inner),
        ExprKind::Binary(BinaryOp::Or | BinaryOp::And, one, two) => {
            let is_old = |side: &Code| {
                let mut side = side;
                while let ExprKind::Cast(inner) = &side.kind {
                    side = inner;
                }
                matches!(&side.kind, ExprKind::Load(old) if (&old.base, &old.path) == (&place.base, &place.path))
            };
            match (is_old(one), is_old(two)) {
                (true, false) => Some(two),
                (false, true) => Some(one),
                _ => None,
            }
        }
        _ => None,
    }
}

/// C calls it a race all the same; what is left in the end is the one value.
fn same_value(mut finding: Finding) -> Finding {
    finding.severity = Severity::Warning;
    finding.note("all of them store the same value: C calls it a data race, and the value is right where a store cannot be torn apart")
}

/// True if every iteration certainly reads a variable before it sets it.
fn is_read_first(stmt: &Stmt, variable: VariableRef) -> bool {
    /// `Some(true)`: read first; `Some(false)`: set first, or not known; `None`: not touched.
    fn first(stmt: &Stmt, variable: VariableRef) -> Option<bool> {
        let mut mentioned = BTreeSet::new();
        stmt.for_each_expression(&mut |expr| expression_variables(expr, &mut mentioned));
        match &stmt.kind {
            StmtKind::Block { body, .. } => body.iter().find_map(|stmt| first(stmt, variable)),
            StmtKind::Directive { body: Some(body), .. } => first(body, variable),
            StmtKind::Assign { .. } if mentioned.contains(&variable) => {
                // Both sides of `&&` and `?:` need not be evaluated.
                let StmtKind::Assign { value, .. } = &stmt.kind else {
                    return Some(false);
                };
                Some(!has_choice(value))
            }
            // Whenever it runs.
            StmtKind::Loop(inner) if inner.kind == LoopKind::For => {
                let begins = inner.init.iter().chain(&inner.before_test);
                let mut begins: Vec<bool> = begins.filter_map(|part| first(part, variable)).collect();
                if let Some(condition) = &inner.condition {
                    let mut mentioned = BTreeSet::new();
                    expression_variables(condition, &mut mentioned);
                    begins.extend(mentioned.contains(&variable).then_some(false));
                }
                let begins = begins.first().copied();
                begins.or_else(|| first(&inner.body, variable))
            }
            _ => {
                let touched = mentioned_variables(stmt).contains(&variable);
                touched.then_some(false)
            }
        }
    }
    match &stmt.kind {
        StmtKind::Loop(inner) => first(&inner.body, variable) == Some(true),
        _ => false,
    }
}

fn has_choice(expr: &ferry_ir::Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |inner| {
        found |= matches!(
            inner.kind,
            ferry_ir::ExprKind::Logical(..) | ferry_ir::ExprKind::Select(..)
        );
    });
    found
}
