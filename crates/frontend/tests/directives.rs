//! Directives in the source, read through the whole front end: their expressions are typed, and every place is one of the
//! physical file.

use ferry_directive::{Directive, Item, Subscript};
use ferry_frontend::{Job, LoadedUnit, Options, load};
use ferry_ir::verify::verify_unit;
use ferry_ir::{Expr, ExprKind, Stmt, StmtKind, Type, Unit};
use ferry_source::{Origin, Severity, Sources, Span};
use std::path::Path;

struct Program {
    sources: Sources,
    loaded: LoadedUnit,
}

fn program(text: &str) -> Program {
    with_options(text, &Options::default())
}

fn with_options(text: &str, options: &Options) -> Program {
    let mut sources = Sources::new();
    let path = Path::new("/nowhere/a.c");
    sources.insert(path, text.as_bytes().to_vec());
    let job = Job::new(path, &["-fopenmp".to_owned(), "-fopenacc".to_owned()]);
    let loaded = load(&mut sources, &[job], options).units.remove(0);
    Program { sources, loaded }
}

impl Program {
    fn unit(&self) -> &Unit {
        let errors: Vec<_> = self
            .loaded
            .all_findings()
            .filter(|f| f.severity == Severity::Error)
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
        let unit = self.loaded.unit.as_ref().unwrap();
        assert!(verify_unit(unit).is_empty(), "{:#?}", verify_unit(unit));
        unit
    }

    fn text(&self, span: Span) -> &str {
        std::str::from_utf8(self.sources.text(span)).unwrap()
    }

    /// All statements of all functions, parents first.
    fn statements(&self) -> Vec<&Stmt> {
        let mut all = Vec::new();
        for function in &self.unit().functions {
            if let Some(body) = &function.body {
                body.walk(&mut |statement| all.push(statement));
            }
        }
        all
    }

    fn directives(&self) -> Vec<(&Directive<Expr>, Option<&Stmt>)> {
        self.statements()
            .into_iter()
            .filter_map(|statement| match &statement.kind {
                StmtKind::Directive { directive, body } => Some((&**directive, body.as_deref())),
                _ => None,
            })
            .collect()
    }

    /// The text of an expression, by its place.
    fn spelled(&self, expr: &Expr) -> &str {
        self.text(expr.origin.span().unwrap())
    }
}

#[test]
fn sections_are_typed_and_placed() {
    let text = "struct s { int n; double *p; };
void f(int n, double a[n][n], struct s *s) {
  int i;
#pragma omp target teams distribute parallel for \\
    map(to: a[0:n][1:n - 1]) /* both */ map(tofrom: s->p[:s->n], i) \\
    num_teams(n > 4 ? 4 : n)
  for (i = 0; i < n; i++) s->p[i] = a[i][1];
}
";
    let program = program(text);
    let [(directive, Some(body))] = program.directives()[..] else {
        panic!("{:?}", program.directives())
    };
    assert_eq!(directive.name, "target teams distribute parallel for");
    assert!(matches!(body.kind, StmtKind::Loop(_)));
    assert!(
        program
            .text(body.origin.span().unwrap())
            .starts_with("for (i = 0")
    );
    let Item::Object(a) = &directive.clauses[0].items()[0] else {
        panic!()
    };
    let types = &program.unit().types;
    assert!(
        matches!(types.get(a.base.ty), Type::Pointer(_)),
        "a parameter is a pointer"
    );
    assert_eq!(program.spelled(&a.base), "a");
    let Subscript::Section {
        lower: Some(lower),
        length: Some(length),
        stride: None,
    } = &a.subscripts[1]
    else {
        panic!()
    };
    assert_eq!((lower.as_int(), program.spelled(length)), (Some(1), "n - 1"));
    let Item::Object(p) = &directive.clauses[1].items()[0] else {
        panic!()
    };
    assert!(matches!(p.base.kind, ExprKind::Load(_)), "{:?}", p.base);
    assert_eq!(program.spelled(&p.base), "s->p");
    let Item::Object(i) = &directive.clauses[1].items()[1] else {
        panic!()
    };
    assert!(i.base.as_variable().is_some());
    let Item::Value(teams) = &directive.clauses[2].items()[0] else {
        panic!()
    };
    assert!(matches!(teams.kind, ExprKind::Select(..)));
    assert_eq!(program.spelled(teams), "n > 4 ? 4 : n");
}

