//! Constructions in comments, documentation and help texts that make a reader start the sentence again.

use crate::files::{Text, part, with_extensions};
use crate::ratchet::Violation;
use regex::Regex;
use std::collections::BTreeMap;

/// Maximum number of hits per 1,000 comment lines of a crate. Projects known for their comments have 0 to 10.
const LIMIT: usize = 15;

/// Maximum number of hits per 1,000 lines of the documentation, and of the help texts of all verbs.
const TEXT_LIMIT: usize = 12;

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

/// Lines of text and hits: of the comments of one crate, of the documentation, or of the help texts.
#[derive(Default)]
struct Tally {
    lines: usize,
    hits: Vec<String>,
}

impl Tally {
    /// Counts one line of text. `place` is its file and line.
    fn add(&mut self, patterns: &[(&str, Regex)], place: &str, text: &str) {
        self.lines += 1;
        let hit = patterns.iter().filter(|(_, pattern)| pattern.is_match(text));
        self.hits
            .extend(hit.map(|(name, _)| format!("{place}: [{name}] {text}")));
    }

    fn exceeds(&self, limit: usize) -> bool {
        self.hits.len() * 1000 > limit * self.lines
    }
}

/// One violation for each crate above the limit, with its rate and its hits. Also one each for the
/// documentation and for the help texts.
pub(crate) fn hard() -> Vec<Violation> {
    let patterns = PATTERNS.map(|(name, pattern)| (name, Regex::new(pattern).unwrap()));
    let mut found = comments(&patterns);
    let texts = [
        ("docs", documentation(&patterns)),
        ("harness/cli", help(&patterns)),
    ];
    let above = texts.iter().filter(|(_, tally)| tally.exceeds(TEXT_LIMIT));
    found.extend(above.map(|(part, tally)| violation(part, tally, TEXT_LIMIT)));
    found
}

/// Violations of the crates' comments.
fn comments(patterns: &[(&str, Regex)]) -> Vec<Violation> {
    let mut crates: BTreeMap<String, Tally> = BTreeMap::new();
    for Text { path, text } in with_extensions(&["rs"]) {
        let tally = crates.entry(part(&path)).or_default();
        for (number, line) in text.lines().enumerate() {
            if let Some(comment) = comment(line) {
                tally.add(patterns, &format!("{path}:{}", number + 1), comment);
            }
        }
    }
    let above = crates.into_iter().filter(|(_, tally)| tally.exceeds(LIMIT));
    above
        .map(|(part, tally)| violation(&part, &tally, LIMIT))
        .collect()
}

/// Counts the pages of `docs/`, except code and the tables of settings, which the code writes.
fn documentation(patterns: &[(&str, Regex)]) -> Tally {
    let mut tally = Tally::default();
    let pages = with_extensions(&["md"]).into_iter();
    for Text { path, text } in pages.filter(|page| page.path.starts_with("docs/")) {
        for (number, line) in prose_lines(&text) {
            tally.add(patterns, &format!("{path}:{number}"), line);
        }
    }
    tally
}

/// Lines of a Markdown page that a person wrote, with their numbers.
fn prose_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(number, line)| {
        let line = line.trim();
        if line.starts_with("```") {
            is_code = !is_code;
            return None;
        }
        let is_prose = !is_code && !line.is_empty() && !line.starts_with("| `");
        is_prose.then_some((number + 1, line))
    })
}

/// Counts the long help texts of all verbs.
fn help(patterns: &[(&str, Regex)]) -> Tally {
    let mut tally = Tally::default();
    for (verb, text) in swirl::help_texts() {
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            tally.add(patterns, &format!("swirl help {verb}"), line);
        }
    }
    assert!(tally.lines > 1000, "{} lines of help", tally.lines);
    tally
}

/// The text of a line that consists of a comment.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    let text = text.strip_prefix(['/', '!']).unwrap_or(text);
    Some(text.strip_prefix(' ').unwrap_or(text).trim_end())
}

fn violation(part: &str, tally: &Tally, limit: usize) -> Violation {
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
        what: format!("{rate} hits per 1,000 lines of text, at most {limit}:{hits}"),
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

#[test]
fn code_and_tables_of_settings_are_no_prose() {
    let page = "# Title\n\n```\nlies alone\n```\n| `fog` | tells |\n| fog | lies |\n";
    let lines: Vec<_> = prose_lines(page).collect();
    assert_eq!(lines, [(1, "# Title"), (7, "| fog | lies |")]);
    let mut tally = Tally::default();
    let patterns = PATTERNS.map(|(name, pattern)| (name, Regex::new(pattern).unwrap()));
    for (_, line) in &lines {
        tally.add(&patterns, "page", line);
    }
    assert!(tally.exceeds(499) && !tally.exceeds(500));
}
