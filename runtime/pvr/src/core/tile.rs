//! One tile: depth, tags and colours of 32 x 32 pixels (`facts/pvr2.md` section 6).

use super::plane::{LANES, PLACES, TILE};
use super::scene::{BACKGROUND, Id, NONE, Pass, Refs, Scene, TileJob};
use super::setup::Figure;
use super::shade::{Shader, Work};
use crate::param::DepthMode;
use crate::settings::{DepthStore, PtDepth};

/// Pixels of a tile.
pub(super) const PIXELS: usize = TILE * TILE;

/// Registers and switches that drawing a tile needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setup {
    /// Place of the depth sample in a pixel: 0.5 or 0.
    pub(super) isp_centre: f64,
    pub(super) background_depth: f32,
    pub(super) depth_store: DepthStore,
    pub(super) pt_depth: PtDepth,
}

/// Counts of what was drawn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) shaded: u64,
    pub(super) fragments: u64,
    pub(super) translucent_cut: bool,
    pub(super) depth_missing: bool,
}

impl Counts {
    pub(super) fn add(&mut self, other: Self) {
        self.shaded += other.shaded;
        self.fragments += other.fragments;
        self.translucent_cut |= other.translucent_cut;
        self.depth_missing |= other.depth_missing;
    }
}

/// The buffers of a tile; one a thread.
#[derive(Debug)]
pub(super) struct Tile {
    pub(super) depth: Box<[f32; PIXELS]>,
    pub(super) tags: Box<[Id; PIXELS]>,
    pub(super) colour: Box<[u32; PIXELS]>,
    pub(super) fragments: super::peel::Fragments,
    pub(super) layers: super::layers::Layers,
    pub(super) work: Work,
    pub(super) counts: Counts,
}

/// Screen position of a tile's first pixel.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    pub(super) x: i32,
    pub(super) y: i32,
}

/// A run of pixels of a figure in one row of the tile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) row: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

impl Tile {
    pub(super) fn new() -> Self {
        Self {
            depth: Box::new([0.0; PIXELS]),
            tags: Box::new([NONE; PIXELS]),
            colour: Box::new([0; PIXELS]),
            fragments: super::peel::Fragments::default(),
            layers: super::layers::Layers::default(),
            work: Work::default(),
            counts: Counts::default(),
        }
    }

    /// Draws all passes of a tile. Colours are in [`Self::colour`] as ARGB8888 then; the return value says
    /// whether any pass flushed them to the framebuffer.
    pub(super) fn draw(&mut self, scene: &Scene, setup: &Setup, shader: &Shader<'_>, job: &TileJob) -> bool {
        let origin = Origin {
            x: (job.x as usize * TILE) as i32,
            y: (job.y as usize * TILE) as i32,
        };
        let mut flushed = false;
        for (n, pass) in job.passes.iter().enumerate() {
            if n == 0 {
                self.colour.fill(0);
            }
            if pass.keep_depth && n > 0 {
                self.tags.fill(NONE);
            } else {
                self.counts.depth_missing |= pass.keep_depth;
                self.depth.fill(store(setup, setup.background_depth));
                self.tags.fill(BACKGROUND);
            }
            self.pass(scene, setup, shader, origin, pass);
            flushed |= pass.flush;
        }
        flushed
    }

    fn pass(&mut self, scene: &Scene, setup: &Setup, shader: &Shader<'_>, origin: Origin, pass: &Pass) {
        for &id in refs(scene, &pass.opaque) {
            self.opaque(&scene.figures[id as usize], id, setup, origin);
        }
        for row in 0..TILE {
            let from = row * TILE;
            let tags = &self.tags[from..from + TILE];
            let colours = &mut self.colour[from..from + TILE];
            self.counts.shaded += shader.row(scene, origin, row, tags, colours, &mut self.work);
        }
        if !pass.punch_through.is_empty() {
            self.punch_through(scene, setup, shader, origin, refs(scene, &pass.punch_through));
        }
        if pass.translucent.is_empty() {
        } else if pass.presort {
            self.presorted(scene, setup, shader, origin, refs(scene, &pass.translucent));
        } else {
            self.translucent(scene, setup, shader, origin, refs(scene, &pass.translucent));
        }
    }

    /// Depth test and tags of one opaque figure.
    fn opaque(&mut self, figure: &Figure, id: Id, setup: &Setup, origin: Origin) {
        let write = !figure.isp.z_write_disable();
        spans(figure, setup, origin, |span| {
            let start = span.row * TILE;
            let depth = &mut self.depth[start..start + TILE];
            let tags = &mut self.tags[start..start + TILE];
            test(figure, setup, origin, span, write, depth, tags, id);
        });
    }

