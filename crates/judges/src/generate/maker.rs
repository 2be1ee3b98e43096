//! One generated function: what it has so far, and the statements of its body.

use super::expressions::Ranged;
use super::random::Random;
use super::scope::{Array, Element, Scalar, Scope};
use super::tree::Node;
use std::collections::BTreeSet;

/// The most often that the innermost statement of a function runs in one call.
const TIMES: i64 = 1500;

/// Makes the parts of one function.
pub struct Maker {
    /// Where chance comes from.
    pub random: Random,
    /// What it has, for the distribution.
    pub features: BTreeSet<&'static str>,
    /// Only affine bounds, subscripts and conditions.
    pub affine_only: bool,
    /// Functions that it may call, with what they give.
    pub helpers: Vec<super::helpers::Helper>,
    /// Declarations at the beginning of the function.
    pub declarations: Vec<String>,
    names: usize,
    statements: usize,
}

impl Maker {
    /// Nothing yet.
    pub fn new(random: Random, affine_only: bool) -> Maker {
        Maker {
            random,
            features: BTreeSet::new(),
            affine_only,
            helpers: Vec::new(),
            declarations: Vec::new(),
            names: 0,
            statements: 0,
        }
    }

    /// It has this.
    pub fn note(&mut self, feature: &'static str) {
        self.features.insert(feature);
    }

    /// A new name.
    pub fn name(&mut self, first: &str) -> String {
        self.names += 1;
        format!("{first}{}", self.names)
    }

    /// Some statements.
    pub fn body(&mut self, scope: &Scope) -> Vec<Node> {
        let mut found = Vec::new();
        let count = self.random.pick(&[1, 1, 2, 2, 3]).copied().unwrap_or(1);
        for _ in 0..count {
            found.extend(self.statement(scope));
        }
        found
    }

    /// One statement, or a few that belong together.
    pub fn statement(&mut self, scope: &Scope) -> Vec<Node> {
        self.statements += 1;
        if self.statements > 14 {
            return vec![self.assignment(scope)];
        }
        let deep = scope.depth >= 4 || scope.times > TIMES / 2;
        let loops = match scope.depth {
            0 => 75,
            1 => 40,
            2 => 22,
            _ => 10,
        };
        if !deep && self.random.percent(loops) {
            return self.some_loop(scope);
        }
        if self.affine_only {
            if self.random.percent(20) {
                return self.guarded(scope);
            }
            return vec![self.assignment(scope)];
        }
        if !self.helpers.is_empty() && self.random.percent(20) {
            return self.call(scope);
        }
        match self.random.below(100) {
            0..=15 => self.guarded(scope),
            16..=20 => self.switch(scope),
            21..=27 => self.leave(scope),
            28..=33 => vec![self.scalar_change(scope)],
            34..=41 => self.call(scope),
            42..=45 => self.local_array(scope),
            46..=48 => self.library_call(scope),
            _ => vec![self.assignment(scope)],
        }
    }

    /// A store to an element.
    pub fn assignment(&mut self, scope: &Scope) -> Node {
        let writable: Vec<Array> = scope
            .arrays
            .iter()
            .filter(|array| array.writable)
            .cloned()
            .collect();
        let Some(array) = self.random.pick(&writable).cloned() else {
            return Node::line(";");
        };
        if self.random.percent(10) && scope.scalars.iter().any(|scalar| scalar.name == "sum") {
            return Node::line(format!("total += {};", self.value(scope, true)));
        }
        let floats = array.element.floats();
        let target = self.element(scope, &array, false);
        if let Some((low, high)) = array.values {
            let value = self.index(scope, low, high, false);
            return Node::line(format!("{target} = {};", value.text));
        }
        let (one, other) = (self.value(scope, floats), self.value(scope, floats));
        let sign = self.random.word(&["+", "-"]);
        let text = match self.random.below(8) {
            0..=2 => format!("{target} = {one};"),
            3..=4 => format!("{target} = {one} {sign} {other};"),
            5 => format!("{target} {sign}= {one};"),
            6 if !floats => format!("{target}++;"),
            _ => format!("{target} = {target} {sign} {one};"),
        };
        Node::line(text)
    }

