//! Does the report in HTML say what the JSON says, and does a browser show it?
//!
//! The page is opened in headless Chromium, on a wide screen and on a narrow one.

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
    let dom = chromium(&file, &folder.path().join("profile"), width, &["--dump-dom"]);
    let title = dom
        .split("<title>")
        .nth(1)
        .and_then(|rest| rest.split("</title>").next());
    let found = title.and_then(|title| title.strip_prefix("found:"));
    found
        .unwrap_or_else(|| panic!("the script did not run: {dom}"))
        .to_owned()
}

fn chromium(file: &Path, profile: &Path, width: u32, more: &[&str]) -> String {
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
        .arg(format!("--window-size={width},2000"))
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
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let picture = folder.path().join("page.png");
    std::fs::write(&file, &page).unwrap();
    chromium(
        &file,
        &folder.path().join("profile"),
        1300,
        &[&format!("--screenshot={}", picture.display())],
    );
    // An empty page of this size is smaller by far.
    let bytes = std::fs::metadata(&picture).unwrap().len();
    assert!(bytes > 60_000, "{bytes} bytes of picture");
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
