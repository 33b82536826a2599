//! Decoded textures. All threads share them, and they stay valid until their memory changes.

use super::shade::bump;
use crate::core::sample::Sampler;
use crate::core::setup::Source;
use crate::param::{PixelFormat, TextureWord, TspWord};
use crate::regs::{Registers, reg};
use crate::texture::{Texture, TextureRegisters, decode, layout_of};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// Maximum size of all decoded textures in bytes. The reference renderer (`core::scalar`) samples further
/// textures directly from memory, with the same result.
const BUDGET: usize = 24 << 20;

/// The bits of a TSP word that affect the texture layout: its size codes.
const SIZE_BITS: u32 = 0x3F;

/// A texture prepared for groups of pixels. Each element has a texel in its lower word and the texel below it
/// in its upper word. Each row ends with a copy of its first element, and the row below the last one is the
/// first. Two neighbouring elements therefore contain the four texels of a filter, even at the edges.
/// Elements of bump maps have the form of [`bump::prepared`].
#[derive(Debug)]
pub(super) struct Decoded {
    pub(super) texels: Vec<u64>,
    /// Size of level 0, powers of two.
    pub(super) width: u32,
    pub(super) height: u32,
    /// Index of each level's first texel. A texture without mip levels has one level.
    pub(super) levels: Vec<u64>,
}

impl Decoded {
    /// Returns the number of elements per row.
    #[inline(always)]
    pub(super) fn stride(&self) -> u32 {
        self.width + 1
    }

    /// Returns the number of the smallest level.
    pub(super) fn last_level(&self) -> u32 {
        self.levels.len() as u32 - 1
    }

    fn bytes(&self) -> usize {
        (self.texels.len() + self.levels.len()) * size_of::<u64>()
    }

    fn new(texture: &Texture, tcw: TextureWord) -> Self {
        let mut decoded = Self {
            texels: Vec::with_capacity((texture.width as usize + 1) * texture.height as usize),
            width: texture.width,
            height: texture.height,
            levels: Vec::new(),
        };
        decoded.push_level(texture.width, &texture.texels);
        for level in &texture.levels {
            decoded.push_level(level.width, &level.texels);
        }
        if Sampler::is_bump(tcw) {
            for pair in &mut decoded.texels {
                *pair = bump::prepared([*pair as u32, (*pair >> 32) as u32]);
            }
        }
        decoded
    }

    fn push_level(&mut self, width: u32, level: &[u32]) {
        let texels = &mut self.texels;
        self.levels.push(texels.len() as u64);
        let rows = level.chunks_exact(width as usize);
        for (own, below) in rows.clone().zip(rows.clone().cycle().skip(1)) {
            let start = texels.len();
            texels.extend(
                own.iter()
                    .zip(below)
                    .map(|(&own, &below)| u64::from(own) | u64::from(below) << 32),
            );
            texels.push(texels[start]);
        }
    }
}

/// Parameters of a texture: texture word, size codes, and texture registers.
type Key = (u32, u32, u32);

#[derive(Debug)]
struct Entry {
    texture: Arc<Decoded>,
    bytes: Range<usize>,
    /// Write clock of the memory at the time of decoding.
    clock: u64,
    palette: Vec<u32>,
    /// Last frame in which the entry was used.
    frame: u64,
}

#[derive(Debug, Default)]
struct CacheState {
    entries: HashMap<Key, Entry>,
    bytes: usize,
    frame: u64,
}

/// The cache.
#[derive(Debug, Default)]
pub(crate) struct Textures {
    state: Mutex<CacheState>,
}

impl Textures {
    /// Begins a frame. Textures are checked again, because memory and palette may have changed.
    pub(in crate::core) fn next_frame(&mut self) {
        let state = self
            .state
            .get_mut()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        state.frame += 1;
    }

    /// Returns a key that distinguishes the textures of a frame.
    pub(super) fn key(tcw: TextureWord, tsp: TspWord) -> u64 {
        u64::from(tcw.0) | u64::from(tsp.0 & SIZE_BITS) << 32
    }

    /// Returns the texture of a polygon, or `None` if it does not fit into the budget.
    pub(super) fn get(&self, source: &Source<'_>, tcw: TextureWord, tsp: TspWord) -> Option<Arc<Decoded>> {
        let control = source.regs.get(reg::TEXT_CONTROL) & 31 | (source.regs.get(reg::PAL_RAM_CTRL) & 3) << 8;
        let key = (tcw.0, tsp.0 & SIZE_BITS, control);
        let mut state = self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let frame = state.frame;
        if let Some(entry) = state.entries.get_mut(&key) {
            let known = entry.frame == frame;
            if known || entry.holds(source, tcw) {
                entry.frame = frame;
                return Some(Arc::clone(&entry.texture));
            }
            state.remove(&key);
        }
        let size = (tsp.width() as usize + 1) * tsp.height().max(tsp.width()) as usize * 8;
        // All smaller levels together have a third of the texels of level 0. The factor 3 / 2 also covers the
        // extra element of each row.
        let size = if tcw.mip() { size * 3 / 2 } else { size };
        if !state.make_room(size) {
            return None;
        }
        let texture = decode(
            source.vram,
            tcw,
            tsp,
            &TextureRegisters::from(source.regs),
            source.settings,
        )
        .ok()?;
        let layout = layout_of(tcw, tsp, source.regs.get(reg::TEXT_CONTROL));
        let start = tcw.address() as usize;
        let entry = Entry {
            texture: Arc::new(Decoded::new(&texture, tcw)),
            bytes: start..start + layout.byte_len(&source.settings.texture),
            clock: source.vram.clock(),
            palette: palette(source.regs, tcw).to_vec(),
            frame,
        };
        state.bytes += entry.texture.bytes();
        let texture = Arc::clone(&entry.texture);
        state.entries.insert(key, entry);
        Some(texture)
    }
}

impl CacheState {
    fn remove(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes -= entry.texture.bytes();
        }
    }

    /// If `size` more bytes do not fit, removes the textures that this frame has not used. Returns true if
    /// they fit now.
    fn make_room(&mut self, size: usize) -> bool {
        if self.bytes + size > BUDGET {
            let frame = self.frame;
            self.entries.retain(|_, entry| entry.frame == frame);
            self.bytes = self.entries.values().map(|entry| entry.texture.bytes()).sum();
        }
        self.bytes + size <= BUDGET
    }
}

impl Entry {
    /// Returns true if memory and palette have not changed since decoding.
    fn holds(&self, source: &Source<'_>, tcw: TextureWord) -> bool {
        source.vram.last_write(self.bytes.clone()) <= self.clock && palette(source.regs, tcw) == self.palette
    }
}

/// Returns the palette entries that a texture uses.
fn palette(regs: &Registers, tcw: TextureWord) -> &[u32] {
    let selector = tcw.palette_selector() as usize;
    let range = match tcw.format() {
        PixelFormat::Pal4 => selector * 16..selector * 16 + 16,
        PixelFormat::Pal8 => (selector >> 4) * 256..(selector >> 4) * 256 + 256,
        _ => 0..0,
    };
    regs.palette().get(range).unwrap_or_default()
}
