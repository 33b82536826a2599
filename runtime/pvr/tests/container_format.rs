//! Compares containers with bytes written by hand.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed unwrap in a helper is how its test fails"
)]

use pvr::container::{
    ContainerError, ContainerWarning, Palette, Pvm, PvmEntry, PvrDataFormat, PvrPixelFormat, PvrTexture,
    read_pvm, read_pvp, read_pvr, small_codebook_codes, write_pvm, write_pvp, write_pvr,
};
use pvr::texture::{PixelFormat, Rgba, encode_indices};

fn pvrt(pixel: u8, data: u8, width: u16, height: u16, body: &[u8]) -> Vec<u8> {
    let mut out = b"PVRT".to_vec();
    out.extend((body.len() as u32 + 8).to_le_bytes());
    out.extend([pixel, data, 0, 0]);
    out.extend(width.to_le_bytes());
    out.extend(height.to_le_bytes());
    out.extend(body);
    out
}

fn counting(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i * 7 + i / 256) as u8).collect()
}

#[test]
fn a_texture_with_global_index_and_bank() {
    let body = counting(128);
    let mut file = b"GBIX\x08\0\0\0\x44\x33\x22\x11\x05\0\0\0".to_vec();
    file.extend(pvrt(2, 1, 8, 8, &[&body[..], &[0; 16]].concat()));
    let texture = read_pvr(&file).unwrap();
    assert_eq!(
        (texture.global_index, texture.bank, texture.palette_bank()),
        (Some(0x1122_3344), Some(5), Some(5))
    );
    assert_eq!(
        (texture.pixel_format, texture.data_format),
        (PvrPixelFormat::Argb4444, PvrDataFormat::Twiddled)
    );
    assert_eq!((texture.width, texture.height, &texture.data), (8, 8, &body));
    assert_eq!(texture.rest.padding, [0; 16]);
    assert_eq!(texture.warnings, []);
    assert_eq!(write_pvr(&texture).unwrap(), file);
    // Byte pairs 0x0700, 0x150e (x 0, y 1) and so on: ARGB4444 of the second row's first texel.
    assert_eq!(texture.decode(None).unwrap().texels[8], 0x1155_00EE);
}

#[test]
fn variants_of_the_global_index() {
    let tail = pvrt(1, 9, 8, 1, &[0; 16]);
    let read = |head: &[u8]| read_pvr(&[head, &tail[..]].concat()).unwrap();
    let none = read(b"");
    assert_eq!((none.global_index, none.bank), (None, None));
    let short = read(b"GBIX\x04\0\0\0\x07\0\0\0");
    assert_eq!(
        (short.global_index, short.bank, short.warnings.len()),
        (Some(7), None, 0)
    );
    // The bank field contains spaces: no bank.
    let spaces = read(b"GBIX\x08\0\0\0\x07\0\0\0    ");
    assert_eq!(spaces.palette_bank(), None);
    assert_eq!(
        spaces.warnings,
        [ContainerWarning::Bank {
            offset: 12,
            found: 0x2020_2020
        }]
    );
    // More than eight bytes are kept; padding before PVRT is skipped.
    let long = b"GBIX\x0C\0\0\0\x07\0\0\0\x01\0\0\0\xAA\xBB\xCC\xDD";
    let texture = read(long);
    assert_eq!(texture.rest.gbix, [0xAA, 0xBB, 0xCC, 0xDD]);
    assert_eq!(write_pvr(&texture).unwrap(), [&long[..], &tail[..]].concat());
    let gap = read(b"GBIX\x04\0\0\0\x07\0\0\0\0\0\0\0");
    assert_eq!(
        gap.warnings,
        [ContainerWarning::Gap {
            offset: 12,
            length: 4
        }]
    );
    // Other chunks before the texture are skipped by their size.
    assert_eq!(read(b"COMM\x04\0\0\0abcd").warnings, []);
}

#[test]
fn type_2_leaves_out_two_texels_and_type_12_none() {
    // 8x8 with levels: texels 3 (1x1), 4..8 (2x2), 8..24 (4x4), 24..88.
    let memory: Vec<u8> = (0..88u16).flat_map(u16::to_le_bytes).collect();
    let dma = read_pvr(&pvrt(4, 0x12, 8, 8, &memory)).unwrap();
    let file = pvrt(4, 2, 8, 8, &memory[4..]);
    let plain = read_pvr(&file).unwrap();
    assert_eq!(plain.data[..4], [0; 4]);
    assert_eq!(plain.data[4..], memory[4..]);
    assert_eq!(plain.decode(None).unwrap(), dma.decode(None).unwrap());
    assert_eq!(write_pvr(&plain).unwrap(), file);
    let decoded = dma.decode(None).unwrap();
    assert_eq!(
        decoded.levels.iter().map(|l| l.texels[0]).collect::<Vec<_>>(),
        [8, 4, 3]
    );
    assert_eq!(decoded.texels[..3], [24, 26, 32]);
}

