//! Compares the counter with its definition: random instructions and accesses, single and repeated.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use proptest::prelude::*;
use sh4::table::{TABLE, flag};
use sh4::{Access, Mode, Observer, Retired, decode};
use timing::memory::MemoryStats;
use timing::{Counter, PlainCounter, Setup};

/// An opcode, a mode, an address for its accesses, and whether a branch is taken.
type Step = (u16, usize, u32, bool);

fn program() -> impl Strategy<Value = Vec<Step>> {
    let address = prop_oneof![
        // Main memory: nearby lines, and lines of one entry.
        4 => 0x8C00_0000_u32..0x8C00_0100,
        4 => (0..8_u32).prop_map(|way| 0x8C01_0000 + 0x4000 * way),
        2 => 0x0C00_0000_u32..0x0C10_0000,
        1 => 0xA400_0000_u32..0xA400_1000,
        1 => 0xE000_0000_u32..0xE000_0100,
        1 => 0x7C00_0000_u32..0x7C00_1000,
        // CCR and its neighbours.
        1 => 0xFF00_0000_u32..0xFF00_0040,
    ];
    prop::collection::vec((any::<u16>(), 0..4_usize, address, any::<bool>()), 1..300)
}

fn run(program: &[Step], observer: &mut impl Observer) {
    let (mut pc, mut slot) = (0x8C01_0000_u32, false);
    for (opcode, mode, address, taken) in program {
        let Some(op) = decode(*opcode, pc, Mode::ALL[*mode]) else {
            continue;
        };
        let row = &TABLE[op.id as usize];
        if slot && row.has(flag::NO_SLOT) {
            continue;
        }
        let accesses: Vec<Access> = (0..row.accesses())
            .map(|which| {
                let (size, direction) = row.access(which);
                Access {
                    address: *address & !7,
                    size,
                    direction,
                    value: 0x0105,
                }
            })
            .collect();
        observer.retire(&Retired {
            pc,
            opcode: *opcode,
            id: op.id,
            n: op.n,
            m: op.m,
            in_slot: slot,
            taken: row.has(flag::BRANCH) && *taken,
            accesses: &accesses,
        });
        slot = row.has(flag::DELAYED);
        pc += 2;
    }
}

/// Statistics that do not depend on the order of rows.
fn sorted(stats: &MemoryStats) -> impl PartialEq + std::fmt::Debug {
    (
        stats.ranges(),
        stats.prefetches(),
        stats.conflicts(),
        stats.operand_fills,
        stats.bus_busy,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn counter_equals_its_definition(program in program(), times in 1..6_usize) {
        let (mut plain, mut counter) = (PlainCounter::new(Setup::default()), Counter::new(Setup::default()));
        for _ in 0..times {
            run(&program, &mut plain);
            run(&program, &mut counter);
        }
        prop_assert_eq!(plain.events(), counter.events());
        let (plain, counter) = (plain.finish(), counter.finish());
        prop_assert_eq!(plain.ledger, counter.ledger);
        prop_assert_eq!(plain.counts, counter.counts);
        prop_assert_eq!(sorted(&plain.memory), sorted(&counter.memory));
        prop_assert_eq!(plain.last_pc, counter.last_pc);
    }
}
