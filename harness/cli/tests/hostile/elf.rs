//! ELF files with headers and symbols that share bytes.

use super::{ends, folder, refused};
use std::path::Path;

/// `rts; nop`.
const CODE: [u8; 4] = [0x0B, 0, 0x09, 0];
const BASE: u32 = 0x8C01_0000;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn halves(halves: &[u16]) -> Vec<u8> {
    halves.iter().flat_map(|half| half.to_le_bytes()).collect()
}

/// The file's header: program headers at 52, section headers at `sections`.
fn header(programs: u16, sections: u32, count: u16) -> Vec<u8> {
    let mut bytes = b"\x7fELF\x01\x01\x01".to_vec();
    bytes.resize(16, 0);
    // ET_EXEC, EM_SH.
    bytes.extend(halves(&[2, 42]));
    bytes.extend(words(&[1, BASE, 52, sections, 0xC]));
    bytes.extend(halves(&[52, 32, programs, 40, count, count.saturating_sub(1)]));
    bytes
}

/// Program headers for the same `size` bytes, each of which takes `memory` bytes.
pub(super) fn shared_segments(count: u16, size: u32, memory: u32) -> Vec<u8> {
    let mut bytes = header(count, 0, 0);
    let offset = 52 + 32 * u32::from(count);
    let one = words(&[1, offset, BASE, BASE, size, memory, 7, 4]);
    (0..count).for_each(|_| bytes.extend(&one));
    bytes.extend(CODE);
    bytes.resize(offset as usize + size as usize, 0);
    bytes
}

/// Symbols that all use one long name, or its suffixes.
fn shared_names(count: u32, length: u32, ends: bool) -> Vec<u8> {
    let names = 88;
    let symbols = (names + length + 2).next_multiple_of(4);
    let sections = symbols + 16 * (count + 1);
    let mut bytes = header(1, sections, 4);
    bytes.extend(words(&[1, 84, BASE, BASE, 4, 4, 7, 4]));
    bytes.extend(CODE);
    bytes.push(0);
    bytes.resize((names + 1 + length) as usize, b'A');
    bytes.resize(symbols as usize + 16, 0);
    for n in 0..count {
        let name = 1 + if ends { n % length } else { 0 };
        bytes.extend(words(&[name, BASE + 2 * n, 2]));
        // A global function of section 1.
        bytes.extend([0x12, 0, 1, 0]);
    }
    bytes.extend([0; 40]);
    bytes.extend(words(&[1, 1, 6, BASE, 84, 4, 0, 0, 4, 0]));
    bytes.extend(words(&[1, 2, 0, 0, symbols, 16 * (count + 1), 3, 1, 4, 16]));
    bytes.extend(words(&[1, 3, 0, 0, names, length + 2, 0, 0, 1, 0]));
    bytes
}

fn every_verb_refuses(folder: &Path, name: &str, found: &str) {
    for arguments in [
        &["info", name][..],
        &["run", name, "--frames", "2"],
        &["disasm", name],
        &["profile", "--elf", name, "--frames", "0..2"],
        &["profile", "--elf", name],
    ] {
        refused(folder, arguments, found);
    }
}

#[test]
fn segments_that_share_bytes_are_counted_first() {
    let folder = folder("segments");
    let write = |name: &str, bytes: Vec<u8>| std::fs::write(folder.join(name), bytes).unwrap();
    write("many.elf", shared_segments(20_000, 1_000_000, 1_000_000));
    every_verb_refuses(
        &folder,
        "many.elf",
        "20000 loadable segments, expected at most 128",
    );
    write("large.elf", shared_segments(100, 1_000_000, 1_000_000));
    every_verb_refuses(&folder, "large.elf", "bytes in the loadable segments together");
    // 128 segments with all of RAM, which take no bytes in the file.
    write("zeros.elf", shared_segments(128, 4, 0x00FF_0000));
    ends(&folder, &["run", "zeros.elf", "--frames", "2"], &[0]);
}

#[test]
fn symbols_that_share_names_are_counted_first() {
    let folder = folder("symbols");
    let write = |name: &str, bytes: Vec<u8>| std::fs::write(folder.join(name), bytes).unwrap();
    write("one.elf", shared_names(1_000, 1_000_000, false));
    write("ends.elf", shared_names(20_000, 1_000_000, true));
    for name in ["one.elf", "ends.elf"] {
        every_verb_refuses(&folder, name, "bytes in the names of symbols together");
    }
    // Shared names, as linkers produce them.
    write("some.elf", shared_names(20_000, 500, true));
    ends(&folder, &["info", "some.elf"], &[0]);
}

/// A listing repeats the name of a symbol for each branch to it.
#[test]
fn long_names_are_cut_in_listings() {
    let folder = folder("long_names");
    let (length, branches) = (1_000_000, 20_000);
    let mut bytes = shared_names(1, length, false);
    // `bra` to the next instruction, and `nop`; the last one branches to itself.
    let code = halves(&[0xA000, 9]).repeat(branches);
    let start = bytes.len() as u32;
    bytes.extend([code, halves(&[0xAFFE, 9])].concat());
    let size = bytes.len() as u32 - start;
    bytes[52..84].copy_from_slice(&words(&[1, start, BASE, BASE, size, size, 7, 4]));
    std::fs::write(folder.join("a.elf"), bytes).unwrap();
    let profile = ["profile", "--elf", "a.elf", "--frames", "0..2", "--export"];
    for export in ["csv=a.csv", "callgrind=a.out", "json=a.json"] {
        ends(&folder, &[&profile[..], &[export]].concat(), &[0]);
    }
    ends(&folder, &["disasm", "a.elf"], &[0]);
}
