//! Runs the speed programs to their end and compares their checksums.

// A failed unwrap or panic in a helper fails the test.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/program.rs"]
mod program;

use sh4::flat::FlatBus;
use sh4::table::{Group, TABLE, flag};
use sh4::{Cpu, Mode, Settings, Stop, decode};
use sh4_fpu::inner::InnerProduct;

/// Runs every program with the chip's rounding, and programs with FTRV also with the other models.
#[test]
fn checksums() {
    let mut count = 0;
    for p in &program::PROGRAMS {
        for fipr_model in [
            InnerProduct::Hardware,
            InnerProduct::Exact,
            InnerProduct::Sequential,
        ] {
            if fipr_model != InnerProduct::Hardware && !matches!(p.name, "fpu_ftrv" | "fpu_mixed") {
                continue;
            }
            let settings = Settings {
                fipr_model,
                ..Settings::default()
            };
            let (mut bus, mut cpu) = program::load(p.name, settings);
            let run = cpu.run(&mut bus, None, 1_000_000_000, &mut ());
            assert_eq!(
                (run.stop, cpu.r[0]),
                (Stop::Sleep, p.checksum),
                "{} {fipr_model:?}",
                p.name
            );
            count += 1;
        }
    }
    println!("programs: {count} runs");
}

/// Single steps, and a run up to an address inside a block, give the same state as a whole run.
#[test]
fn steps_are_a_run() {
    let mut count = 0;
    for p in &program::PROGRAMS {
        let (mut bus, mut cpu) = program::load(p.name, Settings::default());
        let (mut whole_bus, mut whole) = (bus.clone(), cpu.clone());
        let mut executed = 0;
        while executed < 20_000 {
            let run = cpu.run(&mut bus, None, 1, &mut ());
            assert_eq!(run.stop, Stop::Limit);
            assert!((1..=2).contains(&run.executed), "a branch and its slot at most");
            executed += run.executed;
        }
        let run = whole.run(&mut whole_bus, None, executed, &mut ());
        assert_eq!((run.stop, run.executed), (Stop::Limit, executed), "{}", p.name);
        assert!(cpu == whole, "{}", p.name);

        // The next address that single steps reach, as the `until` of a run.
        cpu.step(&mut bus).unwrap();
        let run = whole.run(&mut whole_bus, Some(cpu.pc), u64::MAX, &mut ());
        assert_eq!(run.stop, Stop::Until);
        assert!(cpu == whole, "{}", p.name);
        count += 1;
    }
    println!("steps: {count} programs");
}

/// A whole run joins a conditional branch over one instruction with the code after it; single steps do not.
/// With every register instruction after both branches, taken and not, both runs must give the same state and
/// count.
#[test]
fn a_branch_over_one_is_a_branch() {
    const CODE: u32 = 0x8C00_0100;
    let mut cases = 0;
    for opcode in 0..=u16::MAX {
        let Some(op) = decode(opcode, CODE, Mode::default()) else {
            continue;
        };
        let row = &TABLE[op.id as usize];
        let harmless = matches!(row.group, Group::EX | Group::MT) && !row.has(flag::NO_SLOT);
        // Registers behave alike, so the test uses only some of each.
        if !harmless || opcode % 7 != 0 {
            continue;
        }
        for (branch, set) in [
            (0x8900, 0x0018),
            (0x8900, 0x0008),
            (0x8B00, 0x0018),
            (0x8B00, 0x0008),
        ] {
            // set or clear T; bt or bf over the instruction; it; add #1,r1; sleep
            let mut bus = FlatBus::new(0x0C00_0000, 0x1000);
            let words: [u16; 5] = [set, branch, opcode, 0x7101, 0x001B];
            bus.load(CODE, &words.map(u16::to_le_bytes).concat());
            let mut cpu = Cpu::new(Settings::default());
            cpu.r = std::array::from_fn(|i| 0x9E37_79B9u32.wrapping_mul(i as u32 + u32::from(opcode)));
            cpu.pc = CODE;
            let (mut stepped, mut bus_stepped) = (cpu.clone(), bus.clone());
            let run = cpu.run(&mut bus, None, 100, &mut ());
            assert_eq!(run.stop, Stop::Sleep);
            let mut steps = 1;
            while stepped.step(&mut bus_stepped).is_ok() {
                steps += 1;
            }
            assert!(cpu == stepped, "{opcode:04X} {branch:04X} {set:04X}");
            assert_eq!(
                (run.executed, cpu.retired()),
                (steps, steps),
                "{opcode:04X} {branch:04X} {set:04X}"
            );
            cases += 1;
        }
    }
    println!("branches over one instruction: {cases} cases");
    assert!(cases > 5_000);
}
