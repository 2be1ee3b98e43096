//! Are the tiles of kernels those that one finds by hand, and by running all threads of a block?
//!
//! The convolution of Juravle's §5.2 with the exact numbers for its table 9.1, products of matrices, stencils, a transposition, kernels with nothing to
//! gain, and reads of which nothing can be said.

use crate::common;

use common::blocks::{Counts, Run};
use common::{Analysed, Setting, in_parallel};
use ferry_analysis::coalescing::Mapping;
use ferry_analysis::loops::LoopIndex;
use ferry_analysis::sharing::{Near, Opportunity, Scheme, Sharing, axis_of, of_kernel, of_kernel_near};
use ferry_analysis::symbols::SymbolKind;
use ferry_analysis::verdict::FunctionFacts;
use ferry_gpu::occupancy::Limit;
use ferry_ir::{FunctionRef, VariableRef};
use ferry_symbolic::{Expr, Integer, Symbol, text};

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
        let mapping = Mapping::of(lanes.collect()).unwrap();
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

/// What is said of the reads of one variable, and with which numbers.
impl Kernel {
    fn of<'a>(&self, found: &'a Sharing, name: &str) -> Vec<&'a Opportunity> {
        let own = found.opportunities.iter();
        own.filter(|one| self.name(one.root) == name).collect()
    }

    fn only<'a>(&self, found: &'a Sharing, name: &str) -> &'a Opportunity {
        let all = self.of(found, name);
        assert_eq!(all.len(), 1, "{name}");
        all[0]
    }

    /// The value with these values of variables.
    fn value(&self, expr: &Expr, values: &[(&str, i128)]) -> i128 {
        let value = |symbol: Symbol| {
            let name = self.name(symbol);
            let found = values.iter().find(|(own, _)| *own == name);
            found.map(|(_, value)| Integer::from(*value))
        };
        let found = expr.evaluate(&value).and_then(|value| value.to_i128());
        found.unwrap_or_else(|| panic!("{}", self.text(expr)))
    }
}

/// Table 9.1 as it should be, `ANSWERS` in hand: the tile is the block's pixels and a frame as wide as the filter needs, for all three colours at once.
#[test]
fn a_convolution_has_its_block_and_a_frame() {
    for source in [CONVOLUTION, CONVOLUTION_OF_BYTES] {
        let kernel = Kernel::new(source, &[0, 1]);
        let found = kernel.sharing(&[16, 16]);
        assert!(found.unknown.is_empty(), "{:?}", found.unknown);
        let image = kernel.only(&found, "image");
        assert_eq!(image.accesses.len(), 3);
        assert_eq!(image.scheme, Scheme::Both);
        assert_eq!(kernel.texts(&image.tile.extents), "fh + BY - 1 x 3*fw + 3*BX - 3");
        assert_eq!(
            kernel.texts(&image.tile.from_first_thread),
            "-floor(fh/2) x -3*floor(fw/2)"
        );
        assert_eq!(
            kernel.texts(&image.tile.start),
            "y - floor(fh/2) x 3*x - 3*floor(fw/2)"
        );
        assert_eq!(kernel.texts(&image.tile.pitches), "3*w");
        // A column less of pixels along x, a row less along y.
        assert_eq!(kernel.text(&image.overlaps[0].bytes), "3*(fw - 1)*fh");
        assert_eq!(kernel.text(&image.overlaps[1].bytes), "3*(fh - 1)*fw");
        assert!(!image.uniform && !image.uncoalesced);
        // Rows of an image of w pixels: the block's and the frame's are in them.
        assert_eq!(image.assumed.len(), 1);
        for (fw, fh, extents) in [
            (3, 3, (18, 54)),
            (5, 3, (18, 60)),
            (1, 1, (16, 48)),
            (4, 7, (22, 57)),
        ] {
            let values = [("fw", fw), ("fh", fh), ("BX", 16), ("BY", 16)];
            let of = |expr: &Expr| kernel.value(expr, &values);
            assert_eq!((of(&image.tile.extents[0]), of(&image.tile.extents[1])), extents);
            assert_eq!(of(&image.tile.bytes()), extents.0 * extents.1);
            assert_eq!(of(&image.tile.bytes_here()), extents.0 * extents.1);
            assert_eq!(of(&image.tile.from_first_thread[1]), -3 * (fw / 2));
            // Three reads of each of the filter's pixels by two rows of threads in each of 8 warps; each row of the tile is loaded once.
            assert_eq!(of(image.requests_now.as_ref().unwrap()), 3 * 16 * fw * fh);
            assert_eq!(of(&image.requests_once), extents.0 * ((extents.1 + 127) / 128));
        }
        let filter = kernel.only(&found, "filter");
        assert!(filter.uniform && filter.overlaps.iter().all(|overlap| overlap.exact));
        for all in [
            &filter.overlaps[0].bytes,
            &filter.overlaps[1].bytes,
            &filter.tile.bytes(),
        ] {
            assert_eq!(kernel.text(all), "4*fw*fh");
        }
        assert_eq!(
            kernel.text(filter.requests_now.as_ref().unwrap()),
            "8*fw*fh",
            "one request of each warp for each element"
        );
        // More is saved on the image.
        assert_eq!(found.opportunities[0].root, image.root);
    }
    // Where tests leave pixels out, threads at the edge share less.
    let exact = |source: &str| {
        let kernel = Kernel::new(source, &[0, 1]);
        let found = kernel.sharing(&[16, 16]);
        kernel.only(&found, "image").overlaps[0].exact
    };
    assert!(exact(CONVOLUTION) && !exact(CONVOLUTION_OF_BYTES));
}

