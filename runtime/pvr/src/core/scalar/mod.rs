//! Reference renderer: computes a tile's pixels one by one, primitive by primitive
//! (`docs/hardware/pvr2.md`, "ISP").
//!
//! Faster methods must give the same bits. Layers are defined by sorting a pixel's fragments. The chip peels
//! layers by scanning its lists again for each one, with the same order as result.

pub(super) mod volume;

use super::colour::blend;
use super::objects::{ObjectReader, Triangle};
use super::scene::{Pass, Scene, TileSequence};
use super::setup::{Primitive, Source, warn};
use super::shade::{Shaded, Shader};
use super::surface::Surface;
use super::{Counts, Limits, PIXELS, TILE};
use crate::ListType;
use crate::event::{Warning, Warnings};
use crate::param::{DepthMode, TspWord};
use crate::probe::{DepthTest, Polygon, Probe, Shading, Shape, Spot};
use crate::regs::reg;
use crate::settings::{DepthStore, OpaqueBlend, PresortModvol, PtDepth, Settings};
use volume::{Volume, area};

/// A triangle with its primitive.
type Drawn = (Triangle, Primitive);

/// State of a pixel in the tile buffer.
#[derive(Debug, Clone, Copy, Default)]
struct Pixel {
    depth: f32,
    /// Primitive to shade at this pixel.
    tag: Option<Triangle>,
    /// First and second accumulator.
    colours: [u32; 2],
}

/// Draws tiles; contains the tile buffer.
pub(super) struct Tile<'a, P> {
    source: Source<'a>,
    shader: Shader<'a>,
    reader: ObjectReader,
    /// Position of the depth sample in a pixel.
    centre: f64,
    background: Triangle,
    background_depth: f32,
    buffer: Vec<Pixel>,
    limits: Limits,
    probe: &'a mut P,
    pub(super) counts: Counts,
    pub(super) warnings: Warnings,
}

/// Buffers of a tile that another rasterizer owns.
pub(super) struct Borrowed<'a> {
    pub(super) depth: &'a mut [f32],
    /// First and second accumulator.
    pub(super) colours: [&'a mut [u32]; 2],
}

/// A fragment of a sorted list at one pixel.
#[derive(Debug, Clone, Copy)]
struct Fragment {
    triangle: Triangle,
    depth: f32,
    order: u32,
}

/// A pixel while it is drawn: its position on the screen, in the buffer, and in the region array.
#[derive(Debug, Clone, Copy)]
struct At {
    screen: [i32; 2],
    index: usize,
    spot: Spot,
}

impl<'a, P: Probe> Tile<'a, P> {
    pub(super) fn new(source: Source<'a>, limits: Limits, probe: &'a mut P) -> Self {
        let regs = source.regs;
        let reader = ObjectReader::new(regs);
        let depth = f32::from_bits(regs.get(reg::ISP_BACKGND_D) & !15);
        Self {
            source,
            shader: Shader::new(source),
            reader,
            centre: if regs.get(reg::HALF_OFFSET) & 1 != 0 {
                0.5
            } else {
                0.0
            },
            background: reader.background(regs),
            background_depth: stored(source.settings, depth),
            buffer: vec![Pixel::default(); PIXELS],
            limits,
            probe,
            counts: Counts::default(),
            warnings: Warnings::default(),
        }
    }

    /// Draws the entries of a sequence; `flush` receives the slots and pixels for the framebuffer.
    pub(super) fn draw(
        &mut self,
        scene: &Scene,
        sequence: &TileSequence,
        mut flush: impl FnMut(usize, &[u32; PIXELS]),
    ) {
        for (n, pass) in scene.passes(sequence).iter().enumerate() {
            self.background.replaces = replaces(self.source.settings, pass);
            for pixel in &mut self.buffer {
                if n == 0 {
                    pixel.colours = [0; 2];
                }
                pixel.tag = None;
                // The first entry has no earlier depth to keep.
                if !pass.keep_depth || n == 0 {
                    pixel.depth = self.background_depth;
                    pixel.tag = Some(self.background);
                }
            }
            self.pass(scene, pass);
            if let Some(slot) = pass.slot {
                let mut colours = [0; PIXELS];
                for at in self.pixels(pass) {
                    colours[at.index] = self.buffer[at.index].colours[0];
                    self.probe.flushed(at.spot, colours[at.index]);
                }
                flush(slot, &colours);
            }
        }
    }

