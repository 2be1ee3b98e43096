//! Does what the trace saw agree with what a verdict says of a loop?
//!
//! A loop that is called parallel must carry no dependence, except on exactly the objects that the verdict lists, and
//! each listed object must behave as its role says. A section must contain what was touched, or be contained in it, or
//! equal it. Every disagreement is one line.

use std::collections::BTreeSet;

use super::between::begins_update;
use super::{
    Bound, Claim, Dependence, DependenceKind, LoopRequest, Object, Role, Touched, TracedLoop, Updates,
};

/// What speaks against calling this loop parallel with the claims of its request.
pub fn against_parallel(found: &TracedLoop) -> Vec<String> {
    let mut against = Vec::new();
    for dependence in &found.dependences {
        match dependence.claim.and_then(|index| found.request.claims.get(index)) {
            Some(claim) => against.extend(against_claim(claim, dependence)),
            None if is_private_by_nature(dependence) || is_between_updates(found, dependence) => {}
            None => against.push(say(dependence)),
        }
    }
    for live in &found.live {
        let Some(claim) = live.claim.and_then(|index| found.request.claims.get(index)) else {
            continue;
        };
        let name = &claim.object;
        match claim.role {
            Role::Private | Role::LastPrivate if live.enters => {
                against.push(format!(
                    "`{name}` is {}, but its value from before the loop is read",
                    role(&claim.role)
                ));
            }
            Role::Private | Role::FirstPrivate if live.leaves => {
                against.push(format!(
                    "`{name}` is {}, but its value is read after the loop",
                    role(&claim.role)
                ));
            }
            Role::LastPrivate if live.leaves_not_last => {
                against.push(format!(
                    "`{name}` is lastprivate, but not every last iteration writes it"
                ));
            }
            _ => {}
        }
    }
    for (index, claim) in found.request.claims.iter().enumerate() {
        if let Role::Reduction(operator) = &claim.role {
            against.extend(against_reduction(found, index, claim, operator));
        }
    }
    against.sort();
    against.dedup();
    against
}

/// Variables declared inside the loop; and temporaries of the compiler (what belongs to no line, such as the slots that
/// remember how a scope was left), which are written before they are read.
fn is_private_by_nature(dependence: &Dependence) -> bool {
    match &dependence.object {
        Object::Variable { inside, .. } => *inside,
        Object::Unnamed { .. } => {
            dependence.kind != DependenceKind::Flow || dependence.from.line == 0 || dependence.to.line == 0
        }
        _ => false,
    }
}

/// Both ends stand in lines that are said to update one object, or to set it to one value, and their text is such statements.
fn is_between_updates(found: &TracedLoop, dependence: &Dependence) -> bool {
    let text = std::fs::read_to_string(&found.file).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    found.request.updates.iter().any(|updates| {
        if updates.operator == "write" {
            let [from, to] = [&dependence.from, &dependence.to].map(|place| {
                let line = (place.line as usize).checked_sub(1)?;
                let is_its = place.file == found.file && updates.lines.contains(&place.line);
                value_set(lines.get(line).filter(|_| is_its)?, &updates.object)
            });
            return dependence.kind == DependenceKind::Output && from.is_some() && from == to;
        }
        [&dependence.from, &dependence.to].into_iter().all(|place| {
            let line = (place.line as usize).saturating_sub(1);
            let of_line =
                |line: usize| u32::try_from(line + 1).is_ok_and(|line| updates.lines.contains(&line));
            let code = |line: usize| {
                lines
                    .get(line)
                    .map(|line| line.split("//").next().unwrap_or_default())
            };
            let updates_it = |code: Option<&str>| {
                code.is_some_and(|code| is_update(code, &updates.object, &updates.operator))
            };
            // A guarded minimum or maximum may have its test in one line and its assignment in the next.
            let guarded = |first: usize| {
                let test = code(first).filter(|test| !test.contains(';') && of_line(first));
                let both = test
                    .zip(code(first + 1))
                    .map(|(test, then)| format!("{test} {then}"));
                updates_it(both.as_deref())
            };
            let chosen = matches!(&*updates.operator, "min" | "max");
            place.file == found.file
                && (of_line(line) && updates_it(code(line))
                    || chosen && (guarded(line) || line.checked_sub(1).is_some_and(guarded)))
        })
    })
}

/// What a line sets the object to, if the one time that it names it is in front of an assignment.
fn value_set(line: &str, object: &str) -> Option<String> {
    let line = line.split("//").next().unwrap_or_default();
    let text: String = line.split_whitespace().collect();
    let object: String = object.split_whitespace().collect();
    let mut sets = text
        .split([';', '{', '}'])
        .filter(|part| mentions(part, &object) > 0);
    let (set, None) = (sets.next()?, sets.next()) else {
        return None;
    };
    let (place, value) = set.split_once('=')?;
    let updates = place.ends_with(|last: char| "+-*/%&|^<>!".contains(last));
    let plain =
        !updates && mentions(place, &object) == 1 && mentions(value, &object) == 0 && !value.contains('=');
    plain.then(|| value.to_owned())
}

