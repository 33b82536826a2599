//! The core renders the tiles of the region array (`docs/hardware/pvr2.md`, "Core input", "ISP" and "TSP").
//!
//! | module | holds |
//! |---|---|
//! | `scene`, `objects` | region array and object lists in VRAM |
//! | `corner`, `setup`, `edge`, `plane`, `surface` | parameters, edges, depth and colour planes |
//! | `shade`, `sample`, `mip`, `bump`, `fog`, `colour` | colour of one pixel |
//! | `scalar` | the reference renderer: each pixel separately |
//! | `fast` | the fast renderer, with bit-identical results |
//! | `batch`, `work_queue`, `thread_pool`, `output` | threads; tile colours to the framebuffer |
//!
//! Entries of the region array that share the tile buffer form a sequence. Each thread draws sequences that
//! are neighbours on the screen. Afterwards the flushed tiles are written to VRAM in the order of the region
//! array. A frame therefore reads textures as they were before its own writes, and the result is independent
//! of the number of threads.

mod batch;
mod bump;
mod colour;
mod corner;
mod edge;
mod fast;
mod fog;
mod mip;
mod objects;
mod output;
mod plane;
mod sample;
mod scalar;
mod scene;
mod setup;
mod shade;
mod surface;
#[cfg_attr(target_family = "wasm", path = "single_thread.rs")]
mod thread_pool;
mod work_queue;

use crate::event::Warnings;
use crate::probe::Probe;
use crate::regs::Registers;
use crate::settings::Settings;
use crate::vram::Vram;
use batch::Batch;
pub(crate) use fast::Lanes;
use output::Output;
pub(crate) use output::{Screen, show_line};
use plane::TILE;
use scene::Scene;
pub(crate) use setup::Source;
use std::ops::Range;
use thread_pool::ThreadPool;
use work_queue::WorkQueue;

/// Maximum number of threads.
const MAX_THREADS: usize = 8;

/// Number of pixels of a tile.
const PIXELS: usize = TILE * TILE;

/// Statistics of a render.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RenderStats {
    /// Number of region entries drawn: one for each pass over a tile.
    pub tiles: usize,
    /// Number of triangles and sprites over all tiles, including culled ones, by [`crate::ListType`].
    pub triangles: [u64; 5],
    /// Number of culled triangles and sprites over all tiles, without modifier volumes.
    pub culled: u64,
    /// Number of shaded pixels in all layers, by [`crate::ListType`]; the background counts as opaque.
    pub shaded: [u64; 5],
    /// Number of translucent and punch-through pixels that were sorted.
    pub sorted_pixels: u64,
    /// Number of addresses in the region array and in object lists beyond 8 MiB; they wrap around.
    pub outside: u64,
}

impl RenderStats {
    /// Adds the counts of another render.
    pub(crate) fn add(&mut self, other: &Self) {
        self.tiles += other.tiles;
        self.sorted_pixels += other.sorted_pixels;
        self.outside += other.outside;
        self.culled += other.culled;
        add(&mut self.triangles, other.triangles);
        add(&mut self.shaded, other.shaded);
    }

    /// Number of triangles and sprites over all tiles and lists.
    #[must_use]
    pub fn tile_triangles(&self) -> u64 {
        self.triangles.iter().sum()
    }

    /// Number of shaded pixels in all lists.
    #[must_use]
    pub fn shaded_pixels(&self) -> u64 {
        self.shaded.iter().sum()
    }
}

fn add(sums: &mut [u64; 5], more: [u64; 5]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// Drawing statistics of one thread.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    triangles: [u64; 5],
    culled: u64,
    shaded: [u64; 5],
    fragments: u64,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.fragments += other.fragments;
        self.culled += other.culled;
        add(&mut self.triangles, other.triangles);
        add(&mut self.shaded, other.shaded);
    }

    fn stats(&self, scene: &Scene) -> RenderStats {
        RenderStats {
            tiles: scene.passes.len(),
            triangles: self.triangles,
            culled: self.culled,
            shaded: self.shaded,
            sorted_pixels: self.fragments,
            outside: scene.outside,
        }
    }
}

/// Buffers and caches that persist between frames.
#[derive(Debug, Default)]
pub(crate) struct RenderScratch {
    scene: Scene,
    /// Drawn pixels of a batch of tiles, before they are written to VRAM.
    pixels: Vec<u32>,
    textures: fast::Textures,
    /// Buffers, one for each thread.
    buffers: Vec<fast::Buffers>,
    pool: ThreadPool,
    /// Widest vector instructions of the host.
    pub(crate) lanes: fast::Lanes,
}

impl RenderScratch {
    /// Discards the decoded textures. Necessary after a change of VRAM that its write times do not record.
    pub(crate) fn forget_textures(&mut self) {
        self.textures = fast::Textures::default();
    }
}

/// Part of the screen to draw, in pixels.
#[derive(Debug, Clone)]
struct Limits {
    columns: Range<u32>,
    rows: Range<u32>,
}

impl Limits {
    const ALL: Self = Self {
        columns: 0..u32::MAX,
        rows: 0..u32::MAX,
    };
}

/// Maps floats to integers in the same order: negative numbers below positive ones, both zeros equal.
#[inline(always)]
fn depth_key(z: f32) -> u32 {
    let bits = (z + 0.0).to_bits();
    bits ^ ((bits as i32 >> 31) as u32 | 0x8000_0000)
}

