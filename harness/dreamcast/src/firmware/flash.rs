//! Flash memory of 128 KiB with a valid system configuration, and its calls (vector 8C0000B8).

use super::{Served, dcload::Host};
use crate::system::System;
use sh4::Cpu;

/// Size of flash memory in bytes.
pub const BYTES: usize = 128 << 10;
/// Offsets and sizes in bytes of partitions 0 to 4: factory, reserved, user, game, and an unnamed one.
const PARTITIONS: [(usize, usize); 5] = [
    (0x1_A000, 0x2000),
    (0x1_8000, 0x2000),
    (0x1_C000, 0x4000),
    (0x1_0000, 0x8000),
    (0, 0x1_0000),
];
const BLOCK: usize = 64;
/// Logical block of the system configuration.
const CONFIGURATION: u16 = 5;

/// Region, as stored in the factory partition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Region {
    /// Japan, NTSC.
    Japan,
    /// America, NTSC.
    #[default]
    America,
    /// Europe, PAL.
    Europe,
}

impl Region {
    /// Returns G1SYSM, bits 3 to 0 (KallistiOS, `hardware.c`).
    pub(crate) fn system_mode(self) -> u32 {
        match self {
            Region::Japan => 1,
            Region::America => 4,
            Region::Europe => 0xC,
        }
    }
}

/// Flash memory with its command state.
#[derive(Clone)]
pub struct Flash {
    bytes: Vec<u8>,
    /// Progress of the current AMD command sequence.
    sequence: Sequence,
}

state::fields!(Flash { bytes, sequence } check(|flash: &Flash| flash.bytes.len() == BYTES));

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sequence {
    #[default]
    Idle,
    First,
    Second,
    Program,
    Erase(u8),
}

state::variants!(Sequence {
    0 Idle,
    1 First,
    2 Second,
    3 Program,
    4 Erase(count),
});

impl std::fmt::Debug for Flash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Flash")
            .field("sequence", &self.sequence)
            .finish_non_exhaustive()
    }
}

impl Flash {
    /// Creates flash memory for a region, with English menus, stereo sound and automatic start.
    #[must_use]
    pub fn new(region: Region) -> Self {
        let mut flash = Self {
            bytes: vec![0xFF; BYTES],
            sequence: Sequence::Idle,
        };
        flash.write_factory(region);
        for (number, (offset, size)) in PARTITIONS.iter().enumerate().skip(2) {
            flash.format(number as u8, *offset, *size);
        }
        let (user, size) = PARTITIONS[2];
        // KallistiOS ignores the first used block, so the configuration is in the second.
        flash.write_block(user, size, 0, &configuration());
        flash.write_block(user, size, 1, &configuration());
        flash
    }

    fn write_factory(&mut self, region: Region) {
        let letters: &[u8; 5] = match region {
            Region::Japan => b"00000",
            Region::America => b"00110",
            Region::Europe => b"00211",
        };
        for offset in [0x1_A000, 0x1_A0A0] {
            self.bytes[offset..offset + 5].copy_from_slice(letters);
        }
        self.bytes[0x1_A056..0x1_A05E].copy_from_slice(b"swirl\0\0\x01");
        let (reserved, size) = PARTITIONS[1];
        self.bytes[reserved..reserved + size].fill(0);
    }

    /// Writes block 0 with the partition's name. The bitmap at the end marks all blocks as free.
    fn format(&mut self, number: u8, offset: usize, _size: usize) {
        self.bytes[offset..offset + 16].copy_from_slice(b"KATANA_FLASH____");
        self.bytes[offset + 16] = number;
        self.bytes[offset + 17] = 0;
    }

    /// Writes user block `index` of a partition, and marks it as used.
    fn write_block(&mut self, offset: usize, size: usize, index: usize, block: &[u8; BLOCK]) {
        let at = offset + BLOCK * (index + 1);
        self.bytes[at..at + BLOCK].copy_from_slice(block);
        let bitmap = offset + size - (size / BLOCK / 8).next_multiple_of(BLOCK);
        self.bytes[bitmap + index / 8] &= !(0x80 >> (index % 8));
    }

    /// All bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the system configuration block.
    #[must_use]
    pub fn configuration(&self) -> [u8; BLOCK] {
        let at = PARTITIONS[2].0 + 2 * BLOCK;
        std::array::from_fn(|n| self.bytes[at + n])
    }

    /// Handles a byte written to the flash's address: AMD command sequences for program and erase.
    pub fn command(&mut self, offset: u32, value: u8) {
        let (at, offset) = (offset & 0xFFFF, offset as usize % BYTES);
        self.sequence = match (self.sequence, at, value) {
            (Sequence::Program, _, _) => {
                self.bytes[offset] &= value;
                Sequence::Idle
            }
            (Sequence::Erase(2), _, 0x30) => {
                let sector = offset & !0x1FFF;
                self.bytes[sector..sector + 0x2000].fill(0xFF);
                Sequence::Idle
            }
            (Sequence::Erase(0), 0x5555, 0xAA) => Sequence::Erase(1),
            (Sequence::Erase(1), 0x2AAA, 0x55) => Sequence::Erase(2),
            (Sequence::Idle, 0x5555, 0xAA) => Sequence::First,
            (Sequence::First, 0x2AAA, 0x55) => Sequence::Second,
            (Sequence::Second, 0x5555, 0xA0) => Sequence::Program,
            (Sequence::Second, 0x5555, 0x80) => Sequence::Erase(0),
            _ => Sequence::Idle,
        };
    }
}

