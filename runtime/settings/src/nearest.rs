//! Search for the known name closest to a wrong one.

/// Maximum length in bytes of a name to compare.
const MAX_LENGTH: usize = 200;

/// Returns the known name that differs from `name` by the fewest letters, unless more than a third differ.
///
/// ```
/// assert_eq!(settings::nearest("scael", ["scale", "total"]), Some("scale"));
/// assert_eq!(settings::nearest("reverse", ["scale", "total"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let bare = name.trim_start_matches('_').to_lowercase();
    // Very long names have no close neighbour, and comparing them is slow.
    if bare.len() > MAX_LENGTH {
        return None;
    }
    let distances = known
        .into_iter()
        .filter(|known| known.len() <= MAX_LENGTH)
        .map(|known| {
            let other = known.trim_start_matches('_').to_lowercase();
            (distance(&bare, &other), known)
        });
    let close = distances.filter(|(distance, _)| *distance <= bare.chars().count().div_ceil(3));
    Some(close.min_by_key(|(distance, _)| *distance)?.1)
}

/// Optimal string alignment distance: letters to insert, delete, replace or swap with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for (i, from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(from != to);
            let mut least = replaced.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *from == b[j - 1] && a[i - 1] == *to {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::distance;

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "abc", 3),
            ("scael", "scale", 1),
            ("kitten", "sitting", 3),
            ("x", "x", 0),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected), "{a} {b}");
        }
    }
}
