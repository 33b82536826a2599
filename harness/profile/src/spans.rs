//! Spans of time of a program's run, for traces.

/// The beginning of a stack of calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The beginning of the measurement.
    #[default]
    Start,
    /// An interrupt, by its INTEVT code.
    Interrupt(u32),
    /// Another exception, by its EXPEVT code.
    Exception(u32),
    /// A return from an exception to a place that no known stack was left at: a thread.
    Thread,
}

impl Origin {
    /// Its name, if the first function's name does not say it.
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

/// The row of a trace that a span belongs to.
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
    /// Its row.
    pub track: Track,
    /// Its name.
    pub name: SpanName,
    /// Its beginning.
    pub begin: u64,
    /// Its end.
    pub end: u64,
}

/// A store that a trace shows.
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
    /// The time.
    pub time: u64,
    /// What was stored.
    pub kind: MarkKind,
}

/// What a run leaves for a trace, until it is taken.
#[derive(Clone, Debug, Default)]
pub struct SpanLog {
    /// The present time.
    pub(crate) now: u64,
    /// Calls that took less time are left out.
    shortest: u64,
    /// Spans that have ended.
    pub spans: Vec<Span>,
    /// Marks.
    pub marks: Vec<Mark>,
}

impl SpanLog {
    /// An empty log. It leaves calls of less than `shortest` cycles out.
    #[must_use]
    pub fn new(shortest: u64) -> SpanLog {
        SpanLog {
            shortest,
            ..SpanLog::default()
        }
    }

    /// Everything since the last call.
    pub(crate) fn take(&mut self) -> SpanLog {
        SpanLog {
            spans: std::mem::take(&mut self.spans),
            marks: std::mem::take(&mut self.marks),
            ..*self
        }
    }

    /// A call ends.
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

    /// A handler ends.
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
