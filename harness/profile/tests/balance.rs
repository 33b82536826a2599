//! Checks that the parts of a profile sum to the total.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failing helper fails its test"
)]

use crate::assemble::assemble;
use profile::{Bounds, Profile, Profiler};
use proptest::prelude::*;
use sh4::table::{Id, TABLE, flag};
use sh4::{Access, Direction, Mode, Observer, Retired, decode};
use timing::{Cause, Counter, Setup};

/// Instructions of a random program: opcode, precision and size, an address for memory accesses, and whether
/// a branch is taken.
fn program() -> impl Strategy<Value = Vec<(u16, usize, u32, bool)>> {
    let address = prop_oneof![
        0x8C00_0000_u32..0x8C01_0000,
        0xA400_0000_u32..0xA400_1000,
        0xE000_0000_u32..0xE000_0100,
        0x7C00_0000_u32..0x7C00_1000,
        0xFF00_0000_u32..0xFF00_0040,
    ];
    prop::collection::vec((any::<u16>(), 0..4_usize, address, any::<bool>()), 1..300)
}

/// Reports the program to the profiler as if it had run.
fn run(program: &[(u16, usize, u32, bool)], profiler: &mut impl Observer) -> u64 {
    let mut count = 0;
    let mut pc = 0x8C01_0000_u32;
    let mut slot = false;
    for (opcode, mode, address, taken) in program {
        let Some(op) = decode(*opcode, pc, Mode::ALL[*mode]) else {
            continue;
        };
        let row = &TABLE[op.id as usize];
        if slot && row.has(flag::NO_SLOT) {
            continue;
        }
        let access = Access {
            address: *address & !7,
            size: 8,
            direction: if row.has(flag::STORE) {
                Direction::Write
            } else {
                Direction::Read
            },
            value: 0x0105,
        };
        let taken = row.has(flag::BRANCH) && *taken;
        profiler.retire(&Retired {
            pc,
            opcode: *opcode,
            id: op.id,
            n: op.n,
            m: op.m,
            in_slot: slot,
            taken,
            accesses: &[access; 2][..row.accesses()],
        });
        slot = row.has(flag::DELAYED);
        count += 1;
        pc += 2;
    }
    count
}

/// The used slots equal the instructions. The used and lost slots sum to twice the cycles. The costs of the
/// instructions sum to the total.
fn balances(profile: &Profile, instructions: u64, clock: u64) {
    let ledger = &profile.ledger;
    assert_eq!(ledger.used, instructions);
    assert_eq!(ledger.used + ledger.all_lost(), 2 * clock);
    let sites: u64 = profile.sites.iter().map(|site| site.costs.all_lost()).sum();
    assert_eq!(sites, ledger.all_lost());
    let cycles: u64 = profile.sites.iter().map(|site| site.costs.cycles).sum();
    assert_eq!(cycles, clock);
    let nodes: u64 = profile.calls.nodes().iter().map(|node| node.cycles).sum();
    assert_eq!(nodes, clock);
    let idle: u64 = ledger.idle.iter().sum();
    assert!(idle + profile.counts.pairs <= clock);
    no_bound_exceeds(profile, clock);
}

/// Each bound must be at most the time of the run.
fn no_bound_exceeds(profile: &Profile, clock: u64) {
    for bound in Bounds::of(profile).all() {
        let cycles = bound.cycles.unwrap();
        assert!(cycles <= clock, "{} {cycles}, but it took {clock}", bound.name);
    }
}

