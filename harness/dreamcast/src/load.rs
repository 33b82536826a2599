//! Loading: ELF files, raw binaries and the programs of discs.

use crate::config::LoadError;
use crate::disc::{Disc, scramble};
use crate::firmware;
use crate::run::Dreamcast;
use crate::system::ram_offset;
use machine::{Image, Segment};

/// Load address and entry of raw binaries.
const LOAD_ADDRESS: u32 = 0x8C01_0000;

impl Dreamcast {
    /// Loads an ELF program as a loader does. Segments in video or sound memory are stored there. Segments at
    /// addresses without memory are dropped, with a note.
    ///
    /// # Errors
    /// If no segment is in RAM, or one extends past its end.
    pub fn load(&mut self, image: &Image) -> Result<(), LoadError> {
        let in_ram = |segment: &Segment| ram_offset(segment.address & 0x1FFF_FFFF).is_some();
        if let Some(first) = image.segments.first()
            && !image.segments.iter().any(in_ram)
        {
            let (address, size) = (first.address, first.size);
            return Err(LoadError::Outside { address, size });
        }
        for segment in &image.segments {
            let (address, size) = (segment.address, segment.size);
            if !in_ram(segment) {
                self.load_outside(segment);
                continue;
            }
            // Memory is allocated only after these checks, because a file of 100 bytes may request 4 GiB.
            if size as usize > self.system.ram.len() {
                return Err(LoadError::Outside { address, size });
            }
            let mut bytes = segment.bytes.clone();
            bytes.resize(size as usize, 0);
            self.put(address, &bytes)?;
        }
        // GNU ld puts the file's headers into the first segment, some pages below the code. Loaders skip
        // them, so that the loader itself and the firmware's pointers are not overwritten.
        firmware::install(&mut self.system);
        self.symbols = image.symbols.clone();
        self.system.find_heap(image);
        self.cpu.pc = image.entry;
        Ok(())
    }

    /// Stores a segment outside RAM, byte by byte. Old linker scripts have such a segment: the stack, at
    /// 00030000.
    fn load_outside(&mut self, segment: &Segment) {
        let bytes = (segment.address..).zip(&segment.bytes);
        let lost = bytes
            .filter(|(address, byte)| is_read_only(*address) || !self.system.poke(*address, **byte))
            .count();
        if lost > 0 || segment.bytes.is_empty() {
            self.notes.push(format!(
                "the segment of {} bytes at {:08x} is outside RAM: loaders store it without effect",
                segment.size, segment.address
            ));
        }
    }

    /// Loads a raw binary at 8C010000. A scrambled one, as stored on CDs, is unscrambled, with a note.
    ///
    /// # Errors
    /// If it does not fit into RAM.
    pub fn load_raw(&mut self, bytes: &[u8]) -> Result<(), LoadError> {
        let Some(program) = scramble::unscrambled(bytes) else {
            return self.load_raw_at(LOAD_ADDRESS, bytes);
        };
        self.notes
            .push("the program is scrambled, as on a CD: it was unscrambled".to_owned());
        self.load_raw_at(LOAD_ADDRESS, &program)
    }

    /// Puts a disc into the drive and loads its program at 8C010000.
    ///
    /// # Errors
    /// If the disc does not boot, or its program does not fit into RAM.
    pub fn boot(&mut self, mut disc: Disc) -> Result<(), LoadError> {
        let program = disc.boot_program()?;
        self.notes.extend(program.note);
        self.insert(Some(disc));
        self.load_raw_at(LOAD_ADDRESS, &program.bytes)
    }

    /// Returns notes for the user about the loaded program.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Loads a raw binary at `address`, which is also its entry.
    ///
    /// # Errors
    /// If it does not fit into RAM.
    pub fn load_raw_at(&mut self, address: u32, bytes: &[u8]) -> Result<(), LoadError> {
        self.put(address, bytes)?;
        self.cpu.pc = address;
        Ok(())
    }

    fn put(&mut self, address: u32, bytes: &[u8]) -> Result<(), LoadError> {
        match self.system.write_ram(address & 0x1FFF_FFFF, bytes) {
            true => Ok(()),
            false => Err(LoadError::Outside {
                address,
                size: bytes.len() as u32,
            }),
        }
    }
}

/// Returns true if stores have no effect on memory: the boot ROM and the flash memory are at the start of the
/// address space.
fn is_read_only(address: u32) -> bool {
    address & 0x1FFF_FFFF < 0x0022_0000
}
