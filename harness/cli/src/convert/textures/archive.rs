//! `swirl convert old.pvm new.pvm --replace NAME=PICTURE`: edits and lists archives.

use super::{
    Named, Options, encode, is_picture, kind, palette, read_fitting, read_image, read_textures, resize, stem,
};
use crate::input;
use anyhow::{Context, Result, anyhow, bail};
use pvr::container::{Leftover, Pvm, PvmEntry, PvrDataFormat, PvrPixelFormat, PvrTexture};
use pvr::texture::{LinearExpand, PixelFormat, Rgba, index_image};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Name of an entry, and the file with its new texture.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    name: String,
    file: PathBuf,
}

/// Parses `NAME=FILE` or `FILE`. In the second form, the entry's name is the file name without extension.
pub(super) fn change(text: &str) -> Result<Change, String> {
    let (name, file) = match text.split_once('=') {
        Some((name, file)) => (name.to_owned(), PathBuf::from(file)),
        None => (stem(Path::new(text)), PathBuf::from(text)),
    };
    match name.is_empty() || file.as_os_str().is_empty() {
        true => Err("expected NAME=FILE or FILE, such as skin=new.png".to_owned()),
        false => Ok(Change { name, file }),
    }
}

impl Options {
    /// Returns whether any option changes an archive's entries.
    pub(super) fn changes_entries(&self) -> bool {
        !(self.replace.is_empty() && self.add.is_empty() && self.remove.is_empty())
    }
}

/// Writes an archive with changed entries. Other entries keep their bytes, numbers and order.
pub(super) fn edit(inputs: &[&Path], output: &Path, options: &Options) -> Result<()> {
    let [input] = inputs else {
        bail!(
            "--replace, --add and --remove: {} inputs, expected one archive",
            inputs.len()
        );
    };
    if kind(input) != Some("pvm") || kind(output) != Some("pvm") {
        bail!(
            "{}: --replace, --add and --remove change an archive: expected a .pvm file as input and output",
            input.display()
        );
    }
    let name = || input.display().to_string();
    let archive = Pvm::read(&input::read(input)?).with_context(name)?;
    for warning in &archive.warnings {
        eprintln!("{}: warning: {warning}", name());
    }
    let mut entries = archive.entries.clone();
    let (index, mut removed) = (EntryIndex::of(&entries), BTreeSet::new());
    for name in &options.remove {
        removed.insert(index.find(&entries, &removed, name, input)?);
    }
    let mut position = 0..;
    entries.retain(|_| position.next().is_none_or(|at| !removed.contains(&at)));
    let (mut index, removed) = (EntryIndex::of(&entries), BTreeSet::new());
    for change in &options.replace {
        let at = index.find(&entries, &removed, &change.name, input)?;
        let texture = like(input, &entries[at].texture, &change.file, options)
            .with_context(|| change.file.display().to_string())?;
        entries[at].texture = texture;
    }
    let mut last_id = entries.iter().map(|entry| entry.id).max();
    let mut last_index = entries
        .iter()
        .filter_map(|entry| entry.texture.global_index)
        .max();
    for change in &options.add {
        if let Some(at) = index.named.get(&change.name.to_ascii_lowercase()) {
            let known = entries[at[0]].name.clone().unwrap_or_default();
            bail!(
                "{}: --add {}: the archive already has {known:?}",
                name(),
                change.name
            );
        }
        let id = last_id.map_or(0, |id| id.saturating_add(1));
        let next = last_index.map(|last| last.wrapping_add(1));
        let texture = added(next, change, output, options)?;
        last_id = Some(id);
        last_index = last_index.max(texture.global_index);
        let entry = PvmEntry::new(change.name.clone(), id, texture);
        index.add(entries.len(), &entry);
        entries.push(entry);
    }
    let made = archive
        .with_entries(entries)
        .with_context(|| output.display().to_string())?;
    super::finish(
        output,
        &made.write().with_context(|| output.display().to_string())?,
    )
}

/// Positions of entries by name without regard to case, and by number where they have no names.
#[derive(Default)]
struct EntryIndex {
    named: BTreeMap<String, Vec<usize>>,
    numbered: BTreeMap<u16, Vec<usize>>,
}

impl EntryIndex {
    fn of(entries: &[PvmEntry]) -> Self {
        let mut index = Self::default();
        for (at, entry) in entries.iter().enumerate() {
            index.add(at, entry);
        }
        index
    }

    fn add(&mut self, at: usize, entry: &PvmEntry) {
        match &entry.name {
            Some(name) => self.named.entry(name.to_ascii_lowercase()).or_default().push(at),
            None => self.numbered.entry(entry.id).or_default().push(at),
        }
    }

    /// Finds an entry by name, or by number if the archive has no names.
    fn find(
        &self,
        entries: &[PvmEntry],
        removed: &BTreeSet<usize>,
        name: &str,
        input: &Path,
    ) -> Result<usize> {
        let named = self.named.get(&name.to_ascii_lowercase());
        let number = name
            .parse()
            .ok()
            .and_then(|number: u16| self.numbered.get(&number));
        let places = named.into_iter().chain(number).flatten();
        let places: Vec<usize> = places.copied().filter(|at| !removed.contains(at)).collect();
        let left = || (0..entries.len()).filter(|at| !removed.contains(at));
        let known = || {
            let names = left().map(|at| match &entries[at].name {
                Some(name) => name.clone(),
                None => entries[at].id.to_string(),
            });
            names.collect::<Vec<_>>().join(", ")
        };
        match places[..] {
            [one] => Ok(one),
            [] => bail!(
                "{}: no texture {name:?}, expected one of {}",
                input.display(),
                known()
            ),
            _ => bail!(
                "{}: {} textures {name:?}, expected one",
                input.display(),
                places.len()
            ),
        }
    }
}

