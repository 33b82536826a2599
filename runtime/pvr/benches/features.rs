//! Time of pixel features: 20 full-screen layers at 640x480 on one thread, presorted.
//!
//! Targets: a feature takes at most twice the time of `plain`; `trilinear` at most 3 times, `supersample` at
//! most 4 times.

use criterion::{Criterion, criterion_group, criterion_main};
use pvr::settings::Supersample;
use pvr::*;
use std::hint::black_box;

/// Number of layers of a scene.
const LAYERS: usize = 20;

/// A feature: changes to the plain polygon's TSP and texture words, and an offset colour.
struct Feature {
    name: &'static str,
    tsp: fn(TspWord) -> TspWord,
    texture: Kind,
    offset: bool,
}

/// Texture of a scene.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Mip,
    Bump,
}

const FEATURES: &[Feature] = &[
    Feature {
        name: "plain",
        tsp: |tsp| tsp,
        texture: Kind::Plain,
        offset: false,
    },
    Feature {
        name: "offset",
        tsp: |tsp| tsp,
        texture: Kind::Plain,
        offset: true,
    },
    Feature {
        name: "fog_table",
        tsp: |tsp| tsp.with_fog(FogMode::Table),
        texture: Kind::Plain,
        offset: false,
    },
    Feature {
        name: "fog_vertex",
        tsp: |tsp| tsp.with_fog(FogMode::Vertex),
        texture: Kind::Plain,
        offset: true,
    },
    Feature {
        name: "mip",
        tsp: |tsp| tsp,
        texture: Kind::Mip,
        offset: false,
    },
    Feature {
        name: "trilinear",
        tsp: |tsp| tsp.with_filter(Filter::TrilinearA),
        texture: Kind::Mip,
        offset: false,
    },
    Feature {
        name: "supersample",
        tsp: |tsp| tsp.with_supersample(true),
        texture: Kind::Plain,
        offset: false,
    },
    Feature {
        name: "second",
        tsp: |tsp| tsp.with_dst_second(true),
        texture: Kind::Plain,
        offset: false,
    },
    Feature {
        name: "bump",
        tsp: |tsp| tsp,
        texture: Kind::Bump,
        offset: true,
    },
];

impl Feature {
    /// Layers from front to back, each over the whole screen.
    fn blocks(&self, address: u32) -> Vec<[u32; 8]> {
        let isp = IspWord(0).with_depth_mode(DepthMode::Always);
        let tsp = TspWord(0)
            .with_src(BlendFactor::SrcAlpha)
            .with_dst(BlendFactor::InverseSrcAlpha)
            .with_fog(FogMode::None)
            .with_use_alpha(true)
            .with_filter(Filter::Bilinear)
            .with_shading(Shading::ModulateAlpha)
            .with_mip_adjust(4)
            .with_size(256, 256);
        let format = match self.texture {
            Kind::Bump => PixelFormat::Bump,
            Kind::Plain | Kind::Mip => PixelFormat::Rgb565,
        };
        let tcw = TextureWord(0)
            .with_format(format)
            .with_mip(self.texture == Kind::Mip)
            .with_address(address);
        let flags = PolygonFlags {
            gouraud: true,
            offset: self.offset,
            ..PolygonFlags::default()
        };
        let corners = [
            ([0.0, 0.0, 0.5], [0.0, 0.0], 0xFFFF_FF80),
            ([640.0, 0.0, 0.4], [4.0, 0.0], 0x80FF_FFFF),
            ([0.0, 480.0, 0.3], [0.0, 3.0], 0x80FF_FFFF),
            ([640.0, 480.0, 0.2], [4.0, 3.0], 0x80FF_FFFF),
        ];
        let mut blocks = Vec::new();
        for _ in 0..LAYERS {
            let list = ListType::Translucent;
            blocks.push(polygon_header(list, isp, (self.tsp)(tsp), Some(tcw), flags));
            for (n, (at, uv, base)) in corners.into_iter().enumerate() {
                blocks.push(vertex(n == 3, at, uv, Argb(base), Argb(0x4080_4020)));
            }
        }
        blocks.push(end_of_list());
        blocks
    }
}

fn features(c: &mut Criterion) {
    let settings = Settings {
        supersample: Supersample::Average,
        ..Settings::default()
    };
    let mut frame = Frame::new(640, 480, settings).expect("size");
    frame.set_presort(true);
    let bytes: Vec<u8> = (0..0x5_5558 * 2u32).map(|n| ((n * 31) >> 4) as u8).collect();
    let address = frame.upload_texture(&bytes, 8).expect("space");
    let pvr = frame.pvr_mut();
    pvr.write_register(reg::FOG_DENSITY, 0xFF07);
    pvr.write_register(reg::FOG_COL_RAM, 0x00FF_C0A0);
    pvr.write_register(reg::FOG_COL_VERT, 0x00FF_C0A0);
    for n in 0..128 {
        pvr.write_register(reg::FOG_TABLE + 4 * n, (255 - 2 * n) << 8 | (254 - 2 * n));
    }
    let mut group = c.benchmark_group("features");
    for feature in FEATURES {
        let blocks = feature.blocks(address);
        group.bench_function(feature.name, |b| {
            b.iter(|| {
                frame.begin();
                frame.blocks(&blocks);
                black_box(frame.render(1).expect("render"))
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_secs(2));
    targets = features
}
criterion_main!(benches);
