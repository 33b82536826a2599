//! Reads and writes WAV files of 44,100 Hz, 16 bits, stereo: the block's output, and audio tracks of discs.

use crate::SAMPLE_RATE;
use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes of one stereo sample.
pub const SAMPLE_BYTES: u32 = 4;
/// Bytes of [`header`].
pub const HEADER_BYTES: u32 = 44;
/// Format code of integer samples.
pub const PCM: u16 = 1;
/// Format code of the AICA's 4-bit samples, as KallistiOS's tools write it.
pub const ADPCM: u16 = 0x20;
/// Format code of an extensible header. The subformat begins with the actual code.
const EXTENSIBLE: u16 = 0xFFFE;

/// Location of a file's samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Samples {
    /// Offset of the first byte.
    pub offset: u64,
    /// Size in bytes, a multiple of [`SAMPLE_BYTES`].
    pub bytes: u64,
}

/// The reason why a WAV file cannot be read.
#[derive(Debug)]
pub enum WavError {
    /// The host reported an error.
    Host(io::Error),
    /// The file has unexpected content.
    Content {
        /// Offset in the file.
        offset: u64,
        /// The content at the offset.
        found: String,
        /// The expected content.
        expected: &'static str,
    },
}

impl fmt::Display for WavError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WavError::Host(error) => error.fmt(f),
            WavError::Content {
                offset,
                found,
                expected,
            } => write!(f, "offset {offset:#x}: found {found}, expected {expected}"),
        }
    }
}

impl std::error::Error for WavError {}

impl From<io::Error> for WavError {
    fn from(error: io::Error) -> Self {
        WavError::Host(error)
    }
}

/// Returns the header of a file with a number of samples: RIFF, "fmt " and the start of "data".
pub fn header(samples: u32) -> Vec<u8> {
    header_of(PCM, 2, SAMPLE_RATE, 16, samples.saturating_mul(SAMPLE_BYTES))
}

/// Returns the header of a file of any format; `bytes` is the size of its samples.
pub fn header_of(code: u16, channels: u16, rate: u32, bits: u16, bytes: u32) -> Vec<u8> {
    let mut header = Vec::with_capacity(HEADER_BYTES as usize);
    header.extend(b"RIFF");
    header.extend(bytes.saturating_add(HEADER_BYTES - 8).to_le_bytes());
    header.extend(b"WAVEfmt ");
    let frame_bits = u32::from(channels) * u32::from(bits);
    let frame = frame_bits.div_ceil(8);
    for value in [
        16,
        u32::from(code) | u32::from(channels) << 16,
        rate,
        (u64::from(rate) * u64::from(frame_bits) / 8) as u32,
        frame & 0xFFFF | u32::from(bits) << 16,
    ] {
        header.extend(value.to_le_bytes());
    }
    header.extend(b"data");
    header.extend(bytes.to_le_bytes());
    header
}

/// Returns a whole file of stereo samples.
pub fn file(samples: &[[i16; 2]]) -> Vec<u8> {
    let mut bytes = header(u32::try_from(samples.len()).unwrap_or(u32::MAX));
    bytes.extend(samples.iter().flatten().flat_map(|side| side.to_le_bytes()));
    bytes
}

/// Parses the samples of a whole file, as [`file()`] writes it.
///
/// # Errors
/// Fails if the bytes are not a WAV file of 44,100 Hz, 16 bits, two channels.
pub fn parse(bytes: &[u8]) -> Result<Vec<[i16; 2]>, WavError> {
    let found = find(&mut io::Cursor::new(bytes))?;
    let data = &bytes[found.offset as usize..][..found.bytes as usize];
    let sample = |quad: &[u8; 4]| [[quad[0], quad[1]], [quad[2], quad[3]]].map(i16::from_le_bytes);
    Ok(data.as_chunks().0.iter().map(sample).collect())
}

/// The header of a WAV file of any format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// Format code, for example [`PCM`] or [`ADPCM`].
    pub code: u16,
    /// Number of channels.
    pub channels: u16,
    /// Sample rate in Hz.
    pub rate: u32,
    /// Bits per sample.
    pub bits: u16,
    /// Location of the samples.
    pub samples: Samples,
}

/// Finds the samples of a file.
///
/// # Errors
/// Fails if the file cannot be read, or is not a WAV file of 44,100 Hz, 16 bits, two channels.
pub fn find(file: &mut (impl Read + Seek)) -> Result<Samples, WavError> {
    let head = read_head(file)?;
    match (head.code, head.channels, head.rate, head.bits) {
        (PCM, 2, SAMPLE_RATE, 16) => Ok(Samples {
            bytes: head.samples.bytes - head.samples.bytes % u64::from(SAMPLE_BYTES),
            ..head.samples
        }),
        _ => Err(head.unlike("format 0x1 (PCM), 2 channels, 44100 Hz, 16 bits")),
    }
}

