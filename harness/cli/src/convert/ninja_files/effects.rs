//! Options without effect on the Ninja files that are converted.

use super::{Options, is_text, kinds};
use crate::effects::GivenOptions;
use anyhow::Result;
use ninja::{Chunk, File};
use std::path::Path;

/// What is converted into what.
pub(super) struct Conversion<'a> {
    pub(super) target: &'a Path,
    /// All inputs in one.
    pub(super) file: &'a File,
    pub(super) has_text_input: bool,
    pub(super) has_binary_input: bool,
}

/// # Errors
/// If the command line has an option without effect.
pub(super) fn check(options: &Options, given: GivenOptions<'_>, conversion: &Conversion<'_>) -> Result<()> {
    let Conversion { target, file, .. } = conversion;
    let name = target.display();
    let has = |wanted: fn(&Chunk) -> bool| file.chunks.iter().any(wanted);
    let is_text = !options.split && is_text(target);
    let binary = ["big_endian", "little_endian", "container", "canonical"];
    given.refuse(is_text, &binary, &format!("on {name}, which is text"))?;
    let of_text = ["canonical"];
    given.refuse(
        !conversion.has_binary_input,
        &of_text,
        "on texts, which have no layout",
    )?;
    given.refuse(!conversion.has_text_input, &["dialect"], "on binary files")?;
    let has_vertices = has(|chunk| matches!(chunk, Chunk::Model(_) | Chunk::ShapeList(_)));
    let why = format!("on {name}, which is no text of vertices");
    given.refuse(!is_text || !has_vertices, &["float_comments"], &why)?;
    let has_trees = has(|chunk| matches!(chunk, Chunk::Model(_)));
    given.refuse(!has_trees, &["ninja1", "ninja2"], "on files without a model")?;
    let fits = options.split || kinds::check(target, file).is_ok() && !crate::output::may_replace();
    given.refuse(
        fits,
        &["force"],
        &format!("on {name}, which may hold these chunks"),
    )
}
