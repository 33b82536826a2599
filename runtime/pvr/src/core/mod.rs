//! The core: region array in, pixels out (`facts/pvr2.md` sections 5 to 7 and 9).
//!
//! Tiles are drawn by as many threads as asked for; each takes the next tile by an atomic counter and works in
//! buffers of its own. Where tiles cannot overlap in the framebuffer, threads write them there at once; else pixels go
//! to VRAM afterwards in the order of the region array. So the result is the same with any number of threads.

mod colour;
mod layers;
mod output;
mod peel;
mod plane;
mod sample;
mod scene;
mod setup;
mod shade;
mod texcache;
mod tile;
mod truncate;

use crate::event::{Warning, Warnings};
use crate::regs::{Registers, reg};
use crate::settings::Settings;
use crate::vram::Vram;
use output::Output;
use scene::{Scene, Seen, TileJob};
use shade::Shader;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tile::{Counts, PIXELS, Setup, Tile};

/// Threads beyond this are not started.
const MAX_THREADS: usize = 64;

/// What a render took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RenderStats {
    /// Tiles drawn.
    pub tiles: usize,
    /// Triangles and sprites set up: those that some list names and that are not culled.
    pub triangles: usize,
    /// Triangles and sprites over all tiles and lists.
    pub tile_triangles: usize,
    /// Textures decoded.
    pub textures: usize,
    /// Pixels shaded, each layer counted.
    pub shaded_pixels: u64,
    /// Translucent and punch-through pixels that were sorted.
    pub sorted_pixels: u64,
}

impl RenderStats {
    /// Adds the counts of another render.
    pub(crate) fn add(&mut self, other: &Self) {
        self.tiles += other.tiles;
        self.triangles += other.triangles;
        self.tile_triangles += other.tile_triangles;
        self.textures += other.textures;
        self.shaded_pixels += other.shaded_pixels;
        self.sorted_pixels += other.sorted_pixels;
    }
}

/// A drawn tile's pixels; `None` until it is drawn, or if nothing was flushed.
type Drawn<'a> = Mutex<(&'a mut [u32], bool)>;

/// What one frame leaves to the next, for its memory only.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    scene: Scene,
    seen: Seen,
    /// Pixels of all tiles.
    pixels: Vec<u32>,
}

/// Renders the region array at REGION_BASE into the framebuffer.
pub(crate) fn render(
    vram: &mut Vram,
    regs: &Registers,
    settings: &Settings,
    kept: &mut Kept,
    warnings: &mut Warnings,
    threads: usize,
) -> RenderStats {
    let source = setup::Source { vram, regs, settings };
    let Kept { scene, seen, pixels } = kept;
    scene::read(&source, scene, seen, warnings);
    let output = Output::new(regs, settings);
    output.warn(warnings);
    let rows = scene.tiles.iter().map(|job| job.y + 1).max().unwrap_or(0);
    let counts = if let Some(bands) = output.bands(vram, rows) {
        let write =
            |job: &TileJob, _, colours: &[u32]| output.write_band(&bands, job.x * 32, job.y * 32, colours);
        draw(scene, regs, settings, &write, threads)
    } else {
        pixels.resize(scene.tiles.len() * PIXELS, 0);
        let drawn: Vec<Drawn<'_>> = pixels
            .chunks_exact_mut(PIXELS)
            .map(|c| Mutex::new((c, false)))
            .collect();
        let keep = |_: &TileJob, n: usize, colours: &[u32]| {
            if let Some(Ok(mut slot)) = drawn.get(n).map(Mutex::lock) {
                slot.0.copy_from_slice(colours);
                slot.1 = true;
            }
        };
        let counts = draw(scene, regs, settings, &keep, threads);
        let drawn = scene.tiles.iter().zip(drawn).filter_map(|(job, drawn)| {
            let (colours, flushed) = drawn
                .into_inner()
                .unwrap_or_else(|poisoned| poisoned.into_inner());
            flushed.then_some((job.x, job.y, &*colours))
        });
        let drawn: Vec<_> = drawn.collect();
        output.write_frame(vram, &drawn);
        counts
    };
    if counts.translucent_cut {
        warnings.add(Warning::TranslucentCut);
    }
    if counts.depth_missing {
        warnings.add(Warning::KeptDepthMissing);
    }
    RenderStats {
        tiles: scene.tiles.len(),
        triangles: scene.figures.len() - 1,
        tile_triangles: scene.refs.len(),
        textures: scene.textures.len(),
        shaded_pixels: counts.shaded,
        sorted_pixels: counts.fragments,
    }
}

/// Draws all tiles; `flush` takes a tile, its number and its pixels, if they go to the framebuffer.
fn draw(
    scene: &Scene,
    regs: &Registers,
    settings: &Settings,
    flush: &(dyn Fn(&TileJob, usize, &[u32]) + Sync),
    threads: usize,
) -> Counts {
    let half = regs.get(reg::HALF_OFFSET);
    let setup = Setup {
        isp_centre: if half & 1 != 0 { 0.5 } else { 0.0 },
        background_depth: f32::from_bits(regs.get(reg::ISP_BACKGND_D) & !15),
        depth_store: settings.depth_store,
        pt_depth: settings.pt_depth,
    };
    let shader = Shader::new(regs, settings);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut tile = Tile::new();
        loop {
            let n = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = scene.tiles.get(n) else {
                break;
            };
            if tile.draw(scene, &setup, &shader, job) {
                flush(job, n, &tile.colour[..]);
            }
        }
        tile.counts
    };
    let extra = threads.clamp(1, MAX_THREADS) - 1;
    std::thread::scope(|scope| {
        let others: Vec<_> = (0..extra).map(|_| scope.spawn(work)).collect();
        let mut counts = work();
        for other in others {
            // A thread that panicked has been reported by the runtime; its tiles stay empty.
            if let Ok(more) = other.join() {
                counts.add(more);
            }
        }
        counts
    })
}
