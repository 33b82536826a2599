//! Tests of compiled code with interrupts, devices, changing code, moving windows, panics and random
//! addresses. Both engines must give the same results. Guard pages around the window catch accesses to other
//! memory.
#![cfg(all(target_arch = "x86_64", unix))]
// A failed unwrap or panic in a helper is how a test fails. Pages are guarded by a call of the system.
#![allow(clippy::unwrap_used, clippy::panic, dead_code, unsafe_code)]

#[path = "common/board.rs"]
mod board;

use crate::random::Random;
use board::{ACKNOWLEDGE, BASE, Board, DEVICE, MARKED, MARKED_SIZE, PANIC, SIZE, TICK, WINDOW};
use sh4::{Cpu, Exceptions, Run, Settings, Stop};
use sh4_recompiler::{Options, Recompiler};
use std::panic::{AssertUnwindSafe, catch_unwind};

const CODE: u32 = 0x1000;
/// VBR. The interrupt handler is at VBR + 600.
const VECTORS: u32 = 0x2000;

/// Both engines on the same program.
struct Pair {
    interpreted: (Cpu, Board),
    compiled: (Cpu, Board),
    recompiler: Recompiler<Board>,
}

impl Pair {
    fn new(hot: u32, prepare: impl Fn(&mut Cpu, &mut Board)) -> Pair {
        let machine = || {
            let (mut cpu, mut board) = (
                Cpu::new(Settings {
                    exceptions: Exceptions::Take,
                    ..Settings::default()
                }),
                Board::new(),
            );
            cpu.pc = BASE + CODE;
            cpu.vbr = BASE + VECTORS;
            cpu.r[15] = BASE + SIZE - 0x100;
            // Privileged, no interrupts masked or blocked.
            cpu.set_sr(0x4000_0000);
            prepare(&mut cpu, &mut board);
            (cpu, board)
        };
        Pair {
            interpreted: machine(),
            compiled: machine(),
            recompiler: Recompiler::new(Options { hot }).unwrap(),
        }
    }

    fn run(&mut self, until: Option<u32>, count: u64) -> Run {
        let (cpu, board) = &mut self.interpreted;
        let run = cpu.run(board, until, count, &mut ());
        let (other, memory) = &mut self.compiled;
        let same = other.run_accelerated(memory, until, count, &mut self.recompiler);
        assert_eq!(run, same);
        assert!(cpu == other, "{:x?} and {:x?}", cpu.r, other.r);
        assert!(board.bytes() == memory.bytes());
        assert!(board.cache() == memory.cache());
        assert!(board.marked() == memory.marked());
        assert_eq!(board.log, memory.log);
        run
    }
}

/// The loop counts in a register and in memory; the interrupt handler counts at another address.
#[test]
fn an_interrupt_comes_into_a_hot_loop() {
    let mut pair = Pair::new(4, |cpu, board| {
        // mov.l r2,@r1 (the tick); add #1,r2; mov.l @r4,r3; add r2,r3; mov.l r3,@r4; bra to the beginning;
        // nop
        board.load(CODE, &[0x2122, 0x7201, 0x6342, 0x332C, 0x2432, 0xAFF9, 0x0009]);
        // mov.l r2,@r5 (acknowledged); mov.l @r6,r7; add #1,r7; mov.l r7,@r6; rte; nop
        board.load(VECTORS + 0x600, &[0x2522, 0x6762, 0x7701, 0x2672, 0x002B, 0x0009]);
        (cpu.r[1], cpu.r[5]) = (0xA000_0000 + DEVICE + TICK, 0xA000_0000 + DEVICE + ACKNOWLEDGE);
        (cpu.r[4], cpu.r[6]) = (BASE + 0x4000, BASE + 0x4040);
        // The handler runs in the other bank.
        (cpu.r_bank[5], cpu.r_bank[6]) = (cpu.r[5], cpu.r[6]);
    });
    for slice in 0..200 {
        assert_eq!(pair.run(None, 1 + slice * 13 % 401).stop, Stop::Limit);
    }
    let counted = &pair.compiled.1.bytes()[0x4040..0x4044];
    assert!(u32::from_le_bytes(counted.try_into().unwrap()) > 100);
    assert!(pair.recompiler.statistics().regions >= 2);
}

