//! The user break controller (SH7750 manual, section 20), programmed by stores as a program would.

use super::*;
use sh4::ubc::brcr;

/// A CPU at `words` with a channel (0 = A, 1 = B) at `address`, `cycle`, BRCR `control`.
fn armed(words: &[u16], channel: u32, address: u32, cycle: u16, control: u16) -> (Cpu, FlatBus) {
    let (mut cpu, bus) = taking(words);
    cpu.set_ubc(|ubc| {
        let registers = if channel == 0 { &mut ubc.a } else { &mut ubc.b };
        (registers.address, registers.cycle, registers.mask) = (address, cycle, 4);
        ubc.control = control;
    });
    (cpu, bus)
}

const FETCH: u16 = 0x14;
const OPERAND_WRITE: u16 = 0x28;
const OPERAND_READ: u16 = 0x24;

fn to_handler(mut cpu: Cpu, mut bus: FlatBus, vector: u32) -> Cpu {
    let end = engine::run(&mut cpu, &mut bus, Some(vector), 9);
    assert_eq!(end.stop, Stop::Until, "{:08X}", cpu.pc);
    cpu
}

#[test]
fn before_an_instruction() {
    for channel in 0..2 {
        let (cpu, bus) = armed(&[0x7101, 0x7101, 0x7101], channel, CODE + 2, FETCH, 0);
        let cpu = to_handler(cpu, bus, GENERAL);
        assert_eq!((cpu.expevt, cpu.spc, cpu.r_bank[1]), (0x1E0, CODE + 2, 1));
        let flag = [brcr::CMFA, brcr::CMFB][channel as usize];
        assert_eq!(cpu.ubc().control, flag);
    }
}

#[test]
fn behind_an_instruction() {
    for (channel, side) in [(0, brcr::PCBA), (1, brcr::PCBB)] {
        let (cpu, bus) = armed(&[0x7101, 0x7101, 0x7101], channel, CODE + 2, FETCH, side);
        let cpu = to_handler(cpu, bus, GENERAL);
        assert_eq!((cpu.expevt, cpu.spc, cpu.r_bank[1]), (0x1E0, CODE + 4, 2));
    }
}

#[test]
fn in_a_slot() {
    // A break before the slot is treated as a break before the branch. A break after the branch or slot is at
    // the target.
    let code = [NOP, 0xA002, 0x7101, NOP, NOP, NOP, SLEEP]; // bra to +10
    let (cpu, bus) = armed(&code, 0, CODE + 4, FETCH, 0);
    assert_eq!(to_handler(cpu, bus, GENERAL).spc, CODE + 2);
    for address in [CODE + 2, CODE + 4] {
        let (cpu, bus) = armed(&code, 0, address, FETCH, brcr::PCBA);
        let cpu = to_handler(cpu, bus, GENERAL);
        assert_eq!((cpu.spc, cpu.r_bank[1]), (CODE + 10, 1));
    }
}

#[test]
fn operands() {
    let program = [0x2122u16, 0x6312, NOP, SLEEP]; // mov.l r2,@r1; mov.l @r1,r3
    let run = |channel, cycle, mask: u8, address| {
        let (mut cpu, mut bus) = armed(&program, channel, address, cycle, 0);
        cpu.set_ubc(|ubc| {
            if channel == 0 {
                ubc.a.mask = mask
            } else {
                ubc.b.mask = mask
            }
        });
        cpu.r[1] = DATA;
        engine::run(&mut cpu, &mut bus, Some(GENERAL), 9);
        (cpu.pc == GENERAL).then_some(cpu.spc)
    };
    assert_eq!(run(0, OPERAND_WRITE, 4, DATA), Some(CODE + 2));
    assert_eq!(run(1, OPERAND_READ, 4, DATA), Some(CODE + 4));
    assert_eq!(run(0, OPERAND_WRITE, 4, DATA + 4), None);
    // The comparison ignores bits below the size; the mask removes more.
    assert_eq!(run(0, OPERAND_WRITE, 4, DATA + 3), Some(CODE + 2));
    assert_eq!(run(0, OPERAND_WRITE, 5, DATA + 0x3F0), Some(CODE + 2));
    assert_eq!(run(0, OPERAND_WRITE, 5, DATA + 0x400), None);
    // Sizes: long is 3, word is 2.
    assert_eq!(run(0, OPERAND_WRITE | 3, 4, DATA), Some(CODE + 2));
    assert_eq!(run(0, OPERAND_WRITE | 2, 4, DATA), None);
    // The ASID is compared unless it is masked. BASR and PTEH are both 0, so it matches.
    assert_eq!(run(0, OPERAND_WRITE, 0, DATA), Some(CODE + 2));
}

