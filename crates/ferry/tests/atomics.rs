//! Which updates are called atomic, under what name, and which forms of statement get the directive? What runs is in `tests/programs/atomic`.

use crate::common;

use common::{ferry, status, stderr, stdout, valid_json};
use std::fs;

const TEXT: &str = "typedef unsigned unaligned __attribute__((aligned(1), may_alias));
static unsigned char bytes[16];
static int key[4000], h[8], g[4][8];
static unsigned val[4000], u[64];
static struct cell { int count; double sum; } c[8];
void f(int n)
{
    for (int i = 0; i < n; i++)
        *(unaligned *)(bytes + (key[i] & 1)) += val[i];
    for (int i = 0; i < n; i++)
        h[key[i] & 7] = h[key[i] & 7] + key[i], 0;
    for (int i = 0; i < n; i++)
        h[key[i] & 7] += key[i], 0;
    for (int i = 0; i < n; i++)
        u[key[i] & 7] = val[i] & +u[key[i] & 7];
    for (int i = 0; i < n; i++)
        h[key[i] & 7] = (i, key[i]) + h[key[i] & 7];
    for (int i = 0; i < n; i++)
        c[key[i] & 7].sum += key[i];
    for (int i = 0; i < n; i++)
        (key[i] & 7)[h] += 1;
    for (int i = 1; i < n; i++) {
        g[key[i] & 3][key[i] & 7] += 1;
        val[i] = val[i - 1] + 1;
    }
}
";

#[test]
fn only_what_compilers_take_is_sent_to_the_device() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.c");
    fs::write(&path, TEXT).unwrap();
    let output = ferry(["report", "--all", "--format", "json", &path.display().to_string()]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let report = valid_json(&stdout(&output));
    let found: Vec<(u64, String, Vec<String>, bool)> = report["loops"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let atomics = one["atomics"].as_array().unwrap().iter();
            let names = atomics.map(|one| {
                let text = |key: &str| one[key].as_str().unwrap();
                format!("{}:{}", text("operator"), text("object"))
            });
            (
                one["line"].as_u64().unwrap(),
                one["verdict"].as_str().unwrap().to_owned(),
                names.collect(),
                one["offloaded"].as_bool().unwrap(),
            )
        })
        .collect();
    let row = |line: u64, verdict: &str, atomics: &[&str], offloaded: bool| {
        let atomics = atomics.iter().map(|one| (*one).to_owned()).collect();
        (line, verdict.to_owned(), atomics, offloaded)
    };
    assert_eq!(
        found,
        [
            // Windows of four bytes that are one byte apart: carries go from one into the other.
            row(8, "unknown", &[], false),
            // Updates for the program, but no forms that directives take: a comma, and a sign.
            row(10, "parallel", &["+:h"], false),
            row(12, "parallel", &["+:h"], false),
            row(14, "parallel", &["&:u"], false),
            // A comma in parentheses is a part of a value.
            row(16, "parallel", &["+:h"], true),
            row(18, "parallel", &["+:c"], true),
            // The object, not what is written first.
            row(20, "parallel", &["+:h"], true),
            // In order for another reason: nothing is atomic.
            row(22, "sequential", &[], false),
        ]
    );
}
