//! Motions and shapes with known values: keys, nodes, rules.

#![allow(clippy::unwrap_used, reason = "a failing helper fails its test")]

mod link;
mod splines;
mod views;

use ninja::{
    Argb, Bams, CShapeData, CShapeKeyGroup, CShapeList, CShapeMotion, CvlistId, Element, EvalFlags, FV_CONT,
    FV_SHAPE, InpFn, Interpolation, Key, Keys, Model, MotionKind, MotionType, Object, ObjectTree, ShapeChunk,
    ShapeKind, ShapeTrackId, ShapeVlist, ShapeVlistId, Vertex, VertexChunk, VertexKind, Vlist,
};
use scene::{
    LastKey, Motion, MotionBreak, MotionError, MotionOrder, MotionWarning, NodePose, PlayMode, Playback,
    Reference, Rotation, ShapeError, ShapeFault, ShapeMotion, ShapeWarning, Shapes,
};

fn key<T>(frame: u32, value: T) -> Key<T> {
    Key { frame, value }
}

/// A root and `flags.len()` children, each with the flags given.
fn tree(root: EvalFlags, flags: &[EvalFlags]) -> ObjectTree {
    let mut tree = ObjectTree::new();
    let object = |evalflags, pos| Object {
        evalflags,
        pos,
        ..Object::default()
    };
    let root = tree.push_object(object(root, [0.0; 3]));
    for (i, flags) in flags.iter().enumerate() {
        tree.push_child(root, object(*flags, [100.0 + i as f32, 0.0, 0.0]))
            .unwrap();
    }
    tree
}

/// A model motion of 11 frames in which every entry has the same tables.
fn motion(entries: usize, tables: &[(Element, Keys)]) -> ninja::Motion {
    let bits = tables
        .iter()
        .fold(MotionType(0), |bits, (element, _)| bits | *element);
    let mut motion = ninja::Motion::new(MotionKind::Model, bits, 11);
    let ids: Vec<_> = motion
        .elements()
        .iter()
        .map(|element| {
            tables
                .iter()
                .find(|(found, _)| found == element)
                .map(|(_, keys)| keys.clone())
        })
        .collect();
    let ids: Vec<_> = ids
        .into_iter()
        .map(|keys| keys.map(|keys| motion.push_track(keys)))
        .collect();
    for _ in 0..entries {
        motion.push_node(&ids);
    }
    motion
}

fn nodes(tree: &ObjectTree, motion: &ninja::Motion, frame: f32) -> Vec<NodePose> {
    let motion = Motion::bind(tree, motion).unwrap();
    motion.pose(frame, &mut Reference).unwrap().unwrap().nodes
}

/// The first node's at `frame`.
fn first(tables: &[(Element, Keys)], frame: f32) -> NodePose {
    nodes(&tree(EvalFlags::default(), &[]), &motion(1, tables), frame)[0]
}

const X: [f32; 3] = [1.0, 0.0, 0.0];

fn x(value: f32) -> [f32; 3] {
    X.map(|c| c * value)
}

#[test]
fn positions_and_scales_go_straight() {
    let tables = [
        (Element::Pos, Keys::F(vec![key(0, x(8.0)), key(10, x(-8.0))])),
        (
            Element::Scl,
            Keys::F(vec![key(0, [1.0; 3]), key(8, [3.0; 3]), key(10, [3.0; 3])]),
        ),
    ];
    let pose = first(&tables, 2.5);
    // 8 * 0.75 - 8 * 0.25, 1 * (1 - 5/16) + 3 * 5/16
    assert_eq!(pose.position, Some(x(4.0)));
    assert_eq!(pose.scale, Some([1.625; 3]));
    assert_eq!(first(&tables, 10.0).position, Some(x(-8.0)));
}

/// docs/formats/ninja.md 2.5: after the last key to the first within one frame, and beyond it where the last
/// key is early.
#[test]
fn behind_the_last_key() {
    let tables = [(Element::Pos, Keys::F(vec![key(0, x(0.0)), key(8, x(16.0))]))];
    assert_eq!(first(&tables, 8.5).position, Some(x(8.0)));
    // t = 2: 16 * (1 - 2) + 0 * 2
    assert_eq!(first(&tables, 10.0).position, Some(x(-16.0)));
    let bound = Motion::bind(&tree(EvalFlags::default(), &[]), &motion(1, &tables)).unwrap();
    let of = |rule, frame| {
        let motion = bound.clone().with_last_key(rule);
        motion.pose(frame, &mut Reference).unwrap().unwrap().nodes[0]
            .position
            .unwrap()[0]
    };
    assert_eq!(of(LastKey::Hold, 10.0), 16.0);
    // From 16 to 0 over the three frames that are left: a third of 16 after two.
    assert!((of(LastKey::Wrap, 10.0) - 16.0 / 3.0).abs() < 1.0e-5);
    assert!(bound.pose(11.0, &mut Reference).unwrap().is_none());
    assert!(bound.pose(-0.5, &mut Reference).unwrap().is_none());
    assert!(bound.pose(f32::NAN, &mut Reference).unwrap().is_none());
}

