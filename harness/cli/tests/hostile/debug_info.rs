//! Debug information that shares tables, nests calls, or names files of the host.

use super::{ends, folder, refused};
use std::path::Path;

const BASE: u32 = 0x8C01_0000;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn halves(halves: &[u16]) -> Vec<u8> {
    halves.iter().flat_map(|half| half.to_le_bytes()).collect()
}

/// Returns an ELF file with an undefined instruction and these sections.
fn program(sections: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let code = halves(&[0xFFFD, 9, 9]);
    let mut all = vec![(".text", code)];
    all.extend(sections.iter().cloned());
    let mut names = vec![0];
    let (mut body, mut table) = (Vec::new(), vec![0; 40]);
    let row = |name: u32, kind: u32, data: &[u8], body: &mut Vec<u8>, table: &mut Vec<u8>| {
        let (flags, address) = if name == 1 { (6, BASE) } else { (0, 0) };
        let offset = 84 + body.len() as u32;
        table.extend(words(&[
            name,
            kind,
            flags,
            address,
            offset,
            data.len() as u32,
            0,
            0,
            1,
            0,
        ]));
        body.extend(data);
    };
    for (name, data) in &all {
        let at = names.len() as u32;
        names.extend(name.bytes().chain([0]));
        row(at, 1, data, &mut body, &mut table);
    }
    let at = names.len() as u32;
    names.extend(b".shstrtab\0");
    row(at, 3, &names.clone(), &mut body, &mut table);
    let mut file = b"\x7fELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    file.extend(halves(&[2, 42]));
    file.extend(words(&[1, BASE, 52, 84 + body.len() as u32, 0xC]));
    let count = all.len() as u16 + 2;
    file.extend(halves(&[52, 32, 1, 40, count, count - 1]));
    file.extend(words(&[1, 84, BASE, BASE, 6, 6, 7, 4]));
    file.extend(body);
    file.extend(table);
    file
}

/// DWARF 4 abbreviations: 1 is a unit with `low_pc`, `high_pc`, `stmt_list` and children. 2 is a function
/// with `ranges` and a name, 3 a function with children, 4 an inlined call with children, 5 a function with a
/// specification.
const ABBREVIATIONS: [u8; 61] = [
    1, 0x11, 1, 0x11, 1, 0x12, 6, 0x10, 0x17, 0, 0, //
    2, 0x2E, 0, 0x55, 0x17, 3, 8, 0, 0, //
    3, 0x2E, 1, 0x11, 1, 0x12, 6, 0x47, 0x13, 3, 8, 0, 0, //
    4, 0x1D, 1, 0x11, 1, 0x12, 6, 0x31, 0x13, 0, 0, //
    5, 0x2E, 0, 0x11, 1, 0x12, 6, 0x47, 0x13, 0, 0, //
    0, 0, 0, 0, 0, 0,
];

fn unit(entries: &[u8]) -> Vec<u8> {
    let mut body = halves(&[4]);
    body.extend(words(&[0]));
    body.extend([4, 1]);
    body.extend(words(&[BASE, 0x0100_0000, 0]));
    body.extend(entries);
    body.push(0);
    [words(&[body.len() as u32]), body].concat()
}

/// Returns a line program of version 2 with `count` rows for the file `name`. Each row advances by 2 bytes if
/// `advance` is set.
fn lines(name: &str, count: usize, advance: bool) -> Vec<u8> {
    let mut head = vec![2, 1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0];
    head.extend(name.bytes());
    head.extend([0, 0, 0, 0, 0]);
    let mut body = halves(&[4]);
    body.extend(words(&[head.len() as u32]));
    body.extend(head);
    body.extend([0, 5, 2]);
    body.extend(words(&[BASE]));
    // Special opcodes: the line stays; the address stays or advances by an instruction.
    let opcode = if advance { 32 } else { 18 };
    body.resize(body.len() + count, opcode);
    body.extend([2, 2, 0, 1, 1]);
    [words(&[body.len() as u32]), body].concat()
}

fn with(info: Vec<u8>, line: Vec<u8>, ranges: Vec<u8>) -> Vec<u8> {
    program(&[
        (".debug_info", info),
        (".debug_abbrev", ABBREVIATIONS.to_vec()),
        (".debug_line", line),
        (".debug_ranges", ranges),
        (".debug_str", b"x\0".to_vec()),
    ])
}

fn write(folder: &Path, bytes: Vec<u8>) {
    std::fs::write(folder.join("a.elf"), bytes).unwrap();
}

const PROFILE: [&str; 5] = ["profile", "--elf", "a.elf", "--frames", "0..2"];
const RUN: [&str; 4] = ["run", "a.elf", "--frames", "2"];