/// True if a line names the object only in updates by the operator: once in each of its statements, or twice in `x = x op e`.
fn is_update(line: &str, object: &str, operator: &str) -> bool {
    let line = line.split("//").next().unwrap_or_default();
    let text: String = line.split_whitespace().collect();
    let object: String = object.split_whitespace().collect();
    if matches!(operator, "min" | "max") {
        return text.split(';').all(|part| chooses(part, &object));
    }
    let mut parts = text.split([';', ',', '?', ':']);
    parts.all(|part| match mentions(part, &object) {
        0 => true,
        named => updates(part, operator).is_some_and(|most| named <= most),
    })
}

/// True if a statement does not name the object, or may leave the greater or the lesser of one element and a value there: `if (e > x) x = e`, `x = e > x ? e : x`, `x = fmax(x, e)`.
fn chooses(statement: &str, object: &str) -> bool {
    let compares = statement.contains(['<', '>']);
    let most = match () {
        () if statement.contains('?') => compares.then_some(3),
        () if statement.contains("if(") => compares.then_some(2),
        () => statement.contains('(').then_some(2),
    };
    match mentions(statement, object) {
        0 => true,
        named => statement.contains('=') && named >= 2 && most.is_some_and(|most| named <= most),
    }
}

/// How often a text names an object.
pub(super) fn mentions(text: &str, object: &str) -> usize {
    let is_letter =
        |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let whole = |(at, found): &(usize, &str)| {
        !is_letter(text[..*at].chars().next_back()) && !is_letter(text[at + found.len()..].chars().next())
    };
    text.match_indices(object).filter(whole).count()
}

/// How often a statement that updates something by an operator names it at most.
fn updates(text: &str, operator: &str) -> Option<usize> {
    let operators: &[&str] = match operator {
        "+" => &["+", "-"],
        _ => &[operator],
    };
    let steps = operator == "+" && (text.contains("++") || text.contains("--"));
    let compound = || operators.iter().any(|one| text.contains(&format!("{one}=")));
    let plain = || text.contains('=') && operators.iter().any(|one| text.contains(one));
    match steps || compound() {
        true => Some(1),
        false => plain().then_some(2),
    }
}

fn role(role: &Role) -> &'static str {
    match role {
        Role::Private => "private",
        Role::FirstPrivate => "firstprivate",
        Role::LastPrivate => "lastprivate",
        Role::Reduction(_) => "a reduction variable",
        Role::Induction => "the induction variable",
    }
}

fn against_claim(claim: &Claim, dependence: &Dependence) -> Option<String> {
    let private = matches!(claim.role, Role::Private | Role::FirstPrivate | Role::LastPrivate);
    (private && dependence.kind == DependenceKind::Flow).then(|| {
        format!(
            "`{}` is {}, but {}",
            claim.object,
            role(&claim.role),
            say(dependence)
        )
    })
}

/// A reduction variable is read and written by the same statements: on every line that reads it, it is written too, or what is read is handed on to such a line.
/// For `min` and `max` a condition may read it on a line of its own.
fn against_reduction(found: &TracedLoop, index: usize, claim: &Claim, operator: &str) -> Option<String> {
    if matches!(operator, "min" | "max") {
        return None;
    }
    let claimed = found.claimed.iter().find(|claimed| claimed.claim == index)?;
    let written: BTreeSet<_> = claimed
        .written_at
        .iter()
        .map(|place| (&place.file, place.line))
        .collect();
    let stray = claimed
        .read_at
        .iter()
        .filter(|place| !written.contains(&(&place.file, place.line)))
        .find(|place| {
            let text = std::fs::read_to_string(&place.file).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            let is_written = |line: u32| written.contains(&(&place.file, line));
            !begins_update(&lines, place.line, &is_written, &claim.object, operator)
        })?;
    Some(format!(
        "`{}` is a reduction variable, but line {} reads it without updating it",
        claim.object, stray.line
    ))
}

fn say(dependence: &Dependence) -> String {
    let kind = match dependence.kind {
        DependenceKind::Flow => "flow",
        DependenceKind::Anti => "anti",
        DependenceKind::Output => "output",
    };
    let (shortest, longest) = (dependence.shortest, dependence.longest);
    let distance = if shortest == longest {
        shortest.to_string()
    } else {
        format!("{shortest} to {longest}")
    };
    format!(
        "{kind} dependence on {} from line {}:{} to line {}:{}, distance {distance}",
        dependence.object,
        dependence.from.line,
        dependence.from.column,
        dependence.to.line,
        dependence.to.column
    )
}

