//! `swirl convert`: converts files between formats.

mod export;
pub(crate) mod fbx_files;
mod ninja_files;
mod sound;
pub(crate) mod textures;

use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use crate::input;
use anyhow::{Result, bail};
use clap::{ArgMatches, Args as _};
use player::{Input, has_extension};
use std::path::{Path, PathBuf};

/// Convert models, motions, textures, scenes and sounds; the extensions select the conversion.
///
/// Binary Ninja files (.nj .njd .njm .njs .njt .njl .njc .spj .csj) are read and written unchanged, unless an
/// option changes them. ASCII files (.nja .nad .nam .nas .nat .spa .csa) convert to binary and back. The
/// content of an input, and the extension of an output, decide between the two forms. Names of structures in
/// a text end with the name of the output. Several inputs are merged: the output contains their chunks in
/// order. With --split the output is a folder with one file per chunk.
///
/// Textures: pictures, .pvr and .pvm convert to each other, pictures to a palette .pvp, and a palette to a
/// .png. Several inputs become one archive or share one palette. If the output is a folder, every texture of
/// an archive becomes a .png. Pictures can be .png, .tga, .bmp, .jpg and .dds files; the output is .png. A
/// picture becomes 565, 1555 or 4444 by its alpha, unless --format selects a format.
///
/// A scene (.fbx, .gltf, .glb, .obj) becomes a .nj model, a .njm file per selected animation stack, a .njs
/// shape list and a .pvm archive of its textures. They are written to the folder OUTPUT. If the input is a
/// folder, all scenes below it are converted.
///
/// With --onto MODEL only the motions of the scene are converted, for the nodes of another model.
///
/// An .fbx file with an .fbx output is copied record by record, byte for byte. With --scene, it is converted
/// to Ninja and back: nodes, skins, materials, textures, motions and shapes. Outputs of kind .glb, and
/// outputs of other scenes, are always converted this way.
///
/// A .wav file with one 16-bit channel becomes a .wav file with the sound block's 4-bit samples, and back.
/// The command prints the largest difference of the 4-bit samples, and their signal to noise ratio.
///
/// A model becomes an .fbx or .glb file with its skins, textures, motions and shapes. The inputs are its .nj,
/// .njm, .njs and .pvm files.
#[derive(clap::Args)]
#[command(
    override_usage = "swirl convert [OPTIONS] INPUT... OUTPUT",
    after_help = "Examples:\n  swirl convert model.nj copy.nj --canonical\n  swirl convert names.njt \
        model.nj walk.njm all.nj\n  \
    swirl convert - - --to nja < model.nj > model.nja\n  \
    swirl convert all.nj parts/ --split\n  swirl convert model.nj gamecube.nj --big-endian\n  \
    swirl convert walk.njm chunked.njm --container iff\n  swirl convert model.nj model.nja \
    --float-comments\n  \
    swirl convert body.csa body.csj\n  swirl convert --c-header ninja.h\n  \
    swirl convert skin.png skin.pvr --format 565 --layout vq --mipmaps --dither --global-index 100\n  \
    swirl convert a.png b.png c.png all.pvm --format pal8 --palette-format 4444 --bank 16\n  \
    swirl convert skin.pvr skin.png\n  \
    swirl convert all.pvm folder/ --palette all.pvp\n  \
    swirl convert a.png b.png shared.pvp --format pal4\n  \
    swirl convert old.pvm new.pvm --replace skin=new.png --remove hat --add cap.png\n  \
    swirl convert old.pvm --list\n  swirl convert model.fbx out/ --check\n  \
    swirl convert model.fbx out/ --stack all --rate 60 --json\n  \
    swirl convert hero.glb out/ --check\n  swirl convert photo.jpg photo.pvr --resize filtered\n  \
    swirl convert model.nj walk.njm model.njs model.glb --rate 60\n  \
    swirl convert scene.fbx copy.fbx\n  swirl convert scene.fbx console.fbx --scene --stack all\n  \
    swirl convert model.nj walk.njm model.glb --set spline-angles=linear\n  \
    swirl convert walk.fbx hero/ --onto hero.fbx\n  \
    swirl convert scenes/ out/ --check --may-refuse broken/\n  \
    swirl convert shot.wav shot_adpcm.wav"
)]
pub(crate) struct Args {
    /// Files to read, in order, followed by the file or folder to write. - is standard input, and as OUTPUT
    /// with --to standard output.
    #[arg(required_unless_present = "c_header", num_args = 1.., value_names = ["INPUT", "OUTPUT"])]
    paths: Vec<PathBuf>,
    /// Kind of the file on standard output, by its extension, such as nj or png.
    #[arg(long, value_name = "EXTENSION")]
    to: Option<String>,
    #[command(flatten)]
    pub(crate) ninja: ninja_files::Options,
    #[command(flatten)]
    textures: textures::Options,
    #[command(flatten)]
    fbx: fbx_files::FbxArgs,
}

