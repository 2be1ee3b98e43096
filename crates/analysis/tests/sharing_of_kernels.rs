//! Are the tiles of kernels those that one finds by hand, and by running all threads of a block?
//!
//! The convolution of Juravle's §5.2 with the exact numbers for its table 9.1, products of matrices, stencils, a transposition, kernels with nothing to
//! gain, and reads of which nothing can be said.

mod common;

use common::Analysed;
use common::blocks::{Counts, Run};
use ferry_analysis::coalescing::Mapping;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::sharing::{Opportunity, Scheme, Sharing, axis_of, of_kernel};
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::FunctionFacts;
use ferry_gpu::occupancy::Limit;
use ferry_ir::{FunctionRef, VariableRef};
use ferry_symbolic::{Expr, Symbol, text};

/// One function of a text, and what is said of it.
struct Kernel {
    analysed: Analysed,
    function: FunctionRef,
    lanes: Vec<usize>,
}

impl Kernel {
    /// The loops with these numbers, in text order, run in parallel.
    fn new(source: &str, lanes: &[usize]) -> Kernel {
        let analysed = Analysed::of_text(source.to_owned()).unwrap();
        let function = analysed.units[0]
            .functions()
            .find(|(_, function)| function.name == "kernel")
            .unwrap()
            .0;
        Kernel {
            analysed,
            function,
            lanes: lanes.to_vec(),
        }
    }

    fn facts(&self) -> &FunctionFacts {
        &self.analysed.facts[&(0, self.function)]
    }

    fn sharing(&self, block: &[u64]) -> Sharing {
        let lanes = self.lanes.iter().map(|number| LoopIndex(*number as u32));
        let mapping = Mapping::of(lanes.collect());
        let types = &self.analysed.units[0].types;
        of_kernel(&self.facts().values, types, &mapping, ferry_gpu::builtin(), block)
    }

    fn name(&self, symbol: Symbol) -> String {
        if let Some(axis) = axis_of(symbol) {
            return ["BX", "BY", "BZ"][axis].into();
        }
        let values = &self.facts().values;
        let counters = self.lanes.iter().rev().zip(["x", "y", "z"]);
        for (number, name) in counters {
            if values.loops[*number].counter == symbol {
                return name.into();
            }
        }
        match &values.symbols.info(symbol).kind {
            SymbolKind::Entry(variable) | SymbolKind::Address(variable) => match variable {
                VariableRef::Local(local) => {
                    let function = self.analysed.units[0].function(self.function);
                    function.local(*local).name.clone()
                }
                VariableRef::Global(global) => self.analysed.units[0].global(*global).name.clone(),
            },
            SymbolKind::Named { name, .. } => name.clone(),
            _ => format!("v{}", symbol.0),
        }
    }

    fn text(&self, expr: &Expr) -> String {
        text(expr, &|symbol| self.name(symbol))
    }

    fn texts(&self, all: &[Expr]) -> String {
        let all: Vec<String> = all.iter().map(|one| self.text(one)).collect();
        all.join(" x ")
    }

    fn describe(&self, one: &Opportunity) -> String {
        let mut out = format!(
            "{} {:?} {} reads, thread",
            self.name(one.root),
            one.scheme,
            one.accesses.len()
        );
        for section in &one.sections {
            out += &format!(" [{}, {})", self.text(&section.low), self.text(&section.high));
        }
        for overlap in &one.overlaps {
            out += &format!(
                "\n  axis {}: {} bytes {}",
                overlap.axis,
                self.text(&overlap.bytes),
                if overlap.exact { "exact" } else { "at most" }
            );
        }
        out += &format!(
            "\n  tile {} from {} (pitches {}) here {} = {} bytes",
            self.texts(&one.tile.extents),
            self.texts(&one.tile.from_first_thread),
            self.texts(&one.tile.pitches),
            self.texts(&one.tile.extents_here),
            self.text(&one.tile.bytes_here())
        );
        let now = one.requests_now.as_ref().map(|now| self.text(now));
        out += &format!(
            "\n  requests {:?} -> {} rank {:?}; {:?} {:?} uniform {} uncoalesced {} assumed {}",
            now,
            self.text(&one.requests_once),
            one.rank,
            one.occupancy,
            one.banks,
            one.uniform,
            one.uncoalesced,
            one.assumed.len()
        );
        out
    }

    fn print(&self, block: &[u64]) {
        let found = self.sharing(block);
        for one in &found.opportunities {
            println!("{}", self.describe(one));
        }
        for (number, cause) in &found.unknown {
            println!("unknown {number}: {}", cause.why);
        }
    }
}

