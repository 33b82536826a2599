//! Tests of encoding: exact inverses if they exist, otherwise stated bounds.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed unwrap in a helper is how its test fails"
)]

use pvr::texture::{
    Encoding, Order, PixelFormat, Rgba, Texture, TextureError, TextureLayout, TextureSettings, decode_bytes,
    encode, encode_indices,
};

const COLOUR_FORMATS: [PixelFormat; 3] = [PixelFormat::Argb1555, PixelFormat::Rgb565, PixelFormat::Argb4444];

fn image(width: u32, height: u32, texel: impl Fn(u32, u32) -> u32) -> Rgba {
    Rgba {
        width,
        height,
        texels: (0..width * height).map(|i| texel(i % width, i / width)).collect(),
    }
}

/// A smooth image with an edge, noise and alpha.
fn picture(width: u32, height: u32) -> Rgba {
    image(width, height, |x, y| {
        let noise = x
            .wrapping_mul(0x9E37_79B1)
            .wrapping_add(y.wrapping_mul(0x85EB_CA6B))
            >> 28;
        let (r, g) = (x * 255 / width, y * 255 / height);
        let b = if (x / 16 + y / 16) % 2 == 0 {
            200 + noise
        } else {
            40 + noise
        };
        let a = if x > y { 255 } else { 255 - (y - x) * 200 / height };
        a << 24 | r << 16 | g << 8 | b
    })
}

fn code(image: &Rgba, format: PixelFormat, layout: Order) -> (Vec<u8>, Texture) {
    let encoding = Encoding { format, layout };
    let bytes = encode(image, encoding).unwrap();
    let settings = TextureSettings {
        linear_expand: pvr::texture::LinearExpand::Replicate,
        ..Default::default()
    };
    let layout = encoding.layout(image.width, image.height);
    assert_eq!(bytes.len(), layout.byte_len(&settings));
    let texture = decode_bytes(&bytes, &layout, &[], &settings).unwrap();
    (bytes, texture)
}

/// Largest and mean squared error of a channel; alpha only if the format has it.
fn errors(a: &[u32], b: &[u32], alpha: bool) -> (u32, f64) {
    assert_eq!(a.len(), b.len());
    let (mut largest, mut sum, mut count) = (0, 0.0, 0.0);
    for (&a, &b) in a.iter().zip(b) {
        for shift in [0, 8, 16, 24].into_iter().take(if alpha { 4 } else { 3 }) {
            let d = (a >> shift & 255).abs_diff(b >> shift & 255);
            largest = largest.max(d);
            sum += f64::from(d * d);
            count += 1.0;
        }
    }
    (largest, sum / count)
}

#[test]
fn all_words_of_all_colour_formats_come_back() {
    let words: Vec<u8> = (0..=0xFFFFu16).flat_map(u16::to_le_bytes).collect();
    for format in COLOUR_FORMATS {
        let layout = TextureLayout::twiddled(format, 256, 256);
        let decoded = decode_bytes(&words, &layout, &[], &TextureSettings::default()).unwrap();
        let again = encode(
            &decoded.into(),
            Encoding {
                format,
                layout: Order::Twiddled { mipmaps: false },
            },
        )
        .unwrap();
        assert!(again == words, "{format:?}");
    }
}

#[test]
fn channels_are_rounded_to_the_nearest() {
    // 8-bit levels on both sides of the middle between two 5-bit steps (4.11 and 12.34): 4 -> 0, 5 -> 1, 12
    // -> 1, 13 -> 2.
    let ramp = image(8, 8, |x, _| {
        0xFF00_0000 | [0, 4, 5, 12, 13, 250, 251, 255][x as usize]
    });
    let bytes = encode(
        &ramp,
        Encoding {
            format: PixelFormat::Rgb565,
            layout: Order::Linear,
        },
    )
    .unwrap();
    assert_eq!(bytes[..16], [0, 0, 0, 0, 1, 0, 1, 0, 2, 0, 30, 0, 31, 0, 31, 0]);
    let alpha = image(8, 8, |x, _| if x < 4 { 0x7FFF_FFFF } else { 0x8000_0000 });
    let bytes = encode(
        &alpha,
        Encoding {
            format: PixelFormat::Argb1555,
            layout: Order::Linear,
        },
    )
    .unwrap();
    assert_eq!(bytes[6..10], [0xFF, 0x7F, 0x00, 0x80]);
}

