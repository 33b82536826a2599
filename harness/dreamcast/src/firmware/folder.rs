//! A folder of the host, accessed by its descriptor. No path or link leads out of it, even if the folder
//! changes at the same time.
//!
//! Every component of a path is opened relative to the descriptor of its parent, without following links. A
//! link's text is resolved in the same way: `..` goes to the parent, but never above the root.

use super::access::Access;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::fs::{fstat, linkat, openat, readlinkat, statat, unlinkat};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

/// Maximum number of links on the way to a file; Linux has the same limit.
const MAX_LINKS: usize = 40;
/// Name of the folder itself.
const ITSELF: &str = ".";

/// Descriptor of the folder.
#[derive(Clone, Debug)]
pub(super) struct Folder(Arc<OwnedFd>);

/// Last component of a path, with the open folder that contains it.
struct Place {
    folder: Arc<OwnedFd>,
    name: String,
}

impl Folder {
    pub(super) fn new(path: &Path) -> io::Result<Self> {
        if !path.is_dir() {
            return Err(io::Error::other("found a file, expected a folder"));
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self(Arc::new(rustix::fs::open(path, flags, Mode::empty())?)))
    }

    /// Resolves a path. Follows a link at its end if `follow` is set.
    fn place(&self, path: &str, follow: bool) -> Option<Place> {
        let mut folders = vec![self.0.clone()];
        // Remaining components, the next one last.
        let mut parts: Vec<String> = parts(path);
        // A program's path must have no `..`; a link's text can have it.
        if parts.iter().any(|part| part == "..") {
            return None;
        }
        let mut links = 0;
        while let Some(part) = parts.pop() {
            if part == ".." {
                folders.pop();
                folders.last()?;
                continue;
            }
            let folder = folders.last()?.clone();
            if parts.is_empty() && !follow {
                return Some(Place { folder, name: part });
            }
            match readlinkat(&folder, part.as_str(), Vec::new()) {
                Ok(text) => {
                    links += 1;
                    let text = text.to_str().ok().filter(|text| !text.starts_with('/'))?;
                    if links > MAX_LINKS {
                        return None;
                    }
                    parts.extend(self::parts(text));
                    continue;
                }
                // Not a link.
                Err(Errno::INVAL) => {}
                // Does not exist yet: the name of a new file.
                Err(Errno::NOENT) if parts.is_empty() => return Some(Place { folder, name: part }),
                Err(_) => return None,
            }
            if parts.is_empty() {
                return Some(Place { folder, name: part });
            }
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            folders.push(Arc::new(
                openat(&folder, part.as_str(), flags, Mode::empty()).ok()?,
            ));
        }
        Some(Place {
            folder: folders.pop()?,
            name: ITSELF.to_owned(),
        })
    }

    /// Opens a regular file.
    pub(super) fn open(&self, path: &str, access: Access) -> Option<File> {
        let Place { folder, name } = self.place(path, true)?;
        // Rejects devices and pipes of the host, because opening one can block or have side effects.
        match statat(&folder, name.as_str(), AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile => return None,
            _ => {}
        }
        let mut flags = match (access.read, access.write) {
            (_, false) => OFlags::RDONLY,
            (false, true) => OFlags::WRONLY,
            (true, true) => OFlags::RDWR,
        };
        flags |= OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        flags.set(OFlags::APPEND, access.append);
        flags.set(OFlags::CREATE, access.create);
        // The host's umask removes bits.
        let mode = Mode::from_raw_mode(0o666);
        let file = openat(&folder, name.as_str(), flags, mode).ok()?;
        let stat = fstat(&file).ok()?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return None;
        }
        let file = File::from(file);
        if access.truncate {
            file.set_len(0).ok()?;
        }
        Some(file)
    }

    /// Returns whether a path is a directory, its size, and its modification time in seconds since 1970.
    pub(super) fn stat(&self, path: &str) -> Option<(bool, u64, u64)> {
        let Place { folder, name } = self.place(path, true)?;
        let stat = statat(folder, name.as_str(), AtFlags::SYMLINK_NOFOLLOW).ok()?;
        let directory = match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => true,
            FileType::Symlink => return None,
            _ => false,
        };
        Some((
            directory,
            u64::try_from(stat.st_size).unwrap_or(0),
            u64::try_from(stat.st_mtime).unwrap_or(0),
        ))
    }

    /// Creates a second name for a file, or for a link itself.
    pub(super) fn link(&self, old: &str, new: &str) -> Option<()> {
        let (old, new) = (self.place(old, false)?, self.place(new, false)?);
        linkat(
            old.folder,
            old.name.as_str(),
            new.folder,
            new.name.as_str(),
            AtFlags::empty(),
        )
        .ok()
    }

    /// Removes a file, or a link itself.
    pub(super) fn unlink(&self, path: &str) -> Option<()> {
        let Place { folder, name } = self.place(path, false)?;
        unlinkat(folder, name.as_str(), AtFlags::empty()).ok()
    }

    /// Returns the names in a directory, and which are directories. Limited to `most` bytes of names.
    pub(super) fn entries(&self, path: &str, most: usize) -> Option<Vec<(String, bool)>> {
        let Place { folder, name } = self.place(path, true)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let directory = openat(folder, name.as_str(), flags, Mode::empty()).ok()?;
        let (mut entries, mut bytes) = (Vec::new(), 0);
        for entry in Dir::read_from(directory.as_fd()).ok()? {
            let entry = entry.ok()?;
            let Ok(name) = entry.file_name().to_str() else {
                continue;
            };
            if name == "." || name == ".." {
                continue;
            }
            bytes += entry_bytes(name);
            if bytes > most {
                return None;
            }
            let directory = match entry.file_type() {
                FileType::Directory => true,
                FileType::Symlink | FileType::Unknown => self
                    .stat(&format!("{path}/{name}"))
                    .is_some_and(|(directory, ..)| directory),
                _ => false,
            };
            entries.push((name.to_owned(), directory));
        }
        Some(entries)
    }
}

/// Memory size of a directory entry: its name and the list element.
pub(super) fn entry_bytes(name: &str) -> usize {
    name.len() + size_of::<(String, bool)>()
}

/// Returns the components of a path, the first one last.
fn parts(path: &str) -> Vec<String> {
    let parts = path.split('/').rev();
    let parts = parts.filter(|part| !part.is_empty() && *part != ITSELF);
    parts.map(str::to_owned).collect()
}
