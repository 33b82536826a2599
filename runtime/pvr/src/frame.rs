//! Frames without a console: this module lays out memory, sends lists, starts the render, and reads the
//! pixels.
//!
//! Memory layout (32-bit area): bank 0 contains parameters from its start. Bank 1 contains the region array,
//! the background, the first object block of each tile, the framebuffer and the other object blocks from its
//! start. Textures are placed from the end of memory downwards in the 64-bit area, which is at the ends of
//! both banks. Memory without textures is available for parameters and object blocks.

mod error;
mod layout;
mod setup;

use crate::core::{RenderStats, Screen, show_line};
use crate::event::{Event, Events, Warning};
use crate::param::Argb;
use crate::probe::Probe;
use crate::pvr::Pvr;
use crate::regs::reg;
use crate::settings::Settings;
use crate::vram::{Area, VRAM_BYTES};
pub use error::FrameError;
use layout::{BAND, BANK1, Layout};
use std::ops::Range;

/// Maximum framebuffer size: FB_X_CLIP has 11 bits, FB_Y_CLIP 10.
const MAX_SIZE: (u32, u32) = (2048, 1024);
/// Number of tile rows of the largest tile matrix of TA_GLOB_TILE_CLIP, 64 x 16.
const MAX_ROWS: u32 = 16;
/// TA_ALLOC_CTRL: blocks of [`layout::BLOCK`] bytes in every list.
const ALLOC: u32 = 0x0003_3333;
/// Minimum space for parameters in bytes; textures cannot use it.
const MIN_PARAMETERS: u32 = 512 << 10;

/// An image: rows from the top, four bytes R, G, B, A per pixel.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Image {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `width * height * 4` bytes. A is 255: the video output has no alpha.
    pub rgba: Vec<u8>,
}

/// A chip with memory laid out for frames of one size.
#[derive(Debug)]
pub struct Frame {
    pvr: Pvr,
    width: u32,
    height: u32,
    /// Number of tile rows that the tile accelerator bins at once.
    part_rows: u32,
    /// Blocks of a frame drawn in parts; the tile accelerator receives them once for each part.
    blocks: Vec<[u32; 8]>,
    layout: Layout,
    /// First byte of the textures in the 64-bit area.
    textures: u32,
    background: (Argb, f32),
    presort: bool,
    stats: RenderStats,
}

impl Frame {
    /// Creates memory for frames of `width` x `height` pixels, ready for the first lists. The background is
    /// black.
    ///
    /// # Errors
    /// [`FrameError::Size`] unless the size is 1x1 to 2048x1024, the limits of the framebuffer's clip. Frames
    /// wider than 992 pixels are drawn in bands, because framebuffer lines cannot be longer. Frames higher
    /// than 512 pixels are drawn in parts: see [`Self::in_parts`].
    pub fn new(width: u32, height: u32, settings: Settings) -> Result<Self, FrameError> {
        Self::in_parts(width, height, MAX_ROWS, settings)
    }

    /// Creates a frame like [`Self::new`], drawn in parts of `rows` tile rows, at most the 16 of the tile
    /// accelerator.
    ///
    /// A program on the console would draw each part with vertices moved up, which rounds them again. Here
    /// the tile matrix moves down instead, which the chip cannot do. The parts together are therefore
    /// bit-identical to the result of one tile matrix with the height of the frame. Lists must be sent with
    /// [`Self::block`] or [`Self::blocks`]: the tile accelerator receives them once for each part.
    ///
    /// # Errors
    /// Fails under the conditions of [`Self::new`].
    pub fn in_parts(width: u32, height: u32, rows: u32, settings: Settings) -> Result<Self, FrameError> {
        if width == 0 || height == 0 || width > MAX_SIZE.0 || height > MAX_SIZE.1 {
            return Err(FrameError::Size { width, height });
        }
        let part_rows = rows.clamp(1, MAX_ROWS).min(height.div_ceil(32));
        let layout = Layout::new((width.div_ceil(32), part_rows));
        let mut frame = Self {
            pvr: Pvr::new(settings),
            width,
            height,
            part_rows,
            blocks: Vec::new(),
            layout,
            textures: VRAM_BYTES as u32,
            background: (Argb(0xFF00_0000), 0.0),
            presort: false,
            stats: RenderStats::default(),
        };
        // By default every alpha passes.
        frame.pvr.write_register(reg::PT_ALPHA_REF, 0);
        frame.begin();
        Ok(frame)
    }

