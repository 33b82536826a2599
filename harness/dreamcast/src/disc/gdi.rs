//! GDI files: a text with one line per track, and a file for each track.
//!
//! A line has: number, logical block, type (0 audio, 4 data), bytes per sector, file, offset of the first
//! sector in it. With tracks at or above logical block 45,000 the disc is a GD-ROM, otherwise a CD.

use super::source::{Source, TrackFile};
use super::storage::Storage;
use super::text::{Place, beside, read_text, words};
use super::{DATA, Disc, DiscError, END, LEAD, Track, WHOLE, XA, check_order};
use std::path::{Path, PathBuf};

/// Opens a GDI file and its tracks.
pub(super) fn open(files: Storage<'_>, path: &Path) -> Result<Disc, DiscError> {
    let text = read_text(files, path)?;
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let count = lines
        .next()
        .and_then(|(_, line)| line.trim().parse::<usize>().ok());
    let Some(count) = count.filter(|count| (1..=99).contains(count)) else {
        return Err(DiscError::file(
            path,
            "no such number in the first line",
            "1 to 99 tracks",
        ));
    };
    let mut tracks = Vec::new();
    for (line, text) in lines {
        let place = Place { files, path, line };
        let track = track(&place, text, tracks.len() + 1)?;
        check_order(tracks.last(), &track, true).map_err(|(found, expected)| place.wrong(found, expected))?;
        tracks.push(track);
    }
    if tracks.len() != count {
        let found = format!("{} tracks", tracks.len());
        return Err(DiscError::file(
            path,
            found,
            format!("{count}, as the first line says"),
        ));
    }
    Ok(Disc::new(tracks))
}

/// Splits a line into its fields.
fn fields<'a>(place: &Place<'_>, line: &'a str) -> Result<[&'a str; 6], DiscError> {
    let wrong = || {
        let expected = "number, logical block, type, bytes of a sector, file, offset";
        place.wrong(format!("{line:?}"), expected)
    };
    let words = words(line).ok_or_else(wrong)?;
    <[&str; 6]>::try_from(words).map_err(|_| wrong())
}

fn track(place: &Place<'_>, line: &str, expected: usize) -> Result<Track, DiscError> {
    let [number, block, kind, sector, name, offset] = fields(place, line)?;
    let parse = |what: &str, text: &str| {
        text.parse::<u32>()
            .map_err(|_| place.wrong(format!("{text:?}"), format!("a number: {what}")))
    };
    if parse("the track", number)? as usize != expected {
        return Err(place.wrong(format!("track {number}"), format!("track {expected}")));
    }
    let block = parse("the logical block", block)?;
    if block >= END {
        return Err(place.wrong(format!("logical block {block}"), format!("less than {END}")));
    }
    let data = match kind {
        "0" => false,
        "4" => true,
        _ => return Err(place.wrong(format!("type {kind:?}"), "0 (audio) or 4 (data)")),
    };
    let sector = match (sector, data) {
        ("2352", _) => WHOLE,
        ("2048", true) => DATA,
        ("2336", true) => XA,
        _ => {
            let found = format!("sectors of {sector:?} bytes");
            return Err(place.wrong(found, "2352, or 2048 or 2336 for data"));
        }
    };
    let offset = u64::from(parse("the offset", offset)?);
    let file = beside(place, name)?;
    let (file, sectors) = sectors(place, file, offset, sector)?;
    if sectors > END - block {
        let found = format!("{sectors} sectors from logical block {block} on");
        return Err(place.wrong(found, format!("an end at {END} at the latest")));
    }
    Ok(Track {
        start: LEAD + block,
        sectors,
        data,
        source: Source::File(file),
    })
}

/// Opens a track's file and returns its number of sectors.
fn sectors(
    place: &Place<'_>,
    path: PathBuf,
    offset: u64,
    sector: usize,
) -> Result<(TrackFile, u32), DiscError> {
    let (file, size) = place.files.open(&path)?;
    let bytes = size.checked_sub(offset).filter(|bytes| *bytes > 0);
    let Some(bytes) = bytes else {
        let found = format!("offset {offset} in {} of {size} bytes", path.display());
        return Err(place.wrong(found, "an offset inside the file"));
    };
    if bytes % sector as u64 != 0 || bytes / sector as u64 > u64::from(END) {
        let found = format!("{bytes} bytes after the offset in {}", path.display());
        return Err(place.wrong(found, format!("whole sectors of {sector} bytes, at most {END}")));
    }
    let count = (bytes / sector as u64) as u32;
    let file = TrackFile {
        path,
        file,
        offset,
        sector,
        end: 0,
    };
    Ok((file, count))
}
