//! Which loops become kernels, and which kernels share a data environment?
//!
//! From the outside in: the outermost loop that can be a kernel is one; where it cannot, the loops inside are asked,
//! and their environments are moved out around the loop if that is right. Neighbours in one block are fused while the
//! group can still be one environment, and share data.

use crate::emit::Style;
use crate::environment::{
    Environment, Group, decide, note_existence, runs_always, sharpen, turned, under_conditions,
};
use crate::fitness;
use crate::kernel::{Context, Kernel, candidate};
use crate::links::Links;
use crate::scope::declared_by;
use ferry_analysis::bounded::{self, Bound};
use ferry_analysis::effects::Effects;
use ferry_analysis::forward::lengths;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::regions::Regions;
use ferry_analysis::symbols::Cause;
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::{Detail, FunctionFacts, Kind, analyse_named, analyse_within};
use ferry_ir::{FunctionRef, Stmt, StmtId, StmtKind, Unit};
use ferry_source::{DirectiveLine, Origin, Preprocessor, Sources};
use ferry_symbolic::Symbol;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What the user asked for.
#[derive(Clone, Copy, Debug)]
pub struct Goals {
    /// Offload also what does not seem worth it.
    pub all: bool,
    /// Offload also what rests on ranges of sizes, which is tested before.
    pub bounded: bool,
    /// Offload nothing whose floating-point results may depend on the order of its iterations.
    pub strict: bool,
}

/// What the plans of all functions of a unit go by.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// What the user asked for.
    pub goals: Goals,
    /// How directives are written.
    pub style: &'a Style,
    /// The variables that are declared for the device.
    pub links: &'a Links,
}

/// What is to be done in one function.
#[derive(Clone, Default)]
pub struct Plan {
    /// The data environments, in text order.
    pub environments: Vec<Environment>,
    /// For each loop: `Ok` if it runs on the device (in a kernel, at any depth), else why not.
    pub offloaded: BTreeMap<LoopIndex, Result<(), Cause>>,
}

/// Analyses and plans one function: with constants by their names if that finds as much as their values do.
///
/// Bounds with names stay right when the program is compiled with other values; what is found only with the values of
/// this build is used where names find less.
pub fn best(
    unit: &Unit,
    id: FunctionRef,
    effects: &Effects,
    sources: &Sources,
    wanted: Wanted<'_>,
    detail: Detail,
) -> (FunctionFacts, Plan) {
    let (facts, planned, names) = best_plain(unit, id, effects, sources, wanted, detail);
    if !wanted.goals.bounded {
        return (facts, planned);
    }
    let mut best: Option<(FunctionFacts, Plan)> = None;
    let mut taken = Vec::new();
    for guess in [unwrapped, forward] {
        let (known, plan_known) = best
            .as_ref()
            .map_or((&facts, &planned), |(known, plan)| (known, plan));
        if !more_may_help(known, plan_known) {
            break;
        }
        let more = guess(unit, known, plan_known);
        if more.is_empty() {
            continue;
        }
        let bounds = [taken.clone(), more].concat();
        let mut within = analyse_within(unit, id, effects, names, detail, &bounds);
        within.name_what_was_taken(&facts);
        let plan_within = plan(unit, id, &within, effects, sources, wanted);
        // Where nothing more runs on the device, kernels without a test are better.
        let (before, after) = (rank(known, plan_known), rank(&within, &plan_within));
        if after > before && (after.0 > before.0 || before.0 == 0) {
            best = Some((within, plan_within));
            taken = bounds;
        }
    }
    best.unwrap_or((facts, planned))
}

/// Ranges of sizes in which unsigned arithmetic does not wrap around.
fn unwrapped(unit: &Unit, facts: &FunctionFacts, _: &Plan) -> Vec<Bound> {
    bounded::bounds(unit, facts)
}

/// Sizes that are positive, so that rows lie one behind the other, of loops that stay on the host and are not in order for certain.
fn forward(unit: &Unit, facts: &FunctionFacts, plan: &Plan) -> Vec<Bound> {
    let is_left = |index: &LoopIndex| facts.verdicts[index.0 as usize].kind != Kind::Sequential;
    let left = plan.offloaded.iter().filter(|(_, result)| result.is_err());
    let left = left.map(|(index, _)| *index).filter(is_left);
    lengths(unit, facts, &left.collect())
}

