//! Rectangles of tiles: bounding boxes, the screen grid, the user clip.

use crate::param::UserClip;

/// Inclusive rectangle in tiles; -1 means positions left of or above the screen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TileBox {
    pub(super) x0: i32,
    pub(super) y0: i32,
    pub(super) x1: i32,
    pub(super) y1: i32,
}

state::fields!(TileBox { x0, y0, x1, y1 });

/// A coordinate beyond all tiles, but far from overflow.
const FAR: i32 = 1024;
const FAR_AWAY: i32 = (FAR as f32 * TILE).to_bits() as i32;

/// Side of a tile in pixels.
const TILE: f32 = 32.0;

/// Maps the bits of a coordinate in pixels to an integer with the same order. Negative coordinates become
/// negative integers in any order. A NaN is beyond the infinity with its sign.
#[inline]
fn depth_key(coordinate: u32) -> i32 {
    // -0 is not negative.
    if coordinate == 1 << 31 {
        0
    } else {
        coordinate as i32
    }
}

/// Returns the tile of a [`depth_key`] coordinate.
#[inline]
fn tile_at(depth_key: i32) -> i32 {
    if depth_key < 0 {
        return -1;
    }
    let pixel = f32::from_bits(depth_key.min(FAR_AWAY) as u32);
    pixel as i32 / TILE as i32
}

/// Returns the tile of a coordinate in pixels, given by its bits: `trunc(c / 32)`, or -1 if negative. A NaN
/// counts as infinity with its sign.
#[inline]
pub(super) fn tile_of(coordinate: u32) -> i32 {
    tile_at(depth_key(coordinate))
}

impl TileBox {
    /// The empty box.
    pub(super) const NONE: Self = Self {
        x0: i32::MAX,
        y0: i32::MAX,
        x1: i32::MIN,
        y1: i32::MIN,
    };

    /// Returns the smallest box around points, given by the bits of their coordinates in pixels; empty
    /// without points.
    #[inline]
    pub(super) fn around(points: impl Iterator<Item = [u32; 2]>) -> Self {
        let pixels = points.fold(Self::NONE, |all, point| all.with(point.map(depth_key)));
        Self {
            x0: tile_at(pixels.x0),
            y0: tile_at(pixels.y0),
            x1: tile_at(pixels.x1),
            y1: tile_at(pixels.y1),
        }
    }

    /// Returns the grid of `width` x `height` tiles.
    pub(super) fn grid((width, height): (u32, u32)) -> Self {
        Self {
            x0: 0,
            y0: 0,
            x1: width as i32 - 1,
            y1: height as i32 - 1,
        }
    }

    /// Returns the box moved down by `rows`.
    pub(super) fn down(self, rows: u32) -> Self {
        Self {
            y0: self.y0 + rows as i32,
            y1: self.y1 + rows as i32,
            ..self
        }
    }

    /// Returns the intersection; `None` if it is empty.
    pub(super) fn intersect(self, other: Self) -> Option<Self> {
        let both = Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        };
        (both.x0 <= both.x1 && both.y0 <= both.y1).then_some(both)
    }

    /// Returns the smallest box around both.
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Returns the smallest box around this one and a tile.
    #[inline]
    pub(super) fn with(self, [x, y]: [i32; 2]) -> Self {
        Self {
            x0: self.x0.min(x),
            y0: self.y0.min(y),
            x1: self.x1.max(x),
            y1: self.y1.max(y),
        }
    }

    #[inline]
    pub(super) fn contains(self, x: i32, y: i32) -> bool {
        (self.x0..=self.x1).contains(&x) && (self.y0..=self.y1).contains(&y)
    }

    pub(super) fn is_single(self) -> bool {
        self.x0 == self.x1 && self.y0 == self.y1
    }

    /// True if an object with this box is stored under a clip mode (`docs/hardware/pvr2.md`, "User clip").
    pub(super) fn is_stored(self, mode: UserClip, region: Option<Self>) -> bool {
        let common = region.and_then(|region| self.intersect(region));
        match mode {
            UserClip::Off => true,
            UserClip::Reserved | UserClip::Inside => common.is_some(),
            UserClip::Outside => common != Some(self),
        }
    }
}

/// True if an object is listed in one tile under a clip mode.
pub(super) fn is_listed(mode: UserClip, region: Option<TileBox>, x: i32, y: i32) -> bool {
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
        let tile = |coordinate: f32| tile_of(coordinate.to_bits());
        assert_eq!([0.0, -0.0, 31.9, 32.0].map(tile), [0, 0, 0, 1]);
        assert_eq!([-1e-40, -0.5, -4e9].map(tile), [-1; 3]);
        assert_eq!([32767.9, 32768.0, 1e30].map(tile), [1023, 1024, 1024]);
        assert_eq!([f32::INFINITY, f32::NEG_INFINITY].map(tile), [1024, -1]);
        assert_eq!(
            [0x7FC0_0000, 0x7F80_0001, 0xFFC0_0000].map(tile_of),
            [1024, 1024, -1]
        );
    }

    #[test]
    fn a_box_holds_the_tiles_of_its_points() {
        let around =
            |points: &[[f32; 2]]| TileBox::around(points.iter().map(|point| point.map(f32::to_bits)));
        assert_eq!(around(&[]).intersect(TileBox::grid((64, 16))), None);
        let (nan, infinity) = (f32::from_bits(0xFFC0_0000), f32::INFINITY);
        let some = [[33.0, 64.0], [-0.5, 200.0], [31.9, infinity], [nan, -0.0]];
        let TileBox { x0, y0, x1, y1 } = around(&some);
        assert_eq!([x0, y0, x1, y1], [-1, 0, 1, 1024]);
    }
}
