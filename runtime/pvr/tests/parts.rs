//! Frames drawn in parts are bit-identical to frames drawn at once.

use pvr::*;

struct Random(u64);

impl Random {
    fn word(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    fn float(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * (self.word() >> 7) as f32 / 16_777_216.0
    }
}

/// Strips of one list. Some are far larger than the frame, with coordinates that change by rounding if a part
/// is moved.
fn strips(random: &mut Random, list: ListType, [width, height]: [f32; 2]) -> Vec<[u32; 8]> {
    let isp = IspWord(0).with_depth_mode(DepthMode::GreaterEqual);
    let translucent = list == ListType::Translucent;
    let tsp = TspWord(0)
        .with_src(if translucent {
            BlendFactor::SrcAlpha
        } else {
            BlendFactor::One
        })
        .with_dst(if translucent {
            BlendFactor::InverseSrcAlpha
        } else {
            BlendFactor::Zero
        })
        .with_use_alpha(true)
        .with_fog(FogMode::None);
    let flags = PolygonFlags {
        gouraud: true,
        ..PolygonFlags::default()
    };
    let mut blocks = Vec::new();
    for _ in 0..24 {
        let mut header = polygon_header(list, isp, tsp, None, flags);
        header[0] = Pcw(header[0]).with_shadow(true).0;
        blocks.push(header);
        let reach = if random.word().is_multiple_of(3) { 2.0 } else { 0.2 };
        let (x, y) = (random.float(0.0, width), random.float(0.0, height));
        let count = 3 + random.word() % 5;
        for n in 0..count {
            let place = [
                x + reach * random.float(-width, width),
                y + reach * random.float(-height, height),
                random.float(0.01, 1.0),
            ];
            let colour = Argb(random.word() << 1 ^ random.word());
            blocks.push(vertex(n + 1 == count, place, [0.0; 2], colour, Argb(0)));
        }
    }
    blocks.push(end_of_list());
    blocks
}

/// Volumes of single triangles that darken the enclosed pixels.
fn volumes(random: &mut Random, [width, height]: [f32; 2]) -> Vec<[u32; 8]> {
    let mut blocks = Vec::new();
    for _ in 0..6 {
        let control = Pcw(0)
            .with_param_type(ParamType::Polygon)
            .with_list(ListType::OpaqueModifier)
            .with_volume(true);
        // Volume instruction 1, inside, in bits 31 to 29.
        blocks.push([control.0, 1 << 29, 0, 0, 0, 0, 0, 0]);
        let mut words = [0; 16];
        words[0] = Pcw(0)
            .with_param_type(ParamType::Vertex)
            .with_end_of_strip(true)
            .0;
        for corner in words[1..10].chunks_exact_mut(3) {
            let place = [
                random.float(-width, 2.0 * width),
                random.float(-height, 2.0 * height),
                1.0,
            ];
            corner.copy_from_slice(&place.map(f32::to_bits));
        }
        blocks.extend_from_slice(words.as_chunks::<8>().0);
    }
    blocks.push(end_of_list());
    blocks
}

fn drawn(width: u32, height: u32, rows: u32, blocks: &[[u32; 8]], threads: usize) -> Vec<u8> {
    let mut frame = Frame::in_parts(width, height, rows, Settings::default()).expect("size");
    frame.set_background(Argb(0xFF20_3040));
    // Shadows with half of the light.
    frame.pvr_mut().write_register(reg::FPU_SHAD_SCALE, 0x180);
    frame.blocks(blocks);
    let once = frame.render(threads).expect("render");
    // A second render and a new frame are possible, as for frames without parts.
    assert!(frame.render(threads).expect("render") == once);
    frame.begin();
    blocks.iter().for_each(|block| frame.block(block));
    assert!(frame.render(threads).expect("render") == once);
    once.rgba
}

#[test]
fn parts_are_the_frame() {
    let mut random = Random(7);
    for (width, height) in [(128, 160), (96, 500), (1100, 130), (64, 700), (40, 1024)] {
        for _ in 0..2 {
            let size = [width as f32, height as f32];
            let lists = [ListType::Opaque, ListType::PunchThrough, ListType::Translucent];
            let mut blocks = lists.map(|list| strips(&mut random, list, size)).concat();
            let plain = drawn(width, height, 16, &blocks, 2);
            blocks.extend(volumes(&mut random, size));
            let whole = drawn(width, height, 16, &blocks, 2);
            assert!(whole != plain, "no shadow falls");
            assert!(
                whole
                    .chunks_exact(4)
                    .any(|pixel| pixel != [0x20, 0x30, 0x40, 255])
            );
            for rows in [1, 7] {
                let parts = drawn(width, height, rows, &blocks, 1);
                assert!(parts == whole, "{width}x{height} in parts of {rows} rows");
            }
        }
    }
}

/// Header of opaque polygons without depth test, texture and fog.
fn opaque_header() -> [u32; 8] {
    let isp = IspWord(0).with_depth_mode(DepthMode::Always);
    let tsp = TspWord(0)
        .with_src(BlendFactor::One)
        .with_use_alpha(true)
        .with_fog(FogMode::None);
    let flags = PolygonFlags::default();
    polygon_header(ListType::Opaque, isp, tsp, None, flags)
}

/// A frame higher than the tile matrix: each triangle covers its own pixels.
#[test]
fn the_highest_frame() {
    let mut frame = Frame::new(64, 1024, Settings::default()).expect("size");
    frame.block(&opaque_header());
    for (n, [x, y]) in [[8.0, 300.0], [56.0, 300.0], [8.0, 1000.0], [56.0, 1000.0]]
        .into_iter()
        .enumerate()
    {
        frame.block(&vertex(n == 3, [x, y, 1.0], [0.0; 2], Argb(0xFF40_8020), Argb(0)));
    }
    frame.block(&end_of_list());
    let image = frame.render(2).expect("render");
    for (at, pixel) in image.rgba.chunks_exact(4).enumerate() {
        let (x, y) = (at % 64, at / 64);
        let inside = (8..56).contains(&x) && (300..1000).contains(&y);
        let expected = if inside {
            [0x40, 0x80, 0x20, 255]
        } else {
            [0, 0, 0, 255]
        };
        assert_eq!(pixel, expected, "at {x}, {y}");
    }
}

/// Blocks of strips of one triangle each, on a grid of 3 pixels.
fn dots(count: u32, colour: impl Fn(u32) -> u32) -> Vec<[u32; 8]> {
    let mut blocks = vec![opaque_header()];
    for n in 0..count {
        let (x, y) = ((n % 200 * 3) as f32, (n / 200 * 3) as f32);
        for (k, [dx, dy]) in [[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]].into_iter().enumerate() {
            let at = [x + dx, y % 477.0 + dy, 1.0];
            blocks.push(vertex(k == 2, at, [0.0; 2], Argb(colour(n)), Argb(0)));
        }
    }
    blocks.push(end_of_list());
    blocks
}

/// Draws blocks, and splits the frame until they fit. Returns the picture and the number of parts.
fn split(blocks: &[[u32; 8]], textures: usize) -> (Image, u32) {
    let mut frame = Frame::new(640, 480, Settings::default()).expect("size");
    frame.upload_texture(&vec![0; textures], 32).expect("memory");
    frame.blocks(blocks);
    loop {
        match frame.render(2) {
            Ok(image) => return (image, frame.parts()),
            Err(error) => assert!(error.is_overflow() && frame.split(), "{error}"),
        }
        frame.blocks(blocks);
    }
}

/// 100,000 triangles of 15 words take 6 MB, and bank 0 has 4 MiB.
#[test]
fn a_frame_is_split_until_its_polygons_fit() {
    let colour = |n: u32| 0xFF00_0000 | n.wrapping_mul(2_654_435_761) >> 8;
    let many = dots(100_000, colour);
    let mut frame = Frame::new(640, 480, Settings::default()).expect("size");
    frame.blocks(&many);
    assert!(matches!(frame.overflow(), Some(FrameError::Parameters { .. })));
    let (parts, number) = split(&many, 8);
    assert!(number > 1);
    // The last 31,800 triangles cover the grid and hide the others.
    let last = dots(31_800, |n| colour(n + 100_000 - 100_000 % 31_800 - 31_800));
    let (start, number) = split(&last, 8);
    assert_eq!(number, 1);
    let row = 640 * 4;
    let first_hidden = (100_000 % 31_800) / 200 * 3 * row;
    assert!(parts.rgba[first_hidden + 3 * row..477 * row] == start.rgba[first_hidden + 3 * row..477 * row]);
}

/// 1,000 strips of two triangles over all 300 tiles take 1.2 MB of object lists.
#[test]
fn object_lists_grow_up_to_the_textures() {
    let isp = IspWord(0).with_depth_mode(DepthMode::Always);
    let flags = PolygonFlags::default();
    let mut blocks = vec![polygon_header(ListType::Opaque, isp, TspWord(0), None, flags)];
    for _ in 0..1000 {
        let corners = [[0.0, 0.0], [640.0, 0.0], [0.0, 480.0], [640.0, 480.0]];
        for (k, [x, y]) in corners.into_iter().enumerate() {
            blocks.push(vertex(k == 3, [x, y, 1.0], [0.0; 2], Argb(0xFF40_8020), Argb(0)));
        }
    }
    blocks.push(end_of_list());
    let (whole, parts) = split(&blocks, 2 << 20);
    assert_eq!(parts, 1);
    let mut frame = Frame::new(640, 480, Settings::default()).expect("size");
    let free = frame.free_texture_bytes();
    frame.blocks(&blocks);
    assert!(frame.overflow().is_none() && frame.free_texture_bytes() < free);
    let (split, parts) = split(&blocks, free & !31);
    assert!(parts > 1 && split == whole);
}
