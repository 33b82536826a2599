//! `swirl convert a.wav b.wav`: converts 16-bit samples to the AICA's 4-bit samples, and back.

use crate::exit::ExitStatus;
use crate::{input, output};
use aica::adpcm;
use aica::wav::{self, ADPCM, Head, PCM};
use anyhow::{Context, Result, bail};
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// Returns true for the name of a WAV file.
pub(super) fn is_wav(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("wav"))
}

/// Converts a file, and prints the error of the 4-bit samples.
pub(super) fn run(inputs: &[PathBuf], to: &Path) -> Result<ExitStatus> {
    let [from] = inputs else {
        bail!(
            "{}: {} inputs, expected one .wav file",
            to.display(),
            inputs.len()
        );
    };
    if !is_wav(from) || !is_wav(to) {
        bail!("{}: a .wav file can only become a .wav file", to.display());
    }
    let name = || from.display().to_string();
    let bytes = input::read(from)?;
    let (output, text) = convert(&bytes).with_context(name)?;
    output::write(to, &output)?;
    println!("{}: {text}", to.display());
    Ok(ExitStatus::Done)
}

/// Converts a file and returns it with a description.
fn convert(bytes: &[u8]) -> Result<(Vec<u8>, String)> {
    let head = wav::read_head(&mut Cursor::new(bytes))?;
    let data = &bytes[head.samples.offset as usize..][..head.samples.bytes as usize];
    match (head.code, head.channels, head.bits) {
        (PCM, 1, 16) => {
            let pairs = data.as_chunks().0.iter();
            let samples: Vec<i16> = pairs.map(|pair| i16::from_le_bytes(*pair)).collect();
            let nibbles = adpcm::encode(&samples);
            let output = file(ADPCM, &head, 4, &nibbles)?;
            Ok((
                output,
                format!("4-bit samples, {}", error(&samples, &adpcm::decode(&nibbles))),
            ))
        }
        (ADPCM, 1, 4) => {
            let samples = adpcm::decode(data);
            let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
            let output = file(PCM, &head, 16, &bytes)?;
            Ok((output, format!("{} 16-bit samples", samples.len())))
        }
        _ => {
            let expected = "one channel of format 0x1 (PCM) with 16 bits, or 0x20 (AICA) with 4 bits";
            Err(head.unlike(expected).into())
        }
    }
}

fn file(code: u16, head: &Head, bits: u16, data: &[u8]) -> Result<Vec<u8>> {
    let bytes = u32::try_from(data.len()).context("a WAV file has at most 4 GiB")?;
    let mut output = wav::header_of(code, 1, head.rate, bits, bytes);
    output.extend(data);
    Ok(output)
}

/// Describes the error of decoded samples.
fn error(samples: &[i16], decoded: &[i16]) -> String {
    let differences = || {
        samples
            .iter()
            .zip(decoded)
            .map(|(a, b)| f64::from(a.abs_diff(*b)))
    };
    let mean = differences().map(|value| value * value).sum::<f64>() / samples.len().max(1) as f64;
    let largest = differences().fold(0.0, f64::max);
    let signal = samples
        .iter()
        .map(|sample| f64::from(*sample).powi(2))
        .sum::<f64>()
        / samples.len().max(1) as f64;
    match mean > 0.0 && signal > 0.0 {
        true => format!(
            "error: at most {largest}, signal to noise {:.1} dB",
            10.0 * (signal / mean).log10()
        ),
        false => format!("error: at most {largest}"),
    }
}
