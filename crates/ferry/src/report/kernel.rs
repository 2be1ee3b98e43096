//! How does it read what the threads of a kernel touch, and what another order of its loops would cost?

use super::collect::place_of;
use super::model::{
    AmountReport, DivergenceReport, EndsReport, KernelAccess, KernelReport, LaneReport, MappingReport, Place,
};
use super::{formula, sharing};
use crate::names::Names;
use ferry_analysis::coalescing::{
    self, Amount, Answers, Coalescing, Cost, Mapping, Pattern, Prepared, figure_7,
};
use ferry_analysis::loops::LoopIndex;
use ferry_gpu::Gpu;
use ferry_ir::Stmt;
use ferry_symbolic::{Expr, Facts};
use ferry_transform::fitness::{self, Divergence, Fork, Varies};
use ferry_transform::kernel::collapse;
use ferry_transform::plan::Plan;
use ferry_transform::reshape::{
    Alternative, Alternatives, Mapped, Nest, Profit, alternatives, cost, shared_accesses,
};
use std::collections::HashMap;

/// What is said of a kernel whose warps have one thread at work.
const ALONE: &str = "iterations are shared among teams only, so that one thread of a warp works and the others wait: share them among its threads, too (`parallel for`; `vector` in OpenACC)";

const LINES: formula::Which = |requests| &requests.lines;
const SECTORS: formula::Which = |requests| &requests.sectors;

/// Mappings that are listed besides the present one.
const MOST: usize = 6;

/// The kernel that begins with a loop, if one does: one that `annotate` would write, or one that directives write. Of a loop that is parallel and in no other
/// parallel one (`outermost`), what it would be.
pub fn of_loop(
    names: Names<'_>,
    plan: &Plan,
    mapped: &[Mapped<'_>],
    stmt: &Stmt,
    index: LoopIndex,
    outermost: bool,
    gpu: &Gpu,
) -> Option<KernelReport> {
    let planned = plan
        .environments
        .iter()
        .flat_map(|one| &one.kernels)
        .find(|kernel| kernel.index == index);
    let existing = mapped.iter().find(|one| one.mapping.root == index);
    let nest = Nest::of(names.context(), stmt);
    let context = names.context();
    let mapping = match (existing, planned) {
        (Some(existing), _) => existing.mapping.clone(),
        (None, Some(kernel)) => Mapping::of(nest.indices().into_iter().take(kernel.collapse).collect())?,
        // What it would be, were it one.
        (None, None) if outermost => Mapping::of(collapse(context, stmt, index))?,
        (None, None) => return None,
    };
    // A warp with one thread at work is as good as a warp of one thread.
    let alone = existing.is_some_and(|existing| existing.alone);
    let lone = alone.then(|| Gpu {
        warp: 1,
        ..gpu.clone()
    });
    let gpu = lone.as_ref().unwrap_or(gpu);
    let shared = shared_accesses(context, mapping.root);
    let writer = Writer {
        names,
        gpu,
        index,
        shared: &shared,
    };
    let cost = cost(context, &mapping, &shared, gpu);
    // Other orders are weighed with neighbouring iterations in neighbouring threads.
    let choices = (mapping.chunk == 1 && !alone)
        .then(|| alternatives(context, &nest, mapping.lanes.len(), &shared, gpu))
        .flatten();
    let best = choices.as_ref().and_then(|choices| choices.best(gpu));
    let accesses = writer.accesses(&mapping, &cost);
    let innermost = cost.innermost(&names.facts.values);
    let mut assumptions: Vec<String> = vec![format!(
        "arrays begin at a multiple of {} bytes on the device; what is said of any beginning holds wherever they are aligned for what is accessed",
        gpu.line
    )];
    assumptions.extend(existing.and_then(|existing| existing.taken.clone()));
    for condition in cost.accesses.iter().flat_map(|one| &one.coalescing.assumed) {
        let text = writer.names.condition(condition, &Facts::new());
        if !assumptions.contains(&text) {
            assumptions.push(text);
        }
    }
    let advice = best.zip(choices.as_ref());
    let advice =
        advice.map(|((best, profit), choices)| self::advice(names, gpu, best, profit, &choices.present));
    let advice = match alone {
        true => Some(ALONE.to_owned()),
        false => advice,
    };
    if choices.is_some() {
        assumptions.extend(compared_with(names, &cost));
    }
    let after = best
        .and_then(|(best, _)| {
            let mapping = Mapping::of(best.order[..best.together].to_vec())?;
            Some(writer.accesses(&mapping, &best.cost))
        })
        .unwrap_or_default();
    let divergence = match alone {
        true => Vec::new(),
        false => writer.divergence(&nest, &mapping, choices.as_ref()),
    };
    let mappings = choices.map(|choices| {
        let listed = choices.others.iter();
        // What is not legal is of interest only where it would be cheaper.
        let least = best_lines(&choices.present, &choices.others);
        let listed = listed.filter(|one| one.legal.is_ok() || one.total.lines < least);
        let others = listed.take(MOST).map(|one| writer.mapping(one, false));
        [writer.mapping(&choices.present, true)]
            .into_iter()
            .chain(others)
            .collect()
    });
    Some(KernelReport {
        gpu: gpu.name.clone(),
        warp: gpu.warp,
        alone,
        in_team: existing.is_some_and(|existing| existing.in_team),
        by_directive: existing.is_some(),
        planned: planned.is_some(),
        lanes: mapping.lanes.iter().map(|lane| writer.lane(*lane)).collect(),
        threads: cost.threads.as_ref().map(|threads| writer.value(threads)),
        lines: writer.innermost(&cost, LINES),
        sectors: writer.innermost(&cost, SECTORS),
        exact: innermost.iter().all(|one| one.coalescing.requests.exact),
        accesses,
        mappings: mappings.unwrap_or_default(),
        advice,
        after,
        divergence,
        sharing: sharing::of_kernel(names, &mapping, gpu),
        assumptions,
    })
}

fn best_lines(present: &Alternative, others: &[Alternative]) -> f64 {
    let legal = others.iter().filter(|one| one.legal.is_ok());
    legal
        .map(|one| one.total.lines)
        .fold(present.total.lines, f64::min)
}

struct Writer<'a> {
    names: Names<'a>,
    gpu: &'a Gpu,
    /// The kernel's first loop.
    index: LoopIndex,
    /// Its accesses, each with its number.
    shared: &'a [(usize, Prepared<'a>)],
}