    /// Translucent figures in the order they came, each shaded at once.
    fn presorted(&mut self, scene: &Scene, setup: &Setup, shader: &Shader<'_>, origin: Origin, refs: &[Id]) {
        for &id in refs {
            let figure = &scene.figures[id as usize];
            let write = !figure.isp.z_write_disable();
            spans(figure, setup, origin, |span| {
                let mut tags = [NONE; TILE];
                let start = span.row * TILE;
                let depth = &mut self.depth[start..start + TILE];
                test(figure, setup, origin, span, write, depth, &mut tags, id);
                let colours = &mut self.colour[start..start + TILE];
                self.counts.shaded += shader.row(scene, origin, span.row, &tags, colours, &mut self.work);
            });
        }
    }
}

pub(super) fn refs<'a>(scene: &'a Scene, range: &Refs) -> &'a [Id] {
    scene.refs.get(range.clone()).unwrap_or_default()
}

/// Depth as the tile keeps it.
#[inline]
pub(super) fn store(setup: &Setup, z: f32) -> f32 {
    match setup.depth_store {
        DepthStore::F32 => z,
        DepthStore::M19Unsigned => f32::from_bits(z.max(0.0).to_bits() & 0x7FFF_FFF0),
    }
}

/// Calls `visit` for every row of the tile that the figure covers.
#[inline]
pub(super) fn spans(figure: &Figure, setup: &Setup, origin: Origin, mut visit: impl FnMut(Span)) {
    let last = TILE as i32;
    let first_row = figure.rows[0].saturating_sub(origin.y).clamp(0, last) as usize;
    let end_row = figure.rows[1].saturating_sub(origin.y).clamp(0, last) as usize;
    let x = f64::from(origin.x) + setup.isp_centre;
    for row in first_row..end_row {
        let y = f64::from(origin.y) + row as f64 + setup.isp_centre;
        let (mut from, mut to) = (0, TILE);
        for edge in &figure.edges[..figure.edge_count] {
            edge.cut(x, y, &mut from, &mut to);
        }
        if from < to {
            visit(Span { row, from, to });
        }
    }
}

/// Depths of a span, as the tile keeps them, at the same places of the returned row.
#[inline]
pub(super) fn depths(figure: &Figure, setup: &Setup, origin: Origin, span: Span) -> [f32; TILE] {
    let y = f64::from(origin.y) + span.row as f64 + setup.isp_centre;
    let line = figure.z.row(f64::from(origin.x) + setup.isp_centre, y);
    let mut z = [0.0; TILE];
    // The whole groups that the span touches.
    let (from, to) = (
        span.from / LANES * LANES,
        span.to.next_multiple_of(LANES).min(TILE),
    );
    let groups = z[from..to].as_chunks_mut::<LANES>().0.iter_mut();
    for (z, places) in groups.zip(PLACES[from..].as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            z[lane] = store(setup, line.at_place(places[lane]));
        }
    }
    z
}

/// Whether a depth passes against the stored one.
#[inline]
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

/// Tests a span and leaves its tag and depth where it passes.
#[allow(clippy::too_many_arguments)] // the state of a span, split so that the inner loop borrows slices only
#[inline]
fn test(
    figure: &Figure,
    setup: &Setup,
    origin: Origin,
    span: Span,
    write: bool,
    depth: &mut [f32],
    tags: &mut [Id],
    id: Id,
) {
    let z = depths(figure, setup, origin, span);
    let cells = depth[span.from..span.to]
        .iter_mut()
        .zip(&mut tags[span.from..span.to]);
    let pixels = cells.zip(&z[span.from..span.to]);
    /// One loop for each mode, so that the comparison is not chosen for each pixel.
    macro_rules! each {
        ($($mode:ident),*) => {
            match figure.isp.depth_mode() {
                $(DepthMode::$mode => {
                    for ((old, tag), &new) in pixels {
                        let pass = passes(DepthMode::$mode, new, *old);
                        *tag = if pass { id } else { *tag };
                        *old = if pass && write { new } else { *old };
                    }
                })*
            }
        };
    }
    each!(
        Never,
        Less,
        Equal,
        LessEqual,
        Greater,
        NotEqual,
        GreaterEqual,
        Always
    );
}