/// The four keys' weights in the middle are -1/16, 9/16, 9/16, -1/16; keys are counted around.
#[test]
fn a_spline_goes_through_four_keys() {
    let keys = vec![key(0, x(0.0)), key(4, x(8.0)), key(8, x(16.0)), key(10, x(4.0))];
    let mut spline = motion(1, &[(Element::Pos, Keys::F(keys))]);
    spline.inp_fn = InpFn::new(Interpolation::Spline, 1);
    let tree = tree(EvalFlags::default(), &[]);
    let of = |motion: &ninja::Motion, frame| nodes(&tree, motion, frame)[0].position.unwrap()[0];
    let at = |frame| of(&spline, frame);
    assert_eq!(at(6.0), (-0.0 + 9.0 * 8.0 + 9.0 * 16.0 - 4.0) / 16.0);
    // Between the first two: the key before the first is the last.
    assert_eq!(at(2.0), (-4.0 + 9.0 * 0.0 + 9.0 * 8.0 - 16.0) / 16.0);
    assert_eq!(at(4.0), 8.0);
    let mut user = spline.clone();
    user.inp_fn = InpFn::new(Interpolation::User, 1);
    let bound = Motion::bind(&tree, &user).unwrap();
    assert_eq!(bound.warnings(), [MotionWarning::Method(Interpolation::User)]);
    assert_eq!(of(&user, 6.0), 13.25);
}

#[test]
fn angles_by_the_width_of_their_keys() {
    let angle = |x: i32| [Bams(x), Bams(0), Bams(0)];
    let short = |x: u16| [x as i16, 0, 0];
    let turned = |tables: &[(Element, Keys)]| match first(tables, 5.0).rotation {
        Rotation::Xyz([Bams(x), _, _]) => x,
        other => unreachable!("{other:?}"),
    };
    let wide = |from, to| {
        turned(&[(
            Element::Ang,
            Keys::A(vec![key(0, angle(from)), key(10, angle(to))]),
        )])
    };
    assert_eq!(wide(0x7000, 0x9000), 0x8000);
    assert_eq!(wide(0, 0x20000), 0x10000);
    let narrow =
        |element, from, to| turned(&[(element, Keys::Sa(vec![key(0, short(from)), key(10, short(to))]))]);
    for element in [Element::Sang, Element::Ang] {
        assert_eq!(narrow(element, 0x7000, 0x9000), 0x8000);
        // From 0xF000 (-0x1000) to 0x2000 over zero.
        assert_eq!(narrow(element, 0xF000, 0x2000), 0x800);
    }
}

#[test]
fn quaternions_take_the_near_side_at_length_one() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let keys = vec![key(0, [1.0, 0.0, 0.0, 0.0]), key(10, [-half, -half, 0.0, 0.0])];
    let Rotation::Quaternion([re, x, y, z]) = first(&[(Element::Quat, Keys::Quat(keys))], 5.0).rotation
    else {
        unreachable!("a quaternion")
    };
    // An eighth of a turn about x: cosine and sine of 22.5 degrees.
    assert!(
        (re - 0.923_879_5).abs() < 1.0e-6 && (x - 0.382_683_43).abs() < 1.0e-6,
        "{re} {x}"
    );
    assert_eq!([y, z], [0.0; 2]);
}

#[test]
fn skipped_nodes_take_no_entry() {
    let tree = tree(EvalFlags::default(), &[EvalFlags::SKIP, EvalFlags::default()]);
    let mut motion = motion(0, &[(Element::Pos, Keys::F(vec![]))]);
    for value in [1.0, 2.0] {
        let track = motion.push_track(Keys::F(vec![key(0, x(value))]));
        motion.push_node(&[Some(track)]);
    }
    let found: Vec<f32> = nodes(&tree, &motion, 0.0)
        .iter()
        .map(|node| node.position.unwrap()[0])
        .collect();
    assert_eq!(found, [1.0, 100.0, 2.0]);
}

