//! Files whose bytes were worked out by hand from the specifications (tests/data/hex), each in both byte
//! orders: what is read from them, and that the same bytes are written.

// A failed unwrap or panic in a helper, too, is how a test fails.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{chunk, hex, hex_samples, le32};
use ninja::{
    Argb, Bams, BlendMode, BlockBits, BlockMotion, ByteOrder, CShapeList, CShapeMotion, CellAttr, CellChunk,
    CellSprite, CellStream, Chunk, Container, Element, Error, File, Interpolation, Key, KeyForm, KeyForms,
    Keys, Motion, MotionKind, ObjectTree, PolyChunk, Settings, ShapeKind, Spot, Texlist, VolumeKind,
    WarningKind, Weight,
};

/// Reads the little-endian sample.
fn read(name: &str) -> File {
    let file = ninja::read(&hex(&format!("{name}.le"))).unwrap();
    assert_eq!(file.warnings, [], "{name}");
    file
}

macro_rules! only {
    ($function:ident, $variant:ident, $type:ty) => {
        fn $function(file: &File) -> &$type {
            let mut found = file.chunks.iter().filter_map(|chunk| match chunk {
                Chunk::$variant(it) => Some(it),
                _ => None,
            });
            found.next().unwrap()
        }
    };
}

only!(motion_of, Motion, Motion);
only!(shape_motion_of, ShapeMotion, CShapeMotion);
only!(shape_list_of, ShapeList, CShapeList);
only!(sprite_of, CellSprite, CellSprite);
only!(stream_of, CellStream, CellStream);
only!(tree_of, Model, ObjectTree);
only!(texlist_of, Texlist, Texlist);

/// Both orders say the same, are written back as they were, and come out the same when laid out anew: the
/// samples are in canonical order.
#[test]
fn every_sample_is_written_as_it_was() {
    let mut samples = 0;
    for (name, bytes) in hex_samples() {
        let mut file = ninja::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (order, other) = match name.ends_with(".le") {
            true => (ByteOrder::Little, name.replace(".le", ".be")),
            false => (ByteOrder::Big, name.replace(".be", ".le")),
        };
        assert_eq!(file.byte_order, order, "{name}");
        assert_eq!(file.warnings, [], "{name}");
        assert_eq!(file.write().unwrap(), bytes, "{name}");
        let other = hex(&other);
        assert_eq!(ninja::read(&other).unwrap().chunks, file.chunks, "{name}");
        file.forget_layout();
        assert_eq!(file.write().unwrap(), bytes, "{name} laid out anew");
        file.byte_order = order.other();
        assert_eq!(file.write().unwrap(), other, "{name} turned around");
        samples += 1;
    }
    println!("{samples} samples");
    assert_eq!(samples, 26);
}

/// The notes of a file cover its bytes one after the other.
#[test]
fn every_byte_has_its_meaning() {
    for (name, bytes) in hex_samples() {
        let notes = ninja::annotate(&bytes, &Settings::default()).unwrap();
        let mut at = 0;
        for note in &notes {
            assert_eq!(note.offset, at, "{name}: {}", note.meaning);
            at += note.len;
        }
        assert_eq!(at, bytes.len(), "{name}");
    }
    let notes = ninja::annotate(&hex("motion.le"), &Settings::default()).unwrap();
    let meaning = |offset: usize| {
        notes
            .iter()
            .find(|note| note.offset == offset)
            .unwrap()
            .meaning
            .as_str()
    };
    assert_eq!(meaning(0), "chunk NMDM, 132 bytes");
    assert_eq!(meaning(0x14), "node 0.p[0] POS_0: -> 0x3c");
    assert_eq!(
        meaning(0x64),
        "table 1 (MKEY_SA) key 0 of 3: frame 0, [0, 28672, -32768]"
    );
}

#[test]
fn texture_names_with_banks() {
    let file = read("texlist_palette");
    let names = &texlist_of(&file).names;
    let found: Vec<_> = names
        .iter()
        .map(|n| (n.name_lossy(), n.same_as_previous(), n.bank()))
        .collect();
    let expected = [
        ("pal", false, 20),
        ("pal", true, 21),
        ("last", false, 63),
        ("rgb", false, 0),
    ];
    assert_eq!(
        found,
        expected.map(|(name, same, bank)| (name.into(), same, bank))
    );
    let made = ninja::TextureName::with_bank("pal", true, 21);
    assert_eq!(made, names[1]);
}

