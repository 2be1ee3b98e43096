//! Variables of the file that called functions use: where are they declared for the device, how are they mapped, and which of them keep a loop on the host?

use crate::common::{ferry_in, programs_folder, status, stderr, stdout, with};

fn annotated(text: &str, words: &[&str]) -> (String, String) {
    let folder = with(text);
    let mut arguments = vec!["annotate"];
    arguments.extend(words);
    arguments.push("a.c");
    let output = ferry_in(folder.path(), arguments);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    (stdout(&output), stderr(&output))
}

/// The annotated text, and what is said.
fn written(text: &str, words: &[&str]) -> (String, String) {
    let mut all = vec!["--all"];
    all.extend(words);
    annotated(text, &all)
}

/// A variable, what stands before a function that reads it, the function, and a loop that calls it.
fn program(variable: &str, before: &str, value: &str) -> String {
    format!(
        "{variable}
{before}static double look(int k) {{ return {value}; }}
void all(double *restrict r, int n)
{{
    for (int i = 0; i < n; i++)
        r[i] = look(i);
}}
"
    )
}

fn stays(text: &str, words: &[&str], why: &str) {
    let (new, said) = written(text, words);
    assert!(said.contains(why), "{said}");
    assert!(!new.contains("link("), "{new}");
    assert!(said.contains("0 kernels"), "{said}");
}

#[test]
fn they_are_declared_before_what_uses_them_and_mapped_as_a_whole() {
    let text = program("static double t[5][13];\nint shift;", "", "t[2][k % 13] + shift");
    for edition in ["4.5", "5.0", "6.0"] {
        let (new, said) = written(&text, &["--openmp", edition]);
        assert!(said.contains("1 kernel in 1 data environment"), "{said}");
        let line = "int shift;\n#ifdef __clang__\n#pragma omp declare target link(shift, t)\n#endif\n";
        assert!(
            new.replace("declare_target", "declare target").contains(line),
            "{new}"
        );
        let kernel = new
            .lines()
            .find(|line| line.contains("teams"))
            .unwrap_or_default();
        assert!(kernel.contains("map(to: t, shift)"), "{new}");
        // gcc 12 takes one of them for the other.
        let guarded = |text: &str| format!("#ifdef __clang__\n{text}\n");
        assert!(new.contains(&guarded(kernel)), "{new}");
        assert!(said.contains("only clang makes a kernel of it"), "{said}");
        // A function of which gcc has no variables is not declared for it.
        if edition == "4.5" {
            assert!(new.contains(&guarded("#pragma omp declare target")), "{new}");
        }
    }
}

#[test]
fn the_kernels_of_the_whole_file_go_by_what_is_declared() {
    let text = format!(
        "{}void rows(void)
{{
    for (int i = 2; i < 4; i++)
        for (int j = 0; j < 13; j++)
            t[i][j] = shift;
}}
",
        program("static double t[5][13];\nint shift;", "", "t[2][k % 13] + shift")
    );
    let (new, _) = written(&text, &[]);
    assert!(new.contains("map(tofrom: t) map(to: shift)"), "{new}");
    // Nothing is declared, and the section is what is touched.
    let alone = text.replace("look(i)", "i");
    let (new, _) = written(&alone, &[]);
    assert!(
        new.contains("map(from: t[2:2][0:") && !new.contains("shift)"),
        "{new}"
    );
}

/// clang: "declaration marked as declare target after first use".
#[test]
fn a_kernel_before_the_function_is_behind_the_directive() {
    let (head, look) = (
        "static double t[8];\n",
        "static double look(int k) { return t[k % 8]; }\n",
    );
    let text = program("", "", "0");
    let loops = text.split_once("void all").unwrap().1;
    let (new, _) = written(
        &format!("{head}static double look(int k);\nvoid all{loops}{look}"),
        &[],
    );
    assert!(
        new.contains("look(int k);\n#ifdef __clang__\n#pragma omp declare target link(t)\n#endif\nvoid all"),
        "{new}"
    );
}

#[test]
fn comments_stay_with_their_functions() {
    let text = program(
        "static double t[8];",
        "// ferry: assume(k >= 0)\n/* It reads; } */\n",
        "t[k % 8]",
    );
    let (new, _) = written(&text, &[]);
    assert!(
        new.contains(
            "#ifdef __clang__\n#pragma omp declare target link(t)\n#endif\n// ferry: assume(k >= 0)\n/* It reads; } */\nstatic"
        ),
        "{new}"
    );
}

#[test]
fn what_has_no_copy_on_the_device_says_why() {
    let table = program("static double t[8];", "", "t[k % 8]");
    stays(&table, &["--openacc"], "gcc 12 takes no `declare link`");
    let value = "t[k % 8]";
    let other = |variable: &str, before: &str| program(variable, before, value);
    stays(&other("extern double t[8];", ""), &[], "it is defined elsewhere");
    stays(
        &other("static _Thread_local double t[8];", ""),
        &[],
        "no copy on the device",
    );
    stays(
        &other("static double t[8];\n#pragma omp threadprivate(t)", ""),
        &[],
        "directives that are there use it",
    );
    stays(
        &other("static double t[8];\ndouble *first = &t[0];", ""),
        &[],
        "another variable begins with its address",
    );
    stays(
        &other("#if 1\nstatic double t[8];\n#endif", ""),
        &[],
        "it is not certainly defined before",
    );
    // gcc 12 links nothing for what is only declared where the directive stands.
    let behind = other("extern double t[8];", "") + "double t[8];\n";
    stays(&behind, &[], "it is not certainly defined before");
    stays(
        &other("static double t[8];", "static int before; "),
        &[],
        "there is no line for a directive",
    );
    stays(
        &other("static double t[8];", "#pragma omp declare simd\n"),
        &[],
        "something stands before the first function that uses it that may belong to that",
    );
    stays(
        &other("static double t[8];", "#define NOTHING\nNOTHING\n"),
        &[],
        "something stands before the first function that uses it that may belong to that",
    );
    let hangs = other("static double t[8];", "#ifndef OTHER\n").replace("void all", "#endif\nvoid all");
    stays(&hangs, &[], "hangs on an #if");
    let pointer = program("static double *t;", "", "t[k % 8]");
    stays(&pointer, &[], "it holds more than numbers");
    let inside = program("", "", "0").replace("return 0;", "static double t[8]; return t[k % 8];");
    stays(&inside, &[], "uses the static variable t of the file");
    let string = program("", "", "\"abc\"[k % 3]");
    stays(
        &string,
        &[],
        "look, which it calls, uses a string, which has no copy on the device",
    );
    let hidden = other("static double t[8];", "")
        .replace("int n)", "int n, int t)")
        .replace("look(i)", "look(i) + t");
    stays(&hidden, &[], "which is hidden by another of its name");
}

#[test]
fn loops_that_have_copies_stay() {
    let path = programs_folder().join("globals/called.c");
    let text = std::fs::read_to_string(path).unwrap();
    let (new, said) = annotated(&text, &[]);
    assert!(
        said.contains("10 kernels in 8 data environments, of 23 loops"),
        "{said}"
    );
    for why in [
        "clang 19 takes no update of that",
        "the same storage is reached by different names",
        "the variable size of the file, which is hidden by another of its name",
        "the variable work of the file, of which the loop has copies",
    ] {
        assert!(said.contains(why), "{why}: {said}");
    }
    assert!(new.contains("update to(seen[1:1])"), "{new}");
}
