//! Errors and warnings: responsible party, location, found value and expected value.

use std::fmt;

use crate::chunk_id::ChunkId;

/// Responsible party for an [`Error`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The file violates its format.
    Format,
    /// Each word of the file is valid, but its contents exceed its size, for example by overlapping
    /// structures.
    Limit,
    /// The caller passed or built data that the format cannot represent.
    Parameter,
}

/// A node of an object tree, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodePlace {
    /// Number of the node. A reader counts in drawing order (node, children, siblings; the root is 0). A
    /// writer gives the index in [`ObjectTree::objects`](crate::ObjectTree::objects).
    pub index: usize,
    /// Byte offset of the node in its chunk's body; 0 for nodes made in code.
    pub offset: u32,
}

/// Location in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Byte offset in the file, if there is a file.
    pub offset: Option<usize>,
    /// The IFF chunk.
    pub chunk: Option<ChunkId>,
    /// Node that refers to the location.
    pub node: Option<NodePlace>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.chunk {
            Some(chunk) => write!(f, "{chunk}")?,
            None => write!(f, "file")?,
        }
        if let Some(offset) = self.offset {
            write!(f, " at {offset:#x}")?;
        }
        if let Some(node) = self.node {
            write!(f, " (node {} at {:#x} of the body)", node.index, node.offset)?;
        }
        Ok(())
    }
}

/// The reason why a file cannot be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}: found {found}, expected {expected}")]
pub struct Error {
    /// Responsible party.
    pub fault: Fault,
    /// Location of the error.
    pub place: Place,
    /// The field or structure.
    pub what: &'static str,
    /// Found value.
    pub found: String,
    /// Expected value.
    pub expected: String,
}

impl Error {
    pub(crate) fn format(place: Place, what: &'static str, found: String, expected: String) -> Self {
        Error {
            fault: Fault::Format,
            place,
            what,
            found,
            expected,
        }
    }

    pub(crate) fn limit(place: Place, what: &'static str, found: String, expected: String) -> Self {
        Error {
            fault: Fault::Limit,
            place,
            what,
            found,
            expected,
        }
    }

    pub(crate) fn parameter(
        what: &'static str,
        found: impl fmt::Display,
        expected: impl fmt::Display,
    ) -> Self {
        let (found, expected) = (found.to_string(), expected.to_string());
        Error {
            fault: Fault::Parameter,
            place: Place::default(),
            what,
            found,
            expected,
        }
    }

    /// Returns the error with chunk and node filled in, unless they are already known.
    pub(crate) fn within(mut self, chunk: ChunkId, node: Option<NodePlace>) -> Self {
        self.place.chunk = self.place.chunk.or(Some(chunk));
        self.place.node = self.place.node.or(node);
        self
    }
}

/// An unusual property of a file that can still be read, and is written back unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Kind of warning.
    pub kind: WarningKind,
    /// Location of the warning.
    pub place: Place,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

