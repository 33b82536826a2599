//! Pairs corresponding lines of two texts.

/// Maximum table size of the search for the longest common subsequence. Longer texts pair lines by number.
const CELLS: usize = 1 << 24;

/// Pairs the longest common subsequence of `old` and `new`. Other lines are removed or added.
pub(super) fn pair<'a, T>(
    old: &'a [T],
    new: &'a [T],
    same: impl Fn(&T, &T) -> bool,
) -> Vec<(Option<&'a T>, Option<&'a T>)> {
    let head = old.iter().zip(new).take_while(|(a, b)| same(a, b)).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let ends = old_rest.iter().rev().zip(new_rest.iter().rev());
    let tail = ends.take_while(|(a, b)| same(a, b)).count();
    let both = |(a, b)| (Some(a), Some(b));
    let mut pairs: Vec<_> = old.iter().zip(new).take(head).map(both).collect();
    let (old_middle, new_middle) = (
        &old_rest[..old_rest.len() - tail],
        &new_rest[..new_rest.len() - tail],
    );
    pairs.extend(middle(old_middle, new_middle, same));
    let ends = old[old.len() - tail..].iter().zip(&new[new.len() - tail..]);
    pairs.extend(ends.map(both));
    pairs
}

fn middle<'a, T>(
    old: &'a [T],
    new: &'a [T],
    same: impl Fn(&T, &T) -> bool,
) -> Vec<(Option<&'a T>, Option<&'a T>)> {
    let width = new.len() + 1;
    if (old.len() + 1).saturating_mul(width) > CELLS {
        return (0..old.len().max(new.len()))
            .map(|i| (old.get(i), new.get(i)))
            .collect();
    }
    // Length of the longest common subsequence of the remainders from (i, j) on.
    let mut longest = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i * width + j] = if same(&old[i], &new[j]) {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        let (a, b) = (old.get(i), new.get(j));
        let step = match (a, b) {
            (Some(x), Some(y)) if same(x, y) => (1, 1),
            (Some(_), Some(_)) if longest[(i + 1) * width + j] < longest[i * width + j + 1] => (0, 1),
            (Some(_), _) => (1, 0),
            _ => (0, 1),
        };
        pairs.push((a.filter(|_| step.0 == 1), b.filter(|_| step.1 == 1)));
        (i, j) = (i + step.0, j + step.1);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::pair;

    fn shown(old: &str, new: &str) -> String {
        let (old, new): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
        let line = |c: Option<&char>| c.copied().unwrap_or('-');
        let pairs = pair(&old, &new, |a, b| a == b);
        pairs
            .into_iter()
            .flat_map(|(a, b)| [line(a), line(b), ' '])
            .collect()
    }

    #[test]
    fn what_came_and_what_went() {
        assert_eq!(shown("abcd", "abcd"), "aa bb cc dd ");
        assert_eq!(shown("abcd", "abxcd"), "aa bb -x cc dd ");
        assert_eq!(shown("abcd", "ad"), "aa b- c- dd ");
        assert_eq!(shown("", "ab"), "-a -b ");
        assert_eq!(shown("axbyc", "abzc"), "aa x- bb y- -z cc ");
        // In a run of equal lines, each is paired only once.
        assert_eq!(shown("nnn", "nn"), "nn nn n- ");
    }
}
