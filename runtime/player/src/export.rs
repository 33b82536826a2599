//! Ninja files as scenes of current programs, as text, and merged.

use crate::error::{At, Result, bail};
use crate::{Assets, Files, TextureSet, Warning};
use convert::{ExportOptions, Exported};
use ninja::{Chunk, Container, File, ascii};
use pvr::texture::Rgba;
use std::path::PathBuf;

/// Merges the chunks of files in their order. A single file stays unchanged. `paths` are for messages.
///
/// # Errors
/// If there is no file, or the byte orders of files with unknown chunks differ.
pub fn merge(paths: &[PathBuf], files: Vec<File>) -> Result<File> {
    let mut files = files.into_iter();
    let Some(mut all) = files.next() else {
        bail!("no input");
    };
    for (path, file) in paths.iter().skip(1).zip(files) {
        if file.byte_order != all.byte_order && file.chunks.iter().any(|chunk| matches!(chunk, Chunk::Raw(_)))
        {
            bail!(
                "{}: its byte order differs from {}",
                path.display(),
                paths[0].display()
            );
        }
        all.chunks.extend(file.chunks);
        // Only the IFF container holds several chunks. Drops the padding at the end of the first file.
        all.container = Container::Iff;
        all.trailing = 0;
    }
    Ok(all)
}

/// Writes a file in the ASCII form, and returns warnings of chunks without this form. `place` is for
/// messages.
///
/// # Errors
/// If no chunk has an ASCII form, or a chunk cannot be written.
pub fn ascii_text(
    place: &str,
    mut file: File,
    options: &ascii::WriteOptions,
) -> Result<(String, Vec<Warning>)> {
    let left_out = file.chunks.iter().filter_map(|chunk| match chunk {
        Chunk::Raw(raw) => Some(Warning::new(
            place,
            format!("{} has no ASCII form and is left out", raw.id),
        )),
        _ => None,
    });
    let warnings = left_out.collect();
    file.chunks.retain(|chunk| !matches!(chunk, Chunk::Raw(_)));
    if file.chunks.is_empty() {
        bail!("{place}: none of the chunks has an ASCII form");
    }
    Ok((ascii::write(&file, options).at(place)?, warnings))
}

/// Exports a Ninja file that was read from `paths`, with the textures that [`TextureSet::find`] finds.
///
/// # Errors
/// If a texture cannot be read, or the file cannot be exported.
pub fn export(
    files: &dyn Files,
    paths: &[PathBuf],
    file: &File,
    assets: &Assets,
    options: &ExportOptions,
) -> Result<Exported> {
    let place = paths
        .first()
        .map_or(String::new(), |path| path.display().to_string());
    let textures = TextureSet::find(files, paths, file, assets)?;
    let images = decoded(textures).at(&place)?;
    convert::export(file, &images, options).at(&place)
}

/// Exports a converted scene, as [`crate::convert_scene`] returns it. Motions keep the scene's rate.
///
/// # Errors
/// If the scene cannot be exported.
pub fn export_scene(conversion: &convert::Conversion, options: &ExportOptions) -> Result<Exported> {
    let (file, textures) = crate::scene_files(conversion)?;
    let motions = &conversion.report.motions;
    let rate = motions.first().map_or(options.rate, |motion| motion.rate);
    let options = ExportOptions {
        rate,
        ..options.clone()
    };
    Ok(convert::export(&file, &decoded(textures)?, &options)?)
}

/// Decodes the images, by texture number.
fn decoded(set: TextureSet) -> Result<Vec<Option<Rgba>>> {
    let image = |texture: pvr::container::PvrTexture| Ok(Rgba::from(texture.decode(None)?));
    let textures = set.textures.into_iter();
    textures.map(|texture| texture.map(image).transpose()).collect()
}
