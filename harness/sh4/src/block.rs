//! Decoded blocks: straight runs of instructions, kept until the code under them changes.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::decode::{Op, decode, defined_elsewhere};
use crate::observer::Stretch;
use crate::stop::FaultKind;
use crate::table::{Id, Row, flag};
use crate::watch::LINE;
use crate::{Access, Bus, BusError, Cpu};

/// Instructions a block, at most; a delay slot may come on top.
const LONGEST: usize = 64;

/// What a block was decoded under: PR, SZ, FPU disabled, user mode.
pub type Key = u8;
/// Set in the CPU's key, never in a block's, while something has to be looked at before the next block: an
/// interrupt, or an armed break channel. So no block is found then, and the usual case costs nothing.
const ATTENTION: Key = 1 << 7;

/// Decoded instructions that follow each other from `start` up to a branch and its slot, or to where decoding
/// had to end.
#[derive(Clone, Debug)]
pub struct Straight {
    /// Its own: decoded anew, the same code gets another.
    pub(crate) number: u64,
    pub(crate) start: u32,
    /// Behind the last instruction.
    pub(crate) end: u32,
    /// The last operation stands in the delay slot of the one before.
    pub(crate) slot: bool,
    pub(crate) turn: Turn,
    pub(crate) ops: Box<[Op]>,
    pub(crate) opcodes: Box<[u16]>,
}

/// Whether the branch at the end of a block is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// There is none.
    Never,
    Always,
    /// If execution goes on elsewhere than behind the block.
    Elsewhere,
    /// It leads to where execution would go on anyway: only T in front of it tells.
    Unclear,
}

impl Turn {
    fn of(branch: Option<&Op>, end: u32) -> Turn {
        match branch {
            Some(op) if matches!(op.id, Id::bt | Id::bf | Id::bt_s | Id::bf_s) => {
                if op.imm == end {
                    Turn::Unclear
                } else {
                    Turn::Elsewhere
                }
            }
            Some(op) if op.row().is_some_and(|row| row.has(flag::BRANCH)) => Turn::Always,
            _ => Turn::Never,
        }
    }
}

/// Blocks of all CPUs are numbered together: whoever listens to several, or to copies of one, can tell them apart.
static NUMBERS: AtomicU64 = AtomicU64::new(Stretch::UNNAMED + 1);

/// What is decoded at one address.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) key: Key,
    /// The bus's epoch when the block was last found to be current.
    pub(crate) epoch: u64,
    /// The sum of the versions of its lines when it was decoded.
    version: u64,
    /// On past branches over one instruction (see [`skips`]): for runs that need not stop inside.
    pub(crate) whole: Straight,
    /// Up to the first branch, where that is something else: for whoever wants instructions one by one.
    short: Option<Straight>,
}

impl Cpu {
    /// The key under which blocks are looked for. To be called when anything it is made of has changed.
    pub(crate) fn refresh_key(&mut self) {
        let attention = self.pending_interrupt().is_some() || self.ubc.is_armed();
        self.key = self.mode().index() as u8
            | u8::from(self.fpu_disabled()) << 2
            | u8::from(self.is_user()) << 3
            | if attention { ATTENTION } else { 0 };
    }
}

impl Straight {
    /// Decodes from the program counter on. Errors if the first instruction cannot be fetched; others end it.
    fn decode<B: Bus>(cpu: &Cpu, bus: &mut B, join: bool) -> Result<Straight, BusError> {
        let start = cpu.pc;
        let mut opcodes = vec![bus.fetch(start)?];
        let mut ops = vec![decode_at(cpu, start, opcodes[0], false)];
        let mut pc = start.wrapping_add(2);
        while ops.len() < LONGEST
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
            ops.push(match bus.fetch(pc) {
                Ok(opcode) => decode_at(cpu, pc, opcode, true),
                Err(error) => illegal(Illegal::Fetch(error)),
            });
            opcodes.push(bus.fetch(pc).unwrap_or(0));
            pc = pc.wrapping_add(2);
        }
        let branch = ops.len().checked_sub(1 + usize::from(slot));
        Ok(Straight {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            start,
            end: pc,
            slot,
            turn: Turn::of(branch.and_then(|index| ops.get(index)), pc),
            ops: ops.into(),
            opcodes: opcodes.into(),
        })
    }

    /// The first of `accesses` that belong to the operations that `ran`.
    pub(crate) fn accesses_of<'a>(&self, ran: Range<usize>, accesses: &'a [Access]) -> &'a [Access] {
        let made = |op: &Op| op.row().map_or(0, Row::accesses);
        let count: usize = self.ops[ran].iter().map(made).sum();
        &accesses[..count.min(accesses.len())]
    }

    /// Whether `address` lies inside.
    #[inline]
    pub(crate) fn holds(&self, address: u32) -> bool {
        address.wrapping_sub(self.start) < self.end.wrapping_sub(self.start)
    }

    /// The address of the operation at `index`.
    pub(crate) fn address(&self, index: usize) -> u32 {
        self.start.wrapping_add(2 * index as u32)
    }

    /// How many operations to run if the instruction limit leaves room for `left`, and to stop before
    /// `until`. A branch and its slot are never parted: the limit may be passed by one.
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

    /// Whether the same code stands there still, whatever was written.
    pub fn is_unchanged<B: Bus>(&self, bus: &mut B) -> bool {
        let mut opcodes = self.opcodes.iter().enumerate();
        opcodes.all(|(index, opcode)| bus.fetch(self.address(index)) == Ok(*opcode))
    }

    /// Changes whenever a line under the code does: versions only grow.
    pub fn versions<B: Bus>(&self, bus: &B) -> u64 {
        let lines = (self.start & !(LINE - 1)..self.end).step_by(LINE as usize);
        lines.fold(0, |sum, line| sum.wrapping_add(bus.code_version(line)))
    }
}

