//! CompactShape: shape lists and their motions.

use crate::common::hex;
use crate::samples::{motion_of, read, shape_list_of, shape_motion_of};
use ninja::{Argb, Chunk, Element, File, Keys, ShapeKind, WarningKind};

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

/// The lengths of cvlists come from the pointer list or, without one, from the targets of the words.
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
