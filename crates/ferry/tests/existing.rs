//! Directives that the source has already: what do they keep new kernels away from, and what do they leave unknown?

use crate::common;

use common::{ferry, status, stderr, stdout};

/// What a command prints of a source, to both outputs; `flags` are those of the compiler.
fn said(text: &str, words: &[&str], flags: &[&str]) -> (String, String) {
    let folder = common::with(text);
    let path = folder.path().join("a.c").display().to_string();
    let arguments = [words, &[&path, "--"], flags].concat();
    let output = ferry(arguments.iter().map(|word| (*word).to_owned()));
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    (stdout(&output), stderr(&output))
}

/// The annotated text and the summary of a source with OpenMP directives.
fn annotated(text: &str) -> (String, String) {
    said(text, &["annotate", "--all"], &["-fopenmp"])
}

/// Nothing is written, and the reason is given.
fn refused(text: &str, reason: &str) {
    let (new, summary) = annotated(text);
    assert_eq!(new, text);
    assert!(summary.contains(reason), "{summary}");
}

#[test]
fn a_private_copy_does_not_change_the_variable_outside() {
    let (text, _) = annotated(
        "void f(int n, double *restrict a, double *restrict b)
{
    int x = 5, i, j;
    #pragma omp parallel private(x, i)
    {
        x = 7;
        #pragma omp for
        for (i = 0; i < n; i++)
            b[i] = x;
    }
    for (j = 0; j < x; j++)
        a[j] = 1;
}
",
    );
    // Five elements if it is private, seven if it were shared: by its name it is right.
    assert!(text.contains("map(from: a[0:x])"), "{text}");
}

#[test]
fn what_copies_are_combined_to_is_not_known() {
    let (text, _) = annotated(
        "int f(int n, const int *a)
{
    int found = 0;
    #pragma omp parallel reduction(+: found) num_threads(4)
    {
        found = 1;
    }
    for (int i = 0; i < n; i++)
        if (a[i] > 3)
            found = 1;
    return found;
}
",
    );
    // It is 4 before the loop: neither 0 nor 1, which `||` would make it.
    assert!(
        text.contains("#pragma omp atomic write") && !text.contains("||"),
        "{text}"
    );
}

#[test]
fn a_value_is_live_behind_a_private_copy() {
    let (text, summary) = annotated(
        "void f(int n, int m, double *restrict a, double *restrict b)
{
    int x = 0;
    for (int i = 0; i < n; i++) {
        if (i < m)
            x = i;
        a[i] = i;
    }
    #pragma omp parallel private(x)
    {
        x = 7;
        b[1] = x;
    }
    b[0] = x;
}
",
    );
    assert!(!text.contains("private(x) map"), "{text}");
    assert!(summary.contains("0 kernels"), "{summary}");
}

#[test]
fn functions_called_in_a_parallel_region_start_no_kernels() {
    refused(
        "static void deep(double *restrict a) { for (int i = 0; i < 100; i++) a[i] += i; }
static void shallow(double *restrict a) { deep(a); }
void f(double *restrict a)
{
    #pragma omp parallel
    shallow(a);
}
",
        "its function is called under a directive",
    );
}

#[test]
fn functions_with_orphaned_directives_start_no_kernels() {
    refused(
        "void f(int n, double *restrict a, double *restrict b)
{
    #pragma omp for
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        b[i] = a[i];
}
",
        "its function runs in a construct of the caller",
    );
}

#[test]
fn device_functions_start_no_kernels() {
    refused(
        "#pragma omp declare target
void f(double *restrict a) { for (int i = 0; i < 100; i++) a[i] = i; }
#pragma omp end declare target
",
        "its function is made for the device",
    );
}

#[test]
fn variables_that_live_on_the_device_are_not_mapped() {
    refused(
        "double g[100];
#pragma omp declare target to(g)
void f(void) { for (int i = 0; i < 100; i++) g[i] = i; }
",
        "g has its own copy on the device",
    );
}

/// A loop that writes `w`, which has its own copy on the device by what stands before the function.
fn with_own_copy(before: &str) -> String {
    format!(
        "{before}
void f(void)
{{
    for (int i = 0; i < 100; i++)
        w[i] = i;
}}
"
    )
}

