//! What [`super::scalar`] defines, faster: spans instead of pixels, tags before colours, eight pixels at a time.
//!
//! | module | holds |
//! |---|---|
//! | `isa`, `lanes` | vector instructions, and arrays of eight |
//! | `cover`, `depth`, `volumes` | spans of a figure in a tile, depth tests, modifier volumes |
//! | `paint`, `textures`, `shade` | what is kept of a figure for shading, decoded textures, runs of pixels |
//! | `sorted` | translucent layers |
//! | `punch` | punch-through layers |
//!
//! What has no fast way here (rare texture modes, fog, unusual settings) is done by the definition, pixel by pixel.

mod cover;
mod depth;
mod isa;
mod lanes;
mod paint;
mod punch;
mod shade;
mod sorted;
mod textures;
mod volumes;

use super::objects::{ObjectReader, Triangle};
use super::plane::TILE;
use super::scalar::volume::Volume;
use super::scalar::{self, Borrowed, accumulate, stored};
use super::scene::{Job, Pass, Scene};
use super::setup::Source;
use super::shade::Shader;
use super::surface::Surface;
use super::{Counts, Limits, PIXELS};
use crate::ListType;
use crate::event::{Warning, Warnings};
use crate::regs::reg;
use crate::settings::{FpModel, PresortModvol, PtAlphaSource, Settings};
use cover::Cover;
use depth::{Layer, Opaque, PADDED};
use isa::Isa;
use paint::{Caches, Style};
use shade::{AlphaTest, Run, State};
use std::sync::Mutex;
pub(crate) use textures::Textures;
use volumes::{Areas, Line};

/// Whether settings leave anything to be done fast.
pub(super) fn can_draw(settings: &Settings) -> bool {
    settings.fp_model == FpModel::IeeeF32
}

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// No figure at a pixel.
const NONE: u32 = u32::MAX;

/// Buffers of a thread, kept from frame to frame for their memory.
#[derive(Debug)]
pub(crate) struct Buffers {
    depth: Box<[f32; PADDED]>,
    tags: Box<[u32; PADDED]>,
    /// First and second accumulator.
    colours: [Box<[u32; PADDED]>; 2],
    /// What tags name.
    triangles: Vec<Triangle>,
    areas: [Areas; 2],
    caches: Caches,
    sorted: sorted::Sorted,
    punch: punch::Fragments,
}

