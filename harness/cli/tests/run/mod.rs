//! `swirl run`: ends of programs, messages, and debugging.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

mod cases;
mod disc;
mod ends;
mod engine;
mod failure;
mod gdb;
mod sound;
mod state;
mod trace;
mod video;
mod window;

use crate::common::{swirl, text};
use std::path::Path;
use std::process::Output;

const CODE: u32 = 0x8C01_0000;

/// Returns an ELF executable of one segment at [`CODE`], which is also its entry.
fn elf(opcodes: &[u16]) -> Vec<u8> {
    let code: Vec<u8> = opcodes.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    let mut bytes = b"\x7fELF\x01\x01\x01".to_vec();
    bytes.resize(16, 0);
    let header = 52 + 32;
    // e_type, e_machine; e_version, e_entry, e_phoff, e_shoff, e_flags; sizes and counts.
    bytes.extend([2u16, 42].iter().flat_map(|half| half.to_le_bytes()));
    bytes.extend([1u32, CODE, 52, 0, 9].iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(
        [52u16, 32, 1, 40, 0, 0]
            .iter()
            .flat_map(|half| half.to_le_bytes()),
    );
    let size = code.len() as u32;
    // PT_LOAD, offset, virtual and physical address, sizes, flags R E, alignment.
    let program = [1, header, CODE, CODE, size, size, 5, 4];
    bytes.extend(program.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(code);
    bytes
}

/// Writes a program to a new file.
fn program(opcodes: &[u16]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), elf(opcodes)).unwrap();
    file
}

