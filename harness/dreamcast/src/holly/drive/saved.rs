//! The state of the drive for saved states of the console.

use super::{Delay, Drive, Next, Phase, Reading, Sense};

state::fields!(Sense(key, code));

state::variants!(Next {
    0 Packet(bytes),
    1 Block,
    2 Answer(bytes),
    3 Done(sense),
});

state::variants!(Phase {
    0 Idle,
    1 Packet { bytes, count },
    2 Busy(next),
    3 Data,
    4 Mode { first, count, taken },
});

state::variants!(Delay {
    0 Command,
    1 Read(bytes),
});

state::fields!(Reading { fad, count, part });

state::fields!(Drive {
    player,
    mode,
    sense,
    enabled,
    status,
    error,
    features,
    count,
    low,
    high,
    device,
    phase,
    block,
    taken,
    reading,
    audio,
    interrupt,
    wants,
} keep { disc, host_error } check(Drive::is_possible));

impl Drive {
    /// Returns false for states that no sequence of accesses can produce.
    fn is_possible(&self) -> bool {
        let phase = match &self.phase {
            Phase::Packet { count, .. } => *count < 12 && count.is_multiple_of(2),
            Phase::Mode { first, count, taken } => [first, count, taken].into_iter().all(|n| *n <= 1 << 8),
            Phase::Busy(Next::Block) => self.reading.is_none_or(|reading| reading.count > 0),
            Phase::Busy(_) | Phase::Idle | Phase::Data => true,
        };
        let reading = |reading: Reading| reading.fad < 1 << 24 && reading.count < 1 << 24;
        phase && self.reading.is_none_or(reading) && self.taken <= self.block.len() + 1
    }
}
