//! Whole files: chunks, texture lists, nodes, byte orders, editing.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

use crate::common::{ONE, be32, chunk, le32, node, one_list};
use ninja::{
    Argb, ByteOrder, Chunk, ChunkId, EvalFlags, File, Model, NjcmQuaternion, NodeFormat, Object, ObjectTree,
    Plist, Pof0, PolyChunk, RawChunk, Settings, Texlist, TextureName, Vertex, VertexChunk, VertexKind, Vlist,
    WarningKind, WeightScale,
};

fn tree_of(file: &File) -> &ObjectTree {
    file.models().next().unwrap()
}

/// The smallest texture list of docs/formats/ninja.md 1.3.
#[test]
fn texture_list_example() {
    let mut body = le32(&[8, 1, 0x14, 0, 0]);
    body.extend(b"abc\0");
    let bytes = [chunk(b"NJTL", &body), chunk(b"POF0", &[0x40, 0x42, 0, 0])].concat();
    let list = Texlist::new(vec![TextureName::new("abc")]);
    let file = ninja::read(&bytes).unwrap();
    assert_eq!(file.texlist(), Some(&list));
    assert_eq!(file.write().unwrap(), bytes);
    assert_eq!(File::new(vec![Chunk::Texlist(list)]).write().unwrap(), bytes);
}

#[test]
fn texture_lists_keep_null_pointers_shared_names_and_attributes() {
    // Entries: "ab", null, "ab" again at the same offset, "" with attributes; a gap byte 0x77 at the end.
    let mut body = le32(&[8, 4, 56, 0, 0, 0, 0, 0, 56, 1 << 16, 4 << 26, 59, 0, 0]);
    body.extend(b"ab\0\0\x77\0\0\0");
    let pof0 = Pof0::from_offsets(&[0, 8, 32, 44]).unwrap();
    let bytes = [chunk(b"NJTL", &body), chunk(b"POF0", pof0.bytes())].concat();
    let mut file = ninja::read(&bytes).unwrap();
    let names: Vec<_> = file
        .texlist()
        .unwrap()
        .names
        .iter()
        .map(|n| n.name_lossy().into_owned())
        .collect();
    assert_eq!(names, ["ab", "", "ab", ""]);
    assert_eq!(file.texlist().unwrap().names[2].attr, 1 << 16);
    assert_eq!(file.write().unwrap(), bytes);
    // Two names share bytes. A new name of equal length for one of them needs a new layout.
    let Chunk::Texlist(list) = &mut file.chunks[0] else {
        panic!()
    };
    list.names[0].name = b"cd".to_vec();
    let again = ninja::read(&file.write().unwrap()).unwrap();
    assert_eq!(again.chunks, file.chunks);
}

/// Root with two children. The first child has a child. Two nodes share one model.
fn family(words: fn(&[u32]) -> Vec<u8>) -> Vec<u8> {
    let body = [
        words(&node(0x17, 0, 52, 0)),
        words(&node(0, 208, 156, 104)),
        words(&node(0, 208, 0, 0)),
        words(&node(0x4000_0000, 0, 0, 0)),
        words(&[232, 0, 0, 0, 0, ONE]),
        words(&[4 << 16 | 34, 1 << 16 | 3, ONE, 0, ONE, 0xFF]),
    ]
    .concat();
    // Pointers: 44, 56, 96, 100, 108, 208.
    let pof0 = [0x40 | 11, 0x40 | 3, 0x40 | 10, 0x41, 0x42, 0x40 | 25, 0, 0];
    [chunk(b"NJCM", &body), chunk(b"POF0", &pof0)].concat()
}

#[test]
fn trees_and_sharing() {
    let bytes = family(le32);
    let file = ninja::read(&bytes).unwrap();
    let tree = tree_of(&file);
    let seen: Vec<_> = tree
        .walk()
        .map(|(id, depth, object)| (id.0, depth, object.offset))
        .collect();
    assert_eq!(seen, [(0, 0, 0), (1, 1, 52), (3, 2, 156), (2, 1, 104)]);
    assert_eq!(tree.objects[1].model, tree.objects[2].model);
    assert_eq!((tree.models.len(), tree.vlists.len()), (1, 1));
    assert_eq!(tree.objects[0].evalflags, EvalFlags(0x17));
    assert_eq!(
        file.warnings.iter().map(|w| w.kind.clone()).collect::<Vec<_>>(),
        [WarningKind::EvalFlags(0x4000_0000)]
    );
    assert_eq!(file.write().unwrap(), bytes);
    let census = file.census();
    assert_eq!(
        (census.nodes, census.depth, census.models, census.distinct_models),
        (4, 3, 2, 1)
    );
    assert_eq!((census.with_vlist, census.vertices[&34]), (2, 2));
}