#[test]
fn small_codebooks_grow_to_full_size() {
    let table = [
        (8, false, 16),
        (16, false, 16),
        (32, false, 32),
        (64, false, 128),
        (128, false, 256),
    ];
    for (side, mipmaps, codes) in table
        .into_iter()
        .chain([(16, true, 16), (32, true, 64), (64, true, 256)])
    {
        assert_eq!(small_codebook_codes(side, mipmaps), codes, "{side} {mipmaps}");
    }
    let body = counting(32 * 8 + 256);
    let file = pvrt(1, 0x10, 32, 32, &body);
    let texture = read_pvr(&file).unwrap();
    assert_eq!(texture.data.len(), 2048 + 256);
    assert_eq!(texture.data[..256], body[..256]);
    assert!(texture.data[256..2048].iter().all(|&b| b == 0));
    assert_eq!(texture.data[2048..], body[256..]);
    assert_eq!(write_pvr(&texture).unwrap(), file);
    // With levels: 64 codes, then 1 + 1 + 4 + 16 + 64 + 256 indices.
    let file = pvrt(1, 0x11, 32, 32, &counting(64 * 8 + 342));
    assert_eq!(write_pvr(&read_pvr(&file).unwrap()).unwrap(), file);
}

/// (pixel, data, width, height, bytes in the file, TCW at 0x123458 with selector 21, TSP size bits, stride)
type ControlWordCase = (u8, u8, u16, u16, usize, u32, u32, Option<u32>);

#[test]
fn control_words() {
    let address = 0x12_3458 >> 3;
    let selector = 21 << 21;
    let table: [ControlWordCase; 12] = [
        (0, 0x01, 8, 8, 128, address, 0o00, None),
        (
            1,
            0x02,
            16,
            16,
            2 * (0x58 + 256) - 4,
            1 << 31 | 1 << 27 | address,
            0o11,
            None,
        ),
        (
            2,
            0x03,
            64,
            64,
            2048 + 1024,
            1 << 30 | 2 << 27 | address,
            0o33,
            None,
        ),
        (
            3,
            0x04,
            32,
            32,
            2048 + 342,
            1 << 31 | 1 << 30 | 3 << 27 | address,
            0o22,
            None,
        ),
        (1, 0x05, 1024, 8, 4096, 5 << 27 | selector | address, 0o70, None),
        (
            1,
            0x06,
            8,
            8,
            44,
            1 << 31 | 5 << 27 | selector | address,
            0o00,
            None,
        ),
        (2, 0x07, 8, 512, 4096, 6 << 27 | selector | address, 0o06, None),
        (
            2,
            0x08,
            8,
            8,
            88,
            1 << 31 | 6 << 27 | selector | address,
            0o00,
            None,
        ),
        (1, 0x09, 256, 100, 51200, 1 << 27 | 1 << 26 | address, 0o54, None),
        (
            1,
            0x0B,
            640,
            480,
            614_400,
            1 << 27 | 3 << 25 | address,
            0o76,
            Some(640),
        ),
        (4, 0x0D, 128, 32, 8192, 4 << 27 | address, 0o42, None),
        (0, 0x10, 16, 16, 192, 1 << 30 | address, 0o11, None),
    ];
    for (pixel, data, width, height, length, tcw, size, stride) in table {
        let texture = read_pvr(&pvrt(pixel, data, width, height, &counting(length))).unwrap();
        assert_eq!(texture.rest.padding, [], "{data:#x}");
        assert_eq!(texture.tcw(0x12_3458, 21), tcw, "{data:#x}");
        assert_eq!(texture.tsp_size_bits(), size, "{data:#x}");
        assert_eq!(texture.stride(), stride, "{data:#x}");
        // The words describe the same layout.
        let layout = pvr::texture::layout_of(
            pvr::TextureWord(tcw),
            pvr::TspWord(size),
            stride.unwrap_or(0) / 32,
        );
        let own = texture.layout().unwrap();
        assert_eq!(
            (layout.format, layout.vq, layout.mipmapped),
            (own.format, own.vq, own.mipmapped),
            "{data:#x}"
        );
        assert_eq!(
            (layout.twiddled, layout.stride),
            (own.twiddled, own.stride),
            "{data:#x}"
        );
    }
}

