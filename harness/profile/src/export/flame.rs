//! Folded stacks, and a flame graph made from them.

use super::chains;
use crate::places::Places;
use crate::profile::Profile;
use std::fmt::Write as _;

/// Exports one line per call chain: names separated by `;`, then the self cycles of the last function.
#[must_use]
pub fn folded(profile: &Profile, places: &Places) -> String {
    let mut text = String::new();
    for (chain, cycles) in chains(profile, places) {
        let names: Vec<String> = chain.iter().map(|name| name.replace([';', ' '], "_")).collect();
        let _ = writeln!(text, "{} {cycles}", names.join(";"));
    }
    text
}

/// Draws the flame graph as SVG.
///
/// # Errors
/// If no cycle was spent, because the graph would be empty.
#[cfg(not(target_family = "wasm"))]
pub fn svg(profile: &Profile, places: &Places, title: &str) -> std::io::Result<Vec<u8>> {
    use inferno::flamegraph::{Options, from_lines};
    let folded = folded(profile, places);
    let mut options = Options::default();
    title.clone_into(&mut options.title);
    "cycles".clone_into(&mut options.count_name);
    options.deterministic = true;
    let mut bytes = Vec::new();
    from_lines(&mut options, folded.lines(), &mut bytes).map_err(std::io::Error::other)?;
    Ok(bytes)
}
