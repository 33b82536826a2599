//! Skins and motions that are hard to convert. Each is checked at all frames.

use convert::{Conversion, MotionFile, Options, Plain};
use ninja::MotionKind;

use crate::rig::Rig;
use crate::scene::{Mesh, Scene};
use crate::{convert_bytes, warnings};

/// Tolerance of a check, as a share of the size.
const ALLOWED: f64 = 1.0 / 2000.0;

/// Converts and checks a rig. Returns the conversion, and the largest distance as a share of the size.
fn checked(rig: &Rig, options: &Options) -> (Conversion, f64) {
    let mut conversion = convert_bytes(&rig.write(), options).unwrap();
    let checked = conversion.check(&mut Plain::default()).unwrap();
    assert!(checked.compared >= rig.vertices.len(), "{}", checked.compared);
    let worst = checked.motions.iter().map(|(_, d)| d.relative);
    let worst = worst.fold(checked.rest.relative, f64::max);
    (conversion, worst)
}

fn frames(conversion: &Conversion) -> Vec<u32> {
    conversion.report.motions.iter().map(|m| m.frames).collect()
}

#[test]
fn bones_that_leave_their_place_keep_weighted_vertices_within_the_bound() {
    let mut rig = Rig::tube(17, 4);
    rig.seconds = 1.0;
    // One unit apart at rest, 2.3 in the motion: the rounding error of a weight is multiplied by 1.3 units.
    // That is 1/1,368 of the size if the positions are computed for the rest pose.
    for bone in 1..4 {
        let keys = vec![(0.0, [0.0, 2.3, 0.0]), (1.0, [0.2, 2.3, 0.0])];
        rig.bones[bone].curves = vec![("Lcl Translation", keys)];
    }
    let (_, worst) = checked(&rig, &Options::default());
    assert!(worst < ALLOWED, "1/{:.0}", 1.0 / worst);
}

#[test]
fn weights_that_round_to_nothing_keep_the_bound() {
    let mut rig = Rig::tube(17, 4);
    rig.seconds = 1.0;
    for vertex in 40..48 {
        // A weight of 0.26 of 255, two bones away. Rounding it up to 1 would take 0.74 from the others.
        rig.weights[0].push((vertex, 0.001));
    }
    rig.bones[3].curves = vec![(
        "Lcl Translation",
        vec![(0.0, [0.0, 2.0, 0.0]), (1.0, [0.0, 2.1, 0.0])],
    )];
    rig.bones[2].curves = vec![(
        "Lcl Translation",
        vec![(0.0, [0.0, 2.5, 0.0]), (1.0, [0.2, 2.5, 0.0])],
    )];
    let (_, worst) = checked(&rig, &Options::default());
    assert!(worst < ALLOWED, "1/{:.0}", 1.0 / worst);
}

#[test]
fn scales_are_inherited_in_all_three_ways_within_the_bound() {
    for modes in [[0; 4], [2; 4], [1, 0, 2, 1], [0, 2, 1, 0]] {
        let mut rig = Rig::tube(13, 4);
        rig.seconds = 1.0;
        for (bone, mode) in rig.bones.iter_mut().zip(modes) {
            bone.inherit = mode;
        }
        let scale = |to| ("Lcl Scaling", vec![(0.0, [1.0; 3]), (1.0, to)]);
        rig.bones[0].curves = vec![scale([3.0, 3.0, 3.0])];
        rig.bones[1].curves = vec![scale([1.0, 2.5, 1.0])];
        rig.bones[2].curves = vec![scale([2.0, 0.5, 2.0])];
        let (_, worst) = checked(&rig, &Options::default());
        assert!(worst < ALLOWED, "{modes:?}: 1/{:.0}", 1.0 / worst);
    }
}

