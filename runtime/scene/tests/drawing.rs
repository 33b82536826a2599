//! Vertices, lights, passes and volumes with numbers by hand.

#![allow(clippy::unwrap_used, reason = "a helper that fails is how a test fails")]

use ninja::{
    Argb, Bams, Blend, EvalFlags, Exponent, Filter, Material, Model, NinjaFlags, Object, ObjectId,
    ObjectTree, Plist, PolyChunk, Specular, StripChunk, StripEntry, StripFlags, StripKind, StripSource, Tiny,
    Vertex, VertexChunk, VertexKind, Vlist, VolumeChunk, VolumeKind,
};
use pvr::TextureWord;
use scene::{
    BitsChunks, BoundTexture, Camera, ColourMode, Highlight, Light, Lights, Pose, Range, Settings, Shadows,
    Shapes, Source, Stats, TaLists, Textures, View, Viewport, Volumes, Warning, draw,
};
use sh4_kernels::{Reference, Rng};

/// Looking from (0, 0, 10) to the origin; a point (x, y, 0) lands on pixel (32 + 3.2 x, 24 - 3.2 y). One light of half
/// strength from the camera, no ambient light.
fn view() -> View {
    let mut viewport = Viewport::new(64, 48, 1.0, 0.5);
    viewport.words = [32.0, -32.0, 32.0, 24.0];
    View {
        camera: Camera {
            target: [0.0; 3],
            yaw: Bams(0),
            pitch: Bams(0),
            distance: 10.0,
            roll: Bams(0),
        },
        viewport,
        lights: Lights::single([0.0, 0.0, 1.0], [0.5; 3], [0.0; 3]),
        textures: Textures {
            bound: Vec::new(),
            checker: BoundTexture {
                word: TextureWord(0),
                width: 8,
                height: 8,
            },
        },
        settings: Settings::default(),
    }
}

fn drawn(tree: &ObjectTree, view: &View) -> (Vec<[u32; 8]>, Stats) {
    let mut lists = TaLists::default();
    let stats = draw(
        tree,
        &Pose::rest(tree),
        &Shapes::none(),
        view,
        &mut Reference,
        &mut lists,
    )
    .unwrap();
    (lists.blocks(), stats)
}

/// The vertex parameters of forms of 32 bytes.
fn vertices(tree: &ObjectTree, view: &View) -> Vec<[u32; 8]> {
    let (blocks, _) = drawn(tree, view);
    blocks.into_iter().filter(|block| block[0] >> 29 == 7).collect()
}

fn add_node(
    tree: &mut ObjectTree,
    chunks: Vec<VertexChunk>,
    plist: Vec<PolyChunk>,
    object: Object,
) -> ObjectId {
    let vlist = Some(tree.push_vlist(Vlist { chunks }));
    let plist = Some(tree.push_plist(Plist { chunks: plist }));
    let model = Some(tree.push_model(Model {
        vlist,
        plist,
        center: [0.0; 3],
        radius: 100.0,
    }));
    let object = Object { model, ..object };
    if tree.objects.is_empty() {
        tree.push_object(object)
    } else {
        tree.push_child(ObjectId(0), object).unwrap()
    }
}

fn one(chunks: Vec<VertexChunk>, plist: Vec<PolyChunk>) -> ObjectTree {
    let mut tree = ObjectTree::new();
    add_node(&mut tree, chunks, plist, Object::default());
    tree
}

const TRIANGLE: [[f32; 3]; 3] = [[-5.0, -5.0, 0.0], [5.0, -5.0, 0.0], [0.0, 5.0, 0.0]];

/// The triangle with one normal.
fn facing(kind: VertexKind, vertex: Vertex) -> VertexChunk {
    let vertices = TRIANGLE.map(|position| Vertex { position, ..vertex });
    VertexChunk::build(kind, 0x80, 0, &vertices).unwrap()
}

fn normal(normal: [f32; 3]) -> Vertex {
    Vertex {
        normal,
        ..Vertex::default()
    }
}