#[test]
fn every_order_stays_within_half_a_step() {
    let picture = picture(64, 32);
    // Half of the widest step, rounded up: 255/31/2, 255/15/2.
    for (format, bound, alpha) in [
        (PixelFormat::Rgb565, 5, false),
        (PixelFormat::Argb1555, 5, false),
        (PixelFormat::Argb4444, 9, true),
    ] {
        for order in [Order::Linear, Order::Twiddled { mipmaps: false }] {
            let (_, texture) = code(&picture, format, order);
            let (largest, _) = errors(&texture.texels, &picture.texels, alpha);
            assert!(largest <= bound, "{format:?} {order:?}: {largest}");
        }
    }
}

#[test]
fn yuv_keeps_greys_and_flat_colours() {
    for order in [
        Order::Linear,
        Order::Twiddled { mipmaps: true },
        Order::Vq { mipmaps: true },
    ] {
        let grey = image(16, 16, |x, _| 0xFF00_0000 | ((x * 17) * 0x01_0101));
        assert_eq!(
            code(&grey, PixelFormat::Yuv422, order).1.texels,
            grey.texels,
            "{order:?}"
        );
        // Vertical pairs of one colour lose only the rounding of Y, U and V: a step of U is 110/64 of blue.
        let flat = image(16, 16, |x, y| 0xFF00_0000 | (x / 2) << 20 | y << 12 | 0x0000_0080);
        let (_, texture) = code(&flat, PixelFormat::Yuv422, order);
        let (largest, _) = errors(&texture.texels, &flat.texels, false);
        assert!(largest <= 3, "{order:?}: {largest}");
    }
}

#[test]
fn mip_levels_are_means_weighted_by_alpha() {
    // Quarters of one colour each: the 2x2 level contains them, the 1x1 level their mean.
    let quarters = image(8, 8, |x, y| {
        [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFFFF_FFFF][(x / 4 + y / 4 * 2) as usize]
    });
    for order in [Order::Twiddled { mipmaps: true }, Order::Vq { mipmaps: true }] {
        let (_, texture) = code(&quarters, PixelFormat::Argb4444, order);
        let sizes: Vec<u32> = texture.levels.iter().map(|level| level.width).collect();
        assert_eq!(sizes, [4, 2, 1]);
        assert_eq!(
            texture.levels[1].texels,
            [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFFFF_FFFF],
            "{order:?}"
        );
    }
    let (_, texture) = code(
        &quarters,
        PixelFormat::Argb4444,
        Order::Twiddled { mipmaps: true },
    );
    // (255 + 255) / 4 = 127.5 -> 128 -> 8/15.
    assert_eq!(texture.levels[2].texels, [0xFF88_8888]);
    // The colour of an invisible texel has no effect.
    let dots = image(8, 8, |x, y| {
        if x % 2 == 0 && y % 2 == 0 {
            0xFF11_2233
        } else {
            0x00FF_FFFF
        }
    });
    let (_, texture) = code(&dots, PixelFormat::Argb4444, Order::Twiddled { mipmaps: true });
    assert!(
        texture.levels[0].texels.iter().all(|&c| c == 0x4411_2233),
        "{:x?}",
        texture.levels[0].texels
    );
}

#[test]
fn unused_texels_in_front_of_the_levels_are_zero() {
    let white = image(8, 8, |_, _| 0xFFFF_FFFF);
    let (bytes, _) = code(&white, PixelFormat::Rgb565, Order::Twiddled { mipmaps: true });
    assert_eq!(bytes[..8], [0, 0, 0, 0, 0, 0, 0xFF, 0xFF]);
    assert_eq!(bytes.len(), 2 * (0x18 + 64));
}

