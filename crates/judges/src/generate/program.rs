//! A generated function with its calls, and a C file of many.

use super::helpers::{self, Helper, definition};
use super::maker::Maker;
use super::random::Random;
use super::scope::{Array, Element, SIZES, Scalar, Scope};
use super::tree::{Node, text};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Subscripts of parameters go so far to both sides.
const REACH: i64 = 700;

/// One generated function.
#[derive(Clone, Debug)]
pub struct Nest {
    /// What it was made from.
    pub seed: u64,
    /// Its name.
    pub name: String,
    /// What it has, for the distribution.
    pub features: BTreeSet<&'static str>,
    /// Only affine loops, subscripts and conditions, and nothing else.
    pub affine: bool,
    /// Helper functions, before it.
    pub helpers: Vec<(String, Vec<Node>)>,
    /// Parameters behind the sizes.
    parameters: Vec<(&'static str, &'static str)>,
    /// Its statements.
    pub body: Vec<Node>,
    /// Declarations before them.
    first: Vec<String>,
    /// The arguments of each call.
    pub calls: Vec<String>,
}

/// One C file.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its text.
    pub text: String,
    /// The nest of each call.
    pub calls: Vec<usize>,
    /// Lines, from 1, of each nest with its helpers.
    pub lines: Vec<(u32, u32)>,
}

/// The arrays that a function may have: parameter, where it points in main, and what it is.
fn all_arrays() -> Vec<(&'static str, &'static str, Array)> {
    let make = |name: &str, element, writable, values| Array {
        name: name.to_owned(),
        member: "",
        element,
        reach: vec![(-REACH, REACH)],
        writable,
        values,
        feature: None,
    };
    vec![
        ("int *a", "A + 750", make("a", Element::Int, true, None)),
        ("int *b", "B + 750", make("b", Element::Int, true, None)),
        ("const int *c", "C + 750", make("c", Element::Int, false, None)),
        ("double *d", "D + 750", make("d", Element::Double, true, None)),
        ("float *f", "F + 750", make("f", Element::Float, true, None)),
        ("short *h", "H + 750", make("h", Element::Short, true, None)),
        (
            "unsigned char *u",
            "U + 750",
            make("u", Element::Byte, true, Some((0, 255))),
        ),
        (
            "const int *col",
            "COL + 750",
            make("col", Element::Int, false, Some((0, 9))),
        ),
        (
            "int *perm",
            "PERM + 750",
            make("perm", Element::Int, true, Some((0, 9))),
        ),
        ("unsigned *z", "Z + 750", make("z", Element::Unsigned, true, None)),
    ]
}

/// Members of the structs.
fn struct_arrays() -> Vec<Array> {
    let make = |name: &str, member, element, reach: &[(i64, i64)], feature| Array {
        name: name.to_owned(),
        member,
        element,
        reach: reach.to_vec(),
        writable: true,
        values: None,
        feature: Some(feature),
    };
    vec![
        make("s->data", "", Element::Int, &[(-REACH, REACH)], "pointer member"),
        make("s->v", "", Element::Int, &[(0, 7)], "member array"),
        make(
            "s[1].data",
            "",
            Element::Int,
            &[(-REACH, REACH)],
            "pointer member",
        ),
        make("s", ".n2", Element::Int, &[(0, 3)], "array of structs"),
        make("p", ".x", Element::Int, &[(-REACH, REACH)], "array of structs"),
        make("p", ".y", Element::Float, &[(-REACH, REACH)], "array of structs"),
        make(
            "p",
            ".t[1]",
            Element::Byte,
            &[(-REACH, REACH)],
            "array of structs",
        ),
    ]
}

/// Global arrays.
fn global_arrays() -> Vec<Array> {
    let make = |name: &str, element, reach: &[(i64, i64)], feature| Array {
        name: name.to_owned(),
        member: "",
        element,
        reach: reach.to_vec(),
        writable: true,
        values: None,
        feature: Some(feature),
    };
    vec![
        make("g1", Element::Int, &[(0, 199)], "global array"),
        make("g2", Element::Int, &[(0, 13), (0, 13)], "global array"),
        make("g3", Element::Double, &[(0, 9), (0, 9), (0, 9)], "global array"),
        make("rows", Element::Int, &[(0, 9), (0, 15)], "pointers to pointers"),
    ]
}

