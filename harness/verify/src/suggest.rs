//! "Did you mean": the known name that is closest to a wrong one.

use machine::Symbols;

/// The known name that differs from `name` by the fewest letters, as ``; did you mean `NAME`?``; nothing if
/// none is close.
///
/// ```
/// let known = ["scale", "total"];
/// assert_eq!(verify::did_you_mean("scael", known).as_deref(), Some("; did you mean `scale`?"));
/// assert_eq!(verify::did_you_mean("reverse", known), None);
/// ```
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let bare = name.trim_start_matches('_').to_lowercase();
    // A name of a megabyte has no close neighbour.
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
    let (_, nearest) = close.min_by_key(|(distance, _)| *distance)?;
    Some(format!("; did you mean `{nearest}`?"))
}

/// [`did_you_mean`], or all known names where none is close, as `; there are NAME, NAME`.
///
/// ```
/// assert_eq!(verify::did_you_mean_or_all("reverse", &["scale", "total"]), "; there are scale, total");
/// ```
#[must_use]
pub fn did_you_mean_or_all(name: &str, known: &[&str]) -> String {
    did_you_mean(name, known.iter().copied()).unwrap_or_else(|| format!("; there are {}", known.join(", ")))
}

/// [`did_you_mean`] with the symbols of a program; empty if none is close.
pub fn did_you_mean_symbol(name: &str, symbols: &Symbols) -> String {
    did_you_mean(name, symbols.iter().map(|(_, symbol)| symbol)).unwrap_or_default()
}

/// Bytes of the longest name that is compared.
const MAX_LENGTH: usize = 200;

/// Letters to insert, delete, replace or swap with their neighbour: the optimal string alignment distance.
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
