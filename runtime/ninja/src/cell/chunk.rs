//! Chunks of a cell stream (docs/formats/cell-sprite.md 3, docs/formats/ninja.md 1.11).

use std::fmt;

use super::{BlockBits, CellAttr, CellChange};
use crate::error::{Error, counted};

/// One chunk of a cell stream. Bits 31 to 28 of its first word are the id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellChunk {
    /// TE, id 0: end of the stream, with its time.
    End {
        /// Bits 27 to 16, without meaning.
        dummy: u16,
        /// The stream's last time.
        time: u16,
    },
    /// TS, id 1: a time stamp.
    Stamp {
        /// Words up to the next stamp or the end, according to the file. The runtime stops after this number
        /// of words. At most 4,095. See [`CellStream::count_stamps`](super::CellStream::count_stamps).
        words: u16,
        /// Time of the chunks that follow.
        time: u16,
    },
    /// CE, id 2: blocks of a cell.
    Change(CellChange),
    /// TD, id 3: new texture.
    Texture {
        /// Number of the cell, 0..=4095.
        entry: u16,
        /// Number in the texture list.
        tex_id: i16,
    },
    /// AT, id 4: new attributes.
    Attr {
        /// Number of the cell, 0..=4095.
        entry: u16,
        /// The attributes.
        attr: CellAttr,
    },
    /// CZ, id 5: new rotation.
    ZAngle {
        /// Number of the cell, 0..=4095.
        entry: u16,
        /// Rotation in BAMS.
        zang: i16,
    },
    /// CP, id 6: new priority.
    Priority {
        /// Number of the cell, 0..=4095.
        entry: u16,
        /// New priority.
        priority: i16,
    },
    /// UE, id 7: a user event.
    Event {
        /// Number of the function to call.
        event: u16,
        /// Data passed to the function; at most 4,095 words.
        data: Vec<u32>,
    },
    /// Ids 8 to 13: reserved. The runtime skips the number of words in bits 27 to 16.
    ///
    /// Also single words 0xFFFFxxxx: the Ninja header's macro for CZ makes them from angles of 180 degrees
    /// and more, because the sign bits overwrite id and entry. Read as ED, such a word would write past the
    /// end of a cell.
    Reserved {
        /// First word.
        head: u32,
        /// Words after the head; the head gives their number.
        data: Vec<u32>,
    },
    /// AD, id 14: words to copy into the work buffer.
    Address {
        /// First word in the work buffer, which has 16 words for each cell.
        address: u16,
        /// Words to copy; at most 4,095.
        data: Vec<u32>,
    },
    /// ED, id 15: words to copy into a cell.
    Entry {
        /// Number of the cell.
        entry: u16,
        /// First word in the cell ([`Cell::words`](super::Cell::words)).
        offset: u8,
        /// Words to copy; at most 15.
        data: Vec<u32>,
    },
}

impl CellChunk {
    /// Id, bits 31 to 28 of the first word.
    pub fn id(&self) -> u8 {
        match self {
            CellChunk::End { .. } => 0,
            CellChunk::Stamp { .. } => 1,
            CellChunk::Change(_) => 2,
            CellChunk::Texture { .. } => 3,
            CellChunk::Attr { .. } => 4,
            CellChunk::ZAngle { .. } => 5,
            CellChunk::Priority { .. } => 6,
            CellChunk::Event { .. } => 7,
            CellChunk::Reserved { head, .. } => (head >> 28) as u8,
            CellChunk::Address { .. } => 14,
            CellChunk::Entry { .. } => 15,
        }
    }

