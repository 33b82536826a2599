//! `swirl convert walk.fbx --onto hero.fbx`: converts the motions of a scene for another model.

use super::{FbxArgs, free_name, print};
use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use crate::plural::plural;
use crate::{input, output};
use anyhow::{Context, Result, bail};
use convert::{Retargeted, Search, Skeleton};
use player::{Input, folder, has_extension};
use std::path::{Path, PathBuf};

/// Options for models, which `--onto` does not write.
const OF_MODELS: [&str; 16] = [
    "texture_folder",
    "max_texture",
    "vram",
    "normals",
    "no_colors",
    "uv",
    "ambient",
    "specular",
    "double_side",
    "max_bones",
    "quad_order",
    "scene",
    "set",
    "play",
    "may_refuse",
    "mipmaps",
];

/// Converts the motions of a scene for `model`. `output` is a .njm file or a folder.
pub(crate) fn run(
    input: &Path,
    output: Option<&Path>,
    model: &Path,
    args: &FbxArgs,
    given: GivenOptions<'_>,
) -> Result<ExitStatus> {
    if !Input::named(input).is_some_and(Input::is_scene) {
        bail!(
            "{}: expected a scene with motions (.fbx, .gltf, .glb) for --onto",
            input.display()
        );
    }
    if args.check {
        bail!("--check: no effect with --onto, which writes no model to compare");
    }
    given.warn(true, &OF_MODELS, "with --onto: only motions are converted");
    let skeleton = skeleton(model, args, given)?;
    let name = || input.display().to_string();
    let bytes = input::read(input)?;
    let options = convert::Options {
        format: Input::named(input).and_then(Input::scene_format),
        ..args.options(false)?
    };
    let search = Search::new(input, &[]);
    let mut find = |path: &str| input::read(&search.find(path)?).ok();
    let made = convert::onto(&bytes, &options, &mut find, &skeleton);
    let made = made.with_context(|| format!("{} onto {}", name(), model.display()))?;
    for warning in &made.warnings {
        eprintln!("{}: {}: {warning}", name(), warning.label());
    }
    let output = output.unwrap_or_else(|| folder(model));
    let written = match args.dry_run {
        true => Vec::new(),
        false => write(input, output, &made)?,
    };
    if args.json {
        let value = serde_json::json!({
            "file": name(),
            "onto": model.display().to_string(),
            "written": written,
            "nodes": made.nodes,
            "missing": made.missing,
            "motions": made.rows,
            "warnings": made.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        println!("{}", serde_json::to_string_pretty(&value)?);
        return Ok(ExitStatus::Done);
    }
    for path in &written {
        print::line("written", path);
    }
    let paired = made.nodes.iter().filter(|node| node.scene.is_some()).count();
    let of = plural(made.nodes.len(), "node");
    print::line("model", &format!("{}: {paired} of {of} move", model.display()));
    made.rows.iter().for_each(print::motion);
    Ok(ExitStatus::Done)
}

/// Reads the nodes of a model.
fn skeleton(model: &Path, args: &FbxArgs, given: GivenOptions<'_>) -> Result<Skeleton> {
    let name = || model.display().to_string();
    let kind = input::kind(model)?;
    given.warn(!kind.is_scene(), &["leaf_bones"], "with --onto and a Ninja model");
    let (file, names) = if kind.is_scene() {
        let options = convert::Options {
            format: kind.scene_format(),
            stacks: convert::Stacks::None,
            rate: None,
            range: None,
            ..args.options(false)?
        };
        let search = Search::new(model, &[]);
        let mut find = |path: &str| input::read(&search.find(path)?).ok();
        let made = convert::convert(&input::read(model)?, &options, &mut find).with_context(name)?;
        let names = made.report.nodes.iter().map(|node| node.name.clone());
        let names = names.collect();
        (made.model, Some(names))
    } else if kind.is_ninja() {
        (
            input::ninja(model, &ninja::ascii::Settings::default())?.file,
            None,
        )
    } else {
        bail!(
            "{}: expected a Ninja model (.nj) or a scene (.fbx, .gltf, .glb, .obj) for --onto",
            name()
        );
    };
    let Some(tree) = file.models().next() else {
        bail!("{}: --onto: found no model (NJCM or N2CM), expected one", name());
    };
    Skeleton::new(tree, names).with_context(name)
}

/// Writes all motions and returns their paths.
fn write(input: &Path, output: &Path, made: &Retargeted) -> Result<Vec<String>> {
    let stem = input::stem(input);
    let count = made.motions.len();
    let paths: Vec<PathBuf> = match has_extension(output, "njm") && !output.is_dir() {
        true if count > 1 => bail!(
            "{}: {count} motions, expected one for a .njm file: name a folder, or select one motion with \
            --stack",
            output.display()
        ),
        true => vec![output.to_owned(); count],
        false if Input::named(output).is_some() && !output.is_dir() => {
            bail!(
                "{}: --onto writes a .njm file, or several into a folder",
                output.display()
            )
        }
        false => {
            std::fs::create_dir_all(output).with_context(|| output.display().to_string())?;
            let mut taken = Vec::new();
            let name = |motion: &convert::MotionFile| match count {
                1 => stem.clone(),
                _ => free_name(&stem, &motion.name, &mut taken),
            };
            let names = made.motions.iter().map(name);
            names.map(|name| output.join(format!("{name}.njm"))).collect()
        }
    };
    for (path, motion) in paths.iter().zip(&made.motions) {
        output::write(path, &motion.file.write()?)?;
    }
    Ok(paths.iter().map(|path| path.display().to_string()).collect())
}
