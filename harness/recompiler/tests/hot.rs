//! Tests of the decisions to compile code.
#![cfg(target_arch = "x86_64")]
// A failed unwrap or panic in a helper is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

use sh4::accelerate::{Accelerator, Answer, Blocks, Offer};
use sh4::flat::FlatBus;
use sh4::{Cpu, Settings, Stop};
use sh4_recompiler::{Options, Recompiler, Statistics};

const BASE: u32 = 0x8C00_0000;
/// FPSCR with DN = 1.
const FPSCR: u32 = 0x0004_0000;
/// Flag I, which inexact arithmetic sets.
const INEXACT: u32 = 1 << 2;

fn machine(opcodes: &[u16]) -> (Cpu, FlatBus) {
    let mut bus = FlatBus::new(0x0C00_0000, 0x1000);
    let bytes: Vec<u8> = opcodes.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    bus.load(0x0C00_0000, &bytes);
    let mut cpu = Cpu::new(Settings::default());
    cpu.set_fpscr(FPSCR);
    (cpu, bus)
}

/// Runs from the beginning to SLEEP.
fn run(cpu: &mut Cpu, bus: &mut FlatBus, recompiler: &mut Recompiler<FlatBus>) -> Statistics {
    cpu.pc = BASE;
    let run = cpu.run_accelerated(bus, None, 1 << 30, recompiler);
    assert_eq!(run.stop, Stop::Sleep);
    recompiler.statistics()
}

fn recompiler(hot: u32) -> Recompiler<FlatBus> {
    Recompiler::new(Options { hot }).unwrap()
}

/// dt r0; bf to the beginning; sleep
const LOOP: [u16; 3] = [0x4010, 0x8BFD, 0x001B];

#[test]
fn what_runs_rarely_is_interpreted() {
    let (mut cpu, mut bus) = machine(&LOOP);
    let mut recompiler = recompiler(100);
    let mut rounds = |count| {
        cpu.r[0] = count;
        run(&mut cpu, &mut bus, &mut recompiler).regions
    };
    assert_eq!(rounds(99), 0);
    assert_eq!(rounds(2), 1);
    assert_eq!(rounds(10_000), 1);
}

/// The loop's first block runs a hundred times, but most of its instructions run six times.
#[test]
fn a_long_region_has_to_earn_it() {
    // tst of r0 & 15; bf over the long part; add #1,r3 forty times; dt r0; bf to the beginning; sleep
    let mut code = vec![0x6103, 0x611C, 0xE20F, 0x2129, 0x2118, 0x8B27];
    code.extend([0x7301; 40]);
    code.extend([0x4010, 0x8BCF, 0x001B]);
    let (mut cpu, mut bus) = machine(&code);
    let mut recompiler = recompiler(96);
    let mut rounds = |count| {
        cpu.r[0] = count;
        run(&mut cpu, &mut bus, &mut recompiler).regions
    };
    // 96 * 6 + 90 * 2 + 6 * 42 executed instructions are fewer than the required 96 * 50.
    assert_eq!(rounds(97), 0);
    assert!(rounds(2_000) >= 1);
    assert_eq!(cpu.r[3], 40 * (97 / 16 + 2_000 / 16));
}

#[test]
fn integer_code_is_compiled_once_for_all_modes() {
    let (mut cpu, mut bus) = machine(&LOOP);
    let mut recompiler = recompiler(100);
    for fpscr in [FPSCR, FPSCR | INEXACT, INEXACT, 0, FPSCR] {
        cpu.set_fpscr(fpscr);
        cpu.r[0] = 1_000;
        assert_eq!(run(&mut cpu, &mut bus, &mut recompiler).regions, 1);
    }
}

/// With flag I set, the region includes arithmetic after a loop. With the flag clear, only the loop is hot.
/// Both modes need their own region.
#[test]
fn arithmetic_is_not_shared_between_modes() {
    // dt r0; bf to the beginning; fmul fr1,fr1; tst r1,r1; bf to the beginning; sleep
    let (mut cpu, mut bus) = machine(&[0x4010, 0x8BFD, 0xF112, 0x2118, 0x8BFA, 0x001B]);
    let mut recompiler = recompiler(20);
    let phases = [
        (100, FPSCR | INEXACT, 0x3F80_0000),
        (10, FPSCR, 0x3F80_0000),
        (1, FPSCR, 0x3F80_0001),
    ];
    for (runs, fpscr, factor) in phases {
        cpu.set_fpscr(fpscr);
        cpu.fr[1] = factor;
        for _ in 0..runs {
            cpu.r[0] = 100;
            run(&mut cpu, &mut bus, &mut recompiler);
        }
    }
    // The square of 1 + 2^-23 is inexact and sets cause and flag.
    assert_eq!(cpu.fpscr(), FPSCR | INEXACT | 1 << 12);
    assert_eq!(cpu.fr[1], 0x3F80_0002);
}

