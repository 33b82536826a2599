//! Warns of options without effect on the given input.

use clap::ArgMatches;
use clap::parser::ValueSource;

/// Options given on the command line.
#[derive(Clone, Copy)]
pub(crate) struct GivenOptions<'a>(pub(crate) &'a ArgMatches);

impl GivenOptions<'_> {
    /// Returns whether the command line has this option, rather than a default. `id` is its name with
    /// underscores.
    pub(crate) fn has(self, id: &str) -> bool {
        let is_known = self.0.ids().any(|known| known.as_str() == id);
        is_known && self.0.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// Warns of given options without effect, if `applies` is set. `why` ends the sentence.
    pub(crate) fn warn(self, applies: bool, ids: &[&str], why: &str) {
        let given = ids.iter().filter(|id| applies && self.has(id));
        let given: Vec<String> = given.map(|id| format!("--{}", id.replace('_', "-"))).collect();
        let have = if given.len() == 1 { "has" } else { "have" };
        if !given.is_empty() {
            eprintln!("swirl: warning: {} {have} no effect {why}", given.join(", "));
        }
    }
}
