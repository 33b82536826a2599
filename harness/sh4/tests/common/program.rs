//! Loads the speed programs: bare-metal ELF files that end in SLEEP with a checksum in R0.

use std::path::{Path, PathBuf};

use goblin::elf::{Elf, program_header::PT_LOAD};
use sh4::flat::FlatBus;
use sh4::{Cpu, Settings};

/// A program and its checksum in R0. The sums are the same under every model of the inner product: the
/// vertices and the matrix are small dyadic numbers, so the alignment cuts no bits of their products.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) checksum: u32,
}

const fn program(name: &'static str, checksum: u32) -> Program {
    Program { name, checksum }
}

pub(crate) const PROGRAMS: [Program; 6] = [
    program("int_crc", 0xA18C_C7B8),
    program("mem_copy", 0x8C56_EAA0),
    program("fpu_ftrv", 0x01C6_30F1),
    program("fpu_mixed", 0x7B95_98F9),
    program("fpu_mixfmac", 0x7B95_98F9),
    program("c_mix", 0xC58C_BD57),
];

pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../roms/speed")
        .join(format!("{name}.elf"))
}

/// Returns the program in 16 MB of RAM at 0C000000 and a CPU at its entry.
pub(crate) fn load(name: &str, settings: Settings) -> (FlatBus, Cpu) {
    let bytes = std::fs::read(path(name)).unwrap();
    let elf = Elf::parse(&bytes).unwrap();
    let mut bus = FlatBus::new(0x0C00_0000, 16 << 20);
    for segment in elf
        .program_headers
        .iter()
        .filter(|segment| segment.p_type == PT_LOAD)
    {
        let data = &bytes[segment.file_range()];
        assert_eq!(bus.load(segment.p_vaddr as u32, data), data.len());
    }
    let mut cpu = Cpu::new(settings);
    cpu.pc = elf.entry as u32;
    (bus, cpu)
}
