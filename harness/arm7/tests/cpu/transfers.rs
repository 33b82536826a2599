//! Instructions that access memory.

use arm7::cpu::psr::{Psr, mode};
use arm7::cpu::{CpuSettings, EmptyList};

use crate::run::{C, CODE, Run};

#[test]
fn single_transfers() {
    let words = [0x4433_2211, 0x8877_6655];
    let load = |opcode, r1, r2| {
        let mut run = Run::new(&[opcode]).memory(0x800, &words).set(1, r1).set(2, r2);
        let cycles = run.step();
        assert_eq!(cycles, 3, "1S + 1N + 1I");
        (run.get(0), run.get(1))
    };
    assert_eq!(
        load(0xE591_0004, 0x800, 0),
        (0x8877_6655, 0x800),
        "ldr r0, [r1, #4]"
    );
    assert_eq!(
        load(0xE511_0004, 0x808, 0),
        (0x8877_6655, 0x808),
        "ldr r0, [r1, #-4]"
    );
    assert_eq!(
        load(0xE5B1_0004, 0x800, 0),
        (0x8877_6655, 0x804),
        "ldr r0, [r1, #4]!"
    );
    assert_eq!(
        load(0xE491_0004, 0x800, 0),
        (0x4433_2211, 0x804),
        "ldr r0, [r1], #4"
    );
    assert_eq!(
        load(0xE4B1_0004, 0x800, 0),
        (0x4433_2211, 0x804),
        "ldrt r0, [r1], #4"
    );
    assert_eq!(
        load(0xE791_0102, 0x800, 1),
        (0x8877_6655, 0x800),
        "ldr r0, [r1, r2, lsl #2]"
    );
    assert_eq!(
        load(0xE611_0002, 0x804, 4),
        (0x8877_6655, 0x800),
        "ldr r0, [r1], -r2"
    );
    assert_eq!(
        load(0xE791_0062, 0x400, 0x800),
        (0x4433_2211, 0x400),
        "ldr r0, [r1, r2, rrx]"
    );
    assert_eq!(load(0xE5D1_0002, 0x800, 0), (0x33, 0x800), "ldrb r0, [r1, #2]");
    assert_eq!(load(0xE5F1_0005, 0x800, 0), (0x66, 0x805), "ldrb r0, [r1, #5]!");
    for (offset, rotated) in [0x4433_2211, 0x1144_3322, 0x2211_4433, 0x3322_1144]
        .into_iter()
        .enumerate()
    {
        assert_eq!(
            load(0xE591_0000 + offset as u32, 0x800, 0).0,
            rotated,
            "offset {offset}"
        );
    }
    // ldr r1, [r1], #4: the base keeps the loaded value.
    assert_eq!(
        Run::new(&[0xE491_1004])
            .memory(0x800, &words)
            .set(1, 0x800)
            .steps(1)
            .get(1),
        0x4433_2211
    );
    // ldr pc, [r1]: 2S + 2N + 1I
    let mut run = Run::new(&[0xE591_F000]).memory(0x800, &[0x403]).set(1, 0x800);
    assert_eq!((run.step(), run.get(15)), (5, 0x400));
}

#[test]
fn single_stores() {
    let store = |opcode, r1| {
        let mut run = Run::new(&[opcode])
            .memory(0x800, &[0x1111_1111; 2])
            .set(0, 0xCAFE_F00D)
            .set(1, r1);
        assert_eq!(run.step(), 2, "2N");
        (run.bus.word(0x800), run.bus.word(0x804), run.get(1))
    };
    assert_eq!(store(0xE581_0004, 0x800), (0x1111_1111, 0xCAFE_F00D, 0x800));
    assert_eq!(
        store(0xE521_0004, 0x804),
        (0xCAFE_F00D, 0x1111_1111, 0x800),
        "str r0, [r1, #-4]!"
    );
    assert_eq!(
        store(0xE581_0000, 0x803),
        (0xCAFE_F00D, 0x1111_1111, 0x803),
        "the aligned word, as it is"
    );
    assert_eq!(
        store(0xE5C1_0001, 0x800),
        (0x1111_0D11, 0x1111_1111, 0x800),
        "strb r0, [r1, #1]"
    );
    assert_eq!(
        store(0xE481_1004, 0x800),
        (0x800, 0x1111_1111, 0x804),
        "str r1, [r1], #4: the old base"
    );
    assert_eq!(
        store(0xE581_F000, 0x800),
        (CODE + 12, 0x1111_1111, 0x800),
        "str pc, [r1]"
    );
}

