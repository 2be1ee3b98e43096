//! Whatever the text and the flags are: no panic, no file changed, and findings whose places are in the text.

use ferry_frontend::clang::on_large_stack;
use ferry_frontend::{Job, Loaded, Options, load};
use ferry_source::{FileId, Sources};
use std::path::Path;

const PROGRAM: &str = "#include \"h.h\"\r\n#define DO(x) _Pragma(#x)\n#define LOOP _Pragma(\"omp parallel for\") for (;;)\n\
#define CLAUSES private(i) /* c */ num_gangs(n)\nstruct s { int n, *p; } g;\nint f(int n, double a[n][n]) {\n  int i; char *t = \"\\\"{\";\n\
#pragma omp target data map(tofrom: a[0:n][0:n], g.p[0:g.n]) \\\n   if(n > 3)\n  {\n#pragma omp target teams loop\n\
    for (i = 0; i < n; i++) a[i][0] = g.p[i];\n#pragma omp target update from(a[1:n - 1])\n  }\n#pragma acc parallel loop CLAUSES // x\n\
  for (i = 0; i < n; i++) { a[i][i] += 1; }\n  DO(omp barrier)\n  _Pragma(\"omp critical (\\\"x\\\")\") { LOOP { break; } }\n#if 0\n#pragma omp (\n#endif\n\
  switch (n) { case 1: i++; default: return i; }\n  while (i --> 0) n = i ? n : *t;\n  return n;\n}\n";

/// A generator of numbers that is the same everywhere (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

fn load_text(text: &[u8], flags: &[String]) -> (Sources, Loaded) {
    let mut sources = Sources::new();
    let path = Path::new("/nowhere/a.c");
    sources.insert(path, text.to_vec());
    sources.insert(
        Path::new("/nowhere/h.h"),
        b"int q;\n#pragma omp declare target\n".to_vec(),
    );
    let loaded = load(
        &mut sources,
        &[Job::new(path, flags)],
        &Options {
            threads: 1,
            ..Options::default()
        },
    );
    (sources, loaded)
}

fn check(text: &[u8], flags: &[String]) {
    let (sources, loaded) = load_text(text, flags);
    let length = |file: FileId| sources.bytes(file).len() as u32;
    for finding in loaded.units[0].all_findings() {
        assert!(
            !finding.message.contains("the front end failed"),
            "{}",
            String::from_utf8_lossy(text)
        );
        for label in finding.primary.iter().chain(&finding.related) {
            assert!(
                label.at.start <= label.at.end && label.at.end <= length(label.at.file),
                "{label:?}"
            );
        }
    }
    if let Ok(unit) = &loaded.units[0].unit {
        let violations = ferry_ir::verify::verify_unit(unit);
        assert!(
            violations.is_empty(),
            "{violations:#?}\n{}",
            String::from_utf8_lossy(text)
        );
    }
}

fn flags(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_program_itself_is_read() {
    let (_, loaded) = load_text(PROGRAM.as_bytes(), &flags("-fopenmp"));
    let unit = &loaded.units[0];
    let findings: Vec<_> = unit.all_findings().map(|f| f.message.clone()).collect();
    assert!(unit.unit.is_ok());
    assert_eq!(findings, Vec::<String>::new());
}

#[test]
fn cut_and_changed_programs() {
    on_large_stack(|| {
        let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
        let bytes = PROGRAM.as_bytes();
        for _ in 0..120 {
            check(&bytes[..numbers.below(bytes.len())], &flags("-fopenmp -fopenacc"));
        }
        let pieces: [&[u8]; 14] = [
            b"(",
            b")",
            b"{",
            b"}",
            b";",
            b"#",
            b"\n",
            b"\\\n",
            b"\"",
            b"/*",
            b"omp",
            b"_Pragma(",
            b":",
            b"\xFF",
        ];
        for _ in 0..250 {
            let mut text = bytes.to_vec();
            for _ in 0..=numbers.below(3) {
                let at = numbers.below(text.len());
                let until = (at + numbers.below(4)).min(text.len());
                let piece = pieces[numbers.below(pieces.len())].to_vec();
                text.splice(at..until, piece);
            }
            check(&text, &flags("-fopenmp"));
        }
    })
    .unwrap();
}

#[test]
fn random_flags_write_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let precious = ["f.d", "a.o", "x.json", "a.dia"];
    for name in precious {
        std::fs::write(dir.path().join(name), "precious").unwrap();
    }
    let in_dir = |name: &str| dir.path().join(name).display().to_string();
    let words: Vec<String> = [
        "-MD",
        "-MF",
        "-MMD",
        "-MT",
        "-MJ",
        "-o",
        "-c",
        "-S",
        "-E",
        "-Xclang",
        "-Wp,-MD,",
        "-ftime-trace=",
        "-dependency-file",
        "--serialize-diagnostics",
        "-fmodules",
        "-fmodules-cache-path=",
        "-save-temps=",
        "-gsplit-dwarf",
        "-emit-llvm",
        "-fplugin=",
        "-include",
        "-I",
        "-D",
        "-x",
        "c",
        "-std=gnu11",
        "-O2",
        "-fopenmp",
        "-fprofile-generate=",
        "-wrapper",
        "--config=",
        "@",
        "-foptimization-record-file=",
        "-index-store-path",
        "-mllvm",
        "-load",
        "-B",
        "-fcrash-diagnostics-dir=",
        "-frewrite-includes",
        "-Xpreprocessor",
        "-Wl,-Map=",
        "-Wa,-a=",
        "-specs=",
        "-ivfsoverlay",
        "-print-stats",
        "-ast-dump",
        "-H",
        "-MV",
        "-dM",
        "-P",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain(precious.iter().map(|name| in_dir(name)))
    .collect();
    on_large_stack(|| {
        let mut numbers = Numbers(88_172_645_463_325_252);
        for _ in 0..150 {
            let line: Vec<String> = (0..1 + numbers.below(5))
                .map(|_| {
                    let word = words[numbers.below(words.len())].clone();
                    let glued = word.ends_with(['=', ',']) || numbers.below(6) == 0;
                    if glued {
                        format!("{word}{}", in_dir(precious[numbers.below(4)]))
                    } else {
                        word
                    }
                })
                .collect();
            check(b"int x;\n", &line);
        }
    })
    .unwrap();
    let mut names: Vec<String> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["a.dia", "a.o", "f.d", "x.json"]);
    for name in precious {
        assert_eq!(
            std::fs::read(dir.path().join(name)).unwrap(),
            b"precious",
            "{name}"
        );
    }
}

/// Runs only inside the process that the next test starts.
#[test]
fn inside_a_process_without_libclang() {
    if std::env::var_os("FERRY_TEST_WITHOUT_LIBCLANG").is_none() {
        return;
    }
    let (_, loaded) = load_text(b"int x;\n", &[]);
    let findings: Vec<_> = loaded.units[0]
        .all_findings()
        .map(|f| f.message.clone())
        .collect();
    assert_eq!(findings.len(), 1);
    assert!(findings[0].starts_with("no usable libclang"), "{findings:?}");
    assert!(findings[0].contains("/nowhere/libclang.so"));
}

#[test]
fn a_machine_without_libclang() {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "bad_input::inside_a_process_without_libclang"])
        .env("LIBCLANG_PATH", "/nowhere/libclang.so")
        .env("FERRY_TEST_WITHOUT_LIBCLANG", "1")
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}
