//! A folder of the host, as dcload's file calls see it. No path leads out of it.

use crate::limits::OPEN_FILES as MOST_OPEN;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The first handle of a file: 0, 1 and 2 are the console.
const FIRST_FILE: u32 = 3;

/// newlib's flags of `open`.
mod flag {
    pub(super) const WRITE: u32 = 1;
    pub(super) const READ_WRITE: u32 = 2;
    pub(super) const APPEND: u32 = 8;
    pub(super) const CREATE: u32 = 0x200;
    pub(super) const TRUNCATE: u32 = 0x400;
}

/// What a program can know of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) directory: bool,
    /// Bytes; files of 4 GiB and more show as the largest number.
    pub(super) size: u32,
    /// Seconds since 1970.
    pub(super) modified: u32,
}

impl Stat {
    fn of(metadata: &fs::Metadata) -> Self {
        let modified = metadata
            .modified()
            .ok()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Self {
            directory: metadata.is_dir(),
            size: u32::try_from(metadata.len()).unwrap_or(u32::MAX),
            modified: modified.map_or(0, |time| time.as_secs() as u32),
        }
    }
}

/// The entries of a directory, in order, and how many have been read.
#[derive(Debug)]
struct Directory {
    entries: Vec<(String, bool)>,
    next: usize,
}

/// See the module's head. Without a folder every call fails.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// Absolute and free of links.
    root: Option<PathBuf>,
    writable: bool,
    files: BTreeMap<u32, File>,
    directories: BTreeMap<u32, Directory>,
}

impl Files {
    pub(super) fn new(folder: &Path, writable: bool) -> io::Result<Self> {
        let root = folder.canonicalize()?;
        if !root.is_dir() {
            return Err(io::Error::other("found a file, expected a folder"));
        }
        Ok(Self {
            root: Some(root),
            writable,
            ..Self::default()
        })
    }

    /// The host's path of a program's: below the root, without `..`, and with no link that leads out.
    fn place(&self, path: &str) -> Option<PathBuf> {
        let root = self.root.as_ref()?;
        let mut place = root.clone();
        for part in Path::new(path).components() {
            match part {
                Component::Normal(name) => place.push(name),
                Component::RootDir | Component::CurDir => {}
                Component::ParentDir | Component::Prefix(_) => return None,
            }
        }
        // What does not exist yet is judged by its folder.
        let known = match place.symlink_metadata() {
            Ok(_) => place.canonicalize().ok()?,
            Err(_) => place.parent()?.canonicalize().ok()?.join(place.file_name()?),
        };
        known.starts_with(root).then_some(known)
    }

    fn free<T>(open: &BTreeMap<u32, T>, first: u32) -> Option<u32> {
        if open.len() >= MOST_OPEN {
            return None;
        }
        (first..).find(|handle| !open.contains_key(handle))
    }

    pub(super) fn open(&mut self, path: &str, flags: u32) -> Option<u32> {
        let writes = flags & (flag::WRITE | flag::READ_WRITE | flag::CREATE | flag::TRUNCATE) != 0;
        if writes && !self.writable {
            return None;
        }
        let place = self.place(path)?;
        let handle = Self::free(&self.files, FIRST_FILE)?;
        // Devices and pipes of the host are no files, and opening one may block.
        if fs::metadata(&place).is_ok_and(|metadata| !metadata.is_file()) {
            return None;
        }
        let file = OpenOptions::new()
            .read(flags & flag::WRITE == 0)
            .write(flags & (flag::WRITE | flag::READ_WRITE) != 0)
            .append(flags & flag::APPEND != 0 && writes)
            .create(flags & flag::CREATE != 0 && writes)
            .truncate(flags & flag::TRUNCATE != 0)
            .open(place)
            .ok()?;
        self.files.insert(handle, file);
        Some(handle)
    }

    pub(super) fn close(&mut self, handle: u32) -> Option<u32> {
        self.files.remove(&handle).map(|_| 0)
    }

