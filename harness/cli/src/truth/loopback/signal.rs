//! Recordings: WAV files, the place of a marker, and the strength of a tone.

use crate::limits::RECORDING_SECONDS;
use aica::wav;
use anyhow::{Result, bail};
use std::f64::consts::TAU;
use std::io::Cursor;

/// Words of a marker per second: 44,100 Hz two octaves down.
const MARKER_HZ: f64 = 11_025.0;
const MARKER_WORDS: usize = 512;
/// Least correlation of a recording with a marker. Noise has about 0.1.
const LEAST: f64 = 0.5;

/// Stereo samples of any rate.
#[derive(Clone, Debug)]
pub(super) struct Signal {
    pub(super) rate: f64,
    pub(super) samples: Vec<[f64; 2]>,
}

impl Signal {
    /// Reads a WAV file with two channels of 16 or 24 bits.
    pub(super) fn read(bytes: &[u8]) -> Result<Self> {
        let head = wav::read_head(&mut Cursor::new(bytes))?;
        let expected = "format 0x1 (PCM), 2 channels, 22050 to 192000 Hz, 16 or 24 bits";
        let is_known = head.code == wav::PCM && head.channels == 2 && matches!(head.bits, 16 | 24);
        if !is_known || !(22_050..=192_000).contains(&head.rate) {
            return Err(head.unlike(expected).into());
        }
        let data = &bytes[head.samples.offset as usize..][..head.samples.bytes as usize];
        let width = usize::from(head.bits / 8);
        let rate = f64::from(head.rate);
        let seconds = (data.len() / (2 * width)) as f64 / rate;
        if seconds > f64::from(RECORDING_SECONDS) {
            bail!("found {seconds:.1} s of sound, expected at most {RECORDING_SECONDS} s");
        }
        let value = |bytes: &[u8]| match *bytes {
            [low, middle, high] => f64::from(i32::from_le_bytes([0, low, middle, high])) / 65_536.0,
            [low, high] => f64::from(i16::from_le_bytes([low, high])),
            _ => 0.0,
        };
        let frames = data.chunks_exact(2 * width);
        let samples = frames.map(|frame| [value(&frame[..width]), value(&frame[width..])]);
        Ok(Signal {
            rate,
            samples: samples.collect(),
        })
    }

    /// Returns the sum of both sides, in means of `count` samples.
    fn mono(&self, count: usize) -> Vec<f64> {
        let mean =
            |part: &[[f64; 2]]| part.iter().map(|[left, right]| left + right).sum::<f64>() / count as f64;
        self.samples.chunks_exact(count).map(mean).collect()
    }

    /// Returns the time at which a marker begins, in seconds.
    pub(super) fn find_marker(&self, seed: u32) -> Result<f64> {
        let words = marker(seed);
        // First in samples of about a marker's word, then in the file's samples around that place.
        let group = ((self.rate / MARKER_HZ) as usize).max(1);
        let coarse = self.mono(group);
        let (near, _) = best(
            &coarse,
            &template(&words, self.rate / group as f64),
            0..coarse.len(),
        );
        let fine = self.mono(1);
        let template = template(&words, self.rate);
        let from = (near * group).saturating_sub(2 * group);
        let (at, found) = best(&fine, &template, from..from + 5 * group);
        if found.abs() < LEAST {
            bail!(
                "found a correlation of {:.2} with the marker, expected at least {LEAST}",
                found.abs()
            );
        }
        let value = |at: usize| correlation(&fine, &template, at).abs();
        let [before, here, after] = [value(at.saturating_sub(1)), value(at), value(at + 1)];
        let curve = before - 2.0 * here + after;
        // The vertex of the parabola through the three values.
        let part = if curve < 0.0 {
            (before - after) / (2.0 * curve)
        } else {
            0.0
        };
        Ok((at as f64 + part.clamp(-1.0, 1.0)) / self.rate)
    }
}

/// Marker of `roms/src/console/loopback.c`: 512 words of noise, played two octaves down.
fn marker(seed: u32) -> Vec<f64> {
    let next = |state: &u32| {
        let mut state = *state;
        state ^= state << 13;
        state ^= state >> 17;
        Some(state ^ state << 5)
    };
    let states = std::iter::successors(Some(seed), next).skip(1);
    states
        .take(MARKER_WORDS)
        .map(|state| f64::from(state as i32 >> 18))
        .collect()
}

/// Returns a marker at a sample rate, interpolated as the sound block does.
fn template(words: &[f64], rate: f64) -> Vec<f64> {
    let step = MARKER_HZ / rate;
    let value = |n: usize| {
        let place = n as f64 * step;
        let (at, part) = (place as usize, place.fract());
        words[at] + (words[at + 1] - words[at]) * part
    };
    (0..((words.len() - 1) as f64 / step) as usize)
        .map(value)
        .collect()
}

/// Returns the correlation of a template with the samples from `at` on, -1 to 1.
fn correlation(samples: &[f64], template: &[f64], at: usize) -> f64 {
    let Some(part) = samples.get(at..at + template.len()) else {
        return 0.0;
    };
    let (mut product, mut energy, mut own) = (0.0, 0.0, 0.0);
    for (a, b) in part.iter().zip(template) {
        product += a * b;
        energy += a * a;
        own += b * b;
    }
    if energy > 0.0 {
        product / (energy * own).sqrt()
    } else {
        0.0
    }
}

/// Returns the place with the largest correlation, and the correlation.
fn best(samples: &[f64], template: &[f64], places: std::ops::Range<usize>) -> (usize, f64) {
    let each = places.map(|at| (at, correlation(samples, template, at)));
    each.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
        .unwrap_or((0, 0.0))
}

/// Time in a recording as a function of the time in the prediction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    /// Time of the start marker.
    pub(super) start: f64,
    /// Seconds of the recording in a second of the prediction.
    pub(super) ratio: f64,
}

/// Amplitude and phase of a tone in a part of a signal, through a Hann window. `part` is in seconds of the
/// prediction after the start marker.
fn component(signal: &Signal, clock: Clock, part: [f64; 2], side: usize, hz: f64) -> (f64, f64) {
    let place = |time: f64| (clock.start + time * clock.ratio) * signal.rate;
    let [from, to] = part.map(|time| place(time).round().max(0.0) as usize);
    let samples = signal.samples.get(from..to).unwrap_or_default();
    let (mut re, mut im, mut weights) = (0.0, 0.0, 0.0);
    for (n, sample) in samples.iter().enumerate() {
        let time = ((from + n) as f64 / signal.rate - clock.start) / clock.ratio;
        let window = 1.0 - (TAU * (time - part[0]) / (part[1] - part[0])).cos();
        let (sin, cos) = (TAU * hz * time).sin_cos();
        re += sample[side] * window * cos;
        im -= sample[side] * window * sin;
        weights += window / 2.0;
    }
    match weights > 0.0 {
        true => (re.hypot(im) / weights, im.atan2(re)),
        false => (0.0, 0.0),
    }
}

/// Returns amplitude and frequency of a tone, in the prediction's time. The phases of both halves give the
/// frequency.
pub(super) fn tone(signal: &Signal, clock: Clock, part: [f64; 2], side: usize, hz: f64) -> (f64, f64) {
    let middle = (part[0] + part[1]) / 2.0;
    let phase = |part| component(signal, clock, part, side, hz).1;
    let turns = (phase([middle, part[1]]) - phase([part[0], middle])) / TAU;
    let (amplitude, _) = component(signal, clock, part, side, hz);
    (amplitude, hz + (turns - turns.round()) / (middle - part[0]))
}
