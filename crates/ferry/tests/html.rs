//! Does the report in HTML say what the JSON says, and does a browser show it?
//!
//! The page is opened in headless Chromium, on a wide screen and on a narrow one, and its picture is looked at where the browser says that things are.

use crate::common;

use common::{ferry, status, stderr, stdout, valid_json, with};
use std::path::Path;
use std::process::Command;

const TEXT: &str = "#define N 1024
float a[N * N], b[N * N], c[N * N];
struct pair { float one, two; } pairs[N];
void multiply(void)
{
    #pragma omp target teams distribute parallel for map(to: a, b) map(from: c)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i*N+k] * b[k*N+j];
            c[i*N+j] = sum;
        }
}
void members(int n, float *out) /* <script>alert('not run')</script> & more */
{
    for (int i = 0; i < N; i++)
        out[i] = pairs[i].one;
    for (int i = 1; i < n; i++)
        out[i] += out[i - 1];
}
";

fn page(text: &str) -> String {
    let folder = with(text);
    let path = folder.path().join("a.c");
    let output = ferry(["report", "--format", "html", path.to_str().unwrap()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    stdout(&output)
}

/// What a script finds in the page, as the browser lays it out in a window of this width.
fn in_browser(page: &str, width: u32, script: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let asked = format!("<script>document.title = 'found:' + ({script})</script></body>");
    std::fs::write(&file, page.replace("</body>", &asked)).unwrap();
    let size = (width, 2_000);
    let dom = chromium(&file, &folder.path().join("profile"), size, &["--dump-dom"]);
    let title = dom
        .split("<title>")
        .nth(1)
        .and_then(|rest| rest.split("</title>").next());
    let found = title.and_then(|title| title.strip_prefix("found:"));
    found
        .unwrap_or_else(|| panic!("the script did not run: {dom}"))
        .to_owned()
}

fn chromium(file: &Path, profile: &Path, (width, height): (u32, u32), more: &[&str]) -> String {
    let output = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-sync",
        ])
        .args(["--disable-background-networking", "--disable-component-update"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--window-size={width},{height}"))
        .args(more)
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("chromium is installed by ./dev setup");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_browser_shows_what_the_json_says() {
    let folder = with(TEXT);
    let path = folder.path().join("a.c");
    let output = ferry(["report", "--format", "json", path.to_str().unwrap()]);
    let report = valid_json(&stdout(&output));
    let loops = report["loops"].as_array().unwrap();
    let kernels: Vec<_> = loops.iter().filter(|one| !one["kernel"].is_null()).collect();
    let accesses: usize = kernels
        .iter()
        .map(|one| one["kernel"]["accesses"].as_array().unwrap().len())
        .sum();
    assert!(kernels.len() == 2 && accesses >= 5, "{report}");
    let page = page(TEXT);
    let count = |selector: &str| {
        in_browser(
            &page,
            1300,
            &format!("document.querySelectorAll('{selector}').length"),
        )
        .parse::<usize>()
        .unwrap()
    };
    assert_eq!(count(".source tr"), TEXT.lines().count());
    assert_eq!(count(".badge"), loops.len());
    assert_eq!(count("section.kernel"), kernels.len());
    assert_eq!(count(".source .cost"), accesses);
    assert!(count("figure svg") >= 3);
    // What the source says is text, whatever it looks like.
    assert_eq!(count("script"), 1, "the one that asks");
    let advice = in_browser(&page, 1300, "document.querySelector('.advice').textContent");
    assert!(advice.contains("the loops over i, j together: 1/"), "{advice}");
    let margin = in_browser(
        &page,
        1300,
        "[...document.querySelectorAll('#line-11 .requests .cost')].map(x => x.textContent).join()",
    );
    assert_eq!(margin, "r 32,r 1");
}

/// Before a change, threads may be as far apart as a size that is not known: they are drawn with the formula. After it they are neighbours.
#[test]
fn a_symbolic_stride_is_drawn_with_its_formula() {
    let page = page(
        "void f(int n, float *restrict a)
{
    #pragma omp target teams distribute parallel for map(tofrom: a[0:n * n])
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i*n+j] += 1;
}
",
    );
    let figures = in_browser(
        &page,
        1300,
        "[...document.querySelectorAll('figure')].map(x => x.querySelectorAll('.taken').length + ' ' + x.querySelector('figcaption').textContent \
         + (x.querySelector('text') ? ', ' + x.querySelector('text').textContent : '')).join('|')",
    );
    assert_eq!(
        figures,
        "32 a[i*n+j] and 1 more: 4*n bytes from thread to thread, lines min(n, 32), 4*n bytes from each thread to the next, how many is not known\
         |4 a[i*n+j] and 1 more: 4 bytes from thread to thread, lines 1"
    );
}

/// Nothing is wider than the window, and nothing is asked of the network.
#[test]
fn the_page_is_one_file_that_fits() {
    let page = page(TEXT);
    assert!(
        !page.contains("http") && !page.contains("src="),
        "the page needs another file"
    );
    for width in [1300, 500] {
        let fits = in_browser(&page, width, "document.documentElement.scrollWidth <= innerWidth");
        assert_eq!(fits, "true", "in a window of {width} pixels");
    }
}

/// A filter over a picture, whose tile is all numbers, and the product of matrices.
const DRAWN: &str = "enum { W = 4096, FILTER = 3 };
float a[1024 * 1024], b[1024 * 1024], c[1024 * 1024];
void convolve(int h, const unsigned char *restrict in, const int *restrict filter, unsigned char *restrict out)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < W; x++) {
            int sum = 0;
            for (int fy = 0; fy < FILTER; fy++)
                for (int fx = 0; fx < FILTER; fx++) {
                    int py = y + fy - FILTER / 2, px = x + fx - FILTER / 2;
                    int off = px < 0 || px >= W || py < 0 || py >= h;
                    sum += off ? 0 : in[(py * W + px) * 3] * filter[fx + fy * FILTER];
                }
            out[(y * W + x) * 3] = sum;
        }
}
void multiply(void)
{
    #pragma omp target teams distribute parallel for map(to: a, b) map(tofrom: c)
    for (int i = 0; i < 1024; i++)
        for (int j = 0; j < 1024; j++)
            for (int k = 0; k < 1024; k++)
                c[i*1024+j] += a[i*1024+k] * b[k*1024+j];
}
void chain(int n, float *x)
{
    for (int i = 1; i < n; i++)
        x[i] += x[i - 1];
}
";