    /// Returns width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Starts the next frame: removes lists, parameters and warnings, keeps textures and registers.
    pub fn begin(&mut self) {
        self.blocks.clear();
        self.pvr.clear_warnings();
        self.start_lists(&(0..self.part_rows));
    }

    /// Halves the tile rows that the tile accelerator bins at once, after an overflow, and starts the frame
    /// anew as [`Self::begin`] does. Returns false if only one row is binned at once.
    pub fn split(&mut self) -> bool {
        if self.part_rows == 1 {
            return false;
        }
        self.part_rows = self.part_rows.div_ceil(2);
        self.layout = Layout::new((self.width.div_ceil(32), self.part_rows));
        self.begin();
        true
    }

    /// Number of parts in which the frame is drawn.
    pub fn parts(&self) -> u32 {
        self.height.div_ceil(32).div_ceil(self.part_rows)
    }

    /// Returns the error if the lists sent until now overflowed.
    pub fn overflow(&self) -> Option<FrameError> {
        self.check(self.pvr.events())
            .err()
            .filter(FrameError::is_overflow)
    }

    /// True if the tile accelerator receives the blocks several times.
    fn has_parts(&self) -> bool {
        self.part_rows < self.height.div_ceil(32)
    }

    /// Prepares the tile accelerator for a part.
    fn start_lists(&mut self, part: &Range<u32>) {
        let (columns, rows) = (self.width.div_ceil(32), part.end - part.start);
        self.pvr.set_first_tile_row(part.start);
        let limit = self.parameter_limit();
        for (offset, value) in [
            (reg::TA_GLOB_TILE_CLIP, (rows - 1) << 16 | (columns - 1)),
            (reg::TA_ALLOC_CTRL, ALLOC),
            (reg::TA_ISP_BASE, 0),
            (reg::TA_ISP_LIMIT, limit),
            (reg::TA_OL_BASE, self.layout.lists),
            (reg::TA_OL_LIMIT, self.list_limit()),
            (reg::TA_NEXT_OPB_INIT, self.layout.overflow),
        ] {
            self.pvr.write_register(offset, value);
        }
        self.pvr.take_events();
        self.pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
    }

    /// Copies a texture in hardware layout (twiddled, VQ codebook first and so on) into memory. Returns its
    /// address in the 64-bit area, for [`crate::TextureWord::with_address`]. `align` is in bytes; values
    /// below 8 are raised to 8.
    ///
    /// # Errors
    /// [`FrameError::TextureSpace`] if it does not fit; [`FrameError::Alignment`] if `align` is not a power
    /// of two.
    pub fn upload_texture(&mut self, bytes: &[u8], align: u32) -> Result<u32, FrameError> {
        if align != 0 && !align.is_power_of_two() {
            return Err(FrameError::Alignment(align));
        }
        let bottom = self.texture_bottom();
        let free = self.textures.saturating_sub(bottom);
        let address = u32::try_from(bytes.len())
            .ok()
            .and_then(|len| self.textures.checked_sub(len));
        let address = address.map(|a| a & !(align.max(8) - 1)).filter(|&a| a >= bottom);
        let Some(address) = address else {
            return Err(FrameError::TextureSpace {
                bytes: bytes.len(),
                free: free as usize,
            });
        };
        self.pvr.vram.write_bytes(Area::Bits64, address, bytes);
        self.textures = address;
        let [parameters, lists] = [self.parameter_limit(), self.list_limit()];
        self.pvr.regs.set(reg::TA_ISP_LIMIT, parameters);
        self.pvr.regs.set(reg::TA_OL_LIMIT, lists);
        Ok(address)
    }

