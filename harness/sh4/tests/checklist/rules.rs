//! The FPU's rules that the CPU implements: causes and flags, traps that depend only on exponents, and the
//! instructions that exist under each PR (docs/hardware/sh4.md).

use super::*;
use sh4::{DoublesOnly, OddSign, SinglesOnly, SubTrapSign, TrapSumBias};

const ONE: u32 = 0x3F80_0000;
const DENORMAL: u32 = 1;
const SIGNALLING: u32 = 0x7FC0_0000;

fn cause(cpu: &Cpu) -> u32 {
    cpu.fpscr() >> fpscr::CAUSE_SHIFT & 0x3F
}

fn flags(cpu: &Cpu) -> u32 {
    cpu.fpscr() >> fpscr::FLAG_SHIFT & 0x1F
}

/// Every arithmetic instruction rewrites the cause, and the flags accumulate. Moves, FABS, FNEG and FLDI
/// change neither.
#[test]
fn causes_are_rewritten_and_flags_stick() {
    // fdiv fr1,fr2 (Z); fadd fr3,fr4 (I); fadd fr5,fr5 (exact)
    let (mut cpu, mut bus) = machine(
        &[0xF213, 0xF430, 0xF550, 0xF20C, 0xF24D, 0xF25D, 0xF28D, 0xF21D],
        Settings::default(),
    );
    (cpu.fr[2], cpu.fr[3], cpu.fr[4]) = (ONE, ONE, 0x3080_0000);
    let mut seen = Vec::new();
    for _ in 0..3 {
        engine::step(&mut cpu, &mut bus).unwrap();
        seen.push((cause(&cpu), flags(&cpu)));
    }
    assert_eq!(seen, [(8, 8), (1, 9), (0, 9)]);
    cpu.set_fpscr(cpu.fpscr() | 0x1F << fpscr::CAUSE_SHIFT);
    let before = cpu.fpscr();
    for _ in 0..5 {
        engine::step(&mut cpu, &mut bus).unwrap();
        assert_eq!(cpu.fpscr(), before);
    }
}

/// Runs one instruction with the given FPSCR and FR0 to FR7. Returns the exception and the registers.
fn one(word: u16, status: u32, fr: [u32; 8], settings: Settings) -> (bool, Cpu) {
    let (mut cpu, mut bus) = machine(&[word], settings);
    cpu.set_fpscr(status);
    cpu.fr[..8].copy_from_slice(&fr);
    cpu.fpul = fr[1];
    let raised = matches!(
        engine::step(&mut cpu, &mut bus),
        Err(Stop::Fault(fault)) if matches!(fault.kind, FaultKind::FpuException(_))
    );
    (raised, cpu)
}

fn traps(word: u16, status: u32, fr: [u32; 8]) -> bool {
    one(word, status, fr, Settings::default()).0
}

/// Denormal operands with DN = 0: E in the list of operations, without an enable bit, the destination kept.
#[test]
fn denormal_operands_raise_e() {
    let fr = [ONE, DENORMAL, ONE, 0, 0, 0, 0, 0];
    // fadd fsub fmul fdiv fr1,fr2; fsqrt fsrra fr1; fmac fr0,fr1,fr2
    for word in [0xF210u16, 0xF211, 0xF212, 0xF213, 0xF16D, 0xF17D, 0xF21E] {
        let (raised, cpu) = one(word, 0, fr, Settings::default());
        assert!(raised, "{word:04X}");
        assert_eq!(
            (cause(&cpu), cpu.fr[1], cpu.fr[2]),
            (0x20, DENORMAL, ONE),
            "{word:04X}"
        );
        assert!(!traps(word, fpscr::DN, fr), "{word:04X} with DN = 1");
    }
    // FCMP, FTRC, FIPR, FTRV, FLOAT are not in the list.
    for word in [0xF214u16, 0xF215, 0xF13D, 0xF1ED, 0xF1FD, 0xF22D] {
        assert!(!traps(word, 0, fr), "{word:04X}");
    }
    // FCNVSD and a double operand, PR = 1.
    assert!(traps(0xF2AD, fpscr::PR, fr));
    assert!(traps(
        0xF020,
        fpscr::PR,
        [0, DENORMAL, 0x3FF0_0000, 0, 0, 0, 0, 0]
    ));
    // Negative denormals: FSQRT and FSRRA raise V, which traps only if enabled.
    for word in [0xF16Du16, 0xF17D] {
        let (raised, cpu) = one(
            word,
            0,
            [ONE, 0x8000_0001, ONE, 0, 0, 0, 0, 0],
            Settings::default(),
        );
        assert_eq!((raised, cause(&cpu)), (false, 0x10), "{word:04X}");
    }
}

