//! Preparation of streams for playing: words written by each chunk (docs/formats/cell-sprite.md 3).

use super::StreamId;
use super::stream::{Action, CellStream, Stamp, Write};
use super::warning::{CellWarning, CellWarnings};
use crate::{EntryBurst, StampLength, StreamSettings};
use ninja::{BlockBits, Cell, CellChunk};

/// Bits of a cell's first word: attributes, texture.
const ATTR: u32 = 0xFFFF_0000;
const TEX_ID: u32 = 0x0000_FFFF;
/// Bits of a cell's sixth word: priority, angle.
const PRIORITY: u32 = 0xFFFF_0000;
const ZANG: u32 = 0x0000_FFFF;
const WHOLE: u32 = u32::MAX;

/// Prepares `stream` for a sprite of `cells` cells.
pub(super) fn compile(
    stream: &ninja::CellStream,
    id: StreamId,
    cells: usize,
    settings: StreamSettings,
    warnings: &mut CellWarnings,
) -> CellStream {
    let mut compiler = Compiler {
        out: CellStream {
            offset: i64::from(stream.time_offset),
            max: i64::from(stream.time_max),
            ..CellStream::default()
        },
        id,
        words: cells * Cell::WORDS,
        settings,
        left: 0,
        warnings,
    };
    let mut at = 0;
    for chunk in &stream.chunks {
        if let CellChunk::Stamp { .. } = chunk
            && stream.current == Some(at)
        {
            compiler.out.first_current = Some(compiler.out.stamps.len());
        }
        compiler.chunk(chunk);
        at += chunk.words() as u32;
    }
    let mut out = compiler.out;
    if out.max <= 0 {
        let time_max = stream.time_max;
        warn(warnings, CellWarning::NoLength { stream: id, time_max });
    }
    out.index();
    out
}

fn warn(warnings: &mut CellWarnings, warning: CellWarning) {
    *warnings.entry(warning).or_default() += 1;
}

struct Compiler<'a> {
    out: CellStream,
    id: StreamId,
    /// Number of words of the work buffer.
    words: usize,
    settings: StreamSettings,
    /// Number of words remaining in the current stamp.
    left: usize,
    warnings: &'a mut CellWarnings,
}