#[test]
fn arrays_and_records_are_lvalues_of_their_types() {
    let text = "struct s { int n; } global;
double table[10][20];
void f(void) {
#pragma acc data copyin(table, global)
  { table[0][0] = global.n; }
#pragma acc update self(table[2:3][0:20])
}
";
    let program = program(text);
    let directives = program.directives();
    let items = directives[0].0.clauses[0].items();
    let types = &program.unit().types;
    let ty = |item: &Item<Expr>| match item {
        Item::Object(object) => types.get(object.base.ty).clone(),
        other => panic!("{other:?}"),
    };
    assert!(matches!(ty(&items[0]), Type::Array { .. }));
    assert!(matches!(ty(&items[1]), Type::Record(_)));
    assert!(matches!(
        directives[0].1.unwrap().kind,
        StmtKind::Block { scope: true, .. }
    ));
    assert_eq!((directives[1].0.name.as_str(), directives[1].1), ("update", None));
}

#[test]
fn the_statements_around_keep_their_shape() {
    let text = "int n;
void f(int x) {
  if (x)
#pragma omp critical
    n = 1;
  else
#pragma omp atomic
    n += 2;
  while (n < 9)
#pragma omp parallel num_threads(2)
    {
#pragma omp barrier
      n++;
#pragma omp flush
    }
}
";
    let program = program(text);
    let names: Vec<&str> = program
        .directives()
        .iter()
        .map(|(d, _)| d.name.as_str())
        .collect();
    assert_eq!(names, ["critical", "atomic", "parallel", "barrier", "flush"]);
    let both = program
        .statements()
        .into_iter()
        .any(|statement| match &statement.kind {
            StmtKind::If {
                then,
                otherwise: Some(otherwise),
                ..
            } => {
                let is_directive = |s: &Stmt| matches!(s.kind, StmtKind::Directive { .. });
                is_directive(then) && is_directive(otherwise)
            }
            _ => false,
        });
    assert!(both, "{:#?}", program.unit().functions);
    assert!(
        program
            .statements()
            .iter()
            .all(|s| !matches!(s.kind, StmtKind::Empty)),
        "nothing of the probes is left"
    );
    for statement in program.statements() {
        if let (StmtKind::Loop(the_loop), Some(span)) = (&statement.kind, statement.origin.span()) {
            assert!(program.text(span).starts_with("while"));
            assert_eq!(program.text(the_loop.keyword.unwrap()), "while");
        }
    }
}

