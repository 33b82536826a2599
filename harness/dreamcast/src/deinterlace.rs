//! Pictures of interlaced modes.

use pvr::Image as Picture;

/// The picture of an interlaced mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Deinterlace {
    /// Both fields, their lines in turn.
    #[default]
    Weave,
    /// The field that the beam draws, each line twice.
    Bob,
}

/// Each line twice.
pub(crate) fn lines_doubled(picture: Picture) -> Picture {
    let line = picture.width as usize * 4;
    let lines = picture.rgba.chunks_exact(line.max(1));
    Picture {
        width: picture.width,
        height: picture.height * 2,
        rgba: lines.flat_map(|line| [line, line]).flatten().copied().collect(),
    }
}
