//! Compares sound, and draws waveform and spectrogram.

use crate::plural::plural;
use aica::SAMPLE_RATE;
use pvr::Image;
use std::f64::consts::PI;

/// Stereo samples.
pub(super) type Samples = Vec<[i16; 2]>;

/// Maximum number of columns of a picture.
const WIDTH: usize = 1024;
/// Rows of one channel's waveform.
const WAVE: usize = 64;
/// Samples per spectrum; it has half as many rows.
const WINDOW: usize = 512;
/// Lowest level that a spectrogram shows, in dB of a full-scale sine.
const FLOOR: f64 = -96.0;

/// Describes the difference of two sounds, if a sample differs by more than `tolerance` or the lengths
/// differ.
pub(super) fn compare(expected: &[[i16; 2]], found: &[[i16; 2]], tolerance: u16) -> Option<String> {
    let pairs = expected.as_flattened().iter().zip(found.as_flattened());
    let distances = pairs.map(|(a, b)| a.abs_diff(*b));
    let wrong: Vec<(usize, u16)> = distances
        .enumerate()
        .filter(|(_, distance)| *distance > tolerance)
        .collect();
    let length = match (expected.len(), found.len()) {
        (a, b) if a == b => String::new(),
        (a, b) => format!("{}, expected {a}; ", plural(b, "sample")),
    };
    let Some((first, _)) = wrong.first() else {
        return (!length.is_empty()).then(|| {
            format!(
                "{length}the shorter sound is equal to the start of the \
            longer one"
            )
        });
    };
    let largest = wrong.iter().map(|(_, distance)| *distance).max().unwrap_or(0);
    let (sample, side) = (first / 2, ["left", "right"][first % 2]);
    Some(format!(
        "{length}the first difference at sample {sample} ({:.3} s), {side}: {}, expected {}; {} differ by up \
         to {largest}, allowed {tolerance}",
        sample as f64 / f64::from(SAMPLE_RATE),
        found.as_flattened()[*first],
        expected.as_flattened()[*first],
        plural(wrong.len(), "value"),
    ))
}

/// Returns the number of samples per column, so that all fit.
fn step(samples: &[[i16; 2]]) -> usize {
    samples.len().div_ceil(WIDTH).max(1)
}

fn black(width: usize, height: usize) -> Image {
    Image {
        width: width as u32,
        height: height as u32,
        rgba: [0, 0, 0, 255].repeat(width * height),
    }
}

fn set(image: &mut Image, x: usize, y: usize, colour: [u8; 3]) {
    let at = 4 * (y * image.width as usize + x);
    if let Some(place) = image.rgba.get_mut(at..at + 3) {
        place.copy_from_slice(&colour);
    }
}

/// Draws the range of samples in each column, the left channel above the right one.
pub(super) fn waveform(samples: &[[i16; 2]]) -> Image {
    let columns = samples.chunks(step(samples));
    let mut image = black(columns.len().max(1), 2 * WAVE);
    let row = |value: i16| (i32::from(i16::MAX) - i32::from(value)) as usize * (WAVE - 1) / 65_535;
    for (x, column) in columns.enumerate() {
        for side in 0..2 {
            let values = || column.iter().map(|sample| sample[side]);
            let top = row(values().max().unwrap_or(0));
            let bottom = row(values().min().unwrap_or(0));
            for y in top..=bottom {
                set(&mut image, x, side * WAVE + y, [0x70, 0xC0, 0xF0]);
            }
        }
    }
    image
}

/// Draws the spectrum of both channels together over time: 0 Hz at the bottom, 22,050 Hz at the top, black at
/// -96 dB.
pub(super) fn spectrogram(samples: &[[i16; 2]]) -> Image {
    let step = step(samples).max(64);
    let starts: Vec<usize> = (0..samples.len().max(1)).step_by(step).collect();
    let rows = WINDOW / 2;
    let mut image = black(starts.len(), rows);
    for (x, start) in starts.into_iter().enumerate() {
        let mono = |n: usize| {
            samples
                .get(start + n)
                .map_or(0.0, |[l, r]| f64::from(*l) + f64::from(*r))
        };
        let levels = spectrum(&(0..WINDOW).map(mono).collect::<Vec<_>>());
        for (y, level) in levels.into_iter().take(rows).enumerate() {
            let part = (1.0 - level / FLOOR).clamp(0.0, 1.0);
            set(&mut image, x, rows - 1 - y, heat(part));
        }
    }
    image
}

