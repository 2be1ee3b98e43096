//! Small functions that a generated function calls: they read and write through their parameters, return early, call
//! each other.

use super::maker::Maker;
use super::random::Random;
use super::scope::{Array, Element, SIZES, Scalar, Scope};
use super::tree::{Node, text};

/// How far from its pointers a helper may go.
const REACH: i64 = 60;

/// A function that can be called.
#[derive(Clone, Debug)]
pub struct Helper {
    /// Its name.
    pub name: String,
    /// Pointers to `int` that it takes; the first may be written through.
    pub pointers: usize,
    /// It takes a struct instead.
    pub takes_box: bool,
    /// Numbers that it takes.
    pub numbers: usize,
    /// What it gives, if that is known.
    pub gives: Option<(i64, i64)>,
}

/// Makes one: its text, and how it is called.
pub fn make(name: &str, random: &mut Random, known: &[Helper]) -> (Vec<Node>, Helper, String) {
    let mut helper = Helper {
        name: name.to_owned(),
        pointers: 0,
        takes_box: false,
        numbers: 2,
        gives: None,
    };
    let fixed = |lines: &[&str]| lines.iter().map(|line| Node::line(*line)).collect::<Vec<_>>();
    let (head, body) = match random.below(12) {
        0 => {
            helper.gives = Some((3 * SIZES.0, 3 * SIZES.1 + SIZES.1));
            (
                "int NAME(int y, int z)",
                fixed(&["if (y < 0) return 0;", "return 3 * y + (z > 0 ? z : 0);"]),
            )
        }
        1 => {
            helper.gives = Some((SIZES.0 * SIZES.1 + SIZES.0, SIZES.1 * SIZES.1 + SIZES.1));
            ("int NAME(int y, int z)", fixed(&["return y * 9 + z;"]))
        }
        2 => {
            helper.pointers = 1;
            (
                "void NAME(int *v, int y, int z)",
                fixed(&["v[0] = y;", "v[1] = z;"]),
            )
        }
        3 => {
            helper.pointers = 2;
            (
                "void NAME(int *v, int *w, int y, int z)",
                fixed(&["int t = *v;", "*v = *w + y;", "*w = t - z;"]),
            )
        }
        4 => {
            helper.pointers = 1;
            (
                "int NAME(int *v, int y, int z)",
                fixed(&[
                    "for (int i = 0; i < y; i++) {",
                    "    if (v[i] == z) return i;",
                    "    v[i] = z;",
                    "}",
                    "return -1;",
                ]),
            )
        }
        5 => {
            helper.pointers = 1;
            (
                "int NAME(int *v, int y, int z)",
                fixed(&[
                    "if (y <= 0) return z;",
                    "v[y - 1] += 1;",
                    "return NAME(v, y - 2, z) + 1;",
                ]),
            )
        }
        6 => {
            helper.takes_box = true;
            (
                "int NAME(struct box *s, int y, int z)",
                fixed(&["if (y < 0 || y >= s->n) return z;", "return s->data[y + s->off];"]),
            )
        }
        7 => {
            helper.takes_box = true;
            (
                "void NAME(struct box *s, int y, int z)",
                fixed(&[
                    "for (int i = 0; i < s->n; i++)",
                    "    s->data[i + y] = z;",
                    "s->v[z & 7] = y;",
                ]),
            )
        }
        8 => {
            helper.gives = Some((0, 7));
            (
                "int NAME(int y, int z)",
                fixed(&["shared = (shared + y + z) & 7;", "return shared;"]),
            )
        }
        _ => {
            helper.pointers = 2;
            let mut maker = Maker::new(Random::new(random.between(0, i64::MAX - 1) as u64), false);
            maker.helpers = known.to_vec();
            let array = |name: &str, writable| Array {
                name: name.to_owned(),
                member: "",
                element: Element::Int,
                reach: vec![(-REACH, REACH)],
                writable,
                values: None,
                feature: None,
            };
            let number = |name: &str| Scalar {
                name: name.to_owned(),
                low: SIZES.0,
                high: SIZES.1,
                affine: true,
                assignable: true,
                counts: false,
            };
            let scope = Scope {
                scalars: vec![number("y"), number("z")],
                arrays: vec![array("v", true), array("w", true)],
                times: 40,
                depth: 1,
                may_continue: false,
                may_break: false,
            };
            let mut body = maker.body(&scope);
            // Conditions compare with it.
            maker.declarations.push("const double x = 0.75;".to_owned());
            let mut all: Vec<Node> = maker.declarations.drain(..).map(Node::Line).collect();
            all.append(&mut body);
            if maker.features.contains("goto") {
                all.push(Node::line("out:"));
            }
            all.push(Node::line("return y - z;"));
            ("int NAME(int *v, int *w, int y, int z)", all)
        }
    };
    let head = format!("static {}", head.replace("NAME", name));
    let body = rename(body, name);
    (body, helper, head)
}

