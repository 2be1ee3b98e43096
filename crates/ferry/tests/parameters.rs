//! What goes into a kernel and comes out of it: Juravle's matrix addition (§4.2) and convolution (§9), with the exact answers.

use crate::common;

use common::{ferry, programs_folder, status, stdout};
use serde_json::{Value, json};

/// The parameters of the first loop of a function.
fn parameters(file: &str, function: &str) -> Value {
    let path = programs_folder().join(file).display().to_string();
    let output = ferry(["report", "--format", "json", &path]);
    assert_eq!(status(&output), 0);
    let report = common::valid_json(&stdout(&output));
    let loops = report["loops"].as_array().unwrap();
    let first = loops.iter().find(|one| one["function"] == function).unwrap();
    first["parameters"].clone()
}

/// Of each object: its way, its section, and its bytes.
fn objects(list: &Value) -> Vec<(String, String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("unknown").to_owned();
    let list = list.as_array().unwrap().iter();
    list.map(|one| {
        let (low, high) = (text(&one["bytes"][0]), text(&one["bytes"][1]));
        (text(&one["object"]), text(&one["section"]), low, high)
    })
    .collect()
}

fn object(way: &str, section: &str, low: &str, high: &str) -> (String, String, String, String) {
    (
        way.to_owned(),
        section.to_owned(),
        low.to_owned(),
        high.to_owned(),
    )
}

#[test]
fn matrix_addition_has_a_nested_outbound_object() {
    let found = parameters("nested/matrix_add.c", "kernel_add");
    assert_eq!(
        objects(&found["inbound"]),
        [
            object("a", "a[0:n * n]", "0", "4 * n * n"),
            object("b", "b[0:n * n]", "0", "4 * n * n"),
            object("c", "c[0:1]", "0", "8"),
        ]
    );
    // The size of the matrix is not used.
    assert_eq!(found["inbound"][2]["members"], json!(["c->data"]));
    assert_eq!(found["outbound"], json!([]));
    assert_eq!(found["nested_inbound"], json!([]));
    assert_eq!(
        objects(&found["nested_outbound"]),
        [object("c->data", "c->data[0:n * n]", "0", "4 * n * n")]
    );
    assert_eq!(found["nested_outbound"][0]["exact"], true);
    assert_eq!(found["scalars"], json!(["n"]));
    assert_eq!(found["results"], json!([]));
}

/// Not `[-3/2 f_h w - …]`: the condition on the border bounds the pixels that are read.
#[test]
fn convolution_reads_the_image_and_nothing_around_it() {
    let found = parameters("nested/convolution.c", "kernel_sums");
    let members: Vec<&Value> = found["inbound"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["members"])
        .collect();
    assert_eq!(
        members,
        [
            &json!(["in->pixmap"]),
            &json!(["out->sums"]),
            &json!(["weights->pixmap"])
        ]
    );
    assert_eq!(
        objects(&found["nested_inbound"]),
        [
            object("in->pixmap", "in->pixmap[0:3 * w * h]", "0", "3 * w * h"),
            object(
                "weights->pixmap",
                "weights->pixmap[0:f_w * f_h]",
                "0",
                "4 * f_w * f_h"
            ),
        ]
    );
    assert_eq!(
        objects(&found["nested_outbound"]),
        [object("out->sums", "out->sums[0:3 * w * h]", "0", "12 * w * h")]
    );
    assert_eq!(found["scalars"], json!(["f_h", "f_w", "h", "w"]));
    // The same where the pointers are read before: bytes may be part of any object.
    let found = parameters("nested/convolution.c", "kernel_bytes");
    assert_eq!(
        objects(&found["nested_inbound"])[0],
        object(
            "in->pixmap",
            "in->pixmap[0:3 * in->width * in->height]",
            "0",
            "3 * in->width * in->height"
        )
    );
    assert_eq!(
        objects(&found["nested_outbound"])[0],
        object(
            "out->pixmap",
            "out->pixmap[0:3 * in->width * in->height]",
            "0",
            "3 * in->width * in->height"
        )
    );
}

/// Juravle §4.2: an array of `int` that is read byte by byte. The thesis closes the interval of the 60 bytes that are written at 56, where the last element begins.
#[test]
fn bytes_of_elements_are_counted_as_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    let text = "void view(int *restrict in, int *restrict out)
        {
            for (int i = 0; i < 15; i++) {
                char *aux = (char *)in;
                out[i] = aux[i];
            }
        }";
    std::fs::write(&path, text).unwrap();
    let output = ferry(["report", "--format", "json", path.to_str().unwrap()]);
    assert_eq!(status(&output), 0);
    let report = common::valid_json(&stdout(&output));
    let found = &report["loops"][0]["parameters"];
    assert_eq!(objects(&found["inbound"]), [object("in", "in[0:4]", "0", "15")]);
    assert_eq!(
        objects(&found["outbound"]),
        [object("out", "out[0:15]", "0", "60")]
    );
}

/// Each way begins with a variable that the caller sees, through every pointer on it.
#[test]
fn ways_lead_through_all_pointers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ways.c");
    let text = "struct grid { double *now; int n; };
