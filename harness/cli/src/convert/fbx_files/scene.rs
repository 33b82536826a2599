//! `swirl convert a.fbx b.fbx --scene` (or `b.glb`): what becomes of a scene on the console, for today's
//! programs.

use super::super::export::{self, Format};
use super::{FbxArgs, converted, effects, print_report};
use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use anyhow::{Context, Result, bail};
use convert::Conversion;
use ninja::File;
use pvr::container::read_pvm;
use pvr::texture::Rgba;
use std::path::Path;

/// Converts an FBX file and exports the result.
pub(crate) fn run(
    input: &Path,
    output: &Path,
    format: Format,
    args: &FbxArgs,
    given: GivenOptions<'_>,
) -> Result<ExitStatus> {
    given.refuse(!args.check, &["play"], "without --check")?;
    if !args.may_refuse.is_empty() {
        bail!("--may-refuse: {} is a file, expected a folder", input.display());
    }
    let options = export::options(args.rate, &[])?;
    let conversion = converted(input, args, false)?;
    effects::check(input, args, false, &conversion, given)?;
    for warning in &conversion.warnings {
        eprintln!("{}: {}: {warning}", input.display(), warning.label());
    }
    if !args.dry_run {
        let file = whole(&conversion);
        let images = images(&conversion, &file).with_context(|| input.display().to_string())?;
        let rate = conversion
            .report
            .motions
            .first()
            .map_or(options.rate, |motion| motion.rate);
        let options = convert::ExportOptions { rate, ..options };
        export::scene(input, &file, &images, output, format, &options)?;
    }
    print_report(input, args, &conversion, &[])
}

/// The chunks of all files.
pub(crate) fn whole(conversion: &Conversion) -> File {
    let motions = conversion.motions.iter().map(|motion| &motion.file);
    let views = conversion.views.iter().map(|view| &view.file);
    let files = motions.chain(&conversion.shapes).chain(views);
    let mut whole = conversion.model.clone();
    whole.chunks.extend(files.flat_map(|file| file.chunks.clone()));
    whole
}

/// The archive's images by texture number.
fn images(conversion: &Conversion, file: &File) -> Result<Vec<Option<Rgba>>> {
    let entries = match &conversion.archive {
        Some(bytes) => read_pvm(bytes)?,
        None => Vec::new(),
    };
    let names = file.texlist().map_or(&[][..], |list| &list.names);
    let image = |name: &ninja::TextureName| {
        let wanted = name.name_lossy();
        let named = |found: &Option<String>| {
            found
                .as_ref()
                .is_some_and(|found| found.eq_ignore_ascii_case(&wanted))
        };
        let entry = entries.iter().find(|entry| named(&entry.name));
        entry
            .map(|entry| Ok(Rgba::from(entry.texture.decode(None)?)))
            .transpose()
    };
    names.iter().map(image).collect()
}
