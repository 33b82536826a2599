//! The CPU's own on-chip registers, reached by loads and stores (SH7750 manual, appendix A), and LDTLB.

use super::*;

/// Stores `value` at `address` with `size` bytes and loads it back. Returns the loaded value, or the fault.
fn exchange(cpu: &mut Cpu, bus: &mut FlatBus, address: u32, size: u32, value: u32) -> Result<u32, FaultKind> {
    let (store, load) = match size {
        1 => (0x2120u16, 0x6310u16),
        2 => (0x2121, 0x6311),
        _ => (0x2122, 0x6312),
    };
    put_code(bus, CODE, &[store, load]);
    (cpu.pc, cpu.r[1], cpu.r[2]) = (CODE, address, value);
    match engine::run(cpu, bus, None, 2).stop {
        Stop::Limit => Ok(cpu.r[3]),
        stop => Err(fault(stop)),
    }
}

#[test]
fn registers_keep_the_bits_they_have() {
    let (mut cpu, mut bus) = machine(&[], Settings::default());
    for (address, size, bits) in [
        (0xFF00_0000, 4, 0xFFFF_FCFFu32), // PTEH
        (0xFF00_0004, 4, 0x1FFF_FDFF),    // PTEL
        (0xFF00_0008, 4, 0xFFFF_FFFF),    // TTB
        (0xFF00_000C, 4, 0xFFFF_FFFF),    // TEA
        (0xFF00_0020, 4, 0x0000_03FC),    // TRA
        (0xFF00_0024, 4, 0x0000_0FFF),    // EXPEVT
        (0xFF00_0028, 4, 0x0000_0FFF),    // INTEVT
        (0xFF00_0034, 4, 0x0000_000F),    // PTEA
        (0xFF20_0000, 4, 0xFFFF_FFFF),    // BARA
        (0xFF20_0004, 1, 0x0000_000F),    // BAMRA
        (0xFF20_000C, 4, 0xFFFF_FFFF),    // BARB
        (0xFF20_0010, 1, 0x0000_000F),    // BAMRB
        (0xFF20_0018, 4, 0xFFFF_FFFF),    // BDRB
        (0xFF20_001C, 4, 0xFFFF_FFFF),    // BDMRB
    ] {
        assert_eq!(
            exchange(&mut cpu, &mut bus, address, size, u32::MAX),
            Ok(bits),
            "{address:08X}"
        );
        assert_eq!(
            exchange(&mut cpu, &mut bus, address, size, 0),
            Ok(0),
            "{address:08X}"
        );
    }
    // BRCR, sign extended by the load.
    assert_eq!(
        exchange(&mut cpu, &mut bus, 0xFF20_0020, 2, u32::MAX),
        Ok(0xFFFF_C4C9)
    );
}

#[test]
fn what_is_not_there_is_a_fault() {
    let (mut cpu, mut bus) = machine(&[], Settings::default());
    for (address, size) in [
        (0xFF00_0024, 2),
        (0xFF00_0024, 1),
        (0xFF20_0008, 4),
        (0xFFD8_0000, 4),
    ] {
        let kind = exchange(&mut cpu, &mut bus, address, size, 0);
        assert!(matches!(kind, Err(FaultKind::Bus { .. })), "{address:08X} {size}");
    }
}

/// TI reads 0, as do the bits that do not exist.
#[test]
fn mmucr_keeps_the_bits_it_has() {
    let (mut cpu, mut bus) = machine(&[], Settings::default());
    assert_eq!(
        exchange(&mut cpu, &mut bus, 0xFF00_0010, 4, 0xFFFF_FFFE),
        Ok(0xFCFC_FF00)
    );
    // The program is in P2, which is not translated, so it may turn AT on.
    assert_eq!(
        exchange(&mut cpu, &mut bus, 0xFF00_0010, 4, 0xFFFF_FFFF),
        Ok(0xFCFC_FF01)
    );
    assert!(cpu.mmu().is_on());
}

/// LDTLB: PTEH, PTEL, PTEA to the entry that MMUCR.URC names; TI makes all entries invalid.
#[test]
fn ldtlb_fills_the_entry_of_urc() {
    let (mut cpu, mut bus) = machine(&[], Settings::default());
    exchange(&mut cpu, &mut bus, 0xFF00_0010, 4, 37 << 10).unwrap();
    for (register, value) in [
        (MmuRegister::Pteh, 0x1234_5405),
        (MmuRegister::Ptel, 0x0C00_01FE),
        (MmuRegister::Ptea, 3),
    ] {
        cpu.set_mmu(register, value);
    }
    put_code(&mut bus, CODE, &[0x0038]);
    cpu.pc = CODE;
    engine::step(&mut cpu, &mut bus).unwrap();
    let entry = cpu.mmu().utlb()[37];
    assert_eq!(
        (entry.pteh, entry.ptel, entry.ptea),
        (0x1234_5405, 0x0C00_01FE, 3)
    );
    exchange(&mut cpu, &mut bus, 0xFF00_0010, 4, 4).unwrap();
    assert_eq!(cpu.mmu().utlb()[37].ptel, 0x0C00_00FE);
}

/// PMCR1 counts instructions. PMCR2 counts an event without a source: it reads 0, and the CPU records the
/// event.
#[test]
fn performance_counters() {
    // mov.w r2,@r1; nop x 3; mov.l @r4,r5
    let (mut cpu, mut bus) = machine(&[0x2121, NOP, NOP, NOP, 0x6542], Settings::default());
    (cpu.r[1], cpu.r[2], cpu.r[4]) = (0xFF00_0084, 0xC013, 0xFF10_0008);
    for _ in 0..5 {
        engine::step(&mut cpu, &mut bus).unwrap();
    }
    assert_eq!(cpu.r[5], 4, "the store itself and three nops");
    assert_eq!(cpu.uncounted_events(), 0);
    assert_eq!(
        exchange(&mut cpu, &mut bus, 0xFF00_0088, 2, 0xC023),
        Ok(0xFFFF_C023)
    );
    put_code(&mut bus, CODE, &[0x6542]);
    (cpu.pc, cpu.r[4]) = (CODE, 0xFF10_0010);
    engine::step(&mut cpu, &mut bus).unwrap();
    assert_eq!((cpu.r[5], cpu.uncounted_events()), (0, 1 << 0x23));
    // 2000 clears and stops.
    exchange(&mut cpu, &mut bus, 0xFF00_0084, 2, 0x2000).unwrap();
    put_code(&mut bus, CODE, &[0x6542]);
    (cpu.pc, cpu.r[4]) = (CODE, 0xFF10_0008);
    engine::step(&mut cpu, &mut bus).unwrap();
    assert_eq!(cpu.r[5], 0);
}
