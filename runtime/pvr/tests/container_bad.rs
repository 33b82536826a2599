//! Bad input: every prefix and seeded mutations of small files of every kind. The reader may return errors,
//! but must not panic or hang.

#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a helper is how its test fails"
)]

use pvr::container::{
    ContainerError, Palette, Pvm, PvmEntry, PvrDataFormat, PvrPixelFormat, PvrTexture, read_pvm, read_pvp,
    read_pvr, write_pvm, write_pvp, write_pvr,
};
use pvr::texture::{PixelFormat, Rgba, encode_indices};

/// A small `.pvr` of every data format.
fn textures() -> Vec<PvrTexture> {
    let image = Rgba {
        width: 8,
        height: 8,
        texels: (0..64).map(|i| i * 0x0403_0201).collect(),
    };
    PvrDataFormat::ALL
        .into_iter()
        .map(|format| {
            let mut texture = match format.palette_index() {
                None if format == PvrDataFormat::Stride => {
                    let image = Rgba {
                        width: 96,
                        height: 1,
                        texels: vec![7; 96],
                    };
                    PvrTexture::from_image(&image, PvrPixelFormat::Yuv422, format).unwrap()
                }
                None => PvrTexture::from_image(&image, PvrPixelFormat::Argb4444, format).unwrap(),
                Some(index) => paletted(index, format),
            };
            texture.global_index = Some(format as u32);
            texture.bank = Some(0);
            texture
        })
        .collect()
}

fn paletted(index: PixelFormat, format: PvrDataFormat) -> PvrTexture {
    let level = encode_indices(&[3; 64], 8, 8, index).unwrap();
    let levels = if format.has_mipmaps() {
        0x18 * index.bits_per_texel() / 8
    } else {
        0
    };
    let template = Rgba {
        width: 8,
        height: 8,
        texels: vec![0; 64],
    };
    let mut texture =
        PvrTexture::from_image(&template, PvrPixelFormat::Rgb565, PvrDataFormat::Twiddled).unwrap();
    texture.data_format = format;
    texture.data = [vec![0; levels], level].concat();
    texture
}

fn samples() -> Vec<Vec<u8>> {
    let mut files: Vec<Vec<u8>> = textures().iter().map(|t| write_pvr(t).unwrap()).collect();
    files.push(
        write_pvp(&Palette {
            bank: 1,
            ..Palette::grey(16)
        })
        .unwrap(),
    );
    let entries: Vec<PvmEntry> = (0u16..)
        .zip(textures())
        .map(|(id, t)| PvmEntry::new(format!("texture{id}"), id, t))
        .collect();
    files.push(write_pvm(&entries).unwrap());
    files
}

/// Reads a file in every format; decodes and rewrites it if a reader accepts it.
fn try_all(bytes: &[u8]) -> usize {
    let palette = Palette::grey(256);
    let mut read = 0;
    let mut textures = Vec::new();
    if let Ok(texture) = read_pvr(bytes) {
        textures.push(texture);
    }
    if let Ok(archive) = Pvm::read(bytes) {
        archive.write().unwrap();
        textures.extend(archive.entries.into_iter().map(|entry| entry.texture));
    }
    if let Ok(palette) = read_pvp(bytes) {
        write_pvp(&palette).unwrap();
        read += 1;
    }
    for texture in textures {
        assert!(
            texture.data.len() <= bytes.len() + 2048,
            "more memory than the file accounts for"
        );
        let again = read_pvr(&write_pvr(&texture).unwrap()).unwrap();
        assert_eq!(
            (&again.data, again.width, again.height),
            (&texture.data, texture.width, texture.height)
        );
        let _ = texture.tcw(0, 0);
        let _ = texture.tsp_size_bits();
        texture.decode(Some(&palette)).unwrap();
        read += 1;
    }
    read
}

#[test]
fn every_prefix_is_an_error_or_complete() {
    let mut prefixes = 0;
    for file in samples() {
        assert!(try_all(&file) > 0);
        for length in 0..file.len() {
            let read = try_all(&file[..length]);
            // No sample has padding after its last texture, so every prefix is incomplete.
            assert_eq!(read, 0, "prefix of {length} of {} bytes", file.len());
            prefixes += 1;
        }
    }
    println!("{prefixes} prefixes");
}

#[test]
fn mutated_files_never_panic() {
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut random = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % limit
    };
    let (mut cases, mut readable) = (0, 0);
    for file in samples() {
        for _ in 0..1500 {
            let mut bytes = file.clone();
            for _ in 0..=random(4) {
                // Headers are most important: half of the mutations change them.
                let limit = if random(2) == 0 {
                    bytes.len().min(48)
                } else {
                    bytes.len()
                };
                let at = random(limit);
                bytes[at] = [random(256) as u8, 0, 0xFF, bytes[at] ^ 1 << random(8)][random(4)];
            }
            cases += 1;
            readable += try_all(&bytes).min(1);
        }
    }
    println!("{cases} mutated files, {readable} of them still readable");
    assert!(
        readable > cases / 20 && readable < cases,
        "{readable} of {cases}: mutations test nothing"
    );
}

#[test]
fn random_bytes_after_a_magic_never_panic() {
    let mut state = 1u32;
    for magic in [&b"GBIX"[..], b"PVRT", b"PVMH", b"PVPL", b"PVRTPVRT", b"COMM"] {
        for length in 0..600 {
            let mut bytes = magic.to_vec();
            for _ in 0..length % 97 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                bytes.push((state >> 24) as u8 & [0xFF, 0x0F, 0x03][length % 3]);
            }
            try_all(&bytes);
        }
    }
}