/// docs/formats/ninja.md 2.5: UNIT flags are ignored, HIDE is honoured, an element without keys keeps the
/// node's value. BREAK stops the children (docs/formats/chunk-model.md 2), but not in the original.
#[test]
fn flags_while_a_motion_plays() {
    let flags = EvalFlags::UNIT_POS | EvalFlags::BREAK | EvalFlags::HIDE;
    let tree = tree(EvalFlags::default(), &[flags]);
    let motion = motion(2, &[(Element::Scl, Keys::F(vec![key(0, [2.0; 3])]))]);
    let node = nodes(&tree, &motion, 0.0)[1];
    assert_eq!((node.position, node.scale), (Some(x(100.0)), Some([2.0; 3])));
    assert!(node.hidden && node.childless);
    let original = Motion::bind(&tree, &motion).unwrap();
    let original = original.with_flags(MotionBreak::Ignored, MotionOrder::Root);
    let pose = original.pose(0.0, &mut Reference).unwrap().unwrap();
    assert!(pose.nodes[1].hidden && !pose.nodes[1].childless);
}

/// By the flag of the node (docs/formats/chunk-model.md 2); the original takes the root's for all nodes
/// with an entry, also for those without keys.
#[test]
fn the_node_decides_the_order_of_angles_and_in_the_original_the_root() {
    let own = [EvalFlags::default(), EvalFlags::ZXY_ANG, EvalFlags::SKIP];
    let tree = tree(EvalFlags::ZXY_ANG, &own);
    let motion = motion(3, &[(Element::Ang, Keys::A(vec![key(0, [Bams(7); 3])]))]);
    let found = nodes(&tree, &motion, 0.0);
    assert_eq!(found[1].rotation, Rotation::Xyz([Bams(7); 3]));
    assert_eq!(found[2].rotation, Rotation::Zxy([Bams(7); 3]));
    assert_eq!(found[3].rotation, Rotation::Xyz([Bams(0); 3]));
    let original = Motion::bind(&tree, &motion).unwrap();
    let original = original.with_flags(MotionBreak::Ignored, MotionOrder::Root);
    let pose = original.pose(0.0, &mut Reference).unwrap().unwrap();
    assert_eq!(pose.nodes[1].rotation, Rotation::Zxy([Bams(7); 3]));
    assert_eq!(pose.nodes[2].rotation, Rotation::Zxy([Bams(7); 3]));
    assert_eq!(pose.nodes[3].rotation, Rotation::Xyz([Bams(0); 3]));
}

#[test]
fn a_motion_for_another_tree_names_the_node() {
    let tables = [(Element::Pos, Keys::F(vec![key(0, X)]))];
    let tree = tree(
        EvalFlags::default(),
        &[EvalFlags::SKIP, EvalFlags::default(), EvalFlags::default()],
    );
    let error = Motion::bind(&tree, &motion(2, &tables)).unwrap_err();
    let expected = MotionError::Nodes {
        entries: 2,
        needed: 3,
        node: 3,
        offset: 0,
    };
    assert_eq!(error, expected);
    let spare = Motion::bind(&tree, &motion(64, &tables)).unwrap();
    let expected = MotionWarning::SpareEntries {
        entries: 64,
        needed: 3,
    };
    assert_eq!(spare.warnings(), [expected]);
    let camera = ninja::Motion::new(MotionKind::Camera, MotionType(1), 1);
    assert!(matches!(
        Motion::bind(&tree, &camera),
        Err(MotionError::Kind { .. })
    ));
    let both = ninja::Motion::new(MotionKind::Model, MotionType(0x2002), 1);
    assert!(matches!(
        Motion::bind(&tree, &both),
        Err(MotionError::Elements { .. })
    ));
}

#[test]
fn the_clock() {
    let mut playback = Playback {
        speed: -2.0,
        mode: PlayMode::Loop,
        ..Playback::default()
    };
    playback.advance(1.5);
    assert_eq!(playback.frame(10), Some(7.0));
    playback.mode = PlayMode::Once;
    assert_eq!(playback.frame(10), None);
}