    /// Bytes of video memory available for textures. The lists sent until now keep their memory.
    pub fn free_texture_bytes(&self) -> usize {
        self.textures.saturating_sub(self.texture_bottom()) as usize
    }

    /// Lowest possible address of a texture.
    fn texture_bottom(&self) -> u32 {
        let lists = self.pvr.regs.get(reg::TA_NEXT_OPB).max(self.layout.end) - BANK1;
        let end = lists.max(self.parameters_used());
        end.next_multiple_of(4) * 2
    }

    /// Frees all textures; their addresses will be reused.
    pub fn clear_textures(&mut self) {
        self.textures = VRAM_BYTES as u32;
    }

    /// Bytes of bank 0 available for parameters.
    fn parameter_limit(&self) -> u32 {
        (self.textures / 2).min(BANK1) & !31
    }

    /// End of the memory for object blocks: the start of the textures in bank 1.
    fn list_limit(&self) -> u32 {
        BANK1 + self.parameter_limit()
    }

    fn parameters_used(&self) -> u32 {
        self.pvr.regs.get(reg::TA_ITP_CURRENT).max(MIN_PARAMETERS)
    }

    /// Sets the colour of areas without polygons.
    pub fn set_background(&mut self, colour: Argb) {
        self.background.0 = colour;
    }

    /// Sets the depth (1/W) of the background, initially 0. The background hides polygons that are farther
    /// away.
    pub fn set_background_depth(&mut self, depth: f32) {
        self.background.1 = depth;
    }

    /// Selects whether translucent polygons are drawn in order of submission instead of sorted by depth at
    /// each pixel.
    pub fn set_presort(&mut self, presort: bool) {
        self.presort = presort;
    }

    /// Sends one 32-byte block of TA input. Lists may come in any order, each once per frame.
    pub fn block(&mut self, block: &[u32; 8]) {
        self.blocks(std::slice::from_ref(block));
    }

    /// Sends blocks like [`Self::block`], but faster.
    pub fn blocks(&mut self, blocks: &[[u32; 8]]) {
        if self.has_parts() {
            self.blocks.extend_from_slice(blocks);
        }
        self.pvr.ta_blocks(blocks);
    }

    /// Draws the lists with `threads` threads; the number does not affect the pixels. A repeated call draws
    /// the same frame.
    ///
    /// # Errors
    /// Fails if a list is still open, if parameters or object lists overflowed, or if the TA received an
    /// illegal parameter.
    pub fn render(&mut self, threads: usize) -> Result<Image, FrameError> {
        let mut image = Image::default();
        self.render_into(threads, &mut image)?;
        Ok(image)
    }

    /// Renders like [`Self::render`] into an existing image of any size, to reuse its memory.
    ///
    /// # Errors
    /// Fails under the conditions of [`Self::render`]. The image is then unchanged, unless the frame has
    /// parts.
    pub fn render_into(&mut self, threads: usize, image: &mut Image) -> Result<(), FrameError> {
        self.render_by(image, |pvr, screen| pvr.render_on(threads, screen))
    }

    /// Renders like [`Self::render`], but slowly with [`Pvr::render_probed`], which reports to a probe.
    ///
    /// # Errors
    /// Fails under the conditions of [`Self::render`].
    pub fn render_probed(&mut self, probe: &mut impl Probe) -> Result<Image, FrameError> {
        let mut image = Image::default();
        self.render_by(&mut image, |pvr, _| (pvr.render_probed(probe), false))?;
        Ok(image)
    }

