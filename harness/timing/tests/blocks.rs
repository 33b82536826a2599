//! Compares the counter with its definition: random blocks with several accesses each, complete and in part,
//! and random loops through memory on a real CPU.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use proptest::prelude::*;
use sh4::flat::FlatBus;
use sh4::table::{Id, Row, flag};
use sh4::{Access, Cpu, Mode, Observer, Op, Retired, RetiredBlock, Settings, Stop, Taken, decode};
use timing::{Counter, CycleCounts, PlainCounter, Setup};

/// Reports a run to the counter and to its definition.
struct Both {
    counter: Counter,
    plain: PlainCounter,
    /// Number of reported blocks.
    blocks: usize,
}

impl Observer for Both {
    fn counts(&self) -> bool {
        true
    }

    fn retire(&mut self, event: &Retired<'_>) {
        self.counter.retire(event);
        self.plain.retire(event);
    }

    fn ran(&mut self, block: &RetiredBlock<'_>) {
        self.counter.ran(block);
        self.plain.ran(block);
        // A program may read PMCTR at any time. The counter then moves its counts.
        self.blocks += 1;
        if self.blocks.is_multiple_of(3) {
            for event in [0x06, 0x10, 0x14, 0x15, 0x27, 0x28] {
                assert_eq!(
                    self.counter.count(event),
                    self.plain.count(event),
                    "event {event:02x}"
                );
            }
        }
    }

    fn taken(&mut self, taken: &Taken) {
        self.counter.taken(taken);
        self.plain.taken(taken);
    }
}

impl Both {
    fn new() -> Both {
        Both {
            counter: Counter::new(Setup::default()),
            plain: PlainCounter::new(Setup::default()),
            blocks: 0,
        }
    }

    /// Compares all results.
    fn compare(self) -> Result<CycleCounts, TestCaseError> {
        prop_assert_eq!(self.plain.events(), self.counter.events());
        let (plain, counter) = (self.plain.finish(), self.counter.finish());
        prop_assert_eq!(plain.ledger, counter.ledger);
        prop_assert_eq!(plain.counts, counter.counts);
        prop_assert_eq!(&plain.memory, &counter.memory);
        prop_assert_eq!(plain.last_pc, counter.last_pc);
        Ok(counter)
    }
}

/// A decoded block.
#[derive(Debug)]
struct Block {
    start: u32,
    ops: Vec<Op>,
    opcodes: Vec<u16>,
    slot: bool,
}

/// An execution of a block: index; first operation and end; skipping branches, and the branch at the end; an
/// address for each access.
type Execution = (usize, usize, usize, u32, bool, Vec<u32>);

fn address() -> impl Strategy<Value = u32> {
    prop_oneof![
        // Main memory: nearby lines, lines of one entry, other rows.
        6 => 0x8C00_0000_u32..0x8C00_0100,
        4 => (0..8_u32).prop_map(|way| 0x8C01_0000 + 0x4000 * way),
        2 => 0x0C00_0000_u32..0x0C10_0000,
        1 => 0xA400_0000_u32..0xA400_1000,
        1 => 0xE000_0000_u32..0xE000_0100,
        1 => 0x7C00_0000_u32..0x7C00_1000,
        // CCR and its neighbours, timers.
        1 => 0xFF00_0000_u32..0xFF00_0040,
        1 => 0xFFD8_0000_u32..0xFFD8_0030,
    ]
}

