//! Runs programs on the ARM7 together with the chip: interrupts, start of a driver, speeds.
//!
//! `arm-none-eabi-as` assembles the programs. Without it, the tests print that they ran 0 programs, and fail
//! under `CI=true`.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use aica::register as at;
use aica::{Aica, ArmRate, Settings};

/// Runs a tool. Returns `None` if the tool is missing.
fn tool(name: &str, args: &[&str]) -> Option<()> {
    let output = Command::new(name).args(args).output().ok()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {errors}");
    Some(())
}

/// Assembles an ARMv3 program at address 0. Returns `None` without an assembler.
fn assemble(source: &str) -> Option<Vec<u8>> {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let base = std::env::temp_dir().join(format!("swirl-aica-{}-{number}", std::process::id()));
    let files = ["s", "o", "bin"].map(|end| base.with_extension(end));
    let [text, object, binary] = files.each_ref().map(|file| file.to_str().unwrap());
    fs::write(text, source).unwrap();
    let done = tool("arm-none-eabi-as", &["-march=armv3", text, "-o", object])
        .and_then(|()| tool("arm-none-eabi-objcopy", &["-O", "binary", object, binary]));
    let bytes = done.map(|()| fs::read(binary).unwrap());
    files.iter().for_each(|file| drop(fs::remove_file(file)));
    if bytes.is_none() {
        println!("0 programs: there is no arm-none-eabi-as");
        assert!(
            std::env::var("CI").as_deref() != Ok("true"),
            "CI needs arm-none-eabi-as"
        );
    }
    bytes
}

/// Creates a block with a program in sound RAM, and releases the ARM7.
fn started(settings: Settings, source: &str) -> Option<Aica> {
    let bytes = assemble(source)?;
    let mut aica = Aica::new(settings);
    aica.ram_mut()[..bytes.len()].copy_from_slice(&bytes);
    aica.write(at::ARM_RESET, 4, 0);
    Some(aica)
}

fn word(aica: &Aica, address: usize) -> u32 {
    u32::from_le_bytes(*aica.ram()[address..].first_chunk().unwrap())
}

/// Start of every driver: vectors, and the address of the registers in R0.
const VECTORS: &str = "
    b start
    b .
    b .
    b .
    b .
    b .
    b .
    b fiq
start:
    mov r0, #0x00800000
";

