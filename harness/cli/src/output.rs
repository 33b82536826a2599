//! Writes files atomically. Every file that a verb writes goes through [`OutputFile`], which rejects the
//! names of inputs and of other outputs.

use crate::input;
use anyhow::{Context, Result, bail};
use pvr::Image;
use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use tempfile::NamedTempFile;

/// Set if files that were read can be overwritten.
static MAY_REPLACE: AtomicBool = AtomicBool::new(false);

/// Set if standard output holds a file.
static STANDARD_OUTPUT: AtomicBool = AtomicBool::new(false);

/// Files that this command has written or is writing.
static OUTPUTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Existing temporary files.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Maximum number of links from an output's name to its file; Linux has the same limit.
const MOST_LINKS: usize = 40;

/// Permits overwriting files that the command has read.
pub(crate) fn allow_replacing() {
    MAY_REPLACE.store(true, Ordering::Relaxed);
}

/// Returns whether the command can overwrite files that it has read.
pub(crate) fn may_replace() -> bool {
    MAY_REPLACE.load(Ordering::Relaxed)
}

/// Permits the command to write all its outputs again.
pub(crate) fn begin_again() {
    OUTPUTS.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// Writes a whole file atomically, and creates missing folders. `-`, or `-` with an extension, is standard
/// output, which takes one file.
///
/// # Errors
/// If the command has read the file, unless [`allow_replacing`] was called, or if another output has the same
/// name.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_from(path, bytes)
}

/// Writes the bytes of `from`, like [`write`].
pub(crate) fn write_from(path: &Path, from: impl Read) -> Result<()> {
    write_with(path, from, OutputFile::start)
}

/// Writes a file that can be an input of the command.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    write_with(path, bytes, OutputFile::start_replacing)
}

fn write_with(
    path: &Path,
    mut from: impl Read,
    start: impl FnOnce(&Path) -> Result<OutputFile>,
) -> Result<()> {
    if input::is_standard(path) {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        return write_standard(path, &bytes);
    }
    let mut file = start(path)?;
    io::copy(&mut from, &mut file).with_context(|| cannot_write(path))?;
    file.finish()
}

fn write_standard(path: &Path, bytes: &[u8]) -> Result<()> {
    if STANDARD_OUTPUT.swap(true, Ordering::Relaxed) {
        bail!(
            "{}: standard output already receives another file: name a file or folder for this output",
            path.display()
        );
    }
    crate::console::write_data(bytes);
    Ok(())
}

fn cannot_write(path: &Path) -> String {
    format!("{}: cannot be written", path.display())
}

/// A file that a verb writes. It has a temporary name until [`OutputFile::finish`]; errors do not show this
/// name.
pub(crate) struct OutputFile {
    file: NamedTempFile,
    /// Name that the user gave.
    path: PathBuf,
    target: Target,
}

/// Final destination of an output.
enum Target {
    /// A new or regular file, which the temporary file replaces.
    File {
        path: PathBuf,
        existing: Option<fs::Metadata>,
    },
    /// A device, pipe or descriptor that receives the bytes.
    Stream,
}

impl OutputFile {
    /// Begins an output and creates missing folders.
    ///
    /// # Errors
    /// See [`write`].
    pub(crate) fn start(path: &Path) -> Result<Self> {
        if input::was_read(path) && !may_replace() {
            bail!(
                "{}: this output would overwrite an input: name another file (swirl convert permits it with \
                --force)",
                path.display()
            );
        }
        Self::start_replacing(path)
    }

