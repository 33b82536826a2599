//! Constructions in comments that make a reader start the sentence again.

use crate::files::{Text, part, with_extensions};
use crate::ratchet::Violation;
use regex::Regex;
use std::collections::BTreeMap;

/// Maximum number of hits per 1,000 comment lines of a crate. Projects known for their comments have 0 to 10.
const LIMIT: usize = 15;

/// Constructions, each with a pattern for the text of one comment line.
const PATTERNS: [(&str, &str); 16] = [
    ("behind (after)", r"(?i)\bbehind\b"),
    ("that of, those of", r"(?i)\b(that|those) of\b"),
    ("pronoun first", r"^(The same|Likewise|Its |It |Of |As |Also,)"),
    ("question word first", r"^(What|Where|How|Whether) "),
    // "stands for" is the usual term.
    (
        "lies, stands (is)",
        r"(?i)\b(lies|lie|stands|stand)\b(?: [^f]| f[^o]|[^ ]|$)",
    ),
    ("as it is", r"(?i)\bas (it|they) (is|was|are|were|stands?)\b"),
    ("alone (only)", r"(?i)\balone\b"),
    ("so many", r"(?i)\bso (many|much|long|far)\b"),
    ("is none", r"(?i)\b(is|are|be) none\b"),
    (
        "what is",
        r"(?i)\bwhat (is|are|was|were|has|have|it|they|a|an|the|its)\b",
    ),
    ("beside", r"(?i)\bbesides?\b"),
    ("goes on", r"(?i)\b(goes|go|went|going) on\b"),
    ("tells", r"(?i)\b(tells|told|tell)\b"),
    ("nothing", r"(?i)\bnothing\b"),
    ("comes to", r"(?i)\bcomes? (to|of|behind|before|after)\b"),
    ("whose", r"(?i)\bwhose\b"),
];

/// Number of hits that a violation prints.
const SHOWN: usize = 40;

/// Comment lines and hits of one crate.
#[derive(Default)]
struct Tally {
    lines: usize,
    hits: Vec<String>,
}

/// One violation for each crate above the limit, with its rate and its hits.
pub(crate) fn hard() -> Vec<Violation> {
    let patterns = PATTERNS.map(|(name, pattern)| (name, Regex::new(pattern).unwrap()));
    let mut crates: BTreeMap<String, Tally> = BTreeMap::new();
    for Text { path, text } in with_extensions(&["rs"]) {
        let tally = crates.entry(part(&path)).or_default();
        for (number, line) in text.lines().enumerate() {
            let Some(comment) = comment(line) else { continue };
            tally.lines += 1;
            let hit = patterns.iter().filter(|(_, pattern)| pattern.is_match(comment));
            tally
                .hits
                .extend(hit.map(|(name, _)| format!("{path}:{}: [{name}] {comment}", number + 1)));
        }
    }
    let above = crates
        .into_iter()
        .filter(|(_, tally)| tally.hits.len() * 1000 > LIMIT * tally.lines);
    above.map(|(part, tally)| violation(&part, &tally)).collect()
}

/// The text of a line that consists of a comment.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    let text = text.strip_prefix(['/', '!']).unwrap_or(text);
    Some(text.strip_prefix(' ').unwrap_or(text).trim_end())
}

fn violation(part: &str, tally: &Tally) -> Violation {
    let rate = 1000 * tally.hits.len() / tally.lines;
    let hits: String = tally
        .hits
        .iter()
        .take(SHOWN)
        .map(|hit| format!("\n    {hit}"))
        .collect();
    Violation {
        path: format!("{part}/src"),
        line: 0,
        what: format!("{rate} hits per 1,000 comment lines, at most {LIMIT}:{hits}"),
    }
}

#[test]
fn patterns_match_as_intended() {
    let lies = Regex::new(PATTERNS[4].1).unwrap();
    assert!(lies.is_match("the value lies in between") && lies.is_match("where it stands"));
    assert!(lies.is_match("a list lies first") && !lies.is_match("one word stands for the list"));
    assert_eq!(comment("    /// Number of keys. "), Some("Number of keys."));
    assert_eq!(comment("let a = 1; // one"), None);
}
