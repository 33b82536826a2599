//! ISO images with 2048 bytes per sector and one data track.

use super::source::{Source, TrackFile};
use super::storage::{DiscFile, Storage};
use super::{DATA, Disc, DiscError, HIGH_DENSITY, LEAD, SECOND_SESSION, Track};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Opens an image. Its file system determines the track's first logical block: 0, or the start of a second
/// session or of the high-density area.
pub(super) fn open(files: Storage<'_>, path: &Path) -> Result<Disc, DiscError> {
    let (mut file, size) = files.open(path)?;
    let length = DATA as u64;
    if size % length != 0 || size / length < 18 || size / length > u64::from(super::END) {
        let found = format!("{size} bytes");
        return Err(DiscError::file(
            path,
            found,
            "sectors of 2048 bytes, 18 to 549,150 of them",
        ));
    }
    let sectors = (size / length) as u32;
    let base = base(&mut file, sectors).map_err(|error| DiscError::Host(path.to_owned(), error))?;
    let Some(base) = base else {
        return Err(DiscError::file(
            path,
            "no primary volume descriptor, or a root directory outside the file",
            "an ISO 9660 image for logical block 0, 11702 or 45000",
        ));
    };
    let source = Source::File(TrackFile {
        path: path.to_owned(),
        file,
        offset: 0,
        sector: DATA,
        end: 0,
    });
    let track = Track {
        start: LEAD + base,
        sectors,
        data: true,
        source,
    };
    Ok(Disc::new(match base {
        0 => vec![track],
        _ => vec![Track::silence(0), track],
    }))
}

/// Returns the logical block of the image's first sector. Tries each possible block, and takes the one at
/// which the root directory is found: its first entry contains the directory's own address.
fn base(file: &mut DiscFile, sectors: u32) -> std::io::Result<Option<u32>> {
    let descriptor = sector(file, 16)?;
    if &descriptor[..6] != b"\x01CD001" {
        return Ok(None);
    }
    let root = word(&descriptor, 156 + 2);
    for base in [0, SECOND_SESSION, HIGH_DENSITY] {
        let Some(index) = root.checked_sub(base).filter(|index| *index < sectors) else {
            continue;
        };
        let directory = sector(file, index)?;
        if directory[32..34] == [1, 0] && word(&directory, 2) == root {
            return Ok(Some(base));
        }
    }
    Ok(None)
}

fn sector(file: &mut DiscFile, index: u32) -> std::io::Result<[u8; DATA]> {
    let mut bytes = [0; DATA];
    file.seek(SeekFrom::Start(u64::from(index) * DATA as u64))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn word(bytes: &[u8; DATA], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|n| bytes[at + n]))
}
