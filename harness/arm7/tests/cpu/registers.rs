//! Instructions that access only registers.

use arm7::cpu::psr::{Psr, mode};
use arm7::cpu::{CpuSettings, SameRegisterMultiply};

use crate::run::{C, CODE, N, Run, SVC, V, Z};

/// Executes R0 = R1 op R2 with the given flags; returns result and flags.
fn data(opcode: u32, r1: u32, r2: u32, flags: u32) -> (u32, u32) {
    let run = Run::new(&[opcode])
        .set(1, r1)
        .set(2, r2)
        .cpsr(SVC | flags)
        .steps(1);
    (run.get(0), run.flags())
}

#[test]
fn arithmetic_sets_carry_and_overflow() {
    let (adds, adcs, subs, sbcs, rsbs, rscs) = (
        0xE091_0002,
        0xE0B1_0002,
        0xE051_0002,
        0xE0D1_0002,
        0xE071_0002,
        0xE0F1_0002,
    );
    assert_eq!(data(adds, 0x7FFF_FFFF, 1, C), (0x8000_0000, N | V));
    assert_eq!(data(adds, 0xFFFF_FFFF, 1, 0), (0, Z | C));
    assert_eq!(data(adds, 0x8000_0000, 0x8000_0000, 0), (0, Z | C | V));
    assert_eq!(data(adcs, 1, 2, C), (4, 0));
    assert_eq!(data(adcs, 0xFFFF_FFFF, 0xFFFF_FFFF, C), (0xFFFF_FFFF, N | C));
    assert_eq!(data(subs, 5, 5, 0), (0, Z | C), "no borrow");
    assert_eq!(data(subs, 4, 5, C), (0xFFFF_FFFF, N), "borrow");
    assert_eq!(data(subs, 0x8000_0000, 1, 0), (0x7FFF_FFFF, C | V));
    assert_eq!(data(sbcs, 5, 4, 0), (0, Z | C), "5 - 4 - 1");
    assert_eq!(data(sbcs, 5, 4, C), (1, C));
    assert_eq!(data(rsbs, 4, 5, 0), (1, C));
    assert_eq!(data(rscs, 4, 5, 0), (0, Z | C));
}

#[test]
fn logical_operations_leave_overflow() {
    let (ands, eors, orrs, bics) = (0xE011_0002, 0xE031_0002, 0xE191_0002, 0xE1D1_0002);
    assert_eq!(data(ands, 0xF0F0, 0x0FF0, V), (0x00F0, V));
    assert_eq!(data(eors, 0xF0F0, 0xF0F0, V | C), (0, Z | V | C));
    assert_eq!(data(orrs, 0x8000_0000, 1, 0), (0x8000_0001, N));
    assert_eq!(data(bics, 0xFF, 0x0F, C), (0xF0, C));
    assert_eq!(data(0xE1B0_0002, 9, 0, V), (0, Z | V), "movs r0, r2");
    assert_eq!(data(0xE1F0_0002, 9, 0, 0), (0xFFFF_FFFF, N), "mvns r0, r2");
    // tst, teq, cmp and cmn do not change R0.
    assert_eq!(data(0xE111_0002, 1, 2, C | V), (0, Z | C | V));
    assert_eq!(data(0xE131_0002, 1, 1, 0), (0, Z));
    assert_eq!(data(0xE151_0002, 1, 2, C), (0, N));
    assert_eq!(data(0xE171_0002, 0xFFFF_FFFF, 1, 0), (0, Z | C));
    // Without S no flag changes: add r0, r1, r2.
    assert_eq!(data(0xE081_0002, 0xFFFF_FFFF, 1, N | V), (0, N | V));
}

#[test]
fn immediates_rotate_and_carry() {
    assert_eq!(data(0xE3B0_00FF, 0, 0, C), (0xFF, C), "movs r0, #255: C stays");
    assert_eq!(
        data(0xE3B0_04FF, 0, 0, 0),
        (0xFF00_0000, N | C),
        "rotated by 8: C is bit 31"
    );
    assert_eq!(
        data(0xE3B0_0C01, 0, 0, C),
        (0x100, 0),
        "rotated by 24: C is clear"
    );
}

/// movs r0, r2, SHIFT #amount.
fn shifted(shift: u32, amount: u32, value: u32, flags: u32) -> (u32, u32) {
    data(0xE1B0_0002 | amount << 7 | shift << 5, 0, value, flags)
}

