//! Finds cycles spent waiting: polled registers, polled memory, SLEEP.

use super::activity::Activity;
use sh4::{Direction, RetiredBlock};
use std::collections::BTreeMap;

/// Maximum number of instructions between two reads by the same instruction that count as a poll.
const POLL: u64 = 128;
/// Maximum number of blocks in a loop that polls memory.
const BLOCKS: u32 = 8;
/// Number of iterations after which a loop that polls memory counts as a poll.
const ITERATIONS: u32 = 64;

/// Bytes from a block's start in which reads do not count, because they can load the block's constants.
/// PC-relative loads reach 255 words past the last instruction.
const LITERALS: u32 = 0x800;

/// Last read of a device's register.
#[derive(Clone, Copy, Debug, Default)]
struct LastRead {
    /// End of the block that contains the read.
    pc: u32,
    address: u32,
    value: u32,
    /// Number of instructions before the read.
    at: u64,
}

/// A loop that is possibly polling memory.
#[derive(Clone, Copy, Debug, Default)]
struct PollLoop {
    start: u32,
    blocks: u32,
    accesses: u64,
    before: u64,
    wrote: bool,
    same: u32,
}

/// Finds waits in the sequence of executed blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Waits {
    last: LastRead,
    poll_loop: PollLoop,
    /// Number of cycles that have no activity yet.
    open: u64,
    /// Unattributed cycles of a poll of the event registers, by frame. The bit that ends the poll identifies
    /// the wait.
    unknown: Vec<(usize, u64)>,
    /// Index of the current frame.
    frame: usize,
    /// Bits that were newly set in the poll's last read.
    new_bits: u32,
    /// For each polling block, the activity of its last poll that ended with a set bit.
    known: BTreeMap<u32, Activity>,
}

/// Index of a frame, activity, and number of cycles. `None` means the current frame.
pub(super) type AttributedCycles = (Option<usize>, Activity, u64);

/// Maximum number of frames in an unfinished poll: ten seconds.
const FRAMES: usize = 600;
/// Maximum number of known polling blocks.
const KNOWN: usize = 256;

impl Waits {
    /// Adds a block of `cycles`; `instructions` ran before it. Attributes cycles of this and earlier blocks.
    #[inline]
    pub(super) fn block(
        &mut self,
        block: &RetiredBlock<'_>,
        cycles: u64,
        instructions: u64,
        base: Activity,
        settle: &mut impl FnMut(AttributedCycles),
    ) {
        self.open += cycles;
        let device = block
            .accesses
            .iter()
            .find(|access| access.direction == Direction::Read && is_register(access.address));
        if let Some(access) = device {
            let read = LastRead {
                // The block's end identifies the read. The end of a slice can split a block, but the last
                // part has the same end as the whole block.
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

    fn read(&mut self, read: LastRead, base: Activity, settle: &mut impl FnMut(AttributedCycles)) {
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
                    // The program has cleared the bits, so the wait for them ended at the previous read.
                    self.flush_unknown(settle);
                }
                self.new_bits = read.value & !last.value;
            }
        }
    }

    fn settle_open(&mut self, activity: Activity, settle: &mut impl FnMut(AttributedCycles)) {
        let open = std::mem::take(&mut self.open);
        if open > 0 {
            settle((None, activity, open));
        }
    }

    /// Adds the unattributed cycles to the poll of the event registers.
    fn note_unknown(&mut self) {
        let open = std::mem::take(&mut self.open);
        match self.unknown.last_mut() {
            Some((frame, cycles)) if *frame == self.frame => *cycles += open,
            _ => self.unknown.push((self.frame, open)),
        }
    }

    /// Ends a poll of the event registers. The bits of its last read identify the wait. Without bits, the
    /// wait gets the last known activity of the same block.
    fn flush_unknown(&mut self, settle: &mut impl FnMut(AttributedCycles)) {
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

    /// Attributes all cycles with a known reason. Called at interrupts, and at the end of a frame or the
    /// measurement. A poll of the event registers stays open.
    pub(super) fn settle(&mut self, base: Activity, settle: &mut impl FnMut(AttributedCycles)) {
        match self.unknown.is_empty() {
            true => self.settle_open(base, settle),
            false => self.note_unknown(),
        }
        if self.unknown.len() > FRAMES {
            self.flush_unknown(settle);
        }
    }

    /// Attributes all remaining cycles, at the end of the measurement.
    pub(super) fn finish(&mut self, base: Activity, settle: &mut impl FnMut(AttributedCycles)) {
        self.settle(base, settle);
        self.flush_unknown(settle);
    }

    /// Starts the frame with index `frame`.
    pub(super) fn next_frame(&mut self, frame: usize) {
        self.frame = frame;
    }

    /// First frame with unattributed time.
    pub(super) fn first_frame(&self) -> Option<usize> {
        self.unknown.first().map(|(frame, _)| *frame)
    }

    /// Returns whether `block` belongs to a loop that has read the same values 64 times and written no
    /// memory.
    #[inline]
    fn polls_memory(&mut self, block: &RetiredBlock<'_>) -> bool {
        let poll_loop = &mut self.poll_loop;
        if block.start == poll_loop.start {
            let same = !poll_loop.wrote && poll_loop.accesses != 0 && poll_loop.accesses == poll_loop.before;
            *poll_loop = PollLoop {
                start: poll_loop.start,
                before: poll_loop.accesses,
                same: if same { poll_loop.same + 1 } else { 0 },
                ..PollLoop::default()
            };
        } else if poll_loop.blocks >= BLOCKS {
            *poll_loop = PollLoop {
                start: block.start,
                ..PollLoop::default()
            };
        }
        poll_loop.blocks += 1;
        let polls = poll_loop.same >= ITERATIONS;
        for access in block.accesses {
            poll_loop.wrote |= access.direction == Direction::Write;
            if access.address.wrapping_sub(block.start) >= LITERALS {
                let word = u64::from(access.address) << 32 ^ access.value ^ 1;
                poll_loop.accesses = (poll_loop.accesses ^ word).wrapping_mul(timing::hash::FACTOR);
            }
        }
        polls
    }
}

/// Returns whether an address belongs to a device's register, on the chip or in area 0.
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
    use super::{Activity, AttributedCycles, LastRead, Waits};

    /// Returns the activity of a loop that polls the register at `address` until `bit` is set.
    fn poll(address: u32, bit: u32) -> Activity {
        let mut waits = Waits::default();
        let mut settled: Vec<AttributedCycles> = Vec::new();
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

    /// The bits stand for events of the render, beam, converter, lists, DMA, Maple, drive, sound block and
    /// expansion port.
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
