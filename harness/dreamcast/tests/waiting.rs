//! Loops that poll a register or a word of memory. Compiled code does not run each iteration, and still ends
//! in the same state as the interpreter.

// Other hosts have one engine.
#![cfg(target_arch = "x86_64")]
#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

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
    // SPG_STATUS: a line's lowest bit, the blanks, the field; a bit each of ISTNRM, a timer, the clock and
    // RAM.
    let places = [
        (0xA05F_810C, 1),
        (0xA05F_810C, 0x1FF),
        (0xA05F_810C, 1 << 12),
        (0xA05F_810C, 1 << 13),
        (0xA05F_810C, 1 << 10),
        (0xA05F_6900, 1 << 3),
        (0xFFD8_000C, 1 << 4),
        (0xA071_0004, 1),
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
