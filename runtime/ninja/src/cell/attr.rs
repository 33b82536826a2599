//! Attributes of a cell (docs/formats/ninja.md 1.11).

use crate::plist::{Blend, BlendMode};

/// Attributes of a cell. Bits 14, 15 and 0 have no meaning and are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CellAttr(pub u16);

impl CellAttr {
    /// VC: uses the vertex colours.
    pub const VERTEX_COLOR: CellAttr = CellAttr(1 << 7);
    /// AL: the texture has alpha, so the cell goes to the translucent list.
    pub const ALPHA: CellAttr = CellAttr(1 << 6);
    /// PT: punch-through (Ninja2; the original ignores it).
    pub const PUNCH_THROUGH: CellAttr = CellAttr(1 << 5);
    /// HF: u0 and u2 are swapped.
    pub const FLIP_H: CellAttr = CellAttr(1 << 4);
    /// VF: v0 and v2 are swapped.
    pub const FLIP_V: CellAttr = CellAttr(1 << 3);
    /// HI: not drawn.
    pub const HIDE: CellAttr = CellAttr(1 << 2);
    /// TR: streams repeat for this cell.
    pub const TIME_REPEAT: CellAttr = CellAttr(1 << 1);

    /// True if all bits of `other` are set.
    pub const fn contains(self, other: CellAttr) -> bool {
        self.0 & other.0 == other.0
    }

    /// FCS and FCD: the blending in bits 13 to 8.
    pub fn blend(self) -> Blend {
        Blend {
            src: BlendMode::from_code((self.0 >> 11) as u8),
            dst: BlendMode::from_code((self.0 >> 8) as u8),
            ..Blend::default()
        }
    }

    /// Returns the attributes with another blending.
    #[must_use]
    pub fn with_blend(self, src: BlendMode, dst: BlendMode) -> CellAttr {
        CellAttr(self.0 & !0x3F00 | (src as u16) << 11 | (dst as u16) << 8)
    }
}

impl std::ops::BitOr for CellAttr {
    type Output = CellAttr;

    fn bitor(self, other: CellAttr) -> CellAttr {
        CellAttr(self.0 | other.0)
    }
}
