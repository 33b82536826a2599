//! Options of rendering that models, sprites and regression cases share.

use super::drawing::DrawingOptions;
use super::play_options::PlayOptions;
use super::values::{Size, colour, degrees, direction};
use crate::pvr_options::PvrOptions;
use anyhow::{Context, Result};
use clap::{Args, Parser};
use scene::{Light, Lights, Settings, Shadows};

/// Options of rendering.
#[derive(Args, Clone, Debug)]
pub(crate) struct RenderOptions {
    /// Width and height in pixels, at most 2048x1024, the chip's largest framebuffer.
    #[arg(long, default_value = "640x480", value_name = "WxH")]
    pub(crate) size: Size,
    /// Degrees that the camera goes around the model; 0 is in front (+z), 90 to its left (+x). By default 30;
    /// without --yaw and --pitch the camera turns to where more is seen if the model faces away from there.
    #[arg(long, allow_negative_numbers = true)]
    pub(crate) yaw: Option<f32>,
    /// Degrees that the camera stands above the model; by default 15.
    #[arg(long, allow_negative_numbers = true)]
    pub(crate) pitch: Option<f32>,
    /// Distance of the camera in units of the model; by default the whole model is in the picture.
    #[arg(long)]
    pub(crate) distance: Option<f32>,
    /// From where the light comes, in degrees around the model and above it, counted as for the camera.
    #[arg(long, value_name = "YAW,PITCH", allow_hyphen_values = true, value_parser = degrees)]
    pub(crate) light: Option<[f32; 2]>,
    #[command(flatten)]
    pub(crate) drawing: DrawingOptions,
    /// Background colour.
    #[arg(long, default_value = "303848", value_name = "RRGGBB", value_parser = colour)]
    pub(crate) background: u32,
    /// Threads that draw tiles; the picture is the same with any number.
    #[arg(long, default_value_t = 2)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) chip: PvrOptions,
    #[command(flatten)]
    pub(crate) play: PlayOptions,
}

/// The options of a picture alone.
#[derive(Parser)]
struct Options {
    #[command(flatten)]
    render: RenderOptions,
}

impl RenderOptions {
    /// Parses options of the command line; missing ones have their defaults.
    pub(crate) fn parse(options: &[&str]) -> Result<Self> {
        let options = ["picture"].iter().chain(options);
        Ok(Options::try_parse_from(options)
            .context("options of a picture")?
            .render)
    }

    /// The rules of playing and drawing: those of `--play`, then those of `--draw`.
    pub(crate) fn settings(&self, shadows: Shadows) -> Result<Settings> {
        let settings = Settings {
            shadows,
            ..self.play.settings()?
        };
        Ok(self.drawing.settings(settings))
    }

    /// Yaw and pitch in degrees, as asked for or by default.
    pub(crate) fn angles(&self) -> [f32; 2] {
        [self.yaw.unwrap_or(30.0), self.pitch.unwrap_or(15.0)]
    }

    /// Whether yaw or pitch were asked for.
    pub(crate) fn has_angles(&self) -> bool {
        self.yaw.is_some() || self.pitch.is_some()
    }

    /// The lights that were asked for, or the default ones.
    pub(crate) fn lights(&self) -> Lights {
        let mut lights = self.drawing.default_lights();
        if let Some(angles) = self.light {
            let colour = lights.list.first().map_or([1.0; 3], |light| light.colour);
            lights.list = vec![Light::directional(direction(angles), colour)];
        }
        self.drawing.lights(lights)
    }
}