impl Args {
    /// Input files.
    pub(crate) fn inputs_mut(&mut self) -> &mut [PathBuf] {
        let inputs = self.paths.len().saturating_sub(1);
        &mut self.paths[..inputs]
    }

    /// Replaces `-` by a path with the extension of `--to`. Returns whether the output is standard output.
    ///
    /// # Errors
    /// If --to is missing.
    pub(crate) fn resolve_output(&mut self) -> Result<bool> {
        match (self.paths.last_mut(), &self.to) {
            (Some(output), Some(to)) if output.as_os_str() == "-" => {
                *output = PathBuf::from(format!("-.{}", to.trim_start_matches('.')));
                Ok(true)
            }
            (Some(output), None) if output.as_os_str() == "-" => {
                bail!("-: standard output has no extension: name the kind with --to, such as --to nj")
            }
            (_, Some(_)) => {
                eprintln!("swirl: warning: --to has no effect: the output's name has an extension");
                Ok(false)
            }
            _ => Ok(false),
        }
    }

    /// Returns whether the output is one of the inputs.
    fn overwrites(&self) -> bool {
        let whole = |path: &PathBuf| path.canonicalize().ok();
        match self.paths.split_last() {
            Some((output, inputs)) if output.is_file() => {
                inputs.iter().any(|input| whole(input) == whole(output))
            }
            _ => false,
        }
    }
}

/// Converts files. `matches` shows which options were given explicitly.
pub(crate) fn run(args: &Args, matches: &ArgMatches) -> Result<ExitStatus> {
    if let Some(header) = &args.ninja.c_header {
        ninja_files::write_header(header)?;
    }
    if args.textures.list {
        return textures::list(&args.paths);
    }
    let Some((output, inputs)) = args.paths.split_last() else {
        return Ok(ExitStatus::Done);
    };
    if let Some(model) = &args.fbx.onto {
        let (input, output) = match &args.paths[..] {
            [input] => (input, None),
            [input, output] => (input, Some(output.as_path())),
            paths => bail!("--onto: {} paths, expected a scene and an output", paths.len()),
        };
        only(matches, "motions for a model", &["FbxArgs"], &["mipmaps"])?;
        return fbx_files::onto::run(input, output, model, &args.fbx, GivenOptions(matches));
    }
    if inputs.is_empty() {
        bail!("{}: one path, expected inputs and an output", output.display());
    }
    if args.ninja.force && args.overwrites() {
        crate::output::allow_replacing();
    }
    if sound::is_wav(output) || inputs.iter().any(|input| sound::is_wav(input)) {
        only(matches, "sound", &[], &[])?;
        return sound::run(inputs, output);
    }
    let is_scene =
        |input: &&PathBuf| fbx_files::takes(input) && !textures::is_folder_of_archive(input, output);
    if let Some(scene) = inputs.iter().find(is_scene) {
        if inputs.len() > 1 {
            bail!(
                "{}: {} inputs, expected one scene (.fbx, .gltf, .glb, .obj) or one folder of scenes",
                scene.display(),
                inputs.len()
            );
        }
        if !scene.is_dir()
            && let Some(format) = export::format(output)
        {
            return rewrite(args, matches, scene, output, format);
        }
        if args.fbx.scene {
            eprintln!(
                "swirl: warning: --scene has no effect: {} is not an .fbx file",
                output.display()
            );
        }
        let is_file = Input::named(output).is_some_and(|kind| input::takes("convert", kind));
        if is_file && !output.is_dir() {
            bail!(
                "{}: a scene becomes several files: name a folder, or a .glb or .fbx file",
                output.display()
            );
        }
        if input::is_standard(output) {
            bail!("-: a scene becomes several files: name a folder, or use --to glb or --to fbx");
        }
        only(matches, "scenes", &["FbxArgs"], &["mipmaps"])?;
        return fbx_files::run(
            scene,
            output,
            &args.fbx,
            args.textures.mipmaps,
            GivenOptions(matches),
        );
    }
    if let Some(format) = export::format(output) {
        only(matches, "exports", &[], &["rate", "play", "set"])?;
        let options = export::options(args.fbx.shared.rate, &args.fbx.play, &args.fbx.set)?;
        return export::run(inputs, output, format, &options, GivenOptions(matches));
    }
    if textures::takes(inputs, output) {
        only(matches, "textures", &["textures"], &[])?;
        textures::effects::warn(inputs, output, &args.textures, GivenOptions(matches));
        return textures::run(inputs, output, &args.textures);
    }
    let target = Input::named(output);
    if target.is_some_and(Input::is_scene) {
        bail!("{}: scenes are written as .glb or .fbx", output.display());
    }
    if has_extension(output, "sa2mdl") {
        bail!(
            "{}: models are written as .nj, .nja, .glb or .fbx",
            output.display()
        );
    }
    for path in inputs {
        let kind = input::kind(path)?;
        if !kind.is_ninja() {
            let bytes = input::read(path)?;
            return Err(input::unsupported("convert", path, &bytes));
        }
    }
    if !args.ninja.split && !target.is_some_and(Input::is_ninja) {
        bail!(
            "{}: Ninja files cannot become a file of this kind, expected .nj, .nja or another extension of \
            Ninja files, .glb or .fbx",
            output.display()
        );
    }
    only(matches, "Ninja files", &["Options"], &[])?;
    ninja_files::run(&args.ninja, inputs, output, GivenOptions(matches))
}

