//! Builds the command line that runs a single case, from the user's folder.

use super::{Args, case};
use std::ffi::OsStr;

/// Returns the command for a case, with the options that change its result.
pub(super) fn line(args: &Args, name: &str) -> String {
    let mut line = format!(
        "swirl test {}",
        quoted(case::below(&args.directory, name).as_os_str())
    );
    if args.untrusted {
        line += " --untrusted";
    }
    let play = args.play.play.iter().map(|asked| ("--play", asked));
    for (option, value) in play.chain(args.play.chip.words()) {
        line += &format!(" {option} {}", quoted(OsStr::new(value)));
    }
    line
}

/// Quotes a word for a shell if it has special characters.
pub(crate) fn quoted(word: &OsStr) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./\\:=,+%@".contains(c);
    let text = word.display().to_string();
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    format!("\"{}\"", text.replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use std::ffi::OsStr;

    #[test]
    fn words_with_blanks_are_quoted() {
        assert_eq!(quoted(OsStr::new("a/b-1.png")), "a/b-1.png");
        assert_eq!(quoted(OsStr::new("my case")), "\"my case\"");
        assert_eq!(quoted(OsStr::new("")), "\"\"");
    }
}
