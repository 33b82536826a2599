//! Polygon lists: chunks of 16-bit words (docs/formats/ninja.md 1.7).

mod io;
mod kind;
mod state;
mod strip;
mod volume;

pub(crate) use io::{measure, read, size, write};
pub use kind::{StripKind, UvScale, VolumeKind, poly_name};
pub use state::{Blend, BlendMode, Bump, Exponent, Filter, Material, MipmapAdjust, Specular, Tiny};
pub use strip::{Strip, StripChunk, StripEntry, StripFlags, StripSource};
pub use volume::VolumeChunk;

/// A polygon list. Its end word is not part of `chunks`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plist {
    /// Chunks in order.
    pub chunks: Vec<PolyChunk>,
}

/// One chunk of a polygon list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolyChunk {
    /// One word of padding.
    Null,
    /// Only blending (CB_BA).
    Blend(Blend),
    /// Mipmap depth adjust (CB_DA).
    MipmapAdjust(MipmapAdjust),
    /// Only a specular exponent (CB_EXP); the runtime skips it (docs/formats/ninja.md 1.7).
    Exponent(Exponent),
    /// CB_CP: stores the rest of this list under a number and ends the list here.
    CachePolygons(u8),
    /// CB_DP: draws the list stored under the number, then continues.
    DrawPolygons(u8),
    /// Texture and its filtering (CT_TID, CT_TID2).
    Texture(Tiny),
    /// Colours; missing ones keep their values (CM_*).
    Material(Material),
    /// Bump direction (CM_BU).
    Bump(Bump),
    /// Collision or modifier volume (CO_*).
    Volume(VolumeChunk),
    /// Triangle strips (CS_*).
    Strip(StripChunk),
    /// A chunk without a known meaning, or with a size that its id does not allow.
    Reserved(ReservedChunk),
}

/// A chunk kept as words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReservedChunk {
    /// Head word. Its low byte is below 128 and determines the length: one word in total below 8, two below
    /// 16, otherwise a size word follows.
    pub head: u16,
    /// Words after the head and after the size word, if there is one.
    pub words: Vec<u16>,
}

impl PolyChunk {
    /// Id of the chunk, the low byte of its head.
    pub fn id(&self) -> u8 {
        match self {
            PolyChunk::Null => 0,
            PolyChunk::Blend(_) => 1,
            PolyChunk::MipmapAdjust(_) => 2,
            PolyChunk::Exponent(_) => 3,
            PolyChunk::CachePolygons(_) => 4,
            PolyChunk::DrawPolygons(_) => 5,
            PolyChunk::Texture(tiny) => tiny.id(),
            PolyChunk::Material(material) => material.id(),
            PolyChunk::Bump(_) => 24,
            PolyChunk::Volume(volume) => volume.kind.id(),
            PolyChunk::Strip(strip) => strip.kind.id(),
            PolyChunk::Reserved(reserved) => reserved.head as u8,
        }
    }

    /// Length in the file in 16-bit words, including head and size word.
    pub fn file_words(&self) -> usize {
        match self {
            PolyChunk::Texture(_) => 2,
            PolyChunk::Material(material) => 2 + material.data_words(),
            PolyChunk::Bump(_) => 2 + Bump::WORDS,
            PolyChunk::Volume(volume) => 3 + volume.words.len(),
            PolyChunk::Strip(strip) => 3 + strip.words.len(),
            PolyChunk::Reserved(r) => 1 + usize::from(r.head as u8 >= 16) + r.words.len(),
            _ => 1,
        }
    }
}

impl Plist {
    /// Length in the file in 16-bit words, including the end word.
    pub fn file_words(&self) -> usize {
        size(self) / 2
    }

    /// Creates a list in which a null word precedes each material, bump, strip and volume that would
    /// otherwise begin at an odd word. These chunks are read in 32-bit units (docs/formats/chunk-model.md
    /// 3.3).
    pub fn aligned(chunks: impl IntoIterator<Item = PolyChunk>) -> Self {
        let mut list = Plist::default();
        let mut at = 0;
        for chunk in chunks {
            if chunk.id() >= 16 && at % 2 == 1 {
                list.chunks.push(PolyChunk::Null);
                at += 1;
            }
            at += chunk.file_words();
            list.chunks.push(chunk);
        }
        list
    }
}
