//! Limits on the resources that a program may request.

/// Maximum number of object words of a frame; longer lists are truncated. Frames of games have about 10^5
/// words.
pub(crate) const OBJECTS: usize = 1 << 20;
/// Maximum number of region entries of a frame: four passes over the largest framebuffer, 64 x 32 tiles. The
/// console would draw an array without an end forever; here, drawing this number of tiles takes a second.
pub(crate) const REGIONS: usize = 1 << 13;
/// Number of links after which a sort DMA is stopped. The limit of blocks does not stop a ring of empty
/// chunks.
pub(crate) const SORT_LINKS: usize = 1 << 20;

/// Name and value of each limit.
pub const LIMITS: &[(&str, u64)] = &[
    (
        "words of object lists in a frame; longer lists are cut",
        OBJECTS as u64,
    ),
    ("region entries of a frame; a longer array is cut", REGIONS as u64),
    ("links of a sort DMA; a longer chain is cut", SORT_LINKS as u64),
    ("texels of a side of a texture", crate::texture::MAX_SIDE as u64),
];
