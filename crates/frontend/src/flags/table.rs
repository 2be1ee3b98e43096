//! What is each compiler flag to Ferry? One row per flag (or family) of gcc, clang, nvc/pgcc and icx/icc.
//!
//! What decides: a flag that changes what the text means is passed to libclang; one that only changes the code, the
//! linking, the messages or the files that are written is dropped; a foreign flag is dropped with a note. A flag that
//! is in no row is passed, and libclang's refusal is an error. Nothing here may make libclang write a file, run a
//! program or load a plug-in.

/// How the value of a flag is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// No value: the flag is exactly the name.
    None,
    /// The next argument. A name that ends with `_`, `-` or `=` is a prefix.
    Next,
    /// In the same argument, perhaps empty: the name is a prefix.
    Joined,
    /// In the same argument, or, if that ends with the name, the next one.
    Either,
}

/// What is done with a flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Action {
    /// libclang gets it.
    Pass,
    /// It does not change what the program means.
    Drop,
    /// Dropped, and the user is told.
    Note(&'static str),
    /// The command cannot be understood with this flag.
    Refuse(&'static str),
    /// OpenMP is on: `_OPENMP` is defined, libclang does not get the flag.
    OpenMp,
    /// OpenMP is off again.
    NoOpenMp,
    /// `-fopenmp-version=`: the value of `_OPENMP`.
    OpenMpVersion,
    /// OpenACC is on: `_OPENACC` is defined.
    OpenAcc,
    /// OpenACC is off again.
    NoOpenAcc,
    /// `-O…`: `__OPTIMIZE__` is defined or not; glibc's inline functions stay out.
    Optimize,
    /// `-D`: passed, but `_FORTIFY_SOURCE` would hide library calls behind checking variants.
    Define,
    /// `-x language`.
    Language,
    /// `-Wp,a,b` holds preprocessor flags.
    Preprocessor,
    /// `-Xpreprocessor a` is the flag `a`.
    NextIsFlag,
    /// `-std=`.
    Standard,
    /// `-target triple`.
    Target,
}

use Action::*;
use Value as V;

pub(super) const FOREIGN: Action =
    Note("a flag of another compiler, which does not change what the text means");
const DEVICE: Action = Note("about code for devices, which is not made here");
const WRITES: Action = Note("would write files");
const RUNS: Action = Note("would load or run another program");
pub(super) const TARGET: &str =
    "only 64-bit x86 (LP64) is understood: sizes and layouts of other targets would be wrong";

/// The rows. The longest name that fits decides; an exact name goes before a prefix of the same length.
#[rustfmt::skip]
pub(super) const TABLE: &[(&str, Value, Action)] = &[
    // Which text is read.
    ("-D", V::Either, Define), ("-U", V::Either, Pass), ("-I", V::Either, Pass), ("-isystem", V::Either, Pass),
    ("-iquote", V::Either, Pass), ("-idirafter", V::Either, Pass), ("-include", V::Either, Pass),
    ("-imacros", V::Either, Pass),
    ("-include-pch", V::Next, WRITES), ("-isysroot", V::Either, Pass), ("--sysroot", V::Next, Pass),
    ("--sysroot=", V::Joined, Pass),
    ("-iprefix", V::Either, Pass), ("-iwithprefix", V::Either, Pass), ("-iwithprefixbefore", V::Either, Pass),
    ("-nostdinc", V::None, Pass), ("-nobuiltininc", V::None, Pass), ("-nostdlibinc", V::None, Pass),
    ("-undef", V::None, Pass),
    ("-I-", V::None, Note("the old split of include paths is not supported")),
    ("-trigraphs", V::None, Pass), ("-pthread", V::None, Pass), ("-pthreads", V::None, Drop),
    // Which language it is in.
    ("-x", V::Either, Language), ("-std=", V::Joined, Standard), ("--std=", V::Joined, Standard),
    ("-std", V::Next, Standard), ("-ansi", V::None, Pass),
    ("-c99", V::None, FOREIGN), ("-c89", V::None, FOREIGN), ("-c11", V::None, FOREIGN),
    ("-ObjC", V::None, Refuse("Ferry reads C")), ("-ObjC++", V::None, Refuse("Ferry reads C")),
    ("-traditional", V::None, FOREIGN), ("-traditional-cpp", V::None, FOREIGN),
    ("-m64", V::None, Pass), ("-m32", V::None, Refuse(TARGET)), ("-m16", V::None, Refuse(TARGET)),
    ("-mx32", V::None, Refuse(TARGET)),
    ("-march=native", V::None, Note("the result must not depend on the machine that Ferry runs on")),
    ("-mtune=", V::Joined, Drop), ("-mcpu=", V::Joined, FOREIGN), ("-mcmodel=", V::Joined, Drop),
    ("-mno-red-zone", V::None, Drop),
    ("-mveclibabi=", V::Joined, FOREIGN), ("-mprefer-vector-width=", V::Joined, Drop), ("-mrecip", V::Joined, Drop),
    ("-mfpmath=", V::Joined, Drop), ("-mllvm", V::Next, Drop), ("-mllvm=", V::Joined, Drop),
    ("-fms-extensions", V::None, Pass),
    // What is compiled, where to, and how far.
    ("-c", V::None, Drop), ("-S", V::None, Drop), ("-E", V::None, Drop), ("-o", V::Either, Drop),
    ("--output=", V::Joined, Drop), ("--output", V::Next, Drop),
    ("-fsyntax-only", V::None, Drop), ("-pipe", V::None, Drop), ("-P", V::None, Drop), ("-C", V::None, Drop),
    ("-CC", V::None, Drop),
    ("-dumpbase", V::Next, Drop), ("-dumpbase-ext", V::Next, Drop), ("-dumpdir", V::Next, Drop),
    ("-dD", V::None, Drop), ("-dM", V::None, Drop), ("-dI", V::None, Drop), ("-dN", V::None, Drop),
    ("-dU", V::None, Drop),
    ("-v", V::None, Drop), ("-V", V::None, Drop), ("-###", V::None, Drop), ("-H", V::None, Drop),
    ("--version", V::None, Drop), ("--verbose", V::None, Drop), ("-dumpversion", V::None, Drop),
    ("-dumpmachine", V::None, Drop), ("-print-", V::Joined, Drop), ("--print-", V::Joined, Drop),
    ("--help", V::Joined, Drop), ("-time", V::Joined, Drop),
    ("-Q", V::None, Drop), ("-Qunused-arguments", V::None, Drop), ("-Qn", V::None, Drop), ("-Qy", V::None, Drop),
    ("-emit-", V::Joined, WRITES), ("-gen-", V::Joined, WRITES), ("-working-directory", V::Either, Drop),
    ("-working-directory=", V::Joined, Drop),
    ("-fworking-directory", V::None, Drop), ("-fno-working-directory", V::None, Drop),
    // Dependency files: libclang would overwrite them.
    ("-M", V::None, Drop), ("-MM", V::None, Drop), ("-MD", V::None, Drop), ("-MMD", V::None, Drop),
    ("-MG", V::None, Drop), ("-MP", V::None, Drop), ("-MV", V::None, Drop),
    ("-MF", V::Either, Drop), ("-MT", V::Either, Drop), ("-MQ", V::Either, Drop), ("-MJ", V::Either, Drop),
    ("--dependencies", V::None, Drop), ("--user-dependencies", V::None, Drop),
    ("--write-dependencies", V::None, Drop), ("--write-user-dependencies", V::None, Drop),
    ("-dependency-file", V::Next, Drop), ("-dependency-dot", V::Next, Drop),
    ("-module-dependency-dir", V::Next, Drop),
    // Through the driver to another program.
    ("-Wp,", V::Joined, Preprocessor), ("-Xpreprocessor", V::Next, NextIsFlag), ("-Wl,", V::Joined, Drop),
    ("-Wa,", V::Joined, Drop), ("-Xlinker", V::Next, Drop), ("-Xassembler", V::Next, Drop),
    ("-Xclang", V::Next, RUNS), ("-Xclang=", V::Joined, RUNS), ("-Xopenmp-target", V::Next, DEVICE),
    ("-Xopenmp-target=", V::Next, DEVICE), ("-Xarch_", V::Next, DEVICE),
    ("-Xcuda-", V::Next, DEVICE), ("-Xcompiler", V::Next, FOREIGN), ("-Xptxas", V::Next, DEVICE),
    ("-Xanalyzer", V::Next, Drop), ("-Xoffload-linker", V::Next, DEVICE), ("-Xoffload-linker=", V::Next, DEVICE),
    ("-Xthinlto-distributor", V::Next, Drop), ("-Xmicrosoft-", V::Next, Drop), ("-Xs", V::Either, FOREIGN),
    ("-Xsycl-", V::Next, DEVICE),
    ("-wrapper", V::Next, RUNS), ("-specs=", V::Joined, RUNS), ("--specs=", V::Joined, RUNS),
    ("-specs", V::Next, RUNS), ("-fplugin", V::Joined, RUNS), ("-fpass-plugin", V::Joined, RUNS),
    ("-load", V::Next, RUNS), ("-B", V::Either, Drop), ("--prefix=", V::Joined, Drop),
    ("-no-canonical-prefixes", V::None, Drop), ("-canonical-prefixes", V::None, Drop), ("-ccc-", V::Joined, Drop),
    ("-config", V::Next, RUNS), ("--config", V::Next, RUNS), ("--config=", V::Joined, RUNS),
    ("--config-", V::Joined, RUNS), ("--no-default-config", V::None, Drop), ("--analyze", V::Joined, RUNS),
    ("--gcc-toolchain=", V::Joined, Drop), ("--gcc-install-dir=", V::Joined, Drop),
    ("--driver-mode=", V::Joined, Drop), ("--rsp-quoting=", V::Joined, Drop),
    ("--start-no-unused-arguments", V::None, Drop), ("--end-no-unused-arguments", V::None, Drop),
    ("-resource-dir", V::Next, Drop), ("-resource-dir=", V::Joined, Drop),
    ("-cc1", V::Joined, Refuse("it is not a flag of the compiler driver")),
    ("-fuse-ld=", V::Joined, Drop), ("--ld-path=", V::Joined, Drop), ("-fno-integrated-as", V::None, Drop),
    ("-fintegrated-as", V::None, Drop), ("-fintegrated-cc1", V::None, Drop), ("-fno-integrated-cc1", V::None, Drop),
    // Linking.
    ("-l", V::Either, Drop), ("-L", V::Either, Drop), ("-shared", V::None, Drop), ("-static", V::None, Drop),
    ("-static-", V::Joined, Drop), ("-shared-", V::Joined, Drop), ("-rdynamic", V::None, Drop),
    ("-pie", V::None, Drop), ("-no-pie", V::None, Drop), ("-nopie", V::None, Drop), ("-static-pie", V::None, Drop),
    ("-s", V::None, Drop), ("-r", V::None, Drop), ("-nostdlib", V::None, Drop), ("-nodefaultlibs", V::None, Drop),
    ("-nostartfiles", V::None, Drop), ("-nolibc", V::None, Drop), ("-T", V::Either, Drop), ("-u", V::Either, Drop),
    ("-z", V::Next, Drop), ("-rpath", V::Next, Drop), ("-R", V::Either, Drop), ("-symbolic", V::None, Drop),
    ("-e", V::Next, Drop), ("-rtlib=", V::Joined, Drop), ("--rtlib=", V::Joined, Drop),
    ("-unwindlib=", V::Joined, Drop), ("-stdlib=", V::Joined, Drop), ("-framework", V::Next, Drop),
    ("-flto", V::Joined, Drop), ("-fno-lto", V::None, Drop), ("-ffat-lto-objects", V::None, Drop),
    ("-fno-fat-lto-objects", V::None, Drop), ("-fuse-linker-plugin", V::None, Drop),
    ("-fno-use-linker-plugin", V::None, Drop), ("-fthinlto", V::Joined, Drop), ("-fwhole-program", V::None, Drop),
    ("-fsplit-lto-unit", V::None, Drop), ("-flinker-output=", V::Joined, Drop),
    // Targets.
    ("-target", V::Next, Target), ("--target=", V::Joined, Target), ("--target", V::Next, Target),
    ("-arch", V::Next, Target),
    // Messages: an error must be a real one.
    ("-W", V::Joined, Drop), ("-w", V::None, Drop), ("-pedantic", V::None, Drop), ("-pedantic-errors", V::None, Drop),
    ("--pedantic", V::None, Drop), ("-fdiagnostics", V::Joined, Drop), ("-fno-diagnostics", V::Joined, Drop),
    ("-fcolor-diagnostics", V::None, Drop), ("-fno-color-diagnostics", V::None, Drop),
    ("-fansi-escape-codes", V::None, Drop), ("-fmessage-length", V::Joined, Drop), ("-fmax-errors", V::Joined, Drop),
    ("-ferror-limit", V::Joined, Drop), ("-fcaret-diagnostics", V::None, Drop),
    ("-fno-caret-diagnostics", V::None, Drop), ("-fno-show-column", V::None, Drop), ("-fshow-column", V::None, Drop),
    ("-ftemplate-backtrace-limit", V::Joined, Drop), ("-fcompare-debug", V::Joined, Drop),
    ("-fno-elide-type", V::None, Drop), ("--serialize-diagnostics", V::Next, Drop),
    ("-serialize-diagnostics", V::Next, Drop), ("-serialize-diagnostic-file", V::Next, Drop),
    ("-fpermissive", V::None, Drop), ("-fno-spell-checking", V::None, Drop),
    // Code that is made.
    ("-O", V::Joined, Optimize), ("--optimize", V::Joined, Optimize), ("-g", V::Joined, Drop), ("-p", V::None, Drop),
    ("-pg", V::None, Drop), ("--param", V::Next, Drop), ("--param=", V::Joined, Drop), ("--coverage", V::None, Drop),
    ("-coverage", V::None, Drop), ("-save-temps", V::Joined, Drop), ("--save-temps", V::Joined, Drop),
    ("-fdump", V::Joined, Drop), ("-da", V::None, Drop), ("-fstack-usage", V::None, Drop),
    ("-fcallgraph-info", V::Joined, Drop), ("-fmem-report", V::Joined, Drop), ("-ftime-", V::Joined, Drop),
    ("-fproc-stat-report", V::Joined, Drop), ("-fcrash-diagnostics", V::Joined, Drop),
    ("-fno-crash-diagnostics", V::None, Drop),
    ("-ftest-coverage", V::None, Drop), ("-fno-test-coverage", V::None, Drop), ("-fprofile", V::Joined, Drop),
    ("-fno-profile", V::Joined, Drop), ("-fcoverage", V::Joined, Drop), ("-fauto-profile", V::Joined, Drop),
    ("-fcs-profile", V::Joined, Drop), ("-fsanitize", V::Joined, Drop), ("-fno-sanitize", V::Joined, Drop),
    ("-fasan-shadow-offset", V::Joined, Drop), ("-fxray", V::Joined, Drop),
    ("-finstrument-functions", V::Joined, Drop), ("-fcf-protection", V::Joined, Drop),
    ("-fzero-call-used-regs", V::Joined, Drop), ("-ftrampolines", V::None, Drop), ("-fno-trampolines", V::None, Drop),
    ("-fsave-optimization-record", V::Joined, Drop), ("-foptimization-record", V::Joined, Drop),
    ("-fdebug", V::Joined, Drop), ("-fno-debug", V::Joined, Drop), ("-ffile-prefix-map", V::Joined, Drop),
    ("-fmacro-prefix-map", V::Joined, Drop), ("-frandom-seed", V::Joined, Drop),
    ("-feliminate-unused-debug", V::Joined, Drop), ("-femit-", V::Joined, Drop),
    ("-fno-eliminate-unused-debug", V::Joined, Drop), ("-fdata-sections", V::None, Drop),
    ("-ffunction-sections", V::None, Drop), ("-fno-data-sections", V::None, Drop),
    ("-fno-function-sections", V::None, Drop), ("-fvisibility", V::Joined, Drop), ("-fverbose-asm", V::None, Drop),
    ("-fno-verbose-asm", V::None, Drop), ("-fno-ident", V::None, Drop), ("-fident", V::None, Drop),
    ("-fmodules", V::Joined, Drop), ("-fno-modules", V::Joined, Drop), ("-fmodule-", V::Joined, Drop),
    ("-fimplicit-module", V::Joined, Drop), ("-fprebuilt-", V::Joined, Drop), ("-fbuild-session", V::Joined, Drop),
    ("-fpch-", V::Joined, Drop), ("-index-", V::Joined, WRITES),
    ("-ivfsoverlay", V::Either, Note("a virtual file system is not used")),
    ("-vfsoverlay", V::Either, Note("a virtual file system is not used")), ("-fembed-bitcode", V::Joined, Drop),
    ("-fwrapv-pointer", V::None, Drop), ("-fno-wrapv-pointer", V::None, Drop), ("-fcheck-new", V::None, Drop),
    ("-fvectorize", V::None, Drop), ("-fno-vectorize", V::None, Drop), ("-fslp-vectorize", V::None, Drop),
    ("-fno-slp-vectorize", V::None, Drop), ("-freciprocal-math", V::None, Drop), ("-fveclib=", V::Joined, Drop),
    ("-fno-common", V::None, Drop), ("-fcommon", V::None, Drop), ("-fenable-", V::Joined, Drop),
    ("-fdisable-", V::Joined, Drop), ("-falign-", V::Joined, Drop), ("-fsched-", V::Joined, Drop),
    ("-fira-", V::Joined, Drop), ("-fipa-", V::Joined, Drop), ("-fno-ipa-", V::Joined, Drop),
    ("-ftree-", V::Joined, Drop), ("-fno-tree-", V::Joined, Drop), ("-fgraphite", V::Joined, Drop),
    ("-floop-", V::Joined, Drop), ("-fno-loop-", V::Joined, Drop), ("-fvect-cost-model", V::Joined, Drop),
    ("-fsimd-cost-model", V::Joined, Drop), ("-finline-limit", V::Joined, Drop),
    ("-fexcess-precision=", V::Joined, Drop), ("-fexec-charset=", V::Joined, Pass),
    ("-finput-charset=", V::Joined, Pass), ("-fplan9-extensions", V::None, FOREIGN),
    ("-fgimple", V::None, Refuse("Ferry reads C")), ("-fopt-info", V::Joined, Drop),
    ("-fkeep-inline-functions", V::None, Drop), ("-fkeep-static-", V::Joined, Drop),
    ("-fnon-call-exceptions", V::None, Drop), ("-fexceptions", V::None, Pass),
    ("-fdelete-dead-exceptions", V::None, Drop), ("-ftrapv", V::None, Pass), ("-fno-signaling-nans", V::None, Drop),
    ("-fsignaling-nans", V::None, Drop), ("-fno-fp-int-builtin-inexact", V::None, Drop),
    ("-fcx-fortran-rules", V::None, Drop), ("-flimited-precision", V::Joined, Drop),
    // OpenMP.
    ("-fopenmp", V::None, OpenMp), ("-fopenmp=", V::Joined, OpenMp), ("-fno-openmp", V::None, NoOpenMp),
    ("-fopenmp-version=", V::Joined, OpenMpVersion), ("-fopenmp-", V::Joined, DEVICE),
    ("-fno-openmp-", V::Joined, DEVICE), ("-fopenmp-simd", V::None, Drop), ("-openmp", V::None, OpenMp),
    ("-qopenmp", V::None, OpenMp), ("-qopenmp-", V::Joined, FOREIGN), ("-fiopenmp", V::None, OpenMp),
    ("-fiopenmp-", V::Joined, FOREIGN), ("-qopenmp-stubs", V::None, FOREIGN), ("-qno-openmp", V::None, NoOpenMp),
    ("-openmp-", V::Joined, FOREIGN), ("-mp", V::None, OpenMp), ("-mp=", V::Joined, OpenMp),
    ("-nomp", V::None, NoOpenMp), ("-qsmp=omp", V::Joined, OpenMp), ("-xopenmp", V::Joined, OpenMp),
    ("-homp", V::None, OpenMp), ("--offload-", V::Joined, DEVICE), ("--no-offload-", V::Joined, DEVICE),
    ("-foffload", V::Joined, DEVICE), ("-fno-offload", V::Joined, DEVICE), ("--cuda-", V::Joined, DEVICE),
    ("--no-cuda-", V::Joined, DEVICE), ("-nocudalib", V::None, DEVICE), ("-nogpulib", V::None, DEVICE),
    ("-nogpuinc", V::None, DEVICE), ("--rocm-", V::Joined, DEVICE), ("-fgpu-", V::Joined, DEVICE),
    ("-fno-gpu-", V::Joined, DEVICE), ("-qoffload", V::Joined, DEVICE), ("-fsycl", V::Joined, DEVICE),
    // OpenACC.
    ("-fopenacc", V::None, OpenAcc), ("-fno-openacc", V::None, NoOpenAcc), ("-fopenacc-", V::Joined, DEVICE),
    ("-acc", V::None, OpenAcc), ("-acc=", V::Joined, OpenAcc), ("-noacc", V::None, NoOpenAcc),
    ("-hacc", V::None, OpenAcc), ("-hnoacc", V::None, NoOpenAcc), ("-ta=", V::Joined, DEVICE),
    ("-gpu=", V::Joined, DEVICE), ("-cuda", V::None, DEVICE), ("-cudalib", V::Joined, DEVICE),
    ("-stdpar", V::Joined, DEVICE), ("-target=", V::Joined, DEVICE),
    // nvc, pgcc.
    ("-Minfo", V::Joined, FOREIGN), ("-tp", V::Next, FOREIGN), ("-tp=", V::Joined, FOREIGN),
    ("-fast", V::None, FOREIGN), ("-fastsse", V::None, FOREIGN), ("-K", V::Either, FOREIGN),
    ("-Ma", V::Joined, FOREIGN), ("-Mb", V::Joined, FOREIGN), ("-Mc", V::Joined, FOREIGN),
    ("-Md", V::Joined, FOREIGN), ("-Me", V::Joined, FOREIGN), ("-Mf", V::Joined, FOREIGN),
    ("-Mh", V::Joined, FOREIGN), ("-Mi", V::Joined, FOREIGN), ("-Mk", V::Joined, FOREIGN),
    ("-Ml", V::Joined, FOREIGN), ("-Mm", V::Joined, FOREIGN), ("-Mn", V::Joined, FOREIGN),
    ("-Mo", V::Joined, FOREIGN), ("-Mp", V::Joined, FOREIGN), ("-Mq", V::Joined, FOREIGN),
    ("-Mr", V::Joined, FOREIGN), ("-Ms", V::Joined, FOREIGN), ("-Mt", V::Joined, FOREIGN),
    ("-Mu", V::Joined, FOREIGN), ("-Mv", V::Joined, FOREIGN), ("-Mw", V::Joined, FOREIGN),
    ("-Mx", V::Joined, FOREIGN), ("-Mz", V::Joined, FOREIGN),
    // icx, icc.
    ("-q", V::Joined, FOREIGN), ("-ipo", V::Joined, FOREIGN), ("-ip", V::None, FOREIGN), ("-no-ip", V::None, FOREIGN),
    ("-prec-", V::Joined, FOREIGN), ("-no-prec-", V::Joined, FOREIGN), ("-fp-model", V::Next, FOREIGN),
    ("-fp-model=", V::Joined, FOREIGN), ("-fp-", V::Joined, FOREIGN), ("-mkl", V::Joined, FOREIGN),
    ("-vec", V::Joined, FOREIGN), ("-no-vec", V::Joined, FOREIGN), ("-restrict", V::None, FOREIGN),
    ("-diag-", V::Joined, FOREIGN), ("-ax", V::Joined, FOREIGN), ("-opt-", V::Joined, FOREIGN),
    ("-par-", V::Joined, FOREIGN), ("-parallel", V::None, FOREIGN), ("-no-multibyte-chars", V::None, FOREIGN),
    ("-wd", V::Joined, FOREIGN), ("-we", V::Joined, FOREIGN), ("-simd", V::None, FOREIGN),
    ("-no-ansi-alias", V::None, FOREIGN), ("-ansi-alias", V::None, FOREIGN), ("-unroll", V::Joined, FOREIGN),
    ("-align", V::None, FOREIGN), ("-ftz", V::None, FOREIGN), ("-no-ftz", V::None, FOREIGN),
    ("-inline-", V::Joined, FOREIGN), ("-i-static", V::None, FOREIGN), ("-static-intel", V::None, FOREIGN),
    ("-shared-intel", V::None, FOREIGN), ("-xHost", V::None, FOREIGN), ("-xhost", V::None, FOREIGN),
    ("-fno-alias", V::None, Note("icc's promise that pointers never alias is not taken")),
    ("-fargument-noalias", V::Joined, Note("the promise that arguments never alias is not taken")),
];
