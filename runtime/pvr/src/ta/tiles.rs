//! Rectangles of tiles: bounding boxes, the screen grid, the user clip.

use crate::param::UserClip;

/// Inclusive rectangle in tiles; -1 stands for anything left of or above the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TileBox {
    pub(super) x0: i16,
    pub(super) y0: i16,
    pub(super) x1: i16,
    pub(super) y1: i16,
}

/// Beyond any tile, yet far from overflow.
const FAR: f32 = 1024.0;

/// Tile of a coordinate in pixels: `trunc(c / 32)`, -1 if negative; NaN counts as infinity of its sign.
#[inline]
pub(super) fn tile_of(coordinate: f32) -> i16 {
    if coordinate.is_nan() {
        return tile_of(f32::INFINITY.copysign(coordinate));
    }
    if coordinate < 0.0 {
        -1
    } else {
        (coordinate * (1.0 / 32.0)).min(FAR) as i32 as i16
    }
}

impl TileBox {
    /// Holds no tile.
    pub(super) const NONE: Self = Self {
        x0: i16::MAX,
        y0: i16::MAX,
        x1: i16::MIN,
        y1: i16::MIN,
    };

    /// The grid of `width` x `height` tiles.
    pub(super) fn grid((width, height): (u32, u32)) -> Self {
        Self {
            x0: 0,
            y0: 0,
            x1: width as i16 - 1,
            y1: height as i16 - 1,
        }
    }

    /// Common part; `None` if there is none.
    pub(super) fn intersect(self, other: Self) -> Option<Self> {
        let both = Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        };
        (both.x0 <= both.x1 && both.y0 <= both.y1).then_some(both)
    }

    /// The smallest box around both.
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// The smallest box around it and a tile.
    #[inline]
    pub(super) fn with(self, [x, y]: [i16; 2]) -> Self {
        Self {
            x0: self.x0.min(x),
            y0: self.y0.min(y),
            x1: self.x1.max(x),
            y1: self.y1.max(y),
        }
    }

    #[inline]
    pub(super) fn contains(self, x: i16, y: i16) -> bool {
        (self.x0..=self.x1).contains(&x) && (self.y0..=self.y1).contains(&y)
    }

    pub(super) fn is_single(self) -> bool {
        self.x0 == self.x1 && self.y0 == self.y1
    }

    /// Whether an object with this box is stored at all under a clip mode (`facts/pvr2.md` section 3.6).
    pub(super) fn is_stored(self, mode: UserClip, region: Option<Self>) -> bool {
        let common = region.and_then(|region| self.intersect(region));
        match mode {
            UserClip::Off => true,
            UserClip::Reserved | UserClip::Inside => common.is_some(),
            UserClip::Outside => common != Some(self),
        }
    }
}

/// Whether an object is listed in one tile under a clip mode.
pub(super) fn is_listed(mode: UserClip, region: Option<TileBox>, x: i16, y: i16) -> bool {
    let inside = region.is_some_and(|region| region.contains(x, y));
    match mode {
        UserClip::Off => true,
        UserClip::Reserved => false,
        UserClip::Inside => inside,
        UserClip::Outside => !inside,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_coordinates() {
        assert_eq!(tile_of(31.9), 0);
        assert_eq!(tile_of(32.0), 1);
        assert_eq!(tile_of(-0.5), -1);
        assert_eq!(tile_of(f32::from_bits(0x7FC0_0000)), 1024);
        assert_eq!(tile_of(f32::from_bits(0xFFC0_0000)), -1);
        assert_eq!(tile_of(f32::INFINITY), 1024);
    }
}