struct all { int k; struct grid in; struct grid *to; double *rows[3]; };
void f(struct all *all, double *x) {
    struct grid *g = all->to;
    for (int i = 0; i < g->n; i++)
        x[i] = g->now[i] + all->in.now[i] + all->rows[2][i];
}
double g(struct all *all, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        all->in.now[i] = i;
        sum += all->in.now[i];
    }
    return sum;
}
";
    std::fs::write(&file, text).unwrap();
    let file = file.display().to_string();
    let of = |function: &str| parameters(&file, function);
    let found = of("f");
    let ways: Vec<String> = objects(&found["nested_inbound"])
        .into_iter()
        .map(|one| one.0)
        .collect();
    assert_eq!(ways, ["all->in.now", "all->rows[2]", "all->to", "all->to->now"]);
    assert_eq!(
        found["nested_inbound"][2]["members"],
        json!(["all->to->n", "all->to->now"])
    );
    assert_eq!(objects(&found["outbound"])[0].0, "x");
    // What the iteration has written before it reads is no input.
    let found = of("g");
    assert_eq!(found["nested_inbound"], json!([]));
    assert_eq!(objects(&found["nested_outbound"])[0].0, "all->in.now");
    assert_eq!(found["results"], json!(["sum"]));
}

/// Rows are said by which pointers of which table, and which elements behind each.
#[test]
fn rows_have_sections() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.c");
    let text = "struct box { double *data; };
void f(int n, int m, double **rows, const float *const *weights, double *a) {
    for (int i = 1; i < n; i++)
        for (int j = 0; j < m; j++)
            rows[i][j + 2] = a[i] * weights[i - 1][j];
}
void g(int n, struct box *s) {
    for (int i = 0; i < n; i++)
        s[i].data[0] = 1;
}
";
    std::fs::write(&file, text).unwrap();
    let file = file.display().to_string();
    let found = parameters(&file, "f");
    assert_eq!(
        objects(&found["nested_inbound"]),
        [object("weights", "weights[0:n - 1][0:m]", "0", "4 * m")]
    );
    assert_eq!(
        objects(&found["nested_outbound"]),
        [object("rows", "rows[1:n - 1][2:m]", "16", "8 * m + 16")]
    );
    assert_eq!(found["nested_outbound"][0]["exact"], json!(true));
    // Tables of structures have no section, but a cause.
    let found = parameters(&file, "g");
    let only = &found["nested_outbound"][0];
    assert!(only["section"].is_null() && only["cause"].is_string(), "{found}");
}

#[test]
fn storage_that_is_found_anew_has_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("paths.c");
    std::fs::write(
        &path,
        "struct matrix { int n, m; double **rows; };
         struct vector { int size; double *values; };
         void rows(int n, int m, double **w) {
           for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) w[i][j] = 0;
         }
         void member(struct matrix *a, const struct vector *x, int n, int m) {
           for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a->rows[i][j] = x->values[j];
         }
         void vectors(int n, int m, struct vector *v) {
           for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) v[i].values[j] = 1;
         }
         void cube(int n, int m, int l, double ***c) {
           for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) for (int k = 0; k < l; k++) c[i][j][k] = 2;
         }
         struct list { struct list *next; int value; };
         void list(struct list *p) {
           for (; p; p = p->next) p->value = 3;
         }
         void unbounded(int n, const int *k, double **w) {
           for (int i = 0; i < n; i++) w[k[i]][i] = 4;
         }",
    )
    .unwrap();
    let output = ferry(["report", "--format", "json", &path.display().to_string()]);
    let report = common::valid_json(&stdout(&output));
    let accesses = report["accesses"].as_array().unwrap().iter();
    let written: Vec<(Value, Value, Value)> = accesses
        .filter(|one| one["kind"] == "write")
        .map(|one| (one["section"].clone(), one["bytes"].clone(), one["cause"].clone()))
        .collect();
    let known = |section: &str, low: &str, high: &str| (json!(section), json!([low, high]), Value::Null);
    let unknown = |cause: &str| (Value::Null, Value::Null, json!(cause));
    assert_eq!(
        written,
        [
            known("w[0:n][1:m - 1]", "8", "8 * m"),
            known("a->rows[0:n][0:m]", "0", "8 * m"),
            known("v[0:n].values[0:m]", "0", "8 * m"),
            known("c[0:n][0:m][0:l]", "0", "8 * l"),
            unknown("the pointer changes in the loop"),
            unknown("its subscript has no lower bound: of the pointer that it follows"),
        ]
    );
}

/// Of two members of a structure the sections read the same: the bytes are those of both.
#[test]
fn members_of_one_array_are_joined_byte_by_byte() {
    let file = "hostile/members_read_the_same.c";
    let bytes = |function: &str| objects(&parameters(file, function)["outbound"]);
    assert_eq!(
        bytes("kernel_at_one_place"),
        [object("to", "to[0:n]", "0", "16 * n")]
    );
    assert_eq!(
        bytes("kernel_rows"),
        [object("table", "table[0:n][0:3]", "0", "48 * n")]
    );
    // One member alone begins where it lies.
    assert_eq!(bytes("kernel_one"), [object("to", "to[0:n]", "8", "16 * n")]);
}

/// The same bytes, written down in two ways: what is said of both together is not what is said of the first.
#[test]
fn the_same_bytes_by_other_subscripts_are_a_section_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("two.c");
    let text = "void f(int n, int m, double a[n][m], double b[n][m], double *c, double *d)\n{\n    for (int i = 0; i < n; i++)\n        for (int j = 0; j < m; j++)\n            \
                c[i * m + j] = a[0][i * m + j] + a[0][i * m + j] + a[i][j];\n\
                    for (int i = 0; i < n; i++)\n        for (int j = 0; j < m; j++)\n            d[i * m + j] = a[0][i * m + j] + a[0][i * m + j];\n}\n";
    std::fs::write(&path, text).unwrap();
    let output = ferry(["report", "--format", "json", &path.display().to_string()]);
    let report = common::valid_json(&stdout(&output));
    let section = |number: usize| report["loops"][number]["parameters"]["inbound"][0]["section"].clone();
    assert_eq!(
        (section(0), section(2)),
        (json!("a[0:n][0:m]"), json!("a[0:1][0:n * m]"))
    );
}
