//! Passes, the region array that refers to their lists, and the render.

use super::Machine;
use crate::memory;
use crate::text::{SceneError, Statement};
use pvr::{Area, Event, ListType, reg};

/// A pass with closed lists.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pass {
    /// Address of its object lists.
    lists: u32,
    closed: [bool; 5],
    /// Bits 30 (keep depth), 29 (presort) and 28 (no flush) of a region entry's control word.
    control: u32,
}

impl Machine<'_> {
    /// Reads `pass [keep] [presort] [no_flush]`: closes a pass; later lists belong to another one.
    pub(super) fn pass(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        self.close_pass(statement)?;
        let next = self.pass_lists();
        self.pvr.write_register(reg::TA_OL_BASE, next);
        self.pvr.write_register(reg::TA_LIST_CONT, 1 << 31);
        Ok(())
    }

    /// Returns the address of the open pass' lists.
    pub(super) fn pass_lists(&self) -> u32 {
        let (columns, rows) = self.tiles();
        memory::LISTS + self.passes.len() as u32 * columns * rows * 5 * memory::BLOCK
    }

    pub(super) fn close_pass(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        let keyword = statement.keyword;
        if self.list.is_some() {
            return Err(keyword.fault("a list that is open", "end"));
        }
        let mut control = 0;
        while let Some(word) = statement.next() {
            control |= word.one_of(&[("keep", 1 << 30), ("presort", 1 << 29), ("no_flush", 1 << 28)])?;
        }
        let events = self.pvr.take_events();
        for (event, what) in [
            (Event::ParameterOverflow, "more parameters than there is room for"),
            (Event::ListOverflow, "longer object lists than there is room for"),
            (
                Event::IllegalParameter,
                "a strip of fewer than three vertices or another illegal parameter",
            ),
        ] {
            if events.has(event) {
                return Err(keyword.fault(what, "lists that the tile accelerator takes"));
            }
        }
        let lists = self.pass_lists();
        self.passes.push(Pass {
            lists,
            closed: std::mem::take(&mut self.closed),
            control,
        });
        let (columns, rows) = self.tiles();
        let entries = columns * rows * self.passes.len() as u32;
        if self.pass_lists() > memory::OVERFLOW || entries * 24 > memory::LISTS - memory::REGIONS {
            return Err(keyword.fault("more passes than there is room for", "fewer"));
        }
        Ok(())
    }

    /// Reads `render [keep] [presort]`: closes the last pass and draws.
    pub(super) fn render(&mut self, statement: &mut Statement<'_>) -> Result<(), SceneError> {
        self.close_pass(statement)?;
        self.write_regions();
        let stride = self.target.stride(self.size.0);
        let end = self.target.address + stride * self.size.1;
        let room = if self.target.texture {
            memory::TEXTURES_END
        } else {
            memory::FRAMEBUFFERS_END
        };
        if end > room || stride / 8 > 0x1FF {
            return Err(statement.keyword.fault(
                "a frame larger than the framebuffer",
                "at most 4,088 bytes a line and 1.5 MiB",
            ));
        }
        let start = self.target.address | u32::from(self.target.texture) << 24;
        for (register, value) in [
            (reg::FB_W_CTRL, self.target.control),
            (reg::FB_W_LINESTRIDE, stride / 8),
            (reg::FB_W_SOF1, start),
            (reg::FB_W_SOF2, memory::SECOND),
        ] {
            self.pvr.write_register(register, value);
        }
        self.stats = self.pvr.render(self.options.threads);
        self.rendered = true;
        self.passes.clear();
        self.begun = false;
        self.pvr.write_register(reg::TA_OL_BASE, memory::LISTS);
        Ok(())
    }

    /// Writes all passes of each tile in sequence, in the form selected by FPU_PARAM_CFG.
    pub(super) fn write_regions(&mut self) {
        let typed = self.pvr.read_register(reg::FPU_PARAM_CFG) >> 21 & 1 != 0;
        let (columns, rows) = self.tiles();
        let tiles = columns * rows;
        let mut at = memory::REGIONS;
        for tile in 0..tiles {
            for (n, pass) in self.passes.iter().enumerate() {
                let last = tile + 1 == tiles && n + 1 == self.passes.len();
                let place = (tile / columns) << 8 | (tile % columns) << 2;
                let mut words = vec![u32::from(last) << 31 | pass.control | place];
                for list in ListType::ALL {
                    let block = pass.lists + (list.index() as u32 * tiles + tile) * memory::BLOCK;
                    words.push(if pass.closed[list.index()] { block } else { 1 << 31 });
                }
                // Entries of type 1 have no punch-through list.
                words.truncate(if typed { 6 } else { 5 });
                for word in words {
                    self.pvr.vram_mut().write32(Area::Bits32, at, word);
                    at += 4;
                }
            }
        }
    }
}

/// Returns the event that reports the end of a list.
pub(super) fn done(list: ListType) -> Event {
    match list {
        ListType::Opaque => Event::OpaqueDone,
        ListType::OpaqueModifier => Event::OpaqueModifierDone,
        ListType::Translucent => Event::TranslucentDone,
        ListType::TranslucentModifier => Event::TranslucentModifierDone,
        ListType::PunchThrough => Event::PunchThroughDone,
    }
}
