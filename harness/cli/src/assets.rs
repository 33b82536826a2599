//! Models and their textures, from files.

use anyhow::{Context, Result, anyhow, bail};
use ninja::File;
use pvr::container::{PvmEntry, PvrTexture, read_pvm, read_pvr};
use std::path::{Path, PathBuf};

/// Larger files are no Dreamcast models.
const MAX_FILE: u64 = 256 << 20;

/// A model file and what its texture list could be matched with.
pub(crate) struct Model {
    /// The file.
    pub(crate) file: File,
    /// By texture number; what was not found is `None`.
    pub(crate) textures: Vec<Option<PvrTexture>>,
}

/// Reads a whole file.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let name = path.display();
    let size = std::fs::metadata(path).with_context(|| format!("{name}"))?.len();
    if size > MAX_FILE {
        bail!("{name}: {size} bytes, expected at most {MAX_FILE}");
    }
    std::fs::read(path).with_context(|| format!("{name}"))
}

/// Reads a model, binary or ASCII.
pub(crate) fn read_model(path: &Path) -> Result<File> {
    parse_model(path, &read(path)?)
}

/// Parses a model that was read from `path` and warns of what is unusual in it.
pub(crate) fn parse_model(path: &Path, bytes: &[u8]) -> Result<File> {
    Ok(parse(path, bytes, &ninja::ascii::Settings::default())?.file)
}

/// A Ninja file, binary or ASCII.
pub(crate) struct Parsed {
    pub(crate) file: File,
    /// What was unusual in it, which has been told already.
    pub(crate) warnings: Vec<String>,
    /// For ASCII files, for which library's macros they were written.
    pub(crate) dialect: Option<ninja::ascii::Dialect>,
}

/// Parses a file that was read from `path` and warns of what is unusual in it. Whether it is text is told by its bytes.
pub(crate) fn parse(path: &Path, bytes: &[u8], settings: &ninja::ascii::Settings) -> Result<Parsed> {
    let name = path.display();
    let parsed = if ninja::ascii::is_text(bytes) {
        // Places in texts are written file:line:column, as compilers do.
        let text = ninja::ascii::read_with(bytes, settings).map_err(|e| anyhow!("{name}:{e}"))?;
        let warnings: Vec<String> = text.warnings.iter().map(ToString::to_string).collect();
        for (warning, message) in text.warnings.iter().zip(&warnings) {
            let message = message
                .strip_prefix(&format!("{}: ", warning.place))
                .unwrap_or(message);
            eprintln!("{name}:{}: warning: {message}", warning.place);
        }
        Parsed {
            file: text.file,
            warnings,
            dialect: Some(text.dialect),
        }
    } else {
        let file = ninja::read(bytes).with_context(|| format!("{name}"))?;
        for warning in &file.warnings {
            eprintln!("{name}: warning: {warning}");
        }
        Parsed {
            warnings: file.warnings.iter().map(ToString::to_string).collect(),
            file,
            dialect: None,
        }
    };
    Ok(parsed)
}

/// Reads a model with the textures in `sources`, or, if there are none, those beside it: an archive of its own name and
/// files named as its texture list says.
pub(crate) fn load(path: &Path, sources: &[PathBuf]) -> Result<Model> {
    let file = read_model(path)?;
    let textures = textures(path, &file, sources)?;
    Ok(Model { file, textures })
}

/// The textures of the model at `path` by number, likewise.
pub(crate) fn textures(path: &Path, file: &File, sources: &[PathBuf]) -> Result<Vec<Option<PvrTexture>>> {
    let names: Vec<String> = file
        .texlist()
        .map(|list| {
            list.names
                .iter()
                .map(|name| name.name_lossy().into_owned())
                .collect()
        })
        .unwrap_or_default();
    match sources.is_empty() {
        true => beside(path, &names),
        false => named(sources, &names),
    }
}

/// Textures of the given archives, files and folders.
fn named(sources: &[PathBuf], names: &[String]) -> Result<Vec<Option<PvrTexture>>> {
    let mut found = vec![None; names.len()];
    for source in sources {
        if source.is_dir() {
            for (slot, name) in found.iter_mut().zip(names) {
                if let Some(path) = in_folder(source, name, "pvr")? {
                    *slot = Some(read_texture(&path)?);
                }
            }
        } else if has_extension(source, "pvm") {
            take_archive(source, names, &mut found)?;
        } else {
            let texture = read_texture(source)?;
            let stem = source
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
                .unwrap_or_default();
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

/// Textures that lie beside the model.
fn beside(model: &Path, names: &[String]) -> Result<Vec<Option<PvrTexture>>> {
    let mut found = vec![None; names.len()];
    let folder = model
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let stem = model
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    if let Some(archive) = in_folder(folder, &stem, "pvm")? {
        take_archive(&archive, names, &mut found)?;
    }
    for (slot, name) in found.iter_mut().zip(names).filter(|(slot, _)| slot.is_none()) {
        if let Some(path) = in_folder(folder, name, "pvr")? {
            *slot = Some(read_texture(&path)?);
        }
    }
    Ok(found)
}

/// An archive's textures: by name where it has names, by position where it has none or there is no texture list.
fn take_archive(path: &Path, names: &[String], found: &mut Vec<Option<PvrTexture>>) -> Result<()> {
    let entries = read_pvm(&read(path)?).with_context(|| format!("{}", path.display()))?;
    found.resize(found.len().max(entries.len()), None);
    for (index, PvmEntry { name, texture, .. }) in entries.into_iter().enumerate() {
        let by_name =
            name.and_then(|name| names.iter().position(|wanted| wanted.eq_ignore_ascii_case(&name)));
        if let Some(slot) = found.get_mut(by_name.unwrap_or(index))
            && (by_name.is_some() || slot.is_none())
        {
            *slot = Some(texture);
        }
    }
    Ok(())
}

fn read_texture(path: &Path) -> Result<PvrTexture> {
    read_pvr(&read(path)?).with_context(|| format!("{}", path.display()))
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// The file `stem.extension` of a folder, in any case.
pub(crate) fn in_folder(folder: &Path, stem: &str, extension: &str) -> Result<Option<PathBuf>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("{}", folder.display()))?;
    let mut matching: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| has_extension(path, extension))
        .filter(|path| {
            path.file_stem()
                .is_some_and(|found| found.to_string_lossy().eq_ignore_ascii_case(stem))
        })
        .collect();
    // Folders list in any order; the result must not depend on it.
    matching.sort();
    Ok(matching.into_iter().next())
}
