//! Settings for questions that the sources leave open.

/// Settings for ambiguous data. `Settings::default()` is right for every known file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settings {
    /// Size of quaternion nodes in `NJCM`.
    pub njcm_quaternion: NjcmQuaternion,
    /// Layout of motion keys that exist in two forms.
    pub key_forms: KeyForms,
}

/// Layout of keys for elements with an older and a specified layout. The older ones are: 16-bit angles in
/// ANG_1 tables of models (measured in one game's files), and in Ninja1 32-bit angles for ROLL and ANGLE,
/// packed colours for RGB and one float for INTENSITY (docs/formats/ninja.md 1.9, confidence medium). A file
/// does not state its layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyForms {
    /// For each element, the layout in which fewer tables overlap the next structure or have descending
    /// frames; the specified one in a draw.
    #[default]
    ByTables,
    /// The specified layout.
    Expected,
    /// The older layout.
    Older,
}

/// Size of the nodes in an `NJCM` tree in which some node has the QUATERNION flag.
///
/// Nodes are 52 bytes in `NJCM` and 56, with the quaternion's real part at the end, in `N2CM`. One
/// third-party text reports 56-byte nodes in `NJCM` when the flag is set (confidence low,
/// docs/formats/ninja.md 1.4; no file with the flag is known).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NjcmQuaternion {
    /// 56 bytes if no other structure begins within the last four of any node, else 52.
    #[default]
    ByDistance,
    /// Always 52 bytes.
    Narrow,
    /// Always 56 bytes.
    Wide,
}

/// Divisor of a NinjaFlags weight.
///
/// The runtime multiplies by 1/255 (float bits 0x3B808080, observed, confidence high for Ninja1). A Ninja2
/// ASCII macro writes weights over 65535 (confidence low, docs/formats/ninja.md 1.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WeightScale {
    /// 255 if no weight of the tree is above 255, else 65535.
    #[default]
    Auto,
    /// Always 255.
    Over255,
    /// Always 65535.
    Over65535,
}