/// Code that begins with flag I clear and ends with it set keeps the regions of both modes.
#[test]
fn modes_keep_their_regions() {
    // fldi1 fr0; fmul fr1,fr0; dt r0; bf back to the product; sleep
    let (mut cpu, mut bus) = machine(&[0xF09D, 0xF012, 0x4010, 0x8BFC, 0x001B]);
    let mut recompiler = recompiler(20);
    let mut call = |recompiler: &mut Recompiler<FlatBus>| {
        cpu.set_fpscr(FPSCR);
        (cpu.fr[1], cpu.r[0]) = (0x3F80_0001, 50);
        run(&mut cpu, &mut bus, recompiler).regions
    };
    // After these calls, no region is recompiled.
    let compiled = (0..1_000).map(|_| call(&mut recompiler)).last().unwrap();
    assert!((2..=12).contains(&compiled), "{compiled} regions");
    (0..1_000).for_each(|_| assert_eq!(call(&mut recompiler), compiled));
}

#[test]
fn the_same_bytes_again_change_nothing() {
    // mov.w @r1,r2; mov.w r2,@r1; dt r0; bf to the beginning; sleep
    let (mut cpu, mut bus) = machine(&[0x6211, 0x2121, 0x4010, 0x8BFB, 0x001B]);
    let mut recompiler = recompiler(10);
    (cpu.r[0], cpu.r[1]) = (5_000, BASE);
    let statistics = run(&mut cpu, &mut bus, &mut recompiler);
    // Regions begin at the loop's first instruction and after the store. Each is compiled for each compile
    // mode of the store, and up to three times as it grows.
    assert!((1..=12).contains(&statistics.regions), "{statistics:?}");
    assert_eq!(statistics.discarded, 0);
}

/// Each change of the code doubles the number of executions before the next compilation.
#[test]
fn changing_code_is_compiled_ever_more_rarely() {
    // add #1,r3; dt r0; bf to the beginning; sleep
    let (mut cpu, mut bus) = machine(&[0x7301, 0x4010, 0x8BFC, 0x001B]);
    let mut recompiler = recompiler(10);
    let mut sum = 0_u32;
    for step in 0..200_u32 {
        let added = 1 + step % 2;
        bus.load(0x0C00_0000, &(0x7300 | added as u16).to_le_bytes());
        cpu.r[0] = 50;
        sum += 50 * added;
        run(&mut cpu, &mut bus, &mut recompiler);
    }
    assert_eq!(cpu.r[3], sum);
    // The interpreter runs 10, 20, 40 ... of the 10,000 iterations before each compilation.
    let statistics = recompiler.statistics();
    assert!((5..=10).contains(&statistics.discarded), "{statistics:?}");
}

/// Calls and returns jump directly from region to region.
#[test]
fn calls_and_returns_are_direct_jumps() {
    // bsr to the function; nop; dt r0; bf to the beginning; sleep; nop; the function: add #1,r3; rts; nop
    let (mut cpu, mut bus) = machine(&[
        0xB004, 0x0009, 0x4010, 0x8BFB, 0x001B, 0x0009, 0x7301, 0x000B, 0x0009,
    ]);
    let mut recompiler = recompiler(10);
    cpu.r[0] = 100_000;
    let statistics = run(&mut cpu, &mut bus, &mut recompiler);
    assert_eq!(cpu.r[3], 100_000);
    assert!(statistics.hops > 90_000, "{statistics:?}");
    assert!(statistics.entries < 100, "{statistics:?}");
    assert!(statistics.executed > 650_000, "{statistics:?}");
}

/// After a change of the mode, compiled code jumps directly to the next region.
#[test]
fn changes_of_the_mode_are_direct_jumps() {
    let programs: [&[u16]; 2] = [
        // fschg; fschg; dt r0; bf to the beginning; sleep
        &[0xF3FD, 0xF3FD, 0x4010, 0x8BFB, 0x001B],
        // stc sr,r1; ldc r1,sr; dt r0; bf to the beginning; sleep
        &[0x0102, 0x410E, 0x4010, 0x8BFB, 0x001B],
    ];
    for program in programs {
        let (mut cpu, mut bus) = machine(program);
        let mut recompiler = recompiler(10);
        cpu.r[0] = 100_000;
        let statistics = run(&mut cpu, &mut bus, &mut recompiler);
        assert!(statistics.hops > 90_000, "{statistics:?}");
        assert!(statistics.entries < 100, "{statistics:?}");
        assert!(statistics.executed > 390_000, "{statistics:?}");
    }
}