/// Colour scale: black, blue, red, yellow, white.
fn heat(part: f64) -> [u8; 3] {
    let ramp = |from: f64| ((part - from) * 4.0).clamp(0.0, 1.0);
    let blue = ramp(0.0) - ramp(0.35) + ramp(0.75);
    [ramp(0.25), ramp(0.5), blue].map(|value| (value * 255.0) as u8)
}

/// Returns the levels of frequencies from 0 Hz up, in dB of a full-scale sine on both channels, through a
/// Hann window. The number of values is a power of two.
fn spectrum(values: &[f64]) -> Vec<f64> {
    let count = values.len();
    let window = |n: usize| 0.5 - 0.5 * (2.0 * PI * n as f64 / count as f64).cos();
    let mut bins: Vec<[f64; 2]> = (values.iter().enumerate())
        .map(|(n, value)| [value * window(n), 0.0])
        .collect();
    transform(&mut bins);
    // A full-scale sine contributes half its amplitude, the window halves it, and both channels add up.
    let full = 65_535.0 * count as f64 / 4.0;
    bins.iter()
        .map(|[re, im]| 20.0 * (re.hypot(*im) / full).max(1e-9).log10())
        .collect()
}

/// Discrete Fourier transform in place (Cooley and Tukey). The number of values is a power of two.
fn transform(values: &mut [[f64; 2]]) {
    let count = values.len();
    if count < 2 {
        return;
    }
    let [mut even, mut odd] = [0, 1].map(|n| values.iter().skip(n).step_by(2).copied().collect::<Vec<_>>());
    transform(&mut even);
    transform(&mut odd);
    for (n, (even, odd)) in even.iter().zip(&odd).enumerate() {
        let (sin, cos) = (-2.0 * PI * n as f64 / count as f64).sin_cos();
        let turned = [odd[0] * cos - odd[1] * sin, odd[0] * sin + odd[1] * cos];
        values[n] = [even[0] + turned[0], even[1] + turned[1]];
        values[n + count / 2] = [even[0] - turned[0], even[1] - turned[1]];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sounds_differ_by_samples() {
        let one = [[1, 2], [3, 4], [5, 6]];
        assert_eq!(compare(&one, &one, 0), None);
        let other = [[1, 2], [3, 14], [4, 6]];
        assert_eq!(
            compare(&one, &other, 0).unwrap(),
            "the first difference at sample 1 (0.000 s), right: 14, expected 4; 2 values differ by up to 10, \
             allowed 0"
        );
        assert!(compare(&one, &other, 1).unwrap().contains("1 value differ"));
        assert_eq!(compare(&one, &other, 10), None);
        assert_eq!(
            compare(&one, &one[..2], 99).unwrap(),
            "2 samples, expected 3; the shorter sound is equal to the start of the longer one"
        );
    }

    /// A sine in bin 32 must give 0 dB there, and less than -120 dB far away.
    #[test]
    fn a_sine_has_one_line() {
        let sine = |n: usize| 65_535.0 * (2.0 * PI * 32.0 * n as f64 / WINDOW as f64).sin();
        let levels = spectrum(&(0..WINDOW).map(sine).collect::<Vec<_>>());
        assert!(levels[32].abs() < 0.01, "{}", levels[32]);
        assert!(levels[40] < -120.0 && levels[0] < -120.0);
    }

    #[test]
    fn pictures_have_a_column_for_each_step() {
        let samples: Samples = (0..4096_i16)
            .map(|n| [if n < 2048 { 0 } else { i16::MAX }, 0])
            .collect();
        let picture = waveform(&samples);
        assert_eq!((picture.width, picture.height), (1024, 128));
        let pixel = |x: usize, y: usize| picture.rgba[4 * (y * 1024 + x)];
        assert_eq!(
            [pixel(0, 31), pixel(0, 0), pixel(1023, 0), pixel(1023, 31)],
            [0x70, 0, 0x70, 0]
        );
        assert_eq!((waveform(&[]).width, spectrogram(&[]).width), (1, 1));
        assert_eq!(spectrogram(&samples).width, 64);
    }
}
