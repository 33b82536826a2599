//! Construction of vertex chunks.

use super::{Attribute, NinjaFlags, Normal, VertexChunk, VertexKind, pack_normal};
use crate::color::Argb;
use crate::error::Error;

/// Attributes of a vertex; [`VertexChunk::build`] uses those that its kind has.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Vertex {
    /// x, y, z in the node's space.
    pub position: [f32; 3],
    /// Unit normal.
    pub normal: [f32; 3],
    /// Slot and weight.
    pub flags: NinjaFlags,
    /// Diffuse colour, reduced for 16-bit kinds. Intensity kinds use its green component.
    pub diffuse: Argb,
    /// Specular colour, reduced for 16-bit kinds. Intensity kinds use its green component.
    pub specular: Argb,
    /// User flags.
    pub user: u32,
}

impl VertexChunk {
    /// Creates a chunk of the given data words.
    ///
    /// # Errors
    /// Fails if `words` is not a whole number of vertices, or exceeds the size field (65,534 words).
    pub fn from_parts(
        kind: VertexKind,
        headbits: u8,
        index_offset: u16,
        words: Vec<u32>,
    ) -> Result<Self, Error> {
        let count = words.len() / kind.stride();
        if !words.len().is_multiple_of(kind.stride()) {
            let expected = format!("a multiple of {} for {}", kind.stride(), kind.name());
            return Err(Error::parameter("vertex words", words.len(), expected));
        }
        if words.len() > usize::from(u16::MAX) - 1 {
            return Err(Error::parameter("vertex words", words.len(), "at most 65534"));
        }
        Ok(VertexChunk {
            kind,
            headbits,
            index_offset,
            count: count as u16,
            words,
            tail: Vec::new(),
        })
    }

    /// Creates a chunk of the given vertices, encoded as `kind`.
    ///
    /// # Errors
    /// Fails under the conditions of [`VertexChunk::from_parts`].
    pub fn build(
        kind: VertexKind,
        headbits: u8,
        index_offset: u16,
        vertices: &[Vertex],
    ) -> Result<Self, Error> {
        let mut words = vec![0; vertices.len() * kind.stride()];
        for (words, vertex) in words.chunks_exact_mut(kind.stride()).zip(vertices) {
            vertex.encode(kind, words);
        }
        VertexChunk::from_parts(kind, headbits, index_offset, words)
    }
}

impl Vertex {
    fn encode(&self, kind: VertexKind, words: &mut [u32]) {
        words[..3].copy_from_slice(&self.position.map(f32::to_bits));
        match kind.normal() {
            Normal::None => {}
            Normal::Float(word) => words[word..word + 3].copy_from_slice(&self.normal.map(f32::to_bits)),
            Normal::Packed(word) => words[word] = pack_normal(self.normal),
        }
        let halves = |high: u16, low: u16| u32::from(high) << 16 | u32::from(low);
        match kind.attribute() {
            Attribute::None => {}
            Attribute::Sh => words[3] = 1.0f32.to_bits(),
            Attribute::D8(word) => words[word] = self.diffuse.0,
            Attribute::User(word) => words[word] = self.user,
            Attribute::Ninja(word) => words[word] = self.flags.into(),
            Attribute::S5(word) => words[word] = halves(self.diffuse.to_565(), self.specular.to_565()),
            Attribute::S4(word) => words[word] = halves(self.diffuse.to_4444(), self.specular.to_565()),
            Attribute::Intensity(word) => {
                words[word] = halves(
                    u16::from(self.diffuse.g()) << 8,
                    u16::from(self.specular.g()) << 8,
                );
            }
            Attribute::D8S8(word) => {
                words[word..word + 2].copy_from_slice(&[self.diffuse.0, self.specular.0])
            }
            Attribute::NinjaD8(word) => {
                words[word..word + 2].copy_from_slice(&[self.flags.into(), self.diffuse.0]);
            }
        }
    }
}
