//! Assignment of textures to the texture numbers of a model.

use ninja::{Filter, Tiny};
use pvr::{TextureWord, TspWord};

/// A texture in video memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundTexture {
    /// Address, format and layout.
    pub word: TextureWord,
    /// Width in texels, a power of two from 8 to 1024.
    pub width: u32,
    /// Height in texels, a power of two from 8 to 1024.
    pub height: u32,
}

/// Textures of a model by number, and a substitute for missing ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Textures {
    /// Textures by number.
    pub bound: Vec<Option<BoundTexture>>,
    /// Substitute for missing textures: a visible checker pattern.
    pub checker: BoundTexture,
}

impl Textures {
    pub(crate) fn get(&self, number: u16) -> Option<BoundTexture> {
        self.bound.get(usize::from(number)).copied().flatten()
    }
}

/// Sets the texture's part of a TSP word: size, flips, clamps, filter, D adjust.
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
