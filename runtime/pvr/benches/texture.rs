//! Speed of decoding and encoding textures.
//!
//! Targets for 256x256 texels (65,536) on one core of about 3 GHz. The core keeps a decoded texture until its
//! memory changes, so this cost arises once per texture instead of once per frame. A scene change of 8 MiB
//! (60 such textures) should still fit into one frame.
//!
//! | case | target |
//! |---|---|
//! | 565 twiddled | 100 us (1.5 ns a texel) |
//! | 565 linear | 60 us |
//! | VQ | 100 us |
//! | VQ with levels | 150 us |
//! | YUV422 twiddled | 400 us |
//! | VQ encoding 64x64 | 100 ms |

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use pvr::texture::{Encoding, Order, PixelFormat, Rgba, TextureSettings, decode_bytes, encode};

fn picture(side: u32) -> Rgba {
    let texel =
        |i: u32| 0xFF00_0000 | (i % side) << 16 | (i / side) << 8 | (i.wrapping_mul(0x9E37_79B1) >> 26);
    Rgba {
        width: side,
        height: side,
        texels: (0..side * side).map(texel).collect(),
    }
}

fn decoding(c: &mut Criterion) {
    let image = picture(256);
    let settings = TextureSettings::default();
    let cases = [
        (
            "565 twiddled",
            PixelFormat::Rgb565,
            Order::Twiddled { mipmaps: false },
        ),
        ("565 linear", PixelFormat::Rgb565, Order::Linear),
        (
            "4444 twiddled",
            PixelFormat::Argb4444,
            Order::Twiddled { mipmaps: false },
        ),
        (
            "yuv twiddled",
            PixelFormat::Yuv422,
            Order::Twiddled { mipmaps: false },
        ),
        ("565 vq", PixelFormat::Rgb565, Order::Vq { mipmaps: false }),
        ("565 vq levels", PixelFormat::Rgb565, Order::Vq { mipmaps: true }),
    ];
    for (name, format, layout) in cases {
        let encoding = Encoding { format, layout };
        let Ok(bytes) = encode(&image, encoding) else {
            continue;
        };
        let layout = encoding.layout(256, 256);
        c.bench_function(&format!("decode 256 {name}"), |b| {
            b.iter(|| decode_bytes(black_box(&bytes), &layout, &[], &settings));
        });
    }
}

fn encoding(c: &mut Criterion) {
    let image = picture(64);
    let mut group = c.benchmark_group("encode 64");
    group.sample_size(10);
    for (name, layout) in [
        ("565 twiddled", Order::Twiddled { mipmaps: true }),
        ("565 vq", Order::Vq { mipmaps: true }),
    ] {
        let encoding = Encoding {
            format: PixelFormat::Rgb565,
            layout,
        };
        group.bench_function(name, |b| b.iter(|| encode(black_box(&image), encoding)));
    }
    group.finish();
}

criterion_group!(benches, decoding, encoding);
criterion_main!(benches);
