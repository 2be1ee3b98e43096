//! What does the user say that nobody can prove?
//!
//! `// ferry: assume(n > 0)` in front of a statement or a function, `// ferry: independent` in front of a loop, and
//! conditions on parameters of all functions (`--assume`). Beside comparisons a condition says how much storage pointers lead to
//! (`extent(p[0:n])`, `extent(s->r[0:s->n])`, also by itself). It is the user's word: not checked, but everything in whose
//! function it is used says so, and what is proved to be false is an error.
//!
//! A function's assumptions are used while the function itself is looked at, not where it is called.

pub mod check;
mod comments;
mod condition;
mod path;
mod place;

pub use comments::{Comment, comments};
pub use condition::Spoken;
pub use path::Named;

use crate::effects::linked::{Outside, files};
use ferry_ir::{Function, FunctionRef, GlobalId, StmtId, TypeId, Unit, VariableRef};
use ferry_source::{FileId, Finding, Preprocessor, Severity, Sources, Span};
use ferry_symbolic::{Condition, Expr};
use place::{Names, Place, Text};
use std::collections::BTreeMap;

/// An assumption at one place of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Assumption {
    spoken: Spoken,
    names: BTreeMap<String, VariableRef>,
    /// What is read for each variable and member in extents, by its text.
    ways: BTreeMap<String, Vec<Named>>,
    /// The comment; `None` for what the command line says.
    pub at: Option<Span>,
    /// What it says, and where it was said: `n > 0, as the comment in line 3 of a.c says`.
    pub rests: String,
}

impl Assumption {
    /// What it says where variables have these values.
    pub fn conditions(&self, value: &dyn Fn(VariableRef) -> Option<Expr>) -> Vec<Condition> {
        self.spoken.conditions(&|name| value(*self.names.get(name)?))
    }

    /// The variables and members that it names to say how much storage pointers lead to, by their texts: the places that are read on the way, the last one is
    /// the member's own.
    pub fn ways(&self) -> &BTreeMap<String, Vec<Named>> {
        &self.ways
    }

    /// The pointers of which it says how much storage they lead to, and the number of elements where variables and members have these values.
    pub fn extents(&self, value: &dyn Fn(&str) -> Option<Expr>) -> Vec<(&str, Option<Expr>)> {
        self.spoken.extents(value)
    }
}

/// That the iterations of a loop are independent.
#[derive(Clone, PartialEq, Debug)]
pub struct Independent {
    /// The comment.
    pub at: Span,
    /// That, and where it was said.
    pub rests: String,
}

/// What is said of one function.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Word {
    /// At its beginning.
    pub entry: Vec<Assumption>,
    /// Before statements.
    pub before: BTreeMap<StmtId, Vec<Assumption>>,
    /// Of loops.
    pub independent: BTreeMap<StmtId, Independent>,
}

/// What is said of the functions of a unit.
pub type Words = BTreeMap<FunctionRef, Word>;

/// One thing that a comment says.
enum Saying {
    Assume(Spoken),
    Independent,
}

/// True for comments that are read here; the others say what functions do.
pub fn is_ours(words: &str) -> bool {
    ["assume", "extent", "independent"].iter().any(|word| {
        words
            .strip_prefix(word)
            .is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_'))
    })
}

/// True for comments that allow findings of `check`.
pub fn allows_findings(words: &str) -> bool {
    words.starts_with("allow(")
}