/// Two nodes that share one vertex list of two chunks: CV_VN of three vertices, and CV_D8 of two.
fn shaped_tree(flags: EvalFlags) -> ObjectTree {
    let mut tree = ObjectTree::new();
    let vertices = |n: usize| -> Vec<Vertex> {
        (0..n)
            .map(|i| Vertex {
                position: x(i as f32),
                normal: [0.0, 0.0, 1.0],
                diffuse: Argb(0xFF00_0000),
                ..Vertex::default()
            })
            .collect()
    };
    let chunks = vec![
        VertexChunk::build(VertexKind::CvVn, FV_CONT, 0, &vertices(3)).unwrap(),
        VertexChunk::build(VertexKind::CvD8, FV_CONT, 3, &vertices(2)).unwrap(),
    ];
    let vlist = Some(tree.push_vlist(Vlist { chunks }));
    let model = Some(tree.push_model(Model {
        vlist,
        ..Model::default()
    }));
    let object = |evalflags| Object {
        evalflags,
        model,
        ..Object::default()
    };
    let root = tree.push_object(object(flags));
    tree.push_child(root, object(EvalFlags::default())).unwrap();
    tree
}

/// A list in which each of `shapes` (group, kind, words of its one vertex list) is one shape.
fn shape_list(shapes: &[(u16, ShapeKind, Vec<u32>)]) -> CShapeList {
    let mut list = CShapeList::new();
    for (i, (group_id, kind, words)) in shapes.iter().enumerate() {
        let chunk = ShapeChunk {
            kind: *kind,
            headbits: FV_SHAPE,
            words: words.clone(),
        };
        list.vlists.push(ShapeVlist { chunks: vec![chunk] });
        list.cvlists.push(vec![Some(ShapeVlistId(i as u32))]);
        list.shapes.push(CShapeKeyGroup {
            cvlist: Some(CvlistId(i as u32)),
            group_id: *group_id,
            reserved: 0,
        });
    }
    list
}

fn positions(values: &[f32]) -> Vec<u32> {
    values
        .iter()
        .flat_map(|&value| x(value))
        .map(f32::to_bits)
        .collect()
}

/// A shape motion of 11 frames; each node's data are tracks of (frame, shape), all with entry 0.
fn shape_motion(nodes: &[Vec<Vec<(u32, u32)>>]) -> CShapeMotion {
    let mut motion = CShapeMotion::new(11);
    for node in nodes {
        let mut data = Vec::new();
        for track in node {
            motion
                .tracks
                .push(track.iter().map(|(frame, shape)| key(*frame, *shape)).collect());
            data.push(CShapeData {
                keys: Some(ShapeTrackId(motion.tracks.len() as u32 - 1)),
                entry_id: 0,
            });
        }
        motion.nodes.push(data);
    }
    motion
}

fn shapes_at(tree: &ObjectTree, list: &CShapeList, motion: &CShapeMotion, frame: f32) -> Shapes {
    let motion = ShapeMotion::bind(tree, list, motion).unwrap();
    motion.shapes(frame, &mut Reference).unwrap().unwrap()
}

#[test]
fn leading_vertices_go_from_shape_to_shape() {
    let tree = shaped_tree(EvalFlags::default());
    let list = shape_list(&[
        (0, ShapeKind::Cv, positions(&[10.0, 20.0])),
        (0, ShapeKind::Cv, positions(&[30.0, 60.0])),
    ]);
    let motion = shape_motion(&[vec![], vec![vec![(0, 0), (10, 1)]]]);
    let shapes = shapes_at(&tree, &list, &motion, 2.5);
    let root = ninja::ObjectId(0);
    assert_eq!(
        shapes.get(root, 0),
        None,
        "the root shares the list and is not shaped"
    );
    let chunk = shapes.get(ninja::ObjectId(1), 0).unwrap();
    let found: Vec<f32> = (0..3).map(|i| chunk.position(i)[0]).collect();
    // At one quarter; the third vertex is not in the shape.
    assert_eq!(found, [15.0, 30.0, 2.0]);
    assert_eq!(chunk.normal(0), Some([0.0, 0.0, 1.0]));
}