#[test]
fn swaps() {
    // swp r0, r2, [r1]: 1S + 2N + 1I; swpb
    let mut run = Run::new(&[0xE101_0092])
        .memory(0x800, &[0x4433_2211])
        .set(1, 0x801)
        .set(2, 9);
    assert_eq!((run.step(), run.get(0), run.bus.word(0x800)), (4, 0x1144_3322, 9));
    let run = Run::new(&[0xE141_0092])
        .memory(0x800, &[0x4433_2211])
        .set(1, 0x801)
        .set(2, 0x99)
        .steps(1);
    assert_eq!((run.get(0), run.bus.word(0x800)), (0x22, 0x4433_9911));
    // swp r2, r2, [r1]
    let run = Run::new(&[0xE101_2092])
        .memory(0x800, &[5])
        .set(1, 0x800)
        .set(2, 6)
        .steps(1);
    assert_eq!((run.get(2), run.bus.word(0x800)), (5, 6));
}

/// Words 1 to 32 from 800 on.
fn numbered() -> Vec<u32> {
    (1..=32).collect()
}

#[test]
fn loads_of_blocks() {
    // R2, R3 and R5, with the lowest register at the lowest address; the base; 3S + 1N + 1I.
    let load = |opcode, r1| {
        let mut run = Run::new(&[opcode]).memory(0x800, &numbered()).set(1, r1);
        assert_eq!(run.step(), 5);
        ([run.get(2), run.get(3), run.get(5)], run.get(1))
    };
    assert_eq!(load(0xE8B1_002C, 0x810), ([5, 6, 7], 0x81C), "ldmia r1!");
    assert_eq!(load(0xE9B1_002C, 0x810), ([6, 7, 8], 0x81C), "ldmib r1!");
    assert_eq!(load(0xE831_002C, 0x810), ([3, 4, 5], 0x804), "ldmda r1!");
    assert_eq!(load(0xE931_002C, 0x810), ([2, 3, 4], 0x804), "ldmdb r1!");
    assert_eq!(load(0xE891_002C, 0x810), ([5, 6, 7], 0x810), "ldmia r1");
    assert_eq!(
        load(0xE8B1_002C, 0x812),
        ([5, 6, 7], 0x81E),
        "low bits stay in the base only"
    );
    // ldmia r1!, {r1, r2}: the base keeps the loaded value.
    let run = Run::new(&[0xE8B1_0006])
        .memory(0x800, &[7, 8])
        .set(1, 0x800)
        .steps(1);
    assert_eq!((run.get(1), run.get(2)), (7, 8));
    // ldmia r1, {r0, pc}: 3S + 2N + 1I.
    let mut run = Run::new(&[0xE891_8001]).memory(0x800, &[7, 0x403]).set(1, 0x800);
    assert_eq!((run.step(), run.get(0), run.get(15)), (6, 7, 0x400));
}

