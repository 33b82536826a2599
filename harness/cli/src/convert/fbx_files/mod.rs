//! `swirl convert model.fbx FOLDER`: converts a scene to a model, motions, shapes and textures.

mod args;
mod failure;
mod folder;
pub(crate) mod onto;
mod print;
mod runtime;
pub(crate) mod scene;

use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use crate::setting_options::PlayOptions;
use crate::{input, output};
use anyhow::{Context, Result, bail};
pub(crate) use args::FbxArgs;
use convert::{Conversion, Deviation, Report, Search};
use player::Input;
pub(crate) use print::print;
use runtime::Runtime;
use std::path::Path;

/// Largest distance that --check permits, as a share of the model's size.
const ALLOWED: f64 = 1.0 / 2000.0;

/// Returns whether this module converts an input: a scene, by name or else by content, or a folder.
pub(crate) fn takes(path: &Path) -> bool {
    match Input::named(path) {
        _ if path.is_dir() => true,
        Some(kind) => kind.is_scene(),
        None => input::kind(path).is_ok_and(Input::is_scene),
    }
}

/// Converts one file, or all files in a folder. `mipmaps` adds mip levels to square textures.
pub(crate) fn run(
    input: &Path,
    folder: &Path,
    args: &FbxArgs,
    mipmaps: bool,
    given: GivenOptions<'_>,
) -> Result<ExitStatus> {
    given.warn(!args.check, &["play", "set"], "without --check");
    if input.is_dir() {
        return folder::run(input, folder, args, mipmaps);
    }
    if !args.may_refuse.is_empty() {
        bail!("--may-refuse: {} is a file, expected a folder", input.display());
    }
    let name = input.display();
    let conversion = converted(input, args, mipmaps)?;
    warn_unused(input, args, &conversion, given);
    for warning in &conversion.warnings {
        eprintln!("{name}: {}: {warning}", warning.label());
    }
    let written = match args.dry_run {
        true => Vec::new(),
        false => write(input, folder, &conversion)?,
    };
    print_report(input, args, &conversion, &written)
}

/// Prints the report, the written files, and the failures.
fn print_report(
    input: &Path,
    args: &FbxArgs,
    conversion: &Conversion,
    written: &[String],
) -> Result<ExitStatus> {
    if args.json {
        let name = input.display().to_string();
        let value = serde_json::json!({ "file": name, "written": written, "report": conversion.report });
        println!("{}", serde_json::to_string_pretty(&value)?);
    } else {
        print(&conversion.report, written);
    }
    let failures = failure::of(&conversion.report);
    for line in &failures {
        eprintln!("{}: FAILED: {line}", input.display());
    }
    Ok(ExitStatus::of(failures.is_empty()))
}

/// Reads the records of an FBX file and writes them back.
pub(crate) fn copy_records(input: &Path, output: &Path) -> Result<ExitStatus> {
    let name = || input.display().to_string();
    let bytes = input::read(input)?;
    let document = fbx::read(&bytes).with_context(name)?;
    for warning in &document.warnings {
        eprintln!("{}: warning: {warning}", name());
    }
    let written = document.write().with_context(name)?;
    output::write(output, &written)?;
    println!("{}: {} bytes", output.display(), written.len());
    Ok(ExitStatus::Done)
}

/// Reads and converts a file. If requested, compares the result with the source.
fn converted(input: &Path, args: &FbxArgs, mipmaps: bool) -> Result<Conversion> {
    let name = input.display();
    let bytes = input::read(input)?;
    let play = PlayOptions::of(&args.play, &args.set);
    if play.has_mode() {
        bail!(
            "--play: --check accepts a preset or NAME=CHOICE, but no play mode (loop, once, hold, pingpong)"
        );
    }
    let search = Search::new(input, &args.texture_folder);
    let mut find = |path: &str| input::read(&search.find(path)?).ok();
    let options = convert::Options {
        format: Input::named(input).and_then(Input::scene_format),
        searched: search.places(),
        ..args.options(mipmaps)?
    };
    let mut conversion = player::convert_scene(&bytes, &options, &player::Options::default(), &mut find)
        .with_context(|| name.to_string())?;
    if args.check {
        let mut runtime = Runtime::new(play.settings()?, convert::checked_frames(&conversion.report));
        conversion.check(&mut runtime).with_context(|| name.to_string())?;
        runtime.finish();
    }
    Ok(conversion)
}

/// Warns of options that concern things missing from the file.
fn warn_unused(input: &Path, args: &FbxArgs, conversion: &Conversion, given: GivenOptions<'_>) {
    let report = &conversion.report;
    let on = |what: &str| format!("on {}: {what}", input.display());
    let motionless = on("no motion is converted");
    let is_still = report.motions.is_empty();
    let of_keys = ["position_tolerance", "angle_tolerance", "long_angles"];
    given.warn(is_still, &of_keys, &motionless);
    given.warn(
        is_still && report.views.is_empty(),
        &["rate", "range"],
        &motionless,
    );
    given.warn(
        !is_still && args.quaternions,
        &["long_angles"],
        "with --quaternions",
    );
    let has_bones = report.weighted_vertices > 0;
    given.warn(!has_bones, &["max_bones"], &on("no vertex has two bones"));
    let has_volumes = report.volume_polygons > 0;
    given.warn(!has_volumes, &["quad_order"], &on("it has no collision volume"));
    let has_images = report.textures.iter().any(|texture| texture.image.is_some());
    let of_images = ["texture_folder", "mipmaps", "max_texture", "vram"];
    given.warn(!has_images, &of_images, &on("no image of a texture was found"));
}

/// Returns whether the written volumes equal the source's.
fn is_right_volumes(report: &Report) -> bool {
    let checked = report.check.as_ref();
    checked.is_none_or(|checked| checked.volumes.wrong == 0)
}

/// Returns the largest distance that --check found.
fn worst(report: &Report) -> Option<&Deviation> {
    let checked = report.check.as_ref()?;
    let motions = checked.motions.iter().map(|(_, deviation)| deviation);
    motions
        .chain([&checked.rest])
        .max_by(|a, b| a.relative.total_cmp(&b.relative))
}

/// Writes all files and returns their paths.
fn write(input: &Path, folder: &Path, conversion: &Conversion) -> Result<Vec<String>> {
    std::fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    let stem = input::stem(input);
    let mut files = Vec::new();
    if !conversion.model.chunks.is_empty() {
        files.push((format!("{stem}.nj"), conversion.model.write()?));
    }
    let mut taken: Vec<String> = Vec::new();
    for motion in &conversion.motions {
        let name = if conversion.motions.len() == 1 {
            stem.clone()
        } else {
            free_name(&stem, &motion.name, &mut taken)
        };
        files.push((format!("{name}.njm"), motion.file.write()?));
    }
    for view in &conversion.views {
        let parts = [
            Some(view.node.as_str()),
            view.stack.as_deref().filter(|_| conversion.motions.len() > 1),
        ];
        let own = parts.into_iter().flatten().collect::<Vec<_>>().join("_");
        files.push((
            format!("{}.njm", free_name(&stem, &own, &mut taken)),
            view.file.write()?,
        ));
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

/// Returns a unique file name for one of several motions. Replaces other characters than letters and digits
/// in the stack's name by `_`.
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
