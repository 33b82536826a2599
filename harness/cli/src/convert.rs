//! `swirl convert`: any readable file to any writable one.

use crate::{Outcome, convert_ninja};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// Convert files; the kinds are told by the extensions.
///
/// Binary Ninja files (.nj .njd .njm .njs .njt .njl .njc .spj .csj) are read and written anew, and come out as they
/// were unless an option says otherwise. ASCII files (.nja .nad .nam .nas .nat .spa .csa) go both ways: whether an
/// input is text is told by its bytes, an output by its extension; names end with the output's. Several inputs are merged: their chunks follow each other in the output.
/// With --split the output is a folder, and every chunk becomes a file of its own.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  swirl convert model.nj copy.nj --canonical\n  swirl convert names.njt model.nj walk.njm all.nj\n  \
    swirl convert all.nj parts/ --split\n  swirl convert model.nj gamecube.nj --big-endian\n  \
    swirl convert walk.njm chunked.njm --container iff\n  swirl convert model.nj model.nja --float-comments\n  swirl convert body.csa body.csj\n  \
    swirl convert --c-header ninja.h"
)]
pub(crate) struct Args {
    /// The files to read, in order, and last the file or folder to write.
    #[arg(required_unless_present = "c_header", num_args = 2.., value_names = ["INPUT", "OUTPUT"])]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) ninja: convert_ninja::Options,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    if let Some(header) = &args.ninja.c_header {
        convert_ninja::write_header(header)?;
    }
    let Some((output, inputs)) = args.paths.split_last() else {
        return Ok(Outcome::Done);
    };
    let written = if args.ninja.split { inputs } else { &args.paths[..] };
    for path in written {
        if !convert_ninja::is_ninja(path) {
            let expected = [&convert_ninja::EXTENSIONS[..], &convert_ninja::TEXT_EXTENSIONS]
                .concat()
                .join(", ");
            bail!(
                "{}: extension {}, expected one of {expected}",
                path.display(),
                extension(path)
            );
        }
    }
    convert_ninja::run(&args.ninja, inputs, output)
}

fn extension(path: &Path) -> String {
    path.extension()
        .map_or("none".to_owned(), |found| format!(".{}", found.to_string_lossy()))
}
