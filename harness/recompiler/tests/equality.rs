//! Runs random code on both engines and compares state, memory, count and stop.
//!
//! `SWIRL_RECOMPILER_CASES` is the number of cases, `SWIRL_RECOMPILER_SEED` their seed. Compiling takes most
//! of the time; `SWIRL_RECOMPILER_STATES=200` runs each piece of code with more states and memories.
#![cfg(target_arch = "x86_64")]
// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::random::{Case, Machine, Random, setting};
use sh4::Settings;
use sh4::table::{Id, Row, TABLE, Variant, flag};

/// Number of cases for one piece of code.
fn states() -> u64 {
    setting("SWIRL_RECOMPILER_STATES", 40).max(1)
}

/// Number of cases between two reports of progress.
const PROGRESS: u64 = 250_000;

/// Number of cases. A debug build compiles slowly and runs fewer.
fn cases() -> u64 {
    let usual = if cfg!(debug_assertions) { 2_000 } else { 20_000 };
    setting("SWIRL_RECOMPILER_CASES", usual)
}

#[test]
fn random_code_is_the_same() {
    let (cases, states, seed) = (cases(), states(), setting("SWIRL_RECOMPILER_SEED", 1));
    let (mut ran, mut executed, mut regions) = (0, 0, 0);
    let mut instructions = 0;
    for number in 0..cases.div_ceil(states) {
        let mut random = Random::new(seed.wrapping_add(number));
        let mut machine = Machine::new(&mut random);
        // Most states have the same mode, because code is compiled separately for each mode.
        let first = Case::new(&mut random);
        for state in 0..states {
            let mut case = Case::new(&mut random);
            if random.chance(80) {
                case = case.in_mode_of(&first);
            }
            if let Err(difference) = machine.compare(&case) {
                panic!("seed {seed}, code {number}, state {state}: {difference}");
            }
            ran += 1;
        }
        executed += machine.executed;
        let statistics = machine.recompiler.statistics();
        regions += statistics.regions;
        instructions += statistics.instructions;
        assert_eq!(statistics.refused, 0);
        if ran / PROGRESS > (ran - states) / PROGRESS {
            eprintln!("equality: {ran} cases of {cases} equal");
        }
    }
    println!(
        "equality: {ran} cases, {executed} instructions run, {regions} regions of {instructions} \
         instructions compiled"
    );
    assert!(regions > ran / states);
}

/// FTRV's vector is loaded and stored whole only if nothing between its parts reads or writes there: one
/// access at a time at every place.
#[test]
fn accesses_between_a_vector_s_are_the_same() {
    // fmov.s @r1+,fr0 ...; ftrv xmtrx,fv0; fmov.s fr3,@-r2 ...; dt r3; bf to the beginning
    let loads = [0xF019, 0xF119, 0xF219, 0xF319];
    let stores = [0xF23B, 0xF22B, 0xF21B, 0xF20B];
    let plain = [&loads[..], &[0xF1FD], &stores].concat();
    // mov.l @Rm,R0; mov.l @Rm+,R0; mov.l R0,@Rn; mov.l R0,@-Rn; mov.l R0,@(4,Rn)
    let (reads, writes) = ([0x6002, 0x6006], [0x2002, 0x2006, 0x1001]);
    let between = [1, 2].into_iter().flat_map(|register| {
        let reads = reads.map(|row| row | register << 4);
        reads.into_iter().chain(writes.map(|row| row | register << 8))
    });
    let mut ran = 0;
    for word in between {
        for at in 0..=plain.len() {
            let mut code = plain.clone();
            code.insert(at, word);
            code.extend([0x4310, 0x8BF4, 0x0009, 0x001B]);
            let mut machine = Machine::with(code, 1, Settings::default());
            let mut random = Random::new(u64::from(word) << 8 | at as u64);
            for _ in 0..20 {
                let case =
                    Case::new(&mut random).with_fpscr(0x0004_0000 | random.below(2) << 2 | random.below(2));
                if let Err(difference) = machine.compare(&case.with_vectors(&mut random)) {
                    panic!("{word:04x} at {at}: {difference}");
                }
            }
            ran += machine.executed;
        }
    }
    println!("vectors: {ran} instructions run");
}