impl Head {
    /// Returns the error for a file of an unexpected format.
    pub fn unlike(&self, expected: &'static str) -> WavError {
        let found = format!(
            "format {:#x}, {} channels, {} Hz, {} bits",
            self.code, self.channels, self.rate, self.bits
        );
        WavError::Content {
            offset: 12,
            found,
            expected,
        }
    }
}

/// Reads the header of a file of any format.
///
/// # Errors
/// Fails if the file cannot be read, or is not a WAV file.
pub fn read_head(file: &mut (impl Read + Seek)) -> Result<Head, WavError> {
    let end = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(0))?;
    let content = |offset, found: String, expected| WavError::Content {
        offset,
        found,
        expected,
    };
    let mut head = [0; 12];
    let is_wave = end >= 12 && file.read_exact(&mut head).is_ok() && head.starts_with(b"RIFF");
    if !is_wave || !head.ends_with(b"WAVE") {
        return Err(content(0, "no WAV file".to_owned(), "RIFF ... WAVE"));
    }
    let (mut at, mut format) = (12, None);
    while at + 8 <= end {
        file.seek(SeekFrom::Start(at))?;
        let mut head = [0; 8];
        file.read_exact(&mut head)?;
        let size = u64::from(u32::from_le_bytes([head[4], head[5], head[6], head[7]]));
        let offset = at + 8;
        match (&head[..4], format) {
            (b"fmt ", _) => format = Some(read_format(file, size.min(end - offset))?),
            (b"data", None) => {
                return Err(content(
                    at,
                    "samples".to_owned(),
                    "the chunk \"fmt \" before them",
                ));
            }
            (b"data", Some(_)) if size > end - offset => {
                let found = format!("{size} bytes of samples in a file of {end} bytes");
                return Err(content(at, found, "a file that holds them"));
            }
            (b"data", Some(format)) => {
                let samples = Samples { offset, bytes: size };
                return Ok(Head { samples, ..format });
            }
            _ => {}
        }
        // Chunks are padded to an even number of bytes.
        at = offset + size + (size & 1);
    }
    Err(content(
        end,
        "the end of the file".to_owned(),
        "the chunk \"data\"",
    ))
}

/// The fields of the chunk "fmt ".
fn read_format(file: &mut impl Read, size: u64) -> Result<Head, WavError> {
    let mut bytes = [0; 26];
    let length = size.min(bytes.len() as u64) as usize;
    file.read_exact(&mut bytes[..length])?;
    let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    Ok(Head {
        code: match word(0) {
            EXTENSIBLE => word(24),
            code => code,
        },
        channels: word(2),
        rate: u32::from(word(4)) | u32::from(word(6)) << 16,
        bits: word(14),
        samples: Samples { offset: 0, bytes: 0 },
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_44_bytes() {
        let header = header(2);
        assert_eq!(header.len(), HEADER_BYTES as usize);
        assert_eq!(header[4..8], 44_u32.to_le_bytes());
        assert_eq!(header[20..24], [1, 0, 2, 0]);
        assert_eq!(header[24..28], 44_100_u32.to_le_bytes());
        assert_eq!(header[32..36], [4, 0, 16, 0]);
        assert_eq!(header[40..], 8_u32.to_le_bytes());
    }

    #[test]
    fn samples_come_back() {
        let samples = [[1, -2], [0x7FFF, -0x8000]];
        let mut bytes = file(&samples);
        assert_eq!(parse(&bytes).unwrap(), samples);
        // A chunk of three bytes and a padding byte before the samples.
        bytes.splice(36..36, *b"LIST\x03\0\0\0abc\0");
        assert_eq!(parse(&bytes).unwrap(), samples);
    }

    #[test]
    fn other_files_are_refused() {
        let error = |bytes: &[u8]| parse(bytes).unwrap_err().to_string();
        let good = file(&[[0; 2]; 2]);
        assert!(error(b"RIFF").starts_with("offset 0x0: found no WAV file"));
        let mut mono = good.clone();
        mono[22] = 1;
        assert_eq!(
            error(&mono),
            "offset 0xc: found format 0x1, 1 channels, 44100 Hz, 16 bits, expected format 0x1 (PCM), 2 \
             channels, 44100 Hz, 16 bits"
        );
        assert!(error(&good[..50]).contains("8 bytes of samples in a file of 50 bytes"));
        assert!(error(&good[..36]).contains("the chunk \"data\""));
        let headless = [&good[..12], &good[36..]].concat();
        assert!(error(&headless).contains("the chunk \"fmt \" before them"));
    }
}