/// A file of SA Tools has the same structures. Its head points to the root, here the last node.
#[test]
fn models_of_sa_tools() {
    let mut bytes = [
        b"SA2MDL\0\x03".to_vec(),
        le32(&[220, 0]),
        le32(&node(0, 172, 120, 68)),
        le32(&node(0, 172, 0, 0)),
        le32(&node(0x4000_0000, 0, 0, 0)),
        le32(&[196, 0, 0, 0, 0, ONE]),
        le32(&[4 << 16 | 34, 1 << 16 | 3, ONE, 0, ONE, 0xFF]),
        le32(&node(0x17, 0, 16, 0)),
    ]
    .concat();
    let mut same = ninja::read(&family(le32)).unwrap();
    same.forget_layout();
    let file = ninja::read(&bytes).unwrap();
    let kinds = |file: &File| file.warnings.iter().map(|w| w.kind.clone()).collect::<Vec<_>>();
    assert_eq!(kinds(&file), kinds(&same));
    assert_eq!(file.write().unwrap(), same.write().unwrap());
    let seen: Vec<_> = tree_of(&file)
        .walk()
        .map(|(id, depth, _)| (id.0, depth))
        .collect();
    assert_eq!(seen, [(0, 0), (1, 1), (3, 2), (2, 1)]);
    assert_eq!(ninja::directory(&bytes).unwrap()[0].id, ChunkId::NJCM);
    bytes[8..12].copy_from_slice(&272u32.to_le_bytes());
    ninja::read(&bytes).unwrap_err();
    bytes[7] = 4;
    let error = ninja::read(&bytes).unwrap_err().to_string();
    assert!(error.contains("version 4"), "{error}");
}

#[test]
fn big_endian_bodies() {
    let bytes = family(be32);
    let file = ninja::read(&bytes).unwrap();
    assert_eq!(
        (file.byte_order, file.size_order),
        (ByteOrder::Big, ByteOrder::Little)
    );
    assert_eq!(file.chunks, ninja::read(&family(le32)).unwrap().chunks);
    assert_eq!(file.write().unwrap(), bytes);
    // A single node has no pointers, only flags and scale, as evidence of its byte order.
    let lone = [chunk(b"NJCM", &be32(&node(0x17, 0, 0, 0))), chunk(b"POF0", &[])].concat();
    assert_eq!(ninja::read(&lone).unwrap().byte_order, ByteOrder::Big);
}

#[test]
fn big_endian_sizes() {
    let mut bytes = family(be32);
    let body = bytes.len() - 8 - 16;
    bytes[4..8].copy_from_slice(&(body as u32).to_be_bytes());
    let at = 8 + body + 4;
    bytes[at..at + 4].copy_from_slice(&8u32.to_be_bytes());
    let file = ninja::read(&bytes).unwrap();
    assert_eq!(
        (file.byte_order, file.size_order),
        (ByteOrder::Big, ByteOrder::Big)
    );
    assert_eq!(file.write().unwrap(), bytes);
}

#[test]
fn a_chunk_in_the_other_order_is_kept() {
    let bytes = [family(le32), family(le32), family(be32)].concat();
    let file = ninja::read(&bytes).unwrap();
    assert_eq!(file.models().count(), 2);
    assert!(
        file.warnings
            .iter()
            .any(|w| w.kind == WarningKind::MixedByteOrder)
    );
    assert_eq!(file.write().unwrap(), bytes);
}

