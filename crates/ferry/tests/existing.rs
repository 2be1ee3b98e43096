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
        "__cxa_atexit((void (*)(void *))end, 0, 0)",
    ] {
        refused(&registered(call), reason);
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