/// Profiles must reject the file. A run needs no debug information, so it must end like the program and print
/// a warning.
fn too_much(folder: &Path, bytes: Vec<u8>, what: &str) {
    write(folder, bytes);
    refused(folder, &PROFILE, what);
    let shown = ends(folder, &RUN, &[1]);
    assert!(
        shown.contains("swirl: warning: debug information: ") && shown.contains(what),
        "{shown}"
    );
    ends(folder, &["disasm", "a.elf"], &[0]);
}

#[test]
fn functions_that_share_a_list_of_ranges() {
    let folder = folder("ranges");
    let count = 8_000;
    let ranges = (0..count)
        .flat_map(|n| words(&[16 * n, 16 * n + 8]))
        .chain([0; 8])
        .collect();
    let entries: Vec<u8> = (0..count).flat_map(|_| *b"\x02\0\0\0\0a\0").collect();
    too_much(
        &folder,
        with(unit(&entries), lines("f.c", 10, false), ranges),
        "address ranges of functions",
    );
}

#[test]
fn nested_inlined_calls() {
    let folder = folder("nested");
    let call = |kind: u8| [vec![kind], words(&[BASE, 0x100, 24])].concat();
    for count in [25_000, 50_000] {
        let mut entries = [call(3), b"f\0".to_vec()].concat();
        (0..count).for_each(|_| entries.extend(call(4)));
        entries.resize(entries.len() + count + 1, 0);
        too_much(
            &folder,
            with(unit(&entries), lines("f.c", 10, false), Vec::new()),
            "nested functions",
        );
    }
}

#[test]
fn specifications_that_refer_to_themselves() {
    let folder = folder("specifications");
    let one = |to: u32| [vec![5], words(&[BASE, 0x100, to])].concat();
    for entries in [one(24), [one(37), one(24)].concat()] {
        write(&folder, with(unit(&entries), lines("f.c", 10, false), Vec::new()));
        ends(&folder, &RUN, &[1]);
        ends(&folder, &PROFILE, &[0]);
    }
}

#[test]
fn units_that_share_a_line_program() {
    let folder = folder("units");
    // The program is read once.
    write(
        &folder,
        with(unit(&[]).repeat(1_000), lines("f.c", 60_000, false), Vec::new()),
    );
    ends(&folder, &PROFILE, &[0]);
    ends(&folder, &RUN, &[1]);
}

#[test]
fn lines_are_counted_first() {
    let folder = folder("lines");
    too_much(
        &folder,
        with(unit(&[]), lines("f.c", 4_000_000, true), Vec::new()),
        "lines, expected at most",
    );
}

/// Listings repeat the path of a source file for each line.
#[test]
fn long_paths_are_refused() {
    let folder = folder("long_paths");
    too_much(
        &folder,
        with(unit(&[]), lines(&"p".repeat(200_000), 1_000, true), Vec::new()),
        "bytes in the path of a source file",
    );
}

#[test]
fn units_are_counted() {
    let folder = folder("many_units");
    too_much(
        &folder,
        with(unit(&[]).repeat(60_000), lines("f.c", 10, false), Vec::new()),
        "units, expected at most",
    );
}

/// The page of a profile must show no file outside the working folder, and open no device or pipe.
#[test]
fn pages_show_no_files_of_the_host() {
    let folder = folder("page");
    std::fs::write(folder.join("here.c"), "int here;\n".repeat(9)).unwrap();
    std::fs::write(folder.join("../secret.c"), "SECRET\n".repeat(9)).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(folder.join("fifo.c"))
        .status();
    assert!(made.unwrap().success());
    std::os::unix::fs::symlink("../secret.c", folder.join("link.c")).unwrap();
    let secret = folder.join("../secret.c").canonicalize().unwrap();
    let names = [
        "here.c",
        "fifo.c",
        "link.c",
        "/dev/zero",
        "/etc/passwd",
        "../secret.c",
        secret.to_str().unwrap(),
    ];
    for name in names {
        // A program that runs: the first instruction branches to itself.
        let mut bytes = with(unit(&[]), lines(name, 1, false), Vec::new());
        bytes[84..90].copy_from_slice(&halves(&[0xAFFE, 9, 9]));
        write(&folder, bytes);
        let page = [&PROFILE[..], &["--export", "html=page.html"]].concat();
        ends(&folder, &page, &[0]);
        let page = std::fs::read_to_string(folder.join("page.html")).unwrap();
        assert!(page.contains(name), "{name}");
        assert_eq!(page.contains("int here;"), name == "here.c", "{name}");
        assert!(!page.contains("SECRET") && !page.contains("root:x:"), "{name}");
    }
}
