//! Runs the speed programs on both engines and compares state and instruction count.
#![cfg(target_arch = "x86_64")]
// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../../sh4/tests/common/program.rs"]
mod program;

use sh4::flat::FlatBus;
use sh4::{Bus, Settings, Stop};
use sh4_fpu::inner::InnerProduct;
use sh4_recompiler::{Options, Recompiler};

#[test]
fn programs_end_the_same() {
    let (mut programs, mut instructions) = (0, 0);
    for p in &program::PROGRAMS {
        let (mut bus, mut cpu) = program::load(p.name, Settings::default());
        let (mut other_bus, mut other) = (bus.clone(), cpu.clone());
        let mut recompiler = Recompiler::new(Options::default()).unwrap();
        let run = cpu.run(&mut bus, None, u64::MAX, &mut ());
        let same = other.run_accelerated(&mut other_bus, None, u64::MAX, &mut recompiler);
        assert_eq!(run, same, "{}", p.name);
        assert_eq!((run.stop, cpu.r[0]), (Stop::Sleep, p.checksum), "{}", p.name);
        assert!(cpu == other && cpu.retired() == other.retired(), "{}", p.name);
        assert!(bytes(&mut bus) == bytes(&mut other_bus), "{}", p.name);
        programs += 1;
        instructions += run.executed;
    }
    println!("programs: {programs} equal, {instructions} instructions");
}

fn bytes(bus: &mut FlatBus) -> &[u8] {
    bus.window().unwrap().bytes
}

/// Runs in slices, and up to an address, stop at the interpreter's address and count.
#[test]
fn slices_end_the_same() {
    let mut programs = 0;
    for p in &program::PROGRAMS {
        let settings = Settings {
            fipr_model: InnerProduct::Exact,
            ..Settings::default()
        };
        let (mut bus, mut cpu) = program::load(p.name, settings);
        let (mut other_bus, mut other) = (bus.clone(), cpu.clone());
        let mut recompiler = Recompiler::new(Options { hot: 2 }).unwrap();
        for slice in 0..4_000 {
            let count = 1 + slice * 7 % 311;
            let until = (slice % 3 == 0).then_some(cpu.pc.wrapping_add(6));
            let run = cpu.run(&mut bus, until, count, &mut ());
            let same = other.run_accelerated(&mut other_bus, until, count, &mut recompiler);
            assert_eq!(run, same, "{} slice {slice}", p.name);
            assert!(cpu == other, "{} slice {slice}", p.name);
        }
        assert!(bytes(&mut bus) == bytes(&mut other_bus), "{}", p.name);
        assert!(recompiler.statistics().regions > 0);
        programs += 1;
    }
    println!("slices: {programs} programs equal");
}
