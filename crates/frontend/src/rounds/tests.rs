use super::*;
use crate::directives::read::ReadPragma;

/// Parses a main file and headers, all of them in memory, and gives what was learned.
fn with_parsed<T: Send>(files: &[(&str, &str)], ignore: bool, check: impl FnOnce(Parsed) -> T + Send) -> T {
    let in_memory =
        |(name, text): &(&str, &str)| (Path::new("/nowhere").join(name), text.as_bytes().to_vec());
    let files: Vec<(PathBuf, Vec<u8>)> = files.iter().map(in_memory).collect();
    let flags = crate::flags::translate(&["-fopenmp".to_owned()], Path::new("/nowhere"), 201_811).unwrap();
    clang::on_large_stack(|| {
        let (path, bytes) = &files[0];
        let system = SystemHeaders::default();
        let overlays = &files[1..];
        let input = Input {
            path,
            bytes,
            arguments: &flags.arguments,
            overlays,
            ignore_directives: ignore,
            system: &system,
        };
        check(parse(&input).unwrap())
    })
    .unwrap()
}

/// Name, form, number of typed expressions and what is wrong, of each pragma of the main file in order.
fn summary(files: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    with_parsed(files, false, |parsed| {
        let one = |pragma: &ReadPragma| match (&pragma.directive, &pragma.untyped) {
            (Ok(directive), None) => format!("{:?} {} {}", pragma.form, directive.name, pragma.expressions),
            (Ok(directive), Some(why)) => format!("{:?} {} untyped: {why}", pragma.form, directive.name),
            (Err(broken), _) => format!(
                "{:?} {}..{} {}",
                pragma.form, broken.at.start, broken.at.end, broken.message
            ),
        };
        let main = parsed.files.get(&Path::new("/nowhere").join(files[0].0));
        let pragmas = main.map_or(Vec::new(), |file| file.pragmas.iter().map(one).collect());
        let errors = parsed
            .diagnostics
            .iter()
            .filter(|d| d.severity >= Severity::Error);
        (pragmas, errors.map(|d| d.message.clone()).collect())
    })
}

fn pragmas(text: &str) -> Vec<String> {
    let (pragmas, errors) = summary(&[("a.c", text)]);
    assert_eq!(errors, Vec::<String>::new(), "{pragmas:?}");
    pragmas
}

#[test]
fn directives_in_every_place_of_a_statement() {
    let text = "void g(int);
#pragma omp declare target
int counter;
#pragma omp end declare target
struct s { int n; double *p; };
void f(int n, double a[n], struct s *s) {
  int i;
#pragma omp target data map(to: a[0:n], s->p[:s->n]) map(from: i)
  {
#pragma omp target teams distribute \\
    parallel for num_teams(n > 4 ? 4 : n) \\
    private(i)
    for (i = 0; i < n; i++)
      if (a[i] > 0)
#pragma omp atomic
        counter++;
      else
#pragma omp critical (name)
        { g(i); }
#pragma omp target update from(a[i:1])
#pragma omp barrier
  }
  switch (n) { case 1:
#pragma omp taskwait
    break;
  default:
#pragma omp flush
  }
#pragma acc parallel loop copyin(a[0:n]) async(2)
  for (i = 0; i < n; i++) a[i] = 0;
#pragma acc wait(2)
}
";
    assert_eq!(
        pragmas(text),
        [
            "Blank declare target 0",
            "Blank end declare target 0",
            "Governs target data 6",
            "Governs target teams distribute parallel for 2",
            "Governs atomic 0",
            "Governs critical 0",
            "StandAlone target update 3",
            "StandAlone barrier 0",
            "StandAlone taskwait 0",
            "StandAlone flush 0",
            "Governs parallel loop 4",
            "StandAlone wait 1",
        ]
    );
}

#[test]
fn macros_in_expressions_need_no_second_round() {
    let text = "#define N 10
#define AT(i) a[i]
void f(double *a) {
#pragma omp parallel for num_threads(N + 1)
  for (int i = 0; i < N; i++) AT(i) = 0;
}
";
    assert_eq!(pragmas(text), ["Governs parallel for 1"]);
}