#[test]
fn variables_that_live_on_the_device_are_found_however_they_are_declared() {
    let own = "w has its own copy on the device";
    for before in [
        "#define TABLE w\nstatic double w[100];\n#pragma omp declare target to(TABLE)",
        "#define BOTH(x) x\nstatic double w[100];\n#pragma omp declare target to(BOTH(w))",
        "static double v[9], w[100];\n#pragma omp declare target to(v) link (w)",
        "static double v[9], w[100];\n#pragma omp declare target link(v) link(w)",
        "static double w[100];\n_Pragma(\"omp declare target to(w)\")",
        "#pragma omp declare target\n#pragma omp declare target\nstatic double v[9];\n#pragma omp end declare target\nstatic double w[100];\n#pragma omp end declare target",
    ] {
        let text = with_own_copy(before);
        let (new, summary) = annotated(&text);
        assert!(new == text && summary.contains(own), "{new}{summary}");
    }
    let attribute = with_own_copy("static double w[100];\n[[omp::directive(declare target to(w))]];");
    let (new, summary) = said(&attribute, &["annotate", "--all"], &["-fopenmp", "-std=c2x"]);
    assert!(
        new == attribute && summary.contains("written as attributes"),
        "{new}{summary}"
    );
    let openacc = with_own_copy(
        "#define TEXT(x) #x\n#define PRAGMA(x) _Pragma(TEXT(x))\nstatic double w[100];\nPRAGMA(acc declare create(w))",
    );
    refused(&openacc, "a macro may make directives of OpenACC");
}

/// What a compiler sees and the text of the file does not tell.
#[test]
fn macros_of_flags_and_included_files_declare_variables() {
    let own = "w has its own copy on the device";
    let list = "static double w[100];\n#pragma omp declare target to(TABLE)";
    let region =
        |include: &str| format!("#pragma omp declare target\n{include}\n#pragma omp end declare target");
    let table = "static double w[100];\n";
    for (before, flags, header) in [
        (list.to_owned(), &["-DTABLE=w"][..], table),
        (
            "static double w[100];\nDECLARE".to_owned(),
            &["-DDECLARE=_Pragma(\"omp declare target to(w)\")"],
            table,
        ),
        (
            "#define JOIN(x, y) x##y\nstatic double ww[100];\n#define w ww\n#pragma omp declare target to(JOIN(w, w))".to_owned(),
            &[],
            table,
        ),
        (region("#define HEADER \"tables.h\"\n#include HEADER"), &[], table),
        (region("#import \"tables.h\""), &["-w"], table),
        (region("#include_next \"tables.h\""), &["-w", "-I."], table),
        (
            "#include \"tables.h\"".to_owned(),
            &["-std=c2x"],
            "static double w[100];\n[[omp::directive(declare target to(w))]];\n",
        ),
        (
            "#define TEXT(x) #x\n#define PRAGMA(x) _Pragma(TEXT(x))\nstatic double w[100];\nPRAGMA(omp declare target to(w))".to_owned(),
            &[],
            table,
        ),
        (
            "static double w[100];\n#pragma omp declare target enter(w)".to_owned(),
            &["-fopenmp-version=52"],
            table,
        ),
    ] {
        let text = with_own_copy(&before);
        let folder = common::with(&text);
        std::fs::write(folder.path().join("tables.h"), header).unwrap();
        let path = folder.path().join("a.c").display().to_string();
        let include = format!("-I{}", folder.path().display());
        let mut words = vec!["annotate", "--all", &path, "--", "-fopenmp", &include];
        words.extend(flags);
        let output = ferry(words.into_iter().map(str::to_owned));
        assert_eq!(status(&output), 0, "{before}: {}", stderr(&output));
        assert_eq!(stdout(&output), text, "{before}");
        let said = stderr(&output).replace("ww has its own", "w has its own");
        assert!(said.contains(own), "{before}: {said}");
    }
}

#[test]
fn what_cannot_be_understood_of_a_declaration_keeps_the_file() {
    refused(
        &with_own_copy(
            "static double w[100];\n#define OF(x) declare target to(x)\n#define TEXT(x) #x\n#define PRAGMA(x) _Pragma(TEXT(x))\nPRAGMA(omp declare target to(unheard_of))",
        ),
        "what directives declare for the device could not be read",
    );
}

/// gcc puts it on the device by itself (OpenMP 5.0 §2.12.7).
#[test]
fn what_functions_for_the_device_use_may_be_there() {
    let body = "void f(int *x)\n{\n    #pragma omp target map(from: x[0:1])\n    x[0] = get(3);\n";
    let text = |get: &str| {
        format!(
            "static int w[100], v[100];\nstatic int inner(int i) {{ return {get}[i]; }}\nstatic int get(int i) {{ return inner(i); }}\n{body}    for (int i = 0; i < 100; i++)\n        w[i] = i;\n}}\n"
        )
    };
    let (new, summary) = annotated(&text("w"));
    assert!(new == text("w"), "{new}");
    assert!(
        summary.contains("inner, which is for the device, uses w, which may live there then"),
        "{summary}"
    );
    assert!(annotated(&text("v")).0.contains("map(from: w"));
    // Nothing here calls it on the device.
    let declared = |get: &str| {
        let called = text(get).replace("    #pragma omp target map(from: x[0:1])\n", "");
        called.replace("void f(", "#pragma omp declare target to(get)\nvoid f(")
    };
    refused(&declared("w"), "inner, which is for the device, uses w");
    assert!(annotated(&declared("v")).0.contains("map(from: w"));
}

