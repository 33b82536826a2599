//! The manifest in a folder of pictures from an archive. It stores the order, names, global indices and
//! formats of the archive's textures.

use super::{Named, Options, archive, read_image};
use crate::{input, output};
use anyhow::{Context, Result, bail};
use pvr::container::{PvrDataFormat, PvrPixelFormat, PvrTexture};
use serde::{Deserialize, Serialize};
use std::path::{Component, Path};

/// File name of the manifest.
const FILE: &str = "textures.json";

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    textures: Vec<Row>,
}

/// A texture of the archive. Formats are the numbers in its PVRT header.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    file: String,
    pixel_format: u8,
    data_format: u8,
    global_index: Option<u32>,
    bank: Option<u32>,
}

impl Manifest {
    /// Adds a texture with the picture `file`.
    pub(super) fn add(&mut self, name: &str, file: &str, texture: &PvrTexture) {
        self.textures.push(Row {
            name: name.to_owned(),
            file: file.to_owned(),
            pixel_format: texture.pixel_format.code(),
            data_format: texture.data_format as u8,
            global_index: texture.global_index,
            bank: texture.bank,
        });
    }

    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        output::write(&folder.join(FILE), text.as_bytes())
    }
}

/// Returns whether a folder has a manifest.
pub(super) fn is_in(folder: &Path) -> bool {
    folder.join(FILE).is_file()
}

/// Reads the textures of a folder, in the formats of their original archive.
pub(super) fn read(folder: &Path, options: &Options) -> Result<Vec<Named>> {
    let path = folder.join(FILE);
    let named = || path.display().to_string();
    let manifest: Manifest = serde_json::from_str(&input::read_text(&path)?).with_context(named)?;
    let texture = |row: Row| {
        let is_plain = Path::new(&row.file)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        if !is_plain {
            bail!(
                "{}: found the file {:?}, expected one in the folder",
                named(),
                row.file
            );
        }
        let Ok(data_format) = PvrDataFormat::from_code(row.data_format) else {
            bail!("{}: {}: found data format {}", named(), row.name, row.data_format);
        };
        let file = folder.join(&row.file);
        let image = read_image(&file)?;
        let formats = (PvrPixelFormat::from_code(row.pixel_format), data_format);
        let made = archive::encoded((folder, &file), image, formats, row.bank, options)
            .with_context(|| file.display().to_string())?;
        Ok(Named {
            name: row.name,
            texture: PvrTexture {
                global_index: row.global_index,
                bank: row.bank,
                ..made
            },
        })
    };
    manifest.textures.into_iter().map(texture).collect()
}
