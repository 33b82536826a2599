//! Stream lists: several animation patterns at once over the cells of one sprite.

use super::compile::compile;
use super::events::{Event, Events};
use super::settings::{EventRate, IdleStream, StreamSettings};
use super::stream::{Action, CellStream, Found, Stamp, TIME_REPEAT};
use super::warning::{CellWarning, CellWarnings, StreamError};
use super::{CellSprite, CellWords, StreamId};
use ninja::Cell;

/// Streams that a list holds at most: NJD_CELL_PATTERN_MAX.
pub const MAX_STREAMS: usize = 256;

/// Chunks that [`StreamList::seek`] plays at most.
const MAX_PLAYED: usize = 1 << 24;

/// Streams that play together over a private copy of a sprite's cells: NJS_CELL_STREAM_LIST.
///
/// ```
/// use ninja::{Cell, CellChunk, CellStream as Pattern};
/// use scene::{CellSprite, Events, StreamList};
///
/// // One cell, whose texture changes at time 2; the pattern is 4 long.
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
    base: Vec<CellWords>,
    work: Vec<CellWords>,
    streams: Vec<Playing>,
    time: i32,
    next_id: u32,
    settings: StreamSettings,
    warnings: CellWarnings,
}

#[derive(Clone, Debug)]
struct Playing {
    id: StreamId,
    stream: CellStream,
    /// The stamp of the last step.
    current: Option<usize>,
    /// The time in the pattern then; before the first step later than any, so that the first stamp is entered.
    last_time: i64,
}

impl Playing {
    fn rewind(&mut self) {
        (self.current, self.last_time) = (self.stream.first_current, i64::MAX);
    }
}

impl StreamList {
    /// An empty list over the cells of `sprite`, at time 0.
    pub fn new(sprite: &CellSprite) -> Self {
        Self::with_settings(sprite, StreamSettings::default())
    }

