//! Decodes every texture, palette and archive of the shared corpus, rewrites it byte for byte, and draws it
//! on a contact sheet.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed unwrap in a helper is how its test fails"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use pvr::container::{Palette, Pvm, PvrTexture, read_pvp, read_pvr, write_pvp, write_pvr};
use pvr::texture::Texture;

#[derive(Default)]
struct Tally {
    files: usize,
    textures: usize,
    formats: BTreeMap<String, usize>,
    sheet: Vec<Texture>,
}

impl Tally {
    fn texture(&mut self, name: &str, texture: &PvrTexture, palette: &Palette) {
        assert_eq!(texture.warnings, [], "{name}");
        let decoded = texture
            .decode(Some(palette))
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(
            decoded.texels.len(),
            (texture.width * texture.height) as usize,
            "{name}"
        );
        let levels = if texture.data_format.has_mipmaps() {
            texture.width.ilog2() as usize
        } else {
            0
        };
        assert_eq!(decoded.levels.len(), levels, "{name}");
        if levels > 0 {
            assert_levels_resemble(name, &decoded);
        }
        self.textures += 1;
        *self
            .formats
            .entry(format!("{:?} {:?}", texture.pixel_format, texture.data_format))
            .or_default() += 1;
        self.sheet.push(decoded);
    }
}

/// Mean colour of a level, channel by channel.
fn mean(texels: &[u32]) -> [f64; 3] {
    [16, 8, 0].map(|s| texels.iter().map(|t| f64::from(t >> s & 255)).sum::<f64>() / texels.len() as f64)
}

/// Compares mean colours: a smaller level at a wrong offset would contain other data, and its mean would
/// differ from level 0.
fn assert_levels_resemble(name: &str, texture: &Texture) {
    let whole = mean(&texture.texels);
    for level in texture.levels.iter().filter(|level| level.width >= 4) {
        for (a, b) in mean(&level.texels).into_iter().zip(whole) {
            assert!(
                (a - b).abs() < 24.0,
                "{name}: level {} has mean {a}, level 0 {b}",
                level.width
            );
        }
    }
}

#[test]
fn corpus_textures_decode_and_rewrite_exactly() {
    let root = corpus::folder("");
    if !root.is_dir() {
        corpus::absent("textures");
        return;
    }
    let mut tally = Tally::default();
    let palettes: Vec<Palette> = corpus::files(&root.join("textures"), &["pvp"])
        .iter()
        .map(|path| {
            let bytes = fs::read(path).unwrap();
            let palette = read_pvp(&bytes).unwrap();
            assert_eq!(palette.warnings, []);
            assert_eq!(write_pvp(&palette).unwrap(), bytes, "{}", path.display());
            palette
        })
        .collect();
    let palette = palettes.first().cloned().unwrap_or_else(|| Palette::grey(256));
    for path in corpus::files(&root.join("textures"), &["pvr"]) {
        let name = path.display().to_string();
        let bytes = fs::read(&path).unwrap();
        let texture = read_pvr(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(write_pvr(&texture).unwrap(), bytes, "{name}");
        tally.texture(&name, &texture, &palette);
        tally.files += 1;
    }
    for path in corpus::files(&root, &["pvm"]) {
        let name = path.display().to_string();
        let bytes = fs::read(&path).unwrap();
        let archive = Pvm::read(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(archive.warnings, [], "{name}");
        assert!(archive.write().unwrap() == bytes, "{name} changes when rewritten");
        for (i, entry) in archive.entries.iter().enumerate() {
            assert_eq!(usize::from(entry.id), i, "{name}");
            assert!(
                entry.name.as_ref().is_some_and(|n| !n.is_empty()),
                "{name} entry {i} has no name"
            );
            tally.texture(&format!("{name} {:?}", entry.name), &entry.texture, &palette);
        }
        tally.files += 1;
    }
    println!(
        "{} files, {} palettes, {} textures",
        tally.files,
        palettes.len(),
        tally.textures
    );
    tally
        .formats
        .iter()
        .for_each(|(format, count)| println!("{count:5} {format}"));
    let sheet = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contact-sheet.ppm");
    fs::write(&sheet, contact_sheet(&tally.sheet)).unwrap();
    println!("contact sheet: {}", sheet.display());
}

/// Draws all textures in cells of 64x64 as a PPM, over a chequered ground that shows alpha.
fn contact_sheet(textures: &[Texture]) -> Vec<u8> {
    const CELL: usize = 64;
    const COLUMNS: usize = 24;
    let (width, height) = (CELL * COLUMNS, CELL * textures.len().div_ceil(COLUMNS));
    let mut rgb = vec![0u8; width * height * 3];
    for (i, texture) in textures.iter().enumerate() {
        let (w, h) = (texture.width as usize, texture.height as usize);
        let side = w.max(h);
        for y in 0..CELL {
            for x in 0..CELL {
                let (u, v) = (x * side / (CELL - 2), y * side / (CELL - 2));
                if u >= w || v >= h {
                    continue;
                }
                let c = texture.texels[v * w + u];
                let ground = if (x / 8 + y / 8) % 2 == 0 { 96 } else { 160 };
                let at = ((i / COLUMNS * CELL + y) * width + i % COLUMNS * CELL + x) * 3;
                for (k, shift) in [16, 8, 0].into_iter().enumerate() {
                    rgb[at + k] = (((c >> shift & 255) * (c >> 24) + ground * (255 - (c >> 24))) / 255) as u8;
                }
            }
        }
    }
    [format!("P6 {width} {height} 255\n").into_bytes(), rgb].concat()
}
