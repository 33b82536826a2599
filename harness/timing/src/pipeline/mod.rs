//! Two-way in-order pipeline: the cycle in which each instruction issues, and the reason for its delay.
//!
//! The pipeline's clock stops while the memory system freezes the CPU. A miss stops all stages, including a
//! running FDIV (measured on hardware), so pipeline time and memory time add up.

mod state;

use crate::cause::Cause;
use crate::insn::{Consumer, Insn, Producer, Stages};
use crate::parameters::Parameters;
use crate::resource::{FLAGS, FR, Resources, XF};
use sh4::table::{Group, Id};

pub use state::PipelineState;
pub(crate) use state::START;

/// Issue of an instruction, and the slots lost before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Cycle of the pipeline's clock.
    pub cycle: u64,
    /// True if the instruction is the second of a pair.
    pub second: bool,
    /// Number of slots lost because it could not pair with the preceding instruction: 0 or 1.
    pub unpaired: u8,
    /// Number of slots lost for `cause`.
    pub lost: u32,
    /// Number of full cycles among them.
    pub idle: u32,
    /// Last constraint that delayed the instruction.
    pub cause: Cause,
    /// Register that the instruction waited for, if any.
    pub register: Option<u8>,
}

/// Last write to a register, if not yet usable by every consumer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Pending {
    /// Cycle of the producer's issue.
    issue: u64,
    latency: u8,
    producer: Producer,
}

impl Pending {
    /// Latest cycle in which an instruction may still wait for the write: see [`latency`].
    fn last_wait(&self) -> u64 {
        let longest = match self.producer {
            Producer::Load | Producer::Move => self.latency.max(3),
            Producer::Multiply => self.latency.max(5),
            Producer::LoadMac => self.latency.max(4),
            Producer::Plain | Producer::Ftrc | Producer::Fpu | Producer::Divide => self.latency,
        };
        self.issue + u64::from(longest)
    }
}

/// Upper limit for every wait in the pipeline, in cycles. A double FDIV has the longest latency, and special
/// rules add one or two cycles.
const LONGEST: u64 = 80;

/// State of the pipeline between two instructions.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// Cycle of the youngest instruction.
    time: u64,
    /// Number of slots used in this cycle.
    used: u8,
    /// Group of the first instruction in this cycle.
    group: Group,
    /// True if that instruction was a taken branch.
    branched: bool,
    /// True if the second slot of this cycle is lost to an odd branch target.
    slot_lost: bool,
    /// Earliest decode cycle of the next instruction.
    decode: u64,
    /// Earliest issue of a taken branch's target.
    target: Option<u64>,
    /// Earliest issue of the target while the delay slot is pending.
    target_after_slot: Option<u64>,
    outstanding: Resources,
    writes: [Pending; 64],
    /// Registers that an instruction still reads, and the first cycle in which a later instruction may write
    /// them.
    reread: (Resources, u64),
    /// Locked stages, with one bit for each cycle; bit 0 is cycle `time`.
    locked: Stages,
    align_penalty: bool,
    slot_pairs: bool,
    waw_divide_less: u64,
}

/// True if two instructions may issue together, in either order (table 8.2 of the manual).
#[must_use]
pub fn pairs(first: Group, second: Group) -> bool {
    let unpairable = first == Group::CO || second == Group::CO;
    !unpairable && (first != second || first == Group::MT)
}

/// Constraints on an instruction; the latest one applies.
struct Earliest {
    cycle: u64,
    cause: Cause,
    register: Option<u8>,
}

impl Earliest {
    #[inline]
    fn not_before(&mut self, cycle: u64, cause: Cause, register: Option<u8>) {
        if cycle > self.cycle {
            *self = Earliest {
                cycle,
                cause,
                register,
            };
        }
    }
}

impl Pipeline {
    /// Creates an empty pipeline.
    #[must_use]
    pub fn new(parameters: &Parameters) -> Pipeline {
        Pipeline {
            time: 0,
            used: 0,
            group: Group::CO,
            branched: false,
            slot_lost: false,
            decode: 0,
            target: None,
            target_after_slot: None,
            outstanding: Resources::NONE,
            writes: [Pending::default(); 64],
            reread: (Resources::NONE, 0),
            locked: Stages::default(),
            align_penalty: parameters.fetch_align_penalty != 0,
            slot_pairs: parameters.slot_pairs_with_taken_branch != 0,
            waw_divide_less: u64::from(parameters.waw_fsqrt_less),
        }
    }

    /// Cycle of the youngest instruction.
    #[must_use]
    pub fn time(&self) -> u64 {
        self.time
    }

    /// Number of slots used in that cycle.
    #[must_use]
    pub fn used(&self) -> u8 {
        self.used
    }

