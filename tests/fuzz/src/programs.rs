//! Runs random code on interpreter and recompiler.

use crate::source::Source;
use sh4::flat::FlatBus;
use sh4::{Bus, Cpu, Settings};
use sh4_recompiler::{Options, Recompiler};

const BASE: u32 = 0x8C00_0000;
const MEMORY: usize = 0x1000;

/// Runs random code on both engines; state and memory must be equal.
pub(crate) fn engines(bytes: &[u8]) {
    let mut from = Source::new(bytes);
    let mut cpu = Cpu::new(Settings::default());
    cpu.set_fpscr(from.word() & 0x0038_0003);
    for register in &mut cpu.r {
        *register = BASE + (from.below(MEMORY as u32) & !3);
    }
    cpu.pc = BASE;
    let mut bus = FlatBus::new(BASE, MEMORY);
    let rest = from.rest();
    bus.load(BASE, &rest[..rest.len().min(MEMORY)]);
    let (mut other, mut other_bus) = (cpu.clone(), bus.clone());
    let Ok(mut recompiler) = Recompiler::new(Options { hot: 1 }) else {
        return;
    };
    let run = cpu.run(&mut bus, None, 400, &mut ());
    let same = other.run_accelerated(&mut other_bus, None, 400, &mut recompiler);
    assert_eq!(run, same);
    assert!(cpu == other, "registers differ");
    let bytes = |bus: &mut FlatBus| bus.window().map(|window| window.bytes.to_vec());
    assert!(bytes(&mut bus) == bytes(&mut other_bus), "memory differs");
}
