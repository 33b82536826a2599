//! Files with bytes derived by hand from the specifications (tests/data/hex), in both byte orders. The tests
//! check the decoded values and that the same bytes are written.

// These helpers fail a test by unwrap or panic.
#![allow(clippy::unwrap_used, clippy::panic)]

mod cells;
mod motions;
mod shapes;

use crate::common::{hex, hex_samples};
use ninja::{
    Argb, Bams, ByteOrder, CShapeList, CShapeMotion, CellChunk, CellSprite, CellStream, Chunk, Error, File,
    Key, Keys, Motion, ObjectTree, PolyChunk, Settings, Texlist, VolumeKind, Weight,
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

/// Both orders have equal content and are written back unchanged. Since the samples are in canonical order, a
/// new layout gives the same bytes.
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

/// The notes of a file cover its bytes in sequence.
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

fn error(bytes: &[u8]) -> Error {
    ninja::read(bytes).unwrap_err()
}

/// Content without a file form gives an error.
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
