//! `swirl convert`: any readable file to any writable one.

use crate::{Outcome, assets, convert_texture, output};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Convert a file; the kinds are told by the extensions.
///
/// .nj to .nj: the file is read and written anew. With --canonical all structures are laid out in this program's own order
/// instead of the order that they had.
///
/// Textures: .png, .pvr and .pvm into each other, .png into a palette .pvp, a palette into a .png; a folder as the output takes
/// every texture of an archive as a .png. A .png becomes 565, 1555 or 4444 by its alpha, unless --format says otherwise.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  swirl convert model.nj copy.nj --canonical\n  \
    swirl convert skin.png skin.pvr --format 565 --layout vq --mipmaps --dither --global-index 100\n  \
    swirl convert a.png all.pvm --also b.png --also c.png --format pal8 --palette-format 4444 --bank 16\n  \
    swirl convert skin.pvr skin.png\n  \
    swirl convert all.pvm folder/ --palette all.pvp\n  \
    swirl convert a.png shared.pvp --also b.png --format pal4")]
pub(crate) struct Args {
    /// The file to read.
    input: PathBuf,
    /// The file to write.
    output: PathBuf,
    /// Forget where things lay in the input.
    #[arg(long)]
    canonical: bool,
    #[command(flatten)]
    textures: convert_texture::Options,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    if convert_texture::takes(&args.input, &args.output) {
        return convert_texture::run(&args.input, &args.output, &args.textures);
    }
    for path in [&args.input, &args.output] {
        if !is_nj(path) {
            bail!(
                "{}: extension {}, expected .nj (or textures: .png, .pvr, .pvp, .pvm)",
                path.display(),
                extension(path)
            );
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
