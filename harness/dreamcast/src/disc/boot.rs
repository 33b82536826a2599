//! Reads the program that a disc boots.

use super::scramble::{Order, descramble, order};
use super::{DATA, Disc, HIGH_DENSITY, Kind, LEAD, Part, ReadError, Track};
use crate::limits::BOOT_DIRECTORY as MAX_DIRECTORY;
use crate::limits::BOOT_PROGRAM as MAX;

/// Start of IP.BIN.
pub(crate) const HARDWARE: &[u8] = b"SEGA SEGAKATANA";
/// Range in IP.BIN with the name of the program's file, in 16 characters.
const BOOT_FILE: std::ops::Range<usize> = 0x60..0x70;

/// Program of a disc, in memory order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootProgram {
    /// Content of the program.
    pub bytes: Vec<u8>,
    /// Reason why a console would not run the program, if its byte order is wrong for the disc.
    pub note: Option<String>,
}

/// Reason why a disc does not boot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the disc does not boot: found {found}, expected {expected}")]
pub struct BootError {
    found: String,
    expected: String,
}

fn wrong(found: impl Into<String>, expected: impl Into<String>) -> BootError {
    BootError {
        found: found.into(),
        expected: expected.into(),
    }
}

impl Disc {
    /// Returns the program named by IP.BIN, in memory order. Programs are scrambled on CDs but not on
    /// GD-ROMs. A program in the wrong order is accepted with a note.
    ///
    /// # Errors
    /// If the disc has no IP.BIN, no such file, or cannot be read.
    pub fn boot_program(&mut self) -> Result<BootProgram, BootError> {
        let start = self.boot_track().ok_or_else(|| wrong("no data track", "one"))?;
        let header = self.sector(start)?;
        if !header.starts_with(HARDWARE) {
            return Err(wrong("no IP.BIN in the track's first sector", "SEGA SEGAKATANA"));
        }
        let name = String::from_utf8_lossy(&header[BOOT_FILE])
            .trim()
            .to_ascii_uppercase();
        let (sector, size) = self
            .find(start, &name)?
            .ok_or_else(|| wrong(format!("no file {name:?}"), "the file that IP.BIN names"))?;
        if size > MAX {
            let found = format!("{name} of {size} bytes");
            return Err(wrong(found, format!("at most {MAX}, the RAM from 8c010000 on")));
        }
        let mut program = Vec::new();
        for n in 0..size.div_ceil(DATA as u32) {
            program.extend(self.sector(LEAD.saturating_add(sector).saturating_add(n))?);
        }
        program.truncate(size as usize);
        Ok(in_order(program, self.kind, &name))
    }

    /// Returns the start of the first data track of the high-density area, or on a CD of the last data track.
    fn boot_track(&self) -> Option<u32> {
        let data = |track: &&Track| track.data;
        let high = |track: &&Track| track.data && track.start >= LEAD + HIGH_DENSITY;
        let mut tracks = self.tracks.iter();
        let track = match self.kind {
            Kind::GdRom => tracks.find(high),
            _ => tracks.rfind(data),
        };
        track.map(|track| track.start)
    }

    fn sector(&mut self, fad: u32) -> Result<Vec<u8>, BootError> {
        self.read(fad, Part::Data).map_err(|error| match error {
            ReadError::Host(why) => wrong(why, "a sector"),
            ReadError::Outside | ReadError::Mode => {
                wrong(format!("no data at frame address {fad}"), "a sector")
            }
        })
    }

    /// Returns the first logical block and size of a file in the root directory.
    fn find(&mut self, start: u32, name: &str) -> Result<Option<(u32, u32)>, BootError> {
        let descriptor = self.sector(start.saturating_add(16))?;
        if !descriptor.starts_with(b"\x01CD001") {
            return Err(wrong("no primary volume descriptor", "an ISO 9660 file system"));
        }
        let (first, size) = extent(&descriptor[156..]);
        for n in 0..size.div_ceil(DATA as u32).min(MAX_DIRECTORY) {
            let bytes = self.sector(LEAD.saturating_add(first).saturating_add(n))?;
            if let Some(record) = records(&bytes).find(|record| is_called(record, name)) {
                return Ok(Some(extent(record)));
            }
        }
        Ok(None)
    }
}

fn in_order(stored: Vec<u8>, kind: Kind, name: &str) -> BootProgram {
    let descrambled = descramble(&stored);
    let usual = match kind {
        Kind::GdRom => Order::Plain,
        _ => Order::Scrambled,
    };
    let found = order(&stored, &descrambled).unwrap_or(usual);
    let note = match (usual, found) {
        (Order::Scrambled, Order::Plain) => Some(format!(
            "{name} is not scrambled: a console would not run it from a CD"
        )),
        (Order::Plain, Order::Scrambled) => Some(format!(
            "{name} is scrambled: a console would not run it from a GD-ROM"
        )),
        _ => None,
    };
    BootProgram {
        bytes: match found {
            Order::Plain => stored,
            Order::Scrambled => descrambled,
        },
        note,
    }
}

/// Returns the first logical block and size in a directory record.
fn extent(record: &[u8]) -> (u32, u32) {
    let word = |at: usize| {
        let bytes = record.get(at..).and_then(|rest| rest.first_chunk());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    };
    (word(2), word(10))
}

/// Returns the directory records of a sector.
fn records(mut sector: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let length = usize::from(*sector.first()?).max(1);
        let (record, rest) = sector.split_at_checked(length)?;
        sector = rest;
        (length > 33).then_some(record)
    })
}

/// Compares a name without its version number.
fn is_called(record: &[u8], name: &str) -> bool {
    let found = record.get(33..33 + usize::from(record[32])).unwrap_or_default();
    let found = found.split(|byte| *byte == b';').next().unwrap_or_default();
    found.eq_ignore_ascii_case(name.as_bytes())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

    use super::*;
    use std::fs;

    fn header(name: &str) -> Vec<u8> {
        let mut header = b"SEGA SEGAKATANA ".to_vec();
        header.resize(0x60, b' ');
        header.extend(format!("{name:16}").bytes());
        header
    }

    #[test]
    fn a_folder_with_ip_bin_boots() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("game.bin"), [5; 40]).unwrap();
        let boot = |folder: &tempfile::TempDir| Disc::open(folder.path()).unwrap().boot_program();
        assert!(boot(&folder).unwrap_err().to_string().contains("no IP.BIN"));
        fs::write(folder.path().join("IP.BIN"), header("1ST_READ.BIN")).unwrap();
        assert!(
            boot(&folder)
                .unwrap_err()
                .to_string()
                .contains("no file \"1ST_READ.BIN\"")
        );
        fs::write(folder.path().join("ip.bin"), header("GAME.BIN")).unwrap();
        fs::remove_file(folder.path().join("IP.BIN")).unwrap();
        assert_eq!(boot(&folder).unwrap().bytes, [5; 40]);
    }
}