impl Writer<'_> {
    fn value(&self, value: &Expr) -> String {
        let of = &self.names.facts.values.loops[self.index.0 as usize];
        self.names.value(value, &of.before.facts)
    }

    fn lane(&self, index: LoopIndex) -> LaneReport {
        let of = &self.names.facts.values.loops[index.0 as usize];
        LaneReport {
            variable: variable(self.names, index),
            place: of.keyword.map(|at| place_of(self.names.sources, at)),
        }
    }

    /// Where threads part. What another mapping does is known of the body that all loops of the nest have in common.
    fn divergence(
        &self,
        nest: &Nest<'_>,
        mapping: &Mapping,
        choices: Option<&Alternatives>,
    ) -> Vec<DivergenceReport> {
        let context = self.names.context();
        let innermost = mapping.innermost();
        let Some(own) = nest.loops.iter().find(|of| Some(of.index) == innermost) else {
            return Vec::new();
        };
        let keeps_together = |one: &Divergence, other: &Alternative| {
            let body = nest.loops.last().map(|of| &of.parts.body);
            let lanes = other.order.get(..other.together).unwrap_or_default();
            body.is_some_and(|body| {
                let inside = body.origin.span().zip(one.at.span());
                let then = fitness::divergence(context, body, lanes, mapping.chunk);
                inside.is_some_and(|(body, at)| body.contains(at))
                    && !then
                        .iter()
                        .any(|still| still.at == one.at && still.varies > Varies::Rows)
            })
        };
        let found = fitness::divergence(context, &own.parts.body, &mapping.lanes, mapping.chunk);
        let report = |one: &Divergence| {
            let better = match one.varies {
                Varies::Not | Varies::Rows => None,
                Varies::Iteration | Varies::Data => choices.and_then(|choices| {
                    choices
                        .worthwhile(self.gpu)
                        .find(|other| keeps_together(one, other))
                }),
            };
            Some(DivergenceReport {
                place: place_of(self.names.sources, one.at.span()?),
                what: match one.fork {
                    Fork::Branch => "branch",
                    Fork::Loop => "loop",
                },
                depends_on: match one.varies {
                    Varies::Not | Varies::Rows => "rows",
                    Varies::Iteration => "iteration",
                    Varies::Data => "data",
                },
                avoided_by: better.zip(choices).map(|(other, choices)| {
                    let times = other.total.lines / choices.present.total.lines;
                    format!(
                        "{}: {} of the requests",
                        the_order(self.names, other),
                        share(times)
                    )
                }),
            })
        };
        found.iter().filter_map(report).collect()
    }

    /// The accesses by place.
    fn accesses(&self, mapping: &Mapping, cost: &Cost) -> Vec<KernelAccess> {
        let (values, types) = (&self.names.facts.values, &self.names.unit.types);
        let any_base = Answers::of_any_base(values, types, mapping, self.gpu);
        let mut figures = HashMap::new();
        let mut found: Vec<KernelAccess> = cost
            .accesses
            .iter()
            .filter_map(|one| self.access(mapping, one, &any_base, &mut figures))
            .collect();
        found.sort_by(|one, two| one.place.cmp(&two.place).then(one.kind.cmp(two.kind)));
        found
    }

    /// What one access costs; `figures` are those of figure 7 for the kinds of accesses that were asked for.
    fn access(
        &self,
        mapping: &Mapping,
        one: &coalescing::AccessCost,
        any_base: &Answers<'_>,
        figures: &mut HashMap<usize, (usize, usize)>,
    ) -> Option<KernelAccess> {
        let access = &self.names.facts.values.accesses[one.access];
        let place = place_of(self.names.sources, access.origin.span()?);
        let found = &one.coalescing;
        let (values, types) = (&self.names.facts.values, &self.names.unit.types);
        let own = self
            .shared
            .binary_search_by_key(&one.access, |(number, _)| *number);
        let (_, prepared) = self.shared.get(own.ok()?)?;
        let any_base = &any_base.of(prepared).requests;
        let figure = || figure_7::requests(values, types, mapping, access, self.gpu.warp);
        let (least, most) = match prepared.kind(values, types) {
            Some(kind) => *figures.entry(kind).or_insert_with(figure),
            None => figure(),
        };
        // Of a pointer that is one of several all alternatives have to do with it.
        let several = access.choice.as_ref().map_or(1, |choice| choice.of);
        let alternatives = values.accesses.iter().skip(one.access).take(several);
        let mut objects: Vec<String> = alternatives
            .filter_map(|one| one.root)
            .map(|root| self.names.symbol(root))
            .collect();
        objects.dedup();
        Some(KernelAccess {
            ipda_figure_7: [least, most],
            object: (!objects.is_empty()).then(|| objects.join(" or ")),
            kind: if access.is_write() { "write" } else { "read" },
            text: self.names.text(access.origin),
            pattern: pattern(&found.pattern),
            size: access.size,
            stride: found.stride.as_ref().map(|stride| self.names.mathematics(stride)),
            sectors: self.amount(&found.requests.sectors, found.requests.exact, &any_base.sectors),
            lines: self.amount(&found.requests.lines, found.requests.exact, &any_base.lines),
            times: one.times.as_ref().map(|times| self.value(times)),
            in_part: found.in_part,
            straddles: found.straddles,
            advice: self.about(found, access.size),
            place,
        })
    }

    /// Lines or sectors of the accesses of an innermost iteration.
    fn innermost(&self, cost: &Cost, which: formula::Which) -> Option<String> {
        let innermost = cost.innermost(&self.names.facts.values).into_iter();
        formula::sum(
            self.names,
            innermost.map(|one| &which(&one.coalescing.requests).usual),
        )
    }

    fn amount(&self, amount: &Amount, exact: bool, any_base: &Amount) -> AmountReport {
        AmountReport {
            exact,
            usual: self.names.mathematics(&amount.usual),
            best: self.names.mathematics(&amount.best),
            worst: self.names.mathematics(&amount.worst),
            any_base: EndsReport {
                best: self.names.mathematics(&any_base.best),
                worst: self.names.mathematics(&any_base.worst),
            },
        }
    }

    /// What a single access would need.
    fn about(&self, found: &Coalescing, size: u64) -> Option<String> {
        match &found.pattern {
            Pattern::Structures => {
                let bytes = found.stride.as_ref().and_then(coalescing::number)?;
                Some(format!(
                    "of each structure of {} bytes {size} are used: an array for each member would take {} sectors",
                    bytes.unsigned_abs(),
                    (u64::from(self.gpu.warp) * size).div_ceil(self.gpu.sector)
                ))
            }
            Pattern::Irregular(cause) => Some(cause.why.clone()),
            _ => None,
        }
    }

    fn mapping(&self, one: &Alternative, present: bool) -> MappingReport {
        let all = |which| formula::of_all(self.names, self.index, &one.cost, self.gpu, which);
        let threads = formula::threads(self.names, &one.cost);
        MappingReport {
            order: one
                .order
                .iter()
                .map(|index| variable(self.names, *index))
                .collect(),
            together: one.together,
            present,
            as_written: one.as_written,
            legal: one.legal.is_ok(),
            reason: one.legal.as_ref().err().map(|cause| cause.why.clone()),
            warp_lines: self.innermost(&one.cost, LINES),
            warp_sectors: self.innermost(&one.cost, SECTORS),
            lines: one.total.lines,
            sectors: one.total.sectors,
            threads: one.total.threads,
            lines_formula: all(LINES),
            sectors_formula: all(SECTORS),
            threads_formula: threads.map(|threads| self.names.mathematics(&threads)),
        }
    }
}

