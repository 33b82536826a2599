//! Decoded blocks: sequences of instructions without a branch inside, kept until their code changes.

mod cache;
mod decode;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::decode::Op;
use crate::observer::RetiredBlock;
use crate::table::{Id, Row, flag};
use crate::translation::FarSlot;
use crate::watch::LINE;
use crate::{Access, Bus, BusError, Cpu};
use decode::{Illegal, continues, decode_at, has, illegal, skips};

pub(crate) use cache::BlockCache;
pub(crate) use decode::illegal_kind;

/// Maximum number of instructions of a block, without a delay slot at its end.
const LONGEST: usize = 64;

/// The conditions under which a block was decoded: PR, SZ, FPU disabled and user mode in bits 0 to 3. Under
/// address translation it also has the physical page of the instructions (`translation` sets the bits). The
/// CPU therefore never confuses blocks of two translations of an address, and finds the blocks of a page
/// again when it is mapped again.
pub type Key = u32;

/// Bits of a key that are FPSCR.PR and SZ, in this order from bit 0.
pub const KEY_MODE: Key = 3;
/// Set in the key of a block with a delay slot in another page, never in the CPU's key. The CPU must
/// translate the address of the slot before every run.
const FAR_SLOT: Key = 1 << 5;
/// Set in the key of a block that contains a breakpoint, never in the CPU's.
const BREAK: Key = 1 << 31;
/// Set while FPU opcodes that are undefined under the current PR execute in spite of the settings.
const ANY_CODE: Key = 1 << 6;
/// Set in the CPU's key, never in a block's, while the CPU must check a condition before the next block: an
/// interrupt, an armed break channel, or a change of address translation. No block has this key, so the usual
/// case needs no extra check.
const ATTENTION: Key = 1 << 7;
/// Decoded instructions in sequence from `start` up to a branch and its slot, or up to the end of decoding.
#[derive(Clone, Debug)]
pub struct BasicBlock {
    /// Unique number of the block. The same code gets a new number when it is decoded again.
    pub(crate) number: u64,
    pub(crate) start: u32,
    /// Address after the last instruction.
    pub(crate) end: u32,
    /// True if the last operation is in the delay slot of the operation before it.
    pub(crate) slot: bool,
    pub(crate) terminator: Terminator,
    pub(crate) ops: Box<[Op]>,
    pub(crate) opcodes: Box<[u16]>,
}

/// Rule that determines whether the branch at the end of a block was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Terminator {
    /// The block has no branch.
    Never,
    Always,
    /// The branch was taken if execution does not continue after the block.
    Elsewhere,
    /// The target is the address after the block, so only T before the branch decides.
    Unclear,
}

impl Terminator {
    fn of(branch: Option<&Op>, end: u32) -> Terminator {
        match branch {
            Some(op) if matches!(op.id, Id::bt | Id::bf | Id::bt_s | Id::bf_s) => {
                if op.imm == end {
                    Terminator::Unclear
                } else {
                    Terminator::Elsewhere
                }
            }
            Some(op) if op.row().is_some_and(|row| row.has(flag::BRANCH)) => Terminator::Always,
            _ => Terminator::Never,
        }
    }
}

/// Numbers are unique across all CPUs, so that an observer of several CPUs, or of copies of one CPU, can
/// distinguish their blocks.
static NUMBERS: AtomicU64 = AtomicU64::new(RetiredBlock::UNNAMED + 1);

/// The decoded code at one address.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) key: Key,
    /// The bus's epoch when the block was last known to be current.
    pub(crate) epoch: u64,
    /// The sum of the versions of its lines when it was decoded.
    version: u64,
    /// Code that continues past branches over one instruction (see [`skips`]), for runs that do not stop
    /// inside it.
    pub(crate) whole: BasicBlock,
    far_slot: Option<FarSlot>,
    /// Code up to the first branch, if it differs from `whole`: for an observer of single instructions.
    short: Option<BasicBlock>,
}

impl Cpu {
    /// Computes the key for finding blocks. Call it when any of the key's conditions has changed.
    pub(crate) fn refresh_key(&mut self) {
        if !self.mmu.is_on() {
            self.page = 0;
        }
        let attention = self.mmu.is_on() || self.needs_attention();
        self.key = self.translated_key() | if attention { ATTENTION } else { 0 };
    }

    /// Makes the run loop check for events before the next block.
    pub(crate) fn call_attention(&mut self) {
        self.key |= ATTENTION;
    }

    /// Returns true if the CPU must check for an interrupt or a user break before the next block.
    pub(crate) fn needs_attention(&self) -> bool {
        self.accepts_interrupt() || self.ubc.is_armed()
    }

    /// The key of the block at the program counter, after translation of its page if necessary.
    pub(crate) fn translated_key(&self) -> Key {
        let mode = self.mode().index() as Key;
        let any_code = if self.carries_out_undefined() { ANY_CODE } else { 0 };
        mode | Key::from(self.fpu_disabled()) << 2 | Key::from(self.is_user()) << 3 | any_code | self.page
    }
}