/// N2CM: nodes of 56 bytes, with the quaternion's real part at 52.
#[test]
fn quaternion_nodes() {
    let half = 0.5f32.to_bits();
    let mut words = node(1 << 10, 0, 0, 0).to_vec();
    words[5..8].copy_from_slice(&[half, half, half | 1 << 31]);
    words.push(half);
    let bytes = [chunk(b"N2CM", &le32(&words)), chunk(b"POF0", &[])].concat();
    let file = ninja::read(&bytes).unwrap();
    let tree = tree_of(&file);
    assert_eq!(tree.kind, NodeFormat::Ninja2);
    assert_eq!(tree.objects[0].quaternion(), Some([0.5, 0.5, 0.5, -0.5]));
    assert_eq!(file.write().unwrap(), bytes);

    let mut object = Object::default();
    object.set_quaternion([0.5, 0.5, 0.5, -0.5]);
    let mut made = ObjectTree::new();
    made.kind = NodeFormat::Ninja2;
    made.push_object(object);
    assert_eq!(File::new(vec![Chunk::Model(made)]).write().unwrap(), bytes);
}

/// The low-confidence report of 56-byte nodes in NJCM, under its three settings.
#[test]
fn quaternion_nodes_in_njcm() {
    let mut words = node(1 << 10, 0, 56, 0).to_vec();
    words.push(0.5f32.to_bits());
    words.extend(node(0, 0, 0, 0));
    words.push(0.25f32.to_bits());
    let bytes = [
        chunk(b"NJCM", &le32(&words)),
        chunk(b"POF0", &[0x40 | 11, 0, 0, 0]),
    ]
    .concat();
    let read = |njcm_quaternion| {
        let settings = Settings {
            njcm_quaternion,
            ..Settings::default()
        };
        let file = ninja::read_with(&bytes, &settings).unwrap();
        assert_eq!(file.write().unwrap(), bytes);
        assert_eq!(file.warnings.len(), 1);
        (tree_of(&file).kind, tree_of(&file).objects[1].re_quat)
    };
    assert_eq!(
        read(NjcmQuaternion::ByDistance),
        (NodeFormat::Ninja1Wide, Some(0.25))
    );
    assert_eq!(read(NjcmQuaternion::Wide), (NodeFormat::Ninja1Wide, Some(0.25)));
    assert_eq!(read(NjcmQuaternion::Narrow), (NodeFormat::Ninja1, None));
    // Nodes without gaps have no room for wide nodes.
    let close = [node(1 << 10, 0, 52, 0), node(0, 0, 0, 0)].concat();
    let bytes = [
        chunk(b"NJCM", &le32(&close)),
        chunk(b"POF0", &[0x40 | 11, 0, 0, 0]),
    ]
    .concat();
    assert_eq!(tree_of(&ninja::read(&bytes).unwrap()).kind, NodeFormat::Ninja1);
}

/// Ikaruga has gaps of 4 bytes after nodes. A rotation set in code must not turn these nodes into wide ones.
#[test]
fn setting_the_quaternion_flag_on_spaced_nodes() {
    let mut words = node(0, 0, 56, 0).to_vec();
    words.push(0);
    words.extend(node(0, 0, 0, 0));
    words.push(0);
    let bytes = [
        chunk(b"NJCM", &le32(&words)),
        chunk(b"POF0", &[0x40 | 11, 0, 0, 0]),
    ]
    .concat();
    let mut file = ninja::read(&bytes).unwrap();
    assert_eq!(file.write().unwrap(), bytes);
    let Chunk::Model(tree) = &mut file.chunks[0] else {
        panic!()
    };
    tree.objects[1].evalflags = EvalFlags::QUATERNION;
    assert_eq!(ninja::read(&file.write().unwrap()).unwrap().chunks, file.chunks);
}

#[test]
fn unknown_chunks_stay_in_place() {
    let bytes = [
        chunk(b"NMDL", b"name\0\0\0\0"),
        family(le32),
        chunk(b"NJBM", &[1, 0, 0, 0, 9]),
        chunk(b"POF0", &[0x40, 0, 0, 0]),
        chunk(b"POF0", &[1, 2]),
        vec![0; 24],
    ]
    .concat();
    let file = ninja::read(&bytes).unwrap();
    let ids: Vec<_> = file.chunks.iter().map(|c| c.id().to_string()).collect();
    assert_eq!(ids, ["NMDL", "NJCM", "NJBM", "POF0"]);
    assert!(file.warnings.iter().any(|w| w.kind == WarningKind::StrayPof0));
    assert!(
        file.warnings
            .iter()
            .any(|w| w.kind == WarningKind::TrailingBytes(24))
    );
    assert_eq!(file.write().unwrap(), bytes);
    let turned = File {
        byte_order: ByteOrder::Big,
        ..file
    };
    assert!(turned.write().unwrap_err().to_string().contains("NJBM"));
}

