//! `swirl truth loopback`: compares a recording of a console's output with the prediction
//! (`docs/hardware/loopback.md`).

mod sections;
mod signal;

use super::{predict, switches};
use crate::exit::ExitStatus;
use crate::input;
use anyhow::{Context, Result, bail};
use dreamcast::Config;
use sections::{MEASURED, PERIOD, SECTIONS};
use signal::{Clock, Signal, tone};
use std::path::Path;

/// Seeds of the start and the end marker.
const MARKERS: [u32; 2] = [1, 2];
/// Tolerance of a level in dB ("Tolerances").
const LEVEL: f64 = 0.1;
/// Tolerance of a frequency.
const FREQUENCY: f64 = 50e-6;
/// Predicted levels below this are silence, in dB below the section `full`; and the found level for it.
const SILENT: [f64; 2] = [-60.0, -50.0];
/// Maximum difference of the clocks.
const CLOCKS: f64 = 0.01;

/// Levels and frequencies of all sections.
struct Measurement {
    start: f64,
    ratio: f64,
    /// Amplitude of the section `full`.
    full: [f64; 2],
    sections: Vec<[ToneLevel; 2]>,
}

/// One side of a section.
#[derive(Clone, Copy, Debug)]
struct ToneLevel {
    /// Level in dB above the section `full`.
    level: f64,
    hz: f64,
}

impl ToneLevel {
    /// Returns whether a found figure matches this predicted one.
    fn matches(self, found: ToneLevel) -> bool {
        if self.level < SILENT[0] {
            return found.level < SILENT[1];
        }
        (found.level - self.level).abs() <= LEVEL && (found.hz / self.hz - 1.0).abs() <= FREQUENCY
    }
}

impl Measurement {
    /// Measures a signal. `distance` is the time between the markers in seconds of the prediction; by default
    /// in the signal's own.
    fn of(signal: &Signal, distance: Option<f64>) -> Result<Self> {
        let [start, end] = MARKERS.map(|seed| signal.find_marker(seed));
        let (start, end) = (start.context("start marker")?, end.context("end marker")?);
        let ratio = (end - start) / distance.unwrap_or(end - start);
        if (ratio - 1.0).abs() > CLOCKS || ratio.is_nan() {
            bail!(
                "found markers {:.3} s apart, expected {:.3} s",
                end - start,
                (end - start) / ratio
            );
        }
        let clock = Clock { start, ratio };
        let measure = |n: usize, side| {
            let part = MEASURED.map(|time| (n + 1) as f64 * PERIOD + time);
            tone(signal, clock, part, side, SECTIONS[n].hz)
        };
        let full = [0, 1].map(|side| measure(0, side).0);
        if full.iter().any(|amplitude| *amplitude < 1.0) {
            bail!("found silence in the section full, expected a tone on both sides");
        }
        let figure = |n, side: usize| {
            let (amplitude, hz) = measure(n, side);
            let level = decibels(amplitude.max(1e-6) / full[side]);
            ToneLevel { level, hz }
        };
        let sections = (0..SECTIONS.len()).map(|n| [0, 1].map(|side| figure(n, side)));
        Ok(Measurement {
            start,
            ratio,
            full,
            sections: sections.collect(),
        })
    }
}

fn decibels(ratio: f64) -> f64 {
    20.0 * ratio.log10()
}

/// Returns the predicted recording.
fn prediction(config: Config) -> Result<Signal> {
    let sound = predict::sound(config, roms::LOOPBACK_ELF)?;
    Ok(Signal {
        rate: f64::from(aica::SAMPLE_RATE),
        samples: sound.iter().map(|sample| sample.map(f64::from)).collect(),
    })
}

/// Compares a recording with the prediction; returns one line a section, and the number that differ.
fn compare(predicted: &Signal, recording: &Signal) -> Result<(Vec<String>, usize)> {
    let expected = Measurement::of(predicted, None).context("the predicted recording")?;
    let [first, last] = MARKERS.map(|seed| predicted.find_marker(seed));
    let found = Measurement::of(recording, Some(last? - first?))?;
    let [left, right] = [0, 1].map(|side| decibels(found.full[side] / expected.full[side]));
    let ppm = (found.ratio - 1.0) * 1e6;
    let mut lines = vec![format!(
        "begins at {:.6} s; gain {left:.2} dB left, {right:.2} dB right; clock {ppm:+.2} ppm",
        found.start
    )];
    let mut different = 0;
    for (n, section) in SECTIONS.iter().enumerate() {
        let pairs = [0, 1].map(|side| (expected.sections[n][side], found.sections[n][side]));
        let matches = pairs.iter().all(|(expected, found)| expected.matches(*found));
        different += usize::from(!matches);
        let sides = ["left", "right"]
            .into_iter()
            .zip(pairs)
            .map(|(name, (expected, found))| {
                let text = |figure: ToneLevel| match figure.level < SILENT[1] {
                    true => "silent".to_owned(),
                    false => format!("{:.2} dB {:.2} Hz", figure.level, figure.hz),
                };
                format!("{name} {}, predicted {}", text(found), text(expected))
            });
        let verdict = if matches { "equal" } else { "different" };
        let sides: Vec<String> = sides.collect();
        lines.push(format!("{verdict} {}: {}", section.name, sides.join("; ")));
    }
    lines.push(format!("{} sections, {different} different", SECTIONS.len()));
    Ok((lines, different))
}