    fn pass(&mut self, scene: &Scene, pass: &Pass) {
        let opaque = self.primitives(scene, pass, ListType::Opaque);
        for at in self.pixels(pass) {
            self.tag_opaque(at, &opaque);
        }
        drop(opaque);
        let volumes = self.volumes(scene, pass, ListType::OpaqueModifier);
        for at in self.pixels(pass) {
            self.shade_opaque(at, &volumes);
        }
        let punch_through = self.primitives(scene, pass, ListType::PunchThrough);
        for at in self.pixels(pass) {
            self.punch_through(at, &punch_through, &volumes);
        }
        drop((punch_through, volumes));
        let translucent = self.primitives(scene, pass, ListType::Translucent);
        let volumes = self.volumes(scene, pass, ListType::TranslucentModifier);
        for at in self.pixels(pass) {
            if pass.presort {
                self.presorted(at, &translucent, &volumes);
            } else {
                self.sorted(at, &translucent, &volumes);
            }
        }
    }

    /// Draws a sorted list over a partly drawn tile, at the pixels of `masks`, one word per row.
    pub(super) fn sorted_list(
        &mut self,
        scene: &Scene,
        pass: &Pass,
        list: ListType,
        masks: &[u32; TILE],
        tile: Borrowed<'_>,
    ) {
        let modifiers = match list {
            ListType::PunchThrough => ListType::OpaqueModifier,
            _ => ListType::TranslucentModifier,
        };
        let primitives = self.primitives(scene, pass, list);
        let volumes = self.volumes(scene, pass, modifiers);
        for at in self.pixels(pass) {
            let n = at.index;
            if masks[n / TILE] >> (n % TILE) & 1 == 0 {
                continue;
            }
            self.buffer[n].depth = tile.depth[n];
            self.buffer[n].colours = [tile.colours[0][n], tile.colours[1][n]];
            if list == ListType::PunchThrough {
                self.punch_through(at, &primitives, &volumes);
            } else {
                self.sorted(at, &primitives, &volumes);
            }
            let Pixel { depth, colours, .. } = self.buffer[n];
            tile.depth[n] = depth;
            (tile.colours[0][n], tile.colours[1][n]) = (colours[0], colours[1]);
        }
    }

    /// Iterates over the pixels to draw, row by row.
    fn pixels(&self, pass: &Pass) -> impl Iterator<Item = At> + use<P> {
        let Limits { columns, rows } = self.limits.clone();
        let (left, top, entry) = (pass.x * 32, pass.y * 32, pass.entry);
        (0..PIXELS as u32).filter_map(move |n| {
            let (x, y) = (left + n % 32, top + n / 32);
            (columns.contains(&x) && rows.contains(&y)).then_some(At {
                screen: [x as i32, y as i32],
                index: n as usize,
                spot: Spot { x, y, entry },
            })
        })
    }

    /// Returns the primitives of a list that are not culled.
    fn primitives(&mut self, scene: &Scene, pass: &Pass, list: ListType) -> Vec<Drawn> {
        let mut drawn = Vec::new();
        let complete = self.reader.each(scene.list(pass, list), false, |triangle| {
            self.counts.triangles[list.index()] += 1;
            let replaces = list == ListType::Opaque && self.background.replaces;
            let triangle = Triangle { replaces, ..triangle };
            let primitive = Primitive::new(&self.source, &triangle);
            if primitive.edge_count > 0 {
                warn(&self.source, &triangle, &mut self.warnings);
                drawn.push((triangle, primitive));
            } else {
                self.counts.culled += 1;
            }
        });
        if !complete {
            self.warnings.add(Warning::TileListCut);
        }
        drawn
    }

    fn volumes(&mut self, scene: &Scene, pass: &Pass, list: ListType) -> Vec<Volume> {
        let mut volumes = Vec::new();
        let complete = self.reader.each(scene.list(pass, list), true, |triangle| {
            self.counts.triangles[list.index()] += 1;
            volumes.push(Volume::new(&self.source, triangle, list, &mut self.warnings));
        });
        if !complete {
            self.warnings.add(Warning::TileListCut);
        }
        volumes
    }

    /// Returns 1/W of a primitive at a pixel in the tile's format; `None` if the primitive does not cover the
    /// pixel.
    fn depth(&self, primitive: &Primitive, at: At) -> Option<f32> {
        primitive
            .covers(at.screen, self.centre)
            .then(|| depth_at(self.source.settings, primitive, at.screen, self.centre))
    }

