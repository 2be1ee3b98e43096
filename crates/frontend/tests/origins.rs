//! Do statements, loops and expressions know where they are spelled? `Text` is shown as its own bytes, so that a wrong
//! offset shows; what comes out of a macro is shown in angle brackets, as the text of the expansion.

use ferry_frontend::clang::{TranslationUnit, on_large_stack};
use ferry_frontend::lower::{self, probe::NoPragmas};
use ferry_ir::{Expr, Loop, LoopKind, Stmt, StmtKind, Unit};
use ferry_source::{Origin, Sources};
use std::path::PathBuf;

fn unit<T: Send>(text: &[u8], work: impl FnOnce(&Unit, &Sources) -> T + Send) -> T {
    let path = PathBuf::from("/nowhere/origins.c");
    on_large_stack(|| {
        let tu = TranslationUnit::parse(&path, &[], &[(path.clone(), text.to_vec())]).unwrap();
        let mut sources = Sources::new();
        let main = sources.insert(&path, text.to_vec());
        let unit = lower::unit(&tu, &mut sources, main, &NoPragmas);
        work(&unit, &sources)
    })
    .unwrap()
}

struct Show<'a> {
    sources: &'a Sources,
    lines: Vec<String>,
}

impl Show<'_> {
    fn origin(&self, origin: Origin) -> String {
        let text = |span| {
            String::from_utf8_lossy(self.sources.text(span))
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        };
        match origin {
            Origin::Text(span) => text(span),
            Origin::Expanded(span) => format!("<{}>", text(span)),
            Origin::New => "new".into(),
        }
    }

    fn expr(&mut self, what: &str, expr: &Expr) {
        self.lines.push(format!("{what}: {}", self.origin(expr.origin)));
    }

    fn head(&mut self, parts: &Loop) {
        let part = |span| self.origin(Origin::Text(span));
        let line = match parts.spans {
            Some(spans) => format!(
                "loop: {} | {} | {}",
                part(spans.keyword),
                part(spans.head),
                part(spans.body)
            ),
            None => format!("loop at {}", parts.keyword.map_or("?".into(), part)),
        };
        self.lines.push(line);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block { body, .. } => body.iter().for_each(|inner| self.stmt(inner)),
            StmtKind::Assign { value, .. } => {
                self.lines.push(format!("assign: {}", self.origin(stmt.origin)));
                self.expr("value", value);
            }
            StmtKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.lines.push(format!("if: {}", self.origin(stmt.origin)));
                self.expr("condition", condition);
                self.stmt(then);
                otherwise.iter().for_each(|inner| self.stmt(inner));
            }
            StmtKind::Loop(parts) => {
                self.head(parts);
                parts.init.iter().for_each(|inner| self.stmt(inner));
                parts
                    .condition
                    .iter()
                    .for_each(|condition| self.expr("condition", condition));
                parts.step.iter().for_each(|inner| self.stmt(inner));
                self.stmt(&parts.body);
            }
            _ => self.lines.push(format!("other: {}", self.origin(stmt.origin))),
        }
    }
}

fn shown(text: &str) -> Vec<String> {
    unit(text.as_bytes(), |unit, sources| {
        let mut show = Show {
            sources,
            lines: Vec::new(),
        };
        let function = unit
            .functions
            .iter()
            .find(|function| function.name == "f")
            .unwrap();
        show.stmt(function.body.as_ref().unwrap());
        show.lines
    })
}

fn check(text: &str, expected: &[&str]) {
    assert_eq!(shown(text), expected, "{text}");
}

#[test]
fn plain_text_is_text() {
    check(
        "void f(int n, int *a) {\n  for (int i = 0; i < n; i++)\n    a[i] = i /* ; */ * 2 ;\n  if (n > (3)) n = 1; else { n = 2; }\n}",
        &[
            "loop: for | for (int i = 0; i < n; i++) | a[i] = i /* ; */ * 2 ;",
            "other: int i = 0;",
            "assign: int i = 0;",
            "value: 0",
            "condition: i < n",
            "assign: i++",
            "value: new",
            "assign: a[i] = i /* ; */ * 2 ;",
            "value: i /* ; */ * 2",
            "if: if (n > (3)) n = 1; else { n = 2; }",
            "condition: n > (3)",
            "assign: n = 1;",
            "value: 1",
            "assign: n = 2;",
            "value: 2",
        ],
    );
}

