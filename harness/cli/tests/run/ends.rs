//! The last picture of a run, failed assertions, and programs that cannot be loaded at their addresses.

use super::{CODE, elf, json, program, run, swirl, text};
use std::fs;

/// Returns the opcodes of a program that prints a text through dcload and exits with `code`.
fn prints(message: &str, code: u16) -> Vec<u16> {
    let place = CODE + 40;
    let size = message.len() as u32;
    let pool = [0x8C00_4008, place, size].into_iter();
    let pool = pool.flat_map(|word: u32| [word as u16, (word >> 16) as u16]);
    let mut bytes = message.as_bytes().to_vec();
    bytes.resize(bytes.len().next_multiple_of(2), 0);
    let letters = bytes
        .as_chunks::<2>()
        .0
        .iter()
        .map(|pair| u16::from_le_bytes(*pair));
    // The function pointer to r8; write(1, text, size); exit(code).
    let opcodes = [
        0xD006,
        0x6802,
        0xE401,
        0xE501,
        0xD605,
        0xD706,
        0x480B,
        0x0009,
        0xE40F,
        0x480B,
        0xE500 | code,
        0xAFFE,
        0x0009,
        0x0009,
    ];
    opcodes.into_iter().chain(pool).chain(letters).collect()
}

/// Releases of KallistiOS before 2.1 can end with any exit code, including 0.
#[test]
fn a_failed_assertion_of_kallistios_is_a_failure() {
    for message in [
        "\n*** ASSERTION FAILURE ***\nAssertion \"n > 0\" failed at a.c:7 in `main'\n\n",
        "arch: aborting the system\n",
    ] {
        for code in [0, 7] {
            let output = run(&prints(message, code), &["--json"]);
            assert_eq!(output.status.code(), Some(1));
            assert_eq!(json(&output)["exit_code"], 1);
        }
    }
    let output = run(&prints("ASSERTION holds\n", 0), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
}

#[test]
fn the_last_picture_is_written_however_a_run_ends() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rom = |name: &str| format!("{}/../../roms/console/{name}.elf", env!("CARGO_MANIFEST_DIR"));
    let (frame, end) = (format!("6={}", at("frame.png")), format!("end={}", at("end.png")));
    let output = swirl(&[
        "run",
        &rom("spin"),
        "--frames",
        "6",
        "--screenshot",
        &frame,
        "--screenshot",
        &end,
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(
        fs::read(at("frame.png")).unwrap(),
        fs::read(at("end.png")).unwrap()
    );
    // A program that returns before the first frame ends, and one that fails.
    for (program, status) in [(program(&[0x000B, 0x0009]), 0), (program(&[0xE101, 0x6012]), 1)] {
        fs::remove_file(at("end.png")).unwrap();
        let output = swirl(&["run", program.path().to_str().unwrap(), "--screenshot", &end]);
        assert_eq!(output.status.code(), Some(status), "{}", text(&output.stderr));
        // The screen of the boot ROM.
        let size = fs::read(at("end.png")).unwrap()[16..24].to_vec();
        assert_eq!(size, [0, 0, 2, 0x80, 0, 0, 1, 0xE0]);
        assert!(!text(&output.stderr).contains("end=FILE"));
    }
    let output = run(&[0xE101, 0x6012], &[]);
    assert!(
        text(&output.stderr).contains("--screenshot end=FILE"),
        "{}",
        text(&output.stderr)
    );
    let output = run(&[0x000B, 0x0009], &["--screenshot", "last=a.png"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("expected FRAME=FILE or end=FILE"));
}

/// An old linker script puts the stack at 00030000. A loader writes to this address, which has no memory.
#[test]
fn a_segment_outside_ram_is_a_warning() {
    let mut bytes = elf(&[0x000B, 0x0009]);
    let with_stack = |bytes: &mut Vec<u8>, address: u32| {
        // A second program header after the first, with a segment of 4 bytes at the start of the file.
        let header = [1, 0, address, address, 4, 4, 6, 4_u32];
        let header = header
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect::<Vec<_>>();
        bytes.splice(84..84, header);
        bytes[44] = 2;
        bytes[56] += 32;
    };
    with_stack(&mut bytes, 0x0003_0000);
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), &bytes).unwrap();
    let output = swirl(&["run", file.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let expected = "the segment of 4 bytes at 00030000 is outside RAM";
    assert!(
        text(&output.stderr).contains(expected),
        "{}",
        text(&output.stderr)
    );
    // Video memory exists.
    let mut bytes = elf(&[0x000B, 0x0009]);
    with_stack(&mut bytes, 0xA500_0000);
    fs::write(file.path(), &bytes).unwrap();
    let output = swirl(&["run", file.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        !text(&output.stderr).contains("warning"),
        "{}",
        text(&output.stderr)
    );
}
