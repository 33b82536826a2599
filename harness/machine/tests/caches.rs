//! Operand cache in programs: hits, write policies, cache instructions, on-chip RAM, arrays.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use machine::cache::ccr;
use machine::{CacheMode, CallError, Machine, Stop};

const CODE: u32 = 0x8C01_0000;
const DATA: u32 = 0x8C02_0000;
const PHYSICAL: u32 = 0x0C02_0000;

fn machine(mode: CacheMode, opcodes: &[u16]) -> Machine {
    let mut machine = Machine::new();
    machine.set_caches(mode).unwrap();
    let bytes: Vec<u8> = opcodes.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    machine.memory_mut().write(CODE, &bytes).unwrap();
    machine
}

/// Runs `opcodes` up to a final `sleep`, with R0 to R7 set.
fn run_with(machine: &mut Machine, registers: [u32; 8], opcodes: &[u16]) {
    let words = opcodes.iter().chain(&[0x001B]);
    let bytes: Vec<u8> = words.flat_map(|opcode| opcode.to_le_bytes()).collect();
    machine.memory_mut().write(CODE, &bytes).unwrap();
    machine.cpu.r[..8].copy_from_slice(&registers);
    let halt = machine.emu_start(CODE, None, 100);
    assert_eq!(halt.stop, Stop::Sleep, "{halt}");
}

/// Reads a word like DMA does.
fn memory_word(machine: &Machine, address: u32) -> u32 {
    let bytes = machine.memory().read(address, 4).unwrap();
    u32::from_le_bytes(bytes.try_into().unwrap())
}

fn put(machine: &mut Machine, address: u32, value: u32) {
    machine.memory_mut().write(address, &value.to_le_bytes()).unwrap();
}

const STORE: u16 = 0x2102; // mov.l r0,@r1
const LOAD: u16 = 0x6212; // mov.l @r1,r2
const OCBI: u16 = 0x0193; // ocbi @r1
const OCBP: u16 = 0x01A3;
const OCBWB: u16 = 0x01B3;
const PREF: u16 = 0x0183;
const MOVCA: u16 = 0x01C3; // movca.l r0,@r1
const TAS: u16 = 0x411B; // tas.b @r1

/// Purpose of the cached mode: it exposes a kernel that omits the write-back before "DMA" reads its result.
/// The other mode does not.
#[test]
fn a_forgotten_write_back_is_caught() {
    // mov.l r5,@r4; rts; nop  and  mov.l r5,@r4; ocbwb @r4; rts; nop
    let forgets = [0x2452u16, 0x000B, 0x0009];
    let writes_back = [0x2452u16, 0x04B3, 0x000B, 0x0009];
    let result = |mode, kernel: &[u16]| -> Result<u32, CallError> {
        let mut machine = machine(mode, kernel);
        machine.call(CODE, &[DATA, 0xCAFE], 100)?;
        Ok(memory_word(&machine, PHYSICAL))
    };
    assert_eq!(result(CacheMode::Coherent, &forgets), Ok(0xCAFE));
    assert_eq!(result(CacheMode::Coherent, &writes_back), Ok(0xCAFE));
    assert_eq!(result(CacheMode::Cached, &writes_back), Ok(0xCAFE));
    assert_eq!(
        result(CacheMode::Cached, &forgets),
        Ok(0),
        "the store is still in the cache"
    );
}

/// DMA writes memory of which the CPU has a line. The CPU reads the old data until it invalidates the line.
#[test]
fn stale_lines_are_seen_until_invalidated() {
    let mut machine = machine(CacheMode::Cached, &[]);
    put(&mut machine, DATA, 1);
    run_with(&mut machine, [0, DATA, 0, 0, 0, 0, 0, 0], &[LOAD]);
    put(&mut machine, DATA, 2);
    run_with(&mut machine, [0, DATA, 0, 0, 0, 0, 0, 0], &[LOAD]);
    assert_eq!(machine.cpu.r[2], 1);
    run_with(&mut machine, [0, DATA, 0, 0, 0, 0, 0, 0], &[OCBI, LOAD]);
    assert_eq!(machine.cpu.r[2], 2);
}

