//! Variants of texture files written by other programs, and images in every layout.

#![allow(
    clippy::unwrap_used,
    reason = "a failed unwrap in a helper is how its test fails"
)]

use pvr::container::{PvrDataFormat, PvrPixelFormat, PvrTexture, read_pvr, write_pvr};

/// White and black stay unchanged in every layout of every colour format.
#[test]
fn pictures_keep_white_and_black_in_every_format_and_layout() {
    use pvr::container::PvrDataFormat as Data;
    let layouts = Data::ALL
        .into_iter()
        .filter(|layout| layout.palette_index().is_none());
    for layout in layouts {
        let (width, height) = match layout {
            Data::Stride => (96, 8),
            Data::Rectangle | Data::TwiddledRectangle => (16, 8),
            _ => (16, 16),
        };
        let texels = (0..width * height).map(|i| match i / 2 % 2 {
            0 => u32::MAX,
            _ => 0xFF00_0000,
        });
        let image = pvr::texture::Rgba {
            width,
            height,
            texels: texels.collect(),
        };
        for format in [
            PvrPixelFormat::Argb1555,
            PvrPixelFormat::Rgb565,
            PvrPixelFormat::Argb4444,
            PvrPixelFormat::Yuv422,
        ] {
            let texture = PvrTexture::from_image(&image, format, layout).unwrap();
            let decoded = texture.decode(None).unwrap();
            assert_eq!(decoded.texels, image.texels, "{format:?} {layout:?}");
        }
    }
}

/// docs/formats/cell-sprite.md 5: a GBIX chunk has 8 bytes; the second word is the bank or 0. Short and empty
/// chunks of other writers are kept.
#[test]
fn global_indices_have_eight_bytes_and_other_forms_stay() {
    let image = pvr::texture::Rgba {
        width: 8,
        height: 8,
        texels: vec![u32::MAX; 64],
    };
    let plain = PvrTexture::from_image(&image, PvrPixelFormat::Rgb565, PvrDataFormat::Twiddled).unwrap();
    let bare = write_pvr(&plain).unwrap();
    let indexed = write_pvr(&PvrTexture {
        global_index: Some(7),
        ..plain
    })
    .unwrap();
    let head = |size: u8, words: &[u32]| {
        let mut head = b"GBIX".to_vec();
        head.extend([size, 0, 0, 0]);
        words.iter().for_each(|word| head.extend(word.to_le_bytes()));
        head
    };
    assert_eq!(indexed, [head(8, &[7, 0]), bare.clone()].concat());
    for (gbix, index) in [(head(8, &[7, 2]), 7), (head(4, &[7]), 7), (head(0, &[0, 0]), 0)] {
        let file = [gbix, bare.clone()].concat();
        let read = read_pvr(&file).unwrap();
        assert_eq!(read.global_index, Some(index));
        assert_eq!(write_pvr(&read).unwrap(), file);
    }
    assert!(read_pvr(&[head(0, &[1, 0]), bare].concat()).is_err());
}

/// Header of KallistiOS's `pvrtex`, by hand: a 16x16 texture of 565, twiddled.
#[test]
fn textures_of_kallistios_are_read_and_written() {
    use pvr::container::{PvrDataFormat as Data, read_kos, write_dt};
    let texels = 0..256_u32;
    let image = pvr::texture::Rgba {
        width: 16,
        height: 16,
        texels: texels.map(|i| 0xFF00_0000 | (i * 0x01_0101)).collect(),
    };
    for layout in Data::ALL
        .into_iter()
        .filter(|layout| layout.palette_index().is_none())
    {
        let image = match layout {
            Data::Stride => pvr::texture::Rgba {
                width: 96,
                height: 4,
                texels: vec![0xFF80_4020; 384],
            },
            _ => image.clone(),
        };
        let texture = PvrTexture::from_image(&image, PvrPixelFormat::Rgb565, layout).unwrap();
        let file = write_dt(&texture).unwrap();
        assert_eq!(file.len() % 32, 0);
        let read = read_kos(&file).unwrap();
        assert_eq!(read.data, texture.data, "{layout:?}");
        assert_eq!(read.decode(None).unwrap(), texture.decode(None).unwrap());
        assert!(read_kos(&file[..file.len() - 1]).is_err());
    }
    let plain = PvrTexture::from_image(&image, PvrPixelFormat::Rgb565, Data::Twiddled).unwrap();
    let mut header = b"DcTx".to_vec();
    header.extend((32 + 512_u32).to_le_bytes());
    header.extend([0, 0, 0, 0, 16, 0, 16, 0]);
    // Pixel format 1 in bits 29-27, width / 32 is 0, both sides are 8 << 1.
    header.extend((1_u32 << 27 | 1 << 3 | 1).to_le_bytes());
    header.resize(32, 0);
    let file = [header, plain.data.clone()].concat();
    assert_eq!(write_dt(&plain).unwrap(), file);
    // A small codebook contains the last codes.
    let vq = PvrTexture::from_image(&image, PvrPixelFormat::Rgb565, Data::Vq).unwrap();
    let mut small = write_dt(&vq).unwrap();
    small[10] = 15;
    small.drain(32..32 + 240 * 8);
    let size = small.len() as u32;
    small[4..8].copy_from_slice(&size.to_le_bytes());
    let read = read_kos(&small).unwrap();
    assert_eq!(read.data[..240 * 8], [0; 240 * 8]);
    assert_eq!(read.data[240 * 8..], vq.data[240 * 8..]);
    // A .tex file has the same bytes after a header of 16.
    let mut tex = b"DTEX".to_vec();
    tex.extend([16, 0, 16, 0]);
    tex.extend((1_u32 << 27).to_le_bytes());
    tex.extend(512_u32.to_le_bytes());
    tex.extend(&plain.data);
    assert_eq!(read_kos(&tex).unwrap().data, plain.data);
}