#[test]
fn shifts_by_constants() {
    let (lsl, lsr, asr, ror) = (0, 1, 2, 3);
    assert_eq!(shifted(lsl, 0, 0x8000_0001, C), (0x8000_0001, N | C));
    assert_eq!(shifted(lsl, 1, 0x8000_0001, 0), (2, C));
    assert_eq!(shifted(lsl, 31, 3, 0), (0x8000_0000, N | C));
    assert_eq!(shifted(lsr, 1, 0x8000_0001, 0), (0x4000_0000, C));
    assert_eq!(shifted(lsr, 0, 0x8000_0000, 0), (0, Z | C), "LSR #32");
    assert_eq!(shifted(lsr, 0, 0x7FFF_FFFF, C), (0, Z), "LSR #32");
    assert_eq!(shifted(asr, 4, 0x8000_0008, 0), (0xF800_0000, N | C));
    assert_eq!(shifted(asr, 0, 0x8000_0000, 0), (0xFFFF_FFFF, N | C), "ASR #32");
    assert_eq!(shifted(asr, 0, 0x4000_0000, C), (0, Z), "ASR #32");
    assert_eq!(shifted(ror, 4, 0x0000_0018, 0), (0x8000_0001, N | C));
    assert_eq!(shifted(ror, 0, 0x0000_0003, 0), (1, C), "RRX");
    assert_eq!(shifted(ror, 0, 0x0000_0002, C), (0x8000_0001, N), "RRX");
}

/// movs r0, r2, SHIFT r1.
fn by_register(shift: u32, amount: u32, value: u32, flags: u32) -> (u32, u32) {
    data(0xE1B0_0112 | shift << 5, amount, value, flags)
}

#[test]
fn shifts_by_registers() {
    let (lsl, lsr, asr, ror) = (0, 1, 2, 3);
    for shift in 0..4 {
        assert_eq!(by_register(shift, 0, 5, C), (5, C), "0 leaves all alone");
        assert_eq!(
            by_register(shift, 0x100, 5, C),
            (5, C),
            "only the low byte counts"
        );
    }
    assert_eq!(by_register(lsl, 31, 3, 0), (0x8000_0000, N | C));
    assert_eq!(by_register(lsl, 32, 3, 0), (0, Z | C));
    assert_eq!(by_register(lsl, 33, 3, C), (0, Z));
    assert_eq!(by_register(lsr, 32, 0x8000_0000, 0), (0, Z | C));
    assert_eq!(by_register(lsr, 33, 0x8000_0000, C), (0, Z));
    assert_eq!(by_register(asr, 32, 0x8000_0000, 0), (0xFFFF_FFFF, N | C));
    assert_eq!(by_register(asr, 255, 0x7FFF_FFFF, C), (0, Z));
    assert_eq!(by_register(ror, 32, 0x8000_0001, 0), (0x8000_0001, N | C));
    assert_eq!(by_register(ror, 36, 0x0000_0018, 0), (0x8000_0001, N | C));
    assert_eq!(by_register(ror, 64, 0x4000_0000, C), (0x4000_0000, 0));
}

#[test]
fn r15_is_8_ahead_and_12_with_a_shift_by_a_register() {
    assert_eq!(Run::new(&[0xE1A0_000F]).steps(1).get(0), CODE + 8, "mov r0, pc");
    assert_eq!(
        Run::new(&[0xE28F_0004]).steps(1).get(0),
        CODE + 12,
        "add r0, pc, #4"
    );
    assert_eq!(
        Run::new(&[0xE1A0_011F]).steps(1).get(0),
        CODE + 12,
        "mov r0, pc, lsl r1 (0)"
    );
    assert_eq!(
        Run::new(&[0xE08F_0112]).steps(1).get(0),
        CODE + 12,
        "add r0, pc, r2, lsl r1"
    );
    assert_eq!(
        Run::new(&[0xE50F_0004]).set(0, 7).steps(1).bus.word(CODE + 4),
        7,
        "str r0, [pc, #-4]"
    );
}

#[test]
fn a_result_in_r15_branches() {
    // mov pc, r0 (bits 1 and 0 are dropped), 2S + 1N.
    let mut run = Run::new(&[0xE1A0_F000]).set(0, 0x203);
    assert_eq!((run.step(), run.get(15)), (3, 0x200));
    // movs pc, lr in FIQ mode: CPSR = SPSR.
    let run = Run::new(&[0xE1B0_F00E])
        .cpsr(mode::FIQ | Psr::I | Psr::F)
        .spsr(mode::USER | C)
        .set(14, 0x300)
        .steps(1);
    assert_eq!((run.get(15), run.cpu.cpsr().bits()), (0x300, mode::USER | C));
    // User mode has no SPSR: flags and mode do not change.
    let run = Run::new(&[0xE1B0_F00E])
        .cpsr(mode::USER | V)
        .set(14, 0x300)
        .steps(1);
    assert_eq!((run.get(15), run.cpu.cpsr().bits()), (0x300, mode::USER | V));
    // teqp: CPSR = SPSR, no branch.
    let run = Run::new(&[0xE131_F000])
        .cpsr(mode::IRQ)
        .spsr(mode::USER | N)
        .steps(1);
    assert_eq!((run.get(15), run.cpu.cpsr().bits()), (CODE + 4, mode::USER | N));
}