/// Blocks of random instructions: some skip the next one, some end with a branch, some with a delay slot.
fn block() -> impl Strategy<Value = Block> {
    let rows = prop::collection::vec((any::<u16>(), 0..4_usize, 0..8_u8), 1..14);
    (0..0x800_u32, rows).prop_map(|(place, rows)| {
        let start = 0x8C01_0000 + 8 * place;
        let (mut ops, mut opcodes, mut slot) = (Vec::new(), Vec::new(), false);
        for (opcode, mode, skip) in rows {
            let pc = start + 2 * ops.len() as u32;
            let Some(op) = decode(opcode, pc, Mode::ALL[mode]) else {
                continue;
            };
            let has = |flags| op.row().is_some_and(|row| row.has(flags));
            let in_slot = ops
                .last()
                .is_some_and(|last: &Op| last.row().is_some_and(|row| row.has(flag::DELAYED)));
            if in_slot {
                if has(flag::NO_SLOT) {
                    continue;
                }
                ops.push(op);
                opcodes.push(opcode);
                slot = true;
                break;
            }
            if skip < 2 && !has(flag::BRANCH | flag::LAST | flag::MODE) {
                let (id, code) = [(Id::skip_if_true, 0x8900), (Id::skip_if_false, 0x8B00)][usize::from(skip)];
                ops.push(Op { id, ..op });
                opcodes.push(code);
            }
            ops.push(op);
            opcodes.push(opcode);
            if has(flag::BRANCH | flag::LAST | flag::MODE) && !has(flag::DELAYED) {
                break;
            }
        }
        Block {
            start,
            ops,
            opcodes,
            slot,
        }
    })
}

fn execution() -> impl Strategy<Value = Execution> {
    let whole = (Just(0_usize), Just(64_usize));
    let part = (0..8_usize, 1..16_usize);
    let span = prop_oneof![4 => whole, 1 => part];
    let addresses = prop::collection::vec(address(), 1..8);
    (0..8_usize, span, any::<u32>(), any::<bool>(), addresses)
        .prop_map(|(block, (from, to), skips, taken, addresses)| (block, from, to, skips, taken, addresses))
}

