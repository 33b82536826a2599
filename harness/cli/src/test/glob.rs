//! Matches paths with patterns.

/// Returns whether a path matches a pattern: `*` is any text, `?` any character. A pattern without these
/// characters matches every path that contains it.
pub(super) fn fits(pattern: &str, path: &str) -> bool {
    if !pattern.contains(['*', '?']) {
        return path.contains(pattern);
    }
    let (pattern, path): (Vec<char>, Vec<char>) = (pattern.chars().collect(), path.chars().collect());
    let (mut p, mut at) = (0, 0);
    // Position after the last star in the pattern, and end of its text in the path.
    let mut star: Option<(usize, usize)> = None;
    while at < path.len() {
        match (pattern.get(p), star) {
            (Some('*'), _) => {
                p += 1;
                star = Some((p, at));
            }
            (Some(c), _) if *c == '?' || *c == path[at] => (p, at) = (p + 1, at + 1),
            (_, Some((behind, end))) => {
                (p, at) = (behind, end + 1);
                star = Some((behind, end + 1));
            }
            _ => return false,
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, path, expected) in [
            ("fog", "pvr/fog_table", true),
            ("fog", "pvr/frog", false),
            ("pvr/*", "pvr/fog_table", true),
            ("*table", "pvr/fog_table", true),
            ("*fog*b?e", "pvr/fog_table", true),
            ("fog*", "pvr/fog_table", false),
            ("*a*b", "aab", true),
            ("*a*b", "aba", false),
            ("?", ".", true),
            ("??", ".", false),
        ] {
            assert_eq!(fits(pattern, path), expected, "{pattern} {path}");
        }
    }

    /// A pattern with many stars must take time proportional to both lengths.
    #[test]
    fn many_stars_end() {
        assert!(!fits(&"*a".repeat(200), &"a".repeat(199)));
        assert!(!fits(&("*a".repeat(500) + "b"), &"a".repeat(10_000)));
    }
}
