//! Fast renderer, with the same bits as the reference renderer [`super::scalar`]. It processes spans instead
//! of pixels, tags before colours, and eight pixels at a time.
//!
//! | module | holds |
//! |---|---|
//! | `isa` | eight lanes, as arrays and as registers |
//! | `shape`, `cover`, `depth`, `volumes` | spans of a primitive in a tile, depth tests, modifier volumes |
//! | `shade_setup`, `textures`, `caches` | shading parameters, decoded textures, caches of both |
//! | `shade` | colours of pixels |
//! | `tags`, `pixels` | pixels of each visible primitive; choice between shader and reference renderer |
//! | `sorted`, `punch` | translucent layers as listed and by depth, punch-through layers |
//!
//! Some settings other than the defaults, and textures beyond the memory budget, have no fast path. The
//! reference renderer draws their pixels (`reference`).

mod caches;
mod cover;
mod depth;
mod isa;
mod pixels;
mod punch;
mod reference;
mod shade;
mod shade_setup;
mod shape;
mod sorted;
mod tags;
mod textures;
mod volumes;

use super::objects::{ObjectReader, Triangle};
use super::output::{Bands, Output};
use super::plane::TILE;
use super::scalar::volume::Instruction;
use super::scalar::{replaces, stored};
use super::scene::{Pass, Scene, TileSequence};
use super::setup::Source;
use super::shade::Shader;
use super::{Counts, PIXELS};
use crate::ListType;
use crate::event::{Warning, Warnings};
use crate::regs::reg;
use crate::settings::{FpModel, Settings};
use caches::Caches;
use cover::Cover;
use depth::{Opaque, PADDED};
use isa::Isa;
pub(crate) use isa::Lanes;
use shade::State;
use shape::Shape;
pub(crate) use textures::Textures;
use volumes::Areas;

/// Returns true if the settings permit the fast path.
pub(super) fn can_draw(settings: &Settings) -> bool {
    settings.fp_model == FpModel::IeeeF32
}

/// No primitive at a pixel.
const NONE: u32 = u32::MAX;

/// Buffers of a thread, kept from frame to frame for their memory.
#[derive(Debug)]
pub(crate) struct Buffers {
    depth: Box<[f32; PADDED]>,
    tags: Box<[u32; PADDED]>,
    /// First and second accumulator.
    colours: [Box<[u32; PADDED]>; 2],
    /// True if the second accumulator may contain colours other than 0.
    second_used: bool,
    /// Triangles by tag.
    triangles: Vec<Triangle>,
    areas: [Areas; 2],
    /// `None` while the tile is being shaded.
    runs: Option<Box<tags::Runs>>,
    caches: Caches,
    sorted: sorted::Sorted,
    /// Fragments of the current sorted list.
    layers: sorted::Buckets,
}

impl Default for Buffers {
    fn default() -> Self {
        Self {
            depth: Box::new([0.0; PADDED]),
            tags: Box::new([NONE; PADDED]),
            colours: [Box::new([0; PADDED]), Box::new([0; PADDED])],
            second_used: false,
            triangles: Vec::new(),
            areas: [Areas::default(), Areas::default()],
            runs: None,
            caches: Caches::default(),
            sorted: sorted::Sorted::default(),
            layers: sorted::Buckets::default(),
        }
    }
}

/// Draws tiles on one thread.
struct Tile<'a, I> {
    source: Source<'a>,
    textures: &'a Textures,
    shader: Shader<'a>,
    state: State,
    reader: ObjectReader,
    background: Triangle,
    background_depth: f32,
    /// Position of the depth sample in a pixel.
    centre: f64,
    buffers: &'a mut Buffers,
    /// Pixels that passed the alpha test, one word per row.
    passed: [u32; TILE],
    /// Position of the current tile in pixels.
    left: i32,
    top: i32,
    counts: Counts,
    warnings: Warnings,
    isa: I,
}

