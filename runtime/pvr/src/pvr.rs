//! The chip as a program sees it.

use crate::core::{self, Kept, Render, RenderStats, Screen, Source};
use crate::event::{Event, Events, Warning, Warnings};
use crate::param::ListType;
use crate::probe::Probe;
use crate::regs::{Registers, reg};
use crate::settings::Settings;
use crate::ta::{Chip, Ta};
use crate::vram::Vram;
use crate::yuv::{Received, Yuv};

/// Memory, registers, tile accelerator and core.
#[derive(Debug)]
pub struct Pvr {
    /// Video memory.
    pub vram: Vram,
    /// Registers as plain words; [`Pvr::write_register`] also acts on them.
    pub regs: Registers,
    settings: Settings,
    events: Events,
    warnings: Warnings,
    ta: Ta,
    yuv: Yuv,
    kept: Kept,
}

impl Pvr {
    /// A chip after reset, with zeroed memory.
    pub fn new(settings: Settings) -> Self {
        Self {
            vram: Vram::new(),
            regs: Registers::new(),
            settings,
            events: Events::default(),
            warnings: Warnings::default(),
            ta: Ta::new(),
            yuv: Yuv::default(),
            kept: Kept::default(),
        }
    }

    /// Writes a register (byte offset from 0x005F8000) and does what the write starts: SOFTRESET, STARTRENDER
    /// (with one thread), TA_LIST_INIT, TA_LIST_CONT, TA_YUV_TEX_BASE.
    pub fn write_register(&mut self, offset: u32, value: u32) {
        match offset & 0x1FFC {
            // Read-only.
            reg::TA_NEXT_OPB | reg::TA_ITP_CURRENT | reg::TA_YUV_TEX_CNT => return,
            _ => self.regs.set(offset, value),
        }
        match offset & 0x1FFC {
            reg::SOFTRESET if value & 1 != 0 => self.ta.soft_reset(),
            reg::STARTRENDER => {
                self.render(1);
            }
            reg::TA_LIST_INIT if value >> 31 != 0 => self.list_init(),
            reg::TA_LIST_CONT if value >> 31 != 0 => self.ta.list_continue(&self.regs),
            reg::TA_YUV_TEX_BASE => self.yuv.start(&mut self.regs),
            _ => {}
        }
    }

    /// Reads a register (byte offset from 0x005F8000).
    pub fn read_register(&self, offset: u32) -> u32 {
        self.regs.get(offset)
    }

    /// TA_LIST_INIT: the TA starts a frame's lists and parameters at the addresses in its registers.
    pub fn list_init(&mut self) {
        self.ta.list_init(&mut self.regs);
    }

    /// One 32-byte block into the TA, words in the order of their addresses.
    pub fn ta_block(&mut self, block: &[u32; 8]) {
        self.ta_blocks(std::slice::from_ref(block));
    }

    /// Blocks into the TA one after the other, as a DMA brings them. Sooner done than by [`Self::ta_block`] for each.
    pub fn ta_blocks(&mut self, blocks: &[[u32; 8]]) {
        let mut chip = Chip {
            vram: &mut self.vram,
            regs: &mut self.regs,
            events: &mut self.events,
            warnings: &mut self.warnings,
            settings: &self.settings,
        };
        self.ta.blocks(&mut chip, blocks);
    }

    /// One 32-byte block into the YUV converter (the area from 0x10800000), words in the order of their addresses.
    ///
    /// TA_YUV_TEX_BASE, written before, says where the texture begins, TA_YUV_TEX_CTRL what it is like. The last
    /// macroblock raises [`Event::YuvDone`]; more than that are dropped with [`Warning::YuvOverrun`].
    pub fn yuv_block(&mut self, block: &[u32; 8]) {
        match self.yuv.block(&mut self.regs, &mut self.vram, block) {
            Received::More => {}
            Received::Whole => self.events.raise(Event::YuvDone),
            Received::Dropped => self.warnings.add(Warning::YuvOverrun),
        }
    }

    pub(crate) fn raise(&mut self, event: Event) {
        self.events.raise(event);
    }

    pub(crate) fn warn(&mut self, warning: Warning) {
        self.warnings.add(warning);
    }

    /// STARTRENDER: draws the region array into the framebuffer with `threads` threads (at least one). The
    /// pixels do not depend on their number.
    pub fn render(&mut self, threads: usize) -> RenderStats {
        let (stats, _) = self.start_render().fast(threads, None);
        self.end_render();
        stats
    }

    /// As [`Self::render`]; where that can be done in passing the frame is shown on a screen, and the answer is true.
    pub(crate) fn render_on(&mut self, threads: usize, screen: Screen<'_>) -> (RenderStats, bool) {
        let drawn = self.start_render().fast(threads, Some(screen));
        self.end_render();
        drawn
    }