/// enable.V traps on a signalling NaN and keeps the destination; without it the result is 7FBFFFFF.
#[test]
fn invalid_traps_only_if_enabled() {
    let fr = [0, SIGNALLING, ONE, 0, 0, 0, 0, 0];
    let (raised, cpu) = one(0xF210, fpscr::DN, fr, Settings::default());
    assert_eq!((raised, cpu.fr[2], cause(&cpu)), (false, 0x7FBF_FFFF, 0x10));
    let (raised, cpu) = one(
        0xF210,
        fpscr::DN | 0x10 << fpscr::ENABLE_SHIFT,
        fr,
        Settings::default(),
    );
    assert_eq!((raised, cpu.fr[2]), (true, ONE));
}

const I: u32 = 1;
const U: u32 = 2;
const O: u32 = 4;
const V: u32 = 0x10;

/// Returns true if `word` traps on normal numbers with exponents `m` (FR1, or DR0) and `n` (FR2, or DR2).
fn exponent_trap(word: u16, enable: u32, m: u32, n: u32) -> bool {
    traps(
        word,
        fpscr::DN | enable << fpscr::ENABLE_SHIFT,
        [ONE, m << 23, n << 23, 0, 0, 0, 0, 0],
    )
}

fn double_trap(word: u16, enable: u32, m: u32, n: u32) -> bool {
    let status = fpscr::DN | fpscr::PR | enable << fpscr::ENABLE_SHIFT;
    traps(word, status, [m << 20, 0, n << 20, 0, 0, 0, 0, 0])
}

/// The table of possible exceptions for single precision: the limit of each row, and a neighbouring value
/// that does not trap.
#[test]
fn possible_exceptions_single() {
    for (word, enable, m, n, expected) in [
        (0xF210u16, O, 0xFE, 1, true), // fadd: an exponent is FE, signs alike
        (0xF210, O, 0xFD, 1, false),
        (0xF212, O, 0x80, 0xFD, true), // fmul: en + em - 7F >= FE
        (0xF212, O, 0x80, 0xFC, false),
        (0xF212, U, 0x3F, 0x40, true), // en + em - 7F <= 0
        (0xF212, U, 0x40, 0x40, false),
        (0xF213, O, 1, 0x81, true), // fdiv: en - em + 7F >= FF
        (0xF213, O, 1, 0x80, false),
        (0xF213, U, 0x80, 2, true), // <= 1
        (0xF213, U, 0x80, 3, false),
        (0xF21E, O, 0xFD, 0x60, true), // fmac with FR0 = 1.0: 7F + em - 7F >= FD
        (0xF21E, O, 0xFC, 0x60, false),
        (0xF21E, O, 0x60, 0xFD, true),
        (0xF21E, U, 0x2E, 0x60, true),
        (0xF21E, U, 0x60, 0x2E, true),
        (0xF21E, U, 0x2F, 0x2F, false),
    ] {
        assert_eq!(
            exponent_trap(word, enable, m, n),
            expected,
            "{word:04X} {enable} {m:02X} {n:02X}"
        );
    }
    // Different signs: fadd underflows unless an exponent is above 18.
    let opposite = |n: u32| {
        traps(
            0xF210,
            fpscr::DN | U << fpscr::ENABLE_SHIFT,
            [0, 1 << 31 | 1 << 23, n << 23, 0, 0, 0, 0, 0],
        )
    };
    assert!(opposite(0x18) && !opposite(0x19));
}

#[test]
fn possible_exceptions_double() {
    for (word, enable, m, n, expected) in [
        (0xF200u16, O, 0x7FE, 1, true), // fadd dr0,dr2
        (0xF200, O, 0x7FD, 1, false),
        (0xF202, O, 0x400, 0x7FD, true),
        (0xF202, O, 0x400, 0x7FC, false),
        (0xF202, U, 0x1FF, 0x200, true),
        (0xF202, U, 0x200, 0x200, false),
        (0xF203, O, 1, 0x401, true),
        (0xF203, O, 1, 0x400, false),
        (0xF203, U, 0x400, 2, true),
        (0xF203, U, 0x400, 3, false),
        (0xF0BD, O, 0x47E, 0, true), // fcnvds dr0,fpul
        (0xF0BD, O, 0x47D, 0, false),
        (0xF0BD, U, 0x380, 0, true),
        (0xF0BD, U, 0x381, 0, false),
    ] {
        assert_eq!(
            double_trap(word, enable, m, n),
            expected,
            "{word:04X} {enable} {m:03X} {n:03X}"
        );
    }
}

