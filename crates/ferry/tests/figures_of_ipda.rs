//! Has Ferry the exact answers to the figures of the IPDA paper (figures 1, 3, 5, 6, 8, 12, sections 7.2.1 and 9.4)?
//!
//! The programs are those of `tests/programs/ipda`, written after the figures; their verdicts are compared elsewhere (`verdicts.rs`), and what they say
//! is compared with what happens when they run (`dependences_hold.rs`, `vectors_hold.rs`). Here are the kinds, distances, vectors and conditions, number by
//! number. They were worked out by hand and by enumeration, not taken from the paper, which is wrong about figures 1 and 5 and section 7.2.1. Where Ferry says
//! less than the answer, that is said at the line.

use crate::common;

use common::{ferry, programs_folder, status, stderr, stdout, valid_json};
use serde_json::Value;

/// The report on one of the programs, or on a text.
struct Told(Value);

impl Told {
    fn of_program(name: &str) -> Told {
        let path = programs_folder().join("ipda").join(format!("{name}.c"));
        Told::of_path(&path.display().to_string())
    }

    fn of_text(text: &str) -> Told {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        std::fs::write(&path, text).unwrap();
        Told::of_path(&path.display().to_string())
    }

    fn of_path(path: &str) -> Told {
        let output = ferry(["report", "--format", "json", path]);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        Told(valid_json(&stdout(&output)))
    }

    /// The loops of a function, in the order of the text.
    fn loops(&self, function: &str) -> Vec<&Value> {
        let loops = self.0["loops"].as_array().unwrap().iter();
        let found: Vec<&Value> = loops.filter(|one| one["function"] == function).collect();
        assert!(!found.is_empty(), "no loops in {function}: {}", self.0);
        found
    }

    /// `sequential: flow (1, 0)`, `parallel_if: n != 0`, for each loop of a function.
    fn said(&self, function: &str) -> Vec<String> {
        let one = |of: &&Value| {
            let verdict = of["verdict"].as_str().unwrap();
            let mut more: Vec<String> = of["condition"].as_str().map(str::to_owned).into_iter().collect();
            let causes = of["causes"].as_array().unwrap().iter();
            for cause in causes {
                let all = cause["dependences"].as_array().unwrap();
                if all.is_empty() {
                    more.push(cause["message"].as_str().unwrap().to_owned());
                }
                for one in all {
                    let vector = one["vector"].as_array().unwrap().iter();
                    let vector: Vec<&str> = vector.map(|direction| direction.as_str().unwrap()).collect();
                    more.push(format!(
                        "{} ({})",
                        one["kind"].as_str().unwrap(),
                        vector.join(", ")
                    ));
                }
            }
            match more.is_empty() {
                true => verdict.to_owned(),
                false => format!("{verdict}: {}", more.join("; ")),
            }
        };
        self.loops(function).iter().map(one).collect()
    }
}

#[test]
fn figure_1_writes_an_element_again_64_iterations_later() {
    let text = |bound: &str, guard: &str| {
        format!(
            "void f(int n, long *b)
             {{
                 {guard}for (int i = 0; i < {bound}; i++) {{
                     int at;
                     if (i < 32)
                         at = 64 + i;
                     else
                         at = i;
                     b[at] = i;
                 }}
             }}"
        )
    };
    let said = |bound, guard| Told::of_text(&text(bound, guard)).said("f");
    // The paper calls the loop parallel.
    assert_eq!(said("n", ""), ["parallel_if: n <= 64"]);
    assert_eq!(said("64", ""), ["parallel"]);
    assert_eq!(said("n", "if (n <= 64) "), ["parallel"]);
    // Iterations 0 and 64 take the two paths.
    assert_eq!(said("65", ""), ["sequential: output (64)"]);
    assert_eq!(said("n", "if (n > 64) "), ["sequential: output (64)"]);
    // Iteration 64 takes the path of iteration 0: up to 100 iterations none meets another one.
    let other = text("n", "if (n > 64) ").replace("i < 32", "i < 100");
    assert_eq!(Told::of_text(&other).said("f"), ["unknown: output (64)"]);
    // Which path is taken is not known.
    let other = text("n", "if (n > 64) ").replace("i < 32", "b[i] < 32");
    assert_eq!(
        Told::of_text(&other).said("f"),
        ["unknown: flow (64); output (64)"]
    );
    // 64 iterations of a tile that is twice as long: none is ever met again.
    let other = text("n", "").replace("64 + i", "-1 - i");
    assert_eq!(Told::of_text(&other).said("f"), ["parallel"]);
}

