//! Combines the fields of interlaced video modes into pictures.

use pvr::Image as Picture;

/// Method of making a picture from the two fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Deinterlace {
    /// Interleaves the lines of both fields.
    #[default]
    Weave,
    /// Doubles each line of the current field.
    Bob,
}

/// Doubles each line.
pub(crate) fn lines_doubled(picture: Picture) -> Picture {
    let line = picture.width as usize * 4;
    let lines = picture.rgba.chunks_exact(line.max(1));
    Picture {
        width: picture.width,
        height: picture.height * 2,
        rgba: lines.flat_map(|line| [line, line]).flatten().copied().collect(),
    }
}