/// GCC changes FPSCR around operations with doubles. Neither the change nor the operations call the runtime.
#[test]
fn arithmetic_with_doubles_is_compiled() {
    // lds r1,fpscr; fmul dr2,dr4; fadd dr2,dr4; fcmp/gt dr4,dr2; ftrc dr4,fpul; float fpul,dr6; lds r2,fpscr;
    // dt r0; bf to the beginning; sleep
    let program = [
        0x416A, 0xF422, 0xF420, 0xF245, 0xF43D, 0xF62D, 0x426A, 0x4010, 0x8BF6, 0x001B,
    ];
    let states = [10, u32::MAX].map(|hot| {
        let (mut cpu, mut bus) = machine(&program);
        let mut recompiler = recompiler(hot);
        (cpu.r[0], cpu.r[1], cpu.r[2]) = (100_000, 0x000C_0004, 0x0004_0004);
        // 0.5 * x + 0.5 goes to 1.
        (cpu.fr[2], cpu.fr[3], cpu.fr[4], cpu.fr[5]) = (0x3FE0_0000, 0, 0x4008_0000, 1);
        let statistics = run(&mut cpu, &mut bus, &mut recompiler);
        (cpu, statistics)
    });
    assert_eq!(states[0].0, states[1].0);
    let statistics = states[0].1;
    assert!(
        statistics.calls < 100 && statistics.entries < 100,
        "{statistics:?}"
    );
    assert!(statistics.executed > 880_000, "{statistics:?}");
}

/// Compiles RTE, which returns alternately to both banks of R0 to R7.
#[test]
fn returns_from_exceptions_are_compiled() {
    // add #1,r3; ldc r8,spc; ldc r9,ssr; stc sr,r10; xor r11,r9; rte; xor r10,r10; (r8:) dt r12; bf to the
    // beginning; sleep
    let code = [
        0x7301, 0x484E, 0x493E, 0x0A02, 0x29BA, 0x002B, 0x2AAA, 0x4C10, 0x8BF6, 0x001B,
    ];
    let mut states = [10, u32::MAX].map(|hot| {
        let (mut cpu, mut bus) = machine(&code);
        let mut recompiler = recompiler(hot);
        let sr = cpu.sr() & !(1 << 28);
        (cpu.r[8], cpu.r[9], cpu.r[11], cpu.r[12]) = (BASE + 14, sr, 1 << 29, 30_001);
        let statistics = run(&mut cpu, &mut bus, &mut recompiler);
        (cpu, statistics)
    });
    assert_eq!(states[0].0, states[1].0);
    let statistics = states[0].1;
    assert!(statistics.entries < 200, "{statistics:?}");
    assert!(statistics.executed > 250_000, "{statistics:?}");
    // Both banks count iterations.
    states[0].0.r[3] += states[0].0.r_bank[3];
    assert_eq!(states[0].0.r[3], 30_001);
}

/// Replaces a function that is linked to its caller before each run.
#[test]
fn a_linked_function_may_change() {
    let mut code = [
        0xB004, 0x0009, 0x4010, 0x8BFB, 0x001B, 0x0009, 0x7301, 0x000B, 0x0009,
    ];
    let (mut cpu, mut bus) = machine(&code);
    let mut recompiler = recompiler(10);
    let mut sum = 0;
    for step in 1..=8 {
        code[6] = 0x7300 | step;
        let bytes: Vec<u8> = code.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
        bus.load(0x0C00_0000, &bytes);
        cpu.r[0] = 100_000;
        sum += 100_000 * u32::from(step);
        run(&mut cpu, &mut bus, &mut recompiler);
        assert_eq!(cpu.r[3], sum);
    }
    assert!(
        recompiler.statistics().discarded >= 2,
        "{:?}",
        recompiler.statistics()
    );
}

/// Accesses the last bytes of RAM, where a program's first function has its variables.
#[test]
fn accesses_at_the_end_of_memory_are_direct() {
    // mov.l r1,@(4,r15); mov.l @(4,r15),r2; mov.l @(8,r15),r3; mov.l r2,@(8,r15); dt r0; bf to the beginning;
    // sleep
    let (mut cpu, mut bus) = machine(&[0x1F11, 0x52F1, 0x53F2, 0x1F22, 0x4010, 0x8BF9, 0x001B]);
    let mut recompiler = recompiler(10);
    (cpu.r[0], cpu.r[15]) = (100_000, BASE + 0x1000 - 12);
    let statistics = run(&mut cpu, &mut bus, &mut recompiler);
    assert!(statistics.regions > 0 && statistics.calls < 100, "{statistics:?}");
}

