//! Colours, lights and highlights.

use super::*;

#[test]
fn vertex_colours_of_all_kinds() {
    let vertex = Vertex {
        diffuse: Argb(0x80F0_8811),
        specular: Argb(0xFF08_0408),
        ..Vertex::default()
    };
    // RGB565 is widened by shifting, alpha 255; ARGB4444 times 17; intensities take the green part. Without a
    // texture the specular colour is added: 0xF0 + 8, 0x88 + 4, 0x10 + 8; 4444 has 0xEE and 8, 0x88 and 4,
    // 0x11 and 8.
    let cases = [
        (VertexKind::CvD8, 0x80F0_8811),
        (VertexKind::CvS5, 0xFFF8_8C18),
        (VertexKind::CvS4, 0x88F6_8C19),
        (VertexKind::CvIn, 0xFF8C_8C8C),
        (VertexKind::CvD8S8, 0x80F8_8C19),
        (VertexKind::Cv, 0xFFFF_FFFF),
        (VertexKind::CvSh, 0xFFFF_FFFF),
        (VertexKind::CvUf, 0xFFFF_FFFF),
    ];
    for (kind, expected) in cases {
        let found = colour(facing(kind, vertex), vec![strip(StripFlags::USE_ALPHA)], &view());
        assert_eq!(found, expected, "{}", kind.name());
    }
    let off = View {
        settings: Settings {
            highlight: Highlight::Off,
            ..Settings::default()
        },
        ..view()
    };
    let found = colour(facing(VertexKind::CvS5, vertex), vec![strip(NONE)], &off);
    assert_eq!(found, 0xFFF0_8810);
}

#[test]
fn coloured_vertices_with_normals_are_lit() {
    let vertex = Vertex {
        normal: [0.0, 0.0, 1.0],
        diffuse: Argb(0xFF64_C802),
        ..Vertex::default()
    };
    for kind in [VertexKind::CvVnD8, VertexKind::CvVnxD8] {
        // Half of 100, 200 and 2; the packed normal is 511 / 512 of one: 49.9, 99.8, 0.998.
        let expected = if kind == VertexKind::CvVnD8 {
            0xFF32_6401
        } else {
            0xFF31_6300
        };
        assert_eq!(
            colour(facing(kind, vertex), vec![strip(NONE)], &view()),
            expected,
            "{}",
            kind.name()
        );
    }
    let ignored = colour(
        facing(VertexKind::CvVnD8, vertex),
        vec![strip(StripFlags::IGNORE_LIGHT)],
        &view(),
    );
    assert_eq!(ignored, 0xFF64_C802);
}

#[test]
fn highlights_are_powers_of_a_cosine() {
    // The normal has an angle of 60 degrees to light and viewer, which have the same direction. The half-way
    // vector is equal, so the cosine is 1/2. Base: 0.5 * 0.5 * 100 = 25. Highlight with exponent 2: 0.25 *
    // 0.5 * 200 = 25.
    let chunk = || facing(VertexKind::CvVn, normal([0.866_025_4, 0.0, 0.5]));
    let shiny = Specular {
        exponent: 2,
        rgb: [200, 0, 0],
    };
    let plist = |flags| vec![material(0xFF64_6464, shiny), strip(flags)];
    let near = |found: u32, expected: [i32; 3]| {
        let bytes = [16, 8, 0].map(|shift| i32::from((found >> shift) as u8));
        // Truncated; the normal's last bit is not reliable, so one level less is also correct.
        assert!(
            (0..3).all(|k| (0..=1).contains(&(expected[k] - bytes[k]))),
            "{found:#x} {expected:?}"
        );
    };
    near(colour(chunk(), plist(NONE), &view()), [50, 25, 25]);
    near(
        colour(chunk(), plist(StripFlags::IGNORE_SPECULAR), &view()),
        [25, 25, 25],
    );
    near(
        colour(chunk(), plist(StripFlags::IGNORE_LIGHT), &view()),
        [100, 100, 100],
    );
    // Reflected: 2 * 0.5 * 0.5 - 1 is negative: none.
    let reflected = View {
        settings: Settings {
            highlight: Highlight::Reflected,
            ..Settings::default()
        },
        ..view()
    };
    near(colour(chunk(), plist(NONE), &reflected), [25, 25, 25]);
    // On a texture the highlight is the offset colour, and the header says that there is one.
    let textured = strip_of(StripKind::CsUvn, NONE, StripEntry::default());
    let tiny = PolyChunk::Texture(Tiny::default());
    let tree = one(vec![chunk()], vec![material(0xFF64_6464, shiny), tiny, textured]);
    let (blocks, _) = drawn(&tree, &view());
    assert_eq!(blocks[0][0] >> 2 & 3, 3, "texture and offset");
    near(blocks[1][6], [25, 25, 25]);
    near(blocks[1][7], [25, 0, 0]);
    assert_eq!(blocks[1][7] >> 24, 255);
    // CB_EXP makes it 4 instead of 2: 0.0625 * 0.5 * 200 = 6.25. The original library skips the chunk.
    let plist = vec![
        material(0xFF64_6464, shiny),
        PolyChunk::Exponent(Exponent(4)),
        strip(NONE),
    ];
    near(colour(chunk(), plist.clone(), &view()), [31, 25, 25]);
    let skipped = View {
        settings: Settings {
            bits: BitsChunks::Skipped,
            ..Settings::default()
        },
        ..view()
    };
    near(colour(chunk(), plist, &skipped), [50, 25, 25]);
}

