//! Evalflags and angles (docs/formats/ninja.md 1.1, 1.8).

/// Flags of a node for the tree walk. Unknown bits are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct EvalFlags(pub u32);

impl EvalFlags {
    /// Does not apply the position.
    pub const UNIT_POS: EvalFlags = EvalFlags(1 << 0);
    /// Does not apply the rotation.
    pub const UNIT_ANG: EvalFlags = EvalFlags(1 << 1);
    /// Does not apply the scale.
    pub const UNIT_SCL: EvalFlags = EvalFlags(1 << 2);
    /// Does not draw the model.
    pub const HIDE: EvalFlags = EvalFlags(1 << 3);
    /// Does not visit the children.
    pub const BREAK: EvalFlags = EvalFlags(1 << 4);
    /// Rotates in the order z, x, y (LightWave) instead of x, y, z.
    pub const ZXY_ANG: EvalFlags = EvalFlags(1 << 5);
    /// The node has no entry in model motions.
    pub const SKIP: EvalFlags = EvalFlags(1 << 6);
    /// The node has no entry in shape motions.
    pub const SHAPE_SKIP: EvalFlags = EvalFlags(1 << 7);
    /// Does not visit the children if the model was culled.
    pub const CLIP: EvalFlags = EvalFlags(1 << 8);
    /// Information only: the model is a modifier volume.
    pub const MODIFIER: EvalFlags = EvalFlags(1 << 9);
    /// The rotation is a quaternion.
    pub const QUATERNION: EvalFlags = EvalFlags(1 << 10);
    /// Stores the matrix before this node.
    pub const ROTATE_BASE: EvalFlags = EvalFlags(1 << 11);
    /// Uses the stored matrix without its translation.
    pub const ROTATE_SET: EvalFlags = EvalFlags(1 << 12);
    /// Information only: the model has weights.
    pub const ENVELOPE: EvalFlags = EvalFlags(1 << 13);
    /// All bits with a name (Ninja2).
    pub const KNOWN: EvalFlags = EvalFlags(0x3FFF);

    /// True if all bits of `other` are set.
    pub const fn contains(self, other: EvalFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// Names of the set bits, without the prefix `NJD_EVAL_`; unknown bits are `BIT_n`.
    pub fn names(self) -> Vec<String> {
        const NAMES: [&str; 14] = [
            "UNIT_POS",
            "UNIT_ANG",
            "UNIT_SCL",
            "HIDE",
            "BREAK",
            "ZXY_ANG",
            "SKIP",
            "SHAPE_SKIP",
            "CLIP",
            "MODIFIER",
            "QUATERNION",
            "ROTATE_BASE",
            "ROTATE_SET",
            "ENVELOPE",
        ];
        let name = |bit: usize| {
            NAMES
                .get(bit)
                .map_or_else(|| format!("BIT_{bit}"), |name| (*name).to_owned())
        };
        (0..32).filter(|bit| self.0 >> bit & 1 != 0).map(name).collect()
    }

    /// Returns these flags with the bits of `other` set or cleared.
    #[must_use]
    pub const fn with(self, other: EvalFlags, set: bool) -> EvalFlags {
        if set {
            EvalFlags(self.0 | other.0)
        } else {
            EvalFlags(self.0 & !other.0)
        }
    }
}

impl std::ops::BitOr for EvalFlags {
    type Output = EvalFlags;

    fn bitor(self, other: EvalFlags) -> EvalFlags {
        EvalFlags(self.0 | other.0)
    }
}

/// An angle in binary angular measure: 65536 is a full turn. Files contain angles beyond one turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bams(pub i32);

impl Bams {
    /// Returns the angle in degrees.
    pub fn degrees(self) -> f64 {
        f64::from(self.0) * (360.0 / 65536.0)
    }

    /// Returns the angle in radians.
    pub fn radians(self) -> f64 {
        f64::from(self.0) * (std::f64::consts::TAU / 65536.0)
    }

    /// Returns the nearest angle; saturates beyond 32768 turns.
    pub fn from_degrees(degrees: f64) -> Self {
        Bams((degrees * (65536.0 / 360.0)).round() as i32)
    }
}
