//! `swirl convert model.fbx FOLDER`: an artist's file becomes a model, motions, shapes and textures.

use crate::{Outcome, assets, output};
use anyhow::{Context, Result, bail};
use convert::{Conversion, Options, Report};
use std::path::{Path, PathBuf};

/// How an FBX file is converted.
#[derive(clap::Args)]
#[command(next_help_heading = "FBX files")]
pub(crate) struct FbxArgs {
    /// The animation stack to convert, by name, or `all` or `none`; may be given several times. By default the one
    /// that the file opens with.
    #[arg(long, value_name = "NAME")]
    stack: Vec<String>,
    /// Frames a second of the motions; by default the file's.
    #[arg(long, value_name = "FPS")]
    rate: Option<f64>,
    /// Metres that one unit of the model stands for.
    #[arg(long, default_value_t = 1.0, value_name = "METRES")]
    unit: f64,
    /// Folders where textures are looked for, after the file's own.
    #[arg(long, value_name = "FOLDER")]
    texture_folder: Vec<PathBuf>,
    /// Where normals come from.
    #[arg(long, value_enum, default_value_t)]
    normals: NormalsArg,
    /// Leave vertex colours out.
    #[arg(long)]
    no_colors: bool,
    /// How texture coordinates are stored: by need, 256 or 1024 steps to a texture.
    #[arg(long, value_enum, default_value_t)]
    uv: UvArg,
    /// Where ambient colours come from.
    #[arg(long, value_enum, default_value_t)]
    ambient: AmbientArg,
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
    quaternions: bool,
    /// Motions with angles of 32 bits (ANG) instead of 16 (SANG).
    #[arg(long)]
    long_angles: bool,
    /// How far dropped keys may take a position off its curve, as a share of the model's size.
    #[arg(long, default_value_t = 1e-4, value_name = "SHARE")]
    position_tolerance: f64,
    /// The same for angles, in degrees.
    #[arg(long, default_value_t = 0.01, value_name = "DEGREES")]
    angle_tolerance: f64,
    /// Most megabytes that reading the file may take.
    #[arg(long, default_value_t = 256, value_name = "MB")]
    memory: usize,
    /// Read the written files again, evaluate them and compare with the source: exit status 1 if a vertex is farther off
    /// than 1/2000 of the model's size.
    #[arg(long)]
    check: bool,
    /// Convert and report, but write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Print the report as JSON: nodes, counts, losses, motions, the result of --check, warnings.
    #[arg(long)]
    json: bool,
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
enum UvArg {
    #[default]
    Auto,
    Uvn,
    Uvh,
}

#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum AmbientArg {
    /// The file's.
    #[default]
    File,
    /// The diffuse colours.
    Diffuse,
}

/// The largest distance that --check lets pass, as a share of the model's size.
const ALLOWED: f64 = 1.0 / 2000.0;

/// Whether a file is converted here.
pub(crate) fn is_fbx(path: &Path) -> bool {
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case("fbx"))
}

/// `mipmaps`: mip levels for square textures.
pub(crate) fn run(input: &Path, folder: &Path, args: &FbxArgs, mipmaps: bool) -> Result<Outcome> {
    let name = input.display();
    let bytes = assets::read(input)?;
    let mut conversion = convert::convert(&bytes, &args.options(mipmaps)?, &mut |path| {
        texture(input, &args.texture_folder, path)
    })
    .with_context(|| name.to_string())?;
    for warning in &conversion.warnings {
        eprintln!("{name}: warning: {warning}");
    }
    if args.check {
        conversion.check().with_context(|| name.to_string())?;
    }
    let written = if args.dry_run {
        Vec::new()
    } else {
        write(input, folder, &conversion)?
    };
    if args.json {
        let value =
            serde_json::json!({ "file": name.to_string(), "written": written, "report": conversion.report });
        println!("{}", serde_json::to_string_pretty(&value)?);
    } else {
        print(&conversion.report, &written);
    }
    Ok(outcome(&conversion.report))
}

