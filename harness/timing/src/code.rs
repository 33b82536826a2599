//! Executed blocks, and the paths through them.

use crate::hash::NumberMap;
use sh4::table::{Id, flag};
use sh4::{Op, RetiredBlock};

/// A decoded block, or the rest of a block if execution began after its first instruction.
#[derive(Clone, Debug)]
pub struct CodeBlock {
    /// Address of the first instruction.
    start: u32,
    /// True if the last instruction is in a delay slot.
    slot: bool,
    pub(crate) ops: Box<[Op]>,
    pub(crate) opcodes: Box<[u16]>,
    /// Version of the instruction cache in which the block was present; see
    /// [`MemoryModel::holds_code`](crate::memory::MemoryModel).
    pub(crate) resident: u64,
}

/// An instruction on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathInstruction {
    /// Index in the block.
    pub index: u8,
    /// Instruction id. For an operation that replaces BT or BF ([`Op::skips`]), the id of the branch.
    pub id: Id,
    /// True for a taken branch.
    pub taken: bool,
}

/// A path through a block, from its first instruction on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct BlockPath {
    /// Number of operations on the path.
    length: u32,
    skips: u32,
    taken: bool,
}

impl BlockPath {
    #[inline]
    pub(crate) fn of(block: &RetiredBlock<'_>) -> BlockPath {
        BlockPath {
            length: block.ran.len() as u32,
            skips: block.skips,
            taken: block.taken,
        }
    }
}

impl CodeBlock {
    fn new(block: &RetiredBlock<'_>) -> CodeBlock {
        let first = block.ran.start;
        let ops = &block.ops[first..];
        CodeBlock {
            start: block.start.wrapping_add(2 * first as u32),
            slot: block.slot,
            ops: ops.into(),
            opcodes: block.opcodes[first..].into(),
            resident: 0,
        }
    }

    fn is(&self, block: &RetiredBlock<'_>) -> bool {
        let first = block.ran.start;
        self.slot == block.slot && *self.opcodes == block.opcodes[first..] && *self.ops == block.ops[first..]
    }

    /// Address of the first instruction.
    #[must_use]
    pub fn start(&self) -> u32 {
        self.start
    }

    /// Returns the decoded operation at `index`.
    #[must_use]
    pub fn op(&self, index: u8) -> Op {
        self.ops[usize::from(index)]
    }

    /// Returns the opcode at `index`.
    #[must_use]
    pub fn opcode(&self, index: u8) -> u16 {
        self.opcodes[usize::from(index)]
    }

    /// Size in memory in bytes.
    #[inline]
    pub(crate) fn bytes(&self) -> u32 {
        2 * self.ops.len() as u32
    }

    /// Returns the address of an instruction.
    #[must_use]
    #[inline]
    pub fn address(&self, index: u8) -> u32 {
        self.start.wrapping_add(2 * u32::from(index))
    }

    /// True if an instruction is in a delay slot.
    pub(crate) fn in_slot(&self, index: u8) -> bool {
        self.slot && usize::from(index) + 1 == self.ops.len()
    }

    /// Returns the instructions on a path.
    pub(crate) fn instructions(&self, path: BlockPath) -> Vec<PathInstruction> {
        let ops = &self.ops[..path.length as usize];
        let mut skipping = ops.iter().filter(|op| op.skips().is_some()).count();
        let mut visits = Vec::with_capacity(ops.len());
        let mut skipped = false;
        for (index, op) in ops.iter().enumerate() {
            if std::mem::take(&mut skipped) {
                continue;
            }
            let mut taken = path.taken && op.row().is_some_and(|row| row.has(flag::BRANCH));
            if op.skips().is_some() {
                skipping -= 1;
                taken = path.skips >> skipping & 1 != 0;
                skipped = taken;
            }
            visits.push(PathInstruction {
                index: index as u8,
                id: op.skips().unwrap_or(op.id),
                taken,
            });
        }
        visits
    }
}

/// Number of blocks that can be found without a hash lookup.
const RECENT: usize = 1024;
/// Maximum number of blocks at one address to compare with a new one.
const VARIANTS: usize = 16;

/// All executed blocks.
#[derive(Clone, Debug)]
pub struct BlockTable {
    pub(crate) all: Vec<CodeBlock>,
    /// Blocks by their number, if executed from their beginning.
    recent: Vec<(u64, u32)>,
    /// Blocks by their number and the first executed operation.
    by_number: NumberMap<(u64, usize), u32>,
    by_start: NumberMap<u32, Vec<u32>>,
}

impl BlockTable {
    /// Returns the block with a number.
    #[must_use]
    #[inline]
    pub fn block(&self, number: u32) -> &CodeBlock {
        &self.all[number as usize]
    }

    pub(crate) fn new() -> BlockTable {
        BlockTable {
            all: Vec::new(),
            recent: vec![(RetiredBlock::UNNAMED, 0); RECENT],
            by_number: NumberMap::default(),
            by_start: NumberMap::default(),
        }
    }

    /// True if the table should be cleared, to limit memory use.
    pub(crate) fn is_full(&self, most: usize) -> bool {
        self.all.len() >= most || self.by_number.len() >= most
    }

    /// Returns the index of the executed block.
    #[inline]
    pub(crate) fn find(&mut self, block: &RetiredBlock<'_>) -> u32 {
        let place = block.number as usize % RECENT;
        let (number, code) = self.recent[place];
        let known = number == block.number && block.ran.start == 0 && number != RetiredBlock::UNNAMED;
        if known { code } else { self.look_up(block) }
    }

    #[cold]
    fn look_up(&mut self, block: &RetiredBlock<'_>) -> u32 {
        let key = (block.number, block.ran.start);
        let named = block.number != RetiredBlock::UNNAMED;
        let code = match self.by_number.get(&key) {
            Some(code) if named => *code,
            _ => self.identify(block),
        };
        if named {
            self.by_number.insert(key, code);
            if block.ran.start == 0 {
                self.recent[block.number as usize % RECENT] = (block.number, code);
            }
        }
        code
    }

    /// Finds the block by its contents, because it may have been decoded again.
    fn identify(&mut self, block: &RetiredBlock<'_>) -> u32 {
        let start = block.start.wrapping_add(2 * block.ran.start as u32);
        let variants = self.by_start.entry(start).or_default();
        let known = variants
            .iter()
            .rev()
            .take(VARIANTS)
            .find(|code| self.all[**code as usize].is(block));
        if let Some(code) = known {
            return *code;
        }
        let code = self.all.len() as u32;
        variants.push(code);
        self.all.push(CodeBlock::new(block));
        code
    }
}
