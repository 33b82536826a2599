//! Terminal colours.

use super::percent;
use timing::Cause;

/// Selects between plain text and colours by ANSI escape sequences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paint {
    /// Plain text.
    #[default]
    Plain,
    /// Colours for a terminal.
    Ansi,
}

/// Select Graphic Rendition codes (ECMA-48, 8.3.117).
const BOLD: &str = "1";
const FAINT: &str = "2";
const RED: &str = "31";
const GREEN: &str = "32";
const YELLOW: &str = "33";
const CYAN: &str = "36";
const HOT: &str = "1;31";

/// Share of the total, in per cent, above which a cost is coloured as warm.
const WARM_FROM: f64 = 5.0;
/// Share above which a cost is coloured as hot.
const HOT_FROM: f64 = 20.0;

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        match self {
            Paint::Ansi if !text.is_empty() => format!("\x1b[{code}m{text}\x1b[0m"),
            Paint::Ansi | Paint::Plain => text.to_owned(),
        }
    }

    /// Emphasised text.
    pub(crate) fn strong(self, text: &str) -> String {
        self.with(BOLD, text)
    }

    /// Dimmed text.
    pub(crate) fn faint(self, text: &str) -> String {
        self.with(FAINT, text)
    }

    /// Colours used slots.
    pub(crate) fn used(self, text: &str) -> String {
        self.with(GREEN, text)
    }

    /// Colours lost slots: red for memory, yellow for waiting, cyan for pairing.
    pub(crate) fn cause(self, cause: Cause, text: &str) -> String {
        let code = match cause {
            cause if cause.is_memory() => RED,
            Cause::Pair | Cause::Decode | Cause::Branch | Cause::Align => CYAN,
            Cause::End => FAINT,
            _ => YELLOW,
        };
        self.with(code, text)
    }

    /// Colours a cost by its share of the total.
    pub(crate) fn heat(self, part: u64, whole: u64, text: &str) -> String {
        match percent(part, whole) {
            share if share >= HOT_FROM => self.with(HOT, text),
            share if share >= WARM_FROM => self.with(YELLOW, text),
            _ => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cause, Paint};

    #[test]
    fn plain_text_is_unchanged() {
        assert_eq!(Paint::Plain.heat(9, 10, "9"), "9");
        assert_eq!(Paint::Plain.cause(Cause::Pair, "pair 1"), "pair 1");
        assert_eq!(Paint::Ansi.heat(9, 10, "9"), "\x1b[1;31m9\x1b[0m");
        assert_eq!(Paint::Ansi.heat(1, 10, "9"), "\x1b[33m9\x1b[0m");
        assert_eq!(Paint::Ansi.heat(0, 10, "0"), "0");
        assert_eq!(Paint::Ansi.used(""), "");
    }
}