#[test]
fn types_with_a_mapper_keep_the_file() {
    refused(
        &with_own_copy(
            "typedef struct { double x, y; } pair;\n#pragma omp declare mapper(pair v) map(to: v.x) map(alloc: v.y)\nstatic double w[100];",
        ),
        "a type has a mapper",
    );
}

#[test]
fn words_beside_the_list_of_a_declaration_are_no_names() {
    for before in [
        "static double v[9], w[100];\n#pragma omp declare target to(v) /* w comes later */",
        "static double v[9], w[100];\n#pragma omp declare target to(v) // w",
        "static double v[9];\n#pragma omp declare target to(v)\nstatic double w[100];\n#pragma omp declare target\nstatic int u;\n#pragma omp end declare target",
        "static double w[100];\n#pragma omp declare target // w\nstatic int u;\n#pragma omp end declare target",
    ] {
        let (new, _) = annotated(&with_own_copy(before));
        assert!(new.contains("map(from: w"), "{new}");
    }
}

#[test]
fn files_that_are_included_in_a_region_are_in_it() {
    let text =
        with_own_copy("#pragma omp declare target\n#include \"tables.h\"\n#pragma omp end declare target");
    let folder = common::with(&text);
    std::fs::write(folder.path().join("tables.h"), "#include \"more.h\"\n").unwrap();
    std::fs::write(folder.path().join("more.h"), "static double w[100];\n").unwrap();
    let path = folder.path().join("a.c").display().to_string();
    let output = ferry(["annotate", "--all", &path, "--", "-fopenmp"].map(str::to_owned));
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), text);
    assert!(
        stderr(&output).contains("w has its own copy on the device"),
        "{}",
        stderr(&output)
    );
    // Behind the region it is a variable of the host.
    let outside = text.replace(
        "#include \"tables.h\"\n#pragma omp end declare target",
        "#pragma omp end declare target\n#include \"tables.h\"",
    );
    std::fs::write(&path, &outside).unwrap();
    let output = ferry(["annotate", "--all", &path, "--", "-fopenmp"].map(str::to_owned));
    assert!(stdout(&output).contains("map(from: w"), "{}", stderr(&output));
}

#[test]
fn a_region_is_for_what_it_declares_and_others_define() {
    let folder = common::with(&with_own_copy("#include \"tables.h\"\ndouble w[100], v[100];"));
    let header =
        "#pragma omp declare target\nextern double w[100]; // not v\n#pragma omp end declare target\n";
    std::fs::write(folder.path().join("tables.h"), header).unwrap();
    let path = folder.path().join("a.c").display().to_string();
    let annotated = || {
        let output = ferry(["annotate", "--all", &path, "--", "-fopenmp"].map(str::to_owned));
        (stdout(&output), stderr(&output))
    };
    let (_, summary) = annotated();
    assert!(summary.contains("w has its own copy on the device"), "{summary}");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("w[i]", "v[i]")).unwrap();
    assert!(annotated().0.contains("map(from: v"));
}

#[test]
fn what_other_files_declare_for_the_device_is_not_mapped() {
    let folder = common::with(&with_own_copy("extern double w[100];"));
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("b.c"), "double w[100];\n#pragma omp declare target to(w)\n").unwrap();
    let out = path("out");
    let both = ferry(["annotate", "--all", &path("a.c"), &path("b.c"), "-o", &out].map(str::to_owned));
    assert!(
        stderr(&both).contains("w is declared for the device, or for each thread, in another file"),
        "{}",
        stderr(&both)
    );
    // A static one is another variable.
    std::fs::write(
        path("b.c"),
        "static double w[100];\n#pragma omp declare target to(w)\n",
    )
    .unwrap();
    let both = ferry(["annotate", "--all", &path("a.c"), &path("b.c"), "-o", &out].map(str::to_owned));
    assert!(
        stderr(&both).contains("1 kernel in 1 data environment"),
        "{}",
        stderr(&both)
    );
}

