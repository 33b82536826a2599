//! Editing of vertices in place. Only the named words change, so a file keeps its layout.

use super::{Attribute, NinjaFlags, Normal, VertexChunk, pack_normal};
use crate::color::Argb;
use crate::error::Error;

/// `i` counts vertices; these functions panic when `i >= count`, like slice indexing. They fail if the kind
/// lacks the attribute.
#[allow(clippy::missing_errors_doc)] // said once, above
impl VertexChunk {
    fn vertex_mut(&mut self, i: usize) -> &mut [u32] {
        let stride = self.stride();
        &mut self.words[i * stride..][..stride]
    }

    fn lacks(&self, what: &'static str) -> Error {
        Error::parameter(what, self.kind.name(), "a kind that has one")
    }

    /// Moves a vertex.
    pub fn set_position(&mut self, i: usize, position: [f32; 3]) {
        self.vertex_mut(i)[..3].copy_from_slice(&position.map(f32::to_bits));
    }

    /// Sets a normal; packed ones are rounded.
    pub fn set_normal(&mut self, i: usize, normal: [f32; 3]) -> Result<(), Error> {
        match self.kind.normal() {
            Normal::None => return Err(self.lacks("normal")),
            Normal::Float(word) => {
                self.vertex_mut(i)[word..word + 3].copy_from_slice(&normal.map(f32::to_bits));
            }
            Normal::Packed(word) => self.vertex_mut(i)[word] = pack_normal(normal),
        }
        Ok(())
    }

    /// Sets slot and weight.
    pub fn set_ninja_flags(&mut self, i: usize, flags: NinjaFlags) -> Result<(), Error> {
        let word = self.kind.ninja_word().ok_or_else(|| self.lacks("NinjaFlags"))?;
        self.vertex_mut(i)[word] = flags.into();
        Ok(())
    }

    /// Sets the user flags.
    pub fn set_user_flags(&mut self, i: usize, user: u32) -> Result<(), Error> {
        let Attribute::User(word) = self.kind.attribute() else {
            return Err(self.lacks("user flags"));
        };
        self.vertex_mut(i)[word] = user;
        Ok(())
    }

    /// Sets the diffuse colour, reduced for 16-bit kinds. Intensity kinds use its green component.
    pub fn set_diffuse(&mut self, i: usize, color: Argb) -> Result<(), Error> {
        let (word, half) = match self.kind.attribute() {
            Attribute::D8(word) | Attribute::D8S8(word) => (word, None),
            Attribute::NinjaD8(word) => (word + 1, None),
            Attribute::S5(word) => (word, Some(color.to_565())),
            Attribute::S4(word) => (word, Some(color.to_4444())),
            Attribute::Intensity(word) => (word, Some(u16::from(color.g()) << 8)),
            _ => return Err(self.lacks("diffuse colour")),
        };
        let word = &mut self.vertex_mut(i)[word];
        *word = half.map_or(color.0, |half| u32::from(half) << 16 | *word & 0xFFFF);
        Ok(())
    }

    /// Sets the specular colour, reduced for 16-bit kinds. Intensity kinds use its green component.
    pub fn set_specular(&mut self, i: usize, color: Argb) -> Result<(), Error> {
        let (word, half) = match self.kind.attribute() {
            Attribute::D8S8(word) => (word + 1, None),
            Attribute::S5(word) | Attribute::S4(word) => (word, Some(color.to_565())),
            Attribute::Intensity(word) => (word, Some(u16::from(color.g()) << 8)),
            _ => return Err(self.lacks("specular colour")),
        };
        let word = &mut self.vertex_mut(i)[word];
        *word = half.map_or(color.0, |half| u32::from(half) | *word & 0xFFFF_0000);
        Ok(())
    }
}
