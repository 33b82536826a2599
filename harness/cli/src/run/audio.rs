//! `--audio`: what the sound block plays as a WAV file, written while the program runs.

use crate::output;
use anyhow::{Context, Result, bail};
use dreamcast::Dreamcast;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

const HEADER: u32 = 44;
/// Bytes of a sample of both sides.
const SAMPLE: u32 = 4;

/// A WAV file that is being written: 44,100 Hz, 16 bits, left and right.
pub(crate) struct AudioWriter {
    path: PathBuf,
    file: BufWriter<NamedTempFile>,
    samples: u32,
}

impl AudioWriter {
    /// Starts the file; its header is written at the end.
    pub(crate) fn start(path: &Path) -> Result<Self> {
        let failed = || format!("{}: cannot be written", path.display());
        let mut file = BufWriter::new(output::temporary(path).with_context(failed)?);
        file.write_all(&[0; HEADER as usize]).with_context(failed)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            samples: 0,
        })
    }

    /// Adds what the console has played since the last call.
    pub(crate) fn take(&mut self, console: &mut Dreamcast) -> Result<()> {
        let sound = console.take_audio();
        let longest = (u32::MAX - HEADER) / SAMPLE;
        let length = u32::try_from(sound.len())
            .ok()
            .and_then(|new| self.samples.checked_add(new));
        let Some(length) = length.filter(|length| *length <= longest) else {
            bail!(
                "--audio {}: a WAV file holds 4 GiB, 27 hours",
                self.path.display()
            );
        };
        self.samples = length;
        let bytes: Vec<u8> = sound
            .iter()
            .flatten()
            .flat_map(|side| side.to_le_bytes())
            .collect();
        self.file
            .write_all(&bytes)
            .with_context(|| format!("{}: cannot be written", self.path.display()))
    }

    /// Ends the file; gives its seconds.
    pub(crate) fn finish(mut self) -> Result<f64> {
        let failed = || format!("{}: cannot be written", self.path.display());
        self.file.seek(SeekFrom::Start(0)).with_context(failed)?;
        self.file.write_all(&header(self.samples)).with_context(failed)?;
        let file = self
            .file
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error);
        let failed = || format!("{}: cannot be written", self.path.display());
        let file = file.with_context(failed)?;
        output::allow_reading(&file).with_context(failed)?;
        file.persist(&self.path)
            .map_err(|error| error.error)
            .with_context(failed)?;
        Ok(f64::from(self.samples) / f64::from(aica::SAMPLE_RATE))
    }
}

/// RIFF, "fmt " (PCM, 2 channels) and the head of "data".
fn header(samples: u32) -> Vec<u8> {
    let bytes = samples * SAMPLE;
    let mut header = Vec::with_capacity(HEADER as usize);
    header.extend(b"RIFF");
    header.extend((bytes + HEADER - 8).to_le_bytes());
    header.extend(b"WAVEfmt ");
    for value in [
        16,
        1 | 2 << 16,
        aica::SAMPLE_RATE,
        aica::SAMPLE_RATE * SAMPLE,
        SAMPLE | 16 << 16,
    ] {
        header.extend(value.to_le_bytes());
    }
    header.extend(b"data");
    header.extend(bytes.to_le_bytes());
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_44_bytes() {
        let header = header(2);
        assert_eq!(header.len(), HEADER as usize);
        assert_eq!(header[4..8], 44_u32.to_le_bytes());
        assert_eq!(header[20..24], [1, 0, 2, 0]);
        assert_eq!(header[24..28], 44_100_u32.to_le_bytes());
        assert_eq!(header[32..36], [4, 0, 16, 0]);
        assert_eq!(header[40..], 8_u32.to_le_bytes());
    }
}