/// With a filter of 3 x 3 pixels all is numbers: 18 rows of 54 bytes, 972 in all, so that not they but the threads limit the blocks.
#[test]
fn a_convolution_with_numbers_says_what_it_costs() {
    let source = CONVOLUTION
        .replace("int fw, int fh, ", "")
        .replace("fw", "3")
        .replace("fh", "3");
    let kernel = Kernel::new(&source, &[0, 1]);
    let found = kernel.sharing(&[16, 16]);
    let image = kernel.only(&found, "image");
    assert_eq!(kernel.texts(&image.tile.extents_here), "18 x 54");
    assert_eq!(kernel.text(&image.tile.bytes_here()), "972");
    assert_eq!(kernel.texts(&image.tile.from_first_thread), "-1 x -3");
    assert_eq!(kernel.text(&image.overlaps[0].bytes), "18");
    assert_eq!(kernel.text(&image.overlaps[1].bytes), "18");
    let occupancy = image.occupancy.unwrap();
    assert_eq!((occupancy.blocks, occupancy.limit), (8, Limit::Threads));
    assert!(image.banks.is_some());
    let filter = kernel.only(&found, "filter");
    assert_eq!(kernel.text(&filter.tile.bytes_here()), "36");
}

#[test]
fn a_product_has_rows_of_one_matrix_and_columns_of_the_other() {
    let kernel = Kernel::new(GEMM, &[0, 1]);
    let found = kernel.sharing(&[16, 16]);
    let (a, b) = (kernel.only(&found, "a"), kernel.only(&found, "b"));
    // A row of A is for all threads of a row of the block; those of the next row want the next one.
    assert_eq!(kernel.text(&a.overlaps[0].bytes), "4*nk");
    assert!(a.overlaps[0].exact && a.overlaps[1].sections.is_none());
    assert_eq!(kernel.texts(&a.tile.extents), "BY x 4*nk");
    assert_eq!(kernel.texts(&a.tile.start), "y x 0");
    assert!(b.overlaps[0].sections.is_none() && b.overlaps[1].exact);
    assert_eq!(kernel.text(&b.overlaps[1].bytes), "4*nk");
    assert_eq!(kernel.texts(&b.tile.extents), "nk x 4*BX");
    assert_eq!(kernel.texts(&b.tile.start), "0 x 4*x");
    // Each warp has two rows of threads: two lines of A, one of B, in each iteration.
    assert_eq!(kernel.text(a.requests_now.as_ref().unwrap()), "16*nk");
    assert_eq!(kernel.text(b.requests_now.as_ref().unwrap()), "8*nk");
    assert_eq!(kernel.value(&a.requests_once, &[("nk", 1024)]), 16 * 32);
    assert_eq!(kernel.value(&b.requests_once, &[("nk", 1024)]), 1024);
    assert_eq!(found.opportunities[0].root, a.root);
    // A whole panel of A with nk = 1024 does not leave room for many blocks.
    let source = GEMM.replace("int nk, ", "").replace("nk", "1024");
    let kernel = Kernel::new(&source, &[0, 1]);
    let found = kernel.sharing(&[16, 16]);
    let occupancy = kernel.only(&found, "a").occupancy.unwrap();
    assert_eq!((occupancy.blocks, occupancy.limit), (3, Limit::SharedMemory));
}

