//! What can go wrong with cells and streams.

use super::StreamId;
use std::collections::BTreeMap;
use std::fmt;
use thiserror::Error;

/// Why a stream list does not do what it was asked for.
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
        /// What was asked for.
        time: i32,
    },
    /// The time can only be reached by playing everything before it, and that is too much.
    #[error(
        "cannot go to time {time}: streams whose stamps change different members have to be played from the start, and \
         {limit} chunks were played by time {reached}"
    )]
    TooFar {
        /// What was asked for.
        time: i32,
        /// Where the list stands now.
        reached: i32,
        /// How many chunks are played at most.
        limit: usize,
    },
}

/// Something unusual that was played or drawn as well as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CellWarning {
    /// Chunks that name cells which the sprite does not have: without effect.
    MissingCell {
        /// The stream.
        stream: StreamId,
        /// The first such cell.
        cell: u16,
    },
    /// A burst that would write behind the work buffer: without effect.
    BurstOutside {
        /// The stream.
        stream: StreamId,
        /// The first word that lies outside.
        word: usize,
    },
    /// A burst to a cell that would leave this cell: without effect.
    EntryOutside {
        /// The stream.
        stream: StreamId,
        /// The cell.
        cell: u16,
        /// The first word of the cell that it writes.
        offset: u16,
        /// Number of words.
        words: u16,
    },
    /// Two streams that write different values to the same member at the same time.
    SameMember {
        /// The stream that comes first in the list.
        first: StreamId,
        /// The other, whose value counts.
        second: StreamId,
        /// The cell.
        cell: u16,
        /// The list's time.
        time: i32,
    },
    /// A step so long that repetitions in its middle were left out.
    LongStep {
        /// The stream.
        stream: StreamId,
    },
    /// Chunks behind a stamp that its count of words leaves out.
    Uncounted {
        /// The stream.
        stream: StreamId,
        /// Time of the first such stamp.
        time: u16,
    },
    /// Chunks before the first stamp: never run.
    BeforeFirstStamp {
        /// The stream.
        stream: StreamId,
    },
    /// A stream that has no length, so it is never active.
    NoLength {
        /// The stream.
        stream: StreamId,
        /// Its timemax.
        time_max: i32,
    },
    /// A user event that nobody has asked for.
    UnknownEvent {
        /// The stream.
        stream: StreamId,
        /// The event.
        event: u16,
    },
    /// Cells without their texture: drawn with a checker.
    MissingTexture {
        /// Texture number of the first.
        first: i16,
    },
    /// A cell that is not drawn, and the rule.
    NotDrawn {
        /// The first such cell.
        cell: u16,
        /// The rule.
        rule: NotDrawn,
    },
    /// A sprite without cells.
    NoCells,
    /// Elements of a sprite motion that mean nothing to a sprite, or whose keys have another layout.
    MotionElements {
        /// Their bits of the motion type.
        bits: u16,
    },
    /// Colours of a sprite motion whose method is a spline: they go straight from key to key.
    SplineColours,
}

/// Why a cell is not drawn, or not seen. Depths are `f32` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotDrawn {
    /// NJD_FCA_HI.
    Hidden,
    /// 2D: the sprite's z plus the cell's priority is not negative.
    Behind {
        /// The sprite's z.
        z: u32,
        /// The cell's cp.
        priority: i16,
    },
    /// 3D: not between the near and the far plane.
    OutOfRange,
    /// Width or height is 0.
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

/// Warnings, and how often each was met.
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
                "stream {stream}: a burst goes to word {word}, behind the work buffer: without effect"
            ),
            Self::EntryOutside {
                stream,
                cell,
                offset,
                words,
            } => write!(
                f,
                "stream {stream}: a burst of {words} words from word {offset} of cell {cell} on, expected it to end within \
                 the cell's {} words: without effect",
                ninja::Cell::WORDS
            ),
            Self::SameMember {
                first,
                second,
                cell,
                time,
            } => write!(
                f,
                "streams {first} and {second} write different values to the same member of cell {cell} at time {time}: \
                 stream {second} comes later in the list and counts"
            ),
            Self::LongStep { stream } => write!(
                f,
                "stream {stream}: a step over more repetitions than are played at once: the middle ones \
                 were left out"
            ),
            Self::Uncounted { stream, time } => write!(
                f,
                "stream {stream}: the stamp of time {time} counts fewer words than follow it: the others \
                 are not run"
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
                    "stream {stream}: lasts to time {time_max}, so it is never active"
                )
            }
            Self::UnknownEvent { stream, event } => {
                write!(f, "stream {stream}: no callback for user event {event}")
            }
            Self::MissingTexture { first } => write!(
                f,
                "textures of cells are missing (number {first} is the first): drawn with a checker"
            ),
            Self::NotDrawn { cell, rule } => write!(f, "cell {cell} is not seen: {rule}"),
            Self::NoCells => f.write_str("the sprite has no cells"),
            Self::SplineColours => f.write_str(
                "sprite motion: its method is a spline; its colours go straight from key to key, because no \
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
