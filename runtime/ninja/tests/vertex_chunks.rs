//! Compares every vertex kind with bytes computed by hand.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common::{ONE, le32, one_list};
use ninja::{Argb, Chunk, FV_CONT, NinjaFlags, Vertex, VertexChunk, VertexKind, Vlist, Weight};

const TWO: u32 = 0x4000_0000;
const THREE: u32 = 0x4040_0000;
const MINUS_ONE: u32 = 0xBF80_0000;
const USER: u32 = 0xDEAD_BEEF;
/// Weight 128, index 3.
const FLAGS: u32 = 0x0080_0003;
/// 565: F81F is r 31 g 0 b 31, 07E0 is g 63.
const S5: u32 = 0xF81F_07E0;
/// 4444: 8F0A is a 8 r 15 g 0 b 10.
const S4: u32 = 0x8F0A_07E0;
const INTENSITY: u32 = 0x8000_4000;

/// Position 1 2 3, normal 0 -1 0, and the attributes of the kind.
struct Row {
    id: u8,
    words: &'static [u32],
    normal: bool,
    diffuse: Option<u32>,
    specular: Option<u32>,
}

const fn row(
    id: u8,
    words: &'static [u32],
    normal: bool,
    diffuse: Option<u32>,
    specular: Option<u32>,
) -> Row {
    Row {
        id,
        words,
        normal,
        diffuse,
        specular,
    }
}

const RED: u32 = 0xFF80_0000;
const GREEN: u32 = 0x0000_FF00;

#[rustfmt::skip]
const ROWS: [Row; 21] = [
    row(32, &[ONE, TWO, THREE, ONE], false, None, None),
    row(33, &[ONE, TWO, THREE, ONE, 0, MINUS_ONE, 0, 0], true, None, None),
    row(34, &[ONE, TWO, THREE], false, None, None),
    row(35, &[ONE, TWO, THREE, RED], false, Some(RED), None),
    row(36, &[ONE, TWO, THREE, USER], false, None, None),
    row(37, &[ONE, TWO, THREE, FLAGS], false, None, None),
    row(38, &[ONE, TWO, THREE, S5], false, Some(0xFFF8_00F8), Some(0xFF00_FC00)),
    row(39, &[ONE, TWO, THREE, S4], false, Some(0x88FF_00AA), Some(0x0000_FC00)),
    row(40, &[ONE, TWO, THREE, INTENSITY], false, Some(0xFF80_8080), Some(0xFF40_4040)),
    row(41, &[ONE, TWO, THREE, 0, MINUS_ONE, 0], true, None, None),
    row(42, &[ONE, TWO, THREE, 0, MINUS_ONE, 0, RED], true, Some(RED), None),
    row(43, &[ONE, TWO, THREE, 0, MINUS_ONE, 0, USER], true, None, None),
    row(44, &[ONE, TWO, THREE, 0, MINUS_ONE, 0, FLAGS], true, None, None),
    row(45, &[ONE, TWO, THREE, 0, MINUS_ONE, 0, S5], true, Some(0xFFF8_00F8), Some(0xFF00_FC00)),
    row(46, &[ONE, TWO, THREE, 0, MINUS_ONE, 0, S4], true, Some(0x88FF_00AA), Some(0x0000_FC00)),
    row(47, &[ONE, TWO, THREE, 0, MINUS_ONE, 0, INTENSITY], true, Some(0xFF80_8080), Some(0xFF40_4040)),
    row(48, &[ONE, TWO, THREE, 0x0008_0000], true, None, None),
    row(49, &[ONE, TWO, THREE, 0x0008_0000, RED], true, Some(RED), None),
    row(50, &[ONE, TWO, THREE, 0x0008_0000, USER], true, None, None),
    row(51, &[ONE, TWO, THREE, RED, GREEN], false, Some(RED), Some(GREEN)),
    row(52, &[ONE, TWO, THREE, FLAGS, RED], false, Some(RED), None),
];

fn vlist_of(bytes: &[u8]) -> Vlist {
    let file = ninja::read(bytes).unwrap();
    assert_eq!(file.warnings, []);
    assert_eq!(file.write().unwrap(), bytes);
    let [Chunk::Model(tree)] = &file.chunks[..] else {
        panic!("{file:?}")
    };
    tree.vlists[0].clone()
}

/// The example of docs/formats/ninja.md 6: `CV` with (1, 2, 3) at offset 5.
#[test]
fn cv_example() {
    let list = [
        0x22, 0x00, 0x04, 0x00, 0x05, 0x00, 0x01, 0x00, 0x00, 0x00, 0x80, 0x3F, 0x00, 0x00, 0x00, 0x40, 0x00,
        0x00, 0x40, 0x40, 0xFF, 0x00, 0x00, 0x00,
    ];
    let vlist = vlist_of(&one_list(&list, false));
    let expected = VertexChunk::from_parts(VertexKind::Cv, 0, 5, vec![ONE, TWO, THREE]).unwrap();
    assert_eq!(vlist.chunks, [expected]);
    assert_eq!(vlist.chunks[0].position(0), [1.0, 2.0, 3.0]);
}