/// Zero pointers, wide entries and padding words in a list are written back unchanged.
#[test]
fn pointer_lists_are_kept() {
    // 4 as a 4-byte entry, a zero pointer at 44, then 52.
    let mut body = le32(&node(0, 52, 0, 0));
    body.extend(le32(&[76, 0, 0, 0, 0, ONE, 0xFF]));
    let pof0 = [0xC0, 0, 0, 1, 0x40 | 10, 0x42, 0, 0];
    let bytes = [chunk(b"NJCM", &body), chunk(b"POF0", &pof0)].concat();
    let mut file = ninja::read(&bytes).unwrap();
    assert_eq!(file.warnings, []);
    assert_eq!(file.write().unwrap(), bytes);
    // A new value changes no pointer, so the list keeps its unusual encoding.
    let Chunk::Model(tree) = &mut file.chunks[0] else {
        panic!()
    };
    tree.models[0].center = [1.0; 3];
    let written = file.write().unwrap();
    assert_eq!(written.len(), bytes.len());
    assert_eq!(&written[bytes.len() - 8..], pof0);
}

/// A removed pointer leaves the list; a listed zero pointer stays.
#[test]
fn pointer_lists_follow_edits() {
    let mut bytes = family(le32);
    let at = bytes.len() - 8;
    // Like `family`, but the root's null sibling at 48 is listed, too.
    bytes[at..].copy_from_slice(&[0x40 | 11, 0x41, 0x42, 0x40 | 10, 0x41, 0x42, 0x40 | 25, 0]);
    let mut file = ninja::read(&bytes).unwrap();
    assert_eq!(file.write().unwrap(), bytes);
    let Chunk::Model(tree) = &mut file.chunks[0] else {
        panic!()
    };
    tree.objects[1].model = None;
    let again = ninja::read(&file.write().unwrap()).unwrap();
    let listed: Vec<_> = again.chunks[0].pof0().unwrap().offsets().collect();
    assert_eq!(listed, [44, 48, 96, 100, 108, 208]);
}

#[test]
fn pointer_lists_that_disagree_warn() {
    let mut bytes = one_list(&le32(&[0xFF]), false);
    let at = bytes.len() - 4;
    bytes[at..].copy_from_slice(&[0x41, 0x49, 0, 0]); // 4 and 40, not 52
    let file = ninja::read(&bytes).unwrap();
    let kinds: Vec<_> = file.warnings.iter().map(|w| w.kind.clone()).collect();
    assert_eq!(
        kinds,
        [
            WarningKind::Pof0Missing { count: 1, first: 52 },
            WarningKind::Pof0Extra { count: 1, first: 40 }
        ]
    );
    assert_eq!(file.write().unwrap(), bytes);
    let without = &bytes[..bytes.len() - 12];
    let file = ninja::read(without).unwrap();
    assert_eq!(file.warnings[0].kind, WarningKind::MissingPof0);
    assert_eq!(file.write().unwrap(), without);
}

/// Values change in place; changed sizes cause the canonical order.
#[test]
fn editing() {
    let bytes = family(le32);
    let mut file = ninja::read(&bytes).unwrap();
    let edit = |file: &mut File, change: fn(&mut ObjectTree)| {
        let Chunk::Model(tree) = &mut file.chunks[0] else {
            panic!()
        };
        change(tree);
        let written = file.write().unwrap();
        assert_eq!(ninja::read(&written).unwrap().chunks, file.chunks);
        written
    };
    let moved = edit(&mut file, |tree| tree.objects[3].pos = [0.0, 0.0, 1.0]);
    let differing: Vec<_> = (0..bytes.len()).filter(|i| bytes[*i] != moved[*i]).collect();
    assert_eq!(differing, [8 + 156 + 16 + 2, 8 + 156 + 16 + 3]);
    edit(&mut file, |tree| tree.vlists[0].chunks.clear());
    edit(&mut file, |tree| tree.objects[1].model = None);
    edit(&mut file, |tree| {
        let plist = tree.push_plist(Plist {
            chunks: vec![PolyChunk::Null],
        });
        tree.models[0].plist = Some(plist);
    });
}