    /// Name of the define without its `NJD_`, such as `CC_TE`.
    pub fn name(&self) -> &'static str {
        cell_chunk_name(self.id())
    }

    /// Number of the cell that the chunk changes.
    pub fn entry(&self) -> Option<u16> {
        match self {
            CellChunk::Change(change) => Some(change.entry),
            CellChunk::Texture { entry, .. }
            | CellChunk::Attr { entry, .. }
            | CellChunk::ZAngle { entry, .. }
            | CellChunk::Priority { entry, .. }
            | CellChunk::Entry { entry, .. } => Some(*entry),
            _ => None,
        }
    }

    /// Words after the first.
    pub fn data(&self) -> &[u32] {
        match self {
            CellChunk::Change(change) => &change.words,
            CellChunk::Event { data, .. }
            | CellChunk::Reserved { data, .. }
            | CellChunk::Address { data, .. }
            | CellChunk::Entry { data, .. } => data,
            _ => &[],
        }
    }

    /// Length in 32-bit words.
    pub fn words(&self) -> usize {
        1 + self.data().len()
    }

    /// Number of data words after a given first word.
    pub(crate) fn data_words(head: u32) -> usize {
        match head >> 28 {
            _ if is_lost_angle(head) => 0,
            2 => BlockBits((head >> 16) as u8).words(),
            7..=14 => (head >> 16 & 0xFFF) as usize,
            15 => (head >> 24 & 0xF) as usize,
            _ => 0,
        }
    }

    /// Decodes a chunk from its first word and the [`CellChunk::data_words`] after it.
    pub(crate) fn from_words(head: u32, data: Vec<u32>) -> Self {
        let (middle, low) = ((head >> 16 & 0xFFF) as u16, head as u16);
        match head >> 28 {
            _ if is_lost_angle(head) => CellChunk::Reserved { head, data },
            0 => CellChunk::End {
                dummy: middle,
                time: low,
            },
            1 => CellChunk::Stamp {
                words: middle,
                time: low,
            },
            2 => CellChunk::Change(CellChange {
                entry: low,
                size: (middle >> 8) as u8,
                blocks: BlockBits(middle as u8),
                words: data,
            }),
            3 => CellChunk::Texture {
                entry: middle,
                tex_id: low as i16,
            },
            4 => CellChunk::Attr {
                entry: middle,
                attr: CellAttr(low),
            },
            5 => CellChunk::ZAngle {
                entry: middle,
                zang: low as i16,
            },
            6 => CellChunk::Priority {
                entry: middle,
                priority: low as i16,
            },
            7 => CellChunk::Event { event: low, data },
            14 => CellChunk::Address { address: low, data },
            15 => CellChunk::Entry {
                entry: low,
                offset: middle as u8,
                data,
            },
            _ => CellChunk::Reserved { head, data },
        }
    }

    /// Encodes the first word.
    ///
    /// # Errors
    /// Fails if a value exceeds its field, or if the amount of data contradicts the fields.
    pub(super) fn head(&self) -> Result<u32, Error> {
        let data = self.data().len();
        let (middle, low) = match self {
            CellChunk::End { dummy: middle, time } | CellChunk::Stamp { words: middle, time } => {
                (*middle, *time)
            }
            CellChunk::Change(change) => {
                fits("cell chunk size", usize::from(change.size), 15)?;
                (
                    u16::from(change.size) << 8 | u16::from(change.blocks.0),
                    change.entry,
                )
            }
            CellChunk::Texture { entry, tex_id } => (*entry, *tex_id as u16),
            CellChunk::Attr { entry, attr } => (*entry, attr.0),
            CellChunk::ZAngle { entry, zang } => (*entry, *zang as u16),
            CellChunk::Priority { entry, priority } => (*entry, *priority as u16),
            CellChunk::Event { event: low, .. } | CellChunk::Address { address: low, .. } => {
                (fits("cell chunk data", data, 0xFFF)?, *low)
            }
            CellChunk::Reserved { head, .. } => ((head >> 16 & 0xFFF) as u16, *head as u16),
            CellChunk::Entry { entry, offset, .. } => (
                fits("cell chunk data", data, 15)? << 8 | u16::from(*offset),
                *entry,
            ),
        };
        fits("cell chunk field", usize::from(middle), 0xFFF)?;
        let head = u32::from(self.id()) << 28 | u32::from(middle) << 16 | u32::from(low);
        match CellChunk::data_words(head) {
            words if words == data => Ok(head),
            words => Err(Error::parameter("cell chunk data", data, counted(words, "word"))),
        }
    }
}

