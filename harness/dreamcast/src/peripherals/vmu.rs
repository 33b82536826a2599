//! The visual memory: 256 blocks of 512 bytes, a screen of 48 x 32 points, a clock.

use super::{Identity, Peripheral, Reply, code, command};

const CLOCK: u32 = 0x0800_0000;
const LCD: u32 = 0x0400_0000;
const STORAGE: u32 = 0x0200_0000;
/// Bytes of the memory.
pub const BYTES: usize = 128 << 10;
const BLOCK: usize = 512;
/// Bytes per phase of a block write.
const PHASE: usize = 128;
/// Bytes of the screen: 32 rows of 6.
const LCD_BYTES: usize = 192;
const ROOT: usize = 255;
const FAT: usize = 254;
const DIRECTORY: usize = 253;
const DIRECTORY_BLOCKS: usize = 13;

/// A visual memory.
#[derive(Clone)]
pub struct Vmu {
    memory: Vec<u8>,
    screen: [u8; LCD_BYTES],
    /// Bytes of the block being written.
    pending: Vec<u8>,
    clock: [u8; 8],
    changed: bool,
}

state::fields!(Vmu { memory, screen, pending, clock, changed } check(|vmu: &Vmu| {
    vmu.memory.len() == BYTES && vmu.pending.len() <= BLOCK
}));

impl std::fmt::Debug for Vmu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vmu")
            .field("changed", &self.changed)
            .finish_non_exhaustive()
    }
}

impl Default for Vmu {
    fn default() -> Self {
        Self::formatted()
    }
}

impl Vmu {
    /// Creates a memory without files.
    #[must_use]
    pub fn formatted() -> Self {
        let mut memory = vec![0; BYTES];
        let root = &mut memory[ROOT * BLOCK..];
        root[..16].fill(0x55);
        // 27 November 1998, the console's release date, in BCD with the weekday at the end.
        root[0x30..0x38].copy_from_slice(&[0x19, 0x98, 0x11, 0x27, 0, 0, 0, 4]);
        for (n, word) in media_words().into_iter().enumerate() {
            root[0x40 + 4 * n..0x44 + 4 * n].copy_from_slice(&word.to_le_bytes());
        }
        let fat = &mut memory[FAT * BLOCK..ROOT * BLOCK];
        let mut entry =
            |block: usize, next: u16| fat[2 * block..2 * block + 2].copy_from_slice(&next.to_le_bytes());
        (0..256).for_each(|block| entry(block, 0xFFFC));
        entry(ROOT, 0xFFFA);
        entry(FAT, 0xFFFA);
        let last = DIRECTORY + 1 - DIRECTORY_BLOCKS;
        (last..=DIRECTORY)
            .for_each(|block| entry(block, if block == last { 0xFFFA } else { block as u16 - 1 }));
        Self::with(memory)
    }

    /// Creates a memory with the given contents; `None` if their size is not 128 KiB.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        (bytes.len() == BYTES).then(|| Self::with(bytes.to_vec()))
    }

    fn with(memory: Vec<u8>) -> Self {
        Self {
            memory,
            screen: [0; LCD_BYTES],
            pending: Vec::new(),
            clock: [0; 8],
            changed: false,
        }
    }

    /// Returns the memory's contents.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.memory
    }

    /// Returns true if a program has written to the memory.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.changed
    }

    /// Returns true if a point of the screen is dark, as seen by the user: the unit is upside down in a
    /// controller.
    #[must_use]
    pub fn point(&self, x: usize, y: usize) -> bool {
        let (x, y) = (47 - x.min(47), 31 - y.min(31));
        self.screen[y * 6 + x / 8] >> (7 - x % 8) & 1 != 0
    }

    /// Returns the block and phase in a location word: the block's low byte is in bits 31 to 24, the phase in
    /// bits 15 to 8.
    fn place(location: u32) -> Option<(usize, usize)> {
        let [partition, phase, high, low] = location.to_le_bytes();
        let block = usize::from(high) << 8 | usize::from(low);
        (partition == 0 && block < 256).then_some((block, phase.into()))
    }

    fn read(&self, function: u32, location: u32) -> Reply {
        let bytes = match (function, Self::place(location)) {
            (STORAGE, Some((block, 0))) => &self.memory[block * BLOCK..(block + 1) * BLOCK],
            (CLOCK, _) => &self.clock[..],
            (LCD, _) => &self.screen[..],
            _ => return Reply::empty(code::FILE),
        };
        let words = bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|chunk| u32::from_le_bytes(*chunk));
        let words: Vec<u32> = match function {
            CLOCK => words.collect(),
            _ => std::iter::once(location).chain(words).collect(),
        };
        Reply::data(function, &words)
    }

    fn write(&mut self, function: u32, location: u32, words: &[u32]) -> Reply {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let written = match function {
            STORAGE => self.write_phase(location, &bytes),
            LCD => copy(&mut self.screen, &bytes),
            CLOCK => copy(&mut self.clock, &bytes),
            _ => None,
        };
        Reply::empty(if written.is_some() {
            code::ACKNOWLEDGE
        } else {
            code::FILE
        })
    }

    /// Writes one of the four phases of a block write, in order.
    fn write_phase(&mut self, location: u32, bytes: &[u8]) -> Option<()> {
        let (_, phase) = Self::place(location)?;
        if phase == 0 {
            self.pending.clear();
        }
        if phase > 3 || bytes.len() != PHASE || self.pending.len() != phase * PHASE {
            return None;
        }
        self.pending.extend_from_slice(bytes);
        Some(())
    }

    /// "Get last error" with phase 4 ends a block write.
    fn finish_write(&mut self, location: u32) -> Reply {
        let place = Self::place(location).filter(|_| self.pending.len() == BLOCK);
        let Some((block, _)) = place else {
            return Reply::empty(code::FILE);
        };
        self.memory[block * BLOCK..(block + 1) * BLOCK].copy_from_slice(&self.pending);
        self.pending.clear();
        self.changed = true;
        Reply::empty(code::ACKNOWLEDGE)
    }
}

