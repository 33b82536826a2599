//! Writing of files: they appear whole or not at all.

use crate::input;
use anyhow::{Context, Result, bail};
use pvr::Image;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether files that were read may be replaced.
static MAY_REPLACE: AtomicBool = AtomicBool::new(false);

/// Whether standard output holds a file.
static STANDARD_OUTPUT: AtomicBool = AtomicBool::new(false);

/// Lets the command write over the files that it has read.
pub(crate) fn allow_replacing() {
    MAY_REPLACE.store(true, Ordering::Relaxed);
}

/// Whether the command may write over the files that it has read.
pub(crate) fn may_replace() -> bool {
    MAY_REPLACE.load(Ordering::Relaxed)
}

/// Writes a whole file, or none. Makes folders that are missing. `-`, or `-` with an extension, is standard
/// output, which takes one file.
///
/// # Errors
/// If the command has read the file, unless [`allow_replacing`] was called.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_from(path, bytes)
}

/// Writes what `from` reads, in the same way.
pub(crate) fn write_from(path: &Path, from: impl Read) -> Result<()> {
    if input::was_read(path) && !may_replace() {
        bail!(
            "{}: an input, which is not overwritten: name another file (swirl convert takes --force)",
            path.display()
        );
    }
    replace_from(path, from)
}

/// Writes a file that may be an input of the command.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    replace_from(path, bytes)
}

fn replace_from(path: &Path, mut from: impl Read) -> Result<()> {
    if input::is_standard(path) {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        return write_standard(path, &bytes);
    }
    let failed = || format!("{}: cannot be written", path.display());
    let mut file = temporary(path).with_context(failed)?;
    std::io::copy(&mut from, &mut file).with_context(failed)?;
    allow_reading(&file).with_context(failed)?;
    file.persist(path)
        .map_err(|error| error.error)
        .with_context(failed)?;
    Ok(())
}

fn write_standard(path: &Path, bytes: &[u8]) -> Result<()> {
    if STANDARD_OUTPUT.swap(true, Ordering::Relaxed) {
        bail!(
            "{}: standard output already holds a file: name a file or folder as output",
            path.display()
        );
    }
    crate::console::write_data(bytes);
    Ok(())
}

/// A file under a temporary name beside `path`, to be renamed; makes the folder if there is none. Errors do
/// not show the temporary name.
pub(crate) fn temporary(path: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let folder = player::folder(path);
    std::fs::create_dir_all(folder)?;
    tempfile::NamedTempFile::new_in(folder).map_err(|error| error.kind().into())
}

/// Temporary files are private; results are as readable as any new file.
#[cfg(unix)]
pub(crate) fn allow_reading(file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file()
        .set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
pub(crate) fn allow_reading(_: &tempfile::NamedTempFile) -> std::io::Result<()> {
    Ok(())
}

/// Writes a PNG, 8 bits of red, green, blue, alpha.
pub(crate) fn write_png(path: &Path, image: &Image) -> Result<()> {
    write(path, &png_bytes(image)?)
}

/// An image as a PNG file.
pub(crate) fn png_bytes(image: &Image) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&image.rgba)?;
    writer.finish()?;
    Ok(bytes)
}

/// Names of the files in a folder, in order; folders in it are left out.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let name = || format!("{}", folder.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(name)? {
        let entry = entry.with_context(name)?;
        if entry.path().is_file() {
            names.push(PathBuf::from(entry.file_name()));
        }
    }
    names.sort();
    Ok(names)
}

/// Reads a PNG of any kind as 8 bits of red, green, blue, alpha.
pub(crate) fn read_png(path: &Path) -> Result<Image> {
    let name = || format!("{}", path.display());
    let bytes = crate::input::read(path)?;
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().with_context(name)?;
    let size = reader.output_buffer_size().with_context(name)?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).with_context(name)?;
    pixels.truncate(info.buffer_size());
    let rgba = match info.color_type {
        png::ColorType::GrayscaleAlpha => pixels
            .as_chunks::<2>()
            .0
            .iter()
            .flat_map(|&[grey, alpha]| [grey, grey, grey, alpha])
            .collect(),
        _ => pixels,
    };
    Ok(Image {
        width: info.width,
        height: info.height,
        rgba,
    })
}