/// The stack is in the on-chip RAM.
#[test]
fn on_chip_ram_is_accessed_directly() {
    let mut pair = Pair::new(4, |cpu, board| {
        // mov.l r2,@-r15; fmov.s fr0,@-r15; mov.w @(2,r15),r0; mov.b r0,@(1,r15); fmov.s @r15+,fr0; mov.l
        // @r15+,r3; add r3,r2; dt r4; bf to the beginning; sleep
        board.load(
            CODE,
            &[
                0x2F26, 0xFF0B, 0x85F1, 0x80F1, 0xF0F9, 0x63F6, 0x323C, 0x4410, 0x8BF6, 0x001B,
            ],
        );
        (cpu.r[2], cpu.r[4], cpu.r[15]) = (1, 2_000, 0x7C00_3000);
        cpu.fr[0] = 0x3F81_2345;
    });
    assert_eq!(pair.run(None, 1 << 20).stop, Stop::Sleep);
    let statistics = pair.recompiler.statistics();
    assert!(statistics.executed > 14_000, "{statistics:?}");
    assert!(statistics.calls < 100, "{statistics:?}");
}

/// A loop copies bytes, words, singles and pairs within the second memory, and writes to a device, which
/// changes the mark.
#[test]
fn marked_memory_is_accessed_directly() {
    let mut pair = Pair::new(4, |cpu, board| {
        // mov.b @r1+,r0; mov.b r0,@r2; add #1,r2; mov.w @r3+,r0; mov.w r0,@-r5; mov.l @r6+,r0; mov.l r0,@r7;
        // add #4,r7; fmov.s @r8+,fr0; fmov.s fr0,@r9; add #4,r9; dt r4; bf to the beginning; mov.l r4,@r10;
        // sleep
        board.load(
            CODE,
            &[
                0x6014, 0x2200, 0x7201, 0x6035, 0x2505, 0x6066, 0x2702, 0x7704, 0xF089, 0xF90A, 0x7904,
                0x4410, 0x8BF2, 0x2A42, 0x001B,
            ],
        );
        let marked = 0xA000_0000 + MARKED;
        cpu.r[1..10].copy_from_slice(&[
            marked,
            marked + 0x100,
            marked + 0x80,
            900,
            marked + 0x2000,
            0x8000_0000 + MARKED + 0x800,
            0x0600_1800,
            marked + 0x2200,
            marked + 0x3000,
        ]);
        cpu.r[10] = 0xA000_0000 + DEVICE;
        for at in 0..MARKED_SIZE {
            sh4::Bus::write8(board, marked + at, ((at * at) >> 5) as u8).unwrap();
        }
    });
    assert_eq!(pair.run(None, 1 << 20).stop, Stop::Sleep);
    let statistics = pair.recompiler.statistics();
    assert!(statistics.executed > 10_000, "{statistics:?}");
    assert!(statistics.calls < 100, "{statistics:?}");
    // Again, with another mark.
    for (cpu, board) in [&mut pair.compiled, &mut pair.interpreted] {
        sh4::Bus::write32(board, 0xA000_0000 + DEVICE, 1).unwrap();
        cpu.pc = BASE + CODE;
        cpu.r[4] = 50;
    }
    assert_eq!(pair.run(None, 1 << 20).stop, Stop::Sleep);
    assert!(pair.compiled.1.marked().1.contains(&3), "the new mark");
}

/// A loop increments an immediate operand in its own code.
#[test]
fn a_region_changes_its_own_code() {
    let mut pair = Pair::new(3, |cpu, board| {
        // add #1,r2; mov.w @r1,r0; add #1,r0; and #15,r0; or r3,r0; mov.w r0,@r1; dt r4; bf to the beginning;
        // sleep
        board.load(
            CODE,
            &[
                0x7201, 0x6011, 0x7001, 0xC90F, 0x203B, 0x2101, 0x4410, 0x8BF7, 0x001B,
            ],
        );
        (cpu.r[1], cpu.r[3], cpu.r[4]) = (BASE + CODE, 0x7200, 1000);
    });
    assert_eq!(pair.run(None, 1 << 20).stop, Stop::Sleep);
    // The operand is 1, 2, ... 15, 0, 1, ...: 62 times a sum of 120, then 1 to 8.
    assert_eq!(pair.compiled.0.r[2], 62 * 120 + 36);
    let statistics = pair.recompiler.statistics();
    assert!(
        statistics.regions > 0 && statistics.refused == 0,
        "{statistics:?}"
    );
}

/// The window moves, shrinks, disappears and returns while a compiled loop writes to it.
#[test]
fn the_window_changes_under_a_region() {
    let mut pair = Pair::new(3, |cpu, board| {
        // mov.l r2,@r1 (another window); mov.l @r4,r3; add r2,r3; mov.l r3,@r4; mov.l r3,@(4,r4); mov.l
        // r3,@(8,r4); add #1,r2; add #12,r4; dt r5; bf to the beginning; sleep
        board.load(
            CODE,
            &[
                0x2122, 0x6342, 0x332C, 0x2432, 0x1431, 0x1432, 0x7201, 0x740C, 0x4510, 0x8BF5, 0x001B,
            ],
        );
        cpu.r[1] = 0xA000_0000 + DEVICE + WINDOW;
        // The addresses cross the end of the half-size window.
        (cpu.r[4], cpu.r[5]) = (BASE + SIZE / 2 - 0x800, 600);
    });
    assert_eq!(pair.run(None, 1 << 20).stop, Stop::Sleep);
    assert_eq!(pair.compiled.1.log.len(), 600);
    assert!(pair.recompiler.statistics().regions > 0);
}