#[test]
fn a_dual_quaternion_skin_is_linear_and_its_difference_is_a_loss() {
    let mut rig = Rig::tube(9, 2);
    rig.seconds = 1.0;
    let turn = vec![(0.0, [0.0; 3]), (1.0, [0.0, 150.0, 0.0])];
    rig.bones[1].curves = vec![("Lcl Rotation", turn)];
    let (linear, _) = checked(&rig, &Options::default());
    assert_eq!(linear.report.loss.dual_quaternion, 0.0);
    rig.dual_quaternion = true;
    let (dual, worst) = checked(&rig, &Options::default());
    // The linear skin is written, and it is correct.
    assert!(worst < ALLOWED, "1/{:.0}", 1.0 / worst);
    assert_eq!(dual.model.write().unwrap(), linear.model.write().unwrap());
    // A ring of radius r halfway between rotations of 0 and 150 degrees. Linear skinning shrinks it to r cos
    // 75 degrees; dual quaternions preserve it.
    let radius = 0.08_f64.sqrt();
    let wanted = radius * (1.0 - 75_f64.to_radians().cos()) / dual.report.size;
    let loss = dual.report.loss.dual_quaternion;
    assert!((loss - wanted).abs() < 1e-4, "{loss} {wanted}");
    let text = warnings(&dual);
    assert!(
        text.contains("dual quaternion") && text.contains("at frame 24 of \"walk\""),
        "{text}"
    );
}

#[test]
fn a_mesh_that_the_root_moves_stays_at_the_root() {
    let mut rig = Rig::tube(9, 2);
    rig.seconds = 1.0;
    // The lower bone's vertices now belong to the root of the scene; the mesh's own node is elsewhere.
    rig.place = [3.0, 0.0, 0.0];
    rig.root_weights = rig.weights[0].drain(..).collect();
    rig.bones[0].curves = vec![("Lcl Translation", vec![(0.0, [0.0; 3]), (1.0, [0.4, 0.0, 0.0])])];
    let (conversion, worst) = checked(&rig, &Options::default());
    assert!(worst < ALLOWED, "1/{:.0}", 1.0 / worst);
    assert_eq!(conversion.report.nodes[0].name, "root");
}

#[test]
fn long_stacks_are_cut_with_a_warning_and_a_range_chooses() {
    let mut rig = Rig::tube(2, 2);
    // 240,001 frames at the file's 24 per second.
    rig.seconds = 10_000.0;
    rig.bones[1].curves = vec![(
        "Lcl Translation",
        vec![(0.0, [0.0, 1.0, 0.0]), (10_000.0, [0.0, 11.0, 0.0])],
    )];
    let conversion = convert_bytes(&rig.write(), &Options::default()).unwrap();
    assert_eq!(frames(&conversion), [65_535]);
    let text = warnings(&conversion);
    assert!(
        text.contains("240001 frames") && text.contains("--range"),
        "{text}"
    );
    let options = Options {
        range: Some(120_000..=120_024),
        ..Options::default()
    };
    let (conversion, worst) = checked(&rig, &options);
    assert_eq!(frames(&conversion), [25]);
    assert!(worst < ALLOWED, "1/{:.0}", 1.0 / worst);
    // Halfway up at its first frame.
    let positions = conversion.positions(Some((0, 0))).unwrap();
    let top = positions[0]
        .vertices
        .iter()
        .flatten()
        .map(|v| v[1])
        .fold(0.0, f64::max);
    assert!((top - 6.0).abs() < 1e-3, "{top}");
    let beyond = Options {
        range: Some(300_000..=300_001),
        ..Options::default()
    };
    let Err(error) = convert_bytes(&rig.write(), &beyond) else {
        panic!("a range without frames was accepted");
    };
    assert!(error.to_string().contains("0..240000"), "{error}");
}

#[test]
fn cameras_and_lights_alone_give_their_motions() {
    let bytes = Scene {
        views: true,
        only_views: true,
        ..Scene::of(Mesh::default())
    }
    .write();
    let mut conversion = convert_bytes(&bytes, &Options::default()).unwrap();
    assert!(conversion.model.chunks.is_empty());
    let kinds: Vec<MotionKind> = conversion.views.iter().map(|v| v.kind).collect();
    assert_eq!(kinds, [MotionKind::Camera, MotionKind::Light]);
    let none: [&MotionFile; 0] = [];
    assert_eq!(conversion.motions.iter().collect::<Vec<_>>().len(), none.len());
    assert_eq!(conversion.check(&mut Plain::default()).unwrap().compared, 0);
}
