//! Stream lists: several animation patterns play at once on the cells of one sprite.

use super::compile::compile;
use super::events::{Event, Events};
use super::stream::{Action, CellStream, CurrentStamp, Stamp, TIME_REPEAT};
use super::warning::{CellWarning, CellWarnings, StreamError};
use super::{CellSprite, CellWords, StreamId};
use crate::{EventRate, IdleStream, StampRule, StreamSettings, TimeRepeat};
use ninja::Cell;
use std::collections::HashMap;

/// Maximum number of streams in a list: NJD_CELL_PATTERN_MAX.
pub const MAX_STREAMS: usize = 256;

/// Streams that play together on a private copy of a sprite's cells: NJS_CELL_STREAM_LIST.
///
/// ```
/// use ninja::{Cell, CellChunk, CellStream as Pattern};
/// use scene::{CellSprite, Events, StreamList};
///
/// // One cell with a texture that changes at time 2; the pattern has the length 4.
/// let sprite = CellSprite::new(vec![Cell::default()]);
/// let texture = |tex_id| CellChunk::Texture { entry: 0, tex_id };
/// let stamp = |time| CellChunk::Stamp { words: 1, time };
/// let end = CellChunk::End { dummy: 0, time: 4 };
/// let pattern = Pattern::new(vec![stamp(0), texture(7), stamp(2), texture(8), end]);
///
/// let mut list = StreamList::new(&sprite);
/// list.add(&pattern)?;
/// let mut seen = Vec::new();
/// list.advance(0, &mut Events::new());
/// for _ in 0..4 {
///     seen.push(list.cell(0).map(|cell| cell.tex_id));
///     list.advance(1, &mut Events::new());
/// }
/// assert_eq!(seen, [Some(7), Some(7), Some(8), Some(8)]);
/// # Ok::<(), scene::StreamError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StreamList {
    pub(super) base: Vec<CellWords>,
    work: Vec<CellWords>,
    pub(super) streams: Vec<ListedStream>,
    pub(super) time: i32,
    next_id: u32,
    pub(super) settings: StreamSettings,
    warnings: CellWarnings,
    /// Mask, value and stream of each write in the first runs of all patterns, by time and word.
    written: HashMap<(i64, usize), (u32, u32, StreamId)>,
}

#[derive(Clone, Debug)]
pub(super) struct ListedStream {
    pub(super) id: StreamId,
    pub(super) stream: CellStream,
    /// First time with stamps that have not run; `None` before the first step.
    pub(super) next: Option<i64>,
    /// Current stamp of the last step, for the rule [`StampRule::Held`].
    current: Option<usize>,
    /// Time in the pattern at the last step; initially later than all times, so that the first stamp counts
    /// as new.
    last_time: i64,
}

impl ListedStream {
    fn new(id: StreamId, stream: CellStream) -> Self {
        let mut playing = Self {
            id,
            stream,
            next: None,
            current: None,
            last_time: i64::MAX,
        };
        playing.rewind();
        playing
    }

    fn rewind(&mut self) {
        self.next = None;
        (self.current, self.last_time) = (self.stream.first_current, i64::MAX);
    }
}

impl StreamList {
    /// Creates an empty list for the cells of `sprite`, at time 0.
    pub fn new(sprite: &CellSprite) -> Self {
        Self::with_settings(sprite, StreamSettings::default())
    }

    /// Creates an empty list with other settings.
    pub fn with_settings(sprite: &CellSprite, settings: StreamSettings) -> Self {
        let base = sprite.words();
        Self {
            work: base.clone(),
            base,
            streams: Vec::new(),
            time: 0,
            next_id: 0,
            settings,
            warnings: CellWarnings::new(),
            written: HashMap::new(),
        }
    }

    /// Appends a stream. Its invalid parts have no effect and are reported in [`StreamList::warnings`].
    ///
    /// # Errors
    /// [`StreamError::Full`] if the list already has [`MAX_STREAMS`] streams.
    pub fn add(&mut self, stream: &ninja::CellStream) -> Result<StreamId, StreamError> {
        if self.streams.len() >= MAX_STREAMS {
            return Err(StreamError::Full { limit: MAX_STREAMS });
        }
        let id = StreamId(self.next_id);
        self.next_id += 1;
        let cells = self.base.len();
        let stream = compile(stream, id, cells, self.settings, &mut self.warnings);
        if self.settings.stamps == StampRule::Reached {
            self.find_same_members(id, &stream);
        }
        self.streams.push(ListedStream::new(id, stream));
        Ok(id)
    }

    /// Warns of members to which two streams write different values at the same time, once per pair of
    /// streams. Only then does the order of the list matter.
    fn find_same_members(&mut self, id: StreamId, stream: &CellStream) {
        let mut met = Vec::new();
        for (time, write) in stream.timed_writes() {
            let entry = (write.mask, write.value, id);
            let Some((mask, value, first)) = self.written.insert((time, write.word), entry) else {
                continue;
            };
            let differs = mask & write.mask & (value ^ write.value) != 0;
            if first != id && differs && !met.contains(&first) {
                met.push(first);
                let (cell, time) = ((write.word / Cell::WORDS) as u16, time as i32);
                self.warn(CellWarning::SameMember {
                    first,
                    second: id,
                    cell,
                    time,
                });
            }
        }
    }