/// Returns block 5: date, time zone, language English, stereo, automatic start.
fn configuration() -> [u8; BLOCK] {
    let mut block = [0xFF; BLOCK];
    block[..2].copy_from_slice(&CONFIGURATION.to_le_bytes());
    block[2..6].copy_from_slice(&[0; 4]);
    block[6..10].copy_from_slice(&[0, 1, 0, 0]);
    let crc = crc(&block[..62]);
    block[62..].copy_from_slice(&crc.to_le_bytes());
    block
}

/// Returns the CRC of a block: polynomial 1021, initial value FFFF, most significant bit first, inverted.
fn crc(bytes: &[u8]) -> u16 {
    let mut crc = 0xFFFF_u16;
    for byte in bytes {
        crc ^= u16::from(*byte) << 8;
        for _ in 0..8 {
            let carry = crc & 0x8000 != 0;
            crc = crc << 1 ^ if carry { 0x1021 } else { 0 };
        }
    }
    !crc
}

/// Serves a flash call. R7 selects the function: 0 returns a partition's offset and size, 1 reads, 2 writes
/// (bits change only from 1 to 0), 3 erases a partition.
pub(super) fn serve(cpu: &mut Cpu, system: &mut System, _host: &mut Host) -> Served {
    let [first, buffer, size] = [cpu.r[4], cpu.r[5], cpu.r[6]];
    let answer = match cpu.r[7] {
        0 => partition(system, first, buffer),
        1 => read(system, first, buffer, size),
        2 => write(system, first, buffer, size),
        3 => erase(system, first),
        _ => None,
    };
    cpu.r[0] = answer.unwrap_or(u32::MAX);
    Served::Done
}

fn partition(system: &mut System, number: u32, buffer: u32) -> Option<u32> {
    let (offset, size) = PARTITIONS.get(number as usize)?;
    let words = [*offset as u32, *size as u32];
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    system.write_ram(buffer & 0x1FFF_FFFF, &bytes).then_some(0)
}

fn read(system: &mut System, offset: u32, buffer: u32, size: u32) -> Option<u32> {
    let end = offset.checked_add(size)?;
    let bytes = system.flash.bytes.get(offset as usize..end as usize)?.to_vec();
    system.write_ram(buffer & 0x1FFF_FFFF, &bytes).then_some(size)
}

fn write(system: &mut System, offset: u32, buffer: u32, size: u32) -> Option<u32> {
    let bytes = system.ram_at(buffer & 0x1FFF_FFFF, size)?.to_vec();
    let end = offset.checked_add(size)?;
    let target = system.flash.bytes.get_mut(offset as usize..end as usize)?;
    target.iter_mut().zip(bytes).for_each(|(old, new)| *old &= new);
    Some(size)
}

fn erase(system: &mut System, offset: u32) -> Option<u32> {
    let number = PARTITIONS.iter().position(|(at, _)| *at as u32 == offset)?;
    let (at, size) = PARTITIONS[number];
    system.flash.bytes[at..at + size].fill(0xFF);
    Some(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_is_found_as_kallistios_searches_for_it() {
        let flash = Flash::new(Region::default());
        let (offset, size) = PARTITIONS[2];
        assert_eq!(&flash.bytes()[offset..offset + 16], b"KATANA_FLASH____");
        // The partition has 256 blocks. The bitmap of 32 bytes occupies the last block. Two blocks are used.
        assert_eq!(flash.bytes()[offset + size - 64], 0x3F);
        let block = flash.configuration();
        assert_eq!(block[..2], [5, 0]);
        assert_eq!(crc(&block[..62]), u16::from_le_bytes([block[62], block[63]]));
    }

    /// The check value of this CRC (also called GENIBUS) over "123456789".
    #[test]
    fn crc_of_the_check_string() {
        assert_eq!(crc(b"123456789"), 0xD64E);
    }

    #[test]
    fn programs_and_erases_by_command() {
        let mut flash = Flash::new(Region::default());
        for (offset, value) in [(0x5555, 0xAA), (0x2AAA, 0x55), (0x5555, 0xA0), (0x4000, 0x12)] {
            flash.command(offset, value);
        }
        assert_eq!(flash.bytes()[0x4000], 0x12);
        for (offset, value) in [
            (0x5555, 0xAA),
            (0x2AAA, 0x55),
            (0x5555, 0x80),
            (0x5555, 0xAA),
            (0x2AAA, 0x55),
            (0x4000, 0x30),
        ] {
            flash.command(offset, value);
        }
        assert_eq!(flash.bytes()[0x4000], 0xFF);
    }
}
