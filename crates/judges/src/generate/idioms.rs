//! Loops as programmers write them that are no plain `for`: `while` and `do`, walked pointers, second counters,
//! searches, compaction, halving and doubling, structs, rows of pointers, bounds that change.

use super::expressions::Ranged;
use super::maker::{Maker, counter};
use super::scope::{Array, Scalar, Scope};
use super::tree::Node;

/// How far a walked pointer or counter may go from its start.
const WALK: i64 = 40;

impl Maker {
    /// One of them.
    pub fn idiom(&mut self, scope: &Scope) -> Vec<Node> {
        let found = match self.random.below(18) {
            0 => self.while_loop(scope),
            1 => self.do_loop(scope),
            2 | 3 => self.walk(scope),
            5 if self.random.percent(50) => self.packed_triangle(scope),
            4 | 5 => self.second_counter(scope),
            6 => self.search(scope),
            7 => self.count_down(scope),
            8 => self.geometric(scope),
            9 => self.two_counters(scope),
            10 => self.changing_bound(scope),
            11 => self.rows(scope),
            12 => self.declared_shape(scope),
            13 => self.row_pointer(scope),
            // Nests without either are what they were.
            14 if self.random.percent(60) => self.histogram(scope),
            14 => self.counter_in_memory(scope),
            15 | 16 => self.scratch(scope),
            _ => self.steps_in_the_body(scope),
        };
        // Names end with the block.
        vec![Node::block("", found)]
    }

    fn wide_array(&mut self, scope: &Scope, writable: bool) -> Option<Array> {
        let wide: Vec<Array> = scope
            .arrays
            .iter()
            .filter(|array| array.reach.len() == 1 && (array.writable || !writable))
            .filter(|array| array.values.is_none() && array.member.is_empty())
            .filter(|array| array.reach.iter().all(|(low, high)| high - low > 3 * WALK))
            .cloned()
            .collect();
        self.random.pick(&wide).cloned()
    }

    /// A place in an array with room on both sides.
    fn start_in(&mut self, scope: &Scope, array: &Array) -> Ranged {
        let (low, high) = array.reach.first().copied().unwrap_or((0, 0));
        self.index(scope, low + WALK + 1, high - WALK - 1, false)
    }

    fn while_loop(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("while");
        let name = self.name("w");
        let bound = self.parameter(scope);
        let mut inner = scope.inside(10);
        inner.may_continue = false;
        inner.scalars.push(counter(&name, -3, 9));
        let step = self.random.between(1, 3);
        let mut body = self.body(&inner);
        body.push(Node::line(format!("{name} += {step};")));
        let start = self.index(scope, -3, 9, true);
        let also = match self.random.percent(25) {
            true => format!(" && {}", paired(&self.condition(&inner))),
            false => String::new(),
        };
        vec![
            Node::line(format!("int {name} = {};", start.text)),
            Node::block(format!("while ({name} < {}{also})", bound.text), body),
        ]
    }

    fn do_loop(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("do");
        let name = self.name("w");
        let bound = self.parameter(scope);
        let start = self.index(scope, -3, 9, true);
        let mut inner = scope.inside(13);
        inner.may_continue = false;
        inner.scalars.push(counter(&name, -3, 12));
        let body = self.body(&inner);
        vec![
            Node::line(format!("int {name} = {};", start.text)),
            Node::Nest(vec![
                ("do {".to_owned(), body),
                (format!("}} while (++{name} < {}); {{", bound.text), Vec::new()),
            ]),
        ]
    }

