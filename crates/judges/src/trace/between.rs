//! Does a line that reads a reduced variable hand its value on, through variables that nothing else reads, to a line that updates it?
//!
//! `t = s + a[i];` and then `s = t;`, by the text of the lines: assignments to plain variables, one a line, the operator in one of them, and no other use of these
//! variables in the block around. Whether they are used behind the loop is seen in the run, by their own role.

/// How many lines the update may take.
const LINES: usize = 6;

/// True if the line with this number (from 1) begins an update of the object that one of the `written` lines ends.
pub(super) fn begins_update(
    lines: &[&str],
    line: u32,
    written: &dyn Fn(u32) -> bool,
    object: &str,
    operator: &str,
) -> bool {
    let code = |number: usize| {
        lines
            .get(number)
            .map_or("", |line| line.split("//").next().unwrap_or_default().trim())
    };
    let first = (line as usize).saturating_sub(1);
    let mut carrying: Vec<&str> = Vec::new();
    let mut operates = false;
    for number in first..first + LINES {
        let Some((to, how, from)) = assignment(code(number)) else {
            return false;
        };
        let reads = |name: &str| super::claims::mentions(from, name) > 0;
        let hands_on = reads(object) || carrying.iter().any(|name| reads(name));
        let does = |text: &str| match operator {
            "+" => text.contains(['+', '-']),
            _ => text.contains(operator),
        };
        operates |= hands_on && does(from) || does(how) && (hands_on || carrying.contains(&to));
        let is_last = u32::try_from(number + 1).is_ok_and(written) && to == object;
        if is_last {
            let rest = number + 1;
            return operates && !reads(object) && hands_on && is_unused(&code, rest, lines.len(), carrying);
        }
        if hands_on && !carrying.contains(&to) {
            carrying.push(to);
        }
    }
    false
}

/// True if none of the variables is read in the rest of the block before it is set.
fn is_unused<'l>(code: &dyn Fn(usize) -> &'l str, from: usize, end: usize, mut names: Vec<&str>) -> bool {
    let mut depth = 0i32;
    for number in from..end {
        let line = code(number);
        depth += i32::try_from(line.matches('{').count()).unwrap_or(0);
        depth -= i32::try_from(line.matches('}').count()).unwrap_or(0);
        if depth < 0 {
            break;
        }
        if let Some((to, "", value)) = assignment(line)
            && names.contains(&to)
            && depth == 0
            && super::claims::mentions(value, to) == 0
        {
            names.retain(|name| *name != to);
        }
        if names.iter().any(|name| super::claims::mentions(line, name) > 0) {
            return false;
        }
    }
    true
}

/// `int t = e;` or `t += e;`: what is set, the operator before the sign, and from what.
fn assignment(line: &str) -> Option<(&str, &str, &str)> {
    let (left, value) = line.strip_suffix(';')?.split_once('=')?;
    if value.starts_with('=') || value.contains(';') {
        return None;
    }
    let plain = left.trim_end_matches(['+', '-', '*', '&', '|', '^']);
    let how = left[plain.len()..].trim();
    let name = plain.trim().rsplit([' ', '*']).next()?;
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '>' | '.');
    (!name.is_empty() && name.chars().all(is_letter)).then_some((name, how, value))
}

#[cfg(test)]
mod tests {
    use super::begins_update;

    fn is_one(text: &str) -> bool {
        let lines: Vec<&str> = text.lines().collect();
        let last = lines
            .iter()
            .position(|line| line.trim().starts_with("s ="))
            .map(|line| line + 1);
        begins_update(&lines, 2, &|line| Some(line as usize) == last, "s", "+")
    }

    #[test]
    fn values_that_are_handed_on_are_followed() {
        for text in [
            "{\nint t = s + a[i];\ns = t;\n}\nt = 5;",
            "{\nt = s; // s\nt += a[i];\ns = t;\n}",
            "{\nt = s;\ns = t - a[i];\nt = 5;\nb[i] = t;\n}",
        ] {
            assert!(is_one(text), "{text}");
        }
        for text in [
            "{\nint t = s + a[i];\nb[i] = t;\ns = t;\n}",
            "{\nint t = s + a[i];\ns = t;\nb[i] = t;\n}",
            "{\nint t = s * a[i];\ns = t;\n}",
            "{\nint t = s + a[i];\ns = s + t;\n}",
            "{\nint t = s + a[i];\ns = a[i];\n}",
            "{\nb[i] = s + a[i];\ns = b[i];\n}",
            "{\nif (s == 3) t = a[i];\ns = t + 1;\n}",
        ] {
            assert!(!is_one(text), "{text}");
        }
    }
}