/// Breakpoints and steps inside compiled code stop at the interpreter's addresses. An observer receives all
/// instructions.
#[test]
fn breakpoints_and_hooks_leave_a_region() {
    struct Count(u64);
    impl sh4::Observer for Count {
        fn retire(&mut self, _: &sh4::Retired<'_>) {
            self.0 += 1;
        }
    }
    let mut pair = Pair::new(2, |cpu, board| {
        // add #1,r0; xor r0,r2; rotl r2; dt r1; bf to the beginning; bra to the beginning; mov r0,r1
        board.load(CODE, &[0x7001, 0x220A, 0x4204, 0x4110, 0x8BFA, 0xAFF9, 0x6103]);
        cpu.r[1] = 100;
    });
    pair.run(None, 5_000);
    for round in 0..50 {
        // A run cannot stop in a delay slot.
        let until = BASE + CODE + 2 * (round % 6);
        assert_eq!(pair.run(Some(until), 1 << 20).stop, Stop::Until);
        assert_eq!(pair.compiled.0.pc, until);
        pair.run(None, 1);
        let (cpu, board) = &mut pair.compiled;
        let mut heard = Count(0);
        let run = cpu.run(board, None, 100, &mut heard);
        assert_eq!(heard.0, run.executed);
        let (cpu, board) = &mut pair.interpreted;
        cpu.run(board, None, 100, &mut ());
    }
    assert!(pair.recompiler.statistics().regions > 0);
}

/// After a panic in a device, the recompiler continues, and the host's MXCSR is unchanged.
#[test]
fn a_panic_leaves_everything_usable() {
    let mut pair = Pair::new(2, |cpu, board| {
        // fmul fr1,fr0 (with DAZ set); mov.l r2,@r1; dt r4; bf to the beginning; sleep
        board.load(CODE, &[0xF012, 0x2122, 0x4410, 0x8BFB, 0x001B]);
        (cpu.r[1], cpu.r[4]) = (BASE + 0x4000, 100);
        cpu.set_fpscr(0x0004_0004);
        (cpu.fr[0], cpu.fr[1]) = (1.0f32.to_bits(), 1.5f32.to_bits());
    });
    pair.run(None, 350);
    for (cpu, _) in [&mut pair.interpreted, &mut pair.compiled] {
        cpu.r[1] = 0xA000_0000 + DEVICE + PANIC;
        cpu.r[4] = 100;
    }
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for _ in 0..10 {
        let (cpu, board) = &mut pair.compiled;
        let recompiler = &mut pair.recompiler;
        cpu.pc = BASE + CODE;
        let run = catch_unwind(AssertUnwindSafe(|| {
            cpu.run_accelerated(board, None, 1_000, recompiler)
        }));
        assert!(run.is_err());
        let denormal = std::hint::black_box(f32::from_bits(0x0040_0000));
        assert_eq!((denormal * 2.0).to_bits(), 0x0080_0000);
    }
    std::panic::set_hook(hook);
    for (cpu, _) in [&mut pair.interpreted, &mut pair.compiled] {
        *cpu = Cpu::new(Settings::default());
        (cpu.pc, cpu.r[1], cpu.r[4]) = (BASE + CODE, BASE + 0x4000, 100);
        cpu.set_fpscr(0x0004_0004);
        (cpu.fr[0], cpu.fr[1]) = (1.0f32.to_bits(), 0.5f32.to_bits());
    }
    assert_eq!(pair.run(None, 1 << 20).stop, Stop::Sleep);
}

/// Under DN = 1 a denormal sum becomes zero. DAZ only affects operands, not results.
#[test]
fn a_denormal_sum_is_flushed() {
    let mut pair = Pair::new(2, |cpu, board| {
        // fmov fr1,fr0; fadd fr2,fr0; dt r4; bf to the beginning; sleep
        board.load(CODE, &[0xF01C, 0xF020, 0x4410, 0x8BFB, 0x001B]);
        cpu.set_fpscr(0x0004_0004);
        (cpu.r[4], cpu.fr[1], cpu.fr[2]) = (100, 1.0f32.to_bits(), 0.5f32.to_bits());
    });
    assert_eq!(pair.run(None, 1 << 20).stop, Stop::Sleep);
    assert_eq!(pair.compiled.0.fr[0], 1.5f32.to_bits());
    for (cpu, _) in [&mut pair.interpreted, &mut pair.compiled] {
        // 2^-126 + 2^-149 - 2^-126
        (cpu.pc, cpu.r[4]) = (BASE + CODE, 3);
        (cpu.fr[1], cpu.fr[2]) = (0x0080_0001, 0x8080_0000);
    }
    assert_eq!(pair.run(None, 1 << 20).stop, Stop::Sleep);
    assert_eq!(pair.compiled.0.fr[0], 0);
}

