//! A cycle model as the clock of a console.

use sh4::Observer;

/// The reason for time in which no instruction issues and that no instruction causes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Idle {
    /// SLEEP, until an interrupt.
    Sleep,
    /// The entry of an exception or interrupt.
    Entry,
    /// A call of the firmware, which the host serves.
    Firmware,
    /// Memory stalls grow by this time: DMA and refresh use the bus too.
    Bus,
}

impl Idle {
    /// All reasons.
    pub const ALL: [Idle; 4] = [Idle::Sleep, Idle::Entry, Idle::Firmware, Idle::Bus];

    /// Its name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Idle::Sleep => "sleep",
            Idle::Entry => "interrupt entry",
            Idle::Firmware => "firmware",
            Idle::Bus => "DMA and refresh on the bus",
        }
    }
}

/// Time without instructions, by its reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IdleTime([u64; Idle::ALL.len()]);

impl IdleTime {
    /// The cycles for one reason.
    #[must_use]
    pub fn of(&self, idle: Idle) -> u64 {
        self.0[idle as usize]
    }

    /// All cycles.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// All cycles in which the performance counters count: they stop during SLEEP.
    #[must_use]
    pub fn awake(&self) -> u64 {
        self.all() - self.of(Idle::Sleep)
    }

    pub(crate) fn add(&mut self, idle: Idle, cycles: u64) {
        let sum = &mut self.0[idle as usize];
        *sum = sum.saturating_add(cycles);
    }
}

/// A cycle model that gives a console its time.
pub trait ConsoleClock: Observer {
    /// All cycles so far: those of the instructions and those in which none issued.
    fn cycles(&self) -> u64;
    /// Cycles for which memory froze the CPU. Only differences have a meaning.
    fn frozen(&self) -> u64;
    /// Lets `cycles` pass in which no instruction issues.
    fn pass(&mut self, idle: Idle, cycles: u64);
}