/// Compares the recording in a file with the prediction under some settings.
pub(super) fn run(file: &Path, set: &[String]) -> Result<ExitStatus> {
    let recording = Signal::read(&input::read(file)?).with_context(|| file.display().to_string())?;
    let mut config = predict::config();
    set.iter()
        .try_for_each(|asked| switches::set_text(&mut config, asked))?;
    let (lines, different) =
        compare(&prediction(config)?, &recording).with_context(|| file.display().to_string())?;
    lines.iter().for_each(|line| println!("{line}"));
    Ok(ExitStatus::of(different == 0))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]
mod tests {
    use super::*;
    use aica::{FilterForm, SendCurve};
    use std::f64::consts::PI;

    /// A sound card: another rate, a clock that is fast by `ppm`, gains, a delay of 0.731 s, and noise 66 dB
    /// below the section `full`, as 16-bit WAV.
    fn record(sound: &Signal, ppm: f64, gains: [f64; 2]) -> Vec<u8> {
        let rate = 48_000.0;
        let mut seed = 1_u32;
        let mut noise = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (f64::from(seed >> 16) / 65_536.0 - 0.5) * 12.0
        };
        let value = |time: f64, side: usize| {
            let place = time * sound.rate;
            let at = place.floor() as isize;
            // A windowed sinc of 32 samples.
            let taps = (at - 15..=at + 16).filter_map(|n| {
                let sample = sound.samples.get(usize::try_from(n).ok()?)?;
                let x = place - n as f64;
                let sinc = if x == 0.0 { 1.0 } else { (PI * x).sin() / (PI * x) };
                Some(sample[side] * sinc * (0.5 + 0.5 * (PI * x / 16.5).cos()))
            });
            taps.sum::<f64>()
        };
        let count = ((sound.samples.len() as f64 / sound.rate + 1.0) * rate) as usize;
        let mut bytes = aica::wav::header_of(aica::wav::PCM, 2, 48_000, 16, 4 * count as u32);
        for n in 0..count {
            let time = n as f64 / rate / (1.0 + ppm * 1e-6) - 0.731;
            for (side, gain) in gains.into_iter().enumerate() {
                let sample = value(time, side) * gain + noise();
                bytes.extend((sample.round() as i16).to_le_bytes());
            }
        }
        bytes
    }

    fn first_line(lines: &[String]) -> Vec<f64> {
        let words = lines[0].split(|c: char| !c.is_ascii_digit() && !".-+".contains(c));
        words.filter_map(|word| word.parse().ok()).collect()
    }

    /// Configuration without the cycle model and caches. `truth loopback` finds no difference between
    /// recordings with and without them, and these predictions take a fraction of the time.
    fn config() -> Config {
        Config {
            audio: true,
            ..Config::default()
        }
    }

    #[test]
    fn a_recording_is_recognized_and_other_settings_differ() {
        let sound = prediction(config()).unwrap();
        let bytes = record(&sound, 37.0, [0.6, -0.55]);
        let recording = Signal::read(&bytes).unwrap();
        let (lines, different) = compare(&sound, &recording).unwrap();
        assert_eq!(different, 0, "{lines:#?}");
        let [start, left, right, ppm] = first_line(&lines)[..] else {
            panic!("{}", lines[0]);
        };
        let own = Measurement::of(&sound, None).unwrap();
        // Seconds of the recording: the sound card's clock is fast.
        let expected = (own.start + 0.731) * (1.0 + 37e-6);
        assert!((start - expected).abs() < 2e-6, "{start}, expected {expected}");
        assert!((left - decibels(0.6)).abs() < 0.02 && (right - decibels(0.55)).abs() < 0.02);
        assert!((ppm - 37.0).abs() < 0.5, "{ppm}");
        // The prediction for other settings differs where they matter.
        let mut exact = config();
        exact.aica.send_curve = SendCurve::Exact;
        let (lines, different) = compare(&prediction(exact).unwrap(), &recording).unwrap();
        assert!(different >= 6, "{lines:#?}");
        for name in ["master_14", "send_14", "pan_01", "pan_11"] {
            let line = lines
                .iter()
                .find(|line| line.contains(&format!(" {name}: ")))
                .unwrap();
            assert!(line.starts_with("different"), "{line}");
        }
        let mut unfiltered = config();
        unfiltered.aica.filter_form = FilterForm::Off;
        let (lines, different) = compare(&prediction(unfiltered).unwrap(), &recording).unwrap();
        assert!(
            lines
                .iter()
                .filter(|line| line.starts_with("different filter_"))
                .count()
                >= 3
        );
        assert_eq!(
            different,
            lines.iter().filter(|line| line.starts_with("different")).count()
        );
    }

    #[test]
    fn other_files_are_refused() {
        let error = |bytes: &[u8]| match Signal::read(bytes) {
            Ok(signal) => Measurement::of(&signal, None).map(|_| ()).unwrap_err(),
            Err(error) => error,
        };
        let silence = aica::wav::file(&[[0; 2]; 44_100]);
        assert!(format!("{:#}", error(&silence)).contains("start marker: found a correlation of 0.00"));
        let mut slow = silence.clone();
        slow[24..28].copy_from_slice(&8000_u32.to_le_bytes());
        assert!(format!("{:#}", error(&slow)).contains("8000 Hz"));
        let long = aica::wav::file(&vec![[0; 2]; 31 * 44_100]);
        assert!(format!("{:#}", error(&long)).contains("found 31.0 s of sound"));
    }
}