/// enable.I: every operation with a possibly inexact result traps for all operands, except for FTRC, FCMP and
/// exact FLOAT of doubles. FTRV traps with any of V, O, U, I; FIPR with U or I.
#[test]
fn possible_exceptions_without_exponents() {
    let status = |enable: u32| fpscr::DN | enable << fpscr::ENABLE_SHIFT;
    // fadd fsub fmul fdiv fmac fsqrt fsrra fsca float fipr ftrv
    let may_be_inexact = [
        0xF210u16, 0xF211, 0xF212, 0xF213, 0xF21E, 0xF26D, 0xF27D, 0xF2FD, 0xF22D, 0xF1ED, 0xF1FD,
    ];
    for word in may_be_inexact {
        assert!(traps(word, status(I), [ONE; 8]), "{word:04X}");
    }
    for word in [0xF214u16, 0xF215, 0xF23D] {
        assert!(!traps(word, status(I | O | U), [ONE; 8]), "{word:04X}");
    }
    assert!(
        !traps(0xF22D, fpscr::PR | status(I), [ONE; 8]),
        "float to double is exact"
    );
    for enable in [V, O, U, I] {
        assert!(traps(0xF1FD, status(enable), [ONE; 8]), "ftrv {enable}");
    }
    for (enable, expected) in [(U, true), (I, true), (O, false), (V, false)] {
        assert_eq!(traps(0xF1ED, status(enable), [ONE; 8]), expected, "fipr {enable}");
    }
    // fipr with enable.O: a product's exponents reach FC.
    let large = |exponent: u32| traps(0xF1ED, status(O), [exponent << 23, 0, 0, 0, ONE, 0, 0, 0]);
    assert!(large(0xFC) && !large(0xFB));
}

/// The two settings: FADD's sign test for FSUB, and exponent sums that include the bias.
#[test]
fn trap_switches() {
    let written = Settings {
        fsub_trap_sign: SubTrapSign::AsWritten,
        ..Settings::default()
    };
    // fsub of numbers with like signs and an exponent FE: the addition of its operands cannot overflow.
    let fr = [0, 1 << 23, 0xFE << 23, 0, 0, 0, 0, 0];
    let status = fpscr::DN | O << fpscr::ENABLE_SHIFT;
    assert!(!one(0xF211, status, fr, Settings::default()).0);
    assert!(one(0xF211, status, fr, written).0);
    let kept = Settings {
        trap_sum_bias: TrapSumBias::Kept,
        ..Settings::default()
    };
    // 1.0 * 1.0 + 1.0: the literal formula traps.
    assert!(!one(0xF21E, status, [ONE; 8], Settings::default()).0);
    assert!(one(0xF21E, status, [ONE; 8], kept).0);
}

/// A CPU that stops at codes that are undefined under the current PR.
const STRICT: fn() -> Settings = || Settings {
    singles_only: SinglesOnly::Stop,
    doubles_only: DoublesOnly::Stop,
    ..Settings::default()
};

/// Codes that the manual does not define: under PR = 1 FIPR, FTRV, FSCA, FSRRA, FMAC, FSCHG and odd double
/// registers; under PR = 0 FCNVDS, FCNVSD. FLDI0, FLDI1 and FRCHG execute under both.
#[test]
fn validity_by_pr() {
    let undefined = |word: u16, status: u32, settings: Settings| {
        let (mut cpu, mut bus) = machine(&[word], settings);
        cpu.set_fpscr(status);
        matches!(engine::step(&mut cpu, &mut bus), Err(Stop::Fault(fault)) if fault.kind == FaultKind::FpuUndefined)
    };
    let never = |word, status| !undefined(word, status, Settings::default());
    for word in [
        0xF1EDu16,
        0xF1FD,
        0xF0FD,
        0xF07D,
        0xF12E,
        0xF3FD,
        0xF110,
        0xF12D,
        0xF03D | 0x100,
    ] {
        assert!(
            undefined(word, fpscr::PR, STRICT()) && !undefined(word, 0, STRICT()),
            "{word:04X}"
        );
        assert!(never(word, fpscr::PR), "{word:04X}");
    }
    for word in [0xF0BDu16, 0xF0AD] {
        assert!(
            undefined(word, 0, STRICT()) && !undefined(word, fpscr::PR, STRICT()),
            "{word:04X}"
        );
        assert!(never(word, 0), "{word:04X}");
    }
    for word in [0xF08D, 0xF09D, 0xFBFD] {
        assert!(
            !undefined(word, fpscr::PR, STRICT()) && !undefined(word, 0, STRICT()),
            "{word:04X}"
        );
    }
    let (mut cpu, mut bus) = machine(&[0xF0ED], STRICT());
    cpu.set_fpscr(fpscr::PR);
    assert!(engine::step(&mut cpu, &mut bus).is_err());
    cpu.carry_out_undefined(true);
    assert!(engine::step(&mut cpu, &mut bus).is_ok());
}

