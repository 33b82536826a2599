//! The instruction table: complete, free of overlaps, and equal to a list of timings and to the assembler.

// A failed unwrap or panic in a helper fails the test.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::Command;

use sh4::table::{TABLE, Variant};
use sh4::{Mode, decode, disassemble};

fn matches(pattern: &str, opcode: u16) -> bool {
    pattern.bytes().enumerate().all(|(i, c)| match c {
        b'0' => opcode >> (15 - i) & 1 == 0,
        b'1' => opcode >> (15 - i) & 1 == 1,
        _ => true,
    })
}

fn allowed(variant: Variant, mode: Mode) -> bool {
    match variant {
        Variant::Any => true,
        Variant::Pr0 => !mode.pr,
        Variant::Pr1 => mode.pr,
        Variant::Sz0 => !mode.sz,
        Variant::Sz1 => mode.sz,
    }
}

#[test]
fn every_opcode_is_one_row_or_undefined() {
    for mode in Mode::ALL {
        for opcode in 0..=u16::MAX {
            let rows: Vec<_> = TABLE
                .iter()
                .filter(|row| allowed(row.variant, mode) && matches(row.pattern, opcode))
                .collect();
            let decoded = decode(opcode, 0, mode);
            assert!(rows.len() <= 1, "{opcode:04X} in {mode:?}: {rows:?}");
            assert_eq!(
                decoded.map(|op| op.id),
                rows.first().map(|row| row.id),
                "{opcode:04X} in {mode:?}"
            );
        }
    }
}

#[test]
fn defined_opcodes() {
    let defined = |opcode: &u16| Mode::ALL.iter().any(|&mode| decode(*opcode, 0, mode).is_some());
    assert_eq!((0..=u16::MAX).filter(defined).count(), 59_001);
    assert_eq!(TABLE.len(), 236);
    assert!(TABLE.iter().enumerate().all(|(i, row)| row.id as usize == i));
    assert!(!defined(&0xFFFD));
}

/// The table of timings lists the same instructions.
#[test]
fn table_equals_the_list_of_timings() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/facts/sh4-timing.tsv");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("no list of timings beside the checkout, 0 rows");
        return;
    };
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(rows.len(), TABLE.len());
    for (listed, row) in rows.iter().zip(TABLE) {
        let ours = [row.syntax, row.pattern, &format!("{:?}", row.group)];
        assert_eq!(listed[..3], ours);
    }
    println!("{} rows equal", rows.len());
}

#[test]
fn text() {
    let text = |opcode| disassemble(opcode, 0x8C01_0000, Mode::default());
    assert_eq!(text(0x6123), "mov r2,r1");
    assert_eq!(text(0xE1FF), "mov #-1,r1");
    assert_eq!(text(0xC9FF), "and #255,r0");
    assert_eq!(text(0x5142), "mov.l @(8,r4),r1");
    assert_eq!(text(0xD101), "mov.l @(4,pc),r1 ! 0x8c010008");
    assert_eq!(text(0x8BFE), "bf 0x8c010000");
    assert_eq!(text(0xA7FF), "bra 0x8c011002");
    assert_eq!(text(0x4B9E), "ldc r11,r1_bank");
    assert_eq!(text(0xF5ED), "fipr fv4,fv4");
    assert_eq!(text(0xF5FD), "ftrv xmtrx,fv4");
    assert_eq!(text(0xFFFD), ".word 0xfffd");
    let pairs = Mode { sz: true, pr: false };
    assert_eq!(disassemble(0xF3FC, 0, pairs), "fmov xd14,xd2");
}

/// Returns the text of an opcode for the assembler, with targets of branches and PC-relative loads relative
/// to the instruction. The assembler refuses `@(0,pc)`.
fn assembly(opcode: u16, pc: u32, mode: Mode) -> String {
    let text = disassemble(opcode, pc, mode);
    let hex = |digits: &str| u32::from_str_radix(digits, 16).unwrap().wrapping_sub(pc) as i32;
    if let Some((load, target)) = text.split_once(" ! 0x") {
        let (mnemonic, rest) = load.split_once(" @(").unwrap();
        let register = rest.split_once("pc),").unwrap().1;
        return format!("{mnemonic} .+({}),{register}", hex(target));
    }
    match text.split_once(" 0x") {
        Some((mnemonic, target)) if mnemonic.starts_with('b') => format!("{mnemonic} .+({})", hex(target)),
        _ => text,
    }
}

fn tool(name: &str) -> Option<Command> {
    let mut command = Command::new(name);
    command.arg("--version").output().ok()?;
    Some(Command::new(name))
}

/// Assembles `lines` and returns the halfwords.
fn assemble(lines: &str, folder: &Path) -> Option<Vec<u16>> {
    let mut assembler = tool("sh4-linux-gnu-as")?;
    let mut copy = tool("sh4-linux-gnu-objcopy")?;
    let file = |name: &str| -> PathBuf { folder.join(name) };
    std::fs::write(file("all.s"), lines).unwrap();
    let status = assembler
        .args(["--isa=sh4", "-little", "-o"])
        .arg(file("all.o"))
        .arg(file("all.s"))
        .status();
    assert!(status.unwrap().success());
    let status = copy
        .args(["-O", "binary", "-j", ".text"])
        .arg(file("all.o"))
        .arg(file("all.bin"))
        .status();
    assert!(status.unwrap().success());
    let bytes = std::fs::read(file("all.bin")).unwrap();
    Some(
        bytes
            .chunks_exact(2)
            .map(|b| u16::from_le_bytes([b[0], b[1]]))
            .collect(),
    )
}

/// Every defined opcode, in every mode that changes its text.
#[test]
fn disassembly_assembles_back() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let mut count = 0;
    for mode in Mode::ALL {
        let opcodes: Vec<u16> = (0..=u16::MAX)
            .filter(|&opcode| decode(opcode, 0, mode).is_some())
            .collect();
        // The assembler must be able to reach the displacement: the instruction is at a multiple of 4.
        let line = |(i, &opcode): (usize, &u16)| format!("{}\nnop\n", assembly(opcode, 4 * i as u32, mode));
        let source: String = opcodes.iter().enumerate().map(line).collect();
        let Some(words) = assemble(&source, &folder) else {
            println!("disassembly: 0 opcodes assembled, sh4-linux-gnu-as is not installed");
            return;
        };
        let back: Vec<u16> = words.iter().step_by(2).copied().collect();
        for (want, got) in opcodes.iter().zip(&back) {
            assert_eq!(got, want, "{want:04X} {}", disassemble(*want, 0, mode));
        }
        assert_eq!(back.len(), opcodes.len());
        count += opcodes.len();
    }
    println!("disassembly: {count} opcodes assembled back to themselves");
}
