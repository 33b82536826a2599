//! Settings of nodes.

use ninja::VolumeKind;

use super::value::{Value, unknown};

/// Settings of a node; `None` or empty if not set.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct NodeSettings {
    /// Makes its mesh a collision or modifier volume, which is not drawn.
    pub(crate) volume: Option<VolumeKind>,
    pub(crate) hide: Option<bool>,
    pub(crate) clip: Option<bool>,
    pub(crate) modifier: Option<bool>,
    /// User flags of its mesh's polygons, if their materials have none.
    pub(crate) user_flags: Option<Vec<u16>>,
}

/// The keys, in the order of the documentation.
pub(super) const KEYS: [&str; 5] = ["volume", "hide", "clip", "modifier", "user_flags"];

/// Kinds of volumes by name.
const VOLUMES: [(&str, VolumeKind); 3] = [
    ("triangles", VolumeKind::P3),
    ("quads", VolumeKind::P4),
    ("strips", VolumeKind::St),
];

impl NodeSettings {
    /// Sets one key. The error states the found and the expected value.
    pub(super) fn set(&mut self, key: &str, value: &Value) -> Result<(), String> {
        match key {
            "volume" => self.volume = Some(VOLUMES[value.one_of(&VOLUMES.map(|v| v.0))?].1),
            "hide" => self.hide = Some(value.flag()?),
            "clip" => self.clip = Some(value.flag()?),
            "modifier" => self.modifier = Some(value.flag()?),
            "user_flags" => self.user_flags = Some(value.user_flags()?),
            _ => return Err(unknown(key, &KEYS)),
        }
        Ok(())
    }
}