    /// Performs the depth test of all opaque primitives.
    fn tag_opaque(&mut self, at: At, primitives: &[Drawn]) {
        for (triangle, primitive) in primitives {
            let Some(depth) = self.depth(primitive, at) else {
                continue;
            };
            let mode = primitive.isp.depth_mode();
            if self.test(at, ListType::Opaque, triangle, mode, depth) {
                let pixel = &mut self.buffer[at.index];
                pixel.tag = Some(*triangle);
                if !primitive.isp.z_write_disable() {
                    pixel.depth = depth;
                }
            }
        }
    }

    /// Compares a depth with the stored one.
    fn test(&mut self, at: At, list: ListType, triangle: &Triangle, mode: DepthMode, depth: f32) -> bool {
        let stored = self.buffer[at.index].depth;
        let passed = passes(mode, depth, stored);
        if P::ACTIVE {
            let event = DepthTest {
                list,
                polygon: self.polygon(triangle),
                mode,
                depth,
                stored,
                passed,
            };
            self.probe.depth_test(at.spot, &event);
        }
        passed
    }

    /// Shades the pixel visible after the opaque list, including the background.
    fn shade_opaque(&mut self, at: At, volumes: &[Volume]) {
        let Pixel { depth, tag, .. } = self.buffer[at.index];
        let Some(triangle) = tag else { return };
        let inside = self.is_inside(at, &triangle, depth, volumes);
        self.shade(at, ListType::Opaque, &triangle, 0, depth, inside);
    }

    /// Draws punch-through candidates, nearest first, until one passes the alpha test. Each failing candidate
    /// is blended with alpha 0. The passing one is shaded again if it is in area 1 of the opaque volumes.
    fn punch_through(&mut self, at: At, primitives: &[Drawn], volumes: &[Volume]) {
        let own = self.source.settings.pt_depth == PtDepth::OwnMode;
        let candidates = self.fragments(at, ListType::PunchThrough, primitives, own);
        for (layer, fragment) in candidates.iter().rev().enumerate() {
            let Fragment { triangle, depth, .. } = fragment;
            if self.shade(at, ListType::PunchThrough, triangle, layer, *depth, false) {
                self.buffer[at.index].depth = *depth;
                if self.is_inside(at, triangle, *depth, volumes) {
                    self.shade(at, ListType::PunchThrough, triangle, layer, *depth, true);
                }
                return;
            }
        }
    }

    /// Draws translucent primitives far to near; among equal depths the one submitted first.
    fn sorted(&mut self, at: At, primitives: &[Drawn], volumes: &[Volume]) {
        let fragments = self.fragments(at, ListType::Translucent, primitives, false);
        for (layer, Fragment { triangle, depth, .. }) in fragments.iter().enumerate() {
            let inside = self.is_inside(at, triangle, *depth, volumes);
            self.shade(at, ListType::Translucent, triangle, layer, *depth, inside);
        }
    }

    /// Draws translucent primitives in list order, with their own depth modes.
    fn presorted(&mut self, at: At, primitives: &[Drawn], volumes: &[Volume]) {
        let with_volumes = self.source.settings.presort_modvol == PresortModvol::PerList;
        let mut layer = 0;
        for (triangle, primitive) in primitives {
            let Some(depth) = self.depth(primitive, at) else {
                continue;
            };
            let mode = primitive.isp.depth_mode();
            if !self.test(at, ListType::Translucent, triangle, mode, depth) {
                continue;
            }
            if !primitive.isp.z_write_disable() {
                self.buffer[at.index].depth = depth;
            }
            let inside = with_volumes && self.is_inside(at, triangle, depth, volumes);
            self.shade(at, ListType::Translucent, triangle, layer, depth, inside);
            layer += 1;
        }
    }

    /// Returns the fragments of a sorted list that the opaque depth does not hide, farthest first. Of
    /// fragments with equal depth and order, as for a primitive listed twice, the first is kept.
    fn fragments(&mut self, at: At, list: ListType, primitives: &[Drawn], own_mode: bool) -> Vec<Fragment> {
        let mut fragments = Vec::new();
        for (triangle, primitive) in primitives {
            let Some(depth) = self.depth(primitive, at) else {
                continue;
            };
            let mode = if own_mode {
                primitive.isp.depth_mode()
            } else {
                DepthMode::GreaterEqual
            };
            if self.test(at, list, triangle, mode, depth) {
                fragments.push(Fragment {
                    triangle: *triangle,
                    depth,
                    order: triangle.order(self.source.regs),
                });
            }
        }
        fragments.sort_by_key(Fragment::key);
        fragments.dedup_by_key(|fragment| fragment.key());
        self.counts.fragments += fragments.len() as u64;
        fragments
    }