/// Handler: adds 1 to the word at 21000 when timer A overflows, and restarts the timer.
const TICK: &str = "
fiq:
    mov r8, #0x00800000
    add r8, r8, #0x2800
    ldr r9, [r8, #0x500]    @ 2D00: the code
    cmp r9, #2
    bne acknowledge
    mov r10, #0x21000
    ldr r11, [r10]
    add r11, r11, #1
    str r11, [r10]
    mov r11, #0xF6
    str r11, [r8, #0x90]    @ timer A: 10 samples
    mov r11, #0x40
    str r11, [r8, #0xA4]    @ clears its bit
acknowledge:
    mov r11, #1
    strb r11, [r8, #0x504]  @ 2D04, four times
    strb r11, [r8, #0x504]
    strb r11, [r8, #0x504]
    strb r11, [r8, #0x504]
    subs pc, r14, #4
";

/// The start of a driver, in the order of KallistiOS's (`docs/hardware/aica.md`, "KallistiOS's driver"). A
/// loop that copies the clock to 20000 follows.
fn driver() -> String {
    let start = "
    add r1, r0, #0x2800
    mov r2, #0
    str r2, [r1, #0x9C]     @ no interrupt enabled
    str r2, [r1, #0xB4]
    mov r3, #0x700
    orr r3, r3, #0xFF
    str r3, [r1, #0xA4]     @ none pending
    str r3, [r1, #0xBC]
    mov r3, #0x18
    str r3, [r1, #0xA8]     @ levels
    mov r3, #0x50
    str r3, [r1, #0xAC]
    mov r3, #0x08
    str r3, [r1, #0xB0]
    str r2, [r1, #0x00]     @ silence
    mov r4, r0
    mov r5, #64
channel:
    mov r3, #0x8000
    str r3, [r4], #4
    mov r6, #31
word:
    str r2, [r4], #4
    subs r6, r6, #1
    bne word
    mov r3, #0x1F
    str r3, [r4, #-0x6C]    @ +14: release
    subs r5, r5, #1
    bne channel
    mov r3, #0x0F
    str r3, [r1, #0x00]
    mov r3, #0xF6
    str r3, [r1, #0x90]
    mov r3, #0x40
    str r3, [r1, #0x9C]     @ timer A
    mrs r3, cpsr
    bic r3, r3, #0x40
    msr cpsr_c, r3          @ FIQ, by the control field alone
    mov r8, #0x5A           @ the handler's r8 to r11 are its own
    mov r3, #0x21000
    mov r5, #0x20000
copy:
    ldr r4, [r3]
    str r4, [r5]
    str r8, [r5, #4]
    b copy
";
    format!("{VECTORS}{start}{TICK}")
}

#[test]
fn a_driver_in_the_order_of_kallistios_keeps_its_clock() {
    let Some(mut aica) = started(Settings::default(), &driver()) else {
        return;
    };
    // The start executes about 64 x 32 stores of 2 cycles, or 6 with the loop: within 40 samples of 512
    // cycles.
    aica.advance(40);
    assert_eq!(aica.read(at::MASTER, 4), 0x1F, "master volume, version");
    let channels = [0, 63].map(|n| aica.read(n * at::CHANNEL + at::channel::RELEASE, 4));
    assert_eq!(channels, [0x1F, 0x1F]);
    assert_eq!(aica.read(at::ARM_ENABLE, 4), 0x40);
    let begin = word(&aica, 0x21000);
    aica.advance(44_100);
    // The handler writes the timer within the sample of its overflow, so a tick takes 10 samples.
    assert_eq!(word(&aica, 0x21000) - begin, 4410);
    assert_eq!((word(&aica, 0x20000), word(&aica, 0x20004)), (begin + 4410, 0x5A));
    println!("1 program, {} cycles", aica.arm_cycles().0);
}

#[test]
fn the_arm_stops_while_it_is_held() {
    let Some(mut aica) = started(Settings::default(), &driver()) else {
        return;
    };
    aica.advance(100);
    aica.write(at::ARM_RESET, 4, 1);
    let (ticks, cycles) = (word(&aica, 0x21000), aica.arm_cycles());
    aica.advance(100);
    assert_eq!((word(&aica, 0x21000), aica.arm_cycles()), (ticks, cycles));
    aica.write(at::ARM_RESET, 4, 0);
    assert_eq!(
        (aica.arm().register(15), aica.arm().cpsr().bits()),
        (0, 0xD3),
        "from the reset vector"
    );
    aica.advance(200);
    assert!(word(&aica, 0x21000) > ticks);
}

#[test]
fn processors_interrupt_each_other() {
    // Enables source 5, counts interrupts at 21000, and interrupts the SH4 in return.
    let source = format!(
        "{VECTORS}
    add r1, r0, #0x2800
    mov r2, #0x20
    str r2, [r1, #0x9C]
    str r2, [r1, #0xA8]     @ code 1 for source 5
    msr cpsr_c, #0x93
    b .
fiq:
    mov r8, #0x00800000
    add r8, r8, #0x2800
    ldr r9, [r8, #0x500]
    mov r10, #0x21000
    ldr r11, [r10]
    add r11, r11, r9
    str r11, [r10]
    mov r11, #0x20
    str r11, [r8, #0xA4]
    str r11, [r8, #0xB8]    @ to the SH4
    mov r11, #1
    str r11, [r8, #0x504]
    subs pc, r14, #4
"
    );
    let Some(mut aica) = started(Settings::default(), &source) else {
        return;
    };
    aica.write(at::SH4_ENABLE, 4, 0x20);
    aica.advance(2);
    assert_eq!((word(&aica, 0x21000), aica.sh4_interrupt()), (0, false));
    for asked in 1..4 {
        aica.write(at::ARM_PENDING, 4, 0x20);
        aica.advance(1);
        assert_eq!((word(&aica, 0x21000), aica.sh4_interrupt()), (asked, true));
        assert_eq!(aica.read(at::ARM_PENDING, 4) & 0x20, 0);
        aica.write(at::SH4_CLEAR, 4, 0x20);
        assert!(!aica.sh4_interrupt());
    }
}

#[test]
fn the_arm_sees_ram_and_registers() {
    // Accesses the mirror of sound RAM at 200000, the registers of channel 1, an ARM7 register and an SH4
    // register.
    let source = format!(
        "{VECTORS}
    mov r1, #0x200000
    mov r2, #0x20000
    mov r3, #0x77
    str r3, [r1, r2]        @ 20000
    mov r3, #0x99
    strb r3, [r0, #0x85]    @ channel 1, +4, high byte
    ldr r4, [r0, #0x84]
    str r4, [r2, #4]
    add r5, r0, #0x2C00
    ldr r4, [r5]
    str r4, [r2, #8]        @ 2C00: the SH4's
    mov r3, #1
    str r3, [r5]
    b .
fiq:
"
    );
    let Some(mut aica) = started(Settings::default(), &source) else {
        return;
    };
    aica.advance(1);
    assert_eq!(
        [0x20000, 0x20004, 0x20008].map(|address| word(&aica, address)),
        [0x77, 0x9900, 0]
    );
    assert_eq!(aica.read(0x84, 4), 0x9900);
    assert!(!aica.arm_reset(), "the ARM7 cannot hold itself");
}

#[test]
fn positions_can_be_polled_by_the_arm() {
    let source = format!(
        "{VECTORS}
    add r1, r0, #0x2800
    mov r2, #0x20000
poll:
    mov r3, #0x500
    str r3, [r1, #0x0C]     @ channel 5
    ldr r3, [r1, #0x14]
    str r3, [r2]
    b poll
fiq:
"
    );
    let Some(mut aica) = started(Settings::default(), &source) else {
        return;
    };
    for (offset, value) in [
        (at::channel::LOOP_END, 1000),
        (at::channel::ENVELOPE, 31),
        (0, 0xC200),
    ] {
        aica.write(5 * at::CHANNEL + offset, 4, value);
    }
    aica.advance(300);
    // The ARM7 runs before the channels advance, so it saw the previous sample.
    assert_eq!(word(&aica, 0x20000), 299);
}

/// Counts additions in a second of `add r1, r1, #1; b`, which takes 4 cycles or 2 instructions per round.
fn rounds(arm_rate: ArmRate) -> Option<u32> {
    let settings = Settings {
        arm_rate,
        ..Settings::default()
    };
    let mut aica = started(settings, "loop: add r1, r1, #1\n b loop\n")?;
    aica.advance(44_100);
    Some(aica.arm().register(1))
}

#[test]
fn the_rate_is_a_setting() {
    let Some(cycles) = rounds(ArmRate::Cycles) else {
        return;
    };
    assert_eq!(cycles, 22_579_200 / 4);
    assert_eq!(rounds(ArmRate::SlowCycles), Some(2_822_400 / 4));
    assert_eq!(rounds(ArmRate::Instructions), Some(68 * 44_100 / 2));
}