/// What would be cheaper, and by how much.
pub fn advice(
    names: Names<'_>,
    gpu: &Gpu,
    best: &Alternative,
    profit: Profit,
    present: &Alternative,
) -> String {
    let gain = match profit {
        Profit::Requests => format!(
            "{} of the requests",
            share(best.total.lines / present.total.lines)
        ),
        Profit::Threads => format!(
            "{} times the threads, of which {} holds {}",
            (best.total.threads / present.total.threads).round(),
            gpu.name,
            gpu.resident_threads()
        ),
    };
    format!("{}: {gain}", the_order(names, best))
}

/// `the loops over i, j together`
pub fn together(names: Names<'_>, loops: &[LoopIndex]) -> String {
    let over: Vec<String> = loops.iter().map(|index| variable(names, *index)).collect();
    match over.as_slice() {
        [one] => format!("the loop over {one} in parallel"),
        several => format!("the loops over {} together", several.join(", ")),
    }
}

/// `the loops over i, j together, in the order j, i, k`
pub fn the_order(names: Names<'_>, one: &Alternative) -> String {
    let loops: Vec<String> = one.order.iter().map(|index| variable(names, *index)).collect();
    let together = together(names, &one.order[..one.together]);
    let order = match one.as_written {
        true => String::new(),
        false => format!(", in the order {}", loops.join(", ")),
    };
    format!("{together}{order}")
}