impl Block {
    /// Decodes the block at the program counter. Errors if its first instruction cannot be fetched.
    fn decode<B: Bus>(cpu: &Cpu, bus: &mut B) -> Result<Block, BusError> {
        let whole = Straight::decode(cpu, bus, true)?;
        let plain = Straight::decode(cpu, bus, false)?;
        bus.code_watch(whole.start, whole.end.wrapping_sub(whole.start));
        Ok(Block {
            key: cpu.key & !ATTENTION,
            epoch: bus.code_epoch(),
            version: whole.versions(bus),
            short: (plain.ops.len() < whole.ops.len()).then_some(plain),
            whole,
        })
    }

    /// The code up to the first branch.
    pub(crate) fn plain(&self) -> &Straight {
        self.short.as_ref().unwrap_or(&self.whole)
    }

    /// Whether the block is what stands at the program counter, and nothing needs attention before it.
    #[inline(always)]
    pub(crate) fn is_next<B: Bus>(&self, cpu: &Cpu, bus: &B) -> bool {
        self.whole.start == cpu.pc && self.key == cpu.key && self.epoch == bus.code_epoch()
    }

    /// Whether the code is still what was decoded, though something was written since.
    fn revalidate<B: Bus>(&mut self, bus: &B) -> bool {
        let current = self.whole.versions(bus) == self.version;
        if current {
            self.epoch = bus.code_epoch();
        }
        current
    }
}

/// Turns a branch at the end of what is decoded, if it leads over the one instruction at `pc` and that one can be
/// taken back, into an operation that runs or skips it. A branch that depends on data costs a mispredicted jump half
/// of the time; this way there is none.
fn skips<B: Bus>(cpu: &Cpu, bus: &mut B, branch: &mut Op, pc: u32) -> bool {
    let id = match branch.id {
        Id::bt => Id::skip_if_true,
        Id::bf => Id::skip_if_false,
        _ => return false,
    };
    let over_one = branch.imm == pc.wrapping_add(2);
    let skippable = over_one
        && bus
            .fetch(pc)
            .is_ok_and(|opcode| writes_only_rn(decode_at(cpu, pc, opcode, false)));
    if skippable {
        branch.id = id;
    }
    skippable
}

/// Whether an operation changes nothing but its register `n`, and cannot fail.
fn writes_only_rn(op: Op) -> bool {
    matches!(
        op.id,
        Id::mov_rm_rn
            | Id::mov_imm_rn
            | Id::add_rm_rn
            | Id::add_imm_rn
            | Id::sub_rm_rn
            | Id::neg_rm_rn
            | Id::and_rm_rn
            | Id::or_rm_rn
            | Id::xor_rm_rn
            | Id::not_rm_rn
            | Id::exts_b_rm_rn
            | Id::exts_w_rm_rn
            | Id::extu_b_rm_rn
            | Id::extu_w_rm_rn
            | Id::shad_rm_rn
            | Id::shld_rm_rn
            | Id::shll2_rn
            | Id::shll8_rn
            | Id::shll16_rn
            | Id::shlr2_rn
            | Id::shlr8_rn
            | Id::shlr16_rn
    )
}

fn has(op: Op, flags: u8) -> bool {
    op.row().is_none_or(|row| row.has(flags))
}

/// Whether the instruction behind `op` belongs to the same block.
fn continues(op: Op) -> bool {
    !has(op, flag::BRANCH | flag::LAST | flag::MODE)
}

/// The operation for `opcode`, or the one that faults in its place.
fn decode_at(cpu: &Cpu, pc: u32, opcode: u16, in_slot: bool) -> Op {
    let Some(op) = decode(opcode, pc, cpu.mode()) else {
        let elsewhere = defined_elsewhere(opcode);
        return illegal(match (in_slot, elsewhere) {
            _ if cpu.fpu_disabled() && is_fpu_code(opcode) => Illegal::FpuDisabled,
            (_, true) => Illegal::FpuUndefined,
            (true, false) => Illegal::Slot,
            (false, false) => Illegal::Undefined,
        });
    };
    let privileged = has(op, flag::PRIVILEGED) && cpu.is_user();
    match in_slot {
        true if privileged || has(op, flag::NO_SLOT) => illegal(Illegal::Slot),
        _ if privileged => illegal(Illegal::Privileged),
        _ if has(op, flag::FPU) && cpu.fpu_disabled() => illegal(Illegal::FpuDisabled),
        _ => op,
    }
}

