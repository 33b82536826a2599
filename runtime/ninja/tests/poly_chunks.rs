//! Compares every polygon chunk kind with words computed by hand.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common;
use crate::common::{be16, le16, one_list};
use ninja::{
    Argb, Blend, BlendMode, Bump, Chunk, Exponent, Filter, Material, MipmapAdjust, Plist, PolyChunk,
    Specular, Strip, StripChunk, StripEntry, StripFlags, StripKind, StripSource, Tiny, VolumeChunk,
    VolumeKind,
};

/// Reads a plist of `words` and an end word, checks that it is written back, and returns its chunks.
fn plist_of(words: &[u16], warnings: usize) -> Vec<PolyChunk> {
    let bytes = one_list(&le16(&[words, &[0xFF]].concat()), true);
    let file = ninja::read(&bytes).unwrap();
    assert_eq!(file.warnings.len(), warnings, "{:?}", file.warnings);
    assert_eq!(file.write().unwrap(), bytes);
    let [Chunk::Model(tree)] = &file.chunks[..] else {
        panic!("{file:?}")
    };
    tree.plists[0].chunks.clone()
}

#[test]
fn bits_and_tiny() {
    let tiny = Tiny {
        texture: 5,
        flip_u: true,
        clamp_v: true,
        mipmap_adjust: 4,
        filter: Filter::Bilinear,
        supersample: true,
        ..Tiny::default()
    };
    let all_set = Tiny {
        second: true,
        texture: 8191,
        flip_u: false,
        flip_v: true,
        clamp_u: true,
        clamp_v: false,
        mipmap_adjust: 15,
        filter: Filter::TrilinearB,
        supersample: true,
    };
    let secondary = Blend {
        src: BlendMode::One,
        dst: BlendMode::Zero,
        src_select: true,
        dst_select: false,
    };
    let samples: [(&[u16], PolyChunk); 9] = [
        (&[0x0000], PolyChunk::Null),
        (&[0x2501], PolyChunk::Blend(Blend::ALPHA)),
        (&[0x8801], PolyChunk::Blend(secondary)),
        (&[0x0402], PolyChunk::MipmapAdjust(MipmapAdjust(4))),
        (&[0x0B03], PolyChunk::Exponent(Exponent(11))),
        (&[0xFF04], PolyChunk::CachePolygons(255)),
        (&[0x0705], PolyChunk::DrawPolygons(7)),
        (&[0x9408, 0x6005], PolyChunk::Texture(tiny)),
        (&[0x6F09, 0xFFFF], PolyChunk::Texture(all_set)),
    ];
    for (words, chunk) in samples {
        assert_eq!(plist_of(words, 0), [chunk]);
    }
    assert_eq!(MipmapAdjust(4).factor(), 1.0);
    assert_eq!(Exponent(0xEB).value(), 11);
}

/// The seven materials and their second-parameter counterparts, blending SA + ISA (headbits 0x25).
#[test]
fn materials() {
    let (d, a) = (
        Some(Argb::new(0x11, 0x22, 0x33, 0x44)),
        Some(Argb::new(0xFF, 0x55, 0x66, 0x77)),
    );
    let s = Some(Specular {
        exponent: 11,
        rgb: [0x88, 0x99, 0xAA],
    });
    let (dw, aw, sw) = ([0x3344, 0x1122], [0x6677, 0xFF55], [0x99AA, 0x0B88]);
    let rows = [
        (17, d, None, None, dw.to_vec()),
        (18, None, a, None, aw.to_vec()),
        (19, d, a, None, [dw, aw].concat()),
        (20, None, None, s, sw.to_vec()),
        (21, d, None, s, [dw, sw].concat()),
        (22, None, a, s, [aw, sw].concat()),
        (23, d, a, s, [dw, aw, sw].concat()),
    ];
    for (id, diffuse, ambient, specular, data) in rows {
        for second in [false, true] {
            let head = 0x2500 | (id + if second { 8 } else { 0 });
            let words = [&[head, data.len() as u16], &data[..]].concat();
            let material = Material {
                second,
                blend: Blend::ALPHA,
                diffuse,
                ambient,
                specular,
            };
            assert_eq!(
                plist_of(&words, 0),
                [PolyChunk::Material(material)],
                "head {head:#x}"
            );
        }
    }
}