/// On what it depends whether threads part.
pub fn depends_on(one: &DivergenceReport) -> &'static str {
    match one.depends_on {
        "rows" => "an outer loop only",
        "iteration" => "the iteration",
        _ => "data",
    }
}

/// What a comparison of kernels rests on, if it rests on something that is not in the text.
pub fn compared_with(names: Names<'_>, cost: &Cost) -> Vec<String> {
    let mut used: Vec<&Expr> = cost.threads.iter().collect();
    for one in &cost.accesses {
        used.extend(&one.times);
        used.push(&one.coalescing.requests.lines.usual);
    }
    let symbols = used.iter().flat_map(|expr| expr.symbols());
    let mut sizes: Vec<String> = symbols.map(|symbol| names.symbol(symbol)).collect();
    sizes.sort();
    sizes.dedup();
    match sizes.is_empty() {
        true => Vec::new(),
        false => vec![format!(
            "for the comparison, {} {} {}",
            sizes.join(", "),
            if sizes.len() == 1 { "is" } else { "are each" },
            coalescing::SIZE
        )],
    }
}

fn variable(names: Names<'_>, index: LoopIndex) -> String {
    match names.facts.verdicts[index.0 as usize].form() {
        Ok(canonical) => names.variable(canonical.variable),
        Err(_) => "a loop without a variable".to_owned(),
    }
}

