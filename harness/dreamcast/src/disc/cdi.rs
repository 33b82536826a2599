//! CDI files (DiscJuggler): sectors of all tracks, followed by a description. cdi4dc and mkdcdisc write them.
//!
//! The last 8 bytes are the version and the location of the description. All numbers are little-endian u32
//! unless stated otherwise. Versions 80000004 and 80000005 store its offset; 80000006 stores its size up to
//! the end of the file. The description has the number of sessions (u16), then for each session:
//!
//! ```text
//! tracks u16, the tracks, 12 bytes (version 80000004) or 13
//! ```
//!
//! A track:
//!
//! ```text
//! u32, and 8 bytes more if it is not 0
//! 00 00 01 00 00 00 FF FF FF FF, twice     4 bytes       length of a file name u8, the name
//! 19 bytes      u32, and 8 bytes more if it is 80000000   2 bytes
//! sectors of the pregap u32      sectors of the track u32       6 bytes
//! mode u32: 0 audio, 1, 2        12 bytes                      logical block u32
//! sectors in the file u32        16 bytes
//! bytes of a sector u32: 0 2048, 1 2336, 2 2352                29 bytes
//! from version 80000005 on: 5 bytes, u32, and 78 bytes more if it is FFFFFFFF
//! ```
//!
//! Field names follow mkdcdisc (`src/disc_image/cdi.c`). Sectors of 2336 bytes lack the sync pattern and the
//! header. The logical block is the one after the pregap.

use super::source::{Source, TrackFile};
use super::storage::{DiscFile, Storage};
use super::{DATA, Disc, DiscError, END, LEAD, MAX_TEXT, Track, WHOLE, XA, check_order};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Oldest and newest supported version of the description.
const OLDEST: u32 = 0x8000_0004;
const NEWEST: u32 = 0x8000_0006;
/// Start of each track's description.
const MARK: [u8; 20] = [
    0, 0, 1, 0, 0, 0, 255, 255, 255, 255, 0, 0, 1, 0, 0, 0, 255, 255, 255, 255,
];
/// Size of the version and location at the end.
const FOOTER: u64 = 8;

/// Opens a CDI file.
pub(super) fn open(files: Storage<'_>, path: &Path) -> Result<Disc, DiscError> {
    let (mut file, size) = files.open(path)?;
    let (version, start) = footer(path, &mut file, size)?;
    let bytes = read(path, &mut file, start, size - FOOTER - start)?;
    let mut reader = Reader {
        path,
        version,
        start,
        bytes: &bytes,
        at: 0,
    };
    let mut tracks: Vec<Track> = Vec::new();
    let mut offset = 0;
    for _ in 0..reader.u16()? {
        for _ in 0..reader.u16()? {
            let number = tracks.len() + 1;
            let record = reader.track(number)?;
            let file = files.open(path)?.0;
            let track = record.open(path, file, number, offset, start)?;
            offset += record.in_file * record.sector as u64;
            check_order(tracks.last(), &track, false)
                .map_err(|(found, expected)| wrong(path, number, found, expected))?;
            tracks.push(track);
        }
        reader.skip(if version == OLDEST { 12 } else { 13 })?;
    }
    if tracks.is_empty() {
        return Err(DiscError::file(
            path,
            "a CDI file without tracks",
            "1 to 99 tracks",
        ));
    }
    Ok(Disc::cd(tracks))
}

fn wrong(path: &Path, track: usize, found: impl AsRef<str>, expected: impl Into<String>) -> DiscError {
    DiscError::file(path, format!("{}, in track {track}", found.as_ref()), expected)
}

/// Returns the version, and the offset of the description.
fn footer(path: &Path, file: &mut DiscFile, size: u64) -> Result<(u32, u64), DiscError> {
    let Some(end) = size.checked_sub(FOOTER) else {
        return Err(DiscError::file(path, format!("{size} bytes"), "a CDI file"));
    };
    let bytes = read(path, file, end, FOOTER)?;
    let word = |at: usize| u32::from_le_bytes(std::array::from_fn(|n| bytes[at + n]));
    let (version, place) = (word(0), u64::from(word(4)));
    if !(OLDEST..=NEWEST).contains(&version) {
        let expected = format!("a CDI file: {OLDEST:08x} to {NEWEST:08x} 8 bytes before the end");
        return Err(DiscError::file(path, format!("version {version:08x}"), expected));
    }
    let start = match version {
        NEWEST => size.checked_sub(place),
        _ => Some(place),
    };
    let start = start.filter(|start| (1..=MAX_TEXT).contains(&end.saturating_sub(*start)));
    match start {
        Some(start) => Ok((version, start)),
        None => {
            let found = format!("place {place:#x} of the description in a file of {size:#x} bytes");
            let expected = format!("1 to {MAX_TEXT} bytes between it and the last 8");
            Err(DiscError::file(path, found, expected))
        }
    }
}

