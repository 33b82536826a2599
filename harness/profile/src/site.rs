//! Costs by the address of the instruction.

use timing::CAUSES;
use timing::Insn;
use timing::hash::NumberMap;

/// Costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Cycles: half of the used and lost slots, rounded so that the parts sum to the total.
    pub cycles: u64,
    /// Instructions.
    pub instructions: u64,
    /// Slots lost, by cause.
    pub lost: [u64; CAUSES],
    /// Accesses through the operand cache that missed.
    pub misses: u64,
    /// Instruction cache misses.
    pub instruction_misses: u64,
    /// Branches taken.
    pub taken: u64,
}

impl Costs {
    /// All lost slots.
    #[must_use]
    pub fn all_lost(&self) -> u64 {
        self.lost.iter().sum()
    }

    pub(crate) fn add(&mut self, other: &Costs) {
        self.cycles += other.cycles;
        self.instructions += other.instructions;
        for (sum, value) in self.lost.iter_mut().zip(other.lost) {
            *sum += value;
        }
        self.misses += other.misses;
        self.instruction_misses += other.instruction_misses;
        self.taken += other.taken;
    }

    /// The costs added since `earlier`.
    pub(crate) fn since(&self, earlier: &Costs) -> Costs {
        Costs {
            cycles: self.cycles - earlier.cycles,
            instructions: self.instructions - earlier.instructions,
            lost: std::array::from_fn(|i| self.lost[i] - earlier.lost[i]),
            misses: self.misses - earlier.misses,
            instruction_misses: self.instruction_misses - earlier.instruction_misses,
            taken: self.taken - earlier.taken,
        }
    }
}

/// An instruction of the program and its costs.
#[derive(Clone, Debug)]
pub struct Site {
    /// Address.
    pub pc: u32,
    /// Opcode.
    pub opcode: u16,
    /// The instruction.
    pub insn: Insn,
    /// Costs; `instructions` is the execution count.
    pub costs: Costs,
    /// Number of executions as the second of a pair.
    pub second: u64,
    /// Number of executions after a backward branch.
    pub looped: u64,
}

impl Site {
    fn new(pc: u32, opcode: u16, insn: Insn) -> Site {
        Site {
            pc,
            opcode,
            insn,
            costs: Costs::default(),
            second: 0,
            looped: 0,
        }
    }
}

const PLACES: usize = 1 << 14;
const EMPTY: u32 = u32::MAX;

/// Sites by address.
#[derive(Clone, Debug)]
pub(crate) struct Sites {
    /// Direct-mapped cache of `others`, which has the indices of all sites by address.
    places: Vec<u32>,
    others: NumberMap<u32, u32>,
    pub(crate) all: Vec<Site>,
}

impl Sites {
    pub(crate) fn new() -> Sites {
        Sites {
            places: vec![EMPTY; PLACES],
            others: NumberMap::default(),
            all: Vec::new(),
        }
    }

    /// Returns the index of the site at `pc`. Calls `make` to create a new site.
    #[inline]
    pub(crate) fn index(&mut self, pc: u32, opcode: u16, make: impl FnOnce() -> Insn) -> usize {
        let place = (pc >> 1) as usize % PLACES;
        let index = self.places[place];
        if let Some(site) = self.all.get(index as usize)
            && site.pc == pc
        {
            return index as usize;
        }
        let index = self.slow(pc, opcode, make);
        self.places[place] = index as u32;
        index
    }

    /// Returns the index of the site at `pc`, if it exists.
    pub(crate) fn find(&self, pc: u32) -> Option<usize> {
        self.others.get(&pc).map(|index| *index as usize)
    }

    #[cold]
    fn slow(&mut self, pc: u32, opcode: u16, make: impl FnOnce() -> Insn) -> usize {
        if let Some(index) = self.others.get(&pc) {
            return *index as usize;
        }
        let index = self.all.len();
        self.all.push(Site::new(pc, opcode, make()));
        self.others.insert(pc, index as u32);
        index
    }
}
