//! Address translation: pages, protection, exceptions, delay slots (SH7750 manual, section 3).

use super::*;
use sh4::TlbException;

/// Address of the handler of TLB misses.
const MISS: u32 = VBR + 0x400;
/// A 4 KB page of code that user mode may run, at physical 0C000000.
const PAGE: u32 = 0x0040_0000;
/// The physical page that tests map for data.
const FRAME: u32 = 0x0C01_0000;
const MMUCR: u32 = 0xFF00_0010;

/// Fields of PTEL.
const V: u32 = 1 << 8;
const SIZE_1K: u32 = 0;
const SIZE_4K: u32 = 1 << 4;
const SIZE_64K: u32 = 1 << 7;
const SIZE_1M: u32 = SIZE_64K | SIZE_4K;
const D: u32 = 1 << 2;
const SH: u32 = 1 << 1;
const fn pr(bits: u32) -> u32 {
    bits << 5
}
/// A valid 4 KB page for everybody.
const OPEN: u32 = V | SIZE_4K | pr(3) | D;

/// mov.l @r1,r2 and mov.l r2,@r1.
const LOAD: u16 = 0x6212;
const STORE: u16 = 0x2122;

/// A machine with `words` at `CODE`, 2 MB of RAM, exceptions taken, and translation on. Handlers of misses
/// sleep.
fn paged(words: &[u16], settings: Settings) -> (Cpu, FlatBus) {
    let mut bus = FlatBus::new(0x0C00_0000, 2 << 20);
    put_code(&mut bus, CODE, words);
    let mut cpu = Cpu::new(settings);
    cpu.set_sr(sr::MD);
    cpu.set_fpscr(fpscr::DN);
    (cpu.pc, cpu.vbr, cpu.r[15]) = (CODE, VBR, 0x5555_5555);
    cpu.set_mmu(MmuRegister::Mmucr, 1);
    (cpu, bus)
}

fn taken() -> Settings {
    Settings {
        exceptions: Exceptions::Take,
        ..Settings::default()
    }
}

fn with(words: &[u16]) -> (Cpu, FlatBus) {
    paged(words, taken())
}

/// Loads UTLB entry `index` by LDTLB. PTEH and MMUCR keep their values.
fn map(cpu: &mut Cpu, index: u32, pteh: u32, ptel: u32) {
    let mut bus = FlatBus::new(0x0C00_0000, 0x40);
    put_code(&mut bus, CODE, &[0x0038]);
    let (pc, status) = (cpu.pc, cpu.sr());
    let registers =
        [MmuRegister::Pteh, MmuRegister::Mmucr].map(|register| (register, cpu.mmu().register(register)));
    cpu.set_mmu(MmuRegister::Mmucr, index << 10);
    cpu.set_mmu(MmuRegister::Pteh, pteh);
    cpu.set_mmu(MmuRegister::Ptel, ptel);
    cpu.set_sr(sr::MD);
    cpu.pc = CODE;
    cpu.clone_from(&{
        let mut copy = cpu.clone();
        copy.step(&mut bus).unwrap();
        copy
    });
    cpu.pc = pc;
    cpu.set_sr(status);
    for (register, value) in registers {
        cpu.set_mmu(register, value);
    }
}

fn set_asid(cpu: &mut Cpu, asid: u32) {
    cpu.set_mmu(MmuRegister::Pteh, asid);
}

/// The program counter after the run, and EXPEVT, SPC, TEA, PTEH.
fn entered(cpu: &mut Cpu, bus: &mut FlatBus, vector: u32) -> [u32; 4] {
    let run = engine::run(cpu, bus, Some(vector), 50);
    assert_eq!(run.stop, Stop::Until, "pc {:08X}", cpu.pc);
    let [tea, pteh] = [MmuRegister::Tea, MmuRegister::Pteh].map(|register| cpu.mmu().register(register));
    [cpu.expevt, cpu.spc, tea, pteh]
}

