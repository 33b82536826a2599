//! Which cycles were spent waiting: polled registers, polled memory, SLEEP.

use super::activity::Activity;
use sh4::{Direction, RetiredBlock};

/// Most instructions between two reads of a register by the same instruction that are a poll.
const POLL: u64 = 128;
/// Blocks of a loop that polls memory, and rounds before it counts as one.
const BLOCKS: u32 = 8;
const ROUNDS: u32 = 64;

/// Bytes behind a block's start in which its constants are: 255 words behind its last instruction.
const LITERALS: u32 = 0x800;

/// The last read of a device's register.
#[derive(Clone, Copy, Debug, Default)]
struct LastRead {
    pc: u32,
    address: u32,
    value: u32,
    /// Instructions before it.
    at: u64,
}

/// A loop that may poll memory.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    start: u32,
    blocks: u32,
    accesses: u64,
    before: u64,
    wrote: bool,
    same: u32,
}

/// Finds waiting in the stream of blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Waits {
    last: LastRead,
    round: Round,
    /// Cycles that are not attributed yet, and the instructions in them.
    open: u64,
    /// Cycles of a poll of the event registers, whose bit is not known yet.
    unknown: u64,
}

/// Cycles and the activity that they belong to.
pub(super) type Settled = (Activity, u64);

impl Waits {
    /// A block ran for `cycles`; `instructions` ran before it. Settles cycles of this and earlier blocks.
    #[inline]
    pub(super) fn block(
        &mut self,
        block: &RetiredBlock<'_>,
        cycles: u64,
        instructions: u64,
        base: Activity,
        settle: &mut impl FnMut(Settled),
    ) {
        self.open += cycles;
        let device = block
            .accesses
            .iter()
            .find(|access| access.direction == Direction::Read && is_register(access.address));
        if let Some(access) = device {
            let read = LastRead {
                pc: block.start,
                address: access.address,
                value: access.value as u32,
                at: instructions,
            };
            return self.read(read, base, settle);
        }
        if self.last.pc == 0 || instructions > self.last.at + POLL {
            self.last.pc = 0;
            self.flush_unknown(Activity::Device, settle);
            let polls = self.polls_memory(block);
            self.settle_open(if polls { Activity::Polling } else { base }, settle);
        }
    }

    fn read(&mut self, read: LastRead, base: Activity, settle: &mut impl FnMut(Settled)) {
        let last = std::mem::replace(&mut self.last, read);
        let again = (last.pc, last.address) == (read.pc, read.address) && read.at <= last.at + POLL;
        if !again {
            self.flush_unknown(Activity::Device, settle);
            return self.settle_open(base, settle);
        }
        match Activity::of_register(read.address) {
            Some(activity) => self.settle_open(activity, settle),
            None => {
                self.unknown += std::mem::take(&mut self.open);
                let new = read.value & !last.value;
                if new != 0 {
                    self.flush_unknown(Activity::of_event_bits(new), settle);
                }
            }
        }
    }

    fn settle_open(&mut self, activity: Activity, settle: &mut impl FnMut(Settled)) {
        let open = std::mem::take(&mut self.open);
        if open > 0 {
            settle((activity, open));
        }
    }

    fn flush_unknown(&mut self, activity: Activity, settle: &mut impl FnMut(Settled)) {
        let unknown = std::mem::take(&mut self.unknown);
        if unknown > 0 {
            settle((activity, unknown));
        }
    }

    /// Settles everything: a frame ends.
    pub(super) fn settle(&mut self, base: Activity, settle: &mut impl FnMut(Settled)) {
        self.flush_unknown(Activity::Device, settle);
        self.settle_open(base, settle);
    }

    /// Whether `block` belongs to a loop that has read the same values 64 times and written nothing.
    #[inline]
    fn polls_memory(&mut self, block: &RetiredBlock<'_>) -> bool {
        let round = &mut self.round;
        if block.start == round.start {
            let same = !round.wrote && round.accesses != 0 && round.accesses == round.before;
            *round = Round {
                start: round.start,
                before: round.accesses,
                same: if same { round.same + 1 } else { 0 },
                ..Round::default()
            };
        } else if round.blocks >= BLOCKS {
            *round = Round {
                start: block.start,
                ..Round::default()
            };
        }
        round.blocks += 1;
        let polls = round.same >= ROUNDS;
        for access in block.accesses {
            round.wrote |= access.direction == Direction::Write;
            if access.address.wrapping_sub(block.start) >= LITERALS {
                let word = u64::from(access.address) << 32 ^ access.value ^ 1;
                round.accesses = (round.accesses ^ word).wrapping_mul(timing::hash::FACTOR);
            }
        }
        polls
    }
}

/// A register of a device, on the chip or behind area 0.
fn is_register(address: u32) -> bool {
    match address {
        0xFF00_0000.. => true,
        0xE000_0000.. => false,
        _ => (0x005F_0000..0x0080_0000).contains(&(address & 0x1FFF_FFFF)),
    }
}
