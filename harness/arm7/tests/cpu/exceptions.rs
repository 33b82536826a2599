//! Modes, exceptions, interrupts and cycles of runs.

use arm7::cpu::psr::{Psr, mode};
use arm7::cpu::{Cpu, CpuSettings, Cycles};

use crate::run::{C, CODE, N, Run, SVC};

/// mov r0, r0.
const NOP: u32 = 0xE1A0_0000;
/// subs pc, lr, #4.
const RETURN: u32 = 0xE25E_F004;

/// Mode after an exception, R14, SPSR, R15, and the mask bits.
fn taken(run: &Run) -> (u32, u32, u32, u32, u32) {
    let cpsr = run.cpu.cpsr();
    let spsr = run.cpu.spsr().map_or(0, Psr::bits);
    (
        cpsr.mode(),
        run.get(14),
        spsr,
        run.get(15),
        cpsr.bits() & (Psr::I | Psr::F),
    )
}

#[test]
fn each_mode_has_its_registers() {
    let modes = [
        mode::USER,
        mode::FIQ,
        mode::IRQ,
        mode::SUPERVISOR,
        mode::ABORT,
        mode::UNDEFINED,
    ];
    let mut cpu = Cpu::new(CpuSettings::default());
    for (at, mode) in modes.into_iter().enumerate() {
        cpu.set_cpsr(Psr::from_bits(mode));
        (0..15).for_each(|n| cpu.set_register(n, 0x100 * at as u32 + n as u32));
    }
    let own = |at: usize, n: usize| match n {
        13 | 14 => at,
        8..=12 if at == 1 => 1,
        // This bank is shared with the last mode that was set.
        _ => 5,
    };
    for (at, mode) in modes.into_iter().enumerate() {
        cpu.set_cpsr(Psr::from_bits(mode));
        for n in 0..15 {
            assert_eq!(
                cpu.register(n),
                (0x100 * own(at, n) + n) as u32,
                "mode {mode:x}, r{n}"
            );
        }
    }
}

#[test]
fn reset_goes_to_supervisor_mode() {
    let mut run = Run::new(&[NOP]).cpsr(mode::USER | N).set(13, 5);
    run.cpu.reset();
    assert_eq!((run.cpu.cpsr().bits(), run.get(15)), (SVC, 0));
    assert_eq!(run.cpu.spsr(), Some(Psr::from_bits(mode::USER | N)));
    assert_eq!(run.cpsr(mode::USER).get(13), 5);
}

#[test]
fn software_interrupts() {
    let mut run = Run::new(&[0xEF00_1234]).cpsr(mode::USER | C);
    assert_eq!(run.step(), 3, "2S + 1N");
    assert_eq!(
        taken(&run),
        (mode::SUPERVISOR, CODE + 4, mode::USER | C, 8, Psr::I)
    );
}

#[test]
fn undefined_instructions() {
    // The undefined space; mrc, cdp, ldc without a coprocessor; LDRH, UMULL, BX, CLZ of later architectures.
    let opcodes = [
        0xE7F0_00F0,
        0xEE10_0F10,
        0xEE00_0000,
        0xED90_0000,
        0xE1D0_00B0,
        0xE081_0392,
        0xE12F_FF1E,
        0xE16F_0F11,
    ];
    for opcode in opcodes {
        let run = Run::new(&[opcode]).cpsr(mode::USER | N).steps(1);
        let expected = (mode::UNDEFINED, CODE + 4, mode::USER | N, 4, Psr::I);
        assert_eq!(taken(&run), expected, "{opcode:08x}");
    }
    // Condition 1111 is never true.
    assert_eq!(Run::new(&[0xFE00_0000]).steps(1).get(15), CODE + 4);
}

#[test]
fn an_interrupt_returns_to_the_next_instruction() {
    // add r0, r0, #1 twice; the vectors contain the return.
    let code = [0xE280_0001, 0xE280_0001];
    let mut run = Run::new(&code)
        .memory(0x1C, &[RETURN])
        .cpsr(mode::USER | C)
        .steps(1);
    run.bus.fiq = true;
    assert_eq!(run.step(), 3);
    assert_eq!(
        taken(&run),
        (mode::FIQ, CODE + 8, mode::USER | C, 0x1C, Psr::I | Psr::F)
    );
    run.step();
    assert_eq!((run.get(15), run.cpu.cpsr().bits()), (CODE + 4, mode::USER | C));
    // The line is still active, so the core takes the interrupt again before the next instruction.
    run.step();
    assert_eq!((run.get(15), run.get(0)), (0x1C, 1));
    run.bus.fiq = false;
    assert_eq!(run.steps(2).get(0), 2);
}

#[test]
fn masks_and_priority() {
    let vector = |cpsr: u32, fiq: bool, irq: bool| {
        let mut run = Run::new(&[NOP]).cpsr(cpsr);
        (run.bus.fiq, run.bus.irq) = (fiq, irq);
        run.step();
        let (mode, _, _, pc, masks) = taken(&run);
        (mode, pc, masks)
    };
    assert_eq!(vector(mode::USER, false, true), (mode::IRQ, 0x18, Psr::I));
    assert_eq!(vector(mode::USER, true, true), (mode::FIQ, 0x1C, Psr::I | Psr::F));
    assert_eq!(
        vector(mode::USER | Psr::F, true, true),
        (mode::IRQ, 0x18, Psr::I | Psr::F)
    );
    assert_eq!(
        vector(SVC, true, true),
        (mode::SUPERVISOR, CODE + 4, Psr::I | Psr::F)
    );
    assert_eq!(
        vector(mode::USER | Psr::I, false, true),
        (mode::USER, CODE + 4, Psr::I)
    );
}