/// Every data exception of table 3.3 and figure 3.10, in privileged and user mode: EXPEVT, vector, SPC, TEA,
/// PTEH.
#[test]
fn data_exceptions() {
    let absent = 0;
    let cases = [
        // PTEL, user mode, instruction, EXPEVT
        (absent, false, LOAD, 0x040),
        (absent, false, STORE, 0x060),
        (V | SIZE_4K | pr(0), false, STORE, 0x0C0),
        (V | SIZE_4K | pr(2), false, STORE, 0x0C0),
        (V | SIZE_4K | pr(0) | D, true, LOAD, 0x0A0),
        (V | SIZE_4K | pr(1) | D, true, LOAD, 0x0A0),
        // Protection has priority over the first write.
        (V | SIZE_4K | pr(1), true, STORE, 0x0C0),
        (V | SIZE_4K | pr(2), true, STORE, 0x0C0),
        (V | SIZE_4K | pr(1), false, STORE, 0x080),
        (V | SIZE_4K | pr(3), true, STORE, 0x080),
        // TAS.B reads first; AND.B too.
        (absent, false, 0x411B, 0x040),
        (V | SIZE_4K | pr(3), false, 0x411B, 0x080),
        (V | SIZE_4K | pr(2), false, 0xCDFF, 0x0C0),
        // movca.l, ocbi: writes; ocbp, ocbwb: reads.
        (absent, false, 0x01C3, 0x060),
        (absent, false, 0x0193, 0x060),
        (V | SIZE_4K | pr(3), false, 0x0193, 0x080),
        (absent, false, 0x01A3, 0x040),
        (absent, false, 0x01B3, 0x040),
        // fmov.s @r1,fr2; fmov.s fr2,@r1; lds.l @r1+,pr
        (absent, false, 0xF218, 0x040),
        (absent, false, 0xF12A, 0x060),
        (absent, false, 0x4126, 0x040),
    ];
    let address = 0x0123_4568;
    for (ptel, user, word, code) in cases {
        let (mut cpu, mut bus) = with(&[NOP, word, NOP]);
        map(&mut cpu, 0, PAGE, 0x0C00_0000 | OPEN);
        map(&mut cpu, 1, address & !0xFFF | 0x42, FRAME | ptel);
        set_asid(&mut cpu, 0);
        map(&mut cpu, 0, PAGE | 0x42, 0x0C00_0000 | OPEN);
        set_asid(&mut cpu, 0x42);
        cpu.pc = if user { PAGE } else { CODE };
        cpu.set_sr(if user { 0 } else { sr::MD });
        (cpu.r[1], cpu.gbr, cpu.r[0]) = (address, address, 0);
        let at = cpu.pc + 2;
        let vector = if matches!(code, 0x040 | 0x060) {
            MISS
        } else {
            GENERAL
        };
        let state = entered(&mut cpu, &mut bus, vector);
        assert_eq!(
            state,
            [code, at, address, address & !0x3FF | 0x42],
            "{word:04X} {ptel:03X} {user}"
        );
        assert_eq!(
            (cpu.r_bank[1], cpu.r_bank[2]),
            (address, 0),
            "{word:04X}: nothing was changed"
        );
    }
}

/// Accesses that the same rights permit.
#[test]
fn permitted_accesses() {
    for (ptel, user, word) in [
        (pr(0), false, LOAD),
        (pr(1) | D, false, STORE),
        (pr(2), true, LOAD),
        (pr(3) | D, true, STORE),
        (pr(3), true, LOAD),
    ] {
        let (mut cpu, mut bus) = with(&[word]);
        map(&mut cpu, 0, PAGE, 0x0C00_0000 | OPEN);
        map(&mut cpu, 1, 0x0123_4000, FRAME | V | SIZE_4K | ptel);
        cpu.pc = if user { PAGE } else { CODE };
        cpu.set_sr(if user { 0 } else { sr::MD });
        (cpu.r[1], cpu.r[2]) = (0x0123_4568, 77);
        assert_eq!(engine::step(&mut cpu, &mut bus), Ok(()), "{ptel:02X}");
        if word == STORE {
            assert_eq!(bus.read32(FRAME + 0x568), Ok(77));
        }
    }
}

