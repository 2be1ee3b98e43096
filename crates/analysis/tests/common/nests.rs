//! Generated nests before the judges of the analyses: many in one file, run twice. The first run, which nobody watches,
//! finds calls that C does not define (a stored value that overflows, say); the second leaves them out and is judged.

use super::defined::{defined_calls, options};
use super::watching::counts;
use super::{Analysed, dependences, regions, sections};
use ferry_analysis::access::Access;
use ferry_analysis::region;
use ferry_ir::FunctionRef;
use ferry_ir::interpret::{self, Exit, LoopEvent, LoopKey, Object, Observer, Site, View, run};
use ferry_judges::generate::{Nest, Program, program};
use std::collections::{BTreeMap, BTreeSet};

/// Something that does not hold, with the nest.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Number of the nest among those judged.
    pub nest: usize,
    /// Which judge, and what it says.
    pub what: String,
}

/// What the nests have, and what the analysis said of them.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Nests.
    pub nests: u64,
    /// Of these, those that are affine in everything.
    pub affine: u64,
    /// Nests by what they have.
    pub features: BTreeMap<&'static str, u64>,
    /// Calls that were judged.
    pub calls: u64,
    /// Calls that were left out, because C does not define them.
    pub left_out: u64,
    /// Loops by verdict.
    pub verdicts: BTreeMap<String, u64>,
    /// Accesses in all nests, and in those that are affine.
    pub all: Shares,
    /// The same of affine nests.
    pub of_affine: Shares,
    /// Causes of what is not known, by their words.
    pub causes: BTreeMap<String, u64>,
    /// Causes of what is not exact in affine nests.
    pub inexact: Vec<String>,
    /// What the judge of sections compared.
    pub sections: sections::Counts,
    /// What the judge of regions compared.
    pub regions: regions::Counts,
    /// Regions of loops, by object: in all nests, and in those that are affine.
    pub regions_of_all: Shares,
    /// The same of affine nests.
    pub regions_of_affine: Shares,
    /// Causes of regions that are not exact, by their words.
    pub region_causes: BTreeMap<String, u64>,
    /// Regions in affine nests that are not exact.
    pub inexact_regions: Vec<String>,
    /// What the judge of dependences compared.
    pub dependences: dependences::Counts,
}

counts! {
    /// How well accesses are known, each seen from outside all loops of its function.
    pub struct Shares {
        /// Both ends are touched.
        pub exact: u64,
        /// The ends bound it.
        pub may: u64,
        /// No bounds.
        pub unknown: u64,
    }
}

fn add_all<K: Ord + Clone>(to: &mut BTreeMap<K, u64>, from: &BTreeMap<K, u64>) {
    for (key, count) in from {
        *to.entry(key.clone()).or_default() += count;
    }
}

impl std::ops::AddAssign<&Figures> for Figures {
    fn add_assign(&mut self, other: &Figures) {
        self.nests += other.nests;
        self.affine += other.affine;
        add_all(&mut self.features, &other.features);
        self.calls += other.calls;
        self.left_out += other.left_out;
        add_all(&mut self.verdicts, &other.verdicts);
        self.all += other.all;
        self.of_affine += other.of_affine;
        add_all(&mut self.causes, &other.causes);
        let room = 20usize.saturating_sub(self.inexact.len());
        self.inexact.extend(other.inexact.iter().take(room).cloned());
        self.sections += other.sections;
        self.dependences += other.dependences;
        self.regions += other.regions;
        self.regions_of_all += other.regions_of_all;
        self.regions_of_affine += other.regions_of_affine;
        add_all(&mut self.region_causes, &other.region_causes);
        self.inexact_regions.extend(other.inexact_regions.iter().cloned());
    }
}

/// All judges at one run.
struct Both<'a> {
    regions: Option<regions::Judge<'a>>,
    sections: sections::Judge<'a>,
    dependences: dependences::Judge<'a>,
}

impl Observer for Both<'_> {
    fn access(&mut self, access: &interpret::Access<'_>) {
        if let Some(regions) = &mut self.regions {
            regions.access(access);
        }
        self.sections.access(access);
        self.dependences.access(access);
    }

    fn allocated(&mut self, allocation: u64, object: Object, size: u64) {
        self.sections.allocated(allocation, object, size);
        self.dependences.allocated(allocation, object, size);
    }

    fn released(&mut self, allocation: u64) {
        self.sections.released(allocation);
        self.dependences.released(allocation);
    }

    fn loop_event(&mut self, key: LoopKey, event: LoopEvent, view: &View<'_>) {
        if let Some(regions) = &mut self.regions {
            regions.loop_event(key, event, view);
        }
        self.sections.loop_event(key, event, view);
        self.dependences.loop_event(key, event, view);
    }

    fn call(&mut self, unit: u32, function: FunctionRef, site: &Site) {
        if let Some(regions) = &mut self.regions {
            regions.call(unit, function, site);
        }
        self.sections.call(unit, function, site);
        self.dependences.call(unit, function, site);
    }

    fn leave(&mut self, unit: u32, function: FunctionRef) {
        if let Some(regions) = &mut self.regions {
            regions.leave(unit, function);
        }
        self.sections.leave(unit, function);
        self.dependences.leave(unit, function);
    }
}

