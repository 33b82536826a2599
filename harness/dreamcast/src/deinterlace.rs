//! Pictures of interlaced modes.

use pvr::Image as Picture;

/// Conversion of interlaced modes to pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Deinterlace {
    /// Both fields, with interleaved lines.
    #[default]
    Weave,
    /// The field that the beam draws, with each line doubled.
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
