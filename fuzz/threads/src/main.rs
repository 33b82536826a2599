//! Frames of random textured triangles, drawn with 2 to 8 threads and by the definition: for ThreadSanitizer.
//!
//! `RUSTFLAGS=-Zsanitizer=thread cargo +nightly run -Zbuild-std --release --target x86_64-unknown-linux-gnu
//! --manifest-path fuzz/threads/Cargo.toml`

use pvr::{
    Argb, BlendFactor, DepthMode, Filter, FogMode, Frame, IspWord, ListType, PixelFormat, PolygonFlags,
    Settings, Shading, TextureWord, TspWord, end_of_list, polygon_header, vertex,
};

/// A number below `n`.
fn below(state: &mut u32, n: u32) -> f32 {
    *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    ((*state >> 8) % n) as f32
}

/// Triangles of a list.
fn triangles(frame: &mut Frame, list: ListType, tcw: TextureWord, state: &mut u32) {
    for n in 0..20 {
        let tsp = TspWord(0)
            .with_src(BlendFactor::SrcAlpha)
            .with_dst([BlendFactor::InverseSrcAlpha, BlendFactor::One][n / 5 % 2])
            .with_fog(FogMode::None)
            .with_use_alpha(true)
            .with_filter([Filter::Bilinear, Filter::Point][n % 2])
            .with_shading([Shading::ModulateAlpha, Shading::DecalAlpha, Shading::Decal][n % 3])
            .with_size(16, 16);
        let flags = PolygonFlags {
            gouraud: n % 4 != 0,
            offset: n % 5 == 0,
            ..PolygonFlags::default()
        };
        let isp = IspWord(0).with_depth_mode(DepthMode::GreaterEqual);
        frame.block(&polygon_header(list, isp, tsp, Some(tcw), flags));
        for corner in 0..3 {
            let [x, y, z] = [280, 200, 100].map(|n| below(state, n));
            let uv = [below(state, 64), below(state, 64)].map(|at| at / 16.0 - 1.0);
            let [base, offset] = [0, 1].map(|_| Argb((below(state, 0xFF_FFFF) as u32).wrapping_mul(0x101)));
            frame.block(&vertex(corner == 2, [x, y, 0.5 + z], uv, base, offset));
        }
    }
    frame.block(&end_of_list());
}

fn main() {
    let mut state = 1;
    for round in 0..50 {
        let mut frame = Frame::new(256, 192, Settings::default()).expect("a size");
        let texels: Vec<u8> = (0..512).map(|_| below(&mut state, 256) as u8).collect();
        let address = frame.upload_texture(&texels, 8).expect("room");
        let tcw = TextureWord(0)
            .with_format(PixelFormat::Argb4444)
            .with_address(address);
        for list in [ListType::Opaque, ListType::Translucent, ListType::PunchThrough] {
            triangles(&mut frame, list, tcw, &mut state);
        }
        let drawn = frame.render(2 + round % 7).expect("a frame");
        let defined = frame.render_probed(&mut ()).expect("a frame");
        assert!(drawn.rgba == defined.rgba, "round {round}");
    }
    println!("50 frames are equal");
}