#[test]
fn stencils_have_their_block_and_what_lies_around() {
    let kernel = Kernel::new(LINE, &[0]);
    let found = kernel.sharing(&[128]);
    let a = kernel.only(&found, "a");
    assert_eq!((a.accesses.len(), a.scheme), (3, Scheme::Both));
    assert_eq!(kernel.texts(&a.tile.extents), "4*BX + 8");
    assert_eq!(kernel.texts(&a.tile.from_first_thread), "0");
    assert_eq!(kernel.text(&a.overlaps[0].bytes), "8");
    // Four warps; a[i] and a[i + 1] begin within a line, a[i - 1] at its start.
    assert_eq!(kernel.text(a.requests_now.as_ref().unwrap()), "20");
    assert_eq!(kernel.text(&a.requests_once), "5");

    let kernel = Kernel::new(FIVE_POINTS, &[0, 1]);
    let found = kernel.sharing(&[32, 8]);
    let a = kernel.only(&found, "a");
    assert_eq!(a.accesses.len(), 5);
    assert_eq!(kernel.texts(&a.tile.extents), "BY + 2 x 4*BX + 8");
    assert_eq!(kernel.texts(&a.tile.extents_here), "10 x 136");
    // Neighbouring crosses have two elements in common, the boxes around them six.
    for overlap in &a.overlaps {
        assert!(overlap.exact);
        assert_eq!(kernel.text(&overlap.bytes), "8");
        let around = overlap.sections.as_ref().unwrap();
        let elements: i128 = around
            .iter()
            .map(|one| kernel.value(&one.extent(), &[]))
            .product();
        assert_eq!(elements, 6 * 4);
    }

    let kernel = Kernel::new(SEVEN_POINTS, &[0, 1, 2]);
    let found = kernel.sharing(&[32, 4, 2]);
    let a = kernel.only(&found, "a");
    assert_eq!(a.accesses.len(), 7);
    assert_eq!(kernel.texts(&a.tile.pitches), "8*nj*nk x 8*nk");
    assert_eq!(kernel.texts(&a.tile.extents), "BZ + 2 x BY + 2 x 8*BX + 16");
    assert!(a.overlaps.iter().all(|overlap| overlap.exact));
    assert_eq!(kernel.text(&a.overlaps[2].bytes), "16");
}

/// Threads share nothing, but a tile can be loaded row by row and read column by column; with one word more in each row nobody waits for a bank.
#[test]
fn a_transposition_is_read_in_a_better_order() {
    let kernel = Kernel::new(TRANSPOSITION, &[0, 1]);
    let found = kernel.sharing(&[32, 32]);
    let a = kernel.only(&found, "a");
    assert!(a.uncoalesced && !a.is_shared());
    assert_eq!(kernel.texts(&a.tile.extents), "BX x 4*BY");
    assert_eq!(kernel.text(a.requests_now.as_ref().unwrap()), "min(32*n, 1024)");
    assert_eq!(kernel.text(&a.requests_once), "32");
    assert_eq!(kernel.value(&a.saved().unwrap(), &[("n", 4096)]), 992);
    let banks = a.banks.unwrap();
    assert_eq!((banks.turns, banks.padded), (32, Some((4, 1))));
    assert_eq!(a.occupancy.unwrap().blocks, 2);
}

/// Two reads that are 64 elements apart: whether they are near is for the caller to say; apart from each other, neither gains anything.
#[test]
fn what_is_near_can_be_said() {
    let source = "void kernel(int n, const float *a, float *b) {
        for (int i = 0; i < n; i++) b[i] = a[i] + a[i + 64]; }";
    let kernel = Kernel::new(source, &[0]);
    let found = kernel.sharing(&[128]);
    let a = kernel.only(&found, "a");
    assert_eq!((a.scheme, a.accesses.len()), (Scheme::Pointer, 2));
    assert_eq!(kernel.text(&a.tile.bytes()), "4*BX + 256");
    // Neighbours have nothing in common, threads 64 places apart have.
    assert!(a.is_shared() && a.overlaps[0].bytes.is_zero() && a.overlaps[0].exact);
    assert_eq!(kernel.text(&a.saved().unwrap()), "2");
    let mapping = Mapping::of(vec![LoopIndex(0)]).unwrap();
    let types = &kernel.analysed.units[0].types;
    let values = &kernel.facts().values;
    let near = |bytes: u64| {
        let near = Near { bytes, rows: 1 };
        of_kernel_near(values, types, &mapping, ferry_gpu::builtin(), &[128], near)
    };
    assert_eq!(near(256).opportunities[0].scheme, Scheme::Pointer);
    assert_eq!(near(257).opportunities[0].scheme, Scheme::Both);
}