#[test]
fn what_other_files_may_have_moved_is_not_mapped() {
    let text = "\
void fill(int n, double *p)
{
    for (int i = 0; i < n; i++)
        p[i] = i;
}
static double own[100];
double first(void)
{
    for (int i = 0; i < 100; i++)
        own[i] = i;
    return own[0];
}
";
    let folder = common::with(text);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let other = "void fill(int, double *);\nint main(void)\n{\n    double t[100];\n    #pragma omp target enter data map(alloc: t)\n    fill(100, t);\n    #pragma omp target exit data map(from: t)\n    return t[1] != 1;\n}\n";
    std::fs::write(path("b.c"), other).unwrap();
    let out = path("out");
    let both = ferry(["annotate", "--all", &path("a.c"), &path("b.c"), "-o", &out].map(str::to_owned));
    assert!(
        stderr(&both)
            .contains("a.c:3:5: parallel, not offloaded: another file moves data to the device by itself"),
        "{}",
        stderr(&both)
    );
    // Nobody else knows a static array.
    assert!(
        stderr(&both).contains("a.c: 1 kernel in 1 data environment, of 2 loops"),
        "{}",
        stderr(&both)
    );
}

#[test]
fn pointers_of_other_files_may_lead_to_what_is_on_the_device() {
    let folder = common::with(
        "void fill(double *p, int n)\n{\n    for (int i = 0; i < n; i++)\n        p[i] = i;\n}\n",
    );
    let path = |name: &str| folder.path().join(name).display().to_string();
    let other = |argument: &str| {
        format!(
            "void fill(double *, int);\ndouble w[100], v[100];\n#pragma omp declare target to(w)\nint main(void)\n{{\n    fill({argument}, 100);\n    return w[1] != v[1];\n}}\n"
        )
    };
    let out = path("out");
    let annotated = |argument: &str| {
        std::fs::write(path("b.c"), other(argument)).unwrap();
        let words = ["annotate", "--all", &path("a.c"), &path("b.c"), "-o", &out];
        stderr(&ferry(words.map(str::to_owned)))
    };
    let said = annotated("w");
    assert!(
        said.contains("a pointer of another file may lead to a variable"),
        "{said}"
    );
    let said = annotated("v");
    assert!(said.contains("a.c: 1 kernel"), "{said}");
}

#[test]
fn pointers_may_lead_to_what_is_on_the_device() {
    let text = "\
static double t[100];
#pragma omp declare target to(t)
static void fill(double *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = i;
}
double first(void)
{
    fill(t, 100);
    return t[0];
}
";
    refused(text, "a pointer may lead to t, which is on the device already");
    let (new, _) = annotated(&text.replace("fill(t, 100)", "static double u[100];\n    fill(u, 100)"));
    assert!(new.contains("map(from: p[0:"), "{new}");
}

#[test]
fn calls_and_variants_that_kernels_do_not_stand_keep_the_file() {
    let with = |before: &str, call: &str| {
        format!(
            "{before}\nstatic double w[100];\ndouble get(int);\nvoid f(void)\n{{\n    {call}\n    for (int i = 0; i < 100; i++)\n        w[i] = i;\n}}\n"
        )
    };
    for (before, call, reason) in [
        (
            "void *acc_copyin(void *, unsigned long);",
            "acc_copyin(w, sizeof w);",
            "moves data to the device by itself",
        ),
        (
            "void *acc_copyin(void *, unsigned long);\nstatic void *(*put)(void *, unsigned long) = acc_copyin;",
            "put(w, sizeof w);",
            "moves data to the device by itself",
        ),
        (
            "int fork(void);\nint (*make)(void) = fork;",
            "make();",
            "a process that the program forks",
        ),
        (
            "int omp_target_associate_ptr(const void *, const void *, unsigned long, unsigned long, int);\nextern void *there;",
            "omp_target_associate_ptr(w, there, sizeof w, 0, 0);",
            "moves data to the device by itself",
        ),
        ("int fork(void);", "fork();", "a process that the program forks"),
        (
            "double fast(int);\n#pragma omp declare variant(fast) match(construct = {target})\ndouble get(int);",
            "",
            "which function a call calls goes by the context",
        ),
        (
            "double get(int);\n#pragma omp declare target to(get) device_type(host)",
            "",
            "a function may be for the host alone",
        ),
    ] {
        refused(&with(before, call), reason);
    }
    let (new, _) = annotated(&with("int other(void);", "other();"));
    assert!(new.contains("map(from: w"), "{new}");
}

#[test]
fn thread_private_variables_are_not_mapped() {
    refused(
        "static double g[100];
#pragma omp threadprivate(g)
void f(void) { for (int i = 0; i < 100; i++) g[i] = i; }
",
        "every thread has its own g",
    );
}

#[test]
fn thread_private_variables_are_copied_for_nobody() {
    for (declared, set, used) in [
        ("double t", "t = x[i] * 2;", "t"),
        (
            "double t[4]",
            "for (int j = 0; j < 4; j++) t[j] = x[i] * j;",
            "t[1] + t[3]",
        ),
    ] {
        refused(
            &format!(
                "static {declared};
#pragma omp threadprivate(t)
void f(int n, const double *restrict x, double *restrict d)
{{
    for (int i = 0; i < n; i++) {{
        {set}
        d[i] = {used};
    }}
}}
"
            ),
            "every thread has its own t",
        );
    }
}

