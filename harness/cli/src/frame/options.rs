//! Rendering options that models, sprites and regression cases share.

use super::drawing::DrawingOptions;
use super::values::{colour, degrees, finite, size};
use crate::setting_options::PlayOptions;
use anyhow::{Context, Result};
use clap::{Args, Parser};
use player::{Options, direction};
use scene::Light;

/// Options of rendering.
#[derive(Args, Clone, Debug)]
pub(crate) struct RenderOptions {
    /// Width and height in pixels, at most 2048x1024, the chip's largest framebuffer.
    #[arg(long, default_value = "640x480", value_name = "WxH", value_parser = size)]
    pub(crate) size: [u32; 2],
    /// Degrees by which the camera orbits the model: 0 is in front (+z), 90 is to its left (+x).
    ///
    /// The default is 30. Without --yaw and --pitch, the camera moves to another side if the model faces
    /// away.
    #[arg(long, allow_negative_numbers = true, value_parser = finite::<f32>)]
    pub(crate) yaw: Option<f32>,
    /// Degrees by which the camera is above the model; by default 15.
    #[arg(long, allow_negative_numbers = true, value_parser = finite::<f32>)]
    pub(crate) pitch: Option<f32>,
    /// Distance of the camera in units of the model. By default the whole model is in the picture.
    #[arg(long, value_parser = finite::<f32>)]
    pub(crate) distance: Option<f32>,
    /// Direction of the light: degrees around the model and above it, like --yaw and --pitch.
    #[arg(long, value_name = "YAW,PITCH", allow_hyphen_values = true, value_parser = degrees)]
    pub(crate) light: Option<[f32; 2]>,
    #[command(flatten)]
    pub(crate) drawing: DrawingOptions,
    /// Background colour.
    #[arg(long, default_value = "303848", value_name = "RRGGBB", value_parser = colour)]
    pub(crate) background: u32,
    /// Number of threads that draw tiles. The picture does not depend on it.
    #[arg(long, default_value_t = 2)]
    pub(crate) threads: usize,
    #[command(flatten)]
    pub(crate) play: PlayOptions,
}

/// Parser for the options of a picture.
#[derive(Parser)]
struct PictureCommand {
    #[command(flatten)]
    render: RenderOptions,
}

impl RenderOptions {
    /// Parses options; missing ones have their defaults.
    pub(crate) fn parse(options: &[&str]) -> Result<Self> {
        let options = ["picture"].iter().chain(options);
        let command = PictureCommand::try_parse_from(options);
        Ok(command.context("options of a picture")?.render)
    }

    /// Returns the player's options for a scene or another file.
    pub(crate) fn options(&self, is_scene: bool) -> Result<Options> {
        let defaults = Options::default();
        let mut lights = self.drawing.default_lights(defaults.lights);
        if let Some(angles) = self.light {
            let colour = lights.list.first().map_or([1.0; 3], |light| light.colour);
            lights.list = vec![Light::directional(direction(angles), colour)];
        }
        let rules = self.drawing.settings(self.play.settings()?)?;
        Ok(Options {
            size: self.size,
            yaw: self.yaw,
            pitch: self.pitch,
            distance: self.distance,
            lights: self.drawing.lights(lights, is_scene),
            background: pvr::Argb(self.background),
            threads: self.threads,
            chip: self.play.chip.pvr(defaults.chip)?,
            rules,
            shadows: self.drawing.shadows(),
            mode: self.play.mode(),
            scene: convert::Options {
                ambient: self.drawing.ambient(),
                ..defaults.scene
            },
            ..defaults
        })
    }
}