/// Codes that SR.FD = 1 disables whether or not they mean something: F000 to FFFF without the undefined FFFD
/// (SH7750 manual 5.6.2, FPU disable exception).
fn is_fpu_code(opcode: u16) -> bool {
    opcode >= 0xF000 && opcode != 0xFFFD
}

/// Why an operation cannot be carried out, known when it is decoded. It travels in the immediate.
#[derive(Clone, Copy)]
enum Illegal {
    Undefined,
    Privileged,
    Slot,
    FpuUndefined,
    FpuDisabled,
    Fetch(BusError),
}

fn illegal(reason: Illegal) -> Op {
    let imm = match reason {
        Illegal::Undefined => 0,
        Illegal::Privileged => 1,
        Illegal::Slot => 2,
        Illegal::FpuUndefined => 3,
        Illegal::FpuDisabled => 4,
        Illegal::Fetch(BusError::Unmapped) => 5,
        Illegal::Fetch(BusError::Refused) => 6,
        Illegal::Fetch(BusError::Protected) => 7,
    };
    Op {
        id: Id::illegal,
        n: 0,
        m: 0,
        imm,
    }
}

/// The fault that an `illegal` operation stands for.
pub(crate) fn illegal_kind(op: Op) -> FaultKind {
    let fetch = |error| FaultKind::Bus {
        direction: crate::Direction::Fetch,
        error,
    };
    match op.imm {
        1 => FaultKind::Privileged,
        2 => FaultKind::SlotIllegal,
        3 => FaultKind::FpuUndefined,
        4 => FaultKind::FpuDisabled,
        5 => fetch(BusError::Unmapped),
        6 => fetch(BusError::Refused),
        7 => fetch(BusError::Protected),
        _ => FaultKind::Undefined,
    }
}

/// The place of a start address.
#[inline(always)]
fn place(pc: u32) -> usize {
    (pc >> 1) as usize % SLOTS
}

/// Blocks by their start address; a newer one takes the place of an older one with the same index.
#[derive(Default)]
pub(crate) struct BlockCache {
    /// None as long as nothing is decoded.
    slots: Option<Box<[u32; SLOTS]>>,
    blocks: Vec<Block>,
}

/// Start addresses of 128 KB of code have places of their own.
const SLOTS: usize = 1 << 16;
const EMPTY: u32 = u32::MAX;

impl BlockCache {
    /// The current block at the program counter, if it is decoded.
    #[inline(always)]
    pub(crate) fn get<B: Bus>(&self, cpu: &Cpu, bus: &B) -> Option<&Block> {
        let index = self.slots.as_ref()?[place(cpu.pc)];
        let block = self.blocks.get(index as usize)?;
        block.is_next(cpu, bus).then_some(block)
    }

    /// The same when `get` has found nothing: looks past a changed epoch and past what needs attention.
    #[cold]
    pub(crate) fn find<B: Bus>(&mut self, cpu: &Cpu, bus: &B) -> Option<&Block> {
        let index = self.slots.as_ref()?[place(cpu.pc)];
        let block = self.blocks.get_mut(index as usize)?;
        let found = block.whole.start == cpu.pc && block.key == cpu.key & !ATTENTION && block.revalidate(bus);
        found.then_some(block)
    }

    /// The block at `pc` under `key`, if it is decoded and its code unchanged.
    pub(crate) fn current<B: Bus>(&self, bus: &B, pc: u32, key: Key) -> Option<&Straight> {
        let index = self.slots.as_ref()?[place(pc)];
        let block = self.blocks.get(index as usize)?;
        let same = block.whole.start == pc && block.key == key && block.whole.versions(bus) == block.version;
        same.then_some(&block.whole)
    }

    /// Decodes the block at the program counter.
    #[cold]
    pub(crate) fn decode<B: Bus>(&mut self, cpu: &Cpu, bus: &mut B) -> Result<(), BusError> {
        self.insert(place(cpu.pc), Block::decode(cpu, bus)?);
        Ok(())
    }

    fn insert(&mut self, place: usize, block: Block) {
        let slots = self.slots.get_or_insert_with(|| Box::new([EMPTY; SLOTS]));
        match self.blocks.get_mut(slots[place] as usize) {
            Some(old) => *old = block,
            None => {
                slots[place] = self.blocks.len() as u32;
                self.blocks.push(block);
            }
        }
    }
}

/// A copy starts with nothing decoded.
impl Clone for BlockCache {
    fn clone(&self) -> BlockCache {
        BlockCache::default()
    }
}

impl fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} blocks", self.blocks.len())
    }
}