/// Reports an execution, unless no operation remains.
fn execute(block: &Block, number: u64, execution: &Execution, observer: &mut Both) {
    let (_, from, to, skips, taken, addresses) = execution;
    let end = block.ops.len().min(*to);
    // No execution begins at an instruction that the preceding one may skip, or in a delay slot.
    let inside =
        |at: usize| at > 0 && block.ops[at - 1].skips().is_some() || block.slot && at + 1 == block.ops.len();
    let begin = if *from < end && !inside(*from) { *from } else { 0 };
    if begin >= end {
        return;
    }
    let count = block.ops[begin..end]
        .iter()
        .filter(|op| op.skips().is_some())
        .count() as u32;
    let mut retired = RetiredBlock {
        number,
        start: block.start,
        ops: &block.ops,
        opcodes: &block.opcodes,
        slot: block.slot,
        ran: begin..end,
        skips: skips & ((1 << count) - 1),
        taken: *taken
            && block.ops[..end]
                .iter()
                .any(|op| op.row().is_some_and(|row| row.has(flag::BRANCH))),
        accesses: &[],
    };
    // The interpreter never ends a block after a branch that skips an instruction beyond the end.
    if block.ops[end - 1].skips().is_some() {
        retired.skips &= !1;
    }
    let mut accesses = Vec::new();
    for event in retired.instructions() {
        let index = ((event.pc - block.start) / 2) as usize;
        let row: Option<&Row> = block.ops[index].row();
        for which in 0..row.map_or(0, Row::accesses) {
            let (size, direction) = row.unwrap().access(which);
            accesses.push(Access {
                address: addresses[accesses.len() % addresses.len()] & !7,
                size,
                direction,
                value: 0x0105,
            });
        }
    }
    observer.ran(&RetiredBlock {
        accesses: &accesses,
        ..retired
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_blocks_count_as_defined(
        blocks in prop::collection::vec(block(), 1..8),
        executions in prop::collection::vec(execution(), 1..60),
        times in 1..4_usize,
    ) {
        let mut both = Both::new();
        for execution in executions.iter().cycle().take(times * executions.len()) {
            let which = execution.0 % blocks.len();
            execute(&blocks[which], which as u64 + 1, execution, &mut both);
        }
        both.compare()?;
    }
}

const BASE: u32 = 0x8C00_0000;
/// Pointers begin far from code and from the end, so that loops do not reach either.
const DATA: u32 = 0x8C08_0000;

/// Loads, stores, prefetches and cache instructions with one of the pointers R8 to R11.
fn access() -> impl Strategy<Value = Vec<u16>> {
    (8..12_u16, 0..4_u16, 0..8_u16, 0..24_u8, 1..5_usize, 0..4_usize).prop_map(
        |(p, r, disp, kind, count, which)| {
            let (loads, stores) = (r << 8 | p << 4, p << 8 | r << 4);
            match kind {
                0..=3 => vec![0x6006 | loads; count],
                4..=6 => vec![0xF009 | loads; count],
                7 | 8 => vec![0x5000 | loads | disp],
                9 => vec![0x6004 | loads],
                10..=12 => vec![0x1000 | stores | disp],
                13..=15 => vec![0x2006 | stores; count],
                16 | 17 => vec![0xF00B | stores; count],
                18 => vec![0x2000 | stores],
                // PREF of a later line, with R12.
                19..=21 => vec![0x6C03 | p << 4, 0x7C00 | [16, 32, 64, 96][which], 0x0C83],
                22 => vec![0x0083 | p << 8],
                // MOVCA.L, OCBI, OCBP, OCBWB
                _ => vec![[0x00C3, 0x0093, 0x00A3, 0x00B3][which] | p << 8],
            }
        },
    )
}

/// Distance of a pointer: in one line, in one entry of the cache, in other rows, random.
fn distance() -> impl Strategy<Value = u32> {
    prop_oneof![
        0..64_u32,
        (0..32_u32).prop_map(|way| 0x4000 * way),
        (0..32_u32, 0..96_u32).prop_map(|(way, offset)| 0x4000 * way + offset),
        (0..256_u32).prop_map(|row| 0x800 * row),
        0..0x8_0000_u32,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Loops with accesses, branches over some of them by the bits of R6, and moving pointers.
    #[test]
    fn loops_through_memory_count_as_defined(
        parts in prop::collection::vec((access(), prop::option::of(any::<bool>())), 1..7),
        steps in prop::array::uniform4(prop::sample::select(vec![0_u16, 4, 8, 16, 32, 64, 96, 0xE0, 0xF0])),
        pointers in prop::array::uniform4(distance()),
        first in 0..0x4_0000_u32,
        word in any::<u32>(),
    ) {
        let mut code = Vec::new();
        for (some, branch) in &parts {
            if let Some(when) = branch {
                // ROTL R6; BT or BF over these
                code.extend([0x4604, if *when { 0x8900 } else { 0x8B00 } | (some.len() as u16 - 1)]);
            }
            code.extend(some);
        }
        code.extend((8..12).zip(steps).map(|(pointer, by)| 0x7000 | pointer << 8 | by));
        // DT R13; BF to the beginning; SLEEP
        let back = 0x100 - (code.len() as u16 + 3);
        code.extend([0x4D10, 0x8B00 | back, 0x001B, 0x0009]);
        let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut bus = FlatBus::new(BASE, 0x20_0000);
        bus.load(BASE, &bytes);
        let mut cpu = Cpu::new(Settings::default());
        (cpu.r[6], cpu.r[13], cpu.pc) = (word, 300, BASE);
        for (register, distance) in (8..12).zip(pointers) {
            cpu.r[register] = DATA + ((first + distance) & !3);
        }
        let mut both = Both::new();
        let run = cpu.run(&mut bus, None, 1_000_000, &mut both);
        // A byte load with increment may make a pointer odd. The next word access then ends the run.
        prop_assert!(matches!(run.stop, Stop::Sleep | Stop::Fault(_)), "{:?}", run.stop);
        let counts = both.compare()?;
        prop_assert_eq!(counts.counts.instructions, run.executed);
    }
}
