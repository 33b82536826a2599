//! Modifier volumes.

use super::*;
use scene::{VolumeQuads, volume_triangles};

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

/// docs/formats/chunk-model.md 3.9: index0 to index3 go around the polygon. As a strip its triangles are 0 1
/// 2 and 2 1 3.
#[test]
fn a_quadrilateral_is_two_triangles_in_the_order_of_the_settings() {
    let quad = VolumeChunk::build(VolumeKind::P4, 0, &[&[4, 5, 6, 7]]).unwrap();
    assert_eq!(
        volume_triangles(&quad, VolumeQuads::Around),
        [[4, 5, 6], [4, 6, 7]]
    );
    assert_eq!(
        volume_triangles(&quad, VolumeQuads::Strip),
        [[4, 5, 6], [6, 5, 7]]
    );
}

/// Blocks of a list type: bits 26 to 24 of headers, ends of lists apart.
fn headers(blocks: &[[u32; 8]], list: u32) -> usize {
    let is_header = |block: &&[u32; 8]| block[0] >> 29 == 4 && block[0] >> 24 & 7 == list;
    blocks.iter().filter(is_header).count()
}

#[test]
fn volumes_reach_translucent_polygons_where_there_are_any() {
    let mut tree = tetrahedron(VertexKind::Cv);
    // A single volume: opaque modifiers (1); no translucent ones (3), since no polygon could be inside.
    let (blocks, _) = drawn(&tree, &view());
    assert_eq!([headers(&blocks, 1), headers(&blocks, 3)], [2, 0]);
    let vertices = TRIANGLE.map(|position| Vertex {
        position,
        ..Vertex::default()
    });
    let chunk = VertexChunk::build(VertexKind::CvVn, 0x80, 8, &vertices).unwrap();
    let entry = |index| StripEntry {
        index,
        ..StripEntry::default()
    };
    let source = StripSource {
        reversed: false,
        entries: vec![entry(8), entry(9), entry(10)],
    };
    let strip = StripChunk::build(StripKind::Cs, StripFlags::USE_ALPHA, &[source]).unwrap();
    add_node(
        &mut tree,
        vec![chunk],
        vec![PolyChunk::Strip(strip)],
        Object::default(),
    );
    let (blocks, stats) = drawn(&tree, &view());
    assert_eq!([headers(&blocks, 1), headers(&blocks, 3)], [2, 2]);
    assert_eq!(stats.volumes, 1);
    let opaque = View {
        settings: Settings {
            volume_lists: VolumeLists::Opaque,
            ..Settings::default()
        },
        ..view()
    };
    let (blocks, _) = drawn(&tree, &opaque);
    assert_eq!([headers(&blocks, 1), headers(&blocks, 3)], [2, 0]);
}
