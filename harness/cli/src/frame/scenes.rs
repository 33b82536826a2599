//! Options for converting scenes of other programs (FBX, glTF, OBJ). Shared by `convert`, `render` and
//! `view`.

use super::values;
use crate::input;
use anyhow::{Result, anyhow, bail};
use convert::{Options, Sidecar};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// Options for converting a scene to a model.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Scenes (FBX, glTF, OBJ)")]
#[group(id = "scene_options")]
pub(crate) struct SceneOptions {
    /// Animation stack to convert, by name, or `all` or `none`. By default the active stack of the file. May
    /// be given several times.
    #[arg(long, value_name = "NAME")]
    stack: Vec<String>,
    /// Frames per second of the motions; by default the file's. For exports the default is 30.
    #[arg(long, value_name = "FPS", value_parser = values::finite::<f64>)]
    pub(crate) rate: Option<f64>,
    /// Frames of each stack to convert, from A to B inclusive, counted from the stack's first frame at the
    /// motions' rate.
    ///
    /// By default all, up to the maximum of 65,535.
    #[arg(long, value_name = "A..B", value_parser = values::range)]
    range: Option<RangeInclusive<u32>>,
    /// Length of the model's unit in metres.
    #[arg(long, default_value_t = 1.0, value_name = "METRES", value_parser = values::finite::<f64>)]
    unit: f64,
    /// Longest side of a texture: 8, 16, ... 1024. Longer sides are scaled down, with a notice.
    #[arg(long, default_value_t = 1024, value_name = "N", value_parser = side)]
    max_texture: u32,
    /// Maximum bytes of video memory for all textures.
    ///
    /// The largest textures are scaled down, with a notice. The default is the memory that the drawn frame
    /// and the polygons of the scene leave. For convert, it assumes a frame of 640x480.
    #[arg(long, value_name = "BYTES")]
    vram: Option<usize>,
    /// Source of normals.
    #[arg(long, value_enum, default_value_t)]
    normals: NormalsArg,
    /// Leave out vertex colours.
    #[arg(long)]
    no_colors: bool,
    /// Storage of texture coordinates: automatic, 256 or 1024 steps per texture.
    #[arg(long, value_enum, default_value_t)]
    uv: UvArg,
    /// Specular colours of materials: auto (the file's, except with exponent 0 or from Blender), file, or
    /// drop.
    #[arg(long, value_enum, default_value_t)]
    specular: SpecularArg,
    /// Draw every polygon from both sides.
    #[arg(long)]
    double_side: bool,
    /// Maximum number of bones per vertex.
    #[arg(long, default_value_t = 8, value_name = "N")]
    max_bones: usize,
    /// Keep leaf bones that move no vertices.
    #[arg(long)]
    leaf_bones: bool,
    /// Settings of materials and nodes as TOML. The README of the crate `convert` lists them.
    #[arg(long, value_name = "TOML")]
    sidecar: Option<PathBuf>,
    /// Maximum megabytes of memory for reading the file.
    #[arg(long, default_value_t = 256, value_name = "MB")]
    memory: usize,
}

/// Source of normals.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum NormalsArg {
    /// The file's normals, or smooth ones if it has none.
    #[default]
    Keep,
    /// New smooth normals.
    Smooth,
    /// No normals: the model is not lit.
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

/// Specular colours to keep.
#[derive(Clone, Copy, Debug, Default, PartialEq, clap::ValueEnum)]
enum SpecularArg {
    /// The file's, except with exponent 0 or from Blender's exporters.
    #[default]
    Auto,
    /// All of the file's.
    File,
    /// None.
    Drop,
}

/// Ids that clap gives to the fields of [`SceneOptions`].
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

/// Parses the source of ambient colours: `auto`, `file`, `diffuse` or a colour.
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

/// Parses the side of a texture.
fn side(text: &str) -> Result<u32, String> {
    let expected = || "expected a power of two from 8 to 1024".to_owned();
    let side: u32 = text.parse().map_err(|_| expected())?;
    match side.is_power_of_two() && (8..=1024).contains(&side) {
        true => Ok(side),
        false => Err(expected()),
    }
}

impl SceneOptions {
    /// Returns the converter's options.
    ///
    /// # Errors
    /// If a number is not valid, or the settings cannot be read.
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
        let text = input::read_toml(path)?;
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
