//! Fog of eight pixels, as [`crate::core::fog`] defines it for one.

use super::channels::{rest, weight};
use crate::core::fast::isa::Isa;
use crate::core::fog::{Fog, LARGEST};

/// The fog registers, with the table in the form of texels.
#[derive(Debug, Clone)]
pub(in crate::core::fast) struct FogState {
    table: [u64; 128],
    density: f32,
    pub(super) table_colour: u32,
    pub(super) vertex_colour: u32,
}

impl FogState {
    pub(in crate::core::fast) fn new(fog: &Fog<'_>) -> Self {
        let mut table = [0; 128];
        for (to, &from) in table.iter_mut().zip(fog.table) {
            *to = from.into();
        }
        Self {
            table,
            density: fog.density,
            table_colour: fog.table_colour,
            vertex_colour: fog.vertex_colour,
        }
    }

    /// Computes [`Fog::alpha`] for eight pixels.
    #[inline(always)]
    pub(super) fn alpha<I: Isa>(&self, isa: I, inverse_w: I::F) -> I::W {
        let value = isa.mul(isa.splat_float(self.density), inverse_w);
        let value = isa.min(isa.max(value, isa.splat_float(1.0)), isa.splat_float(LARGEST));
        let bits = isa.floats_to_bits(value);
        let octave = isa.and(isa.add32(isa.shr::<23>(bits), isa.splat(1)), isa.splat(7));
        let step = isa.and(isa.shr::<19>(bits), isa.splat(15));
        let entry = isa.gather(&self.table, isa.or(isa.shl::<4>(octave), step));
        let byte = isa.splat(0xFF);
        let w = weight::<I>(isa, isa.and(isa.shr::<11>(bits), byte));
        let rest = isa.and(rest::<I>(isa, w), isa.splat(0xFFFF));
        let (high, low) = (isa.and(isa.shr::<8>(entry), byte), isa.and(entry, byte));
        isa.shr::<8>(isa.add32(isa.mul15(high, rest), isa.mul15(low, w)))
    }
}