/// Each operation with doubles, with and without DN and flag I, in both rounding modes: compiled code must
/// give the bits, the cause and the flags of the interpreter.
#[test]
fn doubles_are_the_same() {
    let doubles = TABLE.iter().filter(|row| row.variant == Variant::Pr1);
    let (mut ran, mut rows) = (0, 0);
    for row in doubles {
        let mut random = Random::new(rows);
        // DR4 and DR2, or the same register twice; FPUL.
        for fill in [0x0420, 0x0220] {
            let code = vec![crate::random::filled(row, fill), 0x0009, 0x001B];
            for mode in MODES {
                let mut machine = Machine::with(code.clone(), 1, Settings::default());
                for _ in 0..600 {
                    let fpscr = mode | 0x0008_0000;
                    let case = Case::new(&mut random).with_fpscr(fpscr).with_doubles(&mut random);
                    if let Err(difference) = machine.compare(&case) {
                        panic!("{} with FPSCR {mode:08x}: {difference}", row.syntax);
                    }
                    ran += 1;
                }
            }
        }
        rows += 1;
    }
    println!("doubles: {ran} cases of {rows} operations");
    assert!(rows >= 11);
}

/// Each operation with singles, like the doubles above. Two more programs compute with constants: 1/3, and
/// 2^24 + 1 as a single. The code generator must not round these results to nearest under RM = 1.
#[test]
fn singles_are_the_same() {
    const RATIO: [u16; 7] = [0xF09D, 0xF19D, 0xF110, 0xF100, 0xF013, 0x0009, 0x001B];
    const WHOLE: [u16; 7] = [0xE101, 0x4118, 0x4128, 0x7101, 0x415A, 0xF02D, 0x001B];
    let has_singles = |row: &&Row| row.variant == Variant::Pr0 && row.has(flag::FPU);
    let rows = TABLE.iter().filter(has_singles);
    let filled =
        |row| [0xF420u16, 0xF220].map(|fill| vec![crate::random::filled(row, fill & 0xFFF), 0x0009, 0x001B]);
    let codes = rows.flat_map(filled).chain([RATIO.to_vec(), WHOLE.to_vec()]);
    let (mut ran, mut count) = (0, 0);
    for code in codes {
        let mut random = Random::new(count);
        for mode in MODES {
            let mut machine = Machine::with(code.clone(), 1, Settings::default());
            for _ in 0..400 {
                let case = Case::new(&mut random).with_fpscr(mode);
                if let Err(difference) = machine.compare(&case) {
                    panic!("{code:04x?} with FPSCR {mode:08x}: {difference}");
                }
                ran += 1;
            }
        }
        count += 1;
    }
    println!("singles: {ran} cases of {count} programs");
    assert!(count >= 26);
}

/// FPSCR with and without DN and flag I, in both rounding modes.
const MODES: [u32; 8] = [0x0004_0000, 0x0004_0004, 0, 4, 0x0004_0001, 0x0004_0005, 1, 5];

/// Reason for which the absence of an instruction is not visible.
fn exempt(id: Id) -> Option<&'static str> {
    match id {
        Id::trapa_imm | Id::sleep | Id::rte | Id::ldtlb => Some("run by the interpreter"),
        Id::nop | Id::pref_at_rn | Id::ocbi_at_rn | Id::ocbp_at_rn | Id::ocbwb_at_rn => {
            Some("no effect on flat memory")
        }
        _ => None,
    }
}

/// Returns true if the comparison detects that one engine leaves out `row`.
fn is_noticed(row: &Row) -> bool {
    let fpscr = match row.variant {
        Variant::Pr1 => 0x000C_0000,
        Variant::Sz1 => 0x0014_0000,
        _ => 0x0004_0000,
    };
    (0..60).any(|number| {
        let mut random = Random::new(number);
        // An odd number of copies, so that two errors do not cancel. ADD #1,R1 fills delay slots.
        let code = (0..3).flat_map(|_| [crate::random::opcode(row, &mut random), 0x7101]);
        let code = code.chain([0x0009, 0x001B]);
        let mut machine = Machine::with(code.collect(), 1, Settings::default());
        machine.leave_out(row);
        (0..10).any(|_| {
            let flags = random.below(2) << 2 | random.below(2);
            let case = Case::new(&mut random).with_fpscr(fpscr | flags);
            machine.compare(&case).is_err()
        })
    })
}

/// Replaces one instruction at a time by NOP on the interpreter. The comparison must detect each.
#[test]
fn a_missing_instruction_is_noticed() {
    let (mut noticed, mut missed) = (0, Vec::new());
    for row in TABLE {
        match exempt(row.id) {
            Some(why) => println!("mutation: {} left out: {why}", row.syntax),
            None if is_noticed(row) => noticed += 1,
            None => missed.push(row.syntax),
        }
    }
    println!("mutation: {noticed} of {} instructions noticed", TABLE.len());
    assert!(missed.is_empty(), "{missed:?}");
}