/// One thing on the page: what it is, and where.
struct Seen {
    what: String,
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
}

impl Seen {
    fn overlaps(&self, other: &Seen) -> bool {
        self.left < other.right - 0.5
            && other.left < self.right - 0.5
            && self.top < other.bottom - 0.5
            && other.top < self.bottom - 0.5
    }
}

/// The things that a selector finds, as the browser lays them out.
fn seen(page: &str, selector: &str) -> Vec<Seen> {
    let script = format!(
        "[...document.querySelectorAll('{selector}')].map(x => {{ const r = x.getBoundingClientRect(); return [x.getAttribute('class') + ' ' + (x.getAttribute('viewBox') || ''), \
         r.left + scrollX, r.top + scrollY, r.right + scrollX, r.bottom + scrollY].join(';') }}).join('|')"
    );
    let found = in_browser(page, 1300, &script);
    let one = |text: &str| {
        let parts: Vec<&str> = text.split(';').collect();
        let number = |place: usize| parts[place].parse().unwrap();
        Seen {
            what: parts[0].trim().to_owned(),
            left: number(1),
            top: number(2),
            right: number(3),
            bottom: number(4),
        }
    };
    found
        .split('|')
        .filter(|text| !text.is_empty())
        .map(one)
        .collect()
}

/// Badges, costs, drawings and tiles have room of their own, and none lies over the source or a table.
#[test]
fn nothing_lies_over_anything_else() {
    let page = page(DRAWN);
    let tiles = seen(&page, "svg.tile");
    let to_scale: Vec<&str> = tiles.iter().map(|one| one.what.as_str()).collect();
    assert!(to_scale.contains(&"tile 0 0 52 18"), "{to_scale:?}");
    let tile = tiles.iter().find(|one| one.what == "tile 0 0 52 18").unwrap();
    let all = seen(
        &page,
        ".badge, .source .cost, .source .line, .source .code, figure svg, figcaption, svg.tile, .share p, .kernel table, h2, h3, h4, .advice, summary",
    );
    let many = |what: &str| all.iter().filter(|one| one.what.starts_with(what)).count();
    assert!(
        many("badge") >= 7 && many("cost") >= 5 && many("tile") >= 2,
        "{}",
        all.len()
    );
    for (place, one) in all.iter().enumerate() {
        // Empty cells of the source have a height only.
        let size = (one.right - one.left, one.bottom - one.top);
        assert!(size.0 >= 1.0 && size.1 >= 5.0, "{} is {size:?}", one.what);
        for other in &all[place + 1..] {
            assert!(
                !one.overlaps(other),
                "{} at {}, {} lies over {} at {}, {}",
                one.what,
                one.left,
                one.top,
                other.what,
                other.left,
                other.top
            );
        }
    }
    // Threads are squares of a few pixels: three bytes and one row each.
    let (wide, high) = (tile.right - tile.left, tile.bottom - tile.top);
    let cell = (wide / 52.0 * 3.0, high / 18.0);
    assert!(cell.0 >= 3.0 && (cell.0 - cell.1).abs() < 0.5, "{cell:?}");
}