/// Creates a texture in the formats of an old one, with its global index and bank.
fn like(archive: &Path, old: &PvrTexture, file: &Path, options: &Options) -> Result<PvrTexture> {
    let made = match is_picture(file) {
        true => {
            let formats = (old.pixel_format, old.data_format);
            encoded((archive, file), read_image(file)?, formats, old.bank, options)?
        }
        false => one(file)?,
    };
    Ok(PvrTexture {
        global_index: old.global_index,
        bank: old.bank,
        ..made
    })
}

fn one(file: &Path) -> Result<PvrTexture> {
    if !matches!(kind(file), Some("pvr" | "dt" | "tex")) {
        bail!("expected a picture, a .pvr, .dt or .tex file");
    }
    let textures = read_textures(file)?;
    let first = textures.into_iter().next();
    first
        .map(|named| named.texture)
        .ok_or_else(|| anyhow!("no texture"))
}

/// Encodes a picture from `file` in the formats of an archive's texture. Searches the archive's folder for
/// the palette.
pub(super) fn encoded(
    (archive, file): (&Path, &Path),
    mut image: Rgba,
    (pixel_format, data_format): (PvrPixelFormat, PvrDataFormat),
    bank: Option<u32>,
    options: &Options,
) -> Result<PvrTexture> {
    if !data_format.is_linear() {
        image = resize::fitting(file, image, options)?;
    }
    let data_format = match (data_format, image.width == image.height) {
        (PvrDataFormat::Twiddled, false) => PvrDataFormat::TwiddledRectangle,
        (PvrDataFormat::TwiddledRectangle, true) => PvrDataFormat::Twiddled,
        (format, _) => format,
    };
    let Some(index) = data_format.palette_index() else {
        let prepared = encode::prepared(&image, pixel_format, options);
        return Ok(PvrTexture::from_image(&prepared, pixel_format, data_format)?);
    };
    let small = index == PixelFormat::Pal4;
    let found = palette::find(archive, options)?;
    let found = found.context("found no palette for the old texture, expected --palette FILE.pvp")?;
    let colours = found.colors(LinearExpand::Replicate);
    let size = if small { 16 } else { 256 };
    let bank = bank.filter(|bank| *bank < 64).unwrap_or(0) as usize;
    let first = (bank * 16 / size * size).saturating_sub(found.ram_index());
    let own = colours
        .get(first..)
        .filter(|own| !own.is_empty())
        .unwrap_or(&colours);
    let own = &own[..own.len().min(size)];
    let indexed = index_image(&image, own, small, options.dither, data_format.has_mipmaps())?;
    Ok(PvrTexture {
        global_index: None,
        bank: None,
        pixel_format,
        data_format,
        width: image.width,
        height: image.height,
        data: indexed.encode()?,
        rest: Leftover::default(),
        warnings: Vec::new(),
    })
}

/// Creates the texture of a new entry: encodes a picture by the options, or copies a texture. `next` is a
/// free global index.
fn added(next: Option<u32>, change: &Change, output: &Path, options: &Options) -> Result<PvrTexture> {
    let named = || change.file.display().to_string();
    let mut texture = match is_picture(&change.file) {
        true => {
            let image = read_fitting(&change.file, options)?;
            let made = encode::encode(vec![(change.name.clone(), image)], output, options)?;
            let first: Option<Named> = made.into_iter().next();
            first.with_context(named)?.texture
        }
        false => one(&change.file).with_context(named)?,
    };
    texture.global_index = options.global_index.or(texture.global_index).or(next);
    if let Some(bank) = options.bank {
        texture.bank = Some(bank.into());
    }
    Ok(texture)
}

/// Prints the entries of archives: number, name, global index, size, formats and bytes.
pub(super) fn list(inputs: &[&Path]) -> Result<()> {
    for input in inputs {
        if kind(input) != Some("pvm") {
            bail!("{}: --list: expected a .pvm archive", input.display());
        }
        let archive = Pvm::read(&input::read(input)?).with_context(|| input.display().to_string())?;
        println!(
            "{:>5}  {:<28} {:>10}  {:>9}  formats",
            "entry", "name", "index", "size"
        );
        for entry in &archive.entries {
            let PvrTexture {
                global_index,
                width,
                height,
                pixel_format,
                data_format,
                data,
                ..
            } = &entry.texture;
            let index = global_index.map_or("-".to_owned(), |index| index.to_string());
            println!(
                "{:>5}  {:<28} {index:>10}  {:>9}  {pixel_format:?} {data_format:?}, {} bytes",
                entry.id,
                entry.name.as_deref().unwrap_or("-"),
                format!("{width}x{height}"),
                data.len()
            );
        }
    }
    Ok(())
}

/// Rejects an archive in which two textures would have the same name.
pub(super) fn check_names(entries: &[PvmEntry], output: &Path) -> Result<()> {
    let mut known = std::collections::HashSet::new();
    for entry in entries {
        let name = entry.name.as_deref().unwrap_or_default();
        if !known.insert(name.to_ascii_lowercase()) {
            bail!(
                "{}: two textures have the name {name:?}, expected different names: rename one of the files",
                output.display()
            );
        }
    }
    Ok(())
}
