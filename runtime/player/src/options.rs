//! Files to draw, and options for drawing them.

use crate::{Error, Result};
use ninja::Bams;
use scene::{Lights, PlayMode, Settings, Shadows};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A motion: a file, and its index among the file's motions of the same kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MotionSource {
    /// File; `None` means the model's own.
    pub file: Option<PathBuf>,
    /// Index, counted from 0.
    pub number: usize,
}

/// Parses `FILE`, `FILE:N` or `:N`.
impl FromStr for MotionSource {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let numbered = text
            .rsplit_once(':')
            .filter(|(_, number)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
        let (file, number) = numbered.unwrap_or((text, "0"));
        match number.parse() {
            Ok(_) if file.is_empty() && numbered.is_none() => {
                Err(Error::Invalid("expected FILE, FILE:N or :N".to_owned()))
            }
            Ok(number) => Ok(Self {
                file: (!file.is_empty()).then(|| PathBuf::from(file)),
                number,
            }),
            Err(error) => Err(Error::Invalid(format!("{number}: {error}"))),
        }
    }
}

/// Paths of a model, a cell sprite, a scene or textures, and of the files used with it.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    /// Model, cell sprite, scene, texture, archive or picture.
    pub model: PathBuf,
    /// Archives, textures, palettes and folders of them. If empty, the player searches the model's folder.
    pub textures: Vec<PathBuf>,
    /// Palettes. They replace palettes of the same bank in the model's folder.
    pub palettes: Vec<PathBuf>,
    /// Motion of the nodes, or of a cell sprite.
    pub motion: Option<MotionSource>,
    /// Second motion and its weight from 0 to 1.
    pub link: Option<(MotionSource, f32)>,
    /// Shape list, and the index of a shape motion.
    pub shape: Option<MotionSource>,
    /// Motion of the camera.
    pub camera: Option<MotionSource>,
    /// Motions of lights, which replace the lights of the options.
    pub lights: Vec<MotionSource>,
    /// Cell sprite, streams and sprite motions, drawn over the model. If the model is a cell sprite, these
    /// are its streams and its motion.
    pub cells: Vec<PathBuf>,
}

impl Assets {
    /// Returns a model without motions that uses the textures of its folder.
    pub fn new(model: impl AsRef<Path>) -> Self {
        Self {
            model: model.as_ref().to_owned(),
            ..Self::default()
        }
    }
}

/// Position of cell sprites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CellSpace {
    /// Screen pixels; drawn in front of everything with a lower priority.
    #[default]
    Screen,
    /// The sprite's position in the space of the model, facing the screen.
    World,
}

/// Options for drawing frames and playing motions.
#[derive(Clone, Debug)]
pub struct Options {
    /// Width and height in pixels, at most 2048x1024.
    pub size: [u32; 2],
    /// Degrees around the model, from the front (+z) to its left (+x). If yaw and pitch are `None`, the
    /// player uses 30 and 15. If these show too little of the model, it chooses better angles.
    pub yaw: Option<f32>,
    /// Degrees above the model.
    pub pitch: Option<f32>,
    /// Distance of the camera. If `None`, the camera shows the whole model.
    pub distance: Option<f32>,
    /// Lights of models.
    pub lights: Lights,
    /// Background colour.
    pub background: pvr::Argb,
    /// Threads that draw tiles. The picture does not depend on the number.
    pub threads: usize,
    /// Settings of the chip.
    pub chip: pvr::Settings,
    /// Settings of the runtime, except `shadows`: the player uses [`Self::shadows`] instead.
    pub rules: Settings,
    /// Kind of shadows. If `None`, the kind that the models need.
    pub shadows: Option<Shadows>,
    /// Behaviour after the last frame of a motion.
    pub mode: PlayMode,
    /// Interpolation after the last key of a table.
    pub last_key: scene::LastKey,
    /// Position of cell sprites.
    pub cell_space: CellSpace,
    /// Options for converting scenes. The player sets the format and the search path.
    pub scene: convert::Options,
}

/// Ambient and directional light. A white surface that faces the light gets 0.95. The two have the same ratio
/// as in [`Lights::default`], where they sum to 1.25.
const DEFAULT_LIGHT: [f32; 2] = [0.38, 0.57];

impl Default for Options {
    fn default() -> Self {
        let mut lights = Lights {
            ambient: [DEFAULT_LIGHT[0]; 3],
            ..Lights::default()
        };
        for light in &mut lights.list {
            light.colour = [DEFAULT_LIGHT[1]; 3];
            light.specular = light.colour;
        }
        Self {
            size: [640, 480],
            yaw: None,
            pitch: None,
            distance: None,
            lights,
            background: pvr::Argb(0xFF30_3848),
            threads: 2,
            chip: chip(),
            rules: Settings::default(),
            shadows: None,
            mode: PlayMode::default(),
            last_key: scene::LastKey::default(),
            cell_space: CellSpace::default(),
            scene: convert::Options::default(),
        }
    }
}

/// Default settings of the chip, with the supersampling that NJD_FSS enables (docs/formats/chunk-model.md
/// 3.6).
fn chip() -> pvr::Settings {
    pvr::Settings {
        supersample: pvr::settings::Supersample::Average,
        ..pvr::Settings::default()
    }
}

impl Options {
    /// Yaw and pitch in degrees, as requested or by default.
    pub(crate) fn angles(&self) -> [f32; 2] {
        [self.yaw.unwrap_or(30.0), self.pitch.unwrap_or(15.0)]
    }

    pub(crate) fn has_angles(&self) -> bool {
        self.yaw.is_some() || self.pitch.is_some()
    }

    /// Settings of the runtime. `shadows` is the kind of shadows if the options do not request one.
    pub(crate) fn rules(&self, shadows: Shadows) -> Settings {
        Settings {
            shadows: self.shadows.unwrap_or(shadows),
            ..self.rules
        }
    }
}

/// Returns a unit vector: `yaw` degrees around from +z to +x, `pitch` degrees upwards.
pub fn direction([yaw, pitch]: [f32; 2]) -> [f32; 3] {
    let (sin_yaw, cos_yaw) = yaw.to_radians().sin_cos();
    let (sin_pitch, cos_pitch) = pitch.to_radians().sin_cos();
    [sin_yaw * cos_pitch, sin_pitch, cos_yaw * cos_pitch]
}

pub(crate) fn bams(degrees: f32) -> Bams {
    Bams::from_degrees(f64::from(degrees))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_a_file_and_a_number() {
        let source = |text: &str| text.parse::<MotionSource>().ok();
        let of = |file: Option<&str>, number| {
            let file = file.map(PathBuf::from);
            Some(MotionSource { file, number })
        };
        assert_eq!(source("walk.njm"), of(Some("walk.njm"), 0));
        assert_eq!(source("walk.njm:12"), of(Some("walk.njm"), 12));
        assert_eq!(source(":3"), of(None, 3));
        assert_eq!(source("C:\\walk.njm"), of(Some("C:\\walk.njm"), 0));
        assert_eq!((source(""), source("a:99999999999999999999")), (None, None));
    }

    #[test]
    fn soft_lights_stay_below_full() {
        let lights = Options::default().lights;
        let brightest = lights.ambient[0] + lights.list.iter().map(|light| light.colour[0]).sum::<f32>();
        assert!(brightest < 1.0, "{brightest}");
    }
}