    /// True if a primitive at a depth is in area 1 and reacts to it.
    fn is_inside(&mut self, at: At, triangle: &Triangle, depth: f32, volumes: &[Volume]) -> bool {
        triangle.shadow
            && area(
                &self.source,
                volumes,
                at.screen,
                self.centre,
                depth,
                at.spot,
                self.probe,
            )
    }

    /// Shades a primitive and blends it into the pixel; false if it fails the alpha test of the punch-through
    /// list.
    fn shade(
        &mut self,
        at: At,
        list: ListType,
        triangle: &Triangle,
        layer: usize,
        depth: f32,
        inside: bool,
    ) -> bool {
        self.counts.shaded[list.index()] += 1;
        let volume = u32::from(inside && triangle.two_volumes);
        let surface = Surface::read(&self.source, triangle, volume);
        let Shaded { mut colour, texel } = self.shader.pixel(&surface, self.shader.place(at.screen), inside);
        let mut alpha_test = None;
        if list == ListType::PunchThrough {
            let passed = self.shader.alpha_passes(Shaded { colour, texel });
            colour = colour & 0x00FF_FFFF | if passed { 0xFF00_0000 } else { 0 };
            alpha_test = Some(passed);
        }
        let before = self.buffer[at.index].colours;
        let after = accumulate(self.source.settings, surface.tsp, colour, before);
        self.buffer[at.index].colours = after;
        if P::ACTIVE {
            let event = Shading {
                list,
                polygon: self.polygon(triangle),
                layer,
                depth,
                inside,
                texel,
                source: colour,
                before,
                after,
                alpha_test,
            };
            self.probe.shaded(at.spot, &event);
        }
        alpha_test != Some(false)
    }

    fn polygon(&self, triangle: &Triangle) -> Polygon {
        let shape = match triangle {
            _ if *triangle == self.background => Shape::Background,
            Triangle { sprite: true, .. } => Shape::Sprite,
            _ => Shape::Triangle,
        };
        polygon(&self.source, triangle, shape)
    }
}

fn polygon(source: &Source<'_>, triangle: &Triangle, shape: Shape) -> Polygon {
    let (tsp, tcw) = triangle.tsp(source.vram, 0);
    Polygon {
        address: triangle.address,
        triangle: u32::from(triangle.n),
        shape,
        isp: triangle.isp(source.vram),
        tsp,
        tcw,
    }
}

impl Fragment {
    /// Returns the sort key: far to near, then in the order of submission.
    fn key(&self) -> u64 {
        super::key(self.depth, self.order)
    }
}

/// True if opaque polygons replace the pixel in a pass over a tile.
pub(super) fn replaces(settings: &Settings, pass: &Pass) -> bool {
    pass.is_first && settings.opaque_blend == OpaqueBlend::FirstPassReplaces
}

/// Blends a colour into the accumulators. TSP bits 25 and 24 select the second one as source and as
/// destination.
pub(super) fn accumulate(settings: &Settings, tsp: TspWord, colour: u32, mut colours: [u32; 2]) -> [u32; 2] {
    let source = if tsp.src_second() { colours[1] } else { colour };
    let dest = &mut colours[usize::from(tsp.dst_second())];
    *dest = blend(settings.weight_scale, tsp.src(), tsp.dst(), source, *dest);
    colours
}

/// Returns 1/W of a primitive at a pixel, in the tile's format.
pub(super) fn depth_at(settings: &Settings, primitive: &Primitive, [x, y]: [i32; 2], centre: f64) -> f32 {
    let n = x & 31;
    let row = (f64::from(x - n) + centre, f64::from(y) + centre);
    stored(
        settings,
        primitive.z.value(row.0, row.1, n as f32, settings.fp_model),
    )
}

/// Converts a depth to the tile's format.
pub(super) fn stored(settings: &Settings, z: f32) -> f32 {
    match settings.depth_store {
        DepthStore::F32 => z,
        DepthStore::M19Unsigned => f32::from_bits(z.max(0.0).to_bits() & 0x7FFF_FFF0),
    }
}

/// Compares a new depth with the old one.
pub(super) fn passes(mode: DepthMode, new: f32, old: f32) -> bool {
    match mode {
        DepthMode::Never => false,
        DepthMode::Less => new < old,
        DepthMode::Equal => new == old,
        DepthMode::LessEqual => new <= old,
        DepthMode::Greater => new > old,
        DepthMode::NotEqual => new != old,
        DepthMode::GreaterEqual => new >= old,
        DepthMode::Always => true,
    }
}
