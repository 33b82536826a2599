//! The options of scenes.

use crate::frame::values;
use crate::input;
use anyhow::{Result, anyhow, bail};
use convert::{Options, Sidecar};
use std::ops::RangeInclusive;
use std::path::PathBuf;

/// How an FBX file or another scene is converted.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Scenes (FBX, glTF, OBJ)")]
pub(crate) struct FbxArgs {
    /// The animation stack to convert, by name, or `all` or `none`; may be given several times. By default
    /// the one that the file opens with.
    #[arg(long, value_name = "NAME")]
    stack: Vec<String>,
    /// Frames a second of the motions; by default the file's. Of exports: 30 by default.
    #[arg(long, value_name = "FPS")]
    pub(crate) rate: Option<f64>,
    /// Frames of each stack to convert, from A up to and with B, counted from its first at the motions' rate.
    /// By default all, up to the 65,535 that a motion can have.
    #[arg(long, value_name = "A..B", value_parser = values::range)]
    range: Option<RangeInclusive<u32>>,
    /// Metres that one unit of the model stands for.
    #[arg(long, default_value_t = 1.0, value_name = "METRES")]
    unit: f64,
    /// Folders where textures are looked for, after the file's own.
    #[arg(long, value_name = "FOLDER")]
    pub(super) texture_folder: Vec<PathBuf>,
    /// Longest side of a texture: 8, 16, ... 1024. Longer ones are scaled down, with a notice.
    #[arg(long, default_value_t = 1024, value_name = "N", value_parser = side)]
    max_texture: u32,
    /// Bytes of video memory that all textures may take: the largest are scaled down, with a notice. By
    /// default what a frame of 640x480 leaves.
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
    #[command(flatten)]
    colours: ColourArgs,
    /// Draw every polygon from both sides.
    #[arg(long)]
    double_side: bool,
    /// Most bones of a vertex.
    #[arg(long, default_value_t = 8, value_name = "N")]
    max_bones: usize,
    /// Keep bones at the ends of chains that move nothing.
    #[arg(long)]
    leaf_bones: bool,
    /// Nodes and motions with quaternions (N2CM, Ninja2 only) instead of angles.
    #[arg(long)]
    pub(super) quaternions: bool,
    /// Motions with angles of 32 bits (ANG) instead of 16 (SANG).
    #[arg(long)]
    long_angles: bool,
    /// How far dropped keys may take a position off its curve, as a share of the model's size.
    #[arg(long, default_value_t = 1e-4, value_name = "SHARE")]
    position_tolerance: f64,
    /// The same for angles, in degrees.
    #[arg(long, default_value_t = 0.01, value_name = "DEGREES")]
    angle_tolerance: f64,
    /// Settings of materials and nodes, as TOML; the README of the crate `convert` lists them.
    #[arg(long, value_name = "TOML")]
    sidecar: Option<PathBuf>,
    /// The order of the corners of quadrilaterals in collision volumes.
    #[arg(long, value_enum, default_value_t)]
    quad_order: QuadOrderArg,
    /// Of a folder: files whose paths hold this text may be refused; others that are make the exit status 1.
    /// May be given several times.
    #[arg(long, value_name = "TEXT")]
    pub(super) may_refuse: Vec<String>,
    /// Most megabytes that reading the file may take.
    #[arg(long, default_value_t = 256, value_name = "MB")]
    memory: usize,
    /// Read the written files again, play them in the runtime with the reference kernels and compare with the
    /// source at up to 200 frames of each motion: exit status 1 if a vertex is farther off than 1/2000 of the
    /// model's size.
    #[arg(long)]
    pub(super) check: bool,
    /// Set a setting of playing by which --check reads the files, or a preset with play=PRESET; may be given
    /// several times. Exports follow spline-angles. `swirl settings play` lists them.
    #[arg(long, value_name = "NAME=CHOICE")]
    pub(crate) set: Vec<String>,
    /// The older form of --set play.NAME=CHOICE and --set play=PRESET.
    #[arg(long, hide = true, value_name = "PRESET|NAME=CHOICE")]
    pub(crate) play: Vec<String>,
    /// Write an .fbx file from the scene that the console gets of the input, and not record by record.
    #[arg(long)]
    pub(crate) scene: bool,
    /// Convert and report, but write nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print the report as JSON: nodes, counts, losses, motions, the result of --check, warnings.
    #[arg(long)]
    pub(super) json: bool,
}

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

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum QuadOrderArg {
    /// Around the polygon.
    #[default]
    Around,
    /// As a strip: triangles 0 1 2 and 2 1 3.
    Strip,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum UvArg {
    #[default]
    Auto,
    Uvn,
    Uvh,
}

/// Which colours of a scene's materials are taken.
#[derive(clap::Args, Clone, Debug, Default)]
#[group(id = "colours")]
pub(crate) struct ColourArgs {
    /// Ambient colours of materials: auto (the file's if they are no greys, else the diffuse colours), file,
    /// diffuse, or one colour for all, RRGGBB.
    #[arg(long, value_name = "auto|file|diffuse|RRGGBB", default_value = "auto", value_parser = ambient)]
    ambient: convert::Ambient,
    /// Specular colours of materials: auto (the file's, but for exponent 0 and Blender's exporters), file, or
    /// drop.
    #[arg(long, value_enum, default_value_t)]
    specular: SpecularArg,
}

impl ColourArgs {
    /// `options` with these choices.
    pub(crate) fn apply(&self, options: Options) -> Options {
        Options {
            ambient: self.ambient,
            specular: match self.specular {
                SpecularArg::Auto => convert::Specular::Auto,
                SpecularArg::File => convert::Specular::File,
                SpecularArg::Drop => convert::Specular::Drop,
            },
            ..options
        }
    }
}

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

/// A choice of ambient colours.
fn ambient(text: &str) -> Result<convert::Ambient, String> {
    Ok(match text {
        "auto" => convert::Ambient::Auto,
        "file" => convert::Ambient::File,
        "diffuse" => convert::Ambient::Diffuse,
        colour => {
            let rgb = crate::frame::values::colour(colour)
                .map_err(|error| format!("{error}, or auto, file or diffuse"))?;
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

impl FbxArgs {
    pub(super) fn options(&self, mipmaps: bool) -> Result<Options> {
        for (what, value) in [("--unit", Some(self.unit)), ("--rate", self.rate)] {
            if let Some(value) = value.filter(|v| !v.is_finite() || *v <= 0.0) {
                bail!("{what} {value}: expected a number above 0");
            }
        }
        for (what, value) in [
            ("--position-tolerance", self.position_tolerance),
            ("--angle-tolerance", self.angle_tolerance),
        ] {
            if !value.is_finite() || value < 0.0 {
                bail!("{what} {value}: expected a number that is not below 0");
            }
        }
        Ok(self.colours.apply(Options {
            unit_meters: self.unit,
            memory_limit: self.memory.saturating_mul(1 << 20).max(1),
            normals: match self.normals {
                NormalsArg::Keep => convert::Normals::Keep,
                NormalsArg::Smooth => convert::Normals::Smooth,
                NormalsArg::Drop => convert::Normals::Drop,
            },
            colors: if self.no_colors {
                convert::Keep::Drop
            } else {
                convert::Keep::Keep
            },
            uv: match self.uv {
                UvArg::Auto => convert::UvKind::Auto,
                UvArg::Uvn => convert::UvKind::Uvn,
                UvArg::Uvh => convert::UvKind::Uvh,
            },
            double_side: self.double_side,
            max_influences: self.max_bones.max(1),
            leaf_bones: self.leaf_bones,
            rotation: if self.quaternions {
                convert::Rotation::Quaternion
            } else {
                convert::Rotation::Euler
            },
            angle_bits: if self.long_angles {
                convert::AngleBits::Long
            } else {
                convert::AngleBits::Short
            },
            stacks: self.stacks(),
            rate: self.rate,
            range: self.range.clone(),
            position_tolerance: self.position_tolerance,
            angle_tolerance: self.angle_tolerance,
            mipmaps,
            max_texture: self.max_texture,
            texture_bytes: self.vram,
            sidecar: self.read_sidecar()?,
            quad_order: match self.quad_order {
                QuadOrderArg::Strip => convert::QuadOrder::Strip,
                QuadOrderArg::Around => convert::QuadOrder::Around,
            },
            ..Options::default()
        }))
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
