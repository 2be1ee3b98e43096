//! Which edits may mend a defect?
//!
//! Candidates only, the best first: what is known of the defect says which clause or line is missing, and the text says how the program calls its sections.
//! Whether one mends the defect and breaks nothing is asked afterwards, by checking the program that it makes; a candidate whose expressions mean something
//! else at its place does not pass that.
//!
//! What it cannot do: add a mapping in the caller of the function in which the data are missed.

mod clause;
mod place;

use crate::case::{self, Case, Names};
use crate::member;
use clause::{Line, Place};
use ferry_analysis::coherence::{Defect, Kind, Moved};
use ferry_directive::{Direction, Language, ListItem, Text};
use ferry_ir::{Callee, StmtKind, Type, Unit};
use ferry_source::{Edit, Origin, Sources, Span};
use place::Beside;

/// One way to mend a defect.
#[derive(Clone, PartialEq, Debug)]
pub struct Fix {
    /// What it does: `add …`, `write … instead of …`.
    pub says: String,
    /// All of these together.
    pub edits: Vec<Edit>,
}

/// The candidates for one defect.
pub fn candidates(case: &Case<'_>, kind: Kind) -> Vec<Fix> {
    let mut found = Mending::new(case).of(kind);
    found.retain(|fix| !fix.edits.is_empty());
    let mut seen: Vec<Vec<Edit>> = Vec::new();
    found.retain(|fix| {
        let new = !seen.contains(&fix.edits);
        seen.push(fix.edits.clone());
        new
    });
    found
}

/// The item that a defect names, as the program writes it: `a[0:n]`.
pub fn written(case: &Case<'_>) -> Option<String> {
    Mending::new(case).blamed_item().map(|(.., text)| text)
}

/// Clauses that a directive lacks.
pub fn with_clauses(unit: &Unit, sources: &Sources, at: Span, clauses: &[String]) -> Option<Fix> {
    let lines = lines(unit, sources);
    let (_, line) = lines
        .iter()
        .find(|(_, line)| line.at.file == at.file && line.at.start == at.start)?;
    let text = clauses.join(" ");
    let mut edits = line.with_clause(&text, sources)?;
    // What is private is not mapped.
    let private = clauses
        .iter()
        .filter_map(|clause| clause.strip_prefix("private(")?.strip_suffix(')'));
    for name in private.flat_map(|names| names.split(", ")) {
        match line.items_of(name)[..] {
            [] => {}
            [(place, ..)] => edits.extend(line.without_item(place, sources)?),
            _ => return None,
        }
    }
    Some(Fix {
        says: format!("add `{text}`"),
        edits,
    })
}

/// The directives of all functions, with the text of the function.
fn lines(unit: &Unit, sources: &Sources) -> Vec<(Span, Line)> {
    let mut found = Vec::new();
    for (_, function) in unit.functions() {
        let Some(body) = &function.body else { continue };
        let Some(span) = body.origin.span() else { continue };
        body.walk(&mut |stmt| found.extend(Line::of(stmt, sources).map(|line| (span, line))));
    }
    found
}

struct Mending<'a> {
    case: &'a Case<'a>,
    defect: &'a Defect,
    unit: &'a Unit,
    sources: &'a Sources,
    lines: Vec<(Span, Line)>,
}

