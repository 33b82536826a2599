//! The JSON format of speedscope.

use super::chains;
use crate::places::Places;
use crate::profile::Profile;
use serde_json::{Value, json};

/// Exports a sampled profile: each call chain occurs once, weighted by its own cycles.
#[must_use]
pub fn speedscope(profile: &Profile, places: &Places, title: &str) -> Value {
    let mut frames: Vec<String> = Vec::new();
    let (mut samples, mut weights) = (Vec::new(), Vec::new());
    for (chain, cycles) in chains(profile, places) {
        let sample: Vec<usize> = chain.into_iter().map(|name| index(&mut frames, name)).collect();
        samples.push(sample);
        weights.push(cycles);
    }
    let frames: Vec<Value> = frames.into_iter().map(|name| json!({ "name": name })).collect();
    json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "swirl profile",
        "name": title,
        "shared": { "frames": frames },
        "profiles": [{
            "type": "sampled",
            "name": title,
            "unit": "none",
            "startValue": 0,
            "endValue": weights.iter().sum::<u64>(),
            "samples": samples,
            "weights": weights,
        }],
    })
}

fn index(frames: &mut Vec<String>, name: String) -> usize {
    frames.iter().position(|known| *known == name).unwrap_or_else(|| {
        frames.push(name);
        frames.len() - 1
    })
}
