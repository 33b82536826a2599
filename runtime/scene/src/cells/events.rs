//! User events and their callbacks.

use super::StreamId;
use std::fmt;

/// A user event of a stream, UE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<'a> {
    /// Number of the event.
    pub id: u16,
    /// Data words: integers, float bits or flags, by convention between artist and program. At most 4,095.
    pub words: &'a [u32],
    /// Stream that contains the event.
    pub stream: StreamId,
    /// Time of the list.
    pub time: i32,
}

/// Callbacks for user events; a number may have several (docs/formats/cell-sprite.md 3.9).
///
/// ```
/// let mut steps = Vec::new();
/// let mut events = scene::Events::new();
/// events.on(3, |event| steps.push(event.words.to_vec()));
/// ```
#[derive(Default)]
pub struct Events<'a> {
    callbacks: Vec<(Option<u16>, Callback<'a>)>,
}

/// Type of a callback.
type Callback<'a> = Box<dyn FnMut(Event<'_>) + 'a>;

impl<'a> Events<'a> {
    /// Creates an empty set of callbacks.
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls `callback` for each event with number `id`, after callbacks registered earlier.
    pub fn on(&mut self, id: u16, callback: impl FnMut(Event<'_>) + 'a) -> &mut Self {
        self.callbacks.push((Some(id), Box::new(callback)));
        self
    }

    /// Calls `callback` for every event.
    pub fn on_any(&mut self, callback: impl FnMut(Event<'_>) + 'a) -> &mut Self {
        self.callbacks.push((None, Box::new(callback)));
        self
    }

    /// Delivers an event; false if it has no callback.
    pub(super) fn deliver(&mut self, event: Event<'_>) -> bool {
        let mut delivered = false;
        let matches = |id: &Option<u16>| id.is_none_or(|id| id == event.id);
        for (_, callback) in self.callbacks.iter_mut().filter(|(id, _)| matches(id)) {
            callback(event);
            delivered = true;
        }
        delivered
    }
}

impl fmt::Debug for Events<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<Option<u16>> = self.callbacks.iter().map(|(id, _)| *id).collect();
        f.debug_struct("Events").field("ids", &ids).finish()
    }
}
