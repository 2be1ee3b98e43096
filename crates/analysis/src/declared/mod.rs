//! Which functions and variables do directives outside of functions speak of?
//!
//! `declare target` with a list or up to its end, `threadprivate`, OpenACC's `declare` and `routine` (with a name, or for the next definition). What a region has is what
//! stands between its ends, also where other regions are inside, and what comes out of files that are included there.
//!
//! Directives that a macro makes out of its parameters are not seen; [`made_by_a_macro`] says where there may be one.

mod names;

pub use names::{Listed, made_by_a_macro};

use ferry_ir::{FunctionRef, GlobalId, Unit};
use ferry_source::{FileId, Origin, Preprocessor, Sources, Span, layout, words};
use std::collections::{BTreeMap, BTreeSet};

/// What one directive speaks of.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The directive.
    pub at: Span,
    /// `threadprivate`: every thread has its own.
    pub private: bool,
    /// Functions that are made for the device.
    pub functions: Vec<FunctionRef>,
    /// Variables, also those of which it is not certain that they are meant: out of a file that is included elsewhere, too, behind a region that does not end in its file, or
    /// named in a region and defined elsewhere.
    pub globals: Vec<GlobalId>,
    /// Of these, those that certainly live on the device from the beginning; others (`link`) only while they are mapped.
    pub always: Vec<GlobalId>,
}

/// All of a unit; `declarations` are the directives at no statement's place, with their names, those of a file in the order of its text.
pub fn all(unit: &Unit, declarations: &[(Span, &str)], sources: &Sources) -> Vec<Declared> {
    let listed: Vec<Option<Listed>> = declarations
        .iter()
        .map(|(span, name)| {
            let speaks = matches!(
                *name,
                "threadprivate" | "declare target" | "begin declare target" | "declare" | "routine"
            );
            speaks.then(|| Listed::of(sources.text(*span)))
        })
        .collect();
    let regions = regions(declarations, &listed);
    let is_known = |name: &str| {
        unit.globals.iter().any(|global| global.name == name)
            || unit.functions().any(|(_, function)| function.name == name)
    };
    let mut all = Vec::new();
    for (number, listed) in listed.into_iter().enumerate() {
        let Some(listed) = listed else { continue };
        let (span, name) = declarations[number];
        let listed = listed.replaced(&is_known, sources);
        let region = regions.get(&number).map(|end| Region::new(span, *end, sources));
        all.push(one(unit, (span, name), &listed, region.as_ref()));
    }
    all
}

/// How sure it is that something stands in a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Inside {
    No,
    Perhaps,
    Certainly,
}

/// Where the regions end that directives begin, by the directive's number; `None`: not in their file.
fn regions(declarations: &[(Span, &str)], listed: &[Option<Listed>]) -> BTreeMap<usize, Option<u32>> {
    let mut ends = BTreeMap::new();
    let mut open: Vec<usize> = Vec::new();
    for (number, ((span, name), listed)) in declarations.iter().zip(listed).enumerate() {
        let has_list = listed.as_ref().is_some_and(|listed| listed.has_list);
        match *name {
            "begin declare target" => open.push(number),
            "declare target" if !has_list => open.push(number),
            "end declare target" => {
                let own = open
                    .iter()
                    .rposition(|begun| declarations[*begun].0.file == span.file);
                if let Some(own) = own {
                    ends.insert(open.remove(own), Some(span.start));
                }
            }
            _ => {}
        }
    }
    ends.extend(open.into_iter().map(|number| (number, None)));
    ends
}

/// What stands between the ends of a region.
struct Region {
    begin: Span,
    end: Option<u32>,
    /// The files that are included there; true if they are nowhere else.
    included: BTreeMap<FileId, bool>,
    /// The words of all that: a declaration in it may be of a variable that is defined elsewhere, and what functions in it use is for the device, too (OpenMP 5.0 §2.12.7).
    words: BTreeSet<Vec<u8>>,
    /// A file is included there whose text was not kept, as nothing in it matters: what that includes is not known.
    is_unseen: bool,
}

impl Region {
    fn new(begin: Span, end: Option<u32>, sources: &Sources) -> Region {
        let mut included = BTreeMap::new();
        let (mut words, mut is_unseen) = (BTreeSet::new(), false);
        let until = end.unwrap_or(u32::MAX);
        let mut open: Vec<(FileId, u32, u32)> = vec![(begin.file, begin.end, until)];
        while let Some((file, from, to)) = open.pop() {
            words.extend(code_words(sources.text(Span::new(file, from, to))));
            for name in includes(sources, file, from, to) {
                let mut named = sources
                    .files()
                    .filter(|other| is_named(sources, *other, &name))
                    .peekable();
                is_unseen |= named.peek().is_none();
                for other in named {
                    if other != begin.file && !included.contains_key(&other) {
                        included.insert(other, is_included_once(sources, &name));
                        open.push((other, 0, u32::MAX));
                    }
                }
            }
        }
        Region {
            begin,
            end,
            included,
            words,
            is_unseen,
        }
    }