    /// `*p++` and its relatives.
    fn walk(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("pointer walk");
        let Some(array) = self.wide_array(scope, true) else {
            return self.while_loop(scope);
        };
        let start = self.start_in(scope, &array);
        let (p, i, e) = (self.name("p"), self.name("i"), self.name("e"));
        let ty = array.element.name();
        let declaration = Node::line(format!("{ty} *{p} = {} + ({});", array.name, start.text));
        let bound = self.parameter(scope);
        let mut inner = scope.inside(10);
        inner.scalars.push(counter(&i, 0, 8));
        inner.may_continue = false;
        let value = self.value(&inner, array.element.floats());
        let step = self.random.pick(&[1, 1, 2, 3, -1]).copied().unwrap_or(1);
        match self.random.below(4) {
            0 => {
                let mut body = vec![Node::line(format!("*{p}++ = {value};"))];
                if self.random.percent(30) {
                    let condition = self.condition(&inner);
                    body = vec![Node::block(format!("if ({condition})"), body)];
                }
                vec![
                    declaration,
                    Node::block(format!("for (int {i} = 0; {i} < {}; {i}++)", bound.text), body),
                ]
            }
            1 => vec![
                declaration,
                Node::line(format!("{ty} *{e} = {p} + {};", bound.text)),
                Node::block(
                    format!("while ({p} < {e})"),
                    vec![
                        Node::line(format!("*{p} = *{p} + 1;")),
                        Node::line(format!("{p}++;")),
                    ],
                ),
            ],
            2 => {
                let mut body = self.body(&inner);
                body.push(Node::line(format!("*{p} = {value};")));
                body.push(Node::line(format!("{p} += {step};")));
                vec![
                    declaration,
                    Node::block(format!("for (int {i} = 0; {i} < {}; {i}++)", bound.text), body),
                ]
            }
            _ => {
                let body = vec![
                    Node::line(format!("{p}[0] = {p}[-1];")),
                    Node::line(format!("{p}[1] += 1;")),
                ];
                let end = format!("{} + ({}) + {}", array.name, start.text, bound.text);
                vec![
                    declaration,
                    Node::block(format!("for (; {p} < {end}; ++{p})"), body),
                ]
            }
        }
    }

    /// A second variable that moves in the loop, in every iteration or in some.
    fn second_counter(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("second counter");
        let (name, i) = (self.name("q"), self.name("i"));
        let start = self.index(scope, -9, 60, false);
        let bound = self.parameter(scope);
        let step = self.random.pick(&[1, 1, 2, 3]).copied().unwrap_or(1);
        let mut inner = scope.inside(9);
        inner.may_continue = false;
        inner.scalars.push(counter(&i, 0, 8));
        inner.scalars.push(Scalar {
            counts: true,
            affine: false,
            ..counter(&name, start.low, start.high + 9 * step)
        });
        let mut body = self.body(&inner);
        let line = Node::line(match self.random.percent(50) {
            true if step == 1 => format!("{name}++;"),
            _ => format!("{name} += {step};"),
        });
        if self.random.percent(35) {
            self.note("compaction");
            let condition = self.condition(&inner);
            body.push(Node::block(format!("if ({condition})"), vec![line]));
        } else {
            body.push(line);
        }
        let mut found = vec![
            Node::line(format!("int {name} = {};", start.text)),
            Node::block(format!("for (int {i} = 0; {i} < {}; {i}++)", bound.text), body),
        ];
        if let Some(array) = self.wide_array(scope, true)
            && self.random.percent(50)
        {
            found.push(Node::line(format!("{}[{name}] = 1;", array.name)));
        }
        found
    }

