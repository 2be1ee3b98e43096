//! What is parsed in place of a file with pragmas? A copy with the same number of lines, in which each pragma is a
//! statement (a *probe*) that holds the directive's expressions, byte for byte. libclang then types them where they
//! stand, with macros expanded, and no macro expander is needed.
//!
//! The forms of a probe are in [`crate::lower::probe`]. Expressions keep their line; offsets in the copy are mapped back
//! exactly inside expressions and outside probes, and to the pragma's `#` inside the rest of a probe.

use std::ops::Range;

/// The name in probes of broken directives, to recognise libclang's message about it.
pub const UNDECLARED: &str = "directive_that_is_not_understood";

/// Flags that define the macros that [`Form::Expand`] uses.
pub const STRING_MACROS: [&str; 2] = [
    "-DFERRY_STRING(...)=FERRY_STRING_OF(__VA_ARGS__)",
    "-DFERRY_STRING_OF(...)=#__VA_ARGS__",
];

macro_rules! guard {
    () => {
        "ferry"
    };
}

/// What the assertion before a stand-alone probe says, which no assertion of a program does.
pub const GUARD: &str = guard!();

/// How the name of a probe in a macro definition begins; the file's tag and the pragma's number are after it.
pub const DEFINED: &str = "ferry: directive ";

/// How a stand-alone probe begins. A declaration, so that libclang refuses the probe as the body of an `if` or a loop, where the
/// directive may not stand either and would take the place of the statement after it.
const STAND_ALONE: &str = concat!("_Static_assert(1, \"", guard!(), "\"); { ");

/// What stands in place of one pragma.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replacement {
    /// The pragma in the physical file, line end not included.
    pub span: Range<u32>,
    /// Its form.
    pub form: Form,
    /// The expressions, in the order in which they are probed.
    pub expressions: Vec<Expression>,
    /// What the probe says of itself, where it stands in a macro definition: of its copies libclang tells only where the macro is used.
    pub name: Option<String>,
}

/// How a probe is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `if (0 && (…)) ; else`: governs the next statement.
    Governs,
    /// `{ … }` after a declaration.
    StandAlone,
    /// Nothing: a directive without a statement's place, or one that is ignored.
    Blank,
    /// A use of a name that is declared nowhere ([`UNDECLARED`]): the directive is broken, so nothing in its function may be trusted.
    Invalid,
    /// `_Static_assert(1, "…");` with the pragma's text, macros expanded ([`STRING_MACROS`]): only to see what the text is.
    Expand,
}

/// One expression of a probe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// These bytes of the physical file.
    Bytes(Range<u32>),
    /// Text that is spelled otherwise in the file (inside a string literal with escapes).
    Detached(String),
}

/// A copy with its map.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Copy {
    /// The text for libclang.
    pub text: Vec<u8>,
    segments: Vec<Segment>,
    /// Where each replacement begins and ends in the copy, in order; glue that is only line ends not counted at the front.
    probes: Vec<Range<u32>>,
    /// Where the statement begins that stands for the directive.
    statements: Vec<u32>,
}

/// Bytes that are the same in both texts, and the place of the glue that follows them.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Segment {
    parsed: u32,
    physical: u32,
    length: u32,
    glue_at: u32,
}

impl Copy {
    /// Builds the copy. The replacements must be in order and must not overlap; expressions may be in any order within theirs.
    pub fn new(bytes: &[u8], replacements: &[Replacement]) -> Copy {
        let mut copy = Copy::default();
        let mut at = 0;
        for replacement in replacements {
            let start = replacement.span.start.max(at);
            copy.same(bytes, at..start, replacement.span.start);
            copy.probe(bytes, replacement);
            at = replacement.span.end.max(start);
        }
        copy.same(bytes, at..bytes.len() as u32, bytes.len() as u32);
        copy
    }

    fn same(&mut self, bytes: &[u8], range: Range<u32>, glue_at: u32) {
        let text = bytes
            .get(range.start as usize..range.end as usize)
            .unwrap_or_default();
        self.segments.push(Segment {
            parsed: self.text.len() as u32,
            physical: range.start,
            length: text.len() as u32,
            glue_at,
        });
        self.text.extend_from_slice(text);
    }

    /// Writes one probe with as many line ends as the pragma has.
    fn probe(&mut self, bytes: &[u8], replacement: &Replacement) {
        let span = &replacement.span;
        let lines = |range: Range<u32>| newlines(bytes, range);
        let is_bare = replacement.expressions.is_empty() && replacement.name.is_none();
        let (open, close) = match (replacement.form, is_bare) {
            (Form::Governs, true) => ("if (0) ", "; else"),
            (Form::Governs, false) => ("if (0 && (", "0)) ; else"),
            (Form::StandAlone, _) => (STAND_ALONE, "}"),
            (Form::Blank, _) => ("", ""),
            (Form::Invalid, _) => ("{ (void)directive_that_is_not_understood; ", "}"),
            (Form::Expand, _) => ("_Static_assert(1, FERRY_STRING(", "));"),
        };
        let start = self.text.len() as u32;
        let declaration = if replacement.form == Form::StandAlone {
            STAND_ALONE.len() - 2
        } else {
            0
        };
        self.statements.push(start + declaration as u32);
        self.text.extend_from_slice(open.as_bytes());
        let mut done = 0;
        let wanted = lines(span.clone());
        let (before, separator) = match replacement.form {
            Form::Governs => ("(void)(", "), "),
            Form::StandAlone => ("(void)(", "); "),
            Form::Blank | Form::Invalid | Form::Expand => ("", ""),
        };
        if let (Some(name), Form::Governs | Form::StandAlone) = (&replacement.name, replacement.form) {
            self.text
                .extend_from_slice(format!("{before}\"{name}\"{separator}").as_bytes());
        }
        let expressions: &[Expression] = match replacement.form {
            Form::Blank | Form::Invalid => &[],
            _ => &replacement.expressions,
        };
        for expression in expressions {
            match expression {
                Expression::Bytes(range) => {
                    // Move down to the expression's line, unless that is passed already.
                    let above = lines(span.start..range.start);
                    self.line_ends(above.saturating_sub(done));
                    done = done.max(above);
                    self.text.extend_from_slice(before.as_bytes());
                    self.same(bytes, range.clone(), span.start);
                    done += lines(range.clone());
                }
                Expression::Detached(text) => {
                    self.text.extend_from_slice(before.as_bytes());
                    self.text.extend_from_slice(text.as_bytes());
                }
            }
            self.text.extend_from_slice(separator.as_bytes());
        }
        self.text.extend_from_slice(close.as_bytes());
        self.line_ends(wanted.saturating_sub(done));
        self.probes.push(start..self.text.len() as u32);
    }