#[test]
fn macros_in_the_structure_are_expanded_by_libclang() {
    let text = "#define SCHEDULE schedule(static, 4)
#define VARIABLES a, b
void f(int n, int a, int b) {
#pragma omp parallel for SCHEDULE /* \")\" */ \\
    private(VARIABLES) // why
  for (int i = 0; i < n; i++) ;
}
";
    assert_eq!(pragmas(text), ["Governs parallel for 3"]);
}

#[test]
fn a_broken_directive_has_its_place() {
    let text = "void f(int n, double *a) {\n#pragma omp target map(to: a[0:n)\n  { a[0] = n; }\n}\n";
    let (pragmas, errors) = summary(&[("a.c", text)]);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert!(errors[0].contains(UNDECLARED));
    assert_eq!(pragmas.len(), 1);
    assert!(pragmas[0].starts_with("Invalid "), "{pragmas:?}");
}

#[test]
fn an_expression_without_a_type_leaves_the_directive() {
    let text = "void f(int n, double *a) {\n#pragma omp target map(to: a[0:m])\n  { a[0] = n; }\n}\n";
    assert_eq!(
        pragmas(text),
        ["Governs target untyped: use of undeclared identifier 'm'"]
    );
}

#[test]
fn a_directive_that_cannot_stand_where_it_stands() {
    let (pragmas, _) = summary(&[("a.c", "#pragma omp parallel for\nint x;\nvoid f(void) {}\n")]);
    assert!(
        pragmas[0].contains("a directive cannot stand here"),
        "{pragmas:?}"
    );
}

#[test]
fn inactive_branches_do_not_matter() {
    let text = "void f(void) {\n#if 0\n#pragma omp nonsense (\n#endif\n#ifdef _OPENMP\n#pragma omp barrier\n#endif\n}\n";
    assert_eq!(summary(&[("a.c", text)]).1, Vec::<String>::new());
    with_parsed(&[("a.c", text)], false, |parsed| {
        let path = Path::new("/nowhere/a.c");
        let skipped = parsed.skipped();
        let active = |part: &str| parsed.is_active(&skipped, path, text.find(part).unwrap() as u32);
        assert!(!active("#pragma omp nonsense") && active("#pragma omp barrier"));
    });
}

#[test]
fn headers_with_directives_get_copies_too() {
    let files = [
        ("a.c", "#include \"b.h\"\nvoid f(int n) { g(n); }\n"),
        (
            "b.h",
            "static void g(int n) {\n#pragma omp parallel num_threads(n)\n  { }\n}\n",
        ),
    ];
    with_parsed(&files, false, |parsed| {
        assert_eq!(
            parsed.files.keys().collect::<Vec<_>>(),
            [Path::new("/nowhere/b.h")]
        );
        assert!(parsed.diagnostics.is_empty());
    });
}

#[test]
fn variants_of_functions_that_are_defined_besides_are_left_out() {
    let text = "int add(int n) { return n + 1; }
#pragma omp begin declare variant match(construct={dispatch})
int add(int n) {
#pragma omp target map(tofrom: n)
  n += 3;
  return n;
}
#pragma omp end declare variant
int f(int n) {
#pragma omp dispatch
  n = add(n);
  return n;
}
";
    assert_eq!(
        pragmas(text),
        ["Blank begin declare variant 0", "Governs dispatch 0"]
    );
    // Where they are the only ones, calls call them.
    let alone = text.replacen("int add(int n) { return n + 1; }\n", "", 1);
    assert_eq!(pragmas(&alone).len(), 4);
}