impl FbxArgs {
    fn options(&self, mipmaps: bool) -> Result<Options> {
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
        Ok(Options {
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
            ambient: match self.ambient {
                AmbientArg::File => convert::Ambient::File,
                AmbientArg::Diffuse => convert::Ambient::Diffuse,
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
            position_tolerance: self.position_tolerance,
            angle_tolerance: self.angle_tolerance,
            mipmaps,
            ..Options::default()
        })
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

/// A texture by the path that the scene has for it: relative to the file and to the given folders. Absolute paths
/// and those that climb belong to the machine of whoever made the file, and are not followed.
fn texture(input: &Path, folders: &[PathBuf], path: &str) -> Option<Vec<u8>> {
    let path = Path::new(path);
    let plain = |part| {
        matches!(
            part,
            std::path::Component::Normal(_) | std::path::Component::CurDir
        )
    };
    if !path.components().all(plain) {
        return None;
    }
    let own = input.parent().into_iter().map(Path::to_path_buf);
    own.chain(folders.iter().cloned())
        .map(|folder| folder.join(path))
        .find(|path| path.is_file())
        .and_then(|path| assets::read(&path).ok())
}

/// Writes all files; returns their paths.
fn write(input: &Path, folder: &Path, conversion: &Conversion) -> Result<Vec<String>> {
    std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    let stem = input
        .file_stem()
        .map_or("model".into(), |stem| stem.to_string_lossy().into_owned());
    let mut files = vec![(format!("{stem}.nj"), conversion.model.write()?)];
    let mut taken: Vec<String> = Vec::new();
    for motion in &conversion.motions {
        let name = if conversion.motions.len() == 1 {
            stem.clone()
        } else {
            free_name(&stem, &motion.name, &mut taken)
        };
        files.push((format!("{name}.njm"), motion.file.write()?));
    }
    if let Some(shapes) = &conversion.shapes {
        files.push((format!("{stem}.njs"), shapes.write()?));
    }
    if let Some(archive) = &conversion.archive {
        files.push((format!("{stem}.pvm"), archive.clone()));
    }
    let mut written = Vec::new();
    for (name, bytes) in files {
        let path = folder.join(name);
        output::write(&path, &bytes)?;
        written.push(path.display().to_string());
    }
    Ok(written)
}

/// A file name for one of several motions: what is no letter or digit in the stack's name becomes `_`.
fn free_name(stem: &str, stack: &str, taken: &mut Vec<String>) -> String {
    let plain: String = stack
        .chars()
        .map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' })
        .collect();
    let mut name = format!("{stem}_{plain}");
    let mut number = 2;
    while taken.iter().any(|t| t.eq_ignore_ascii_case(&name)) {
        name = format!("{stem}_{plain}_{number}");
        number += 1;
    }
    taken.push(name.clone());
    name
}

fn outcome(report: &Report) -> Outcome {
    let Some(checked) = &report.check else {
        return Outcome::Done;
    };
    let motions = checked.motions.iter().map(|(_, deviation)| deviation);
    let far = std::iter::once(&checked.rest)
        .chain(motions)
        .any(|d| d.relative > ALLOWED);
    if far { Outcome::CheckFailed } else { Outcome::Done }
}

fn print(report: &Report, written: &[String]) {
    let line = |what: &str, value: String| println!("{what:<16} {value}");
    for path in written {
        line("written", path.clone());
    }
    let weighted = report.weighted_vertices;
    line(
        "model",
        format!(
            "{} nodes, {} vertices ({weighted} of several bones), {} triangles, size {:.4}",
            report.nodes.len(),
            report.vertices,
            report.triangles,
            report.size
        ),
    );
    let strips = &report.strips;
    line(
        "strips",
        format!(
            "{} of {} entries in {} words, the longest {}",
            strips.strips, strips.entries, strips.words, strips.longest
        ),
    );
    line(
        "rounding",
        format!(
            "texture coordinates {:.6} widths, angles {:.4} degrees",
            report.loss.uv, report.loss.angle
        ),
    );
    for (i, node) in report.nodes.iter().enumerate() {
        let parent = node.parent.map_or("-".to_owned(), |p| p.to_string());
        line(
            &format!("node {i}"),
            format!("{} (parent {parent}, {} triangles)", node.name, node.triangles),
        );
    }
    for motion in &report.motions {
        let rate = motion.rate;
        line(
            "motion",
            format!(
                "{:?}: {} frames at {rate} a second, {} keys of {}, {} key shapes",
                motion.stack, motion.frames, motion.keys, motion.sampled_keys, motion.shape_keys
            ),
        );
    }
    if let Some(checked) = &report.check {
        let text = |d: &convert::Deviation| {
            format!(
                "{:.3e} units, {:.3e} of the size ({:?} at frame {})",
                d.position, d.relative, d.node, d.frame
            )
        };
        line("check, at rest", text(&checked.rest));
        for (name, deviation) in &checked.motions {
            line("check", format!("{name:?}: {}", text(deviation)));
        }
    }
}