    /// Begins an output that can be an input of the command.
    fn start_replacing(path: &Path) -> Result<Self> {
        let target = Target::of(path).with_context(|| cannot_write(path))?;
        let folder = match &target {
            Target::File { path: target, .. } => {
                let mut outputs = OUTPUTS.lock().unwrap_or_else(PoisonError::into_inner);
                if !outputs.insert(target.clone()) {
                    bail!(
                        "{}: two outputs have this name, expected different names",
                        path.display()
                    );
                }
                player::folder(target).to_owned()
            }
            Target::Stream => std::env::temp_dir(),
        };
        let mut builder = tempfile::Builder::new();
        // A new file gets mode 0666 without the bits of the host's umask. A temporary file for a device or
        // pipe stays private.
        #[cfg(unix)]
        if matches!(target, Target::File { .. }) {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
        let made = builder.tempfile_in(folder);
        // The library's message shows the temporary name, so only its kind is used.
        let file = made
            .map_err(|error| io::Error::from(error.kind()))
            .with_context(|| cannot_write(path))?;
        temporary.insert(file.path().to_owned());
        Ok(Self {
            file,
            path: path.to_owned(),
            target,
        })
    }

    /// Returns another handle of the file, with the same position.
    pub(crate) fn handle(&self) -> io::Result<File> {
        self.file.as_file().try_clone()
    }

    /// Renames the file to its final name, or writes its bytes to a device or pipe.
    pub(crate) fn finish(self) -> Result<()> {
        let path = self.path.clone();
        self.finish_io().with_context(|| cannot_write(&path))
    }

    fn finish_io(mut self) -> io::Result<()> {
        match self.target {
            Target::File { path, existing } => {
                if let Some(existing) = existing {
                    keep_owner(self.file.as_file(), &existing);
                    self.file.as_file().set_permissions(existing.permissions())?;
                }
                self.file.persist(path).map_err(|error| error.error)?;
            }
            Target::Stream => {
                let file = self.file.as_file_mut();
                file.seek(SeekFrom::Start(0))?;
                let mut stream = OpenOptions::new().write(true).open(&self.path)?;
                io::copy(file, &mut stream)?;
            }
        }
        Ok(())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

impl Seek for OutputFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.as_file_mut().seek(to)
    }
}

impl Target {
    /// Follows the links of a name. Creates the folder of a new file.
    fn of(path: &Path) -> io::Result<Self> {
        match fs::metadata(path) {
            Ok(about) if about.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(about) if about.is_file() && !is_descriptor(path) => Ok(Self::File {
                path: path.canonicalize()?,
                existing: Some(about),
            }),
            Ok(_) => Ok(Self::Stream),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let path = link_target(path)?;
                let folder = player::folder(&path);
                fs::create_dir_all(folder)?;
                let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
                Ok(Self::File {
                    path: folder.canonicalize()?.join(name),
                    existing: None,
                })
            }
            Err(error) => Err(error),
        }
    }
}

/// Returns whether a name stands for an open file of a process, such as `/dev/stdout`.
fn is_descriptor(path: &Path) -> bool {
    let folder = player::folder(path).canonicalize();
    folder.is_ok_and(|folder| folder.starts_with("/dev") || folder.starts_with("/proc"))
}

/// Follows the links from the name of a file that does not exist.
fn link_target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = player::folder(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("links that refer to each other"))
}

/// Gives a file the owner of the file that it replaces, if the user is permitted to.
#[cfg(unix)]
fn keep_owner(file: &File, existing: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let owner = file.metadata().map(|about| (about.uid(), about.gid()));
    if owner.is_ok_and(|owner| owner != (existing.uid(), existing.gid())) {
        let _ = fchown(file, Some(existing.uid()), Some(existing.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) {}

/// Removes the temporary files before an immediate exit. No output can begin afterwards.
pub(crate) fn abandon() {
    let temporary = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner);
    for path in temporary.iter() {
        let _ = fs::remove_file(path);
    }
    // Keeps the lock until the process ends.
    std::mem::forget(temporary);
}

/// Writes an 8-bit RGBA PNG.
pub(crate) fn write_png(path: &Path, image: &Image) -> Result<()> {
    write(path, &player::png_bytes(image)?)
}

/// Returns the files in a folder in order, without folders.
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

/// Reads any PNG as 8-bit RGBA.
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
