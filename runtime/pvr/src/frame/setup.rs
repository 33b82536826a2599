//! Preparation of a render: background, region array, registers.

use super::Frame;
use super::layout::BLOCK;
use crate::event::Events;
use crate::param::ListType;
use crate::regs::reg;
use crate::vram::Area;
use std::ops::Range;

/// TSP word of the background: source ONE, destination ZERO, no fog, vertex alpha used.
const BACKGROUND_TSP: u32 = 0x2090_0000;

impl Frame {
    /// Writes a flat untextured triangle; the core extends its colour over the screen.
    pub(super) fn write_background(&mut self) {
        let (colour, depth) = self.background;
        let mut words = vec![0, BACKGROUND_TSP, 0];
        for [x, y] in [[0.0f32, 0.0], [1.0, 0.0], [0.0, 1.0]] {
            words.extend([x.to_bits(), y.to_bits(), 1.0f32.to_bits(), colour.0]);
        }
        let at = self.layout.background;
        for (n, word) in (0..).zip(words) {
            self.pvr.vram.write32(Area::Bits32, at + n * 4, word);
        }
        // Tag: word address in 23:3, one word after x, y, z in 26:24.
        self.pvr
            .write_register(reg::ISP_BACKGND_T, 1 << 24 | (at / 4) << 3);
        self.pvr.write_register(reg::ISP_BACKGND_D, depth.to_bits());
    }

    /// Writes one entry per tile; lists that were not closed in this frame are marked empty.
    pub(super) fn write_regions(&mut self, events: Events, columns: Range<u32>, rows: Range<u32>) {
        let (width, height) = (self.width.div_ceil(32), rows.end - rows.start);
        let mut at = self.layout.regions;
        for y in rows.clone() {
            for x in columns.clone() {
                let last = y + 1 == rows.end && x + 1 == columns.end;
                let control = u32::from(last) << 31 | u32::from(self.presort) << 29 | y << 8 | x << 2;
                let mut words = [control, 0, 0, 0, 0, 0];
                for (word, list) in words[1..].iter_mut().zip(ListType::ALL) {
                    let before = list.index() as u32 * width * height;
                    let block = self.layout.lists + (before + (y - rows.start) * width + x) * BLOCK;
                    let closed = self.pvr.has_list(list) && events.has(crate::ta::done_event(list));
                    *word = if closed { block } else { 0x8000_0000 };
                }
                for word in words {
                    self.pvr.vram.write32(Area::Bits32, at, word);
                    at += 4;
                }
            }
        }
    }

    /// Sets the registers for a part of the frame (in pixels). Its upper left corner is written to the start
    /// of the framebuffer.
    pub(super) fn set_output(&mut self, columns: &Range<u32>, rows: &Range<u32>) {
        let before = columns.start * 4 + rows.start * self.layout.stride;
        let start = self.layout.framebuffer.wrapping_sub(before) & 0xFF_FFFC;
        for (offset, value) in [
            (reg::PARAM_BASE, 0),
            (reg::REGION_BASE, self.layout.regions),
            (
                reg::FPU_PARAM_CFG,
                self.pvr.regs.get(reg::FPU_PARAM_CFG) | 1 << 21,
            ),
            (reg::FB_W_CTRL, 6),
            (reg::FB_W_LINESTRIDE, self.layout.stride / 8),
            (reg::FB_W_SOF1, start),
            (reg::FB_X_CLIP, (columns.end - 1) << 16 | columns.start),
            (reg::FB_Y_CLIP, (rows.end - 1) << 16 | rows.start),
        ] {
            self.pvr.write_register(offset, value);
        }
    }
}