fn run(opcodes: &[u16], args: &[&str]) -> Output {
    let file = program(opcodes);
    let mut all = vec!["run", file.path().to_str().unwrap()];
    all.extend(args);
    swirl(&all)
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

#[test]
fn sleep_ends_a_program() {
    // mov #42,r0; sleep
    let output = run(&[0xE02A, 0x001B], &[]);
    assert_eq!(output.status.code(), Some(0));
    let out = text(&output.stdout);
    assert!(
        out.contains("r0 0000002a") && out.contains("2 instructions") && !out.contains("MIPS"),
        "{out}"
    );
    let json = json(&run(&[0xE02A, 0x001B], &["--json"]));
    assert_eq!(
        (&json["ended"], &json["r0"], &json["instructions"]),
        (&"sleep".into(), &42.into(), &2.into())
    );
    // Returning from the entry is a normal end: rts; nop.
    assert_eq!(run(&[0x000B, 0x0009], &[]).status.code(), Some(0));
}

#[test]
fn dcload_writes_and_exits() {
    // The function pointer at 8C004008 to r8; write(1, "ok\n", 3); exit(r5).
    let calls = |code: u16| {
        [
            0xD006,
            0x6802,
            0xE401,
            0xE501,
            0xD605,
            0x480B,
            0xE703,
            0xE40F,
            0x480B,
            0xE500 | code,
            0xAFFE,
            0x0009,
            0x0009,
            0x0009,
            0x4008,
            0x8C00,
            0x0024,
            0x8C01,
            0x6B6F,
            0x000A,
        ]
    };
    let output = run(&calls(0), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).starts_with("ok\nended, exit code 0\n"),
        "{}",
        text(&output.stdout)
    );
    let output = run(&calls(3), &["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let json = json(&output);
    assert_eq!(
        (&json["ended"], &json["exit_code"], &json["console"]),
        (&"exit".into(), &3.into(), &"ok\n".into())
    );
}

#[test]
fn the_serial_port_goes_to_standard_output() {
    // Stores 'h' and 'i' to SCFTDR2.
    let output = run(
        &[0xD002, 0xE168, 0x2010, 0xE169, 0x2010, 0x001B, 0x000C, 0xFFE8],
        &[],
    );
    assert!(text(&output.stdout).starts_with("hi"), "{}", text(&output.stdout));
    assert!(
        text(&output.stderr).starts_with("swirl: 0.0"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(text(&output.stderr).lines().count(), 1);
}

#[test]
fn addresses_that_nothing_answers_are_named_once() {
    // Reads area 2 twice.
    let output = run(&[0xD001, 0x6102, 0x6102, 0x001B, 0x0000, 0x0800], &[]);
    assert_eq!(output.status.code(), Some(0));
    let warnings = text(&output.stderr);
    let expected = "08000000: no device is assigned to this address (2 accesses)";
    assert_eq!(warnings.matches(expected).count(), 1, "{warnings}");
}

#[test]
fn neighbouring_addresses_that_nothing_answers_share_a_line() {
    // mov.l @(disp,pc),r1; mov.l @r1+,r2 twice; sleep; the address.
    let output = run(&[0xD101, 0x6216, 0x6216, 0x001B, 0x0000, 0x0800], &[]);
    assert_eq!(output.status.code(), Some(0));
    let warnings = text(&output.stderr);
    let expected = "08000000 to 08000004: no device is assigned to this address (2 accesses)";
    assert_eq!(warnings.matches(expected).count(), 1, "{warnings}");
}

#[test]
fn input_that_the_powervr2_drops_is_named() {
    let warnings = |name: &str| {
        let program = format!("{}/../../roms/checks/{name}.elf", env!("CARGO_MANIFEST_DIR"));
        text(&swirl(&["run", &program]).stderr)
    };
    let expected = "swirl: warning: PowerVR2: vertices before the first polygon parameter of a list";
    let broken = warnings("ta_vertex_without_header");
    assert_eq!(broken.matches(expected).count(), 1, "{broken}");
    let right = warnings("ta_vertex_without_header_right");
    assert!(!right.contains("PowerVR2"), "{right}");
}

#[test]
fn an_instruction_that_the_arm7_does_not_have_is_named() {
    // Stores an ARM opcode at the start of sound RAM, clears the ARM7's reset, and waits 65,000 cycles.
    let driver = |[low, high]: [u16; 2]| {
        let code = [
            0xD005, 0xD106, 0x2012, 0xD006, 0xE100, 0x2012, 0xE27F, 0x4218, 0x4210, 0x8BFD, 0x001B, 0x0009,
        ];
        let words = [0x0000, 0xA080, low, high, 0x2C00, 0xA070];
        run(&[&code[..], &words].concat(), &[])
    };
    let output = driver([0xFF1E, 0xE12F]);
    assert_eq!(output.status.code(), Some(0));
    let expected = "the ARM7 took the undefined instruction trap at 00000000 in sound RAM: BX is ARMv4T";
    assert!(
        text(&output.stderr).contains(expected),
        "{}",
        text(&output.stderr)
    );
    // A branch to itself.
    let output = driver([0xFFFE, 0xEAFF]);
    assert!(
        !text(&output.stderr).contains("warning"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_fault_without_a_handler_names_its_place() {
    // mov #1,r1; mov.l @r1,r0. The loader leaves SR.BL = 1, so an exception resets the CPU.
    let output = run(&[0xE101, 0x6012], &[]);
    assert_eq!(output.status.code(), Some(1));
    let out = text(&output.stdout);
    assert!(
        out.contains("8C010002: address error at 00000001 (0E0) with SR.BL = 1"),
        "{out}"
    );
    // With SR = 400000F0: mov.l to r0; ldc r0,sr.
    let unblocked = [0xD002, 0x400E, 0xE101, 0x6012, 0x0009, 0x0009, 0x00F0, 0x4000];
    let out = text(&run(&unblocked, &[]).stdout);
    assert!(
        out.contains("0e0 (address error, read or fetch) at 8c010006"),
        "{out}"
    );
    assert!(out.contains("address 00000001"), "{out}");
    // A jump to area 6, which has no memory: mov.l to r1; jmp @r1; nop.
    let out = text(&run(&[0xD101, 0x412B, 0x0009, 0x0009, 0x0000, 0x1800], &[]).stdout);
    assert!(
        out.contains("18000000") && out.contains("nothing is mapped there"),
        "{out}"
    );
}

#[test]
fn limits_and_bad_files() {
    // bra .; nop
    let output = run(&[0xAFFE, 0x0009], &["--max-instructions", "1000", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let json = json(&output);
    assert_eq!(
        (&json["ended"], &json["instructions"]),
        (&"limit".into(), &1000.into())
    );
    let output = swirl(&["run", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("Cargo.toml"),
        "{}",
        text(&output.stderr)
    );
}

/// Runs three of the speed programs and compares their checksums.
#[test]
fn speed_programs_end_with_their_checksums() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../roms/speed");
    let checksums = [
        ("int_crc", 0xA18C_C7B8u32),
        ("mem_copy", 0x8C56_EAA0),
        ("c_mix", 0xC58C_BD57),
    ];
    for (name, checksum) in checksums {
        let path = folder.join(format!("{name}.elf"));
        let json = json(&swirl(&["run", path.to_str().unwrap(), "--json"]));
        assert_eq!(json["r0"], checksum, "{name}");
        println!("{name}: {} instructions", json["instructions"]);
    }
}
