//! Which texture a texture number of a model means.

use ninja::{Filter, Tiny};
use pvr::{TextureWord, TspWord};

/// A texture in video memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundTexture {
    /// Address, format and layout.
    pub word: TextureWord,
    /// Width in texels, a power of two from 8 to 1024.
    pub width: u32,
    /// Height in texels, likewise.
    pub height: u32,
}

/// The textures of a model, by number, and the stand-in for those that are missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Textures {
    /// By texture number.
    pub bound: Vec<Option<BoundTexture>>,
    /// For the others: a visible checker.
    pub checker: BoundTexture,
}

impl Textures {
    pub(crate) fn get(&self, number: u16) -> Option<BoundTexture> {
        self.bound.get(usize::from(number)).copied().flatten()
    }
}

/// The texture's part of a TSP word: size, flips, clamps, filter, D adjust.
pub(crate) fn tsp(tsp: TspWord, tiny: &Tiny, texture: &BoundTexture) -> TspWord {
    let filter = match tiny.filter {
        Filter::Point => pvr::Filter::Point,
        Filter::Bilinear => pvr::Filter::Bilinear,
        Filter::TrilinearA => pvr::Filter::TrilinearA,
        Filter::TrilinearB => pvr::Filter::TrilinearB,
    };
    tsp.with_size(texture.width, texture.height)
        .with_flip_u(tiny.flip_u)
        .with_flip_v(tiny.flip_v)
        .with_clamp_u(tiny.clamp_u)
        .with_clamp_v(tiny.clamp_v)
        .with_filter(filter)
        .with_supersample(tiny.supersample)
        .with_mip_adjust(u32::from(tiny.mipmap_adjust))
}