    /// First cycle after the last instruction.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.decode.max(self.time + u64::from(self.used > 0))
    }

    /// Number of unused slots in the last cycles before [`Pipeline::end`].
    #[must_use]
    pub fn unfilled(&self) -> u64 {
        2 * (self.end() - self.time) - u64::from(self.used)
    }

    /// Issues `insn` at address `pc`.
    pub fn issue(&mut self, insn: &Insn, pc: u32, in_slot: bool, taken: bool) -> Issue {
        if self.used == 2 {
            self.advance(1);
        }
        let target = if in_slot { None } else { self.target.take() };
        let fits = self.used == 0 || self.fits(insn.group, in_slot);
        let mut earliest = Earliest {
            cycle: self.time + u64::from(!fits),
            cause: if self.slot_lost { Cause::Align } else { Cause::Pair },
            register: None,
        };
        earliest.not_before(self.decode, Cause::Decode, None);
        earliest.not_before(target.unwrap_or(0), Cause::Branch, None);
        self.wait_for_registers(insn, &mut earliest);
        self.wait_for_stages(insn, &mut earliest);
        let issue = self.attribute_delay(&earliest, fits);
        self.take(insn, issue.cycle, taken, in_slot);
        self.slot_lost = self.align_penalty && target.is_some() && pc & 2 != 0 && self.used == 1;
        issue
    }

    #[inline]
    fn fits(&self, group: Group, in_slot: bool) -> bool {
        pairs(self.group, group) && !self.slot_lost && (self.slot_pairs || !(self.branched && in_slot))
    }

    #[inline]
    fn wait_for_registers(&mut self, insn: &Insn, earliest: &mut Earliest) {
        let touched = (insn.reads | insn.written) & self.outstanding;
        if !touched.is_empty() {
            self.retire_old(touched);
            for bit in (insn.reads & self.outstanding).iter() {
                let cause = if Resources::FPU.has(bit) {
                    Cause::FlowFpu
                } else {
                    Cause::Flow
                };
                earliest.not_before(self.ready(insn, bit), cause, Some(bit));
            }
            for write in &insn.writes {
                if self.outstanding.has(write.bit) {
                    let cycle = self.in_order(write.bit).saturating_sub(u64::from(write.latency));
                    earliest.not_before(cycle, Cause::Output, Some(write.bit));
                }
            }
        }
        if self.reread.1 > self.time {
            for bit in (insn.written & self.reread.0).iter() {
                earliest.not_before(self.reread.1, Cause::Anti, Some(bit));
            }
        }
    }

    /// Drops writes for which no later instruction waits.
    #[inline]
    fn retire_old(&mut self, among: Resources) {
        for bit in among.iter() {
            if self.writes[usize::from(bit)].last_wait() <= self.time {
                self.outstanding.0 &= !(1 << bit);
            }
        }
    }

    /// Returns the cycle in which `insn` can use the register.
    #[inline]
    fn ready(&self, insn: &Insn, bit: u8) -> u64 {
        let write = &self.writes[usize::from(bit)];
        let written = (write.producer, write.latency);
        let shifts_by = insn.special.has(bit);
        write.issue + u64::from(latency(written, insn.consumer, shifts_by, bit))
    }

    /// Returns the cycle in which the pending write to a register is complete, or 0 if later writes need not
    /// wait for it. Integer results are all written in the same stage, so they keep their order. Flags only
    /// accumulate.
    #[inline]
    fn in_order(&self, bit: u8) -> u64 {
        let write = &self.writes[usize::from(bit)];
        let done = write.issue + u64::from(write.latency);
        match write.producer {
            _ if bit == FLAGS => 0,
            Producer::Divide => done.saturating_sub(self.waw_divide_less),
            Producer::Fpu | Producer::Ftrc | Producer::Multiply | Producer::LoadMac => done,
            Producer::Plain | Producer::Load | Producer::Move => 0,
        }
    }

    #[inline]
    fn wait_for_stages(&self, insn: &Insn, earliest: &mut Earliest) {
        let (need, locked) = (&insn.enters, &self.locked);
        let all = locked.f0 | locked.f1 | locked.multiplier | locked.f3 | locked.sx;
        if all == 0 {
            return;
        }
        let distance = earliest.cycle - self.time;
        let free = (distance..LONGEST).find(|&d| {
            let at = |mask: u64| mask.checked_shr(d as u32).unwrap_or(0);
            at(locked.f0) & need.f0 == 0
                && at(locked.f1 | locked.multiplier) & need.f1 == 0
                && at(locked.f1) & need.multiplier == 0
                && at(locked.f3) & need.f3 == 0
                && at(locked.sx) & need.sx == 0
        });
        let cause = if need.sx == 0 { Cause::Fpu } else { Cause::Control };
        earliest.not_before(self.time + free.unwrap_or(LONGEST), cause, None);
    }

    /// Computes the slots lost before the instruction, and advances the pipeline to its cycle.
    #[inline]
    fn attribute_delay(&mut self, earliest: &Earliest, fits: bool) -> Issue {
        let wait = earliest.cycle - self.time;
        let second = wait == 0 && self.used == 1;
        let mut issue = Issue {
            cycle: earliest.cycle,
            second,
            unpaired: 0,
            lost: 0,
            idle: 0,
            cause: earliest.cause,
            register: earliest.register,
        };
        if wait > 0 {
            let lost = 2 * wait as u32 - u32::from(self.used);
            issue.unpaired = u8::from(self.used == 1 && !fits && !self.slot_lost);
            issue.lost = lost - u32::from(issue.unpaired);
            issue.idle = issue.lost / 2;
            self.advance(wait);
        }
        issue
    }

    #[inline]
    fn advance(&mut self, cycles: u64) {
        self.time += cycles;
        self.used = 0;
        self.branched = false;
        self.slot_lost = false;
        let locked = &mut self.locked;
        for stage in [
            &mut locked.f0,
            &mut locked.f1,
            &mut locked.multiplier,
            &mut locked.f3,
            &mut locked.sx,
        ] {
            *stage = stage.checked_shr(cycles as u32).unwrap_or(0);
        }
    }

    /// Records the instruction's effects on later ones.
    #[inline]
    fn take(&mut self, insn: &Insn, cycle: u64, taken: bool, in_slot: bool) {
        self.used += 1;
        if self.used == 1 {
            self.group = insn.group;
        }
        self.decode = cycle + u64::from(insn.issue) - u64::from(insn.issue == 1 && insn.group != Group::CO);
        for write in &insn.writes {
            self.writes[usize::from(write.bit)] = Pending {
                issue: cycle,
                latency: write.latency,
                producer: insn.producer,
            };
        }
        self.outstanding = self.outstanding | insn.written;
        if insn.rereads > 0 {
            self.reread = (insn.reads, cycle + u64::from(insn.rereads));
        }
        self.lock(&insn.locks);
        if insn.branch > 0 {
            self.branch(insn, cycle, taken);
        } else if in_slot {
            self.target = self.target_after_slot.take();
        } else if insn.id == Id::frchg {
            self.exchange_banks();
        }
    }

    #[inline]
    fn lock(&mut self, locks: &Stages) {
        self.locked.f0 |= locks.f0;
        self.locked.f1 |= locks.f1;
        self.locked.multiplier |= locks.multiplier;
        self.locked.f3 |= locks.f3;
        self.locked.sx |= locks.sx;
    }

    fn branch(&mut self, insn: &Insn, cycle: u64, taken: bool) {
        let target = match (taken, insn.skips) {
            (false, _) => return,
            (true, true) => cycle + 1,
            (true, false) => cycle + u64::from(insn.branch),
        };
        self.branched = true;
        if insn.delayed {
            self.target_after_slot = Some(target);
        } else {
            self.target = Some(target);
        }
    }

    /// FRCHG exchanges FR and XF.
    fn exchange_banks(&mut self) {
        let (fr, xf) = (usize::from(FR), usize::from(XF));
        for i in 0..16 {
            self.writes.swap(fr + i, xf + i);
        }
        let swap = |set: Resources| {
            let bank = 0xFFFF_u64;
            let (low, high) = (set.0 >> FR & bank, set.0 >> XF & bank);
            Resources(set.0 & !(0xFFFF_FFFF << FR) | low << XF | high << FR)
        };
        self.outstanding = swap(self.outstanding);
        self.reread.0 = swap(self.reread.0);
    }
}

/// Returns the latency of a write for one kind of consumer, by the special rules below table 8.3 of the
/// manual.
#[inline]
#[must_use]
pub fn latency(write: (Producer, u8), consumer: Consumer, shifts_by: bool, bit: u8) -> u8 {
    let (producer, latency) = write;
    match (producer, consumer) {
        (Producer::Load | Producer::Move, Consumer::Wide) => latency.max(3),
        (Producer::Load, Consumer::Shift) if shifts_by && latency == 2 => 3,
        (Producer::Ftrc, Consumer::StsFpul) => latency.min(1),
        (Producer::Fpu | Producer::Ftrc | Producer::Divide, Consumer::FpuStore | Consumer::StsFpul)
            if bit != FLAGS =>
        {
            latency - 1
        }
        (Producer::Multiply, Consumer::StoreMac) => 5,
        (Producer::Multiply, Consumer::Multiply) => 2,
        (Producer::LoadMac, Consumer::StoreMac) => 4,
        (Producer::LoadMac, Consumer::Multiply) => 1,
        _ => latency,
    }
}
