//! How is the condition of a verdict asked of a run? The report's text of it as a C expression.
//!
//! `a[0:n] and b[i:1][0:m] do not overlap, or a and b are the same pointer, n >= 4` becomes a comparison of addresses, one of
//! pointers, and `n >= 4`. Rows that are found through pointers (`the rows …`) have no expression: then there is none for
//! the whole, and the loop is judged as if its condition held. So is one whose expression the compiler refuses.

/// A C expression for the condition, if it has one.
pub(super) fn expression(condition: &str) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in split(condition, ',') {
        let part = part.trim();
        match part
            .strip_prefix("or ")
            .and_then(|part| part.strip_suffix(" are the same pointer"))
        {
            Some(pair) => {
                let (left, right) = pair.split_once(" and ")?;
                let same = format!("(char *){left} == (char *){right}");
                let last = parts.last_mut()?;
                *last = format!("({last} || {same})");
            }
            None => parts.push(format!("({})", one(part)?)),
        }
    }
    (!parts.is_empty()).then(|| parts.join(" && "))
}

fn one(part: &str) -> Option<String> {
    let Some(pair) = part.strip_suffix(" do not overlap") else {
        // What is left is C, or words of which nothing is known.
        return (!part.contains(" do not overlap") && !part.starts_with("the ")).then(|| part.to_owned());
    };
    let (left, right) = pair.split_once(" and ")?;
    if left.starts_with("the ") || right.starts_with("the ") {
        return None;
    }
    let (left, right) = (section(left)?, section(right)?);
    let mut empty: Vec<String> = left
        .lengths
        .iter()
        .chain(&right.lengths)
        .map(|length| format!("({length}) <= 0"))
        .collect();
    empty.push(format!("{} <= {}", left.past, right.first));
    empty.push(format!("{} <= {}", right.past, left.first));
    Some(empty.join(" || "))
}

/// The first byte of a section and past its last one, and its lengths.
struct Section {
    first: String,
    past: String,
    lengths: Vec<String>,
}

/// `p[i][lo:len]`; a name without a section stands for all of a variable.
fn section(text: &str) -> Option<Section> {
    let open = text.find('[').unwrap_or(text.len());
    let name = text.get(..open)?;
    let (mut first, mut last, mut lengths) = (name.to_owned(), name.to_owned(), Vec::new());
    let mut rest = text.get(open..)?;
    while !rest.is_empty() {
        let close = closing(rest)?;
        let inside = rest.get(1..close)?;
        match colon(inside) {
            Some(at) => {
                let (low, length) = (inside.get(..at)?, inside.get(at + 1..)?);
                first += &format!("[{low}]");
                last += &format!("[({low}) + ({length}) - 1]");
                lengths.push(length.to_owned());
            }
            None => {
                first += &format!("[{inside}]");
                last += &format!("[{inside}]");
            }
        }
        rest = rest.get(close + 1..)?;
    }
    Some(Section {
        first: format!("(char *)&({first})"),
        past: format!("(char *)(&({last}) + 1)"),
        lengths,
    })
}

/// Where the bracket that `text` begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The colon that belongs to no `?` and stands in no bracket.
fn colon(text: &str) -> Option<usize> {
    let (mut depth, mut chosen) = (0_usize, 0_usize);
    for (at, letter) in text.char_indices() {
        match letter {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.checked_sub(1)?,
            '?' if depth == 0 => chosen += 1,
            ':' if depth == 0 && chosen == 0 => return Some(at),
            ':' if depth == 0 => chosen -= 1,
            _ => {}
        }
    }
    None
}

fn split(text: &str, at: char) -> Vec<&str> {
    let mut depth = 0_i32;
    text.split(|letter| {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        letter == at && depth <= 0
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_written_in_c() {
        assert_eq!(
            expression("n >= 4 || m <= f(n, 2)").as_deref(),
            Some("(n >= 4 || m <= f(n, 2))")
        );
        assert_eq!(
            expression("a[0:n] and s do not overlap, or a and s are the same pointer, n > 0").as_deref(),
            Some(
                "(((n) <= 0 || (char *)(&(a[(0) + (n) - 1]) + 1) <= (char *)&(s) || (char *)(&(s) + 1) <= (char *)&(a[0])) \
                 || (char *)a == (char *)s) && (n > 0)"
            )
        );
        // The colon of a section is not one of `?`.
        let found = section("d[d[2] <= 0 ? 2 : 1:(-m) + 3][i]").unwrap();
        assert_eq!(
            (found.first.as_str(), found.lengths.len()),
            ("(char *)&(d[d[2] <= 0 ? 2 : 1][i])", 1)
        );
    }

    #[test]
    fn what_has_no_expression_has_none() {
        assert_eq!(expression("the rows w[0:n][0:m] do not overlap each other"), None);
        assert_eq!(
            expression("n > 0, the rows w[0:n][0:m] and a[0:n] do not overlap"),
            None
        );
        assert_eq!(expression("or a and b are the same pointer"), None);
        assert_eq!(expression("a[0:n and b do not overlap"), None);
    }
}
