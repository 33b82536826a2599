//! Textures and palettes of a model or a sprite.

use crate::error::{At, Result, bail};
use crate::files::{folder, has_extension, in_folder, stem};
use crate::{Assets, Files, Input};
use ninja::TextureName;
use pvr::container::{Palette, PvmEntry, PvrTexture, read_kos, read_pvm, read_pvp, read_pvr};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Maximum size in bytes of a list's textures, including repeated names: four times the console's video
/// memory.
const MOST_BYTES: usize = 32 << 20;

/// Textures of a texture list, with their palettes.
#[derive(Debug, Default)]
pub struct TextureSet {
    /// Names in the list.
    pub names: Vec<String>,
    /// Textures by index; `None` if no file has the texture.
    pub textures: Vec<Option<PvrTexture>>,
    /// Palette banks named in the list, by index; 0 if the list names none.
    pub banks: Vec<u8>,
    /// Palettes found for the textures, followed by the requested ones.
    pub palettes: Vec<NamedPalette>,
}

/// A palette with the name of its file.
#[derive(Debug)]
pub struct NamedPalette {
    /// Path of the file.
    pub name: String,
    /// Requested by [`Assets`]; overrides a palette in the model's folder.
    pub requested: bool,
    /// Content.
    pub palette: Palette,
}

/// Returns whether a texture holds palette indices.
pub fn is_paletted(texture: &PvrTexture) -> bool {
    texture.data_format.palette_index().is_some()
}

impl TextureSet {
    /// Finds the textures of the texture list of `file`, which was read from `paths`.
    ///
    /// Without [`Assets::textures`], searches the folders of `paths` for archives with the same names as
    /// `paths`, and for textures with the names in the list. Also searches these folders for palettes with
    /// the name of a path or of a texture. Palettes in `assets` override them bank by bank.
    ///
    /// # Errors
    /// If a file cannot be read, or no texture needs the palettes of `assets`.
    pub fn find(files: &dyn Files, paths: &[PathBuf], file: &ninja::File, assets: &Assets) -> Result<Self> {
        let listed = || file.texlist().into_iter().flat_map(|list| &list.names);
        let names: Vec<String> = listed().map(|name| name.name_lossy().into_owned()).collect();
        let mut found = vec![None; names.len()];
        if !assets.textures.iter().any(|path| !has_extension(path, "pvp")) {
            for path in paths {
                if let Some(archive) = in_folder(files, folder(path), &stem(path), "pvm")? {
                    take_archive(files, &archive, &names, &mut found)?;
                }
            }
            for path in paths {
                take_folder(files, folder(path), &names, &mut found, false)?;
            }
        }
        take_requested(files, &assets.textures, &names, &mut found)?;
        repeat_names(&names, &mut found)?;
        let banks = listed().map(TextureName::bank).collect();
        Self::new(files, paths, names, found, banks, assets)
    }

    /// Adds the palettes that the textures need.
    pub(crate) fn new(
        files: &dyn Files,
        paths: &[PathBuf],
        names: Vec<String>,
        textures: Vec<Option<PvrTexture>>,
        banks: Vec<u8>,
        assets: &Assets,
    ) -> Result<Self> {
        let needs = |texture: &Option<PvrTexture>| texture.as_ref().is_some_and(is_paletted);
        let needing = || names.iter().zip(&textures).filter(|(_, texture)| needs(texture));
        let is_needed = textures.iter().any(needs);
        if !assets.palettes.is_empty() && !is_needed && textures.iter().all(Option::is_some) {
            let name = paths.first().map(|path| path.display());
            bail!(
                "{}: --palette has no effect: none of the textures has a palette",
                name.map_or(String::new(), |name| name.to_string())
            );
        }
        let among_textures = assets.textures.iter().filter(|path| has_extension(path, "pvp"));
        let requested: Vec<PathBuf> = among_textures.chain(&assets.palettes).cloned().collect();
        let mut found: Vec<PathBuf> = Vec::new();
        if is_needed {
            let folders: Vec<&Path> = paths
                .iter()
                .map(|path| folder(path))
                .chain(
                    assets
                        .textures
                        .iter()
                        .map(PathBuf::as_path)
                        .filter(|path| files.list(path).is_ok()),
                )
                .collect();
            let named = needing().map(|(name, _)| name.clone());
            for name in paths.iter().map(|path| stem(path)).chain(named) {
                for folder in &folders {
                    let path = in_folder(files, folder, &name, "pvp")?;
                    found.extend(path.filter(|path| !found.contains(path) && !requested.contains(path)));
                }
            }
        }
        let of = |requested: bool, path: PathBuf| {
            let name = path.display().to_string();
            let palette = read_pvp(&files.read(&path)?).at(&name)?;
            Ok(NamedPalette {
                name,
                requested,
                palette,
            })
        };
        let found = found.into_iter().map(|path| of(false, path));
        let palettes = found.chain(requested.into_iter().map(|path| of(true, path)));
        Ok(Self {
            palettes: palettes.collect::<Result<_>>()?,
            names,
            textures,
            banks,
        })
    }