/// §5.2, with x in pixels.
const CONVOLUTION: &str = "
void kernel(int w, int h, int fw, int fh, const unsigned char *image, const int *filter, unsigned char *out) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int red = 0, green = 0, blue = 0;
            for (int fy = 0; fy < fh; fy++) {
                int py = y + fy - fh / 2;
                for (int fx = 0; fx < fw; fx++) {
                    int px = 3 * (x + fx - fw / 2);
                    int coefficient = filter[fx + fy * fw];
                    red += image[py * w * 3 + px] * coefficient;
                    green += image[py * w * 3 + px + 1] * coefficient;
                    blue += image[py * w * 3 + px + 2] * coefficient;
                }
            }
            out[(y * w + x) * 3] = red;
            out[(y * w + x) * 3 + 1] = green;
            out[(y * w + x) * 3 + 2] = blue;
        }
}
";

/// The same as it is printed, with x in bytes and a pointer to each row.
const CONVOLUTION_OF_BYTES: &str = "
void kernel(int w, int h, int fw, int fh, const unsigned char *image, const int *filter, unsigned char *out) {
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w * 3; x += 3) {
            unsigned char *out_row = &out[y * w * 3];
            int red = 0, green = 0, blue = 0;
            for (int fy = 0; fy < fh; fy++) {
                int py = y + fy - fh / 2;
                const unsigned char *in_row = &image[py * w * 3];
                for (int fx = 0; fx < fw; fx++) {
                    int px = x + 3 * (fx - fw / 2);
                    int coefficient = filter[fx + fy * fw];
                    int off = px < 0 || px >= w * 3 || py < 0 || py >= h;
                    red += off ? 0 : in_row[px + 0] * coefficient;
                    green += off ? 0 : in_row[px + 1] * coefficient;
                    blue += off ? 0 : in_row[px + 2] * coefficient;
                }
            }
            out_row[x + 0] = red;
            out_row[x + 1] = green;
            out_row[x + 2] = blue;
        }
}
";

const GEMM: &str = "
void kernel(int ni, int nj, int nk, const float *a, const float *b, float *c) {
    for (int i = 0; i < ni; i++)
        for (int j = 0; j < nj; j++) {
            float sum = 0;
            for (int k = 0; k < nk; k++)
                sum += a[i * nk + k] * b[k * nj + j];
            c[i * nj + j] = sum;
        }
}
";

const LINE: &str = "
void kernel(int n, const float *a, float *b) {
    for (int i = 1; i < n - 1; i++)
        b[i] = a[i - 1] + a[i] + a[i + 1];
}
";

const FIVE_POINTS: &str = "
#define N 1000
#define M 1024
int a[N][M], b[N][M];
void kernel(void) {
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++)
            b[i][j] = a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
}
";

const SEVEN_POINTS: &str = "
void kernel(int ni, int nj, int nk, const double *a, double *b) {
    for (int i = 1; i < ni - 1; i++)
        for (int j = 1; j < nj - 1; j++)
            for (int k = 1; k < nk - 1; k++)
                b[(i * nj + j) * nk + k] = a[(i * nj + j) * nk + k]
                    + a[((i - 1) * nj + j) * nk + k] + a[((i + 1) * nj + j) * nk + k]
                    + a[(i * nj + j - 1) * nk + k] + a[(i * nj + j + 1) * nk + k]
                    + a[(i * nj + j) * nk + k - 1] + a[(i * nj + j) * nk + k + 1];
}
";

const TRANSPOSITION: &str = "
void kernel(int n, const float *a, float *b) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i * n + j] = a[j * n + i];
}
";

const SUM: &str = "
void kernel(int n, const float *a, const float *b, float *c) {
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i] + c[i];
}
";

const GATHER: &str = "
void kernel(int n, const int *at, const float *a, float *b) {
    for (int i = 0; i < n; i++)
        b[i] = a[at[i]];
}
";

const TABLE: &str = "
void kernel(int n, const unsigned char *at, const float *table, float *b) {
    for (int i = 0; i < n; i++)
        b[i] = table[at[i]];
}
";

const SYRK: &str = "
void kernel(int n, int m, const float *a, float *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < m; k++)
                sum += a[i * m + k] * a[j * m + k];
            c[i * n + j] = sum;
        }
}
";

#[test]
fn print_all() {
    for (name, source, lanes, block) in [
        ("conv", CONVOLUTION, &[0usize, 1][..], &[16u64, 16][..]),
        ("conv bytes", CONVOLUTION_OF_BYTES, &[0, 1], &[16, 16]),
        ("gemm", GEMM, &[0, 1], &[16, 16]),
        ("line", LINE, &[0], &[128]),
        ("five", FIVE_POINTS, &[0, 1], &[32, 8]),
        ("seven", SEVEN_POINTS, &[0, 1, 2], &[32, 4, 2]),
        ("transposition", TRANSPOSITION, &[0, 1], &[32, 32]),
        ("sum", SUM, &[0], &[128]),
        ("gather", GATHER, &[0], &[128]),
        ("table", TABLE, &[0], &[128]),
        ("syrk", SYRK, &[0, 1], &[16, 16]),
    ] {
        println!("== {name}");
        Kernel::new(source, lanes).print(block);
    }
}

