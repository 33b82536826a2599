//! Compares volume chunks with the source triangles.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Evaluator;
use crate::convert::Drawn;

/// Result of comparing volume chunks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct VolumeCheck {
    /// Number of source triangles.
    pub triangles: usize,
    /// Number of triangles missing from the written chunks, or present only there.
    pub wrong: usize,
    /// First node with such a triangle.
    pub node: Option<String>,
}

/// Compares the triangles read back at each node with the source's, ignoring their order and their first
/// corner.
pub(super) fn check(drawn: &[Drawn], evaluator: &mut dyn Evaluator) -> VolumeCheck {
    let mut result = VolumeCheck::default();
    let mut nodes: BTreeMap<usize, Vec<&Drawn>> = BTreeMap::new();
    for drawn in drawn.iter().filter(|drawn| !drawn.volume.is_empty()) {
        nodes.entry(drawn.node).or_default().push(drawn);
    }
    for (node, drawn) in nodes {
        let mut counts: BTreeMap<[u16; 3], i64> = BTreeMap::new();
        for triangle in drawn.iter().flat_map(|drawn| &drawn.volume) {
            *counts.entry(smallest_first(*triangle)).or_default() += 1;
            result.triangles += 1;
        }
        for triangle in evaluator.volume(node) {
            *counts.entry(smallest_first(triangle)).or_default() -= 1;
        }
        let wrong: u64 = counts.values().map(|count| count.unsigned_abs()).sum();
        if wrong > 0 && result.node.is_none() {
            result.node = drawn.first().map(|drawn| drawn.name.clone());
        }
        result.wrong += wrong as usize;
    }
    result
}

/// Rotates a triangle so that its smallest slot comes first.
fn smallest_first([a, b, c]: [u16; 3]) -> [u16; 3] {
    [[a, b, c], [b, c, a], [c, a, b]]
        .into_iter()
        .min()
        .unwrap_or([a, b, c])
}
