//! Random loops through memory, counted by both engines: time, events and the state of the caches are equal.
//!
//! `SWIRL_RECOMPILER_STREAMS=10000` runs more loops, `SWIRL_RECOMPILER_SEED=N` others.
#![cfg(target_arch = "x86_64")]
// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic, dead_code)]

#[path = "common/random.rs"]
mod random;

use random::{Random, setting};
use sh4::flat::FlatBus;
use sh4::{Cpu, Settings, Stop, listener};
use sh4_recompiler::{Options, Recompiler};
use timing::memory::MemoryStats;
use timing::{Counter, Setup};

const BASE: u32 = 0x8C00_0000;
const SIZE: usize = 0x20_0000;
/// Where pointers start: so far from code and from the end that no loop comes there.
const DATA: u32 = 0x8C08_0000;
/// Rounds of a loop.
const ROUNDS: u32 = 1_500;
const LIMIT: u64 = 1_000_000;

/// Registers that point to data, R8 to R11; R0 to R3 and FR0 to FR3 are moved.
const POINTERS: [u16; 4] = [8, 9, 10, 11];

fn pick(random: &mut Random, of: &[u16]) -> u16 {
    of[random.below(of.len() as u32) as usize]
}

/// Loads, stores and prefetches around a pointer, and seldom something else with its line.
fn access(random: &mut Random) -> Vec<u16> {
    let (p, r) = (pick(random, &POINTERS), random.below(4) as u16);
    let (loads, stores) = (r << 8 | p << 4, p << 8 | r << 4);
    let disp = random.below(8) as u16;
    match random.below(24) {
        0..=3 => vec![0x6006 | loads; 1 + random.below(4) as usize],
        4..=6 => vec![0xF009 | loads; 1 + random.below(4) as usize],
        7 | 8 => vec![0x5000 | loads | disp],
        9 => vec![0x6004 | loads],
        10..=12 => vec![0x1000 | stores | disp],
        13..=15 => vec![0x2006 | stores; 1 + random.below(4) as usize],
        16 | 17 => vec![0xF00B | stores; 1 + random.below(4) as usize],
        18 => vec![0x2000 | stores],
        // PREF of a line further on, by R12.
        19..=21 => vec![0x6C03 | p << 4, 0x7C00 | pick(random, &[16, 32, 64, 96]), 0x0C83],
        22 => vec![0x0083 | p << 8],
        // MOVCA.L, OCBI, OCBP, OCBWB
        _ => vec![pick(random, &[0x00C3, 0x0093, 0x00A3, 0x00B3]) | p << 8],
    }
}

/// A loop: accesses, pointers moved on, and branches by the bits of R6 over some of them.
fn code(random: &mut Random) -> Vec<u16> {
    let mut code = Vec::new();
    for _ in 0..1 + random.below(6) {
        let some = access(random);
        if random.chance(15) {
            // ROTL R6; BT or BF over these
            let branch = pick(random, &[0x8900, 0x8B00]);
            code.extend([0x4604, branch | (some.len() as u16 - 1)]);
        }
        code.extend(some);
    }
    for pointer in POINTERS {
        if random.chance(60) {
            let by = pick(random, &[4, 8, 16, 32, 32, 64, 0x60, 0x100 - 32, 0x100 - 16]);
            code.push(0x7000 | pointer << 8 | by & 0xFF);
        }
    }
    // DT R13; BF to the beginning; SLEEP
    let back = 0x100 - (code.len() as u16 + 3);
    code.extend([0x4D10, 0x8B00 | back, 0x001B, 0x0009]);
    code
}

fn start(random: &mut Random) -> Cpu {
    let mut cpu = Cpu::new(Settings::default());
    for register in 0..8 {
        cpu.r[register] = random.word();
    }
    let first = DATA + (random.below(0x4_0000) & !3);
    for pointer in POINTERS {
        // In one line, in one entry of the cache, in other rows, anywhere.
        let distance = match random.below(5) {
            0 => random.below(64),
            1 => 0x4000 * random.below(32),
            2 => 0x4000 * random.below(32) + random.below(96),
            3 => 0x800 * random.below(256),
            _ => random.below(0x8_0000),
        };
        cpu.r[usize::from(pointer)] = first + (distance & !3);
    }
    if random.chance(30) {
        for pointer in POINTERS {
            cpu.r[usize::from(pointer)] &= !31;
        }
    }
    // Mostly one way, so that loops do the same for long.
    if random.chance(50) {
        cpu.r[6] = pick(random, &[0, 1, 0xFFFF]).into();
    }
    (cpu.r[13], cpu.pc) = (ROUNDS, BASE);
    cpu
}

/// Instructions executed.
fn compare(seed: u64) -> Result<u64, String> {
    let mut random = Random::new(seed);
    let code = code(&mut random);
    let bytes: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut bus = FlatBus::new(BASE, SIZE);
    bus.load(BASE, &bytes);
    let mut cpu = start(&mut random);
    let (mut other, mut other_bus) = (cpu.clone(), bus.clone());
    let mut recompiler = Recompiler::new(Options { hot: 2 }).unwrap();
    let [mut counter, mut recounter] = [(); 2].map(|()| Counter::new(Setup::default()));
    let mut executed = 0;
    // The rest runs with the same tables and new counts.
    for limit in [LIMIT / 200, LIMIT] {
        let run = cpu.run(&mut bus, None, limit, &mut counter);
        let same = other.run_accelerated_observed(
            &mut other_bus,
            None,
            limit,
            listener(&mut recounter),
            &mut recompiler,
        );
        executed += run.executed;
        if run != same || cpu != other {
            return Err(format!("{run:?} {same:?}"));
        }
        if counter.events() != recounter.events() {
            return Err(format!("{:?} {:?}", counter.events(), recounter.events()));
        }
        if run.stop == Stop::Limit {
            counter.restart();
            recounter.restart();
        }
    }
    let (counted, recounted) = (counter.finish(), recounter.finish());
    if counted.ledger != recounted.ledger || counted.memory != recounted.memory {
        return Err(difference(&counted.memory, &recounted.memory));
    }
    Ok(executed)
}

/// The first lines in which the statistics differ.
fn difference(left: &MemoryStats, right: &MemoryStats) -> String {
    let lines = |stats: &MemoryStats| -> Vec<String> {
        let ranges = stats.ranges().into_iter().map(|range| format!("{range:x?}"));
        let conflicts = stats.conflicts().into_iter().map(|one| format!("{one:x?}"));
        let prefetches = stats.prefetches().into_iter().map(|one| format!("{one:x?}"));
        let others = format!("{stats:?}").split("ranges").next().map(str::to_owned);
        others
            .into_iter()
            .chain(ranges)
            .chain(conflicts)
            .chain(prefetches)
            .collect()
    };
    let (left, right) = (lines(left), lines(right));
    let differ = left.iter().zip(&right).filter(|(left, right)| left != right);
    differ
        .take(4)
        .map(|(left, right)| format!("\n{left}\n{right}"))
        .collect()
}

#[test]
fn loops_through_memory_count_the_same() {
    let (loops, seed) = (
        setting("SWIRL_RECOMPILER_STREAMS", 150),
        setting("SWIRL_RECOMPILER_SEED", 1),
    );
    let mut executed = 0;
    for number in 0..loops {
        match compare(seed.wrapping_add(number)) {
            Ok(some) => executed += some,
            Err(difference) => panic!("seed {}: {difference}", seed.wrapping_add(number)),
        }
    }
    println!("streams: {loops} loops, {executed} instructions, equal");
}
