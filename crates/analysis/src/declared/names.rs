//! Which names are in the lists of a directive that declares something, and which are in `link`?
//!
//! The directive is read from its text: comments, lengths in sections and the words of the directive itself are no names. A name that the program does not have may be a
//! macro, which compilers replace there: all names of all definitions of it count, in whichever order definitions come. Where the directive is not understood, all words of
//! its text are names.

use ferry_directive::{Dialect, Directive, Item, Text, read, written};
use ferry_source::{FileId, Preprocessor, Sources, Span, words};
use std::collections::BTreeSet;

/// The clauses that list what is declared.
const LISTS: [&str; 11] = [
    "to",
    "enter",
    "link",
    "local",
    "copy",
    "copyin",
    "copyout",
    "create",
    "present",
    "deviceptr",
    "device_resident",
];

/// Among names: one that a macro pastes, which may be any.
const PASTED: &str = "##";

/// The names in a directive's lists.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Listed {
    /// All of them.
    pub names: BTreeSet<String>,
    /// Those in `link`.
    pub linked: BTreeSet<String>,
    /// It has a list, even one without a name.
    pub has_list: bool,
}

impl Listed {
    /// What a directive lists, from its `#` or `_Pragma` to its last byte.
    pub fn of(text: &[u8]) -> Listed {
        let Some(directive) = directive(text) else {
            return Listed {
                names: owned(words(text)).collect(),
                has_list: text.contains(&b'('),
                ..Listed::default()
            };
        };
        let mut found = Listed::default();
        if let Some(arguments) = &directive.arguments {
            found.has_list = true;
            found.names.extend(arguments.items.iter().flat_map(names_of));
        }
        for clause in &directive.clauses {
            let Some(arguments) = clause
                .arguments
                .as_ref()
                .filter(|_| LISTS.contains(&clause.name.as_str()))
            else {
                continue;
            };
            found.has_list = true;
            let names: BTreeSet<String> = arguments.items.iter().flat_map(names_of).collect();
            if clause.name == "link" {
                found.linked.extend(names.iter().cloned());
            }
            found.names.extend(names);
        }
        found
    }

    /// True if a name may be in them.
    pub fn may_name(&self, name: &str) -> bool {
        self.names.contains(name) || self.names.contains(PASTED)
    }

    /// The same with what macros stand for, for names that nothing in the program has.
    pub fn replaced(mut self, is_known: &dyn Fn(&str) -> bool, sources: &Sources) -> Listed {
        self.names = replaced(self.names, is_known, sources);
        self.linked = replaced(self.linked, is_known, sources);
        self
    }
}

/// What stands at a directive's place.
fn directive(text: &[u8]) -> Option<Directive<Text>> {
    if text.starts_with(b"#") {
        return Some(written(text, 0)?.0);
    }
    let open = text.iter().position(|byte| *byte == b'"')?;
    let close = text.iter().rposition(|byte| *byte == b'"')?;
    let content = text.get(open + 1..close)?;
    let parsed = read(content, 0, Dialect::C)?;
    parsed.directive.filter(|_| parsed.errors.is_empty())
}

fn names_of(item: &Item<Text>) -> Vec<String> {
    match item {
        Item::Object(object) => owned(words(object.base.text.as_bytes())).collect(),
        Item::Value(value) => owned(words(value.text.as_bytes())).collect(),
        Item::Named { .. } => Vec::new(),
        Item::Word(text) | Item::Raw(text) => owned(words(text.as_bytes())).collect(),
    }
}

fn owned<'a>(words: impl Iterator<Item = &'a [u8]>) -> impl Iterator<Item = String> {
    words.map(|word| String::from_utf8_lossy(word).into_owned())
}

fn replaced(names: BTreeSet<String>, is_known: &dyn Fn(&str) -> bool, sources: &Sources) -> BTreeSet<String> {
    let mut open: Vec<String> = names.iter().filter(|name| !is_known(name)).cloned().collect();
    if open.is_empty() {
        return names;
    }
    let definitions: Vec<Vec<String>> = sources
        .files()
        .flat_map(|file| definitions(sources, file))
        .collect();
    let mut found = names;
    while let Some(name) = open.pop() {
        for definition in definitions.iter().filter(|one| one.first() == Some(&name)) {
            for word in &definition[1..] {
                if found.insert(word.clone()) && !is_known(word) {
                    open.push(word.clone());
                }
            }
        }
    }
    found
}

/// Where macros may make a directive of OpenACC that declares something: such directives are not seen. `main` is the unit's own file; headers are looked at, too, whoever includes them.
pub fn made_by_a_macro(main: FileId, sources: &Sources) -> Option<Span> {
    let is_header = |file: &FileId| sources.path(*file).extension().is_none_or(|own| own != "c");
    let files = || sources.files().filter(|file| *file == main || is_header(file));
    let makes = |file| {
        let words = || definitions(sources, file).into_iter().flatten();
        sources.has_word(file, "_Pragma") && words().any(|word| word == "_Pragma")
    };
    if !files().any(makes) {
        return None;
    }
    files().find_map(|file| {
        let mut start = 0;
        sources.bytes(file).split(|byte| *byte == b'\n').find_map(|line| {
            let own = Span::new(file, start, start + u32::try_from(line.len()).ok()?);
            start = own.end + 1;
            says_declare(line).then_some(own)
        })
    })
}