    /// Returns the names in the list for which no file or archive has a texture.
    pub fn missing(&self) -> Vec<String> {
        let listed = self.names.iter().zip(&self.textures);
        let missing = listed.filter(|(_, texture)| texture.is_none());
        missing.map(|(name, _)| name.clone()).collect()
    }
}

/// Assigns textures from archives, files and folders to the entries of a list.
pub(crate) fn take_requested(
    files: &dyn Files,
    requested: &[PathBuf],
    names: &[String],
    found: &mut Vec<Option<PvrTexture>>,
) -> Result<()> {
    for path in requested.iter().filter(|path| !has_extension(path, "pvp")) {
        if files.list(path).is_ok() {
            take_folder(files, path, names, found, true)?;
        } else if has_extension(path, "pvm") {
            take_archive(files, path, names, found)?;
        } else {
            let texture = Some(read_texture(files, path)?);
            let by_name = names
                .iter()
                .position(|name| name.eq_ignore_ascii_case(&stem(path)));
            // A texture that the list does not name takes the first free entry.
            let free = || found.iter().position(Option::is_none);
            match by_name.or_else(free) {
                Some(index) => found[index] = texture,
                None => found.push(texture),
            }
        }
    }
    Ok(())
}

/// Reads the listed textures that a folder has. If `all` is not set, reads only missing ones.
fn take_folder(
    files: &dyn Files,
    folder: &Path,
    names: &[String],
    found: &mut [Option<PvrTexture>],
    all: bool,
) -> Result<()> {
    // File systems list folders in any order; the result must not depend on it.
    let mut listed = files.list(folder)?;
    listed.retain(|path| has_extension(path, "pvr"));
    listed.sort();
    let mut paths: HashMap<String, Option<&PathBuf>> = HashMap::new();
    for path in &listed {
        paths.entry(stem(path).to_ascii_lowercase()).or_insert(Some(path));
    }
    let wanted = found.iter_mut().zip(names);
    for (slot, name) in wanted.filter(|(slot, _)| all || slot.is_none()) {
        if let Some(path) = paths.get_mut(&name.to_ascii_lowercase()) {
            // Reads each file once, for the first entry with its name. `repeat_names` fills the other
            // entries.
            *slot = path.take().map(|path| read_texture(files, path)).transpose()?;
        }
    }
    Ok(())
}

fn take_archive(
    files: &dyn Files,
    path: &Path,
    names: &[String],
    found: &mut Vec<Option<PvrTexture>>,
) -> Result<()> {
    place_entries(read_pvm(&files.read(path)?).at(path.display())?, names, found);
    Ok(())
}

/// Assigns the textures of an archive to the entries of a list: by name, or by position if the archive has no
/// names or the list does not contain them.
pub fn place_entries(entries: Vec<PvmEntry>, names: &[String], found: &mut Vec<Option<PvrTexture>>) {
    found.resize(found.len().max(entries.len()), None);
    // First entry of each name.
    let mut places = HashMap::new();
    for (index, name) in names.iter().enumerate() {
        places.entry(name.to_ascii_lowercase()).or_insert(index);
    }
    // An archive without names stores one texture for all entries with the same name.
    let mut first_entries: Vec<usize> = places.values().copied().collect();
    first_entries.sort_unstable();
    let omits_repeats = entries.len() < names.len();
    for (index, PvmEntry { name, texture, .. }) in entries.into_iter().enumerate() {
        let index = first_entries
            .get(index)
            .copied()
            .filter(|_| omits_repeats)
            .unwrap_or(index);
        let by_name = name.and_then(|name| places.get(&name.to_ascii_lowercase()).copied());
        if let Some(slot) = found.get_mut(by_name.unwrap_or(index))
            && (by_name.is_some() || slot.is_none())
        {
            *slot = Some(texture);
        }
    }
}

/// Copies the texture of a name to all entries that repeat it. A list repeats a texture once per palette bank
/// (docs/formats/cell-sprite.md 5.1).
fn repeat_names(names: &[String], found: &mut [Option<PvrTexture>]) -> Result<()> {
    let mut known: HashMap<String, usize> = HashMap::new();
    for (index, name) in names
        .iter()
        .enumerate()
        .filter(|(index, _)| found[*index].is_some())
    {
        known.entry(name.to_ascii_lowercase()).or_insert(index);
    }
    let mut bytes: usize = found.iter().flatten().map(|texture| texture.data.len()).sum();
    for (index, name) in names.iter().enumerate() {
        if found[index].is_none() {
            let first = known.get(&name.to_ascii_lowercase());
            let first = first.and_then(|first| found[*first].as_ref());
            bytes += first.map_or(0, |texture| texture.data.len());
            if bytes > MOST_BYTES {
                let expected = format!("expected at most {MOST_BYTES}");
                bail!("{name}: up to this texture, the textures of the list have {bytes} bytes, {expected}");
            }
            found[index] = first.cloned();
        }
    }
    Ok(())
}

fn read_texture(files: &dyn Files, path: &Path) -> Result<PvrTexture> {
    let bytes = files.read(path)?;
    let read = match Input::of(path, &bytes) {
        Input::KosTexture => read_kos(&bytes),
        _ => read_pvr(&bytes),
    };
    read.at(path.display())
}
