//! Options for drawing models: lights, and uncertain behaviour of the runtime.

use super::{scenes, values};
use anyhow::{Context, Result, bail};
use clap::Args;
use convert::Ambient;
use ninja::Bams;
use scene::{ColourMode, Light, Lights, Range, Settings, Shadows, Source};
use settings::Table;
use std::str::FromStr;

/// Options for drawing models.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DrawingOptions {
    /// Light in the model's space that replaces the default one. directional:X,Y,Z (towards the light),
    /// point:X,Y,Z:NEAR,FAR or spot:X,Y,Z:BEAM-X,Y,Z:NEAR,FAR:INNER,OUTER (degrees from the beam). All can
    /// end with a colour, :RRGGBB. May be given several times.
    #[arg(long, value_name = "LIGHT", allow_hyphen_values = true)]
    lamp: Vec<LightOption>,
    /// Colour of the ambient light.
    #[arg(long, value_name = "RRGGBB", value_parser = colour)]
    ambient_light: Option<[f32; 3]>,
    /// Ambient colours of a scene's materials: auto (the file's unless they are grey, else the diffuse
    /// colours), file, diffuse, or RRGGBB for all. For a Ninja model, RRGGBB is the ambient light, as with
    /// --ambient-light.
    #[arg(long, value_name = "auto|file|diffuse|RRGGBB", value_parser = scenes::ambient)]
    ambient: Option<Ambient>,
    /// Appearance: shadows=two-volumes or 0 to 255; colours=packed or intensity; cull=on or off; lights=soft
    /// (keeps white surfaces below full brightness) or bright. Also accepts settings of drawing such as
    /// volumes=all; prefer --set for them.
    #[arg(long, value_name = "NAME=VALUE")]
    draw: Vec<Choice>,
}

impl DrawingOptions {
    /// Returns the default lights: the bright ones if `--draw lights=bright` requests them, else `soft`.
    pub(crate) fn default_lights(&self, soft: Lights) -> Lights {
        let bright = self.draw.iter().rev().find_map(|choice| match choice {
            Choice::BrightLights(bright) => Some(*bright),
            _ => None,
        });
        if bright.unwrap_or(false) {
            Lights::default()
        } else {
            soft
        }
    }

    /// Returns the source of ambient colours of a scene's materials.
    pub(crate) fn ambient(&self) -> Ambient {
        self.ambient.unwrap_or_default()
    }

    /// Returns whether `--ambient` selects a source that only scenes have.
    pub(crate) fn has_scene_ambient(&self) -> bool {
        self.ambient
            .is_some_and(|ambient| !matches!(ambient, Ambient::Colour(_)))
    }

    /// Returns the requested shadows.
    pub(crate) fn shadows(&self) -> Option<Shadows> {
        self.draw.iter().rev().find_map(|choice| match choice {
            Choice::Shadows(shadows) => Some(*shadows),
            _ => None,
        })
    }

    /// Returns `lights`, replaced by the requested ones. For inputs other than scenes, a colour of
    /// `--ambient` is the ambient light.
    pub(crate) fn lights(&self, lights: Lights, is_scene: bool) -> Lights {
        let of_ambient = match self.ambient {
            Some(Ambient::Colour(colour)) if !is_scene => Some(colour.map(|channel| channel as f32)),
            _ => None,
        };
        Lights {
            ambient: self.ambient_light.or(of_ambient).unwrap_or(lights.ambient),
            list: match self.lamp[..] {
                [] => lights.list,
                _ => self.lamp.iter().map(|lamp| lamp.0).collect(),
            },
        }
    }

    /// Returns `settings`, changed as requested.
    pub(crate) fn settings(&self, mut settings: Settings) -> Result<Settings> {
        for choice in &self.draw {
            match choice {
                Choice::Colours(colours) => settings.colours = *colours,
                Choice::Cull(cull) => settings.cull = *cull,
                Choice::Rule(name, value) => settings.set(name, value)?,
                // Handled by `default_lights` and `shadows`.
                Choice::BrightLights(_) | Choice::Shadows(_) => {}
            }
        }
        Ok(settings)
    }
}

/// A light from the command line.
#[derive(Clone, Copy, Debug)]
struct LightOption(Light);

impl FromStr for LightOption {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut parts = text.split(':');
        let kind = parts.next().unwrap_or_default();
        let mut next = |what| parts.next().with_context(|| format!("{what} is missing"));
        let source = match kind {
            "directional" => Source::Directional {
                direction: unit(numbers(next("X,Y,Z")?)?)?,
            },
            "point" => Source::Point {
                position: numbers(next("X,Y,Z")?)?,
                range: range(next("NEAR,FAR")?)?,
            },
            "spot" => {
                let position = numbers(next("X,Y,Z")?)?;
                let beam = unit(numbers(next("the beam's X,Y,Z")?)?)?;
                let range = range(next("NEAR,FAR")?)?;
                let [inner, outer] = numbers(next("INNER,OUTER")?)?;
                let angle = |degrees: f32| Bams::from_degrees(f64::from(degrees));
                Source::Spot {
                    position,
                    beam,
                    range,
                    inner: angle(inner),
                    outer: angle(outer),
                }
            }
            kind => bail!("{kind}, expected directional, point or spot"),
        };
        let colour = parts
            .next()
            .map_or(Ok([1.0; 3]), colour)
            .map_err(anyhow::Error::msg)?;
        if let Some(more) = parts.next() {
            bail!("found {more} after the colour, expected the end");
        }
        Ok(Self(Light {
            source,
            colour,
            specular: colour,
        }))
    }
}