#[test]
fn a_pragma_in_a_definition_stays_where_its_expressions_are_unknown() {
    let text = "#define CLEAR _Pragma(\"omp target map(tofrom: a)\") { a = 0; }
void f(void) { int a; CLEAR }
void g(void) { int b; _Pragma(\"omp target map(tofrom: b)\") { b = 0; } }
";
    assert_eq!(pragmas(text), ["Governs target 1", "Governs target 1"]);
    let unknown = text.replacen("map(tofrom: a)", "map(tofrom: c)", 1);
    assert_eq!(pragmas(&unknown), ["Governs target 1"]);
}

#[test]
fn pragma_operators_outside_and_inside_macros() {
    let text = "#define STRING(x) #x
#define DO(x) _Pragma(STRING(x))
#define PARALLEL_FOR DO(omp parallel for num_threads(n))
#define LOOP(i, n) _Pragma(\"omp parallel for\") for (int i = 0; i < n; i++)
#define IVDEP _Pragma(\"GCC ivdep\")
void f(int n, double *a) {
  _Pragma(\"omp parallel for firstprivate(n)\")
  for (int i = 0; i < n; i++) a[i] = 0;
  DO(omp barrier)
  PARALLEL_FOR
  for (int i = 0; i < n; i++) a[i] = 0;
  IVDEP
  for (int i = 0; i < n; i++) a[i] = 0;
  LOOP(j, n) a[j] = 1;
}
";
    assert_eq!(
        pragmas(text),
        [
            "Governs parallel for 0",
            "Governs parallel for 1",
            "StandAlone barrier 0",
            "Governs parallel for 1"
        ]
    );
}

#[test]
fn ignored_directives_are_as_if_there_were_none() {
    let text = "void f(void) {\n#pragma omp nonsense (\n  _Pragma(\"omp barrier\")\n}\n";
    with_parsed(&[("a.c", text)], true, |parsed| {
        assert!(parsed.diagnostics.is_empty());
        let forms: Vec<Form> = parsed.files[Path::new("/nowhere/a.c")]
            .pragmas
            .iter()
            .map(|p| p.form)
            .collect();
        assert_eq!(forms, [Form::Blank, Form::Blank]);
    });
}

#[test]
fn variants_of_system_headers_are_left_out() {
    let text =
        "a\n#pragma omp begin declare variant match(x)\nint f() {}\n#pragma omp end declare variant\nb\n";
    let without = without_variants(text.as_bytes()).unwrap();
    let expected = text.replace("int f() {}", &" ".repeat(10));
    assert_eq!(String::from_utf8(without).unwrap(), expected);
    assert_eq!(without_variants(b"begin declare variant"), None);
    assert_eq!(without_variants(b"#include <stdio.h>"), None);
    let text = "#include <omp.h>\nint f(void) { return omp_is_initial_device(); }\n";
    assert_eq!(summary(&[("a.c", text)]).1, Vec::<String>::new());
}

#[test]
fn a_macros_pragma_where_only_a_statement_can_stand() {
    let text = "#define DO(x) _Pragma(#x)
void f(int n, double *a) {
  if (n > 1)
    DO(omp parallel for)
    for (int i = 0; i < n; i++) a[i] = 0;
  else
    DO(omp critical)
    a[0] = 1;
}
";
    assert_eq!(pragmas(text), ["Governs parallel for 0", "Governs critical 0"]);
}

#[test]
fn a_stand_alone_directive_takes_no_statements_place() {
    let text = "void f(int n, double *a) {\n  if (n)\n#pragma omp target update to(a[0:n])\n    a[0] = 1;\n  a[1] = 2;\n}\n";
    let (found, _) = summary(&[("a.c", text)]);
    assert!(found[0].contains("a directive cannot stand here"), "{found:?}");
    let nest = "void f(int n) {\n#pragma omp for\n  for (int i = 0; i < n; i++)\n#pragma omp nothing\n    for (int j = i; j < n; j++) ;\n}\n";
    assert_eq!(pragmas(nest), ["Governs for 0", "Blank nothing 0"]);
    let labels = "void f(int n) {\n  switch (n) { case 1:\n#pragma omp barrier\n  break; }\nend:\n#pragma omp flush\n}\n";
    assert_eq!(pragmas(labels), ["StandAlone barrier 0", "StandAlone flush 0"]);
}