#[test]
fn two_groups_move_the_first_two_chunks() {
    let tree = shaped_tree(EvalFlags::SHAPE_SKIP);
    let list = shape_list(&[
        (0, ShapeKind::Vn, positions(&[0.0, 0.0, 1.0])),
        (1, ShapeKind::D8, vec![0xFF00_0000, 0xFFFF_FFFF]),
        (1, ShapeKind::D8, vec![0xFF80_0000, 0x00FF_FFFF]),
    ]);
    // The root is skipped: the one entry is the child's.
    let motion = shape_motion(&[vec![vec![(0, 0)], vec![(0, 1), (10, 2)]]]);
    let shapes = shapes_at(&tree, &list, &motion, 5.0);
    let child = ninja::ObjectId(1);
    let normals = shapes.get(child, 0).unwrap();
    assert_eq!((normals.normal(2), normals.position(2)), (Some(X), x(2.0)));
    let colours = shapes.get(child, 1).unwrap();
    let found = [colours.diffuse(0).unwrap().0, colours.diffuse(1).unwrap().0];
    // Half of 0x80 is 0x40; alpha 255 to 0 is 127.5, truncated.
    assert_eq!(found, [0xFF40_0000, 0x7FFF_FFFF]);
}

#[test]
fn all_seven_kinds_reach_the_vertex() {
    for kind in ShapeKind::all() {
        let tree = shaped_tree(EvalFlags::default());
        let mut words = Vec::new();
        if kind.position().is_some() {
            words.extend(x(5.0).map(f32::to_bits));
        }
        if kind.normal().is_some() {
            words.extend(X.map(f32::to_bits));
        }
        if kind.diffuse().is_some() {
            words.push(0x1234_5678);
        }
        // The second chunk has colours and no normals, the first the reverse.
        let chunk = usize::from(kind.diffuse().is_some());
        let list = shape_list(&[(0, ShapeKind::Cv, positions(&[9.0])), (0, kind, words)]);
        let tracks: Vec<_> = (0..=chunk).map(|i| vec![(0, u32::from(i == chunk))]).collect();
        let motion = ShapeMotion::bind(&tree, &list, &shape_motion(&[vec![], tracks])).unwrap();
        let shapes = motion.shapes(0.0, &mut Reference).unwrap().unwrap();
        let found = shapes.get(ninja::ObjectId(1), chunk).unwrap();
        let moved = kind.position().is_some();
        assert_eq!(
            found.position(0),
            if moved { x(5.0) } else { x(0.0) },
            "{}",
            kind.name()
        );
        let expected = kind.diffuse().map(|_| Argb(0x1234_5678));
        assert_eq!(found.diffuse(0), expected, "{}", kind.name());
        let room = kind.diffuse().is_some() && kind.normal().is_some();
        let warned = matches!(motion.warnings(), [ShapeWarning::NoRoom { what: "normals", .. }]);
        assert_eq!(warned, room, "{}", kind.name());
        if !room && kind.normal().is_some() {
            assert_eq!(found.normal(0), Some(X), "{}", kind.name());
        }
    }
}

#[test]
fn shapes_that_do_not_fit_name_node_and_shape() {
    let tree = shaped_tree(EvalFlags::default());
    let list = shape_list(&[
        (0, ShapeKind::Cv, positions(&[1.0])),
        (0, ShapeKind::Cv, positions(&[1.0, 2.0])),
        (1, ShapeKind::Cv, positions(&[1.0])),
        (0, ShapeKind::Vn, positions(&[1.0])),
        (0, ShapeKind::Cv, positions(&[1.0; 4])),
    ]);
    let fault = |keys: &[(u32, u32)]| {
        let motion = shape_motion(&[vec![], vec![keys.to_vec()]]);
        match ShapeMotion::bind(&tree, &list, &motion) {
            Err(ShapeError::At {
                node: 1,
                data: 0,
                fault,
                ..
            }) => fault,
            other => unreachable!("{other:?}"),
        }
    };
    assert_eq!(fault(&[(0, 9)]), ShapeFault::NoShape { shape: 9, last: 4 });
    let unlike = |shape: u32| fault(&[(0, 0), (10, shape)]).to_string();
    assert_eq!(
        unlike(1),
        "shape 1 has 2 vertices, expected 1 vertices as shape 0 has"
    );
    assert_eq!(unlike(2), "shape 2 has group 1, expected group 0 as shape 0 has");
    assert_eq!(unlike(3), "shape 3 has VN, expected CV as shape 0 has");
    let many = ShapeFault::Vertices {
        shape: 4,
        found: 4,
        expected: 3,
    };
    assert_eq!(fault(&[(0, 4)]), many);
    let three = shape_motion(&[vec![vec![(0, 0)], vec![(0, 0)], vec![(0, 0)]], vec![]]);
    let error = ShapeMotion::bind(&tree, &list, &three).unwrap_err().to_string();
    assert_eq!(
        error,
        "node 0 at 0x0, shape data 2: the node's vertex list has 2 chunks, expected one for each shape data"
    );
}
