//! Parameters: user clip, polygons and sprites, vertices, and the division of strips.

use super::lists::Lists;
use super::tiles::TileBox;
use super::vertex::Layout;
use super::{Chip, Mode, Ta, colour};
use crate::event::{Event, Warning};
use crate::param::{ColourType, ListType, ParamType, Pcw, Shape, VertexForm};
use crate::settings::{MidStripGlobal, UserClipGroup, UserClipTiming};

impl Ta {
    /// Sets the user clip rectangle. By default it also applies to a pending object.
    pub(super) fn user_clip(&mut self, chip: &mut Chip<'_>, words: &[u32; 16]) {
        if chip.settings.ta_user_clip == UserClipTiming::LateMode {
            self.flush(chip);
        }
        let field = |n: usize, mask: u32| (words[n] & mask) as i32;
        self.clip = TileBox {
            x0: field(4, 0x3F),
            y0: field(5, 0xF),
            x1: field(6, 0x3F),
            y1: field(7, 0xF),
        };
    }

    /// Processes a polygon, sprite or modifier volume parameter.
    pub(super) fn global(&mut self, chip: &mut Chip<'_>, pcw: Pcw, words: &[u32; 16]) {
        if self.list.is_none() && self.mode == Mode::Normal {
            let Some(list) = pcw.list() else {
                chip.warnings.add(Warning::InvalidList);
                self.mode = Mode::SkipList;
                return;
            };
            self.list = Some(list);
            self.opened |= 1 << list.index();
            self.lists = Lists::open(chip.regs, chip.settings, chip.vram, list, self.first_row);
        }
        let list = self.list.unwrap_or(ListType::Opaque);
        if self.in_strip {
            self.break_strip(chip);
        }
        if chip.settings.ta_user_clip_group == UserClipGroup::Always || pcw.group_enable() {
            self.clip_mode = pcw.user_clip();
        }
        self.flush(chip);
        if pcw.group_enable() {
            self.strip_vertices = pcw.strip_vertices();
        }
        if self.form.shape == Shape::Triangle && self.pcw.volume() {
            self.volume = None;
        }
        self.pcw = pcw;
        self.form = VertexForm::select(pcw, list);
        self.kind = self.kind();
        self.layout = Layout::new(self.form, pcw.offset());
        self.has_polygon = true;
        self.set_header(words);
        self.drop_strip();
    }

    /// Handles a global parameter inside a strip.
    fn break_strip(&mut self, chip: &mut Chip<'_>) {
        chip.events.raise(Event::IllegalParameter);
        if chip.settings.ta_midstrip_global == MidStripGlobal::PadAndIgnore {
            let held = self.draft.count();
            if self.form.shape == Shape::Vertex && held >= 2 {
                (held..self.strip_vertices).for_each(|_| self.draft.repeat(held - 1));
                self.emit(chip);
            }
            self.mode = Mode::SkipList;
        }
        self.drop_strip();
    }

    /// Sets the header common to every object of this polygon, and its face colours if it has any.
    fn set_header(&mut self, words: &[u32; 16]) {
        let pcw = self.pcw;
        let sprite = self.form.shape == Shape::Sprite;
        let mut isp = words[1] & 0xFC1F_FFFF | (pcw.0 & 0x0B) << 22;
        isp |= u32::from(pcw.texture() && pcw.offset()) << 24 | u32::from(sprite) << 22;
        let tcw = |word: u32| if pcw.texture() || sprite { word } else { 0 };
        let header = match self.form.shape {
            Shape::Triangle => [isp, 0, 0, 0, 0],
            _ => [isp, words[2], tcw(words[3]), words[4], tcw(words[5])],
        };
        let len = if self.form.volumes() == 2 { 5 } else { 3 };
        self.draft.start(&header[..len], &self.layout);
        self.sprite_colours = [words[4], words[5]];
        if pcw.colour() == ColourType::Intensity && self.form.shape == Shape::Vertex {
            self.set_faces(words);
        }
    }

    fn set_faces(&mut self, words: &[u32; 16]) {
        let face = |n: usize| colour::pack([words[n], words[n + 1], words[n + 2], words[n + 3]]);
        if self.pcw.two_volumes() || self.pcw.texture() && self.pcw.offset() {
            self.face = [face(8), face(12)];
        } else {
            self.face[0] = face(4);
        }
    }

    pub(super) fn vertex(&mut self, chip: &mut Chip<'_>, pcw: Pcw, words: &[u32; 16]) {
        if self.mode != Mode::Normal {
            return;
        }
        if self.list.is_none() || !self.has_polygon {
            chip.warnings.add(Warning::VertexWithoutPolygon);
            return;
        }
        self.in_strip = !pcw.end_of_strip();
        match self.form.shape {
            Shape::Sprite => {
                self.draft.clear();
                self.draft.push_sprite(self.form, self.sprite_colours, words);
                self.emit(chip);
            }
            Shape::Triangle => {
                self.draft.clear();
                self.draft.push_modifier(words);
                self.emit(chip);
            }
            Shape::Vertex => {
                self.draft.push_vertex(&self.layout, words);
                self.draft.convert_colours(&self.layout, self.face, words);
                self.strip(chip, pcw.end_of_strip());
            }
        }
    }

    /// Processes vertices with short parameters ([`Layout::short`]), the most frequent kind, with the same
    /// result as [`Self::block`]. Returns the number of processed blocks.
    pub(super) fn short_vertices(&mut self, chip: &mut Chip<'_>, blocks: &[[u32; 8]]) -> usize {
        let ready =
            self.mode == Mode::Normal && self.half.is_none() && self.list.is_some() && self.has_polygon;
        let Some(colours) = self.layout.short.filter(|_| ready) else {
            return 0;
        };
        for (n, block) in blocks.iter().enumerate() {
            let pcw = Pcw(block[0]);
            if pcw.param_type() != ParamType::Vertex {
                return n;
            }
            self.in_strip = !pcw.end_of_strip();
            self.draft.push_short(colours, block);
            self.strip(chip, pcw.end_of_strip());
        }
        blocks.len()
    }

    /// Divides the strip into objects (`docs/hardware/pvr2.md`, "Strips").
    #[inline]
    fn strip(&mut self, chip: &mut Chip<'_>, end: bool) {
        let held = self.draft.count();
        if end && held < 3 {
            chip.events.raise(Event::IllegalParameter);
            self.drop_strip();
        } else if end || held >= self.strip_vertices {
            self.emit(chip);
            if end {
                self.drop_strip();
                return;
            }
            // Single triangles keep their winding because every other one swaps the carried vertices.
            self.draft.carry(match (held, self.strip_triangles & 1) {
                (3, 0) => [2, 1],
                (3, _) => [0, 2],
                _ => [held - 2, held - 1],
            });
            self.strip_triangles += 1;
        }
    }
}
