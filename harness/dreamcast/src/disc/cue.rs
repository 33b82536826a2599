//! Cue sheets: lines FILE (BINARY and WAVE), TRACK, PREGAP and INDEX, and the remarks SESSION and
//! HIGH-DENSITY AREA.
//!
//! The files are contiguous on the disc, except before a new session and before the high-density area of a
//! GD-ROM (logical block 45,000). Both begin with a new file.

use super::source::{Source, TrackFile};
use super::storage::Storage;
use super::text::{Place, beside, read_text, words};
use super::{
    DATA, Disc, DiscError, END, HIGH_DENSITY, LEAD, NEXT_GAP, SESSION_GAP, Track, WHOLE, XA, check_order,
    wave,
};
use std::path::{Path, PathBuf};

/// Position of a file on the disc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Position {
    /// After the previous file.
    Next,
    /// After the end of a session, with this number of sectors between them.
    Session(u32),
    HighDensity,
}

struct SheetTrack {
    line: usize,
    data: bool,
    sector: usize,
    /// Number of sectors before the track that are not in the file.
    pregap: u32,
    /// INDEX 00 and 01, in sectors of the file.
    indices: [Option<u32>; 2],
}

struct SheetFile {
    path: PathBuf,
    is_wave: bool,
    place: Position,
    tracks: Vec<SheetTrack>,
}

struct Sheet {
    files: Vec<SheetFile>,
    /// Position of the next file.
    next: Position,
    sessions: u32,
    tracks: usize,
}

/// Opens a cue sheet and its tracks.
pub(super) fn open(files: Storage<'_>, path: &Path) -> Result<Disc, DiscError> {
    let text = read_text(files, path)?;
    let mut sheet = Sheet {
        files: Vec::new(),
        next: Position::Next,
        sessions: 1,
        tracks: 0,
    };
    for (line, text) in (1..).zip(text.lines()) {
        sheet.line(&Place { files, path, line }, text)?;
    }
    if sheet.tracks == 0 {
        return Err(DiscError::file(path, "no TRACK line", "1 to 99 tracks"));
    }
    sheet.lay_out(files, path)
}

impl Sheet {
    fn line(&mut self, place: &Place<'_>, line: &str) -> Result<(), DiscError> {
        let words = words(line).ok_or_else(|| place.wrong(format!("{line:?}"), "a second quote"))?;
        // Keywords are case-insensitive; names are kept unchanged.
        let upper: Vec<String> = words.iter().map(|word| word.to_ascii_uppercase()).collect();
        let mut keys: Vec<&str> = upper.iter().map(String::as_str).collect();
        if let (["FILE", key, ..], [_, name, ..]) = (&mut keys[..], &words[..]) {
            *key = name;
        }
        match keys[..] {
            ["REM", "SESSION", number] => self.session(place, number),
            ["REM", "HIGH-DENSITY", "AREA"] => {
                self.next = Position::HighDensity;
                Ok(())
            }
            ["FILE", name, kind @ ("BINARY" | "WAVE")] => {
                self.files.push(SheetFile {
                    path: beside(place, name)?,
                    is_wave: kind == "WAVE",
                    place: std::mem::replace(&mut self.next, Position::Next),
                    tracks: Vec::new(),
                });
                Ok(())
            }
            ["FILE", ..] => Err(place.wrong(format!("{line:?}"), "FILE \"NAME\" BINARY or WAVE")),
            ["TRACK", number, mode] => self.track(place, number, mode),
            ["PREGAP", time] => {
                let time = parse_time(place, time)?;
                self.last(place)?.pregap = time;
                Ok(())
            }
            ["INDEX", number, time] => {
                let time = parse_time(place, time)?;
                let track = self.last(place)?;
                match number.parse() {
                    Ok(number @ (0_usize | 1)) => track.indices[number] = Some(time),
                    // Later indices are inside the track.
                    Ok(2..=99) => {}
                    _ => return Err(place.wrong(format!("INDEX {number}"), "00 to 99")),
                }
                Ok(())
            }
            [
                "REM" | "CATALOG" | "FLAGS" | "ISRC" | "TITLE" | "PERFORMER" | "SONGWRITER" | "POSTGAP"
                | "CDTEXTFILE",
                ..,
            ]
            | [] => Ok(()),
            _ => Err(place.wrong(format!("{line:?}"), "FILE, TRACK, PREGAP, INDEX or REM")),
        }
    }

    fn session(&mut self, place: &Place<'_>, number: &str) -> Result<(), DiscError> {
        let number: u32 = number
            .parse()
            .map_err(|_| place.wrong(format!("session {number:?}"), "a number"))?;
        if number > self.sessions {
            let gap = if self.sessions == 1 { SESSION_GAP } else { NEXT_GAP };
            (self.next, self.sessions) = (Position::Session(gap), number);
        }
        Ok(())
    }

