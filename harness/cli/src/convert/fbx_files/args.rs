//! Options for converting scenes.

use crate::frame::scenes::{self, SceneOptions};
use crate::frame::values;
use anyhow::{Result, bail};
use convert::Options;
use std::path::PathBuf;

/// Options for converting an FBX file or another scene.
#[derive(clap::Args, Clone)]
#[command(next_help_heading = "Scenes (FBX, glTF, OBJ)")]
pub(crate) struct FbxArgs {
    #[command(flatten)]
    pub(crate) shared: SceneOptions,
    /// Ambient colours of materials: auto (the file's unless they are grey, else the diffuse colours), file,
    /// diffuse, or RRGGBB for all.
    #[arg(
        long,
        value_name = "auto|file|diffuse|RRGGBB",
        default_value = "auto",
        value_parser = scenes::ambient
    )]
    ambient: convert::Ambient,
    /// Convert only the motions, for the nodes of this model.
    ///
    /// Nodes of a scene (.fbx, .gltf, .glb, .obj) are matched by name, nodes of a .nj file by hierarchy and
    /// position. OUTPUT is a .njm file or a folder; the default is the model's folder.
    #[arg(long, value_name = "MODEL")]
    pub(crate) onto: Option<PathBuf>,
    /// Additional folders in which to search for textures.
    #[arg(long, value_name = "FOLDER")]
    pub(super) texture_folder: Vec<PathBuf>,
    /// Store rotations of nodes and motions as quaternions (N2CM, Ninja2 only), not angles.
    #[arg(long)]
    pub(super) quaternions: bool,
    /// Store angles of motions in 32 bits (ANG), not 16 (SANG).
    #[arg(long)]
    long_angles: bool,
    /// Maximum error of positions when dropping keys, as a share of the model's size.
    #[arg(long, default_value_t = 1e-4, value_name = "SHARE", value_parser = values::finite::<f64>)]
    position_tolerance: f64,
    /// Maximum error of angles when dropping keys, in degrees.
    #[arg(long, default_value_t = 0.01, value_name = "DEGREES", value_parser = values::finite::<f64>)]
    angle_tolerance: f64,
    /// Order of the corners of quadrilaterals in collision volumes.
    #[arg(long, value_enum, default_value_t)]
    quad_order: QuadOrderArg,
    /// Permit files with this text in their path to be rejected when converting a folder.
    ///
    /// Any other rejected file makes the exit status 1. May be given several times.
    #[arg(long, value_name = "TEXT")]
    pub(super) may_refuse: Vec<String>,
    /// Read the written files back, play them in the runtime with the reference kernels, and compare with the
    /// source.
    ///
    /// Compares up to 200 frames per motion. The exit status is 1 if a vertex is off by more than 1/2000 of
    /// the model's size.
    #[arg(long)]
    pub(super) check: bool,
    /// Set a play setting for --check (NAME=CHOICE), or all of a preset (play=PRESET).
    ///
    /// May be given several times. Exports use only spline-angles. `swirl settings play` lists the settings.
    #[arg(long, value_name = "NAME=CHOICE")]
    pub(crate) set: Vec<String>,
    /// Older form of --set play.NAME=CHOICE and --set play=PRESET.
    #[arg(long, hide = true, value_name = "PRESET|NAME=CHOICE")]
    pub(crate) play: Vec<String>,
    /// Convert the input to Ninja first and write the result as .fbx, instead of copying record by record.
    #[arg(long)]
    pub(crate) scene: bool,
    /// Convert and report, but write no files.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Print the report as JSON: nodes, counts, losses, motions, the result of --check, warnings.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum QuadOrderArg {
    /// In outline order.
    #[default]
    Around,
    /// In strip order: triangles 0 1 2 and 2 1 3.
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