#[test]
fn bump() {
    let bump = Bump {
        headbits: 0,
        direction: [32767, 0, -32767],
        up: [0, 32767, 0],
    };
    assert_eq!(
        plist_of(&[24, 6, 0x7FFF, 0, 0x8001, 0, 0x7FFF, 0], 0),
        [PolyChunk::Bump(bump)]
    );
}

/// The example of docs/formats/ninja.md 6, unchanged and padded.
#[test]
fn cs_example() {
    let plain = [0x40, 5, 1, 3, 0, 1, 2];
    let chunks = plist_of(&plain, 0);
    let [PolyChunk::Strip(chunk)] = &chunks[..] else {
        panic!("{chunks:?}")
    };
    assert_eq!(
        (chunk.kind, chunk.flags, chunk.user_words),
        (StripKind::Cs, StripFlags(0), 0)
    );
    assert_eq!(
        chunk.strips,
        [Strip {
            reversed: false,
            start: 1,
            len: 3
        }]
    );
    assert_eq!(chunk.indices(&chunk.strips[0]).collect::<Vec<_>>(), [0, 1, 2]);

    let padded = [0x40, 6, 1, 3, 0, 1, 2, 0];
    let entries = [0, 1, 2].map(|index| StripEntry {
        index,
        ..StripEntry::default()
    });
    let source = StripSource {
        reversed: false,
        entries: entries.to_vec(),
    };
    let built = StripChunk::build(StripKind::Cs, StripFlags(0), &[source]).unwrap();
    assert_eq!(plist_of(&padded, 0), [PolyChunk::Strip(built)]);
}

/// Entry `i` of the samples below, with the attributes of `kind`.
fn entry(kind: StripKind, i: u16) -> StripEntry {
    let (k, only) = (i as i16, |yes: bool, v: i16| if yes { v } else { 0 });
    let (one, two) = (kind.uv_pairs() > 0, kind.uv_pairs() > 1);
    StripEntry {
        index: 10 + i,
        uv: [only(one, 256 + k), only(one, -k)],
        uv2: [only(two, 512 + k), only(two, -1024)],
        normal: [only(kind.has_normal(), 32767), 0, only(kind.has_normal(), -32767)],
        color: if kind.has_color() {
            Argb(0x1122_3344 + u32::from(i))
        } else {
            Argb(0)
        },
        user: [0; 3],
    }
}

/// A strip of three entries and a reversed one of four, per kind. The rows give entry 0 and entry 1 in words.
#[test]
fn every_strip_kind() {
    #[rustfmt::skip]
    let rows: [(u16, &[u16], &[u16]); 12] = [
        (64, &[10], &[11]),
        (65, &[10, 0x100, 0], &[11, 0x101, 0xFFFF]),
        (66, &[10, 0x100, 0], &[11, 0x101, 0xFFFF]),
        (67, &[10, 0x7FFF, 0, 0x8001], &[11, 0x7FFF, 0, 0x8001]),
        (68, &[10, 0x100, 0, 0x7FFF, 0, 0x8001], &[11, 0x101, 0xFFFF, 0x7FFF, 0, 0x8001]),
        (69, &[10, 0x100, 0, 0x7FFF, 0, 0x8001], &[11, 0x101, 0xFFFF, 0x7FFF, 0, 0x8001]),
        (70, &[10, 0x3344, 0x1122], &[11, 0x3345, 0x1122]),
        (71, &[10, 0x100, 0, 0x3344, 0x1122], &[11, 0x101, 0xFFFF, 0x3345, 0x1122]),
        (72, &[10, 0x100, 0, 0x3344, 0x1122], &[11, 0x101, 0xFFFF, 0x3345, 0x1122]),
        (73, &[10], &[11]),
        (74, &[10, 0x100, 0, 0x200, 0xFC00], &[11, 0x101, 0xFFFF, 0x201, 0xFC00]),
        (75, &[10, 0x100, 0, 0x200, 0xFC00], &[11, 0x101, 0xFFFF, 0x201, 0xFC00]),
    ];
    for (id, e0, e1) in rows {
        for user_words in 0..4 {
            one_strip_kind(id, [e0, e1], user_words);
        }
    }
}