#[test]
fn figure_3_is_parallel_if_n_is_not_zero_and_x_is_not_carried() {
    let told = Told::of_program("rows_apart");
    // What is said of the pair of elements beside the certain obstacle rests on no condition.
    assert_eq!(
        told.said("kernel_carried"),
        ["sequential: an iteration reads x, which an earlier one wrote; flow (<); anti (<); output (<)"]
    );
    assert_eq!(told.said("kernel_invariant"), ["parallel_if: n != 0"]);
    assert_eq!(told.said("kernel_positive"), ["parallel"]);
    // With nine iterations the last one meets the first, whatever n is.
    assert_eq!(told.said("kernel_nine_positive"), ["sequential: flow (8)"]);
    assert_eq!(
        told.said("kernel_nine"),
        ["sequential: flow (<); anti (<); output (<)"]
    );
}

#[test]
fn figure_5_depends_on_the_lengths() {
    let told = Told::of_program("steps_of_lengths");
    // The paper's trivial dependence of one loop needs n = 1, which is one iteration.
    assert_eq!(told.said("kernel_single"), ["parallel"]);
    // Across the loops, for lengths 2 and 3 and none of the others.
    assert_eq!(told.said("kernel_2_3"), ["sequential: flow (1, -1)", "parallel"]);
    assert_eq!(told.said("kernel_2_4"), ["parallel", "parallel"]);
    // What is read is apart from what is written; but equal steps write an element twice.
    assert_eq!(
        told.said("kernel_2_2"),
        ["sequential: output (1, -1)", "parallel"]
    );
    // (1, -1) and (2, -2)
    assert_eq!(told.said("kernel_3_3"), ["sequential: output (<, >)", "parallel"]);
    // Of unknown lengths nothing follows; a condition is enough: all j of one i come before those of the next.
    assert_eq!(
        told.said("kernel_unknown"),
        ["parallel_if: n + m >= m * m + 2", "parallel"]
    );
}

#[test]
fn figure_6_is_parallel_in_all_loops_without_a_condition() {
    let told = Told::of_program("convolution_nest");
    assert_eq!(told.said("kernel_volume"), ["parallel"; 3]);
    assert_eq!(told.said("kernel_counted"), ["parallel"; 3]);
    // The inner point needs the planes to be as long as they are used: with one column less they overlap.
    let overlapping = "void f(int ni, int nj, int nk, int *b)
        {
            for (int j = 1; j < nj + 1; ++j)
                for (int k = 1; k < nk - 1; ++k)
                    for (int i = 1; i < ni - 1; ++i)
                        b[i * (nk * nj) + j * nk + k] = i;
        }";
    // j = 1 of one plane is j = nj + 1 of the one before: j reaches nj only.
    assert_eq!(Told::of_text(overlapping).said("f"), ["parallel"; 3]);
    let longer = overlapping.replace("nj + 1", "nj + 2");
    let said = Told::of_text(&longer).said("f");
    assert_ne!(said[0], "parallel", "{said:?}");
}

#[test]
fn figure_8_is_collapsed_by_the_number_of_columns() {
    let told = Told::of_program("collapsed_product");
    assert_eq!(told.said("kernel_nest"), ["parallel"; 3]);
    assert_eq!(told.said("kernel_collapsed"), ["parallel"; 2]);
    // The paper's divisor is wrong unless the matrix is square; it is parallel if ni <= nj, which is not found.
    let said = told.said("kernel_wrong");
    assert_eq!(said, ["unknown: flow (<); anti (<); output (<)"]);
    // The sum over k is a reduction into one element.
    for (function, number) in [("kernel_nest", 2), ("kernel_collapsed", 1)] {
        let loops = told.loops(function);
        assert_eq!(loops[number]["reductions"][0]["variable"], "c[i * nj + j]");
    }
}