#[test]
fn motion() {
    let file = read("motion");
    let motion = motion_of(&file);
    assert_eq!((motion.kind, motion.nb_frame), (MotionKind::Model, 31));
    assert_eq!(motion.inp_fn.method(), Interpolation::Spline);
    assert_eq!(motion.elements(), [Element::Pos, Element::Sang, Element::Scl]);
    assert_eq!((motion.nodes.len(), motion.tracks.len()), (2, 3));
    let positions = Keys::F(vec![
        Key {
            frame: 0,
            value: [1.0, 2.0, 3.0],
        },
        Key {
            frame: 30,
            value: [-1.0, 0.5, 0.0],
        },
    ]);
    assert_eq!(motion.keys(0, Element::Pos), Some(&positions));
    assert_eq!(motion.keys(1, Element::Pos), None);
    let Some(Keys::Sa(angles)) = motion.keys(1, Element::Sang) else {
        panic!()
    };
    assert_eq!(angles[2].value, [0, -0x7000, 0x7FFF]);
    assert_eq!(motion.nodes[0].tables[1], motion.nodes[1].tables[1]);
    assert_eq!(motion.keys(1, Element::Scl).map(Keys::len), Some(1));
}

#[test]
fn quaternions_stand_before_scales() {
    let file = read("motion_quat");
    let motion = motion_of(&file);
    assert_eq!(motion.elements(), [Element::Pos, Element::Quat, Element::Scl]);
    let Some(Keys::Quat(keys)) = motion.keys(0, Element::Quat) else {
        panic!()
    };
    assert_eq!(keys[1].value, [0.5, 0.5, 0.5, -0.5]);
    assert_eq!(motion.keys(0, Element::Scl).map(Keys::form), Some(KeyForm::F));
}

#[test]
fn long_angles_and_events() {
    let file = read("motion_long_angles");
    let motions: Vec<&Motion> = file.motions().collect();
    let Some(Keys::A(angles)) = motions[0].keys(0, Element::Ang) else {
        panic!()
    };
    assert_eq!(angles[1].value, [Bams(0x18000), Bams(0x9000), Bams(-1)]);
    let Some(Keys::Ui16(events)) = motions[1].keys(0, Element::Event) else {
        panic!()
    };
    assert_eq!((events[1].frame, events[1].value, events.len()), (50, 0xFFFF, 3));
}

#[test]
fn lights_and_cameras() {
    let file = read("motion_light_camera");
    let [light, camera] = file.motions().collect::<Vec<_>>()[..] else {
        panic!()
    };
    assert_eq!((light.kind, camera.kind), (MotionKind::Light, MotionKind::Camera));
    let spot = Spot {
        near: 1.0,
        far: 100.0,
        inner: Bams(0x1000),
        outer: Bams(0x2000),
    };
    let expected = Keys::Spot(vec![Key {
        frame: 0,
        value: spot,
    }]);
    assert_eq!(light.keys(0, Element::Spot), Some(&expected));
    let intensity = Keys::F2(vec![Key {
        frame: 0,
        value: [0.75, 0.125],
    }]);
    assert_eq!(light.keys(0, Element::Intensity), Some(&intensity));
    let Some(Keys::Sa1(roll)) = camera.keys(0, Element::Roll) else {
        panic!()
    };
    assert_eq!((roll[1].frame, roll[1].value), (19, -0x4000));
    let Some(Keys::Sa1(angle)) = camera.keys(0, Element::Angle) else {
        panic!()
    };
    assert_eq!(angle[0].value, 0x2E39);
}