/// The samples above with user words after the entries from the third on.
fn one_strip_kind(id: u16, halves: [&[u16]; 2], user_words: u8) {
    const USER: [u16; 3] = [0xA1, 0xFFFF, 0x8000];
    let user = &USER[..usize::from(user_words)];
    let mut words = vec![u16::from(user_words) << 14 | 2];
    for (length, entries) in [(3, 3), (0xFFFC, 4)] {
        words.push(length);
        for i in 0..entries {
            words.extend(halves[i % 2]);
            words.extend(if i >= 2 { user } else { &[] });
        }
    }
    if words.len() % 2 == 1 {
        words.push(0);
    }
    let words = [&[0x1800 | id, words.len() as u16], &words[..]].concat();
    let kind = StripKind::from_id(id as u8).unwrap();
    let at = |i: u16| {
        let mut made = entry(kind, i % 2);
        if i >= 2 {
            made.user[..user.len()].copy_from_slice(user);
        }
        made
    };
    let strip = |reversed, n| StripSource {
        reversed,
        entries: (0..n).map(at).collect(),
    };
    let flags = StripFlags::DOUBLE_SIDE | StripFlags::USE_ALPHA;
    let strips = [strip(false, 3), strip(true, 4)];
    let built = StripChunk::build_with_user(kind, flags, user_words, &strips).unwrap();
    let case = format!("id {id}, {user_words} user words");
    assert_eq!(plist_of(&words, 0), [PolyChunk::Strip(built.clone())], "{case}");
    let shapes: Vec<_> = built.strips.iter().map(|s| (s.reversed, s.len)).collect();
    assert_eq!(shapes, [(false, 3), (true, 4)], "{case}");
    let read: Vec<_> = built.entries(&built.strips[1]).collect();
    assert_eq!(read, [0, 1, 2, 3].map(at), "{case}");
}

/// User flags follow each entry from the third on.
#[test]
fn user_flags() {
    #[rustfmt::skip]
    let rows: [(u8, &[u16]); 4] = [
        (0, &[0x40, 6, 1, 0xFFFC, 0, 1, 2, 3]),
        (1, &[0x40, 8, 1 << 14 | 1, 0xFFFC, 0, 1, 2, 0xA1, 3, 0xB1]),
        (2, &[0x40, 10, 2 << 14 | 1, 0xFFFC, 0, 1, 2, 0xA1, 0xA2, 3, 0xB1, 0xB2]),
        (3, &[0x40, 12, 3 << 14 | 1, 0xFFFC, 0, 1, 2, 0xA1, 0xA2, 0xA3, 3, 0xB1, 0xB2, 0xB3]),
    ];
    for (user_words, words) in rows {
        let user = [[9; 3], [9; 3], [0xA1, 0xA2, 0xA3], [0xB1, 0xB2, 0xB3]];
        let entries = (0..4).map(|i| StripEntry {
            index: i,
            user: user[i as usize],
            ..StripEntry::default()
        });
        let source = StripSource {
            reversed: true,
            entries: entries.collect(),
        };
        let built = StripChunk::build_with_user(StripKind::Cs, StripFlags(0), user_words, &[source]).unwrap();
        assert_eq!(
            plist_of(words, 0),
            [PolyChunk::Strip(built.clone())],
            "{user_words} user words"
        );
        let read: Vec<_> = built
            .entries(&built.strips[0])
            .map(|e| e.user[..usize::from(user_words)].to_vec())
            .collect();
        assert_eq!(read[1], vec![0; usize::from(user_words)]);
        assert_eq!(read[3], user[3][..usize::from(user_words)]);
        assert_eq!(built.indices(&built.strips[0]).collect::<Vec<_>>(), [0, 1, 2, 3]);
    }
}

/// Words after the strips are kept; more than two give a warning.
#[test]
fn tails() {
    let body = [3, 0, 1, 2, 0xABCD, 0xBCDE, 0xCDEF];
    for n in 0..=3usize {
        let words = [&[0x40, 5 + n as u16, 1], &body[..4 + n]].concat();
        let chunks = plist_of(&words, usize::from(n > 2));
        let [PolyChunk::Strip(chunk)] = &chunks[..] else {
            panic!("{chunks:?}")
        };
        assert_eq!(chunk.tail(), &body[4..4 + n]);
    }
}