    /// Rows of growing length one behind the other: a counter that comes farther in each iteration, through a loop inside or by the loop variable.
    fn packed_triangle(&mut self, scope: &Scope) -> Vec<Node> {
        let Some(array) = self.wide_array(scope, true) else {
            return self.second_counter(scope);
        };
        self.note("packed triangle");
        let (q, i, j) = (self.name("q"), self.name("i"), self.name("j"));
        let (low, high) = array.reach.first().copied().unwrap_or((0, 0));
        // Nine rows of up to nine elements, and one behind them.
        let start = self.index(scope, low + 1, high - 82, false);
        let bound = self.parameter(scope);
        let mut inner = scope.inside(9);
        inner.may_continue = false;
        inner.scalars.push(counter(&i, 0, 8));
        inner.scalars.push(Scalar {
            counts: true,
            affine: false,
            ..counter(&q, start.low, start.high + 81)
        });
        let head = format!("for (int {i} = 0; {i} < {}; {i}++)", bound.text);
        let touched = |random: &mut super::random::Random, value: &str| match random.below(3) {
            0 => format!("{}[{q}] = {}[{q} - 1] + 1;", array.name, array.name),
            1 => format!("{}[{q}] += 1;", array.name),
            _ => format!("{}[{q}] = {value};", array.name),
        };
        let body = if self.random.percent(70) {
            let length = self.random.pick(&["<", "<=", "< 8 -"]).copied().unwrap_or("<");
            let mut row = inner.clone();
            row.scalars.push(counter(&j, 0, 8));
            let value = self.value(&row, array.element.floats());
            let line = touched(&mut self.random, &value);
            let step = Node::line(format!("{q}++;"));
            let row_head = format!("for (int {j} = 0; {j} {length} {i}; {j}++)");
            let mut body = vec![Node::block(row_head, vec![Node::line(line), step])];
            if self.random.percent(30) {
                body.extend(self.body(&inner));
            }
            body
        } else {
            let value = self.value(&inner, array.element.floats());
            let line = touched(&mut self.random, &value);
            vec![Node::line(line), Node::line(format!("{q} += {i};"))]
        };
        let mut found = vec![
            Node::line(format!("int {q} = {};", start.text)),
            Node::block(head, body),
        ];
        if self.random.percent(50) {
            found.push(Node::line(format!("{}[{q}] = 1;", array.name)));
        }
        found
    }

    /// The first element that is something, then a use of where it is.
    fn search(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("search");
        let Some(array) = self.wide_array(scope, false) else {
            return self.do_loop(scope);
        };
        let name = self.name("w");
        let bound = self.parameter(scope);
        let sought = self.random.between(-2, 3);
        let head = match self.random.percent(50) {
            true => format!(
                "while ({name} < {} && {}[{name}] != {sought})",
                bound.text, array.name
            ),
            false => format!(
                "for (; {name} < {} && {}[{name}] > {sought};)",
                bound.text, array.name
            ),
        };
        let mut found = vec![
            Node::line(format!("int {name} = 0;")),
            Node::block(head, vec![Node::line(format!("{name}++;"))]),
        ];
        let mut after = scope.clone();
        after.scalars.push(Scalar {
            affine: false,
            counts: true,
            ..counter(&name, 0, 9)
        });
        found.extend(self.body(&after));
        found
    }

    fn count_down(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("while");
        self.note("step negative");
        let name = self.name("w");
        let bound = self.parameter(scope);
        let mut inner = scope.inside(9);
        inner.scalars.push(counter(&name, 0, 8));
        let body = self.body(&inner);
        match self.random.below(3) {
            0 => vec![
                Node::line(format!("int {name} = {};", bound.text)),
                Node::block(format!("while ({name}-- > 0)"), body),
            ],
            1 => {
                self.note("narrow or unsigned");
                vec![Node::block(
                    format!(
                        "for (unsigned {name} = {0} > 0 ? (unsigned){0} : 0u; {name}-- > 0;)",
                        bound.text
                    ),
                    body,
                )]
            }
            _ => vec![
                Node::line(format!("int {name} = {};", bound.text)),
                Node::block(format!("while (--{name} >= 0)"), body),
            ],
        }
    }

    /// Steps that grow or halve.
    fn geometric(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("geometric step");
        let name = self.name("w");
        let bound = self.parameter(scope);
        let mut inner = scope.inside(4);
        let (head, high) = match self.random.below(4) {
            0 => (
                format!("for (int {name} = 1; {name} < {}; {name} *= 2)", bound.text),
                8,
            ),
            1 => (
                format!("for (int {name} = 1; {name} <= {}; {name} <<= 1)", bound.text),
                9,
            ),
            2 => (
                format!("for (int {name} = {}; {name} > 0; {name} /= 2)", bound.text),
                9,
            ),
            _ => (
                format!("for (int {name} = 1; {name} < {}; {name} += {name})", bound.text),
                8,
            ),
        };
        inner.scalars.push(counter(&name, 1, high));
        vec![Node::block(head, self.body(&inner))]
    }