/// The nest of a seed.
pub fn nest(seed: u64) -> Nest {
    let mut random = Random::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    let affine = random.percent(20);
    let name = format!("nest{seed}");
    let mut known: Vec<Helper> = Vec::new();
    let mut helper_texts = Vec::new();
    if !affine && random.percent(40) {
        for number in 0..random.between(1, 3) {
            let (body, helper, head) = helpers::make(&format!("help{seed}_{number}"), &mut random, &known);
            helper_texts.push((head, body));
            known.push(helper);
        }
    }
    let mut scope = Scope {
        times: 1,
        ..Scope::default()
    };
    for size in ["n", "m", "k"] {
        scope.scalars.push(Scalar {
            name: size.to_owned(),
            low: SIZES.0,
            high: SIZES.1,
            affine: true,
            assignable: !affine,
            counts: false,
        });
    }
    let mut parameters = Vec::new();
    let arrays = all_arrays();
    for (number, (declaration, pointer, array)) in arrays.into_iter().enumerate() {
        if number == 0 || random.percent(30) {
            parameters.push((declaration, pointer));
            scope.arrays.push(array);
        }
    }
    let mut maker = Maker::new(random, affine);
    for array in global_arrays() {
        let pointers = array.feature == Some("pointers to pointers");
        if maker.random.percent(15) && !(affine && pointers) {
            if pointers {
                parameters.push(("int **rows", "ROWS"));
            }
            scope.arrays.push(array);
        }
    }
    let mut shaped = false;
    if !affine {
        if maker.random.percent(25) {
            parameters.push(("struct box *s", "S"));
            parameters.push(("struct point *p", "P + 750"));
            scope.arrays.extend(struct_arrays());
            for member in ["s->n", "s[1].n"] {
                scope.scalars.push(Scalar {
                    name: member.to_owned(),
                    low: 0,
                    high: SIZES.1,
                    affine: false,
                    assignable: true,
                    counts: false,
                });
            }
            maker.note("struct");
        }
        if maker.random.percent(20) {
            scope.scalars.push(Scalar {
                name: "t".to_owned(),
                low: -9,
                high: 99,
                affine: false,
                assignable: true,
                counts: false,
            });
            maker.declarations.push("int t = 0;".to_owned());
        }
        shaped = maker.random.percent(15);
    }
    if shaped {
        parameters.push(("int q[q_rows][q_columns]", "(void *)Q"));
        scope.arrays.push(Array {
            name: "q".to_owned(),
            member: "",
            element: Element::Int,
            reach: vec![(0, 0), (0, 0)],
            writable: true,
            values: None,
            feature: Some("declared shape"),
        });
    }
    maker.helpers = known;
    let mut body = Vec::new();
    for _ in 0..maker.random.between(1, 3) {
        body.extend(maker.statement(&scope));
    }
    if maker.features.contains("goto") {
        body.push(Node::line("out:"));
    }
    body.push(Node::line("return 0;"));
    let mut made = Nest {
        seed,
        name,
        features: std::mem::take(&mut maker.features),
        affine,
        helpers: helper_texts,
        parameters,
        body,
        first: std::mem::take(&mut maker.declarations),
        calls: Vec::new(),
    };
    made.calls = calls(&made, &mut maker.random);
    made
}

/// Arguments for some calls: sizes that are 0, 1, negative, odd; sometimes pointers that overlap.
fn calls(nest: &Nest, random: &mut Random) -> Vec<String> {
    let sizes = [-3, -1, 0, 1, 2, 3, 5, 7, 8, 9];
    let mut found = Vec::new();
    for number in 0..6 {
        let mut size = || random.pick(&sizes).copied().unwrap_or(3);
        let (n, m, k) = match number {
            0 => (7, 5, 3),
            1 => (0, 1, 0),
            _ => (size(), size(), size()),
        };
        let together = random.percent(12);
        let apart = random.pick(&[0, 1, 3, -2, 8]).copied().unwrap_or(0);
        let mut text = format!("{n}, {m}, {k}, {}", random.word(&["0.25", "1.0", "-2.0"]));
        if nest.is_shaped() {
            let _ = write!(text, ", {}, {}", random.between(1, 9), random.between(1, 9));
        }
        for (declaration, pointer) in &nest.parameters {
            match *declaration {
                "int *b" if together => {
                    let _ = write!(text, ", A + {}", 750 + apart);
                }
                _ => {
                    let _ = write!(text, ", {pointer}");
                }
            }
        }
        found.push(text);
    }
    found
}

impl Nest {
    fn is_shaped(&self) -> bool {
        self.parameters
            .iter()
            .any(|(declaration, _)| declaration.contains("q_rows"))
    }

    /// Everything that is smaller by one step: a call or a statement left out, a block opened.
    pub fn smaller(&self) -> Vec<Nest> {
        let mut found = Vec::new();
        if self.calls.len() > 1 {
            for call in &self.calls {
                found.push(Nest {
                    calls: vec![call.clone()],
                    ..self.clone()
                });
            }
        }
        for number in 0..self.helpers.len() {
            let mut fewer = self.clone();
            fewer.helpers.remove(number);
            found.push(fewer);
        }
        for body in super::tree::smaller(&self.body) {
            found.push(Nest { body, ..self.clone() });
        }
        for (number, (_, body)) in self.helpers.iter().enumerate() {
            for less in super::tree::smaller(body) {
                let mut changed = self.clone();
                if let Some(helper) = changed.helpers.get_mut(number) {
                    helper.1 = less;
                }
                found.push(changed);
            }
        }
        found
    }

