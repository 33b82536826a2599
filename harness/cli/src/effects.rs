//! Options without effect on what the command is given: naming one is a usage error, so that nothing is lost
//! unnoticed.

use anyhow::{Result, bail};
use clap::ArgMatches;
use clap::parser::ValueSource;

/// Which options the command line holds.
#[derive(Clone, Copy)]
pub(crate) struct GivenOptions<'a>(pub(crate) &'a ArgMatches);

impl GivenOptions<'_> {
    /// Whether the command line, and not a default, has this option; `id` is its name with underscores.
    pub(crate) fn has(self, id: &str) -> bool {
        let is_known = self.0.ids().any(|known| known.as_str() == id);
        is_known && self.0.value_source(id) == Some(ValueSource::CommandLine)
    }

    /// Refuses options that have no effect where `applies` holds; `why` ends the sentence.
    ///
    /// # Errors
    /// If the command line has one of them.
    pub(crate) fn refuse(self, applies: bool, ids: &[&str], why: &str) -> Result<()> {
        if let Some(id) = ids.iter().find(|id| applies && self.has(id)) {
            bail!("--{} has no effect {why}", id.replace('_', "-"));
        }
        Ok(())
    }
}
