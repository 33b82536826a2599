//! Stand-ins for the types of the sibling modules that texture decoding touches, so that it can be built and tested alone.

use crate::texture::TextureSettings;

/// Texture control word (TCW).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureWord(pub u32);

/// TSP instruction word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TspWord(pub u32);

/// The switches of the crate; decoding reads only this field.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The open points of texture decoding.
    pub texture: TextureSettings,
}

/// 8 MiB of video memory, kept in the order of the 64-bit area.
pub struct Vram(Vec<u8>);

impl Default for Vram {
    fn default() -> Self {
        Self(vec![0; 8 << 20])
    }
}

impl Vram {
    /// The byte at a 64-bit-area address; the address wraps at 8 MiB.
    pub fn byte64(&self, address: u32) -> u8 {
        self.0[address as usize & 0x7F_FFFF]
    }

    /// Writes bytes at a 64-bit-area address; the address wraps at 8 MiB.
    pub fn upload64(&mut self, address: u32, bytes: &[u8]) {
        for (i, &byte) in bytes.iter().enumerate() {
            self.0[(address as usize + i) & 0x7F_FFFF] = byte;
        }
    }
}