#[test]
fn errors_name_place_found_and_expected() {
    let header = |pixel: u8, data: u8, width: u16, height: u16, size: u32| {
        let mut file = b"PVRT".to_vec();
        file.extend(size.to_le_bytes());
        file.extend([pixel, data, 0, 0]);
        file.extend([width.to_le_bytes(), height.to_le_bytes()].concat());
        file.extend([0; 128]);
        file
    };
    let table = [
        (Vec::new(), "offset 0x0: texture, expected 4 bytes, found 0"),
        (
            b"GBIX\x08\0\0\0abcd".to_vec(),
            "offset 0x8: GBIX body, expected 8 bytes, found 4",
        ),
        (
            b"GBIX\x02\0\0\0abPVRT".to_vec(),
            "offset 0x8: GBIX body, expected 4 bytes, found 2",
        ),
        (
            b"RIFFxxxx".to_vec(),
            "offset 0x0: texture starts with \"RIFF\", expected \"PVRT\"",
        ),
        (
            b"\0\xFF\n!".to_vec(),
            "offset 0x0: texture starts with \"\\x00\\xff\\n!\", expected \"PVRT\"",
        ),
        (
            header(5, 1, 8, 8, 136),
            "offset 0x8: pixel format 0x05 (RGB555) is a PC format, expected 0 to 4 for",
        ),
        (
            header(0x80, 1, 8, 8, 136),
            "offset 0x8: pixel format 0x80 (DXT) belongs to later PC ports, expected",
        ),
        (
            header(1, 0x0E, 8, 8, 136),
            "offset 0x9: data format 0x0e (bitmap of 32-bit texels) is not a texture of the chip",
        ),
        (
            header(1, 0x0A, 8, 8, 136),
            "offset 0x9: data format 0x0a (rectangle with mip levels) has no agreed layout",
        ),
        (
            header(1, 0x13, 8, 8, 136),
            "offset 0x9: data format 0x13 is unknown, expected 1..=9, 0x0b",
        ),
        (
            header(1, 1, 12, 8, 136),
            "offset 0xc: size 12x8, expected powers of two up to 1024",
        ),
        (
            header(1, 1, 0, 8, 136),
            "offset 0xc: size 0x8, expected powers of two",
        ),
        (
            header(1, 2, 8, 16, 136),
            "offset 0xc: size 8x16, expected a square with a side of 8, 16",
        ),
        (
            header(1, 2, 4, 4, 136),
            "offset 0xc: size 4x4, expected a square with a side of 8, 16",
        ),
        (
            header(1, 0x10, 16, 8, 136),
            "offset 0xc: size 16x8, expected a square for small VQ",
        ),
        (
            header(1, 9, 100, 8, 136),
            "offset 0xc: size 100x8, expected a width that is a power of two or a multiple of 32",
        ),
        (
            header(1, 1, 16, 8, 136),
            "offset 0x10: texture data, expected 256 bytes, found 128",
        ),
        (
            header(1, 1, 8, 8, 135),
            "offset 0x10: texture data, expected 128 bytes, found 127",
        ),
        (
            header(1, 1, 1024, 1024, 0xFFFF_FFFF),
            "offset 0x10: texture data, expected 2097152 bytes, found 128",
        ),
    ];
    for (file, expected) in table {
        let error = read_pvr(&file).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}\n{expected}");
    }
    let palette =
        |code: u8, count: u8| [&b"PVPL\x0C\0\0\0"[..], &[code, 0, 0, 0, 0, 0, count, 0], &[0; 4]].concat();
    let error = read_pvp(&palette(3, 2)).unwrap_err().to_string();
    assert_eq!(
        error,
        "offset 0x8: pixel format 0x03 is no format of palettes, expected 0, 1, 2, 6 or 7"
    );
    let error = read_pvp(&palette(6, 2)).unwrap_err().to_string();
    assert_eq!(error, "offset 0x10: palette entries, expected 8 bytes, found 4");
    let error = read_pvm(b"PVMH\x04\0\0\0\x0F\0\x02\0").unwrap_err().to_string();
    assert_eq!(error, "offset 0xc: archive table row, expected 2 bytes, found 0");
    let error = read_pvm(b"PVMH\xFF\0\0\0\x0F\0\x02\0").unwrap_err().to_string();
    assert_eq!(error, "offset 0x8: PVMH body, expected 255 bytes, found 4");
}

#[test]
fn what_cannot_be_written_is_an_error() {
    let mut texture = textures().remove(0);
    texture.data.pop();
    assert_eq!(
        write_pvr(&texture).unwrap_err().to_string(),
        "cannot write texture data: 127 bytes, expected 128 bytes"
    );
    let long = PvmEntry::new("a name of twenty-nine letters", 0, textures().remove(0));
    assert!(matches!(
        write_pvm(&[long]),
        Err(ContainerError::Unwritable {
            what: "archive entry name",
            ..
        })
    ));
    let wide = Palette {
        pixel_format: PvrPixelFormat::Rgb565,
        ..Palette::grey(2)
    };
    assert!(matches!(
        write_pvp(&wide),
        Err(ContainerError::Unwritable {
            what: "palette entry",
            ..
        })
    ));
}
