//! The definition of a tile's pixels: each pixel by itself, primitive by primitive (`docs/hardware/pvr2.md`,
//! "ISP").
//!
//! Everything that draws faster has to leave the same bits. Layers are defined by sorting a pixel's
//! fragments: the chip peels them, scanning its lists again for each layer, and finds them in the same order.

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

/// The state of a pixel in the tile buffer.
#[derive(Debug, Clone, Copy, Default)]
struct Pixel {
    depth: f32,
    /// The primitive to be shaded here.
    tag: Option<Triangle>,
    /// First and second accumulator.
    colours: [u32; 2],
}

/// Draws tiles; holds the tile buffer.
pub(super) struct Tile<'a, P> {
    source: Source<'a>,
    shader: Shader<'a>,
    reader: ObjectReader,
    /// Place of the depth sample in a pixel.
    centre: f64,
    background: Triangle,
    background_depth: f32,
    buffer: Vec<Pixel>,
    limits: Limits,
    probe: &'a mut P,
    pub(super) counts: Counts,
    pub(super) warnings: Warnings,
}

/// The buffer of another's tile.
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

/// A pixel while it is drawn: its place on the screen, in the buffer, and in the region array.
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

    /// Draws the entries of a sequence; `flush` takes the slots and pixels that go to the framebuffer.
    pub(super) fn draw(
        &mut self,
        scene: &Scene,
        sequence: &TileSequence,
        mut flush: impl FnMut(usize, &[u32; PIXELS]),
    ) {
        for (n, pass) in scene.passes(sequence).iter().enumerate() {
            self.background.replaces = replaces(self.source.settings, n);
            for pixel in &mut self.buffer {
                if n == 0 {
                    pixel.colours = [0; 2];
                }
                pixel.tag = None;
                // The very first entry has nothing to keep.
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

    /// Draws a sorted list over a tile that someone else has drawn so far, at the pixels of `masks`, a word a
    /// row.
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

    /// The pixels to be drawn, row by row.
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

    /// Primitives of a list that have something to draw.
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

    /// 1/W of a primitive at a pixel as the tile keeps it; `None` if the pixel is not covered.
    fn depth(&self, primitive: &Primitive, at: At) -> Option<f32> {
        primitive
            .covers(at.screen, self.centre)
            .then(|| depth_at(self.source.settings, primitive, at.screen, self.centre))
    }

    /// Depth test of all opaque primitives.
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

    /// Whether a depth passes against the stored one.
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

    /// Shades what is visible after the opaque list, the background included.
    fn shade_opaque(&mut self, at: At, volumes: &[Volume]) {
        let Pixel { depth, tag, .. } = self.buffer[at.index];
        let Some(triangle) = tag else { return };
        let inside = self.is_inside(at, &triangle, depth, volumes);
        self.shade(at, ListType::Opaque, &triangle, 0, depth, inside);
    }

    /// Punch-through candidates, nearest first, until one passes the alpha test. One that fails is blended
    /// with alpha 0. The one that passes is shaded again if it lies in area 1 of the opaque volumes.
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

    /// Translucent primitives far to near; of equal depth the one submitted first.
    fn sorted(&mut self, at: At, primitives: &[Drawn], volumes: &[Volume]) {
        let fragments = self.fragments(at, ListType::Translucent, primitives, false);
        for (layer, Fragment { triangle, depth, .. }) in fragments.iter().enumerate() {
            let inside = self.is_inside(at, triangle, *depth, volumes);
            self.shade(at, ListType::Translucent, triangle, layer, *depth, inside);
        }
    }

    /// Translucent primitives in the order of their list, with their own depth mode.
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

    /// Fragments of a sorted list that the opaque depth does not hide, farthest first. Of those with equal
    /// depth and order, as when a primitive is listed twice, the first stays.
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

    /// Whether a primitive at a depth lies in area 1 and reacts to that.
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
    /// Orders fragments far to near, then as submitted.
    fn key(&self) -> u64 {
        super::key(self.depth, self.order)
    }
}

/// Whether opaque polygons replace the pixel in pass `n` over a tile.
pub(super) fn replaces(settings: &Settings, n: usize) -> bool {
    n == 0 && settings.opaque_blend == OpaqueBlend::FirstPassReplaces
}

/// Blends a colour into the accumulators: TSP bits 25 and 24 name the second one as source and as
/// destination.
pub(super) fn accumulate(settings: &Settings, tsp: TspWord, colour: u32, mut colours: [u32; 2]) -> [u32; 2] {
    let source = if tsp.src_second() { colours[1] } else { colour };
    let dest = &mut colours[usize::from(tsp.dst_second())];
    *dest = blend(settings.weight_scale, tsp.src(), tsp.dst(), source, *dest);
    colours
}

/// 1/W of a primitive at a pixel as the tile keeps it.
pub(super) fn depth_at(settings: &Settings, primitive: &Primitive, [x, y]: [i32; 2], centre: f64) -> f32 {
    let n = x & 31;
    let row = (f64::from(x - n) + centre, f64::from(y) + centre);
    stored(
        settings,
        primitive.z.value(row.0, row.1, n as f32, settings.fp_model),
    )
}

/// Depth as the tile keeps it.
pub(super) fn stored(settings: &Settings, z: f32) -> f32 {
    match settings.depth_store {
        DepthStore::F32 => z,
        DepthStore::M19Unsigned => f32::from_bits(z.max(0.0).to_bits() & 0x7FFF_FFF0),
    }
}

/// Whether a depth passes against the stored one.
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