    /// The same with other settings.
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
        }
    }

    /// Appends a stream. What is wrong in it is among [`StreamList::warnings`] then, and without effect.
    ///
    /// # Errors
    /// [`StreamError::Full`] if the list holds [`MAX_STREAMS`] streams.
    pub fn add(&mut self, stream: &ninja::CellStream) -> Result<StreamId, StreamError> {
        if self.streams.len() >= MAX_STREAMS {
            return Err(StreamError::Full { limit: MAX_STREAMS });
        }
        let id = StreamId(self.next_id);
        self.next_id += 1;
        let cells = self.base.len();
        let stream = compile(stream, id, cells, self.settings.length, &mut self.warnings);
        let mut playing = Playing {
            id,
            stream,
            current: None,
            last_time: i64::MAX,
        };
        playing.rewind();
        self.streams.push(playing);
        Ok(id)
    }

    /// Takes a stream out; false if it is not in the list. The cells stay as they are.
    pub fn remove(&mut self, id: StreamId) -> bool {
        let before = self.streams.len();
        self.streams.retain(|playing| playing.id != id);
        self.streams.len() < before
    }

    /// The stream of a number.
    pub fn stream(&self, id: StreamId) -> Option<&CellStream> {
        self.streams.iter().find(|p| p.id == id).map(|p| &p.stream)
    }

    /// The streams in the order in which they are run, with their numbers.
    pub fn streams(&self) -> impl Iterator<Item = (StreamId, &CellStream)> {
        self.streams.iter().map(|playing| (playing.id, &playing.stream))
    }

    /// streamtime: what the offsets of the streams count from. It has no unit of its own; steps of 1 at 60 frames a second
    /// make it a 60th of a second.
    pub fn time(&self) -> i32 {
        self.time
    }

    /// The cells as the streams have changed them so far.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell> {
        self.work.iter().map(Cell::from_words)
    }

    /// One of them.
    pub fn cell(&self, index: usize) -> Option<Cell> {
        self.work.get(index).map(Cell::from_words)
    }

    /// The same as words: the work buffer, 16 to a cell as the SH4 sees them.
    pub fn words(&self) -> &[CellWords] {
        &self.work
    }

    /// What was unusual so far, and how often: at most one for each stream and thing.
    pub fn warnings(&self) -> &CellWarnings {
        &self.warnings
    }

    /// Back to time 0, the cells as the sprite has them.
    pub fn reset(&mut self) {
        self.time = 0;
        self.work.clone_from(&self.base);
        self.streams.iter_mut().for_each(Playing::rewind);
    }

    /// Moves the time by `step` and runs the stamp that each stream is then at, in the order of the list.
    ///
    /// A step of 0 shows the present time, which is how a list is begun. As in the original library, steps of more than 1
    /// leave out the stamps between (see [`StreamList::seek`]), and steps back do not undo.
    pub fn advance(&mut self, step: i32, events: &mut Events<'_>) {
        self.time = self.time.saturating_add(step);
        self.run(step < 0, Some(events));
    }

    /// Goes to `time` as if everything from time 0 on had been played in steps of 1, without delivering events.
    ///
    /// Where the streams allow it ([`CellStream::is_skippable`]) this costs no more than a step; else it plays.
    ///
    /// # Errors
    /// [`StreamError::Time`] before the beginning; [`StreamError::TooFar`] if that much cannot be played, the list then
    /// stands at an earlier time.
    pub fn seek(&mut self, time: i32) -> Result<(), StreamError> {
        if time < 0 {
            return Err(StreamError::Time { time });
        }
        self.reset();
        if self.can_skip_to(time) {
            self.time = time;
            self.run(false, None);
            return Ok(());
        }
        let mut played = self.run(false, None);
        while self.time < time {
            if played > MAX_PLAYED {
                let (reached, limit) = (self.time, MAX_PLAYED);
                return Err(StreamError::TooFar { time, reached, limit });
            }
            self.time += 1;
            played += self.run(false, None);
        }
        Ok(())
    }

    /// Whether the cells at `time` depend on the stamps of that time alone: all streams change the same members in all
    /// their stamps, and none of those that repeat is stopped by a cell that does not.
    fn can_skip_to(&self, time: i32) -> bool {
        let repeating = || self.streams.iter().filter(|p| p.stream.is_repeating(time));
        let mut gates = repeating().flat_map(|p| p.stream.gates());
        self.streams.iter().all(|p| p.stream.is_skippable()) && gates.all(|cell| self.always_repeats(cell))
    }

    fn always_repeats(&self, cell: usize) -> bool {
        let repeats = |words: &CellWords| words[0] & TIME_REPEAT != 0;
        self.base.get(cell).is_some_and(repeats)
            && self
                .streams
                .iter()
                .all(|p| !p.stream.clears(cell * Cell::WORDS, TIME_REPEAT))
    }

    /// Runs all streams at the present time and tells how much work that was.
    fn run(&mut self, backwards: bool, mut events: Option<&mut Events<'_>>) -> usize {
        let mut played = 1;
        for i in 0..self.streams.len() {
            let playing = &mut self.streams[i];
            let before = (playing.current, playing.last_time);
            let found = playing.stream.search(self.time, backwards, playing.current);
            (playing.current, playing.last_time) = (found.stamp, found.time);
            if let Some(stamp) = found.stamp {
                let entered = before.0 != found.stamp || found.time < before.1;
                let wanted = self.settings.events == EventRate::EveryStep || entered || backwards;
                let events = events.as_deref_mut().filter(|_| wanted);
                played += self.apply(i, stamp, found, events);
            } else if self.settings.idle == IdleStream::Restores {
                self.work.copy_from_slice(&self.base);
                played += self.base.len();
            }
        }
        played
    }

    fn apply(
        &mut self,
        index: usize,
        stamp: usize,
        found: Found,
        mut events: Option<&mut Events<'_>>,
    ) -> usize {
        let Playing { id, stream, .. } = &self.streams[index];
        let Stamp { actions, .. } = &stream.stamps[stamp];
        let mut played = 0;
        for action in &stream.actions[actions.clone()] {
            played += 1;
            match action {
                Action::Write { gate, writes } => {
                    let closed = |cell: usize| self.work[cell][0] & TIME_REPEAT == 0;
                    if found.repeats && gate.is_some_and(closed) {
                        return played;
                    }
                    played += writes.len();
                    let writes = &stream.writes[writes.clone()];
                    writes.iter().for_each(|write| write.apply(&mut self.work));
                }
                Action::Event { id: event, words } => {
                    let Some(events) = events.as_deref_mut() else {
                        continue;
                    };
                    let delivered = events.deliver(Event {
                        id: *event,
                        words: &stream.event_words[words.clone()],
                        stream: *id,
                        time: self.time,
                    });
                    if !delivered {
                        let (stream, event) = (*id, *event);
                        *self
                            .warnings
                            .entry(CellWarning::UnknownEvent { stream, event })
                            .or_default() += 1;
                    }
                }
            }
        }
        played
    }
}
