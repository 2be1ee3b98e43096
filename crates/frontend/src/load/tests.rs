use super::*;
use std::fs;

struct Project {
    dir: tempfile::TempDir,
    sources: Sources,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Project {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Project {
            dir,
            sources: Sources::new(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn job(&self, name: &str, flags: &str) -> Job {
        let arguments: Vec<String> = flags.split_whitespace().map(str::to_owned).collect();
        Job {
            path: self.path(name),
            directory: self.dir.path().to_owned(),
            arguments,
        }
    }

    fn load_with(&mut self, name: &str, flags: &str, options: &Options) -> LoadedUnit {
        let job = self.job(name, flags);
        load(&mut self.sources, &[job], options).units.remove(0)
    }

    fn load(&mut self, name: &str, flags: &str) -> LoadedUnit {
        self.load_with(name, flags, &Options::default())
    }

    /// All names under the directory, sorted.
    fn listing(&self) -> Vec<PathBuf> {
        let mut all = Vec::new();
        let mut open = vec![self.dir.path().to_owned()];
        while let Some(dir) = open.pop() {
            for entry in fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path.clone());
                }
                all.push(path);
            }
        }
        all.sort();
        all
    }
}

fn messages_of(unit: &LoadedUnit) -> Vec<String> {
    unit.all_findings()
        .map(|finding| finding.message.clone())
        .collect()
}

fn one_error(unit: &LoadedUnit) -> &Finding {
    let errors: Vec<&Finding> = unit
        .all_findings()
        .filter(|f| f.severity == Severity::Error)
        .collect();
    assert_eq!(errors.len(), 1, "{errors:#?}");
    errors[0]
}

fn clean(unit: &LoadedUnit) -> &Unit {
    assert_eq!(messages_of(unit), Vec::<String>::new());
    unit.unit.as_ref().unwrap()
}

#[test]
fn a_file_with_the_users_headers() {
    let mut project = Project::new(&[
        (
            "src/a.c",
            "#include \"b.h\"\n#include <c.h>\nint f(void) { return B + C + D; }\n",
        ),
        ("src/b.h", "#define B 1\n"),
        ("inc/c.h", "#define C 2\n"),
        ("d.h", "#define D 3\n"),
        ("args.rsp", "-Iinc -include d.h"),
    ]);
    clean(&project.load("src/a.c", "@args.rsp -c -o a.o"));
    clean(&project.load("src/a.c", "-I inc -D D=4"));
    let missing = project.load("src/a.c", "-DD=1");
    assert!(missing.unit.is_err());
    assert!(one_error(&missing).message.contains("'c.h' file not found"));
    assert!(one_error(&missing).primary.is_some());
}

#[test]
fn nothing_is_written_whatever_the_flags() {
    let mut project = Project::new(&[("a.c", "int x;\n"), ("f.d", "precious")]);
    let before = project.listing();
    let flags = "-MD -MF f.d -MMD -MT f.d -MJ f.json -o a.o -c -save-temps --serialize-diagnostics a.dia -ftime-trace \
                 -fmodules -fmodules-cache-path=cache --coverage -Wp,-MD,f.d -Xclang -dependency-file -Xclang f.d -gsplit-dwarf \
                 -fsave-optimization-record -fplugin=e.so -fstack-usage -dumpdir x -fprofile-generate=p -emit-pch -fdump-tree-all";
    let unit = project.load("a.c", flags);
    assert!(unit.unit.is_ok(), "{:?}", messages_of(&unit));
    assert_eq!(project.listing(), before);
    assert_eq!(fs::read(project.path("f.d")).unwrap(), b"precious");
}

#[test]
fn flags_that_cannot_be_used_have_one_message() {
    let mut project = Project::new(&[("a.c", "int x;\n")]);
    let mut error = |flags: &str| {
        let unit = project.load("a.c", flags);
        assert!(unit.unit.is_err());
        one_error(&unit).message.clone()
    };
    assert!(error("-fnever-heard-of").contains("unknown argument: '-fnever-heard-of'"));
    assert!(
        error("-DX -std=zz").contains("refuses the flag `-std=zz`"),
        "{}",
        error("-std=zz")
    );
    assert!(error("-m32").contains("64-bit x86"));
    assert!(error("-x c++").contains("Ferry reads C"));
    assert!(error("-include none.h").contains("'none.h' file not found"));
    let unit = project.load("a.c", "-foffload=nvptx-none");
    assert!(unit.unit.is_ok() && !unit.has_errors());
    assert_eq!(unit.findings[0].severity, Severity::Note);
}

#[test]
fn bad_files_have_one_message_and_the_others_are_read() {
    let mut project = Project::new(&[
        ("a.c", "int x;\n"),
        ("empty.c", ""),
        ("bin.c", "a\0b"),
        ("bad.c", "int f( {\n"),
    ]);
    let names = ["none.c", "a.c", "empty.c", "bin.c", "bad.c", "a.c"];
    let jobs: Vec<Job> = names.iter().map(|name| project.job(name, "")).collect();
    let loaded = load(&mut project.sources, &jobs, &Options::default());
    let ok: Vec<bool> = loaded.units.iter().map(|unit| !unit.has_errors()).collect();
    assert_eq!(ok, [false, true, true, false, false, true]);
    assert!(one_error(&loaded.units[0]).message.contains("no such file"));
    assert!(one_error(&loaded.units[3]).message.contains("binary"));
    let bad = one_error(&loaded.units[4]).primary.clone().unwrap();
    assert_eq!((bad.at.start, Some(bad.at.file)), (7, loaded.units[4].file));
}

