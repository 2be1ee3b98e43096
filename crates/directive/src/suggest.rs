//! Which known name is nearly this one?

/// The nearest known name, if it differs by few letters: one in short names, two from six letters on.
pub(crate) fn nearest<'a>(written: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let limit = match written.len() {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    known
        .map(|name| (distance(written.as_bytes(), name.as_bytes(), limit), name))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name.to_owned())
}

/// Edit distance with exchanged neighbours as one step; anything past `limit` is `limit + 1`.
fn distance(a: &[u8], b: &[u8], limit: usize) -> usize {
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let mut best = (last[j] + usize::from(a[i] != b[j]))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()].min(limit + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_letters_differ() {
        let known = ["parallel", "private", "if", "map", "target"];
        let near = |written| nearest(written, known.into_iter());
        assert_eq!(near("paralel").as_deref(), Some("parallel"));
        assert_eq!(near("pirvate").as_deref(), Some("private"));
        assert_eq!(near("tagret").as_deref(), Some("target"));
        assert_eq!(near("mpa").as_deref(), Some("map"));
        assert_eq!(near("x"), None);
        assert_eq!(near("banana"), None);
        assert_eq!(distance(b"kitten", b"sitting", 5), 3);
    }
}
