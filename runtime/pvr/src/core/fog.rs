//! Fog (`docs/hardware/pvr2.md`, "Fog"): weight from the table for a depth, and application to a colour.

use super::colour::{mix, weight};
use crate::regs::{Registers, reg};
use crate::settings::WeightScale;

/// Fog registers.
#[derive(Debug)]
pub(super) struct Fog<'a> {
    pub(super) table: &'a [u32],
    /// FOG_DENSITY: mantissa 1.7 in 15:8 times 2 to the signed exponent in 7:0.
    pub(super) density: f32,
    /// FOG_COL_RAM and FOG_COL_VERT.
    pub(super) table_colour: u32,
    pub(super) vertex_colour: u32,
    scale: WeightScale,
}

/// Upper limit of the table's input: the largest float below 256.
pub(super) const LARGEST: f32 = 255.999_98;

impl<'a> Fog<'a> {
    pub(super) fn new(regs: &'a Registers, scale: WeightScale) -> Self {
        let density = regs.get(reg::FOG_DENSITY);
        let mantissa = (density >> 8 & 0xFF) as f32 / 128.0;
        Self {
            table: regs.fog_table(),
            density: mantissa * power_of_two(density as u8 as i8),
            table_colour: regs.get(reg::FOG_COL_RAM) & 0x00FF_FFFF,
            vertex_colour: regs.get(reg::FOG_COL_VERT) & 0x00FF_FFFF,
            scale,
        }
    }

    /// Returns the fog alpha at 1/W. The table has 16 entries per octave from 1 to 256, each with the values
    /// at its two ends.
    pub(super) fn alpha(&self, inverse_w: f32) -> u32 {
        let value = self.density * inverse_w;
        // NaN becomes 1.
        let value = if value > 1.0 { value } else { 1.0 };
        let bits = value.min(LARGEST).to_bits();
        let index = (((bits >> 23) + 1) & 7) << 4 | bits >> 19 & 15;
        let t = bits >> 11 & 0xFF;
        let entry = self.table.get(index as usize).copied().unwrap_or_default();
        let (high, low) = (entry >> 8 & 0xFF, entry & 0xFF);
        (high * weight(self.scale, 255 - t) + low * weight(self.scale, t)) >> 8
    }

    /// Blends red, green and blue of `colour` with `fog` by an alpha.
    pub(super) fn apply(&self, colour: u32, fog: u32, alpha: u32) -> u32 {
        let rest = weight(self.scale, 255 - alpha);
        mix(colour, rest, fog, weight(self.scale, alpha)) & 0x00FF_FFFF | colour & 0xFF00_0000
    }
}

/// Returns 2 to an exponent; 0 below the normal floats.
fn power_of_two(exponent: i8) -> f32 {
    match i32::from(exponent) + 127 {
        biased @ 1.. => f32::from_bits((biased as u32) << 23),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_by_hand() {
        let mut regs = Registers::new();
        // Entry 0 covers 1 to 17/16: from 0x80 to 0x40. Entry 16 begins at 2.
        regs.set(reg::FOG_TABLE, 0x8040);
        regs.set(reg::FOG_TABLE + 16 * 4, 0xFF00);
        regs.set(reg::FOG_TABLE + 127 * 4, 0x1234);
        // 1.0 times 2^1
        regs.set(reg::FOG_DENSITY, 0x8001);
        let fog = Fog::new(&regs, WeightScale::Scaled256);
        // t = 0: 0x80 * 256 >> 8
        assert_eq!(fog.alpha(0.5), 0x80);
        assert_eq!(fog.alpha(0.0), 0x80, "clamped to 1");
        assert_eq!(fog.alpha(f32::NAN), 0x80);
        // In the middle of the entry, t = 0x80: (0x80 * 127 + 0x40 * 129) >> 8 = 95
        assert_eq!(fog.alpha(33.0 / 64.0), 95);
        assert_eq!(fog.alpha(1.0), 0xFF);
        // Limited to below 256: the last entry at t = 255, 0x34.
        assert_eq!(fog.alpha(1e9), 0x34);
        // 0x40 has the weight 64, the rest 192: (0x80 * 192 + 0xFF * 64) >> 8 = 159, (0xFF * 192) >> 8 = 191
        assert_eq!(fog.apply(0x1280_FF00, 0x00FF_0000, 0x40), 0x129F_BF00);
    }
}
