//! The host folder that dcload's file calls can access. No path leads outside it.

use super::access::Access;
use super::folder::{Folder, entry_bytes};
use crate::limits::LISTINGS as MAX_LISTED;
use crate::limits::OPEN_FILES as MAX_OPEN;
use state::{Error, State, Stream};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

/// First handle of a file; 0, 1 and 2 are the console.
const FIRST_FILE: u32 = 3;

/// newlib's flags of `open`.
mod flag {
    pub(super) const WRITE: u32 = 1;
    pub(super) const READ_WRITE: u32 = 2;
    pub(super) const APPEND: u32 = 8;
    pub(super) const CREATE: u32 = 0x200;
    pub(super) const TRUNCATE: u32 = 0x400;
}

/// File attributes for dcload's stat call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stat {
    pub(super) directory: bool,
    /// Size in bytes, limited to 32 bits.
    pub(super) size: u32,
    /// Modification time in seconds since 1970.
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

/// Sorted entries of a directory, and the index of the next one to return.
#[derive(Clone, Debug, Default)]
struct Directory {
    entries: Vec<(String, bool)>,
    next: usize,
}

state::fields!(Directory { entries, next });

/// An open file. Duplicates share the host's file, but each has its own position.
#[derive(Clone, Debug)]
struct OpenFile {
    file: Arc<File>,
    /// The path and access with which the program opened it.
    path: String,
    access: Access,
    position: u64,
    /// Set if writes append to the file.
    appends: bool,
}

impl OpenFile {
    /// Returns the host's file, positioned at this handle's position.
    fn here(&self) -> io::Result<&File> {
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(self.position))?;
        Ok(file)
    }
}

/// Files of the folder. Without a folder, every call fails.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    folder: Option<Folder>,
    writable: bool,
    files: BTreeMap<u32, OpenFile>,
    directories: BTreeMap<u32, Directory>,
}

/// Loading a state opens the files again, and leaves their contents unchanged.
impl State for Files {
    fn transfer(&mut self, stream: &mut Stream<'_>) -> Result<(), Error> {
        let Self {
            folder,
            writable,
            files,
            directories,
        } = self;
        let saved = |(handle, file): (&u32, &OpenFile)| {
            let OpenFile {
                file: _,
                path,
                access,
                position,
                appends,
            } = file;
            (*handle, (path.clone(), *access, (*position, *appends)))
        };
        let mut open: BTreeMap<u32, (String, Access, (u64, bool))> = files.iter().map(saved).collect();
        open.transfer(stream)?;
        directories.transfer(stream)?;
        if !stream.is_loading() {
            return Ok(());
        }
        stream.check("Files", open.len() <= MAX_OPEN && directories.len() <= MAX_OPEN)?;
        files.clear();
        for (handle, (path, access, (position, appends))) in open {
            let file = match (&*folder, access.write && !*writable) {
                (Some(folder), false) => folder.open(&path, access.again()),
                _ => None,
            };
            let options = if access.write {
                "--files FOLDER --files-writable"
            } else {
                "--files FOLDER"
            };
            let file = file.ok_or_else(|| {
                Error::value(
                    "file that the program has open",
                    &path,
                    format!("{options} with this file"),
                )
            })?;
            let file = OpenFile {
                file: Arc::new(file),
                path,
                access,
                position,
                appends,
            };
            files.insert(handle, file);
        }
        Ok(())
    }
}

impl Files {
    pub(super) fn new(folder: &Path, writable: bool) -> io::Result<Self> {
        Ok(Self {
            folder: Some(Folder::new(folder)?),
            writable,
            ..Self::default()
        })
    }

    pub(super) fn is_writable(&self) -> bool {
        self.writable
    }

    fn free<T>(open: &BTreeMap<u32, T>, first: u32) -> Option<u32> {
        if open.len() >= MAX_OPEN {
            return None;
        }
        (first..).find(|handle| !open.contains_key(handle))
    }

    pub(super) fn open(&mut self, path: &str, flags: u32) -> Option<u32> {
        let writes = flags & (flag::WRITE | flag::READ_WRITE | flag::CREATE | flag::TRUNCATE) != 0;
        if writes && !self.writable {
            return None;
        }
        let handle = Self::free(&self.files, FIRST_FILE)?;
        let append = flags & flag::APPEND != 0 && writes;
        let access = Access {
            read: flags & flag::WRITE == 0,
            write: append || flags & (flag::WRITE | flag::READ_WRITE) != 0,
            append,
            create: flags & flag::CREATE != 0,
            truncate: flags & flag::TRUNCATE != 0,
        };
        let file = self.folder.as_ref()?.open(path, access)?;
        let file = OpenFile {
            file: Arc::new(file),
            path: path.to_owned(),
            access,
            position: 0,
            appends: append,
        };
        self.files.insert(handle, file);
        Some(handle)
    }

    pub(super) fn close(&mut self, handle: u32) -> Option<u32> {
        self.files.remove(&handle).map(|_| 0)
    }

    pub(super) fn read(&mut self, handle: u32, size: u32) -> Option<Vec<u8>> {
        let file = self.files.get_mut(&handle)?;
        let mut bytes = Vec::new();
        file.here().ok()?.take(size.into()).read_to_end(&mut bytes).ok()?;
        file.position += bytes.len() as u64;
        Some(bytes)
    }

