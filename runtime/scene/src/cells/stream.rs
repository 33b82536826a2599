//! Streams made ready for playing: every chunk becomes masked writes of words of the work buffer (facts 1.11, 2.7).

use super::settings::StampLength;
use super::warning::{CellWarning, CellWarnings};
use super::{CellWords, StreamId};
use ninja::{BlockBits, Cell, CellChunk};
use std::ops::Range;

/// Bits of a cell's first word: attributes, texture.
const ATTR: u32 = 0xFFFF_0000;
const TEX_ID: u32 = 0x0000_FFFF;
/// Bits of a cell's sixth word: priority, angle.
const PRIORITY: u32 = 0xFFFF_0000;
const ZANG: u32 = 0x0000_FFFF;
const WHOLE: u32 = u32::MAX;
/// NJD_FCA_TR in a cell's first word.
pub(super) const TIME_REPEAT: u32 = (ninja::CellAttr::TIME_REPEAT.0 as u32) << 16;

/// A word of the work buffer gets the bits of `value` under `mask`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Write {
    /// 16 to each cell.
    pub(super) word: usize,
    pub(super) mask: u32,
    pub(super) value: u32,
}

impl Write {
    pub(super) fn apply(&self, work: &mut [CellWords]) {
        if let Some(word) = work.as_flattened_mut().get_mut(self.word) {
            *word = *word & !self.mask | self.value & self.mask;
        }
    }
}

/// What a chunk does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Writes. With a `gate`, a repetition ends the stamp here if that cell does not repeat.
    Write {
        gate: Option<usize>,
        writes: Range<usize>,
    },
    /// A user event with its words.
    Event { id: u16, words: Range<usize> },
}

/// A time stamp and what happens then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) time: i64,
    pub(super) actions: Range<usize>,
}

/// A stream made ready for a sprite: an animation pattern of its cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellStream {
    pub(super) stamps: Vec<Stamp>,
    /// Time of the end chunk.
    end: i64,
    offset: i64,
    max: i64,
    /// The stamp that cur_stamp_p points at.
    pub(super) first_current: Option<usize>,
    pub(super) actions: Vec<Action>,
    pub(super) writes: Vec<Write>,
    pub(super) event_words: Vec<u32>,
    skippable: bool,
}

/// The stamp of a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) stamp: Option<usize>,
    /// Time within the pattern.
    pub(super) time: i64,
    /// The pattern runs a second or later time.
    pub(super) repeats: bool,
}

impl CellStream {
    /// When the pattern begins, in the list's time.
    pub fn time_offset(&self) -> i32 {
        self.offset as i32
    }

    /// How long it is; it repeats from then on.
    pub fn time_max(&self) -> i32 {
        self.max as i32
    }

    /// Number of time stamps, without the end.
    pub fn stamp_count(&self) -> usize {
        self.stamps.len()
    }

    /// Whether any time can be gone to without playing what lies before it: all stamps change the same members, there is
    /// a stamp at every time of the pattern, and times ascend. Cells without NJD_FCA_TR can still make it necessary.
    pub fn is_skippable(&self) -> bool {
        self.skippable
    }

    pub(super) fn is_repeating(&self, time: i32) -> bool {
        i64::from(time) >= self.offset + self.max
    }

    /// The stamp for the list's `time`: from the `current` one on if time goes forward, else from the first.
    pub(super) fn search(&self, time: i32, backwards: bool, current: Option<usize>) -> Found {
        let since = i64::from(time) - self.offset;
        if since < 0 || self.max <= 0 {
            return Found::default();
        }
        let repeats = since >= self.max;
        let time = since % self.max;
        let start = match current {
            Some(current) if !backwards && time != 0 => current,
            _ => 0,
        };
        let again = || (repeats && start > 0).then(|| self.walk(0, time)).flatten();
        Found {
            stamp: self.walk(start, time).or_else(again),
            time,
            repeats,
        }
    }

    /// The first stamp from `start` on that holds at `time` of the pattern: up to the next one, or the end.
    fn walk(&self, start: usize, time: i64) -> Option<usize> {
        (start..self.stamps.len()).find(|&i| {
            let next = self.stamps.get(i + 1).map_or(self.end, |next| next.time);
            self.stamps[i].time <= time && time < next
        })
    }

    /// The cells that can end a stamp in a repetition, as often as they are tested.
    pub(super) fn gates(&self) -> impl Iterator<Item = usize> {
        self.actions.iter().filter_map(|action| match action {
            Action::Write { gate, .. } => *gate,
            Action::Event { .. } => None,
        })
    }

    /// Whether any stamp clears one of the bits `mask` of a word.
    pub(super) fn clears(&self, word: usize, mask: u32) -> bool {
        let mut writes = self.writes.iter();
        writes.any(|write| write.word == word && write.mask & mask & !write.value != 0)
    }

    fn writes_of(&self, stamp: &Stamp) -> impl Iterator<Item = &Write> {
        self.actions[stamp.actions.clone()]
            .iter()
            .filter_map(|action| match action {
                Action::Write { writes, .. } => Some(&self.writes[writes.clone()]),
                Action::Event { .. } => None,
            })
            .flatten()
    }

    /// The members that a stamp changes: words and bits, ascending.
    fn members(&self, stamp: &Stamp) -> Vec<(usize, u32)> {
        let mut members: Vec<(usize, u32)> = self.writes_of(stamp).map(|w| (w.word, w.mask)).collect();
        members.sort_unstable();
        members.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 |= next.1;
            }
            same
        });
        members
    }

    fn find_skippable(&self) -> bool {
        let Some(first) = self.stamps.first() else {
            return true;
        };
        let covered = first.time == 0 && self.end >= self.max && self.first_current.is_none_or(|i| i == 0);
        let ascending = self.stamps.is_sorted_by_key(|stamp| stamp.time);
        covered && ascending && {
            let members = self.members(first);
            self.stamps.iter().all(|stamp| self.members(stamp) == members)
        }
    }
}

/// Makes `stream` ready for a sprite of `cells` cells.
pub(super) fn compile(
    stream: &ninja::CellStream,
    id: StreamId,
    cells: usize,
    length: StampLength,
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
        length,
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
    out.skippable = out.find_skippable();
    out
}

fn warn(warnings: &mut CellWarnings, warning: CellWarning) {
    *warnings.entry(warning).or_default() += 1;
}

struct Compiler<'a> {
    out: CellStream,
    id: StreamId,
    /// Words of the work buffer.
    words: usize,
    length: StampLength,
    /// Words that the present stamp still counts.
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
        self.left = match self.length {
            StampLength::Counted => words,
            StampLength::Whole => usize::MAX,
        };
        let start = self.out.actions.len();
        self.out.stamps.push(Stamp {
            time: i64::from(time),
            actions: start..start,
        });
    }

    /// One warning a stream, of the first such stamp.
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
                self.write(cell, burst(start + usize::from(*offset), data));
            }
            CellChunk::Reserved { .. } | CellChunk::End { .. } | CellChunk::Stamp { .. } => {}
        }
    }

    /// Both halves of a word get the value, of which the mask takes one.
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

    /// One warning a stream, of the first such cell.
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

/// The words of a CE as they come, and where in the cell each goes: word, mask, value.
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
    // In chunks the first of two halves is the high one, in memory the low one (facts 1.11).
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