/// 3.3.1: the four page sizes, with the first and last word of a page, and the misses before and after it.
/// Bits of VPN and PPN below the size are ignored.
#[test]
fn page_sizes() {
    for (bits, size) in [
        (SIZE_1K, 1 << 10),
        (SIZE_4K, 1 << 12),
        (SIZE_64K, 1 << 16),
        (SIZE_1M, 1 << 20),
    ] {
        let (mut cpu, mut bus) = with(&[LOAD]);
        let (base, frame) = (0x1230_0000u32, 0x0C10_0000u32);
        let stray = size - 0x400;
        map(&mut cpu, 5, base | stray, frame | stray | V | bits | pr(3));
        for offset in [0, size / 2, size - 4] {
            bus.write32(frame + offset, 0xABC0_0000 | offset).unwrap();
            (cpu.pc, cpu.r[1]) = (CODE, base + offset);
            assert_eq!(engine::step(&mut cpu, &mut bus), Ok(()), "{size:X} {offset:X}");
            assert_eq!(cpu.r[2], 0xABC0_0000 | offset);
        }
        for outside in [base - 4, base + size] {
            (cpu.pc, cpu.r[1]) = (CODE, outside);
            cpu.set_sr(sr::MD);
            assert_eq!(entered(&mut cpu, &mut bus, MISS)[0], 0x040, "{size:X}");
        }
    }
}

/// 3.3.6: ASIDs are compared unless SH = 1, or SV = 1 in privileged mode.
#[test]
fn address_spaces() {
    const SV: u32 = 1 << 8;
    for (shared, single, user, found) in [
        (0, 0, false, false),
        (SH, 0, false, true),
        (0, SV, false, true),
        (0, SV, true, false),
        (SH, SV, true, true),
        (SH, 0, true, true),
        (0, 0, true, false),
    ] {
        let (mut cpu, mut bus) = with(&[LOAD]);
        map(&mut cpu, 0, PAGE, 0x0C00_0000 | OPEN | SH);
        map(&mut cpu, 1, 0x0123_4000 | 7, FRAME | OPEN | shared);
        cpu.set_mmu(MmuRegister::Mmucr, 1 | single);
        set_asid(&mut cpu, 8);
        cpu.pc = if user { PAGE } else { CODE };
        cpu.set_sr(if user { 0 } else { sr::MD });
        cpu.r[1] = 0x0123_4000;
        let run = engine::run(&mut cpu, &mut bus, Some(MISS), 1);
        assert_eq!(
            run.stop == Stop::Limit,
            found,
            "SH {shared} SV {single} user {user}"
        );
    }
}

/// P0 and P3 are translated; P1, P2 and P4 are not. A page in area 7 holds the P4 registers.
#[test]
fn areas() {
    let (mut cpu, mut bus) = with(&[LOAD]);
    bus.write32(0x0C00_0400, 11).unwrap();
    bus.write32(FRAME + 0x400, 22).unwrap();
    for (index, page) in [(1, 0x0C00_0000), (2, 0xCC00_0000u32), (3, 0x4C00_0000)] {
        map(&mut cpu, index, page, FRAME | OPEN);
    }
    map(&mut cpu, 4, 0x0055_0000, 0x1F00_0000 | OPEN);
    for (address, value) in [
        (0x0C00_0400, 22),
        (0xCC00_0400, 22),
        (0x4C00_0400, 22),
        (0x8C00_0400, 11),
        (0xAC00_0400, 11),
        (0xFF00_0030, 0x0402_05C1),
        (0x0055_0030, 0x0402_05C1),
    ] {
        (cpu.pc, cpu.r[1]) = (CODE, address);
        assert_eq!(engine::step(&mut cpu, &mut bus), Ok(()), "{address:08X}");
        assert_eq!(cpu.r[2], value, "{address:08X}");
    }
}

/// Fetches: miss 040, protection 0A0; the ITLB holds the page afterwards.
#[test]
fn fetch_exceptions() {
    for (ptel, code, vector) in [
        (0, 0x040, MISS),
        (V | SIZE_4K | pr(0), 0x0A0, GENERAL),
        (V | SIZE_4K | pr(1), 0x0A0, GENERAL),
    ] {
        let (mut cpu, mut bus) = with(&[NOP]);
        map(&mut cpu, 9, PAGE, 0x0C00_0000 | ptel);
        set_asid(&mut cpu, 0);
        cpu.pc = PAGE;
        cpu.set_sr(0);
        assert_eq!(entered(&mut cpu, &mut bus, vector), [code, PAGE, PAGE, PAGE]);
    }
    let (mut cpu, mut bus) = with(&[0xE12A, SLEEP]); // mov #42,r1; sleep
    map(&mut cpu, 9, PAGE, 0x0C00_0000 | V | SIZE_4K | pr(0));
    cpu.pc = PAGE;
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 10).stop, Stop::Sleep);
    assert_eq!(cpu.r[1], 42);
    assert!(
        cpu.mmu()
            .itlb()
            .iter()
            .any(|entry| entry.is_valid() && entry.pteh == PAGE)
    );
}

