//! Frames without a console: lays out memory, feeds lists, starts the render, reads the pixels.
//!
//! Memory (32-bit area): bank 0 holds parameters from its start; bank 1 holds the region array, the
//! background, the object lists and the framebuffer from its start. Textures are laid from the end of memory
//! downwards in the 64-bit area, that is at the ends of both banks, so what textures leave free is room for
//! parameters.

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
use layout::{BAND, BANK1, Layout, OVERFLOW};
use std::ops::Range;

/// Largest framebuffer: FB_X_CLIP has 11 bits, FB_Y_CLIP 10.
const MAX_SIZE: (u32, u32) = (2048, 1024);
/// Rows of tiles of the largest tile matrix of TA_GLOB_TILE_CLIP, 64 x 16.
const MAX_ROWS: u32 = 16;
/// TA_ALLOC_CTRL: blocks of [`layout::BLOCK`] bytes in every list.
const ALLOC: u32 = 0x0003_3333;
/// Parameters have at least this much room, however many textures there are.
const MIN_PARAMETERS: u32 = 512 << 10;

/// A picture: rows from the top, four bytes R, G, B, A a pixel.
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
    /// Rows of tiles that the tile accelerator bins at once.
    part_rows: u32,
    /// The blocks of a frame that is drawn in parts, for the tile accelerator to take once for each part.
    blocks: Vec<[u32; 8]>,
    layout: Layout,
    /// First byte of the textures in the 64-bit area.
    textures: u32,
    background: (Argb, f32),
    presort: bool,
    stats: RenderStats,
}

impl Frame {
    /// Memory for frames of `width` x `height` pixels, ready for the first lists; the background is black.
    ///
    /// # Errors
    /// [`FrameError::Size`] unless the size is 1x1 to 2048x1024, the limits of the framebuffer's clip.
    /// (Beyond 992 pixels of width a frame is drawn in bands, as lines of the framebuffer cannot be longer,
    /// and beyond 512 pixels of height in parts: see [`Self::in_parts`].)
    pub fn new(width: u32, height: u32, settings: Settings) -> Result<Self, FrameError> {
        Self::in_parts(width, height, MAX_ROWS, settings)
    }

    /// As [`Self::new`], drawn in parts of `rows` rows of tiles, at most the 16 of the tile accelerator.
    ///
    /// A program on the console would draw each part with vertices that are moved up. That rounds them
    /// anew. Here the tile matrix is moved down instead, which the chip cannot do, so that the parts together
    /// are, bit for bit, what one tile matrix would give that is as high as the frame. Lists have to come by
    /// [`Self::block`] or [`Self::blocks`]: the tile accelerator takes them once for each part.
    ///
    /// # Errors
    /// As [`Self::new`].
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
        // Every alpha passes unless a program says otherwise.
        frame.pvr.write_register(reg::PT_ALPHA_REF, 0);
        frame.begin();
        Ok(frame)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Starts the next frame: lists, parameters and warnings are gone, textures and registers stay.
    pub fn begin(&mut self) {
        self.blocks.clear();
        self.pvr.clear_warnings();
        self.start_lists(&(0..self.part_rows));
    }

    /// Whether the tile accelerator takes the blocks several times.
    fn has_parts(&self) -> bool {
        self.part_rows < self.height.div_ceil(32)
    }