/// Tells each unit what comments assume. Comments that are wrong are findings.
pub fn tell(units: &[Option<&Unit>], sources: &Sources, outside: &mut [Outside]) -> Vec<Finding> {
    let mut findings = Vec::new();
    if units.iter().all(Option::is_none) {
        return findings;
    }
    for file in files(sources).filter(|file| sources.has_word(*file, "ferry")) {
        let bytes = sources.bytes(file);
        let mut preprocessor = None;
        let said = comments(bytes).into_iter();
        for comment in said.filter(|comment| !allows_findings(&comment.words)) {
            let at = Span::new(file, comment.span.start as u32, comment.span.end as u32);
            if !is_ours(&comment.words) {
                // What functions do is said on a line of its own, and read there.
                if !comment.own_line {
                    let why = "these words are not known in a comment that is not on a line of its own";
                    findings.push(wrong(at, why));
                }
                continue;
            }
            let sayings = match read(&comment.words) {
                Ok(sayings) => sayings,
                Err(why) => {
                    findings.push(wrong(at, &why));
                    continue;
                }
            };
            let text = Text {
                file,
                bytes,
                preprocessor: preprocessor.get_or_insert_with(|| Preprocessor::new(bytes)),
            };
            let mut found = false;
            for (unit, outside) in units.iter().zip(outside.iter_mut()) {
                let Some(unit) = unit else { continue };
                let Some(place) = place::place(unit, &text, &comment.span) else {
                    continue;
                };
                found = true;
                for saying in &sayings {
                    let is_loop =
                        matches!(&place, Place::Before { stmt, .. } if place::loop_id(stmt).is_some());
                    if matches!(saying, Saying::Independent)
                        && !is_loop
                        && place::is_annotated(unit, &text, &comment.span)
                    {
                        continue;
                    }
                    if let Err(why) = note(unit, sources, at, &place, saying, &mut outside.words) {
                        findings.push(wrong(at, &why));
                    }
                }
            }
            if !found && concerns(units, file) {
                findings.push(wrong(at, "no statement and no definition of a function follows"));
            }
        }
    }
    findings.sort_by(|a, b| a.order().cmp(&b.order()));
    findings.dedup();
    findings
}

/// True if a unit has something of the file.
fn concerns(units: &[Option<&Unit>], file: FileId) -> bool {
    units.iter().flatten().any(|unit| {
        unit.file == file
            || unit
                .functions
                .iter()
                .any(|function| function.origin.span().is_some_and(|span| span.file == file))
    })
}

fn wrong(at: Span, why: &str) -> Finding {
    let help = "`assume(n > 0 && m <= n)` with integer variables and numbers, `extent(p[0:n])` of a pointer, also in a member, in front of a statement or a function, or `independent` in front of a loop";
    Finding::new(
        Severity::Error,
        "assumption-comment",
        "a comment that says what to assume is wrong",
    )
    .at(at, why)
    .help(help)
}

/// `assume(n > 0) independent`
fn read(words: &str) -> Result<Vec<Saying>, String> {
    const UNKNOWN: &str = "these words are not known";
    let mut found = Vec::new();
    let mut rest = words;
    while !rest.is_empty() {
        if !is_ours(rest) {
            return Err(UNKNOWN.to_owned());
        }
        if let Some(behind) = rest.strip_prefix("independent") {
            found.push(Saying::Independent);
            rest = behind.trim_start();
            continue;
        }
        // An extent alone needs no `assume` around it.
        let alone = rest.strip_prefix("extent");
        let behind = alone.or(rest.strip_prefix("assume")).unwrap_or_default();
        let open = rest.len() - behind.trim_start().len();
        let inner = rest[open..]
            .strip_prefix('(')
            .ok_or("a condition in parentheses is missing")?;
        let end = closing(inner).ok_or("a `)` is missing")?;
        let past = open + 1 + end + 1;
        let said = if alone.is_some() {
            &rest[..past]
        } else {
            &inner[..end]
        };
        found.push(Saying::Assume(Spoken::read(said)?));
        rest = rest[past..].trim_start();
    }
    Ok(found)
}

/// Where the parenthesis that is open ends.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// Adds to what is known of a function what a comment says at its place.
fn note(
    unit: &Unit,
    sources: &Sources,
    at: Span,
    place: &Place<'_>,
    saying: &Saying,
    words: &mut Words,
) -> Result<(), String> {
    let (line, _) = sources.line_column(at.file, at.start);
    let path = sources.path(at.file);
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let said = format!("as the comment in line {line} of {file} says");
    match (saying, place) {
        (_, Place::Skipped) => Ok(()),
        (_, Place::Nowhere) => Err("no statement follows directly".to_owned()),
        (Saying::Independent, Place::Entry(_)) => Err("no loop follows directly".to_owned()),
        (Saying::Independent, Place::Before { function, stmt, .. }) => {
            let Some(loop_id) = place::loop_id(stmt) else {
                return Err("no loop follows directly".to_owned());
            };
            let keyword = place::loop_of(stmt).and_then(|stmt| stmt.origin.span());
            let of = keyword.map_or(line, |span| sources.line_column(span.file, span.start).0);
            let own = Independent {
                at,
                rests: format!("the iterations of the loop in line {of} are independent, {said}"),
            };
            words
                .entry(*function)
                .or_default()
                .independent
                .insert(loop_id, own);
            Ok(())
        }
        (Saying::Assume(spoken), Place::Entry(id)) => {
            let function = unit.function(*id);
            let rests = format!("{}, {said}", spoken.text);
            let names = place::parameters(function);
            let own = assumption(unit, function, spoken, names, Some(at), rests)?;
            words.entry(*id).or_default().entry.push(own);
            Ok(())
        }
        (
            Saying::Assume(spoken),
            Place::Before {
                function: id,
                stmt,
                names,
            },
        ) => {
            let function = unit.function(*id);
            let statics = unit.globals.iter().filter(|global| global.inside == Some(*id));
            if let Some(hidden) = statics
                .map(|global| global.name.as_str())
                .find(|name| spoken.names().contains(name))
            {
                return Err(format!(
                    "{hidden} is a static variable, whose values are not followed"
                ));
            }
            let rests = format!("{}, {said}", spoken.text);
            let own = assumption(unit, function, spoken, names.clone(), Some(at), rests)?;
            let word = words.entry(*id).or_default();
            word.before.entry(stmt.id).or_default().push(own);
            Ok(())
        }
    }
}