    pub(super) fn write(&mut self, handle: u32, bytes: &[u8]) -> Option<u32> {
        let file = self.files.get_mut(&handle)?;
        file.here().ok()?.write_all(bytes).ok()?;
        file.position = match file.appends {
            true => file.file.metadata().ok()?.len(),
            false => file.position + bytes.len() as u64,
        };
        Some(bytes.len() as u32)
    }

    pub(super) fn seek(&mut self, handle: u32, offset: i32, whence: u32) -> Option<u32> {
        let file = self.files.get_mut(&handle)?;
        let base = match whence {
            0 => 0,
            1 => file.position,
            2 => file.file.metadata().ok()?.len(),
            _ => return None,
        };
        file.position = base.checked_add_signed(offset.into())?;
        u32::try_from(file.position).ok()
    }

    pub(super) fn stat(&self, path: &str) -> Option<Stat> {
        let (directory, size, modified) = self.folder.as_ref()?.stat(path)?;
        Some(Stat {
            directory,
            size: u32::try_from(size).unwrap_or(u32::MAX),
            modified: modified as u32,
        })
    }

    pub(super) fn stat_handle(&self, handle: u32) -> Option<Stat> {
        Some(Stat::of(&self.files.get(&handle)?.file.metadata().ok()?))
    }

    pub(super) fn rename(&self, old: &str, new: &str) -> Option<u32> {
        let folder = self.folder.as_ref().filter(|_| self.writable)?;
        folder.link(old, new).map(|()| 0)
    }

    pub(super) fn remove(&self, path: &str) -> Option<u32> {
        let folder = self.folder.as_ref().filter(|_| self.writable)?;
        folder.unlink(path).map(|()| 0)
    }

    pub(super) fn open_directory(&mut self, path: &str) -> Option<u32> {
        let handle = Self::free(&self.directories, 0)?;
        let listed = self.directories.values().flat_map(|directory| &directory.entries);
        let taken: usize = listed.map(|(name, _)| entry_bytes(name)).sum();
        let mut entries = self
            .folder
            .as_ref()?
            .entries(path, MAX_LISTED.saturating_sub(taken))?;
        // The order of the host's listing varies.
        entries.sort();
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
    #![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

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

    #[cfg(unix)]
    #[test]
    fn links_inside_the_folder_lead_to_their_files() {
        use std::os::unix::fs::symlink;
        let folder = folder();
        for (text, name) in [
            ("a.txt", "to_a"),
            ("../a.txt", "sub/up"),
            ("sub", "to_sub"),
            ("loop", "loop"),
        ] {
            symlink(text, folder.path().join(name)).unwrap();
        }
        symlink(folder.path().join("a.txt"), folder.path().join("absolute")).unwrap();
        let mut files = Files::new(folder.path(), true).unwrap();
        for path in ["to_a", "sub/up", "to_sub/../to_a", "to_sub/up", "./sub//up"] {
            let found = files.open(path, 0).and_then(|handle| files.read(handle, 9));
            let expected = (!path.contains("..")).then(|| b"hello".to_vec());
            assert_eq!(found, expected, "{path}");
        }
        assert_eq!((files.open("loop", 0), files.open("absolute", 0)), (None, None));
        assert!(files.stat("to_sub").unwrap().directory);
        // Removing or renaming affects the link itself.
        assert_eq!(files.rename("to_a", "other"), Some(0));
        assert_eq!(files.remove("to_a"), Some(0));
        assert_eq!(
            fs::read_link(folder.path().join("other")).unwrap(),
            Path::new("a.txt")
        );
        assert_eq!(fs::read(folder.path().join("a.txt")).unwrap(), b"hello");
        assert_eq!(files.remove("to_sub/b.txt"), Some(0));
    }

    /// One thread keeps exchanging a directory with a link to an outside directory while the other opens a
    /// file in it.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_link_that_is_swapped_meanwhile_leads_nowhere() {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use std::sync::atomic::{AtomicBool, Ordering};
        let (folder, outside) = (folder(), tempfile::tempdir().unwrap());
        fs::write(outside.path().join("b.txt"), b"SECRET").unwrap();
        let (directory, link) = (folder.path().join("sub"), folder.path().join("link"));
        std::os::unix::fs::symlink(outside.path(), &link).unwrap();
        let mut files = Files::new(folder.path(), false).unwrap();
        let done = AtomicBool::new(false);
        let opened = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    renameat_with(CWD, &directory, CWD, &link, RenameFlags::EXCHANGE).unwrap();
                }
            });
            let mut opened = 0;
            for _ in 0..30_000 {
                let Some(handle) = files.open("sub/b.txt", 0) else {
                    continue;
                };
                opened += 1;
                assert_eq!(files.read(handle, 9).unwrap(), b"b");
                files.close(handle);
            }
            done.store(true, Ordering::Relaxed);
            opened
        });
        assert!(opened > 0);
    }

    /// 256 open directories with 2,000 long names: the total size must be limited, and closing one must make
    /// room.
    #[test]
    fn listings_of_open_directories_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..2_000 {
            fs::write(folder.path().join(format!("{n:0240}")), b"").unwrap();
        }
        let mut files = Files::new(folder.path(), false).unwrap();
        let mut handles: Vec<u32> = Vec::new();
        while let Some(handle) = files.open_directory("/") {
            handles.push(handle);
        }
        let each = 2_000 * (240 + size_of::<(String, bool)>());
        assert_eq!(handles.len(), MAX_LISTED / each);
        files.close_directory(handles[0]).unwrap();
        assert!(files.open_directory("/").is_some());
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