/// True if a line has the first words of a directive of OpenACC that declares something, and is no `#pragma`.
fn says_declare(line: &[u8]) -> bool {
    let all: Vec<&[u8]> = words(line).collect();
    let is_one = |pair: &[&[u8]]| pair[0] == b"acc" && matches!(pair[1], b"declare" | b"routine");
    all.first() != Some(&&b"pragma"[..]) && all.windows(2).any(is_one)
}

/// The words of each `#define` of a file, the macro's name first, and `##` where it pastes.
fn definitions(sources: &Sources, file: FileId) -> Vec<Vec<String>> {
    let bytes = sources.bytes(file);
    let preprocessor = Preprocessor::new(bytes);
    let lines = preprocessor
        .lines()
        .iter()
        .filter(|line| line.keyword == "define");
    lines
        .map(|line| {
            let text = line.behind_keyword(bytes);
            let pastes = text.windows(2).any(|pair| pair == PASTED.as_bytes());
            owned(words(text))
                .chain(pastes.then(|| PASTED.to_owned()))
                .collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> (Vec<String>, Vec<String>, bool) {
        let found = Listed::of(text.as_bytes());
        (
            found.names.into_iter().collect(),
            found.linked.into_iter().collect(),
            found.has_list,
        )
    }

    #[test]
    fn names_are_those_of_the_lists() {
        let strings = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
        for (text, names, linked, has_list) in [
            (
                "#pragma omp declare target to(a) /* n of them */",
                &["a"][..],
                &[][..],
                true,
            ),
            ("#pragma omp declare target to(a) // n", &["a"], &[], true),
            (
                "#pragma omp threadprivate(work) // size elements",
                &["work"],
                &[],
                true,
            ),
            ("#pragma omp declare target(f, a)", &["a", "f"], &[], true),
            (
                "#pragma omp declare target link (w) link(v)",
                &["v", "w"],
                &["v", "w"],
                true,
            ),
            ("#pragma omp declare target", &[], &[], false),
            ("#pragma omp declare target // n of them", &[], &[], false),
            (
                "#pragma omp begin declare target device_type(any)",
                &[],
                &[],
                false,
            ),
            ("#pragma acc declare copy(a[0:n], b)", &["a", "b"], &[], true),
            (
                "#pragma acc declare create(a) \\\n  link(c)",
                &["a", "c"],
                &["c"],
                true,
            ),
            ("#pragma acc routine(f) seq", &["f"], &[], true),
            ("_Pragma(\"omp declare target to(a)\")", &["a"], &[], true),
            (
                "#pragma omp declare target made_up(a)",
                &["a", "declare", "made_up", "omp", "pragma", "target"],
                &[],
                true,
            ),
        ] {
            assert_eq!(
                listed(text),
                (strings(names), strings(linked), has_list),
                "{text}"
            );
        }
    }

    #[test]
    fn names_that_nothing_has_are_replaced() {
        let mut sources = Sources::new();
        let text = "#define TABLE(x) OTHER x\n#define OTHER w, v\n#define v never\nint v, w;\n";
        sources.insert(std::path::Path::new("a.c"), text.into());
        let known = |name: &str| matches!(name, "v" | "w" | "x");
        let found = Listed::of(b"#pragma omp declare target to(TABLE)").replaced(&known, &sources);
        let names: Vec<&str> = found.names.iter().map(String::as_str).collect();
        assert_eq!(names, ["OTHER", "TABLE", "v", "w", "x"]);
        assert!(!found.may_name("u"));
        let pasted = text.replace("define OTHER w, v", "define OTHER w ## x, v");
        let mut sources = Sources::new();
        sources.insert(std::path::Path::new("a.c"), pasted.into());
        let found = Listed::of(b"#pragma omp declare target to(TABLE)").replaced(&known, &sources);
        assert!(found.may_name("u"));
        let plain = Listed::of(b"#pragma omp declare target to(v)").replaced(&known, &sources);
        assert_eq!(plain.names.len(), 1);
    }

    #[test]
    fn macros_may_make_directives() {
        let place = |text: &str| {
            let mut sources = Sources::new();
            let file = sources.insert(std::path::Path::new("a.c"), text.into());
            made_by_a_macro(file, &sources).map(|span| (span.start, span.end))
        };
        let text = "#define STR(x) #x\n#define DO(x) _Pragma(STR(x))\nDO(acc declare create(w))\n";
        assert_eq!(place(text), Some((48, 73)));
        assert_eq!(
            place(&text.replace("acc declare create(w)", "acc parallel loop")),
            None
        );
        assert_eq!(place("#define STR(x) #x\n#pragma acc declare create(w)\n"), None);
        assert_eq!(
            place("#define UNROLL _Pragma(\"unroll\")\n#pragma acc declare create(w)\n"),
            None
        );
    }
}
