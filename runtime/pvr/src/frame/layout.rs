//! Memory layout of a frame: see [`super`].

/// Maximum width of a band for the limit of FB_W_LINESTRIDE (511 units of 8 bytes) with four bytes per pixel.
pub(super) const BAND: u32 = 31 * 32;
/// Start of bank 1 in the 32-bit area.
pub(super) const BANK1: u32 = 0x40_0000;
/// Size of an object block in bytes: code 3 in every list of TA_ALLOC_CTRL.
pub(super) const BLOCK: u32 = 128;
/// Minimum space for object blocks beyond the first of each tile, in bytes; textures cannot use it.
const OVERFLOW: u32 = 768 << 10;
/// Size of a region entry of type 2 in bytes.
const REGION: u32 = 24;
/// Space for the background's polygon in bytes.
const BACKGROUND: u32 = 64;

/// Byte addresses in the 32-bit area.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    pub(super) regions: u32,
    pub(super) background: u32,
    pub(super) lists: u32,
    pub(super) framebuffer: u32,
    /// Object blocks beyond the first of each tile. They can grow up to the textures.
    pub(super) overflow: u32,
    /// End of the minimum space for object blocks.
    pub(super) end: u32,
    /// Size of a line of the framebuffer in bytes.
    pub(super) stride: u32,
}

impl Layout {
    /// Creates the layout for a frame with these numbers of tile columns and rows.
    pub(super) fn new((columns, rows): (u32, u32)) -> Self {
        let tiles = columns * rows;
        let stride = (columns * 32).min(BAND) * 4;
        let regions = BANK1;
        let background = regions + tiles * REGION;
        let lists = (background + BACKGROUND).next_multiple_of(32);
        let framebuffer = lists + tiles * BLOCK * 5;
        let overflow = (framebuffer + stride * rows * 32).next_multiple_of(32);
        let end = overflow + OVERFLOW;
        Self {
            regions,
            background,
            lists,
            framebuffer,
            overflow,
            end,
            stride,
        }
    }
}