#[test]
fn macros_inside_leave_the_whole_as_text() {
    check(
        "#define N 100\n#define M (N + 1)\n#define AT(i) a[i]\nvoid f(int *a) {\n  int i;\n  for (i = 1; i < N; i += M) AT(i) = N - i;\n}",
        &[
            "other: int i;",
            "loop: for | for (i = 1; i < N; i += M) | AT(i) = N - i;",
            "assign: i = 1",
            "value: 1",
            "condition: i < N",
            "assign: i += M",
            "value: new",
            "assign: AT(i) = N - i;",
            "value: N - i",
        ],
    );
}

#[test]
fn what_begins_or_ends_inside_a_macro_is_not_text() {
    // Each of these begins or ends inside of the replacement list, though its range in the file looks whole.
    let define = "#define REST + 1; y = 2\n#define SUM 1 + 2\n#define PAIR x[y][1]\n#define END }\n#define TWO x[0][0] = 1; x[0][1] = 2\n";
    let body = "int y; int x[3][3];\nvoid f(void) {\n y = 3 REST;\n y = SUM * 3;\n y = 3 * SUM;\n y = PAIR;\n if (y) TWO;\n { y = 4; END\n}";
    check(
        &format!("{define}{body}"),
        &[
            "assign: <y = 3 REST;>",
            "value: <3 REST>",
            "assign: <REST;>",
            "value: <REST>",
            "assign: y = SUM * 3;",
            "value: <SUM * 3>",
            // The statement is whole: it ends at the first `;`, and there is none in `SUM`.
            "assign: y = 3 * SUM;",
            "value: <3 * SUM>",
            "assign: y = PAIR;",
            "value: PAIR",
            "if: <if (y) TWO;>",
            "condition: y",
            "assign: <TWO;>",
            "value: <TWO>",
            "assign: <TWO;>",
            "value: <TWO>",
            "assign: y = 4;",
            "value: 4",
        ],
    );
}

#[test]
fn a_loop_out_of_a_macro_has_spans_only_if_the_macro_is_its_head() {
    let define = "#define FOR(i, n) for (i = 0; i < n; i++)\n#define SWAP(a, b) do { int t = a; a = b; b = t; } while (0)\n";
    let body = "void f(int n, int *a) {\n int i;\n FOR(i, n) a[i] = 1;\n while (n > 3) SWAP(n, i);\n}";
    let lines = shown(&format!("{define}{body}"));
    assert!(
        lines.contains(&"loop: FOR | FOR(i, n) | a[i] = 1;".to_owned()),
        "{lines:?}"
    );
    assert!(
        lines.contains(&"loop: while | while (n > 3) | SWAP(n, i);".to_owned()),
        "{lines:?}"
    );
    assert!(lines.contains(&"loop at SWAP".to_owned()), "{lines:?}");
    let define = "#define HEAD int k = 0; for (; k < 9; k++)\n#define OPEN for (int k = 0; k < 9; k++) {\n";
    let body = "void f(int n) {\n HEAD n++;\n OPEN n--; }\n}";
    let lines = shown(&format!("{define}{body}"));
    assert!(lines.contains(&"loop at HEAD".to_owned()), "{lines:?}");
    assert!(lines.contains(&"loop at OPEN".to_owned()), "{lines:?}");
}

/// The places of the outermost `for` loops.
fn loops(text: &str) -> Vec<String> {
    unit(text.as_bytes(), |unit, sources| {
        let show = Show {
            sources,
            lines: Vec::new(),
        };
        fn collect(stmt: &Stmt, show: &Show, found: &mut Vec<String>) {
            if matches!(&stmt.kind, StmtKind::Loop(inner) if inner.kind == LoopKind::For) {
                found.push(show.origin(stmt.origin));
            } else {
                stmt.for_each_child(&mut |child| collect(child, show, found));
            }
        }
        let mut found = Vec::new();
        collect(unit.functions[0].body.as_ref().unwrap(), &show, &mut found);
        found
    })
}