/// Nothing is copied that the kernel writes.
#[test]
fn what_is_written_is_no_candidate() {
    let source = "void kernel(int n, float *a, float *b) {
        for (int i = 1; i < n; i++) b[i] = a[i - 1] + a[i] + b[i - 1]; }";
    let kernel = Kernel::new(source, &[0]);
    let found = kernel.sharing(&[128]);
    assert!(kernel.of(&found, "b").is_empty());
    assert_eq!(kernel.of(&found, "a").len(), 1);
}

#[test]
fn where_nothing_is_shared_nothing_is_said() {
    let kernel = Kernel::new(SUM, &[0]);
    assert_eq!(kernel.sharing(&[128]), Sharing::default());
}

#[test]
fn what_is_not_known_has_its_reason() {
    let kernel = Kernel::new(GATHER, &[0]);
    let found = kernel.sharing(&[128]);
    assert!(found.opportunities.is_empty());
    let [(number, cause)] = &found.unknown[..] else {
        panic!("{:?}", found.unknown);
    };
    assert_eq!(cause.why, "it depends on a value that each thread loads");
    let access = &kernel.facts().values.accesses[*number];
    assert_eq!(kernel.name(access.root.unwrap()), "a");
    // A pointer that each thread finds in a table.
    let rows = "void kernel(int n, int m, float **a, float *b) {
        for (int i = 0; i < n; i++) { float s = 0; for (int k = 0; k < m; k++) s += a[i][k]; b[i] = s; } }";
    let kernel = Kernel::new(rows, &[0]);
    let found = kernel.sharing(&[128]);
    let why: Vec<&str> = found
        .unknown
        .iter()
        .map(|(_, cause)| cause.why.as_str())
        .collect();
    assert_eq!(why, ["the pointer changes inside the kernel"]);
}

/// What an index of one byte may choose is a table of 256 elements for all threads.
#[test]
fn a_small_table_is_shared_by_all() {
    let kernel = Kernel::new(TABLE, &[0]);
    let found = kernel.sharing(&[128]);
    let table = kernel.only(&found, "table");
    assert!(table.uniform && !table.overlaps[0].exact);
    assert_eq!(kernel.text(&table.tile.bytes()), "1024");
    assert!(table.banks.is_none());
}

/// Two tiles of rows of one matrix, whose distance depends on the block: together they may be any size up to all of it.
#[test]
fn reads_of_one_pointer_may_be_far_apart() {
    let kernel = Kernel::new(SYRK, &[0, 1]);
    let found = kernel.sharing(&[16, 16]);
    let all = kernel.of(&found, "a");
    let schemes: Vec<Scheme> = all.iter().map(|one| one.scheme).collect();
    assert_eq!(schemes, [Scheme::Near, Scheme::Pointer, Scheme::Near]);
    let tiles: Vec<String> = all.iter().map(|one| kernel.texts(&one.tile.extents)).collect();
    assert_eq!(tiles, ["BX x 4*m", "n + max(BY, BX) - 1 x 4*m", "BY x 4*m"]);
    // The columns of threads read different rows, which no warp gets at once.
    assert!(all[0].uncoalesced && !all[2].uncoalesced);
}

