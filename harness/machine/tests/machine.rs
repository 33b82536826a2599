//! Memory, store queues, calls and stops, with programs of a few instructions.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use machine::{CallError, Image, Machine, MemoryError, Stop};
use sh4::{Bus, BusError, FaultKind};

/// Address of the test programs.
const CODE: u32 = 0x8C01_0000;

fn program(opcodes: &[u16]) -> Machine {
    let mut machine = Machine::new();
    let bytes: Vec<u8> = opcodes.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    machine.memory_mut().write(CODE, &bytes).unwrap();
    machine
}

#[test]
fn ram_is_mirrored_and_seen_through_every_area() {
    let memory = &mut Machine::new();
    let memory = memory.memory_mut();
    memory.write32(0x0C00_0010, 0x1234_5678).unwrap();
    for address in [0x8C00_0010, 0xAC00_0010, 0xCC00_0010, 0x0D00_0010, 0x8F00_0010] {
        assert_eq!(memory.read32(address), Ok(0x1234_5678), "{address:08x}");
    }
    assert_eq!(memory.read8(0xEC00_0010), Err(BusError::Unmapped));
    assert_eq!(memory.read32(0x0400_0000), Err(BusError::Unmapped));
}

#[test]
fn mapped_memory_is_bounded() {
    let mut machine = Machine::new();
    let memory = machine.memory_mut();
    memory.map(0x0400_0000, 0x1000).unwrap();
    memory.write(0xA400_0FFC, &[1, 2, 3, 4]).unwrap();
    assert_eq!(memory.read32(0x0400_0FFC), Ok(0x0403_0201));
    assert!(matches!(
        memory.write(0xA400_0FFD, &[0; 4]),
        Err(MemoryError::Unmapped { .. })
    ));
    for (address, size) in [
        (0x0400_0800, 16),
        (0x0C00_0000, 16),
        (0x0500_0000, 0),
        (0x0500_0000, u32::MAX),
    ] {
        assert!(memory.map(address, size).is_err(), "{address:08x} {size}");
    }
}

#[test]
fn a_store_queue_goes_where_qacr_says() {
    let mut machine = Machine::new();
    let memory = machine.memory_mut();
    for word in 0..8 {
        memory.write32(0xE000_0020 + 4 * word, word).unwrap();
    }
    // QACR1 serves queue 1. Bits 4-2 are 28-26 of the target: 0x0C000000 is area 3.
    memory.write32(0xFF00_003C, 0x0C).unwrap();
    memory.prefetch(0xE001_2360).unwrap();
    assert_eq!(memory.read(0x8C01_2360, 8).unwrap(), [0, 0, 0, 0, 1, 0, 0, 0]);
    memory.set_qacr([0x10, 0x10]);
    memory.prefetch(0xE000_0020).unwrap();
    assert_eq!(memory.take_ta(), [[0, 1, 2, 3, 4, 5, 6, 7]]);
    assert_eq!(memory.take_ta(), [[0; 8]; 0]);
    // Smaller stores and loads are not defined for the queues.
    assert_eq!(memory.write16(0xE000_0000, 0), Err(BusError::Refused));
    assert_eq!(memory.read32(0xE000_0000), Err(BusError::Refused));
}

#[test]
fn arguments_come_in_registers_and_on_the_stack() {
    // mov.l @(4,r15),r0; sub r7,r0; rts; add r4,r0  -> sixth argument - fourth + first
    let mut machine = program(&[0x50F1, 0x3078, 0x000B, 0x304C]);
    let called = machine.call(CODE, &[1, 2, 3, 40, 5, 600], 100).unwrap();
    assert_eq!((called.result, called.instructions), (561, 4));
}

#[test]
fn a_kept_register_that_changes_is_named() {
    // rts; mov #1,r8
    let mut machine = program(&[0x000B, 0xE801]);
    match machine.call(CODE, &[], 100) {
        Err(CallError::Register { register, after, .. }) => assert_eq!((register.as_str(), after), ("r8", 1)),
        other => panic!("{other:?}"),
    }
    // fschg; rts; nop: returns with SZ = 1
    let mut machine = program(&[0xF3FD, 0x000B, 0x0009]);
    assert!(
        machine
            .call(CODE, &[], 100)
            .unwrap_err()
            .to_string()
            .contains("fpscr")
    );
}