#[test]
fn trees_made_in_code() {
    let mut tree = ObjectTree::new();
    let weighted = Vertex {
        flags: ninja::NinjaFlags {
            index: 0,
            weight: 300,
        },
        ..Vertex::default()
    };
    let chunk = VertexChunk::build(VertexKind::CvVnNf, 0x80, 0, &[weighted]).unwrap();
    let vlist = tree.push_vlist(Vlist { chunks: vec![chunk] });
    let model = tree.push_model(Model {
        vlist: Some(vlist),
        ..Model::default()
    });
    let root = tree.push_object(Object::default());
    let first = tree
        .push_child(
            root,
            Object {
                model: Some(model),
                ..Object::default()
            },
        )
        .unwrap();
    tree.push_child(root, Object::default()).unwrap();
    tree.push_child(first, Object::default()).unwrap();
    let order: Vec<_> = tree.walk().map(|(id, depth, _)| (id.0, depth)).collect();
    assert_eq!(order, [(0, 0), (1, 1), (3, 2), (2, 1)]);
    assert_eq!(tree.weight_factor(WeightScale::Auto), 1.0 / 65535.0);
    let raw = RawChunk {
        id: ChunkId::NJBM,
        body: vec![1, 2, 3],
        pof0: Some(Pof0::from_offsets(&[]).unwrap()),
        byte_order: ByteOrder::Little,
    };
    let names = Texlist::new(vec![
        TextureName::new("a"),
        TextureName::new(""),
        TextureName::new("bcd"),
    ]);
    let file = File::new(vec![Chunk::Texlist(names), Chunk::Model(tree), Chunk::Raw(raw)]);
    assert_eq!(ninja::read(&file.write().unwrap()).unwrap().chunks, file.chunks);
}

#[test]
fn what_has_no_file_form_is_an_error() {
    let said = |change: fn(&mut ObjectTree)| {
        let mut tree = ObjectTree::new();
        let root = tree.push_object(Object::default());
        tree.push_child(root, Object::default()).unwrap();
        change(&mut tree);
        File::new(vec![Chunk::Model(tree)])
            .write()
            .unwrap_err()
            .to_string()
    };
    type Case = (fn(&mut ObjectTree), &'static str);
    let cases: [Case; 7] = [
        (|t| t.objects.clear(), "id 0"),
        (|t| t.objects[1].child = Some(ninja::ObjectId(1)), "reached twice"),
        (|t| t.objects[1].sibling = Some(ninja::ObjectId(0)), "the root"),
        (|t| t.objects[0].child = None, "object 1 unreachable"),
        (|t| t.objects[1].model = Some(ninja::ModelId(0)), "id 0"),
        (|t| t.kind = NodeFormat::Ninja2, "re_quat"),
        (|t| t.vlists.push(Vlist::default()), "vlist 0 unreachable"),
    ];
    for (change, expected) in cases {
        let message = said(change);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn colours() {
    assert_eq!(Argb::new(1, 2, 3, 4), Argb(0x0102_0304));
    assert_eq!(Argb(0x0102_0304).halves(), [0x0304, 0x0102]);
    assert_eq!(Argb(0x0102_0304).halves_swapped(), Argb(0x0304_0102));
    assert_eq!(Argb::from_4444(0x1234).to_4444(), 0x1234);
    assert_eq!(Argb::from_565(0xABCD).to_565(), 0xABCD);
}

/// A text has no chunk names: with SHAPEID in its type a motion reads as a motion of shapes. The writer
/// therefore refuses a model's motion with that element.
#[test]
fn a_model_motion_with_shapes_has_no_text() {
    let mut bytes = b"NMDM".to_vec();
    for word in [12, 0, 0, 0x0003_4120_u32] {
        bytes.extend(word.to_le_bytes());
    }
    let file = ninja::read(&bytes).unwrap();
    let error = ninja::ascii::write(&file, &ninja::ascii::WriteOptions::default()).unwrap_err();
    assert!(error.to_string().contains("SHAPEID"), "{error}");
}