#[test]
fn a_loop_that_begins_and_ends_with_a_macros_use_is_text() {
    let cases = [
        // The whole loop, with and without its `;`.
        (
            "#define SET(a, n) for (int i = 0; i < (n); i++) a[i] = N",
            "SET(x, n);",
            "SET(x, n);",
        ),
        (
            "#define SET(a, n) for (int i = 0; i < (n); i++) (a)[i] = 1;",
            "SET(x, n)",
            "SET(x, n)",
        ),
        (
            "#define SET(a, n) for (int i = 0; i < (n); i++) { \\\n a[i] = 1; (a)[i]++; }",
            "SET(x, n);",
            "SET(x, n)",
        ),
        // Several heads.
        (
            "#define FOR(i, n) for (int i = 0; i < n; i++)\n#define TWO(i, j) for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++)",
            "TWO(i, j) x[i * 9 + j] = 0;",
            "TWO(i, j) x[i * 9 + j] = 0;",
        ),
        (
            "#define FOR(i, n) for (int i = 0; i < n; i++)\n#define ZERO(a, n) FOR(i, n) FOR(j, n) (a)[i * n + j] = 0",
            "ZERO(x, n) ;",
            "ZERO(x, n) ;",
        ),
        // A head that is written by another one.
        (
            "#define RANGE(i, a, b) for (int i = a; i < b; i++)\n#define FOR(i, n) RANGE(i, 0, n)",
            "FOR(i, n) { x[i] = 0; }",
            "FOR(i, n) { x[i] = 0; }",
        ),
        // Braces by macros.
        (
            "#define BEGIN(i, n) for (int i = 0; i < n; i++) {\n#define END }",
            "BEGIN(i, n) x[i] = 0; END n++;",
            "BEGIN(i, n) x[i] = 0; END",
        ),
    ];
    for (define, body, expected) in cases {
        let text = format!("#define N 3\n{define}\nvoid f(int n, int *x) {{\n {body}\n}}\n");
        assert_eq!(loops(&text), [expected], "{define}");
    }
}

#[test]
fn the_first_of_the_loops_that_the_same_letters_make_is_text() {
    let cases = [
        // One inside the other.
        (
            "#define FOR(i, n) for (int i = 0; i < n; i++)\n#define TWO(i, j, n) FOR(i, n) FOR(j, n)",
            "TWO(i, j, n) x[i * n + j] = 0;",
            vec![
                "TWO(i, j, n) x[i * n + j] = 0;",
                "<TWO(i, j, n) x[i * n + j] = 0;>",
            ],
        ),
        (
            "#define ALL(s) for (int i = 0; i < n; i++) s",
            "ALL(ALL(x[0]++));",
            vec!["ALL(ALL(x[0]++));", "<ALL(ALL(x[0]++));>"],
        ),
        // One behind the other.
        (
            "#define FOR(i, n) for (int i = 0; i < n; i++)\n#define TWO(i, n) FOR(i, n) x[i]++; FOR(i, n) {",
            "TWO(i, n) x[i] = 0; }",
            vec!["<TWO(i, n)>", "<TWO(i, n) x[i] = 0; }>"],
        ),
        (
            "#define FOR(i, n) for (int i = 0; i < n; i++)\n#define TWO(i, n) FOR(i, n) x[i]++; else FOR(i, n)",
            "if (n > 3) TWO(i, n) x[i] = 0;",
            vec!["<TWO(i, n)>", "<TWO(i, n) x[i] = 0;>"],
        ),
    ];
    for (define, body, expected) in cases {
        let text = format!("{define}\nvoid f(int n, int *x) {{\n {body}\n}}\n");
        let found = unit(text.as_bytes(), |unit, sources| {
            let show = Show {
                sources,
                lines: Vec::new(),
            };
            let mut found = Vec::new();
            unit.functions[0].body.as_ref().unwrap().walk(&mut |stmt| {
                if matches!(stmt.kind, StmtKind::Loop(_)) {
                    found.push(show.origin(stmt.origin));
                }
            });
            found
        });
        assert_eq!(found, expected, "{define}");
    }
}

