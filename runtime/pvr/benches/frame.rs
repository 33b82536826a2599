//! Time of a whole frame (TA input to image) at 640x480 on two threads.
//!
//! Targets on one two-core x86-64 machine of 2020 or later: empty 0.3 ms, opaque 1.6 ms, translucent 2.2 ms.

use criterion::{Criterion, criterion_group, criterion_main};
use pvr::*;
use std::hint::black_box;

/// A simple xorshift generator for scenes.
struct Random(u32);

impl Random {
    fn below(&mut self, n: u32) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        (self.0 % n) as f32
    }
}

/// `count` Gouraud triangles of about 60 pixels with a bilinear texture.
fn triangles(list: ListType, texture: u32, count: usize) -> Vec<[u32; 8]> {
    let isp = IspWord(0).with_depth_mode(DepthMode::GreaterEqual);
    let blend = if list == ListType::Opaque {
        (BlendFactor::One, BlendFactor::Zero)
    } else {
        (BlendFactor::SrcAlpha, BlendFactor::InverseSrcAlpha)
    };
    let tsp = TspWord(0)
        .with_src(blend.0)
        .with_dst(blend.1)
        .with_fog(FogMode::None)
        .with_use_alpha(true)
        .with_filter(Filter::Bilinear)
        .with_shading(Shading::ModulateAlpha)
        .with_size(256, 256);
    let tcw = TextureWord(0)
        .with_format(PixelFormat::Rgb565)
        .with_address(texture);
    let flags = PolygonFlags {
        gouraud: true,
        ..PolygonFlags::default()
    };
    let mut random = Random(0x1234_5678);
    let mut blocks = vec![polygon_header(list, isp, tsp, Some(tcw), flags)];
    for _ in 0..count {
        let (x, y) = (random.below(624), random.below(464));
        for (n, (dx, dy)) in [(0.0, 0.0), (11.0, 2.0), (3.0, 11.0)].into_iter().enumerate() {
            let z = 0.1 + random.below(1000) / 1000.0;
            let uv = [(x + dx) / 256.0, (y + dy) / 256.0];
            let colour = Argb(0x8000_0000 | random.below(0xFF_FFFF) as u32);
            blocks.push(vertex(n == 2, [x + dx, y + dy, z], uv, colour, Argb(0)));
        }
    }
    blocks.push(end_of_list());
    blocks
}

fn frames(c: &mut Criterion) {
    let mut frame = Frame::new(640, 480, Settings::default()).expect("size");
    let bytes: Vec<u8> = (0..256 * 256 * 2u32).map(|n| (n * 31) as u8).collect();
    let texture = frame.upload_texture(&bytes, 8).expect("space");
    let opaque = triangles(ListType::Opaque, texture, 3000);
    let both = [opaque.clone(), triangles(ListType::Translucent, texture, 300)].concat();
    for (name, blocks) in [("empty", Vec::new()), ("opaque", opaque), ("translucent", both)] {
        c.bench_function(name, |b| {
            b.iter(|| {
                frame.begin();
                frame.blocks(&blocks);
                black_box(frame.render(2).expect("render"))
            });
        });
        println!("{name}: {:?}", frame.stats());
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(30).measurement_time(std::time::Duration::from_secs(3));
    targets = frames
}
criterion_main!(benches);