#[test]
fn every_kind_reads() {
    for row in &ROWS {
        let stride = row.words.len() as u32;
        let mut list = vec![
            (1 + 2 * stride) << 16 | 0x80 << 8 | u32::from(row.id),
            2 << 16 | 7,
        ];
        list.extend([row.words, row.words].concat());
        list.push(0xFF);
        let chunk = &vlist_of(&one_list(&le32(&list), false)).chunks[0];
        assert_eq!(
            (chunk.kind.id(), chunk.count, chunk.index_offset, chunk.headbits),
            (row.id, 2, 7, FV_CONT)
        );
        for i in 0..2 {
            let id = row.id;
            assert_eq!(chunk.position(i), [1.0, 2.0, 3.0], "id {id}");
            assert_eq!(chunk.normal(i), row.normal.then_some([0.0, -1.0, 0.0]), "id {id}");
            assert_eq!(chunk.diffuse(i), row.diffuse.map(Argb), "id {id}");
            assert_eq!(chunk.specular(i), row.specular.map(Argb), "id {id}");
            let weighted = [37, 44, 52].contains(&id);
            assert_eq!(
                chunk.ninja_flags(i),
                weighted.then_some(NinjaFlags {
                    index: 3,
                    weight: 128
                }),
                "id {id}"
            );
            assert_eq!(
                chunk.weight_status(),
                weighted.then_some(Weight::Start),
                "id {id}"
            );
            assert_eq!(chunk.slot(i), if weighted { 10 } else { 7 + i as i32 }, "id {id}");
            assert_eq!(
                chunk.user_flags(i),
                [36, 43, 50].contains(&id).then_some(USER),
                "id {id}"
            );
        }
    }
}

#[test]
fn every_kind_builds() {
    for row in &ROWS {
        let vertex = Vertex {
            position: [1.0, 2.0, 3.0],
            normal: [0.0, -1.0, 0.0],
            flags: NinjaFlags {
                index: 3,
                weight: 128,
            },
            diffuse: Argb(row.diffuse.unwrap_or(0x1234_5678)),
            specular: Argb(row.specular.unwrap_or(0x1234_5678)),
            user: USER,
        };
        let kind = VertexKind::from_id(row.id).unwrap();
        let chunk = VertexChunk::build(kind, 0x82, 0, &[vertex]).unwrap();
        assert_eq!(chunk.words, row.words, "id {}", row.id);
    }
}

/// Weights over two matrices: START, MIDDLE, END, and the unassigned status 3.
#[test]
fn weight_status_and_signed_index() {
    let list = |headbits: u32| {
        le32(&[
            5 << 16 | headbits << 8 | 37,
            1 << 16 | 2,
            0,
            0,
            0,
            0x00FF_FFFF,
            0xFF,
        ])
    };
    for (headbits, status) in [(0x80, Weight::Start), (0x81, Weight::Middle), (0x82, Weight::End)] {
        let chunk = &vlist_of(&one_list(&list(headbits), false)).chunks[0];
        assert_eq!(chunk.weight_status(), Some(status));
        assert_eq!(
            chunk.ninja_flags(0),
            Some(NinjaFlags {
                index: -1,
                weight: 255
            })
        );
        assert_eq!(chunk.slot(0), 1);
    }
    let file = ninja::read(&one_list(&list(0x83), false)).unwrap();
    assert_eq!(file.warnings.len(), 1);
}

/// Packed normals, docs/formats/ninja.md 1.6.
#[test]
fn packed_normals() {
    let samples = [
        (0x1FF0_0000, [511.0 / 512.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
        (0x0008_0000, [0.0, -1.0, 0.0], [0.0, -1.0, 0.0]),
        (0x0000_01FF, [0.0, 0.0, 511.0 / 512.0], [0.0, 0.0, 1.0]),
        (0x0000_0200, [0.0, 0.0, -1.0], [0.0, 0.0, -1.0]),
    ];
    for (word, read, written) in samples {
        let chunk = VertexChunk::from_parts(VertexKind::CvVnx, 0, 0, vec![0, 0, 0, word]).unwrap();
        assert_eq!(chunk.normal(0), Some(read));
        let vertex = Vertex {
            normal: written,
            ..Vertex::default()
        };
        assert_eq!(
            VertexChunk::build(VertexKind::CvVnx, 0, 0, &[vertex])
                .unwrap()
                .words[3],
            word
        );
    }
}

/// Several kinds in one list (docs/formats/ninja.md 2.2).
#[test]
fn kinds_mix() {
    let list = [
        4 << 16 | 34,
        1 << 16,
        ONE,
        TWO,
        THREE, // CV
        5 << 16 | 35,
        1 << 16 | 1,
        ONE,
        TWO,
        THREE,
        RED, // CV_D8
        1 << 16 | 41,
        0, // CV_VN without vertices
        0xFF,
    ];
    let kinds: Vec<_> = vlist_of(&one_list(&le32(&list), false))
        .chunks
        .iter()
        .map(|c| c.kind)
        .collect();
    assert_eq!(kinds, [VertexKind::Cv, VertexKind::CvD8, VertexKind::CvVn]);
}

#[test]
fn unusual_lists_are_kept_with_a_warning() {
    let lists: [&[u32]; 3] = [
        // Two words more than the vertex.
        &[6 << 16 | 34, 1 << 16, ONE, TWO, THREE, 7, 8, 0xFF],
        // A different end word.
        &[0x1200_00FF],
        // The CompactShape bit in a model's list.
        &[4 << 16 | 0x40 << 8 | 34, 1 << 16, ONE, TWO, THREE, 0xFF],
    ];
    for list in lists {
        let bytes = one_list(&le32(list), false);
        let file = ninja::read(&bytes).unwrap();
        assert_eq!(file.warnings.len(), 1, "{list:x?}");
        assert_eq!(file.write().unwrap(), bytes, "{list:x?}");
    }
}

#[test]
fn building_checks_sizes() {
    assert!(VertexChunk::from_parts(VertexKind::Cv, 0, 0, vec![0; 4]).is_err());
    assert!(VertexChunk::from_parts(VertexKind::Cv, 0, 0, vec![0; 65_535]).is_err());
    let largest = VertexChunk::from_parts(VertexKind::Cv, 0, 0, vec![0; 65_532]).unwrap();
    assert_eq!(largest.count, 21_844);
}