proptest! {
    #[test]
    fn every_slot_has_one_cause(program in program()) {
        let mut profiler = Profiler::new(Setup::default());
        let instructions = run(&program, &mut profiler);
        let clock = profiler.clock().0;
        balances(&profiler.finish(), instructions, clock);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// The bounds must also hold for a short run, a warm run, and a region entered several times.
    #[test]
    fn bounds_never_exceed_the_run(
        program in program(), length in 1..20_usize, from in 0..20_u32, to in 0..20_u32,
    ) {
        let short = &program[..length.min(program.len())];
        let region = (0x8C01_0000 + 2 * from, 0x8C01_0000 + 2 * to);
        for region in [None, Some(region)] {
            let setup = Setup { region, ..Setup::default() };
            let (mut profiler, mut counter) = (Profiler::new(setup.clone()), Counter::new(Setup::default()));
            run(short, &mut profiler);
            run(short, &mut counter);
            let cold = profiler.clone().finish();
            no_bound_exceeds(&cold, cold.cycles().0);
            profiler.restart();
            run(short, &mut profiler);
            run(&program, &mut profiler);
            let warm = profiler.finish();
            no_bound_exceeds(&warm, warm.cycles().0);
            let counted = Profile::from(counter.finish());
            let bus = Bounds::of(&counted).bus;
            prop_assert!(bus <= counted.cycles().0);
        }
    }
}

/// Stores to one cache line: a write-back still in the queue at the end must not raise a bound.
#[test]
fn transfers_after_the_end_do_not_raise_a_bound() {
    let store = assemble("mov.l r0,@r1").0;
    let program: Vec<_> = (0..9).map(|i| (store, 0, 0xA400_0000 + 4 * i, false)).collect();
    let mut profiler = Profiler::new(Setup::default());
    run(&program, &mut profiler);
    let queued = profiler.memory_mut().bus_free() - profiler.clock().0;
    let profile = profiler.finish();
    assert!(queued > 0);
    assert!(Bounds::of(&profile).bus <= profile.cycles().0);
}

proptest! {
    /// Counting must give the same totals as explaining, also for code that runs again in another state.
    #[test]
    fn both_modes_agree(program in program(), again in 1..5_usize, cut in 0..300_usize) {
        let (mut profiler, mut counter) = (Profiler::new(Setup::default()), Counter::new(Setup::default()));
        for length in (0..again).map(|i| if i % 2 == 0 { program.len() } else { cut.min(program.len()) }) {
            run(&program[..length], &mut profiler);
            run(&program[..length], &mut counter);
        }
        // A warm run begins with the caches and the bus of the previous run.
        profiler.restart();
        counter.restart();
        run(&program, &mut profiler);
        run(&program, &mut counter);
        let live = profiler.events();
        let (explained, counted) = (profiler.finish(), counter.finish());
        for code in [0x09, 0x10, 0x11, 0x15, 0x22] {
            prop_assert_eq!(live.get(code), explained.events.get(code));
        }
        prop_assert_eq!(explained.ledger, counted.ledger);
        prop_assert_eq!(explained.counts, counted.counts);
        prop_assert_eq!(explained.events, counted.events);
    }
}

/// Checks the bounds of an endless sequence of some instructions. `expected` names the binding resource,
/// `each` is its cycles per repetition.
fn binds(texts: &[&str], expected: &str, each: u64) {
    let opcodes: Vec<u16> = texts.iter().map(|text| assemble(text).0).collect();
    let program = |times: usize| -> Vec<(u16, usize, u32, bool)> {
        let all = opcodes.iter().cycle().take(times * opcodes.len());
        all.map(|opcode| (*opcode, 0, 0x7C00_0000, false)).collect()
    };
    let [before, bounds] = [100, 200].map(|times| {
        let mut profiler = Profiler::new(Setup::default());
        run(&program(times), &mut profiler);
        // Excludes the bus, because this sequence is not a loop and its code is fetched.
        let bus = 0;
        Bounds {
            bus,
            ..Bounds::of(&profiler.finish())
        }
    });
    assert_eq!(bounds.binding().name, expected, "{texts:?}");
    let more = bounds.binding().cycles.unwrap() - before.binding().cycles.unwrap();
    assert_eq!(more, 100 * each, "{texts:?}: {bounds:?}");
}

/// Computed by hand from the table of locks and latencies, per repetition.
#[test]
fn bounds_of_small_loops() {
    // Ten cycles of F3 each (lock 2 to 11); no instruction waits for a result.
    binds(
        &["fdiv fr0,fr1", "fdiv fr0,fr2", "fdiv fr0,fr3"],
        "divider F3",
        30,
    );
    // Nine for FSQRT, 10 for FDIV; the additions between them fit into these cycles.
    binds(
        &["fsqrt fr1", "fadd fr4,fr5", "fdiv fr0,fr2", "fadd fr6,fr7"],
        "divider F3",
        19,
    );
    // A division by the previous result: its latency of 12 exceeds its lock.
    binds(&["fdiv fr1,fr1"], "dependency chain", 12);
    // Four cycles of F0 and F1 each; F1 also takes the two additions.
    binds(
        &[
            "ftrv xmtrx,fv0",
            "ftrv xmtrx,fv4",
            "fadd fr8,fr9",
            "fadd fr10,fr11",
        ],
        "arithmetic stage F1",
        10,
    );
    // The vectors of four matrices: F0 and F1 are equal. The dependency on the previous vector takes less
    // time.
    binds(
        &[
            "ftrv xmtrx,fv0",
            "ftrv xmtrx,fv4",
            "ftrv xmtrx,fv8",
            "ftrv xmtrx,fv12",
        ],
        "vector stage F0",
        16,
    );
    // Group EX, one instruction per cycle; with loads between them still one per cycle.
    binds(&["add r1,r2", "add r1,r3"], "issue slots", 2);
    binds(
        &["add r1,r2", "mov.l @r5,r6", "add r1,r3", "mov.l @r5,r7"],
        "issue slots",
        2,
    );
    // Consecutive MACs: 2 cycles by the special rule, and each decodes for 2. Both bounds are equal, so the
    // report names the first.
    binds(&["mac.l @r1+,@r2+"], "issue slots", 2);
    // A sum: 3 cycles from FADD to FADD.
    binds(&["fadd fr0,fr1", "mov r1,r2"], "dependency chain", 3);
}

/// Ten FSRRA in a chain take nine times the latency, an uncertain figure from 3 to 6, and the slot of the
/// last one.
#[test]
fn open_figures_give_an_interval() {
    let (opcode, _) = assemble("fsrra fr0");
    let mut profiler = Profiler::new(Setup::default());
    run(&[(opcode, 0, 0, false); 10], &mut profiler);
    let profile = profiler.finish();
    let frozen =
        profile.ledger.idle[Cause::InstructionMiss as usize] + profile.ledger.idle[Cause::RowMiss as usize];
    let ends = profile.interval.unwrap().map(|end| end.0 - frozen);
    assert_eq!((ends, profile.cycles().0 - frozen), ([28, 55], 37));
}

/// Code that never repeats: the tables are limited, but no cost is lost.
#[test]
fn memory_use_is_flat() {
    let (mut counter, mut profiler) = (
        Counter::new(Setup::default()),
        Profiler::new(Setup::default()).without_interval(),
    );
    // Twice the capacity of the tables.
    let instructions = 2 * (1 << 15) + 1000;
    for i in 0..instructions {
        // mul.l r1,r0 at consecutive addresses; then a new opcode each time at one address.
        let (pc, opcode, id) = if i < instructions / 2 {
            (0x8C00_0000 + 2 * i, 0x0017, Id::mul_l_rm_rn)
        } else {
            (0x8D00_0000, 0x7000 | i as u16 & 0xFFF, Id::add_imm_rn)
        };
        let event = Retired {
            pc,
            opcode,
            id,
            n: 0,
            m: 1,
            in_slot: false,
            taken: false,
            accesses: &[],
        };
        counter.retire(&event);
        profiler.retire(&event);
    }
    let (counted, explained) = (counter.finish(), profiler.finish());
    assert_eq!(counted.ledger.used, u64::from(instructions));
    assert_eq!(
        (counted.ledger, counted.events),
        (explained.ledger, explained.events)
    );
    let sites: u64 = explained.sites.iter().map(|site| site.costs.instructions).sum();
    assert_eq!(sites, u64::from(instructions));
    assert_eq!(counted.changed_code, Some(0x8D00_0000));
}
