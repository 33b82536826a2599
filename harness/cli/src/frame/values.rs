//! Parses option values: sizes, ranges, colours and angles.

use std::ops::RangeInclusive;
use std::str::FromStr;

/// Parses `WIDTHxHEIGHT` in pixels.
pub(crate) fn size(text: &str) -> Result<[u32; 2], String> {
    let (width, height) = text
        .split_once('x')
        .ok_or("expected WIDTHxHEIGHT, such as 640x480")?;
    let number = |text: &str| text.parse::<u32>().map_err(|error| format!("{text}: {error}"));
    Ok([number(width)?, number(height)?])
}

/// Parses `FIRST..LAST`, including the last.
pub(crate) fn range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let numbers = text.split_once("..");
    match numbers.and_then(|(first, last)| Some((number(first)?, number(last)?))) {
        Some((first, last)) if first <= last => Ok(first..=last),
        _ => Err("expected FIRST..LAST, such as 0..29".to_owned()),
    }
}

/// Parses a finite number.
pub(crate) fn finite<T: FromStr + Copy + Into<f64>>(text: &str) -> Result<T, String> {
    let number = text.parse().ok();
    let number = number.filter(|number: &T| (*number).into().is_finite());
    number.ok_or_else(|| format!("found {text}, expected a number"))
}

/// Parses `RRGGBB` as an opaque colour.
pub(crate) fn colour(text: &str) -> Result<u32, String> {
    match u32::from_str_radix(text, 16) {
        Ok(rgb) if text.len() == 6 => Ok(0xFF00_0000 | rgb),
        _ => Err("expected six hexadecimal digits, such as 303848".to_owned()),
    }
}

pub(super) fn degrees(text: &str) -> Result<[f32; 2], String> {
    let angles: Option<Vec<f32>> = text.split(',').map(|angle| angle.trim().parse().ok()).collect();
    match angles.as_deref() {
        Some(&[yaw, pitch]) if yaw.is_finite() && pitch.is_finite() => Ok([yaw, pitch]),
        _ => Err("expected two angles in degrees, such as -30,45".to_owned()),
    }
}
