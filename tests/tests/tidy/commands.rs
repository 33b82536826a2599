//! Command lines in the documentation.

use crate::files::with_extensions;
use crate::ratchet::Violation;

/// Commands that `swirl` refuses.
pub(crate) fn parse() -> Vec<Violation> {
    let mut found = Vec::new();
    for file in with_extensions(&["md"]) {
        let mut fenced = false;
        for (number, line) in file.text.lines().enumerate() {
            if line.trim_start().starts_with("```") {
                fenced = !fenced;
                continue;
            }
            // A command on a line by itself must be complete. In a sentence it may omit required arguments.
            let commands = if fenced || line.starts_with("    swirl") {
                whole(line)
            } else {
                quoted(line)
            };
            for words in commands {
                if let Err(why) = swirl::check_command_line(&words, fenced) {
                    found.push(Violation {
                        path: file.path.clone(),
                        line: number + 1,
                        what: format!("swirl {}: {why}", words.join(" ")),
                    });
                }
            }
        }
    }
    found.extend(of_help());
    found
}

/// Examples of the verbs' help texts.
fn of_help() -> Vec<Violation> {
    let mut found = Vec::new();
    for (verb, text) in swirl::help_examples() {
        let lines = text
            .lines()
            .filter(|line| line.trim_start().starts_with("swirl "));
        for words in lines.flat_map(whole) {
            if let Err(why) = swirl::check_command_line(&words, true) {
                found.push(Violation {
                    path: "harness/cli/src/lib.rs".to_owned(),
                    line: 0,
                    what: format!("help of {verb}: swirl {}: {why}", words.join(" ")),
                });
            }
        }
    }
    found
}

/// The commands in a line of a shell.
fn whole(line: &str) -> Vec<Vec<String>> {
    let line = line.split(" #").next().unwrap_or_default().replace("    (", ";(");
    let parts = line.split(['|', ';', '>']).flat_map(|part| part.split("&&"));
    parts.filter_map(|part| arguments(part.trim())).collect()
}

/// The commands between backticks in a line of prose.
fn quoted(line: &str) -> Vec<Vec<String>> {
    let quoted = line.split('`').skip(1).step_by(2);
    quoted.filter_map(|text| arguments(text.trim())).collect()
}

/// Returns the words after `swirl` or `cargo run --release --`, or `None` for other commands and for
/// patterns.
fn arguments(command: &str) -> Option<Vec<String>> {
    let command = command.trim_start_matches("$ ").trim_start_matches('@');
    let rest = match command.split_once(' ') {
        Some(("swirl", rest)) => rest,
        Some(("cargo", rest)) if rest.starts_with("run --release -- ") => &rest["run --release -- ".len()..],
        _ => return None,
    };
    let words = words(rest);
    let pattern = |word: &String| {
        ["VERB", "PORT", "N"].contains(&word.as_str())
            || word.contains('…')
            || word == "..."
            || word.starts_with('$')
    };
    (!words.iter().any(pattern)).then_some(words)
}

/// Splits a command into words; quotes hold words together.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in command.chars() {
        let Some(word) = words.last_mut() else { break };
        match letter {
            '"' | '\'' if quote == Some(letter) => quote = None,
            '"' | '\'' if quote.is_none() => quote = Some(letter),
            _ if quote.is_none() && letter.is_whitespace() => words.push(String::new()),
            _ => word.push(letter),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
