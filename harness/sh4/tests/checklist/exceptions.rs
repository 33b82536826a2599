//! Entry of general exceptions: code, vector, SPC, SSR, SGR, SR, TEA (SH7750 manual, section 5).

use super::*;

fn tea(cpu: &Cpu) -> u32 {
    cpu.mmu().register(MmuRegister::Tea)
}

/// Runs until a handler is reached and returns the state there.
fn enter(words: &[u16], setup: impl FnOnce(&mut Cpu, &mut FlatBus)) -> Cpu {
    let (mut cpu, mut bus) = taking(words);
    setup(&mut cpu, &mut bus);
    let (before, stack) = (cpu.sr(), cpu.r[15]);
    let end = engine::run(&mut cpu, &mut bus, Some(GENERAL), 20);
    assert_eq!(end.stop, Stop::Until, "pc {:08X}", cpu.pc);
    assert_eq!(cpu.sr(), before | sr::MD | sr::RB | sr::BL);
    assert_eq!((cpu.ssr, cpu.sgr), (before, stack));
    cpu
}

/// 5.6.2 (7) and (8): data address errors, with TEA and PTEH.VPN.
#[test]
fn address_errors_enter_with_tea() {
    let cases = [
        (vec![0x6212u16], DATA + 2, 0x0E0), // mov.l @r1,r2
        (vec![0x6211], DATA + 1, 0x0E0),    // mov.w @r1,r2
        (vec![0x2122], DATA + 2, 0x100),    // mov.l r2,@r1
        (vec![0x2121], DATA + 1, 0x100),    // mov.w r2,@r1
        (vec![0x01C3], DATA + 2, 0x100),    // movca.l r0,@r1
    ];
    for (words, address, code) in cases {
        let cpu = enter(&words, |cpu, _| {
            cpu.r[1] = address;
            cpu.set_mmu(MmuRegister::Pteh, 0x42);
        });
        assert_eq!((cpu.expevt, cpu.spc, tea(&cpu)), (code, CODE, address));
        assert_eq!(cpu.mmu().register(MmuRegister::Pteh), address & !0x3FF | 0x42);
    }
}

/// FMOV with SZ = 1 needs a multiple of 8.
#[test]
fn pairs_are_aligned_to_eight() {
    for (word, code) in [(0xF218u16, 0x0E0), (0xF12A, 0x100)] {
        let cpu = enter(&[word], |cpu, _| {
            cpu.set_fpscr(fpscr::SZ | fpscr::DN);
            cpu.r[1] = DATA + 4;
        });
        assert_eq!((cpu.expevt, tea(&cpu)), (code, DATA + 4));
    }
}

/// 5.6.2 (4): an odd target faults at the target, not at the branch.
#[test]
fn an_odd_program_counter_is_a_fetch_error() {
    let cpu = enter(&[0x412B, NOP], |cpu, _| cpu.r[1] = DATA + 1); // jmp @r1
    assert_eq!((cpu.expevt, cpu.spc, tea(&cpu)), (0x0E0, DATA + 1, DATA + 1));
}

/// 5.6.2 (9): FFFD, and privileged instructions in user mode.
#[test]
fn illegal_instructions() {
    let cpu = enter(&[NOP, 0xFFFD], |_, _| {});
    assert_eq!((cpu.expevt, cpu.spc), (0x180, CODE + 2));
    // stc sr,r0; ldc r0,vbr; ldc r0,ssr; rte; ldtlb; sleep; stc r0_bank,r0; stc sgr,r0.
    for word in [0x0002u16, 0x402E, 0x403E, 0x002B, 0x0038, 0x001B, 0x0082, 0x003A] {
        let cpu = enter(&[NOP], |cpu, bus| {
            cpu.set_sr(0);
            put_code(bus, CODE, &[word]);
            cpu.pc = CODE & 0x1FFF_FFFF;
        });
        assert_eq!((cpu.expevt, cpu.spc), (0x180, CODE & 0x1FFF_FFFF), "{word:04X}");
    }
    // Instructions that user mode may execute: stc gbr,r0; ldc r0,gbr.
    for word in [0x0012u16, 0x401E] {
        let (mut cpu, mut bus) = taking(&[word]);
        cpu.set_sr(0);
        cpu.pc = CODE & 0x1FFF_FFFF;
        assert_eq!(engine::step(&mut cpu, &mut bus), Ok(()), "{word:04X}");
        assert_eq!(cpu.expevt, 0);
    }
}

