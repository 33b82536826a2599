//! Storing complete objects and listing them in tiles (`facts/pvr2.md` sections 3.1 to 3.3 and 3.6).

use super::tiles::{TileBox, is_listed, tile_of};
use super::vertex::MAX_VERTICES;
use super::{Chip, Ta, write_words};
use crate::event::Event;
use crate::param::{Shape, UserClip};
use crate::regs::reg;
use crate::settings::{ModvolLastUnion, UserClipTiming};

/// Set in the ISP word of an object that lies in one tile.
const SINGLE_TILE: u32 = 1 << 21;

/// A stored object that waits to be listed.
#[derive(Debug, Clone)]
pub(super) struct Object {
    /// Object word without a strip's mask.
    word: u32,
    number: u64,
    /// Tiles, within the screen grid.
    tiles: TileBox,
    /// Tiles of a strip's vertices, and how many they are; none of triangles and sprites.
    corners: [[i16; 2]; MAX_VERTICES],
    count: usize,
}

impl Ta {
    /// Stores the vertices as a complete object; lists it now or leaves it pending.
    pub(super) fn emit(&mut self, chip: &mut Chip<'_>) {
        let mut corners = [[0; 2]; MAX_VERTICES];
        let mut own = TileBox::NONE;
        for (n, place) in self.vertices.places().enumerate() {
            let corner = place.map(tile_of);
            corners[n % MAX_VERTICES] = corner;
            own = own.with(corner);
        }
        let all = self.volume_box(chip, own);
        let Some(tiles) = all.intersect(self.grid) else {
            return;
        };
        if !tiles.is_stored(self.clip_mode, self.region()) {
            return;
        }
        let start = chip.regs.get(reg::TA_ITP_CURRENT);
        if !self.store(chip, tiles.is_single()) {
            return;
        }
        self.objects += 1;
        let object = self.object(chip, start, tiles, corners);
        match chip.settings.ta_user_clip {
            UserClipTiming::Own => self.list_object(chip, &object, self.clip_mode),
            UserClipTiming::Late | UserClipTiming::LateMode => {
                self.flush(chip);
                self.pending = Some(object);
            }
        }
    }

    /// Lists the pending object by the clip mode that is in force now.
    pub(super) fn flush(&mut self, chip: &mut Chip<'_>) {
        if let Some(object) = self.pending.take() {
            self.list_object(chip, &object, self.clip_mode);
        }
    }

    /// The user clip rectangle within the grid; `None` if it lies outside.
    fn region(&self) -> Option<TileBox> {
        self.clip.intersect(self.grid)
    }

    /// The closing triangles of a modifier volume are listed wherever the volume was.
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

    /// Writes header and vertices; false if not even one word fitted.
    fn store(&mut self, chip: &mut Chip<'_>, single: bool) -> bool {
        let mut header = self.header;
        if single {
            header[0] |= SINGLE_TILE;
        }
        let start = chip.regs.get(reg::TA_ITP_CURRENT);
        let limit = chip.regs.get(reg::TA_ISP_LIMIT) & !3;
        let mut end = start;
        for part in [&header[..self.header_len], self.vertices.words()] {
            let room = limit.wrapping_sub(end) as usize / 4;
            if room < part.len() {
                chip.events.raise(Event::ParameterOverflow);
            }
            let part = &part[..room.min(part.len())];
            write_words(chip.vram, end, part);
            end = end.wrapping_add(4 * part.len() as u32);
        }
        chip.regs.set(reg::TA_ITP_CURRENT, end);
        end != start
    }

    /// `corners` are the tiles of the vertices.
    fn object(
        &self,
        chip: &Chip<'_>,
        start: u32,
        tiles: TileBox,
        corners: [[i16; 2]; MAX_VERTICES],
    ) -> Object {
        let base = chip.regs.get(reg::TA_ISP_BASE) & 0xF0_0000;
        let pointer = (start.wrapping_sub(base) / 4) & 0x1F_FFFF;
        let skip = self.form.skip(self.pcw.offset()) as u32;
        let shared = u32::from(self.pcw.shadow()) << 24 | skip << 21 | pointer;
        let count = self.vertices.count();
        let is_strip = self.form.shape == Shape::Vertex && count > 3;
        let kind = match self.form.shape {
            Shape::Sprite => 0xA000_0000,
            _ if is_strip => 0,
            _ => 0x8000_0000,
        };
        Object {
            word: kind | shared,
            number: self.objects,
            tiles,
            corners,
            count: if is_strip { count } else { 0 },
        }
    }

    fn list_object(&mut self, chip: &mut Chip<'_>, object: &Object, mode: UserClip) {
        let region = self.region();
        let triangles = object.triangles();
        let TileBox { x0, y0, x1, y1 } = object.tiles;
        for y in y0..y1 + 1 {
            for x in x0..x1 + 1 {
                if !is_listed(mode, region, x, y) {
                    continue;
                }
                let entry = object.word | triangles.map_or(0, |boxes| mask(&boxes, x, y));
                let at = (x as u32, y as u32);
                self.lists
                    .add(at, entry, object.number, chip.regs, chip.vram, chip.events);
            }
        }
    }
}

impl Object {
    /// Boxes of a strip's triangles.
    fn triangles(&self) -> Option<[TileBox; MAX_VERTICES - 2]> {
        if self.count == 0 {
            return None;
        }
        let mut boxes = [TileBox::NONE; MAX_VERTICES - 2];
        let corners = self.corners.get(..self.count).unwrap_or_default();
        for (own, corners) in boxes.iter_mut().zip(corners.windows(3)) {
            *own = corners
                .iter()
                .fold(TileBox::NONE, |all, &corner| all.with(corner));
        }
        Some(boxes)
    }
}

/// Mask bits of a strip's triangles whose boxes hold the tile: bit 30 for the first triangle.
fn mask(boxes: &[TileBox], x: i16, y: i16) -> u32 {
    let bits = boxes.iter().enumerate();
    bits.filter(|(_, triangle)| triangle.contains(x, y))
        .map(|(n, _)| 1 << (30 - n))
        .sum()
}
