//! Angles on splines.

use super::*;
use scene::SplineAngles;

/// The weights in the middle of four keys are -1/16, 9/16, 9/16, -1/16: (-0 + 9 * 800 + 9 * 1600 - 400) / 16
/// = 1325. Linear interpolation gives 1200.
#[test]
fn angles_follow_the_spline_unless_told_otherwise() {
    let angle = |x: i32| [Bams(x), Bams(0), Bams(-2 * x)];
    let keys = vec![
        key(0, angle(0)),
        key(4, angle(800)),
        key(8, angle(1600)),
        key(10, angle(400)),
    ];
    let mut spline = motion(1, &[(Element::Ang, Keys::A(keys))]);
    spline.inp_fn = InpFn::new(Interpolation::Spline, 1);
    let bound = Motion::bind(&tree(EvalFlags::default(), &[]), &spline).unwrap();
    let at = |motion: &Motion| motion.pose(6.0, &mut Reference).unwrap().unwrap().nodes[0].rotation;
    assert_eq!(bound.spline_angles(), Some(SplineAngles::Spline));
    assert_eq!(at(&bound), Rotation::Xyz([Bams(1325), Bams(0), Bams(-2650)]));
    let straight = bound.with_spline_angles(SplineAngles::Linear);
    assert_eq!(at(&straight), Rotation::Xyz([Bams(1200), Bams(0), Bams(-2400)]));
    // Keys of 16 bits differ by at most half a turn: 0x200 from key to key.
    let short = |x: u16| [x as i16, 0, 0];
    let keys = [0x7D00, 0x7F00, 0x8100, 0x8300].map(short);
    let keys = [0, 4, 8, 12]
        .iter()
        .zip(keys)
        .map(|(frame, value)| key(*frame, value));
    let mut spline = motion(1, &[(Element::Sang, Keys::Sa(keys.collect()))]);
    spline.inp_fn = InpFn::new(Interpolation::Spline, 1);
    let bound = Motion::bind(&tree(EvalFlags::default(), &[]), &spline).unwrap();
    assert_eq!(at(&bound), Rotation::Xyz([Bams(0x8000), Bams(0), Bams(0)]));
    // A linear motion has no such rule.
    spline.inp_fn = InpFn::new(Interpolation::Linear, 1);
    let bound = Motion::bind(&tree(EvalFlags::default(), &[]), &spline).unwrap();
    assert_eq!(bound.spline_angles(), None);
}

/// docs/formats/ninja.md 2.5: there is no spline of quaternions.
#[test]
fn quaternions_of_a_spline_go_straight_with_a_warning() {
    let keys = [0, 10].map(|frame| key(frame, [1.0, 0.0, 0.0, 0.0]));
    let mut source = motion(1, &[(Element::Quat, Keys::Quat(keys.to_vec()))]);
    let warned = |source: &ninja::Motion| {
        let bound = Motion::bind(&tree(EvalFlags::default(), &[]), source).unwrap();
        bound.warnings().contains(&MotionWarning::SplineQuaternions)
    };
    assert!(!warned(&source));
    source.inp_fn = InpFn::new(Interpolation::Spline, 1);
    assert!(warned(&source));
}