#[test]
fn where_the_program_moves_data_itself_nothing_is_offloaded() {
    refused(
        "void f(int n, double *restrict a, double *restrict b)
{
    #pragma omp target enter data map(to: a[0:n])
    a[0] = 5;
    for (int i = 0; i < n; i++)
        b[i] = a[i];
}
",
        "the program moves data to the device by itself",
    );
}

/// What becomes of it is decided where it is compiled.
#[test]
fn where_a_metadirective_may_do_anything_nothing_is_offloaded() {
    let text = |becomes: &str| {
        format!(
            "void to_device(double *p, int n)
{{
    #pragma omp metadirective when(user={{condition(1)}}: {becomes}) default(nothing)
    p[0] = n;
}}
void f(int n, double *restrict a)
{{
    for (int i = 0; i < n; i++)
        a[i] += i;
}}
"
        )
    };
    let why = "what a `metadirective` becomes is not known";
    refused(&text("parallel num_threads(4)"), why);
    refused(
        &text("target enter data map(to: p[0:n])"),
        "the program moves data to the device by itself",
    );
}

#[test]
fn functions_that_kernels_call_start_no_kernels() {
    let (text, summary) = annotated(
        "static int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
void f(int n, int *restrict a)
{
    for (int i = 0; i < n; i++)
        a[i] = sum(i);
}
",
    );
    assert_eq!(text.matches("#pragma").count(), 1, "{text}");
    assert!(summary.contains("a kernel calls its function"), "{summary}");
}

#[test]
fn pragmas_of_compilers_keep_their_loops() {
    let (text, _) = annotated(
        "void f(int n, double *restrict a)
{
    for (int i = 0; i < n; i++)
#pragma GCC unroll 4
        for (int j = 0; j < 16; j++)
            a[i * 16 + j] = i;
#pragma GCC ivdep
    for (int i = 0; i < n; i++)
        a[i] = i;
}
",
    );
    assert!(!text.contains("collapse"), "{text}");
    assert_eq!(text.matches("#pragma omp").count(), 1, "{text}");
}

