//! ARM programs: `run`, `disasm` and `verify`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails is how a test fails"
)]

use crate::common::{swirl, text};

const AICA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../roms/aica.elf");

/// An ARM executable of one segment at 0x1000, with no attributes.
fn program(code: &[u32]) -> tempfile::NamedTempFile {
    let code: Vec<u8> = code.iter().flat_map(|opcode| opcode.to_le_bytes()).collect();
    let mut bytes = b"\x7fELF\x01\x01\x01".to_vec();
    bytes.resize(16, 0);
    let (header, size) = (52 + 32, code.len() as u32);
    bytes.extend([2u16, 40].iter().flat_map(|half| half.to_le_bytes()));
    let words = [1u32, 0x1000, 52, 0, 0];
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    let sizes = [52u16, 32, 1, 40, 0, 0];
    bytes.extend(sizes.iter().flat_map(|half| half.to_le_bytes()));
    let segment = [1u32, header, 0x1000, 0x1000, size, size, 5, 4];
    bytes.extend(segment.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(code);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    file
}

/// Returns standard output, standard error and exit status.
fn run(code: &[u32], more: &[&str]) -> (String, String, Option<i32>) {
    let file = program(code);
    let mut args = vec!["run", file.path().to_str().unwrap()];
    args.extend(more);
    let output = swirl(&args);
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

#[test]
fn programs_end_by_name() {
    // mov r0, #42; mov r3, #0x800000; str r0, [r3, #16]; b .
    let driver = [0xE3A0_002A, 0xE3A0_3502, 0xE583_0010, 0xEAFF_FFFE];
    let (out, _, status) = run(&driver, &[]);
    assert_eq!(status, Some(0), "{out}");
    assert!(
        out.contains("r0 0000002a") && out.contains("AICA 0010 = 0000002a"),
        "{out}"
    );
    let (out, ..) = run(&driver, &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&json["ended"], &json["aica_stores"][0]["value"]),
        (&"idle".into(), &42.into())
    );

    let (out, _, status) = run(&[0xEAFF_FFFF, 0xEAFF_FFFD], &["--max-instructions", "100"]);
    assert_eq!(status, Some(1), "{out}");
    assert!(out.contains("instruction limit"), "{out}");

    let (_, message, status) = run(&[0xE1D0_00B0], &[]);
    assert_eq!(status, Some(2));
    assert!(
        message.contains("LDRH is ARMv4") && message.contains("00001000"),
        "{message}"
    );
}

#[test]
fn the_roms_code_reads_as_it_was_written() {
    let output = swirl(&["disasm", AICA, "--symbol", "ring_copy"]);
    let out = text(&output.stdout);
    assert!(output.status.success() && out.contains("<ring_copy>:"), "{out}");
    assert!(out.lines().filter(|l| l.contains("strpl")).count() == 1, "{out}");
    assert!(!out.contains("ARMv4"), "{out}");
}

#[test]
fn both_processors_kernels_are_listed() {
    let output = swirl(&["verify", "--cases", "20"]);
    let out = text(&output.stdout);
    assert!(output.status.success(), "{out}");
    assert!(
        out.contains("SH4   transform_points") && out.contains("ARM7  mix_stereo"),
        "{out}"
    );
}