    pub(super) fn warn(&mut self, warning: CellWarning) {
        *self.warnings.entry(warning).or_default() += 1;
    }

    /// Removes a stream; false if it is not in the list. The cells do not change.
    pub fn remove(&mut self, id: StreamId) -> bool {
        let before = self.streams.len();
        self.streams.retain(|playing| playing.id != id);
        self.written.retain(|_, (_, _, by)| *by != id);
        self.streams.len() < before
    }

    /// Returns the stream with a number.
    pub fn stream(&self, id: StreamId) -> Option<&CellStream> {
        self.streams.iter().find(|p| p.id == id).map(|p| &p.stream)
    }

    /// Iterates over the streams in execution order, with their numbers.
    pub fn streams(&self) -> impl Iterator<Item = (StreamId, &CellStream)> {
        self.streams.iter().map(|playing| (playing.id, &playing.stream))
    }

    /// streamtime: the time to which the offsets of streams refer. It has no unit: with steps of 1 at 60
    /// frames per second it counts 60ths of a second.
    pub fn time(&self) -> i32 {
        self.time
    }

    /// Iterates over the cells as changed by the streams.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell> {
        self.work.iter().map(Cell::from_words)
    }

    /// Returns one cell.
    pub fn cell(&self, index: usize) -> Option<Cell> {
        self.work.get(index).map(Cell::from_words)
    }

    /// Returns the cells as words: the work buffer, 16 words per cell as seen by the SH4.
    pub fn words(&self) -> &[CellWords] {
        &self.work
    }

    /// Warnings up to now with their counts: at most one for each stream and kind.
    pub fn warnings(&self) -> &CellWarnings {
        &self.warnings
    }

    /// Resets the time to 0 and the cells to the sprite's.
    pub fn reset(&mut self) {
        self.time = 0;
        self.work.clone_from(&self.base);
        self.streams.iter_mut().for_each(ListedStream::rewind);
    }

    /// Runs the current stamp of each stream, in list order; returns the amount of work. This is the rule
    /// [`StampRule::Held`].
    pub(super) fn run_held(&mut self, backwards: bool, mut events: Option<&mut Events<'_>>) -> usize {
        let mut played = 1;
        for i in 0..self.streams.len() {
            let playing = &mut self.streams[i];
            let before = (playing.current, playing.last_time);
            let found = playing
                .stream
                .search(self.time, backwards, playing.current, self.settings.span);
            (playing.current, playing.last_time) = (found.stamp, found.time);
            if let Some(stamp) = found.stamp {
                let entered = before.0 != found.stamp || found.time < before.1;
                let wanted = self.settings.events == EventRate::EveryStep || entered || backwards;
                let events = events.as_deref_mut().filter(|_| wanted);
                let CurrentStamp { repeats, .. } = found;
                played += self.apply(i, stamp, self.time, repeats, events);
            } else if self.settings.idle == IdleStream::Restores {
                self.work.copy_from_slice(&self.base);
                played += self.base.len();
            }
        }
        played
    }

    /// Runs the chunks of a stamp; returns the amount of work. `repeats` is true outside the first run of the
    /// pattern.
    pub(super) fn apply(
        &mut self,
        index: usize,
        stamp: usize,
        time: i32,
        repeats: bool,
        mut events: Option<&mut Events<'_>>,
    ) -> usize {
        let ListedStream { id, stream, .. } = &self.streams[index];
        let Stamp { actions, .. } = &stream.stamps[stamp];
        let by_cell = self.settings.repeat == TimeRepeat::Cell;
        let open = |work: &[CellWords], cell: usize| {
            !repeats || work.get(cell).is_some_and(|words| words[0] & TIME_REPEAT != 0)
        };
        let mut played = 0;
        for action in &stream.actions[actions.clone()] {
            played += 1;
            match action {
                Action::Write { gate, writes } => {
                    if gate.is_some_and(|cell| !open(&self.work, cell)) {
                        if by_cell {
                            continue;
                        }
                        return played;
                    }
                    played += writes.len();
                    let writes = &stream.writes[writes.clone()];
                    if gate.is_none() && by_cell && repeats {
                        // A burst to an address may cover several cells; cells that do not repeat keep their
                        // values.
                        let stays: Vec<bool> = writes.iter().map(|w| open(&self.work, w.cell())).collect();
                        let kept = writes.iter().zip(stays).filter(|(_, kept)| *kept);
                        kept.for_each(|(write, _)| write.apply(&mut self.work));
                    } else {
                        writes.iter().for_each(|write| write.apply(&mut self.work));
                    }
                }
                Action::Event { id: event, words } => {
                    let Some(events) = events.as_deref_mut() else {
                        continue;
                    };
                    if by_cell && repeats && !stream.cells.iter().any(|cell| open(&self.work, *cell)) {
                        continue;
                    }
                    let (event, stream_id) = (*event, *id);
                    let delivered = events.deliver(Event {
                        id: event,
                        words: &stream.event_words[words.clone()],
                        stream: stream_id,
                        time,
                    });
                    if !delivered {
                        let unknown = CellWarning::UnknownEvent {
                            stream: stream_id,
                            event,
                        };
                        *self.warnings.entry(unknown).or_default() += 1;
                    }
                }
            }
        }
        played
    }
}
