//! Sources of a track's sectors.

use super::image::Image;
use super::storage::DiscFile;
use super::{DATA, DiscError, LEAD, WHOLE, XA};
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

/// Source of a track's sectors.
#[derive(Debug)]
pub(super) enum Source {
    /// A file system made from a folder.
    Image(Image),
    /// A file of sectors.
    File(TrackFile),
    /// Silent audio.
    Silence,
}

/// Sectors of one size, in a file.
#[derive(Debug)]
pub(super) struct TrackFile {
    pub(super) path: PathBuf,
    pub(super) file: DiscFile,
    /// Offset of the first sector.
    pub(super) offset: u64,
    /// Bytes per sector: 2048, 2336 or 2352.
    pub(super) sector: usize,
    /// Offset of the end of a WAV file's samples. The rest of the last sector is silent. 0 if all sectors are
    /// complete.
    pub(super) end: u64,
}

impl Source {
    /// Reads sector `index` of the track.
    pub(super) fn read(&mut self, index: u32) -> Result<Stored, DiscError> {
        match self {
            Source::Image(image) => image.read(index).map(Stored),
            Source::File(track) => track.read(index).map(Stored),
            Source::Silence => Ok(Stored(vec![0; WHOLE])),
        }
    }
}

impl TrackFile {
    fn read(&mut self, index: u32) -> Result<Vec<u8>, DiscError> {
        let mut bytes = vec![0; self.sector];
        let at = self.offset + u64::from(index) * self.sector as u64;
        let length = match self.end {
            0 => self.sector,
            end => end.saturating_sub(at).min(self.sector as u64) as usize,
        };
        let read = self
            .file
            .seek(SeekFrom::Start(at))
            .and_then(|_| self.file.read_exact(&mut bytes[..length]));
        read.map_err(|error| DiscError::Host(self.path.clone(), error))?;
        Ok(bytes)
    }
}

/// A stored sector: 2048 bytes of data, the last 2336 bytes, or all 2352.
pub(super) struct Stored(pub(super) Vec<u8>);

/// Sync pattern of every data sector (ECMA-130, section 14).
const SYNC: [u8; 12] = [0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0];

impl Stored {
    /// Returns the data, without sync, header and the subheader of mode 2.
    pub(super) fn data(self) -> Vec<u8> {
        let first = match (self.0.len(), self.0.get(15)) {
            (DATA, _) => 0,
            (XA, _) => 8,
            (_, Some(2)) => 24,
            _ => 16,
        };
        self.0[first..first + DATA].to_vec()
    }

    /// Returns the whole sector. Adds a missing sync pattern and header. If only data is stored, also adds a
    /// subheader of mode 2, form 1; its error correction fields stay 0.
    pub(super) fn whole(self, fad: u32) -> Vec<u8> {
        if self.0.len() == WHOLE {
            return self.0;
        }
        let mut whole = Vec::with_capacity(WHOLE);
        whole.extend(SYNC);
        whole.extend(address(fad));
        whole.push(2);
        if self.0.len() == DATA {
            // The subheader, repeated once: file, channel, submode data (08), coding.
            whole.extend([0, 0, 8, 0, 0, 0, 8, 0]);
        }
        whole.extend(self.0);
        whole.resize(WHOLE, 0);
        whole
    }
}

/// Returns minute, second and frame in BCD, counted from the end of the lead-in.
fn address(fad: u32) -> [u8; 3] {
    debug_assert!(fad >= LEAD);
    let digits = |value: u32| (((value / 10 % 10) << 4) | (value % 10)) as u8;
    [digits(fad / 75 / 60), digits(fad / 75 % 60), digits(fad % 75)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_follows_the_header_of_its_mode() {
        let mut whole = vec![0; WHOLE];
        whole[15] = 1;
        whole[16] = 0xA1;
        whole[24] = 0xA2;
        assert_eq!(Stored(whole.clone()).data()[0], 0xA1);
        whole[15] = 2;
        assert_eq!(Stored(whole).data()[0], 0xA2);
        assert_eq!(Stored(vec![7; DATA]).data(), [7; DATA]);
        let mut xa = vec![0; XA];
        xa[8] = 0xA3;
        assert_eq!(Stored(xa).data()[0], 0xA3);
    }

    /// FAD 11,852 = (2 x 60 + 38) x 75 + 2.
    #[test]
    fn stored_data_gets_sync_and_header() {
        let whole = Stored(vec![7; DATA]).whole(11_852);
        assert_eq!(whole.len(), WHOLE);
        assert_eq!(
            whole[..16],
            [
                0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 2, 0x38, 2, 2
            ]
        );
        assert_eq!(
            (whole[23], whole[24], whole[24 + 2047], whole[24 + 2048]),
            (0, 7, 7, 0)
        );
        assert_eq!(Stored(whole).data(), [7; DATA]);
        let whole = Stored(vec![7; XA]).whole(11_852);
        assert_eq!((whole.len(), whole[15], whole[16]), (WHOLE, 2, 7));
    }
}