#[test]
fn lights_add_up_and_fall_with_distance_and_angle() {
    // The first vertex is (-5, -5, 0), its normal points to the viewer. A light 10 before it is full to 5 and
    // gone at 25: three quarters of it are left. 200 * 0.75 = 150.
    let position = [-5.0, -5.0, 10.0];
    let range = Range { near: 5.0, far: 25.0 };
    let lamp = |source| Light {
        source,
        colour: [1.0, 0.0, 0.0],
        specular: [0.0; 3],
    };
    let point = lamp(Source::Point { position, range });
    // A spot light with its beam 60 degrees off the vertex: the middle in cosine between full at 0 and zero
    // at 90 degrees.
    let beam = [0.866_025_4, 0.0, -0.5];
    let spot = lamp(Source::Spot {
        position,
        beam,
        range,
        inner: Bams(0),
        outer: Bams(0x4000),
    });
    let red = |list: Vec<Light>| {
        let view = View {
            lights: Lights {
                ambient: [0.0; 3],
                list,
            },
            ..view()
        };
        let chunk = facing(VertexKind::CvVn, normal([0.0, 0.0, 1.0]));
        let found = colour(chunk, vec![material(0xFFC8_C8C8, DULL), strip(NONE)], &view);
        assert_eq!(found & 0xFF00_FFFF, 0xFF00_0000);
        (found >> 16 & 0xFF) as i32
    };
    let near =
        |found: i32, expected: i32| assert!((0..=1).contains(&(expected - found)), "{found} {expected}");
    near(red(vec![point]), 150);
    near(red(vec![spot]), 75);
    near(red(vec![point, spot]), 225);
    near(red(vec![point, point]), 255);
    near(red(vec![]), 0);
    let behind = lamp(Source::Point {
        position: [-5.0, -5.0, -3.0],
        range,
    });
    near(red(vec![behind]), 0);
}

#[test]
fn one_light_at_once_is_one_light_among_several() {
    // A single directional light has its own kernel; a second one without colour selects the general path.
    let mut rng = Rng::new(3);
    for _ in 0..200 {
        let chunk = facing(VertexKind::CvVn, normal(rng.unit()));
        let diffuse = 0xFF00_0000 | rng.word() >> 8;
        let mut view = view();
        view.lights = Lights::single(rng.unit(), [0.9, 0.7, 0.5], [0.1; 3]);
        let plist = vec![material(diffuse, DULL), strip(NONE)];
        let single = colour(chunk.clone(), plist.clone(), &view);
        view.lights
            .list
            .push(Light::directional([0.0, 1.0, 0.0], [0.0; 3]));
        let several = colour(chunk, plist, &view);
        for shift in [24, 16, 8, 0] {
            let byte = |word: u32| i32::from((word >> shift) as u8);
            assert!(
                (byte(single) - byte(several)).abs() <= 1,
                "{single:#x} {several:#x}"
            );
        }
    }
}

#[test]
fn lit_strips_may_have_intensities() {
    // Ambient light of a mean of 0.2 and a light of a mean of 0.6 at 60 degrees: 0.2 + 0.5 * 0.6.
    let view = View {
        lights: Lights::single([0.0, 0.0, 1.0], [0.9, 0.6, 0.3], [0.3, 0.2, 0.1]),
        settings: Settings {
            colours: ColourMode::Intensity,
            ..Settings::default()
        },
        ..view()
    };
    let chunk = |depth: f32| {
        let mut corners = TRIANGLE;
        corners[2][2] = depth;
        let vertices = corners.map(|position| Vertex {
            position,
            ..normal([0.866_025_4, 0.0, 0.5])
        });
        VertexChunk::build(VertexKind::CvVn, 0x80, 0, &vertices).unwrap()
    };
    // Sent in place, and clipped at the near plane.
    for depth in [0.0, 12.0] {
        let tree = one(vec![chunk(depth)], vec![material(0x80C8_643F, DULL), strip(NONE)]);
        let (blocks, _) = drawn(&tree, &view);
        assert_eq!(blocks[0][0] >> 4 & 3, 2, "intensity");
        // 255, 200, 100 and 63 by 256 * c - 1.
        let face = [blocks[0][4], blocks[0][5], blocks[0][6], blocks[0][7]].map(f32::from_bits);
        assert_eq!(face.map(|c| c * 256.0 - 1.0), [255.0, 200.0, 100.0, 63.0]);
        let vertices: Vec<f32> = blocks
            .iter()
            .filter(|b| b[0] >> 29 == 7)
            .map(|b| f32::from_bits(b[6]))
            .collect();
        assert!(
            vertices.len() >= 3 && vertices.iter().all(|i| (i - 0.5).abs() < 1.0e-5),
            "{vertices:?}"
        );
    }
    // Highlights and colours of their own stay packed.
    let shiny = Specular {
        exponent: 1,
        rgb: [255; 3],
    };
    let tree = one(vec![chunk(0.0)], vec![material(0xFFFF_FFFF, shiny), strip(NONE)]);
    assert_eq!(drawn(&tree, &view).0[0][0] >> 4 & 3, 0);
}