/// How much comes of it: loops that run on the device, loops that could, and how few of them need atomic updates, which what is proved to be apart does not.
fn rank(facts: &FunctionFacts, plan: &Plan) -> (usize, usize, std::cmp::Reverse<usize>) {
    let parallel = facts.verdicts.iter().filter(|verdict| verdict.is_free()).count();
    let offloaded = plan.offloaded.values().filter(|result| result.is_ok()).count();
    let atomics: usize = facts.verdicts.iter().map(|verdict| verdict.atomics.len()).sum();
    (offloaded, parallel, std::cmp::Reverse(atomics))
}

/// The facts with constants kept by their names, or with their values if more comes of that.
fn best_plain<'s>(
    unit: &Unit,
    id: FunctionRef,
    effects: &Effects,
    sources: &'s Sources,
    wanted: Wanted<'_>,
    detail: Detail,
) -> (FunctionFacts, Plan, Option<&'s Sources>) {
    let named = analyse_named(unit, id, effects, Some(sources), detail);
    let plan_named = plan(unit, id, &named, effects, sources, wanted);
    let has_names = {
        let mut symbols = named.values.symbols.iter();
        symbols.any(|info| matches!(info.kind, SymbolKind::Named { .. }))
    };
    if !has_names || !more_may_help(&named, &plan_named) {
        return (named, plan_named, Some(sources));
    }
    let valued = analyse_named(unit, id, effects, None, detail);
    let plan_valued = plan(unit, id, &valued, effects, sources, wanted);
    match rank(&valued, &plan_valued) > rank(&named, &plan_named) {
        true => (valued, plan_valued, None),
        false => (named, plan_named, Some(sources)),
    }
}

/// Could more be found if more were known? Not where every loop that stays on the host is in order for certain, and no loop needs atomic updates.
fn more_may_help(facts: &FunctionFacts, plan: &Plan) -> bool {
    let left = plan.offloaded.iter().filter(|(_, result)| result.is_err());
    facts.verdicts.iter().any(|verdict| !verdict.atomics.is_empty())
        || left
            .into_iter()
            .any(|(index, _)| facts.verdicts[index.0 as usize].kind != Kind::Sequential)
}

/// Plans one function.
pub fn plan(
    unit: &Unit,
    id: FunctionRef,
    facts: &FunctionFacts,
    effects: &Effects,
    sources: &Sources,
    wanted: Wanted<'_>,
) -> Plan {
    let style = wanted.style;
    let function = unit.function(id);
    let context = Context {
        unit,
        function,
        facts,
    };
    let mut planner = Planner {
        context,
        sources,
        wanted,
        reasons: BTreeMap::new(),
    };
    let mut plan = Plan::default();
    let mut taken = std::collections::BTreeSet::new();
    let regions = OnceCell::new();
    if let Some(body) = &function.body {
        let groups = planner.visit(body, &[]);
        for group in groups {
            match planner.check(&group) {
                Ok(mut environment) => {
                    let regions = || {
                        regions.get_or_init(|| Regions::asked_of_written(unit, id, effects, &facts.values))
                    };
                    // Regions do not know that what lies behind exchanged pointers are all buffers.
                    if group.turned.is_none() {
                        sharpen(context, &regions, &group, &mut environment);
                    }
                    note_existence(group.context(context), &group, &mut environment);
                    environment.taken = taken.clone();
                    taken.extend(crate::emit::names(context, sources, &environment, style));
                    for kernel in &environment.kernels {
                        planner.mark(kernel);
                    }
                    plan.environments.push(environment);
                }
                Err(cause) => {
                    for kernel in &group.kernels {
                        planner.reasons.entry(kernel.index).or_insert(Err(cause.clone()));
                    }
                }
            }
        }
    }
    plan.offloaded = planner.reasons;
    for number in 0..facts.values.loops.len() {
        let index = LoopIndex(number as u32);
        let origin = facts.values.loops[number].origin;
        let missing = || Err(Cause::new("no loop around it could be offloaded either", origin));
        plan.offloaded.entry(index).or_insert_with(missing);
    }
    plan
}

