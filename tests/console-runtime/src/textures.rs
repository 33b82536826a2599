//! Compares the texture files that the console runtime reads with the results of the `pvr` crate.

use super::Counts;
use super::player::{LoadedPalette, LoadedTexture, PALETTE_WORDS, Player, UNTOUCHED};
use super::sources::TextureSource;
use anyhow::Result;
use pvr::container::{ContainerError, Palette, PvrTexture, read_pvm, read_pvp, read_pvr};

/// Reads every texture file with both readers and compares the results.
pub(super) fn compare(player: &mut Player, files: &[TextureSource], counts: &mut Counts) -> Result<()> {
    for file in files {
        let (expected, found) = (expected(&file.bytes), player.load_textures(&file.bytes)?);
        let problem = match (expected, found) {
            (Ok(expected), Ok(found)) => {
                counts.textures += found.len();
                different(&expected, &found)
            }
            (Err(_), Err(_)) => {
                counts.refused += 1;
                None
            }
            (Ok(_), Err(refusal)) => Some(format!("the console runtime refuses it: {refusal}")),
            (Err(error), Ok(_)) => Some(format!("the console runtime reads it: {error}")),
        };
        if let Some(problem) = problem {
            counts.differences += 1;
            println!("{}: {problem}", file.name);
        }
    }
    Ok(())
}

/// Reads every palette file with both readers and compares palette RAM.
pub(super) fn compare_palettes(
    player: &mut Player,
    files: &[TextureSource],
    counts: &mut Counts,
) -> Result<()> {
    for file in files {
        counts.palettes += 1;
        let expected = read_pvp(&file.bytes).and_then(|palette| loaded_palette(&palette));
        let found = player.load_palette(&file.bytes)?;
        let Some(expected) = super::both(expected, found.clone().map(|_| ()), &file.name, counts) else {
            continue;
        };
        if found.as_ref() != Ok(&expected) {
            counts.differences += 1;
            println!("{}: {found:x?}, expected {expected:x?}", file.name);
        }
    }
    Ok(())
}

fn loaded_palette(palette: &Palette) -> Result<LoadedPalette, ContainerError> {
    let mut ram = vec![UNTOUCHED; PALETTE_WORDS as usize];
    let first = palette.ram_index();
    for (word, entry) in ram.iter_mut().skip(first).zip(&palette.entries) {
        *word = *entry;
    }
    Ok(LoadedPalette {
        format: palette.format()? as u32,
        first: first as u32,
        count: palette.entries.len() as u32,
        ram,
    })
}

fn expected(bytes: &[u8]) -> Result<Vec<LoadedTexture>, ContainerError> {
    if !bytes.starts_with(b"PVMH") {
        return Ok(vec![loaded(&read_pvr(bytes)?, 0, None)]);
    }
    let entries = read_pvm(bytes)?.into_iter();
    let textures = entries.map(|entry| {
        let name = entry.name.is_some().then(|| entry.row.name.to_vec());
        loaded(&entry.texture, u32::from(entry.id), name)
    });
    Ok(textures.collect())
}

fn loaded(texture: &PvrTexture, number: u32, name: Option<Vec<u8>>) -> LoadedTexture {
    let bits = texture.tsp_size_bits();
    let word = texture.tcw(0, texture.palette_bank().unwrap_or(0));
    LoadedTexture {
        word: [word, 8 << (bits >> 3 & 7), 8 << (bits & 7)],
        size: [texture.width, texture.height],
        global_index: texture.global_index,
        number,
        name,
        data: texture.data.clone(),
    }
}

/// Describes the first texture that differs.
fn different(expected: &[LoadedTexture], found: &[LoadedTexture]) -> Option<String> {
    if expected.len() != found.len() {
        return Some(format!("{} textures, expected {}", found.len(), expected.len()));
    }
    let at = expected.iter().zip(found).position(|(a, b)| a != b)?;
    let head = |texture: &LoadedTexture| LoadedTexture {
        data: Vec::new(),
        ..texture.clone()
    };
    let (wanted, given) = (&expected[at], &found[at]);
    Some(format!(
        "texture {at} is {:?} with {} bytes, expected {:?} with {}",
        head(given),
        given.data.len(),
        head(wanted),
        wanted.data.len()
    ))
}