/// FLDI0, FLDI1 and FRCHG with PR = 1, as tested on a console: one register changes, and the banks are
/// exchanged. FIPR, FMAC, FSRRA, FSCA and FSCHG give the same results as with PR = 0. FADD of odd registers
/// adds their pairs; FCNVSD with PR = 0 converts.
#[test]
fn undefined_codes_execute() {
    let fr = [ONE, 0x4000_0000, 0x4040_0000, 0x4080_0000, ONE, ONE, ONE, ONE];
    let after = |word, status| one(word, status, fr, Settings::default()).1;
    assert_eq!(
        after(0xF18D, fpscr::PR).fr[..4],
        [ONE, 0, 0x4040_0000, 0x4080_0000]
    );
    assert_eq!(
        after(0xF29D, fpscr::PR).fr[..4],
        [ONE, 0x4000_0000, ONE, 0x4080_0000]
    );
    let turned = after(0xFBFD, fpscr::PR);
    assert_eq!(
        (turned.fpscr(), &turned.xf[..8]),
        (fpscr::PR | fpscr::FR, &fr[..])
    );
    assert_eq!(after(0xF3FD, fpscr::PR).fpscr(), fpscr::PR | fpscr::SZ);
    for word in [0xF1ED, 0xF1FD, 0xF0FD, 0xF07D, 0xF12E] {
        let [single, double] = [0, fpscr::PR].map(|status| after(word, status | fpscr::DN));
        assert_eq!(single.fr, double.fr, "{word:04X}");
    }
    assert_eq!(after(0xF1ED, fpscr::PR).fr[3], 0x4120_0000, "1 + 2 + 3 + 4");
    let status = fpscr::PR | fpscr::DN;
    assert_eq!(after(0xF310, status).fr, after(0xF200, status).fr, "fadd");
    assert_eq!(after(0xF12D, status).fr, after(0xF02D, status).fr, "float");
    assert_eq!(after(0xF0AD, fpscr::DN).fr, after(0xF0AD, status).fr, "fcnvsd");
}

/// FABS and FNEG with PR = 1 change only the sign of the even register.
#[test]
fn signs_of_doubles() {
    let fr = [0x8000_0001, 0x8000_0002, 0, 0, 0, 0, 0, 0];
    let (_, cpu) = one(0xF05D, fpscr::PR, fr, Settings::default());
    assert_eq!(cpu.fr[..2], [1, 0x8000_0002]);
    let (_, cpu) = one(0xF04D, fpscr::PR, fr, Settings::default());
    assert_eq!(cpu.fr[..2], [1, 0x8000_0002]);
}

/// FABS and FNEG of an odd register with PR = 1: GCC emits them for single precision. A setting makes them
/// undefined.
#[test]
fn signs_of_odd_registers() {
    let fr = [0x8000_0001, 0x8000_0002, 0, 0, 0, 0, 0, 0];
    for word in [0xF15D, 0xF14D] {
        let (stopped, cpu) = one(word, fpscr::PR, fr, Settings::default());
        assert_eq!(
            (stopped, &cpu.fr[..2]),
            (false, &[0x8000_0001, 2][..]),
            "{word:04X}"
        );
        let undefined = Settings {
            odd_sign: OddSign::Undefined,
            ..Settings::default()
        };
        let (mut cpu, mut bus) = machine(&[word], undefined);
        cpu.set_fpscr(fpscr::PR);
        let stop = engine::step(&mut cpu, &mut bus);
        assert!(matches!(stop, Err(Stop::Fault(fault)) if fault.kind == FaultKind::FpuUndefined));
    }
}

/// FMOV with SZ = 1, out to memory and between banks: even register at the low address, odd numbers are XD.
#[test]
fn pairs_in_memory_and_between_banks() {
    // fmov.d dr2,@r1; fmov.d xd2,@-r3; fmov dr2,xd4; fmov xd4,dr6; fmov xd2,xd0
    let (cpu, mut bus, _) = run(&[0xF12A, 0xF33B, 0xF52C, 0xF65C, 0xF13C], 5, |cpu, _| {
        cpu.set_fpscr(fpscr::SZ | fpscr::DN);
        (cpu.fr[2], cpu.fr[3], cpu.xf[2], cpu.xf[3]) = (1, 2, 3, 4);
        (cpu.r[1], cpu.r[3]) = (DATA, DATA + 0x18);
    });
    let words = [0, 4, 0x10, 0x14].map(|offset| bus.read32(DATA + offset).unwrap());
    assert_eq!((words, cpu.r[3]), ([1, 2, 3, 4], DATA + 0x10));
    assert_eq!((cpu.xf[4], cpu.xf[5], cpu.fr[6], cpu.fr[7]), (1, 2, 1, 2));
    assert_eq!((cpu.xf[0], cpu.xf[1]), (3, 4));
}
