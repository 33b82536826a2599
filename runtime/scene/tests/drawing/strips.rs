//! Attributes of strips: their own normals and colours, environment maps, two volumes, passes.

use super::*;

#[test]
fn strips_have_normals_and_colours_of_their_own() {
    let entry = StripEntry {
        normal: [0, 0, 32767],
        color: Argb(0x4012_3456),
        ..StripEntry::default()
    };
    // The vertices face away, the strip's normals do not: 100 * 0.5.
    let away = || facing(VertexKind::CvVn, normal([0.0, 0.0, -1.0]));
    let plist = |kind| vec![material(0xFF64_6464, DULL), strip_of(kind, NONE, entry)];
    assert_eq!(colour(away(), plist(StripKind::Cs), &view()), 0xFF00_0000);
    assert_eq!(colour(away(), plist(StripKind::CsVn), &view()), 0xFF32_3232);
    assert_eq!(colour(away(), plist(StripKind::CsD8), &view()), 0x4012_3456);
    // The node's rotation applies to them: half a turn about y makes them face away.
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
    // With cheap shadows: only the first parameter, with the shadow bit.
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