    pub(super) fn read(&mut self, handle: u32, size: u32) -> Option<Vec<u8>> {
        let file = self.files.get_mut(&handle)?;
        let mut bytes = Vec::new();
        file.take(size.into()).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    pub(super) fn write(&mut self, handle: u32, bytes: &[u8]) -> Option<u32> {
        self.files.get_mut(&handle)?.write_all(bytes).ok()?;
        Some(bytes.len() as u32)
    }

    pub(super) fn seek(&mut self, handle: u32, offset: i32, whence: u32) -> Option<u32> {
        let target = match whence {
            0 => SeekFrom::Start(u64::try_from(offset).ok()?),
            1 => SeekFrom::Current(offset.into()),
            2 => SeekFrom::End(offset.into()),
            _ => return None,
        };
        let place = self.files.get_mut(&handle)?.seek(target).ok()?;
        u32::try_from(place).ok()
    }

    pub(super) fn stat(&self, path: &str) -> Option<Stat> {
        Some(Stat::of(&fs::metadata(self.place(path)?).ok()?))
    }

    pub(super) fn stat_handle(&self, handle: u32) -> Option<Stat> {
        Some(Stat::of(&self.files.get(&handle)?.metadata().ok()?))
    }

    pub(super) fn rename(&self, old: &str, new: &str) -> Option<u32> {
        let (old, new) = (self.place(old)?, self.place(new)?);
        if !self.writable || new.exists() {
            return None;
        }
        fs::hard_link(old, new).ok().map(|()| 0)
    }

    pub(super) fn remove(&self, path: &str) -> Option<u32> {
        let place = self.place(path)?;
        let removed = self.writable && fs::remove_file(place).is_ok();
        removed.then_some(0)
    }

    pub(super) fn open_directory(&mut self, path: &str) -> Option<u32> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.place(path)?).ok()? {
            let entry = entry.ok()?;
            if let Ok(name) = entry.file_name().into_string() {
                entries.push((name, entry.path().is_dir()));
            }
        }
        // The host's order is not the same everywhere.
        entries.sort();
        let handle = Self::free(&self.directories, 0)?;
        self.directories.insert(handle, Directory { entries, next: 0 });
        Some(handle)
    }

    pub(super) fn next_entry(&mut self, handle: u32) -> Option<(String, bool)> {
        let directory = self.directories.get_mut(&handle)?;
        let entry = directory.entries.get(directory.next)?.clone();
        directory.next += 1;
        Some(entry)
    }

    pub(super) fn rewind_directory(&mut self, handle: u32) -> Option<u32> {
        self.directories.get_mut(&handle).map(|directory| {
            directory.next = 0;
            0
        })
    }

    pub(super) fn close_directory(&mut self, handle: u32) -> Option<u32> {
        self.directories.remove(&handle).map(|_| 0)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.txt"), b"hello").unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        fs::write(folder.path().join("sub/b.txt"), b"b").unwrap();
        folder
    }

    #[test]
    fn reads_seeks_and_lists() {
        let folder = folder();
        let mut files = Files::new(folder.path(), false).unwrap();
        let handle = files.open("/a.txt", 0).unwrap();
        assert_eq!(handle, 3);
        assert_eq!(files.read(handle, 100).unwrap(), b"hello");
        assert_eq!(files.seek(handle, -2, 2), Some(3));
        assert_eq!(files.read(handle, 1).unwrap(), b"l");
        assert_eq!(files.stat_handle(handle).unwrap().size, 5);
        let directory = files.open_directory("").unwrap();
        assert_eq!(files.next_entry(directory), Some(("a.txt".to_owned(), false)));
        assert_eq!(files.next_entry(directory), Some(("sub".to_owned(), true)));
        assert_eq!(files.next_entry(directory), None);
    }

    #[test]
    fn nothing_outside_the_folder_is_reached() {
        let folder = folder();
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), b"x").unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
            std::os::unix::fs::symlink(outside.path().join("new"), folder.path().join("dangling")).unwrap();
        }
        let mut files = Files::new(folder.path(), true).unwrap();
        for path in [
            "../secret",
            "/../secret",
            "sub/../../secret",
            "link/secret",
            "link",
            "dangling",
            "link/new",
        ] {
            assert_eq!(files.open(path, 0), None, "{path}");
            assert_eq!(files.open(path, 0x601), None, "{path}");
            assert_eq!(files.stat(path), None, "{path}");
            assert_eq!(files.open_directory(path), None, "{path}");
            assert_eq!(files.rename("a.txt", path), None, "{path}");
        }
        assert!(!outside.path().join("new").exists());
        assert_eq!(fs::read(outside.path().join("secret")).unwrap(), b"x");
    }

    #[test]
    fn writes_only_where_it_may() {
        let folder = folder();
        let mut files = Files::new(folder.path(), false).unwrap();
        assert_eq!(files.open("/new", 0x601), None);
        assert_eq!(files.remove("/a.txt"), None);
        let mut files = Files::new(folder.path(), true).unwrap();
        let handle = files.open("/new", 0x601).unwrap();
        assert_eq!(files.write(handle, b"abc"), Some(3));
        assert_eq!(files.close(handle), Some(0));
        assert_eq!(files.rename("/new", "/renamed"), Some(0));
        assert_eq!(files.remove("/new"), Some(0));
        assert_eq!(files.stat("/renamed").unwrap().size, 3);
    }
}