#[test]
fn volumes() {
    let p3 = VolumeChunk::build(VolumeKind::P3, 1, &[&[0, 1, 2, 0xA1], &[2, 1, 3, 0xB1]]).unwrap();
    let words = [56, 10, 1 << 14 | 2, 0, 1, 2, 0xA1, 2, 1, 3, 0xB1, 0];
    assert_eq!(plist_of(&words, 0), [PolyChunk::Volume(p3.clone())]);
    assert_eq!(p3.polygons().collect::<Vec<_>>(), [[0, 1, 2], [2, 1, 3]]);

    let p4 = VolumeChunk::build(VolumeKind::P4, 0, &[&[0, 1, 2, 3]]).unwrap();
    assert_eq!(
        plist_of(&[57, 6, 1, 0, 1, 2, 3, 0], 0),
        [PolyChunk::Volume(p4.clone())]
    );
    assert_eq!(p4.polygons().collect::<Vec<_>>(), [[0, 1, 2, 3]]);

    let st = VolumeChunk::build_strips(&[(true, &[4, 5, 6])]).unwrap();
    assert_eq!(
        plist_of(&[58, 6, 1, 0xFFFD, 4, 5, 6, 0], 0),
        [PolyChunk::Volume(st.clone())]
    );
    assert_eq!(st.indices(&st.strips[0]).collect::<Vec<_>>(), [4, 5, 6]);
}

/// Ids without a meaning are skipped by the rule of docs/formats/ninja.md 1.5 and kept, as are unusual sizes
/// of known ids.
#[test]
fn reserved_chunks_are_kept() {
    let lists: [&[u16]; 7] = [
        &[0x0006],
        &[0x1200],
        &[0x000F, 0x1234],
        &[0x0010, 2, 1, 2],
        &[0x007F, 0],
        &[0x0011, 3, 1, 2, 3],
        &[0x0018, 7, 1, 2, 3, 4, 5, 6, 7],
    ];
    for words in lists {
        let chunks = plist_of(words, 1);
        assert!(matches!(&chunks[..], [PolyChunk::Reserved(_)]), "{words:x?}");
        assert_eq!(chunks[0].file_words(), words.len());
    }
}

#[test]
fn short_strips_are_kept_with_a_warning() {
    plist_of(&[0x40, 2, 1, 0], 1);
    plist_of(&[0x40, 4, 1, 2, 7, 8], 1);
}

/// Null words precede chunks that are read in 32-bit units.
#[test]
fn alignment() {
    let entries = [0, 1, 2]
        .map(|index| StripEntry {
            index,
            ..StripEntry::default()
        })
        .to_vec();
    let strip = StripChunk::build(
        StripKind::Cs,
        StripFlags(0),
        &[StripSource {
            reversed: false,
            entries,
        }],
    )
    .unwrap();
    let list = Plist::aligned([
        PolyChunk::CachePolygons(0),
        PolyChunk::Material(Material {
            diffuse: Some(Argb(!0)),
            ..Material::default()
        }),
        PolyChunk::Texture(Tiny::default()),
        PolyChunk::Strip(strip.clone()),
        PolyChunk::Strip(strip),
    ]);
    let ids: Vec<_> = list.chunks.iter().map(PolyChunk::id).collect();
    assert_eq!(ids, [4, 0, 17, 8, 64, 64]);
}

/// Big-endian plists are byte-swapped in 16-bit words, so colours keep the order of their halves
/// (docs/formats/ninja.md 1.1).
#[test]
fn big_endian_material() {
    let mut body = common::be32(&common::node(0, 52, 0, 0));
    body.extend(common::be32(&[0, 76, 0, 0, 0, 0]));
    body.extend(be16(&[17, 2, 0x3344, 0x1122, 0xFF]));
    let bytes = [
        common::chunk(b"NJCM", &body),
        common::chunk(b"POF0", &[0x41, 0x4D, 0, 0]),
    ]
    .concat();
    let file = ninja::read(&bytes).unwrap();
    let tree = file.models().next().unwrap();
    let expected = Material {
        diffuse: Some(Argb(0x1122_3344)),
        ..Material::default()
    };
    assert_eq!(tree.plists[0].chunks, [PolyChunk::Material(expected)]);
    assert_eq!(file.write().unwrap(), bytes);
}
