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
    /// Colour frames of a sprite motion of which only the diffuse colour counts, or other elements without effect.
    MotionElements {
        /// The bits of the motion type that mean nothing to a sprite.
        bits: u16,
    },
}

/// Warnings, and how often each was met.
pub type CellWarnings = BTreeMap<CellWarning, usize>;

impl fmt::Display for CellWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MissingCell { stream, cell } => write!(
                f,
                "stream {stream}: names cells that the sprite does not have (cell {cell} is the first): without effect"
            ),
            Self::BurstOutside { stream, word } => write!(
                f,
                "stream {stream}: a burst goes to word {word}, behind the work buffer: without effect"
            ),
            Self::Uncounted { stream, time } => write!(
                f,
                "stream {stream}: the stamp of time {time} counts fewer words than follow it: the others are not run"
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
            Self::MotionElements { bits } => {
                write!(
                    f,
                    "sprite motion: elements {bits:#06x} of its type have no effect on a sprite"
                )
            }
        }
    }
}
