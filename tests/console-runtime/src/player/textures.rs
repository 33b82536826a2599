//! Files of textures in the console runtime.

use super::{FAULT, Outcome, Player, Refusal};
use anyhow::Result;

/// Words of struct swr_texture_data.
const WORDS: u32 = 17;
/// SWR_CHUNK: the file has no more textures.
const NO_MORE: u32 = 2;

/// Words of PALETTE_RAM.
pub(in super::super) const PALETTE_WORDS: u32 = 1024;
/// Initial value of all words of palette RAM.
pub(in super::super) const UNTOUCHED: u32 = 0x1234_5678;

/// A palette that the console runtime has read, and palette RAM with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct LoadedPalette {
    pub(in super::super) format: u32,
    pub(in super::super) first: u32,
    pub(in super::super) count: u32,
    pub(in super::super) ram: Vec<u32>,
}

/// A texture that the console runtime has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct LoadedTexture {
    /// Texture control word without address, width and height for the TSP word.
    pub(in super::super) word: [u32; 3],
    /// Width and height in texels.
    pub(in super::super) size: [u32; 2],
    pub(in super::super) global_index: Option<u32>,
    pub(in super::super) number: u32,
    pub(in super::super) name: Option<Vec<u8>>,
    /// Bytes of the texture in video memory.
    pub(in super::super) data: Vec<u8>,
}

impl Player {
    /// Reads all textures of a file. The end of the file is the end of its memory.
    pub(in super::super) fn load_textures(&mut self, file: &[u8]) -> Result<Outcome<Vec<LoadedTexture>>> {
        let [at, size] = self.put_file(file, 1)?;
        if let Err(refusal) = self.call("player_open_textures", &[at, size, FAULT])? {
            return Ok(Err(refusal));
        }
        let mut found = Vec::new();
        loop {
            match self.call("player_next_texture", &[FAULT])? {
                Ok(()) => found.push(self.texture()?),
                Err(Refusal { code: NO_MORE, .. }) if !found.is_empty() => return Ok(Ok(found)),
                Err(refusal) => return Ok(Err(refusal)),
            }
        }
    }

    /// Reads a palette. Returns its format, its first word of palette RAM, and the entries that the runtime
    /// stored.
    pub(in super::super) fn load_palette(&mut self, file: &[u8]) -> Result<Outcome<LoadedPalette>> {
        let [at, size] = self.put_file(file, 1)?;
        if let Err(refusal) = self.call("player_palette", &[at, size, FAULT])? {
            return Ok(Err(refusal));
        }
        let head = self.start("player_palette_head", &[])?;
        let words = self.words(head, 3)?;
        // The end of work memory, so that an access after palette RAM stops the machine.
        let ram = self.layout.work.end() - 4 * PALETTE_WORDS;
        self.put(ram, &[UNTOUCHED; PALETTE_WORDS as usize])?;
        self.start("player_store_palette", &[ram])?;
        Ok(Ok(LoadedPalette {
            format: words[0],
            first: words[1],
            count: words[2],
            ram: self.words(ram, PALETTE_WORDS)?,
        }))
    }

    fn texture(&mut self) -> Result<LoadedTexture> {
        let at = self.start("player_texture", &[])?;
        let words = self.words(at, WORDS)?;
        let memory = words[3];
        // The end of work memory, so that an access after the texture stops the machine.
        let target = self.layout.work.end() - memory.next_multiple_of(4);
        self.start("player_store_texture", &[target])?;
        let name = match words[16] {
            0 => None,
            at => Some(self.machine.memory().read(at, 28)?.to_vec()),
        };
        Ok(LoadedTexture {
            word: [words[0], words[1], words[2]],
            size: [words[10], words[11]],
            global_index: (words[12] != 0).then_some(words[13]),
            number: words[15],
            name,
            data: self.machine.memory().read(target, memory)?.to_vec(),
        })
    }
}
