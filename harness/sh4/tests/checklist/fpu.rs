//! FPSCR, moves, and what traps.

use super::*;

#[test]
fn fpscr_banks_and_mask() {
    let (mut cpu, ..) = run(&[0xFBFD], 1, |cpu, _| cpu.fr[3] = 7);
    assert_eq!((cpu.fr[3], cpu.xf[3]), (0, 7));
    assert_eq!(cpu.fpscr(), fpscr::FR | fpscr::DN);
    assert_eq!(
        {
            cpu.set_fpscr(u32::MAX);
            cpu.fpscr()
        },
        0x003F_FFFF
    );
}

#[test]
fn moves_keep_nan_bits() {
    // flds fr1,fpul; fsts fpul,fr2; fmov fr2,fr3; fneg fr3; fabs fr2
    let (cpu, ..) = run(&[0xF11D, 0xF20D, 0xF32C, 0xF34D, 0xF25D], 5, |cpu, _| {
        cpu.fr[1] = 0xFFC0_1234
    });
    assert_eq!((cpu.fr[3], cpu.fr[2]), (0x7FC0_1234, 0x7FC0_1234));
}

#[test]
fn fmov_pairs() {
    // With SZ = 1: fmov.d @r1,dr2 takes the word at the lower address to FR2; xd2 is the other bank.
    let (cpu, ..) = run(&[0xF3FD, 0xF218, 0xF318], 3, |cpu, bus| {
        bus.write32(DATA, 0x1111_1111).unwrap();
        bus.write32(DATA + 4, 0x2222_2222).unwrap();
        cpu.r[1] = DATA;
    });
    assert_eq!((cpu.fr[2], cpu.fr[3]), (0x1111_1111, 0x2222_2222));
    assert_eq!((cpu.xf[2], cpu.xf[3]), (0x1111_1111, 0x2222_2222));
}

#[test]
fn fpu_disabled() {
    let disabled = |words: &[u16]| fault(run(words, 2, |cpu, _| cpu.set_sr(sr::MD | sr::FD)).2);
    assert_eq!(disabled(&[0xF100]), FaultKind::FpuDisabled);
    assert_eq!(disabled(&[0x415A]), FaultKind::FpuDisabled);
    assert_eq!(disabled(&[0xA000, 0xF100]), FaultKind::FpuDisabled);
    // The access is also misaligned, but the CPU checks for the disabled FPU first.
    let (_, _, stop) = run(&[0xF118], 1, |cpu, _| {
        cpu.set_sr(sr::MD | sr::FD);
        cpu.r[1] = 1;
    });
    assert_eq!(fault(stop), FaultKind::FpuDisabled);
}

#[test]
fn fpu_causes_flags_and_traps() {
    // fdiv fr1,fr2: 1/0 sets Z in cause and flag; with enable.Z it traps and leaves FR2.
    let set = |enable: u32| {
        move |cpu: &mut Cpu, _: &mut FlatBus| {
            cpu.set_fpscr(fpscr::DN | enable << fpscr::ENABLE_SHIFT);
            (cpu.fr[1], cpu.fr[2]) = (0, 0x3F80_0000);
        }
    };
    let (cpu, ..) = run(&[0xF213], 1, set(0));
    assert_eq!(
        (cpu.fr[2], cpu.fpscr()),
        (0x7F80_0000, fpscr::DN | 8 << 12 | 8 << 2)
    );
    let (cpu, _, stop) = run(&[0xF213], 1, set(8));
    assert!(matches!(fault(stop), FaultKind::FpuException(_)));
    assert_eq!((cpu.fr[2], cpu.pc), (0x3F80_0000, CODE));
    // enable.I: fadd 0 + 1 is exact and traps all the same.
    let (cpu, _, stop) = run(&[0xF210], 1, set(1));
    assert!(matches!(fault(stop), FaultKind::FpuException(_)));
    assert_eq!(cpu.fr[2], 0x3F80_0000);
    // A denormal operand with DN = 0 needs no enable bit.
    let (_, _, stop) = run(&[0xF210], 1, |cpu, _| {
        cpu.set_fpscr(0);
        cpu.fr[1] = 1;
    });
    assert!(matches!(fault(stop), FaultKind::FpuException(_)));
}

#[test]
fn early_traps_look_at_exponents() {
    let trap = |word, enable: u32, a: u32, b: u32| {
        let (_, _, stop) = run(&[word], 1, |cpu, _| {
            cpu.set_fpscr(fpscr::DN | enable << fpscr::ENABLE_SHIFT);
            (cpu.fr[1], cpu.fr[2]) = (a, b);
        });
        stop != Stop::Limit
    };
    let (overflow, underflow) = (4, 2);
    let exponent = |e: u32| e << 23;
    // fadd, fsub, fmul, fdiv fr1,fr2
    assert!(trap(0xF210, overflow, exponent(0xFE), exponent(0x7F)));
    assert!(!trap(0xF210, overflow, exponent(0xFD), exponent(0x7F)));
    assert!(!trap(0xF211, overflow, exponent(0xFE), exponent(0x7F)));
    assert!(trap(0xF211, underflow, exponent(0x18), exponent(0x17)));
    assert!(!trap(0xF211, underflow, exponent(0x19), exponent(0x17)));
    assert!(trap(0xF212, overflow, exponent(0xFE), exponent(0x7F)));
    assert!(!trap(0xF212, overflow, exponent(0xFD), exponent(0x7F)));
    assert!(trap(0xF213, underflow, exponent(0xFE), exponent(0x80)));
    assert!(!trap(0xF213, underflow, exponent(0xFD), exponent(0x80)));
}

/// SH7751 manual 6.5: after a trap, the cause has only the exceptions that really happened, and is 0 if the
/// exception was only possible. The flags accumulate in both cases.
#[test]
fn early_traps_report_what_happened() {
    let trapped = |word, enable: u32, a: f32, b: f32| {
        let (cpu, _, stop) = run(&[word], 1, |cpu, _| {
            cpu.set_fpscr(fpscr::DN | enable << fpscr::ENABLE_SHIFT);
            (cpu.fr[1], cpu.fr[2]) = (a.to_bits(), b.to_bits());
        });
        assert!(matches!(fault(stop), FaultKind::FpuException(_)));
        assert_eq!(cpu.fr[2], b.to_bits());
        (
            cpu.fpscr() >> fpscr::CAUSE_SHIFT & 0x3F,
            cpu.fpscr() >> fpscr::FLAG_SHIFT & 0x1F,
        )
    };
    let (inexact, underflow, overflow, divide) = (1, 2, 4, 8);
    // fadd, fmul, fdiv fr1,fr2
    assert_eq!(trapped(0xF210, inexact, 1.0, 2.0), (0, 0));
    assert_eq!(trapped(0xF210, inexact, 1.0, 1e-9), (inexact, inexact));
    assert_eq!(trapped(0xF213, inexact, 0.0, 1.0), (divide, divide));
    let (both, half) = (overflow | inexact, f32::MAX / 2.0);
    assert_eq!(trapped(0xF212, overflow, 1.5, f32::MAX), (both, both));
    assert_eq!(trapped(0xF212, overflow, 2.0, half), (0, 0));
    let tiny = underflow | inexact;
    assert_eq!(trapped(0xF212, underflow, 0.25, f32::MIN_POSITIVE), (tiny, tiny));
}