#[test]
fn figure_12_is_carried_by_the_middle_loop() {
    let told = Told::of_program("elimination_nest");
    let said = told.said("kernel_eliminate");
    // (k, j, i) = (0, 1, 0): counted from the loop that carries it, (1, 0), wherever the loop over i runs.
    // Row j + 1 of lhs[2] is read by the next iteration, and so is row j + 2 of lhs[1], which is row j + 1 then.
    assert_eq!(
        said,
        [
            "parallel",
            "sequential: flow (1, 0); flow (1, 0)",
            "parallel",
            "parallel"
        ]
    );
    let text = std::fs::read_to_string(programs_folder().join("ipda/elimination_nest.c")).unwrap();
    let line = |of: &Value| {
        text.lines()
            .nth(of["line"].as_u64().unwrap() as usize - 1)
            .unwrap()
            .trim()
    };
    let middle = told.loops("kernel_eliminate")[1];
    let dependences = middle["causes"].as_array().unwrap().iter();
    let dependences: Vec<&Value> = dependences
        .flat_map(|cause| cause["dependences"].as_array().unwrap())
        .collect();
    assert!(line(&dependences[0]["source"]).starts_with("lhs[2][k][next][i] = "));
    assert!(line(&dependences[0]["sink"]).starts_with("long factor = "));
    assert!(line(&dependences[1]["source"]).starts_with("lhs[1][k][last][i] = "));
    assert!(line(&dependences[1]["sink"]).starts_with("lhs[2][k][next][i] = "));
}

#[test]
fn section_7_2_1_would_exchange_loops_that_may_not_be() {
    let told = Told::of_program("not_interchanged");
    // The vector (1, -1) would be (-1, 1): what is read would not be written yet. So it is, the other way round: then what is read is overwritten later.
    // That the inner loop runs is not known.
    assert_eq!(told.said("kernel_rows"), ["unknown: flow (1, -1)", "parallel"]);
    assert_eq!(told.said("kernel_columns"), ["unknown: anti (1, -1)", "parallel"]);
}

#[test]
fn section_9_4_knows_a_variable_that_is_used_where_it_is_set() {
    let told = Told::of_program("same_condition");
    // Always a[0], though the variable may be -1: not a[-1].
    let accesses = told.0["accesses"].as_array().unwrap().iter();
    let first = accesses
        .filter(|one| one["function"] == "kernel_first" && one["object"] == "a" && one["kind"] == "write");
    let sections: Vec<&str> = first.map(|one| one["section"].as_str().unwrap()).collect();
    assert_eq!(sections, ["a[0:1]"]);
    // That the condition holds is not known.
    assert_eq!(told.said("kernel_first"), ["unknown: output (<)"]);
    assert_eq!(told.said("kernel_own"), ["parallel"]);
    assert_eq!(told.said("kernel_marked"), ["parallel"]);
    // The mark, or the variable of the condition, changes between the two places.
    assert_eq!(told.said("kernel_changed"), ["unknown: output (<)"]);
    let other = told.said("kernel_other");
    assert_eq!(
        other,
        ["sequential: an iteration reads c, which an earlier one wrote; output (<)"]
    );
    // The same without what else is in the way.
    let changed = "void f(int n, int c, int d, int *a)
        {
            for (int i = 0; i < n; i++) {
                int now = c, at = 0;
                if (now > 0)
                    at = i;
                now = d;
                if (now > 0)
                    a[at] = i;
            }
        }";
    assert_eq!(Told::of_text(changed).said("f"), ["unknown: output (<)"]);
    let same = changed.replace("now = d;", "now = now + d - d;");
    assert_eq!(Told::of_text(&same).said("f"), ["parallel"]);
}
