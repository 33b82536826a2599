//! Errors and warnings of cells and streams.

use super::StreamId;
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// Reason why a stream list rejects a request.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum StreamError {
    /// The list is full.
    #[error("the stream list holds {limit} streams, and no more can be added")]
    Full {
        /// NJD_CELL_PATTERN_MAX.
        limit: usize,
    },
    /// A time before the beginning.
    #[error("cannot go to time {time}, expected 0 or more")]
    Time {
        /// Requested time.
        time: i32,
    },
    /// Reaching the time requires playing everything before it, which exceeds the limit of work.
    #[error(
        "cannot seek to time {time}: streams with stamps that change different members are played from the \
         start, and {limit} chunks were played by time {reached}"
    )]
    TooFar {
        /// Requested time.
        time: i32,
        /// Current time of the list.
        reached: i32,
        /// Maximum number of played chunks.
        limit: usize,
    },
}

/// An unusual property of cells, streams or sprite motions that does not prevent playing or drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CellWarning {
    /// Chunks for cells that the sprite does not have; without effect.
    MissingCell {
        /// Number of the stream.
        stream: StreamId,
        /// First such cell.
        cell: u16,
    },
    /// A burst past the end of the work buffer; without effect.
    BurstOutside {
        /// Number of the stream.
        stream: StreamId,
        /// First word outside the buffer.
        word: usize,
    },
    /// A burst to a cell that exceeds the cell; without effect.
    EntryOutside {
        /// Number of the stream.
        stream: StreamId,
        /// Number of the cell.
        cell: u16,
        /// First word in the cell.
        offset: u16,
        /// Number of words.
        words: u16,
    },
    /// Two streams write different values to the same member at the same time.
    SameMember {
        /// First stream in the list.
        first: StreamId,
        /// Second stream; its value applies.
        second: StreamId,
        /// Number of the cell.
        cell: u16,
        /// Time of the list.
        time: i32,
    },
    /// A long step with omitted repetitions in its middle.
    LongStep {
        /// Number of the stream.
        stream: StreamId,
    },
    /// Chunks of a stamp beyond its word count.
    Uncounted {
        /// Number of the stream.
        stream: StreamId,
        /// Time of the first such stamp.
        time: u16,
    },
    /// Chunks before the first stamp; they never run.
    BeforeFirstStamp {
        /// Number of the stream.
        stream: StreamId,
    },
    /// A stream without length; it is never active.
    NoLength {
        /// Number of the stream.
        stream: StreamId,
        /// timemax of the stream.
        time_max: i32,
    },
    /// A user event without a callback.
    UnknownEvent {
        /// Number of the stream.
        stream: StreamId,
        /// Number of the event.
        event: u16,
    },
    /// Cells without their texture, drawn with a checker pattern.
    MissingTexture {
        /// Texture number of the first such cell.
        first: i16,
    },
    /// A cell that is not drawn, and the reason.
    NotDrawn {
        /// First such cell.
        cell: u16,
        /// Reason.
        rule: NotDrawn,
    },
    /// A sprite without cells.
    NoCells,
    /// Elements of a sprite motion that have no meaning for a sprite, or keys of an unsupported layout.
    MotionElements {
        /// Bits of the elements in the motion type.
        bits: u16,
    },
    /// Colours of a sprite motion with splines: they are interpolated linearly.
    SplineColours,
}

/// Reason why a cell is not drawn, or not visible. Depths are `f32` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotDrawn {
    /// NJD_FCA_HI.
    Hidden,
    /// 2D: the sprite's z plus the cell's priority is not negative.
    Behind {
        /// z of the sprite.
        z: u32,
        /// cp of the cell.
        priority: i16,
    },
    /// 3D: not between the near and the far plane.
    OutOfRange,
    /// The width or height is 0.
    Empty,
    /// Alpha is 0 at all corners, and the cell blends by its alpha.
    Transparent,
}

impl fmt::Display for NotDrawn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Hidden => f.write_str("its attribute NJD_FCA_HI hides it"),
            Self::Behind { z, priority } => write!(
                f,
                "the sprite's position z {} plus its priority {priority}/32767 is not negative",
                f32::from_bits(z)
            ),
            Self::OutOfRange => f.write_str("it is not between the near and the far plane"),
            Self::Empty => f.write_str("its size times the sprite's scale is 0"),
            Self::Transparent => {
                f.write_str("its alpha times the sprite's diffuse alpha is 0 at all corners")
            }
        }
    }
}

/// Warnings with their counts.
pub type CellWarnings = BTreeMap<CellWarning, usize>;

impl fmt::Display for CellWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingCell { stream, cell } => write!(
                f,
                "stream {stream}: names cells that the sprite does not have (cell {cell} is the first): \
                 without effect"
            ),
            Self::BurstOutside { stream, word } => write!(
                f,
                "stream {stream}: a burst writes word {word}, past the end of the work buffer: without effect"
            ),
            Self::EntryOutside {
                stream,
                cell,
                offset,
                words,
            } => write!(
                f,
                "stream {stream}: a burst of {words} words from word {offset} of cell {cell} on, expected it to end \
                 within the cell's {} words: without effect",
                ninja::Cell::WORDS
            ),
            Self::SameMember {
                first,
                second,
                cell,
                time,
            } => write!(
                f,
                "streams {first} and {second} write different values to the same member of cell {cell} at time \
                 {time}: the value of stream {second} applies, which is later in the list"
            ),
            Self::LongStep { stream } => write!(
                f,
                "stream {stream}: one step passes more repetitions than a step may play: those in the middle \
                 are omitted"
            ),
            Self::Uncounted { stream, time } => write!(
                f,
                "stream {stream}: the word count of the stamp of time {time} ends before its last chunk: the \
                 chunks beyond it are not run"
            ),
            Self::BeforeFirstStamp { stream } => {
                write!(
                    f,
                    "stream {stream}: chunks before the first time stamp are never run"
                )
            }
            Self::NoLength { stream, time_max } => {
                write!(
                    f,
                    "stream {stream}: ends at time {time_max}, so it is never active"
                )
            }
            Self::UnknownEvent { stream, event } => {
                write!(f, "stream {stream}: no callback for user event {event}")
            }
            Self::MissingTexture { first } => write!(
                f,
                "textures of cells are missing (number {first} is the first): drawn with a checker"
            ),
            Self::NotDrawn { cell, rule } => write!(f, "cell {cell} is not visible: {rule}"),
            Self::NoCells => f.write_str("the sprite has no cells"),
            Self::SplineColours => f.write_str(
                "sprite motion: its method is a spline; its colours are interpolated linearly, because no \
                 source defines a spline of packed colours",
            ),
            Self::MotionElements { bits } => {
                write!(
                    f,
                    "sprite motion: elements {bits:#06x} of its type have no effect on a sprite"
                )
            }
        }
    }
}