#[test]
fn each_area_has_its_policy() {
    let stays = |address: u32, bits: u32| {
        let mut machine = machine(CacheMode::Cached, &[]);
        let setup = [bits, 0xFF00_001C, 0, 0, 0, 0, 0, 0];
        run_with(&mut machine, setup, &[STORE]);
        // The load fills the line first.
        run_with(&mut machine, [7, address, 0, 0, 0, 0, 0, 0], &[LOAD, STORE, LOAD]);
        assert_eq!(machine.cpu.r[2], 7);
        memory_word(&machine, PHYSICAL) == 0
    };
    let (p0, p1, p2, p3) = (0x0C02_0000, 0x8C02_0000, 0xAC02_0000, 0xCC02_0000);
    assert!(stays(p0, ccr::OCE) && stays(p3, ccr::OCE));
    assert!(!stays(p0, ccr::OCE | ccr::WT) && !stays(p3, ccr::OCE | ccr::WT));
    assert!(!stays(p1, ccr::OCE) && stays(p1, ccr::OCE | ccr::CB));
    assert!(!stays(p2, ccr::OCE | ccr::CB));
    assert!(!stays(p1, ccr::CB), "OCE = 0");
}

#[test]
fn the_cache_instructions() {
    let run = |instruction| {
        let mut machine = machine(CacheMode::Cached, &[]);
        put(&mut machine, DATA, 1);
        run_with(&mut machine, [7, DATA, 0, 0, 0, 0, 0, 0], &[STORE, instruction]);
        let memory = memory_word(&machine, PHYSICAL);
        // Change memory to see whether the line is still valid.
        put(&mut machine, DATA, 99);
        run_with(&mut machine, [7, DATA, 0, 0, 0, 0, 0, 0], &[LOAD]);
        (memory, machine.cpu.r[2])
    };
    assert_eq!(run(OCBI), (1, 99), "dirty data are discarded");
    assert_eq!(run(OCBP), (7, 99), "written back, gone");
    assert_eq!(run(OCBWB), (7, 7), "written back, kept");
    assert_eq!(run(0x0009), (1, 7), "nop: dirty");
}

#[test]
fn movca_allocates_without_reading() {
    let mut machine = machine(CacheMode::Cached, &[]);
    for word in 0..8 {
        put(&mut machine, DATA + 4 * word, 0x1111_1111);
    }
    run_with(&mut machine, [7, DATA, 0, 0, 0, 0, 0, 0], &[MOVCA, OCBWB]);
    assert_eq!(memory_word(&machine, PHYSICAL), 7);
    assert_eq!(
        memory_word(&machine, PHYSICAL + 4),
        0,
        "the rest is what the line held"
    );
}

#[test]
fn pref_fills() {
    let mut machine = machine(CacheMode::Cached, &[]);
    put(&mut machine, DATA, 5);
    run_with(&mut machine, [0, DATA, 0, 0, 0, 0, 0, 0], &[PREF]);
    put(&mut machine, DATA, 6);
    run_with(&mut machine, [0, DATA, 0, 0, 0, 0, 0, 0], &[LOAD]);
    assert_eq!(machine.cpu.r[2], 5);
    // Address 04000000 is not mapped; PREF gives no error.
    run_with(&mut machine, [0, 0x8400_0000, 0, 0, 0, 0, 0, 0], &[PREF]);
}

#[test]
fn tas_purges_and_reaches_memory() {
    let mut machine = machine(CacheMode::Cached, &[]);
    run_with(&mut machine, [0x0100, DATA, 0, 0, 0, 0, 0, 0], &[STORE, TAS]);
    assert!(machine.cpu.t);
    assert_eq!(memory_word(&machine, PHYSICAL), 0x0180);
}