    /// `if`, with or without `else`.
    fn guarded(&mut self, scope: &Scope) -> Vec<Node> {
        let mut condition = self.condition(scope);
        if condition.contains('=') && self.random.percent(10) {
            condition = format!("!({condition})");
        }
        let mut parts = vec![(format!("if ({condition}) {{"), self.body(scope))];
        if self.random.percent(35) {
            self.note("else");
            parts.push(("} else {".to_owned(), self.body(scope)));
        }
        vec![Node::Nest(parts)]
    }

    fn switch(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("switch");
        let on = self.integer(scope);
        let mut parts = vec![(format!("switch ({} & 3) {{", on.operand()), Vec::new())];
        let inner = Scope {
            may_break: false,
            ..scope.clone()
        };
        for number in 0..self.random.between(1, 3) {
            let mut body = self.body(&inner);
            if self.random.percent(75) {
                body.push(Node::line("break;"));
            } else {
                body.push(Node::line(";"));
            }
            parts.push((format!("case {number}:"), body));
        }
        if self.random.percent(50) {
            let mut body = self.body(&inner);
            body.push(Node::line(";"));
            parts.push(("default:".to_owned(), body));
        }
        vec![Node::Nest(parts)]
    }

    /// A guarded way out.
    fn leave(&mut self, scope: &Scope) -> Vec<Node> {
        let condition = self.condition(scope);
        let line = match self.random.below(10) {
            0..=3 if scope.may_break => "break;",
            4..=6 if scope.may_continue => "continue;",
            7 => {
                self.note("goto");
                "goto out;"
            }
            8 => "return 1;",
            _ if scope.may_continue => "continue;",
            _ => "return 2;",
        };
        match line {
            "break;" => self.note("break"),
            "continue;" => self.note("continue"),
            "goto out;" => {}
            _ => self.note("early return"),
        }
        vec![Node::block(format!("if ({condition})"), vec![Node::line(line)])]
    }

    /// Another value for a variable or parameter.
    pub fn scalar_change(&mut self, scope: &Scope) -> Node {
        let all: Vec<Scalar> = scope
            .scalars
            .iter()
            .filter(|scalar| scalar.assignable)
            .cloned()
            .collect();
        let Some(scalar) = self.random.pick(&all).cloned() else {
            return self.assignment(scope);
        };
        self.note("scalar changed");
        let value = self.index(scope, scalar.low, scalar.high, false);
        let (name, low, high) = (&scalar.name, scalar.low, scalar.high);
        match self.random.below(4) {
            0 => Node::line(format!("{name} = {name} < {high} ? {name} + 1 : {low};")),
            1 => Node::block(
                format!("if ({name} > {})", low + 1),
                vec![Node::line(format!("{name} -= 2;"))],
            ),
            _ => Node::line(format!("{name} = {};", value.text)),
        }
    }

    /// An array of the function, all of it written, then used.
    fn local_array(&mut self, scope: &Scope) -> Vec<Node> {
        self.note("local array");
        let name = self.name("t");
        let i = self.name("i");
        let mut inner = scope.inside(12);
        inner.scalars.push(counter(&i, 0, 11));
        let value = self.value(&inner, false);
        let mut found = vec![
            Node::line(format!("int {name}[12];")),
            Node::block(
                format!("for (int {i} = 0; {i} < 12; {i}++)"),
                vec![Node::line(format!("{name}[{i}] = {value};"))],
            ),
        ];
        let mut after = scope.clone();
        after.arrays.push(Array {
            name,
            member: "",
            element: Element::Int,
            reach: vec![(0, 11)],
            writable: true,
            values: None,
            feature: None,
        });
        found.extend(self.body(&after));
        // Its name ends with the block.
        vec![Node::block("", found)]
    }

    fn library_call(&mut self, scope: &Scope) -> Vec<Node> {
        let wide: Vec<Array> = scope
            .arrays
            .iter()
            .filter(|array| array.writable && array.values.is_none() && array.member.is_empty())
            .filter(|array| array.reach.len() == 1 && array.reach.iter().all(|(low, high)| high - low > 40))
            .cloned()
            .collect();
        let Some(array) = self.random.pick(&wide).cloned() else {
            return vec![self.assignment(scope)];
        };
        self.note("call of the library");
        let Some((low, high)) = array.reach.first().copied() else {
            return Vec::new();
        };
        let at = self.index(scope, low, high - 16, true);
        let size = self.index(scope, 0, 15, true);
        let size = if size.low < 0 { Ranged::number(3) } else { size };
        let name = &array.name;
        vec![Node::line(format!(
            "memset(&{name}[{}], 0, (size_t)({}) * sizeof {name}[0]);",
            at.text, size.text
        ))]
    }

