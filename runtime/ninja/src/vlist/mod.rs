//! Vertex lists: chunks of 32-bit words (docs/formats/ninja.md 1.6).

mod build;
mod edit;
mod io;
mod kind;

pub use build::Vertex;
pub(crate) use io::{measure, read, size, write};
pub use kind::{Attribute, Normal, VertexKind};

use crate::color::Argb;

/// Head bit: the vertex calculation continues. Practically every node that shares the buffer has it.
pub const FV_CONT: u8 = 0x80;
/// Head bit of the vertex chunks of a CompactShape list; meaningless in a model's vlist.
pub const FV_SHAPE: u8 = 0x40;

/// A vertex list. Its end word is not part of `chunks`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vlist {
    /// Chunks in order; kinds may differ.
    pub chunks: Vec<VertexChunk>,
}

/// One vertex chunk: `count` vertices of [`VertexKind::stride`] words.
///
/// In the file: word 0 `size << 16 | headbits << 8 | id`, word 1 `count << 16 | index_offset`, then the
/// data; `size` counts the words after word 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VertexChunk {
    /// Contents of each vertex.
    pub kind: VertexKind,
    /// [`FV_CONT`], [`FV_SHAPE`] and, for weighted kinds, the [`Weight`] in bits 0 and 1.
    pub headbits: u8,
    /// First slot of the vertex buffer. 0 also resets the model's vertex counter.
    pub index_offset: u16,
    /// Number of vertices.
    pub count: u16,
    /// `count * stride` words as numbers in host byte order.
    pub words: Vec<u32>,
    /// Words after the last vertex that the size field includes; empty in every known file.
    pub tail: Vec<u32>,
}

/// Effect of a weighted vertex chunk on the buffer (docs/formats/ninja.md 2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Overwrites the slots.
    Start,
    /// Adds to the slots.
    Middle,
    /// Adds to the slots, then projects and lights the vertices.
    End,
}

/// Slot and weight of a weighted vertex, `weight << 16 | index` in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NinjaFlags {
    /// Offset added to the chunk's `index_offset`; signed.
    pub index: i16,
    /// Weight of this node's matrix; 255 is the full weight (see [`WeightScale`](crate::WeightScale)).
    pub weight: u16,
}

impl From<u32> for NinjaFlags {
    fn from(word: u32) -> Self {
        NinjaFlags {
            index: word as u16 as i16,
            weight: (word >> 16) as u16,
        }
    }
}

impl From<NinjaFlags> for u32 {
    fn from(flags: NinjaFlags) -> u32 {
        u32::from(flags.weight) << 16 | u32::from(flags.index as u16)
    }
}

impl Vlist {
    /// Length in the file in 32-bit words, including the end word.
    pub fn file_words(&self) -> usize {
        size(self) / 4
    }
}

/// Decoding on demand. `i` counts vertices; like slice indexing, these panic when `i >= count`.
impl VertexChunk {
    /// Number of words per vertex.
    pub fn stride(&self) -> usize {
        self.kind.stride()
    }

    /// Words of vertex `i`.
    pub fn vertex(&self, i: usize) -> &[u32] {
        &self.words[i * self.stride()..][..self.stride()]
    }

    fn floats(&self, i: usize, word: usize) -> [f32; 3] {
        let words = &self.vertex(i)[word..];
        [
            f32::from_bits(words[0]),
            f32::from_bits(words[1]),
            f32::from_bits(words[2]),
        ]
    }

    /// Position x, y, z in the node's space.
    pub fn position(&self, i: usize) -> [f32; 3] {
        self.floats(i, 0)
    }

    /// Normal, for kinds that have one. Packed normals are 10-bit values over 512.
    pub fn normal(&self, i: usize) -> Option<[f32; 3]> {
        match self.kind.normal() {
            Normal::None => None,
            Normal::Float(word) => Some(self.floats(i, word)),
            Normal::Packed(word) => Some(unpack_normal(self.vertex(i)[word])),
        }
    }

    /// Slot and weight, for weighted kinds.
    pub fn ninja_flags(&self, i: usize) -> Option<NinjaFlags> {
        self.kind.ninja_word().map(|word| self.vertex(i)[word].into())
    }

    /// User flags, for kinds that have them.
    pub fn user_flags(&self, i: usize) -> Option<u32> {
        match self.kind.attribute() {
            Attribute::User(word) => Some(self.vertex(i)[word]),
            _ => None,
        }
    }

    /// Diffuse colour, for kinds that have one, widened to ARGB8888 like in the runtime
    /// (docs/formats/ninja.md 1.6).
    pub fn diffuse(&self, i: usize) -> Option<Argb> {
        let high = |word: usize| (self.vertex(i)[word] >> 16) as u16;
        match self.kind.attribute() {
            Attribute::D8(word) | Attribute::D8S8(word) => Some(Argb(self.vertex(i)[word])),
            Attribute::NinjaD8(word) => Some(Argb(self.vertex(i)[word + 1])),
            Attribute::S5(word) => Some(Argb::from_565(high(word))),
            Attribute::S4(word) => Some(Argb::from_4444(high(word))),
            Attribute::Intensity(word) => Some(Argb::from_intensity(high(word))),
            _ => None,
        }
    }

    /// Specular colour, for kinds that have one. Alpha is 255 for S5 and intensity, 0 for S4.
    pub fn specular(&self, i: usize) -> Option<Argb> {
        let low = |word: usize| self.vertex(i)[word] as u16;
        match self.kind.attribute() {
            Attribute::D8S8(word) => Some(Argb(self.vertex(i)[word + 1])),
            Attribute::S5(word) => Some(Argb::from_565(low(word))),
            Attribute::S4(word) => Some(Argb(Argb::from_565(low(word)).0 & 0x00FF_FFFF)),
            Attribute::Intensity(word) => Some(Argb::from_intensity(low(word))),
            _ => None,
        }
    }

    /// Weight status, for weighted kinds; `None` also for the unassigned status 3.
    pub fn weight_status(&self) -> Option<Weight> {
        self.kind.ninja_word()?;
        match self.headbits & 3 {
            0 => Some(Weight::Start),
            1 => Some(Weight::Middle),
            2 => Some(Weight::End),
            _ => None,
        }
    }

    /// Slot of vertex `i` in the vertex buffer; it can be negative in a damaged file.
    pub fn slot(&self, i: usize) -> i32 {
        let relative = self
            .ninja_flags(i)
            .map_or(i as i32, |flags| i32::from(flags.index));
        i32::from(self.index_offset) + relative
    }
}

/// Decodes three signed 10-bit components over 512 (docs/formats/ninja.md 1.6, "VNX"; the division is
/// observed in the runtime).
fn unpack_normal(word: u32) -> [f32; 3] {
    [20, 10, 0].map(|shift| ((word >> shift << 22) as i32 >> 22) as f32 / 512.0)
}

/// Encodes a normal: rounded, clamped to -512..=511, bits 31 and 30 zero.
fn pack_normal(normal: [f32; 3]) -> u32 {
    let part = |n: f32| ((n * 512.0).round().clamp(-512.0, 511.0) as i32 as u32) & 0x3FF;
    part(normal[0]) << 20 | part(normal[1]) << 10 | part(normal[2])
}