fn rename(nodes: Vec<Node>, name: &str) -> Vec<Node> {
    nodes
        .into_iter()
        .map(|node| match node {
            Node::Line(line) => Node::Line(line.replace("NAME", name)),
            Node::Nest(parts) => Node::Nest(
                parts
                    .into_iter()
                    .map(|(open, body)| (open, rename(body, name)))
                    .collect(),
            ),
        })
        .collect()
}

/// The C text of a helper.
pub fn definition(head: &str, body: &[Node]) -> String {
    let mut out = format!("{head}\n{{\n");
    text(body, 1, &mut out);
    out.push_str("}\n\n");
    out
}

impl Maker {
    /// A call of a helper, if there is one that fits here.
    pub fn call(&mut self, scope: &Scope) -> Vec<Node> {
        let fitting: Vec<Helper> = self
            .helpers
            .iter()
            .filter(|helper| !helper.takes_box || scope.has("s->data"))
            .cloned()
            .collect();
        let Some(helper) = self.random.pick(&fitting).cloned() else {
            return vec![self.assignment(scope)];
        };
        self.note("call");
        let mut arguments = Vec::new();
        if helper.takes_box {
            arguments.push("s".to_owned());
        }
        for number in 0..helper.pointers {
            let Some(pointer) = self.pointer(scope, number == 0) else {
                return vec![self.assignment(scope)];
            };
            arguments.push(pointer);
        }
        for _ in 0..helper.numbers {
            arguments.push(self.index(scope, SIZES.0, SIZES.1, true).text);
        }
        let call = format!("{}({})", helper.name, arguments.join(", "));
        if let Some((low, high)) = helper.gives {
            let fits = |array: &&Array| {
                array.writable
                    && array.values.is_none()
                    && array.reach.len() == 1
                    && array
                        .reach
                        .iter()
                        .all(|(first, last)| *first <= low && high <= *last)
            };
            let wide: Vec<Array> = scope.arrays.iter().filter(fits).cloned().collect();
            if let Some(array) = self.random.pick(&wide).cloned() {
                self.note("call in a subscript");
                return vec![Node::line(format!("{}[{call}]{} = 1;", array.name, array.member))];
            }
        }
        vec![Node::line(format!("{call};"))]
    }

    /// A pointer to `int` with room around.
    fn pointer(&mut self, scope: &Scope, _written: bool) -> Option<String> {
        let wide: Vec<Array> = scope
            .arrays
            .iter()
            .filter(|array| array.element == Element::Int && array.writable && array.values.is_none())
            .filter(|array| array.member.is_empty() && array.reach.len() == 1)
            .filter(|array| {
                array
                    .reach
                    .iter()
                    .all(|(low, high)| *low <= -2 * REACH && *high >= 2 * REACH)
            })
            .cloned()
            .collect();
        let array = self.random.pick(&wide).cloned()?;
        let (low, high) = array.reach.first().copied()?;
        let at = self.index(scope, low + REACH, high - REACH, false);
        Some(match self.random.below(3) {
            0 => array.name,
            1 => format!("&{}[{}]", array.name, at.text),
            _ => format!("{} + ({})", array.name, at.text),
        })
    }
}
