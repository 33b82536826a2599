//! A cycle model as the clock of a console.

use sh4::Observer;

/// Reason for time that passes outside of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Idle {
    /// SLEEP until an interrupt.
    Sleep,
    /// The entry of an exception or interrupt.
    Entry,
    /// A firmware call, which the host serves.
    Firmware,
    /// Additional memory stalls: DMA and refresh also use the bus.
    Bus,
}

impl Idle {
    /// All reasons.
    pub const ALL: [Idle; 4] = [Idle::Sleep, Idle::Entry, Idle::Firmware, Idle::Bus];

    /// Name in tables.
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

/// Time without instructions, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IdleTime([u64; Idle::ALL.len()]);

impl IdleTime {
    /// Cycles for one reason.
    #[must_use]
    pub fn of(&self, idle: Idle) -> u64 {
        self.0[idle as usize]
    }

    /// Sum of all cycles.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Cycles in which the performance counters run: they stop during SLEEP.
    #[must_use]
    pub fn awake(&self) -> u64 {
        self.all() - self.of(Idle::Sleep)
    }

    pub(crate) fn add(&mut self, idle: Idle, cycles: u64) {
        let sum = &mut self.0[idle as usize];
        *sum = sum.saturating_add(cycles);
    }
}

/// A cycle model that supplies a console's time.
pub trait ConsoleClock: Observer {
    /// All cycles up to now: cycles of instructions and idle cycles.
    fn cycles(&self) -> u64;
    /// Cycles in which memory froze the CPU. Only differences are meaningful.
    fn frozen(&self) -> u64;
    /// Adds `cycles` without instructions.
    fn pass(&mut self, idle: Idle, cycles: u64);
}
