//! `void mix_stereo(const void *samples, const uint32_t channels[][4], uint32_t n, uint32_t frames, uint32_t
//! out[])`: mixes `n` channels to stereo frames. The SH4 has the same kernel with the same reference: see
//! [`sh4_kernels::mix_stereo`].

use sh4_kernels::{Kernel, mix_stereo::KERNEL as SH4};

/// The manifest row.
pub static KERNEL: Kernel = Kernel {
    name: SH4.name,
    symbol: "mix_stereo",
    summary: SH4.summary,
    params: SH4.params,
    reference: SH4.reference,
    generate: SH4.generate,
    deviation: SH4.deviation,
};