#[test]
fn images_become_files_of_every_kind() {
    let colors = Rgba {
        width: 32,
        height: 32,
        texels: (0..1024)
            .map(|i| 0xFF00_0000 | (i / 32 * 8) << 16 | (i % 4 * 64))
            .collect(),
    };
    let pixel = PvrPixelFormat::Rgb565;
    for format in PvrDataFormat::ALL {
        let made = PvrTexture::from_image(&colors, pixel, format);
        if format.palette_index().is_some() {
            assert!(made.is_err(), "{format:?}");
            continue;
        }
        let file = write_pvr(&made.unwrap()).unwrap();
        let texture = read_pvr(&file).unwrap();
        assert_eq!((texture.data_format, texture.rest.padding.len()), (format, 0));
        let decoded = texture.decode(None).unwrap();
        // 128 distinct quads or fewer are exact except for the five bits, but not with 32 codes.
        let bound = if format == PvrDataFormat::SmallVq { 64 } else { 8 };
        for (a, b) in decoded.texels.iter().zip(&colors.texels) {
            assert!(
                (a >> 16 & 255).abs_diff(b >> 16 & 255) <= bound,
                "{format:?} {a:x} {b:x}"
            );
        }
    }
}

#[test]
fn palettes_and_banks() {
    let mut file = b"PVPL\x48\0\0\0\x06\0\x02\0\x04\0\x10\0".to_vec();
    (0..16u32).for_each(|i| file.extend((0xFF00_0000 | i).to_le_bytes()));
    let palette = read_pvp(&file).unwrap();
    assert_eq!(
        (
            palette.bank,
            palette.first_entry,
            palette.ram_index(),
            palette.entries.len()
        ),
        (2, 4, 36, 16)
    );
    assert_eq!(palette.entries[3], 0xFF00_0003);
    assert_eq!(write_pvp(&palette).unwrap(), file);

    // A palette of 64 entries from bank 2 on. A texture with bank 3 uses its second quarter; one with bank 9
    // uses the first.
    let wide = Palette {
        bank: 2,
        first_entry: 0,
        entries: (0..64).map(|i| 0xFF00_0000 | i).collect(),
        pixel_format: PvrPixelFormat::Argb8888,
        ..Palette::grey(2)
    };
    let data = encode_indices(&[5; 64], 8, 8, PixelFormat::Pal4).unwrap();
    let mut texture = read_pvr(&pvrt(2, 5, 8, 8, &data)).unwrap();
    for (bank, first) in [(None, 5), (Some(3), 21), (Some(9), 5), (Some(2), 5), (Some(1), 5)] {
        texture.bank = bank;
        assert_eq!(
            texture.decode(Some(&wide)).unwrap().texels[0],
            0xFF00_0000 | first,
            "{bank:?}"
        );
    }
    assert_eq!(
        texture.decode(None).unwrap_err(),
        ContainerError::NoPalette { expected: 16 }
    );
    assert_eq!(Palette::grey(16).entries[5], 0xFF55_5555);
}

fn entry(name: &str, id: u16, global_index: u32) -> PvmEntry {
    let mut texture = read_pvr(&pvrt(1, 0x0D, 32, 8, &counting(512))).unwrap();
    texture.global_index = Some(global_index);
    PvmEntry::new(name, id, texture)
}

#[test]
fn an_archive_laid_out_by_hand() {
    let written = write_pvm(&[entry("front", 0, 77), entry("back", 1, 78)]).unwrap();
    let mut file = b"PVMH\x68\0\0\0\x0F\x01\x02\0".to_vec();
    for (id, name, index) in [(0u16, "front", 77u32), (1, "back", 78)] {
        file.extend(id.to_le_bytes());
        file.extend(name.as_bytes());
        file.extend(vec![0; 28 - name.len()]);
        // RGB565, twiddled rectangle; width 32 = 3, height 8 = 1.
        file.extend([1, 0x0D, 0x13, 0]);
        file.extend(index.to_le_bytes());
    }
    // The table ends at 88; the first texture's data start at 128.
    file.resize(112, 0);
    file.extend(pvrt(1, 0x0D, 32, 8, &[counting(512), vec![0; 16]].concat()));
    file.extend(pvrt(1, 0x0D, 32, 8, &counting(512)));
    assert_eq!(written, file);
    let entries = read_pvm(&file).unwrap();
    assert_eq!(
        entries.iter().map(|e| e.name.as_deref()).collect::<Vec<_>>(),
        [Some("front"), Some("back")]
    );
    assert_eq!(entries[1].texture.global_index, Some(78));
    assert!(entries.iter().all(|e| e.texture.warnings.is_empty()));
}

/// An archive with only numbers in its table.
fn bare_archive(count: u16, chunks: &[u8]) -> Vec<u8> {
    let mut file = b"PVMH".to_vec();
    file.extend((4 + 2 * u32::from(count)).to_le_bytes());
    file.extend([0, 1]);
    file.extend(count.to_le_bytes());
    (0..count).for_each(|i| file.extend(i.to_le_bytes()));
    file.extend(chunks);
    file
}