/// Text that depends on what the compiler of the annotated program defines.
const DEPENDS: &str = "void spread(int n, double *restrict a)
{
    int at = 0;
#if defined _OPENMP
    at = 2;
#elif defined _OPENACC
    at = 5;
#endif
    for (int i = 0; i < n; i++)
        a[i + at] = i;
}
double sum(int n, const double *a)
{
    double s = 0;
#ifdef _OPENMP
#pragma omp parallel for reduction(+: s)
#endif
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
";

/// What is annotated is compiled with the macro of its language, so that is the text whose sections count; flags that say otherwise hold.
#[test]
fn the_text_is_read_as_it_will_be_compiled() {
    let said = |words: &[&str]| said(DEPENDS, words, &[]);
    let (text, summary) = said(&["annotate", "--all"]);
    assert!(text.contains("map(from: a[2:n > 0 ? n : 0])"), "{text}");
    assert!(summary.contains("it is under a directive already"), "{summary}");
    assert_eq!(text.matches("#pragma").count(), 2, "{text}");
    // OpenACC's compiler does not read OpenMP's directive, but that would be torn from its loop.
    let (text, _) = said(&["annotate", "--all", "--openacc"]);
    assert!(text.contains("copyout(a[5:n > 0 ? n : 0])"), "{text}");
    assert_eq!(text.matches("#pragma acc").count(), 1, "{text}");
    let (text, _) = said(&["report"]);
    assert!(text.contains("out: a[2:n]"), "{text}");
    let (text, _) = self::said(DEPENDS, &["annotate", "--all"], &["-U_OPENMP"]);
    assert!(text.contains("map(from: a[0:n > 0 ? n : 0])"), "{text}");
}

/// What is written before a loop must not come between it and what belongs to it, in this build or in another one.
#[test]
fn what_belongs_to_a_loop_stays_before_it() {
    let text = |before: &str| {
        format!(
            "#define PAR _Pragma(\"GCC ivdep\")\nvoid f(int n, double *restrict a)\n{{\n    a[0] = 1;\n{before}\n    for (int i = 0; i < n; i++)\n        a[i] = i;\n}}\n"
        )
    };
    let compilers = "a pragma of a compiler stands before the loop";
    for before in [
        "#pragma GCC ivdep",
        "#pragma GCC ivdep\n    // n++;",
        "#pragma GCC ivdep\n#define ONE \\\n    n++;",
        "#if 1\n#pragma GCC ivdep\n#endif",
        "#ifdef NEVER\n#pragma GCC unroll 4\n#else\n#endif",
        "    PAR",
        "    _Pragma(\"GCC unroll 4\")",
    ] {
        refused(&text(before), compilers);
    }
    let other = "a directive of another build stands before the loop";
    refused(&text("#ifdef _OPENACC\n#pragma acc parallel loop\n#endif"), other);
    let inactive = "text that an #if takes in or leaves out stands directly before the loop";
    refused(&text("#ifndef _OPENMP\n    if (n > 10)\n#endif"), inactive);
    refused(&text("#if 0\n    if (n > 10)\n#else\n    n++;\n#endif"), inactive);
    for before in [
        "",
        "#if 0\n    n--;\n#elif 1\n    n++;\n#else\n    // if\n#endif",
        "#pragma GCC diagnostic push\n#ifdef NEVER\n    if (n) { n--; }\n#endif\n    n++;",
    ] {
        let (new, summary) = annotated(&text(before));
        assert!(new.contains("#pragma omp target teams"), "{new}\n{summary}");
    }
}

/// Where functions are called before and after all others, and which they are, compilers and run times know, not the text.
#[test]
fn functions_that_are_called_at_the_end_start_no_kernels() {
    let reason = "its function is called when the program begins or ends";
    let end = "static double g[64];\nHOW void end(void) { for (int i = 0; i < 64; i++) g[i] = i; }\n";
    for how in [
        "__attribute__((destructor))",
        "__attribute__((constructor, unused))",
    ] {
        refused(&end.replace("HOW", how), reason);
    }
    let registered = |call: &str| {
        let plain = end.replace("HOW", "static");
        format!(
            "#include <stdlib.h>\nint __cxa_atexit(void (*)(void *), void *, void *);\n{plain}static void (*const all[])(void) = {{end}};\nvoid begin(int n) {{ {call}; }}\n"
        )
    };
    for call in [
        "atexit(end)",
        "atexit(n ? end : (void (*)(void))0)",
        "atexit(all[0])",
        "void (*how)(void) = end; atexit(how)",
    ] {
        refused(&registered(call), reason);
    }
    let unseen = "its function is given to __cxa_atexit, of which nothing is seen";
    refused(&registered("__cxa_atexit((void (*)(void *))end, 0, 0)"), unseen);
    let section = "static void (*const last)(void) __attribute__((section(\".fini_array\"), used)) = end;\n";
    refused(&(end.replace("HOW", "static") + section), reason);
}

/// Threads that the program starts run beside others: what one of them maps, another one finds on the device.
#[test]
fn functions_of_threads_start_no_kernels() {
    let text = |call: &str| {
        format!(
            "#include <pthread.h>\n#include <threads.h>\nstatic double g[64];\nstatic void fill(int n) {{ for (int i = 0; i < n; i++) g[i] = i; }}\n\
             static void *work(void *p) {{ fill(64); return p; }}\nstatic int other(void *p) {{ fill(32); return p != 0; }}\n\
             static void *(*const all[])(void *) = {{work}};\n\
             void begin(int n) {{ pthread_t t; thrd_t u; {call}; (void)t; (void)u; (void)n; (void)all; (void)work; (void)other; }}\n"
        )
    };
    let reason = "its function runs in a thread that the program starts";
    for call in [
        "pthread_create(&t, 0, work, 0)",
        "pthread_create(&t, 0, n ? work : all[0], 0)",
        "pthread_create(&t, 0, all[n], 0)",
        "thrd_create(&u, other, 0)",
        "int (*how)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = pthread_create; how(&t, 0, work, 0)",
    ] {
        refused(&text(call), reason);
    }
    // Nothing of it runs in a thread; that one may run beside it is said.
    let (new, summary) = annotated(
        &text("fill(64)")
            .replace("{ fill(64); return p; }", "{ return p; }")
            .replace("{ fill(32); return", "{ return"),
    );
    assert!(new.contains("#pragma omp target teams"), "{new}");
    assert!(!summary.contains("no other thread"), "{summary}");
    let beside =
        text("pthread_create(&t, 0, work, 0); fill(64)").replace("{ fill(64); return p; }", "{ return p; }");
    let (new, summary) = annotated(&beside);
    assert!(new.contains("#pragma omp target teams"), "{new}");
    assert!(
        summary.contains("no other thread (`pthread_create`) writes g while kernels use it"),
        "{summary}"
    );
}

#[test]
fn functions_that_may_return_twice_start_no_kernels() {
    let text = "#include <setjmp.h>\nstatic jmp_buf place;\nvoid f(int n, double *a)\n{\n    if (setjmp(place))\n        return;\n    for (int i = 0; i < n; i++)\n        a[i] = i;\n}\n";
    refused(text, "the program may jump back into its function");
}

/// The storage of a variable with another name may be that of another variable.
#[test]
fn variables_with_other_names_may_be_others() {
    let text = |how: &str| {
        format!(
            "int a[64];\nextern int b[64]{how};\nvoid f(void)\n{{\n    for (int i = 1; i < 64; i++)\n        a[i] = b[i - 1];\n}}\n"
        )
    };
    let (new, _) = annotated(&text(""));
    assert!(
        new.contains("#pragma omp target") && !new.contains("if ("),
        "{new}"
    );
    for how in [
        " __asm__(\"a\")",
        " __attribute__((alias(\"a\")))",
        "#pragma weak b = a\n",
        "_Pragma(\"weak b = a\")\n",
        "#pragma redefine_extname b a\n",
        "#define B b\n#define A a\n#pragma redefine_extname B A\n",
        "#define TEXT(x) #x\n#define OTHER(x, y) _Pragma(TEXT(weak x = y))\nOTHER(b, a)\n",
        "#define SAME(x, y) __asm__(\".globl \" #x \"\\n\\t.set \" #x \", \" #y)\nSAME(b, a);\n",
    ] {
        let text = match how.starts_with(' ') {
            true => text(how),
            false => how.to_owned() + &text(""),
        };
        let (new, summary) = annotated(&text);
        assert!(
            !new.contains("#pragma omp target") || new.contains("    if ("),
            "{new}{summary}"
        );
    }
}

/// Who calls it by its other name may pass something else.
#[test]
fn functions_with_other_names_are_called_by_others() {
    let text = |how: &str| {
        format!(
            "static double w[400], v[400];\nstatic void f(double *p)\n{{\n    for (int i = 0; i < 399; i++)\n        w[i + 1] = p[i];\n}}\n{how}\nvoid all(void)\n{{\n    f(v);\n    g(w);\n}}\n"
        )
    };
    let (new, _) = annotated(&text("static void g(double *p) { (void)p; }"));
    assert!(
        new.contains("#pragma omp target") && !new.contains("if ("),
        "{new}"
    );
    for how in [
        "static void g(double *p) __attribute__((alias(\"f\")));",
        "#define OTHER(x) __attribute__((alias(#x)))\nstatic void g(double *p) OTHER(f);",
        "#pragma weak g = f\nvoid g(double *p);",
        "__asm__(\".set g, f\");\nvoid g(double *p);",
    ] {
        let (new, summary) = annotated(&text(how));
        assert!(
            !new.contains("#pragma omp target") || new.contains("    if ("),
            "{new}{summary}"
        );
    }
}

/// Compilers count iterations in the type of the loop variable.
#[test]
fn bounds_that_may_be_far_apart_are_said() {
    let text = |head: &str| {
        format!(
            "void f(int n, int lo, int hi, long l, int *restrict a)\n{{\n    for ({head})\n        a[i + 128] = 1;\n}}\n"
        )
    };
    let word = "the bounds of the loop over i are no farther apart than its type can say";
    for head in [
        "int i = lo; i < hi; i++",
        "int i = hi; i > lo; i--",
        "int i = lo; i <= n; i += 4",
    ] {
        let (new, summary) = annotated(&text(head));
        assert!(
            new.contains("#pragma omp target") && summary.contains(word),
            "{head}: {summary}"
        );
    }
    for head in [
        "int i = 0; i < n; i++",
        "int i = 5; i < n; i += 2",
        "int i = n; i >= 0; i--",
        "long i = l; i < n; i++",
        "signed char i = -9; i < 9; i++",
    ] {
        let (new, summary) = annotated(&text(head));
        assert!(
            new.contains("#pragma omp target") && !summary.contains(word),
            "{head}: {summary}"
        );
    }
    let far = "its bounds may be farther apart than the type of its variable can say";
    for head in [
        "signed char i = -100; i < 100; i++",
        "short i = lo; i < 100; i++",
        "int i = -2000000000; i < 2000000000; i += 1000",
    ] {
        refused(&text(head), far);
    }
}

/// Who calls a function may be said by another file of the program.
#[test]
fn other_files_say_which_functions_run_alone() {
    let main = "#include <pthread.h>\n#include <stdlib.h>\nvoid *work(void *);\nvoid end(void);\nvoid step(double *a, int n);\nvoid alone(double *a, int n);\n\
                extern double g[64];\nvoid (*hook)(double *, int);\nstatic void *by_pointer(void *p) { hook(g, 64); return p; }\n\
                int main(void)\n{\n    pthread_t t, u;\n    atexit(end);\n    pthread_create(&t, 0, work, 0);\n    pthread_create(&u, 0, by_pointer, 0);\n\
                pthread_join(t, 0);\n    pthread_join(u, 0);\n#pragma omp parallel\n    step(g, 64);\n    alone(g, 64);\n    return 0;\n}\n";
    let loops = "double g[64];\nextern void (*hook)(double *, int);\n\
                 static void inner(double *a, int n) { for (int i = 0; i < n; i++) a[i] += 1; }\n\
                 void *work(void *p) { inner(g, 64); return p; }\n\
                 void end(void) { for (int i = 0; i < 64; i++) g[i] = i; }\n\
                 void step(double *a, int n) { for (int i = 0; i < n; i++) a[i] += 2; }\n\
                 static void behind(double *a, int n) { for (int i = 0; i < n; i++) a[i] += 3; }\n\
                 void set(void) { hook = behind; }\n\
                 void alone(double *a, int n) { for (int i = 0; i < n; i++) a[i] += 4; }\n";
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("main.c", main), ("loops.c", loops)] {
        std::fs::write(folder.path().join(name), text).expect("writes");
    }
    let run = |files: &[&str]| {
        let words = [&["annotate", "-o", "out"], files, &["--", "-fopenmp"]].concat();
        let output = common::ferry_in(folder.path(), words);
        let text = std::fs::read_to_string(folder.path().join("out/loops.c")).expect("was written");
        (text, stderr(&output))
    };
    let (text, said) = run(&["main.c", "loops.c"]);
    assert_eq!(text.matches("#pragma omp target").count(), 1, "{text}\n{said}");
    let last = text.find("void alone").expect("is there");
    assert!(text[last..].contains("#pragma omp target"), "{text}");
    for (line, reason) in [
        (3, "its function runs in a thread that the program starts"),
        (5, "its function is called when the program begins or ends"),
        (6, "its function is called under a directive"),
        (7, "its function runs in a thread that the program starts"),
    ] {
        let place = format!("loops.c:{line}:");
        let found = said.lines().find(|one| one.contains(&place));
        assert!(found.is_some_and(|one| one.contains(reason)), "{line}: {said}");
    }
}

