//! `roms/truth.elf` must write its report to a VMU if the menu entry is chosen.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use crate::common;
use dreamcast::peripherals::{Buttons, Pad, Vmu};
use dreamcast::{Ended, Until};
use machine::Image;
use std::path::Path;
use std::process::Output;

const BLOCK: usize = 512;
const FAT: usize = 254 * BLOCK;
const FREE: u16 = 0xFFFC;
const LAST: u16 = 0xFFFA;

fn half(memory: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([memory[at], memory[at + 1]])
}

fn set_half(memory: &mut [u8], at: usize, value: u16) {
    memory[at..at + 2].copy_from_slice(&value.to_le_bytes());
}

fn formatted() -> Vec<u8> {
    Vmu::formatted().bytes().to_vec()
}

/// Returns a memory with a file of two blocks, 199 and 197.
fn with_a_file() -> Vec<u8> {
    let mut memory = formatted();
    set_half(&mut memory, FAT + 2 * 199, 197);
    set_half(&mut memory, FAT + 2 * 197, LAST);
    memory[199 * BLOCK..200 * BLOCK].fill(0x5A);
    memory[197 * BLOCK..198 * BLOCK].fill(0xA5);
    add_entry(&mut memory, 0, b"SAVEGAME.001");
    memory
}

/// Adds a directory entry for blocks from 199 on.
fn add_entry(memory: &mut [u8], number: usize, name: &[u8; 12]) {
    let entry = &mut memory[253 * BLOCK + 32 * number - number / 16 * (2 * BLOCK)..][..32];
    entry[..4].copy_from_slice(&[0x33, 0, 199, 0]);
    entry[4..16].copy_from_slice(name);
    entry[24] = 2;
}

/// Checks that all changed bytes are in blocks, FAT entries and directory entries that were free.
fn assert_only_free_space_changed(before: &[u8], after: &[u8]) {
    for at in (0..before.len()).filter(|at| before[*at] != after[*at]) {
        let was_free = match at / BLOCK {
            254 => half(before, at & !1) == FREE,
            241..=253 => before[at & !31] == 0,
            block => half(before, FAT + 2 * block) == FREE && block < 200,
        };
        assert!(was_free, "byte {at:05x}");
    }
}

/// CRC of mc.pp.se/dc/vms/fileheader.html: CCITT, starting with 0, with the CRC field as 0.
fn header_crc(file: &[u8]) -> u16 {
    let bytes = file.iter().enumerate();
    bytes.fold(0_u16, |crc, (at, byte)| {
        let byte = if (0x46..0x48).contains(&at) { 0 } else { *byte };
        (0..8).fold(crc ^ u16::from(byte) << 8, |crc, _| {
            crc << 1 ^ if crc & 0x8000 == 0 { 0 } else { 0x1021 }
        })
    })
}