impl Default for Buffers {
    fn default() -> Self {
        Self {
            depth: Box::new([0.0; PADDED]),
            tags: Box::new([NONE; PADDED]),
            colours: [Box::new([0; PADDED]), Box::new([0; PADDED])],
            triangles: Vec::new(),
            areas: [Areas::default(), Areas::default()],
            caches: Caches::default(),
            sorted: sorted::Sorted::default(),
            punch: punch::Fragments::default(),
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
    /// Place of the depth sample in a pixel.
    centre: f64,
    buffers: &'a mut Buffers,
    /// The tile being drawn, in pixels.
    left: i32,
    top: i32,
    counts: Counts,
    warnings: Warnings,
    isa: std::marker::PhantomData<I>,
}

/// Lists of modifier volumes by their place in [`Buffers::areas`].
const OPAQUE: usize = 0;
const TRANSLUCENT: usize = 1;

impl<'a, I: Isa> Tile<'a, I> {
    pub(super) fn new(source: Source<'a>, textures: &'a Textures, buffers: &'a mut Buffers) -> Self {
        let regs = source.regs;
        let shader = Shader::new(source);
        let reader = ObjectReader::new(regs);
        let depth = f32::from_bits(regs.get(reg::ISP_BACKGND_D) & !15);
        buffers.caches.clear();
        Self {
            textures,
            state: State {
                texel_offset: shader.texel_offset,
                clamp_low: shader.clamp_low,
                clamp_high: shader.clamp_high,
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
            left: 0,
            top: 0,
            counts: Counts::default(),
            warnings: Warnings::default(),
            isa: std::marker::PhantomData,
        }
    }

    /// Draws the entries of a job; `flush` takes the slots and pixels that go to the framebuffer.
    pub(super) fn draw(&mut self, scene: &Scene, job: &Job, mut flush: impl FnMut(usize, &[u32])) {
        for (n, pass) in scene.passes(job).iter().enumerate() {
            let buffers = &mut *self.buffers;
            if n == 0 {
                buffers.colours.iter_mut().for_each(|colours| colours.fill(0));
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

    fn pass(&mut self, scene: &Scene, pass: &Pass) {
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
    }

    /// The place of the depth sample of the tile's first pixel.
    fn sample(&self) -> (f64, f64) {
        (
            f64::from(self.left) + self.centre,
            f64::from(self.top) + self.centre,
        )
    }

    /// Depth tests and tags of the opaque list.
    fn opaque(&mut self, objects: &[u32]) {
        let (x, y) = self.sample();
        let store = self.source.settings.depth_store;
        let mut cover = Cover::default();
        let (reader, source) = (self.reader, self.source);
        let (buffers, warnings) = (&mut *self.buffers, &mut self.warnings);
        let mut count = 0;
        let complete = reader.each(objects, false, |triangle| {
            count += 1;
            let figure = buffers.caches.figure(&source, &triangle, warnings);
            if !I::cover(figure, x, y, &mut cover) {
                return;
            }
            let tag = buffers.triangles.len() as u32;
            buffers.triangles.push(triangle);
            I::opaque(Opaque {
                cover: &cover,
                z: &figure.z,
                x,
                y,
                store,
                mode: figure.isp.depth_mode(),
                write: !figure.isp.z_write_disable(),
                tag,
                depth: &mut buffers.depth,
                tags: &mut buffers.tags,
            });
        });
        self.finish_list(count, complete);
    }

    fn finish_list(&mut self, triangles: u64, complete: bool) {
        self.counts.tile_triangles += triangles;
        if !complete {
            self.warnings.add(Warning::TileListCut);
        }
    }

    fn read_volumes(&mut self, which: usize, objects: &[u32]) {
        let (x, y) = self.sample();
        let source = self.source;
        let list = [ListType::OpaqueModifier, ListType::TranslucentModifier][which];
        self.buffers.areas[which].clear(&source);
        let mut count = 0;
        let complete = self.reader.each(objects, true, |triangle| {
            count += 1;
            let volume = Volume::new(&source, triangle, list, &mut self.warnings);
            self.buffers.areas[which].push::<I>(&volume, x, y);
        });
        self.finish_list(count, complete);
    }

    /// Shades every pixel of the tile by its tag.
    fn shade_tagged(&mut self) {
        for row in 0..TILE {
            let mut tags = [NONE; TILE];
            tags.copy_from_slice(&self.buffers.tags[row * TILE..(row + 1) * TILE]);
            let mut depth = [0.0; TILE];
            depth.copy_from_slice(&self.buffers.depth[row * TILE..(row + 1) * TILE]);
            self.shade_row(ListType::Opaque, row, &tags, |tile| {
                tile.area(OPAQUE, row, &depth)
            });
        }
    }

    /// Pixels of a row in area 1 of a list of volumes, at depths of their own.
    fn area(&self, which: usize, row: usize, depth: &[f32; TILE]) -> u32 {
        let areas = &self.buffers.areas[which];
        if areas.is_empty() {
            return 0;
        }
        let (x, y) = self.sample();
        let line = Line {
            row,
            x,
            y: y + row as f64,
            store: self.source.settings.depth_store,
        };
        areas.row(line, depth)
    }

    /// Shades the pixels of a row by tags; `area` is asked for area 1 if a figure reacts to it. Returns the pixels that passed
    /// the alpha test.
    fn shade_row(
        &mut self,
        list: ListType,
        row: usize,
        tags: &[u32; TILE],
        area: impl FnOnce(&Self) -> u32,
    ) -> u32 {
        let mut area = Some(area);
        let mut inside = 0;
        let mut passed = 0;
        let mut from = 0;
        while let Some(&tag) = tags.get(from) {
            let to = from + tags[from..].iter().take_while(|&&t| t == tag).count();
            let span = u32::MAX >> (32 - (to - from)) << from;
            from = to;
            let Some(&triangle) = self.buffers.triangles.get(tag as usize) else {
                continue;
            };
            if triangle.shadow
                && let Some(area) = area.take()
            {
                inside = area(self);
            }
            passed |= self.shade_mask(list, &triangle, row, span, inside);
        }
        passed
    }

    /// Shades pixels of one figure in a row, those of `inside` as area 1; returns the pixels that passed the alpha test.
    fn shade_mask(&mut self, list: ListType, triangle: &Triangle, row: usize, mask: u32, inside: u32) -> u32 {
        let inside = if triangle.shadow { inside } else { 0 };
        let mut passed = 0;
        for (mask, inside) in [(mask & !inside, false), (mask & inside, true)] {
            let mut left = mask;
            while left != 0 {
                let from = left.trailing_zeros();
                let to = from + (left >> from).trailing_ones();
                left &= !(u32::MAX >> (32 - (to - from)) << from);
                passed |= self.shade_run(list, triangle, row, [from as usize, to as usize], inside);
            }
        }
        passed
    }

    fn shade_run(
        &mut self,
        list: ListType,
        triangle: &Triangle,
        row: usize,
        [from, to]: [usize; 2],
        inside: bool,
    ) -> u32 {
        self.counts.shaded[list.index()] += (to - from) as u64;
        let volume = u32::from(inside && triangle.two_volumes);
        let paint = self
            .buffers
            .caches
            .paint(&self.source, self.textures, triangle, volume);
        // Where a volume changes the intensity, only the definition knows how.
        if paint.style == Style::Scalar || inside && !triangle.two_volumes {
            return self.shade_scalar(list, triangle, row, [from, to], inside);
        }
        let mut passed = 0;
        let reference = self.shader.alpha_ref;
        I::shade(Run {
            paint,
            state: &self.state,
            x: f64::from(self.left) + self.shader.centre,
            y: f64::from(self.top) + row as f64 + self.shader.centre,
            from,
            to,
            colours: &mut self.buffers.colours[0][row * TILE..],
            alpha_test: match self.source.settings.pt_alpha_source {
                _ if list != ListType::PunchThrough => AlphaTest::None,
                PtAlphaSource::Shaded => AlphaTest::Shaded(reference),
                PtAlphaSource::Texture => AlphaTest::Texture(reference),
            },
            passed: &mut passed,
        });
        passed
    }

    /// A run by the definition.
    #[cold]
    fn shade_scalar(
        &mut self,
        list: ListType,
        triangle: &Triangle,
        row: usize,
        [from, to]: [usize; 2],
        inside: bool,
    ) -> u32 {
        let volume = u32::from(inside && triangle.two_volumes);
        let surface = Surface::read(&self.source, triangle, volume);
        let mut passed = 0;
        for n in from..to {
            let screen = [self.left + n as i32, self.top + row as i32];
            let shaded = self.shader.pixel(&surface, self.shader.place(screen), inside);
            let mut colour = shaded.colour;
            if list == ListType::PunchThrough {
                let pass = self.shader.alpha_passes(shaded);
                passed |= u32::from(pass) << n;
                colour = colour & 0x00FF_FFFF | if pass { 0xFF00_0000 } else { 0 };
            }
            let [first, second] = &mut self.buffers.colours;
            let at = row * TILE + n;
            [first[at], second[at]] =
                accumulate(self.source.settings, surface.tsp, colour, [first[at], second[at]]);
        }
        passed
    }

    /// Draws pixels of a sorted list by the definition, for lists that are too long.
    #[cold]
    fn by_definition(&mut self, scene: &Scene, pass: &Pass, list: ListType, masks: &[u32; TILE]) {
        // One thread at a time: a figure of such a list takes some hundred bytes.
        let _memory = ONE_AT_A_TIME.lock();
        let [first, second] = &mut self.buffers.colours;
        let tile = Borrowed {
            depth: &mut self.buffers.depth[..],
            colours: [&mut first[..], &mut second[..]],
        };
        let mut probe = ();
        let mut definition = scalar::Tile::new(self.source, Limits::ALL, &mut probe);
        definition.sorted_list(scene, pass, list, masks, tile);
        let counts = definition.counts;
        self.counts.add(&Counts {
            tile_triangles: 0,
            ..counts
        });
    }

    /// Translucent figures in the order of their list, each shaded at once.
    fn presorted(&mut self, objects: &[u32]) {
        let (x, y) = self.sample();
        let store = self.source.settings.depth_store;
        let with_volumes = self.source.settings.presort_modvol == PresortModvol::PerList;
        let reader = self.reader;
        let mut cover = Cover::default();
        let mut passed = [0; TILE];
        let mut count = 0;
        let complete = reader.each(objects, false, |triangle| {
            count += 1;
            let buffers = &mut *self.buffers;
            let figure = buffers.caches.figure(&self.source, &triangle, &mut self.warnings);
            if !I::cover(figure, x, y, &mut cover) {
                return;
            }
            let (z, mode, write) = (figure.z, figure.isp.depth_mode(), !figure.isp.z_write_disable());
            for (passed, covered) in passed.iter_mut().zip(cover.masks()) {
                *passed = covered;
            }
            I::layer(Layer {
                first: cover.first,
                masks: &mut passed[..cover.end - cover.first],
                z: &z,
                x,
                y,
                store,
                mode,
                depth: &buffers.depth,
                nearest: None,
            });
            for row in cover.first..cover.end {
                let mask = passed[row - cover.first];
                if mask == 0 {
                    continue;
                }
                let own = depth::row(&z, x, y + row as f64, store);
                if write {
                    let stored = &mut self.buffers.depth[row * TILE..(row + 1) * TILE];
                    for (n, (stored, own)) in stored.iter_mut().zip(own).enumerate() {
                        *stored = if mask >> n & 1 != 0 { own } else { *stored };
                    }
                }
                let inside = if with_volumes && triangle.shadow {
                    self.area(TRANSLUCENT, row, &own)
                } else {
                    0
                };
                self.shade_mask(ListType::Translucent, &triangle, row, mask, inside);
            }
        });
        self.finish_list(count, complete);
    }
}

/// What a thread does: draws jobs one after the other.
pub(super) trait Worker {
    /// Draws a job; see [`Tile::draw`].
    fn draw(&mut self, scene: &Scene, job: &Job, flush: &mut dyn FnMut(usize, &[u32]));
    /// What it counted, and its warnings.
    fn finish(&mut self) -> (Counts, Warnings);
}

impl<I: Isa> Worker for Tile<'_, I> {
    fn draw(&mut self, scene: &Scene, job: &Job, flush: &mut dyn FnMut(usize, &[u32])) {
        Self::draw(self, scene, job, flush);
    }

    fn finish(&mut self) -> (Counts, Warnings) {
        (self.counts, std::mem::take(&mut self.warnings))
    }
}

/// A worker for the processor that this runs on.
pub(super) fn worker<'a>(
    source: Source<'a>,
    textures: &'a Textures,
    buffers: &'a mut Buffers,
) -> Box<dyn Worker + 'a> {
    #[cfg(target_arch = "x86_64")]
    if isa::available() {
        return Box::new(Tile::<isa::Avx2>::new(source, textures, buffers));
    }
    Box::new(Tile::<isa::Baseline>::new(source, textures, buffers))
}