#[test]
fn a_comparison_of_editions_is_an_assumption() {
    let text = |line: &str| {
        format!(
            "void f(int n, double *restrict a)\n{{\n    int k = 0;\n{line}\n    k = 2;\n#endif\n    for (int i = 0; i < n; i++)\n        a[i + k] = i;\n}}\n"
        )
    };
    let word = "comparisons of _OPENMP come out";
    assert!(annotated(&text("#if _OPENMP >= 202011")).1.contains(word));
    assert!(!annotated(&text("#if defined _OPENMP")).1.contains(word));
    assert!(!annotated(&text("#ifdef _OPENMP")).1.contains(word));
}

/// A directive in it would be one for all of them.
#[test]
fn a_text_of_several_functions_stays_as_it_is() {
    let text = "\
#ifdef TYPE
void NAME(int n, TYPE *x)
{
    for (int i = 0; i < n; i++)
        x[i] += 1;
}
#else
#define TYPE double
#define NAME add_double
#include \"a.c\"
#undef TYPE
#undef NAME
#define TYPE float
#define NAME add_float
#include \"a.c\"
#endif
";
    let (new, summary) = annotated(text);
    assert_eq!(new, text);
    assert!(
        summary.contains("its text is that of several functions") && !summary.contains("warning"),
        "{summary}"
    );
    let once = text.rsplit_once("#undef TYPE").unwrap().0.to_owned() + "#endif\n";
    assert!(annotated(&once).0.contains("map(tofrom: x[0:"));
}