struct Planner<'a> {
    context: Context<'a>,
    sources: &'a Sources,
    wanted: Wanted<'a>,
    reasons: BTreeMap<LoopIndex, Result<(), Cause>>,
}

impl<'a> Planner<'a> {
    fn index(&self, stmt: StmtId) -> Option<LoopIndex> {
        let position = self
            .context
            .facts
            .values
            .loops
            .iter()
            .position(|of| of.stmt == stmt)?;
        Some(LoopIndex(position as u32))
    }

    /// The groups inside a statement, in text order.
    fn visit(&mut self, stmt: &'a Stmt, outside: &[LoopIndex]) -> Vec<Group<'a>> {
        match &stmt.kind {
            StmtKind::Loop(inner) => self.visit_loop(stmt, &inner.body, outside),
            StmtKind::Block { body, .. } => self.visit_block(body, outside),
            // Under directives of the user nothing is changed.
            StmtKind::Directive { .. } => {
                self.refuse_inside(stmt, "it is under a directive already");
                Vec::new()
            }
            _ => stmt
                .children()
                .into_iter()
                .flat_map(|child| self.visit(child, outside))
                .collect(),
        }
    }

    fn refuse_inside(&mut self, stmt: &Stmt, why: &str) {
        let mut found = Vec::new();
        stmt.walk(&mut |inner| {
            if matches!(inner.kind, StmtKind::Loop(_)) {
                found.push((inner.id, inner.origin));
            }
        });
        for (id, origin) in found {
            if let Some(index) = self.index(id) {
                self.reasons.insert(index, Err(Cause::new(why, origin)));
            }
        }
    }

    fn visit_loop(&mut self, stmt: &'a Stmt, body: &'a Stmt, outside: &[LoopIndex]) -> Vec<Group<'a>> {
        let Some(index) = self.index(stmt.id) else {
            return Vec::new();
        };
        if let Some(group) = self.as_kernel(stmt, index, outside, false) {
            return vec![group];
        }
        let inside = self.visit_inside(stmt, body, index, outside);
        // Combining copies of a section costs time: only where nothing inside runs on the device, or next to nothing at a time.
        let combines = !self.context.facts.verdicts[index.0 as usize].sections.is_empty();
        let is_small = |kernel: &Kernel| self.too_small(kernel.index).is_some();
        let mut kernels = inside.iter().flat_map(|group| &group.kernels);
        if !combines || !kernels.all(is_small) {
            return inside;
        }
        match self.as_kernel(stmt, index, outside, true) {
            Some(group) => vec![group],
            None => inside,
        }
    }