    /// STARTRENDER by the definition of the chip, pixel by pixel on one thread, with the same result as [`Self::render`]. The
    /// probe sees what happens; `&mut ()` looks at nothing.
    pub fn render_probed(&mut self, probe: &mut impl Probe) -> RenderStats {
        let stats = self.start_render().scalar(probe);
        self.end_render();
        stats
    }

    /// Shows a probe what STARTRENDER would do at one pixel of the screen, and changes nothing.
    pub fn inspect(&self, x: u32, y: u32, probe: &mut impl Probe) {
        let Self {
            vram, regs, settings, ..
        } = self;
        core::inspect(Source { vram, regs, settings }, x, y, probe);
    }

    fn start_render(&mut self) -> Render<'_> {
        Render {
            vram: &mut self.vram,
            regs: &self.regs,
            settings: &self.settings,
            kept: &mut self.kept,
            warnings: &mut self.warnings,
        }
    }

    fn end_render(&mut self) {
        for event in [Event::IspDone, Event::TspDone, Event::RenderDone] {
            self.events.raise(event);
        }
    }

    /// The TA list that is open: its end of list parameter has not come yet.
    pub fn open_list(&self) -> Option<ListType> {
        self.ta.open_list()
    }

    /// Events raised so far.
    pub fn events(&self) -> Events {
        self.events
    }

    /// Events raised so far, cleared as a program acknowledges them.
    pub fn take_events(&mut self) -> Events {
        std::mem::take(&mut self.events)
    }

    /// Warnings so far, each once.
    pub fn warnings(&self) -> &[Warning] {
        self.warnings.as_slice()
    }

    /// Forgets the warnings.
    pub fn clear_warnings(&mut self) {
        self.warnings.clear();
    }

    /// Changes the switches. What the tile accelerator has stored already stays as it is.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// The switches.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Lanes;
    use crate::param::*;
    use crate::{Frame, end_of_list, polygon_header, vertex};

    /// A number below `n`.
    fn below(state: &mut u32, n: u32) -> f32 {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((*state >> 8) % n) as f32
    }

    /// Textured triangles of a list, on and across each other.
    fn triangles(frame: &mut Frame, list: ListType, tcw: TextureWord, state: &mut u32) {
        let isp = IspWord(0).with_depth_mode(DepthMode::GreaterEqual);
        for n in 0..30 {
            let tsp = TspWord(0)
                .with_src(BlendFactor::SrcAlpha)
                .with_dst([BlendFactor::InverseSrcAlpha, BlendFactor::One][n / 5 % 2])
                .with_fog(FogMode::None)
                .with_use_alpha(true)
                .with_filter([Filter::Bilinear, Filter::Point][n % 2])
                .with_shading([Shading::ModulateAlpha, Shading::DecalAlpha, Shading::Decal][n % 3])
                .with_size(16, 16);
            let flags = PolygonFlags {
                gouraud: n % 4 != 0,
                offset: n % 5 == 0,
                ..PolygonFlags::default()
            };
            frame.block(&polygon_header(list, isp, tsp, Some(tcw), flags));
            for corner in 0..3 {
                let [x, y, z] = [90, 70, 100].map(|n| below(state, n));
                let uv = [below(state, 64), below(state, 64)].map(|at| at / 16.0 - 1.0);
                let [base, offset] =
                    [0, 1].map(|_| Argb((below(state, 0xFF_FFFF) as u32).wrapping_mul(0x101)));
                frame.block(&vertex(corner == 2, [x, y, 0.5 + z], uv, base, offset));
            }
        }
        frame.block(&end_of_list());
    }

    #[test]
    fn all_lanes_draw_what_the_definition_draws() {
        let mut state = 1;
        let mut frame = Frame::new(96, 64, Settings::default()).expect("size");
        let texels: Vec<u8> = (0..512).map(|_| below(&mut state, 256) as u8).collect();
        let address = frame.upload_texture(&texels, 8).expect("space");
        let tcw = TextureWord(0)
            .with_format(PixelFormat::Argb4444)
            .with_address(address);
        for list in [ListType::Opaque, ListType::Translucent, ListType::PunchThrough] {
            triangles(&mut frame, list, tcw, &mut state);
        }
        frame.render_probed(&mut ()).expect("render");
        let defined = frame.pvr().vram.bytes64();
        let shaded = frame.stats().shaded;
        assert!([0, 2, 4].iter().all(|&list| shaded[list] > 1000), "{shaded:?}");
        for lanes in Lanes::available() {
            let chip = frame.pvr_mut();
            chip.kept.lanes = lanes;
            chip.vram.fill32(chip.regs.get(reg::FB_W_SOF1), 96 * 64 * 4, 0);
            frame.render(1).expect("render");
            assert!(frame.pvr().vram.bytes64() == defined, "{lanes:?}");
        }
    }
}
