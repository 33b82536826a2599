//! The speed programs to their end, by checksum.

// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "common/program.rs"]
mod program;

use sh4::{Settings, Stop};
use sh4_fpu::inner::InnerProduct;

/// Every program by the chip's rounding, those with FTRV by the other models too.
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
            let Some((mut bus, mut cpu)) = program::load(p.name, settings) else {
                continue;
            };
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
    println!(
        "programs: {count} runs{}",
        if count == 0 { ", corpus not present" } else { "" }
    );
}

/// One instruction at a time, and up to an address inside a block, come to the same state as a whole run.
#[test]
fn steps_are_a_run() {
    let mut count = 0;
    for p in &program::PROGRAMS {
        let Some((mut bus, mut cpu)) = program::load(p.name, Settings::default()) else {
            continue;
        };
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

        // The next address reached by stepping, asked for by `until`.
        cpu.step(&mut bus).unwrap();
        let run = whole.run(&mut whole_bus, Some(cpu.pc), u64::MAX, &mut ());
        assert_eq!(run.stop, Stop::Until);
        assert!(cpu == whole, "{}", p.name);
        count += 1;
    }
    println!(
        "steps: {count} programs{}",
        if count == 0 { ", corpus not present" } else { "" }
    );
}