fn report_lines(text: &str) -> String {
    let lines = text.lines().filter(|line| {
        let word = line.split(' ').next();
        matches!(word, Some("truth" | "obs" | "end"))
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn swirl(words: &[&str]) -> Output {
    let output = common::swirl(words);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// The full report, by the script in `tests/data/truth`, must be saved in addition to another file.
#[test]
fn the_report_is_saved_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (card, keys) = (
        folder.path().join("card.bin"),
        root.join("tests/data/truth/save.txt"),
    );
    let before = with_a_file();
    std::fs::write(&card, &before).unwrap();
    let rom = root.join("roms/truth.elf");
    let [rom, card_path, keys] = [&rom, &card, &keys].map(|path| path.to_str().unwrap());
    let output = swirl(&["run", rom, "--vmu", card_path, "--input", keys]);
    let printed = report_lines(&String::from_utf8(output.stdout).unwrap());
    assert!(printed.contains("\nend 00000"), "{printed}");
    let after = std::fs::read(&card).unwrap();
    assert_only_free_space_changed(&before, &after);
    let read = swirl(&["truth", "report", card_path]);
    assert_eq!(String::from_utf8_lossy(&read.stderr), "", "the CRC fits");
    assert_eq!(String::from_utf8(read.stdout).unwrap(), printed);

    // The second directory entry; blocks from the highest free one downwards.
    let entry = &after[253 * BLOCK + 32..][..32];
    assert_eq!(entry[..16], *b"\x33\0\xC6\0SWIRL_TRUTH\0");
    assert_eq!(entry[16..20], [0x20, 0x00, 0x01, 0x01], "the date");
    assert_eq!(entry[23], 5, "1 January 2000 was a Saturday");
    let size = 0x280 + 1 + printed.len();
    assert_eq!(usize::from(half(entry, 24)), size.div_ceil(BLOCK));
    let mut file = Vec::new();
    let mut at = 198;
    while at != LAST {
        file.extend_from_slice(&after[usize::from(at) * BLOCK..][..BLOCK]);
        at = half(&after, FAT + 2 * usize::from(at));
    }
    assert_eq!(file.len(), size.next_multiple_of(BLOCK));
    assert!(file[size..].iter().all(|byte| *byte == 0));
    assert!(file.starts_with(b"HARDWARE TRUTH  Report of truth.elf "));
    assert_eq!(file[0x40..0x46], [1, 0, 0, 0, 0, 0], "one icon");
    assert_eq!(half(&file, 0x46), header_crc(&file[..size]));
    assert_eq!(u32::from(half(&file, 0x48)), size as u32 - 0x280);
    assert!(file[0x80..0x280].contains(&0x11), "the icon is drawn");

    // The file itself is a capture too.
    let vms = folder.path().join("report.vms");
    std::fs::write(&vms, &file).unwrap();
    let read = swirl(&["truth", "report", vms.to_str().unwrap()]);
    assert_eq!(String::from_utf8(read.stdout).unwrap(), printed);
}

/// Returns the memory after a short report and the menu's fourth entry.
fn save_to(memory: &[u8]) -> Vec<u8> {
    let mut console = common::compiled_console();
    console.load(&Image::parse(roms::TRUTH_ELF).unwrap()).unwrap();
    let parts = console.symbols().address("truth_parts").unwrap();
    // Only `console_experiments`.
    assert!(console.poke(parts, 1 << 1) && console.poke(parts + 1, 0));
    assert!(console.plug(0, 1, Some(Box::new(Vmu::from_bytes(memory).unwrap()))));
    let mut hold = |button: &str, frames: u64| {
        let pad = Pad {
            buttons: Buttons::named(button).unwrap_or_default(),
            ..Pad::default()
        };
        assert!(console.set_pad(0, pad));
        let frame = console.frame() + frames;
        assert_eq!(
            console.run(Until {
                frame,
                ..Until::FOREVER
            }),
            Ended::Frame
        );
    };
    hold("start", 40);
    for (button, frames) in [("a", 60), ("down", 4), ("down", 4), ("down", 4), ("a", 120)] {
        hold("none", 10);
        hold(button, 4);
        hold("none", frames);
    }
    console.vmu(0, 1).unwrap().bytes().to_vec()
}

/// Memories without space, without an empty directory entry, or without a format; or with the file already.
#[test]
fn a_memory_that_cannot_take_the_report_stays_as_it_is() {
    let saved = save_to(&formatted());
    assert!(saved != formatted());
    let mut full = formatted();
    (1..200).for_each(|block| set_half(&mut full, FAT + 2 * block, LAST));
    let mut crowded = formatted();
    (0..208).for_each(|entry| add_entry(&mut crowded, entry, b"SAVEGAME.001"));
    let mut blank = formatted();
    blank[255 * BLOCK..].fill(0);
    for (name, memory) in [
        ("full", full),
        ("crowded", crowded),
        ("blank", blank),
        ("saved", saved),
    ] {
        assert!(save_to(&memory) == memory, "{name}");
    }
}
