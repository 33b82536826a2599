//! Opens the disc of a run, and boots a disc that is given as the program.

use super::Args;
use crate::input;
use anyhow::{Result, bail};
use dreamcast::{Disc, Dreamcast};
use std::path::Path;

/// File with the name of the program in the first sectors of a bootable disc.
const HEADER: &str = "IP.BIN";
/// Usual name of the program on a disc.
const PROGRAM: &str = "1ST_READ.BIN";

/// Boots a disc that is given as the program.
pub(super) fn boot(args: &Args, console: &mut Dreamcast) -> Result<()> {
    if args.disc.is_some() {
        bail!("found a disc as the program and another by --disc, expected one disc");
    }
    if args.program.is_dir() {
        expect_header(&args.program)?;
    }
    Ok(console.boot(open(args, &args.program)?)?)
}

pub(super) fn open(args: &Args, path: &Path) -> Result<Disc> {
    Ok(match path.is_dir() {
        true => Disc::from_folder(path, args.disc_layout.layout())?,
        false => {
            input::note(path);
            Disc::open(path)?
        }
    })
}

/// Rejects a folder without IP.BIN, and shows how to run its program and how to make the file.
fn expect_header(folder: &Path) -> Result<()> {
    let names: Vec<String> = folder
        .read_dir()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let named = |wanted: &str| names.iter().find(|name| name.eq_ignore_ascii_case(wanted));
    if named(HEADER).is_some() {
        return Ok(());
    }
    let is_program = |name: &&String| {
        let name = name.to_ascii_lowercase();
        name.ends_with(".elf") || name.ends_with(".bin")
    };
    let program = named(PROGRAM).or_else(|| names.iter().filter(is_program).min());
    let program = folder.join(program.map_or("PROGRAM", String::as_str));
    bail!(
        "found no {HEADER} in the folder, expected one, which names the program to boot. KallistiOS's makeip \
         writes it. To run without it: swirl run {} --disc {}",
        program.display(),
        folder.display()
    )
}
