//! Files of a disc image: on the host, or given by the caller.

use super::DiscError;
use crate::limits::DISC_ENTRIES as MAX_ENTRIES;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a file that a caller gives, in memory or read on demand.
pub trait DiscData: std::fmt::Debug + Send + Sync {
    /// Number of bytes.
    fn size(&self) -> u64;

    /// Reads the bytes from `offset` on into the whole buffer.
    ///
    /// # Errors
    /// If the bytes cannot be read.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl DiscData for Arc<[u8]> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let bytes = usize::try_from(offset).ok().and_then(|offset| self.get(offset..));
        let bytes = bytes.and_then(|bytes| bytes.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// Files by path, for [`super::Disc::from_files`]. Open discs share them.
pub type DiscFiles = BTreeMap<PathBuf, Arc<dyn DiscData>>;

/// Place of the files.
#[derive(Clone, Copy)]
pub(super) enum Storage<'a> {
    Host,
    Given(&'a DiscFiles),
}

/// An open file.
#[derive(Debug)]
pub(super) enum DiscFile {
    Host(File),
    Given { data: Arc<dyn DiscData>, position: u64 },
}

impl Storage<'_> {
    /// Opens a file and returns its size. It must be a regular file, because a pipe could block forever.
    pub(super) fn open(self, path: &Path) -> Result<(DiscFile, u64), DiscError> {
        let host = |error| DiscError::Host(path.to_owned(), error);
        match self {
            Storage::Host => {
                let metadata = std::fs::metadata(path).map_err(host)?;
                if !metadata.is_file() {
                    return Err(DiscError::file(path, "not a regular file", "a file"));
                }
                let file = File::open(path).map_err(host)?;
                Ok((DiscFile::Host(file), metadata.len()))
            }
            Storage::Given(files) => {
                let data = Arc::clone(files.get(path).ok_or_else(|| host(missing()))?);
                let size = data.size();
                Ok((DiscFile::Given { data, position: 0 }, size))
            }
        }
    }

    /// Returns the path of the file `name` in the folder of `sheet`. An exact name precedes one that differs
    /// only in its letters' case. Returns `None` if the path leaves the folder.
    pub(super) fn beside(self, sheet: &Path, name: &str) -> Result<Option<PathBuf>, DiscError> {
        let host = |path: &Path, error| DiscError::Host(path.to_owned(), error);
        let parent = sheet.parent().unwrap_or(Path::new(""));
        let Storage::Given(files) = self else {
            let parent = if parent.as_os_str().is_empty() {
                Path::new(".")
            } else {
                parent
            };
            let folder = parent.canonicalize().map_err(|error| host(parent, error))?;
            let wanted = folder.join(name);
            let wanted = match wanted.exists() {
                true => wanted,
                false => {
                    let entries = std::fs::read_dir(&folder).into_iter().flatten().take(MAX_ENTRIES);
                    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
                    same_letters(paths, name).unwrap_or(wanted)
                }
            };
            let file = wanted.canonicalize().map_err(|error| host(&wanted, error))?;
            return Ok(file.starts_with(&folder).then_some(file));
        };
        let wanted = parent.join(name);
        if files.contains_key(&wanted) {
            return Ok(Some(wanted));
        }
        let inside = files.keys().filter(|path| path.parent() == Some(parent));
        match same_letters(inside.cloned(), name) {
            Some(found) => Ok(Some(found)),
            None => Err(host(&wanted, missing())),
        }
    }
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "no such file")
}

/// Returns the path with the name `name` in any letter case, if exactly one exists.
fn same_letters(paths: impl Iterator<Item = PathBuf>, name: &str) -> Option<PathBuf> {
    let name = name.to_lowercase();
    let is_named = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|found| found.to_string_lossy().to_lowercase() == name)
    };
    let mut paths = paths.filter(is_named);
    let found = paths.next()?;
    paths.next().is_none().then_some(found)
}

impl Read for DiscFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            DiscFile::Host(file) => file.read(buffer),
            DiscFile::Given { data, position } => {
                let left = data.size().saturating_sub(*position);
                let length = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                data.read_at(*position, &mut buffer[..length])?;
                *position += length as u64;
                Ok(length)
            }
        }
    }
}

impl Seek for DiscFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (data, position) = match self {
            DiscFile::Host(file) => return file.seek(to),
            DiscFile::Given { data, position } => (data, position),
        };
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(offset) => data.size().checked_add_signed(offset),
            SeekFrom::Current(offset) => position.checked_add_signed(offset),
        };
        *position = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(*position)
    }
}
