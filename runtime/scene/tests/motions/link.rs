//! Linked motions.

use super::{key, motion, tree, x};
use ninja::{Bams, Element, EvalFlags, Keys};
use scene::{Link, Motion, NodePose, PlayMode, Pose, Reference, Rotation};

fn posed(rotation: Rotation) -> Pose {
    let node = NodePose {
        rotation,
        ..NodePose::default()
    };
    Pose { nodes: vec![node] }
}

fn between(from: Rotation, to: Rotation, share: f32) -> Rotation {
    let blended = posed(from).blend(&posed(to), share, &mut Reference);
    blended.unwrap().nodes[0].rotation
}

/// docs/formats/ninja.md 2.5, "motion link": positions and scales linearly, angles linearly on 32 bits,
/// truncated toward zero.
#[test]
fn two_motions_are_linked_by_a_share() {
    let still = |position, angle| {
        let angles = [Bams(angle), Bams(0), Bams(0)];
        let tables = [
            (Element::Pos, Keys::F(vec![key(0, position)])),
            (Element::Ang, Keys::A(vec![key(0, angles)])),
        ];
        Motion::bind(&tree(EvalFlags::default(), &[]), &motion(1, &tables)).unwrap()
    };
    let moving = [(
        Element::Pos,
        Keys::F(vec![key(0, [8.0, 0.0, 4.0]), key(10, [18.0, 0.0, 4.0])]),
    )];
    let moving = Motion::bind(&tree(EvalFlags::default(), &[]), &motion(1, &moving)).unwrap();
    let mut object = scene::Object::new(tree(EvalFlags::default(), &[]));
    object.motion = Some(still([0.0, 2.0, 4.0], 0x1000));
    object.link = Some(Link {
        motion: moving,
        share: 0.25,
        ahead: 3.0,
    });
    object.playback.time = 1.0;
    let (pose, _) = object.evaluate(&mut Reference).unwrap().unwrap();
    // The second is at frame 4: x = 12, a quarter of which is 3; y = 2 * 3/4; the node's own scale is (0, 0,
    // 0) in both.
    assert_eq!(pose.nodes[0].position, Some([3.0, 1.5, 4.0]));
    // From 0x1000 to the node's own angle 0: three quarters.
    assert_eq!(
        pose.nodes[0].rotation,
        Rotation::Xyz([Bams(0xC00), Bams(0), Bams(0)])
    );
    object.playback.mode = PlayMode::Once;
    object.playback.time = 9.0;
    assert!(
        object.evaluate(&mut Reference).unwrap().is_none(),
        "frame 12 of 11"
    );
}

#[test]
fn linked_angles_take_all_their_turns() {
    let xyz = |x| Rotation::Xyz([Bams(x), Bams(0), Bams(0)]);
    assert_eq!(between(xyz(0), xyz(0x18000), 0.5), xyz(0xC000));
    // -7 / 2 = -3.5, truncated to -3.
    assert_eq!(between(xyz(0), xyz(-7), 0.5), xyz(-3));
    assert_eq!(between(xyz(5), xyz(9), 0.0), xyz(5));
    assert_eq!(between(xyz(5), xyz(9), 1.0), xyz(9));
    // No rotation is angles of zero.
    let zxy = |x| Rotation::Zxy([Bams(x), Bams(0), Bams(0)]);
    assert_eq!(between(Rotation::None, zxy(0x800), 0.5), zxy(0x400));
    assert_eq!(between(Rotation::None, Rotation::None, 0.5), Rotation::None);
}

/// Halfway between a quarter turn about y and no turn is an eighth turn. Its quaternion has the cosine and
/// sine of 22.5 degrees.
#[test]
fn a_quaternion_makes_both_quaternions() {
    let quarter = Rotation::Xyz([Bams(0), Bams(0x4000), Bams(0)]);
    let none = Rotation::Quaternion([1.0, 0.0, 0.0, 0.0]);
    let (sin, cos) = (std::f64::consts::PI / 8.0).sin_cos();
    for (from, to) in [(quarter, none), (none, quarter)] {
        let Rotation::Quaternion(blended) = between(from, to, 0.5) else {
            unreachable!("angles")
        };
        for (found, expected) in blended.into_iter().zip([cos, 0.0, sin, 0.0]) {
            assert!((f64::from(found) - expected).abs() < 1.0e-6, "{blended:?}");
        }
    }
}

/// The quaternion of three angles turns a node as the angles do, in both orders; the matrix of the angles is
/// itself tested against f64 elsewhere.
#[test]
fn angles_and_their_quaternion_are_one_rotation() {
    let angles = [Bams(0x1234), Bams(0x9ABC), Bams(-0x2222)];
    let orders = [Rotation::Xyz(angles), Rotation::Zxy(angles)];
    let matrix = |rotation| {
        let pose = posed(rotation).nodes[0];
        scene::matrix::node(&mut Reference, &sh4_kernels::IDENTITY, &pose).unwrap()
    };
    for rotation in orders {
        let quaternion = scene::matrix::quaternion(&mut Reference, rotation).unwrap();
        let pairs = std::iter::zip(
            matrix(rotation).into_iter().flatten(),
            matrix(Rotation::Quaternion(quaternion)).into_iter().flatten(),
        );
        for (a, b) in pairs {
            assert!((a - b).abs() < 2.0e-6, "{rotation:?}: {a} {b}");
        }
    }
    assert_ne!(matrix(orders[0]), matrix(orders[1]));
}

#[test]
fn a_value_that_is_not_applied_counts_as_none() {
    let node = |position, scale| NodePose {
        position,
        scale,
        ..NodePose::default()
    };
    let of = |node: NodePose| Pose { nodes: vec![node] };
    let from = of(node(Some(x(8.0)), None));
    let to = of(node(None, Some([3.0; 3])));
    let blended = from.blend(&to, 0.25, &mut Reference).unwrap();
    assert_eq!(blended.nodes[0], node(Some(x(6.0)), Some([1.5; 3])));
}
