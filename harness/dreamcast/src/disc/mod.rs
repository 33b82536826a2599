//! Discs: tracks of sectors, from a folder of the host, an ISO image, a CDI file, or a GDI or cue file with
//! its tracks. The files are on the host or in memory.
//!
//! Sectors are read only when the drive requests them; the files that describe the layout are read first.

use crate::limits::DISC_TEXT as MAX_TEXT;

pub(crate) mod answers;
mod boot;
mod cdi;
mod cue;
mod gdi;
mod image;
mod iso;
pub(crate) mod player;
pub(crate) mod scramble;
mod source;
mod storage;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod wave;

pub(crate) use boot::HARDWARE;
pub use boot::{BootError, BootProgram};
use source::Source;
use std::path::{Path, PathBuf};
use storage::Storage;
pub use storage::{DiscData, DiscFiles};

/// Bytes of data in a sector.
pub const DATA: usize = 2048;
/// Bytes of a whole sector.
pub const WHOLE: usize = 2352;
/// Bytes of a mode 2 sector without sync pattern and header.
const XA: usize = WHOLE - 16;
/// Frame address (FAD) of logical block 0. Two seconds of 75 sectors precede it (ECMA-130, section 20).
pub const LEAD: u32 = 150;
/// First logical block of a GD-ROM's high-density area.
pub const HIGH_DENSITY: u32 = 45_000;
/// First logical block after the end of a GD-ROM.
const END: u32 = 549_150;
/// Logical block of the second session after an audio track of four seconds (Orange Book). Bootable CDs for
/// the console have their data here.
const SECOND_SESSION: u32 = 11_702;
/// Sectors of the shortest permitted track: four seconds (ECMA-130, section 20).
const SHORTEST_TRACK: u32 = 300;
/// Sectors between the first two sessions of a CD: lead-out, lead-in and pregap (Orange Book).
const SESSION_GAP: u32 = 11_400;
/// Sectors between later sessions.
const NEXT_GAP: u32 = 6_900;

/// Reason why a disc cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DiscError {
    /// The host reported an error for a file.
    #[error("{0}: {1}")]
    Host(PathBuf, std::io::Error),
    /// A file or folder has unexpected content.
    #[error("{path}: found {found}, expected {expected}")]
    File {
        /// The file.
        path: PathBuf,
        /// Found content.
        found: String,
        /// Expected content.
        expected: String,
    },
    /// An error in a line of a text that describes a disc.
    #[error("{path}, line {line}: found {found}, expected {expected}")]
    Line {
        /// The file.
        path: PathBuf,
        /// Line, counted from 1.
        line: usize,
        /// Found content.
        found: String,
        /// Expected content.
        expected: String,
    },
}

impl DiscError {
    fn file(path: &Path, found: impl Into<String>, expected: impl Into<String>) -> Self {
        DiscError::File {
            path: path.to_owned(),
            found: found.into(),
            expected: expected.into(),
        }
    }
}

/// Kind of disc that the drive reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only audio tracks.
    Audio,
    /// CD-ROM XA, the kind of recordable discs with programs.
    CdRomXa,
    /// GD-ROM.
    GdRom,
}

impl Kind {
    /// Returns the code in the drive's status.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Kind::Audio => 0,
            Kind::CdRomXa => 0x20,
            Kind::GdRom => 0x80,
        }
    }
}

/// Track layout of a disc made from a folder. The folder's files track01.wav to track99.wav become audio
/// tracks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// A bootable CD-R. The first session has the audio tracks, or four seconds of silence. The second
    /// session has the data track, at logical block 11,702 or later.
    #[default]
    CdR,
    /// The low-density area has a data track without files, then the audio tracks. The last track has the
    /// files and starts at logical block 45,000.
    GdRom,
    /// A data track starting at logical block 0, followed by the audio tracks.
    Data,
}

/// Part of a sector to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The 2048 bytes of a data sector.
    #[default]
    Data,
    /// All 2352 bytes.
    Whole,
}

state::variants!(Part {
    0 Data,
    1 Whole,
});

