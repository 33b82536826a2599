//! Time spans of a program's run, for traces.

/// Event that started a call stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The beginning of the measurement.
    #[default]
    Start,
    /// An interrupt, by its INTEVT code.
    Interrupt(u32),
    /// Another exception, by its EXPEVT code.
    Exception(u32),
    /// A new thread: the program returned from an exception to an address at which no known call stack was
    /// interrupted.
    Thread,
}

impl Origin {
    /// Name of the thread, if it differs from the name of its first function.
    #[must_use]
    pub fn name(self) -> Option<String> {
        match self {
            Origin::Start => None,
            Origin::Interrupt(code) => Some(format!("interrupt {code:03x}")),
            Origin::Exception(code) => Some(format!("exception {code:03x}")),
            Origin::Thread => Some("thread".to_owned()),
        }
    }
}

/// The row of a trace in which a span appears.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Track {
    /// Functions of a thread, by its number.
    Thread(u32),
    /// Interrupt handlers, and functions in them.
    Interrupts,
    /// Other exceptions.
    Exceptions,
}

/// The name of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanName {
    /// The function at this address.
    Function(u32),
    /// An interrupt, by its INTEVT code.
    Interrupt(u32),
    /// Another exception, by its EXPEVT code.
    Exception(u32),
}

/// A span, in the console's cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Row of the span.
    pub track: Track,
    /// Name of the span.
    pub name: SpanName,
    /// Time of the beginning.
    pub begin: u64,
    /// Time of the end.
    pub end: u64,
}

/// An event that a trace shows as a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// The program's own mark: a store of this value to the mark register.
    Program(u32),
    /// The tile accelerator begins lists.
    ListInit,
}

/// A mark and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Time of the mark.
    pub time: u64,
    /// Kind of the mark.
    pub kind: MarkKind,
}

/// Spans and marks of a run that a trace has not taken yet.
#[derive(Clone, Debug, Default)]
pub struct SpanLog {
    /// Current time.
    pub(crate) now: u64,
    /// Minimum length of calls in the log.
    shortest: u64,
    /// Spans that have ended.
    pub spans: Vec<Span>,
    /// Marks.
    pub marks: Vec<Mark>,
}

impl SpanLog {
    /// Returns an empty log that omits calls shorter than `shortest` cycles.
    #[must_use]
    pub fn new(shortest: u64) -> SpanLog {
        SpanLog {
            shortest,
            ..SpanLog::default()
        }
    }

    /// Returns all spans and marks since the last call of this function.
    pub(crate) fn take(&mut self) -> SpanLog {
        SpanLog {
            spans: std::mem::take(&mut self.spans),
            marks: std::mem::take(&mut self.marks),
            ..*self
        }
    }

    /// Records the end of a call.
    pub(crate) fn call(&mut self, origin: Origin, thread: u32, entry: u32, begin: u64) {
        if self.now.saturating_sub(begin) >= self.shortest {
            let track = match origin {
                Origin::Interrupt(_) => Track::Interrupts,
                Origin::Exception(_) => Track::Exceptions,
                Origin::Start | Origin::Thread => Track::Thread(thread),
            };
            self.push(track, SpanName::Function(entry), begin);
        }
    }

    /// Records the end of a handler.
    pub(crate) fn handler(&mut self, origin: Origin, begin: u64) {
        match origin {
            Origin::Interrupt(code) => self.push(Track::Interrupts, SpanName::Interrupt(code), begin),
            Origin::Exception(code) => self.push(Track::Exceptions, SpanName::Exception(code), begin),
            Origin::Start | Origin::Thread => {}
        }
    }

    fn push(&mut self, track: Track, name: SpanName, begin: u64) {
        self.spans.push(Span {
            track,
            name,
            begin,
            end: self.now,
        });
    }
}
