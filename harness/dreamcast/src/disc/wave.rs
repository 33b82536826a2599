//! Audio tracks from WAV files in a folder or in a cue sheet.

use super::source::{Source, TrackFile};
use super::storage::Storage;
use super::{DiscError, END, LEAD, SHORTEST_TRACK, Track, WHOLE};
use crate::limits::DISC_ENTRIES as MAX;
use aica::wav::{self, WavError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Returns tracks for a folder's files track01.wav to track99.wav, in the order of their numbers, starting at
/// a logical block.
pub(super) fn tracks(folder: &Path, block: u32) -> Result<Vec<Track>, DiscError> {
    let host = |error| DiscError::Host(folder.to_owned(), error);
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(host)?.take(MAX) {
        let path = entry.map_err(host)?.path();
        let Some(number) = number(&path).filter(|_| path.is_file()) else {
            continue;
        };
        if let Some(other) = files.insert(number, path.clone()) {
            let found = format!("{} too", other.display());
            return Err(DiscError::file(
                &path,
                found,
                format!("one file of track {number}"),
            ));
        }
    }
    let mut tracks = Vec::new();
    let mut next = block;
    for path in files.into_values() {
        let (file, sectors) = open(Storage::Host, &path)?;
        // A track lasts at least four seconds.
        let sectors = sectors.max(SHORTEST_TRACK);
        if sectors > END.saturating_sub(next) {
            let found = format!("{sectors} sectors from logical block {next} on");
            return Err(DiscError::file(
                &path,
                found,
                format!("an end at {END} at the latest"),
            ));
        }
        tracks.push(Track {
            start: LEAD + next,
            sectors,
            data: false,
            source: Source::File(file),
        });
        next += sectors;
    }
    Ok(tracks)
}

/// Returns the number in a name trackNN.wav, in either letter case.
fn number(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    let digits = name.strip_prefix("track")?.strip_suffix(".wav")?;
    let is_number = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let number = digits.parse().ok()?;
    (is_number && number > 0).then_some(number)
}

/// Opens a WAV file as audio sectors. Also returns the number of sectors. Silence pads the last one.
pub(super) fn open(files: Storage<'_>, path: &Path) -> Result<(TrackFile, u32), DiscError> {
    let (mut file, _) = files.open(path)?;
    let samples = wav::find(&mut file).map_err(|error| match error {
        WavError::Host(error) => DiscError::Host(path.to_owned(), error),
        WavError::Content {
            offset,
            found,
            expected,
        } => DiscError::file(
            path,
            format!("{found}, at offset {offset:#x}"),
            format!("{expected}, for an audio track of the disc"),
        ),
    })?;
    let sectors = samples.bytes.div_ceil(WHOLE as u64);
    let sectors = u32::try_from(sectors)
        .ok()
        .filter(|sectors| (1..=END).contains(sectors));
    let Some(sectors) = sectors else {
        let found = format!("{} bytes of samples", samples.bytes);
        return Err(DiscError::file(
            path,
            found,
            format!("1 to {END} sectors of {WHOLE} bytes"),
        ));
    };
    let file = TrackFile {
        path: PathBuf::from(path),
        file,
        offset: samples.offset,
        sector: WHOLE,
        end: samples.offset + samples.bytes,
    };
    Ok((file, sectors))
}