/// Converts an .fbx file to .fbx or .glb: record by record, or through Ninja.
fn rewrite(
    args: &Args,
    matches: &ArgMatches,
    input: &Path,
    output: &Path,
    format: export::Format,
) -> Result<ExitStatus> {
    let is_fbx = Input::named(input) == Some(Input::Fbx);
    if is_fbx && format == export::Format::Fbx && !args.fbx.scene {
        only(matches, "FBX records", &[], &[])?;
        return fbx_files::copy_records(input, output);
    }
    only(matches, "scenes", &["FbxArgs"], &[])?;
    let given = GivenOptions(matches);
    let is_always = format == export::Format::Glb || !is_fbx;
    given.warn(
        is_always,
        &["scene"],
        "on a .glb output or a scene other than .fbx, which always use this conversion",
    );
    fbx_files::scene::run(input, output, format, &args.fbx, given)
}

/// Groups of options: the group's id in clap, the kind of input in messages, and the function that adds the
/// options.
const GROUPS: [(&str, &str, Augment); 3] = [
    ("Options", "Ninja files", ninja_files::Options::augment_args),
    ("textures", "textures", textures::Options::augment_args),
    ("FbxArgs", "scenes", fbx_files::FbxArgs::augment_args),
];

/// A function that adds the options of a group to a command.
type Augment = fn(clap::Command) -> clap::Command;

/// Warns of options that do not apply to the conversion of `what`. The options of `groups` and the single
/// `options` apply.
///
/// # Errors
/// If an ignored option would suppress writing, or check the result.
fn only(matches: &ArgMatches, what: &str, groups: &[&str], options: &[&str]) -> Result<()> {
    let given = GivenOptions(matches);
    for (_, of, augment) in GROUPS.iter().filter(|(group, _, _)| !groups.contains(group)) {
        // Clap omits the options of groups that are inside another group.
        let command = augment(clap::Command::new("convert"));
        let ids: Vec<&str> = command
            .get_arguments()
            .map(|argument| argument.get_id().as_str())
            .filter(|id| *id != "force" && !options.contains(id))
            .collect();
        if let Some(id) = ids
            .iter()
            .find(|id| ["dry_run", "check"].contains(id) && given.has(id))
        {
            bail!("--{} is an option of {of}, not of {what}", id.replace('_', "-"));
        }
        given.warn(true, &ids, &format!("on {what}: an option of {of}"));
    }
    Ok(())
}