/// What speaks against the section claims of this loop's request, in its first few instances.
pub fn against_sections(found: &TracedLoop) -> Vec<String> {
    let mut against = Vec::new();
    for entry in &found.entries {
        for (index, section) in found.request.sections.iter().enumerate() {
            let value = |offset: usize| entry.values.get(2 * index + offset).copied();
            let (Some(start), Some(bytes)) = (value(0), value(1)) else {
                continue;
            };
            let of_instance = found
                .touched
                .iter()
                .filter(|touched| touched.instance == Some(entry.number));
            // An empty section may point anywhere: then it is compared with the object that its start lies in, if any.
            let object = of_instance.clone().find(|touched| holds(touched, start, bytes));
            let runs = object.map_or(&[][..], |touched| {
                if section.writes {
                    &touched.writes
                } else {
                    &touched.reads
                }
            });
            let base = object.map_or(start, |touched| touched.base);
            let (first, past) = (start - base, start - base + bytes.max(0));
            if let Some(why) = mismatch(section.bound, runs, first, past) {
                let what = if section.writes { "written" } else { "read" };
                against.push(format!(
                    "instance {}: bytes {what} from {}, {} bytes: {why}",
                    entry.number, section.start, bytes
                ));
            }
        }
    }
    against
}

fn holds(touched: &Touched, start: i64, bytes: i64) -> bool {
    let size = i64::try_from(touched.size).unwrap_or(i64::MAX);
    start >= touched.base
        && (start < touched.base.saturating_add(size) || (bytes <= 0 && start == touched.base + size))
}

fn mismatch(bound: Bound, runs: &[(i64, i64)], first: i64, past: i64) -> Option<String> {
    let outside = runs.iter().find(|run| run.0 < first || run.1 > past);
    let inside = |run: &&(i64, i64)| run.0 < past && run.1 > first;
    let covered: i64 = runs
        .iter()
        .filter(inside)
        .map(|run| run.1.min(past) - run.0.max(first))
        .sum();
    if let (Bound::May | Bound::Hull | Bound::Exact, Some(run)) = (bound, outside) {
        return Some(format!(
            "bytes {}..{} are touched too (the claim is {first}..{past})",
            run.0, run.1
        ));
    }
    if matches!(bound, Bound::Must | Bound::Exact) && covered != past - first {
        return Some(format!("only {covered} of {} bytes are touched", past - first));
    }
    if bound == Bound::Hull && past > first {
        let hull = (runs.first().map(|run| run.0), runs.last().map(|run| run.1));
        if hull != (Some(first), Some(past)) {
            return Some(format!("the touched bytes span {hull:?}, not {first}..{past}"));
        }
    }
    None
}

/// What a marker `// loop: VERDICT, FACT, …` says (see `tests/programs/README.md`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// The verdict's word.
    pub verdict: String,
    /// The request with the facts as claims.
    pub request: LoopRequest,
}

/// The markers of a text: one for each line that has one.
pub fn markers(text: &str, file: usize) -> Vec<Marker> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some((_, rest)) = line.split_once("// loop:") else {
            continue;
        };
        let rest = rest.split("//").next().unwrap_or(rest).trim();
        let mut facts = split_outside_brackets(rest).into_iter();
        let verdict = facts.next().unwrap_or_default().trim().to_owned();
        let mut request = LoopRequest {
            file,
            line: u32::try_from(index + 1).unwrap_or(u32::MAX),
            ..LoopRequest::default()
        };
        for fact in facts {
            let fact = fact.trim();
            if fact.starts_with("because") {
                break;
            }
            let Some((name, inner)) = fact.strip_suffix(')').and_then(|fact| fact.split_once('(')) else {
                continue;
            };
            let role = |operator: &str| match name {
                "private" => Some(Role::Private),
                "firstprivate" => Some(Role::FirstPrivate),
                "lastprivate" => Some(Role::LastPrivate),
                "reduction" => Some(Role::Reduction(operator.to_owned())),
                _ => None,
            };
            let (operator, objects) = match inner.split_once(':') {
                Some((operator, objects)) if matches!(name, "reduction" | "atomic" | "section") => {
                    (operator.trim(), objects)
                }
                _ => ("", inner),
            };
            for object in split_outside_brackets(objects) {
                if matches!(name, "atomic" | "section") {
                    request.updates.push(updates_of(text, object.trim(), operator));
                }
                if let Some(role) = role(operator) {
                    request.claims.push(Claim {
                        object: object.trim().to_owned(),
                        role,
                    });
                }
            }
        }
        request.claims.extend(inductions_of(line));
        found.push(Marker { verdict, request });
    }
    found
}

