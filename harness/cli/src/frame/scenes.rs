//! Options of how scenes of other programs (FBX, glTF, OBJ) become models. Shared by `convert`, `render` and
//! `view`.

use super::values;
use crate::input;
use anyhow::{Result, anyhow, bail};
use convert::{Options, Sidecar};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// How a scene becomes a model.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Scenes (FBX, glTF, OBJ)")]
#[group(id = "scene_options")]
pub(crate) struct SceneOptions {
    /// The animation stack to convert, by name, or `all` or `none`; may be given several times. By default
    /// the one that the file opens with.
    #[arg(long, value_name = "NAME")]
    stack: Vec<String>,
    /// Frames a second of the motions; by default the file's. Of exports: 30 by default.
    #[arg(long, value_name = "FPS", value_parser = values::finite::<f64>)]
    pub(crate) rate: Option<f64>,
    /// Frames of each stack to convert, from A up to and with B, counted from its first at the motions' rate.
    /// By default all, up to the 65,535 that a motion can have.
    #[arg(long, value_name = "A..B", value_parser = values::range)]
    range: Option<RangeInclusive<u32>>,
    /// Metres that one unit of the model stands for.
    #[arg(long, default_value_t = 1.0, value_name = "METRES", value_parser = values::finite::<f64>)]
    unit: f64,
    /// Longest side of a texture: 8, 16, ... 1024. Longer ones are scaled down, with a notice.
    #[arg(long, default_value_t = 1024, value_name = "N", value_parser = side)]
    max_texture: u32,
    /// Bytes of video memory that all textures may take: the largest are scaled down, with a notice. By
    /// default what a frame of 640x480, or the frame that is drawn, leaves.
    #[arg(long, value_name = "BYTES")]
    vram: Option<usize>,
    /// Where normals come from.
    #[arg(long, value_enum, default_value_t)]
    normals: NormalsArg,
    /// Leave vertex colours out.
    #[arg(long)]
    no_colors: bool,
    /// How texture coordinates are stored: by need, 256 or 1024 steps to a texture.
    #[arg(long, value_enum, default_value_t)]
    uv: UvArg,
    /// Specular colours of materials: auto (the file's, but for exponent 0 and Blender's exporters), file, or
    /// drop.
    #[arg(long, value_enum, default_value_t)]
    specular: SpecularArg,
    /// Draw every polygon from both sides.
    #[arg(long)]
    double_side: bool,
    /// Most bones of a vertex.
    #[arg(long, default_value_t = 8, value_name = "N")]
    max_bones: usize,
    /// Keep bones at the ends of chains that move nothing.
    #[arg(long)]
    leaf_bones: bool,
    /// Settings of materials and nodes, as TOML; the README of the crate `convert` lists them.
    #[arg(long, value_name = "TOML")]
    sidecar: Option<PathBuf>,
    /// Most megabytes that reading the file may take.
    #[arg(long, default_value_t = 256, value_name = "MB")]
    memory: usize,
}

/// Where normals come from.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum NormalsArg {
    /// The file's; made where it has none.
    #[default]
    Keep,
    /// Made anew, smooth.
    Smooth,
    /// None: the model is not lit.
    Drop,
}

/// Steps of texture coordinates.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum UvArg {
    #[default]
    Auto,
    Uvn,
    Uvh,
}

/// Kept specular colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, clap::ValueEnum)]
enum SpecularArg {
    /// The file's, but for those of exponent 0 and those of Blender's exporters.
    #[default]
    Auto,
    /// The file's.
    File,
    /// None.
    Drop,
}

/// Options of [`SceneOptions`], by the ids of the parser.
pub(crate) const IDS: [&str; 15] = [
    "stack",
    "rate",
    "range",
    "unit",
    "max_texture",
    "vram",
    "normals",
    "no_colors",
    "uv",
    "specular",
    "double_side",
    "max_bones",
    "leaf_bones",
    "sidecar",
    "memory",
];

/// A choice of ambient colours.
pub(crate) fn ambient(text: &str) -> Result<convert::Ambient, String> {
    Ok(match text {
        "auto" => convert::Ambient::Auto,
        "file" => convert::Ambient::File,
        "diffuse" => convert::Ambient::Diffuse,
        colour => {
            let rgb = values::colour(colour).map_err(|error| format!("{error}, or auto, file or diffuse"))?;
            convert::Ambient::Colour([16, 8, 0].map(|shift| f64::from((rgb >> shift) as u8) / 255.0))
        }
    })
}

/// The side of a texture.
fn side(text: &str) -> Result<u32, String> {
    let expected = || "expected a power of two from 8 to 1024".to_owned();
    let side: u32 = text.parse().map_err(|_| expected())?;
    match side.is_power_of_two() && (8..=1024).contains(&side) {
        true => Ok(side),
        false => Err(expected()),
    }
}

impl SceneOptions {
    /// Options of the converter.
    ///
    /// # Errors
    /// If a number has no meaning, or the settings cannot be read.
    pub(crate) fn options(&self) -> Result<Options> {
        for (what, value) in [("--unit", Some(self.unit)), ("--rate", self.rate)] {
            if let Some(value) = value.filter(|v| !v.is_finite() || *v <= 0.0) {
                bail!("{what} {value}: expected a number above 0");
            }
        }
        Ok(Options {
            unit_meters: self.unit,
            memory_limit: self.memory.saturating_mul(1 << 20).max(1),
            normals: match self.normals {
                NormalsArg::Keep => convert::Normals::Keep,
                NormalsArg::Smooth => convert::Normals::Smooth,
                NormalsArg::Drop => convert::Normals::Drop,
            },
            colors: match self.no_colors {
                true => convert::Keep::Drop,
                false => convert::Keep::Keep,
            },
            uv: match self.uv {
                UvArg::Auto => convert::UvKind::Auto,
                UvArg::Uvn => convert::UvKind::Uvn,
                UvArg::Uvh => convert::UvKind::Uvh,
            },
            specular: match self.specular {
                SpecularArg::Auto => convert::Specular::Auto,
                SpecularArg::File => convert::Specular::File,
                SpecularArg::Drop => convert::Specular::Drop,
            },
            double_side: self.double_side,
            max_influences: self.max_bones.max(1),
            leaf_bones: self.leaf_bones,
            stacks: self.stacks(),
            rate: self.rate,
            range: self.range.clone(),
            max_texture: self.max_texture,
            texture_bytes: self.vram,
            sidecar: self.read_sidecar()?,
            ..Options::default()
        })
    }

    fn read_sidecar(&self) -> Result<Sidecar> {
        let Some(path) = &self.sidecar else {
            return Ok(Sidecar::default());
        };
        let name = path.display();
        let text = input::read_text(path)?;
        Sidecar::parse(&text).map_err(|e| anyhow!("{name}:{}: {}", e.line, e.message))
    }

    fn stacks(&self) -> convert::Stacks {
        match self.stack.as_slice() {
            [] => convert::Stacks::Active,
            [one] if one == "all" => convert::Stacks::All,
            [one] if one == "none" => convert::Stacks::None,
            names => convert::Stacks::Named(names.to_vec()),
        }
    }
}