/// 5.6.2 (10): the whole slot-illegal set. SPC is the branch.
#[test]
fn slot_illegal_instructions() {
    let set = [
        0xA000u16, 0xB000, 0x0123, 0x0103, 0x412B, 0x410B, 0x000B,
        0x002B, // bra bsr braf bsrf jmp jsr rts rte
        0x8900, 0x8B00, 0x8D00, 0x8F00, // bt bf bt/s bf/s
        0xC300, // trapa
        0x410E, 0x4107, // ldc r1,sr; ldc.l @r1+,sr
        0x9100, 0xD100, 0xC700, // mov.w, mov.l @(disp,pc); mova
        0xFFFD, // undefined
    ];
    for word in set {
        for branch in [0xA000u16, 0x8D00, 0x8F00] {
            // bra; bt/s and bf/s, taken or not.
            let cpu = enter(&[NOP, branch, word, NOP], |cpu, _| cpu.r[1] = DATA);
            assert_eq!(
                (cpu.expevt, cpu.spc),
                (0x1A0, CODE + 2),
                "{branch:04X} {word:04X}"
            );
        }
    }
    // Privileged ones in user mode; sleep and ldtlb are fine in a slot in privileged mode.
    for word in [0x0002u16, 0x001B, 0x0038, 0x402E] {
        let cpu = enter(&[BRA, word], |cpu, _| {
            cpu.set_sr(0);
            cpu.pc = CODE & 0x1FFF_FFFF;
        });
        assert_eq!((cpu.expevt, cpu.spc), (0x1A0, CODE & 0x1FFF_FFFF), "{word:04X}");
    }
}

/// 5.6.2 (12), (13): SR.FD = 1. Every F code but FFFD, and the moves of FPUL and FPSCR.
#[test]
fn fpu_disabled_in_and_out_of_slots() {
    let fd = |cpu: &mut Cpu, _: &mut FlatBus| cpu.set_sr(sr::MD | sr::FD);
    // fadd; flds; fmov.s @r1; fsca; fcnvds, which is undefined under PR = 0; lds, sts, lds.l, sts.l.
    for word in [
        0xF100u16, 0xF01D, 0xF018, 0xF0FD, 0xF0BD, 0x405A, 0x005A, 0x4056, 0x4052, 0x406A, 0x006A, 0x4066,
        0x4062,
    ] {
        let cpu = enter(&[word], fd);
        assert_eq!((cpu.expevt, cpu.spc), (0x800, CODE), "{word:04X}");
        let cpu = enter(&[BRA, word], fd);
        assert_eq!((cpu.expevt, cpu.spc), (0x820, CODE), "{word:04X} in a slot");
    }
    assert_eq!(enter(&[0xFFFD], fd).expevt, 0x180);
    assert_eq!(enter(&[BRA, 0xFFFD], fd).expevt, 0x1A0);
    // fmov.s @r1,fr0 with R1 odd: the CPU checks for the disabled FPU before the address.
    let cpu = enter(&[0xF018], |cpu, _| {
        cpu.set_sr(sr::MD | sr::FD);
        cpu.r[1] = 1;
    });
    assert_eq!(cpu.expevt, 0x800);
}

/// 5.6.2 (14): enabled exceptions, and E without an enable bit; FPSCR.cause names the exception.
#[test]
fn fpu_exceptions_enter_with_cause() {
    // fdiv fr1,fr2 by zero with enable.Z.
    let cpu = enter(&[0xF213], |cpu, _| {
        cpu.set_fpscr(fpscr::DN | 8 << fpscr::ENABLE_SHIFT);
        cpu.fr[2] = 0x3F80_0000;
    });
    assert_eq!((cpu.expevt, cpu.spc), (0x120, CODE));
    assert_eq!(cpu.fpscr() >> fpscr::CAUSE_SHIFT & 0x3F, 8);
    assert_eq!(cpu.fr[2], 0x3F80_0000);
    // In a slot SPC is the branch; the code stays 120.
    let cpu = enter(&[BRA, 0xF210], |cpu, _| {
        cpu.set_fpscr(0);
        cpu.fr[1] = 1;
    });
    assert_eq!((cpu.expevt, cpu.spc), (0x120, CODE));
    assert_eq!(cpu.fpscr() >> fpscr::CAUSE_SHIFT & 0x3F, 0x20);
}

/// 5.6.2 (11): TRAPA returns to the next instruction, and TRA is four times the immediate.
#[test]
fn trapa_enters_behind_itself() {
    let cpu = enter(&[NOP, 0xC3FF], |_, _| {});
    assert_eq!((cpu.expevt, cpu.tra, cpu.spc), (0x160, 0x3FC, CODE + 4));
}

