//! Reads ARM ELF files, and checks that they are for this chip.

use goblin::elf::Elf;
use goblin::elf::header::EM_ARM;
use machine::{ElfError, Image};
use thiserror::Error;

/// Reason why a file is not a program for the sound block.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// Not a readable ARM ELF file.
    #[error(transparent)]
    Elf(#[from] ElfError),
    /// Built for a later architecture.
    #[error(
        "built for {found} (Tag_CPU_arch {tag}); the sound block's ARM7DI is ARMv3: assemble with \
         -march=armv3, compile with -mcpu=arm7di"
    )]
    Architecture {
        /// Name of the architecture.
        found: &'static str,
        /// The attribute's value.
        tag: u64,
    },
    /// The entry is a Thumb address.
    #[error("entry {0:08x} is a Thumb address; the ARM7DI has no Thumb, an entry is a multiple of 4")]
    Thumb(u32),
    /// The program does not fit 2 MiB of sound RAM.
    #[error("segment at {address:08x}, {size:#x} bytes, is outside the sound RAM (00000000-001fffff)")]
    Outside {
        /// Address of the segment.
        address: u32,
        /// Size of the segment.
        size: u32,
    },
}

/// Reads a program.
///
/// # Errors
/// See [`ProgramError`].
pub fn parse(bytes: &[u8]) -> Result<Image, ProgramError> {
    let image = Image::parse_for(bytes, EM_ARM, "40 (ARM)")?;
    if let Some(tag) = architecture(bytes).filter(|tag| *tag > 0) {
        let found = ARCHITECTURES
            .get(tag as usize)
            .copied()
            .unwrap_or("a later architecture");
        return Err(ProgramError::Architecture { found, tag });
    }
    if image.entry & 3 != 0 {
        return Err(ProgramError::Thumb(image.entry));
    }
    let fits = |s: &&machine::Segment| {
        s.address
            .checked_add(s.size)
            .is_none_or(|end| end > super::memory::RAM)
    };
    match image.segments.iter().find(fits) {
        None => Ok(image),
        Some(s) => Err(ProgramError::Outside {
            address: s.address,
            size: s.size,
        }),
    }
}

/// Values of Tag_CPU_arch (addenda to the ABI for the ARM architecture, 3.3.5.2).
const ARCHITECTURES: [&str; 18] = [
    "an ARM before ARMv4",
    "ARMv4",
    "ARMv4T",
    "ARMv5T",
    "ARMv5TE",
    "ARMv5TEJ",
    "ARMv6",
    "ARMv6KZ",
    "ARMv6T2",
    "ARMv6K",
    "ARMv7",
    "ARMv6-M",
    "ARMv6S-M",
    "ARMv7E-M",
    "ARMv8-A",
    "ARMv8-R",
    "ARMv8-M baseline",
    "ARMv8-M mainline",
];

const SHT_ARM_ATTRIBUTES: u32 = 0x7000_0003;
const TAG_CPU_RAW_NAME: u64 = 4;
const TAG_CPU_NAME: u64 = 5;
const TAG_CPU_ARCH: u64 = 6;
const TAG_COMPATIBILITY: u64 = 32;

/// Tag_CPU_arch of the file's build attributes; `None` for a file without attributes.
fn architecture(bytes: &[u8]) -> Option<u64> {
    let elf = Elf::parse(bytes).ok()?;
    let section = elf
        .section_headers
        .iter()
        .find(|s| s.sh_type == SHT_ARM_ATTRIBUTES)?;
    let mut attributes = Cursor(bytes.get(section.file_range()?)?);
    // Format version, then subsections: length, vendor, and the tags of the whole file (tag 1, length).
    (attributes.byte()? == b'A').then_some(())?;
    attributes.skip(4)?;
    (attributes.string()? == b"aeabi").then_some(())?;
    (attributes.number()? == 1).then_some(())?;
    attributes.skip(4)?;
    loop {
        match attributes.number()? {
            TAG_CPU_ARCH => return attributes.number(),
            TAG_CPU_RAW_NAME | TAG_CPU_NAME => {
                attributes.string()?;
            }
            TAG_COMPATIBILITY => {
                attributes.number()?;
                attributes.string()?;
            }
            tag if tag > TAG_COMPATIBILITY && tag & 1 != 0 => {
                attributes.string()?;
            }
            _ => {
                attributes.number()?;
            }
        }
    }
}

/// Reader over the rest of the attributes.
struct Cursor<'a>(&'a [u8]);

impl<'a> Cursor<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.0 = self.0.get(bytes..)?;
        Some(())
    }

    /// Reads up to a zero byte and skips it.
    fn string(&mut self) -> Option<&'a [u8]> {
        let end = self.0.iter().position(|byte| *byte == 0)?;
        let (string, rest) = self.0.split_at(end);
        self.0 = &rest[1..];
        Some(string)
    }

    /// ULEB128.
    fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }
}