/// Programs that run, with data in variables of the file and sizes that are constants.
fn programs() -> Vec<(&'static str, String, Vec<usize>, Vec<Vec<u64>>)> {
    let plane = || vec![vec![4, 4], vec![3, 2], vec![8, 1], vec![1, 5], vec![16, 16]];
    let line = || vec![vec![4], vec![7], vec![64]];
    let program = |sizes: &str, data: &str, body: &str| {
        format!(
            "{sizes}\n{data}\nvoid kernel(void) {{\n{body}\n}}\nint main(void) {{ kernel(); return 0; }}\n"
        )
    };
    // An image with a frame as wide as the filter needs.
    let convolution = |image: &str| {
        format!(
            "for (int y = FH / 2; y < H - FH / 2; y++)
                for (int x = FW / 2; x < W - FW / 2; x++) {{
                    int red = 0, green = 0, blue = 0;
                    for (int fy = 0; fy < FH; fy++)
                        for (int fx = 0; fx < FW; fx++) {{
                            int px = 3 * (x + fx - FW / 2), py = y + fy - FH / 2;
                            {image}
                        }}
                    out[(y * W + x) * 3] = red + green + blue;
                }}"
        )
    };
    let sizes = "#define W 24\n#define H 17\n#define FW 5\n#define FH 3";
    let data = "unsigned char image[W * H * 3], out[W * H * 3]; int filter[FW * FH];";
    let colours = "int c = filter[fx + fy * FW]; red += image[py * W * 3 + px] * c;
        green += image[py * W * 3 + px + 1] * c; blue += image[py * W * 3 + px + 2] * c;";
    let red = "red += image[py * W * 3 + px];";
    let ends = "blue += image[py * W * 3 + px] + image[py * W * 3 + px + 2];";
    let some = "if (filter[fx + fy * FW] > fx) red += image[py * W * 3 + px];";
    let mut all = Vec::new();
    for (name, text) in [("colours", colours), ("red", red), ("ends", ends), ("some", some)] {
        all.push((
            name,
            program(sizes, data, &convolution(text)),
            vec![0, 1],
            plane(),
        ));
    }
    all.push((
        "bytes",
        program(
            sizes,
            data,
            "for (int y = 0; y < H; y++)
                for (int x = 0; x < W * 3; x += 3) {
                    int red = 0, green = 0;
                    for (int fy = 0; fy < FH; fy++) {
                        int py = y + fy - FH / 2;
                        unsigned char *row = &image[py * W * 3];
                        for (int fx = 0; fx < FW; fx++) {
                            int px = x + 3 * (fx - FW / 2);
                            int off = px < 0 || px >= W * 3 || py < 0 || py >= H;
                            red += off ? 0 : image[py * W * 3 + px];
                            green += off ? 0 : image[py * W * 3 + px + 1];
                        }
                    }
                    out[y * W * 3 + x] = red + green;
                }",
        ),
        vec![0, 1],
        plane(),
    ));
    let product = "#define NI 9\n#define NJ 13\n#define NK 10";
    let matrices = "float a[NI * NK], b[NK * NJ], c[NI * NJ];";
    let text = "for (int i = 0; i < NI; i++) for (int j = 0; j < NJ; j++) { float sum = 0;
        for (int k = 0; k < NK; k++) sum += a[i * NK + k] * b[k * NJ + j]; c[i * NJ + j] = sum; }";
    all.push(("product", program(product, matrices, text), vec![0, 1], plane()));
    // The other way round, and with three loops in parallel.
    let text = "for (int j = 0; j < NJ; j++) for (int i = 0; i < NI; i++) { float sum = 0;
        for (int k = 0; k < NK; k++) sum += a[i * NK + k] * b[k * NJ + j]; c[i * NJ + j] = sum; }";
    all.push((
        "interchanged",
        program(product, matrices, text),
        vec![0, 1],
        plane(),
    ));
    let text = "for (int i = 0; i < NI; i++) for (int j = 0; j < NJ; j++) for (int k = 0; k < NK; k++)
        d[(i * NJ + j) * NK + k] = a[i * NK + k] * b[k * NJ + j];";
    let deep = "float a[NI * NK], b[NK * NJ], d[NI * NJ * NK];";
    let space = || vec![vec![4, 2, 2], vec![3, 3, 1], vec![2, 4, 8]];
    all.push(("products", program(product, deep, text), vec![0, 1, 2], space()));
    let text = "for (int i = 1; i < NI - 1; i++) for (int j = 1; j < NJ - 1; j++)
        q[i][j] = p[i][j] + p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1];";
    let planes = "int p[NI][NJ], q[NI][NJ];";
    all.push(("five points", program(product, planes, text), vec![0, 1], plane()));
    let text = "for (int i = 1; i < NI - 1; i++) for (int j = 2; j < NJ - 2; j++)
        q[i][j] = p[i][j] + p[i - 1][j - 2] + p[i + 1][j + 1];";
    all.push(("skew", program(product, planes, text), vec![0, 1], plane()));
    let text = "for (int i = 1; i < 8; i++) for (int j = 1; j < 12; j++)
        q[i][j] = p[i][j] + p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1];";
    let numbers = "int p[9][64], q[9][64];";
    all.push(("numbers", program("", numbers, text), vec![0, 1], plane()));
    let text = "for (int i = 1; i < NI - 1; i++) for (int j = 1; j < NJ - 1; j++) for (int k = 1; k < NK - 1; k++)
        q[(i * NJ + j) * NK + k] = p[(i * NJ + j) * NK + k] + p[((i - 1) * NJ + j) * NK + k] + p[((i + 1) * NJ + j) * NK + k]
            + p[(i * NJ + j - 1) * NK + k] + p[(i * NJ + j + 1) * NK + k] + p[(i * NJ + j) * NK + k - 1] + p[(i * NJ + j) * NK + k + 1];";
    let spaces = "double p[NI * NJ * NK], q[NI * NJ * NK];";
    all.push((
        "seven points",
        program(product, spaces, text),
        vec![0, 1, 2],
        space(),
    ));
    let line_of = |data: &str, body: &str| program("#define N 80", data, body);
    for (name, data, body) in [
        (
            "line",
            "short a[N], b[N];",
            "for (int i = 1; i < N - 1; i++) b[i] = a[i - 1] + a[i] + a[i + 1];",
        ),
        (
            "backwards",
            "int a[N], b[N];",
            "for (int i = 1; i < N - 1; i++) b[i] = a[N - 1 - i] + a[N - i];",
        ),
        (
            "window",
            "int a[3 * N], b[N];",
            "for (int i = 0; i < N; i++) { int s = 0; for (int k = 0; k < 5; k++) s += a[2 * i + k]; b[i] = s; }",
        ),
        (
            "hops",
            "int a[6 * N], b[N];",
            "for (int i = 0; i < N; i++) { int s = 0; for (int k = 0; k < 4; k++) s += a[2 * i + 4 * k]; b[i] = s; }",
        ),
        (
            "triangle",
            "int a[N], b[N];",
            "for (int i = 0; i < N; i++) { int s = 0; for (int k = 0; k <= i; k++) s += a[k]; b[i] = s; }",
        ),
        (
            "trapezium",
            "int a[3 * N], b[N];",
            "for (int i = 0; i < N; i++) { int s = 0; for (int k = i; k < 2 * i + 3; k++) s += a[k]; b[i] = s; }",
        ),
        (
            "square",
            "int a[N * N], b[N];",
            "for (int i = 0; i < N; i++) b[i] = a[i * i] + a[i * i + 1 - 1];",
        ),
        (
            "members",
            "struct { int x, y, z; } a[N]; int b[N];",
            "for (int i = 1; i < N; i++) b[i] = a[i].x + a[i - 1].z;",
        ),
        (
            "table",
            "unsigned char at[N]; int table[256], b[N];",
            "for (int i = 0; i < N; i++) b[i] = table[at[i]];",
        ),
        (
            "remainders",
            "int a[16], b[N];",
            "for (int i = 0; i < N; i++) b[i] = a[i % 16];",
        ),
        (
            "early",
            "int a[2 * N], b[N];",
            "for (int i = 0; i < N; i++) { int s = 0; for (int k = 0; k < 8; k++) { if (a[i + k] > 3) break; s += a[i + k]; } b[i] = s; }",
        ),
    ] {
        all.push((name, line_of(data, body), vec![0], line()));
    }
    all
}

#[test]
fn blocks_touch_what_is_said() {
    let mut all = Counts::default();
    for (name, source, lanes, blocks) in programs() {
        let kernel = Kernel::new(&source, &lanes);
        let run = Run::new(&kernel.analysed, kernel.function, &lanes);
        let mut counts = Counts::default();
        for block in blocks {
            counts += run.judge(ferry_gpu::builtin(), &block);
        }
        println!("{name}: {counts:?}");
        all += counts;
    }
    println!("{all:#?}");
}