/// Infinite waiting loops: compiled code counts their iterations instead of running them.
#[test]
fn a_loop_that_waits_ends_with_the_limit() {
    let loops: [&[u16]; 8] = [
        // mov.l @r1,r2; tst r2,r2; bt to the beginning
        &[0x6212, 0x2228, 0x89FC],
        // mov.b @r1,r0; cmp/eq #5,r0; bf/s to the beginning; nop
        &[0x6010, 0x8805, 0x8FFC, 0x0009],
        // bra to itself; nop
        &[0xAFFE, 0x0009],
        // mov.l @(4,r1),r2; add #1,r2; tst r2,r2; bt; bf to the beginning: two blocks, a count in a register
        &[0x5211, 0x7201, 0x2228, 0x89FB],
        // dt r1; bf to the beginning
        &[0x4110, 0x8BFD],
        // mov.l @r1,r0; tst #17,r0; bf to the sleep; dt r5; bf to the beginning; sleep: KallistiOS waits so
        &[0x6012, 0xC811, 0x8B01, 0x4510, 0x8BFA, 0x001B],
        // dt r5; bf to tst; nop; mov.l @r1,r0; tst r0,r0; bt to the beginning: the T of DT is not used
        &[0x4510, 0x8B00, 0x0009, 0x6012, 0x2008, 0x89F9],
        // mov.l @r1,r0; tst #8,r0; bf to the sleep; bra; tst r8,r8; bf to the last branch; mov.l @r1,r2;
        // cmp/eq r3,r2; bf to the sleep; bra to the beginning; nop; nop; sleep: two paths
        &[
            0x6012, 0xC808, 0x8B08, 0xA000, 0x2888, 0x8B02, 0x6212, 0x3230, 0x8B02, 0xAFF5, 0x0009, 0x0009,
            0x001B,
        ],
    ];
    for code in loops {
        for limit in (1..60).chain([1_000, 99_999]) {
            let states = [4, u32::MAX].map(|hot| {
                let (mut cpu, mut bus) = machine(code);
                (cpu.pc, cpu.r[1], cpu.r[5]) = (BASE, BASE + 0x800, 6);
                let run = cpu.run_accelerated(&mut bus, None, limit, &mut recompiler(hot));
                (run, cpu.pc, cpu.r, cpu.t)
            });
            assert_eq!(states[0], states[1], "{code:04x?}, {limit} instructions");
        }
    }
    for code in [loops[0], loops[7]] {
        let (mut cpu, mut bus) = machine(code);
        (cpu.pc, cpu.r[1]) = (BASE, BASE + 0x800);
        let run = cpu.run_accelerated(&mut bus, None, 1 << 50, &mut recompiler(4));
        assert_eq!((run.stop, run.executed), (Stop::Limit, 1 << 50));
    }
}

/// A spinlock: TAS.B sets a byte until another store clears it.
#[test]
fn tas_is_compiled() {
    // tas.b @r1; movt r2; add r2,r3; tas.b @r1; movt r2; add r2,r4; mov.b r5,@r1; dt r0; bf to the beginning;
    // sleep
    let code = [
        0x411B, 0x0229, 0x332C, 0x411B, 0x0229, 0x342C, 0x2150, 0x4010, 0x8BF6, 0x001B,
    ];
    let states = [10, u32::MAX].map(|hot| {
        let (mut cpu, mut bus) = machine(&code);
        (cpu.r[0], cpu.r[1]) = (10_000, BASE + 0x803);
        let statistics = run(&mut cpu, &mut bus, &mut recompiler(hot));
        (cpu, statistics)
    });
    assert_eq!(states[0].0, states[1].0);
    assert_eq!((states[0].0.r[3], states[0].0.r[4]), (10_000, 0));
    assert!(states[0].1.calls < 100, "{:?}", states[0].1);
}

/// Accelerator that declines all offers and requests every fourth block.
#[derive(Default)]
struct Reluctant(Vec<(u64, u32)>);

impl Accelerator<FlatBus> for Reluctant {
    fn enter(&mut self, _: &mut Cpu, _: &mut FlatBus, _: &Blocks<'_>, offer: Offer) -> Answer {
        self.0.push((offer.limit.left, offer.passed));
        Answer::Declined { skip_offers: 3 }
    }
}

#[test]
fn offers_are_as_rare_as_wanted() {
    let (mut cpu, mut bus) = machine(&LOOP);
    (cpu.pc, cpu.r[0]) = (BASE, 10);
    let mut reluctant = Reluctant::default();
    let run = cpu.run_accelerated(&mut bus, None, 100, &mut reluctant);
    // Ten iterations of two instructions, and SLEEP.
    assert_eq!((run.stop, run.executed), (Stop::Sleep, 21));
    assert_eq!(reluctant.0, [(100, 0), (92, 3), (84, 3)]);
}