/// Two entries that match: a reset with EXPEVT 140, by data, by a fetch, and by an associative write.
#[test]
fn multiple_hits_reset() {
    let associative = 0xF600_0080;
    for (words, pc, address) in [
        ([LOAD, NOP], CODE, 0x0123_4568),
        ([STORE, NOP], CODE, 0x0123_4568),
        ([NOP, NOP], 0x0123_4000, 0x0123_4000),
        ([STORE, NOP], CODE, associative),
    ] {
        let (mut cpu, mut bus) = with(&words);
        map(&mut cpu, 3, 0x0123_4000, 0x0C00_0000 | OPEN);
        map(&mut cpu, 60, 0x0120_0000, 0x0C00_0000 | V | SIZE_1M | pr(3) | D);
        (cpu.pc, cpu.r[1], cpu.r[2]) = (pc, address, 0x0123_4000);
        let stop = engine::run(&mut cpu, &mut bus, None, 10).stop;
        assert!(stop.to_string().contains("TLB multiple hit"), "{stop}");
        assert!(matches!(stop, Stop::Reset { pc: at, .. } if at == pc), "{stop}");
        assert_eq!((cpu.pc, cpu.expevt, cpu.vbr), (0xA000_0000, 0x140, 0));
        assert_eq!(cpu.mmu().register(MmuRegister::Tea), address);
        assert!(!cpu.mmu().is_on());
    }
}

/// A miss under SR.BL = 1 is a manual reset, as every general exception is.
#[test]
fn a_miss_under_bl_resets() {
    let (mut cpu, mut bus) = with(&[LOAD]);
    cpu.set_sr(sr::MD | sr::BL);
    let stop = engine::run(&mut cpu, &mut bus, None, 10).stop;
    assert!(matches!(stop, Stop::Reset { .. }), "{stop}");
    assert_eq!(cpu.expevt, 0x020);
}

/// Without handlers the run ends with a fault that names the exception and the address.
#[test]
fn exceptions_that_stop() {
    let (mut cpu, mut bus) = paged(&[STORE], Settings::default());
    cpu.r[1] = 0x0123_4568;
    let Stop::Fault(fault) = engine::run(&mut cpu, &mut bus, None, 10).stop else {
        panic!("no fault");
    };
    let exception = TlbException::Miss;
    let direction = Direction::Write;
    assert_eq!(fault.kind, FaultKind::Tlb { exception, direction });
    assert_eq!((fault.address, cpu.pc, cpu.expevt), (Some(0x0123_4568), CODE, 0));
}

/// Data of a slot misses: SPC is the address of the branch. The handler maps the page, and the branch runs
/// again.
#[test]
fn a_miss_in_a_slot_repeats_the_branch() {
    // bra +2; mov.l @r1,r2; (not run); mov #9,r3; sleep
    let (mut cpu, mut bus) = with(&[0xA001, LOAD, 0xE301, 0xE509, SLEEP]);
    put_code(&mut bus, MISS, &[0x0038, RTE, NOP]); // ldtlb; rte; nop
    bus.write32(FRAME + 0x10, 0x1234_5678).unwrap();
    cpu.set_mmu(MmuRegister::Ptel, FRAME | OPEN);
    cpu.r[1] = 0x0777_7010;
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 20).stop, Stop::Sleep);
    assert_eq!((cpu.r[2], cpu.r[3], cpu.r[5]), (0x1234_5678, 0, 9));
    assert_eq!((cpu.spc, cpu.expevt), (CODE, 0x040));
}