/// `1/24`, or a share in percent.
pub fn share(of: f64) -> String {
    match of {
        of if of > 0.0 && of <= 0.5 => format!("1/{}", (1.0 / of).round()),
        of => format!("{} %", (of * 100.0).round()),
    }
}

fn pattern(pattern: &Pattern) -> &'static str {
    match pattern {
        Pattern::Uniform => "uniform",
        Pattern::Unit => "unit_stride",
        Pattern::Structures => "array_of_structures",
        Pattern::Strided => "strided",
        Pattern::Scattered => "scattered",
        Pattern::Conditional => "conditional",
        Pattern::Irregular(_) => "irregular",
    }
}

/// The table of a kernel's accesses, and what would be cheaper; where all is told, with what each takes wherever its array begins.
pub fn text(kernel: &KernelReport, all: bool, indent: &str, out: &mut String) {
    use std::fmt::Write;
    let lanes: Vec<String> = kernel
        .lanes
        .iter()
        .map(|lane| match &lane.place {
            Some(Place { line, .. }) => format!("{} (line {line})", lane.variable),
            None => lane.variable.clone(),
        })
        .collect();
    let threads = kernel.threads.as_deref().unwrap_or("an unknown number of");
    let of = if kernel.in_team { " in each team" } else { "" };
    let would = if kernel.by_directive || kernel.planned {
        ""
    } else {
        ", were it a kernel"
    };
    let lanes = lanes.join(" and ");
    let how = match kernel.alone {
        true => format!("each alone in its warp, run the iterations of {lanes}"),
        false => format!(
            "neighbours in warps of {} run neighbouring iterations of {lanes}",
            kernel.warp
        ),
    };
    let _ = writeln!(
        out,
        "{indent}on {}{would}: {threads} threads{of}, {how}",
        kernel.gpu
    );
    for one in &kernel.accesses {
        let what = one.text.as_deref().or(one.object.as_deref()).unwrap_or("memory");
        let what: String = what.split_whitespace().collect::<Vec<_>>().join(" ");
        // Where the text does not begin with the object's name.
        let object = match &one.object {
            Some(object) if !begins_with_name(&what, object) => format!(" of {object}"),
            _ => String::new(),
        };
        let stride = match (one.pattern, &one.stride) {
            ("strided" | "array_of_structures", Some(stride)) => {
                format!("{}, {stride} bytes apart", words(one.pattern))
            }
            (pattern, _) => words(pattern).to_owned(),
        };
        let part = if one.in_part {
            ", in some warps fewer threads"
        } else {
            ""
        };
        let elsewhere = match wherever(one).filter(|_| all) {
            Some(counts) => format!("; wherever it begins {counts}"),
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "{indent}  line {}: {} {what}{object}: lines {}, sectors {} ({stride}{part}{})",
            one.place.line,
            one.kind,
            range(&one.lines),
            range(&one.sectors),
            elsewhere
        );
        if let Some(advice) = &one.advice {
            let _ = writeln!(out, "{indent}    {advice}");
        }
    }
    for one in &kernel.divergence {
        if let Some(other) = &one.avoided_by {
            let _ = writeln!(
                out,
                "{indent}  line {}: threads part at this {}, which depends on {}; they would not with {other}",
                one.place.line,
                one.what,
                depends_on(one)
            );
        }
    }
    if let (Some(lines), Some(sectors)) = (&kernel.lines, &kernel.sectors) {
        let at_most = at_most(kernel.exact);
        let _ = writeln!(
            out,
            "{indent}  together in an innermost iteration: lines {at_most}{lines}, sectors {at_most}{sectors}"
        );
    }
    if let Some(advice) = &kernel.advice {
        let _ = writeln!(out, "{indent}  cheaper: {advice}");
    }
    for one in kernel.sharing.iter().take(2) {
        let _ = writeln!(out, "{indent}  shared memory: {}", sharing::sentence(one));
    }
    for one in kernel.mappings.iter().filter(|one| !one.legal).take(1) {
        let loops = one.order[..one.together].join(", ");
        if let Some(reason) = &one.reason {
            let _ = writeln!(
                out,
                "{indent}  not {loops} in parallel, which would be cheaper: {reason}"
            );
        }
    }
}

