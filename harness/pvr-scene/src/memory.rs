//! The layout of a scene in video memory.
//!
//! 32-bit area: bank 0 contains parameters, background, region array and object lists; bank 1 contains two
//! framebuffers. Textures use the upper quarter of the 64-bit area, which is the upper quarter of both banks.

/// Start of the parameters, which end at [`BACKGROUND`].
pub(crate) const PARAMETERS: u32 = 0;
/// Polygon of the background.
pub(crate) const BACKGROUND: u32 = 0x0F_0000;
/// Region array, up to [`LISTS`].
pub(crate) const REGIONS: u32 = 0x10_0000;
/// First object blocks of all lists and tiles, pass after pass, up to [`OVERFLOW`].
pub(crate) const LISTS: u32 = 0x18_0000;
/// Object blocks beyond the first of each tile, up to [`LISTS_END`].
pub(crate) const OVERFLOW: u32 = 0x28_0000;
pub(crate) const LISTS_END: u32 = 0x30_0000;
/// First framebuffer.
pub(crate) const FRAMEBUFFER: u32 = 0x40_0000;
/// Second framebuffer, for the second field of an interlaced image.
pub(crate) const SECOND: u32 = 0x58_0000;
/// End of the framebuffers.
pub(crate) const FRAMEBUFFERS_END: u32 = 0x70_0000;
/// Textures, in the 64-bit area.
pub(crate) const TEXTURES: u32 = 0x60_0000;
pub(crate) const TEXTURES_END: u32 = 0x80_0000;
/// TA_ALLOC_CTRL: blocks of 32 words in all lists.
pub(crate) const ALLOC: u32 = 0x0003_3333;
/// Size of an object block in bytes.
pub(crate) const BLOCK: u32 = 128;