impl Part {
    /// Size in bytes.
    #[must_use]
    pub fn bytes(self) -> usize {
        match self {
            Part::Data => DATA,
            Part::Whole => WHOLE,
        }
    }
}

/// Reason why a sector cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// No track contains this sector.
    Outside,
    /// The track has audio, but the read requests data.
    Mode,
    /// The host reported an error, or the file has changed.
    Host(String),
}

/// A track.
#[derive(Debug)]
pub(crate) struct Track {
    /// Frame address of the first sector.
    pub(crate) start: u32,
    pub(crate) sectors: u32,
    pub(crate) data: bool,
    source: Source,
}

impl Track {
    /// Returns four seconds of silence starting at a logical block: the shortest audio track (ECMA-130,
    /// section 20).
    fn silence(block: u32) -> Self {
        Self {
            start: LEAD + block,
            sectors: SHORTEST_TRACK,
            data: false,
            source: Source::Silence,
        }
    }

    fn of_image(image: image::Image) -> Self {
        Self {
            start: LEAD + image.base(),
            sectors: image.sectors(),
            data: true,
            source: Source::Image(image),
        }
    }

    /// Returns the frame address after the last sector.
    pub(crate) fn end(&self) -> u32 {
        self.start + self.sectors
    }

    /// Returns the logical block after the last sector.
    fn end_block(&self) -> u32 {
        self.end() - LEAD
    }

    /// Returns control and address fields of the table of contents.
    pub(crate) fn control(&self) -> u8 {
        if self.data { 0x41 } else { 0x01 }
    }
}

/// A disc with its tracks.
#[derive(Debug)]
pub struct Disc {
    kind: Kind,
    /// Tracks; the first is track 1.
    tracks: Vec<Track>,
}

impl Disc {
    /// Returns whether a path is a disc, by its extension or because it is a folder, rather than a program.
    #[must_use]
    pub fn is_image(path: &Path) -> bool {
        path.is_dir() || matches!(ending(path).as_deref(), Some("cdi" | "cue" | "gdi" | "iso"))
    }

    /// Opens a folder, an ISO image, a CDI, a GDI or a cue file, according to the extension.
    ///
    /// # Errors
    /// If a file cannot be read or is not a disc.
    pub fn open(path: &Path) -> Result<Self, DiscError> {
        if path.is_dir() {
            return Self::from_folder(path, Layout::default());
        }
        std::fs::metadata(path).map_err(|error| DiscError::Host(path.to_owned(), error))?;
        Self::open_in(Storage::Host, path)
    }

    /// Opens an ISO image, a CDI, a GDI or a cue file among files.
    ///
    /// # Errors
    /// If a file is missing or is not a disc.
    pub fn from_files(files: &DiscFiles, path: &Path) -> Result<Self, DiscError> {
        Self::open_in(Storage::Given(files), path)
    }

    fn open_in(files: Storage<'_>, path: &Path) -> Result<Self, DiscError> {
        match ending(path).as_deref() {
            Some("cdi") => cdi::open(files, path),
            Some("cue") => cue::open(files, path),
            Some("gdi") => gdi::open(files, path),
            Some("iso") => iso::open(files, path),
            _ => Err(DiscError::file(
                path,
                "another file",
                "a folder, NAME.iso, NAME.cdi, NAME.gdi or NAME.cue",
            )),
        }
    }

