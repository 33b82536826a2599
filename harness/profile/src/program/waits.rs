//! Which cycles were spent waiting: polled registers, polled memory, SLEEP.

use super::activity::Activity;
use sh4::{Direction, RetiredBlock};
use std::collections::BTreeMap;

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
    /// End of the block that contains the read.
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
    /// Cycles of a poll of the event registers by frame: the bit that ends it says what it waits for.
    unknown: Vec<(usize, u64)>,
    /// The place of the present frame.
    frame: usize,
    /// The bits that the last read of that poll has found newly set.
    new_bits: u32,
    /// The wait of each polling block whose end was seen.
    known: BTreeMap<u32, Activity>,
}

/// The place of a frame, and the activity and count of its cycles. `None`: the present frame.
pub(super) type Settled = (Option<usize>, Activity, u64);

/// Frames of a poll that has not ended, at most: ten seconds.
const FRAMES: usize = 600;
/// Polling blocks that are remembered.
const KNOWN: usize = 256;

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
                // A deadline can split a block: its parts have the same end.
                pc: block.start.wrapping_add(2 * block.ops.len() as u32),
                address: access.address,
                value: access.value as u32,
                at: instructions,
            };
            return self.read(read, base, settle);
        }
        if self.last.pc == 0 || instructions > self.last.at + POLL {
            self.flush_unknown(settle);
            self.last.pc = 0;
            let polls = self.polls_memory(block);
            self.settle_open(if polls { Activity::Polling } else { base }, settle);
        }
    }

    fn read(&mut self, read: LastRead, base: Activity, settle: &mut impl FnMut(Settled)) {
        let last = self.last;
        let again = (last.pc, last.address) == (read.pc, read.address) && read.at <= last.at + POLL;
        if !again {
            self.flush_unknown(settle);
            self.last = read;
            return self.settle_open(base, settle);
        }
        self.last = read;
        match Activity::of_register(read.address) {
            Some(activity) => self.settle_open(activity, settle),
            None => {
                self.note_unknown();
                if self.new_bits & !read.value != 0 {
                    // The program has cleared the bits: the wait for them ended at the read before.
                    self.flush_unknown(settle);
                }
                self.new_bits = read.value & !last.value;
            }
        }
    }

    fn settle_open(&mut self, activity: Activity, settle: &mut impl FnMut(Settled)) {
        let open = std::mem::take(&mut self.open);
        if open > 0 {
            settle((None, activity, open));
        }
    }

    /// Adds the open cycles to the poll of the event registers.
    fn note_unknown(&mut self) {
        let open = std::mem::take(&mut self.open);
        match self.unknown.last_mut() {
            Some((frame, cycles)) if *frame == self.frame => *cycles += open,
            _ => self.unknown.push((self.frame, open)),
        }
    }

    /// The poll of the event registers has ended: with the bits of its last read, or interrupted, and then it
    /// waited for what the same block has waited for before.
    fn flush_unknown(&mut self, settle: &mut impl FnMut(Settled)) {
        if self.unknown.is_empty() {
            return;
        }
        let (bits, block) = (std::mem::take(&mut self.new_bits), self.last.pc);
        let activity = match bits {
            0 => self.known.get(&block).copied().unwrap_or(Activity::Device),
            bits => Activity::of_event_bits(self.last.address, bits),
        };
        if bits != 0 && (self.known.len() < KNOWN || self.known.contains_key(&block)) {
            self.known.insert(block, activity);
        }
        for (frame, cycles) in self.unknown.drain(..).filter(|(_, cycles)| *cycles > 0) {
            settle((Some(frame), activity, cycles));
        }
    }

    /// Settles what is known: a frame or the measurement ends, or an interrupt comes. A poll of the event
    /// registers goes on.
    pub(super) fn settle(&mut self, base: Activity, settle: &mut impl FnMut(Settled)) {
        match self.unknown.is_empty() {
            true => self.settle_open(base, settle),
            false => self.note_unknown(),
        }
        if self.unknown.len() > FRAMES {
            self.flush_unknown(settle);
        }
    }

    /// Settles everything: the measurement ends.
    pub(super) fn finish(&mut self, base: Activity, settle: &mut impl FnMut(Settled)) {
        self.settle(base, settle);
        self.flush_unknown(settle);
    }

    /// The frame at place `frame` has begun.
    pub(super) fn next_frame(&mut self, frame: usize) {
        self.frame = frame;
    }

    /// The first frame whose time is not settled.
    pub(super) fn first_frame(&self) -> Option<usize> {
        self.unknown.first().map(|(frame, _)| *frame)
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

#[cfg(test)]
mod tests {
    use super::super::activity::ISTNRM;
    use super::{Activity, LastRead, Settled, Waits};

    /// The wait of a loop that polls the register at `address` until `bit` is set.
    fn poll(address: u32, bit: u32) -> Activity {
        let mut waits = Waits::default();
        let mut settled: Vec<Settled> = Vec::new();
        let reads = [(address, 0), (address, 0), (address, 1 << bit), (0xFF00_0024, 0)];
        for (n, (address, value)) in reads.into_iter().enumerate() {
            waits.open = 100;
            let read = LastRead {
                pc: 0x8C01_0000 + 4 * u32::from(n == 3),
                address,
                value,
                at: 3 * n as u64,
            };
            waits.read(read, Activity::User, &mut |row| settled.push(row));
        }
        let waited = settled.iter().filter(|(frame, ..)| frame.is_some());
        assert_eq!(
            waited.clone().map(|(.., cycles)| cycles).sum::<u64>(),
            200,
            "bit {bit}"
        );
        waited
            .map(|(_, activity, _)| *activity)
            .next_back()
            .unwrap_or(Activity::User)
    }

    /// Renders, the beam, the converter, the lists, DMA, Maple, drive, sound, expansion.
    #[test]
    fn each_event_bit_names_its_device() {
        let expected = |bit| match bit {
            0..=2 | 6..=10 | 21 => Activity::Pvr,
            3..=5 => Activity::VerticalBlank,
            11 | 14..=20 => Activity::Dma,
            12 | 13 => Activity::Maple,
            30 => Activity::Sound,
            _ => Activity::Device,
        };
        for bit in 0..32 {
            assert_eq!(poll(0xA000_0000 | ISTNRM, bit), expected(bit), "bit {bit}");
        }
        for bit in 0..4 {
            let expected = if bit == 1 {
                Activity::Sound
            } else {
                Activity::Device
            };
            assert_eq!(poll(0xA05F_6904, bit), expected, "external bit {bit}");
            assert_eq!(poll(0xA05F_6908, bit), Activity::Device, "error bit {bit}");
        }
    }
}