fn assumption(
    unit: &Unit,
    function: &Function,
    spoken: &Spoken,
    names: Names,
    at: Option<Span>,
    rests: String,
) -> Result<Assumption, String> {
    let mut variables: BTreeMap<String, VariableRef> = BTreeMap::new();
    for name in spoken.names() {
        let Some(id) = names.get(name) else {
            let mut globals = unit.globals.iter().zip(0u32..);
            let global = globals.find(|(global, _)| global.inside.is_none() && global.name == name);
            let Some((global, number)) = global else {
                return Err(format!("{name} is no variable of {} here", function.name));
            };
            if spoken.names_in_comparisons().contains(&name) {
                return Err(format!(
                    "{name} is a variable of the file, of which nothing can be assumed"
                ));
            }
            if global.qualifiers.volatile || global.thread_local {
                return Err(format!("{name} is volatile, or every thread has its own"));
            }
            variables.insert(name.to_owned(), VariableRef::Global(GlobalId(number)));
            continue;
        };
        variables.insert(name.to_owned(), VariableRef::Local(*id));
        let local = function.local(*id);
        // The members of a structure are followed in memory, whoever else may reach them.
        if unit.types.is_scalar(local.ty) && local.address_taken || local.qualifiers.volatile {
            return Err(format!(
                "{name} may be changed by others: its address is taken, or it is volatile"
            ));
        }
    }
    let type_of = |variable: VariableRef| match variable {
        VariableRef::Local(id) => function.local(id).ty,
        VariableRef::Global(id) => unit.global(id).ty,
    };
    let mut ways: BTreeMap<String, Vec<Named>> = BTreeMap::new();
    for path in spoken.paths_in_extents() {
        if let Some(variable) = variables.get(&path.variable) {
            let way = path.places(&unit.types, *variable, type_of(*variable))?;
            ways.insert(path.text.clone(), way);
        }
    }
    spoken.check(&unit.types, unit.dialect.wrapping, &|name| -> Option<TypeId> {
        match ways.get(name) {
            Some(way) => way.last().map(|named| named.place.ty),
            None => variables.get(name).map(|variable| type_of(*variable)),
        }
    })?;
    Ok(Assumption {
        spoken: spoken.clone(),
        names: variables,
        ways,
        at,
        rests,
    })
}

/// Assumes a condition at the beginning of every function that has parameters of its names.
///
/// # Errors
/// Why it is assumed of none.
pub fn everywhere(units: &[Option<&Unit>], spoken: &Spoken, outside: &mut [Outside]) -> Result<(), String> {
    let mut refused = None;
    let mut found = false;
    for (unit, outside) in units.iter().zip(outside) {
        let Some(unit) = unit else { continue };
        for (id, function) in unit.functions().filter(|(_, function)| function.body.is_some()) {
            let names = place::parameters(function);
            if spoken.names().is_empty() || !spoken.names().iter().all(|name| names.contains_key(*name)) {
                continue;
            }
            let rests = format!("{}, as --assume says", spoken.text);
            match assumption(unit, function, spoken, names, None, rests) {
                Ok(own) => {
                    found = true;
                    outside.words.entry(id).or_default().entry.push(own);
                }
                Err(why) => refused = refused.or(Some(format!("in {}, {why}", function.name))),
            }
        }
    }
    match (found, refused) {
        (true, _) => Ok(()),
        (false, Some(why)) => Err(why),
        (false, None) => Err("no function has parameters of these names".to_owned()),
    }
}
