//! `swirl convert`: any readable file to any writable one.

use crate::{Outcome, assets, convert_fbx, output};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Convert a file; the kinds are told by the extensions.
///
/// So far .nj to .nj: the file is read and written anew. With --canonical all structures are laid out in this
/// program's own order instead of the order that they had. An .fbx file becomes, in the folder that is named
/// second, a .nj model, a .njm file for each animation stack, a .njs shape list and a .pvm archive of its textures.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl convert model.nj copy.nj --canonical\n  swirl convert model.fbx out/ --check\n  \
    swirl convert model.fbx out/ --stack all --rate 60 --json"
)]
pub(crate) struct Args {
    /// The file to read.
    input: PathBuf,
    /// The file to write.
    output: PathBuf,
    /// Forget where things lay in the input.
    #[arg(long)]
    canonical: bool,
    #[command(flatten)]
    fbx: convert_fbx::FbxArgs,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    if convert_fbx::is_fbx(&args.input) {
        return convert_fbx::run(&args.input, &args.output, &args.fbx);
    }
    for path in [&args.input, &args.output] {
        if !is_nj(path) {
            bail!("{}: extension {}, expected .nj", path.display(), extension(path));
        }
    }
    let mut file = assets::read_model(&args.input)?;
    if args.canonical {
        file.forget_layout();
    }
    let bytes = file
        .write()
        .with_context(|| format!("{}", args.output.display()))?;
    output::write(&args.output, &bytes)?;
    println!("{}: {} bytes", args.output.display(), bytes.len());
    Ok(Outcome::Done)
}

fn is_nj(path: &Path) -> bool {
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case("nj"))
}

fn extension(path: &Path) -> String {
    path.extension()
        .map_or("none".to_owned(), |found| format!(".{}", found.to_string_lossy()))
}
