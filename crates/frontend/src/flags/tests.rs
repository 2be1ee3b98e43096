use super::*;

fn run(line: &str) -> Flags {
    try_run(line).unwrap()
}

fn try_run(line: &str) -> Result<Flags, FlagNote> {
    let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    translate(&arguments, Path::new("/nowhere"), 201_811)
}

/// What libclang gets beyond the standard, the tolerated diagnostics and `-w`.
fn passed(line: &str) -> Vec<String> {
    let own = |a: &String| {
        a.starts_with("-Wno-error=")
            || a == "-w"
            || a == "-ferror-limit=0"
            || a == "-fbracket-depth=1000000"
            || a == "-std=gnu17"
    };
    run(line).arguments.into_iter().filter(|a| !own(a)).collect()
}

#[test]
fn names_in_the_table_are_unique() {
    for (number, (name, _, _)) in TABLE.iter().enumerate() {
        assert!(
            TABLE[number + 1..].iter().all(|(other, _, _)| other != name),
            "{name} twice"
        );
    }
}

#[test]
fn nothing_that_writes_files_reaches_libclang() {
    for line in [
        "-MD -MF f.d",
        "-MMD -MTf.o -MQ x -MP -MG",
        "-MFf.d -M -MM",
        "-Wp,-MD,f.d",
        "-Wp,-MMD,f.d,-MP",
        "-o x.o -ox.o",
        "-c -S -E",
        "--serialize-diagnostics f.dia",
        "-save-temps -save-temps=obj --save-temps",
        "-ftime-trace -ftime-trace=f.json",
        "-fmodules -fmodules-cache-path=m -fmodule-output=x",
        "-MJ db.json",
        "-gen-reproducer=always",
        "-emit-pch -emit-llvm",
        "-fsave-optimization-record -foptimization-record-file=r.yml",
        "--coverage -fprofile-arcs -ftest-coverage -fprofile-generate=d",
        "-fdump-tree-all -dumpbase x -dumpdir y",
        "-fcrash-diagnostics-dir=d",
        "--output=x --output x",
        "-dependency-file f.d",
        "-Xclang -dependency-file -Xclang f.d",
        "--write-dependencies",
        "-fstack-usage -fcallgraph-info",
    ] {
        assert_eq!(passed(line), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn nothing_that_runs_programs_reaches_libclang() {
    for line in [
        "-fplugin=evil.so -fplugin-arg-a-b=c",
        "-fpass-plugin=e.so",
        "-Xclang -load -Xclang e.so",
        "-wrapper gdb,--args",
        "-specs=x --specs=y",
        "-B dir -Bdir",
        "--config f.cfg --config=f.cfg",
        "--analyze -Xanalyzer x",
        "-fno-integrated-as -Wa,-a=l.lst -Xassembler x",
        "-mllvm -help",
        "-v -### -H --help --version -print-search-dirs -print-prog-name=x",
    ] {
        assert_eq!(passed(line), Vec::<String>::new(), "{line}");
    }
}

#[test]
fn what_changes_the_text_is_passed() {
    let line = "-DA -D B=1 -UC -U D -Ii -I j -isystem k -iquotel -include m.h -imacros n.h -fwrapv -fms-extensions \
                -fno-strict-aliasing -funsigned-char -ffast-math -march=haswell -mavx2 -pthread -nostdinc -fshort-enums -ffreestanding";
    let expected: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    assert_eq!(passed(line), expected);
    let dialect = run(line).dialect;
    assert!(dialect.wrapping && dialect.no_strict_aliasing && dialect.unsigned_char);
    assert_eq!(
        run("-fwrapv -fno-wrapv -fno-strict-aliasing -fstrict-aliasing").dialect,
        Dialect::default()
    );
    assert!(run("-fno-strict-overflow").dialect.wrapping);
}

#[test]
fn openmp_and_openacc_become_macros() {
    for flag in [
        "-fopenmp",
        "-fopenmp=libomp",
        "-qopenmp",
        "-fiopenmp",
        "-mp=gpu",
        "-mp",
        "-openmp",
        "-Xpreprocessor -fopenmp",
    ] {
        assert_eq!(passed(flag), ["-D_OPENMP=201811"], "{flag}");
    }
    assert_eq!(passed("-fopenmp -fopenmp-version=45"), ["-D_OPENMP=201511"]);
    assert_eq!(passed("-fopenmp -fno-openmp -fopenmp-simd"), Vec::<String>::new());
    assert_eq!(passed("-fopenacc"), ["-D_OPENACC=201711"]);
    assert_eq!(
        passed("-acc=gpu -ta=tesla:cc80 -Minfo=accel"),
        ["-D_OPENACC=201711"]
    );
    assert!(run("-fopenacc").openacc);
}

#[test]
fn foreign_flags_are_dropped_with_a_note() {
    for line in [
        "-foffload=nvptx-none -foffload-options=nvptx-none=-lm",
        "-Minfo=all -gpu=cc80,managed -fast -Mvect=simd",
        "-qopt-report=5 -xHost -ipo",
        "-fopenmp-targets=nvptx64-nvidia-cuda -Xopenmp-target -march=sm_70 -Xopenmp-target=nvptx64 -march=sm_80",
        "--offload-arch=gfx90a",
        "-xCORE-AVX512 -fp-model precise -no-prec-div -qmkl=parallel",
        "-Xclang -fopenmp-is-target-device",
        "-march=native",
    ] {
        assert_eq!(passed(line), Vec::<String>::new(), "{line}");
        assert!(!run(line).notes.is_empty(), "{line}");
    }
    let notes = run("-Xopenmp-target -march=sm_70").notes;
    assert_eq!(notes[0].flag, "-Xopenmp-target -march=sm_70");
}

#[test]
fn harmless_flags_are_dropped_silently() {
    let line = "-Wall -Wextra -Werror -Werror=foo -pedantic-errors -g -ggdb3 -lm -l m -Lx -L x -Wl,-rpath,x -shared -flto=auto -fno-lto \
                -fdata-sections -fopt-info-vec -ftree-vectorize -fno-tree-vectorize -fipa-pta -funroll-loops -fprefetch-loop-arrays --param max=3 -pg \
                -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fsanitize=address a.c b.o -";
    assert_eq!(passed(line), Vec::<String>::new());
    assert!(run(line).notes.is_empty());
    assert_eq!(passed("-O2"), ["-D__OPTIMIZE__=1"]);
    assert_eq!(passed("-O3 -O0"), Vec::<String>::new());
    assert_eq!(passed("-Ofast"), ["-ffast-math", "-D__OPTIMIZE__=1"]);
}

#[test]
fn unknown_flags_are_left_to_libclang() {
    assert_eq!(passed("-fnever-heard-of"), ["-fnever-heard-of"]);
}

#[test]
fn commands_that_cannot_be_understood_are_refused() {
    for (line, flag) in [
        ("-m32", "-m32"),
        ("-target aarch64-linux-gnu", "-target aarch64-linux-gnu"),
        ("-I", "-I"),
        ("--target=i386-linux", "--target=i386-linux"),
    ] {
        assert_eq!(try_run(line).unwrap_err().flag, flag);
    }
    assert!(try_run("-target x86_64-linux-gnu").is_ok());
}

#[test]
fn the_standard_is_gcc_12s() {
    assert!(run("").arguments.contains(&"-std=gnu17".to_owned()));
    let given = run("-std=c99").arguments;
    assert!(given.contains(&"-std=c99".to_owned()) && !given.contains(&"-std=gnu17".to_owned()));
    assert!(!run("-ansi").arguments.contains(&"-std=gnu17".to_owned()));
    assert_eq!(run("-x c").language.as_deref(), Some("c"));
}

#[test]
fn any_argument_is_accepted_without_a_panic() {
    // Cut and glued pieces of the table's own names, with and without values.
    for (name, _, _) in TABLE {
        for tail in ["", "=", "x", "=x", ",", "é"] {
            let _ = try_run(&format!("{name}{tail}"));
            let _ = try_run(&format!("{name}{tail} -DX"));
        }
        for end in 1..name.len() {
            let _ = try_run(&name[..end]);
        }
    }
}