#[test]
fn textures_of_an_archive_are_found_in_spite_of_its_faults() {
    let texture = pvrt(1, 9, 8, 1, &counting(16));
    let gbix = b"GBIX\x08\0\0\0\x63\0\0\0\0\0\0\0";
    let mut too_long = texture.clone();
    too_long[4] += 8;
    let mut far_too_long = texture.clone();
    far_too_long[6] = 1;
    let cases: [(&str, Vec<u8>, usize); 7] = [
        ("packed", [&texture[..], &texture].concat(), 0),
        ("own GBIX", [&gbix[..], &texture, gbix, &texture].concat(), 0),
        (
            "zeros between",
            [&[0; 5], &texture[..], &[0; 27], &texture, &[0; 9]].concat(),
            0,
        ),
        (
            "other chunks",
            [
                b"COMM\x03\0\0\0abc",
                &texture[..],
                b"IMGC\x04\0\0\0PVRT",
                &texture,
            ]
            .concat(),
            0,
        ),
        (
            "garbage between",
            [&texture[..], &[1, 2, 3, 4, 5], &texture].concat(),
            1,
        ),
        ("header counted twice", [&too_long[..], &too_long].concat(), 2),
        ("size beyond the file", [&far_too_long[..], &texture].concat(), 2),
    ];
    for (name, chunks, warnings) in cases {
        let archive = Pvm::read(&bare_archive(2, &chunks)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(archive.entries.len(), 2, "{name}");
        let found = archive.warnings.len()
            + archive
                .entries
                .iter()
                .map(|e| e.texture.warnings.len())
                .sum::<usize>();
        assert_eq!(found, warnings, "{name}: {archive:?}");
        for entry in &archive.entries {
            assert_eq!(entry.texture.data, counting(16), "{name}");
            assert_eq!(
                entry.texture.global_index,
                (name == "own GBIX").then_some(0x63),
                "{name}"
            );
            assert_eq!(entry.name, None);
        }
    }
    let chunks = [
        b"COMM\x03\0\0\0abc",
        &texture[..],
        gbix,
        &texture,
        b"PVPL\0\0\0\0",
    ]
    .concat();
    let file = bare_archive(2, &chunks);
    assert_eq!(Pvm::read(&file).unwrap().write().unwrap(), file);
}

/// A global index without a texture gives a warning. Bytes after the last texture must not read as another
/// one.
#[test]
fn a_global_index_at_the_end_belongs_to_no_texture() {
    let gbix = b"GBIX\x08\0\0\0\x63\0\0\0\0\0\0\0";
    let texture = pvrt(1, 9, 8, 1, &[&counting(16)[..], b"PVRT"].concat());
    let file = bare_archive(1, &[&texture[..], gbix].concat());
    let archive = Pvm::read(&file).unwrap();
    assert_eq!(archive.entries.len(), 1);
    let gap = ContainerWarning::Gap {
        offset: file.len() - 16,
        length: 16,
    };
    assert_eq!(archive.warnings, [gap]);
    let error = archive.write().unwrap_err().to_string();
    assert!(error.contains("padding of the last texture"), "{error}");
}

#[test]
fn tables_that_disagree_with_the_textures() {
    let texture = pvrt(1, 9, 8, 1, &counting(16));
    let error = Pvm::read(&bare_archive(3, &[&texture[..], &texture].concat())).unwrap_err();
    assert_eq!(
        error,
        ContainerError::EntryCount {
            offset: 82,
            found: 2,
            expected: 3
        }
    );
    let archive = Pvm::read(&bare_archive(1, &[&texture[..], &texture].concat())).unwrap();
    assert_eq!(
        archive.entries[1].texture.warnings,
        [ContainerWarning::ExtraTexture {
            offset: 46,
            expected: 1
        }]
    );
    let error = Pvm::read(&bare_archive(1, &pvrt(6, 1, 8, 8, &[0; 128]))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "archive entry 0 (\"\"): offset 0x16: pixel format 0x06 (ARGB8888, YUV420) is only for palettes and source data, \
         expected 0 to 4 for a texture that is not paletted"
    );
    // The size byte says 64x64; formats and global index differ, too.
    let mut file = write_pvm(&[entry("a", 0, 1)]).unwrap();
    file[43] = 2;
    file[44] = 0x44;
    let archive = Pvm::read(&file).unwrap();
    let text: Vec<String> = archive.entries[0]
        .texture
        .warnings
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        text,
        [
            "offset 0x50: the archive's table says formats [01, 02], the texture [01, 0d]",
            "offset 0x50: the archive's table says size 64x64, the texture 32x8"
        ]
    );
}