#[test]
fn conditions_decide() {
    // Each condition on mov r0, #1, and a mask of the 16 flag combinations for which it is true.
    let expected = [
        0xF0F0, 0x0F0F, 0xCCCC, 0x3333, 0xFF00, 0x00FF, 0xAAAA, 0x5555, 0x0C0C, 0xF3F3, 0xAA55, 0x55AA,
        0x0A05, 0xF5FA, 0xFFFF, 0x0000,
    ];
    for (condition, flags) in expected.into_iter().enumerate() {
        for nzcv in 0..16u32 {
            let mut run = Run::new(&[(condition as u32) << 28 | 0x03A0_0001]).cpsr(SVC | nzcv << 28);
            let cycles = run.step();
            assert_eq!(
                run.get(0),
                flags >> nzcv & 1,
                "condition {condition}, flags {nzcv:04b}"
            );
            assert_eq!((cycles, run.get(15)), (1, CODE + 4));
        }
    }
}

#[test]
fn multiplications() {
    // mul r0, r1, r2; muls; mla r0, r1, r2, r3
    assert_eq!(data(0xE000_0291, 7, 6, N | C), (42, N | C));
    assert_eq!(
        data(0xE010_0291, 0x8000_0000, 3, C | V),
        (0x8000_0000, N | C | V),
        "C stays"
    );
    assert_eq!(data(0xE010_0291, 0x1_0000, 0x1_0000, 0), (0, Z), "the low word");
    assert_eq!(
        Run::new(&[0xE020_3291])
            .set(1, 7)
            .set(2, 6)
            .set(3, 58)
            .steps(1)
            .get(0),
        100
    );
    // mul r1, r1, r2
    let same = |settings| {
        Run::with(settings, &[0xE001_0291])
            .set(1, 7)
            .set(2, 6)
            .steps(1)
            .get(1)
    };
    assert_eq!(same(CpuSettings::default()), 0);
    let product = CpuSettings {
        same_register_multiply: SameRegisterMultiply::Product,
        ..CpuSettings::default()
    };
    assert_eq!(same(product), 42);
}

#[test]
fn multiplier_cycles() {
    let cycles = |rs| Run::new(&[0xE000_0291]).set(1, 7).set(2, rs).step();
    let expected = [
        (0, 2),
        (1, 2),
        (2, 3),
        (7, 3),
        (8, 4),
        (31, 4),
        (32, 5),
        (1 << 29, 17),
        (u32::MAX, 17),
    ];
    for (rs, expected) in expected {
        assert_eq!(cycles(rs), expected, "rs {rs:x}: 1S + mI");
    }
}

#[test]
fn psr_transfers_by_field() {
    // mrs r0, cpsr
    assert_eq!(data(0xE10F_0000, 0, 0, N | C), (SVC | N | C, N | C));
    let msr = |opcode, cpsr, r2| {
        Run::new(&[opcode])
            .cpsr(cpsr)
            .set(2, r2)
            .steps(1)
            .cpu
            .cpsr()
            .bits()
    };
    let all = N | Z | C | V | Psr::I | mode::IRQ;
    assert_eq!(msr(0xE129_F002, SVC, all), all, "msr cpsr, r2");
    assert_eq!(msr(0xE128_F002, SVC, all), SVC | N | Z | C | V, "msr cpsr_f, r2");
    assert_eq!(
        msr(0xE121_F002, SVC | N, all),
        N | Psr::I | mode::IRQ,
        "msr cpsr_c, r2"
    );
    assert_eq!(msr(0xE120_F002, SVC, all), SVC, "no field");
    assert_eq!(
        msr(0xE129_F002, mode::USER, all),
        mode::USER | N | Z | C | V,
        "user code changes flags only"
    );
    assert_eq!(
        msr(0xE328_F20F, SVC, 0),
        SVC | N | Z | C | V,
        "msr cpsr_f, #0xF0000000"
    );
    assert_eq!(msr(0xE321_F013, SVC, 0), mode::SUPERVISOR, "msr cpsr_c, #0x13");
    assert_eq!(
        msr(0xE129_F002, SVC, 0xFFFF_FF33),
        N | Z | C | V | mode::SUPERVISOR,
        "bit 5 does not exist"
    );
    // msr spsr_f, r2; mrs r0, spsr
    let run = Run::new(&[0xE168_F002, 0xE14F_0000])
        .spsr(mode::USER | Z)
        .set(2, all)
        .steps(2);
    assert_eq!(
        (run.get(0), run.cpu.cpsr().bits()),
        (mode::USER | N | Z | C | V, SVC)
    );
}

#[test]
fn branches() {
    let mut run = Run::new(&[0xEAFF_FFFE]);
    assert_eq!((run.step(), run.get(15)), (3, CODE), "b .");
    let run = Run::new(&[0xEB00_0010]).steps(1);
    assert_eq!((run.get(15), run.get(14)), (CODE + 8 + 0x40, CODE + 4), "bl");
    let run = Run::new(&[0xEA80_0000]).steps(1);
    assert_eq!(
        run.get(15),
        CODE.wrapping_add(8).wrapping_sub(0x0200_0000),
        "furthest back"
    );
}
