//! Files of a disc image: on the host, or in memory for a browser.

use super::DiscError;
use crate::limits::DISC_ENTRIES as MAX_ENTRIES;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files in memory by path. Open discs share the bytes.
pub type MemoryFiles = BTreeMap<PathBuf, Arc<[u8]>>;

/// Place of the files.
#[derive(Clone, Copy)]
pub(super) enum Storage<'a> {
    Host,
    Memory(&'a MemoryFiles),
}

/// An open file.
#[derive(Debug)]
pub(super) enum DiscFile {
    Host(File),
    Memory(Cursor<Arc<[u8]>>),
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
            Storage::Memory(files) => {
                let bytes = files.get(path).ok_or_else(|| host(missing()))?;
                let file = DiscFile::Memory(Cursor::new(Arc::clone(bytes)));
                Ok((file, bytes.len() as u64))
            }
        }
    }

    /// Returns the path of the file `name` in the folder of `sheet`. An exact name precedes one that differs
    /// only in its letters' case. Returns `None` if the path leaves the folder.
    pub(super) fn beside(self, sheet: &Path, name: &str) -> Result<Option<PathBuf>, DiscError> {
        let host = |path: &Path, error| DiscError::Host(path.to_owned(), error);
        let parent = sheet.parent().unwrap_or(Path::new(""));
        let Storage::Memory(files) = self else {
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
            DiscFile::Memory(bytes) => bytes.read(buffer),
        }
    }
}

impl Seek for DiscFile {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        match self {
            DiscFile::Host(file) => file.seek(position),
            DiscFile::Memory(bytes) => bytes.seek(position),
        }
    }
}