    /// Makes the tile accelerator ready for a part.
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
            (reg::TA_OL_LIMIT, self.layout.framebuffer & !31),
            (reg::TA_NEXT_OPB_INIT, self.layout.overflow),
        ] {
            self.pvr.write_register(offset, value);
        }
        self.pvr.take_events();
        self.pvr.write_register(reg::TA_LIST_INIT, 1 << 31);
    }

    /// Copies a texture in hardware layout (twiddled, VQ codebook first and so on) into memory and returns
    /// its address in the 64-bit area, for [`crate::TextureWord::with_address`]. `align` in bytes is raised
    /// to 8.
    ///
    /// # Errors
    /// [`FrameError::TextureSpace`] if it does not fit, [`FrameError::Alignment`] if `align` is no power of
    /// two.
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
        let limit = self.parameter_limit();
        self.pvr.regs.set(reg::TA_ISP_LIMIT, limit);
        Ok(address)
    }

    /// Bytes of video memory that textures can still have.
    pub fn free_texture_bytes(&self) -> usize {
        self.textures.saturating_sub(self.texture_bottom()) as usize
    }

    /// Lowest address that a texture can have.
    fn texture_bottom(&self) -> u32 {
        let end = (self.layout.end - BANK1).max(self.parameters_used());
        end.next_multiple_of(4) * 2
    }

    /// Frees all textures; their addresses are given out again.
    pub fn clear_textures(&mut self) {
        self.textures = VRAM_BYTES as u32;
    }

    /// Bytes of bank 0 that parameters may have.
    fn parameter_limit(&self) -> u32 {
        (self.textures / 2).min(BANK1) & !31
    }

    fn parameters_used(&self) -> u32 {
        self.pvr.regs.get(reg::TA_ITP_CURRENT).max(MIN_PARAMETERS)
    }

    /// Colour of what no polygon covers.
    pub fn set_background(&mut self, colour: Argb) {
        self.background.0 = colour;
    }

    /// Depth (1/W) of the background, 0 unless set: polygons behind it are hidden.
    pub fn set_background_depth(&mut self, depth: f32) {
        self.background.1 = depth;
    }

    /// Whether translucent polygons are drawn in the order they come instead of sorted by depth at each
    /// pixel.
    pub fn set_presort(&mut self, presort: bool) {
        self.presort = presort;
    }

    /// One 32-byte block of TA input. Lists may come in any order, each once a frame.
    pub fn block(&mut self, block: &[u32; 8]) {
        self.blocks(std::slice::from_ref(block));
    }

    /// As [`Self::block`] for each of the blocks, and sooner done.
    pub fn blocks(&mut self, blocks: &[[u32; 8]]) {
        if self.has_parts() {
            self.blocks.extend_from_slice(blocks);
        }
        self.pvr.ta_blocks(blocks);
    }

    /// Draws what the lists hold, with `threads` threads; the pixels do not depend on their number. May be
    /// called again, and draws the same.
    ///
    /// # Errors
    /// If a list is still open, if parameters or object lists had no room, or if the TA met an illegal
    /// parameter.
    pub fn render(&mut self, threads: usize) -> Result<Image, FrameError> {
        let mut image = Image::default();
        self.render_into(threads, &mut image)?;
        Ok(image)
    }

    /// As [`Self::render`], into an image that is there already, for its memory; it may be of any size.
    ///
    /// # Errors
    /// As [`Self::render`]; the image is as it was.
    pub fn render_into(&mut self, threads: usize, image: &mut Image) -> Result<(), FrameError> {
        self.render_by(image, |pvr, screen| pvr.render_on(threads, screen))
    }

    /// As [`Self::render`] with the same result, by [`Pvr::render_probed`]: slowly, with a probe looking on.
    ///
    /// # Errors
    /// As [`Self::render`].
    pub fn render_probed(&mut self, probe: &mut impl Probe) -> Result<Image, FrameError> {
        let mut image = Image::default();
        self.render_by(&mut image, |pvr, _| (pvr.render_probed(probe), false))?;
        Ok(image)
    }

    /// `render` draws, and tells whether the frame is on the screen already.
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

    /// Draws some rows of tiles, whose lists are there.
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
            // A screen is drawn from its first line on.
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
            return Err(FrameError::ObjectLists { limit: OVERFLOW });
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

    /// Counts of the last render.
    pub fn stats(&self) -> &RenderStats {
        &self.stats
    }

    /// Warnings since [`Self::begin`].
    pub fn warnings(&self) -> &[Warning] {
        self.pvr.warnings()
    }

    /// The chip.
    pub fn pvr(&self) -> &Pvr {
        &self.pvr
    }

    /// The chip, for registers that a frame does not set (palette, fog, PT_ALPHA_REF, FPU_CULL_VAL and so
    /// on).
    pub fn pvr_mut(&mut self) -> &mut Pvr {
        &mut self.pvr
    }
}