#[test]
fn lines_that_share_an_index_push_each_other_out() {
    // 16 KB apart: the second store writes the first one back.
    let mut machine = machine(CacheMode::Cached, &[]);
    let store_far = 0x2302; // mov.l r0,@r3
    run_with(
        &mut machine,
        [7, DATA, 0, DATA + 0x4000, 0, 0, 0, 0],
        &[STORE, store_far],
    );
    assert_eq!(
        (
            memory_word(&machine, PHYSICAL),
            memory_word(&machine, PHYSICAL + 0x4000)
        ),
        (7, 0)
    );
    // With OIX bit 13 is not part of the index: addresses 8 KB apart share a line, addresses 32 MB apart do
    // not.
    let mut machine = machine_with_ccr(ccr::OCE | ccr::CB | ccr::OIX);
    run_with(
        &mut machine,
        [7, DATA, 0, DATA + 0x2000, 0, 0, 0, 0],
        &[STORE, store_far],
    );
    assert_eq!(memory_word(&machine, PHYSICAL), 7);
}

fn machine_with_ccr(bits: u32) -> Machine {
    let mut machine = machine(CacheMode::Cached, &[]);
    run_with(&mut machine, [bits, 0xFF00_001C, 0, 0, 0, 0, 0, 0], &[STORE]);
    machine
}

/// Address map of the on-chip RAM, in both modes and with both index modes.
#[test]
fn on_chip_ram() {
    for mode in [CacheMode::Coherent, CacheMode::Cached] {
        for (oix, other) in [(0, 0x7C00_2000u32), (ccr::OIX, 0x7E00_0000)] {
            let mut machine = machine(mode, &[]);
            let bits = ccr::OCE | ccr::ORA | oix;
            run_with(&mut machine, [bits, 0xFF00_001C, 0, 0, 0, 0, 0, 0], &[STORE]);
            let mut store = |address, value| {
                run_with(&mut machine, [value, address, 0, 0, 0, 0, 0, 0], &[STORE]);
            };
            store(0x7C00_0FFC, 1);
            store(other + 0xFFC, 2);
            let mut load = |address| {
                run_with(&mut machine, [0, address, 0, 0, 0, 0, 0, 0], &[LOAD]);
                machine.cpu.r[2]
            };
            assert_eq!((load(0x7C00_0FFC), load(other + 0xFFC)), (1, 2));
            // Each area repeats after 4 KB, and the complete map after 16 KB.
            assert_eq!((load(0x7C00_1FFC), load(other + 0x1FFC)), (1, 2));
            assert_eq!((load(0x7C00_4FFC), load(other + 0x4FFC)), (1, 2));
            if oix == 0 {
                // 8 KB of consecutive addresses from 7C001000.
                assert_eq!((load(0x7C00_1FFC), load(0x7C00_2FFC)), (1, 2));
            }
        }
        // Without ORA there is no on-chip RAM.
        let mut plain = machine(mode, &[LOAD, 0x001B]);
        plain.cpu.r[1] = 0x7C00_0000;
        assert!(matches!(plain.emu_start(CODE, None, 9).stop, Stop::Fault(_)));
    }
}

/// On-chip RAM occupies lines 128-255 and 384-511; cached data never reach it.
#[test]
fn on_chip_ram_is_apart_from_the_cache() {
    let mut machine = machine_with_ccr(ccr::OCE | ccr::CB | ccr::ORA);
    run_with(&mut machine, [0xAA, 0x7C00_0000, 0, 0, 0, 0, 0, 0], &[STORE]);
    for line in 0..1024 {
        run_with(&mut machine, [line, DATA + 32 * line, 0, 0, 0, 0, 0, 0], &[STORE]);
    }
    run_with(&mut machine, [0, 0x7C00_0000, 0, 0, 0, 0, 0, 0], &[LOAD]);
    assert_eq!(machine.cpu.r[2], 0xAA);
}