impl BasicBlock {
    /// Decodes from the program counter on. Fails if the first instruction cannot be fetched; later failures
    /// end the block.
    fn decode<B: Bus>(cpu: &mut Cpu, bus: &mut B, join: bool) -> Result<BasicBlock, BusError> {
        let start = cpu.pc;
        let mut opcodes = vec![bus.fetch(start)?];
        let mut ops = vec![decode_at(cpu, start, opcodes[0], false)];
        let mut pc = start.wrapping_add(2);
        while ops.len() < LONGEST
            && cpu.shares_page(pc)
            && let Some(last) = ops.last_mut()
            && (continues(*last) || join && skips(cpu, bus, last, pc))
        {
            let Ok(opcode) = bus.fetch(pc) else { break };
            ops.push(decode_at(cpu, pc, opcode, false));
            opcodes.push(opcode);
            pc = pc.wrapping_add(2);
        }
        let slot = ops.last().is_some_and(|&op| has(op, flag::DELAYED));
        if slot {
            ops.push(match cpu.enter_slot(bus, pc) {
                Some((_, Err(exception))) => illegal(Illegal::Tlb(exception)),
                _ => match bus.fetch(pc) {
                    Ok(opcode) => decode_at(cpu, pc, opcode, true),
                    Err(error) => illegal(Illegal::Fetch(error)),
                },
            });
            opcodes.push(bus.fetch(pc).unwrap_or(0));
            pc = pc.wrapping_add(2);
        }
        let branch = ops.len().checked_sub(1 + usize::from(slot));
        Ok(BasicBlock {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            start,
            end: pc,
            slot,
            terminator: Terminator::of(branch.and_then(|index| ops.get(index)), pc),
            ops: ops.into(),
            opcodes: opcodes.into(),
        })
    }

    /// The first of `accesses` that belong to the operations `ran`.
    pub(crate) fn accesses_of<'a>(&self, ran: Range<usize>, accesses: &'a [Access]) -> &'a [Access] {
        let made = |op: &Op| op.row().map_or(0, Row::accesses);
        let count: usize = self.ops[ran].iter().map(made).sum();
        &accesses[..count.min(accesses.len())]
    }

    /// Returns true if `address` is inside the block.
    #[inline]
    pub(crate) fn holds(&self, address: u32) -> bool {
        address.wrapping_sub(self.start) < self.end.wrapping_sub(self.start)
    }

    /// The address of the operation at `index`.
    pub(crate) fn address(&self, index: usize) -> u32 {
        self.start.wrapping_add(2 * index as u32)
    }

    /// Number of operations to run if the instruction limit leaves room for `left` and the run must stop
    /// before `until`. A branch and its slot stay together, so the run may exceed the limit by one.
    #[cold]
    pub(crate) fn prefix(&self, left: u64, until: Option<u32>) -> usize {
        let whole = self.ops.len();
        let until = match until.map(|until| until.wrapping_sub(self.start)) {
            Some(distance) if distance % 2 == 0 => distance as usize / 2,
            _ => whole,
        };
        let count = usize::try_from(left).unwrap_or(whole).min(whole);
        let parts = |count: usize| self.slot && count + 1 == whole;
        let (count, until) = (
            if parts(count) { whole } else { count },
            if parts(until) { whole } else { until },
        );
        count.min(until)
    }

    /// Returns true if memory still holds the same code, even after writes.
    pub fn is_unchanged<B: Bus>(&self, bus: &mut B) -> bool {
        let mut opcodes = self.opcodes.iter().enumerate();
        opcodes.all(|(index, opcode)| bus.fetch(self.address(index)) == Ok(*opcode))
    }

    /// A number that changes whenever a line of the code changes, because versions only grow.
    pub fn versions<B: Bus>(&self, bus: &B) -> u64 {
        let lines = (self.start & !(LINE - 1)..self.end).step_by(LINE as usize);
        lines.fold(0, |sum, line| sum.wrapping_add(bus.code_version(line)))
    }
}

impl Block {
    /// Decodes the block at the program counter. Errors if its first instruction cannot be fetched.
    fn decode<B: Bus>(cpu: &mut Cpu, bus: &mut B) -> Result<Block, BusError> {
        let plain = BasicBlock::decode(cpu, bus, false)?;
        let whole = BasicBlock::decode(cpu, bus, true)?;
        let far_slot = if whole.slot {
            cpu.enter_slot(bus, whole.end.wrapping_sub(2))
        } else {
            None
        };
        bus.code_watch(whole.start, whole.end.wrapping_sub(whole.start));
        let far = if far_slot.is_some() { FAR_SLOT } else { 0 };
        let breaks = if cpu.breaks_in(&whole) { BREAK } else { 0 };
        Ok(Block {
            far_slot,
            key: cpu.translated_key() | far | breaks,
            epoch: bus.code_epoch(),
            version: whole.versions(bus),
            short: (plain.ops.len() < whole.ops.len()).then_some(plain),
            whole,
        })
    }

    /// The code up to the first branch.
    pub(crate) fn plain(&self) -> &BasicBlock {
        self.short.as_ref().unwrap_or(&self.whole)
    }

    /// The decoded delay slot that is in another page than its branch.
    pub(crate) fn far_slot(&self) -> Option<FarSlot> {
        self.far_slot
    }

    /// Returns whether the block contains a breakpoint.
    pub(crate) fn has_breakpoint(&self) -> bool {
        self.key & BREAK != 0
    }

    /// Returns true if the block was decoded under the current conditions, ignoring [`ATTENTION`].
    fn is_at(&self, cpu: &Cpu) -> bool {
        self.whole.start == cpu.pc && self.key & !(FAR_SLOT | BREAK) == cpu.translated_key()
    }

    /// Returns true if the block is at the program counter and no event needs attention before it.
    #[inline(always)]
    pub(crate) fn is_next<B: Bus>(&self, cpu: &Cpu, bus: &B) -> bool {
        self.whole.start == cpu.pc && self.key == cpu.key && self.epoch == bus.code_epoch()
    }

    /// Returns true if the decoded code is still current although its lines were written. Programs keep
    /// variables in the lines of code (for example KallistiOS's interrupt entry), so this compares the
    /// opcodes.
    fn revalidate<B: Bus>(&mut self, bus: &mut B) -> bool {
        let version = self.whole.versions(bus);
        let current = version == self.version || self.whole.is_unchanged(bus);
        if current {
            self.version = version;
            self.epoch = bus.code_epoch();
        }
        current
    }
}
