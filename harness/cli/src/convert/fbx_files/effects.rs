//! Options without effect on the FBX file that is converted.

use super::{FbxArgs, converted};
use crate::effects::GivenOptions;
use anyhow::Result;
use convert::Conversion;
use ninja::{Chunk, File, PolyChunk};
use std::path::Path;

/// # Errors
/// If the command line has an option without effect: its subject is not in the file, or the files are the
/// same without it.
pub(super) fn check(
    input: &Path,
    args: &FbxArgs,
    mipmaps: bool,
    conversion: &Conversion,
    given: GivenOptions<'_>,
) -> Result<()> {
    let report = &conversion.report;
    let on = |what: &str| format!("on {}: {what}", input.display());
    let is_still = report.motions.is_empty();
    let of_keys = ["position_tolerance", "angle_tolerance", "long_angles"];
    given.refuse(is_still, &of_keys, &on("no motion is converted"))?;
    let why = on("no motion is converted");
    given.refuse(is_still && report.views.is_empty(), &["rate", "range"], &why)?;
    given.refuse(args.quaternions, &["long_angles"], "with --quaternions")?;
    given.refuse(
        report.weighted_vertices == 0,
        &["max_bones"],
        &on("no vertex has two bones"),
    )?;
    given.refuse(
        report.volume_polygons == 0,
        &["quad_order"],
        &on("no collision volume is in it"),
    )?;
    let has_images = report.textures.iter().any(|texture| texture.image.is_some());
    given.refuse(
        !has_images,
        &["texture_folder", "mipmaps", "max_texture", "vram"],
        &on("no image of a texture was found"),
    )?;
    given.refuse(
        !has_uv(&conversion.model),
        &["uv"],
        &on("it has no texture coordinates"),
    )?;
    if mipmaps && is_same(conversion, &converted(input, args, false)?) {
        given.refuse(true, &["mipmaps"], &on("the textures are the same without it"))?;
    }
    for (id, without) in args.without_each() {
        if given.has(id) && is_same(conversion, &converted(input, &without, mipmaps)?) {
            given.refuse(true, &[id], &on("the files are the same without it"))?;
        }
    }
    Ok(())
}

fn has_uv(model: &File) -> bool {
    let strips = |chunk: &PolyChunk| matches!(chunk, PolyChunk::Strip(strip) if strip.kind.uv_pairs() > 0);
    model.chunks.iter().any(|chunk| match chunk {
        Chunk::Model(tree) => tree.plists.iter().flat_map(|list| &list.chunks).any(strips),
        _ => false,
    })
}

/// Whether two conversions make the same files.
fn is_same(a: &Conversion, b: &Conversion) -> bool {
    let files = |c: &Conversion| {
        let motions = c.motions.iter().map(|motion| &motion.file);
        let files = std::iter::once(&c.model).chain(motions).chain(&c.shapes);
        files.map(|file| file.write().ok()).collect::<Vec<_>>()
    };
    files(a) == files(b) && a.archive == b.archive
}
