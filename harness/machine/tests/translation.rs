//! Address translation with caches, on-chip RAM and store queues (SH7750 manual, sections 3 and 4).

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use machine::cache::ccr;
use machine::{CacheMode, Machine, Stop};
use sh4::MmuRegister;

const CODE: u32 = 0x8C01_0000;
const MMUCR: u32 = 0xFF00_0010;
const PTEH: u32 = 0xFF00_0000;
const PTEL: u32 = 0xFF00_0004;
const CCR: u32 = 0xFF00_001C;

const STORE: u16 = 0x2102; // mov.l r0,@r1
const LOAD: u16 = 0x6212; // mov.l @r1,r2
const PREF: u16 = 0x0183; // pref @r1
const LDTLB: u16 = 0x0038;

/// Valid, 4 KB, readable and writable in all modes.
const OPEN: u32 = 0x174;
const CACHED: u32 = 1 << 3;
const WRITE_THROUGH: u32 = 1;

/// Runs `opcodes` and a SLEEP with R0 and R1 set; returns R2.
fn run(machine: &mut Machine, opcodes: &[u16], r0: u32, r1: u32) -> u32 {
    let words = opcodes.iter().chain(&[0x001B]);
    let bytes: Vec<u8> = words.flat_map(|opcode| opcode.to_le_bytes()).collect();
    machine.memory_mut().write(CODE, &bytes).unwrap();
    (machine.cpu.r[0], machine.cpu.r[1]) = (r0, r1);
    let halt = machine.emu_start(CODE, None, 100);
    assert_eq!(halt.stop, Stop::Sleep, "{halt}");
    machine.cpu.r[2]
}

fn store(machine: &mut Machine, address: u32, value: u32) {
    run(machine, &[STORE], value, address);
}

/// Loads the UTLB entry at index MMUCR.URC.
fn load_entry(machine: &mut Machine, pteh: u32, ptel: u32) {
    store(machine, PTEH, pteh);
    store(machine, PTEL, ptel);
    run(machine, &[LDTLB], 0, 0);
}

fn memory_word(machine: &Machine, address: u32) -> u32 {
    let bytes = machine.memory().read(address, 4).unwrap();
    u32::from_le_bytes(bytes.try_into().unwrap())
}

/// Store queues as KallistiOS uses them with the MMU on. `mmu_init_basic` wires entries 63 and 62. `sq_lock`
/// writes their data arrays. PREF uses the page that is entered at that time.
#[test]
fn store_queues_as_kallistios_maps_them() {
    let mut machine = Machine::new();
    let control = |urb: u32, urc: u32| urb << 18 | urc << 10 | 1 << 9 | 1;
    store(&mut machine, MMUCR, control(63, 63));
    load_entry(&mut machine, 0xE010_0000, 0x1F4 & !0x40);
    store(&mut machine, MMUCR, control(62, 62));
    load_entry(&mut machine, 0xE000_0000, 0x1F4 & !0x40);
    store(&mut machine, MMUCR, control(61, 0));
    let pages: Vec<u32> = machine.cpu.mmu().utlb()[62..]
        .iter()
        .map(|entry| entry.pteh)
        .collect();
    assert_eq!(pages, [0xE000_0000, 0xE010_0000]);
    // The tile accelerator, then RAM; QACR points elsewhere.
    machine.memory_mut().set_qacr([0x04, 0x04]);
    for target in [0x1000_0000u32, 0x0C20_0000] {
        store(&mut machine, 0xF700_3E00, target & 0x1FF0_0000 | 0x1FC);
        for word in 0..8 {
            store(&mut machine, 0xE000_0040 | word << 2, 0x100 + word);
        }
        run(&mut machine, &[PREF], 0, 0xE000_0040);
    }
    let block = [0x100, 0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107];
    assert_eq!(machine.memory_mut().take_ta(), [block]);
    assert_eq!(memory_word(&machine, 0x0C20_0044), 0x101);
}

/// The C and WT bits of a page select the path of stores to memory.
#[test]
fn pages_choose_how_they_are_cached() {
    for (bits, at_once) in [(0, true), (CACHED, false), (CACHED | WRITE_THROUGH, true)] {
        let mut machine = Machine::new();
        machine.set_caches(CacheMode::Cached).unwrap();
        store(&mut machine, MMUCR, 1);
        load_entry(&mut machine, 0x0123_4000, 0x0C02_0000 | OPEN | bits);
        store(&mut machine, 0x0123_4010, 77);
        assert_eq!(memory_word(&machine, 0x0C02_0010) == 77, at_once, "{bits:X}");
        assert_eq!(run(&mut machine, &[LOAD], 0, 0x0123_4010), 77);
        machine.write_back_caches().unwrap();
        assert_eq!(memory_word(&machine, 0x0C02_0010), 77);
    }
}

/// On-chip RAM is not translated while CCR.ORA = 1; otherwise the addresses belong to P0.
#[test]
fn on_chip_ram_is_not_translated() {
    let mut machine = Machine::new();
    machine.set_caches(CacheMode::Cached).unwrap();
    store(&mut machine, MMUCR, 1);
    load_entry(&mut machine, 0x7C00_1000, 0x0C02_0000 | OPEN);
    store(&mut machine, CCR, ccr::OCE | ccr::ORA);
    store(&mut machine, 0x7C00_1010, 55);
    assert_eq!(run(&mut machine, &[LOAD], 0, 0x7C00_1010), 55);
    assert_eq!(memory_word(&machine, 0x0C02_0010), 0);
    store(&mut machine, CCR, ccr::OCE);
    store(&mut machine, 0x7C00_1010, 66);
    assert_eq!(memory_word(&machine, 0x0C02_0010), 66);
    assert!(machine.cpu.mmu().register(MmuRegister::Mmucr) & 1 != 0);
}
