//! Switches for what the sources leave open.

/// How to read what is doubtful. `Settings::default()` is right for every file seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settings {
    /// Size of quaternion nodes in `NJCM`.
    pub njcm_quaternion: NjcmQuaternion,
    /// Layout of motion keys that come in two.
    pub key_forms: KeyForms,
}

/// The layout of keys for the motion elements that have an older one beside the specified one: 16-bit angles
/// in ANG_1 tables of models (measured in one game's files), and in Ninja1 32-bit angles for ROLL and ANGLE,
/// packed colours for RGB and one float for INTENSITY (docs/formats/ninja.md 1.9, confidence medium). Nothing
/// in a file says which it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum KeyForms {
    /// For each element the layout in which fewer tables run into the next structure or descend in time; the
    /// specified one where that is undecided.
    #[default]
    ByTables,
    /// Always the specified one.
    Expected,
    /// Always the older one.
    Older,
}

/// The size of the nodes of an `NJCM` tree in which some node has the QUATERNION flag.
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

/// What a NinjaFlags weight is divided by.
///
/// The runtime multiplies by 1/255 (float bits 0x3B808080, observed, confidence high for Ninja1); a Ninja2
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
