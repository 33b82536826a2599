//! Compares decoding with values and orders computed by hand.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed unwrap in a helper is how its test fails"
)]

use pvr::texture::{
    LinearExpand, PixelFormat, TextureError, TextureLayout, TextureSettings, VqPalette, decode_bytes,
    layout_of, twiddled_offset,
};
use pvr::{TextureWord, TspWord};

fn layout(format: PixelFormat, twiddled: bool, width: u32, height: u32) -> TextureLayout {
    TextureLayout {
        twiddled,
        ..TextureLayout::twiddled(format, width, height)
    }
}

fn bytes(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

fn expanding(linear_expand: LinearExpand) -> TextureSettings {
    TextureSettings {
        linear_expand,
        ..TextureSettings::default()
    }
}

/// The texels of level 0.
fn texels(data: &[u8], layout: TextureLayout, settings: &TextureSettings) -> Vec<u32> {
    decode_bytes(data, &layout, &[], settings).unwrap().texels
}

#[test]
fn sixteen_bit_formats_widen_as_the_switch_says() {
    // (format, word, repeated, zero filled)
    let table = [
        (PixelFormat::Argb1555, 0x8000, 0xFF00_0000, 0xFF00_0000),
        (PixelFormat::Argb1555, 0x7FFF, 0x00FF_FFFF, 0x00F8_F8F8),
        (PixelFormat::Argb1555, 0xC210, 0xFF84_8484, 0xFF80_8080),
        (PixelFormat::Argb1555, 0x0401, 0x0008_0008, 0x0008_0008),
        (PixelFormat::Rgb565, 0xFFFF, 0xFFFF_FFFF, 0xFFF8_FCF8),
        (PixelFormat::Rgb565, 0x8410, 0xFF84_8284, 0xFF80_8080),
        (PixelFormat::Rgb565, 0x0801, 0xFF08_0008, 0xFF08_0008),
        (PixelFormat::Argb4444, 0x1234, 0x1122_3344, 0x1020_3040),
        (PixelFormat::Argb4444, 0xF0A5, 0xFF00_AA55, 0xF000_A050),
        (PixelFormat::Bump, 0xB4C3, 0x0000_B4C3, 0x0000_B4C3),
    ];
    for (format, word, repeated, zeros) in table {
        for twiddled in [false, true] {
            let layout = layout(format, twiddled, 1, 1);
            let by_layout = if twiddled { repeated } else { zeros };
            for (expand, expected) in [
                (LinearExpand::ByLayout, by_layout),
                (LinearExpand::Replicate, repeated),
                (LinearExpand::Zero, zeros),
            ] {
                let found = texels(&bytes(&[word]), layout, &expanding(expand));
                assert_eq!(
                    found,
                    [expected],
                    "{format:?} {word:#x} {expand:?} twiddled {twiddled}"
                );
            }
        }
    }
}

#[test]
fn twiddled_order_of_squares_and_rectangles() {
    // Row by row: the offset of each texel.
    let square = [0, 2, 8, 10, 1, 3, 9, 11, 4, 6, 12, 14, 5, 7, 13, 15];
    let wide = [0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15];
    let tall = [0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15];
    for (width, height, order) in [(4, 4, square), (8, 2, wide), (2, 8, tall)] {
        let computed: Vec<u32> = (0..16)
            .map(|i| twiddled_offset(i % width, i / width, width, height))
            .collect();
        assert_eq!(computed, order, "{width}x{height}");
        let words: Vec<u16> = (0..16).collect();
        let decoded = texels(
            &bytes(&words),
            layout(PixelFormat::Bump, true, width, height),
            &Default::default(),
        );
        assert_eq!(decoded, order, "{width}x{height}");
    }
    // Single points of larger textures: 10 interleaved bits, then squares in a row.
    assert_eq!(twiddled_offset(1023, 0, 1024, 1024), 0xA_AAAA);
    assert_eq!(twiddled_offset(0, 1023, 1024, 1024), 0x5_5555);
    assert_eq!(twiddled_offset(32, 0, 128, 32), 1024);
    assert_eq!(twiddled_offset(127, 31, 128, 32), 4095);
    assert_eq!(twiddled_offset(5, 70, 32, 128), 2 * 1024 + 0b11_0110);
}

#[test]
fn rows_of_a_linear_texture_follow_at_the_stride() {
    let words: Vec<u16> = (0..35).collect();
    let strided = TextureLayout {
        stride: 32,
        ..layout(PixelFormat::Bump, false, 3, 2)
    };
    assert_eq!(strided.byte_len(&TextureSettings::default()), 70);
    assert_eq!(
        texels(&bytes(&words), strided, &Default::default()),
        [0, 1, 2, 32, 33, 34]
    );
    let packed = layout(PixelFormat::Bump, false, 3, 2);
    assert_eq!(
        texels(&bytes(&words), packed, &Default::default()),
        [0, 1, 2, 3, 4, 5]
    );
    // A stride register of zero repeats the first row.
    let zero = TextureLayout { stride: 0, ..packed };
    assert_eq!(
        texels(&bytes(&words), zero, &Default::default()),
        [0, 1, 2, 0, 1, 2]
    );
}

// Y 100, U 90, V 160: R = 100 + 32*11/8 = 144, G = 100 - (-38*11 + 32*22)/32 = 92, B = 100 - 38*110/64 = 35
// (truncated). Y 200 with the same U and V: 244, 192, 135. Grey at U = V = 128. Both ends are clamped.
#[test]
fn yuv_pairs_linear_and_twiddled() {
    let linear = [
        90, 100, 160, 200, 128, 7, 128, 250, 255, 128, 255, 0, 0, 128, 0, 255,
    ];
    let expected = [
        0xFF90_5C23,
        0xFFF4_C087,
        0xFF07_0707,
        0xFFFA_FAFA,
        0xFFFF_00FF, // 128 + 174, 128 - 130, 128 + 218
        0xFFAE_00DA, // 174, -130, 218
        0xFF00_FF00, // 128 - 176, 128 + 132, 128 - 220
        0xFF4F_FF23, // 255 - 176, 255 + 132, 255 - 220
    ];
    let format = PixelFormat::Yuv422;
    assert_eq!(
        texels(&linear, layout(format, false, 4, 2), &Default::default()),
        expected
    );
    // One quad: U of each row in the left column, V in the right one; the rows have different colours.
    let quad = bytes(&[100 << 8 | 90, 7 << 8 | 128, 200 << 8 | 160, 250 << 8 | 128]);
    let decoded = texels(&quad, layout(format, true, 2, 2), &Default::default());
    assert_eq!(decoded, [0xFF90_5C23, 0xFFF4_C087, 0xFF07_0707, 0xFFFA_FAFA]);
}

#[test]
fn palette_indices_of_four_and_eight_bits() {
    let palette: Vec<u32> = (0..256).map(|i| 0x0100_0000 * i).collect();
    let colors = |indices: &[u32]| indices.iter().map(|i| i << 24).collect::<Vec<u32>>();
    let four = layout(PixelFormat::Pal4, true, 2, 2);
    let decoded = decode_bytes(&[0x21, 0x43], &four, &palette, &Default::default()).unwrap();
    assert_eq!(decoded.texels, colors(&[1, 3, 2, 4]));
    let eight = layout(PixelFormat::Pal8, true, 2, 2);
    let decoded = decode_bytes(&[9, 200, 255, 0], &eight, &palette, &Default::default()).unwrap();
    assert_eq!(decoded.texels, colors(&[9, 255, 200, 0]));
    let error = decode_bytes(&[9, 200, 255, 0], &eight, &palette[..16], &Default::default());
    assert_eq!(
        error.unwrap_err(),
        TextureError::Palette {
            found: 16,
            expected: 256
        }
    );
}

/// A codebook in which code `c` contains the words 4c, 4c+1, 4c+2, 4c+3.
fn counting_codebook() -> Vec<u8> {
    (0..1024u16).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn vq_codes_are_quads_in_twiddled_order() {
    let data = [counting_codebook(), vec![1, 2, 3, 255]].concat();
    let vq = TextureLayout {
        vq: true,
        ..layout(PixelFormat::Bump, true, 4, 4)
    };
    let expected = [4, 6, 12, 14, 5, 7, 13, 15, 8, 10, 1020, 1022, 9, 11, 1021, 1023];
    assert_eq!(texels(&data, vq, &Default::default()), expected);
    // Linear: a code is four texels of a row.
    let linear = TextureLayout {
        vq: true,
        ..layout(PixelFormat::Bump, false, 8, 2)
    };
    let expected = [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 1020, 1021, 1022, 1023];
    assert_eq!(texels(&data, linear, &Default::default()), expected);
}

#[test]
fn vq_with_a_palette_uses_all_eight_bytes_of_a_code() {
    let palette: Vec<u32> = (0..256).collect();
    let mut data = vec![0; 2048];
    data[8..16].copy_from_slice(&[0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE]);
    data.extend([1, 0]);
    let vq = |format, width, height| TextureLayout {
        vq: true,
        ..layout(format, true, width, height)
    };
    let decode = |layout: TextureLayout, settings: &TextureSettings| {
        decode_bytes(&data, &layout, &palette, settings).unwrap().texels
    };
    let whole = TextureSettings::default();
    // Eight texels: two wide, four high.
    let pal8 = vq(PixelFormat::Pal8, 2, 4);
    assert_eq!(pal8.byte_len(&whole), 2049);
    assert_eq!(
        decode(pal8, &whole),
        [0x10, 0x54, 0x32, 0x76, 0x98, 0xDC, 0xBA, 0xFE]
    );
    // Sixteen texels: the 4x4 order.
    let pal4 = vq(PixelFormat::Pal4, 4, 4);
    assert_eq!(pal4.byte_len(&whole), 2049);
    assert_eq!(
        decode(pal4, &whole),
        [0, 2, 8, 10, 1, 3, 9, 11, 4, 6, 12, 14, 5, 7, 13, 15]
    );
    let quad = TextureSettings {
        vq_palette: VqPalette::Quad,
        ..whole
    };
    assert_eq!(pal8.byte_len(&quad), 2050);
    assert_eq!(decode(pal8, &quad), [0x10, 0x54, 0x32, 0x76, 0, 0, 0, 0]);
}

#[test]
fn mip_levels_lie_smallest_first() {
    let offsets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].map(TextureLayout::mip_offset);
    assert_eq!(
        offsets,
        [
            3, 4, 8, 0x18, 0x58, 0x158, 0x558, 0x1558, 0x5558, 0x15558, 0x55558
        ]
    );

    let words: Vec<u16> = (0..24).collect();
    let mipmapped = TextureLayout {
        mipmapped: true,
        ..layout(PixelFormat::Bump, true, 4, 4)
    };
    let decoded = decode_bytes(&bytes(&words), &mipmapped, &[], &Default::default()).unwrap();
    assert_eq!(decoded.texels[..5], [8, 10, 16, 18, 9]);
    assert_eq!(
        decoded
            .levels
            .iter()
            .map(|l| (l.width, l.height))
            .collect::<Vec<_>>(),
        [(2, 2), (1, 1)]
    );
    assert_eq!(decoded.levels[0].texels, [4, 6, 5, 7]);
    assert_eq!(decoded.levels[1].texels, [3]);

    // VQ: one byte for 1x1 (the code's last texel), one for 2x2, four for 4x4.
    let vq = TextureLayout {
        vq: true,
        ..mipmapped
    };
    let data = [counting_codebook(), vec![10, 20, 30, 31, 32, 33]].concat();
    let decoded = decode_bytes(&data, &vq, &[], &Default::default()).unwrap();
    assert_eq!(decoded.texels[..4], [120, 122, 128, 130]);
    assert_eq!(decoded.levels[0].texels, [80, 82, 81, 83]);
    assert_eq!(decoded.levels[1].texels, [43]);

    // Four-bit indices: 1x1 in the upper half of the second byte.
    let pal4 = TextureLayout {
        mipmapped: true,
        ..layout(PixelFormat::Pal4, true, 2, 2)
    };
    let palette: Vec<u32> = (0..16).collect();
    let decoded = decode_bytes(&[0xFF, 0x5F, 0x21, 0x43], &pal4, &palette, &Default::default()).unwrap();
    assert_eq!(
        (decoded.texels, decoded.levels[0].texels.clone()),
        (vec![1, 3, 2, 4], vec![5])
    );
}

#[test]
fn the_smallest_level_of_a_yuv_texture_is_rgb565() {
    let mut words = [0x8080u16; 8];
    words[3] = 0xF81F;
    let yuv = TextureLayout {
        mipmapped: true,
        ..layout(PixelFormat::Yuv422, true, 2, 2)
    };
    let decoded = decode_bytes(&bytes(&words), &yuv, &[], &Default::default()).unwrap();
    assert_eq!(decoded.texels, [0xFF80_8080; 4]);
    assert_eq!(decoded.levels[0].texels, [0xFFFF_00FF]);
}

#[test]
fn sizes_that_cannot_be_are_errors() {
    let check = |layout: TextureLayout, part: &str| {
        let error = decode_bytes(&[0; 64], &layout, &[], &Default::default())
            .unwrap_err()
            .to_string();
        assert!(error.contains(part), "{error}");
    };
    let format = PixelFormat::Rgb565;
    check(
        layout(format, true, 0, 8),
        "0x8 texels; expected sides of 1 to 1024",
    );
    check(
        layout(format, true, 2048, 8),
        "2048x8 texels; expected sides of 1 to 1024",
    );
    check(layout(format, true, 24, 8), "24x8 texels; expected powers of two");
    check(
        TextureLayout {
            mipmapped: true,
            ..layout(format, true, 8, 16)
        },
        "8x16 texels; expected a square",
    );
    check(
        TextureLayout {
            mipmapped: true,
            ..layout(format, false, 8, 8)
        },
        "linear texture with mip levels",
    );
    check(
        layout(PixelFormat::Pal8, false, 8, 8),
        "linear texture with a palette",
    );
    check(
        TextureLayout {
            stride: 4096,
            ..layout(format, false, 8, 8)
        },
        "stride above 1024",
    );
    check(layout(PixelFormat::Yuv422, false, 3, 2), "even width");
    // Too few bytes, also for the largest texture: detected before memory is allocated.
    check(layout(format, true, 8, 8), "64 bytes; expected at least 128");
    check(
        layout(format, true, 1024, 1024),
        "64 bytes; expected at least 2097152",
    );
    check(
        TextureLayout {
            vq: true,
            ..layout(format, true, 8, 8)
        },
        "64 bytes; expected at least 2064",
    );
}

#[test]
fn words_describe_layouts() {
    let l = layout_of(TextureWord(0), TspWord(0), 0);
    assert_eq!(l, TextureLayout::twiddled(PixelFormat::Argb1555, 8, 8));
    // Mip, VQ, 565; U 64 (code 3), V 8: square of the U size.
    let l = layout_of(TextureWord(1 << 31 | 1 << 30 | 1 << 27), TspWord(3 << 3), 5);
    assert_eq!(
        (l.format, l.vq, l.mipmapped, l.width, l.height),
        (PixelFormat::Rgb565, true, true, 64, 64)
    );
    // Linear with stride 20 * 32; without the stride bit the width; a linear texture has no levels.
    let l = layout_of(
        TextureWord(1 << 31 | 1 << 26 | 1 << 25 | 2 << 27),
        TspWord(7 << 3 | 6),
        20,
    );
    assert_eq!(
        (l.twiddled, l.mipmapped, l.stride, l.width, l.height),
        (false, false, 640, 1024, 512)
    );
    assert_eq!(
        layout_of(TextureWord(1 << 26 | 2 << 27), TspWord(7 << 3), 20).stride,
        1024
    );
    // The stride bit of a twiddled texture and the selector bits of a paletted one mean no stride.
    assert_eq!(layout_of(TextureWord(1 << 25), TspWord(7 << 3), 20).stride, 1024);
    let l = layout_of(TextureWord(6 << 27 | 1 << 26 | 1 << 25), TspWord(1 << 3), 20);
    assert_eq!((l.format, l.twiddled, l.stride), (PixelFormat::Pal8, true, 16));
    assert_eq!(
        layout_of(TextureWord(7 << 27), TspWord(0), 0).format,
        PixelFormat::Argb1555
    );
}