fn read(path: &Path, file: &mut DiscFile, at: u64, length: u64) -> Result<Vec<u8>, DiscError> {
    let mut bytes = vec![0; length as usize];
    file.seek(SeekFrom::Start(at))
        .and_then(|_| file.read_exact(&mut bytes))
        .map_err(|error| DiscError::Host(path.to_owned(), error))?;
    Ok(bytes)
}

/// Reader of the description.
struct Reader<'a> {
    path: &'a Path,
    version: u32,
    /// Offset of the description in the file.
    start: u64,
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], DiscError> {
        let bytes = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk);
        let bytes = *bytes.ok_or_else(|| {
            let found = format!("the end of the description at {:#x}", self.place());
            DiscError::file(self.path, found, "more of its sessions and tracks")
        })?;
        self.at += N;
        Ok(bytes)
    }

    fn u16(&mut self) -> Result<u16, DiscError> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Result<u32, DiscError> {
        self.take().map(u32::from_le_bytes)
    }

    /// Returns the offset in the file.
    fn place(&self) -> u64 {
        self.start + self.at as u64
    }

    fn skip(&mut self, bytes: usize) -> Result<(), DiscError> {
        (0..bytes).try_for_each(|_| self.take::<1>().map(|_| ()))
    }

    /// Reads a word, and skips `more` bytes after it if its value announces them.
    fn optional(&mut self, more: usize, follows: impl Fn(u32) -> bool) -> Result<(), DiscError> {
        match follows(self.u32()?) {
            true => self.skip(more),
            false => Ok(()),
        }
    }

    fn track(&mut self, number: usize) -> Result<Record, DiscError> {
        let path = self.path;
        if number > 99 {
            return Err(wrong(path, number, "more tracks", "at most 99"));
        }
        self.optional(8, |word| word != 0)?;
        let place = self.place();
        if self.take()? != MARK {
            let found = format!("another mark at {place:#x}");
            return Err(wrong(path, number, found, "000001000000ffffffff, twice"));
        }
        self.skip(4)?;
        let [name] = self.take()?;
        self.skip(usize::from(name) + 19)?;
        self.optional(8, |word| word == 0x8000_0000)?;
        self.skip(2)?;
        let (pregap, sectors) = (self.u32()?, self.u32()?);
        self.skip(6)?;
        let mode = self.u32()?;
        self.skip(12)?;
        let (block, in_file) = (self.u32()?, self.u32()?);
        self.skip(16)?;
        let (data, sector) = match (mode, self.u32()?) {
            (0, 2) => (false, WHOLE),
            (1 | 2, 0) => (true, DATA),
            (2, 1) => (true, XA),
            (1 | 2, 2) => (true, WHOLE),
            (mode, sector) => {
                let found = format!("mode {mode} with sectors of kind {sector}");
                let expected = "mode 0 (audio), 1 or 2 and kind 0 (2048 bytes), 1 (2336, mode 2) or 2 (2352)";
                return Err(wrong(path, number, found, expected));
            }
        };
        self.skip(29)?;
        if self.version > OLDEST {
            self.skip(5)?;
            self.optional(78, |word| word == u32::MAX)?;
        }
        Ok(Record {
            data,
            sector,
            pregap: pregap.into(),
            sectors: sectors.into(),
            block: block.into(),
            in_file: in_file.into(),
        })
    }
}

/// Fields of a track, in sectors.
struct Record {
    data: bool,
    /// Bytes per sector.
    sector: usize,
    pregap: u64,
    sectors: u64,
    /// Logical block.
    block: u64,
    /// Number of sectors in the file, including the pregap.
    in_file: u64,
}

impl Record {
    /// Opens the track with its sectors at `offset`. The description begins at `end`.
    fn open(
        &self,
        path: &Path,
        file: DiscFile,
        number: usize,
        offset: u64,
        end: u64,
    ) -> Result<Track, DiscError> {
        if self.sectors == 0 || self.pregap + self.sectors > self.in_file {
            let found = format!("a pregap of {} sectors and {}", self.pregap, self.sectors);
            let expected = format!("at least one sector, and {} with the pregap", self.in_file);
            return Err(wrong(path, number, found, expected));
        }
        if self.block + self.sectors > u64::from(END) {
            let found = format!("an end at logical block {}", self.block + self.sectors);
            return Err(wrong(path, number, found, format!("{END} at the latest")));
        }
        let sector = self.sector as u64;
        if offset + self.in_file * sector > end {
            let found = format!("{} sectors of {sector} bytes at {offset:#x}", self.in_file);
            let expected = format!("an end before the description at {end:#x}");
            return Err(wrong(path, number, found, expected));
        }
        Ok(Track {
            start: LEAD + self.block as u32,
            sectors: self.sectors as u32,
            data: self.data,
            source: Source::File(TrackFile {
                path: path.to_owned(),
                file,
                offset: offset + self.pregap * sector,
                sector: self.sector,
                end: 0,
            }),
        })
    }
}