/// The arrays at F4000000 and F5000000.
#[test]
fn memory_mapped_arrays() {
    let mut machine = machine(CacheMode::Cached, &[]);
    run_with(&mut machine, [7, DATA, 0, 0, 0, 0, 0, 0], &[STORE]);
    let entry = DATA & 0x3FE0;
    let array = |machine: &mut Machine, address| {
        run_with(machine, [0, address, 0, 0, 0, 0, 0, 0], &[LOAD]);
        machine.cpu.r[2]
    };
    assert_eq!(
        array(&mut machine, 0xF400_0000 | entry),
        (PHYSICAL & 0x1FFF_FC00) | 3
    );
    assert_eq!(array(&mut machine, 0xF500_0000 | entry), 7);
    // An associative write with another tag has no effect. With this tag and V = 0 the line is written back
    // and removed.
    run_with(
        &mut machine,
        [0x0C03_0000, 0xF400_0008 | entry, 0, 0, 0, 0, 0, 0],
        &[STORE],
    );
    assert_eq!(memory_word(&machine, PHYSICAL), 0);
    run_with(
        &mut machine,
        [PHYSICAL, 0xF400_0008 | entry, 0, 0, 0, 0, 0, 0],
        &[STORE],
    );
    assert_eq!(memory_word(&machine, PHYSICAL), 7);
    assert_eq!(array(&mut machine, 0xF400_0000 | entry) & 3, 0);
    // The instruction cache's arrays accept writes.
    run_with(&mut machine, [0, 0xF000_0000, 0, 0, 0, 0, 0, 0], &[STORE]);
}

/// OCI discards lines; CCR reads without OCI and ICI.
#[test]
fn cache_control() {
    let mut machine = machine(CacheMode::Cached, &[]);
    run_with(&mut machine, [7, DATA, 0, 0, 0, 0, 0, 0], &[STORE]);
    run_with(
        &mut machine,
        [0x090D, 0xFF00_001C, 0, 0, 0, 0, 0, 0],
        &[STORE, LOAD],
    );
    assert_eq!(machine.cpu.r[2], 0x0105);
    run_with(&mut machine, [0, DATA, 0, 0, 0, 0, 0, 0], &[LOAD]);
    assert_eq!(machine.cpu.r[2], 0);
}

/// Code is fetched from memory: modified code runs after its write-back.
#[test]
fn code_is_seen_once_it_is_written_back() {
    // jsr @r1; nop; sleep. The program first stores the code at R1: rts; add #1,r6, as one longword.
    let call = [0x410B, 0x0009];
    let code: u32 = 0x7601_000B;
    let mut machine = machine(CacheMode::Cached, &[]);
    // Memory initially contains rts; nop.
    put(&mut machine, DATA, 0x0009_000B);
    let registers = [code, DATA, 0, 0, 0, 0, 0, 0];
    run_with(&mut machine, registers, &[STORE, call[0], call[1]]);
    assert_eq!(machine.cpu.r[6], 0);
    run_with(&mut machine, registers, &[STORE, OCBWB, call[0], call[1]]);
    assert_eq!(machine.cpu.r[6], 1);
}

/// A sequence of loads, stores and cache instructions without OCBI gives the same memory in both modes, after
/// a complete write-back.
#[test]
fn cached_and_coherent_agree_in_the_end() {
    let mut seed = 0x1234_5678u32;
    let mut next = |bound: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % bound
    };
    let mut machines = [CacheMode::Coherent, CacheMode::Cached].map(|mode| machine(mode, &[]));
    for value in 0..4000 {
        let address = [0x8C02_0000, 0x0C02_0000][next(2) as usize] + 4 * next(0x4000);
        let operation = [STORE, LOAD, OCBP, OCBWB, PREF, TAS, MOVCA][next(6) as usize];
        for machine in &mut machines {
            run_with(machine, [value, address, 0, 0, 0, 0, 0, 0], &[operation]);
        }
        assert_eq!(
            machines[0].cpu.r, machines[1].cpu.r,
            "{operation:04X} at {address:08X}"
        );
    }
    machines[1].write_back_caches().unwrap();
    let [coherent, cached] =
        machines.map(|machine| machine.memory().read(PHYSICAL, 0x2_0000).unwrap().to_vec());
    assert!(coherent == cached);
}
