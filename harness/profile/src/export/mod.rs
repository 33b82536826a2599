//! Exports a profile in the formats of other tools.

mod callgrind;
mod csv;
mod flame;
mod html;
mod konata;
mod perfetto;
mod speedscope;
mod tables;

pub use callgrind::callgrind;
pub use csv::csv;
pub use flame::folded;
#[cfg(not(target_family = "wasm"))]
pub use flame::svg;
pub use html::html;
pub use konata::konata;
pub use perfetto::perfetto;
pub use speedscope::speedscope;
pub use tables::tables;

use crate::places::Places;
use crate::profile::Profile;

/// Returns the call chain (outermost name first) and the self cycles of each node of the call tree. Omits
/// nodes without cycles.
fn chains(profile: &Profile, places: &Places) -> Vec<(Vec<String>, u64)> {
    let nodes = profile.calls.nodes();
    let mut names: Vec<Vec<String>> = Vec::new();
    for node in nodes {
        let origin = || node.origin.name().into_iter().collect();
        let mut chain = node.parent.map_or_else(origin, |parent| names[parent].clone());
        chain.push(places.describe(node.entry));
        names.push(chain);
    }
    let all = names
        .into_iter()
        .zip(nodes)
        .map(|(chain, node)| (chain, node.cycles));
    all.filter(|(_, cycles)| *cycles > 0).collect()
}
