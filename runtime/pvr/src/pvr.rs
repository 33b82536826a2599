//! The chip, with the interface for a console.

use crate::core::{self, Render, RenderScratch, RenderStats, Screen, Source};
use crate::effect::Effect;
use crate::event::{Event, Events, Warning, Warnings};
use crate::param::ListType;
use crate::probe::Probe;
use crate::regs::{OL_POINTERS, Registers, reg};
use crate::settings::Settings;
use crate::ta::{Chip, Ta};
use crate::vram::Vram;
use crate::yuv::{Received, Yuv};

/// Size in bytes of a burst into the TA or the YUV converter.
const BURST: usize = 32;

/// Number of blocks converted from bytes at a time.
const BATCH: usize = 64;

/// The chip without its clocks: memory, registers, tile accelerator, YUV converter, core and video output.
///
/// The console is responsible for time and interrupts. It uses this interface:
///
/// | access | call |
/// |---|---|
/// | registers 005F8000 to 005F9FFF | [`Self::read_register`], [`Self::write_register`] → [`Effect`] |
/// | video memory 04000000, 05000000 | [`Self::vram`], [`Self::vram_mut`] with the [`crate::Area`] |
/// | polygon FIFO 10000000 | [`Self::write_ta`] |
/// | YUV converter 10800000 | [`Self::write_yuv`] |
/// | textures through the TA 11000000 | [`Vram::write_bytes`] with the area that LMMODE0 or LMMODE1 selects |
/// | interrupts of the TA and the converter | [`Self::take_events`] after each of these calls |
/// | [`Effect::StartRender`] | [`Self::render_with`] on a copy of [`Self::registers`] made at the write |
/// | image on the screen | [`Self::scan_out`] on a copy made when the display latches its addresses |
///
/// The behaviour does not depend on the number of threads or on the host. No input causes a panic.
///
/// Example: a frame of 32x32 pixels with register writes, from TA input to the bytes of a PNG file.
///
/// ```
/// use pvr::{Area, Border, Effect, Event, Field, Pvr, Settings, reg};
///
/// let mut pvr = Pvr::new(Settings::default());
/// for (offset, value) in [
///     (reg::TA_GLOB_TILE_CLIP, 0),      // 1x1 tiles
///     (reg::TA_ALLOC_CTRL, 1),          // opaque list: blocks of 8 words
///     (reg::TA_ISP_BASE, 0x0000),       // parameters
///     (reg::TA_ISP_LIMIT, 0x1000),
///     (reg::TA_OL_BASE, 0x1000),        // object lists
///     (reg::TA_OL_LIMIT, 0x2000),
///     (reg::TA_NEXT_OPB_INIT, 0x1020),
///     (reg::TA_LIST_INIT, 0x8000_0000),
/// ] {
///     pvr.write_register(offset, value);
/// }
/// let corner = |pcw, x: f32, y: f32| {
///     [pcw, x.to_bits(), y.to_bits(), 1.0f32.to_bits(), 0, 0, 0xFFFF_8000, 0]
/// };
/// for block in [
///     // Opaque polygon without texture; depth always; source one, destination zero, no fog.
///     [0x8000_0000, 0xE000_0000, 0x2080_0000, 0, 0, 0, 0, 0],
///     corner(0xE000_0000, 0.0, 0.0),
///     corner(0xE000_0000, 32.0, 0.0),
///     corner(0xF000_0000, 0.0, 32.0),
///     [0; 8], // end of list
/// ] {
///     pvr.write_ta(&block.map(u32::to_le_bytes).concat());
/// }
/// assert!(pvr.take_events().has(Event::OpaqueDone));
///
/// // One region entry: the last, tile (0, 0), its opaque list, no others. The background at 3000 is all zeros.
/// for (n, word) in (0..).zip([0x8000_0000, 0x1000, 1 << 31, 1 << 31, 1 << 31]) {
///     pvr.vram_mut().write32(Area::Bits32, 0x2000 + 4 * n, word);
/// }
/// for (offset, value) in [
///     (reg::REGION_BASE, 0x2000),
///     (reg::ISP_BACKGND_T, 1 << 24 | (0x3000 / 4) << 3),
///     (reg::FB_W_CTRL, 1),              // 565
///     (reg::FB_W_LINESTRIDE, 32 * 2 / 8),
///     (reg::FB_W_SOF1, 0x4000),
///     (reg::FB_X_CLIP, 31 << 16),
///     (reg::FB_Y_CLIP, 31 << 16),
/// ] {
///     pvr.write_register(offset, value);
/// }
/// assert_eq!(pvr.write_register(reg::STARTRENDER, 1), Effect::StartRender);
/// let latched = pvr.registers().clone();
/// let stats = pvr.render_with(&latched, 2);
/// assert_eq!((stats.tiles, stats.tile_triangles()), (1, 1));
///
/// for (offset, value) in [
///     (reg::FB_R_CTRL, 1 << 2 | 1),     // 565, on
///     (reg::FB_R_SIZE, 1 << 20 | 31 << 10 | 15), // no gap, 32 lines, 16 words a line
///     (reg::FB_R_SOF1, 0x4000),
///     (reg::VO_CONTROL, 0),
/// ] {
///     pvr.write_register(offset, value);
/// }
/// let picture = pvr.scan_out(pvr.registers(), Field::Both, Border::None);
/// assert_eq!(picture.rgba[..4], [248, 128, 0, 255]);
///
/// let mut file = Vec::new();
/// let mut encoder = png::Encoder::new(&mut file, picture.width, picture.height);
/// encoder.set_color(png::ColorType::Rgba);
/// encoder.write_header()?.write_image_data(&picture.rgba)?;
/// assert!(file.starts_with(b"\x89PNG"));
/// # Ok::<(), png::EncodingError>(())
/// ```
#[derive(Debug)]
pub struct Pvr {
    pub(crate) vram: Vram,
    pub(crate) regs: Registers,
    settings: Settings,
    events: Events,
    warnings: Warnings,
    ta: Ta,
    yuv: Yuv,
    scratch: RenderScratch,
}

