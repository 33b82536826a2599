//! Textures and palettes of a model or a sprite, from files.

use super::direct;
use crate::assets::{self, folder, has_extension, in_folder, stem};
use crate::input;
use anyhow::{Context, Result, bail};
use clap::Args;
use ninja::File;
use pvr::container::{Palette, PvmEntry, PvrTexture, read_pvm, read_pvp, read_pvr};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Where textures and palettes come from.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TextureSources {
    /// Archives (.pvm), textures (.pvr), palettes (.pvp) or folders of them; may be given several times.
    #[arg(long, value_name = "PATH")]
    textures: Vec<PathBuf>,
    /// Palettes (.pvp) of textures; may be given several times.
    #[arg(long, value_name = "FILE")]
    palette: Vec<PathBuf>,
}

impl From<Vec<PathBuf>> for TextureSources {
    fn from(textures: Vec<PathBuf>) -> Self {
        let palette = Vec::new();
        Self { textures, palette }
    }
}

/// What a texture list could be matched with.
#[derive(Default)]
pub(crate) struct TextureSet {
    /// By texture number, as the list has them.
    pub(crate) names: Vec<String>,
    /// By texture number; what was not found is `None`.
    pub(crate) textures: Vec<Option<PvrTexture>>,
    /// By texture number: the palette bank that the list names.
    pub(crate) banks: Vec<u8>,
    /// Palettes; none are looked for where no texture needs one.
    pub(crate) palettes: Vec<NamedPalette>,
}

/// A palette and where it comes from.
pub(crate) struct NamedPalette {
    /// Its file.
    pub(crate) name: String,
    /// Named on the command line, so it takes the place of one that lies beside the input.
    pub(crate) given: bool,
    pub(crate) palette: Palette,
}

/// A model file with its pictures.
pub(crate) struct TexturedModel {
    /// The file.
    pub(crate) file: File,
    /// Of its texture list.
    pub(crate) pictures: TextureSet,
}

impl TexturedModel {
    /// Reads a model with the pictures in `sources`, or beside it; a scene; or textures, on squares.
    pub(crate) fn load(path: &Path, sources: &TextureSources) -> Result<Self> {
        if let Some(model) = direct::load(path, sources)? {
            return Ok(model);
        }
        let file = assets::read_model(path)?;
        let pictures = TextureSet::find(path, &file, sources)?;
        Ok(Self { file, pictures })
    }
}

/// Whether a texture holds indices of a palette.
pub(crate) fn is_paletted(texture: &PvrTexture) -> bool {
    texture.data_format.palette_index().is_some()
}

impl TextureSet {
    /// The pictures of the texture list of `file`, which was read from `path`.
    ///
    /// Textures come from `sources`, or, if there are none, from beside the file: an archive of its own name,
    /// and files named as the list says. Palettes come from beside the file or the folders of `sources` (one
    /// of its own name, and those named as their textures), and then from the files of `sources`, which
    /// replace entries of the same banks.
    pub(crate) fn find(path: &Path, file: &File, sources: &TextureSources) -> Result<Self> {
        Self::of_files(&[path.to_owned()], file, sources)
    }

    /// The same for the texture list of several files together.
    pub(crate) fn of_files(paths: &[PathBuf], file: &File, sources: &TextureSources) -> Result<Self> {
        let list = file.texlist();
        let listed = || list.iter().flat_map(|list| &list.names);
        let names: Vec<String> = listed().map(|name| name.name_lossy().into_owned()).collect();
        let (palettes, files): (Vec<_>, Vec<_>) = sources
            .textures
            .iter()
            .partition(|source| has_extension(source, "pvp"));
        let textures = if files.is_empty() {
            beside(paths, &names)?
        } else {
            named(&files, &names)?
        };
        let banks = listed().map(ninja::TextureName::bank).collect();
        let found = Self {
            names,
            textures,
            banks,
            palettes: Vec::new(),
        };
        found.with_palettes(paths, &files, palettes, sources)
    }

    /// Textures that were read from `path` already, with the palettes that they need.
    pub(super) fn of_textures(
        path: &Path,
        names: Vec<String>,
        textures: Vec<Option<PvrTexture>>,
        sources: &TextureSources,
    ) -> Result<Self> {
        let (palettes, files): (Vec<_>, Vec<_>) = sources
            .textures
            .iter()
            .partition(|source| has_extension(source, "pvp"));
        if let Some(file) = files.first() {
            bail!("--textures {}: no effect on a texture", file.display());
        }
        let found = Self {
            names,
            textures,
            ..Self::default()
        };
        found.with_palettes(&[path.to_owned()], &files, palettes, sources)
    }