/// Random address, often near the window's ends or near an address at which it would repeat.
fn wild(random: &mut Random) -> u32 {
    let near = random.below(0x300).wrapping_sub(0x180);
    let near = if random.chance(80) { near & !7 } else { near };
    match random.below(9) {
        0 => random.word() & !3,
        1 => BASE.wrapping_add(near),
        2 => (BASE + SIZE).wrapping_add(near),
        3 => (BASE + SIZE / 2).wrapping_add(near),
        4 => near,
        5 => {
            0xA000_0000
                + DEVICE
                + if random.chance(5) {
                    WINDOW
                } else {
                    4 * random.below(2)
                }
        }
        6 => (0x7C00_0000 | random.below(2) << 25 | random.below(4) << 12).wrapping_add(near),
        _ => BASE + (random.below(SIZE) & !7),
    }
}

/// Loop of loads, stores and address increments of all sizes through a few registers.
fn accesses(random: &mut Random) -> Vec<u16> {
    const SHAPES: [u16; 22] = [
        0x2000, 0x2001, 0x2002, 0x2004, 0x2005, 0x2006, 0x6000, 0x6001, 0x6002, 0x6004, 0x6005, 0x6006,
        0x0004, 0x0006, 0x000C, 0x000E, 0xF008, 0xF009, 0xF00A, 0xF00B, 0x1000, 0x5000,
    ];
    let count = 3 + random.below(12);
    let mut code: Vec<u16> = (0..count)
        .map(|_| {
            let (n, m) = (8 + random.below(3) as u16, 8 + random.below(3) as u16);
            match random.below(8) {
                0 => 0x7000 | n << 8 | random.word() as u16 & 0xFF,
                1 => [0x0083, 0x00C3][random.below(2) as usize] | n << 8,
                _ => {
                    let shape = SHAPES[random.below(22) as usize];
                    let near = if shape & 0xB000 == 0x1000 {
                        random.word() as u16 & 15
                    } else {
                        0
                    };
                    shape | n << 8 | m << 4 | near
                }
            }
        })
        .collect();
    // dt r4; bf to the beginning; sleep
    let back = -(count as i32) - 3;
    code.extend([0x4410, 0x8B00 | back as u16 & 0xFF, 0x001B]);
    code
}

/// Random accesses through all windows give the interpreter's results. An access to other memory would hit a
/// guard page and end the process.
#[test]
fn accesses_stay_in_the_window() {
    let cases = std::env::var("SWIRL_RECOMPILER_ESCAPES").map_or(20, |text| text.parse().unwrap());
    // The handler skips misaligned accesses: stc spc,r1; add #2,r1; ldc r1,spc; rte; nop.
    let handler = [0x0142, 0x7102, 0x414E, 0x002B, 0x0009];
    let (mut executed, mut regions) = (0, 0);
    for number in 0..cases {
        let mut random = Random::new(number);
        let code = accesses(&mut random);
        let mut pair = Pair::new(1 + random.below(3), |_, board| board.load(CODE, &code));
        let mut window = 0;
        for state in 0..30 {
            let values: [u32; 16] = std::array::from_fn(|_| wild(&mut random));
            let data = random.word();
            let fpscr = 0x0004_0000 | random.below(2) << 20;
            if state % 10 == 0 {
                window = random.below(4);
            }
            let rounds = 1 + random.below(20);
            for (cpu, board) in [&mut pair.interpreted, &mut pair.compiled] {
                board.load(CODE, &code);
                board.load(VECTORS + 0x100, &handler);
                sh4::Bus::write32(board, 0xA000_0000 + DEVICE + WINDOW, window).unwrap();
                let words = board.memory().chunks_exact_mut(4).skip(0x1000);
                words.for_each(|word| word.copy_from_slice(&data.to_le_bytes()));
                cpu.set_sr(0x4000_00F0);
                (cpu.pc, cpu.r) = (BASE + CODE, values);
                (cpu.r[0], cpu.r[4]) = (values[0] & 0x1FF, rounds);
                cpu.set_fpscr(fpscr);
            }
            executed += pair.run(None, 400).executed;
            for (_, board) in [&mut pair.interpreted, &mut pair.compiled] {
                board.log.clear();
            }
        }
        regions += pair.recompiler.statistics().regions;
    }
    println!("escapes: {cases} pieces of code, {executed} instructions, {regions} regions");
    assert!(regions > cases);
}
