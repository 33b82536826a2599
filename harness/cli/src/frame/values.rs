//! Values of options: sizes, colours and angles.

use std::str::FromStr;

/// Width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (width, height) = text
            .split_once('x')
            .ok_or("expected WIDTHxHEIGHT, such as 640x480")?;
        let number = |text: &str| text.parse::<u32>().map_err(|error| format!("{text}: {error}"));
        Ok(Self {
            width: number(width)?,
            height: number(height)?,
        })
    }
}

/// `RRGGBB`, opaque.
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

/// The unit vector to a place on a sphere: `yaw` degrees around from +z to +x, `pitch` degrees above.
pub(crate) fn direction([yaw, pitch]: [f32; 2]) -> [f32; 3] {
    let (sin_yaw, cos_yaw) = yaw.to_radians().sin_cos();
    let (sin_pitch, cos_pitch) = pitch.to_radians().sin_cos();
    [sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch]
}