    /// The same with the palettes that its textures need; `given` are those among the sources of textures.
    fn with_palettes(
        mut self,
        paths: &[PathBuf],
        files: &[&PathBuf],
        given: Vec<&PathBuf>,
        sources: &TextureSources,
    ) -> Result<Self> {
        let is_known = self.textures.iter().all(Option::is_some);
        if !sources.palette.is_empty() && is_known && !self.textures.iter().flatten().any(is_paletted) {
            let name = paths
                .first()
                .map(|path| path.display().to_string())
                .unwrap_or_default();
            bail!("{name}: --palette has no effect: none of the textures has a palette");
        }
        let given: Vec<PathBuf> = given.into_iter().chain(&sources.palette).cloned().collect();
        let mut found = palettes_of(paths, files, &self.names, &self.textures)?;
        found.retain(|path| !given.contains(path));
        let count = found.len();
        let palettes: Vec<PathBuf> = found.into_iter().chain(given).collect();
        let read = |(i, path): (usize, &PathBuf)| {
            let name = path.display().to_string();
            let palette = read_pvp(&input::read(path)?).with_context(|| name.clone())?;
            let given = i >= count;
            Ok(NamedPalette { name, given, palette })
        };
        self.palettes = palettes.iter().enumerate().map(read).collect::<Result<_>>()?;
        Ok(self)
    }

    /// Names in the list that no file or archive has.
    pub(crate) fn missing(&self) -> Vec<String> {
        let listed = self.names.iter().zip(&self.textures);
        let missing = listed.filter(|(_, texture)| texture.is_none());
        missing.map(|(name, _)| name.clone()).collect()
    }
}

/// Textures of the given archives, files and folders.
fn named(sources: &[&PathBuf], names: &[String]) -> Result<Vec<Option<PvrTexture>>> {
    let mut found = vec![None; names.len()];
    for source in sources {
        if source.is_dir() {
            take_folder(source, found.iter_mut().zip(names))?;
        } else if has_extension(source, "pvm") {
            take_archive(source, names, &mut found)?;
        } else {
            let texture = read_texture(source)?;
            let stem = stem(source);
            match names.iter().position(|name| name.eq_ignore_ascii_case(&stem)) {
                Some(index) => found[index] = Some(texture),
                // A texture that the list does not name takes the first place that is free.
                None => match found.iter_mut().find(|slot| slot.is_none()) {
                    Some(slot) => *slot = Some(texture),
                    None => found.push(Some(texture)),
                },
            }
        }
    }
    Ok(found)
}

/// Textures that lie beside the files of a model.
fn beside(paths: &[PathBuf], names: &[String]) -> Result<Vec<Option<PvrTexture>>> {
    let mut found = vec![None; names.len()];
    for path in paths {
        if let Some(archive) = in_folder(folder(path), &stem(path), "pvm")? {
            take_archive(&archive, names, &mut found)?;
        }
    }
    for path in paths {
        let missing = found.iter_mut().zip(names).filter(|(slot, _)| slot.is_none());
        take_folder(folder(path), missing)?;
    }
    Ok(found)
}

/// A folder's textures for places of the list and their names.
fn take_folder<'a>(
    folder: &Path,
    places: impl Iterator<Item = (&'a mut Option<PvrTexture>, &'a String)>,
) -> Result<()> {
    for (slot, name) in places {
        if let Some(path) = in_folder(folder, name, "pvr")? {
            *slot = Some(read_texture(&path)?);
        }
    }
    Ok(())
}

/// An archive's textures: by name where it has names, by position where it has none or there is no texture
/// list.
fn take_archive(path: &Path, names: &[String], found: &mut Vec<Option<PvrTexture>>) -> Result<()> {
    let entries = read_pvm(&input::read(path)?).with_context(|| format!("{}", path.display()))?;
    place_entries(entries, names, found);
    Ok(())
}

/// Puts the textures of an archive into the places of a list.
pub(crate) fn place_entries(entries: Vec<PvmEntry>, names: &[String], found: &mut Vec<Option<PvrTexture>>) {
    found.resize(found.len().max(entries.len()), None);
    // The first place of each name.
    let mut places = HashMap::new();
    for (index, name) in names.iter().enumerate() {
        places.entry(name.to_ascii_lowercase()).or_insert(index);
    }
    for (index, PvmEntry { name, texture, .. }) in entries.into_iter().enumerate() {
        let by_name = name.and_then(|name| places.get(&name.to_ascii_lowercase()).copied());
        if let Some(slot) = found.get_mut(by_name.unwrap_or(index))
            && (by_name.is_some() || slot.is_none())
        {
            *slot = Some(texture);
        }
    }
}

fn read_texture(path: &Path) -> Result<PvrTexture> {
    read_pvr(&input::read(path)?).with_context(|| format!("{}", path.display()))
}

/// Palettes of the files' own names and of the names of paletted textures, beside the files and in the
/// folders among `sources`.
fn palettes_of(
    paths: &[PathBuf],
    sources: &[&PathBuf],
    names: &[String],
    textures: &[Option<PvrTexture>],
) -> Result<Vec<PathBuf>> {
    let needs = |texture: &Option<PvrTexture>| texture.as_ref().is_some_and(is_paletted);
    let needing = || names.iter().zip(textures).filter(|(_, texture)| needs(texture));
    if !textures.iter().any(needs) {
        return Ok(Vec::new());
    }
    let given = sources.iter().map(|source| source.as_path());
    let folders: Vec<&Path> = paths
        .iter()
        .map(|path| folder(path))
        .chain(given.filter(|source| source.is_dir()))
        .collect();
    let mut found: Vec<PathBuf> = Vec::new();
    for name in paths
        .iter()
        .map(|path| stem(path))
        .chain(needing().map(|(name, _)| name.clone()))
    {
        for folder in &folders {
            found.extend(in_folder(folder, &name, "pvp")?.filter(|path| !found.contains(path)));
        }
    }
    Ok(found)
}
