//! Batches of tiles. The pixels of a batch are buffered until all its tile sequences are drawn, and then
//! written. This limits memory use for a region array of any length. A screen is one batch.

use super::fast::{self, Lanes};
use super::output::{Output, Screen};
use super::scene::{Scene, Slot};
use super::thread_pool::ThreadPool;
use super::{PIXELS, TILE};
use crate::vram::Vram;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum number of buffered tiles: all positions that a region entry can name. A sequence flushes no more
/// tiles than this.
const MAX_SLOTS: usize = 64 * 64;

/// Sequences that are drawn before their pixels are written.
#[derive(Debug, Clone)]
pub(super) struct Batch {
    pub(super) sequences: Range<usize>,
    slots: Range<usize>,
}

/// Pixels of a batch, one slice per tile. The thread that draws a tile locks it once.
pub(super) type Tiles<'a> = Vec<Mutex<&'a mut [u32]>>;

impl Batch {
    /// Creates the batch that begins with a sequence; `None` after the last sequence.
    pub(super) fn from(scene: &Scene, first: usize) -> Option<Self> {
        let start = scene.sequences.get(first)?.slots.start;
        let fits = |sequence: &&super::scene::TileSequence| sequence.slots.end - start <= MAX_SLOTS;
        let count = scene.sequences[first..].iter().take_while(fits).count().max(1);
        Some(Self {
            sequences: first..first + count,
            slots: start..scene.sequences[first + count - 1].slots.end,
        })
    }

    /// Returns the sequences in an order that keeps neighbouring tiles together: a primitive set up for one
    /// tile is cached for the next.
    pub(super) fn order(&self, scene: &Scene) -> Vec<usize> {
        let place = |sequence: &usize| {
            let pass = scene.passes(&scene.sequences[*sequence]).first();
            pass.map_or(0, |pass| spread(pass.x) | spread(pass.y) << 1)
        };
        let mut order: Vec<usize> = self.sequences.clone().collect();
        order.sort_by_cached_key(place);
        order
    }

    /// Allocates the batch's tiles.
    pub(super) fn tiles<'p>(&self, pixels: &'p mut Vec<u32>) -> Tiles<'p> {
        pixels.resize(self.slots.len() * PIXELS, 0);
        pixels.chunks_exact_mut(PIXELS).map(Mutex::new).collect()
    }

    /// Stores the pixels of a slot.
    pub(super) fn keep(&self, tiles: &Tiles<'_>, slot: usize, colours: &[u32]) {
        if let Some(Ok(mut tile)) = tiles.get(slot - self.slots.start).map(Mutex::lock) {
            tile.copy_from_slice(colours);
        }
    }

    /// Writes all tiles to the framebuffer in order. If the framebuffer has bands ([`Output::bands`]), also
    /// copies them to the screen. Returns true if the copy fills the screen.
    pub(super) fn write(
        &self,
        scene: &Scene,
        pixels: &[u32],
        vram: &mut Vram,
        output: &Output,
        (pool, threads, lanes): (&ThreadPool, usize, Lanes),
        screen: Option<Screen<'_>>,
    ) -> bool {
        let slots = &scene.slots[self.slots.clone()];
        let tiles = || slots.iter().zip(pixels.chunks_exact(PIXELS));
        let rows = slots.iter().map(|slot| slot.y + 1).max().unwrap_or(0);
        let Some(bands) = output.bands(vram, rows) else {
            let flushed: Vec<_> = tiles().map(|(slot, colours)| (slot.x, slot.y, colours)).collect();
            output.write_frame(vram, &flushed);
            return false;
        };
        let screen = screen.filter(|_| output.is_shown());
        let shown = screen.as_ref().is_some_and(|screen| screen.is_within(rows));
        let screen = screen.map(Screen::bands);
        // Bands do not overlap. One thread writes all tiles of a band, in order.
        let next = AtomicUsize::new(0);
        let work = || {
            loop {
                let row = next.fetch_add(1, Ordering::Relaxed) as u32;
                if row >= rows {
                    break;
                }
                for (&Slot { x, y }, colours) in tiles().filter(|(slot, _)| slot.y == row) {
                    fast::write_band(lanes, output, &bands, [x, y].map(|n| n * TILE as u32), colours);
                }
                if let Some(screen) = &screen {
                    screen.show(&bands, row);
                }
            }
        };
        pool.each(&mut vec![(); threads], |_, ()| work());
        shown
    }
}

/// Inserts a zero bit after each bit of a number below 64.
fn spread(n: u32) -> u32 {
    (0..6).fold(0, |all, bit| all | (n >> bit & 1) << (2 * bit))
}