/// A delay slot in the next page after its branch: both pages are translated, and a miss of the slot has the
/// branch as SPC.
#[test]
fn a_slot_in_another_page() {
    let frames = [0x0C00_4000, 0x0C00_8000u32];
    let (mut cpu, mut bus) = with(&[]);
    put_code(&mut bus, MISS, &[0x0038, RTE, NOP]);
    put_code(&mut bus, frames[0] + 0xFFC, &[0xE107, 0xA002]); // mov #7,r1; bra +8
    put_code(&mut bus, frames[1], &[0x7101, 0xE100, 0xE100, 0x7102, SLEEP]); // add #1,r1; ...; add #2,r1; sleep
    map(&mut cpu, 1, PAGE, frames[0] | OPEN);
    cpu.set_mmu(MmuRegister::Ptel, frames[1] | OPEN);
    cpu.pc = PAGE + 0xFFC;
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 30).stop, Stop::Sleep);
    assert_eq!(cpu.r[1], 10);
    assert_eq!((cpu.spc, cpu.expevt), (PAGE + 0xFFE, 0x040));
    assert_eq!(cpu.mmu().register(MmuRegister::Tea), PAGE + 0x1000);
    // The slot's page now maps to other memory: the instruction there runs.
    put_code(&mut bus, 0x0C00_C000, &[0x7120, 0, 0, 0x7101, SLEEP]);
    for index in 0..64 {
        map(&mut cpu, index, 0, 0);
    }
    cpu.set_mmu(MmuRegister::Mmucr, 5);
    map(&mut cpu, 1, PAGE, frames[0] | OPEN);
    map(&mut cpu, 2, PAGE + 0x1000, 0x0C00_C000 | OPEN);
    set_asid(&mut cpu, 0);
    (cpu.pc, cpu.expevt) = (PAGE + 0xFFC, 0);
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 30).stop, Stop::Sleep);
    assert_eq!((cpu.r[1], cpu.expevt), (7 + 0x20 + 1, 0));
}

/// The first write to a page: the handler sets D by the address array, and the store runs again.
#[test]
fn an_initial_page_write_is_repeated() {
    let (mut cpu, mut bus) = with(&[STORE, SLEEP]);
    put_code(&mut bus, GENERAL, &[0x2342, RTE, NOP]); // mov.l r4,@r3
    map(&mut cpu, 2, 0x0123_4000, FRAME | V | SIZE_4K | pr(3));
    (cpu.r[1], cpu.r[2]) = (0x0123_4010, 5);
    // The handler runs on bank 1. UTLB address array, entry 2: VPN, D, V.
    (cpu.r_bank[3], cpu.r_bank[4]) = (0xF600_0200, 0x0123_4300);
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 20).stop, Stop::Sleep);
    assert_eq!((cpu.expevt, bus.read32(FRAME + 0x10)), (0x080, Ok(5)));
}

/// One address under two ASIDs has two programs; the CPU finds each of them again after a switch.
#[test]
fn code_of_two_address_spaces_is_not_mixed() {
    let (mut cpu, mut bus) = with(&[]);
    put_code(&mut bus, 0x0C00_4000, &[0xE10B, SLEEP]);
    put_code(&mut bus, 0x0C00_8000, &[0xE116, SLEEP]);
    map(&mut cpu, 1, PAGE | 1, 0x0C00_4000 | OPEN);
    map(&mut cpu, 2, PAGE | 2, 0x0C00_8000 | OPEN);
    for (asid, value) in [(1, 11), (2, 22), (1, 11), (2, 22)] {
        set_asid(&mut cpu, asid);
        cpu.pc = PAGE;
        assert_eq!(engine::run(&mut cpu, &mut bus, None, 9).stop, Stop::Sleep);
        assert_eq!(cpu.r[1], value);
    }
    // Code that is written through another address is decoded again.
    put_code(&mut bus, 0x0C00_8000, &[0xE121]);
    cpu.pc = PAGE;
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 9).stop, Stop::Sleep);
    assert_eq!(cpu.r[1], 33);
}

/// LDTLB does not change the ITLB: the ITLB keeps its entry until TI clears it.
#[test]
fn the_itlb_keeps_a_replaced_page() {
    let (mut cpu, mut bus) = with(&[]);
    put_code(&mut bus, 0x0C00_4000, &[0xE10B, SLEEP]);
    put_code(&mut bus, 0x0C00_8000, &[0xE116, SLEEP]);
    map(&mut cpu, 1, PAGE, 0x0C00_4000 | OPEN);
    let mut result = |cpu: &mut Cpu| {
        cpu.pc = PAGE;
        assert_eq!(engine::run(cpu, &mut bus, None, 9).stop, Stop::Sleep);
        cpu.r[1]
    };
    assert_eq!(result(&mut cpu), 11);
    map(&mut cpu, 1, PAGE, 0x0C00_8000 | OPEN);
    assert_eq!(result(&mut cpu), 11);
    cpu.set_mmu(MmuRegister::Mmucr, 5); // TI
    map(&mut cpu, 1, PAGE, 0x0C00_8000 | OPEN);
    assert_eq!(result(&mut cpu), 22);
}