#[test]
fn vq_is_exact_with_few_enough_quads() {
    // 256 distinct quads.
    let few = image(32, 32, |x, y| {
        let quad = x / 2 + y / 2 * 16;
        0xFF00_0000 | (quad % 16 * 17) << 16 | (quad / 16 * 17) << 8 | (x % 2 * 255)
    });
    let (bytes, texture) = code(&few, PixelFormat::Argb4444, Order::Vq { mipmaps: false });
    assert_eq!(texture.texels, few.texels);
    assert_eq!(bytes.len(), 2048 + 256);
}

/// Minimum quality in dB: results of the search, rounded down. A search that does not converge, or assigns
/// wrong codes, is far below.
#[test]
fn vq_quality_and_determinism() {
    for (side, mipmaps, floor) in [(64, false, 31.0), (128, true, 31.0)] {
        let picture = picture(side, side);
        let order = Order::Vq { mipmaps };
        let (bytes, texture) = code(&picture, PixelFormat::Argb4444, order);
        let (_, mean_square) = errors(&texture.texels, &picture.texels, true);
        let db = 10.0 * (255.0 * 255.0 / mean_square).log10();
        println!("{side}x{side} mipmaps {mipmaps}: {db:.2} dB");
        assert!(db > floor, "{side}: {db}");
        assert_eq!(code(&picture, PixelFormat::Argb4444, order).0, bytes);
    }
}

#[test]
fn indices_come_back() {
    let palette: Vec<u32> = (0..256).collect();
    for (format, colors) in [(PixelFormat::Pal4, 16u32), (PixelFormat::Pal8, 256)] {
        let indices: Vec<u8> = (0..512u32).map(|i| (i * 7 % colors) as u8).collect();
        let bytes = encode_indices(&indices, 32, 16, format).unwrap();
        assert_eq!(bytes.len(), 512 * format.bits_per_texel() / 8);
        let layout = TextureLayout::twiddled(format, 32, 16);
        let decoded = decode_bytes(&bytes, &layout, &palette, &TextureSettings::default()).unwrap();
        assert_eq!(
            decoded.texels,
            indices.iter().map(|&i| u32::from(i)).collect::<Vec<_>>()
        );
    }
    let error = encode_indices(&[16; 4], 2, 2, PixelFormat::Pal4).unwrap_err();
    assert_eq!(
        error,
        TextureError::Palette {
            found: 16,
            expected: 17
        }
    );
    assert!(encode_indices(&[0; 4], 2, 2, PixelFormat::Rgb565).is_err());
    assert!(encode_indices(&[0; 3], 2, 2, PixelFormat::Pal4).is_err());
}

#[test]
fn what_cannot_be_encoded_is_an_error() {
    let check = |image: &Rgba, format, layout, part: &str| {
        let error = encode(image, Encoding { format, layout })
            .unwrap_err()
            .to_string();
        assert!(error.contains(part), "{error}");
    };
    let square = picture(16, 16);
    let (twiddled, mips) = (
        Order::Twiddled { mipmaps: false },
        Order::Twiddled { mipmaps: true },
    );
    check(
        &picture(24, 16),
        PixelFormat::Rgb565,
        twiddled,
        "24x16 texels; expected powers of two",
    );
    check(
        &picture(4, 16),
        PixelFormat::Rgb565,
        twiddled,
        "4x16 texels; expected sides of 8 to 1024",
    );
    check(
        &picture(32, 16),
        PixelFormat::Rgb565,
        mips,
        "32x16 texels; expected a square",
    );
    check(&picture(15, 16), PixelFormat::Yuv422, Order::Linear, "even width");
    check(&square, PixelFormat::Pal4, twiddled, "encode_indices");
    check(&square, PixelFormat::Bump, mips, "bump map");
    check(
        &square,
        PixelFormat::Bump,
        Order::Vq { mipmaps: false },
        "bump map",
    );
    check(
        &Rgba {
            texels: vec![0; 9],
            ..square
        },
        PixelFormat::Rgb565,
        twiddled,
        "holds 9 texels; expected 256",
    );
}
