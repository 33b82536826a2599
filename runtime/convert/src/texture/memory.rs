//! Reduces textures until they fit into video memory.

use std::collections::BinaryHeap;

use pvr::container::PvrTexture;
use pvr::texture::Rgba;

use super::{Entry, resized};
use crate::error::Warnings;
use crate::options::Options;

/// Alignment of a texture in bytes.
const ALIGN: usize = 32;

/// Smallest side of a texture.
const LEAST: u32 = 8;

/// Returns the bytes of video memory that a texture takes.
pub(super) fn bytes(entry: &Entry) -> usize {
    let data = entry.texture.as_ref().map_or(0, |texture| texture.data.len());
    data.next_multiple_of(ALIGN)
}

/// Halves textures, largest first, until all fit and no side exceeds the limit.
pub(super) fn fit(entries: &mut [Entry], options: &Options, warnings: &mut Warnings) {
    let mut shrunk = Vec::new();
    for entry in entries.iter_mut() {
        let longest = |texture: &PvrTexture| texture.width.max(texture.height);
        while entry
            .texture
            .as_ref()
            .is_some_and(|t| longest(t) > options.max_texture)
            && halve(entry)
        {
            shrunk.push(entry.name.clone());
        }
    }
    let mut total: usize = entries.iter().map(bytes).sum();
    if total == 0 {
        return;
    }
    let most = options.texture_bytes.unwrap_or(usize::MAX);
    let before = total;
    let mut largest: BinaryHeap<(usize, usize)> =
        (0..).zip(entries.iter()).map(|(i, e)| (bytes(e), i)).collect();
    while total > most
        && let Some((size, at)) = largest.pop()
    {
        if halve(&mut entries[at]) {
            shrunk.push(entries[at].name.clone());
            let now = bytes(&entries[at]);
            total = total - size + now;
            largest.push((now, at));
        }
    }
    shrunk.sort_unstable();
    shrunk.dedup();
    if !shrunk.is_empty() {
        let names = shrunk.join(", ");
        let vram = options.texture_bytes.map(|most| format!(", --vram {most}"));
        warnings.notice(format!(
            "textures are scaled down to fit (--max-texture {}{}): from {before} to {total} bytes: {names}",
            options.max_texture,
            vram.unwrap_or_default()
        ));
    }
    if total > most {
        warnings.add(
            "",
            format!("the textures take {total} bytes of video memory, but only {most} are free"),
        );
    }
}

/// Halves the sides of a texture. Returns false if it has the minimum size or a palette.
fn halve(entry: &mut Entry) -> bool {
    let Some(texture) = &entry.texture else {
        return false;
    };
    let [width, height] = [texture.width, texture.height].map(|side| (side / 2).max(LEAST.min(side)));
    if (width, height) == (texture.width, texture.height) {
        return false;
    }
    let Ok(image) = texture.decode(None) else {
        return false;
    };
    let image = resized(&Rgba::from(image), width, height);
    let made = PvrTexture::from_image(&image, texture.pixel_format, texture.data_format);
    let Ok(made) = made else {
        return false;
    };
    entry.texture = Some(PvrTexture {
        global_index: texture.global_index,
        bank: texture.bank,
        ..made
    });
    true
}