    /// Creates a disc with the files of a host folder in an ISO 9660 file system.
    ///
    /// # Errors
    /// If the folder cannot be read, or does not fit on a disc.
    pub fn from_folder(folder: &Path, layout: Layout) -> Result<Self, DiscError> {
        Ok(match layout {
            Layout::CdR => {
                let mut tracks = wave::tracks(folder, 0)?;
                if tracks.is_empty() {
                    tracks.push(Track::silence(0));
                }
                let end = tracks.last().map_or(0, Track::end_block);
                let files = image::Image::of(folder, end + SECOND_SESSION - SHORTEST_TRACK)?;
                tracks.push(Track::of_image(files));
                Self::cd(tracks)
            }
            Layout::Data => {
                let data = Track::of_image(image::Image::of(folder, 0)?);
                let audio = wave::tracks(folder, data.end_block())?;
                Self::cd(std::iter::once(data).chain(audio).collect())
            }
            Layout::GdRom => {
                let files = image::Image::of(folder, HIGH_DENSITY)?;
                let first = Track::of_image(image::Image::without_files(folder)?);
                let mut audio = wave::tracks(folder, first.end_block())?;
                if audio.is_empty() {
                    audio.push(Track::silence(first.end_block()));
                }
                for track in &audio {
                    check_order(None, track, true)
                        .map_err(|(found, expected)| DiscError::file(folder, found, expected))?;
                }
                let mut tracks = vec![first];
                tracks.extend(audio);
                tracks.push(Track::of_image(files));
                Self::new(tracks)
            }
        })
    }

    /// Creates a CD. Its tracks can be at addresses of a GD-ROM's high-density area.
    fn cd(tracks: Vec<Track>) -> Self {
        let kind = match tracks.iter().any(|track| track.data) {
            true => Kind::CdRomXa,
            false => Kind::Audio,
        };
        Self { kind, tracks }
    }

    /// Creates a GD-ROM if a track is in the high-density area, else a CD.
    fn new(tracks: Vec<Track>) -> Self {
        match tracks.iter().any(|track| track.start >= LEAD + HIGH_DENSITY) {
            true => Self {
                kind: Kind::GdRom,
                tracks,
            },
            false => Self::cd(tracks),
        }
    }

    /// Returns the kind that the drive reports.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Describes kind and tracks for messages.
    pub(crate) fn describe(&self) -> String {
        let track = |(number, start, sectors, data)| {
            let kind = if data { "data" } else { "audio" };
            format!("track {number} ({kind}) at {start} of {sectors} sectors")
        };
        let tracks: Vec<String> = self.tracks().map(track).collect();
        format!("{:?} with {}", self.kind, tracks.join(", "))
    }

    /// Returns number, first frame address and sectors of each track, and whether it is a data track.
    pub fn tracks(&self) -> impl Iterator<Item = (usize, u32, u32, bool)> {
        let tracks = (1..).zip(&self.tracks);
        tracks.map(|(number, track)| (number, track.start, track.sectors, track.data))
    }

    /// Returns track `number`, counted from 1.
    pub(crate) fn track(&self, number: u32) -> Option<&Track> {
        self.tracks.get(number.checked_sub(1)? as usize)
    }

    /// Returns the number of the track that contains `fad`.
    pub(crate) fn track_at(&self, fad: u32) -> Option<u32> {
        let inside = |track: &Track| (track.start..track.end()).contains(&fad);
        self.tracks.iter().position(inside).map(|index| index as u32 + 1)
    }

    /// Returns the numbers of the tracks in the low-density or the high-density area. A CD has only the
    /// former.
    fn area(&self, high: bool) -> Vec<u32> {
        let tracks = (1..).zip(&self.tracks);
        tracks
            .filter(|(_, track)| (self.kind == Kind::GdRom && track.start >= LEAD + HIGH_DENSITY) == high)
            .map(|(number, _)| number)
            .collect()
    }

    /// Returns the table of contents of an area: 99 tracks, first and last track, lead-out. Control and
    /// address are in bits 31 to 24, the frame address is below; missing tracks are all ones. Returns `None`
    /// if the disc has no such area.
    pub(crate) fn contents(&self, high: bool) -> Option<[u32; 102]> {
        let numbers = self.area(high);
        let (first, last) = (*numbers.first()?, *numbers.last()?);
        let mut words = [u32::MAX; 102];
        for number in &numbers {
            let track = self.track(*number)?;
            words[*number as usize - 1] = u32::from(track.control()) << 24 | track.start;
        }
        let control = |number| Some(u32::from(self.track(number)?.control()) << 24);
        words[99] = control(first)? | first << 16;
        words[100] = control(last)? | last << 16;
        // Released games expect the lead-out marked as data even after an audio track (flycast 59480ea5a).
        let lead_out = match self.kind {
            Kind::Audio => 0x0100_0000,
            Kind::CdRomXa | Kind::GdRom => 0x4100_0000,
        };
        words[101] = lead_out | self.track(last)?.end();
        Some(words)
    }