    fn has(&self, name: &str, origin: Origin) -> Inside {
        match self.stands_inside(origin) {
            Inside::No if self.words.contains(name.as_bytes()) => Inside::Perhaps,
            inside => inside,
        }
    }

    fn stands_inside(&self, origin: Origin) -> Inside {
        let Some(own) = origin.span() else {
            return Inside::No;
        };
        if own.file == self.begin.file {
            let behind = own.start >= self.begin.end;
            return match self.end {
                Some(end) if behind && own.start < end => Inside::Certainly,
                None if behind => Inside::Perhaps,
                _ => Inside::No,
            };
        }
        match (self.included.get(&own.file), self.end) {
            (Some(true), Some(_)) => Inside::Certainly,
            (Some(_), _) | (None, None) => Inside::Perhaps,
            (None, Some(_)) if self.is_unseen => Inside::Perhaps,
            (None, Some(_)) => Inside::No,
        }
    }
}

/// The words of a text outside of comments and literals.
fn code_words(text: &[u8]) -> BTreeSet<Vec<u8>> {
    let mut code = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = match rest {
            [b'/', b'/', ..] => layout::line_comment(rest),
            [b'/', b'*', ..] => rest
                .windows(2)
                .skip(2)
                .position(|two| two == b"*/")
                .map_or(rest.len(), |end| end + 4),
            [b'"' | b'\'', ..] => layout::literal(rest),
            _ => {
                code.push(rest[0]);
                at += 1;
                continue;
            }
        };
        code.push(b' ');
        at += length.max(1);
    }
    words(&code).map(<[u8]>::to_vec).collect()
}

/// The last parts of the names that a piece of a file includes.
fn includes(sources: &Sources, file: FileId, from: u32, to: u32) -> Vec<Vec<u8>> {
    let bytes = sources.bytes(file);
    let preprocessor = Preprocessor::new(bytes);
    let lines = preprocessor.lines().iter();
    let own = lines.filter(|line| line.keyword == "include" && line.hash >= from && line.end <= to);
    own.filter_map(|line| {
        let text = line.behind_keyword(bytes);
        let open = text.iter().position(|byte| matches!(byte, b'"' | b'<'))?;
        let rest = &text[open + 1..];
        let close = rest.iter().position(|byte| matches!(byte, b'"' | b'>'))?;
        Some(rest[..close].rsplit(|byte| *byte == b'/').next()?.to_vec())
    })
    .collect()
}

fn is_named(sources: &Sources, file: FileId, name: &[u8]) -> bool {
    let own = sources.path(file).file_name();
    own.is_some_and(|own| own.as_encoded_bytes() == name)
}

/// True if one line includes a file of this name, and there is one such file.
fn is_included_once(sources: &Sources, name: &[u8]) -> bool {
    let files = sources.files().filter(|file| is_named(sources, *file, name));
    let lines = sources
        .files()
        .flat_map(|file| includes(sources, file, 0, u32::MAX));
    files.count() == 1 && lines.filter(|own| own == name).count() == 1
}

fn one(unit: &Unit, (span, name): (Span, &str), listed: &Listed, region: Option<&Region>) -> Declared {
    let has = |own: &str| listed.names.contains(own);
    let within = |name: &str, origin: Origin| region.map_or(Inside::No, |region| region.has(name, origin));
    // Without a name `routine` means the next definition.
    let next = unit
        .functions()
        .filter_map(|(_, function)| function.origin.span())
        .filter(|own| name == "routine" && !listed.has_list && own.file == span.file && own.start >= span.end)
        .map(|own| own.start)
        .min();
    let is_next = |origin: Origin| {
        origin
            .span()
            .is_some_and(|own| own.file == span.file && Some(own.start) == next)
    };
    let functions = unit.functions().filter(|(_, function)| {
        has(&function.name)
            || is_next(function.origin)
            || within(&function.name, function.origin) != Inside::No
    });
    let functions = functions.map(|(id, _)| id).collect();
    let private = name == "threadprivate";
    // OpenACC: in a function it is up to the end of that.
    let is_local = name == "declare" && unit.function_at(span).is_some();
    let (mut globals, mut always) = (Vec::new(), Vec::new());
    for (global, number) in unit.globals.iter().zip(0u32..) {
        let inside = within(&global.name, global.origin);
        if !has(&global.name) && inside == Inside::No {
            continue;
        }
        globals.push(GlobalId(number));
        let certain = inside == Inside::Certainly || has(&global.name) && !is_local;
        if certain && !private && !listed.linked.contains(&global.name) {
            always.push(GlobalId(number));
        }
    }
    Declared {
        at: span,
        private,
        functions,
        globals,
        always,
    }
}