    fn line_ends(&mut self, count: u32) {
        self.text.extend(std::iter::repeat_n(b'\n', count as usize));
    }

    /// The physical offset of a byte of the copy.
    pub fn physical(&self, parsed: u32) -> u32 {
        let next = self.segments.partition_point(|segment| segment.parsed <= parsed);
        let Some(segment) = next.checked_sub(1).and_then(|last| self.segments.get(last)) else {
            return parsed;
        };
        let inside = parsed - segment.parsed;
        if inside <= segment.length {
            segment.physical + inside
        } else {
            segment.glue_at
        }
    }

    /// The number of the replacement whose probe holds this byte of the copy.
    pub fn probe_around(&self, parsed: u32) -> Option<usize> {
        let next = self.probes.partition_point(|probe| probe.start <= parsed);
        next.checked_sub(1).filter(|&last| parsed < self.probes[last].end)
    }

    /// The number of the replacement whose probe starts at this byte of the copy.
    pub fn probe_at(&self, parsed: u32) -> Option<usize> {
        self.probe_around(parsed)
            .filter(|&number| self.statements[number] == parsed)
    }
}

fn newlines(bytes: &[u8], range: Range<u32>) -> u32 {
    let text = bytes
        .get(range.start as usize..range.end as usize)
        .unwrap_or_default();
    text.iter().filter(|byte| **byte == b'\n').count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str, part: &str) -> Range<u32> {
        let start = text.find(part).unwrap() as u32;
        start..start + part.len() as u32
    }

    #[test]
    fn lines_stay_and_expressions_map_back() {
        let text =
            "f() {\n#pragma omp parallel for if(n > 3) \\\n  num_threads(a + \\\n b)\n  for (;;) ;\n}\n";
        let pragma = range(
            text,
            "#pragma omp parallel for if(n > 3) \\\n  num_threads(a + \\\n b)",
        );
        let copy = Copy::new(
            text.as_bytes(),
            &[Replacement {
                span: pragma.clone(),
                form: Form::Governs,
                expressions: vec![
                    Expression::Bytes(range(text, "n > 3")),
                    Expression::Bytes(range(text, "a + \\\n b")),
                ],
                name: None,
            }],
        );
        let parsed = String::from_utf8(copy.text.clone()).unwrap();
        assert_eq!(
            parsed,
            "f() {\nif (0 && ((void)(n > 3), \n(void)(a + \\\n b), 0)) ; else\n  for (;;) ;\n}\n"
        );
        let at = |part: &str| parsed.find(part).unwrap() as u32;
        for part in ["n > 3", "a + ", " b), 0", "for (;;)", "f()", "}\n"] {
            let original = text.find(part.trim_end_matches("), 0")).unwrap() as u32;
            assert_eq!(copy.physical(at(part)), original, "{part}");
        }
        assert_eq!(
            copy.physical(at("> 3), ") + 3),
            range(text, "n > 3").end,
            "the end of an expression"
        );
        for glue in ["if (0", "(void)(n", "0)) ;", "; else"] {
            assert_eq!(copy.physical(at(glue)), pragma.start, "{glue}");
        }
        assert_eq!(copy.probe_at(at("if (0")), Some(0));
        assert_eq!(copy.probe_at(at("if (0") + 1), None);
        assert_eq!(copy.probe_around(at("0)) ;")), Some(0));
        assert_eq!(copy.probe_around(at("for (;;)")), None);
        assert_eq!(copy.physical(parsed.len() as u32), text.len() as u32);
    }

    #[test]
    fn stand_alone_and_blank_probes() {
        let text = "#pragma a\nx;\n#pragma b \\\n y\nz;\n";
        let copy = Copy::new(
            text.as_bytes(),
            &[
                Replacement {
                    span: range(text, "#pragma a"),
                    form: Form::Blank,
                    expressions: Vec::new(),
                    name: None,
                },
                Replacement {
                    span: range(text, "#pragma b \\\n y"),
                    form: Form::StandAlone,
                    expressions: vec![
                        Expression::Detached("q".into()),
                        Expression::Bytes(range(text, "y")),
                    ],
                    name: None,
                },
            ],
        );
        assert_eq!(
            String::from_utf8(copy.text.clone()).unwrap(),
            "\nx;\n_Static_assert(1, \"ferry\"); { (void)(q); \n(void)(y); }\nz;\n"
        );
        assert_eq!((copy.probe_around(4), copy.probe_at(4)), (Some(1), None));
        assert_eq!(
            copy.probe_at(4 + (STAND_ALONE.len() - "{ ".len()) as u32),
            Some(1)
        );
        assert_eq!(copy.physical(1), range(text, "x;").start);
    }
}
