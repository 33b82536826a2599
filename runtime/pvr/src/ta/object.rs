//! Storing of complete objects and their binning in tiles (`docs/hardware/pvr2.md`, "Stored parameters" to
//! "Binning" and "User clip").

use super::tiles::{TileBox, is_listed, tile_of};
use super::vertex::MAX_VERTICES;
use super::{Chip, Ta, write_words};
use crate::event::Event;
use crate::param::{Shape, UserClip};
use crate::regs::reg;
use crate::settings::{ModvolLastUnion, UserClipTiming};

/// Set in the ISP word of an object that is in only one tile.
const SINGLE_TILE: u32 = 1 << 21;

/// Marks the object word of a triangle or sprite.
const ARRAY: u32 = 1 << 31;

/// A stored object before its binning.
#[derive(Debug, Clone, Default)]
pub(super) struct Object {
    /// Object word without a strip's mask.
    word: u32,
    number: u64,
    /// Bounding box in tiles, within the screen grid.
    tiles: TileBox,
    /// Number of vertices of a strip; 0 for triangles and sprites.
    strip: usize,
}

state::fields!(Object {
    word,
    number,
    tiles,
    strip
} check(|object: &Object| object.strip <= MAX_VERTICES && object.number < 1 << 60));

impl Object {
    /// Returns whether all tiles are in `grid`.
    pub(super) fn is_within(&self, grid: TileBox) -> bool {
        self.tiles.intersect(grid) == Some(self.tiles)
    }
}

/// Tiles of a strip's vertices.
pub(super) type Corners = [[i32; 2]; MAX_VERTICES];

impl Ta {
    /// Stores the draft as a complete object, and bins it now or leaves it pending.
    pub(super) fn emit(&mut self, chip: &mut Chip<'_>) {
        let own = TileBox::around(self.draft.places());
        let all = self.volume_box(chip, own);
        let Some(tiles) = all.intersect(self.grid) else {
            return;
        };
        if self.clip_mode != UserClip::Off && !tiles.is_stored(self.clip_mode, self.region()) {
            return;
        }
        let start = chip.regs.get(reg::TA_ITP_CURRENT);
        if !self.store(chip, tiles.is_single()) {
            return;
        }
        self.flush(chip);
        self.objects += 1;
        self.pending = Some(self.object(chip, start, tiles));
        if chip.settings.ta_user_clip == UserClipTiming::Own {
            self.flush(chip);
        }
    }

    /// Bins the pending object with the current clip mode.
    pub(super) fn flush(&mut self, chip: &mut Chip<'_>) {
        if let Some(object) = self.pending.take() {
            self.list_object(chip, &object, self.clip_mode);
        }
    }

    /// Returns the user clip rectangle within the grid; `None` if it is outside.
    fn region(&self) -> Option<TileBox> {
        self.clip.intersect(self.grid)
    }

    /// Returns the tiles for the closing triangles of a modifier volume: all tiles of the volume.
    fn volume_box(&mut self, chip: &Chip<'_>, own: TileBox) -> TileBox {
        if self.form.shape != Shape::Triangle {
            return own;
        }
        let whole = self.volume.map_or(own, |volume| volume.union(own));
        self.volume = Some(whole);
        if self.pcw.volume() && chip.settings.modvol_last_union == ModvolLastUnion::On {
            whole
        } else {
            own
        }
    }

    /// Writes header and vertices; returns false if no word fitted.
    fn store(&mut self, chip: &mut Chip<'_>, single: bool) -> bool {
        self.draft.mark(SINGLE_TILE, single);
        let words = self.draft.words();
        let start = chip.regs.get(reg::TA_ITP_CURRENT);
        let limit = chip.regs.get(reg::TA_ISP_LIMIT) & !3;
        let room = limit.wrapping_sub(start) as usize / 4;
        let mut end = start;
        if room >= words.len() {
            write_words(chip.vram, start, words);
            end = end.wrapping_add(4 * words.len() as u32);
        } else {
            let (header, vertices) = words.split_at(self.draft.header());
            end = store_part(chip, header, [end, limit]);
            end = store_part(chip, vertices, [end, limit]);
        }
        chip.regs.latch(reg::TA_ITP_CURRENT, end);
        end != start
    }

    /// See [`Ta::kind`].
    pub(super) fn kind(&self) -> u32 {
        let skip = self.form.skip(self.pcw.offset()) as u32;
        let array = match self.form.shape {
            Shape::Sprite => 0xA000_0000,
            Shape::Triangle | Shape::Vertex => ARRAY,
        };
        array | u32::from(self.pcw.shadow()) << 24 | skip << 21
    }

    /// Creates the object for the draft stored at an address.
    fn object(&mut self, chip: &Chip<'_>, start: u32, tiles: TileBox) -> Object {
        let base = chip.regs.get(reg::TA_ISP_BASE) & 0xF0_0000;
        let pointer = (start.wrapping_sub(base) / 4) & 0x1F_FFFF;
        let count = self.draft.count();
        let is_strip = count > 3 && self.form.shape == Shape::Vertex;
        if is_strip {
            for (corner, place) in self.corners.iter_mut().zip(self.draft.places()) {
                *corner = place.map(tile_of);
            }
        }
        Object {
            word: pointer | if is_strip { self.kind & !ARRAY } else { self.kind },
            number: self.objects,
            tiles,
            strip: if is_strip { count } else { 0 },
        }
    }

    /// Adds an object to the lists of the tiles in its box that pass the user clip.
    fn list_object(&mut self, chip: &mut Chip<'_>, object: &Object, mode: UserClip) {
        if mode == UserClip::Off && object.strip == 0 {
            self.lists
                .add(chip, object.tiles, object.number, |_, _| Some(object.word));
            return;
        }
        let region = self.region();
        let corners = &self.corners[..object.strip.min(MAX_VERTICES)];
        let triangles = (object.strip > 0).then(|| triangles(corners));
        self.lists.add(chip, object.tiles, object.number, |x, y| {
            let mask = triangles.as_ref().map_or(0, |boxes| mask(boxes, x, y));
            is_listed(mode, region, x, y).then_some(object.word | mask)
        });
    }
}

/// Writes words from an address up to a limit; returns the end address.
#[cold]
fn store_part(chip: &mut Chip<'_>, part: &[u32], [start, limit]: [u32; 2]) -> u32 {
    let room = limit.wrapping_sub(start) as usize / 4;
    if room < part.len() {
        chip.events.raise(Event::ParameterOverflow);
    }
    let part = &part[..room.min(part.len())];
    write_words(chip.vram, start, part);
    start.wrapping_add(4 * part.len() as u32)
}

/// Returns the bounding boxes of a strip's triangles.
fn triangles(corners: &[[i32; 2]]) -> [TileBox; MAX_VERTICES - 2] {
    let mut boxes = [TileBox::NONE; MAX_VERTICES - 2];
    for (own, corners) in boxes.iter_mut().zip(corners.windows(3)) {
        let with = |all: TileBox, &corner: &[i32; 2]| all.with(corner);
        *own = corners.iter().fold(TileBox::NONE, with);
    }
    boxes
}

/// Returns mask bits for the triangles of a strip with boxes that contain the tile: bit 30 for the first
/// triangle.
fn mask(boxes: &[TileBox], x: i32, y: i32) -> u32 {
    let bits = boxes.iter().enumerate();
    bits.filter(|(_, triangle)| triangle.contains(x, y))
        .map(|(n, _)| 1 << (30 - n))
        .sum()
}
