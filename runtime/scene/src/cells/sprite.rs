//! A sprite's cells, and the values that move the complete sprite.

use super::CellWords;
use ninja::{Bams, Cell};
use sh4_kernels::keys::Span;
use sh4_kernels::keys_angles::{self, keys_angles};
use sh4_kernels::keys_linear::{self, keys_linear};
use sh4_kernels::{KernelError, Kernels};

/// Interval from 0 to 1.
const WHOLE: Span = Span { start: 0, length: 1 };

/// A group of cells that moves as a unit. `cells` are their values before streams change them.
///
/// ```
/// use scene::CellSprite;
///
/// let mut file = ninja::CellSprite::new(vec![ninja::Cell::default(); 3]);
/// file.pos = [320.0, 240.0, -1.0];
/// let sprite = CellSprite::from(&file);
/// assert_eq!(sprite.cells.len(), 3);
/// assert_eq!(sprite.value.pos, [320.0, 240.0, -1.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CellSprite {
    /// Cells in drawing order.
    pub cells: Vec<Cell>,
    /// Position and appearance of the sprite.
    pub value: SpriteValue,
}

/// Position and appearance of a sprite; a sprite motion changes them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpriteValue {
    /// 2D: x and y in pixels from the top left, and the priority z, negative, where values closer to 0 are
    /// nearer. 3D: a point in the sprite's space.
    pub pos: [f32; 3],
    /// Rotation about z; positive is clockwise on screen.
    pub zang: Bams,
    /// Scale in x and y.
    pub scale: [f32; 2],
    /// Factor for the colours of all cells: alpha, red, green, blue; 1.0 is full.
    pub diffuse: [f32; 4],
    /// Added colour: exponent (without effect), red, green, blue.
    pub specular: [f32; 4],
}

impl Default for SpriteValue {
    /// At the origin with priority -1, scale 1 and the cells' own colours.
    fn default() -> Self {
        Self {
            pos: [0.0, 0.0, -1.0],
            zang: Bams(0),
            scale: [1.0; 2],
            diffuse: [1.0; 4],
            specular: [0.0; 4],
        }
    }
}

impl SpriteValue {
    /// Interpolates linearly between this value and another by `share`, 0 to 1, member by member.
    ///
    /// # Errors
    /// See [`KernelError`].
    pub fn blend(&self, other: &Self, share: f32, kernels: &mut dyn Kernels) -> Result<Self, KernelError> {
        let vectors = |value: &Self| {
            let [a, r, g, b] = value.diffuse;
            let [sx, sy] = value.scale;
            [value.pos, [sx, sy, a], [r, g, b]]
        };
        let pairs = vectors(self).into_iter().zip(vectors(other));
        let keys: Vec<_> = pairs
            .map(|(from, to)| keys_linear::Keys {
                span: WHOLE,
                values: [from, to],
            })
            .collect();
        let blended = keys_linear(kernels, share, &keys)?;
        let angles = keys_angles::Keys {
            span: WHOLE,
            values: [[self.zang.0, 0, 0], [other.zang.0, 0, 0]],
        };
        let angle = keys_angles(kernels, share, &[angles], false)?;
        let (&[pos, [sx, sy, a], [r, g, b]], &[[zang, ..]]) = (&blended[..], &angle[..]) else {
            return Ok(*self);
        };
        Ok(Self {
            pos,
            zang: Bams(zang),
            scale: [sx, sy],
            diffuse: [a, r, g, b],
            ..*self
        })
    }

    /// Returns NJS_CELL_SPRITE as words, with pointer and count 0.
    pub(super) fn words(&self) -> [u32; 16] {
        let [x, y, z] = self.pos.map(f32::to_bits);
        let [sx, sy] = self.scale.map(f32::to_bits);
        let [a, r, g, b] = self.diffuse.map(f32::to_bits);
        let [e, sr, sg, sb] = self.specular.map(f32::to_bits);
        [
            0,
            0,
            x,
            y,
            z,
            self.zang.0 as u32,
            sx,
            sy,
            a,
            r,
            g,
            b,
            e,
            sr,
            sg,
            sb,
        ]
    }
}

impl From<&ninja::CellSprite> for SpriteValue {
    fn from(file: &ninja::CellSprite) -> Self {
        Self {
            pos: file.pos,
            zang: file.zang,
            scale: file.scale,
            diffuse: file.diffuse,
            specular: file.specular,
        }
    }
}

impl From<&ninja::CellSprite> for CellSprite {
    fn from(file: &ninja::CellSprite) -> Self {
        Self {
            cells: file.cells.clone(),
            value: file.into(),
        }
    }
}

impl CellSprite {
    /// Creates a sprite of the given cells with default values.
    pub fn new(cells: Vec<Cell>) -> Self {
        Self {
            cells,
            value: SpriteValue::default(),
        }
    }

    /// Returns the cells as words, 16 per cell as seen by the SH4, for drawing without streams.
    pub fn words(&self) -> Vec<CellWords> {
        self.cells.iter().map(Cell::words).collect()
    }
}
