//! The memory-mapped TLB arrays, URC and LRUI (SH7750 manual 3.2.6, 3.7).

use super::*;
use sh4::UrcBoundary;

const MMUCR: u32 = 0xFF00_0010;

/// A privileged program in P1 with 64 KB of RAM.
fn privileged(settings: Settings) -> (Cpu, FlatBus) {
    let mut cpu = Cpu::new(settings);
    cpu.set_sr(sr::MD);
    (cpu, FlatBus::new(0x0C00_0000, 1 << 16))
}

/// mov.l r2,@r1
fn store(cpu: &mut Cpu, bus: &mut FlatBus, address: u32, value: u32) {
    put_code(bus, CODE, &[0x2122]);
    (cpu.pc, cpu.r[1], cpu.r[2]) = (CODE, address, value);
    assert_eq!(engine::step(cpu, bus), Ok(()), "{address:08X}");
}

/// mov.l @r1,r2
fn load(cpu: &mut Cpu, bus: &mut FlatBus, address: u32) -> u32 {
    put_code(bus, CODE, &[0x6212]);
    (cpu.pc, cpu.r[1]) = (CODE, address);
    assert_eq!(engine::step(cpu, bus), Ok(()), "{address:08X}");
    cpu.r[2]
}

/// The bits that each array keeps. V is the same bit in both arrays of a TLB, and D in both arrays of the
/// UTLB.
#[test]
fn arrays_keep_the_bits_they_have() {
    let (mut cpu, mut bus) = privileged(Settings::default());
    for (array, entries, bits) in [
        (0xF200_0000u32, 4, 0xFFFF_FDFFu32),
        (0xF300_0000, 4, 0x1FFF_FDDA),
        (0xF380_0000, 4, 0x0000_000F),
        (0xF600_0000, 64, 0xFFFF_FFFF),
        (0xF700_0000, 64, 0x1FFF_FDFF),
        (0xF780_0000, 64, 0x0000_000F),
    ] {
        for entry in [0, 1, entries - 1] {
            let address = array | entry << 8;
            store(&mut cpu, &mut bus, address, u32::MAX);
            assert_eq!(load(&mut cpu, &mut bus, address), bits, "{address:08X}");
            store(&mut cpu, &mut bus, address, 0);
            assert_eq!(load(&mut cpu, &mut bus, address), 0, "{address:08X}");
        }
    }
    store(&mut cpu, &mut bus, 0xF600_0500, 0x0123_4342);
    assert_eq!(load(&mut cpu, &mut bus, 0xF700_0500), 1 << 8 | 1 << 2);
    store(&mut cpu, &mut bus, 0xF700_0500, 0);
    assert_eq!(load(&mut cpu, &mut bus, 0xF600_0500), 0x0123_4042);
    store(&mut cpu, &mut bus, 0xF200_0300, 0x0123_4142);
    assert_eq!(load(&mut cpu, &mut bus, 0xF300_0300), 1 << 8);
}

/// Only longword accesses reach an array.
#[test]
fn arrays_take_longwords() {
    let (mut cpu, mut bus) = privileged(Settings::default());
    put_code(&mut bus, CODE, &[0x2121]); // mov.w r2,@r1
    (cpu.pc, cpu.r[1]) = (CODE, 0xF600_0000);
    let stop = engine::step(&mut cpu, &mut bus).unwrap_err();
    assert!(matches!(fault(stop), FaultKind::Bus { .. }));
}

