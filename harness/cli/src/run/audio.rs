//! `--audio`: writes the sound of a run as a WAV file while the program runs, and computes its levels.

use crate::output::OutputFile;
use aica::SAMPLE_RATE;
use aica::wav::{self, HEADER_BYTES, SAMPLE_BYTES};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Writer of a WAV file: 44,100 Hz, 16 bits, stereo.
pub(crate) struct AudioWriter {
    path: PathBuf,
    file: BufWriter<OutputFile>,
    /// Frame of `--audio-from`.
    from: u64,
    samples: u32,
    levels: Levels,
}

impl AudioWriter {
    /// Starts the file; its header is written at the end. Omits sound before frame `from`.
    pub(crate) fn start(path: &Path, from: u64) -> Result<Self> {
        let failed = || format!("{}: cannot be written", path.display());
        let mut file = BufWriter::new(OutputFile::start(path)?);
        file.write_all(&[0; HEADER_BYTES as usize]).with_context(failed)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            from,
            samples: 0,
            levels: Levels::default(),
        })
    }

    /// Adds the sound up to the start of frame `frame`; drops it if that is not after `--audio-from`.
    pub(crate) fn add_before(&mut self, frame: u64, sound: &[[i16; 2]]) -> Result<()> {
        match frame > self.from || self.from == 0 {
            true => self.add(sound),
            false => Ok(()),
        }
    }

    fn add(&mut self, sound: &[[i16; 2]]) -> Result<()> {
        let longest = (u32::MAX - HEADER_BYTES) / SAMPLE_BYTES;
        let length = u32::try_from(sound.len())
            .ok()
            .and_then(|new| self.samples.checked_add(new));
        let Some(length) = length.filter(|length| *length <= longest) else {
            bail!(
                "--audio {}: a WAV file has at most 4 GiB, 6.7 hours",
                self.path.display()
            );
        };
        self.samples = length;
        self.levels.add(sound);
        let bytes: Vec<u8> = sound
            .iter()
            .flatten()
            .flat_map(|side| side.to_le_bytes())
            .collect();
        self.file
            .write_all(&bytes)
            .with_context(|| format!("{}: cannot be written", self.path.display()))
    }

    /// Completes the file and returns its levels.
    pub(crate) fn finish(mut self) -> Result<Levels> {
        let failed = || format!("{}: cannot be written", self.path.display());
        self.file.seek(SeekFrom::Start(0)).with_context(failed)?;
        self.file
            .write_all(&wav::header(self.samples))
            .with_context(failed)?;
        let file = self
            .file
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error);
        let failed = || format!("{}: cannot be written", self.path.display());
        file.with_context(failed)?.finish()?;
        Ok(self.levels)
    }
}

/// Levels of some samples, left and right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Level {
    samples: u64,
    peak: [u16; 2],
    squares: [u64; 2],
    clipped: u64,
}

impl Level {
    fn add(&mut self, sample: [i16; 2]) {
        self.samples += 1;
        for (side, value) in sample.into_iter().enumerate() {
            let size = value.unsigned_abs();
            self.peak[side] = self.peak[side].max(size);
            self.squares[side] += u64::from(size) * u64::from(size);
        }
        self.clipped += u64::from(sample.iter().any(|side| matches!(*side, i16::MIN | i16::MAX)));
    }

    fn join(mut self, other: Self) -> Self {
        self.samples += other.samples;
        self.clipped += other.clipped;
        for side in 0..2 {
            self.peak[side] = self.peak[side].max(other.peak[side]);
            self.squares[side] += other.squares[side];
        }
        self
    }

    fn is_silent(&self) -> bool {
        self.peak == [0; 2]
    }

    fn json(&self) -> LevelJson {
        let mean = |squares: u64| (squares as f64 / self.samples.max(1) as f64).sqrt();
        LevelJson {
            peak_db: self.peak.map(|peak| decibels(peak.into())),
            rms_db: self.squares.map(|squares| decibels(mean(squares))),
            clipped: self.clipped,
            silent: self.is_silent(),
        }
    }
}

/// Converts to decibels relative to full scale, rounded to hundredths; `None` for silence.
fn decibels(value: f64) -> Option<f64> {
    let decibels = 20.0 * (value / 32_768.0).log10();
    (value > 0.0).then(|| (decibels * 100.0).round() / 100.0)
}

/// Levels of each second of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Levels(Vec<Level>);

impl Levels {
    fn add(&mut self, samples: &[[i16; 2]]) {
        for sample in samples {
            let is_full = |level: &Level| level.samples == u64::from(SAMPLE_RATE);
            if self.0.last().is_none_or(is_full) {
                self.0.push(Level::default());
            }
            if let Some(level) = self.0.last_mut() {
                level.add(*sample);
            }
        }
    }

    fn total(&self) -> Level {
        self.0.iter().copied().fold(Level::default(), Level::join)
    }

    pub(crate) fn seconds(&self) -> f64 {
        self.total().samples as f64 / f64::from(SAMPLE_RATE)
    }

    /// Number of samples with a channel at the limit of 16 bits.
    pub(crate) fn clipped(&self) -> u64 {
        self.total().clipped
    }

    /// Describes the sound in one line.
    pub(crate) fn text(&self) -> String {
        let total = self.total();
        let peak = decibels(total.peak[0].max(total.peak[1]).into());
        let peak = peak.map_or("silent".to_owned(), |peak| format!("peak {peak:.2} dB"));
        format!("{:.3} seconds of sound, {peak}", self.seconds())
    }

    pub(crate) fn json(&self) -> LevelsJson {
        LevelsJson {
            seconds: self.seconds(),
            total: self.total().json(),
            per_second: self.0.iter().map(Level::json).collect(),
        }
    }
}

#[derive(Serialize)]
struct LevelJson {
    peak_db: [Option<f64>; 2],
    rms_db: [Option<f64>; 2],
    clipped: u64,
    silent: bool,
}

/// The value of `audio` in `--json`.
#[derive(Serialize)]
pub(crate) struct LevelsJson {
    seconds: f64,
    #[serde(flatten)]
    total: LevelJson,
    per_second: Vec<LevelJson>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One second of a square wave at half of full scale on the left, then silence, then one sample at the
    /// limit.
    #[test]
    fn levels_of_each_second() {
        let mut levels = Levels::default();
        let rate = SAMPLE_RATE as usize;
        let square = |n: usize| [if n.is_multiple_of(2) { 16_384 } else { -16_384 }, 0];
        levels.add(&(0..rate).map(square).collect::<Vec<_>>());
        levels.add(&vec![[0; 2]; rate]);
        levels.add(&[[0, i16::MIN]]);
        let json = serde_json::to_value(levels.json()).unwrap();
        assert_eq!(json["per_second"].as_array().unwrap().len(), 3);
        assert_eq!(json["per_second"][0]["peak_db"], serde_json::json!([-6.02, null]));
        assert_eq!(json["per_second"][0]["rms_db"][0], -6.02);
        assert_eq!(json["per_second"][1]["silent"], true);
        assert_eq!(json["per_second"][2]["clipped"], 1);
        assert_eq!(json["per_second"][2]["peak_db"][1], 0.0);
        assert_eq!(
            (json["clipped"].as_u64(), json["silent"].as_bool()),
            (Some(1), Some(false))
        );
        // Half of the samples are at -6.02 dB, which gives 3.01 dB less.
        assert_eq!(json["rms_db"][0], -9.03);
        assert!(levels.text().starts_with("2.000 seconds of sound, peak 0.00 dB"));
    }
}
