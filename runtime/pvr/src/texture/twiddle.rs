//! Texel order of the chip: bits of y and x interleaved, y lowest.
//!
//! In a rectangle the interleaving covers the smaller side. The remaining bits of the larger side follow
//! above, so that the texture is a row or column of twiddled squares. Source: docs/hardware/pvr2.md,
//! "Textures", checked against `pypvr`.

/// Texel offsets of one level: the offset of (x, y) is `column[x] | row[y]`.
pub(crate) struct TwiddleTable {
    pub(crate) column: Vec<u32>,
    pub(crate) row: Vec<u32>,
}

impl TwiddleTable {
    /// Creates the tables for a level of `width` x `height` texels, both powers of two of at most 1024.
    pub(crate) fn new(width: u32, height: u32) -> Self {
        let shared_bits = width.min(height).trailing_zeros();
        let axis = |length: u32, shift: u32| {
            (0..length).map(move |v| {
                spread(v & ((1 << shared_bits) - 1)) << shift | (v >> shared_bits) << (2 * shared_bits)
            })
        };
        Self {
            column: axis(width, 1).collect(),
            row: axis(height, 0).collect(),
        }
    }
}

/// Returns the texel offset of (x, y) in a twiddled texture of `width` x `height` texels, both powers of two
/// of at most 1024.
///
/// ```
/// use pvr::texture::twiddled_offset;
/// let texels = [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0)];
/// assert_eq!(texels.map(|(x, y)| twiddled_offset(x, y, 8, 8)), [0, 1, 2, 3, 4, 8]);
/// ```
#[must_use]
pub fn twiddled_offset(x: u32, y: u32, width: u32, height: u32) -> u32 {
    let shared_bits = width.min(height).trailing_zeros();
    let low = (1u32 << shared_bits) - 1;
    spread(y & low) | spread(x & low) << 1 | ((x | y) >> shared_bits) << (2 * shared_bits)
}

/// Moves bit n of a 10-bit number to bit 2n.
fn spread(v: u32) -> u32 {
    let v = (v | v << 8) & 0x00FF_00FF;
    let v = (v | v << 4) & 0x0F0F_0F0F;
    let v = (v | v << 2) & 0x3333_3333;
    (v | v << 1) & 0x5555_5555
}