fn numbers<const N: usize>(text: &str) -> Result<[f32; N]> {
    let numbers: Vec<f32> = text
        .split(',')
        .map(|number| number.parse::<f32>().with_context(|| format!("number {number}")))
        .collect::<Result<_>>()?;
    let found = numbers.len();
    numbers
        .try_into()
        .map_err(|_| anyhow::anyhow!("found {found} numbers in {text}, expected {N}"))
}

fn range(text: &str) -> Result<Range> {
    let [near, far] = numbers(text)?;
    if far < near {
        bail!("range {text}, expected NEAR,FAR with NEAR no more than FAR");
    }
    Ok(Range { near, far })
}

fn unit(v: [f32; 3]) -> Result<[f32; 3]> {
    let length = v.iter().map(|c| c * c).sum::<f32>().sqrt();
    if !length.is_normal() {
        bail!("a direction of length {length}, expected a finite length above 0");
    }
    Ok(v.map(|c| c / length))
}

/// Parses `RRGGBB` as red, green and blue from 0 to 1.
fn colour(text: &str) -> Result<[f32; 3], String> {
    let rgb = values::colour(text)?;
    Ok([16, 8, 0].map(|shift| f32::from((rgb >> shift) as u8) / 255.0))
}

/// A setting and its value.
#[derive(Clone, Debug, PartialEq)]
enum Choice {
    Shadows(Shadows),
    Colours(ColourMode),
    Cull(bool),
    BrightLights(bool),
    /// A setting of drawing, as with `--play`.
    Rule(String, String),
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || "expected a name and value as listed by --help".to_owned();
        let (name, value) = text.split_once('=').ok_or_else(unknown)?;
        Ok(match (name, value) {
            ("shadows", "two-volumes") => Self::Shadows(Shadows::TwoVolumes),
            ("shadows", scale) => Self::Shadows(Shadows::Cheap {
                scale: scale.parse().map_err(|_| unknown())?,
            }),
            ("colours", "packed") => Self::Colours(ColourMode::Packed),
            ("colours", "intensity") => Self::Colours(ColourMode::Intensity),
            ("cull", "on") => Self::Cull(true),
            ("cull", "off") => Self::Cull(false),
            ("lights", "soft") => Self::BrightLights(false),
            ("lights", "bright") => Self::BrightLights(true),
            _ if RULES.contains(&name) && Settings::default().set(name, value).is_ok() => {
                Self::Rule(name.to_owned(), value.to_owned())
            }
            _ => return Err(unknown()),
        })
    }
}

/// Settings of drawing that `--draw` also accepts.
const RULES: [&str; 5] = ["highlight", "bits", "volumes", "volume-lists", "trilinear"];

#[cfg(test)]
mod tests {
    use super::*;
    use scene::Volumes;

    #[test]
    fn lights_are_read() {
        let light = |text: &str| text.parse::<LightOption>().map(|lamp| lamp.0);
        let directional = light("directional:0,0,2").unwrap();
        assert_eq!(directional, Light::directional([0.0, 0.0, 1.0], [1.0; 3]));
        let point = light("point:1,2,-3:4,5:FF0000").unwrap();
        assert_eq!(point.colour, [1.0, 0.0, 0.0]);
        let range = Range { near: 4.0, far: 5.0 };
        assert_eq!(
            point.source,
            Source::Point {
                position: [1.0, 2.0, -3.0],
                range
            }
        );
        let spot = light("spot:0,0,0:0,-1,0:4,5:90,180").unwrap().source;
        assert!(matches!(
            spot,
            Source::Spot {
                inner: Bams(0x4000),
                outer: Bams(0x8000),
                ..
            }
        ));
        for wrong in [
            "",
            "sun:1,2,3",
            "point:1,2,3",
            "point:1,2:3,4",
            "directional:0,0,0",
            "point:1,2,3:5,4",
        ] {
            assert!(light(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_last_choice_of_lights_counts() {
        let brightest = |draw: &[&str]| {
            let options = DrawingOptions {
                draw: draw.iter().map(|choice| choice.parse().unwrap()).collect(),
                ..DrawingOptions::default()
            };
            let lights = options.default_lights(player::Options::default().lights);
            lights.ambient[0] + lights.list.iter().map(|light| light.colour[0]).sum::<f32>()
        };
        assert!(brightest(&[]) < 1.0);
        assert_eq!(brightest(&["lights=bright"]), 1.25);
        assert!(brightest(&["lights=bright", "cull=off", "lights=soft"]) < 1.0);
    }

    #[test]
    fn settings_are_read() {
        let choose = |text: &str| -> Result<Settings> {
            let draw = vec![text.parse().map_err(anyhow::Error::msg)?];
            let options = DrawingOptions {
                draw,
                ..DrawingOptions::default()
            };
            options.settings(Settings::default())
        };
        let scale = "shadows=64".parse();
        assert_eq!(scale, Ok(Choice::Shadows(Shadows::Cheap { scale: 64 })));
        assert!(!choose("cull=off").unwrap().cull);
        assert_eq!(choose("volumes=all").unwrap().volumes, Volumes::All);
        assert!(choose("shadows=256").is_err() && choose("cull").is_err() && choose("stamps=held").is_err());
    }
}
