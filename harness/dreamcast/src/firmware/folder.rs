//! A folder of the host, reached by its descriptor: no path and no link leads out of it, even if somebody
//! changes the folder meanwhile.
//!
//! Every part of a path is opened in the descriptor of the folder before it, without following links. The
//! text of a link is taken apart in the same way: `..` goes to the folder before, never above the root.

use super::access::Access;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags};
use rustix::fs::{fstat, linkat, openat, readlinkat, statat, unlinkat};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

/// Links on the way to a file; Linux has the same limit.
const MOST_LINKS: usize = 40;
/// The folder itself, inside it.
const ITSELF: &str = ".";

/// See the module's head.
#[derive(Clone, Debug)]
pub(super) struct Folder(Arc<OwnedFd>);

/// A name in an open folder: the end of a path.
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

    /// Follows a path. A link at its end is followed if `follow` says so.
    fn place(&self, path: &str, follow: bool) -> Option<Place> {
        let mut folders = vec![self.0.clone()];
        // Parts that are left, the next one last.
        let mut parts: Vec<String> = parts(path);
        // A program's path has no `..`; the text of a link may.
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
                    if links > MOST_LINKS {
                        return None;
                    }
                    parts.extend(self::parts(text));
                    continue;
                }
                // Not a link.
                Err(Errno::INVAL) => {}
                // Not there yet: a name for a new file.
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
        // Devices and pipes of the host are no files, and opening one may block or act.
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
        // Bits that the host's umask takes away.
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

    /// Whether a path is a directory, its size, and the seconds since 1970 of its last change.
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

    /// Gives a file, or a link itself, a second name.
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

    /// Names in a directory, and which are directories. `most` bytes of names at most.
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

/// Bytes of memory that an entry of a directory takes: its name and the list's element.
pub(super) fn entry_bytes(name: &str) -> usize {
    name.len() + size_of::<(String, bool)>()
}

/// The parts of a path, the last one first.
fn parts(path: &str) -> Vec<String> {
    let parts = path.split('/').rev();
    let parts = parts.filter(|part| !part.is_empty() && *part != ITSELF);
    parts.map(str::to_owned).collect()
}
