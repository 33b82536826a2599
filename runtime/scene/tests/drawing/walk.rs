//! Traversal: stored rotations, culling.

use super::*;

#[test]
fn rotate_set_takes_the_rotation_that_was_kept() {
    // A quarter turn about z, after the root has stored its rotation. The grandchild, at (3, 0, 0) of the
    // rotated node, must be at (0, 3, 0) and must not be rotated.
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
            // The farthest corner is (1.5, 1.5); one sphere in three is too small.
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
