//! Object words of a tile's lists (`docs/hardware/pvr2.md`, "Object words"), and the triangles to which they
//! refer.

use crate::regs::{Registers, reg};

/// Maximum number of triangles and sprites of one list in one tile. Memory of 8 MiB can hold about four times
/// as many.
pub(super) const MAX_TRIANGLES: usize = 1 << 15;

/// Number of objects by which [`ObjectReader::each_announced`] announces an object before its visit: enough
/// work to hide the memory latency.
const AHEAD: usize = 4;

/// A triangle or sprite, by the address of its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Triangle {
    /// Byte address of the object's ISP word in the 32-bit area.
    pub(super) address: u32,
    /// Number of words of a vertex after x, y, z, for one volume.
    pub(super) skip: u32,
    /// Index in its strip, 0 to 5 (0 to 7 for the background).
    pub(super) n: u8,
    /// The object has four corners.
    pub(super) sprite: bool,
    /// The object reacts to modifier volumes.
    pub(super) shadow: bool,
    /// The object has two sets of instruction words, coordinates and colours.
    pub(super) two_volumes: bool,
    /// The object replaces the pixel, independent of its blend factors: see [`crate::settings::OpaqueBlend`].
    pub(super) replaces: bool,
}

impl Triangle {
    /// Number of volumes: 1 or 2.
    pub(super) fn volumes(&self) -> u32 {
        1 + u32::from(self.two_volumes)
    }
}

/// Decoder of object words, with the registers that affect it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ObjectReader {
    /// Base of parameter addresses, as a byte address.
    base: u32,
    /// FPU_SHAD_SCALE bit 8: volumes change the intensity, so polygons have only one set of parameters.
    intensity: bool,
}

impl ObjectReader {
    pub(super) fn new(regs: &Registers) -> Self {
        Self {
            base: regs.get(reg::PARAM_BASE) & 0xF0_0000,
            intensity: regs.get(reg::FPU_SHAD_SCALE) >> 8 & 1 != 0,
        }
    }

    /// Creates the triangle with word address `words`, `skip`, shadow bit and index in the strip.
    fn triangle(&self, words: u32, skip: u32, shadow: bool, n: u8) -> Triangle {
        Triangle {
            address: self.base.wrapping_add(words * 4),
            skip,
            n,
            sprite: false,
            shadow,
            two_volumes: shadow && !self.intensity,
            replaces: false,
        }
    }

    /// Returns the background from ISP_BACKGND_T: tag address 23:3, tag offset 2:0, skip 26:24, shadow 27.
    pub(super) fn background(&self, regs: &Registers) -> Triangle {
        let tag = regs.get(reg::ISP_BACKGND_T);
        self.triangle(
            tag >> 3 & 0x1F_FFFF,
            tag >> 24 & 7,
            tag >> 27 & 1 != 0,
            (tag & 7) as u8,
        )
    }

    /// Counts the triangles of a list, up to [`MAX_TRIANGLES`].
    pub(super) fn count(&self, objects: &[u32]) -> usize {
        let mut count = 0;
        self.each(objects, false, |_| count += 1);
        count
    }

    /// Calls `visit` for the triangles of a list in order. In a list of modifier volumes (`modifiers`) the
    /// shadow bit has no meaning. Returns false if the list has more than [`MAX_TRIANGLES`]; the remaining
    /// ones are omitted.
    pub(super) fn each(&self, objects: &[u32], modifiers: bool, visit: impl FnMut(Triangle)) -> bool {
        self.each_announced(objects, modifiers, |_| {}, visit)
    }

    /// Calls `visit` like [`Self::each`]. Calls `ahead` with the address of each object some objects earlier,
    /// so that the caller can prefetch it.
    #[inline]
    pub(super) fn each_announced(
        &self,
        objects: &[u32],
        modifiers: bool,
        mut ahead: impl FnMut(u32),
        mut visit: impl FnMut(Triangle),
    ) -> bool {
        let mut announce = |word: &u32| ahead(self.base.wrapping_add((word & 0x1F_FFFF) * 4));
        objects.iter().take(AHEAD).for_each(&mut announce);
        let mut left = MAX_TRIANGLES;
        for (n, &word) in objects.iter().enumerate() {
            objects.get(n + AHEAD).map(&mut announce);
            let shadow = word >> 24 & 1 != 0 && !modifiers;
            let mut triangle = self.triangle(word & 0x1F_FFFF, word >> 21 & 7, shadow, 0);
            if word >> 31 == 0 {
                for n in (0..6).filter(|n| word >> (30 - n) & 1 != 0) {
                    if left == 0 {
                        return false;
                    }
                    left -= 1;
                    triangle.n = n;
                    visit(triangle);
                }
                continue;
            }
            triangle.sprite = word >> 29 & 1 != 0;
            let corners = if triangle.sprite { 4 } else { 3 };
            let words = 1 + triangle.volumes() * (2 + corners * triangle.skip) + corners * 3;
            for _ in 0..=(word >> 25 & 15) {
                if left == 0 {
                    return false;
                }
                left -= 1;
                visit(triangle);
                triangle.address = triangle.address.wrapping_add(words * 4);
            }
        }
        true
    }
}