/// Indices into [`Buffers::areas`] and [`MODIFIERS`].
const OPAQUE: usize = 0;
const TRANSLUCENT: usize = 1;
const MODIFIERS: [ListType; 2] = [ListType::OpaqueModifier, ListType::TranslucentModifier];

impl<'a, I: Isa> Tile<'a, I> {
    pub(super) fn new(isa: I, source: Source<'a>, textures: &'a Textures, buffers: &'a mut Buffers) -> Self {
        let regs = source.regs;
        let shader = Shader::new(source);
        let reader = ObjectReader::new(regs);
        let depth = f32::from_bits(regs.get(reg::ISP_BACKGND_D) & !15);
        buffers.caches.clear();
        Self {
            textures,
            state: State {
                texel_offsets: shader.texel_offsets,
                clamp_low: shader.clamp_low,
                clamp_high: shader.clamp_high,
                fog: shade::fog::FogState::new(&shader.fog),
            },
            shader,
            reader,
            background: reader.background(regs),
            background_depth: stored(source.settings, depth),
            centre: if regs.get(reg::HALF_OFFSET) & 1 != 0 {
                0.5
            } else {
                0.0
            },
            source,
            buffers,
            passed: [0; TILE],
            left: 0,
            top: 0,
            counts: Counts::default(),
            warnings: Warnings::default(),
            isa,
        }
    }

    fn pass(&mut self, scene: &Scene, pass: &Pass) {
        let volumes = MODIFIERS.map(|list| self.reader.count(scene.list(pass, list)));
        let alone = volumes::alone_with(volumes[0] + volumes[1]);
        self.opaque(scene.list(pass, ListType::Opaque));
        self.read_volumes(OPAQUE, scene.list(pass, ListType::OpaqueModifier));
        self.shade_tagged();
        self.punch_through(scene, pass);
        self.read_volumes(TRANSLUCENT, scene.list(pass, ListType::TranslucentModifier));
        if pass.presort {
            self.presorted(scene.list(pass, ListType::Translucent));
        } else {
            self.sorted(scene, pass);
        }
        if alone.is_some() {
            self.buffers.areas = Default::default();
        }
    }

    /// Returns the position of the depth sample of the tile's first pixel.
    fn sample(&self) -> (f64, f64) {
        (
            f64::from(self.left) + self.centre,
            f64::from(self.top) + self.centre,
        )
    }

    /// Tests the depths of the opaque list and writes its tags.
    fn opaque(&mut self, objects: &[u32]) {
        let isa = self.isa;
        let (x, y) = self.sample();
        let store = self.source.settings.depth_store;
        let mut cover = Cover::default();
        let (reader, source, replaces) = (self.reader, self.source, self.background.replaces);
        let (buffers, warnings) = (&mut *self.buffers, &mut self.warnings);
        let (mut count, mut culled) = (0, 0);
        let complete = reader.each_announced(objects, false, fetch::<I>(isa, source), |triangle| {
            count += 1;
            let triangle = Triangle { replaces, ..triangle };
            let primitive = buffers.caches.primitive::<I>(isa, &source, &triangle, warnings);
            culled += u64::from(primitive.outline.count == 0);
            if !isa.cover(primitive, x, y, &mut cover) {
                return;
            }
            let tag = buffers.triangles.len() as u32;
            buffers.triangles.push(triangle);
            isa.opaque(Opaque {
                cover: &cover,
                z: &primitive.z,
                x,
                y,
                store,
                mode: primitive.isp.depth_mode(),
                write: !primitive.isp.z_write_disable(),
                tag,
                depth: &mut buffers.depth,
                tags: &mut buffers.tags,
            });
        });
        self.counts.culled += culled;
        self.finish_list(ListType::Opaque, count, complete);
    }

    fn finish_list(&mut self, list: ListType, triangles: u64, complete: bool) {
        self.counts.triangles[list.index()] += triangles;
        if !complete {
            self.warnings.add(Warning::TileListCut);
        }
    }