impl fmt::Display for CellChunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())?;
        match self {
            CellChunk::End { time, .. } => write!(f, ": time {time}"),
            CellChunk::Stamp { words, time } => {
                write!(f, ": time {time}, {}", counted((*words).into(), "word"))
            }
            CellChunk::Change(change) => {
                write!(f, ": cell {}", change.entry)?;
                let blocks = change.decode();
                let mut part = |name: &str, value: Option<String>| match value {
                    Some(value) => write!(f, ", {name} {value}"),
                    None => Ok(()),
                };
                let texture = blocks
                    .texture
                    .map(|(id, attr)| format!("{id}, attr {:#06x}", attr.0));
                part("texture", texture)?;
                let motion = blocks.motion;
                part(
                    "offset",
                    motion.map(|m| format!("{:?} size {:?} zang {:#x}", m.offset, m.size, m.zang)),
                )?;
                part("priority", blocks.priority.map(|p| p.to_string()))?;
                part("centre", blocks.center.map(|c| format!("{c:?}")))?;
                part("colours", blocks.argb.map(|c| format!("{:08X?}", c.map(|c| c.0))))?;
                part("uv", blocks.uv.map(|uv| format!("{uv:?}")))
            }
            CellChunk::Texture { entry, tex_id } => write!(f, ": cell {entry}, texture {tex_id}"),
            CellChunk::Attr { entry, attr } => write!(f, ": cell {entry}, attr {:#06x}", attr.0),
            CellChunk::ZAngle { entry, zang } => write!(f, ": cell {entry}, zang {zang:#06x}"),
            CellChunk::Priority { entry, priority } => write!(f, ": cell {entry}, priority {priority}"),
            CellChunk::Event { event, data } => write!(f, ": event {event}, {}", counted(data.len(), "word")),
            CellChunk::Reserved { head, data } => {
                write!(f, ": {head:#010x}, {}", counted(data.len(), "word"))
            }
            CellChunk::Address { address, data } => {
                write!(f, ": {} to word {address}", counted(data.len(), "word"))
            }
            CellChunk::Entry { entry, offset, data } => {
                write!(
                    f,
                    ": {} to word {offset} of cell {entry}",
                    counted(data.len(), "word")
                )
            }
        }
    }
}

fn fits(what: &'static str, value: usize, most: u16) -> Result<u16, Error> {
    match u16::try_from(value) {
        Ok(value) if value <= most => Ok(value),
        _ => Err(Error::parameter(what, value, format!("at most {most}"))),
    }
}

/// Detects the single words described at [`CellChunk::Reserved`].
pub(super) fn is_lost_angle(head: u32) -> bool {
    head >> 16 == 0xFFFF
}

/// Name of the define for a cell chunk's id, without its `NJD_`.
pub(crate) fn cell_chunk_name(id: u8) -> &'static str {
    const NAMES: [&str; 16] = [
        "CC_TE", "CC_TS", "CC_CE", "CC_TD", "CC_AT", "CC_CZ", "CC_CP", "CC_UE", "CC_8", "CC_9", "CC_10",
        "CC_11", "CC_12", "CC_13", "CBC_AD", "CBC_ED",
    ];
    NAMES[usize::from(id & 15)]
}

/// Sets the stamps' word counts.
pub(super) fn count_stamps(chunks: &mut [CellChunk]) -> Result<(), Error> {
    let mut after = 0;
    for chunk in chunks.iter_mut().rev() {
        match chunk {
            CellChunk::End { .. } => after = 0,
            CellChunk::Stamp { words, .. } => {
                *words = fits("words after a time stamp", after, 0xFFF)?;
                after = 0;
            }
            _ => after += chunk.words(),
        }
    }
    Ok(())
}