// A saved state does not contain the fields in `keep`: the owner of the chip transfers the memory, and the
// others are settings, messages and caches.
state::fields!(Pvr { regs, events, ta, yuv } keep { vram, settings, warnings, scratch });

impl Pvr {
    /// Creates a chip after reset, with zeroed memory.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            vram: Vram::new(),
            regs: Registers::new(),
            settings,
            events: Events::default(),
            warnings: Warnings::default(),
            ta: Ta::new(),
            yuv: Yuv::default(),
            scratch: RenderScratch::default(),
        }
    }

    /// A copy of the chip for [`Self::swap_memory`]: it has no memory, and its caches are empty.
    #[must_use]
    pub fn without_memory(&self) -> Self {
        Self {
            vram: Vram::absent(),
            regs: self.regs.clone(),
            settings: self.settings,
            events: self.events,
            warnings: self.warnings.clone(),
            ta: self.ta.clone(),
            yuv: self.yuv.clone(),
            scratch: RenderScratch::default(),
        }
    }

    /// Exchanges the memory with another chip.
    pub fn swap_memory(&mut self, other: &mut Self) {
        std::mem::swap(&mut self.vram, &mut other.vram);
        self.scratch.forget_textures();
        other.scratch.forget_textures();
    }

    /// Sets the chip to the state after reset. Written memory is filled with `fill`; settings do not change.
    /// The time depends on the number of written pages, so this is faster than creating a chip.
    pub fn reset(&mut self, fill: u8) {
        self.vram.refill(fill);
        self.regs = Registers::new();
        self.events = Events::default();
        self.warnings.clear();
        self.ta = Ta::new();
        self.yuv = Yuv::default();
        self.scratch.forget_textures();
    }

    /// Returns the video memory.
    #[must_use]
    pub fn vram(&self) -> &Vram {
        &self.vram
    }

    /// Returns the video memory for writing.
    #[inline]
    pub fn vram_mut(&mut self) -> &mut Vram {
        &mut self.vram
    }

    /// Returns the values of all registers.
    #[must_use]
    pub fn registers(&self) -> &Registers {
        &self.regs
    }

    /// Reads the register at a byte offset from 005F8000. SPG_STATUS, SPG_TRIGGER_POS and FB_C_SOF depend on
    /// time and read 0 here: the console must supply their values.
    #[must_use]
    pub fn read_register(&self, offset: u32) -> u32 {
        let pointer = (offset & 0x1FFC).wrapping_sub(reg::TA_OL_POINTERS) / 4;
        if (pointer as usize) < OL_POINTERS {
            return self.ta.object_list_pointer(pointer as usize);
        }
        self.regs.get(offset)
    }

    /// Writes the register at a byte offset from 005F8000 and returns the effect.
    ///
    /// The chip itself handles TA_LIST_INIT, TA_LIST_CONT, TA_YUV_TEX_BASE and the TA bit of SOFTRESET. On
    /// [`Effect::StartRender`] the YUV converter starts a texture, and the caller must render, now or later.
    pub fn write_register(&mut self, offset: u32, value: u32) -> Effect {
        let offset = offset & 0x1FFC;
        self.regs.set(offset, value);
        let effect = Effect::of(offset, value);
        match effect {
            Effect::SoftReset(bits) if bits & 1 != 0 => self.ta.soft_reset(),
            Effect::ListInit => self.ta.list_init(&mut self.regs),
            Effect::ListContinue => self.ta.list_continue(&self.regs),
            Effect::YuvStart | Effect::StartRender => self.yuv.start(&mut self.regs),
            _ => {}
        }
        effect
    }

    /// Writes complete 32-byte bursts into the polygon FIFO of the TA. A frame's lists may be split over any
    /// number of calls.
    ///
    /// Between calls, TA_ITP_CURRENT, TA_NEXT_OPB and TA_OL_POINTERS read the TA's current positions.
    /// [`Self::take_events`] returns the closed lists and exceeded limits. A last burst of less than 32 bytes
    /// is dropped with [`Warning::PartialBurst`].
    pub fn write_ta(&mut self, bytes: &[u8]) {
        self.each_batch(bytes, Self::ta_blocks);
    }

    /// Writes blocks of eight words, like [`Self::write_ta`].
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

    /// Writes complete 32-byte bursts into the YUV converter.
    ///
    /// TA_YUV_TEX_BASE gives the address of the texture, TA_YUV_TEX_CTRL its format, and TA_YUV_TEX_CNT
    /// counts its macroblocks. The last macroblock raises [`Event::YuvDone`]. The setting `yuv_restart`
    /// defines the effect of further input.
    pub fn write_yuv(&mut self, bytes: &[u8]) {
        self.each_batch(bytes, |chip, blocks| {
            blocks.iter().for_each(|block| chip.yuv_block(block));
        });
    }

    fn yuv_block(&mut self, block: &[u32; 8]) {
        let restart = self.settings.yuv_restart;
        match self.yuv.block(&mut self.regs, &mut self.vram, restart, block) {
            Received::More => {}
            Received::Whole => self.events.raise(Event::YuvDone),
            Received::Dropped => self.warnings.add(Warning::YuvOverrun),
        }
    }

    /// Passes bursts on as blocks of words, in address order.
    fn each_batch(&mut self, bytes: &[u8], mut take: impl FnMut(&mut Self, &[[u32; 8]])) {
        let (bursts, rest) = bytes.as_chunks::<BURST>();
        let mut blocks = [[0; 8]; BATCH];
        for bursts in bursts.chunks(BATCH) {
            for (block, burst) in blocks.iter_mut().zip(bursts) {
                for (word, bytes) in block.iter_mut().zip(burst.as_chunks::<4>().0) {
                    *word = u32::from_le_bytes(*bytes);
                }
            }
            take(self, &blocks[..bursts.len()]);
        }
        if !rest.is_empty() {
            self.warnings.add(Warning::PartialBurst);
        }
    }

    pub(crate) fn raise(&mut self, event: Event) {
        self.events.raise(event);
    }

    pub(crate) fn warn(&mut self, warning: Warning) {
        self.warnings.add(warning);
    }

    /// Draws the region array into the framebuffer or a texture in memory, with the current registers.
    ///
    /// Uses `threads` threads, 1 to 8; the number does not affect the pixels. Raises no event: the caller
    /// knows when [`Event::IspDone`], [`Event::TspDone`] and [`Event::RenderDone`] are due.
    pub fn render(&mut self, threads: usize) -> RenderStats {
        self.start_render().fast(threads, None).0
    }

    /// Renders like [`Self::render`], with a copy of the registers that was made earlier. The chip latches
    /// registers at STARTRENDER, and programs then write the next frame's values.
    pub fn render_with(&mut self, registers: &Registers, threads: usize) -> RenderStats {
        let render = Render {
            regs: registers,
            ..self.start_render()
        };
        render.fast(threads, None).0
    }

    /// Renders like [`Self::render`]. If one batch contains the whole frame, also copies it to a screen;
    /// returns whether it did.
    pub(crate) fn render_on(&mut self, threads: usize, screen: Option<Screen<'_>>) -> (RenderStats, bool) {
        self.start_render().fast(threads, screen)
    }

    /// Sets the first row of tiles of the tile matrix from the next TA_LIST_INIT on. The chip itself cannot
    /// do this.
    pub(crate) fn set_first_tile_row(&mut self, row: u32) {
        self.ta.set_first_row(row);
    }

    /// Renders like [`Self::render`], but with the reference renderer: pixel by pixel on one thread. The
    /// probe receives each step; `&mut ()` ignores them.
    pub fn render_probed(&mut self, probe: &mut impl Probe) -> RenderStats {
        self.start_render().scalar(probe)
    }

    /// Reports to a probe the work of a render at one pixel of the screen, without changing state.
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
            scratch: &mut self.scratch,
            warnings: &mut self.warnings,
        }
    }

    /// Returns the open TA list, which has not received its end of list parameter.
    #[must_use]
    pub fn open_list(&self) -> Option<ListType> {
        self.ta.open_list()
    }

    /// True if a list was opened since TA_LIST_INIT, so that its object blocks belong to this frame.
    #[must_use]
    pub fn has_list(&self, list: ListType) -> bool {
        self.ta.was_opened(list)
    }

    /// Returns the events raised since [`Self::take_events`].
    #[must_use]
    pub fn events(&self) -> Events {
        self.events
    }

    /// Returns the raised events and clears them.
    pub fn take_events(&mut self) -> Events {
        std::mem::take(&mut self.events)
    }

    /// Returns the warnings since [`Self::clear_warnings`], each once.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        self.warnings.as_slice()
    }

    /// Removes the warnings.
    pub fn clear_warnings(&mut self) {
        self.warnings.clear();
    }

    /// Changes the settings. Data that the tile accelerator has stored do not change.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = settings;
    }

    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Lanes;
    use crate::param::*;
    use crate::vram::{Area, VRAM_BYTES};
    use crate::{Frame, end_of_list, polygon_header, vertex};

    /// Returns a number below `n`.
    fn below(state: &mut u32, n: u32) -> f32 {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((*state >> 8) % n) as f32
    }

    /// Random overlapping textured triangles of a list.
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

    /// A reset chip has the memory and the registers of a new one.
    #[test]
    fn reset_restores_memory_and_registers() {
        let mut pvr = Pvr::new(Settings::default());
        pvr.vram_mut().write32(Area::Bits64, 0x1234, 5);
        pvr.vram_mut().write_bytes(Area::Bits32, 0x7F_FFF0, &[1; 64]);
        pvr.write_register(crate::reg::FB_W_CTRL, 3);
        pvr.write_yuv(&[7; 3]);
        pvr.reset(0);
        let new = Pvr::new(Settings::default());
        assert!(pvr.vram().bytes() == new.vram().bytes());
        assert_eq!(pvr.registers(), new.registers());
        assert!(pvr.warnings().is_empty());
        assert_eq!(pvr.vram().written_ranges().count(), 0);
        pvr.vram_mut().write8(Area::Bits32, 5, 6);
        pvr.reset(0x80);
        assert_eq!(pvr.vram().bytes()[..2048], [0x80; 2048]);
        assert_eq!(pvr.vram().bytes()[2048], 0);
    }

    #[test]
    fn all_lanes_draw_what_the_reference_draws() {
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
        let defined = frame.pvr().vram.to_vec(Area::Bits64, 0, VRAM_BYTES);
        let shaded = frame.stats().shaded;
        assert!([0, 2, 4].iter().all(|&list| shaded[list] > 1000), "{shaded:?}");
        for lanes in Lanes::available() {
            let chip = frame.pvr_mut();
            chip.scratch.lanes = lanes;
            let start = chip.regs.get(reg::FB_W_SOF1);
            chip.vram.fill(Area::Bits32, start, 96 * 64 * 4, 0);
            frame.render(1).expect("render");
            assert!(
                frame.pvr().vram.to_vec(Area::Bits64, 0, VRAM_BYTES) == defined,
                "{lanes:?}"
            );
        }
    }
}