/// Compilers do not care how a header is found.
#[test]
fn directives_of_headers_of_the_system_count() {
    let folder = common::with(
        "#include <help.h>\ndouble w[100];\nvoid f(void)\n{\n    to_device(w, 100);\n    for (int i = 0; i < 100; i++)\n        w[i] = i;\n}\n",
    );
    let system = folder.path().join("system");
    std::fs::create_dir(&system).unwrap();
    let header = "static inline void to_device(double *p, int n)\n{\n    #pragma omp target enter data map(to: p[0:n])\n}\n";
    std::fs::write(system.join("help.h"), header).unwrap();
    let (path, system) = (folder.path().join("a.c"), system.display().to_string());
    let path = path.display().to_string();
    let why = "the program moves data to the device by itself";
    for how in ["-isystem", "-idirafter", "-I"] {
        let words = ["annotate", "--all", &path, "--", "-fopenmp", how, &system];
        let said = stderr(&ferry(words.map(str::to_owned)));
        assert!(said.contains(why), "{how}: {said}");
    }
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ferry"));
    let words = ["annotate", "--all", &path, "--", "-fopenmp"];
    let output = command.args(words).env("C_INCLUDE_PATH", &system).output();
    let said = stderr(&output.unwrap());
    assert!(said.contains(why), "{said}");
}
