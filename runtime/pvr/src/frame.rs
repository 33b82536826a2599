//! What a program does around the chip: lays out memory, feeds lists, starts the render, reads the pixels.
//!
//! Memory (32-bit area): bank 0 holds parameters from its start; bank 1 holds the region array, the background,
//! the object lists and the framebuffer from its start. Textures are laid from the end of memory downwards in the
//! 64-bit area, that is at the ends of both banks, so what textures leave free is room for parameters.

use crate::core::{RenderStats, Screen, show_line};
use crate::event::{Event, Events, Warning};
use crate::param::{Argb, ListType};
use crate::probe::Probe;
use crate::pvr::Pvr;
use crate::regs::reg;
use crate::settings::Settings;
use crate::vram::VRAM_BYTES;

/// Largest tile matrix of TA_GLOB_TILE_CLIP: 64 x 16 tiles.
const MAX_SIZE: (u32, u32) = (2048, 512);
/// Widest band of tiles that FB_W_LINESTRIDE (511 units of 8 bytes) allows with four bytes a pixel.
const BAND: u32 = 31 * 32;
/// Start of bank 1 in the 32-bit area.
const BANK1: u32 = 0x40_0000;
/// Bytes of an object block: code 3 in every list of TA_ALLOC_CTRL.
const BLOCK: u32 = 128;
const ALLOC: u32 = 0x0003_3333;
/// Room for object blocks beyond the first of each tile.
const OVERFLOW: u32 = 768 << 10;
/// Parameters have at least this much room, however many textures there are.
const MIN_PARAMETERS: u32 = 512 << 10;
/// Bytes of a region entry of type 2.
const REGION: u32 = 24;
/// Bytes for the background's polygon.
const BACKGROUND: u32 = 64;
/// TSP word of the background: source ONE, destination ZERO, no fog, vertex alpha used.
const BACKGROUND_TSP: u32 = 0x2090_0000;

/// Why there is no frame.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The size is not one that the tile accelerator can have.
    #[error("frame is {width}x{height} pixels, must be 1x1 to 2048x512 (TA_GLOB_TILE_CLIP)")]
    Size {
        /// Asked width in pixels.
        width: u32,
        /// Asked height in pixels.
        height: u32,
    },
    /// A texture does not fit beside the others.
    #[error("texture of {bytes} bytes does not fit: {free} bytes of video memory are free")]
    TextureSpace {
        /// Size of the texture in bytes.
        bytes: usize,
        /// Bytes that are free.
        free: usize,
    },
    /// The alignment is not a power of two.
    #[error("texture alignment is {0}, must be a power of two")]
    Alignment(u32),
    /// The parameters of all lists together are too big.
    #[error("the frame's parameters overflow: they may have {limit} bytes")]
    Parameters {
        /// Bytes that they may have.
        limit: u32,
    },
    /// The object lists are too big.
    #[error(
        "the frame's object lists overflow: beyond the first block of each tile they may have {limit} bytes"
    )]
    ObjectLists {
        /// Bytes for blocks beyond the first of each tile.
        limit: u32,
    },
    /// A list was still open.
    #[error("the {0:?} list was not closed by an end of list parameter")]
    OpenList(ListType),
    /// The TA took something for an illegal parameter.
    #[error(
        "illegal parameter: a reserved type, a strip of fewer than three vertices, or one that did not end before \
         the next polygon or the end of its list"
    )]
    IllegalParameter,
}

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

/// Byte addresses in the 32-bit area.
#[derive(Debug, Clone, Copy)]
struct Layout {
    regions: u32,
    background: u32,
    lists: u32,
    overflow: u32,
    framebuffer: u32,
    end: u32,
    /// Bytes of a line of the framebuffer.
    stride: u32,
}

impl Layout {
    fn new((columns, rows): (u32, u32)) -> Self {
        let tiles = columns * rows;
        let stride = (columns * 32).min(BAND) * 4;
        let regions = BANK1;
        let background = regions + tiles * REGION;
        let lists = (background + BACKGROUND).next_multiple_of(32);
        let overflow = lists + tiles * BLOCK * 5;
        let framebuffer = overflow + OVERFLOW;
        let end = framebuffer + stride * rows * 32;
        Self {
            regions,
            background,
            lists,
            overflow,
            framebuffer,
            end,
            stride,
        }
    }
}