/// Bytes as text that a page can hold.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let of_three = |three: &[u8]| {
        let all = three.iter().fold(0u32, |all, byte| all << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        let digit = |place: usize| match place <= three.len() {
            true => char::from(DIGITS[(all >> (18 - 6 * place)) as usize & 63]),
            false => '=',
        };
        [0, 1, 2, 3].map(digit)
    };
    bytes.chunks(3).flat_map(of_three).collect()
}

/// In the picture of the page, too, what is to be seen has the colours that it should have, and the paper around it has none.
#[test]
fn the_picture_shows_what_the_page_holds() {
    assert_eq!(
        [&b"a"[..], b"ab", b"abc", b"abcd"].map(base64),
        ["YQ==", "YWI=", "YWJj", "YWJjZA=="]
    );
    let page = page(DRAWN);
    let things = [
        ".badge.parallel",
        ".badge.sequential",
        ".source .cost.strided",
        ".source .cost.uniform",
        "figure svg",
        "svg.tile",
        ".advice",
    ];
    let boxes: Vec<Seen> = things
        .iter()
        .map(|selector| {
            seen(&page, selector)
                .into_iter()
                .next()
                .unwrap_or_else(|| panic!("there is no {selector}"))
        })
        .collect();
    let height: u32 = in_browser(&page, 1300, "document.documentElement.scrollHeight")
        .parse()
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let picture = folder.path().join("page.png");
    std::fs::write(&file, &page).unwrap();
    // The window has a frame.
    chromium(
        &file,
        &folder.path().join("profile"),
        (1300, height + 200),
        &[&format!("--screenshot={}", picture.display())],
    );
    // The share of the pixels of each box that are near a colour: green, red, the tint of what is taken, paper.
    let wanted: Vec<String> = boxes
        .iter()
        .map(|one| {
            let (left, top) = (one.left.ceil(), one.top.ceil());
            format!(
                "[{left},{top},{},{}]",
                one.right.floor() - left,
                one.bottom.floor() - top
            )
        })
        .collect();
    let script = format!(
        "<!DOCTYPE html><html><head><title>waiting</title></head><body><img id=\"picture\" src=\"data:image/png;base64,{}\"><script>onload = () => {{
            const image = document.getElementById('picture');
            const canvas = document.createElement('canvas');
            canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
            const context = canvas.getContext('2d');
            context.drawImage(image, 0, 0);
            const colours = [[26, 127, 55], [196, 50, 10], [242, 210, 201], [255, 255, 255]];
            document.title = 'found:' + [{}].map(([x, y, w, h]) => {{
                const data = context.getImageData(x, y, w, h).data;
                return colours.map(colour => {{
                    let near = 0;
                    for (let at = 0; at < data.length; at += 4)
                        if (colour.every((value, place) => Math.abs(data[at + place] - value) < 24)) near++;
                    return near * 4 / data.length;
                }}).join(',');
            }}).join('|');
        }}</script></body></html>",
        base64(&std::fs::read(&picture).unwrap()),
        wanted.join(",")
    );
    let file = folder.path().join("look.html");
    std::fs::write(&file, script).unwrap();
    let dom = chromium(
        &file,
        &folder.path().join("other"),
        (1300, 2_000),
        &["--dump-dom", "--virtual-time-budget=10000"],
    );
    let found = dom
        .split("<title>found:")
        .nth(1)
        .and_then(|rest| rest.split("</title>").next())
        .unwrap_or_else(|| panic!("the picture was not looked at"));
    let shares: Vec<Vec<f64>> = found
        .split('|')
        .map(|one| one.split(',').map(|share| share.parse().unwrap()).collect())
        .collect();
    let share = |thing: &str, colour: usize| {
        let place = things.iter().position(|one| *one == thing).unwrap();
        shares[place][colour]
    };
    let (green, red, taken, paper) = (0, 1, 2, 3);
    for (thing, colour, least) in [
        (".badge.parallel", green, 0.05),
        (".badge.sequential", red, 0.05),
        (".source .cost.strided", red, 0.05),
        (".source .cost.uniform", green, 0.05),
        ("figure svg", taken, 0.02),
        ("svg.tile", taken, 0.05),
        (".badge.parallel", paper, 0.3),
        ("figure svg", paper, 0.3),
    ] {
        assert!(
            share(thing, colour) >= least,
            "{thing}, colour {colour}: {} ({found})",
            share(thing, colour)
        );
    }
    assert!(
        share(".badge.parallel", red) < 0.01 && share(".badge.sequential", green) < 0.01,
        "{found}"
    );
    // What is tinted is not paper.
    assert!(
        share(".advice", paper) < 1.0 && share("svg.tile", paper) < 0.9,
        "{found}"
    );
}

#[test]
fn files_without_loops_and_with_errors_have_pages() {
    assert!(page("int x;\n").contains("0 loops"));
    let folder = with("int f( {");
    let output = ferry([
        "report",
        "--format",
        "html",
        folder.path().join("a.c").to_str().unwrap(),
    ]);
    assert_eq!(status(&output), 2);
    assert!(stdout(&output).contains("</html>"));
}
