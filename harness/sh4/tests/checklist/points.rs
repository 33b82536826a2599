//! Tests of details that SH-4 emulators often get wrong. Expected values are computed by hand from the
//! manual's formulas. The table in the crate's README lists the test of each point of the checklist.
//!
//! A crate that includes this module defines a module `engine`, which runs the code.

mod branches;
mod breaks;
mod control;
mod exceptions;
mod fpu;
mod integer;
mod interrupts;
mod mmu;
mod moves;
mod observers;
mod operations;
mod registers;
mod rules;
mod tlb_arrays;

use super::engine;
use sh4::flat::FlatBus;
use sh4::{
    Bus, Cpu, Direction, Event, Exceptions, FaultKind, Interrupt, MacLongSaturation, MacWordFlag,
    MmuRegister, Settings, Stop, fpscr, sr,
};

const CODE: u32 = 0x8C00_0000;
const DATA: u32 = 0x8C00_1000;
/// Addresses of the handlers: general exceptions at VBR + 100, interrupts at VBR + 600.
const VBR: u32 = 0x8C00_2000;
const GENERAL: u32 = VBR + 0x100;
const INTERRUPT: u32 = VBR + 0x600;

const NOP: u16 = 0x0009;
const RTE: u16 = 0x002B;
const SLEEP: u16 = 0x001B;
/// bra . + 4: the next instruction is its slot.
const BRA: u16 = 0xA000;

/// A CPU at `CODE` in a memory that holds `words`: privileged, rounding to nearest, DN = 1.
fn machine(words: &[u16], settings: Settings) -> (Cpu, FlatBus) {
    let mut bus = FlatBus::new(0x0C00_0000, 0x4000);
    put_code(&mut bus, CODE, words);
    let mut cpu = Cpu::new(settings);
    cpu.set_sr(sr::MD);
    cpu.set_fpscr(fpscr::DN);
    cpu.pc = CODE;
    (cpu, bus)
}

fn put_code(bus: &mut FlatBus, address: u32, words: &[u16]) {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(bus.load(address, &bytes), bytes.len());
}

/// Runs `words` after `setup`, and returns the CPU and the stop.
fn run(words: &[u16], count: u64, setup: impl FnOnce(&mut Cpu, &mut FlatBus)) -> (Cpu, FlatBus, Stop) {
    let (mut cpu, mut bus) = machine(words, Settings::default());
    setup(&mut cpu, &mut bus);
    let run = engine::run(&mut cpu, &mut bus, None, count);
    (cpu, bus, run.stop)
}

/// Like [`machine`], but the CPU takes exceptions: VBR is set, R15 is 55555555, handlers are `rte; nop`.
fn taking(words: &[u16]) -> (Cpu, FlatBus) {
    let settings = Settings {
        exceptions: Exceptions::Take,
        ..Settings::default()
    };
    let (mut cpu, mut bus) = machine(words, settings);
    for handler in [GENERAL, INTERRUPT] {
        put_code(&mut bus, handler, &[RTE, NOP]);
    }
    (cpu.vbr, cpu.r[15]) = (VBR, 0x5555_5555);
    (cpu, bus)
}

fn fault(stop: Stop) -> FaultKind {
    match stop {
        Stop::Fault(fault) => fault.kind,
        other => panic!("{other}"),
    }
}
