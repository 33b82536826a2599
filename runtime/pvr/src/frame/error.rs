//! Errors of a frame.

use crate::param::ListType;

/// Reason why a frame cannot be created or drawn.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The framebuffer does not support the size: FB_X_CLIP and FB_Y_CLIP have 11 and 10 bits.
    #[error("frame is {width}x{height} pixels; the chip's framebuffer has 1x1 to 2048x1024")]
    Size {
        /// Requested width in pixels.
        width: u32,
        /// Requested height in pixels.
        height: u32,
    },
    /// A texture does not fit into the remaining memory.
    #[error("texture of {bytes} bytes does not fit: {free} bytes of video memory are free")]
    TextureSpace {
        /// Size of the texture in bytes.
        bytes: usize,
        /// Free memory in bytes.
        free: usize,
    },
    /// The alignment is not a power of two.
    #[error("texture alignment is {0}, must be a power of two")]
    Alignment(u32),
    /// The parameters of all lists together are too large.
    #[error("the frame's parameters overflow: they may have {limit} bytes")]
    Parameters {
        /// Maximum number of bytes.
        limit: u32,
    },
    /// The object lists are too large.
    #[error(
        "the frame's object lists overflow: beyond the first block of each tile they may have {limit} bytes"
    )]
    ObjectLists {
        /// Number of bytes for blocks beyond the first of each tile.
        limit: u32,
    },
    /// A list was still open.
    #[error("the {0:?} list was not closed by an end of list parameter")]
    OpenList(ListType),
    /// The TA received an illegal parameter.
    #[error(
        "illegal parameter: a reserved type, a strip of fewer than three vertices, or one that did not end \
         before the next polygon or the end of its list"
    )]
    IllegalParameter,
}

impl FrameError {
    /// Returns whether the lists took more memory than there is.
    pub fn is_overflow(&self) -> bool {
        matches!(self, Self::Parameters { .. } | Self::ObjectLists { .. })
    }
}
