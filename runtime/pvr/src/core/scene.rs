//! Region array and object lists, read from VRAM into what tiles draw (`facts/pvr2.md` section 5).

use super::setup::{Figure, Layout, Source, Surface, background, figure};
use super::texcache::Textures;
use crate::event::{Warning, Warnings};
use crate::regs::reg;

/// Object list entries that a frame may have; beyond, lists are cut. A frame of the console holds some 10^5.
const MAX_ENTRIES: usize = 1 << 20;
/// Triangles a frame may have: the 8 MiB hold fewer that do not overlap.
const MAX_FIGURES: usize = 400_000;
/// Region entries that fit the largest screen (64 x 64 tiles) several times over.
const MAX_REGIONS: usize = 1 << 15;
/// Triangle numbers in lists: [`Scene::figures`] and [`Scene::surfaces`] are indexed by them.
pub(super) type Id = u32;
/// No triangle. The background is drawn under the number 0.
pub(super) const NONE: Id = Id::MAX;
pub(super) const BACKGROUND: Id = 0;

/// A part of [`Scene::refs`].
pub(super) type Refs = std::ops::Range<usize>;

/// One pass over a tile.
#[derive(Debug, Clone, Default)]
pub(super) struct Pass {
    pub(super) keep_depth: bool,
    pub(super) presort: bool,
    pub(super) flush: bool,
    pub(super) opaque: Refs,
    pub(super) punch_through: Refs,
    pub(super) translucent: Refs,
}

/// A tile and its passes in the order of the region array.
#[derive(Debug, Clone)]
pub(super) struct TileJob {
    /// Position in tiles.
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) passes: Vec<Pass>,
}

/// Everything that tiles read while they are drawn.
///
/// It is kept from frame to frame for its memory.
#[derive(Debug, Default)]
pub(super) struct Scene {
    pub(super) figures: Vec<Figure>,
    pub(super) surfaces: Vec<Surface>,
    pub(super) refs: Vec<Id>,
    pub(super) tiles: Vec<TileJob>,
    pub(super) textures: Textures,
    entries: usize,
}

impl Scene {
    fn clear(&mut self) {
        self.figures.clear();
        self.surfaces.clear();
        self.refs.clear();
        self.tiles.clear();
        self.textures = Textures::default();
        self.entries = 0;
    }
}

/// Where each object's triangles went, by parameter address: objects are set up once a frame, not once a tile.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Frame number, kind of object and first slot, by word address.
    objects: Vec<(u16, u16, u32)>,
    slots: Vec<Id>,
    frame: u16,
}

/// Slot of a triangle that has not been set up.
const FRESH: Id = Id::MAX - 1;

impl Seen {
    fn next_frame(&mut self) {
        self.slots.clear();
        self.frame = self.frame.wrapping_add(1);
        if self.frame == 0 || self.objects.is_empty() {
            self.objects.clear();
            self.objects.resize(1 << 21, (0, 0, 0));
            self.frame = 1;
        }
    }

    /// The slot of triangle `n` of the object at a word address.
    fn slot(&mut self, word_address: u32, kind: u16, n: u32) -> usize {
        let (frame, last_kind, first) = &mut self.objects[(word_address & 0x1F_FFFF) as usize];
        if *frame != self.frame || *last_kind != kind {
            (*frame, *last_kind, *first) = (self.frame, kind, self.slots.len() as u32);
            // Only strips (kind bit 4 clear) have more than one triangle.
            let count = if kind & 0x10 == 0 { 6 } else { 1 };
            self.slots.resize(self.slots.len() + count, FRESH);
        }
        *first as usize + n as usize
    }
}

/// Reads the whole frame.
pub(super) fn read(source: &Source<'_>, scene: &mut Scene, seen: &mut Seen, warnings: &mut Warnings) {
    scene.clear();
    seen.next_frame();
    let surface = background(source, &mut scene.textures, warnings);
    scene.figures.push(Figure::nothing());
    scene.surfaces.push(surface);
    let typed = source.regs.get(reg::FPU_PARAM_CFG) >> 21 & 1 != 0;
    let presort = source.regs.get(reg::ISP_FEED_CFG) & 1 != 0;
    let size = if typed { 24 } else { 20 };
    let mut address = source.regs.get(reg::REGION_BASE);
    let mut tile_at = vec![usize::MAX; 64 * 64];
    for n in 0.. {
        if n == MAX_REGIONS {
            warnings.add(Warning::RegionArrayCut);
            break;
        }
        let word = |i: u32| source.vram.read32(address.wrapping_add(4 * i));
        let control = word(0);
        let mut reader = Reader {
            source,
            seen,
            scene,
            warnings,
        };
        let pass = Pass {
            keep_depth: control >> 30 & 1 != 0,
            presort: if typed { control >> 29 & 1 != 0 } else { presort },
            flush: control >> 28 & 1 == 0,
            opaque: reader.list(word(1)),
            punch_through: if typed { reader.list(word(5)) } else { 0..0 },
            translucent: reader.list(word(3)),
        };
        reader.modifiers([word(2), word(4)]);
        let (x, y) = (control >> 2 & 0x3F, control >> 8 & 0x3F);
        let at = &mut tile_at[(y * 64 + x) as usize];
        if *at == usize::MAX {
            *at = scene.tiles.len();
            scene.tiles.push(TileJob {
                x,
                y,
                passes: Vec::new(),
            });
        }
        scene.tiles[*at].passes.push(pass);
        if control >> 31 != 0 {
            break;
        }
        address = address.wrapping_add(size);
    }
}

