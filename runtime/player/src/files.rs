//! Access to files, and their names.

use crate::error::{At, Result};
use crate::{Error, Warning};
use ninja::ascii::Dialect;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Source of files by path: a disk, an archive, or a map in memory.
pub trait Files {
    /// Reads a whole file.
    ///
    /// # Errors
    /// If there is no such file. The error names it.
    fn read(&self, path: &Path) -> Result<Vec<u8>>;

    /// Lists the paths in a folder, in any order.
    ///
    /// # Errors
    /// If there is no such folder. The error names it.
    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>>;
}

/// Files of the host.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<Vec<u8>> {
        std::fs::read(path).at(path.display())
    }

    fn list(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let entries = std::fs::read_dir(folder).at(folder.display())?;
        Ok(entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
    }
}

/// Files in memory. All folders in their paths exist.
impl<B: AsRef<[u8]>> Files for BTreeMap<PathBuf, B> {
    fn read(&self, path: &Path) -> Result<Vec<u8>> {
        let bare = path.strip_prefix(".").unwrap_or(path);
        let found = self.get(bare).map(|bytes| bytes.as_ref().to_vec());
        found.ok_or_else(|| Error::Invalid(format!("{}: no such file", path.display())))
    }

    fn list(&self, wanted: &Path) -> Result<Vec<PathBuf>> {
        let bare = wanted.strip_prefix(".").unwrap_or(wanted);
        let is_root = bare.as_os_str().is_empty();
        if !is_root && !self.keys().any(|path| path != bare && path.starts_with(bare)) {
            return Err(Error::Invalid(format!("{}: no such folder", wanted.display())));
        }
        let inside = self.keys().filter(|path| path.parent() == Some(bare));
        Ok(inside.cloned().collect())
    }
}

/// Returns whether a path has the extension, ignoring case.
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Returns the folder of a file, `.` for a bare name.
pub fn folder(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// Returns the name of a file without folder and extension.
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Finds the file `stem.extension` in a folder, ignoring case.
///
/// # Errors
/// If there is no such folder.
pub fn in_folder(files: &dyn Files, folder: &Path, stem: &str, extension: &str) -> Result<Option<PathBuf>> {
    let is_named =
        |path: &PathBuf| has_extension(path, extension) && self::stem(path).eq_ignore_ascii_case(stem);
    // Folders list in any order; the result must not depend on it.
    Ok(files.list(folder)?.into_iter().filter(is_named).min())
}

/// A parsed Ninja file, binary or ASCII.
#[derive(Clone, Debug)]
pub struct NinjaFile {
    /// Chunks.
    pub file: ninja::File,
    /// Warnings about unusual constructs.
    pub warnings: Vec<Warning>,
    /// Library that defines the macros of an ASCII file; `None` for a binary file.
    pub dialect: Option<Dialect>,
}

/// Parses the bytes of a Ninja file. `name` is for messages.
///
/// # Errors
/// If the file is damaged or of another kind.
pub fn read_ninja(name: &Path, bytes: &[u8], settings: &ninja::ascii::Settings) -> Result<NinjaFile> {
    let place = name.display();
    if !ninja::ascii::is_text(bytes) {
        let file = ninja::read(bytes).at(&place)?;
        let warnings = file.warnings.iter().map(|warning| Warning::new(&place, warning));
        return Ok(NinjaFile {
            warnings: warnings.collect(),
            dialect: None,
            file,
        });
    }
    // Format `file:line:column`, as compilers print it.
    let text = ninja::ascii::read_with(bytes, settings);
    let text = text.map_err(|error| Error::Invalid(format!("{place}:{error}")))?;
    let warnings = text.warnings.iter();
    let warnings = warnings.map(|warning| Warning::new(format!("{place}:{}", warning.place), &warning.kind));
    Ok(NinjaFile {
        warnings: warnings.collect(),
        dialect: Some(text.dialect),
        file: text.file,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_memory_have_folders() {
        let mut files = BTreeMap::new();
        for name in ["a.obj", "maps/b.png"] {
            files.insert(PathBuf::from(name), name.as_bytes().to_vec());
        }
        let read = |path: &str| files.read(Path::new(path)).ok();
        assert_eq!(read("./a.obj"), read("a.obj"));
        assert_eq!(read("maps/b.png").as_deref(), Some(&b"maps/b.png"[..]));
        assert_eq!(read("b.png"), None);
        let list = |path: &str| files.list(Path::new(path)).ok();
        assert_eq!(list("."), Some(vec![PathBuf::from("a.obj")]));
        assert_eq!(list("./maps"), Some(vec![PathBuf::from("maps/b.png")]));
        // A file is no folder.
        assert_eq!((list("a.obj"), list("other")), (None, None));
    }
}