/// The handler's RTE comes back to the instruction, with bank and status as before.
#[test]
fn a_handler_returns() {
    // mov.l @r1,r2 with R1 misaligned; the handler aligns the other bank's R1 and returns.
    let (mut cpu, mut bus) = taking(&[0x6212, SLEEP]);
    // stc r1_bank,r0; add #-2,r0; ldc r0,r1_bank; rte; nop
    put_code(&mut bus, GENERAL, &[0x0092, 0x70FE, 0x409E, RTE, NOP]);
    bus.write32(DATA, 77).unwrap();
    cpu.r[1] = DATA + 2;
    let before = cpu.sr();
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 50).stop, Stop::Sleep);
    assert_eq!((cpu.r[1], cpu.r[2], cpu.sr()), (DATA, 77, before));
}

/// 5.4: with BL = 1 a general exception is a manual reset.
#[test]
fn an_exception_under_bl_is_a_manual_reset() {
    for word in [0x6212u16, 0xFFFD, 0xC301] {
        let (mut cpu, mut bus) = taking(&[word]);
        cpu.set_sr(sr::MD | sr::BL);
        cpu.r[1] = 1;
        let stop = engine::run(&mut cpu, &mut bus, None, 9).stop;
        assert!(matches!(stop, Stop::Reset { .. }), "{stop}");
        assert_eq!((cpu.pc, cpu.sr(), cpu.expevt), (0xA000_0000, 0x7000_00F0, 0x020));
        assert_eq!((cpu.vbr, cpu.fpscr()), (0, 0x0004_0001));
    }
}

/// Resets: SH7750 manual 5.6.1.
#[test]
fn resets() {
    let mut cpu = Cpu::new(Settings::default());
    assert_eq!(
        (cpu.pc, cpu.sr(), cpu.fpscr()),
        (0xA000_0000, 0x7000_00F0, 0x0004_0001)
    );
    cpu.set_sr(sr::FD);
    cpu.reset(sh4::Reset::Manual);
    assert_eq!((cpu.expevt, cpu.sr()), (0x020, 0x7000_00F0));
    cpu.reset(sh4::Reset::PowerOn);
    assert_eq!(cpu.expevt, 0);
}

/// User mode reaches P0 and, unless MMUCR.SQMD is set, the store queues; never to fetch from there.
#[test]
fn user_mode_address_errors() {
    let user = |word: u16, address: u32, mmucr: u32| {
        let (mut cpu, mut bus) = taking(&[0x2102, word, NOP, NOP]); // mov.l r0,@r1 sets MMUCR
        (cpu.r[0], cpu.r[1], cpu.r[2]) = (mmucr, 0xFF00_0010, address);
        engine::step(&mut cpu, &mut bus).unwrap();
        cpu.set_sr(0);
        cpu.pc &= 0x1FFF_FFFF;
        engine::run(&mut cpu, &mut bus, Some(GENERAL), 3);
        cpu.expevt
    };
    assert_eq!(user(0x6322, DATA, 0), 0x0E0);
    assert_eq!(user(0x2232, DATA, 0), 0x100);
    assert_eq!(user(0x6322, 0xFF00_0024, 0), 0x0E0);
    assert_eq!(user(0x2232, 0xE000_0000, 0), 0);
    assert_eq!(user(0x2232, 0xE000_0000, 1 << 9), 0x100);
    assert_eq!(user(0x422B, 0xE000_0000, 0), 0x0E0); // jmp @r2
}

/// The chip has no exception for unmapped memory: the run stops.
#[test]
fn what_is_no_exception_stops() {
    let (mut cpu, mut bus) = taking(&[0x6212]);
    cpu.r[1] = 0x1000;
    let stop = engine::run(&mut cpu, &mut bus, None, 9).stop;
    assert!(matches!(fault(stop), FaultKind::Bus { .. }));
}

/// If a slot faults, the branch's register writes stay, and the branch runs again: JSR writes the same PR
/// twice.
#[test]
fn a_branch_runs_again_after_its_slot_faulted() {
    // jsr @r3; mov.l @r1,r2: the handler aligns R1.
    let (mut cpu, mut bus) = taking(&[0x430B, 0x6212]);
    put_code(&mut bus, GENERAL, &[0x0092, 0x70FE, 0x409E, RTE, NOP]);
    put_code(&mut bus, DATA + 0x100, &[SLEEP]);
    bus.write32(DATA, 5).unwrap();
    (cpu.r[1], cpu.r[3]) = (DATA + 2, DATA + 0x100);
    assert_eq!(engine::run(&mut cpu, &mut bus, None, 50).stop, Stop::Sleep);
    assert_eq!((cpu.r[2], cpu.pr, cpu.pc), (5, CODE + 4, DATA + 0x102));
}