#[test]
fn a_loop_that_is_a_part_of_what_a_macro_stands_for_is_not_text() {
    let cases = [
        // Something before it, or after it.
        (
            "#define SET(a, n) int i; for (i = 0; i < (n); i++) a[i] = 1",
            "SET(x, n);",
            1,
        ),
        (
            "#define SET(a, n) do { for (int i = 0; i < (n); i++) a[i] = 1; } while (0)",
            "SET(x, n);",
            1,
        ),
        (
            "#define SET(a, n) for (int i = 0; i < (n); i++) a[i] = 1; n = 0;",
            "SET(x, n)",
            1,
        ),
        (
            "#define SET(a, n) for (int i = 0; i < (n); i++) { a[i] = 1; } n = 0",
            "SET(x, n);",
            1,
        ),
        (
            "#define SET(a, n) for (int i = 0; i < (n); i++) a[i] = 1; for (int i = 0; i < (n); i++) a[i] = 2",
            "SET(x, n);",
            2,
        ),
        // It may be that something is.
        (
            "#define SET(n, s) for (int i = 0; i < (n); i++) s",
            "SET(n, x[i] = 0; n++);",
            1,
        ),
        (
            "#define MORE 1; n = 0\n#define SET(a, n) for (int i = 0; i < (n); i++) a[i] = MORE",
            "SET(x, n);",
            1,
        ),
        (
            "#define MORE 1; n = 0\n#define SET(a, n, v) for (int i = 0; i < (n); i++) a[i] = v",
            "SET(x, n, MORE);",
            1,
        ),
        (
            "#define CLOSE 1; } { n = 0;\n#define SET(a, n) for (int i = 0; i < (n); i++) { a[i] = CLOSE }",
            "SET(x, n)",
            1,
        ),
        (
            "#define SET(a, n) for (int i = 0; i < (n); i++) if (n > 3) a[i] = 1; else a[i] = 2",
            "SET(x, n);",
            1,
        ),
        (
            "#define BEGIN(i, n) for (int i = 0; i < n; i++) {\n#define END } n = 0;",
            "BEGIN(i, n) x[i] = 0; END",
            1,
        ),
        (
            "#define LATE(p, i, n) p (int i = 0; i < n; i++)",
            "LATE(for, i, n) x[i] = 0;",
            1,
        ),
        (
            "#define WRAP(s) s",
            "WRAP(for (int i = 0; i < n; i++) x[i] = 0;)",
            1,
        ),
    ];
    for (define, body, count) in cases {
        let text = format!("{define}\nvoid f(int n, int *x) {{\n {body}\n}}\n");
        let found = loops(&text);
        assert_eq!(found.len(), count, "{define}: {found:?}");
        assert!(
            found.iter().all(|place| place.starts_with('<')),
            "{define}: {found:?}"
        );
    }
}

#[test]
fn macros_that_stand_for_one_token_or_their_argument_are_text() {
    let define = "#define VAL(x) x\n#define PICK(a, b) a\n#define LIMIT PICK(N, n)\n#define N 9\n#define BIG 2147483647\n#define TOP BIG\n";
    let body =
        "void f(int n) {\n n = 3 / VAL(n + 1);\n n = 3 + LIMIT;\n n = TOP;\n n = VAL(n) + PICK(n, 1) ;\n}";
    let lines = shown(&format!("{define}{body}"));
    let values: Vec<&str> = lines
        .iter()
        .map(String::as_str)
        .filter(|line| line.starts_with("value"))
        .collect();
    assert_eq!(
        values,
        [
            "value: <3 / VAL(n + 1)>",
            "value: 3 + LIMIT",
            "value: TOP",
            "value: VAL(n) + PICK(n, 1)",
        ]
    );
}

/// The name in front of members and subscripts may be an argument, if that is one token: of more, the members belong to the last.
#[test]
fn macros_that_stand_for_a_part_of_an_argument_are_text() {
    let define = "struct s { int n, *a; };\n#define A(S, i) S->a[i]\n#define N(S) S->n\n#define H(i) A(p, i)\n#define SUM(x, S) x + S->n\n#define TWICE(i) A(p, i) * 2\n";
    let body = "void f(struct s *p, int n) {\n n = A(p, n);\n n = N(p);\n n = H(1);\n n = SUM(n, p);\n n = N((p + 1));\n n = N(*&p);\n n = TWICE(1);\n}";
    let lines = shown(&format!("{define}{body}"));
    let values = lines
        .iter()
        .map(String::as_str)
        .filter(|line| line.starts_with("value"));
    assert_eq!(
        values.collect::<Vec<&str>>(),
        [
            "value: A(p, n)",
            "value: N(p)",
            "value: H(1)",
            "value: <SUM(n, p)>",
            "value: <N((p + 1))>",
            "value: <N(*&p)>",
            "value: <TWICE(1)>",
        ]
    );
}

#[test]
fn offsets_are_those_of_the_file() {
    let text = b"\xEF\xBB\xBF/* \xE9 */ void f(int *p)\r\n{\r\n\tfor (int i = 0;\r\n i < 4; i++)\r\n\t{ p[i] = 1; }\r\n}\r\n";
    let lines = unit(text, |unit, sources| {
        let mut show = Show {
            sources,
            lines: Vec::new(),
        };
        show.stmt(unit.functions[0].body.as_ref().unwrap());
        show.lines
    });
    assert_eq!(
        lines[0],
        "loop: for | for (int i = 0; i < 4; i++) | { p[i] = 1; }"
    );
}
