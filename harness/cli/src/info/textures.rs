//! `swirl info` for textures, archives and palettes.

use crate::exit::ExitStatus;
use crate::input::stem;
use crate::plural::plural;
use anyhow::{Context, Result};
use player::Input;
use pvr::container::{Palette, PvrTexture, read_kos, read_pvm, read_pvp, read_pvr};
use serde_json::{Value, json};
use std::path::Path;

/// Prints sizes and formats. With `tree`, also prints mip levels and palette entries.
pub(super) fn run(path: &Path, bytes: &[u8], input: Input, as_json: bool, tree: bool) -> Result<ExitStatus> {
    let name = path.display().to_string();
    let (textures, palettes) = read(path, bytes, input).with_context(|| name.clone())?;
    if as_json {
        let textures: Vec<Value> = textures
            .iter()
            .map(|(name, texture)| texture_value(name, texture))
            .collect();
        let palettes: Vec<Value> = palettes.iter().map(palette_value).collect();
        let value = json!({ "file": name, "bytes": bytes.len(), "textures": textures, "palettes": palettes });
        println!("{}", serde_json::to_string_pretty(&value)?);
        return Ok(ExitStatus::Done);
    }
    println!("{name}: {} bytes", bytes.len());
    let of_palettes = palettes.iter().flat_map(|palette| &palette.warnings);
    for warning in textures
        .iter()
        .flat_map(|(_, texture)| &texture.warnings)
        .chain(of_palettes)
    {
        eprintln!("{name}: warning: {warning}");
    }
    for (name, texture) in &textures {
        println!("{:<16} {name}: {}", "texture", texture_text(texture));
        if tree {
            levels(texture).for_each(|level| println!("  {level}"));
        }
    }
    for palette in &palettes {
        println!("{:<16} {}", "palette", palette_text(palette));
        if tree {
            let entries = palette.entries.iter().zip(palette.first_entry..);
            entries.for_each(|(entry, n)| println!("  entry {n}: {entry:X}"));
        }
    }
    Ok(ExitStatus::Done)
}

type Contents = (Vec<(String, PvrTexture)>, Vec<Palette>);

fn read(path: &Path, bytes: &[u8], input: Input) -> Result<Contents> {
    match input {
        Input::Palette => Ok((Vec::new(), vec![read_pvp(bytes)?])),
        Input::Texture => Ok((vec![(stem(path), read_pvr(bytes)?)], Vec::new())),
        Input::KosTexture => Ok((vec![(stem(path), read_kos(bytes)?)], Vec::new())),
        _ => {
            let entries = read_pvm(bytes)?.into_iter();
            let named =
                entries.map(|entry| (entry.name.unwrap_or_else(|| entry.id.to_string()), entry.texture));
            Ok((named.collect(), Vec::new()))
        }
    }
}

/// Describes size, formats, bytes and numbers of a texture.
pub(crate) fn texture_text(texture: &PvrTexture) -> String {
    let PvrTexture {
        width,
        height,
        pixel_format,
        data_format,
        ..
    } = texture;
    let index = texture
        .global_index
        .map_or(String::new(), |index| format!(", global index {index}"));
    let bank = texture
        .palette_bank()
        .map_or(String::new(), |bank| format!(", palette bank {bank}"));
    let bytes = texture.data.len();
    let levels = match levels(texture).count() {
        1 => String::new(),
        levels => format!(", {levels} mip levels"),
    };
    format!("{width}x{height}, {pixel_format:?}, {data_format:?}{levels}, {bytes} bytes{index}{bank}")
}

/// Returns the sizes of the mip levels, largest first.
fn levels(texture: &PvrTexture) -> impl Iterator<Item = String> {
    let (width, height) = (texture.width, texture.height);
    let last = if texture.data_format.has_mipmaps() {
        width.max(1).ilog2()
    } else {
        0
    };
    (0..=last).map(move |n| format!("level {n}: {}x{}", (width >> n).max(1), (height >> n).max(1)))
}

fn palette_text(palette: &Palette) -> String {
    let Palette {
        pixel_format,
        bank,
        first_entry,
        entries,
        ..
    } = palette;
    let entries = plural(entries.len(), "entry");
    format!("{pixel_format:?}, {entries} from entry {first_entry} of bank {bank} on")
}

fn texture_value(name: &str, texture: &PvrTexture) -> Value {
    json!({
        "name": name,
        "width": texture.width,
        "height": texture.height,
        "pixel_format": format!("{:?}", texture.pixel_format),
        "data_format": format!("{:?}", texture.data_format),
        "mipmaps": texture.data_format.has_mipmaps(),
        "data_bytes": texture.data.len(),
        "global_index": texture.global_index,
        "palette_bank": texture.palette_bank(),
    })
}

fn palette_value(palette: &Palette) -> Value {
    json!({
        "pixel_format": format!("{:?}", palette.pixel_format),
        "bank": palette.bank,
        "first_entry": palette.first_entry,
        "entries": palette.entries,
    })
}