    /// Renders with `render`, which draws and returns whether the frame is already on the screen.
    fn render_by(
        &mut self,
        image: &mut Image,
        mut render: impl FnMut(&mut Pvr, Option<Screen<'_>>) -> (RenderStats, bool),
    ) -> Result<(), FrameError> {
        if !self.has_parts() {
            self.check(self.pvr.events())?;
        }
        (image.width, image.height) = (self.width, self.height);
        image.rgba.resize((self.width * self.height * 4) as usize, 0);
        self.stats = RenderStats::default();
        let rows = self.height.div_ceil(32);
        for first in (0..rows).step_by(self.part_rows as usize) {
            let part = first..(first + self.part_rows).min(rows);
            if self.has_parts() {
                self.start_lists(&part);
                self.pvr.ta_blocks(&self.blocks);
                self.check(self.pvr.events())?;
            }
            self.render_part(&part, image, &mut render);
        }
        Ok(())
    }

    /// Draws a part of the frame, for which the tile accelerator has stored the lists.
    fn render_part(
        &mut self,
        part: &Range<u32>,
        image: &mut Image,
        render: &mut impl FnMut(&mut Pvr, Option<Screen<'_>>) -> (RenderStats, bool),
    ) {
        let events = self.pvr.events();
        self.write_background();
        let rows = part.start * 32..(part.end * 32).min(self.height);
        let columns = self.width.div_ceil(32);
        for first in (0..columns).step_by((BAND / 32) as usize) {
            let band = first..(first + BAND / 32).min(columns);
            let pixels = first * 32..(band.end * 32).min(self.width);
            self.write_regions(events, band, part.clone());
            self.set_output(&pixels, &rows);
            // A `Screen` begins at the first line of the image, so frames in parts cannot use it.
            let screen = (!self.has_parts()).then(|| Screen {
                rgba: &mut image.rgba,
                line: (self.width * 4) as usize,
                columns: [pixels.start, pixels.end].map(|x| x as usize),
            });
            let (stats, shown) = render(&mut self.pvr, screen);
            self.stats.add(&stats);
            if !shown {
                self.read(image, &pixels, &rows);
            }
        }
    }

    fn check(&self, events: Events) -> Result<(), FrameError> {
        if events.has(Event::ParameterOverflow) {
            return Err(FrameError::Parameters {
                limit: self.parameter_limit(),
            });
        }
        if events.has(Event::ListOverflow) {
            return Err(FrameError::ObjectLists {
                limit: self.list_limit().saturating_sub(self.layout.overflow),
            });
        }
        if events.has(Event::IllegalParameter) {
            return Err(FrameError::IllegalParameter);
        }
        self.pvr
            .open_list()
            .map_or(Ok(()), |list| Err(FrameError::OpenList(list)))
    }

    /// Copies the framebuffer to a part of the image.
    fn read(&self, image: &mut Image, columns: &Range<u32>, rows: &Range<u32>) {
        let bytes = self.pvr.vram.bytes();
        let line = (self.width * 4) as usize;
        let lines = image.rgba[rows.start as usize * line..rows.end as usize * line].chunks_exact_mut(line);
        for (out, y) in lines.zip(0..) {
            let from = (self.layout.framebuffer + y * self.layout.stride) as usize;
            show_line(
                &bytes[from..],
                &mut out[columns.start as usize * 4..columns.end as usize * 4],
            );
        }
    }

    /// Statistics of the last render.
    pub fn stats(&self) -> &RenderStats {
        &self.stats
    }

    /// Warnings since [`Self::begin`].
    pub fn warnings(&self) -> &[Warning] {
        self.pvr.warnings()
    }

    /// Returns the chip.
    pub fn pvr(&self) -> &Pvr {
        &self.pvr
    }

    /// Returns the chip for changing registers that a frame does not set (palette, fog, PT_ALPHA_REF,
    /// FPU_CULL_VAL and so on).
    pub fn pvr_mut(&mut self) -> &mut Pvr {
        &mut self.pvr
    }
}
