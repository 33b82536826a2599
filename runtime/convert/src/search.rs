//! Finds files that a scene names: textures, buffers and material libraries.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Maximum number of folder entries examined for a name in another letter case.
const MOST_ENTRIES: usize = 65_536;

/// Folders to search for a scene's files.
///
/// A scene names files by paths on the machine that wrote it. The search tries every suffix of such a path
/// below each folder, longest first, ignoring letter case. It never opens files outside of the folders.
pub struct Search<'a> {
    folders: Vec<PathBuf>,
    /// Lists a folder; `None` for a file, or if the folder does not exist.
    list: &'a dyn Fn(&Path) -> Option<Vec<PathBuf>>,
    /// Cached entries by folder.
    listings: RefCell<HashMap<PathBuf, Listing>>,
}

/// Lists a folder on disk.
fn list_disk(folder: &Path) -> Option<Vec<PathBuf>> {
    let listed = std::fs::read_dir(folder).ok()?.take(MOST_ENTRIES);
    Some(listed.flatten().map(|entry| entry.path()).collect())
}

impl Search<'static> {
    /// Searches folders on disk, like [`Search::with`].
    pub fn new(scene: &Path, more: &[PathBuf]) -> Self {
        Search::with(scene, more, &list_disk)
    }
}

impl<'a> Search<'a> {
    /// Searches the folder of `scene`, its `NAME.fbm` (where FBX programs unpack embedded files) and
    /// `textures`, then `more` folders.
    pub fn with(scene: &Path, more: &[PathBuf], list: &'a dyn Fn(&Path) -> Option<Vec<PathBuf>>) -> Self {
        let own = match scene.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
            _ => PathBuf::from("."),
        };
        let unpacked = scene.file_stem().map(|stem| {
            let mut name = stem.to_os_string();
            name.push(".fbm");
            own.join(name)
        });
        let mut folders = vec![own.clone()];
        folders.extend(unpacked);
        folders.push(own.join("textures"));
        folders.extend(more.iter().cloned());
        Search {
            folders,
            list,
            listings: RefCell::default(),
        }
    }

    /// Returns the folders, for messages.
    pub fn places(&self) -> Vec<String> {
        self.folders
            .iter()
            .map(|folder| folder.display().to_string())
            .collect()
    }

    /// Finds the file for a path in the scene.
    pub fn find(&self, path: &str) -> Option<PathBuf> {
        let path = path.replace('\\', "/");
        // In a path with `..`, uses the part after the last one.
        let steps = path.rsplit("../").next().unwrap_or_default().split('/');
        let parts: Vec<&str> = steps
            .filter(|part| !matches!(*part, "" | "." | "..") && !part.contains(':'))
            .collect();
        (0..parts.len()).find_map(|start| {
            let end = &parts[start..];
            self.folders.iter().find_map(|folder| self.below(folder, end))
        })
    }

    /// Finds the file with the relative path `parts` in a folder, ignoring letter case.
    fn below(&self, folder: &Path, parts: &[&str]) -> Option<PathBuf> {
        let exact: PathBuf = std::iter::once(folder.as_os_str())
            .chain(parts.iter().map(OsStr::new))
            .collect();
        if self.is_file(&exact) {
            return Some(exact);
        }
        let mut at = self
            .entry(folder.parent(), folder)
            .unwrap_or_else(|| folder.to_path_buf());
        for part in parts {
            at = self.entry(Some(&at), Path::new(part))?;
        }
        self.is_file(&at).then_some(at)
    }

    /// Returns whether a path is a file: its folder lists it, and it is no folder.
    fn is_file(&self, path: &Path) -> bool {
        let name = path.file_name();
        let is_listed = name.is_some_and(|name| self.listed(path.parent(), |all| all.names.contains(name)));
        is_listed && (self.list)(path).is_none()
    }

    /// Returns the folder entry with the name of `wanted`, ignoring letter case.
    fn entry(&self, folder: Option<&Path>, wanted: &Path) -> Option<PathBuf> {
        let wanted = lower(wanted.file_name()?);
        self.listed(folder, |all| all.by_lower.get(&wanted).cloned())
    }

    /// Applies `of` to the listing of a folder. Returns the default value without a folder.
    fn listed<T: Default>(&self, folder: Option<&Path>, of: impl Fn(&Listing) -> T) -> T {
        let Some(folder) = folder else {
            return T::default();
        };
        let folder = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        let mut listings = self.listings.borrow_mut();
        if let Some(listing) = listings.get(folder) {
            return of(listing);
        }
        let listing = Listing::of((self.list)(folder).unwrap_or_default());
        of(listings.entry(folder.to_path_buf()).or_insert(listing))
    }
}

/// The entries of a folder. Scenes can have as many names as their folders have files.
#[derive(Default)]
struct Listing {
    names: HashSet<OsString>,
    /// The first path of each name in lower case.
    by_lower: HashMap<String, PathBuf>,
}

impl Listing {
    fn of(mut paths: Vec<PathBuf>) -> Self {
        paths.sort();
        let mut listing = Self::default();
        for path in paths {
            if let Some(name) = path.file_name() {
                listing.names.insert(name.to_owned());
                let lower = lower(name);
                listing.by_lower.entry(lower).or_insert(path);
            }
        }
        listing
    }
}

fn lower(name: &OsStr) -> String {
    name.to_string_lossy().to_lowercase()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
mod tests {
    use super::Search;
    use std::path::Path;

    #[test]
    fn files_are_found_where_programs_put_them() {
        let root = std::env::temp_dir().join(format!("convert-search-{}", std::process::id()));
        let folder = root.join("scene");
        for file in [
            "scene/beside.png",
            "scene/hero.fbm/embedded.png",
            "scene/Textures/Skin.PNG",
            "scene/maps/deep/wood.tga",
            "more/other.png",
            "secret.png",
        ] {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, file).unwrap();
        }
        let search = Search::new(&folder.join("hero.fbx"), &[root.join("more")]);
        let found = |path: &str| {
            let found = search.find(path)?;
            let text = std::fs::read_to_string(found).unwrap();
            Some(text)
        };
        for (path, wanted) in [
            ("beside.png", Some("scene/beside.png")),
            ("BESIDE.PNG", Some("scene/beside.png")),
            ("embedded.png", Some("scene/hero.fbm/embedded.png")),
            ("skin.png", Some("scene/Textures/Skin.PNG")),
            ("..\\textures\\skin.png", Some("scene/Textures/Skin.PNG")),
            (
                "C:\\work\\hero\\maps\\Deep\\wood.tga",
                Some("scene/maps/deep/wood.tga"),
            ),
            (
                "/home/artist/scene/maps/deep/wood.tga",
                Some("scene/maps/deep/wood.tga"),
            ),
            ("other.png", Some("more/other.png")),
            ("../secret.png", None),
            ("missing.png", None),
            ("maps", None),
            ("", None),
        ] {
            assert_eq!(found(path).as_deref(), wanted, "{path}");
        }
        assert_eq!(search.places().len(), 4);
        assert!(
            Search::new(Path::new("a.fbx"), &[])
                .places()
                .iter()
                .any(|p| p.contains("a.fbm"))
        );
        std::fs::remove_dir_all(&root).unwrap();
    }
}