/// The orders of a kernel's loops with what each costs, a line each.
pub fn mapping_lines(kernel: &KernelReport) -> Vec<String> {
    let unknown = || "an unknown number".to_owned();
    let lines = kernel.mappings.iter().map(|one| {
        let together = one.order.get(..one.together).unwrap_or_default();
        let present = if one.present { " (as it is)" } else { "" };
        let (lines, sectors) = (one.warp_lines.clone(), one.warp_sectors.clone());
        let all = one
            .lines_formula
            .as_ref()
            .map(|all| format!("; all take {all} lines"));
        let reason = one
            .reason
            .as_ref()
            .map(|reason| format!("; another program: {reason}"));
        format!(
            "{} in the order {}{present}: a warp takes {} lines, {} sectors{}{}",
            together.join(", "),
            one.order.join(", "),
            lines.unwrap_or_else(unknown),
            sectors.unwrap_or_else(unknown),
            all.unwrap_or_default(),
            reason.unwrap_or_default()
        )
    });
    lines.collect()
}

/// The lines that all warps take, if that is no number.
pub fn symbolic_lines(one: &MappingReport) -> Option<&str> {
    let formula = one.lines_formula.as_deref()?;
    formula.parse::<u64>().is_err().then_some(formula)
}

/// `4 (up to 5)`, or `at most 5`
pub fn range(amount: &AmountReport) -> String {
    // A formula for the worst case tells nobody anything.
    let is_usual = amount.usual == amount.worst || amount.worst.parse::<u64>().is_err();
    match (amount.exact, is_usual) {
        (true, true) => amount.usual.clone(),
        (true, false) => format!("{} (up to {})", amount.usual, amount.worst),
        (false, true) => format!("at most {}", amount.usual),
        (false, false) => format!("at most {}", amount.worst),
    }
}

/// True if a text is that of an element of the object, which it names.
fn begins_with_name(text: &str, object: &str) -> bool {
    let rest = text.trim_start_matches(['(', '*', '&']).strip_prefix(object);
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

/// `lines 1 to 2, sectors 4 to 5`: what it takes wherever the array begins, if that is not what it takes from a line on. A formula tells nobody anything here, either.
pub fn wherever(one: &KernelAccess) -> Option<String> {
    let differs = |name: &str, amount: &AmountReport| {
        let (best, worst) = (&amount.any_base.best, &amount.any_base.worst);
        let numbers = best.parse::<u64>().is_ok() && worst.parse::<u64>().is_ok();
        let same = (best, worst) == (&amount.best, &amount.worst);
        (numbers && !same).then(|| match best == worst {
            true => format!("{name} {best}"),
            false => format!("{name} {best} to {worst}"),
        })
    };
    let counts: Vec<String> = [differs("lines", &one.lines), differs("sectors", &one.sectors)]
        .into_iter()
        .flatten()
        .collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}

/// What stands before a figure that may be more than the first warp takes.
pub fn at_most(exact: bool) -> &'static str {
    match exact {
        true => "",
        false => "at most ",
    }
}

/// How the threads lie to each other, in words.
pub fn words(pattern: &str) -> &str {
    match pattern {
        "uniform" => "all threads the same",
        "unit_stride" => "neighbours",
        "array_of_structures" => "one member of each structure",
        "strided" => "strided",
        "scattered" => "scattered",
        "conditional" => "a condition decides where",
        _ => "irregular",
    }
}