    fn two_counters(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("second counter");
        let (i, j) = (self.name("i"), self.name("j"));
        let bound = self.parameter(scope);
        let mut inner = scope.inside(5);
        inner.scalars.push(counter(&i, 0, 8));
        inner.scalars.push(counter(&j, 0, 8));
        let head = match self.random.percent(50) {
            true => format!(
                "for (int {i} = 0, {j} = {} - 1; {i} < {j}; {i}++, {j}--)",
                bound.text
            ),
            false => format!(
                "for (int {i} = 0, {j} = 0; {i} < {}; {i}++, {j} = {i} / 2)",
                bound.text
            ),
        };
        vec![Node::block(head, self.body(&inner))]
    }

    /// A bound that the body changes.
    fn changing_bound(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("bound changes");
        let (i, e) = (self.name("i"), self.name("e"));
        let bound = self.parameter(scope);
        let mut inner = scope.inside(10);
        inner.may_continue = false;
        inner.scalars.push(counter(&i, 0, 9));
        let condition = self.condition(&inner);
        let mut body = self.body(&inner);
        body.push(Node::block(
            format!("if ({condition})"),
            vec![Node::line(format!("{e}--;"))],
        ));
        vec![
            Node::line(format!("int {e} = {};", bound.text)),
            Node::block(format!("for (int {i} = 0; {i} < {e}; {i}++)"), body),
        ]
    }

    /// A pointer to each row of a linearised matrix.
    fn rows(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("row pointers");
        let Some(array) = self.wide_array(scope, true) else {
            return self.while_loop(scope);
        };
        let (p, i, j) = (self.name("p"), self.name("i"), self.name("j"));
        let (rows, columns) = (self.parameter(scope), self.parameter(scope));
        let mut inner = scope.inside(9).inside(9);
        inner.scalars.push(counter(&i, 0, 8));
        inner.scalars.push(counter(&j, 0, 8));
        let value = self.value(&inner, array.element.floats());
        let at = self.random.word(&["", " + 1", " - 1"]);
        let ty = array.element.name();
        vec![Node::block(
            format!("for (int {i} = 0; {i} < {}; {i}++)", rows.text),
            vec![
                Node::line(format!("{ty} *{p} = {} + {i} * {};", array.name, columns.text)),
                Node::block(
                    format!("for (int {j} = 0; {j} < {}; {j}++)", columns.text),
                    vec![Node::line(format!("{p}[{j}{at}] = {value};"))],
                ),
            ],
        )]
    }

    /// A pointer that is moved from row to row.
    fn row_pointer(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("pointer walk");
        let Some(array) = self.wide_array(scope, true) else {
            return self.do_loop(scope);
        };
        let (p, i, j) = (self.name("p"), self.name("i"), self.name("j"));
        let (rows, columns) = (self.parameter(scope), self.parameter(scope));
        let ty = array.element.name();
        vec![
            Node::line(format!("{ty} *{p} = {};", array.name)),
            Node::block(
                format!("for (int {i} = 0; {i} < {}; {i}++)", rows.text),
                vec![
                    Node::block(
                        format!("for (int {j} = 0; {j} < {}; {j}++)", columns.text),
                        vec![Node::line(format!("{p}[{j}] = {i} + {j};"))],
                    ),
                    Node::line(format!("{p} += {};", columns.text)),
                ],
            ),
        ]
    }