    /// Any loop.
    fn some_loop(&mut self, scope: &Scope) -> Vec<Node> {
        if self.affine_only || self.random.percent(66) {
            return self.for_loop(scope);
        }
        self.idiom(scope)
    }

    /// A `for` with affine or other bounds.
    fn for_loop(&mut self, scope: &Scope) -> Vec<Node> {
        let name = self.name("i");
        let left = (TIMES / scope.times.max(1)).max(1);
        let outer: Vec<Scalar> = scope
            .scalars
            .iter()
            .filter(|scalar| scalar.counts)
            .cloned()
            .collect();
        let mut low = match self.random.below(10) {
            0..=4 => Ranged::number(0),
            5 => Ranged::number(1),
            6 | 7 if !outer.is_empty() => {
                self.note("triangular or skewed");
                self.variable(scope)
            }
            _ => self.integer(scope),
        };
        let mut high = match self.random.below(10) {
            0..=4 => self.parameter(scope),
            5 => Ranged::number(self.random.between(2, 9)),
            _ => self.integer(scope),
        };
        if low.low < -60 || low.high > 60 {
            low = Ranged::number(0);
        }
        if high.high - low.low > left.min(40) || high.high > 100 || high.low < -100 {
            high = Ranged::number(low.high.max(0) + self.random.between(0, left.min(6)));
        }
        if !low.affine || !high.affine {
            self.note("bound not affine");
        }
        let ty = match self.random.below(20) {
            0 if !self.affine_only => "long",
            1 if !self.affine_only => "short",
            2 if !self.affine_only && low.low >= 0 => "unsigned char",
            3 if !self.affine_only && low.low >= 0 && high.low >= 0 => "unsigned",
            _ => "int",
        };
        if ty != "int" {
            self.note("narrow or unsigned");
        }
        let step = self
            .random
            .pick(&[1, 1, 1, 1, 1, 1, 2, 3, 4])
            .copied()
            .unwrap_or(1);
        if step != 1 {
            self.note("step not one");
        }
        let (first, past) = (low.text.clone(), high.text.clone());
        let head = match self.random.below(10) {
            0 | 1 if ty != "unsigned" && ty != "unsigned char" => {
                self.note("step negative");
                let change = if step == 1 {
                    format!("{name}--")
                } else {
                    format!("{name} -= {step}")
                };
                match self.random.percent(50) {
                    true => format!("for ({ty} {name} = {past} - 1; {name} >= {first}; {change})"),
                    false => format!("for ({ty} {name} = {past} - 1; {name} > {first} - 1; {change})"),
                }
            }
            2 => format!("for ({ty} {name} = {first}; {name} <= {past} - 1; {name} += {step})"),
            3 if !self.affine_only && low.high <= high.low && step == 1 => {
                format!("for ({ty} {name} = {first}; {name} != {past}; {name}++)")
            }
            _ if step == 1 => format!("for ({ty} {name} = {first}; {name} < {past}; {name}++)"),
            _ => format!("for ({ty} {name} = {first}; {name} < {past}; {name} += {step})"),
        };
        let trips = (high.high - low.low).max(1);
        let mut inner = scope.inside(trips);
        // Differences of unsigned numbers would wrap.
        let shown = if ty == "unsigned" {
            format!("(int){name}")
        } else {
            name
        };
        inner
            .scalars
            .push(counter(&shown, low.low, (high.high - 1).max(low.low)));
        vec![Node::block(head, self.body(&inner))]
    }

    /// `n`, `m` or `k`, or a member that is a size.
    pub fn parameter(&mut self, scope: &Scope) -> Ranged {
        let sizes: Vec<&Scalar> = scope
            .scalars
            .iter()
            .filter(|scalar| !scalar.counts && scalar.low >= -3 && scalar.high <= 9)
            .filter(|scalar| scalar.affine || !self.affine_only)
            .collect();
        match self.random.pick(&sizes) {
            Some(scalar) => Ranged {
                text: scalar.name.clone(),
                low: scalar.low,
                high: scalar.high,
                affine: scalar.affine,
                simple: true,
            },
            None => Ranged::number(5),
        }
    }
}

/// A loop variable.
pub fn counter(name: &str, low: i64, high: i64) -> Scalar {
    Scalar {
        name: name.to_owned(),
        low,
        high,
        affine: true,
        assignable: false,
        counts: true,
    }
}
