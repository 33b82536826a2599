//! Decoded textures of a frame, each (texture word, size) once.

use super::setup::Source;
use crate::event::{Warning, Warnings};
use crate::param::{TextureWord, TspWord};
use crate::texture::{Texture, TextureRegisters, decode};
use std::collections::HashMap;

/// Size codes of the TSP word: the part that decides how texels are read.
const SIZE_BITS: u32 = 0x3F;

/// The textures of a frame.
#[derive(Debug, Default)]
pub(super) struct Textures {
    list: Vec<Texture>,
    index: HashMap<(u32, u32), u32>,
    /// The last answer: triangles of one polygon follow each other.
    last: Option<((u32, u32), u32)>,
}

impl Textures {
    /// Index of the texture, decoded now if it was not yet.
    pub(super) fn index(
        &mut self,
        source: &Source<'_>,
        tcw: TextureWord,
        tsp: TspWord,
        warnings: &mut Warnings,
    ) -> u32 {
        let key = (tcw.0, tsp.0 & SIZE_BITS);
        if let Some((last, index)) = self.last
            && last == key
        {
            return index;
        }
        let index = *self.index.entry(key).or_insert_with(|| {
            let regs = TextureRegisters::from(source.regs);
            let texture = decode(source.vram, tcw, tsp, &regs, source.settings).ok();
            // A texture whose texels do not fill its size would be read beyond its end.
            let whole = texture.filter(|t| {
                t.width.is_power_of_two()
                    && t.height.is_power_of_two()
                    && t.texels.len() as u64 == u64::from(t.width) * u64::from(t.height)
            });
            self.list.push(whole.unwrap_or_else(|| {
                warnings.add(Warning::Texture);
                Texture {
                    width: 1,
                    height: 1,
                    texels: vec![u32::MAX],
                    levels: Vec::new(),
                }
            }));
            self.list.len() as u32 - 1
        });
        self.last = Some((key, index));
        index
    }

    /// Width and height in texels.
    pub(super) fn size(&self, index: u32) -> (u32, u32) {
        self.get(index).map_or((1, 1), |t| (t.width, t.height))
    }

    pub(super) fn get(&self, index: u32) -> Option<&Texture> {
        self.list.get(index as usize)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}