impl Compiler<'_> {
    fn chunk(&mut self, chunk: &CellChunk) {
        match chunk {
            CellChunk::End { time, .. } => self.out.end = i64::from(*time),
            CellChunk::Stamp { words, time } => self.stamp(*time, usize::from(*words)),
            _ if self.out.stamps.is_empty() => {
                let stream = self.id;
                warn(self.warnings, CellWarning::BeforeFirstStamp { stream });
            }
            _ if self.left == 0 => self.uncounted(),
            _ => {
                self.left = self.left.saturating_sub(chunk.words());
                self.act(chunk);
                if let Some(stamp) = self.out.stamps.last_mut() {
                    stamp.actions.end = self.out.actions.len();
                }
            }
        }
    }

    fn stamp(&mut self, time: u16, words: usize) {
        self.left = match self.settings.length {
            StampLength::Counted => words,
            StampLength::Whole => usize::MAX,
        };
        let start = self.out.actions.len();
        self.out.stamps.push(Stamp {
            time: i64::from(time),
            actions: start..start,
        });
    }

    /// Warns of chunks beyond the current stamp's word count. Each stream has one warning, for its first such
    /// stamp.
    fn uncounted(&mut self) {
        let stream = self.id;
        let known =
            |w: &&CellWarning| matches!(w, CellWarning::Uncounted { stream: of, .. } if *of == stream);
        let first = self.warnings.keys().find(known).copied();
        let time = self.out.stamps.last().map_or(0, |stamp| stamp.time as u16);
        let warning = first.unwrap_or(CellWarning::Uncounted { stream, time });
        warn(self.warnings, warning);
    }

    fn act(&mut self, chunk: &CellChunk) {
        let cell = chunk.entry().map(usize::from);
        let start = cell.unwrap_or(0) * Cell::WORDS;
        match chunk {
            CellChunk::Event { event, data } => self.event(*event, data),
            CellChunk::Change(change) => {
                let writes = block_writes(change.blocks, &change.words);
                self.write(
                    cell,
                    writes.map(|(word, mask, value)| (start + word, mask, value)),
                );
            }
            CellChunk::Texture { tex_id, .. } => self.half(cell, start, TEX_ID, *tex_id as u16),
            CellChunk::Attr { attr, .. } => self.half(cell, start, ATTR, attr.0),
            CellChunk::ZAngle { zang, .. } => self.half(cell, start + 5, ZANG, *zang as u16),
            CellChunk::Priority { priority, .. } => {
                self.half(cell, start + 5, PRIORITY, *priority as u16);
            }
            CellChunk::Address { address, data } => {
                self.write(None, burst(usize::from(*address), data));
            }
            CellChunk::Entry { offset, data, .. } => {
                self.entry_burst(usize::from(*offset), data, (cell, start));
            }
            CellChunk::Reserved { .. } | CellChunk::End { .. } | CellChunk::Stamp { .. } => {}
        }
    }

    /// Copies the value to both halves of a word; the mask selects one.
    fn half(&mut self, cell: Option<usize>, word: usize, mask: u32, value: u16) {
        let value = u32::from(value) << 16 | u32::from(value);
        self.write(cell, std::iter::once((word, mask, value)));
    }

    fn event(&mut self, id: u16, data: &[u32]) {
        let start = self.out.event_words.len();
        self.out.event_words.extend_from_slice(data);
        let words = start..self.out.event_words.len();
        self.out.actions.push(Action::Event { id, words });
    }

    fn write(&mut self, gate: Option<usize>, writes: impl Iterator<Item = (usize, u32, u32)>) {
        if let Some(cell) = gate.filter(|cell| cell * Cell::WORDS >= self.words) {
            return self.missing(cell as u16);
        }
        let start = self.out.writes.len();
        self.out
            .writes
            .extend(writes.map(|(word, mask, value)| Write { word, mask, value }));
        let outside = self.out.writes[start..]
            .iter()
            .find(|write| write.word >= self.words);
        if let Some(&Write { word, .. }) = outside {
            self.out.writes.truncate(start);
            let stream = self.id;
            warn(self.warnings, CellWarning::BurstOutside { stream, word });
        }
        let writes = start..self.out.writes.len();
        self.out.actions.push(Action::Write { gate, writes });
    }

    /// A write over several cells is invalid (docs/formats/cell-sprite.md 3.11).
    fn entry_burst(&mut self, offset: usize, data: &[u32], (cell, start): (Option<usize>, usize)) {
        let leaves = offset + data.len() > Cell::WORDS;
        if leaves && self.settings.entry_burst == EntryBurst::Cell {
            let (stream, cell) = (self.id, cell.unwrap_or(0) as u16);
            let (offset, words) = (offset as u16, data.len() as u16);
            warn(
                self.warnings,
                CellWarning::EntryOutside {
                    stream,
                    cell,
                    offset,
                    words,
                },
            );
            return;
        }
        self.write(cell, burst(start + offset, data));
    }

    /// Warns of a cell that the sprite does not have. Each stream has one warning, for its first such cell.
    fn missing(&mut self, cell: u16) {
        let stream = self.id;
        let known =
            |w: &&CellWarning| matches!(w, CellWarning::MissingCell { stream: of, .. } if *of == stream);
        let first = self.warnings.keys().find(known).copied();
        let warning = first.unwrap_or(CellWarning::MissingCell { stream, cell });
        warn(self.warnings, warning);
    }
}

fn burst(start: usize, data: &[u32]) -> impl Iterator<Item = (usize, u32, u32)> {
    data.iter()
        .enumerate()
        .map(move |(i, value)| (start + i, WHOLE, *value))
}

/// Iterates over the words of a CE in order, with their destination in the cell: word, mask, value.
fn block_writes(blocks: BlockBits, words: &[u32]) -> impl Iterator<Item = (usize, u32, u32)> {
    let has = |block| blocks.contains(block);
    let mut places: Vec<(usize, u32)> = Vec::new();
    if has(BlockBits::IA0) {
        places.push((0, WHOLE));
    }
    if has(BlockBits::MO1) {
        places.extend((1..5).map(|word| (word, WHOLE)));
    }
    match (has(BlockBits::MO1), has(BlockBits::PR2)) {
        (true, true) => places.push((5, WHOLE)),
        (true, false) => places.push((5, ZANG)),
        (false, true) => places.push((5, PRIORITY)),
        (false, false) => {}
    }
    if has(BlockBits::CE3) {
        places.extend((6..8).map(|word| (word, WHOLE)));
    }
    if has(BlockBits::VC4) {
        places.extend((8..12).map(|word| (word, WHOLE)));
    }
    if has(BlockBits::UV5) {
        places.extend((12..16).map(|word| (word, WHOLE)));
    }
    // In chunks the first of two halves is the high one, in memory it is the low one
    // (docs/formats/cell-sprite.md 3.4).
    let in_memory = |(word, mask): (usize, u32), value: u32| match (word, mask) {
        (0 | 5, WHOLE) => value.rotate_left(16),
        (5, PRIORITY) => value << 16,
        _ => value,
    };
    let values: Vec<(usize, u32, u32)> = places
        .into_iter()
        .zip(words)
        .map(|(place, value)| (place.0, place.1, in_memory(place, *value)))
        .collect();
    values.into_iter()
}