#[test]
fn a_macros_expression_and_a_pragma_operator() {
    let text = "#define N 100
#define DO(x) _Pragma(#x)
#define LOOP(i) _Pragma(\"omp parallel for\") for (int i = 0; i < N; i++)
void f(double *a) {
#pragma omp parallel for num_threads(N / 2)
  for (int i = 0; i < N; i++) a[i] = 0;
  DO(omp parallel for if(a != 0))
  for (int i = 0; i < N; i++) a[i] = 0;
  _Pragma(\"omp parallel for num_threads(N)\")
  for (int i = 0; i < N; i++) a[i] = 0;
}
void g(double *a) {
  LOOP(i) a[i] = 1;
}
";
    let program = program(text);
    let directives = program.directives();
    assert_eq!(directives.len(), 4);
    assert!(
        directives
            .iter()
            .all(|(_, body)| body.is_some_and(|b| matches!(b.kind, StmtKind::Loop(_))))
    );
    assert_eq!(opaque(&program), Vec::<String>::new());
}

fn opaque(program: &Program) -> Vec<String> {
    let why = |statement: &Stmt| match &statement.kind {
        StmtKind::Opaque { why, .. } => Some(why.clone()),
        _ => None,
    };
    program.statements().into_iter().filter_map(why).collect()
}

#[test]
fn a_macro_makes_directives_among_other_text() {
    let text = "#define FILL(n, v) { _Pragma(\"omp target enter data map(to: flag)\") \\
  _Pragma(\"omp target map(tofrom: a[0:m])\") for (int i = 0; i < n; i++) a[i] = v; }
#define BOTH { FILL(m, 1) FILL(3, flag) }
#define COUNT(a) _Pragma(\"omp target map(tofrom: a)\") { a++; }
void f(int m, int flag, double *a) {
  if (m > 3)
    BOTH
  else
    FILL(2, m)
}
void g(int m) {
  COUNT(m)
}
";
    let program = program(text);
    let directives = program.directives();
    let names: Vec<&str> = directives.iter().map(|(one, _)| one.name.as_str()).collect();
    assert_eq!(names, ["target enter data", "target"].repeat(3));
    for (directive, body) in &directives {
        assert_eq!(directive.name == "target", body.is_some());
        let items = directive.clauses[0].items();
        assert!(
            matches!(items, [Item::Object(_)]),
            "typed where the macro is used: {items:?}"
        );
    }
    let origins = program.statements().into_iter().filter_map(|s| match &s.kind {
        StmtKind::Directive { .. } => Some(s.origin),
        _ => None,
    });
    let uses: Vec<&str> = origins
        .map(|origin| match origin {
            Origin::Expanded(span) => program.text(span),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(uses[..4], ["BOTH"; 4]);
    assert_eq!(uses[4..], ["FILL(2, m)"; 2]);
    // In a string the name of a parameter means what is declared where the macro is used, not the argument.
    let why = ["a macro makes a directive among other text: `omp target map(tofrom: a)`"];
    assert_eq!(opaque(&program), why);
}

#[test]
fn an_unknown_expression_is_raw_text_with_a_warning() {
    let text = "void f(int n, double *a) {\n#pragma omp target map(to: a[0:m]) nowait\n  { a[0] = n; }\n}\n";
    let program = program(text);
    let [(directive, Some(_))] = program.directives()[..] else {
        panic!()
    };
    assert_eq!(directive.clauses[0].items(), [Item::Raw("a[0:m]".into())]);
    assert!(directive.has_clause("nowait"));
    let warning = &program.loaded.findings[0];
    assert_eq!(warning.severity, Severity::Warning);
    assert!(
        program
            .text(warning.primary.as_ref().unwrap().at)
            .starts_with("#pragma omp target")
    );
}

#[test]
fn a_broken_directive_is_one_error_and_its_function_is_opaque() {
    let text = "void f(int n, double *a) {\n#pragma omp target map(to: a[0:n)\n  { a[0] = n; }\n}\nvoid g(void) { }\n";
    let program = program(text);
    let errors: Vec<_> = program.loaded.all_findings().collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    assert!(program.loaded.has_errors());
    let at = errors[0].primary.as_ref().unwrap().at;
    assert_eq!(program.sources.line_column(at.file, at.start).0, 2);
    let unit = program.loaded.unit.as_ref().unwrap();
    let opaque = |name: &str| {
        let function = unit.functions.iter().find(|f| f.name == name).unwrap();
        matches!(function.body.as_ref().unwrap().kind, StmtKind::Opaque { .. })
    };
    assert!(opaque("f") && !opaque("g"));
}

#[test]
fn declarations_are_listed_and_ignored_directives_are_gone() {
    let text = "#pragma omp declare target
int counter;
#pragma omp end declare target
#if 0
#pragma omp declare target to(nothing)
#endif
#pragma acc routine seq
int h(int x) { return x; }
void f(double *a) {
#pragma omp parallel for broken(
  for (int i = 0; i < 9; i++) a[i] = 0;
}
";
    let read = with_options(text, &Options::default());
    let names: Vec<&str> = read
        .loaded
        .declarations
        .iter()
        .map(|d| d.directive.name.as_str())
        .collect();
    assert_eq!(names, ["declare target", "end declare target", "routine"]);
    assert!(read.loaded.has_errors());
    let ignored = with_options(
        text,
        &Options {
            ignore_directives: true,
            ..Options::default()
        },
    );
    assert!(ignored.directives().is_empty() && ignored.loaded.declarations.is_empty());
    assert_eq!(ignored.loaded.all_findings().count(), 0);
    let the_loop = ignored
        .statements()
        .into_iter()
        .find(|s| matches!(s.kind, StmtKind::Loop(_)))
        .unwrap();
    assert!(
        ignored
            .text(the_loop.origin.span().unwrap())
            .starts_with("for (int i"),
        "places stay physical"
    );
}

#[test]
fn line_ends_and_bytes_of_all_kinds_keep_their_places() {
    let text = "\u{feff}// caf\u{e9}\r\nvoid f(int n, double *a) {\r\n#pragma omp parallel for if(n > 1) \\\r\n  num_threads(n)\r\n\tfor (int i = 0; i < n; i++)\r\n\t\ta[i] = 0;\r\n}\r\n";
    let program = program(text);
    let [(directive, Some(body))] = program.directives()[..] else {
        panic!("{:#?}", program.loaded)
    };
    let Item::Value(threads) = &directive.clauses[1].items()[0] else {
        panic!()
    };
    assert_eq!(program.spelled(threads), "n");
    assert!(
        program
            .text(body.origin.span().unwrap())
            .starts_with("for (int i")
    );
    assert!(program.text(body.origin.span().unwrap()).ends_with("a[i] = 0;"));
}
