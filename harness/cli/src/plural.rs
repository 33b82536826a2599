//! Formats numbers with nouns.

use std::fmt::Display;

/// Formats a number and a noun: `1 cell`, `2 cells`, `3 vertices`.
pub(crate) fn plural(n: impl Display, noun: &str) -> String {
    let n = n.to_string();
    if n == "1" {
        return format!("1 {noun}");
    }
    let many = match noun.strip_suffix("ex") {
        Some(stem) => format!("{stem}ices"),
        None if noun.ends_with("sh") => format!("{noun}es"),
        None => match noun.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
            _ => format!("{noun}s"),
        },
    };
    format!("{n} {many}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        let said = |n, noun| plural(n, noun);
        assert_eq!([said(1, "cell"), said(0, "cell")], ["1 cell", "0 cells"]);
        assert_eq!([said(1, "vertex"), said(2, "vertex")], ["1 vertex", "2 vertices"]);
        assert_eq!([said(1, "index"), said(3, "index")], ["1 index", "3 indices"]);
        assert_eq!([said(1, "mesh"), said(2, "mesh")], ["1 mesh", "2 meshes"]);
        assert_eq!([said(1, "entry"), said(2, "entry")], ["1 entry", "2 entries"]);
        assert_eq!([said(1, "key"), said(2, "key")], ["1 key", "2 keys"]);
    }
}