    fn read_volumes(&mut self, which: usize, objects: &[u32]) {
        let isa = self.isa;
        let (x, y) = self.sample();
        let source = self.source;
        self.buffers.areas[which].clear(&source);
        let (mut shape, mut count) = (Shape::default(), 0);
        let complete = self.reader.each(objects, true, |triangle| {
            count += 1;
            isa.shape(&mut shape, &source, &triangle);
            let instruction = Instruction::of(shape.isp, &mut self.warnings);
            self.buffers.areas[which].push::<I>(isa, &shape, instruction, x, y);
        });
        self.finish_list(MODIFIERS[which], count, complete);
    }
}

/// Prefetches the parameters of objects at addresses. Three cache lines hold most triangles.
fn fetch<I: Isa>(isa: I, source: Source<'_>) -> impl Fn(u32) {
    let memory = source.vram.bytes();
    move |address| {
        for byte in [0, 64, 80] {
            if let Some(byte) = memory.get((address & 0x7F_FFFC) as usize + byte) {
                isa.prefetch(byte);
            }
        }
    }
}

/// A thread's rasterizer.
pub(super) trait Worker {
    /// Draws the passes of a sequence. `flush` receives each finished slot with its pixels.
    fn draw(&mut self, scene: &Scene, sequence: &TileSequence, flush: &mut dyn FnMut(usize, &[u32]));
    /// Returns the counts and warnings of all sequences.
    fn finish(&mut self) -> (Counts, Warnings);
}

impl<I: Isa> Worker for Tile<'_, I> {
    fn draw(&mut self, scene: &Scene, sequence: &TileSequence, flush: &mut dyn FnMut(usize, &[u32])) {
        for (n, pass) in scene.passes(sequence).iter().enumerate() {
            self.background.replaces = replaces(self.source.settings, pass);
            let buffers = &mut *self.buffers;
            if n == 0 {
                buffers.colours[0].fill(0);
                if std::mem::take(&mut buffers.second_used) {
                    buffers.colours[1].fill(0);
                }
            }
            buffers.triangles.clear();
            buffers.triangles.push(self.background);
            if pass.keep_depth && n > 0 {
                buffers.tags.fill(NONE);
            } else {
                buffers.depth.fill(self.background_depth);
                buffers.tags.fill(0);
            }
            (self.left, self.top) = ((pass.x * 32) as i32, (pass.y * 32) as i32);
            self.pass(scene, pass);
            if let Some(slot) = pass.slot {
                flush(slot, &self.buffers.colours[0][..PIXELS]);
            }
        }
    }

    fn finish(&mut self) -> (Counts, Warnings) {
        (self.counts, std::mem::take(&mut self.warnings))
    }
}

/// Writes a tile of colours to the framebuffer: see [`Output::write_band`].
pub(super) fn write_band(lanes: Lanes, output: &Output, bands: &Bands<'_>, at: [u32; 2], colours: &[u32]) {
    match lanes {
        Lanes::Arrays => isa::Baseline.write_band(output, bands, at, colours),
        #[cfg(target_arch = "x86_64")]
        Lanes::Avx2(isa) => isa.write_band(output, bands, at, colours),
        #[cfg(target_feature = "simd128")]
        Lanes::Simd128(isa) => isa.write_band(output, bands, at, colours),
    }
}

/// Creates a worker with these lanes.
pub(super) fn worker<'a>(
    lanes: Lanes,
    source: Source<'a>,
    textures: &'a Textures,
    buffers: &'a mut Buffers,
) -> Box<dyn Worker + 'a> {
    match lanes {
        Lanes::Arrays => Box::new(Tile::new(isa::Baseline, source, textures, buffers)),
        #[cfg(target_arch = "x86_64")]
        Lanes::Avx2(isa) => Box::new(Tile::new(isa, source, textures, buffers)),
        #[cfg(target_feature = "simd128")]
        Lanes::Simd128(isa) => Box::new(Tile::new(isa, source, textures, buffers)),
    }
}