/// Walks the lists of one region entry.
struct Reader<'a> {
    source: &'a Source<'a>,
    seen: &'a mut Seen,
    scene: &'a mut Scene,
    warnings: &'a mut Warnings,
}

impl Reader<'_> {
    /// Modifier volume lists are only looked at.
    fn modifiers(&mut self, pointers: [u32; 2]) {
        for pointer in pointers {
            let first = self.source.vram.read32(pointer & 0xFF_FFFC);
            if pointer >> 31 == 0 && first >> 28 != 0xF {
                self.warnings.add(Warning::ModifierVolume);
            }
        }
    }

    /// Appends the triangles of the list at a region entry's pointer to [`Scene::refs`].
    fn list(&mut self, pointer: u32) -> Refs {
        let start = self.scene.refs.len();
        let mut address = pointer & 0xFF_FFFC;
        let mut open = pointer >> 31 == 0;
        while open {
            if self.scene.entries >= MAX_ENTRIES {
                self.warnings.add(Warning::ListCut);
                break;
            }
            self.scene.entries += 1;
            let word = self.source.vram.read32(address);
            address = address.wrapping_add(4);
            match word >> 29 {
                0b111 if word >> 28 & 1 != 0 => open = false,
                0b111 => address = word & 0xFF_FFFC,
                0b100 => self.array(word, false),
                0b101 => self.array(word, true),
                0b110 => {}
                _ => self.strip(word),
            }
        }
        start..self.scene.refs.len()
    }

    fn layout(&self, word: u32) -> Layout {
        let base = self.source.regs.get(reg::PARAM_BASE) & 0xF0_0000;
        let intensity = self.source.regs.get(reg::FPU_SHAD_SCALE) >> 8 & 1 != 0;
        Layout {
            address: base.wrapping_add((word & 0x1F_FFFF) * 4),
            skip: word >> 21 & 7,
            two_volumes: word >> 24 & 1 != 0 && !intensity,
        }
    }

    fn strip(&mut self, word: u32) {
        let layout = self.layout(word);
        for n in (0..6).filter(|n| word >> (30 - n) & 1 != 0) {
            self.triangle(layout, n, false, false);
        }
    }

    fn array(&mut self, word: u32, sprite: bool) {
        let mut layout = self.layout(word);
        let volumes = if layout.two_volumes { 2 } else { 1 };
        let corners = if sprite { 4 } else { 3 };
        let words = 1 + 2 * volumes + corners * (3 + layout.skip * volumes);
        for _ in 0..=(word >> 25 & 15) {
            self.triangle(layout, 0, true, sprite);
            layout.address = layout.address.wrapping_add(words * 4);
        }
    }

    fn triangle(&mut self, layout: Layout, n: u32, array: bool, sprite: bool) {
        let kind = u16::from(array) << 4
            | u16::from(sprite) << 5
            | (layout.skip as u16) << 1
            | u16::from(layout.two_volumes);
        let slot = self.seen.slot(layout.address / 4, kind, n);
        let Some(&id) = self.seen.slots.get(slot) else {
            return;
        };
        let id = if id == FRESH {
            let id = self.set_up(layout, n, sprite);
            self.seen.slots[slot] = id;
            id
        } else {
            id
        };
        if id != NONE {
            self.scene.refs.push(id);
        }
    }

    fn set_up(&mut self, layout: Layout, n: u32, sprite: bool) -> Id {
        if self.scene.figures.len() >= MAX_FIGURES {
            self.warnings.add(Warning::ListCut);
            return NONE;
        }
        match figure(
            self.source,
            layout,
            n,
            sprite,
            &mut self.scene.textures,
            self.warnings,
        ) {
            Some((figure, surface)) => {
                self.scene.figures.push(figure);
                self.scene.surfaces.push(surface);
                self.scene.figures.len() as Id - 1
            }
            None => NONE,
        }
    }
}