#[test]
fn simple_shapes() {
    let file = read("simple_shape");
    let motion = motion_of(&file);
    assert_eq!(motion.elements(), [Element::Vert, Element::Norm]);
    let Some(Keys::P(keys)) = motion.keys(0, Element::Vert) else {
        panic!()
    };
    let at = |i: usize| &motion.points[keys[i].value.unwrap().0 as usize];
    assert_eq!(at(0)[..], [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    assert_eq!(at(1)[..], [[0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
    assert_eq!(motion.points[2][..], [[0.0, 0.0, 1.0]; 2]);
}

#[test]
fn two_motions_in_a_file() {
    let file = read("shape_motion");
    assert_eq!(motion_of(&file), motion_of(&read("motion")));
    let motion = shape_motion_of(&file);
    assert_eq!(
        (motion.nb_frame, motion.nodes.len(), motion.tracks.len()),
        (26, 3, 2)
    );
    let entries: Vec<Vec<_>> = motion
        .nodes
        .iter()
        .map(|node| {
            node.iter()
                .map(|data| (data.keys.unwrap().0, data.entry_id))
                .collect()
        })
        .collect();
    assert_eq!(entries, [vec![(0, 0), (1, 0)], vec![], vec![(0, 1)]]);
    let keys: Vec<_> = motion.tracks[0]
        .iter()
        .map(|key| (key.frame, key.value))
        .collect();
    assert_eq!(keys, [(0, 0), (9, 1), (25, 0)]);
}

#[test]
fn shape_list() {
    let file = read("shape_list");
    let list = shape_list_of(&file);
    let groups: Vec<_> = list.shapes.iter().map(|shape| shape.group_id).collect();
    assert_eq!(groups, [0, 0, 1, 1]);
    assert_eq!(
        list.cvlists.iter().map(Vec::len).collect::<Vec<_>>(),
        [2, 2, 1, 1]
    );
    let kinds: Vec<Vec<_>> = list
        .vlists
        .iter()
        .map(|list| list.chunks.iter().map(|chunk| chunk.kind.id()).collect())
        .collect();
    assert_eq!(
        kinds,
        [vec![41], vec![34], vec![128], vec![35], vec![129], vec![130, 42]]
    );
    let first = &list.vlists[0].chunks[0];
    assert_eq!(
        (first.kind, first.headbits, first.count()),
        (ShapeKind::CvVn, 0x40, 2)
    );
    assert_eq!(
        (first.position(1), first.normal(1)),
        (Some([4.0, 5.0, 6.0]), Some([0.0, 0.0, 1.0]))
    );
    let normals = &list.vlists[2].chunks[0];
    assert_eq!(
        (normals.position(0), normals.normal(1), normals.diffuse(0)),
        (None, Some([0.0, -1.0, 0.0]), None)
    );
    assert_eq!(list.vlists[3].chunks[0].diffuse(0), Some(Argb(0xFF10_2030)));
    assert_eq!(list.vlists[5].chunks[0].diffuse(1), Some(Argb(0x00FF_FFFF)));
}

#[test]
fn cell_sprite() {
    let file = read("cell_sprite");
    assert_eq!(texlist_of(&file).names.len(), 1);
    let sprite = sprite_of(&file);
    assert_eq!(
        (sprite.pos, sprite.zang, sprite.scale),
        ([320.0, 240.0, -1.0], Bams(0x4000), [1.0, 2.0])
    );
    assert_eq!(
        (sprite.diffuse, sprite.specular),
        ([0.5, 1.0, 1.0, 1.0], [11.0, 0.25, 0.0, 0.0])
    );
    assert_eq!((sprite.cells.len(), sprite.work_bytes()), (3, 192));
    let [first, second, third] = sprite.cells[..] else {
        panic!()
    };
    assert_eq!(
        (first.offset, first.size, first.priority),
        ([10.0, 15.0], [64.0, 64.0], 100)
    );
    let blend = first.attr.blend();
    assert_eq!(
        (blend.src, blend.dst),
        (BlendMode::SourceAlpha, BlendMode::InverseSourceAlpha)
    );
    assert!(first.attr.contains(CellAttr::VERTEX_COLOR | CellAttr::ALPHA));
    assert_eq!(first.argb[2], Argb(0xFF00_00FF));
    assert_eq!(
        (second.zang, second.priority, second.attr),
        (0x4000, 32767, CellAttr::FLIP_H)
    );
    assert_eq!((second.uv0, second.uv2), ([0.25, 0.5], [0.75, 1.0]));
    assert_eq!((third.tex_id, third.zang, third.priority), (-1, -0x8000, -32767));
    let all = CellAttr::PUNCH_THROUGH | CellAttr::FLIP_V | CellAttr::HIDE | CellAttr::TIME_REPEAT;
    assert_eq!(third.attr, all);
    assert!(
        sprite
            .cells
            .iter()
            .all(|cell| ninja::Cell::from_words(&cell.words()) == *cell)
    );
}

#[test]
fn cell_stream() {
    let file = read("cell_stream");
    let stream = stream_of(&file);
    assert_eq!(
        (stream.current, stream.time_offset, stream.time_max),
        (Some(0), 5, 100)
    );
    let ids: Vec<_> = stream.chunks.iter().map(CellChunk::id).collect();
    assert_eq!(ids, [1, 2, 2, 2, 1, 3, 4, 5, 6, 1, 14, 15, 7, 0]);
    let CellChunk::Change(all) = &stream.chunks[1] else {
        panic!()
    };
    assert_eq!((all.size, all.blocks, all.words.len()), (0, BlockBits::KNOWN, 16));
    let blocks = all.decode();
    assert_eq!(blocks.texture, Some((3, CellAttr::ALPHA)));
    let motion = BlockMotion {
        offset: [1.0, 2.0],
        size: [16.0, 8.0],
        zang: 0x4000,
    };
    assert_eq!((blocks.motion, blocks.priority), (Some(motion), Some(1)));
    assert_eq!(
        (blocks.center, blocks.uv),
        (Some([0.5, 0.25]), Some([0.0, 0.0, 1.0, 1.0]))
    );
    assert_eq!(blocks.argb.unwrap()[3], Argb(0xFF00_0004));
    let CellChunk::Change(alone) = &stream.chunks[2] else {
        panic!()
    };
    assert_eq!((alone.entry, alone.decode().motion.unwrap().zang), (10, -0x2000));
    let CellChunk::Change(priority) = &stream.chunks[3] else {
        panic!()
    };
    assert_eq!(
        (
            priority.entry,
            priority.decode().priority,
            priority.decode().motion
        ),
        (1, Some(-2), None)
    );
    for change in [all, alone, priority] {
        assert_eq!(ninja::CellChange::new(change.entry, &change.decode()), *change);
    }
    assert_eq!(
        stream.chunks[5],
        CellChunk::Texture {
            entry: 99,
            tex_id: 10
        }
    );
    assert_eq!(
        stream.chunks[7],
        CellChunk::ZAngle {
            entry: 101,
            zang: 0x8E39u16 as i16
        }
    );
    assert_eq!(
        stream.chunks[8],
        CellChunk::Priority {
            entry: 4095,
            priority: -2
        }
    );
    let burst = CellChunk::Address {
        address: 16,
        data: vec![0x0040_0003],
    };
    assert_eq!(stream.chunks[10], burst);
    let CellChunk::Entry { entry, offset, data } = &stream.chunks[11] else {
        panic!()
    };
    assert_eq!((*entry, *offset, data.len()), (0, 5, 7));
    let mut counted = stream.clone();
    counted.count_stamps().unwrap();
    assert_eq!(&counted, stream);
    let motion = motion_of(&file);
    assert_eq!(motion.kind, MotionKind::CellSprite);
    assert_eq!(motion.keys(0, Element::Ang).map(Keys::form), Some(KeyForm::A1));
    assert_eq!(motion.keys(0, Element::Scl).map(Keys::form), Some(KeyForm::F2));
    let Some(Keys::Ui32(colors)) = motion.keys(0, Element::Rgb) else {
        panic!()
    };
    assert_eq!(colors[1].value, 0x80FF_0000);
}

#[test]
fn ninja2_tree() {
    let file = read("ninja2_tree");
    let tree = tree_of(&file);
    assert_eq!(tree.objects[0].quaternion(), Some([0.5, 0.5, 0.5, -0.5]));
    assert_eq!(
        (tree.objects[1].ang[1], tree.objects[1].re_quat),
        (Bams(0x4000), Some(1.0))
    );
    let [weighted, colored] = &tree.vlists[0].chunks[..] else {
        panic!()
    };
    assert_eq!(weighted.weight_status(), Some(Weight::End));
    assert_eq!((weighted.slot(0), weighted.slot(1)), (8, 3));
    assert_eq!(
        (weighted.ninja_flags(0).unwrap().weight, weighted.diffuse(1)),
        (128, Some(Argb(0x7F44_5566)))
    );
    assert_eq!(colored.specular(0), Some(Argb(0x0A04_0506)));
    let ids: Vec<_> = tree.plists[0].chunks.iter().map(PolyChunk::id).collect();
    assert_eq!(ids, [25, 24, 9, 56, 57, 58, 73, 74, 69, 72]);
    let PolyChunk::Volume(triangles) = &tree.plists[0].chunks[3] else {
        panic!()
    };
    assert_eq!((triangles.kind, triangles.user_words), (VolumeKind::P3, 1));
    assert_eq!(triangles.polygons().collect::<Vec<_>>(), [[5, 6, 7], [7, 6, 5]]);
    let PolyChunk::Volume(strips) = &tree.plists[0].chunks[5] else {
        panic!()
    };
    assert_eq!(
        strips.indices(&strips.strips[0]).collect::<Vec<_>>(),
        [5, 6, 7, 8]
    );
    let PolyChunk::Strip(two) = &tree.plists[0].chunks[7] else {
        panic!()
    };
    let last = two.entry(&two.strips[0], 2);
    assert!(two.strips[0].reversed);
    assert_eq!(
        (last.uv, last.uv2, last.user),
        ([10, 11], [12, 13], [0x1111, 0x2222, 0])
    );
    let PolyChunk::Strip(colors) = &tree.plists[0].chunks[9] else {
        panic!()
    };
    assert_eq!(
        (colors.entry(&colors.strips[0], 0).color, colors.tail()),
        (Argb(0xFF10_2030), &[0][..])
    );
}

#[test]
fn motion_without_chunks() {
    let file = read("pso_motion");
    assert_eq!(file.container, Container::PsoMotion);
    let motion = motion_of(&file);
    assert_eq!((motion.nb_frame, motion.nodes.len()), (30, 2));
    assert_eq!(motion.keys(0, Element::Pos).map(Keys::len), Some(2));
    assert_eq!(motion.keys(1, Element::Pos), None);
    assert_eq!(motion.keys(1, Element::Ang).map(Keys::form), Some(KeyForm::Sa));
    // As a chunk: another layout, the same motion.
    let chunked = File {
        container: Container::Iff,
        ..file.clone()
    };
    let again = ninja::read(&chunked.write().unwrap()).unwrap();
    assert_eq!((again.container, &again.chunks), (Container::Iff, &file.chunks));
    let back = File {
        container: Container::PsoMotion,
        ..again
    };
    assert_eq!(back.write().unwrap(), hex("pso_motion.le"));
}

fn error(bytes: &[u8]) -> Error {
    ninja::read(bytes).unwrap_err()
}

fn motion_of_type(bits: u32, inp_fn: u32) -> Vec<u8> {
    let words = [12, 1, inp_fn << 16 | bits, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    [chunk(b"NMDM", &le32(&words)), chunk(b"POF0", &[0x40, 0, 0, 0])].concat()
}

#[test]
fn types_that_contradict_themselves() {
    assert!(
        error(&motion_of_type(0x2002, 2))
            .to_string()
            .contains("ANG_1 with QUAT_1")
    );
    assert!(
        error(&motion_of_type(0x25, 2))
            .to_string()
            .contains("2 tables for 3 elements")
    );
    assert!(error(&motion_of_type(1, 6)).to_string().contains("at most 5"));
    // A count of 0 means as many as there are bits; a spare table is null.
    let counted = ninja::read(&motion_of_type(0x25, 0)).unwrap();
    assert_eq!(motion_of(&counted).tables(), 3);
    let spare = ninja::read(&motion_of_type(1, 2)).unwrap();
    let kind = WarningKind::SpareTables {
        tables: 2,
        elements: 1,
    };
    assert_eq!(
        spare.warnings.iter().map(|w| w.kind.clone()).collect::<Vec<_>>(),
        [kind]
    );
}

/// Writers list null tables, too (facts 1.3): then the list tells where the nodes end, and gaps stay.
#[test]
fn nodes_end_where_their_pointers_are_no_longer_listed() {
    let words = [12, 5, 0x0001_0001, 28, 1, 0, 0, 7, 0, 0, 0];
    let pof0 = [0x40, 0x43, 0x42, 0];
    let bytes = [chunk(b"NMDM", &le32(&words)), chunk(b"POF0", &pof0)].concat();
    let file = ninja::read(&bytes).unwrap();
    assert_eq!(
        (file.warnings.as_slice(), motion_of(&file).nodes.len()),
        (&[][..], 2)
    );
    assert_eq!(file.write().unwrap(), bytes);
    // A key at frame 7 as the only one of a motion of 5 frames is nothing to warn of; two that descend are.
    let words = [12, 5, 0x0001_0001, 20, 2, 3, 0, 0, 0, 3, 0, 0, 0];
    let bytes = [chunk(b"NMDM", &le32(&words)), chunk(b"POF0", &[0x40, 0x43, 0, 0])].concat();
    let file = ninja::read(&bytes).unwrap();
    let kind = WarningKind::KeyOrder {
        key: 1,
        frame: 3,
        before: 3,
    };
    assert_eq!(
        file.warnings.iter().map(|w| w.kind.clone()).collect::<Vec<_>>(),
        [kind]
    );
}

/// A motion of one node with one key for each element of a type, made in code: it reads back equal.
#[test]
fn every_element() {
    let key = |form: KeyForm| match form {
        KeyForm::F => Keys::F(vec![Key {
            frame: 0,
            value: [1.0, 2.0, 3.0],
        }]),
        KeyForm::F1 => Keys::F1(vec![Key { frame: 0, value: 1.0 }]),
        KeyForm::F2 => Keys::F2(vec![Key {
            frame: 0,
            value: [1.0, 2.0],
        }]),
        KeyForm::A => Keys::A(vec![Key {
            frame: 0,
            value: [Bams(1), Bams(2), Bams(3)],
        }]),
        KeyForm::A1 => Keys::A1(vec![Key {
            frame: 0,
            value: Bams(1),
        }]),
        KeyForm::Sa => Keys::Sa(vec![Key {
            frame: 0,
            value: [1, 2, 3],
        }]),
        KeyForm::Sa1 => Keys::Sa1(vec![Key { frame: 0, value: 1 }]),
        KeyForm::Quat => Keys::Quat(vec![Key {
            frame: 0,
            value: [1.0, 0.0, 0.0, 0.0],
        }]),
        KeyForm::Spot => Keys::Spot(vec![Key {
            frame: 0,
            value: Spot::default(),
        }]),
        KeyForm::Ui16 => Keys::Ui16(vec![Key { frame: 0, value: 1 }]),
        KeyForm::Ui32 => Keys::Ui32(vec![Key { frame: 0, value: 1 }]),
        KeyForm::P => Keys::P(vec![Key {
            frame: 0,
            value: None,
        }]),
        other => panic!("{other:?}"),
    };
    let (mut made, mut kinds) = (0, 0);
    for kind in MotionKind::ALL {
        for element in Element::all().filter(|element| *element != Element::ShapeId) {
            let bits = ninja::MotionType(element.bit());
            if Element::in_table_order(kind, bits).unwrap() != [element] {
                continue;
            }
            kinds += 1;
            for (form, key_forms) in element
                .forms(kind)
                .iter()
                .zip([KeyForms::Expected, KeyForms::Older])
            {
                let mut motion = Motion::new(kind, bits, 1);
                let track = motion.push_track(key(*form));
                motion.push_node(&[Some(track)]);
                let file = File::new(vec![Chunk::Motion(motion)]);
                let settings = Settings {
                    key_forms,
                    ..Settings::default()
                };
                let again = ninja::read_with(&file.write().unwrap(), &settings).unwrap();
                assert_eq!(
                    (again.warnings.as_slice(), &again.chunks),
                    (&[][..], &file.chunks),
                    "{kind:?} {element:?}"
                );
                made += 1;
            }
        }
    }
    println!("{made} motions of {kinds} elements");
    // 15 elements of the four kinds, and in simple shapes 13 with VERT and NORM instead of VEC_0 and SANG.
    assert_eq!(kinds, 5 * 15);
    let point = ninja::MotionType(Element::Intensity.bit() | Element::Point.bit());
    let order = Element::in_table_order(MotionKind::Light, point).unwrap();
    assert_eq!(order, [Element::Intensity, Element::Point]);
}

/// One table of one key may be of either layout: the specified one is taken unless the settings say otherwise.
#[test]
fn key_forms() {
    let words = [12, 1, 0x0001_0002, 20, 1, 0, 0, 0, 0];
    let bytes = [chunk(b"NMDM", &le32(&words)), chunk(b"POF0", &[0x40, 0x43, 0, 0])].concat();
    for (key_forms, form) in [
        (KeyForms::ByTables, KeyForm::A),
        (KeyForms::Expected, KeyForm::A),
        (KeyForms::Older, KeyForm::Sa),
    ] {
        let settings = Settings {
            key_forms,
            ..Settings::default()
        };
        let file = ninja::read_with(&bytes, &settings).unwrap();
        assert_eq!(motion_of(&file).keys(0, Element::Ang).map(Keys::form), Some(form));
        assert_eq!(file.write().unwrap(), bytes);
    }
}

/// What a stream of the given words says.
fn stream(words: &[u32], time_max: u32) -> Result<File, Error> {
    let body = [&[16, 16, 0, time_max], words].concat();
    ninja::read(&[chunk(b"NJCS", &le32(&body)), chunk(b"POF0", &[0x40, 0x41, 0, 0])].concat())
}

#[test]
fn streams_with_slips() {
    let said = |words: &[u32], time_max: u32| -> Vec<WarningKind> {
        stream(words, time_max)
            .unwrap()
            .warnings
            .into_iter()
            .map(|w| w.kind)
            .collect()
    };
    assert_eq!(said(&[0x1000_0000, 0x0000_0009], 9), []);
    assert_eq!(said(&[9], 8), [WarningKind::StreamEnd { end: 9, max: 8 }]);
    // TS(2,4) before more words, as in the specification's sample.
    let stamp = WarningKind::StampWords {
        found: 4,
        expected: 1,
    };
    assert_eq!(said(&[0x1004_0002, 0x3001_0002, 9], 9), [stamp]);
    // A CZ of 200 degrees that the original macro has spoilt.
    assert_eq!(
        said(&[0xFFFF_8E39, 9], 9),
        [WarningKind::LostAngle(0x8E39u16 as i16)]
    );
    assert_eq!(said(&[0x8001_0000, 1, 9], 9), [WarningKind::ReservedCellChunk(8)]);
    let size = WarningKind::CellSize {
        found: 2,
        expected: 1,
    };
    assert_eq!(said(&[0x2220_0000, 1, 9], 9), [size]);
    assert_eq!(said(&[0x2001_0000, 9], 9), [WarningKind::CellBlocks(1)]);
    assert_eq!(
        said(&[0xF20F_0000, 1, 2, 9], 9),
        [WarningKind::BurstEnd { offset: 15, words: 2 }]
    );
    assert!(
        stream(&[0x1000_0000], 9)
            .unwrap_err()
            .to_string()
            .contains("cell chunk")
    );
    assert!(
        stream(&[0x7005_0000, 1, 0], 9)
            .unwrap_err()
            .to_string()
            .contains("cell chunk data")
    );
}

/// The lengths of cvlists come from the pointer list; without one, from where the words lead.
#[test]
fn shape_lists_without_pointer_lists() {
    let bytes = hex("shape_list.le");
    let at = bytes.windows(4).position(|w| w == b"POF0").unwrap();
    let file = ninja::read(&bytes[..at]).unwrap();
    assert_eq!(file.chunks, read("shape_list").chunks);
    assert_eq!(
        file.warnings.iter().map(|w| w.kind.clone()).collect::<Vec<_>>(),
        [WarningKind::MissingPof0]
    );
    assert_eq!(file.write().unwrap(), bytes[..at]);
    // A null entry is kept, also in canonical order.
    let mut list = shape_list_of(&file).clone();
    list.cvlists[3].extend([None, None]);
    let made = File::new(vec![Chunk::ShapeList(list)]);
    let again = ninja::read(&made.write().unwrap()).unwrap();
    assert_eq!(
        (again.warnings.as_slice(), &again.chunks),
        (&[][..], &made.chunks)
    );
}

/// What cannot be written says so.
#[test]
fn what_has_no_file_form_is_an_error() {
    let mut motion = motion_of(&read("motion")).clone();
    motion.tracks[1] = Keys::A(vec![]);
    let said = |chunk: Chunk| File::new(vec![chunk]).write().unwrap_err().to_string();
    assert!(said(Chunk::Motion(motion.clone())).contains("A keys in table 2, expected SA"));
    motion.tracks[1] = Keys::Sa(vec![Key {
        frame: 0x1_0000,
        value: [0; 3],
    }]);
    assert!(said(Chunk::Motion(motion.clone())).contains("at most 65535"));
    motion.tracks.push(Keys::F(vec![]));
    assert!(said(Chunk::Motion(motion)).contains("unreachable"));
    let burst = CellChunk::Entry {
        entry: 0,
        offset: 0,
        data: vec![0; 16],
    };
    let end = CellChunk::End { dummy: 0, time: 0 };
    assert!(said(Chunk::CellStream(CellStream::new(vec![burst, end]))).contains("at most 15"));
    assert!(said(Chunk::CellStream(CellStream::new(vec![]))).contains("current stamp"));
    let mut list = shape_list_of(&read("shape_list")).clone();
    list.cvlists.push(vec![]);
    assert!(said(Chunk::ShapeList(list)).contains("empty"));
}
