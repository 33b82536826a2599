//! Parameters of a triangle or sprite as stored in VRAM.

use super::objects::Triangle;
use crate::param::{IspWord, TextureWord, TspWord};
use crate::regs::{Registers, reg};
use crate::vram::{Area, Vram};

/// One vertex as stored, with the attributes of one volume.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub(super) xy: [f32; 2],
    pub(super) z: f32,
    pub(super) uv: [f32; 2],
    pub(super) base: u32,
    pub(super) offset: u32,
}

impl Triangle {
    #[inline(always)]
    pub(super) fn word(&self, vram: &Vram, n: u32) -> u32 {
        vram.read32(Area::Bits32, self.address.wrapping_add(n * 4))
    }

    #[inline(always)]
    pub(super) fn isp(&self, vram: &Vram) -> IspWord {
        IspWord(self.word(vram, 0))
    }

    /// Returns the TSP and texture words of volume 0 or 1.
    #[inline(always)]
    pub(super) fn tsp(&self, vram: &Vram, volume: u32) -> (TspWord, TextureWord) {
        let at = 1 + 2 * volume;
        (TspWord(self.word(vram, at)), TextureWord(self.word(vram, at + 1)))
    }

    /// Index of the first word of vertex `n`.
    #[inline(always)]
    fn vertex(&self, n: u32) -> u32 {
        let volumes = self.volumes();
        1 + 2 * volumes + n * (3 + self.skip * volumes)
    }

    /// Returns x, y and z of vertex `n`.
    #[inline(always)]
    pub(super) fn position(&self, vram: &Vram, n: u32) -> [f32; 3] {
        let at = self.vertex(n);
        [
            f32::from_bits(self.word(vram, at)),
            f32::from_bits(self.word(vram, at + 1)),
            f32::from_bits(self.word(vram, at + 2)),
        ]
    }

    /// Indices of the three vertices that define the plane. Odd triangles of a strip swap their first two,
    /// which keeps the winding.
    #[inline(always)]
    pub(super) fn corners(&self) -> [u32; 3] {
        let n = u32::from(self.n);
        if n & 1 == 0 {
            [n, n + 1, n + 2]
        } else {
            [n + 1, n, n + 2]
        }
    }

    /// Reads the three vertices that define the plane, with the attributes of a volume.
    #[inline(always)]
    pub(super) fn read(&self, vram: &Vram, isp: IspWord, volume: u32) -> [Corner; 3] {
        let [a, b, c] = self.corners();
        [
            self.corner(vram, isp, volume, a),
            self.corner(vram, isp, volume, b),
            self.corner(vram, isp, volume, c),
        ]
    }

    #[inline(always)]
    fn corner(&self, vram: &Vram, isp: IspWord, volume: u32, n: u32) -> Corner {
        let [x, y, z] = self.position(vram, n);
        let uv = self.vertex(n) + 3 + volume * self.skip;
        let (words, uv) = match (isp.texture(), isp.uv16()) {
            (false, _) => (0, [0, 0]),
            (true, false) => (2, [self.word(vram, uv), self.word(vram, uv + 1)]),
            (true, true) => {
                let packed = self.word(vram, uv);
                (1, [packed & 0xFFFF_0000, packed << 16])
            }
        };
        let colours = self.vertex(n) + 3 + volume * self.skip + words;
        Corner {
            xy: [x, y],
            z,
            uv: uv.map(f32::from_bits),
            base: self.word(vram, colours),
            offset: if isp.texture() && isp.offset() {
                self.word(vram, colours + 1)
            } else {
                0
            },
        }
    }

    /// Position in the order of submission: word address and index in the strip. These are the lower 24 bits
    /// of the chip's tag.
    pub(super) fn order(&self, regs: &Registers) -> u32 {
        let base = regs.get(reg::PARAM_BASE) & 0xF0_0000;
        ((self.address.wrapping_sub(base) / 4) << 3 | u32::from(self.n)) & 0xFF_FFFF
    }
}