    /// An array of the function that every iteration fills and then uses, all or a part of it, and that is perhaps used later.
    fn scratch(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("scratch array");
        let Some(array) = self.wide_array(scope, true) else {
            return self.do_loop(scope);
        };
        let (t, i, j) = (self.name("t"), self.name("i"), self.name("j"));
        let storage = self.random.word(&["", "static "]).to_owned();
        self.declarations.push(format!("{storage}int {t}[12] = {{0}};"));
        let start = self.start_in(scope, &array);
        let rows = self.parameter(scope);
        let mut inner = scope.inside(9).inside(9);
        inner.scalars.push(counter(&i, 0, 8));
        inner.scalars.push(counter(&j, 0, 8));
        let value = self.value(&inner, false);
        let mut fill = vec![Node::line(format!("{t}[{j}] = {value};"))];
        if self.random.percent(15) {
            fill = vec![Node::block(format!("if ({})", self.condition(&inner)), fill)];
        }
        let filled = self.parameter(scope).text;
        // What is used is filled, or nearly so.
        let (first, used) = match self.random.below(4) {
            0 => ("0", self.parameter(scope).text),
            1 => ("1", format!("({filled}) - 1")),
            2 => ("0", format!("({filled}) + 1")),
            _ => ("0", filled.clone()),
        };
        let near = self.random.word(&["", "", " - 1", " + 1"]);
        let near = if first == "0" && near == " - 1" { "" } else { near };
        let (target, of) = (
            format!("{}[({}) + 4 * {i} + {j}]", array.name, start.text),
            format!("{t}[{j}{near}]"),
        );
        let mut found = vec![Node::block(
            format!("for (int {i} = 0; {i} < {}; {i}++)", rows.text),
            vec![
                Node::block(format!("for (int {j} = 0; {j} < {filled}; {j}++)"), fill),
                Node::block(
                    format!("for (int {j} = {first}; {j} < {used}; {j}++)"),
                    vec![Node::line(format!("{target} = {of};"))],
                ),
            ],
        )];
        if self.random.percent(30) {
            let at = self.index(scope, 0, 11, false);
            found.push(Node::line(format!(
                "{}[{}] = {t}[{}];",
                array.name, start.text, at.text
            )));
        }
        found
    }

    /// `q[n][m]`, a parameter, within its extents.
    fn declared_shape(&mut self, scope: &Scope) -> Vec<Node> {
        if !scope.has("q") {
            return self.rows(scope);
        }
        self.note("declared shape");
        let (i, j) = (self.name("i"), self.name("j"));
        let around = self.random.between(0, 1);
        let mut inner = scope.inside(9).inside(9);
        inner.scalars.push(counter(&i, 0, 8));
        inner.scalars.push(counter(&j, 0, 8));
        let near = |maker: &mut Maker| {
            let mut at = |name: &str| match maker.random.between(-around, around) {
                -1 => format!("{name} - 1"),
                1 => format!("{name} + 1"),
                _ => name.to_owned(),
            };
            format!("q[{}][{}]", at(&i), at(&j))
        };
        let (target, one, other) = (near(self), near(self), near(self));
        let value = match self.random.percent(50) {
            true => format!("{one} + {other}"),
            false => self.value(&inner, false),
        };
        let low = match self.random.percent(25) && around == 0 {
            true => format!("{i} < m ? {i} : 0"),
            false => around.to_string(),
        };
        let mut body = vec![Node::line(format!("{target} = {value};"))];
        if self.random.percent(25) {
            body = vec![Node::block(format!("if ({})", self.condition(&inner)), body)];
        }
        vec![Node::block(
            format!("for (int {i} = {around}; {i} < q_rows - {around}; {i}++)"),
            vec![Node::block(
                format!("for (int {j} = {low}; {j} < q_columns - {around}; {j}++)")
                    .replace("< m ?", "< q_columns ?"),
                body,
            )],
        )]
    }