impl<'a> Mending<'a> {
    fn new(case: &'a Case<'a>) -> Mending<'a> {
        let Names { unit, sources, .. } = case.names;
        Mending {
            case,
            defect: case.defect,
            unit,
            sources,
            lines: lines(unit, sources),
        }
    }

    fn of(&self, kind: Kind) -> Vec<Fix> {
        let defect = self.defect;
        let at = defect.at.span();
        let written = defect.written.and_then(Origin::span);
        let moved = defect.directive.and_then(|moved| moved.at);
        match kind {
            Kind::StaleHostRead => {
                let mut all = self.turned(false);
                all.extend(self.updates(at, Beside::Before, false));
                all
            }
            Kind::StaleDeviceRead => {
                let mut all = self.turned(true);
                all.extend(self.updates(at, Beside::Before, true));
                all.extend(self.updates(written, Beside::After, true));
                all
            }
            Kind::NeverCopiedIn => {
                let mut all = self.directions(true);
                all.extend(self.mapped_by_a_clause());
                all.extend(self.updates(at, Beside::Before, true));
                all
            }
            Kind::CopiedBackUnwritten => self.directions(true),
            Kind::DeviceWriteOverwritten => {
                let mut all = Vec::new();
                if self.case.is_update() {
                    all = self.left_out("over which the device has newer values");
                }
                all.extend(self.updates(moved, Beside::Before, false));
                all
            }
            Kind::NeverCopiedBack => {
                let mut all = self.directions(false);
                all.extend(self.mapped_by_a_clause());
                all.extend(self.updates(moved, Beside::Before, false));
                all
            }
            Kind::HostWriteOverwritten => {
                let mut all = self.without_return();
                all.extend(self.updates(written, Beside::After, true));
                all
            }
            Kind::PartialOverlap => {
                let mut all = self.as_long_as_this();
                all.extend(self.sections_instead());
                all
            }
            Kind::SectionTooShort | Kind::SectionBeyondObject | Kind::PointerWithoutSection => {
                self.sections_instead()
            }
            Kind::NotOnTheDevice | Kind::ShallowStruct => self.mappings(),
            Kind::UnattachedPointer => self.attachments(),
            Kind::ChangeLost => self.mapped_instead_of_copied(),
            Kind::ExitOfNothing | Kind::ExitWithoutEnter => self.left_out("which is not on the device"),
            Kind::FreedWhileMapped => self.ends(at),
            Kind::EnterWithoutExit => self.end_of_function(),
            Kind::PresentMissing => self.mapped_here(),
            // Which side is meant to work on it is not known.
            Kind::HostAccessThroughDevicePointer => Vec::new(),
            // No barrier may stand in a section.
            Kind::MissingBarrier
                if self
                    .case
                    .directive
                    .is_some_and(|directive| directive.has_leaf("sections")) =>
            {
                Vec::new()
            }
            Kind::MissingBarrier => self.waiting(),
            Kind::UnorderedTasks if self.case.is_explicit_task() => self.waited_for(),
            Kind::TaskOutlivesStorage => self.waited_for(),
            Kind::UnorderedTasks => {
                let wait = "#pragma omp taskwait".to_owned();
                let mut all = at.map_or(Vec::new(), |at| {
                    self.lines_of(at, Beside::Before, std::iter::once(wait))
                });
                all.extend(self.waiting());
                all
            }
            Kind::SharedScratch => self.private(),
            // Which lock is meant, and what is worth its time, is for its author to say.
            Kind::DifferentLocks
            | Kind::OneLock
            | Kind::UnprotectedUpdate
            | Kind::IterationsDepend
            | Kind::AtomicAndPlain
            | Kind::RedundantTransfer
            | Kind::DeadCopyIn
            | Kind::DeadCopyBack
            | Kind::UnchangedCopyBack
            | Kind::TransferInLoop
            | Kind::SectionLongerThanUsed
            | Kind::SectionsLongerThanUsed => Vec::new(),
        }
    }

    /// The directive that a defect names, with the clause.
    fn blamed(&self) -> Option<(&Line, Span, Option<Place>)> {
        let Moved { at, clause, .. } = self.defect.directive?;
        let at = at?;
        let (function, line) = self
            .lines
            .iter()
            .find(|(_, line)| line.at.file == at.file && (line.at.start..line.at.end).contains(&at.start))?;
        let item = clause.and_then(|clause| line.item(clause, &self.case.object));
        Some((line, *function, item))
    }

    /// All items of the unit's directives that name the object, the blamed one first.
    fn items(&self) -> Vec<(&Line, Place, Direction, String)> {
        let mut all = Vec::new();
        for (_, line) in &self.lines {
            for (place, direction, text) in line.items_of(&self.case.object) {
                all.push((line, place, direction, text));
            }
        }
        if let Some((blamed, _, Some(item))) = self.blamed() {
            let first = all
                .iter()
                .position(|(line, place, ..)| line.at == blamed.at && *place == item);
            match first {
                Some(first) => all.swap(0, first),
                // The clause calls the object by another name.
                None => all.extend(self.item_of(blamed, item)),
            }
        }
        all
    }

    /// The item that a defect names.
    fn blamed_item(&self) -> Option<(&Line, Place, Direction, String)> {
        let (line, _, place) = self.blamed()?;
        self.item_of(line, place?)
    }

    fn item_of<'l>(&self, line: &'l Line, place: Place) -> Option<(&'l Line, Place, Direction, String)> {
        let data = line.directive.data();
        let one = data
            .iter()
            .find(|one| (one.clause, one.item) == (place.clause, place.item))?;
        Some((line, place, one.direction, one.object?.to_string()))
    }

    /// What the section may be called: as the program says it where that is no single element, then in numbers.
    fn sections(&self) -> Vec<String> {
        let object = &self.case.object;
        // Where a part of what is read is wrong, that part.
        let mut exact = self.case.sections(
            self.defect
                .there
                .as_ref()
                .filter(|_| self.defect.written.is_some()),
        );
        exact.extend(self.case.sections(self.defect.bytes.as_ref()));
        if self.case.is_scalar() {
            return exact;
        }
        exact.retain(|text| !self.is_of_this_call(text));
        let (mut all, exact): (Vec<String>, Vec<String>) =
            exact.into_iter().partition(|text| text.ends_with(":1]"));
        all.extend(self.items().into_iter().map(|(.., text)| text));
        if self.case.is_array() {
            all.push(object.clone());
        }
        all.extend(self.beside());
        all.extend(self.counted());
        all.extend(exact);
        all.retain(|text| !self.is_pointer_member(text));
        let mut seen = Vec::new();
        all.retain(|text| {
            let new = !seen.contains(text);
            seen.push(text.clone());
            new
        });
        all
    }

    /// True of a member that is a pointer, by its name: its value means nothing in the other memory.
    fn is_pointer_member(&self, section: &str) -> bool {
        let Some((_, name)) = section.rsplit_once(['.', '>']) else {
            return false;
        };
        let types = &self.unit.types;
        types.iter().any(|(_, ty)| match ty {
            Type::Record(record) => {
                let mut fields = types.record(*record).fields.iter();
                fields.any(|field| field.name == name && types.pointee(field.ty).is_some())
            }
            _ => false,
        })
    }

    /// True of numbers that are right for the calls that there are, in a function that others may call with other sizes.
    fn is_of_this_call(&self, section: &str) -> bool {
        let subscripts = section.strip_prefix(self.case.object.as_str()).unwrap_or(section);
        let in_numbers = !subscripts.bytes().any(|byte| byte.is_ascii_alphabetic());
        let place = self.blamed().map(|(line, ..)| line.at).or(self.defect.at.span());
        let around = place.and_then(|place| self.unit.function_at(place));
        let in_main = around.is_some_and(|(_, function)| function.name == "main");
        in_numbers && !subscripts.ends_with(":1]") && !in_main && !self.case.is_array()
    }

    /// What is beside the object in a clause is often as long.
    fn beside(&self) -> Vec<String> {
        let Some((line, ..)) = self.blamed() else {
            return Vec::new();
        };
        let one = |item: &ListItem<Text>| {
            let text = item.to_string();
            let subscripts = text.strip_prefix(item.base.text.as_str())?;
            (!subscripts.is_empty()).then(|| format!("{}{subscripts}", self.case.object))
        };
        let data = line.directive.data();
        data.iter().filter_map(|data| one(data.object?)).collect()
    }

    /// As many elements as the loops around the access have iterations: the inner one, the outer one, both.
    fn counted(&self) -> Vec<String> {
        let around = |access: Option<Span>| access.map(|at| place::loop_bounds(self.unit, self.sources, at));
        let bounds = match self.defect.kind {
            Kind::PointerWithoutSection => around(self.defect.written.and_then(Origin::span)),
            // The access is not known: of the loops of the construct, the outer one comes first, as it goes over the rows.
            Kind::SectionBeyondObject => self.blamed().map(|(line, ..)| {
                let mut inside = place::bounds_inside(self.unit, self.sources, line.at);
                inside.reverse();
                inside
            }),
            _ => around(self.defect.at.span()),
        };
        let bounds = bounds.unwrap_or_default();
        let plain = |text: &str| match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
            Some(inner) => inner.to_owned(),
            None => text.to_owned(),
        };
        let mut lengths: Vec<String> = bounds.iter().rev().map(|text| plain(text)).collect();
        if let [.., outer, inner] = bounds.as_slice() {
            lengths.push(format!("{outer} * {inner}"));
        }
        let section = |length: String| format!("{}[0:{length}]", self.case.object);
        lengths.into_iter().map(section).collect()
    }

    fn language(&self) -> Language {
        self.lines
            .iter()
            .find(|(_, line)| !line.items_of(&self.case.object).is_empty())
            .or(self.lines.first())
            .map_or(Language::OpenMp, |(_, line)| line.directive.language)
    }

    /// A new line with an update.
    fn updates(&self, at: Option<Span>, beside: Beside, to_device: bool) -> Vec<Fix> {
        let Some(at) = at else { return Vec::new() };
        let language = self.language();
        let mut fixes = self.lines_of(
            at,
            beside,
            self.sections()
                .iter()
                .map(|section| case::update(language, to_device, section)),
        );
        // In a function that others call, the caller may have a name for all of it.
        if let (Some((call, items)), Beside::Before) = (self.caller(at), beside) {
            let updates = items
                .iter()
                .map(|section| case::update(language, to_device, section));
            fixes.extend(self.lines_of(call, beside, updates));
        }
        fixes
    }

    /// New lines beside what happens at a place, each another way.
    fn lines_of(&self, at: Span, beside: Beside, texts: impl Iterator<Item = String>) -> Vec<Fix> {
        let Some(room) = place::room(self.unit, at) else {
            return Vec::new();
        };
        let line = |text: String| {
            let edit = place::line(self.sources, room, beside, &text)?;
            Some(added(text, edit))
        };
        texts.filter_map(line).collect()
    }

    /// The one call of the function in which a place is, with the sections that the function around it names in clauses.
    fn caller(&self, at: Span) -> Option<(Span, Vec<String>)> {
        let own = self.unit.function_at(at)?;
        let mut found = Vec::new();
        for (_, function) in self.unit.functions() {
            let Some(body) = &function.body else { continue };
            body.walk(&mut |stmt| {
                let StmtKind::Call { callee, .. } = &stmt.kind else {
                    return;
                };
                if *callee == Callee::Function(own.0) {
                    found.push((body.origin.span(), stmt.origin.span()));
                }
            });
        }
        let [(Some(function), Some(call))] = found[..] else {
            return None;
        };
        let mut items: Vec<String> = Vec::new();
        for (_, line) in self.lines.iter().filter(|(of, _)| *of == function) {
            for data in line.directive.data() {
                let text = data.object.map(ToString::to_string);
                items.extend(text.filter(|text| !items.contains(text)));
            }
        }
        Some((call, items))
    }

    /// Another direction in a clause: values come in, or go out, as well.
    fn directions(&self, inwards: bool) -> Vec<Fix> {
        let one = |(line, place, direction, text): (&Line, Place, Direction, String)| {
            let enters = line.directive.is_enter_data();
            let to: &[Direction] = match (direction, inwards) {
                (Direction::Alloc, true) if enters => &[Direction::To],
                (Direction::Alloc, true) => &[Direction::To, Direction::ToFrom],
                (Direction::From, true) if !line.directive.is_exit_data() => &[Direction::ToFrom],
                (Direction::To, false) if !enters => &[Direction::ToFrom],
                (Direction::Alloc, false) if !enters => &[Direction::From, Direction::ToFrom],
                (Direction::Release | Direction::Delete, false) => &[Direction::From],
                _ => &[],
            };
            let fix = |to: &Direction| {
                let does = match to {
                    Direction::To => "to the device",
                    Direction::From => "back to the host",
                    _ => "to the device and back",
                };
                Some(Fix {
                    says: format!("copy `{text}` {does}"),
                    edits: line.with_direction(place, *to)?,
                })
            };
            to.iter().filter_map(fix).collect::<Vec<_>>()
        };
        self.items().into_iter().flat_map(one).collect()
    }

    /// What a construct maps by default (`defaultmap`) is mapped by a clause instead.
    fn mapped_by_a_clause(&self) -> Option<Fix> {
        let (line, _, None) = self.blamed()? else {
            return None;
        };
        if !line.directive.is_target_construct() || !line.directive.has_clause("defaultmap") {
            return None;
        }
        let text = case::mapped(line.directive.language, true, true, &self.case.object);
        Some(Fix {
            says: format!("add `{text}`"),
            edits: line.with_clause(&text, self.sources)?,
        })
    }

    /// An update that goes in the wrong direction is turned.
    fn turned(&self, to_device: bool) -> Vec<Fix> {
        let wrong = if to_device { Direction::From } else { Direction::To };
        let one = |(line, place, direction, text): (&Line, Place, Direction, String)| {
            if !line.directive.is_update() || direction != wrong {
                return None;
            }
            let end = if to_device { "to the device" } else { "to the host" };
            Some(Fix {
                says: format!("update `{text}` {end} instead"),
                edits: line.turned(place, to_device)?,
            })
        };
        self.items().into_iter().filter_map(one).collect()
    }

    /// What was mapped before is as long as this section.
    fn as_long_as_this(&self) -> Vec<Fix> {
        let Some((.., section)) = self.blamed_item() else {
            return Vec::new();
        };
        let mut others: Vec<String> = Vec::new();
        for (_, _, _, text) in self.items() {
            if text != section && !others.contains(&text) {
                others.push(text);
            }
        }
        others.iter().map(|old| self.everywhere(old, &section)).collect()
    }

    /// One text instead of another in all clauses.
    fn everywhere(&self, old: &str, new: &str) -> Fix {
        let mut edits = Vec::new();
        for (_, line) in &self.lines {
            for (place, _, text) in line.items_of(&self.case.object) {
                if text == old {
                    edits.extend(line.with_item(place, new).into_iter().flatten());
                }
            }
        }
        Fix {
            says: format!("map `{new}` instead of `{old}` everywhere"),
            edits,
        }
    }

    /// What must be there is mapped if it is not.
    fn mapped_here(&self) -> Vec<Fix> {
        let Some((line, place, _, text)) = self.blamed_item() else {
            return Vec::new();
        };
        let fix = line.not_present(place).map(|edits| Fix {
            says: format!("map `{text}` here"),
            edits,
        });
        fix.into_iter().collect()
    }

    /// Nothing is copied back.
    fn without_return(&self) -> Vec<Fix> {
        let Some((line, place, direction, text)) = self.blamed_item() else {
            return Vec::new();
        };
        let to = match direction {
            Direction::ToFrom => Direction::To,
            Direction::From if line.directive.is_exit_data() => Direction::Release,
            _ => return Vec::new(),
        };
        let fix = line.with_direction(place, to).map(|edits| Fix {
            says: format!("do not copy `{text}` back"),
            edits,
        });
        fix.into_iter().collect()
    }

    /// Another section in a clause, and in all that have the same.
    fn sections_instead(&self) -> Vec<Fix> {
        let Some((line, place, _, old)) = self.blamed_item() else {
            return Vec::new();
        };
        let mut all = Vec::new();
        if self.case.defect.kind != Kind::SectionBeyondObject {
            all = self.sections();
        } else {
            if self.case.is_array() {
                all.push(self.case.object.clone());
            }
            all.extend(self.beside());
            all.extend(self.case.sections(self.defect.there.as_ref()));
            all.retain(|text| !self.is_of_this_call(text));
            all.extend(self.counted());
        }
        let mut fixes = Vec::new();
        for section in all.iter().filter(|section| **section != old) {
            fixes.extend(line.with_item(place, section).map(|edits| Fix {
                says: format!("map `{section}` instead of `{old}`"),
                edits,
            }));
            fixes.push(self.everywhere(&old, section));
        }
        fixes
    }

    /// One more mapping at the construct.
    fn mappings(&self) -> Vec<Fix> {
        let Some((line, ..)) = self.blamed() else {
            return Vec::new();
        };
        let sections = self.sections();
        let one = |section: &String| self.mapping(line, true, section);
        sections.iter().filter_map(one).collect()
    }

    /// One more section is mapped, `back` as well.
    fn mapping(&self, line: &Line, back: bool, section: &str) -> Option<Fix> {
        let text = self.with_structure(line, back, section)?;
        // OpenACC: the pointer that stands for its section (`present(p)`) may not be named twice.
        let stands_for_it = |(_, direction, text): &(Place, Direction, String)| {
            *direction == Direction::Present && *text == self.case.object && *text != section
        };
        let mut named = line.items_of(&self.case.object).into_iter();
        if line.directive.language == Language::OpenAcc
            && let Some((place, _, old)) = named.find(stands_for_it)
        {
            return Some(Fix {
                says: format!("write `{text}` for `{old}`"),
                edits: line.item_in(place, &text)?,
            });
        }
        Some(Fix {
            says: format!("add `{text}`"),
            edits: line.with_clause(&text, self.sources)?,
        })
    }

    /// The section is mapped through the pointer, too, where what holds the pointer comes to the device for one statement.
    fn attachments(&self) -> Vec<Fix> {
        let Some((line, ..)) = self.blamed().filter(|(line, ..)| !line.directive.is_enter_data()) else {
            return Vec::new();
        };
        // The pointer itself is named: without a clause it is found by what it leads to.
        if self
            .blamed_item()
            .is_some_and(|(.., text)| text == self.case.object)
        {
            return self.left_out("which copies the pointer as it is");
        }
        // A pointer that is mapped as it is would stay as it is.
        let mut sections = self.sections();
        sections.retain(|text| text.ends_with(']'));
        let all = |back: bool| {
            let sections = sections.iter();
            sections.filter_map(move |section| self.mapping(line, back, section))
        };
        all(false).chain(all(true)).collect()
    }

    /// The clause that maps a section, `back` as well. Of a member it maps the structure, too, if no clause of the line does: where a clause names a member, the structure
    /// is not mapped as a whole any more without one that says so. For kernels of OpenACC, gcc 12 wants both in one clause.
    fn with_structure(&self, line: &Line, back: bool, section: &str) -> Option<String> {
        let language = line.directive.language;
        let alone = case::mapped(language, true, back, section);
        let Some(whole) = self.structure() else {
            return Some(alone);
        };
        let is_named = !line.items_of(whole).is_empty();
        let in_one = language == Language::OpenAcc && line.directive.is_target_construct();
        match (is_named, in_one) {
            (true, false) => Some(alone),
            (true, true) => None,
            (false, true) => {
                (!back).then(|| case::mapped(language, true, false, &format!("{whole}, {section}")))
            }
            (false, false) => Some(format!("{} {alone}", case::mapped(language, true, false, whole))),
        }
    }

    /// The variable of which the object is a member.
    fn structure(&self) -> Option<&str> {
        let (name, _) = self.case.object.split_once('.')?;
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        name.chars().all(is_name).then_some(name)
    }

    /// A variable of which the construct has a copy is mapped instead, where one thread runs it: several would race.
    fn mapped_instead_of_copied(&self) -> Vec<Fix> {
        let Some((line, _, item)) = self.blamed() else {
            return Vec::new();
        };
        if self.case.is_bare_pointer() {
            return Vec::new();
        }
        let alone = ["target", "serial"].contains(&line.directive.name.as_str()) && !self.has_threads(line);
        if !alone && !self.reduces(line) {
            return Vec::new();
        }
        let text = case::mapped(line.directive.language, true, true, &self.case.object);
        let says = format!("add `{text}`");
        let edits = match item {
            None => line.with_clause(&text, self.sources),
            Some(place)
                if line
                    .directive
                    .clauses
                    .iter()
                    .filter(|one| !one.items().is_empty())
                    .count()
                    > 1 =>
            {
                let rest = line.without_item(place, self.sources);
                let more = line.with_clause(&text, self.sources);
                rest.zip(more).map(|(mut rest, more)| {
                    rest.extend(more);
                    rest
                })
            }
            Some(place) => line.instead(place, &text),
        };
        edits.map(|edits| Fix { says, edits }).into_iter().collect()
    }

    /// True if a directive reduces into the object.
    fn reduces(&self, line: &Line) -> bool {
        let reductions = line.directive.reductions();
        let mut objects = reductions.iter().filter_map(|one| one.object);
        objects.any(|object| object.base.text == self.case.object)
    }

    /// True if the statement of a directive is run by several threads, or calls what may be, and these do not reduce into the object.
    fn has_threads(&self, line: &Line) -> bool {
        let mut found = false;
        for (_, function) in self.unit.functions() {
            let Some(body) = &function.body else { continue };
            body.walk(&mut |stmt| {
                let StmtKind::Directive { body: Some(body), .. } = &stmt.kind else {
                    return;
                };
                if stmt
                    .origin
                    .span()
                    .is_some_and(|span| span.start == line.at.start && span.file == line.at.file)
                {
                    body.walk(&mut |inner| {
                        let line = Line::of(inner, self.sources);
                        let is_threads =
                            matches!(inner.kind, StmtKind::Directive { .. } | StmtKind::Call { .. });
                        found |= is_threads && !line.is_some_and(|line| self.reduces(&line));
                    });
                }
            });
        }
        found
    }

    /// A variable of which nothing outside of the region knows is each thread's own.
    fn private(&self) -> Vec<Fix> {
        let of_each = || {
            let (line, ..) = self.blamed()?;
            let region = self.defect.directive?.at?;
            if place::is_known_outside(self.unit, region, &self.case.object)? {
                return None;
            }
            let text = format!("private({})", self.case.object);
            let edits = line.with_clause(&text, self.sources)?;
            Some(Fix {
                says: format!("add `{text}`"),
                edits,
            })
        };
        of_each().into_iter().collect()
    }

    /// A task is waited for before what comes behind it, before a function returns, or where a block ends.
    fn waited_for(&self) -> Vec<Fix> {
        let text = "#pragma omp taskwait";
        let Some(at) = self.defect.at.span() else {
            return Vec::new();
        };
        let edit = match place::block_that_ends(self.unit, at) {
            Some(block) => place::last_line(self.sources, block, text),
            None => {
                let made = self.defect.directive.and_then(|moved| moved.at);
                let behind = made.and_then(|made| place::behind(self.unit, made, at));
                let room = behind.or_else(|| place::return_in_a_block(self.unit, at));
                room.and_then(|room| place::line(self.sources, room, Beside::Before, text))
            }
        };
        edit.map(|edit| added(text.to_owned(), edit))
            .into_iter()
            .collect()
    }

    /// The construct is waited for at its end.
    fn waiting(&self) -> Vec<Fix> {
        let Some((line, ..)) = self.blamed() else {
            return Vec::new();
        };
        let fix = line.without_clause("nowait", self.sources).map(|edits| Fix {
            says: "take out `nowait`".to_owned(),
            edits,
        });
        fix.into_iter().collect()
    }

    /// An item that does nothing, or harm, is left out.
    fn left_out(&self, why: &str) -> Vec<Fix> {
        // What it points to was meant, and stays on the device.
        if self.case.is_bare_pointer() {
            return Vec::new();
        }
        let Some((line, place, _, text)) = self.blamed_item() else {
            return Vec::new();
        };
        let fix = line.without_item(place, self.sources).map(|edits| Fix {
            says: format!("leave out `{text}`, {why}"),
            edits,
        });
        fix.into_iter().collect()
    }

    /// The mapping ends before a place.
    fn ends(&self, at: Option<Span>) -> Vec<Fix> {
        let Some(at) = at else { return Vec::new() };
        self.lines_of(at, Beside::Before, self.exits().into_iter())
    }

    /// The mapping ends with the program, or with the function that made it.
    fn end_of_function(&self) -> Vec<Fix> {
        let Some((_, own, _)) = self.blamed() else {
            return Vec::new();
        };
        let bodies = self.unit.functions().filter_map(|(_, function)| {
            let body = function.body.as_ref()?;
            let is_main = function.name == "main";
            (is_main || body.origin.span() == Some(own)).then_some((!is_main, body))
        });
        let mut bodies: Vec<_> = bodies.collect();
        bodies.sort_by_key(|(later, _)| *later);
        let mut fixes = Vec::new();
        for (_, body) in bodies {
            for text in self.exits() {
                let edit = place::last_line(self.sources, body, &text);
                fixes.extend(edit.map(|edit| added(text, edit)));
            }
        }
        fixes
    }

    /// Directives that take the section of the blamed clause off the device. Members of one structure that a directive maps go together.
    fn exits(&self) -> Vec<String> {
        let Some((line, place, _, text)) = self.blamed_item() else {
            return Vec::new();
        };
        let members = self.members_beside(line, place);
        let texts = members.into_iter().chain([text]);
        let exit = |text: String| match line.directive.language {
            Language::OpenMp => format!("#pragma omp target exit data map(delete: {text})"),
            Language::OpenAcc => format!("#pragma acc exit data delete({text})"),
        };
        texts.map(exit).collect()
    }

    /// The members of one structure that a directive names, if an item is one of several.
    fn members_beside(&self, line: &Line, place: Place) -> Option<String> {
        let (_, function) = self.unit.function_at(line.at)?;
        let structure = |item: &ListItem<Text>| {
            let path = item.base.text.trim();
            let member = member::named(self.unit, function, path).is_some();
            path.split(['.', '-'])
                .next()
                .filter(|_| member)
                .map(str::to_owned)
        };
        let data = line.directive.data();
        let own = data
            .iter()
            .find(|one| (one.clause, one.item) == (place.clause, place.item))?;
        let own = structure(own.object?)?;
        let objects = data.iter().filter_map(|one| one.object);
        let beside = objects.filter(|item| structure(item).as_ref() == Some(&own));
        let texts: Vec<String> = beside.map(|item| item.to_string()).collect();
        (texts.len() > 1).then(|| texts.join(", "))
    }
}

fn added(text: String, edit: Edit) -> Fix {
    Fix {
        says: format!("add `{text}`"),
        edits: vec![edit],
    }
}