#[test]
fn stores_of_blocks() {
    // 2S + 2N; the words from 808 on.
    let store = |opcode, r1| {
        let run = Run::new(&[opcode]).set(1, r1).set(2, 22).set(3, 33).set(5, 55);
        let mut run = run.memory(0x800, &[0; 8]);
        assert_eq!(run.step(), 4);
        let words: Vec<u32> = (0..5).map(|n| run.bus.word(0x808 + 4 * n)).collect();
        (words, run.get(1))
    };
    assert_eq!(
        store(0xE8A1_002C, 0x808),
        (vec![22, 33, 55, 0, 0], 0x814),
        "stmia r1!"
    );
    assert_eq!(
        store(0xE9A1_002C, 0x808),
        (vec![0, 22, 33, 55, 0], 0x814),
        "stmib r1!"
    );
    assert_eq!(
        store(0xE821_002C, 0x810),
        (vec![22, 33, 55, 0, 0], 0x804),
        "stmda r1!"
    );
    assert_eq!(
        store(0xE921_002C, 0x814),
        (vec![22, 33, 55, 0, 0], 0x808),
        "stmdb r1!"
    );
    assert_eq!(
        store(0xE881_002C, 0x808),
        (vec![22, 33, 55, 0, 0], 0x808),
        "stmia r1"
    );
}

#[test]
fn a_stored_base_is_old_only_as_the_first_register() {
    let run = Run::new(&[0xE8A1_0006]).set(1, 0x800).set(2, 2).steps(1);
    assert_eq!(
        (run.bus.word(0x800), run.bus.word(0x804)),
        (0x800, 2),
        "stmia r1!, {{r1, r2}}"
    );
    let run = Run::new(&[0xE8A1_0003]).set(0, 3).set(1, 0x800).steps(1);
    assert_eq!(
        (run.bus.word(0x800), run.bus.word(0x804)),
        (3, 0x808),
        "stmia r1!, {{r0, r1}}"
    );
    let run = Run::new(&[0xE8A1_8000]).set(1, 0x800).steps(1);
    assert_eq!(run.bus.word(0x800), CODE + 12, "stmia r1!, {{pc}}");
}

#[test]
fn the_s_bit_reaches_the_users_registers() {
    let fiq = mode::FIQ | Psr::I | Psr::F;
    let user = |code: &[u32]| {
        let run = Run::new(code)
            .cpsr(mode::USER)
            .set(8, 80)
            .set(13, 130)
            .set(14, 140);
        run.cpsr(fiq).set(8, 8).set(13, 13).set(14, 14).set(1, 0x800)
    };
    // stmia r1, {r8, r13, r14}^
    let run = user(&[0xE8C1_6100]).steps(1);
    assert_eq!([0x800, 0x804, 0x808].map(|at| run.bus.word(at)), [80, 130, 140]);
    // ldmia r1, {r8, r13}^
    let run = user(&[0xE8D1_2100]).memory(0x800, &[5, 6]).steps(1);
    assert_eq!([8, 13].map(|n| run.get(n)), [8, 13]);
    let run = run.cpsr(mode::USER);
    assert_eq!([8, 13, 14].map(|n| run.get(n)), [5, 6, 140]);
    // ldmia r1!, {r8, pc}^: loads this mode's register, and CPSR = SPSR.
    let run = user(&[0xE8F1_8100])
        .spsr(mode::USER | C)
        .memory(0x800, &[5, 0x400])
        .steps(1);
    assert_eq!(
        (run.get(15), run.cpu.cpsr().bits(), run.get(8)),
        (0x400, mode::USER | C, 80)
    );
    assert_eq!(run.cpsr(fiq).get(8), 5);
}

#[test]
fn an_empty_list() {
    let run = Run::new(&[0xE8B1_0000])
        .memory(0x800, &[0x400])
        .set(1, 0x800)
        .steps(1);
    assert_eq!((run.get(15), run.get(1)), (0x400, 0x840), "ldmia r1!, {{}}");
    let run = Run::new(&[0xE921_0000]).set(1, 0x840).steps(1);
    assert_eq!(
        (run.bus.word(0x800), run.get(1)),
        (CODE + 12, 0x800),
        "stmdb r1!, {{}}"
    );
    let nothing = CpuSettings {
        empty_list: EmptyList::Nothing,
        ..CpuSettings::default()
    };
    let run = Run::with(nothing, &[0xE8B1_0000])
        .memory(0x800, &[0x400])
        .set(1, 0x800)
        .steps(1);
    assert_eq!((run.get(15), run.get(1)), (CODE + 4, 0x800));
}