/// A chip with memory laid out for frames of one size.
#[derive(Debug)]
pub struct Frame {
    pvr: Pvr,
    width: u32,
    height: u32,
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
    /// [`FrameError::Size`] unless the size is 1x1 to 2048x512, the limits of the tile clip. (Beyond 992 pixels
    /// of width a frame is drawn in bands, as lines of the framebuffer cannot be longer.)
    pub fn new(width: u32, height: u32, settings: Settings) -> Result<Self, FrameError> {
        if width == 0 || height == 0 || width > MAX_SIZE.0 || height > MAX_SIZE.1 {
            return Err(FrameError::Size { width, height });
        }
        let layout = Layout::new((width.div_ceil(32), height.div_ceil(32)));
        let mut frame = Self {
            pvr: Pvr::new(settings),
            width,
            height,
            layout,
            textures: VRAM_BYTES as u32,
            background: (Argb(0xFF00_0000), 0.0),
            presort: false,
            stats: RenderStats::default(),
        };
        frame.begin();
        Ok(frame)
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Starts the next frame: lists, parameters and warnings are gone, textures and registers stay.
    pub fn begin(&mut self) {
        let (columns, rows) = (self.width.div_ceil(32), self.height.div_ceil(32));
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
        self.pvr.clear_warnings();
        self.pvr.list_init();
    }

    /// Copies a texture in hardware layout (twiddled, VQ codebook first and so on) into memory and returns its
    /// address in the 64-bit area, for [`crate::TextureWord::with_address`]. `align` in bytes is raised to 8.
    ///
    /// # Errors
    /// [`FrameError::TextureSpace`] if it does not fit, [`FrameError::Alignment`] if `align` is no power of two.
    pub fn upload_texture(&mut self, bytes: &[u8], align: u32) -> Result<u32, FrameError> {
        if align != 0 && !align.is_power_of_two() {
            return Err(FrameError::Alignment(align));
        }
        let bottom = (self.layout.end - BANK1)
            .max(self.parameters_used())
            .next_multiple_of(4)
            * 2;
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
        self.pvr.vram.upload64(address, bytes);
        self.textures = address;
        let limit = self.parameter_limit();
        self.pvr.regs.set(reg::TA_ISP_LIMIT, limit);
        Ok(address)
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

    /// Whether translucent polygons are drawn in the order they come instead of sorted by depth at each pixel.
    pub fn set_presort(&mut self, presort: bool) {
        self.presort = presort;
    }

    /// One 32-byte block of TA input. Lists may come in any order, each once a frame.
    pub fn block(&mut self, block: &[u32; 8]) {
        self.pvr.ta_block(block);
    }

    /// As [`Self::block`] for each of the blocks, and sooner done.
    pub fn blocks(&mut self, blocks: &[[u32; 8]]) {
        self.pvr.ta_blocks(blocks);
    }

    /// Draws what the lists hold, with `threads` threads; the pixels do not depend on their number. May be called
    /// again, and draws the same.
    ///
    /// # Errors
    /// If a list is still open, if parameters or object lists had no room, or if the TA met an illegal parameter.
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
        mut render: impl FnMut(&mut Pvr, Screen<'_>) -> (RenderStats, bool),
    ) -> Result<(), FrameError> {
        let events = self.pvr.events();
        self.check(events)?;
        self.write_background();
        (image.width, image.height) = (self.width, self.height);
        image.rgba.resize((self.width * self.height * 4) as usize, 0);
        self.stats = RenderStats::default();
        let columns = self.width.div_ceil(32);
        for first in (0..columns).step_by((BAND / 32) as usize) {
            let end = (first + BAND / 32).min(columns);
            let (left, right) = (first * 32, (end * 32).min(self.width));
            self.write_regions(events, first..end);
            self.set_output(left, right);
            let screen = Screen {
                rgba: &mut image.rgba,
                line: (self.width * 4) as usize,
                columns: [left, right].map(|x| x as usize),
            };
            let (stats, shown) = render(&mut self.pvr, screen);
            self.stats.add(&stats);
            if !shown {
                self.read(image, left, right);
            }
        }
        Ok(())
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

    /// A flat untextured triangle; the core extends its colour over the screen.
    fn write_background(&mut self) {
        let (colour, depth) = self.background;
        let mut words = vec![0, BACKGROUND_TSP, 0];
        for [x, y] in [[0.0f32, 0.0], [1.0, 0.0], [0.0, 1.0]] {
            words.extend([x.to_bits(), y.to_bits(), 1.0f32.to_bits(), colour.0]);
        }
        let at = self.layout.background;
        for (n, word) in (0..).zip(words) {
            self.pvr.vram.write32(at + n * 4, word);
        }
        // Tag: word address in 23:3, one word after x, y, z in 26:24.
        self.pvr
            .write_register(reg::ISP_BACKGND_T, 1 << 24 | (at / 4) << 3);
        self.pvr.write_register(reg::ISP_BACKGND_D, depth.to_bits());
    }

    /// One entry a tile; lists that were not closed in this frame are marked empty.
    fn write_regions(&mut self, events: Events, columns: std::ops::Range<u32>) {
        let (width, rows) = (self.width.div_ceil(32), self.height.div_ceil(32));
        let mut at = self.layout.regions;
        for y in 0..rows {
            for x in columns.clone() {
                let last = y + 1 == rows && x + 1 == columns.end;
                let control = u32::from(last) << 31 | u32::from(self.presort) << 29 | y << 8 | x << 2;
                let mut words = [control, 0, 0, 0, 0, 0];
                for (word, list) in words[1..].iter_mut().zip(ListType::ALL) {
                    let before = list.index() as u32 * width * rows;
                    let block = self.layout.lists + (before + y * width + x) * BLOCK;
                    let closed = events.has(crate::ta::done_event(list));
                    *word = if closed { block } else { 0x8000_0000 };
                }
                for word in words {
                    self.pvr.vram.write32(at, word);
                    at += 4;
                }
            }
        }
    }

    /// Registers for the columns from `left` to `right` (pixels).
    fn set_output(&mut self, left: u32, right: u32) {
        let start = self.layout.framebuffer.wrapping_sub(left * 4) & 0xFF_FFFC;
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
            (reg::FB_X_CLIP, (right - 1) << 16 | left),
            (reg::FB_Y_CLIP, (self.height - 1) << 16),
        ] {
            self.pvr.write_register(offset, value);
        }
    }

    /// Copies the framebuffer to columns `left` to `right` of the image.
    fn read(&self, image: &mut Image, left: u32, right: u32) {
        let bytes = self.pvr.vram.bytes32();
        let columns = left as usize * 4..right as usize * 4;
        let lines = image.rgba.chunks_exact_mut((self.width * 4) as usize);
        for (out, y) in lines.zip(0..) {
            let from = (self.layout.framebuffer + y * self.layout.stride) as usize;
            show_line(&bytes[from..], &mut out[columns.clone()]);
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

    /// The chip, for registers that a frame does not set (palette, fog, PT_ALPHA_REF, FPU_CULL_VAL and so on).
    pub fn pvr_mut(&mut self) -> &mut Pvr {
        &mut self.pvr
    }
}