/// The program turns translation on and off; the new state applies to the addresses after the store.
#[test]
fn translation_is_turned_on_and_off() {
    // mov.l r4,@r3; mov.l @r1,r6; mov.l r7,@r3; mov.l @r1,r8; sleep
    let (mut cpu, mut bus) = with(&[0x2342, 0x6612, 0x2372, 0x6812, SLEEP]);
    map(&mut cpu, 1, 0x0C00_1000, FRAME | OPEN);
    cpu.set_mmu(MmuRegister::Mmucr, 0);
    bus.write32(0x0C00_1000, 1).unwrap();
    bus.write32(FRAME, 2).unwrap();
    (cpu.r[1], cpu.r[3], cpu.r[4], cpu.r[7]) = (0x0C00_1000, MMUCR, 1, 0);
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 20).stop, Stop::Sleep);
    assert_eq!((cpu.r[6], cpu.r[8]), (2, 1));
}

/// The store queues: a store needs the right to write and uses no physical page; PREF needs the right to
/// read. SQMD forbids both to user mode. PREF at other addresses never raises an exception.
#[test]
fn store_queues() {
    const PREF: u16 = 0x0183;
    let queue = 0xE000_0040;
    for (ptel, user, sqmd, word, code) in [
        (0, false, 0, STORE, 0x060),
        (0, false, 0, PREF, 0x040),
        (V | SIZE_1M | pr(2), false, 0, STORE, 0x0C0),
        (V | SIZE_1M | pr(1), true, 0, PREF, 0x0A0),
        (V | SIZE_1M | pr(3), true, 0, STORE, 0x080),
        (V | SIZE_1M | pr(3) | D, true, 1 << 9, STORE, 0x100),
        (V | SIZE_1M | pr(3) | D, true, 1 << 9, PREF, 0x0E0),
    ] {
        let (mut cpu, mut bus) = with(&[word]);
        map(&mut cpu, 0, PAGE, 0x0C00_0000 | OPEN);
        map(&mut cpu, 1, 0xE000_0000, 0x1000_0000 | ptel);
        cpu.set_mmu(MmuRegister::Mmucr, 1 | sqmd);
        cpu.pc = if user { PAGE } else { CODE };
        cpu.set_sr(if user { 0 } else { sr::MD });
        cpu.r[1] = queue;
        let vector = if matches!(code, 0x040 | 0x060) {
            MISS
        } else {
            GENERAL
        };
        assert_eq!(
            entered(&mut cpu, &mut bus, vector)[..1],
            [code],
            "{word:04X} {ptel:03X}"
        );
    }
    for address in [0x0123_4560, queue] {
        let (mut cpu, mut bus) = with(&[PREF]);
        map(&mut cpu, 1, 0xE000_0000, 0x1000_0000 | V | SIZE_1M);
        cpu.r[1] = address;
        assert_eq!(engine::step(&mut cpu, &mut bus), Ok(()), "{address:08X}");
    }
}

/// Observers and the user break controller see effective addresses. They do not change the result.
#[test]
fn observers_see_effective_addresses() {
    struct Addresses(Vec<u32>);
    impl sh4::Observer for Addresses {
        fn retire(&mut self, event: &sh4::Retired<'_>) {
            self.0.push(event.pc);
            self.0.extend(event.accesses.iter().map(|access| access.address));
        }
    }
    let (mut cpu, mut bus) = with(&[LOAD, STORE, SLEEP]);
    map(&mut cpu, 0, PAGE, 0x0C00_0000 | OPEN);
    map(&mut cpu, 1, 0x0123_4000, FRAME | OPEN);
    (cpu.pc, cpu.r[1]) = (PAGE, 0x0123_4568);
    let (mut plain, mut plain_bus) = (cpu.clone(), bus.clone());
    let mut seen = Addresses(Vec::new());
    let run = cpu.run(&mut bus, None, 9, &mut seen);
    let addresses = [PAGE, 0x0123_4568, PAGE + 2, 0x0123_4568, PAGE + 4];
    assert_eq!((run.stop, seen.0), (Stop::Sleep, addresses.to_vec()));
    assert_eq!(engine::run(&mut plain, &mut plain_bus, None, 9), run);
    assert!(plain == cpu, "URC and LRUI too");
}