/// A program's name and text, the loops of its kernel that run in parallel, and sizes of blocks.
type Runnable = (&'static str, String, Vec<usize>, Vec<Vec<u64>>);

/// Programs that run, with data in variables of the file and sizes that are constants.
fn programs() -> Vec<Runnable> {
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
    let some = "if (filter[fx + fy * FW] <= fx) red += image[py * W * 3 + px];";
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
            "two steps",
            "int a[3 * N], b[N];",
            "for (int i = 0; i < N; i++) { int s = 0; for (int l = 0; l < 2; l++) for (int k = 0; k < 3; k++) s += a[2 * i + 2 * k + 20 * l]; b[i] = s; }",
        ),
        (
            "pairs",
            "int a[3 * N], b[N];",
            "for (int i = 0; i < N; i++) { int s = 0; for (int k = 0; k < 6; k++) s += a[i + 3 * k] + a[i + 3 * k + 1]; b[i] = s; }",
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
    // The judge must not be empty, and most answers are exact.
    assert!(all.blocks > 1_500 && all.exact > 20_000, "{all:?}");
    assert!(
        all.exact > 2 * all.at_most && all.tight > 3 * all.loose,
        "{all:?}"
    );
}

/// Every nest of every test program has an answer, and in no answer is a part that does not fit the others.
#[test]
fn every_nest_of_every_program_is_answered() {
    let results = in_parallel(&common::programs(), |program| {
        let Ok(analysed) = Analysed::new(program, &Setting::plain()) else {
            return (0, 0, 0);
        };
        let mut counts = (0, 0, 0);
        for (key, (facts, index)) in analysed.loops() {
            let inner = facts
                .values
                .loops
                .iter()
                .position(|of| of.parent == Some(index) && of.is_own());
            let inner = inner.map(|number| LoopIndex(number as u32));
            let types = &analysed.units[key.unit as usize].types;
            for lanes in [
                vec![index],
                inner
                    .into_iter()
                    .fold(vec![index], |all, one| [all, vec![one]].concat()),
            ] {
                let mapping = Mapping::of(lanes).unwrap();
                let found = of_kernel(&facts.values, types, &mapping, ferry_gpu::builtin(), &[16, 16]);
                counts.0 += 1;
                counts.1 += found.opportunities.len();
                counts.2 += found.unknown.len();
                for one in &found.opportunities {
                    assert_eq!(one.sections.len(), one.tile.extents.len());
                    assert_eq!(one.tile.pitches.len() + 1, one.tile.extents.len());
                    assert_eq!(one.overlaps.len(), mapping.lanes.len());
                    // No more is shared than a thread touches, where all is numbers.
                    for overlap in &one.overlaps {
                        let all = one
                            .sections
                            .iter()
                            .fold(Expr::one(), |all, one| all.times(&one.extent()));
                        if let (Some(shared), Some(all)) = (overlap.bytes.as_constant(), all.as_constant()) {
                            assert!(shared <= all, "{}: {shared} of {all}", program.name);
                        }
                    }
                }
            }
        }
        counts
    });
    let sum = |of: fn(&(usize, usize, usize)) -> usize| results.iter().map(of).sum::<usize>();
    let (nests, opportunities, unknown) = (sum(|one| one.0), sum(|one| one.1), sum(|one| one.2));
    println!("{nests} nests, {opportunities} opportunities, {unknown} reads that are not known");
    if std::env::var("FERRY_PROGRAMS").is_err() {
        assert!(nests > 500 && opportunities > 100, "{nests}, {opportunities}");
    }
}

/// Red and blue lie apart until green is between them: two that are no box are asked about again when one of them has grown.
#[test]
fn colours_are_one_box_in_every_order() {
    let source = CONVOLUTION.replace("px + 1]", "px + @]");
    let source = source.replace("px + 2]", "px + 1]").replace('@', "2");
    assert_ne!(source, CONVOLUTION);
    let kernel = Kernel::new(&source, &[0, 1]);
    let found = kernel.sharing(&[16, 16]);
    let image = kernel.only(&found, "image");
    assert_eq!(image.accesses.len(), 3);
    assert_eq!(kernel.text(&image.overlaps[0].bytes), "3*(fw - 1)*fh");
    assert!(image.overlaps.iter().all(|overlap| overlap.exact));
}

/// Two reads in the same loops, of which only one is made by every thread.
#[test]
fn a_condition_is_that_of_its_access() {
    const SOME: &str = "
void kernel(int n, const float *a, const float *b, float *c) {
    for (int i = 1; i < n; i++) {
        float sum = b[i - 1] + b[i];
        if (b[i] > 0)
            sum += a[i - 1] + a[i];
        c[i] = sum;
    }
}
";
    let kernel = Kernel::new(SOME, &[0]);
    let found = kernel.sharing(&[128]);
    let exact = |name: &str| kernel.only(&found, name).overlaps[0].exact;
    assert!(exact("b") && !exact("a"));
}