/// Kinds of [`Warning`]; `Display` gives their texts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WarningKind {
    /// Bytes after the last chunk.
    #[error("{0} bytes follow the last chunk and are kept")]
    TrailingBytes(usize),
    /// The IFF sizes are big-endian.
    #[error("the chunk sizes are big-endian")]
    BigEndianSizes,
    /// A chunk's byte order contradicts the rest of the file.
    #[error("the byte order differs from the rest of the file; the chunk is kept unread")]
    MixedByteOrder,
    /// A data chunk that should have a pointer list has none.
    #[error("no POF0 follows, pointers are not listed")]
    MissingPof0,
    /// A pointer list without a data chunk.
    #[error("this POF0 follows no data chunk and is kept unread")]
    StrayPof0,
    /// Pointer list entries where the structure has no pointer.
    #[error("POF0 lists {count} offsets that hold no known pointer, the first at {first:#x} of the body")]
    Pof0Extra {
        /// Number of entries.
        count: usize,
        /// Body offset of the first entry.
        first: u32,
    },
    /// Pointers missing from the list.
    #[error("POF0 misses {count} pointers, the first at {first:#x} of the body")]
    Pof0Missing {
        /// Number of missing pointers.
        count: usize,
        /// Body offset of the first pointer.
        first: u32,
    },
    /// A pointer list with offsets outside its body, with repeated offsets, or with data after its padding.
    #[error("POF0 is irregular: {0}")]
    Pof0Irregular(&'static str),
    /// An end word with other bits set.
    #[error("list ends with the word {0:#x} instead of 0xff")]
    OddEnd(u32),
    /// Padding or reserved chunk with unexpected content.
    #[error("chunk with id {id} (head {head:#06x}) has no known meaning and is kept")]
    ReservedChunk {
        /// Chunk id, the low byte of the head.
        id: u8,
        /// The whole head word.
        head: u16,
    },
    /// A chunk of a known id and an unknown size.
    #[error(
        "chunk with id {id} has {} of data, expected {expected}; it is kept unread",
        counted(*found, "word")
    )]
    ChunkSize {
        /// Chunk id.
        id: u8,
        /// Number of data words given by the size field.
        found: usize,
        /// Number of data words given by the id.
        expected: usize,
    },
    /// Words after the vertices of a vertex chunk.
    #[error("{0} words follow the last vertex of the chunk and are kept")]
    VertexTail(usize),
    /// More words after the strips than alignment requires.
    #[error("{0} words follow the last strip or polygon of the chunk and are kept")]
    StripTail(usize),
    /// A strip without a triangle.
    #[error("a strip has {0} entries and draws nothing")]
    ShortStrip(u16),
    /// Weight status 3.
    #[error("weight status 3 is neither start, middle nor end")]
    WeightStatus,
    /// A CompactShape flag in an ordinary vertex list.
    #[error("FV_SHAPE is set in the vertex list of a model")]
    ShapeFlag,
    /// Evalflags beyond bit 13.
    #[error("evalflags {0:#x} have unknown bits")]
    EvalFlags(u32),
    /// A plist not on a 4-byte boundary.
    #[error("plist pointer {0:#x} is not a multiple of 4")]
    PlistAlignment(u32),
    /// Structures that share bytes.
    #[error("{0} structures begin inside another one")]
    Overlap(usize),
    /// 56-byte nodes in a chunk of the 52-byte kind.
    #[error("quaternion nodes in NJCM are read as 56 bytes")]
    WideNodes,
    /// Quaternion nodes in a 52-byte tree.
    #[error("quaternion nodes without room for the real part")]
    QuaternionWithoutReal,
    /// More tables for each node than the motion's type has elements.
    #[error("{tables} tables for each node, but the type has {elements} elements; the others are null")]
    SpareTables {
        /// Number of tables given by `inp_fn`.
        tables: usize,
        /// Number of elements in the type.
        elements: usize,
    },
    /// The end of a motion's node array is unknown.
    #[error("the motion's nodes are taken to end after {0}: the next entry is not valid")]
    MdataEnd(usize),
    /// Keys out of order, so the runtime's search misses some.
    #[error("key {key} is at frame {frame}, after a key at frame {before}")]
    KeyOrder {
        /// Index of the key.
        key: usize,
        /// Frame of the key.
        frame: u32,
        /// Frame of the key before it.
        before: u32,
    },
    /// A table that ends before the motion does; the runtime extrapolates from its last keys.
    #[error("the last key is at frame {frame}, before the last frame of {nb_frame}")]
    LastKey {
        /// Frame of the last key.
        frame: u32,
        /// Length of the motion in frames.
        nb_frame: u32,
    },
    /// The pointer list of a motion file without chunks does not match its structures.
    #[error("the pointer list and the motion's pointers differ")]
    RelocationList,
    /// A chunk of a shape list without the flag of such chunks.
    #[error("FV_SHAPE is not set in a shape list")]
    NoShapeFlag,
    /// A CompactShape motion that is not linear.
    #[error("inp_fn {0:#06x} of a shape motion is not linear")]
    ShapeInterpolation(u16),
    /// timemax and the end chunk of a cell stream differ.
    #[error("the stream ends at time {end}, but timemax is {max}")]
    StreamEnd {
        /// Time of the end chunk.
        end: u16,
        /// timemax.
        max: i32,
    },
    /// The word count of a time stamp does not lead to the next one. The runtime stops after the counted
    /// words.
    #[error(
        "a time stamp counts {}, but {expected} follow before the next",
        counted((*found).into(), "word")
    )]
    StampWords {
        /// Word count in the stamp.
        found: u16,
        /// Words up to the next stamp or the end.
        expected: usize,
    },
    /// The size field of a CE does not match its blocks.
    #[error("CE has size {found}, its blocks have {} (16 is written as 0)", counted(*expected, "word"))]
    CellSize {
        /// Size in the field.
        found: u8,
        /// Size of the blocks in the block bits.
        expected: usize,
    },
    /// Block bits without a meaning.
    #[error("CE has block bits {0:#04x}, of which the lowest two have no meaning")]
    CellBlocks(u8),
    /// A reserved cell chunk.
    #[error("cell chunk {0} is reserved and is kept")]
    ReservedCellChunk(u8),
    /// A CZ with an angle that overwrites the rest of the word with its sign bits.
    #[error("a word that looks like CZ with angle {0}, whose sign has overwritten its entry, is kept")]
    LostAngle(i16),
    /// An ED that goes beyond the end of a cell.
    #[error("ED writes {} from word {offset} of a cell of 16", counted(*words, "word"))]
    BurstEnd {
        /// First word.
        offset: u8,
        /// Number of words.
        words: usize,
    },
    /// The reader dropped further warnings.
    #[error("{0} more warnings are left out")]
    More(u64),
}

/// Collects warnings. Their number is limited, so that a damaged file cannot exhaust memory.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    list: Vec<Warning>,
    left_out: u64,
}

impl Warnings {
    pub(crate) const MAX: usize = 1000;

    pub(crate) fn push(&mut self, warning: Warning) {
        match self.list.len() < Self::MAX {
            true => self.list.push(warning),
            false => self.left_out += 1,
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Warning> {
        if self.left_out > 0 {
            self.list.push(Warning {
                kind: WarningKind::More(self.left_out),
                place: Place::default(),
            });
        }
        self.list
    }
}

/// Formats a number and a noun, with a plural s if needed.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}