    /// A counter behind a pointer or in a global.
    fn counter_in_memory(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("counter in memory");
        let i = self.name("i");
        let bound = self.parameter(scope);
        let mut inner = scope.inside(9);
        inner.may_continue = false;
        inner.scalars.push(counter(&i, 0, 8));
        let Some(array) = self.wide_array(scope, true) else {
            return self.while_loop(scope);
        };
        let value = self.value(&inner, array.element.floats());
        let body = match self.random.below(3) {
            0 => vec![Node::line(format!("{}[shared++] = {value};", array.name))],
            1 => {
                let mut body = self.body(&inner);
                body.push(Node::line("shared += 2;"));
                body.push(Node::line(format!("{}[shared] = {value};", array.name)));
                body
            }
            _ => vec![
                Node::line(format!("if ({i} > shared) shared++;")),
                Node::line(format!("{}[{i}] = {value} + shared;", array.name)),
            ],
        };
        vec![
            Node::line("shared = 0;"),
            Node::block(format!("for (int {i} = 0; {i} < {}; {i}++)", bound.text), body),
        ]
    }

    /// Updates of elements that may repeat: by one operation, by two, with the old value used, or with another read of the object.
    fn histogram(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("histogram");
        let i = self.name("i");
        let bound = self.parameter(scope);
        let mut inner = scope.inside(9);
        inner.may_continue = false;
        inner.scalars.push(counter(&i, 0, 8));
        let Some(array) = self.wide_array(scope, true) else {
            return self.while_loop(scope);
        };
        let (low, high) = array.reach.first().copied().unwrap_or((0, 0));
        let element = |maker: &mut Maker| {
            // A few elements, so that iterations meet in them, or any.
            let most = if maker.random.percent(60) {
                low + 3
            } else {
                high - 1
            };
            let index = maker.index(&inner, low, most, false);
            format!("{}[{}]", array.name, index.text)
        };
        let operators: &[&str] = match array.element.floats() {
            true => &["+", "+", "-"],
            false => &["+", "+", "-", "^", "|", "&"],
        };
        let operator = self.random.pick(operators).copied().unwrap_or("+");
        let mut body = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            let place = element(self);
            let value = match self.random.percent(50) {
                true => self.random.between(1, 5).to_string(),
                false => self.value(&inner, array.element.floats()),
            };
            let line = match self.random.below(4) {
                0 if operator == "+" => format!("{place}++;"),
                1 => format!("{place} = {place} {operator} ({value});"),
                _ => format!("{place} {operator}= {value};"),
            };
            match self.random.percent(25) {
                true => {
                    let condition = self.condition(&inner);
                    body.push(Node::block(format!("if ({condition})"), vec![Node::line(line)]));
                }
                false => body.push(Node::line(line)),
            }
        }
        match self.random.below(8) {
            0 => {
                let other = self.random.pick(operators).copied().unwrap_or("+");
                let line = format!("{} {other}= {};", element(self), self.random.between(1, 3));
                body.push(Node::line(line));
            }
            1 => {
                let (to, from) = (element(self), element(self));
                body.push(Node::line(format!("{to} {operator}= {from};")));
            }
            2 => body.extend(self.body(&inner)),
            3 => {
                if let Some(kept) = self.wide_array(scope, true) {
                    let line = format!("{}[{i}] = {}++;", kept.name, element(self));
                    body.push(Node::line(line));
                }
            }
            _ => {}
        }
        vec![Node::block(
            format!("for (int {i} = 0; {i} < {}; {i}++)", bound.text),
            body,
        )]
    }

    /// The loop variable moves in the body, too.
    fn steps_in_the_body(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("loop variable changed");
        let name = self.name("i");
        let bound = self.parameter(scope);
        let mut inner = scope.inside(9);
        inner.scalars.push(counter(&name, -3, 9));
        let mut body = self.body(&inner);
        let condition = self.condition(&inner);
        let line = Node::line(format!("{name}++;"));
        body.push(Node::block(format!("if ({condition})"), vec![line]));
        let start = self.index(scope, -3, 9, true);
        vec![Node::block(
            format!(
                "for (int {name} = {}; {name} < {}; {name}++)",
                start.text, bound.text
            ),
            body,
        )]
    }
}

/// In parentheses.
fn paired(condition: &str) -> String {
    format!("({condition})")
}
