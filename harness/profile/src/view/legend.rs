//! Explains the short names of causes.

use crate::profile::Profile;
use std::fmt::Write as _;

/// Explains the short name of each cause of lost slots in the run. The listing, the timeline and the table of
/// functions use these names. Empty if no slot was lost.
#[must_use]
pub fn legend(profile: &Profile) -> String {
    let causes = profile.ledger.ranked();
    if causes.is_empty() {
        return String::new();
    }
    let mut text = String::from("causes of lost slots\n");
    for (cause, _) in causes {
        let _ = writeln!(text, "  {:<18} {}", cause.key(), cause.text());
    }
    text
}
