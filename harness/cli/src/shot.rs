//! How a picture is taken: the options that models, sprites and regression cases share.

use crate::chip::Chip;
use crate::drawing::Drawing;
use anyhow::{Context, Result};
use clap::{Args, Parser};
use scene::{Light, Lights};
use std::str::FromStr;

/// How a picture is taken.
#[derive(Args, Clone, Debug)]
pub(crate) struct Shot {
    /// Width and height in pixels.
    #[arg(long, default_value = "640x480", value_name = "WxH")]
    pub(crate) size: Size,
    /// Degrees that the camera goes around the model; 0 is in front (+z), 90 to its left (+x).
    #[arg(long, default_value_t = 30.0, allow_negative_numbers = true)]
    pub(crate) yaw: f32,
    /// Degrees that the camera stands above the model.
    #[arg(long, default_value_t = 15.0, allow_negative_numbers = true)]
    pub(crate) pitch: f32,
    /// Distance of the camera in units of the model; by default the whole model is in the picture.
    #[arg(long)]
    pub(crate) distance: Option<f32>,
    /// From where the light comes, in degrees around the model and above it, counted as for the camera.
    #[arg(long, value_name = "YAW,PITCH", allow_hyphen_values = true, value_parser = degrees)]
    pub(crate) light: Option<[f32; 2]>,
    #[command(flatten)]
    pub(crate) drawing: Drawing,
    /// Background colour.
    #[arg(long, default_value = "303848", value_name = "RRGGBB", value_parser = colour)]
    pub(crate) background: u32,
    /// Threads that draw tiles; the picture is the same with any number.
    #[arg(long, default_value_t = 2)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) chip: Chip,
}

/// The options of a picture alone.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    shot: Shot,
}

impl Shot {
    /// From options as on the command line; what is not among them has its default.
    pub(crate) fn parse(options: &[&str]) -> Result<Self> {
        let options = ["picture"].iter().chain(options);
        Ok(Options::try_parse_from(options)
            .context("options of a picture")?
            .shot)
    }

    /// The lights that were asked for, or the default ones.
    pub(crate) fn lights(&self) -> Lights {
        let mut lights = Lights::default();
        if let Some(angles) = self.light {
            let colour = lights.list.first().map_or([1.0; 3], |light| light.colour);
            lights.list = vec![Light::directional(direction(angles), colour)];
        }
        self.drawing.lights(lights)
    }
}

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

fn degrees(text: &str) -> Result<[f32; 2], String> {
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