    /// The loop as one kernel, if it can be; what keeps it from that is noted.
    fn as_kernel(
        &mut self,
        stmt: &'a Stmt,
        index: LoopIndex,
        outside: &[LoopIndex],
        combine: bool,
    ) -> Option<Group<'a>> {
        // Around a loop one pass is enough for all its iterations.
        let dear = match self.wanted.goals.all || !outside.is_empty() {
            true => None,
            false => fitness::only_a_pass(self.context, index),
        };
        match dear.map_or_else(|| self.kernel(stmt, index, combine), Err) {
            Ok(kernel) => {
                let statements = std::slice::from_ref(stmt);
                let group = self.preferred(Group {
                    kernels: vec![kernel],
                    statements,
                    outside: outside.to_vec(),
                    turned: None,
                    given: Vec::new(),
                });
                let decided = decide(self.context, &group);
                match decided.map(|environment| self.is_writable(&environment)) {
                    Ok(Ok(())) => return Some(group),
                    // What cannot be written here may be simpler around the loop outside.
                    Ok(Err(_)) if !outside.is_empty() => return Some(group),
                    Ok(Err(cause)) | Err(cause) => {
                        self.reasons.insert(index, Err(cause));
                    }
                }
            }
            Err(cause) => {
                self.reasons.insert(index, Err(cause));
            }
        }
        None
    }

    /// The groups in the body of a loop that is no kernel itself.
    fn visit_inside(
        &mut self,
        stmt: &'a Stmt,
        body: &'a Stmt,
        index: LoopIndex,
        outside: &[LoopIndex],
    ) -> Vec<Group<'a>> {
        let mut inner_path = outside.to_vec();
        inner_path.push(index);
        let inner = self.visit(body, &inner_path);
        if inner.is_empty() {
            return inner;
        }
        // All kernels of the loop in one environment around it.
        let kernels: Vec<Kernel> = inner
            .iter()
            .flat_map(|group| group.kernels.iter().cloned())
            .collect();
        if !self.wanted.goals.all && self.are_started_too_often(&kernels, &inner_path) {
            return Vec::new();
        }
        let hoisted = match inner.iter().any(|group| group.turned.is_some()) {
            true => Err(Cause::new(
                "a loop in it exchanges the pointers of its kernels",
                stmt.origin,
            )),
            false => self.around(stmt, kernels.clone(), outside),
        };
        match hoisted {
            Ok(around) => {
                for kernel in kernels {
                    if !around.kernels.iter().any(|one| one.index == kernel.index) {
                        let why = "it runs under a condition below a sequential loop, and its data cannot stay on the device with those of the other kernels in it";
                        self.reasons
                            .insert(kernel.index, Err(Cause::new(why, stmt.origin)));
                    }
                }
                vec![around]
            }
            Err(cause) => {
                if self.wanted.goals.all {
                    return inner;
                }
                for kernel in inner.iter().flat_map(|group| &group.kernels) {
                    let why = format!(
                        "it is below a sequential loop, and its data cannot stay on the device around that loop: {}",
                        cause.why
                    );
                    self.reasons.insert(kernel.index, Err(Cause::new(why, cause.at)));
                }
                Vec::new()
            }
        }
    }

    /// True if none of the kernels below these loops is worth its starts, which is noted. One that is needs the others, so that the data can stay on the device.
    fn are_started_too_often(&mut self, kernels: &[Kernel], outside: &[LoopIndex]) -> bool {
        let dear = kernels.iter().map(|kernel| {
            let cause = fitness::started_too_often(self.context, kernel.index, outside)?;
            Some((kernel.index, Err(cause)))
        });
        let dear: Option<Vec<_>> = dear.collect();
        let is_dear = dear.is_some();
        self.reasons.extend(dear.into_iter().flatten());
        is_dear
    }

    /// All kernels of a loop in one environment around it, if that is right.
    fn around(
        &self,
        stmt: &'a Stmt,
        kernels: Vec<Kernel>,
        outside: &[LoopIndex],
    ) -> Result<Group<'a>, Cause> {
        let (turned, kernels) = match turned(self.context, stmt, &kernels)? {
            Some(_)
                if !kernels
                    .iter()
                    .all(|kernel| runs_always(self.context, stmt, kernel)) =>
            {
                let why = "a kernel in it runs under a condition, and the loop exchanges the pointers of its kernels";
                return Err(Cause::new(why, stmt.origin));
            }
            Some((turned, kernels)) => (Some(Rc::new(turned)), kernels),
            None => (None, kernels),
        };
        let around = Group {
            kernels,
            statements: std::slice::from_ref(stmt),
            outside: outside.to_vec(),
            turned,
            given: Vec::new(),
        };
        let preferred = self.preferred(around.clone());
        let why = match self.check(&preferred) {
            Ok(_) => return Ok(preferred),
            Err(why) => why,
        };
        if around.turned.is_some() {
            return Err(why);
        }
        // What the host does where they do not run may be all that keeps them from it.
        let under_conditions = under_conditions(self.context, &around).into_iter();
        // The others are none of them then.
        let certain = self.certain_of(stmt, &around);
        let mut rest = under_conditions.chain(certain);
        rest.find_map(|group| {
            let group = self.preferred(group);
            self.check(&group).ok().map(|_| group)
        })
        .ok_or(why)
    }

    /// The kernels that no condition inside of the statement leaves out, if there are others.
    fn certain_of(&self, stmt: &Stmt, around: &Group<'a>) -> Option<Group<'a>> {
        let is_certain = |kernel: &&Kernel| runs_always(self.context, stmt, kernel);
        let kernels: Vec<Kernel> = around.kernels.iter().filter(is_certain).cloned().collect();
        (!kernels.is_empty() && kernels.len() < around.kernels.len()).then(|| Group {
            kernels,
            ..around.clone()
        })
    }

    /// How many of the collapsed loops have no pragma of a compiler between their heads.
    fn without_pragmas(&self, kernel: &Kernel) -> usize {
        let loops = &self.context.facts.values.loops;
        let mut current = kernel.index;
        for depth in 1..kernel.collapse {
            let Some(next) = loops
                .iter()
                .position(|of| of.is_own() && of.parent == Some(current))
            else {
                return kernel.collapse;
            };
            let heads = loops[current.0 as usize].keyword.zip(loops[next].keyword);
            if let Some((outer, inner)) = heads
                && outer.file == inner.file
                && let Some(between) = self
                    .sources
                    .bytes(outer.file)
                    .get(outer.start as usize..inner.start as usize)
                && has_pragma(between)
            {
                return depth;
            }
            current = LoopIndex(next as u32);
        }
        kernel.collapse
    }

    fn kernel(&self, stmt: &Stmt, index: LoopIndex, combine: bool) -> Result<Kernel, Cause> {
        if self.wanted.goals.strict
            && let Some(at) = self.rounds_in_another_order(index)
        {
            let why =
                "with --fp strict, its operations on floating-point numbers have to stay in their order";
            return Err(Cause::new(why, at));
        }
        let mut kernel = candidate(
            self.context,
            stmt,
            index,
            self.wanted.style.version,
            combine,
            self.wanted.links,
        )?;
        kernel.collapse = self.without_pragmas(&kernel);
        if let Some(mut instead) = kernel.instead.take() {
            instead.collapse = self.without_pragmas(&instead);
            kernel.instead = Some(instead);
        }
        if !self.wanted.goals.all
            && let Some(cause) = self.too_small(index)
        {
            return Err(cause);
        }
        Ok(kernel)
    }

    /// Why a nest is not worth a kernel, judged by the trip counts of the loops that are nested one in the other from here.
    fn too_small(&self, index: LoopIndex) -> Option<Cause> {
        let loops = &self.context.facts.values.loops;
        let mut inside = Vec::new();
        let mut inner = Some(index);
        while let Some(current) = inner {
            inner = loops
                .iter()
                .position(|of| of.is_own() && of.parent == Some(current))
                .map(|position| LoopIndex(position as u32));
            inside.extend(inner.map(|index| &loops[index.0 as usize]));
        }
        fitness::too_small(&loops[index.0 as usize], &inside)
    }

    /// Where a kernel of this loop would combine floating-point numbers in another order than the loop, or compare them as if none were NaN.
    fn rounds_in_another_order(&self, index: LoopIndex) -> Option<Origin> {
        let verdict = self.context.facts.verdicts.get(index.0 as usize)?;
        let reduced = verdict.reductions.iter().filter(|one| one.floating);
        let updated = verdict.atomics.iter().filter(|one| one.floating);
        let combined = verdict.sections.iter().filter(|one| one.floating);
        let at = reduced.map(|one| one.at).chain(updated.map(|one| one.at));
        at.chain(combined.map(|one| one.at)).next()
    }

    fn visit_block(&mut self, body: &'a [Stmt], outside: &[LoopIndex]) -> Vec<Group<'a>> {
        let mut result: Vec<Group<'a>> = Vec::new();
        // Groups that are statements of this block, with their positions, not yet fused.
        let mut open: Vec<(Group<'a>, usize)> = Vec::new();
        for (position, stmt) in body.iter().enumerate() {
            for group in self.visit(stmt, outside) {
                let direct = group.statements.len() == 1 && group.statements[0].id == stmt.id;
                if direct {
                    open.push((group, position));
                } else {
                    self.fuse_all(body, std::mem::take(&mut open), &mut result);
                    result.push(group);
                }
            }
        }
        self.fuse_all(body, open, &mut result);
        result
    }

    /// From the first on: the longest run of groups that can be one, ends with one that shares data with the run, and
    /// so on behind it. A group that shares with nothing before it may lie between two that share.
    fn fuse_all(&self, body: &'a [Stmt], groups: Vec<(Group<'a>, usize)>, result: &mut Vec<Group<'a>>) {
        let mut first = 0;
        while first < groups.len() {
            let mut best = (groups[first].0.clone(), first);
            for last in first + 1..groups.len() {
                let shares = groups[first..last]
                    .iter()
                    .any(|(group, _)| self.share(group, &groups[last].0));
                match self.fuse(body, &groups[first..=last]) {
                    Some(fused) if shares => best = (fused, last),
                    Some(_) => {}
                    None => break,
                }
            }
            first = best.1 + 1;
            result.push(best.0);
        }
    }

    /// True if two groups use the same array.
    fn share(&self, a: &Group<'a>, b: &Group<'a>) -> bool {
        a.kernels.iter().any(|one| {
            b.kernels.iter().any(|two| {
                let both = |root: &&Symbol| two.bases.contains_key(root);
                one.bases
                    .keys()
                    .filter(both)
                    .any(|root| self.context.is_scalar_object(*root).is_none())
            })
        })
    }

    /// One group around neighbours, if that is right.
    fn fuse(&self, body: &'a [Stmt], groups: &[(Group<'a>, usize)]) -> Option<Group<'a>> {
        if groups.iter().any(|(group, _)| group.turned.is_some()) {
            return None;
        }
        let (first, last) = (groups.first()?, groups.last()?);
        let outside = first.0.outside.clone();
        let (first, last) = (first.1, last.1);
        // Names that the new braces would hide from what follows.
        let statements = &body[first..=last];
        let mut declared = Default::default();
        for stmt in statements {
            let own = declared_by(stmt);
            ferry_analysis::scalar::Variables::extend(&mut declared, own);
        }
        let used_later = body[last + 1..].iter().any(|stmt| mentions_any(stmt, &declared));
        if used_later {
            return None;
        }
        let kernels = groups
            .iter()
            .flat_map(|(group, _)| group.kernels.iter().cloned())
            .collect();
        let group = self.preferred(Group {
            kernels,
            statements,
            outside,
            turned: None,
            given: Vec::new(),
        });
        self.check(&group).ok().map(|_| group)
    }

    /// The group, or the same with no element reduced through a scalar if only that can be written.
    fn preferred(&self, group: Group<'a>) -> Group<'a> {
        if group.kernels.iter().all(|kernel| kernel.promoted.is_empty()) || self.check(&group).is_ok() {
            return group;
        }
        let without = |kernel: &Kernel| match kernel.promoted.is_empty() {
            true => Some(kernel.clone()),
            false => kernel.instead.as_deref().cloned(),
        };
        let kernels: Option<Vec<Kernel>> = group.kernels.iter().map(without).collect();
        let other = kernels.map(|kernels| Group {
            kernels,
            ..group.clone()
        });
        match other {
            Some(other) if self.check(&other).is_ok() => other,
            _ => group,
        }
    }

    /// True if the group can be decided and written.
    fn check(&self, group: &Group<'a>) -> Result<Environment, Cause> {
        let environment = decide(self.context, group)?;
        self.is_writable(&environment)?;
        Ok(environment)
    }

    fn is_writable(&self, environment: &Environment) -> Result<(), Cause> {
        crate::emit::edits(self.context, self.sources, environment, self.wanted.style).map(|_| ())
    }

    /// The loops of an accepted kernel run on the device.
    fn mark(&mut self, kernel: &Kernel) {
        let values = &self.context.facts.values;
        let all = (0..values.loops.len()).map(|number| LoopIndex(number as u32));
        for index in all.filter(|index| values.enclosing(*index).any(|one| one == kernel.index)) {
            self.reasons.insert(index, Ok(()));
        }
    }
}

fn mentions_any(stmt: &Stmt, variables: &ferry_analysis::scalar::Variables) -> bool {
    let mut found = false;
    stmt.walk(&mut |inner| {
        if let Some(place) = inner.written_place()
            && let ferry_ir::PlaceBase::Variable(variable) = place.base
        {
            found |= variables.contains(&variable);
        }
        inner.for_each_expression(&mut |expr| {
            found |= variables
                .iter()
                .any(|variable| ferry_analysis::scalar::expr_mentions(expr, *variable));
        });
    });
    found
}

/// True if there is a pragma in a text, also in a branch of `#if` that is not compiled here: in another build it is.
fn has_pragma(text: &[u8]) -> bool {
    let preprocessor = Preprocessor::new(text);
    let is_pragma = |line: &DirectiveLine| line.keyword == "pragma";
    preprocessor.lines().iter().any(is_pragma) || ferry_source::mentions(text, "_Pragma")
}