#[test]
fn stops_name_place_and_reason() {
    let halt = |opcodes: &[u16], count| program(opcodes).emu_start(CODE, None, count);
    // bra .; nop
    assert_eq!(halt(&[0xAFFE, 0x0009], 1000).stop, Stop::Limit);
    // sleep
    assert_eq!(halt(&[0x001B], 10).stop, Stop::Sleep);
    // mov #1,r1; mov.l @r1,r0
    let misaligned = halt(&[0xE101, 0x6012], 10);
    assert!(
        matches!(misaligned.stop, Stop::Fault(f) if matches!(f.kind, FaultKind::Misaligned { size: 4, .. }))
    );
    assert!(misaligned.to_string().contains("8c010002"), "{misaligned}");
    // mov #0,r1; mov.l @r1,r0: address 0 is not mapped
    assert!(matches!(halt(&[0xE100, 0x6012], 10).stop, Stop::Fault(f) if f.address == Some(0)));
    // FFFD is not an instruction.
    assert!(matches!(halt(&[0xFFFD], 10).stop, Stop::Fault(f) if f.kind == FaultKind::Undefined));
}

#[test]
fn code_that_rewrites_itself_runs_as_written() {
    // Three iterations: add #1,r0; mov.w r2,@r1; dt r3; bf back. The store replaces the add with the
    // instruction in r2.
    let mut machine = program(&[0x7001, 0x2121, 0x4310, 0x8BFB, 0x001B]);
    machine.cpu.r[..4].copy_from_slice(&[0, CODE, 0x7005, 3]); // 7005 is add #5,r0
    assert_eq!(machine.emu_start(CODE, None, 100).stop, Stop::Sleep);
    assert_eq!(machine.cpu.r[0], 11);
    // The host overwrites the code.
    machine
        .memory_mut()
        .write(CODE, &0x7064_u16.to_le_bytes())
        .unwrap(); // add #100,r0
    machine.cpu.r[2..4].copy_from_slice(&[0x7064, 1]);
    machine.emu_start(CODE, None, 100);
    assert_eq!(machine.cpu.r[0], 111);
}

/// A profiler supplies the program's counters: PMCR1 on event 23, elapsed time, started at 1000.
#[test]
fn a_source_answers_the_performance_counters() {
    struct Clock(u64);
    impl sh4::PerformanceSource for Clock {
        fn count(&mut self, event: u8) -> Option<u64> {
            self.0 += 0x10_0000_0000;
            (event == 0x23).then_some(self.0)
        }
    }
    // mov.w r0,@r1; mov.l @r2,r3 (high); mov.l @r4,r5 (low); sleep
    let mut machine = program(&[0x2101, 0x6322, 0x6542, 0x001B]);
    let clock = std::sync::Arc::new(std::sync::Mutex::new(Clock(1000)));
    machine.memory_mut().set_performance_source(clock);
    machine.cpu.r[..5].copy_from_slice(&[0xC023, 0xFF00_0084, 0xFF10_0004, 0, 0xFF10_0008]);
    assert_eq!(machine.emu_start(CODE, None, 9).stop, Stop::Sleep);
    assert_eq!((machine.cpu.r[3], machine.cpu.r[5]), (0x10, 0));
    // All requested events were counted; event 0 was active only before the start.
    assert_eq!(machine.cpu.uncounted_events(), 0);
}

#[test]
fn files_of_other_kinds_are_refused() {
    assert!(Image::parse(b"").is_err());
    assert!(Image::parse(&[0; 64]).is_err());
    let rom = include_bytes!("../../../roms/kernels.elf");
    let image = Image::parse(rom).unwrap();
    assert_eq!(image.entry, CODE);
    assert_eq!(image.symbols.address("sincos"), image.symbols.address("_sincos"));
    let start = image.symbols.address("_sincos").unwrap();
    assert_eq!(image.symbols.describe(start + 2), "_sincos+0x2");
    // e_machine at offset 18: ARM is 40.
    let mut other = rom.to_vec();
    other[18] = 40;
    let error = Image::parse(&other).unwrap_err().to_string();
    assert!(error.contains("40") && error.contains("SuperH"), "{error}");
    for end in 0..rom.len() {
        // A prefix may still contain all segments. It must not cause a panic.
        let _ = Image::parse(&rom[..end]);
    }
}