    /// Returns the sessions' first tracks. A session ends if a lead-out and a lead-in separate it from the
    /// next track. Later lead-outs are shorter.
    fn sessions(&self) -> Vec<u32> {
        let gap = |number: &u32| match (self.track(number - 1), self.track(*number)) {
            (Some(before), Some(track)) => track.start >= before.end() + NEXT_GAP,
            _ => true,
        };
        (1..=self.tracks.len() as u32).filter(gap).collect()
    }

    /// Returns the number and frame address of session `session`'s first track. For session 0, returns the
    /// number of sessions and the disc's lead-out.
    pub(crate) fn session(&self, session: u32) -> Option<(u8, u32)> {
        let sessions = self.sessions();
        match session.checked_sub(1) {
            None => Some((sessions.len() as u8, self.tracks.last()?.end())),
            Some(index) => {
                let number = *sessions.get(index as usize)?;
                Some((number as u8, self.track(number)?.start))
            }
        }
    }

    /// Returns true between two tracks of a session. Images leave these sectors out; a drive reads them.
    fn is_pregap(&self, fad: u32) -> bool {
        let sessions = self.sessions();
        let high = LEAD + HIGH_DENSITY;
        (2..).zip(self.tracks.windows(2)).any(|(number, pair)| {
            (pair[0].end()..pair[1].start).contains(&fad)
                && !sessions.contains(&number)
                && !(self.kind == Kind::GdRom && pair[1].start == high)
        })
    }

    /// Reads the audio of a sector. Data and the gaps between tracks are silent.
    pub(crate) fn read_audio(&mut self, fad: u32) -> Result<Vec<u8>, ReadError> {
        let number = self.track_at(fad);
        let is_audio = number
            .and_then(|number| self.track(number))
            .is_some_and(|track| !track.data);
        match is_audio {
            true => self.read(fad, Part::Whole),
            false => Ok(vec![0; WHOLE]),
        }
    }

    /// Reads the sector at a frame address.
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn read(&mut self, fad: u32, part: Part) -> Result<Vec<u8>, ReadError> {
        let blank = self.is_pregap(fad);
        let inside = |track: &&mut Track| (track.start..track.end()).contains(&fad);
        let Some(track) = self.tracks.iter_mut().find(inside) else {
            return match (blank, part) {
                (true, Part::Data) => Ok(vec![0; DATA]),
                (true, Part::Whole) => Ok(vec![0; WHOLE]),
                (false, _) => Err(ReadError::Outside),
            };
        };
        if part == Part::Data && !track.data {
            return Err(ReadError::Mode);
        }
        let stored = track
            .source
            .read(fad - track.start)
            .map_err(|error| ReadError::Host(error.to_string()))?;
        Ok(match part {
            Part::Data => stored.data(),
            Part::Whole => stored.whole(fad),
        })
    }
}

/// Checks the order of tracks: they must not overlap, and no GD-ROM track may extend into the high-density
/// area from below. The error contains the found and the expected position.
fn check_order(before: Option<&Track>, track: &Track, gd_rom: bool) -> Result<(), (String, String)> {
    let high = LEAD + HIGH_DENSITY;
    if gd_rom && track.start < high && track.end() > high {
        let found = format!("a track up to logical block {}", track.end() - LEAD);
        return Err((found, format!("an end before {HIGH_DENSITY}")));
    }
    match before {
        Some(before) if track.start < before.end() => {
            let found = format!("logical block {}", track.start - LEAD);
            let end = before.end() - LEAD;
            Err((found, format!("{end} or more, the end of the previous track")))
        }
        _ => Ok(()),
    }
}

/// Returns the extension of a name in lower case.
fn ending(path: &Path) -> Option<String> {
    path.extension()
        .map(|end| end.to_string_lossy().to_ascii_lowercase())
}