    /// The text of the function and its helpers.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (head, body) in &self.helpers {
            out.push_str(&definition(head, body));
        }
        let _ = write!(out, "int {}(int n, int m, int k, double x", self.name);
        if self.is_shaped() {
            out.push_str(", int q_rows, int q_columns");
        }
        for (declaration, _) in &self.parameters {
            let _ = write!(out, ", {declaration}");
        }
        out.push_str(")\n{\n");
        for line in &self.first {
            let _ = writeln!(out, "    {line}");
        }
        text(&self.body, 1, &mut out);
        out.push_str("}\n\n");
        out
    }
}

const HEAD: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box { int n; int n2; int off; int *data; double w; int v[8]; };
struct point { int x; float y; unsigned char t[3]; };

int shared;
int g1[200], g2[14][14];
double g3[10][10][10];

";

const MEMORY: &str = "\
static int A[1500], B[1500], C[1500], COL[1500], PERM[1500], A0[1500], COL0[1500], Q[81];
static double D[1500], D0[1500];
static float F[1500], F0[1500];
static short H[1500], H0[1500];
static unsigned char U[1500];
static unsigned Z[1500];
static struct box S[4];
static struct point P[1500], P0[1500];
static int R[10][16];
static int *ROWS[10];

static void reset(void)
{
    memcpy(A, A0, sizeof A);
    memcpy(B, A0, sizeof B);
    memcpy(C, A0, sizeof C);
    memcpy(COL, COL0, sizeof COL);
    memcpy(PERM, COL0, sizeof PERM);
    memcpy(D, D0, sizeof D);
    memcpy(F, F0, sizeof F);
    memcpy(H, H0, sizeof H);
    memset(U, 3, sizeof U);
    memcpy(Z, COL0, sizeof Z);
    memcpy(P, P0, sizeof P);
    memcpy(Q, A0, sizeof Q);
    memcpy(R, A0, sizeof R);
    memcpy(g1, A0, sizeof g1);
    memcpy(g2, A0, sizeof g2);
    memcpy(g3, D0, sizeof g3);
    for (int i = 0; i < 10; i++)
        ROWS[i] = R[i];
    for (int i = 0; i < 4; i++) {
        memcpy(S[i].v, A0, sizeof S[i].v);
        S[i].n = 5 + 3 * (i % 2);
        S[i].n2 = i;
        S[i].off = i;
        S[i].w = 0.5;
        S[i].data = i ? B + 750 : A + 750;
    }
    shared = 0;
}

static void fill(void)
{
    for (int i = 0; i < 1500; i++) {
        A0[i] = (i * 7 + i / 5) % 11 - 4;
        COL0[i] = (i * 3 + i / 7) % 10;
        D0[i] = (i * 5) % 7 - 2;
        F0[i] = (i * 3) % 5 - 1;
        H0[i] = (i * 5) % 9 - 3;
        P0[i].x = (i * 7) % 13 - 5;
        P0[i].y = (i * 3) % 5 - 1;
        P0[i].t[0] = 1;
        P0[i].t[1] = 2;
        P0[i].t[2] = 3;
    }
}

int main(int argc, char **argv)
{
    const char *go = argc > 1 ? argv[1] : 0;
    fill();
";

/// The C file of these nests. Its first argument, if there is one, has a letter for each call: `0` leaves it out.
pub fn program(nests: &[Nest]) -> Program {
    let mut made = Program {
        text: HEAD.to_owned(),
        calls: Vec::new(),
        lines: Vec::new(),
    };
    let mut line = HEAD.lines().count() as u32 + 1;
    for nest in nests {
        let text = nest.text();
        let count = text.lines().count() as u32;
        made.lines.push((line, line + count - 1));
        line += count;
        made.text.push_str(&text);
    }
    made.text.push_str(MEMORY);
    for (number, nest) in nests.iter().enumerate() {
        for arguments in &nest.calls {
            let at = made.calls.len();
            let _ = writeln!(
                made.text,
                "    if (!go || go[{at}] != '0') {{ reset(); printf(\"%d \", {at}); printf(\"%d\\n\", {}({arguments})); }}",
                nest.name
            );
            made.calls.push(number);
        }
    }
    made.text.push_str("    return 0;\n}\n");
    made
}

#[cfg(test)]
mod tests {
    use super::{nest, program};

    #[test]
    fn a_seed_gives_one_program() {
        let make = || program(&(1..20).map(nest).collect::<Vec<_>>()).text;
        assert_eq!(make(), make());
        assert_ne!(nest(1).text(), nest(2).text());
    }
}