#[test]
fn a_masked_interrupt_waits_for_msr() {
    // msr cpsr_c, #0x13 enables both; add r0, r0, #1 is not reached.
    let mut run = Run::new(&[0xE321_F013, 0xE280_0001]);
    run.bus.fiq = true;
    let run = run.steps(2);
    assert_eq!((run.get(15), run.get(0)), (0x1C, 0));
    assert_eq!(run.get(14), CODE + 8);
}

#[test]
fn a_fast_interrupt_has_registers_of_its_own() {
    // At 1C: add r8, r8, #1; subs pc, lr, #4.
    let mut run = Run::new(&[NOP])
        .memory(0x1C, &[0xE288_8001, RETURN])
        .cpsr(mode::USER)
        .set(8, 100);
    run.bus.fiq = true;
    let mut run = run.steps(1);
    run.bus.fiq = false;
    let run = run.steps(2);
    assert_eq!((run.get(8), run.get(15)), (100, CODE));
    assert_eq!(run.cpsr(mode::FIQ).get(8), 1);
}

#[test]
fn a_run_takes_at_least_its_budget() {
    // add r0, r0, #1; branch back: 1 + 3 cycles per iteration.
    let mut run = Run::new(&[0xE280_0001, 0xEAFF_FFFD]);
    assert_eq!(run.cpu.run(&mut run.bus, Cycles(400)), Cycles(400));
    assert_eq!(run.get(0), 100);
    assert_eq!(
        run.cpu.run(&mut run.bus, Cycles(2)),
        Cycles(4),
        "the branch began within the budget"
    );
    assert_eq!(run.cpu.run(&mut run.bus, Cycles(0)), Cycles(0));
}

#[test]
fn changed_code_runs_as_it_is() {
    // str r1, [pc, #-4] puts mov r0, #2 over the next instruction, which ran before.
    let mut run = Run::new(&[0xE50F_1004, 0xE3A0_0001]).set(1, 0xE3A0_0002);
    run.cpu.set_register(15, CODE + 4);
    let mut run = run.steps(1);
    assert_eq!(run.get(0), 1);
    run.cpu.set_register(15, CODE);
    assert_eq!(run.steps(2).get(0), 2);
}

#[test]
fn undefined_modes_have_the_users_registers() {
    let mut cpu = Cpu::new(CpuSettings::default());
    cpu.set_cpsr(Psr::from_bits(mode::USER));
    cpu.set_register(13, 7);
    cpu.set_cpsr(Psr::from_bits(0x1F));
    assert_eq!((cpu.register(13), cpu.spsr()), (7, None));
    // The 26-bit supervisor mode has supervisor registers.
    cpu.set_cpsr(Psr::from_bits(mode::SUPERVISOR));
    cpu.set_register(13, 9);
    cpu.set_cpsr(Psr::from_bits(0x03));
    assert_eq!(cpu.register(13), 9);
}

/// Runs in pieces of several lengths, on a bus that reports when it is quiet and on one that never does.
fn same_with_and_without_skipping(code: &[u32], fiq: bool) {
    for budget in [1, 7, 100, 1000, 12_345] {
        let mut runs = [true, false].map(|tells| {
            let run = Run::new(code)
                .memory(0x1C, &[0xE288_8001, RETURN])
                .cpsr(mode::USER);
            let mut run = run.set(1, 0x800).set(2, 0x804).set(3, 50);
            (run.bus.tells, run.bus.fiq) = (tells, fiq);
            run
        });
        for _ in 0..5 {
            let gone = runs
                .each_mut()
                .map(|run| run.cpu.run(&mut run.bus, Cycles(budget)));
            assert_eq!(gone[0], gone[1], "budget {budget}");
            let [a, b] = &runs;
            assert!((0..16).all(|n| a.get(n) == b.get(n)), "budget {budget}");
            assert_eq!(a.cpu.cpsr(), b.cpu.cpsr());
            assert!(a.bus.bytes == b.bus.bytes, "budget {budget}");
            // The awaited value arrives between runs.
            runs.iter_mut().for_each(|run| run.bus.bytes[0x800] += 1);
        }
    }
}

#[test]
fn skipped_rounds_change_nothing() {
    // b .
    same_with_and_without_skipping(&[0xEAFF_FFFE], false);
    // ldr r4, [r1]; str r4, [r2]; cmp r4, #3; bne; mov r5, #1; b .
    let waits = [
        0xE591_4000,
        0xE582_4000,
        0xE354_0003,
        0x1AFF_FFFB,
        0xE3A0_5001,
        0xEAFF_FFFE,
    ];
    same_with_and_without_skipping(&waits, false);
    // The loop above, with a permanent interrupt.
    same_with_and_without_skipping(&waits, true);
    // subs r3, r3, #1; bne; branch back: a counting loop inside another loop.
    same_with_and_without_skipping(&[0xE253_3001, 0x1AFF_FFFD, 0xEAFF_FFFC], false);
    // ldr r4, [r1]; add r4, r4, #1; str r4, [r1]; mov r4, #0; b: only memory changes.
    let counts = [0xE591_4000, 0xE284_4001, 0xE581_4000, 0xE3A0_4000, 0xEAFF_FFFA];
    same_with_and_without_skipping(&counts, false);
}

#[test]
fn a_waiting_loop_takes_no_time() {
    // Executing 2^40 cycles of `b .` would take an hour.
    let mut run = Run::new(&[0xEAFF_FFFE]);
    run.bus.tells = true;
    let gone = run.cpu.run(&mut run.bus, Cycles(1 << 40));
    assert!((1 << 40..(1 << 40) + 3).contains(&gone.0), "{gone:?}");
}