#[test]
fn data_of_channel_b() {
    let run = |data: u32, mask: u32| {
        let (mut cpu, mut bus) = armed(&[0x2122, SLEEP], 1, DATA, OPERAND_WRITE, brcr::DBEB);
        cpu.set_ubc(|ubc| (ubc.data, ubc.data_mask) = (data, mask));
        (cpu.r[1], cpu.r[2]) = (DATA, 0x1234_5678);
        engine::run(&mut cpu, &mut bus, Some(GENERAL), 9);
        cpu.pc == GENERAL
    };
    assert!(run(0x1234_5678, 0));
    assert!(!run(0x1234_5679, 0));
    assert!(run(0x1234_5679, 0xFF));
}

#[test]
fn b_after_a() {
    // A at +0, B at +4: the break at B needs the earlier match of A.
    let (mut cpu, mut bus) = armed(&[NOP, NOP, NOP, SLEEP], 0, CODE, FETCH, brcr::SEQ);
    let channel = sh4::ubc::Channel {
        address: CODE + 4,
        cycle: FETCH,
        mask: 4,
        asid: 0,
    };
    cpu.set_ubc(|ubc| ubc.b = channel);
    let mut other = cpu.clone();
    engine::run(&mut cpu, &mut bus, Some(GENERAL), 9);
    assert_eq!((cpu.pc, cpu.spc), (GENERAL, CODE + 4));
    assert_eq!(cpu.ubc().control, brcr::SEQ | brcr::CMFB);
    other.pc = CODE + 2;
    assert_eq!(
        engine::run(&mut other, &mut bus, Some(GENERAL), 9).stop,
        Stop::Sleep
    );
    assert_eq!(other.ubc().control, brcr::SEQ);
}

#[test]
fn dbr_if_ubde() {
    let (mut cpu, mut bus) = armed(&[NOP, NOP], 0, CODE + 2, FETCH, brcr::UBDE);
    cpu.dbr = DATA;
    put_code(&mut bus, DATA, &[NOP]);
    let cpu = to_handler(cpu, bus, DATA);
    assert_eq!((cpu.expevt, cpu.spc), (0x1E0, CODE + 2));
}

#[test]
fn blocked_breaks_only_set_the_flag() {
    let (mut cpu, mut bus) = armed(&[NOP, NOP, SLEEP], 0, CODE + 2, FETCH, 0);
    cpu.set_sr(sr::MD | sr::BL);
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 9).stop, Stop::Sleep);
    assert_eq!(cpu.ubc().control, brcr::CMFA);
}

#[test]
fn a_program_arms_it() {
    // mov.w r2,@r1 with R1 = BBRA: a break at the next instruction takes effect at once.
    let (mut cpu, mut bus) = armed(&[0x2121, NOP, NOP, SLEEP], 0, CODE + 4, 0, 0);
    (cpu.r[1], cpu.r[2]) = (0xFF20_0008, FETCH.into());
    let end = engine::run(&mut cpu, &mut bus, Some(GENERAL), 9);
    assert_eq!((end.stop, end.executed, cpu.spc), (Stop::Until, 2, CODE + 4));
    // Two at the same place are one break with both flags.
    let (mut cpu, bus) = armed(&[NOP, NOP], 0, CODE + 2, FETCH, 0);
    cpu.set_ubc(|ubc| ubc.b = ubc.a);
    let cpu = to_handler(cpu, bus, GENERAL);
    assert_eq!(cpu.ubc().control, brcr::CMFA | brcr::CMFB);
}

#[test]
fn without_exceptions_taken_a_break_stops() {
    let (mut cpu, mut bus) = machine(&[NOP, NOP], Settings::default());
    let channel = sh4::ubc::Channel {
        address: CODE + 2,
        cycle: FETCH,
        mask: 4,
        asid: 0,
    };
    cpu.set_ubc(|ubc| ubc.a = channel);
    let end = engine::run(&mut cpu, &mut bus, None, 9);
    assert_eq!((end.stop, cpu.pc), (Stop::Exception(Event::UserBreak), CODE + 2));
}