/// Copies `bytes` to the start of `target`; returns `None` if they do not fit.
fn copy(target: &mut [u8], bytes: &[u8]) -> Option<()> {
    target.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(())
}

/// Returns: last block and partition; root and FAT block; FAT size and directory; directory size and icon;
/// save area and its size; and a word as real units return it.
fn media_words() -> [u32; 6] {
    let pair = |low: usize, high: usize| (low | high << 16) as u32;
    [
        pair(255, 0),
        pair(ROOT, FAT),
        pair(1, DIRECTORY),
        pair(DIRECTORY_BLOCKS, 0),
        pair(200, 200),
        0x0080_0000,
    ]
}

impl Peripheral for Vmu {
    fn boxed(&self) -> Box<dyn Peripheral> {
        Box::new(self.clone())
    }

    fn identity(&self) -> Identity {
        Identity {
            functions: CLOCK | LCD | STORAGE,
            function_data: [0x403F_7E7E, 0x0010_0500, 0x0041_0F00],
            region: 0xFF,
            name: "Visual Memory",
            currents: [0x7C, 0x82],
        }
    }

    fn command(&mut self, command: u8, data: &[u32]) -> Reply {
        match (command, data) {
            (command::MEDIA, [STORAGE, ..]) => Reply::data(STORAGE, &media_words()),
            // 48 x 32 points, no grades of grey, two reserved bytes.
            (command::MEDIA, [LCD, ..]) => Reply::data(LCD, &[0x0200_1F2F]),
            (command::READ, [function, location, ..]) => self.read(*function, *location),
            (command::READ, [CLOCK]) => self.read(CLOCK, 0),
            (command::WRITE, [function, location, words @ ..]) => self.write(*function, *location, words),
            (command::SYNC, [STORAGE, location, ..]) => self.finish_write(*location),
            // No button of the unit is pressed.
            (command::CONDITION, [CLOCK, ..]) => Reply::data(CLOCK, &[0xFF]),
            (command::SET, [CLOCK, ..]) => Reply::empty(code::ACKNOWLEDGE),
            (
                command::MEDIA
                | command::READ
                | command::WRITE
                | command::SYNC
                | command::CONDITION
                | command::SET,
                _,
            ) => Reply::empty(code::FUNCTION),
            _ => Reply::empty(code::COMMAND),
        }
    }

    fn as_vmu(&self) -> Option<&Vmu> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(block: u32, phase: u32) -> u32 {
        phase << 8 | (block >> 8 & 0xFF) << 16 | (block & 0xFF) << 24
    }

    #[test]
    fn a_block_is_written_in_four_phases_and_read_back() {
        let mut vmu = Vmu::formatted();
        for phase in 0..4 {
            let mut data = vec![STORAGE, location(10, phase)];
            data.extend((0..32).map(|n| phase * 100 + n));
            assert_eq!(vmu.respond(command::WRITE, &data).code, code::ACKNOWLEDGE);
        }
        assert!(!vmu.is_changed());
        let end = vmu.respond(command::SYNC, &[STORAGE, location(10, 4)]);
        assert_eq!(end.code, code::ACKNOWLEDGE);
        let read = vmu.respond(command::READ, &[STORAGE, location(10, 0)]);
        assert_eq!(read.data.len(), 130);
        assert_eq!(read.data[..3], [STORAGE, location(10, 0), 0]);
        assert_eq!(read.data[129], 331);
        assert!(vmu.is_changed());
    }

    #[test]
    fn wrong_blocks_and_phases_are_file_errors() {
        let mut vmu = Vmu::formatted();
        assert_eq!(
            vmu.respond(command::READ, &[STORAGE, location(256, 0)]).code,
            code::FILE
        );
        assert_eq!(
            vmu.respond(command::WRITE, &[STORAGE, location(1, 2), 0]).code,
            code::FILE
        );
        assert_eq!(
            vmu.respond(command::SYNC, &[STORAGE, location(1, 4)]).code,
            code::FILE
        );
        assert_eq!(vmu.respond(command::WRITE, &[]).code, code::FUNCTION);
    }

    #[test]
    fn a_formatted_memory_has_its_root_fat_and_directory() {
        let vmu = Vmu::formatted();
        let bytes = vmu.bytes();
        assert_eq!(bytes[ROOT * BLOCK..ROOT * BLOCK + 16], [0x55; 16]);
        let next = |block: usize| {
            u16::from_le_bytes([bytes[FAT * BLOCK + 2 * block], bytes[FAT * BLOCK + 2 * block + 1]])
        };
        assert_eq!(
            (next(0), next(199), next(253), next(241)),
            (0xFFFC, 0xFFFC, 252, 0xFFFA)
        );
    }

    #[test]
    fn the_screen_is_upside_down() {
        let mut vmu = Vmu::formatted();
        let mut data = vec![LCD, 0];
        data.extend([0x80_u32]);
        data.extend([0; 47]);
        assert_eq!(vmu.respond(command::WRITE, &data).code, code::ACKNOWLEDGE);
        assert!(vmu.point(47, 31));
        assert!(!vmu.point(0, 0));
    }
}