/// Sort key of a fragment: depth, then submission order.
#[inline(always)]
fn key(z: f32, order: u32) -> u64 {
    u64::from(depth_key(z)) << 32 | u64::from(order)
}

/// Parts of the chip that a render uses.
pub(crate) struct Render<'a> {
    pub(crate) vram: &'a mut Vram,
    pub(crate) regs: &'a Registers,
    pub(crate) settings: &'a Settings,
    pub(crate) scratch: &'a mut RenderScratch,
    pub(crate) warnings: &'a mut Warnings,
}

impl Render<'_> {
    /// Renders like [`Self::scalar`], but faster and with `threads` threads. If possible it also copies the
    /// frame to a screen; returns whether it did.
    pub(crate) fn fast(self, threads: usize, screen: Option<Screen<'_>>) -> (RenderStats, bool) {
        if !fast::can_draw(self.settings) {
            return (self.scalar(&mut ()), false);
        }
        let Self {
            vram,
            regs,
            settings,
            scratch,
            warnings,
        } = self;
        let RenderScratch {
            scene,
            pixels,
            textures,
            buffers,
            pool,
            lanes,
        } = scratch;
        scene.read(vram, regs, warnings);
        let output = Output::new(regs, settings);
        output.warn(warnings);
        let threads = threads.clamp(1, MAX_THREADS);
        pool.resize(threads);
        buffers.resize_with(threads.max(buffers.len()), fast::Buffers::default);
        let mut counts = Counts::default();
        let mut next = 0;
        // Copies to the screen only if one batch contains the whole frame: a later batch may draw over an
        // earlier one.
        let mut screen = screen
            .filter(|_| Batch::from(scene, 0).is_some_and(|b| b.sequences.end == scene.sequences.len()));
        let mut shown = false;
        while let Some(batch) = Batch::from(scene, next) {
            next = batch.sequences.end;
            textures.next_frame();
            let tiles = batch.tiles(pixels);
            let source = Source { vram, regs, settings };
            let order = batch.order(scene);
            let queue = WorkQueue::new(order.len(), threads);
            let work = |thread: usize, buffers: &mut fast::Buffers| {
                let mut worker = fast::worker(*lanes, source, textures, buffers);
                while let Some(n) = queue.take(thread) {
                    let sequence = &scene.sequences[order[n]];
                    worker.draw(scene, sequence, &mut |slot, colours| {
                        batch.keep(&tiles, slot, colours)
                    });
                }
                worker.finish()
            };
            // Merges the warnings of all threads in a fixed order: the thread that meets a warning first
            // varies.
            let mut met = Warnings::default();
            for (more, warned) in pool.each(&mut buffers[..threads], work) {
                counts.add(&more);
                met.merge(&warned);
            }
            warnings.merge(&met);
            drop(tiles);
            vram.tick();
            shown = batch.write(
                scene,
                pixels,
                vram,
                &output,
                (&*pool, threads, *lanes),
                screen.take(),
            );
        }
        (counts.stats(scene), shown)
    }

    /// Renders the region array at REGION_BASE into the framebuffer. Uses the reference renderer and one
    /// thread.
    pub(crate) fn scalar(self, probe: &mut impl Probe) -> RenderStats {
        let Self {
            vram,
            regs,
            settings,
            scratch,
            warnings,
        } = self;
        let RenderScratch { scene, pixels, .. } = scratch;
        scene.read(vram, regs, warnings);
        vram.tick();
        let output = Output::new(regs, settings);
        output.warn(warnings);
        let mut stats = RenderStats::default();
        let mut next = 0;
        while let Some(batch) = Batch::from(scene, next) {
            next = batch.sequences.end;
            let tiles = batch.tiles(pixels);
            let source = Source { vram, regs, settings };
            let mut tile = scalar::Tile::new(source, Limits::ALL, probe);
            for sequence in &scene.sequences[batch.sequences.clone()] {
                tile.draw(scene, sequence, |slot, colours| batch.keep(&tiles, slot, colours));
            }
            stats.add(&tile.counts.stats(scene));
            warnings.merge(&tile.warnings);
            drop(tiles);
            let alone = (&ThreadPool::default(), 1, Lanes::Arrays);
            batch.write(scene, pixels, vram, &output, alone, None);
        }
        RenderStats {
            tiles: scene.passes.len(),
            outside: scene.outside,
            ..stats
        }
    }
}

/// Draws only the pixel (`x`, `y`) of the screen and reports each step to the probe. Does not change memory.
pub(crate) fn inspect(source: Source<'_>, x: u32, y: u32, probe: &mut impl Probe) {
    let mut scene = Scene::default();
    scene.read(source.vram, source.regs, &mut Warnings::default());
    let limits = Limits {
        columns: x..x.saturating_add(1),
        rows: y..y.saturating_add(1),
    };
    let mut tile = scalar::Tile::new(source, limits, probe);
    let shows = |sequence: &&scene::TileSequence| {
        let mut passes = scene.passes(sequence).iter();
        passes.any(|pass| (pass.x, pass.y) == (x / TILE as u32, y / TILE as u32))
    };
    for sequence in scene.sequences.iter().filter(shows) {
        tile.draw(&scene, sequence, |_, _| {});
    }
}