/// Judges some nests as one file. Regions are judged if that is wanted: they take far longer than all else.
///
/// # Errors
/// When the text is not C that Ferry reads.
pub fn judge(nests: &[Nest], with_regions: bool) -> Result<(Figures, Vec<Violation>), String> {
    let made = program(nests);
    let analysed = Analysed::of_text(made.text.clone())?;
    let mut figures = Figures {
        nests: nests.len() as u64,
        ..Figures::default()
    };
    for nest in nests {
        figures.affine += u64::from(nest.affine);
        for feature in &nest.features {
            *figures.features.entry(feature).or_default() += 1;
        }
    }
    shares(&analysed, nests, &mut figures);
    let (go, left_out) = defined_calls(&analysed.units, made.calls.len())?;
    figures.left_out = left_out;
    figures.calls = go.len() as u64 - left_out;
    let mut both = Both {
        // The function that calls all nests has no loops of its own, and regions that cost as much as those of all nests times their number.
        regions: with_regions.then(|| regions::Judge::new(&analysed, |name| name != "main")),
        sections: sections::Judge::new(&analysed),
        dependences: dependences::Judge::new(&analysed),
    };
    if let Some(regions) = &mut both.regions {
        regions.complaints.most = usize::MAX;
    }
    both.sections.complaints.most = usize::MAX;
    both.dependences.complaints.most = usize::MAX;
    let options = options(go);
    let outcome = run(&analysed.units, &options, &mut both);
    both.dependences.finish();
    if outcome.exit != Exit::Code(0) {
        return Err(format!("the second run ends otherwise: {:?}", outcome.exit));
    }
    if let Some(regions) = &both.regions {
        region_shares(&analysed, nests, regions, &mut figures);
    }
    figures.sections = both.sections.counts;
    figures.dependences = both.dependences.counts;
    let mut violations = Vec::new();
    let none = Vec::new();
    let of_regions = match &both.regions {
        Some(regions) => {
            figures.regions = regions.counts;
            &regions.complaints.list
        }
        None => &none,
    };
    for (judge, complaints) in [
        ("regions", of_regions),
        ("sections", &both.sections.complaints.list),
        ("dependences", &both.dependences.complaints.list),
    ] {
        for complaint in complaints {
            violations.push(Violation {
                nest: nest_of(complaint, &made).unwrap_or(0),
                what: format!("{judge}: {complaint}"),
            });
        }
    }
    Ok((figures, violations))
}

/// The nest of the first line that a complaint names.
fn nest_of(complaint: &str, made: &Program) -> Option<usize> {
    let (_, rest) = complaint.split_once("nests.c:")?;
    let line: u32 = rest.split(':').next()?.parse().ok()?;
    made.lines
        .iter()
        .position(|(first, last)| (*first..=*last).contains(&line))
}

/// Counts how well accesses are known.
fn shares(analysed: &Analysed, nests: &[Nest], figures: &mut Figures) {
    let affine: BTreeSet<&str> = nests
        .iter()
        .filter(|nest| nest.affine)
        .map(|nest| nest.name.as_str())
        .collect();
    for ((unit, function), facts) in &analysed.facts {
        let name = &analysed.units[*unit as usize].function(*function).name;
        if !name.starts_with("nest") && !name.starts_with("help") {
            continue;
        }
        let is_affine = affine.contains(name.as_str());
        for verdict in &facts.verdicts {
            *figures.verdicts.entry(format!("{:?}", verdict.kind)).or_default() += 1;
        }
        for access in &facts.values.accesses {
            let eliminate = access.loops.first().map(|of| facts.values.varying(&[*of]));
            let mut one = Shares::default();
            match region::hull(access, &eliminate.unwrap_or_default()) {
                Ok(hull) if hull.exact => one.exact = 1,
                Ok(hull) => {
                    one.may = 1;
                    if is_affine && figures.inexact.len() < 20 {
                        figures
                            .inexact
                            .push(format!("{name}: {}: {hull:?}", place(analysed, access)));
                    }
                }
                Err(cause) => {
                    one.unknown = 1;
                    *figures.causes.entry(cause.why.clone()).or_default() += 1;
                    if is_affine && figures.inexact.len() < 20 {
                        figures
                            .inexact
                            .push(format!("{name}: {}: {}", place(analysed, access), cause.why));
                    }
                }
            }
            figures.all += one;
            if is_affine {
                figures.of_affine += one;
            }
        }
    }
}

/// Counts how many regions of loops are exact.
fn region_shares(analysed: &Analysed, nests: &[Nest], judge: &regions::Judge<'_>, figures: &mut Figures) {
    let affine: BTreeSet<&str> = nests
        .iter()
        .filter(|nest| nest.affine)
        .map(|nest| nest.name.as_str())
        .collect();
    for ((unit, function), facts) in &analysed.facts {
        let name = &analysed.units[*unit as usize].function(*function).name;
        let Some(all) = judge
            .regions(*unit, *function)
            .filter(|_| name.starts_with("nest"))
        else {
            continue;
        };
        let is_affine = affine.contains(name.as_str());
        for of in &facts.values.loops {
            let Some(own) = all.of(of.stmt) else { continue };
            for (what, touch) in [("READ", &own.read), ("WRITE", &own.write), ("IN", &own.in_)] {
                let mut one = Shares::default();
                let rows = touch.rows.values().map(|rows| &rows.part);
                for part in touch.objects.values().chain(rows) {
                    if part.exact {
                        one.exact += 1;
                        continue;
                    }
                    one.may += 1;
                    let why = part.cause.as_ref().map_or("no cause", |cause| cause.why.as_str());
                    *figures.region_causes.entry(why.to_owned()).or_default() += 1;
                    if is_affine {
                        let at = analysed.place(of.origin);
                        figures
                            .inexact_regions
                            .push(format!("{name}: {what} {at}: {why}"));
                    }
                }
                if let Some(cause) = &touch.elsewhere {
                    one.unknown += 1;
                    *figures.region_causes.entry(cause.why.clone()).or_default() += 1;
                }
                figures.regions_of_all += one;
                if is_affine {
                    figures.regions_of_affine += one;
                }
            }
        }
    }
}

fn place(analysed: &Analysed, access: &Access) -> String {
    analysed.place(access.origin)
}
