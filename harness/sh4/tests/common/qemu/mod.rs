//! Runs the same random programs on our CPU and on qemu-sh4.

pub(crate) mod asm;
pub(crate) mod exclude;
pub(crate) mod generate;
pub(crate) mod image;

use std::path::Path;
use std::process::Command;

use exclude::Skips;
use generate::{Block, Source};
use image::{FIELDS, Image, SCRATCH};
use sh4::{Mode, Stop};

/// Blocks of a program.
const BLOCKS: u32 = 512;

/// The results of a campaign.
#[derive(Default)]
pub(crate) struct Report {
    /// Number of compared instructions, without the preparing instructions of units.
    pub(crate) instructions: u64,
    pub(crate) programs: u64,
    /// Number of executions of each row of the table.
    pub(crate) rows: Vec<u64>,
    pub(crate) skips: Skips,
    /// The first difference, as a full text.
    pub(crate) difference: Option<String>,
}

/// Returns true if qemu-sh4 can run.
pub(crate) fn present() -> bool {
    Command::new("qemu-sh4")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Runs programs until `instructions` are compared or a difference is found.
pub(crate) fn campaign(instructions: u64, seed: u64, mut progress: impl FnMut(&Report)) -> Report {
    let mut report = Report {
        rows: vec![0; sh4::table::TABLE.len()],
        ..Report::default()
    };
    let path = std::env::temp_dir().join(format!("against-qemu-{}-{seed}", std::process::id()));
    let mut source = Source(seed);
    while report.instructions < instructions && report.difference.is_none() {
        program(&mut source, &path, &mut report);
        progress(&report);
    }
    // If removing the file fails, it stays in the system's folder for temporary files.
    let _ = std::fs::remove_file(&path);
    report
}

fn program(source: &mut Source, path: &Path, report: &mut Report) {
    let scratch: Vec<u8> = (0..SCRATCH).map(|_| source.next() as u8).collect();
    let mut image = Image::new(BLOCKS, &scratch);
    let mut cpu = image.cpu();
    let blocks = generate::fill_image(&mut image, &mut cpu, BLOCKS, source, &mut report.skips);
    report.programs += 1;
    for unit in blocks.iter().flat_map(|block| &block.units) {
        report.instructions += 1;
        report.rows[unit.id as usize] += 1;
    }
    let image = rebuilt(&blocks, &scratch);
    let (ours, theirs) = both(&image, path);
    report.difference = match theirs {
        Ok(theirs) if theirs == ours => None,
        Ok(theirs) => Some(explain(&image, &blocks, &ours, &theirs, path)),
        Err(error) => Some(format!("qemu-sh4 failed: {error}")),
    };
}

/// The image before the run, because our run changed records and scratch memory.
fn rebuilt(blocks: &[Block], scratch: &[u8]) -> Image {
    let mut image = Image::new(blocks.len() as u32, scratch);
    for (index, block) in blocks.iter().enumerate() {
        let index = index as u32;
        let mut here = image.open_block(index, &block.record, &block.literals);
        for unit in &block.units {
            generate::write_words(&mut image, here, &unit.words);
            here += 2 * unit.words.len() as u32;
        }
        image.close_block(index, here);
    }
    image.close();
    image
}

/// Returns records and scratch memory after our run, which goes block by block instead of step by step, and
/// after qemu's run.
fn both(image: &Image, path: &Path) -> (Vec<u8>, std::io::Result<Vec<u8>>) {
    let mut bus = image.bus.clone();
    let run = image.cpu().run(&mut bus, None, 10_000_000, &mut ());
    assert_eq!(run.stop, Stop::Trapa { imm: 0x13 });
    (image.data(&mut bus), image.run_in_qemu(path))
}

/// Finds the block with the difference, then shortens it to find the instruction.
fn explain(image: &Image, blocks: &[Block], ours: &[u8], theirs: &[u8], path: &Path) -> String {
    let ((a, _), (b, _)) = (image.split(ours), image.split(theirs));
    let differing = a.iter().zip(&b).position(|(a, b)| a != b);
    // If only memory differs, any block may be the cause; the last block sees the difference too.
    let Some(first) = differing else {
        return "scratch memory differs, no record does".into();
    };
    for count in 1..=blocks[first].units.len() {
        let cut = alone(blocks, first, count);
        let short = rebuilt(&cut, &blocks[first].scratch);
        let (ours, Ok(theirs)) = both(&short, path) else {
            return format!("block {first}: qemu fails when it is cut short");
        };
        let record = |data: &[u8]| (short.split(data).0[first], data[short.split(data).1..].to_vec());
        if record(&ours) != record(&theirs) {
            return tell(&short, first, &cut[first], &ours, &theirs);
        }
    }
    format!("block {first} differs, but not alone")
}

/// Returns the blocks with only the first `count` units of one block. Addresses stay the same.
fn alone(blocks: &[Block], kept: usize, count: usize) -> Vec<Block> {
    let cut = |(index, block): (usize, &Block)| Block {
        record: block.record,
        literals: block.literals.clone(),
        scratch: Vec::new(),
        units: block.units[..if index == kept { count } else { 0 }].to_vec(),
    };
    blocks.iter().enumerate().map(cut).collect()
}

fn tell(image: &Image, index: usize, block: &Block, ours: &[u8], theirs: &[u8]) -> String {
    let Some(unit) = block.units.last() else {
        return "an empty block differs".into();
    };
    let ((a, scratch), (b, _)) = (image.split(ours), image.split(theirs));
    let fpscr = block.record[image::R14 + 1];
    let mode = Mode {
        pr: fpscr >> 19 & 1 == 1,
        sz: fpscr >> 20 & 1 == 1,
    };
    let mut lines = vec![format!(
        "FPSCR {fpscr:08X}, after {} others: {}",
        block.units.len() - 1,
        generate::text(unit, 0, mode)
    )];
    for field in 0..FIELDS {
        let (a, b) = (a[index][field], b[index][field]);
        if a != b {
            lines.push(format!("  {}: ours {a:08X}, qemu {b:08X}", image::name(field)));
        }
    }
    let differing = ours
        .iter()
        .zip(theirs)
        .skip(scratch)
        .filter(|(a, b)| a != b)
        .count();
    if differing != 0 {
        lines.push(format!("  {differing} bytes of scratch memory differ"));
    }
    lines.push(format!("  the record before: {:08X?}", block.record));
    lines.join("\n")
}
