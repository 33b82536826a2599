//! `void adpcm_decode(const uint8_t *src, uint32_t n, int16_t *dst, int32_t state[2], uint32_t limit)`:
//! decodes Yamaha's 4-bit ADPCM as the AICA does. The SH4 has the same kernel with the same reference: see
//! [`sh4_kernels::adpcm_decode`].

pub use sh4_kernels::adpcm_decode::{FIRST_STEP, NO_LIMIT};
use sh4_kernels::{Kernel, adpcm_decode::KERNEL as SH4};

/// The manifest row.
pub static KERNEL: Kernel = Kernel {
    name: SH4.name,
    symbol: "adpcm_decode",
    summary: SH4.summary,
    params: SH4.params,
    reference: SH4.reference,
    generate: SH4.generate,
    deviation: SH4.deviation,
};