/// The variables whose closed forms a remark gives: `// induction: k is 2 * i, p is a + i`.
fn inductions_of(line: &str) -> Vec<Claim> {
    let remarks = line
        .split("//")
        .filter_map(|part| part.trim().strip_prefix("induction:"));
    let forms = remarks.flat_map(split_outside_brackets);
    let variable = |form: &str| {
        let (name, _) = form.trim().split_once(" is ")?;
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        name.chars().all(is_name).then(|| Claim {
            object: name.to_owned(),
            role: Role::Induction,
        })
    };
    forms.filter_map(variable).collect()
}

/// The updates of an object that a marker speaks of: every line that names it. Whether it is such an update is seen by its text.
fn updates_of(text: &str, object: &str, operator: &str) -> Updates {
    let named: String = object.split_whitespace().collect();
    let names = |line: &str| {
        let code: String = line
            .split("//")
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        mentions(&code, &named) > 0
    };
    let lines = (1u32..).zip(text.lines()).filter(|(_, line)| names(line));
    Updates {
        object: object.to_owned(),
        operator: operator.to_owned(),
        lines: lines.map(|(number, _)| number).collect(),
    }
}

fn split_outside_brackets(text: &str) -> Vec<&str> {
    let mut depth = 0i32;
    text.split(|character| {
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        character == ',' && depth <= 0
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_sets_an_object_to_one_value() {
        assert_eq!(
            value_set("if (a[i] > 3) *failed = 1; // x", "failed").as_deref(),
            Some("1")
        );
        assert_eq!(
            value_set("{ b[k[i]] = -0.5; c = 2; }", "b").as_deref(),
            Some("-0.5")
        );
        for line in [
            "b[b[i]] = 1;",
            "b[i] = b[j];",
            "b[i] += 1;",
            "x = b[i];",
            "b[i] = c = 1;",
            "b[0] = 1; b[1] = 2;",
        ] {
            assert_eq!(value_set(line, "b"), None, "{line}");
        }
    }

    #[test]
    fn a_marker_is_read_with_its_facts() {
        let text = "x;\nfor (;;) // loop: parallel, reduction(+:C[i * n + j]), private(t, u) // stronger: no // induction: k is f(i, 2), every pointer moves by one\n";
        let found = markers(text, 0);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (found[0].verdict.as_str(), found[0].request.line),
            ("parallel", 2)
        );
        let claims: Vec<_> = found[0]
            .request
            .claims
            .iter()
            .map(|claim| (claim.object.as_str(), claim.role.clone()))
            .collect();
        let expected = [
            ("C[i * n + j]", Role::Reduction("+".into())),
            ("t", Role::Private),
            ("u", Role::Private),
            ("k", Role::Induction),
        ];
        assert_eq!(claims, expected);
    }

    #[test]
    fn sections_are_compared_by_their_bound() {
        let runs = [(0, 8), (16, 24)];
        assert_eq!(mismatch(Bound::May, &runs, 0, 24), None);
        assert!(mismatch(Bound::May, &runs, 0, 20).is_some());
        assert_eq!(mismatch(Bound::Must, &runs, 16, 24), None);
        assert!(mismatch(Bound::Must, &runs, 0, 24).is_some());
        assert_eq!(mismatch(Bound::Hull, &runs, 0, 24), None);
        assert!(mismatch(Bound::Hull, &runs, 0, 32).is_some());
        assert!(mismatch(Bound::Exact, &runs, 0, 24).is_some());
        assert_eq!(mismatch(Bound::Exact, &runs[..1], 0, 8), None);
        assert_eq!(mismatch(Bound::Exact, &[], 40, 40), None);
    }

    #[test]
    fn updates_are_read() {
        for (line, object, operator) in [
            ("h[k[i]]++; // h", "h", "+"),
            ("h[k[i]]++, --h[j];", "h", "+"),
            ("h[k] = h[k] - 2 * x;", "h", "+"),
            ("if (x) s->h[k] ^= 1; else s->h[j] ^= i;", "s->h", "^"),
            ("if (x > h[k]) h[k] = x;", "h", "max"),
            ("h[k] = h[k] < x ? h[k] : x;", "h", "min"),
            ("h[k] = fmax(h[k], x);", "h", "max"),
            ("h[k] = h[k] && x;", "h", "&&"),
        ] {
            assert!(is_update(line, object, operator), "{line}");
        }
        for (line, object, operator) in [
            ("h[h[i]]++;", "h", "+"),
            ("h[k] += h[j];", "h", "+"),
            ("h[k] *= 2;", "h", "+"),
            ("x = h[k];", "h", "+"),
            ("h[k]++; x = h[j];", "h", "+"),
            ("if (x > h[k]) h[k] = h[j];", "h", "max"),
            ("h[k] = x;", "h", "max"),
            ("h[k] += x;", "h", "min"),
        ] {
            assert!(!is_update(line, object, operator), "{line}");
        }
    }
}
