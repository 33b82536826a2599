//! `swirl convert a.fbx b.fbx --scene` (or `b.glb`): converts a scene to Ninja and exports the result for
//! current programs.

use super::super::export::{self, Format};
use super::{FbxArgs, converted, print_report, warn_unused};
use crate::effects::GivenOptions;
use crate::exit::ExitStatus;
use anyhow::{Context, Result, bail};
use std::path::Path;

/// Converts an FBX file and exports the result.
pub(crate) fn run(
    input: &Path,
    output: &Path,
    format: Format,
    args: &FbxArgs,
    given: GivenOptions<'_>,
) -> Result<ExitStatus> {
    given.warn(!args.check, &["play", "set"], "without --check");
    if !args.may_refuse.is_empty() {
        bail!("--may-refuse: {} is a file, expected a folder", input.display());
    }
    let options = export::options(args.shared.rate, &[], &[])?;
    let conversion = converted(input, args, false)?;
    warn_unused(input, args, &conversion, given);
    for warning in &conversion.warnings {
        eprintln!("{}: {}: {warning}", input.display(), warning.label());
    }
    if !args.dry_run {
        let exported = player::export_scene(&conversion, &options);
        let exported = exported.with_context(|| input.display().to_string())?;
        export::write(input, &exported, output, format)?;
    }
    print_report(input, args, &conversion, &[])
}
