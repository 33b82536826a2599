//! Reads source files named in debug information, for listings and pages. The names are not trusted: only
//! regular files below folders approved by the user are read.

use crate::limits::SOURCE_BYTES;
use std::cell::Cell;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Maximum bytes of a source file.
const LONGEST: u64 = 4 << 20;

/// Folders with sources, with all links resolved.
#[derive(Debug)]
pub(crate) struct Sources {
    folders: Vec<PathBuf>,
    /// Bytes that may still be read. Debug information can name one file in many ways, such as `./a.c`.
    left: Cell<u64>,
}

impl Sources {
    /// Permits the working folder and the folders of `--sources`.
    pub(crate) fn new(folders: &[PathBuf]) -> Self {
        let here = std::iter::once(Path::new("."));
        let all = here.chain(folders.iter().map(PathBuf::as_path));
        Self {
            folders: all.filter_map(|folder| folder.canonicalize().ok()).collect(),
            left: Cell::new(SOURCE_BYTES),
        }
    }

    /// Returns the text of a file by its name in the debug information. Rejects names with `..`, and links
    /// that lead out of the folders.
    pub(crate) fn read(&self, name: &str) -> Option<String> {
        let name = Path::new(name);
        if name.components().any(|part| part == Component::ParentDir) {
            return None;
        }
        // Joining an absolute name returns the name itself.
        let mut folders = self.folders.iter();
        folders.find_map(|folder| self.read_below(folder, &folder.join(name)))
    }

    fn read_below(&self, folder: &Path, path: &Path) -> Option<String> {
        let path = path.canonicalize().ok().filter(|path| path.starts_with(folder))?;
        // Checks the kind first, because opening a pipe waits for its writer.
        path.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let file = File::open(path).ok()?;
        let about = file.metadata().ok()?;
        let left = self.left.get();
        if !about.is_file() || about.len() > LONGEST.min(left) {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(LONGEST).read_to_end(&mut bytes).ok()?;
        self.left.set(left.saturating_sub(bytes.len() as u64));
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_regular_files_below_the_folders_are_read() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        fs::write(at("sub/a.c"), "int a;\n").unwrap();
        fs::write(at("long.c"), vec![b' '; LONGEST as usize + 1]).unwrap();
        fs::write(outside.path().join("secret"), "SECRET").unwrap();
        symlink("sub/a.c", at("inside.c")).unwrap();
        symlink(outside.path().join("secret"), at("link.c")).unwrap();
        symlink("/dev/zero", at("zero.c")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(at("fifo.c")).status();
        assert!(made.unwrap().success());
        let sources = Sources::new(&[folder.path().to_owned()]);
        let absolute = at("sub/a.c").canonicalize().unwrap();
        for name in ["sub/a.c", "./sub/a.c", "inside.c", absolute.to_str().unwrap()] {
            assert_eq!(sources.read(name).as_deref(), Some("int a;\n"), "{name}");
        }
        let secret = outside.path().join("secret");
        let names = [
            "sub",
            "sub/../sub/a.c",
            "long.c",
            "link.c",
            "zero.c",
            "fifo.c",
            "/etc/passwd",
            "/dev/zero",
        ];
        for name in names.into_iter().chain(secret.to_str()) {
            assert_eq!(sources.read(name), None, "{name}");
        }
    }
}
