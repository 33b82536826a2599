//! The options of scenes.

use crate::frame::scenes::{self, SceneOptions};
use crate::frame::values;
use anyhow::{Result, bail};
use convert::Options;
use std::path::PathBuf;

/// How an FBX file or another scene is converted.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Scenes (FBX, glTF, OBJ)")]
pub(crate) struct FbxArgs {
    #[command(flatten)]
    pub(crate) shared: SceneOptions,
    /// Ambient colours of materials: auto (the file's if they are no greys, else the diffuse colours), file,
    /// diffuse, or one colour for all, RRGGBB.
    #[arg(
        long,
        value_name = "auto|file|diffuse|RRGGBB",
        default_value = "auto",
        value_parser = scenes::ambient
    )]
    ambient: convert::Ambient,
    /// Convert only the motions, for the nodes of this model. A scene (.fbx, .gltf, .glb, .obj) has names, by
    /// which its nodes are found; the nodes of a .nj file are found by hierarchy and places. OUTPUT is a .njm
    /// file or a folder, by default the model's.
    #[arg(long, value_name = "MODEL")]
    pub(crate) onto: Option<PathBuf>,
    /// Folders where textures are looked for, after the file's own.
    #[arg(long, value_name = "FOLDER")]
    pub(super) texture_folder: Vec<PathBuf>,
    /// Nodes and motions with quaternions (N2CM, Ninja2 only) instead of angles.
    #[arg(long)]
    pub(super) quaternions: bool,
    /// Motions with angles of 32 bits (ANG) instead of 16 (SANG).
    #[arg(long)]
    long_angles: bool,
    /// How far dropped keys may take a position off its curve, as a share of the model's size.
    #[arg(long, default_value_t = 1e-4, value_name = "SHARE", value_parser = values::finite::<f64>)]
    position_tolerance: f64,
    /// The same for angles, in degrees.
    #[arg(long, default_value_t = 0.01, value_name = "DEGREES", value_parser = values::finite::<f64>)]
    angle_tolerance: f64,
    /// The order of the corners of quadrilaterals in collision volumes.
    #[arg(long, value_enum, default_value_t)]
    quad_order: QuadOrderArg,
    /// Of a folder: files whose paths hold this text may be refused; others that are make the exit status 1.
    /// May be given several times.
    #[arg(long, value_name = "TEXT")]
    pub(super) may_refuse: Vec<String>,
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
enum QuadOrderArg {
    /// Around the polygon.
    #[default]
    Around,
    /// As a strip: triangles 0 1 2 and 2 1 3.
    Strip,
}

impl FbxArgs {
    pub(super) fn options(&self, mipmaps: bool) -> Result<Options> {
        for (what, value) in [
            ("--position-tolerance", self.position_tolerance),
            ("--angle-tolerance", self.angle_tolerance),
        ] {
            if !value.is_finite() || value < 0.0 {
                bail!("{what} {value}: expected a number that is not below 0");
            }
        }
        Ok(Options {
            ambient: self.ambient,
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
            position_tolerance: self.position_tolerance,
            angle_tolerance: self.angle_tolerance,
            mipmaps,
            quad_order: match self.quad_order {
                QuadOrderArg::Strip => convert::QuadOrder::Strip,
                QuadOrderArg::Around => convert::QuadOrder::Around,
            },
            ..self.shared.options()?
        })
    }
}