#[test]
fn text_that_is_not_on_disk_is_read() {
    let mut project = Project::new(&[("a.c", "#include \"h.h\"\nint x = H;\n"), ("h.h", "#error no\n")]);
    let header = project.path("h.h");
    project.sources.insert(&header, b"#define H 1\n".to_vec());
    clean(&project.load("a.c", ""));
    let main = project.path("a.c");
    project
        .sources
        .insert(&main, b"#include \"h.h\"\nint y = H + ;\n".to_vec());
    assert!(
        one_error(&project.load("a.c", ""))
            .message
            .contains("expected expression")
    );
    let nowhere = project.path("nowhere.c");
    project.sources.insert(&nowhere, b"int z;\n".to_vec());
    clean(&project.load("nowhere.c", ""));
}

#[test]
fn numbers_and_findings_do_not_depend_on_threads() {
    let files: Vec<(String, String)> = (0..12)
        .map(|n| {
            (
                format!("f{n}.c"),
                format!(
                    "#include \"h{}.h\"\nint f{n}(void) {{ return X{} {}; }}\n",
                    n % 5,
                    n % 5,
                    if n == 7 { "+" } else { "" }
                ),
            )
        })
        .chain((0..5).map(|n| (format!("h{n}.h"), format!("#define X{n} {n}\nint g{n}(void);\n"))))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let mut project = Project::new(&files);
    let jobs: Vec<Job> = (0..12).map(|n| project.job(&format!("f{n}.c"), "")).collect();
    let mut run = |threads: usize| {
        project.sources = Sources::new();
        let options = Options {
            threads,
            ..Options::default()
        };
        let loaded = load(&mut project.sources, &jobs, &options);
        let findings: Vec<Vec<Finding>> = loaded
            .units
            .iter()
            .map(|u| u.all_findings().cloned().collect())
            .collect();
        let paths: Vec<PathBuf> = project
            .sources
            .files()
            .map(|f| project.sources.path(f).to_owned())
            .collect();
        (findings, paths)
    };
    let one = run(1);
    assert_eq!(one, run(3));
    assert_eq!(one.0.iter().filter(|f| !f.is_empty()).count(), 1);
}

#[test]
fn old_c_that_gcc_accepts_is_accepted() {
    let mut project = Project::new(&[(
        "a.c",
        "f(a, b) int a; char *b; { int *p = a; char *q = p; undeclared(a); if (a) return; return p; }\nmain() { f(1, 2); }\n",
    )]);
    let unit = project.load("a.c", "");
    assert!(!unit.has_errors(), "{:?}", messages_of(&unit));
}

#[test]
fn deep_programs_are_read() {
    // libclang itself takes quadratic time: 9 s for 20,000 of them, and as long for the places in a sum of 100,000 terms.
    let deep = 5_000;
    let else_if: String = (0..deep)
        .map(|n| format!("if (x == {n}) y = {n}; else "))
        .collect();
    let sum = vec!["x"; 20_000].join(" + ");
    let parentheses = format!("{}x{}", "(".repeat(1000), ")".repeat(1000));
    let blocks = format!("{}{}", "{".repeat(1000), "}".repeat(1000));
    let text = format!(
        "int f(int x) {{ int y = 0; {else_if} y = 1; y += {sum}; y += {parentheses}; {blocks} return y; }}\n"
    );
    let mut project = Project::new(&[("a.c", &text)]);
    clang::on_large_stack(|| {
        let unit = project.load("a.c", "");
        assert!(!unit.has_errors(), "{:?}", messages_of(&unit));
    })
    .unwrap();
}

#[test]
fn headers_of_openmp_and_openacc_are_found() {
    let text = "#include <omp.h>\n#include <openacc.h>\nint f(void) { return omp_get_max_threads() + acc_get_num_devices(acc_device_default); }\n";
    let mut project = Project::new(&[("a.c", text)]);
    clean(&project.load("a.c", "-fopenmp -fopenacc"));
}

/// Clang's own `stdatomic.h` looks for another one first, and would find gcc's.
#[test]
fn functions_of_stdatomic_are_those_that_clang_takes() {
    let text = "#include <stdatomic.h>\nstatic atomic_int n;\nint f(void) { atomic_init(&n, 1); return atomic_fetch_add(&n, 2) + atomic_load_explicit(&n, memory_order_acquire); }\n";
    let mut project = Project::new(&[("a.c", text)]);
    clean(&project.load("a.c", "-fopenmp"));
}

#[test]
fn a_compilation_database_drives_the_jobs() {
    let mut project = Project::new(&[
        ("src/a.c", "#include \"config.h\"\nint v = VALUE;\n"),
        ("build/config.h", "#define VALUE N\n"),
        (
            "build/compile_commands.json",
            r#"[{"directory": ".", "file": "../src/a.c", "command": "nvc -acc -Minfo=all -I. -DN=1 -MD -MF a.d -c ../src/a.c -o a.o"},
                {"directory": ".", "file": "../src/a.c", "arguments": ["gcc", "-I", ".", "-DN=2", "-c", "../src/a.c"]}]"#,
        ),
    ]);
    let before = project.listing();
    let path = project.path("src/a.c");
    let database = crate::compilation_database::CompilationDatabase::read(&project.path("build")).unwrap();
    let jobs: Vec<Job> = database
        .commands_for(&path)
        .into_iter()
        .map(|c| Job::from_command(&path, c))
        .collect();
    let loaded = load(&mut project.sources, &jobs, &Options::default());
    assert_eq!(loaded.units.len(), 2);
    for unit in &loaded.units {
        assert!(!unit.has_errors(), "{:?}", messages_of(unit));
        assert_eq!(unit.unit.as_ref().unwrap().globals.len(), 1);
    }
    assert_eq!(loaded.units[0].file, loaded.units[1].file);
    assert_eq!(project.listing(), before);
}