/// An associative write finds the entry by page, size and ASID, and writes V and D there; the ITLB follows.
#[test]
fn associative_writes() {
    let (mut cpu, mut bus) = privileged(Settings::default());
    // UTLB 7: VPN 01230000, ASID 42, V, D; 64 KB. ITLB 2: the same page.
    store(&mut cpu, &mut bus, 0xF700_0700, 0x0C00_01E4);
    store(&mut cpu, &mut bus, 0xF600_0700, 0x0123_0342);
    store(&mut cpu, &mut bus, 0xF300_0200, 0x0C00_01C0);
    store(&mut cpu, &mut bus, 0xF200_0200, 0x0123_0142);
    cpu.set_mmu(MmuRegister::Pteh, 0x41);
    store(&mut cpu, &mut bus, 0xF600_0080, 0x0123_8000);
    assert_eq!(load(&mut cpu, &mut bus, 0xF600_0700), 0x0123_0342, "another ASID");
    cpu.set_mmu(MmuRegister::Pteh, 0x42);
    store(&mut cpu, &mut bus, 0xF600_0080, 0x0124_0000);
    assert_eq!(load(&mut cpu, &mut bus, 0xF600_0700), 0x0123_0342, "another page");
    store(&mut cpu, &mut bus, 0xF600_0080, 0x0123_8100);
    assert_eq!(load(&mut cpu, &mut bus, 0xF600_0700), 0x0123_0142, "D is cleared");
    assert_eq!(load(&mut cpu, &mut bus, 0xF200_0200), 0x0123_0142);
    store(&mut cpu, &mut bus, 0xF600_0080, 0x0123_8000);
    assert_eq!(load(&mut cpu, &mut bus, 0xF600_0700), 0x0123_0042, "V is cleared");
    assert_eq!(load(&mut cpu, &mut bus, 0xF200_0200), 0x0123_0042);
    // Only the ITLB holds the page now.
    store(&mut cpu, &mut bus, 0xF200_0200, 0x0123_0142);
    store(&mut cpu, &mut bus, 0xF600_0080, 0x0123_8000);
    assert_eq!(load(&mut cpu, &mut bus, 0xF200_0200), 0x0123_0042);
}

/// 3.2.6: URC counts accesses that search the UTLB, and continues with 0 at URB or after 63.
#[test]
fn urc_counts_searches() {
    for (boundary, urb, start, after) in [
        (UrcBoundary::BelowUrb, 0, 61, [62, 63, 0, 1]),
        (UrcBoundary::BelowUrb, 62, 60, [61, 0, 1, 2]),
        (UrcBoundary::ThroughUrb, 62, 60, [61, 62, 0, 1]),
        // Past URB it counts up to 63.
        (UrcBoundary::BelowUrb, 5, 62, [63, 0, 1, 2]),
    ] {
        let (mut cpu, mut bus) = privileged(Settings {
            urc_boundary: boundary,
            ..Settings::default()
        });
        store(&mut cpu, &mut bus, 0xF700_0000, 0x0C00_01E4);
        store(&mut cpu, &mut bus, 0xF600_0000, 0x0123_0100);
        store(&mut cpu, &mut bus, MMUCR, urb << 18 | start << 10 | 1);
        // Accesses to P1 and P4 do not search.
        assert_eq!(load(&mut cpu, &mut bus, MMUCR) >> 10 & 63, start);
        for expected in after {
            load(&mut cpu, &mut bus, 0x0123_0000);
            assert_eq!(
                cpu.mmu().register(MmuRegister::Mmucr) >> 10 & 63,
                expected,
                "URB {urb}"
            );
        }
    }
}

/// 3.2.6: the ITLB entry to replace is the least recently used one.
#[test]
fn lrui_replaces_the_least_recent_entry() {
    let (mut cpu, mut bus) = privileged(Settings::default());
    for page in 0..6 {
        store(&mut cpu, &mut bus, 0xF700_0000 | page << 8, 0x0C00_01E4);
        store(
            &mut cpu,
            &mut bus,
            0xF600_0000 | page << 8,
            (page + 1) << 16 | 0x100,
        );
    }
    cpu.set_mmu(MmuRegister::Mmucr, 1);
    put_code(&mut bus, CODE + 0x40, &[NOP]);
    let held = |cpu: &Cpu| -> Vec<u32> {
        let valid = cpu.mmu().itlb().iter().filter(|entry| entry.is_valid());
        let mut pages: Vec<u32> = valid.map(|entry| entry.pteh >> 16).collect();
        pages.sort_unstable();
        pages
    };
    for (page, expected) in [
        (1, vec![1]),
        (2, vec![1, 2]),
        (3, vec![1, 2, 3]),
        (4, vec![1, 2, 3, 4]),
        (1, vec![1, 2, 3, 4]),
        (5, vec![1, 3, 4, 5]),
        (3, vec![1, 3, 4, 5]),
        (6, vec![1, 3, 5, 6]),
        (2, vec![2, 3, 5, 6]),
    ] {
        cpu.pc = page << 16 | 0x40;
        assert_eq!(engine::step(&mut cpu, &mut bus), Ok(()));
        assert_eq!(held(&cpu), expected, "page {page}");
    }
}