    fn track(&mut self, place: &Place<'_>, number: &str, mode: &str) -> Result<(), DiscError> {
        let expected = self.tracks + 1;
        if number.parse() != Ok(expected) || expected > 99 {
            return Err(place.wrong(
                format!("track {number:?}"),
                format!("track {expected}, at most 99"),
            ));
        }
        let (data, sector) = match mode {
            "AUDIO" => (false, WHOLE),
            "MODE1/2048" => (true, DATA),
            "MODE1/2352" | "MODE2/2352" => (true, WHOLE),
            "MODE2/2336" => (true, XA),
            _ => {
                let expected = "AUDIO, MODE1/2048, MODE1/2352, MODE2/2336 or MODE2/2352";
                return Err(place.wrong(format!("{mode:?}"), expected));
            }
        };
        if self.next != Position::Next {
            return Err(place.wrong("a new session or area inside a file", "a FILE line before TRACK"));
        }
        let file = self
            .files
            .last_mut()
            .ok_or_else(|| place.wrong("TRACK", "FILE before it"))?;
        if file.is_wave && data {
            return Err(place.wrong(format!("{mode:?} in a WAVE file"), "AUDIO"));
        }
        if file.tracks.first().is_some_and(|first| first.sector != sector) {
            return Err(place.wrong(format!("{mode:?}"), "sectors of one size in a file"));
        }
        self.tracks = expected;
        file.tracks.push(SheetTrack {
            line: place.line,
            data,
            sector,
            pregap: 0,
            indices: [None; 2],
        });
        Ok(())
    }

    fn last(&mut self, place: &Place<'_>) -> Result<&mut SheetTrack, DiscError> {
        let file = self.files.last_mut();
        file.and_then(|file| file.tracks.last_mut())
            .ok_or_else(|| place.wrong("no track", "TRACK before this line"))
    }

    fn lay_out(&self, files: Storage<'_>, path: &Path) -> Result<Disc, DiscError> {
        let mut tracks: Vec<Track> = Vec::new();
        let mut next = 0;
        let gd_rom = self.files.iter().any(|file| file.place == Position::HighDensity);
        for file in &self.files {
            let base = match file.place {
                Position::Next => next,
                Position::Session(gap) => next + gap,
                Position::HighDensity => HIGH_DENSITY,
            };
            let sheet = |line| Place { files, path, line };
            next = lay_out_file(&sheet, file, base, gd_rom, &mut tracks)?;
        }
        Ok(match gd_rom {
            true => Disc::new(tracks),
            false => Disc::cd(tracks),
        })
    }
}

/// Lays out the tracks of a file that begins at logical block `base`. Returns the block after the file.
fn lay_out_file<'a>(
    place: &impl Fn(usize) -> Place<'a>,
    file: &SheetFile,
    base: u32,
    gd_rom: bool,
    tracks: &mut Vec<Track>,
) -> Result<u32, DiscError> {
    let Some(first) = file.tracks.first() else {
        return Ok(base);
    };
    let count = match file.is_wave {
        true => wave::open(place(first.line).files, &file.path)?.1,
        false => whole_sectors(&place(first.line), &file.path, first.sector)?,
    };
    let mut base = base;
    for (n, track) in file.tracks.iter().enumerate() {
        let place = place(track.line);
        let start = track.indices[1].ok_or_else(|| place.wrong("no INDEX 01", "the track's first sector"))?;
        let following = file.tracks.get(n + 1);
        let end = following.map_or(Some(count), |track| track.indices[0].or(track.indices[1]));
        let end = end.unwrap_or(0);
        if start >= end || end > count {
            let found = format!("sectors {start} to {end} of {count}");
            return Err(place.wrong(found, "at least one sector of the file"));
        }
        base += track.pregap;
        if base.saturating_add(end) > END {
            let found = format!("an end at logical block {}", base.saturating_add(end));
            return Err(place.wrong(found, format!("{END} at the latest")));
        }
        let offset = u64::from(start) * track.sector as u64;
        let source = match file.is_wave {
            true => {
                let (source, _) = wave::open(place.files, &file.path)?;
                TrackFile {
                    offset: source.offset + offset,
                    ..source
                }
            }
            false => TrackFile {
                path: file.path.clone(),
                file: place.files.open(&file.path)?.0,
                offset,
                sector: track.sector,
                end: 0,
            },
        };
        let track = Track {
            start: LEAD + base + start,
            sectors: end - start,
            data: track.data,
            source: Source::File(source),
        };
        check_order(tracks.last(), &track, gd_rom)
            .map_err(|(found, expected)| place.wrong(found, expected))?;
        tracks.push(track);
    }
    Ok(base + count)
}

/// Returns the number of sectors in a file.
fn whole_sectors(place: &Place<'_>, path: &Path, sector: usize) -> Result<u32, DiscError> {
    let (_, size) = place.files.open(path)?;
    let count = size / sector as u64;
    if size % sector as u64 != 0 || count == 0 || count > u64::from(END) {
        let found = format!("{size} bytes in {}", path.display());
        let expected = format!("whole sectors of {sector} bytes, at most {END}");
        return Err(place.wrong(found, expected));
    }
    Ok(count as u32)
}

/// Parses minutes, seconds and frames, with 75 sectors per second.
fn parse_time(place: &Place<'_>, text: &str) -> Result<u32, DiscError> {
    let wrong = || place.wrong(format!("{text:?}"), "a time such as 00:02:00");
    let mut parts = [0; 3];
    let mut words = text.split(':');
    for part in &mut parts {
        *part = words
            .next()
            .and_then(|word| word.parse::<u32>().ok())
            .ok_or_else(wrong)?;
    }
    let [minutes, seconds, frames] = parts;
    if words.next().is_some() || minutes > 130 || seconds > 59 || frames > 74 {
        return Err(wrong());
    }
    Ok((minutes * 60 + seconds) * 75 + frames)
}
