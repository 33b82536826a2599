//! "Did you mean" suggestions for a misspelt name.

use machine::Symbols;

/// Suggests the known name with the fewest different letters, as ``; did you mean `NAME`?``. Returns `None`
/// if no name is close.
///
/// ```
/// let known = ["scale", "total"];
/// assert_eq!(verify::did_you_mean("scael", known).as_deref(), Some("; did you mean `scale`?"));
/// assert_eq!(verify::did_you_mean("reverse", known), None);
/// ```
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    Some(format!("; did you mean `{}`?", settings::nearest(name, known)?))
}

/// Returns [`did_you_mean`], or lists all known names if none is close, as `; there are NAME, NAME`.
///
/// ```
/// assert_eq!(verify::did_you_mean_or_all("reverse", &["scale", "total"]), "; there are scale, total");
/// ```
#[must_use]
pub fn did_you_mean_or_all(name: &str, known: &[&str]) -> String {
    did_you_mean(name, known.iter().copied()).unwrap_or_else(|| format!("; there are {}", known.join(", ")))
}

/// Applies [`did_you_mean`] to the symbols of a program. If none is close, lists symbols that contain the
/// name or are contained in it, such as overloaded functions. Returns an empty text if there is no such
/// symbol.
pub fn did_you_mean_symbol(name: &str, symbols: &Symbols) -> String {
    let all = || symbols.iter().map(|(_, symbol)| symbol);
    did_you_mean(name, all()).unwrap_or_else(|| alike(all(), name))
}

fn alike<'a>(symbols: impl Iterator<Item = &'a str>, name: &str) -> String {
    let bare = name.trim_start_matches('_').to_lowercase();
    let close = |symbol: &&str| {
        let symbol = symbol.trim_start_matches('_').to_lowercase();
        symbol.len() > 2 && (symbol.contains(&bare) || bare.contains(&symbol))
    };
    let found: Vec<&str> = symbols.filter(close).take(5).collect();
    match found.is_empty() {
        true => String::new(),
        false => format!("; there are {}", found.join(", ")),
    }
}
