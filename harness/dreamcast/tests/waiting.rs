//! Loops that poll a register or a word of memory. Compiled code skips iterations, and must still end in the
//! same state as the interpreter.

// Other hosts have one engine.
#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

use dreamcast::{Config, Dreamcast, Ended, Until};
use sh4_recompiler::{Options, Recompiler};

/// `mov.l @r1,r3; tst r2,r3; bt` to the load, and its variants: BF, and both with a delay slot.
fn wait(set: bool, slot: bool) -> Vec<u16> {
    let branch = match (set, slot) {
        (true, false) => 0x8900,
        (false, false) => 0x8B00,
        (true, true) => 0x8D00,
        (false, true) => 0x8F00,
    };
    let mut code = vec![0x6312, 0x2328, branch | 0xFC];
    code.extend(slot.then_some(0x0009));
    code
}

/// Waits `rounds` times until a bit is set and then until it is clear, and adds up the values it read:
/// `begin: wait; wait; rotl r4; add r3,r4; dt r8; bf begin; sleep; nop`.
fn program(slot: bool) -> Vec<u8> {
    let mut code = wait(true, slot);
    code.extend(wait(false, slot));
    code.extend([0x4404, 0x343C, 0x4810]);
    let back = -(code.len() as i32) - 2;
    code.extend([0x8B00 | u16::from(back as u8), 0x001B, 0x0009]);
    code.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn console(address: u32, mask: u32, slot: bool, recompiled: bool) -> Dreamcast {
    let mut console = Dreamcast::new(Config::default());
    console.load_raw(&program(slot)).unwrap();
    console.cpu.set_sr(0x4000_00F0);
    (console.cpu.r[1], console.cpu.r[2], console.cpu.r[8]) = (address, mask, 500);
    if recompiled {
        console.accelerate(Box::new(Recompiler::new(Options { hot: 4 }).unwrap()));
    }
    console
}

/// End, registers, T, instructions and time.
fn run(console: &mut Dreamcast, instructions: u64) -> (Ended, [u32; 16], u32, u64, u64) {
    let ended = console.run(Until {
        instructions,
        ..Until::FOREVER
    });
    let cpu = &console.cpu;
    (ended, cpu.r, cpu.sr(), cpu.retired(), console.now().0)
}

#[test]
fn both_engines_wait_to_the_same_instruction() {
    // SPG_STATUS: a line's lowest bit, the blanks, the field; a bit each of ISTNRM, a timer, the clock,
    // timer A of the sound block and RAM.
    let places = [
        (0xA05F_810C, 1),
        (0xA05F_810C, 0x1FF),
        (0xA05F_810C, 1 << 12),
        (0xA05F_810C, 1 << 13),
        (0xA05F_810C, 1 << 10),
        (0xA05F_6900, 1 << 3),
        (0xFFD8_000C, 1 << 4),
        (0xA071_0004, 1),
        (0xA070_2890, 1 << 3),
        (0x8C02_0000, 1),
    ];
    let mut rounds = 0;
    for (address, mask) in places {
        for slot in [false, true] {
            for instructions in [1_000, 1_001, 77_777, 1_234_567, 4_000_000] {
                let mut pair = [false, true].map(|recompiled| console(address, mask, slot, recompiled));
                let [interpreted, compiled] = pair.each_mut().map(|console| run(console, instructions));
                assert_eq!(
                    interpreted, compiled,
                    "{address:08x} & {mask:x}, slot {slot}, {instructions}"
                );
                rounds += 500 - u64::from(interpreted.1[8]);
            }
        }
    }
    println!("{} programs, {rounds} rounds of two waits", places.len() * 10);
    assert!(rounds > 2_000, "{rounds}");
}

/// Ten minutes of the console's time: run one by one, these iterations would take as long on the host.
#[test]
fn rounds_of_a_wait_are_not_run() {
    let mut console = console(0xA05F_6900, 0, false, true);
    let minutes = 600 * 200_000_000;
    assert_eq!(run(&mut console, minutes).3, minutes);
}

/// A program of the sound block's ARM7: it counts at 100h, and raises and clears request 5 for the SH4 every
/// 512 counts.
const COUNTS: [u32; 11] = [
    0xE3A0_1502, // mov r1,#00800000h
    0xE3A0_2C01, // mov r2,#100h
    0xE3A0_3020, // mov r3,#20h
    0xE281_5C28, // add r5,r1,#2800h
    0xE585_30B4, // str r3,[r5,#B4h]: MCIEB
    0xE284_4001, // loop: add r4,r4,#1
    0xE582_4000, // str r4,[r2]
    0xE314_0C02, // tst r4,#200h
    0x1585_30B8, // strne r3,[r5,#B8h]: MCIPD
    0x0585_30BC, // streq r3,[r5,#BCh]: MCIRE
    0xEAFF_FFF9, // b loop
];
/// Copies R11 words from R10 to R9, and lets the ARM7 run:
/// `loop: mov.l @r10+,r0; mov.l r0,@r9; add #4,r9; dt r11; bf loop; mov #0,r0; mov.l r0,@r12`.
const START: [u16; 7] = [0x60A6, 0x2902, 0x7904, 0x4B10, 0x8BFA, 0xE000, 0x2C02];

/// The ARM7's count and its interrupt line, which no mask enables, reach both engines at the same
/// instruction.
#[test]
fn both_engines_see_the_sound_block_at_the_same_instruction() {
    // A count, a word of sound memory that stays, ISTNRM's summary of external events, ISTEXT, and the sound
    // block's requests to the SH4.
    let places = [
        (0xA080_0100, 1 << 7),
        (0xA080_0200, 1),
        (0xA05F_6900, 1 << 30),
        (0xA05F_6904, 1 << 1),
        (0xA070_28B8, 1 << 5),
    ];
    let data: Vec<u8> = COUNTS.iter().flat_map(|word| word.to_le_bytes()).collect();
    let start = START.iter().flat_map(|word| word.to_le_bytes());
    let code: Vec<u8> = start.chain(program(false)).collect();
    let mut rounds = Vec::new();
    for (address, mask) in places {
        for instructions in [77_777, 1_234_567, 4_000_000] {
            let [interpreted, compiled] = [false, true].map(|recompiled| {
                let mut console = console(address, mask, false, recompiled);
                console.load_raw_at(0x8C03_0000, &data).unwrap();
                console.load_raw(&code).unwrap();
                let registers = &mut console.cpu.r[9..13];
                registers.copy_from_slice(&[0xA080_0000, 0x8C03_0000, COUNTS.len() as u32, 0xA070_2C00]);
                run(&mut console, instructions)
            });
            assert_eq!(interpreted, compiled, "{address:08x} & {mask:x}, {instructions}");
            rounds.push(500 - interpreted.1[8]);
        }
    }
    println!("{rounds:?}");
    assert!(rounds[2] > 100, "{rounds:?}");
    assert!([8, 11, 14].iter().all(|&n| rounds[n] > 20), "{rounds:?}");
}

/// Random numbers (PCG's multiplier).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 33) % end
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

/// A random loop of up to three parts that may end between them, repeated R8 times:
/// `begin: mov #,r5; mov #,r6; loop: (operations; bt or bf out) ...; branch to loop; out: add r3,r4; rotl r4;
/// dt r8; bf begin; sleep; nop`.
fn random_program(random: &mut Random) -> Vec<u8> {
    // mov.l @r1,r3; mov.w @r1,r0; tst r2,r3; tst #1,r0; mov r3,r7; and r2,r7; extu.w r3,r7; cmp/eq r7,r3;
    // dt r5; dt r6; movt r7; add #1,r7; nop; xor r7,r7; dt r7
    let operations = [
        0x6312, 0x6312, 0x6011, 0x2328, 0x2328, 0xC801, 0x6733, 0x2729, 0x673D, 0x3370, 0x4510, 0x4510,
        0x4610, 0x0729, 0x7701, 0x0009, 0x277A, 0x4710,
    ];
    let mut code = vec![
        0xE500 | random.below(256) as u16,
        0xE600 | random.below(256) as u16,
    ];
    let mut outs = Vec::new();
    let parts = 1 + random.below(3);
    for part in 0..parts {
        for _ in 0..1 + random.below(3) {
            code.push(random.one_of(&operations));
        }
        if part + 1 < parts {
            outs.push(code.len());
            code.push(random.one_of(&[0x8900, 0x8B00]));
        }
    }
    let back = |code: &[u16], to: usize| u16::from((to as i32 - code.len() as i32 - 2) as u8);
    let branch = random.one_of(&[0x8900_u16, 0x8B00, 0x8D00, 0x8F00]);
    code.push(branch | back(&code, 2));
    if branch & 0x0400 != 0 {
        code.push(random.one_of(&[0x0009, 0x6733, 0x4510]));
    }
    for at in outs {
        code[at] |= (code.len() - at - 2) as u16;
    }
    code.extend([0x343C, 0x4404, 0x4810]);
    code.push(0x8B00 | back(&code, 0));
    code.extend([0x001B, 0x0009]);
    code.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn both_engines_run_random_loops_to_the_same_instruction() {
    let places = [
        0xA05F_810C,
        0xA05F_6900,
        0xFFD8_000C,
        0xA05F_688C,
        0x8C02_0000,
        0xA071_0004,
        0xA070_2890,
    ];
    let mut random = Random(46);
    let mut waits = 0;
    for _ in 0..150 {
        let (program, address) = (random_program(&mut random), random.one_of(&places));
        let mask = 1 << random.below(12);
        let limit = random.one_of(&[999, 40_000, 1_000_000]) + random.below(100);
        let [interpreted, compiled] = [false, true].map(|recompiled| {
            let mut console = console(address, mask, false, recompiled);
            console.load_raw(&program).unwrap();
            let state = run(&mut console, limit);
            (state, console.cpu.pc)
        });
        assert_eq!(
            interpreted, compiled,
            "{address:08x} {mask:x} {limit}: {program:02x?}"
        );
        waits += u64::from(compiled.0.3 >= limit);
    }
    // Some end at once.
    assert!((40..150).contains(&waits), "{waits}");
}

/// Waits of KallistiOS for the sound block's buffer: `loop: mov.l @r1,r0; tst #17,r0; bf out; dt r5; bf loop;
/// out: sleep; nop`. Run one by one, 2^32 rounds would take a minute on the host.
#[test]
fn rounds_of_a_counted_wait_are_not_run() {
    let code = [0x6012_u16, 0xC811, 0x8B01, 0x4510, 0x8BFA, 0x001B, 0x0009];
    let program: Vec<u8> = code.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut console = console(0x8C02_0000, 0, false, true);
    console.load_raw(&program).unwrap();
    let (_, registers, _, instructions, _) = run(&mut console, 1 << 40);
    assert_eq!((registers[5], instructions), (0, 5 * (1 << 32) + 1));
}