fn strip_of(kind: StripKind, flags: StripFlags, entry: StripEntry) -> PolyChunk {
    let entries = (0..3).map(|index| StripEntry { index, ..entry }).collect();
    let source = StripSource {
        reversed: false,
        entries,
    };
    PolyChunk::Strip(StripChunk::build(kind, flags, &[source]).unwrap())
}

fn strip(flags: StripFlags) -> PolyChunk {
    strip_of(StripKind::Cs, flags, StripEntry::default())
}

fn material(diffuse: u32, specular: Specular) -> PolyChunk {
    PolyChunk::Material(Material {
        blend: Blend::ALPHA,
        diffuse: Some(Argb(diffuse)),
        ambient: Some(Argb(0xFFFF_FFFF)),
        specular: Some(specular),
        ..Material::default()
    })
}

const DULL: Specular = Specular {
    exponent: 0,
    rgb: [0; 3],
};

const NONE: StripFlags = StripFlags(0);

/// Base colour of the first vertex.
fn colour(chunk: VertexChunk, plist: Vec<PolyChunk>, view: &View) -> u32 {
    vertices(&one(vec![chunk], plist), view)[0][6]
}

#[test]
fn vertex_colours_of_all_kinds() {
    let vertex = Vertex {
        diffuse: Argb(0x80F0_8811),
        specular: Argb(0xFF08_0408),
        ..Vertex::default()
    };
    // RGB565 is widened by shifting, alpha 255; ARGB4444 times 17; intensities take the green part. Without a texture the
    // specular colour is added: 0xF0 + 8, 0x88 + 4, 0x10 + 8; 4444 has 0xEE and 8, 0x88 and 4, 0x11 and 8.
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
    // The normal stands 60 degrees from light and viewer, which are one direction: half-way too, so the cosine is 1/2.
    // Base: 0.5 * 0.5 * 100 = 25. Highlight with exponent 2: 0.25 * 0.5 * 200 = 25.
    let chunk = || facing(VertexKind::CvVn, normal([0.866_025_4, 0.0, 0.5]));
    let shiny = Specular {
        exponent: 2,
        rgb: [200, 0, 0],
    };
    let plist = |flags| vec![material(0xFF64_6464, shiny), strip(flags)];
    let near = |found: u32, expected: [i32; 3]| {
        let bytes = [16, 8, 0].map(|shift| i32::from((found >> shift) as u8));
        // Truncated, and the normal's last bit is not to be trusted: one level less is right too.
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
    // CB_EXP has no effect unless it is asked for; then 4 instead of 2: 0.0625 * 0.5 * 200 = 6.25.
    let plist = vec![
        material(0xFF64_6464, shiny),
        PolyChunk::Exponent(Exponent(4)),
        strip(NONE),
    ];
    near(colour(chunk(), plist.clone(), &view()), [50, 25, 25]);
    let applied = View {
        settings: Settings {
            bits: BitsChunks::Applied,
            ..Settings::default()
        },
        ..view()
    };
    near(colour(chunk(), plist, &applied), [31, 25, 25]);
}

#[test]
fn lights_add_up_and_fall_with_distance_and_angle() {
    // The first vertex is (-5, -5, 0), its normal points to the viewer. A light 10 before it is full to 5 and gone at 25:
    // three quarters of it are left. 200 * 0.75 = 150.
    let position = [-5.0, -5.0, 10.0];
    let range = Range { near: 5.0, far: 25.0 };
    let lamp = |source| Light {
        source,
        colour: [1.0, 0.0, 0.0],
        specular: [0.0; 3],
    };
    let point = lamp(Source::Point { position, range });
    // A spot whose beam misses the vertex by 60 degrees: half-way in cosine between full at 0 and gone at 90 degrees.
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
    // A single directional light has a kernel of its own; a second one without colour takes the other way.
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
fn strips_have_normals_and_colours_of_their_own() {
    let entry = StripEntry {
        normal: [0, 0, 32767],
        color: Argb(0x4012_3456),
        ..StripEntry::default()
    };
    // The vertices look away, the strip's normals do not: 100 * 0.5.
    let away = || facing(VertexKind::CvVn, normal([0.0, 0.0, -1.0]));
    let plist = |kind| vec![material(0xFF64_6464, DULL), strip_of(kind, NONE, entry)];
    assert_eq!(colour(away(), plist(StripKind::Cs), &view()), 0xFF00_0000);
    assert_eq!(colour(away(), plist(StripKind::CsVn), &view()), 0xFF32_3232);
    assert_eq!(colour(away(), plist(StripKind::CsD8), &view()), 0x4012_3456);
    // The node's rotation turns them: half a turn about y makes them look away.
    let mut tree = ObjectTree::new();
    let turned = Object {
        ang: [Bams(0), Bams(0x8000), Bams(0)],
        ..Object::default()
    };
    add_node(&mut tree, vec![away()], plist(StripKind::CsVn), turned);
    assert_eq!(vertices(&tree, &view())[0][6], 0xFF00_0000);
}

#[test]
fn environment_coordinates_come_from_normals() {
    let uv = |n: [f32; 3]| {
        let chunk = facing(VertexKind::CvVn, normal(n));
        let plist = vec![
            PolyChunk::Texture(Tiny::default()),
            strip(StripFlags::ENVIRONMENT),
        ];
        let vertex = vertices(&one(vec![chunk], plist), &view())[0];
        [vertex[4], vertex[5]].map(f32::from_bits)
    };
    assert_eq!(uv([0.0, 0.0, 1.0]), [0.5, 0.5]);
    assert_eq!(uv([1.0, 0.0, 0.0]), [1.0, 0.5]);
    assert_eq!(uv([0.0, 1.0, 0.0]), [0.5, 0.0]);
    assert_eq!(uv([0.0, -0.5, 0.0]), [0.5, 0.75]);
}

/// Slot 0 from three nodes at x = 0, 2 and 4 with weights of 255, slots 1 and 2 plain.
fn three_stages(weights: [u16; 3], index: i16, offset: u16) -> ObjectTree {
    let mut tree = ObjectTree::new();
    let part = |weight, status: u8| {
        let vertex = Vertex {
            position: [0.0, 5.0, 0.0],
            flags: NinjaFlags { index, weight },
            diffuse: Argb(0xFF00_0001 + u32::from(status)),
            ..Vertex::default()
        };
        VertexChunk::build(VertexKind::CvNfD8, 0x80 | status, offset, &[vertex]).unwrap()
    };
    let plain = TRIANGLE.map(|position| Vertex {
        position,
        ..Vertex::default()
    });
    let plain = VertexChunk::build(VertexKind::Cv, 0x80, 1, &plain[..2]).unwrap();
    add_node(
        &mut tree,
        vec![part(weights[0], 0), plain],
        vec![],
        Object::default(),
    );
    for (status, x) in [(1_u8, 2.0), (2, 4.0)] {
        let plist = if status == 2 { vec![strip(NONE)] } else { vec![] };
        let object = Object {
            pos: [x, 0.0, 0.0],
            ..Object::default()
        };
        add_node(
            &mut tree,
            vec![part(weights[usize::from(status)], status)],
            plist,
            object,
        );
    }
    tree
}

#[test]
fn three_stages_of_weights_add_up() {
    for (weights, index, offset) in [
        ([85, 85, 85], 0, 0),
        ([100, 50, 60], -3, 3),
        ([200, 100, 0], 0, 0),
    ] {
        let found = vertices(&three_stages(weights, index, offset), &view())[0];
        // Sums of weight times (x, 5, -10): not renormalised, but the perspective divides the sum out again.
        let share = weights.map(|w| f64::from(w) / 255.0);
        let (x, all) = (share[1] * 2.0 + share[2] * 4.0, share.iter().sum::<f64>());
        let expected = [
            32.0 + 32.0 * x / (10.0 * all),
            24.0 - 32.0 * 5.0 / 10.0,
            1.0 / (10.0 * all),
        ];
        for k in 0..3 {
            let found = f64::from(f32::from_bits(found[1 + k]));
            assert!(
                (found - expected[k]).abs() < 1.0e-4,
                "{weights:?} {found} {}",
                expected[k]
            );
        }
        // The colour is the last stage's.
        assert_eq!(found[6], 0xFF00_0003);
    }
}

#[test]
fn the_buffer_has_32768_slots_and_no_more() {
    let draws = |offset: u16, count: usize| {
        let vertices = vec![Vertex::default(); count];
        let chunk = VertexChunk::build(VertexKind::Cv, 0x80, offset, &vertices).unwrap();
        let tree = one(vec![chunk], vec![]);
        let pose = Pose::rest(&tree);
        draw(
            &tree,
            &pose,
            &Shapes::none(),
            &view(),
            &mut Reference,
            &mut TaLists::default(),
        )
        .err()
        .map(|error| error.to_string())
    };
    assert_eq!(draws(32_767, 1), None);
    let error = draws(32_767, 2).unwrap();
    assert!(error.contains("slot 32768, expected 0 to 32767"), "{error}");
    let negative = three_stages([1, 1, 1], -1, 0);
    let pose = Pose::rest(&negative);
    let error = draw(
        &negative,
        &pose,
        &Shapes::none(),
        &view(),
        &mut Reference,
        &mut TaLists::default(),
    );
    assert!(error.unwrap_err().to_string().contains("slot -1"));
}

#[test]
fn two_parameter_strips_are_two_volume_polygons() {
    let second = PolyChunk::Material(Material {
        second: true,
        diffuse: Some(Argb(0xFF00_00C8)),
        ..Material::default()
    });
    let entry = StripEntry {
        uv: [256, 0],
        uv2: [0, 512],
        ..StripEntry::default()
    };
    let plist = |kind| {
        let tiny = |second| {
            PolyChunk::Texture(Tiny {
                second,
                filter: if second { Filter::Point } else { Filter::Bilinear },
                ..Tiny::default()
            })
        };
        let strip = strip_of(kind, StripFlags::IGNORE_LIGHT, entry);
        vec![
            material(0xFF64_0000, DULL),
            second.clone(),
            tiny(false),
            tiny(true),
            strip,
        ]
    };
    let tree = |kind| {
        one(
            vec![facing(VertexKind::CvVn, normal([0.0, 0.0, 1.0]))],
            plist(kind),
        )
    };
    // Without texture: form 9, the two colours in words 4 and 5 of 32 bytes.
    let (blocks, _) = drawn(&tree(StripKind::Cs2), &view());
    assert_eq!(blocks[0][0] & 0xC8, 0xC0, "shadow and volume, no texture");
    assert_eq!(blocks[1][4..], [0xFF64_0000, 0xFF00_00C8, 0, 0]);
    assert_eq!(blocks.len(), 1 + 3 + 1);
    // With: form 11, 64 bytes.
    let (blocks, stats) = drawn(&tree(StripKind::CsUvn2), &view());
    assert_eq!(blocks[0][0] & 0xC8, 0xC8);
    assert_eq!(
        [blocks[0][2] >> 13 & 3, blocks[0][4] >> 13 & 3],
        [1, 0],
        "filters of both volumes"
    );
    assert_eq!(blocks.len(), 1 + 6 + 1);
    assert_eq!(
        [blocks[1][4], blocks[1][5], blocks[1][6]],
        [1.0f32.to_bits(), 0, 0xFF64_0000]
    );
    assert_eq!(
        [blocks[2][0], blocks[2][1], blocks[2][2]],
        [0, 2.0f32.to_bits(), 0xFF00_00C8]
    );
    assert!(!stats.warnings.contains_key(&Warning::SecondVolume));
    // As cheap shadows: the first parameter alone, with the shadow bit.
    let cheap = View {
        settings: Settings {
            shadows: Shadows::HALF,
            ..Settings::default()
        },
        ..view()
    };
    let (blocks, stats) = drawn(&tree(StripKind::Cs2), &cheap);
    assert_eq!(blocks[0][0] & 0xC0, 0x80);
    assert_eq!(blocks[1][6], 0xFF64_0000);
    assert!(stats.warnings.contains_key(&Warning::SecondVolume));
    assert_eq!(
        (Shadows::HALF.register(), Shadows::TwoVolumes.register()),
        (0x180, 0)
    );
}

fn tetrahedron(kind: VertexKind) -> ObjectTree {
    let corners = [
        [-1.0, -1.0, 0.0],
        [1.0, -1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ];
    let vertices = corners.map(|position| Vertex {
        position,
        ..Vertex::default()
    });
    let chunk = VertexChunk::build(kind, 0x80, 0, &vertices).unwrap();
    let triangles: [&[u16]; 4] = [&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]];
    let volume = VolumeChunk::build(VolumeKind::P3, 0, &triangles).unwrap();
    one(vec![chunk], vec![PolyChunk::Volume(volume)])
}

#[test]
fn volumes_close_with_their_last_triangle() {
    let (blocks, stats) = drawn(&tetrahedron(VertexKind::Cv), &view());
    // A header, three triangles of two blocks, a header for the last, that one, the end of the list.
    assert_eq!(blocks.len(), 1 + 6 + 1 + 2 + 1);
    assert_eq!([blocks[0][0], blocks[0][1]], [0x8100_0000, 0]);
    assert_eq!([blocks[7][0], blocks[7][1]], [0x8100_0040, 1 << 29]);
    // The first triangle is slots 0, 2, 1: C's x is the last word of the first block, y and 1/w follow.
    let pixel = |x: f32, y: f32| {
        [
            (32.0 + 3.2 * x).to_bits(),
            (24.0 - 3.2 * y).to_bits(),
            0.1f32.to_bits(),
        ]
    };
    assert_eq!(blocks[1][1..4], pixel(-1.0, -1.0));
    assert_eq!(blocks[1][4..7], pixel(0.0, 1.0));
    assert_eq!([blocks[1][7], blocks[2][0], blocks[2][1]], pixel(1.0, -1.0));
    assert_eq!(stats.volumes, 1);
    // A model of other vertices is not drawn, unless it is asked for.
    let (blocks, stats) = drawn(&tetrahedron(VertexKind::CvD8), &view());
    assert_eq!(
        (blocks.len(), stats.warnings.get(&Warning::Volume)),
        (0, Some(&1))
    );
    let all = View {
        settings: Settings {
            volumes: Volumes::All,
            ..Settings::default()
        },
        ..view()
    };
    assert_eq!(drawn(&tetrahedron(VertexKind::CvD8), &all).1.volumes, 1);
}

#[test]
fn trilinear_strips_take_all_their_passes() {
    let lists = |flags, word: TextureWord| {
        let tiny = PolyChunk::Texture(Tiny {
            filter: Filter::TrilinearA,
            ..Tiny::default()
        });
        let strip = strip_of(StripKind::CsUvn, flags, StripEntry::default());
        let mut view = view();
        let checker = &view.textures.checker;
        view.textures.bound = vec![Some(BoundTexture { word, ..*checker })];
        let chunk = facing(VertexKind::CvVn, normal([0.0, 0.0, 1.0]));
        let tree = one(vec![chunk], vec![material(0xFFFF_FFFF, DULL), tiny, strip]);
        let (blocks, _) = drawn(&tree, &view);
        let headers = blocks.into_iter().filter(|block| block[0] >> 29 == 4);
        // List, filter, source, destination, source and destination in the secondary buffer.
        headers
            .map(|block| {
                let tsp = block[2];
                [
                    block[0] >> 24 & 7,
                    tsp >> 13 & 3,
                    tsp >> 29,
                    tsp >> 26 & 7,
                    tsp >> 25 & 1,
                    tsp >> 24 & 1,
                ]
            })
            .collect::<Vec<_>>()
    };
    let mipmapped = TextureWord(0).with_mip(true);
    assert_eq!(lists(NONE, mipmapped), [[0, 2, 1, 0, 0, 0], [2, 3, 1, 1, 0, 0]]);
    assert_eq!(
        lists(StripFlags::USE_ALPHA, mipmapped),
        [[2, 2, 1, 0, 0, 1], [2, 3, 1, 1, 0, 1], [2, 2, 4, 5, 1, 0]]
    );
    assert_eq!(lists(NONE, TextureWord(0)), [[0, 1, 1, 0, 0, 0]]);
}

#[test]
fn rotate_set_takes_the_rotation_that_was_kept() {
    // A quarter turn about z, kept before it by the root; the grandchild at (3, 0, 0) of the turned node lies at
    // (0, 3, 0) and is not turned itself.
    let mut tree = ObjectTree::new();
    let object = |evalflags, pos, z| Object {
        evalflags,
        pos,
        ang: [Bams(0), Bams(0), Bams(z)],
        ..Object::default()
    };
    let none = EvalFlags::default();
    tree.push_object(object(EvalFlags::ROTATE_BASE, [0.0; 3], 0));
    let turned = tree
        .push_child(ObjectId(0), object(none, [0.0; 3], 0x4000))
        .unwrap();
    let chunk = facing(VertexKind::CvVn, normal([0.0, 0.0, 1.0]));
    let vlist = Some(tree.push_vlist(Vlist { chunks: vec![chunk] }));
    let plist = Some(tree.push_plist(Plist {
        chunks: vec![strip(NONE)],
    }));
    let model = Some(tree.push_model(Model {
        vlist,
        plist,
        center: [0.0; 3],
        radius: 10.0,
    }));
    let last = Object {
        model,
        ..object(EvalFlags::ROTATE_SET, [3.0, 0.0, 0.0], 0)
    };
    tree.push_child(turned, last).unwrap();
    let found = vertices(&tree, &view())[2];
    // The tip (0, 5) moves to (0, 8).
    let [x, y] = [found[1], found[2]].map(f32::from_bits);
    assert!(
        (x - 32.0).abs() < 1.0e-3 && (y - (24.0 - 3.2 * 8.0)).abs() < 1.0e-3,
        "{x} {y}"
    );
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
    // In place, and cut at the near plane.
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

#[test]
fn culling_changes_no_pixel() {
    let mut rng = Rng::new(11);
    let (mut culled, mut saved) = (0, 0);
    for _ in 0..60 {
        let mut tree = ObjectTree::new();
        tree.push_object(Object::default());
        for _ in 0..12 {
            let place: [f32; 3] = std::array::from_fn(|_| rng.range(-25.0, 25.0));
            let corners = TRIANGLE.map(|corner| Vertex {
                position: corner.map(|c| c * 0.3),
                diffuse: Argb(0xFF00_0000 | rng.word() >> 8),
                ..Vertex::default()
            });
            let chunk = VertexChunk::build(VertexKind::CvD8, 0x80, 0, &corners).unwrap();
            let object = Object {
                pos: place,
                ang: std::array::from_fn(|_| Bams(rng.below(0x10000) as i32)),
                scl: std::array::from_fn(|_| rng.range(0.3, 3.0)),
                ..Object::default()
            };
            let id = add_node(
                &mut tree,
                vec![chunk],
                vec![strip(StripFlags::DOUBLE_SIDE)],
                object,
            );
            // The farthest corner is (1.5, 1.5); one sphere in three is a lie.
            let radius = if rng.below(3) == 0 { 0.1 } else { 2.2 };
            let model = tree.objects[id.index()].model.unwrap();
            tree.models[model.index()].radius = radius;
        }
        let picture = |cull| {
            let view = View {
                settings: Settings {
                    cull,
                    ..Settings::default()
                },
                ..view()
            };
            let (blocks, stats) = drawn(&tree, &view);
            let mut frame = pvr::Frame::new(64, 48, pvr::Settings::default()).unwrap();
            blocks.iter().for_each(|block| frame.block(block));
            (frame.render(1).unwrap(), stats)
        };
        let ((with, stats), (without, all)) = (picture(true), picture(false));
        assert_eq!(with, without);
        culled += stats.culled;
        saved += all.strips - stats.strips;
    }
    println!("{culled} of 720 models out of sight, {saved} strips saved");
    assert!(culled > 100 && saved > 50);
}
